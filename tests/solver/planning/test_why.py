"""Why a log is illegal, why a goal is impossible and what would help, and the slack."""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.files.notation import format_position
from marchtable.planning.lift import hitting
from marchtable.planning.loop import plan
from marchtable.planning.reasons import Deletion, Family, Question
from marchtable.planning.repairs import least_of
from marchtable.planning.score import Measure
from marchtable.planning.solver import Answer
from marchtable.planning.trials import Judge
from marchtable.planning.why import avoids_what_it_demands, why
from marchtable.rules.clause import without
from marchtable.rules.plan_hooks import GoalChange, PlanningSpace
from marchtable.rules.plan_model import PlanSpace, Proposal, Reason
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_toy import RULEBOOK
from tests.quiet import Quiet
from tests.slowly import slow_after
from tests.solver.planning.force import every_plan, random_toy
from tests.solver.planning.scripted import Scripted
from tests.solver.planning.test_alone import crowd
from tests.toy_scene import scene, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.rules.plan_model import Control, Task
    from marchtable.state.action import Action

EVERY = tuple(c.id for c in RULEBOOK.clauses.values() if c.modelled)
DRY = Goal(aims=(Aim(side="red", at=("B1",), must="all"),))


def dry(position: Any) -> Any:
    """Return the position without lakes, so that nothing is UNSUPPORTED."""
    board = position.board
    locations = [msgspec.structs.replace(place, terrain="Meadow") for place in board.locations]
    return msgspec.structs.replace(
        position, board=type(board)(board.name, locations, board.edges)
    )  # fmt: skip


# -- logs ------------------------------------------------------------------------------------------


def test_an_illegal_log() -> None:
    """Every violation of a log is listed, as by check."""
    log = [walk("w0", "B1"), walk("w2", "A1"), walk("w2", "A2")]
    found = why(scene(), log)
    assert found.status == "ILLEGAL"
    assert found.verdict == check(scene(), log)
    assert (found.conflict, found.repairs, found.slack) == (None, (), ())


def test_the_room_that_a_log_leaves() -> None:
    """For a legal log it lists how many fewer points and how many more units are possible."""
    found = why(scene(), [walk("w0", "B1"), walk("w1", "A2")])
    result = {(s.clause, s.unit, s.at, s.what): s.amount for s in found.slack}
    assert result == {
        ("T5", "w0", None, "WP"): 3.5, ("T5", "w1", None, "WP"): 1.5,
        ("T3", "w0", "B1", "units"): 0, ("T3", "w1", "A2", "units"): 1,
    }  # fmt: skip
    assert [s.amount for s in found.slack] == [0, 1, 1.5, 3.5]


def test_room_by_what_was_last_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a rulebook cannot change a unit's points, the last payment gives the same."""
    log = [walk("w0", "B1"), walk("w0", "A1"), walk("w1", "A2")]
    found = [s for s in why(scene(), log).slack if s.what == "WP"]
    monkeypatch.setattr(RULEBOOK, "with_points", lambda *_: None)
    assert [s for s in why(scene(), log).slack if s.what == "WP"] == found
    assert [(s.clause, s.unit, s.amount) for s in found] == [("T5", "w1", 1.5), ("T5", "w0", 3)]


def test_room_is_on_the_line() -> None:
    """With exactly the spare points removed the log is legal, with half a point less it is not."""
    log = [walk("w1", "A2")]
    (room,) = [s for s in why(scene(), log).slack if s.what == "WP"]
    for less, status in ((room.amount, "LEGAL"), (room.amount + 0.5, "ILLEGAL")):
        unit = scene().unit("w1")
        changed = RULEBOOK.with_points(scene(), unit, -int(2 * less))
        assert changed is not None
        assert check(changed, log).status == status


# -- goals -----------------------------------------------------------------------------------------


