"""Made-up roads with a Convoy on them, fixed for each number of vehicles and seed."""

from __future__ import annotations

import itertools
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.board.board import STEPS, Board, EdgeRecord, Hexside, Location
from marchtable.state.goal import Aim, Goal
from marchtable.state.position import Position
from marchtable.state.records import struct_from_fields
from marchtable_models.asl.model import SPINES, AslConditions, AslUnit, UnitType

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["IMPULSES", "MAPS", "scene", "scene_on"]

IMPULSES = 12
AHEAD = 12  # rows of the map before the lead
TERRAIN: Sequence[dict[str, Any]] = (
    *({},) * 6, *({"terrain": "Woods"},) * 2, {"terrain": "Brush"}, *({"terrain": "Grain"},) * 2,
)  # fmt: skip
KINDS = {"tr": False, "ht": True, "ft": True}
MP = 28
MAPS = {1: (10, 33), 4: (20, 66), 8: (40, 66)}
"""Columns and rows for each number of boards."""


def scene(count: int, seed: int, columns: int = 10, *, ahead: int = AHEAD) -> tuple[Any, Goal]:
    """Return a Convoy of this many vehicles on a winding road, and the goal to go along it."""
    random = Random(seed)
    rows = count + ahead
    hexes = {(u, row): dict(random.choice(TERRAIN)) for u in range(columns) for row in range(rows)}
    plain = _board(hexes, set())
    here = plain.locations[columns // 2 * rows + rows - 1].name
    way = [here]
    while near := [(d, n) for d, n in plain.neighbours(way[-1]) if d in (0, 1, 5) and n not in way]:
        weights = [4 if direction == 0 else 1 for direction, _ in near]
        way.append(random.choices([name for _, name in near], weights)[0])
    board = _board(hexes, set(itertools.pairwise(way)))
    units = []
    for rank in range(1, count + 1):
        at, to = way[count - rank], way[count - rank + 1]
        side = board.direction(at, to)
        units.append(
            struct_from_fields(
                AslUnit,
                id=f"t{rank}",
                side="german",
                at=at,
                type=random.choice([*KINDS]),
                moving=True,
                facing=SPINES[(side - random.randint(0, 1)) % 6],
                convoy="c",
                rank=rank,
            )
        )
    types = tuple(
        msgspec.convert(
            {"name": name, "class": "vehicle", "column": name, "mp": MP, "afv": afv,
             "truck_type": not afv}, UnitType,
        )
        for name, afv in KINDS.items()
    )  # fmt: skip
    position = Position(
        rulebook="asl", board=board, units=tuple(units), side="german", phase="MPh",
        conditions=AslConditions(types=types),
    )  # fmt: skip
    goal = Goal(aims=(Aim(units=("t1",), near=(way[-1],)),), order=("distance", "points"))
    return position, goal


def scene_on(boards: int, count: int, seed: int) -> tuple[Any, Goal]:
    """Return a Convoy of this many vehicles on a map as large as one, four or eight boards."""
    columns, rows = MAPS[boards]
    return scene(count, seed, columns, ahead=rows - count)


def _name(column: int, row: int) -> str:
    first = chr(64 + column // 26) if column >= 26 else ""
    return f"{first}{chr(65 + column % 26)}{row + 1}"


def _board(hexes: dict[tuple[int, int], dict[str, Any]], road: set[tuple[str, str]]) -> Board:
    names = {(u, 2 * row + u % 2 + 1 - 2 * (u % 2)): (u, row) for u, row in hexes}
    locations = {
        place: Location(name=_name(u, row), hex=_name(u, row), u=place[0], v=place[1],
                        **hexes[u, row])
        for place, (u, row) in names.items()
    }  # fmt: skip
    edges = []
    for (u, v), a in locations.items():
        for across, down in STEPS[1:4]:
            b = locations.get((u + across, v + down))
            if b is not None:
                crossed = (a.name, b.name) in road or (b.name, a.name) in road
                side = Hexside(road="Dirt Road") if crossed else Hexside()
                edges.append(EdgeRecord(a.name, b.name, side))
    return Board("convoy", locations.values(), edges)
