"""Checks of units' places: not on terrain they can never enter, nor on a missing level (A2.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import AT_DITCH, WIRE
from marchtable_models.asl.model import Enter
from marchtable_models.asl.rules.landforms import water_to_ford
from marchtable_models.asl.rules.terrain_chart import TERRAIN_CLAUSES
from marchtable_models.asl.views.chart import cell, row_named
from marchtable_models.asl.views.foot import ground_row_at
from marchtable_models.asl.views.ground import floors_of
from marchtable_models.asl.views.ground_facts import ENTRENCHED
from marchtable_models.asl.views.movers import mover, party
from marchtable_models.asl.views.reading import entry, type_of

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable_models.asl.model import AslPosition, AslUnit

BENEATH = (*ENTRENCHED, AT_DITCH, WIRE)
"""The counters, by start of kind, that units can be beneath."""


def check_places(position: AslPosition, edition: Edition) -> None:
    """Raise BadInputError for a unit where it cannot be, with the clause that forbids it."""
    bare = msgspec.structs.replace(position, counters=())
    for number, unit in enumerate(position.units):
        if unit.at is None or type_of(position, unit).class_ == "wreck":
            continue
        if unit.cargo.aboard or unit.cargo.towed_by:
            continue  # its carrier is checked
        field = f"units[{number}]"
        if unit.place.inside:
            _check_inside(position, unit, f"{field}.inside")
        elif unit.place.bypass is None:
            _check_terrain(bare, unit, edition, f"{field}.at")


def _check_terrain(position: AslPosition, unit: AslUnit, edition: Edition, field: str) -> None:
    """Reject terrain that such a unit cannot enter from any side; a motorcycle can be pushed."""
    at = str(unit.at)
    row = ground_row_at(position, at)
    written = cell(row, mover(position, unit))
    if row != "water" and (written.entry != "NA" or "P" in written.marks):
        return
    rejected = ""
    for _, beside in position.board.neighbours(at):
        comes = replace(unit, at=beside)
        there = position.with_units([comes])
        facts = entry(there, comes, at, party(there, (comes,)), Enter((unit.id,), at))
        bars = [bar for bar in edition.judge(facts).bars if bar.clause in _WHERE]
        if not bars:
            return
        rejected = bars[0].clause
    if rejected:
        name = position.board[at].terrain
        raise BadInputError(
            f"{unit.id}: {type_of(position, unit).name} cannot be in {at}, {name} ({rejected}); "
            f"expected a hex that it could enter{_or_else(position, unit, row)}",
            field=field,
        )


_WHERE = frozenset({water_to_ford.id, *(one.id for one in TERRAIN_CLAUSES)})
"""The clauses by which terrain itself bars units."""


def _or_else(position: AslPosition, unit: AslUnit, row: str) -> str:
    """Return the other ways to correct the scene, as the end of a message."""
    if row == "water" and not mover(position, unit).is_vehicle:
        return ", or `fordable = true` in its conditions"
    return ", or `bypass`" if unit.facing is not None and row_named(row).obstacle else ""


def _check_inside(position: AslPosition, unit: AslUnit, field: str) -> None:
    faults = {"upstairs": _fault_upstairs, "crest": _fault_at_crest, "beneath": _fault_beneath}
    find = faults.get(unit.place.inside)  # `check_states` covers cliffs
    if find and (fault := find(position, unit)):
        raise BadInputError(f"{unit.id}: {fault}", field=field)


def _fault_upstairs(position: AslPosition, unit: AslUnit) -> str:
    """Return the fault of a unit upstairs, or an empty text."""
    at, kind = str(unit.at), type_of(position, unit)
    terrain, floors = position.board[at].terrain, floors_of(position.board[at])
    if kind.column == "cav":
        return f"{kind.name} is never upstairs (B23.4); leave inside and floor out"
    if not floors and not row_named(ground_row_at(position, at)).closed:
        return f"{at} is no building ({terrain}; B23.2); leave inside and floor out"
    if max(unit.place.floor, 1) > floors + position.conditions.rooftops:
        return f"{at} ({terrain}) has {floors} upper levels, got floor = {unit.place.floor} (B23.2)"
    return ""


def _fault_at_crest(position: AslPosition, unit: AslUnit) -> str:
    """Return the fault of a unit at a Crest, or an empty text."""
    place = position.board[str(unit.at)]
    if place.depression is not None:
        return ""
    return f"{unit.at} is no Depression ({place.terrain}), so it has no Crest (B20.9); leave inside and crest out"


def _fault_beneath(position: AslPosition, unit: AslUnit) -> str:
    """Return the fault of a unit beneath a counter, or an empty text."""
    if any(kind.startswith(BENEATH) for kind in position.markers.get(str(unit.at), ())):
        return ""
    return f"{unit.at} has no counter to be beneath; add one to [[counters]], such as foxhole, or leave inside out"