def test_room_is_not_that_of_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Units like it stand where it ends as it enters; a unit that others refer to has no like."""

    def rows() -> list[Any]:
        return [one for one in why(scene(), [walk("w0", "B1")]).slack if one.what == "units"]

    assert [one.at for one in rows()] == ["B1"]
    monkeypatch.setattr(RULEBOOK, "is_bound", lambda *_: True)
    assert not rows()


def test_a_goal_that_can_be_met() -> None:
    """For a possible goal a plan and its slack are reported."""
    found = why(scene(), Goal(aims=(Aim(units=("w0",), at=("B1",), must="all"),)))
    assert (found.status, found.log, found.conflict) == ("LEGAL", (walk("w0", "B1"),), None)
    assert found.slack


def test_the_reason_has_the_units_and_numbers() -> None:
    """Three walkers cannot fit where two can: one clause, with units, number and maximum."""
    found = why(dry(crowd(3)), DRY)
    (reason,) = found.conflict or ()
    assert (found.status, reason.clause) == ("IMPOSSIBLE", "T3")
    assert (sorted(reason.units), dict(reason.numbers)) == (
        ["w0", "w1", "w2"],
        {"need": 2, "have": 3},
    )


def test_cost_and_allowance_together() -> None:
    """For a walker short of points the reason has the cost of the way and its allotment."""
    tired = crowd(1, allowance=3)
    found = why(tired, Goal(aims=(Aim(units=("w0",), at=("A2",), must=1),)))
    assert {r.clause: (r.units, dict(r.numbers)) for r in found.conflict or ()} == {
        "T1": (("w0",), {"charges w0": 2.5}), "T5": (("w0",), {"need": 2.5, "have": 1.5}),
    }  # fmt: skip
    assert (found.repairs[0].change, found.repairs[0].cost) == ("1 more WP for w0", 1)


def test_the_map_is_never_named() -> None:
    """If the map has no way, neither a clause nor a hex is named."""
    island = type(scene().board)("island", scene().board.locations, [])
    found = why(msgspec.structs.replace(scene(), board=island), DRY)
    assert (found.status, found.conflict) == ("IMPOSSIBLE", ())


def forbidden(position: Any, goal: Goal, clauses: tuple[str, ...]) -> bool:
    """Return whether no plan meets a goal under these clauses alone."""
    with without(*(name for name in EVERY if name not in clauses)):
        return not every_plan(position, goal)


def demanding(rng: random.Random, position: Any) -> Goal:
    """Return a goal that often fails: all of some units in one hex."""
    places = list(position.board.index)
    names = [unit.id for unit in position.units if unit.side == "red"]
    who: dict[str, Any] = rng.choice(({"side": "red"}, {"units": (rng.choice(names),)}))
    return Goal(aims=(Aim(at=(rng.choice(places),), must="all", **who),))


@pytest.mark.parametrize("seed", slow_after(2, range(5000, 5030)))
def test_reasons_are_minimal(seed: int) -> None:
    """The clauses forbid the goal with all others off; without any one of them it is possible."""
    rng = random.Random(seed)
    position = random_toy(rng, units=rng.choice((1, 2, 3)), largest=4)
    goal = demanding(rng, position)
    found = why(position, goal, most=3)
    line = format_position(position)
    if found.status == "LEGAL":
        assert every_plan(position, goal), line
        return
    clauses = tuple(reason.clause for reason in found.conflict or ())
    assert found.conflict is not None
    assert list(clauses) == [name for name in EVERY if name in clauses], line
    assert forbidden(position, goal, clauses), line
    for one in clauses:
        assert not forbidden(position, goal, tuple(c for c in clauses if c != one)), line
    assert [r.cost for r in found.repairs] == sorted(r.cost for r in found.repairs)
    sizes = (n for n in range(1, 4) for some in combinations(EVERY, n)
             if can_be_met(position, goal, some))  # fmt: skip
    least = next(sizes, None) if clauses else None
    assert (found.lift and len(found.lift.clauses)) == least, line
    if found.lift is not None:
        assert found.lift.is_smallest
        with without(*found.lift.clauses):
            assert Judge(position, goal, "pass").stands(found.lift.log), line


def can_be_met(position: Any, goal: Goal, lifted: tuple[str, ...]) -> bool:
    """Return whether some plan meets a goal once clauses are lifted."""
    with without(*lifted):
        return bool(every_plan(position, goal))


def test_repairs_are_verified_and_cheapest_first() -> None:
    """Each repair is reported with a plan for it; a unit left out costs its value."""
    found = why(dry(crowd(3)), DRY)
    assert [(r.change, r.cost) for r in found.repairs] == [
        ("stop 1 hex short of B1", 2), ("leave w0 out of B1", 6), ("leave w1 out of B1", 6),
        ("leave w2 out of B1", 6),
    ]  # fmt: skip
    for repair in found.repairs:
        assert check(dry(crowd(3)), repair.log).status == "LEGAL"
    assert len(why(dry(crowd(3)), DRY, most=1).repairs) == 1


def test_points_lacking_are_the_fewest() -> None:
    """A unit is given exactly the points it lacks."""
    far = Goal(aims=(Aim(units=("w0",), at=("A2",), must=1),))
    found = why(crowd(1, allowance=2), far)
    words = [r.change for r in found.repairs]
    assert not [one for one in words if one.startswith("stop")]  # it is as near as it can get
    assert "1.5 more WP for w0" in words
    assert not [one for one in words if one.startswith("require only")]  # nothing would be left


def test_points_lacking_are_at_most_where_the_limit_is_reached() -> None:
    """An unsettled number counts neither as enough nor as too few: it is no minimum."""
    log: tuple[Action, ...] = (walk("w0", "B1"),)

    def asked(number: int, known: tuple[int, ...]) -> Answer:
        return Answer(log if number >= 5 else None, is_sure=number >= 5 or number in known)

    sure = least_of(lambda number: asked(number, (1, 2, 3, 4)), 64)
    unsure = least_of(lambda number: asked(number, (1, 2, 3)), 64)
    assert sure is not None
    assert unsure is not None
    assert (sure.number, sure.lead) == (5, "")
    assert (unsure.number, unsure.lead) == (5, "at most ")


def test_units_less_are_the_fewest() -> None:
    """Of two required units one is too many: requiring none is no smaller change."""
    far = Goal(aims=(Aim(units=("w0", "w1"), at=("A2",), must=2),), movers=("w0",))
    words = [repair.change for repair in why(crowd(2), far).repairs]
    assert [one for one in words if one.startswith("require only")] == [
        "require only 1 of w0, w1 in A2"
    ]


def test_what_was_to_be_avoided_and_rolls() -> None:
    """Entering a Location to avoid, and taking rolls, are changes too."""
    to_swamp = Goal(aims=(Aim(units=("w0",), at=("A2",), must="all"),), avoid=("A2",))
    assert "enter A2 after all" in [r.change for r in why(crowd(1), to_swamp).repairs]
    roll = Goal(aims=(Aim(units=("w0",), at=("A2",), must="all"),))
    found = why(crowd(1), roll, rolls="avoid")
    assert "take the rolls on the way" in [r.change for r in found.repairs]


def test_a_rulebook_has_its_own_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rulebook's proposals are verified like all others."""
    position = dry(crowd(1, stuck=True))
    free = dry(crowd(1))

    def own(*_: object) -> list[GoalChange]:
        return [
            GoalChange("pull w0 out", 1, ("T2",), free, DRY),
            GoalChange("pray", 0, (), position, DRY),
        ]

    monkeypatch.setattr(RULEBOOK, "repairs", own)
    found = why(position, DRY)
    assert [reason.clause for reason in found.conflict or ()] == ["T2"]
    assert (found.repairs[0].change, found.repairs[0].clauses) == ("pull w0 out", ("T2",))
    assert "pray" not in [repair.change for repair in found.repairs]


