"""Leaving the map (6.10), smoke (11), support weapons handed on (12.4), what anti-tank fire did (18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable.state.position import Odds
from marchtable_models.valor.data import figure
from marchtable_models.valor.facts.errands import Abandoned, Struck

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.assaults import Battered
    from marchtable_models.valor.facts.errands import Handing, Leaving, Smoking
    from marchtable_models.valor.facts.moves import Mobile

__all__ = [
    "abandons",
    "handed_on",
    "immobile",
    "infantry_smoke",
    "leaving",
    "one_smoke",
    "smoke_rounds",
    "struck",
]

DIE = 6


@clause("V6.10b", "Units leave the map from its edge, and do not come back", kind="cost")
def leaving(facts: Leaving, sheet: Sheet) -> None:
    if not facts.edge:
        sheet.bar("its hex is not at the map's edge")
    if sheet.reading("A29") == "one":
        sheet.charge(2 * figure("V6.10b", "exit"), "off the map")


@clause("V11.1", "A hex holds one smoke marker", kind="capacity")
def one_smoke(facts: Smoking, sheet: Sheet) -> None:
    if facts.taken:
        sheet.bar("there is smoke in the hex")


@clause(
    "V11.2",
    "Infantry puts smoke into its own or the next hex, in its Movement Phase before it moves",
    kind="action",
)
def infantry_smoke(facts: Smoking, sheet: Sheet) -> None:
    if facts.round:
        return
    if facts.kind != "infantry":
        sheet.bar("only infantry lays smoke by hand")
    if not facts.own_turn:
        sheet.bar("it is the other side's turn")
    if facts.moved:
        sheet.bar("it has moved")
    if facts.smoked:
        sheet.bar("it has laid smoke in this phase")
    if facts.distance > 1:
        sheet.bar("the hex is not next to its own", 1, facts.distance)


@clause(
    "V11.3",
    "A Gun, an AFV's Gun or a mortar fires a smoke round in its own Fire Phase, in place of an attack",
    kind="action",
)
def smoke_rounds(facts: Smoking, sheet: Sheet) -> None:
    if not facts.round:
        return
    if not facts.own_turn or facts.phase != "Fire":
        sheet.bar("it is not its Fire Phase", "Fire", facts.phase)
    if not facts.armed:
        sheet.bar("it has no Gun or mortar")


@clause(
    "V12.4",
    "Infantry of one hex hands on or exchanges support weapons in its own Command Phase",
    kind="action",
)
def handed_on(facts: Handing, sheet: Sheet) -> None:
    if not facts.own_turn or facts.phase != "Command":
        sheet.bar("it is not its Command Phase", "Command", facts.phase)
    if not facts.foot:
        sheet.bar("only infantry carries support weapons")
    if not facts.together:
        sheet.bar("both must be in one hex")
    if not facts.held:
        sheet.bar("it does not have the weapon")


@clause(
    "V18.4",
    "Anti-tank fire eliminates vehicles, Guns and AFVs, or immobilizes an AFV: it is told, not judged",
    kind="effect",
)
def struck(facts: Struck, sheet: Sheet) -> None:
    if not facts.on_map:
        sheet.bar("it is off the map")
    if facts.kind == "infantry":
        sheet.bar("it has no effect on infantry")
    if facts.result == "immobilized":
        if facts.kind != "afv":
            sheet.bar("only AFVs are immobilized")
        sheet.force("immobile", True)
    sheet.exception("how anti-tank fire fell is not judged")


@clause("V18.6a", "An immobilized AFV neither moves nor turns", kind="action")
def immobile(facts: Mobile, sheet: Sheet) -> None:
    if facts.immobile:
        sheet.bar("it is immobilized")


@clause("V18.6b", "The crew of an immobilized AFV abandons it on 2 or less", kind="odds")
def abandons(facts: Struck | Abandoned | Battered, sheet: Sheet) -> None:
    if isinstance(facts, Abandoned):
        if facts.outcome == "abandoned":
            sheet.force("at", None)
        return
    if isinstance(facts, Struck):
        shaken = facts.result == "immobilized" or (facts.immobile and facts.result == "unharmed")
    elif facts.waits:
        return
    else:  # by an assault that failed: now, before, or by three points
        sure = not facts.outcome and facts.points >= figure("V15.10a", "most")
        shaken = sure or facts.immobile or facts.outcome == "immobilized"
    if shaken:
        most = figure("V18.6b", "abandons")
        odds = (Odds("stays", DIE - most, DIE), Odds("abandoned", most, DIE))
        sheet.roll("abandon", odds, f"one die at or under {most}")
