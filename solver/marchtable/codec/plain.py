"""
Reading and writing files as plain data: TOML for people, JSON for programs.

Any fault of a file (missing, a folder, not UTF-8, too large or too deep, a duplicate key, an
invalid number) is reported in one line: BadInputError with the file and the field.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tomllib
import unicodedata
from itertools import islice
from pathlib import Path
from typing import Any

from marchtable.budget import look
from marchtable.errors import BadInputError
from marchtable.nearest import CLOSE, composed, nearest

__all__ = [
    "STDIN", "check_target", "checked", "nearest_files", "on_disk", "one_line", "parsed", "read", "read_text", "table_of", "toml_text", "unreadable", "write", "write_text",
]  # fmt: skip

STDIN = "-"
"""Stands for standard input instead of a file."""

LINES = "rows"
"""The field whose text can have several lines: a grid's."""

MAX_BYTES = 20_000_000
MAX_DEPTH = 24
MAX_VALUES = 1_000_000
MAX_INTEGER = 2**53
MAX_MESSAGE = 600
MANY = 2000
"""Most files of a folder that are compared with a missing one."""
OFTEN = 4096  # values between two checks of the clock


def one_line(text: str, limit: int = MAX_MESSAGE) -> str:
    """Return a text on one line, unprintable characters escaped, the middle of a long one cut."""
    flat = " ".join(text.split())
    flat = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in flat)
    if len(flat) <= limit:
        return flat
    head, tail = flat[: limit * 2 // 3], flat[-limit // 3 :]
    if " " in head and " " in tail:  # cut between words
        head, tail = head.rpartition(" ")[0], tail.partition(" ")[2]
    return f"{head} … {tail}"


def read(path: str | Path) -> tuple[Any, str]:
    """
    Return the data of a TOML or JSON file, and the file's name for messages.

    Parameters
    ----------
    path
        The file; ``-`` reads standard input. JSON is recognized by the suffix ``.json`` or,
        elsewhere, by an opening brace or bracket that is not a TOML table.

    Raises
    ------
    BadInputError
        If it cannot be read, is too large or too deep, or is neither.
    """
    text, source = read_text(path)
    return parsed(text, path, source), source


def read_text(path: str | Path) -> tuple[str, str]:
    """Return the text of a file and its name for messages; see :func:`read`."""
    source = "standard input" if str(path) == STDIN else one_line(str(path))
    return _text(path, source), source


def parsed(text: str, path: str | Path, source: str) -> Any:
    """Return the data of a TOML or JSON text; see :func:`read`."""
    is_json = Path(path).suffix.lower() == ".json" or _looks_like_json(text)
    try:
        data = _json(text) if is_json else tomllib.loads(text)
    except BadInputError as error:
        raise error.located(source=source) from None
    except RecursionError:
        raise BadInputError(f"nested deeper than {MAX_DEPTH} levels", source=source) from None
    except ValueError as error:
        kind = "JSON" if is_json else "TOML"
        why = unreadable(error, text)
        raise BadInputError(f"not readable as {kind}: {why}", source=source) from None
    return checked(data, source=source)


def unreadable(error: ValueError, text: str = "") -> str:
    """Return a JSON or TOML parser's error in one line, with the line of the text that is wrong."""
    if isinstance(error, json.JSONDecodeError | tomllib.TOMLDecodeError):
        from marchtable.codec.slips import slip

        is_toml = isinstance(error, tomllib.TOMLDecodeError)
        return one_line(slip(text, str(error), is_toml=is_toml) if text else str(error))
    return "a number of too many digits"  # Python's own message explains how to program around it


def _text(path: str | Path, source: str) -> str:
    try:
        if str(path) == STDIN:
            raw = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with on_disk(path).open("rb") as file:
                raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        near = nearest_files(path) if isinstance(error, FileNotFoundError) else ""
        raise BadInputError(f"cannot be read: {reason}{near}", source=source) from None
    if len(raw) > MAX_BYTES:
        raise BadInputError(f"expected at most {MAX_BYTES:,} bytes", source=source)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(f"expected UTF-8 text, got byte {raw[error.start]:#04x} at {error.start}",
                            source=source) from None  # fmt: skip


def _looks_like_json(text: str) -> bool:
    # A TOML file can begin with a table, `[conditions]`; a JSON list that we read never looks like
    # that.
    return text.lstrip()[:1] == "{"


def _json(text: str) -> Any:
    # `checked` reports faulty values, because it knows their place.
    return json.loads(text, object_pairs_hook=_without_duplicates)


class _Twice:
    """Stands for the values of a duplicate key."""


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        found[key] = _Twice() if key in found else value
    return found


def checked(data: Any, *, source: str = "") -> Any:
    """
    Return plain data if all of it is valid: not too deep or large, and every value printable.

    Texts are returned with composed accents, so that names compare equal.

    Raises
    ------
    BadInputError
        Names the first invalid field.
    """
    waiting: list[tuple[Any, str, int]] = [(data, "", 0)]
    values, loose = 0, False
    while waiting:
        value, field, depth = waiting.pop()
        values += 1
        if values % OFTEN == 0:
            look()
        wrong = "" if isinstance(value, (dict, list, tuple)) else _fault(value, field)
        loose |= isinstance(value, str) and composed(value) != value
        if values > MAX_VALUES:
            field, wrong = "", f"expected at most {MAX_VALUES:,} values"
        elif depth > MAX_DEPTH:
            field, wrong = one_line(field, 60), f"nested deeper than {MAX_DEPTH} levels"
        if wrong:
            raise BadInputError(wrong, source=source, field=field.lstrip("."))
        if isinstance(value, dict):
            for key, entry in value.items():
                if not isinstance(key, str) or _fault(key):
                    raise BadInputError(
                        f"expected keys of printable text, got {one_line(ascii(key), 60)}",
                        source=source, field=field.lstrip("."),
                    )  # fmt: skip
                loose |= composed(key) != key
                waiting.append((entry, f"{field}.{key}", depth + 1))
        elif isinstance(value, (list, tuple)):
            waiting += [(entry, f"{field}[{n}]", depth + 1) for n, entry in enumerate(value)]
    return _composed(data) if loose else data


def _composed(data: Any) -> Any:
    """Return plain data with all texts composed."""
    if isinstance(data, str):
        return composed(data)
    if isinstance(data, dict):
        return {composed(key): _composed(value) for key, value in data.items()}
    return [_composed(one) for one in data] if isinstance(data, (list, tuple)) else data


def on_disk(path: str | Path) -> Path:
    """Return a path in the disk's spelling: its accents may be composed or not."""
    named = str(path)
    if named.isascii() or os.path.exists(named):
        return Path(named)
    others = (unicodedata.normalize(form, named) for form in ("NFC", "NFD"))
    return Path(next((one for one in others if os.path.exists(one)), named))


def _fault(value: Any, field: str = "") -> str:
    """Return the fault of a single value, or an empty string."""
    if isinstance(value, str) and field.rpartition(".")[2] == LINES:
        value = "".join(value.splitlines())
    if isinstance(value, _Twice):
        return "the key is given twice"
    if isinstance(value, str) and not value.isprintable():
        several = f"; write several lines as a list (only `{LINES}` takes them as one text)"
        several = several if "\n" in value else ""
        return f"expected printable text on one line, got {one_line(ascii(value), 60)}{several}"
    if isinstance(value, float) and not math.isfinite(value):
        return f"expected a finite number, got {value}"
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        return "expected a number of sensible size"
    if value is not None and not isinstance(value, (str, int, float)):
        return f"expected text, a number, true, false, a list or a table, got {one_line(repr(value), 60)}"
    return ""


def table_of(data: Any, form: str, *, source: str) -> dict[str, Any]:
    """Check that data are a table whose ``format`` is the given one, and return it."""
    if not isinstance(data, dict):
        raise BadInputError(f"expected a table with format = {form!r}", source=source)
    if data.get("format") != form:
        message = (
            f"expected format = {form!r}, got {data['format']!r}{_why_not(form, data['format'])}"
            if "format" in data
            else f"missing `format`; add format = {form!r}"
        )
        raise BadInputError(message, source=source, field="format")
    return data


def _why_not(wanted: str, given: Any) -> str:
    """Return the end of a message on a format of another kind, or of a later version."""
    kind, _, number = wanted.rpartition("/")
    other, _, later = str(given).rpartition("/")
    if other == kind and later.isdecimal() and int(later) > int(number):
        return ": the file is for a later version of marchtable"
    if other == "marchtable/goal" and kind == "marchtable/log":
        return ": a goal is given as `--goal FILE`"
    return ""


def nearest_files(path: str | Path) -> str:
    """Return the end of a message for a missing file: files with nearly that name in its folder."""
    target = Path(path)
    try:
        beside = islice(os.scandir(target.parent), MANY)
        names = sorted(one.name for one in beside if one.is_file() and one.name[0] != ".")
    except (OSError, ValueError):
        names = []
    near = nearest(target.name, names, least=CLOSE)
    return f"; nearest: {', '.join(map(repr, near))}" if near else ""


def check_target(path: str | Path, *read: str | Path) -> None:
    """
    Reject a file that could not be written, or is one of those `read`, before any work.

    The file is not changed.
    """
    target = Path(path)
    folder = target.parent
    if str(path) == STDIN:
        raise BadInputError(
            "expected the name of a file to write; './-' is a file of this name", source=STDIN
        )
    try:
        if any(os.path.exists(one) and target.exists() and target.samefile(one) for one in read):
            raise BadInputError(
                "expected another file than the one that is read", source=str(target)
            )
        if target.is_dir():
            reason = "is a directory"
        elif not folder.is_dir():
            reason = "not a directory" if folder.exists() else "no such file or directory"
        elif not os.access(target if target.exists() else folder, os.W_OK):
            reason = "permission denied"
        else:
            return
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
    raise BadInputError(f"cannot be written: {reason}", source=str(target))


def write(data: dict[str, Any], path: str | Path) -> None:
    """
    Write plain data as JSON (suffix ``.json``) or TOML; an existing file is replaced.

    Raises
    ------
    BadInputError
        If the file cannot be written.
    """
    target = Path(path)
    if target.suffix.lower() == ".json":
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    else:
        text = toml_text(data)
    write_text(text, target)


def toml_text(data: dict[str, Any]) -> str:
    """Return plain data as TOML."""
    import tomli_w

    return tomli_w.dumps(data)


def write_text(text: str, path: str | Path) -> None:
    """Write text to a file; raise BadInputError if that fails."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise BadInputError(f"cannot be written: {reason}", source=str(path)) from None
