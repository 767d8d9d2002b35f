"""One-line notations and plain data: round trips, and what is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchtable.codec.structs import builtins_of, struct_of
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.notation import action_of, format_action, parse_action
from marchtable.rules.edition import chosen_readings
from marchtable.rules.rulebook import find_rulebook, rulebook_names
from marchtable.state.action import Phase
from marchtable.state.position import Half
from marchtable_models.asl.model import AslUnit, Enter
from marchtable_toy import Walker
from tests.grids import grid_board
from tests.strategies import VEHICLES, actions, asl_units

if TYPE_CHECKING:
    from marchtable.state.action import Action

ASL, TOY = find_rulebook("asl"), find_rulebook("toy")


@pytest.mark.parametrize("name", rulebook_names())
def test_round_trip(name: str) -> None:
    """Every action of every rulebook comes back from its line and from its table."""
    book = find_rulebook(name)

    @given(actions(book))
    def check(action: Action) -> None:
        assert parse_action(format_action(action), book) == action
        assert action_of(format_action(action), book) == action
        assert action_of(builtins_of(action), book) == action
        assert action_of(builtins_of(action, full=True), book) == action

    check()


def test_lines() -> None:
    """Required arguments come in order, others by name if they differ from the default."""
    lines = {
        "enter sqA,sqB 5K10": Enter(("sqA", "sqB"), "5K10"),
        "enter truck K5:bridge half=true extra=1.5": Enter(("truck",), "K5:bridge", True, 3),
        "phase MPh side=german": Phase("MPh", side="german"),
    }
    assert {format_action(action): action for action in lines.values()} == lines
    for line, action in lines.items():
        assert parse_action(f"  {line} ", ASL) == action


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "no action '' in asl .`marchtable verbs` lists all"),
        ("fly truck K5", "no action 'fly' in asl .`marchtable verbs` lists all"),
        ("enter truck", "expected `enter units to .half=…. .extra=….*`, got 'enter truck'"),
        ("enter a", "expected `enter units to"),
        ("enter truck K5 fast=true", "expected `enter units to"),
        ("enter truck K5 units=truck", "expected `enter units to"),
        ("enter truck K5 extra=1 extra=2", "expected `enter units to"),
        ("enter truck K5 half=maybe", "half"),
        ("enter truck K5 extra=much", "expected a number for extra"),
        (
            "enter truck K5 extra=0.25",
            "extra: expected a multiple of 0.5 from 0 to 10000, got 0.25",
        ),
        ("enter truck K5 extra=-1", "got -1.0"),
        ("enter truck K5 extra=nan", "got nan"),
        ("enter truck K5 extra=inf", "got inf"),
        ("turn truck N", "facing: .*expected one of NNE, E, SSE"),
        ("start", "expected `start unit .reverse=….`, got 'start'"),
    ],
)
def test_bad_lines(line: str, message: str) -> None:
    """A line that is no action is refused in one line with the verb's format."""
    with pytest.raises(BadInputError, match=message) as caught:
        parse_action(line, ASL, source="log", field="log[3]")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("log: log[3]")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (7, "expected an action as a line or a table, got 7"),
        ({"do": "fly"}, "no action 'fly'"),
        ({"unit": "truck"}, "missing field `do`"),
        ({"do": ["start"]}, "no action"),
        ({"do": "start"}, "unit: missing required field"),
        ({"do": "start", "unit": 7}, "unit: expected text"),
        ({"do": "start", "unit": "a", "to": "b"}, "unknown field `to`"),
        ({"do": "enter", "units": "sqA", "to": "K5"}, "units: expected a list"),
        (
            {"do": "enter", "units": ["sqA"], "to": "K5", "extra": "much"},
            "extra: expected a number",
        ),
        ({"do": "enter", "units": ["sqA"], "to": "K5", "extra": True}, "extra: expected a number"),
    ],
)
def test_bad_tables(entry: Any, message: str) -> None:
    """A table that is no action is refused, with the field."""
    with pytest.raises(BadInputError, match=message):
        action_of(entry, ASL)


class Budget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An amount, and nested budgets."""

    amount: Half = 0
    inner: tuple[Budget, ...] = ()
    by_name: dict[str, str] = {}


@given(st.integers(0, 20_000))
def test_amounts(halves: int) -> None:
    """Half points inside are points outside, at any depth, and come back."""
    budget = Budget(halves, (Budget(halves),))
    data = builtins_of(budget, full=True)
    assert data["amount"] == data["inner"][0]["amount"] == halves / 2
    assert struct_of(data, Budget) == budget


def test_defaults_are_left_out() -> None:
    """Defaults are not written, unless requested."""
    walker = Walker(id="w", side="red", at=None)
    assert builtins_of(walker) == {"id": "w", "side": "red"}
    assert set(builtins_of(walker, full=True)) == {"id", "side", "allowance", "spent", "stuck"}


@pytest.mark.parametrize(
    ("data", "kind", "field", "message"),
    [
        ({"amount": 0.3}, Budget, "budget.amount", "multiple of 0.5"),
        ({"inner": [{}, {"amount": "x"}]}, Budget, "budget.inner[1].amount", "a number of points"),
        ({"inner": [{"amont": 1}]}, Budget, "budget.inner[0]", "expected any of amount, inner"),
        ({"by_name": {"a": 1}}, Budget, "budget.by_name.a", "expected text"),
        ([], Budget, "budget", "expected a table"),
        ({"id": "x", "side": "s"}, AslUnit, "budget.at", "missing required field"),
        (
            {"id": "x", "side": "s", "at": "A1", "type": "t", "facing": "N"}, AslUnit,
            "budget.facing", "one of NNE, E",
        ),
    ],
)  # fmt: skip
def test_bad_data(data: Any, kind: Any, field: str, message: str) -> None:
    """Data that do not fit are refused with the place and what was expected there."""
    with pytest.raises(BadInputError, match=message) as caught:
        struct_of(data, kind, source="file", field="budget")
    assert (caught.value.source, caught.value.field) == ("file", field)


BOARD = grid_board(1, 2, [{}, {}])


@given(st.sampled_from(("squad", "leader", "wreck", *VEHICLES)).flatmap(
    lambda kind: asl_units(BOARD, "u", kind)
))  # fmt: skip
def test_units_round_trip(unit: AslUnit) -> None:
    """A unit comes back from its plain data."""
    assert struct_of({"at": None, **builtins_of(unit)}, AslUnit) == unit


def test_errors_are_of_their_kind() -> None:
    """An unknown verb is an unknown name; the error gives its place."""
    with pytest.raises(UnknownNameError) as caught:
        action_of({"do": "fly"}, TOY, source="log", field="log[2]")
    assert (caught.value.source, caught.value.field) == ("log", "log[2].do")


def test_the_command_that_lists_verbs_names_their_rulebook() -> None:
    """The hint lists the verbs of the log's rulebook, not those of the first."""
    for line, name, said in (
        ("a1 reduced", "valor", "(`marchtable verbs --rulebook valor` lists all)"),
        ("a1 reduced", "panzer", "(`marchtable verbs --rulebook panzer` lists all)"),
        ("a1 reduced", "asl", "(`marchtable verbs` lists all)"),
    ):
        with pytest.raises(UnknownNameError, match=re.escape(said)):
            parse_action(line, name)
    with pytest.raises(UnknownNameError, match="`marchtable rules --rulebook valor` lists all"):
        chosen_readings(find_rulebook("valor").register, {"A99": "x"}, book="valor")
