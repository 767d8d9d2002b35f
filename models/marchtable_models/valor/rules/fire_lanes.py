"""Fire lanes (13.9)."""

from __future__ import annotations

from itertools import pairwise

from marchtable.rules.facts import Edition, Facts, Sheet
from marchtable.rules.subjects import cases, clause, effect, resets, resolves
from marchtable.state.action import Action
from marchtable.state.position import Counter, Obligation, UnitId
from marchtable.state.records import replace
from marchtable_models.valor.data import table, two_dice
from marchtable_models.valor.model import Attack, Names, ValorPosition, ValorUnit
from marchtable_models.valor.rules.combat import DICE, part_of, points_for
from marchtable_models.valor.rules.losses import inflicted
from marchtable_models.valor.rules.movement import Enter
from marchtable_models.valor.views.attack import foe_of, with_attack
from marchtable_models.valor.views.units import actors, kind_of, weapon_of


class Lane(Action, frozen=True, tag="lane"):
    """Infantry with a machine gun lays a fire lane for its Opportunity Fire, hex by hex to its target."""

    unit: UnitId
    hexes: Names


class Laying(Facts, frozen=True):
    """A fire lane about to be laid."""

    # the unit's state, and whether it has a machine gun
    kind: str
    mg: bool
    # it has just made Opportunity Fire; it has laid a lane for it
    opportunity: bool
    laid: bool
    chain: bool  # the hexes form a chain from beside it to its target


class Swept(Facts, frozen=True):
    """Units that enter a hex: fire lanes there, and how many affect them."""

    lanes: int
    exposed: int


class Crossed(Facts, frozen=True):
    """The roll of fire lanes, and their number."""

    lanes: int
    roll: int


LANE = "fire-lane"


def lanes_at(position: ValorPosition, at: str) -> int:
    """Return the number of fire lanes in a hex."""
    return sum(kind == LANE for kind in position.markers.get(at, ()))


@cases(Enter)
def entering_facts(position: ValorPosition, action: Enter) -> Swept | None:
    """Return the fire lanes in the hex, and the units exposed to them."""
    to = position.board.resolve(action.to)
    if not (lanes := lanes_at(position, to)):
        return None
    units = actors(position, action)
    return Swept(lanes, sum(kind_of(position, unit) != "afv" for unit in units))


def chains(position: ValorPosition, unit: ValorUnit) -> tuple[tuple[str, ...], ...]:
    """Return the chains of hexes from beside a unit to its target."""
    if unit.at is None or unit.fired_at is None:
        return ()
    board, at, target = position.board, unit.at, unit.fired_at
    found: list[tuple[str, ...]] = [()]
    for left in range(board.distance(at, target) - 1, -1, -1):
        found = [
            (*chain, name)
            for chain in found
            for name in board.index  # a lane crosses closed hexsides, too
            if board.distance(chain[-1] if chain else at, name) == 1
            and board.distance(name, target) == left
        ]
    return tuple(found)


@cases(Lane)
def laying_facts(position: ValorPosition, action: Lane) -> Laying:
    """Return the fire lane about to be laid."""
    unit, board = position.unit(action.unit), position.board
    names = [board.resolve(name) for name in action.hexes]
    chain = (
        bool(names)
        and unit.at is not None
        and names[-1] == unit.fired_at
        and all(board.distance(unit.at, name) == n for n, name in enumerate(names, 1))
        and all(board.distance(a, b) == 1 for a, b in pairwise(names))
    )
    opportunity = position.phase == "Movement" and unit.side != position.side
    return Laying(
        kind=kind_of(position, unit),
        mg=any(weapon_of(position, name).kind == "mg" for name in unit.sw),
        opportunity=opportunity and unit.fired_at is not None,
        laid=unit.laid,
        chain=chain,
    )


@clause("V13.9a", kind="action")
def lanes_laid(facts: Laying, sheet: Sheet) -> None:
    """Infantry that made Opportunity Fire with a machine gun can lay a fire lane from beside it to its target."""
    if facts.kind != "infantry" or not facts.mg:
        sheet.bar("only infantry with a machine gun can lay fire lanes")
    if not facts.opportunity:
        sheet.bar("it has not made Opportunity Fire in this phase")
    if facts.laid:
        sheet.bar("it has already laid its fire lane")
    if not facts.chain:
        sheet.bar("the hexes do not lead from beside it to its target")


@clause("V13.9b", kind="odds")
def lanes_swept(facts: Swept, sheet: Sheet) -> None:
    """A fire lane attacks infantry, unarmored vehicles and Guns that enter it."""
    if facts.lanes and facts.exposed:
        sheet.roll("lane", two_dice(), f"{facts.lanes} fire lane(s)")


@clause("V13.91", kind="odds")
def crossfire(facts: Crossed, sheet: Sheet) -> None:
    """Each additional fire lane in the hex subtracts 1 from the roll."""
    sheet.charge(-(facts.lanes - 1), "crossfire", DICE)


@clause("V13.9c", kind="odds", after=("V13.91",))
def lane_points(facts: Crossed, sheet: Sheet) -> None:
    """A fire lane attacks on the table's top row, without other modifiers."""
    found = points_for(table()[0].least, facts.roll + sheet.total(DICE))
    sheet.charge(found, "Casualty Points", "points")


@effect(Lane)
def after_lane(position: ValorPosition, action: Lane) -> ValorPosition:
    """Return the position with the fire lane laid, for this phase."""
    hexes = map(position.board.resolve, action.hexes)
    laid = tuple(Counter(kind=LANE, at=at, until="phase") for at in hexes)
    unit = replace(position.unit(action.unit), laid=True)
    return replace(position.with_units([unit]), counters=(*position.counters, *laid))


@resolves("lane")
def after_roll(
    position: ValorPosition, obligation: Obligation, outcome: str, edition: Edition
) -> ValorPosition:
    """Return the position with the points that fire lanes inflict owed."""
    unit = position.unit(obligation.unit)
    facts = Crossed(lanes_at(position, str(unit.at)), int(outcome))
    points = part_of(edition.judge(facts), "points")
    if unit.at is None or not points:
        return position
    side, only = foe_of(position, unit.side), unit.party or (unit.id,)
    attack = Attack(side=side, origin=unit.at, target=unit.at, opportunity=True, only=only)
    return inflicted(with_attack(position, attack), points)


anew = resets(laid=False)
