"""Vehicle loads: Passengers and Riders, their dates, SW, ammo of a towed Gun."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.state.records import replace
from marchtable_models.asl.model import SupportWeapon, UnitType
from marchtable_models.asl.rules.capacity import Hold, hold
from marchtable_models.asl.views.entry import Crowd
from tests.asl.boards import ASL, bars, crossing, foot, judge, last, load, place, total, vehicle
from tests.asl.carried import like

EDITION = ASL.edition(place(crossing()))
TANK = Hold(pp=0, role="tank", afv=True, year=1943, nationality="german")
TRUCK = Hold(pp=21)
RIDDEN = UnitType(name="r", class_="vehicle", column="ft", mp=12, afv=True, role="tank")
SQUAD, HS, CREW, SMC = Crowd(1), Crowd(0, 1), Crowd(0, 0, 1), Crowd(0, 0, 0, 1)


def fits(facts: Hold, reading: tuple[tuple[str, str], ...] = (), **fields: Any) -> set[str]:
    """Return the clauses that such a load violates."""
    edition = ASL.edition(place(crossing(), readings=reading))
    finding = edition.judge(replace(facts, **fields))
    return {bar.clause for bar in (*finding.bars, *finding.unsupported)}


@pytest.mark.clause("D6.1c")
def test_passengers_and_sw_fit_the_printed_pp() -> None:
    """Two squads and 1 PP fill 21 PP exactly, HS and crews take five each, four SMC nothing."""
    assert fits(TRUCK, passengers=Crowd(2), passenger_sw=1) == set()
    assert fits(TRUCK, passengers=Crowd(2), passenger_sw=2) == {"D6.1c"}
    assert fits(TRUCK, passengers=Crowd(0, 2, 2, 4), passenger_sw=1) == set()
    assert fits(TRUCK, passengers=Crowd(0, 2, 2, 4), passenger_sw=2) == {"D6.1c"}
    assert fits(Hold(pp=0), passengers=SMC) == {"D6.1c"}


@pytest.mark.clause("D6.1d")
def test_five_smc_count_as_a_half_squad() -> None:
    """Four SMC ride for free, the fifth makes them 5 PP, inside as outside; ten are 10 PP."""
    assert fits(TRUCK, passengers=Crowd(2, smc=4), passenger_sw=1) == set()
    assert fits(TRUCK, passengers=Crowd(2, smc=5)) == {"D6.1c"}
    assert fits(TRUCK, passengers=Crowd(1, smc=9), passenger_sw=6) == set()
    assert fits(TRUCK, passengers=Crowd(1, smc=10), passenger_sw=2) == {"D6.1c"}
    assert fits(TANK, riders=Crowd(1, smc=5)) == {"D6.2d"}


@pytest.mark.clause("D6.1e")
@pytest.mark.parametrize(
    ("pp", "mm", "load", "broken"),
    [
        (9, 75, (CREW, 0), set()), (9, 75, (CREW, 1), {"D6.1c"}),
        (9, 99, (CREW, 0), set()), (9, 100, (CREW, 0), {"D6.1c"}), (9, 105, (CREW, 0), {"D6.1c"}),
        (9, 105, (Crowd(), 2), {"D6.1c"}), (9, 75, (Crowd(), 5), set()),
        (9, 105, (SMC, 1), set()), (4, 105, (Crowd(), 0), set()), (4, 105, (SMC, 0), {"D6.1c"}),
    ],
)  # fmt: skip
def test_ammo_of_a_towed_gun(pp: int, mm: int, load: tuple[Crowd, int], broken: set[str]) -> None:
    """A Gun takes 4 PP, from 100mm 8; an empty vehicle can tow whatever its PP."""
    who, sw = load
    assert fits(Hold(pp=pp), gun_mm=mm, passengers=who, passenger_sw=sw) == broken


@pytest.mark.clause("D6.1e", "D6.2f")
def test_a_dm_mortar_inside_counts_by_its_ammo_outside_by_its_weight() -> None:
    """A dm 81mm mortar of 5 PP takes 4 PP inside in all, and 5 PP of the Riders' 14."""
    mortar = SupportWeapon(name="81mm MTR", pp=5, mm=81, dm=True)

    def held(weapon: SupportWeapon, *, riding: bool, pp: int = 9) -> set[str]:
        kind = UnitType(name="k", class_="vehicle", column="ft", mp=9, afv=True, role="tank", pp=pp)
        carrier = vehicle("v", "k", moving=False)
        units = (carrier, foot("hs", "half-squad", sw=(weapon,), aboard="v", riding=riding))
        position = place(crossing(), *units, types=(kind,))
        facts = hold(position, carrier)
        return fits(facts, year=1943, rider_sw=facts.rider_sw + 5 * riding)

    assert held(mortar, riding=False) == set()
    assert held(msgspec.structs.replace(mortar, dm=False), riding=False) == {"D6.1c"}
    assert held(msgspec.structs.replace(mortar, mm=82), riding=False) == set()
    assert held(msgspec.structs.replace(mortar, mm=83), riding=False) == {"D6.1c"}
    assert held(msgspec.structs.replace(mortar, mm=75), riding=False) == {"D6.1c"}
    assert held(msgspec.structs.replace(mortar, pp=4), riding=True) == set()
    assert held(mortar, riding=True) == {"D6.2d"}


