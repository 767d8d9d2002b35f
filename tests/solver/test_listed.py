"""Whatever the referee finds legal is listed, or its verb says why lists do not offer it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.answers.known import usage
from marchtable.files.cases import scene_of_case
from marchtable.files.notation import parse_action
from marchtable.files.scenes import scene_of
from marchtable.rules.candidates import candidates
from marchtable.rules.generator import choice_of
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Event, group_field, moves_field
from tests.conformance.run import read_cases
from tests.solver.oracles import actors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.state.action import Action
    from marchtable.state.position import Position

RULEBOOKS = ("asl", "valor", "panzer")


def legal_choices(name: str) -> Iterator[tuple[str, Position[Any, Any], Action]]:
    """Yield the last entry of each legal case, if it is a player's choice, with the position before it."""
    book = find_rulebook(name)
    for case in read_cases(name):
        if case["verdict"] != "LEGAL" or not case["log"]:
            continue
        *before, last = [parse_action(line, book) for line in case["log"]]
        if isinstance(last, Event) and not last.chosen:
            continue
        position = scene_of(scene_of_case(name, case["scene"])).position
        for action in before:
            position = book.rule(position, action).after
        yield case["id"], position, last


def opened(action: Action) -> Action:
    """Return the action as lists open it: by its first unit, without members' moves."""
    if group := group_field(type(action)):
        action = msgspec.structs.replace(action, **{group: getattr(action, group)[:1]})
    if moves := moves_field(type(action)):
        action = msgspec.structs.replace(action, **{moves: ()})
    return action


def is_listed(position: Position[Any, Any], action: Action) -> bool:
    """Return whether the unit's list has the action, or a legal one with this verb and other words."""
    book, unit = find_rulebook(position.rulebook), position.unit(actors(action)[0])
    tried = [
        one
        for one in candidates(book, position, unit, (type(action),))
        if not book.is_idle(position, unit, one)
    ]
    if opened(action) in tried or any(book.rule(position, one).is_legal for one in tried):
        return True
    return moves_field(type(action)) is not None and any(
        choice_of(book, position, one, unit.id).joins for one in tried
    )


@pytest.mark.parametrize("name", RULEBOOKS)
def test_what_is_legal_is_listed(name: str) -> None:
    """The generator tries the verb of every legal action of the conformance cases, for that unit."""
    listed = find_rulebook(name).choices_of()
    missing = {
        number: str(action)
        for number, position, action in legal_choices(name)
        if not type(action).unlisted
        and not (type(action) in listed and is_listed(position, action))
    }
    assert missing == {}


def test_verbs_that_lists_do_not_offer_say_why() -> None:
    """The list of such verbs only gets shorter; `marchtable verbs` prints each reason."""
    unlisted = {
        name: {
            verb: kind for verb, kind in find_rulebook(name).verbs.items() if kind.unlisted
        }
        for name in RULEBOOKS
    }  # fmt: skip
    assert {name: sorted(found) for name, found in unlisted.items()} == {
        "asl": [
            "clearance", "crest", "dare", "dash", "dispense", "form", "place", "search", "smoke",
            "wall-advantage", "wave",
        ],
        "valor": ["give", "smoke"],
        "panzer": [],
    }  # fmt: skip
    for found in unlisted.values():
        for kind in found.values():
            assert kind.unlisted in usage(kind)[1]
            assert not issubclass(kind, Event)
