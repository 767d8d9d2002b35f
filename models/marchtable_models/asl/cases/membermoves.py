"""Reads off a position what one member of a line does by a move, and the facts of that step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.state.action import verb_of
from marchtable_models.asl.effects import acts as effects
from marchtable_models.asl.extraction import lines, movers
from marchtable_models.asl.extraction import reading as survey
from marchtable_models.asl.extraction import vehicles as survey_vehicles
from marchtable_models.asl.extraction.remembered import known_on
from marchtable_models.asl.extraction.steps import facts_of_step, hexes
from marchtable_models.asl.extraction.weather import weather_of
from marchtable_models.asl.model import SPINES, AslConditions, AslUnit, Enter, Start, Stop, Turn
from marchtable_models.asl.verbs.bypass import Along, Bypass, Into
from marchtable_models.asl.verbs.foot import Advance
from marchtable_models.asl.verbs.vehicles import Delay, Exit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.state.action import Action
    from marchtable.state.position import Position

    AslPosition = Position[AslUnit, AslConditions]
    Step = tuple[Any, tuple[str, ...]]

__all__ = ["Mark", "Told", "facts_of", "told_of"]

WITHIN, STEPS = (Along, Into), (Enter, Advance)
ROUND = (Bypass, *WITHIN)
ENTRIES = (*STEPS, *ROUND, Exit)
LOOKING = (Start, Stop, Exit)
Mark = tuple[str, "str | None", "int | None", "str | None"]
"""Where a unit stands, as others meet it there: its id, Location, and how it is in Bypass."""


class Told(NamedTuple):
    """
    A move as it is told for a member of a line.

    Parameters
    ----------
    act, verb
        What it does, None for staying, and as what its standing is looked at.
    to
        The Location that it enters otherwise than by Bypass, if any.
    looks
        The Locations that its facts look at, None if these may be any.
    after, mark
        The member as its move leaves it, nothing being paid; where it stands then, None if as it did.
    """

    act: Action | None
    verb: str
    to: str | None
    looks: tuple[str, ...] | None
    after: AslUnit
    mark: Mark | None


def told_of(position: AslPosition, unit: AslUnit, move: str) -> Told:
    """Return what a member does by a move; raises BadInputError for one that is not readable."""
    act = lines.step_of(unit, move, position.phase)
    if act is None:
        return Told(None, "impulse", None, (), unit, None)
    after = effects.acted(position, act, unit, 0)
    mark = _where(after)
    gone = None if mark == _where(unit) else mark
    kind = type(act)
    if kind in STEPS:
        to = after.at
        looks = (to,) if unit.at is None else (unit.at, to)
        return Told(act, "advance" if kind is Advance else "impulse", to, looks, after, gone)  # type: ignore[arg-type]
    verb = "exit" if kind is Exit and not unit.line.convoy else "impulse"  # see A2.6e
    seen = None if kind in ROUND else hexes(unit.at) if kind in LOOKING else ()
    return Told(act, verb, None, seen, after, gone)


def _where(unit: AslUnit) -> Mark:
    """Return where a unit stands, as others meet it there."""
    edge = unit.place.bypass
    return (unit.id, unit.at, edge, None if edge is None else unit.facing)


def facts_of(
    position: AslPosition,
    unit: AslUnit,
    move: str,
    told: Told,
    gone: Mapping[Mark, AslUnit],
    alike: int,
) -> Sequence[Step]:
    """
    Return the facts of a member's step, with where: those of any like it, if nobody is in its way.

    `gone` are those ahead of it who have gone from, or to, a Location that it looks at, `alike` is
    its likeness.
    """
    if told.act is None:
        return ()
    if not _is_plain(position, unit, told, gone):
        return _of_step(_moved(position, gone), unit, told)
    steps = known_on(position).steps
    key = (
        alike, move, unit.at, unit.facing, unit.move.previous, unit.points.used > 0,
        position.phase,
    )  # fmt: skip
    found = steps.get(key)
    if found is None:
        found = steps[key] = _of_step(_moved(position, gone), unit, told)
    return found


def _moved(position: AslPosition, gone: Mapping[Mark, AslUnit]) -> AslPosition:
    return position.with_units(list(gone.values())) if gone else position


def _is_plain(
    position: AslPosition, unit: AslUnit, told: Told, gone: Mapping[Mark, AslUnit]
) -> bool:
    """Return whether a step is one by itself: no others, counters or Gun in tow bear on it."""
    if position.counters or unit.at is None or unit.place.bypass is not None or unit.cargo.towing:
        return False
    if weather_of(position.conditions).snow or survey.type_of(position, unit).mounts:
        return False
    to = told.to
    if to is None:
        return type(told.act) is Turn
    there = position.occupants.get(to)
    if there is None and not gone:
        return True
    left = [mark[0] for mark in gone]
    return to not in [mark[1] for mark in gone] and all([u.id in left for u in there or ()])  # noqa: C419 - quicker


def _of_step(position: AslPosition, unit: AslUnit, told: Told) -> Sequence[Step]:
    act = told.act
    if isinstance(act, ENTRIES):
        to = unit.at if isinstance(act, WITHIN) else told.to
        if isinstance(act, Bypass):
            to = position.board.resolve(act.to)
        stack, where = movers.party(position, (unit,)), hexes(unit.at, to)
        if isinstance(act, Exit):
            where = hexes(unit.at)
        return [(facts, where) for facts in facts_of_step(position, unit, to, stack, act)]
    if isinstance(act, Turn):
        facts: Any = survey_vehicles.swing(position, unit, SPINES.index(act.facing))
    elif isinstance(act, Delay):
        facts = survey_vehicles.wait(position, unit, act)
    else:
        verb, reverse = verb_of(act) if act else "", isinstance(act, Start) and act.reverse
        facts = survey_vehicles.start_stop(position, unit, verb, reverse=reverse)
    return [(facts, hexes(unit.at))]
