"""Small maps, units and positions of PanzerBlitz for the tests, and readers of rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.files.notation import format_action, parse_action
from marchtable.rules.generator import legal_actions
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import Counter, Position
from marchtable_models.panzer.model import PanzerConditions, PanzerUnit
from tests.valor.scenes import field, grid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable.board.board import Board
    from marchtable.rules.ruling import Ruling, Verdict

    Pos = Position[PanzerUnit, PanzerConditions]

__all__ = [
    "FIELD",
    "PANZER",
    "after",
    "bars",
    "field",
    "foe",
    "grid",
    "judge",
    "last",
    "offered",
    "paid",
    "place",
    "rifles",
    "stated",
    "tank",
    "truck",
    "unit",
    "wagon",
]  # fmt: skip

PANZER = find_rulebook("panzer")
FIELD = field()


# -- positions -------------------------------------------------------------------------------------


def unit(name: str, type_: str, at: str | None = "C3", **fields: Any) -> PanzerUnit:
    """Return a German unit."""
    return PanzerUnit(**{"id": name, "side": "german", "at": at, "type": type_, **fields})


def truck(name: str = "t", at: str | None = "C3", **fields: Any) -> PanzerUnit:
    """Return a German truck: 12 MF."""
    return unit(name, "german-truck", at, **fields)


def wagon(name: str = "w", at: str | None = "C3", **fields: Any) -> PanzerUnit:
    """Return a German wagon: 3 MF."""
    return unit(name, "german-wagon", at, **fields)


def tank(name: str = "k", at: str | None = "C3", **fields: Any) -> PanzerUnit:
    """Return a German tank: 8 MF."""
    return unit(name, "pz-iv-h", at, **fields)


def rifles(name: str = "r", at: str | None = "C3", **fields: Any) -> PanzerUnit:
    """Return German rifles: 1 MF."""
    return unit(name, "german-rifles", at, **fields)


def foe(
    name: str = "e", type_: str = "russian-rifles", at: str | None = "A1", **fields: Any
) -> PanzerUnit:
    """Return a Russian unit."""
    return unit(name, type_, at, side="russian", **fields)


def place(
    *units: PanzerUnit,
    board: Board = FIELD,
    counters: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    conditions: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Pos:
    """Return a position in the German movement phase; counters are given as ``{kind: hex}``."""
    position: Pos = Position(**{
        "rulebook": "panzer", "board": board, "units": units, "side": "german",
        "phase": "Movement", "conditions": PanzerConditions(**(conditions or {})),
        "counters": tuple(Counter(kind=kind, at=at) for kind, at in (counters or {}).items()),
        "readings": tuple(sorted((readings or {}).items())), **fields,
    })  # fmt: skip
    PANZER.check_position(position)
    return position


# -- rulings ---------------------------------------------------------------------------------------


def judge(position: Pos, *lines: str) -> Verdict:
    """Return the verdict on a log given line by line."""
    return check(position, [parse_action(line, PANZER) for line in lines])


def last(position: Pos, *lines: str) -> Ruling:
    """Return the ruling on the last line; those before it must be legal."""
    verdict = judge(position, *lines)
    assert all(ruling.is_legal for ruling in verdict.rulings[:-1]), verdict.violations
    assert len(verdict.rulings) == len(lines)
    return verdict.rulings[-1]


def after(position: Pos, *lines: str) -> Pos:
    """Return the position after a log that must be legal."""
    verdict = judge(position, *lines)
    assert verdict.status == "LEGAL", verdict.violations
    found: Pos = verdict.position
    return found


def offered(position: Pos, verb: str = "") -> set[str]:
    """Return the offered choices of a verb (or all)."""
    lines = [format_action(choice.action) for choice in legal_actions(position)]
    return {line for line in lines if line.startswith(verb)}


# -- reading ---------------------------------------------------------------------------------------


def bars(position: Pos, *lines: str) -> set[str]:
    """Return the clauses that the last line violates; the lines before it must be legal."""
    return {violation.clause for violation in last(position, *lines).violations}


def paid(position: Pos, *lines: str) -> float:
    """Return the cost of the last line, in points."""
    (receipt,) = last(position, *lines).receipts
    return receipt.amount / 2


def stated(position: Pos, name: str) -> dict[str, tuple[bool, Any]]:
    """Return a unit's entitlements: whether each is allowed, and its factor."""
    found = PANZER.entitlements(position, position.unit(name))
    return {entry["what"]: (entry["allowed"], entry["factor"]) for entry in found}
