"""Who makes anti-tank fire at what, and weapons that are used up (12.5, 18.1, 18.2, 19.2, 20.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.attacks import Firing, Piercing, UsedUp

__all__ = ["final_fire", "no_bunkers", "reaches", "used_up", "who_pierces"]


@clause(
    "V18.1",
    "AT fire comes from Guns, AFVs and vehicles with an ATFP, and infantry on foot with a weapon that has one",
    kind="action",
)
def who_pierces(facts: Piercing, sheet: Sheet) -> None:
    if not facts.rated:
        sheet.bar("it has no ATFP, nor a weapon with one")
    if facts.aboard:
        sheet.bar("Passengers make no AT fire")


@clause(
    "V18.2", "Infantry's AT weapons reach as far as is printed, Guns any distance", kind="state"
)
def reaches(facts: Piercing, sheet: Sheet) -> None:
    if facts.kind != "infantry" or not facts.rated:
        return
    if facts.distance > facts.range:
        sheet.bar("the target is out of its weapon's range", facts.range, facts.distance)
    if facts.distance < facts.least:
        sheet.bar("the target is too near for its weapon", facts.least, facts.distance)


@clause("V20.5b", "Who is in a bunker is no target of AT fire", kind="action")
def no_bunkers(facts: Piercing, sheet: Sheet) -> None:
    if facts.sheltered:
        sheet.bar("the target is in a bunker")


@clause("V12.5", "Expendable weapons are gone once they are used", kind="effect")
def used_up(facts: UsedUp, sheet: Sheet) -> None:
    sheet.force("sw", facts.left)


def _no_final_fire(facts: Firing, sheet: Sheet) -> None:
    if facts.final and facts.fired:
        sheet.bar("it has attacked this turn")


@clause(
    "V19.2",
    "Who stood in the hex that an AFV overran may make AT fire at it as it leaves, having fired or not",
    kind="action",
    denied=_no_final_fire,
)
def final_fire(facts: Firing, sheet: Sheet) -> None:
    if facts.final and facts.fired:
        sheet.exception("Final Opportunity Fire")
