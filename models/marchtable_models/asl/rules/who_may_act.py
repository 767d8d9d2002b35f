"""Which units can act at all, and in what group (A3, A4.2, D2.1)."""

from __future__ import annotations

from marchtable.rules.facts import Facts, Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import fact, read
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_phase
from marchtable_models.asl.rules.phases import PhaseBegins
from marchtable_models.asl.verbs import has_trait
from marchtable_models.asl.views.standing import Actor, Standing, is_among

PRETENDED = ("end", "exit", "set-out")
"""A Dummy's acts, besides entering a Location and declarations."""
"""Acts that Dummies pretend."""


class TurnBegins(Facts, frozen=True, gc=False):
    """A unit as a Player Turn begins, or its CCPh."""

    free: bool  # it was stated not to be held in Melee before this CCPh, or one that is left out
    pinned: bool
    prep_fired: bool
    ti: bool


@at_phase
def phase_facts(position: AslPosition, unit: AslUnit, begins: PhaseBegins) -> TurnBegins | None:
    """Return the states of a unit that end as a Player Turn, or its CCPh, begins."""
    state, turns = unit.status, begins.new_turn
    fights = begins.phase == "CCPh" or (turns and position.phase != "CCPh")
    found = (
        fights and state.melee == "free",
        turns and state.pinned,
        turns and state.prep_fired,
        turns and state.ti,
    )
    return TurnBegins(*found) if any(found) else None


def _held(actor: Actor) -> str:
    """Return whether a unit on foot is ``held`` in Melee, or unmoved among Known armed enemies."""
    position, unit = actor.position, actor.unit
    melee = unit.status.melee
    if (
        unit.at is None
        or melee == "free"
        or not actor.kind.is_infantry
        or unit.cargo.aboard is not None
        or unit.cargo.conveyed
        or unit.cargo.guard is not None
    ):
        return ""
    others = position.occupants.get(unit.at, ())
    if len(others) < 2 or (unit.move.previous is not None and not melee):
        return ""
    return (melee or "unstated") if is_among(position, unit, others) else ""


class Acts(Standing):
    """A unit about to act."""

    mph: str = read("unit.move.mph", "unmoved")
    pinned: bool = read(lambda actor: any(one.status.pinned for one in (actor.unit, *actor.riders)))
    broken: bool = read("unit.status.broken")
    prep_fired: bool = read(
        lambda actor: (
            (actor.unit.status.prep_fired and not actor.stays)
            or any(rider.status.prep_fired for rider in actor.riders)
        )
    )
    bogged: bool = read("unit.motion.bogged")
    immobile: bool = read("unit.motion.immobile")
    melee: str = read(_held, "")
    carried: bool = read(lambda actor: actor.unit.cargo.aboard is not None)
    alighted: bool = read(  # its MPh is over, and it was aboard a vehicle in this Player Turn
        lambda actor: (
            actor.unit.cargo.conveyed
            and actor.unit.move.mph == "done"
            and not actor.unit.cargo.aboard
        )
    )

    @fact
    def leaves(self) -> bool:
        """Whether it would leave its Location or its place there."""
        return has_trait(self.verb, "leaves")


def _instead(facts: Acts) -> str:
    """Return what a unit on foot can do in this phase instead of moving, with its verb."""
    if facts.form != "foot":
        return ""
    if facts.phase == "RtPh" and facts.broken:
        return "; in the RtPh a broken unit routs: `rout UNIT TO`"
    if facts.phase == "RPh" and facts.broken:
        return "; in the RPh a broken unit can rally: state it with `result UNIT rallied`"
    if facts.phase == "APh" and facts.own_turn and facts.goes:
        return "; in the APh Infantry advances: `advance UNITS TO`"
    return ""


@clause("A3.3", kind="action")
def in_own_mph(facts: Acts, sheet: Sheet) -> None:
    """Units move in the MPh of their own Player Turn."""
    if facts.advances:
        return  # A4.7a covers the APh
    if facts.own_turn and facts.phase == "APh" and facts.verb in ("hatch", "lend"):
        return  # D5.33, A4.72
    if facts.own_turn and facts.phase == "APh" and facts.verb in ("load", "unload"):
        return  # see D6.4e
    if facts.provoked:
        return  # see D13.2d
    if not facts.own_turn:
        sheet.bar(f"it is not its side's Player Turn{_instead(facts)}")
    elif facts.phase != "MPh":
        sheet.bar(f"units move in the MPh{_instead(facts)}", "MPh", facts.phase)


@clause("A4.1a", kind="action")
def wreck_stays(facts: Acts, sheet: Sheet) -> None:
    """A wreck never moves."""
    if facts.form == "wreck":
        sheet.bar("a wreck cannot move at all")


