"""Reads off a position whether a unit may act at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.counterkinds import TRAIL, side_of
from marchtable_models.asl.extraction.guidance import is_unguided
from marchtable_models.asl.extraction.lines import STAY, kind_of, members, nerve_of, origin_of
from marchtable_models.asl.extraction.lookout import provoked, sees_enemy
from marchtable_models.asl.extraction.movers import carried_sw, form_of, riders_of
from marchtable_models.asl.extraction.precedence import (
    waits_for_convoy,
    waits_for_front,
    waits_for_leaver,
)  # fmt: skip
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.weapons import BICYCLE, can_be_dm, is_gone_upon
from marchtable_models.asl.weapons import kind_of as kind_of_weapon

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit, UnitType

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["is_blind", "is_due", "is_near_trail", "lateness", "on_trail", "standing", "strays_with"]

CREW = ("stunned", "shocked", "abandoned", "recalled")


def is_due(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether, at night, a Movement DR is due of a unit before it goes on, or begins to move."""
    return (
        position.conditions.night
        and unit.night.guide is None
        and is_unguided(position, unit.at)
        and sees_enemy(position, unit) != "yes"
    )


def strays_with(unit: AslUnit, first: AslUnit, kind: UnitType) -> bool:
    """Return whether a unit of a line strays only as its first does: AFV with radios do by themselves."""
    if kind_of(unit) == "platoon":
        return first.id != unit.id and not kind.radio
    return first.id != unit.id or (not unit.line.left and origin_of(unit) != unit.line.convoy)


def on_trail(standing: Standing, steps: Iterable[object]) -> Standing:
    """Return a standing that says whether the steps it is asked for follow a Trail Break."""
    if not (standing.due or standing.left_due):
        return standing
    trail = any(isinstance(step, Entry) and step.along_trail for step in steps)
    return standing.but(trail=True) if trail else standing


def is_near_trail(position: AslPosition, at: str | None) -> bool:
    """Return whether a Trail Break lies in a Location or next to it."""
    if at is None or not position.markers:
        return False
    near = (at, *(name for _, name in position.board.neighbours(at)))
    return any(
        side_of(TRAIL, kind) is not None for name in near for kind in position.markers.get(name, ())
    )


