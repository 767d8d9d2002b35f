"""How large a hex can be for an answer: the stacking limit, and well beyond."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from marchtable_models.valor.views.units import type_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.rules.casualties import CasualtiesQuestion
    from marchtable_models.valor.allocation.stack import Choices, Stack
    from marchtable_models.valor.model import ValorPosition, ValorUnit

__all__ = ["beyond", "scarce", "too_much_fire"]

MOST_UNITS = 40
MOST_ROLLING = 4
"""The largest number of vehicles and Guns that might roll for survival."""
MOST_CARRIED = 12
MOST_WALKED = 10
"""The largest number of units for step-by-step search: unusual readings, looking ahead, the front."""
MOST_FIRING = 10
"""The largest number of units of one hex whose fire is divided."""


def too_much_fire(position: ValorPosition, at: str) -> str:
    """Return why the fire of a hex is not divided, or an empty string."""
    if len(position.occupants.get(at, ())) > MOST_FIRING:
        return f"more than {MOST_FIRING} units in {at}: not searched"
    sides = {unit.side for unit in position.occupants.get(at, ())}
    crowded = [
        hex_
        for hex_ in position.occupied
        if sum(unit.side not in sides for unit in position.beside(hex_)) > MOST_WALKED
    ]
    return f"more than {MOST_WALKED} units in {crowded[0]}: not searched" if crowded else ""


def scarce(position: ValorPosition, units: Iterable[ValorUnit]) -> str:
    """
    Return why half-squad counters are too few to advise on losses, or an empty string.

    If as many are left as there are squads to reduce, or none are left and none can return, each
    squad's reduction is independent; otherwise it is not (reading A18).
    """
    if ("A18", "available") not in position.readings:
        return ""
    there = tuple(units)
    standing = Counter(unit.type for unit in there)
    squads = Counter(type_of(position, u).half for u in there if not u.pinned)
    left = {entry.type: entry.left for entry in position.conditions.spare}
    for half, n in squads.items():
        if half is not None and left.get(half, 0) < n and (left.get(half, 0) or standing[half]):
            return f"fewer counters of {half} are left than there are squads to reduce (A18)"
    return ""


def beyond(stack: Stack, question: CasualtiesQuestion, choices: Choices) -> tuple[str, str]:
    """Return the status and reason if a question exceeds the search limits, else two blanks."""
    choices = choices.counted
    liable = [m for m in stack.members if m.id in stack.liable]
    rolling = [m for m in liable if m.kind != "infantry" and not stack.is_pinned(m)]
    carried = [m for m in liable if m.aboard is not None]
    if not choices.is_tabled and "pareto" in question.show:
        odd = ", ".join(i for i in choices.replayed if i != "A30")  # alone, it is left out
        return "UNSUPPORTED", f"no Pareto front under another reading of {odd}"
    walked = not choices.is_tabled or question.ahead is not None or "pareto" in question.show
    for found, most, what in (
        (liable, MOST_UNITS, "units"),
        (rolling, MOST_ROLLING, "vehicles and Guns that may roll for survival"),
        (carried, MOST_CARRIED, "Passengers"),
        (liable if walked else [], MOST_WALKED, "units for such a question"),
    ):
        if len(found) > most:
            return "UNKNOWN", f"more than {most} {what}: not searched"
    return "", ""
