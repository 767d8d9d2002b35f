"""
Which units are alike enough for options to judge one of them and tell the same of the others.

Nothing here decides what is legal: what is in the keys is all that the facts of these verbs are
made of. Where more may bear on a unit (a line it belongs to, whom it carries or moved with, the
night), it is like nobody, and each of its actions is judged by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.offers import Likeness
from marchtable.standing import presences_of
from marchtable.tokens import token_of
from marchtable_models.asl.cases import columns as columncases
from marchtable_models.asl.cases import mphends
from marchtable_models.asl.effects import acts as effects
from marchtable_models.asl.model import (
    AslConditions,
    AslUnit,
    Disband,
    DoubleTime,
    End,
    Enter,
    Impulse,
    Leave,
    LeaveRoad,
    MinimumMove,
    Start,
    Stop,
    Turn,
)  # fmt: skip
from marchtable_models.asl.survey import lines
from marchtable_models.asl.survey.edge import outer_sides
from marchtable_models.asl.survey.ground import lie
from marchtable_models.asl.survey.guidance import is_unguided
from marchtable_models.asl.survey.precedence import waits_for_convoy, waits_for_leaver
from marchtable_models.asl.verbs.bypass import Along, Bypass, Into
from marchtable_models.asl.verbs.carrying import Unload
from marchtable_models.asl.verbs.foot import Advance, Assault, SetOut
from marchtable_models.asl.verbs.manning import Abandon
from marchtable_models.asl.verbs.mounts import Dismount, Gallop
from marchtable_models.asl.verbs.vehicles import (
    Delay,
    ExcessSpeed,
    Exit,
    Hatch,
    TaskCheck,
    Unbog,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.action import Action
    from marchtable.board import Board
    from marchtable.edition import Edition
    from marchtable.position import Position
    from marchtable.rulebook import Rulebook

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["alone", "elsewhere", "likeness", "surroundings", "waiting"]

VERBS: frozenset[type[Action]] = frozenset((
    Start, Stop, Turn, LeaveRoad, Enter, MinimumMove, Impulse, Leave, Disband, DoubleTime, Unload,
    Abandon, Dismount, Gallop, Delay, ExcessSpeed, Hatch, Unbog, TaskCheck, Exit, End, SetOut, Assault,
    Advance, Bypass, Along, Into,
))  # fmt: skip
"""Verbs that name no other unit, of units that carry nobody and are not carried; all if it is alone."""
REFERS = (
    "leaders", "sees", "lends", "helper", "armored", "guide", "aboard", "towing", "towed_by",
    "convoy", "column", "platoon", "origin", "behind", "hitch", "entering",
)  # fmt: skip
"""Fields by which a unit's state names another, a line or a Location."""


def alone(board: Board, unit: AslUnit) -> Hashable:
    """Return a unit without its id and place, and whence it came; None if its state names others."""
    if unit.at is None or any([getattr(unit, name) for name in REFERS]):  # noqa: C419 - quicker
        return None
    came = None
    if unit.previous is not None:
        if unit.previous != unit.at and board.hexside(unit.at, unit.previous) is None:
            return None
        came = lie(board, unit.at, unit.previous).direction
    return msgspec.structs.replace(unit, id="", at=None, previous=None), came


def surroundings(
    book: Rulebook[AslUnit, AslConditions], position: AslPosition, at: str
) -> Hashable:
    """
    Return all who are in a Location and what lies there.

    None if their state names others, or a Column is checked by whatever anybody does (E11.532).
    """
    if columncases.engaged(position):
        return None
    known: dict[str, Hashable] = position.notes.setdefault("surroundings", {})
    if at not in known:
        known[at] = _surroundings(book, position, at)
    return known[at]


def _surroundings(
    book: Rulebook[AslUnit, AslConditions], position: AslPosition, at: str
) -> Hashable:
    units = position.beside(at)
    if any([book.is_bound(position, unit) for unit in units]):  # noqa: C419 - quicker
        return None
    found = tuple([alone(position.board, unit) for unit in units])
    return None if None in found else token_of((found, position.markers.get(at)))


def elsewhere(position: AslPosition, side: str, edition: Edition) -> Hashable:
    """Return what holds everywhere, and what comes of others' MPh ending as a unit begins its own."""
    known: dict[str, Hashable] = position.notes.setdefault(("elsewhere", edition), {})
    if side not in known:
        over = effects.interrupted(position, side, ())
        ending = mphends.endings(position, over, edition) + columncases.of_fire_over(position)
        told = (position.conditions, position.side, position.phase, position.turn)
        known[side] = token_of((*told, tuple([(len(case.units), case.facts) for case in ending])))
    return known[side]


def waiting(position: AslPosition, unit: AslUnit) -> tuple[bool, bool]:
    """Tell whether a unit must let a Convoy, or who has left one, move first."""
    return waits_for_convoy(position, unit), waits_for_leaver(position, unit)


def likeness(
    book: Rulebook[AslUnit, AslConditions], position: AslPosition, unit: AslUnit
) -> Likeness | None:
    """Return what a unit's actions depend on, None if others may have a hand in them."""
    at, board = unit.at, position.board
    if at is None or position.conditions.night:
        return None
    around = surroundings(book, position, at)
    beside = position.beside(at)
    if around is None or any(u.mph == "moving" for u in beside if u is not unit):
        return None
    present = presences_of(book, position, unit.side).there
    waits = waiting(position, unit)
    outside = elsewhere(position, unit.side, book.edition(position))
    own = (outside, waits, beside.index(unit), around, present.get(at))
    chance = lines.lineup(position, unit, (), moves=0, active=0)
    at_edge = bool(outer_sides(board, at))
    own_end = unit.moving or unit.bypass is not None  # what comes of that depends on what is near
    left_out = (Exit,) * at_edge + (End,) * own_end
    return Likeness(
        verbs=frozenset(book.choices_of() if len(beside) == 1 else VERBS).difference(left_out),
        here=(own, lie(board, at, at), is_unguided(position, at), chance, *left_out),
        towards={
            name: (own, lie(board, at, name), present.get(name))
            for name in book.next_to(position, unit)
        },
        beside=tuple([other.id for other in beside]),
    )
