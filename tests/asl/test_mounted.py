"""Entitlements of Passengers and Riders besides their actions."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.state.position import Counter
from marchtable_models.asl.model import SupportWeapon
from tests.asl.boards import ASL, crossing, foot, judge, last, place, vehicle

FIRE, CC, OVR = "fire on the IFT", "attack in CC", "add FP to an OVR"
CE, SMALL_ARMS = "have the CE DRM", "be hit by Small Arms"
STILL: dict[str, Any] = {"moving": False}
MOVED: dict[str, Any] = {"moving": False, "spent": 4, "used": 2, "mph": "moving"}


def said(
    kind: str, by: Any = None, phase: str = "MPh", turn: str = "german", **fields: Any
) -> dict[str, Any]:
    """Return each factor for a unit aboard such a vehicle, None if denied."""
    unit = foot(aboard="v", **fields)
    position = place(crossing(), vehicle("v", kind, **(by or STILL)), unit, phase=phase, side=turn)
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


@pytest.mark.clause("D6.1a", "D6.22b", "D6.63a")
def test_moving_halves_fire_again_in_that_player_turn_alone() -> None:
    """A truck's Passengers fire a quarter once it has moved, until its turn ends, or in Motion."""
    kinds = (("opel-blitz", False, 0.25, 0.5), ("spw-251", False, 0.5, 1),
             ("t-26-m33", True, 0.25, 0.5))  # fmt: skip
    loaded = {**STILL, "spent": 14, "used": 14, "lost": 14}
    for kind, riding, moved, still in kinds:
        for phase in ("MPh", "DFPh", "AFPh"):
            assert said(kind, MOVED, phase, riding=riding)[FIRE] == moved
            assert (
                said(kind, {**MOVED, "used": 4, "previous": "A1"}, phase, riding=riding)[FIRE]
                == moved
            )
        assert said(kind, MOVED, "PFPh", riding=riding)[FIRE] == still
        assert said(kind, MOVED, "DFPh", "russian", riding=riding)[FIRE] == still
        assert said(kind, {"moving": True}, "PFPh", riding=riding)[FIRE] == moved
        assert said(kind, loaded, riding=riding)[FIRE] == still
        assert said(kind, {**STILL, "spent": 7, "used": 7}, riding=riding)[FIRE] == still


@pytest.mark.clause("D6.1b")
def test_passengers_in_close_combat() -> None:
    """They can attack in it, unless broken."""
    assert said("opel-blitz")[CC] == 0
    assert CC not in said("opel-blitz", broken=True)


@pytest.mark.clause("D6.1f", "D6.1i")
def test_broken_passengers() -> None:
    """They can stay, and can rout beneath a stopped vehicle."""
    stay, rout = "be free of rout while broken aboard", "rout to beneath the vehicle"
    found = said("opel-blitz", broken=True)
    assert (found[stay], found[rout]) == (1, 1)
    assert said("opel-blitz", by={"moving": True}, broken=True)[rout] is None
    assert stay not in said("opel-blitz")
    assert rout not in said("opel-blitz")


@pytest.mark.clause("D6.1h")
def test_sw_of_passengers() -> None:
    """LMG, PIAT and DC can be fired, no others; SCW only as a Desperation attack."""
    found = said("opel-blitz", sw=armed("LMG", "PIAT", "DC", "MMG", "BAZ 44"))
    assert {what.removeprefix("fire a SW: "): f for what, f in found.items() if "SW" in what} == {
        "LMG": 1, "PIAT": 1, "DC": 1, "MMG": None, "BAZ 44": None,
        "BAZ 44, as a Desperation attack": 1,
    }  # fmt: skip
    for name in ("lmg", "MG34 LMG", "Bren-LMG", "Demo Charge"):
        assert said("opel-blitz", sw=armed(name))[f"fire a SW: {name}"] == 1
    for name in ("Bazooka", "75mm RCL", "PSK"):
        found = said("opel-blitz", sw=armed(name))
        assert (
            found[f"fire a SW: {name}"],
            found[f"fire a SW: {name}, as a Desperation attack"],
        ) == (None, 1)
    unknown = said("opel-blitz", sw=armed("LMGX"))
    assert unknown["fire a SW: LMGX, if it is a LMG, PIAT or thrown DC"] == 1
    assert "fire a SW: LMGX" not in unknown
    result = (SupportWeapon(name="Bren", pp=1, kind="lmg"),)
    assert said("opel-blitz", sw=result)["fire a SW: Bren"] == 1
    hidden = said("spw-251", {"bu": True}, sw=armed("LMGX"))
    assert hidden["fire a SW: LMGX, if it is a LMG, PIAT or thrown DC"] is None
    spoilt = SupportWeapon(name="LMG", pp=1, malfunctioned=True)
    assert not [what for what in said("opel-blitz", sw=(spoilt,)) if "SW" in what]


