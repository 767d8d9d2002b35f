"""Entrenchments, pillboxes and Wire: going beneath them, coming out, and moving between trenches."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.play.offers import offers
from marchtable.reachability.reach import reach
from marchtable.state.position import Counter
from tests.asl.boards import (
    bars,
    cites,
    crossing,
    field,
    foot,
    judge,
    last,
    paid,
    place,
    step,
    total,
    vehicle,
)
from tests.solver.test_reach import check_reach

ROW = field({name: {} for name in ("A1", "B1", "C2", "D2")})


def at(**kinds: str) -> dict[str, Any]:
    """Return a scene's counters, by hex."""
    return {"counters": tuple(Counter(kind=kind, at=name) for name, kind in kinds.items())}


def scene(*units: Any, phase: str = "MPh", board: Any = ROW, **kinds: str) -> Any:
    """Return a position on a row of hexes with these counters."""
    return place(board, *units, phase=phase, **at(**kinds))


def inside(ruling: Any, name: str = "u") -> str:
    """Return the unit's resulting place in its Location."""
    assert ruling.after is not None
    found: str = ruling.after.unit(name).place.inside
    return found


@pytest.mark.clause("B27.1", "B27.4", "B27.13")
def test_into_a_foxhole_and_out_of_it() -> None:
    """Going beneath an entrenchment or pillbox in its hex costs a unit 1 MF, and coming out as much."""
    for kind in ("foxhole", "foxhole-2s", "trench", "pillbox"):
        goes = last(scene(foot(at="A1"), B1=kind), "enter u B1", "shift u beneath")
        assert (total(goes), inside(goes), bars(goes)) == (1, "beneath", set())
        comes = last(scene(foot(at="B1", inside="beneath"), B1=kind), "shift u above")
        assert (total(comes), inside(comes)) == (1, "")
        tired = foot(at="B1", spent=7, used=7, mph="moving")
        assert bars(last(scene(tired, B1=kind), "shift u beneath")) == {"A4.11b"}
        assert not bars(
            last(scene(foot(at="B1", spent=6, used=6, mph="moving"), B1=kind), "shift u beneath")
        )
    for position, to in (
        (scene(foot(at="A1"), B1="foxhole"), "beneath"),
        (scene(foot(at="B1"), B1="foxhole"), "above"),
        (scene(foot(at="B1", inside="beneath"), B1="foxhole"), "beneath"),
        (scene(vehicle(at="B1"), B1="foxhole"), "beneath"),
        (scene(foot(at="B1", kind="cavalry"), B1="foxhole"), "beneath"),
    ):
        assert bars(last(position, f"shift u {to}")) == {"B27.1"}


@pytest.mark.clause("B27.4b", "B27.13b")
def test_leaving_an_entrenchment() -> None:
    """A unit comes out first, and is then above any counter it enters; in the APh it advances out."""
    position = scene(foot(at="A1", inside="beneath"), A1="foxhole", B1="foxhole")
    assert bars(last(position, "enter u B1")) == {"B27.4b"}
    out = last(position, "shift u above", "enter u B1")
    assert (bars(out), inside(out), total(out)) == (set(), "", 1)
    for kind, barred in (("foxhole", set()), ("trench", set()), ("pillbox", {"B27.4b"})):
        late = scene(foot(at="A1", inside="beneath"), phase="APh", A1=kind)
        ruling = last(late, "advance u B1")
        assert bars(ruling) == barred
        assert barred or inside(ruling) == ""


@pytest.mark.clause("B27.12")
@pytest.mark.parametrize(
    ("kind", "most"), [("foxhole", 1), ("foxhole-2s", 2), ("foxhole-3s", 3), ("trench", 3)]
)
def test_capacity(kind: str, most: int) -> None:
    """A foxhole holds a squad, or its stated size, a trench three; plus four SMC."""
    held = [foot(f"h{n}", at="B1", inside="beneath") for n in range(most - 1)]
    smc = [foot(f"s{n}", "leader", at="B1", inside="beneath") for n in range(4)]
    full = foot("f", at="B1", inside="beneath")
    assert not bars(last(scene(foot(at="B1"), *held, *smc, B1=kind), "shift u beneath"))
    assert bars(last(scene(foot(at="B1"), *held, full, B1=kind), "shift u beneath")) == {"B27.12"}
    assert not bars(
        last(scene(foot(at="B1", kind="leader"), *held, full, B1=kind), "shift u beneath")
    )


@pytest.mark.clause("B27.12")
def test_a_foxhole_of_unstated_size() -> None:
    """It holds a squad or, by another reading, three; a foxhole of stated size that many."""
    held = [foot(f"h{n}", at="B1", inside="beneath") for n in range(2)]
    for kind, barred in (("foxhole", set()), ("foxhole-2s", {"B27.12"})):
        position = msgspec.structs.replace(
            scene(foot(at="B1"), *held, B1=kind), readings=(("B27.12", "largest"),)
        )
        assert bars(last(position, "shift u beneath")) == barred
    assert bars(last(scene(foot(at="B1"), *held, B1="foxhole"), "shift u beneath")) == {"B27.12"}


