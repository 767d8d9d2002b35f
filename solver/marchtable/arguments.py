"""
Arguments of public functions, checked once: a wrong type is a BadInputError that names what makes the right one.

The decorator :func:`public` reads the annotations of a function. It knows no game, and checks types
by the names of their classes, so it imports none of them.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import CLOSE, nearest, one_of, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["check_side", "public", "sides_of"]

P = ParamSpec("P")
R = TypeVar("R")


class _Kind(NamedTuple):
    """
    A type of argument.

    Parameters
    ----------
    words
        Its name, with an article.
    classes
        The classes of such values, by name.
    maker
        What makes one.
    several
        Whether it is a list of them.
    values
        The only values, if they are words.
    """

    words: str
    classes: tuple[str, ...]
    maker: str = ""
    several: bool = False
    values: tuple[str, ...] = ()


_KINDS = {
    "Position": _Kind("a position", ("Position",), "marchtable.load reads a scene's file"),
    "Action": _Kind(
        "an action", ("Action",), "marchtable.parse_action(line, position) reads a line"
    ),
    "Goal": _Kind("a goal", ("Goal",), "marchtable.load_goal(path, position) reads a goal's file"),
    "Board": _Kind("a board", ("Board",), "marchtable.load_board reads a board's file"),
    "Scenario": _Kind(
        "a scenario", ("Scenario",), "marchtable.play.scenarios.load_scenario reads one"
    ),
    "str": _Kind("a text", ("str",)),
    "int": _Kind("a whole number", ("int",)),
    "float": _Kind("a number", ("int", "float", "floating", "integer")),
    "str | Path": _Kind("the path of a file", ("str", "PathLike", "PurePath")),
    "bytes": _Kind("bytes", ("bytes", "bytearray", "memoryview")),
    "Place": _Kind(
        "a place of this reach", ("Place",), "`places` lists them, `best()[HEX]` has the best there"
    ),
    "Stop": _Kind("a request to stop", ("Stop",), "marchtable.Stop() makes one"),
    "bool": _Kind("True or False", ("bool", "bool_")),
    "Rolls": _Kind("a text", ("str",), values=("pass", "avoid")),
    "Mapping": _Kind("a table", ("dict", "Mapping", "MappingProxyType")),
}
_NAMES = {
    "unit": "a unit's name",
    "units": "units' names",
    "side": "a side's name",
    "players": 'a table of players by side, {"german": …}',
}
_LEAST = {"limit": 0, "most": 0, "jobs": 1}
"""The least values of numbers, by the names of arguments."""
_LISTS = ("Sequence", "Iterable")
_LONGEST = 80
_LACKING = object()
_NEVER = 1_000
"""The number of an argument that is given by name alone."""


def public(function: Callable[P, R]) -> Callable[P, R]:
    """
    Check the arguments of a function by their annotations before it runs; a side must exist in its position.

    Raises
    ------
    BadInputError
        When the function is called with an argument of another type: names the argument, what was
        expected, and what makes it.
    UnknownNameError
        When its position has no such side.
    """
    checks = _checks_of(function)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        position: Any = None
        for number, name, kind, may_lack in checks:
            value = args[number] if number < len(args) else kwargs.get(name, _LACKING)
            if value is _LACKING or (value is None and may_lack):
                continue
            _check(value, name, kind)
            if name == "position":
                position = value
            elif name == "side" and position is not None:
                check_side(str(value), position)
        return function(*args, **kwargs)

    return call


def _checks_of(function: Callable[..., Any]) -> list[tuple[int, str, _Kind, bool]]:
    """Return the arguments that can be checked: number, name and kind of each, and whether it can be None."""
    found = []
    for number, parameter in enumerate(inspect.signature(function).parameters.values()):
        kind = _KINDS["Rolls"] if parameter.name == "rolls" else _kind_of(str(parameter.annotation))
        if kind is not None:
            place = number if parameter.kind is not parameter.KEYWORD_ONLY else _NEVER
            may_lack = "None" in str(parameter.annotation)
            found.append((place, parameter.name, kind, may_lack))
    return found


def _kind_of(annotation: str) -> _Kind | None:
    """Return the kind of an annotation, or None if it is not checked."""
    text = annotation.removesuffix(" | None").removesuffix("[Any, Any]")
    if text.startswith(("Mapping[", "dict[")):
        text = "Mapping"
    for name in _LISTS:
        if text.startswith(f"{name}["):
            inner = _KINDS.get(text[len(name) + 1 : -1].removesuffix("[Any, Any]"))
            return inner and inner._replace(several=True)
    return _KINDS.get(text)


_FITTING: dict[tuple[type, tuple[str, ...]], bool] = {}


def _fits(kind: type, classes: tuple[str, ...]) -> bool:
    """Return whether a class is, or derives from, one of these; a truth value is no number."""
    known = _FITTING.get((kind, classes))
    if known is None:
        found = {one.__name__ for one in kind.__mro__}
        is_path = "PathLike" in classes and issubclass(kind, os.PathLike)
        is_truth = kind is bool and "bool" not in classes
        known = not is_truth and (is_path or not found.isdisjoint(classes))
        _FITTING[kind, classes] = known
    return known


def _check(value: object, name: str, kind: _Kind) -> None:
    if kind.several:
        _check_several(value, name, kind)
    elif kind.values and value not in kind.values:
        raise BadInputError(one_of(kind.values, value), field=name)
    elif not _fits(type(value), kind.classes):
        raise _misfit(value, name, kind)
    elif name in _LEAST and isinstance(value, int | float) and not value >= _LEAST[name]:
        raise BadInputError(f"expected at least {_LEAST[name]}, got {value}", field=name)


def _check_several(value: object, name: str, kind: _Kind) -> None:
    if isinstance(value, str | dict) or not isinstance(value, Iterable):
        words = _NAMES.get(name, kind.words.removeprefix("a ").removeprefix("an ") + "s")
        if not _fits(type(value), kind.classes):
            said = f", got {_short(value)}"
        elif isinstance(value, str):
            said = f": [{value!r}]"
        else:
            said = f", got {kind.words}; put it in brackets"
        raise BadInputError(f"expected a list of {words}{said}", field=name)
    if isinstance(value, list | tuple):
        for number, entry in enumerate(value):
            if not _fits(type(entry), kind.classes):
                lone = kind._replace(words="a unit's name") if name == "units" else kind
                raise _misfit(entry, f"{name}[{number}]", lone)


def _misfit(value: object, name: str, kind: _Kind) -> BadInputError:
    words = _NAMES.get(name, kind.words)
    maker = f"; {kind.maker}" if kind.maker else ""
    return BadInputError(f"expected {words}, got {_short(value)}{maker}", field=name)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def sides_of(position: Any) -> tuple[str, ...]:
    """Return the sides of a position: the one to move, and those that have units."""
    return tuple(dict.fromkeys([position.side, *(unit.side for unit in position.units)]))


def check_side(side: str, position: Any) -> None:
    """
    Raise UnknownNameError if a position has no such side.

    Where only one side has units, another may have lost all its own: only a slip of the one is an error.
    """
    known: Sequence[str] = sides_of(position)
    if side not in known and (len(known) > 1 or nearest(side, known, least=CLOSE)):
        raise UnknownNameError(unknown("side", side, known, where=" here"), field="side")
