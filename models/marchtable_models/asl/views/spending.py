"""Facts of what a unit has, pays and leaves unspent, read off a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable.rules.dependencies import dependencies_here
from marchtable.state.records import replace
from marchtable_models.asl.views.chart import ALL_ON_FOOT, BY_CHOICE, MINIMUM_ONLY
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.foot_facts import AdvanceCost
from marchtable_models.asl.views.lines import kind_of, members
from marchtable_models.asl.views.reading import type_of
from marchtable_models.asl.views.spending_facts import Allowance, PaidIfFree, Payment
from marchtable_models.asl.views.unitkinds import nationality_of
from marchtable_models.asl.weapons import is_gone_upon

if TYPE_CHECKING:
    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition
    from marchtable_models.asl.model import AslPosition, AslUnit, UnitType


def _portaged(unit: AslUnit) -> int:
    """Return the PP a unit can move with: those already portaged do not count."""
    return sum(
        [weapon.pp for weapon in unit.sw if not (weapon.portaged or is_gone_upon(unit, weapon))]
    )


class Payer(NamedTuple):
    """The unit whose allotment is computed, from which subjects' facts are read."""

    position: AslPosition
    unit: AslUnit
    kind: UnitType


def allowance(position: AslPosition, unit: AslUnit, *, moved: bool) -> Allowance:
    """Return the facts on which a unit's allotment depends; ``moved``: it has entered a Location."""
    kind = type_of(position, unit)
    routs = position.phase == "RtPh" and (unit.status.broken or kind.leads)
    moves = position.phase == "MPh" and unit.side == position.side
    return Allowance.read_off(
        Payer(position, unit, kind),
        is_vehicle=not kind.is_personnel,
        smc=kind.class_ == "smc",
        wounded=unit.status.wounded,
        led=bool(unit.move.leaders) and not (unit.status.berserk or unit.line.wave),
        pp=0
        if unit.cargo.aboard is not None
        else unit.points.portaged + (_portaged(unit) if unit.sw else 0),
        cx=_is_cx(position, unit),
        helper_cx=unit.move.helper is not None
        and _is_cx(position, position.unit(unit.move.helper)),
        double=unit.points.double,
        road=unit.move.road and moves and not unit.line.wave,
        moved=moved,
        cavalry=kind.class_ == "cavalry",
        column_led=_column_led(position, unit) if unit.line.column else "",
        routs=routs,
        column=unit.line.column != "",
        spent=unit.points.spent
        if unit.sw and unit.cargo.conveyed and unit.cargo.aboard is None
        else 0,
    )


