"""Human Waves (A25.232 to A25.234): what their units must do, and their end."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import read
from marchtable.state.action import Action
from marchtable_models.asl import grains
from marchtable_models.asl.counterkinds import AT_DITCH, WIRE
from marchtable_models.asl.data import halves
from marchtable_models.asl.levels import level_entered, level_of
from marchtable_models.asl.model import AslPosition, AslUnit, Enter
from marchtable_models.asl.occasions import at_impulse, at_mph_over, at_mph_start
from marchtable_models.asl.rules.declaring_waves import hex_on_grain
from marchtable_models.asl.rules.impulse_moves import Impulse, Piece
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.entry import Entry, There
from marchtable_models.asl.views.flight import Stated
from marchtable_models.asl.views.ground_facts import ENTRENCHED
from marchtable_models.asl.views.lines import kind_of
from marchtable_models.asl.views.movers import party
from marchtable_models.asl.views.reading import entry, has_arrived, there
from marchtable_models.asl.views.spending_facts import Allowance
from marchtable_models.asl.views.standing import Standing
from marchtable_models.asl.views.steps import hexes
from marchtable_models.asl.views.unitkinds import type_of

OPEN = ("impulse", "end")


class Surging(Facts, frozen=True, gc=False):
    """A unit of a Human Wave in an Impulse."""

    act: Literal["goes", "stays", "acts"]  # it enters a Location, stays, or does something else
    arrived: bool = False  # as the Impulse began, a Known enemy is with it, so it leaves the wave
    way: Literal["", "forward", "side"] = ""  # direction of the Location entered
    prey: bool = False  # there is an enemy unit
    can: Stated = "no"  # if it stays: whether there is a Location it must enter
    again: bool = False  # it left that Location, or an adjacent one, in an earlier Impulse
    strays: bool = False  # it moves away from the course
    nears: bool = False  # it moves towards the course
    strayed: bool = False  # it has moved away before
    owed: tuple[str, ...] = ()  # forward Locations it can enter with Known enemies unreached
    unsure: bool = False  # there might be such Locations
    left: tuple[str, ...] = ()  # the Location it leaves, and those left before
    wounded: bool = False  # a SMC
    shelters: bool = False  # it stays where there is a Fortification, or is in one


class WaveEnd(Facts, frozen=True, gc=False):
    """A unit of a Human Wave whose MPh ends, or that another would move before."""

    can: Stated  # whether there is a Location it must enter
    waits: bool = False  # the wave has not begun to move, but another unit would


@at_impulse
def surging_facts(
    position: AslPosition,
    line: Sequence[AslUnit],
    pieces: Sequence[Piece],
    edition: Edition,
    impulse: Impulse,
) -> Iterator[Case]:
    """
    Yield the facts of a wave's units in an Impulse, including those without a named move.

    A unit without a move can still enter a Location that another had to.
    """
    if not line or kind_of(line[0]) != "wave":
        return
    taken = {piece.after.at for piece in pieces if isinstance(piece.act, Enter)}
    waiting = tuple(unit.id for unit in line[len(impulse.moves) :])
    for was, piece in zip(line, pieces, strict=True):
        facts = surging(position, was, piece.act, taken, edition)
        others = [name for name in waiting if name != was.id]
        yield Case((was.id, *others), facts, hexes(was.at, piece.after.at))


@at_mph_over
def ending_facts(position: AslPosition, units: Sequence[AslUnit], edition: Edition) -> list[Case]:
    """Return the facts of units of a wave whose MPh ends."""
    return [about(one, wave_end(position, one, edition)) for one in units if one.line.wave]


@at_mph_start
def waiting_facts(position: AslPosition, unit: AslUnit, edition: Edition) -> list[Case]:
    """Return the facts of a wave's units that must move before another unit."""
    return [
        about(one, wave_end(position, one, edition, waits=True))
        for one in position.units
        if one.line.wave
        and not (unit.line.wave or unit.status.berserk)
        and (one.side, one.move.mph) == (unit.side, "unmoved")
    ]


def _awaits(position: AslPosition, unit: AslUnit, to: str) -> There:
    """Return the facts of an adjacent Location, at the level where the unit enters it."""
    return there(position, unit.side, to, level=level_entered(level_of(position, unit)))


def surging(
    position: AslPosition,
    unit: AslUnit,
    act: Action | None,
    taken: Collection[str | None],
    edition: Edition,
) -> Surging:
    """
    Return the facts of a wave unit in an Impulse in which it acts or stays.

    `taken` are the Locations that friendly units enter in it.
    """
    if has_arrived(position, unit):
        return Surging("stays" if act is None else "acts", arrived=True)
    wounded = unit.status.wounded
    if act is None:
        shelters = bool(unit.place.inside) or _is_fortified(position, str(unit.at))
        return Surging(
            "stays", can=_can(position, unit, edition), wounded=wounded, shelters=shelters
        )
    if not isinstance(act, Enter) or act.beneath:
        return Surging("acts", wounded=wounded)
    to = position.board.resolve(act.to)
    found = _awaits(position, unit, to)
    owed = {} if found.known or found.harmless else _prey(position, unit, taken, edition)
    return msgspec.structs.replace(
        _going(position, unit, to),
        owed=tuple(name for name, can in owed.items() if can == "yes"),
        unsure="unstated" in owed.values(),
    )


