"""Units' movement points and payment (6.3 to 6.6, 10.7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from marchtable.rules.facts import Case, Edition, Facts, Finding, Sheet
from marchtable.rules.subjects import clause
from marchtable_models.valor.data import figure
from marchtable_models.valor.model import ValorPosition, ValorUnit
from marchtable_models.valor.rules.facing import Turning
from marchtable_models.valor.rules.leaving import Leaving
from marchtable_models.valor.rules.movement import Mobile, comes_along
from marchtable_models.valor.rules.overruns import Overrunning
from marchtable_models.valor.rules.terrain import Step, is_steep
from marchtable_models.valor.views.units import type_of, weapon_of


class Allowance(Facts, frozen=True):
    """A unit's movement allowance: its class, printed MP, leader, heavy weapons, Assault Movement."""

    class_: str
    mp: int
    led: bool = False
    heavy: bool = False
    assault: bool = False


class Payment(Facts, frozen=True):
    """Facts of paying for a step or a turn."""

    # in half points
    allotment: int
    spent: int
    cost: int
    begins: bool  # it is the first hex of a move
    steep: bool  # it leads from level 0 to level 2 or back


PAID = (Step, Turning, Overrunning, Leaving)
"""Facts that cost MP."""


def fellows(position: ValorPosition, unit: ValorUnit) -> list[ValorUnit]:
    """Return the units in a unit's hex, itself included; off the map, those waiting for the same hexes."""
    if unit.at is not None:
        return list(position.occupants.get(unit.at, ()))
    return [
        u
        for u in position.units
        if u.entering and (u.side, u.entering) == (unit.side, unit.entering)
    ]


def led_by(position: ValorPosition, unit: ValorUnit, party: Iterable[str]) -> bool:
    """Return whether an unpinned leader is among the units that a unit moves with."""
    return any(
        comes_along(position, name, unit.at)
        and type_of(position, position.unit(name)).class_ == "leader"
        for name in party
        if name != unit.id
    )


def allowance(
    position: ValorPosition, unit: ValorUnit, *, led: bool, assault: bool = False
) -> Allowance:
    """Return the facts of a unit's movement allowance."""
    kind = type_of(position, unit)
    heavy = kind.is_infantry and any(weapon_of(position, name).class_ == "H" for name in unit.sw)
    return Allowance(kind.class_, kind.mp, led, heavy, assault)


def allotment(
    position: ValorPosition,
    unit: ValorUnit,
    edition: Edition,
    party: Sequence[str] = (),
    *,
    assault: bool = False,
) -> int:
    """Return a unit's allowance with those companions, in half points."""
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


def payments(
    position: ValorPosition, cases: Sequence[Case], findings: Sequence[Finding], edition: Edition
) -> list[Payment | None]:
    """Return the facts of paying for each case; units that move together each pay their own."""
    party = tuple(case.units[0] for case in cases if isinstance(case.facts, Step | Leaving))
    paid: dict[str, int] = {}
    found: list[Payment | None] = [None] * len(cases)
    for n, (case, finding) in enumerate(zip(cases, findings, strict=True)):
        if position.phase == "Movement" and isinstance(case.facts, PAID):
            unit = position.unit(case.units[0])
            assault = isinstance(case.facts, Step) and case.facts.assault
            allotted = allotment(position, unit, edition, party, assault=assault)
            spent = unit.spent + paid.get(unit.id, 0)
            found[n] = payment(unit, finding, allotted, spent, case.facts)
            paid[unit.id] = paid.get(unit.id, 0) + finding.total
    return found


INFANTRY = ("leader", "squad", "half-squad")


@clause("V6.31a", kind="cost", composes="flag")
def infantry_mp(facts: Allowance, sheet: Sheet) -> None:
    """Leaders have 6 MP, squads and half squads 4."""
    if facts.class_ in INFANTRY:
        sheet.charge(2 * (facts.mp or figure("V6.31a", facts.class_)), "infantry")


@clause("V6.31b", kind="cost", composes="joint")
def leader_bonus(facts: Allowance, sheet: Sheet) -> None:
    """Infantry that moves with an unpinned leader all the way has 6 MP."""
    if facts.led and facts.class_ in INFANTRY:
        more = figure("V6.31b", "led") - figure("V6.31a", facts.class_)
        sheet.charge(2 * max(0, more), "with a leader")


@clause("V6.32", kind="cost")
def printed_mp(facts: Allowance | Mobile, sheet: Sheet) -> None:
    """Vehicles, AFVs and Guns have their printed MP."""
    if isinstance(facts, Mobile):
        if facts.verb != "turn" and not facts.can_move:
            sheet.bar("it has no MP")
    elif facts.class_ not in INFANTRY:
        sheet.charge(2 * facts.mp, "printed")


@clause("V6.4a", kind="cost", composes="flag", after=("V6.31a", "V6.31b", "V6.32"))
def assault_halves(facts: Allowance, sheet: Sheet) -> None:
    """Assault Movement halves the MP before any subtraction."""
    if not facts.assault:
        return
    divisor, all_of_it = figure("V6.4", "divisor"), sheet.total()
    if facts.led and sheet.reading("A27") == "own":
        all_of_it = 2 * (facts.mp or figure("V6.31a", facts.class_))
    sheet.charge(2 * (all_of_it // (2 * divisor)) - sheet.total(), "Assault Movement")


@clause("V12.2b", kind="cost", after=("V6.4a",))
def heavy_weapon(facts: Allowance, sheet: Sheet) -> None:
    """A heavy support weapon costs its carrier 1 MP."""
    if facts.heavy:
        sheet.charge(-2 * figure("V12.2b", "heavy"), "heavy support weapon")


@clause("V10.7b", kind="cost", composes="start")
def steep_way(facts: Step | Payment, sheet: Sheet) -> None:
    """Only infantry goes from level 0 to level 2 or back, with its whole allotment and not by Assault Movement."""
    if isinstance(facts, Payment):
        if facts.steep:
            sheet.charge(facts.allotment - facts.cost, "all that it has")
    elif is_steep(facts):
        if facts.is_heavy:
            sheet.bar("vehicles, AFVs and Guns cannot cross two levels at once")
        if facts.assault:
            sheet.bar("Assault Movement cannot cross two levels at once")


@clause("V6.6", kind="cost", composes="start", after=("V10.7b",))
def minimum(facts: Payment, sheet: Sheet) -> None:
    """A unit can always move one hex that it can enter at all."""
    cost = facts.cost + sheet.total()
    if facts.begins and cost > facts.allotment:
        sheet.charge(facts.allotment - cost, "all that it has")


@clause("V6.3", kind="cost", composes="joint", after=("V6.6",))
def pay(facts: Payment, sheet: Sheet) -> None:
    """A unit spends no more than its MP."""
    cost, left = facts.cost + sheet.total(), facts.allotment - facts.spent
    if cost > left:
        sheet.bar("not enough MP left", cost, left, halves=True)
