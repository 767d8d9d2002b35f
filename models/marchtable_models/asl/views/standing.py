"""Whether a unit can act at all; facts for one subject alone are declared in its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from marchtable.rules.view import View, fact
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.verbs import has_trait
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.guidance import is_unguided
from marchtable_models.asl.views.lines import STAY, kind_of, members, origin_of
from marchtable_models.asl.views.lookout import provoked, sees_enemy
from marchtable_models.asl.views.movers import form_of, riders_of
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.weapons import is_gone_upon

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable_models.asl.model import AslPosition, AslUnit, UnitType
    from marchtable_models.asl.views.los import Los


class Standing(View):
    """
    Whether a unit can act at all now.

    Parameters
    ----------
    verb, move
        What it does, also in an Impulse if ``due``, blind, Stunned or Shocked.
    form
        Whether it is a ``vehicle``, ``gun``, ``wreck`` or ``foot`` (Cavalry included).
    line, by_impulse, follows
        Whether it is in a ``convoy``, ``column``, ``platoon`` or ``wave``, acts in its Impulse, and
        is not its lead.
    inside
        Its place in its Location.
    pushing
        Whether it has pushed a Gun in this MPh.
    crew
        The impairment of a vehicle's crew.
    due, left_due, trail
        Whether at night its Movement DR is due, or has been since it left its Convoy, and whether
        it moves along a Trail Break.
    provoked
        For a unit about to try its smoke dispenser in the enemy's MPh: whether a moving enemy is in
        its LOS.
    late
        Whether its turn of entry is ``past``, or late entry is ``allowed``, or it is ``early``.
    odd
        Whether it is ``berserk`` or a ``dummy``.
    """

    verb: str
    form: str
    own_turn: bool
    phase: str
    final: str
    ti: bool
    pp: int = 0
    line: str = ""
    inside: str = ""
    pushing: bool = False
    crew: tuple[str, ...] = ()
    due: bool = False
    provoked: Los | Literal[""] = ""
    by_impulse: bool = False
    follows: bool = False
    left_due: bool = False
    late: str = ""
    move: str = ""
    odd: str = ""
    trail: bool = False

    @fact
    def goes(self) -> bool:
        """Whether its act takes it to another hex."""
        return has_trait(self.move or self.verb, "goes")

    @fact
    def advances(self) -> bool:
        """Whether it advances, even onto or off the map, rather than moves."""
        return self.verb == "advance" or (self.phase == "APh" and has_trait(self.verb, "advance"))


CREW = ("stunned", "shocked", "abandoned", "recalled")


class Actor(NamedTuple):
    """A unit about to act, and how, from which subjects' facts are read."""

    position: AslPosition
    unit: AslUnit
    kind: UnitType
    verb: str
    riders: tuple[AslUnit, ...]  # riders of horses or a motorcycle
    due: bool  # it must make a Movement DR to go on
    stays: bool  # stays in an Impulse of its platoon


def is_due(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether, at night, a unit must make a Movement DR to go on or begin to move."""
    return (
        position.conditions.night
        and unit.night.guide is None
        and is_unguided(position, unit.at)
        and sees_enemy(position, unit) != "yes"
    )


def strays_with(unit: AslUnit, first: AslUnit, kind: UnitType) -> bool:
    """Return whether a line's unit strays only with its lead, unlike AFV with radios."""
    if kind_of(unit) == "platoon":
        return first.id != unit.id and not kind.radio
    return first.id != unit.id or (not unit.line.left and origin_of(unit) != unit.line.convoy)


def on_trail(standing: Standing, steps: Iterable[object]) -> Standing:
    """Return a standing that states whether the steps asked about follow a Trail Break."""
    if not (standing.due or standing.left_due):
        return standing
    trail = any(isinstance(step, Entry) and step.along_trail for step in steps)
    return standing.replace(trail=True) if trail else standing


def is_blind(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether it is a buttoned-up AFV at night with nothing visible."""
    if not unit.crew.bu or not position.conditions.night or position.conditions.nvr:
        return False
    return type_of(position, unit).afv


def standing_of(
    position: AslPosition,
    unit: AslUnit,
    verb: str,
    *,
    by_impulse: bool = False,
    lead: AslUnit | None = None,
    move: str = "",
) -> Standing:
    """
    Return the facts of whether a unit can act at all.

    `lead` is the first of its line, if known; `move` is what it does in an Impulse.
    """
    if by_impulse or lead is not None or move:
        return _standing(position, unit, verb, by_impulse=by_impulse, lead=lead, move=move)
    known = position.__dict__.setdefault("standing", {})
    found = known.get((unit.id, verb))
    if found is None or found[0] is not unit:  # a unit imagined elsewhere or otherwise
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
    riders = tuple(riders_of(position, unit)) if kind.mounts else ()
    actor = Actor(position, unit, kind, verb, riders, due=due, stays=stays)
    return Standing.read_off(
        actor,
        verb=verb,
        form=form_of(kind),
        own_turn=unit.side == position.side,
        phase=position.phase,
        final=unit.points.final,
        ti=unit.status.ti and not stays,
        pp=sum([w.pp for w in unit.sw if not is_gone_upon(unit, w)]) if unit.sw else 0,
        line=line,
        inside=unit.place.inside,
        pushing=unit.move.hazardous == "push-gun" and unit.move.mph == "moving",
        crew=_crew(unit),
        due=due and (unit.move.mph == "unmoved" or unit.line.left == ""),
        left_due=due and unit.move.mph == "moving" and unit.line.left != "",
        by_impulse=by_impulse,
        follows=follows,
        provoked=provoked(position, [unit])[0]
        if verb == "dispense" and unit.side != position.side and position.phase == "MPh"
        else "",
        late=lateness(position, unit) if unit.at is None else "",
        move=move if due or blind or unit.crew.stunned or unit.crew.shocked else "",
        odd="berserk" if unit.status.berserk else "dummy" if unit.concealment.dummy else "",
    )


def is_among(position: AslPosition, unit: AslUnit, others: Sequence[AslUnit]) -> bool:
    level = level_of(position, unit)
    return any(
        u.side != unit.side and level_of(position, u) == level and _holds(position, u)
        for u in others
    )


def fights(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit is Infantry on foot with a Known armed enemy in its Location."""
    if unit.at is None or unit.cargo.aboard is not None or unit.cargo.guard is not None:
        return False
    others = position.occupants.get(unit.at, ())
    return type_of(position, unit).is_infantry and is_among(position, unit, others)


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


def lateness(position: AslPosition, unit: AslUnit) -> str:
    """Return whether a unit's turn of entry is ``past`` or to come; see E11.7a for lines."""
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
