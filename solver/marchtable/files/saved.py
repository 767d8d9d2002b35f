"""A saved game as a scene file, with a list of what the scene lacks."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from marchtable.codec.plain import check_target, checked, one_line, toml_text, write, write_text
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.boards import find_board
from marchtable.files.scenes import SCENE_FORMAT, grouped_units, position_of
from marchtable.importing import LeftOut, SavedScene
from marchtable.nearest import unknown
from marchtable.rules.rulebook import find_rulebook
from marchtable.vasl.saves import laid_boards, read_save, read_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.board.board import Board
    from marchtable.importing import Wishes
    from marchtable.state.position import Position
    from marchtable.vasl.saves import Save, Table

__all__ = [
    "import_report",
    "import_scene",
    "named_boards",
    "scene_of_file",
    "sound_position",
    "sound_scene",
]

MOST_FAULTS = 100
OFF_MAP = "-"
LONG = 160
_FAULT = re.compile(r"(units|counters)\[(\d+)\]")
_TIES = ("aboard", "riding", "towing", "towed_by", "inside", "floor", "crest")


def import_scene(
    path: str | Path, boards: Path | None, output: Path | None, wishes: Wishes, rulebook: str | None
) -> tuple[dict[str, Any], str]:
    """
    Write a scene from a saved game, or only report what it would contain.

    Parameters
    ----------
    path
        The saved game.
    boards
        The folder with the archives of its boards; without it, places are given in pixels.
    output
        The scene file to write, if any.
    wishes
        The viewer, and the user's own settings.
    rulebook
        The rulebook of the scene.

    Returns
    -------
    dict, str
        The report, as data and as text.

    Raises
    ------
    BadInputError
        If the save or a board cannot be read, or a scene is to be written and there are no boards.
    """
    if output is not None:
        check_target(output, path)
    found, names, origin = scene_of_file(path, boards, wishes, rulebook)
    if output is None:
        return import_report(found, names, origin, None)
    if not names:
        raise BadInputError(_boardless(read_save(path)), source=Path(path).name)
    _write(found, names, origin, output)
    return import_report(found, names, origin, output)


def _boardless(save: Save) -> str:
    """Return why a saved game without hexes makes no scene: its archives are not given, or it has no boards."""
    if named := laid_boards(save):
        archives = ", ".join(dict.fromkeys(f"bd{name}" for name in named))
        return f"its counters lie on boards: expected --boards DIR, the folder with the archives of {archives}"
    return (
        "no board is laid out in it, so its counters are on no hexes and make no scene "
        "(without -o they are listed)"
    )


def scene_of_file(
    path: str | Path, boards: Path | None, wishes: Wishes, rulebook: str | None
) -> tuple[SavedScene, tuple[tuple[str, ...], ...], dict[str, str]]:
    """
    Return a saved game as a scene that reads back, its boards, and what it was saved with.

    Raises
    ------
    BadInputError
        If it cannot be read, or the rulebook rejects the user's settings.
    """
    save = read_save(path)
    table = read_table(save, boards)
    board, table = _board_of(table, save, boards)
    try:
        found = find_rulebook(rulebook).scene_of_save(table, wishes)
    except BadInputError as error:
        raise error.located(source=save.source) from None
    found.data["rulebook"] = find_rulebook(rulebook).name
    if board is not None:
        found = sound_scene(found, board, save.source)
        _set_by_hand(found, board, wishes)
    elif wishes.place or wishes.values:
        raise BadInputError(
            _boardless(save), source=save.source, field=f"--{'place' if wishes.place else 'set'}"
        )
    origin = {
        "source": save.source,
        "module": save.module,
        "version": save.version,
        "vassal": save.vassal,
    }
    return found, table.boards, origin


def _board_of(table: Table, save: Save, folder: Path | None) -> tuple[Board | None, Table]:
    """
    Return the map of a saved game, and the pieces by place.

    If its boards do not fit together, empty boards are left out.
    """
    if not table.boards:
        return None, table
    try:
        return find_board(named_boards(table.boards)), table
    except BadInputError:
        if not 0 < len(table.bare) < sum(map(len, table.boards)):
            raise
        smaller = read_table(save, folder, table.bare)
        return find_board(named_boards(smaller.boards)), smaller


def named_boards(rows: tuple[tuple[str, ...], ...]) -> str | list[list[str]]:
    """Return boards as a scene names them."""
    return rows[0][0] if len(rows) == len(rows[0]) == 1 else [list(row) for row in rows]


# -- a scene that reads back ---------------------------------------------------------------------


def sound_scene(found: SavedScene, board: Board, source: str) -> SavedScene:
    """Remove what the rulebook rejects from a scene: first a unit's ties, then the unit."""
    sound_position(found, board, source)
    return found


