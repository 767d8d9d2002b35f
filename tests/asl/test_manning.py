"""Crews that abandon vehicles, man them again, and remove armament (D5.4, D6.631, D6.83)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.rules.generator import legal_actions
from marchtable.state.action import verb_of
from marchtable_models.asl.model import SupportWeapon
from tests.asl.boards import (
    ASL,
    bars,
    cites,
    crossing,
    foot,
    judge,
    last,
    load,
    place,
    total,
    vehicle,
)
from tests.asl.carried import like
from tests.asl.test_bypass import patch

MMG = SupportWeapon(name="MMG", pp=5, fp=4)
MTR = SupportWeapon(name="MTR", pp=5, mm=81, dm=True)
SPW = like("spw-251", mg=4, armament=(MMG, MTR))
CARRIER = like("carrier-a", mg=4, armament=(MMG,))


def scene(*others: Any, kind: Any = SPW, crew: Any = None, board: Any = None, **by: Any) -> Any:
    """Return a stopped halftrack with its crew, named as a unit."""
    manned = {"id": "c", "kind": "crew", "aboard": "v", "inherent": True, **(crew or {})}
    units = (vehicle("v", "like", **{"moving": False, **by}), foot(manned.pop("id"), **manned))
    return place(board or crossing(), *units, *others, types=(kind,))


def on_foot(*weapons: SupportWeapon, kind: Any = SPW, crew: Any = None, **by: Any) -> Any:
    """Return an Abandoned halftrack without its MMG, and a crew beside it."""
    found = {"abandoned": True, "taken": ("MMG",), "moving": False, **by}
    unit = foot("c", **{"kind": "crew", "sw": weapons, **(crew or {})})
    return place(crossing(), vehicle("v", "like", **found), unit, types=(kind,))


@pytest.mark.clause("D5.41a", "D5.41b")
def test_abandoning_takes_all_mf_and_mp() -> None:
    """The crew is on foot there, its MPh over; the vehicle is Abandoned and done, all points spent."""
    ruling = last(scene(), "abandon c")
    crew, by = ruling.after.unit("c"), ruling.after.unit("v")
    assert (ruling.status, total(ruling, "c"), total(ruling, "v")) == ("LEGAL", 4, 16)
    assert (crew.cargo.aboard, crew.crew.inherent, crew.at, crew.move.mph, crew.sw) == (
        None,
        False,
        "B1",
        "done",
        (),
    )
    assert (by.crew.abandoned, by.move.mph) == (True, "done")
    assert "D5.41" in bars(judge(ruling.after, "phase MPh side=german", "start v").rulings[-1])


@pytest.mark.clause("D5.341d")
def test_when_a_recalled_crew_abandons() -> None:
    """Only a bogged or immobile vehicle, with nothing removed; manning it later is UNSUPPORTED."""
    assert bars(judge(scene(recalled=True), "abandon c").rulings[0]) == {"D5.341d"}
    for stuck in ({"immobile": True}, {"bogged": True}):
        assert judge(scene(recalled=True, **stuck), "abandon c").rulings[0].is_legal
        taking = judge(scene(recalled=True, **stuck), "abandon c take=MTR").rulings[0]
        assert bars(taking) == {"D5.341d"}
        assert judge(scene(**stuck), "abandon c take=MTR").rulings[0].is_legal
    assert cites(judge(on_foot(MMG, recalled=True), "man c v").rulings[0]) == {"D5.341d"}
    removable = like("spw-251", mg=4, armament=(MMG,), removable=True)
    away = scene(foot("p", aboard="v"), kind=removable, recalled=True)
    assert judge(away, "unload p take=MMG").rulings[0].is_legal


@pytest.mark.clause("D5.41a")
def test_who_may_abandon() -> None:
    """An inherent crew in its own MPh, not from Motion, before moving or firing; no other."""
    assert bars(judge(scene(moving=True), "abandon c").rulings[0]) == {"D5.41a"}
    for by in ({"spent": 2, "used": 2, "mph": "moving"}, {"fired": True}):
        assert bars(judge(scene(**by), "abandon c").rulings[0]) == {"D5.41a"}
    for crew in ({"fired": True}, {"inherent": False}):
        assert "D5.41a" in bars(judge(scene(crew=crew), "abandon c").rulings[0])
    assert "D5.41a" in bars(judge(scene(), "abandon v").rulings[0])
    assert bars(judge(scene(prep_fired=True), "abandon c").rulings[0]) == {"D2.1c"}
    assert bars(judge(scene(stunned=True), "abandon c").rulings[0]) == {"D5.34"}
    assert judge(scene(immobile=True), "abandon c").rulings[0].is_legal
    assert judge(scene(spent=8, used=8, lost=8), "abandon c").rulings[0].is_legal
    later = judge(scene(), "phase AFPh", "abandon c").rulings[-1]
    assert bars(later) == {"A3.3"}
    assert bars(judge(scene(), "end v", "abandon c").rulings[-1]) >= {"D5.41a"}


@pytest.mark.clause("D6.5l")
def test_abandoning_in_bypass() -> None:
    """Fire treats the crew as at the CAFP; otherwise it is in its Location."""
    beside = scene(board=patch(), crew={"at": "C1"}, at="C1", bypass=5)
    assert last(beside, "abandon c").after.unit("c").place.cafp == "at"
    assert last(scene(), "abandon c").after.unit("c").place.cafp == ""


@pytest.mark.clause("D5.41b", "D6.1g")
def test_passengers_of_a_vehicle_being_abandoned() -> None:
    """They cannot unload in that MPh, but can in the next; broken ones must rout from then on."""
    passenger = foot("p", "half-squad", aboard="v")
    after = last(scene(passenger), "abandon c").after
    assert "A4.2a" in bars(judge(after, "unload p").rulings[0])
    fresh = judge(after, "phase RPh side=russian", "phase MPh side=german", "unload p")
    assert fresh.rulings[-1].is_legal
    broken = last(scene(foot("p", aboard="v", broken=True, kind="half-squad")), "abandon c").after
    found = {e["what"]: e["factor"] for e in ASL.entitlements(broken, broken.unit("p"))}
    assert found["stay aboard while broken"] is None


@pytest.mark.clause("D5.41c", "D6.631a", "D6.631c", "D6.83a")
def test_taking_armament_along() -> None:
    """What its counter allows, once; a MG no stronger than the vehicle's; not off a captured one."""
    ruling = last(scene(), "abandon c take=MMG,MTR")
    crew = ruling.after.unit("c")
    assert [weapon.name for weapon in crew.sw] == ["MMG", "MTR"]
    assert ruling.after.unit("v").crew.taken == ("MMG", "MTR")
    assert ASL.allotment(ruling.after, crew) == crew.points.spent
    assert judge(ruling.after, "phase DFPh").position.unit("c").sw == (MMG, MTR)
    assert bars(judge(scene(taken=("MMG",)), "abandon c take=MMG").rulings[0]) == {"D5.41c"}
    assert bars(judge(scene(), "abandon c take=ATR").rulings[0]) == {"D5.41c"}
    assert bars(judge(scene(captured=True), "abandon c take=MMG").rulings[0]) == {"D6.631a"}
    assert judge(scene(captured=True), "abandon c").rulings[0].is_legal
    foreign = scene(nationality="russian")
    assert bars(judge(foreign, "abandon c take=MMG").rulings[0]) == {"D6.631a"}
    alike = scene(nationality="russian", crew={"nationality": "Russian"})
    assert judge(alike, "abandon c take=MMG").rulings[0].is_legal
    carrier = scene(kind=CARRIER, captured=True, crew={"kind": "half-squad"})
    assert bars(judge(carrier, "abandon c take=MMG").rulings[0]) == {"D6.83a"}
    weak = scene(kind=like("spw-251", mg=3, armament=(MMG,)))
    ruling = judge(weak, "abandon c take=MMG").rulings[0]
    (bar,) = ruling.violations
    assert (bar.clause, bar.need, bar.have) == ("D6.631c", 3, 4)
    tank = scene(kind=like("t-26-m33", mg=4, armed=True, armament=(MMG,)))
    assert bars(judge(tank, "abandon c take=MMG").rulings[0]) == {"D5.41c"}


