"""What a verb's declaration says of it, and what is read from it elsewhere."""

from __future__ import annotations

from typing import get_args

from marchtable.state.action import Event
from marchtable_models.asl.contents import ACTIONS
from marchtable_models.asl.likeness import lone_verbs
from marchtable_models.asl.rules.dash import Dash
from marchtable_models.asl.rules.declarations import Assault
from marchtable_models.asl.rules.pushing import Push
from marchtable_models.asl.rules.support_weapons import Recover, Transfer
from marchtable_models.asl.verbs import foot
from marchtable_models.asl.verbs import Trait, declared_in


def test_a_module_lists_what_it_declares() -> None:
    """Each class of it that is an action, once and in order; none that it imports."""
    found = declared_in(foot.__name__)
    assert found[:2] == (foot.Advance, foot.Descend)
    assert len(set(found)) == len(found)
    assert set(found) <= set(ACTIONS)


def test_every_trait_is_some_verbs() -> None:
    """And no verb has one that there is not."""
    traits = set(get_args(Trait))
    assert {one for verb in ACTIONS for one in getattr(verb, "traits", ())} == traits


def test_what_names_nobody_else_is_judged_once_for_units_alike() -> None:
    """Entries, declarations and what a vehicle does alone; not what hands on, boards or helps."""
    verbs = lone_verbs()
    assert {foot.Stairs, Assault, foot.Advance} <= verbs
    assert not verbs & {Push, Transfer, Recover, Dash}
    assert not any(issubclass(verb, Event) for verb in verbs)
