"""The CP-SAT harness: profiles, limits, stopping, and statuses that are never merged."""

from __future__ import annotations

import _thread
import threading
from typing import TYPE_CHECKING, get_args

import pytest
from ortools.sat.python import cp_model

from marchtable.budget import Budget, budget_scope
from marchtable.cpsat.harness import (
    PROFILES,
    Profile,
    Status,
    Stop,
    ended_when,
    enumerate_all,
    solve,
)
from marchtable.errors import InternalError

if TYPE_CHECKING:
    from typing import Any

HOLES = 12


def number(least: int, most: int) -> tuple[cp_model.CpModel, cp_model.IntVar]:
    """Return a model of one number."""
    model = cp_model.CpModel()
    return model, model.new_int_var(least, most, "x")


def pigeons() -> cp_model.CpModel:
    """Return a model that takes CP-SAT longer than any test waits: pigeons and holes."""
    model = cp_model.CpModel()
    sits = [[model.new_bool_var("") for _ in range(HOLES)] for _ in range(HOLES + 1)]
    for pigeon in sits:
        model.add_bool_or(pigeon)
    for hole in zip(*sits, strict=True):
        for i, one in enumerate(hole):
            for other in hole[:i]:
                model.add_bool_or(one.negated(), other.negated())
    return model


@pytest.mark.parametrize("profile", get_args(Profile))
def test_every_profile_finds_the_optimum(profile: Any) -> None:
    """Each named profile exists, and proves the best value of a simple model."""
    model, x = number(0, 5)
    if profile != "enumerate":
        model.maximize(2 * x)

    outcome = solve(model, profile)
    assert Status.OPTIMAL is outcome.status
    assert (None if profile == "enumerate" else 10) == outcome.objective
    assert set(PROFILES) == set(get_args(Profile))


def test_solutions_and_bounds_are_reported_on_the_way() -> None:
    """Each solution and bound is reported when found; the last ones are the answer."""
    model, x = number(0, 5)
    model.add(x != 4)
    model.maximize(2 * x)
    values: list[int] = []
    bounds: list[int] = []

    outcome = solve(
        model, "logic", seed=3, found=lambda value: values.append(value(x)), bounded=bounds.append
    )
    assert (10, 5) == (outcome.objective, values[-1])
    assert all(bound >= 10 for bound in bounds)
    assert outcome.time >= 0


def test_impossible_is_proved() -> None:
    """A model without solution is IMPOSSIBLE."""
    model, x = number(0, 5)
    model.add(x >= 6)

    assert Status.IMPOSSIBLE is solve(model, "logic").status


def test_a_limit_is_unknown() -> None:
    """A run that reaches its limit without a result is UNKNOWN, not IMPOSSIBLE."""
    assert Status.UNKNOWN is solve(pigeons(), "logic", limit=0.01).status


def test_an_invalid_model_is_an_error() -> None:
    """A model that CP-SAT finds invalid is an internal error and raises."""
    model, _ = number(5, 0)

    with pytest.raises(InternalError, match="MODEL_INVALID"):
        solve(model, "logic")


def test_enumeration_is_complete() -> None:
    """Every solution is returned once; without any the status says so."""
    model, x = number(0, 5)
    model.add(x != 3)
    status, found = enumerate_all(model, [x])
    assert Status.OPTIMAL is status
    assert [(0,), (1,), (2,), (4,), (5,)] == sorted(found)

    model.add(x > 5)
    assert (Status.IMPOSSIBLE, []) == enumerate_all(model, [x])


def test_stop_before_a_run() -> None:
    """After a stop no run starts."""
    stop = Stop()
    assert not stop.is_requested
    stop.request()

    assert stop.is_requested
    assert Status.UNKNOWN is solve(number(0, 5)[0], "logic", stop=stop).status


def test_stop_during_a_run() -> None:
    """A stop from another thread ends a run under way."""
    stop = Stop()
    timer = threading.Timer(0.2, stop.request)
    timer.start()

    assert Status.UNKNOWN is solve(pigeons(), "logic", limit=1e9, stop=stop).status
    timer.join()


def test_ctrl_c_ends_a_run() -> None:
    """Ctrl-C reaches Python while CP-SAT runs, and ends the run."""
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()

    with pytest.raises(KeyboardInterrupt):
        solve(pigeons(), "logic", limit=1e9)
    timer.join()


def test_a_run_ends_when_it_is_late() -> None:
    """A clock ends a run that exceeds CP-SAT's own time."""
    asked: list[bool] = []

    def is_late() -> bool:
        asked.append(len(asked) >= 2)
        return asked[-1]

    with ended_when(is_late):
        found = solve(pigeons(), "logic", limit=1e6)
    assert (found.status, asked[:3]) == (Status.UNKNOWN, [False, False, True])


def test_a_budget_ends_runs_by_its_clock() -> None:
    """So does a budget whose clock has run out."""
    with budget_scope(Budget(1e6, seconds=0.0)):
        assert solve(pigeons(), "logic", limit=1e6).status is Status.UNKNOWN