@pytest.mark.clause("D6.631b")
def test_passengers_take_removable_armament() -> None:
    """As part of unloading, at no extra cost; not off a vehicle whose counter forbids it."""
    squad = foot("p", aboard="v")
    for removable in (True, False):
        kind = like("spw-251", mg=4, armament=(MMG,), removable=removable)
        ruling = judge(scene(squad, kind=kind), "unload p take=MMG").rulings[0]
        assert bars(ruling) == (set() if removable else {"D6.631b"})
        if removable:
            assert (total(ruling, "p"), total(ruling, "v")) == (1, 4)
            assert ruling.after.unit("p").sw == (MMG,)
            assert ruling.after.unit("v").crew.taken == ("MMG",)


@pytest.mark.clause("A4.42e")
def test_a_smc_takes_no_more_than_he_carries() -> None:
    """2 PP including its present load; a MG of 5 PP is too much."""
    for pp, own, legal in ((2, 0, True), (2, 1, False), (5, 0, False)):
        weapon = SupportWeapon(name="MMG", pp=pp, fp=2)
        kind = like("spw-251", mg=4, armament=(weapon,), removable=True)
        smc = foot("p", "leader", aboard="v", sw=load(own) if own else ())
        ruling = judge(scene(smc, kind=kind), "unload p take=MMG").rulings[0]
        assert bars(ruling) == (set() if legal else {"A4.42e"})


