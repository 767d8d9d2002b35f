"""Asking who can be seen from where: pairs of heights in hexes, over arrays kept with the board."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.cache import Cache
from marchtable.errors import BadInputError
from marchtable.sight.facts import Does, Obstruction, Reason, Sight, SightFacts, Verdict, Viewpoint
from marchtable.sight.field import Field, Hex, build_field

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.board.board import Board
    from marchtable.sight.facts import Limit

    Pair = tuple[Viewpoint, Viewpoint]
    Asked = tuple[Pair, tuple[Obstruction, ...]]
    Table = np.ndarray[Any, np.dtype[np.int64]]

__all__ = [
    "BESIDE", "VERDICTS", "field_of", "limited", "remember", "sight", "sights", "trace_pairs",
]  # fmt: skip

VERDICTS: tuple[Verdict, ...] = ("clear", "blocked", "close", "unknown")
_FIELDS: Cache[Field] = Cache(lambda field: field.nbytes)
_PAIRS: Cache[dict[Asked, Sight]] = Cache(lambda known: 1_000 * len(known))
BESIDE = 2
"""A thread passes no hex whose distances from its ends add up to so much more than its range, or further."""
_COLUMNS = 5
MANY, MOST_WORKERS = 10_000, 4
"""Pairs that are shared out among threads, and how many of these."""
WARM_UP = 300
"""Pairs that are traced uncompiled: in about the time that numba takes to be imported."""
_AHEAD = {
    Reason.GROUND: "higher ground lies between",
    Reason.RIDGE: "ground as high as the higher end lies between",
    Reason.CREST: "it is a blind hex behind a Crest Line",
    Reason.CLIFF: "it is a blind hex behind a cliff",
    Reason.OBSTACLE: "an obstacle lies between",
    Reason.BLIND: "it is a blind hex behind an obstacle",
    Reason.HALF: "a half-level obstacle lies between",
    Reason.WALL: "a wall or hedge lies between",
    Reason.BOCAGE: "bocage lies between",
    Reason.DEPRESSION: "it is too deep IN the depression",
    Reason.BUILDING: "it leads through the inside of the building",
    Reason.BAR: "the wall between the houses lies between",
    Reason.HINDRANCE: "the Hindrances add up to a blocked LOS",
    Reason.BRIDGE: "the bridge lies between",
    Reason.ADVANTAGE: "it depends on Wall Advantage over the bocage",
    Reason.TERRAIN: "what lies there is not modelled",
    Reason.SLOPE: "Slope hexsides are not modelled",
    Reason.BELOW: "a height below the ground is not modelled",
}


def field_of(board: Board, facts: SightFacts) -> Field:
    """Return the arrays of a board, built once and kept."""
    key = board.digest, facts.name
    found = _FIELDS.get(key)
    return _FIELDS.keep(key, build_field(board, facts)) if found is None else found


def sight(
    board: Board, facts: SightFacts, ends: Pair, obstructions: Sequence[Obstruction] = ()
) -> Sight:
    """
    Find one line of sight. It is remembered as long as nothing changes in the hexes along it.

    Raises
    ------
    BadInputError
        If a hex is not on the board.
    """
    asked = _asked(board, ends, obstructions)
    found = _known(board, facts).get(asked)
    if found is None:
        remember(board, facts, [ends], obstructions)
        found = _known(board, facts)[asked]
    return found


def remember(
    board: Board, facts: SightFacts, pairs: Sequence[Pair], obstructions: Sequence[Obstruction] = ()
) -> None:
    """Trace those of some lines of sight that are not known, for :func:`sight` to find."""
    known = _known(board, facts)
    missing = [asked for ends in pairs if (asked := _asked(board, ends, obstructions)) not in known]
    found = sights(board, facts, [ends for ends, _ in missing], obstructions)
    known.update(zip(missing, found, strict=True))
    _PAIRS.keep((board.digest, facts.name), known)  # it has grown


def _known(board: Board, facts: SightFacts) -> dict[Asked, Sight]:
    key = board.digest, facts.name
    known = _PAIRS.get(key)
    return _PAIRS.keep(key, {}) if known is None else known


def _asked(board: Board, ends: Pair, obstructions: Sequence[Obstruction]) -> Asked:
    """Return a pair, whichever end is named first, with what lies in the hexes along its thread."""
    a, b = sorted(ends, key=lambda end: (end.at, end.height, end.why))
    if not obstructions:
        return (a, b), ()
    far = board.distance(a.at, b.at) + BESIDE
    return (a, b), tuple([
        one for one in obstructions
        if board.distance(a.at, one.at) + board.distance(one.at, b.at) <= far
    ])  # fmt: skip


def limited(board: Board, found: Sight, ends: Pair, limit: Limit | None) -> Sight:
    """Return a line of sight as it is where one sees no farther than a limit."""
    if limit is None or found.verdict == "blocked":
        return found
    a, b = ends
    if board.distance(a.at, b.at) <= limit.hexes:
        return found
    verdict: Verdict = "blocked" if limit.known else "unknown"
    return Sight(verdict, b.at, found.hindrance, limit.clause, limit.why)


def sights(
    board: Board,
    facts: SightFacts,
    pairs: Sequence[Pair],
    obstructions: Sequence[Obstruction] = (),
) -> list[Sight]:
    """
    Find for each pair of viewpoints whether they see each other.

    Raises
    ------
    BadInputError
        If a hex is not on the board.
    """
    field = field_of(board, facts)
    rows = np.array(
        [(_hex(field, a), a.height, _hex(field, b), b.height) for a, b in pairs], np.int64
    ).reshape(-1, 4)
    found = trace_pairs(field, facts, rows, obstructions)
    lying = {one.at: one for one in obstructions if one.unknown}
    return [_sight(field, facts, row, ends, lying) for row, ends in zip(found, pairs, strict=True)]


def trace_pairs(
    field: Field, facts: SightFacts, rows: Table, obstructions: Sequence[Obstruction] = ()
) -> Table:
    """
    Trace many pairs at once, as numbers.

    Parameters
    ----------
    field, facts
        The board's arrays and what terrain does.
    rows
        A row a pair: hex, height, hex, height; hexes by their numbers, heights in half levels.
    obstructions
        What lies on the board for the time being.

    Returns
    -------
    array
        A row a pair: the verdict's place in :data:`VERDICTS`, the :class:`Reason`, the hex's
        number or -1, and the Hindrance.
    """
    from marchtable.sight.thread import ROWS

    many = _tracer(len(rows))
    out = np.zeros((len(rows), ROWS), np.int64)
    rows, limits = np.ascontiguousarray(rows), (facts.blocking, facts.longest)
    arrays, extra = field.arrays, _extra(field, facts, obstructions)
    workers = min(MOST_WORKERS, os.cpu_count() or 1) if len(rows) >= MANY else 1
    if workers == 1:
        many(arrays, extra, rows, limits, out)
        return out
    size = -(-len(rows) // workers)
    parts = [slice(start, start + size) for start in range(0, len(rows), size)]
    with ThreadPoolExecutor(workers) as pool:  # the compiled kernel frees the interpreter
        list(pool.map(lambda part: many(arrays, extra, rows[part], limits, out[part]), parts))
    return out


class Traced:
    """The pairs that this process has traced so far."""

    pairs = 0


def _tracer(count: int) -> Callable[..., None]:
    """Return what traces so many more pairs: compiled once there have been enough to pay for that."""
    Traced.pairs += count
    wanted = os.environ.get("MARCHTABLE_KERNEL", "auto")
    if wanted == "python" or (wanted != "numba" and Traced.pairs <= WARM_UP):
        from marchtable.sight.thread import many

        return many
    from marchtable.sight.compiled import many as compiled

    return compiled  # type: ignore[no-any-return]


def _hex(field: Field, viewpoint: Viewpoint) -> int:
    number = field.numbers.get(viewpoint.at)
    if number is None:
        raise BadInputError(f"{viewpoint.at} is no hex of this board", field="hex")
    return number


def _extra(field: Field, facts: SightFacts, obstructions: Sequence[Obstruction]) -> Table:
    """Return what lies in each hex as the kernel takes it; nothing if nothing lies anywhere."""
    if not obstructions:
        return np.zeros((0, _COLUMNS), np.int64)
    table = np.zeros((len(field.places), _COLUMNS), np.int64)
    for one in obstructions:
        row = table[field.numbers[one.at]]
        base = int(field.hexes[field.numbers[one.at], Hex.BASE])
        if one.top is not None:
            row[0] += one.drm
            row[1] = max(row[1], base + 2 * one.top + 1)
        else:
            row[2] = max(row[2], one.drm)
        if one.terrain:
            number = field.names.index(one.terrain) if one.terrain in field.names else -1
            fact = facts.fact(one.terrain)
            if (
                number < 0
                or fact.does == Does.UNKNOWN
                or field.hexes[field.numbers[one.at], Hex.BUILT]
            ):
                row[3] = 1
            else:
                row[4] = number
        if one.unknown:
            row[3] = max(row[3], 1 if one.top is None else 2)
    return table


def _sight(
    field: Field,
    facts: SightFacts,
    row: Table,
    ends: Pair,
    lying: dict[str, Obstruction],
) -> Sight:
    """Put one row of results into words."""
    verdict, why, number, hindrance = (
        VERDICTS[int(row[0])],
        Reason(int(row[1])),
        row[2],
        int(row[3]),
    )
    at = field.places[number] if number >= 0 else None
    missing = next((end for end in ends if end.unknown), None)
    if missing is not None and ends[0] != ends[1]:
        return Sight("unknown", missing.at, hindrance, missing.unknown, missing.why)
    if verdict == "clear":
        return Sight(verdict, None, hindrance, "", "")
    if verdict == "close":
        clause = facts.clauses[Reason.CLOSE]
        return Sight(verdict, at, hindrance, clause, f"within a pixel of blocked: {_AHEAD[why]}")
    clause = facts.clauses.get(why, "")
    if why == Reason.TERRAIN and number >= 0:
        if at in lying:
            return Sight(verdict, at, hindrance, lying[at].unknown, lying[at].why)
        name, clause = _unknown_terrain(field, int(number), clause)
        return Sight(verdict, at, hindrance, clause, f"{name} is not modelled")
    return Sight(verdict, at, hindrance, clause, _AHEAD[why])


def _unknown_terrain(field: Field, number: int, clause: str) -> tuple[str, str]:
    """Return the terrain of a hex that is not modelled, and its clause."""
    here = (field.pixels >> 16) == number + 1
    codes = np.unique(field.pixels[here] & 255)
    kinds = [
        *codes,
        *field.sides[number],
        field.hexes[number, Hex.KIND],
        field.hexes[number, Hex.OWN],
    ]
    found = [int(code) for code in kinds if field.does[int(code)] == Does.UNKNOWN]
    if not found:
        return "what lies there", clause
    return field.names[found[0]], field.facts[found[0]].clause or clause
