"""AFV platoons (D14.2 to D14.24), and AFVs without a radio that move alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from marchtable.board.board import Board
from marchtable.rules.clause import Roll
from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled, settles
from marchtable.rules.view import read
from marchtable.state.action import Action
from marchtable.state.position import Obligation, UnitId
from marchtable.state.records import replace
from marchtable_models.asl.data import count
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import (
    at_blow,
    at_entry,
    at_impulse,
    at_mph_over,
    at_parting,
    at_set_up,
)
from marchtable_models.asl.rules.bog import is_bog_check
from marchtable_models.asl.rules.happenings import StatedResult
from marchtable_models.asl.rules.leaving_convoys import Leaving, odds_of_nerve
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import lines
from marchtable_models.asl.views.edge import Spot, beyond, span
from marchtable_models.asl.views.lines import nerve_of
from marchtable_models.asl.views.lookout import has_los
from marchtable_models.asl.views.los import Los, best
from marchtable_models.asl.views.standing import Standing, standing_of
from marchtable_models.asl.views.unitkinds import crew_morale, type_of

Mate = Annotated[UnitId, msgspec.Meta(extra={"domain": "mate"})]
"""Another AFV, with or adjacent to the acting one."""


class Form(Action, frozen=True, tag="form"):
    """An AFV forms a platoon with another as their MPh begins, or joins the other's platoon."""

    unlisted: ClassVar[str] = "platoons are formed once, before any AFV of them moves"
    traits: ClassVar[Traits] = ("waiting",)

    unit: UnitId
    mate: Mate


class TaskCheck(Action, frozen=True, tag="task-check"):
    """A radioless AFV takes the task check required to move alone (D14.23)."""

    unit: UnitId


class Mates(Facts, frozen=True, gc=False):
    """An AFV of a platoon at the end of an Impulse."""

    near: bool  # a mate is in its Location or adjacent, or one of them is off the map
    los: Los  # to such a mate, ignoring SMOKE and night
    alike: bool  # all that can move in this MPh are stopped, or all move one way
    waits: bool = False  # a loss parted its two AFVs, and neither has entered a new hex since
    all_alike: bool = True  # the same for all, including those that have fired or are TI


class Shaken(Facts, frozen=True, gc=False):
    """A platoon with several AFVs that owe a Bog Check after one Impulse."""

    checks: int


class Bereft(Facts, frozen=True, gc=False):
    """An AFV of a platoon that loses one."""

    lost: bool = False  # it is the one lost
    alone: bool = False  # it is the last one
    apart: bool = False  # it is one of the last two, too late to meet


class Forming(Facts, frozen=True, gc=False):
    """An AFV about to form, or to join, a platoon with another."""

    fit: bool  # both are friendly mobile AFVs in no Convoy, the first in no platoon
    fresh: bool  # the MPh has begun for none of its members
    members: int  # members it would have


class ComingOn(Facts, frozen=True, gc=False):
    """A radioless AFV, in no line, about to enter the map."""

    mate: bool  # another waits there, due and free to move, that it can form a platoon with


class Steadying(Facts, frozen=True, gc=False):
    """A unit about to take the task check of a radioless AFV to move alone."""

    radioless: bool  # it is an AFV without a radio
    fresh: bool  # on the map, MPh not begun, no check taken yet
    morale: int  # of its crew, 0 if unknown
    drm: int = 0


class NerveResult(Facts, frozen=True, gc=False):
    """The result of a radioless AFV's task check: ``passed`` or ``failed``."""

    outcome: str


class PlatoonSetUp(Facts, frozen=True, gc=False):
    """A platoon as a scene states it."""

    members: int
    misfits: int  # units other than AFV
    lost: tuple[str, ...]  # names of those that are Recalled or not Mobile


@at_set_up
def set_up_facts(position: AslPosition, line: Sequence[AslUnit]) -> list[Case]:
    """Return the facts of a platoon as it stands, and of each of its AFVs."""
    if lines.kind_of(line[0]) != "platoon":
        return []
    misfits = sum(not type_of(position, unit).afv for unit in line)
    lost = tuple([u.id for u in line if u.crew.recalled or is_immobile(u)])
    return [about(line, PlatoonSetUp(len(line), misfits, lost)), *mates(position, line)]


