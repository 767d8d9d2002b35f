"""Infantry movement: MF by unit, leader bonus, portage, Double Time, road bonus, Minimum Move."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    crossing,
    field,
    foot,
    last,
    load,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip
from tests.asl.walking import LINE, WAY, walk, walker

WOODS = {"terrain": "Woods"}
ROADS = field(
    {name: {"terrain": "Dirt Road"} for name in LINE.index},
    {f"{e.a}-{e.b}": {"road": "Dirt Road"} for e in LINE.edges},
)


@pytest.mark.clause("A4.11a")
def test_mf_by_unit() -> None:
    """A MMC walks 4 hexes of Open Ground, an Inexperienced one 3, a SMC 6, and not one more."""
    for kind in ("squad", "half-squad", "crew"):
        assert walk(walker(kind=kind)) == 4
    assert walk(walker(inexperienced=True)) == 3
    for kind in ("leader", "hero"):
        assert walk(walker(kind=kind)) == walk(walker(kind=kind, inexperienced=True)) == 6


@pytest.mark.clause("A4.11a")
def test_mf_that_are_not_the_usual_ones() -> None:
    """A squad of 5 MF walks 5 hexes, Inexperienced or not; only Infantry has such MF."""
    swift = UnitType(name="swift", class_="squad", mf=5)
    for new in (False, True):
        assert walk(walker(kind="swift", inexperienced=new), types=(swift,)) == 5
    cart = UnitType(name="cart", class_="wagon", column="hd", mp=12, mf=5)
    with pytest.raises(BadInputError) as caught:
        ASL.check_position(place(LINE, walker(kind="squad"), types=(cart,)))
    assert caught.value.field.endswith("mf")


@pytest.mark.clause("A4.11b")
def test_a_unit_on_foot_spends_no_more_than_its_mf() -> None:
    """2 MF suffice for woods, 1½ do not."""
    assert step(there=WOODS, left=2).status == "LEGAL"
    short = step(there=WOODS, left=1.5)
    assert [(v.clause, v.need, v.have, v.halves) for v in short.violations] == [
        ("A4.11b", 4, 3, True)
    ]
    assert bars(step("tr", left=3)) == {"D2.1b"}


@pytest.mark.clause("A17.2")
def test_a_wounded_smc_has_3_mf() -> None:
    """A wounded leader walks 3 hexes instead of 6, 2 with 1 PP; its bonus still helps a squad."""
    assert walk(walker(kind="leader", wounded=True)) == 3
    assert walk(walker(kind="leader", wounded=True, sw=load(1))) == 2
    assert walk(walker(kind="leader")) == 6


@pytest.mark.clause("A4.42a")
def test_portage() -> None:
    """3 PP cost a MMC nothing, 4 cost 1 MF; 1 PP costs a SMC nothing, 2 cost 1 MF."""
    for pp, hexes in ((3, 4), (4, 3), (6, 1)):
        assert walk(walker(sw=load(pp))) == walk(walker(sw=load(pp - 1, 1))) == hexes
    for pp, hexes in ((1, 6), (2, 5)):
        assert walk(walker(kind="leader", sw=load(pp))) == hexes
    assert bars(last(place(LINE, walker(sw=load(7))), "enter u B1")) == {"A4.11b"}


@pytest.mark.clause("A4.52")
def test_a_cx_unit_carries_1_pp_less() -> None:
    """CX by Double Time, a MMC pays for its third PP and a SMC for its first; unloaded they lose nothing."""
    haste = ("double-time u",)
    for kind, pp, hexes in (("squad", 3, 5), ("squad", 2, 6), ("leader", 1, 7), ("leader", 0, 8)):
        assert walk(walker(kind=kind, sw=load(pp)), before=haste) == hexes
    for kind, pp, hexes in (("squad", 3, 4), ("leader", 1, 6)):  # the counter of the turn before
        assert walk(walker(kind=kind, sw=load(pp), cx=True)) == hexes
    assert bars(last(place(LINE, walker(cx=True)), *haste)) == {"A4.5b"}
    for pp, left in ((6, 2), (7, 1), (8, 0), (20, 0)):
        after = last(place(LINE, walker(sw=load(pp))), "double-time u").after
        assert ASL.allotment(after, after.unit("u")) == 2 * left


@pytest.mark.clause("A4.42b")
def test_ipc_lent_by_a_smc() -> None:
    """A squad with 4 PP and an accompanying leader's IPC loses no MF; with 5 PP it loses 1."""
    for pp, hexes in ((3, 6), (4, 6), (5, 5)):
        units = (walker(sw=load(pp)), walker("ldr", "leader"))
        assert walk(*units, who="u,ldr", before=("lend ldr u",)) == hexes
    assert walk(walker(sw=load(4)), walker("ldr", "leader"), who="u,ldr") == 5
    assert walk(walker(sw=load(4)), walker("h", "hero"), who="u,h", before=("lend h u",)) == 4


