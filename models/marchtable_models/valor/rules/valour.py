"""Infantry valour (16): how it is gained, and its effect."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Facts, Sheet
from marchtable.rules.subjects import clause, settles
from marchtable.state.position import Obligation, Odds
from marchtable_models.valor.data import TWO_DICE, figure
from marchtable_models.valor.model import ValorPosition
from marchtable_models.valor.rules.assaults import FOE_APFP, Clash
from marchtable_models.valor.rules.combat import APFP, Volley
from marchtable_models.valor.views.units import kind_of, rating, type_of


class Inspired(Facts, frozen=True):
    """An infantry unit after its attack roll: the natural roll, whether it is a leader, its CR and state."""

    roll: int
    leader: bool
    cr: int
    valorous: bool


class Steeled(Facts, frozen=True):
    """The result of a valour check: ``valorous`` or ``no``."""

    outcome: str


@settles("fire")
def attack_facts(position: ValorPosition, _: Obligation, outcome: str) -> Iterator[Case]:
    """Yield the facts of infantry whose attack was rolled."""
    attack = position.conditions.attack
    for unit in map(position.unit, attack.units if attack else ()):
        if kind_of(position, unit) == "infantry":
            leader = type_of(position, unit).class_ == "leader"
            facts = Inspired(int(outcome), leader, rating(position, unit), unit.valorous)
            yield Case((unit.id,), facts)


@settles("valour")
def check_facts(_: ValorPosition, __: Obligation, outcome: str) -> Steeled:
    """Return the check's result."""
    return Steeled(outcome)


@clause("V16.2", kind="odds")
def valour_check(facts: Inspired | Steeled, sheet: Sheet) -> None:
    """Infantry that attacks with a natural 2 makes a valour check: at or under its Casualty Rating, leaders at or under 6."""
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


@clause("V16.3", kind="state")
def valour(facts: Volley | Clash, sheet: Sheet) -> None:
    """A valorous unit's own APFP is one higher, and doubled in close assaults on both sides."""
    if isinstance(facts, Clash):
        more = figure("V16.3", "assault") - 1
        sheet.charge(more * facts.valour, "valour", APFP)
        sheet.charge(more * facts.foe_valour, "their valour", FOE_APFP)
    else:
        sheet.charge(facts.valorous * figure("V16.3", "apfp"), "valour", APFP)