@pytest.mark.clause("B30.111", "B30.42")
def test_pillboxes() -> None:
    """One squad fits any pillbox; no unit moves in or out past an enemy in its hex."""
    held = foot("h", at="B1", inside="beneath")
    assert cites(last(scene(foot(at="B1"), held, B1="pillbox"), "shift u beneath")) == {"B30.111"}
    assert not cites(
        last(scene(foot(at="B1", kind="leader"), held, B1="pillbox"), "shift u beneath")
    )
    foe = foot("e", at="B1", side="russian", disrupted=True)
    out = foot(at="B1", inside="beneath")
    assert not bars(last(scene(out, foe, B1="pillbox"), "shift u above"))
    foe = foot("e", at="B1", side="russian", concealed=True)
    assert bars(last(scene(out, foe, B1="pillbox"), "shift u above")) == {"B30.42"}
    assert not bars(last(scene(out, foe, B1="pillbox", phase="APh"), "shift u above"))
    assert not bars(last(scene(out, foe, B1="trench"), "shift u above"))


@pytest.mark.clause("B27.54", "B27.44")
def test_connecting_trenches() -> None:
    """From trench to trench a hex costs 1 MF in any terrain, doubled uphill; not over a cliff."""
    wooded = field(
        {"A1": {}, "B1": {"terrain": "Woods"}, "C2": {"level": 1}, "D2": {"level": 1}},
        {"A1-B1": {"terrain": "Wall"}, "C2-D2": {"terrain": "Cliff"}},
    )
    kinds = {"A1": "trench", "B1": "trench", "C2": "pillbox"}
    position = scene(foot(at="A1", inside="beneath"), board=wooded, **kinds)
    for line in ("enter u B1", "enter u B1 beneath=true"):
        along = last(position, line)
        assert (total(along), inside(along), bars(along)) == (1, "beneath", set())
    up = last(position, "enter u B1 beneath=true", "enter u C2 beneath=true")
    assert (total(up), inside(up)) == (2, "beneath")
    above = scene(foot(at="A1"), board=wooded, **kinds)
    assert bars(last(above, "enter u B1 beneath=true")) == {"B27.44"}
    assert total(last(above, "enter u B1")) == 3
    two = scene(foot(at="C2", inside="beneath"), board=wooded, C2="trench", D2="trench")
    assert "B27.44" in bars(last(two, "enter u D2 beneath=true"))
    holes = scene(foot(at="A1", inside="beneath"), board=wooded, A1="foxhole", B1="foxhole")
    assert bars(last(holes, "enter u B1 beneath=true")) == {"B27.4b", "B27.44"}
    assert bars(last(scene(foot(at="A1")), "enter u B1 beneath=true")) == {"B27.44"}


@pytest.mark.clause("B27.54")
def test_from_a_trench_to_lower_ground() -> None:
    """From a trench a unit goes straight to lower ground; up into one from there is UNSUPPORTED."""
    slope = field({"A1": {"level": 1}, "B1": {}, "C2": {"level": 1}})
    down = last(scene(foot(at="A1", inside="beneath"), board=slope, A1="trench"), "enter u B1")
    assert (bars(down), inside(down)) == (set(), "")
    assert bars(
        last(scene(foot(at="A1", inside="beneath"), board=slope, A1="foxhole"), "enter u B1")
    ) == {"B27.4b"}


@pytest.mark.clause("B27.6")
def test_up_into_a_trench_from_below() -> None:
    """Only the trench's holders go straight up from lower ground, and the holders are unknown."""
    slope = field({"A1": {"level": 1}, "B1": {}, "C2": {}})
    position = scene(foot(at="B1"), board=slope, A1="trench", C2="trench")
    assert cites(last(position, "enter u A1 beneath=true")) == {"B27.6", "B27.44"}
    assert bars(last(position, "enter u C2 beneath=true")) == {"B27.44"}


@pytest.mark.clause("B27.44", "B27.13b")
def test_an_advance_into_a_foxhole() -> None:
    """An Advance goes straight beneath an entrenchment, and its MF count; into a pillbox it does not."""
    late = scene(foot(at="A1"), phase="APh", B1="foxhole")
    ruling = last(late, "advance u B1 beneath=true")
    assert (bars(ruling), inside(ruling)) == (set(), "beneath")
    assert bars(
        last(scene(foot(at="A1"), phase="APh", B1="pillbox"), "advance u B1 beneath=true")
    ) == {"B27.44"}
    steep = field(
        {"A1": {}, "B1": {"terrain": "Woods"}, "C2": {}, "D2": {}}, {"A1-B1": {"terrain": "Wall"}}
    )
    tiring = scene(foot(at="A1"), phase="APh", board=steep, B1="foxhole")
    for line, cx in (("advance u B1", False), ("advance u B1 beneath=true", True)):
        after = last(tiring, line).after
        assert after is not None
        assert after.unit("u").status.cx is cx


