"""AFV platoons (D14.2 to D14.24), and AFVs without a radio that move alone."""

from __future__ import annotations

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.position import Odds
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.lines import Formation, Leaving
from marchtable_models.asl.facts.platoons import (
    Bereft,
    ComingOn,
    Forming,
    Mates,
    NerveResult,
    Shaken,
    Steadying,
)
from marchtable_models.asl.facts.units import Standing

QUIET = ("end", "form", "hatch", "task-check", "unload")
"""What an AFV without a radio does alone before its task check."""
HALTED = ("delay", "end", "hatch", "stop", "unload")


def _is_size(members: int) -> bool:
    return count("D14.2", "least") <= members <= count("D14.2", "most")


def odds_of_nerve(morale: int, drm: int, passed: str, failed: str) -> tuple[Odds, ...]:
    """Return the odds of a task check on two dice: it is passed by no more than the morale, if that is known."""
    if not morale:  # how it came out is told all the same
        return (Odds(passed, 1, 1), Odds(failed, 1, 1))
    morale -= drm
    fails, of = two_dice_at_least(morale + 1)
    return (Odds(passed, of - fails, of), Odds(failed, fails, of))


@clause("D14.2a", kind="action", composes="joint")
def platoon_size(facts: Formation, sheet: Sheet) -> None:
    """A platoon is two or three AFVs."""
    if facts.kind != "platoon":
        return
    if facts.misfits or not _is_size(facts.members):
        sheet.bar("a platoon is two or three AFVs", have=facts.members)


@clause("D14.2b", kind="action", composes="joint")
def forming(facts: Forming, sheet: Sheet) -> None:
    """AFVs form a platoon as their MPh begins, one by one."""
    if not facts.fit:
        sheet.bar("mobile AFVs of one side that are in no Convoy form a platoon, each but one")
    if not facts.fresh:
        sheet.bar("the MPh of one of them has begun")
    if not _is_size(facts.members):
        sheet.bar("a platoon is two or three AFVs", have=facts.members)


@clause("D14.21a", kind="action", composes="joint")
def adjacent(facts: Mates, sheet: Sheet) -> None:
    """As an Impulse ends every AFV of a platoon is with or adjacent to another; after a loss that parts two, once one of them enters a new hex."""
    if not facts.near and not facts.waits:
        sheet.bar("no platoon-mate is adjacent")


@clause("D14.21b", kind="action", composes="joint")
def in_sight(facts: Mates, sheet: Sheet) -> None:
    """As an Impulse ends every AFV of a platoon sees such a mate."""
    if not facts.near or facts.los == "yes":
        return
    if facts.los == "unsure":
        sheet.unsupported("whether it sees an adjacent platoon-mate; state it with `sight`")
    elif facts.los == "no" or sheet.reading("D14.21b") == "told":
        sheet.bar("it does not see an adjacent platoon-mate, or is not stated to")


@clause("D14.21c", kind="action", composes="joint")
def alike(facts: Mates, sheet: Sheet) -> None:
    """As an Impulse ends a platoon's AFVs are all stopped, or all under way in one direction."""
    alike = facts.alike
    if alike and not facts.all_alike:
        alike = sheet.reading("D14.21c") == "those-that-can"
    if not alike:
        sheet.bar("some of the platoon are stopped and some not, or some in Reverse")


@clause("D14.21d", kind="action")
def no_haste(facts: Standing, sheet: Sheet) -> None:
    """A platoon makes no Minimum Move and uses no Excessive Speed."""
    if facts.line == "platoon" and facts.verb in ("minimum", "esb"):
        sheet.bar("a platoon makes no Minimum Move and uses no Excessive Speed")


@not_modelled("D14.21e")
def shared_check(facts: Shaken) -> bool:
    """The one Bog Check, or Reliability DR, of several AFVs of a platoon, with Random Selection."""
    return facts.checks > 1


@clause("D14.22a", kind="effect")
def lost(facts: Bereft | Formation, sheet: Sheet) -> None:
    """An AFV is no longer in its platoon once it leaves, is lost, is Recalled or is not Mobile."""
    if isinstance(facts, Formation):
        if facts.kind == "platoon" and facts.lost:
            sheet.bar(
                f"{', '.join(facts.lost)}: an AFV that is not Mobile, or is Recalled, is in no platoon;"
                " remove its `platoon`"
            )
    elif facts.lost:
        sheet.force("platoon", "")


@clause("D14.22b", kind="effect")
def alone(facts: Bereft, sheet: Sheet) -> None:
    """The last AFV of a platoon is in none, and free for what remains of the MPh."""
    if facts.alone:
        sheet.force("platoon", "")


@clause("D14.22c", kind="effect")
def apart(facts: Bereft, sheet: Sheet) -> None:
    """Two AFVs that a loss has parted are in no platoon if they do not meet in that MPh."""
    if facts.apart:
        sheet.force("platoon", "")


@clause("D14.22d", kind="action")
def recalled(facts: Leaving | Standing, sheet: Sheet) -> None:
    """A Recalled AFV is treated as one with a radio."""
    if isinstance(facts, Leaving):
        is_recalled = facts.recalled and facts.radioless
    else:
        is_recalled = "recalled" in facts.crew and facts.nerve != ""
    if is_recalled:
        sheet.exception("a Recalled AFV is treated as one with a radio")


@clause("D14.23a", kind="action")
def needs_check(facts: Standing, sheet: Sheet) -> None:
    """An AFV without a radio that is in no platoon moves only after a task check; as it comes on, without."""
    if facts.nerve == "due" and facts.verb not in QUIET and not sheet.excepted("D14.22d"):
        sheet.bar(
            "an AFV without a radio moves alone: `task-check` comes first, or its `check` is told"
        )


@clause("D14.212", kind="action", composes="joint")
def comes_on_in_platoon(facts: ComingOn, sheet: Sheet) -> None:
    """An AFV without a radio comes on in a platoon if another waits beside it off the map."""
    if facts.mate:
        sheet.bar("another AFV without a radio waits beside it: `form` a platoon with it first")


@clause("D14.23b", kind="odds")
def task_check(facts: Steadying, sheet: Sheet) -> None:
    """An AFV without a radio takes a task check against its morale as its MPh begins."""
    if not facts.radioless:
        sheet.bar("only an AFV without a radio takes this task check")
    elif not facts.fresh:
        sheet.bar("it is taken once, on the map, as the MPh begins")
    else:
        odds = odds_of_nerve(facts.morale, facts.drm, "passed", "failed")
        sheet.roll("task-check", odds, f"morale {facts.morale or 'not told'}")


@clause("D14.23c", kind="effect")
def settled(facts: NerveResult, sheet: Sheet) -> None:
    """Whatever comes of the task check is so for this MPh."""
    sheet.force("check", facts.outcome)


@clause("D14.23d", kind="action")
def halts(facts: Standing, sheet: Sheet) -> None:
    """An AFV that failed it stops and spends its MPh on Delay; its PRC may unload."""
    if facts.nerve in ("failed", "moving") and facts.verb not in HALTED:
        sheet.bar("the AFV has failed its task check: it stops and waits")
    if facts.nerve == "moving" and facts.verb in ("delay", "end"):
        sheet.bar("the AFV has failed its task check and has still to stop")


@clause("D14.24", kind="action")
def by_radio(facts: Leaving, sheet: Sheet) -> None:
    """An AFV with a radio leaves its platoon freely as its MPh begins."""
    if facts.platoon and not (facts.convoy or facts.radioless or facts.begun):
        sheet.exception("an AFV with a radio leaves its platoon")
