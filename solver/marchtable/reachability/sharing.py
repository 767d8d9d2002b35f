"""Sharing of compiled spaces between units, and their caches."""

from __future__ import annotations

import gc
import threading
from collections import OrderedDict
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.cache import Cache
from marchtable.checking import Checks
from marchtable.reachability.compiled import CompiledSpace
from marchtable.reachability.compiler import Prober
from marchtable.reachability.crossings import sight_is_denied
from marchtable.reachability.keys import circumstances
from marchtable.reachability.recheck import Recheck
from marchtable.reachability.standing import OtherUnits, Presences, presences_of
from marchtable.reachability.successors import Mover
from marchtable.rules.clause import clause_of, switched_off
from marchtable.rules.dependencies import is_tracking
from marchtable.rules.rulebook import find_rulebook
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.position import Position, Unit

__all__ = ["newcomer_beside", "own_space", "replace_by_newcomer", "shared_space", "undisturbed"]

MOST_SPACES = 2  # sets of them, of one kind; each position also holds its own
MOST_CHOICES = 16  # sets of switched-off clauses for which one kind is kept
CHOICE = 2_000  # bytes of the name of one
_MOVERS: Cache[Mover] = Cache(lambda mover: mover.nbytes, lambda mover: mover.let_go())
_OTHERS: Cache[OrderedDict[frozenset[str], Hashable]] = Cache(lambda others: CHOICE * len(others))
"""The sets of switched-off clauses for which a kind of mover is cached, and the cache keys."""
_LOCK = threading.Lock()  # acquired before a mover's lock, and that before the caches'


def _setting(rulebook: Rulebook[Any, Any], position: Position[Any, Any]) -> int:
    """Return a token of these circumstances."""
    setting = position.__dict__.get("setting")
    if setting is None:
        setting = position.__dict__["setting"] = token_of(circumstances(rulebook, position))
    return int(setting)


def _mover_of(position: Position[Any, Any], unit: Unit, *, avoid: bool) -> Mover:
    """Return the cached data for equal units."""
    rulebook = find_rulebook(position.rulebook)
    off, denied = switched_off(), sight_is_denied(rulebook)
    kind_key = (_setting(rulebook, position), rulebook.mover(position, unit), avoid, denied)
    key = (kind_key, off)
    with _LOCK:
        known = _MOVERS.get(key)
        if known is None:
            others = _OTHERS.get(kind_key) or _OTHERS.keep(kind_key, OrderedDict())
            known = _forked(others, off)
            if known is None:
                probed, newcomer = newcomer_beside(position, unit)
                known = Mover(rulebook, probed, newcomer, avoid=avoid, denied=denied)
                for other, its in reversed(others.items()):
                    if (found := _MOVERS.get(its)) is not None:
                        known.learn(found, _differing(off, other))
            # By content, because tokens can be reassigned, and what is counted by name is counted
            # once.
            known.name = (circumstances(rulebook, position), *kind_key[1:], off)
            _MOVERS.keep(key, known)
            others[off] = key
            while len(others) > MOST_CHOICES:
                others.popitem(last=False)
    return known