def is_blind(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether it is a buttoned-up AFV at night, where nothing can be seen."""
    if not unit.crew.bu or not position.conditions.night or position.conditions.nvr:
        return False
    return type_of(position, unit).afv


def standing(
    position: AslPosition,
    unit: AslUnit,
    verb: str,
    *,
    by_impulse: bool = False,
    lead: AslUnit | None = None,
    move: str = "",
) -> Standing:
    """
    Return whether the unit may act at all.

    `lead` is the first of its line, if that is known, `move` what it does in an Impulse.
    """
    known = position.__dict__.get("standing")  # kept where much is asked of one position
    if known is None or by_impulse or lead is not None or move:
        return _standing(position, unit, verb, by_impulse=by_impulse, lead=lead, move=move)
    found = known.get((unit.id, verb))
    if found is None or found[0] is not unit:  # one that is thought to be elsewhere, or so
        found = known[unit.id, verb] = (unit, _standing(position, unit, verb))
    return found[1]  # type: ignore[no-any-return]


def _standing(
    position: AslPosition,
    unit: AslUnit,
    verb: str,
    *,
    by_impulse: bool = False,
    lead: AslUnit | None = None,
    move: str = "",
) -> Standing:
    kind, line, night = type_of(position, unit), kind_of(unit), position.conditions.night
    blind = night and is_blind(position, unit)
    due = night and is_due(position, unit)
    follows = False
    stays = line == "platoon" and move == STAY
    if line:
        first = lead or members(position, unit)[0]
        follows = strays_with(unit, first, kind)
    riders = riders_of(position, unit) if kind.mounts else ()
    return Standing(
        verb=verb,
        form=form_of(kind),
        own_turn=unit.side == position.side,
        phase=position.phase,
        on_map=unit.at is not None,
        mph=unit.move.mph,
        final=unit.points.final,
        pinned=unit.status.pinned or any(rider.status.pinned for rider in riders),
        broken=unit.status.broken,
        ti=unit.status.ti and not stays,
        prep_fired=(unit.status.prep_fired and not stays)
        or any(rider.status.prep_fired for rider in riders),
        bogged=unit.motion.bogged,
        immobile=unit.motion.immobile,
        smc=kind.class_ == "smc",
        pp=sum([w.pp for w in unit.sw if not is_gone_upon(unit, w)]) if unit.sw else 0,
        line=line,
        in_bypass=unit.place.bypass is not None,
        behind_front=unit.line.behind != "" and waits_for_front(position, unit, verb),
        behind_convoy=waits_for_convoy(position, unit),
        behind_leaver=waits_for_leaver(position, unit),
        riders=kind.riders if kind.class_ == "cavalry" else "",
        wounded=unit.status.wounded,
        inside=unit.place.inside,
        floor=unit.place.floor,
        pushing=unit.move.hazardous == "push-gun" and unit.move.mph == "moving",
        dashing=unit.move.dash is not None,
        away="" if unit.at is not None else _away(unit),
        crew=_crew(unit),
        due=due and (unit.move.mph == "unmoved" or unit.line.left == ""),
        due_unsure=due and sees_enemy(position, unit) == "unsure",
        left_due=due and unit.move.mph == "moving" and unit.line.left != "",
        by_impulse=by_impulse,
        left=unit.line.left != "" and not unit.line.convoy,
        follows=follows,
        astray=unit.night.astray,
        blind=blind,
        aboard=unit.cargo.aboard is not None or unit.cargo.towed_by is not None,
        stays=unit.cargo.stays,
        provoked=provoked(position, [unit])[0]
        if verb == "dispense" and unit.side != position.side and position.phase == "MPh"
        else "",
        nerve="" if kind.radio else nerve_of(kind, unit),
        unridden=kind.mounts > 0 and not riders,
        late=lateness(position, unit) if unit.at is None else "",
        cavalry=kind.class_ == "cavalry",
        move=move if due or blind or unit.crew.stunned or unit.crew.shocked else "",
        melee=_held(position, unit, kind),
        alighted=unit.cargo.conveyed and unit.move.mph == "done" and not unit.cargo.aboard,
        overruns=_overruns(position, unit),
        assembled=sum(can_be_dm(w) and not w.dm for w in carried_sw(position, unit))
        if kind.class_ == "cavalry"
        else 0,
        gear=unit.status.gear,
        wheels=any([kind_of_weapon(weapon) == BICYCLE for weapon in unit.sw]) if unit.sw else False,  # noqa: C419
        odd="berserk" if unit.status.berserk else "dummy" if unit.concealment.dummy else "",
    )


def _held(position: AslPosition, unit: AslUnit, kind: UnitType) -> str:
    """Return whether a unit on foot is ``held`` in Melee, or among Known armed enemies and has not moved."""
    melee = unit.status.melee
    if (
        unit.at is None
        or melee == "free"
        or not kind.is_infantry
        or unit.cargo.aboard is not None
        or unit.cargo.conveyed
        or unit.cargo.guard is not None
    ):
        return ""
    others = position.occupants.get(unit.at, ())
    if len(others) < 2 or (unit.move.previous is not None and not melee):
        return ""
    return (melee or "untold") if _is_among(position, unit, others) else ""


def _overruns(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit has entered by an Infantry OVR, and the SMC is still there."""
    if unit.at is None or unit.move.dared != unit.at or position.phase != "MPh":
        return False
    return _is_among(position, unit, position.occupants.get(unit.at, ()))


def _is_among(position: AslPosition, unit: AslUnit, others: Sequence[AslUnit]) -> bool:
    level = level_of(position, unit)
    return any(
        u.side != unit.side and level_of(position, u) == level and _holds(position, u)
        for u in others
    )


def _holds(position: AslPosition, enemy: AslUnit) -> bool:
    kind = type_of(position, enemy)
    if (
        enemy.concealment.concealed
        or enemy.status.disrupted
        or enemy.status.unarmed
        or enemy.crew.abandoned
        or kind.mounts
    ):
        return False
    return kind.is_personnel or (kind.armed and kind.class_ == "vehicle")


def _away(unit: AslUnit) -> str:
    return "gone" if unit.offboard.exited else "waits" if unit.offboard.entering else "unknown"


def lateness(position: AslPosition, unit: AslUnit) -> str:
    """Return whether the turn for a unit to come on is ``past`` or to come; see E11.7a for lines."""
    waits = unit.at is None and not unit.offboard.exited and unit.offboard.entry_turn > 0
    if waits and position.turn < unit.offboard.entry_turn:
        return "early"
    if (
        not waits
        or position.turn == unit.offboard.entry_turn
        or unit.line.convoy
        or unit.line.column
    ):
        return ""
    return "allowed" if unit.offboard.late else "past"


def _crew(unit: AslUnit) -> tuple[str, ...]:
    if not (unit.crew.stunned or unit.crew.abandoned or unit.crew.recalled or unit.crew.shocked):
        return ()
    return tuple([name for name in CREW if getattr(unit.crew, name)])
