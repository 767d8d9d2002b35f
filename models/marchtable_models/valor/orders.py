"""What players of Valor & Victory do: moves, attacks, losses, rallies, loading; and units that moved."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from marchtable.state.action import Action, Adjacent, Companions, Event, Fellow
from marchtable.state.position import LocationName, UnitId
from marchtable_models.valor.model import Facing

__all__ = [
    "ACTIONS", "CASUALTIES", "ERRANDS", "FIGHTS", "FORMING", "MOVES", "Absorb", "Advance", "Barrage", "Eliminate", "Enter", "Exit", "Fire", "Give", "Hit",
    "Ignore", "Join", "Load", "Moved", "Pin", "Rally", "Reduce", "Smoke", "Split", "Turn", "Unload",
]  # fmt: skip

Points = Annotated[int, msgspec.Meta(ge=1, le=99, extra={"domain": "count"})]
"""Casualty Points."""
Names = Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})]
"""Names of weapons, each ``unit:weapon``."""
Target = Annotated[LocationName, msgspec.Meta(extra={"domain": "target"})]
"""A hex to fire at."""


class Fire(Action, frozen=True, tag="fire"):
    """
    Units attack a hex by AP fire, as one fire group or alone.

    Each unit named in ``weapons`` fires only what is named (``tank:gun``, ``sqA:own``, ``sqA:mg34``,
    ``ldr:none``); every other unit fires all it can bring to bear.
    """

    units: Companions
    target: Target
    weapons: Names = ()


class Pin(Action, frozen=True, tag="pin"):
    """The owner pins a unit for a Casualty Point."""

    unit: UnitId


class Reduce(Action, frozen=True, tag="reduce"):
    """The owner reduces a squad to a half squad."""

    unit: UnitId


class Eliminate(Action, frozen=True, tag="eliminate"):
    """The owner eliminates a unit."""

    unit: UnitId


class Ignore(Action, frozen=True, tag="ignore"):
    """A Gun with a shield, or a valorous unit, ignores the first Casualty Point against it."""

    unit: UnitId


class Absorb(Action, frozen=True, tag="absorb"):
    """An unarmored vehicle or Gun takes several Casualty Points and rolls for survival."""

    unit: UnitId
    points: Points


class Rally(Action, frozen=True, tag="rally"):
    """A pinned unit tries to rally."""

    unit: UnitId


class Moved(Event, frozen=True, tag="moved"):
    """Units have just entered a hex, with whatever they carry; what it cost is not judged."""

    units: Companions
    to: LocationName
    assault: bool = False


class Enter(Action, frozen=True, tag="enter"):
    """
    A unit, or several of a hex as a stack, enter the next hex, with whatever they carry.

    ``assault`` declares Assault Movement as the move begins; it then holds for all of the move.
    """

    units: Companions
    to: Adjacent
    assault: bool = False


class Turn(Action, frozen=True, tag="turn"):
    """A vehicle, AFV or Gun turns to face another hexside of its hex."""

    unit: UnitId
    facing: Facing


class Advance(Action, frozen=True, tag="advance"):
    """A unit advances one hex in the Advance and Assault Phase."""

    unit: UnitId
    to: Adjacent


class Overrun(Action, frozen=True, tag="overrun"):
    """
    An AFV drives through a hex with enemies, attacks them, and stops in the hex beyond.

    It and its Passengers use all that they may, unless ``weapons`` names what a unit uses.
    """

    unit: UnitId
    to: Adjacent
    weapons: Names = ()


class Assault(Action, frozen=True, tag="assault"):
    """
    Infantry of a hex assaults an adjacent hex with enemies.

    Either side uses all that it may, unless ``weapons`` names what a unit uses.
    """

    units: Companions
    to: Adjacent
    weapons: Names = ()


class Lane(Action, frozen=True, tag="lane"):
    """Infantry with a machine gun lays the fire lane of its Opportunity Fire, hex by hex to its target."""

    unit: UnitId
    hexes: Names


class Snipe(Event, frozen=True, tag="snipe"):
    """A sniper in a hex attacks another, and of those there only the units named, if any are."""

    origin: LocationName
    target: LocationName
    units: Names = ()


class Barrage(Event, frozen=True, tag="barrage"):
    """
    A support mission of the side whose Command Phase it is: artillery, smoke of it, or a fighter-bomber.

    ``landed`` is the hex in which it came down, if not the target. How many missions, and how much smoke, a
    side has is for the players to count.
    """

    kind: Literal["light", "heavy", "smoke", "air"]
    target: LocationName
    landed: str = ""


class Load(Action, frozen=True, tag="load"):
    """A unit boards, or a Gun is hooked to, a vehicle of its hex."""

    unit: UnitId
    carrier: Fellow


class Unload(Action, frozen=True, tag="unload"):
    """A carried unit leaves its vehicle, in the same hex."""

    unit: UnitId


class Exit(Action, frozen=True, tag="exit"):
    """A unit, or several of an edge hex as a stack, leave the map for good, with whatever they carry."""

    units: Companions


class Smoke(Action, frozen=True, tag="smoke"):
    """
    A unit puts smoke into a hex: infantry before it moves, a Gun or mortar as a round in its Fire Phase.

    How much its side has is for the players to count.
    """

    unit: UnitId
    to: Annotated[LocationName, msgspec.Meta(extra={"domain": "mate"})]


class Give(Action, frozen=True, tag="give"):
    """A unit hands a support weapon on to another of its hex, in exchange for one (``back``) or not."""

    unit: UnitId
    to: Fellow
    weapon: Annotated[str, msgspec.Meta(extra={"domain": "mate"})]
    back: str = ""


class Split(Action, frozen=True, tag="split"):
    """
    A squad splits into two half squads: it becomes one, and the other (``sqA-2`` beside ``sqA``) is new.

    The new one takes the support weapons named in ``gives``.
    """

    unit: UnitId
    gives: Names = ()


class Join(Action, frozen=True, tag="join"):
    """Two half squads of a type become the squad that is reduced to them: the first, with the weapons of both."""

    unit: UnitId
    to: Fellow


class Hit(Event, frozen=True, tag="hit"):
    """
    Anti-tank fire did this to a vehicle, AFV or Gun; its dice are not judged.

    ``by`` names who fired, who then has attacked this turn: whether it may is judged.
    """

    unit: UnitId
    result: Literal["eliminated", "immobilized", "unharmed"]
    by: str = ""


CASUALTIES = (Pin, Reduce, Eliminate, Ignore, Absorb)
MOVES = (Enter, Turn, Advance, Moved)
FIGHTS = (Overrun, Assault, Lane, Snipe, Barrage)
FORMING = (Split, Join)
ERRANDS = (Exit, Smoke, Give, *FORMING, Hit)
ACTIONS: tuple[type[Action], ...] = (
    Fire, *CASUALTIES, Rally, Load, Unload, *MOVES, *FIGHTS, *ERRANDS,
)  # fmt: skip
