"""Vehicles in each other's way: sharing between identical ones changes no answer."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.planning.goals import checked_goal
from marchtable.rules.plan_model import Task
from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.cpsat.transport.cuts import Cuts
from marchtable_models.asl.cpsat.transport.model import Transport
from marchtable_models.asl.cpsat.transport.replay import standing_as
from marchtable_models.asl.rulebook import RULEBOOK
from tests.asl.boards import field, foot, place, vehicle
from tests.asl.transport_cases import TYPES
from tests.quiet import Quiet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable_models.asl.cpsat.transport.cuts import Charge

SEEDS = range(16)
TRACK = tuple(msgspec.structs.replace(kind, mp=9) for kind in TYPES if kind.name == "track")


NAMES = [f"{chr(65 + u)}{v + 1}" for u in range(7) for v in range(3)]


def crowd(
    seed: int, least: tuple[int, int] = (2, 2), most: tuple[int, int] = (3, 5)
) -> tuple[Any, Goal, Task]:
    """Return vehicles and squads in a corner, in each other's way, and a goal."""
    random = Random(seed)
    corner = [name for name in NAMES if name[0] in "AB"]
    board = field({name: {"terrain": random.choice(("Open Ground", "Grain"))} for name in NAMES})
    cars = [vehicle(f"t{n}", random.choice(("opel-blitz", "spw-251")), random.choice(corner),
                    facing=random.choice(("E", "NNE")), moving=False)
            for n in range(random.randint(least[0], most[0]))]  # fmt: skip
    men = [foot(f"u{n}", random.choice(("squad", "half-squad")), at=random.choice(cars).at,
                cx=random.random() < 0.5, spent=(spent := random.choice((0, 0, 1, 2, 3))), used=spent)
           for n in range(random.randint(least[1], most[1]))]  # fmt: skip
    position = place(board, *cars, *men)
    units = tuple(man.id for man in men)
    worth = {name: random.randint(1, 3) for name in units}
    driven = tuple(car.id for car in cars)
    aims = (
        Aim(units=units, near=("G2",), each=worth, carried=True),
        Aim(units=driven, near=(random.choice(NAMES),)),
    )
    goal = checked_goal(Goal(aims=aims, movers=(*units, *driven)), position)
    return position, goal, Task({"distance": -random.choice((5, 40)), "points": -1}, {}, {})


def lane(seed: int) -> tuple[Any, Any, Task]:
    """Return vehicles along a narrow lane, with hardly enough MP to pass each other."""
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


def by_name(self: Cuts, here: Any, trip: Any, leaving: Any, kept: Any) -> Iterator[Charge]:
    """Yield cuts about only the units that were met, where they stood."""
    real = standing_as(here, kept)
    self.among(trip.unit, real, frozenset(real))
    given = self.stands(here, kept, self.clock.drives(trip.unit))
    yield from self.passages(trip, leaving, frozenset(real), given)


def presences(model: Transport) -> list[Any]:
    """Return all that is given in what was learned."""
    return [one for _, given in model.learned.cuts for one in given]


@pytest.mark.slow
def test_whoever_is_alike_is_in_the_way_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cuts about any identical vehicles, in some of many places, exclude no better plan."""
    found = [solved(seed) for seed in SEEDS]
    assert any(one.least > 1 for _, model in found for one in presences(model))
    monkeypatch.setattr(Cuts, "vehicle_charges", by_name)
    again = [solved(seed) for seed in SEEDS]
    assert [answer for answer, _ in found] == [answer for answer, _ in again]
    assert all(not isinstance(one.spot[1], int) for _, model in again for one in presences(model))
