"""Crest status in a Depression (B20.9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from marchtable.board.board import DIRECTIONS
from marchtable.rules.facts import Bill, Case, Edition, Sheet
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.rules.view import fact
from marchtable.state.action import Action, Companions
from marchtable_models.asl.data import halves
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.leaders import partings
from marchtable_models.asl.rules.stacks import members, stack_facts
from marchtable_models.asl.verbs import Traits, has_trait
from marchtable_models.asl.views.banks import is_spanned
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.ground_facts import STREAMS, WOODS
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.overlay import crossing, site
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.views.standing import Standing
from marchtable_models.asl.views.unitkinds import type_of


class Crest(Action, frozen=True, tag="crest"):
    """
    Infantry IN a Depression, alone or as a stack, claims Crest status along a hexside.

    In the APh this is its Advance. Scenes number the hexside clockwise: ``crest = 0`` is N, ``crest
    = 1`` is NE, and so on.
    """

    unlisted: ClassVar[str] = "each of six hexsides would be a choice for each stack"
    traits: ClassVar[Traits] = ("leaves", "advance")

    units: Companions
    side: Literal["N", "NE", "SE", "S", "SW", "NW"]


class Cresting(PaidIfFree, frozen=True, gc=False):
    """Infantry about to claim Crest status along a hexside of its hex."""

    fit: bool  # Good Order Infantry on foot, not in Bypass and not ``inside`` anything there
    depression: bool  # IN a Depression
    crossed: bool  # that Depression has a ford or bridge
    hexside: Literal[
        "", "depression", "cliff", "edge"
    ]  # the Depression crosses the hexside, or the map ends there
    side: int  # number of the hexside, 0 to 5
    advancing: bool  # as its Advance
    rubble: bool = False  # the Depression is filled with rubble there


@cases(Crest)
def crest_facts(position: AslPosition, action: Crest, edition: Edition) -> list[Case]:
    """Return the facts of units that claim Crest status, and of units left behind."""
    units = members(position, action.units)
    found = stack_facts(
        position, units, "crest", lambda unit: cresting(position, unit, action.side)
    )
    found += interrupted(position, units, edition)
    return found + partings(position, action.units, edition)


def cresting(position: AslPosition, unit: AslUnit, side: str) -> Cresting:
    """Return the facts of a unit that claims Crest status along a hexside."""
    board, number = position.board, DIRECTIONS.index(side)
    here = None if unit.at is None else board[unit.at]
    state = unit.status
    return Cresting(
        fit=type_of(position, unit).is_infantry
        and unit.cargo.aboard is None
        and unit.place.bypass is None
        and not unit.place.inside
        and state.good_order,
        depression=here is not None and here.depression is not None,
        crossed=here is not None and is_spanned(board, here.name),
        hexside=_hexside(position, unit.at, number),
        side=number,
        advancing=position.phase == "APh",
        rubble=here is not None and bool(site(position, here.name).ground.filled),
    )


def _hexside(
    position: AslPosition, at: str | None, number: int
) -> Literal["", "depression", "cliff", "edge"]:
    ways = () if at is None else position.board.neighbours(at)
    beyond = [name for way, name in ways if way == number]
    if at is None or not beyond:
        return "edge"
    ground = crossing(position, at, beyond[0]).ground
    if ground.from_depression and ground.into_depression:
        return "depression"
    return "cliff" if ground.hexside == "cliff" else ""


@clause("B20.91", kind="action")
def claims(facts: Cresting, sheet: Sheet) -> None:
    """Good Order Infantry IN a Depression without ford or bridge can claim Crest status there."""
    if not facts.fit:
        sheet.bar(
            "only Infantry in Good Order, on the ground and not in Bypass, can claim Crest status"
        )
    elif not facts.depression:
        sheet.bar("the unit is not IN a Depression")
    elif facts.crossed:
        sheet.bar("the Depression has a ford or a bridge here")


@clause("B20.91b", kind="action")
def along_a_bank(facts: Cresting, sheet: Sheet) -> None:
    """A unit cannot claim Crest status along a hexside that the Depression or a cliff crosses."""
    if facts.hexside == "depression":
        sheet.bar("the Depression crosses that hexside")
    elif facts.hexside == "cliff":
        sheet.bar("there is a cliff")


@not_modelled("B20.91c")
def at_the_edge(facts: Cresting) -> bool:
    """Crest status along the map edge: whether the Depression goes on there is unknown."""
    return facts.depression and facts.hexside == "edge"


@clause("B20.91d", kind="cost")
def cost(facts: Cresting, sheet: Sheet) -> None:
    """Claiming Crest status costs 2 MF, or the Advance in the APh."""
    if not (facts.advancing or facts.rubble):
        sheet.charge(halves("B20.91", "claim"), "to the Crest", "crest")


@clause("B24.2", kind="cost")
def cost_through_rubble(facts: Cresting, sheet: Sheet) -> None:
    """Claiming Crest status from rubble in a Depression costs 4 MF."""
    if facts.rubble and not facts.advancing:
        sheet.charge(halves("B24.2", "claim"), "through rubble to the Crest", "crest")


@clause("B20.91e", kind="effect")
def is_at_the_crest(facts: Cresting, sheet: Sheet) -> None:
    """A unit that claims Crest status is at the Crest of the stated hexside."""
    sheet.force("inside", "crest")
    sheet.force("crest", facts.side)


class AtCrest(Entry):
    """An entry into, or out of, Crest status."""

    is_relevant = property(lambda self: bool(self.crests or self.bank or self.inside == "crest"))

    @fact
    def above_a_stream(self) -> str:
        """The chart row of a stream's growth that has a Crest cost of its own, else ``""``."""
        grown = self.beside if self.row in STREAMS else ""
        return grown if grown in (*WOODS, "brush", "orchard") else ""


