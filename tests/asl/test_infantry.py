"""Infantry movement: MF by unit, leader bonus, portage, Double Time, road bonus, Minimum Move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.asl.boards import (
    allotment,
    bars,
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

if TYPE_CHECKING:
    from marchtable.board import Board

WOODS = {"terrain": "Woods"}
LINE: Board = field({name: {} for name in ("A1", "B1", "C2", "D2", "E3", "F3", "G4", "H4", "I5", "J5")})
ROADS = field(
    {name: {"terrain": "Dirt Road"} for name in LINE.index},
    {f"{e.a}-{e.b}": {"road": "Dirt Road"} for e in LINE.edges},
)
WAY = tuple(LINE.index)[1:]


def walk(*units: Any, who: str = "u", board: Board = LINE, before: tuple[str, ...] = (), **scene: Any) -> int:
    """Return how many hexes of the line the units can walk."""
    position = place(board, *units, **scene)
    verdict = judge(position, *before, *(f"enter {who} {name}" for name in WAY))
    assert verdict.status == "ILLEGAL"  # the line is longer than anyone's MF
    assert {v.clause for v in verdict.violations if not v.after} == {"A4.11b"}
    return next(v.step for v in verdict.violations) - len(before)


def at(name: str = "u", kind: str = "squad", **fields: Any) -> Any:
    """Return a unit on foot at the head of the line."""
    return foot(name, kind, at="A1", **fields)


@pytest.mark.clause("A4.11a")
def test_mf_by_unit() -> None:
    """A MMC walks 4 hexes of Open Ground, an Inexperienced one 3, a SMC 6, and not one more."""
    for kind in ("squad", "half-squad", "crew"):
        assert walk(at(kind=kind)) == 4
    assert walk(at(inexperienced=True)) == 3
    for kind in ("leader", "hero"):
        assert walk(at(kind=kind)) == walk(at(kind=kind, inexperienced=True)) == 6


@pytest.mark.clause("A4.11b")
def test_a_unit_on_foot_spends_no_more_than_its_mf() -> None:
    """2 MF are enough for woods, 1½ are not."""
    assert step(there=WOODS, left=2).status == "LEGAL"
    short = step(there=WOODS, left=1.5)
    assert [(v.clause, v.need, v.have, v.halves) for v in short.violations] == [("A4.11b", 4, 3, True)]
    assert bars(step("tr", left=3)) == {"D2.1b"}


@pytest.mark.clause("A17.2")
def test_a_wounded_smc_has_3_mf() -> None:
    """Wounded, a leader walks 3 hexes instead of 6, 2 with 1 PP; he still helps a squad along."""
    assert walk(at(kind="leader", wounded=True)) == 3
    assert walk(at(kind="leader", wounded=True, sw=load(1))) == 2
    assert walk(at(kind="leader")) == 6


@pytest.mark.clause("A4.12a", "A4.12c")
def test_leader_bonus() -> None:
    """A MMC that moves with a leader of its nationality throughout has 2 MF more; wounded he'll do."""
    ldr = at("ldr", "leader")
    assert walk(at(), ldr, who="ldr,u") == 6
    assert walk(at(inexperienced=True), ldr, who="u,ldr") == 5
    assert walk(at(), ldr) == walk(at(), at("ldr", "hero"), who="ldr,u") == 4
    assert walk(at(nationality="german"), ldr, who="ldr,u") == 4
    wounded = place(LINE, at(spent=6, used=6, mph="moving", leaders=("l",)),
                    at("l", "leader", wounded=True, mph="moving"))  # fmt: skip
    assert last(wounded, "enter u,l B1").status == "LEGAL"


@pytest.mark.clause("A4.12a", "A4.12c")
def test_leader_bonus_is_for_the_whole_way() -> None:
    """A unit that leaves the leader, or joins him on the way, has only its own MF."""
    both = (at(), at("ldr", "leader"))
    four = [f"enter u,ldr {name}" for name in WAY[:4]]
    assert bars(last(place(LINE, *both), *four, f"enter u {WAY[4]}")) == {"A4.11b"}
    assert last(place(LINE, *both), *four, f"enter u,ldr {WAY[4]}").status == "LEGAL"
    assert bars(last(place(LINE, *both), *four[:3], f"enter u {WAY[3]}", f"enter u {WAY[4]}")) == {"A4.11b"}


