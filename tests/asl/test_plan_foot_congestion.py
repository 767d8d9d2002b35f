"""What company costs on foot, told at once: by the number of others, for all who come there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.cpsat.foot.congestion import BARRED, CongestionCost
from marchtable_models.asl.cpsat.foot.prices import Prices
from tests.asl.boards import field, foot, load, place
from tests.asl.foot_cases import best

if TYPE_CHECKING:
    import pytest

    from marchtable_models.asl.cpsat.foot.model import Foot

ROW = field({name: {} for name in ("A1", "B1", "C1")})


def there(*names: str, at: str) -> Aim:
    """Return the aim of units that must all be in a Location."""
    return Aim(units=names, at=(at,), must="all")


def congestion(model: Foot, at: str) -> CongestionCost:
    """Return what squads cost who come to a Location."""
    found = model.cuts.congestions
    assert found.add(model.position.board.index[at], model.company.looks["a"])
    (one,) = found.found.values()
    return one


def told(
    one: CongestionCost, name: str, model: Foot, *, alone: bool, at: str
) -> set[tuple[int, ...]]:
    """Return the prices of a unit's ways to a Location, alone or led."""
    options, end = model.company.options_of[name], model.position.board.index[at]
    rows = ((options.at == end) & ((options.leader == -1) == alone)).nonzero()[0].tolist()
    return {one.prices[int(one.of[name][row])] for row in rows}


def found(units: list[Any], *aims: Aim, **weights: int) -> tuple[Foot, Any]:
    """Return the model and what it finds best."""
    return best(place(ROW, *units), Goal(aims=aims), **weights)


def test_prices_by_number_and_what_is_barred() -> None:
    """The fourth squad pays 1 MF, the fifth 2; with 2 MF that is one too many for Open Ground."""
    units = [
        *(foot(n, at="A1", cx=True, sw=load(5)) for n in "abcde"),
        foot("l", "leader", at="A1"),
    ]
    model = found(units, Aim(units=(*"abcde",), near=("C1",)))[0]
    one = congestion(model, "B1")
    assert told(one, "a", model, alone=True, at="B1") == {(0, 0, 0, 2, BARRED)}
    assert told(one, "a", model, alone=True, at="C1") == {(0, 0, 0, 2, BARRED)}


def test_who_is_led_can_pay_more() -> None:
    """With a leader's 2 MF more a squad is let in where it could not pay by itself."""
    units = [*(foot(n, at="A1", cx=True, sw=load(5)) for n in "abcde"), foot("l", "leader", at="A1", cx=True)]  # fmt: skip
    model = found(units, Aim(units=(*"abcdel",), near=("C1",)))[0]
    one = congestion(model, "B1")
    assert told(one, "a", model, alone=False, at="B1") == {(0, 0, 0, 2, 4)}
    assert one.with_stack


def test_one_cost_says_all_that_a_crowd_pays() -> None:
    """A stack that comes where others are pays for all of itself, which one congestion cost tells for each number."""
    units = [*(foot(n, at="A1", cx=True) for n in "abc"), foot("l", "leader", at="A1", cx=True),
             *(foot(n, at="C1", cx=True) for n in "de")]  # fmt: skip
    model, answer = found(units, there(*"abcdel", at="B1"), points=-1)
    assert (answer.status, answer.bound) == ("OPTIMAL", -18)
    assert not model.cuts.found
    assert not model.cuts.barred


def test_on_the_way_and_at_its_end() -> None:
    """A squad pays on its way for three who stay, and again for three who are where it ends."""
    units = [foot("a", at="A1", cx=True), *(foot(n, at="B1", cx=True) for n in "bcd"),
             *(foot(n, at="C1", cx=True) for n in "efg")]  # fmt: skip
    stay = (there(*"bcd", at="B1"), there(*"efg", at="C1"))
    model, answer = found(units, there("a", at="C1"), *stay, points=-1)
    assert (answer.status, answer.bound) == ("OPTIMAL", -8)
    assert not model.cuts.found
    poor = [foot("a", at="A1", cx=True, sw=load(5)), *units[1:]]
    model, answer = found(poor, there("a", at="C1"), *stay, points=-1)
    assert answer.status == "IMPOSSIBLE"
    assert not model.cuts.found


def test_too_many_on_the_way_bar_it() -> None:
    """With 2 MF a squad comes through a hex in which three stay, but not one in which four do."""
    for others, status in (("bcd", "OPTIMAL"), ("bcde", "IMPOSSIBLE")):
        units = [foot("a", at="A1", cx=True, sw=load(4)), *(foot(n, at="B1") for n in others)]
        model, answer = found(units, there("a", at="C1"), there(*others, at="B1"), points=-1)
        assert answer.status == status
        assert not model.cuts.found


def test_too_many_where_it_ends_bar_it() -> None:
    """With 2 MF a squad comes to where three stay, but not to where four do."""
    for others, status in (("bcd", "OPTIMAL"), ("bcde", "IMPOSSIBLE")):
        units = [foot("a", at="A1", cx=True, sw=load(5)), *(foot(n, at="B1") for n in others)]
        model, answer = found(units, there("a", at="B1"), there(*others, at="B1"), points=-1)
        assert answer.status == status
        assert not model.cuts.found


def test_a_stack_that_pays_less_does_not_count_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes along counts as who is there only if nobody pays less for it."""
    units = [*(foot(n, at="A1", cx=True, sw=load(5)) for n in "ab"), foot("l", "leader", at="A1")]
    model = found(units, Aim(units=(*"abl",), near=("C1",)))[0]
    monkeypatch.setattr(Prices, "of_step", lambda *_: (0, 9))
    assert not congestion(model, "B1").with_stack


def test_a_stack_counts_itself() -> None:
    """Two squads that a leader takes where two stay pay as for three others, he as for four."""
    units = [*(foot(n, at="A1", cx=True, sw=load(6)) for n in "ab"), foot("l", "leader", at="A1"),
             *(foot(n, at="C1") for n in "de")]  # fmt: skip
    model, answer = found(units, there("a", "b", at="C1"), there("d", "e", at="C1"), points=-1)
    assert (answer.status, answer.bound) == ("OPTIMAL", -18)
    assert not model.cuts.found
