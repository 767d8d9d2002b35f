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
    assert [face for face, one in mines.items() if one == "eliminated"] == ["1", "2"]


@pytest.mark.parametrize(
    ("name", "odds"),
    [
        ("stray", (("keeps", 33, 36), ("strays", 3, 36))),  # by the colored die
        ("bog", (("mobile", 30, 36), ("clears", 5, 36), ("bogged", 1, 36))),  # so does Wire
        ("mines", (("unharmed", 1, 1), ("broken", 1, 1))),  # a decision
        ("push", (("goes", 25, 36), ("fails", 11, 36))),  # no sum has that chance
    ],
)
def test_other_rolls_have_no_dice(name: str, odds: tuple[tuple[str, int, int], ...]) -> None:
    """Dice that would mean something else by the rules are not named."""
    assert means(name, "asl", *odds) == {}
