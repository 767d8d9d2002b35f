"""Climbing cliffs (B11.4)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.reachability.reach import reach
from marchtable.rules.generator import legal_actions
from marchtable.state.position import Counter
from marchtable_models.asl.model import UnitType
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

CLIFF: dict[str, Any] = {"terrain": "Cliff"}
UP, DOWN, OFF = "climb u C1 up", "climb u C1 down", "climb u C1 off"
NE = 1


def below(
    *others: Any, height: int = 2, hexside: Any = None, scene: Any = None, **fields: Any
) -> Any:
    """Return a position with u in B1 below a cliff; C1 beyond it lies this many levels up."""
    board = crossing({}, {"level": height}, CLIFF if hexside is None else hexside)
    return place(board, foot(**fields), *others, **(scene or {}))


def on(floor: int, *others: Any, **fields: Any) -> Any:
    """Return a position with u on the cliff, this many levels up."""
    return below(*others, inside="cliff", crest=NE, floor=floor, cx=True, **fields)


def odds(position: Any, line: str = UP) -> dict[str, int]:
    """Return the number of 36 Falling DR for each outcome."""
    (due,) = judge(position, line).rulings[0].obligations
    return {one.outcome: one.chance for one in due.outcomes}


@pytest.mark.clause("B11.4")
def test_who_climbs() -> None:
    """Unwounded Good Order Infantry at a cliff climbs to its top or down to its foot, not in the APh."""
    assert last(below(), UP).status == "LEGAL"
    assert {"climb u C1 up"} == {
        str(choice.action)
        for choice in legal_actions(below())
        if str(choice.action).startswith("climb")
    }
    for position, line in (
        (below(hexside={}), UP), (below(height=0), UP), (below(kind="cavalry"), UP),
        (below(kind="leader", wounded=True), UP), (below(broken=True), UP), (below(berserk=True), UP),
        (below(bypass=1), UP), (below(inside="beneath", scene={"counters": (Counter(kind="foxhole", at="B1"),)}), UP),
        (on(2), UP), (on(0), DOWN), (below(), DOWN), (on(1), "climb u A1 up"),
        (below(scene={"phase": "APh"}), UP), (below(dummy=True, concealed=True), UP),
    ):  # fmt: skip
        assert "B11.4" in bars(last(position, line)), (position.unit("u"), line)
    assert last(on(1), UP).is_legal
    assert last(on(1), DOWN).is_legal
    assert bars(last(below(hexside=CLIFF), "enter u C1")) == {"B11"}


@pytest.mark.clause("B11.41")
def test_the_falling_dr() -> None:
    """It climbs on 9 or less and falls on 12; rain and snow add 1 each; commandos fall on 13 only."""
    assert odds(below()) == {"up": 30, "stays": 5, "eliminated": 1}
    wet: dict[str, Any] = {"stated": {"rain": True, "ground_snow": True}}
    assert odds(below(scene=wet)) == {"up": 21, "stays": 9, "eliminated": 6}
    gurkha = UnitType(name="gurkha", class_="squad", commando=True)
    found = below(kind="gurkha", scene={"types": (gurkha,)})
    assert odds(found) == {"up": 35, "stays": 1}
    assert odds(on(1), DOWN) == {"down": 30, "stays": 5, "eliminated": 1}


@pytest.mark.clause("B11.41b")
def test_what_a_climbing_unit_carries() -> None:
    """A climbing MMC carries 2 PP, a SMC nothing."""
    assert last(below(sw=load(2)), UP).is_legal
    (bar,) = last(below(sw=load(3)), UP).violations
    assert (bar.clause, bar.need, bar.have) == ("B11.41b", 2, 3)
    assert bars(last(below(kind="leader", sw=load(1)), UP)) == {"B11.41b"}
    assert "B11.41b" not in bars(last(below(sw=load(3)), OFF))


@pytest.mark.clause("B11.43")
def test_to_climb_takes_all_mf() -> None:
    """Climbing needs the whole allotment, of which nothing has been spent."""
    found = last(below(), UP)
    assert (total(found), found.after.unit("u").points.final) == (4, "all")
    assert bars(last(below(spent=2, used=2, mph="moving"), UP)) == {"A4.134b"}
    assert bars(judge(below(), UP, "settle climb:u up", "enter u A1").rulings[-1]) >= {"B11.4b"}


@pytest.mark.clause("B11.43b")
def test_where_a_climbing_unit_is() -> None:
    """On the lower side of the cliff, at its own height, CX and in Hazardous Movement."""
    after = last(below(), UP).after.unit("u")
    assert (after.at, after.place.inside, after.place.crest, after.place.floor) == (
        "B1",
        "cliff",
        NE,
        0,
    )
    assert (after.status.cx, after.move.hazardous) == (True, "climbing")
    above = place(crossing({"level": 2}, {}, CLIFF), foot())
    down = last(above, DOWN).after.unit("u")
    assert (down.at, down.place.crest, down.place.floor) == ("C1", 4, 2)
    assert last(above, DOWN, "settle climb:u down").after.unit("u").place.floor == 1


@pytest.mark.clause("B11.43d")
def test_how_it_fares() -> None:
    """It moves one level up or down, stays, or is eliminated with all it carries."""
    for start, line, outcome, floor in (
        (0, UP, "up", 1),
        (1, UP, "up", 2),
        (1, DOWN, "down", 0),
        (1, UP, "stays", 1),
    ):
        assert (
            last(on(start), line, f"settle climb:u {outcome}").after.unit("u").place.floor == floor
        )
    lost = last(on(1, sw=load(1)), UP, "settle climb:u eliminated").after
    assert (lost.unit("u").at, lost.counters) == (None, ())


@pytest.mark.clause("B11.43c")
def test_a_level_of_a_cliff_is_not_overstacked() -> None:
    """Three squads have room on a level; the cost for a fourth there is UNSUPPORTED."""
    up: dict[str, Any] = {"inside": "cliff", "crest": NE, "floor": 1, "cx": True}
    three = [foot(name, **up) for name in "abc"]
    assert last(below(*three[:2]), UP).is_legal
    assert cites(last(below(*three), UP)) == {"B11.43c"}
    assert last(below(*[foot(name, **{**up, "floor": 2}) for name in "abc"]), UP).is_legal
    assert last(below(*three, foot("e", side="german")), "enter e A1").is_legal


@pytest.mark.clause("B11.432")
def test_off_at_the_foot() -> None:
    """At the foot a unit gets off in the APh as its Advance, even though CX."""
    foot_ = on(0)
    assert bars(last(foot_, OFF)) == {"B11.432"}
    advances = last(foot_, "phase APh", OFF)
    assert (advances.status, advances.after.unit("u").place.inside) == ("LEGAL", "")
    assert advances.after.unit("u").status.cx
    assert bars(last(on(1), "phase APh", OFF)) == {"B11.432"}
    assert bars(last(below(), "phase APh", OFF)) == {"B11.432"}
    assert "A4.7c" in bars(judge(foot_, "phase APh", OFF, "advance u A1").rulings[-1])


@pytest.mark.clause("B11.432b", "B11.432c")
def test_over_the_top() -> None:
    """From the cliff's top it advances into any terrain there; not from below, elsewhere, or in the MPh."""
    board = crossing({}, {"level": 2, "terrain": "Woods"}, CLIFF)
    up: dict[str, Any] = {"inside": "cliff", "crest": NE, "floor": 2, "cx": True}
    over = last(place(board, foot(**up)), "phase APh", "advance u C1")
    assert over.status == "LEGAL"
    place_ = over.after.unit("u").place
    assert (over.after.unit("u").at, place_.inside, place_.crest, place_.floor) == (
        "C1",
        "",
        None,
        0,
    )
    assert over.after.unit("u").status.cx
    assert bars(last(on(1), "phase APh", "advance u C1")) == {"A4.72", "B11", "B11.432b"}
    assert "B11.432b" in bars(last(on(2), "phase APh", "advance u A1"))
    assert {"B11.4b", "B11.432b"} <= bars(last(on(2), "enter u C1"))


