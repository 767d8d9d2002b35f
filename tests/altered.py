"""Positions that differ from a position in one thing: a field of a unit or condition, a counter, a unit."""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from marchtable.codec.structs import shape
from marchtable.errors import BadInputError
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.records import field_of, fields_of, path_of, replace

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from random import Random

    from marchtable.codec.structs import StructField
    from marchtable.state.position import Position

    Pos = Position[Any, Any]

__all__ = ["Altered", "altered", "unit_paths"]

WORDS = ("", "z")
"""Values of a text field that names nothing at hand, such as a line."""


PLACES = ("previous",)
"""Fields that name a Location without saying so by their type."""


class Altered(NamedTuple):
    """
    A position in which one thing is different.

    Parameters
    ----------
    path
        What is different: the path of a unit's field (``status.cx``), or ``conditions.year``,
        ``counters``, ``units``, ``side``, ``phase``, ``turn`` or ``readings``.
    unit
        The unit, ``""`` if the difference is no unit's.
    value
        The new value.
    position
        The position.
    """

    path: str
    unit: str
    value: Any
    position: Pos

    def __str__(self) -> str:
        return f"{self.unit or 'position'}: {self.path} = {self.value!r:.80}"


def unit_paths(position: Pos) -> tuple[str, ...]:
    """Return the paths of all fields of a position's units."""
    kind: Any = type(position.units[0])
    return tuple(path_of(kind, entry.attribute) for entry in fields_of(kind))


def altered(
    position: Pos,
    random: Random,
    only: Container[str] = (),
    most: int = 2,
    *,
    checked: bool = True,
) -> Iterator[Altered]:
    """
    Yield the positions that a scene may state and that differ in one thing.

    Parameters
    ----------
    position
        The position.
    random
        Which other values are used.
    only
        The paths that are altered, if not all.
    most
        Maximum number of other values of a field.
    checked
        Whether only positions that a scene may state are yielded.
    """
    book = find_rulebook(position.rulebook)
    for one in _all(position, random, only, most):
        try:
            if checked:
                book.check_position(msgspec.structs.replace(one.position))
        except (BadInputError, KeyError, ValueError, AssertionError, AttributeError):
            continue  # no scene states this
        yield one


def _all(position: Pos, random: Random, only: Container[str], most: int) -> Iterator[Altered]:
    for unit in position.units:
        kind: Any = type(unit)
        for entry in fields_of(kind):
            path = path_of(kind, entry.attribute)
            if entry.attribute == "id" or (only and path not in only):
                continue
            value = field_of(unit, entry.attribute)
            for other in _some(_others(entry, value, position), random, most):
                changed = replace(unit, **{entry.attribute: other})
                units = tuple([changed if one is unit else one for one in position.units])
                yield Altered(path, unit.id, other, _with(position, units=units))
    conditions: Any = type(position.conditions)
    for entry in shape(conditions):
        path = f"conditions.{entry.attribute}"
        if only and path not in only:
            continue
        value = getattr(position.conditions, entry.attribute)
        for other in _some(_others(entry, value, position), random, most):
            changed = msgspec.structs.replace(position.conditions, **{entry.attribute: other})
            yield Altered(path, "", other, _with(position, conditions=changed))
    yield from _of_the_rest(position, random, only, most)


def _of_the_rest(
    position: Pos, random: Random, only: Container[str], most: int
) -> Iterator[Altered]:
    book, found = find_rulebook(position.rulebook), list[tuple[str, Any, dict[str, Any]]]()
    found += [("turn", n, {"turn": n}) for n in (position.turn + 1,)]
    phases = [one for one in book.phases if one != position.phase]
    found += [("phase", one, {"phase": one}) for one in _some(phases, random, most)]
    sides = dict.fromkeys(unit.side for unit in position.units if unit.side != position.side)
    found += [("side", one, {"side": one}) for one in sides]
    for entry in _some(book.register, random, most):
        readings = dict(position.readings)
        (choice,) = _some([c for c in entry.choices if c != entry.choices[0]], random, 1) or [""]
        if choice:
            readings = tuple(sorted({**readings, entry.id: choice}.items()))  # type: ignore[assignment]
            found.append(("readings", readings, {"readings": readings}))
    for number in range(len(position.counters)):
        fewer = position.counters[:number] + position.counters[number + 1 :]
        found.append(("counters", f"without {position.counters[number]}", {"counters": fewer}))
    for number, unit in enumerate(position.units):
        fewer_units = position.units[:number] + position.units[number + 1 :]
        found.append(("units", f"without {unit.id}", {"units": fewer_units}))
        for at in _some([one.name for one in position.board.locations], random, 1):
            more = (*position.units, replace(unit, id=f"{unit.id}-2", at=at))
            found.append(("units", f"another {unit.id} at {at}", {"units": more}))
    found += _of_lines(position)
    for path, value, fields in found:
        if not only or path in only:
            yield Altered(path, "", value, _with(position, **fields))


