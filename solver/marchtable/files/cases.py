"""
The cases of a rulebook's clauses: small scenes in which a clause forbids an action, charges for it, or lets it be.

They stand in the rulebook's data as lines of JSON. Clause pages show them, tests judge them anew.
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

__all__ = ["Case", "case_of", "cases_path", "judged", "read_cases", "write_cases"]


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    One action in one scene, and what the rules say of it.

    Parameters
    ----------
    clause
        The clause that it is a case of.
    status
        ``LEGAL``, ``ILLEGAL`` or ``UNSUPPORTED``.
    action
        A line of a log.
    scene
        Where the game stands; plain data, as in a scene file.
    clauses
        The clauses that forbid the action, or are not modelled; sorted.
    paid
        By unit: half points spent.
    """

    clause: str
    status: Literal["LEGAL", "ILLEGAL", "UNSUPPORTED"]
    action: str
    scene: dict[str, Any]
    clauses: tuple[str, ...] = ()
    paid: dict[str, int] = {}


def case_of(rulebook: Rulebook[Any, Any], clause: str, scene: dict[str, Any], action: str) -> Case:
    """Return a case with what the rules say of it now."""
    case = Case(clause, "LEGAL", action, scene)
    ruling = judged(rulebook, case)
    return msgspec.structs.replace(
        case,
        status=ruling.status,
        clauses=tuple(sorted({one.clause for one in (*ruling.violations, *ruling.unsupported)})),
        paid={paid.unit: paid.amount for paid in ruling.receipts if paid.amount},
    )


def judged(rulebook: Rulebook[Any, Any], case: Case) -> Ruling:
    """Return what the rules say of a case now."""
    position = scene_of(case.scene, source=f"case of {case.clause}").position
    return rulebook.rule(position, parse_action(case.action, rulebook))


def cases_path(rulebook: Rulebook[Any, Any]) -> Path | None:
    """Return the file with a rulebook's cases, None for a rulebook without a folder of data."""
    return None if rulebook.ledger is None else rulebook.ledger.with_name("cases.jsonl")


def read_cases(rulebook: Rulebook[Any, Any], clause: str | None = None) -> list[Case]:
    """Return the cases of a clause, by default of all; raises BadInputError for a line that is no case."""
    path = cases_path(rulebook)
    if path is None or not path.exists():
        return []
    begins = b"" if clause is None else b'{"clause":' + msgspec.json.encode(clause) + b","
    lines = path.read_bytes().splitlines()
    try:
        return [msgspec.json.decode(line, type=Case) for line in lines if line.startswith(begins)]
    except msgspec.DecodeError as error:
        raise BadInputError(f"no case: {error}", source=str(path)) from None


def write_cases(rulebook: Rulebook[Any, Any], cases: Iterable[Case]) -> None:
    """Write all cases of a rulebook, in the order of its clauses; raises BadInputError if it has no folder of data."""
    path = cases_path(rulebook)
    if path is None:
        raise BadInputError(f"rulebook {rulebook.name} names no ledger", field="ledger")
    order = {name: number for number, name in enumerate(rulebook.clauses)}
    rows = sorted((one for one in cases if one.clause in order), key=lambda one: order[one.clause])
    path.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in rows))