@pytest.mark.clause("B11.432b", "A4.71", "B23.922")
def test_a_unit_beyond_the_top() -> None:
    """An AFV needs its task check, a squad keeps a fortified building; climbers elsewhere do not count."""
    afv = vehicle("t", "ft-14", at="C1", side="russian", moving=False)
    assert cites(last(on(2, afv), "phase APh", "advance u C1")) == {"A4.71"}
    dares = ("phase APh", "dare u C1", "settle dare:u passed", "advance u C1")
    assert last(on(2, afv), *dares).is_legal
    assert last(on(2, foot("r", at="C1", side="russian")), "phase APh", "advance u C1").is_legal
    house = crossing({}, {"level": 2, "terrain": "Stone Building"}, CLIFF)
    up: dict[str, Any] = {"inside": "cliff", "crest": NE, "floor": 2, "cx": True}
    fort = (Counter(kind="fortified", at="C1"),)
    held = place(house, foot(**up), foot("r", at="C1", side="russian"), counters=fort)
    assert bars(last(held, "phase APh", "advance u C1")) == {"B23.922"}
    free = place(house, foot(**up), foot("r", at="A1", side="russian"), counters=fort)
    assert last(free, "phase APh", "advance u C1").is_legal


@pytest.mark.clause("B11.432d")
def test_smoke_beyond_the_top() -> None:
    """SMOKE pins a unit that advances there; without SMOKE no unit is pinned."""
    assert (
        last(on(2, scene={"smoke": ("C1",)}), "phase APh", "advance u C1")
        .after.unit("u")
        .status.pinned
    )
    assert not last(on(2), "phase APh", "advance u C1").after.unit("u").status.pinned
    assert (
        not last(on(2, scene={"smoke": ("B1",)}), "phase APh", "advance u C1")
        .after.unit("u")
        .status.pinned
    )


