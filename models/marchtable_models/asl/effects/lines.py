"""What the actions of lines (Convoys, Columns, platoons), and events that happen to units, do to a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.records import replace
from marchtable_models.asl.effects.acts import AFRESH, captured, lost
from marchtable_models.asl.extraction.cargo import removed
from marchtable_models.asl.extraction.unitkinds import type_called, type_of
from marchtable_models.asl.model import Leave
from marchtable_models.asl.verbs.happenings import HAPPENINGS, NO_ATTACK, Befall, Capture, Sight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.rulebook import Bill
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["LINE_ACTIONS", "after_line_action", "after_reduction"]

LINE_ACTIONS: tuple[type[Action], ...] = (
    Leave,
    *HAPPENINGS,
)

STANDS: dict[str, Any] = {"moving": False, "reverse": False}
HALTED: dict[str, Any] = {**STANDS, "mph": "done"}
BLOWS: dict[str, dict[str, Any]] = {
    "attacked": {}, "pinned": {"pinned": True, "dash": None, "wave": ""}, "wounded": {"wounded": True, "dash": None, "concealed": False}, "stunned": {"stunned": True},
    "broken": {"broken": True, "dm": True, "dash": None, "wave": "", **dict.fromkeys(("cx", "ti", "concealed", "assault"), False)}, "wire": {}, "disbanded": {}, "revealed": {}, "recalled": {"recalled": True}, "immobilized": {**STANDS, "immobile": True, "fallen": True},
    "bogged": {**HALTED, "bogged": True},
    "berserk": {"berserk": True, "wave": "", **dict.fromkeys(("broken", "dm", "pinned", "cx", "ti", "concealed", "assault"), False)},
    "calm": {"berserk": False},
}  # fmt: skip
"""What an event makes of a unit, by its name."""
BY_MINES = ("eliminated", "immobilized")
"""What mines must do to a vehicle to give those in its Convoy who see it a reason to leave."""


def after_line_action(position: AslPosition, action: Action, _: Sequence[Bill]) -> AslPosition:
    """Return the position after an action of a line, or after what befell a unit."""
    if isinstance(action, (Befall, Sight)):
        return _after_event(position, action)
    if isinstance(action, Capture):
        return captured(position, position.unit(action.unit))
    return position


def _after_event(position: AslPosition, event: Befall | Sight) -> AslPosition:
    """Return the position after something befell a unit, what it is part of apart."""
    unit = position.unit(event.unit)
    if isinstance(event, Sight):
        return _sighted(position, unit, event)
    if event.what == "eliminated":
        if unit.facing is None:
            on_foot = unit.cargo.aboard is None or unit.cargo.act in (
                "loads",
                "hooks",
            )  # it has not boarded
            return lost(position, unit) if on_foot else position.with_units(removed(position, unit))
        changes: dict[str, Any] = {**HALTED, "fallen": True, "spent": 0, "used": 0, "final": ""}
        changes |= {"lost": 0, "boarder_spent": 0, "boarder_left": 0}
        if type_of(position, unit).class_ != "vehicle":  # wagons and motorcycles leave no wreck
            gone, *others = removed(position, unit)
            return position.with_units([replace(gone, **changes), *others])
        changes |= {"type": "wreck", "facing": None, "taken": ()}
    elif event.what == "reduced":
        position = after_reduction(position, unit, event.into)
        unit, changes = position.unit(unit.id), {}
    else:
        changes = BLOWS[event.what]
    if event.what == "broken" and position.phase == "RtPh" and not unit.status.broken:
        changes = changes | AFRESH  # of its own will, so that it routs (A10.41)
    harmless = event.by == "mines" and event.what not in BY_MINES  # as E11.251 counts attacks
    moves = position.phase == "MPh" and unit.side == position.side  # an Impulse has just ended
    attacked = unit.line.attacked or (moves and not (event.what in NO_ATTACK or harmless))
    return position.with_units([replace(unit, **changes, attacked=attacked)])


def _sighted(position: AslPosition, unit: AslUnit, event: Sight) -> AslPosition:
    """Return the position once it is stated whom a unit sees; what others stated otherwise is withdrawn."""
    changed = [replace(unit, sees=event.of, not_sees=event.not_of)]
    for name in (*event.of, *event.not_of):
        other = position.unit(name)
        field = "not_sees" if name in event.of else "sees"
        names = getattr(other.concealment, field)
        if unit.id in names:
            changed.append(replace(other, **{field: tuple(one for one in names if one != unit.id)}))
    return position.with_units(changed)


def after_reduction(position: AslPosition, unit: AslUnit, name: str) -> AslPosition:
    """Return the position once a squad is a half squad of the type so called."""
    half = type_called(position, unit, name)
    assert half is not None, name
    return position.with_units([replace(unit, type=half.name, concealed=False)])
