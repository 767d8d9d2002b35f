"""
The possible next steps of equal units, state by state: judged when a search first needs them.

A state is a Location and a mode; its successors depend on the occupants of the Location and its
neighbours, its *surroundings*. A Location with its surroundings is a *site*; data found at a site
serve every position in which it occurs. A crossing with the occupants of both ends is of a *sort*;
a sort in a mode is what is judged. All else is arrays, filled for many states at once::

    state -- its Location --> site -- _site_exits --> exits -- _exits --> the other end, the sort
    sort, mode ----------- _lead_of --> lead -- lead_bounds --> ways, last steps, steps not
    modelled
    way ----------------- lead_ways --> to which mode, half points
    state's ways together --- spans --> arcs: target, cost, source, way

A *lead* is what :class:`Prober` found for one crossing in one mode (a *block*), rotated to it.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from marchtable.errors import InternalError
from marchtable.reachability.crossings import Spot, crossings_of
from marchtable.reachability.growing import Column, GrowingTable, ranges
from marchtable.reachability.rotation import SIXTHS
from marchtable.reachability.transitions import ActionOutcome, Transition
from marchtable.reachability.views import Views
from marchtable.rules.dependencies import dependencies
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.reachability.crossings import Crossing
    from marchtable.reachability.standing import OtherUnits
    from marchtable.reachability.transitions import Way
    from marchtable.reachability.views import CrossingView
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.position import Position, Unit

    Ints = npt.NDArray[np.integer[Any]]

__all__ = ["NOBODY", "UNMET", "Expander", "Mover"]

UNMET = -1
WORD = 2**32  # a state and a step's cost share one number
NOBODY = -1  # no occupant in a Location or its neighbours
OUTCOME, WAY, BLOCK, ARC, SITE = 250, 40, 200, 40, 150  # bytes of one, as measured
SCRATCH = 600_000  # bytes of a search's workspace
BITS = 6  # initially, for an arc's cost
NONE = 0  # the number of a lead without ways
PARTS = 3  # steps, ends, and unmodelled steps
Sort = tuple[int, int, bool]
"""A kind of crossing, a token of the occupants, and whether their side matters."""
VACANT = token_of((None, None, False))  # of a crossing without occupants


class Drawn(Protocol):
    """A graph made from a mover."""

    @property
    def nbytes(self) -> int:
        """Its approximate size in bytes."""


class Mover:
    """
    The possible steps of equal units, as far as requested.

    Parameters
    ----------
    rulebook, position, unit
        The rulebook, and an example of the unit on an equal board under equal conditions.
    avoid
        Leave out every step that requires a roll.
    denied
        Whether the sight shortcuts are disabled.

    Attributes
    ----------
    modes, number, is_open, limits, kept
        Its modes as far as they were met, the number of each, whether anything leads on from it, what may
        be spent in it, and what of the allotment may not, in half points.
    width
        A state is a Location's index times this, plus the mode's number.
    outcomes
        Known outcomes of actions, by :func:`~marchtable.reachability.keys.outcome_key`.
    consulted
        The clauses that affect any of it; None if not recorded.
    name
        A key that distinguishes it from others.
    lock
        Hold it while adding to this.
    row_of
        The row of the state of a Location and a mode in the arrays of states.
    numbers, most, unmet
        The states, the half points that may have been spent there, and UNMET where the successors
        are not known.
    sites, plain, span_of
        The number of a Location in some surroundings; that of each with empty surroundings; the
        span of a site and a mode.
    spans
        Where a span's arcs begin, its end arcs, its unmodelled steps, and where these end.
    target, cost, source, way
        For each arc the target row, half points, the origin state, and the actions.
    ways, turned
        The actions of arcs, and by how many sixths each is rotated.
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
        self.consulted: set[str] | None = set()
        self.name: Hashable = None
        self._unit = unit
        self._position = msgspec.structs.replace(position)  # one that knows of no space
        self.modes: list[Hashable] = []
        self.number: dict[Hashable, int] = {}
        self.is_open: list[bool] = []
        self.views = Views(rulebook, self.modes, self.number, denied=denied)
        self.limits: list[int] = []
        self.kept: list[int] = []
        self.spaces: OrderedDict[Hashable, Any] = OrderedDict()  # by occupants, and by home
        self.outcomes: dict[tuple[Any, ...], ActionOutcome] = {}
        self._blocks: dict[tuple[int, int, int], tuple[Way, ...]] = {}
        self._turned: dict[tuple[int, int, int, int], int] = {}
        self.ways: list[Way] = []
        self.turned: list[int] = []
        self.sites: dict[tuple[int, int], int] = {}
        self._sorts: dict[Sort, int] = {}
        self._sorted: list[Sort] = []
        self._at: list[Crossing] = []  # for each entry of `_exits`
        self.plain = np.full(len(self.board), UNMET, np.int32)
        self.row_of, self.span_of, self._lead_of = (GrowingTable() for _ in range(3))
        self._site_exits = Column(np.int32, rows=2)
        self._exits = Column(np.int64, rows=2)  # the first state of the other end, and the sort
        self.lead_bounds = Column(
            np.int32,
            rows=4,
            # bounds of its ways, ends and unmodelled steps
        )
        # For each way: target mode, half points, the overdraft of a last step, whether it is one.
        self.lead_ways = Column(np.int32, rows=4)
        self.numbers, self.most, self.unmet = (Column(np.int32) for _ in range(3))
        self.target, self.cost, self.source, self.way = (Column(np.int32) for _ in range(4))
        self.packed, self.bits = Column(np.uint32), BITS
        self.spans = Column(np.int32, rows=4)
        for nothing in (self.spans, self.lead_bounds):
            nothing.extend(np.zeros((4, 1), np.int32))
        self.spare: dict[bool, list[Any]] = {False: [], True: []}
        self._drawn: list[weakref.ref[Drawn]] = []
        self.listed: list[int] = []
        self._fit()

    def _add(self, new: Sequence[Hashable]) -> None:
        somewhere = self.board.locations[0].name
        with dependencies() as consulted:
            units = [self.rulebook.in_mode(self._unit, somewhere, mode) for mode in new]
            budgets = [self.rulebook.budget(self._position, unit) for unit in units]
        for mode, budget in zip(new, budgets, strict=True):
            self.number[mode] = len(self.modes)
            self.modes.append(mode)
            self.is_open.append(not self.rulebook.is_final(mode))
            self.limits.append(budget.spendable)
            self.kept.append(budget.kept)
        if len(self.modes) > self.width:
            raise InternalError(f"{len(self.modes)} modes are more than states can distinguish")
        self.consult(consulted)
        self._fit()

    def _fit(self) -> None:
        """Make room for all sites, sorts and modes."""
        self.row_of.fit(len(self.board), len(self.modes))
        self.span_of.fit(1 + len(self._site_exits), len(self.modes))
        self._lead_of.fit(len(self._sorted), len(self.modes))

    def numbered(self, mode: Hashable) -> int:
        """Return the number of a mode; one that is new is added, with its like at every bearing."""
        found = self.number.get(mode)
        if found is None:
            turned = dict.fromkeys(self.rulebook.symmetry.turned(mode, by) for by in range(SIXTHS))
            self._add([one for one in turned if one not in self.number])
            found = self.number[mode]
        return found

    def consult(self, names: Iterable[str] | None) -> None:
        """Record clauses that affect it; None if they are not known."""
        if names is None:
            self.consulted = None
        elif self.consulted is not None:
            self.consulted.update(names)

    def let_go(self) -> None:
        """Drop the spaces, which refer to it; the collector frees them if they are still in use."""
        if self.lock.acquire(blocking=False):
            try:
                self.spaces.clear()
            finally:
                self.lock.release()

    def draws(self, graph: Drawn) -> None:
        """Count the bytes of a graph made from it, as long as the graph exists."""
        self._drawn = [one for one in self._drawn if one() is not None] + [weakref.ref(graph)]

    def fork(self, differing: frozenset[str]) -> Mover | None:
        """
        Return a copy of its data for use under another choice of clauses.

        None if the differing clauses affect it, or might, while it is being added to.
        """
        import numpy as np

        if not self.lock.acquire(blocking=False):
            return None
        try:
            if self.consulted is None or not self.consulted.isdisjoint(differing):
                return None
            made = object.__new__(Mover)
            made.__dict__.update(self.__dict__)
            made.lock, made.spaces, made._drawn = threading.RLock(), OrderedDict(), []
            made.consulted, made.spare, made.listed = {*self.consulted}, {False: [], True: []}, []
            for name, mine in self.__dict__.items():
                grows = name not in ("lock", "spaces", "_drawn", "consulted", "spare", "listed")
                if grows and isinstance(mine, dict | list | Column | GrowingTable | np.ndarray):
                    setattr(made, name, mine.copy())
            made.views = self.views.copy(made.modes, made.number)
        finally:
            self.lock.release()
        return made

    def learn(self, other: Mover, differing: frozenset[str]) -> None:
        """Take over what equal units were found to do under a choice of clauses that differs in these."""
        for (start, *key), outcome in other.outcomes.copy().items():
            consulted, modes = outcome.consulted, other.modes
            if consulted is None or not consulted.isdisjoint(differing):
                continue
            used = {start, *(n for way in outcome.ways for n in (way.start, way.stop))}
            mine = {n: self.numbered(modes[n]) for n in used}
            ways = tuple([
                msgspec.structs.replace(way, start=mine[way.start], stop=mine[way.stop])
                for way in outcome.ways
            ])  # fmt: skip
            self.outcomes.setdefault((mine[start], *key), ActionOutcome(ways, consulted))

    # -- states --------------------------------------------------------------------------------

    def rows_of(self, states: Iterable[int] | Ints) -> Ints:
        """Return the rows of states in the arrays; new ones are appended."""
        import numpy as np

        numbers = np.asarray(states if isinstance(states, np.ndarray) else [*states], np.int64)
        at, mode = np.divmod(numbers, self.width)
        rows: Ints = self.row_of.data[at, mode]
        if len(new := np.flatnonzero(rows < 0)):
            which = np.unique(numbers[new])
            there, modes = np.divmod(which, self.width)
            size = len(self.numbers)  # the last of the related arrays to grow
            self.most.extend(np.array(self.limits, np.int32)[modes], size)
            is_open = np.array(self.is_open)[modes]
            self.unmet.extend(np.where(is_open, UNMET, 0), size)
            self.numbers.extend(which)
            self.row_of.data[there, modes] = np.arange(size, size + len(which), dtype=np.int32)
            rows = self.row_of.data[at, mode]
        return rows

    # -- successors ----------------------------------------------------------------------------

    def site(self, at: int, around: int, standing: OtherUnits) -> int:
        """Return the number of a Location in some surroundings."""
        import numpy as np

        found = self.sites.get((at, around))
        if found is None:
            crossings, size = self.crossings.out_of(at), len(self._exits)
            sorts = [self._sort(crossing, around, standing) for crossing in crossings]
            base = [crossing.number * self.width for crossing in crossings]
            self._at[size:] = crossings
            self._exits.extend(np.array([base, sorts], np.int64))
            found = len(self._site_exits)
            self._site_exits.extend([[size], [size + len(crossings)]])
            self._fit()
            self.sites[at, around] = found
            if around == NOBODY:
                self.plain[at] = found
        return found

    def _sort(self, crossing: Crossing, around: int, standing: OtherUnits) -> int:
        """Return the number of a crossing's sort."""
        token, whole_map = (VACANT, False) if around == NOBODY else standing.present(crossing)
        sort = (crossing.kind, token, whole_map)
        if sort not in self._sorts:
            self._sorts[sort] = len(self._sorted)
            self._sorted.append(sort)
        return self._sorts[sort]

    def _ask(self, exits: Ints, sort: Ints, mode: Ints, standing: OtherUnits) -> None:
        """Find the targets of modes by crossings, each given by an exit, its sort and the mode."""
        turned, leads = self._turned, _Leads(self)
        try:
            for number, kind, start in _once(exits, sort, mode):
                known = self._sorted[kind]
                row = self.views.row(self._at[number], start, whole_map=known[2])
                lead = NONE if row is None else turned.get((row.like, row.seen, known[1], row.by))
                if lead is None:
                    assert row is not None
                    lead = leads.add(self._block(self._at[number], known, row, standing), row.by)
                    turned[row.like, row.seen, known[1], row.by] = lead
                self._lead_of.data[kind, start] = lead
        finally:
            leads.write()

    def _block(
        self, crossing: Crossing, sort: Sort, row: CrossingView, standing: OtherUnits
    ) -> tuple[Way, ...]:
        """Return the ways at a crossing of a sort by parts, as a row's base mode sees it."""
        _, token, whole_map = sort
        key = (row.like, row.seen, token)
        if key not in self._blocks:
            spot = Spot(crossing, token, whole_map)
            found = standing.asking(crossing).block(spot, row)
            self._blocks[key] = tuple(sorted(found, key=_part))
        return self._blocks[key]

    def overdrafts(self, arcs: Ints) -> Ints:
        """Return the half points by which last steps exceed the points available; 0 for others."""
        found: Ints = self.lead_ways.taken()[2, self.way.taken()[arcs]]
        return found

    def ends(self, arcs: Ints) -> Ints:
        """Return whether each arc is a last step, as 0 or 1."""
        found: Ints = self.lead_ways.taken()[3, self.way.taken()[arcs]]
        return found

    def append(self, states: Ints, sites: Ints, standing: OtherUnits) -> None:
        """Append the arcs out of states that were never requested, at these sites."""
        import numpy as np

        modes = states % self.width
        exits, owner = ranges(*self._site_exits.taken()[:, sites])
        base, sort = self._exits.taken()[:, exits]
        leads = self._lead_of.data[sort, modes[owner]]
        unknown = np.flatnonzero(leads == UNMET)
        if len(unknown):
            self._ask(exits[unknown], sort[unknown], modes[owner[unknown]], standing)
            leads = self._lead_of.data[sort, modes[owner]]
        bounds, parts = self.lead_bounds.taken()[:, leads], []
        for part in range(PARTS):
            ways, by = ranges(bounds[part], bounds[part + 1])
            parts.append((ways, by, np.full(len(by), part)))
        ways, by, part_of = (np.concatenate(one) for one in zip(*parts, strict=True))
        kind = owner[by] * PARTS + part_of
        order = np.argsort(kind, kind="stable")  # a state's arcs together, in order of neighbours
        by, kind, way = by[order], kind[order], ways[order]
        to, cost = self.lead_ways.taken()[:2, way]
        ends = np.searchsorted(kind, np.arange(PARTS * len(sites) + 1)) + len(self.packed)
        self._extend(base[by] + to, cost, way, states[owner[by]])
        size = len(self.spans)
        self.spans.extend(np.vstack([ends[:-1].reshape(-1, PARTS).T, ends[PARTS::PARTS]]))
        self.span_of.data[sites, modes] = np.arange(size, size + len(sites), dtype=np.int32)

    def _extend(self, to: Ints, cost: Ints, way: Ints, source: Ints) -> None:
        import numpy as np

        target = self.rows_of(to)
        bits = int(cost.max(initial=0)).bit_length()
        if cost.min(initial=0) < 0 or len(self.numbers) << max(bits, self.bits) > WORD:
            raise InternalError("a step that costs less than nothing, or more states than fit")
        size = len(self.packed)
        for column, values in (
            (self.target, target), (self.cost, cost), (self.way, way), (self.source, source),
        ):  # fmt: skip
            column.extend(values, size)
        if bits > self.bits:  # seldom: repack all, with room for the dearest
            packed = self._packed(self.target.taken()[:size], self.cost.taken()[:size], bits)
            anew = Column(np.uint32)
            anew.extend(packed)
            self.bits, self.packed, self.listed = bits, anew, []
        self.packed.extend(self._packed(target, cost, self.bits))

    @staticmethod
    def _packed(target: Ints, cost: Ints, bits: int) -> Any:
        import numpy as np

        return target.astype(np.uint32) << np.uint32(bits) | cost.astype(np.uint32)

    @property
    def nbytes(self) -> int:
        """Its approximate size in bytes."""
        grown = [one for one in vars(self).values() if isinstance(one, Column | GrowingTable)]
        size = OUTCOME * len(self.outcomes) + WAY * len(self.ways) + ARC * len(self.listed)
        size += BLOCK * (len(self._blocks) + len(self._turned))
        size += SITE * (len(self.sites) + len(self._sorts)) + SCRATCH
        spaces = sum(map(len, tuple(self.spaces.values())))
        size += 60 * spaces * len(self.numbers)  # their spans
        graphs = (one() for one in tuple(self._drawn))
        size += sum(graph.nbytes for graph in graphs if graph is not None)
        return sum(one.nbytes for one in grown) + self.views.nbytes + size


