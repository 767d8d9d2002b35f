"""Actions are values whose fields state the domains of their arguments."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchtable.rules.rulebook import find_rulebook, rulebook_names
from marchtable.state.action import Action, Event, Phase, Settle, group_field, parameters, verb_of
from marchtable_toy import Walk
from tests.strategies import actions

if TYPE_CHECKING:
    from marchtable.rules.rulebook import Rulebook

BOOKS = [find_rulebook(name) for name in rulebook_names()]
ANY = st.one_of(*(actions(book) for book in BOOKS))


@given(ANY)
def test_is_a_value(action: Action) -> None:
    """An action equals and hashes like its pickle and its JSON round trip."""
    encoded = msgspec.json.encode(action)
    for again in (
        pickle.loads(pickle.dumps(action)),
        msgspec.json.decode(encoded, type=type(action)),
    ):
        assert again == action
        assert hash(again) == hash(action)


@given(ANY)
def test_is_immutable(action: Action) -> None:
    """No field of an action can be set."""
    with pytest.raises(AttributeError):
        setattr(action, action.__struct_fields__[0], "other")


def test_equal_fields_do_not_make_equal_verbs() -> None:
    """Two verbs with the same arguments are two actions."""
    book = find_rulebook("asl").verbs
    assert book["start"]("truck") != book["stop"]("truck")


def test_parameters() -> None:
    """Each argument has its domain: units that act as one, an adjacent Location."""
    units, to = parameters(Walk)
    assert (units.name, units.domain, units.required) == ("units", "companions", True)
    assert (to.name, to.domain, to.values) == ("to", "adjacent", ())


def test_group_field() -> None:
    """A verb for units acting as one names its field; an event has none."""
    assert group_field(Walk) == "units"
    assert group_field(Settle) is None


def test_every_argument_can_be_proposed() -> None:
    """An argument without a domain belongs to an event or an unlisted verb, or has a default."""
    lost = [
        (book.name, verb_of(kind), parameter.name)
        for book in BOOKS
        for kind in book.verbs.values()
        for parameter in parameters(kind)
        if parameter.domain == "free" and parameter.required and kind in book.choices_of()
    ]

    assert lost == []


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_verbs(book: Rulebook[Any, Any]) -> None:
    """Every rulebook's verbs are found by name, including the two common events."""
    assert book.verbs["settle"] is Settle
    assert book.verbs["phase"] is Phase
    assert [verb_of(kind) for kind in book.verbs.values()] == list(book.verbs)
    assert len(book.verbs) == len(book.action_types) + 2
    assert not any(issubclass(kind, Event) and not kind.chosen for kind in book.choices_of())
