"""Models that can plan for a goal; each is loaded only on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.plan_hooks import PlanningSpace
from marchtable_models.asl.rules import columns, convoys, freeing, platoons, routing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.rules.plan_model import PlanModel, PlanSpace, Rolls
    from marchtable.state.goal import Goal
    from marchtable_models.asl.hooks.travel import AslTravel
    from marchtable_models.asl.model import AslPosition


def _unfit_for_stops(rulebook: AslTravel, position: AslPosition, goal: Goal) -> str:
    """Return the reason why several stops cannot be searched."""
    if position.phase != "MPh":
        return f"it is the {position.phase}"
    from marchtable_models.asl.cpsat.stops.model import TransportStops

    return TransportStops(rulebook, position, goal).unfit


_LINE = "a goal about units of only one {}, all of which can move"
SPACES = {
    "column": PlanningSpace(_LINE.format("Column of Personnel on foot")),
    "convoy": PlanningSpace(_LINE.format("Convoy, one vehicle per hex,")),
    "convoy-gaps": PlanningSpace(
        _LINE.format("Convoy, one vehicle per hex,"), contains=("convoy",)
    ),
    "foot": PlanningSpace("Infantry that can walk, and goals about no other unit that could move"),
    "platoon": PlanningSpace(
        _LINE.format("AFV platoon (D14.2)") + "; no AFV of it is in Bypass or Reverse, has Prep "
        "Fired, or must leave the map"
    ),
    "transport": PlanningSpace(
        "vehicles and Infantry that can move, and goals about no other unit that could"
    ),
    "transport-stops": PlanningSpace(
        "one to three vehicles, and one to six units aboard them or able to board",
        unfit=_unfit_for_stops,
    ),
}
"""What each space is for."""
LINES = ("column", "convoy", "convoy-gaps", "platoon")
PLANNED_JOINTLY = frozenset(
    one.id for one in (convoys.only_by_impulses, convoys.platoon_by_impulses, columns.closed_list)
)
_FIRST = "is not searched: play `{} UNIT` and its roll first, then ask again (`options` lists it)"
UNPLANNED = {
    routing.who_routs.id: "routs are not searched: `options` lists the legal ones, hex by hex",
    freeing.unbog.id: f"freeing a bogged vehicle {_FIRST.format('unbog')}",
    platoons.needs_check.id: f"the task check of an AFV without a radio {_FIRST.format('task-check')}",
}
"""Clauses by which units act in a way that no model searches, with what to do instead."""


def models(
    rulebook: AslTravel, position: AslPosition, goal: Goal, rolls: Rolls
) -> Iterator[PlanModel]:
    """Yield the suitable models, best first: Columns, Convoys, platoons, transport, foot, several stops."""
    if any(unit.line.column for unit in position.units):
        from marchtable_models.asl.cpsat.column.model import column_models

        yield from column_models(rulebook, position, goal, rolls)
    if position.phase != "MPh":
        return
    if any(unit.line.convoy for unit in position.units):
        from marchtable_models.asl.cpsat.convoy.model import convoy_models

        yield from convoy_models(rulebook, position, goal, rolls)
    if any(unit.line.platoon for unit in position.units):
        from marchtable_models.asl.cpsat.platoons import platoon_models

        yield from platoon_models(rulebook, position, goal, rolls)
    drives = any(unit.facing is not None for unit in position.units)
    if drives:
        # a Convoy's plans state how its MPh ends: a stuck one is no use
        is_line = any(unit.line.convoy for unit in position.units)
        yield from (
            one for one in _transport(rulebook, position, goal) if not is_line or one.space.movers
        )
    yield from _foot(rulebook, position, goal)
    if drives:
        from marchtable_models.asl.cpsat.stops.model import TransportStops

        stops = TransportStops(rulebook, position, goal)
        if stops.is_fit:
            yield stops
    elif any(aim.exit for aim in goal.aims):
        yield from _transport(rulebook, position, goal)


def space_notes(position: AslPosition, space: PlanSpace) -> list[str]:
    """Return which units stay in place in plans of other units, being in a line."""
    if space.name in LINES:
        return []
    there = [position.unit(name) for name in space.movers if name in position.index]
    lined = [one.id for one in there if one.line.convoy or one.line.column or one.line.platoon]
    if not lined:
        return []
    return [
        f"{', '.join(lined)} can move only with a Convoy, Column or platoon: the space {space.name} "
        "leaves them in place, and no space plans them together with other units"
    ]


def barred(rulebook: AslTravel, position: AslPosition, goal: Goal) -> Iterator[PlanModel]:
    """Yield the transport model if boarding is barred but vehicles and Infantry are at hand."""
    if position.phase == "MPh" and any(unit.facing is not None for unit in position.units):
        from marchtable_models.asl.cpsat.transport.model import Transport

        transport = Transport(rulebook, position, goal)
        if not transport.is_fit and transport.might_carry:
            yield transport


def _transport(rulebook: AslTravel, position: AslPosition, goal: Goal) -> list[PlanModel]:
    from marchtable_models.asl.cpsat.transport.model import Transport

    transport = Transport(rulebook, position, goal)
    return [transport] if transport.is_fit else []


def _foot(rulebook: AslTravel, position: AslPosition, goal: Goal) -> list[PlanModel]:
    from marchtable_models.asl.cpsat.foot.model import Foot

    foot = Foot(rulebook, position, goal)
    return [foot] if foot.is_fit else []
