"""
Examples of a rulebook's clauses: small scenes in which a clause forbids an action, charges for it, or allows it.

They stand in the rulebook's data as lines of JSON. Clause pages show them; tests judge them anew.
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
    One action in one scene, and what the rules say of it.

    Parameters
    ----------
    clause
        The clause that it is an example of.
    status
        ``LEGAL``, ``ILLEGAL`` or ``UNSUPPORTED``.
    action
        A line of a log.
    scene
        Where the game stands; plain data, as in a scene file.
    contrast
        Whether the clause has no part in it: it stands beside an illegal example, from which it differs
        in one thing.
    clauses
        The clauses that forbid the action, or are not modelled; sorted.
    paid
        By unit: half points spent.
    effects, rolls
        What the action forces on units, as ``clause unit field``, and the rolls it calls for; sorted.
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
    """Return an example with what a ruling says of it."""
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
    """Return the file with a rulebook's examples, None for a rulebook without a folder of data."""
    return None if rulebook.ledger is None else rulebook.ledger.with_name("examples.jsonl")


def read_examples(rulebook: Rulebook[Any, Any], clause: str | None = None) -> list[ClauseExample]:
    """Return the examples of a clause, by default of all; raises BadInputError for a line that is none."""
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
    """Write all examples of a rulebook, in the order of its clauses; raises BadInputError if it has no folder of data."""
    path = examples_path(rulebook)
    if path is None:
        raise BadInputError(f"rulebook {rulebook.name} names no ledger", field="ledger")
    order = {name: number for number, name in enumerate(rulebook.clauses)}
    rows = sorted(
        (one for one in examples if one.clause in order), key=lambda one: order[one.clause]
    )
    path.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in rows))
