"""Made-up maps, as the arrays of a vehicle's search space, fixed for each size."""

from __future__ import annotations

from typing import Any

import numpy as np

from marchtable.reachability.space import SearchSpace

SIZES = {"S": (33, 10), "M": (66, 40), "L": (132, 80)}
TERRAIN = (1, 2, 2, 2, 2, 3, 4, 5, 6, 7, 8)  # half points to enter a hex, open ground often
TURN = START = STOP = 2
ROAD = 1
FACINGS = 6
SEED = 20


def state(hex_index: int, facing: int, *, moving: bool) -> int:
    """Return the number of a vehicle's state."""
    return (hex_index * FACINGS + facing) * 2 + moving


def neighbours(columns: int, rows: int) -> list[list[int]]:
    """Return the hex across each hexside of each hex, clockwise from the top; -1 off the map."""
    found = []
    for column in range(columns):
        low = column % 2
        steps = ((0, -1), (1, low - 1), (1, low), (0, 1), (-1, low), (-1, low - 1))
        for row in range(rows):
            there = [(column + across, row + down) for across, down in steps]
            inside = [0 <= x < columns and 0 <= y < rows for x, y in there]
            found.append(
                [x * rows + y if ok else -1 for (x, y), ok in zip(there, inside, strict=True)]
            )
    return found


def roads(across: list[list[int]], columns: int, rows: int, random: Any) -> set[tuple[int, int]]:
    """Return the hexsides (hex, direction) that wandering roads from west to east cross."""
    crossed = set()
    for start in random.integers(0, rows, max(1, columns * rows // 300)):
        here = int(start)
        while True:
            direction = int(random.integers(1, 3))
            there = across[here][direction]
            if there < 0:
                break
            crossed |= {(here, direction), (there, (direction + 3) % FACINGS)}
            here = there
    return crossed


def build(columns: int, rows: int, budget: int) -> SearchSpace:
    """Compile a map for a vehicle with a budget in half points."""
    random = np.random.default_rng(SEED)
    across = neighbours(columns, rows)
    terrain = random.choice(TERRAIN, len(across)).tolist()
    road = roads(across, columns, rows, random)
    indptr, target, cost = [0], [], []
    for here, there in enumerate(across):
        for facing in range(FACINGS):
            for moving in (False, True):
                for turned in ((facing + 1) % FACINGS, (facing - 1) % FACINGS):
                    target.append(state(here, turned, moving=moving))
                    cost.append(TURN)
                target.append(state(here, facing, moving=not moving))
                cost.append(STOP if moving else START)
                for side in (facing, (facing + 1) % FACINGS) if moving else ():
                    if there[side] >= 0:
                        target.append(state(there[side], facing, moving=True))
                        cost.append(ROAD if (here, side) in road else terrain[there[side]])
                indptr.append(len(target))
    first, last, targets, costs = (
        np.array(values, np.int32) for values in (indptr[:-1], indptr[1:], target, cost)
    )
    return SearchSpace.of(first, last, last, targets, costs, np.full(len(first), budget, np.int32))


def centre(columns: int, rows: int) -> int:
    """Return the state of a vehicle stopped in the middle of the map."""
    return state(columns // 2 * rows + rows // 2, 0, moving=False)