@clause("A4.2a", kind="action", composes="flag")
def done_is_done(facts: Acts, sheet: Sheet) -> None:
    """A unit's MPh is over once it has ended it, bogged, or another unit has moved."""
    later = facts.advances or (facts.verb == "hatch" and facts.phase != "MPh")
    if facts.mph == "done" and not (later or facts.provoked):
        why = ""
        if facts.carried:
            why = ": it can only get off what carries it, if that is stopped and has the MP left"
        elif facts.alighted:
            why = ": another unit has moved since it left its vehicle, or it has ended its move (D6.5g)"
        sheet.bar(f"its MPh is over{why}")


@clause("A7.8a", kind="action")
def pinned_stays(facts: Acts, sheet: Sheet) -> None:
    """A pinned unit cannot move."""
    if facts.pinned and facts.form == "foot" and facts.verb not in ("end", "unload"):
        sheet.bar("the unit is pinned")


@clause("A10.4", kind="action")
def broken_stays(facts: Acts, sheet: Sheet) -> None:
    """A broken unit can neither move in the MPh nor advance."""
    if facts.broken:
        sheet.bar("the unit is broken")


@clause("A4.1c", kind="action")
def fresh_on_foot(facts: Acts, sheet: Sheet) -> None:
    """Infantry that fired in the PFPh or is TI cannot move."""
    tired = facts.ti and not facts.pushing
    if facts.form == "foot" and (facts.prep_fired or tired) and not facts.advances:
        sheet.bar("the unit has fired or is TI")


@clause("D2.1c", kind="action")
def fit_vehicle(facts: Acts, sheet: Sheet) -> None:
    """A vehicle that fired in the PFPh or is TI cannot move."""
    moves = facts.verb not in ("hatch", "end")
    prep_fired = facts.prep_fired and facts.verb != "unload"  # D6.5d covers that
    if facts.form == "vehicle" and moves and (prep_fired or facts.ti):
        sheet.bar(f"the vehicle {'is TI' if facts.ti else 'has fired'}")


@clause("D8.1", kind="action")
def mobile(facts: Acts, sheet: Sheet) -> None:
    """An immobilized or bogged vehicle cannot move."""
    if facts.form != "vehicle" or has_trait(facts.verb, "still"):
        return
    if facts.immobile or (facts.bogged and facts.verb != "unbog"):
        sheet.bar(f"the vehicle is {'immobilized' if facts.immobile else 'bogged'}")


@not_modelled("A4.1e")
def in_melee(facts: Acts) -> bool:
    """A unit among Known enemies, if it is not stated whether it is held in Melee; state it with `result UNIT held` or `result UNIT free`."""
    return facts.melee == "unstated" and facts.leaves


@clause("A4.1g", kind="action")
def held(facts: Acts, sheet: Sheet) -> None:
    """A unit held in Melee can neither move nor advance."""
    if facts.melee == "held" and facts.leaves:
        sheet.bar("the unit is held in Melee")


@clause("A11.15", kind="state")
def melee_unstated(facts: TurnBegins, sheet: Sheet) -> None:
    """A unit that can leave its enemies before a CCPh: whether it is in Melee after it is unknown, unless stated in it."""
    if facts.free:
        sheet.force("melee", "")


@not_modelled("A12.11")
def dummies(facts: Acts) -> bool:
    """Anything a Dummy stack does other than moving on foot."""
    pretended = has_trait(facts.verb, "enters") or has_trait(facts.verb, "says")
    pretended = pretended or facts.verb in PRETENDED
    return facts.odd == "dummy" and (facts.form != "foot" or not pretended)


@clause("D2.7b", kind="action", composes="end")
def used_up(facts: Acts, sheet: Sheet) -> None:
    """After an entry for the whole allotment, or a Minimum Move, a unit does nothing more."""
    allowed = ("end", "hatch", "stop") if facts.final == "all" else ("end", "hatch")
    if facts.final and facts.final != "advance" and facts.verb not in allowed:
        sheet.bar("the unit's allotment is used up")


@clause("A7.8b", kind="state")
def pin_ends(facts: TurnBegins, sheet: Sheet) -> None:
    """A pin ends with the CCPh."""
    if facts.pinned:
        sheet.force("pinned", value=False)


@clause("A4.1d", kind="state")
def ready_again(facts: TurnBegins, sheet: Sheet) -> None:
    """A unit that fired in the PFPh, or is TI, stays so for this Player Turn."""
    for field in ("prep_fired", "ti"):
        if getattr(facts, field):
            sheet.force(field, value=False)