def test_a_limit_is_unknown_and_never_impossible() -> None:
    """With too little time the answer is UNKNOWN; an unproved conflict is not reported."""
    assert why(dry(crowd(3)), DRY, limit=0.0).status == "UNKNOWN"


def test_a_raw_core_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an unverified conflict of a model, nor an unproved set of clauses, is reported."""

    class Silent(Scripted):
        def conflict(self, control: Control) -> tuple[Reason, ...] | None:
            assert control.left() >= 0
            return None

    monkeypatch.setattr(RULEBOOK, "plan_models", lambda *_: [Silent()])
    found = why(dry(crowd(3)), DRY)
    assert (found.status, found.conflict) == ("IMPOSSIBLE", None)


def test_reasons_are_those_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rulebook's model gives its own reasons; clauses left out make the answer UNSUPPORTED."""
    result = (Reason(clause="T3", units=("w0",)),)

    class Own(Scripted):
        def conflict(self, control: Control) -> tuple[Reason, ...] | None:
            return result

    model = Own(Proposal("IMPOSSIBLE", None, None))
    model.space = PlanSpace(name="own", verbs=(), movers=(), policy=(), left_out=("T6",))
    monkeypatch.setattr(RULEBOOK, "plan_models", lambda *_: [model])
    found = why(dry(crowd(3)), DRY)
    assert (found.status, found.conflict) == ("UNSUPPORTED", result)


