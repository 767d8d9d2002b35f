"""Where the places of a Column can be on the way to what is wanted: what no solver need ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marchtable_models.asl.cpsat.column.field import Field
    from marchtable_models.asl.cpsat.column.steps import State

__all__ = ["NEVER", "Edge", "Layers", "Row", "narrowed", "total"]

NEVER = -(2**40)
"""Less than any sum."""


class Edge(NamedTuple):
    """A step of a place in an Impulse, or staying: the states before and after, by number."""

    before: int
    after: int
    cost: int
    is_step: bool
    is_last: bool


class Row(NamedTuple):
    """
    A sum over a plan that must not be less than something.

    Parameters
    ----------
    ends
        By place in the line: what ending in each Location adds at most.
    entries
        By place in the line: what coming into a Location adds, 0 for those not told; never above 0.
    paid
        What each half point that an Impulse costs adds; never above 0.
    least
        What the sum must be.
    """

    ends: Sequence[dict[str | None, int]]
    entries: Sequence[dict[str | None, int]]
    paid: int
    least: int


class Layers:
    """
    States within reach, numbered by Impulse and place in the line, and the steps between them.

    Parameters
    ----------
    field
        Whose.

    Attributes
    ----------
    states, edges
        By Impulse and place: the states; what leads on from them.
    """

    def __init__(self, field: Field) -> None:
        self.field, self.line, self.last = field, field.line, field.last
        self.states = [[[*states] for states in layer] for layer in field.domains]
        self.edges = [
            [self._edges(t, r) for r in range(len(self.line.ranks))] for t in range(self.last)
        ]

    def _edges(self, t: int, r: int) -> list[Edge]:
        number = {state: n for n, state in enumerate(self.states[t + 1][r])}
        found = []
        for n, state in enumerate(self.states[t][r]):
            found.append(Edge(n, number[state.idle], 0, is_step=False, is_last=False))
            for to, step in self.field.ways(r, state).items():
                if to in number:
                    found.append(Edge(n, number[to], step.cost, is_step=True, is_last=step.last))
        return found

    def kept(self, alive: Sequence[Sequence[Sequence[bool]]]) -> Layers:
        """Return what is left of the layers."""
        found = object.__new__(Layers)
        found.field, found.line, found.last = self.field, self.line, self.last
        numbers = [[_numbered(states) for states in layer] for layer in alive]
        found.states = [
            [[s for s, on in zip(states, here, strict=True) if on] for states, here in zip(*layers, strict=True)]
            for layers in zip(self.states, alive, strict=True)
        ]  # fmt: skip
        found.edges = [
            [
                [
                    edge._replace(before=numbers[t][r][edge.before], after=numbers[t + 1][r][edge.after])
                    for edge in edges
                    if alive[t][r][edge.before] and alive[t + 1][r][edge.after]
                ]
                for r, edges in enumerate(layer)
            ]
            for t, layer in enumerate(self.edges)
        ]  # fmt: skip
        return found

    # -- what single places tell -----------------------------------------------------------------

    def best(self, r: int, row: Row) -> tuple[int, list[list[int]]]:
        """Return the most that a place adds to a sum, and by Impulse and state what it adds through it."""
        states = [layer[r] for layer in self.states]
        ahead = [[NEVER] * len(each) for each in states]
        ahead[0] = [0] * len(states[0])
        gains = [self._gains(t, r, row) for t in range(self.last)]
        for t, told in enumerate(gains):
            here, there = ahead[t], ahead[t + 1]
            for before, after, gain in told:
                reached = here[before] + gain
                if reached > there[after]:  # noqa: PLR1730 - quicker
                    there[after] = reached
        back = self.back(r, row, gains)
        through = [
            [a + b for a, b in zip(*pair, strict=True)] for pair in zip(ahead, back, strict=True)
        ]
        return max(through[0], default=NEVER), through

    def back(
        self, r: int, row: Row, gains: Sequence[Sequence[tuple[int, int, int]]] | None = None
    ) -> list[list[int]]:
        """Return by Impulse and state the most that a place adds to a sum from there on."""
        gains = gains or [self._gains(t, r, row) for t in range(self.last)]
        found = [[NEVER] * len(layer[r]) for layer in self.states]
        found[-1] = [row.ends[r].get(state.at, 0) for state in self.states[-1][r]]
        for t in range(self.last - 1, -1, -1):
            here, there = found[t], found[t + 1]
            for before, after, gain in gains[t]:
                hope = there[after] + gain
                if hope > here[before]:  # noqa: PLR1730 - quicker
                    here[before] = hope
        return found

    def led(self, r: int, ends: Mapping[str | None, int]) -> list[list[int]]:
        """
        Return by Impulse and state of the lead the most that a place adds which ends where it was.

        The lead is there at that moment or later, but as many Impulses before the last as it is
        places ahead.
        """
        found = [[NEVER] * len(layer[0]) for layer in self.states]
        for t in range(self.last - r, -1, -1):
            here = found[t] = [ends.get(state.at, NEVER) for state in self.states[t][0]]
            there = found[t + 1] if t < self.last else ()
            for edge in self.edges[t][0] if there else ():
                here[edge.before] = max(here[edge.before], there[edge.after])
        return found

    def _gains(self, t: int, r: int, row: Row) -> list[tuple[int, int, int]]:
        """Return what leads from state to state in an Impulse, and what it adds."""
        entries = row.entries[r]
        paid = row.paid if r == 0 else 0  # an Impulse costs what the lead's step does, or more
        if not (entries or paid):
            return [(before, after, 0) for before, after, *_ in self.edges[t][r]]
        states = self.states[t + 1][r]
        return [
            (before, after, paid * cost + (entries.get(states[after].at, 0) if is_step else 0))
            for before, after, cost, is_step, _ in self.edges[t][r]
        ]


def _numbered(alive: Sequence[bool]) -> list[int]:
    found, count = [], 0
    for on in alive:
        found.append(count)
        count += on
    return found


def narrowed(layers: Layers, rows: Sequence[Row]) -> Layers | None:
    """Return what of the layers plans can use that fit all rows, as far as is easily told; or None."""
    while True:
        alive = [[[True] * len(states) for states in layer] for layer in layers.states]
        for row in rows:
            if not _fit(layers, row, alive):
                return None
        if layers.line.follows:
            _follow(layers, alive)
        if any(not any(states) for layer in alive for states in layer):
            return None
        if all(all(states) for layer in alive for states in layer):
            return layers
        layers = layers.kept(alive)


def total(layers: Layers, row: Row) -> int:
    """Return what no plan's sum exceeds."""
    return sum(layers.best(r, row)[0] for r in range(len(layers.line.ranks)))


