"""Upper levels of buildings, stairwells, rowhouses and Fortified Buildings."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.state.position import Counter
from marchtable_models.asl.unittype import SupportWeapon
from tests.asl.boards import ASL, bars, cites, field, foot, last, paid, place, step, total, vehicle

HOUSE = {"terrain": "Stone Building, 1 Level", "clear": (0,) * 6}
TOWER = {"terrain": "Stone Building, 2 Level", "clear": (0,) * 6}
BLOCK = field({
    "A1": HOUSE, "B1": HOUSE, "C2": {}, "D2": {**TOWER, "stairway": True}, "E3": TOWER,
    "F3": {"terrain": "Stone Building", "clear": (0,) * 6},
})  # fmt: skip


def up(name: str = "u", at: str = "A1", floor: int = 1, **fields: Any) -> Any:
    """Return a unit upstairs."""
    return foot(name, at=at, inside="upstairs", floor=floor, **fields)


def scene(*units: Any, phase: str = "MPh", board: Any = BLOCK, **fields: Any) -> Any:
    """Return a position among houses; `stated` are conditions."""
    return place(board, *units, phase=phase, stated=fields)


def whereabouts(ruling: Any, name: str = "u") -> tuple[str, str, int]:
    """Return the unit's resulting place."""
    assert ruling.after is not None
    unit = ruling.after.unit(name)
    return (unit.at, unit.place.inside, unit.place.floor)


@pytest.mark.clause("B23.4", "B23.421")
def test_up_and_down_the_stairs() -> None:
    """Each level costs 1 MF; a unit that enters can go up at once, and leaves from ground level."""
    log = ("enter u B1", "stairs u up")
    ruling = last(scene(foot(at="C2")), *log)
    assert (total(ruling), whereabouts(ruling), bars(ruling)) == (1, ("B1", "upstairs", 1), set())
    down = last(scene(foot(at="C2")), *log, "stairs u down")
    assert (total(down), whereabouts(down)) == (1, ("B1", "", 0))
    tired = foot(at="A1", spent=7, used=7, mph="moving")
    assert bars(last(scene(tired), "stairs u up")) == {"A4.11b"}
    assert not bars(last(scene(foot(at="A1", spent=6, used=6, mph="moving")), "stairs u up"))


@pytest.mark.clause("B23.23")
def test_where_there_are_stairs() -> None:
    """A Two Story House has stairs in every hex, a higher building only where a stairwell is printed.

    Stairs lead to existing levels only, and not for vehicles.
    """
    assert not bars(last(scene(foot(at="A1")), "stairs u up"))
    assert not bars(last(scene(foot(at="D2")), "stairs u up", "stairs u up"))
    for unit, to in (
        (foot(at="E3"), "up"), (foot(at="C2"), "up"), (foot(at="F3"), "up"), (up(), "up"),
        (foot(at="A1"), "down"), (up(at="D2", floor=2), "up"), (up(at="E3"), "down"),
        (vehicle(at="A1"), "up"),
    ):  # fmt: skip
        assert "B23.23" in bars(last(scene(unit), f"stairs u {to}"))


def test_nobody_takes_the_stairs_off_the_map() -> None:
    """A unit off the map, or in no building, cannot use stairs."""
    for found in ({"entering": ("A1",)}, {"exited": True}):
        assert last(scene(foot(at=None, **found)), "stairs u up").status == "ILLEGAL"


