"""The parts of a line that act as one up to some round, then one after the other; a line that does not part is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Part", "Parting"]


class Parting(NamedTuple):
    """
    How a line parts: those ahead go on to their end, then the others.

    Parameters
    ----------
    at
        The first member of those behind.
    first, later
        Whether the first round may be the last of all together, and whether others may.
    is_shared
        Whether those ahead pay for what that member does in the last.
    alone_budgets
        By member: the half points that it may have spent after a step that it makes alone.
    """

    at: int
    first: bool = True
    later: bool = True
    is_shared: bool = True
    alone_budgets: Sequence[int] = ()


class Part(NamedTuple):
    """
    A part's members and, by its own rounds, literals of what each costs and of what is spent by then.

    Parameters
    ----------
    members
        Neighbours.
    levels, ended
        By round: what may have been spent by then, and so that its plan has ended; in levels.
    costs, totals
        By round: literals of what it costs (0: the plan has ended; :data:`~.variables.FREE`: nothing)
        and of what is spent by then, in levels.
    """

    members: range
    levels: list[list[int]]
    ended: list[list[int]]
    costs: list[dict[int, int]]
    totals: list[dict[int, int]]