def _fit(layers: Layers, row: Row, alive: Sequence[Sequence[list[bool]]]) -> bool:
    """Take out states through which a row's sum falls short; return whether any plan is left."""
    found = [layers.best(r, row) for r in range(len(layers.line.ranks))]
    room = sum(best for best, _ in found) - row.least
    if room < 0:
        return False
    for r, (best, through) in enumerate(found):
        for t, told in enumerate(through):
            here = alive[t][r]
            for n, gain in enumerate(told):
                if best - gain > room:
                    here[n] = False
    return True


def _follow(layers: Layers, alive: Sequence[Sequence[list[bool]]]) -> None:
    """Take out states to which nobody ahead has shown the way (E11.5g), or beside nobody (E11.5b)."""
    for t in range(layers.last):
        for r in range(1, len(layers.line.ranks)):
            shown = {s.at for s, on in _pairs(layers, alive, t, r - 1) if on}
            led = [False] * len(alive[t + 1][r])
            after = layers.states[t + 1][r]
            for edge in layers.edges[t][r]:
                if alive[t][r][edge.before] and (not edge.is_step or after[edge.after].at in shown):
                    led[edge.after] = True
            _both(alive[t + 1][r], led)
            _stay_beside(layers, alive, t + 1, r)


def _pairs(
    layers: Layers, alive: Sequence[Sequence[list[bool]]], t: int, r: int
) -> Iterator[tuple[State, bool]]:
    return zip(layers.states[t][r], alive[t][r], strict=True)


def _stay_beside(layers: Layers, alive: Sequence[Sequence[list[bool]]], t: int, r: int) -> None:
    front = {s.at for s, on in _pairs(layers, alive, t, r - 1) if on}
    rear = {s.at for s, on in _pairs(layers, alive, t, r) if on}
    near = {b: layers.line.beside(r, b) & front for b in rear}
    fine = {b for b, places in near.items() if places}
    good = {a for places in near.values() for a in places}
    _both(alive[t][r - 1], [s.at in good for s in layers.states[t][r - 1]])
    _both(alive[t][r], [s.at in fine for s in layers.states[t][r]])


def _both(alive: list[bool], more: Sequence[bool]) -> None:
    alive[:] = [a and b for a, b in zip(alive, more, strict=True)]