@pytest.mark.clause("D6.83b")
def test_a_carriers_crew_unloads_quicker() -> None:
    """At the cost of unloading, with no armament; another vehicle's crew cannot."""
    carrier = scene(kind=CARRIER, crew={"kind": "half-squad"})
    ruling = last(carrier, "unload c")
    assert (total(ruling, "c"), total(ruling, "v")) == (1, 4)
    assert (ruling.after.unit("c").crew.inherent, ruling.after.unit("v").crew.abandoned) == (
        False,
        True,
    )
    assert last(ruling.after, "enter c C1").is_legal
    assert bars(judge(carrier, "unload c take=MMG").rulings[0]) >= {"D6.83b"}
    assert bars(judge(scene(), "unload c").rulings[0]) == {"D6.83b"}


@pytest.mark.clause("D5.42b", "D6.631d")
def test_manning_a_vehicle_again() -> None:
    """All its MF; the armament is mounted, the vehicle manned, and done for this MPh."""
    ruling = last(on_foot(MMG), "man c v")
    crew, by = ruling.after.unit("c"), ruling.after.unit("v")
    assert (total(ruling, "c"), crew.cargo.aboard, crew.crew.inherent, crew.sw) == (
        2,
        "v",
        True,
        (),
    )
    assert (by.crew.abandoned, by.crew.taken, by.move.mph) == (False, (), "done")
    ASL.check_position(ruling.after)
    started = judge(ruling.after, "phase RPh side=russian", "phase MPh side=german", "start v")
    assert started.status == "LEGAL"
    assert bars(judge(on_foot(), "man c v").rulings[0]) == {"D6.631d"}
    assert judge(on_foot(taken=()), "man c v").rulings[0].is_legal


@pytest.mark.clause("D5.42a")
def test_who_may_man_a_vehicle() -> None:
    """A unit of its side that began the MPh there and stows nothing; none if it has a Driver."""
    for crew in (
        {"at": "C1"}, {"conveyed": True},
        {"mph": "moving", "spent": 2}, {"sw": (MMG, *load(1))},
    ):  # fmt: skip
        assert "D5.42a" in bars(judge(on_foot(MMG, crew=crew), "man c v").rulings[0]), crew
    driven = on_foot(MMG, kind=like("spw-251", armed=False, armament=(MMG,)))
    assert "D5.42a" in bars(judge(driven, "man c v").rulings[0])
    for by in ({"abandoned": False}, {"side": "russian"}):
        assert "D5.42a" in bars(judge(on_foot(MMG, **by), "man c v").rulings[0])
    pinned = on_foot(MMG, crew={"pinned": True})
    assert bars(judge(pinned, "man c v").rulings[0]) == {"A7.8a"}
    back = judge(scene(), "abandon c", "man c v").rulings[-1]
    assert {"D5.42a", "A4.2a"} <= bars(back)


@pytest.mark.clause("D5.42c")
def test_nobody_mans_what_was_left_this_player_turn() -> None:
    """Another crew beside it can do so in the next turn, not in the turn in which the first left it."""
    other = foot("d", "crew")
    assert bars(last(scene(other), "abandon c", "man d v")) == {"D5.42c"}
    quick = scene(other, kind=CARRIER, crew={"kind": "half-squad"})
    assert bars(last(quick, "unload c", "man d v")) == {"D5.42c"}
    later = ("abandon c", "phase RPh side=russian", "phase MPh side=german", "man d v")
    assert last(scene(other), *later).is_legal


