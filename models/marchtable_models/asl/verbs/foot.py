"""Actions of units on foot beside moving by Enter: declarations, the Advance, handling SW."""

from __future__ import annotations

from typing import Annotated

import msgspec

from marchtable.state.action import Action, Adjacent, Companions, Fellow
from marchtable.state.position import UnitId

__all__ = [
    "FOOT_ACTIONS", "Advance", "Assault", "Drop", "Recover", "SetOut", "Transfer",
]  # fmt: skip

OwnWeapon = Annotated[str, msgspec.Meta(extra={"domain": "weapon"})]
"""The name of a SW in the unit's possession."""
LyingWeapon = Annotated[str, msgspec.Meta(extra={"domain": "lying"})]
"""The name of a SW that lies, or a broken friend has, in the unit's Location."""


class SetOut(Action, frozen=True, tag="set-out"):
    """At night: units that move together make the Movement DR with which their MPh begins."""

    units: Companions


class Assault(Action, frozen=True, tag="assault"):
    """Infantry declares Assault Movement."""

    unit: UnitId


class Advance(Action, frozen=True, tag="advance"):
    """Infantry, alone or as a stack, advances into an adjacent Location in its APh."""

    units: Companions
    to: Adjacent


class Drop(Action, frozen=True, tag="drop"):
    """A unit drops a SW in its Location."""

    unit: UnitId
    weapon: OwnWeapon


class Recover(Action, frozen=True, tag="recover"):
    """A unit tries to take possession of a SW that lies, or a broken friend has, in its Location."""

    unit: UnitId
    weapon: LyingWeapon


class Transfer(Action, frozen=True, tag="transfer"):
    """A unit hands a SW to another of its Location."""

    unit: UnitId
    to: Fellow
    weapon: OwnWeapon


FOOT_ACTIONS: tuple[type[Action], ...] = (SetOut, Assault, Advance, Drop, Recover, Transfer)
