"""Vehicles in each other's way: what is told of any that are alike changes no answer."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.planning.goal import Aim, Goal
from marchtable.planning.goals import checked_goal
from marchtable.planning.model import Task
from marchtable_models.asl.cpsat.transport import model as models
from marchtable_models.asl.cpsat.transport.cuts import Passage, Throng
from marchtable_models.asl.cpsat.transport.model import Transport
from marchtable_models.asl.cpsat.transport.passages import Passages
from marchtable_models.asl.rulebook import RULEBOOK
from tests.asl.boards import field, place, vehicle
from tests.asl.test_transport_floor import crowd
from tests.asl.transport_cases import TYPES
from tests.quiet import Quiet

if TYPE_CHECKING:
    from collections.abc import Iterator

SEEDS = range(16)
TRACK = tuple(msgspec.structs.replace(kind, mp=9) for kind in TYPES if kind.name == "track")


def lane(seed: int) -> tuple[Any, Any, Task]:
    """Return vehicles along a lane of little room, with hardly MP enough to pass each other."""
    random = Random(seed)
    names = [f"{chr(65 + u)}{v + 1}" for u in range(8) for v in range(2)]
    board = field({name: {"terrain": "Open Ground"} for name in names})
    cars = [vehicle("t0", "track", "A1", facing="E", moving=False)]
    cars += [vehicle(f"t{n}", "track", random.choice(names[2:14]), facing="E", moving=False)
             for n in range(1, 5)]  # fmt: skip
    driven = tuple(car.id for car in cars)
    stays = tuple(Aim(units=(car.id,), near=(str(car.at),)) for car in cars[1:])
    aims = (Aim(units=("t0",), near=("H1",)), *stays)
    goal = checked_goal(Goal(aims=aims, movers=driven), place(board, *cars, types=TRACK))
    return place(board, *cars, types=TRACK), goal, Task({"distance": -20, "points": -1}, {}, {})


def solved(seed: int) -> tuple[Any, Transport]:
    """Return status and bound, and the model."""
    position, goal, task = crowd(seed, (3, 2), (5, 4)) if seed % 2 else lane(seed)
    model = Transport(RULEBOOK, position, goal)
    found = model.best(task, Quiet())
    return (found.status, found.bound), model


def by_name(self: Passages, here: Any, trip: Any, leaving: Any, kept: Any) -> Iterator[Passage]:
    """Yield cuts about those only who were met, where they stood."""
    spent = self.arrivals.among(self._standing(here, kept), self._key(here, kept))
    yield from self._exactly(here, trip, leaving, kept, spent)


def test_whoever_is_alike_is_in_the_way_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cuts about any vehicles that are alike, in some of many places, exclude no better plan."""
    told = [solved(seed) for seed in SEEDS]
    cuts = [cut for _, model in told for cut in model.cuts if isinstance(cut, Passage)]
    assert any(throng.enough > 1 for cut in cuts for throng in cut.throngs)
    assert any(cut.enough < len(cut.throngs) for cut in cuts)
    monkeypatch.setattr(Passages, "of_vehicle", by_name)
    again = [solved(seed) for seed in SEEDS]
    assert [answer for answer, _ in told] == [answer for answer, _ in again]
    assert not any(cut.throngs for _, model in again for cut in model.cuts
                   if isinstance(cut, Passage))  # fmt: skip


def test_plans_near_those_that_failed_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is the same if a plan near each that failed is looked for, or none."""
    monkeypatch.setattr(models, "PATIENCE", 0)
    told = [solved(seed)[0] for seed in SEEDS]
    monkeypatch.setattr(models, "DIVES", 0)
    assert [solved(seed)[0] for seed in SEEDS] == told


def column(at: str) -> Any:
    """Return what a vehicle does, told where it ends."""
    return SimpleNamespace(at=at)


@pytest.mark.parametrize(
    ("ends", "turns", "stand"),
    [
        ("AB", "vuw", True),  # v has come there, w is still there
        ("AB", "vwu", False),  # w has left
        ("AB", "uvw", False),  # v comes there later
        ("AA", "wvu", True),  # w stays
        ("BA", "vuw", False),  # v goes elsewhere
    ],
)
def test_who_stands_there_as_another_acts(ends: str, turns: str, *, stand: bool) -> None:
    """Who ends in a Location stands there from its turn on, who begins there until its turn."""
    throng = Throng("A", ("v", "w"), 2, lambda one: one.at == "A", "u", frozenset("w"))
    chosen = {"v": column(ends[0]), "w": column(ends[1]), "u": column("C")}
    order = {name: number for number, name in enumerate(turns)}
    assert throng.holds(chosen, order) is stand


def test_so_many_of_them_are_enough() -> None:
    """Where fewer are enough than there are places, any so many do."""
    tests = {at: (lambda one, at=at: one.at == at) for at in ("A1", "B1", "C1")}
    throngs = tuple(Throng(at, ("v", "w"), 1, tests[at], "u", frozenset()) for at in tests)
    cut = Passage((), "u", lambda _: None, tuple, throngs=throngs, enough=2)
    order = {"v": 0, "w": 1, "u": 2}
    assert cut.is_met({"v": column("A1"), "w": column("C1")}, order)
    assert not cut.is_met({"v": column("A1"), "w": column("A1")}, order)
