"""Lists the overruns whose attacks were not judged (D7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.model import Enter
from marchtable_models.asl.rules.overruns import overruns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.ruling import Ruling


def assumed_of_overruns(rulings: Sequence[Ruling]) -> list[str]:
    """Return a line for each OVR made: the program judges the move, not the attack."""
    return [
        f"the attack of {', '.join(ruling.action.units)} in {ruling.action.to} is not judged: state what it"
        f" does with `result` ({overruns.id})"
        for ruling in rulings
        if isinstance(ruling.action, Enter) and ruling.action.overrun and ruling.status == "LEGAL"
    ]
