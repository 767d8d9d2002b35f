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
from marchtable.errors import InternalError
from marchtable.hearing import hearing
from marchtable.rose import SIXTHS
from marchtable.transitions import NOTHING, Transition
from marchtable.views import views_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from marchtable.compiled import CompiledSpace
    from marchtable.compiler import Prober
    from marchtable.crossings import Crossing
    from marchtable.position import Position, Unit
    from marchtable.rulebook import Rulebook
    from marchtable.standing import Standing
    from marchtable.transitions import Block, Way

__all__ = ["NOBODY", "UNMET", "Arc", "Column", "Expander", "Mover", "Present", "Span"]

UNMET = -1
WORD = 2**32  # a state and what a step costs share one number
NOBODY = -1  # stands in a Location or next to it
BITS = 6  # for what an arc costs, at first
Arc = tuple[int, int, int]
"""The row that an arc leads to, what it costs in half points, and the number of what is done on it."""
Span = tuple[int, int, int, int]
"""Where a state's arcs begin, its end arcs, its steps that are not modelled, and where these end."""
CLOSED: Span = (0, 0, 0, 0)


class Column:
    """
    An array that grows at its end; what was taken of it stays as it was.

    Parameters
    ----------
    kind
        The type of its numbers.
    rows
        How many are told of each entry, if more than one.
    """

    def __init__(self, kind: Any, rows: int = 0) -> None:
        import numpy as np

        self._rows, self._size = rows, 0
        self._data = np.empty((rows, 64) if rows else 64, kind)

    def __len__(self) -> int:
        return self._size

    def extend(self, values: Any) -> None:
        """Put entries behind those there are."""
        import numpy as np

        size = self._size + (values.shape[1] if self._rows else len(values))
        if size > self._data.shape[-1]:
            shape = (self._rows, 2 * size) if self._rows else 2 * size
            data = np.empty(shape, self._data.dtype)
            data[..., : self._size] = self.taken()
            self._data = data
        self._data[..., self._size : size] = values
        self._size = size

    def taken(self) -> Any:
        """Return what is there now, to be read only."""
        return self._data[..., : self._size]

    def copy(self) -> Column:
        """Return one that grows by itself."""
        found = Column(self._data.dtype, self._rows)
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
    is_nobody
        Whether nobody stands there.
    ask
        Returns whom to ask what may be done there.
    """

    token: int
    wide: bool
    is_nobody: bool
    ask: Callable[[], Prober]


class Around(NamedTuple):
    """A crossing out of a Location: the states it leads to begin at `base`; where each mode leads."""

    base: int
    spot: Spot
    known: dict[int, Leads]


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
    modes, number, limits, kept
        Its modes, the number of each, what may be spent in it, and what of the allotment may not, in
        half points.
    width
        A state is a Location's index times this, plus the mode's number.
    heard
        The clauses that have a say in any of it; None if that was not kept.
    name
        What tells it from others.
    lock
        To be held by whoever adds to it.
    known
        Of a Location in some surroundings, the span of arcs out of each mode that was asked for.
    kept_leads
        Where modes lead by a kind of crossing at which nobody stands.
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
        self.name: Hashable = None
        self._denied, self._position, self._unit = denied, position, unit
        self.modes: list[Hashable] = []
        self.number: dict[Hashable, int] = {}
        self.limits: list[int] = []
        self.kept: list[int] = []
        self._add(rulebook.modes(position, unit))
        self.known: dict[tuple[int, int], dict[int, int]] = {}
        self.spaces: OrderedDict[Hashable, CompiledSpace] = OrderedDict()
        self.last: CompiledSpace | None = None
        self.kept_leads: dict[int, dict[int, Leads]] = {}
        self._blocks: dict[tuple[int, int, int], Block] = {}
        self._turned: dict[tuple[int, int], tuple[Block, Leads]] = {}
        self.ways: list[tuple[Way, int]] = []
        self.row: dict[int, int] = {}
        self.states: list[int] = []
        self.tops: list[int] = []
        self.rows_at: dict[int, list[int]] = {}
        self.numbers, self.most, self.unmet = (Column(np.int32) for _ in range(3))
        self.target, self.cost, self.source, self.way = (Column(np.int32) for _ in range(4))
        self.packed, self.bits = Column(np.uint32), BITS
        self.spans = Column(np.int32, rows=4)
        self.spans.extend(np.array([CLOSED], np.int32).T)
        self._new_spans: list[Span] = []
        self._new: list[Arc] = []
        self._sources: list[int] = []
        self.spare: dict[bool, list[Any]] = {False: [], True: []}
        self.listed: list[int] = []

    def _add(self, modes: Iterable[Hashable]) -> None:
        somewhere = self.board.locations[0].name
        new = [*modes]
        with hearing() as heard:
            units = [self.rulebook.in_mode(self._unit, somewhere, mode) for mode in new]
            limits = [self.rulebook.spendable(self._position, unit) for unit in units]
            kept = [
                self.rulebook.allotment(self._position, unit) - limit
                for unit, limit in zip(units, limits, strict=True)
            ]
        for mode, limit, rest in zip(new, limits, kept, strict=True):
            self.number[mode] = len(self.modes)
            self.modes.append(mode)
            self.limits.append(limit)
            self.kept.append(rest)
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
            self.flush()
            made = object.__new__(Mover)
            made.__dict__.update(self.__dict__)
            made.lock, made.spaces, made.last = threading.RLock(), OrderedDict(), None
            made.heard = None if self.heard is None else set(self.heard)
            made.spare, made.listed = {False: [], True: []}, []
            made._new, made._new_spans, made._sources = [], [], []
            made.known = {key: dict(told) for key, told in self.known.items()}
            made.kept_leads = {key: dict(told) for key, told in self.kept_leads.items()}
            made.rows_at = {at: [*rows] for at, rows in self.rows_at.items()}
            for name in ("states", "tops", "modes", "number", "limits", "kept", "_blocks", "_turned", "ways", "row", "numbers",
                         "most", "unmet", "target", "cost", "source", "way", "packed",
                         "spans"):  # fmt: skip
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

    def spans_at(self, at: int, around: int) -> Mapping[int, int]:
        """Return the numbers of the spans that are known of a Location in some surroundings, by mode."""
        return self.known.get((at, around), {})

    def span(self, number: int) -> Span:
        """Return where arcs are, by the number of their span."""
        first, middle, last, stop = self.spans.taken()[:, number].tolist()
        return first, middle, last, stop

    def arcs(self, number: int) -> list[Arc]:
        """Return the arcs of a span but for end arcs."""
        self.flush()
        arcs = slice(*self.span(number)[:2])
        rows, costs = self.target.taken()[arcs].tolist(), self.cost.taken()[arcs].tolist()
        return [*zip(rows, costs, self.way.taken()[arcs].tolist(), strict=True)]

    def _turned_by(self, block: Block, by: int) -> Leads:
        """Return where a block leads, turned."""
        if block is NOTHING:
            return NOWHERE
        key = (id(block), by)
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

    def leads(self, spot: Spot, mode: int, ask: Callable[[], Prober]) -> Leads:
        """Return where a mode leads by a crossing."""
        row = self.views.row(spot.crossing, mode, wide=spot.wide)
        if row is None:
            return NOWHERE
        key = (row.like, row.seen, spot.present)
        block = self._blocks.get(key)
        if block is None:
            block = self._blocks[key] = ask().block(spot, row)
        return self._turned_by(block, row.by)

    def append(self, state: int, leads: list[tuple[int, Leads]]) -> tuple[int, list[Arc]]:
        """Put the arcs out of a state behind all others; return their span's number, and all but ends."""
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
            ends.append(before + len(new))
        self._sources += [state] * (len(new) - begin)
        middle, last, stop = ends
        self._new_spans.append((before + begin, middle, last, stop))
        number = len(self.spans) + len(self._new_spans) - 1
        return number, new[begin : middle - before]

    def flush(self) -> None:
        """Put what is new of states and arcs into the arrays."""
        import numpy as np

        more = self.states[len(self.numbers) :]
        if more:
            self.numbers.extend(more)
            is_open = self.views.is_open
            self.most.extend(self.tops[len(self.most) :])
            self.unmet.extend([UNMET if is_open[state % self.width] else 0 for state in more])
        if self._new_spans:
            self.spans.extend(np.array(self._new_spans, np.int32).T)
            self._new_spans.clear()
        if self._new:
            target, cost, way = np.array(self._new, np.int32).T
            self._new.clear()
            self.target.extend(target)
            self.cost.extend(cost)
            self.way.extend(way)
            self.source.extend(self._sources)
            self._sources.clear()
            bits = int(cost.max()).bit_length()
            if cost.min() < 0 or len(self.states) << max(bits, self.bits) > WORD:
                raise InternalError("a step that costs less than nothing, or more states than fit")
            if bits > self.bits:  # seldom: all anew, with room for the dearest
                self.bits, self.packed, self.listed = bits, Column(np.uint32), []
                target, cost = self.target.taken(), self.cost.taken()
            packed = target.astype(np.uint32) << np.uint32(self.bits)
            self.packed.extend(packed | cost.astype(np.uint32))

    @property
    def nbytes(self) -> int:
        """About the bytes that it takes."""
        columns = (self.numbers, self.most, self.unmet, self.target, self.cost, self.source,
                   self.way, self.packed, self.spans)  # fmt: skip
        told = 450 * len(self.states) + 180 * len(self.spans) + 250 * len(self.ways)
        told += 1_600 * len(self._blocks) + 900 * len(self._turned) + 60 * len(self.listed)
        told += 6_000 * len(self.kept_leads) + 1_500_000  # the last: what searches scribble on
        told += (
            80 * len(self.spaces) * len(self.states)
        )  # their spans, and those of units come home
        return sum(column.nbytes for column in columns) + told


