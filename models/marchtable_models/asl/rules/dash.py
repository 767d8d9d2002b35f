"""The Dash of Infantry across a road (A4.63)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.rules.view import read
from marchtable.state.action import Action, Companions
from marchtable.state.position import LocationName
from marchtable.state.records import replace
from marchtable_models.asl.data import count
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.grants import grant
from marchtable_models.asl.model import AslPosition, AslUnit, Enter
from marchtable_models.asl.occasions import at_entry, at_mph_over
from marchtable_models.asl.rules.stacks import members, stack_facts
from marchtable_models.asl.rules.under_fire import Moment
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import movers, spending
from marchtable_models.asl.views.foot import lies_open
from marchtable_models.asl.views.ground import lie
from marchtable_models.asl.views.lookout import is_computed, may_be_seen
from marchtable_models.asl.views.los import Los, best
from marchtable_models.asl.views.movers import has_only_thrown
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.reading import entry
from marchtable_models.asl.views.standing import Standing
from marchtable_models.asl.views.unitkinds import type_of

AREA_FIRE = "Defensive First Fire, but ordnance, Fire Lanes and what lies there already"
KEPT = ("leaders", "road", "inside")
"""The effects of an entry on which the cost of the next, and the unit's MF, depend."""


class Dash(Action, frozen=True, tag="dash"):
    """
    Infantry, alone or as a stack, declares a Dash to a Location across a road; its entries follow.

    ``unseen``: it is stated that no enemy sees it in Open Ground at either end, where sight is not
    computed.
    """

    unlisted: ClassVar[str] = "its two entries are listed, and sight decides what it is good for"
    traits: ClassVar[Traits] = ("leaves",)

    units: Companions
    to: LocationName
    unseen: bool = False


class Dashing(Facts, frozen=True, gc=False):
    """Infantry that declares a Dash, continues it, or ends its MPh during it; half points."""

    stage: Literal[
        "declared", "road", "far", "ends"
    ]  # what the unit does; ``ends`` before the far side
    fit: bool = True  # Infantry on foot, without Assault Movement or an AFV, not in Bypass
    fresh: bool = True  # it has done nothing in this MPh
    way: bool = True  # what it enters is on its declared way
    plain: bool = True  # it has chosen nothing that costs more
    roads: int = 0  # road hexsides in the hex between, beside those it crosses
    parted: bool = False  # some of them are on either side of its way
    open_ends: Los = (
        "no"  # whether an enemy sees Open Ground at either end; if stated, as of the start
    )
    unseen: bool = False  # it is stated that none does
    cost: int = 0  # cost of both entries
    allotment: int = 0


@cases(Dash)
def dash_facts(position: AslPosition, action: Dash, edition: Edition) -> list[Case]:
    """Return the facts of units that declare a Dash."""
    units = members(position, action.units)
    found = stack_facts(
        position, units, "dash", lambda unit: declared(position, units, unit, action, edition)
    )
    return found + interrupted(position, units, edition)


@at_entry
def going_on_facts(
    position: AslPosition, unit: AslUnit, action: Action, to: str | None
) -> Case | None:
    """Return the facts of a unit that continues a declared Dash."""
    if unit.move.dash is None or to is None:
        return None
    return about(unit, gone_on(position, unit, action, to), to)


@at_mph_over
def breaking_off_facts(_: AslPosition, units: Sequence[AslUnit]) -> list[Case]:
    """Return the facts of units that end their MPh during a Dash."""
    return [about(unit, Dashing("ends")) for unit in units if unit.move.dash]


