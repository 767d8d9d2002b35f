"""Squad-equivalents (A5.1, A5.5): how many stand above a limit, and what is left of a squad (A7.302)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.state.position import Odds
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.steps import Crowd


def excess_squads(*crowds: Crowd, most: int | None = None) -> int:
    """Return the squad-equivalents above a limit, that of a Location (A5.11), a part counting whole."""
    half_squads = smc = 0
    for crowd in crowds:
        half_squads += crowd.squads * count("A5.5", "squad")
        half_squads += crowd.half_squads * count("A5.5", "half_squad")
        manning = min(crowd.crews, crowd.guns)  # a crew with its Gun counts as a squad
        half_squads += (crowd.crews - manning) * count("A5.5", "crew")
        half_squads += manning * count("A5.5", "manned_gun")
        smc += crowd.smc
    if smc > count("A5.1", "smc"):
        half_squads += smc // count("A5.5", "smc_for_one")
    limit = count("A5.1", "half_squads") if most is None else most * count("A5.5", "squad")
    return max(0, -(-(half_squads - limit) // count("A5.5", "squad")))


def halved(types: tuple[str, ...], sheet: Sheet) -> None:
    """Ask which of these types of half squad is left of a squad; UNSUPPORTED where there are none."""
    if types:
        sheet.roll("half-squad", tuple(Odds(name, 1, 1) for name in types), "that of its Class")
    else:
        sheet.unsupported("which half squad is left: no type here is one of its nationality")