@pytest.mark.clause("B23.422")
def test_moving_about_upstairs() -> None:
    """On an upper level a unit can move to that level of the same building, at ground cost."""
    along = last(scene(up()), "enter u B1")
    assert (total(along), whereabouts(along), bars(along)) == (2, ("B1", "upstairs", 1), set())
    assert bars(last(scene(up(at="B1")), "enter u C2")) == {"B23.422"}
    assert bars(last(scene(up(at="E3")), "enter u F3")) == {"B23.422"}
    assert not bars(last(scene(up(at="D2", floor=2)), "enter u E3"))
    apart = field({"A1": {**HOUSE, "clear": (9,) * 6}, "B1": HOUSE})
    assert bars(last(scene(up(), board=apart), "enter u B1")) == {"B23.422"}
    wall = field({"A1": HOUSE, "B1": HOUSE}, {"A1-B1": {"terrain": "Rowhouse Wall"}})
    assert "B23.422" in bars(last(scene(up(), board=wall), "enter u B1"))
    assert "B23.422" in bars(last(scene(up()), "exit u"))
    assert not bars(last(scene(up(), phase="APh"), "advance u B1"))


@pytest.mark.clause("B23.25")
def test_where_the_board_does_not_tell() -> None:
    """Whether hexes at two levels, or of an unmeasured board, are one building is UNSUPPORTED."""
    for there in ({"terrain": HOUSE["terrain"]}, {**HOUSE, "level": 1}):
        board = field({"A1": HOUSE, "B1": there})
        assert cites(last(scene(up(), board=board), "enter u B1")) == {"B23.25"}
        assert not cites(last(scene(foot(at="A1"), board=board), "enter u B1"))


@pytest.mark.clause("B23.4u")
def test_what_else_is_done_upstairs() -> None:
    """On an unstated level no action is judged; on others only movement is."""
    assert cites(last(scene(up(floor=0)), "enter u B1")) >= {"B23.4u"}
    assert not cites(last(scene(up()), "enter u B1"))
    assert cites(
        last(scene(up(), vehicle("t", "opel-blitz", at="A1", moving=False)), "load u t")
    ) >= {"B23.4u"}
    assert not cites(last(scene(up()), "end u"))


@pytest.mark.clause("A4.14", "B23.42")
def test_who_is_met() -> None:
    """Enemies bar only their own level; concealed ones up the stairs are UNSUPPORTED."""
    above, below = up("e", side="russian"), foot("f", at="A1", side="russian")
    assert not bars(last(scene(foot(at="B1"), above), "enter u A1"))
    assert bars(last(scene(foot(at="B1"), below), "enter u A1")) == {"A4.14"}
    assert bars(last(scene(up(at="B1"), above), "enter u A1")) == {"A4.14"}
    assert not bars(last(scene(up(at="B1"), below), "enter u A1"))
    assert bars(last(scene(foot(at="A1"), above), "stairs u up")) == {"A4.14"}
    assert not bars(last(scene(foot(at="A1"), above, phase="APh"), "stairs u up"))
    hidden = up("e", side="russian", concealed=True)
    assert cites(last(scene(foot(at="A1"), hidden), "stairs u up")) == {"B23.42"}
    assert not cites(last(scene(foot(at="A1"), hidden, phase="APh"), "stairs u up"))


@pytest.mark.clause("A5.11a")
def test_stacking_by_level() -> None:
    """Each level has its own stacking limit."""
    three = [up(f"f{n}") for n in range(3)]
    assert total(last(scene(foot(at="B1"), *three), "enter u A1")) == 2
    assert total(last(scene(foot(at="A1"), *three), "stairs u up")) == 2


@pytest.mark.clause("A4.7c", "A4.7a")
def test_an_advance_to_another_level() -> None:
    """An Advance goes one level up or down, or across, not both; in no other phase."""
    late = scene(foot(at="A1"), phase="APh")
    ruling = last(late, "stairs u up")
    assert (bars(ruling), whereabouts(ruling)) == (set(), ("A1", "upstairs", 1))
    assert bars(last(late, "stairs u up", "advance u B1")) == {"A4.7c"}
    assert bars(last(scene(foot(at="A1"), phase="RtPh"), "stairs u up")) == {"A3.3"}


