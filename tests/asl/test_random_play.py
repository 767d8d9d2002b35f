"""Random play on crowded scenes: a legal step always leaves a valid position."""

from __future__ import annotations

import msgspec
import pytest

from marchtable.files.notation import format_action
from marchtable.rules.generator import legal_actions
from tests.asl.boards import ASL
from tests.asl.random_play import CROWDS, TABLE, afresh
from tests.play_at_random import fault_of, played
from tests.slowly import slow_after

SEEDS, STEPS, FIRST = range(6), 25, 12
"""Games and their steps, and the first few, which are always played."""
OFTEN = 4
"""Steps between two that are judged again on a new board."""


@pytest.mark.parametrize("seed", slow_after(1, SEEDS))
@pytest.mark.parametrize("crowd", slow_after(8, sorted(CROWDS)))
def test_a_legal_step_leaves_a_position(crowd: str, seed: int) -> None:
    """It reads back as a scene and play continues; no unit has overspent; PRC are with their vehicle."""
    for step in played(TABLE, crowd, seed, STEPS if seed else FIRST):
        after = step.ruling.after
        assert after is not None
        assert not fault_of(TABLE, step), step
        for unit in after.units:
            with_whom = unit.cargo.guard if not after.pending else None
            for name in filter(None, (unit.cargo.aboard, with_whom)):
                assert unit.at == after.unit(name).at, step
            if (
                unit.at is not None
                and not unit.cargo.conveyed
                and unit.points.final != "minimum"  # a Minimum Move's requirement counts as spent
            ):  # laden, it may count as having spent more
                assert unit.points.spent <= ASL.allotment(after, unit), step


@pytest.mark.parametrize("seed", slow_after(1, SEEDS[:3]))
@pytest.mark.parametrize("crowd", slow_after(4, sorted(CROWDS)))
def test_nothing_is_remembered_wrongly(crowd: str, seed: int) -> None:
    """On a fresh board a step has the same ruling and the same options follow."""
    for number, step in enumerate(played(TABLE, crowd, seed, STEPS if seed else FIRST)):
        if number % OFTEN:
            continue
        later = msgspec.structs.replace(step.before.conditions, month=7)
        ASL.rule(msgspec.structs.replace(step.before, conditions=later), step.action)
        again = ASL.rule(step.before, step.action)
        assert again.receipts == step.ruling.receipts, step
        new = afresh(step.before)
        ruling = ASL.rule(new, step.action)
        assert (ruling.status, ruling.receipts) == (step.ruling.status, step.ruling.receipts), step
        assert ruling.after is not None
        assert ruling.after.units == step.ruling.after.units, step
        found = [format_action(choice.action) for choice in legal_actions(step.before)]
        assert [format_action(choice.action) for choice in legal_actions(new)] == found, step
