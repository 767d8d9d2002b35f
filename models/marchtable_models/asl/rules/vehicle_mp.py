"""MP (D2.1): a vehicle's allotment, extra expenditure, and the Minimum Move (D2.15)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable.rules.view import read
from marchtable_models.asl.views.spending_facts import Allowance, Payment


class MP(Allowance):
    """The allowance of a vehicle."""

    mp: int = read(lambda payer: payer.kind.mp * 2, 0)  # half MP

    is_relevant = property(lambda self: self.is_vehicle)


@clause("D2.1a", kind="cost", composes="start")
def printed_mp(facts: MP, sheet: Sheet) -> None:
    """A vehicle's allotment is its printed MP."""
    if facts.is_vehicle:
        sheet.charge(facts.mp, "printed on its counter")


@clause("D2.18", kind="cost", composes="end")
def expend_more(facts: Payment, sheet: Sheet) -> None:
    """A vehicle can spend more than required to enter a hex."""
    if not (facts.extra or facts.rest):
        return
    if not facts.is_vehicle or facts.extra < 0:
        sheet.bar("only a vehicle can spend more than required")
    elif facts.whole or (facts.rest and (facts.left <= 0 or facts.extra)):
        sheet.bar("nothing would be left to spend")
    else:
        sheet.charge(facts.left if facts.rest else facts.extra, "more than it must", "extra")


@clause("D2.1b", kind="cost", composes="flag")
def pay_mp(facts: Payment, sheet: Sheet) -> None:
    """A vehicle spends no more than its allotment."""
    if facts.is_vehicle and not (facts.whole or facts.minimum or facts.shared):
        need, have = facts.cost + facts.extra, facts.allotment - facts.spent
        if need > have:
            sheet.bar("not enough MP left", need, have, halves=True)


@clause("D2.7", kind="cost", composes="end")
def all_entry(facts: Payment, sheet: Sheet) -> None:
    """After an entry for the whole allotment only Start and Stop are left."""
    if not facts.is_vehicle or not facts.whole or facts.minimum:
        return
    if facts.used:
        sheet.bar("the entry takes the whole allotment, and some of it is already spent", facts.allotment,
                  facts.allotment - facts.used, halves=True)  # fmt: skip
    elif facts.spent >= facts.allotment:  # by freeing itself from bog, say (D8.3)
        sheet.bar("nothing is left of the allotment", facts.allotment, 0, halves=True)
    elif (need := facts.cost + facts.extra) > facts.allotment:
        sheet.bar(
            "the cost exceeds the whole allotment: that is a Minimum Move",
            need,
            facts.allotment,
            halves=True,
        )
    else:
        sheet.charge(
            facts.allotment - facts.spent - facts.cost,
            "the rest of the allotment, without the Start cost",
            "all",
        )
    sheet.force("final", "all")


@clause("D2.15", kind="cost", composes="end")
def minimum_move(facts: Payment, sheet: Sheet) -> None:
    """A Minimum Move enters one hex costing more than the printed MP, for all of them."""
    if not facts.is_vehicle or not facts.minimum:
        return
    if facts.cost <= facts.allotment and not facts.backs_for_all:
        sheet.bar(
            "a Minimum Move needs a cost above the printed MP",
            facts.allotment,
            facts.cost,
            halves=True,
        )
    if facts.used:
        sheet.bar("nothing else can be spent in a Minimum Move's MPh", 0, facts.used, halves=True)
    sheet.charge(facts.allotment - facts.spent - facts.cost, "Minimum Move: all it has", "minimum")
    sheet.force("final", "minimum")
