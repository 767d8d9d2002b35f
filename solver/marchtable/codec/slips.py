"""
Slips in TOML and JSON files: the line that cannot be read, and how to write it.

A parser says where it stopped. Here the line there is looked at for what people write by habit:
``broken = yes``, a text without quotes, ``at: "A3"``, ``[[units]``, a list that is not closed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["slip"]

LONGEST = 80
YES, NO = ("yes", "on", "true", "y"), ("no", "off", "false", "n")
NOTHING = ("none", "null", "nil", "undefined")
CURLY = dict.fromkeys(map(ord, "\u2018\u2019\u201a"), "'") | dict.fromkeys(
    map(ord, "\u201c\u201d\u201e"), '"'
)
"""Straight quotes, by the quotes of word processors."""
_AT = re.compile(r"line (\d+)(?:,)? column (\d+)")
_PLACE = re.compile(
    r" \(at line \d+, column \d+\)| \(at end of document\)|: line \d+ column \d+ \(char \d+\)"
)
_TABLE = re.compile(r"\[*\s*([\w.-]+)\s*\]*")
_ENTRY = re.compile(r"""([\w."'-]+)\s*=\s*(.*)""")
_COLON = re.compile(r"""["']?([\w.-]+)["']?\s*:\s*(.+)""")
_WORD = re.compile(r"[A-Za-z0-9_][\w./:* -]*")
_NUMBER = re.compile(r"[+-]?[0-9][0-9_.]*")
_TEXT = re.compile(r"""\"[^"]*"|'[^']*'""")
_AFTER = re.compile(r"(=\s*)([A-Za-z][\w.-]*)(?=\s*[,}])")
_BESIDE = re.compile(r"""(["'\]}])(\s+)(?=["'\[{])""")


class _Quoted(NamedTuple):
    number: int
    text: str
    column: int


def slip(text: str, message: str, *, is_toml: bool = True) -> str:
    """
    Return a parser's error with the line that is wrong and, if it is a known slip, what to write there.

    Parameters
    ----------
    text
        The file's text.
    message
        The parser's message, with its place.
    is_toml
        Whether it is TOML; of JSON the line is named, and no slip is known.
    """
    line = _line_of(text, message)
    if line is None:
        return message
    is_double = any(word in message for word in ("twice", "overwrite", "namespace"))
    hint = ""
    if is_toml and is_double:
        hint = _repeated(line.text)
    elif is_toml:
        hint = _between(text.splitlines(), line.number, message) or _hint(line.text)
    return f"line {line.number}, `{line.text[:LONGEST]}`: {hint or _PLACE.sub('', message)}"


def _line_of(text: str, message: str) -> _Quoted | None:
    """Return the line where a parser stopped; of an open list or text the line where it begins."""
    lines = text.splitlines()
    place = _AT.search(message)
    number = int(place[1]) if place else len(lines)
    column = int(place[2]) if place else 0
    if "nclosed" in message or "Expected '" in message or not place:
        begun = _opened(lines[: number if place else len(lines)])
        number = begun or number
    while number > 1 and not lines[number - 1 : number]:
        number -= 1
    if not lines[number - 1 : number]:
        return None
    if not lines[number - 1].strip() and number > 1:
        number -= 1
    return _Quoted(number, lines[number - 1].strip(), column)


def _opened(lines: list[str]) -> int:
    """Return the number of the last line that begins a value and does not close its quote or bracket; 0 if none."""
    for number in range(len(lines), 0, -1):
        entry = _ENTRY.match(lines[number - 1].strip())
        if entry is not None:
            bare = _TEXT.sub("", entry[2].partition("#")[0])
            is_open = bare.count("[") > bare.count("]") or bare.count("{") > bare.count("}")
            return number if is_open or bare.count('"') % 2 or bare.count("'") % 2 else 0
    return 0


def _between(lines: list[str], number: int, message: str) -> str:
    """Return what is wrong with the lines of an entry that goes over several; "" for one in one line."""
    place = _AT.search(message)
    begun, last = lines[number - 1], int(place[1]) if place else 0
    if "key part" in message and begun.count("{") > begun.count("}"):
        return "write a table in braces on one line"
    follows = lines[last - 1].strip() if number < last <= len(lines) else ""
    if follows.startswith(("{", '"', "'")) and not lines[last - 2].rstrip().endswith(("[", ",")):
        return f"write a comma at the end of line {last - 1}, between the entries of the list"
    return ""


def _repeated(line: str) -> str:
    """Return what is wrong with a line that states something a second time."""
    if line.startswith("["):
        name = _table_name(line)
        return f"`{name}` is stated twice; write `[[{name}]]` above each entry of a list, and nowhere `[{name}]`"
    entry = _ENTRY.match(line)
    name = entry[1] if entry else line
    return f"`{name}` is written twice in one table; begin a new entry with its own `[[…]]`"


def _table_name(line: str) -> str:
    found = _TABLE.match(line)
    return found[1] if found else line.strip("[] ")


def _hint(line: str) -> str:
    """Return what to write instead of a line; "" if no slip is known."""
    found = ((pattern.match(line), say) for pattern, say in LINES)
    return next((say(match) for match, say in found if match is not None), "")


def _of_header(header: re.Match[str]) -> str:
    opened, name, closed = header.groups()
    if len(opened) == len(closed):
        return ""
    return f"write `[[{name}]]` for an entry of a list, `[{name}]` for a table"


def _of_entry(entry: re.Match[str]) -> str:
    """Return what to write instead of a name and its value."""
    name, value = entry[1], entry[2].strip()
    value = value if _TEXT.search(value) else value.partition("#")[0].strip()
    found = ((pattern.match(value), say) for pattern, say in VALUES)
    return next((say(name, match) for match, say in found if match is not None), "")


def _of_text(name: str, value: re.Match[str]) -> str:
    """Return what to write instead of a value that is no list."""
    if value[0].count('"') % 2 or (value[0].count("'") % 2 and '"' not in value[0]):
        inner = value[0].strip("\"'")
        return f'write the text between two quotes: `{name} = "{inner}"`'
    written = _quoted(value[0])
    return f"write `{name} = {written}`" if written != value[0] else ""


def _of_list(name: str, found: re.Match[str]) -> str:
    """Return what to write instead of a list or table in one line."""
    value = found[0]
    spaced = _BESIDE.sub(r"\1, ", value)
    if spaced != value:
        return f"write a comma between entries: `{name} = {spaced}`"
    if value.count('"') % 2 or value.count("'") % 2:
        return "write each text between two quotes"
    outside = _TEXT.sub(lambda found: " " * len(found[0]), value)
    closed = value + "]" * (outside.count("[") - outside.count("]"))
    if value[0] == "[" and "{" not in value:
        items = [item.strip() for item in closed.strip("[] ").split(",")]
        closed = f"[{', '.join(_quoted(item) for item in items if item)}]"
    else:
        closed = _AFTER.sub(lambda found: f"{found[1]}{_quoted(found[2])}", closed)
        if value[0] == "{":
            closed += "}" * (outside.count("{") - outside.count("}"))
    if closed == value:
        return ""
    is_open = outside.count("[") > outside.count("]") or outside.count("{") > outside.count("}")
    why = "close the list" if value[0] == "[" else "close the table"
    why = why if is_open else "write text in quotes"
    return f"{why}: `{name} = {closed}`"


def _quoted(value: str) -> str:
    """Return a value as TOML writes it: words of yes and no as true and false, other words in quotes."""
    bare = value.strip()
    if bare.lower() in YES:
        return "true"
    if bare.lower() in NO:
        return "false"
    if _TEXT.fullmatch(bare) or _NUMBER.fullmatch(bare):
        return bare
    return f'"{bare}"' if _WORD.fullmatch(bare) else bare


LINES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"//|--|;|/\*"), lambda _: "write `#` before a comment"),
    (re.compile(r",\s*(.*)"), lambda line: f"leave out the `,`: `{line[1]}`"),
    (re.compile(r"(\[+)\s*([\w.-]+)\s*(\]*)$"), _of_header),
    (
        re.compile(f".*[{''.join(map(chr, CURLY))}]"),
        lambda line: f"write straight quotes: `{line.string.translate(CURLY)}`",
    ),
    (_ENTRY, _of_entry),
    (
        _COLON,
        lambda line: f"write `=` after a name: `{line[1]} = {_quoted(line[2].rstrip(','))}`",
    ),
    (re.compile(r"([\w.-]+)$"), lambda line: f"write a value after the name: `{line[1]} = …`"),
    (
        re.compile(r"([\w-]+(?: [\w-]+)+)(\s*=.*)"),
        lambda line: f"a name has no blanks: `{line[1].replace(' ', '_')}{line[2]}`",
    ),
)
"""Slips in a line, the first that fits: its pattern, and what the message says of it."""
VALUES: tuple[tuple[re.Pattern[str], Callable[[str, re.Match[str]], str]], ...] = (
    (re.compile("$"), lambda name, _: f"write a value after `=`, or leave out `{name}`"),
    (
        re.compile(f"({'|'.join(NOTHING)})$", re.I),
        lambda name, _: f"leave out `{name}`: what is not written has no value",
    ),
    (
        re.compile(r"(.*[^\[{;,\s])\s*([;,]+)$"),
        lambda name, value: (
            f"leave out the `{value[2]}` at the end: `{name} = {_quoted(value[1])}`"
        ),
    ),
    (
        re.compile(r"=[= ]*(.*)"),
        lambda name, value: f"write one `=`: `{name} = {_quoted(value[1])}`",
    ),
    (
        re.compile(r"""("[^"]*"|'[^']*'|[\w.-]+)[ \t]+[\w.-]+\s*="""),
        lambda *_: "write each entry on a line of its own",
    ),
    (re.compile(r"[\[{].*"), _of_list),
    (re.compile(".+"), _of_text),
)
"""Slips in the value of a name, the first that fits."""