@pytest.mark.clause("D6.2b")
def test_dates_of_riders() -> None:
    """None before 1942, in 1942 only Russians, from 1943 all; without a year it is unknown."""
    held = msgspec.structs.replace(TANK, riders=HS)
    for year, nationality, broken in (
        (1941, "russian", {"D6.2b"}), (1942, "russian", set()), (1942, "german", {"D6.2b"}),
        (1943, "german", set()), (0, "german", {"D6.2b"}),
    ):  # fmt: skip
        assert fits(held, year=year, russian=nationality == "russian") == broken
    assert fits(TANK, year=0) == set()


@pytest.mark.clause("D6.2b")
@pytest.mark.parametrize(("reading", "who"), [("riders", "russian"), ("vehicle", "german")])
def test_whose_riders_ride_in_1942(reading: str, who: str) -> None:
    """Russians on any AFV of their side; or any unit on a Russian one."""
    found: dict[str, Any] = {
        "readings": (("D6.2b", reading),), "year": 1942, "types": (RIDDEN,),
    }  # fmt: skip
    for rider in ("russian", "german"):
        whose = "russian" if who == "german" else "german"
        tank = vehicle("v", "r", moving=False, nationality=whose)
        position = place(crossing(), tank, foot("u", nationality=rider), **found)
        broken = set() if reading == "vehicle" or rider == who else {"D6.2b"}
        assert bars(judge(position, "load u v riding=true").rulings[0]) == broken


@pytest.mark.clause("D6.2c")
def test_vehicles_that_take_riders() -> None:
    """Tanks, tank destroyers, SP artillery and assault guns can, SPAA by ruling, tankettes cannot."""
    for role in ("tank", "tank-destroyer", "sp-artillery", "assault-gun", "spaa"):
        assert fits(TANK, role=role, riders=HS) == set()
    for role in ("tankette", ""):
        assert fits(TANK, role=role, riders=HS) == {"D6.2c"}
    assert fits(TANK, (("D6.2c", "text"),), role="spaa", riders=HS) == {"D6.2c"}
    assert fits(TANK, (("D6.2c", "text"),), role="tank", riders=HS) == set()


@pytest.mark.clause("D6.2d")
def test_fourteen_pp_of_riders() -> None:
    """A squad with 4 PP of SW can ride, with 5 PP it cannot."""
    assert fits(TANK, riders=SQUAD, rider_sw=4) == set()
    assert fits(TANK, riders=SQUAD, rider_sw=5) == {"D6.2d"}


