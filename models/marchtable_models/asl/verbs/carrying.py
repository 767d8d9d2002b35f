"""The verbs of transport: loading, unloading, towing, and what befalls those who are carried."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from marchtable.state.action import Action, Companions, Event, Fellow
from marchtable.state.position import UnitId
from marchtable_models.asl.corners import CORNERS, Spine
from marchtable_models.asl.verbs.traits import Traits

__all__ = [
    "BailOut",
    "Destroy",
    "Load",
    "Traverse",
]


Armament = Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})]
"""Names of what is taken off a vehicle's armament."""


class Load(Action, frozen=True, tag="load"):
    """Infantry boards a vehicle of its Location, as Passengers or (``riding``) as Riders."""

    traits: ClassVar[Traits] = ("leaves", "still")

    units: Companions
    onto: Fellow
    riding: bool = False


class BailOut(Event, frozen=True, tag="bail-out"):
    """A combat result pins or breaks a Rider, who bails out."""

    unit: UnitId
    by: Literal["pinned", "broken"]


class Traverse(Event, frozen=True, tag="tca"):
    """A turreted AFV points its turret along a hexspine."""

    unit: UnitId
    facing: Annotated[Spine, msgspec.Meta(description=CORNERS)]


class Destroy(Event, frozen=True, tag="destroy"):
    """A vehicle is destroyed: in CC, burning, or by anything else."""

    unit: UnitId
    by: Literal["fire", "cc", "burning"]
