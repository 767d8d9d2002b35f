"""Which units share a compiled space; spaces are kept for as long as they may be asked again."""

from __future__ import annotations

import gc
import threading
from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.budget import lent_here, work
from marchtable.compiled import CompiledSpace
from marchtable.compiler import Prober, sight_is_denied
from marchtable.crossings import crossings_of
from marchtable.family import Kept, Unlisted
from marchtable.hearing import hearing
from marchtable.memory import Memory, differing
from marchtable.rose import SIXTHS
from marchtable.rulebook import find_rulebook
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from marchtable.position import Position, Unit
    from marchtable.rulebook import Rulebook

__all__ = ["kept_of", "memory_of", "own_space", "present_in", "shared_space", "token_of"]

FAMILY = (
    0.0005  # deterministic time that finding the ways on by one combination of facts counts for
)
MOST_SIZE = 4_000_000  # states and arcs of all kept spaces together: some 100 MB
MOST_MOVERS = 64  # kinds of mover whose ways on are kept
MOST_SPACES, MOST_CHOICES = 1_000, 16  # of which it is kept under what clauses, and how many
MOST_FACTS = 20_000  # combinations of facts kept for one of them
_SPACES: OrderedDict[Hashable, CompiledSpace] = OrderedDict()
_FOUND: OrderedDict[Hashable, Kept] = OrderedDict()
_OTHERS: OrderedDict[Hashable, OrderedDict[frozenset[str], Hashable]] = OrderedDict()
"""Under which choices of clauses the same space was compiled, and what it is kept as."""
_LOCK = threading.Lock()


def _kept(key: Hashable, made: CompiledSpace) -> CompiledSpace:
    """Keep a space as the last used one, and let go of those longest unused if there are too many."""
    with _LOCK:
        _SPACES[key] = made
        _SPACES.move_to_end(key)
        size = sum(space.size for space in _SPACES.values())
        while size > MOST_SIZE and len(_SPACES) > 1:
            size -= _SPACES.popitem(last=False)[1].size
    return made


def _known(key: Hashable) -> CompiledSpace | None:
    with _LOCK:
        found = _SPACES.get(key)
        if found is not None:
            _SPACES.move_to_end(key)
    return found


def _present(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], side: str, unit: Unit | None
) -> dict[str, Hashable]:
    """Return what stands in each Location, a unit left out if it is given."""
    found = rulebook.presences(position, side, unit)
    return {at: there for at, there in found.items() if there is not None}


def present_in(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit
) -> tuple[dict[str, Hashable], int]:
    """Return what stands in each Location for a newcomer of the unit's side, and a token of it."""
    name = f"present {unit.side}"
    known: tuple[dict[str, Hashable], int] | None = position.__dict__.get(name)
    if known is None:
        found = _present(rulebook, position, unit.side, None)
        known = position.__dict__[name] = (found, token_of(frozenset(found.items())))
    return known


def _setting(rulebook: Rulebook[Any, Any], position: Position[Any, Any]) -> int:
    """Return what all rulings in a position depend on, beside who stands where and what is off."""
    setting = position.__dict__.get("setting")
    if setting is None:
        about = (position.board.digest, rulebook.circumstances(position), position.readings)
        setting = token_of((rulebook.name, rulebook.version, *about))
        position.__dict__["setting"] = setting
    return int(setting)


def _mover_key(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, *, avoid: bool
) -> Hashable:
    setting, off = _setting(rulebook, position), rulebook.off_in_travel()
    return (setting, off, rulebook.mover(position, unit), avoid)


def memory_of(
    rulebook: Rulebook[Any, Any],
    position: Position[Any, Any],
    newcomer: Unit,
    modes: Sequence[Hashable],
) -> Memory:
    """Return what is known of a newcomer's equals, mode by mode."""
    setting, off = _setting(rulebook, position), rulebook.off_in_travel()
    return Memory(rulebook, position, newcomer, setting, off, modes)


def kept_of(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, *, avoid: bool
) -> Kept:
    """Return what was found so far for equal units."""
    key = _mover_key(rulebook, position, unit, avoid=avoid)
    with _LOCK:
        known = _FOUND.setdefault(key, Kept())
        _FOUND.move_to_end(key)
        if len(_FOUND) > MOST_MOVERS:
            _FOUND.popitem(last=False)
        if len(known.told[1]) > MOST_FACTS:
            known = _FOUND[key] = Kept()
    return known


