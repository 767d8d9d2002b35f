"""Going through what was chosen, one option after another, and who got stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Stuck", "in_order", "through"]


class Actor(Protocol):
    """Something that is done by somebody."""

    @property
    def unit(self) -> str:
        """Who acts, or acts first."""


Act = TypeVar("Act", bound=Actor)
State = TypeVar("State")


class Stuck(NamedTuple, Generic[Act]):
    """An option that could not be gone through, and as things stood when it was to be."""

    option: Act
    state: Any


def in_order(acts: Sequence[Act], pairs: frozenset[tuple[str, str]]) -> list[Act]:
    """Return acts so that of each pair of actors the first comes before the second."""
    found: list[Act] = []
    left = list(acts)
    while left:
        units = {one.unit for one in left}
        late = {after for before, after in pairs if before in units}
        first = next((one for one in left if one.unit not in late), left[0])
        left.remove(first)
        found.append(first)
    return found


def through(
    options: Sequence[Act], state: State, attempt: Callable[[State, Act], State | None]
) -> tuple[State, list[Stuck[Act]]]:
    """
    Return the state after the options that can be carried out, and what is in the way of the rest.

    Each option comes with the first moment at which it could not be gone through, those that could
    be later as well, for others may have waited for them; then those that are left, as things
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
    left = list(options)
    while True:
        stuck = []
        for option in left:
            found = attempt(state, option)
            if found is None:
                stuck.append(option)
                failed.setdefault(option.unit, Stuck(option, state))
            else:
                state = found
        if not stuck or len(stuck) == len(left):
            last = [Stuck(option, state) for option in stuck]
            return state, [*failed.values(), *last] if stuck else []
        left = stuck
