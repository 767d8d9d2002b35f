"""Prisoners, their Guards, and unarmed units (A20)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled, settles
from marchtable.state.action import Action, Event, Fellow, verb_of
from marchtable.state.position import Obligation, Odds, UnitId
from marchtable_models.asl.data import count
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.model import AslPosition, AslUnit, actors
from marchtable_models.asl.occasions import at_check, at_loss, at_member
from marchtable_models.asl.rules.happenings import Capture
from marchtable_models.asl.rules.impulse_moves import Impulse
from marchtable_models.asl.rules.loading import Load
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import buildings
from marchtable_models.asl.views.cargo import captives
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.lines import kind_of
from marchtable_models.asl.views.movers import crowd_of, sizes_of
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.steps import hexes
from marchtable_models.asl.views.unitkinds import type_of

WITH_PRISONERS = frozenset((
    "enter", "minimum", "bypass", "along", "into", "advance", "stairs", "shift", "crest", "descend",
    "get-beneath", "rout", "exit", "dash", "dare", "search", "smoke", "place", "load", "unload", "end",
    "set-out", "assault", "double-time", "lend", "wall-advantage", "drop", "recover", "transfer",
    "hand-over", "release", "mop-up", "wave",
))  # fmt: skip
"""A Guard's acts together with its prisoners, or ones other clauses forbid."""
Prisoner = Annotated[str, msgspec.Meta(extra={"domain": "prisoner"})]
"""The name of the unit's prisoner."""


class HandOver(Action, frozen=True, tag="hand-over"):
    """A Guard hands a prisoner over to another unit in its Location."""

    traits: ClassVar[Traits] = ("says", "beneath", "upstairs", "crest")

    unit: UnitId
    to: Fellow
    prisoner: Prisoner


class Release(Action, frozen=True, tag="release"):
    """A Guard abandons a prisoner, which becomes a free unarmed unit of its own side."""

    traits: ClassVar[Traits] = ("says", "beneath", "upstairs", "crest")

    unit: UnitId
    prisoner: Prisoner


TAKES = ("capture", "surrender")
BY, FREE = "by:", "free"
"""The outcomes for a prisoner without a Guard: a unit's name, or nobody."""


class Custody(Facts, frozen=True, gc=False):
    """A prisoner or Guard about to act."""

    verb: str
    guarded: bool  # it is a prisoner
    guards: bool  # it guards prisoners
    horse: bool = False  # Cavalry, or on skis or bicycles
    weak: bool = False  # its US# is lower than that of its prisoners
    riding: bool = False  # it boards a vehicle as a Rider


class Keeping(Facts, frozen=True, gc=False):
    """A unit about to be captured, or a prisoner about to be handed over or released (``verb``)."""

    verb: str
    phase: str
    own_turn: bool  # a Player Turn of the Guard's side
    able: bool = True  # the future Guard is armed Personnel
    berserk: bool = False  # one of them is berserk
    enemies: bool = True  # they are enemies, and the other is real Personnel
    guarded: bool = False  # it is a prisoner already, of the unit that hands it over or releases it
    near: str = "here"  # ``here``, ``beside`` or ``far``
    broken: bool = False
    unarmed: bool = False
    melee: bool = False  # it or the Guard is held in Melee
    aboard: bool = False  # one of them is aboard a vehicle
    line: bool = False  # it belongs to a line
    us: int = 0  # US# of the future Guard
    load: int = 0  # total US# of all its prisoners then
    to: str = ""  # the future Guard
    spot: str = ""  # the Location of the future Guard
    begun: bool = False  # a unit of the Guard's side has already advanced
    secured: bool = False  # both are in a building that the Guard's side has mopped up in this PFPh
    yields: bool = False  # it is disrupted; the future Guard is in Good Order and not in Melee


class Unguarded(Facts, frozen=True, gc=False):
    """A prisoner whose Guard is gone or releases it."""

    takers: tuple[tuple[str, int, int], ...] = ()  # possible Guards: US#, their prisoners' total
    to: str = ""  # the new Guard; ``""`` for none
    us: int = 0  # US# of the new Guard
    load: int = 0  # total US# of all its prisoners then
    place: tuple[str, int, int | None, int | None] = ("", 0, None, None)  # where its Guard was


