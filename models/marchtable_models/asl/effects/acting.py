"""The effect of each action itself on a position, apart from clauses' charges and forced changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from marchtable.rules.judging import paid_by_unit
from marchtable.state.records import holder_of, replace
from marchtable_models.asl import records
from marchtable_models.asl.effects.handling import fresh_counter, left_behind, rested_loads
from marchtable_models.asl.model import (
    ACTIONS,
    AslUnit,
    End,
    Enter,
    MinimumMove,
    Start,
    Stop,
    Turn,
    actors,
)
from marchtable_models.asl.verbs import Advance, Along, Bypass, Exit, Into, Stairs
from marchtable_models.asl.views import lines
from marchtable_models.asl.views.bypass import place_after
from marchtable_models.asl.views.cargo import carried_by, hauled, led, removed
from marchtable_models.asl.views.mph_ends import others_moving
from marchtable_models.asl.views.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from marchtable.rules.rulebook import Bill
    from marchtable.state.action import Action, Phase
    from marchtable_models.asl.model import AslPosition

FRESH: dict[str, Any] = {name: getattr(holder_of(AslUnit, name)(), name) for name in records.FRESH}
"""What a unit has as its MPh begins: the defaults of fields that last for one."""


TO_ROUT = ("mph", "spent", "used", "final", "previous", "double", "goals", "fled", "leaders")
"""The verbs among them that begin a rout, by a broken unit or a leader with one."""
AFRESH = {name: FRESH[name] for name in TO_ROUT}
DECLARED = tuple(verb for verb in ACTIONS if "says" in getattr(verb, "traits", ()))
"""Acts that begin no MPh."""
STARTS = (Start, Stop)
ENTRIES = (Enter, MinimumMove, Bypass, Along, Into)
LEAVES_HEX: tuple[type[Action], ...] = (Enter, MinimumMove, Exit, Bypass)


def after_action(
    position: AslPosition, action: Action, bills: Sequence[Bill], **changes: Any
) -> AslPosition:
    """
    Return the position after an action.

    Parameters
    ----------
    position, action
        The position and the action.
    bills
        Its cost for each unit.
    changes
        Other fields it sets on each acting unit.
    """
    if isinstance(action, End):
        unit = position.unit(action.unit)
        line = lines.members(position, unit) or (unit,)  # a line ends its MPh as one
        return position.with_units([replace(u, move=replace(u.move, mph="done")) for u in line])
    paid = paid_by_unit(bills)
    return _after_acts(position, action, paid, changes)


def after_line(position: AslPosition, unit: str, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a unit has declared something for its line: all of it have paid, and begun."""
    paid = paid_by_unit(bills)
    changed = [
        replace(paying(one, paid), mph="done" if one.move.mph == "done" else "moving")
        for one in map(position.unit, paid)
    ]
    return begun(position, [position.unit(unit)], changed)


def captured(position: AslPosition, unit: AslUnit) -> AslPosition:
    """Return the position after a unit is captured: it drops its SW, neither broken nor concealed."""
    plain: dict[str, Any] = {"broken": False, "dm": False, "pinned": False, "disrupted": False}
    plain |= {"concealed": False, "melee": "", "mph": "done", "inside": "", "floor": 0}
    plain |= {"crest": None, "bypass": None, "wall_advantage": False, "leaders": (), "dash": None}
    left = left_behind(position, unit)
    return left.with_units([replace(unit, sw=(), **plain)])


def lost(position: AslPosition, unit: AslUnit) -> AslPosition:
    """Return the position without a unit on foot, with its SW left there."""
    return left_behind(position, unit).with_units(removed(position, unit))


def _after_acts(
    position: AslPosition, action: Action, paid: Mapping[str, int], changes: Mapping[str, Any]
) -> AslPosition:
    """Return the position after units have acted separately, and whose MPh that ends."""
    ids = actors(action)
    members = [position.unit(name) for name in ids]
    changed = [acted(position, action, unit, paid.get(unit.id, 0)) for unit in members]
    if changes:
        changed = [replace(unit, **changes) for unit in changed]
    changed += led(position, changed)
    kind = type(action)
    if kind in DECLARED or position.phase not in ("MPh", "RtPh"):
        return position.with_units(changed)
    if kind in LEAVES_HEX:
        changed += hauled(position, members, changed[: len(members)])
    if kind is Exit:
        gone = [other for unit in members for other in carried_by(position, unit)]
        changed += [replace(u, at=None, exited=True, mph="done", bypass=None) for u in gone]
    return begun(position, members, changed)


