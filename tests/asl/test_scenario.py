"""A small scenario: both sides at random on joined boards, every answer given and every way replayed.

``python -m benchmarks.scenario_size`` does the same at full size.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

from marchtable.board.board import Board
from marchtable.board.joining import join
from marchtable.files.notation import format_action
from marchtable.play.options import options
from marchtable.reachability.reach import reach
from marchtable.rules.referee import check
from marchtable_models.asl.data import unit_types
from tests.asl.boards import foot, place, vehicle
from tests.conftest import read_demo_board
from tests.slowly import slow_after

if TYPE_CHECKING:
    from tests.asl.boards import Pos

KINDS = (
    "squad", "opel-blitz", "leader", "t-26-m33", "wagon", "cavalry", "motorcycles",
)  # fmt: skip
MOVERS = {False: 7, True: 4}  # a night is expensive
WAYS = 20
"""Replayed ways for each unit."""


@cache
def two() -> Board:
    """Return the demo board twice, side by side."""
    board = read_demo_board()
    return join([[Board(name, board.locations, board.edges, board.aliases) for name in ("1", "2")]])


@cache
def scattered(seed: int, *, night: bool) -> Pos:
    """Return a unit of each class of one side, and Infantry of the other, in open ground."""
    draw, board = Random(seed), two()
    spots = [one.name for one in board.locations if one.terrain in ("Open Ground", "Dirt Road")]
    draw.shuffle(spots)
    units = []
    for kind in KINDS[: MOVERS[night]]:
        if unit_types()[kind].is_vehicle:
            facing = draw.choice(("NNE", "E", "SSE", "SSW", "W", "NNW"))
            units.append(vehicle(kind, kind, spots.pop(), moving=False, facing=facing))
        else:
            units.append(foot(kind, kind, spots.pop()))
    units += [foot(f"e{number}", "squad", spots.pop(), side="russian") for number in range(4)]
    return place(board, *units, nvr=3 if night else None)


@pytest.mark.slow
@pytest.mark.parametrize("night", slow_after(1, [False, True]), ids=["day", "night"])
def test_a_side_of_all_classes_has_options(night: bool) -> None:
    """Options and reach of a whole side come without an error, and agree."""
    position = scattered(1, night=night)
    result = {one["unit"]: one for one in options(position)["units"]}
    assert tuple(result) == KINDS[: MOVERS[night]]
    for found in reach(position, list(result)):
        halves = {at: left / 2 for at, left in found.most_left().items()}
        assert result[found.unit.id]["reach"]["locations"] == halves


@pytest.mark.slow
@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
def test_ways_are_legal_with_their_rolls_settled(night: bool) -> None:
    """The actions of a way, with its rolls settled as passed, are legal to the end."""
    position, draw = scattered(1, night=night), Random(2)
    replayed = 0
    for found in reach(position, KINDS[: MOVERS[night]]):
        for spot in draw.sample(found.places, min(WAYS, len(found.places))):
            log = found.actions_to(spot)
            verdict = check(position, log)
            assert verdict.status == "LEGAL", [format_action(action) for action in log]
            assert verdict.position.unit(found.unit.id).at == spot.at
            replayed += 1
    assert replayed > 10 * MOVERS[night]