@pytest.mark.clause("A4.42c")
def test_a_helped_unit_does_not_move_on_without_its_helper() -> None:
    """It can move with the SMC, not without; the SMC can go on without it."""
    position = place(LINE, walker(sw=load(4)), walker("h", "hero"))
    assert last(position, "lend h u", "enter h,u B1").status == "LEGAL"
    assert bars(last(position, "lend h u", "enter u B1")) == {"A4.42c"}
    assert bars(last(position, "lend h u", "enter h,u B1", "enter u C2")) == {"A4.42c"}
    assert last(position, "lend h u", "enter h,u B1", "enter h C2").status == "LEGAL"


@pytest.mark.clause("A4.42d")
def test_who_may_lend_ipc_to_whom() -> None:
    """A whole, unloaded, fresh SMC, once, to another unit of its side in its Location as the MPh begins."""

    def lends(*units: Any, line: str = "lend h u", before: tuple[str, ...] = ()) -> set[str]:
        return bars(last(place(LINE, *units), *before, line))

    hero, squad = walker("h", "hero"), walker()
    assert lends(hero, squad) == lends(walker("h", "leader"), squad) == set()
    for bad in (walker("h"), walker("h", "hero", wounded=True), walker("h", "hero", sw=load(1))):
        assert lends(bad, squad) == {"A4.42d"}
    assert lends(hero, squad, line="lend h h") == {"A4.42d"}
    for other in (vehicle(at="A1"), walker(side="russian"), foot(at="B1"), walker(mph="moving")):
        assert lends(hero, other) == {"A4.42d"}
    assert lends(walker("h", "hero", mph="moving"), squad) == {"A4.42d"}
    assert lends(hero, squad, before=("lend h u",)) == {"A4.42d"}
    assert lends(hero, squad, walker("j", "hero"), before=("lend j u",)) == {"A4.42d"}
    assert lends(hero, squad, walker("v"), before=("lend h v",)) == {"A4.42d"}


@pytest.mark.clause("A4.5a", "A4.5b")
def test_double_time() -> None:
    """Double Time gives 2 MF at the start of the MPh, 1 later: a squad walks 6 hexes, or 5."""
    assert walk(walker(), before=("double-time u",)) == 6
    later = place(LINE, walker())
    log = [*(f"enter u {name}" for name in WAY[:4]), "double-time u", f"enter u {WAY[4]}"]
    assert last(later, *log).status == "LEGAL"
    assert bars(last(later, *log, f"enter u {WAY[5]}")) == {"A4.11b"}
    assert walk(walker(kind="leader"), before=("double-time u",)) == 8


@pytest.mark.clause("A4.5a", "A4.12a")
def test_a_stack_may_double_time_as_its_mph_begins() -> None:
    """Leader and squad both declare it before they move: 4 + 2 + 2 MF for the squad."""
    declared = ("double-time u", "double-time ldr")

    assert walk(walker(), walker("ldr", "leader"), who="ldr,u", before=declared) == 8


@pytest.mark.clause("A4.5b")
def test_who_may_not_double_time() -> None:
    """Not a wounded SMC, a unit CX now or as its MPh began, a vehicle, or a unit twice."""
    assert step("inf", "double-time u").status == "LEGAL"
    assert bars(step("inf", "double-time u", cx=True)) == {"A4.5b"}
    assert bars(step("inf", "double-time u", was_cx=True)) == {"A4.5b"}
    assert bars(step("inf", "double-time u", kind="leader", wounded=True)) == {"A4.5b"}
    assert bars(step("tr", "double-time u")) == {"A4.5b"}
    assert bars(last(place(LINE, walker()), "double-time u", "double-time u")) == {"A4.5b"}
    rested = place(LINE, walker(cx=True), phase="PFPh")
    assert bars(last(rested, "phase MPh", "double-time u")) == {"A4.5b"}
    assert last(rested, "phase MPh", "enter u B1").status == "LEGAL"


