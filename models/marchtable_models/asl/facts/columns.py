"""Facts of Columns: who follows whom, and what makes a Column disband."""

from __future__ import annotations

import msgspec

__all__ = ["Disbanding", "Follow"]


class Follow(msgspec.Struct, frozen=True, gc=False):
    """
    A unit of a line behind the lead enters a Location.

    Parameters
    ----------
    just_left
        Whether the unit ahead has just left that Location.
    column, astray
        Whether it is in a Column, and whether the first of its line strays.
    """

    just_left: bool
    column: bool = True
    astray: bool = False


class Disbanding(msgspec.Struct, frozen=True, gc=False):
    """
    A unit of a Column to which something happens that may disband it.

    Parameters
    ----------
    cause
        ``attacked``, ``seen`` (one of its units sees a Known enemy; ``spent``: so it did as somebody
        spent MF or MP, and may still be fired at), ``aircraft``, ``he``, ``wp``
        (near by), ``unsure`` (it may see a Known enemy: that is close, or not modelled), ``wire`` (found), ``declared`` (its owner spends a MF to disband; ``nobody``
        if the unit named is not a Column's first) or ``over`` (the fire this allowed is over).
    mines, harmless
        Whether it was attacked by mines, and without effect.
    on_board
        Whether at least one of its units is on the board.
    declared
        Whether its owner has spent the MF and declared it, or it is to disband for what it sees.
    distance
        Hexes from the nearest of its units to what happens, where that is not in the Column.
    own_turn, phase
        Whether it is its side's Player Turn, and the phase.
    wagon, stuck
        Whether this unit is a wagon, and whether it is bogged, immobile or just lost.
    concealed, waits
        Whether this unit is concealed, and whether it is still off the board.
    after_attack
        Whether this is checked because of an attack, at whomever.
    never_pinned
        Whether this unit is immune to Pin results.
    """

    cause: str
    mines: bool
    harmless: bool
    on_board: bool
    declared: bool
    distance: int
    own_turn: bool
    phase: str
    wagon: bool
    stuck: bool
    concealed: bool
    waits: bool = False
    after_attack: bool = False
    never_pinned: bool = False
