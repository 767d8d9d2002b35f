"""Armored Assault (D9.31): Infantry moves in a stack with an AFV that keeps to its pace."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Literal

import msgspec

from marchtable.rules.facts import Case, Edition, Facts, Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.action import Action
from marchtable.state.records import replace
from marchtable_models.asl.model import AslPosition, AslUnit, Enter
from marchtable_models.asl.records import Escorted
from marchtable_models.asl.rules.stacks import Group, afv_of
from marchtable_models.asl.verbs import Exit
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.chart import MINIMUM_ONLY
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.movers import party
from marchtable_models.asl.views.steps import facts_of_step, hexes


class Escort(Facts, frozen=True, gc=False):
    """A unit about to enter with an AFV, or one that has moved so before in this MPh."""

    # the AFV with whose stack it enters, ``""`` for none; the unit's own name if it ``parts``
    afv: str
    # of the AFV, the Infantry with which it has moved, as this step leaves them
    escorted: tuple[Escorted, ...] = ()
    # need, have: half MF that the step would cost the Infantry that does not come along, and what
    # the poorest of them would have for it
    need: int = 0
    have: int = 0
    # whether that Infantry could not enter there at all: ``impassable`` at any price, or ``barred``
    # for some other reason than MF
    closed: Literal["", "impassable", "barred"] = ""
    unknown: bool = False  # whether it is not known what the step would cost that Infantry


def escorts_facts(
    position: AslPosition,
    units: Sequence[AslUnit],
    taken: Sequence[tuple[Any, ...]],
    to: str | None,
    action: Action,
    edition: Edition,
) -> list[Case]:
    """Return the facts of Infantry entering with an AFV, now or before, and of an AFV it leaves."""
    if len(units) == 1 and units[0].move.armored is None:
        return []
    found = list[Case]()
    left: dict[str, list[str]] = {}
    for unit in units:
        facts = escort(position, unit, units, to, action, edition)
        if facts is None:
            continue
        if facts.afv == unit.id and unit.facing is not None:
            facts = _went_along(position, facts, units, taken, edition)
        elif facts.afv == unit.id and unit.move.armored in position.index:
            left.setdefault(str(unit.move.armored), []).append(unit.id)
        found.append(Case((unit.id,), facts, hexes(unit.at, to)))
    for name, going in left.items():
        afv = position.unit(name)
        found.append(Case((name,), _parted(position, afv, going, edition), hexes(afv.at)))
    return found


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
    """Return the facts of a unit in a stack that enters with an AFV, or entered with one before."""
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


def _went_along(
    position: AslPosition,
    found: Escort,
    units: Sequence[AslUnit],
    taken: Sequence[Any],
    edition: Edition,
) -> Escort:
    """Return the facts of an AFV, with the MF that its Infantry has left after the step."""
    along = []
    for unit, steps in zip(units, taken, strict=True):
        if unit.facing is None:
            entries = [facts for facts in steps if isinstance(facts, Entry)]
            along.append(_after(position, unit, entries, edition))
    return msgspec.structs.replace(found, escorted=(*found.escorted, *along))


def _parted(
    position: AslPosition, afv: AslUnit, going: Collection[str], edition: Edition
) -> Escort:
    """Return the facts of an AFV whose Infantry leaves it, with the MF it had left then."""
    known = _known(position, afv, edition)
    return Escort(
        "",
        tuple(
            msgspec.structs.replace(one, apart=True) if one.unit in going else one for one in known
        ),
    )


def _known(position: AslPosition, afv: AslUnit, edition: Edition) -> list[Escorted]:
    """Return the Infantry the AFV has moved with, including units that only the scene names."""
    listed = {one.unit for one in afv.move.escorted}
    found = [_now(position, afv, one, edition) for one in afv.move.escorted]
    return found + [
        _of(position, unit, edition)
        for unit in position.beside(afv.at)
        if unit.move.armored == afv.id and unit.facing is None and unit.id not in listed
    ]


def _now(position: AslPosition, afv: AslUnit, one: Escorted, edition: Edition) -> Escorted:
    """Return the MF that Infantry has left: fire takes none away, Double Time adds some."""
    unit = position.unit(one.unit) if one.unit in position.index else None
    if unit is None or unit.side != afv.side:
        return one
    now = _of(position, unit, edition)
    if not one.apart and unit.move.armored == afv.id and unit.at == afv.at:
        return now
    gained = max(0, now.had - one.had)
    return msgspec.structs.replace(one, left=one.left + gained, had=one.had + gained)


def _of(position: AslPosition, unit: AslUnit, edition: Edition) -> Escorted:
    """Return the MF that Infantry has left, or none after Assault Movement."""
    had = spending.allotment(position, replace(unit, road=False), edition)
    bonus = spending.allotment(position, unit, edition) - had
    left = had - unit.points.spent
    if unit.move.assault and unit.move.previous is not None:
        left, bonus = min(0, left), 0
    return Escorted(unit=unit.id, kind=unit.type, left=left, bonus=bonus, had=had)


def _after(
    position: AslPosition, unit: AslUnit, entries: Sequence[Entry], edition: Edition
) -> Escorted:
    """Return the MF that Infantry moving along has left after paying for the step."""
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
    """Return the facts, with the cost of the AFV's step for the Infantry left behind."""
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
    """Return a left-behind unit as if it stood beside the AFV."""
    bare = AslUnit(id=one.unit, side=afv.side, at=afv.at, type=one.kind)
    gear = position.unit(one.unit).status.gear if one.unit in position.index else ""
    return replace(
        bare, mph="moving", previous=afv.move.previous, road=one.bonus > 0, used=1, gear=gear
    )


