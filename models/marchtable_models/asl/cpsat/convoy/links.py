"""How the vehicles of a Convoy stand to each other without a Gap: what the clauses judge, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable_models.asl.facts.lines import Link
from marchtable_models.asl.survey.lines import is_gap, link

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.board import Board
    from marchtable.edition import Edition
    from marchtable.position import Position
    from marchtable_models.asl.cpsat.convoy.graph import Places
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Beside", "Links", "beside", "distances", "links_of"]


class Links(NamedTuple):
    """
    What binds each vehicle of a Convoy to the one ahead.

    Parameters
    ----------
    apart
        At how many hexes from it there is no Gap.
    waiting
        By vehicle: the Locations of the one ahead with which it may wait off the map.
    bound
        By vehicle: whether it is to be so at all.
    """

    apart: frozenset[int]
    waiting: tuple[tuple[str, ...], ...]
    bound: tuple[bool, ...]


class Beside(NamedTuple):
    """
    The places in which the next vehicle may be, by a vehicle's own; one per hex, as all plans have it.

    Parameters
    ----------
    sets
        By place.
    begins, places
        The same as arrays: where those of a place begin, and all.
    """

    sets: Sequence[frozenset[int]]
    begins: Any
    places: Any


def links_of(edition: Edition, position: AslPosition, line: Iterable[AslUnit]) -> Links:
    """Return what binds the vehicles of a line."""
    line = tuple(line)
    apart = distances(edition, position.board)
    waiting = tuple(_waiting(edition, position, unit, apart) for unit in line)
    return Links(apart, waiting, (True,) * len(line))


def distances(edition: Edition, board: Board) -> frozenset[int]:
    """Return at how many hexes from the one ahead the clauses see no Gap before a vehicle of a Convoy."""
    u, v = ([getattr(place, name) for place in board.locations] for name in "uv")
    most = max(u) - min(u) + max(v) - min(v)
    return frozenset(n for n in range(most + 1) if _stands(edition, Link("convoy", n)))


def _stands(edition: Edition, found: Link) -> bool:
    """Tell whether two neighbours stand in line as the clauses judge it."""
    return not (is_gap(found) or edition.judge(found).bars)


def _waiting(
    edition: Edition, position: AslPosition, unit: AslUnit, apart: frozenset[int]
) -> tuple[str, ...]:
    """Return the Locations of the one ahead with which a vehicle may wait off the map."""
    board = position.board
    if unit.at is not None:
        return ()
    begin = [board.resolve(name) for name in unit.entering]
    near = [n for n in board.index if any(board.distance(n, to) <= max(apart) for to in begin)]
    return tuple(name for name in near if _stands(edition, link(position, name, unit)))


def beside(board: Board, places: Places, apart: frozenset[int]) -> Beside:
    """Return the places that are so far from each, made once."""
    key = f"convoy beside {len(places)} {sorted(apart)}"
    found: Beside | None = board.notes.get(key)
    if found is None:
        found = board.notes[key] = _made(board, places, apart)
    return found


def _made(board: Board, places: Places, apart: frozenset[int]) -> Beside:
    far = max(apart, default=0)
    steps = [
        (du, dv)
        for du in range(-far, far + 1)
        for dv in range(-2 * far, 2 * far + 1)
        if (du + dv) % 2 == 0 and (du or dv) and max(abs(du), (abs(du) + abs(dv)) // 2) in apart
    ]
    at: dict[tuple[int, int], list[int]] = {}
    for place in board.locations:
        at.setdefault((place.u, place.v), []).append(places.number[place.name])
    rows: list[list[int]] = [[]]
    for name in places.names[1 : places.count]:
        here = board[str(name)]
        rows.append(sorted(n for u, v in steps for n in at.get((here.u + u, here.v + v), ())))
    rows += [[]] * (len(places) - len(rows))  # who stands alone is beside nobody
    begins = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    flat = np.array([n for row in rows for n in row] or [0], np.int64)
    return Beside([frozenset(row) for row in rows], begins, flat)
