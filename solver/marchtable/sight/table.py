"""Queries of lines of sight: pairs of heights in hexes, over arrays cached with the board."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.cache import Cache
from marchtable.errors import BadInputError
from marchtable.sight.facts import (
    Does,
    Glow,
    Obstruction,
    Sight,
    SightFacts,
    SightReason,
    Verdict,
    Viewpoint,
)
from marchtable.sight.field import Field, Hex, build_field
from marchtable.sight.kernel import columns
from marchtable.sight.kernel.thread import many

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.board.board import Board

    Pair = tuple[Viewpoint, Viewpoint]
    Asked = tuple[Pair, tuple[Obstruction, ...]]
    Table = np.ndarray[Any, np.dtype[np.int64]]

__all__ = [
    "BESIDE", "VERDICTS", "as_by_night", "field_of", "remember", "sight", "sights", "trace_pairs",
]  # fmt: skip

VERDICTS: tuple[Verdict, ...] = ("clear", "blocked", "close", "unknown")
_FIELDS: Cache[Field] = Cache(lambda field: field.nbytes)
_PAIRS: Cache[dict[Asked, Sight]] = Cache(lambda known: 1_000 * len(known))
BESIDE = 2
"""A thread's hexes have distances from its ends that total less than its range plus this."""
_ENDS = 4  # columns of a row with only two heights in two hexes
_ROW = (-1, -1, 0, 0)  # its other columns: no vertices, and no bocage
MANY, MOST_WORKERS = 10_000, 4
"""Number of pairs from which threads are used, and the maximum number of threads."""
WARM_UP, COLD = 800, 20_000
"""Pairs traced uncompiled in the time in which numba is imported, and in which it compiles."""
_AHEAD = {
    SightReason.GROUND: "higher ground lies between",
    SightReason.RIDGE: "ground as high as the higher end lies between",
    SightReason.CREST: "it is a blind hex behind a Crest Line",
    SightReason.CLIFF: "it is a blind hex behind a cliff",
    SightReason.OBSTACLE: "an obstacle lies between",
    SightReason.BLIND: "it is a blind hex behind an obstacle",
    SightReason.HALF: "a half-level obstacle lies between",
    SightReason.WALL: "a wall or hedge lies between",
    SightReason.BOCAGE: "bocage lies between",
    SightReason.DEPRESSION: "it is too deep IN the depression",
    SightReason.BUILDING: "it leads through the inside of the building",
    SightReason.BAR: "the wall between the houses lies between",
    SightReason.HINDRANCE: "the Hindrances add up to a blocked LOS",
    SightReason.BRIDGE: "the bridge lies between",
    SightReason.ADVANTAGE: "it depends on Wall Advantage over the bocage",
    SightReason.TERRAIN: "what lies there is not modelled",
    SightReason.SLOPE: "Slope hexsides are not modelled",
    SightReason.BELOW: "a height below the ground is not modelled",
    SightReason.ROADBLOCK: "a roadblock lies between",
    SightReason.ENTRENCHED: "a wall lies before the entrenchment",
    SightReason.VERTEX: "walls at the vertex of a unit in Bypass are not modelled",
    SightReason.UNSTATED: "what SMOKE adds to the Hindrance is not stated",
    SightReason.NIGHT: "beyond the Night Visibility Range",
    SightReason.LIGHT: "beyond the Night Visibility Range: light and gunflashes are not modelled",
    SightReason.OFF: "the line leaves the map and comes back",
}


def field_of(board: Board, facts: SightFacts) -> Field:
    """Return the arrays of a board; cached."""
    key = board.digest, facts.name
    found = _FIELDS.get(key)
    return _FIELDS.keep(key, build_field(board, facts)) if found is None else found