def declared(
    position: AslPosition, units: Sequence[AslUnit], unit: AslUnit, action: Dash, edition: Edition
) -> Dashing:
    """Return the facts of one of the units that declare a Dash to a Location."""
    to = position.board.resolve(action.to)
    ways: list[tuple[bool, int, str | None]] = [
        _across(position, unit, via, to) for via in _between(position, unit, to)
    ]
    parted, roads, via = max(ways, default=(False, 0, None), key=lambda way: way[:2])
    cost, allotment = (0, 0) if via is None else _price(position, units, unit, (via, to), edition)
    return Dashing(
        stage="declared",
        fit=type_of(position, unit).is_infantry
        and unit.cargo.aboard is None
        and unit.place.bypass is None
        and unit.move.armored is None
        and not unit.move.assault,
        fresh=(unit.move.mph == "unmoved" or has_only_thrown(unit)) and not unit.move.dash,
        way=via is not None,
        roads=roads,
        parted=parted,
        open_ends=_open_ends(position, unit, to, via),
        unseen=action.unseen,
        cost=cost,
        allotment=allotment,
    )


def _open_ends(position: AslPosition, unit: AslUnit, to: str, via: str | None) -> Los:
    """Find whether an enemy sees Open Ground at either end of a Dash."""
    enemies = [
        one
        for one in position.units
        if one.side != unit.side
        and one.at is not None
        and (one.concealment.concealed or type_of(position, one).class_ != "wreck")
    ]
    moved = replace(unit, at=to, previous=via)
    here = [may_be_seen(position, unit, one) for one in enemies if lies_open(position, unit)]
    there = [
        may_be_seen(position, moved, one) if is_computed(position) else "unstated"
        for one in enemies
        if lies_open(position, moved)
    ]
    return best([*here, *there])


def gone_on(position: AslPosition, unit: AslUnit, action: Action, to: str) -> Dashing:
    """Return the facts of a unit that enters a Location after declaring a Dash."""
    chosen = getattr(action, "half", False) or getattr(action, "off_road", False)
    plain = not (chosen or getattr(action, "beneath", False))
    if unit.move.previous is not None:
        return Dashing("far", way=to == unit.move.dash, plain=plain)
    goal = str(unit.move.dash)
    way = to in _between(position, unit, goal)
    parted, roads, _ = _across(position, unit, to, goal) if way else (False, 0, "")
    return Dashing("road", way=way, plain=plain, roads=roads, parted=parted)


def _between(position: AslPosition, unit: AslUnit, to: str) -> list[str]:
    """Return the Locations through which two steps lead from the unit's Location to another."""
    if unit.at in (None, to):
        return []
    return [
        via
        for _, via in position.board.neighbours(str(unit.at))
        if via != to and position.board.hexside(via, to) is not None
    ]


def _across(
    position: AslPosition, unit: AslUnit, via: str, to: str
) -> tuple[bool, int, str | None]:
    """Return whether the road has hexsides on both sides, how many beside the way, and where."""
    board = position.board
    came, goes = (lie(board, via, other).direction for other in (str(unit.at), to))
    site = lie(board, via, via)
    roads = () if site.ground.here == "runway" else site.roads  # none can be dashed across (B7.4)
    rest = [side for side in roads if side not in (came, goes)]
    one_hand = [side for side in rest if (side - came) % 6 < (goes - came) % 6]
    return 0 < len(one_hand) < len(rest), len(rest), via


def _price(
    position: AslPosition,
    units: Sequence[AslUnit],
    unit: AslUnit,
    way: tuple[str, str],
    edition: Edition,
) -> tuple[int, int]:
    """Return the cost of two entries for a unit of a stack, and its MF then, in half points."""
    cost, ids = unit.points.spent, tuple(one.id for one in units)
    for to in way:
        now = position.unit(unit.id)
        stack = movers.party(position, [position.unit(name) for name in ids])
        found = edition.judge(entry(position, now, to, stack, Enter(ids, to)))
        cost += found.total
        kept = {said.field: said.value for said in found.forced if said.field in KEPT}
        moved = [replace(position.unit(name), at=to, previous=now.at, used=1) for name in ids]
        moved = [replace(one, **kept) if one.id == unit.id else one for one in moved]
        position = position.with_units(moved)
    return cost, spending.allotment(position, position.unit(unit.id), edition)


