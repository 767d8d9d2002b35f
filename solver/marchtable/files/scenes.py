"""
Scenes: positions as files (``marchtable/scene/2``), or as plain data of the same form.

TOML for people and JSON for programs share one schema (``marchtable schema scene``).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from marchtable.arguments import public
from marchtable.board.board import BoardFile
from marchtable.codec.plain import STDIN, checked, one_line, read, table_of, write
from marchtable.codec.structs import builtins_of, struct_of
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.boards import DEMO, demo_board, find_board
from marchtable.files.grids import GridFile, formed
from marchtable.files.names import check_board
from marchtable.files.validation import check_scene
from marchtable.nearest import did_you_mean
from marchtable.rules.edition import chosen_readings
from marchtable.rules.rulebook import find_rulebook, rulebook_names
from marchtable.state.position import Counter, Obligation, Position
from marchtable.state.records import as_written, field_of, fields_of, grouped, replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.board.board import Board
    from marchtable.rules.rulebook import Rulebook

__all__ = [
    "OLDER_FORMATS", "SCENE_FORMAT", "Scene", "grouped_units", "load", "load_scene", "position_of", "save", "scene_data", "scene_of",
    "scene_table", "scene_type", "with_readings",
]  # fmt: skip

SCENE_FORMAT = "marchtable/scene/2"
OLDER_FORMATS = ("marchtable/scene/1",)
"""Formats with each field of a unit alone, still allowed (see :mod:`marchtable.state.records`)."""
MOST_OTHERS = 2
"""How many further faults of a scene are listed with the first."""
_UNIT = re.compile(r"units\[(?P<number>[0-9]+)\]")
_GROUP = re.compile(r"\w+ (?P<name>'[^']*'): ")
"""A group of units with a name, at the beginning of a message."""
MOST_FAULTS = 8
"""Maximum number of further faults that an error names."""
_REJECTED = re.compile(r"unknown field `([^`]*)`")
_OF_UNIT = re.compile(r"(?P<unit>units\[(?P<number>\d+)\])\.(?P<path>.+)")
OTHER_FILES = {
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".pdf"), "a picture"),
    **dict.fromkeys((".log", ".txt"), "a log, which comes after its scene: SCENE LOG"),
    **dict.fromkeys(
        (".vsav", ".vlog"),
        "a saved game, of which `marchtable scene import SAVE -o SCENE.toml` makes one",
    ),
}
"""What a file given as a scene is instead, by its suffix."""


class Scene(NamedTuple):
    """A position, its name, the file it was read from, and how that file names the board."""

    position: Position[Any, Any]
    name: str
    source: str
    board: Any = None


@cache
def scene_type(rulebook: Rulebook[Any, Any]) -> type[msgspec.Struct]:
    """Return the struct of a rulebook's scene files."""
    conditions: Any = rulebook.conditions_type
    return msgspec.defstruct(
        "Scene",
        [
            ("rulebook", str),
            ("side", str),
            ("phase", str),
            ("board", str | list[list[str]] | BoardFile | GridFile),
            ("units", tuple[rulebook.unit_type, ...]),  # type: ignore[name-defined]
            ("name", str, ""),
            ("turn", Annotated[int, msgspec.Meta(ge=1, le=1000)], 1),
            ("conditions", conditions, msgspec.field(default_factory=conditions)),
            ("interpretations", dict[str, str], msgspec.field(default_factory=dict)),
            ("counters", tuple[Counter, ...], ()),
            ("pending", tuple[Obligation, ...], ()),
        ],
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        tag_field="format",
        tag=SCENE_FORMAT,
    )


@public
def load(path: str | Path) -> Position[Any, Any]:
    """
    Return the position in a scene file.

    Parameters
    ----------
    path
        A TOML or JSON file; ``-`` reads standard input. Boards are found relative to it.

    Raises
    ------
    BadInputError
        Names the file, the field and what was expected there.
    """
    return load_scene(path).position


