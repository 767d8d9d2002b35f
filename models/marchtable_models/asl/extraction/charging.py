"""
Reads off a position the facts of a berserk unit's charge (A15.43): the shortest ways in MF.

Ways lead through the hexes; where one might go round an obstacle by Bypass on the way, it is taken to cost a MF
at least, so that a step is on a shortest way, is on none, or nobody can tell without more.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

import msgspec

from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import WIRE
from marchtable_models.asl.data import halves
from marchtable_models.asl.extraction import purse
from marchtable_models.asl.extraction.distances import distances
from marchtable_models.asl.extraction.ground import lie
from marchtable_models.asl.extraction.lookout import has_los, known_enemies
from marchtable_models.asl.extraction.movers import party
from marchtable_models.asl.extraction.reading import entry, there
from marchtable_models.asl.extraction.unitkinds import is_known_enemy, type_of
from marchtable_models.asl.facts.charging import Charging, Owing
from marchtable_models.asl.levels import level_entered, level_of
from marchtable_models.asl.model import Enter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.facts.los import Los
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["charging", "owing"]

FAR = 10_000


def charging(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], to: str, edition: Edition
) -> Charging:
    """Return the facts of a berserk unit that enters a Location with others."""
    enemies = _targets(position, unit)
    way: Literal["yes", "no", "untold"] = "untold"
    if enemies and unit.at is not None:
        near = min(position.board.distance(unit.at, str(one.at)) for one in enemies)
        goals = {
            str(one.at) for one in enemies
            if position.board.distance(unit.at, str(one.at)) == near
        }  # fmt: skip
        ways = [_on_the_way(position, unit, units, (to, goal), edition) for goal in sorted(goals)]
        way = "yes" if "yes" in ways else "untold" if "untold" in ways else "no"
    mates = {one.id for one in _mates(position, unit)}
    return Charging(
        seen=bool(enemies),
        way=way,
        whole=mates <= {one.id for one in units},
        pp=sum(weapon.pp for weapon in unit.sw),
        single=max((weapon.pp for weapon in unit.sw), default=0),
        smc=type_of(position, unit).class_ == "smc",
        arrives=_is_among(position, unit, to, level_entered(level_of(position, unit))),
    )


def _targets(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return the Known enemies that a berserk unit sees; none where that is not known of one as near."""
    known: dict[str, list[AslUnit]] = position.notes.setdefault("charged", {})
    if unit.id not in known:
        found: dict[Los, list[AslUnit]] = {}
        for one in known_enemies(position, unit):
            if one.at is not None:
                found.setdefault(has_los(position, unit, one), []).append(one)
        near, unsure = (
            min(
                (position.board.distance(str(unit.at), str(one.at)) for one in found.get(kind, ())),
                default=FAR,
            )
            for kind in ("yes", "unsure")
        )
        known[unit.id] = found.get("yes", []) if near < unsure else []
    return known[unit.id]


def owing(position: AslPosition, unit: AslUnit, edition: Edition, *, waits: bool = False) -> Owing:
    """Return the facts of a berserk unit whose MPh ends, or which others would not wait for."""
    return Owing(_goes_on(position, unit, edition), waits)


def _goes_on(
    position: AslPosition, unit: AslUnit, edition: Edition
) -> Literal["yes", "no", "untold"]:
    """Return whether a berserk unit can enter a Location on its charge."""
    state = unit.status
    if (
        unit.at is None
        or unit.cargo.aboard
        or state.broken
        or state.pinned
        or state.melee == "held"
    ):
        return "no"
    enemies = [one.at for one in position.units if is_known_enemy(position, unit, one)]
    among = _is_among(position, unit, unit.at, level_of(position, unit))
    if among or not any(at is not None for at in enemies):
        return "no"
    if unit.at in enemies or unit.place.inside or unit.place.bypass is not None:
        return "untold"
    found = {_enters(position, unit, to, edition) for _, to in position.board.neighbours(unit.at)}
    return "yes" if "yes" in found else "untold" if "untold" in found else "no"


def _is_among(position: AslPosition, unit: AslUnit, at: str, level: str) -> bool:
    """Return whether a Known enemy, neither unarmed nor disrupted, is in a hex at a level."""
    return there(position, unit.side, at, level=level).known


def _enters(
    position: AslPosition, unit: AslUnit, to: str, edition: Edition
) -> Literal["yes", "no", "untold"]:
    """Return whether a berserk unit can charge into a Location next to it, its heavy SW left behind."""
    units = _mates(position, unit)
    way = charging(position, unit, units, to, edition).way
    stack = party(position, units)
    found = edition.judge(step := entry(position, unit, to, stack, Enter(stack.ids, to)))
    due = purse.payment(position, replace(unit, sw=()), step, found, edition)
    if way == "no" or found.bars or edition.judge(due).bars:
        return "no"
    return "untold" if way == "untold" or found.unsupported else "yes"


def _mates(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return all berserk units that stand as a unit does, itself among them."""
    return [
        one
        for one in position.beside(unit.at)
        if one.side == unit.side
        and one.status.berserk
        and (one.status.wounded, one.place) == (unit.status.wounded, unit.place)
    ]


def _on_the_way(
    position: AslPosition,
    unit: AslUnit,
    units: Sequence[AslUnit],
    step: tuple[str, str],
    edition: Edition,
) -> Literal["yes", "no", "untold"]:
    """Return whether a step to a Location is one of a shortest way to a goal."""
    (to, goal), here = step, str(unit.at)
    first, _ = _costs(position, unit, units, (here, to), edition, ends=to == goal)
    most, least = _left(position, unit, units, goal, edition)
    if first is None:
        return "untold"
    if to in most and here in least and first + most[to] <= least[here]:
        return "yes"
    if here in most and (to not in least or first + least[to] > most[here]):
        return "no"
    return "untold"


def _left(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], goal: str, edition: Edition
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the half MF from each Location to a goal, and the least that they could be."""
    key = ("charge", unit.id, tuple(one.id for one in units), goal, edition)
    if key not in position.notes:

        @cache
        def costs(a: str, b: str) -> tuple[int | None, int | None]:
            return _costs(position, unit, units, (b, a), edition, ends=a == goal)

        position.notes[key] = tuple(
            distances(position.board, goal, lambda a, b, which=which: costs(a, b)[which])  # type: ignore[misc]
            for which in (0, 1)
        )
    most, least = position.notes[key]
    return most, least


def _costs(
    position: AslPosition,
    unit: AslUnit,
    units: Sequence[AslUnit],
    way: tuple[str, str],
    edition: Edition,
    *,
    ends: bool,
) -> tuple[int | None, int | None]:
    """
    Return what a step costs in half MF, and the least it could; None where it leads nowhere.

    Where the charge `ends` nobody goes round the obstacle: the enemy is in it.
    """
    a, b = way
    there_now = unit if a == unit.at else replace(unit, at=a, inside="", used=1)
    step = entry(position, there_now, b, party(position, units), Enter((unit.id,), b))
    found = edition.judge(msgspec.structs.replace(step, detour=None, asks=()))  # it knows of nobody
    skirt = lie(position.board, a, b).skirt
    one = halves("A15.431", "least")
    wired = WIRE in position.markers.get(a, ()) or WIRE in position.markers.get(b, ())
    closed = bool(found.bars) and not wired
    cost = None if closed or found.unsupported or wired else found.total
    round_it = skirt.row and not ends and (skirt.foot or not skirt.told)
    if round_it or found.unsupported or wired:
        return cost, one
    return cost, cost
