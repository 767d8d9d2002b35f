"""Entitlements of carried Personnel, by clause, besides their actions (D6.1 to D6.7)."""

from __future__ import annotations

import pytest

from tests.asl.boards import ASL, crossing, foot, judge, place, vehicle
from tests.asl.carried import MOVED, aboard, vehicle_entitlements

CE, CC, DIRECT = "have the CE DRM", "attack in CC", "direct an attack"
ROUT, BENEATH = "be free of rout while broken aboard", "rout to beneath the vehicle"
RIDER = "count as a Rider"
BU = {"bu": True}


@pytest.mark.clause("D6.1g")
def test_the_crew_is_gone() -> None:
    """Broken Passengers must leave an Abandoned halftrack, but no truck, which has only a Driver."""
    gone = aboard("spw-251", {"abandoned": True}, broken=True)
    assert (gone[ROUT], gone[BENEATH], gone["stay aboard while broken"]) == (None, 1, None)
    for kind, by in (("spw-251", {}), ("opel-blitz", {"abandoned": True})):
        assert aboard(kind, by, broken=True)[ROUT] == 1
    assert "stay aboard while broken" not in aboard("spw-251", {"abandoned": True})


@pytest.mark.clause("D6.2a")
def test_who_is_a_rider() -> None:
    """Personnel outside an AFV, Cavalry and motorcyclists are Riders; Passengers are not."""
    assert aboard("t-26-m33", riding=True)[RIDER] == 1
    assert aboard("opel-blitz")[RIDER] is None
    cavalry, machine = foot("c", "cavalry"), vehicle("m", "motorcycle")
    position = place(crossing(), cavalry, machine, foot("w"))
    for unit in (cavalry, machine):
        assert {RIDER: 1} == {e["what"]: e["factor"] for e in ASL.entitlements(position, unit)}
    assert ASL.entitlements(position, position.unit("w")) == []
    for mount in (foot("m", "horses"), vehicle("m", "cycles", moving=False)):
        ridden = place(crossing(), mount, foot(aboard="m"))
        found = ASL.entitlements(ridden, ridden.unit("u"))
        assert {e["what"]: e["factor"] for e in found} == {RIDER: 1}  # not of a truck's Passengers


@pytest.mark.clause("D6.3a")
def test_carrying_takes_nothing_off_the_allotment() -> None:
    """A laden truck has the MP of an empty one."""
    what = "have its whole MP allotment while it carries Personnel"
    assert vehicle_entitlements("opel-blitz", {}, foot(aboard="v"))[what] == 1
    assert what not in vehicle_entitlements("opel-blitz", {}, foot())
    laden = place(crossing(), vehicle("v", "opel-blitz"), foot(aboard="v"))
    assert ASL.allotment(laden, laden.unit("v")) == 2 * 28


@pytest.mark.clause("D6.4g")
def test_loading_does_not_make_a_moving_target() -> None:
    """A truck boarded while stopped is no Moving Target, but is fired at; one that has moved is."""
    case_j, fire = "be a moving target (Case J)", "be fired at by Defensive First Fire"

    def stated(*lines: str) -> dict[str, object]:
        truck = vehicle("v", "opel-blitz", moving=False)
        position = place(crossing(), truck, foot(), foot("p", aboard="v"))
        after = judge(position, *lines).position
        return {e["what"]: e["factor"] for e in ASL.entitlements(after, after.unit("v"))}

    for line in ("load u v", "unload p"):
        assert (stated(line)[case_j], stated(line)[fire]) == (None, 1)
        assert case_j not in stated(line, "start v")
    assert case_j not in stated()
    assert case_j not in vehicle_entitlements("opel-blitz", MOVED)


@pytest.mark.clause("D6.6a", "D6.61c")
def test_halftrack_passengers_choose() -> None:
    """They can be BU or CE, but are BU once broken or Shocked; truck Passengers have no choice."""
    both, bu = "be BU or CE as Passengers", "count as BU"
    assert (aboard("spw-251")[both], aboard("opel-blitz")[both]) == (1, None)
    assert both not in aboard("t-26-m33", riding=True)
    assert bu not in aboard("spw-251")
    assert aboard("spw-251", broken=True)[bu] == 1
    shocked = aboard("spw-251", {"shocked": True})
    assert (shocked[bu], shocked[CE]) == (1, None)


