"""Columns (E11.5): Infantry, Cavalry and wagons in line, and what they can do before disbanding."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import clause
from marchtable.state.action import Action
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.model import AslPosition, AslUnit, Enter
from marchtable_models.asl.occasions import at_impulse, at_lineup, at_set_up
from marchtable_models.asl.rules import gaps
from marchtable_models.asl.rules.declarations import Declaration
from marchtable_models.asl.rules.gaps import Link
from marchtable_models.asl.rules.impulse_moves import Impulse
from marchtable_models.asl.rules.leaving_convoys import Leaving
from marchtable_models.asl.rules.support_weapons import Handling
from marchtable_models.asl.verbs import Advance, Bypass
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.lines import stands_in_line
from marchtable_models.asl.views.spending_facts import Allowance
from marchtable_models.asl.views.standing import Standing
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.weapons import can_be_dm


class ColumnSetUp(Facts, frozen=True, gc=False):
    """A Column as a scene states it."""

    hexes: int  # hexes it takes up, including those still off the map
    misfits: int  # units other than Personnel and wagons
    gapes: bool  # it has a Gap
    overtaken: bool  # a unit waits off the map while the next one behind is on it
    fresh: bool  # no unit has moved in this MPh
    assembled: int  # SW that could be dm but are not
    concealed: int  # concealed units


class InColumn(Entry):
    """An entry by a Column unit."""

    is_relevant = property(lambda self: self.column)


class ColumnByChance(Facts, frozen=True, gc=False):
    """A unit on foot in no line that happens to stand as if in a Column, named for an Impulse."""


class Follow(Facts, frozen=True, gc=False):
    """A unit of a line, behind the lead, that enters a Location."""

    just_left: bool  # the unit ahead has just left that Location
    column: bool = True  # it is in a Column
    astray: bool = False  # the lead of its line strays


GOES = (Enter, Advance, Bypass)
"""The verbs that take a unit to another hex."""

OPEN = ("impulse", "disband", "set-out", "end")
BARRED = ("minimum", "assault", "bypass")


@at_set_up
def set_up_facts(position: AslPosition, line: Sequence[AslUnit]) -> Case | None:
    """Return the facts of a Column as it stands."""
    if not line[0].line.column:
        return None
    on_map = {unit.at for unit in line if unit.at is not None}
    facts = ColumnSetUp(
        hexes=len(on_map) + len({unit.line.rank for unit in line if unit.at is None}),
        misfits=sum(not _fits(position, unit) for unit in line),
        gapes=any(gaps.link(position, a.at, b).gapes for a, b in pairwise(line)),
        overtaken=any(a.at is None and b.at is not None for a, b in pairwise(line)),
        fresh=all(unit.move.mph == "unmoved" for unit in line),
        assembled=sum(can_be_dm(w) and not w.dm for u in line if u.facing is None for w in u.sw),
        concealed=sum(unit.concealment.concealed for unit in line),
    )
    return about(line, facts)


def _fits(position: AslPosition, unit: AslUnit) -> bool:
    kind = type_of(position, unit)
    return kind.is_personnel or kind.class_ == "wagon"


@at_lineup
def lineup_facts(
    position: AslPosition, unit: AslUnit, line: Sequence[AslUnit]
) -> ColumnByChance | None:
    """Return the facts of a unit on foot that happens to stand in line."""
    by_chance = not line and unit.facing is None and stands_in_line(position, unit)
    return ColumnByChance() if by_chance else None


@at_impulse
def impulse_facts(
    position: AslPosition, line: Sequence[AslUnit], pieces: Sequence[Any], _: Edition,
    impulse: Impulse,
) -> list[Case]:  # fmt: skip
    """Return which unit follows which in an Impulse."""
    if not line or not (line[0].line.column or (line[0].line.convoy and line[0].night.astray)):
        return []
    return following_facts(position, line, [piece.act for piece in pieces], impulse.first)


class Ahead(NamedTuple):
    """The first unit of a Column's rank: its rank, and the Location it leaves, if any."""

    rank: int
    leaves: str | None


