"""Assault and Hazardous Movement, FFNAM and FFMO, Green and Conscript troops, and limits on stacks."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.play.options import options
from marchtable.reachability.reach import reach
from marchtable.rules.clause import without
from marchtable.state.position import Counter
from tests.asl.boards import (
    allotment,
    bars,
    cites,
    crossing,
    foot,
    judge,
    last,
    load,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip
from tests.asl.chart_by_hand import low
from tests.asl.test_bypass import walk as walk_round
from tests.asl.walking import LINE, walk, walker

WOODS = {"terrain": "Woods"}
UPHILL = {"terrain": "Woods", "level": 1}
ROAD = {"road": "Dirt Road"}


@pytest.mark.clause("A4.61a")
def test_who_declares_assault_movement() -> None:
    """Infantry declares Assault Movement once, before it moves."""
    assert step("inf", "assault u").status == "LEGAL"
    assert step("inf", "assault u").after.unit("u").move.assault
    assert not step("inf", "double-time u").after.unit("u").move.assault
    assert bars(step("inf", "assault u", mph="moving")) == {"A4.61a"}
    assert bars(step("inf", "assault u", assault=True)) == {"A4.61a"}
    assert bars(step("tr", "assault u")) == {"A4.61a"}
    assert bars(last(place(LINE, walker()), "enter u B1", "assault u")) == {"A4.61a"}


@pytest.mark.clause("A4.61a")
def test_what_costs_no_mf_may_come_before_or_after_a_declaration() -> None:
    """A free Recovery, a task check, a dropped SW or lent IPC can come before or after the declaration."""
    broken, hero = walker("b", broken=True, sw=load(1)), foot("e", "hero", at="B1", side="russian")
    chief, men = walker("u", "leader"), walker("v", sw=load(1))
    for units, free in (
        ((chief, broken), ("recover u SW0", "settle recover:u recovered")),
        ((walker("u"), hero), ("dare u B1", "settle dare:u passed")),
        ((walker("u", sw=load(1)),), ("drop u SW0",)), ((chief, men), ("lend u v",)),
    ):  # fmt: skip
        for declares in ("assault u", "double-time u"):
            first, later = (
                judge(place(LINE, *units), *log) for log in ((*free, declares), (declares, *free))
            )
            assert first.status == later.status == "LEGAL"
            assert first.position.unit("u") == later.position.unit("u")


@pytest.mark.clause("A4.61a")
@pytest.mark.parametrize(("reading", "barred"), [("mf", {"A4.61a"}), ("entry", set())])
def test_assault_movement_after_a_recovery_that_costs_mf(reading: str, barred: set[str]) -> None:
    """By register spent MF count as movement, or only an entry does; before any, Recovery is fine."""
    tries = ("recover u LMG", "settle recover:u recovered")
    lmg = (Counter(kind="sw 1 LMG", at="A1"),)
    position = place(LINE, walker(), counters=lmg, readings=(("A4.61a", reading),))
    assert bars(last(position, *tries, "assault u")) == barred
    assert last(position, "assault u", *tries, "enter u B1").is_legal
    assert bars(last(position, "enter u B1", "assault u")) == {"A4.61a"}


@pytest.mark.clause("A4.61b")
def test_assault_movement_leaves_mf() -> None:
    """Uphill woods take all 4 MF of a squad, which is too many; 3½ of the 4 are not."""
    barred = step(there=UPHILL, assault=True)
    (said,) = barred.violations
    assert (said.clause, said.need, said.have) == ("A4.61b", 2 * 4.5, 2 * 4)
    assert step(there=UPHILL).status == "LEGAL"
    grain: dict[str, Any] = {"there": {"terrain": "Grain", "level": 1}, "assault": True}
    assert step(**grain, spent=1, used=1).status == "LEGAL"  # 3 of 3½ MF
    assert bars(step(**grain, spent=2, used=2)) == {"A4.61b"}
    assert bars(step(**grain, spent=4, used=4)) == {"A4.11b"}
    assert step(there=WOODS, assault=True).receipts[0].left == 2 * 2
    assert step(there=UPHILL, assault=True, kind="leader").receipts[0].left == 2 * 2
    assert bars(step(there={"terrain": "Marsh"}, assault=True)) == {"A4.61b"}  # all of them


@pytest.mark.clause("A4.61c")
def test_assault_movement_enters_one_location() -> None:
    """A second Location or a Minimum Move breaks Assault Movement; the next MPh is free of it."""
    one = ("assault u", "enter u B1")
    assert last(place(LINE, walker()), *one).status == "LEGAL"
    assert bars(last(place(LINE, walker()), *one, "enter u C2")) == {"A4.61c"}
    assert bars(step(line="minimum u C1", there=WOODS, assault=True, sw=load(6))) >= {"A4.61c"}
    again = (*one, "phase MPh side=russian", "phase MPh side=german", "enter u C2", "enter u D2")
    assert last(place(LINE, walker()), *again).status == "LEGAL"


@pytest.mark.clause("A4.61b", "A4.61c")
def test_reach_by_assault_movement() -> None:
    """Once declared, reach is one Location; after one has been entered, none."""
    position = last(place(LINE, walker()), "assault u").after
    assert set(reach(position, ["u"])[0].best()) == {"A1", "B1"}
    moved = last(position, "enter u B1").after
    assert set(reach(moved, ["u"])[0].best()) == {"B1"}
    assert reach(position, ["u"])[0].best()["B1"].left == 2 * 3
    dear = place(crossing(there=UPHILL), foot(assault=True))
    assert "C1" not in reach(dear, ["u"])[0].best()
    tired = place(crossing(there=WOODS), foot(assault=True, spent=4, used=4, mph="moving"))
    assert "C1" not in reach(tired, ["u"])[0].best()
    with without("A4.61b"):
        assert "C1" in reach(tired, ["u"])[0].best()


@pytest.mark.clause("A4.61d")
def test_assault_movement_and_double_time() -> None:
    """Each excludes the other, whichever comes first, except under another reading."""
    both = ("assault u", "double-time u"), ("double-time u", "assault u")
    together = (("A4.61d", "together"),)
    for log in both:
        assert bars(last(place(LINE, walker()), *log)) == {"A4.61d"}
        assert last(place(LINE, walker(), readings=together), *log).status == "LEGAL"
    assert last(place(LINE, walker()), "double-time u").status == "LEGAL"
    hero = (walker("h", "hero"), walker(double=4, cx=True))
    assert last(place(LINE, *hero), "lend h u").status == "LEGAL"


# -- fire ------------------------------------------------------------------------------------------


def entitled(position: Any, unit: str = "u") -> dict[str, tuple[bool, float | None, list[str]]]:
    """Return a unit's entitlement, as `options` shows it."""
    (found,) = options(position, unit)["units"]
    return {e["what"]: (e["allowed"], e["factor"], e["clauses"]) for e in found["entitlements"]}


