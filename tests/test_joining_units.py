"""Units that can join an action are listed if any set of them makes it legal."""

from __future__ import annotations

from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.rules.candidates import candidates
from marchtable.rules.generator import choice_of
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import group_field, moves_field, wider
from tests.checked_play import rounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.state.action import Action

LARGEST = 4
"""Units of a Location that are tried."""


def joinable(position: Any) -> Iterator[tuple[Action, str, list[str]]]:
    """Yield the illegal actions of one unit that others beside it might join, with these units."""
    book = find_rulebook(position.rulebook)
    for unit in position.units:
        beside = [] if unit.at is None or unit.side != position.side else position.beside(unit.at)
        mates = [one.id for one in beside if one.side == unit.side and one.id != unit.id][:LARGEST]
        for action in candidates(book, position, unit) if mates else ():
            is_group = group_field(type(action)) and not moves_field(type(action))
            if is_group and not book.rule(position, action).is_legal:
                yield action, unit.id, mates


@pytest.mark.parametrize(("name", "seed", "count"), [("asl", 31000, 25), ("valor", 41172, 25)])
def test_no_set_of_joining_units_is_missed(name: str, seed: int, count: int) -> None:
    """If some set of units beside it makes an action legal, units are listed that can join it."""
    book, tried, joined = find_rulebook(name), 0, 0
    games = (games for one in range(seed, seed + 40) for games in rounds(name, one, 2, 6).games(1))
    for position in islice(chain.from_iterable(positions for _, positions in games), count):
        if position.pending:
            continue
        for action, unit, mates in joinable(position):
            found = choice_of(book, position, action, unit)
            joined += bool(found.joins)
            sets = chain(*(combinations(mates, size) for size in range(1, len(mates) + 1)))
            for joining in () if found.joins else sets:
                whole = action
                for mate in joining:
                    whole = wider(whole, mate)
                tried += 1
                assert not book.rule(position, whole).is_legal, (action, whole)
    assert tried
    assert joined