@cases(Form)
def forming_facts(position: AslPosition, action: Form) -> list[Case]:
    """Return the facts of forming a platoon."""
    unit = position.unit(action.unit)
    standing = about(unit, standing_of(position, unit, "form"))
    return [standing, *_forming(position, unit, position.unit(action.mate))]


@cases(TaskCheck)
def task_check_facts(position: AslPosition, action: TaskCheck) -> list[Case]:
    """Return the facts of a radioless AFV's task check to move alone."""
    unit = position.unit(action.unit)
    begins = unit.move.mph == "unmoved" and not unit.motion.check
    fresh = begins and not unit.line.convoy and unit.at is not None
    morale, drm = crew_morale(position, unit), int(unit.crew.dazed)
    facts = Steadying(_is_radioless(position, unit), fresh, morale, drm)
    return [about(unit, standing_of(position, unit, "task-check")), about(unit, facts)]


@settles("task-check")
def result_facts(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the facts of a task check's result: the unit is then in no platoon."""
    unit = position.unit(obligation.unit)
    return [about(unit, NerveResult(outcome)), *parting_facts(position, unit)]


@at_impulse
def impulse_facts(
    position: AslPosition, line: Sequence[AslUnit], pieces: Sequence[Any], edition: Edition
) -> list[Case]:
    """Return the facts of a platoon's rolls in an Impulse, and of each AFV after it."""
    if not line or lines.kind_of(line[0]) != "platoon":
        return []
    checked = [
        case.units[0]
        for piece in pieces
        for case in piece.cases
        if any(_is_shared(roll) for roll in edition.judge(case.facts).rolls)
    ]
    shaken = [Case(tuple(checked), Shaken(len(checked)))] if checked else []
    return shaken + mates(position, [piece.after for piece in pieces], line)


def _is_shared(roll: Roll) -> bool:
    """Return whether a platoon makes this roll only once: a Bog Check, Mechanical Reliability."""
    return is_bog_check(roll.clause) or roll.name == "reliability"


def mates(
    position: AslPosition, after: Sequence[AslUnit], before: Sequence[AslUnit] = ()
) -> list[Case]:
    """
    Return the facts of each AFV of a platoon after an Impulse, or as it stands.

    `before` are its AFVs as the Impulse began; without one it is empty.
    """
    if not after or lines.kind_of(after[0]) != "platoon":
        return []
    now = position.phase == "MPh" and after[0].side == position.side  # a mate might have been lost
    waits = is_apart(position, before or after) and (
        now if not before else all(a.at == b.at for a, b in zip(before, after, strict=True))
    )
    return _mates(position, after, waits=waits)


def is_apart(position: AslPosition, units: Sequence[AslUnit]) -> bool:
    """Return whether these are two AFVs of one platoon that are not adjacent."""
    return len(units) == 2 and not are_near(position, *units)


@at_mph_over
def mph_over_facts(position: AslPosition, units: Iterable[AslUnit]) -> list[Case]:
    """Return the facts of platoons still apart as the MPh of these units ends."""
    own = {unit.line.platoon: platoon_of(position, unit) for unit in units if unit.line.platoon}
    parted = [left for left in own.values() if is_apart(position, left)]
    return [about(unit, Bereft(apart=True)) for left in parted for unit in left]


@at_blow
def blow_facts(position: AslPosition, event: StatedResult) -> list[Case]:
    """Return the facts of an AFV that is Recalled or Stunned, so not Mobile, and of its platoon."""
    hit = event.what in ("recalled", "stunned")
    return parting_facts(position, position.unit(event.unit)) if hit else []


@at_parting
def parting_facts(position: AslPosition, gone: AslUnit) -> list[Case]:
    """Return the facts of each AFV of a platoon that one of them leaves, or that loses one."""
    left = [unit for unit in platoon_of(position, gone) if unit.id != gone.id]
    found = [about(gone, Bereft(lost=True))] if gone.line.platoon else []
    if len(left) == 1:
        found.append(about(left[0], Bereft(alone=True)))
    over = position.phase != "MPh" or gone.side != position.side or gone.move.mph == "done"
    without = position.with_units([replace(gone, platoon="")]) if over else None
    return found if without is None else found + mph_over_facts(without, left)


def _mates(position: AslPosition, units: Sequence[AslUnit], *, waits: bool = False) -> list[Case]:
    here = [unit for unit in units if unit.at is not None]
    going = {(u.motion.moving, u.motion.reverse) for u in here if not is_held_back(u)}
    all_going = {(u.motion.moving, u.motion.reverse) for u in here}
    found = []
    for unit in units:
        others = [other for other in units if other.id != unit.id]
        near = [other for other in others if are_near(position, unit, other)]
        los = best(_sees(position, unit, other) for other in near)
        ids = (unit.id, *(other.id for other in others))
        alike, all_alike = len(going) <= 1, len(all_going) <= 1
        found.append(Case(ids, Mates(bool(near), los, alike, waits, all_alike)))
    return found


def _sees(position: AslPosition, unit: AslUnit, mate: AslUnit) -> Los:
    """Find whether an AFV sees a mate, ignoring SMOKE and night; off the map it does not matter."""
    if unit.at is None or mate.at is None:
        return "yes"
    return has_los(position, unit, mate, bare=True)


def platoon_of(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return the AFVs of a unit's platoon, even one in a Convoy; none outside a platoon."""
    if not unit.line.platoon:
        return []
    return [
        u for u in position.units if u.side == unit.side and u.line.platoon == unit.line.platoon
    ]


def _forming(position: AslPosition, unit: AslUnit, mate: AslUnit) -> list[Case]:
    """Return the facts of forming a platoon with another AFV, or with all of that AFV's platoon."""
    line = [*(platoon_of(position, mate) or [mate]), unit]
    fit = (
        unit.id != mate.id
        and not unit.line.platoon
        and all(_is_fit(position, u, unit) for u in line)
    )
    fresh = all(u.move.mph == "unmoved" and not u.motion.check for u in line)
    together = Case((unit.id, mate.id), Forming(fit, fresh, len(line)))
    return [together, *_mates(position, line)] if fit else [together]


@at_entry
def coming_on_facts(
    position: AslPosition,
    unit: AslUnit,
    action: Action,
    to: str | None,
    units: Any,
    edition: Edition,
) -> ComingOn | None:
    """Return the facts of a radioless AFV in no line that enters the map."""
    return coming_on(position, unit, edition)


def coming_on(position: AslPosition, unit: AslUnit, edition: Edition) -> ComingOn | None:
    """Return the facts of a radioless AFV in no line that enters the map; None for others."""
    if unit.at is not None or lines.kind_of(unit) or not _is_radioless(position, unit):
        return None
    mate = any(
        not any(edition.judge(case.facts).bars for case in _forming(position, unit, other))
        for other in position.units
        if _waits_beside(position, unit, other)
    )
    return ComingOn(mate)


def _waits_beside(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether another radioless AFV waits off the map, due and free to move."""
    offboard = other.offboard
    return (
        other.id != unit.id
        and other.side == unit.side
        and other.at is None
        and bool(offboard.entering)
        and offboard.entry_turn <= position.turn
        and not is_held_back(other)
        and _is_radioless(position, other)
    )


def _is_radioless(position: AslPosition, unit: AslUnit) -> bool:
    kind = type_of(position, unit)
    return kind.afv and not kind.radio


def _is_fit(position: AslPosition, unit: AslUnit, first: AslUnit) -> bool:
    offboard = unit.offboard
    here = unit.at is not None or (bool(offboard.entering) and not offboard.exited)
    able = here and not (is_immobile(unit) or unit.crew.recalled)
    return able and unit.side == first.side and not unit.line.convoy and type_of(position, unit).afv


def is_held_back(unit: AslUnit) -> bool:
    """Return whether a Mobile vehicle cannot move in this MPh: it fired or is TI (D2.1, D.7)."""
    return unit.status.prep_fired or unit.status.ti


def is_immobile(unit: AslUnit) -> bool:
    """Return whether a vehicle is not Mobile (D.7)."""
    return unit.motion.bogged or unit.motion.immobile or not unit.crew.able


def are_near(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether two AFV share a hex or are in adjacent ones, including hexes off the map."""
    board = position.board
    if unit.at is not None and other.at is not None:
        return are_adjacent(board, unit.at, other.at)
    if unit.offboard.exited or other.offboard.exited:
        return True
    places = [_where(board, one) for one in (unit, other)]
    return not all(places) or any(span(board, a, b) <= 1 for a in places[0] for b in places[1])


def _where(board: Board, unit: AslUnit) -> list[Spot]:
    """Return the hex of an AFV, or the hexes off the map where it can wait."""
    if unit.at is not None:
        return [unit.at]
    return [beyond(board, board.resolve(name)) for name in unit.offboard.entering]


def are_adjacent(board: Board, a: str, b: str) -> bool:
    """Return whether AFV in two Locations are together or adjacent."""
    return board.distance(a, b) <= 1


QUIET = ("end", "form", "hatch", "task-check", "unload")
"""Acts of a lone radioless AFV before its task check."""
HALTED = ("delay", "end", "hatch", "stop", "unload")


def _is_size(members: int) -> bool:
    return count("D14.2", "least") <= members <= count("D14.2", "most")


@clause("D14.2a", kind="action", composes="joint")
def platoon_size(facts: PlatoonSetUp, sheet: Sheet) -> None:
    """A platoon is two or three AFVs."""
    if facts.misfits or not _is_size(facts.members):
        sheet.bar("a platoon is two or three AFVs", have=facts.members)


@clause("D14.2b", kind="action", composes="joint")
def forming(facts: Forming, sheet: Sheet) -> None:
    """AFVs join a platoon one at a time, as their MPh begins."""
    if not facts.fit:
        sheet.bar(
            "only friendly mobile AFVs that are in no Convoy can form a platoon, and each can be in only one"
        )
    if not facts.fresh:
        sheet.bar("the MPh of one of them has begun")
    if not _is_size(facts.members):
        sheet.bar("a platoon is two or three AFVs", have=facts.members)


@clause("D14.21a", kind="action", composes="joint")
def adjacent(facts: Mates, sheet: Sheet) -> None:
    """As an Impulse ends every AFV of a platoon is with or adjacent to another; after a loss that parts two, once one of them enters a new hex."""
    if not facts.near and not facts.waits:
        sheet.bar("no platoon-mate is adjacent")


@clause("D14.21b", kind="action", composes="joint")
def in_sight(facts: Mates, sheet: Sheet) -> None:
    """As an Impulse ends, each platoon AFV sees an adjacent AFV of its platoon."""
    if not facts.near or facts.los == "yes":
        return
    if facts.los == "unsure":
        sheet.unsupported("whether it sees an adjacent platoon-mate; state it with `sight`")
    elif facts.los == "no" or sheet.reading("D14.21b") == "stated":
        sheet.bar("it does not see an adjacent platoon-mate, or is not stated to")


@clause("D14.21c", kind="action", composes="joint")
def alike(facts: Mates, sheet: Sheet) -> None:
    """As an Impulse ends, a platoon's AFVs are all stopped, or all in Motion one way."""
    alike = facts.alike
    if alike and not facts.all_alike:
        alike = sheet.reading("D14.21c") == "those-that-can"
    if not alike:
        sheet.bar("some AFVs of the platoon are stopped and others are not, or some are in Reverse")


class PlatoonActs(Standing):
    """An AFV of a platoon, or a radioless AFV, about to act."""

    nerve: str = read(
        lambda actor: "" if actor.kind.radio else nerve_of(actor.kind, actor.unit), ""
    )  # a task check is ``due``, or ``failed`` with the AFV still ``moving``

    is_relevant = property(lambda self: self.line == "platoon" or self.nerve != "")


@clause("D14.21d", kind="action")
def no_haste(facts: PlatoonActs, sheet: Sheet) -> None:
    """A platoon cannot use Minimum Move or Excessive Speed."""
    if facts.line == "platoon" and facts.verb in ("minimum", "esb"):
        sheet.bar("a platoon cannot use Minimum Move or Excessive Speed")


@not_modelled("D14.21e")
def shared_check(facts: Shaken) -> bool:
    """The single Bog Check or Reliability DR of several platoon AFVs, with Random Selection."""
    return facts.checks > 1


@clause("D14.22a", kind="effect")
def lost(facts: Bereft | PlatoonSetUp, sheet: Sheet) -> None:
    """An AFV leaves its platoon when it departs, is lost, is Recalled or is not Mobile."""
    if isinstance(facts, PlatoonSetUp):
        if facts.lost:
            sheet.bar(
                f"{', '.join(facts.lost)}: an AFV that is not Mobile, or is Recalled, is in no platoon;"
                " remove its `platoon`"
            )
    elif facts.lost:
        sheet.force("platoon", "")


@clause("D14.22b", kind="effect")
def alone(facts: Bereft, sheet: Sheet) -> None:
    """The last AFV of a platoon is no longer in a platoon, and moves freely for the rest of the MPh."""
    if facts.alone:
        sheet.force("platoon", "")


@clause("D14.22c", kind="effect")
def apart(facts: Bereft, sheet: Sheet) -> None:
    """Two AFVs that a loss has parted are in no platoon unless they meet in that MPh."""
    if facts.apart:
        sheet.force("platoon", "")


@clause("D14.22d", kind="action")
def recalled(facts: Leaving | PlatoonActs, sheet: Sheet) -> None:
    """A Recalled AFV counts as having a radio."""
    if isinstance(facts, Leaving):
        is_recalled = facts.recalled and facts.radioless
    else:
        is_recalled = "recalled" in facts.crew and facts.nerve != ""
    if is_recalled:
        sheet.exception("a Recalled AFV is treated as one with a radio")


@clause("D14.23a", kind="action")
def needs_check(facts: PlatoonActs, sheet: Sheet) -> None:
    """A radioless AFV outside a platoon needs a task check to move, except to enter the map."""
    if facts.nerve == "due" and facts.verb not in QUIET and not sheet.excepted("D14.22d"):
        sheet.bar("a radioless AFV moves alone: use `task-check` first, or state its `check`")


@clause("D14.212", kind="action", composes="joint")
def comes_on_in_platoon(facts: ComingOn, sheet: Sheet) -> None:
    """A radioless AFV enters in a platoon if another waits beside it off the map."""
    if facts.mate:
        sheet.bar("another radioless AFV waits beside it: `form` a platoon with it first")


@clause("D14.23b", kind="odds")
def task_check(facts: Steadying, sheet: Sheet) -> None:
    """A radioless AFV takes a task check against its morale as its MPh begins."""
    if not facts.radioless:
        sheet.bar("only an AFV without a radio takes this task check")
    elif not facts.fresh:
        sheet.bar("it is taken once, on the map, as the MPh begins")
    else:
        odds = odds_of_nerve(facts.morale, facts.drm, "passed", "failed")
        sheet.roll("task-check", odds, f"morale {facts.morale or 'not stated'}")


@clause("D14.23c", kind="effect")
def settled(facts: NerveResult, sheet: Sheet) -> None:
    """The result of the task check holds for this MPh."""
    sheet.force("check", facts.outcome)


@clause("D14.23d", kind="action")
def halts(facts: PlatoonActs, sheet: Sheet) -> None:
    """An AFV that failed its task check to move alone stops and spends its MPh on Delay; its PRC can unload."""
    if facts.nerve in ("failed", "moving") and facts.verb not in HALTED:
        sheet.bar("the AFV has failed its task check: it stops and waits")
    if facts.nerve == "moving" and facts.verb in ("delay", "end"):
        sheet.bar("the AFV has failed its task check and has still to stop")


@clause("D14.24", kind="action")
def by_radio(facts: Leaving, sheet: Sheet) -> None:
    """An AFV with a radio can leave its platoon freely as its MPh begins."""
    if facts.platoon and not (facts.convoy or facts.radioless or facts.begun):
        sheet.exception("an AFV with a radio leaves its platoon")


@effect(Form)
def after_forming(position: AslPosition, action: Form) -> AslPosition:
    """Return the position once a unit has joined another's platoon, or formed one with it."""
    unit, mate = position.unit(action.unit), position.unit(action.mate)
    known = {u.line.platoon for u in position.units}
    number, name = 2, mate.line.platoon or mate.id
    while not mate.line.platoon and name in known:
        name, number = f"{mate.id}.{number}", number + 1
    return position.with_units([replace(mate, platoon=name), replace(unit, platoon=name)])


@effect(TaskCheck)
def after_task_check(position: AslPosition) -> AslPosition:
    """Return the position unchanged: clauses apply the result of the check."""
    return position
