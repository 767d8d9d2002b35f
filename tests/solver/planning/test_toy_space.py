"""The toy game's planning space, the guide's example."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from marchtable.files.notation import format_position
from marchtable.planning.goals import movers_of
from marchtable.planning.loop import plan
from marchtable.planning.score import Measure
from marchtable.planning.why import why
from marchtable.rules.clause import without
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable_toy import Toy
from tests.slowly import slow_after
from tests.solver.planning.force import in_order, moves, random_goal, random_toy
from tests.toy_scene import scene
from tests.toy_space import Posts


@pytest.fixture(autouse=True)
def posts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the toy's rulebook plan in this space too."""

    def models(_: Any, position: Any, goal: Goal, rolls: Any) -> list[Posts]:
        return [Posts(position, goal, rolls)]

    monkeypatch.setattr(Toy, "plan_models", models)


@pytest.mark.parametrize("off", [(), ("T3",)])
@pytest.mark.parametrize("seed", slow_after(2, range(20)))
def test_the_best_is_that_of_every_choice(seed: int, off: tuple[str, ...]) -> None:
    """The result is the best choice of cheapest ways that the active clauses allow."""
    with without(*off):
        agrees(random.Random(seed))


def agrees(rng: random.Random) -> None:
    """Check a random question, and its next best answers, against brute force."""
    position = random_toy(rng, largest=4)
    goal = random_goal(rng, position)
    model, measure = Posts(position, goal, "avoid"), Measure(position, goal)
    each = [[one for one in model.options if one.unit == name] for name in model.movers]
    for name, options in zip(model.movers, each, strict=True):
        assert {one.at for one in options} == reached(position, goal, name), name
    ranked = list[Any]()
    for some in product(*each):
        verdict = check(position, [action for one in some for action in one.actions])
        if verdict.status == "LEGAL" and (measured := measure.of(verdict)).is_kept:
            ranked.append(in_order(measured.score, goal))
    ranked.sort(reverse=True)
    found = plan(position, goal, space="posts", rolls="avoid", best=3)
    line = format_position(position)
    assert found.status == ("OPTIMAL" if ranked else "IMPOSSIBLE"), line
    assert [in_order(one.score, goal) for one in found.plans] == ranked[:3], line


def reached(position: Any, goal: Goal, name: str) -> set[str]:
    """Return a walker's reach without the other movers, whatever a model offers."""
    gone = [
        replace(position.unit(one), at=None) for one in movers_of(goal, position) if one != name
    ]
    ends = moves(position.with_units(gone), name, goal, "avoid")
    return {position.unit(name).at, *(after.unit(name).at for after, _, _ in ends)}


@pytest.mark.slow
def test_the_relation_spares_rejections(monkeypatch: pytest.MonkeyPatch) -> None:
    """With T3 stated, hardly a proposal is rejected for it; without, far more are."""
    count = 0
    reject = Posts.reject

    def counted(model: Posts, *args: Any) -> None:
        nonlocal count
        count += 1
        reject(model, *args)

    def asked() -> int:
        nonlocal count
        count = 0
        for seed in range(20):
            agrees(random.Random(seed))
        return count

    monkeypatch.setattr(Posts, "reject", counted)
    with_it = asked()
    monkeypatch.setattr(Posts, "keep_room", lambda _: None)
    assert asked() > 2 * with_it


def test_why_names_the_relations_clause() -> None:
    """For two units that must both enter an occupied place the reason is that it is too full."""
    goal = Goal(aims=(Aim(units=("w0", "w1"), at=("B1",), must="all"),))
    found = why(scene(), goal, space="posts")
    assert found.status == "IMPOSSIBLE"
    assert [reason.clause for reason in found.conflict or ()] == ["T3"]