@pytest.mark.clause("A4.2b")
def test_a_stack_on_two_levels() -> None:
    """Units of two levels cannot move as a stack."""
    assert bars(last(scene(foot(at="A1"), up("v")), "enter u,v B1")) >= {"A4.2b"}
    both = last(scene(foot(at="A1"), foot("l", "leader", at="A1")), "stairs u,l up")
    assert (bars(both), whereabouts(both, "l")) == (set(), ("A1", "upstairs", 1))


ROWHOUSE = {"terrain": "Rowhouse Wall"}


@pytest.mark.clause("B23.71")
def test_from_rowhouse_to_rowhouse() -> None:
    """Infantry pays 3 MF, or 1 for going round the wall; no extra where it is breached, or both are rubble."""
    kinds: dict[str, Any] = {"here": HOUSE, "there": HOUSE, "hexside": ROWHOUSE}
    assert total(step(**kinds)) == 3
    assert bars(step(left=2.5, **kinds)) == {"A4.11b"}
    assert not bars(step(left=3, **kinds))
    breach = {"counters": (Counter(kind="breach-NE", at="B1"),)}
    assert total(step(scene=breach, **kinds)) == 2
    rubble = tuple(Counter(kind="stone-rubble", at=name) for name in ("B1", "C1"))
    assert paid(step(scene={"counters": rubble}, **kinds), "B23.71") == 0
    assert "B23.71" in bars(step("ht", **kinds))


@pytest.mark.clause("B23.711")
def test_through_a_rowhouse_wall() -> None:
    """An AFV's effect on it, and hexes of two levels, are UNSUPPORTED."""
    kinds: dict[str, Any] = {"here": HOUSE, "there": HOUSE, "hexside": ROWHOUSE}
    assert "B23.711" in cites(step("ft", bu=True, **kinds))
    assert "B23.711" in cites(step(**{**kinds, "there": {**HOUSE, "level": 1}}))
    assert not cites(step(**kinds))


@pytest.mark.clause("B23.922", "B23.911")
def test_fortified_buildings() -> None:
    """An able squad, or two half squads, keeps enemies out, in the APh too, except through a Breach."""
    counters = (Counter(kind="fortified", at="C1"),)
    held: dict[str, Any] = {"counters": counters, "phase": "APh"}
    line = "advance u C1"
    squad, half = (foot("e", kind, at="C1", side="russian") for kind in ("squad", "half-squad"))
    for others, barred in (
        ((squad,), {"B23.922"}),
        ((half,), set()),
        ((half, foot("f", "half-squad", at="C1", side="russian")), {"B23.922"}),
        (
            (half, foot("f", "crew", at="C1", side="russian")),
            {"B23.922"},
        ),  # it counts as one (A5.5)
        ((foot("e", at="C1", side="russian", broken=True),), set()),
        ((foot("e", at="C1", side="russian", pinned=True),), set()),
        ((), set()),
    ):
        assert bars(step(line=line, there=HOUSE, others=others, scene=held)) == barred
    assert not bars(step(line=line, there=HOUSE, others=(squad,), scene={"phase": "APh"}))
    breached = {**held, "counters": (*counters, Counter(kind="breach-SW", at="C1"))}
    assert not bars(step(line=line, there=HOUSE, others=(squad,), scene=breached))
    hidden = foot("e", at="C1", side="russian", concealed=True)
    assert cites(step(line=line, there=HOUSE, others=(hidden,), scene=held)) == {"B23.911"}
    assert not cites(step(line=line, there=HOUSE, others=(squad,), scene=held))


def test_a_floor_is_upstairs() -> None:
    """A unit stated to be on a level counts as upstairs."""
    with pytest.raises(BadInputError, match=r"units\[0\]\.floor"):
        ASL.check_position(scene(foot(at="A1", floor=1)))
    ASL.check_position(scene(up()))


def test_a_picture_tells_the_level() -> None:
    """The counter of a unit upstairs, or beneath a Fortification, says so."""
    units = (up(), foot("b", at="B1", inside="beneath"), foot("c", at="C2"))
    position = scene(*units)
    assert [signs(position, unit) for unit in units] == [["L1"], ["IN"], []]


