"""Time deliveries on a large map: ``python -m benchmarks.plan_delivery``."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.delivery_peers import by_highs, solved
from benchmarks.reach import report
from marchtable.board.board import STEPS, Board
from marchtable.board.places import EdgeRecord, Hexside, Location
from marchtable.cpsat import harness as cpsat
from marchtable.planning.loop import plan
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.goal import Aim, Goal
from marchtable.state.position import Position
from marchtable_models.panzer.cpsat.delivery import Delivery
from marchtable_models.panzer.model import PanzerConditions, PanzerUnit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.reach import Row

COLUMNS, ROWS, SEED, SEEDS = 60, 40, 1, 9
TRANSPORTS, PASSENGERS, OBJECTIVES = 10, 20, 8
TARGET = 300  # milliseconds
READINGS = {"literal": (), "combined": (("B1", "combine"), ("B3", "allowed"))}


def name_of(column: int, row: int) -> str:
    """Return a hex's name."""
    first = chr(64 + column // 26) if column >= 26 else ""
    return f"{first}{chr(65 + column % 26)}{row + 1}"


def large_map() -> Board:
    """Return a fixed map of 60 x 40 hexes: open ground, some cover, winding roads."""
    random, places = Random(SEED), {}
    kinds = ["Open Ground", "Woods", "Marsh", "Stone Building"]
    for column in range(COLUMNS):
        for row in range(ROWS):
            name, v = name_of(column, row), 2 * row + 2 - column % 2
            terrain = random.choices(kinds, [80, 10, 3, 7])[0]
            level = random.choices([0, 1], [9, 1])[0]
            places[column, v] = Location(
                name=name, hex=name, u=column, v=v, terrain=terrain, level=level
            )
    roads = set()
    for _ in range(ROWS // 3):
        here = (0, random.choice([v for u, v in places if u == 0]))
        while True:
            across, down = random.choice(STEPS[1:3])
            there = (here[0] + across, here[1] + down)
            if there not in places:
                break
            roads.add(frozenset((here, there)))
            here = there
    edges = []
    for (u, v), place in places.items():
        for across, down in STEPS[1:4]:
            at = (u + across, v + down)
            if at in places:
                road = "Dirt Road" if frozenset(((u, v), at)) in roads else None
                edges.append(EdgeRecord(place.name, places[at].name, Hexside(road=road)))
    return Board("large", list(places.values()), edges)


def problem(board: Board, seed: int, readings: Any) -> tuple[Position[Any, Any], Goal]:
    """Return transports and passengers around a point of the map, and their values by place."""
    random = Random(seed)
    u, v = random.randint(15, 45), 2 * random.randint(12, 28)
    near = [
        p.name for p in board.locations
        if abs(p.u - u) <= 7 and abs(p.v - v) <= 12 and p.terrain in ("Open Ground", "Stone Building")
    ]  # fmt: skip
    random.shuffle(near)
    units = []
    for number in range(PASSENGERS):
        at, aboard = near[number], None
        if number < TRANSPORTS:
            kind = random.choice(["german-truck", "sdkfz-251"])
            units.append(PanzerUnit(id=f"t{number}", side="german", type=kind, at=at, height=1))
            aboard = f"t{number}" if not readings or random.random() < 0.3 else None
        kind = random.choice(["german-rifles", "german-engineers"])
        units.append(PanzerUnit(id=f"p{number}", side="german", type=kind, at=at, aboard=aboard))
    worth = {f"p{number}": random.randint(1, 9) for number in range(PASSENGERS)}
    goal = Goal(
        aims=(Aim(units=tuple(worth), at=tuple(random.sample(near, OBJECTIVES)), each=worth),),
        order=("value", "points"),
    )
    position: Position[Any, Any] = Position(
        rulebook=find_rulebook("panzer").name, board=board, units=tuple(units), side="german",
        phase="Movement", conditions=PanzerConditions(), readings=readings,
    )  # fmt: skip
    return position, goal


def timed(position: Position[Any, Any], goal: Goal) -> tuple[float, tuple[Any, ...]]:
    """Return a plan's milliseconds of processor time, and its result."""
    before = time.process_time()
    found = plan(position, goal)
    taken = (time.process_time() - before) * 1e3
    return taken, (found.status, *(found.plans[0].reached if found.plans else ()))


@contextmanager
def default_parameters() -> Iterator[None]:
    """Let CP-SAT run with its own parameters."""
    own = cpsat.PROFILES["knapsack"]
    cpsat.PROFILES["knapsack"] = {}
    try:
        yield
    finally:
        cpsat.PROFILES["knapsack"] = own


@contextmanager
def plain_model() -> Iterator[None]:
    """List every course from the start, wherever it ends."""
    own = Delivery.matters
    Delivery.matters = lambda _: None  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        Delivery.matters = own  # type: ignore[method-assign]


def answers(board: Board, name: str, seed: int) -> dict[str, float]:
    """Return one problem's milliseconds by each method, with equal answers."""
    position, goal = problem(board, seed, READINGS[name])
    timed(position, goal)  # the map's crossings and the solver's module are warm
    taken, answer = timed(position, goal)
    assert answer[0] == "OPTIMAL", (seed, answer)
    found = {"own": taken}
    models, solving = solved(lambda: timed(position, goal))
    highs = [(by_highs(model), best) for model, best in models]
    assert all(best is None or best == known for (_, best), known in highs), seed
    found["HiGHS"] = taken - solving + sum(ms for (ms, _), _ in highs)
    with default_parameters():
        found["CP-SAT by default"], same = timed(position, goal)
        assert answer == same, (seed, answer, same)
        if name == "literal":
            with plain_model():
                found["CP-SAT by default, every course"], same = timed(position, goal)
                assert same[0] != "OPTIMAL" or answer == same, (seed, answer, same)
    print(name, seed, answer, {way: round(ms) for way, ms in found.items()}, flush=True)
    return found


def rows_of(board: Board, name: str) -> list[Row]:
    """Return the lines of one set of readings: medians over seeds."""
    every = [answers(board, name, seed) for seed in range(SEEDS)]
    own = [found["own"] for found in every]
    target = f"{TARGET} ms: {'met' if median(own) < TARGET else 'MISSED'}"
    most = f"{max(own):.0f} ms at most"
    lines = [(f"{name}: {SEEDS} of {SEEDS} proved", f"{median(own):.0f} ms", most, "1", target)]
    for way in list(every[0])[1:]:
        other = [found[way] for found in every]
        ratio = median(o / mine for o, mine in zip(other, own, strict=True))
        what = f"{median(other):.0f} ms ({max(other):.0f} at most)"
        lines.append((f"{name}: {way}", f"{median(own):.0f} ms", what, f"{ratio:.1f}", ""))
    return lines


def main() -> None:
    """Measure, print and write the report."""
    board = large_map()
    notes = [
        f"{PASSENGERS} passengers and {TRANSPORTS} transports on {COLUMNS} x {ROWS} hexes: the most "
        f"value, and of that the fewest points. Medians of {SEEDS} problems; processor time on a "
        "shared machine, the models' building and the referee's replay included.",
        "literal: half of the passengers aboard; combined: readings by which a transport loads, "
        "carries and unloads in one phase.",
        "HiGHS (scipy's) solves the same models, read as mixed-integer programs, in place of CP-SAT; "
        "CP-SAT by default has its own parameters; with every course nothing is left open at first. "
        "Ratio is theirs to ours. All answers are equal, or not proved by the other.",
    ]
    names = sys.argv[1:] or list(READINGS)
    rows = [row for name in names for row in rows_of(board, name)]
    report("plan-delivery", "Deliveries planned", notes, rows)


if __name__ == "__main__":
    main()