@pytest.mark.clause("A4.7a", "A4.7c", "A4.7e", "B27.1")
def test_an_advance_within_the_hex() -> None:
    """In the APh going beneath a foxhole in its own hex is the unit's Advance, for no MF."""
    late = scene(foot(at="A1"), phase="APh", A1="foxhole")
    assert total(last(late, "shift u beneath")) == 0
    ruling = last(late, "shift u beneath")
    assert (bars(ruling), inside(ruling), total(ruling)) == (set(), "beneath", 0)
    assert bars(last(late, "shift u beneath", "advance u B1")) == {"A4.7c"}
    assert bars(last(scene(foot(at="A1"), phase="RtPh", A1="foxhole"), "shift u beneath")) == {
        "A3.3"
    }


@pytest.mark.clause("B26.4")
def test_units_on_top_of_wire() -> None:
    """From on top of Wire no unit can leave on foot, or advance; from beneath it all can."""
    assert bars(step(scene=at(B1="wire"))) == {"B26.4"}
    assert bars(last(scene(foot(at="A1"), phase="APh", A1="wire"), "advance u B1")) == {"B26.4"}
    beneath = step(scene=at(B1="wire"), inside="beneath")
    assert (bars(beneath), inside(beneath)) == (set(), "")
    assert not bars(step(scene=at(C1="wire")))
    assert not bars(step("ft", scene=at(B1="wire")))


@pytest.mark.clause("B26.4f", "B26.4d", "B26.46")
def test_getting_beneath_wire() -> None:
    """It costs a dr in MF: with fewer left all are spent, and the unit stays on top."""
    position = scene(foot(at="A1"), B1="wire")
    due = last(position, "enter u B1", "get-beneath u")
    assert [(o.outcome, o.chance, o.of) for o in due.obligations[0].outcomes] == [
        (str(dr), 1, 6) for dr in range(1, 7)
    ]
    assert ("B26.4f", "a dr decides what getting beneath costs: 1 to 6 MF") in due.exceptions
    before = last(position, "enter u B1").after
    (offer,) = [
        one for one in offers(before, before.unit("u")).actions
        if one["verb"] == "get-beneath"
    ]  # fmt: skip
    assert not {"cost", "left"} & offer.keys()
    for dr, spent, where, mph in (
        (1, 4, "beneath", "moving"),
        (3, 8, "beneath", "moving"),
        (4, 8, "", "done"),
    ):
        after = last(position, "enter u B1", "get-beneath u", f"settle wire:u {dr}").after
        assert after is not None
        unit = after.unit("u")
        assert (unit.points.spent, unit.place.inside, unit.move.mph) == (spent, where, mph)
    assert not bars(last(position, "enter u B1", "get-beneath u", "settle wire:u 1", "enter u C2"))
    hasty = last(position, "double-time u", "enter u B1", "get-beneath u")
    assert bars(hasty) == {"B26.46"}
    assert bars(last(scene(foot(at="A1")), "get-beneath u")) == {"B27.1"}
    assert bars(last(scene(foot(at="A1"), phase="APh", A1="wire"), "get-beneath u")) == {"A3.3"}


@pytest.mark.clause("B26.4e")
def test_an_entrenchment_beneath_wire() -> None:
    """Whether a unit is in the foxhole or only beneath the Wire above it is unknown."""
    both: dict[str, Any] = {
        "counters": (Counter(kind="wire", at="A1"), Counter(kind="foxhole", at="A1"))
    }
    held = place(ROW, foot(at="A1", inside="beneath"), **both)
    assert cites(last(held, "shift u above")) == {"B26.4e"}
    assert cites(last(held, "enter u B1")) == {"B26.4e", "B27.4b"}
    assert bars(last(place(ROW, foot(at="A1"), **both), "enter u B1")) == {"B26.4"}


def test_a_stack_keeps_its_leader() -> None:
    """A unit that goes beneath it with the leader keeps the bonus; without the leader it is left behind."""
    stack = (foot(at="A1"), foot("l", "leader", at="A1"))
    both = last(
        scene(*stack, B1="foxhole"),
        "enter u,l B1",
        "shift u,l beneath",
        "shift u,l above",
        "enter u,l C2",
    )
    assert (bars(both), both.after and both.after.unit("u").move.leaders) == (set(), ("l",))
    apart = last(scene(*stack, B1="foxhole"), "enter u,l B1", "shift u beneath", "enter l C2")
    assert apart.after is not None
    assert apart.after.unit("u").move.leaders == ()
    assert bars(
        last(scene(*stack, B1="foxhole"), "enter u,l B1", "shift u beneath", "enter u,l C2")
    ) >= {"A4.2b"}