def test_musts_only() -> None:
    """A goal with wishes only is rejected: nothing can forbid it."""
    wish = Goal(aims=(Aim(side="red", at=("B2",)),))
    assert Measure(dry(crowd(3)), wish).required(0) == 0
    with pytest.raises(BadInputError, match="no aim has `must`") as found:
        why(dry(crowd(3)), wish)
    assert found.value.field == "aims"


def test_whether_lifting_the_conflict_is_enough() -> None:
    """It is if a plan exists without the named clauses, and not if others forbid the goal too."""
    assert why(dry(crowd(1, stuck=True)), DRY).enough is True
    twice = why(dry(crowd(3, stuck=True)), Goal(aims=(Aim(side="red", at=("B1",), must="all"),)))
    assert len(twice.conflict or ()) == 1
    assert twice.enough is False


def test_a_smallest_set_to_lift() -> None:
    """It has a clause of each set that forbids the goal, and its plan is valid with only these off."""
    goal = Goal(aims=(Aim(side="red", at=("B1",), must="all"),))
    position = dry(crowd(3, stuck=True))
    found = why(position, goal, most=0).lift
    assert found is not None
    assert (found.clauses, found.is_smallest) == (("T2", "T3"), True)
    with without(*found.clauses):
        assert Judge(position, goal, "pass").stands(found.log)
    for one in found.clauses:
        with without(one):
            assert not Judge(position, goal, "pass").stands(found.log)


def test_hitting_sets() -> None:
    """The smallest set that hits all is chosen, the first in order if equal; none hits an empty set."""
    order = list("abcdef")
    assert hitting([("b", "a")], order) == ("a",)
    assert hitting([("a", "f"), ("b", "f"), ("c", "f")], order) == ("f",)
    assert hitting([("a", "c"), ("b", "c"), ("d",)], order) == ("c", "d")
    assert hitting([("a",), ()], order) is None


def test_why_no_clause_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a clause the answer says whether the map, space, goal or limit is the reason."""
    position = dry(crowd(1))
    island = type(position.board)("island", position.board.locations, [])
    assert why(msgspec.structs.replace(position, board=island), DRY, most=0).no_conflict == "map"
    avoiding = msgspec.structs.replace(DRY, avoid=("B1",))
    assert why(position, avoiding, most=0).no_conflict == "avoid"
    assert why(dry(crowd(3)), DRY, most=0).no_conflict is None
    monkeypatch.setattr(RULEBOOK, "plan_models", lambda *_: [Scripted()])
    monkeypatch.setattr(Scripted, "conflict", lambda *_: None)
    assert why(position, avoiding, most=0).no_conflict == "avoid"
    assert why(dry(crowd(3)), DRY, most=0).no_conflict == "limit"


def test_units_that_stand_where_others_must_not_go_are_counted() -> None:
    """A demand that forbids itself is one for more units than stand in its Locations already."""
    position = dry(crowd(2))
    there = str(position.unit("w0").at)
    both = Aim(units=("w0", "w1"), at=(there,), must=2)
    moved = position.with_units([replace(position.unit("w1"), at="B1")])
    one = msgspec.structs.replace(both, must=1)
    assert avoids_what_it_demands(moved, Goal(aims=(both,), avoid=(there,)))
    assert not avoids_what_it_demands(moved, Goal(aims=(one,), avoid=(there,)))
    assert not avoids_what_it_demands(position, Goal(aims=(both,), avoid=(there,)))
    assert not avoids_what_it_demands(moved, Goal(aims=(both,)))


@pytest.mark.parametrize(
    ("aims", "units"),
    [
        ((Aim(units=("w0",), at=("A1",), must="all"), Aim(units=("w0",), at=("B1",), must="all")), ("w0",)),
        ((Aim(units=("w0",), at=("A1",), must="all"), Aim(units=("w0",), exit=("A1",), must=1)), ("w0",)),
        ((Aim(units=("w0", "w1"), at=("A1",), must=1), Aim(units=("w0", "w1"), at=("B1",), must="all")), ("w0", "w1")),
        ((Aim(units=("w0", "w1"), at=("A1",), must=1), Aim(units=("w0", "w1"), at=("B1",), must=1)), ()),
        ((Aim(units=("w0",), at=("A1", "B1"), must="all"), Aim(units=("w0",), at=("B1",), must="all")), ()),
        (
            tuple(
                Aim(units=("w0",), at=at, must="all")
                for at in (("A1", "B1"), ("B1", "A2"), ("A1", "A2"))
            ),
            ("w0",),
        ),
    ],
    ids=["two hexes", "in and off", "two of two", "one each", "a hex in common", "three aims"],
)  # fmt: skip
def test_a_goal_that_contradicts_itself(aims: tuple[Aim, ...], units: tuple[str, ...]) -> None:
    """Units required in two places are named at once by both, whatever the limit; only then."""
    position, goal = dry(crowd(2)), Goal(aims=aims)
    found, result = plan(position, goal, limit=0.0), why(position, goal, limit=5.0)
    assert (found.twice, result.twice) == (units, units)
    if units:
        assert (found.status, found.searched) == ("IMPOSSIBLE", ())
        assert (result.status, result.no_conflict, result.repairs) == ("IMPOSSIBLE", "avoid", ())


def test_a_space_that_excludes_what_clauses_allow() -> None:
    """If the space has a plan with every clause on, its policy is the reason."""
    log = (walk("w0", "B1"),)

    class Narrow(Scripted):
        def best(self, task: Task, control: Control) -> Proposal:
            return Proposal("OPTIMAL", log, 0)

    position = dry(crowd(1))
    search = Deletion(Question(position, DRY, "pass", Narrow, Quiet()), Family(EVERY))
    assert (search.reasons(), search.is_by_policy) == ((), True)


def in_spaces(monkeypatch: pytest.MonkeyPatch, *models: Scripted) -> None:
    """Use scripted models for all spaces, the second of which contains the first."""
    for number, model in enumerate(models):
        model.name = f"space-{number}"
        model.space = msgspec.structs.replace(model.space, name=model.name)
    monkeypatch.setattr(RULEBOOK, "plan_models", lambda *_: [*models])
    spaces = {"space-1": PlanningSpace(contains=("space-0", "alone"))}
    monkeypatch.setattr(type(RULEBOOK), "spaces", spaces)


class Forbidden(Scripted):
    """A space in which one clause forbids the goal."""

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return the clause."""
        assert control.left() >= 0
        return (Reason(clause="T3", units=("w0",)),)


