"""Reads off a position the facts of a Dash across a road (A4.63)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.records import replace
from marchtable_models.asl.extraction import movers, purse
from marchtable_models.asl.extraction.foot import lies_open
from marchtable_models.asl.extraction.ground import lie
from marchtable_models.asl.extraction.lookout import has_los, is_computed
from marchtable_models.asl.extraction.movers import has_only_thrown
from marchtable_models.asl.extraction.reading import entry
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.dashing import Dashing
from marchtable_models.asl.facts.los import best
from marchtable_models.asl.model import Enter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.facts.los import Los
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["BROKEN_OFF", "declared", "gone_on"]

BROKEN_OFF = Dashing("ends")
KEPT = ("leaders", "road", "inside")
"""What an entry makes of a unit on which the cost of the next, and its MF, depend."""


def declared(
    position: AslPosition, units: Sequence[AslUnit], unit: AslUnit, to: str, edition: Edition
) -> Dashing:
    """Return the facts of one of the units that declare to Dash to a Location."""
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
        cost=cost,
        allotment=allotment,
    )


def _open_ends(position: AslPosition, unit: AslUnit, to: str, via: str | None) -> Los:
    """Find whether an enemy sees the Open Ground at either end of a Dash."""
    enemies = [
        one
        for one in position.units
        if one.side != unit.side and one.at is not None and type_of(position, one).class_ != "wreck"
    ]
    moved = replace(unit, at=to, previous=via)
    here = [_sees(position, unit, one) for one in enemies if lies_open(position, unit)]
    there = [
        _sees(position, moved, one) if is_computed(position) else "untold"
        for one in enemies
        if lies_open(position, moved)
    ]
    return best([*here, *there])


def _sees(position: AslPosition, unit: AslUnit, enemy: AslUnit) -> Los:
    """Find whether an enemy sees a unit; of one that is concealed nobody knows what, and where, it is."""
    if not enemy.concealment.concealed:
        return has_los(position, unit, enemy)
    found = has_los(position, unit, replace(enemy, inside="", bypass=None, crest=None))
    return "unsure" if found == "yes" and is_computed(position) else found


def gone_on(position: AslPosition, unit: AslUnit, action: Any, to: str) -> Dashing:
    """Return the facts of a unit that has declared a Dash, and enters a Location."""
    chosen = getattr(action, "half", False) or getattr(action, "off_road", False)
    plain = not (chosen or getattr(action, "beneath", False))
    if unit.move.previous is not None:
        return Dashing("far", way=to == unit.move.dash, plain=plain)
    goal = str(unit.move.dash)
    way = to in _between(position, unit, goal)
    parted, roads, _ = _across(position, unit, to, goal) if way else (False, 0, "")
    return Dashing("road", way=way, plain=plain, roads=roads, parted=parted)


def _between(position: AslPosition, unit: AslUnit, to: str) -> list[str]:
    """Return the Locations that lead from the unit's to another in two steps."""
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
    """Return whether the road of a Location has hexsides on either hand, and how many beside the way."""
    board = position.board
    came, goes = (lie(board, via, other).direction for other in (str(unit.at), to))
    site = lie(board, via, via)
    roads = () if site.ground.here == "runway" else site.roads  # no unit dashes across one (B7.4)
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
    """Return what a unit of a stack pays for two entries, and its MF then, in half points."""
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
    return cost, purse.allotment(position, position.unit(unit.id), edition)
