"""Leaving a Convoy (E11.25 to E11.255): declared before an Impulse, or by a voluntary Gap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, settles
from marchtable.rules.view import read
from marchtable.state.action import Action
from marchtable.state.position import Obligation, Odds, UnitId
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import PARTING, at_blow, at_impulse, at_lineup
from marchtable_models.asl.rules import gaps
from marchtable_models.asl.rules.gaps import Parted
from marchtable_models.asl.rules.happenings import NO_ATTACK, StatedResult
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import lookout
from marchtable_models.asl.views.lines import members, origin_of
from marchtable_models.asl.views.los import Los, best
from marchtable_models.asl.views.precedence import (
    waits_for_convoy,
    waits_for_front,
    waits_for_leaver,
)
from marchtable_models.asl.views.standing import Standing, standing_of
from marchtable_models.asl.views.unitkinds import crew_morale, type_of


class Leave(Action, frozen=True, tag="leave"):
    """
    A vehicle leaves its Convoy to move by itself, before an Impulse begins.

    ``alone`` means that a radioless AFV also breaks off from its platoon.
    """

    traits: ClassVar[Traits] = ("waiting",)

    unit: UnitId
    alone: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False


class Leaving(Facts, frozen=True, gc=False):
    """A vehicle about to leave its Convoy voluntarily."""

    convoy: bool  # it is in one
    sees_enemy: bool  # it has a LOS to a Known enemy ground unit
    sees_attacked: bool  # a vehicle of its Convoy in its LOS was attacked as the last Impulse ended
    sees_lost: bool  # it has a LOS to one eliminated or immobilized in this MPh
    radio_sees: bool  # it and another AFV fit to report have radios, and the other has such a LOS
    recalled: bool
    radioless: bool  # it is an AFV without a radio
    platoon: bool  # it is in a platoon
    begun: bool  # its MPh has begun
    column: bool = False  # it is in a Column
    sees_column: bool = False  # it has a LOS to a Known enemy unit that is in a Column
    leavers: str = ""  # vehicles that left a Convoy before and have not ended their MPh
    declared: bool = False  # its owner declares it instead of moving to make a Gap
    alone: bool = False  # it breaks off from its platoon
    morale: int = 0  # its crew's, 0 if unknown
    drm: int = 0
    checked: bool = False  # the result of the task check is stated
    idle: bool = False  # a Gap would form although it neither enters another Location nor stops
    mates_ahead: bool = False  # AFV of its platoon are ahead of it in its Convoy
    unstated: bool = False  # it would have a reason to leave if it saw all units on the map


class BehindLeavers(Facts, frozen=True, gc=False):
    """A Convoy about to make an Impulse before those who left one have ended their MPh."""

    leavers: str


class TaskResult(Facts, frozen=True, gc=False):
    """The result of a Task Check of an AFV that breaks off: ``passes`` or ``fails``."""

    outcome: str


class ConvoyFire(Facts, frozen=True, gc=False):
    """A Convoy vehicle fired at in its own MPh."""

    leaver: bool  # the firing is at the expenditure of a vehicle that left the Convoy


@cases(Leave)
def leaving_facts(position: AslPosition, action: Leave, edition: Edition) -> Iterator[Case]:
    """Yield the facts of a vehicle leaving its Convoy: its reasons, and the Gap it leaves."""
    unit = position.unit(action.unit)
    yield about(unit, standing_of(position, unit, "leave"))
    yield about(unit, leaving(position, unit, declared=True, alone=action.alone))
    mates = [] if action.alone else _platoon_mates(position, unit)
    if not mates:
        yield from edition.subjects.ask(PARTING, [], position, unit, True)
        return
    line = members(position, unit)
    for case in gaps.parted(position, line, lost=(unit.id, *mates), willing=True):
        mate = case.units[0] in mates
        yield case._replace(facts=msgspec.structs.replace(case.facts, mate=mate))


@at_lineup
def lineup_facts(position: AslPosition, unit: AslUnit) -> BehindLeavers | None:
    """Return the facts of a Convoy behind a vehicle that has left one."""
    leavers = leavers_ahead(position, unit)
    return BehindLeavers(leavers) if leavers else None


@at_impulse
def impulse_facts(
    position: AslPosition, line: Sequence[AslUnit], pieces: Sequence[Any]
) -> Iterator[Case]:
    """Yield the reasons of vehicles that make a voluntary Gap in an Impulse."""
    after = [piece.after for piece in pieces]
    for (_, rear), link in gaps.links_of(position, line, after) if is_convoy(line) else ():
        if gaps.is_gap(link):
            idle = is_idle(rear, after[line.index(rear)])
            yield Case((rear.id,), leaving(position, rear, idle=idle))


def is_convoy(line: Sequence[AslUnit]) -> bool:
    """Return whether a line is a Convoy."""
    return bool(line) and line[0].line.convoy != ""


@at_blow
def blow_facts(position: AslPosition, event: StatedResult) -> ConvoyFire | None:
    """Return the facts of fire at a Convoy vehicle in its own MPh."""
    unit = position.unit(event.unit)
    if not unit.line.convoy or event.by == "mines" or event.what in NO_ATTACK:
        return None
    own = (unit.side, origin_of(unit))
    moves = any(
        u.line.left == "declared" and u.move.mph == "moving" and (u.side, origin_of(u)) == own
        for u in position.units
    )
    return ConvoyFire(moves and unit.side == position.side and position.phase == "MPh")


@settles("ntc")
def task_check_facts(position: AslPosition, obligation: Obligation, outcome: str) -> TaskResult:
    """Return the facts of the Task Check of an AFV that breaks off."""
    return TaskResult(outcome)


def leaving(
    position: AslPosition,
    unit: AslUnit,
    *,
    declared: bool = False,
    alone: bool = False,
    idle: bool = False,
) -> Leaving:
    """Return a vehicle's possible reasons to leave its Convoy."""
    kind = type_of(position, unit)
    convoy = origin_of(unit)
    enemy, attacked, lost = _sees(position, unit, convoy)
    radio: Los = "no"
    if kind.afv and kind.radio:
        radio = best(
            los
            for other in position.units
            if _tells_by_radio(position, unit, other)
            for los in (*_sees(position, other, convoy), _sees_column(position, other))
        )
    column = _sees_column(position, unit)
    found = (enemy, attacked, lost, radio, column)
    unstated = "unsure" in found or (
        declared and not lookout.is_computed(position) and might_have_reason(position, unit)
    )
    return Leaving(
        convoy=unit.line.convoy != "",
        column=unit.line.column != "",
        declared=declared,
        unstated=unstated,
        idle=idle,
        alone=alone,
        morale=crew_morale(position, unit),
        drm=int(unit.crew.dazed),
        checked=unit.motion.check != "",
        sees_column=column == "yes",
        leavers=leavers_ahead(position, unit),
        sees_enemy=enemy == "yes",
        sees_attacked=attacked == "yes",
        sees_lost=lost == "yes",
        radio_sees=radio == "yes",
        recalled=unit.crew.recalled,
        radioless=kind.afv and not kind.radio,
        platoon=unit.line.platoon != "",
        mates_ahead=_has_mates_ahead(position, unit),
        begun=unit.move.mph != "unmoved",
    )