def _going(position: AslPosition, unit: AslUnit, to: str) -> Surging:
    """Return the facts of a wave unit that enters a Location, apart from other duties."""
    at, found = str(unit.at), _awaits(position, unit, to)
    before, now = _range(position, unit, at), _range(position, unit, to)
    return Surging(
        "goes",
        way=_way(position, unit, to),
        prey=found.known or found.harmless or found.concealed,
        again=_is_trodden(position, unit, to),
        strays=now > before,
        nears=now < before,
        strayed=unit.line.strayed,
        left=(*unit.line.trodden, at),
        wounded=unit.status.wounded,
    )


def _is_fortified(position: AslPosition, at: str) -> bool:
    kinds = position.markers.get(at, ())
    return WIRE in kinds or any(kind.startswith((*ENTRENCHED, AT_DITCH)) for kind in kinds)


def wave_end(
    position: AslPosition, unit: AslUnit, edition: Edition, *, waits: bool = False
) -> WaveEnd:
    """Return the facts of a wave unit whose MPh ends, or that others would move before."""
    can: Stated = "no" if has_arrived(position, unit) else _can(position, unit, edition)
    return WaveEnd(can, waits)


def _range(position: AslPosition, unit: AslUnit, at: str) -> int:
    """Return a Location's distance from the course."""
    fixed = hex_on_grain(position, str(unit.line.upon))
    return grains.distance(hex_on_grain(position, at), grains.row(fixed, unit.line.course))


def _way(position: AslPosition, unit: AslUnit, to: str) -> Literal["", "forward", "side"]:
    if position.board.hexside(str(unit.at), to) is None:
        return ""
    direction = position.board.direction(str(unit.at), to)
    if direction in grains.ahead(unit.line.course):
        return "forward"
    return "side" if direction in grains.aside(unit.line.course) else ""


def _is_trodden(position: AslPosition, unit: AslUnit, to: str) -> bool:
    """Return whether a unit left a Location, or an adjacent one, in an earlier Impulse."""
    near = {to, *(name for _, name in position.board.neighbours(to))}
    return not near.isdisjoint(unit.line.trodden)


def _can(position: AslPosition, unit: AslUnit, edition: Edition) -> Stated:
    """Return whether there is a Location that a unit must enter in an Impulse, unless held."""
    if unit.at is None or unit.status.pinned or unit.status.broken:
        return "no"
    if unit.place.inside:
        return "unstated"
    found = set(_ways(position, unit, edition).values())
    return "yes" if "yes" in found else "unstated" if "unstated" in found else "no"


def _prey(
    position: AslPosition, unit: AslUnit, taken: Collection[str | None], edition: Edition
) -> dict[str, Stated]:
    """Return the forward Locations with unreached Known enemies, and whether it can enter."""
    return {
        to: can
        for to, can in _ways(position, unit, edition).items()
        if can != "no"
        and to not in taken
        and _way(position, unit, to) == "forward"
        and _awaits(position, unit, to).known
        and not _is_held(position, unit, to)
    }


def _is_held(position: AslPosition, unit: AslUnit, at: str) -> bool:
    """Return whether a friendly armed unit is in the Location it would enter there."""
    level = level_entered(level_of(position, unit))
    return any(
        other.side == unit.side
        and level_of(position, other) == level
        and not other.status.unarmed
        and type_of(position, other).class_ != "wreck"
        for other in position.occupants.get(at, ())
    )


def _ways(position: AslPosition, unit: AslUnit, edition: Edition) -> Mapping[str, Stated]:
    """Return the Locations open to a unit in an Impulse now, and whether it can enter."""
    known: dict[tuple[str, Edition], dict[str, Stated]] = position.notes.setdefault("wave-ways", {})
    key = (unit.id, edition)
    if key not in known:
        known[key] = {
            to: _enters(position, unit, to, edition)
            for _, to in position.board.neighbours(str(unit.at))
            if not edition.judge(_going(position, unit, to)).bars
        }
    return known[key]


def _enters(position: AslPosition, unit: AslUnit, to: str, edition: Edition) -> Stated:
    """Return whether a unit can enter a Location alone, with its remaining MF."""
    stack = party(position, (unit,))
    step = entry(position, unit, to, stack, Enter(stack.ids, to))
    found = edition.judge(step.replace(asks=()))
    due = edition.judge(spending.payment(position, unit, step, found, edition))
    if found.bars or due.bars:
        return "no"
    return "unstated" if found.unsupported else "yes"