@cases(Action)
def captives_facts(position: AslPosition, action: Action) -> Iterator[Case]:
    """Yield the facts of prisoners and Guards that act, for each by itself."""
    if isinstance(action, (Event, Impulse)) or not captives(position):
        return
    riding = isinstance(action, Load) and action.riding
    for name in actors(action):
        facts = custody(position, position.unit(name), verb_of(action), riding=riding)
        if facts is not None:
            yield Case((name,), facts)


def custody(
    position: AslPosition, unit: AslUnit, verb: str, *, riding: bool = False
) -> Custody | None:
    """Return the facts of a prisoner's or Guard's act; None for any other unit."""
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


@at_member
def member_facts(position: AslPosition, unit: AslUnit) -> Custody | None:
    """Return the facts of a line member that is a prisoner or Guard and moves in an Impulse."""
    return custody(position, unit, "impulse")


@cases(HandOver, Release)
def custody_facts(position: AslPosition, action: HandOver | Release) -> Iterator[Case]:
    """Yield the facts of a prisoner handed over or released; off the map, its Guard's (A2.51)."""
    guard, prisoner = position.unit(action.unit), position.unit(action.prisoner)
    to = position.unit(action.to) if isinstance(action, HandOver) else guard
    who, where, verb = (prisoner.id, guard.id), hexes(guard.at), verb_of(action)
    if guard.at is None:
        yield about(guard, standing_of(position, guard, verb))
        return
    yield Case(who, handed(position, verb, prisoner, guard, to), where)
    if isinstance(action, Release):
        yield Case(who, unguarded(position, prisoner, guard, FREE), where)


@cases(Capture)
def capture_facts(position: AslPosition, action: Capture) -> list[Case]:
    """Return the facts of a captured unit, and of its own prisoners."""
    unit, to = position.unit(action.unit), position.unit(action.by)
    facts = handed(position, "capture", unit, to, to)
    return [about((unit, to), facts), *gone_facts(position, unit)]


@at_loss
def gone_facts(position: AslPosition, guard: AslUnit) -> list[Case]:
    """Return the facts of prisoners whose Guard is eliminated or captured."""
    held = captives(position).get(guard.id, ())
    return [about(each, unguarded(position, each, guard)) for each in held]


@settles("guard")
def guard_facts(position: AslPosition, obligation: Obligation, outcome: str) -> Unguarded:
    """Return the facts of a prisoner once its new Guard is settled."""
    unit = position.unit(obligation.unit)
    return unguarded(position, unit, position.unit(str(unit.cargo.guard)), outcome)


def _is_able(position: AslPosition, guard: AslUnit) -> bool:
    """Return whether a unit is armed Personnel, which can guard others."""
    real = type_of(position, guard).is_personnel and not guard.concealment.dummy
    return real and not guard.status.unarmed and guard.cargo.guard is None


def handed(
    position: AslPosition, verb: str, prisoner: AslUnit, of: AslUnit, to: AslUnit
) -> Keeping:
    """Return the facts of a unit that is captured, handed over or released."""
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
        secured=verb == "capture" and buildings.secured(position, prisoner, to),
        yields=state.disrupted and to.status.good_order and state.melee != "held",
        begun=position.phase == "APh"
        and any(u.points.final == "advance" and u.side == position.side for u in position.units),
    )


def unguarded(
    position: AslPosition, prisoner: AslUnit, guard: AslUnit, outcome: str = ""
) -> Unguarded:
    """Return the facts of a prisoner whose Guard is gone or releases it, with any outcome."""
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


def us_of(position: AslPosition, units: Iterable[AslUnit]) -> int:
    """Return the total US# of Personnel; for Cavalry that of its riders."""
    crowd = crowd_of([size for u in units for size in sizes_of(position, u, type_of(position, u))])
    halves = count("A20.51", "half_squad") * (crowd.half_squads + crowd.crews)
    return count("A20.51", "squad") * crowd.squads + halves + count("A20.51", "smc") * crowd.smc