@pytest.mark.clause("A21.22")
def test_who_would_be_a_temporary_crew() -> None:
    """Squads, half squads and SMC are UNSUPPORTED; a crew, or a Carrier's own half squad, is not Temporary."""
    for kind in ("squad", "half-squad", "leader"):
        ruling = judge(on_foot(taken=(), crew={"kind": kind}), "man c v").rulings[0]
        assert (ruling.status, cites(ruling)) == ("UNSUPPORTED", {"A21.22"})
    assert judge(on_foot(MMG), "man c v").rulings[0].is_legal
    half: dict[str, Any] = {"kind": "half-squad"}
    plain = judge(on_foot(MMG, kind=CARRIER, crew=half), "man c v").rulings[0]
    assert (plain.status, cites(plain)) == ("UNSUPPORTED", {"A21.22"})
    own = on_foot(MMG, kind=CARRIER, crew={**half, "carrier_crew": True})
    assert judge(own, "man c v").rulings[0].is_legal


@pytest.mark.clause("D6.82e")
def test_a_carriers_half_squad_goes_back_to_it() -> None:
    """After abandoning, unloading, breaking or surviving it is still Carrier crew; others are not."""
    carrier = scene(kind=like("carrier-a", mg=4, survival=6), crew={"kind": "half-squad"})
    for line in ("abandon c", "unload c", "result c broken", "destroy v fire"):
        assert last(carrier, line).after.unit("c").crew.carrier_crew, line
    assert not last(scene(), "abandon c").after.unit("c").crew.carrier_crew
    back = ("abandon c", "phase RPh side=russian", "phase MPh side=german", "man c v")
    assert last(carrier, *back).is_legal


@pytest.mark.clause("A4.61e", "A4.5e")
@pytest.mark.parametrize(("line", "clause"), [("assault c", "A4.61e"), ("double-time c", "A4.5e")])
def test_nobody_mans_a_vehicle_by_assault_movement_or_double_time(line: str, clause: str) -> None:
    """Either forbids it to a crew; without them it can.

    Assault Movement keeps MF, manning takes all.
    """
    assert last(on_foot(taken=()), "man c v").is_legal
    assert bars(last(on_foot(taken=()), line, "man c v")) >= {clause}


@pytest.mark.clause("D6.82d")
@pytest.mark.parametrize(
    ("fields", "true"),
    [({"main": "ft"}, True), ({"main": "mortar", "mm": 76}, True), ({"main": "mortar", "mm": 50}, False),
     ({"tows_ordnance": True}, True)],
)  # fmt: skip
def test_carriers_that_no_half_squad_mans(fields: Any, true: bool) -> None:
    """Carriers with a true crew: a half squad would be a Temporary crew; a crew can man them."""
    kind = like("carrier-a", mg=4, armament=(MMG,), **fields)
    half = on_foot(MMG, kind=kind, crew={"kind": "half-squad", "carrier_crew": True})
    assert cites(judge(half, "man c v").rulings[0]) == ({"D6.82d"} if true else set())
    assert judge(on_foot(MMG, kind=kind), "man c v").rulings[0].is_legal


@pytest.mark.clause("D5.43b")
def test_manning_under_fire() -> None:
    """If pinned, broken or lost meanwhile, the crew is on foot with its weapon again."""
    for blow in ("pinned", "broken", "eliminated"):
        after = judge(on_foot(MMG), "man c v", f"result c {blow}").position
        crew, by = after.unit("c"), after.unit("v")
        assert (crew.cargo.aboard, crew.crew.inherent, crew.sw) == (None, False, (MMG,))
        assert (by.crew.abandoned, by.crew.taken) == (True, ("MMG",))
    safe = judge(on_foot(MMG), "man c v", "result c attacked").position
    assert not safe.unit("v").crew.abandoned


@pytest.mark.clause("D5.311", "D6.1g")
def test_a_crew_that_breaks_or_is_lost() -> None:
    """The vehicle stops, empty; a broken crew is beneath it; other units cannot use it."""
    driving = scene(foot("p", "half-squad", aboard="v", broken=True), moving=True, mph="moving")
    for blow, at in (("broken", "B1"), ("eliminated", None)):
        after = judge(driving, f"result c {blow}").position
        crew, by = after.unit("c"), after.unit("v")
        assert (crew.cargo.aboard, crew.crew.inherent, crew.at, crew.move.mph) == (
            None,
            False,
            at,
            "done",
        )
        assert (by.crew.abandoned, by.motion.moving, by.move.mph, by.at) == (
            True,
            False,
            "done",
            "B1",
        )
        found = {e["what"]: e["factor"] for e in ASL.entitlements(after, after.unit("p"))}
        assert found["stay aboard while broken"] is None
        ASL.check_position(after)
    assert judge(driving, "result c attacked").position.unit("v").motion.moving
    assert not judge(driving, "result p eliminated").position.unit("v").crew.abandoned


