"""Squads that split and half squads that combine (5.31, 13.10, 16.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Action, Fellow
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.valor.model import Names, ValorPosition, ValorUnit
from marchtable_models.valor.rules.stacking import stacked
from marchtable_models.valor.rules.support_weapons import portage_of
from marchtable_models.valor.views.units import leaders, type_of, types


class Split(Action, frozen=True, tag="split"):
    """
    A squad splits into two half squads: it becomes one, and the other (``sqA-2`` beside ``sqA``) is new.

    The new one takes the support weapons named in ``gives``.
    """

    unit: UnitId
    gives: Names = ()


class Join(Action, frozen=True, tag="join"):
    """Two half squads of a type combine into their squad: the first, with the weapons of both."""

    unit: UnitId
    to: Fellow


class Forming(Facts, frozen=True):
    """A squad about to split, or two half squads about to combine."""

    joins: bool  # they combine
    # the phase; a unit involved is pinned or valorous
    phase: str
    own_turn: bool
    pinned: bool
    valorous: bool
    led: bool  # an unpinned friendly leader is in the hex
    # the two half squads are on the map, of one side and hex, both on foot or aboard the same
    # vehicle
    together: bool
    fits: bool  # there is a half squad for the squad, or a squad for both of their type
    held: bool = True  # it has the weapons it gives away


_NUMBERED = re.compile(r"(.*?)((?:-\d+)*)", re.DOTALL)


def stems_from(position: ValorPosition, name: str) -> bool:
    """Return whether a half squad of that name can split from an existing unit or its half squads."""
    stem, number = _NUMBERED.fullmatch(name).groups()  # type: ignore[union-attr]
    parts = number.split("-")[1:]
    stems = ("-".join((stem, *parts[:kept])) for kept in range(len(parts)))
    whole = next((position.unit(one) for one in stems if one in position.index), None)
    return whole is not None and type_of(position, whole).class_ in ("squad", "half-squad")


@cases(Split, Join)
def forming_facts(position: ValorPosition, action: Split | Join) -> Iterator[Case]:
    """Yield the facts of the split or combination, and of the hex and loads after it."""
    unit, splits = position.unit(action.unit), isinstance(action, Split)
    other = unit if isinstance(action, Split) else position.unit(action.to)
    units = (unit,) if splits else (unit, other)
    half = type_of(position, unit).half
    facts = Forming(
        joins=not splits,
        phase=position.phase,
        own_turn=unit.side == position.side,
        pinned=unit.pinned or other.pinned,
        valorous=unit.valorous or other.valorous,
        led=bool(leaders(position, unit.side, unit.at)),
        together=unit.at is not None
        and (unit.at, unit.side, unit.aboard) == (other.at, other.side, other.aboard)
        and (splits or unit is not other),
        fits=half is not None if splits else _squad_of(position, unit, other) is not None,
        held=not isinstance(action, Split) or _left(unit, action.gives) is not None,
    )
    who = tuple(one.id for one in units)
    yield about(unit, facts)._replace(units=who)
    after = after_forming(position, action)
    if after is None or unit.at is None:
        return
    for one in after.units:
        if (one.id in who or one.id not in position.index) and one.at is not None:
            yield about(unit, portage_of(after, one))
    if splits:
        yield about(unit, stacked(after, after.unit(unit.id), ends=True))


def _left(unit: ValorUnit, given: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the weapons a unit keeps, None if it lacks one it gives."""
    left = list(unit.sw)
    for name in given:
        if name not in left:
            return None
        left.remove(name)
    return tuple(left)


def _squad_of(position: ValorPosition, unit: ValorUnit, other: ValorUnit) -> str | None:
    """Return the first squad type of which both are half squads."""
    if unit.type != other.type:
        return None
    return next((kind.name for kind in types(position) if kind.half == unit.type), None)


@clause("V5.31b", kind="action")
def with_a_leader(facts: Forming, sheet: Sheet) -> None:
    """In its own Command Phase, with a leader, a squad splits into half squads, or two combine."""
    if not facts.own_turn or facts.phase != "Command":
        sheet.bar("it is not its side's Command Phase", "Command", facts.phase)
    if not facts.together:
        sheet.bar("the half squads must be in one hex, both on foot or in one vehicle")
    if not facts.led:
        sheet.bar("no unpinned leader is in the hex")
    if not facts.held:
        sheet.bar("it does not have the weapon")


@clause("V13.10", kind="action")
def one_type(facts: Forming, sheet: Sheet) -> None:
    """Half squads belong to the type of their squad."""
    if not facts.fits:
        sheet.bar("no squad is reduced to both" if facts.joins else "it has no half squad")


@clause("V16.4", kind="action")
def valorous_stay(facts: Forming, sheet: Sheet) -> None:
    """Valorous infantry cannot split or combine."""
    if facts.valorous:
        sheet.bar("it is valorous")


@effect(Split, Join)
def after_forming(position: ValorPosition, action: Split | Join) -> ValorPosition | None:
    """Return the position after it, None without such half squads."""
    unit = position.unit(action.unit)
    if isinstance(action, Split):
        half, left = type_of(position, unit).half, _left(unit, action.gives)
        if half is None or left is None:
            return None
        number = 2
        while f"{unit.id}-{number}" in position.index:
            number += 1
        kept = replace(unit, type=half, sw=left)
        new = replace(kept, id=f"{unit.id}-{number}", sw=action.gives)
        return replace(position, units=(*position.with_units([kept]).units, new))
    other = position.unit(action.to)
    squad = _squad_of(position, unit, other)
    if squad is None or unit is other:
        return None
    whole = replace(unit, type=squad, sw=(*unit.sw, *other.sw))
    return position.with_units([whole, replace(other, at=None, aboard=None, sw=())])
