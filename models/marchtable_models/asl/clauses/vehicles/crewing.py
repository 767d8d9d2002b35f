"""Crews and Drivers: CE and BU (D5.33), Stun, Recall, Abandoning; freeing a bogged vehicle (D8.3)."""

from __future__ import annotations

from collections import Counter

from marchtable.dice import SIDES, two_dice_at_least
from marchtable.errors import BadInputError
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.position import Odds
from marchtable_models.asl.data import count, ratio, vehicle_tables
from marchtable_models.asl.facts.helping import Assisting
from marchtable_models.asl.facts.units import PhaseStart, Standing
from marchtable_models.asl.facts.vehicles import (
    Freed,
    Freeing,
    HatchChange,
    Stranding,
    Stunning,
)


@clause("D5.33a", kind="action")
def hatch(facts: HatchChange, sheet: Sheet) -> None:
    """A crew buttons up or becomes CE, for nothing, but once a phase."""
    if not facts.afv:
        sheet.bar("only the crew of an AFV buttons up")
    elif facts.bu == facts.to_bu:
        sheet.bar("the crew is so already")
    if facts.hatched:
        sheet.bar("the crew has changed this phase")
    if facts.abandoned and not facts.passengers:
        sheet.bar("nobody is aboard")
    sheet.force("bu", value=facts.to_bu)
    sheet.force("hatched", value=True)


@clause("D5.33c", kind="action")
def hatch_kept(facts: HatchChange, sheet: Sheet) -> None:
    """Once a vehicle, or one of its PRC, has fired, its hatches stay as they are for its MPh."""
    if facts.fired:
        sheet.bar("the vehicle, or one of its PRC, has fired")


@clause("D5.33b", kind="state")
def hatch_ready(facts: PhaseStart, sheet: Sheet) -> None:
    """In another phase the crew may change again."""
    if facts.hatched:
        sheet.force("hatched", value=False)


@clause("D5.34", kind="action")
def stunned(facts: Standing, sheet: Sheet) -> None:
    """A Stunned vehicle does nothing at all."""
    leaves = facts.verb == "leave" and "recalled" in facts.crew  # E11.253
    idle = facts.verb == "end" or facts.move == "stay"  # others of its line may act
    if "stunned" in facts.crew and not idle and not leaves:
        sheet.bar("the vehicle is Stunned")


@clause("D5.34b", kind="effect")
def stun(facts: Stunning, sheet: Sheet) -> None:
    """A Stunned vehicle stops at once, for nothing, and its crew and Passengers are BU."""
    for field in ("moving", "reverse"):
        sheet.force(field, value=False)
    if facts.afv and not facts.carrier:  # D6.84
        sheet.force("bu", value=True)


@clause("D5.34c", kind="state")
def stun_ends(facts: PhaseStart, sheet: Sheet) -> None:
    """Stun lasts until the Player Turn ends; its crew has a +1 from then on."""
    if facts.stunned and facts.new_turn:
        sheet.force("stunned", value=False)
        sheet.force("dazed", value=True)


@clause("D5.342", kind="effect")
def second_stun(facts: Stunning, sheet: Sheet) -> None:
    """A crew that is Stunned a second time is Recalled."""
    if facts.what == "stunned" and facts.dazed:
        sheet.force("recalled", value=True)


@clause("D5.341b", kind="effect")
def recall(facts: Stunning, sheet: Sheet) -> None:
    """Recall is a Stun, too, and the Armor Leader of the vehicle is lost."""
    if facts.what == "recalled" or facts.dazed:
        sheet.force("stunned", value=True)
        if facts.leader:
            sheet.force("armor_leader", value=False)


@clause("D5.341c", kind="action")
def no_speed(facts: Standing, sheet: Sheet) -> None:
    """A Recalled vehicle makes no attempt at Excessive Speed."""
    if "recalled" in facts.crew and facts.verb == "esb":
        sheet.bar("the vehicle is Recalled")


@clause("C7.41", kind="action")
def shocked(facts: Standing, sheet: Sheet) -> None:
    """A Shocked vehicle does nothing at all."""
    if "shocked" in facts.crew and facts.verb != "end" and facts.move != "stay":
        sheet.bar("the vehicle is Shocked")


@clause("D5.41", kind="action")
def abandoned(facts: Standing, sheet: Sheet) -> None:
    """An Abandoned vehicle does nothing at all, but may be left and unhooked from, hatches apart."""
    if "abandoned" in facts.crew and facts.verb not in ("end", "unload", "unhook", "hatch"):
        sheet.bar("the vehicle is Abandoned")


RECALLED = (
    "enter", "minimum", "turn", "start", "load", "hook", "bypass", "along", "into", "leave-road",
    "delay",
)  # fmt: skip


@not_modelled("D5.341")
def recalled(facts: Standing) -> bool:
    """Whether a Recalled vehicle heads off the map as it must."""
    return "recalled" in facts.crew and facts.verb in RECALLED


# -- freeing a bogged vehicle ----------------------------------------------------------------------


HOW = ("freed", "mired", "immobilized")


def _outcomes(times: int, drm: int) -> tuple[Odds, ...]:
    dice = range(1, SIDES + 1)
    found = Counter(
        (_becomes(colored + drm), colored * white * times) for colored in dice for white in dice
    )
    return tuple(
        Odds(f"{how}-{cost}", chance, SIDES * SIDES)
        for (how, cost), chance in sorted(
            found.items(), key=lambda x: (HOW.index(x[0][0]), x[0][1])
        )
    )


