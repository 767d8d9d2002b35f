"""Logs: actions and events as files (``marchtable/log/1``, or plain lines), or as plain data."""

from __future__ import annotations

import re
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.arguments import public
from marchtable.codec.plain import checked, parsed, read_text, table_of, write, write_text
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.notation import action_of, format_action
from marchtable.files.validation import check_side_name
from marchtable.nearest import unknown
from marchtable.rules.rulebook import find_rulebook, listing_of
from marchtable.state.action import Phase, parameters, verb_of
from marchtable.state.log import Log

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.action import Action, Parameter
    from marchtable.state.position import Position

__all__ = [
    "LOG_FORMAT",
    "check_begins",
    "check_names",
    "load_log",
    "load_log_text",
    "log_data",
    "log_of",
    "save_log",
]

LOG_FORMAT = "marchtable/log/1"
LITTLE = ("to", "on", "onto", "in", "into", "from", "at", "and", "aboard", "by")
"""Prepositions that people write between the words of a line."""
PERIODS = ("turn", "phase", "segment")
"""Words with which people end a phase: ``end turn``."""
ONE_HEX = "one hex an action: a line for each"
ONE_UNIT = ("unit", "fellow")
ONE_PLACE = ("adjacent", "location")
_COMMENT = re.compile(r"(^|\s)#.*")
_NUMBER = re.compile(r"^\d+\.\s+")
_TABLE = re.compile(r"(format|scene|log)\s*=|[\[{]")
_LINES = (".txt", ".log")
_KEY = re.compile(r"[0-9a-f]{24}")


@public
def load_log(
    path: str | Path, position: Position[Any, Any], *, name: str | None = None
) -> tuple[Action, ...]:
    """
    Return the actions in a log file.

    Parameters
    ----------
    path
        A TOML or JSON file, or plain lines, one action each, with comments after ``#``; ``-``
        reads standard input.
    position
        The starting position.
    name
        The scene's name, if known: a log can name the scene that it is for.

    Raises
    ------
    BadInputError
        Names the file, the entry (``log[3]``) or line, and what was expected there.
    """
    if str(path) in position.index and not Path(path).exists():
        raise BadInputError(
            f"is a unit; expected the file of a log (choose a unit with --unit {path})",
            source=str(path),
        )
    text, source = read_text(path)
    return load_log_text(text, position, path=path, source=source, name=name)


def load_log_text(
    text: str,
    position: Position[Any, Any],
    *,
    path: str | Path,
    source: str = "log",
    name: str | None = None,
) -> tuple[Action, ...]:
    """Return the actions in the text of a log file; the file's name limits its format."""
    if not _is_plain(path, text):
        return log_of(parsed(text, path, source), position, source=source, name=name)
    entries = _entries(text, find_rulebook(position.rulebook))
    lines = checked([entry for _, entry in entries], source=source)
    numbered = zip((field for field, _ in entries), lines, strict=True)
    return _actions(numbered, position, source)


def _entries(text: str, rulebook: Rulebook[Any, Any]) -> list[tuple[str, str]]:
    """
    Return the actions of plain lines with their places: one per line, or several with ``;``.

    A line can begin with a number and a dot. A line that begins with no verb, after a line with
    ``;``, continues that line, as if broken to fit a terminal.
    """
    found: list[tuple[str, str]] = []
    is_broken = False
    for number, line in enumerate(text.splitlines(), 1):
        bare = _NUMBER.sub("", _COMMENT.sub("", line).strip())
        entries = [entry.strip() for entry in bare.split(";")]
        if is_broken and entries[0] and rulebook.called(entries[0].split()[0]) is None:
            where, begun = found.pop()
            found.append((where, f"{begun} {entries.pop(0)}"))
        found += [(f"line {number}", entry) for entry in entries if entry]
        if bare:
            is_broken = bool(found) and not bare.endswith(";") and (is_broken or ";" in bare)
    return found


def _is_plain(path: str | Path, text: str) -> bool:
    """Return whether a log is plain lines: neither named nor written as JSON or TOML."""
    if PurePath(path).suffix.lower() in (".json", ".toml"):
        return False
    first = next(
        (line for line in map(str.strip, text.splitlines()) if line[:1] not in ("", "#")), ""
    )
    return not _TABLE.match(first)


