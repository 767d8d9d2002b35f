"""Events other than rolls that a rule calls for: attacks, losses, Recall, sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.facts import Case, Edition, about
from marchtable.rules.subjects import cases, effect, settles
from marchtable.state.action import Event
from marchtable.state.position import LocationName, Obligation, UnitId
from marchtable.state.records import replace
from marchtable_models.asl.effects import acting as acts
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import BLOW, EVENT, LOSS, PARTING, SHOWING
from marchtable_models.asl.rules.infantry_mf import Wound
from marchtable_models.asl.unittype import UnitType
from marchtable_models.asl.views.cargo import removed
from marchtable_models.asl.views.foot_facts import LOSES, Detection
from marchtable_models.asl.views.standing import fights
from marchtable_models.asl.views.unitkinds import has_men, is_manned, type_called, type_of

Blow = Literal[
    "attacked", "pinned", "broken", "immobilized", "bogged", "stunned", "recalled", "eliminated",
    "wounded",
    "wire", "disbanded", "revealed", "berserk", "calm", "reduced", "rallied", "held", "free",
]  # fmt: skip
Cause = Literal["fire", "mines"]


class StatedResult(Event, frozen=True, tag="result"):
    """
    An event happened to a unit: it was attacked (without further effect), pinned, lost and so on.

    ``wire``: it has found hidden Wire. ``disbanded``: the fire its Column allowed by declaring to
    disband is over. ``wounded``: a SMC. ``revealed``: it has lost concealment, by a Search or
    otherwise. ``berserk``: Heat of Battle has made it so; ``calm``: it no longer is. ``reduced``: a
    squad is now a half squad of the type in ``into``. ``rallied``: a broken unit is unbroken
    again. ``held``: a unit among enemies is held in Melee; ``free``: it is not. ``by`` distinguishes mines from all other attacks.
    """

    unit: UnitId
    what: Blow
    by: Cause = "fire"
    into: Annotated[str, msgspec.Meta(extra={"domain": "free"})] = ""


class Capture(Event, frozen=True, tag="capture"):
    """An enemy captured a unit in CC or as a building was mopped up (A20.2)."""

    unit: UnitId
    by: Annotated[UnitId, msgspec.Meta(extra={"domain": "mate"})]


class Strike(Event, frozen=True, tag="strike"):
    """
    A Location was attacked by aircraft, is in a HE Blast Area, or had WP placed in it.

    The event is not stored; for a lasting Blast Area, put the counter ``blast-area`` in the scene.
    """

    kind: Literal["aircraft", "he", "wp"]
    at: LocationName


class Sight(Event, frozen=True, tag="sight"):
    """
    A unit now has a LOS to the units in ``of``, and none to those in ``not_of``.

    In the other side's MPh, ``?`` and a Location in ``of`` state that it has seen the concealed
    units there move: they lose their concealment (A12.2).
    """

    unit: UnitId
    of: Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})] = ()
    not_of: Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})] = ()


MINES = ("mines", "mines-left")
GONE = ("eliminated", "dies")
"""The outcome by which a unit is lost."""
"""The rolls with an event as their result: attacks of a minefield entered or left."""
MELEE = ("held", "free")
"""Whether a unit among enemies is held in Melee."""
NO_ATTACK = (
    "bogged", "recalled", "wire", "disbanded", "revealed", "berserk", "calm", "rallied", *MELEE,
)  # fmt: skip
"""Events of units without an attack."""
STRUCK: tuple[tuple[tuple[str, ...], str, Callable[[AslUnit, UnitType], bool]], ...] = (
    (("pinned", "broken"), "Personnel (of a vehicle, who is aboard it)", lambda _, kind: has_men(kind)),
    (("pinned",), "an unbroken unit (A7.8)", lambda unit, _: not unit.status.broken),
    (("rallied",), "a broken unit (A10.6)", lambda unit, _: unit.status.broken),
    (("pinned",), "a unit that does not climb a cliff (B11.4)", lambda unit, _: unit.place.inside != "cliff"),
    (("broken", "wounded", "berserk"), "eliminated, as it climbs a cliff (B11.42)", lambda unit, _: unit.place.inside != "cliff"),
    (("wounded",), "a SMC", lambda _, kind: kind.class_ == "smc"),
    (("reduced",), "a squad", lambda _, kind: kind.class_ == "squad"),
    (("berserk", "calm"), "Infantry", lambda _, kind: kind.is_infantry),
    (("immobilized", "bogged"), "a vehicle", lambda _, kind: kind.is_vehicle),
    (("stunned", "recalled"), "a vehicle with a crew or Driver", lambda _, kind: is_manned(kind)),
)  # fmt: skip
"""Events of some units only: the events, what is expected, and how to recognize these units."""


@cases(StatedResult, Capture, Sight, Strike)
def event_facts(position: AslPosition, event: Event, edition: Edition) -> Iterator[Case]:
    """Yield the facts of an event: for the unit, its line, its PRC, and units that see it."""
    ask = edition.subjects.ask
    if isinstance(event, Sight) and (twice := set(event.of).intersection(event.not_of)):
        raise BadInputError(f"{min(twice)} is in `of` and in `not_of`", field="not_of")
    if not isinstance(event, StatedResult):
        yield from ask(EVENT, [], position, event)
        if isinstance(event, Sight):
            seen = [one for name in event.of for one in seen_to_move(position, event.unit, name)]
            for one in seen:
                yield about(one, Detection(LOSES, dummy=one.concealment.dummy))
            if seen:
                yield from ask(SHOWING, [], position, [one.id for one in seen])
        return
    unit = position.unit(event.unit)
    _check_blow(position, unit, event)
    if event.what in ("eliminated", "immobilized", "bogged"):
        yield from ask(PARTING, [], position, unit)
    yield from ask(EVENT, [], position, event)
    yield from ask(BLOW, [unit], position, event, edition)
    if event.what == "wounded":
        going = position.phase == "MPh" and unit.side == position.side
        yield about(unit, Wound(unit.points.spent if going else 0))
    if event.what == "revealed":
        yield about(unit, Detection(LOSES, dummy=unit.concealment.dummy))
        yield from ask(SHOWING, [], position, [unit.id])
    if event.what == "eliminated":
        yield from ask(LOSS, [], position, unit)


@settles()
def casualty_facts(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of those who depend on a unit that a roll eliminates: prisoners whose Guard it is."""
    if outcome not in GONE or obligation.id.partition(":")[0] in MINES:
        return []
    found: list[Case] = edition.subjects.ask(LOSS, [], position, position.unit(obligation.unit))
    return found


