"""Fire groups and leaders aboard vehicles (D6.64, D6.65), Carriers, armament taken off (D6.631)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable_models.asl.model import SupportWeapon
from tests.asl.boards import ASL, bars, cites, crossing, field, foot, judge, last, place, vehicle
from tests.asl.carried import MOVED, aboard, like, vehicle_entitlements

OWN, OUTSIDE = "join a FG aboard its vehicle", "join a FG with units outside its vehicle"
MG, ELSE = "join a FG with its MG", "direct fire of units outside its vehicle"
FELLOWS = "direct fire of its vehicle's Passengers"
BU: dict[str, Any] = {"bu": True}


@pytest.mark.clause("D6.64a")
def test_vehicles_in_fire_groups() -> None:
    """CE halftracks for Passengers, and any Carrier, can join, without FT; BU ones, M16 and tanks cannot."""
    assert vehicle_entitlements("spw-251")[MG] == 1
    assert vehicle_entitlements("spw-251")["join a FG with a FT or by IFE"] is None
    assert vehicle_entitlements("carrier-a", BU)[MG] == 1
    assert vehicle_entitlements("spw-251", BU)[MG] is None
    assert vehicle_entitlements("t-26-m33")[MG] is None
    for by in ({"abandoned": True}, {"stunned": True}, {"shocked": True}):
        for kind in ("spw-251", "carrier-a"):
            assert vehicle_entitlements(kind, by)[MG] is None
    assert MG not in vehicle_entitlements("opel-blitz")
    for kind in ("american M16 MGMC", "german SPW 250/9"):
        assert vehicle_entitlements(kind)[MG] is None
    assert vehicle_entitlements("german SPW 250/1")[MG] == 1


@pytest.mark.clause("D6.64b", "D6.64f")
def test_passengers_in_fire_groups() -> None:
    """Passengers join their own vehicle's; CE in a halftrack others' too; BU or broken none."""
    truck = aboard("opel-blitz")
    assert (truck[OWN], truck[OUTSIDE]) == (1, None)
    exposed = aboard("spw-251")
    assert (exposed[OWN], exposed[OUTSIDE]) == (1, 1)
    hidden = aboard("spw-251", BU)
    assert (hidden[OWN], hidden[OUTSIDE]) == (None, None)
    assert OWN not in aboard("spw-251", broken=True)


@pytest.mark.clause("D6.64c", "D6.64g")
def test_riders_in_fire_groups() -> None:
    """Riders join their vehicle's AAMG; on a Carrier any unit that holds its MG."""
    with_mg = "join a FG that holds its vehicle's MG"
    tank, carrier = aboard("t-26-m33", riding=True), aboard("carrier-a", riding=True)
    assert tank["join a FG of Riders and the AAMG of its vehicle"] == 1
    assert (tank[OUTSIDE], tank[with_mg], carrier[with_mg]) == (None, None, 1)
    assert with_mg not in aboard("opel-blitz")


@pytest.mark.clause("D6.64d", "D6.64e")
def test_all_fire_groups() -> None:
    """The crew fires a halftrack's own weapons, and A7.5 applies to every FG."""
    own, rules = "fire its vehicle's own weapons", "form a FG otherwise than by A7.5"
    found = aboard("spw-251")
    assert (found[own], found[rules]) == (None, None)
    assert own not in aboard("t-26-m33", riding=True)
    assert rules in vehicle_entitlements("spw-251")
    assert rules not in vehicle_entitlements("opel-blitz")


@pytest.mark.clause("D6.65a", "D6.65b", "D6.65e")
def test_a_leader_directs() -> None:
    """An exposed leader directs other Passengers at targets in its LOS; a BU unit, or no leader, cannot."""
    alone, shared = (
        "direct an OVR or CC of the vehicle alone", "direct an OVR or CC with other Passengers",
    )  # fmt: skip
    unseen = "direct fire at what is out of its own LOS"
    single = aboard("spw-251", kind="leader")
    assert (single[FELLOWS], single[alone], single[shared], single[unseen]) == (1, None, None, None)
    assert aboard("spw-251", {}, foot("p", aboard="v"), kind="leader")[shared] == 1
    assert aboard("spw-251", {}, foot("p", aboard="v", broken=True), kind="leader")[shared] is None
    assert aboard("opel-blitz", kind="leader")[FELLOWS] == 1
    hidden = aboard("spw-251", BU, kind="leader")
    assert hidden[FELLOWS] is None
    assert not {alone, shared, unseen} & {*hidden, *aboard("spw-251")}
    assert FELLOWS not in aboard("spw-251", kind="leader", broken=True)


