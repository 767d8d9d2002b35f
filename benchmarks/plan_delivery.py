"""Time deliveries on a large map: ``python -m benchmarks.plan_delivery``."""

from __future__ import annotations

import sys
import time
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.reach import report
from marchtable import cpsat
from marchtable.board import STEPS, Board
from marchtable.places import EdgeRecord, Hexside, Location
from marchtable.planning.goal import Aim, Goal
from marchtable.planning.loop import plan
from marchtable.position import Position
from marchtable.rulebook import find_rulebook
from marchtable_models.panzer.model import PanzerConditions, PanzerUnit

if TYPE_CHECKING:
    from benchmarks.reach import Row

COLUMNS, ROWS, SEED, SEEDS = 60, 40, 1, 5
TRANSPORTS, PASSENGERS, OBJECTIVES = 10, 20, 8
TARGET = 300  # milliseconds
READINGS = {"literal": (), "combined": (("B1", "combine"), ("B3", "allowed"))}


def name_of(column: int, row: int) -> str:
    """Return a hex's name."""
    first = chr(64 + column // 26) if column >= 26 else ""
    return f"{first}{chr(65 + column % 26)}{row + 1}"


def large_map() -> Board:
    """Return a map of 60 x 40 hexes, always the same: open ground, some cover, winding roads."""
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
    """Return transports and passengers about a point of the map, and what they are worth where."""
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
    """Return the milliseconds of processor time that a plan took, and what it comes to."""
    before = time.process_time()
    found = plan(position, goal)
    taken = (time.process_time() - before) * 1e3
    return taken, (found.status, *(found.plans[0].reached if found.plans else ()))


def with_defaults(position: Position[Any, Any], goal: Goal) -> tuple[float, tuple[Any, ...]]:
    """Time the same with CP-SAT's default parameters."""
    own = cpsat.PROFILES["knapsack"]
    cpsat.PROFILES["knapsack"] = {}
    try:
        return timed(position, goal)
    finally:
        cpsat.PROFILES["knapsack"] = own


def row_of(board: Board, name: str) -> Row:
    """Return the line of one set of readings: medians over seeds, the answers being equal."""
    own, peer, proved = [], [], 0
    for seed in range(SEEDS):
        position, goal = problem(board, seed, READINGS[name])
        timed(position, goal)  # the map's crossings and the solver's module are warm
        taken, answer = timed(position, goal)
        other, same = with_defaults(position, goal)
        assert answer == same, (seed, answer, same)
        proved += answer[0] == "OPTIMAL"
        own.append(taken)
        peer.append(other)
    ratio = median(p / o for p, o in zip(peer, own, strict=True))
    target = f"{TARGET} ms" if name == "literal" else ""
    return (
        f"{name}, {proved} of {SEEDS} proved", f"{median(own):.0f} ms ({max(own):.0f} at most)",
        f"CP-SAT by default: {median(peer):.0f} ms", f"{ratio:.1f}", target,
    )  # fmt: skip


def main() -> None:
    """Measure, print and write the report."""
    board = large_map()
    notes = [
        f"{PASSENGERS} passengers and {TRANSPORTS} transports on {COLUMNS} x {ROWS} hexes: the most "
        "value, and of that the fewest points. Processor time, the models' building and the "
        "referee's replay included.",
        "literal: half of the passengers aboard; combined: readings by which a transport loads, "
        "carries and unloads in one phase.",
    ]
    names = sys.argv[1:] or list(READINGS)
    report("plan-delivery", "Deliveries planned", notes, [row_of(board, name) for name in names])


if __name__ == "__main__":
    main()