def load_of(position: AslPosition, guard: AslUnit, prisoner: AslUnit | None = None) -> int:
    """Return the total US# of a unit's prisoners, with one more."""
    held = list(captives(position).get(guard.id, ()))
    if prisoner is not None and prisoner.cargo.guard != guard.id:
        held.append(prisoner)
    return us_of(position, held)


@at_check
def check_guard(position: AslPosition, unit: AslUnit, field: str) -> None:
    """Raise BadInputError for a prisoner with an unable or distant Guard, or too many (A20.5)."""
    due = any(one.id == f"guard:{unit.id}" for one in position.pending)
    if unit.cargo.guard is None or due:
        return
    name = str(unit.cargo.guard)
    guard = position.unit(name) if name in position.index else None
    fits = guard is not None and guard.side != unit.side and type_of(position, guard).is_personnel
    if guard is None or not fits or guard.status.unarmed:
        raise BadInputError(
            f"{unit.id}: expected an armed Personnel unit of another side, got {name!r}",
            field=f"{field}.guard",
        )
    if not unit.status.unarmed or unit.sw:
        raise BadInputError(
            f"{unit.id}: a prisoner is unarmed and has no SW; write `unarmed = true`, and leave sw out",
            field=f"{field}.guard",
        )
    if (guard.at, guard.cargo.aboard, guard.cargo.riding) != (
        unit.at,
        unit.cargo.aboard,
        unit.cargo.riding,
    ):
        raise BadInputError(
            f"{unit.id}: a prisoner is with its Guard {name}; write the same at (Location), aboard and riding",
            field=f"{field}.guard",
        )
    most = _most(us_of(position, [guard]))
    if (load := load_of(position, guard)) > most:
        raise BadInputError(
            f"{name} guards prisoners of US# {load}; at most {most} (A20.51a)",
            field=f"{field}.guard",
        )


@clause("A20.53a", kind="action")
def moves_with_guard(facts: Custody, sheet: Sheet) -> None:
    """A prisoner does nothing by itself: it moves with its Guard."""
    if facts.guarded:
        sheet.bar("it is guarded, and goes where its Guard goes")


@not_modelled("A20.53b")
def at_foot_rate(facts: Custody) -> bool:
    """The cost for Cavalry, Skiers and cyclists that guard prisoners and go at the foot rate."""
    return facts.guards and facts.horse


@not_modelled("A20.5e")
def other_doings(facts: Custody) -> bool:
    """The outcome of prisoners as their Guard pushes, mans, mounts or moves in a Column."""
    return facts.guards and facts.verb not in WITH_PRISONERS


@not_modelled("A20.51b")
def taken_aboard(facts: Custody) -> bool:
    """Prisoners whose Guard is a Rider, and who might have to bail out."""
    return facts.guards and facts.verb == "load" and facts.riding


@clause("A20.52", kind="action")
def no_sw(facts: Custody, sheet: Sheet) -> None:
    """A Guard with a lower US# than its prisoners cannot use SW."""
    if facts.weak and facts.verb == "place":
        sheet.bar("it guards more than its own US#, so it cannot use SW")


@clause("A20.5a", kind="action")
def who_guards(facts: Keeping, sheet: Sheet) -> None:
    """Armed Personnel that is not berserk can guard enemy Personnel, even if broken."""
    if facts.verb == "surrender":  # A20.21a covers this
        return
    if facts.to and not facts.able:
        sheet.bar("only armed Personnel can guard prisoners")
    if facts.to and facts.berserk:
        sheet.bar("berserk units neither take prisoners nor are captured (A20.2)")


def _most(us: int) -> int:
    return count("A20.51", "times") * us


def can_guard(us: int, load: int) -> bool:
    """Return whether a unit with that US# can guard prisoners with that total."""
    return load <= _most(us)


def _able(facts: Unguarded) -> list[str]:
    return [name for name, us, load in facts.takers if can_guard(us, load)]


@clause("A20.51a", kind="capacity")
def whom(facts: Keeping | Unguarded, sheet: Sheet) -> None:
    """A unit guards prisoners up to five times its own US#."""
    if facts.us and not can_guard(facts.us, facts.load):  # see A20.5a for others than Personnel
        sheet.bar(
            "the Guard would have too many prisoners", _most(facts.us), facts.load, points="US#"
        )


