"""Facts of one unit's step, alone, in a stack or in an Impulse, read off a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable_models.asl.verbs import Along, Bypass, Descend, Into, Stairs
from marchtable_models.asl.views import bypass as bypass_facts
from marchtable_models.asl.views import movers, reading
from marchtable_models.asl.views import vehicles as vehicle_facts
from marchtable_models.asl.views.bypass_facts import Detached
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.movers import mover
from marchtable_models.asl.views.overlay import site
from marchtable_models.asl.views.reading import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable_models.asl.model import AslPosition, AslUnit, Enter, MinimumMove
    from marchtable_models.asl.verbs import Advance, Exit

    Step = Enter | MinimumMove | Exit | Advance | Bypass | Along | Into | Stairs | Descend

WITHIN = frozenset((Along, Into, Stairs, Descend))
"""Acts within a hex: in Bypass, by a stairwell, or down from a Crest."""


def out_of_bypass(unit: AslUnit, action: Along | Into) -> Detached | None:
    """Return the facts of a unit that would go on in Bypass, or into its obstacle, and cannot."""
    if unit.place.bypass is None or unit.at is None:
        return Detached()
    drives = type(action) is Into and unit.facing is not None
    return Detached(drives=True) if drives else None


def _detached(
    position: AslPosition, unit: AslUnit, to: str | None, action: Step
) -> Detached | None:
    """Return the facts of a step in Bypass by a unit not in it, or unable to take it."""
    if type(action) is Bypass:
        if unit.at is None:
            return Detached(waits=bypass_facts.has_room(position, to or ""))
        unstated = bypass_facts.goes_on(unit, to) and unit.move.previous is None
        return Detached(goes_on=True) if unstated else None
    return out_of_bypass(unit, action) if isinstance(action, (Along, Into)) else None


def _within(
    position: AslPosition, unit: AslUnit, stack: movers.Party, action: Step
) -> Iterator[Entry]:
    """Yield the facts of a step within one hex; none off the map, where its standing objects."""
    if isinstance(action, Descend):
        if unit.at is not None:
            yield reading.descent(position, unit, stack)
    elif not isinstance(action, Stairs):
        yield bypass_facts.entry_by_bypass(position, unit, stack, action)  # type: ignore[arg-type]
    elif unit.at is not None:
        yield reading.stairs(position, unit, stack, action)


def facts_of_step(
    position: AslPosition, unit: AslUnit, to: str | None, stack: movers.Party, action: Step
) -> Iterator[Any]:
    """
    Yield the facts of one unit's step, and of the map's edge if it crosses it.

    Parameters
    ----------
    position, unit
        The position, and the unit that takes the step.
    to
        The Location entered, None off the map.
    stack
        The units that take it together.
    action
        Their action.
    """
    apart = _detached(position, unit, to, action)
    if apart is not None:
        yield apart
        return
    if type(action) in WITHIN:
        yield from _within(position, unit, stack, action)
        return
    if to is None or unit.at is None:
        edge = vehicle_facts.over_edge(position, unit, to)
        if edge is not None:
            yield edge
        if edge is None or not edge.at_edge:
            return
    elif position.board.hexside(unit.at, to) is None and not (
        type(action) is Bypass and bypass_facts.goes_on(unit, to)
    ):
        yield reading.jump(position, unit, to)
        return
    if type(action) is Bypass:
        yield bypass_facts.entry_by_bypass(position, unit, stack, action)
        return
    found = reading.entry(position, unit, to or unit.at or "", stack, action)  # type: ignore[arg-type]
    if unit.place.bypass is not None and bypass_facts.is_shut_in(position, unit):
        found = found.replace(shut_in=True)
    yield found


def hexes(*names: str | None) -> tuple[str, ...]:
    """Return the Locations among these names."""
    return names if None not in names else tuple([name for name in names if name is not None])  # type: ignore[return-value]


def off_the_road(position: AslPosition, unit: AslUnit, *, half: bool) -> Entry:
    """
    Return the facts of a unit leaving the road for the terrain beside it in its Location.

    It meets no units that it has not met on the road.
    """
    return Entry(
        ground=site(position, unit.at or "").ground,
        mover=mover(position, unit),
        there=NOWHERE,
        month=position.conditions.month,
        moving=unit.motion.moving,
        off_road=unit.place.off_road,
        on_trail=unit.place.on_trail,
        half=half,
        fresh=unit.points.used == 0,
        road=unit.move.road,
        aside=True,
        stays=True,
        corner="" if unit.place.bypass is None else "at",
    )
