"""
The contents page, derived from the files of the rules.

``python -m tests.valor.test_contents`` renews it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from marchtable.play import legal_actions
from marchtable_models.valor.rules.antitank import Hit
from marchtable_models.valor.rules.assaults import Assault
from marchtable_models.valor.rules.fire import Fire
from marchtable_models.valor.subjects import SUBJECTS
from tests.play_at_random import played
from tests.subject_checks import astray, beside, judged_alike, page_of, seen_by_clauses
from tests.valor.random_play import TABLE
from tests.valor.scenes import VALOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.state.action import Action
    from marchtable_models.valor.model import ValorPosition

PAGE = Path(__file__).with_name("contents.txt")
"""A line for each record: the clauses that look at it, in the order in which they speak."""


def test_the_page() -> None:
    """The page matches the files; a change must be intended."""
    assert sorted(page_of(SUBJECTS).splitlines()) == sorted(
        PAGE.read_text(encoding="utf-8").splitlines()
    )


def asked(seed: int) -> Iterator[tuple[ValorPosition, Action]]:
    """Yield legal actions, attacks and assaults in positions of random play."""
    for crowd in sorted(TABLE.scenes):
        for step in played(TABLE, crowd, seed, 12):
            given = [choice.action for choice in legal_actions(step.before)]
            fights: list[Action] = [Hit(unit.id, "immobilized") for unit in step.before.units]
            for unit in step.before.units:
                for at in dict.fromkeys(other.at for other in step.before.units if other.at):
                    fights += [Fire((unit.id,), at), Assault((unit.id,), at)]
            for action in (*given, *fights):
                if isinstance(action, SUBJECTS.actions):
                    yield step.before, action


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_files_changes_no_finding(seed: int) -> None:
    """With the files shuffled, clauses find the same: ``after`` states every necessary order."""
    assert judged_alike(VALOR, SUBJECTS, asked(seed), seed) > 100


def test_clauses_stand_beside_what_they_read() -> None:
    """At least nine clauses in ten look at a record of their own file, and each record is read there."""
    assert beside(SUBJECTS) >= 0.9
    assert astray(SUBJECTS) == []


def test_clauses_see_facts_alone() -> None:
    """A clause reads its record, the sheet, data and its own helpers: never a position or the map."""
    assert seen_by_clauses(SUBJECTS) == {}


if __name__ == "__main__":
    PAGE.write_text(page_of(SUBJECTS), encoding="utf-8")
