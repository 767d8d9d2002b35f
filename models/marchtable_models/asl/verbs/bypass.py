"""The verbs of Bypass (A4.3, D2.3)."""

from __future__ import annotations

from typing import ClassVar

from marchtable.state.action import Action, Adjacent, Companions
from marchtable.state.position import Half, UnitId
from marchtable_models.asl.corners import Spine
from marchtable_models.asl.verbs.traits import Traits, declared_in


class Bypass(Action, frozen=True, tag="bypass"):
    """
    A vehicle, an Infantry unit or a stack goes round the woods or building of an adjacent hex.

    Infantry names the ``vertex`` of that hex that it goes to, by the shorter way that is clear; a
    vehicle goes along the one hexside that its VCA points along; ``extra`` is what it spends beyond
    the least it must (D2.18), judged but never proposed.
    """

    traits: ClassVar[Traits] = ("enters", "goes", "leaves", "beneath", "waiting")

    units: Companions
    to: Adjacent
    vertex: Spine | None = None
    extra: Half = 0


class Along(Action, frozen=True, tag="along"):
    """A vehicle goes on along the next hexside of the obstacle that it bypasses."""

    traits: ClassVar[Traits] = ("enters",)

    unit: UnitId


class Into(Action, frozen=True, tag="into"):
    """A vehicle, an Infantry unit or a stack enters the woods or building that it bypasses."""

    traits: ClassVar[Traits] = ("enters",)

    units: Companions
    half: bool = False


BYPASSES = declared_in(__name__)