def _once(number: Ints, sort: Ints, mode: Ints) -> Iterator[tuple[int, int, int]]:
    """Yield each sort with a mode once, in order, with the first number given for it."""
    import numpy as np

    first = np.sort(np.unique(sort.astype(np.int64) * WORD + mode, return_index=True)[1])
    yield from zip(*(one[first].tolist() for one in (number, sort, mode)), strict=True)


def _part(way: Way) -> int:
    """Return the part of a lead to which a way belongs."""
    return int(way.end) if isinstance(way, Transition) else PARTS - 1


class _Leads:
    """New leads of a mover, which are written to its arrays all at once."""

    def __init__(self, mover: Mover) -> None:
        self._mover = mover
        self._ways: list[tuple[Way, int, tuple[int, int, int, bool]]] = []
        self._first, self._size = len(mover.lead_bounds), len(mover.lead_ways)
        self._bounds: list[list[int]] = []

    def add(self, ways: Sequence[Way], by: int) -> int:
        """Return the number of a block's lead, rotated."""
        if not ways:
            return NONE
        mover, counts = self._mover, [0] * PARTS
        begin = self._size + len(self._ways)
        for way in ways:
            counts[part := _part(way)] += 1
            ends = part == 1
            over = way.cost * (ends and way.cost > mover.limits[way.start])
            stop = mover.views.rotation.moded(way.stop, by)
            cost = way.least if ends and isinstance(way, Transition) else way.cost
            self._ways.append((way, by, (stop, cost, over, ends)))
        self._bounds.append([*accumulate(counts, initial=begin)])
        return self._first + len(self._bounds) - 1

    def write(self) -> None:
        """Append them to the arrays."""
        import numpy as np

        if not self._ways:
            return
        ways, turned, numbers = zip(*self._ways, strict=True)
        self._mover.ways += ways
        self._mover.turned += turned
        self._mover.lead_ways.extend(np.array(numbers, np.int32).T, self._size)
        self._mover.lead_bounds.extend(np.array(self._bounds, np.int32).T, self._first)