@pytest.mark.clause("D6.61b", "D6.1a")
def test_a_unit_that_is_broken_or_bu_fires_nothing() -> None:
    """A broken Passenger fires neither FP nor SW and adds to no OVR; a BU one fires no SW either."""
    names = ("LMG", "BAZ 44")
    for by in (STILL, MOVED):
        for found in (
            said("opel-blitz", by, broken=True, sw=armed(*names)),
            said("spw-251", by, broken=True, sw=armed(*names)),
            said("spw-251", {**by, "bu": True}, sw=armed(*names)),
            said("carrier-a", by, broken=True, sw=armed(*names)),
        ):
            assert found[FIRE] is None
            assert found.get(OVR) is None
            assert not [what for what, f in found.items() if "fire a SW" in what and f is not None]


@pytest.mark.clause("D6.22a", "D6.22b", "D6.22c", "D6.23a")
def test_riders() -> None:
    """No SW, half FP or a quarter, +1 in CC, and no cover of any kind."""
    still = said("t-26-m33", riding=True, sw=armed("LMG"))
    assert (still[FIRE], still[CC], still["fire a SW: LMG"]) == (0.5, 1, None)
    assert (still[CE], still[SMALL_ARMS]) == (None, 1)
    for by in (MOVED, {"moving": True}):
        assert said("t-26-m33", by, riding=True)[FIRE] == 0.25


@pytest.mark.clause("D6.5i", "D6.5p")
def test_those_who_have_left_a_vehicle() -> None:
    """FFNAM applies to them, and they cannot fire in that MPh."""
    position = place(crossing(), vehicle("t", "opel-blitz", **STILL), foot(aboard="t"))
    after = judge(position, "unload u").position
    found = {e["what"]: e for e in ASL.entitlements(after, after.unit("u"))}
    assert [found[what]["factor"] for what in ("FFNAM", FIRE, OVR)] == [-1, None, None]
    assert "D6.5i" in found["FFNAM"]["clauses"]
    later = judge(after, "phase DFPh").position
    assert ASL.entitlements(later, later.unit("u")) == []


def against(position: Any, *lines: str) -> tuple[Any, Any]:
    """Return FFNAM and FFMO against unit u after a log."""
    after = last(position, *lines).after
    found = {e["what"]: e["factor"] for e in ASL.entitlements(after, after.unit("u"))}
    return found.get("FFNAM"), found.get("FFMO")


@pytest.mark.clause("D6.5i")
def test_ffnam_and_ffmo_of_loading_and_unloading() -> None:
    """FFNAM always; FFMO as Passengers leave an unarmored vehicle in the open, never otherwise."""
    woods = crossing(here={"terrain": "Woods"})

    def by(kind: str, board: Any = None, **fields: Any) -> Any:
        carrier = vehicle("t", kind, **STILL)
        return place(board or crossing(), carrier, foot(kind="half-squad", **fields), year=1943)

    assert against(by("opel-blitz", aboard="t"), "unload u") == (-1, -1)
    assert against(by("opel-blitz", woods, aboard="t"), "unload u") == (-1, None)
    assert against(by("spw-251", aboard="t"), "unload u") == (-1, None)
    assert against(by("t-26-m33", aboard="t", riding=True), "unload u") == (-1, None)
    assert against(by("opel-blitz"), "load u t") == (-1, None)
    smoke = by("opel-blitz", aboard="t")
    smoke = msgspec.structs.replace(smoke, counters=(Counter(kind="smoke", at="B1"),))
    assert against(smoke, "unload u") == (-1, None)
    assert against(by("opel-blitz", aboard="t"), "unload u", "enter u C1") == (-1, -1)


def test_prc_who_are_driven_are_not_fired_at_as_movers() -> None:
    """Neither FFNAM nor FFMO applies to units aboard before, once the vehicle is under way."""
    position = place(crossing(), vehicle("t", "opel-blitz", **STILL), foot())
    assert against(position, "load u t", "start t", "enter t C1") == (None, None)


@pytest.mark.clause("D6.62a", "D6.61a", "D6.61b")
def test_halftrack_passengers_are_ce_or_bu() -> None:
    """CE: +2 DRM, open to Small Arms; BU, broken or pinned: neither, and inactive."""
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
    assert OVR not in said("opel-blitz", phase="AFPh")


@pytest.mark.clause("D6.84a")
def test_carriers_are_never_bu() -> None:
    """Inside units stay CE under a BU counter, and while broken."""
    found = said("carrier-a", {**STILL, "bu": True}, broken=True)
    assert (found[CE], found[SMALL_ARMS]) == (2, 1)
