"""Climbing cliffs (B11.4): which units climb, the Falling DR, and getting off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet
from marchtable.rules.subjects import cases, clause, effect, resolves, settles
from marchtable.state.action import Action, Adjacent
from marchtable.state.position import Obligation, Odds, UnitId
from marchtable_models.asl.data import count
from marchtable_models.asl.effects.acting import after_action, lost
from marchtable_models.asl.levels import level_of, on_cliff
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.infantry_mf import Exhausted
from marchtable_models.asl.rules.leaders import partings
from marchtable_models.asl.rules.stacking import excess_squads
from marchtable_models.asl.rules.stacks import stack_facts
from marchtable_models.asl.rules.support_weapons import Handling
from marchtable_models.asl.verbs import Traits, has_trait
from marchtable_models.asl.views.chart import ALL_ON_FOOT
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.foot_facts import Crowd
from marchtable_models.asl.views.lines import kind_of
from marchtable_models.asl.views.movers import party
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.overlay import crossing
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.views.standing import Standing
from marchtable_models.asl.views.unitkinds import ipc_if_cx, printed_ipc, type_of
from marchtable_models.asl.weapons import is_gone_upon

ELIMINATED, STAYS = "eliminated", "stays"
CLIFF = "cliff"
Way = Literal["up", "down", "off"]


class Climb(Action, frozen=True, tag="climb"):
    """
    Infantry climbs a level of the cliff to an adjacent Location, or gets ``off`` at its foot.

    The unit is then on the lower side of the cliff; at the top it advances over it.
    """

    traits: ClassVar[Traits] = ("leaves", "advance", "cliff")

    unit: UnitId
    to: Adjacent
    way: Literal["up", "down", "off"]


class Climbing(PaidIfFree, frozen=True, gc=False):
    """Infantry about to climb a cliff, or to get off at its foot or where it began."""

    way: Way
    advancing: bool  # it is the APh
    fit: bool  # unwounded Good Order Infantry on foot, on the ground or on that cliff
    on: bool  # already on the cliff
    side: (
        int | None
    )  # hexside of the lower hex (0 to 5) along which it climbs; None if there is no cliff
    height: int  # levels above the lower hex
    top: int  # height of the cliff's top
    pp: int = 0
    smc: bool = False
    drm: int = 0  # DRM from the weather
    commando: bool = False
    group: Crowd = Crowd()  # friendly units where it arrives, including itself


class Climbed(Facts, frozen=True, gc=False):
    """The result of a Falling DR: ``up``, ``down``, ``stays`` or ``eliminated``."""

    outcome: str
    height: int


@cases(Climb)
def climb_facts(position: AslPosition, action: Climb, edition: Edition) -> list[Case]:
    """Return the facts of a unit that climbs a cliff, and of units left behind."""
    units = [position.unit(action.unit)]
    found = stack_facts(position, units, "climb", lambda unit: climbing(position, unit, action))
    found += interrupted(position, units, edition)
    return found + partings(position, (action.unit,), edition)


def climbing(position: AslPosition, unit: AslUnit, action: Climb) -> Climbing:
    """Return the facts of a unit that climbs towards an adjacent Location, or gets off."""
    to, kind, weather = (
        position.board.resolve(action.to),
        type_of(position, unit),
        position.conditions,
    )
    side, top, low = _cliff(position, unit, to)
    on = unit.place.inside == CLIFF
    height = unit.place.floor if on else top if low == to else 0
    return Climbing(
        way=action.way,
        advancing=position.phase == "APh",
        fit=kind.is_infantry and _is_fit(unit, side),
        on=on,
        side=side,
        height=height,
        top=top,
        pp=sum(weapon.pp for weapon in unit.sw if not is_gone_upon(unit, weapon)),
        smc=kind.class_ == "smc",
        drm=weather.rain + (weather.ground_snow or weather.deep_snow),
        commando=kind.commando,
        group=_group(position, unit, low, side, height, action.way),
    )


def on_its_cliff(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether the cliff exists that a unit is stated to climb."""
    ways = dict(position.board.neighbours(unit.at)) if unit.at is not None else {}
    above = ways.get(-1 if unit.place.crest is None else unit.place.crest)
    if above is None:
        return False
    side, top, low = _cliff(position, unit, above)
    return side is not None and low == unit.at and unit.place.floor <= top