def _of_lines(position: Pos) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each line of units under another name, without its units, and disbanded."""
    for name in dict.fromkeys(_lines(position)):
        changed, left, disbanded = [], [], []
        for unit in position.units:
            kind: Any = type(unit)
            named = [f for f in _texts(kind) if field_of(unit, f) == name]
            changed.append(replace(unit, **dict.fromkeys(named, f"{name}-2")))
            left += [] if named else [unit]
            records = {path_of(kind, f).partition(".")[0] for f in named}
            free = {r: type(getattr(unit, r))() for r in records if r not in named}
            disbanded.append(msgspec.structs.replace(unit, **free))
        for value, units in (
            (f"line {name} renamed", changed), (f"without line {name}", left), (f"line {name} disbanded", disbanded),
        ):  # fmt: skip
            yield "units", value, {"units": tuple(units)}


def _with(position: Pos, **fields: Any) -> Pos:
    return msgspec.structs.replace(position, **fields)


def _some(several: Any, random: Random, most: int) -> list[Any]:
    found = [*several]
    return found if len(found) <= most else random.sample(found, most)


def _others(entry: StructField, value: Any, position: Pos) -> list[Any]:
    """Return other values of a field."""
    domain = "location" if entry.attribute in PLACES else entry.domain
    found = [*_values(entry.hint, domain, value, position)]
    if entry.attribute == "type":
        found = [unit.type for unit in position.units]
    if entry.attribute == "side":
        found = [position.side, *(unit.side for unit in position.units)]
    if entry.is_half and isinstance(value, int):
        found = [0, value + 2, value + 4]
    return [one for n, one in enumerate(found) if one != value and one not in found[:n]]


def _values(hint: Any, domain: str, value: Any, position: Pos) -> Iterator[Any]:
    origin = get_origin(hint)
    if origin is Annotated:
        bounds = [meta for meta in get_args(hint)[1:] if isinstance(meta, msgspec.Meta)]
        for one in _values(get_args(hint)[0], domain, value, position):
            if all(_is_within(meta, one) for meta in bounds):
                yield one
    elif origin in (Union, UnionType):
        for part in get_args(hint):
            yield from _values(part, domain, value, position)
    elif origin is Literal:
        yield from get_args(hint)
    elif origin is tuple:
        yield from _tuples(get_args(hint)[0], domain, value, position)
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield from _structs(hint, value, position)
    else:
        yield from _plain_values(hint, domain, value, position)


def _plain_values(hint: Any, domain: str, value: Any, position: Pos) -> Iterator[Any]:
    if hint is NoneType:
        yield None
    elif hint is bool:
        yield from (True, False)
    elif hint is int:
        yield from (0, 1, 2, 3, value + 1 if isinstance(value, int) else 5)
    elif domain == "unit":
        yield from (unit.id for unit in position.units)
    elif domain == "location":
        yield from (one.name for one in position.board.locations)
    elif hint is str:
        yield from (*WORDS, *_lines(position))


def _tuples(inner: Any, domain: str, value: Any, position: Pos) -> Iterator[Any]:
    yield ()
    first = value[0] if value else None
    for one in _values(inner, domain, first, position):
        yield (one, *value[1:])


def _structs(kind: type[msgspec.Struct], value: Any, position: Pos) -> Iterator[Any]:
    made = value if isinstance(value, kind) else _sample(kind, position)
    if made is None:
        return
    yield made
    for entry in shape(kind):
        for other in _others(entry, getattr(made, entry.attribute), position):
            yield msgspec.structs.replace(made, **{entry.attribute: other})


def _sample(kind: type[msgspec.Struct], position: Pos) -> Any:
    """Return a struct with a name and size of its own, or None if more is required."""
    given: dict[str, Any] = {"name": "MMG", "pp": 5, "unit": position.units[0].id, "left": 2}
    given["kind"] = position.units[0].type
    fields = {entry.attribute for entry in shape(kind)}
    try:
        return kind(**{name: one for name, one in given.items() if name in fields})
    except TypeError:
        return None


def _is_within(meta: msgspec.Meta, value: Any) -> bool:
    if not isinstance(value, int):
        return True
    return (meta.ge is None or value >= meta.ge) and (meta.le is None or value <= meta.le)


def _lines(position: Pos) -> Iterator[str]:
    """Yield the names in text fields of units, such as those of lines."""
    for unit in position.units:
        kind: Any = type(unit)
        for name in _texts(kind):
            if value := field_of(unit, name):
                yield value


@cache
def _texts(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the fields of a unit that hold free text."""
    own = ("id", "type", "side", "nationality", "at")
    return tuple(
        entry.attribute
        for entry in fields_of(kind)
        if entry.attribute not in own and not entry.domain and _is_text(entry.hint)
    )


def _is_text(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return _is_text(get_args(hint)[0])
    return hint is str
