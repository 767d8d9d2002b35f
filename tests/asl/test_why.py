"""Why ASL units cannot reach their goals: reasons verified over whole plans, and their numbers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from marchtable.answers.answer import answer
from marchtable.answers.why import idle_units
from marchtable.errors import BadInputError
from marchtable.files.scenes import load_scene, scene_data, scene_of
from marchtable.planning.lift import Lift
from marchtable.planning.loop import plan
from marchtable.planning.why import Why, why
from marchtable.rules.clause import relaxed, without
from marchtable.rules.plan_model import Reason
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.hooks.conflict_candidates import BOARDING, CANDIDATES, SIGHT
from tests.asl.boards import field, foot, load, place, vehicle
from tests.asl.test_plan_transport import LANE, track
from tests.asl.transport_cases import best
from tests.quiet import Quiet
from tests.slowly import slow_after

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"

TWO = (foot("u", at="A1", cx=True), foot("v", at="A1", cx=True))


def must(*names: str, at: tuple[str, ...]) -> Goal:
    """Return the goal that all of these units are in these Locations."""
    return Goal(aims=(Aim(units=names, at=at, must="all"),), order=("moved",))


CASES: dict[str, tuple[Any, Goal, tuple[str, ...]]] = {
    "too far": (place(LANE, track(), foot("u", at="A1")), must("u", at=("I5",)),
                ("A4.11b", "D6.4c", "D6.4d", "D6.5b")),
    "too many": (place(LANE, track(), *TWO), must("u", "v", at=("F3", "G4")),
                 ("A4.11b", "D6.1c", "D6.2c")),
    "too late": (place(LANE, vehicle("t", "ht-10", "A1", moving=False),
                       foot("u", at="A1", aboard="t")), must("u", at=("I5",)),
                 ("A4.11b", "D6.5b")),
    "pinned": (place(LANE, foot("u", at="A1", pinned=True)), must("u", at=("B1",)), ("A7.8a",)),
    "by truck": (place(LANE, vehicle("u", "ht-5", "A1", moving=False)), must("u", at=("I5",)),
                 ("D2.1b",)),
    "late on": (place(LANE, vehicle("t", "ht-10", None, entering=("A1",)),
                      foot("u", at=None, aboard="t")), must("u", at=("I5",)),
                ("A4.11b", "D6.5b")),
}  # fmt: skip


@cache
def conflict_of(name: str) -> Any:
    """Return why a case has no plan, asked once."""
    position, goal, _ = CASES[name]
    return why(position, goal, most=0)


@pytest.mark.parametrize("name", slow_after(1, CASES))
def test_reasons_are_those_of_whole_plans(name: str) -> None:
    """With only these clauses on there is no plan at all; with any of them off, too, there is one."""
    position, goal, expected = CASES[name]
    found = conflict_of(name)
    assert found.status == "IMPOSSIBLE"
    assert found.conflict is not None
    result = [reason.clause for reason in found.conflict]
    assert set(result) == set(expected)
    assert all(reason.is_needed for reason in found.conflict)
    others = [clause for clause in (*CANDIDATES, *BOARDING) if clause not in result]
    with without(*others):
        assert plan(position, goal, seed=7).status == "IMPOSSIBLE"
    for clause in result:
        with without(*others, clause):
            done = plan(position, goal, seed=7)
            assert done.status == "OPTIMAL"
            assert check(position, done.plans[0].log).status == "LEGAL"


BARRED: dict[str, tuple[Any, tuple[str, ...]]] = {
    "in motion": (vehicle("t", "opel-blitz", "A1", moving=True), ("A4.11b", "D6.4a")),
    "no riders yet": (
        vehicle("t", "t-26-m33", "A1", moving=False), ("A4.11b", "D6.1c", "D6.2b")
    ),
    "no room": (
        vehicle("t", "tr-40", "A1", moving=False), ("A4.11b", "D6.1c", "D6.2c")
    ),
}  # fmt: skip


@pytest.mark.clause("D6.2b", "D6.4a")
@pytest.mark.parametrize("year", slow_after(1, [1941, 0]))
@pytest.mark.parametrize("name", slow_after(2, BARRED))
def test_what_lets_nobody_board_is_reported(name: str, year: int) -> None:
    """If no unit can board, that is among the reasons, and the space can still be named."""
    driven, expected = BARRED[name]
    position = place(LANE, driven, foot("u", at="A1"), year=year)
    goal = Goal(aims=(Aim(units=("u",), at=("I5",), must="all", carried=True),))
    assert plan(position, goal).space.name == "foot"
    assert plan(position, goal, space="transport").status == "IMPOSSIBLE"
    found = why(position, goal, most=0)
    assert (found.status, found.space and found.space.name) == ("IMPOSSIBLE", "transport")
    result = tuple(reason.clause for reason in found.conflict or ())
    assert result == expected
    others = [clause for clause in (*CANDIDATES, *BOARDING) if clause not in result]
    with without(*others):
        assert plan(position, goal).status == "IMPOSSIBLE"
    for clause in result:
        with without(*others, clause):
            assert plan(position, goal).status == "OPTIMAL"


LOADS: dict[str, tuple[Any, tuple[Any, ...], tuple[str, ...]]] = {
    "15 PP of Riders": (
        vehicle("t", "t-26-m33", "A1", moving=False), (foot("u", at="A1", sw=load(5)),),
        ("A4.11b", "D6.1c", "D6.2d"),
    ),
    "a lone SMC with 3 PP": (
        vehicle("t", "tr-40", "A1", moving=False), (foot("u", "leader", at="A1", sw=load(3)),),
        ("A4.42e",),
    ),
    "10 PP outside a Carrier": (
        vehicle("t", "carrier-a", "A1", moving=False), (foot("u", at="A1"),),
        ("A4.11b", "D6.1c", "D6.81c"),
    ),
    "no place for Riders": (
        vehicle("t", "tr-40", "A1", moving=False), (foot("u", at="A1"),),
        ("A4.11b", "D6.1c", "D6.2c"),
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.clause("D6.2d", "D6.2c", "D6.81c")
@pytest.mark.parametrize("name", slow_after(1, LOADS))
def test_what_leaves_riders_no_room_is_reported(name: str) -> None:
    """Room outside does not hide a plan: it is stated along with room inside."""
    driven, others, expected = LOADS[name]
    position = place(LANE, driven, *others, year=1943)
    goal = Goal(aims=(Aim(units=("u",), at=("I5",), must="all", carried=True),))
    found = why(position, goal, most=0)
    result = {reason.clause: reason for reason in found.conflict or ()}
    assert tuple(result) == expected
    if "D6.2d" in result:
        numbers = {"need": 14, "have": 15}
        assert (set(result["D6.2d"].units), dict(result["D6.2d"].numbers)) == ({"t", "u"}, numbers)
    off = [clause for clause in (*CANDIDATES, *BOARDING) if clause not in result]
    with without(*off):
        assert plan(position, goal).status == "IMPOSSIBLE"
    for clause in result:
        with without(*off, clause):
            assert plan(position, goal).status == "OPTIMAL"


@pytest.mark.slow
@pytest.mark.clause("D6.2d")
def test_all_units_whose_pp_are_counted_are_named() -> None:
    """Two squads have 20 PP outside a tank: both are named; for MF only the one that lacks them."""
    tank = vehicle("t", "t-26-m33", "A1", moving=False)
    position = place(LANE, tank, foot("u", at="A1"), foot("v", at="A1"), year=1943)
    goal = Goal(aims=(Aim(units=("u", "v"), at=("I5",), must="all", carried=True),))
    found = {reason.clause: reason for reason in why(position, goal, most=0).conflict or ()}
    assert {*found} == {"A4.11b", "D6.1c", "D6.2d"}
    assert {*found["D6.2d"].units} == {"t", "u", "v"}
    assert dict(found["D6.2d"].numbers) == {"need": 14, "have": 20}
    assert {*found["A4.11b"].units} == {"u", "v"}


@pytest.mark.clause("D6.4c")
def test_a_clause_that_only_charges_others_tells_whom() -> None:
    """A late boarder costs the vehicle MP: it is named, though the squad lacks MF."""
    found = {reason.clause: reason for reason in conflict_of("too far").conflict or ()}
    assert found["D6.4c"].units


@pytest.mark.clause("A4.42a")
def test_a_clause_that_takes_points_off_tells_from_whom() -> None:
    """A squad's load above its IPC charges no step: the squad is still named."""
    position = place(LANE, foot("u", at="A1", sw=load(6)))
    found = {one.clause: one for one in why(position, must("u", at=("D2",)), most=0).conflict or ()}
    assert found["A4.42a"].units == ("u",)


