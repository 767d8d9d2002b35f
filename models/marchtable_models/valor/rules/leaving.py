"""Leaving the map (6.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from marchtable.rules.facts import Bill, Case, Facts, Sheet, about
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Companions
from marchtable.state.records import replace
from marchtable_models.valor.data import figure
from marchtable_models.valor.model import FACINGS, ValorPosition
from marchtable_models.valor.rules.movement import Travel, stopped
from marchtable_models.valor.views.units import actors, gone, kind_of


class Exit(Travel, frozen=True, tag="exit"):
    """A unit, or several of an edge hex as a stack, leave the map for good, with their loads."""

    units: Companions


class Leaving(Facts, frozen=True):
    """A unit about to leave the map: whether its hex is at the edge, and a vehicle's direction."""

    edge: bool
    way: str


@cases(Exit)
def exit_facts(position: ValorPosition, action: Exit) -> Iterator[Case]:
    """Yield whether each unit on the map is at the edge, and vehicles' directions."""
    for unit in actors(position, action):
        if unit.at is None:
            continue
        way, inner = "", {side for side, _ in position.board.neighbours(unit.at)}
        if kind_of(position, unit) in ("vehicle", "afv") and unit.facing is not None:
            ahead = FACINGS.index(unit.facing)
            behind = (ahead + len(FACINGS) // 2) % len(FACINGS)
            way = "ahead" if ahead not in inner else "aside" if behind in inner else "behind"
        yield about(unit, Leaving(position.board.is_at_edge(unit.at), way))


@clause("V6.10b", kind="cost")
def off_the_map(facts: Leaving, sheet: Sheet) -> None:
    """Units leave the map from its edge and do not return."""
    if not facts.edge:
        sheet.bar("its hex is not at the map's edge")
    if sheet.reading("A29") == "one":
        sheet.charge(2 * figure("V6.10b", "exit"), "off the map")


@effect(Exit)
def after_exit(position: ValorPosition, action: Exit, bills: Sequence[Bill]) -> ValorPosition:
    """Return the position without the units, with all others of their side stopped."""
    side, paid = position.unit(action.units[0]).side, paid_by_unit(bills)
    after = gone(position.with_units(stopped(position, side)), action.units)
    spent = [replace(u, spent=u.spent + paid[u.id]) for u in after.units if u.id in paid]
    return after.with_units(spent)
