"""What a board caches, asked in turn for different positions: each gets its own."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.files.notation import parse_action
from marchtable.state.records import replace
from tests.asl.boards import ASL, place, total, vehicle
from tests.asl.test_convoys import road
from tests.asl.test_metamorphic import essence

if TYPE_CHECKING:
    from marchtable.rules.ruling import Ruling

MOVES = (
    "stay",
    "turn:E",
    "enter:A3",
    "enter:A3,enter:A4,enter:A5",
    "enter:A3,enter:A4,stop",
    "stay,stay,turn:E",
)


def trucks(*kinds: str, **last: Any) -> tuple[Any, ...]:
    """Return a Convoy of these kinds going north, with further fields for its last vehicle."""
    found = [
        vehicle(f"t{n}", kind, at=f"A{n + 3}", facing="NNE", convoy="c", rank=n)
        for n, kind in enumerate(kinds, 1)
    ]
    return (*found[:-1], replace(found[-1], **last))


def ask(position: Any, moves: str) -> Ruling:
    """Return the ruling on an Impulse in this very position."""
    return ASL.rule(position, parse_action(f"impulse t1 {moves}", ASL))


def test_costs_are_its_own() -> None:
    """A truck does not pay a tank's cost from another position of the board asked in between."""
    board = road(paved=False)
    scene = place(board, *trucks("tr-20", "ft-20"))
    ours = replace(scene, units=trucks("tr-20", "tr-20"))
    theirs = replace(scene, units=trucks("ft-20", "ft-20"))
    ask(ours, MOVES[0])
    for other in (replace(theirs, conditions=replace(scene.conditions, month=1)), theirs):
        ask(other, "enter:A3,enter:A4")
    assert total(ask(ours, "enter:A3,enter:A4"), "t1") == 5
    assert total(ask(theirs, "enter:A3,enter:A4"), "t1") == 2


@pytest.mark.parametrize("field", ["prep_fired", "stunned"])
@pytest.mark.clause("D2.1c")
def test_units_that_may_act_are_its_own(field: str) -> None:
    """The members that can act are the same whatever was asked of the board before."""
    for first, second in permutations(MOVES, 2):
        board = road()
        ours = place(board, *trucks("tr-20", "ht-20", "ft-20", **{field: True}))
        other = replace(ours, units=ours.units[::-1], conditions=replace(ours.conditions, month=1))
        ask(ours, first)
        for position in (other, replace(ours, units=ours.units[::-1])):
            ASL.allotment(position, position.units[0])
            ask(position, second)
        fresh = place(road(), *ours.units)
        assert essence(ask(ours, second)) == essence(ask(fresh, second)), (first, second)
