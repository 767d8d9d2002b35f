"""Plans in Valor & Victory: units alone, as stacks with a leader, and aboard transports."""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import marchtable
from marchtable.files.notation import format_action
from marchtable.files.scenes import scene_data
from marchtable.state.action import Phase
from marchtable.state.goal import Aim, Goal
from tests.examples import ROOT
from tests.slowly import slow_after
from tests.valor.marches_cases import compared, leaving, played_out
from tests.valor.scenes import VALOR, field, grid, judge, place, unit
from tests.valor.strategies import valor_positions

if TYPE_CHECKING:
    from collections.abc import Sequence

EXAMPLES = ROOT / "docs" / "examples"
MOVE: dict[str, Any] = {"phase": "Movement"}
LANE = field("A", 9)


def goal(units: Sequence[str], *at: str, must: Any = "all", **fields: Any) -> Goal:
    """Return the goal that units get to hexes for the fewest points."""
    return Goal(
        aims=(Aim(units=tuple(units), at=at, must=must, **fields),), order=("value", "points")
    )


def planned(position: Any, wanted: Goal) -> tuple[str, list[str]]:
    """Return the status of a plan and its lines."""
    found = marchtable.plan(position, wanted)
    return found.status, [format_action(one) for one in found.plans[0].log] if found.plans else []


def test_a_leader_takes_a_squad_farther() -> None:
    """A squad gets 4 hexes by itself, and 6 with a leader, who also pays."""
    pair = place(unit(at="A1"), unit("l", "leader", "A1"), board=LANE, **MOVE)
    assert planned(pair, goal("u", "A5"))[1] == [f"enter u A{n}" for n in (2, 3, 4, 5)]
    assert planned(pair, goal("u", "A7"))[1] == [f"enter l,u A{n}" for n in range(2, 8)]
    assert planned(pair, goal("u", "A8"))[0] == "IMPOSSIBLE"
    far = place(unit(at="A1"), unit("l", "leader", "A2"), board=LANE, **MOVE)
    assert planned(far, goal("u", "A6"))[0] == "IMPOSSIBLE"


def test_a_transport_brings_whom_it_carries() -> None:
    """A unit aboard is unloaded at its goal; one that boards first can only arrive aboard."""
    truck = unit("t", "3-ton-truck", "A9", facing="N")
    aboard = place(truck, unit(at="A9", aboard="t"), board=LANE, **MOVE)
    status, log = planned(aboard, goal("u", "A2"))
    assert (status, log[-1], len(log)) == ("OPTIMAL", "unload u", 8)
    beside = place(truck, unit(at="A9"), board=LANE, **MOVE)
    assert planned(beside, goal("u", "A2"))[0] == "IMPOSSIBLE"
    status, log = planned(beside, goal("u", "A2", carried=True))
    assert (status, log[0], len(log)) == ("OPTIMAL", "load u t", 8)


def test_reinforcements_come_on() -> None:
    """From off the map too a leader takes a squad farther and a truck brings its load."""
    on: dict[str, Any] = {"at": None, "entering": ("A1", "B1")}
    wide = field("AB", 9)
    pair = place(unit(**on), unit("l", "leader", **on), board=wide, **MOVE)
    status, log = planned(pair, goal("u", "A6"))
    assert (status, log[0], len(log)) == ("OPTIMAL", "enter l,u A1", 6)
    assert planned(pair, goal("u", "A7"))[0] == "IMPOSSIBLE"
    truck = unit("t", "3-ton-truck", facing="S", **on)
    laden = place(truck, unit(at=None, aboard="t"), board=wide, **MOVE)
    status, log = planned(laden, goal("u", "A9"))
    assert (status, log[0], log[-1]) == ("OPTIMAL", "enter t A1", "unload u")
    alone = place(unit(**on), board=wide, **MOVE)
    found = marchtable.why(alone, goal("u", "A6"))
    assert {reason.clause for reason in found.conflict or ()} == {"V6.3"}


