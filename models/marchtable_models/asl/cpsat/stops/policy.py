"""The plans with several stops that are searched, in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.plan_model import PlanSpace
from marchtable_models.asl.cpsat.transport.instance import ENTERING, OTHERS, VERBS

if TYPE_CHECKING:
    from marchtable_models.asl.cpsat.transport.instance import Instance

__all__ = ["space_of"]

RESTING = "No vehicle of the plan stays in Motion if the rules forbid its MPh to end that way."
BOARDERS_FIRST = (
    "The units that board a vehicle go first: each walks alone to where the vehicle stands, without "
    "paying for overstacking, and boards it{}. No vehicle is boarded once it has spent MP (D6.4b)."
)
DRIVING = (
    "Then the vehicles act, one after another, in the best order. Units can get off where a vehicle "
    "stands. It goes to a Location and stops, units can get off there, and it goes on to the next, as "
    "long as units leave it. At a stop, stacks leave it one after another, or one unit unhooks the Gun in "
    "tow; units that have left it walk on at once. No vehicle goes where its Riders would bail out, or "
    "stops in Bypass."
)
WALKING = "Then the other Infantry walks, each unit alone."
WAYS = (
    "Each unit takes a route of least points without rolls; of several, the least exposed. To a stop from "
    "which it goes on, a vehicle has one such route for each VCA and state in which it can stand there, "
    "unless a turn makes up for the difference. Of units that walk one after another, the one with the "
    "fewest points to spare goes first (ties are broken by name)."
)
LEAVING = (
    "Units leave the map by a Location that an aim `exit` names: a vehicle, with everything "
    "aboard or in tow, at the end of its course; a unit on foot at the end of its walk."
)
STAYING = "No unit leaves the map."
ELSE = (
    "No unit boards another vehicle after leaving one. No Gun is hooked up, because all units that take part "
    "become TI and cannot move. Cargo stays aboard. No unit drops a SW or lends IPC."
)


def space_of(name: str, instance: Instance) -> PlanSpace:
    """Return the plans that are searched."""
    leaves = instance.exits is not None
    inside = (
        ""
        if instance.position.conditions.year
        else " as a Passenger, because the scene states no year"
    )
    return PlanSpace(
        name=name,
        verbs=(*VERBS, "exit") if leaves else VERBS,
        movers=instance.names,
        policy=(
            BOARDERS_FIRST.format(inside),
            DRIVING,
            RESTING,
            WALKING,
            WAYS,
            ENTERING,
            LEAVING if leaves else STAYING,
            ELSE,
            OTHERS,
        ),
        rolls="avoid",
        left_out=instance.unsupported(),
    )
