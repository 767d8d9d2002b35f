"""
Board SSR: changes of terrain that a scenario requests by VASL's name, made to the pixels.

``data/ssr.tsv`` has a row for each change of each SSR:

- ``terrain``: one terrain becomes another;
- ``ground``: a terrain becomes Open Ground of a level;
- ``level``: one level becomes another;
- ``stairways``: all are removed;
- ``unbridged``: only for boards without bridges, because their outcome is not stated;
- ``picture``: only the picture changes;
- ``refused``: the change cannot be derived from VASL's tables, with the reason.

They are VASL's own: from its table of SSR effects on lines of sight and, for SSR without such
effects, from its table of colours.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.vasl.terrain import TerrainTable, load_terrain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from marchtable.vasl.losdata import LosData
    from marchtable.vasl.metadata import Metadata

__all__ = ["applied", "understood"]

SHOWN = 3  # of similar names


class _Change(NamedTuple):
    """A row of the table."""

    kind: str
    old: str
    new: str


@cache
def changes_by_rule() -> Mapping[str, Sequence[_Change]]:
    text = files("marchtable.vasl").joinpath("data/ssr.tsv").read_text(encoding="utf-8")
    found: dict[str, list[_Change]] = {}
    for line in text.splitlines()[1:]:
        name, kind, old, new = line.split("\t")
        found.setdefault(name, []).append(_Change(kind, old, new))
    return found


def applied(
    names: Sequence[str],
    los: LosData,
    table: TerrainTable,
    metadata: Metadata,
    source: str,
) -> LosData:
    """
    Return a board's pixels after the changes by SSR, one after the other.

    Parameters
    ----------
    names
        The SSR by their VASL names, such as ``"NoRoads"``.
    los
        The pixels.
    table
        The meaning of their codes.
    metadata
        The archive's other uses of SSR and overlay names.
    source
        The archive, for messages.

    Raises
    ------
    BadInputError
        If there is no such SSR, or its changes are not known.
    """
    for name in names:
        try:
            for change in _changes(name, metadata):
                los = _changed(los, table, change)
        except UnknownNameError:
            had = {one.lower(): one for one in _had(los, table)}
            near = get_close_matches(name.lower(), had, SHOWN, 0.0)
            nearest = ", ".join(had[one] for one in near) or "none"
            raise UnknownNameError(
                f"there is no such SSR; of those that change terrain here the nearest: {nearest}",
                source=source,
                field=f"ssr {name}",
            ) from None
        except BadInputError as error:
            raise error.located(source=source, field=f"ssr {name}") from None
    return los


def understood(
    names: Sequence[str], los: LosData, metadata: Metadata
) -> tuple[list[str], dict[str, str]]:
    """Return the SSR whose changes to a board are known, and why others' are not."""
    known: list[str] = []
    unknown: dict[str, str] = {}
    table = load_terrain()
    for name in names:
        changed = los
        try:
            for change in _changes(name, metadata):
                changed = _changed(changed, table, change)
        except BadInputError as error:
            unknown[name] = error.message
        else:
            los = changed
            known.append(name)
    return known, unknown


def _changes(name: str, metadata: Metadata) -> Sequence[_Change]:
    """Return the changes of an SSR; raise BadInputError that says why they are not known."""
    if name in metadata.redefined:
        raise BadInputError("it has a meaning of its own on this board, which is not read")
    if name in changes_by_rule():
        return changes_by_rule()[name]
    if name in metadata.pictures:
        raise BadInputError("it is a picture to be laid on the board, which is not read")
    raise UnknownNameError("there is no such SSR")


def _had(los: LosData, table: TerrainTable) -> list[str]:
    """Return the SSR that would change some of these pixels."""
    found = []
    for name, changes in changes_by_rule().items():
        new = los
        try:
            for change in changes:
                new = _changed(new, table, change)
        except BadInputError:
            continue
        if any((a != b).any() for a, b in zip(_grids(los), _grids(new), strict=True)):
            found.append(name)
    return found


def _grids(los: LosData) -> tuple[npt.NDArray[Any], ...]:
    return los.terrain, los.elevation, los.stairways


def _changed(los: LosData, table: TerrainTable, change: _Change) -> LosData:
    """Return the pixels after one change; raise BadInputError that says why it is impossible."""
    terrain, elevation = los.terrain, los.elevation
    if change.kind == "refused":
        raise BadInputError(change.new)
    if change.kind == "unbridged" and np.isin(terrain, list(_codes(table, "is_bridge"))).any():
        raise BadInputError("VASL's table does not state what becomes of its bridges")
    if change.kind == "terrain":
        new = np.where(terrain == _code(table, change.old), _code(table, change.new), terrain)
        return msgspec.structs.replace(los, terrain=new.astype(np.uint8))
    if change.kind == "ground":
        here = terrain == _code(table, change.old)
        return msgspec.structs.replace(
            los,
            terrain=np.where(here, 0, terrain).astype(np.uint8),
            elevation=np.where(here, int(change.new), elevation).astype(np.int8),
        )
    if change.kind == "level":
        level = int(change.old)
        low = np.isin(terrain, list(_codes(table, "is_depression")))
        if (low & ((elevation == level) | (elevation == level - 1))).any():
            raise BadInputError("VASL's table does not state what becomes of its depressions")
        changed = np.where(elevation == level, int(change.new), elevation)
        return msgspec.structs.replace(los, elevation=changed.astype(np.int8))
    if change.kind == "stairways":
        return msgspec.structs.replace(los, stairways=np.zeros_like(los.stairways))
    return los


def _codes(table: TerrainTable, what: str) -> frozenset[int]:
    return table.codes(lambda kind: getattr(kind, what))


def _code(table: TerrainTable, name: str) -> int:
    for code, kind in table.by_code.items():
        if kind.name == name:
            return code
    raise BadInputError(f"the terrain table has no {name}")