@pytest.mark.clause("D6.65c")
def test_a_leader_gives_his_bonus() -> None:
    """Only a CE leader does, and only to units that move with it throughout."""
    to, others = (
        "give the MF bonus to Infantry in one stack with it all MPh",
        "give the MF bonus to other Infantry",
    )
    exposed, hidden = aboard("spw-251", kind="leader"), aboard("spw-251", BU, kind="leader")
    assert (exposed[to], exposed[others], hidden[others]) == (1, None, None)
    assert to not in hidden
    assert to not in aboard("spw-251")
    assert aboard("carrier-a", BU, kind="leader")[to] == 1
    assert to not in aboard("carrier-a", kind="leader", pinned=True)
    assert to not in aboard("opel-blitz", kind="leader")


WIDE = field({f"{column}{row}": {} for column in "ABCDEF" for row in (1, 2, 3)})
WITH_IT = tuple(f"enter v,u {name}" for name in ("B1", "C2", "D2", "E3", "F3"))


@pytest.mark.clause("D6.65c")
@pytest.mark.parametrize(
    ("stated", "by", "first", "barred"),
    [
        ({}, {}, (), set()),
        ({}, {"kind": "carrier-a"}, (), set()),
        ({}, BU, (), {"A4.11b"}),
        ({"pinned": True}, {}, (), {"A4.11b"}),
        ({"nationality": "italian"}, {}, (), {"A4.11b"}),
        ({"riding": True}, {"kind": "carrier-a"}, (), {"A4.11b"}),
        ({"aboard": None}, {}, ("load l v",), {"A4.11b"}),
    ],
)
def test_infantry_led_from_a_halftrack(
    stated: dict[str, Any], by: dict[str, Any], first: tuple[str, ...], barred: set[str]
) -> None:
    """Infantry moving with a halftrack has the bonus of a CE leader in it all the way."""
    led = foot("l", "leader", at="A1", **{"aboard": "v", **stated})
    half = vehicle("v", **{"kind": "spw-251", "moving": False, "at": "A1", **by})
    position = place(WIDE, foot(at="A1"), led, half, year=1944)
    assert bars(last(position, *first, "start v", *WITH_IT)) == barred


@pytest.mark.clause("D6.65c")
def test_infantry_led_from_a_halftrack_that_buttons_up() -> None:
    """The bonus ends when the leader is BU, and the leader cannot drive away from units that used it."""
    led = foot("l", "leader", at="A1", aboard="v")
    half = vehicle("v", "spw-251", at="A1", moving=False)
    position = place(WIDE, foot(at="A1"), led, half)
    assert bars(last(position, "start v", *WITH_IT[:4], "hatch v bu", WITH_IT[4])) == {"A4.11b"}
    gone = last(position, "start v", *WITH_IT, "result u pinned", "turn v NNE", "enter v F2")
    assert (bars(gone), cites(gone)) == ({"A4.12b"}, set())
    early = last(position, "start v", *WITH_IT[:3], "result u pinned", "enter v E3")
    assert early.is_legal


@pytest.mark.clause("D6.65d", "D6.651a")
def test_a_leader_and_units_outside() -> None:
    """CE in a stopped halftrack the leader directs and steadies them; after moving, or in a truck, not."""
    morale = "affect Rally, MC and TC of units outside its vehicle"
    within = "affect Rally, MC and TC of its vehicle's Passengers"

    def stated(kind: str, by: dict[str, Any], phase: str = "MPh") -> tuple[Any, ...]:
        found = aboard(kind, by, phase=phase, kind="leader")
        return (found[ELSE], found[morale], found[within])

    assert stated("spw-251", {}) == (1, 1, 1)
    assert stated("spw-251", MOVED) == (None, None, 1)
    assert stated("spw-251", MOVED, "DFPh") == (1, 1, 1)
    assert stated("spw-251", {"moving": True}) == (None, None, 1)
    assert stated("spw-251", BU) == (None, None, 1)
    assert stated("opel-blitz", {}) == (None, None, 1)
    assert ELSE not in aboard("spw-251")
    assert within not in aboard("spw-251")


@pytest.mark.clause("D6.65f", "D6.651b", "D6.651e")
def test_armor_leaders() -> None:
    """A CE one directs others in a FG with its own MG; only its crew gets the morale effect."""
    shared, apart = (
        "have its Armor Leader direct others in a FG with its MG",
        "have its Armor Leader direct others apart from its own fire",
    )
    given = {"armor_leader": True}
    found = vehicle_entitlements("spw-251", given)
    assert (found[shared], found[apart]) == (1, None)
    assert vehicle_entitlements("spw-251", {**given, **BU})[shared] is None
    assert vehicle_entitlements("t-26-m33", given)[shared] is None
    assert vehicle_entitlements("american M16 MGMC", given)[shared] is None
    assert found["have its Armor Leader affect MC and TC of its crew"] == 1
    assert found["have its Armor Leader affect MC and TC of others"] is None
    by_loss = "by the loss of its Armor Leader"
    assert found[f"cause a LLMC or LLTC to its crew {by_loss}"] == 1
    assert found[f"cause a LLMC or LLTC to others {by_loss}"] is None
    assert not [what for what in vehicle_entitlements("spw-251") if "Armor Leader" in what]


