"""Manhandling: which units push a Gun, the cost, and the DR (C10.3)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    bars,
    cites,
    field,
    foot,
    judge,
    last,
    load,
    paid,
    place,
    total,
    vehicle,
)

SMALL = UnitType(name="37L", class_="gun", mm=37, m_number=12, qsu=True, small=True)
HEAVY = UnitType(name="heavy", class_="gun", mm=75, m_number=8)
UNSTATED = UnitType(name="unstated", class_="gun", mm=75, qsu=True)
ROAD = {"road": "Dirt Road"}
ROW = field({n: {} for n in ("A1", "B1", "C2", "D2")})


def gun(kind: str = "37L", at: str = "A1", **fields: Any) -> Any:
    """Return a Gun."""
    return foot("g", kind, at=at, **fields)


def crew(name: str = "u", at: str = "A1", kind: str = "crew", **fields: Any) -> Any:
    """Return a crew."""
    return foot(name, kind, at=at, **fields)


def scene(*units: Any, board: Any = ROW, **fields: Any) -> Any:
    """Return a position with Guns."""
    return place(board, *units, types=(SMALL, HEAVY, UNSTATED), **fields)


def chances(ruling: Any) -> dict[str, int]:
    """Return the outcomes of the Manhandling DR, of 36."""
    (due,) = ruling.obligations
    return {odds.outcome: odds.chance for odds in due.outcomes}


@pytest.mark.clause("C10.3b", "C10.3a")
def test_a_gun_across_the_open() -> None:
    """A hex costs double MF; with M12 and 2 MF a DR of 9 goes on, of 10 stops, of 11 fails."""
    ruling = last(scene(crew(), gun()), "push u g B1")
    assert (total(ruling), paid(ruling, "C10.3b"), bars(ruling)) == (2, 1, set())
    assert chances(ruling) == {"goes": 30, "stops": 3, "fails": 3}
    tired = crew(spent=5, used=5, mph="moving")
    assert bars(last(scene(tired, gun()), "push u g B1")) == {"A4.11b"}
    assert not bars(last(scene(crew(spent=4, used=4, mph="moving"), gun()), "push u g B1"))


@pytest.mark.clause("C10.3a")
def test_what_adds_to_the_dr() -> None:
    """TEM and MF, the road, Mud, more hands and Labor."""
    house = field({"A1": {}, "B1": {"terrain": "Stone Building"}})
    assert chances(last(scene(crew(), gun(), board=house), "push u g B1")) == {
        "goes": 6,
        "stops": 4,
        "fails": 26,
    }
    hedge = field({"A1": {}, "B1": {"terrain": "Woods"}}, {"A1-B1": {"terrain": "Hedge"}})
    leader = crew(kind="squad", spent=0)
    assert bars(last(scene(leader, gun(), board=hedge), "push u g B1")) == {"A4.11b"}
    road = field({"A1": {}, "B1": {"terrain": "Woods"}}, {"A1-B1": ROAD})
    assert chances(last(scene(crew(), gun(), board=road), "push u g B1"))["goes"] == 35
    mud = scene(crew(), gun(), stated={"mud": True})
    assert chances(last(mud, "push u g B1")) == {"goes": 10, "stops": 5, "fails": 21}
    some = [crew(f"c{n}") for n in range(6)]
    with_heavy = gun("heavy", limbered=True)
    for helpers, goes in ((0, 10), (1, 15), (4, 30), (5, 21)):
        names = ",".join(("u", *(one.id for one in some[:helpers])))
        assert chances(last(scene(crew(), *some, with_heavy), f"push {names} g B1"))["goes"] == goes
    assert chances(last(scene(crew(kind="squad"), with_heavy), "push u g B1"))["goes"] == 15
    assert chances(last(scene(crew(), with_heavy), "push u g B1 labor=2"))["goes"] == 21


@pytest.mark.clause("C10.3")
def test_who_pushes_what() -> None:
    """A crew's worth of unladen Good Order units on foot pushes its own limbered or QSU Gun."""
    for unit, piece in (
        (crew(), gun(at="B1")),
        (crew(), gun("heavy")),
        (crew(), gun(side="russian")),
        (crew(), gun(ti=True)),
        (crew(kind="leader"), gun()),
        (crew(sw=load(1)), gun()),
        (crew(assault=True), gun()),
        (crew(kind="cavalry"), gun()),
    ):
        assert "C10.3" in bars(last(scene(unit, piece), "push u g B1"))
    assert not bars(last(scene(crew(), gun("heavy", limbered=True)), "push u g B1"))
    assert not bars(last(scene(crew(kind="half-squad"), gun()), "push u g B1"))
    assert "C10.3" in bars(last(scene(crew(), vehicle("g", "opel-blitz", at="A1")), "push u g B1"))
    assert bars(last(scene(crew(pinned=True), gun()), "push u g B1")) >= {"C10.3", "A7.8a"}
    assert bars(last(scene(crew(), gun()), "push u g D2")) == {"A4.1b"}


@pytest.mark.clause("C10.3d", "B23.423")
def test_where_a_gun_goes() -> None:
    """Not into a deep stream; into a building only a small one, unless size is unstated."""
    stream = field(
        {"A1": {}, "B1": {"terrain": "Deep Stream", "level": -1, "depression": "Deep Stream"}}
    )
    assert "C10.3d" in bars(last(scene(crew(), gun(), board=stream), "push u g B1"))
    house = field({"A1": {}, "B1": {"terrain": "Wooden Building"}})
    assert cites(last(scene(crew(), gun("heavy", limbered=True), board=house), "push u g B1")) == {
        "B23.423"
    }
    assert not cites(last(scene(crew(), gun(), board=house), "push u g B1"))
    assert cites(last(scene(crew(), gun("unstated")), "push u g B1")) == {"B23.423"}


