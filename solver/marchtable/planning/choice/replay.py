"""Replay of a choice, one option after another, and the units that get stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

__all__ = ["Stuck", "carry_out", "fewest", "in_order", "ranked"]


class Actor(Protocol):
    """An act of a unit."""

    @property
    def unit(self) -> str:
        """The unit that acts, or acts first."""


Act = TypeVar("Act", bound=Actor)
State = TypeVar("State")
Name = TypeVar("Name")


class Stuck(NamedTuple, Generic[Act]):
    """An option that could not be carried out, and the state when it was tried."""

    option: Act
    state: Any


def ranked(order: Mapping[str, int], before: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return each one's turn under the given precedences; otherwise the order stays."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from(before)
    graph.add_nodes_from(order)
    turns = nx.lexicographical_topological_sort(graph, key=lambda name: order.get(name, -1))
    return {name: number for number, name in enumerate(turns)}


def in_order(acts: Sequence[Act], pairs: frozenset[tuple[str, str]]) -> list[Act]:
    """Return acts so that in each pair of actors the first comes before the second."""
    turns = ranked({one.unit: number for number, one in enumerate(acts)}, pairs)
    return sorted(acts, key=lambda one: turns[one.unit])


def carry_out(
    options: Sequence[Act], state: State, attempt: Callable[[State, Act], State | None]
) -> tuple[State, list[Stuck[Act]]]:
    """
    Return the state after all options that can be carried out, and the others that got stuck.

    Each option is listed with the first state in which it failed, even if it succeeded later,
    because others may have waited for it; then those that still fail, with the final state.

    Parameters
    ----------
    options
        In the order in which they are tried, repeatedly.
    state
        The initial state.
    attempt
        Carries out an option in a state; returns None if that is impossible.
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
    """Return a minimal subset of names that is still bad; empty if none is, or none is needed."""
    if not names or is_bad(()) or not is_bad(names):
        return ()
    needed = [*names]
    for name in names:
        fewer = [other for other in needed if other != name]
        if is_bad(fewer):
            needed = fewer
    return tuple(needed)
