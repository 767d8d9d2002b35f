"""Reads off a position the facts of prisoners and their Guards (A20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.facts import Facts
from marchtable_models.asl.data import count
from marchtable_models.asl.extraction.buildings import secured
from marchtable_models.asl.extraction.cargo import captives
from marchtable_models.asl.extraction.lines import kind_of
from marchtable_models.asl.extraction.movers import crowd_of, sizes_of
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.levels import level_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "BY", "FREE", "TAKES", "Custody", "Keeping", "Unguarded", "custody", "handed", "load_of", "unguarded", "us_of",
]  # fmt: skip

TAKES = ("capture", "surrender")
BY, FREE = "by:", "free"
"""How it comes out who guards a prisoner whose Guard is gone: a unit by its name, or nobody."""


class Custody(Facts, frozen=True, gc=False):
    """What a unit that is guarded, or guards others, is about to do."""

    verb: str
    guarded: bool  # a prisoner
    guards: bool  # it guards some
    horse: bool = False  # Cavalry, or on skis or bicycles
    weak: bool = False  # its US# is lower than that of all it guards
    riding: bool = False  # it boards a vehicle as a Rider


class Keeping(Facts, frozen=True, gc=False):
    """A unit about to be captured, or a prisoner to be handed on or let go (``verb``)."""

    verb: str
    phase: str
    own_turn: bool  # a Player Turn of the Guard's side
    able: bool = True  # who is to guard it is armed Personnel
    berserk: bool = False  # one of the two is
    enemies: bool = True  # they are of different sides, and the other is real Personnel
    guarded: bool = False  # already; to be handed on or let go, by who does that
    near: str = "here"  # ``here``, ``beside`` or ``far``
    broken: bool = False
    unarmed: bool = False
    melee: bool = False  # it, or the Guard, is held in Melee
    aboard: bool = False  # one of the two is aboard a vehicle
    line: bool = False  # it belongs to a line
    us: int = 0  # the US# of who is to guard it
    load: int = 0  # and of all whom he would guard then
    to: str = ""  # who is to guard it
    spot: str = ""  # the Location where that one is
    begun: bool = False  # some unit of the Guard's side has advanced already
    secured: bool = False  # both are in a building that the Guard's side has mopped up in this PFPh
    yields: bool = False  # it is disrupted, and who would guard it in Good Order and not in Melee


class Unguarded(Facts, frozen=True, gc=False):
    """A prisoner whose Guard is gone, or lets it go."""

    takers: tuple[tuple[str, int, int], ...] = ()  # who might guard it: US#, and that of all then
    to: str = ""  # who does; ``""`` for nobody
    us: int = 0  # the US# of that one
    load: int = 0  # and of all whom he would guard then
    place: tuple[str, int, int | None, int | None] = ("", 0, None, None)  # where its Guard was


def us_of(position: AslPosition, units: Iterable[AslUnit]) -> int:
    """Return the US# of Personnel in all; of Cavalry that of who rides."""
    crowd = crowd_of([size for u in units for size in sizes_of(position, u, type_of(position, u))])
    halves = count("A20.51", "half_squad") * (crowd.half_squads + crowd.crews)
    return count("A20.51", "squad") * crowd.squads + halves + count("A20.51", "smc") * crowd.smc


def load_of(position: AslPosition, guard: AslUnit, prisoner: AslUnit | None = None) -> int:
    """Return the US# of all whom a unit guards, another one with them."""
    held = list(captives(position).get(guard.id, ()))
    if prisoner is not None and prisoner.cargo.guard != guard.id:
        held.append(prisoner)
    return us_of(position, held)


def custody(
    position: AslPosition, unit: AslUnit, verb: str, *, riding: bool = False
) -> Custody | None:
    """Return the facts of what a prisoner, or a Guard, is about to do; None of any other unit."""
    held = captives(position)
    guarded, guards = unit.cargo.guard is not None, unit.id in held
    if not (guarded or guards):
        return None
    return Custody(
        verb=verb,
        guarded=guarded,
        guards=guards,
        horse=type_of(position, unit).class_ == "cavalry" or unit.status.gear != "",
        weak=us_of(position, [unit]) < load_of(position, unit),
        riding=riding,
    )


def _is_able(position: AslPosition, guard: AslUnit) -> bool:
    """Return whether a unit is armed Personnel, which may guard others."""
    real = type_of(position, guard).is_personnel and not guard.concealment.dummy
    return real and not guard.status.unarmed and guard.cargo.guard is None


def _is_in_good_order(unit: AslUnit) -> bool:
    """Return whether it is neither broken, disrupted, berserk nor held in Melee."""
    state = unit.status
    return not (state.broken or state.disrupted or state.berserk or state.melee == "held")


def handed(
    position: AslPosition, verb: str, prisoner: AslUnit, of: AslUnit, to: AslUnit
) -> Keeping:
    """Return the facts of a unit that is captured, handed on by its Guard, or let go by him."""
    near = "far"
    if prisoner.at is not None and to.at is not None:
        level = level_of(position, prisoner) == level_of(position, to)
        if prisoner.at == to.at and (level or prisoner.cargo.guard is not None):
            near = "here"
        elif position.board.hexside(prisoner.at, to.at) is not None:
            near = "beside"
    state, kind = prisoner.status, type_of(position, prisoner)
    return Keeping(
        verb=verb,
        phase=position.phase,
        own_turn=of.side == position.side,
        able=_is_able(position, to),
        berserk=to.status.berserk or state.berserk,
        enemies=prisoner.side != to.side
        and of.side == to.side
        and kind.is_personnel
        and not prisoner.concealment.dummy,
        guarded=prisoner.cargo.guard is not None
        if verb in TAKES
        else prisoner.cargo.guard == of.id and (verb == "release" or to.id != of.id),
        near=near,
        broken=state.broken,
        unarmed=state.unarmed,
        melee="held" in (of.status.melee, state.melee) and verb not in TAKES,
        aboard=any(u.cargo.aboard is not None for u in (prisoner, of, to)),
        line=kind_of(prisoner) != "" or kind_of(to) != "",
        us=0 if verb == "release" else us_of(position, [to]),
        load=load_of(position, to, prisoner),
        to="" if verb == "release" else to.id,
        spot=str(to.at),
        secured=verb == "capture" and secured(position, prisoner, to),
        yields=state.disrupted and _is_in_good_order(to) and state.melee != "held",
        begun=position.phase == "APh"
        and any(u.points.final == "advance" and u.side == position.side for u in position.units),
    )


def unguarded(
    position: AslPosition, prisoner: AslUnit, guard: AslUnit, outcome: str = ""
) -> Unguarded:
    """Return the facts of a prisoner whose Guard is gone, or lets it go, and perhaps how it came out who guards it then."""
    to = outcome.removeprefix(BY) if outcome.startswith(BY) else ""
    taker = position.unit(to) if to else None
    takers = [
        (unit.id, us_of(position, [unit]), load_of(position, unit, prisoner))
        for unit in position.occupants.get(guard.at or prisoner.at or "", ())
        if unit.side == guard.side
        and unit.id != guard.id
        and not unit.status.berserk
        and level_of(position, unit) == level_of(position, guard)
        and _is_able(position, unit)
    ]
    place = guard.place
    return Unguarded(
        takers=() if outcome else tuple(takers),
        to=to,
        us=us_of(position, [taker]) if taker else 0,
        load=load_of(position, taker, prisoner) if taker else 0,
        place=(place.inside, place.floor, place.crest, place.bypass),
    )
