"""Random small positions for transport plans, checked against brute force.

``python -m tests.asl.transport_cases FIRST COUNT`` tries many and reports disagreements.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import msgspec

from marchtable.files.notation import format_action
from marchtable.planning.goals import checked_goal
from marchtable.planning.score import Measure
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.state.goal import CRITERIA, Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.transport.model import Transport
from marchtable_models.asl.rulebook import RULEBOOK
from marchtable_models.asl.unittype import UnitType
from tests.asl.boards import ASL, field, foot, load, on_edge, place, vehicle
from tests.asl.transport_by_force import ALONE, ByForce, TooManyError
from tests.asl.transport_world import World
from tests.quiet import Quiet

__all__ = ["Case", "Quiet", "best", "compared", "drawn", "enumerated", "vehicles_of"]

MOST_PLANS = 400
MOST_ASKED = 4_000
SAME, TRIES = 20, 9
"""How many cases in a row are drawn on one board."""


def _kind(**fields: Any) -> UnitType:
    return msgspec.convert({"class": "vehicle", **fields}, UnitType)


TYPES = (
    _kind(name="lorry", column="tr", mp=6, pp=11, truck_type=True, t_number=5),
    _kind(name="track", column="ht", mp=4, pp=15, afv=True),
    _kind(name="crawler", column="ft", mp=3, pp=10, afv=True),
    _kind(name="panzer", column="ft", mp=4, afv=True, role="tank"),
    _kind(name="scout", column="ac", mp=3, afv=True),
    _kind(name="hunter", column="ft", mp=4, pp=6, afv=True, role="tank-destroyer"),
    msgspec.convert(
        {"class": "gun", "name": "piece", "mm": 37, "m_number": 8, "qsu": True}, UnitType
    ),
)
CARS = ("lorry", "lorry", "track", "crawler", "panzer", "hunter")
OUTSIDE = ("panzer", "hunter")
TERRAIN = ("Woods", "Brush", "Grain", "Orchard", *["Open Ground"] * 3)
HEDGED = 0.1


class Case(NamedTuple):
    """A position, a goal, its weights, and the knowledge of the board."""

    position: Any
    goal: Goal
    weights: dict[str, int]
    world: World


def best(position: Any, goal: Goal, **weights: int) -> tuple[Transport, Any]:
    """Return the model of a problem and the best result it finds."""
    model = Transport(RULEBOOK, position, checked_goal(goal, position))
    task: Any = Task(weights, {}, {})  # type: ignore[arg-type]
    return model, model.best(task, Quiet())


class Field(NamedTuple):
    """A board: exposure, places for leaving, places for crowds, and vehicles."""

    board: Any
    threat: dict[str, int]
    exits: tuple[str, ...]
    crowd: str
    cars: tuple[str, ...]
    world: World


@lru_cache(8)
def field_for(number: int, across: int) -> Field | None:
    """Return the board shared by several cases in a row, or None."""
    random = Random(f"{number} {across}")
    names = [f"{chr(65 + u)}{v + 1}" for u in range(random.randint(2, across))
             for v in range(random.randint(1, across))]  # fmt: skip
    names = list(dict.fromkeys(names))
    if len(names) < 3:
        return None
    hexes = {name: {"terrain": random.choice(TERRAIN)} for name in names}
    sides = ["-".join((edge.a, edge.b)) for edge in field(hexes).edges if random.random() < HEDGED]
    board = field(hexes, {pair: {"terrain": "Hedge"} for pair in sides})
    threat = {name: random.randint(1, 3) for name in random.sample(names, len(names) // 3)}
    drawn_exits = sorted({random.choice(names), random.choice(names)})
    exits = tuple(on_edge(board, drawn_exits)) or (names[0],)
    cars = (random.choice(CARS), random.choice(CARS))
    return Field(board, threat, exits, random.choice(names), cars, World(ALONE))


def drawn(seed: int, *, most: int = 4, across: int = 5) -> Case | None:
    """Return a random case of up to this many units on up to this many columns, or None."""
    found = field_for(seed // SAME, across)
    if found is None:
        return None
    random = Random(f"{seed} {most}")
    tries = (_drawn(random, found, most) for _ in range(TRIES))
    return next((case for case in tries if case is not None), None)


def _drawn(random: Random, found: Field, most: int) -> Case | None:
    names = list(found.board.index)
    cars = random.choice((1, 1, 1, 2)) if most > 2 else 1
    units = [_car(random, f"t{n}", random.choice(found.cars), names, 0.15) for n in range(cars)]
    if cars > 1 and msgspec.structs.replace(units[1], id=units[0].id) == units[0]:
        return None  # ``legal_actions`` lists one of two identical units, the model both
    if units[0].type == "lorry" and random.random() < 0.5 and most > cars + 1:
        units[0] = replace(units[0], towing="g")
        units.append(foot("g", "piece", at=units[0].at, towed_by="t0"))
    units += [_man(random, f"u{n}", units[:cars], names)
              for n in range(random.randint(1, most - len(units)))]  # fmt: skip
    if len(units) < most and random.random() < 0.2:  # no unit can board it
        units.append(_car(random, "s", "scout", names, 0.7))
    crowd = random.choice((0, 0, 0, 2, 3))
    others = (foot(f"x{n}", at=found.crowd) for n in range(crowd))
    position = place(found.board, *units, *others, types=TYPES, year=1943)
    try:
        ASL.check_position(position)
    except ValueError:
        return None
    return aimed(random, position, found)


def _car(random: Random, name: str, kind: str, names: list[str], moving: float) -> Any:
    facing, moves = random.choice(("E", "NNE", "W", "SSE")), random.random() < moving
    used = random.choice((0, 0, 1, 3, 5, 6, 7)) if moves else 0
    return vehicle(
        name, kind, random.choice(names), moving=moves, facing=facing, spent=used, used=used
    )


def _man(random: Random, name: str, cars: list[Any], names: list[str]) -> Any:
    car = random.choice(cars) if random.random() < 0.3 else None
    beside = random.choice(cars).at if random.random() < 0.4 else random.choice(names)
    kind = random.choice(("squad", "squad", "half-squad"))
    pp = random.choice((5, 5, 6)) if kind == "squad" else 3
    riding = car is not None and car.type in OUTSIDE and random.random() < 0.7
    return foot(name, kind, at=car.at if car else beside, aboard=car.id if car else None,
                cx=random.random() < 0.8, sw=load(pp), riding=riding)  # fmt: skip


def aimed(random: Random, position: Any, found: Field) -> Case:
    """Return a position with a goal drawn for it."""
    names = list(found.board.index)
    carried = tuple(unit.id for unit in position.units if unit.id[0] in "ug")
    driven = tuple(unit.id for unit in position.units if unit.id[0] in "ts")
    movers = (*carried, *driven)
    wanted = carried if random.random() < 0.8 else driven or carried
    aims = [Aim(units=wanted, near=(random.choice(names),), carried=random.random() < 0.3)]
    must: tuple[Any, ...] = (None, None, 1)
    if random.random() < 0.5:
        aims.append(Aim(units=movers, at=(random.choice(names), random.choice(names)),
                        must=random.choice(must)))  # fmt: skip
    if random.random() < 0.3:
        aims.append(Aim(units=movers, exit=found.exits, must=random.choice(must),
                        carried=random.random() < 0.5))  # fmt: skip
    weights = {"value": random.choice((0, 10, 50)), "distance": -random.choice((0, 5, 20)),
               "points": -random.choice((0, 1, 1, 3)), "moved": -random.choice((0, 0, 2)),
               "exposure": -random.choice((0, 3))}  # fmt: skip
    threat = found.threat if weights["exposure"] else {}
    goal = Goal(aims=tuple(aims), movers=movers, threat=threat)
    return Case(position, goal, weights, found.world)


def vehicles_of(model: Any) -> list[str]:
    """Return the vehicles that a model's space can move."""
    movers = map(model.position.unit, model.space.movers)
    return [unit.id for unit in movers if unit.facing is not None]