def left(position: Any) -> dict[str, int]:
    """Return the half MF left where a unit gets to."""
    return {at: place.left for at, place in reach(position, ["u"])[0].best().items()}


def test_reach_knows_the_way_out_of_a_foxhole() -> None:
    """By Double Time a squad has 6 MF: one to leave a foxhole; along trenches woods cost 1."""
    hole = scene(foot(at="A1", inside="beneath"), A1="foxhole")
    assert left(hole) == {"A1": 12, "B1": 8, "C2": 6, "D2": 4}
    rough = field({n: {"terrain": "Woods"} for n in ("A1", "B1", "C2", "D2")})
    trench = scene(
        foot(at="A1", inside="beneath"), board=rough, A1="trench", B1="trench", C2="trench"
    )
    assert left(trench) == {"A1": 12, "B1": 10, "C2": 8, "D2": 2}


@pytest.mark.clause("B27.12")
@pytest.mark.parametrize("kind", ["foxhole", "foxhole-2s", "trench"])
def test_reach_knows_the_way_back_into_a_foxhole(kind: str) -> None:
    """A unit returning to its own foxhole is not counted among its occupants."""
    check_reach(scene(foot(at="B1", inside="beneath"), B1=kind), "u")


def test_the_log_of_a_foxhole_is_replayed() -> None:
    """A squad comes out, runs over, and goes in again: 1 MF, 1 and 2, and 1 (B27.4 EX)."""
    woods = field({"A1": {}, "B1": {"terrain": "Woods"}})
    leader = foot(at="A1", kind="leader", inside="beneath")
    verdict = judge(
        scene(leader, board=woods, A1="foxhole", B1="foxhole"),
        "shift u above",
        "enter u B1",
        "shift u beneath",
    )
    assert [total(ruling) for ruling in verdict.rulings] == [1, 2, 1]
    assert [paid(ruling, "B27.4") for ruling in verdict.rulings] == [1, 0, 1]


@pytest.mark.clause("B27.13u")
def test_what_else_is_done_beneath() -> None:
    """Other actions, such as boarding from a foxhole, are UNSUPPORTED; moving, lending or ending is not."""
    truck = vehicle("t", "opel-blitz", at="A1", moving=False)
    beneath = foot(at="A1", inside="beneath")
    assert "B27.13u" in cites(last(scene(beneath, truck, A1="foxhole"), "load u t"))
    for line in ("shift u above", "double-time u", "end u"):
        assert not cites(last(scene(beneath, truck, A1="foxhole"), line))
    assert not cites(last(scene(foot(at="A1"), truck, A1="foxhole"), "load u t"))


@pytest.mark.clause("B27.56", "B27.56b")
def test_an_antitank_ditch() -> None:
    """No vehicle can enter; Infantry goes beneath it, or out, for 2 MF, from ditch to trench for 1."""
    ditch = (Counter(kind="at-ditch", at="C1"), Counter(kind="trench", at="C2"))
    found: dict[str, Any] = {"scene": {"counters": ditch}}
    for column in ("hd", "mc", "ac", "ft", "ht", "tr"):
        assert "B27.56" in bars(step(column, **found))
    assert total(step(**found)) == 1
    assert total(step("cav", **found)) == 2
    board = crossing()
    inside = place(board, foot(at="C1"), counters=ditch)
    down = last(inside, "shift u beneath")
    assert (total(down), down.after.unit("u").place.inside) == (2, "beneath")
    assert total(last(inside, "shift u beneath", "enter u C2 beneath=true")) == 1
    assert total(last(inside, "shift u beneath", "shift u above")) == 2
    assert total(last(place(board, foot(at="C2"), counters=ditch), "shift u beneath")) == 1
    assert bars(
        last(
            place(board, foot(at="C1", spent=5, used=5, mph="moving"), counters=ditch),
            "shift u beneath",
        )
    ) == {"A4.11b"}
    dear = place(crossing(there={"terrain": "Woods"}), foot(), counters=ditch, phase="APh")
    assert last(dear, "advance u C1 beneath=true").after.unit("u").status.cx
    cheap = place(crossing(), foot(), counters=ditch, phase="APh")
    assert not last(cheap, "advance u C1 beneath=true").after.unit("u").status.cx


@pytest.mark.clause("B27.56b")
def test_reach_with_a_ditch() -> None:
    """Reach equals a walk by `rule`."""
    ditch = (Counter(kind="at-ditch", at="C1"), Counter(kind="trench", at="C2"))
    check_reach(place(crossing(), foot(), counters=ditch), "u")
