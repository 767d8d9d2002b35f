"""Prisoners, their Guards, and unarmed units (A20)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

import msgspec

from marchtable.rules.facts import Case, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled, settles
from marchtable.state.action import Action, Event, Fellow, verb_of
from marchtable.state.position import Obligation, Odds, UnitId
from marchtable_models.asl.data import count
from marchtable_models.asl.extraction import standings
from marchtable_models.asl.extraction.cargo import captives
from marchtable_models.asl.extraction.prisoners import (
    BY,
    FREE,
    TAKES,
    Custody,
    Keeping,
    Unguarded,
    custody,
    handed,
    unguarded,
)
from marchtable_models.asl.extraction.steps import hexes
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.model import AslPosition, Impulse, actors
from marchtable_models.asl.rules.loading import Load
from marchtable_models.asl.verbs.traits import Traits

WITH_PRISONERS = frozenset((
    "enter", "minimum", "bypass", "along", "into", "advance", "stairs", "shift", "crest", "descend",
    "get-beneath", "rout", "exit", "dash", "dare", "search", "smoke", "place", "load", "unload", "end",
    "set-out", "assault", "double-time", "lend", "wall-advantage", "drop", "recover", "transfer",
    "hand-over", "release", "mop-up", "wave",
))  # fmt: skip
"""What a Guard does as others do, his prisoners with him, or what others say that he may not do."""
Prisoner = Annotated[str, msgspec.Meta(extra={"domain": "prisoner"})]
"""The name of a unit that the unit guards."""


class HandOver(Action, frozen=True, tag="hand-over"):
    """A Guard hands a prisoner on to another unit of his Location."""

    traits: ClassVar[Traits] = ("says", "beneath", "upstairs", "crest")

    unit: UnitId
    to: Fellow
    prisoner: Prisoner


class Release(Action, frozen=True, tag="release"):
    """A Guard abandons a prisoner: an unarmed unit of the other side, which is free."""

    traits: ClassVar[Traits] = ("says", "beneath", "upstairs", "crest")

    unit: UnitId
    prisoner: Prisoner


@cases(Action)
def of_captives(position: AslPosition, action: Action) -> Iterator[Case]:
    """Yield the facts of prisoners and Guards who act each for itself."""
    if isinstance(action, (Event, Impulse)) or not captives(position):
        return
    riding = isinstance(action, Load) and action.riding
    for name in actors(action):
        facts = custody(position, position.unit(name), verb_of(action), riding=riding)
        if facts is not None:
            yield Case((name,), facts)


@cases(HandOver, Release)
def of_custody(position: AslPosition, action: HandOver | Release) -> Iterator[Case]:
    """Yield the facts of a prisoner that its Guard hands on, or lets go; off the map, whether he may act (A2.51)."""
    guard, prisoner = position.unit(action.unit), position.unit(action.prisoner)
    to = position.unit(action.to) if isinstance(action, HandOver) else guard
    who, where, verb = (prisoner.id, guard.id), hexes(guard.at), verb_of(action)
    if guard.at is None:
        yield about(guard, standings.standing(position, guard, verb))
        return
    yield Case(who, handed(position, verb, prisoner, guard, to), where)
    if isinstance(action, Release):
        yield Case(who, unguarded(position, prisoner, guard, FREE), where)


@settles("guard")
def of_guard(position: AslPosition, obligation: Obligation, outcome: str) -> Unguarded:
    """Return the facts of a prisoner once it is settled who guards it."""
    unit = position.unit(obligation.unit)
    return unguarded(position, unit, position.unit(str(unit.cargo.guard)), outcome)


@clause("A20.53a", kind="action")
def moves_with_guard(facts: Custody, sheet: Sheet) -> None:
    """A prisoner does nothing of its own: it moves, and is moved, with its Guard."""
    if facts.guarded:
        sheet.bar("it is guarded, and goes where its Guard goes")


@not_modelled("A20.53b")
def at_foot_rate(facts: Custody) -> bool:
    """What Cavalry, Skiers and cyclists pay who guard prisoners, who go at the foot rate."""
    return facts.guards and facts.horse


@not_modelled("A20.5e")
def other_doings(facts: Custody) -> bool:
    """What becomes of prisoners as their Guard pushes, mans, mounts or moves in a Column."""
    return facts.guards and facts.verb not in WITH_PRISONERS


@not_modelled("A20.51b")
def taken_aboard(facts: Custody) -> bool:
    """Prisoners of a Guard who rides outside an AFV, from which they may have to bail out."""
    return facts.guards and facts.verb == "load" and facts.riding


@clause("A20.52", kind="action")
def no_sw(facts: Custody, sheet: Sheet) -> None:
    """A Guard whose US# is lower than that of its prisoners uses no SW."""
    if facts.weak and facts.verb == "place":
        sheet.bar("it guards more than its own US#, and uses no SW")