class Unmodelled(Forbidden):
    """A space that leaves out an unmodelled clause."""

    def __init__(self, *proposals: Proposal) -> None:
        super().__init__(*proposals)
        self.space = msgspec.structs.replace(self.space, left_out=("T6",))


DOUBT = Proposal("UNKNOWN", None, None)
HERE = (walk("w0", "B1"),)


@pytest.mark.parametrize(
    ("made", "status", "explained", "left_open"),
    [
        (lambda: (Forbidden(), Scripted(DOUBT)), "UNKNOWN", "space-0", "space-1"),
        (lambda: (Scripted(DOUBT), Forbidden()), "IMPOSSIBLE", "space-1", None),
        (lambda: (Unmodelled(), Forbidden()), "IMPOSSIBLE", "space-1", None),
        (lambda: (Forbidden(), Unmodelled()), "UNSUPPORTED", "space-1", None),
        (lambda: (Scripted(DOUBT), Scripted(DOUBT)), "UNKNOWN", "space-0", None),
        (lambda: (Scripted(DOUBT), Scripted(*[DOUBT] * 9, quick=[HERE])), "LEGAL", "space-1", None),
    ],
    ids=["larger open", "smaller open", "smaller unmodelled", "larger unmodelled", "both", "a plan"],
)  # fmt: skip
def test_why_says_what_plan_says(
    made: Callable[[], tuple[Scripted, ...]], status: str, explained: str, left_open: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """With several spaces, the reasons are those of the named space."""
    position = dry(crowd(1))
    in_spaces(monkeypatch, *made())
    found = plan(position, DRY)
    assert ("LEGAL" if found.plans else found.status) == status
    in_spaces(monkeypatch, *made())
    result = why(position, DRY, most=0)
    assert (result.status, result.open) == (status, left_open)
    assert status == "LEGAL" or bool(result.conflict) or result.no_conflict is not None
    assert result.space is not None
    assert result.space.name == explained
    is_explained = status in ("IMPOSSIBLE", "UNSUPPORTED") or left_open is not None
    assert [reason.clause for reason in result.conflict or ()] == ["T3"] * is_explained