def signs(position: Any, unit: Any) -> list[str]:
    """Return a counter's labels."""
    return [mark.sign for mark in ASL.marker(position, unit)["marks"]]


def test_counters_show_sw_and_what_marks_them() -> None:
    """A counter shows its unit's SW and broken state; a SW that lies is named."""
    armed = foot(
        "a",
        at="A1",
        sw=(SupportWeapon(name="MMG", pp=5), SupportWeapon(name="DC", pp=1)),
        broken=True,
    )
    assert signs(scene(armed), armed) == ["BRK", "MMG", "DC"]
    lying = (ASL.lying("sw 5,dm HMG"), ASL.lying("foxhole"))
    assert [one["text"] for one in lying] == ["dm HMG", "foxhole"]


ROOFS: dict[str, Any] = {"rooftops": True}


@pytest.mark.clause("B23.23", "B23.421")
def test_up_to_the_rooftop() -> None:
    """If a scenario says so, one level above the last, without a printed stairwell; no higher."""
    assert bars(last(scene(up()), "stairs u up")) == {"B23.23"}
    found = last(scene(up(), **ROOFS), "stairs u up")
    assert (total(found), whereabouts(found)) == (1, ("A1", "upstairs", 2))
    assert bars(last(scene(up(floor=2), **ROOFS), "stairs u up")) == {"B23.23"}
    down = last(scene(up(floor=2), **ROOFS), "stairs u down")
    assert (bars(down), whereabouts(down)) == (set(), ("A1", "upstairs", 1))
    # the last level has a way up though none is printed; those below it do not
    assert not bars(last(scene(up(at="E3", floor=2), **ROOFS), "stairs u up"))
    assert bars(last(scene(up(at="E3", floor=1), **ROOFS), "stairs u up")) == {"B23.23"}
    assert bars(last(scene(foot(at="F3"), **ROOFS), "stairs u up")) == {"B23.23"}


@pytest.mark.clause("B23.422", "B23.8")
def test_over_the_rooftops() -> None:
    """To a rooftop of the same building at that height for 2 MF; over a rowhouse's wall UNSUPPORTED."""
    found = last(scene(up(floor=2), **ROOFS), "enter u B1")
    assert (total(found), whereabouts(found)) == (2, ("B1", "upstairs", 2))
    assert bars(last(scene(up(floor=2)), "enter u B1")) == {"B23.422"}
    assert bars(last(scene(up(at="B1", floor=2), **ROOFS), "enter u C2")) == {"B23.422"}
    row = field({"A1": HOUSE, "B1": HOUSE}, {"A1-B1": {"terrain": "Rowhouse Wall, 1 Level"}})
    over = last(scene(up(floor=2), board=row, **ROOFS), "enter u B1")
    assert (over.status, "B23.8" in cites(over)) == ("UNSUPPORTED", True)
    assert bars(last(scene(up(floor=1), board=row, **ROOFS), "enter u B1")) == {"B23.422"}


@pytest.mark.clause("B23.87")
def test_rooftops_that_are_not_modelled() -> None:
    """Factory rooftops are UNSUPPORTED, and concealed units on or going to a rooftop."""
    hall = field({"A1": {"terrain": "Stone Factory, 1.5 Level"}, "B1": HOUSE})
    result: dict[str, Any] = {"stated": {"rooftops": True}}
    found = last(place(hall, foot(at="A1"), **result), "stairs u up")
    assert ("B23.87" in cites(found), found.violations) == (True, ())
    for unit, line in (
        (up(at="B1", concealed=True), "stairs u up"),
        (up(at="B1", floor=2, concealed=True), "stairs u down"),
    ):
        assert cites(last(place(hall, unit, **result), line)) == {"B23.87"}
    assert not cites(last(place(hall, up(at="B1"), **result), "stairs u up"))
    assert not cites(last(place(hall, up(at="B1", concealed=True), **result), "stairs u down"))
