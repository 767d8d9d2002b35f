"""Manhandling: Guns pushed by their crews (C10.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled, settles
from marchtable.state.action import Action, Adjacent, Companions
from marchtable.state.position import Half, Obligation, Odds, UnitId
from marchtable.state.records import replace
from marchtable_models.asl.data import count, tem
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.model import AslPosition, AslUnit, Enter, UnitType
from marchtable_models.asl.rules.leaders import partings
from marchtable_models.asl.rules.stacks import group, members
from marchtable_models.asl.rules.towers import TOWER
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import movers, reading
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.ground_facts import BUILT
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.reading import entry, there
from marchtable_models.asl.views.standing import Standing, standing_of
from marchtable_models.asl.views.steps import hexes
from marchtable_models.asl.views.unitkinds import type_of

MEN_FOR = {3: 2, 2: 1, 1: 0}
"""Half squads needed to push motorcycles, by number; a SMC can push a single one (D15.4)."""


class Push(Action, frozen=True, tag="push"):
    """
    Infantry, at least a crew's worth, pushes a Gun in its Location into an adjacent one.

    ``labor`` is the Labor counter's DRM.
    """

    traits: ClassVar[Traits] = ("leaves",)

    units: Companions
    gun: Annotated[UnitId, msgspec.Meta(extra={"domain": "gun"})]
    to: Adjacent
    labor: Half = 0


class Pushed(Facts, frozen=True, gc=False):
    """The result of a Manhandling DR for a Gun or a pusher: ``goes``, ``stops``, ``fails``."""

    outcome: str
    previous: str | None  # where they came from


class Pushing(Facts, frozen=True, gc=False):
    """Infantry about to push a Gun into an adjacent Location."""

    gun: bool  # a friendly Gun, or unridden motorcycles
    together: bool  # it is in the Location, neither in tow nor TI
    ready: bool  # limbered, or it need not be
    m_number: int | None  # None if unstated
    half_squads: int  # pushing units, in half squads (crews count as one)
    whole: bool  # these are a single squad
    fit: bool  # all are Good Order Infantry on foot, without Bypass or Assault Movement
    pp: int  # PP they carry
    beneath: bool  # some are beneath a Fortification or upstairs
    cost: int  # entry cost, doubled, in half MF
    tem: int  # of the hexside crossed and the hex entered
    road: bool  # they cross a road hexside, usable in this weather
    mired: bool  # either hex has Mud or Deep Snow
    row: str  # Chart row of the hex entered
    concealed: bool  # there are concealed enemies
    labor: int = 0  # the Labor counter's DRM
    small: bool = False  # the Gun is a small target
    cycles: bool = False  # motorcycles, not a Gun
    needed: int = 1  # half squads required
    helpers: int = 0  # extra SMC who push, if one half squad is required


@cases(Push)
def push_facts(position: AslPosition, action: Push, edition: Edition) -> list[Case]:
    """Return the facts of units that push a Gun, and of units left behind."""
    units, gun = members(position, action.units), position.unit(action.gun)
    to, found = position.board.resolve(action.to), list[Case]()
    if len(units) > 1:
        found.append(about(units, group(position, units, "push")))
    costs = []
    for unit in units:
        found.append(about(unit, standing_of(position, unit, "push"), to))
        if unit.at is None or position.board.hexside(unit.at, to) is None:
            found.append(about(unit, reading.jump(position, unit, to), to))
            continue
        step = entering(position, unit, units, gun, to)
        found.append(about(unit, step, to))
        costs.append((edition.judge(step).total, step))
    if costs:
        most, step = max(costs, key=lambda cost: cost[0])
        facts = pushing(position, units, gun, step, most, action.labor // 2)
        found.append(Case((units[0].id, gun.id), facts, hexes(gun.at, to)))
    found += interrupted(position, units, edition)
    return found + partings(position, action.units, edition)


def entering(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], gun: AslUnit, to: str
) -> Entry:
    """Return the facts of a unit that enters with others, pushing a Gun."""
    stack = movers.party(position, [*units, gun])
    found = entry(position, unit, to, stack, Enter(stack.ids, to))
    return found.replace(pushes=True, detour=None, asks=())


def pushing(
    position: AslPosition,
    units: Sequence[AslUnit],
    gun: AslUnit,
    step: Entry,
    cost: int,
    labor: int,
) -> Pushing:
    """Return the facts of units pushing a Gun by a step; `cost` in half MF."""
    piece, kinds = type_of(position, gun), [type_of(position, unit) for unit in units]
    crowd = movers.crowd_of(kinds)
    row = "" if step.way else step.row
    rows = (row, step.ground.hurdle)
    free = gun.cargo.towed_by is None and (
        not gun.status.ti or any(_has_pushed(unit) for unit in units)
    )
    weather = step.weather.bogs and not step.firm
    return Pushing(
        gun=_is_pushed(position, gun, piece) and gun.side == units[0].side,
        together=free and all(unit.at == gun.at for unit in units),
        ready=piece.qsu or gun.cargo.limbered or piece.mounts > 0,
        needed=MEN_FOR.get(piece.mounts, 1),
        helpers=min(1, crowd.smc - 1) if piece.mounts == 1 and crowd.smc else 0,
        m_number=piece.m_number,
        half_squads=2 * crowd.squads + crowd.half_squads + crowd.crews + crowd.smc // 5,
        whole=crowd.squads == 1 and not (crowd.half_squads or crowd.crews),
        fit=all(
            kind.is_infantry
            and not (
                unit.status.broken or unit.status.pinned or unit.move.assault or unit.status.fired
            )
            and unit.place.bypass is None
            and unit.cargo.aboard is None
            for unit, kind in zip(units, kinds, strict=True)
        ),
        pp=sum(weapon.pp for unit in units for weapon in unit.sw),
        beneath=any(unit.place.inside for unit in units),
        cost=cost,
        tem=sum(tem().get(name, 0) for name in rows),
        road=step.way == "road" and (not step.weather.bogs or step.firm),
        mired=weather,
        row=step.row,
        concealed=there(position, gun.side, gun.at or "").concealed or step.there.concealed,
        labor=labor,
        small=piece.small,
        cycles=piece.mounts > 0,
    )


def _is_pushed(position: AslPosition, gun: AslUnit, piece: UnitType) -> bool:
    """Return whether it is a Gun, or unridden motorcycles."""
    idle = piece.class_ == "motorcycle" and piece.mounts > 0
    return piece.class_ == "gun" or (idle and not movers.riders_of(position, gun))


def _has_pushed(unit: AslUnit) -> bool:
    return unit.move.hazardous == "push-gun" and unit.move.mph == "moving"


def to_push(position: AslPosition, unit: AslUnit) -> list[str]:
    """Return the Guns and idle motorcycles beside Infantry that it might push: own, not in tow."""
    if not type_of(position, unit).is_infantry or unit.cargo.aboard is not None:
        return []
    return [
        one.id
        for one in position.beside(unit.at)
        if one.side == unit.side
        and one.cargo.towed_by is None
        and _is_pushed(position, one, type_of(position, one))
    ]


def with_whom(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return the Gun that a unit has just pushed, and all units that pushed it."""
    return [
        other
        for other in position.units
        if (other.at, other.move.previous, other.side) == (unit.at, unit.move.previous, unit.side)
        and (
            _has_pushed(other)
            or (
                type_of(position, other).class_ in ("gun", "motorcycle")
                and other.status.ti
                and other.move.mph == "moving"
            )
        )
    ]