def begun(
    position: AslPosition, members: Sequence[AslUnit], changed: Sequence[AslUnit]
) -> AslPosition:
    """Return the position with units changed; if their MPh begins, the MPh of others is over."""
    over: list[AslUnit] = []
    if any([unit.move.mph == "unmoved" for unit in members]):  # noqa: C419 - quicker
        ids = [unit.id for unit in (*members, *changed)]
        over = [
            replace(u, move=replace(u.move, mph="done"))
            for u in others_moving(position, members[0].side, ids)
        ]
    return position.with_units([*over, *changed] if over else changed)


BROKEN: dict[str, Any] = {
    "broken": True, "dm": True, "dash": None, "wave": "",
    **dict.fromkeys(("cx", "ti", "concealed", "assault"), False),
}  # fmt: skip
"""What changes for a unit that breaks (A10.62)."""


def resolved(before: AslPosition, after: AslPosition, *, over: bool = False) -> AslPosition:
    """Return a position in which fire at earlier acts, or a phase, is over."""
    done = [
        replace(
            after.unit(unit.id),
            act="",
            hitch=(),
            cafp="past" if unit.place.cafp and not over else "",
        )
        for unit in before.units
        if unit.cargo.act or (unit.place.cafp and (over or unit.place.cafp == "at"))
    ]
    return after.with_units(done) if done else after


def acted(position: AslPosition, action: Action, unit: AslUnit, amount: int) -> AslUnit:
    """Return a unit after its own action, with the amount paid."""
    act: Callable[..., AslUnit] = _ACTS.get(type(action), _shifts)
    return act(position, action, unit, amount)


def paying(unit: AslUnit, paid: Mapping[str, int]) -> AslUnit:
    """Return a unit that has paid its own cost."""
    amount = paid.get(unit.id, 0)
    return replace(unit, spent=unit.points.spent + amount, used=unit.points.used + amount)


def used_after(action: Action, unit: AslUnit, amount: int) -> int:
    """Return a unit's points spent this MPh, except on Start and Stop, after paying an action."""
    kind = type(action)
    if kind in STARTS:
        return unit.points.used
    return max(
        int(kind in ENTRIES), unit.points.used + amount
    )  # a hex was entered, even for the remainder


def _mph(unit: AslUnit) -> Literal["moving", "done"]:
    return "done" if unit.move.mph == "done" else "moving"


def _pays(_: AslPosition, __: Action, unit: AslUnit, amount: int) -> AslUnit:
    spent, used = unit.points.spent + amount, unit.points.used + amount
    points = replace(unit.points, spent=spent, used=used)
    return replace(unit, points=points, move=replace(unit.move, mph=_mph(unit)))


def _turns(position: AslPosition, action: Turn, unit: AslUnit, amount: int) -> AslUnit:
    paid = _pays(position, action, unit, amount)
    return replace(paid, facing=action.facing) if unit.facing else paid


def _says(_: AslPosition, __: Action, unit: AslUnit, ___: int) -> AslUnit:
    return unit


def _enters(
    position: AslPosition, action: Enter | MinimumMove | Bypass, unit: AslUnit, amount: int
) -> AslUnit:
    to = position.board.resolve(action.to)
    bypass = None
    if type(action) is Bypass and unit.at is not None:
        bypass = place_after(position, unit, action)
    place = unit.place
    return replace(
        unit,
        at=to,
        move=replace(
            unit.move,
            mph=_mph(unit),
            previous=unit.move.previous if to == unit.at else unit.at or to,
        ),
        points=replace(
            unit.points, spent=unit.points.spent + amount, used=used_after(action, unit, amount)
        ),
        place=place if place.bypass == bypass else replace(place, bypass=bypass),
        offboard=replace(unit.offboard, entering=()) if unit.offboard.entering else unit.offboard,
    )


def _goes_on_in_bypass(
    position: AslPosition, action: Along | Into, unit: AslUnit, amount: int
) -> AslUnit:
    return replace(
        unit, mph=_mph(unit), spent=unit.points.spent + amount,
        used=used_after(action, unit, amount),
        bypass=place_after(position, unit, action),
    )  # fmt: skip


