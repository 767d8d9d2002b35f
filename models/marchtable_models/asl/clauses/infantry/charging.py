"""Berserk units: the charge upon the nearest Known enemy (A15.43)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.charging import Charging, Owing
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.verbs.traits import has_trait


@not_modelled("A15.43", lifts=("A4.11b", "A4.134", "A4.134b", "A4.14", "A4.15", "A4.7c"))
def other_doings(facts: Standing) -> bool:
    """What a berserk unit does but entering Locations on foot."""
    if has_trait(facts.verb, "says"):
        return False
    return facts.odd == "berserk" and facts.verb not in ("enter", "advance", "end")


@clause("A15.431a", kind="action")
def never_so(facts: Standing, sheet: Sheet) -> None:
    """A berserk unit neither declares Assault Movement or Double Time nor advances."""
    if facts.odd == "berserk" and (has_trait(facts.verb, "says") or facts.advances):
        sheet.bar("the unit is berserk")


@clause("A15.431b", kind="cost", composes="start")
def berserk_mf(facts: Allowance, sheet: Sheet) -> None:
    """Berserk units have 8 MF, the wounded 3, no leader's bonus."""
    if not facts.berserk or not facts.on_foot:
        return
    if not (facts.smc and facts.wounded):
        sheet.charge(halves("A15.431", "mf") - sheet.total(), "berserk")


@clause("A15.43a", kind="action")
def charges(facts: Charging, sheet: Sheet) -> None:
    """A berserk unit charges the nearest Known enemy that it sees, by a shortest way in MF."""
    if not facts.seen:
        sheet.unsupported("which Known enemies it sees is not known; state it with `sight`")
    elif facts.way == "untold":
        sheet.unsupported("whether another way, by Bypass or past Wire, is shorter")
    elif facts.way == "no":
        sheet.bar("no shortest way in MF to the nearest Known enemy leads there")


def _charges(facts: Owing, sheet: Sheet, says: str) -> None:
    if facts.charges == "yes":
        sheet.bar(says)
    elif facts.charges == "untold":
        sheet.unsupported(
            "whether it can charge a Known enemy, or farther: `sight` tells whom it sees"
        )


@clause("A15.43c", kind="action")
def charges_on(facts: Owing, sheet: Sheet) -> None:
    """A berserk unit charges as far as it can before its MPh ends."""
    if not facts.waits:
        _charges(facts, sheet, "the berserk unit can still charge")


@clause("A15.43d", kind="action", composes="joint")
def charges_first(facts: Owing, sheet: Sheet) -> None:
    """Berserk units charge as the MPh starts, before others move."""
    if facts.waits and sheet.reading("A15.43d") == "first":
        _charges(facts, sheet, "a berserk unit of its side charges first")


@clause("A15.43b", kind="action", composes="joint")
def goes_together(facts: Charging, sheet: Sheet) -> None:
    """Berserk units of one Location go together, but the wounded."""
    if not facts.whole:
        sheet.bar("other berserk units of its Location stay behind")


@clause("A15.431c", kind="capacity")
def leaves_its_load(facts: Charging, sheet: Sheet) -> None:
    """Before it charges it leaves what weighs more than 1 PP, and all above its IPC."""
    ipc = count("A4.42", "smc" if facts.smc else "mmc")
    if facts.single > (most := count("A15.431", "pp")):
        sheet.bar("it carries too heavy an item", most, facts.single, points="PP")
    elif facts.pp > ipc:
        sheet.bar("it carries too much", ipc, facts.pp, points="PP")


@clause("A15.432", kind="effect", composes="end")
def arrives(facts: Charging, sheet: Sheet) -> None:
    """A berserk unit that enters a Known enemy's Location goes no farther."""
    if facts.arrives:
        sheet.force("mph", "done")


@not_modelled("A15.431d")
def meets_hidden(facts: Entry) -> bool:
    """A berserk unit that runs into concealed enemies, whom it reveals and stays among."""
    return facts.manner.berserk and facts.detour is not None
