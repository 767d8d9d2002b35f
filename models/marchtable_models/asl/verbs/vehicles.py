"""What vehicles do beside going from hex to hex: wait, spend more, free themselves, come and go."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from marchtable.state.action import Action, Companions
from marchtable.state.position import Half, UnitId
from marchtable_models.asl.verbs.traits import Traits, declared_in

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


class Exit(Action, frozen=True, tag="exit"):
    """A vehicle, an Infantry unit or a moving stack leaves the map over its edge."""

    traits: ClassVar[Traits] = ("enters", "goes", "leaves", "advance", "beneath")

    units: Companions


VEHICLE_ACTIONS = declared_in(__name__)