def _becomes(colored: int) -> str:
    """Return the new state of a bogged vehicle by its Final colored dr."""
    if colored <= count("D8.3", "frees"):
        return "freed"
    return "immobilized" if colored >= count("D8.3", "immobilizes") else "mired"


def outcome_of(outcome: str) -> tuple[str, int]:
    """Return how a try came out, ``freed``, ``mired`` or ``immobilized``, and the MP it costs."""
    how, _, cost = outcome.partition("-")
    if not cost.isdecimal() or how not in HOW:
        raise BadInputError(
            f"expected an outcome such as freed-4, got {outcome!r}", field="outcome"
        )
    return how, int(cost)


@clause("D8.3a", kind="odds")
def unbog(facts: Freeing, sheet: Sheet) -> None:
    """A bogged vehicle may try to start: colored times white dr in MP, twice that if not tracked."""
    if not facts.bogged:
        sheet.bar("the vehicle is not bogged")
    if facts.tried and sheet.reading("D8.3a") == "once":
        sheet.bar("it has tried this MPh")
    if facts.armor_leader:
        sheet.unsupported("by how much an Armor Leader helps, whose quality is not told")
    tracked = facts.column in vehicle_tables().tracked.columns
    told = {"mired": count("D8.3", "mired")} if facts.mired else {}
    told |= {"assisted": count("D8.3", "assisted")} if facts.helped else {}
    outcomes = _outcomes(1 if tracked else count("D8.3", "not_tracked"), sum(told.values()))
    words = ", ".join(f"{drm:+d} {why}" for why, drm in told.items())
    sheet.roll("unbog", outcomes, f"MP spent; {words}" if words else "MP spent")


@clause("D8.3c", kind="action", composes="joint")
def assists(facts: Assisting, sheet: Sheet) -> None:
    """A Mobile, Stopped AFV there assists: CE, not much lighter, unfired, with all its MP."""
    if not facts.fit:
        sheet.bar("no Mobile, Stopped, CE AFV there that has not fired, and is in no line")
    elif not facts.fresh:
        sheet.bar("it has spent MP, and must spend all of them to assist")
    elif not (facts.tons and facts.bogged_tons):
        sheet.unsupported(
            "whether it is heavy enough to assist: its weight, or the other's, is not told"
        )
    elif facts.tons < (least := ratio("D8.3", "weight") * facts.bogged_tons):
        sheet.bar("it is too light to assist", f"{least:g} tons", f"{facts.tons:g} tons")


@clause("D8.3d", kind="effect")
def tires_both(facts: Assisting | Freeing, sheet: Sheet) -> None:
    """Who assists is TI, its MP spent; so is the vehicle that it assists."""
    if isinstance(facts, Assisting):
        sheet.force("spent", facts.allotment)
        sheet.force("used", facts.allotment)
        sheet.force("mph", "done")
    if isinstance(facts, Assisting) or facts.helped:
        sheet.force("ti", value=True)


@clause("D5.5", kind="odds")
def immobilization_check(facts: Stranding, sheet: Sheet) -> None:
    """A crew that is neither Stunned nor Shocked takes a task check as an attack immobilizes its vehicle."""
    if facts.outcome:
        return
    if facts.part == "untold":
        sheet.exception("its crew is not told as a unit aboard: it is taken to have passed")
    elif facts.leader or not facts.morale:
        sheet.unsupported(
            "the task check of a crew with an Armor Leader, or whose morale is not told"
        )
    else:
        fails, of = two_dice_at_least(facts.morale - facts.drm + 1)
        odds = (Odds("passed", of - fails, of), Odds("failed", fails, of))
        sheet.roll("stranded", odds, f"morale {facts.morale}")


@clause("D5.5b", kind="effect")
def forced_out(facts: Stranding, sheet: Sheet) -> None:
    """A crew that fails it is beneath its vehicle at once, all its MF spent, and that is Abandoned."""
    if facts.outcome != "failed":
        return
    if facts.part == "vehicle":
        sheet.force("abandoned", value=True)
        return
    for field, value in (
        ("aboard", None), ("inherent", False), ("conveyed", True), ("stays", True), ("mph", "done"),
        ("hazardous", "survival"),
    ):  # fmt: skip
        sheet.force(field, value)


@clause("D8.31", kind="effect")
def mired(facts: Freed, sheet: Sheet) -> None:
    """With a colored dr of 5 it is mired, which adds 1 to later ones; with 6 or more immobilized."""
    if facts.how == "mired":
        sheet.force("mired", value=True)
    elif facts.how == "immobilized":
        sheet.force("immobile", value=True)


@clause("D8.3b", kind="effect")
def freed(facts: Freed, sheet: Sheet) -> None:
    """With a colored dr of 4 or less it is free and under way, at worst with all its MP spent."""
    sheet.force("spent", min(facts.allotment, facts.spent + facts.cost))
    if facts.how == "freed":
        sheet.force("bogged", value=False)
        if facts.mired:
            sheet.force("mired", value=False)
        if not facts.assisted:  # then it remains Stopped
            sheet.force("moving", value=True)
    elif facts.reverse:
        sheet.force("reverse", value=False)