@pytest.mark.clause("D6.651c")
def test_leaders_outside() -> None:
    """They affect Passengers of a vehicle that is not moving."""
    what = "be affected by leaders outside its vehicle"
    assert aboard("opel-blitz")[what] == 1
    assert aboard("opel-blitz", {"moving": True})[what] is None
    assert what not in aboard("t-26-m33", riding=True)


@pytest.mark.clause("D6.651d")
def test_the_loss_of_a_leader_aboard() -> None:
    """It affects only other Passengers."""
    found = aboard("opel-blitz", kind="leader")
    loss = "cause a LLMC or LLTC by its loss to"
    assert (found[f"{loss} its vehicle's Passengers"], found[f"{loss} others in its Location"]) == (
        1, None,
    )  # fmt: skip
    assert not [what for what in aboard("opel-blitz") if what.startswith(loss)]


@pytest.mark.clause("D6.8", "D6.81d", "D6.83b", "D6.84c")
def test_carriers() -> None:
    """It is a fully tracked halftrack; its crew, under D5.8, can leave quickly but empty-handed."""
    found, leaves = vehicle_entitlements("carrier-a"), "be left by its crew as by unloading"
    assert found["count as an armored halftrack"] == 1
    assert found["move as a fully-tracked vehicle"] == 1
    assert found[f"{leaves}, with its armament"] is found[f"{leaves}, destroying it"] is None
    assert leaves not in found  # its crew is not stated as a unit
    assert found["have its crew exempt from D5.8"] is None
    halftrack = vehicle_entitlements("spw-251")
    assert not {
        "count as an armored halftrack",
        f"{leaves}, destroying it",
        "have its crew exempt from D5.8",
    } & {*halftrack}
    assert "move as a fully-tracked vehicle" not in halftrack
    odd = like("carrier-a", column="ht")
    assert vehicle_entitlements("like", types=(odd,))["move as a fully-tracked vehicle"] is None
    assert f"{leaves}, destroying it" not in vehicle_entitlements("carrier-a", {"abandoned": True})


@pytest.mark.clause("D6.82a", "D6.82d")
def test_crews_of_carriers() -> None:
    """A half squad, but a true crew with a mortar or FT, or if it tows ordnance."""
    what = "have a half squad for its crew"
    assert vehicle_entitlements("carrier-a")[what] == 1
    assert vehicle_entitlements("carrier-mtr-3in")[what] is None

    def stated(**fields: Any) -> Any:
        return vehicle_entitlements("like", types=(like("carrier-a", **fields),))[what]

    assert stated(main="ft") is stated(tows_ordnance=True) is None
    assert stated(main="aamg6") == stated(main="mortar", mm=51) == 1
    assert what not in vehicle_entitlements("spw-251")


@pytest.mark.clause("D6.82b", "D6.82c")
def test_crews_of_carriers_on_foot() -> None:
    """Half squads of Carrier crews recombine, and their squads Deploy, without a TC or leader; others do not."""

    def stated(kind: str, **fields: Any) -> set[str]:
        unit = foot(kind=kind, **fields)
        return {e["what"] for e in ASL.entitlements(place(crossing(), unit), unit)}

    join, part = (
        "recombine with neither TC nor leader",
        "Deploy with neither TC nor leader, to mount Carriers",
    )
    assert stated("half-squad", carrier_crew=True) == {join}
    assert stated("squad", carrier_crew=True) == {part}
    assert stated("half-squad") == stated("squad") == set()


MMG = tuple(SupportWeapon(name=name, pp=4, fp=3) for name in ("MMG",))
ARMED = {kind: like(kind, mg=3, armament=MMG) for kind in ("spw-251", "carrier-a", "t-26-m33")}


def armed_entitlements(
    kind: str, by: dict[str, Any] | None = None, *others: Any, **scene: Any
) -> dict[str, Any]:
    """Return the entitlements of a vehicle with a removable MG, and of a crew aboard."""
    who = "half-squad" if kind == "carrier-a" else "crew"
    crew = foot("c", who, **{"aboard": "v", "inherent": True, **scene.pop("crew", {})})
    return vehicle_entitlements("like", by, crew, *others, types=(ARMED[kind],), **scene)