def _gets_going(_: AslPosition, action: Start, unit: AslUnit, amount: int) -> AslUnit:
    return replace(
        unit, mph=_mph(unit), spent=unit.points.spent + amount, moving=True,
        reverse=action.reverse,
    )  # fmt: skip


def _stops(_: AslPosition, __: Stop, unit: AslUnit, amount: int) -> AslUnit:
    return replace(
        unit, mph=_mph(unit), spent=unit.points.spent + amount, moving=False, reverse=False
    )


def _exits(_: AslPosition, __: Exit, unit: AslUnit, amount: int) -> AslUnit:
    off: dict[str, Any] = {"mph": "done", "at": None, "exited": True, "bypass": None}
    return replace(
        unit, **off, convoy="", spent=unit.points.spent + amount, used=unit.points.used + amount
    )


def _advances(position: AslPosition, action: Advance, unit: AslUnit, _: int) -> AslUnit:
    at = position.board.resolve(action.to)
    return replace(unit, mph="done", at=at, previous=unit.at, entering=(), used=1, final="advance")


def _shifts(position: AslPosition, action: Action, unit: AslUnit, amount: int) -> AslUnit:
    if position.phase == "APh" and "advance" in getattr(action, "traits", ()):
        return replace(unit, mph="done", used=1, final="advance")
    return _pays(position, action, unit, amount)


def _climbs(position: AslPosition, action: Stairs, unit: AslUnit, amount: int) -> AslUnit:
    return replace(_shifts(position, action, unit, amount), previous=unit.at)


_ACTS: dict[type[Action], Callable[..., AslUnit]] = {
    **dict.fromkeys(DECLARED, _says),
    **dict.fromkeys((Enter, MinimumMove, Bypass), _enters),
    **dict.fromkeys((Along, Into), _goes_on_in_bypass),
    Start: _gets_going,
    Stop: _stops,
    Turn: _turns,
    Exit: _exits,
    Advance: _advances,
    Stairs: _climbs,
}
"""A verb's effect on the unit itself; the others only pay, or are the unit's Advance."""


def begins_turn(position: AslPosition, event: Phase) -> bool:
    """Return whether a Player Turn begins: the side changes."""
    return bool(event.side) and event.side != position.side


def at_phase_start(position: AslPosition, event: Phase) -> AslPosition:
    """
    Return the position as a phase begins: counters lapse, and MPhs start afresh.

    If the scene names no side to move first, it is the one whose Player Turn ends first.
    """
    side, conditions = event.side or position.side, position.conditions
    new_turn = begins_turn(position, event)
    if new_turn and not conditions.first_side:
        conditions = replace(conditions, first_side=position.side)
    lapsed = ("phase", "turn") if new_turn else ("phase",)
    position = replace(
        position, phase=event.phase, side=side, conditions=conditions,
        turn=position.turn + (new_turn and side == conditions.first_side),
        counters=tuple(
            fresh_counter(c) for c in position.counters if c.until not in lapsed
        ),
    )  # fmt: skip
    position = resolved(position, position, over=True)
    pushed = {unit.move.clears for unit in position.units} - {None}
    units = [
        replace(u, at=None, exited=True, clears=None) if u.id in pushed else u
        for u in rested_loads(position.units)
    ]
    if event.phase == "MPh":
        units = [
            replace(unit, **FRESH, origin=unit.line.convoy) if unit.side == side else unit
            for unit in units
        ]
    elif event.phase == "RtPh":  # broken units of both sides rout
        units = [
            replace(unit, **AFRESH) if unit.status.broken or type_of(position, unit).leads else unit
            for unit in units
        ]
    elif event.phase == "APh":  # only Infantry acts in it
        units = [
            replace(unit, **FRESH) if unit.side == side and unit.facing is None else unit
            for unit in units
        ]
    return position.with_units(units)


def found_out(position: AslPosition) -> AslPosition:
    """Return the position with hidden counters revealed if an enemy unit shares their hex (A12.33)."""
    if not any(one.hidden for one in position.counters):
        return position
    board = position.board
    sides: dict[str, set[str]] = {}
    for unit in position.units:
        if unit.at is not None:
            sides.setdefault(board[unit.at].hex, set()).add(unit.side)
    counters = tuple(
        msgspec.structs.replace(one, hidden="")
        if one.hidden and sides.get(board[board.resolve(one.at)].hex, set()) - {one.hidden}
        else one
        for one in position.counters
    )
    return msgspec.structs.replace(position, counters=counters)
