"""Search spaces made of what the compiler found, kept for as long as they may be asked again."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.action import retold
from marchtable.clause import switched_off
from marchtable.compiler import Family, Prober, crossings_of
from marchtable.errors import InternalError
from marchtable.rulebook import find_rulebook
from marchtable.space import Space

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.action import Action
    from marchtable.board import Board
    from marchtable.compiler import Crossings, Transition
    from marchtable.home import Returns
    from marchtable.position import Position, Unit
    from marchtable.rulebook import Rulebook
    from marchtable.space import Reached

    Ints = npt.NDArray[np.int32]

__all__ = ["NO_LIMIT", "CompiledSpace", "families_of", "own_space", "present_in", "shared_space"]

CACHED = 64
NO_LIMIT = 2**31 - 1


class CompiledSpace:
    """
    A search space with what is needed to tell its states and arcs in the game's words.

    Parameters
    ----------
    board
        The map; a state is a Location's index times the number of modes, plus the mode's.
    modes, limits
        The modes, and the allotment in each, in half points.
    crossings, kinds, families
        The board's crossings, each one's group, and what may be done in each group.
    """

    def __init__(
        self,
        board: Board,
        modes: Sequence[Hashable],
        limits: Sequence[int],
        crossings: Crossings,
        kinds: Ints,
        families: Sequence[Family],
    ) -> None:
        import numpy as np

        self.modes, self.board = tuple(modes), board
        self.families, self._crossings, self._kinds = families, crossings, kinds
        self.returns: dict[Hashable, Returns | None] = {}
        self.scratch: list[npt.NDArray[np.int64]] = []
        self._mode2index = {mode: index for index, mode in enumerate(self.modes)}
        self.transitions: tuple[Transition, ...] = tuple(
            t for family in families for t in family.transitions
        )
        size = len(board) * len(self.modes)
        self.limit = np.tile(np.array(limits, np.int32), len(board))
        source, target, number = self._expand()
        of = self.transitions
        is_end = np.array([t.end for t in of], bool)[number]
        costs = np.array([t.cost for t in of], np.int32)
        order = np.argsort(source, kind="stable")
        plain, ends = order[~is_end[order]], order[is_end[order]]
        self.arc_transition = np.concatenate([number[plain], number[ends]])
        self.space = Space(
            indptr=_indptr(source[plain], size),
            target=target[plain],
            cost=costs[number[plain]],
            limit=self.limit,
            end_indptr=_indptr(source[ends], size),
            end_target=target[ends],
            end_before=np.full(len(ends), NO_LIMIT, np.int32),
        )

    def lend_scratch(self) -> npt.NDArray[np.int64]:
        """Return an array with NO_LIMIT for each state; give it back to ``scratch`` as it was."""
        import numpy as np

        try:
            return self.scratch.pop()
        except IndexError:
            return np.full(len(self.limit), NO_LIMIT, np.int64)

    def _expand(self) -> tuple[Ints, Ints, Ints]:
        """Return source and target states and the transition of every arc."""
        import numpy as np

        width, first = len(self.modes), 0
        empty = np.zeros(0, np.int32)
        sources, targets, numbers = [empty], [empty], [empty]
        order = np.argsort(self._kinds, kind="stable")
        bounds = np.searchsorted(self._kinds[order], np.arange(len(self.families) + 1))
        for kind, family in enumerate(self.families):
            count = len(family.transitions)
            members = order[bounds[kind] : bounds[kind + 1]]
            if count and len(members):
                pairs = self._crossings.ends[members] * width
                begin = np.array([t.start for t in family.transitions], np.int32)
                finish = np.array([t.stop for t in family.transitions], np.int32)
                sources.append((pairs[:, :1] + begin).ravel())
                targets.append((pairs[:, 1:] + finish).ravel())
                numbers.append(
                    np.tile(np.arange(first, first + count, dtype=np.int32), len(pairs))
                )
            first += count
        return np.concatenate(sources), np.concatenate(targets), np.concatenate(numbers)

    def state(self, at: str, mode: Hashable) -> int:
        """Return the state of a unit at a Location in a mode."""
        if mode not in self._mode2index:
            raise InternalError(f"mode {mode!r} is not among those its rulebook lists")
        return self.board.index[at] * len(self.modes) + self._mode2index[mode]

    def families_at(self, crossing: int) -> Family:
        """Return what may be done at a crossing, by its number."""
        return self.families[self._kinds[crossing]]

    def actions_on(self, arc: int, state: int, unit: str) -> tuple[Action, ...]:
        """Return the actions that an arc into a state stands for."""
        to = self.board.locations[state // len(self.modes)].name
        found = self.transitions[self.arc_transition[arc]].actions
        return tuple(retold(action, unit=unit, to=to) for action in found)

    def rolls_on(self, arcs: Ints) -> tuple[str, ...]:
        """Return the clauses whose rolls these arcs call for."""
        if not self._has_rolls:
            return ()
        import numpy as np

        used = np.unique(self.arc_transition[arcs[arcs >= 0]])
        return tuple(sorted({name for t in used.tolist() for name in self.transitions[t].rolls}))

    @cached_property
    def _has_rolls(self) -> bool:
        return any(t.rolls for t in self.transitions)

    @cached_property
    def _unsupported(self) -> tuple[Ints, Ints, Ints, tuple[tuple[str, ...], ...]]:
        """Return the states, the most spent in each, and the clauses of every such step."""
        import numpy as np

        width = len(self.modes)
        names: list[tuple[str, ...]] = []
        empty = np.zeros(0, np.int32)
        states, most, kinds = [empty], [empty], [empty]
        for kind, family in enumerate(self.families):
            if not family.unsupported:
                continue
            places = self._crossings.ends[self._kinds == kind, 0] * width
            for start, stop, cost, clauses in family.unsupported:
                states.append(places + start)
                most.append(np.full(len(places), self.limit[stop] - cost, np.int32))
                kinds.append(np.full(len(places), len(names), np.int32))
                names.append(clauses)
        return np.concatenate(states), np.concatenate(most), np.concatenate(kinds), tuple(names)

    def unsupported_from(self, found: Reached) -> tuple[str, ...]:
        """Return the clauses, not modelled, that bear on a step that could be paid for."""
        import numpy as np

        where, most, kinds, names = self._unsupported
        if not len(where):
            return ()
        spent = self.lend_scratch()
        spent[found.state] = found.spent
        hit = np.unique(kinds[spent[where] <= most])
        spent[found.state] = NO_LIMIT
        self.scratch.append(spent)
        return tuple(sorted({name for kind in hit.tolist() for name in names[kind]}))


def _indptr(source: Ints, size: int) -> Ints:
    import numpy as np

    counts = np.bincount(source, minlength=size)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


# -- caches ----------------------------------------------------------------------------------------

_SPACES: OrderedDict[Hashable, CompiledSpace] = OrderedDict()
_FAMILIES: OrderedDict[Hashable, dict[Hashable, Family]] = OrderedDict()
_TOKENS: dict[Hashable, int] = {}


def _kept(cache: OrderedDict[Hashable, Any], key: Hashable, made: Any) -> Any:
    cache[key] = made
    if len(cache) > CACHED:
        cache.popitem(last=False)
    return made


def present_in(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit
) -> tuple[dict[str, Hashable], int]:
    """Return what stands in each Location for a newcomer of the unit's side, and a token of it."""
    name = f"present {unit.side}"
    known = position.__dict__.get(name)
    if known is None:
        found = {
            at: there
            for at in dict.fromkeys((*position.occupants, *position.markers))
            if (there := rulebook.presence(position, unit.side, at, None)) is not None
        }
        if len(_TOKENS) > 100_000:
            _TOKENS.clear()
            _SPACES.clear()
        token = _TOKENS.setdefault(tuple(sorted(found.items())), len(_TOKENS))
        known = position.__dict__[name] = (found, token)
    return known  # type: ignore[no-any-return]


