"""Mopping Up (A12.153)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.state.action import Action
from marchtable.state.position import UnitId
from marchtable_models.asl.data import count
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.stacks import members
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views.buildings import building_at
from marchtable_models.asl.views.ground import floors_of
from marchtable_models.asl.views.unitkinds import type_of


class MopUp(Action, frozen=True, tag="mop-up"):
    """
    An Infantry MMC secures its building in its PFPh, alone or with ``others`` elsewhere in it.

    Use `capture` for broken enemies there who surrender.
    """

    traits: ClassVar[Traits] = ("says",)

    unit: UnitId
    others: Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})] = ()


class MoppingUp(Facts, frozen=True, gc=False):
    """A unit about to secure its building in its PFPh, perhaps with others elsewhere in it."""

    phase: str
    own_turn: bool
    fit: bool  # armed Good Order Infantry MMC, neither pinned nor TI, that has not fired
    building: bool  # it is in a building
    large: bool  # the building has several hexes or levels
    known: bool  # the board shows the extent of the building
    enemies: bool  # an unconcealed, unbroken enemy is in it
    again: bool  # another friendly unit in the building is already TI
    far: bool  # a ground level Location is more than two hexes from all units that mop up


def others_to_mop_up(position: AslPosition, unit: AslUnit) -> list[tuple[str, ...]]:
    """Return with whom Infantry might mop up in its PFPh: nobody, or all in its building who can."""
    now = position.phase == "PFPh" and unit.side == position.side
    if not (now and unit.at is not None and type_of(position, unit).is_infantry):
        return []
    hexes, _ = building_at(position, unit.at)
    inside = [one for one in position.units if one.at in hexes and one.side == unit.side]
    able = [one for one in inside if one is not unit and _is_fit(position, one)]
    return list(dict.fromkeys([(), tuple(one.id for one in able)]))


def _is_fit(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether it is an armed Good Order Infantry MMC, neither pinned nor TI, that has not fired."""
    kind, state = type_of(position, unit), unit.status
    return (
        kind.is_infantry
        and kind.class_ != "smc"
        and unit.cargo.aboard is None
        and unit.cargo.guard is None
        and not unit.concealment.dummy
        and state.good_order
        and not (state.pinned or state.unarmed)
        and not (state.ti or state.prep_fired or state.fired)
    )


@cases(MopUp)
def mopping_up_facts(position: AslPosition, action: MopUp) -> list[Case]:
    """Return the facts of units that secure their building."""
    units = members(position, (action.unit, *action.others))
    return [about(unit, mopping_up(position, unit, units)) for unit in units]


def mopping_up(position: AslPosition, unit: AslUnit, units: Sequence[AslUnit]) -> MoppingUp:
    """Return the facts of a unit about to secure its building, with others."""
    hexes, known = building_at(position, str(unit.at)) if unit.at else (frozenset[str](), True)
    inside = [other for other in position.units if other.at in hexes]
    ids = {each.id for each in units}
    near = [each.at for each in units if each.at in hexes]
    most = count("A12.153", "hexes")
    return MoppingUp(
        phase=position.phase,
        own_turn=unit.side == position.side,
        fit=_is_fit(position, unit),
        building=bool(hexes),
        large=len(hexes) > 1 or any(floors_of(position.board[name]) for name in hexes),
        known=known,
        enemies=any(
            other.side != unit.side
            and other.cargo.guard is None
            and not (other.concealment.concealed or other.status.broken)
            and type_of(position, other).class_ != "wreck"
            for other in inside
        ),
        again=any(
            other.side == unit.side and other.status.ti and other.id not in ids for other in inside
        ),
        far=any(
            all(position.board.distance(name, str(at)) > most for at in near) for name in hexes
        ),
    )


@clause("A12.153a", kind="action")
def mops_up(facts: MoppingUp, sheet: Sheet) -> None:
    """In its PFPh an armed, unpinned, unfired Good Order Infantry MMC mops up, and is TI."""
    if not facts.own_turn or facts.phase != "PFPh":
        sheet.bar("units mop up buildings in their own PFPh", "PFPh", facts.phase)
    if not facts.fit:
        sheet.bar(
            "only an armed, unpinned Infantry MMC in Good Order that has not fired can mop up"
        )
    sheet.force("ti", value=True)


@clause("A12.153b", kind="action")
def in_which_building(facts: MoppingUp, sheet: Sheet) -> None:
    """Mopping Up secures a building of several hexes or levels without an unconcealed unbroken enemy, once a Player Turn."""
    if not facts.building or (facts.known and not facts.large):
        sheet.bar("it is not in a building of several hexes or levels")
    if facts.enemies:
        sheet.bar("an unconcealed, unbroken enemy is in the building")
    if facts.again:
        sheet.bar("the building has been mopped up in this Player Turn")


@not_modelled("A12.153c")
def whole_building(facts: MoppingUp) -> bool:
    """Mopping Up if the building's extent is unknown, or control of Locations more than two hexes away."""
    return facts.building and (not facts.known or facts.far)


@effect(MopUp)
def after_mopping_up(position: AslPosition) -> AslPosition:
    """Return the position unchanged: a clause applies the effect on the unit."""
    return position
