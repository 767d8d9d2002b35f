"""
Conversion between structs and plain data; the only place where amounts are halved and doubled.

In files and answers an amount is in points (0.5 allowed); inside it is an integer count of half
points. A field's type says whether it is one (:data:`marchtable.state.position.Half`).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from marchtable.errors import BadInputError
from marchtable.nearest import CLOSE, HALF, did_you_mean, nearest

__all__ = [
    "StructField", "builtins_of", "domain_of", "half_points", "outside", "plain_fields", "points", "remaining", "shape",
    "struct_of", "structs_in",
]  # fmt: skip

MOST_POINTS = 10_000
TOP = "at the top, before any [table]"
DEEP = 2
"""Depth of nested tables in which a misplaced field is looked for."""
_UNQUOTED = re.compile(r"Expected `(bool|int|float)(?: \| null)?`, got `str`")
_TRUTH, _NUMBER = re.compile("true|false", re.I), re.compile(r"-?[0-9]+(\.[0-9]+)?")
_STEP_NUMBER = re.compile(r"\[\d+\]")
_STEP = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<number>\d+)\]|\[\.\.\.\]")
_MISSING = re.compile("Object missing required field `(?P<name>.*)`")
_WORDS = {
    "int": "a whole number", "float": "a number", "str": "text", "bool": "true or false",
    "array": "a list", "object": "a table", "null": "nothing",
}  # fmt: skip
_LISTED = re.compile(r"Expected `str(?: \| null)?`, got `array`")
_UNKNOWN = re.compile("unknown field `(?P<name>.*)`")
_TYPE = re.compile(rf"`((?:{'|'.join(_WORDS)})(?: \| (?:{'|'.join(_WORDS)}))*)`")
EMPTY = "'' (nothing)"
_SYNONYMS = dict.fromkeys(("hex", "hexes", "location", "position", "place", "to"), "at") | {
    "name": "id", "from": "origin", "class": "type", "kind": "type", "player": "side", "owner": "side",
}  # fmt: skip
"""Fields that people write for others, if a struct has the latter."""


def points(halves: int) -> int | float:
    """Convert half points to points: an integer where possible."""
    return halves // 2 if halves % 2 == 0 else halves / 2


def remaining(value: float, name: str = "", word: str = "") -> str:
    """Return the points left as text (``3 MF``, a word after it), or how many are missing."""
    return " ".join(filter(None, (f"{abs(value):g}", name, "too few" if value < 0 else word)))


def half_points(value: object, field: str) -> int:
    """Convert points to half points; raise BadInputError unless they are a multiple of 0.5."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadInputError(f"expected a number of points, got {value!r}", field=field)
    if not math.isfinite(value) or not 0 <= value <= MOST_POINTS or value * 2 != int(value * 2):
        raise BadInputError(
            f"expected a multiple of 0.5 from 0 to {MOST_POINTS}, got {value!r}", field=field
        )
    return int(value * 2)


class StructField(NamedTuple):
    """A field of a struct: its attribute, its name in files, its type, and its domain."""

    attribute: str
    name: str
    hint: Any
    is_half: bool
    domain: str


@cache
def shape(kind: type[msgspec.Struct]) -> tuple[StructField, ...]:
    """Return the fields of a struct."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        StructField(
            field.name,
            field.encode_name,
            hints[field.name],
            bool(_extra(hints[field.name]).get("halves")),
            domain_of(hints[field.name]),
        )
        for field in msgspec.structs.fields(kind)
    )


def domain_of(hint: Any) -> str:
    """Return ``"unit"`` or ``"location"`` for a field that names one (or none, or several)."""
    found = _extra(hint).get("domain", "")
    for part in get_args(hint) if get_origin(hint) in (Union, UnionType, tuple) else ():
        found = found or domain_of(part)
    return str(found)


def _extra(hint: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if get_origin(hint) is Annotated:
        for meta in get_args(hint)[1:]:
            found.update(getattr(meta, "extra", None) or {})
    return found


def structs_in(hint: Any) -> list[type[msgspec.Struct]]:
    """Return the struct types that a value of this type may be or contain."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return [hint]
    if get_origin(hint) is Annotated:
        return structs_in(get_args(hint)[0])
    return [found for part in get_args(hint) for found in structs_in(part)]


