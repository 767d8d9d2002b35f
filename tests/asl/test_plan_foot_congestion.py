"""The cost of company on foot: by the number of others, for all units that enter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.goal import Aim, Goal
from tests.asl.boards import field, foot, load, place
from tests.asl.foot_cases import best

if TYPE_CHECKING:
    from marchtable_models.asl.cpsat.foot.model import Foot

ROW = field({name: {} for name in ("A1", "B1", "C1")})


def there(*names: str, at: str) -> Aim:
    """Return the aim that all units must be in a Location."""
    return Aim(units=names, at=(at,), must="all")


def found(units: list[Any], *aims: Aim, **weights: int) -> tuple[Foot, Any]:
    """Return the model and its best result."""
    return best(place(ROW, *units), Goal(aims=aims), **weights)


def test_prices_by_number_and_what_is_barred() -> None:
    """The fourth squad pays 1 MF, the fifth 2; with 2 MF that is too many, with a leader's it is not."""
    units = [*(foot(n, at="A1", cx=True, sw=load(5)) for n in "abcde"), foot("l", "leader", at="A1", cx=True)]  # fmt: skip
    for men, bound in (("abcd", -10), ("abcde", -22)):
        model, answer = found(units, there(*men, at="B1"), points=-1)
        assert (answer.status, answer.bound) == ("OPTIMAL", bound)
        assert not model.learned.nogoods
    model, answer = found(units[:-1], there(*"abcde", at="B1"), points=-1)
    assert answer.status == "IMPOSSIBLE"


def test_one_cost_says_all_that_a_crowd_pays() -> None:
    """A stack that joins others pays for all of itself; one congestion cost says it for each number."""
    units = [*(foot(n, at="A1", cx=True) for n in "abc"), foot("l", "leader", at="A1", cx=True),
             *(foot(n, at="C1", cx=True) for n in "de")]  # fmt: skip
    model, answer = found(units, there(*"abcdel", at="B1"), points=-1)
    assert (answer.status, answer.bound) == ("OPTIMAL", -18)
    assert not model.learned.nogoods


def test_on_the_way_and_at_its_end() -> None:
    """A squad pays on its way for three that stay, and again for three where it ends."""
    units = [foot("a", at="A1", cx=True), *(foot(n, at="B1", cx=True) for n in "bcd"),
             *(foot(n, at="C1", cx=True) for n in "efg")]  # fmt: skip
    stay = (there(*"bcd", at="B1"), there(*"efg", at="C1"))
    model, answer = found(units, there("a", at="C1"), *stay, points=-1)
    assert (answer.status, answer.bound) == ("OPTIMAL", -8)
    assert not model.learned.nogoods
    for portage in (4, 5):  # with 4 it could pay for either three, not for both
        poor = [foot("a", at="A1", cx=True, sw=load(portage)), *units[1:]]
        model, answer = found(poor, there("a", at="C1"), *stay, points=-1)
        assert answer.status == "IMPOSSIBLE"
        assert not model.learned.nogoods


def test_too_many_on_the_way_bar_it() -> None:
    """With 2 MF a squad passes a hex in which three stay, but not one in which four do."""
    for others, status in (("bcd", "OPTIMAL"), ("bcde", "IMPOSSIBLE")):
        units = [foot("a", at="A1", cx=True, sw=load(4)), *(foot(n, at="B1") for n in others)]
        model, answer = found(units, there("a", at="C1"), there(*others, at="B1"), points=-1)
        assert answer.status == status
        assert not model.learned.nogoods


def test_too_many_where_it_ends_bar_it() -> None:
    """With 2 MF a squad can end where three stay, but not where four do."""
    for others, status in (("bcd", "OPTIMAL"), ("bcde", "IMPOSSIBLE")):
        units = [foot("a", at="A1", cx=True, sw=load(5)), *(foot(n, at="B1") for n in others)]
        model, answer = found(units, there("a", at="B1"), there(*others, at="B1"), points=-1)
        assert answer.status == status
        assert not model.learned.nogoods


def test_a_stack_counts_itself() -> None:
    """Two squads led to where two stay pay as for three others, the leader as for four."""
    units = [*(foot(n, at="A1", cx=True, sw=load(6)) for n in "ab"), foot("l", "leader", at="A1"),
             *(foot(n, at="C1") for n in "de")]  # fmt: skip
    model, answer = found(units, there("a", "b", at="C1"), there("d", "e", at="C1"), points=-1)
    assert (answer.status, answer.bound) == ("OPTIMAL", -18)
    assert not model.learned.nogoods