def _check_words(data: Any, rulebook: Rulebook[Any, Any]) -> None:
    """Reject fields that belong to a board's name, and terms of the game in counters, with what to write."""
    for word in ("ssr", "overlays", "crop"):
        if word in data:
            raise UnknownNameError(
                f"unknown field `{word}`; write it after the board's name, as in "
                '`board = "bd01 ssr NoRoads crop A-P"`',
                field=word,
            )
    counters = data.get("counters")
    for number, counter in enumerate(counters if isinstance(counters, list | tuple) else ()):
        words = counter if isinstance(counter, dict) else {}
        for word in (one for one in words if one in rulebook.field_terms):
            if word not in Counter.__struct_fields__:
                raise UnknownNameError(
                    f"unknown field `{word}`: {rulebook.field_terms[word]}",
                    field=f"counters[{number}]",
                )


def load_scene(path: str | Path) -> Scene:
    """Return the position in a scene file (see :func:`load`) with its name."""
    try:
        data, source = read(path)
    except BadInputError as error:
        if (hint := OTHER_FILES.get(Path(path).suffix.lower())) and Path(path).is_file():
            raise BadInputError(f"expected a scene, got {hint}", source=error.source) from None
        raise
    folder = Path() if str(path) == STDIN else Path(path).parent
    return scene_of(data, source=source, folder=folder)


def scene_of(data: Any, *, source: str = "scene", folder: str | Path = ".") -> Scene:
    """Return the position of a scene's plain data, with its name."""
    table = scene_table(checked(data, source=source), source=source)
    try:
        position = position_of(table, source=source, folder=folder)
    except BadInputError as error:
        others = _others(error, table, source, folder)
        raise type(error)(
            "; also ".join([error.message, *others]), source=error.source, field=error.field
        ) from None
    return Scene(position, table.get("name", ""), source, table.get("board"))


def _others(
    error: BadInputError, table: dict[str, Any], source: str, folder: str | Path
) -> list[str]:
    """Return the faults of units other than the one that the scene was rejected for."""
    units, gone, found = table.get("units"), {error.message}, list[str]()
    if not isinstance(units, list) or not all(isinstance(unit, dict) for unit in units):
        return found
    numbers = list(range(len(units)))
    while (match := _UNIT.match(error.field)) and len(found) < MOST_OTHERS:
        number = numbers.pop(int(match["number"]))
        gone.add(repr(units[number].get("id")))
        if group := _GROUP.match(error.message):  # without a member it has other faults
            gone.add(group["name"])
        try:
            left = {**table, "units": [units[n] for n in numbers]}
            position_of(left, source=source, folder=folder)
            break
        except BadInputError as other:
            error = other
        named = {error.message, *re.findall("'.*?'", error.message)}
        if (match := _UNIT.match(error.field)) is None or gone & named:
            break
        field = f"units[{numbers[int(match['number'])]}]{error.field[match.end() :]}"
        found.append(f"{field}: {error.message}")
    return found


def scene_table(data: Any, *, source: str) -> dict[str, Any]:
    """Check that data are a scene's table, and convert it to the present format."""
    if isinstance(data, dict) and data.get("format") in OLDER_FORMATS:
        data = {**data, "format": SCENE_FORMAT}
    return table_of(data, SCENE_FORMAT, source=source)


def grouped_units(data: Any, rulebook: Rulebook[Any, Any]) -> Any:
    """Return a scene's table with unit fields moved into their records; raise BadInputError with all faults."""
    if not isinstance(units := data.get("units"), list):
        return data
    found, faults = list[Any](), list[BadInputError]()
    for n, unit in enumerate(units):
        given = unit
        while True:
            try:
                found.append(
                    grouped(given, rulebook.unit_type, f"units[{n}]", rulebook.field_terms)
                )
                break
            except BadInputError as error:
                faults.append(error)
                name = _REJECTED.match(error.message)
                if name is None or name[1] not in given:
                    break
                given = {key: value for key, value in given.items() if key != name[1]}
    if faults:
        raise _all_of(faults)
    return {**data, "units": found}


