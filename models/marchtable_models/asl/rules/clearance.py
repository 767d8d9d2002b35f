"""Clearance of rubble, Flame, Wire, mines, DC and roadblocks (B24.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import msgspec

from marchtable.board.board import DIRECTIONS
from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled, resolves, settles
from marchtable.state.action import Action, Companions, verb_of
from marchtable.state.position import Counter, Obligation, Odds
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import FLAME, MINEFIELD, ROADBLOCK, SET_DC, TRAIL, WIRE
from marchtable_models.asl.data import count
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.leaders import partings
from marchtable_models.asl.rules.stacks import group, members, stack_facts
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views.buildings import RUBBLE
from marchtable_models.asl.views.chart import row_of
from marchtable_models.asl.views.clearance import BUILDINGS
from marchtable_models.asl.views.ground_facts import ENTRENCHED
from marchtable_models.asl.views.movers import crowd_of, half_squads_in
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.spending_facts import Counted
from marchtable_models.asl.views.unitkinds import type_of

HAZARDOUS = ("rubble", "flame", "roadblock")
"""The items cleared by Hazardous Movement."""
TRAILS = ("rubble", "mines")
"""The items through which clearing makes a Trail Break."""
CLEARED, FAILED, REDUCED = "cleared", "failed", "reduced"
KINDS: dict[str, tuple[str, ...]] = {
    "rubble": RUBBLE, "flame": (FLAME,), "wire": (WIRE,), "mines": (MINEFIELD,), "dc": (SET_DC,),
}  # fmt: skip
"""The counters of each task; a roadblock's name includes a hexside."""
Task = Literal["rubble", "flame", "wire", "mines", "dc", "roadblock"]
Side = Literal["N", "NE", "SE", "S", "SW", "NW"]


class Clear(Action, frozen=True, tag="clear"):
    """Infantry, alone or as a stack, declares an attempt to clear something in its Location."""

    traits: ClassVar[Traits] = ("leaves", "beneath")

    units: Companions
    what: Annotated[Task, msgspec.Meta(extra={"domain": "task"})]


class MakeClearance(Action, frozen=True, tag="clearance"):
    """
    As the CCPh ends, the units that declared Clearance make their DR.

    ``drm`` is the total modifier from leaders, Labor, heroes, sappers and EC. ``sides`` are the two
    hexsides that a Trail Break then crosses, through rubble or mines.
    """

    unlisted: ClassVar[str] = "its DRM and a Trail Break's hexsides are not in the scene"
    traits: ClassVar[Traits] = ("says",)

    units: Companions
    what: Task
    drm: Annotated[int, msgspec.Meta(ge=-12, le=12)] = 0
    sides: Annotated[tuple[Side, ...], msgspec.Meta(extra={"domain": "names"})] = ()


class Clearing(Counted, frozen=True, gc=False):
    """A unit, alone or in a stack, that declares Clearance or makes its DR (``verb``)."""

    verb: str
    what: str  # what is cleared
    phase: str
    own_turn: bool
    fit: bool  # Good Order Infantry on foot, not pinned
    there: bool  # that thing is in its Location
    built: bool  # there is a building there
    beneath: bool  # the unit is beneath something
    wired: bool  # there is Wire there
    fresh: bool  # it neither fired nor is TI
    moved: bool  # it moved or did anything else in its MPh
    engaged: bool  # already engaged in clearing it
    first: bool  # the first of the units that clear it together
    half_squads: int  # of all these units, crews included
    drm: int  # from leaders, Labor, heroes, sappers, EC
    deep_snow: bool
    sides: tuple[str, ...]  # the hexsides of a Trail Break
    inexperienced: bool  # one of the units is


class Cleared(Facts, frozen=True, gc=False):
    """The result of a unit's Clearance DR: ``cleared``, ``failed`` or ``reduced``."""

    outcome: str


@cases(Clear, MakeClearance)
def clearing_facts(
    position: AslPosition, action: Clear | MakeClearance, edition: Edition
) -> list[Case]:
    """Return the facts of units that declare Clearance or make its DR."""
    units, verb = members(position, action.units), verb_of(action)
    if isinstance(action, Clear) and position.phase == "MPh":
        found = stack_facts(
            position, units, verb, lambda unit: clearing(position, unit, units, action)
        )
        found += interrupted(position, units, edition)
        return found + partings(position, action.units, edition)
    together = [Case(action.units, group(position, units, verb))]
    return together[: len(units) - 1] + [
        about(unit, clearing(position, unit, units, action)) for unit in units
    ]


