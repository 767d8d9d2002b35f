"""What vehicles do beside going from hex to hex: wait, spend more, free themselves, come and go."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from marchtable.state.action import Action, Companions
from marchtable.state.position import Half, UnitId
from marchtable_models.asl.verbs.traits import Traits, declared_in

__all__ = [
    "PLATOON_ACTIONS", "VEHICLE_ACTIONS", "Delay", "Exit", "Form", "OnePoint", "TaskCheck",
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


PLATOON_ACTIONS: tuple[type[Action], ...] = (Form, TaskCheck)
VEHICLE_ACTIONS = declared_in(__name__)