def seen_to_move(position: AslPosition, name: str, of: str) -> list[AslUnit]:
    """
    Return the concealed units that a stand-in's name means (``?K6``), which a unit has seen move.

    Raises
    ------
    BadInputError
        If nobody there is concealed and has moved in this MPh, or it is the unit's own.
    """
    if not of.startswith("?"):
        return []
    unit, at = position.unit(name), of.lstrip("?")
    shown = (
        [position.unit(of)] if of in position.index else []
    )  # of a side's view: whether it moved is not known
    seen = shown or [
        one
        for one in position.occupants.get(at, ())
        if one.concealment.concealed and one.side == position.side and one.move.mph != "unmoved"
    ]
    if position.phase != "MPh" or unit.side == position.side or not seen:
        raise BadInputError(
            f"{name} can have seen concealed units move only in the enemy's MPh; expected the Location "
            "of some that have moved in it",
            field="of",
        )
    return seen


def expected_of(position: AslPosition, unit: AslUnit, what: str) -> str | None:
    """Return which unit, or phase, an event is for, None if it can happen to this one now."""
    if what == "rallied" and position.phase != "RPh":
        return "the RPh, in which units rally (A10.6)"
    if what in MELEE and not unit.status.melee and not fights(position, unit):
        return "Infantry on foot with a Known armed enemy in its Location (A11.15)"
    kind = type_of(position, unit)
    unmet = (text for names, text, holds in STRUCK if what in names and not holds(unit, kind))
    return next(unmet, None)


def _check_blow(position: AslPosition, unit: AslUnit, event: StatedResult) -> None:
    """Raise BadInputError for an event that cannot happen to such a unit."""
    expected = expected_of(position, unit, event.what)
    if expected is not None:
        raise BadInputError(f"{unit.id} cannot be {event.what}; expected {expected}", field="unit")
    half = type_called(position, unit, event.into) if event.into else None
    if bool(event.into) != (event.what == "reduced") or (
        event.into and (half is None or half.class_ != "half-squad")
    ):
        raise BadInputError(
            f"{unit.id}: expected the type of half squad that a squad is reduced to, as in into=2-4-7, "
            "and of nothing else",
            field="into",
        )


