"""Declaring a Human Wave (A25.23, A25.231): its units, target and course."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.state.action import Action
from marchtable.state.position import UnitId
from marchtable_models.asl import grains
from marchtable_models.asl.data import count
from marchtable_models.asl.grains import Course
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.stacks import members
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views.cargo import captives
from marchtable_models.asl.views.flight import Stated
from marchtable_models.asl.views.lines import kind_of
from marchtable_models.asl.views.lookout import has_los
from marchtable_models.asl.views.mph_ends import first_due
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.steps import hexes
from marchtable_models.asl.views.unitkinds import ipc_of, nationality_of, type_of

UNSTATED = "which enemy unit one of them sees is stated by `sight`"
NATIONS = ("russian", "chinese", "gmd", "ethiopian")


class Wave(Action, frozen=True, tag="wave"):
    """
    Infantry in a chain of hexes declares a Human Wave against an enemy unit; its Impulses follow.

    ``course`` is the Hex Grain through the enemy's hex, as one or two hexsides: ``SW-S`` enters that
    hex by a step SW and leaves it by one S.
    """

    unlisted: ClassVar[str] = "many units in several hexes declare it together"
    traits: ClassVar[Traits] = ("says",)

    units: Annotated[tuple[UnitId, ...], msgspec.Meta(extra={"domain": "names"})]
    target: Annotated[UnitId, msgspec.Meta(extra={"domain": "mate"})]
    course: Course


class WaveForming(Facts, frozen=True, gc=False):
    """Units about to declare a Human Wave."""

    nations: tuple[str, ...]  # each once
    hexes: int
    thinnest: int  # MMC in the hex with the fewest
    mmc: int
    leaders: int
    chained: bool  # the hexes form one chain, and no unit is named twice
    target: bool  # the target is an enemy unit on the map
    seen: Stated  # one of the units sees it
    near: bool  # one that sees it is within eight hexes
    range: int  # distance from the chosen course to the nearest unit that sees the target
    least: int  # least such distance of any course


class WaveUnit(Facts, frozen=True, gc=False):
    """A unit about to be in a Human Wave."""

    fit: bool  # Good Order Infantry on foot, in no line or Bypass, neither carried nor pinned
    fresh: bool  # its MPh has not begun
    beside: bool  # an enemy unit is in its hex or adjacent
    pp: int
    ipc: int
    concealed: bool
    name: str  # name of the wave
    course: str
    upon: str | None  # the Location its course leads through


@cases(Wave)
def wave_facts(position: AslPosition, action: Wave, edition: Edition) -> list[Case]:
    """Return the facts of units declaring a Human Wave, and of units that must move first."""
    units = members(position, action.units)
    where = hexes(*dict.fromkeys(unit.at for unit in units if unit.at))
    found = [Case(action.units, wave_forming(position, units, action), where)]
    for unit in units:
        found.append(about(unit, standing_of(position, unit, "wave")))
        found.append(about(unit, joining(position, unit, action)))
    return found + first_due(position, units[0], edition)


def wave_forming(position: AslPosition, units: Sequence[AslUnit], action: Wave) -> WaveForming:
    """Return the facts of units that declare a Human Wave."""
    target = position.unit(action.target)
    own = units[0].side
    mmc = Counter(u.at for u in units if type_of(position, u).class_ != "smc")
    places = {str(unit.at): mmc[unit.at] for unit in units}
    import networkx as nx  # imported late: it loads slowly and is rarely needed

    chain: nx.Graph[str] = nx.Graph()
    chain.add_nodes_from(places)
    board = position.board
    chain.add_edges_from((a, b) for a in places for b in places if board.hexside(a, b) is not None)
    on_map = target.at is not None and all(unit.at is not None for unit in units)
    sight = {unit.id: has_los(position, unit, target) for unit in units}
    seeing = [unit for unit in units if sight[unit.id] == "yes"]
    unclear = "unsure" in sight.values() or ("unstated" in sight.values() and not seeing)
    near = [
        unit
        for unit in seeing
        if on_map and board.distance(str(unit.at), str(target.at)) <= count("A25.23", "range")
    ]
    ranges = dict.fromkeys(grains.COURSES, 0)
    if near:
        spots = [hex_on_grain(position, str(unit.at)) for unit in near]
        for course in grains.COURSES:
            until = grains.before(hex_on_grain(position, str(target.at)), course)
            ranges[course] = min(grains.distance(spot, until) for spot in spots)
    return WaveForming(
        nations=tuple(sorted({nationality_of(unit) for unit in units})),
        hexes=len({board[at].hex for at in places} if on_map else places),
        thinnest=min(places.values()),
        mmc=mmc.total(),
        leaders=sum(type_of(position, unit).leads for unit in units),
        chained=on_map and nx.is_connected(chain) and len({u.id for u in units}) == len(units),
        target=on_map and target.side != own and type_of(position, target).class_ != "wreck",
        seen="unstated" if unclear else "yes" if seeing else "no",
        near=bool(near),
        range=ranges[action.course],
        least=min(ranges.values()),
    )


def hex_on_grain(position: AslPosition, at: str) -> grains.Hex:
    return position.board[at].u, position.board[at].v


def joining(position: AslPosition, unit: AslUnit, action: Wave) -> WaveUnit:
    """Return the facts of one of the units that declare a Human Wave."""
    kind, state, at = type_of(position, unit), unit.status, unit.at or ""
    unfit = not state.good_order or state.pinned or state.unarmed
    unfit = unfit or unit.id in captives(position)
    near = {at, *(name for _, name in position.board.neighbours(at))} if at else set()
    return WaveUnit(
        fit=kind.is_infantry
        and not (unfit or unit.cargo.aboard or kind_of(unit) or unit.concealment.dummy)
        and state.melee != "held"
        and unit.place.bypass is None
        and unit.at is not None,
        fresh=unit.move.mph == "unmoved",
        beside=any(
            other.side != unit.side
            and other.at in near
            and not other.concealment.dummy
            and type_of(position, other).class_ != "wreck"
            for other in position.units
        ),
        pp=sum(weapon.pp for weapon in unit.sw),
        ipc=ipc_of(position, unit),
        concealed=unit.concealment.concealed,
        name=_name(position, action),
        course=action.course,
        upon=position.unit(action.target).at,
    )


def _name(position: AslPosition, action: Wave) -> str:
    """Return the wave's name: its first unit's, with a number if that is taken."""
    known = {unit.line.wave for unit in position.units}
    first, number = action.units[0], 2
    name = first
    while name in known:
        name, number = f"{first}.{number}", number + 1
    return name


@clause("A25.23a", kind="action", composes="joint")
def who_declares(facts: WaveForming, sheet: Sheet) -> None:
    """Russians, Chinese and Ethiopians can declare Human Waves in their MPh."""
    if not set(facts.nations) <= set(NATIONS):
        sheet.bar(
            "these troops cannot make a Human Wave", " or ".join(NATIONS), ", ".join(facts.nations)
        )


@not_modelled("G1.5", lifts=("A25.23a", "A25.23b", "A25.23d", "A25.23e"))
def banzai(facts: WaveForming) -> bool:
    """The units and target of a Japanese Banzai Charge, which moves as a Human Wave."""
    return facts.nations == ("japanese",)


@clause("A25.23b", kind="action", composes="joint")
def chain(facts: WaveForming, sheet: Sheet) -> None:
    """A Human Wave is a chain of at least three hexes with MMC in each, two per hex on average, and a leader."""
    if not facts.chained:
        sheet.bar("their hexes do not form a chain of adjacent hexes")
    if facts.hexes < (least := count("A25.23", "hexes")):
        sheet.bar("too few hexes", least, facts.hexes)
    if not facts.thinnest:
        sheet.bar("there is a hex without a MMC")
    if facts.mmc < (most := count("A25.23", "mmc") * facts.hexes):
        sheet.bar("too few MMC for so many hexes", most, facts.mmc)
    if not facts.leaders:
        sheet.bar("no leader is with them")


@clause("A25.23c", kind="action")
def fit(facts: WaveUnit, sheet: Sheet) -> None:
    """Wave units are Good Order Infantry on foot, not Guards, whose MPh has not begun."""
    if not facts.fit:
        sheet.bar(
            "only Good Order Infantry on foot that is free to move, in no line and without prisoners can be in a Human Wave"
        )
    elif not facts.fresh:
        sheet.bar("its MPh has begun")
    else:
        for field in ("course", "upon"):
            sheet.force(field, getattr(facts, field))
        sheet.force("wave", facts.name)


@clause("A25.23e", kind="action")
def not_near(facts: WaveUnit, sheet: Sheet) -> None:
    """Wave units do not begin in or adjacent to an enemy unit's hex."""
    if facts.beside:
        sheet.bar("an enemy unit is next to it, or with it")


