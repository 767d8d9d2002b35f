"""Reads the facts of moves off a position: who moves with whom, what it enters, what it has to pay from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.valor.clauses.movement import is_steep
from marchtable_models.valor.data import works
from marchtable_models.valor.extraction import ground, hexmates, reading
from marchtable_models.valor.facts.errands import Leaving
from marchtable_models.valor.facts.moves import (
    Allowance,
    Company,
    Mobile,
    Payment,
    Step,
    There,
    Turning,
)  # fmt: skip
from marchtable_models.valor.model import FACINGS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.facts.losses import Stacked
    from marchtable_models.valor.facts.moves import Lie
    from marchtable_models.valor.model import Facing, ValorUnit

__all__ = [
    "allotment", "allowance", "company", "fellows", "led_by", "mobile", "payment", "step", "there", "turning", "unended", "way",
]  # fmt: skip

HALF_TURN, FULL_TURN = 3, 6


# -- who moves -------------------------------------------------------------------------------------


def mobile(position: ValorPosition, unit: ValorUnit, verb: str) -> Mobile:
    """Return the facts of whether a unit may move at all."""
    kind = reading.type_of(position, unit)
    return Mobile(
        verb, position.phase, unit.side == position.side, unit.at is not None, unit.pinned,
        unit.fired, unit.advanced, unit.turned, can_move=kind.is_infantry or kind.mp > 0,
        concluded=(unit.moved and not unit.moving) or unit.crossed is not None, waits=bool(unit.entering),
        immobile=unit.immobile,
    )  # fmt: skip


def company(position: ValorPosition, movers: Sequence[ValorUnit]) -> Company:
    """Return the facts of who moves together."""
    names = [unit.id for unit in movers]
    under_way = [unit for unit in movers if unit.moving]
    begun = {name for unit in under_way for name in unit.party or (unit.id,)}
    able = {name for name in begun if _comes_along(position, name, movers[0].at)}
    return Company(
        len({*names}) == len(names), len({u.at for u in movers}), len({u.side for u in movers}),
        missing=len(able - {*names}), strange=len({*names} - begun) if under_way else 0,
    )  # fmt: skip


def _comes_along(position: ValorPosition, name: str, at: str | None) -> bool:
    unit = position.unit(name)
    return unit.at == at and not unit.pinned


def unended(
    position: ValorPosition, side: str, movers: Collection[str]
) -> Iterator[tuple[str, Stacked]]:
    """Yield hexes in which others of a side have moved to last, with what stands there as they stop."""
    found = {
        unit.at: unit
        for unit in position.units
        if unit.moving and unit.side == side and unit.at is not None and unit.aboard is None
        and unit.id not in movers
    }  # fmt: skip
    for at, unit in found.items():
        yield at, hexmates.stacked(position, unit, ends=True)


# -- the way ---------------------------------------------------------------------------------------


def way(unit: ValorUnit, lie: Lie) -> str:
    """Return whether a vehicle would go ahead, reverse or go aside; ``""`` for who has no facing."""
    if unit.facing is None or lie.direction < 0:
        return ""
    off = (lie.direction - FACINGS.index(unit.facing)) % FULL_TURN
    return {0: "ahead", HALF_TURN: "behind"}.get(off, "aside")


def there(position: ValorPosition, side: str, at: str, leave_out: Iterable[str] = ()) -> There:
    """Return who stands in a hex, some left out of account."""
    out = {*leave_out}
    own = [u for u in hexmates.on_their_own(position, side, at) if u.id not in out]
    kinds = [reading.kind_of(position, unit) for unit in own]
    guns, infantry = kinds.count("gun"), kinds.count("infantry")
    enemy = any(u.side != side and u.id not in out for u in position.occupants.get(at, ()))
    return There(
        infantry, len(own) - guns - infantry, guns, enemy,
        tuple(sorted(position.markers.get(at, ()))),
    )  # fmt: skip


def step(
    position: ValorPosition, unit: ValorUnit, to: str, verb: str, *, assault: bool = False
) -> Step:
    """Return the facts of a unit's step into a hex."""
    here = unit.at or to
    on = unit.at is not None
    lie = ground.lie(position.board, here, to) if on else ground.coming_on(position.board, to)
    kind = reading.kind_of(position, unit)
    told = to in map(position.board.resolve, unit.entering)
    others = there(position, unit.side, to)
    under_way = unit.moving and verb == "enter"
    return Step(
        verb, kind, way(unit, lie) if kind in ("vehicle", "afv") else "", lie,
        enemy=others.enemy,
        work=any(name in works() for name in others.markers),
        wire="wire" in others.markers,
        mines="minefield" in others.markers,
        tangled=under_way and "wire" in position.markers.get(here, ()),
        assault=assault or (under_way and unit.assault),
        declared=assault,
        under_way=under_way,
        comes_on="" if on else "told" if told else "strange",
    )  # fmt: skip


def turning(position: ValorPosition, unit: ValorUnit, facing: Facing) -> Turning:
    """Return the facts of a unit that turns."""
    now = FACINGS.index(unit.facing) if unit.facing else 0
    off = (FACINGS.index(facing) - now) % FULL_TURN
    return Turning(
        reading.kind_of(position, unit), position.phase, min(off, FULL_TURN - off), unit.moving,
        unit.turned,
    )  # fmt: skip


# -- points ----------------------------------------------------------------------------------------


def fellows(position: ValorPosition, unit: ValorUnit) -> list[ValorUnit]:
    """Return who shares a unit's hex, itself included; off the map, who waits on its side for the same hexes."""
    if unit.at is not None:
        return list(position.occupants.get(unit.at, ()))
    return [
        u
        for u in position.units
        if u.entering and (u.side, u.entering) == (unit.side, unit.entering)
    ]


def led_by(position: ValorPosition, unit: ValorUnit, party: Iterable[str]) -> bool:
    """Return whether an unpinned leader is among those with whom a unit moves."""
    return any(
        _comes_along(position, name, unit.at)
        and reading.type_of(position, position.unit(name)).class_ == "leader"
        for name in party
        if name != unit.id
    )


def allowance(
    position: ValorPosition, unit: ValorUnit, *, led: bool, assault: bool = False
) -> Allowance:
    """Return the facts of what a unit has to move by."""
    kind = reading.type_of(position, unit)
    heavy = kind.is_infantry and any(
        reading.weapon_of(position, name).class_ == "H" for name in unit.sw
    )
    return Allowance(kind.class_, kind.mp, led, heavy, assault)


def allotment(
    position: ValorPosition,
    unit: ValorUnit,
    edition: Edition,
    party: Sequence[str] = (),
    *,
    assault: bool = False,
) -> int:
    """Return what a unit has to move by with those companions, in half points."""
    led = led_by(position, unit, party or unit.party)
    facts = allowance(position, unit, led=led, assault=assault or (unit.moving and unit.assault))
    return max(0, edition.judge(facts).total)


def payment(unit: ValorUnit, finding: Finding, allotted: int, spent: int, facts: object) -> Payment:
    """Return the facts of paying for a step, a turn or an overrun."""
    first = isinstance(facts, Leaving) or (isinstance(facts, Step) and facts.verb == "enter")
    begins = first and not unit.moving
    return Payment(
        allotted, spent, finding.total, begins=begins and spent == unit.spent,
        steep=isinstance(facts, Step) and is_steep(facts),
    )  # fmt: skip
