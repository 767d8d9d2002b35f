"""The records that clauses see. Amounts are half points; equal facts deserve equal findings."""

from __future__ import annotations

from typing import Literal

import msgspec

from marchtable_models.panzer.model import Column, Game, TerrainRow, UnitType

__all__ = [
    "Allowance", "Assaulting", "Burden", "Firing", "Leaving", "Lie", "Limits", "Loading", "Mobile", "Observing", "Overrunning", "Owing", "Pairing",
    "Payment", "Recording", "Removal", "Sequence", "Shelling", "Stack", "Step", "There", "Unloading",
]  # fmt: skip

Done = Literal["", "now", "earlier"]
Task = Literal["", "load", "unload"]


class Limits(msgspec.Struct, frozen=True, order=True):
    """A faction's stacking limits, by PanzerBlitz and by Panzer Leader."""

    panzerblitz: int
    leader: int


class There(msgspec.Struct, frozen=True, order=True):
    """
    Who stands in a hex beside the mover: own units, those carried, others; own units' limits.

    Of what lies there wrecks, forts and blocks are counted, ``mines`` are there or not; the rest are
    ``markers``. ``registered``: whether an enemy has registered fire there and observes.
    """

    units: int = 0
    carried: int = 0
    enemy: bool = False
    markers: tuple[str, ...] = ()
    limits: tuple[Limits, ...] = ()
    wrecks: int = 0
    forts: int = 0
    blocks: int = 0
    mines: bool = False
    registered: bool = False

    @property
    def stops(self) -> Literal["", "mines", "block", "fort"]:
        """What there stops who comes in, the first of them."""
        if self.mines:
            return "mines"
        if self.blocks:
            return "block"
        return "fort" if self.forts and self.enemy else ""


class Lie(msgspec.Struct, frozen=True):
    """What the map alone tells of a crossing, in its own words."""

    adjacent: bool
    here: str
    there: str
    hexside: str
    road: bool
    rise: bool


class Mobile(msgspec.Struct, frozen=True):
    """
    Whether a unit may move at all.

    ``waits`` tells of one off the map that it may come on, ``stopped`` of one that has moved in this
    phase what in its hex stops it, ``late`` of a vehicle that others of its side have moved on foot.
    """

    own_phase: bool
    on_map: bool
    has_mf: bool
    dispersed: bool
    aboard: bool
    handled: Done
    task: Task
    before: bool
    loaded: bool
    observed: bool
    fired: bool
    optional: tuple[str, ...]
    overran: bool = False
    waits: bool = False
    stopped: Literal["", "mines", "block", "fort"] = ""
    late: bool = False


class Overrunning(msgspec.Struct, frozen=True):
    """
    A vehicle about to drive through a hex with enemies.

    Parameters
    ----------
    armoured, by_road, fired
        Whether it is, has moved at the road rate this phase, and has fired this turn.
    targets, crushed
        Enemies in the hex, and whether they have been overrun this turn.
    clear
        Whether the hex is clear terrain.
    beyond, free
        Whether there is a hex straight beyond it, and no enemy in that.
    twice
        Whether the vehicle is named more than once.
    stops
        What in the hex would stop it.
    """

    armoured: bool
    by_road: bool
    targets: int
    crushed: bool
    clear: bool
    beyond: bool
    free: bool
    fired: bool = False
    twice: bool = False
    stops: Literal["", "mines", "block", "fort"] = ""


class Step(msgspec.Struct, frozen=True):
    """
    A unit's step into a hex.

    Parameters
    ----------
    column
        Its column of the chart.
    adjacent, road, rise
        Of the crossing.
    row, left, clear, slope
        Rows of the chart: of the hex entered (None where it has none), of the hex left, and those
        for roads without their rate and for steps upward.
    hexside
        Row of what lies between; ``uncharted`` names what has none.
    added
        Whether the row is the scene's own.
    others
        Who is in the hex.
    vehicle
        Whether the mover is one.
    overruns
        Whether it drives through enemies: by no road, then.
    concealed, optional
        Whether by the optional concealed movement, and the optional rules in play.
    late
        Whether a block lies there and the mover has entered a hex before this one.
    comes_on
        Of one that waits off the map: ``told`` if the scene lets it come on there, else ``strange``.
    beyond
        Whether it is the second step of an overrun.
    """

    column: Column
    adjacent: bool
    road: bool
    rise: bool
    row: TerrainRow | None
    left: TerrainRow | None
    clear: TerrainRow
    slope: TerrainRow
    hexside: TerrainRow | None
    uncharted: str
    added: bool
    others: There
    vehicle: bool
    overruns: bool = False
    concealed: bool = False
    optional: tuple[str, ...] = ()
    late: bool = False
    comes_on: Literal["", "told", "strange"] = ""
    beyond: bool = False