def sound_position(
    found: SavedScene, board: Board, source: str, *, trusted: bool = False
) -> Position[Any, Any]:
    """
    Return the position of a scene, and remove from the scene what the rulebook rejects.

    The names on a `trusted` board are not checked.
    """
    for _ in range(MOST_FAULTS):
        try:
            checked(found.data, source=source)
            return position_of(
                {"format": SCENE_FORMAT, "board": "", **found.data},
                source=source, board=board, trusted=trusted,
            )  # fmt: skip
        except BadInputError as error:
            match = _FAULT.match(error.field)
            entries = found.data.get(match[1], []) if match else []
            if match is None or int(match[2]) >= len(entries):
                raise
            _mend(found, match[1], int(match[2]), error.message)
    raise BadInputError(
        f"more than {MOST_FAULTS} of its counters make no sense together", source=source
    )


def _mend(found: SavedScene, field: str, number: int, why: str) -> None:
    """Remove what is faulty: a unit's ties, then what it moves on, its SW, last the unit."""
    entries = found.data[field]
    entry = entries[number]
    if field == "counters":
        del entries[number]
        found.left_out.append(LeftOut(entry["kind"], entry["at"], why))
        return
    tied = [
        one
        for one in entries
        if entry["id"] in (one.get("aboard"), one.get("towed_by"), one.get("towing"))
    ]
    own = [tie for tie in _TIES if tie in entry]
    if own or tied:
        for one in (entry, *tied):
            for tie in _TIES:
                one.pop(tie, None)
        found.notes.append(
            f"{entry['id']} neither carries nor is carried here, and is on the ground: {why}"
        )
        return
    if "gear" in entry:
        found.notes.append(
            f"{entry['id']} goes on foot here, not on its {entry.pop('gear')}: {why}"
        )
        return
    if "sw" in entry:
        found.left_out += [LeftOut(item["name"], entry["at"], why) for item in entry.pop("sw")]
        return
    del entries[number]
    found.left_out.append(LeftOut(f"{entry['id']} ({entry['type']})", entry["at"], why))


# -- what the user sets --------------------------------------------------------------------------


def _set_by_hand(found: SavedScene, board: Board, wishes: Wishes) -> None:
    """Place units and set values; raise BadInputError if the rulebook then rejects the scene."""
    if not wishes.place and not wishes.values:
        return
    units = {unit["id"]: unit for unit in found.data["units"]}
    for name, at in wishes.place.items():
        _entry(units, name, "--place")
        for one in (name, *_carried(units, name)):
            units[one]["at"] = at
    for path, value in wishes.values.items():
        name, dot, field = path.rpartition(".")
        if not dot or not field:
            raise BadInputError(
                f"expected UNIT.FIELD=VALUE or conditions.FIELD=VALUE, got {path[:60]!r}",
                field="--set",
            )
        if name == "conditions":
            found.data.setdefault("conditions", {})[field] = value
        else:
            _entry(units, name, "--set")[field] = value
    try:
        checked(found.data, source="")
        position_of({"format": SCENE_FORMAT, "board": "", **found.data}, source="", board=board)
    except BadInputError as error:
        raise BadInputError(
            f"{error.message} (with --place, --set and --counter applied)",
            field=_named(error.field, found),
        ) from None


def _entry(units: dict[str, dict[str, Any]], name: str, field: str) -> dict[str, Any]:
    if name not in units:
        raise UnknownNameError(unknown("unit", name, units), field=field)
    return units[name]


def _carried(units: dict[str, dict[str, Any]], name: str) -> Iterator[str]:
    """Yield the units that a unit carries or tows, and those that they do."""
    for one in units.values():
        if name in (one.get("aboard"), one.get("towed_by")):
            yield one["id"]
            yield from _carried(units, one["id"])


def _named(field: str, found: SavedScene) -> str:
    """Return a field of a scene with the unit's id instead of its number."""
    match = _FAULT.match(field)
    if match is None or match[1] != "units":
        return field
    return f"{found.data['units'][int(match[2])]['id']}{field[match.end() :]}"