STANDS: dict[str, Any] = {"moving": False, "reverse": False}
HALTED: dict[str, Any] = {**STANDS, "mph": "done"}
BLOWS: dict[str, dict[str, Any]] = {
    "attacked": {}, "pinned": {"pinned": True, "dash": None, "wave": ""}, "wounded": {"wounded": True, "dash": None, "concealed": False}, "stunned": {"stunned": True},
    "broken": acts.BROKEN, "wire": {}, "disbanded": {}, "revealed": {}, "recalled": {"recalled": True}, "immobilized": {**STANDS, "immobile": True, "fallen": True},
    "bogged": {**HALTED, "bogged": True},
    "berserk": {"berserk": True, "wave": "", **dict.fromkeys(("broken", "dm", "pinned", "cx", "ti", "concealed", "assault"), False)},
    "calm": {"berserk": False},
    "held": {"melee": "held"}, "free": {"melee": "free"},
    "rallied": {"broken": False, "dm": False},
}  # fmt: skip
"""An event's effect on a unit, by name."""
BY_MINES = ("eliminated", "immobilized")
"""The effects of mines on a vehicle that give others in its Convoy a reason to leave."""


@effect(StatedResult, Sight)
def after_event(position: AslPosition, event: StatedResult | Sight) -> AslPosition:
    """Return the position after an event, apart from what the unit is part of."""
    unit = position.unit(event.unit)
    if isinstance(event, Sight):
        return _sighted(position, unit, event)
    if event.what == "eliminated":
        if unit.facing is None:
            on_foot = unit.cargo.aboard is None or unit.cargo.act in (
                "loads",
                "hooks",
            )  # it has not boarded
            return (
                acts.lost(position, unit)
                if on_foot
                else position.with_units(removed(position, unit))
            )
        changes: dict[str, Any] = {**HALTED, "fallen": True, "spent": 0, "used": 0, "final": ""}
        changes |= {"lost": 0, "boarder_spent": 0, "boarder_left": 0}
        if type_of(position, unit).class_ != "vehicle":  # wagons and motorcycles leave no wreck
            gone, *others = removed(position, unit)
            return position.with_units([replace(gone, **changes), *others])
        changes |= {"type": "wreck", "facing": None, "taken": ()}
    elif event.what == "reduced":
        position = after_reduction(position, unit, event.into)
        unit, changes = position.unit(unit.id), {}
    else:
        changes = BLOWS[event.what]
    if event.what == "broken" and position.phase == "RtPh" and not unit.status.broken:
        changes = changes | acts.AFRESH  # voluntarily, so that it routs (A10.41)
    harmless = event.by == "mines" and event.what not in BY_MINES  # as E11.251 counts attacks
    in_convoy = bool(unit.line.convoy or unit.line.origin)
    ends = position.phase == "MPh" and unit.side == position.side  # an Impulse has just ended
    attacked = unit.line.attacked or (
        in_convoy and ends and not (event.what in NO_ATTACK or harmless)
    )
    return position.with_units([replace(unit, **changes, attacked=attacked)])


def _sighted(position: AslPosition, unit: AslUnit, event: Sight) -> AslPosition:
    """Return the position with a unit's stated sight, withdrawing contrary statements."""
    of = tuple(
        dict.fromkeys(
            one for name in event.of
            for one in ([u.id for u in seen_to_move(position, unit.id, name)] or [name])
        )
    )  # fmt: skip
    changed = [replace(unit, sees=of, not_sees=event.not_of)]
    for name in (*of, *event.not_of):
        other = position.unit(name)
        field = "not_sees" if name in of else "sees"
        names = getattr(other.concealment, field)
        if unit.id in names:
            changed.append(replace(other, **{field: tuple(one for one in names if one != unit.id)}))
    return position.with_units(changed)


def after_reduction(position: AslPosition, unit: AslUnit, name: str) -> AslPosition:
    """Return the position once a squad is a half squad of the named type."""
    half = type_called(position, unit, name)
    assert half is not None, name
    return position.with_units([replace(unit, type=half.name, concealed=False)])


@effect(Capture)
def after_capture(position: AslPosition, event: Capture) -> AslPosition:
    """Return the position once a unit is captured."""
    return acts.captured(position, position.unit(event.unit))


@effect(Strike)
def after_strike(position: AslPosition) -> AslPosition:
    """Return the position unchanged: an attack on a Location is not stored."""
    return position
