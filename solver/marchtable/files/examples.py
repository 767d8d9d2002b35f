"""
Examples of clauses: small scenes in which a clause forbids an action, charges for it, or allows it.

The rulebook's data holds them as lines of JSON. Clause pages show them; tests judge them anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from marchtable.errors import BadInputError
from marchtable.files.notation import parse_action
from marchtable.files.scenes import scene_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = [
    "ClauseExample",
    "example_of",
    "examples_path",
    "question",
    "read_examples",
    "write_examples",
]


class ClauseExample(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    One action in one scene, and its ruling.

    Parameters
    ----------
    clause
        The clause that it illustrates.
    status
        ``LEGAL``, ``ILLEGAL`` or ``UNSUPPORTED``.
    action
        A line of a log.
    scene
        The starting position as plain data, as in a scene file.
    contrast
        Whether the clause plays no part in it: it accompanies an illegal example, and differs from
        it in one thing.
    clauses
        The clauses that forbid the action, or are not modelled; sorted.
    paid
        Half points spent, by unit.
    effects, rolls
        The action's effects on units, as ``clause unit field``, and the rolls it requires; sorted.
    """

    clause: str
    status: Literal["LEGAL", "ILLEGAL", "UNSUPPORTED"]
    action: str
    scene: dict[str, Any]
    contrast: bool = False
    clauses: tuple[str, ...] = ()
    paid: dict[str, int] = {}
    effects: tuple[str, ...] = ()
    rolls: tuple[str, ...] = ()


def example_of(
    clause: str, scene: dict[str, Any], action: str, ruling: Ruling, *, contrast: bool = False
) -> ClauseExample:
    """Return an example with the content of a ruling."""
    return ClauseExample(
        clause,
        ruling.status,  # type: ignore[arg-type]
        action,
        scene,
        contrast,
        clauses=tuple(sorted({one.clause for one in (*ruling.violations, *ruling.unsupported)})),
        paid={paid.unit: paid.amount for paid in ruling.receipts if paid.amount},
        effects=tuple(sorted({f"{e.clause} {e.unit} {e.field}" for e in ruling.effects})),
        rolls=tuple(sorted({one.id for one in ruling.obligations})),
    )


def question(
    rulebook: Rulebook[Any, Any], example: ClauseExample
) -> tuple[Position[Any, Any], Action]:
    """Return the position and the action of an example."""
    position = scene_of(example.scene, source=f"example of {example.clause}").position
    return position, parse_action(example.action, rulebook)


def examples_path(rulebook: Rulebook[Any, Any]) -> Path | None:
    """Return the file of a rulebook's examples, or None if the rulebook has no data folder."""
    return None if rulebook.ledger is None else rulebook.ledger.with_name("examples.jsonl")


def read_examples(rulebook: Rulebook[Any, Any], clause: str | None = None) -> list[ClauseExample]:
    """Return the examples of a clause, or of all; raise BadInputError for an invalid line."""
    path = examples_path(rulebook)
    if path is None or not path.exists():
        return []
    try:
        found = [
            msgspec.json.decode(line, type=ClauseExample) for line in path.read_bytes().splitlines()
        ]
    except msgspec.DecodeError as error:
        raise BadInputError(f"not an example: {error}", source=str(path)) from None
    return [one for one in found if clause in (None, one.clause)]


def write_examples(rulebook: Rulebook[Any, Any], examples: Iterable[ClauseExample]) -> None:
    """Write a rulebook's examples in clause order; raise BadInputError if it has no data folder."""
    path = examples_path(rulebook)
    if path is None:
        raise BadInputError(f"rulebook {rulebook.name} names no ledger", field="ledger")
    order = {name: number for number, name in enumerate(rulebook.clauses)}
    rows = sorted(
        (one for one in examples if one.clause in order), key=lambda one: order[one.clause]
    )
    path.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in rows))
