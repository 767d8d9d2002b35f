"""The Advance in the APh."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.files.notation import format_action
from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.reachability.reach import reach
from marchtable.state.goal import Aim, Goal
from tests.asl.boards import (
    bars,
    crossing,
    foot,
    last,
    load,
    place,
    step,
    total,
)  # fmt: skip
from tests.asl.chart_by_hand import low
from tests.asl.walking import LINE, walker

WOODS = {"terrain": "Woods"}
UPHILL = {"terrain": "Woods", "level": 1}


def advance(**fields: Any) -> Any:
    """Return the ruling on an Advance of unit u from B1 to C1."""
    scene = {"phase": "APh", **fields.pop("scene", {})}
    return step("inf", "advance u C1", scene=scene, **fields)


@pytest.mark.clause("A4.7a")
def test_when_units_advance() -> None:
    """A unit advances in the APh of its own Player Turn, and in no other phase."""
    assert advance().status == "LEGAL"
    assert bars(step("inf", "advance u C1")) == {"A4.7a"}
    assert bars(advance(scene={"side": "russian"})) == {"A4.7a"}


@pytest.mark.clause("A4.7b")
def test_who_advances() -> None:
    """Infantry can advance even after firing or moving, but not if TI, broken or pinned; vehicles cannot."""
    assert advance(prep_fired=True).status == advance(mph="done").status == "LEGAL"
    assert bars(advance(ti=True)) == {"A4.7b"}
    assert bars(advance(broken=True)) == {"A10.4"}
    assert bars(advance(pinned=True)) == {"A7.8a"}
    assert bars(step("tr", "advance u C1", scene={"phase": "APh"})) >= {"A4.7b"}


@pytest.mark.clause("A4.7b")
@pytest.mark.parametrize(("reading", "legal"), [
    (None, False), ("infantry", False), ("cavalry-too", True),
])  # fmt: skip
def test_cavalry_advances_if_the_register_says_so(*, reading: str | None, legal: bool) -> None:
    """By default Cavalry cannot advance; Infantry always can."""
    scene = {"readings": (("A4.7b", reading),) if reading else ()}
    for kind in ("cavalry", "squad"):
        found = advance(kind=kind, scene=scene)
        assert bars(found) == (set() if legal or kind == "squad" else {"A4.7b"})


@pytest.mark.clause("A4.7c")
def test_a_unit_advances_once() -> None:
    """A unit advances once per APh, by one Location."""
    aph = place(LINE, walker(), phase="APh")
    assert bars(last(aph, "advance u B1", "advance u C2")) == {"A4.7c"}
    next_turn = ("phase RPh side=russian", "phase RPh side=german", "phase APh")
    assert last(aph, "advance u B1", *next_turn, "advance u C2").status == "LEGAL"
    assert set(reach(aph, ["u"])[0].best()) == {"A1", "B1"}
    assert set(reach(last(aph, "advance u B1").after, ["u"])[0].best()) == {"B1"}
    moved = place(LINE, walker())
    walked = [f"enter u {name}" for name in ("B1", "C2", "D2", "E3")]
    assert last(moved, *walked, "phase APh", "advance u F3").status == "LEGAL"


@pytest.mark.clause("A4.7e")
def test_an_advance_spends_nothing() -> None:
    """An Advance spends no MF, whatever the terrain."""
    for there in ({}, WOODS, UPHILL):
        ruling = advance(there=there)
        assert (ruling.status, total(ruling), ruling.after.unit("u").points.spent) == (
            "LEGAL",
            0,
            0,
        )


@pytest.mark.clause("A4.72")
def test_difficult_terrain() -> None:
    """An Advance of 4 MF or of a unit's whole MF makes it CX; a CX unit or one without MF cannot."""

    def cx(**fields: Any) -> bool:
        ruling = advance(**fields)
        assert ruling.status == "LEGAL"
        return bool(ruling.after.unit("u").status.cx)

    assert cx(there=UPHILL)
    assert cx(there=UPHILL, kind="leader")
    assert not cx(there=WOODS)
    assert cx(there=WOODS, sw=load(5))  # all of its 2 MF
    assert not cx(there=WOODS, sw=load(4))
    assert cx(there=WOODS, sw=load(4), double=4, inexperienced=True)  # Double Time does not count
    assert bars(advance(there=UPHILL, cx=True)) == {"A4.72"}
    assert advance(there=WOODS, cx=True).status == "LEGAL"
    assert bars(advance(sw=load(7))) == {"A4.72"}
    assert advance(sw=load(6)).after.unit("u").status.cx
    road = {"road": "Dirt Road"}
    assert cx(sw=load(6), hexside=road)  # no road bonus in the APh


@pytest.mark.clause("A4.72", "A4.12c")
def test_a_leader_helps_an_advance() -> None:
    """3 MF are an Inexperienced squad's whole allotment, but not with a leader."""
    wall = crossing({}, {**WOODS}, {"terrain": "Wall"})
    alone = place(wall, foot(inexperienced=True), phase="APh")
    assert last(alone, "advance u C1").after.unit("u").status.cx
    led = place(wall, foot(inexperienced=True), foot("l", "leader"), phase="APh")
    assert not last(led, "advance u,l C1").after.unit("u").status.cx


