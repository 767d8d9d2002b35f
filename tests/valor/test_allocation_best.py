"""Advice: the effect of values, the cost of an attack, and one attack ahead."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.state.records import replace
from marchtable_models.valor.allocation.advice import (
    DEFAULTS,
    Choices,
    Member,
    Stack,
    Values,
    after_losses,
    best,
    best_ahead,
    best_value,
    pareto,
    standing_ahead,
    value_of,
)
from marchtable_models.valor.allocation.values import valued
from tests.slowly import slow_after
from tests.valor.allocation_hexes import REGULAR, STEADY, any_hex, any_values, limited_hex
from tests.valor.step_by_step import brute_force

if TYPE_CHECKING:
    from marchtable_models.valor.allocation.advice import Advice

USUAL = Values()
SQUAD = Member("squad", "infantry", 4, 2, worth=4, worth_half=2)
LEADER = Member("leader", "infantry", 3, worth=1)
GUN = Member("gun", "gun", 3, worth=6)
RANDOMS = st.randoms(use_true_random=False)


def losses(advice: Advice) -> list[tuple[str, str]]:
    """Return the losses of the best plan."""
    return [(loss.unit, loss.result) for loss in advice.best.losses]


def test_what_cannot_act_is_pinned_first() -> None:
    """One point pins the unit whose fire matters least."""
    assert [("leader", "pinned")] == losses(best(Stack((SQUAD, LEADER)), 1))
    dear = Values(worth={"leader": 9})
    assert [("squad", "pinned")] == losses(best(Stack((SQUAD, LEADER)), 1, dear))


def test_runner_up_costs_the_difference() -> None:
    """The runner-up's value and cost add up to the best's."""
    advice = best(Stack((SQUAD, LEADER)), 3)
    assert advice.runner_up is not None
    assert advice.cost is not None

    assert advice.value - advice.cost == Fraction(advice.runner_up.value) / advice.scale
    assert [("leader", "eliminated")] == losses(advice)
    assert 8 == advice.value


def test_only_one_way() -> None:
    """With only one plan there is no runner-up."""
    advice = best(Stack((LEADER,)), 4)

    assert (None, None) == (advice.runner_up, advice.cost)


def test_ready_weighs_pins_against_losses() -> None:
    """Two points: both squads pinned if acting now is worthless, one reduced if it is everything."""
    two = Stack((SQUAD, Member("other", "infantry", 4, 2, worth=4, worth_half=2)))

    pins = [("squad", "pinned"), ("other", "pinned")]
    assert pins == losses(best(two, 2, Values(ready=0)))
    assert [("squad", "reduced")] == losses(best(two, 2, Values(ready=5, after=0, command=0)))


def test_rally_chance_counts() -> None:
    """Of two identical units the one with the better chance to rally is pinned."""
    slow = Member("slow", "infantry", 3, worth=2, rally=REGULAR)
    fast = Member("fast", "infantry", 3, worth=2, rally=STEADY)

    assert [("fast", "pinned")] == losses(best(Stack((slow, fast)), 1))


def test_carried_units_rally_with_their_carrier() -> None:
    """A Passenger of a truck that cannot rally cannot either, so leaders help neither."""
    truck = Member("truck", "vehicle", 4, worth=4)
    rider = Member("rider", "infantry", 4, 2, aboard="truck", worth=4, worth_half=2, rally=REGULAR)
    chief = Member("chief", "infantry", 3, worth=1, leads=1)

    alone, led = (best(Stack((truck, rider, replace(chief, leads=leads))), 1) for leads in (0, 1))
    assert (alone.value, alone.best.losses) == (led.value, led.best.losses)


def test_survival_roll_is_averaged() -> None:
    """A lone Gun under two points is worth half its pinned value: 3 in 6 survive."""
    pinned = Fraction(6) + 6 * Fraction(1, 4)
    advice = best(Stack((GUN,)), 2)
    assert advice.best.roll is not None

    assert pinned / 2 == advice.value
    assert ("gun", 2, False, 3) == (
        advice.best.roll.unit, advice.best.roll.points, advice.best.roll.ignores,
        advice.best.roll.chance,
    )  # fmt: skip


def test_fractions_stay_exact() -> None:
    """Values and weights can be fractions; the scale makes every value whole."""
    odd = Member("odd", "infantry", 3, worth=2.5)
    advice = best(Stack((odd, LEADER)), 1, Values(ready="1/3", command="1/7"))

    expected = Fraction(5, 2) * Fraction(4, 3) + 1 + Fraction(1, 3) * Fraction(1, 7)
    assert expected == advice.value


@given(RANDOMS, st.integers(1, 8))
def test_best_is_the_best_allocation(random: Random, points: int) -> None:
    """If no survival roll is possible, the best value is that of the best allocation."""
    stack = Stack(tuple(m for m in any_hex(random).members if m.kind in ("infantry", "afv")
                        and m.aboard is None))  # fmt: skip
    values = any_values(random)
    whole, scale = valued(stack, values)
    expected = max(value_of(whole, a.losses, scale) for a in brute_force(stack, points))

    assert Fraction(expected, scale.one) == best_value(stack, points, values, DEFAULTS)


@pytest.mark.parametrize(
    "choices",
    [
        Choices(pin_last="lenient"),
        Choices(failed_roll="applied"),
        Choices(rating_exceeded="whole"),
        Choices(newly_pinned="allowed"),
        Choices(exceed="exact"),
        Choices(survival_pin="yes"),
    ],
)
def test_unusual_readings_have_a_best_plan(choices: Choices) -> None:
    """Unusual readings are searched, and answered in the same form."""
    stack = Stack((SQUAD, LEADER, GUN))
    for points in (2, 5, 12):
        advice = best(stack, points, USUAL, choices)
        usual = best_value(stack, points, USUAL, DEFAULTS)

        assert advice.best.value == max(plan.value for plan in advice.plans)
        assert advice.value == best_value(stack, points, USUAL, choices)
        assert 0 <= advice.value <= usual * 2


def test_front_of_two_squads() -> None:
    """Two squads under two points: strength by pinning both, firepower by reducing one."""
    two = Stack((SQUAD, Member("other", "infantry", 4, 2, worth=4, worth_half=2)))

    found = [tuple(map(int, trade[:3])) for trade in pareto(two, 2)]
    assert [(8, 0, 0), (6, 6, 0)] == found


def test_front_needs_tabled_readings() -> None:
    """The front is rejected under unusual readings."""
    with pytest.raises(BadInputError, match="closed form"):
        pareto(Stack((SQUAD,)), 1, USUAL, Choices(pin_last="lenient"))


@given(RANDOMS)
def test_more_fire_never_takes_less(random: Random) -> None:
    """More points never leave more value."""
    stack, n = limited_hex(random), random.randint(0, 8)

    assert best_value(stack, n, USUAL, DEFAULTS) >= best_value(stack, n + 1, USUAL, DEFAULTS)


def test_one_attack_ahead() -> None:
    """A follow-up of many points shows in the value; one of none changes nothing."""
    stack = Stack((SQUAD, LEADER, GUN))
    alone = best(stack, 2)
    none = best_ahead(stack, 2, standing_ahead(stack, {0: Fraction(1)}))
    half = {0: Fraction(1, 2), 4: Fraction(1, 2)}
    more = best_ahead(stack, 2, standing_ahead(stack, half))

    assert alone.value == none.value
    assert more.value < none.value


@pytest.mark.parametrize("seed", slow_after(2, range(30)))
def test_one_attack_ahead_by_hand(seed: int) -> None:
    """Without rolls, it is the allocation that is worth most after the follow-up."""
    random = Random(seed)
    members = [m for m in any_hex(random).members if m.kind == "infantry" and m.aboard is None]
    stack, points = Stack((*members, LEADER)), random.randint(1, 5)
    follow_up = {0: Fraction(1, 3), random.randint(1, 4): Fraction(2, 3)}

    advice = best_ahead(stack, points, standing_ahead(stack, follow_up))
    expected = max(
        sum(
            chance * best_value(after_losses(stack, a.losses), n, USUAL, DEFAULTS)
            for n, chance in follow_up.items()
        )
        for a in brute_force(stack, points)
    )
    assert expected == advice.value


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (Values(ready=-1), "a number from 0"),
        (Values(ready="much"), "expected a number"),
        (Values(after="1/4", command="1/2"), "command <= after"),
        (Values(worth={"squad": "many"}), "expected a number"),
    ],
)
def test_values_that_cannot_be(values: Values, message: str) -> None:
    """Values must be numbers, and waiting longer cannot be worth more."""
    with pytest.raises(BadInputError, match=message):
        best(Stack((SQUAD,)), 1, values)


def test_values_of_unknown_units() -> None:
    """A value for an unknown unit is rejected."""
    with pytest.raises(UnknownNameError, match="no unit 'x'"):
        best(Stack((SQUAD,)), 1, Values(worth={"x": 1}))