@pytest.mark.clause("D6.1g")
def test_a_unit_that_had_to_rout_is_not_forgotten() -> None:
    """After the RtPh a log that leaves such a unit aboard is UNSUPPORTED; not before, nor if unbroken."""
    passenger = foot("p", "half-squad", aboard="v", broken=True)
    after = judge(scene(passenger), "result c broken").position
    assert cites(judge(after, "phase RtPh").rulings[0]) == set()
    for line in ("phase APh", "phase CCPh", "phase RPh side=russian"):
        assert cites(judge(after, line).rulings[0]) == {"D6.1g"}
    fit = judge(scene(foot("p", "half-squad", aboard="v")), "result c broken").position
    assert cites(judge(fit, "phase APh").rulings[0]) == set()
    manned = scene(passenger)
    assert cites(judge(manned, "phase APh").rulings[0]) == set()


@pytest.mark.clause("D6.9a")
def test_an_inherent_crew_goes_with_its_vehicle() -> None:
    """It goes where the vehicle goes and takes its own Survival DR; it uses none of the Passengers' room."""
    kind = like("spw-251", pp=10, survival=6)
    position = scene(foot("p", aboard="v"), kind=kind, moving=True)
    ASL.check_position(position)
    after = last(position, "enter v C1").after
    assert after.unit("c").at == "C1"
    assert bars(judge(position, "enter c C1").rulings[0]) == {"D6.3b"}
    wreck = judge(position, "destroy v fire").rulings[0]
    assert [due.id for due in wreck.obligations] == ["survival:c", "survival:p"]
    alive = last(wreck.after, "settle survival:c survives").after.unit("c")
    assert (alive.at, alive.cargo.aboard, alive.crew.inherent) == ("B1", None, False)


def test_options_of_crews() -> None:
    """Abandoning is offered with each piece of armament, or all; manning where legal."""

    def stated(position: Any) -> list[tuple[str, ...]]:
        return [
            getattr(c.action, "take", ("man",))
            for c in legal_actions(position, "c") if verb_of(c.action) in ("abandon", "man")
        ]  # fmt: skip

    assert stated(scene()) == [(), ("MMG",), ("MTR",), ("MMG", "MTR")]
    assert stated(scene(moving=True)) == []
    assert stated(on_foot(MMG)) == [("man",)]


def test_what_a_scene_may_tell_of_crews() -> None:
    """One inherent crew aboard a manned armed vehicle; armament as its type lists."""
    truck = place(crossing(), vehicle("v", "opel-blitz", moving=False),
                  foot("c", "crew", aboard="v", inherent=True))  # fmt: skip
    second = scene(foot("d", "crew", aboard="v", inherent=True))
    for position in (
        truck, second, scene(abandoned=True), scene(crew={"riding": True}),
        scene(crew={"aboard": None}), scene(taken=("ATR",)),
    ):  # fmt: skip
        with pytest.raises(BadInputError):
            ASL.check_position(position)
    ASL.check_position(scene(taken=("MMG",)))


@pytest.mark.clause("D5.41c", "D6.631a")
def test_armament_is_taken_off_once_and_dismantled() -> None:
    """No weapon can be named twice; a mortar that can be is removed dismantled."""
    mortar = SupportWeapon(name="MTR", pp=5, mm=81)
    kind = like("spw-251", mg=3, armament=(SupportWeapon(name="MMG", pp=4, fp=3), mortar))
    units = (vehicle("v", "like", moving=False), foot("c", "crew", aboard="v", inherent=True))
    position = place(crossing(), *units, types=(kind,))
    assert bars(last(position, "abandon c take=MMG,MMG")) == {"D5.41c"}
    sw = last(position, "abandon c take=MMG,MTR").after.unit("c").sw
    assert [(weapon.name, weapon.dm) for weapon in sw] == [("MMG", False), ("MTR", True)]
