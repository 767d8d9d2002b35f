"""
Actions and events: the entries of a log.

An *action* is a player's choice, an *event* a result of dice, the enemy or the clock. Both are
frozen records; a rulebook declares its own in addition to the two events that every game has. A
field's type is also the domain of its candidates.
"""

from __future__ import annotations

from functools import cache
from types import NoneType
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin, get_type_hints

import msgspec

from marchtable.arguments import public
from marchtable.codec.structs import builtins_of, points
from marchtable.state.position import LocationName, UnitId

__all__ = [
    "NOTHING", "Action", "Adjacent", "Companions", "Event", "Fellow", "Moves", "Parameter", "Phase", "Settle",
    "format_action", "group_field", "is_plain", "moves_field", "parameters", "renamed", "verb_of", "wider",
]  # fmt: skip

Adjacent = Annotated[LocationName, msgspec.Meta(extra={"domain": "adjacent"})]
"""A Location adjacent to the acting unit's."""
Fellow = Annotated[UnitId, msgspec.Meta(extra={"domain": "fellow"})]
"""Another unit in the acting unit's Location."""
Companions = Annotated[tuple[UnitId, ...], msgspec.Meta(extra={"domain": "companions"})]
"""Units that act as one, chosen member by member from those that share a Location."""


Moves = Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "moves"})]
"""The moves of a joint action's members, in their order; members not named stay idle."""

NOTHING = "-"
"""An argument with no entries, in notations."""
MANY = 16
"""Number of integers from which on they are not tried one by one."""


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", gc=False):
    """
    A player's choice. Subclasses set their verb as msgspec ``tag``; ``str`` is the log line.

    ``unlisted`` is why no list offers a verb that is judged where it is written; ``""``: lists do.
    """

    unlisted: ClassVar[str] = ""

    def __str__(self) -> str:
        return format_action(self)


class Event(Action, frozen=True):
    """
    Something that happened to the players: it is accepted and never illegal.

    One that is ``chosen`` answers an enemy's move: it is judged and listed as choices are.
    """

    chosen: ClassVar[bool] = False


class Settle(Event, frozen=True, tag="settle"):
    """States the result of a pending obligation; ``dice`` are the faces thrown for it (``3,5``), if they are known."""

    obligation: str
    outcome: str
    dice: str = ""


class Phase(Event, frozen=True, tag="phase"):
    """The next phase begins; with ``side``, a new Player Turn of that side."""

    phase: str
    side: str | None = None


class Parameter(msgspec.Struct, frozen=True):
    """
    One argument of a verb.

    Parameters
    ----------
    name
        The field.
    domain
        ``"unit"``, ``"fellow"``, ``"companions"``, ``"moves"``, ``"location"``, ``"adjacent"``,
        ``"values"``, ``"free"`` (a rulebook proposes values; searches keep the default), or,
        proposed likewise, ``"names"`` (words between commas), ``"count"`` (an integer) and a
        rulebook's own.
    values
        All possible values, if they are few; they are tried if the domain is ``"values"``.
    required, default
        Whether it has no default, and its default.
    halves
        Whether it is an amount, in half points inside and points in files.
    """

    name: str
    domain: str
    values: tuple[Any, ...]
    required: bool
    halves: bool
    default: Any = None


def verb_of(action: Action | type[Action]) -> str:
    """Return the verb of an action, as in logs."""
    return str(action.__struct_config__.tag)


@cache
def parameters(action_type: type[Action]) -> tuple[Parameter, ...]:
    """Return the arguments of a verb, in order."""
    hints = get_type_hints(action_type, include_extras=True)
    return tuple(
        _parameter(field, hints[field.name]) for field in msgspec.structs.fields(action_type)
    )


def _parameter(field: Any, hint: Any) -> Parameter:
    extra: dict[str, Any] = {}
    values: tuple[Any, ...] = ()
    while get_origin(hint) is Annotated:
        hint, *metas = get_args(hint)
        for meta in metas:
            extra = {**extra, **(meta.extra or {})}
            if hint is int and None not in (meta.ge, meta.le) and meta.le - meta.ge < MANY:
                values = tuple(range(meta.ge, meta.le + 1))
    if hint is bool:
        values = (False, True)
    elif literals := [one for one in (hint, *get_args(hint)) if get_origin(one) is Literal]:
        values = (*get_args(literals[0]), *[None] * (NoneType in get_args(hint)))
    domain = extra.get("domain", "values" if values else "free")
    halves, default = bool(extra.get("halves")), None if field.required else field.default
    return Parameter(field.name, domain, values, field.required, halves, default)


def is_plain(action: Action) -> bool:
    """Return whether an action has only required arguments."""
    known = parameters(type(action))
    return all(p.required or getattr(action, p.name) == p.default for p in known)


@cache
def group_field(action_type: type[Action]) -> str | None:
    """Return the field for units that act as one, if the verb has one."""
    return _field_of(action_type, "companions")


@cache
def moves_field(action_type: type[Action]) -> str | None:
    """Return the field for the members' moves, if the verb is a joint action."""
    return _field_of(action_type, "moves")


def wider(action: Action, entry: str) -> Action:
    """Return a joint action with one more entry: a unit that joins, or the next member's move."""
    field = group_field(type(action)) or moves_field(type(action)) or ""
    return msgspec.structs.replace(action, **{field: (*getattr(action, field), entry)})


def _field_of(action_type: type[Action], domain: str) -> str | None:
    return next((p.name for p in parameters(action_type) if p.domain == domain), None)


def renamed(action: Action, *, unit: str, to: str) -> Action:
    """Return the same action for another unit alone, towards another Location."""
    changes: dict[str, Any] = {}
    for parameter in parameters(type(action)):
        if parameter.domain == "unit":
            changes[parameter.name] = unit
        elif parameter.domain == "companions":
            changes[parameter.name] = (unit,)
        elif parameter.domain == "adjacent":
            changes[parameter.name] = to
    return msgspec.structs.replace(action, **changes)


@public
def format_action(action: Action) -> str:
    """
    Return an action as one line, such as ``enter sqA,sqB K5``.

    Examples
    --------
    >>> from marchtable.state.action import Phase
    >>> format_action(Phase("MPh", side="german"))
    'phase MPh side=german'
    """
    words = [verb_of(action)]
    given = builtins_of(action)
    for parameter in parameters(type(action)):
        value = getattr(action, parameter.name)
        if parameter.required:
            words.append(_word(value, parameter))
        elif parameter.name in given:
            words.append(f"{parameter.name}={_word(value, parameter)}")
    return " ".join(words)


def _word(value: Any, parameter: Parameter) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if parameter.halves:
        return str(points(value))
    if isinstance(value, tuple):
        return ",".join(str(entry) for entry in value) or NOTHING
    return str(value)
