"""Clauses on moving: who may, what a hex costs, and what it is paid from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.panzer.data import halves
from marchtable_models.panzer.facts.steps import Mobile, Step

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.panzer.facts.steps import Allowance, Leaving, Payment, Sequence
    from marchtable_models.panzer.model import TerrainRow

__all__ = [
    "added_terrain", "adjacent", "chart", "coming_on", "concealed", "concealing", "enemies", "leaving", "movement_factor", "one_hex", "pay",
    "sequence", "uncharted", "vehicles_first", "who_moves",
]  # fmt: skip


@clause(
    "PB.move", "Units with a movement factor move in their side's movement phase", kind="action"
)
def who_moves(facts: Mobile, sheet: Sheet) -> None:
    if not facts.own_phase:
        sheet.bar("it is not its side's movement phase")
    if not facts.on_map and not facts.waits:
        sheet.bar("it is not on the map")
    if not facts.has_mf:
        sheet.bar("it has no movement factor")
    if facts.fired and sheet.reading("PB.move-fired") == "barred":
        sheet.bar("it has fired this turn")


@clause("PB.order", "Vehicles move before units on foot", kind="action")
def vehicles_first(facts: Mobile, sheet: Sheet) -> None:
    if facts.late and sheet.reading("PB.order-foot") == "vehicles-first":
        sheet.bar("units on foot have moved in this phase")


@clause(
    "PB.sequence",
    "Phases follow in order; phases in which nothing is done may be skipped; a turn follows the "
    "other side's",
    kind="action",
)
def sequence(facts: Sequence, sheet: Sheet) -> None:
    if not facts.known:
        sheet.bar("no such side is in the game")
    elif facts.same_side and not facts.later:
        sheet.bar("this phase does not come after the one that ends")


@clause("PB.adjacent", "A step leads to an adjacent hex", kind="action")
def adjacent(facts: Step, sheet: Sheet) -> None:
    if not facts.adjacent:
        sheet.bar("the hexes are not adjacent")


@clause(
    "PB.entry", "Units come onto the map by the edge hexes that their scene names", kind="action"
)
def coming_on(facts: Step, sheet: Sheet) -> None:
    if facts.comes_on == "strange":
        sheet.bar("it may not come onto the map there")


@clause("PB.exit", "Units leave the map from a hex at its edge, for good", kind="cost")
def leaving(facts: Leaving, sheet: Sheet) -> None:
    if not facts.edge:
        sheet.bar("its hex is not at the map's edge")
    if sheet.reading("PB.exit-cost") == "one":
        sheet.charge(halves("PB.exit", "exit"), "off the map")


@clause("PB.enemies", "No unit enters a hex with enemies but to overrun them", kind="action")
def enemies(facts: Step, sheet: Sheet) -> None:
    held = facts.others.forts and facts.others.enemy  # units may come to stand upon it
    if facts.others.enemy and not facts.overruns and not held:
        sheet.bar("enemies are there")


uncharted = unsupported(
    "PB.terrain", "Terrain that the chart does not give", lambda facts: bool(facts.uncharted)
)


@clause("P.move-a", "Movement factors and terrain costs are the original game's", kind="cost")
def chart(facts: Step, sheet: Sheet) -> None:
    if not facts.added:
        _enter(facts, sheet)
    if not facts.road and facts.left is not None:
        _leave(facts, facts.left, sheet)


def _leave(facts: Step, left: TerrainRow, sheet: Sheet) -> None:
    """Charge for leaving a hex, and bar it where its hexsides are in the way."""
    extra = left.leave.of(facts.column) or 0
    if extra and (facts.row is not left or sheet.reading("P.move-a-gully") == "every"):
        sheet.charge(extra, f"{left.title}, left")
    shut = left.ringed and left.of(facts.column) is None
    if shut and sheet.reading("P.move-a-woods") == "hexsides":
        sheet.bar(f"{left.title}: left by road only")


@clause("P.move-e", "Terrain of sequels and later sets may be added to the chart", kind="cost")
def added_terrain(facts: Step, sheet: Sheet) -> None:
    if facts.added:
        _enter(facts, sheet)


def _enter(facts: Step, sheet: Sheet) -> None:
    """Charge for a hex and bar what only a road leads into; the road's own rate comes before."""
    if sheet.total("road"):
        return
    if facts.road:
        sheet.charge(facts.clear.of(facts.column) or 0, f"{facts.clear.title}, by road")
        return
    if facts.row is None:
        return
    for row in (facts.row, facts.hexside):
        if row is not None and row.of(facts.column) is None:
            sheet.bar(f"{row.title}: only by road")
    cost, up = facts.row.of(facts.column) or 0, facts.slope.of(facts.column) or 0
    if facts.rise and up > cost:
        sheet.charge(up, f"{facts.slope.title}, upward")
    else:
        sheet.charge(cost, facts.row.title)


@clause(
    "P.move-b",
    "A vehicle that enters concealing terrain can be spotted and hit there",
    kind="state",
)
def concealing(facts: Step, sheet: Sheet) -> None:
    if facts.vehicle and facts.row is not None and facts.row.concealing and not facts.concealed:
        sheet.force("exposed", True)


@clause(
    "P.opt-c",
    "Optional concealed movement: an adjacent concealing hex, for the whole movement factor and unspotted; "
    "vehicles from out of the enemies' sight",
    kind="cost",
    composes="end",
)
def concealed(facts: Step | Payment, sheet: Sheet) -> None:
    if not facts.concealed:
        return
    if not isinstance(facts, Step):
        if facts.entered or facts.spent:
            sheet.bar("it has moved in this phase")
        sheet.charge(max(0, facts.allotment - facts.cost), "all that it has")
        sheet.force("final", True)
        return
    if "concealed-movement" not in facts.optional:
        sheet.bar("the scene does not have this optional rule in play")
    if facts.row is None or not facts.row.concealing:
        sheet.bar("the hex does not conceal")
    if facts.vehicle:
        sheet.exception("no enemy that may spot is taken to see the hex it leaves")


@clause("PB.mf", "A unit has its movement factor to spend in a phase", kind="cost", composes="flag")
def movement_factor(facts: Allowance, sheet: Sheet) -> None:
    sheet.charge(facts.mf, "movement factor")


@clause(
    "PB.one-hex", "A unit may always enter one hex that is open to it", kind="cost", composes="end"
)
def one_hex(facts: Payment, sheet: Sheet) -> None:
    if facts.entered or facts.overruns or facts.cost <= facts.allotment:
        return
    if facts.task == "unload" and sheet.reading("B4") == "no":
        return
    sheet.charge(facts.allotment - facts.cost, "all that it has")
    sheet.force("final", True)


@clause("PB.pay", "A unit spends no more than its movement factor", kind="cost", composes="flag")
def pay(facts: Payment, sheet: Sheet) -> None:
    cost, left = facts.cost + sheet.total(), facts.mf - facts.spent
    if cost > left:
        sheet.bar("not enough left of its movement factor", cost, left, halves=True)
