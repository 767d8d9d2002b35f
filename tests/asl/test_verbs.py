"""What a verb's declaration says of it, and what is read from it elsewhere."""

from __future__ import annotations

from typing import get_args

from marchtable.state.action import Event
from marchtable_models.asl.contents import SUBJECTS
from marchtable_models.asl.likeness import lone_verbs
from marchtable_models.asl.rules.dash import Dash
from marchtable_models.asl.rules.declarations import Assault
from marchtable_models.asl.rules.pushing import Push
from marchtable_models.asl.rules.support_weapons import Recover, Transfer
from marchtable_models.asl.verbs import Advance, Stairs, Trait


def test_every_trait_is_some_verbs() -> None:
    """And no verb has one that there is not."""
    traits = set(get_args(Trait))
    assert {one for verb in SUBJECTS.actions for one in getattr(verb, "traits", ())} == traits


def test_what_names_nobody_else_is_judged_once_for_units_alike() -> None:
    """Entries, declarations and what a vehicle does alone; not what hands on, boards or helps."""
    verbs = lone_verbs()
    assert {Stairs, Assault, Advance} <= verbs
    assert not verbs & {Push, Transfer, Recover, Dash}
    assert not any(issubclass(verb, Event) for verb in verbs)
