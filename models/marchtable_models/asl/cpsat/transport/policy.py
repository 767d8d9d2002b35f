"""Which plans of transport are searched, in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.plan_model import PlanSpace

if TYPE_CHECKING:
    from marchtable_models.asl.cpsat.transport.instance import Instance

__all__ = ["ENTERING", "OTHERS", "VERBS", "space_of"]

VERBS = (
    "start", "stop", "turn", "enter", "leave-road", "minimum", "double-time", "gallop", "load",
    "unload", "unhook", "bypass", "along", "into",
)  # fmt: skip
BOARDING = "First those who board a vehicle: each walks alone to where it stands and boards it"
EITHER = "; whoever boards one vehicle does so as a Passenger, or whoever does as a Rider."
INSIDE = " as a Passenger, for the scene tells no year, on which it depends who may ride."
DRIVING = (
    "Then the vehicles, in whichever order is best: each goes to one Location, "
    "stops, and may be left there by one stack, or by one unit that unhooks the Gun in tow; who leaves "
    "it walks on at once, before another vehicle acts. None goes where its Riders would bail out, or "
    "ends in Bypass."
)
RESTING = (
    "A vehicle in Motion is left so only if its MPh may end as it is with none of the others about, or "
    "with all where they begin, else it stops where it is if it goes nowhere."
)
WALKING = "Then the other Infantry, each walking alone."
WAYS = (
    "Each goes by a way of least points that calls for no roll, of these by the least exposed, if map "
    "and threats are not too large to tell; of those who walk one after another, "
    "who has least to spare goes first (of equals, by name). Nobody pays for company on the "
    "way to a vehicle. Plans in which others in the way turn somebody to a less exposed way are not "
    "looked for."
)
LEAVING = (
    "Who leaves the map does so by a Location that an aim names for that: a vehicle, with all that is "
    "aboard or in tow, instead of stopping; a unit on foot at the end of its walk, with nothing to spare."
)
STAYING = "Nobody leaves the map."
ENTERING = (
    "Who waits off the map comes on when it is his turn to go, by one of the Locations told for him, or "
    "stays there; vehicles with all who are aboard, or in tow, from the start."
)
OTHERS = (
    "Who is not among the movers does nothing, nor does a vehicle that carries him, even if the rules "
    "ask something of them before the MPh ends."
)
ELSE = (
    "A vehicle stops once and takes up nobody on its way; nobody boards another after leaving one. No "
    "Gun is hooked up: all who take part in that are TI, and go nowhere. What is aboard as cargo stays. Nobody "
    "drops a SW or lends IPC."
)


def space_of(name: str, instance: Instance) -> PlanSpace:
    """Return the plans that a problem's model searches."""
    leaves = instance.exits is not None
    boarding = EITHER if instance.position.conditions.year else INSIDE
    driven = (BOARDING + boarding, DRIVING, RESTING, WALKING, WAYS)
    return PlanSpace(
        name=name,
        verbs=(*VERBS, "exit") if leaves else VERBS,
        movers=instance.names,
        policy=(*driven, ENTERING, LEAVING if leaves else STAYING, ELSE, OTHERS),
        rolls="avoid",
        left_out=instance.unsupported(),
    )
