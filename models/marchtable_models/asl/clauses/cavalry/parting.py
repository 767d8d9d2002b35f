"""Counters of horses (A13) and motorcycles (D15) that part, and that become one again."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.facts.mounts import Combining, Ridden, Splitting, Yoking

FOR_HALF, FOR_SQUAD = 2, 3
"""How many a counter shows, by whom it is for."""


@clause("A13.32b", kind="effect")
def horses_part(facts: Ridden, sheet: Sheet) -> None:
    """Horses too many for the half squad or SMC that mounts part first: in two, or one leaves them."""
    if facts.horses and facts.becomes:
        sheet.force("type", facts.becomes)


def _one_for_himself(facts: Splitting, sheet: Sheet) -> None:
    if not facts.rides:
        sheet.bar("it rides no counter of horses or motorcycles")
    elif not facts.smc:
        sheet.unsupported("a counter parts in halves as the squad that rides it Deploys (A1.31)")
    elif not facts.large:
        sheet.bar("the counter is for SMC alone: there is nothing to part with")
    elif not facts.becomes:
        sheet.unsupported("there is no unit type for a single one of these")
    elif facts.line:
        sheet.unsupported("it would leave its line")


@clause("A13.32c", kind="action")
def horse_for_one(facts: Splitting, sheet: Sheet) -> None:
    """A SMC who rides with others takes a horse for himself, any time in his MPh."""
    if facts.horses:
        _one_for_himself(facts, sheet)


@clause("D15.44a", kind="action")
def cycle_for_one(facts: Splitting | Ridden, sheet: Sheet) -> None:
    """A SMC takes a motorcycle for himself off a counter for more, any time in the MPh."""
    if facts.horses:
        return
    if isinstance(facts, Ridden):
        if facts.becomes:
            sheet.force("type", facts.becomes)
    else:
        _one_for_himself(facts, sheet)


def _one_of_two(facts: Combining, sheet: Sheet) -> None:
    if not facts.mounts:
        sheet.bar("only horses, or motorcycles, of one side become one counter")
    elif not facts.alike:
        sheet.bar("the two counters are not of one sort")
    elif not facts.together:
        sheet.bar("the two counters are not in one Location")
    elif facts.ridden:
        sheet.unsupported("ridden counters become one as their riders Recombine (A1.32)")
    elif FOR_SQUAD in facts.sizes:
        sheet.bar("no counter is larger than a squad's")
    elif facts.sizes != (FOR_HALF, FOR_HALF):
        sheet.unsupported("how many single ones make a larger counter is not said")
    elif not facts.becomes:
        sheet.unsupported("there is no unit type for a squad's counter of these")
    else:
        sheet.force("type", facts.becomes)


@clause("A13.32d", kind="action")
def combined_horses(facts: Combining, sheet: Sheet) -> None:
    """Two counters of horses for half squads become one, where nobody rides them but men are by."""
    if facts.horses:
        _one_of_two(facts, sheet)
        if facts.mounts and not facts.accompanied:
            sheet.bar("no unbroken unit of their side is with the horses")


@clause("D15.44b", kind="action")
def combined_cycles(facts: Combining, sheet: Sheet) -> None:
    """Two counters of motorcycles for half squads, of one sort, become one where nobody rides them."""
    if not facts.horses:
        _one_of_two(facts, sheet)


@clause("D12.2b", kind="action")
def combined_wagons(facts: Yoking, sheet: Sheet) -> None:
    """Two wagons in a Location that tow nothing are combined, and are two again where they tow nothing."""
    if facts.apart and not facts.yoked:
        sheet.bar("it is one wagon")
    elif not facts.wagons:
        sheet.bar("only two wagons of one side are combined")
    elif not facts.together:
        sheet.bar("the two wagons are not in one Location, out of Bypass")
    elif facts.yoked and not facts.apart:
        sheet.bar("no more than two wagons are combined")
    elif facts.tows:
        sheet.bar("a wagon that tows is neither combined nor parted")
    elif facts.line:
        sheet.unsupported("wagons of a line that are combined, or are two again")
    elif facts.loaded:
        sheet.unsupported("how the load of the second is carried by both")