def ranks_ahead(
    seen: tuple[Ahead | None, Ahead | None], unit: AslUnit, act: Action | None
) -> tuple[Ahead | None, Ahead | None]:
    """Return the rank before a unit's own, and its own, given the ranks already seen."""
    own = seen[1]
    if own is not None and own.rank == unit.line.rank:
        return seen
    return own, Ahead(unit.line.rank, unit.at if isinstance(act, GOES) else None)


def following_facts(
    position: AslPosition,
    line: Sequence[AslUnit],
    acts: Sequence[Action | None],
    first: Sequence[str] = (),
) -> list[Case]:
    """
    Return whether each unit behind the lead that enters a Location follows.

    Units that act `first`, before the one ahead, do not follow.
    """
    found = []
    seen: tuple[Ahead | None, Ahead | None] = (None, None)
    for unit, act in zip(line, acts, strict=True):
        seen = ranks_ahead(seen, unit, act)
        before = seen[0]
        if before is not None and unit.id in first:
            before = before._replace(leaves=None)
        case = following(position, before, unit, act, astray=line[0].night.astray)
        found += [case] if case is not None else []
    return found


def following(
    position: AslPosition,
    before: Ahead | None,
    unit: AslUnit,
    act: Action | None,
    *,
    astray: bool = False,
) -> Case | None:
    """Return the facts of a unit entering behind another rank; None for others."""
    if before is None or not isinstance(act, GOES):
        return None
    to = position.board.resolve(act.to)
    facts = Follow(before.leaves == to, unit.line.column != "", astray)
    return Case((unit.id,), facts, (to,))


@clause("E11.5a", kind="state", composes="joint")
def column_line(facts: ColumnSetUp, sheet: Sheet) -> None:
    """A Column is a line of Infantry, Cavalry or wagons in two or more contiguous hexes."""
    if facts.misfits:
        sheet.bar("a Column is made of Infantry, Cavalry and wagons")
    if facts.overtaken:
        sheet.bar("one of its units waits off the map, but a unit behind that one is on the map")
    if facts.gapes:
        sheet.bar("there is a Gap in the Column's line")
    if facts.fresh and facts.hexes < count("E11.5", "hexes"):
        sheet.bar("a Column takes up two hexes or more")


@clause("E11.5d", kind="action", composes="joint")
def not_by_chance(_: ColumnByChance, sheet: Sheet) -> None:
    """Units that happen to stand in line are not a Column."""
    sheet.bar("units in a line are not a Column unless set up as one")


@clause("E11.5g", kind="action", composes="joint")
def ahead_only(facts: Follow | Link, sheet: Sheet) -> None:
    """Each Column unit behind the lead enters only the hex just left by the unit ahead."""
    if isinstance(facts, Link):
        if facts.split:
            sheet.bar("units of one stack of the Column would separate")
    elif facts.column and not facts.just_left:
        sheet.bar("it can enter only the hex that the unit ahead has just left")


@clause("E11.6c", kind="effect", composes="joint")
def follow_astray(facts: Follow, sheet: Sheet) -> None:
    """If the lead strays, each unit behind it enters only the hex just left by the unit ahead."""
    if facts.astray and not facts.just_left:
        sheet.bar("the lead strays: it can enter only the hex that the unit ahead has just left")


@clause("E11.53a", kind="action")
def nobody_leaves(facts: Leaving, sheet: Sheet) -> None:
    """Column units do not leave their Column or open a Gap in it."""
    if facts.column:
        sheet.bar("units cannot leave a Column")


def _free_of_stacking(facts: InColumn, sheet: Sheet) -> None:
    sheet.charge(-sheet.total("stacking"), "Column", "stacking")


@clause("E11.5f", kind="capacity", denied=_free_of_stacking)
def normal_stacking(facts: InColumn, sheet: Sheet) -> None:
    """Stacking limits apply in each hex of a Column."""
    # A5.1 still applies


@clause("E11.51", kind="state")
def dismantled(facts: ColumnSetUp, sheet: Sheet) -> None:
    """SW in a Column are dm if they can be, except on wagons."""
    if facts.assembled:
        sheet.bar("a SW that can be dismantled (dm) is not dismantled", 0, facts.assembled)


def _no_concealment(facts: ColumnSetUp, sheet: Sheet) -> None:
    if facts.concealed:
        sheet.bar("a Column unit is concealed")


