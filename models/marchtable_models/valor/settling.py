"""Which facts bear on how a roll came out, by what was rolled for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.rulebook import Case
from marchtable_models.valor.clauses.assaults import SUCCESS
from marchtable_models.valor.extraction import fights, gunnery, reading, stacks
from marchtable_models.valor.facts.assaults import Battered, Taking
from marchtable_models.valor.facts.attacks import Steeled
from marchtable_models.valor.facts.errands import Abandoned
from marchtable_models.valor.facts.losses import Carried, Recovery
from marchtable_models.valor.facts.moves import Blast

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable.state.position import Obligation
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import Storm, ValorUnit

__all__ = ["carried", "cases_of"]

LOST = {"abandon": "abandoned", "mines": "eliminated", "mines-beyond": "eliminated"}
"""By roll, the outcome by which a vehicle is lost with whom it carries."""
OF_UNIT = {
    "abandon": Abandoned,
    "immobilize": Battered,
    "mines": Blast,
    "mines-beyond": Blast,
    "rally": Recovery,
    "valour": Steeled,
}


def cases_of(
    position: ValorPosition, obligation: Obligation, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of how a roll came out for who made it."""
    unit, name = position.unit(obligation.unit), obligation.id.partition(":")[0]
    hexes = (unit.at,) if unit.at else ()
    if name == "fire":
        return _rolled(position, int(outcome))
    if name == "assault" and position.conditions.storm is not None:
        return _stormed(position, position.conditions.storm, int(outcome), edition)
    if name == "survival":
        found = [Case((unit.id,), stacks.outcome(position, unit, outcome), hexes)]
        return found + carried(
            position, unit, "survived" if outcome == "survives" else "eliminated"
        )
    if name not in OF_UNIT:
        return []
    found = [Case((unit.id,), OF_UNIT[name](outcome), hexes)]
    if name == "rally":
        return found + carried(position, unit, outcome)
    return found + (carried(position, unit, "eliminated") if LOST.get(name) == outcome else [])


def _rolled(position: ValorPosition, roll: int) -> list[Case]:
    """Return the infantry whose attack was rolled."""
    attack = position.conditions.attack
    units = [position.unit(name) for name in attack.units] if attack else []
    return [
        Case((unit.id,), gunnery.inspired(position, unit, roll))
        for unit in units
        if reading.kind_of(position, unit) == "infantry"
    ]


def _stormed(position: ValorPosition, storm: Storm, roll: int, edition: Edition) -> list[Case]:
    """Return the AFVs that an assault has failed against, or who has come into mines by it."""
    where = (storm.target,)
    found = edition.judge(fights.fell(storm, roll))
    if not any(charge.amount for charge in found.charges if charge.part == SUCCESS):
        return [Case((u.id,), facts, where) for u, facts in fights.battered(position, storm)]
    mined = "minefield" in position.markers.get(storm.target, ())
    into = fights.takers(position, storm.units, storm.target) if mined else ()
    return [Case((name,), Taking(), where) for name in into]


def carried(position: ValorPosition, unit: ValorUnit, fate: str) -> list[Case]:
    """Return those whom a unit carries, with what befell it."""
    hexes = (unit.at,) if unit.at else ()
    return [Case((other.id,), Carried(fate), hexes) for other in reading.cargo(position, unit)]
