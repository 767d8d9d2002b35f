"""The model of a Convoy's plans without a Gap, and why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.convoy.gap_model import GapModel
from marchtable_models.asl.cpsat.convoy.plans import Convoy

if TYPE_CHECKING:
    from marchtable.rules.plan_model import Control, Reason
    from marchtable_models.asl.cpsat.convoy.ends import Ends

__all__ = ["ConvoyModel"]


class ConvoyModel(Convoy):
    """The plans of one Convoy without a Gap; what forbids a goal may be that none can be made."""

    ends: Ends

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the goal's musts, verified."""
        return GapModel(self).conflict(control)
