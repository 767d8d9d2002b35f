"""Facts of units themselves: who may act, as what group, what is declared, had and paid."""

from __future__ import annotations

import msgspec

__all__ = ["Allowance", "Declaration", "Group", "Parting", "Payment", "Standing"]


class Standing(msgspec.Struct, frozen=True):
    """Whether a unit may act at all now; ``kind`` is ``foot``, ``vehicle`` or ``wreck``."""

    verb: str
    kind: str
    own_turn: bool
    phase: str
    on_map: bool
    mph: str
    final: str
    pinned: bool
    broken: bool
    ti: bool
    prep_fired: bool
    bogged: bool
    immobile: bool
    smc: bool = False
    pp: int = 0


class Group(msgspec.Struct, frozen=True):
    """Units about to enter as one stack."""

    size: int
    distinct: bool
    one_place: bool
    all_foot: bool
    one_side: bool
    phases: tuple[str, ...]


class Parting(msgspec.Struct, frozen=True):
    """A leader about to leave units behind that have used the MF his bonus gave them."""

    indebted: int


class Declaration(msgspec.Struct, frozen=True):
    """Double Time or the lending of IPC about to be declared."""

    verb: str
    foot: bool
    smc: bool
    fresh: bool
    cx: bool
    was_cx: bool
    wounded: bool
    doubled: bool
    own_pp: int
    to_foot: bool
    together: bool
    to_fresh: bool
    to_self: bool
    lent: bool


class Allowance(msgspec.Struct, frozen=True):
    """What a unit's allotment depends on; ``double`` and ``mp`` are half points, ``pp`` PP."""

    is_vehicle: bool
    mp: int
    smc: bool
    inexperienced: bool
    wounded: bool
    led: bool
    pp: int
    cx: bool
    helped: bool
    double: int
    road: bool


class Payment(msgspec.Struct, frozen=True):
    """
    A unit about to pay what was found; half points.

    Parameters
    ----------
    is_vehicle
        Whether it pays MP.
    cost
        What the clauses charged.
    spent, used
        What it has spent, and that part not spent on Start and Stop.
    allotment
        What it has in all.
    whole
        Whether the charge stands for the whole allotment.
    minimum
        Whether this is a Minimum Move.
    extra, rest
        What a vehicle adds of its own accord, or whether it adds all that is left.
    """

    is_vehicle: bool
    cost: int
    spent: int
    used: int
    allotment: int
    whole: bool = False
    minimum: bool = False
    extra: int = 0
    rest: bool = False

    @property
    def left(self) -> int:
        """What would be left if nothing were added, in half points."""
        return self.allotment - self.spent - self.cost