@clause("A4.63a", kind="action")
def declares(facts: Dashing, sheet: Sheet) -> None:
    """Infantry declares a Dash before doing anything else."""
    if facts.stage != "declared":
        return
    if not facts.fit:
        sheet.bar("only Infantry on foot can dash, and not by Assault Movement or Armored Assault")
    elif not facts.fresh:
        sheet.bar("a Dash is declared as the MPh begins")


@clause("A4.63b", kind="action")
def over_the_road(facts: Dashing, sheet: Sheet) -> None:
    """A Dash crosses a road hex from one side of the road to the other."""
    if facts.stage not in ("declared", "road"):
        return
    ends_there = facts.roads == 1 and sheet.reading("A4.63b") == "any"
    if not facts.way:
        sheet.bar("no Location leads there from here in two steps")
    elif not facts.roads:
        sheet.bar("the Location between has no road to cross")
    elif not (facts.parted or ends_there):
        sheet.bar("both Locations lie on the same side of the road")


@clause("A4.63c", kind="action")
def from_cover(facts: Dashing, sheet: Sheet) -> None:
    """A Dash neither starts nor ends in Open Ground that an enemy sees."""
    if facts.stage != "declared":
        return
    if facts.open_ends == "yes":
        sheet.bar("an enemy sees it in Open Ground")
    elif facts.open_ends == "unsure":
        sheet.unsupported("whether an enemy sees the Open Ground there; state it with `sight`")
    elif facts.open_ends == "unstated" and not (
        facts.unseen or sheet.reading("A4.63c") == "unseen"
    ):
        sheet.unsupported(
            "whether an enemy sees the Open Ground there; if none does, write"
            " `dash UNITS TO unseen=true`"
        )


@clause("A4.63d", kind="cost", composes="joint")
def affordable(facts: Dashing, sheet: Sheet) -> None:
    """A Dash needs enough MF for both Locations."""
    if facts.stage == "declared" and facts.way and facts.cost > facts.allotment:
        sheet.bar("not enough MF for the Dash", facts.cost, facts.allotment, halves=True)


class Dashes(Standing):
    """A unit that dashes."""

    dashing: bool = read(lambda actor: actor.unit.move.dash is not None)

    is_relevant = property(lambda self: self.dashing)


@clause("A4.63e", kind="action", composes="flag")
def nothing_else(facts: Dashes, sheet: Sheet) -> None:
    """A unit that dashes does nothing else."""
    if facts.dashing and facts.verb not in ("enter", "end"):
        sheet.bar("the unit dashes: it must enter the road, then the Location that it declared")


@clause("A4.63f", kind="action", composes="flag")
def goes_on(facts: Dashing, sheet: Sheet) -> None:
    """A unit that dashes enters its declared Locations at the least cost."""
    if facts.stage == "far" and not facts.way:
        sheet.bar("the unit has declared a Dash to another Location")
    elif not facts.plain:
        sheet.bar("a dashing unit spends no more than required")


@clause("A4.63g", kind="effect", composes="end")
def arrives(facts: Dashing, sheet: Sheet) -> None:
    """A Dash ends the unit's MPh."""
    if facts.stage == "far":
        sheet.force("dash", None)
        sheet.force("mph", "done")


@not_modelled("A4.63h")
def breaks_off(facts: Dashing) -> bool:
    """A unit that dashes finishes first: whether anything keeps it from going on."""
    return facts.stage == "ends"


@clause("A4.63i", kind="state")
def fire_at_a_dash(facts: Moment, sheet: Sheet) -> None:
    """Area Fire hits a dashing unit in the road, except from ordnance and units there."""
    if facts.dashing:
        grant(sheet, AREA_FIRE, 1 / count("A4.63", "area_fire"))


@effect(Dash)
def after_declaring(position: AslPosition, action: Dash, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after units have declared a Dash."""
    return after_action(position, action, bills, dash=position.board.resolve(action.to))
