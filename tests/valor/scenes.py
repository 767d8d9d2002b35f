"""Small maps, units and positions of Valor & Victory for the tests, and readers of rulings.

Columns run A, B, C ...; every second one is half a hex higher: A1 and B3 are two hexes apart.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.board.board import STEPS, Board, EdgeRecord, Hexside, Location
from marchtable.files.notation import format_action, parse_action
from marchtable.rules.generator import legal_actions
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import Counter, Position
from marchtable_models.valor.model import (
    Attack,
    Sight,
    UnitType,
    ValorConditions,
    ValorUnit,
    WeaponType,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from marchtable.rules.ruling import Ruling, Verdict

    Pos = Position[ValorUnit, ValorConditions]
    Fields = Mapping[str, Any]

__all__ = [
    "EIGHT", "FIELD", "TYPES", "VALOR", "WEAPONS", "after", "apfp", "bars", "dice", "field", "foe", "grid", "hurt", "judge",
    "last", "offered", "owed", "place", "shot", "under", "unit",
]  # fmt: skip

VALOR = find_rulebook("valor")
_HEX = re.compile(r"([A-Z])(\d+)")
TYPES = (
    UnitType(name="gun", class_="gun", gun=5, cr=3, mp=1),
    UnitType(name="fixed-tank", class_="afv", gun=9, mg360=4, mgff=3, mp=10),
    UnitType(
        name="armed-truck", class_="vehicle", cr=4, mg360=4, mgff=2, carries=4, tows=True, mp=14
    ),
)
WEAPONS = (
    WeaponType(name="hmg", class_="H", kind="mg", apfp=6, range=8),
    WeaponType(name="satchel", class_="X", kind="satchel", apfp=8, range=1),
)


# -- maps ------------------------------------------------------------------------------------------


def grid(hexes: Mapping[str, Fields], hexsides: Mapping[str, Fields] | None = None) -> Board:
    """Return a board of these hexes, adjacent ones joined; hexsides are named ``"A1-B1"``."""
    locations = []
    for name, fields in hexes.items():
        match = _HEX.fullmatch(name)
        assert match, name
        u, row = ord(match[1]) - ord("A"), int(match[2])
        found = {"name": name, "hex": name, "u": u, "v": 2 * row - u % 2, **fields}
        locations.append(msgspec.convert(found, Location))
    named = {
        frozenset(pair.split("-")): Hexside(**sides) for pair, sides in (hexsides or {}).items()
    }
    by_place = {(location.u, location.v): location.name for location in locations}
    edges = []
    for a in locations:
        for across, down in STEPS[1:4]:
            if b := by_place.get((a.u + across, a.v + down)):
                edges.append(EdgeRecord(a.name, b, named.pop(frozenset((a.name, b)), Hexside())))
    assert not named, f"no such hexsides: {named}"
    return Board("grid", locations, edges)


def field(
    columns: str = "ABCDE", rows: int = 5, stated: Mapping[str, Fields] | None = None
) -> Board:
    """Return open ground except for the given hexes."""
    names = [f"{column}{row}" for column in columns for row in range(1, rows + 1)]
    return grid({name: (stated or {}).get(name, {}) for name in names})


FIELD = field()
EIGHT = field("ABC", 12)


# -- positions -------------------------------------------------------------------------------------


def unit(
    name: str = "u", type_: str = "squad-464", at: str | None = "C3", **fields: Any
) -> ValorUnit:
    """Return a German unit."""
    return ValorUnit(**{"id": name, "side": "german", "at": at, "type": type_, **fields})


def foe(
    name: str = "e", type_: str = "squad-464", at: str | None = "C1", **fields: Any
) -> ValorUnit:
    """Return an American unit."""
    return unit(name, type_, at, side="american", **fields)


def place(
    *units: ValorUnit,
    board: Board = FIELD,
    sights: Iterable[Sight] = (),
    counters: Mapping[str, str] | None = None,
    attack: Attack | None = None,
    readings: Mapping[str, str] | None = None,
    **fields: Any,
) -> Pos:
    """Return a position in the German Fire Phase; counters are given as ``{kind: hex}``."""
    conditions = ValorConditions(
        types=TYPES,
        weapons=WEAPONS,
        sights=tuple(sights),
        attack=attack,
        **fields.pop("conditions", {}),
    )
    return Position(**{
        "rulebook": "valor", "board": board, "units": units, "side": "german", "phase": "Fire",
        "conditions": conditions,
        "counters": tuple(Counter(kind=kind, at=at) for kind, at in (counters or {}).items()),
        "readings": tuple(sorted((readings or {}).items())), **fields,
    })  # fmt: skip


def under(
    points: int,
    *units: ValorUnit,
    readings: Fields | None = None,
    opportunity: bool = False,
    **fields: Any,
) -> Pos:
    """Return a position in which the Americans in C1 owe this many points to an attack from C3.

    The hex can hold more than a scene allows, and its vehicles carry more.
    """
    from marchtable_models.valor.rules.losses import inflicted

    attack = Attack(side="german", origin="C3", target="C1", opportunity=opportunity)
    position = place(
        unit(fired=True, fired_at="C1"), *units, attack=attack, readings=readings, **fields
    )
    return inflicted(position, points)


# -- rulings ---------------------------------------------------------------------------------------


def judge(position: Pos, *lines: str) -> Verdict:
    """Return the verdict on a log given line by line."""
    return check(position, [parse_action(line, VALOR) for line in lines])


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


def shot(line: str, *units: ValorUnit, **fields: Any) -> Ruling:
    """Return the ruling on an attack."""
    return last(place(*units, **fields), line)


def offered(position: Pos, verb: str = "") -> set[str]:
    """Return the complete options of a verb (or all), including joined ones."""
    waiting, found = legal_actions(position), set()
    while waiting:
        choice = waiting.pop()
        line = format_action(choice.action)
        if choice.closes and line.startswith(verb):
            found.add(line)
        if choice.joins:
            waiting += legal_actions(position, opened=choice.action)
    return found


# -- reading ---------------------------------------------------------------------------------------


def bars(ruling: Ruling) -> set[str]:
    """Return the clauses broken."""
    return {violation.clause for violation in ruling.violations}


def apfp(ruling: Ruling) -> int:
    """Return the APFP total of an attack."""
    found: int = ruling.after.conditions.attack.apfp
    return found


def dice(ruling: Ruling) -> int:
    """Return what is added to the dice of an attack."""
    found: int = ruling.after.conditions.attack.modifier
    return found


def owed(position: Pos) -> int:
    """Return the points still owed, 0 without an open attack."""
    attack = position.conditions.attack
    return attack.owed if attack else 0


def hurt(position: Pos) -> dict[str, str]:
    """Return the American units' losses, without unhurt units."""
    found = {}
    for one in position.units:
        state = "gone" if one.at is None else "pinned " * one.pinned + "half" * ("half" in one.type)
        if one.side == "american" and state:
            found[one.id] = state.strip()
    return found
