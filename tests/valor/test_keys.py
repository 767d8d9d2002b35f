"""A list depends on the position alone, not on what led to it."""

from __future__ import annotations

import msgspec

from marchtable.play import legal_actions
from marchtable.state.records import replace
from tests.valor.scenes import foe, place, unit


def test_targets_are_listed_in_one_order() -> None:
    """Targets come in the order of the enemies' units, whichever has moved last."""
    moved = place(unit(at="C3"), foe("e", at="A1"), foe("f", at="C1"), phase="Fire")
    moved.occupants  # noqa: B018 - what the next position is made of
    position = moved.with_units([replace(moved.unit("e"), at="C2")])
    listed = [choice.action for choice in legal_actions(position)]
    assert len(listed) == 2
    assert listed == [choice.action for choice in legal_actions(msgspec.structs.replace(position))]
