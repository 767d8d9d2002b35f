"""Seeded questions about plans in all spaces, to compare the answers of two trees.

``python -m benchmarks.questions KIND FIRST COUNT FILE`` adds them to a file, as requests with scenes of
format 1, which older trees read, too; ``answers.py`` has them answered.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks import plan_column, plan_delivery, plan_foot
from benchmarks.convoy_scenes import scene
from benchmarks.transport_scenes import instance
from marchtable.codec.structs import builtins_of
from marchtable.errors import BadInputError
from marchtable.files.scenes import OLDER_FORMATS, scene_data
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.goal import CRITERIA, Aim, Goal
from marchtable.state.records import replace
from marchtable_models.valor.model import FACINGS
from tests.asl import (
    column_cases,
    convoy_cases,
    convoy_exit_cases,
    convoy_gap_cases,
    enter_cases,
    foot_cases,
    platoon_cases,
    stops_cases,
    transport_cases,
)
from tests.panzer import test_conflict_candidates, test_crowded
from tests.valor import scenes as valor
from tests.valor import test_differential

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["KINDS", "request"]

Asked = dict[str, Any]
WEIGHTS = {"value": 9, "distance": 5, "exposure": 2, "points": 1, "moved": 1}
CASUALTIES = (
    {"show": ["best"]}, {"show": ["pareto"]}, {"show": ["all"]},
    {"show": ["best"], "ahead": {"0": "1/2", "2": "1/3", "5": "1/6"}},
)  # fmt: skip
GROUND = (*("Open Ground",) * 4, "Woods", "Gully", "Stone Building")
COUNTERS = (
    *("squad-464",) * 5, "leader", "leader", "half-squad-262", "6-pounder", "m3-halftrack",
    "3-ton-truck", "m38-jeep",
)  # fmt: skip
"""Valor & Victory: the last four have a facing, the last three carry others."""
WORKS = ("foxhole", "wire", "minefield", "wooden-bunker", "sandbags")
READINGS: tuple[dict[str, str], ...] = (
    {}, {"A8": "exhaust", "A11": "applied", "A20": "yes"}, {"A1": "exact", "A13": "counted"},
    {"A2": "needed", "A3": "lenient", "A12": "yes"}, {"A2": "needed", "A10": "whole"},
)  # fmt: skip


# -- requests --------------------------------------------------------------------------------------


def request(verb: str, position: Any, goal: Goal | None = None, **fields: Any) -> Asked:
    """Return the question, as plain data that older trees read."""
    data = scene_data(position)
    records = {*find_rulebook(position.rulebook).unit_type.__struct_fields__}
    units = []
    for unit in data["units"]:
        flat: dict[str, Any] = {}
        for name, value in unit.items():
            is_record = name in records and isinstance(value, dict)
            flat |= value if is_record else {name: value}
        flat.pop("cx", None)  # trees from before November 23 read this differently (A4.51)
        units.append(flat)
    asked = {"verb": verb, "scene": {**data, "format": OLDER_FORMATS[0], "units": units}, **fields}
    return asked if goal is None else {**asked, "goal": _written(goal)}


def _written(goal: Goal) -> dict[str, Any]:
    data: dict[str, Any] = builtins_of(goal)
    if data.get("weights"):
        data.pop("order", None)
    return {"format": "marchtable/goal/1", **data}


def _tasked(seed: int, position: Any, goal: Goal, space: str, most: int = 3) -> Asked:
    """Return a question for one of many tasks: an order, a sum, k best, a front, threats."""
    random, data = Random(f"task {seed}"), _written(goal)
    data.pop("weights", None)
    drawn, found = random.random(), dict[str, Any]()
    order = list(CRITERIA)
    if drawn < 0.35:
        random.shuffle(order)
        data["order"] = order[: random.randint(1, 5)]
    elif drawn < 0.55:
        data.pop("order", None)
        data["weights"] = {name: random.randint(0, 4) for name in CRITERIA} | {"value": 5}
    elif drawn < 0.65 and most > 1:
        found["pareto"] = random.sample(CRITERIA[:4], 2)
    if random.random() < 0.3:
        names = list(position.board.index)
        some = random.sample(names, max(1, len(names) // 5))
        data["threat"] = {name: random.randint(1, 3) for name in some}
    if "pareto" not in found:
        found["best"] = random.randint(1, most)
    return {**request("plan", position, space=space, **found), "goal": data}


# -- questions -------------------------------------------------------------------------------------


def _convoy(seed: int) -> Asked:
    case = convoy_cases.drawn(seed)
    return _tasked(seed, case.position, case.goal, "convoy")


def _exits(seed: int) -> Asked:
    case = convoy_exit_cases.drawn(seed)
    return _tasked(seed, case.position, case.goal, "convoy", 2)


def _gaps(seed: int) -> Asked:
    case = convoy_gap_cases.drawn_apart(seed)
    return _tasked(seed, case.position, case.goal, "convoy-gaps", 1)


def _platoon(seed: int) -> Asked:
    case = platoon_cases.drawn(seed)
    return _tasked(seed, case.position, case.goal, "platoon", 2)


def _column(seed: int) -> Asked | None:
    case: Any = (
        column_cases.looping(seed)
        if seed % 4 == 3
        else column_cases.drawn(seed, most=2 + seed % 4, across=3 + seed % 4)
    )
    return case and _tasked(seed, case.position, case.goal, "column")


def _transport(seed: int) -> Asked | None:
    case = transport_cases.drawn(seed, most=3 + seed % 4, across=3 + seed % 4)
    return case and _tasked(seed, case.position, case.goal, "transport")


def _stops(seed: int) -> Asked | None:
    case = stops_cases.drawn(seed, most=3 + seed % 2)
    return case and _tasked(seed, case.position, case.goal, "transport-stops", 2)


def _foot(seed: int) -> Asked | None:
    case = foot_cases.drawn(seed, crowded=seed % 2 == 0)
    return case and _tasked(seed, case.position, case.goal, "foot")


def _entering(seed: int) -> Asked | None:
    """Return units off the map: on foot, with vehicles, with several stops; by one hex or more."""
    narrow, space = seed % 2 == 0, ("foot", "transport", "transport-stops")[seed // 2 % 3]
    case: Any = (
        enter_cases.walking(seed, narrow=narrow)
        if space == "foot"
        else enter_cases.drawn(
            seed, most=3, across=3 + seed % 3, stops=space == "transport-stops", narrow=narrow
        )
    )
    return case and _tasked(seed, case.position, case.goal, space, 2)


def _delivery(seed: int) -> Asked:
    draw = test_crowded.scene if seed % 2 else test_conflict_candidates.small
    position, goal = draw(seed)
    return _tasked(seed, position, goal, "delivery")


def _alone(seed: int) -> Asked | None:
    """Return plans of lone units: few of ASL or PanzerBlitz, one where a proof is wanted."""
    random = Random(f"alone {seed}")
    if seed % 3 == 0:
        position, _ = test_crowded.scene(seed)
    else:
        draw: Any = foot_cases.drawn if seed % 3 == 1 else transport_cases.drawn
        case: Any = draw(seed)
        if case is None:
            return None
        position = case.position
    names = list(position.board.index)
    movers = [unit.id for unit in position.units if unit.side == position.side]
    movers = random.sample(movers, random.choice((1, 1, 2)) if len(movers) > 1 else 1)
    aims = random.choice((
        (Aim(units=tuple(movers), near=tuple(random.sample(names, 1))),),
        (Aim(units=tuple(movers), at=tuple(random.sample(names, 2)), must=random.choice((None, 1))),),
    ))  # fmt: skip
    return _tasked(seed, position, Goal(aims=aims, movers=tuple(movers)), "alone", 2)


def _why(seed: int) -> Asked | None:
    """Return a goal that may be impossible, in each space in turn."""
    random, which = Random(f"why {seed}"), seed % 7
    if which == 6:
        position, goal = test_conflict_candidates.small(seed)
        return request("why", position, goal, space="delivery")
    draws: list[tuple[str, Callable[[int], Any]]] = [
        ("convoy", convoy_cases.drawn), ("convoy-gaps", convoy_gap_cases.drawn_apart),
        ("transport", lambda n: transport_cases.drawn(n, most=4, across=4)),
        ("foot", lambda n: foot_cases.drawn(n, across=4, crowded=n % 2 == 0)),
        ("column", lambda n: column_cases.drawn(n, most=3, across=4)),
        ("transport-stops", lambda n: stops_cases.drawn(n, most=3)),
    ]  # fmt: skip
    space, draw = draws[which]
    case: Any = draw(seed)
    if case is None:
        return None
    position = case.position
    names = list(position.board.index)
    movers = case.goal.movers or [u.id for u in position.units if u.line.convoy or u.line.column]
    men = [name for name in movers if name[0] == "u"] or [*movers]
    some = random.sample(men, min(len(men), random.randint(1, 2)))
    aims = tuple(Aim(units=(u,), at=tuple(random.sample(names, 1)), must="all") for u in some)
    return request("why", position, Goal(aims=aims, movers=case.goal.movers), space=space)


def _casualties(seed: int) -> Asked | None:
    readings: Any = READINGS[seed % 10] if seed % 10 < len(READINGS) else {}
    position, _ = test_differential.drawn(seed, mixed=seed % 3 > 0, readings=readings)
    found: dict[str, Any] = dict(CASUALTIES[seed % len(CASUALTIES)])
    return request("casualties", position, **found) if position.conditions.attack else None


# -- at real size ----------------------------------------------------------------------------------


def _road(seed: int) -> Asked:
    """Return three to twelve vehicles on a winding road, as the benchmark's, under more goals."""
    random = Random(seed)
    count = random.choice((3, 3, 4, 5, 5, 6, 8, 10, 12))
    position, goal = scene(count, seed, random.choice((5, 7, 10)), ahead=random.randint(4, 12))
    line = tuple(f"t{n}" for n in range(1, count + 1))
    names, end = list(position.board.index), goal.aims[0].near[0]
    if random.random() < 0.3:
        spent = random.randint(2, 24)
        poor = [position.unit(name) for name in random.sample(line, random.randint(1, 2))]
        position = position.with_units([replace(u, spent=spent, used=spent) for u in poor])
    aims = random.choice((
        goal.aims, goal.aims, (Aim(units=line, near=(end,)),),
        (Aim(units=("t1",), near=(end,)), Aim(units=line[-1:], near=tuple(random.sample(names, 2)))),
        (Aim(units=line, at=tuple(random.sample(names, len(names) // 4)), must=1),),
    ))  # fmt: skip
    return _tasked(seed, position, Goal(aims=aims), "convoy", 1 + (count < 6))


def _field(seed: int) -> Asked:
    """Return four to twelve units with two to six vehicles on a board, as in the benchmark and larger."""
    random = Random(seed)
    vehicles = random.randint(2, 6)
    position, goal = instance(2 * vehicles + random.randint(0, 3), vehicles, seed)
    names = list(position.board.index)
    (aim,) = goal.aims
    more: tuple[Aim, ...] = random.choice((
        (), (), (Aim(units=aim.units, at=tuple(random.sample(names, 40)), must=random.choice((None, 2))),),
        (Aim(units=tuple(f"t{n}" for n in range(vehicles)), near=tuple(random.sample(names, 1))),),
    ))  # fmt: skip
    return _tasked(seed, position, Goal(aims=(aim, *more)), "transport", 2)


def _squads(seed: int) -> Asked:
    return _tasked(seed, *plan_foot.instance(4 + seed % 9, 1 + seed % 3, seed), "foot", 1)


def _march(seed: int) -> Asked:
    return _tasked(seed, *plan_column.instance(4 + seed % 9, seed), "column", 1)


def _marches(seed: int) -> Asked:
    """Return goals of squads, leaders, transports and Guns of Valor & Victory, or impossible ones."""
    random = Random(f"valor {seed}")
    columns, rows = "ABCDEF"[: random.randint(1, 6)], random.randint(2, 5)
    names = [f"{column}{row}" for column in columns for row in range(1, rows + 1)]
    homes = random.sample(names, min(random.randint(2, 3), len(names)))
    units = _crowd(random, homes, names[:rows], random.randint(2, 3 + seed % 9))
    own, places = [unit.id for unit in units], [name for name in names if name not in homes]
    count = random.choice((0, 0, 1, 2)) if places else 0
    units += [valor.foe(f"e{n}", "squad-464", random.choice(places)) for n in range(count)]
    terrain = {name: {"terrain": random.choice(GROUND)} for name in names}
    works = {random.choice(WORKS): random.choice(names) for _ in range(random.randint(0, 2))}
    board = valor.field(columns, rows, terrain)
    position = valor.place(*units, board=board, phase="Movement", counters=works)
    valor.VALOR.check_position(position)
    aims: list[Aim] = []
    for _ in range(random.randint(1, 3)):
        some = random.sample(own, random.randint(1, len(own)))
        must: Any = random.choice((None, None, None, 1, "all"))
        at = tuple(random.sample(names, random.randint(1, 2)))
        aims.append(Aim(units=tuple(some), at=at, must=must, carried=random.random() < 0.3))
    if random.random() < 0.3:
        aims.append(Aim(units=tuple(random.sample(own, 1)), near=(random.choice(names),)))
    asked = _tasked(seed, position, Goal(aims=tuple(aims)), "marches")
    if seed % 5 == 4:
        return {"verb": "why", "scene": asked["scene"], "goal": asked["goal"], "space": "marches"}
    return asked


def _crowd(random: Random, homes: list[str], edge: list[str], count: int) -> list[Any]:
    """Return units in a few hexes, or waiting beside an edge; some aboard, unloaded or under way."""
    units: list[Any] = []
    waits = random.random() < 0.25
    for number in range(count):
        kind = random.choice(COUNTERS)
        found: dict[str, Any] = {"at": random.choice(homes), "pinned": random.random() < 0.05}
        if kind in COUNTERS[-4:]:
            found["facing"] = random.choice(FACINGS)
        if waits and random.random() < 0.4:
            found |= {"at": None, "entering": tuple(edge)}
        units.append(valor.unit(f"u{number}", kind, **found))
    for number, unit in enumerate(units):
        drawn, free = random.random(), unit.at and unit.type in COUNTERS[:-4]
        carriers = [u for u in units if u.type in COUNTERS[-3:-1] and u.at == unit.at]
        carriers = [u for u in carriers if not any(one.aboard == u.id for one in units)]
        if free and carriers and unit.type == "squad-464" and drawn < 0.4:
            units[number] = replace(unit, aboard=carriers[0].id, pinned=carriers[0].pinned)
        elif free and drawn > 0.9:
            units[number] = replace(unit, settled=True, handled="unload")
        elif free and drawn > 0.8:
            units[number] = replace(unit, moving=True, moved=True, spent=2)
    return units


def _large_delivery(seed: int) -> Asked:
    readings = (("B1", "combine"), ("B3", "allowed")) if seed % 2 else ()
    return _tasked(
        seed, *plan_delivery.problem(plan_delivery.large_map(), seed, readings), "delivery", 1
    )


KINDS: dict[str, Callable[[int], Asked | None]] = {
    "convoy": _convoy, "exits": _exits, "gaps": _gaps, "column": _column,
    "platoon": _platoon, "transport": _transport,
    "stops": _stops, "foot": _foot, "entering": _entering, "delivery": _delivery, "alone": _alone,
    "why": _why, "casualties": _casualties, "road": _road, "field": _field, "squads": _squads,
    "march": _march, "large-delivery": _large_delivery,
    "marches": _marches,
}  # fmt: skip


def main() -> None:
    """Write questions."""
    kind, first, count, file = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    with file.open("a", encoding="utf-8") as out:
        for seed in range(first, first + count):
            try:
                asked = KINDS[kind](seed)
            except BadInputError:
                continue
            if asked is not None:
                out.write(json.dumps({"kind": kind, "seed": seed, "request": asked}) + "\n")


if __name__ == "__main__":
    main()