@pytest.mark.slow
def test_any_order_that_there_is_is_found() -> None:
    """Of three that pass through a full hex an order is found exactly where trying all six finds one."""
    board = field("A", 5)
    for ends in product((1, 2, 3, 4, 5), repeat=3):
        units = [unit(name, at=f"A{n}") for n, name in enumerate("uvw", 2)]
        crowd = [unit(name, at="A3") for name in "xyz"]
        position = place(*units, *crowd, board=board, **MOVE)
        ways = [
            [f"enter {one.id} A{m}" for m in _between(n, end)]
            for n, (one, end) in enumerate(zip(units, ends, strict=True), 2)
        ]
        tried = {
            judge(position, *(line for way in some for line in way), "phase DefensiveFire").status
            for some in permutations(ways)
        }
        aims = [
            Aim(units=(name,), at=(f"A{m}",), must="all")
            for name, m in zip("uvw", ends, strict=True)
        ]
        wanted = Goal(aims=tuple(aims), movers=("u", "v", "w"), order=("points",))
        found = "OPTIMAL" if "LEGAL" in tried else "IMPOSSIBLE"
        assert planned(position, wanted)[0] == found, ends


def _between(a: int, b: int) -> range:
    return range(a + 1, b + 1) if b > a else range(a - 1, b - 1, -1)


def test_those_far_away_do_not_matter_to_an_order() -> None:
    """Full hexes that cannot change places are proved to be so whatever six others do."""
    apart = grid({"A1": {}, "A2": {}, **{f"{c}{n}": {} for c in "CDE" for n in (3, 4, 5, 6)}})
    full = [unit(f"{name}{n}", at=at) for name, at in (("a", "A1"), ("b", "A2")) for n in range(4)]
    others = [unit(f"c{n}", at="C3") for n in range(4)]
    position = place(*full, *others, board=apart, **MOVE)
    swap = (
        Aim(units=("a0", "b1", "b2", "b3"), at=("A2",), must="all"),
        Aim(units=("b0", "a1", "a2", "a3"), at=("A1",), must="all"),
    )
    free = Aim(units=tuple(one.id for one in others), at=("E5",))
    assert planned(position, Goal(aims=(*swap, free), order=("value", "points")))[0] == "IMPOSSIBLE"


def test_room_for_some_who_change_places() -> None:
    """Two of each of two full hexes change places via a third, whatever two others want there."""
    full = [unit(f"{name}{n}", at=at) for name, at in (("a", "A1"), ("b", "B2")) for n in range(4)]
    others = [unit(f"c{n}", at="C3") for n in range(2)]
    position = place(*full, *others, board=field("ABC", 4), **MOVE)
    aims = (
        Aim(units=("a0", "a1"), at=("B2",), must="all"), Aim(units=("b0", "b1"), at=("A1",), must="all"),
        Aim(units=("c0", "c1"), at=("B2", "A1", "B3")),
    )  # fmt: skip
    found = marchtable.plan(position, Goal(aims=aims, order=("value", "points")))
    assert found.status == "OPTIMAL"
    assert (found.plans[0].score["value"], found.plans[0].score["points"]) == (6, 14)


def test_a_unit_that_is_under_way_goes_on_first() -> None:
    """A unit that has begun its move ends it before another begins, unless that must make room for it."""
    begun = unit(at="A1", moving=True, moved=True, spent=2)
    crowd = [unit(name, at="A2") for name in "wxyz"]
    there = Aim(units=("u",), at=("A2",), must="all")
    position = place(begun, *crowd, board=field("A", 3), **MOVE)
    assert planned(position, Goal(aims=(there,), order=("points",)))[0] == "IMPOSSIBLE"
    free = place(begun, *crowd[1:], unit("w", at="A3"), board=field("A", 3), **MOVE)
    both = Goal(aims=(there, Aim(units=("w",), at=("A2", "A1"), must="all")))
    assert planned(free, both)[1] == ["enter u A2", "enter w A2", "enter w A1"]


def test_a_unit_that_may_leave_only_a_crowd_goes_first() -> None:
    """An unloaded unit can leave only a hex over its limit (V8.3), so no other unit leaves before it."""
    crowd = [unit(name, at="A1") for name in "abcd"]
    left = unit("z", at="A1", settled=True, handled="unload")
    position = place(*crowd, left, board=field("A", 4), **MOVE)
    aims = (Aim(units=("a",), at=("A3",), must="all"), Aim(units=("z",), at=("A2",), must="all"))
    status, log = planned(position, Goal(aims=aims, order=("points",)))
    assert (status, log[0], len(log)) == ("OPTIMAL", "enter z A2", 3)


