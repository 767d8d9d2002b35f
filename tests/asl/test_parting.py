"""Counters of horses and motorcycles that split and combine."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.answers.verdicts import check_answer
from marchtable.errors import BadInputError
from marchtable.files.logs import load_log_text
from marchtable.play import legal_actions as listed
from marchtable.rules.generator import legal_actions
from marchtable.state.records import replace
from tests.asl.boards import ASL, allotment, bars, cites, crossing, foot, last, paid, place, total
from tests.asl.test_mounting import cycles, horses, mount

KINDS = ((horses, "horse", "A13.32c"), (cycles, "cycle", "D15.44a"))


def shared(make: Any = horses, kind: str = "", **fields: Any) -> Any:
    """Return a position in which squad s and leader l ride h."""
    kind = kind or make.__name__
    return place(
        crossing(), foot("s", aboard="h"), foot("l", "leader", aboard="h"), make(kind, **fields)
    )


def beside(make: Any = horses, first: str = "", second: str = "", **fields: Any) -> Any:
    """Return a position with squad s beside unridden counters h and g."""
    two = f"two-{make.__name__}"
    one = make(first or two, "h")
    return place(crossing(), foot("s"), one, make(second or two, "g", **fields))


@pytest.mark.clause("A13.32b")
def test_horses_part_for_a_half_squad() -> None:
    """A half squad, or a crew, mounts half of a squad's horses; the other half stays as before."""
    for kind in ("half-squad", "crew"):
        ruling = mount(foot("v", kind))
        assert ruling.is_legal
        assert paid(ruling, "A13.31b", "h") == 3
        after = ruling.after
        mine, rest = after.unit("h"), after.unit("h-2")
        assert (mine.type, rest.type) == ("two-horses", "two-horses")
        assert (mine.move.mph, rest.move.mph, mine.points.spent, rest.points.spent) == (
            "moving",
            "unmoved",
            6,
            0,
        )
        assert (after.unit("v").cargo.aboard, rest.at) == ("h", "B1")
        ASL.check_position(after)
    assert mount(foot()).after.unit("h").type == "horses"
    assert "h-2" not in mount(foot()).after.index
    assert "A13.32" in bars(mount(foot("v", "half-squad"), onto=horses("horse")))


@pytest.mark.clause("A13.32b", "D15.44a")
def test_a_smc_takes_one_as_he_mounts() -> None:
    """A SMC mounts one of two or three; the rest keep their remaining room."""
    for make, one in ((horses, "horse"), (cycles, "cycle")):
        for kind in (f"two-{make.__name__}", make.__name__):
            after = mount(foot("l", "leader"), onto=make(kind)).after
            assert (after.unit("h").type, after.unit("h-2").type) == (one, kind)
            assert after.unit("l").cargo.aboard == "h"
        alone = mount(foot("l", "leader"), onto=make(one)).after
        assert "h-2" not in alone.index
    car = mount(foot("l", "leader"), onto=cycles("sidecar-cycles")).after
    assert (car.unit("h").type, car.unit("h-2").type) == ("sidecar-cycle", "sidecar-cycles")


@pytest.mark.clause("D15.4b")
def test_motorcycles_do_not_part_for_a_half_squad() -> None:
    """A half squad cannot ride a squad's motorcycles, alone or with a SMC; a squad can."""
    assert bars(mount(foot("v", "half-squad"), onto=cycles())) == {"D15.4b"}
    led = mount(foot("v", "half-squad"), foot("l", "leader"), onto=cycles())
    assert bars(led) == {"D15.4b"}
    assert mount(foot("v", "half-squad"), onto=cycles("two-cycles")).is_legal
    assert mount(foot(), onto=cycles()).is_legal
    assert "D15.4b" not in bars(mount(foot("v", "half-squad")))


@pytest.mark.clause("A13.32c", "D15.44a")
@pytest.mark.parametrize(("make", "one", "clause"), KINDS)
def test_a_smc_rides_on_alone(make: Any, one: str, clause: str) -> None:
    """It takes one for free, on the way or before, and goes anywhere; the squad goes on."""
    ruling = last(shared(make), "split l")
    assert (ruling.is_legal, total(ruling, "l")) == (True, 0)
    after = ruling.after
    own, theirs = after.unit("h-2"), after.unit("h")
    assert (own.type, theirs.type, after.unit("l").cargo.aboard) == (one, make.__name__, "h-2")
    assert (own.move.mph, theirs.move.mph) == ("moving", "unmoved")
    start = () if make is horses else ("start h",)
    go = () if make is horses else ("start h-2",)
    on = last(shared(make), *start, "enter h C1", "split l")
    assert (on.after.unit("h-2").points.spent, on.after.unit("h-2").at) == (
        on.after.unit("h").points.spent,
        "C1",
    )
    assert on.after.unit("h-2").move.mph == on.after.unit("h").move.mph == "moving"
    away = last(shared(make), "split l", *go, "enter h-2 C1")
    assert away.is_legal
    assert [away.after.unit(name).at for name in ("l", "s", "h", "h-2")] == ["C1", "B1", "B1", "C1"]
    assert allotment(away.after, "h-2") == allotment(away.after, "h")


