"""Transport in `options`: what a vehicle keeps, and which unit could board which vehicle where."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.files.notation import parse_action, points
from marchtable.picture.showing import reach_shades
from marchtable.play.options import options
from marchtable.reachability.reach import reach
from tests.asl.boards import ASL, field, foot, judge, last, load, place, vehicle

ROW = field({name: {} for name in ("A1", "A2", "B1", "C1", "D1", "E1", "F1", "G1")})


def truck(**fields: Any) -> Any:
    """Return a stopped truck at B1."""
    return vehicle("t", "opel-blitz", **{"moving": False, **fields})


def stated(position: Any, unit: str) -> dict[str, Any]:
    """Return the options of one unit."""
    (found,) = options(position, unit)["units"]
    return dict(found)


def factors(position: Any, unit: str) -> dict[str, Any]:
    """Return the factor of each entitlement of a unit, False where denied."""
    found = stated(position, unit)["entitlements"]
    return {e["what"]: e["factor"] if e["allowed"] else False for e in found}


def could(position: Any, unit: str) -> list[tuple[str, str, float, str]]:
    """Return a unit's options at the end of its reach."""
    found = stated(position, unit)["reach"]["prospects"]
    return [(e["what"], e["at"], e["left"], e["note"]) for e in found]


@pytest.mark.slow
@pytest.mark.clause("D6.4c")
def test_what_a_vehicle_would_keep() -> None:
    """A quarter for each MF left to the boarder; nothing is reported of a vehicle that cannot be boarded."""
    what = "keep so many MP if boarded with {} MF left"
    found = factors(place(ROW, truck()), "t")
    assert [found[what.format(n)] for n in range(4)] == [0, 7, 14, 21]
    boarded = last(place(ROW, truck(), foot(spent=2, used=2, mph="moving")), "load u t").after
    assert [factors(boarded, "t")[what.format(n)] for n in range(4)] == [0, 7, 14, 14]
    for by in ({"moving": True}, {"spent": 2}, {"mph": "done"}, {"abandoned": True}, {"ti": True},
               {"shocked": True}, {"prep_fired": True}):  # fmt: skip
        assert what.format(1) not in factors(place(ROW, truck(**by)), "t")
    assert what.format(1) not in factors(place(ROW, truck(), phase="AFPh"), "t")
    for year in (1941, 1943):
        tank = factors(place(ROW, vehicle("t", "t-26-m33", moving=False), year=year), "t")
        assert (what.format(1) in tank) is (year == 1943)


@pytest.mark.clause("D6.5a", "D6.5b")
def test_what_leaving_would_cost() -> None:
    """`options` lists how many stacks can still unload, and the MF it costs each."""
    crowd = [foot(name, "half-squad", aboard="t") for name in "abcd"]
    stacks, bill = "be left by so many stacks", "leave its vehicle now for so many MF"
    for spent, count, cost in (
        (0, 4, 1),
        (7, 3, 2),
        (14.5, 1, 4),
        (21, 1, 4),
        (21.5, False, False),
    ):
        half = int(2 * spent)
        by = truck(spent=half, used=half, mph="moving") if half else truck()
        position = place(ROW, by, *crowd)
        assert factors(position, "t")[stacks] == count
        assert factors(position, "a")[bill] == cost
    assert stacks not in factors(place(ROW, truck()), "t")
    assert bill not in factors(place(ROW, truck(), *crowd, phase="AFPh"), "a")


@pytest.mark.clause("D6.4d", "D6.4c")
def test_whom_a_unit_could_board_and_where() -> None:
    """Listed are the boarder's MF left, as Passengers and as Riders, and the vehicle's MP; each as ruled."""
    near = place(ROW, truck(), foot(at="D1"))
    assert could(near, "u") == [("board t", "B1", 1, "u would have 1 MF left, t 7 of 28 MP")]
    after = judge(near, "enter u C1", "enter u B1", "load u t").position
    assert points(ASL.allotment(after, after.unit("t")) - after.unit("t").points.spent) == 7
    assert could(place(ROW, truck(), foot(at="E1")), "u") == [
        ("board t", "B1", 0, "u would have 0 MF left, t 0 of 28 MP")
    ]
    assert could(place(ROW, truck(), foot(at="F1")), "u") == []
    assert could(place(ROW, truck(), foot(at="D1", sw=load(5))), "u") == []
    tank = vehicle("t", "t-26-m33", moving=False)
    outside = place(ROW, tank, foot(at="C1"), year=1943)
    assert could(outside, "u") == [
        ("board t as Riders", "B1", 2, "u would have 2 MF left, t 6 of 12 MP")
    ]
    for by in (truck(moving=True), truck(spent=2), truck(side="russian")):
        assert could(place(ROW, by, foot(at="C1")), "u") == []
    full = [foot(name, aboard="t") for name in "ab"]
    assert could(place(ROW, truck(), *full, foot(at="C1")), "u") == []
    assert could(place(ROW, truck(), foot(at="C1"), phase="DFPh"), "u") == []


