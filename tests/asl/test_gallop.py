"""Gallop of Cavalry and of wagons."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.reachability.reach import reach
from marchtable.state.records import replace
from marchtable_models.asl.model import SupportWeapon
from marchtable_models.asl.weapons import weapon_of
from tests.asl.boards import (
    allotment,
    bars,
    cites,
    crossing,
    field,
    foot,
    last,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip
from tests.asl.test_bypass import WOODS, patch

ROAD = {"road": "Dirt Road"}
ROW = field({name: {} for name in ("A1", "B1", "C2", "D2", "E3", "F3", "G4", "H4", "I5", "J5")})


def galloping(line: str = "enter u C1", **fields: Any) -> Any:
    """Return the ruling on a step of galloping Cavalry."""
    return step("cav", line, double=16, cx=True, **fields)


@pytest.mark.clause("A13.36a", "A13.36c", "A13.36d")
def test_cavalry_gallops() -> None:
    """8 MF more at the start, 4 later, and CX; once only, and not if CX."""
    unit = foot(kind="cavalry")
    board = crossing()
    start = last(place(board, unit), "gallop u").after
    assert (allotment(start), start.unit("u").status.cx) == (20, True)
    later = last(place(board, unit), "enter u C1", "gallop u").after
    assert allotment(later) == 16
    for fields in ({"cx": True}, {"was_cx": True}, {"double": 8}):
        assert bars(last(place(board, foot(kind="cavalry", **fields)), "gallop u")) == {"A13.36a"}
    for other in (foot(), vehicle()):
        assert bars(last(place(board, other), "gallop u")) == {"A13.36a"}


@pytest.mark.clause("A13.36b")
def test_where_cavalry_does_not_gallop() -> None:
    """Not into woods off a road, marsh, crag, graveyard, deep stream, or by an Abrupt Elevation Change."""
    for terrain in ("Woods", "Light Woods", "Graveyard", "Marsh", "Crags", "Deep Stream"):
        assert "A13.36b" in bars(galloping(there={"terrain": terrain}))
        assert "A13.36b" not in bars(step("cav", there={"terrain": terrain}))
    assert "A13.36b" in bars(galloping(there={"terrain": "Ford"}))
    for level, barred in ((1, False), (2, True)):
        assert ("A13.36b" in bars(galloping(there={"level": level}))) is barred
        assert ("A13.36b" in bars(galloping(here={"level": level}))) is barred
    for terrain in ("Open Ground", "Brush", "Shallow Stream"):
        assert galloping(there={"terrain": terrain}).is_legal
    assert galloping(there={"terrain": "Woods"}, hexside=ROAD).is_legal
    bridge: Any = {"there": {"terrain": "Stone Bridge"}, "hexside": ROAD}
    assert "A13.36b" not in bars(galloping(**bridge))
    one_lane = {"readings": (("B6.431", "one-lane"),)}
    assert "A13.36b" in bars(galloping(scene=one_lane, **bridge))
    assert "A13.36b" not in bars(step("hd", there={"terrain": "Graveyard"}, double=2))


@pytest.mark.clause("A13.36e")
def test_where_no_gallop_is_declared() -> None:
    """Not in a marsh, a deep stream or a Water Obstacle; elsewhere, even in a shallow stream, it can be."""

    def declares(terrain: str, kind: str = "cavalry", **scene: Any) -> Any:
        return bars(
            last(place(crossing({"terrain": terrain}), foot(kind=kind), **scene), "gallop u")
        )

    for terrain in ("Marsh", "Deep Stream"):
        assert declares(terrain) == {"A13.36e"}
    for terrain in ("Open Ground", "Shallow Stream", "Woods"):
        assert declares(terrain) == set()
    assert declares("Shallow Stream", stated={"stream": "deep"}) == {"A13.36e"}


@pytest.mark.clause("D12.4a", "D12.4b", "A13.36c")
def test_a_wagon_gallops() -> None:
    """Half its MF more, only from the start of its MPh; it and its Passengers become CX."""
    wagon = vehicle(kind="hd-12", moving=False)
    rider = foot("p", aboard="u")
    after = last(place(crossing(), wagon, rider), "gallop u").after
    assert (allotment(after), after.unit("u").status.cx, after.unit("p").status.cx) == (
        18,
        True,
        True,
    )
    assert bars(last(place(crossing(), wagon), "turn u SSE", "gallop u")) == {"D12.4a"}
    assert "D12.4a" in bars(last(place(crossing(), vehicle(kind="hd-12", cx=True)), "gallop u"))


@pytest.mark.clause("D6.5a", "D6.5b", "D6.5c")
def test_units_that_leave_a_galloping_wagon() -> None:
    """Its quarters count from its current MF: of 18 MF, 5 for a stack, and 1 MF for each 4.5."""
    fast: dict[str, Any] = {"double": 12, "cx": True, "moving": False, "mph": "moving"}
    for spent, cost, gone in ((9, 5, 2), (10, 5, 3), (27, 5, 4), (28, 0, 0)):
        wagon = vehicle("w", "hd-12", spent=spent, **fast)
        ruling = last(place(crossing(), wagon, foot(aboard="w")), "unload u")
        assert [total(ruling, name) for name in ("w", "u")] == [cost, gone]
        assert ("D6.5c" in bars(ruling)) is (spent > 27)


@pytest.mark.clause("D12.4c", "D12.4d")
def test_when_a_wagon_makes_a_wreck_check() -> None:
    """Where it turns or pays more than 1 MF, except uphill by road; a 6 eliminates it."""
    fast: dict[str, Any] = {"double": 2, "cx": True}
    brush = {"terrain": "Brush"}
    for ruling, due in (
        (step("hd", **fast), False),
        (step("hd", there=brush, **fast), True),
        (step("hd", there={"level": 1}, **fast), True),
        (step("hd", there={"level": 1}, hexside=ROAD, **fast), False),
        (step("hd", "turn u SSE", **fast), True),
        (step("hd", "turn u SSE"), False),
        (step("hd", there=brush), False),
        (step("tr", there=brush, **fast), False),
    ):
        assert ([o.id for o in ruling.obligations] == ["wreck:u"]) is due
    wagon = vehicle(kind="hd-12", **fast)
    position = place(crossing(there=brush), wagon)
    lost = last(position, "enter u C1", "settle wreck:u wrecked")
    assert (lost.status, lost.after.unit("u").at, lost.after.unit("u").move.mph) == (
        "LEGAL", None, "done",
    )  # fmt: skip
    assert last(position, "enter u C1", "settle wreck:u safe").after.unit("u").at == "C1"
    odds = last(position, "enter u C1").obligations[0].outcomes
    assert [(o.outcome, o.chance, o.of) for o in odds] == [("safe", 5, 6), ("wrecked", 1, 6)]


@pytest.mark.clause("D12.4d", "D12.4e", "C10.1d")
def test_who_was_in_a_wrecked_wagon() -> None:
    """Passengers break beside it, their SW malfunction or are lost, as do stowed ones; a Gun is lost."""
    weapons = (SupportWeapon(name="LMG", pp=1), SupportWeapon(name="FT", pp=1, x_number=True))
    wagon = vehicle(kind="hd-12", double=2, cx=True, sw=weapons, towing="g")
    gun = foot("g", "german 37L AT PaK 35/36", towed_by="u")
    board = crossing(there={"terrain": "Brush"})
    position = place(board, wagon, foot("p", aboard="u", cx=True, sw=weapons), gun)
    lines = ("enter u C1", "settle wreck:u wrecked")
    ruling = last(position, *lines)
    assert ruling.is_legal
    lost, man, behind = (ruling.after.unit(name) for name in "upg")
    assert (lost.at, lost.sw, lost.cargo.towing) == (None, (), None)
    assert (behind.at, behind.cargo.towed_by) == (None, None)
    assert (man.at, man.cargo.aboard, man.cargo.conveyed, man.move.mph) == (
        "C1",
        None,
        True,
        "done",
    )
    assert (man.status.broken, man.status.dm, man.status.cx) == (True, True, False)
    assert [(one.name, one.malfunctioned) for one in man.sw] == [("LMG", True)]
    lying = [weapon_of(one.kind) for one in ruling.after.counters if one.at == "C1"]
    assert [(one.name, one.malfunctioned) for one in lying if one] == [("LMG", True)]
    safe = last(position, *lines[:1], "settle wreck:u safe").after
    assert (safe.unit("p").cargo.aboard, safe.unit("p").sw, safe.unit("u").sw) == (
        "u", weapons, weapons,
    )  # fmt: skip
    assert safe.unit("g").cargo.towed_by == "u"
    hero = place(board, vehicle(kind="hd-12", double=2, cx=True), foot("p", "hero", aboard="u"))
    assert cites(last(hero, *lines)) == {"D12.4e"}


@pytest.mark.clause("D6.5l", "A12.151")
def test_a_wagon_is_wrecked_in_bypass() -> None:
    """Its Passengers are at the CAFP, and a concealed enemy in the woods loses concealment."""
    board = patch({**WOODS, "clear": (90,) * 6})
    wagon = vehicle("u", "hd-12", "C1", bypass=0, double=2, cx=True)
    foe = foot("e", at="C1", side="russian", concealed=True)
    position = place(board, wagon, foot("p", at="C1", aboard="u"), foe)
    for outcome, cafp, concealed in (("safe", "", True), ("wrecked", "at", False)):
        after = last(position, "turn u SSE", f"settle wreck:u {outcome}").after
        assert after.unit("p").place.cafp == cafp
        assert after.unit("e").concealment.concealed is concealed


@pytest.mark.clause("D7.1c")
def test_a_wagon_makes_no_ovr() -> None:
    """A wagon cannot announce an OVR; another vehicle can."""
    foe = (foot("e", at="C1", side="russian"),)
    for column, barred in (("hd", True), ("ft", False)):
        ruling = step(column, "enter u C1 overrun=true", others=foe)
        assert ("D7.1c" in bars(ruling)) is barred


@pytest.mark.clause("A13.36d", "D12.4b")
def test_reach_knows_gallop() -> None:
    """Reach includes Gallop: 4 MF more on the way for Cavalry, half for a wagon."""
    rider = foot("u", "cavalry", at="A1", spent=12, used=12, mph="moving", road=False)
    for unit, far, near in (
        (rider, "J5", "cx"), (vehicle("u", "hd-4", at="A1", moving=False, facing="E"), "C2", "cx"),
    ):  # fmt: skip
        fresh = reach(place(ROW, unit), ["u"])[0]
        tired = reach(place(ROW, replace(unit, **{near: True})), ["u"])[0]
        assert far in fresh.best()
        assert len(fresh.best()) >= len(tired.best())
    assert "J5" not in reach(place(ROW, replace(rider, cx=True)), ["u"])[0].best()
    line = ("gallop u", *(f"enter u {name}" for name in list(ROW.index)[1:]))
    assert last(place(ROW, rider), *line).is_legal


@pytest.mark.clause("A13.36a", "A13.36b")
def test_no_gallop_in_bypass() -> None:
    """Gallop cannot be declared in Bypass, nor can a galloping horse begin one; at a walk it can."""
    board = crossing(there={"terrain": "Woods", "clear": (30,) * 6})
    position = place(board, foot(kind="cavalry"))
    assert last(position, "bypass u C1 vertex=E").is_legal
    assert bars(last(position, "gallop u", "bypass u C1 vertex=E")) == {"A13.36b"}
    assert bars(last(position, "bypass u C1 vertex=E", "gallop u")) == {"A13.36a"}


@pytest.mark.clause("A13.36a")
def test_nobody_gallops_a_horse_without_a_rider() -> None:
    """Only ridden horses gallop."""
    horses = foot("h", "horses")
    for rider, barred in ((foot(aboard="h"), set()), (foot(), {"A13.36a"})):
        assert bars(last(place(crossing(), rider, horses), "gallop h")) == barred


@pytest.mark.clause("E1.51c")
@pytest.mark.parametrize(("nvr", "barred"), [(0, {"E1.51c"}), (1, set())])
def test_no_gallop_in_the_dark(nvr: int, barred: set[str]) -> None:
    """With a NVR of 0 neither Cavalry nor a wagon can gallop."""
    for unit in (foot(kind="cavalry", guide="u"), vehicle(kind="hd-12", guide="u")):
        assert bars(last(place(crossing(), unit, nvr=nvr), "gallop u")) == barred


@pytest.mark.clause("A13.36b")
def test_no_gallop_into_a_ford_by_road() -> None:
    """A road changes nothing: a galloping unit cannot enter a ford."""
    ford = {"terrain": "Ford", "depression": "Shallow Stream", "level": -1}
    assert bars(galloping(there=ford, hexside=ROAD)) == {"A13.36b"}
    assert step("cav", there=ford, hexside=ROAD).is_legal


@pytest.mark.clause("D12.4e")
def test_a_passenger_of_a_wrecked_wagon() -> None:
    """It is on foot and broken in Brush, where the wagon was wrecked."""
    wagon = vehicle("u", "wagon", double=2, cx=True)
    position = place(crossing(there={"terrain": "Brush"}), wagon, foot("p", aboard="u", cx=True))
    wrecked = last(position, "enter u C1", "settle wreck:u wrecked")
    assert wrecked.status == "LEGAL"
    man = wrecked.after.unit("p")
    assert (man.at, man.cargo.aboard, man.status.broken) == ("C1", None, True)
