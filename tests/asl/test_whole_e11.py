"""E11 as a whole: its list of clauses, and Impulses counted by brute force."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.rules.generator import legal_actions
from marchtable_models.asl.rules.impulse_moves import Impulse, moves_of
from tests.asl.boards import ASL, foot, moved_jointly
from tests.asl.test_columns import column
from tests.asl.test_convoys import convoy
from tests.asl.test_gaps import after

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LIST = Path(__file__).resolve().parents[1] / "clauses" / "asl-e11.tsv"
EXAMPLES = {"E11.21d", "E11.22c", "E11.23b", "E11.23d"}
"""Consequences of other clauses: worked examples, each a test of these."""


def test_every_clause_of_the_chapter_is_declared() -> None:
    """The registry holds every clause of the list under its kind, except worked examples."""
    rows = [line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines()[1:]]
    kinds = dict(rows)
    found = {name: clause.kind for name, clause in ASL.clauses.items() if name in kinds}
    assert found == {name: kind for name, kind in kinds.items() if name not in EXAMPLES}


# -- Impulses --------------------------------------------------------------------------------------


def generated(position: Any, unit: str) -> set[tuple[str, ...]]:
    """Return the moves of every legal Impulse of the generator, idle ones stated."""

    def closed(choices: Any) -> Iterator[Any]:
        for choice in choices:
            if isinstance(choice.action, Impulse):
                if choice.closes:
                    yield choice.action
                if choice.joins:
                    yield from closed(legal_actions(position, unit, opened=choice.action))

    line = len(moved_jointly(position, Impulse(unit, ())).members)
    return {
        (*action.moves, *("stay",) * (line - len(action.moves)))
        for action in closed(legal_actions(position, unit))
    }


def by_rule(position: Any, unit: str) -> set[tuple[str, ...]]:
    """Return every tuple of moves, one a member, that the rules allow."""
    names = moved_jointly(position, Impulse(unit, ())).members
    ways = [moves_of(position, position.unit(name)) for name in names]
    return {moves for moves in product(*ways) if ASL.rule(position, Impulse(unit, moves)).is_legal}


SCENES: dict[str, Callable[[], Any]] = {
    "convoy of two": lambda: convoy(4, 5),
    "convoy of three": lambda: convoy(3, 4, 5),
    "three with a reason": lambda: after(convoy(3, 4, 5), "result t2 attacked"),
    "column of two": lambda: column(4, 5),
    "column of three": lambda: column(4, 5, 5),
    "column in the APh": lambda: column(4, 5, 6, scene={"phase": "APh"}),
    "column and an enemy": lambda: column(
        4, 5, others=(foot("e", at="A3", side="russian", concealed=True),)
    ),
}


@pytest.mark.parametrize("name", SCENES)
def test_generator_against_brute_force(name: str) -> None:
    """The generator leads to every legal Impulse, and to no other."""
    position = SCENES[name]()
    unit = position.units[0].id
    legal = by_rule(position, unit)
    assert legal
    assert generated(position, unit) == legal
