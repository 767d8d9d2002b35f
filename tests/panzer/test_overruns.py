"""Overruns in PanzerBlitz: which units, where, by which way, and the effects."""

from __future__ import annotations

from typing import Any

import pytest

import marchtable
from marchtable.errors import BadInputError
from marchtable.files.notation import parse_action
from marchtable.rules.referee import check
from marchtable_models.panzer.rules.overruns import Overrun
from tests.panzer.scenes import (
    PANZER,
    after,
    bars,
    field,
    foe,
    grid,
    last,
    place,
    rifles,
    tank,
    truck,
    unit,
)  # fmt: skip

ENEMY = foe("e", at="C2")
DRIVE = "overrun k C2"


def lane(*roads: str) -> Any:
    """Return five open columns in which these hexsides are crossed by road."""
    names: dict[str, Any] = {f"{column}{row}": {} for column in "ABCDE" for row in range(1, 6)}
    return grid(names, {name: {"road": "Dirt Road"} for name in roads})


@pytest.mark.clause("PB.enemies")
def test_enemies_bar_the_way() -> None:
    """No unit enters their hex, even dispersed; moving adjacent is allowed."""
    assert bars(place(tank(), ENEMY), "move k C2") == {"PB.enemies"}
    assert bars(place(rifles(), foe("e", at="C2", dispersed="DD")), "move r C2") == {"PB.enemies"}
    assert bars(place(tank(), foe("e", at="C1")), "move k C2") == set()
    assert bars(place(tank(), ENEMY), DRIVE) == set()


@pytest.mark.clause("PB.overrun-a")
def test_who_overruns_whom() -> None:
    """Armored vehicles, halftracks too, against enemies in clear terrain; one named twice is an error."""
    assert bars(place(unit("k", "sdkfz-251"), ENEMY), DRIVE) == set()
    assert bars(place(truck("k"), ENEMY), DRIVE) == {"PB.overrun-a"}
    assert bars(place(tank()), DRIVE) == {"PB.overrun-a"}
    for terrain in ("Town", "Gully", "Slope"):
        there = field(stated={"C2": {"terrain": terrain}})
        assert bars(place(tank(), ENEMY, board=there), DRIVE) == {"PB.overrun-a"}
    hill = field(stated={name: {"level": 1} for name in ("C1", "C2", "C3")})
    assert bars(place(tank(), ENEMY, board=hill), DRIVE) == set()
    assert "PB.overrun-a" in bars(place(tank(), ENEMY), "overrun k,k C2")
    with pytest.raises(BadInputError, match="at least one"):
        PANZER.rule(place(tank(), ENEMY), Overrun((), "C2"))


@pytest.mark.clause("PB.overrun-b")
def test_straight_through_and_no_farther() -> None:
    """It needs a hex straight beyond without enemies, which it can enter and pay; there it stops, with its rider."""
    done = after(place(tank(height=1), rifles(aboard="k"), ENEMY), DRIVE)
    assert [done.unit(name).at for name in "kr"] == ["C1", "C1"]
    assert bars(place(tank(), ENEMY), DRIVE, "move k B1") == {"PB.overrun-b"}
    assert bars(place(tank(at="C2"), foe("e", at="C1")), "overrun k C1") == {"PB.overrun-b"}
    assert bars(place(tank(), ENEMY, foe("x", at="C1")), DRIVE) == {"PB.overrun-b"}
    woods = field(stated={"C1": {"terrain": "Woods"}})
    assert bars(place(tank(), ENEMY, board=woods), DRIVE) == {"P.move-a"}
    for spent, broken in ((12, set()), (13, {"PB.pay"})):
        position = place(tank(spent=spent, entered=True), ENEMY)
        assert bars(position, DRIVE) == broken
    slow = unit("k", "slow", at="C3")
    one = {"types": (_slow(),)}
    assert bars(place(slow, ENEMY, conditions=one), DRIVE) == {"PB.pay"}  # not the one free hex


def _slow() -> Any:
    """Return a tank of one movement factor."""
    from marchtable_models.panzer.model import UnitType

    return UnitType(
        name="slow",
        class_="A",
        kind="vehicle",
        faction="german",
        column="vehicle",
        mf=1,
        armoured=True,
    )


