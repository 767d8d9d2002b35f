"""Reads off a position the facts of tasks: how far a building goes, what lies in a Location."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.state.action import verb_of
from marchtable_models.asl.clauses.terrain.chart import row_of
from marchtable_models.asl.corners import opposite
from marchtable_models.asl.counterkinds import FLAME, MINEFIELD, ROADBLOCK, SET_DC, WIRE
from marchtable_models.asl.data import count
from marchtable_models.asl.extraction.clearance import BUILDINGS
from marchtable_models.asl.extraction.ground import floors_of
from marchtable_models.asl.extraction.movers import crowd_of
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.tasks import Clearing, MoppingUp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.board.board import Board
    from marchtable.state.position import Counter, Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.tasks import Clear, MakeClearance

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["building_at", "cleared_by", "clearing", "item_at", "items_at", "mopping_up", "secured"]

RUBBLE = ("wooden-rubble", "stone-rubble")
KINDS: dict[str, tuple[str, ...]] = {
    "rubble": RUBBLE, "flame": (FLAME,), "wire": (WIRE,), "mines": (MINEFIELD,), "dc": (SET_DC,),
}  # fmt: skip
"""Which counters each task is about; a roadblock's has a hexside in its name."""
GONE = (*RUBBLE, "blaze")
"""What makes a Location no part of its building for Mopping Up."""


def building_at(position: AslPosition, at: str) -> tuple[frozenset[str], bool]:
    """Return the ground level Locations of a building, none where there is none, and whether the board tells them all."""
    board = position.board
    if not _is_built(position, at):
        return frozenset(), True
    found, waiting, told = {at}, [at], True
    while waiting:
        here = waiting.pop()
        for way, name in board.neighbours(here):
            if name in found or not _is_built(position, name):
                continue
            joined = _is_joined(board, here, name, way)
            told &= joined is not None
            if joined:
                found.add(name)
                waiting.append(name)
    return frozenset(found), told


def _is_built(position: AslPosition, at: str) -> bool:
    built = row_of(position.board[at].terrain) in BUILDINGS
    return built and not set(GONE) & set(position.markers.get(at, ()))


def _is_joined(board: Board, a: str, b: str, way: int) -> bool | None:
    """Return whether a hexside lies within one building, None where that is not told."""
    here, there, hexside = board[a], board[b], board.hexside(a, b)
    if hexside is None or hexside.terrain is not None:
        return False
    if row_of(here.terrain) != row_of(there.terrain):
        return False
    if here.level != there.level or not (here.clear and there.clear):
        return None
    return here.clear[way] == there.clear[opposite(way)] == 0


def mopping_up(position: AslPosition, unit: AslUnit, units: Sequence[AslUnit]) -> MoppingUp:
    """Return the facts of a unit that would secure its building, with others."""
    hexes, told = building_at(position, str(unit.at)) if unit.at else (frozenset[str](), True)
    kind, state = type_of(position, unit), unit.status
    inside = [other for other in position.units if other.at in hexes]
    ids = {each.id for each in units}
    near = [each.at for each in units if each.at in hexes]
    most = count("A12.153", "hexes")
    return MoppingUp(
        phase=position.phase,
        own_turn=unit.side == position.side,
        fit=kind.is_infantry
        and kind.class_ != "smc"
        and unit.cargo.aboard is None
        and unit.cargo.guard is None
        and not unit.concealment.dummy
        and not (state.broken or state.disrupted or state.pinned or state.unarmed or state.berserk)
        and not (state.ti or state.prep_fired or state.fired)
        and state.melee != "held",
        building=bool(hexes),
        large=len(hexes) > 1 or any(floors_of(position.board[name]) for name in hexes),
        told=told,
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


def secured(position: AslPosition, prisoner: AslUnit, captor: AslUnit) -> bool:
    """Return whether a building has just been secured in which both are: its side mopped up, nobody is concealed."""
    if position.phase != "PFPh" or captor.side != position.side or prisoner.at is None:
        return False
    hexes, told = building_at(position, prisoner.at)
    inside = [unit for unit in position.units if unit.at in hexes]
    return (
        told
        and captor in inside
        and any(unit.side == captor.side and unit.status.ti for unit in inside)
        and not any(unit.side != captor.side and unit.concealment.concealed for unit in inside)
    )


def items_at(position: AslPosition, at: str | None) -> list[str]:
    """Return what a Location holds that may be cleared."""
    kinds = position.markers.get(at or "", ())
    found = [what for what, names in KINDS.items() if set(names) & set(kinds)]
    return [*found, *["roadblock"] * any(kind.startswith(ROADBLOCK) for kind in kinds)]


def item_at(position: AslPosition, at: str | None, what: str) -> Counter | None:
    """Return the counter that is cleared in a Location; None if there is none."""
    for counter in position.counters:
        if position.board.resolve(counter.at) == at:
            named = counter.kind in KINDS.get(what, ())
            if named or (what == "roadblock" and counter.kind.startswith(ROADBLOCK)):
                return counter
    return None


def cleared_by(position: AslPosition, unit: AslUnit, what: str) -> list[AslUnit]:
    """Return those of a unit's side and Location who are engaged in clearing that, and still able to."""
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
    unfit = (
        state.broken or state.disrupted or state.pinned or state.berserk or unit.concealment.dummy
        or unit.cargo.guard is not None
    )  # fmt: skip
    return foot and not unfit and unit.place.bypass is None and state.melee != "held"


def clearing(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], action: Clear | MakeClearance
) -> Clearing:
    """Return the facts of a unit that declares a Clearance attempt, or makes its DR, with others."""
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
        half_squads=count("A5.5", "squad") * crowd.squads + crowd.half_squads + crowd.crews,
        drm=getattr(action, "drm", 0),
        deep_snow=position.conditions.deep_snow,
        sides=tuple(dict.fromkeys(sides)),
        inexperienced=any(
            one.status.inexperienced or kind.quality in ("green", "conscript")
            for one, kind in zip(units, kinds, strict=True)
        ),
    )