def _is_cx(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit is CX: by Double Time in this MPh, not from last turn (A4.51)."""
    own_mph = position.phase == "MPh" and unit.side == position.side
    return unit.status.cx and (unit.points.double > 0 or not own_mph)


def _column_led(position: AslPosition, unit: AslUnit) -> str:
    """Return whether a Good Order leader in a unit's Column has its nationality, or another."""
    leaders = [
        other
        for other in members(position, unit)
        if other.status.good_order and not other.status.pinned and type_of(position, other).leads
    ]
    if not leaders:
        return ""
    own = nationality_of(unit)
    return "own" if any(nationality_of(leader) == own for leader in leaders) else "other"


def _has_moved(unit: AslUnit) -> bool:
    """Return whether the unit has moved in this MPh; its modes show this if it has a VCA."""
    return unit.move.previous is not None if unit.facing is None else unit.points.used > 0


def allotment(
    position: AslPosition, unit: AslUnit, edition: Edition, *, entering: bool = False
) -> int:
    """Return a unit's allotment, in half points; ``entering`` counts a hex as already entered."""
    made = made_of(position, unit, edition, entering=entering)
    return max(0, made.total)  # a load may weigh more than that


def made_of(
    position: AslPosition, unit: AslUnit, edition: Edition, *, entering: bool = False
) -> Finding:
    """Return the parts of a unit's allotment."""
    moved = entering or _has_moved(unit)
    if dependencies_here() is not None:  # who has a say is to be asked each time
        return edition.judge(allowance(position, unit, moved=moved))
    known = position.notes.setdefault(("allotments", edition), {})
    key = (unit.id, entering)
    found = known.get(key)
    if found is None or found[0] is not unit:
        found = known[key] = unit, edition.judge(allowance(position, unit, moved=moved))
    return found[1]  # type: ignore[no-any-return]


def payment(
    position: AslPosition,
    unit: AslUnit,
    facts: object,
    finding: Finding,
    edition: Edition,
) -> Payment | AdvanceCost:
    """Return the facts of paying a finding's cost out of the allotment after the step."""
    entered = facts if isinstance(facts, Entry) else None
    shifts = isinstance(facts, PaidIfFree) and facts.is_advance
    if shifts or (entered is not None and entered.manner.advancing):
        plain = replace(_after(unit, finding), double=0, previous=None)
        whole = any(charge.part in ("all", MINIMUM_ONLY) for charge in finding.charges)
        clear = finding
        if entered is not None and entered.there.smoke:
            seen = msgspec.structs.replace(entered.there, smoke=False)
            clear = edition.judge(entered.replace(there=seen))
        return AdvanceCost(
            finding.total,
            allotment(position, plain, edition),
            unit.status.cx,
            whole=whole,
            clear=0 if entered is not None and entered.scaled else clear.total,
            deep=entered is not None and entered.in_deep_stream,
        )
    return due(position, unit, facts, finding, edition)


def _after(unit: AslUnit, finding: Finding) -> AslUnit:
    if not finding.forced:
        return unit
    return replace(unit, **{x.field: x.value for x in finding.forced})


def due(
    position: AslPosition, unit: AslUnit, facts: object, finding: Finding, edition: Edition
) -> Payment:
    """Return the facts of paying MP or MF, in any phase other than the APh."""
    entered = facts if isinstance(facts, Entry) else None
    forced, class_ = _after(unit, finding), type_of(position, unit).class_
    parts: dict[str, int] = {}
    for charge in finding.charges:
        parts[charge.part] = parts.get(charge.part, 0) + charge.amount
    alls, chosen = parts.get("all", 0), parts.get(BY_CHOICE, 0)
    twice = alls != 0 and "uphill" in parts
    return Payment(
        is_vehicle=unit.facing is not None,
        cost=finding.total,
        spent=unit.points.spent,
        used=unit.points.used,
        allotment=allotment(position, forced, edition, entering=entered is not None),
        whole=alls > 0,
        twice=twice,
        beyond=finding.total - alls * (1 + twice) if alls else 0,
        minimum=entered is not None and entered.minimum,
        moved=entered is not None
        and entered.minimum
        and (unit.move.previous is not None or unit.cargo.conveyed),
        only_minimum=MINIMUM_ONLY in parts,
        backs_for_all=(
            alls > 0 and entered is not None and entered.reverse and entered.mover.reverse_times > 0
        ),
        extra=entered.extra - chosen if entered else 0,
        rest=entered is not None and entered.rest,
        cx=unit.status.cx,
        cavalry=class_ == "cavalry",
        stacked=entered is not None and bool(entered.along),
        pushed=class_ == "gun",
        assault=unit.move.assault,
        off_road=_loses_bonus(position, unit, forced, edition),
        line=kind_of(unit),
    )


def _loses_bonus(position: AslPosition, unit: AslUnit, after: AslUnit, edition: Edition) -> bool:
    """Return whether a unit that kept to the road so far leaves it, and has fewer MF for that."""
    if unit.facing is not None or not unit.move.road or after.move.road:
        return False
    kept = replace(after, road=True)
    return unit.move.previous is not None and (
        allotment(position, kept, edition) > allotment(position, after, edition)
    )


def is_short(position: AslPosition, unit: AslUnit, facts: Entry, edition: Edition) -> bool:
    """Return whether an entry costs more than the unit's whole allotment."""
    due = payment(position, unit, facts, edition.judge(facts), edition)
    if isinstance(due, AdvanceCost):
        return due.cost > due.allotment
    return due.only_minimum or due.cost > (ALL_ON_FOOT if due.whole else due.allotment)
