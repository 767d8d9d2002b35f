"""Facts for which a unit pays MF or MP."""

from __future__ import annotations

from typing import Any

from marchtable_models.asl.facts.columns import Disbanding
from marchtable_models.asl.facts.foot import Handling
from marchtable_models.asl.facts.lines import Idle, Joined
from marchtable_models.asl.facts.manning import Abandonment, Emptied, Manned
from marchtable_models.asl.facts.mounts import Dismounting, Mounting, Ridden
from marchtable_models.asl.facts.steps import Entry, StartStop, Swing
from marchtable_models.asl.facts.transport import Alight, Boarding, Disembark, Embark, Hitch
from marchtable_models.asl.facts.vehicles import Wait

__all__ = ["IN_IMPULSES", "PAID", "PAYS"]

PAYS = "declared"
"""The cause for which a Column that might disband pays."""
PAID: frozenset[type[Any]] = frozenset((
    Disbanding, Entry, Idle, Swing, StartStop, Wait, Handling, Boarding, Embark, Disembark, Alight,
    Hitch, Joined, Mounting, Ridden, Dismounting, Abandonment, Emptied, Manned,
))  # fmt: skip
IN_IMPULSES: frozenset[type[Any]] = frozenset((Entry, Idle, StartStop, Swing))
"""Those for which a member pays in an Impulse."""
