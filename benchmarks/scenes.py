"""Positions for measurements: on real boards if a checkout has them beside it, else on the demo board."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from marchtable.board.board import Board
from marchtable.board.joining import join
from marchtable.files.scenes import load
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import Position
from marchtable.state.records import struct_from_fields
from marchtable.vasl import import_board
from marchtable_models.asl.data import unit_types
from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[1]
BOARDS = ROOT.parent / "shared" / "boards"
DEMO = ROOT / "models" / "marchtable_models" / "asl" / "data" / "demo"
GEOMORPHIC = ("bd01", "bd04", "bd33", "bd00")
KINDS = (
    "squad", "opel-blitz", "half-squad", "t-26-m33", "leader", "wagon", "squad", "spw-251", "crew",
    "cavalry", "squad", "armored-car", "hero", "motorcycles", "conscript-squad", "carrier-a",
)  # fmt: skip
"""Unit types of every class, as a side has them in turn."""
FACINGS = ("NNE", "E", "SSE", "SSW", "W", "NNW")


def is_real() -> bool:
    """Return whether real boards are available."""
    return all((BOARDS / name).exists() for name in GEOMORPHIC)


def single(number: int = 0) -> Board:
    """Return one board: the real one of that number, or the demo's."""
    if is_real():
        return import_board(BOARDS / GEOMORPHIC[number])
    return load(DEMO / "scene.toml").board


def eight() -> Board:
    """Return two rows of four real boards; each is imported twice, under two names."""
    rows = [[import_board(BOARDS / name) for name in GEOMORPHIC] for _ in range(2)]
    rows[1] = [
        Board(f"5{board.name}", board.locations, board.edges, board.aliases)
        for board in rows[1][::-1]
    ]
    return join(rows, name="eight")


def copies(rows: Sequence[int]) -> Board:
    """Return rows of this many boards each: real ones if available, else copies of the demo board."""
    if is_real():
        boards = [import_board(BOARDS / name) for name in GEOMORPHIC]
    else:
        boards = [load(DEMO / "scene.toml").board]
    found, count = [], 0
    for row in rows:
        made = []
        for _ in range(row):
            board = boards[count % len(boards)]
            made.append(Board(f"{count}", board.locations, board.edges, board.aliases))
            count += 1
        found.append(made)
    return join(found, name="joined")


def asl(
    board: Board, units: Sequence[AslUnit], conditions: AslConditions | None = None
) -> Position[Any, Any]:
    """Return the start of a MPh with these units."""
    side = units[0].side
    return Position(
        rulebook=find_rulebook("asl").name, board=board, side=side, phase="MPh",
        conditions=conditions or AslConditions(), units=tuple(units),
    )  # fmt: skip


def night() -> AslConditions:
    """Return a night with a NVR of three hexes."""
    return AslConditions(night=True, nvr=3)


def unit(name: str, kind: str, at: str, facing: str = "E", **fields: Any) -> AslUnit:
    """Return a unit of a sample type about to move."""
    if unit_types()[kind].is_vehicle:
        fields["facing"] = facing
    return struct_from_fields(
        AslUnit, **{"id": name, "side": "german", "type": kind, "at": at, **fields}
    )


def crowd(
    board: Board, seed: int, *, movers: int, enemies: int, **fields: Any
) -> Position[Any, Any]:
    """Return two sides spread over a board at random, some Infantry of both in stacks, some with a SW.

    Parameters
    ----------
    movers, enemies
        How many units of all classes the side that moves has, and the other.
    fields
        ``conditions``.
    """
    draw = Random(seed)
    places = open_ground(board)
    draw.shuffle(places)
    found: list[AslUnit] = []
    for side, count in (("german", movers), ("russian", enemies)):
        for number in range(count):
            kind = KINDS[number % len(KINDS)]
            result: dict[str, Any] = {"side": side, "facing": draw.choice(FACINGS)}
            before = found[-1] if number else None
            beside = (
                before is not None and kind in ("squad", "leader", "crew") and draw.random() < 0.3
            )
            at = str(before.at) if before is not None and beside else places.pop()
            if kind == "squad" and draw.random() < 0.4:
                result["sw"] = (SupportWeapon(name=f"mg{len(found)}", pp=draw.choice((1, 5))),)
            found.append(unit(f"{side[0]}{number}", kind, at, **result))
    return asl(board, found, **fields)


def truck(name: str, at: str) -> AslUnit:
    """Return a truck about to move."""
    return AslUnit(id=name, side="german", type="opel-blitz", at=at, facing="E")


def squad(name: str, at: str) -> AslUnit:
    """Return a squad about to move."""
    return AslUnit(id=name, side="german", type="squad", at=at)


def open_ground(board: Board) -> list[str]:
    """Return the Locations of open ground and roads."""
    plain = ("Open Ground", "Dirt Road", "Paved Road")
    return [one.name for one in board.locations if one.terrain in plain]


def mixed(board: Board, count: int) -> Position[Any, Any]:
    """Return a position with as many trucks as squads, spread over the board."""
    places = open_ground(board)
    kinds = (truck, squad)
    return asl(
        board,
        [kinds[i % 2](f"u{i}", places[i * len(places) // count]) for i in range(count)],
    )


def middle(board: Board) -> str:
    """Return the open place nearest to the middle of the board."""
    across = max(one.u for one in board.locations) // 2
    down = max(one.v for one in board.locations) // 2
    here = {one.name: abs(one.u - across) + abs(one.v - down) for one in board.locations}
    return min(open_ground(board), key=here.__getitem__)
