"""Tasks that make Infantry TI: Mopping Up, Clearance."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from marchtable.state.action import Action, Companions
from marchtable.state.position import UnitId
from marchtable_models.asl.verbs.traits import Traits, declared_in

__all__ = ["TASK_ACTIONS", "Clear", "MakeClearance", "MopUp"]

Task = Literal["rubble", "flame", "wire", "mines", "dc", "roadblock"]
Side = Literal["N", "NE", "SE", "S", "SW", "NW"]


class MopUp(Action, frozen=True, tag="mop-up"):
    """
    An Infantry MMC secures its building in its PFPh, with ``others`` elsewhere in it, or alone.

    Judged, but never proposed. Broken enemies in it who surrender are told by `capture`.
    """

    traits: ClassVar[Traits] = ("says",)

    unit: UnitId
    others: Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})] = ()


class Clear(Action, frozen=True, tag="clear"):
    """Infantry, alone or as a stack, declares an attempt to clear something of its Location."""

    traits: ClassVar[Traits] = ("leaves", "beneath")

    units: Companions
    what: Annotated[Task, msgspec.Meta(extra={"domain": "task"})]


class MakeClearance(Action, frozen=True, tag="clearance"):
    """
    As the CCPh ends, those who have declared it make their Clearance DR.

    Judged, but never proposed. ``drm`` is what leaders, Labor, heroes, sappers and EC add to it, ``sides``
    are the two hexsides across which a Trail Break goes then, through rubble or mines.
    """

    traits: ClassVar[Traits] = ("says",)

    units: Companions
    what: Task
    drm: Annotated[int, msgspec.Meta(ge=-12, le=12, extra={"domain": "mate"})] = 0
    sides: Annotated[tuple[Side, ...], msgspec.Meta(extra={"domain": "names"})] = ()


TASK_ACTIONS = declared_in(__name__)