@pytest.mark.clause("D6.2e")
def test_one_smc_rides_on_any_vehicle() -> None:
    """With up to 2 PP and, by ruling, in the years of Riders; two SMC or a HS cannot."""
    lone = Hold(pp=0, year=1943, nationality="german", riders=SMC)
    assert fits(lone, rider_sw=2) == set()
    assert fits(lone, rider_sw=3) == {"D6.2e"}
    assert fits(lone, year=1942) == {"D6.2e"}
    assert fits(lone, (("D6.2e", "any"),), year=1942) == set()
    assert fits(lone, riders=Crowd(smc=2)) == {"D6.2e"}
    assert fits(lone, riders=Crowd(smc=1, half_squads=1)) == {"D6.2c"}


@pytest.mark.clause("D6.81a", "D6.81b", "D6.81c", "D6.2c")
def test_carriers() -> None:
    """4 PP inside for SMC and SW, with a mortar only the printed PP; 8 PP of Riders outside."""
    carrier = Hold(pp=0, carrier=True, afv=True, year=1943)
    assert fits(carrier, passengers=SMC, passenger_sw=4) == set()
    assert fits(carrier, passengers=SMC, passenger_sw=5) == {"D6.1c"}
    assert fits(carrier, passengers=HS) == {"D6.81a", "D6.1c"}
    for main in ("mortar", "ft", "aamg6"):
        assert fits(carrier, main=main, pp=1, passengers=SMC, passenger_sw=1) == set()
        assert fits(carrier, main=main, pp=1, passengers=SMC, passenger_sw=2) == {"D6.1c"}
    assert fits(carrier, main="mortar", pp=5, passengers=HS) == set()
    assert fits(carrier, main="mortar", pp=4, passengers=HS) == {"D6.1c"}
    assert fits(carrier, riders=HS, rider_sw=3) == set()
    assert fits(carrier, riders=HS, rider_sw=4) == {"D6.81c"}


@pytest.mark.clause("D6.4f", "D6.4k")
def test_sw_without_prc() -> None:
    """SW stay aboard a halftrack or Carrier if they fit; on no other AFV without PRC."""
    track = Hold(pp=5, afv=True, halftrack=True)
    assert fits(track, stowed=5) == set()
    assert fits(track, stowed=6) == {"D6.1c"}
    assert fits(track, halftrack=False, carrier=True, pp=0, stowed=4) == set()
    other = Hold(pp=9, afv=True, year=1943, role="tank")
    assert fits(other, stowed=4) == {"D6.4f"}
    assert fits(other, stowed=4, passengers=SMC) == set()
    assert fits(other, stowed=4, riders=HS) == set()
    assert fits(other, stowed=5, passengers=HS) == {"D6.1c"}
    assert fits(TRUCK, stowed=21) == set()


@pytest.mark.clause("D6.23b")
def test_riders_are_neither_pinned_nor_broken() -> None:
    """A pinned or broken Rider has bailed out; a broken Passenger can be aboard."""
    states: tuple[dict[str, Any], ...] = ({"pinned": True}, {"broken": True})
    for state in states:
        units = (
            vehicle("t", "t-26-m33", side="russian", nationality="russian"),
            foot("hs", "half-squad", side="russian", aboard="t", riding=True, **state),
        )
        position = place(crossing(), *units)
        facts = hold(position, units[0])
        assert fits(facts, year=1943) == {"D6.23b"}
    truck = vehicle("t", "gaz-mm")
    position = place(crossing(), truck, foot("hs", "half-squad", aboard="t", broken=True))
    assert fits(hold(position, truck)) == set()


