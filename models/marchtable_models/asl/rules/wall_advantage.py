"""Wall Advantage (B9.32): claiming, forfeiting and losing it."""

from __future__ import annotations

from typing import ClassVar, Literal

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
    """A unit, even a vehicle, claims or forfeits Wall Advantage."""

    unlisted: ClassVar[str] = "it affects fire, and movement only of enemies across the wall"
    traits: ClassVar[Traits] = ("says",)

    unit: UnitId
    what: Literal["claim", "forfeit"]


class Walling(Facts, frozen=True, gc=False):
    """A unit about to claim or forfeit Wall Advantage (WA)."""

    claims: bool
    walled: bool  # it has it now
    able: bool  # armed and unbroken, or a friend has it; on the ground, in no line
    bound: bool  # pinned, TI, or an Immobile vehicle
    held: bool  # an enemy is in its Location
    vehicle: bool
    tem: int  # TEM of its hex, apart from walls and hedges
    wall: Literal[
        "yes", "no", "unstated"
    ]  # its level includes one along a hexside it can claim from
    rival: Literal["", "stated", "must", "concealed"]  # an enemy across has WA, or must claim it
    own_turn: bool
    phase: str
    mph: str


@cases(WallAdvantage)
def claim_facts(position: AslPosition, action: WallAdvantage) -> Walling:
    """Return the facts of a unit that claims or forfeits Wall Advantage."""
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
    """An armed unbroken unit on the ground claims Wall Advantage, in no line, Fortification, vehicle or enemy's Location; a vehicle only without TEM."""
    if not facts.claims:
        if not facts.walled:
            sheet.bar("the unit has no Wall Advantage")
    elif facts.walled:
        sheet.bar("the unit has it already")
    elif not facts.able:
        sheet.bar("only armed unbroken units on the ground, in no line or vehicle, can claim it")
    elif facts.held:
        sheet.bar("an enemy is in its Location")
    elif facts.vehicle and facts.tem > 0:
        sheet.bar("a vehicle with a TEM in its hex cannot claim it")


@clause("B9.32b", kind="action")
def behind_a_wall(facts: Walling, sheet: Sheet) -> None:
    """Wall Advantage is claimed over walls, hedges and bocage at the unit's own level."""
    if facts.claims and facts.wall == "no":
        sheet.bar("no wall or hedge lies along its hexsides")


@not_modelled("B9.32c")
def unstated(facts: Walling) -> bool:
    """Wall Advantage in Bypass on foot, towards higher ground, or against possible Dummies."""
    return facts.claims and (facts.wall == "unstated" or facts.rival == "concealed")


@clause("B9.321", kind="action")
def over_no_enemy(facts: Walling, sheet: Sheet) -> None:
    """A unit cannot claim Wall Advantage if an enemy across such a hexside has it or must claim it."""
    must = facts.rival == "must" and sheet.reading("B9.321") == "has"
    if facts.claims and (facts.rival == "stated" or must):
        sheet.bar("an enemy beyond the wall has Wall Advantage")


@clause("B9.322", kind="action")
def bound(facts: Walling, sheet: Sheet) -> None:
    """A unit that is pinned, TI or Immobile cannot claim or forfeit it."""
    if facts.bound:
        sheet.bar("the unit is pinned, TI or Immobile")


@clause("B9.322b", kind="action")
def when(facts: Walling, sheet: Sheet) -> None:
    """Wall Advantage is claimed in the unit's own MPh or APh, or as a RPh ends; whether enemies have just lost it is unknown."""
    own = facts.own_turn and facts.phase in ("MPh", "APh")
    if not facts.claims or facts.phase == "RPh":
        return
    if facts.phase == "MPh" and own and facts.mph == "done":
        sheet.bar("its MPh is over")
    elif not own:
        sheet.unsupported("whether all enemies have just lost it there is not known")


@clause("B9.323", kind="action")
def must_claim(facts: Walling, sheet: Sheet) -> None:
    """A unit without TEM in its hex cannot forfeit Wall Advantage."""
    if not facts.claims and facts.walled and facts.tem <= 0:
        sheet.bar("the unit has no TEM in its hex and must keep it")


@clause("B9.322c", kind="effect")
def changes(facts: Walling, sheet: Sheet) -> None:
    """A unit that claims Wall Advantage has it; one that forfeits it does not."""
    sheet.force("wall_advantage", value=facts.claims)


class Walled(Entry):
    """An entry by a unit with Wall Advantage."""

    walled: bool = read("unit.place.wall_advantage")

    @fact
    def keeps_wall(self) -> bool:
        """Whether it moves within its Location."""
        return self.stays and not self.stairs

    is_relevant = property(lambda self: self.walled)


@clause("B9.41", kind="state")
def left_behind(facts: Walled | Shelter, sheet: Sheet) -> None:
    """A unit that starts to leave its Location, or goes beneath a Fortification, loses Wall Advantage."""
    if facts.walled and not facts.keeps_wall:
        sheet.force("wall_advantage", value=False)


@effect(WallAdvantage)
def after_claim(position: AslPosition) -> AslPosition:
    """Return the position unchanged: a clause applies Wall Advantage."""
    return position
