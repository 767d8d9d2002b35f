"""Time the reach of PanzerBlitz units on a large map: ``python -m benchmarks.panzer_reach``."""

from __future__ import annotations

import os
import time
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.plan_delivery import COLUMNS, ROWS, large_map
from benchmarks.play import UNITS, against_others, fresh, kernels_of, started
from benchmarks.reach import MIDDLE_ROUNDS, how_timed, report, row, take_turns
from marchtable.reachability.reach import reach
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import Position
from marchtable_models.panzer.model import PanzerConditions, PanzerUnit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.reach import Row
    from marchtable.board.board import Board

TYPES = ("german-truck", "sdkfz-251", "pz-iv-h", "german-wagon")


def placed(board: Board, units: Sequence[PanzerUnit]) -> Position[Any, Any]:
    """Return the start of a movement phase with these units."""
    return Position(
        rulebook=find_rulebook("panzer").name, board=board, units=tuple(units), side="german",
        phase="Movement", conditions=PanzerConditions(),
    )  # fmt: skip


def middle(board: Board) -> str:
    """Return the open hex nearest to the middle of the map."""
    clear = [p for p in board.locations if p.terrain == "Open Ground"]
    place = min(clear, key=lambda p: (abs(p.u - COLUMNS // 2) + abs(p.v - ROWS), p.name))
    return place.name


def many(board: Board) -> list[PanzerUnit]:
    """Return units of several types all over the map, always the same."""
    random = Random(1)
    clear = [p.name for p in board.locations if p.terrain == "Open Ground"]
    return [
        PanzerUnit(id=f"u{n}", side="german", type=random.choice(TYPES), at=at)
        for n, at in enumerate(random.sample(clear, UNITS))
    ]


def compared(position: Position[Any, Any], what: str, most: float) -> tuple[list[Row], str, Any]:
    """Compare the reach of all units, asked as a user does, with the bare kernel on its spaces."""
    names = [unit.id for unit in position.units]
    found = reach(position, names)
    contestants = {
        "reach()": lambda: reach(position, names),
        "reach(), new position": lambda: reach(fresh(position), names),
        "kernel": kernels_of(found),
    }
    took = take_turns(contestants, MIDDLE_ROUNDS)
    rows = []
    for name in ("reach()", "reach(), new position"):
        ratio = took[name] / took["kernel"]
        line = f"{what}: {name} / kernel"
        rows.append(row(line, took[name], took["kernel"], ratio, f"<= {most}", ratio <= most))
    states = sum(len(one.found) for one in found)
    spaces = len({id(one.space) for one in found})
    return rows, f"{what}: {states} states reached on {spaces} spaces.", found[0]


def main() -> None:
    """Measure, print and write the report."""
    os.environ["MARCHTABLE_KERNEL"] = "numba"
    board = large_map()
    at = middle(board)
    truck = placed(board, [PanzerUnit(id="u", side="german", type="german-truck", at=at)])
    before = time.perf_counter()
    (first,) = reach(truck, ["u"])
    compiled = (time.perf_counter() - before) * 1e3
    notes = [
        how_timed(),
        f"{COLUMNS} x {ROWS} hexes; a truck's first reach: {len(first.found)} states in "
        f"{compiled:.0f} ms by asking the clauses.",
    ]
    rows: list[Row] = []
    for what, kind in (("truck", "german-truck"), ("halftrack", "sdkfz-251")):
        one = placed(board, [PanzerUnit(id="u", side="german", type=kind, at=at)])
        lines, note, found = compared(one, what, 5)
        rows += [*lines, *against_others(what, *started(found))]
        notes.append(note)
    lines, note, _ = compared(placed(board, many(board)), f"{UNITS} units", 1.3)
    report("panzer-reach", "Reach of PanzerBlitz units", [*notes, note], [*rows, *lines])


if __name__ == "__main__":
    main()