class Expander:
    """
    Finds what leads on from states while somebody searches, others standing where they stand.

    Parameters
    ----------
    mover
        What is known; to be locked.
    standing
        Who stands where.
    """

    def __init__(self, mover: Mover, standing: Standing) -> None:
        self._mover, self._standing = mover, standing
        self._spots: dict[int, tuple[tuple[Crossing, ...], int, list[Around]]] = {}
        self._leads: dict[tuple[int, int], dict[int, Leads]] = {}

    def __call__(self, state: int) -> tuple[int, list[Arc]]:
        """Return the number of the span of arcs out of a state, and these but for end arcs."""
        mover, standing = self._mover, self._standing
        at, mode = divmod(state, mover.width)
        spans = mover.known.setdefault((at, standing.around.get(at, NOBODY)), {})
        known = spans.get(mode)
        if known is not None:
            return known, mover.arcs(known)
        if not mover.views.is_open[mode]:
            return 0, []
        told = self._spots.get(at)
        if told is None:
            told = self._spots[at] = self._around(at)
        crossings, shape, spots = told
        leads = []
        for number in mover.views.ahead(shape, crossings, mode):
            base, spot, led_by = spots[number]
            led = led_by.get(mode)
            if led is None:
                ask = standing.present(spot.crossing).ask
                led = led_by[mode] = mover.leads(spot, mode, ask)
            if led is not NOWHERE:
                leads.append((base, led))
        found, arcs = mover.append(state, leads) if leads else (0, [])
        spans[mode] = found
        return found, arcs

    def _around(self, at: int) -> tuple[tuple[Crossing, ...], int, list[Around]]:
        mover, found = self._mover, []
        crossings, shape = mover.crossings.out_of(at)
        for crossing in crossings:
            there = self._standing.present(crossing)
            if there.is_nobody:
                leads = mover.kept_leads.setdefault(crossing.kind, {})
            else:
                leads = self._leads.setdefault((crossing.kind, there.token), {})
            spot = Spot(crossing, there.token, there.wide)
            found.append(Around(crossing.number * mover.width, spot, leads))
        return crossings, shape, found
