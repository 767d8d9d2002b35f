"""Boarding vehicles: which units, when, for how many MF and MP; and being aboard."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.files.notation import points
from marchtable.reachability.reach import reach
from marchtable.rules.clause import without
from marchtable.rules.generator import legal_actions
from marchtable.state.position import Counter
from marchtable_models.asl.model import UnitType, actors
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    crossing,
    field,
    foot,
    judge,
    last,
    load,
    paid,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip
from tests.asl.trucks import ROW, left, loading, truck

# -- boarding --------------------------------------------------------------------------------------


@pytest.mark.clause("D6.4d")
def test_boarding_costs_one_mf_in_the_vehicles_location() -> None:
    """1 MF in the same Location: 1 MF left is just enough; from another Location, never."""
    assert total(loading(foot())) == 1
    assert loading(foot(spent=6, used=6, mph="moving")).is_legal
    assert bars(loading(foot(spent=7, used=7, mph="moving"))) == {"A4.11b"}
    assert bars(loading(foot(at="C1"))) == {"D6.4d"}
    assert "D6.4d" in bars(loading(foot(), by=truck(side="russian")))
    assert "D6.4d" in bars(loading(foot(), foot("v"), line="load u v"))
    other = vehicle("v", "opel-blitz", moving=False)
    assert bars(loading(foot(aboard="v"), other)) == {"D6.3b", "D6.4d"}
    after = loading(foot()).after.unit("u")
    assert (after.cargo.aboard, after.cargo.riding, after.cargo.conveyed, after.at) == (
        "t",
        False,
        True,
        "B1",
    )


@pytest.mark.clause("D8.11")
def test_an_immobilized_truck_that_is_empty_is_a_wreck() -> None:
    """It cannot be boarded, nor a Gun hooked to it; a loaded, armed or armored one is no wreck."""
    assert bars(loading(foot(), by=truck(immobile=True))) == {"D8.11"}
    assert loading(foot(), foot("v", "half-squad", aboard="t"), by=truck(immobile=True)).is_legal
    laden = truck(immobile=True, sw=load(1))
    assert "D8.11" not in bars(loading(foot(), by=laden))
    assert loading(foot(), by=vehicle("t", "spw-251", moving=False, immobile=True)).is_legal
    left_alone = judge(place(ROW, truck(immobile=True), foot(aboard="t")), "unload u").rulings[-1]
    assert left_alone.is_legal
    fresh = left_alone.after.unit("u")
    assert fresh.cargo.aboard is None
    unarmed = UnitType(name="gun", class_="gun", mm=75, m_number=11, qsu=True)
    units = (truck(immobile=True), foot("g", "gun"), foot("c", "crew"))
    assert bars(last(place(ROW, *units, types=(unarmed,)), "hook t g c")) == {"D8.11"}
    towed = (truck(immobile=True, towing="g"), foot("g", "gun", towed_by="t"), foot("c", "crew"))
    assert last(place(ROW, *towed, types=(unarmed,)), "unhook t c").is_legal
    assert last(place(ROW, *towed, types=(unarmed,)), "load c t").is_legal


@pytest.mark.clause("D6.4a", "D6.4b", "D6.5r")
def test_a_vehicle_is_boarded_while_it_stands() -> None:
    """It must be stopped with nothing spent, not even a Stop; a Stunned one cannot be boarded."""
    assert "D6.4a" in bars(loading(foot(), by=truck(moving=True)))
    assert bars(loading(foot(), by=truck(spent=2, used=0))) == {"D6.4b"}
    assert bars(loading(foot(), by=truck(spent=1, used=1))) == {"D6.4b"}
    stopped = judge(place(ROW, truck(moving=True), foot()), "stop t", "load u t")
    assert bars(stopped.rulings[-1]) == {"D6.4b"}
    assert "D6.5r" in bars(loading(foot(), by=truck(stunned=True)))


@pytest.mark.clause("D6.4c")
@pytest.mark.parametrize(
    ("mp", "spent", "reading", "kept"),
    [
        (28, 0, "half", 21), (28, 1, "half", 14), (28, 2, "half", 7), (28, 3, "half", 0),
        (21, 0, "half", 15.5), (21, 0, "down", 15), (21, 0, "up", 16), (21, 2, "half", 5),
        (21, 2, "up", 6), (21, 1.5, "half", 7.5), (21, 1.5, "down", 7), (16, 1.5, "half", 6),
    ],
)  # fmt: skip
def test_mp_kept_after_loading(mp: int, spent: float, reading: str, kept: float) -> None:
    """A quarter of the MP for each MF left to the boarder, rounded as the register says."""
    half = int(2 * spent)
    unit = foot(spent=half, used=half, mph="moving" if half else "unmoved")
    position = place(ROW, truck(f"tr-{mp}"), unit)
    kinds = tuple(msgspec.structs.replace(k, pp=10) for k in position.conditions.types)
    conditions = msgspec.structs.replace(position.conditions, types=kinds)
    readings = (("D6.4c", reading),)
    position = msgspec.structs.replace(position, conditions=conditions, readings=readings)
    ruling = last(position, "load u t")
    assert left(ruling) == kept


@pytest.mark.clause("D6.4c", "D6.4i")
def test_of_several_boarders_one_counts() -> None:
    """The one that has spent most counts, then the one with fewest MF left, together or one by one."""
    moved = foot("m", spent=4, used=4, mph="moving")
    laden = foot("l", sw=load(5), mph="moving")
    units = (foot(mph="moving"), moved, laden)
    for first, second in (("u", "m"), ("m", "u")):
        ruling = last(place(ROW, truck(), *units), f"load {first} t", f"load {second} t")
        assert left(ruling) == 7
    assert left(loading(*units, line="load u,m t")) == 7
    assert left(loading(*units, line="load u,l t", by=truck("zis-5"))) == 5
    most = place(ROW, truck("zis-5"), *units, readings=(("D6.4i", "most"),))
    assert left(last(most, "load u,l t")) == 15.5
    for first, second in (("u", "l"), ("l", "u")):
        position = place(ROW, truck("zis-5"), *units)
        assert left(last(position, f"load {first} t", f"load {second} t")) == 5
    assert left(last(most, "load l t", "load u t")) == 15.5


@pytest.mark.clause("D6.4c")
def test_no_vehicle_gains_by_being_boarded() -> None:
    """A boarder with more than 4 MF left, as without A4.11c, leaves it at most all its MP."""
    with without("A4.11c", "D15.4"):
        ruling = loading(foot("u", "leader"))
        assert ruling.after.unit("u").cargo.conveyed
        assert ruling.after.unit("t").points.boarder_left > 8
        assert ruling.after.unit("t").points.spent == ruling.after.unit("t").points.lost == 0


@pytest.mark.clause("D6.4c")
@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_the_order_of_boarding_does_not_matter(order: tuple[str, str]) -> None:
    """The one with 2 MF spent and 2 left counts: half is kept, though a laden one has 1 left."""
    units = (
        foot("a", sw=load(5), mph="moving"),
        foot("b", "leader", spent=2, used=2, mph="moving"),
    )
    ruling = last(place(ROW, truck(), *units), *(f"load {name} t" for name in order))
    assert (ruling.is_legal, left(ruling)) == (True, 14)


@pytest.mark.clause("D6.4i", "D6.4c", "A4.42b", "A4.42c")
def test_the_worked_example_of_loading() -> None:
    """HS with 2 PP: half is kept; squad with 5 PP: none; helped by an unladen SMC: a quarter."""
    hs = foot(kind="half-squad", at="C1", sw=load(2))
    there = place(ROW, truck(), hs)
    assert left(last(there, "enter u B1", "load u t")) == 14
    squad = foot(at="C1", sw=load(5))
    assert left(last(place(ROW, truck(), squad), "enter u B1", "load u t")) == 0
    position = place(ROW, truck(), squad, foot("s", "leader", at="C1"))
    lines = ("lend s u", "enter u,s B1", "load u,s t")
    ruling = last(position, *lines)
    assert left(ruling) == 7
    assert points(ASL.allotment(ruling.after, ruling.after.unit("s"))) - 2 == 2
    assert bars(judge(position, *lines[:2], "load u t").rulings[-1]) == {"A4.42c"}


@pytest.mark.clause("D6.4e")
def test_no_loading_in_the_aph() -> None:
    """Neither boarding nor unloading in the APh; in other phases it is not the MPh."""
    assert bars(loading(foot(), phase="APh")) == {"D6.4e"}
    position = place(ROW, truck(), foot(aboard="t"), phase="APh")
    assert bars(judge(position, "unload u").rulings[-1]) == {"D6.4e"}
    assert "A3.3" in bars(loading(foot(), phase="AFPh"))


@pytest.mark.clause("D6.4h")
def test_no_leader_bonus_for_a_unit_that_boards() -> None:
    """The MF of the bonus do not help to board; the SMC, too, has four."""
    pair = (foot(at="D1", spent=0), foot("s", "leader", at="D1", nationality=""))
    row = field({name: {} for name in ("A1", "B1", "C1", "D1", "E1", "F1", "G1")})
    far = tuple(msgspec.structs.replace(u, at="E1") for u in pair)
    four = judge(
        place(row, truck(), *far), "enter u,s D1", "enter u,s C1", "enter u,s B1", "load u,s t"
    )
    assert four.rulings[-1].is_legal
    assert left(four.rulings[-1]) == 0
    far = tuple(msgspec.structs.replace(u, at="F1") for u in pair)
    lines = ("enter u,s E1", "enter u,s D1", "enter u,s C1", "enter u,s B1", "load u t")
    five = judge(place(row, truck(), *far), *lines)
    assert bars(five.rulings[-1]) == {"A4.11b"}


@pytest.mark.clause("A4.11c")
def test_four_mf_for_all_who_are_conveyed() -> None:
    """SMC have four, and wounded and Inexperienced units rise to four."""
    for fields in (
        {"kind": "leader"}, {"kind": "leader", "wounded": True}, {"inexperienced": True}, {},
    ):  # fmt: skip
        assert allotment(place(ROW, truck(), foot(conveyed=True, **fields))) == 4
        assert allotment(place(ROW, truck(), foot(aboard="t", **fields))) == 4
    assert allotment(place(ROW, truck(), foot(kind="leader"))) == 6
    assert allotment(place(ROW, truck(), foot(aboard="t", sw=load(5)))) == 4
    assert allotment(place(ROW, truck(), foot(conveyed=True, sw=load(5)))) == 2


@pytest.mark.clause("A4.11c")
def test_no_road_bonus_for_a_unit_that_boards() -> None:
    """Three road hexes and boarding leave no MP; with the bonus a quarter would remain."""
    road = field(
        {name: {} for name in ("B1", "C1", "D1", "E1")},
        {pair: {"road": "Dirt Road"} for pair in ("B1-C1", "C1-D1", "D1-E1")},
    )
    lines = ("enter u D1", "enter u C1", "enter u B1", "load u t")
    for readings, kept in (((), 0), ((("A4.11c", "bonus"),), 7)):
        position = place(road, truck(), foot(at="E1"), readings=readings)
        assert left(last(position, *lines)) == kept


@pytest.mark.clause("A4.5e")
def test_no_double_time_around_conveyance() -> None:
    """Neither before boarding nor after unloading."""
    doubled = judge(place(ROW, truck(), foot()), "double-time u", "load u t")
    assert bars(doubled.rulings[-1]) == {"A4.5e"}
    assert bars(step(line="double-time u", conveyed=True)) == {"A4.5e"}


@pytest.mark.clause("D6.1c", "D6.2d")
def test_no_vehicle_is_overloaded_by_loading() -> None:
    """A third squad does not fit in a truck, nor a second one on a tank."""
    aboard = (foot("a", aboard="t"), foot("b", aboard="t"))
    assert loading(foot(), aboard[0]).is_legal
    assert bars(loading(foot(), *aboard)) == {"D6.1c"}
    tank = vehicle("t", "t-26-m33", moving=False)
    rider = foot("a", aboard="t", riding=True)
    conditions = msgspec.structs.replace(place(ROW).conditions, year=1943)
    line = "load u t riding=true"
    assert loading(foot(), by=tank, line=line, conditions=conditions).is_legal
    assert bars(loading(foot(), rider, by=tank, line=line, conditions=conditions)) == {"D6.2d"}


def test_loading_is_offered_as_a_joint_choice() -> None:
    """Units of a Location are chosen one by one; only those that fit are offered."""
    position = place(ROW, truck("kfz-1"), foot("a"), foot("b", "half-squad"), foot("s", "leader"))
    offered = [c for c in legal_actions(position, "b") if type(c.action).__name__ == "Load"]
    found = {(actors(c.action), c.closes, c.joins) for c in offered}
    assert found == {(("b",), True, ("s",))}
    assert not [c for c in legal_actions(position, "a") if type(c.action).__name__ == "Load"]


# -- aboard ----------------------------------------------------------------------------------------


@pytest.mark.clause("D6.3b")
def test_a_unit_that_is_aboard_goes_along() -> None:
    """A Passenger cannot walk; it is where its vehicle is, also after a Bog Check at a hedge."""
    position = place(ROW, vehicle("t", "opel-blitz"), foot(aboard="t"))
    assert bars(judge(position, "enter u C1").rulings[0]) == {"D6.3b"}
    assert last(position, "enter t C1").after.unit("u").at == "C1"
    hedge = crossing(hexside={"terrain": "Hedge"})
    for reading, at in (("left", "B1"), ("entered", "C1")):
        position = place(
            hedge, vehicle("t", "spw-251"), foot(aboard="t"), readings=(("D8.21c", reading),)
        )
        position = msgspec.structs.replace(position, readings=(("D8.21c", reading),))
        after = judge(position, "enter t C1", "settle bog-hexside:t bogged").position
        assert (after.unit("t").at, after.unit("u").at) == (at, at)
        after = judge(position, "enter t C1", "settle bog-hexside:t mobile").position
        assert after.unit("u").at == "C1"


@pytest.mark.clause("A5.11a", "A5.11b")
def test_passengers_do_not_overstack_their_location() -> None:
    """Units aboard do not count for stacking; enemies aboard still count as present."""
    crowd = tuple(foot(f"p{n}", at="C1", aboard="t") for n in range(2))
    here = (foot("a", at="C1"), foot("b", at="C1"))
    parked = truck(at="C1")
    assert total(step(others=(parked, *crowd, *here))) == 1
    enemy = (
        truck("gaz-mm", at="C1", side="russian"),
        foot("e", at="C1", side="russian", aboard="t"),
    )
    assert bars(step(others=enemy)) == {"A4.14"}
    assert step(others=enemy[:1]).is_legal


def test_a_new_mph_starts_afresh() -> None:
    """Losses by loading, and being conveyed, end with the MPh."""
    ruling = loading(foot())
    fresh = judge(ruling.after, "phase RPh side=russian", "phase MPh side=german").position
    assert (
        fresh.unit("t").points.lost,
        fresh.unit("t").points.boarder_spent,
        fresh.unit("u").cargo.conveyed,
    ) == (
        0,
        0,
        False,
    )
    assert paid(ruling, "D6.4d") == 1


@pytest.mark.clause("D6.3b")
def test_reach_of_a_unit_that_is_aboard() -> None:
    """A Passenger alone has no reach; the answer says its vehicle might, or the unit on foot."""
    position = place(ROW, truck(), foot(aboard="t"))
    (found,) = reach(position, ["u"])
    assert (set(found.best()), found.is_exact, found.unsupported) == ({"B1"}, False, ("D6.3b",))
    (driven,) = reach(position, ["t"])
    assert set(driven.best()) > {"B1", "C1"}
    assert all(ruling.is_legal for ruling in driven.replay(driven.best()["C1"]))
    after = last(position, "unload u").after
    (afoot,) = reach(after, ["u"])
    assert (set(afoot.best()), afoot.is_exact) == (set(ROW.index), True)


@pytest.mark.clause("D6.31a")
def test_a_unit_that_is_aboard_recovers_nothing() -> None:
    """Only Infantry can recover SW in the Location, in the RPh and in the MPh."""
    lies = Counter(kind="sw 3 MG", at="B1")

    def recovering(who: str, phase: str) -> set[str]:
        units = (truck(), foot(aboard="t"), foot("w"))
        return bars(last(place(ROW, *units, counters=(lies,), phase=phase), f"recover {who} MG"))

    for phase in ("RPh", "MPh"):
        assert recovering("u", phase) == {"D6.31a"}
        assert recovering("w", phase) == set()


@pytest.mark.clause("D6.31b")
def test_a_unit_that_is_aboard_hands_sw_on() -> None:
    """To units in the vehicle, and out of it while stopped; never into it, nor to another vehicle."""

    def handing(line: str, **by: Any) -> set[str]:
        units = (
            foot(aboard="t", sw=load(1)), foot("v", aboard="t"), foot("w", sw=load(1)),
            vehicle("n", "opel-blitz", moving=False), foot("x", aboard="n"),
        )  # fmt: skip
        return bars(last(place(ROW, truck(**by), *units, phase="RPh"), line))

    assert handing("transfer u v SW0") == handing("transfer u v SW0", moving=True) == set()
    assert handing("transfer u w SW0") == set()
    assert handing("transfer u w SW0", moving=True) == {"D6.31b"}
    assert handing("transfer u x SW0") == handing("transfer w v SW0") == {"D6.31b"}


@pytest.mark.clause("D6.2e")
def test_sw_handed_from_inside_to_outside_must_fit_there() -> None:
    """A lone Rider on a halftrack can take two PP from a Passenger, not three."""

    def handing(pp: int) -> set[str]:
        units = (foot(aboard="t", sw=load(pp)), foot("s", "leader", aboard="t", riding=True))
        position = place(ROW, truck("spw-251"), *units, phase="RPh", year=1943)
        return bars(last(position, "transfer u s SW0"))

    assert (handing(2), handing(3)) == (set(), {"D6.2e"})


@pytest.mark.clause("D6.5n", "D6.31a")
def test_sw_left_in_a_vehicle() -> None:
    """Units on foot, Riders, and other vehicles' Passengers cannot recover them; its own can in the RPh."""
    halftrack = truck("spw-251", sw=load(2))
    other = vehicle("n", "opel-blitz", moving=False)
    units = (
        foot("p", "half-squad", aboard="t"), foot("r", "leader", aboard="t", riding=True),
        foot("w"), other, foot("x", aboard="n"),
    )  # fmt: skip
    position = place(ROW, halftrack, *units, phase="RPh", year=1943)
    assert bars(last(position, "recover w SW0")) == {"D6.5n"}
    for who in ("r", "x"):
        assert bars(last(position, f"recover {who} SW0")) == {"D6.5n", "D6.31a"}
    assert bars(last(position, "recover w SW9")) == {"A4.44a"}
    got = last(position, "recover p SW0", "settle recover:p recovered").after
    assert ([w.name for w in got.unit("p").sw], got.unit("t").sw) == (["SW0"], ())
    failed = last(position, "recover p SW0", "settle recover:p failed").after
    assert (failed.unit("p").sw, failed.unit("t").sw) == ((), load(2))
    moving = place(ROW, halftrack, *units, year=1943)
    assert cites(last(moving, "recover p SW0")) == {"D6.5n"}