@pytest.mark.clause("D6.631a", "D6.631c", "D6.83a")
def test_armament_taken_along() -> None:
    """By a crew that has neither moved nor fired, from a vehicle of its own side; as ruled."""
    what = "be Abandoned with its MG or mortar"
    for kind in ("spw-251", "carrier-a"):
        assert armed_entitlements(kind)[what] == 1
        for by in ({"moving": True}, MOVED, {"captured": True}, {"prep_fired": True},
                   {"fired": True}, {"ti": True}):  # fmt: skip
            assert armed_entitlements(kind, by)[what] is None
        for crew in ({"pinned": True}, {"fired": True}, {"prep_fired": True}, {"mph": "done"}):
            assert armed_entitlements(kind, crew=crew)[what] is None
        assert armed_entitlements(kind, phase="DFPh")[what] is None
        assert what not in vehicle_entitlements(
            kind
        )  # neither its crew nor the removed armament is stated as a unit
    assert what not in armed_entitlements("t-26-m33")
    most = "have its MG taken off, as a MG of at most so many FP"
    assert vehicle_entitlements("like", types=(like("spw-251", mg=3),))[most] == 3
    assert most not in vehicle_entitlements("spw-251")
    assert most not in vehicle_entitlements("like", types=(like("t-26-m33", mg=3),))


@pytest.mark.clause("D6.83b")
def test_a_carriers_crew_may_unload() -> None:
    """If stated as a unit it leaves as ruled: not from Motion, Stunned, or after the MPh."""
    leaves = "be left by its crew as by unloading"
    assert armed_entitlements("carrier-a")[leaves] == 1
    for by in ({"moving": True}, {"stunned": True}, {"mph": "done"}):
        assert armed_entitlements("carrier-a", by)[leaves] is None
    assert leaves not in armed_entitlements("spw-251")


@pytest.mark.clause("D6.631b")
def test_passengers_take_armament_off() -> None:
    """For no more MF than leaving costs, from a stopped vehicle that has some."""
    what = "take its vehicle's armament along as it unloads"
    types = (like("spw-251", mg=3, removable=True, armament=MMG),)
    assert aboard("like", types=types)[what] == 1
    for by in ({"moving": True}, {"stunned": True}, {"mph": "done"}):
        assert aboard("like", by, types=types)[what] is None
    assert what not in aboard("like", {"taken": ("MMG",)}, types=types)
    assert what not in aboard("spw-251")


@pytest.mark.clause("D6.631d", "D6.82d")
def test_re_manning() -> None:
    """It takes a crew in the Location with the weapon: a crew, or for a Carrier a half squad."""
    what = "be re-manned by a crew with its MG or mortar"

    def stated(kind: str, by: str, taken: tuple[str, ...] = ("MMG",), **fields: Any) -> Any:
        other = foot("c", by, **{"sw": MMG if taken else (), **fields})
        types = (like(kind, armament=MMG, mg=3),)
        found = vehicle_entitlements(
            "like", {"abandoned": True, "taken": taken}, other, types=types
        )
        return found.get(what, "nobody")

    assert stated("spw-251", "crew", ()) == 1
    assert stated("spw-251", "crew") == stated("carrier-a", "half-squad", carrier_crew=True) == 1
    assert stated("carrier-mtr-3in", "half-squad", carrier_crew=True) is None
    assert stated("carrier-a", "half-squad") is None  # a Temporary crew
    assert stated("spw-251", "half-squad") == stated("spw-251", "crew", at="C1") == "nobody"
    assert stated("spw-251", "crew", side="x") == "nobody"
    for fields in ({"sw": ()}, {"broken": True}, {"pinned": True}, {"ti": True},
                   {"mph": "done"}, {"prep_fired": True}):  # fmt: skip
        assert stated("spw-251", "crew", **fields) is None
    assert what not in vehicle_entitlements("spw-251", {}, foot("c", "crew", sw=MMG))


@pytest.mark.clause("D6.84b")
def test_shocked_carriers() -> None:
    """Inside units stay CE, and open to the Collateral Attack."""
    ce, collateral = "have the CE DRM", "suffer the Collateral Attack of the same attack"
    for by in ({"shocked": True}, {"stunned": True}):
        for found in (vehicle_entitlements("carrier-a", by), aboard("carrier-a", by)):
            assert (found[ce], found[collateral]) == (2, 1)
        assert collateral not in vehicle_entitlements("spw-251", by)
        assert collateral not in aboard("carrier-a", by, riding=True)
    assert collateral not in vehicle_entitlements("carrier-a")


@pytest.mark.clause("C7.41")
def test_a_shocked_vehicle_does_nothing() -> None:
    """It can neither start nor be left; its MPh can end."""
    position = place(crossing(), vehicle("v", "spw-251", moving=False, shocked=True))
    assert bars(last(position, "start v")) == {"C7.41"}
    assert judge(position, "end v").status == "LEGAL"