# -- the report ----------------------------------------------------------------------------------


def _write(
    found: SavedScene, names: tuple[tuple[str, ...], ...], origin: dict[str, str], output: Path
) -> None:
    folder = output.parent
    rows = tuple(tuple(_relative(name, folder) for name in row) for row in names)
    table = grouped_units(found.data, find_rulebook(found.data["rulebook"]))
    data = {"format": SCENE_FORMAT, **table, "board": named_boards(rows)}
    if output.suffix.lower() == ".json":
        write(data, output)
        return
    lines = [f"From {origin['source']} ({_saved_with(origin)}).", *found.notes]
    lines += [*_in_tray(found), *_listed(found)]
    head = "".join(f"# {one_line(line, LONG)}\n" for line in lines)
    write_text(f"{head}\n{toml_text(data)}", output)


def _relative(name: str, folder: Path) -> str:
    """Return a board's name for a scene in that folder."""
    try:
        return os.path.relpath(name, folder)
    except ValueError:  # on another drive
        return str(Path(name).absolute())


def _saved_with(origin: dict[str, str]) -> str:
    module = f"{origin['module'] or 'unknown module'} {origin['version']}".strip()
    return f"{module}, VASSAL {origin['vassal']}" if origin["vassal"] else module


def _listed(found: SavedScene) -> list[str]:
    """List the pieces left out, in hex order; equal pieces in one place share a line."""
    counted = Counter(sorted(found.left_out, key=_by_place))
    return [
        f"left out, {entry.where}: {f'{count} x ' if count > 1 else ''}{entry.what}: {entry.why}"
        for entry, count in counted.items()
    ]


def _tray(found: SavedScene) -> list[dict[str, str]]:
    """Return the units off the map that nothing carries, with side, type and place."""
    return [
        {
            "id": unit["id"],
            "side": unit["side"],
            "type": unit["type"],
            "where": found.beside.get(unit["id"], "off the map"),
        }
        for unit in found.data["units"]
        if unit["at"] == OFF_MAP and "aboard" not in unit and "towed_by" not in unit
    ]


def _in_tray(found: SavedScene) -> Iterator[str]:
    """Yield the units of the tray, one line for each side and place."""
    lines: dict[tuple[str, str], list[str]] = {}
    for one in _tray(found):
        lines.setdefault((one["side"], one["where"]), []).append(f"{one['id']} ({one['type']})")
    for (side, where), names in lines.items():
        yield f"tray, {side}, {where}: {', '.join(names)}"


def _by_place(entry: LeftOut) -> tuple[bool, list[tuple[int, str]]]:
    """Return the sort key that orders pieces by hex, those off the boards last."""
    parts = re.findall(r"[0-9]+|[^0-9]+", entry.where)
    order = [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]
    return entry.where.startswith("off "), order


def import_report(
    found: SavedScene,
    names: tuple[tuple[str, ...], ...],
    origin: dict[str, str],
    output: Path | None,
) -> tuple[dict[str, Any], str]:
    """
    Return the report on an import, as data and as text.

    ``tray`` lists the units that can be placed, ``left_out`` the pieces that the scene lacks.
    """
    units = found.data["units"]
    waiting = sum(unit["at"] == OFF_MAP for unit in units)
    data: dict[str, Any] = {
        "format": "marchtable/scene-import/1", "status": "LEGAL",
        "file": None if output is None else str(output), **origin,
        "boards": [list(row) for row in names], "side": found.data["side"],
        "phase": found.data["phase"], "turn": found.data["turn"],
        "units": [{"id": unit["id"], "type": unit["type"], "at": unit["at"]} for unit in units],
        "counters": found.data.get("counters", []),
        "tray": _tray(found),
        "left_out": [{**entry._asdict(), "count": count} for entry, count in Counter(sorted(found.left_out, key=_by_place)).items()],
        "notes": found.notes,
    }  # fmt: skip
    start = f"{origin['source']}: " if output is None else f"{output}: "
    on_map = f"{len(units) - waiting} units on the map, {waiting} off it"
    lines = [
        f"{start}{_saved_with(origin)}; {on_map}, {len(data['counters'])} counters; "
        f"{found.data['side']} to move, {found.data['phase']} of turn {found.data['turn']}",
        *found.notes,
        *_in_tray(found),
        *_listed(found),
    ]
    return data, "\n".join(one_line(line) for line in lines)
