"""Reads off a position how far an AFV can go on without the Infantry that it has moved with (D9.31)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.state.records import replace
from marchtable_models.asl.clauses.terrain.chart import MINIMUM_ONLY
from marchtable_models.asl.extraction import spending
from marchtable_models.asl.extraction.movers import party
from marchtable_models.asl.extraction.stacks import afv_of
from marchtable_models.asl.extraction.steps import facts_of_step
from marchtable_models.asl.facts.armored import Escort
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.model import AslConditions, AslUnit, Enter
from marchtable_models.asl.records import Escorted
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any, Literal

    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action
    from marchtable.state.position import Position

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["escort", "is_afv_of_a_stack", "parted", "went_along"]


def is_afv_of_a_stack(unit: AslUnit) -> bool:
    """Return whether the unit is an AFV that has moved with Infantry in this MPh."""
    return unit.facing is not None and unit.move.armored == unit.id


def escort(
    position: AslPosition,
    unit: AslUnit,
    units: Sequence[AslUnit],
    to: str | None,
    action: Action,
    edition: Edition,
) -> Escort | None:
    """Return the facts of a unit of a stack that enters with an AFV, or had entered with one before."""
    afv = afv_of(position, units) if len(units) > 1 else None
    if unit.facing is None:
        if afv is not None:
            return Escort(afv.id)
        return None if unit.move.armored in (None, unit.id) else Escort(unit.id)
    if afv is None and not is_afv_of_a_stack(unit):
        return None
    going = {other.id for other in units}
    behind = [one for one in _known(position, unit, edition) if one.unit not in going]
    found = Escort(unit.id if afv is not None else "", tuple(behind))
    if not behind:
        return msgspec.structs.replace(found, unknown=afv is None)
    return _followed(position, unit, units, found, to, action, edition)


def went_along(
    position: AslPosition,
    found: Escort,
    units: Sequence[AslUnit],
    taken: Sequence[Any],
    edition: Edition,
) -> Escort:
    """Return the facts of an AFV with what the Infantry that comes along has left after the step."""
    along = []
    for unit, steps in zip(units, taken, strict=True):
        if unit.facing is None:
            entries = [facts for facts in steps if isinstance(facts, Entry)]
            along.append(_after(position, unit, entries, edition))
    return msgspec.structs.replace(found, escorted=(*found.escorted, *along))


def parted(position: AslPosition, afv: AslUnit, going: Collection[str], edition: Edition) -> Escort:
    """Return the facts of an AFV that Infantry leaves: what it had left as it did."""
    known = _known(position, afv, edition)
    return Escort(
        "",
        tuple(
            msgspec.structs.replace(one, apart=True) if one.unit in going else one for one in known
        ),
    )


def _known(position: AslPosition, afv: AslUnit, edition: Edition) -> list[Escorted]:
    """Return the Infantry that the AFV has moved with, including units named only by the scene."""
    listed = {one.unit for one in afv.move.escorted}
    found = [_now(position, afv, one, edition) for one in afv.move.escorted]
    return found + [
        _of(position, unit, edition)
        for unit in position.beside(afv.at)
        if unit.move.armored == afv.id and unit.facing is None and unit.id not in listed
    ]


def _now(position: AslPosition, afv: AslUnit, one: Escorted, edition: Edition) -> Escorted:
    """Return the MF that such Infantry has left: fire takes none away, Double Time adds some."""
    unit = position.unit(one.unit) if one.unit in position.index else None
    if unit is None or unit.side != afv.side:
        return one
    now = _of(position, unit, edition)
    if not one.apart and unit.move.armored == afv.id and unit.at == afv.at:
        return now
    gained = max(0, now.had - one.had)
    return msgspec.structs.replace(one, left=one.left + gained, had=one.had + gained)


def _of(position: AslPosition, unit: AslUnit, edition: Edition) -> Escorted:
    """Return the MF that Infantry has left; by Assault Movement it cannot move again."""
    had = spending.allotment(position, replace(unit, road=False), edition)
    bonus = spending.allotment(position, unit, edition) - had
    left = had - unit.points.spent
    if unit.move.assault and unit.move.previous is not None:
        left, bonus = min(0, left), 0
    return Escorted(unit=unit.id, kind=unit.type, left=left, bonus=bonus, had=had)


def _after(
    position: AslPosition, unit: AslUnit, entries: Sequence[Entry], edition: Edition
) -> Escorted:
    """Return the MF left to Infantry that comes along, after it has paid."""
    spent = unit.points.spent
    forced: dict[str, Any] = {}
    for facts in entries:
        found = edition.judge(facts)
        due = spending.payment(position, unit, facts, found, edition)
        spent += found.total + edition.judge(due).total
        forced |= {x.field: x.value for x in found.forced}
    changes = {**forced, "spent": spent, "previous": unit.at}
    return _of(position, replace(unit, **changes), edition)


def _followed(
    position: AslPosition,
    afv: AslUnit,
    units: Sequence[AslUnit],
    found: Escort,
    to: str | None,
    action: Action,
    edition: Edition,
) -> Escort:
    """Return the facts with what the AFV's step would cost the Infantry that does not come along."""
    if type(action) not in (Enter, Exit) or afv.place.bypass is not None:
        return msgspec.structs.replace(found, unknown=True)
    ghosts = [_ghost(position, afv, one) for one in found.escorted]
    stack = party(position, (*(u for u in units if u.id != afv.id), *ghosts, afv))
    plain = Enter(stack.ids, to) if to is not None else Exit(stack.ids)
    left, needs = [], [(0, 0)]
    closed: Literal["", "impassable", "barred"] = ""
    unknown = False
    for one, ghost in zip(found.escorted, ghosts, strict=True):
        for facts in facts_of_step(position, ghost, to, stack, plain):
            if not isinstance(facts, Entry):
                continue
            judged = edition.judge(facts)
            unknown = unknown or bool(judged.unsupported)
            whole = any(charge.part in ("all", MINIMUM_ONLY) for charge in judged.charges)
            if whole or (judged.bars and not judged.total):
                closed = "impassable"
            elif judged.bars:
                closed = closed or "barred"
            lost = any(x.field == "road" and not x.value for x in judged.forced)
            bonus = 0 if lost else one.bonus
            needs.append((judged.total, one.left + bonus))
            left.append(
                msgspec.structs.replace(one, left=one.left - judged.total, bonus=bonus, apart=True)
            )
    need, have = max(needs, key=lambda pair: pair[0] - pair[1])
    return Escort(found.afv, tuple(left), need, have, closed, unknown)


def _ghost(position: AslPosition, afv: AslUnit, one: Escorted) -> AslUnit:
    """Return such Infantry as it would be beside the AFV."""
    bare = AslUnit(id=one.unit, side=afv.side, at=afv.at, type=one.kind)
    gear = position.unit(one.unit).status.gear if one.unit in position.index else ""
    return replace(
        bare, mph="moving", previous=afv.move.previous, road=one.bonus > 0, used=1, gear=gear
    )