@pytest.mark.clause("V8.3")
@pytest.mark.parametrize(("others", "leaves"), [(2, False), (3, False), (4, True), (5, True)])
def test_reach_counts_one_that_may_leave_only_a_crowd_once(others: int, *, leaves: bool) -> None:
    """Four in its hex, itself among them, are no crowd: reach and referee agree about leaving."""
    left = unit("z", at="A1", settled=True, handled="unload")
    position = place(left, *(unit(f"u{n}", at="A1") for n in range(others)), board=LANE, **MOVE)
    assert (judge(position, "enter z A2").status == "LEGAL") == leaves
    (found,) = marchtable.reach(position, ["z"])
    assert ("A2" in {place.at for place in found.places}) == leaves
    if not leaves:
        assert planned(position, goal("z", "A2"))[0] == "IMPOSSIBLE"


def test_a_crowd_is_made_for_one_that_may_leave_nothing_else() -> None:
    """A transport that unloads in its hex lets it do what it cannot do alone."""
    left, other = unit("a", at="A1", settled=True, handled="unload"), unit("b", at="A1")
    truck = unit("t", "3-ton-truck", "A1", facing="S")
    position = place(left, other, truck, unit("y", at="A1", aboard="t"), board=LANE, **MOVE)
    assert planned(position, goal("a", "A2")) == ("OPTIMAL", ["unload y", "enter a A2"])


def test_a_crowd_is_made_after_one_has_left() -> None:
    """A unit under way goes first, and leaves no crowd for another to leave: a transport makes one."""
    begun = unit("a", at="A1", moving=True, moved=True, spent=2)
    left, truck = (
        unit("z", at="A1", settled=True, handled="unload"),
        unit("t", "3-ton-truck", "A1", facing="S"),
    )
    crowd = (begun, unit("b", at="A1"), left, truck, unit("y", at="A1", aboard="t"))
    aims = (Aim(units=("a",), at=("A3",), must="all"), Aim(units=("z",), at=("A2",), must="all"))
    found = planned(place(*crowd, board=field("A", 4), **MOVE), Goal(aims=aims, order=("points",)))
    assert found == ("OPTIMAL", ["enter a A2", "enter a A3", "unload y", "enter z A2"])


def test_whoever_acts_first_ends_the_move_of_one_under_way() -> None:
    """A transport makes a crowd only after one far away has begun, so that the unit under way has ended."""
    begun = unit("m", at="A1", moving=True, moved=True, spent=2)
    left = unit("z", at="A1", settled=True, handled="unload")
    truck = unit("t", "3-ton-truck", "A1", facing="S", moved=True, spent=28)
    crowd = (unit(at="A2"), left, begun, truck, unit("y", at="A1", aboard="t"))
    aims = (Aim(units=("u",), at=("A3",), must="all"), Aim(units=("z",), at=("A2",), must="all"))
    found = planned(place(*crowd, board=field("A", 3), **MOVE), Goal(aims=aims, order=("points",)))
    assert found == ("OPTIMAL", ["enter u A3", "unload y", "enter z A2"])


def test_others_begin_once_a_crowded_hex_has_been_left() -> None:
    """While a unit under way is in a hex over its limit no other begins; once it has gone on others do."""
    begun = unit("a", at="A1", moving=True, moved=True, spent=2)
    position = place(begun, *(unit(name, at="A1") for name in "bcde"), board=field("A", 4), **MOVE)
    assert judge(position, "enter b A2").status == "ILLEGAL"
    aims = (Aim(units=("a",), at=("A3",), must="all"), Aim(units=("b",), at=("A2",), must="all"))
    found = planned(position, Goal(aims=aims, order=("points",)))
    assert found == ("OPTIMAL", ["enter a A2", "enter a A3", "enter b A2"])


