"""Equivalence keys of units: units with equal keys are judged once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from marchtable.state.action import Action

__all__ = ["Equivalence"]


class Equivalence(NamedTuple):
    """
    What a unit's actions depend on, in the unit and its surroundings.

    Two units with equal keys get the same answers for the verbs named, except for their own id, the
    Location that an action leads to and the ids of the units beside them.

    Parameters
    ----------
    verbs
        The verbs covered. Their details name no units, and no argument before their Location
        takes several values.
    here
        The key for actions that lead nowhere.
    towards
        The key for actions into each of the Locations that it might enter, all of them in order.
    beside
        The units in its Location, itself included; for equivalent units in corresponding order.
    other_verbs_key
        The key for all other verbs; None if they may depend on more.
    uncertain_verbs
        Verbs that may depend on more than is named here.
    """

    verbs: frozenset[type[Action]]
    here: Hashable
    towards: Mapping[str, Hashable]
    beside: tuple[str, ...]
    other_verbs_key: Hashable = None
    uncertain_verbs: frozenset[type[Action]] = frozenset()