# -- out -------------------------------------------------------------------------------------------


def builtins_of(value: Any, *, full: bool = False) -> Any:
    """
    Convert a struct to JSON and TOML types: amounts in points, defaults left out.

    Parameters
    ----------
    value
        A struct, or a container of structs.
    full
        Keep fields that have their default value (None is always left out).
    """
    if isinstance(value, msgspec.Struct):
        found: dict[str, Any] = {}
        config = value.__struct_config__
        if config.tag is not None:
            found[str(config.tag_field)] = config.tag
        defaults = _defaults(type(value))
        for field in shape(type(value)):
            entry = getattr(value, field.attribute)
            is_default = field.attribute in defaults and entry == defaults[field.attribute]
            if entry is None or (is_default and not full):
                continue
            found[field.name] = points(entry) if field.is_half else builtins_of(entry, full=full)
        return found
    if isinstance(value, (tuple, list)):
        return [builtins_of(entry, full=full) for entry in value]
    if isinstance(value, Mapping):
        return {key: builtins_of(entry, full=full) for key, entry in value.items()}
    return value


@cache
def _defaults(kind: type[msgspec.Struct]) -> dict[str, Any]:
    found = {}
    for field in msgspec.structs.fields(kind):
        if field.default is not msgspec.NODEFAULT:
            found[field.name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            found[field.name] = field.default_factory()
    return found


def outside(kind: type[msgspec.Struct], attribute: str, value: Any) -> Any:
    """Convert the value of a struct's field to its form in files and answers."""
    is_half = any(entry.attribute == attribute and entry.is_half for entry in shape(kind))
    return points(value) if is_half else builtins_of(value)


# -- in --------------------------------------------------------------------------------------------


def struct_of(data: Any, kind: Any, *, source: str = "", field: str = "") -> Any:
    """
    Convert plain data to a struct of that type.

    Raises
    ------
    BadInputError
        Names the field and what was expected there.
    """
    try:
        return msgspec.convert(_doubled(data, kind, field), kind)
    except msgspec.ValidationError as error:
        message, path = _placed(str(error), kind, data)
        unknown = _UNKNOWN.search(message)
        elsewhere = _elsewhere(kind, unknown["name"], path) if unknown else ""
        if missing := _MISSING.fullmatch(message):
            message, path = "Missing required field", f"{path}.{missing['name']}"
        message = message[0].lower() + message[1:] + _expected(message, kind, path, data)
        if elsewhere:  # after the nearest name, if it is a slip of that
            head, expected, rest = message.partition("; expected any of")
            head, near, found = head.partition("; nearest: ")
            slip = found.split(", ")[0].strip("'")
            name = str(unknown and unknown["name"])
            alike = _SYNONYMS.get(name) == slip or nearest(name, [slip], least=CLOSE)
            if slip and alike and TOP not in elsewhere:  # a line below a [table] belongs to it
                elsewhere = ""
            else:
                near = found = ""
            message = f"{head}{near}{found}{elsewhere}{expected}{rest}"
        message = message.removeprefix("object contains ")
        message = message.replace("invalid enum value", "unknown value", 1)
        message = _TYPE.sub(lambda found: " or ".join(map(_said, found[1].split(" | "))), message)
        place = (field + path).lstrip(".")
        raise BadInputError(message, source=source, field=place) from None
    except BadInputError as error:
        raise error.located(source=source) from None


def _placed(error: str, kind: Any, data: Any) -> tuple[str, str]:
    """Return msgspec's message and its place, with the key of a table that msgspec leaves open."""
    message, _, path = error.partition(" - at `")
    if path.startswith("key` in `$"):  # the key itself is invalid
        path = path.removeprefix("key` in `").rstrip("`") + "[...]"
    path = path.removeprefix("$").rstrip("`")
    before, any_key, after = path.partition("[...]")
    if any_key:
        hint, table = _at(before, kind, data)
        for key, value in table.items() if isinstance(table, Mapping) else ():
            try:
                msgspec.convert({key: value}, hint)
            except msgspec.ValidationError:
                return message, f"{before}.{key}{after}"
    return message, path


def _elsewhere(kind: Any, name: str, path: str) -> str:
    """Return the tables of a document to which a field belongs: the least deep, if any."""
    tables = [("", kind, TOP)]
    while tables:
        found, deeper = [], []
        for place, hint, where in tables:
            for struct in structs_in(hint):
                for entry in shape(struct):
                    if name in _held(entry.hint):
                        found.append(f"in `{entry.name}`")
                    if entry.name == name and place != _STEP_NUMBER.sub("[]", path):
                        found.append(where)
                    inner = f"{place}.{entry.name}" + "[]" * _is_list(entry.hint)
                    shown = inner.replace("[]", "").lstrip(".")
                    table = f"in [[{shown}]]" if inner.endswith("[]") else f"in [{shown}]"
                    deeper.append((inner, entry.hint, table))
        if found:
            return f"; it belongs {' or '.join(dict.fromkeys(found))}"
        tables = [one for one in deeper if one[0].count(".") <= DEEP]
    return ""


def _held(hint: Any) -> tuple[str, ...]:
    """Return the fields of the table that a field holds, if its type states them (``holds``)."""
    own = tuple(_extra(hint).get("holds", ()))
    return own + tuple(name for part in get_args(hint) for name in _held(part))


def _is_list(hint: Any) -> bool:
    """Return whether a field can hold a list of tables."""
    parts = get_args(hint)
    return get_origin(hint) in (tuple, list) or (
        get_origin(hint) in (Annotated, Union, UnionType) and any(map(_is_list, parts))
    )


def _said(name: str) -> str:
    """Return a user's name for a type of value."""
    return _WORDS.get(name, name)


def _doubled(data: Any, kind: Any, field: str) -> Any:
    """Return the data with every amount of half points (by its type) doubled."""
    found = structs_in(kind)
    if not any(_holds_amounts(struct) for struct in found):
        return data
    if isinstance(data, (list, tuple)):
        return [_doubled(entry, kind, f"{field}[{number}]") for number, entry in enumerate(data)]
    if not isinstance(data, dict):
        return data
    fields = {entry.name: entry for entry in shape(_chosen(found, data))}
    doubled = {}
    for key, value in data.items():
        place = f"{field}.{key}" if field else str(key)
        entry = fields.get(key)
        if entry is not None and entry.is_half:
            doubled[key] = half_points(value, place)
        else:
            doubled[key] = value if entry is None else _doubled(value, entry.hint, place)
    return doubled


@cache
def _holds_amounts(kind: type[msgspec.Struct]) -> bool:
    return any(
        entry.is_half or any(map(_holds_amounts, structs_in(entry.hint))) for entry in shape(kind)
    )


def _chosen(kinds: list[type[msgspec.Struct]], data: Any) -> type[msgspec.Struct]:
    """Return the struct among several that matches a table's tag."""
    for kind in kinds:
        config = kind.__struct_config__
        if (
            isinstance(data, dict)
            and config.tag is not None
            and data.get(config.tag_field) == config.tag
        ):
            return kind
    return kinds[0]


def _at(path: str, kind: Any, data: Any) -> tuple[Any, Any]:
    """Return the type and the value at a path."""
    for step in _STEP.finditer(path):
        found = structs_in(kind)
        if step["name"] is None:
            data = (
                data[int(step["number"])]
                if step["number"] and isinstance(data, (list, tuple))
                else None
            )
            continue
        if found:
            fields = {entry.name: entry.hint for entry in shape(_chosen(found, data))}
            kind = fields.get(step["name"])
        data = data.get(step["name"]) if isinstance(data, dict) else None
    return kind, data


def nearest_field(name: str, fields: Iterable[str]) -> str:
    """Return the end of a message that rejects a field: those that mean the same, or the nearest."""
    known = [*fields]
    meant = _SYNONYMS.get(name)
    return f"; nearest: {meant!r}" if meant in known else did_you_mean(name, known)


def _expected(message: str, kind: Any, path: str, data: Any) -> str:
    """Return the expected value there, if msgspec's message does not state it."""
    outer, _ = _at(path.rpartition("[")[0], kind, data)
    kind, data = _at(path, kind, data)
    if message.startswith("Invalid enum value"):
        choices = list(dict.fromkeys(str(value) for value in _literals(kind)))
        word = data if isinstance(data, str) else ""
        near = nearest(word, choices, least=HALF) if word else []
        near = near or [
            one for one in choices if one and word.casefold().startswith(one.casefold())
        ]
        nears = f"; nearest: {', '.join(map(repr, near))}" if near else ""
        said = f": {kind.__metadata__[0].description}" if _is_described(kind) else ""
        names = ", ".join(name or EMPTY for name in choices)
        return f"{nears}; expected one of {names}{said}" if choices else ""
    if (unknown := _UNKNOWN.search(message)) and (found := structs_in(kind)):
        fields = [entry.name for entry in shape(_chosen(found, data))]
        expected = f"any of {', '.join(fields)}" if fields else "no fields"
        meant = nearest_field(unknown["name"], fields)
        return f"{meant}{_as_list(meant, unknown['name'], kind, data)}; expected {expected}"
    if message.startswith("Expected") and " | " in message and (words := _literals(kind)):
        return f"; as text {' or '.join(map(json.dumps, words))}"
    if message == "Expected `array`, got `object`" and path.endswith("]") and structs_in(outer):
        name = path.rpartition("[")[0].lstrip(".")
        return f"; write [{name}], not [[{name}]]"
    return _plain(message, data) or _brackets(message, kind, path, data)


def _as_list(near: str, name: str, kind: Any, data: Any) -> str:
    """Return the header to write, if the nearest field is a list of tables and a table was given for it."""
    given = data.get(name) if isinstance(data, Mapping) else None
    entries = given if isinstance(given, list) else [given]
    meant = near.partition("'")[2].partition("'")[0]
    hints = {entry.name: entry.hint for entry in shape(_chosen(structs_in(kind), data))}
    if not meant or not all(isinstance(one, Mapping) for one in entries):
        return ""
    is_list = get_origin(hints[meant]) in (tuple, list) and bool(structs_in(hints[meant]))
    return f", an entry of which begins with [[{meant}]]" if is_list else ""


def _plain(message: str, data: Any) -> str:
    """Return how to write a text that lacks its brackets, or a value that has brackets or quotes too many."""
    if isinstance(data, str) and (quoted := _UNQUOTED.fullmatch(message)):
        known = _TRUTH if quoted[1] == "bool" else _NUMBER
        return f" (without quotes: {data.lower()})" if known.fullmatch(data) else ""
    if message == "Expected `array`, got `str`" and isinstance(data, str):
        return f" (in brackets: [{data[:40]!r}])".replace("'", '"')
    if message.startswith("Expected `array`, got `") and isinstance(data, int | float):
        return f" (in brackets: [{json.dumps(data)}])"
    if _LISTED.fullmatch(message) and data and all(isinstance(one, str) for one in data):
        return f" (one text without brackets: {json.dumps(' '.join(data)[:40])})"
    return ""


def _brackets(message: str, kind: Any, path: str, data: Any) -> str:
    """Return the header to write, for a table instead of a list of tables or the reverse."""
    name = _STEP_NUMBER.sub("", path).lstrip(".")
    last = name.rpartition(".")[2]
    if message == "Expected `array`, got `object`" and name and structs_in(kind):
        return f'; write [[{name}]] (in JSON: "{last}": [{{…}}])'
    tables = isinstance(data, list) and all(isinstance(one, Mapping) for one in data)
    if message == "Expected `object`, got `array`" and name and data and tables:
        return f'; write [{name}] (in JSON: "{last}": {{…}})'
    return ""


def _is_described(hint: Any) -> bool:
    """Return whether a field's values are described in words."""
    return get_origin(hint) is Annotated and bool(
        getattr(hint.__metadata__[0], "description", None)
    )


def _literals(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Literal:
        return get_args(hint)
    return tuple(value for part in get_args(hint) for value in _literals(part))


def plain_fields(value: msgspec.Struct, leave: tuple[str, ...] = ("name", "source")) -> str:
    """Return a struct's non-default fields in one line, such as ``class squad, mp 4``."""
    words = []
    for key, entry in builtins_of(value).items():
        if key in leave:
            continue
        if entry is True:
            words.append(key)
        elif isinstance(entry, list):
            words.append(f"{key} {' '.join(map(_flat, entry))}")
        else:
            words.append(f"{key} {_flat(entry)}")
    return ", ".join(words).replace("_", " ")


def _flat(value: Any) -> str:
    return "/".join(map(str, value.values())) if isinstance(value, dict) else str(value)