@pytest.mark.clause("B6.44b")
def test_no_gun_is_pushed_onto_a_foot_bridge() -> None:
    """It can be pushed onto a pontoon bridge, and motorcycles onto either."""
    bikes = UnitType(name="bikes", class_="motorcycle", column="mc", mounts=1, m_number=12)
    for kind, gun_barred in (("Foot Bridge", {"B6.44b"}), ("Pontoon Bridge", set())):
        bridge = field({"A1": {}, "B1": {"terrain": kind}})
        assert bars(last(scene(crew(), gun(), board=bridge), "push u g B1")) == gun_barred
        found = foot("g", "bikes", at="A1")
        pair = place(bridge, crew(kind="leader"), found, types=(bikes,))
        assert "B6.44b" not in bars(last(pair, "push u g B1"))


@pytest.mark.clause("C10.3f")
@pytest.mark.parametrize(
    ("outcome", "at", "mph"),
    [("goes", "B1", "moving"), ("stops", "B1", "done"), ("fails", "A1", "done")],
)
def test_how_it_comes_out(outcome: str, at: str, mph: str) -> None:
    """Above the M# all stay, at it they go no farther, below it they can go on."""
    position = scene(crew(), crew("v"), crew("w"), gun())
    after = last(position, "push u,v g B1", f"settle push:u {outcome}").after
    assert after is not None
    assert [(after.unit(name).at, after.unit(name).move.mph) for name in "uvg"] == [(at, mph)] * 3
    assert (after.unit("w").at, after.unit("w").move.mph) == ("A1", "unmoved")
    assert [after.unit(name).status.ti for name in "uvgw"] == [True, True, True, False]
    assert after.unit("u").move.hazardous == "push-gun"


@pytest.mark.clause("C10.3e")
def test_what_is_done_after_it() -> None:
    """A unit that has pushed a Gun can only push it on, and cannot advance."""
    position = scene(crew(), gun())
    done = ("push u g B1", "settle push:u goes")
    assert not bars(last(position, *done, "push u g C2"))
    assert bars(last(position, *done, "enter u C2")) >= {"C10.3e"}
    assert bars(last(position, *done, "phase APh", "advance u C2")) == {"A4.7b"}
    assert not bars(last(position, *done, "end u"))
    assert not bars(last(scene(crew(), gun()), "enter u B1"))


@pytest.mark.clause("C10.3c")
def test_no_road_bonus() -> None:
    """A crew's 4 MF push a Gun only two hexes by road."""
    board = field(
        {n: {} for n in ("A1", "B1", "C2", "D2")}, {"A1-B1": ROAD, "B1-C2": ROAD, "C2-D2": ROAD}
    )
    position = scene(crew(), gun(), board=board)
    first = ("push u g B1", "settle push:u goes", "push u g C2", "settle push:u goes")
    assert bars(last(position, *first, "push u g D2")) == {"A4.11b"}
    after = last(position, *first).after
    assert after is not None
    assert after.unit("u").move.road is False


@pytest.mark.clause("C10.3g")
def test_a_gun_does_not_move_by_itself() -> None:
    """Its own move is not judged: push names its movers."""
    assert "C10.3g" in cites(judge(scene(crew(), gun()), "enter g B1").rulings[0])
    assert not cites(judge(scene(crew(), gun()), "push u g B1").rulings[0])


CYCLES = tuple(
    UnitType(name=f"cycles{n}", class_="motorcycle", column="mc", mp=28, mounts=n, m_number=12)
    for n in (1, 2, 3)
)


def cycles(number: int, *men: Any, line: str = "push u m B1") -> Any:
    """Return the ruling on pushing a counter of this many motorcycles."""
    board = field({n: {} for n in ("A1", "B1", "C2")})
    machine = vehicle("m", f"cycles{number}", at="A1", facing="E", moving=False)
    return last(place(board, machine, *men, types=CYCLES), line)


@pytest.mark.clause("C10.3", "C10.3a")
def test_motorcycles_are_pushed_as_a_gun() -> None:
    """By as many as ride them: one by a SMC, with another's help; a ridden one cannot be pushed."""
    assert cycles(3, crew(kind="squad")).status == "LEGAL"
    assert bars(cycles(3, crew(kind="half-squad"))) == {"C10.3"}
    assert cycles(2, crew(kind="half-squad")).status == "LEGAL"
    assert bars(cycles(2, crew(kind="leader"))) == {"C10.3"}
    assert chances(cycles(1, crew(kind="leader")))["goes"] == 30
    both = crew(kind="leader"), crew("l", kind="leader")
    assert chances(cycles(1, *both, line="push u,l m B1"))["goes"] == 33
    ridden = crew("r", kind="leader", aboard="m", riding=True)
    assert "C10.3" in bars(cycles(1, crew(kind="leader"), ridden))


@pytest.mark.clause("C10.3f")
def test_where_the_motorcycles_are_then() -> None:
    """They go along, or stay with the units that pushed them."""
    gone = cycles(2, crew(kind="half-squad"))
    assert last(gone.after, "settle push:u goes").after.unit("m").at == "B1"
    after = last(gone.after, "settle push:u fails").after
    assert (after.unit("m").at, after.unit("u").at) == ("A1", "A1")