def _is_fit(unit: AslUnit, side: int | None) -> bool:
    state = unit.status
    unfit = not state.good_order or state.wounded or state.gear
    where = unit.place.inside in ("", CLIFF) and unit.place.bypass is None
    if unit.place.inside == CLIFF:
        where = where and unit.place.crest == side
    return where and not (unfit or unit.concealment.dummy or unit.cargo.aboard or kind_of(unit))


def _cliff(position: AslPosition, unit: AslUnit, to: str) -> tuple[int | None, int, str]:
    """Return the lower hex's hexside of a cliff to a Location, the cliff's height, and that hex."""
    if unit.at is None or position.board.hexside(unit.at, to) is None:
        return None, 0, ""
    ground = crossing(position, unit.at, to).ground
    if ground.hexside != CLIFF or not ground.rise:
        return None, 0, ""
    low, high = (unit.at, to) if ground.rise > 0 else (to, unit.at)
    return position.board.direction(low, high), abs(ground.rise), low


def _group(
    position: AslPosition, unit: AslUnit, low: str, side: int | None, height: int, way: str
) -> Crowd:
    """Return the units on the cliff where a unit arrives, including that unit."""
    if side is None or way == "off":
        return Crowd()
    level = on_cliff(side, height + (1 if way == "up" else -1))
    others = [
        other
        for other in position.occupants.get(low, ())
        if other.side == unit.side and other.id != unit.id and level_of(position, other) == level
    ]
    return party(position, (unit, *others)).crowd


@settles("climb")
def fall_facts(position: AslPosition, obligation: Obligation, outcome: str) -> Climbed:
    """Return the result of a Falling DR."""
    return Climbed(outcome, position.unit(obligation.unit).place.floor)


@clause("B11.4", kind="action")
def climbs(facts: Climbing, sheet: Sheet) -> None:
    """Unwounded Good Order Infantry on foot climbs a cliff in its MPh."""
    if facts.side is None:
        sheet.bar("no cliff of a level or more leads there")
    elif not facts.fit:
        sheet.bar("only unwounded Infantry in Good Order, on the ground or on that cliff, climbs")
    elif facts.way != "off" and facts.advancing:
        sheet.bar("units cannot climb in the APh")
    elif facts.way == "up" and facts.height >= facts.top:
        sheet.bar("it is at the top of the cliff: an Advance takes it over")
    elif facts.way == "down" and not facts.height:
        sheet.bar("it is at the foot of the cliff")


@clause("B11.41", kind="odds")
def falling(facts: Climbing, sheet: Sheet) -> None:
    """A unit climbs one level on a DR of 9 or less and falls on a 12; rain and snow add 1 each."""
    if facts.way == "off":
        return
    who = "commando_" if facts.commando else ""
    falls, of = two_dice_at_least(count("B11.41", f"{who}falls") - facts.drm)
    fails, _ = two_dice_at_least(count("B11.41", f"{who}stays") - facts.drm)
    odds = (
        Odds(facts.way, of - fails, of),
        Odds(STAYS, fails - falls, of),
        Odds(ELIMINATED, falls, of),
    )
    note = f"{facts.drm:+d} for rain and snow" if facts.drm else ""
    sheet.roll("climb", tuple(one for one in odds if one.chance), note)


@clause("B11.41b", kind="capacity")
def carries(facts: Climbing, sheet: Sheet) -> None:
    """A climbing unit carries no more than a CX unit's IPC."""
    most = ipc_if_cx(printed_ipc(smc=facts.smc), cx=True)
    if facts.way != "off" and facts.pp > most:
        sheet.bar("it carries too much to climb", most, facts.pp, points="PP")


@clause("B11.43", kind="cost", composes="end")
def all_mf(facts: Climbing, sheet: Sheet) -> None:
    """Climbing takes all MF."""
    if facts.way != "off":
        sheet.charge(ALL_ON_FOOT, "to climb", "all")


