"""What vehicles do beside going from hex to hex: wait, spend more, free themselves, come and go."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from marchtable.state.action import Action, Companions, Event
from marchtable.state.position import Half, UnitId
from marchtable_models.asl.corners import CORNERS, Spine
from marchtable_models.asl.verbs.traits import Traits, declared_in

__all__ = [
    "PLATOON_ACTIONS", "VEHICLE_ACTIONS", "Delay", "ExcessSpeed", "Exit", "Form", "MotionAttempt", "TaskCheck", "Veer",
]  # fmt: skip

Mate = Annotated[UnitId, msgspec.Meta(extra={"domain": "mate"})]
"""Another AFV, with or next to the acting one: judged, never proposed."""
OnePoint = Annotated[Half, msgspec.Meta(extra={"domain": "free"})]


class Delay(Action, frozen=True, tag="delay"):
    """
    A stopped vehicle spends MP where it stands; one is proposed.

    ``wreck`` names a wreck of its Location that it spends them on pushing away: half its MP or more, and
    it need not be stopped (D10.42).
    """

    traits: ClassVar[Traits] = ("still", "waiting")

    unit: UnitId
    mp: OnePoint = 2
    wreck: Annotated[UnitId | None, msgspec.Meta(extra={"domain": "free"})] = None


class ExcessSpeed(Action, frozen=True, tag="esb"):
    """A vehicle asks more of its engine than the printed MP; one MP is proposed."""

    unit: UnitId
    mp: OnePoint = 2


class Form(Action, frozen=True, tag="form"):
    """An AFV forms a platoon with another as their MPh begins, or joins the platoon it is in."""

    traits: ClassVar[Traits] = ("waiting",)

    unit: UnitId
    mate: Mate


class TaskCheck(Action, frozen=True, tag="task-check"):
    """An AFV without a radio takes the task check that it needs to move alone (D14.23)."""

    unit: UnitId


class Exit(Action, frozen=True, tag="exit"):
    """A vehicle, an Infantry unit or a moving stack leaves the map over its edge."""

    traits: ClassVar[Traits] = ("enters", "goes", "leaves", "advance", "beneath")

    units: Companions


class MotionAttempt(Event, frozen=True, tag="motion"):
    """
    A vehicle of the DEFENDER tries to get under way.

    ``seen`` is what the unit that now moves has spent in its LOS this MPh; ``reverse`` tells that it
    tries for Reverse Motion. Of a platoon one is named, and all try with it.
    """

    traits: ClassVar[Traits] = ("says",)

    unit: UnitId
    seen: OnePoint = 2
    reverse: bool = False


class Veer(Event, frozen=True, tag="vca"):
    """A vehicle of the DEFENDER whose Motion attempt has succeeded points its VCA along a hexspine."""

    traits: ClassVar[Traits] = ("says",)

    unit: UnitId
    facing: Annotated[Spine, msgspec.Meta(description=CORNERS)]


PLATOON_ACTIONS: tuple[type[Action], ...] = (Form, TaskCheck)
VEHICLE_ACTIONS = declared_in(__name__)
