"""Wall Advantage (B9.32): who claims it, when, and how it is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.foot import Shelter
    from marchtable_models.asl.facts.steps import Entry
    from marchtable_models.asl.facts.walls import Walling

__all__ = [
    "behind_a_wall", "bound", "changes", "left_behind", "must_claim", "over_no_enemy", "untold", "when", "who_claims",
]  # fmt: skip


@clause(
    "B9.32",
    "An armed unbroken unit on the ground claims Wall Advantage, in no line, Fortification, vehicle or enemy's "
    "Location; a vehicle where it has no TEM",
    kind="action",
)
def who_claims(facts: Walling, sheet: Sheet) -> None:
    if not facts.claims:
        if not facts.walled:
            sheet.bar("the unit has no Wall Advantage")
    elif facts.walled:
        sheet.bar("the unit has it already")
    elif not facts.able:
        sheet.bar("only armed unbroken units on the ground claim it, in no line and no vehicle")
    elif facts.held:
        sheet.bar("an enemy is in its Location")
    elif facts.vehicle and facts.tem > 0:
        sheet.bar("a vehicle claims none where it has a TEM in its hex")


@clause(
    "B9.32b", "It is claimed over walls, hedges and bocage of the unit's own level", kind="action"
)
def behind_a_wall(facts: Walling, sheet: Sheet) -> None:
    if facts.claims and facts.wall == "no":
        sheet.bar("no wall or hedge lies along its hexsides")


untold = unsupported(
    "B9.32c",
    "Wall Advantage on foot in Bypass, towards higher ground, or against concealed units that may be Dummies",
    lambda facts: facts.claims and (facts.wall == "untold" or facts.rival == "concealed"),
)


@clause(
    "B9.321",
    "Nobody claims it while an enemy beyond one of those hexsides has it, as he has who must claim it",
    kind="action",
)
def over_no_enemy(facts: Walling, sheet: Sheet) -> None:
    must = facts.rival == "must" and sheet.reading("B9.321") == "has"
    if facts.claims and (facts.rival == "told" or must):
        sheet.bar("an enemy beyond the wall has Wall Advantage")


@clause("B9.322", "Who is pinned, TI or Immobile neither claims nor forfeits it", kind="action")
def bound(facts: Walling, sheet: Sheet) -> None:
    if facts.bound:
        sheet.bar("the unit is pinned, TI or Immobile")


@clause(
    "B9.322b",
    "It is claimed in one's own MPh or APh or as a RPh ends; otherwise as enemies lose it, which is not told",
    kind="action",
)
def when(facts: Walling, sheet: Sheet) -> None:
    own = facts.own_turn and facts.phase in ("MPh", "APh")
    if not facts.claims or facts.phase == "RPh":
        return
    if facts.phase == "MPh" and own and facts.mph == "done":
        sheet.bar("its MPh is over")
    elif not own:
        sheet.unsupported("whether all enemies have just lost it there is not told")


@clause("B9.323", "Who has no TEM in his hex does not forfeit it", kind="action")
def must_claim(facts: Walling, sheet: Sheet) -> None:
    if not facts.claims and facts.walled and facts.tem <= 0:
        sheet.bar("the unit has no TEM in its hex and must keep it")


@clause("B9.322c", "Who claims it has it, and who forfeits it has not", kind="effect")
def changes(facts: Walling, sheet: Sheet) -> None:
    sheet.force("wall_advantage", value=facts.claims)


@clause(
    "B9.41",
    "Who begins to enter another Location, or goes beneath a Fortification, loses it",
    kind="state",
)
def left_behind(facts: Entry | Shelter, sheet: Sheet) -> None:
    if facts.walled and not facts.keeps_wall:
        sheet.force("wall_advantage", value=False)
