"""What players of the PanzerBlitz rulebook do, and what befalls units."""

from __future__ import annotations

from typing import Literal

from marchtable.state.action import Action, Adjacent, Companions, Event, Fellow
from marchtable.state.position import UnitId

__all__ = [
    "ACTIONS",
    "Assault",
    "Exit",
    "Fire",
    "Hit",
    "Load",
    "Move",
    "Observe",
    "Overrun",
    "Recover",
    "Remove",
    "Unload",
]


class Move(Action, frozen=True, tag="move"):
    """
    A unit enters an adjacent hex, or comes onto the map, with its passenger if it carries one.

    ``concealed`` is the optional concealed movement: into concealing terrain, for all that it has.
    """

    unit: UnitId
    to: Adjacent
    concealed: bool = False


class Overrun(Action, frozen=True, tag="overrun"):
    """
    Armoured vehicles drive through a hex with enemies, each straight on from where it stands, and stop beyond.

    It is one attack; its result is told by ``hit``, of each unit there, with ``fire=overrun``.
    """

    units: Companions
    to: Adjacent


class Exit(Action, frozen=True, tag="exit"):
    """A unit leaves the map from an edge hex, for good, with its passenger if it carries one."""

    unit: UnitId


class Assault(Action, frozen=True, tag="assault"):
    """
    Infantry, engineers and cavalry close-assault an adjacent hex with enemies.

    Its result is told by ``hit``, of each unit there, with ``fire=assault``.
    """

    units: Companions
    to: Adjacent


class Load(Action, frozen=True, tag="load"):
    """A transport loads a unit of its hex."""

    unit: UnitId
    passenger: Fellow


class Unload(Action, frozen=True, tag="unload"):
    """A transport unloads its passenger in its hex."""

    unit: UnitId
    passenger: Fellow


class Fire(Action, frozen=True, tag="fire"):
    """A unit fires; at what, and with what result, is not judged."""

    unit: UnitId


class Observe(Action, frozen=True, tag="observe"):
    """A unit observes for indirect fire."""

    unit: UnitId


class Remove(Action, frozen=True, tag="remove"):
    """The owner removes a transport or its passenger where a DD has put too many into a hex."""

    unit: UnitId


class Hit(Event, frozen=True, tag="hit"):
    """
    Fire at a unit had this result.

    ``drawn`` says what of its own doing drew it, if it was opportunity fire; ``registered`` is
    indirect fire on a hex named in advance, ``overrun`` the attack of those who drove through,
    ``assault`` a close assault, and ``mines`` the mines that it has come into.
    """

    unit: UnitId
    result: Literal["D", "DD", "X"]
    fire: Literal["direct", "indirect", "registered", "overrun", "assault", "mines"] = "direct"
    drawn: Literal["", "enter", "load", "unload"] = ""


class Recover(Event, frozen=True, tag="recover"):
    """A unit is no longer dispersed."""

    unit: UnitId


ACTIONS: tuple[type[Action], ...] = (
    Move, Overrun, Exit, Load, Unload, Fire, Observe, Assault, Remove, Hit, Recover,
)  # fmt: skip
