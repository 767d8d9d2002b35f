"""Trail Breaks (B13.421): the lanes that fully-tracked AFV leave behind in woods."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.outcomes import CLEARS, MOBILE, BogResult
from marchtable_models.asl.facts.steps import Entry


def _is_through(facts: Entry | BogResult) -> bool:
    return getattr(facts, "outcome", MOBILE) in (MOBILE, CLEARS)


@clause("B13.421a", kind="effect")
def opens_ahead(facts: Entry | BogResult, sheet: Sheet) -> None:
    """A fully-tracked AFV that enters woods off road opens a Trail Break into them."""
    if facts.breaks_in and _is_through(facts):
        sheet.exception("it opens a Trail Break into the woods")


@clause("B13.421b", kind="effect")
def opens_behind(facts: Entry | BogResult, sheet: Sheet) -> None:
    """A fully-tracked AFV that leaves woods off road opens a Trail Break out of them."""
    if facts.breaks_out and _is_through(facts):
        sheet.exception("it opens a Trail Break out of the woods")


@clause("B13.421e", kind="effect")
def closes_behind(facts: Entry | BogResult, sheet: Sheet) -> None:
    """A Trail Break that ends in its hex is gone again once the AFV that opened it leaves by it."""
    if facts.breaks_out and facts.dead_end and _is_through(facts):
        sheet.exception("its Trail Break leads nowhere and is gone")


@clause("B13.421c", kind="cost")
def along_the_trail(facts: Entry, sheet: Sheet) -> None:
    """Along a Trail Break that is free, fully-tracked vehicles enter for half their MP, unchecked."""
    if facts.way == "trail" and facts.mover.is_vehicle:
        share = -(-facts.mover.mp // count("B13.421", "share"))
        sheet.charge(share, "along a Trail Break", "cot")
        sheet.exception("along a Trail Break")


@clause("B13.4212", kind="cost")
def on_foot(facts: Entry, sheet: Sheet) -> None:
    """Along a Trail Break Infantry enters woods for 1.5 MF, Cavalry for 3."""
    if facts.way == "trail" and not facts.mover.is_vehicle:
        figure = "cavalry" if facts.mover.column == "cav" else "infantry"
        sheet.charge(halves("B13.4212", figure), "along a Trail Break", "cot")


@not_modelled("B24.71", lifts=("A4.11b", "A4.134", "B24-stone", "B24-wood", "D2.1b"))
def through_rubble(facts: Entry) -> bool:
    """A Trail Break through rubble, where what was there before it is paid for."""
    return facts.ground.trail and facts.row in ("wooden-rubble", "stone-rubble")


@not_modelled("B13.421")
def untold_trail(facts: Entry) -> bool:
    """A fully-tracked vehicle off road into woods with a Trail Break of which no hexside is told."""
    return facts.mover.column == "ft" and not facts.beaten and "trail-break" in facts.there.counters