@clause("D9.31a", kind="action", composes="joint")
def begins_beneath(facts: Group, sheet: Sheet) -> None:
    """Infantry moves with an AFV only if it began the MPh beneath it, and all the way."""
    if not facts.with_afv:
        return
    if not facts.infantry:
        sheet.bar("only Infantry moves along with an AFV")
    if not facts.beneath:
        sheet.bar("not all units of the stack began the MPh there and have moved together since")


@clause("D9.31b", kind="action", composes="joint")
def goes_no_farther(facts: Escort, sheet: Sheet) -> None:
    """An AFV that leaves its Infantry behind gets no farther than they could have gone."""
    if facts.unknown:
        sheet.unsupported("how far an AFV can go without the Infantry it moved with")
    elif facts.closed == "impassable":
        sheet.bar("the Infantry it moved with could not go there")
    elif facts.closed == "barred" and sheet.reading("D9.31b") == "together":
        sheet.bar("the Infantry it moved with could not enter there with it")
    elif facts.need > facts.have:
        sheet.bar("it would go farther than the Infantry it moved with could go", facts.need,
                  facts.have, halves=True)  # fmt: skip


@clause("D9.31c", kind="state")
def moves_with_afv(facts: Escort, sheet: Sheet) -> None:
    """A unit that moves with an AFV belongs to its stack until it moves alone."""
    if facts.afv:
        sheet.force("armored", facts.afv)


@clause("D9.31g", kind="state")
def keeps_their_pace(facts: Escort, sheet: Sheet) -> None:
    """An AFV has no more than the MF of all Infantry it has moved with."""
    if facts.escorted:
        sheet.force("escorted", facts.escorted)


@not_modelled("D9.31d", lifts=("A4.2b", "A4.3b", "D2.31", "D9.31a"))
def odd_ways(facts: Group) -> bool:
    """Armored Assault by Minimum Move, in Bypass, or at night."""
    return facts.with_afv and facts.manner != ""


@not_modelled("D14.33", lifts=("A4.2b", "D14.31"))
def with_platoon(facts: Group) -> bool:
    """Armored Assault together with an AFV platoon's Impulses."""
    return facts.with_afv and facts.platoon