@pytest.mark.clause("B11.4b", "B11.4c")
def test_nothing_else_is_done_on_a_cliff() -> None:
    """No moves, declarations, Recovery or transfers on a cliff; a dropped SW is lost."""
    for line in ("enter u A1", "assault u", "double-time u", "load u t"):
        assert "B11.4b" in bars(last(on(1, vehicle("t", "opel-blitz", moving=False)), line))
    assert last(on(1), "end u").is_legal
    two = on(1, foot("v", inside="cliff", crest=NE, floor=1, cx=True), sw=load(1))
    assert "B11.4c" in bars(last(two, "transfer u v SW0"))
    dropped = last(two, "drop u SW0")
    assert (dropped.status, dropped.after.counters) == ("LEGAL", ())


@pytest.mark.clause("B11.434")
def test_a_unit_that_climbs_stays_cx() -> None:
    """At the start of its MPh it is still CX; a unit that has got off is not."""
    later = ("phase APh", "phase MPh side=russian", "phase MPh side=german")
    assert judge(on(1), *later).rulings[-1].after.unit("u").status.cx
    assert not judge(below(cx=True), *later).rulings[-1].after.unit("u").status.cx


def test_states_of_a_climbing_unit() -> None:
    """Scenes state its height and its cliff; a broken unit cannot be there."""
    with pytest.raises(BadInputError, match="eliminated"):
        judge(on(1), "result u broken")
    with pytest.raises(BadInputError, match="does not climb a cliff"):
        judge(on(1), "result u pinned")
    assert judge(below(), "result u pinned").rulings[0].after.unit("u").status.pinned
    for fields in ({"crest": None}, {"crest": 2}, {"floor": 3}):
        result: dict[str, Any] = {"inside": "cliff", "crest": NE, "floor": 1, **fields}
        with pytest.raises(BadInputError, match="cliff"):
            ASL.check_position(below(**result))
    ASL.check_position(on(2))
    (found,) = reach(on(1), ["u"])
    assert (len(found.places), found.unsupported) == (1, ("B11.432b",))