def log_of(
    data: Any,
    position: Position[Any, Any],
    *,
    source: str = "log",
    name: str | None = None,
    field: str = "log",
) -> tuple[Action, ...]:
    """Return the actions of a log given as plain data: its table, or only its list of entries, a `field`."""
    data = checked(data, source=source)
    if isinstance(data, dict):
        table_of(data, LOG_FORMAT, source=source)
        if unknown := [key for key in data if key not in ("format", "scene", "log")]:
            raise BadInputError(
                f"unknown field `{unknown[0]}`; expected any of format, scene, log",
                source=source,
                field=unknown[0],
            )
        _check_scene_named(data.get("scene"), position, source, name)
        data = data.get("log")
    if not isinstance(data, list | tuple):
        raise BadInputError("expected a list of actions", source=source, field=field)
    return _actions(((f"{field}[{n}]", entry) for n, entry in enumerate(data)), position, source)


def _actions(
    entries: Iterable[tuple[str, Any]], position: Position[Any, Any], source: str
) -> tuple[Action, ...]:
    """Return the actions of entries, each with its place in the log."""
    rulebook = find_rulebook(position.rulebook)
    found, fields = [], []
    for field, entry in entries:
        check_begins(entry, position, rulebook, source=source, field=field)
        action = _spelt(action_of(entry, rulebook, source=source, field=field), position)
        try:
            check_names(action, position, rulebook)
        except BadInputError as error:
            raise type(error)(error.message, source=source, field=field) from None
        found.append(action)
        fields.append(field)
    return Log(found, source, fields)


def check_begins(
    entry: Any,
    position: Position[Any, Any],
    rulebook: Rulebook[Any, Any],
    *,
    source: str = "",
    field: str = "",
) -> None:
    """Reject a line that begins with a unit's name, with a message of its own."""
    first, *rest = (entry.split() if isinstance(entry, str) else []) or [""]
    first = first.rstrip(":")
    goes = any(position.board.called(word) in position.board for word in rest)
    other = "move" if goes and rulebook.called("move") else "VERB"
    verb = next((word for word in rest if rulebook.called(word) is not None), other)
    if position.called(first) in position.index and rulebook.called(first) is None:
        others = [word for word in rest if word != verb]
        raise BadInputError(
            f"{first!r} is a unit; the verb comes first: `{' '.join([verb, first, *others])}` "
            f"(`marchtable {listing_of('verbs', rulebook.name)}` lists all)",
            source=source, field=field,
        )  # fmt: skip


def _check_scene_named(
    scene: Any, position: Position[Any, Any], source: str, name: str | None
) -> None:
    if scene is None or (isinstance(scene, str) and scene == position.key()):
        return
    if not isinstance(scene, str):
        raise BadInputError(f"expected a scene's name, got {scene!r}", source=source, field="scene")
    if _KEY.fullmatch(scene) if name is None else scene != name:
        raise BadInputError(
            f"a log for another scene: expected {name or position.key()!r}, got {scene!r}",
            source=source, field="scene",
        )  # fmt: skip


def check_names(action: Action, position: Position[Any, Any], rulebook: Rulebook[Any, Any]) -> None:
    """Raise BadInputError for an unknown unit, Location or phase, or a list instead of a name."""
    for parameter in parameters(type(action)):
        value = getattr(action, parameter.name)
        if value is None:
            continue
        if parameter.domain in (*ONE_UNIT, *ONE_PLACE) and "," in value:
            raise BadInputError(_one_only(action, parameter, value))
        if parameter.domain in ("unit", "fellow", "companions"):
            for name in value if parameter.domain == "companions" else (value,):
                _check_unit(name, position, rulebook)
        elif parameter.domain in ONE_PLACE:
            _check_place(value, position, rulebook)
    if isinstance(action, Phase) and action.phase not in rulebook.phases:
        raise BadInputError(unknown("phase", action.phase, rulebook.phases))
    if isinstance(action, Phase) and action.side is not None:
        _check_side(action.side, position, rulebook)


def _check_place(name: str, position: Position[Any, Any], rulebook: Rulebook[Any, Any]) -> None:
    """Raise UnknownNameError for an unknown Location; a verb behind a hex is an action of its own."""
    at, _, part = name.partition(":")
    if part and name not in position.board and rulebook.called(part) is not None:
        raise UnknownNameError(
            f"no Location {name!r}: {part!r} is an action, such as `{part.lower()} UNIT {at}` "
            f"(`marchtable {listing_of(f'verbs {part.lower()}', rulebook.name)}`)"
        )
    position.board.resolve(name)