@pytest.mark.clause("A4.6a")
def test_ffnam() -> None:
    """FFNAM applies to Infantry that has moved, unless by Assault Movement; never to vehicles."""
    walked = last(place(LINE, walker()), "enter u B1").after
    assert entitled(place(LINE, walker())) == {}
    assert entitled(walked)["FFNAM"] == (True, -1, ["A4.6a"])
    assaulted = last(place(LINE, walker()), "assault u", "enter u B1").after
    assert entitled(assaulted)["FFNAM"] == (False, None, ["A4.6a"])
    assert "FFNAM" not in entitled(step("tr", "stop u").after)
    assert entitled(last(walked, "phase DFPh").after) == {}
    assert entitled(last(walked, "phase MPh side=russian").after) == {}
    assert entitled(place(LINE, foot(at=None))) == {}


@pytest.mark.clause("A4.6b")
def test_ffmo() -> None:
    """FFMO is added in the open and by road in woods; not in woods, in SMOKE or beside a foxhole."""

    def ffmo(**fields: Any) -> tuple[bool, float | None, list[str]]:
        return entitled(step("inf", **fields).after)["FFMO"]

    yes, no = (True, -1, ["A4.6b"]), (False, None, ["A4.6b"])
    assert ffmo() == ffmo(there=WOODS, hexside=ROAD) == ffmo(assault=True) == yes
    assert ffmo(there=WOODS) == ffmo(there=WOODS, hexside={"path": True}) == no
    assert ffmo(scene={"smoke": ("C1",)}) == no
    grain = {"terrain": "Grain"}
    assert (ffmo(there=grain), ffmo(there=grain, scene={"month": 11})) == (no, yes)
    assert entitled(walk_round("bypass u C1 vertex=E").after)["FFMO"] == yes  # in the open part
    assert entitled(walk_round("bypass u C1 vertex=E", "into u").after)["FFMO"] == no
    assert entitled(place(LINE, walker(spent=2, used=2, mph="moving")))["FFMO"] == yes
    sheltered = step("inf").after

    foxhole = (Counter(kind="foxhole", at="C1"),)
    assert entitled(msgspec.structs.replace(sheltered, counters=foxhole))["FFMO"] == no