def test_a_space_that_is_not_fit_says_for_what_it_is() -> None:
    """A goal about units on foot alone has no transport; the refusal names a suitable goal."""
    position = place(LANE, foot("u", at="A1"))
    for space, found in (("transport", "vehicles and Infantry"), ("convoy", "one Convoy")):
        with pytest.raises(BadInputError, match=f"expected one of foot, alone, .*{found}"):
            plan(position, must("u", at=("B1",)), space=space)


def test_numbers_are_by_how_little_a_clause_is_broken() -> None:
    """One MP less than a halftrack lacks is not enough, as much as it lacks is."""
    position, goal, _ = CASES["by truck"]
    (reason,) = why(position, goal, most=0, space="alone").conflict or ()
    assert (reason.units, dict(reason.numbers)) == (("u",), {"lacks": 4})
    others = [clause for clause in CANDIDATES if clause != reason.clause]
    for halves, status in ((7, "IMPOSSIBLE"), (8, "OPTIMAL")):
        with without(*others, relaxed(reason.clause, halves)):
            assert plan(position, goal, space="alone").status == status


class Short(Quiet):
    """A control whose limit is reached after a number of questions."""

    def __init__(self, asked: int) -> None:
        super().__init__()
        self.asked = asked

    def left(self) -> float:
        """Return plenty until asked too often."""
        self.asked -= 1
        return 60.0 if self.asked >= 0 else 0.0