@pytest.mark.clause("C10.1a")
def test_what_a_vehicle_can_tow() -> None:
    """Its T# must not exceed the Gun's M#, and it must have one."""
    assert fits(Hold(pp=9, t_number=9), m_number=9, gun_mm=75) == set()
    assert fits(Hold(pp=9, t_number=10), m_number=9, gun_mm=75) == {"C10.1a"}
    assert fits(Hold(pp=9), m_number=9, gun_mm=75) == {"C10.1a"}


# -- impossible positions --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ([foot(aboard="x")], "units[0].aboard: u: no vehicle 'x' of its side"),
        (
            [vehicle("v", side="russian"), foot(aboard="v")],
            "units[1].aboard: u: no vehicle 'v' of its side",
        ),
        (
            [vehicle("v", at="C1"), foot(aboard="v")],
            "units[1].aboard: u: it is aboard v, which is in C1, got at = 'B1'; write the same for both",
        ),
        ([vehicle("v"), vehicle("u", aboard="v")], "units[1].aboard: u: only Personnel can be aboard"),
        ([foot(riding=True)], "units[0].riding: u: a unit that rides on it needs aboard, the vehicle's name"),
        (
            [vehicle("v", "gaz-mm"), foot("a", aboard="v"), foot("b", sw=load(2), aboard="v")],
            "units[0]: v: the load inside is too large: expected 21 PP, got 22 PP (D6.1c)",
        ),
        ([vehicle("v"), foot(aboard="v")], "units[0]: v: the vehicle carries no Passengers (as Riders: riding=true) (D6.1c)"),
        ([vehicle("v", towing="u"), foot()], "units[0].towing: v: 'u' must name it back; write `towed_by = 'v'` there"),
        (
            [vehicle("v", "kfz-1"), foot("g", "gun-75-rcl", towed_by="v")],
            "units[1].towed_by: g: 'v' must name it back; write `towing = 'g'` there",
        ),
        (
            [vehicle("v", "kfz-1", towing="g"), foot("g", "gun-105-rcl", towed_by="v"),
             foot("c", "crew", aboard="v")],
            "units[0]: v: the load inside is too large: expected 9 PP, got 13 PP (D6.1c)",
        ),
    ],
)  # fmt: skip
def test_positions_that_cannot_be(units: list[Any], message: str) -> None:
    """A load that no vehicle can have is rejected on reading, with the clause."""
    with pytest.raises(BadInputError) as error:
        ASL.check_position(place(crossing(), *units))
    assert str(error.value).startswith(message)


def test_sound_loads_are_accepted() -> None:
    """SPW 250/1 with its 75* RCL and the crew, as in the rule's example, is a valid position."""
    units = (
        vehicle("v", "spw-250", towing="g"), foot("g", "gun-75-rcl", towed_by="v"),
        foot("c", "crew", aboard="v"),
    )  # fmt: skip
    ASL.check_position(place(crossing(), *units))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"act": "mans"}, "units[0].hitch: u: act = 'mans' needs a hitch, with the vehicle's name"),
        ({"act": "hooks", "hitch": ("zz", "u")}, "units[0].hitch: u: no unit 'zz' here (units: u)"),
        ({"lost": 4, "spent": 3}, "units[0].lost: u: lost is part of spent, so at most 1.5 MP; got 2"),
    ],
)  # fmt: skip
def test_what_a_scene_tells_of_this_mph_holds_together(fields: Any, message: str) -> None:
    """A hitched or manned Gun is there, and what boarding forfeits is spent."""
    with pytest.raises(BadInputError) as error:
        ASL.check_position(place(crossing(), foot(**fields)))
    assert str(error.value) == message
    crew = foot(
        "c", "crew", aboard="u", inherent=True, conveyed=True, act="mans", hitch=("u", "MMG")
    )
    ASL.check_position(place(crossing(), vehicle("u", "spw-251", lost=4, spent=4), crew))


# -- the smallest loads ----------------------------------------------------------------------------


