"""The declaration of a Human Wave; it moves by Impulses."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from marchtable.state.action import Action
from marchtable.state.position import UnitId
from marchtable_models.asl.grains import Course
from marchtable_models.asl.verbs.traits import Traits, declared_in

__all__ = ["WAVE_ACTIONS", "Wave"]


class Wave(Action, frozen=True, tag="wave"):
    """
    Infantry of a chain of hexes declares a Human Wave upon an enemy unit; its Impulses follow.

    Judged, but never proposed. ``course`` is the Hex Grain through the enemy's hex, as the hexside by
    which it goes on, or two: ``SW-S`` enters that hex by a step SW and leaves it by one S.
    """

    traits: ClassVar[Traits] = ("says",)

    units: Annotated[tuple[UnitId, ...], msgspec.Meta(extra={"domain": "names"})]
    target: Annotated[UnitId, msgspec.Meta(extra={"domain": "mate"})]
    course: Annotated[Course, msgspec.Meta(extra={"domain": "mate"})]


WAVE_ACTIONS = declared_in(__name__)
