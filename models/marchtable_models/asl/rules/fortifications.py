"""Fortifications (B26, B27, B30): going beneath Wire, entrenchments and pillboxes, and out of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from marchtable.dice import SIDES
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet
from marchtable.rules.subjects import cases, clause, effect, not_modelled, settles
from marchtable.state.action import Action, Companions, verb_of
from marchtable.state.position import Obligation, Odds
from marchtable_models.asl.counterkinds import AT_DITCH
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.leaders import partings
from marchtable_models.asl.rules.stacking import excess_squads
from marchtable_models.asl.rules.stacks import members, stack_facts
from marchtable_models.asl.verbs import Traits, has_trait
from marchtable_models.asl.views import reading, spending
from marchtable_models.asl.views.entry import Crowd, Entry
from marchtable_models.asl.views.flight import routs_aside
from marchtable_models.asl.views.ground_facts import ENTRENCHED
from marchtable_models.asl.views.movers import party
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.reading import NOWHERE, type_of
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.views.standing import Standing


class Shift(Action, frozen=True, tag="shift"):
    """
    Infantry, alone or as a stack, goes beneath or above its Location's entrenchment or pillbox.

    In the APh this is its Advance.
    """

    traits: ClassVar[Traits] = ("leaves", "advance", "beneath")

    units: Companions
    to: Literal["beneath", "above"]


class GetBeneath(Action, frozen=True, tag="get-beneath"):
    """Infantry, alone or as a stack, on top of Wire tries to get beneath it."""

    traits: ClassVar[Traits] = ("leaves", "beneath")

    units: Companions


class Shelter(PaidIfFree, frozen=True, gc=False):
    """Infantry about to go beneath a Fortification of its Location, or out of it."""

    to: str  # where it goes: ``beneath`` it or ``above``
    wire: bool  # whether it tries to get beneath Wire
    # foot, in_bypass, double: whether it is Infantry, in Bypass, and has declared Double Time
    foot: bool
    in_bypass: bool
    double: bool
    inside: str  # where in the Location it is
    counters_here: tuple[str, ...]  # kinds of the counters there
    # group, sheltered: those who go together, and those of its side who are beneath already
    group: Crowd
    sheltered: Crowd
    # whether there is an enemy who is neither unarmed nor disrupted, concealed or not
    enemies: bool
    advancing: bool  # whether it is its Advance
    walled: bool = False  # whether it has Wall Advantage

    @property
    def keeps_wall(self) -> bool:
        """Whether it is then not beneath an entrenchment or pillbox."""
        return not self.goes_beneath

    @property
    def goes_beneath(self) -> bool:
        """Whether it will be beneath an entrenchment or pillbox."""
        return self.to == "beneath" and not self.wire

    @property
    def shelters(self) -> tuple[str, ...]:
        """The counters it will be beneath."""
        return self.counters_here

    @property
    def is_advance(self) -> bool:
        """Whether it is its Advance, which is free."""
        return self.advancing


class Entangled(Facts, frozen=True, gc=False):
    """A unit on Wire: its dr, the MF it has spent and the MF it has left, all in half MF."""

    dr: int
    spent: int
    left: int


@cases(Shift, GetBeneath)
def shift_facts(position: AslPosition, action: Shift | GetBeneath, edition: Edition) -> list[Case]:
    """Return the facts of units going beneath a Fortification or out of it, except by rout."""
    units = members(position, action.units)
    if routs_aside(position, units):
        return []
    wire, to = isinstance(action, GetBeneath), getattr(action, "to", "beneath")
    found = stack_facts(
        position, units, verb_of(action), lambda unit: shelter(position, unit, units, to, wire=wire)
    )
    found += interrupted(position, units, edition)
    return found + partings(position, action.units, edition)


def shelter(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], to: str, *, wire: bool
) -> Shelter:
    """Return the facts of Infantry going beneath a Fortification, or out of it, with others."""
    ids, at = tuple(one.id for one in units), unit.at or ""
    others = reading.there(position, unit.side, at, ids)
    boxed = "pillbox" in others.counters
    within = reading.there(position, unit.side, at, ids, "pillbox") if boxed else NOWHERE
    return Shelter(
        to=to,
        wire=wire,
        foot=type_of(position, unit).is_infantry and unit.cargo.aboard is None,
        in_bypass=unit.place.bypass is not None,
        double=unit.points.double > 0,
        inside=unit.place.inside,
        counters_here=others.counters,
        group=party(position, units).crowd,
        sheltered=within.crowd if boxed else others.beneath,
        enemies=others.known or others.concealed or within.known or within.concealed,
        advancing=position.phase == "APh",
        walled=unit.place.wall_advantage,
    )


@settles("wire")
def wire_facts(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> Entangled:
    """Return the facts of the result of a dr on Wire."""
    unit = position.unit(obligation.unit)
    left = spending.allotment(position, unit, edition) - unit.points.spent
    return Entangled(2 * int(outcome), unit.points.spent, left)


@clause("B27.1", kind="action")
def where(facts: Shelter, sheet: Sheet) -> None:
    """Infantry goes beneath, and above, an entrenchment or pillbox of its own Location."""
    there = ("wire",) if facts.wire else ENTRENCHED
    if not facts.foot or facts.in_bypass:
        sheet.bar(
            "only Infantry that is not in Bypass can go beneath a Fortification or come out of it"
        )
    elif facts.to == "beneath" and not any(kind in facts.counters_here for kind in there):
        sheet.bar(f"there is no {' or '.join(there)} here to go beneath")
    elif (facts.inside == "beneath") == (facts.to == "beneath"):
        sheet.bar(f"the unit is {facts.to} it already")


class FromBelow(Entry):
    """An entry out of, or into, a Fortification."""

    is_relevant = property(
        lambda self: bool(self.inside or self.beneath or "wire" in self.counters_here)
    )


@not_modelled("B26.4e", lifts=("B27.1", "B27.4b"))
def both(facts: Shelter | FromBelow) -> bool:
    """An entrenchment or pillbox beneath Wire: scenes do not state which of them a unit is in."""
    return (
        facts.inside == "beneath"
        and "wire" in facts.counters_here
        and any(kind in facts.counters_here for kind in ENTRENCHED)
    )


@not_modelled("B27.6", lifts=("B27.44",))
def from_below(facts: FromBelow) -> bool:
    """From lower ground straight beneath a trench, which the unit's side must hold."""
    return (
        facts.beneath
        and "trench" in facts.there.counters
        and facts.ground.levels > 0
        and facts.ground.rise >= 0
        and facts.way != "trench"
    )


