"""Who moves, how far, which way, and what it is paid from (chapters 5 to 7, 10.7 and 10.10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.valor.data import figure
from marchtable_models.valor.facts.moves import Mobile, Payment, Step, Turning

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.errands import Leaving
    from marchtable_models.valor.facts.losses import March
    from marchtable_models.valor.facts.moves import Allowance, Company, Sequence

__all__ = [
    "adjacent", "advancing", "assault", "assault_halves", "coming_on", "direction", "enemies", "heavy_weapon", "hexsides",
    "higher", "in_place", "infantry_mp", "is_steep", "leader_bonus", "minimum", "one_after_another", "own_phase",
    "pay", "printed_mp", "sequence", "stacks", "steep_way", "told", "turning", "uncharted", "uphill",
]  # fmt: skip

PHASES = {
    "enter": ("Movement",), "overrun": ("Movement",), "advance": ("AdvanceAndAssault",),
    "assault": ("AdvanceAndAssault",), "exit": ("Movement",),
}  # fmt: skip
INFANTRY = ("leader", "squad", "half-squad")


# -- who and when ----------------------------------------------------------------------------------


@clause("V6", "A move that is told is taken as it comes", kind="action")
def told(facts: March, sheet: Sheet) -> None:
    if facts.told:
        sheet.exception("what a move cost, and whether the terrain lets it, is not judged")


@clause(
    "V5.3",
    "Phases of a Player Segment follow in order; phases in which nothing is done may be skipped; then "
    "the other side's follow",
    kind="action",
)
def sequence(facts: Sequence, sheet: Sheet) -> None:
    if not facts.known:
        sheet.bar("no such side is in the game")
    elif facts.same_side and not facts.later:
        sheet.bar(
            "this phase is not later than the one that ends; a new turn begins with the other side's phases"
        )


@clause("V5.33", "Units that have not attacked move in their own Movement Phase", kind="action")
def own_phase(facts: Mobile, sheet: Sheet) -> None:
    if not facts.own_turn:
        sheet.bar("it is the other side's turn")
    allowed = PHASES.get(facts.verb, ("Movement", "AdvanceAndAssault"))
    if facts.phase not in allowed:
        sheet.bar("it is not the phase for it", " or ".join(allowed), facts.phase)
    if facts.phase == "Movement" and facts.fired:
        sheet.bar("it has attacked this turn")


@clause(
    "V6.10a",
    "A unit comes onto the map by an edge hex, which counts as the first of its move",
    kind="action",
)
def coming_on(facts: Mobile | Step, sheet: Sheet) -> None:
    if isinstance(facts, Step):
        if facts.comes_on == "strange":
            sheet.bar("it does not wait beside that hex")
    elif not facts.on_map and not facts.waits:
        sheet.bar("it is off the map, and the scene does not say where it comes on")
    elif not facts.on_map and facts.verb != "enter":
        sheet.bar("it waits off the map")


@clause("V6.1a", "A unit ends its move before another begins, and moves no more", kind="action")
def one_after_another(facts: Mobile, sheet: Sheet) -> None:
    if facts.concluded and facts.phase == "Movement":
        sheet.bar("it has ended its move")


@clause(
    "V6.1b",
    "Units of one hex may move as a stack, and then begin and end their move together",
    kind="action",
    composes="joint",
)
def stacks(facts: Company, sheet: Sheet) -> None:
    if not facts.distinct:
        sheet.bar("a unit is named twice")
    if facts.hexes > 1 or facts.sides > 1:
        sheet.bar("a stack is of one side and in one hex", 1, max(facts.hexes, facts.sides))
    if facts.missing:
        sheet.bar("those that began the move with it must come along", 0, facts.missing)
    if facts.strange:
        sheet.bar("they did not begin the move together", 0, facts.strange)


@clause(
    "V5.35",
    "In the Advance and Assault Phase a unit advances one hex whatever it costs, and vehicles, AFVs and "
    "Guns turn one hexside",
    kind="action",
)
def advancing(facts: Mobile | Turning, sheet: Sheet) -> None:
    if facts.phase != "AdvanceAndAssault":
        return
    if not isinstance(facts, Turning):
        if facts.verb == "advance" and (facts.advanced or facts.turned):
            sheet.bar("it has advanced or turned in this phase")
        return
    most = figure("V5.35", "turn")
    if facts.sides > most:
        sheet.bar("it turns farther than it may now", most, facts.sides)
    if facts.turned:
        sheet.bar("it has turned in this phase")


# -- the allotment ---------------------------------------------------------------------------------


@clause("V6.31a", "Leaders have 6 MP, squads and half squads 4", kind="cost", composes="flag")
def infantry_mp(facts: Allowance, sheet: Sheet) -> None:
    if facts.class_ in INFANTRY:
        sheet.charge(2 * (facts.mp or figure("V6.31a", facts.class_)), "infantry")


@clause(
    "V6.31b",
    "Infantry that moves with a leader all the way has 6 MP, as long as he is not pinned",
    kind="cost",
    composes="joint",
)
def leader_bonus(facts: Allowance, sheet: Sheet) -> None:
    if facts.led and facts.class_ in INFANTRY:
        more = figure("V6.31b", "led") - figure("V6.31a", facts.class_)
        sheet.charge(2 * max(0, more), "with a leader")


@clause("V6.32", "Vehicles, AFVs and Guns have the MP on their counters", kind="cost")
def printed_mp(facts: Allowance | Mobile, sheet: Sheet) -> None:
    if isinstance(facts, Mobile):
        if facts.verb != "turn" and not facts.can_move:
            sheet.bar("it has no MP")
    elif facts.class_ not in INFANTRY:
        sheet.charge(2 * facts.mp, "printed")


@clause(
    "V6.4a",
    "Assault Movement halves the MP, before anything is taken off",
    kind="cost",
    composes="flag",
)
def assault_halves(facts: Allowance, sheet: Sheet) -> None:
    if not facts.assault:
        return
    divisor, all_of_it = figure("V6.4", "divisor"), sheet.total()
    if facts.led and sheet.reading("A27") == "own":
        all_of_it = 2 * (facts.mp or figure("V6.31a", facts.class_))
    sheet.charge(2 * (all_of_it // (2 * divisor)) - sheet.total(), "Assault Movement")


@clause("V12.2b", "A heavy support weapon takes an MP from who carries it", kind="cost")
def heavy_weapon(facts: Allowance, sheet: Sheet) -> None:
    if facts.heavy:
        sheet.charge(-2 * figure("V12.2b", "heavy"), "heavy support weapon")


# -- the way ---------------------------------------------------------------------------------------


@clause("V6.1", "A unit moves hex by hex", kind="action")
def adjacent(facts: Step, sheet: Sheet) -> None:
    if not facts.lie.adjacent:
        sheet.bar("the hexes are not adjacent")


@clause("V6.8", "No unit enters a hex with enemies but to overrun or assault them", kind="action")
def enemies(facts: Step, sheet: Sheet) -> None:
    if facts.enemy and facts.verb != "overrun":
        sheet.bar("enemies are there")


@clause(
    "V6.4b",
    "Infantry declares Assault Movement before it moves, and keeps to it",
    kind="action",
)
def assault(facts: Step, sheet: Sheet) -> None:
    if facts.assault and facts.is_heavy:
        sheet.bar("only infantry uses Assault Movement")
    if facts.declared and facts.under_way:
        sheet.bar("it is declared before the unit moves")


uncharted = unsupported(
    "V10.1",
    "Terrain that the rulebook has no row for",
    lambda facts: bool(facts.lie.unknown) if isinstance(facts, Step) else facts.cover is None,
)
higher = unsupported(
    "V10.7c", "Hills above level 2", lambda facts: facts.lie.top > figure("V10.7", "highest")
)


@clause("V10.7a", "A level up costs an MP more", kind="cost")
def uphill(facts: Step, sheet: Sheet) -> None:
    if facts.lie.climb == 1 and facts.verb != "advance":
        sheet.charge(2 * figure("V10.7", "up"), "uphill")


def is_steep(facts: Step) -> bool:
    """Return whether a step leads over two levels at once."""
    return abs(facts.lie.climb) >= figure("V10.7", "steep")


@clause(
    "V10.7b",
    "From level 0 to level 2 and back goes only infantry, with its whole allotment, and not by "
    "Assault Movement",
    kind="cost",
    composes="start",
)
def steep_way(facts: Step | Payment, sheet: Sheet) -> None:
    if isinstance(facts, Payment):
        if facts.steep:
            sheet.charge(facts.allotment - facts.cost, "all that it has")
    elif is_steep(facts):
        if facts.is_heavy:
            sheet.bar("vehicles, AFVs and Guns do not go over two levels at once")
        if facts.assault:
            sheet.bar("not by Assault Movement")


@clause("V10.10", "Crossing a wall or hedge costs an MP more", kind="cost")
def hexsides(facts: Step, sheet: Sheet) -> None:
    if facts.lie.side and facts.verb != "advance":
        sheet.charge(2 * figure("V10.10", "crossing"), facts.lie.side)


@clause(
    "V7.2",
    "Vehicles and AFVs go ahead, or reverse at double cost; infantry and Guns go any way",
    kind="cost",
)
def direction(facts: Step | Leaving, sheet: Sheet) -> None:
    if facts.way == "aside":
        sheet.bar("it neither faces that hex nor turns its back to it")
    elif facts.way == "behind":
        sheet.charge((figure("V7.2", "reverse") - 1) * sheet.total(), "in reverse")


# -- turning ---------------------------------------------------------------------------------------


@clause(
    "V6.5",
    "A vehicle or AFV turns once for each hex that it enters: a hexside for nothing, each further one "
    "for an MP",
    kind="cost",
)
def turning(facts: Turning, sheet: Sheet) -> None:
    if facts.kind == "infantry":
        sheet.bar("infantry has no facing")
    if not facts.sides:
        sheet.bar("it faces there already")
    if facts.phase != "Movement":
        return
    if facts.turned:
        sheet.bar("it has turned in this hex")
    if facts.kind in ("vehicle", "afv") and (facts.under_way or sheet.reading("A25") == "yes"):
        further = max(0, facts.sides - figure("V6.5", "free"))
        sheet.charge(2 * further * figure("V6.5", "more"), "turning")


@clause("V7.3", "A unit that turns where it stands does nothing else", kind="action")
def in_place(facts: Turning, sheet: Sheet) -> None:
    if facts.phase == "Movement" and not facts.under_way:
        gun = facts.kind == "gun"
        if gun or sheet.reading("A25") == "no":
            sheet.force("moving", False)


# -- paying ----------------------------------------------------------------------------------------


@clause(
    "V6.6",
    "A unit may always move one hex that it may enter at all",
    kind="cost",
    composes="start",
)
def minimum(facts: Payment, sheet: Sheet) -> None:
    cost = facts.cost + sheet.total()
    if facts.begins and cost > facts.allotment:
        sheet.charge(facts.allotment - cost, "all that it has")


@clause("V6.3", "A unit spends no more than its MP", kind="cost", composes="flag")
def pay(facts: Payment, sheet: Sheet) -> None:
    cost, left = facts.cost + sheet.total(), facts.allotment - facts.spent
    if cost > left:
        sheet.bar("not enough MP left", cost, left, halves=True)
