"""Violations about transport: which points are meant, and which value is missing."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.answers.verdicts import violation_data
from marchtable_models.asl.model import UnitType
from tests.asl.boards import crossing, foot, judge, load, place, vehicle
from tests.asl.test_towing import GUN, crew, gun, tractor

TANK = UnitType(name="tank", class_="vehicle", column="ft", mp=12, afv=True, role="tank")
RAW = UnitType(name="raw", class_="squad")
CAR = UnitType(name="car", class_="vehicle", column="tr", mp=30)


def stated(clause: str, *lines: str, units: Any, **scene: Any) -> str:
    """Return the text for that clause when the last line is judged."""
    position = place(crossing(), *units, **{"types": (TANK, CAR, GUN, RAW), **scene})
    verdict = judge(position, *lines)
    found = [violation_data(position, v) for v in verdict.violations if v.clause == clause]
    found += [
        violation_data(position, v, modelled=False)
        for v in verdict.unsupported
        if v.clause == clause
    ]
    return str(found[0]["message"])


@pytest.mark.clause("D6.1c", "D6.2d", "D6.2e")
def test_capacities_are_reported_in_pp() -> None:
    """A squad takes 10 of 9 PP; 14 PP of Riders are too few for a squad with 5 PP."""
    inside = stated("D6.1c", "load u t", units=(tractor(), foot()))
    assert "have 10 PP, at most 9 PP" in inside
    tank = vehicle("v", "tank", moving=False)
    outside = stated("D6.2d", "load u v riding=true", units=(tank, foot(sw=load(5))), year=1943)
    assert "have 15 PP, at most 14 PP" in outside
    car = vehicle("v", "car", moving=False)
    alone = stated("D6.2e", "load u v riding=true", units=(car, foot("u", "leader", sw=load(3))))
    assert "have 3 PP, at most 2 PP" in alone


@pytest.mark.clause("C10.11c", "D6.5d")
def test_mf_and_mp_are_distinguished() -> None:
    """The crew's MF where the vehicle pays, the vehicle's MP where the unit does."""
    tired = crew(spent=6, used=6, mph="moving")
    assert "has 3 MF, at most 2 MF" in stated(
        "C10.11c", "hook t g c", units=(tractor(), gun(), tired)
    )
    fired = tractor(prep_fired=True, spent=2, used=2)
    leaving = stated("D6.5d", "unload u", units=(fired, foot("u", "half-squad", aboard="t")))
    assert "; 1 MP left over" in leaving


@pytest.mark.clause("D6.2b", "D6.9a", "D6.24d")
def test_what_is_missing_is_named() -> None:
    """The year, the survival number, how the vehicle was lost, the morale."""
    tank = vehicle("v", "tank", moving=False)
    dates = stated("D6.2b", "load u v riding=true", units=(tank, foot()), year=0)
    assert "cannot be judged here: the scene states no year" in dates
    rider = foot("u", aboard="v", riding=True)
    lost = stated("D6.9a", "destroy v fire", units=(tank, rider), year=1943)
    assert "its type's survival number is not stated" in lost
    how = stated("D6.9a", "result v eliminated", units=(tank, rider), year=1943)
    assert "how the vehicle was destroyed is not stated" in how
    raw = foot("u", "raw", aboard="v", riding=True)
    pinned = stated("D6.24d", "result u pinned", units=(tank, raw), year=1943)
    assert "its morale is not known" in pinned
