"""AFVs that assist a bogged vehicle or push a wreck away, and smoke dispensers."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable_models.asl.model import UnitType
from tests.asl.boards import bars, cites, crossing, foot, last, place, total, vehicle

HEAVY, LIGHT, ODD = (
    UnitType(name=name, class_="vehicle", column="ft", mp=mp, afv=True, tons=tons, role="tank")
    for name, mp, tons in (("heavy", 12, 27), ("light", 13, 26.9), ("odd", 12, 0))
)
STUCK = UnitType(name="stuck", class_="vehicle", column="ft", mp=12, afv=True, tons=30)
HULK = UnitType(name="hulk", class_="wreck", column="inf", tons=30)
TYPES = (HEAVY, LIGHT, ODD, STUCK, HULK)


def scene(*units: Any, **fields: Any) -> Any:
    """Return a position with vehicles of stated weight."""
    return place(crossing(), *units, types=TYPES, **fields)


def bogged(kind: str = "stuck", **fields: Any) -> Any:
    """Return a bogged vehicle."""
    return vehicle("u", kind, moving=False, bogged=True, **fields)


def helper(kind: str = "heavy", **fields: Any) -> Any:
    """Return a stopped vehicle that could assist it."""
    return vehicle("h", kind, **{"moving": False, **fields})


ASSISTED = "unbog u helper=h"


@pytest.mark.clause("D8.3c")
def test_who_assists() -> None:
    """A Stopped, CE AFV of nine tenths of the weight, unfired and with all its MP; no other."""
    assert not bars(last(scene(bogged(), helper()), ASSISTED))
    for found in (
        {"moving": True}, {"bu": True}, {"at": "C1"}, {"immobile": True}, {"prep_fired": True},
        {"kind": "light"}, {"spent": 2, "used": 2, "mph": "moving"}, {"kind": "tr-20"},
        {"side": "russian"},
    ):  # fmt: skip
        assert bars(last(scene(bogged(), helper(**found)), ASSISTED)) == {"D8.3c"}, found
    unweighed = last(scene(bogged(), helper("odd")), ASSISTED)
    assert unweighed.status == "UNSUPPORTED"
    assert "D8.3c" in cites(unweighed)
    assert "D8.3c" not in cites(last(scene(bogged(), helper()), "unbog u"))


def chances(ruling: Any) -> dict[str, int]:
    """Return how many of 36 results free, mire or immobilize."""
    (roll,) = ruling.obligations
    found = dict.fromkeys(("freed", "mired", "immobilized"), 0)
    for odds in roll.outcomes:
        found[odds.outcome.partition("-")[0]] += odds.chance
    return found


@pytest.mark.clause("D8.3a")
def test_the_odds_with_help() -> None:
    """One less on the colored dr: only a 6 mires, none immobilizes; if mired, as without help or mire."""
    helped = last(scene(bogged(), helper()), ASSISTED)
    assert chances(helped) == {"freed": 30, "mired": 6, "immobilized": 0}
    both = last(scene(bogged(mired=True), helper()), ASSISTED)
    assert chances(both) == {"freed": 24, "mired": 6, "immobilized": 6}
    assert chances(last(scene(bogged(), helper()), "unbog u"))["freed"] == 24


@pytest.mark.clause("D8.3d")
def test_both_are_ti() -> None:
    """Whatever the result, both are TI and Stopped; unassisted, a freed vehicle is under way."""
    for outcome, stays in (("freed-4", False), ("mired-6", True)):
        after = last(scene(bogged(), helper()), ASSISTED, f"settle unbog:u {outcome}").after
        assert after is not None
        tank, other = after.unit("u"), after.unit("h")
        assert (tank.motion.bogged, tank.motion.moving, tank.status.ti) == (stays, False, True)
        assert (other.points.spent, other.move.mph, other.status.ti) == (24, "done", True)
        assert bars(last(after, "start u")) >= {"D2.1c"}
        assert bars(last(after, "start h")) >= {"A4.2a", "D2.1c"}
    alone = last(scene(bogged(), helper()), "unbog u", "settle unbog:u freed-4").after
    assert (alone.unit("u").motion.moving, alone.unit("h").status.ti) == (True, False)


def wreck(kind: str = "hulk", at: str = "B1") -> Any:
    """Return a wreck."""
    return vehicle("w", kind, at=at, facing=None, moving=False)


@pytest.mark.clause("D10.42")
def test_a_wreck_that_is_pushed_away() -> None:
    """It costs half the MP of a tracked AFV nearly as heavy, stopped or moving; then the wreck is gone."""
    for moving in (True, False):
        tank = vehicle("u", "heavy", moving=moving)
        ruling = last(scene(tank, wreck()), "delay u mp=6 wreck=w")
        assert (ruling.status, total(ruling)) == ("LEGAL", 6)
        assert ruling.after.unit("w").at == "B1"
        halt = ("stop u",) if moving else ()
        assert (last(scene(tank, wreck()), "delay u mp=6").status == "LEGAL") is not moving
        later = last(
            scene(tank, wreck()), "delay u mp=6 wreck=w", *halt, "end u", "phase DFPh"
        ).after
        assert (later.unit("w").at, later.unit("u").at) == (None, "B1")
    for unit, other, mp in (
        (vehicle("u", "heavy"), wreck(), 5.5), (vehicle("u", "light"), wreck(), 6.5),
        (vehicle("u", "heavy"), wreck(at="C1"), 6), (vehicle("u", "tr-12"), wreck(), 6),
        (vehicle("u", "heavy"), vehicle("w", "stuck"), 6),
    ):  # fmt: skip
        assert "D10.42" in bars(last(scene(unit, other), f"delay u mp={mp} wreck=w"))
    unweighed = last(scene(vehicle("u", "heavy"), wreck("wreck")), "delay u mp=6 wreck=w")
    assert unweighed.status == "UNSUPPORTED"
    assert "D10.42" in cites(unweighed)


# -- D13 -------------------------------------------------------------------------------------------


def smoke(line: str = "dispense u sD 7", *, log: tuple[str, ...] = (), **fields: Any) -> Any:
    """Return the last ruling of a log that ends with a smoke dispenser attempt."""
    found = {"kind": "heavy", "moving": False, **fields}
    rider = foot("p", aboard="u", riding=True)
    return last(scene(vehicle("u", **found), rider, year=1943), *log, line)


@pytest.mark.clause("D13.2a")
def test_who_dispenses_smoke() -> None:
    """An AFV with a sound crew and a MP left, once, before any unit in it fires."""
    assert not bars(smoke())
    for found in (
        {"abandoned": True}, {"prep_fired": True}, {"fired": True}, {"dispensed": True},
        {"kind": "tr-20"}, {"spent": 24, "used": 24, "mph": "moving"},
    ):  # fmt: skip
        assert "D13.2a" in bars(smoke(**found)), found
    assert not bars(smoke(spent=22, used=22, mph="moving"))
    assert not bars(smoke(bogged=True))


@pytest.mark.clause("D13.33")
def test_hatches() -> None:
    """Smoke pots need a CE AFV, a Nahverteidigungswaffe a BU one, a discharger either."""
    barred = {"D13.33"}
    for kind, ce, bu in (("sP", set(), barred), ("sN", barred, set()), ("sD", set(), set())):
        assert bars(smoke(f"dispense u {kind} 7")) == ce
        assert bars(smoke(f"dispense u {kind} 7", bu=True)) == bu


@pytest.mark.clause("D13.32")
def test_smoke_mortars() -> None:
    """The target of its smoke is not stated: UNSUPPORTED."""
    ruling = smoke("dispense u sM 8")
    assert ruling.status == "UNSUPPORTED"
    assert "D13.32" in cites(ruling)
    assert smoke().status == "LEGAL"


@pytest.mark.clause("D13.3")
def test_the_usage_number() -> None:
    """On 7 or less 21 of 36, BU on 6 or less 15, on 2 one."""

    def fires(line: str = "dispense u sD 7", **fields: Any) -> int:
        ruling = smoke(line, **fields)
        assert ruling.is_legal
        (roll,) = ruling.obligations
        return int(next(odds.chance for odds in roll.outcomes if odds.outcome == "fired"))

    assert (fires(), fires(bu=True), fires("dispense u sD 2")) == (21, 15, 1)
    assert "D13.2a" in bars(smoke(log=("dispense u sD 7", "settle dispense:u failed")))


@pytest.mark.clause("D13.2b")
def test_what_it_costs() -> None:
    """A success costs a MP and places smoke; a failure costs nothing."""
    found: dict[str, Any] = {"kind": "heavy", "moving": False}
    for outcome, spent, counters in (("fired", 2, ["smoke-dispersed"]), ("failed", 0, [])):
        log = ("dispense u sD 7", f"settle dispense:u {outcome}")
        after = last(scene(vehicle("u", **found)), *log).after
        assert after is not None
        assert (after.unit("u").points.spent, [c.kind for c in after.counters]) == (spent, counters)


@pytest.mark.clause("D13.2c")
def test_once_a_player_turn() -> None:
    """Not again in another phase of the turn; in the next Player Turn it can."""
    after = last(
        scene(vehicle("u", "heavy", moving=False, dispensed=True)), "phase DFPh"
    ).after  # fmt: skip
    assert after.unit("u").crew.dispensed
    assert not last(after, "phase RPh side=russian").after.unit("u").crew.dispensed


CAR, TOP, OPEN = (
    UnitType(name="car", class_="vehicle", column="tr", mp=30, truck_type=True, armed=True),
    UnitType(name="top", class_="vehicle", column="ft", mp=12, afv=True, armed=True),
    UnitType(name="open", class_="vehicle", column="ft", mp=12, afv=True, armed=True, open_topped=True),
)  # fmt: skip


def grenades(kind: str, usage: int, *log: str, stated: Any = None, **fields: Any) -> Any:
    """Return the ruling on an attempt with vehicular smoke grenades, or on what follows it."""
    unit = vehicle("u", kind, **{"moving": False, **fields})
    scene = place(crossing(), unit, types=(CAR, TOP, OPEN, *TYPES), stated=stated)
    return last(scene, f"dispense u grenades {usage}", *log)


@pytest.mark.clause("D13.35")
def test_smoke_grenades_of_vehicles() -> None:
    """A CE AFV on 2 or less, an armed truck or BU open-topped AFV on 1; a BU closed or unarmed one cannot."""
    for kind, bu, usage, chance in (
        ("top", False, 2, 2), ("open", False, 2, 2), ("open", True, 1, 1), ("car", False, 1, 1),
    ):  # fmt: skip
        ruling = grenades(kind, usage, bu=bu)
        (roll,) = ruling.obligations
        assert ruling.is_legal
        assert (roll.outcomes[0].outcome, roll.outcomes[0].chance) == ("fired", chance)
        assert "D13.35" in bars(grenades(kind, 3 - usage, bu=bu))
    assert bars(grenades("top", 1, bu=True)) == {"D13.35"}
    assert "D13.2a" in bars(grenades("heavy", 2))
    fired = grenades("top", 2, "settle dispense:u fired").after
    assert [(c.kind, c.until) for c in fired.counters] == [("smoke-grenades", "phase")]
    assert (fired.unit("u").points.spent, last(fired, "phase DFPh").after.counters) == (2, ())
    assert "D13.2a" in bars(grenades("top", 2, "settle dispense:u failed", "dispense u sD 7"))


@pytest.mark.clause("E3.53")
def test_no_smoke_in_the_rain() -> None:
    """Not in rain, Mud or Deep Snow; in Ground Snow, or in a building, smoke stays."""
    for name, barred in (
        ("rain", True),
        ("mud", True),
        ("deep_snow", True),
        ("ground_snow", False),
    ):
        assert ("E3.53" in bars(grenades("top", 2, stated={name: True}))) is barred
    house = place(
        crossing({"terrain": "Stone Building"}), vehicle("u", "top", moving=False), types=(TOP,),
        stated={"rain": True},
    )  # fmt: skip
    assert "E3.53" not in bars(last(house, "dispense u sD 7"))


@pytest.mark.clause("D13.2d")
def test_in_the_enemys_mph() -> None:
    """It can for free after an enemy has moved in its LOS, if so stated. In no other phase."""
    theirs = vehicle("u", "heavy", moving=False, side="russian", mph="done", spent=24, used=24)
    mover = foot("m", at="B1", mph="moving", spent=2, used=2)
    ruling = last(scene(theirs, mover), "dispense u sD 7")
    assert (ruling.status, cites(ruling)) == ("UNSUPPORTED", {"D13.2d"})
    assert bars(last(scene(theirs), "dispense u sD 7")) == {"D13.2d"}
    seen = last(scene(theirs, mover), "sight u of=m", "dispense u sD 7", "settle dispense:u fired")
    assert seen.after.unit("u").points.spent == 24
    for phase in ("PFPh", "DFPh"):
        assert "A3.3" in bars(last(scene(theirs, phase=phase), "dispense u sD 7"))
