"""What a rulebook author meets: hooks and attributes are counted, so that they cannot grow unnoticed."""

from __future__ import annotations

from tests.hooks import APART, attributes, hooks

HOOKS, ATTRIBUTES = 41, 13
"""Outside reach and equivalence. Lower them with every one that goes."""
REACH = 20
"""Hooks of reach."""


def test_no_hook_is_added() -> None:
    """A rulebook has no more hooks than recorded; a clause, a record or a subject is preferred to a new hook."""
    assert sum(len(names) for room, names in hooks().items() if room not in APART) == HOOKS


def test_no_hook_of_reach_is_added() -> None:
    """What follows from the unit's record, or from another hook, is no hook of reach."""
    assert len(hooks()["reach"]) == REACH


def test_no_attribute_is_added() -> None:
    """What can be derived, or read from a file of data, is no attribute."""
    assert (
        sum(len(names) for room, names in attributes().items() if room not in APART) == ATTRIBUTES
    )