@clause("A25.23d", kind="action", composes="joint")
def target(facts: WaveForming, sheet: Sheet) -> None:
    """A Human Wave goes towards an enemy unit within eight hexes that one of its units sees."""
    if not facts.target:
        sheet.bar("the target is not an enemy unit on the map")
    elif facts.seen == "unstated":
        sheet.unsupported(UNSTATED)
    elif facts.seen == "no":
        sheet.bar("none of them sees it")
    elif not facts.near:
        sheet.bar("none of them that sees it is within range", count("A25.23", "range"))


@clause("A25.23f", kind="effect")
def loses_concealment(facts: WaveUnit, sheet: Sheet) -> None:
    """Wave units lose their concealment."""
    if facts.concealed:
        sheet.force("concealed", value=False)


@clause("A25.231", kind="action", composes="joint")
def course(facts: WaveForming, sheet: Sheet) -> None:
    """A Human Wave's course is a row of hexes through the target's, as near as possible to a unit that sees it."""
    if facts.target and facts.near and facts.range > facts.least:
        sheet.bar("another course is nearer to one of them", facts.least, facts.range)


@clause("A25.232c", kind="capacity")
def load(facts: WaveUnit, sheet: Sheet) -> None:
    """Wave units carry no more than their IPC."""
    if facts.pp > facts.ipc:
        sheet.bar("it carries too much", facts.ipc, facts.pp, points="PP")


@effect(Wave)
def after_declaring(position: AslPosition) -> AslPosition:
    """Return the position unchanged: a clause applies the wave's name and course to its units."""
    return position