@pytest.mark.clause("A4.62a")
def test_hazardous_movement() -> None:
    """Its DRM applies in any phase, instead of FFNAM and FFMO; not to a pinned unit."""
    yes = (True, -2, ["A4.62a"])
    still = place(LINE, walker(hazardous="clearance"), phase="RtPh")
    assert entitled(still) == {"Hazardous Movement": yes}
    assert entitled(place(LINE, walker(hazardous="clearance", pinned=True))) == {}
    moved = entitled(last(place(LINE, walker(hazardous="fording")), "enter u B1").after)
    assert moved["Hazardous Movement"] == yes
    assert [moved[name][:2] for name in ("FFNAM", "FFMO")] == [(False, None)] * 2
    assert moved["FFNAM"][2] == ["A4.6a", "A4.62a"]
    on_wheels = entitled(place(LINE, vehicle(at="A1", hazardous="fording")))
    assert not {"FFNAM", "FFMO", "Hazardous Movement"} & {*on_wheels}


@pytest.mark.clause("A4.62b")
def test_how_long_hazardous_movement_lasts() -> None:
    """It lasts to the end of the Player Turn, or to the pin; by a register entry the pin does not end it."""

    def after(*log: str, **fields: Any) -> str:
        scene = fields.pop("scene", {})
        position = place(LINE, walker(hazardous="climbing", **fields), **scene)
        return str(last(position, *log).after.unit("u").move.hazardous)

    assert after("phase DFPh") == "climbing"
    assert after("phase DFPh", pinned=True) == ""
    assert after("phase MPh side=russian") == ""
    reading = {"readings": (("A4.62b", "pinned"),)}
    assert after("phase MPh side=russian", scene=reading) == "climbing"
    assert after("phase MPh side=russian", pinned=True, scene=reading) == ""


# -- poor troops, and the effect of Double Time ----------------------------------------------------


@pytest.mark.clause("A19.31a", "A19.31b")
def test_green_and_conscript_troops() -> None:
    """Both have 3 MF; with a leader all along, Green troops have 6 and Conscripts 5."""
    ldr = walker("ldr", "leader")
    for kind, with_leader in (("green-squad", 6), ("conscript-squad", 5), ("squad", 6)):
        assert walk(walker(kind=kind)) == (4 if kind == "squad" else 3)
        assert walk(walker(kind=kind), ldr, who="ldr,u") == with_leader
    assert walk(walker(kind="green-squad", inexperienced=True)) == 3
    assert walk(walker(kind="green-squad", inexperienced=True), ldr, who="ldr,u") == 5
    assert walk(walker(kind="green-squad"), ldr) == 3


@pytest.mark.clause("A4.5d")
def test_the_most_that_double_time_gives() -> None:
    """Double Time gives 8 MF at most, 7 for Conscripts, plus the road bonus; without it there is no cap."""
    assert allotment(place(LINE, walker(double=8))) == 8  # 4 + 4
    assert allotment(place(LINE, walker(double=9))) == 8
    assert allotment(place(LINE, walker(kind="conscript-squad", double=9))) == 7
    assert allotment(place(LINE, walker(kind="conscript-squad", double=4))) == 5
    road = place(LINE, walker(double=9, previous="B1"))
    assert allotment(road) == 9


# -- Minimum Moves of stacks, and units that cannot move as a stack --------------------------------


@pytest.mark.clause("A4.134c", "A4.134", "A4.42c")
def test_a_minimum_move_with_lent_ipc() -> None:
    """A squad with lent IPC makes its Minimum Move with the lender, who pays as usual and is not pinned."""
    there = crossing(there=WOODS)
    position = last(place(there, foot(sw=load(7)), foot("h", "hero")), "lend h u").after
    assert bars(last(position, "minimum u C1")) == {"A4.42c"}
    move = last(position, "minimum u,h C1")
    assert (move.status, total(move), total(move, "h")) == ("LEGAL", 2, 2)
    squad, hero = move.after.unit("u"), move.after.unit("h")
    assert (squad.status.pinned, squad.status.cx, squad.points.final) == (True, True, "minimum")
    assert (hero.status.pinned, hero.status.cx, hero.points.final, hero.at) == (
        False,
        False,
        "",
        "C1",
    )
    assert bars(last(position, "minimum h,u C1", "enter h C2")) == set()


@pytest.mark.clause("A4.134c")
def test_a_stack_that_can_pay_makes_no_minimum_move() -> None:
    """One unit that cannot pay is enough; if both can pay, a Minimum Move is illegal, as for one alone."""
    there = crossing(there=WOODS)
    rich = place(there, foot(sw=load(4)), foot("h", "hero"))
    assert bars(last(rich, "minimum u,h C1")) == {"A4.134c"}
    both = place(there, foot(sw=load(6)), foot("v", sw=load(6)))
    move = last(both, "minimum u,v C1")
    assert (move.status, [u.status.pinned for u in move.after.units]) == ("LEGAL", [True, True])
    assert bars(last(rich, "minimum u C1")) == {"A4.134"}
    assert bars(last(place(there, foot(sw=load(6)), vehicle("t")), "minimum u,t C1")) >= {"A4.2b"}


