"""Step costs and restrictions: the terrain effects chart, the map's edge, enemies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause
from marchtable_models.panzer.model import Column, PanzerPosition, TerrainRow
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.views.ground import coming_on, hexside_named, lie, row_named
from marchtable_models.panzer.views.presence import Presence, presence
from marchtable_models.panzer.views.travel import Going, steps
from marchtable_models.panzer.views.units import type_of


class Step(Facts, frozen=True):
    """A unit's step into a hex."""

    column: Column  # its chart column
    # of the crossing
    adjacent: bool
    road: bool
    rise: bool
    # chart rows: of the hex entered (None if it has none), of the hex left, and those for roads
    # without the road rate and for upward steps
    row: TerrainRow | None
    left: TerrainRow | None
    clear: TerrainRow
    slope: TerrainRow
    hexside: TerrainRow | None  # row of the hexside; ``uncharted`` names terrain without a row
    uncharted: str
    added: bool  # the row is the scene's own
    others: Presence  # occupants of the hex
    through: bool = False  # a step of an overrun: then by no road
    concealed: bool = False  # by optional concealed movement
    # if it waits off the map: the scene lets it enter there
    comes_on: Literal["", "given", "elsewhere"] = ""


def step(going: Going, *, concealed: bool = False) -> Step:
    """Return the facts of a unit's step into a hex."""
    position, unit, to, through, _ = going
    on = unit.at is not None
    crossing = lie(position.board, str(unit.at), to) if on else coming_on(position.board, to)
    given = to in map(position.board.resolve, unit.entering)
    kind, conditions = type_of(position, unit), position.conditions
    row, added = row_named(conditions, crossing.there)
    side = hexside_named(conditions, crossing.hexside)
    unknown = [] if row else [crossing.there or "no terrain"]
    if crossing.hexside and side is None:
        unknown.append(crossing.hexside)
    road = crossing.road and not through
    clear, slope = row_named(conditions, "Open Ground")[0], row_named(conditions, "Slope")[0]
    assert clear is not None
    assert slope is not None
    return Step(
        column=kind.column,
        adjacent=crossing.adjacent,
        road=road,
        rise=crossing.rise,
        row=row,
        left=row_named(conditions, crossing.here)[0],
        clear=clear,
        slope=slope,
        hexside=side,
        uncharted="" if road else ", ".join(unknown),
        added=added,
        others=presence(position, unit.side, to, unit),
        through=through,
        concealed=concealed,
        comes_on="" if on else "given" if given else "elsewhere",
    )


@cases(Move)
def move_facts(position: PanzerPosition, action: Move) -> Iterator[Case]:
    """Yield the step."""
    for going in steps(position, action):
        yield about(going.unit, step(going, concealed=action.concealed), going.to)


@clause("PB.adjacent", kind="action")
def adjacent(facts: Step, sheet: Sheet) -> None:
    """A step leads only to an adjacent hex."""
    if not facts.adjacent:
        sheet.bar("the hexes are not adjacent")


@clause("PB.entry", kind="action")
def entry(facts: Step, sheet: Sheet) -> None:
    """Units enter the map by the edge hexes that their scene names."""
    if facts.comes_on == "elsewhere":
        sheet.bar("it cannot enter the map there")


@clause("PB.enemies", kind="action")
def enemies(facts: Step, sheet: Sheet) -> None:
    """A unit cannot enter a hex with enemies, except to overrun them."""
    held = facts.others.forts and facts.others.enemy  # units can move on top of it
    if facts.others.enemy and not facts.through and not held:
        sheet.bar("enemies are there")


@clause("PB.terrain", kind="action", modelled=False)
def uncharted(facts: Step, sheet: Sheet) -> None:
    """Terrain missing from the chart."""
    if facts.uncharted:
        sheet.unsupported(f"terrain missing from the chart: {facts.uncharted}")


@clause("P.move-a", kind="cost", after=("P.opt-b",))
def chart(facts: Step, sheet: Sheet) -> None:
    """Movement factors and terrain costs are those of the original game."""
    if not facts.added:
        _enter(facts, sheet)
    if not facts.road and facts.left is not None:
        _leave(facts, facts.left, sheet)


def _leave(facts: Step, left: TerrainRow, sheet: Sheet) -> None:
    """Charge for leaving a hex, and bar it if its hexsides forbid it."""
    extra = left.leave.of(facts.column) or 0
    if extra and (facts.row is not left or sheet.reading("P.move-a-gully") == "every"):
        sheet.charge(extra, f"{left.title}, left")
    shut = left.ringed and left.of(facts.column) is None
    if shut and sheet.reading("P.move-a-woods") == "hexsides":
        sheet.bar(f"{left.title}: it can be left only by road")


@clause("P.move-e", kind="cost", after=("P.opt-b",))
def added_terrain(facts: Step, sheet: Sheet) -> None:
    """Terrain of sequels and later sets can be added to the chart."""
    if facts.added:
        _enter(facts, sheet)


def _enter(facts: Step, sheet: Sheet) -> None:
    """Charge for a hex, and bar what only a road leads into; the road rate is charged before."""
    if sheet.total("road"):
        return
    if facts.road:
        sheet.charge(facts.clear.of(facts.column) or 0, f"{facts.clear.title}, by road")
        return
    if facts.row is None:
        return
    for row in (facts.row, facts.hexside):
        if row is not None and row.of(facts.column) is None:
            sheet.bar(f"{row.title}: it can be entered only by road")
    cost, up = facts.row.of(facts.column) or 0, facts.slope.of(facts.column) or 0
    if facts.rise and up > cost:
        sheet.charge(up, f"{facts.slope.title}, upward")
    else:
        sheet.charge(cost, facts.row.title)