def shared_space(
    position: Position[Any, Any], unit: Unit, *, avoid: bool, modes: Sequence[Hashable] = ()
) -> CompiledSpace:
    """
    Return the space of a newcomer equal to the unit, all units standing where they stand.

    It tells what may be done in the unit's mode, in those given, and in all to which they lead.
    """
    rulebook = find_rulebook(position.rulebook)
    present, token = present_in(rulebook, position, unit)
    key = (_mover_key(rulebook, position, unit, avoid=avoid), token)
    seeds = (rulebook.mode(unit), *modes)
    known = _known(key)
    if known is not None and known.covers(seeds):
        return _counted(key, known)
    off = rulebook.off_in_travel()
    asker = (rulebook.mover(position, unit), avoid, sight_is_denied(rulebook))
    about = (_setting(rulebook, position), token, *asker)
    for other in _under_other_clauses(about, off):
        if other.covers(seeds):
            return _counted(key, other)
    newcomer = msgspec.structs.replace(unit, id=f"{unit.id}*")
    along = rulebook.along(position, unit, newcomer)
    probed = msgspec.structs.replace(position, units=(*position.units, newcomer, *along))
    kept = kept_of(rulebook, position, unit, avoid=avoid)
    made = _compiled(rulebook, probed, newcomer, present, seeds, kept, avoid=avoid)
    made.heard = lambda: kept.heard
    with _LOCK:
        others = _OTHERS.setdefault(about, OrderedDict())
        others[off] = key
        while len(others) > MOST_CHOICES:
            others.popitem(last=False)
        if len(_OTHERS) > MOST_SPACES:
            _OTHERS.popitem(last=False)
    return _counted(key, _kept(key, made))


def _under_other_clauses(about: Hashable, off: frozenset[str]) -> Iterator[CompiledSpace]:
    """Yield spaces compiled with other clauses off, where those have no say in what they tell."""
    with _LOCK:
        others = [*_OTHERS.get(about, {}).items()]
    for other, key in reversed(others):
        space = _known(key)
        heard = None if space is None else space.heard()
        if space is not None and heard is not None and heard.isdisjoint(differing(off, other)):
            yield space


def _counted(key: tuple[Hashable, Hashable], space: CompiledSpace) -> CompiledSpace:
    """Count a space as compiled, once for a question, whether it was known already or not."""
    budget = lent_here()
    if budget is not None and budget.is_news(key):
        mover = token_of(key[0])
        work(FAMILY * sum([budget.is_news((mover, facts)) for facts in space.facts]))
    return space


def own_space(
    position: Position[Any, Any], unit: Unit, *, avoid: bool, modes: Sequence[Hashable] = ()
) -> CompiledSpace:
    """
    Return the space of the unit itself, which does not count where it came from.

    It tells what may be done in the modes given, or in the unit's own, and in all to which they lead.
    """
    rulebook = find_rulebook(position.rulebook)
    key = (position.key(), unit.id, rulebook.off_in_travel(), avoid)
    seeds = modes or (rulebook.mode(unit),)
    known = _known(key)
    if known is not None and known.covers(seeds):
        return known
    present = _present(rulebook, position, unit.side, unit)
    space = _compiled(rulebook, position, unit, present, seeds, None, avoid=avoid)
    return _kept(key, space)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Put off looking for garbage: of much that is made here, and kept, that takes a fifth longer."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _compiled(
    rulebook: Rulebook[Any, Any],
    position: Position[Any, Any],
    unit: Unit,
    present: Mapping[str, Hashable],
    seeds: Sequence[Hashable],
    kept: Kept | None,
    *,
    avoid: bool,
) -> CompiledSpace:
    """Return the space of a unit; of the unit itself, where it stands, unless something is kept."""
    own = kept or Kept()
    listed = tuple(rulebook.modes(position, unit))
    while True:
        modes = (*listed, *own.more)
        try:
            return _made(
                rulebook, position, unit, present, seeds, own, modes, shares=kept is not None,
                avoid=avoid,
            )  # fmt: skip
        except Unlisted as met:  # so may what it is at another bearing
            turned = [rulebook.turned(met.mode, by) for by in range(SIXTHS)]
            own.begin(dict.fromkeys(mode for mode in turned if mode not in modes))


def _made(
    rulebook: Rulebook[Any, Any],
    position: Position[Any, Any],
    unit: Unit,
    present: Mapping[str, Hashable],
    seeds: Sequence[Hashable],
    own: Kept,
    modes: tuple[Hashable, ...],
    *,
    shares: bool,
    avoid: bool,
) -> CompiledSpace:
    """Return the space of a unit that can be in these modes."""
    import numpy as np

    board = position.board
    somewhere = board.locations[0].name
    if modes not in own.limits:
        with hearing() as heard:
            units = [rulebook.in_mode(unit, somewhere, mode) for mode in modes]
            own.limits[modes] = [rulebook.allotment(position, one) for one in units]
        own.hear(heard)
    crossings = crossings_of(rulebook, board)
    groups, kinds = crossings.groups(present, None if shares else unit.at)
    memory = memory_of(rulebook, position, unit, modes) if shares else None
    prober = Prober(rulebook, position, unit, modes, avoid=avoid, kept=own, memory=memory)
    used, first, rank = np.unique(kinds, return_index=True, return_inverse=True)
    pairs = crossings.pairs
    asked = [
        (*pairs[n], groups[kind]) for kind, n in zip(used.tolist(), first.tolist(), strict=True)
    ]
    with _undisturbed():
        families, covered = prober.families(asked, seeds)
    kinds = rank.astype(np.int32)
    made = CompiledSpace(board, modes, own.limits[modes], crossings, kinds, families, own.shelf)
    made.facts = tuple([group for _, _, group in asked])
    made.covered = frozenset(modes[n] for n in covered)
    return made
