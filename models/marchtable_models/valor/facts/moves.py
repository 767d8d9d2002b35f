"""The small frozen records that clauses on movement look at; amounts are half points."""

from __future__ import annotations

import msgspec

__all__ = [
    "Allowance", "Blast", "Company", "Lie", "Mobile", "Payment", "Sequence", "Step", "There", "Turning",
]  # fmt: skip


class Lie(msgspec.Struct, frozen=True):
    """
    What the map alone tells of a crossing.

    Parameters
    ----------
    adjacent, direction
        Whether the hexes are, and the number of the hexside between them (-1: none).
    here, there
        Ids of the rows of both hexes, ``""`` where there is none.
    road
        Whether a road crosses the hexside.
    side
        Id of the row of what lies along it, ``""`` for nothing.
    unknown
        Names of terrain that has no row.
    climb, top
        Levels up (or down), and the higher one.
    """

    adjacent: bool
    direction: int
    here: str
    there: str
    road: bool
    side: str
    unknown: str
    climb: int
    top: int


class There(msgspec.Struct, frozen=True, order=True):
    """Who stands in a hex on their own, whether enemies do, and what lies there."""

    infantry: int = 0
    vehicles: int = 0
    guns: int = 0
    enemy: bool = False
    markers: tuple[str, ...] = ()


class Mobile(msgspec.Struct, frozen=True):
    """
    Whether a unit may move at all.

    Parameters
    ----------
    verb
        ``enter``, ``turn``, ``advance``, ``overrun``, ``assault`` or ``exit``.
    phase, own_turn, on_map, waits
        When and where, and whether it waits off the map.
    pinned, fired, advanced, turned
        Its state.
    can_move
        Whether it has any MP.
    concluded, immobile
        Whether it has moved, and stopped, and whether it is immobilized.
    """

    verb: str
    phase: str
    own_turn: bool
    on_map: bool
    pinned: bool
    fired: bool
    advanced: bool
    turned: bool
    can_move: bool
    concluded: bool
    waits: bool = False
    immobile: bool = False


class Sequence(msgspec.Struct, frozen=True):
    """
    A phase that begins.

    Parameters
    ----------
    same_side, later
        Whether it is in the same Player Segment, and comes after the phase that ends.
    known
        Whether the side that it names, if any, is in the game.
    """

    same_side: bool
    later: bool
    known: bool


class Company(msgspec.Struct, frozen=True):
    """
    Who moves together.

    Parameters
    ----------
    distinct, hexes, sides
        Whether nobody is named twice, and from how many hexes and of how many sides they are.
    missing, strange
        Units with which one of them began its move and that could still come along, and units with
        which it did not.
    """

    distinct: bool
    hexes: int
    sides: int
    missing: int
    strange: int


class Step(msgspec.Struct, frozen=True):
    """
    A unit's step into a hex.

    Parameters
    ----------
    verb
        ``enter``, ``advance``, ``overrun``, or ``beyond`` for the hex in which an overrun ends.
    kind
        ``infantry``, ``gun``, ``vehicle`` or ``afv``.
    way
        Of a vehicle or AFV: ``ahead``, ``behind`` or ``aside``.
    lie
        The map.
    enemy, work, wire, mines
        What is in the hex: enemies, a fortification or entrenchment, barbed wire, a minefield.
    tangled
        Whether it has come into barbed wire in this move.
    comes_on
        Of one that waits off the map: ``told`` if the scene lets it come on there, else ``strange``.
    assault, declared, under_way
        Whether the move is by Assault Movement, whether that is declared now, and whether the unit
        is moving already.
    """

    verb: str
    kind: str
    way: str
    lie: Lie
    enemy: bool = False
    work: bool = False
    wire: bool = False
    mines: bool = False
    tangled: bool = False
    assault: bool = False
    declared: bool = False
    under_way: bool = False
    comes_on: str = ""

    @property
    def is_heavy(self) -> bool:
        """Whether it is no infantry."""
        return self.kind != "infantry"

    @property
    def column(self) -> str:
        """Whose MP it pays: Guns are moved by their crews."""
        return "vehicle" if self.kind in ("vehicle", "afv") else "infantry"


class Turning(msgspec.Struct, frozen=True):
    """
    A unit that turns.

    Parameters
    ----------
    kind, phase
        Of which kind, and when.
    sides
        By how many hexsides.
    under_way, turned
        Whether it is moving, and whether it has turned in this hex.
    """

    kind: str
    phase: str
    sides: int
    under_way: bool
    turned: bool


class Allowance(msgspec.Struct, frozen=True):
    """What a unit has to move by: its class, printed MP, a leader along, heavy weapons, Assault Movement."""

    class_: str
    mp: int
    led: bool = False
    heavy: bool = False
    assault: bool = False


class Payment(msgspec.Struct, frozen=True):
    """
    Facts of paying for a step or a turn.

    Parameters
    ----------
    allotment, spent, cost
        In half points.
    begins
        Whether it is the first hex of a move.
    steep
        Whether it leads from level 0 to level 2 or back.
    """

    allotment: int
    spent: int
    cost: int
    begins: bool
    steep: bool


class Blast(msgspec.Struct, frozen=True):
    """How a minefield dealt with a unit: ``safe`` or ``eliminated``."""

    outcome: str