@lru_cache(maxsize=4096)
def _differing(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """Return the clauses that are off, or relaxed, in only one of two choices."""
    return frozenset(map(clause_of, one ^ other))


def _forked(others: OrderedDict[frozenset[str], Hashable], off: frozenset[str]) -> Mover | None:
    """Return data found under another choice of clauses, if the difference does not affect it."""
    if is_tracking():
        for other, key in reversed(others.items()):
            known = _MOVERS.get(key)
            made = None if known is None else known.fork(_differing(off, other))
            if made is not None:
                return made
    return None


def newcomer_beside(position: Position[Any, Any], unit: Unit) -> tuple[Position[Any, Any], Unit]:
    """Return the position with a newcomer, and its companions, beside a unit; and that newcomer."""
    newcomer = msgspec.structs.replace(unit, id=f"{unit.id}*")
    rulebook = find_rulebook(position.rulebook)
    along, met = rulebook.along(position, unit, newcomer), rulebook.before_its_move(unit)
    units = [met if one is unit else one for one in position.units]
    return msgspec.structs.replace(position, units=(*units, newcomer, *along)), newcomer


def replace_by_newcomer(
    position: Position[Any, Any], unit: Unit
) -> tuple[Position[Any, Any], Unit]:
    """Return the position with a newcomer while a unit, with its load, is off the map, and that newcomer."""
    newcomer = msgspec.structs.replace(unit, id=f"{unit.id}*")
    leaving = [one for one in position.units if unit.id == one.carrier]
    leaving.append(find_rulebook(position.rulebook).before_its_move(unit))
    gone = position.with_units([msgspec.structs.replace(one, at=None) for one in leaving])
    return msgspec.structs.replace(gone, units=(*gone.units, newcomer)), newcomer


class _Asking:
    """
    Makes the probers for a newcomer equal to a unit, on demand.

    Parameters
    ----------
    mover, position, unit
        The cached data, the other units by place, and the unit.
    """

    def __init__(self, mover: Mover, position: Position[Any, Any], unit: Unit) -> None:
        self._mover, self._unit = mover, unit
        # the position refers to it, not the reverse
        self._position = msgspec.structs.replace(position)

    def _prober(self, probed: Position[Any, Any], newcomer: Unit) -> Prober:
        return Prober(self._mover, probed, newcomer, tracks=is_tracking())

    @cached_property
    def _beside(self) -> Prober:
        return self._prober(*newcomer_beside(self._position, self._unit))

    @cached_property
    def _instead(self) -> Prober:
        return self._prober(*replace_by_newcomer(self._position, self._unit))

    def beside(self) -> Prober:
        """Return the prober of a newcomer beside the unit."""
        return self._beside

    def instead(self) -> Prober:
        """Return the prober of a newcomer while the unit is off the map."""
        return self._instead


def shared_space(position: Position[Any, Any], unit: Unit, *, avoid: bool) -> CompiledSpace:
    """
    Return the space of a newcomer equal to the unit, with all units where they are.

    At the unit's own Location, the newcomer meets the occupants without the unit, if that differs.

    Parameters
    ----------
    position, unit
        The position and the unit.
    avoid
        Leave out every step that requires a roll.
    """
    rulebook, at = find_rulebook(position.rulebook), str(unit.at)
    mover = _mover_of(position, unit, avoid=avoid)
    entrant = rulebook.entrant(position, unit)
    presences = presences_of(rulebook, position, entrant)
    without = rulebook.presence(position, entrant, at, unit)
    home = None if without == presences.contents.get(at) else (at, without)
    with mover.lock:
        known = _space_in(mover, presences, home)
        if known is None:
            ask = _Asking(mover, position, unit)
            standing = OtherUnits(presences, ask.beside, home=home, ask_at_home=ask.instead)
            known = _keep_space(mover, presences, home, CompiledSpace(mover, standing))
    if Checks.on:
        at_home = None if home is None else (at, *replace_by_newcomer(position, unit))
        known.recheck = Recheck(mover, *newcomer_beside(position, unit), home=at_home).hold
    return known


def own_space(position: Position[Any, Any], unit: Unit, *, avoid: bool) -> CompiledSpace:
    """Return the space of the unit itself, without its own presence at its start."""
    rulebook = find_rulebook(position.rulebook)
    mover = _own_mover(position, unit, avoid=avoid)
    presences = Presences(rulebook, position, rulebook.entrant(position, unit), unit)
    with mover.lock:
        known = _space_in(mover, presences, ("own", unit.at))
        if known is None:
            ask = Prober(mover, position, unit)
            others = OtherUnits(presences, lambda: ask, apart=unit.at)
            made = CompiledSpace(mover, others)
            known = _keep_space(mover, presences, ("own", unit.at), made)
    if Checks.on:
        known.recheck = Recheck(mover, position, unit).hold
    return known


def _own_mover(position: Position[Any, Any], unit: Unit, *, avoid: bool) -> Mover:
    """Return the cached data for a unit that no equal one can replace."""
    rulebook = find_rulebook(position.rulebook)
    bound = None if unit.at is None else rulebook.bound_mover(position, unit)
    about: Hashable = position.key()
    if bound is not None:
        about = (circumstances(rulebook, position), rulebook.mover(position, unit), bound)
    key = (about, unit.id, switched_off(), avoid)
    with _LOCK:
        known = _MOVERS.get(key)
        if known is None:
            denied = sight_is_denied(rulebook)
            known = Mover(rulebook, position, unit, avoid=avoid, denied=denied)
            known.name = key
            _MOVERS.keep(key, known)
    return known


def _space_in(mover: Mover, presences: Presences, home: Hashable) -> CompiledSpace | None:
    """Return a mover's space among these contents, None if there is none."""
    spaces: dict[Hashable, CompiledSpace] = mover.spaces.pop(presences.token, {})
    mover.spaces[presences.token] = spaces
    return spaces.get(home)


def _keep_space(
    mover: Mover, presences: Presences, home: Hashable, space: CompiledSpace
) -> CompiledSpace:
    """Keep a mover's space among these contents, and few sets of contents; return the space."""
    # making it may have let go of all that the mover keeps, if the caches are full
    mover.spaces.setdefault(presences.token, {})[home] = space
    while len(mover.spaces) > MOST_SPACES:
        mover.spaces.popitem(last=False)
    return space


@contextmanager
def undisturbed() -> Iterator[None]:
    """Suspend garbage collection, which costs a fifth more time with many lasting objects."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on and not gc.get_freeze_count():
            gc.freeze()  # what was made lasts: into the oldest generation, without a collection
            gc.unfreeze()
        if was_on:
            gc.enable()