def test_reach_from_a_full_hex_does_not_depend_on_a_unit_under_way_there_before() -> None:
    """A unit leaves a hex at its limit, even if reach was asked of it as it had just entered."""
    begun = unit("a", at="A1", moving=True, moved=True, spent=2)
    position = place(begun, *(unit(name, at="A1") for name in "bcd"), board=field("A", 4), **MOVE)
    anew = msgspec.structs.replace(begun, moving=False, moved=False, spent=0)
    fresh = position.with_units([anew])
    assert marchtable.reach(position, ["a"])[0].locations == {"A1", "A2", "A3", "A4"}
    assert not judge(fresh, "enter a A2").violations
    assert marchtable.reach(fresh, ["a"])[0].locations == {"A1", "A2", "A3", "A4"}


@pytest.mark.parametrize(
    ("other", "hexes"),
    [
        ({"at": "A1", "pinned": True}, {"A1", "A2", "A3", "A4"}),
        ({"at": "A4"}, {"A1", "A2", "A3", "A4"}),
        ({"at": "A1"}, {"A1"}),
    ],
)
def test_reach_of_a_unit_that_began_in_a_stack(other: dict[str, Any], hexes: set[str]) -> None:
    """A unit that began in a stack goes on alone if the other is pinned or elsewhere, else not (V6.1b)."""
    begun: dict[str, Any] = {"moving": True, "moved": True, "spent": 2, "party": ("a", "b")}
    pair = unit("a", at="A1", **begun), unit("b", **begun, **other)
    position = place(*pair, board=field("A", 4), **MOVE)
    assert bool(judge(position, "enter a A2").violations) == ("A2" not in hexes)
    assert marchtable.reach(position, ["a"])[0].locations == hexes


@pytest.mark.parametrize(("b", "c", "last"), [("A3", "A2", "A3"), ("A2", "A3", "A2")])
def test_a_unit_that_began_with_a_unit_is_not_an_equal_unit(b: str, c: str, last: str) -> None:
    """A unit goes on from a stranger's hex, but not without the unit that began with it (V6.1b)."""
    begun: dict[str, Any] = {"moving": True, "moved": True, "spent": 2, "party": ("a", "b")}
    units = unit("a", at="A1", **begun), unit("b", at=b, **begun), unit("c", at=c)
    position = place(*units, board=field("A", 6), **MOVE)
    assert max(marchtable.reach(position, ["a"])[0].locations) == last


def test_reach_does_not_hang_on_what_was_asked_before() -> None:
    """What keeps others from beginning beside a unit under way does not depend on equal units elsewhere."""
    begun = unit("a", at="A1", moving=True, moved=True, spent=2)
    position = place(begun, *(unit(name, at="A1") for name in "bcde"), board=field("A", 4), **MOVE)
    ended = position.with_units([msgspec.structs.replace(begun, moving=False)])
    assert {place.at for place in marchtable.reach(position, ["a"])[0].places} == {
        "A1",
        "A2",
        "A3",
        "A4",
    }
    assert {place.at for place in marchtable.reach(ended, ["b"])[0].places} == {
        "A1",
        "A2",
        "A3",
        "A4",
    }


def test_a_unit_that_waits_is_asked_about_without_its_clause() -> None:
    """With V6.10a off, turning has no effect off the map, and plans are still found."""
    truck = unit("t", "3-ton-truck", None, entering=("A1",), facing="S")
    with marchtable.without("V6.10a"):
        assert planned(place(truck, board=LANE, **MOVE), goal("t", "A3"))[0] == "OPTIMAL"


def off(units: Sequence[str], *exits: str, must: Any = "all") -> Goal:
    """Return the goal that units leave the map by hexes for the fewest points."""
    aim = Aim(units=tuple(units), exit=exits, must=must)
    return Goal(aims=(aim,), order=("value", "points"))


