"""Facts of an AFV that assists another vehicle to free itself, and of smoke dispensers."""

from __future__ import annotations

import msgspec

__all__ = ["GRENADES", "Assisting", "Dispensed", "Dispensing"]

GRENADES = "grenades"


class Assisting(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle that is told to assist a bogged one of its Location.

    Parameters
    ----------
    fit
        Whether it is a Mobile, Stopped AFV there, of its side, CE, in no line, that has not fired.
    fresh
        Whether it has spent nothing in this MPh.
    tons, bogged_tons
        What both weigh, 0 where nobody tells.
    allotment
        Its half MP.
    """

    fit: bool
    fresh: bool
    tons: float
    bogged_tons: float
    allotment: int


class Dispensing(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to try its smoke dispenser.

    Parameters
    ----------
    kind, usage
        Which it is (``sD``, ``sM``, ``sP``, ``sN`` or ``grenades``), and its Usage Number.
    afv, armed, open_topped
        Whether it is an AFV, armed, and open-topped.
    sound, bu
        Whether its crew is there and neither Stunned nor Shocked, and whether it is buttoned up.
    washed
        Whether the weather lets no SMOKE stand in its Location.
    fired, tried
        Whether it or one of its PRC has fired in this Player Turn, and it has tried before.
    left
        Half MP that it has left.
    own_turn
        Whether it is its side's Player Turn, so that firing costs a MP.
    """

    kind: str
    usage: int
    afv: bool
    sound: bool
    bu: bool
    fired: bool
    tried: bool
    left: int
    armed: bool = False
    open_topped: bool = False
    washed: bool = False
    own_turn: bool = True

    @property
    def equipped(self) -> bool:
        """Whether it may have what it tries."""
        return self.armed if self.kind == GRENADES else self.afv


class Dispensed(msgspec.Struct, frozen=True, gc=False):
    """How a try came out, ``fired`` or ``failed``, the half MP spent and used before it, and in whose turn."""

    outcome: str
    spent: int
    used: int
    own_turn: bool = True
