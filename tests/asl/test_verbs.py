"""A verb's declaration, and what other code reads from it."""

from __future__ import annotations

from typing import get_args

from marchtable.state.action import Event
from marchtable_models.asl.contents import SUBJECTS
from marchtable_models.asl.hooks.equivalence import lone_verbs
from marchtable_models.asl.rules.dash import Dash
from marchtable_models.asl.rules.declarations import Assault
from marchtable_models.asl.rules.pushing import Push
from marchtable_models.asl.rules.support_weapons import Recover, Transfer
from marchtable_models.asl.verbs import Advance, Stairs, Trait


def test_every_trait_is_some_verbs() -> None:
    """No verb has an undeclared trait either."""
    traits = set(get_args(Trait))
    assert {one for verb in SUBJECTS.actions for one in getattr(verb, "traits", ())} == traits


def test_what_names_nobody_else_is_judged_once_for_units_alike() -> None:
    """Entries, declarations and a vehicle's solo actions; not transfers, boarding or helping."""
    verbs = lone_verbs()
    assert {Stairs, Assault, Advance} <= verbs
    assert not verbs & {Push, Transfer, Recover, Dash}
    assert not any(issubclass(verb, Event) for verb in verbs)