@pytest.mark.clause("B16.4")
def test_what_is_not_entered_in_the_aph() -> None:
    """A unit cannot advance into marsh or water, whatever else is there."""
    for name in ("Marsh", "River"):
        assert "B16.4" in bars(advance(there={"terrain": name}))
        assert "B16.4" not in bars(step(there={"terrain": name}))
    by_road = advance(there={"terrain": "Marsh"}, hexside={"road": "Dirt Road"})
    assert "B16.4" not in bars(by_road)
    assert "B16.4" not in bars(advance(there=WOODS))


@pytest.mark.clause("A4.14", "A4.15")
def test_an_advance_on_the_enemy() -> None:
    """A unit can advance into an enemy's Location, be the enemy Known, concealed or a lone SMC."""
    foe: dict[str, Any] = {"side": "russian", "at": "C1"}
    for enemy in (foot("e", **foe), foot("e", "leader", **foe), foot("e", concealed=True, **foe)):
        found = advance(others=(enemy,))
        assert (found.status, found.obligations, found.after.unit("u").at) == ("LEGAL", (), "C1")
        assert step(others=(enemy,)).status != "LEGAL" or step(others=(enemy,)).obligations


@pytest.mark.clause("B3.4d")
def test_an_advance_does_not_touch_the_road_bonus() -> None:
    """An Advance is outside the MPh: the bonus is not mentioned."""
    assert advance(there=WOODS).effects == ()


@pytest.mark.clause("A4.72")
def test_an_advance_across_a_cactus_hedge() -> None:
    """A Location enterable only by Minimum Move is Difficult Terrain: CX, and not for a CX unit."""
    cactus = {"hexside": {"terrain": "Cactus Hedge"}}
    over = advance(**cactus)
    assert (over.status, over.after.unit("u").status.cx) == ("LEGAL", True)
    assert bars(advance(cx=True, **cactus)) == {"A4.72"}
    hedge = advance(cx=True, hexside={"terrain": "Hedge"})
    assert hedge.is_legal


@pytest.mark.clause("A4.7e")
def test_reach_and_plans_of_a_unit_that_advances() -> None:
    """Each adjacent Location is reached for 0 MF, as the referee agrees; the plan is to advance."""
    position = place(LINE, foot("u"), phase="APh")
    (found,) = reach(position, ["u"])
    assert found.locations == {"A1", "B1", "C2"}
    assert {at.spent for at in found.places} == {0}
    for at in found.places:
        assert len(found.replay(at)) == (at.at != "B1")
    goal = Goal(aims=(Aim(units=("u",), at=("C2",), must="all"),))
    done = plan(position, goal)
    assert done.status == "OPTIMAL"
    assert [*map(format_action, done.plans[0].log)] == ["advance u C2"]
    assert why(position, done.plans[0].log).status == "LEGAL"


@pytest.mark.clause("A4.72")
def test_smoke_makes_no_terrain_difficult() -> None:
    """SMOKE costs and their uphill doubling do not count; only the terrain does."""
    smoke: dict[str, Any] = {"scene": {"smoke": ("C1",)}}
    hedge = {"hexside": {"terrain": "Hedge"}}
    for fields in ({"there": WOODS, **hedge}, {"there": {"level": 1}, **hedge}):
        clear = advance(**fields, **smoke)
        assert (clear.status, clear.after.unit("u").status.cx) == ("LEGAL", False)
    assert advance(there=UPHILL, **smoke).after.unit("u").status.cx
    assert bars(advance(there=UPHILL, cx=True, **smoke)) == {"A4.72"}


@pytest.mark.clause("A4.72", "B20.43")
@pytest.mark.parametrize(("reading", "found"), [("exempt", set()), ("barred", {"A4.72"})])
def test_a_cx_unit_advances_into_a_deep_stream(reading: str, found: set[str]) -> None:
    """Deep streams are excepted under the register's reading; other Difficult Terrain is not."""
    scene = {"readings": (("A4.72", reading),)}
    deep = low("Deep Stream")
    assert bars(advance(there=deep, cx=True, scene=scene)) == found
    fresh = advance(there=deep, scene=scene)
    assert (fresh.status, fresh.after.unit("u").status.cx) == ("LEGAL", True)
    assert bars(advance(there=UPHILL, cx=True, scene=scene)) == {"A4.72"}


@pytest.mark.clause("A3.3", "A4.42d", "A4.42b", "A4.42c")
def test_ipc_is_lent_for_an_advance() -> None:
    """The worked example: 5 PP leave a squad 2 MF; a leader's bonus and IPC raise that to 5."""
    squad, ldr = foot(sw=load(5)), foot("l", "leader")
    position = place(crossing({}, WOODS), squad, ldr, phase="APh")
    assert last(position, "advance u C1").after.unit("u").status.cx
    led = last(position, "lend l u", "advance u,l C1")
    assert (led.status, led.receipts[0].left, led.after.unit("u").status.cx) == (
        "LEGAL",
        2 * 5,
        False,
    )
    assert bars(last(position, "lend l u", "advance u C1")) == {"A4.42c"}
    assert bars(last(place(crossing(), squad, ldr, phase="DFPh"), "lend l u")) == {"A3.3"}