def test_a_unit_that_is_wanted_off_the_map_leaves_it() -> None:
    """At the edge at once; from afar by the hex named, as far as the MP last (V6.10b: one MP); a wish, too."""
    squad = place(unit(at="A1"), board=LANE, **MOVE)
    assert planned(squad, off("u", "A1")) == ("OPTIMAL", ["exit u"])
    assert planned(squad, off("u", "A1", must=None)) == ("OPTIMAL", ["exit u"])
    status, log = planned(squad, off("u", "A4"))
    assert (status, log) == ("OPTIMAL", ["enter u A2", "enter u A3", "enter u A4", "exit u"])
    assert planned(squad, off("u", "A5"))[0] == "IMPOSSIBLE"
    assert {one.clause for one in marchtable.why(squad, off("u", "A5")).conflict or ()} == {"V6.3"}
    free = place(unit(at="A1"), board=LANE, readings={"A29": "nothing"}, **MOVE)
    assert planned(free, off("u", "A5"))[0] == "OPTIMAL"


def test_a_stack_and_a_load_leave_the_map_together() -> None:
    """A leader takes a squad off by a hex it cannot leave from alone; a truck takes its load."""
    pair = place(unit(at="A1"), unit("l", "leader", "A1"), board=LANE, **MOVE)
    status, log = planned(pair, off("u", "A6"))
    assert (status, log[-1], len(log)) == ("OPTIMAL", "exit l,u", 6)
    truck = unit("t", "3-ton-truck", "A3", facing="N")
    laden = place(truck, unit(at="A3", aboard="t"), board=LANE, **MOVE)
    assert planned(laden, off("u", "A1")) == ("OPTIMAL", ["enter t A2", "enter t A1", "exit t"])
    inner = Goal(
        aims=(
            Aim(units=("u",), at=("A2",), must="all"),
            Aim(units=("t",), exit=("A1",), must="all"),
        )
    )
    assert planned(laden, inner)[0] == "IMPOSSIBLE"  # it unloads only where it starts or ends


def test_nobody_else_leaves_the_map() -> None:
    """Units that no aim wants off do not leave to make room, and the policy says so."""
    full = [unit(f"{at}{n}", at=at) for at in ("A1", "A2") for n in range(4)]
    position = place(*full, board=field("A", 2), **MOVE)
    found = marchtable.plan(position, goal(["A10"], "A2"))
    assert found.status == "IMPOSSIBLE"
    assert any("leave the map only to" in line for line in found.space.policy)
    aims = (*goal(["A10"], "A2").aims, Aim(units=("A20",), exit=("A2",)))
    status, log = planned(position, Goal(aims=aims, order=("value", "points")))
    assert (status, log) == ("OPTIMAL", ["exit A20", "enter A10 A2"])


@pytest.mark.parametrize("seed", slow_after(2, range(30)))
def test_leaving_the_map_is_as_good_as_by_force(seed: int) -> None:
    """Where units must leave the map, no sequence of moves does better than the plan."""
    case = leaving(seed)
    assert case is None or not compared(case)


def test_room_is_made_first() -> None:
    """Four are where one is wanted: one of them leaves before it enters; two cannot change places."""
    four = [unit(name, at="A3") for name in "abcd"]
    position = place(unit(at="A1"), *four, board=LANE, **MOVE)
    status, log = planned(position, goal("u", "A3"))
    assert (status, len(log)) == ("OPTIMAL", 3)
    assert log[0].split()[1] in "abcd"
    full = place(*four, *(unit(name, at="A4") for name in "wxyz"), board=field("A", 4), **MOVE)
    held = Goal(
        aims=(
            Aim(units=("a",), at=("A4",), must="all"), Aim(units=("w",), at=("A3",), must="all"),
            Aim(units=("b", "c", "d"), at=("A3",), must="all"), Aim(units=("x", "y", "z"), at=("A4",), must="all"),
        ),
        order=("points",),
    )  # fmt: skip
    assert planned(full, held)[0] == "IMPOSSIBLE"


@pytest.mark.parametrize(
    ("position", "wanted", "clauses"),
    [
        (place(unit(at="A1"), board=LANE, **MOVE), goal("u", "A6"), {"V6.3"}),
        (place(unit(at="A1", pinned=True), board=LANE, **MOVE), goal("u", "A3"), {"V14.7a"}),
        (
            place(unit(at="A1"), unit("e", at="A2", side="american"), board=LANE, **MOVE),
            goal("u", "A3"),
            {"V6.8"},
        ),
        (
            place(unit("t", "3-ton-truck", "A5", facing="N"), board=field("AB", 9, {"A3": {"terrain": "Pond"}}), **MOVE),
            goal("t", "A3"),
            {"V10.11"},
        ),
    ],
    ids=["too far", "pinned", "enemies", "water"],
)  # fmt: skip
def test_why_not(position: Any, wanted: Goal, clauses: set[str]) -> None:
    """The reason names what forbids a goal, each clause needed."""
    found = marchtable.why(position, wanted)
    assert found.status == "IMPOSSIBLE"
    assert {reason.clause for reason in found.conflict or ()} == clauses