@pytest.mark.clause("D6.61d", "D6.61e")
def test_fire_from_above() -> None:
    """Fire from above hits BU Passengers, +1 one level above the range and 0 two above; they can fire back."""
    above, back = "be attacked apart from its vehicle from above", "fire back at attacks from above"
    found = aboard("spw-251", BU)
    assert (found[above], found[back]) == (1, 1)
    assert found[f"{CE}, 1 level(s) higher above than far off"] == 1
    assert found[f"{CE}, 2 level(s) higher above than far off"] == 0
    assert back not in aboard("spw-251", broken=True)
    assert not [what for what in aboard("spw-251") if "above" in what]


@pytest.mark.clause("D6.61f")
def test_an_unarmored_facing() -> None:
    """BU Passengers hit through it are Vulnerable; trucks have no armor to consider."""
    what = f"{CE}, hit through an unarmored facing"
    assert aboard("spw-251", BU)[what] is None
    assert what not in aboard("opel-blitz")


@pytest.mark.clause("D6.62b")
def test_passengers_are_not_stunned() -> None:
    """Passengers of an armored halftrack go BU instead."""
    found = aboard("spw-251")
    assert (found["be Stunned"], found["become BU instead of Stunned"]) == (None, 1)
    assert "be Stunned" not in aboard("opel-blitz")


@pytest.mark.clause("D6.62c")
def test_what_only_exposed_passengers_do() -> None:
    """CE Passengers can spot and direct fire; BU ones can only fire by Reciprocity."""
    leader = aboard("spw-251", kind="leader")
    assert (leader[DIRECT], leader["spot for Indirect Fire"]) == (1, 1)
    assert DIRECT not in aboard("spw-251")
    hidden, mutual = aboard("spw-251", BU, kind="leader"), "fire by Reciprocity (A6.5)"
    assert (hidden[DIRECT], hidden[mutual]) == (None, 1)
    assert mutual not in aboard("spw-251", broken=True)
    assert mutual not in aboard("spw-251")
    assert DIRECT not in aboard("opel-blitz")


@pytest.mark.clause("D6.62e")
def test_no_tca_without_a_turret() -> None:
    """A halftrack has no TCA, a tank with a turret does."""
    assert vehicle_entitlements("spw-251")["show a TCA"] is None
    assert vehicle_entitlements("t-26-m33")["show a TCA"] == 1
    assert "show a TCA" not in vehicle_entitlements("opel-blitz")


@pytest.mark.clause("D6.66")
def test_dm_of_broken_passengers() -> None:
    """Broken Passengers of an armored halftrack come under DM; unbroken ones, or a truck's, do not."""
    what = "come under DM by an ordnance hit on its vehicle"
    assert aboard("spw-251", broken=True)[what] == 1
    assert what not in aboard("spw-251")
    assert what not in aboard("opel-blitz", broken=True)


@pytest.mark.clause("D6.7b", "D6.7c", "D6.71a", "D6.71b", "D6.71c")
def test_fire_at_what_is_unarmored() -> None:
    """Trucks use the Unarmored line; unarmored halftracks are treated like them in all else."""
    line = "be hit by ordnance on the Unarmored To Kill line"
    as_truck = "load, carry and unload as a truck"
    for kind in ("opel-blitz", "sdkfz-7"):
        found = vehicle_entitlements(kind)
        assert found["be attacked on the IFT Vehicle line, its PRC collaterally"] == 1
        assert found["be Shocked or immobilized by a To Kill DR 1 above the Final TK#"] is None
        assert found["be immobilized by a To Kill DR of the Final TK#"] == 1
        assert (line in found, as_truck in found) == (kind == "opel-blitz", kind == "sdkfz-7")
    tank = vehicle_entitlements("spw-251")
    assert not [what for what in (line, as_truck) if what in tank]
    assert not [what for what in tank if "To Kill" in what or "IFT" in what]


@pytest.mark.clause("D6.71d", "D6.72b", "D6.72c")
def test_passengers_of_trucks() -> None:
    """They face Collateral Attacks and a CC penalty; they cannot use the truck's weapons."""
    penalties = "suffer the penalties of A11.52 in CC"
    found = aboard("opel-blitz")
    assert found["suffer a Specific Collateral Attack by ordnance hits"] == 1
    assert (found["fire its vehicle's own weapons"], found[penalties], found[CC]) == (None, 1, 0)
    assert penalties not in aboard("opel-blitz", broken=True)
    inside = aboard("spw-251")
    assert penalties not in inside
    assert "suffer a Specific Collateral Attack by ordnance hits" not in inside
