"""What befalls units beside rolls that a rule calls for: attacks, losses, Recall, sight."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from marchtable.action import Event
from marchtable.position import UnitId

__all__ = ["HAPPENINGS", "Befall", "Sight"]

Blow = Literal["attacked", "pinned", "immobilized", "bogged", "stunned", "recalled", "eliminated"]


class Befall(Event, frozen=True, tag="befall"):
    """Something befell a unit: it was attacked without effect, pinned, lost and so on."""

    unit: UnitId
    what: Blow


class Sight(Event, frozen=True, tag="sight"):
    """A unit now has a LOS to these units, and to no others that matter."""

    unit: UnitId
    of: Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})] = ()


HAPPENINGS: tuple[type[Event], ...] = (Befall, Sight)