def test_a_space_that_is_named_is_blamed_for_its_policy() -> None:
    """A passenger's move outside the space `alone` is legal by the clauses: no clause or map forbids it."""
    truck = unit("t", "3-ton-truck", "A9", facing="N")
    aboard = place(truck, unit(at="A9", aboard="t"), board=LANE, **MOVE)
    wanted = goal("u", "A2")
    found = marchtable.why(aboard, wanted, space="alone", most=0)
    assert (found.status, found.conflict, found.no_conflict) == ("IMPOSSIBLE", (), "space")
    assert marchtable.plan(aboard, wanted).status == "OPTIMAL"


def test_what_would_help() -> None:
    """One more MP, or a rally first."""
    far = marchtable.why(place(unit(at="A1"), board=LANE, **MOVE), goal("u", "A6"))
    assert "1 more MP for u" in {one.change for one in far.repairs}
    held = marchtable.why(place(unit(at="A1", pinned=True), board=LANE, **MOVE), goal("u", "A3"))
    assert "rally u first" in {one.change for one in held.repairs}


def test_the_example() -> None:
    """The hamlet's plan is proved optimal, and drives the squad with its halftrack."""
    position = marchtable.load(EXAMPLES / "hamlet.toml")
    found = marchtable.plan(
        position, marchtable.load_goal(EXAMPLES / "to-the-hamlet.toml", position)
    )
    assert (found.status, found.space.name) == ("OPTIMAL", "marches")
    assert "unload sqD" in [format_action(one) for one in found.plans[0].log]


# -- against trying everything ---------------------------------------------------------------------


@pytest.mark.slow
@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    deadline=None,
)
@given(valor_positions(units=3, modelled=True, largest=4, phases=("Movement",)), st.data())
def test_the_best_of_all(position: Any, data: st.DataObject) -> None:
    """No sequence of infantry moves does better than the plan, and it claims no more than the best."""
    foot = [u for u in position.units if u.facing is None and u.aboard is None]
    leaders = sum(u.type == "leader" for u in foot)
    assume(len(foot) == len(position.units) and leaders <= 1)
    own = [u.id for u in foot if u.side == "german"]
    assume(own)
    position = msgspec.structs.replace(position, counters=())
    assume(VALOR.rule(position, Phase("DefensiveFire")).is_legal)
    hexes = tuple(position.board.index)
    at = data.draw(st.sets(st.sampled_from(hexes), min_size=1, max_size=2))
    wanted = goal(own, *sorted(at), must=None)

    best = max(
        (sum(u.at in at for u in end.units if u.id in own), -sum(u.spent for u in end.units))
        for end in played_out(position)
    )
    found = marchtable.plan(position, wanted)

    assert found.status == "OPTIMAL"
    assert (found.plans[0].score["value"], -found.plans[0].score["points"]) == best


def test_a_goal_that_avoids_what_it_demands_is_itself_the_reason() -> None:
    """Clauses that stop a unit alone are not listed for a goal that contradicts itself."""
    farther = {"units": ["u"], "at": ["A2"], "must": "all"}
    scene = scene_data(place(unit(at="A9"), board=LANE, **MOVE))
    asked: dict[str, Any] = {"verb": "why", "scene": scene}

    far = marchtable.answer({**asked, "goal": {"format": "marchtable/goal/1", "aims": [farther]}})
    avoiding = {"format": "marchtable/goal/1", "aims": [farther], "avoid": ["A2"]}
    found = marchtable.answer({**asked, "goal": avoiding})
    assert (far["no_conflict"], bool(far["conflict"])) == (None, True)
    assert (found["no_conflict"], found["conflict"], found.get("alone")) == ("avoid", [], None)