@clause("B11.43b", kind="effect")
def is_on_it(facts: Climbing, sheet: Sheet) -> None:
    """A climbing unit is on the cliff's lower side, uses Hazardous Movement and is CX."""
    if facts.way == "off":
        return
    changes = {
        "inside": "cliff",
        "crest": facts.side,
        "floor": facts.height,
        "hazardous": "climbing",
        "cx": True,
    }
    for field, value in changes.items():
        sheet.force(field, value)


@clause("B11.43c", kind="capacity")
def room(facts: Climbing, sheet: Sheet) -> None:
    """Stacking limits apply on each level of a cliff."""
    if excess_squads(facts.group):
        sheet.unsupported("the cost of overstacking for climbing units")


@clause("B11.43d", kind="effect")
def fares(facts: Climbed, sheet: Sheet) -> None:
    """The DR moves the unit up or down a level, leaves it in place, or eliminates it."""
    step = {"up": 1, "down": -1}.get(facts.outcome, 0)
    if step:
        sheet.force("floor", facts.height + step)


@clause("B11.432", kind="action")
def gets_off(facts: Climbing, sheet: Sheet) -> None:
    """At the foot of its cliff a unit gets off in the APh, as its Advance."""
    if facts.way != "off":
        return
    if not facts.on or not facts.advancing or facts.height:
        sheet.bar("in the APh a unit gets off a cliff at its foot")
    for field, value in (("inside", ""), ("crest", None)):
        sheet.force(field, value)


class OffCliff(Entry):
    """An entry from a cliff, or over its top."""

    is_relevant = property(lambda self: self.inside == "cliff" or self.scaled)


@clause("B11.432b", kind="action")
def over_the_top(facts: OffCliff, sheet: Sheet) -> None:
    """At the top of its cliff a unit can advance over it into any terrain."""
    if facts.inside != "cliff":
        return
    if facts.scaled:
        sheet.exception("it has climbed the cliff")
    else:
        sheet.bar("from a cliff a unit advances in the APh over its top, or gets off at its foot")


@clause("B11.432c", kind="effect", after=("B23.421",))
def leaves_it(facts: OffCliff, sheet: Sheet) -> None:
    """A unit that gets off its cliff, at its top or foot, is no longer on it."""
    if facts.inside == "cliff":
        sheet.force("floor", 0)
        sheet.force("crest", None)


@clause("B11.432d", kind="effect")
def pinned_by_more(facts: OffCliff, sheet: Sheet) -> None:
    """SMOKE beyond the top pins a unit that advances there."""
    if facts.scaled and facts.there.smoke:
        sheet.force("pinned", value=True)


class OnCliff(Standing):
    """A unit on a cliff about to act."""

    is_relevant = property(lambda self: self.inside == "cliff")


@clause("B11.4b", kind="action")
def nothing_else(facts: OnCliff, sheet: Sheet) -> None:
    """A unit on a cliff can only climb or get off."""
    if facts.inside == "cliff" and not has_trait(facts.verb, "cliff"):
        sheet.bar("it is on a cliff")


@clause("B11.4c", kind="action")
def hands_full(facts: Handling, sheet: Sheet) -> None:
    """A unit on a cliff neither recovers nor transfers SW."""
    if facts.on_cliff and facts.verb != "drop":
        sheet.bar("it is on a cliff")


@clause("B11.434", kind="state")
def stays_exhausted(facts: Exhausted, sheet: Sheet) -> None:
    """A unit on a cliff stays CX."""
    if facts.on_cliff and sheet.forces("cx"):
        sheet.force("cx", value=True)


@effect(Climb)
def after_climb(position: AslPosition, action: Climb, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a unit has begun to climb (on the lower side) or got off."""
    unit = position.unit(action.unit)
    begins = unit.place.inside != CLIFF and action.way == "down"
    low = position.board.resolve(action.to) if begins else unit.at
    return after_action(position, action, bills, at=low, previous=unit.at)


@resolves("climb")
def after_fall(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position without a unit that fell."""
    return lost(position, position.unit(obligation.unit)) if outcome == ELIMINATED else position
