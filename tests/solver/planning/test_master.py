"""The choice of end places, apart from how units get there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from marchtable.cpsat.harness import Status, Stop
from marchtable.planning.company import Cost
from marchtable.planning.master import Master, Option
from marchtable.rules.plan_model import Task

FIXED: Any = dict.fromkeys(("value", "distance", "exposure", "points", "moved"), 0)
CONTROL: Any = SimpleNamespace(stop=Stop(), seed=0, left=lambda: 10.0, spend=lambda _: None)
STAY = Option(None, Cost(0, 0), 0, 0, 0, (), 1)
GO = Option("B1", Cost(2, 0), 1, 0, 1, (), 1)
VALUE = Task({"value": 1}, {}, {})


def test_what_is_forbidden_is_not_chosen() -> None:
    """Both may go; once that is forbidden one of them does."""
    master = Master({"a": (STAY, GO), "b": (STAY, GO)}, FIXED, {})
    assert master.solve(VALUE, CONTROL)[0].objective == 2
    master.forbid({"a": "B1", "b": "B1"})
    assert master.solve(VALUE, CONTROL)[0].objective == 1


def test_what_is_charged_is_paid_together_only() -> None:
    """What two units cost each other is charged where both go, and where one goes it is not."""
    master = Master({"a": (STAY, GO), "b": (STAY, GO)}, FIXED, {})
    master.charge({"a": "B1", "b": "B1"}, [(Cost(2, 0), Cost(5, 0)), (Cost(6, 0), Cost(2, 0))])
    cheap = {"points": -1}
    both, _ = master.solve(Task(cheap, {"value": 2}, {}), CONTROL)  # type: ignore[arg-type]
    one, _ = master.solve(Task(cheap, {"value": 1}, {}), CONTROL)  # type: ignore[arg-type]
    assert (both.objective, one.objective) == (-7, -2)


def test_staying_costs_nothing() -> None:
    """A unit that stays spends nothing, whatever going may have been found to cost."""
    master = Master({"a": (STAY, GO), "b": (STAY, GO)}, FIXED, {})
    master.charge({"a": "B1", "b": "B1"}, [(Cost(2, 0), Cost(5, 0))])
    dear = Task({"points": 1}, {}, {"value": 0})
    outcome, choice = master.solve(dear, CONTROL)
    assert outcome.status is Status.OPTIMAL
    assert choice is not None
    assert choice.most == {"a": Cost(0, 0), "b": Cost(0, 0)}


def test_musts_that_nobody_can_meet() -> None:
    """An aim that needs more units than have an option for it is impossible."""
    aimed = GO._replace(meets=(0,))
    assert Master({"a": (STAY, aimed)}, FIXED, {0: 1}).solve(VALUE, CONTROL)[1] is not None
    assert Master({"a": (STAY, aimed)}, FIXED, {0: 2}).solve(VALUE, CONTROL)[1] is None
    assert Master({"a": (STAY,)}, FIXED, {0: 1}).solve(VALUE, CONTROL)[1] is None