class WaveMF(Allowance):
    """The allowance of a Human Wave unit."""

    wave: bool = read(lambda payer: payer.unit.line.wave != "")

    is_relevant = property(lambda self: self.wave)


@clause("A25.232a", kind="cost", composes="start")
def wave_mf(facts: WaveMF, sheet: Sheet) -> None:
    """Wave units have 8 MF, wounded ones 3, without additions."""
    if facts.wave and facts.on_foot and not (facts.smc and facts.wounded):
        sheet.charge(halves("A25.232", "mf") - sheet.total(), "Human Wave")


class WaveActs(Standing):
    """A unit of a Human Wave about to act."""

    is_relevant = property(lambda self: self.line == "wave")


@clause("A25.232b", kind="action")
def by_impulses(facts: WaveActs, sheet: Sheet) -> None:
    """Wave units only move by Impulses."""
    if facts.line == "wave" and not facts.by_impulse and facts.verb not in OPEN:
        sheet.bar("the unit is in a Human Wave, which moves by Impulses")


@clause("A25.232d", kind="action", composes="joint")
def moves_on(facts: Surging, sheet: Sheet) -> None:
    """In each Impulse each unit that can go on enters a forward Location, or one to the side with an enemy unit."""
    if facts.arrived:
        return
    if facts.act == "stays":
        if facts.can == "yes":
            sheet.bar("the unit can go on with the wave")
        elif facts.can == "unstated":
            sheet.unsupported("whether the unit can go on with the wave")
    elif (
        facts.act == "goes" and facts.way != "forward" and not (facts.way == "side" and facts.prey)
    ):
        sheet.bar("that is neither a forward Location nor one to the side with an enemy unit")


@not_modelled("A25.232e", lifts=("A25.232d",))
def other_doings(facts: Surging) -> bool:
    """Moves of a Human Wave within a hex: floors, Wire, Fortifications, Bypass, the Crest."""
    return not facts.arrived and (facts.act == "acts" or (facts.act == "stays" and facts.shelters))


@not_modelled("A25.232f", lifts=("D14.31b",))
def wounded_smc(facts: Surging) -> bool:
    """A wounded SMC in a Human Wave, whose lower MF hold no other unit up."""
    return facts.wounded


@clause("A25.2321", kind="action", composes="joint")
def keeps_course(facts: Surging, sheet: Sheet) -> None:
    """A unit that moved away from the course must come closer before moving away again."""
    if facts.strays and facts.strayed:
        sheet.bar("the unit has already moved away from the course")
    if facts.strays or (facts.nears and facts.strayed):
        sheet.force("strayed", value=facts.strays)


@clause("A25.2322", kind="action", composes="joint")
def no_return(facts: Surging, sheet: Sheet) -> None:
    """A unit cannot enter a Location it left in an earlier Impulse, or one adjacent to it."""
    if facts.again:
        sheet.bar("the unit has already left that Location or one next to it")
    if facts.left:
        sheet.force("trodden", facts.left)


@clause("A25.233a", kind="action", composes="joint")
def prey_first(facts: Surging, sheet: Sheet) -> None:
    """A unit that can enter a forward Location with a Known enemy enters it, or another one like it, unless the wave is already there."""
    if facts.owed:
        sheet.bar("nobody enters " + ", ".join(facts.owed) + ", where a Known enemy is")
    elif facts.unsure:
        sheet.unsupported("whether the unit can enter a Location where a Known enemy is")


class InWave(Entry):
    """An entry in a Human Wave."""

    is_relevant = property(lambda self: self.manner.wave)


@not_modelled("A25.233b")
def hidden_enemies(facts: InWave) -> bool:
    """A Human Wave that runs into concealed enemies."""
    return facts.manner.wave and facts.detour is not None


@clause("A25.234a", kind="effect")
def drops_out(facts: Surging, sheet: Sheet) -> None:
    """A unit that begins an Impulse with a Known enemy leaves the wave, and its MPh is over."""
    if not facts.arrived:
        return
    if facts.act != "stays":
        sheet.bar("the unit is among enemies, and stays there")
    sheet.force("wave", "")
    sheet.force("mph", "done")


@clause("A25.234b", kind="action", composes="joint")
def goes_on(facts: WaveEnd, sheet: Sheet) -> None:
    """A Human Wave goes on until none of its units can, before any other friendly unit moves."""
    if facts.can == "yes":
        sheet.bar("a unit can go on with the Human Wave")
    elif facts.can == "unstated":
        sheet.unsupported("whether a unit can go on with the Human Wave")


@clause("A25.234c", kind="effect")
def over(facts: WaveEnd, sheet: Sheet) -> None:
    """As the wave's MPh ends, its units are no longer in it."""
    if not facts.waits:
        sheet.force("wave", "")