def _check_side(side: str, position: Position[Any, Any], rulebook: Rulebook[Any, Any]) -> None:
    """Raise UnknownNameError for a side that is spelt almost like one here, or like a nationality."""
    there = dict.fromkeys(unit.side for unit in position.units)
    if side in there or not there:
        return
    meant = next((name for name in there if name.lower() == side.lower()), None)
    if meant is not None:
        raise UnknownNameError(f"no side {side!r} here; write {meant!r}, as units have it")
    check_side_name(side, [name for name, _ in rulebook.known("nationalities")])


def _one_only(action: Action, parameter: Parameter, value: str) -> str:
    """Return the message that rejects several names for one, with what to write."""
    verb, names = verb_of(action), [name for name in value.split(",") if name]
    singles = [msgspec.structs.replace(action, **{parameter.name: name}) for name in names]
    what = "unit" if parameter.domain in ONE_UNIT else "hex"
    role = "" if parameter.domain == "unit" else f" as {parameter.name!r}"
    lines = " and ".join(f"`{format_action(single)}`" for single in singles)
    return f"{verb!r} takes one {what}{role}, got {value!r}; write a line for each: {lines}"


def _check_unit(name: str, position: Position[Any, Any], rulebook: Rulebook[Any, Any]) -> None:
    """Raise UnknownNameError for a unit that does not exist."""
    if name in position.index or rulebook.may_come(position, name):
        return
    if position.board.called(name) in position.board:
        raise UnknownNameError(f"expected a unit, got the hex {name!r}; {ONE_HEX}")
    if name.lower() in LITTLE:
        raise UnknownNameError(f"expected a unit, got {name!r}: leave it out")
    if name.lower() in PERIODS:
        raise UnknownNameError(
            f"expected a unit, got {name!r}; `phase NAME` ends a phase, and begins the one named"
        )
    if rulebook.called(name) is not None:
        listing = listing_of(f"verbs {name}", rulebook.name)
        raise UnknownNameError(
            f"expected a unit, got {name!r}, an action of its own: `marchtable {listing}`"
        )
    if "+" in name or "&" in name:
        raise UnknownNameError(
            f"no unit {name!r} here; several units: `{re.sub('[+&]+', ',', name)}`"
        )
    position.unit(name)


def _spelt(action: Action, position: Position[Any, Any]) -> Action:
    """Return an action with names spelt as in the position; aliases are kept."""
    changes: dict[str, Any] = {}
    for parameter in parameters(type(action)):
        value = getattr(action, parameter.name)
        if value is None:
            continue
        if parameter.domain in ("unit", "fellow"):
            changes[parameter.name] = position.called(value)
        elif parameter.domain == "companions":
            changes[parameter.name] = tuple(map(position.called, value))
        elif parameter.domain in ("adjacent", "location"):
            changes[parameter.name] = position.board.called(value)
        elif isinstance(value, str) and value not in parameter.values:
            changes[parameter.name] = _in_small_letters(action, parameter, position)
    changed = any(getattr(action, name) != value for name, value in changes.items())
    return msgspec.structs.replace(action, **changes) if changed else action


def _in_small_letters(action: Action, parameter: Parameter, position: Position[Any, Any]) -> str:
    """Return the rulebook's proposal for a value that differs only in capitals (a SW's name)."""
    value: str = getattr(action, parameter.name)
    name = position.called(getattr(action, "unit", ""))
    if name not in position.index:
        return value
    rulebook = find_rulebook(position.rulebook)
    proposed = rulebook.values(position, position.unit(name), parameter)
    alike = [one for one in proposed if isinstance(one, str) and one.lower() == value.lower()]
    return alike[0] if len(alike) == 1 and value not in alike else value


def log_data(log: Iterable[Action], *, scene: str = "") -> dict[str, Any]:
    """Return actions as a log's plain data, for the named scene if any."""
    lines = [format_action(action) for action in log]
    return {"format": LOG_FORMAT, **({"scene": scene} if scene else {}), "log": lines}


@public
def save_log(log: Iterable[Action], path: str | Path, *, scene: str = "") -> None:
    """
    Write actions to a log file: plain lines for ``.txt`` and ``.log``, else JSON or TOML.

    JSON and TOML state the scene's name, if given.
    """
    data = log_data(log, scene=scene)
    if PurePath(path).suffix.lower() in _LINES:
        write_text("".join(f"{line}\n" for line in data["log"]), path)
    else:
        write(data, path)
