"""The plans with several stops that are searched, in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.plan_model import PlanSpace
from marchtable_models.asl.cpsat.transport.instance import ENTERING, OTHERS, VERBS

if TYPE_CHECKING:
    from marchtable_models.asl.cpsat.transport.instance import Instance

__all__ = ["space_of"]

RESTING = "No vehicle of the plan stays in Motion if its MPh may not end so."
BOARDERS_FIRST = (
    "First those who board a vehicle where it stands: each walks alone to it, paying for nobody's "
    "company, and boards it{}. No vehicle is boarded once it has spent MP (D6.4b)."
)
DRIVING = (
    "Then the vehicles, in whichever order is best, one after another: each may let units off where it "
    "stands, goes to a Location and stops, may let units off there, goes on to the next, as often as somebody "
    "leaves it. Stacks leave it one after another, or one unit unhooks the Gun in tow; units that have left "
    "it walk on at once. None goes where its Riders would bail out, or stops in Bypass."
)
WALKING = "Then the other Infantry, each walking alone."
WAYS = (
    "Each goes by a way of least points that calls for no roll, of these by the least exposed; to a stop from which a vehicle goes on by such a way for each "
    "VCA and state in which it may stand there that turning could not make up for. Of those who walk one after another, who has least to "
    "spare goes first (of equals, by name)."
)
LEAVING = (
    "Units leave the map by a Location that an aim names for that: a vehicle, with all that is "
    "aboard or in tow, at the end of its course; a unit on foot at the end of its walk."
)
STAYING = "Nobody leaves the map."
ELSE = (
    "Nobody boards another vehicle after leaving one. No Gun is hooked up: all who take part in that are "
    "TI, and go nowhere. What is aboard as cargo stays. Nobody drops a SW or lends IPC."
)


def space_of(name: str, instance: Instance) -> PlanSpace:
    """Return the plans that are searched."""
    leaves = instance.exits is not None
    inside = (
        "" if instance.position.conditions.year else " as a Passenger, for the scene states no year"
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