def sight(
    board: Board, facts: SightFacts, ends: Pair, obstructions: Sequence[Obstruction] = ()
) -> Sight:
    """
    Find one line of sight; cached as long as nothing changes in the hexes along it.

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
    """Trace the unknown ones of some lines of sight, for :func:`sight` to find."""
    known = _known(board, facts)
    missing = [asked for ends in pairs if (asked := _asked(board, ends, obstructions)) not in known]
    found = sights(board, facts, [ends for ends, _ in missing], obstructions)
    known.update(zip(missing, found, strict=True))
    _PAIRS.keep((board.digest, facts.name), known)  # update its size


def _known(board: Board, facts: SightFacts) -> dict[Asked, Sight]:
    key = board.digest, facts.name
    known = _PAIRS.get(key)
    return _PAIRS.keep(key, {}) if known is None else known


def _asked(board: Board, ends: Pair, obstructions: Sequence[Obstruction]) -> Asked:
    """Return a pair, in either order of its ends, with the contents of the hexes along it."""
    looks, seen = ends[0].by_day(), ends[1].by_day()
    a, b = sorted((looks, seen), key=lambda end: (end.at, end.height, end.vertex or 0, end.why))
    if not obstructions:
        return (a, b), ()
    far = board.distance(a.at, b.at) + BESIDE
    lying = tuple([
        one for one in obstructions
        if board.distance(a.at, one.at) + board.distance(one.at, b.at) <= far
    ])  # fmt: skip
    if any(one.top is not None and one.at in (a.at, b.at) for one in lying):
        return (looks, seen), lying  # looking out of SMOKE differs from looking into it
    return (a, b), lying


def as_by_night(board: Board, facts: SightFacts, found: Sight, ends: Pair) -> Sight:
    """Return a line of sight limited by any night; the end named first is the viewer."""
    a, b = ends
    far = 0 if a.night is None else board.distance(a.at, b.at)
    if a.night is None or not far or found.verdict == "blocked":
        return found
    is_near = far <= max(-(-a.night * b.shows // 2), 0 if a.night else b.least)
    seen: Glow = b.glow
    if is_near and seen != "lit" and a.dazzled != "lit":
        seen = "lit" if a.dazzled == "dark" else "dim"
    if seen == "lit":
        return found
    verdict: Verdict = "blocked" if seen == "dark" else "unknown"
    why = SightReason.NIGHT if seen == "dark" else SightReason.LIGHT
    return Sight(verdict, b.at, found.hindrance, facts.clauses[why], _AHEAD[why])


def sights(
    board: Board,
    facts: SightFacts,
    pairs: Sequence[Pair],
    obstructions: Sequence[Obstruction] = (),
) -> list[Sight]:
    """
    Find the line of sight of each pair of viewpoints.

    Raises
    ------
    BadInputError
        If a hex is not on the board.
    """
    field = field_of(board, facts)
    eyes = list(dict.fromkeys([end for ends in pairs for end in ends]))
    number = {eye: at for at, eye in enumerate(eyes)}
    chosen = np.array([(number[a], number[b]) for a, b in pairs], np.int64).reshape(-1, 2)
    seen = np.array(
        [
            (_hex(field, eye), eye.height, -1 if eye.vertex is None else eye.vertex, eye.advantage)
            for eye in eyes
        ],
        np.int64,
    ).reshape(-1, 4)  # fmt: skip
    a, b = seen[chosen[:, 0]], seen[chosen[:, 1]]
    rows = np.column_stack([a[:, :2], b[:, :2], a[:, 2], b[:, 2], a[:, 3], b[:, 3]])
    # Grouped by viewer, so that threads over the same pixels follow each other.
    order = np.lexsort((chosen[:, 1], chosen[:, 0]))
    found = np.empty((len(rows), columns.ROWS), np.int64)
    found[order] = trace_pairs(field, facts, rows[order], obstructions)
    lying = {one.at: one for one in obstructions if one.unknown}
    known: dict[tuple[int, ...], Sight] = {}  # most results are equal: each is put into words once
    answers = []
    for row, ends in zip(found.tolist(), pairs, strict=True):
        key = tuple(row)
        if ends[0].unknown or ends[1].unknown:
            answers.append(_sight(field, facts, row, ends, lying))
            continue
        if key not in known:
            known[key] = _sight(field, facts, row, ends, lying)
        answers.append(known[key])
    return answers


def trace_pairs(
    field: Field, facts: SightFacts, rows: Table, obstructions: Sequence[Obstruction] = ()
) -> Table:
    """
    Trace many pairs at once, as numbers.

    Parameters
    ----------
    field, facts
        The board's arrays and the effects of terrain.
    rows
        A row per pair: hex, height, hex, height; hexes by number, heights in half levels. The end
        named first is the viewer. Four more columns are optional: each end's vertex of its hex (-1:
        the centre), and its view past bocage (an :class:`~marchtable.sight.facts.Advantage`).
    obstructions
        Temporary obstructions on the board. If their exact Hindrance is not stated, and its minimum
        and maximum lead to different results, these are unknown.

    Returns
    -------
    array
        A row per pair: the verdict's index in :data:`VERDICTS`, the :class:`SightReason`, the hex's
        number or -1, and the Hindrance.
    """
    if rows.shape[1] == _ENDS:
        rows = np.concatenate([rows, np.tile(np.array(_ROW, np.int64), (len(rows), 1))], axis=1)
    least = _trace(field, facts, rows, [one.bounded(most=False) for one in obstructions])
    if any(one.most for one in obstructions):
        most = _trace(field, facts, rows, [one.bounded(most=True) for one in obstructions])
        differ = (least[:, 0] != most[:, 0]) | ((least[:, 0] == 0) & (least[:, 3] != most[:, 3]))
        least[differ, :3] = VERDICTS.index("unknown"), SightReason.UNSTATED, -1
    return least


def _trace(
    field: Field, facts: SightFacts, rows: Table, obstructions: Sequence[Obstruction]
) -> Table:
    """Trace pairs among obstructions that are stated exactly."""
    trace = _tracer(len(rows))
    out = np.zeros((len(rows), columns.ROWS), np.int64)
    rows = np.ascontiguousarray(rows)
    limits = (facts.blocking, facts.longest, facts.outward)
    arrays, extra = field.arrays, _extra(field, facts, obstructions)
    workers = min(MOST_WORKERS, os.cpu_count() or 1) if len(rows) >= MANY else 1
    if workers == 1:
        trace(arrays, extra, rows, limits, out)
        return out
    trace(arrays, extra, rows[:1], limits, out[:1])  # so that no thread has to compile it
    size = -(-len(rows) // workers)
    parts = [slice(start, start + size) for start in range(0, len(rows), size)]
    with ThreadPoolExecutor(workers) as pool:  # the compiled kernel releases the GIL
        list(pool.map(lambda part: trace(arrays, extra, rows[part], limits, out[part]), parts))
    return out


class Traced:
    """The number of pairs that this process has traced."""

    pairs = 0


def _tracer(count: int) -> Callable[..., None]:
    """Return the tracer for a number of further pairs: compiled once that pays."""
    Traced.pairs += count
    wanted = os.environ.get("MARCHTABLE_KERNEL", "auto")
    is_early = Traced.pairs <= WARM_UP or (Traced.pairs <= COLD and not _is_kept())
    if wanted == "python" or (wanted != "numba" and is_early):
        return many
    from marchtable.sight.compiled import compiled

    return compiled()  # type: ignore[no-any-return]


@cache
def _is_kept() -> bool:
    from marchtable.sight.compiled import is_kept

    return is_kept()


def _hex(field: Field, viewpoint: Viewpoint) -> int:
    number = field.numbers.get(viewpoint.at)
    if number is None:
        raise BadInputError(f"{viewpoint.at} is no hex of this board", field="hex")
    return number


def _extra(field: Field, facts: SightFacts, obstructions: Sequence[Obstruction]) -> Table:
    """Return each hex's contents in the kernel's form; empty if there are none anywhere."""
    if not obstructions:
        return np.zeros((0, columns.LYING), np.int64)
    table = np.zeros((len(field.places), columns.LYING), np.int64)
    for at, here in _by_hex(obstructions).items():
        number = field.numbers[at]
        row, bottom = table[number], int(field.hexes[number, Hex.LEVEL])
        drifting = sorted((bottom + 2 * one.top, one.drm) for one in here if one.top is not None)
        if drifting:
            low = drifting[0][0]
            above = sum(drm for top, drm in drifting if top > low)
            row[columns.LOW] = min(facts.thickest, sum(drm for _, drm in drifting))
            row[columns.LOW_TOP], row[columns.BOTTOM] = low, bottom
            row[columns.HIGH], row[columns.HIGH_TOP] = min(facts.thickest, above), drifting[-1][0]
        flat = [one.drm for one in here if one.top is None]
        row[columns.FLAT] = max(flat, default=0)
        for one in here:
            if one.terrain:
                _fill(field, facts, number, one.terrain, row)
            if one.side is not None:
                _close(field, number, one.side, table)
            if one.unknown and not one.most:
                row[columns.HID] = max(row[columns.HID], 1 if one.top is None else 2)
    return table


def _by_hex(obstructions: Sequence[Obstruction]) -> dict[str, list[Obstruction]]:
    found: dict[str, list[Obstruction]] = {}
    for one in obstructions:
        found.setdefault(one.at, []).append(one)
    return found


def _fill(field: Field, facts: SightFacts, number: int, terrain: str, row: Table) -> None:
    """Fill a hex with terrain; only rubble can replace a building."""
    kind = field.names.index(terrain) if terrain in field.names else -1
    does = facts.fact(terrain).does
    is_built = field.hexes[number, Hex.BUILT] and does != Does.OBSTACLE
    if kind < 0 or does == Does.UNKNOWN or is_built:
        row[columns.HID] = max(row[columns.HID], 1)
    else:
        row[columns.FILLS] = kind


def _close(field: Field, number: int, way: int, table: Table) -> None:
    """Close a hexside for both of its hexes, and into the woods and buildings at its ends."""
    table[number, columns.CLOSED] |= 1 << way
    beyond = field.near[number, way]
    if beyond >= 0:
        table[beyond, columns.CLOSED] |= 1 << (way + 3) % len(field.near[0])
    for beside in (way - 1, way + 1):
        third = field.near[number, beside % 6]
        own = field.does[field.hexes[third, Hex.OWN]] if third >= 0 else Does.OPEN
        if own in (Does.OBSTACLE, Does.HALL) or (third >= 0 and field.hexes[third, Hex.BUILT]):
            table[third, columns.GOES_ON] = 1


def _sight(
    field: Field,
    facts: SightFacts,
    row: Sequence[int],
    ends: Pair,
    lying: dict[str, Obstruction],
) -> Sight:
    """Convert a row of results to words."""
    verdict, why, number, hindrance = VERDICTS[row[0]], SightReason(row[1]), row[2], row[3]
    at = field.places[number] if number >= 0 else None
    missing = next((end for end in ends if end.unknown), None)
    if missing is not None and ends[0] != ends[1]:
        return Sight("unknown", missing.at, hindrance, missing.unknown, missing.why)
    if verdict == "clear":
        return Sight(verdict, None, hindrance, "", "")
    if verdict == "close":
        clause = facts.clauses[SightReason.CLOSE]
        return Sight(verdict, at, hindrance, clause, f"within a pixel of blocked: {_AHEAD[why]}")
    clause, reason = facts.clauses.get(why, ""), _AHEAD[why]
    unstated = next((one for one in lying.values() if one.most), None)
    if why == SightReason.UNSTATED and unstated is not None:
        at, clause, reason = unstated.at, unstated.unknown, unstated.why
    elif why == SightReason.ROADBLOCK and verdict == "unknown":
        reason = "whether a roadblock goes on there is not modelled"
    elif why == SightReason.TERRAIN and at in lying:
        clause, reason = lying[at].unknown, lying[at].why
    elif why == SightReason.TERRAIN and number >= 0:
        name, clause = _unknown_terrain(field, number, clause)
        reason = f"{name} is not modelled"
    return Sight(verdict, at, hindrance, clause, reason)


def _unknown_terrain(field: Field, number: int, clause: str) -> tuple[str, str]:
    """Return the unmodelled terrain of a hex, and its clause."""
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
