"""Infantry valour (chapter 16): how it is won, and what it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable.state.position import Odds
from marchtable_models.valor.clauses.combat import APFP, TWO_DICE
from marchtable_models.valor.data import figure
from marchtable_models.valor.facts.assaults import Clash
from marchtable_models.valor.facts.attacks import Steeled

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.attacks import Inspired, Volley

__all__ = ["FOE_APFP", "valour", "valour_check"]

FOE_APFP = "foe-apfp"


@clause(
    "V16.2",
    "Infantry that attacks with a natural 2 becomes valorous by a roll: at or under its Casualty Rating, "
    "leaders at or under 6",
    kind="odds",
)
def valour_check(facts: Inspired | Steeled, sheet: Sheet) -> None:
    if isinstance(facts, Steeled):
        if facts.outcome == "valorous":
            sheet.force("valorous", True)
        return
    if facts.roll != figure("V16.2", "natural") or facts.valorous:
        return
    most = figure("V16.2", "leader") if facts.leader else facts.cr
    ways, every = sum(n for sum_, n in TWO_DICE.items() if sum_ <= most), sum(TWO_DICE.values())
    found = (Odds("no", every - ways, every), Odds("valorous", ways, every))
    sheet.roll("valour", found, f"two dice at or under {most}")


@clause(
    "V16.3",
    "A valorous unit's own APFP is one higher, and doubled in close assaults on either side",
    kind="state",
)
def valour(facts: Volley | Clash, sheet: Sheet) -> None:
    if isinstance(facts, Clash):
        more = figure("V16.3", "assault") - 1
        sheet.charge(more * facts.valour, "valour", APFP)
        sheet.charge(more * facts.foe_valour, "their valour", FOE_APFP)
    else:
        sheet.charge(facts.valorous * figure("V16.3", "apfp"), "valour", APFP)
