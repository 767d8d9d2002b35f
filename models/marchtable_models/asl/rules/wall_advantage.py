"""Wall Advantage (B9.32): who claims it, when, and how it is lost."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from marchtable.rules.facts import Facts, Sheet
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.rules.view import fact, read
from marchtable.state.action import Action
from marchtable.state.position import UnitId
from marchtable_models.asl.model import AslPosition
from marchtable_models.asl.rules.fortifications import Shelter
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import walls
from marchtable_models.asl.views.entry import Entry


class WallAdvantage(Action, frozen=True, tag="wall-advantage"):
    """A unit, a vehicle too, claims Wall Advantage, or forfeits it. Judged, but never proposed."""

    traits: ClassVar[Traits] = ("says",)

    unit: UnitId
    what: Annotated[Literal["claim", "forfeit"], msgspec.Meta(extra={"domain": "mate"})]


class Walling(Facts, frozen=True, gc=False):
    """A unit about to claim Wall Advantage (WA), or to forfeit it."""

    claims: bool
    walled: bool  # it has it now
    able: bool  # armed and unbroken, or a friend has it; on the ground, and in no line
    bound: bool  # pinned, TI, or an Immobile vehicle
    held: bool  # an enemy is in its Location
    vehicle: bool
    tem: int  # that it has in its hex, walls and hedges apart
    wall: Literal["yes", "no", "untold"]  # one of its level lies along a hexside it may claim from
    rival: Literal["", "told", "must", "concealed"]  # an enemy beyond has WA, or must claim it
    own_turn: bool
    phase: str
    mph: str


@cases(WallAdvantage)
def of_claim(position: AslPosition, action: WallAdvantage) -> Walling:
    """Return the facts of a unit that claims Wall Advantage, or forfeits it."""
    unit, state = position.unit(action.unit), position.unit(action.unit).status
    return Walling(
        claims=action.what == "claim",
        walled=unit.place.wall_advantage,
        able=walls.is_able(position, unit),
        bound=state.pinned or state.ti or unit.motion.immobile or unit.motion.bogged,
        held=walls.is_held(position, unit),
        vehicle=unit.facing is not None,
        tem=walls.hex_tem(position, unit),
        wall=walls.wall(position, unit),
        rival=walls.rival(position, unit),
        own_turn=unit.side == position.side,
        phase=position.phase,
        mph=unit.move.mph,
    )


@clause("B9.32", kind="action")
def who_claims(facts: Walling, sheet: Sheet) -> None:
    """An armed unbroken unit on the ground claims Wall Advantage, in no line, Fortification, vehicle or enemy's Location; a vehicle where it has no TEM."""
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


@clause("B9.32b", kind="action")
def behind_a_wall(facts: Walling, sheet: Sheet) -> None:
    """It is claimed over walls, hedges and bocage of the unit's own level."""
    if facts.claims and facts.wall == "no":
        sheet.bar("no wall or hedge lies along its hexsides")


@not_modelled("B9.32c")
def untold(facts: Walling) -> bool:
    """Wall Advantage on foot in Bypass, towards higher ground, or against concealed units that may be Dummies."""
    return facts.claims and (facts.wall == "untold" or facts.rival == "concealed")


@clause("B9.321", kind="action")
def over_no_enemy(facts: Walling, sheet: Sheet) -> None:
    """Nobody claims it while an enemy beyond one of those hexsides has it, as he has who must claim it."""
    must = facts.rival == "must" and sheet.reading("B9.321") == "has"
    if facts.claims and (facts.rival == "told" or must):
        sheet.bar("an enemy beyond the wall has Wall Advantage")


@clause("B9.322", kind="action")
def bound(facts: Walling, sheet: Sheet) -> None:
    """Who is pinned, TI or Immobile neither claims nor forfeits it."""
    if facts.bound:
        sheet.bar("the unit is pinned, TI or Immobile")


@clause("B9.322b", kind="action")
def when(facts: Walling, sheet: Sheet) -> None:
    """Wall Advantage is claimed in one's own MPh or APh or as a RPh ends; whether enemies have just lost it is unknown."""
    own = facts.own_turn and facts.phase in ("MPh", "APh")
    if not facts.claims or facts.phase == "RPh":
        return
    if facts.phase == "MPh" and own and facts.mph == "done":
        sheet.bar("its MPh is over")
    elif not own:
        sheet.unsupported("whether all enemies have just lost it there is not known")


@clause("B9.323", kind="action")
def must_claim(facts: Walling, sheet: Sheet) -> None:
    """Who has no TEM in his hex does not forfeit it."""
    if not facts.claims and facts.walled and facts.tem <= 0:
        sheet.bar("the unit has no TEM in its hex and must keep it")


@clause("B9.322c", kind="effect")
def changes(facts: Walling, sheet: Sheet) -> None:
    """Who claims it has it, and who forfeits it has not."""
    sheet.force("wall_advantage", value=facts.claims)


class Walled(Entry):
    """An entry by a unit with Wall Advantage."""

    walled: bool = read(lambda step: step.unit.place.wall_advantage)

    @fact
    def keeps_wall(self) -> bool:
        """Whether it goes about in its Location."""
        return self.stays and not self.stairs

    bears = property(lambda self: self.walled)


@clause("B9.41", kind="state")
def left_behind(facts: Walled | Shelter, sheet: Sheet) -> None:
    """Who begins to enter another Location, or goes beneath a Fortification, loses it."""
    if facts.walled and not facts.keeps_wall:
        sheet.force("wall_advantage", value=False)


@effect(WallAdvantage)
def after_claim(position: AslPosition) -> AslPosition:
    """Return the position: whether a unit has Wall Advantage then, its clause forces."""
    return position