@pytest.mark.clause("A4.5c")
def test_double_time_makes_cx() -> None:
    """A unit that declares Double Time is CX from then on; one that only walks is not."""
    ruling = step("inf", "double-time u")
    assert [(e.clause, e.field, e.value) for e in ruling.effects if e.field == "cx"] == [
        ("A4.5c", "cx", True)
    ]
    assert ruling.after.unit("u").status.cx
    assert not step("inf").after.unit("u").status.cx


@pytest.mark.clause("B3.4d")
def test_when_the_road_bonus_is_lost() -> None:
    """It is lost off the road, by a path, or into SMOKE, and reported once; by road it is kept."""

    def lost(**fields: Any) -> list[tuple[str, str, Any]]:
        return [(e.clause, e.field, e.value) for e in step("inf", **fields).effects]

    road = {"road": "Dirt Road"}
    gone = [("B3.4d", "road", False)]
    assert (
        lost()
        == lost(hexside={"path": True})
        == lost(hexside=road, scene={"smoke": ("C1",)})
        == gone
    )
    assert (
        lost(hexside=road) == lost(road=False) == lost(hexside=road, scene={"smoke": ("B1",)}) == []
    )
    assert step("tr").effects == ()


@pytest.mark.clause("B3.4c", "B3.4d")
def test_road_bonus() -> None:
    """All along a road a squad walks 5 hexes; after one hexside off it, or SMOKE on it, it has 4 MF."""
    assert walk(walker(), board=ROADS) == 5
    assert walk(walker(kind="leader"), board=ROADS) == 7
    assert walk(walker(), walker("ldr", "leader"), who="ldr,u", board=ROADS) == 7
    gap = field(
        {name: {} for name in LINE.index},
        {f"{e.a}-{e.b}": {"road": None if e.b == WAY[2] else "Dirt Road"} for e in LINE.edges},
    )
    assert walk(walker(), board=gap) == 4
    smoke = place(ROADS, walker(), smoke=(WAY[1],))
    log = [f"enter u {name}" for name in WAY[:4]]
    assert bars(last(smoke, *log)) == {"A4.11b"}
    walked = last(place(ROADS, walker()), *log)
    assert walked.receipts[0].left == 2
    after = last(walked.after, "phase DFPh").after
    assert ASL.allotment(after, after.unit("u")) == 8, "the bonus is of the MPh"


@pytest.mark.clause("A4.134", "A4.134c")
def test_a_stack_enters_what_is_dearer_than_all_mf() -> None:
    """Marsh uphill, beyond a hedge or in SMOKE takes a Minimum Move of all; plain marsh needs none."""
    marsh = {"terrain": "Marsh"}
    both = foot(), foot("l", "leader")
    for board, smoke, cost in (
        (crossing(there={**marsh, "level": 1}), (), 12),
        (crossing(there=marsh, hexside={"terrain": "Hedge"}), (), 7),
        (crossing(there=marsh), ("C1",), 7),
    ):
        found = last(place(board, *both, smoke=smoke), "minimum u,l C1")
        assert (found.status, [receipt.amount for receipt in found.receipts]) == (
            "LEGAL",
            [2 * cost] * 2,
        )
        assert [found.after.unit(n).status.pinned for n in ("u", "l")] == [True, True]
    assert bars(last(place(crossing(there=marsh), *both), "minimum u,l C1")) == {"A4.134c"}


@pytest.mark.clause("B9.7", "A4.134", "A4.134b", "A4.134c")
def test_a_cactus_hedge_takes_a_minimum_move() -> None:
    """It costs as a hedge, and takes all MF; only a Minimum Move crosses it, and stacks can cross it."""
    cactus: dict[str, Any] = {"hexside": {"terrain": "Cactus Hedge"}}
    over = step(line="minimum u C1", **cactus)
    after = over.after.unit("u")
    assert (over.status, total(over), after.points.spent) == ("LEGAL", 4, 8)
    assert [(c.clause, c.amount) for c in over.costs[0].charges] == [
        ("B1", 2),
        ("B9.7", 2),
        ("A4.134", 4),
    ]
    assert (after.status.pinned, after.status.cx, after.points.final) == (True, True, "minimum")
    assert total(step(line="minimum u C1", there={"terrain": "Marsh"}, **cactus)) == 5
    assert bars(step(**cactus)) == {"A4.134b"}
    board = crossing(hexside=cactus["hexside"])
    both = last(place(board, foot(), foot("l", "leader")), "minimum u,l C1").after
    assert [(both.unit(n).status.pinned, both.unit(n).status.cx) for n in ("u", "l")] == [
        (True, True)
    ] * 2
    hedge = crossing(hexside={"terrain": "Hedge"})
    assert "A4.134c" in bars(last(place(hedge, foot(), foot("l", "leader")), "minimum u,l C1"))


