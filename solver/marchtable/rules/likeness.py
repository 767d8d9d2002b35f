"""Of what a unit's actions depend on: two of which it is equal are ruled on once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from marchtable.state.action import Action

__all__ = ["Likeness"]


class Likeness(NamedTuple):
    """
    What of a unit and its surroundings its actions depend on.

    Two units with equal keys get the same answers from the verbs named, but for their own id, the
    Location that an action leads to and the ids of who is beside them.

    Parameters
    ----------
    verbs
        The verbs of which that holds. Their details name nobody, and before the Location that
        one leads to it has no argument with several values.
    here
        For what leads nowhere.
    towards
        For what leads to each of the Locations that it might enter, all of them in order.
    beside
        Who is in its Location, itself too; of alike units in the like order.
    company
        For all other verbs; None if more may bear on them.
    doubted
        Verbs on which more may bear than is named here.
    """

    verbs: frozenset[type[Action]]
    here: Hashable
    towards: Mapping[str, Hashable]
    beside: tuple[str, ...]
    company: Hashable = None
    doubted: frozenset[type[Action]] = frozenset()
