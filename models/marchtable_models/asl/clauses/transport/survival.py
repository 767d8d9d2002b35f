"""What fire does to PRC: as their vehicle is destroyed (D6.9), as they board or leave it."""

from __future__ import annotations

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable.state.position import Odds
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.aboard import Lost, Shot


def _checks(facts: Lost) -> bool:
    return facts.part == "prc" and facts.by not in ("cc", "burning") and not facts.outcome


@clause("D6.9c", kind="odds")
def broken_drm(facts: Lost, sheet: Sheet) -> None:
    """Broken PRC add 1 to their Survival DR, and nothing else is added."""
    if _checks(facts) and facts.broken:
        sheet.charge(2 * count("D6.9c", "broken"), "broken", "drm")
    if _checks(facts) and facts.shaken:
        sheet.unsupported("what Stun or Shock adds to the Survival DR of the inherent crew")


@clause("D6.9a", kind="odds")
def survival(facts: Lost, sheet: Sheet) -> None:
    """Each unit of PRC has a Survival DR, unless its vehicle burns or is destroyed in CC."""
    if facts.part != "prc":
        return
    if _checks(facts):
        if not facts.by or not facts.number:
            missing = "its type's survival number" if facts.by else "how the vehicle was destroyed"
            sheet.unsupported(f"{missing} is not told")
            _off(facts, sheet)
            return
        dies, of = two_dice_at_least(facts.number - sheet.total("drm") // 2 + 1)
        odds = (Odds("survives", of - dies, of), Odds("dies", dies, of))
        sheet.roll("survival", odds, f"CS {facts.number}")
        if facts.own_mph:
            _on_foot(facts, sheet, sheet.reading("D6.9a"))
        return
    _off(facts, sheet)
    if facts.outcome != "survives":
        sheet.force("at", None)
        sheet.force("mph", "done")


def _off(facts: Lost, sheet: Sheet) -> None:
    """Force that a unit is aboard nothing any more."""
    sheet.force("aboard", None)
    sheet.force("inherent", value=False)
    sheet.force("act", "")
    if facts.riding:
        sheet.force("riding", value=False)


def _on_foot(facts: Lost, sheet: Sheet, reading: str) -> None:
    """Force what is left of the MPh to who survives in it; who does not has no use for it."""
    sheet.force("conveyed", value=True)
    sheet.force("road", value=False)
    mph = "moving" if facts.spent and facts.mph == "unmoved" else facts.mph
    sheet.force("mph", "done" if reading == "none" else mph)
    if reading == "quarters" and facts.mp:
        quarters = -(-count("D6.5a", "parts") * facts.used // facts.mp)
        gone = min(quarters * halves("D6.5b", "each"), halves("D6.5f", "most"))
        sheet.force("spent", max(facts.spent, gone))


@clause("A4.62c", kind="state")
def hazard_of_survivors(facts: Lost, sheet: Sheet) -> None:
    """Who survives the loss of its vehicle is under Hazardous Movement."""
    if facts.outcome == "survives" and sheet.reading("A4.62c") == "hazardous":
        sheet.force("hazardous", "survival")


@clause("D6.9b", kind="effect")
def no_bailing_out(facts: Lost, sheet: Sheet) -> None:
    """A Rider who survives has not bailed out."""
    if facts.riding and facts.outcome == "survives":
        sheet.exception("it has not bailed out: no NMC, and its SW are not checked")


@clause("D6.9d", kind="effect")
def sw_lost(facts: Lost, sheet: Sheet) -> None:
    """SW that no surviving PRC possess are lost."""
    gone = facts.by in ("cc", "burning") or facts.outcome == "dies"
    if facts.part == "vehicle" or gone:
        sheet.force("sw", ())


@clause("C10.1d", kind="effect")
def gun_lost(facts: Lost, sheet: Sheet) -> None:
    """A Gun in tow, or being unhooked, is lost with its vehicle."""
    if facts.part == "vehicle":
        sheet.force("towing", None)
    elif facts.part == "gun":
        sheet.force("towed_by", None)
        sheet.force("at", None)


@clause("D6.4j", kind="effect")
def fails_to_board(facts: Shot, sheet: Sheet) -> None:
    """A unit pinned or broken as it boards, or whose vehicle is destroyed, is left on foot."""
    if facts.part == "unit" and facts.act in ("loads", "hooks"):
        sheet.force("aboard", None)
        sheet.force("riding", value=False)
        if facts.destroyed:
            sheet.force("act", "")
            sheet.force("hitch", ())


@clause("D6.5j", kind="effect")
def leaves_all_the_same(facts: Shot, sheet: Sheet) -> None:
    """A unit pinned or broken as it leaves its vehicle has left it."""
    if facts.part == "unit" and facts.act in ("unloads", "alights"):
        sheet.exception("it has left its vehicle all the same")


@clause("D5.43", kind="effect")
def hitch_undone(facts: Shot, sheet: Sheet) -> None:
    """A Gun is neither hooked up nor unhooked by a crew that is pinned, broken or lost meanwhile."""
    if facts.act not in ("hooks", "unhooks") or facts.part == "unit":
        return
    vehicle, gun = facts.hitch
    towed = facts.act == "unhooks"
    if facts.part == "vehicle":
        sheet.force("towing", gun if towed else None)
    else:
        sheet.force("towed_by", vehicle if towed else None)