class Shelling(msgspec.Struct, frozen=True):
    """What the enemy decides of fire registered on the hex that a unit has entered: ``fired`` or ``held``."""

    outcome: str


class Leaving(msgspec.Struct, frozen=True):
    """A unit about to leave the map: whether its hex lies at the edge."""

    edge: bool


class Payment(msgspec.Struct, frozen=True):
    """Facts of paying for a step; ``overruns`` and ``concealed`` are its ways."""

    mf: int
    cost: int
    spent: int
    allotment: int
    entered: bool
    task: Task
    overruns: bool = False
    concealed: bool = False


class Allowance(msgspec.Struct, frozen=True):
    """What a unit has to move by: its movement factor, and whether it has unloaded."""

    mf: int
    task: Task


class Loading(msgspec.Struct, frozen=True):
    """A transport loading a unit."""

    own_phase: bool
    lone: bool
    together: bool
    same_side: bool
    task: Task
    entered: bool
    spent: int
    mf: int
    aboard: bool
    carried: bool
    passenger_moved: bool
    passenger_fired: Done
    passenger_unloaded: bool
    dispersed: bool
    optional: tuple[str, ...]


class Burden(msgspec.Struct, frozen=True):
    """How many units a transport would carry."""

    carries: int


class Unloading(msgspec.Struct, frozen=True):
    """A transport unloading a unit."""

    own_phase: bool
    aboard: bool
    task: Task
    spent: int
    entered: bool
    onward: bool
    before: bool
    mf: int
    dispersed: bool
    optional: tuple[str, ...]


class Pairing(msgspec.Struct, frozen=True):
    """Who would carry whom; ``doctrine`` lists the games by which armour of its faction carries riders."""

    carrier: UnitType
    passenger: UnitType
    doctrine: tuple[Game, ...]


class Recording(msgspec.Struct, frozen=True):
    """
    The stack as a pair is loaded or unloaded.

    Parameters
    ----------
    role
        Whose place it is.
    verb
        What is done: ``enter`` is said of a transport without a passenger.
    top
        The highest place of the others in the hex.
    lowest, lowest_of_all
        The lowest place of the transportable unloaded units, and of all units but the transport.
    """

    role: Literal["transport", "passenger"]
    verb: Literal["load", "unload", "enter"]
    top: int
    lowest: int
    lowest_of_all: int


class Stack(msgspec.Struct, frozen=True):
    """
    A hex and its units of one side.

    Parameters
    ----------
    why
        What calls for a look at it.
    units, carried
        How many there are, and how many of them are carried (of one that enters, it alone).
    limits
        How many there may be, by the faction of each of them.
    markers, wrecks, forts, blocks
        What else is there, and how many wrecks, forts and blocks.
    unloaded
        Whether one of them was unloaded this phase.
    """

    why: Literal["load", "unload", "enter", "end"]
    units: int
    carried: int
    limits: tuple[Limits, ...]
    unloaded: bool = False
    markers: tuple[str, ...] = ()
    wrecks: int = 0
    forts: int = 0
    blocks: int = 0


class Firing(msgspec.Struct, frozen=True):
    """A unit that fires; ``mined`` if it has come into mines this turn."""

    in_turn: bool
    on_map: bool
    dispersed: bool
    aboard: bool
    handled: Done
    fired: Done
    task: Task
    mined: bool = False


class Assaulting(msgspec.Struct, frozen=True):
    """
    A unit about to close-assault a hex.

    Parameters
    ----------
    in_turn
        Whether it is its side's Assault phase.
    kind
        What it is.
    adjacent, targets
        Whether the hex is next to its own, and how many enemies are in it.
    dispersed, aboard, handled, fired
        Of the unit: whether it is dispersed and carried, and what it has done this turn.
    far
        Whether it has entered a second hex this turn.
    mined, twice
        Whether it has come into mines this turn, and whether it is named more than once.
    """

    in_turn: bool
    kind: str
    adjacent: bool
    targets: int
    dispersed: bool
    aboard: bool
    handled: Done
    fired: Done
    far: bool
    mined: bool
    twice: bool = False


class Observing(msgspec.Struct, frozen=True):
    """A unit that observes for indirect fire; ``moved`` and ``carried`` tell of its transport."""

    in_turn: bool
    on_map: bool
    dispersed: bool
    carrier_class: bool
    observer: bool
    aboard: bool
    moved: bool
    carried: bool


class Owing(msgspec.Struct, frozen=True):
    """A transport and the passenger that a DD threw off it: one must go before all else."""


class Sequence(msgspec.Struct, frozen=True):
    """
    A phase that begins: whether it lies behind the one that ends, in the same side's turn.

    ``known`` tells whether the side that it names is in the game.
    """

    same_side: bool
    later: bool
    known: bool


class Removal(msgspec.Struct, frozen=True):
    """A unit that its owner removes: whether a DD parted it from its like, and too many are there."""

    thrown: bool
    crowded: bool