@pytest.mark.clause("PB.overrun-b")
def test_no_road_rate() -> None:
    """Both hexes cost as without a road, and a unit that used the road rate in the phase cannot overrun."""
    road = lane("C4-C3", "C3-C2", "C2-C1")
    assert after(place(tank(), ENEMY, board=road), DRIVE).unit("k").spent == 2 * 2
    assert bars(place(tank(at="C4"), ENEMY, board=road), "move k C3", DRIVE) == {"PB.overrun-b"}
    assert bars(place(tank(at="C4"), ENEMY), "move k C3", DRIVE) == set()
    later = after(place(tank(at="C4"), ENEMY, board=road), "move k C3", "phase Assault")
    assert later.unit("k").by_road
    turn = ("phase Fire side=russian", "phase Fire side=german", "phase Movement")
    assert bars(later, *turn, DRIVE) == set()


def test_an_overrun_is_offered_at_the_cost_of_all_its_hexes() -> None:
    """Options and legal actions state what both hexes cost together, and what is left then."""
    position = place(tank(), ENEMY)
    paid = check(position, [parse_action(DRIVE, PANZER)]).receipts
    assert [receipt.amount for receipt in paid] == [2, 2]
    (entry,) = marchtable.options(position, "k", reach=False)["units"]
    (offer,) = [one for one in entry["actions"] if one["action"] == DRIVE]
    assert (offer["cost"], offer["left"]) == (2, 6)
    choices = marchtable.legal_actions(position, "k")
    (ruling,) = [one.ruling for one in choices if marchtable.format_action(one.action) == DRIVE]
    assert [(one.unit, one.amount, one.left) for one in ruling.costs] == [("k", 4, 12)]


@pytest.mark.clause("PB.overrun-f")
def test_it_is_the_attack_of_the_turn() -> None:
    """A unit that has fired cannot overrun, and one that has overrun cannot fire."""
    assert bars(place(tank(), ENEMY), DRIVE, "fire k") == {"PB.fire"}
    for fired in ("now", "earlier"):
        assert bars(place(tank(fired=fired), ENEMY), DRIVE) == {"PB.overrun-f"}


@pytest.mark.clause("PB.overrun-c")
def test_what_it_is_worth() -> None:
    """A better column and 2 off the die are reported with it."""
    position = place(tank(), ENEMY)
    ruling = last(position, DRIVE)
    found = {entry["what"]: entry["value"] for entry in PANZER.details(position, ruling.action)}
    assert found == {"odds": 1, "die": -2}


@pytest.mark.clause("PB.overrun-d")
def test_once_a_turn_and_together() -> None:
    """Several make one attack from different sides; a second in the turn depends on PB.overrun-again."""
    two = (tank(), tank("j", at="B3"), ENEMY)
    both = after(place(*two), "overrun k,j C2")
    assert [both.unit(name).at for name in "kj"] == ["C1", "D2"]
    assert bars(place(*two), DRIVE, "overrun j C2") == {"PB.overrun-d"}
    assert bars(place(*two, readings={"PB.overrun-again": "again"}), DRIVE, "overrun j C2") == set()
    next_turn = ("phase Fire side=russian", "phase Fire side=german", "phase Movement")
    assert bars(place(*two), DRIVE, *next_turn, "overrun j C2") == set()


@pytest.mark.clause("PB.overrun-e")
def test_its_results_are_stated() -> None:
    """Only for units in a hex overrun this turn; for a loaded transport, not its passenger."""
    hit = "hit e DD fire=overrun"
    assert after(place(tank(), ENEMY), DRIVE, hit).unit("e").dispersed == "DD"
    assert bars(place(tank(), ENEMY), hit) == {"PB.overrun-e"}
    assert bars(place(tank(), ENEMY, foe("x", at="C1")), "hit x D fire=overrun") == {"PB.overrun-e"}
    ridden = place(
        tank(), foe("e", "t-34c", "C2", height=1), foe("r", at="C2", aboard="e"),
    )  # fmt: skip
    assert "PB.overrun-e" in bars(ridden, DRIVE, "hit r D fire=overrun")
    assert after(ridden, DRIVE, "hit e X fire=overrun").unit("r").at is None


def test_reach_ends_before_enemies() -> None:
    """Enemies leave a unit's reach exact."""
    (found,) = marchtable.reach(place(tank(), ENEMY), ["k"])
    assert found.is_exact
    assert "C2" not in {place.at for place in found.places}
