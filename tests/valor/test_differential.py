"""Allocations against the referee: every way to take an attack's points, loss by loss."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.state.action import Settle
from marchtable_models.valor.allocation.advice import Choices, allocations
from marchtable_models.valor.allocation.members import stack_of
from marchtable_models.valor.allocation.stack import FIELDS
from marchtable_models.valor.rules.foresight import possible_losses
from marchtable_models.valor.rules.under_fire import loss_of
from marchtable_models.valor.views.attack import attack_on
from marchtable_models.valor.views.units import cargo, is_towed, rating
from tests.slowly import slow_after
from tests.valor.scenes import VALOR, foe, under
from tests.valor.step_by_step import brute_force

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.valor.scenes import Pos

Mark = tuple[str, int]
End = frozenset[tuple[str, Mark]]
FOOT = ("squad-464", "half-squad-262", "leader", "german-rifle-squad", "us-paratrooper-half-squad")
STACKS = 40  # of each kind
READ = 8  # for each reading


def losses(position: Pos) -> Iterator[tuple[Any, int]]:
    """Yield every legal loss with the points the unit itself fulfils."""
    attack = attack_on(position)
    for action in possible_losses(VALOR, position):
        yield action, loss_of(position, attack, position.unit(action.unit), action).worth


def marked(
    before: Pos, after: Pos, marks: dict[str, Mark], action: Any, worth: int
) -> dict[str, Mark]:
    """Return the units' losses, including carried ones."""
    towed_counts = ("A13", "counted") in before.readings
    result, points = marks.get(action.unit, ("", 0))
    new = {"reduce": "reduced", "ignore": "ignored", "absorb": "survived"}.get(
        action.__struct_config__.tag, "reduced, pinned" if result == "reduced" else "pinned"
    )
    gone = after.unit(action.unit).at is None
    found = {**marks, action.unit: ("eliminated" if gone else new, points + worth)}
    for other in cargo(before, before.unit(action.unit)):
        was, earlier = marks.get(other.id, ("", 0))
        if gone:
            counts = towed_counts or not is_towed(before, other)
            found[other.id] = ("eliminated", earlier + counts * rating(before, other))
        elif new != "ignored":
            found[other.id] = ("reduced, pinned" if was == "reduced" else "pinned", earlier)
    return found


def walked(position: Pos) -> set[End]:
    """Return every end of legal losses; fails if points are owed and nothing is legal."""
    start: tuple[Pos, dict[str, Mark]] = (position, {})
    ends, seen, todo = set(), set(), [start]
    while todo:
        here, marks = todo.pop()
        if attack_on(here) is None:
            ends.add(frozenset(marks.items()))
            continue
        key = (here.units, here.conditions.attack, frozenset(marks.items()))
        if key in seen:
            continue
        seen.add(key)
        found = list(losses(here))
        assert found, (here.units, here.conditions.attack)
        for action, worth in found:
            after = VALOR.rule(here, action).after
            if not after.pending:
                todo.append((after, marked(here, after, marks, action, worth)))
                continue
            for odds in after.pending[0].outcomes:
                if odds.chance:
                    fallen = VALOR.rule(after, Settle(after.pending[0].id, odds.outcome)).after
                    fails = odds.outcome == "eliminated" and ("A11", "applied") not in here.readings
                    own = rating(here, here.unit(action.unit)) if fails else worth
                    todo.append((fallen, marked(here, fallen, marks, action, own)))
    return ends


def drawn(seed: int, *, mixed: bool, readings: dict[str, str] | None = None) -> tuple[Pos, int]:
    """Return a random stack under fire, of infantry only or mixed, and the points."""
    draw = Random(seed)
    units = [
        foe(f"i{n}", draw.choice(FOOT), pinned=draw.random() < 0.3, valorous=draw.random() < 0.25)
        for n in range(draw.randint(1, 2) if mixed else draw.randint(1, 4))
    ]
    if mixed:
        pinned = draw.random() < 0.25
        heavy = draw.choice(("3-ton-truck", "m38-jeep", "6-pounder", "m3-halftrack"))
        units.append(foe("v", heavy, facing=draw.choice(("S", "N")), pinned=pinned))
        if heavy != "6-pounder":
            units += [
                foe(f"p{n}", draw.choice(FOOT), aboard="v", pinned=pinned)
                for n in range(draw.randint(0, 2))
            ]
            if draw.random() < 0.3:
                units.append(foe("t", "6-pounder", facing="N", aboard="v", pinned=pinned))
        if draw.random() < 0.3:
            units.append(
                foe("w", draw.choice(("m38-jeep", "gun")), facing="S", pinned=draw.random() < 0.3)
            )
    total = sum({"squad-464": 4, "half-squad-262": 2, "leader": 1}.get(u.type, 4) for u in units)
    points = draw.randint(1, min(total + 2, 11))
    return under(points, *units, readings=readings), points


def agree(seed: int, *, mixed: bool, readings: dict[str, str]) -> int:
    """Compare one stack under these readings; return how many ends there are."""
    position, points = drawn(seed, mixed=mixed, readings=readings)
    if position.conditions.attack is None:  # nothing there can suffer
        there = position.occupants["C1"]
        assert all(u.type == "m3-halftrack" or u.aboard for u in there)
        return 0
    return agree_on(position, points)


def agree_on(position: Pos, points: int) -> int:
    """Compare the ends of an attack that is open; return how many there are."""
    stack = stack_of(position, "C1")
    choices = Choices.of(VALOR.edition(position).settings)

    ends = walked(position)

    listed = {
        frozenset((loss.unit, (loss.result, loss.points)) for loss in found.losses)
        for found in brute_force(stack, points, choices)
    }
    if choices.failed_roll == "applied":  # which points a lost vehicle took is then ignored
        assert {frozenset((unit, mark[0]) for unit, mark in end) for end in listed} == {
            frozenset((unit, mark[0]) for unit, mark in end) for end in ends
        }
        return len(ends)
    assert listed == ends
    if choices.counted != choices:  # what only A30 allows is not listed
        ends = {one.losses for one in brute_force(stack, points, choices.counted)}  # type: ignore[misc]
    assert sum(found.ways for found in allocations(stack, points, choices)) == len(ends)
    return len(ends)


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", slow_after(2, range(STACKS)))
def test_all_allocations_are_what_the_referee_allows(seed: int, mixed: bool) -> None:
    """The ends of legal losses are exactly the allocations, each once."""
    agree(seed, mixed=mixed, readings={})


@pytest.mark.parametrize(
    "entry",
    slow_after(6, [e for e in VALOR.register if e.id in FIELDS]),
    ids=lambda entry: entry.id,
)
def test_so_they_are_under_every_reading(entry: Any) -> None:
    """The same under another reading of a register entry."""
    for choice in entry.choices[1:]:
        for seed in range(STACKS, STACKS + READ):
            agree(seed, mixed=seed % 3 > 0, readings={entry.id: choice})


@pytest.mark.parametrize(
    ("seed", "readings"),
    slow_after(
        2,
        [
            (1103, {"A8": "exhaust", "A11": "applied", "A20": "yes"}),
            (1154, {"A1": "exact", "A11": "applied", "A13": "counted"}),
            (1452, {"A2": "needed", "A3": "lenient", "A12": "yes"}),
            (3837, {"A2": "needed", "A10": "whole"}),
        ],
    ),
)
def test_so_they_are_under_several_readings(seed: int, readings: dict[str, str]) -> None:
    """The same where readings interact: rolls that succeed, and pins that suffice."""
    agree(seed, mixed=True, readings=readings)