def _all_of(faults: Sequence[BadInputError]) -> BadInputError:
    """Return the first of some errors, whose message also names the others."""
    first, *rest = faults
    also = [f"{one.field}: {one.message.partition('; expected any of')[0]}" for one in rest]
    shown = "; ".join(also[:MOST_FAULTS])
    more = f" and {len(also) - MOST_FAULTS} more" if len(also) > MOST_FAULTS else ""
    message = f"{first.message} | also {shown}{more}" if also else first.message
    return type(first)(message, source=first.source, field=first.field)


def _where_written(error: BadInputError, data: dict[str, Any]) -> BadInputError:
    """Return an error with its field located where the scene has it: in a record or not."""
    match, units = _OF_UNIT.fullmatch(error.field), data.get("units")
    if error.source or match is None or not isinstance(units, list):
        return error
    kind, message = find_rulebook(data["rulebook"]).unit_type, error.message
    path = as_written(match["path"], units[int(match["number"])], kind)
    if path == "at" and message == "missing required field":
        message += '; expected a hex, or at = "-" for a unit off the map'
        message += _where_another_is(units[int(match["number"])], units)
    return type(error)(message, field=f"{match['unit']}.{path}")


def _where_another_is(unit: dict[str, Any], units: list[Any]) -> str:
    """Return the Location of a unit that a field of this one names, such as its carrier."""
    records = [unit, *(record for record in unit.values() if isinstance(record, dict))]
    for field, named in (pair for record in records for pair in record.items()):
        for other in units:
            at = other.get("at") if isinstance(other, dict) and other is not unit else None
            if isinstance(at, str) and isinstance(named, str) and other.get("id") == named:
                return f'; `{field}` names {named}, which has at = "{at}"'
    return ""


def position_of(
    data: dict[str, Any],
    *,
    source: str,
    folder: str | Path = ".",
    board: Board | None = None,
    trusted: bool = False,
) -> Position[Any, Any]:
    """
    Return the position of a scene's table, on the given board if any.

    The names on a `trusted` board are not checked.
    """
    try:
        rulebook = _rulebook(data.get("rulebook"))
        own = {"board": formed(data["board"])} if "board" in data else {}
        _check_words(data, rulebook)
        table = rulebook.filled({**data, **own})
        scene: Any = struct_of(dict(grouped_units(table, rulebook)), scene_type(rulebook))
        if board is None:
            board = _board(scene.board, rulebook, folder)
        if not trusted:
            _check_names(board, scene, rulebook)
        position = Position(
            rulebook=rulebook.name,
            board=board,
            units=tuple(_placed(unit, board) for unit in scene.units),
            side=scene.side,
            phase=scene.phase,
            turn=scene.turn,
            conditions=scene.conditions,
            counters=tuple(_placed(counter, board) for counter in scene.counters),
            readings=_readings(rulebook, scene.interpretations),
            pending=scene.pending,
        )
        position = check_scene(rulebook, position)
    except BadInputError as error:
        raise _where_written(error, data).located(source=source) from None
    return position


def _rulebook(name: Any) -> Rulebook[Any, Any]:
    if not isinstance(name, str):
        names = ", ".join(rulebook_names())
        raise BadInputError(f"expected the name of a rulebook ({names})", field="rulebook")
    return find_rulebook(name)


def _board(named: Any, rulebook: Rulebook[Any, Any], folder: str | Path) -> Board:
    try:
        return find_board(named, rulebook, folder=folder)
    except BadInputError as error:
        if error.source:  # the error is in another file
            if isinstance(named, str) and error.message.startswith("cannot be read"):
                own = "" if "; nearest" in error.message else did_you_mean(named, (DEMO,))
                message = f"{error.source}: {error.message}{own}"
                raise type(error)(message, field="board") from None
            raise
        inside = (
            f".{error.field}" if isinstance(named, BoardFile | GridFile) and error.field else ""
        )
        raise type(error)(error.message, field=f"board{inside}") from None