@clause("B20.91f", kind="action")
def goes_there_at_once(facts: AtCrest, sheet: Sheet) -> None:
    """Infantry entering a Depression without ford or bridge can claim Crest status at once, except along the Depression."""
    if not facts.crests:
        return
    ground = facts.ground
    if facts.side is None or ground.edge:
        sheet.unsupported("Crest status along the map's edge")
    elif facts.mover.column != "inf" or not ground.into_depression or facts.spanned:
        sheet.bar("only Infantry in a Depression without a ford or bridge can claim it")
    elif ground.from_depression or ground.hexside == "cliff" or facts.bank:
        sheet.bar("it cannot be claimed from a Depression, from another Crest or along a cliff")


@clause("B20.91g", kind="cost")
def saves_a_factor(facts: AtCrest, sheet: Sheet) -> None:
    """Entering directly into Crest status costs 1 MF less than the hex's terrain."""
    if facts.crests and not facts.above_a_stream:
        sheet.charge(-halves("B20.91", "saves"), "no farther than the Crest", "cot")


@clause("B33.12", kind="cost")
def crest_above_a_stream(facts: AtCrest, sheet: Sheet) -> None:
    """The Crest of a stream costs 3 MF in woods or brush, 2 MF in an orchard."""
    if facts.crests and (grown := facts.above_a_stream):
        figure = halves("B33.12", "orchard" if grown == "orchard" else "woods")
        sheet.charge(figure - sheet.total("cot"), "no farther than the Crest", "cot")


@clause("B20.91h", kind="effect", after=("B20.93c", "B27.13b"))
def is_at_the_crest_at_once(facts: AtCrest, sheet: Sheet) -> None:
    """A unit that claims Crest status on entry is at the Crest of the hexside it crossed."""
    if facts.crests and facts.side is not None:
        sheet.force("inside", "crest")
        sheet.force("crest", facts.side)


@clause("B20.93a", kind="action")
def to_its_own_side(facts: AtCrest, sheet: Sheet) -> None:
    """From a Crest, Infantry enters hexes on its own side only, unless it goes down first."""
    if facts.bank == "other" or (facts.bank == "own" and facts.ground.into_depression):
        sheet.bar("the unit must first go down from this Crest: descend")
    elif facts.bank == "unstated":
        sheet.unsupported("its Crest hexside is not stated: state `crest`")
    elif facts.bank == "down" and facts.inside != "crest":
        sheet.bar("the unit is not at a Crest")


@clause("B20.93b", kind="cost")
def out_of_it(facts: AtCrest, sheet: Sheet) -> None:
    """Leaving a Crest for a hex on its own side costs 1 extra MF."""
    if facts.bank == "own":
        sheet.charge(halves("B20.93", "leave"), "out of the Crest", "crest")


@clause("B20.93c", kind="effect")
def leaves(facts: AtCrest, sheet: Sheet) -> None:
    """A unit that leaves a Crest loses Crest status."""
    if facts.inside == "crest":
        sheet.force("crest", None)


class ActsAtCrest(Standing):
    """A unit in Crest status about to act."""

    is_relevant = property(lambda self: self.inside == "crest")


@not_modelled("B20.9")
def at_crest(facts: ActsAtCrest) -> bool:
    """Acts in Crest status other than leaving it and declarations."""
    return facts.inside == "crest" and not has_trait(facts.verb, "crest")


@effect(Crest)
def after_claim(position: AslPosition, action: Crest, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after units have paid for their claim or advanced."""
    return after_action(position, action, bills)
