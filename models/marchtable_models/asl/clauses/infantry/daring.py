"""The task checks before an Infantry OVR and before an Advance upon an AFV (A4.15, A11.6)."""

from __future__ import annotations

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.position import Odds
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.daring import Dared, Daring
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing

PASSED, FAILED = "passed", "failed"


@clause("A4.15c", kind="action")
def who_dares(facts: Daring, sheet: Sheet) -> None:
    """A task check is taken by a MMC against a lone Known SMC, a leader for all with him, and in the APh against a manned AFV."""
    if not facts.fit:
        sheet.bar(
            "only MMC on foot in Good Order take this check, for an Infantry OVR SMC with them"
        )
    elif not facts.alone:
        sheet.bar("without a leader, and in the APh, each takes its own check")
    elif not facts.whom:
        sheet.bar("no lone Known SMC is there, nor in the APh a Known AFV with its crew")
    elif facts.dared:
        sheet.bar("the unit has passed that check")


@not_modelled("A4.15d")
def morale_untold(facts: Daring) -> bool:
    """A task check of Infantry of which its type tells no morale."""
    return facts.fit and facts.takes and not facts.morale


@clause("A4.15e", kind="odds")
def check(facts: Daring, sheet: Sheet) -> None:
    """It passes by a DR of no more than its morale, with what leaders, TEM and Hindrances add; Inexperienced against an AFV add 1."""
    if not (facts.takes and facts.morale):
        return
    raw = count("A11.6", "inexperienced") if facts.inexperienced and facts.whom == "afv" else 0
    fails, of = two_dice_at_least(max(1, facts.morale - facts.told - raw) + 1)
    odds = (Odds(PASSED, of - fails, of), Odds(FAILED, fails, of))
    sheet.roll("dare", tuple(one for one in odds if one.chance), f"morale {facts.morale}")


@clause("A4.15f", kind="effect", composes="end")
def fails(facts: Dared, sheet: Sheet) -> None:
    """Who fails it does no more in its MPh; in the APh it is pinned."""
    if facts.outcome != FAILED:
        return
    sheet.force("dared", None)
    if facts.advancing:
        sheet.force("pinned", value=True)
    else:
        sheet.force("mph", "done")


@clause("A11.6b", kind="action")
def advances_there(facts: Entry, sheet: Sheet) -> None:
    """Who has passed it in the APh advances there, nowhere else."""
    if facts.manner.advancing and facts.manner.elsewhere:
        sheet.bar("the unit has passed a task check to advance elsewhere")


@clause("A4.152", kind="action", composes="end")
def close_combat_first(facts: Standing, sheet: Sheet) -> None:
    """Who has entered by an Infantry OVR goes on only once the SMC is gone."""
    if facts.overruns and facts.verb != "end":
        sheet.bar("the SMC is still there: CC comes first")
