"""A plan's score is measured on the referee's positions and receipts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.planning.goals import checked_goal
from marchtable.planning.score import FinalPlace, Measure, Measured, score
from marchtable.rules.referee import check
from marchtable.rules.ruling import Ruling, Verdict
from marchtable.state.goal import Aim, Goal
from marchtable_toy import Walk
from tests.toy_scene import scene, walk

if TYPE_CHECKING:
    import pytest

    from marchtable.state.action import Action

OVER = walk("w0", "B1")
BACK = walk("w0", "A1")


def measured(log: list[Action], *aims: Aim, **fields: Any) -> Measured:
    """Return the score of a toy scene's log."""
    goal = checked_goal(Goal(aims=aims or (Aim(side="red", at=("B1",)),), **fields), scene())
    return Measure(scene(), goal).of(check(scene(), log))


def test_value_is_the_worth_of_those_who_end_there() -> None:
    """A unit adds its value where the plan ends, not where it passes; several aims add up."""
    aims = (Aim(side="red", at=("B1",), worth=3), Aim(units=("w0",), at=("B1", "A2"), worth=10))
    assert measured([OVER], *aims).score["value"] == 13
    assert measured([OVER, BACK], *aims).score["value"] == 0
    assert measured([OVER], Aim(side="red", at=("B1",), each={"w0": 7})).score["value"] == 7


def test_distance_is_to_the_nearest_in_hexes() -> None:
    """Each unit counts its distance to the nearest Location times its value."""
    near = Aim(units=("w0", "w1"), near=("B2",), each={"w1": 4})
    assert measured([], near).score["distance"] == 5 * scene().board.distance("A1", "B2")
    assert measured([OVER], near).score["distance"] == 1 + 4 * scene().board.distance("A1", "B2")
    both = Aim(units=("w0",), near=("B2", "A1"))
    assert measured([], both).score["distance"] == 0


def test_off_the_map_is_farther_than_everything() -> None:
    """A unit off the map is one hex farther than the farthest Location; so is one aboard."""
    goal = checked_goal(Goal(aims=(Aim(units=("w0",), near=("A1",)),)), scene())
    measure = Measure(scene(), goal)
    farthest = max(scene().board.distance("A1", at) for at in scene().board.index)
    assert measure.gain("w0", FinalPlace(None)) == (0, farthest + 1)
    assert measure.gain("w0", FinalPlace("A1", carried=True)) == (0, farthest + 1)
    assert measure.gain("w0", FinalPlace("A1")) == (0, 0)


def test_exposure_counts_every_entry_of_a_mover() -> None:
    """The threat of a Location counts for each entry of each mover, not for the start."""
    threat = {"A1": 2, "B1": 3}
    assert measured([OVER, BACK, OVER], threat=threat).score["exposure"] == 3 + 2 + 3
    assert measured([walk("w0 w1", "A2")], threat={"A2": 5}).score["exposure"] == 10


def test_points_are_what_receipts_charge() -> None:
    """Points are the half points of all receipts; the projection lists them by unit."""
    found = measured([OVER, walk("w1", "A2")])
    assert found.score["points"] == 1 + 5
    assert found.projection == (("w0", "B1", 1), ("w1", "A2", 5))


def test_moved_counts_units_that_were_elsewhere() -> None:
    """A unit that comes back counts as moved; one that never left does not."""
    assert measured([]).score["moved"] == 0
    assert measured([OVER, BACK]).score["moved"] == 1


def test_what_a_goal_demands_and_forbids() -> None:
    """Missed musts, entered Locations to avoid, and movers outside the goal are listed."""
    must = (Aim(side="red", at=("B1",), must=1), Aim(units=("w0", "w1"), at=("B1",), must="all"))
    assert measured([], *must).unmet == (0, 1)
    assert measured([OVER], *must).unmet == (1,)
    found = measured([OVER, walk("w1", "A2")], avoid=("A2",), movers=("w0",))
    assert (found.trespasses, found.strangers) == ((), ("w1",))
    assert not found.is_kept
    found = measured([walk("w1", "A2")], avoid=("A2",))
    assert (found.trespasses, found.is_kept) == ((("w1", "A2"),), False)
    assert measured([OVER], avoid=("A2",)).is_kept


def _left(at: str) -> Verdict:
    """Return a verdict in which w0 goes to a hex and then off the map."""
    there = check(scene(), [walk("w0", at)])
    gone = there.position.with_units([msgspec.structs.replace(there.position.unit("w0"), at=None)])
    rulings = (*there.rulings, Ruling(action=Walk(("w0",), at), after=gone))
    return Verdict(rulings=rulings, stopped=None, position=gone)


def test_leaving_the_map_counts_by_the_last_location() -> None:
    """An aim to exit holds for units off the map that were last in one of its Locations."""
    goal = checked_goal(Goal(aims=(Aim(units=("w0",), exit=("B..B",), must=1),)), scene())
    measure = Measure(scene(), goal)
    assert measure.of(_left("B1")).score["value"] == 1
    assert measure.of(_left("B1")).unmet == ()
    assert measure.of(_left("A2")).score["value"] == 0
    assert measure.of(check(scene(), [OVER])).unmet == (0,)


def test_aboard_counts_only_where_it_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit aboard another is where an aim wants it only if the aim takes carried units."""
    monkeypatch.setattr(type(scene().units[0]), "carrier", "w1")
    assert measured([OVER], Aim(units=("w0",), at=("B1",))).score["value"] == 0
    assert measured([OVER], Aim(units=("w0",), at=("B1",), carried=True)).score["value"] == 1


def test_an_illegal_log_has_a_score_too() -> None:
    """The score measures where the referee left the units, whatever the verdict."""
    log = [walk("w2", "A1")]
    goal = Goal(aims=(Aim(units=("w2",), at=("A1",)),))
    assert score(scene(), goal, check(scene(), log))["value"] == 1
