"""Plans contain no useless loading or unloading, and each side plans for itself."""

from __future__ import annotations

from pathlib import Path

import pytest

import marchtable
from marchtable.errors import BadInputError
from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.rules.referee import check
from marchtable.state.action import verb_of
from marchtable.state.goal import Aim, Goal
from tests.panzer.scenes import place, truck, unit
from tests.panzer.test_transport import LANE

GULLY = Path(__file__).parents[2] / "docs" / "examples" / "gully.toml"


def test_nothing_is_loaded_or_set_down_in_vain() -> None:
    """Only a unit wanted on the ground unloads, and no gun is loaded that stays where it is."""
    position = marchtable.load(str(GULLY))
    goal = Goal(
        aims=(
            Aim(units=("rifles",), at=("E4",)),
            Aim(units=("engineers",), near=("E5",), carried=True),
        )
    )
    (one,) = plan(position, goal).plans
    loading = [action for action in one.log if verb_of(action) in ("load", "unload")]
    assert len(loading) == 1
    assert one.status == "OPTIMAL"
    assert check(position, one.log).status == "LEGAL"


def test_movers_are_of_the_side_to_move() -> None:
    """Both sides can act while units move, but a plan is for one of them."""
    position = place(truck(at="A1"), unit("e", "russian-rifles", "A9", side="russian"), board=LANE)
    goal = Goal(aims=(Aim(units=("t",), at=("A2",)),), movers=("e",))
    with pytest.raises(BadInputError, match="expected units of german"):
        plan(position, goal)


def test_room_is_in_whole_points_and_exact() -> None:
    """A truck that went half a point by road needs a movement factor of 1: of its 12 it could lack 11."""
    position = place(truck(at="A1"), board=LANE)
    (one,) = plan(position, Goal(aims=(Aim(units=("t",), at=("A2",), must=1),))).plans
    (slack,) = [s for s in why(position, one.log).slack if s.what == "MF"]
    assert (slack.clause, slack.unit, slack.amount) == ("PB.move", "t", 11)