def _check_names(board: Board, scene: Any, rulebook: Rulebook[Any, Any]) -> None:
    """Reject unknown names on the board, reporting the scene's board or its file."""
    names = rulebook.map_names(scene.conditions)
    if names is None:
        return
    try:
        check_board(board, names)
    except BadInputError as error:
        if isinstance(scene.board, str):
            raise type(error)(f"{scene.board}: {error}", field="board") from None
        field = f"board.{error.field}".rstrip(".")
        raise type(error)(error.message, field=field) from None


def _placed(entry: Any, board: Board) -> Any:
    """Return a unit or counter with its Locations' proper names; ``-`` is off the map."""
    changes: dict[str, Any] = {}
    kind: Any = type(entry)
    for part in fields_of(kind):
        if part.domain != "location":
            continue
        value = field_of(entry, part.attribute)
        if isinstance(value, tuple):
            spelt: Any = tuple(map(board.called, value))
        else:
            spelt = value if value is None else board.called(value)
        if spelt != value:
            changes[part.attribute] = spelt
    if entry.at == "-" and hasattr(entry, "side"):
        changes["at"] = None
    elif entry.at in board.aliases:
        changes["at"] = board.resolve(entry.at)
    return replace(entry, **changes) if changes else entry


def _readings(
    rulebook: Rulebook[Any, Any], chosen: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    defaults = chosen_readings(rulebook.register, {})
    settings = chosen_readings(rulebook.register, chosen, book=rulebook.name)
    return tuple(sorted((k, choice) for k, choice in settings.items() if choice != defaults[k]))


@public
def with_readings(position: Position[Any, Any], chosen: Mapping[str, str]) -> Position[Any, Any]:
    """Return a position with the chosen readings of the interpretation register."""
    if not chosen:
        return position
    settings = {**dict(position.readings), **chosen}
    readings = _readings(find_rulebook(position.rulebook), settings)
    return msgspec.structs.replace(position, readings=readings)


def scene_data(
    position: Position[Any, Any], *, name: str = "", board: Any = None
) -> dict[str, Any]:
    """
    Return a position as a scene's plain data.

    Parameters
    ----------
    position
        The position.
    name
        The scene's name.
    board
        The scene's name for its board, such as the path of its file, or a table that describes it;
        by default ``"demo"`` for the rulebook's own, while any other board is written out in full.

    Raises
    ------
    BadInputError
        If `board` is neither text nor a table.
    """
    if board is not None and not isinstance(board, str | dict):
        raise BadInputError(
            f"expected a path, a table or None, got {one_line(repr(board), 60)}", field="board"
        )
    rulebook = find_rulebook(position.rulebook)
    if board is None:
        own = rulebook.demo is not None and demo_board(rulebook) == position.board
        board = DEMO if own else builtins_of(position.board.file())
    found: dict[str, Any] = {"format": SCENE_FORMAT, "rulebook": position.rulebook}
    if name:
        found["name"] = name
    found.update(board=board, side=position.side, phase=position.phase, turn=position.turn)
    found["conditions"] = builtins_of(position.conditions)
    found["interpretations"] = dict(position.readings)
    found["counters"] = builtins_of(position.counters)
    found["pending"] = builtins_of(position.pending)
    found["units"] = [{"at": "-", **builtins_of(unit)} for unit in position.units]
    return {key: value for key, value in found.items() if value or key == "units"}


@public
def save(
    position: Position[Any, Any], path: str | Path, *, name: str = "", board: Any = None
) -> None:
    """
    Write a position to a scene file.

    Parameters
    ----------
    position, path
        The position, and the file; an existing one is replaced.
    name
        The scene's name.
    board
        The path by which the scene finds its board, from its own folder; the board is not
        written there: use :func:`save_board`. By default the board is written out in the scene.

    Raises
    ------
    BadInputError
        If `board` is neither text nor a table, or the file cannot be written.
    """
    write(scene_data(position, name=name, board=board), path)
