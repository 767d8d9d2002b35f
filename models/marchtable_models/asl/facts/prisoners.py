"""Facts of prisoners and their Guards (A20)."""

from __future__ import annotations

import msgspec

__all__ = ["Custody", "Keeping", "Unguarded"]


class Custody(msgspec.Struct, frozen=True, gc=False):
    """
    What a unit that is guarded, or guards others, is about to do.

    Parameters
    ----------
    verb
        What it does.
    guarded, guards
        Whether it is a prisoner under guard, and whether it guards some.
    horse
        Whether it is Cavalry, or goes on skis or bicycles.
    weak
        Whether its US# is lower than that of all it guards.
    riding
        Whether it boards a vehicle as a Rider.
    """

    verb: str
    guarded: bool
    guards: bool
    horse: bool = False
    weak: bool = False
    riding: bool = False


class Keeping(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to be captured, or a prisoner to be handed on or let go (``verb``).

    Parameters
    ----------
    phase, own_turn
        When, and whether it is a Player Turn of the Guard's side.
    able
        Whether who is to guard it is armed Personnel.
    berserk
        Whether one of the two is.
    enemies
        Whether they are of different sides, and the other is real Personnel.
    guarded
        Whether it is guarded already: to be handed on or let go, by who does that.
    near
        How near they are: ``here``, ``beside`` or ``far``.
    broken, unarmed
        Its state.
    yields
        Whether it is disrupted, and who would guard it in Good Order and not in Melee.
    melee
        Whether it, or the Guard, is told to be held in Melee.
    aboard, line
        Whether one of the two is aboard a vehicle, and whether it belongs to a line.
    us, load
        The US# of who is to guard it, and of all whom he would guard then.
    to
        Who is to guard it.
    spot
        The Location where that one is.
    begun
        Whether some unit of the Guard's side has advanced already.
    secured
        Whether both are in a building that the Guard's side has mopped up in this PFPh.
    """

    verb: str
    phase: str
    own_turn: bool
    able: bool = True
    berserk: bool = False
    enemies: bool = True
    guarded: bool = False
    near: str = "here"
    broken: bool = False
    unarmed: bool = False
    melee: bool = False
    aboard: bool = False
    line: bool = False
    us: int = 0
    load: int = 0
    to: str = ""
    spot: str = ""
    begun: bool = False
    secured: bool = False
    yields: bool = False


class Unguarded(msgspec.Struct, frozen=True, gc=False):
    """
    A prisoner whose Guard is gone, or lets it go.

    Parameters
    ----------
    takers
        Who of its enemies might guard it now: each with its US#, and that of all whom it would guard then.
    to
        Who does; ``""`` for nobody.
    us, load
        The US# of that one, and of all whom he would guard then.
    place
        Where in the Location its Guard was: ``inside``, ``floor``, ``crest`` and ``bypass``.
    """

    takers: tuple[tuple[str, int, int], ...] = ()
    to: str = ""
    us: int = 0
    load: int = 0
    place: tuple[str, int, int | None, int | None] = ("", 0, None, None)