@pytest.mark.clause("A4.12c")
def test_with_whom_a_unit_moves_all_along() -> None:
    """A MMC keeps with leaders of its nationality, from the first hex on; SMC with nobody."""
    def kept(*units: Any, line: str = "enter u,l,m B1", of: str = "u") -> tuple[str, ...]:
        leaders: tuple[str, ...] = last(place(LINE, *units), line).after.unit(of).leaders
        return leaders

    first, other = at("l", "leader"), at("m", "leader")
    assert kept(at(), first, other) == ("l", "m")
    assert kept(at(), first, other, of="l") == ()
    assert kept(at(kind="hero"), first, other) == ()
    assert kept(at(), first, at("m", "hero")) == kept(at(), first, at("m")) == ("l",)
    assert kept(at(), first, at("m", "leader", nationality="german")) == ("l",)
    moved: dict[str, Any] = {"mph": "moving", "used": 2, "spent": 2}
    both = first, other = at("l", "leader", **moved), at("m", "leader", **moved)
    assert kept(at(leaders=("m",), **moved), *both) == ("m",)
    assert kept(at(**moved), *both) == ()
    assert kept(at(leaders=("m",), **moved), *both, line="enter u B1") == ()


@pytest.mark.clause("A4.12d")
def test_a_leader_who_goes_on_alone_takes_his_bonus_along() -> None:
    """A unit left behind, no MF of the bonus used, has its own 4 MF again; with a second it keeps 6."""
    one, two = (at(), at("l", "leader")), (at(), at("l", "leader"), at("m", "leader"))
    left = last(place(LINE, *one), "enter u,l B1", "enter l C2")
    assert [(e.clause, e.unit, e.field, e.value) for e in left.effects] == [("A4.12d", "u", "leaders", ())]
    assert allotment(left.after) == 4
    assert allotment(last(place(LINE, *two), "enter u,l,m B1", "enter l C2").after) == 6
    assert allotment(last(place(LINE, *two), "enter u,l,m B1", "enter l,m C2").after) == 4
    spent = [f"enter u,l {name}" for name in WAY[:5]]
    owing = last(place(LINE, *one, readings=(("A4.12b", "unit"),)), *spent, f"enter l {WAY[5]}")
    assert (owing.status, allotment(owing.after)) == ("LEGAL", 6)


@pytest.mark.clause("A4.12b")
def test_a_leader_does_not_leave_units_in_his_debt() -> None:
    """After 4 MF the leader may go on alone, after 5 he may not, unless the register reads otherwise."""
    def leaves(hexes: int, **scene: Any) -> set[str]:
        position = place(LINE, at(), at("ldr", "leader"), **scene)
        together = [f"enter u,ldr {name}" for name in WAY[:hexes]]
        return bars(last(position, *together, f"enter ldr {WAY[hexes]}"))

    assert leaves(4) == set()
    assert leaves(5) == {"A4.12b"}
    assert leaves(5, readings=(("A4.12b", "unit"),)) == set()


@pytest.mark.clause("A4.12a", "A4.12b")
def test_one_of_two_leaders_may_go_on() -> None:
    """After 5 MF one leader may go on if the other stays, not both; with one left 6 MF remain."""
    units = at(), at("l", "leader"), at("m", "leader")
    five = [f"enter u,l,m {name}" for name in WAY[:5]]
    one = last(place(LINE, *units), *five, f"enter l {WAY[5]}")
    assert (bars(one), allotment(one.after), one.after.unit("u").leaders) == (set(), 6, ("m",))
    assert last(place(LINE, *units), *five, f"enter l {WAY[5]}", f"enter u,m {WAY[5]}").is_legal
    assert bars(last(place(LINE, *units), *five, f"enter l {WAY[5]}", f"enter m {WAY[5]}")) == {"A4.12b"}
    both = last(place(LINE, *units), *five, f"enter l,m {WAY[5]}")
    assert [v.units for v in both.violations if v.clause == "A4.12b"] == [("u", "l", "m")]
    assert last(place(LINE, *units), *five[:4], f"enter l,m {WAY[4]}").is_legal
    unbound = place(LINE, *units, readings=(("A4.12b", "unit"),))
    assert last(unbound, *five, f"enter l,m {WAY[5]}").is_legal


@pytest.mark.clause("A4.12a")
def test_a_unit_goes_on_with_either_of_two_leaders() -> None:
    """It keeps the bonus with the leader who comes along, and loses it with one who joins again."""
    units = at(), at("l", "leader"), at("m", "leader")
    first = f"enter u,l,m {WAY[0]}"
    with_m = [f"enter u,m {name}" for name in WAY[1:6]]
    assert last(place(LINE, *units), first, *with_m).is_legal
    parted = place(LINE, *units)
    again = [first, f"enter u,m {WAY[1]}", f"enter l {WAY[1]}", *(f"enter u,l {name}" for name in WAY[2:5])]
    assert bars(last(parted, *again)) == {"A4.11b"}