@pytest.mark.clause("A4.2b")
def test_what_does_not_go_along_with_infantry() -> None:
    """A truck, or two AFV, cannot move with Infantry; one AFV can (D9.31)."""
    tank = vehicle("t", "t-26-m33")
    assert last(place(crossing(), foot(), tank), "enter u,t C1").is_legal
    assert bars(last(place(crossing(), foot(), vehicle("t")), "enter u,t C1")) >= {"A4.2b"}
    two = place(crossing(), foot(), tank, vehicle("s", "t-26-m33"))
    assert bars(last(two, "enter u,t,s C1")) >= {"A4.2b"}
    assert cites(last(place(crossing(), foot(), foot("v")), "enter u,v C1")) == set()


@pytest.mark.clause("A4.1e")
def test_who_may_be_held_in_melee() -> None:
    """UNSUPPORTED on foot among Known enemies as the phase begins; not among others, nor on arrival."""
    foe: dict[str, Any] = {"side": "russian", "at": "B1"}
    for line in ("enter u C1", "exit u", "bypass u C1 vertex=E"):
        assert "A4.1e" in cites(step(line=line, others=(foot("e", **foe),)))
    assert "A4.1e" in cites(
        step(line="advance u C1", others=(foot("e", **foe),), scene={"phase": "APh"})
    )
    states: tuple[dict[str, Any], ...] = (
        {"concealed": True}, {"disrupted": True}, {"unarmed": True}, {"inside": "upstairs"},
    )  # fmt: skip
    for state in states:
        assert cites(step(others=(foot("e", **foe, **state),))) == set()
    truck = vehicle("e", "gaz-mm", side="russian")
    assert cites(step(others=(truck,))) == set()
    tank = vehicle("e", "t-26-m33", side="russian")
    assert cites(step(others=(tank,))) == {"A4.1e"}
    came = step(others=(foot("e", **foe),), conveyed=True, mph="moving", spent=2, used=2)
    assert cites(came) == set()
    assert "A4.1e" not in cites(step("tr", others=(foot("e", **foe),)))


@pytest.mark.clause("A4.14", "A4.15")
def test_a_smc_alone_overruns_nobody() -> None:
    """A Known enemy SMC keeps a SMC out; a MMC, or a SMC with one, might overrun it: UNSUPPORTED."""
    hero = foot("e", "hero", side="russian", at="C1")
    assert bars(step(kind="leader", others=(hero,))) == {"A4.14"}
    assert cites(step(others=(hero,))) == {"A4.15"}
    both = place(crossing(), foot(), foot("l", "leader"), hero)
    assert cites(last(both, "enter u,l C1")) == {"A4.15"}


@pytest.mark.clause("A4.14")
def test_whom_infantry_may_walk_in_upon() -> None:
    """Disrupted or unarmed Known enemies keep no unit out; one armed unit among them does."""
    foe: dict[str, Any] = {"side": "russian", "at": "C1"}
    states: tuple[dict[str, Any], ...] = ({"disrupted": True}, {"unarmed": True})
    for state in states:
        alone = step(others=(foot("e", **foe, **state),))
        assert (alone.status, set(dict(alone.exceptions))) == ("LEGAL", {"A4.14"})
        mixed = step(others=(foot("e", **foe, **state), foot("f", **foe)))
        assert bars(mixed) == {"A4.14"}


@pytest.mark.clause("A4.61f")
def test_assault_movement_exhausts_nobody() -> None:
    """Entering a deep stream makes a unit CX; a shallow stream, or a bridge over a deep one, does not."""
    deep, shallow = low("Deep Stream"), low("Shallow Stream")
    assert bars(step(kind="leader", assault=True, there=deep)) == {"A4.61f"}
    assert step(kind="leader", assault=True, there=shallow).is_legal
    assert step(kind="leader", there=deep).is_legal


@pytest.mark.clause("A4.61g")
def test_a_leader_does_not_leave_an_assault_move_that_needs_him() -> None:
    """A leader can leave after 3 of its own 4 MF, not after 4; without Assault Movement too (A4.12d)."""
    for found, there, barred in (
        (("assault u",), {**WOODS, "level": 1}, {"A4.61g"}),
        (("assault u",), WOODS, set()),
        ((), {**WOODS, "level": 1}, set()),
    ):
        position = place(crossing(there=there), foot(), foot("ldr", "leader"))
        left = last(position, *found, "enter u,ldr C1", "enter ldr C2")
        assert bars(left) == barred
    both = place(
        crossing(there={**WOODS, "level": 1}), foot(), foot("a", "leader"), foot("b", "leader")
    )
    assert last(both, "assault u", "enter u,a,b C1", "enter a C2").is_legal