def might_have_reason(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a vehicle would have a reason to leave if all unstated sight were clear."""
    convoy, kind = origin_of(unit), type_of(position, unit)
    lost = not unit.concealment.sees and any(
        lookout.has_los(position, unit, other) == "unstated"
        for other in position.units
        if other.id != unit.id
        and (other.line.attacked or other.line.fallen)
        and other.side == unit.side
        and origin_of(other) == convoy
    )
    return lost or any(
        lookout.unclear(position, other)
        for other in position.units
        if other.id == unit.id
        or (kind.afv and kind.radio and _tells_by_radio(position, unit, other))
    )


def _tells_by_radio(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether another AFV can report by radio what it sees (E11.251)."""
    kind, crew = type_of(position, other), other.crew
    is_mate = other.id != unit.id and other.side == unit.side
    return is_mate and crew.able and kind.afv and kind.radio


def _has_mates_ahead(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether AFV of a unit's platoon are ahead of it in its Convoy."""
    own = (unit.side, unit.line.convoy, unit.line.platoon)
    return bool(unit.line.convoy and unit.line.platoon) and any(
        (u.side, u.line.convoy, u.line.platoon) == own and u.line.rank < unit.line.rank
        for u in position.units
    )


def _platoon_mates(position: AslPosition, unit: AslUnit) -> list[str]:
    """Return the units that leave a Convoy with a vehicle: a radioless AFV's platoon."""
    kind = type_of(position, unit)
    if not (unit.line.convoy and unit.line.platoon and kind.afv) or kind.radio:
        return []
    return [
        u.id
        for u in position.units
        if u.id != unit.id
        and (u.side, u.line.convoy, u.line.platoon)
        == (unit.side, unit.line.convoy, unit.line.platoon)
    ]


def _sees_column(position: AslPosition, unit: AslUnit) -> Los:
    """Find whether a unit sees a Known enemy unit that is in a Column."""
    lined = [one for one in lookout.known_enemies(position, unit) if one.line.column]
    return lookout.any_sees(position, [unit], lined)


def _sees(position: AslPosition, unit: AslUnit, convoy: str) -> tuple[Los, Los, Los]:
    """Find whether a unit or its PRC see a Known enemy, or a Convoy's attacked or lost vehicles."""
    prc = [u for u in position.beside(unit.at) if u.cargo.aboard == unit.id] if unit.at else []
    eyes = (unit, *prc)
    enemies = [one for one in lookout.known_enemies(position, unit) if not one.line.column]
    mates = [u for u in position.units if convoy and u.side == unit.side and origin_of(u) == convoy]
    attacked, lost = (
        "yes" if any(one.id == unit.id for one in those) else lookout.any_sees(position, eyes, those)
        for those in (
            [one for one in mates if one.line.attacked], [one for one in mates if one.line.fallen],
        )
    )  # fmt: skip
    return lookout.any_sees(position, eyes, enemies), attacked, lost


def leavers_ahead(position: AslPosition, unit: AslUnit) -> str:
    """
    Name the vehicles that have left a Convoy in this MPh and not yet ended their own, or ``""``.

    This includes other Convoys: a vehicle that leaves moves at once.
    """
    if not unit.line.convoy:
        return ""
    return ", ".join(
        u.id
        for u in position.units
        if u.line.left == "declared"
        and u.move.mph != "done"
        and not u.line.convoy
        and u.id != unit.id
        and u.side == unit.side
    )


def is_idle(before: AslUnit, after: AslUnit) -> bool:
    """Return whether a vehicle has neither gone to another Location nor stopped."""
    return before.at == after.at and before.motion.moving <= after.motion.moving


def odds_of_nerve(morale: int, drm: int, passed: str, failed: str) -> tuple[Odds, ...]:
    """Return the odds of a task check on two dice: passed up to the morale, if known."""
    if not morale:  # its result is stated anyway
        return (Odds(passed, 1, 1), Odds(failed, 1, 1))
    morale -= drm
    fails, of = two_dice_at_least(morale + 1)
    return (Odds(passed, of - fails, of), Odds(failed, fails, of))


REASONS = ("E11.251b", "E11.251c", "E11.251d", "E11.251e")


@clause("E11.255c", kind="effect")
def not_at_the_convoy(facts: ConvoyFire, sheet: Sheet) -> None:
    """An expenditure made to leave allows no fire at the Convoy left."""
    if facts.leaver:
        sheet.bar("the vehicle that spends MP now has left the Convoy")


@clause("E11.254d", kind="action", composes="joint")
def not_by_waiting(facts: Leaving, sheet: Sheet) -> None:
    """A vehicle that only waits, turns or starts while those ahead go on does not leave."""
    if facts.idle and _has_reason(facts, sheet) and sheet.reading("E11.254d") == "move-or-stop":
        sheet.bar("a voluntary Gap needs an entry or a Stop")


@clause("E11.251b", kind="action")
def sees_attacked(facts: Leaving, sheet: Sheet) -> None:
    """A vehicle can leave if it sees a vehicle of its Convoy attacked as the last Impulse ended."""
    if facts.sees_attacked:
        sheet.exception("it sees a vehicle of its Convoy that was attacked")


@clause("E11.251e", kind="action")
def sees_lost(facts: Leaving, sheet: Sheet) -> None:
    """A vehicle can leave if it sees a vehicle of its Convoy eliminated or immobilized this MPh."""
    if facts.sees_lost:
        sheet.exception("it sees a vehicle of its Convoy that was eliminated or immobilized")


@clause("E11.251c", kind="action")
def by_radio(facts: Leaving, sheet: Sheet) -> None:
    """A radio AFV can leave its Convoy if another radio AFV sees such a reason."""
    if facts.radio_sees:
        sheet.exception("another AFV with a radio has such a LOS")


@clause("E11.251d", kind="action")
def recalled(facts: Leaving, sheet: Sheet) -> None:
    """A Recalled vehicle has a reason to leave its Convoy."""
    if facts.recalled:
        sheet.exception("it is Recalled")


@clause("E11.5e", kind="state")
def known_column(facts: Leaving, sheet: Sheet) -> None:
    """A Column unit without '?' is a Known enemy to the other side."""
    if facts.sees_column:
        sheet.exception("it sees a Known enemy unit in Column")


def _has_reason(facts: Leaving, sheet: Sheet) -> bool:
    return facts.sees_enemy or sheet.excepted(*REASONS, "E11.5e")


@clause("E11.251a", kind="action", composes="joint")
def reason(facts: Leaving, sheet: Sheet) -> None:
    """A vehicle leaves its Convoy only for a reason, such as a Known enemy ground unit in its LOS."""
    if facts.sees_enemy:
        sheet.exception("it sees a Known enemy ground unit")
    elif facts.convoy and not _has_reason(facts, sheet):
        if facts.unstated:
            sheet.unsupported(
                "the scene does not state which enemies or vehicles of its Convoy it sees: write "
                "`sight VEHICLE of=ENEMY,…` or `sight VEHICLE not_of=ENEMY,…` first, or put "
                '`sight = "computed"` in its conditions'
            )
            return
        sheet.bar("no reason to leave: no Known enemy, attack or loss that it is stated to see")


@clause("E11.25a", kind="action", after=("D14.24",))
def leave_only_convoy(facts: Leaving, sheet: Sheet) -> None:
    """Only a Convoy vehicle can leave one, and only before an Impulse begins."""
    if facts.declared and facts.convoy:
        sheet.force("left", "declared")
    if not (facts.convoy or facts.column or sheet.excepted("D14.24")):
        sheet.bar(
            "the unit is neither in a Convoy nor, with a radio, in a platoon that has yet to begin its MPh"
        )


class BesideLeavers(Standing):
    """A unit that has left its Convoy, or must wait for others."""

    left: bool = read(  # it left its Convoy in this MPh
        lambda actor: actor.unit.line.left != "" and not actor.unit.line.convoy
    )
    # must end their MPh first: vehicles that left a Convoy, the part ahead of a Gap, another Convoy
    behind_leaver: str = read(lambda actor: waits_for_leaver(actor.position, actor.unit))
    front: str = read(lambda actor: waits_for_front(actor.position, actor.unit, actor.verb))
    behind_convoy: str = read(lambda actor: waits_for_convoy(actor.position, actor.unit))

    is_relevant = property(
        lambda self: bool(
            self.left or self.left_due or self.behind_leaver or self.front or self.behind_convoy
        )
    )


@clause("E11.25b", kind="action", composes="joint", waits=True)
def leavers_first(facts: Leaving | BehindLeavers | BesideLeavers, sheet: Sheet) -> None:
    """A vehicle that leaves a Convoy ends its MPh before the next leaves or the Convoy moves."""
    if isinstance(facts, Standing):
        leavers = facts.behind_leaver if facts.verb != "end" else ""
    else:
        leavers = facts.leavers
    if leavers:
        sheet.bar(f"a vehicle that leaves a Convoy moves at once: {leavers} must end the MPh first")


@clause("E11.252b", kind="action")
def breaks_off(facts: Leaving | TaskResult, sheet: Sheet) -> None:
    """A radioless AFV that breaks off from its platoon as its MPh begins takes a NTC."""
    if isinstance(facts, TaskResult):
        sheet.force("check", "failed" if facts.outcome == "fails" else "passed")  # see D14.23
        return
    breaks = facts.alone and facts.platoon
    if breaks:
        sheet.force("platoon", "")
    asked = facts.radioless and facts.convoy and facts.declared and not sheet.excepted("D14.22d")
    if not asked or facts.begun or facts.checked:
        return
    if not breaks:
        if sheet.reading("E11.252b") == "none-due":  # whatever D14.23 requires otherwise
            sheet.force("check", "passed")
        return
    if not facts.morale:
        sheet.unsupported(
            "its crew's morale is not known: state its result with the unit's `check`"
        )
        return
    odds = odds_of_nerve(facts.morale, facts.drm, "passes", "fails")
    sheet.roll("ntc", odds, f"a DR of {facts.morale} or less")


def _as_in_convoy(facts: BesideLeavers, sheet: Sheet) -> None:
    if facts.left and facts.verb not in ("set-out", "end"):
        sheet.bar("the vehicle moves as if it were in its Convoy")


@clause("E11.25c", kind="effect", denied=_as_in_convoy)
def moves_freely(facts: BesideLeavers, sheet: Sheet) -> None:
    """A vehicle that leaves moves, and is fired at, as one that was in no Convoy."""
    # E11.2 does not apply to it


@clause("E11.252c", kind="action")
def stays_in_platoon(facts: Leaving, sheet: Sheet) -> None:
    """Once its MPh has begun a radioless AFV cannot leave its platoon, even in a Convoy."""
    parts = facts.mates_ahead  # with a Gap before it, those behind come along
    if facts.declared:
        parts = facts.alone or not facts.convoy  # E11.252a covers this
    if facts.radioless and facts.platoon and facts.begun and parts and not facts.recalled:
        sheet.bar("a radioless AFV in a platoon has begun its MPh")


@clause("E11.21b", kind="action", composes="joint", waits=True)
def front_first(facts: BesideLeavers, sheet: Sheet) -> None:
    """The Convoy ahead of a Gap ends its MPh before the one behind moves."""
    if facts.front and facts.verb != "end":
        sheet.bar(f"the Convoy of {facts.front}, ahead of the Gap, has not ended its MPh")


@clause("E11.21c", kind="action", composes="joint", waits=True)
def parted_first(facts: BesideLeavers, sheet: Sheet) -> None:
    """Once a Convoy has begun, no other friendly unit moves until all its parts are done."""
    if facts.behind_convoy and facts.verb != "end":
        sheet.bar(f"a Convoy has begun its MPh: first {facts.behind_convoy} must end it")


@clause("E11.6b", kind="effect")
def leaver_strays(facts: BesideLeavers | Parted, sheet: Sheet) -> None:
    """A vehicle that leaves its Convoy voluntarily can stray from then on."""
    if isinstance(facts, Parted):
        if facts.leads:
            sheet.force("left", "gap")
    elif (
        facts.left_due
        and facts.goes
        and not facts.trail
        and sheet.reading("E11.6b") == "from-then-on"
    ):
        sheet.bar("its Movement DR is due: it has left its Convoy")


@effect(Leave)
def after_leaving(position: AslPosition) -> AslPosition:
    """Return the position unchanged: clauses apply the effects of leaving."""
    return position