@clause("E11.54a", kind="state", denied=_no_concealment)
def concealed_set_up(facts: ColumnSetUp, sheet: Sheet) -> None:
    """Column units can be set up concealed."""
    # A12 still applies


class ColumnActs(Standing):
    """A Column unit about to act."""

    is_relevant = property(lambda self: self.line == "column")


@clause("E11.5c", kind="action", after=("E11.52a", "E11.52f"))
def closed_list(facts: ColumnActs | Handling | Declaration, sheet: Sheet) -> None:
    """A Column unit can only move, advance or disband."""
    if not isinstance(facts, Standing) and facts.to_line == "column":
        sheet.bar("the other unit is in a Column")
    if isinstance(facts, Declaration):
        return  # see Standing
    if facts.line != "column" or facts.verb in (*OPEN, *BARRED, "exit"):
        return
    if not sheet.excepted("E11.52a", "E11.52f"):
        sheet.bar("the unit is in a Column, which only moves by Impulses and disbands")


@clause("E11.52d", kind="action")
def no_special_moves(facts: ColumnActs | InColumn, sheet: Sheet) -> None:
    """A Column makes no Minimum Move, Assault Movement or Bypass."""
    if isinstance(facts, Entry):
        if facts.passing:
            sheet.bar("a Column cannot use Bypass, even in an Impulse")
    elif facts.line == "column" and facts.verb in BARRED:
        sheet.bar("a Column cannot use Minimum Move, Assault Movement or Bypass")


@clause("E11.521a", kind="action")
def no_obstacles(facts: InColumn, sheet: Sheet) -> None:
    """A Column unit enters woods or a building only by path or road."""
    if facts.way:
        return
    rows = (facts.ground.there, facts.ground.within)  # woods in a gully count as woods
    if any(row_named(name).obstacle for name in rows if name):
        sheet.bar("a Column enters woods and buildings only by path or road")


class ColumnMF(Allowance):
    """The allowance of a Column unit."""

    is_relevant = property(lambda self: self.column)


@clause("E11.52e", kind="cost", composes="joint")
def leader_for_all(facts: ColumnMF, sheet: Sheet) -> None:
    """One leader's MF bonus can serve the whole Column."""
    led = facts.column_led == "own" or (
        facts.column_led == "other" and sheet.reading("E11.52e") == "any"
    )
    if led and facts.on_foot and not (facts.led or facts.smc):
        sheet.charge(halves("A4.12", "bonus"), "a leader's bonus, in Column")


@clause("E11.52f", kind="action")
def double_time(facts: ColumnActs, sheet: Sheet) -> None:
    """A Column can use Double Time and Gallop."""
    if facts.line == "column" and facts.verb in ("double-time", "gallop"):
        sheet.exception("a Column can use Double Time and Gallop")


@clause("E11.52a", kind="cost")
def advance_by_impulse(facts: ColumnActs, sheet: Sheet) -> None:
    """A Column advances in the APh by one Impulse."""
    if facts.line != "column" or facts.verb != "advance" or not facts.by_impulse:
        return
    if facts.form == "foot":
        sheet.exception("a Column advances by an Impulse")
    elif sheet.reading("E11.52a") == "wagons-too":
        sheet.exception("a wagon advances with its Column")
        sheet.unsupported("a wagon's cost of advancing with its Column")


def _without_road_bonus(facts: Allowance, sheet: Sheet) -> None:
    if facts.column:
        sheet.charge(-sheet.total("road"), "Column")


@clause("E11.52c", kind="cost", denied=_without_road_bonus)
def road_bonus(facts: ColumnMF, sheet: Sheet) -> None:
    """A Column gets the road bonus as other units do."""
    # B3.4 still applies


@clause("E11.521b", kind="state")
def no_shellholes(facts: InColumn, sheet: Sheet) -> None:
    """A Column unit takes no cover in shellholes."""
    if facts.half and not facts.mover.is_vehicle:
        sheet.bar("a Column unit cannot take cover in shellholes")


@clause("E11.521c", kind="action")
def not_beneath(facts: InColumn, sheet: Sheet) -> None:
    """A Column unit spends no MF to go beneath a Fortification."""
    if facts.beneath:
        sheet.bar("a Column unit cannot go beneath a Fortification counter")