def clearing(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], action: Clear | MakeClearance
) -> Clearing:
    """Return the facts of a unit that declares Clearance, or makes its DR, with others."""
    kinds = [type_of(position, one) for one in units]
    crowd, what, state = crowd_of(kinds), action.what, unit.status
    sides = getattr(action, "sides", ())
    ids = {one.id for one in units}
    engaged = cleared_by(position, unit, what)
    return Clearing(
        verb=verb_of(action),
        what=what,
        phase=position.phase,
        own_turn=unit.side == position.side,
        fit=_is_fit(position, unit),
        there=item_at(position, unit.at, what) is not None,
        built=unit.at is not None and row_of(position.board[unit.at].terrain) in BUILDINGS,
        beneath=unit.place.inside == "beneath",
        wired=WIRE in position.markers.get(str(unit.at), ()),
        fresh=not (state.prep_fired or state.fired or state.ti),
        moved=unit.move.mph != "unmoved" and position.phase == "MPh",
        engaged=unit in engaged and {one.id for one in engaged} <= ids,
        first=unit is units[0],
        half_squads=half_squads_in(crowd),
        drm=getattr(action, "drm", 0),
        deep_snow=position.conditions.deep_snow,
        sides=tuple(dict.fromkeys(sides)),
        inexperienced=any(
            one.status.inexperienced or kind.quality in ("green", "conscript")
            for one, kind in zip(units, kinds, strict=True)
        ),
    )


def items_at(position: AslPosition, at: str | None) -> list[str]:
    """Return the things in a Location that can be cleared."""
    kinds = position.markers.get(at or "", ())
    found = [what for what, names in KINDS.items() if set(names) & set(kinds)]
    return [*found, *["roadblock"] * any(kind.startswith(ROADBLOCK) for kind in kinds)]


def item_at(position: AslPosition, at: str | None, what: str) -> Counter | None:
    """Return the counter to be cleared in a Location; None if there is none."""
    for counter in position.counters:
        if position.board.resolve(counter.at) == at:
            named = counter.kind in KINDS.get(what, ())
            if named or (what == "roadblock" and counter.kind.startswith(ROADBLOCK)):
                return counter
    return None


def cleared_by(position: AslPosition, unit: AslUnit, what: str) -> list[AslUnit]:
    """Return the unit's comrades in its Location that are clearing this item and still able to."""
    return [
        other
        for other in position.occupants.get(str(unit.at), ())
        if other.side == unit.side
        and other.move.task == what
        and other.status.ti
        and _is_fit(position, other)
    ]


def _is_fit(position: AslPosition, unit: AslUnit) -> bool:
    state = unit.status
    foot = type_of(position, unit).is_infantry and unit.cargo.aboard is None
    unfit = state.pinned or unit.concealment.dummy or unit.cargo.guard is not None
    return foot and state.good_order and not unfit and unit.place.bypass is None


