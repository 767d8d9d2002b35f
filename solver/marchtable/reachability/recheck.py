"""Checks a space's cached steps against the referee."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.checking import hold
from marchtable.reachability.compiler import Prober
from marchtable.reachability.crossings import Crossing, Spot
from marchtable.reachability.transitions import Transition
from marchtable.reachability.views import CrossingView, Views
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from marchtable.reachability.compiled import CompiledSpace
    from marchtable.reachability.successors import Mover
    from marchtable.reachability.transitions import ActionOutcome, Way
    from marchtable.state.position import Position, Unit

__all__ = ["STATES", "Recheck"]

STATES = 8
"""Approximate number of states of a search that are judged again: fewer than twice as many."""
Step = tuple[Any, ...]


class _Afresh:
    """Stands in for a mover with an empty cache, with the modes of a known mover."""

    def __init__(self, mover: Mover, position: Position[Any, Any], unit: Unit) -> None:
        self.rulebook, self.avoid = mover.rulebook, mover.avoid
        self._position, self._unit = position, unit
        self.modes: list[Hashable] = []
        self.number: dict[Hashable, int] = {}
        self.limits: list[int] = []
        self.outcomes: dict[tuple[Any, ...], ActionOutcome] = {}
        for mode in mover.modes:
            self._add(mode)
        self.views = Views(self.rulebook, self.modes, self.number, denied=True)

    def _add(self, mode: Hashable) -> None:
        self.number[mode] = len(self.modes)
        self.modes.append(mode)
        somewhere = self._position.board.locations[0].name
        unit = self.rulebook.in_mode(self._unit, somewhere, mode)
        self.limits.append(self.rulebook.budget(self._position, unit).spendable)

    def numbered(self, mode: Hashable) -> int:
        """Return the number of a mode; add the mode if it is new."""
        if mode not in self.number:
            self._add(mode)
        return self.number[mode]

    def consult(self, names: Iterable[str] | None) -> None:
        """Ignore which clauses were consulted."""


class Recheck:
    """
    Judges steps of a space again, each separately, without caches.

    Parameters
    ----------
    mover, position, unit
        The cached data of units equal to this one, the position, and the unit that is moved in it.
    home
        The Location to which the unit returns, with the position and the unit for judging the
        return.
    """

    def __init__(
        self, mover: Mover, position: Position[Any, Any], unit: Unit,
        home: tuple[str, Position[Any, Any], Unit] | None = None,
    ) -> None:  # fmt: skip
        self._mover, self._position, self._unit, self._home = mover, position, unit, home
        self._checked: set[int] = set()

    def hold(self, space: CompiledSpace, states: Iterable[int]) -> None:
        """
        Judge again the steps out of some of these states, and compare.

        The choice of states depends only on the Locations among these states.

        Raises
        ------
        WrongMemoryError
            If the space holds a step that is not legal, or lacks one that is.
        """
        mover, is_final = self._mover, self._mover.rulebook.is_final
        is_open = [state for state in states if not is_final(mover.modes[state % mover.width])]
        every = max(1, len(is_open) // STATES)
        first = sum(state // mover.width for state in is_open) % every
        some = [state for state in is_open[first::every] if state not in self._checked]
        if not some:
            return
        asked = _Afresh(mover, self._position, self._unit)
        limits = [*asked.limits]
        hold("limits of modes", mover.limits[: len(limits)], limits, **self._where(asked.modes, ""))
        prober = Prober(asked, self._position, self._unit)
        at_home = None if self._home is None else Prober(asked, *self._home[1:])
        for state in some:
            self._checked.add(state)
            at, mode = divmod(state, mover.width)
            known: set[Step] = set(_known(space, state))
            ruled: set[Step] = set()
            for crossing in mover.crossings.out_of(at):
                comes_home = self._home is not None and crossing.b == self._home[0] != crossing.a
                ask = at_home if comes_home else prober
                assert ask is not None
                ruled.update(_ruled(asked, ask, crossing, mover.modes[mode]))
            for step in sorted(known ^ ruled, key=repr):
                where = self._where((mover.modes[mode], mover.name), f"{crossing.a} {step}")
                hold("steps of reach", step in known, step in ruled, **where)

    def _where(self, key: Any, action: Any) -> dict[str, Any]:
        return {"key": key, "position": self._position, "action": f"{self._unit.id}: {action}"}


def _known(space: CompiledSpace, state: int) -> Iterator[Step]:
    """Yield the steps out of a state that a space holds."""
    import numpy as np

    mover = space.mover
    with mover.lock:
        first, middle, last, stop = (int(one[0]) for one in space.expand(np.array([state])))
        for arc in range(first, stop):
            number = int(mover.way.taken()[arc])
            (way,) = mover.views.rotation.turn((mover.ways[number],), mover.turned[number])
            to = int(mover.numbers.taken()[mover.target.taken()[arc]]) // mover.width
            yield _step(way, space.board.locations[to].name, mover.modes)
        assert first <= middle <= last


def _ruled(asked: _Afresh, prober: Prober, crossing: Crossing, mode: Hashable) -> Iterator[Step]:
    """Yield the steps over a crossing, in a mode, that the referee allows or cannot judge."""
    start = asked.number[mode]
    apart = token_of(("recheck", crossing.a, crossing.b))
    row = CrossingView(start, start, 0, token_of(("recheck", crossing.kind, start)))
    for way in prober.block(Spot(crossing, apart, whole_map=True), row):
        yield _step(way, crossing.b, asked.modes)


def _step(way: Way, to: str, modes: list[Hashable]) -> Step:
    """Return a step's target Location and mode, and its cost."""
    if isinstance(way, Transition):
        cost = 0 if way.end else way.cost
        return (to, modes[way.stop], cost, way.rolls, way.end)
    return (to, modes[way.stop], way.cost, way.rolls, way.clauses)