@pytest.mark.clause("A13.32c", "D15.44a")
@pytest.mark.parametrize(("make", "one", "clause"), KINDS)
def test_a_unit_that_does_not_ride_alone(make: Any, one: str, clause: str) -> None:
    """Not a SMC with its own, nor on foot; squads that Deploy, and lines, are UNSUPPORTED."""
    single = place(crossing(), foot("l", "leader", aboard="h"), make(one))
    assert bars(last(single, "split l")) == {clause}
    assert cites(last(shared(make), "split s")) == {clause}
    assert bars(last(place(crossing(), foot("l", "leader")), "split l")) == {"A13.32c"}
    assert "A4.2a" in bars(last(shared(make, mph="done"), "split l"))
    assert "A3.3" in bars(last(msgspec.structs.replace(shared(make), phase="APh"), "split l"))
    if make is horses:
        assert clause in cites(last(shared(make, column="k", rank=1), "split l"))


@pytest.mark.clause("A13.32d", "D15.44b")
def test_two_counters_become_one() -> None:
    """Two counters for half squads make a squad's, with the larger expenditure; the second is gone."""
    for make, clause in ((horses, "A13.32d"), (cycles, "D15.44b")):
        assert last(beside(make), "combine h g").is_legal
        after = last(beside(make, spent=6, used=6, mph="done"), "combine h g").after
        one = after.unit("h")
        assert (one.type, one.points.spent, one.move.mph, one.at) == (
            make.__name__,
            6,
            "done",
            "B1",
        )
        assert after.unit("g").at is None
        ASL.check_position(after)
        squad = after.with_units([replace(one, mph="unmoved", spent=0, used=0)])
        assert last(squad, "mount s h").is_legal
        assert bars(last(beside(make, second=make.__name__), "combine h g")) == {clause}
        assert bars(last(beside(make, at="C1"), "combine h g")) == {clause}
        assert bars(last(beside(make, side="russian"), "combine h g")) == {clause}
        single = last(
            beside(make, second=make.__name__[:-1] if make is cycles else "horse"), "combine h g"
        )
        assert cites(single) == {clause}
        ridden = beside(make).with_units([foot("s", "half-squad", aboard="h")])
        assert cites(last(ridden, "combine h g")) == {clause}
    other = beside(cycles, second="two-sidecar-cycles")
    assert bars(last(other, "combine h g")) == {"D15.44b"}
    assert last(beside(cycles, "two-sidecar-cycles", "two-sidecar-cycles"), "combine h g").is_legal
    assert "D15.44b" in bars(last(beside(), "combine s h"))


@pytest.mark.clause("A13.32d")
def test_horses_become_one_in_company_only() -> None:
    """Unbroken Personnel of their side must be there; motorcycles need none."""
    for who, said in ((foot("s", broken=True), {"A13.32d"}), (foot("s", at="C1"), {"A13.32d"})):
        assert bars(last(beside().with_units([who]), "combine h g")) == said
        assert not bars(last(beside(cycles).with_units([who]), "combine h g"))


def test_options_and_logs_know_the_new_counter() -> None:
    """The options list the split, then the new counter's moves; a log names it in advance."""
    position = shared()
    assert "split l" in {str(choice.action) for choice in legal_actions(position)}
    after = last(position, "split l").after
    assert "enter h-2 C1" in {str(choice.action) for choice in legal_actions(after)}
    assert "combine h g" in {str(choice.action) for choice in legal_actions(beside())}
    log = load_log_text("split l\nenter h-2 C1\n", position, path="a.log")
    assert [str(action) for action in log] == ["split l", "enter h-2 C1"]
    with pytest.raises(BadInputError, match="no unit"):
        load_log_text("enter s-2 C1\n", position, path="a.log")


def test_check_tells_of_the_new_counter() -> None:
    """Receipts, effects, violations and the remainder name it like any other."""
    lines = "split l\nenter h-2 C1\nenter h-2 A1\nend h-2\n"
    position = shared()
    found = check_answer(position, load_log_text(lines, position, path="a.log"))
    assert found["status"] == "ILLEGAL"
    assert [receipt["unit"] for receipt in found["receipts"]][:1] == ["h-2"]
    assert {name for broken in found["violations"] for name in broken["units"]} == {"h-2"}
    assert [left["unit"] for left in found["slack"]] == ["h-2"]


def test_the_quick_list_knows_it_too() -> None:
    """The quick list after counters split or combine equals the slow list."""
    for start, line in (
        (shared(), "split l"),
        (shared(cycles), "split l"),
        (beside(), "combine h g"),
    ):
        before = {str(choice.action) for choice in listed(start)}
        after = last(start, line).after
        assert line in before
        assert [str(c.action) for c in listed(after)] == [
            str(c.action) for c in legal_actions(after)
        ]
