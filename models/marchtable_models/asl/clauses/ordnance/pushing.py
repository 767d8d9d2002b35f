"""Manhandling: Guns pushed by their crews (C10.3)."""

from __future__ import annotations

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.position import Odds
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.pushing import Pushed, Pushing
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing

BUILT = (
    "wooden-building", "stone-building", "lumberyard", "wooden-rubble", "stone-rubble", "factory",
)  # fmt: skip
HAZARD = "push-gun"


@clause("C10.3", kind="action")
def pushes(facts: Pushing, sheet: Sheet) -> None:
    """A limbered or QSU Gun is pushed by a crew in Good Order or more that carries nothing."""
    if not (facts.gun and facts.together):
        sheet.bar("it is no Gun of theirs, in their Location and neither in tow nor TI")
    elif not facts.ready:
        sheet.bar("the Gun is not limbered")
    if not facts.fit:
        sheet.bar(
            "those who push are on foot, in Good Order, in no Bypass and by no Assault Movement"
        )
    elif facts.half_squads < facts.needed:
        sheet.bar("a crew, a half squad or more pushes a Gun; motorcycles, who could ride them")
    elif facts.beneath:
        sheet.bar("no Gun is pushed from beneath a Fortification, nor upstairs")
    if facts.pp:
        sheet.bar("who pushes a Gun carries nothing", 0, facts.pp, points="PP")


@clause("C10.3b", kind="cost")
def double_cost(facts: Entry, sheet: Sheet) -> None:
    """Pushing a Gun costs twice the MF."""
    if facts.pushes:
        twice = sheet.total() - sheet.total("weather")  # added last (E3.9)
        sheet.charge(twice, "pushing a Gun", "push")


@clause("C10.3c", kind="state", composes="flag")
def no_bonus(facts: Entry, sheet: Sheet) -> None:
    """Who pushes a Gun has no road bonus."""
    if facts.pushes and facts.road:
        sheet.force("road", value=False)


@clause("C10.3d", kind="action")
def where_to(facts: Pushing, sheet: Sheet) -> None:
    """No Gun is pushed into a deep stream, nor where water is forded."""
    if facts.row in ("stream-deep", "water"):
        sheet.bar("no Gun is pushed there")


@not_modelled("B23.423")
def untold(facts: Pushing) -> bool:
    """A Gun pushed into a building or rubble, whose size is not told, past concealed enemies, or of unknown M#."""
    return facts.gun and (
        (facts.row in BUILT and not facts.small) or facts.concealed or facts.m_number is None
    )


@clause("C10.3a", kind="odds")
def manhandling(facts: Pushing, sheet: Sheet) -> None:
    """Each hex calls for a Manhandling DR: above the M# the Gun stays, at it it goes no farther."""
    drm = {"TEM": facts.tem, "MF": -(-facts.cost // 2), "Labor": -facts.labor}
    hands = 1 if facts.whole else max(facts.half_squads - 1, facts.helpers)
    drm["more hands"] = -min(hands, count("C10.3", "most_hands"))
    if facts.mired:
        drm["Mud or Deep Snow"] = count("C10.3", "mud")
    elif facts.road:
        drm["road"] = count("C10.3", "road")
    limit = (facts.m_number or 0) - sum(drm.values())
    (above, of), (at_least, _) = two_dice_at_least(limit + 1), two_dice_at_least(limit)
    odds = (
        Odds("goes", of - at_least, of),
        Odds("stops", at_least - above, of),
        Odds("fails", above, of),
    )
    words = ", ".join(f"{value:+d} {what}" for what, value in drm.items() if value)
    sheet.roll("push", odds, f"M#{facts.m_number}; {words}")


@clause("C10.3e", kind="action", composes="flag")
def then_nothing_else(facts: Standing, sheet: Sheet) -> None:
    """Who has pushed a Gun is TI: he pushes it on, hooks it up, or does no more."""
    if facts.pushing and facts.verb not in ("push", "hook", "end"):
        sheet.bar("the unit has pushed a Gun in this MPh")


@clause("C10.3f", kind="effect")
def left_behind(facts: Pushed, sheet: Sheet) -> None:
    """A Gun that is not moved stays with those who push it; so ends their MPh."""
    if facts.outcome == "goes":
        return
    sheet.force("mph", "done")
    if facts.outcome == "fails" and facts.previous is not None:
        sheet.force("at", facts.previous)
