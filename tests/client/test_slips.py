"""Slips in TOML and JSON: the message names the line and what to write there."""

from __future__ import annotations

import re
import tomllib

import pytest

from marchtable.codec.plain import parsed
from marchtable.codec.structs import struct_of
from marchtable.errors import BadInputError
from marchtable.files.scenes import scene_of
from marchtable.state.goal import Goal

UNIT = '[[units]]\nid = "a"\n'


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("broken = yes", "write `broken = true`"),
        ("broken = False", "write `broken = false`"),
        ("at = A3", 'write `at = "A3"`'),
        ("type = 4-6-7", 'write `type = "4-6-7"`'),
        ("at = None", "leave out `at`"),
        ("at =", "write a value after `=`, or leave out `at`"),
        ("at", "write a value after the name: `at = …`"),
        ("at: A3", 'write `=` after a name: `at = "A3"`'),
        ("at == 'A3'", "write one `=`: `at = 'A3'`"),
        ("at = “A3”", 'write straight quotes: `at = "A3"`'),
        ('at = "A3', 'write the text between two quotes: `at = "A3"`'),
        ("turn = 1;", "leave out the `;` at the end: `turn = 1`"),
        (", at = 'A3'", "leave out the `,`: `at = 'A3'`"),
        ("sw = [LMG]", 'write text in quotes: `sw = ["LMG"]`'),
        ("sw = [{ name = LMG }]", 'write text in quotes: `sw = [{ name = "LMG" }]`'),
        ('sw = ["LMG"', 'close the list: `sw = ["LMG"]`'),
        ('sw = ["LMG" "MMG"]', 'write a comma between entries: `sw = ["LMG", "MMG"]`'),
        ('sw = ["LMG]', "write each text between two quotes"),
        ("cx = true broken = true", "write each entry on a line of its own"),
        ("was cx = true", "a name has no blanks: `was_cx = true`"),
        ("// hidden", "write `#` before a comment"),
        ("[[units]", "write `[[units]]` for an entry of a list"),
        (
            "[conditions",
            "write `[[conditions]]` for an entry of a list, `[conditions]` for a table",
        ),
        ("[units]", "`units` is stated twice; write `[[units]]` above each entry of a list"),
        ('id = "b"', "`id` is written twice in one table"),
    ],
)
def test_a_slip_is_named_with_its_line(line: str, says: str) -> None:
    """The line is quoted with its number, and what to write is right."""
    with pytest.raises(BadInputError) as caught:
        parsed(f"{UNIT}{line}\n", "a.toml", "a.toml")
    assert f"line 3, `{line}`: {says}" in caught.value.message
    written = re.search(r"(?::|write) `([^`]+)`$", caught.value.message)
    if written is not None and "…" not in written[1]:
        tomllib.loads(f"{UNIT}{written[1]}\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('a = [\n "x"\n "y"\n]', "write a comma at the end of line 2"),
        ('sw = ["LMG"\n[[units]]', 'line 1, `sw = ["LMG"`: close the list'),
        ('a = [\n { x = 1,\n  y = 2 }]', "line 2, `{ x = 1,`: write a table in braces on one line"),
        ('[units]\nid = "a"\n[[units]]', "line 3, `[[units]]`: `units` is stated twice"),
    ],
)  # fmt: skip
def test_a_slip_over_several_lines(text: str, says: str) -> None:
    """An open list is named where it begins, a missing comma where it belongs."""
    with pytest.raises(BadInputError) as caught:
        parsed(text, "a.toml", "a.toml")
    assert says in caught.value.message


def test_json_names_its_line_too() -> None:
    """Of JSON the parser's words follow the line."""
    with pytest.raises(
        BadInputError, match=r"as JSON: line 2, `\"side\": german`: Expecting value"
    ):
        parsed('{"a": 1,\n"side": german\n}', "a.json", "a.json")


def test_a_value_in_quotes_that_needs_none() -> None:
    """The message shows it without them."""
    data = {"aims": [{"units": ["a"], "at": ["A1"], "carried": "true"}]}
    with pytest.raises(
        BadInputError, match=r"expected true or false, got text \(without quotes: true\)"
    ):
        struct_of(data, Goal)


SCENE = """format = "marchtable/scene/2"
rulebook = "asl"
{first}
side = "german"
phase = "MPh"
"""
BOARD = 'board = { rows = ".w" }'


@pytest.mark.parametrize(
    ("first", "last", "says"),
    [
        (BOARD, '[unit]\nid = "a"', "unknown field `unit`; nearest: 'units', an entry of which begins with [[units]]; "),
        (BOARD, '[[unit]]\nid = "a"', "unknown field `unit`; nearest: 'units', an entry of which begins with [[units]]; "),
        (BOARD, 'unit = "a"', "unknown field `unit`; nearest: 'units'; "),
        (BOARD, "clear = 40", "unknown field `clear`; it belongs in [[board.locations]] or in [board.legend] or in [board.hexes]; "),
        (BOARD, '[boards]\nrows = ".w"', "unknown field `boards`; nearest: 'board'; "),
        ('board = { clear = 40 }', "", "board: unknown field `clear`; it belongs in "),
        ('board = { name = "a" }', "", "board.rows: missing required field"),
        ('board = [{ rows = ".w" }]', "", "board[0]: expected a list, got a table; write [board], not [[board]]"),
        ('board = { rows = ".w", hexes = { B1 = { clear = 40 } } }', "", "board.hexes.B1.clear: expected a list, got a whole number (in brackets: [40])"),
        ('[board]\nrows = ".w"', "", "board: unknown field `side`; it belongs at the top, before any [table]; "),
    ],
)  # fmt: skip
def test_a_slip_in_a_scene(first: str, last: str, says: str) -> None:
    """The message names the field, what was expected there, and how to write it."""
    text = f"{SCENE.format(first=first)}{last}\n"
    with pytest.raises(BadInputError) as caught:
        scene_of(parsed(text, "a.toml", "a.toml"), source="a.toml")
    assert str(caught.value).startswith(f"a.toml: {says}")


def test_a_slip_of_a_name_here_belongs_nowhere_else() -> None:
    """Beside a close name no other table is named that has such a field."""
    with pytest.raises(BadInputError) as caught:
        struct_of({"aim": [{"units": ["a"], "at": ["A1"]}]}, Goal)
    assert "nearest: 'aims'" in caught.value.message
    assert "belongs" not in caught.value.message
