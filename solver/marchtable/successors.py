"""What units equal to one may do next, state by state: ruled on when a search first asks for it.

A state is a Location and a mode; what leads on from it depends on who stands there and next to
it, its *surroundings*. So what was found for one position serves every other in which a Location
has the same surroundings.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.compiler import Spot
from marchtable.crossings import crossings_of
from marchtable.hearing import hearing
from marchtable.rose import SIXTHS
from marchtable.transitions import NOTHING, Transition
from marchtable.views import views_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from marchtable.compiled import CompiledSpace
    from marchtable.compiler import Prober
    from marchtable.crossings import Crossing
    from marchtable.position import Position, Unit
    from marchtable.rulebook import Rulebook
    from marchtable.transitions import Block, Way

__all__ = ["UNMET", "Column", "Mover", "Present", "Span"]

UNMET = -1
BITS = 6  # for what an arc costs, at first
Arc = tuple[int, int, int]
"""The row that an arc leads to, what it costs in half points, and the number of what is done on it."""
Span = tuple[int, int, int, int]
"""Where a state's arcs begin, its end arcs, its steps that are not modelled, and where these end."""
CLOSED: Span = (0, 0, 0, 0)


class Column:
    """An array that grows; what was taken of it stays as it was."""

    def __init__(self, kind: Any) -> None:
        import numpy as np

        self._data, self._size = np.empty(64, kind), 0

    def __len__(self) -> int:
        return self._size

    def extend(self, values: Any) -> None:
        """Put values behind those there are."""
        import numpy as np

        size = self._size + len(values)
        if size > len(self._data):
            data = np.empty(2 * size, self._data.dtype)
            data[: self._size] = self._data[: self._size]
            self._data = data
        self._data[self._size : size] = values
        self._size = size

    def taken(self) -> Any:
        """Return what is there now, to be read only."""
        return self._data[: self._size]

    def copy(self) -> Column:
        """Return one that grows by itself."""
        found = Column(self._data.dtype)
        found.extend(self.taken())
        return found

    @property
    def nbytes(self) -> int:
        """The bytes it takes."""
        return int(self._data.nbytes)


class Present(NamedTuple):
    """
    Who stands at a crossing.

    Parameters
    ----------
    token
        Equal where equals stand.
    wide
        Whether it matters on which side.
    ask
        Returns whom to ask what may be done there.
    """

    token: int
    wide: bool
    ask: Callable[[], Prober]


class Around(NamedTuple):
    """A crossing out of a Location: the states it leads to begin at `base`; where each mode leads."""

    base: int
    spot: Spot
    known: dict[int, Leads]


class Place(NamedTuple):
    """
    A Location in some surroundings.

    Parameters
    ----------
    spans
        The arcs out of each mode that was asked for.
    crossings, shape
        The crossings out of it, and a token of their outlines.
    spots
        The crossings with who stands there.
    """

    spans: dict[int, Span]
    crossings: tuple[Crossing, ...]
    shape: int
    spots: list[Around]

    def forked(self, leads: dict[tuple[int, int], dict[int, Leads]]) -> Place:
        """Return one that goes on by itself."""
        spots = [
            one._replace(known=leads[one.spot.crossing.kind, one.spot.present])
            for one in self.spots
        ]
        return self._replace(spans=dict(self.spans), spots=spots)


class Leads(NamedTuple):
    """Where a block leads: the modes, half points and numbers of its ways; ends; steps not modelled."""

    plain: tuple[tuple[int, int, int], ...]
    ends: tuple[tuple[int, int, int], ...]
    unmodelled: tuple[tuple[int, int, int], ...]


NOWHERE = Leads((), (), ())