@pytest.mark.clause("A4.42a")
def test_portage() -> None:
    """3 PP cost a MMC nothing, 4 cost 1 MF; 1 PP costs a SMC nothing, 2 cost 1 MF."""
    for pp, hexes in ((3, 4), (4, 3), (6, 1)):
        assert walk(at(sw=load(pp))) == walk(at(sw=load(pp - 1, 1))) == hexes
    for pp, hexes in ((1, 6), (2, 5)):
        assert walk(at(kind="leader", sw=load(pp))) == hexes
    assert bars(last(place(LINE, at(sw=load(7))), "enter u B1")) == {"A4.11b"}


@pytest.mark.clause("A4.52")
def test_a_cx_unit_carries_1_pp_less() -> None:
    """CX, a MMC pays for its third PP and a SMC for his first; unloaded they lose nothing."""
    for kind, pp, hexes in (("squad", 3, 3), ("squad", 2, 4), ("leader", 1, 5), ("leader", 0, 6)):
        assert walk(at(kind=kind, sw=load(pp), cx=True)) == hexes
    assert walk(at(sw=load(3)), before=("double-time u",)) == 5


@pytest.mark.clause("A4.42b")
def test_ipc_lent_by_a_smc() -> None:
    """A squad with 4 PP helped by a leader who comes along loses no MF; with 5 PP it loses 1."""
    for pp, hexes in ((3, 6), (4, 6), (5, 5)):
        units = (at(sw=load(pp)), at("ldr", "leader"))
        assert walk(*units, who="u,ldr", before=("lend ldr u",)) == hexes
    assert walk(at(sw=load(4)), at("ldr", "leader"), who="u,ldr") == 5
    assert walk(at(sw=load(4)), at("h", "hero"), who="u,h", before=("lend h u",)) == 4


@pytest.mark.clause("A4.42c")
def test_a_helped_unit_does_not_move_on_without_its_helper() -> None:
    """With the SMC it moves; without him it does not, though he may go on without it."""
    position = place(LINE, at(sw=load(4)), at("h", "hero"))
    assert last(position, "lend h u", "enter h,u B1").status == "LEGAL"
    assert bars(last(position, "lend h u", "enter u B1")) == {"A4.42c"}
    assert bars(last(position, "lend h u", "enter h,u B1", "enter u C2")) == {"A4.42c"}
    assert last(position, "lend h u", "enter h,u B1", "enter h C2").status == "LEGAL"


@pytest.mark.clause("A4.42d")
def test_who_may_lend_ipc_to_whom() -> None:
    """A SMC, whole, unloaded and fresh, once, to another of his side who begins the MPh with him."""
    def lends(*units: Any, line: str = "lend h u", before: tuple[str, ...] = ()) -> set[str]:
        return bars(last(place(LINE, *units), *before, line))

    hero, squad = at("h", "hero"), at()
    assert lends(hero, squad) == lends(at("h", "leader"), squad) == set()
    for bad in (at("h"), at("h", "hero", wounded=True), at("h", "hero", sw=load(1))):
        assert lends(bad, squad) == {"A4.42d"}
    assert lends(hero, squad, line="lend h h") == {"A4.42d"}
    for other in (vehicle(at="A1"), at(side="russian"), foot(at="B1"), at(mph="moving")):
        assert lends(hero, other) == {"A4.42d"}
    assert lends(at("h", "hero", mph="moving"), squad) == {"A4.42d"}
    assert lends(hero, squad, before=("lend h u",)) == {"A4.42d"}
    assert lends(hero, squad, at("j", "hero"), before=("lend j u",)) == {"A4.42d"}
    assert lends(hero, squad, at("v"), before=("lend h v",)) == {"A4.42d"}


@pytest.mark.clause("A4.5a", "A4.5b")
def test_double_time() -> None:
    """Double Time gives 2 MF as the MPh begins, 1 later: a squad walks 6 hexes, or 5."""
    assert walk(at(), before=("double-time u",)) == 6
    later = place(LINE, at())
    log = [*(f"enter u {name}" for name in WAY[:4]), "double-time u", f"enter u {WAY[4]}"]
    assert last(later, *log).status == "LEGAL"
    assert bars(last(later, *log, f"enter u {WAY[5]}")) == {"A4.11b"}
    assert walk(at(kind="leader"), before=("double-time u",)) == 8


@pytest.mark.clause("A4.5a", "A4.12a")
def test_a_stack_may_double_time_as_its_mph_begins() -> None:
    """Leader and squad both declare it before they move: 4 + 2 + 2 MF for the squad."""
    declared = ("double-time u", "double-time ldr")

    assert walk(at(), at("ldr", "leader"), who="ldr,u", before=declared) == 8