@settles("push")
def manhandling_facts(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return a Manhandling DR's result for the Gun and all units that push it."""
    pushed = with_whom(position, position.unit(obligation.unit))
    return [about(one, Pushed(outcome, one.move.previous)) for one in pushed]


@clause("C10.3", kind="action")
def pushes(facts: Pushing, sheet: Sheet) -> None:
    """A limbered or QSU Gun is pushed by at least a Good Order crew that carries nothing."""
    if not (facts.gun and facts.together):
        sheet.bar("it is not a friendly Gun in their Location, or it is in tow or TI")
    elif not facts.ready:
        sheet.bar("the Gun is not limbered")
    if not facts.fit:
        sheet.bar(
            "units that push must be in Good Order on foot, and not in Bypass or in Assault Movement"
        )
    elif facts.half_squads < facts.needed:
        sheet.bar(
            "pushing a Gun takes at least a crew or half squad, pushing motorcycles as many units as could ride them"
        )
    elif facts.beneath:
        sheet.bar("a Gun cannot be pushed from beneath a Fortification or upstairs")
    if facts.pp:
        sheet.bar("units that push a Gun cannot carry anything", 0, facts.pp, points="PP")


class WithGun(Entry):
    """An entry by a unit that pushes or tows a Gun, or onto a foot bridge."""

    is_relevant = property(
        lambda self: self.pushes or self.mover.towing or self.row == "foot-bridge"
    )


@clause("C10.3b", kind="cost")
def double_cost(facts: WithGun, sheet: Sheet) -> None:
    """Pushing a Gun costs twice the MF."""
    if facts.pushes:
        twice = sheet.total() - sheet.total("weather")  # added last (E3.9)
        sheet.charge(twice, "pushing a Gun", "push")


@clause("C10.3c", kind="state", composes="flag")
def no_bonus(facts: WithGun, sheet: Sheet) -> None:
    """A unit that pushes a Gun has no road bonus."""
    if facts.pushes and facts.road:
        sheet.force("road", value=False)


@clause("C10.3d", kind="action")
def where_to(facts: Pushing, sheet: Sheet) -> None:
    """A Gun cannot be pushed into a deep stream or through a ford."""
    if facts.row in ("stream-deep", "water"):
        sheet.bar("a Gun cannot be pushed there")


@not_modelled("B23.423")
def unstated(facts: Pushing) -> bool:
    """A Gun of unknown size pushed into a building or rubble, one of unknown M#, or one pushed past concealed enemies."""
    return facts.gun and (
        (facts.row in BUILT and not facts.small) or facts.concealed or facts.m_number is None
    )


@clause("C10.3a", kind="odds")
def manhandling(facts: Pushing, sheet: Sheet) -> None:
    """Each hex calls for a Manhandling DR: above the M# the Gun stays; equal to it, the Gun goes no farther."""
    drm = {"TEM": facts.tem, "MF": -(-facts.cost // 2), "Labor": -facts.labor}
    hands = 1 if facts.whole else max(facts.half_squads - 1, facts.helpers)
    drm["more hands"] = -min(hands, count("C10.3", "most_hands"))
    if facts.mired:
        drm["Mud or Deep Snow"] = count("C10.3", "mud")
    elif facts.road:
        drm["road"] = count("C10.3", "road")
    limit = (facts.m_number or 0) - sum(drm.values())
    (above, of), (at_least, _) = two_dice_at_least(limit + 1), two_dice_at_least(limit)
    odds = (
        Odds("goes", of - at_least, of),
        Odds("stops", at_least - above, of),
        Odds("fails", above, of),
    )
    words = ", ".join(f"{value:+d} {what}" for what, value in drm.items() if value)
    sheet.roll("push", odds, f"M#{facts.m_number}; {words}")


class HasPushed(Standing):
    """A unit that has pushed a Gun."""

    is_relevant = property(lambda self: self.pushing)


@clause("C10.3e", kind="action", composes="flag")
def then_nothing_else(facts: HasPushed, sheet: Sheet) -> None:
    """A unit that has pushed a Gun is TI: it pushes on, hooks it up, or does no more."""
    if facts.pushing and facts.verb not in ("push", "hook", "end"):
        sheet.bar("the unit has pushed a Gun in this MPh")


@clause("C10.3f", kind="effect")
def left_behind(facts: Pushed, sheet: Sheet) -> None:
    """A Gun that fails to move stays with the units pushing it, and their MPh ends."""
    if facts.outcome == "goes":
        return
    sheet.force("mph", "done")
    if facts.outcome == "fails" and facts.previous is not None:
        sheet.force("at", facts.previous)


# -- bridges and Towers --------------------------------------------------------------------------


@clause("B6.44b", kind="action")
def on_foot_alone(facts: WithGun | Pushing, sheet: Sheet) -> None:
    """Only Infantry and unmounted horses and cycles cross a foot bridge."""
    if facts.row != "foot-bridge":
        return
    if isinstance(facts, Pushing):
        if not facts.cycles:
            sheet.bar("a Gun cannot be pushed onto a foot bridge")
    elif facts.mover.column != "inf":
        sheet.bar("only Infantry crosses a foot bridge")


@clause("B34.4b", kind="action")
def no_guns(facts: WithGun | Pushing, sheet: Sheet) -> None:
    """A Gun, pushed or in tow, cannot enter a Tower's hex."""
    if isinstance(facts, Pushing):
        comes = facts.gun and facts.row == TOWER
    else:
        comes = facts.mover.towing and TOWER in (facts.ground.there, facts.ground.within)
    if comes:
        sheet.bar("a Gun cannot enter a Tower's hex")


@effect(Push)
def after_push(position: AslPosition, action: Push, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after units have pushed a Gun, before the Manhandling DR."""
    gun, to = position.unit(action.gun), position.board.resolve(action.to)
    came = [replace(unit, previous=unit.at) for unit in members(position, action.units)]
    after = after_action(
        position.with_units(came), action, bills, at=to, ti=True, hazardous="push-gun"
    )
    return after.with_units([replace(gun, at=to, previous=gun.at, ti=True, mph="moving")])
