"""Impulse Movement (D14.31): several units, one expenditure each, all pay the largest."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.facts.lines import Lineup
from marchtable_models.asl.facts.spending import Payment


@clause("E11.2a", kind="action", composes="joint")
def moves_as_line(facts: Lineup, sheet: Sheet) -> None:
    """A Convoy, Column or platoon moves as one multi-hex stack, by Impulses."""
    if not facts.kind:
        sheet.bar("the unit belongs to no Convoy, Column or platoon")
    elif not facts.leads:
        sheet.bar("an Impulse is named by the first unit of the line")


@clause("E11.2f", kind="action", composes="joint")
def one_each(facts: Lineup, sheet: Sheet) -> None:
    """In an Impulse each unit makes at most one expenditure, and some unit makes one."""
    if facts.kind and not facts.active:
        sheet.bar("nobody makes an expenditure")


@clause("E11.2g", kind="cost", composes="joint")
def shared_expenditure(facts: Payment, sheet: Sheet) -> None:
    """The largest expenditure of an Impulse is charged to every vehicle of the Convoy."""
    if facts.line == "convoy":
        _charge_largest(facts, sheet)


@clause("D14.31a", kind="cost", composes="joint")
def shared_by_all(facts: Payment, sheet: Sheet) -> None:
    """The largest expenditure of an Impulse is charged to every unit of the Column, platoon or Human Wave."""
    if facts.line != "convoy":
        _charge_largest(facts, sheet)


def _charge_largest(facts: Payment, sheet: Sheet) -> None:
    if facts.shared and facts.shared > facts.cost:
        sheet.charge(facts.shared - facts.cost, "the Impulse's largest expenditure", "shared")


@clause("E11.255a", kind="cost", composes="joint")
def not_the_convoys(facts: Payment, sheet: Sheet) -> None:
    """What is spent to leave a Convoy within an Impulse is not spent by those ahead."""
    if facts.excess:
        sheet.charge(facts.due - facts.cost - sheet.total("shared"), "spent to leave", "shared")


def _bar_too_dear(facts: Payment, sheet: Sheet) -> None:
    have = facts.allotment - facts.spent
    if facts.shared and facts.due > have:
        sheet.bar("a unit of the line cannot pay this Impulse", facts.due, have, halves=True)


@clause("E11.2h", kind="action", composes="joint")
def all_can_pay(facts: Payment, sheet: Sheet) -> None:
    """In an Impulse no Convoy vehicle makes an expenditure that another of the Convoy cannot pay."""
    if facts.line == "convoy":
        _bar_too_dear(facts, sheet)


@clause("D14.31b", kind="action", composes="joint")
def all_others_can_pay(facts: Payment, sheet: Sheet) -> None:
    """In an Impulse of a Column, platoon or Human Wave no unit spends more than each of the others can."""
    if facts.line != "convoy":
        _bar_too_dear(facts, sheet)
