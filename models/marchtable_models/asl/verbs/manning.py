"""The verbs by which crews leave vehicles and man them again (D5.4)."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from marchtable.state.action import Action, Fellow
from marchtable.state.position import UnitId
from marchtable_models.asl.verbs.traits import Traits, declared_in

__all__ = ["MANNING_ACTIONS", "Abandon", "Armament", "Man"]

Armament = Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})]
"""Names of what is taken off a vehicle's armament."""


class Abandon(Action, frozen=True, tag="abandon"):
    """The inherent crew of a vehicle abandons it, with what it takes off of its armament."""

    traits: ClassVar[Traits] = ("still",)

    unit: UnitId
    take: Armament = ()


class Man(Action, frozen=True, tag="man"):
    """A crew on foot mans an Abandoned vehicle, mounting the armament it brings."""

    traits: ClassVar[Traits] = ("leaves",)

    unit: UnitId
    into: Fellow


MANNING_ACTIONS = declared_in(__name__)
