"""Going through what was chosen, one option after another, and who got stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from marchtable.planning.choice.options import Opt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Stuck", "through"]

State = TypeVar("State")


class Stuck(NamedTuple, Generic[Opt]):
    """An option that could not be gone through, and as things stood when it was to be."""

    option: Opt
    state: Any


def through(
    options: Sequence[Opt], state: State, attempt: Callable[[State, Opt], State | None]
) -> tuple[State, list[Stuck[Opt]]]:
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
    failed: dict[str, Stuck[Opt]] = {}
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
