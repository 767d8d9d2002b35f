"""Compiles what one unit may do into a search space, by asking ``rule`` once for each case.

Two crossings with equal facts of the map and equal occupants get equal rulings, so one of them
stands for all: the unit is put there in each of its modes, every travel verb is tried, and the
cost and the mode it leads to become arcs wherever those facts occur.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.action import parameters
from marchtable.errors import InternalError
from marchtable.generator import candidates
from marchtable.space import Space

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.action import Action
    from marchtable.board import Board
    from marchtable.position import Position, Unit
    from marchtable.rulebook import Rulebook

    Ints = npt.NDArray[np.int32]

__all__ = ["CompiledSpace", "compile_space"]


class Transition(NamedTuple):
    """One way on from a mode; ``end`` says that it takes the whole allotment."""

    start: int
    stop: int
    cost: int
    end: bool
    actions: tuple[Action, ...]
    rolls: tuple[str, ...]


class Family(NamedTuple):
    """Crossings (or Locations, where a == b) that get equal rulings."""

    pairs: tuple[tuple[int, int], ...]
    transitions: tuple[Transition, ...]
    unsupported: tuple[tuple[int, tuple[str, ...]], ...]


class CompiledSpace:
    """A search space with what is needed to tell its states and arcs in the game's words."""

    def __init__(self, board: Board, modes: Sequence[Hashable], limits: Sequence[int], families: Sequence[Family]) -> None:
        import numpy as np

        self.modes, self._families = tuple(modes), tuple(families)
        self._mode2index = {mode: index for index, mode in enumerate(self.modes)}
        self._board_index = board.index
        self.transitions = tuple(t for family in families for t in family.transitions)
        size = len(board) * len(self.modes)
        self.limit = np.tile(np.array(limits, np.int32), len(board))
        source, target, number = self._expand()
        is_end = np.array([t.end for t in self.transitions], bool)[number] if len(number) else np.zeros(0, bool)
        costs = np.array([t.cost for t in self.transitions] or [0], np.int32)
        order = np.argsort(source, kind="stable")
        plain, ends = order[~is_end[order]], order[is_end[order]]
        self.arc_transition = np.concatenate([number[plain], number[ends]])
        self.space = Space(
            indptr=_indptr(source[plain], size), target=target[plain], cost=costs[number[plain]],
            limit=self.limit,
            end_indptr=_indptr(source[ends], size), end_target=target[ends],
            end_before=np.full(len(ends), np.iinfo(np.int32).max, np.int32),
        )  # fmt: skip

    def _expand(self) -> tuple[Ints, Ints, Ints]:
        import numpy as np

        width, first = len(self.modes), 0
        parts: list[tuple[Any, Any, Any]] = []
        for family in self._families:
            count = len(family.transitions)
            if count:
                pairs = np.array(family.pairs, np.int32) * width
                begin = np.array([t.start for t in family.transitions], np.int32)
                finish = np.array([t.stop for t in family.transitions], np.int32)
                parts.append((
                    (pairs[:, :1] + begin).ravel(),
                    (pairs[:, 1:] + finish).ravel(),
                    np.tile(np.arange(first, first + count, dtype=np.int32), len(pairs)),
                ))  # fmt: skip
            first += count
        if not parts:
            return (np.zeros(0, np.int32),) * 3
        return tuple(np.concatenate(column) for column in zip(*parts, strict=True))  # type: ignore[return-value]

    def starts(self, unit: Unit, mode: Hashable) -> list[int]:
        """Return the states in which the unit may be said to stand; none if it is off the map."""
        if unit.at is None:
            return []
        if mode not in self._mode2index:
            raise InternalError(f"{unit.id} is in mode {mode!r}, which its rulebook does not list")
        return [self._board_index[unit.at] * len(self.modes) + self._mode2index[mode]]

    def actions_on(self, arc: int, state: int, unit: str, board: Board) -> tuple[Action, ...]:
        """Return the actions that an arc into a state stands for."""
        to = board.locations[state // len(self.modes)].name
        return tuple(
            _retold(action, unit, to) for action in self.transitions[self.arc_transition[arc]].actions
        )

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
    def _unsupported(self) -> tuple[Ints, Ints, tuple[tuple[str, ...], ...]]:
        import numpy as np

        width = len(self.modes)
        names: list[tuple[str, ...]] = []
        states: list[int] = []
        kinds: list[int] = []
        for family in self._families:
            for mode, clauses in family.unsupported:
                states += [a * width + mode for a, _ in family.pairs]
                kinds += [len(names)] * len(family.pairs)
                names.append(clauses)
        return np.array(states, np.int32), np.array(kinds, np.int32), tuple(names)

    def unsupported_from(self, states: Ints) -> tuple[str, ...]:
        """Return the clauses, not modelled, that bear on a step out of one of these states."""
        import numpy as np

        where, kinds, names = self._unsupported
        if not len(where):
            return ()
        hit = np.unique(kinds[np.isin(where, states)])
        return tuple(sorted({name for kind in hit.tolist() for name in names[kind]}))


def compile_space(
    rulebook: Rulebook[Any, Any],
    position: Position[Any, Any],
    unit: Unit,
    present: Mapping[str, Hashable],
    *,
    avoid: bool,
) -> CompiledSpace:
    """
    Compile the search space of one unit.

    Parameters
    ----------
    rulebook, position, unit
        Whose rules, where, and who moves.
    present
        What stands in each occupied Location that bears on entering it.
    avoid
        Leave out every step that calls for a roll.
    """
    modes = tuple(rulebook.modes(position, unit))
    prober = _Prober(rulebook, position, unit, modes, avoid=avoid)
    limits = [
        rulebook.allotment(position, rulebook.in_mode(unit, position.board.locations[0].name, mode))
        for mode in modes
    ]
    families = [
        prober.family(pairs) for pairs in _alike(rulebook, position.board, present).values()
    ]
    return CompiledSpace(position.board, modes, limits, families)


def _alike(
    rulebook: Rulebook[Any, Any], board: Board, present: Mapping[str, Hashable]
) -> dict[Hashable, list[tuple[str, str]]]:
    """Group the Locations and the crossings of a board by what a ruling can depend on."""
    groups: dict[Hashable, list[tuple[str, str]]] = {}
    for a in board.index:
        for b in (a, *(name for _, name in board.neighbours(a))):
            key = (a == b, rulebook.ground(board, a, b), present.get(a), present.get(b))
            groups.setdefault(key, []).append((a, b))
    return groups


class _Prober:
    """Asks the rulebook what the unit may do in one representative of each group."""

    def __init__(
        self, rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit,
        modes: Sequence[Hashable], *, avoid: bool,
    ) -> None:  # fmt: skip
        self.rulebook, self.unit, self.modes, self.avoid = rulebook, unit, modes, avoid
        self.position = msgspec.structs.replace(position, pending=())
        self.number = {mode: index for index, mode in enumerate(modes)}
        self.known: dict[Hashable, tuple[Transition | tuple[str, ...], ...]] = {}
        adjacent = {
            t: any(p.domain == "adjacent" for p in parameters(t)) for t in rulebook.travel
        }
        self.crossing = [t for t, crosses in adjacent.items() if crosses]
        self.staying = [t for t, crosses in adjacent.items() if not crosses]

    def family(self, pairs: Sequence[tuple[str, str]]) -> Family:
        a, b = pairs[0]
        transitions: dict[tuple[int, int, int, bool], Transition] = {}
        unsupported: list[tuple[int, tuple[str, ...]]] = []
        for start, mode in enumerate(self.modes):
            if self.rulebook.is_final(mode):
                continue
            for found in self._ways_on(a, b, start, mode):
                if isinstance(found, Transition):
                    key = (found.start, found.stop, found.cost, found.end)
                    kept = transitions.setdefault(key, found)
                    if len(found.rolls) < len(kept.rolls):
                        transitions[key] = found
                else:
                    unsupported.append((start, found))
        index = self.position.board.index
        return Family(
            tuple((index[a], index[b]) for a, b in pairs),
            tuple(transitions.values()),
            tuple(unsupported),
        )

    def _ways_on(
        self, a: str, b: str, start: int, mode: Hashable
    ) -> Iterator[Transition | tuple[str, ...]]:
        unit = self.rulebook.in_mode(self.unit, a, mode)
        probe = self.position.with_units([unit])
        types = self.staying if a == b else self.crossing
        edition = self.rulebook.edition(probe)
        for action in candidates(self.rulebook, probe, unit, types, to=None if a == b else b):
            facts = tuple(case.facts for case in self.rulebook.cases(probe, action))
            if any(edition.judge(entry).bars for entry in facts):
                continue
            # Equal facts in an equal mode get equal rulings, wherever they are met.
            key = (start, _retold(action, "", ""), facts)
            if key not in self.known:
                self.known[key] = tuple(self._asked(probe, unit, action, b, start))
            yield from self.known[key]

    def _asked(
        self, probe: Position[Any, Any], unit: Unit, action: Action, to: str, start: int
    ) -> Iterator[Transition | tuple[str, ...]]:
        ruling = self.rulebook.rule(probe, action)
        rolls = tuple(o.clause for o in ruling.obligations)
        if ruling.violations or (rolls and self.avoid):
            return
        if ruling.unsupported:
            yield tuple(v.clause for v in ruling.unsupported)
            return
        after = ruling.after.unit(self.unit.id)
        if after.at != to:
            raise InternalError(f"{ruling.action} was to lead to {to} but led to {after.at}")
        cost = self.rulebook.spent(after) - self.rulebook.spent(unit)
        mode = self.rulebook.mode(after)
        end = self.rulebook.is_final(mode)
        if (self.number[mode], to, cost) == (start, unit.at, 0):
            return
        yield Transition(start, self.number[mode], cost, end, (action,), rolls)
        if end:  # what is still free afterwards (a Stop) belongs to the same arc
            settled = msgspec.structs.replace(ruling.after, pending=())
            for last in candidates(self.rulebook, settled, after, self.staying):
                final = self.rulebook.rule(settled, last)
                if final.is_legal and self.rulebook.is_final(
                    stop := self.rulebook.mode(final.after.unit(self.unit.id))
                ):
                    yield Transition(start, self.number[stop], cost, True, (action, last), rolls)


def _indptr(source: Ints, size: int) -> Ints:
    import numpy as np

    counts = np.bincount(source, minlength=size) if len(source) else np.zeros(size, np.int64)
    indptr: Ints = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return indptr


def _retold(action: Action, unit: str, to: str) -> Action:
    """Return a probe's action as this unit would do it towards this Location."""
    changes: dict[str, Any] = {}
    for parameter in parameters(type(action)):
        if parameter.domain == "unit":
            changes[parameter.name] = unit
        elif parameter.domain == "companions":
            changes[parameter.name] = (unit,)
        elif parameter.domain == "adjacent":
            changes[parameter.name] = to
    return msgspec.structs.replace(action, **changes)
