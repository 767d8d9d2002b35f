"""Who may act at all, and as what group (A3, A4.2, D2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.model import verbs_with

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.manning import Taking
    from marchtable_models.asl.facts.steps import Jump
    from marchtable_models.asl.facts.units import Group, PhaseOrder, PhaseStart

__all__ = [
    "adjacent_only",
    "broken_stays",
    "done_is_done",
    "dummies",
    "fit_vehicle",
    "fresh_on_foot",
    "held",
    "in_melee",
    "in_own_mph",
    "melee_untold",
    "mobile",
    "overloaded",
    "phase_order",
    "pin_ends",
    "pinned_stays",
    "ready_again",
    "side_of_scene",
    "stack_moves",
    "used_up",
]  # fmt: skip

STILL, LEAVES = verbs_with("still"), verbs_with("leaves")
PRETENDED = verbs_with("enters") | verbs_with("says") | {"end", "exit", "set-out"}
"""What Dummies do as if they were real."""


@clause(
    "A3",
    "Phases of a Player Turn follow in their order, some left out in which nothing is done",
    kind="action",
)
def phase_order(facts: PhaseOrder, sheet: Sheet) -> None:
    if not facts.later:
        sheet.bar("it does not come after this phase, in this side's Player Turn")


@clause("A3b", "A Player Turn is that of one of the two sides of the scene", kind="action")
def side_of_scene(facts: PhaseOrder, sheet: Sheet) -> None:
    if (
        len(facts.sides) > 1 and facts.side not in facts.sides
    ):  # where one is told, this is the other
        sheet.bar("the scene has no such side", " or ".join(facts.sides), facts.side)


@clause("A3.3", "Units move in the MPh of their own Player Turn", kind="action")
def in_own_mph(facts: Standing, sheet: Sheet) -> None:
    if facts.advances:
        return  # in the APh: see A4.7a
    if facts.own_turn and facts.phase == "APh" and facts.verb in ("hatch", "lend"):
        return  # D5.33, A4.72
    if facts.own_turn and facts.phase == "APh" and facts.verb in ("load", "unload"):
        return  # see D6.4e
    if facts.provoked:
        return  # see D13.2d
    if not facts.own_turn:
        sheet.bar("it is not its side's Player Turn")
    elif facts.phase != "MPh":
        sheet.bar("units move in the MPh", "MPh", facts.phase)


@clause("A4.1a", "A wreck never moves", kind="action")
def wreck_stays(facts: Standing, sheet: Sheet) -> None:
    if facts.kind == "wreck":
        sheet.bar("a wreck cannot move at all")


@clause("A4.1b", "A unit moves from its Location to an adjacent one", kind="action")
def adjacent_only(facts: Jump, sheet: Sheet) -> None:
    if facts.distance > 1:
        sheet.bar("the Location is not adjacent", 1, facts.distance)
    elif facts.bridge:
        sheet.bar("a bridge is entered and left along its road alone (B6.1)")
    else:
        sheet.bar("there is no way in from here")


@clause(
    "A4.2a",
    "Once a unit has ended its MPh, bogged, or another has moved, its MPh is over",
    kind="action",
    composes="flag",
)
def done_is_done(facts: Standing, sheet: Sheet) -> None:
    later = facts.advances or (facts.verb == "hatch" and facts.phase != "MPh")
    if facts.mph == "done" and not (later or facts.provoked):
        why = " (after it left a vehicle another unit has moved, or it has ended it: D6.5g)"
        sheet.bar(f"its MPh is over{why if facts.alighted else ''}")


@clause(
    "A4.2b",
    "Only Infantry of one Location moves as a stack, and all of it in one MPh",
    kind="action",
    composes="joint",
)
def stack_moves(facts: Group, sheet: Sheet) -> None:
    if not facts.distinct:
        sheet.bar("a unit is named twice")
    if not facts.one_place or not facts.one_side:
        sheet.bar("a stack moves from one Location, all of one side")
    if facts.size > 1 and not facts.all_foot and not facts.with_afv:
        sheet.bar("only Infantry moves as a stack", 1, facts.size)
    if len(facts.phases) > 1:
        sheet.bar("units that moved apart, or not yet, cannot join the stack")


@clause("A7.8a", "A pinned unit does not move", kind="action")
def pinned_stays(facts: Standing, sheet: Sheet) -> None:
    if facts.pinned and facts.kind == "foot" and facts.verb not in ("end", "unload"):
        sheet.bar("the unit is pinned")


@clause("A10.4", "A broken unit neither moves in the MPh nor advances", kind="action")
def broken_stays(facts: Standing, sheet: Sheet) -> None:
    if facts.broken:
        sheet.bar("the unit is broken")


@clause("A4.1c", "Infantry that fired in the PFPh or is TI does not move", kind="action")
def fresh_on_foot(facts: Standing, sheet: Sheet) -> None:
    tired = facts.ti and not facts.pushing
    if facts.kind == "foot" and (facts.prep_fired or tired) and not facts.advances:
        sheet.bar("the unit has fired or is TI")


@clause("D2.1c", "A vehicle that fired in the PFPh or is TI does not move", kind="action")
def fit_vehicle(facts: Standing, sheet: Sheet) -> None:
    moves = facts.verb not in ("hatch", "end")
    prep_fired = facts.prep_fired and facts.verb != "unload"  # for that see D6.5d
    if facts.kind == "vehicle" and moves and (prep_fired or facts.ti):
        sheet.bar("the vehicle has fired or is TI")


@clause("D8.1", "An immobilized or bogged vehicle does not move", kind="action")
def mobile(facts: Standing, sheet: Sheet) -> None:
    if facts.kind != "vehicle" or facts.verb in STILL:
        return
    if facts.immobile or (facts.bogged and facts.verb != "unbog"):
        sheet.bar("the vehicle is immobile")


@clause("A4.42e", "A SMC carries no more than 2 PP", kind="capacity")
def overloaded(facts: Standing | Taking, sheet: Sheet) -> None:
    most = count("A4.42", "most_of_smc")
    ends = isinstance(facts, Standing) and facts.verb == "end"
    if facts.smc and facts.pp > most and not ends:
        sheet.bar("the SMC carries too much", most, facts.pp, points="PP")


in_melee = unsupported(
    "A4.1e",
    "Whether a unit among Known enemies is held in Melee, which a scene does not tell",
    lambda facts: facts.melee == "untold" and facts.verb in LEAVES,
)


@clause("A4.1g", "Who is held in Melee neither moves nor advances", kind="action")
def held(facts: Standing, sheet: Sheet) -> None:
    if facts.melee == "held" and facts.verb in LEAVES:
        sheet.bar("the unit is held in Melee")


@clause(
    "A11.15",
    "Who may leave its enemies in one Player Turn is held in Melee after its CCPh, or not: nobody tells",
    kind="state",
)
def melee_untold(facts: PhaseStart, sheet: Sheet) -> None:
    if facts.new_turn and facts.melee == "free":
        sheet.force("melee", "")


dummies = unsupported(
    "A12.11",
    "What a Dummy stack does but moving about on foot",
    lambda facts: facts.odd == "dummy" and (facts.kind != "foot" or facts.verb not in PRETENDED),
)


@clause(
    "D2.7b",
    "After an entry for the whole allotment or a Minimum Move nothing more is done",
    kind="action",
    composes="end",
)
def used_up(facts: Standing, sheet: Sheet) -> None:
    allowed = ("end", "hatch", "stop") if facts.final == "all" else ("end", "hatch")
    if facts.final and facts.final != "advance" and facts.verb not in allowed:
        sheet.bar("the unit's allotment is used up")


@clause("A7.8b", "A pin lasts until the end of the CCPh", kind="state")
def pin_ends(facts: PhaseStart, sheet: Sheet) -> None:
    if facts.pinned and facts.new_turn:
        sheet.force("pinned", value=False)


@clause("A4.1d", "Who has fired in the PFPh, or is TI, is so for this Player Turn", kind="state")
def ready_again(facts: PhaseStart, sheet: Sheet) -> None:
    if facts.new_turn:
        for field in ("prep_fired", "ti"):
            if getattr(facts, field):
                sheet.force(field, value=False)
