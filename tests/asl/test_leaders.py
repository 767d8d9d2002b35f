"""Leaders: their bonus, which units have it, and which they can leave."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.state.records import replace
from tests.asl.boards import allotment, bars, last, place
from tests.asl.walking import LINE, WAY, walk, walker


@pytest.mark.clause("A4.12a", "A4.12c")
def test_leader_bonus() -> None:
    """A MMC that moves with a leader of its nationality throughout has 2 MF more, even if wounded."""
    ldr = walker("ldr", "leader")
    assert walk(walker(), ldr, who="ldr,u") == 6
    assert walk(walker(inexperienced=True), ldr, who="u,ldr") == 5
    assert walk(walker(), ldr) == walk(walker(), walker("ldr", "hero"), who="ldr,u") == 4
    assert walk(walker(nationality="italian"), ldr, who="ldr,u") == 4
    assert walk(walker(nationality="German"), ldr, who="ldr,u") == 6
    wounded = place(LINE, walker(spent=6, used=6, mph="moving", leaders=("l",)),
                    walker("l", "leader", wounded=True, mph="moving"))  # fmt: skip
    assert last(wounded, "enter u,l B1").status == "LEGAL"


@pytest.mark.clause("A4.12a", "A4.12c")
def test_leader_bonus_is_for_the_whole_way() -> None:
    """A unit that leaves the leader, or joins one on the way, has only its own MF."""
    both = (walker(), walker("ldr", "leader"))
    four = [f"enter u,ldr {name}" for name in WAY[:4]]
    assert bars(last(place(LINE, *both), *four, f"enter u {WAY[4]}")) == {"A4.11b"}
    assert last(place(LINE, *both), *four, f"enter u,ldr {WAY[4]}").status == "LEGAL"
    assert bars(last(place(LINE, *both), *four[:3], f"enter u {WAY[3]}", f"enter u {WAY[4]}")) == {
        "A4.11b"
    }


@pytest.mark.clause("A4.12c")
def test_with_whom_a_unit_moves_all_along() -> None:
    """A MMC stays with leaders of its nationality from the first hex on; a SMC with no unit."""

    def kept(*units: Any, line: str = "enter u,l,m B1", of: str = "u") -> tuple[str, ...]:
        leaders: tuple[str, ...] = last(place(LINE, *units), line).after.unit(of).move.leaders
        return leaders

    first, other = walker("l", "leader"), walker("m", "leader")
    assert kept(walker(), first, other) == ("l", "m")
    assert kept(walker(), first, other, of="l") == ()
    assert kept(walker(kind="hero"), first, other) == ()
    assert (
        kept(walker(), first, walker("m", "hero")) == kept(walker(), first, walker("m")) == ("l",)
    )
    assert kept(walker(), first, walker("m", "leader", nationality="italian")) == ("l",)
    moved: dict[str, Any] = {"mph": "moving", "used": 2, "spent": 2}
    both = first, other = walker("l", "leader", **moved), walker("m", "leader", **moved)
    assert kept(walker(leaders=("m",), **moved), *both) == ("m",)
    assert kept(walker(**moved), *both) == ()
    assert kept(walker(leaders=("m",), **moved), *both, line="enter u B1") == ()


@pytest.mark.clause("A4.12d")
def test_a_leader_who_goes_on_alone_takes_his_bonus_along() -> None:
    """A unit left behind, no bonus MF used, has its own 4 MF again; with a second leader it keeps 6."""
    one, two = (
        (walker(), walker("l", "leader")),
        (walker(), walker("l", "leader"), walker("m", "leader")),
    )
    left = last(place(LINE, *one), "enter u,l B1", "enter l C2")
    assert [(e.clause, e.unit, e.field, e.value) for e in left.effects] == [
        ("A4.12d", "u", "leaders", ())
    ]
    assert allotment(left.after) == 4
    assert allotment(last(place(LINE, *two), "enter u,l,m B1", "enter l C2").after) == 6
    assert allotment(last(place(LINE, *two), "enter u,l,m B1", "enter l,m C2").after) == 4
    spent = [f"enter u,l {name}" for name in WAY[:5]]
    owing = last(place(LINE, *one, readings=(("A4.12b", "unit"),)), *spent, f"enter l {WAY[5]}")
    assert (owing.status, allotment(owing.after)) == ("LEGAL", 6)


@pytest.mark.clause("A4.12b")
def test_a_leader_does_not_leave_units_in_his_debt() -> None:
    """After 4 MF the leader can go on alone, after 5 not, except under another reading."""

    def leaves(hexes: int, **scene: Any) -> set[str]:
        position = place(LINE, walker(), walker("ldr", "leader"), **scene)
        together = [f"enter u,ldr {name}" for name in WAY[:hexes]]
        return bars(last(position, *together, f"enter ldr {WAY[hexes]}"))

    assert leaves(4) == set()
    assert leaves(5) == {"A4.12b"}
    assert leaves(5, readings=(("A4.12b", "unit"),)) == set()


@pytest.mark.clause("A4.12a", "A4.12b")
def test_one_of_two_leaders_may_go_on() -> None:
    """After 5 MF one leader can go on if the other stays, not both; with one left 6 MF remain."""
    units = walker(), walker("l", "leader"), walker("m", "leader")
    five = [f"enter u,l,m {name}" for name in WAY[:5]]
    one = last(place(LINE, *units), *five, f"enter l {WAY[5]}")
    assert (bars(one), allotment(one.after), one.after.unit("u").move.leaders) == (set(), 6, ("m",))
    assert last(place(LINE, *units), *five, f"enter l {WAY[5]}", f"enter u,m {WAY[5]}").is_legal
    assert bars(last(place(LINE, *units), *five, f"enter l {WAY[5]}", f"enter m {WAY[5]}")) == {
        "A4.12b"
    }
    both = last(place(LINE, *units), *five, f"enter l,m {WAY[5]}")
    assert [v.units for v in both.violations if v.clause == "A4.12b"] == [("u", "l", "m")]
    assert last(place(LINE, *units), *five[:4], f"enter l,m {WAY[4]}").is_legal
    unbound = place(LINE, *units, readings=(("A4.12b", "unit"),))
    assert last(unbound, *five, f"enter l,m {WAY[5]}").is_legal


@pytest.mark.clause("A4.12a")
def test_a_unit_goes_on_with_either_of_two_leaders() -> None:
    """It keeps the bonus with the leader that comes along, and loses it with one that joins again."""
    units = walker(), walker("l", "leader"), walker("m", "leader")
    first = f"enter u,l,m {WAY[0]}"
    with_m = [f"enter u,m {name}" for name in WAY[1:6]]
    assert last(place(LINE, *units), first, *with_m).is_legal
    parted = place(LINE, *units)
    again = [
        first,
        f"enter u,m {WAY[1]}",
        f"enter l {WAY[1]}",
        *(f"enter u,l {name}" for name in WAY[2:5]),
    ]
    assert bars(last(parted, *again)) == {"A4.11b"}


@pytest.mark.clause("A13.3", "A4.12b")
def test_a_leader_on_horseback() -> None:
    """Infantry in one stack with a mounted leader all along has the bonus; a newly mounted one gives none."""
    horse = walker("h", "horse")
    ldr = walker("ldr", "leader", aboard="h", riding=True)
    six = [f"enter h,u {name}" for name in WAY[:6]]
    position = place(LINE, horse, ldr, walker())
    assert last(position, *six).is_legal
    assert bars(last(position, *six[:5], f"enter h {WAY[5]}")) == {"A4.12b"}
    assert bars(last(position, *six[:4], f"enter u {WAY[4]}")) == {"A4.11b"}
    for fields in ({"conveyed": True}, {"broken": True}, {"nationality": "italian"}):
        other = replace(ldr, **fields)
        assert bars(last(place(LINE, horse, other, walker()), *six[:5])) == {"A4.11b"}