def _mover_key(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, *, avoid: bool
) -> Hashable:
    return (
        rulebook.name, rulebook.version, position.board.digest, position.conditions,
        position.readings, switched_off(), rulebook.mover(position, unit), avoid,
    )  # fmt: skip


def families_of(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, *, avoid: bool
) -> dict[Hashable, Family]:
    """Return what is known so far of equal units' ways on, by the facts they depend on."""
    key = _mover_key(rulebook, position, unit, avoid=avoid)
    known = _FAMILIES.get(key)
    return _kept(_FAMILIES, key, {}) if known is None else known  # type: ignore[no-any-return]


def shared_space(position: Position[Any, Any], unit: Unit, *, avoid: bool) -> CompiledSpace:
    """Return the space of a newcomer equal to the unit, all units standing where they stand."""
    rulebook = find_rulebook(position.rulebook)
    present, token = present_in(rulebook, position, unit)
    key = (_mover_key(rulebook, position, unit, avoid=avoid), token)
    known = _SPACES.get(key)
    if known is not None:
        _SPACES.move_to_end(key)
        return known
    newcomer = msgspec.structs.replace(unit, id=f"{unit.id}*")
    probed = msgspec.structs.replace(position, units=(*position.units, newcomer))
    families = families_of(rulebook, position, unit, avoid=avoid)
    space = _compiled(rulebook, probed, newcomer, present, families, avoid=avoid)
    return _kept(_SPACES, key, space)  # type: ignore[no-any-return]


def own_space(position: Position[Any, Any], unit: Unit, *, avoid: bool) -> CompiledSpace:
    """Return the space of the unit itself, which does not count where it came from."""
    rulebook = find_rulebook(position.rulebook)
    key = (position.key(), unit.id, switched_off(), avoid)
    known = _SPACES.get(key)
    if known is not None:
        return known
    present = {
        at: there
        for at in dict.fromkeys((*position.occupants, *position.markers))
        if (there := rulebook.presence(position, unit.side, at, unit)) is not None
    }
    space = _compiled(rulebook, position, unit, present, {}, avoid=avoid)
    return _kept(_SPACES, key, space)  # type: ignore[no-any-return]


def _compiled(
    rulebook: Rulebook[Any, Any],
    position: Position[Any, Any],
    unit: Unit,
    present: Mapping[str, Hashable],
    families: dict[Hashable, Family],
    *,
    avoid: bool,
) -> CompiledSpace:
    import numpy as np

    board = position.board
    modes = tuple(rulebook.modes(position, unit))
    somewhere = board.locations[0].name
    limits = [
        rulebook.allotment(position, rulebook.in_mode(unit, somewhere, mode)) for mode in modes
    ]
    crossings = crossings_of(rulebook, board)
    groups, kinds = crossings.groups(present)
    prober = Prober(rulebook, position, unit, modes, avoid=avoid)
    used, first = np.unique(kinds, return_index=True)
    found: dict[int, Family] = {}
    for kind, example in zip(used.tolist(), first.tolist(), strict=True):
        facts = groups[kind]
        if facts not in families:
            families[facts] = prober.family(*crossings.pairs[example])
        found[kind] = families[facts]
    listed = [found.get(kind, Family((), ())) for kind in range(len(groups))]
    return CompiledSpace(board, modes, limits, crossings, kinds, listed)