def boarded(kind: UnitType, unit: Any, *others: Any, line: str = "load u v", **fields: Any) -> Any:
    """Return the ruling on a unit boarding a stopped vehicle of some type, with others aboard."""
    carrier = vehicle("v", kind.name, moving=False, **fields)
    return last(place(crossing(), carrier, unit, *others, types=(kind,), year=1943), line)


RIDE = "load u v riding=true"
CARRIER = UnitType(
    name="c", class_="vehicle", column="ft", mp=20, afv=True, carrier=True, open_topped=True
)


@pytest.mark.clause("D6.1d")
@pytest.mark.parametrize(("leaders", "barred"), [(4, set()), (5, {"D6.1c"})])
def test_a_squad_beside_leaders(leaders: int, barred: set[str]) -> None:
    """A squad's 10 PP fill 10 PP; four leaders aboard take none, five take 5.

    Boarding is 28 / 4 = 7 MP.
    """
    kind = UnitType(name="k", class_="vehicle", column="tr", mp=28, truck_type=True, pp=10)
    aboard = [foot(f"l{n}", "leader", aboard="v") for n in range(leaders)]
    ruling = boarded(kind, foot(), *aboard)
    assert bars(ruling) == barred
    assert total(ruling, "v") == 7


@pytest.mark.clause("D6.2f")
@pytest.mark.parametrize(("pp", "barred"), [(4, set()), (5, {"D6.2d"})])
def test_a_squad_rides_with_a_mortar(pp: int, barred: set[str]) -> None:
    """10 PP and a dm mortar of 4 PP are the 14 PP outside; one of 5 PP is too much."""
    mortar = SupportWeapon(name="81mm MTR", pp=pp, mm=81, dm=True)
    assert bars(boarded(RIDDEN, foot(sw=(mortar,)), line=RIDE)) == barred


@pytest.mark.clause("D6.2c")
@pytest.mark.parametrize(("role", "barred"), [("tank", set()), ("tankette", {"D6.2c"})])
def test_a_half_squad_rides(role: str, barred: set[str]) -> None:
    """It can ride on a tank for 12 / 4 = 3 MP, not on a tankette."""
    ruling = boarded(replace(RIDDEN, role=role), foot(kind="half-squad"), line=RIDE)
    assert bars(ruling) == barred
    assert total(ruling, "v") == 3


@pytest.mark.clause("D6.81a")
@pytest.mark.parametrize(("pp", "barred"), [(1, set()), (2, {"D6.1c"})])
def test_leaders_with_sw_in_a_carrier(pp: int, barred: set[str]) -> None:
    """Leaders take no PP, their SW 2 + pp + 1 of 4. Boarding is 20 / 4 = 5 MP."""
    aboard = (
        foot("a", "leader", aboard="v", sw=load(2)),
        foot("b", "leader", aboard="v", sw=load(pp)),
    )
    ruling = boarded(CARRIER, foot(kind="leader", sw=load(1)), *aboard)
    assert bars(ruling) == barred
    assert total(ruling, "v") == 5


@pytest.mark.clause("D6.81b")
@pytest.mark.parametrize(("pp", "barred"), [(1, set()), (2, {"D6.1c"})])
def test_a_leader_in_a_carrier_with_a_mortar(pp: int, barred: set[str]) -> None:
    """It has the printed 1 PP, not 4."""
    kind = replace(CARRIER, main="mortar", pp=1)
    assert bars(boarded(kind, foot(kind="leader", sw=load(pp)))) == barred


@pytest.mark.clause("D6.4k")
@pytest.mark.parametrize(("pp", "barred"), [(1, set()), (2, {"D6.1c"})])
def test_a_half_squad_beside_stowed_sw(pp: int, barred: set[str]) -> None:
    """In 6 PP a half squad's 5 leave room for 1 PP of SW left inside. Boarding is 16 / 4 = 4 MP."""
    ruling = boarded(like("spw-251", pp=6), foot(kind="half-squad"), sw=load(pp))
    assert bars(ruling) == barred
    assert total(ruling, "v") == 4