def forced(case: Case, model: Transport, *, whole: bool = False) -> ByForce:
    """Return the same problem for brute force."""
    return ByForce(
        case.position, model.goal, vehicles_of(model), model.space.verbs, None if whole else case.weights,
        world=case.world, most=MOST_ASKED,
    )  # fmt: skip


def compared(case: Case) -> str | None:
    """Return the errors in the answer to a case, or None if it is too large."""
    position, goal, weights, _ = case
    model, found = best(position, goal, **weights)
    try:
        known = forced(case, model).best()
    except TooManyError:
        return None
    return fault(model, found, weights, known)


def fault(model: Any, found: Any, weights: dict[str, int], known: int | None) -> str:
    """Return the errors in an answer whose optimum is known by brute force."""
    log = "; ".join(map(format_action, found.log or ()))
    for quick in model.quick():
        worth = _worth(model, quick, weights)
        if worth is not None and (known is None or worth > known):
            return f"quick plan {worth}, by force {known}: {'; '.join(map(format_action, quick))}"
    if found.bound != known:
        return f"bound {found.bound}, by force {known}: {log}"
    if found.log is None:
        return "" if found.status == "IMPOSSIBLE" else found.status
    worth = _worth(model, found.log, weights)
    return "" if worth == found.bound else f"worth {worth}: {log}"


def _worth(model: Any, log: Any, weights: dict[str, int]) -> int | None:
    """Return the worth of a log, or None if it is illegal or misses a must."""
    verdict = check(model.position, log)
    measured = Measure(model.position, model.goal).of(verdict)
    if verdict.status != "LEGAL" or not measured.is_kept:
        return None
    return sum(weights.get(c, 0) * measured.score[c] for c in CRITERIA)


def enumerated(case: Case) -> str | None:
    """Return how all plans, asked one after another, differ from brute force; None if too many."""
    model = Transport(RULEBOOK, case.position, checked_goal(case.goal, case.position))
    measure = Measure(case.position, model.goal)
    task: Any = Task(case.weights, {}, {})  # type: ignore[arg-type]
    ends: set[Any] = set()
    for _ in range(MOST_PLANS):
        found = model.best(task, Quiet())
        if found.status == "IMPOSSIBLE":
            break
        assert found.status == "OPTIMAL"
        assert found.log is not None
        measured = measure.of(check(case.position, found.log))
        assert measured.is_kept
        ends.add(measured.projection)
        model.differ(found.log)
    else:
        return None
    known = forced(case, model, whole=True).projections()
    if ends == known:
        return ""
    return f"only by CP-SAT {[*(ends - known)][:3]}, only by force {[*(known - ends)][:3]}"


def main() -> None:
    """Try cases and report the wrong ones."""
    first, number = int(sys.argv[1]), int(sys.argv[2])
    tried = wrong = listed = 0
    for seed in range(first, first + number):
        case = drawn(seed)
        if case is None:
            continue
        tried += 1
        found = compared(case)
        tried -= found is None
        more = enumerated(case)
        listed += more is not None
        if found or more:
            wrong += 1
            sys.stdout.write(f"{seed} {found} {more}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{tried} cases, {listed} enumerated, {wrong} wrong\n")


if __name__ == "__main__":
    main()