@pytest.mark.parametrize("asked", [0, 4, 8, 16])
def test_what_is_not_verified_says_so(asked: int) -> None:
    """If a limit cuts the proof short there is no reason, or one not shown to be needed."""
    position, goal, expected = CASES["too far"]
    model, _ = best(position, goal)
    control: Any = Short(asked)
    found = model.conflict(control)
    if found is not None and all(reason.is_needed for reason in found):
        assert {reason.clause for reason in found} == set(expected)
    elif found is not None:
        assert not any(reason.is_needed or reason.numbers for reason in found)


@pytest.mark.parametrize(
    "clause", slow_after(3, ["A5.11a", "A4.42a", "D2.1b", "A4.14", "D2.6", "A4.11b"])
)
def test_sight_does_not_depend_on_conflict_candidates(
    clause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With such a clause off, what the map forbids in any case is still forbidden."""
    assert clause not in SIGHT
    squad = place(LANE, foot("u", at="A1", sw=load(5)), foot("e", at="D2", side="russian"))
    driver = place(LANE, vehicle("u", "ht-5", "A1"), vehicle("e", "t-26-m33", "C2", side="russian"))
    goal = Goal(aims=(Aim(units=("u",), near=("I5",)),), order=("distance", "points"))
    for position in (squad, driver):
        with without(clause):
            found = plan(position, goal, space="alone").plans[0]
        book = find_rulebook("asl")
        monkeypatch.setattr(type(book), "sight_rests_on", frozenset(book.clauses))
        with without(clause):
            other = plan(_again(position), goal, space="alone").plans[0]
        monkeypatch.undo()
        assert found.score == other.score


@pytest.mark.parametrize("space", ["alone", "foot"])
def test_what_is_not_modelled_is_no_reason_where_the_map_is_none(space: str) -> None:
    """A hero's building out of reach: A4.15 applies only without MF limits, so the MF are the reason."""
    far: dict[str, Any] = {f"{chr(65 + n)}{1 + n // 2}": {} for n in range(8)}
    board = field({**far, "H4": {"terrain": "Wooden Building"}})
    position = place(board, foot("u", at="A1"), foot("e", "hero", at="H4", side="russian"))
    with without("A4.11b"):
        found = plan(position, must("u", at=("H4",)), space=space)
        assert (found.status, found.space.left_out) == ("UNSUPPORTED", ("A4.15",))
    result = why(position, must("u", at=("H4",)), space=space)
    assert result.status == "IMPOSSIBLE"
    assert [(one.clause, one.is_needed) for one in result.conflict or ()] == [("A4.11b", True)]


@pytest.mark.parametrize("space", ["alone", "foot"])
def test_what_is_not_modelled_may_be_the_reason(space: str) -> None:
    """If only an unmodelled clause is in the way, it is named, not the map."""
    board = field({"A1": {}, "B1": {"terrain": "Wooden Building"}})
    position = place(board, foot("u", at="A1"), foot("e", "hero", at="B1", side="russian"))
    found = why(position, must("u", at=("B1",)), space=space)
    assert found.status == "UNSUPPORTED"
    assert [one.clause for one in found.conflict or ()] == ["A4.15"]


def _again(position: Any) -> Any:
    """Return an equal position with nothing cached."""
    board = position.board
    twin = type(board)(f"{board.name} again", board.locations, board.edges)
    return type(position)(**{**{f: getattr(position, f) for f in position.__struct_fields__},
                             "board": twin})  # fmt: skip


def test_the_fewest_mf_more() -> None:
    """MF come whole: the least a squad would need is stated, whatever other numbers are."""
    road = field(
        {f"A{row}": {} for row in range(1, 15)},
        {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, 14)},
    )
    tank = vehicle("t", "t-26-m33", "A2", moving=False)
    position = place(road, tank, foot("u", at="A2"), year=1941)
    goal = must("u", at=("A12",))
    words = {
        space: [
            one.change
            for one in why(position, goal, space=space).repairs
            if "MF for u" in one.change
        ]
        for space in ("transport", "foot")
    }
    assert words["transport"] == words["foot"] == ["5 more MF for u"]