@pytest.mark.clause("A4.5b")
def test_who_may_not_double_time() -> None:
    """Not a wounded SMC, not who is CX or was as its MPh began, not twice, not a vehicle."""
    assert step("inf", "double-time u").status == "LEGAL"
    assert bars(step("inf", "double-time u", cx=True)) == {"A4.5b"}
    assert bars(step("inf", "double-time u", was_cx=True)) == {"A4.5b"}
    assert bars(step("inf", "double-time u", kind="leader", wounded=True)) == {"A4.5b"}
    assert bars(step("tr", "double-time u")) == {"A4.5b"}
    assert bars(last(place(LINE, at()), "double-time u", "double-time u")) == {"A4.5b"}
    rested = place(LINE, at(cx=True), phase="PFPh")
    assert bars(last(rested, "phase MPh", "double-time u")) == {"A4.5b"}
    assert last(rested, "phase MPh", "enter u B1").status == "LEGAL"


@pytest.mark.clause("A4.5c")
def test_double_time_makes_cx() -> None:
    """Who declares Double Time is CX from then on; who only walks is not."""
    ruling = step("inf", "double-time u")
    assert [(e.clause, e.field, e.value) for e in ruling.effects if e.field == "cx"] == [("A4.5c", "cx", True)]
    assert ruling.after.unit("u").cx
    assert not step("inf").after.unit("u").cx


@pytest.mark.clause("B3.4d")
def test_when_the_road_bonus_is_lost() -> None:
    """Off the road, by a path, or into SMOKE it is lost, and said so once; by road it is kept."""
    def lost(**fields: Any) -> list[tuple[str, str, Any]]:
        return [(e.clause, e.field, e.value) for e in step("inf", **fields).effects]

    road = {"road": "Dirt Road"}
    gone = [("B3.4d", "road", False)]
    assert lost() == lost(hexside={"path": True}) == lost(hexside=road, scene={"smoke": ("C1",)}) == gone
    assert lost(hexside=road) == lost(road=False) == lost(hexside=road, scene={"smoke": ("B1",)}) == []
    assert step("tr").effects == ()


@pytest.mark.clause("B3.4c", "B3.4d")
def test_road_bonus() -> None:
    """All along a road a squad walks 5 hexes; one hexside off it, or SMOKE on it, and it has 4 MF."""
    assert walk(at(), board=ROADS) == 5
    assert walk(at(kind="leader"), board=ROADS) == 7
    assert walk(at(), at("ldr", "leader"), who="ldr,u", board=ROADS) == 7
    gap = field(
        {name: {} for name in LINE.index},
        {f"{e.a}-{e.b}": {"road": None if e.b == WAY[2] else "Dirt Road"} for e in LINE.edges},
    )
    assert walk(at(), board=gap) == 4
    smoke = place(ROADS, at(), smoke=(WAY[1],))
    log = [f"enter u {name}" for name in WAY[:4]]
    assert bars(last(smoke, *log)) == {"A4.11b"}
    assert last(place(ROADS, at()), *log).receipts[0].left == 2


@pytest.mark.clause("A4.134")
def test_minimum_move_on_foot() -> None:
    """One hex dearer than its MF for all of them, nothing else spent; then it is pinned and CX."""
    move = step("inf", "minimum u C1", there=WOODS, sw=load(6))
    assert (move.status, total(move), move.receipts[0].left) == ("LEGAL", 1, 0)
    after = move.after.unit("u")
    assert (after.at, after.pinned, after.cx, after.final) == ("C1", True, True, "minimum")
    assert paid(move, "A4.134") == -1
    assert bars(step("inf", "minimum u C1", there=WOODS, sw=load(7))) == {"A4.134"}  # no MF left
    assert bars(step("inf", "minimum u C1", there=WOODS, sw=load(5))) == {"A4.134"}  # 2 MF suffice
    spent: dict[str, Any] = {"mph": "moving", "used": 1, "spent": 1}
    assert bars(step("inf", "minimum u C1", there=WOODS, sw=load(6), **spent)) == {"A4.134"}
    assert step("inf", "minimum u C1", there=WOODS, sw=load(6), cx=True).status == "ILLEGAL"
    assert bars(step("inf", "minimum u C1", there={"terrain": "Stone Bridge"}, sw=load(6))) >= {"B6"}


def test_a_fresh_position_shows_the_whole_allotment() -> None:
    """Before anything is spent a squad has 4 MF, a Double Timing one 6."""
    assert allotment(place(crossing(), foot())) == 4
    assert allotment(last(place(crossing(), foot()), "double-time u").after) == 6
