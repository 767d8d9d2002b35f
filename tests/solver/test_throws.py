"""What a throw of dice means for a roll."""

from __future__ import annotations

from collections import Counter

import pytest

from marchtable.rules.rulebook import find_rulebook
from marchtable.rules.throws import outcomes_by_throw
from marchtable.state.position import Obligation, Odds


def means(name: str, book: str, *odds: tuple[str, int, int]) -> dict[str, str]:
    """Return what each throw means for a roll."""
    roll = Obligation(f"{name}:u", "A1", "u", tuple(Odds(*one) for one in odds))
    return outcomes_by_throw(roll, find_rulebook(book).throws)


def test_the_lowest_sums_mean_the_first_outcome() -> None:
    """As often as the odds say; the other way round where the rulebook lists the roll so."""
    found = means("push", "asl", ("goes", 26, 36), ("stops", 4, 36), ("fails", 6, 36))
    assert Counter(found.values()) == {"goes": 26, "stops": 4, "fails": 6}
    assert (found["4,4"], found["6,3"], found["6,4"]) == ("goes", "stops", "fails")
    mines = means("mines", "valor", ("safe", 4, 6), ("eliminated", 2, 6))
    assert sorted(face for face, one in mines.items() if one == "eliminated") == ["1", "2"]


@pytest.mark.parametrize(
    ("name", "odds"),
    [
        ("guard", (("a", 33, 36), ("b", 3, 36))),  # of which nothing is known
        ("bog", (("mobile", 30, 36), ("clears", 5, 36), ("bogged", 1, 36))),  # so does Wire
        ("mines", (("unharmed", 1, 1), ("broken", 1, 1))),  # a decision
        ("push", (("goes", 25, 36), ("fails", 11, 36))),  # no sum has that chance
    ],
)
def test_other_rolls_have_no_dice(name: str, odds: tuple[tuple[str, int, int], ...]) -> None:
    """Dice that would mean something else by the rules are not named."""
    assert means(name, "asl", *odds) == {}


def test_the_colored_die_comes_first() -> None:
    """It settles a Movement DR with the white one; a try to unbog names both, multiplied, and what comes of it."""
    strays = means("stray", "asl", ("keeps", 33, 36), ("strays", 3, 36))
    assert [one for one, said in strays.items() if said == "strays"] == ["6,4", "6,5", "6,6"]
    product = Counter(
        (what, 2 * colored * white)
        for colored, what in enumerate(["freed"] * 4 + ["mired", "immobilized"], 1)
        for white in range(1, 7)
    )
    odds = [(f"{what}-{mp}", chance, 36) for (what, mp), chance in product.items()]
    order = ["freed", "mired", "immobilized"]
    odds.sort(key=lambda one: (order.index(one[0].split("-")[0]), int(one[0].split("-")[1])))
    found = means("unbog", "asl", *odds)
    assert (found["4,5"], found["5,4"], found["6,6"]) == ("freed-40", "mired-40", "immobilized-72")
    assert Counter(found.values()) == {name: chance for name, chance, _ in odds}
