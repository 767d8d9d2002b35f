"""Files and one-line notations, read and written by the same types.

A scene is a position as a file, a log a list of actions; both are TOML for people and JSON for
programs. An action also has a one-line form, ``enter sqA,sqB K5 half=true``: the verb, its
required arguments in order, the others by name. Amounts are points outside (0.5 allowed) and
half points inside: they are doubled and halved here and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from marchtable.action import Action, Parameter, parameters, verb_of
from marchtable.errors import BadInputError, UnknownNameError

if TYPE_CHECKING:
    from marchtable.rulebook import Rulebook

__all__ = ["builtins_of", "format_action", "parse_action", "points", "struct_of"]


def points(halves: int) -> int | float:
    """Return half points as points: a whole number where it is one."""
    return halves // 2 if halves % 2 == 0 else halves / 2


def half_points(value: object, field: str) -> int:
    """Return points as half points; raises BadInputError unless it is a multiple of 0.5."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInputError(f"expected a number of points, got {value!r}", field=field)
    if not math.isfinite(value) or value < 0 or value > 10_000 or value * 2 != int(value * 2):
        raise BadInputError(
            f"expected a multiple of 0.5 from 0 to 10000, got {value!r}", field=field
        )
    return int(value * 2)


# -- structs and builtins --------------------------------------------------------------------------


@cache
def _shape(kind: Any) -> tuple[tuple[str, str, Any, bool], ...]:
    """Return (attribute, name in files, type, whether it is in half points) of a struct's fields."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        (field.name, field.encode_name, hints[field.name], _is_half(hints[field.name]))
        for field in msgspec.structs.fields(kind)
    )


def _is_half(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return any((getattr(meta, "extra", None) or {}).get("halves") for meta in get_args(hint)[1:])
    return False


def _inner(hint: Any) -> list[Any]:
    """Return the struct types that a type hint may hold."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return [hint]
    if get_origin(hint) is Annotated:
        return _inner(get_args(hint)[0])
    return [found for part in get_args(hint) for found in _inner(part)]


