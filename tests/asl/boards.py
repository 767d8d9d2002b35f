"""Small hand-made boards, builders of positions on them, and readers of the rulings.

Most tests ask about one step: from ``B1`` to ``C1``, which lies NE of it (hexside 1). A vehicle
facing E (hexsides 1 and 2) has it in its VCA. ``A1`` and ``A2`` lie behind the vehicle.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.board.board import STEPS, Board, EdgeRecord, Hexside, Location
from marchtable.files.notation import parse_action, points
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import Counter, Position
from marchtable.state.records import replace, struct_from_fields
from marchtable_models.asl.data import unit_types
from marchtable_models.asl.joint.linebook import OfImpulse
from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon, UnitType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from marchtable.rules.ruling import Ruling, Verdict
    from marchtable_models.asl.rules.impulse_moves import Impulse

    Pos = Position[AslUnit, AslConditions]
    Fields = Mapping[str, Any]

__all__ = [
    "ASL", "COLUMNS", "EIGHT", "allotment", "bars", "cites", "crossing", "field", "foot", "judge", "last", "load", "moved_jointly",
    "on_edge",    "paid", "place", "step", "total", "vehicle",
]  # fmt: skip

COLUMNS = ("inf", "ft", "ht", "tr")
EIGHT = ("inf", "cav", "hd", "mc", "ac", "ft", "ht", "tr")
ROOMY = 40  # MP of a vehicle whose allotment does not matter
_BUILT = re.compile(r"(hd|mc|ac|ft|ht|tr)-(\d+)")
_HEX = re.compile(r"([A-Z])(\d+)")
ASL = find_rulebook("asl")


# -- boards ----------------------------------------------------------------------------------------


def field(hexes: Mapping[str, Fields], hexsides: Mapping[str, Fields] | None = None) -> Board:
    """Return a board of these hexes, adjacent ones joined; hexsides are named ``"A1-B1"``."""
    locations = []
    for name, fields in hexes.items():
        match = _HEX.fullmatch(name)
        assert match, name
        u, row = ord(match[1]) - ord("A"), int(match[2])
        locations.append(msgspec.convert(
            {"name": name, "hex": name, "u": u, "v": 2 * row - (u + 1) % 2, **fields}, Location
        ))  # fmt: skip
    found = {
        frozenset(pair.split("-")): Hexside(**sides) for pair, sides in (hexsides or {}).items()
    }
    by_place = {(location.u, location.v): location.name for location in locations}
    edges = []
    for a in locations:
        for across, down in STEPS[1:4]:
            if b := by_place.get((a.u + across, a.v + down)):
                edges.append(EdgeRecord(a.name, b, found.pop(frozenset((a.name, b)), Hexside())))
    assert not found, f"no such hexsides: {found}"
    return Board("field", locations, edges)


def crossing(
    here: Fields | None = None, there: Fields | None = None, hexside: Fields | None = None
) -> Board:
    """Return the board whose crossing B1-C1 is tested."""
    hexes = {"A1": {}, "A2": {}, "B1": here or {}, "C1": there or {}, "C2": {}}
    return field(hexes, {"B1-C1": hexside or {}})


def on_edge(board: Board, names: Iterable[str]) -> list[str]:
    """Return the Locations that lie at the map edge."""
    hexes = {(place.u, place.v) for place in board.locations}
    return [
        name for name in names
        if any((board[name].u + u, board[name].v + v) not in hexes for u, v in STEPS)
    ]  # fmt: skip


# -- units and positions ---------------------------------------------------------------------------


def load(*pp: int) -> tuple[SupportWeapon, ...]:
    """Return a SW of these PP."""
    return tuple(SupportWeapon(name=f"SW{number}", pp=value) for number, value in enumerate(pp))


def foot(name: str = "u", kind: str = "squad", at: str | None = "B1", **fields: Any) -> AslUnit:
    """Return an Infantry unit."""
    return struct_from_fields(
        AslUnit, **{"id": name, "side": "german", "at": at, "type": kind, **fields}
    )


def vehicle(
    name: str = "u", kind: str = f"tr-{ROOMY}", at: str | None = "B1", **fields: Any
) -> AslUnit:
    """Return a moving vehicle; a kind such as ``ht-12`` is a halftrack of 12 MP."""
    found = {"facing": "E", "moving": True, **fields}
    return struct_from_fields(
        AslUnit, **{"id": name, "side": "german", "at": at, "type": kind, **found}
    )


def built_type(kind: str) -> UnitType | None:
    match = _BUILT.fullmatch(kind)
    if match is None:
        return None
    column, mp = match[1], int(match[2])
    return msgspec.convert(
        {
            "name": kind, "class": {"hd": "wagon", "mc": "motorcycle"}.get(column, "vehicle"),
            "column": column, "mp": mp, "afv": column in ("ac", "ft", "ht"),
            "truck_type": column == "tr", "riders": "smc" if column == "mc" else "",
        },
        UnitType,
    )  # fmt: skip


def place(
    board: Board,
    *units: AslUnit,
    smoke: Iterable[str] = (),
    month: int = 6,
    nvr: int | None = None,
    year: int = 0,
    types: tuple[UnitType, ...] = (),
    stated: Fields | None = None,
    **fields: Any,
) -> Pos:
    """Return a position in the German MPh, at night if a NVR is given; `stated` are conditions."""
    built_types = {kind: built for unit in units if (built := built_type(kind := unit.type))}
    return Position(**{
        "rulebook": "asl", "board": board, "units": units, "side": "german", "phase": "MPh",
        "conditions": AslConditions(
            **{
                "month": month, "year": year, "night": nvr is not None, "nvr": nvr,
                "types": (*types, *built_types.values()), **(stated or {}),
            }
        ),
        "counters": tuple(Counter(kind="smoke", at=at) for at in smoke), **fields,
    })  # fmt: skip


# -- rulings ---------------------------------------------------------------------------------------


def judge(position: Pos, *lines: str) -> Verdict:
    """Return the verdict on a log given line by line."""
    return check(position, [parse_action(line, ASL) for line in lines])


def last(position: Pos, *lines: str) -> Ruling:
    """Return the ruling on the last line; those before it must be legal."""
    verdict = judge(position, *lines)
    assert all(ruling.is_legal for ruling in verdict.rulings[:-1]), verdict.violations
    assert verdict.stopped in (None, len(lines) - 1)
    return verdict.rulings[-1]


def _mover(column: str, left: float | None, fields: dict[str, Any]) -> AslUnit:
    on_foot = {"inf": ("squad", 4), "cav": ("cavalry", 12)}
    standard, mf = on_foot.get(column, (f"{column}-{ROOMY}", 0))
    kind = fields.pop("kind", standard)
    unit = foot(kind=kind, **fields) if mf else vehicle(kind=kind, **fields)
    if left is None:
        return unit
    printed = unit_types().get(kind) or built_type(kind)
    assert printed is not None
    spent = round(2 * ((mf or printed.mp) - left))
    return replace(unit, spent=spent, used=spent, mph="moving")


def step(
    column: str = "inf",
    line: str = "enter u C1",
    *,
    here: Fields | None = None,
    there: Fields | None = None,
    hexside: Fields | None = None,
    others: tuple[AslUnit, ...] = (),
    left: float | None = None,
    scene: Fields | None = None,
    **fields: Any,
) -> Ruling:
    """
    Return the ruling on one step of unit ``u`` from B1 to C1.

    Parameters
    ----------
    column
        Terrain Chart column of the mover.
    line
        The step, if another.
    here, there, hexside
        The crossing.
    others
        Units that stand about.
    left
        Points left to the mover (its whole allotment if left out).
    scene
        Further fields of the position, as for :func:`place`.
    fields
        Further fields of the mover.
    """
    position = place(
        crossing(here, there, hexside), _mover(column, left, fields), *others, **(scene or {})
    )
    return judge(position, line).rulings[0]


# -- reading ---------------------------------------------------------------------------------------


def bars(ruling: Ruling) -> set[str]:
    """Return the clauses broken."""
    return {violation.clause for violation in ruling.violations}


def cites(ruling: Ruling) -> set[str]:
    """Return the clauses that apply to the step and are not modelled."""
    return {violation.clause for violation in ruling.unsupported}


def paid(ruling: Ruling, clause: str, unit: str = "u") -> float:
    """Return what a clause charged a unit, in points."""
    found = (r.charges for r in ruling.receipts if r.unit == unit)
    return points(sum(c.amount for charges in found for c in charges if c.clause == clause))


def total(ruling: Ruling, unit: str = "u") -> float:
    """Return the total a unit paid, in points."""
    return points(sum(r.amount for r in ruling.receipts if r.unit == unit))


def allotment(position: Pos, unit: str = "u") -> float:
    """Return a unit's whole allotment, in points."""
    return points(ASL.allotment(position, position.unit(unit)))


def moved_jointly(position: Pos, action: Impulse) -> OfImpulse:
    """Return what is known of an Impulse."""
    return OfImpulse(position, action, ASL.edition(position))