@pytest.mark.clause("D6.31a", "D6.5n")
def test_of_two_like_sw_a_passenger_recovers_that_in_his_vehicle() -> None:
    """One lies on the ground, one in the halftrack: each is for units in its place."""
    lies = Counter(kind="sw 1 SW0", at="B1")
    units = (truck("spw-251", sw=load(2)), foot("p", aboard="t"), foot("w"))
    position = place(ROW, *units, phase="RPh", counters=(lies,))
    own = last(position, "recover p SW0", "settle recover:p recovered").after
    assert (own.unit("p").sw, own.unit("t").sw, own.counters) == (load(2), (), (lies,))
    beside = last(position, "recover w SW0", "settle recover:w recovered").after
    assert (beside.unit("w").sw, beside.unit("t").sw, beside.counters) == (load(1), load(2), ())


@pytest.mark.clause("A12.2c")
def test_a_unit_that_boards_shares_concealment_with_the_vehicle() -> None:
    """If both are concealed they stay so; otherwise neither is, nor a companion."""

    def hidden(line: str, *, by: bool, **units: bool) -> list[bool]:
        crowd = [foot(name, "half-squad", concealed=found) for name, found in units.items()]
        after = last(place(ROW, truck(concealed=by), *crowd), line).after
        return [after.unit(name).concealment.concealed for name in ("t", *units)]

    assert hidden("load u t", by=True, u=True) == [True, True]
    assert hidden("load u t", by=False, u=True) == [False, False]
    assert hidden("load u t", by=True, u=False) == [False, False]
    assert hidden("load u,w t", by=True, u=True, w=False) == [False, False, False]


@pytest.mark.clause("D6.4d", "D6.1c")
def test_a_unit_that_is_aboard_already_is_not_counted_twice() -> None:
    """A squad in a halftrack of 15 PP does not lack room there to board it again."""
    again = loading(foot(aboard="t"), by=truck("spw-251"))
    assert bars(again) == {"D6.3b", "D6.4d"}


@pytest.mark.clause("D6.1c")
def test_sw_of_the_inherent_crew_lie_inside() -> None:
    """A Rider cannot transfer a SW to a tank's crew if it would lie where no PP are printed."""
    units = (
        truck("t-26-m33"), foot("r", "leader", aboard="t", riding=True, sw=load(1)),
        foot("c", "crew", aboard="t", inherent=True),
    )  # fmt: skip
    assert bars(last(place(ROW, *units, phase="RPh", year=1943), "transfer r c SW0")) == {"D6.1c"}


@pytest.mark.clause("D6.5a")
def test_a_unit_aboard_nothing_cannot_leave() -> None:
    """The unit is named once."""
    (only,) = last(place(ROW, truck(), foot()), "unload u").violations
    assert (only.clause, only.units) == ("D6.5a", ("u",))