@clause("B27.4", kind="cost")
def cost(facts: Shelter, sheet: Sheet) -> None:
    """Going beneath an entrenchment or pillbox, or out of it, costs 1 MF."""
    if not (facts.wire or facts.advancing):
        sheet.charge(halves("B27.4", "each"), f"to be {facts.to} it", "shelter")


@clause("B27.56b", kind="cost", after=("B27.4",))
def cost_of_a_ditch(facts: Shelter | FromBelow, sheet: Sheet) -> None:
    """Getting into an antitank ditch, or out of one, costs 2 MF."""
    more = halves("B27.56", "each") - halves("B27.4", "each")
    if isinstance(facts, Entry):
        routs = facts.manner.routing
        inward = facts.beneath and (facts.manner.advancing or routs) and facts.way != "trench"
        outward = routs and facts.inside == "beneath" and not facts.from_trench
        if inward and facts.mover.column == "inf" and AT_DITCH in facts.there.counters:
            sheet.charge(more, "an antitank ditch", "more")
        if outward and AT_DITCH in facts.counters_here:
            sheet.charge(more, "out of an antitank ditch", "more")
    elif AT_DITCH in facts.counters_here and sheet.total("shelter"):
        sheet.charge(more, "an antitank ditch", "shelter")


@clause("B27.13", kind="effect")
def out_again(facts: Shelter, sheet: Sheet) -> None:
    """A unit that goes beneath a Fortification is in it; one that comes out is above it."""
    if not facts.wire:
        sheet.force("inside", "beneath" if facts.to == "beneath" else "")


def _room(counters: tuple[str, ...], plain: str) -> int:
    """Return the squad capacity of an entrenchment; if no size is stated, a reading decides."""
    if "trench" in counters:
        return count("B27.12", "trench")
    sizes = {"foxhole-2s": 2, "foxhole-3s": 3}
    unstated = {"smallest": 1, "largest": 3}[plain]
    return max([size for kind, size in sizes.items() if kind in counters], default=unstated)


@clause("B27.12", kind="capacity", composes="joint")
def capacity(facts: Shelter | FromBelow, sheet: Sheet) -> None:
    """A foxhole holds its stated squads, a trench three; each also holds four SMC."""
    if not facts.goes_beneath or "pillbox" in facts.shelters:
        return
    most = _room(facts.shelters, sheet.reading("B27.12"))
    if excess := excess_squads(facts.sheltered, facts.group, most=most):
        sheet.bar("the entrenchment cannot hold that many squads", most, most + excess)


@not_modelled("B30.111")
def pillbox_size(facts: Shelter | FromBelow) -> bool:
    """More than a squad in a pillbox of unknown capacity."""
    return (
        facts.goes_beneath
        and "pillbox" in facts.shelters
        and excess_squads(facts.sheltered, facts.group, most=1) > 0
    )


class ActsBeneath(Standing):
    """A unit beneath a Fortification about to act."""

    is_relevant = property(lambda self: self.inside == "beneath")


@not_modelled("B27.13u")
def acts(facts: ActsBeneath) -> bool:
    """Acts beneath a Fortification other than moving."""
    return facts.inside == "beneath" and not has_trait(facts.verb, "beneath")