def builtins_of(value: Any, *, full: bool = False) -> Any:
    """
    Return a struct as what JSON and TOML hold: amounts in points, defaults left out.

    Parameters
    ----------
    value
        A struct, or a container of such.
    full
        Keep fields that have their default value (None is always left out).
    """
    if isinstance(value, msgspec.Struct):
        found: dict[str, Any] = {}
        config = value.__struct_config__
        if config.tag is not None:
            found[str(config.tag_field)] = config.tag
        defaults = _defaults(type(value))
        for name, encoded, _, half in _shape(type(value)):
            entry = getattr(value, name)
            if entry is None or (not full and name in defaults and entry == defaults[name]):
                continue
            found[encoded] = points(entry) if half else builtins_of(entry, full=full)
        return found
    if isinstance(value, tuple | list):
        return [builtins_of(entry, full=full) for entry in value]
    if isinstance(value, Mapping):
        return {key: builtins_of(entry, full=full) for key, entry in value.items()}
    return value


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    found = {}
    for field in msgspec.structs.fields(kind):
        if field.default is not msgspec.NODEFAULT:
            found[field.name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            found[field.name] = field.default_factory()
    return found


def struct_of(data: Any, kind: Any, *, source: str = "", field: str = "") -> Any:
    """
    Return builtins as a struct of that type.

    Raises
    ------
    BadInputError
        Naming the field and what was expected there.
    """
    try:
        return msgspec.convert(_doubled(data, kind, field), kind)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        place = field + path.rstrip("`")
        raise BadInputError(message[0].lower() + message[1:], source=source, field=place.lstrip(".")) from None
    except BadInputError as error:
        raise error.located(source=source) from None


def _doubled(data: Any, kind: Any, field: str) -> Any:
    """Return the data with every amount that the type says is in half points doubled."""
    structs = _inner(kind)
    if isinstance(data, list | tuple):
        return [_doubled(entry, kind, f"{field}[{number}]") for number, entry in enumerate(data)]
    if not isinstance(data, dict) or not structs:
        return data
    tags = {str(t.__struct_config__.tag): t for t in structs if t.__struct_config__.tag is not None}
    tag_field = structs[0].__struct_config__.tag_field
    chosen = tags.get(str(data.get(tag_field)), structs[0]) if tags else structs[0]
    shape = {encoded: (hint, half) for _, encoded, hint, half in _shape(chosen)}
    found = {}
    for key, value in data.items():
        hint, half = shape.get(key, (None, False))
        place = f"{field}.{key}" if field else str(key)
        found[key] = half_points(value, place) if half else _doubled(value, hint, place)
    return found


# -- actions ---------------------------------------------------------------------------------------


def format_action(action: Action) -> str:
    """
    Return an action in one line, such as ``enter sqA,sqB K5``.

    Examples
    --------
    >>> from marchtable.action import Phase
    >>> format_action(Phase("MPh", side="german"))
    'phase MPh side=german'
    """
    words = [verb_of(action)]
    defaults = _defaults(type(action))
    for parameter in parameters(type(action)):
        value = getattr(action, parameter.name)
        if parameter.required:
            words.append(_word(value, parameter))
        elif value != defaults[parameter.name]:
            words.append(f"{parameter.name}={_word(value, parameter)}")
    return " ".join(words)


def _word(value: Any, parameter: Parameter) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if parameter.halves:
        return str(points(value))
    if isinstance(value, tuple):
        return ",".join(str(entry) for entry in value)
    return str(value)


def parse_action(line: str, rulebook: Rulebook[Any, Any], *, source: str = "", field: str = "") -> Action:
    """
    Return the action that a line stands for.

    Raises
    ------
    BadInputError
        Naming the verb's arguments if the line does not fit them.
    """
    words = line.split()
    if not words:
        raise BadInputError("expected an action, got an empty line", source=source, field=field)
    kind = _verb(words[0], rulebook, source, field)
    expected = parameters(kind)
    usage = " ".join([words[0], *(p.name if p.required else f"[{p.name}=…]" for p in expected)])
    data: dict[str, Any] = {}
    required = [p for p in expected if p.required]
    plain = [word for word in words[1:] if "=" not in word]
    named = [word.partition("=") for word in words[1:] if "=" in word]
    if len(plain) != len(required):
        raise BadInputError(f"expected `{usage}`, got {line!r}", source=source, field=field)
    by_name = {p.name: p for p in expected}
    pairs = [(p, word) for p, word in zip(required, plain, strict=True)]
    for name, _, word in named:
        if name not in by_name or by_name[name].required or name in data:
            raise BadInputError(f"expected `{usage}`, got {line!r}", source=source, field=field)
        pairs.append((by_name[name], word))
    for parameter, word in pairs:
        if parameter.name in data:
            raise BadInputError(f"{parameter.name} is given twice in {line!r}", source=source, field=field)
        data[parameter.name] = _value(word, parameter, line)
    return _action({"do": words[0], **data}, kind, source, field)


def _value(word: str, parameter: Parameter, line: str) -> Any:
    if parameter.domain == "companions":
        return word.split(",")
    if parameter.halves:
        try:
            return float(word)
        except ValueError:
            raise BadInputError(f"expected a number for {parameter.name} in {line!r}") from None
    if parameter.values == (False, True):
        return {"true": True, "false": False}.get(word, word)
    return word


def _verb(verb: Any, rulebook: Rulebook[Any, Any], source: str, field: str) -> type[Action]:
    kind = rulebook.verbs.get(verb) if isinstance(verb, str) else None
    if kind is None:
        raise UnknownNameError(
            f"no action {verb!r} in {rulebook.name} (actions: {', '.join(rulebook.verbs)})",
            source=source, field=field,
        )  # fmt: skip
    return kind


def _action(data: dict[str, Any], kind: type[Action], source: str, field: str) -> Action:
    found: Action = struct_of(data, kind, source=source, field=field)
    return found


def action_of(entry: Any, rulebook: Rulebook[Any, Any], *, source: str = "", field: str = "") -> Action:
    """Return an action given as one line or as a table with its verb under ``do``."""
    if isinstance(entry, str):
        return parse_action(entry, rulebook, source=source, field=field)
    if not isinstance(entry, dict):
        raise BadInputError(f"expected an action, got {entry!r}", source=source, field=field)
    return _action(entry, _verb(entry.get("do"), rulebook, source, field), source, field)
