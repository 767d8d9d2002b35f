"""Readings of a move that were tried, and which one counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable_models.asl.model import MinimumMove
from marchtable_models.asl.rules.declarations import DoubleTime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.ruling import Violation
    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.recorded.groups import TrackGroup
    from marchtable_models.asl.recorded.lines import PartialLog
    from marchtable_models.asl.recorded.readings import Reading


class Tried(NamedTuple):
    """A reading, its starting position, and its script."""

    reading: Reading
    before: AslPosition
    note: str
    script: tuple[object, ...]


def is_proof(tried: Sequence[Tried]) -> bool:
    """Return whether no reading is legal, with every way tried."""
    return bool(tried) and all(
        one.reading.failed is not None and one.reading.is_whole for one in tried
    )


def is_explained(one: Tried) -> bool:
    return one.reading.failed is None and not one.reading.line.doubts


def badness(one: Tried) -> tuple[int, int, int, int]:
    line = one.reading.line
    return (
        one.reading.failed is not None,
        len({fault.clause for fault in line.faults}),
        len(line.doubts),
        -(one.reading.failed or 0),
    )


def first_faults(line: PartialLog) -> tuple[Violation, ...]:
    """Return the violations of the first illegal entry: later ones might follow from it."""
    for number, ruling in enumerate(line.rulings):
        if ruling.violations:
            return tuple(msgspec.structs.replace(one, step=number) for one in ruling.violations)
    return ()


def faults_of(line: PartialLog, clauses: Sequence[str]) -> tuple[Violation, ...]:
    """Return the first violation of each clause, with its entry."""
    found: dict[str, Violation] = {}
    for number, ruling in enumerate(line.rulings):
        for one in ruling.violations:
            if one.clause in clauses:
                found.setdefault(one.clause, msgspec.structs.replace(one, step=number))
    return tuple(found.values())


def shares_cx(group: TrackGroup, line: PartialLog) -> bool:
    """Return whether a unit is assumed CX because it is beneath another's CX counter."""
    tired = {one.unit for one in line.log if isinstance(one, DoubleTime)}
    tired |= {name for one in line.log if isinstance(one, MinimumMove) for name in one.units}
    return any(
        track.unit in tired
        and track.last is not None
        and track.last.shares_cx
        and not track.last.fields.get("cx")
        for track in group.tracks
    )