@pytest.mark.clause("D6.4d")
def test_who_could_board_a_vehicle() -> None:
    """All units of its side that get there with a MF to spare are listed, requested or not."""
    position = place(ROW, truck(), foot(at="C1"), foot("w", at="G1"), foot("x", aboard="t"))
    assert could(position, "t") == [
        ("be boarded by u", "B1", 2, "u would have 2 MF left, t 14 of 28 MP")
    ]
    side = {unit["unit"]: unit["reach"]["prospects"] for unit in options(position)["units"]}
    assert [e["what"] for e in side["t"]] == ["be boarded by u"]
    assert [e["what"] for e in side["u"]] == ["board t"]
    assert side["w"] == side["x"] == []
    assert could(place(ROW, truck(moving=True), foot(at="C1")), "t") == []


def test_the_picture_tells_whom_a_unit_could_board() -> None:
    """The picture marks the vehicle's place with + and the MF left there; otherwise nothing."""
    shades, label = reach_shades(place(ROW, truck(), foot(at="D1")), "u", "pass")
    assert (shades["B1"], shades["C1"][1]) == ((4.0, "4+"), "5")
    assert label == "MF left (+ it could board, or be boarded)"
    assert reach_shades(place(ROW, truck(moving=True), foot(at="D1")), "u", "pass")[1] == "MF left"


def test_what_boarding_and_leaving_tell() -> None:
    """Each way to board or unload states the MP that the vehicle keeps, and of how many."""
    boards = stated(place(ROW, truck(), foot()), "u")["actions"]
    (entry,) = [a for a in boards if a["verb"] == "load"]
    assert [(d["what"], d["value"]) for d in entry["details"]] == [("MP that t keeps, of 28", 21)]
    leaves = stated(place(ROW, truck(), foot(aboard="t")), "u")["actions"]
    (entry,) = [a for a in leaves if a["verb"] == "unload"]
    assert [d["value"] for d in entry["details"]] == [21]
    starts = stated(place(ROW, truck()), "t")["actions"]
    assert all("details" not in a for a in starts)


def test_reach_as_options_tell_it() -> None:
    """`options` lists the most left in each Location, as reach finds it; on request it is left out."""
    position = place(ROW, truck(), foot(at="D1"))
    for name in ("t", "u"):
        (found,) = reach(position, [name])
        most = {at: points(place.left) for at, place in found.best().items()}
        assert stated(position, name)["reach"]["locations"] == most
        for at, left in most.items():
            lefts = [place.left for place in found.places_at(at)]
            assert lefts == sorted(lefts, reverse=True)
            assert points(lefts[0]) == left
            assert set(found.places_at(at)) == {p for p in found.places if p.at == at}
    assert "reach" not in options(position, reach=False)["units"][0]
    aboard = stated(place(ROW, truck(), foot(aboard="t")), "u")["reach"]
    assert (aboard["locations"], aboard["exact"], aboard["unsupported"]) == (
        {"B1": 4}, False, ["D6.3b"],
    )  # fmt: skip


def test_a_verb_that_is_barred_tells_what_bars_it() -> None:
    """The reason has need and have where they apply: too full, too far, too late."""
    late = place(ROW, truck(spent=44, used=44, mph="moving"), foot(aboard="t"))
    (entry,) = [e for e in stated(late, "u")["barred"] if e["verb"] == "unload"]
    assert "D6.5c" in entry["clauses"]
    spent = last(place(ROW, truck(), foot()), "start t", "stop t").after
    (entry,) = [e for e in stated(spent, "u")["barred"] if e["verb"] == "load"]
    assert (entry["clauses"], entry["need"], entry["have"]) == (["D6.4b"], 0, 2)
    assert ASL.rule(spent, parse_action("load u t", ASL)).violations
