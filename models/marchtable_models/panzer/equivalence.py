"""
Equivalence of units: one is judged, and the result reported for the others.

Nothing here decides legality: the keys contain all that these verbs' facts use, except the order of
stacks, which bars nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.reachability.standing import present_at
from marchtable.rules.equivalence import Equivalence
from marchtable.tokens import token_of
from marchtable_models.panzer.rules.assaults import Assault
from marchtable_models.panzer.rules.fire import Fire
from marchtable_models.panzer.rules.leaving import Exit
from marchtable_models.panzer.rules.movement import Move, is_late
from marchtable_models.panzer.rules.observation import Observe
from marchtable_models.panzer.rules.overruns import Overrun
from marchtable_models.panzer.rules.removal import Remove, thrown_pairs
from marchtable_models.panzer.views.ground import lie
from marchtable_models.panzer.views.presence import registered_hexes
from marchtable_models.panzer.views.units import passengers

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.action import Action
    from marchtable_models.panzer.model import PanzerPosition, PanzerUnit

__all__ = ["distant_facts", "equivalence"]

VERBS: frozenset[type[Action]] = frozenset((Move, Fire, Observe, Remove))
"""Verbs that name no other unit."""


def distant_facts(book: Rulebook[Any, Any], position: PanzerPosition, unit: PanzerUnit) -> Hashable:
    """Return the facts that reach a unit from beyond adjacent hexes; None if a removal might be owed."""
    everywhere = _everywhere(position)
    if everywhere is None:
        return None
    return (everywhere, is_late(position, unit), _behind_enemies(book, position, unit))


def _everywhere(position: PanzerPosition) -> Hashable:
    """Return the facts that apply to all units anywhere; None if a removal might be owed."""
    known: dict[str, Hashable] = position.notes
    if "everywhere" not in known:
        applies = (position.conditions, position.side, position.phase, registered_hexes(position))
        known["everywhere"] = None if thrown_pairs(position) else token_of(applies)
    return known["everywhere"]


def _behind_enemies(
    book: Rulebook[Any, Any], position: PanzerPosition, unit: PanzerUnit
) -> tuple[Hashable, ...]:
    """Return the units straight beyond each adjacent hex with enemies, where an overrun ends."""
    if unit.at is None:
        return ()
    board, entrant, found = position.board, book.entrant(position, unit), []
    for _, to in board.neighbours(unit.at):
        if any(u.side != unit.side for u in position.beside(to)):
            away = board.beyond(unit.at, to)
            found.append((to, away and present_at(book, position, entrant, away)))
    return tuple(found)


def equivalence(
    book: Rulebook[Any, Any], position: PanzerPosition, unit: PanzerUnit
) -> Equivalence | None:
    """Return a key of everything on which a unit's actions depend; None if a removal might be owed, or off the map."""
    at, board, outside = unit.at, position.board, _everywhere(position)
    if at is None or outside is None:
        return None
    beside = position.beside(at)
    if any([u.at != at for u in passengers(position, unit)]):  # noqa: C419 - quicker
        return None
    known: dict[str, Hashable] = position.notes.setdefault("stacks", {})
    if at not in known:
        known[at] = token_of(
            (outside, position.markers.get(at, ()), tuple([_alone(u, beside) for u in beside]))
        )
    here = (known[at], beside.index(unit), is_late(position, unit))
    return Equivalence(
        verbs=VERBS if len(beside) > 1 else frozenset(book.choices_of()) - {Assault, Exit, Overrun},
        here=here,
        towards={
            name: (
                here,
                lie(board, at, name),
                present_at(book, position, book.entrant(position, unit), name),
            )
            for name in book.next_to(position, unit)
        },
        beside=tuple([other.id for other in beside]),
        other_verbs_key=(
            here,
            beside,
            _behind_enemies(book, position, unit),
            _enemies(position, unit),
        ),
    )


def _enemies(position: PanzerPosition, unit: PanzerUnit) -> tuple[Hashable, ...]:
    """Return the enemies adjacent to a unit, and the counters there."""
    near = [name for _, name in position.board.neighbours(str(unit.at))]
    return tuple(
        [
            (position.beside(to), position.markers.get(to))
            for to in near
            if any(u.side != unit.side for u in position.beside(to))
        ]
    )


def _alone(unit: PanzerUnit, beside: tuple[PanzerUnit, ...]) -> Hashable:
    """Return a unit without id, place and what bars nothing, and which unit of its hex carries it."""
    carriers = tuple([n for n, other in enumerate(beside) if other.id == unit.aboard])
    bare = msgspec.structs.replace(
        unit, id="", at=None, value=0, height=0, exposed=False, came=False, by_road=False, crushed=False, stormed=False, thrown=None, shelled=False,
        aboard=None if unit.aboard is None else "", left=None if unit.left is None else "",
    )  # fmt: skip
    return bare, carriers
