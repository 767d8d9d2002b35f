"""Going through what was chosen, one option after another, and who got stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

__all__ = ["Stuck", "carry_out", "fewest", "in_order", "ranked"]


class Actor(Protocol):
    """Something that is done by somebody."""

    @property
    def unit(self) -> str:
        """Who acts, or acts first."""


Act = TypeVar("Act", bound=Actor)
State = TypeVar("State")
Name = TypeVar("Name")


class Stuck(NamedTuple, Generic[Act]):
    """An option that could not be gone through, and as things stood when it was to be."""

    option: Act
    state: Any


def ranked(order: Mapping[str, int], before: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return the turn of each, given who has to act before whom; else the order stays."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from(before)
    graph.add_nodes_from(order)
    turns = nx.lexicographical_topological_sort(graph, key=lambda name: order.get(name, -1))
    return {name: number for number, name in enumerate(turns)}


def in_order(acts: Sequence[Act], pairs: frozenset[tuple[str, str]]) -> list[Act]:
    """Return acts so that of each pair of actors the first comes before the second."""
    turns = ranked({one.unit: number for number, one in enumerate(acts)}, pairs)
    return sorted(acts, key=lambda one: turns[one.unit])


def carry_out(
    options: Sequence[Act], state: State, attempt: Callable[[State, Act], State | None]
) -> tuple[State, list[Stuck[Act]]]:
    """
    Return the state after the options that can be carried out, and what is in the way of the rest.

    Each option comes with the first moment at which it could not be gone through, those that could
    be later as well, for others may have waited for them; then those that remain, as things
    stand at last.

    Parameters
    ----------
    options
        In the order in which they are tried, again and again.
    state
        How things stand at the outset.
    attempt
        Goes through an option as things stand; None if that cannot be.
    """
    failed: dict[str, Stuck[Act]] = {}
    remaining = list(options)
    while True:
        stuck = []
        for option in remaining:
            found = attempt(state, option)
            if found is None:
                stuck.append(option)
                failed.setdefault(option.unit, Stuck(option, state))
            else:
                state = found
        if not stuck or len(stuck) == len(remaining):
            last = [Stuck(option, state) for option in stuck]
            return state, [*failed.values(), *last] if stuck else []
        remaining = stuck


def fewest(names: Sequence[Name], is_bad: Callable[[Collection[Name]], bool]) -> tuple[Name, ...]:
    """Return as few of some names as together are still bad; none if not even all are, or none need be."""
    if not names or is_bad(()) or not is_bad(names):
        return ()
    needed = [*names]
    for name in names:
        fewer = [other for other in needed if other != name]
        if is_bad(fewer):
            needed = fewer
    return tuple(needed)
