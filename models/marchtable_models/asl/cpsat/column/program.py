"""Which plans a Column has, in booleans: one literal for each state of each place after each Impulse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rows import Rows
from marchtable_models.asl.cpsat.column import constraints
from marchtable_models.asl.cpsat.column.field import Course
from marchtable_models.asl.cpsat.literals import either, entered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from marchtable_models.asl.cpsat.column.layers import Edge, Layers
    from marchtable_models.asl.cpsat.column.steps import State

__all__ = ["Program"]

Terms = list[tuple[int, int]]


class Program(Rows):
    """
    The plans within some layers.

    Parameters
    ----------
    layers
        The states, and the steps between them.

    Attributes
    ----------
    at, places
        By Impulse and place in the line: literals of its states, and of its Locations.
    ways
        By Impulse and place in the line: what leads from one state to another.
    going
        By Impulse: whether it is made.
    costs
        By Impulse: literals of what it costs, those of Impulses that are not made left out.
    paying
        By Impulse and place in the line: literals of what its own step costs, if it makes one.
    """

    def __init__(self, layers: Layers) -> None:
        super().__init__()
        self.line, self.last, self.count = layers.line, layers.last, len(layers.line.ranks)
        self.at = [
            [dict(zip(states, self.news(len(states)), strict=True)) for states in layer]
            for layer in layers.states
        ]
        for layer in self.at:
            for states in layer:
                self.one_of(states.values())
        self.places = [[self._places(states) for states in layer] for layer in self.at]
        self.ways = [
            [self._ways(t, r, edges) for r, edges in enumerate(layer)]
            for t, layer in enumerate(layers.edges)
        ]
        self.going = list(self.news(self.last))
        self.paying = [[self._paid(ways) for ways in layer] for layer in self.ways]
        self.costs = [self._costs(layer) for layer in self.paying]
        constraints.state(self)

    # -- literals --------------------------------------------------------------------------------

    def _places(self, states: dict[State, int]) -> dict[str | None, int]:
        by_place: dict[str | None, list[int]] = {}
        for state, literal in states.items():
            by_place.setdefault(state.at, []).append(literal)
        return {place: either(self, literals) for place, literals in by_place.items()}

    def _ways(self, t: int, r: int, edges: Sequence[Edge]) -> list[Edge]:
        """Return what leads from one state to another, told by their literals."""
        before, after = [*self.at[t][r].values()], [*self.at[t + 1][r].values()]
        return [e._replace(before=before[e.before], after=after[e.after]) for e in edges]

    def _paid(self, ways: Sequence[Edge]) -> dict[int, int]:
        return {cost: self.new() for cost in sorted({way.cost for way in ways if way.is_step})}

    def _costs(self, paying: Sequence[dict[int, int]]) -> dict[int, int]:
        return {cost: self.new() for cost in sorted({cost for each in paying for cost in each})}

    # -- what is spent ---------------------------------------------------------------------------

    def spent(self, t: int) -> Terms:
        """Return the sum that each unit pays in the first Impulses (E11.2g)."""
        return [(x, cost) for s in range(t) for cost, x in self.costs[s].items() if cost]

    def own(self, r: int, t: int) -> Terms:
        """Return the sum of a place's own steps in the first Impulses."""
        return [(x, cost) for s in range(t) for cost, x in self.paying[s][r].items() if cost]

    def total_if(self, literals: Sequence[int], terms: Terms, least: int, most: int) -> None:
        """Demand bounds on a sum of coefficients of literals, if all of some others hold."""
        if not terms and least <= 0 <= most:
            return
        if not terms or least > most:
            self.any_of([~literal for literal in literals])
            return
        self.total(terms, least, most, given=literals)

    # -- where they have been --------------------------------------------------------------------

    def entered(self, r: int, threats: Mapping[str, int]) -> Iterator[tuple[int, int]]:
        """Yield a literal for each time that a place's units come into one of some Locations, and its number."""
        for t in range(self.last):
            was = self.places[t][r]
            for place, x in self.places[t + 1][r].items():
                if place is not None and place in threats:
                    yield entered(self, x, was.get(place)), threats[place]

    def moved(self, r: int) -> int:
        """Return a literal that holds if a place's units ever leave where they are."""
        start = self.line.starts[r].at
        here = [places[r].get(start) for places in self.places[1:]]
        moved = self.new()
        for x, places in zip(here, self.places[1:], strict=True):
            away = (y for place, y in places[r].items() if place != start)
            for y in (~x,) if x is not None else away:
                self.any_of((~y, moved))
        if None not in here:
            self.any_of((~moved, *(~x for x in here if x is not None)))
        return moved

    # -- plans -----------------------------------------------------------------------------------

    def differs(self, ends: Sequence[str | None], spent: int) -> None:
        """Demand that a place ends elsewhere than told, or that something else is spent."""
        told = [places.get(at) for places, at in zip(self.places[-1], ends, strict=True)]
        if None in told:
            return
        less, more = self.news(2)
        terms = self.spent(self.last)
        most = sum(cost for _, cost in terms)
        self.total_if([less], terms, 0, spent - 1)
        self.total_if([more], terms, spent + 1, most + spent + 1)
        self.any_of((less, more, *(~x for x in told if x is not None)))

    def course(self, value: Callable[[int], bool]) -> Course:
        """Return the plan that a solution is."""
        rows = []
        for t, layer in enumerate(self.at):
            if t and not value(self.going[t - 1]):
                break
            rows.append(tuple(next(s for s, x in states.items() if value(x)) for states in layer))
        return Course(tuple(rows))

    def told(self, course: Course) -> list[int] | None:
        """Return the literals that hold along a plan as far as it goes, None if it is none of these."""
        found = [*self.going[: len(course.states) - 1]]
        for t, row in enumerate(course.states):
            for r, state in enumerate(row):
                if t > self.last or state not in self.at[t][r]:
                    return None
                found.append(self.at[t][r][state])
        return found