class Mover:
    """
    What units equal to one may do, as far as it was asked for.

    Parameters
    ----------
    rulebook, position, unit
        Whose rules, and an example of the unit where the board and the conditions are the same.
    avoid
        Leave out every step that calls for a roll.
    denied
        Whether nothing is barred at sight.

    Attributes
    ----------
    modes, number, limits
        Its modes, the number of each, and the allotment in it, in half points.
    width
        A state is a Location's index times this, plus the mode's number.
    heard
        The clauses that have a say in any of it; None if that was not kept.
    lock
        To be held by whoever adds to it.
    known
        Of a Location in some surroundings, the arcs out of each mode that was asked for.
    """

    def __init__(
        self, rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, *,
        avoid: bool, denied: bool,
    ) -> None:  # fmt: skip
        import numpy as np

        self.rulebook, self.board, self.avoid = rulebook, position.board, avoid
        self.crossings = crossings_of(rulebook, position.board)
        self.width = (2**31 - 1) // len(position.board)
        self.lock = threading.RLock()
        self.heard: set[str] | None = set()
        self._denied, self._position, self._unit = denied, position, unit
        self.modes: list[Hashable] = []
        self.number: dict[Hashable, int] = {}
        self.limits: list[int] = []
        self._add(rulebook.modes(position, unit))
        self.known: dict[tuple[int, int], Place] = {}
        self.spaces: OrderedDict[Hashable, CompiledSpace] = OrderedDict()
        self.last: CompiledSpace | None = None
        self._leads: dict[tuple[int, int], dict[int, Leads]] = {}
        self._blocks: dict[tuple[int, int, int], Block] = {}
        self._turned: dict[tuple[int, int, int], tuple[Block, Leads]] = {}
        self.ways: list[tuple[Way, int]] = []
        self.row: dict[int, int] = {}
        self.states: list[int] = []
        self.tops: list[int] = []
        self.rows_at: dict[int, list[int]] = {}
        self.numbers, self.most, self.unmet = (Column(np.int32) for _ in range(3))
        self.target, self.cost, self.source, self.way = (Column(np.int32) for _ in range(4))
        self.packed, self.bits = Column(np.uint32), BITS
        self._new: list[Arc] = []
        self._sources: list[int] = []
        self.spare: dict[bool, list[Any]] = {False: [], True: []}

    def _add(self, modes: Iterable[Hashable]) -> None:
        somewhere = self.board.locations[0].name
        with hearing() as heard:
            for mode in modes:
                self.number[mode] = len(self.modes)
                self.modes.append(mode)
                unit = self.rulebook.in_mode(self._unit, somewhere, mode)
                self.limits.append(self.rulebook.allotment(self._position, unit))
        self.hear(heard)
        self.views = views_of(self.rulebook, tuple(self.modes), denied=self._denied)

    def numbered(self, mode: Hashable) -> int:
        """Return the number of a mode; one that the rulebook does not list, as where clauses are off, is added."""
        found = self.number.get(mode)
        if found is None:  # so may be what it is at another bearing
            turned = dict.fromkeys(self.rulebook.turned(mode, by) for by in range(SIXTHS))
            self._add([one for one in turned if one not in self.number])
            found = self.number[mode]
        return found

    def hear(self, names: Iterable[str] | None) -> None:
        """Take note of clauses that have a say; of None that it is not known which do."""
        if names is None:
            self.heard = None
        elif self.heard is not None:
            self.heard.update(names)

    def fork(self) -> Mover:
        """Return one that knows what this one knows, to go on under another choice of clauses."""
        with self.lock:
            made = object.__new__(Mover)
            made.__dict__.update(self.__dict__)
            made.lock, made.spaces, made.last = threading.RLock(), OrderedDict(), None
            made.heard = None if self.heard is None else set(self.heard)
            made.spare = {False: [], True: []}
            made._leads = {key: dict(told) for key, told in self._leads.items()}
            made.known = {key: place.forked(made._leads) for key, place in self.known.items()}
            made.rows_at = {at: [*rows] for at, rows in self.rows_at.items()}
            for name in ("states", "tops", "modes", "number", "limits", "_blocks", "_turned", "ways", "row", "numbers",
                         "most", "unmet", "target", "cost", "source", "way", "packed"):  # fmt: skip
                setattr(made, name, getattr(self, name).copy())
        return made

    # -- states --------------------------------------------------------------------------------

    def rows_of(self, states: Iterable[int]) -> list[int]:
        """Return where states stand in the arrays, those that are new put behind the others."""
        found = [self._row(state) for state in states]
        self.flush()
        return found

    def _row(self, state: int) -> int:
        number = self.row.get(state)
        if number is None:
            number = self.row[state] = len(self.states)
            at, mode = divmod(state, self.width)
            self.states.append(state)
            self.tops.append(self.limits[mode])
            self.rows_at.setdefault(at, []).append(number)
        return number

    def expand(
        self, state: int, around: int, present: Callable[[Crossing], Present]
    ) -> tuple[Span, list[Arc]]:
        """
        Find what leads on from a state, if it was not asked for before.

        Parameters
        ----------
        state
            The state.
        around
            A token of its Location's surroundings.
        present
            Tells of a crossing who stands there.

        Returns
        -------
        tuple
            Where its arcs are, once :meth:`flush` was called; and these, but for end arcs.
        """
        at, mode = divmod(state, self.width)
        place = self.known.get((at, around))
        if place is None:
            place = self.known[at, around] = self._placed(at, present)
        span = place.spans.get(mode)
        if span is not None:
            self.flush()
            arcs = slice(*span[:2])
            rows, costs = self.target.taken()[arcs].tolist(), self.cost.taken()[arcs].tolist()
            return span, [*zip(rows, costs, self.way.taken()[arcs].tolist(), strict=True)]
        arcs: list[Arc] = []
        span = CLOSED
        if self.views.is_open[mode]:
            leads = []
            spots = place.spots
            for number in self.views.ahead(place.shape, place.crossings, mode):
                base, spot, known = spots[number]
                led = known.get(mode)
                if led is None:
                    led = known[mode] = self._led(spot, mode, present(spot.crossing).ask)
                if led is not NOWHERE:
                    leads.append((base, led))
            if leads:
                span, arcs = self._appended(state, leads)
        place.spans[mode] = span
        return span, arcs

    def _placed(self, at: int, present: Callable[[Crossing], Present]) -> Place:
        crossings, shape = self.crossings.out_of(at)
        found = []
        for crossing in crossings:
            there = present(crossing)
            known = self._leads.setdefault((crossing.kind, there.token), {})
            spot = Spot(crossing, there.token, there.wide)
            found.append(Around(crossing.number * self.width, spot, known))
        return Place({}, crossings, shape, found)

    def _led(self, spot: Spot, mode: int, ask: Callable[[], Prober]) -> Leads:
        """Return where a mode leads by a crossing."""
        row = self.views.row(spot.crossing, mode, wide=spot.wide)
        if row is None:
            return NOWHERE
        key = (row.like, row.seen, spot.present)
        block = self._blocks.get(key)
        if block is None:
            block = self._blocks[key] = ask().block(spot, row)
        return self._turned_by(block, row.by, spot.crossing.kind)

    def _turned_by(self, block: Block, by: int, kind: int) -> Leads:
        """Return where a block leads, turned, at a kind of crossing."""
        if block is NOTHING:
            return NOWHERE
        key = (id(block), by, kind)
        known = self._turned.get(key)
        if known is None:
            moded = self.views.rose.moded
            parts: list[list[tuple[int, int, int]]] = [[], [], []]
            ways: tuple[Way, ...] = (*block.transitions, *block.unsupported)
            for way in ways:
                part = 2 if not isinstance(way, Transition) else int(way.end)
                cost = 0 if part == 1 else way.cost
                parts[part].append((moded(way.stop, by), cost, len(self.ways)))
                self.ways.append((way, by))
            known = self._turned[key] = (block, Leads(*map(tuple, parts)))
        return known[1]

    def _appended(self, state: int, leads: list[tuple[int, Leads]]) -> tuple[Span, list[Arc]]:
        """Put the arcs out of a state behind all others."""
        row, new = self.row.get, self._new
        begin, before = len(new), len(self.target)
        ends = []
        for part in range(3):
            for base, led in leads:
                for stop, cost, way in led[part]:
                    to = row(base + stop)
                    if to is None:
                        to = self._row(base + stop)
                    new.append((to, cost, way))
            ends.append(len(new))
        self._sources += [state] * (len(new) - begin)
        plain, end, last = ends
        return (before + begin, before + plain, before + end, before + last), new[begin:plain]

    def flush(self) -> None:
        """Put what is new of states and arcs into the arrays."""
        import numpy as np

        more = self.states[len(self.numbers) :]
        if more:
            self.numbers.extend(more)
            is_open = self.views.is_open
            self.most.extend(self.tops[len(self.most) :])
            self.unmet.extend([UNMET if is_open[state % self.width] else 0 for state in more])
        if self._new:
            target, cost, way = np.array(self._new, np.int32).T
            self._new.clear()
            self.target.extend(target)
            self.cost.extend(cost)
            self.way.extend(way)
            self.source.extend(self._sources)
            self._sources.clear()
            bits = int(cost.max()).bit_length()
            if bits > self.bits:  # seldom: all anew, with room for the dearest
                self.bits, self.packed = bits, Column(np.uint32)
                target, cost = self.target.taken(), self.cost.taken()
            packed = target.astype(np.uint32) << np.uint32(self.bits)
            self.packed.extend(packed | cost.astype(np.uint32))

    @property
    def nbytes(self) -> int:
        """About the bytes that it takes."""
        columns = (
            self.numbers,
            self.most,
            self.unmet,
            self.target,
            self.cost,
            self.source,
            self.way,
        )
        return sum(column.nbytes for column in (*columns, self.packed))
