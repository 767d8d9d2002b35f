"""What clauses object to, where only some facts are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.rules.clause import clause, not_modelled
from marchtable.rules.partial import Partial, is_surely_barred
from marchtable.rules.view import View, fact

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.rules.clause import Clause, Sheet


class Boots(msgspec.Struct, frozen=True):
    """What somebody wears."""

    wet: bool
    torn: bool


class Stride(View):
    """A stride, and what follows from its facts."""

    boots: Boots
    length: int
    steep: bool = False

    @fact
    def long(self) -> bool:
        """Whether it is more than 2 long."""
        return self.length > 2


def declared(name: str, speak: Callable[[Any, Sheet], None], **more: Any) -> Clause:
    """Return a clause."""
    return clause(name, "A clause.", kind="action", **more)(speak)


def objects_if(name: str, when: Callable[[Any], bool]) -> Clause:
    """Return a clause that objects under a condition."""
    return declared(name, lambda facts, sheet: sheet.bar("no") if when(facts) else None)


LONG = objects_if("long", lambda facts: facts.long)
WET = objects_if("wet", lambda facts: facts.boots.wet)
STEEP = objects_if("steep", lambda facts: facts.steep and facts.long)


@pytest.mark.parametrize(
    ("known", "barred"),
    [
        ({"length": 3}, True),
        ({"length": 2}, False),  # the others are not known
        ({"boots": Partial(Boots, wet=True)}, True),
        ({"boots": Partial(Boots, torn=True)}, False),
        ({"boots": Boots(wet=True, torn=True)}, True),
        ({"steep": True}, False),  # a default does not stand in for the length
        ({}, False),
    ],
)
def test_what_is_known_decides(known: dict[str, Any], barred: bool) -> None:
    """A clause objects if what it reads is known; another fact makes it unsure."""
    asked = {"long", "wet", "steep"}
    assert is_surely_barred((STEEP, LONG, WET), asked, Partial(Stride, **known)) == barred


def test_only_the_clauses_asked_are() -> None:
    """A clause that is not among those asked bars nothing."""
    assert not is_surely_barred((LONG, WET), {"wet"}, Partial(Stride, length=3))


def test_a_whole_record_is_judged_as_it_is() -> None:
    """A record of which all is known can be given itself."""
    torn = objects_if("torn", lambda facts: facts.torn)
    assert is_surely_barred((torn,), {"torn"}, Boots(wet=False, torn=True))
    assert not is_surely_barred((torn,), {"torn"}, Boots(wet=True, torn=False))


@pytest.mark.parametrize(
    ("known", "barred"),
    [({"length": 3, "steep": False}, True), ({"length": 3, "steep": True}, False),
     ({"length": 3}, False)],
)  # fmt: skip
def test_a_clause_that_may_lift_it_makes_it_unsure(known: dict[str, Any], barred: bool) -> None:
    """An objection is sure only if each clause that could lift it is known not to apply."""
    lifts = not_modelled("climb", "Climbing.", lifts=("long",))(lambda facts: facts.steep)
    assert is_surely_barred((LONG, lifts), {"long"}, Partial(Stride, **known)) == barred


@pytest.mark.parametrize(
    "speak",
    [
        lambda facts, sheet: sheet.reading("R") and sheet.bar("by a reading"),
        lambda facts, sheet: sheet.excepted("long") or sheet.bar("no exception"),
        lambda facts, sheet: sheet.barred("long") or sheet.bar("the first"),
        lambda facts, sheet: sheet.total() or sheet.bar("free"),
        lambda facts, sheet: sheet.forces("at") or sheet.bar("nothing forced"),
        lambda facts, sheet: sheet.calls_for("DR") or sheet.bar("no roll"),
    ],
)
def test_readings_and_other_clauses_are_not_known(speak: Any) -> None:
    """A clause that goes by a reading, or by what others find, decides nothing."""
    assert not is_surely_barred((declared("x", speak),), {"x"}, Partial(Stride, length=1))


def test_what_is_not_modelled_bars_nothing() -> None:
    """A clause that only says that it applies is no objection."""
    climb = not_modelled("climb", "Climbing.")(lambda facts: facts.steep)
    assert not is_surely_barred((climb,), {"climb"}, Partial(Stride, steep=True))


def test_equal_facts_are_one_key() -> None:
    """What is known can be a key, and shows what it holds."""
    one, other = (Partial(Stride, boots=Partial(Boots, wet=True), length=2) for _ in range(2))
    assert len({one, other, Partial(Stride, length=2)}) == 2
    assert repr(one) == "Partial(Stride, boots=Partial(Boots, wet=True), length=2)"
