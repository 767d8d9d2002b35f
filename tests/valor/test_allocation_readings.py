"""Which clause forbids a step, and how readings change legality."""

from __future__ import annotations

import pytest

from marchtable.errors import BadInputError
from marchtable.state.records import replace
from marchtable_models.valor.allocation.advice import (
    DEFAULTS,
    Choices,
    LossStep,
    Member,
    Stack,
    UnitLoss,
    allocations,
)
from marchtable_models.valor.allocation.stack import FIELDS
from tests.valor.allocation_hexes import (
    BOLD,
    BRAVE,
    DESANT,
    GUN,
    LEADER,
    PINNED,
    RIDER,
    TANK,
    TOWED,
    TRUCK,
    A,
    B,
    end,
    ends,
)
from tests.valor.step_by_step import brute_force, replay

BARRED = [
    ("V14.1", (TANK, A), 1, [LossStep("tank", "pin")]),
    ("V14.65b", (TANK, DESANT, A), 2, [LossStep("desant", "reduce")]),
    ("V14.65c", (TRUCK, TOWED), 3, [LossStep("towed", "eliminate")]),
    ("V14.61c", (A, B), 2, [LossStep("a", "pin"), LossStep("a", "eliminate")]),
    ("V14.61c", (A, B), 2, [LossStep("a", "pin"), LossStep("a", "pin")]),
    ("V14.61d", (A, B), 2, [LossStep("a", "reduce"), LossStep("b", "pin")]),
    ("V14.61d", (A, B), 2, [LossStep("a", "pin")]),
    ("V14.61e", (A,), 2, [LossStep("a", "pin")]),
    ("V14.61h", (LEADER,), 2, [LossStep("leader", "reduce")]),
    ("V14.62a", (A, PINNED), 5, [LossStep("pinned", "eliminate")]),
    ("V14.62b", (PINNED,), 2, [LossStep("pinned", "reduce")]),
    ("V14.63a", (A,), 1, [LossStep("a", "ignore")]),
    ("V14.63b", (BRAVE, A), 3, [LossStep("brave", "ignore"), LossStep("a", "reduce")]),
    ("V14.64a", (GUN, A), 2, [LossStep("gun", "survive", 1)]),
    ("V14.64e", (GUN,), 4, [LossStep("gun", "survive", 4)]),
    ("V14.64d", (replace(GUN, pinned=True),), 2, [LossStep("gun", "survive", 2)]),
    ("V14.64e", (GUN,), 2, [LossStep("gun", "eliminate")]),
    (
        "V14.65a",
        (TRUCK, RIDER, A),
        4,
        [LossStep("truck", "survive", 2), LossStep("rider", "reduce")],
    ),
    ("V14.65d", (TRUCK, RIDER), 1, [LossStep("rider", "pin")]),
]


@pytest.mark.parametrize(("clause", "members", "points", "steps"), BARRED)
def test_replay_names_the_clause(
    clause: str, members: tuple[Member, ...], points: int, steps: list[LossStep]
) -> None:
    """An illegal application, or one too few, is rejected with the clause that forbids it."""
    found, cited, _ = replay(Stack(members), points, steps)

    assert found is None
    assert clause in cited


def test_replay_of_a_legal_order() -> None:
    """A legal order of steps ends in its allocation."""
    found, clause, _ = replay(Stack((A, B)), 3, [LossStep("a", "reduce"), LossStep("b", "pin")])

    assert not clause
    assert (UnitLoss("a", "reduced", 2), UnitLoss("b", "pinned", 1)) == found


def test_losses_after_a_pin() -> None:
    """If pins suffice, a reduction beyond the points may follow one, or not (A30); it is never listed."""
    steps = [LossStep("a", "pin"), LossStep("b", "reduce")]
    loss = (UnitLoss("a", "pinned", 1), UnitLoss("b", "reduced", 2))

    found, _, _ = replay(Stack((A, B)), 2, steps)
    assert found == loss
    _, cited, at = replay(Stack((A, B)), 2, steps, Choices.of({"A30": "barred"}))
    assert (cited, at) == (("V14.61e",), 1)
    assert loss in {one.losses for one in brute_force(Stack((A, B)), 2)}
    for choice in ("allowed", "barred"):
        listed = allocations(Stack((A, B)), 2, Choices.of({"A30": choice}))
        assert loss not in {one.losses for one in listed}


READINGS = [
    ("A1", "exact", (A, LEADER), 1, end(("a", "reduced", 2)), False),
    ("A2", "needed", (A, LEADER), 1, end(("a", "reduced", 2)), False),
    ("A2", "needed", (A, LEADER), 5, end(("a", "eliminated", 4), ("leader", "eliminated", 3)), True),
    ("A3", "lenient", (A, PINNED), 4, end(("a", "reduced, pinned", 3), ("pinned", "eliminated", 4)), True),
    ("A4", "allowed", (TRUCK,), 4, end(("truck", "eliminated", 6)), True),
    ("A5", "touched", (A, PINNED), 3, end(("a", "reduced", 2), ("pinned", "eliminated", 4)), True),
    ("A6", "free", (BRAVE,), 1, end(("brave", "ignored", 1)), False),
    ("A7", "barred", (BRAVE, LEADER), 2, end(("leader", "pinned", 1), ("brave", "ignored", 1)), False),
    ("A8", "exhaust", (BRAVE, BOLD), 6, end(("brave", "reduced", 3), ("bold", "reduced", 3)), False),
    ("A9", "not", (replace(BRAVE, pinned=True),), 1, end(("brave", "ignored", 1)), False),
    ("A10", "whole", (GUN, A), 4, end(("gun", "survived", 2), ("a", "reduced", 2)), False),
    ("A10", "whole", (GUN, A), 4, end(("gun", "pinned", 1), ("a", "reduced, pinned", 3)), False),
    ("A11", "applied", (TRUCK, A), 4, end(("truck", "eliminated", 2), ("a", "reduced", 2)), True),
    ("A12", "yes", (GUN,), 1, end(("gun", "eliminated", 3)), True),
    ("A13", "counted", (TRUCK, TOWED), 4, end(("truck", "eliminated", 4), ("towed", "eliminated", 3)), True),
    (
        "A14", "never",
        (replace(TRUCK, pinned=True), RIDER), 4,
        end(("rider", "eliminated", 4)), False,
    ),
    ("A20", "yes", (GUN, A), 4, end(("gun", "survived", 2), ("a", "reduced", 2)), True),
    (
        "A20", "yes",
        (GUN, A, PINNED), 6,
        end(("gun", "survived", 2), ("a", "eliminated", 4)), True,
    ),
    (
        "A20", "yes",
        (GUN, PINNED), 6,
        end(("gun", "survived", 2), ("pinned", "eliminated", 4)), False,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "reading", "members", "points", "loss", "legal"), READINGS)
def test_readings(
    entry: str,
    reading: str,
    members: tuple[Member, ...],
    points: int,
    loss: frozenset[tuple[str, str, int]],
    legal: bool,
) -> None:
    """Each reading of the register allows or forbids what the usual one does not, or keeps it."""
    usual = loss in ends(*members, points=points)
    found = loss in ends(*members, points=points, choices=Choices.of({entry: reading}))

    assert legal == found
    assert usual != found or entry in ("A2", "A20")


def test_every_reading_is_a_choice() -> None:
    """One register entry names each field of the choices, with its readings."""
    assert set(Choices.__struct_fields__) == set(FIELDS.values())
    assert DEFAULTS == Choices.of({"A15": "separate", "A3": "strict"})
    with pytest.raises(BadInputError, match="expected a reading"):
        Choices.of({"A3": "loose"})