@pytest.mark.clause("A4.134")
def test_minimum_move_on_foot() -> None:
    """One hex above its MF, the hex's cost counted as spent, nothing else; then it is pinned and CX."""
    move = step("inf", "minimum u C1", there=WOODS, sw=load(6))
    assert (move.status, total(move), move.receipts[0].left) == ("LEGAL", 2, 0)
    after = move.after.unit("u")
    assert (after.at, after.status.pinned, after.status.cx, after.points.final) == (
        "C1",
        True,
        True,
        "minimum",
    )
    assert after.points.spent == 4  # half MF
    assert bars(step("inf", "minimum u C1", there=WOODS, sw=load(7))) == {"A4.134"}  # no MF left
    assert bars(step("inf", "minimum u C1", there=WOODS, sw=load(5))) == {"A4.134"}  # 2 MF suffice
    spent: dict[str, Any] = {"mph": "moving", "used": 1, "spent": 1}
    assert bars(step("inf", "minimum u C1", there=WOODS, sw=load(6), **spent)) == {"A4.134"}
    assert step("inf", "minimum u C1", there=WOODS, sw=load(6), cx=True).status == "LEGAL"
    assert bars(step("inf", "minimum u C1", there={"terrain": "Stone Bridge"}, sw=load(6))) >= {
        "B6"
    }


@pytest.mark.clause("A4.134")
def test_a_minimum_move_after_mf_were_spent() -> None:
    """It spends nothing else in its MPh or, by the other reading, nothing elsewhere: it has that much less."""
    spent: dict[str, Any] = {"mph": "moving", "used": 6, "spent": 6}
    own: dict[str, Any] = {"readings": (("A4.134", "own-hex"),)}
    for readings, there, cited, left_out in (
        ({}, WOODS, {"A4.134"}, False),
        (own, WOODS, set(), True),
        (own, {}, {"A4.134"}, True),
        ({}, {"terrain": "Marsh"}, {"A4.134"}, False),
        (own, {"terrain": "Marsh"}, set(), True),
    ):
        move = step("inf", "minimum u C1", there=there, scene=readings, **spent)
        assert bars(move) == cited
        assert "A4.134" in dict(move.readings)
        here = place(crossing(there=there), foot(**spent), **readings)
        assert ("A4.134" in ASL.left_out(here, here.unit("u"))) is left_out
        assert "A4.134" not in ASL.left_out(here, foot())
    for further in ({"previous": "A1"}, {"conveyed": True}):
        moved = step("inf", "minimum u C1", there=WOODS, scene=own, **spent, **further)
        assert bars(moved) == {"A4.134"}


def test_a_fresh_position_shows_the_whole_allotment() -> None:
    """Before anything is spent a squad has 4 MF, a Double Timing one 6."""
    assert allotment(place(crossing(), foot())) == 4
    assert allotment(last(place(crossing(), foot()), "double-time u").after) == 6


@pytest.mark.clause("A17.2b")
@pytest.mark.parametrize(("steps", "pinned"), [(3, False), (4, True)])
def test_pinned_by_a_wound(*, steps: int, pinned: bool) -> None:
    """A leader wounded after more than 3 MF is pinned; one that has spent 3 cannot go on."""
    lines = [f"enter u {name}" for name in WAY[:steps]]
    hurt = last(place(LINE, walker(kind="leader")), *lines, "result u wounded").after
    assert (hurt.unit("u").status.wounded, hurt.unit("u").status.pinned) == (True, pinned)
    assert bars(last(hurt, f"enter u {WAY[steps]}")) >= {"A7.8a" if pinned else "A4.11b"}


@pytest.mark.clause("A17.2b")
def test_a_wound_in_another_phase() -> None:
    """MF spent in an earlier MPh pin no unit; only a SMC is wounded."""
    old = place(LINE, walker(kind="leader", spent=8, used=8, mph="done"), phase="DFPh")
    assert not last(old, "result u wounded").after.unit("u").status.pinned
    foe = place(LINE, walker(kind="leader", spent=8, used=8, side="russian"))
    assert not last(foe, "result u wounded").after.unit("u").status.pinned
    with pytest.raises(BadInputError, match="expected a SMC"):
        last(place(LINE, walker()), "result u wounded")