@clause("A20.5a", kind="action")
def who_guards(facts: Keeping, sheet: Sheet) -> None:
    """Armed Personnel that is not berserk guards Personnel of the other side, a broken unit, too."""
    if facts.verb == "surrender":  # for that see A20.21a
        return
    if facts.to and not facts.able:
        sheet.bar("only armed Personnel guards prisoners")
    if facts.to and facts.berserk:
        sheet.bar("who is berserk neither takes prisoners nor is captured (A20.2)")


def _most(us: int) -> int:
    return count("A20.51", "times") * us


def can_guard(us: int, load: int) -> bool:
    """Return whether a unit of such a US# may guard prisoners of so much."""
    return load <= _most(us)


def _able(facts: Unguarded) -> list[str]:
    return [name for name, us, load in facts.takers if can_guard(us, load)]


@clause("A20.51a", kind="capacity")
def whom(facts: Keeping | Unguarded, sheet: Sheet) -> None:
    """A unit guards prisoners of five times its own US# at most."""
    if facts.us and not can_guard(facts.us, facts.load):  # who is no Personnel has none, see A20.5a
        sheet.bar(
            "the Guard would have too many prisoners", _most(facts.us), facts.load, points="US#"
        )


@clause("A20.2", kind="action")
def when_captured(facts: Keeping, sheet: Sheet) -> None:
    """Units are captured by who is with them in the CCPh, unarmed ones in his MPh, disrupted ones in any phase, broken ones in a building mopped up; for the RtPh see A20.21."""
    if facts.verb == "surrender" and facts.line:
        sheet.unsupported("the surrender of who is in a line, or to one who is")
    if facts.verb != "capture":
        return
    if not facts.enemies or facts.guarded:
        sheet.bar("only an enemy Personnel unit is captured, that nobody guards")
    if facts.aboard or facts.line:
        sheet.unsupported("the capture of who is aboard a vehicle or in a line")
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
    """Who is captured is unarmed, and is with its Guard."""
    if facts.verb in TAKES:
        sheet.force("unarmed", value=True)
        sheet.force("at", facts.spot)
    if facts.to:
        sheet.force("guard", facts.to)


@clause("A20.5c", kind="action")
def when_handed(facts: Keeping, sheet: Sheet) -> None:
    """A Guard hands prisoners on, or abandons them, in a friendly RPh or APh, not in Melee."""
    if facts.verb in TAKES:
        return
    if not facts.guarded:
        sheet.bar("it does not guard that unit, or would hand it to itself")
    elif not facts.enemies or facts.near != "here":
        sheet.bar("prisoners are handed to a unit of one's side and Location")
    if facts.melee:
        sheet.bar("they are in Melee")
    if facts.aboard:
        sheet.unsupported("prisoners handed on, or let go, aboard a vehicle")
    if not facts.own_turn or facts.phase not in ("RPh", "APh"):
        sheet.bar(
            "prisoners are handed on and let go in the Guard's RPh or APh", "APh", facts.phase
        )
    elif facts.verb == "hand-over" and facts.begun and sheet.reading("A20.5c") == "start":
        sheet.bar("as SW are, they are handed on as the APh begins, before anybody advances")


@clause("A20.5d", kind="effect")
def taken_over(facts: Unguarded, sheet: Sheet) -> None:
    """Whose Guard is gone is guarded by another unit there, at its player's choice, or goes free."""
    if (able := _able(facts)) and not facts.to:
        outcomes = (*(BY + name for name in able), FREE)
        sheet.roll("guard", tuple(Odds(each, 1, 1) for each in outcomes), "who guards it now")
    elif facts.to:
        sheet.force("guard", facts.to)


@clause("A20.5f", kind="effect")
def goes_free(facts: Unguarded, sheet: Sheet) -> None:
    """An unarmed unit that nobody guards is its own player's again."""
    if facts.to or _able(facts):
        return
    for field, value in zip(
        ("guard", "inside", "floor", "crest", "bypass"), (None, *facts.place), strict=True
    ):
        sheet.force(field, value)


@clause("A20.54", kind="action")
def unarmed_keep_out(facts: Entry, sheet: Sheet) -> None:
    """Unarmed units do not enter a Location with a Known enemy."""
    there = facts.there
    if facts.manner.unarmed and (there.known or there.harmless or there.unmanned):
        sheet.bar("the unit is unarmed, and a Known enemy is there")


@effect(HandOver, Release)
def after_custody(position: AslPosition) -> AslPosition:
    """Return the position: who guards a prisoner then, or nobody, its clauses force."""
    return position
