"""AFVs that defeat a close assault (15.10)."""

from __future__ import annotations

from marchtable.rules.facts import Facts, Sheet
from marchtable.rules.subjects import clause, settles
from marchtable.state.position import Obligation, Odds
from marchtable_models.valor.data import DIE, figure
from marchtable_models.valor.model import ValorPosition
from marchtable_models.valor.rules.casualties import Loss

ARMOUR = "armour"


class Battered(Facts, frozen=True):
    """An AFV that has defeated an assault, or its immobilization roll."""

    outcome: str = ""  # of the roll; ``""`` before it
    points: int = 0  # points that the defenders suffer
    immobile: bool = False  # already immobilized
    waits: bool = (
        False  # its owner has yet to choose: it carries Passengers, or another AFV defends
    )
    taken: int | None = None  # the points the owner assigns to it; None if as many as it can take


@settles("immobilize")
def roll_facts(_: ValorPosition, __: Obligation, outcome: str) -> Battered:
    """Return the result of the immobilization roll."""
    return Battered(outcome)


@clause("V15.10a", kind="odds")
def batters_afv(facts: Battered, sheet: Sheet) -> None:
    """A failed assault's points go to the defending AFV, up to three: a die at or under them immobilizes it, three without a roll."""
    most = figure("V15.10a", "most")
    if facts.outcome:
        if facts.outcome == "immobilized":
            sheet.force("immobile", True)
        return
    if facts.waits:
        return
    points = min(most, facts.points)
    if facts.taken is not None and facts.taken != points:
        sheet.bar("it takes three points, or all that are left", points, facts.taken)
    sheet.charge(points, "defending AFV", ARMOUR)
    if facts.immobile:
        return
    if points == most:
        sheet.force("immobile", True)
    else:
        odds = (Odds("unharmed", DIE - points, DIE), Odds("immobilized", points, DIE))
        sheet.roll("immobilize", odds, f"one die at or under {points}")


@clause("V15.10b", kind="action")
def battered_crowd(facts: Loss, sheet: Sheet) -> None:
    """Passengers of that AFV can be reduced or eliminated before it takes its points, other units of the hex after."""
    if facts.battering == "behind":
        sheet.bar("the AFV takes its points first")