@clause("B30.42", kind="action")
def pillbox(facts: Shelter, sheet: Sheet) -> None:
    """A unit cannot enter or leave a pillbox past an enemy in its hex."""
    advances_out = facts.advancing and facts.to == "above"
    if "pillbox" in facts.counters_here and facts.enemies and not advances_out:
        sheet.bar("an enemy is in the pillbox's hex")


@clause("B27.4b", kind="action")
def leaves_entrenchment(facts: FromBelow, sheet: Sheet) -> None:
    """A unit comes out of its entrenchment or pillbox before it leaves the hex; in the APh only a pillbox requires this."""
    if facts.inside != "beneath":
        return
    held = [kind for kind in ENTRENCHED if kind in facts.counters_here]
    if facts.manner.routing:
        return  # B27.41 covers this
    if held and not facts.from_trench and (not facts.manner.advancing or "pillbox" in held):
        sheet.bar(f"the unit is beneath the {held[0]}, and must come out of it first")


@clause("B27.13b", kind="effect", after=("B23.421",))
def leaves_it(facts: FromBelow, sheet: Sheet) -> None:
    """A unit that enters is not beneath a Fortification there unless it goes beneath at once."""
    inside = "beneath" if facts.goes_beneath else ""
    if facts.inside not in (inside, "upstairs") and not facts.mover.is_vehicle:
        sheet.force("inside", inside)


@clause("B27.54", kind="cost")
def through_trenches(facts: FromBelow, sheet: Sheet) -> None:
    """Between connecting trenches or a bunker's hexes, a hex costs 1 MF whatever its terrain."""
    if facts.way == "trench":
        sheet.charge(halves("B27.54", "each"), "along the trench", "cot")


@clause("B27.44", kind="action")
def beneath_at_once(facts: FromBelow, sheet: Sheet) -> None:
    """Except by Advance, a unit moves directly beneath only from a connecting trench."""
    if not facts.beneath or facts.column or facts.way == "trench":
        return
    if not any(kind in facts.there.counters for kind in ENTRENCHED):
        sheet.bar("there is no entrenchment or pillbox there")
    elif facts.manner.routing:
        return  # B27.41 covers this
    elif "pillbox" in facts.there.counters or not facts.manner.advancing:
        sheet.bar("the unit enters above it, and then goes beneath it")
    elif facts.mover.column == "inf":
        sheet.charge(halves("B27.4", "each"), "to be beneath it", "more")


@clause("B27.41", kind="cost")
def combined(facts: FromBelow, sheet: Sheet) -> None:
    """In the RtPh a unit leaves or enters an entrenchment or pillbox as it moves, for 1 MF each."""
    if not facts.manner.routing:
        return
    here, there = facts.counters_here, facts.there.counters
    if (
        facts.inside == "beneath"
        and not facts.from_trench
        and any(kind in ENTRENCHED for kind in here)
    ):
        sheet.charge(halves("B27.4", "each"), "out of it", "more")
    if facts.beneath and facts.way != "trench" and any(kind in ENTRENCHED for kind in there):
        sheet.charge(halves("B27.4", "each"), "to be beneath it", "more")


# -- Wire ----------------------------------------------------------------------------------------


@clause("B26.4", kind="action")
def leaves_wire(facts: FromBelow, sheet: Sheet) -> None:
    """A unit on top of Wire must get beneath it first."""
    if facts.inside != "beneath" and not facts.mover.is_vehicle and "wire" in facts.counters_here:
        sheet.bar("the unit is on top of the Wire, and must get beneath it first")


@clause("B26.46", kind="action")
def no_haste(facts: Shelter, sheet: Sheet) -> None:
    """A unit that has declared Double Time cannot get beneath Wire."""
    if facts.wire and facts.double:
        sheet.bar("the unit has declared Double Time")


@clause("B26.4f", kind="odds")
def under_the_wire(facts: Shelter, sheet: Sheet) -> None:
    """Getting beneath Wire costs a dr of MF."""
    if facts.wire:
        odds = tuple(Odds(str(dr), 1, SIDES) for dr in range(1, SIDES + 1))
        sheet.roll("wire", odds, "MF spent to get beneath")
        sheet.exception(f"a dr decides what getting beneath costs: 1 to {SIDES} MF")


@clause("B26.4d", kind="effect")
def hung_up(facts: Entangled, sheet: Sheet) -> None:
    """A unit with fewer MF than the dr spends them all and stays on top; its MPh is over."""
    if facts.dr <= facts.left:
        sheet.force("inside", "beneath")
        sheet.force("spent", facts.spent + facts.dr)
        sheet.force("used", facts.spent + facts.dr)
    else:
        sheet.force("spent", facts.spent + facts.left)
        sheet.force("used", facts.spent + facts.left)
        sheet.force("mph", "done")


@effect(Shift, GetBeneath)
def after_shift(
    position: AslPosition, action: Shift | GetBeneath, bills: Sequence[Bill]
) -> AslPosition:
    """Return the position after units have paid; clauses apply where they are then."""
    return after_action(position, action, bills)