def test_what_bars_a_unit_alone_is_reported() -> None:
    """If no clause is shown to forbid a goal, `why` names the clauses that `reach` names."""
    board = {"rows": ["..w", "..."]}
    truck = {
        "id": "truck",
        "side": "german",
        "type": "Opel 6700",
        "at": "A1",
        "facing": "E",
        "spent": 2,
        "mph": "moving",
        "moving": True,
    }
    scene = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "board": board, "units": [truck],
    }  # fmt: skip
    goal = {
        "format": "marchtable/goal/1",
        "aims": [{"units": ["truck"], "at": ["C1"], "must": "all"}],
    }
    found = answer({"verb": "why", "scene": scene, "goal": goal})
    barred = answer({"verb": "reach", "scene": scene, "unit": "truck", "to": "C1"})["barred"]
    assert (found["status"], found["conflict"]) == ("IMPOSSIBLE", [])
    assert found["alone"] == [{"unit": "truck", "to": "C1", "barred": barred}]
    assert {one["clause"] for one in barred["violations"]} == {"D2.7"}


def test_what_bars_a_unit_alone_is_beside_the_point_if_only_the_space_forbids_the_goal() -> None:
    """Two trucks of a Convoy in one hex: the policy excludes that, not that neither moves by itself."""
    trucks = [
        {"id": f"t{rank}", "side": "german", "type": "Opel 6700", "at": at, "facing": "NNE",
         "moving": True, "convoy": "c", "rank": rank}
        for rank, at in ((1, "A3"), (2, "A4"))
    ]  # fmt: skip
    scene = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "board": {"rows": ["."] * 4, "road": ["A4 A3 A2 A1"]}, "units": trucks,
    }  # fmt: skip
    aims = [{"units": ["t1", "t2"], "at": ["A2"], "must": "all"}]
    goal = {"format": "marchtable/goal/1", "aims": aims}
    found = answer({"verb": "why", "scene": scene, "goal": goal})
    assert (found["status"], found["no_conflict"]) == ("IMPOSSIBLE", "space")
    assert "alone" not in found


def test_a_unit_that_can_do_nothing_is_named_first() -> None:
    """Its MPh is over: named unless the conflict names it, or lifting it is of no use."""
    scene = load_scene(EXAMPLES / "convoy.toml").position
    data = scene_data(scene, name="")
    over = scene_of({**data, "units": [{**u, "move": {"mph": "done"}} for u in data["units"]]})
    goal = must("second", at=("K5",))

    def idle(position: Any, clause: str, *lifted: str) -> list[tuple[str, str]]:
        lift = Lift(lifted, (), True) if lifted else None
        reason = Reason(clause=clause, units=("second",))
        found = Why("IMPOSSIBLE", (), None, (reason,), (), (), None, lift=lift)
        return [(one["unit"], one["clause"]) for one in idle_units(position, goal, found)]

    assert idle(over.position, "E11.2h", "A4.2a", "E11.2h") == [("second", "A4.2a")]
    assert idle(over.position, "E11.2h") == [("second", "A4.2a")]
    assert idle(over.position, "A4.2a") == []
    assert idle(over.position, "E11.2h", "E11.2h") == []
    assert idle(scene, "E11.2h", "E11.2h") == []
