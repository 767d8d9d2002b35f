"""What Passengers and Riders are entitled to beside their actions."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable_models.asl.model import SupportWeapon
from tests.asl.boards import ASL, crossing, foot, judge, place, vehicle

FIRE, CC, OVR = "fire on the IFT", "attack in CC", "add FP to an OVR"
CE, SMALL_ARMS = "have the CE DRM", "be hit by Small Arms"
STILL: dict[str, Any] = {"moving": False}
MOVED: dict[str, Any] = {"moving": False, "spent": 4, "used": 4, "mph": "moving"}


def said(kind: str, by: Any = None, phase: str = "MPh", **fields: Any) -> dict[str, Any]:
    """Return the factor of each thing said of a unit aboard such a vehicle, None for denied ones."""
    unit = foot(aboard="v", **fields)
    position = place(crossing(), vehicle("v", kind, **(by or STILL)), unit, phase=phase)
    return {e["what"]: e["factor"] for e in ASL.entitlements(position, unit)}


def armed(*names: str) -> tuple[SupportWeapon, ...]:
    """Return SW of these names."""
    return tuple(SupportWeapon(name=name, pp=1) for name in names)


@pytest.mark.clause("D6.1a", "D6.63b")
def test_mounted_fire() -> None:
    """Passengers of a truck fire at half FP, those of an armored halftrack at full FP."""
    assert said("opel-blitz")[FIRE] == 0.5
    assert said("sdkfz-7")[FIRE] == 0.5
    assert said("spw-251")[FIRE] == 1


@pytest.mark.clause("D6.1b")
def test_passengers_in_close_combat() -> None:
    """They may attack in it, unless they are broken."""
    assert said("opel-blitz")[CC] == 0
    assert CC not in said("opel-blitz", broken=True)


@pytest.mark.clause("D6.1f", "D6.1i")
def test_broken_passengers() -> None:
    """They may stay, and may rout beneath a vehicle that has stopped."""
    stay, rout = "be free of rout while broken aboard", "rout to beneath the vehicle"
    found = said("opel-blitz", broken=True)
    assert (found[stay], found[rout]) == (1, 1)
    assert said("opel-blitz", by={"moving": True}, broken=True)[rout] is None
    assert stay not in said("opel-blitz")
    assert rout not in said("opel-blitz")


@pytest.mark.clause("D6.1h")
def test_sw_of_passengers() -> None:
    """LMG, PIAT and DC may be fired, nothing else; SCW as a Desperation attack only."""
    found = said("opel-blitz", sw=armed("LMG", "PIAT", "DC", "MMG", "BAZ 44"))
    assert {what.removeprefix("fire a SW: "): f for what, f in found.items() if "SW" in what} == {
        "LMG": 1, "PIAT": 1, "DC": 1, "MMG": None, "BAZ 44, but as a Desperation attack": None,
    }  # fmt: skip


@pytest.mark.clause("D6.22a", "D6.22b", "D6.22c", "D6.23a")
def test_riders() -> None:
    """No SW, half FP or a quarter, +1 in CC, and no cover of any sort."""
    still = said("t-26-m33", riding=True, sw=armed("LMG"))
    assert (still[FIRE], still[CC], still["fire a SW: LMG"]) == (0.5, 1, None)
    assert (still[CE], still[SMALL_ARMS]) == (None, 1)
    for by in (MOVED, {"moving": True}):
        assert said("t-26-m33", by, riding=True)[FIRE] == 0.25


@pytest.mark.clause("D6.5i", "D6.5p")
def test_those_who_have_left_a_vehicle() -> None:
    """FFNAM holds against them, and they do not fire in that MPh."""
    position = place(crossing(), vehicle("t", "opel-blitz", **STILL), foot(aboard="t"))
    after = judge(position, "unload u").position
    told = {e["what"]: e for e in ASL.entitlements(after, after.unit("u"))}
    assert [told[what]["factor"] for what in ("FFNAM", FIRE, OVR)] == [-1, None, None]
    assert "D6.5i" in told["FFNAM"]["clauses"]
    later = judge(after, "phase DFPh").position
    assert ASL.entitlements(later, later.unit("u")) == []


@pytest.mark.clause("D6.62a", "D6.61a", "D6.61b")
def test_halftrack_passengers_are_ce_or_bu() -> None:
    """CE: +2 DRM, open to Small Arms; BU, broken or pinned: neither, and they do nothing."""
    exposed = said("spw-251")
    assert (exposed[CE], exposed[SMALL_ARMS]) == (2, 1)
    states: tuple[dict[str, Any], ...] = (
        {"by": {**STILL, "bu": True}}, {"broken": True}, {"pinned": True},
    )  # fmt: skip
    for fields in states:
        hidden = said("spw-251", **fields)
        assert (hidden[CE], hidden[SMALL_ARMS], hidden[FIRE], hidden[CC]) == (None,) * 4
        assert hidden["spot for Indirect Fire"] is None
    assert CE not in said("t-26-m33")


@pytest.mark.clause("D6.63a")
def test_bounding_fire() -> None:
    """Once the halftrack has moved its Passengers fire at half FP."""
    for by in (MOVED, {"moving": True}):
        assert said("spw-251", by)[FIRE] == 0.5
    assert said("spw-251", {**MOVED, "bu": True})[FIRE] is None


@pytest.mark.clause("D6.7a", "D6.72a")
def test_truck_passengers() -> None:
    """Always Vulnerable; a quarter of their FP, tripled, in an OVR."""
    found = said("opel-blitz")
    assert (found[CE], found[SMALL_ARMS], found[OVR]) == (None, 1, 0.75)
    assert OVR not in said("spw-251")


@pytest.mark.clause("D6.84a")
def test_carriers_are_never_bu() -> None:
    """Who is inside stays CE though a BU counter lies there, and though broken."""
    found = said("carrier-a", {**STILL, "bu": True}, broken=True)
    assert (found[CE], found[SMALL_ARMS]) == (2, 1)