@clause("A20.2", kind="action")
def when_captured(facts: Keeping, sheet: Sheet) -> None:
    """Units are captured in the CCPh by units with them; unarmed ones in the captor's MPh, disrupted ones in any phase, broken ones by Mopping Up; A20.21 covers the RtPh."""
    if facts.verb == "surrender" and facts.line:
        sheet.unsupported("a unit in a line that surrenders, or takes prisoners")
    if facts.verb != "capture":
        return
    if not facts.enemies or facts.guarded:
        sheet.bar("only unguarded enemy Personnel can be captured")
    if facts.aboard or facts.line:
        sheet.unsupported("capture of a unit aboard a vehicle or in a line")
    if facts.phase == "PFPh" and not (facts.yields and facts.near == "here"):
        if not facts.secured or not facts.broken:
            sheet.bar("in the PFPh broken units of a building just mopped up surrender (A12.153)")
    elif facts.near != "here":
        sheet.bar("the captor is not in its Location")
    elif facts.yields:
        sheet.exception("a disrupted unit surrenders in any phase (A19.12)")
    elif facts.phase != "CCPh" and not (facts.phase == "MPh" and facts.own_turn and facts.unarmed):
        sheet.bar("units are captured in the CCPh, unarmed ones in the MPh of their captor")


@clause("A20.5b", kind="effect")
def captured(facts: Keeping, sheet: Sheet) -> None:
    """A captured unit is unarmed, and is with its Guard."""
    if facts.verb in TAKES:
        sheet.force("unarmed", value=True)
        sheet.force("at", facts.spot)
    if facts.to:
        sheet.force("guard", facts.to)


@clause("A20.5c", kind="action")
def when_handed(facts: Keeping, sheet: Sheet) -> None:
    """A Guard hands over or abandons prisoners in a friendly RPh or APh, not in Melee."""
    if facts.verb in TAKES:
        return
    if not facts.guarded:
        sheet.bar("it does not guard that unit, or would hand it to itself")
    elif not facts.enemies or facts.near != "here":
        sheet.bar("prisoners go only to a friendly unit in the same Location")
    if facts.melee:
        sheet.bar("they are in Melee")
    if facts.aboard:
        sheet.unsupported("prisoners handed on, or let go, aboard a vehicle")
    if not facts.own_turn or facts.phase not in ("RPh", "APh"):
        sheet.bar(
            "prisoners are handed on and let go in the Guard's RPh or APh", "APh", facts.phase
        )
    elif facts.verb == "hand-over" and facts.begun and sheet.reading("A20.5c") == "start":
        sheet.bar("like SW, prisoners are handed on as the APh begins, before any unit advances")


@clause("A20.5d", kind="effect")
def taken_over(facts: Unguarded, sheet: Sheet) -> None:
    """A prisoner without a Guard is guarded by another unit there, if its player wants, or free."""
    if (able := _able(facts)) and not facts.to:
        outcomes = (*(BY + name for name in able), FREE)
        sheet.roll("guard", tuple(Odds(each, 1, 1) for each in outcomes), "who guards it now")
    elif facts.to:
        sheet.force("guard", facts.to)


@clause("A20.5f", kind="effect")
def goes_free(facts: Unguarded, sheet: Sheet) -> None:
    """An unguarded unarmed unit belongs to its own player again."""
    if facts.to or _able(facts):
        return
    for field, value in zip(
        ("guard", "inside", "floor", "crest", "bypass"), (None, *facts.place), strict=True
    ):
        sheet.force(field, value)


class Unarmed(Entry):
    """An entry by an unarmed unit."""

    is_relevant = property(lambda self: self.manner.unarmed)


@clause("A20.54", kind="action")
def unarmed_keep_out(facts: Unarmed, sheet: Sheet) -> None:
    """Unarmed units cannot enter a Location with a Known enemy."""
    there = facts.there
    if facts.manner.unarmed and (there.known or there.harmless or there.unmanned):
        sheet.bar("the unit is unarmed, and a Known enemy is there")


@effect(HandOver, Release)
def after_custody(position: AslPosition) -> AslPosition:
    """Return the position unchanged: clauses apply the change of Guard."""
    return position