@settles("clearance")
def clearance_facts(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the result of a Clearance DR for every unit that took part."""
    first = position.unit(obligation.unit)
    facts = Cleared(outcome.partition(":")[0])
    return [about(one, facts) for one in cleared_by(position, first, first.move.task)]


@clause("B24.7a", kind="action")
def takes_part(facts: Clearing, sheet: Sheet) -> None:
    """Unpinned Good Order Infantry that has not fired, including a MMC, clears what is in its Location."""
    if not facts.fit or not facts.half_squads:
        sheet.bar("only unpinned Infantry in Good Order clears, with a MMC among it")
    if facts.verb == "clear" and not facts.fresh:
        sheet.bar("the unit has fired, or is TI")
    if not facts.there:
        sheet.bar(f"the scene states no {facts.what} in its Location")


@clause("B24.7b", kind="action")
def when_declared(facts: Clearing, sheet: Sheet) -> None:
    """Clearance is declared in the MPh; of Flame, Wire, DC and roadblocks also in the DFPh by units that have not moved."""
    if facts.verb != "clear":
        return
    defends = facts.phase == "DFPh" and not facts.own_turn and facts.what not in TRAILS
    if not defends and not (facts.phase == "MPh" and facts.own_turn):
        sheet.bar(
            "it is declared in its own MPh or, except for rubble and mines, in the DFPh of the enemy's Player Turn",
            "MPh",
            facts.phase,
        )
    if facts.moved and facts.what not in TRAILS:
        sheet.bar("the unit has moved or acted in this MPh")


@not_modelled("B24.71b")
def with_a_move(facts: Clearing) -> bool:
    """Entering for all MF to clear rubble, or mines along a partial Trail Break; only units that stay there are judged."""
    return facts.verb == "clear" and facts.moved and facts.what in TRAILS


@clause("B24.71c", kind="action")
def what_lies_there(facts: Clearing, sheet: Sheet) -> None:
    """Rubble can be cleared only where no building is printed."""
    if facts.what == "rubble" and facts.built:
        sheet.bar("rubble in a building hex cannot be cleared")


@clause("B24.73", kind="action")
def wired_in(facts: Clearing, sheet: Sheet) -> None:
    """Wire is cleared from beneath it; a unit on top of Wire cannot clear mines."""
    if facts.what == "wire" and not facts.beneath:
        sheet.bar("the unit is not beneath the Wire")
    elif facts.what == "mines" and facts.wired and not facts.beneath:
        sheet.bar("the unit is on top of Wire")


@clause("B24.7c", kind="effect", composes="end")
def engaged(facts: Clearing, sheet: Sheet) -> None:
    """A unit that declares Clearance is TI and its MPh ends; clearing rubble, Flame or roadblocks is Hazardous Movement."""
    if facts.verb != "clear":
        return
    for field, value in (("ti", True), ("mph", "done"), ("task", facts.what)):
        sheet.force(field, value)
    if facts.what in HAZARDOUS:
        sheet.force("hazardous", "clearance")


@clause("B24.7d", kind="action")
def is_over(facts: Clearing, sheet: Sheet) -> None:
    """All units clearing one thing make one DR as the CCPh ends, and name the two hexsides of a Trail Break."""
    if facts.verb == "clear":
        return
    if facts.phase != "CCPh":
        sheet.bar("the DR is made as the CCPh ends", "CCPh", facts.phase)
    if not facts.engaged:
        sheet.bar("it is not clearing this, or other units that clear it are not named")
    need = count("B24.7", "sides") if facts.what in TRAILS else 0
    if len(facts.sides) != need:
        sheet.bar(
            "the wrong number of hexsides is named for the Trail Break", need, len(facts.sides)
        )


@clause("E3.732", kind="odds")
def snowed_under(facts: Clearing, sheet: Sheet) -> None:
    """In Deep Snow the DR to clear mines has a +1."""
    if facts.deep_snow and facts.what == "mines" and facts.verb != "clear":
        sheet.charge(count("E3.732", "drm"), "Deep Snow", "drm")


@clause("B24.7e", kind="odds")
def clearance_dr(facts: Clearing, sheet: Sheet) -> None:
    """Clearance needs a DR of 2, with -1 for a squad and for each half squad beyond the first."""
    if facts.verb == "clear" or not facts.first:
        return
    limit = count("B24.7", "most") + max(0, facts.half_squads - 1) - facts.drm - sheet.total("drm")
    (above, of) = two_dice_at_least(limit + 1)
    worst = count("B24.74", "inexperienced" if facts.inexperienced else "reduces")
    bad = two_dice_at_least(worst)[0] if facts.what == "mines" else 0
    good = min(of - above, of - bad)
    how = ":".join(filter(None, (CLEARED, "-".join(facts.sides))))
    odds = (Odds(how, good, of), Odds(FAILED, of - good - bad, of), Odds(REDUCED, bad, of))
    sheet.roll("clearance", odds, f"cleared on a DR of {limit} or less")


@clause("B24.7f", kind="state")
def done(_: Cleared, sheet: Sheet) -> None:
    """A unit makes only one Clearance DR."""
    sheet.force("task", "")


@not_modelled("B24.74")
def reduced(facts: Cleared) -> bool:
    """Casualty Reduction for a unit that clears mines with a DR of 12."""
    return facts.outcome == REDUCED


@effect(Clear)
def after_declaring(position: AslPosition, action: Clear, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after units have declared Clearance."""
    return after_action(position, action, bills)


@effect(MakeClearance)
def after_dr(position: AslPosition) -> AslPosition:
    """Return the position unchanged: the effect of a Clearance DR depends on its result."""
    return position


@resolves("clearance")
def after_clearance(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position after a Clearance DR: the counter removed, or a Trail Break added."""
    unit = position.unit(obligation.unit)
    how, _, sides = outcome.partition(":")
    item = item_at(position, unit.at, unit.move.task)
    if how != CLEARED or item is None:
        return position
    trails = [Counter(kind=TRAIL + side, at=str(unit.at)) for side in sides.split("-") if side]
    known = {TRAIL + side for side in DIRECTIONS} & {
        *position.markers.get(str(unit.at), ()),
        *(trail.kind for trail in trails),
    }
    kept = list(position.counters)
    if not sides or len(known) == len(DIRECTIONS):  # Trail Breaks on all sides remove it
        kept.remove(item)
        kept = [one for one in kept if not sides or (one.kind not in known or one.at != unit.at)]
    else:
        kept += [trail for trail in trails if trail not in kept]
    after = msgspec.structs.replace(position, counters=tuple(kept))
    return after if item.kind != WIRE else after.with_units(_come_out(after, unit.at))


def _come_out(position: AslPosition, at: str | None) -> list[AslUnit]:
    """Return the units that were beneath removed Wire, unless something else is above them."""
    kinds = position.markers.get(str(at), ())
    if WIRE in kinds or any(kind.startswith(ENTRENCHED) for kind in kinds):
        return []
    beside = position.occupants.get(str(at), ())
    return [replace(one, inside="") for one in beside if one.place.inside == "beneath"]