class Expander:
    """
    Finds the successors of states, with the others where they are.

    Parameters
    ----------
    mover
        The cached data; hold its lock.
    standing
        The other units by place.
    """

    def __init__(self, mover: Mover, standing: OtherUnits) -> None:
        self._mover, self._standing = mover, standing
        self._near = {
            at: mover.sites.get((at, around), UNMET) for at, around in standing.around.items()
        }

    def _sites(self) -> Ints:
        """Return the site of each Location, UNMET where it was never requested."""
        found = self._mover.plain.copy()
        found[[*self._near]] = [*self._near.values()]
        return found

    def _made(self, at: Ints) -> Ints:
        """Return the sites of some Locations."""
        import numpy as np

        sites = self._sites()
        for number in np.unique(at[sites[at] == UNMET]).tolist():
            around = self._standing.around.get(number, NOBODY)
            sites[number] = made = self._mover.site(number, around, self._standing)
            if around != NOBODY:
                self._near[number] = made
        found: Ints = sites[at]
        return found

    def known(self) -> Ints:
        """Return the spans of all states, as far as known."""
        import numpy as np

        mover = self._mover
        at, mode = np.divmod(mover.numbers.taken(), mover.width)
        sites = self._sites()[at]
        spans = np.where(sites == UNMET, UNMET, mover.span_of.data[sites, mode])
        unmet = mover.unmet.taken()[: len(at)]
        known = np.where(spans == UNMET, unmet, mover.spans.taken()[:, spans])
        found: Ints = np.ascontiguousarray(known, np.int32)
        return found

    def __call__(self, states: Ints) -> Ints:
        """Return the spans of the arcs out of some states, each listed once; finds unknown ones."""
        import numpy as np

        mover = self._mover
        at, modes = np.divmod(states, mover.width)
        sites = self._made(at)
        spans = np.where(np.array(mover.is_open)[modes], mover.span_of.data[sites, modes], NONE)
        if len(unmet := np.flatnonzero(spans == UNMET)):
            mover.append(states[unmet], sites[unmet], self._standing)
            spans[unmet] = mover.span_of.data[sites[unmet], modes[unmet]]
        found: Ints = mover.spans.taken()[:, spans]
        return found
