"""The CP-SAT model of losses: each rule matters, and its best equals a search of single steps."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from marchtable.cpsat.confirm import Confirmed, Disagreement
from marchtable.errors import InternalError
from marchtable.state.records import replace
from marchtable_models.valor.allocation import advice
from marchtable_models.valor.allocation.advice import Choices, Stack, Values, best, count
from marchtable_models.valor.allocation.model import LossModel
from marchtable_models.valor.allocation.rolls import Modelled, Tree
from marchtable_models.valor.allocation.stack import DEFAULTS
from marchtable_models.valor.allocation.target import Target, canonical
from marchtable_models.valor.allocation.values import valued
from tests.slowly import slow_after
from tests.valor.allocation_hexes import (
    BRAVE,
    GUN,
    LEADER,
    PINNED,
    RIDER,
    TRUCK,
    A,
    B,
    any_choices,
    any_hex,
    any_values,
    limited_hex,
    tabled_choices,
)
from tests.valor.step_by_step import brute_force, search

if TYPE_CHECKING:
    from marchtable_models.valor.allocation.advice import Advice, Member

USUAL = Values()
RULES = [name for name in vars(LossModel) if name.startswith("add_")]
TELLING = (
    ((A, B), 2),
    ((A, LEADER), 1),
    ((A, LEADER), 5),
    ((A, PINNED), 3),
    ((A, PINNED), 5),
    ((BRAVE, LEADER), 2),
    ((BRAVE, PINNED), 6),
    ((TRUCK, RIDER, A), 3),
    ((TRUCK, RIDER, PINNED), 9),
    ((TRUCK, replace(RIDER, shield=True), A), 3),
)
"""Stacks and points in which every rule matters."""


def worth(advice: Advice) -> tuple[Fraction, Fraction | None]:
    """Return the value of the best plan and the cost of the runner-up."""
    return advice.value, advice.cost


def solutions(members: tuple[Member, ...], points: int) -> list[object]:
    """Return the model's solutions for a stack, then the best three by value of the remaining units."""
    target = Target(Stack(members), points, DEFAULTS)
    classes = target.classes(target.start, rolls=True)
    model = LossModel(classes, points, target.choices)
    every = sorted(model.all(500))
    ranked = []
    for picked, _ in model.best_first(lambda _, option: (9 - option.key.points,), (0,)):
        ranked.append(picked)
        if len(ranked) == 3:
            break
    return [every, len(set(ranked)), len(every) < 3 or len(ranked)]


@pytest.fixture(scope="module")
def usual() -> list[list[object]]:
    """Return the whole model's solutions."""
    return [solutions(members, points) for members, points in TELLING]


@pytest.mark.parametrize("rule", [name for name in RULES if name != "add_rules"])
def test_every_rule_tells(
    rule: str, usual: list[list[object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any one of its rules the model has other solutions."""
    monkeypatch.setattr(LossModel, rule, lambda *_: None)

    assert any(
        solutions(members, points) != known
        for (members, points), known in zip(TELLING, usual, strict=True)
    )


def test_every_rule_names_its_clause() -> None:
    """Each rule names its clause, except those without one."""
    named = {rule for rule in RULES if "V14." in (getattr(LossModel, rule).__doc__ or "")}

    assert {"add_rules", "add_symmetry", "add_stages", "add_cut"} >= {*RULES} - named


def agree(stack: Stack, points: int, values: Values, choices: Choices) -> None:
    """Check count, best plan and runner-up against every single step."""
    every = brute_force(stack, points, choices)
    kinds = len({canonical(stack, one.losses) for one in every})

    assert (kinds, len(every)) == count(stack, points, choices)
    expected = worth(search(stack, points, values, choices))
    assert expected == worth(best(stack, points, values, choices))


@pytest.mark.parametrize("seed", slow_after(12, range(400)))
def test_other_readings(seed: int) -> None:
    """Under readings that are replayed the model finds what single steps find."""
    random = Random(seed)
    stack = any_hex(random, 4) if seed % 2 else limited_hex(random)
    points, values, choices = random.randint(1, 7), any_values(random), any_choices(random)
    if not choices.counted.is_tabled:
        agree(stack, points, values, choices)


@pytest.mark.parametrize("seed", slow_after(6, range(200)))
def test_no_bound_hides_a_better_plan(seed: int) -> None:
    """With each leaf decided by the model alone the best equals that with the fold's bounds."""
    random = Random(seed)
    stack, points = limited_hex(random), random.randint(2, 10)
    values, choices = any_values(random), tabled_choices(random)
    whole, scale = valued(stack, values)
    target = Target(whole, points, choices)
    tree = Tree(target, Modelled(target, scale))

    alone = Fraction(tree.best().value) / scale.one
    assert alone == worth(best(stack, points, values, choices))[0]


def test_worths_of_many_places() -> None:
    """Values with six decimals exceed what CP-SAT holds exactly; the best stays exact."""
    odd = Values(
        worth={"a": "3.999999", "b": "4.000001", "leader": "1.000003"},
        ready="0.999983", after="0.500009", command="0.250007",
    )  # fmt: skip
    stack = Stack((A, B, LEADER))
    for points in (1, 3, 6):
        expected = worth(search(stack, points, odd, DEFAULTS))[0]
        assert expected == worth(best(stack, points, odd))[0]


def test_every_best_plan_says_how_it_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fold confirms the best plan, or a second solve of every leaf; a disagreement is an error."""
    stack, strict, lenient = Stack((A, B, GUN)), DEFAULTS, Choices(pin_last="lenient")
    touched = Choices(exceed="exact")

    assert [best(stack, 4, USUAL, one).proof for one in (strict, touched, lenient)] == [
        "bound", "bound", "second solve",
    ]  # fmt: skip
    monkeypatch.setattr(advice, "confirm", lambda *_, **__: Confirmed("unconfirmed", 0))
    assert best(stack, 4, USUAL, lenient).proof == "unconfirmed"

    def disagree(*_: object, **__: object) -> None:
        raise Disagreement(Path("model"))

    monkeypatch.setattr(advice, "confirm", disagree)
    with pytest.raises(InternalError, match="two solves disagree"):
        best(stack, 4, USUAL, lenient)


def test_a_worse_plan_of_the_model_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the model misses the best solution, the fold's value shows it."""
    every = LossModel.best_first
    monkeypatch.setattr(LossModel, "best_first", lambda *fields: islice(every(*fields), 1, None))

    with pytest.raises(InternalError, match="the fold"):
        best(Stack((replace(A, worth=4), replace(LEADER, worth=1))), 1)
