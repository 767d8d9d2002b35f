"""A blank board for drawing a map."""

from __future__ import annotations

import re

from marchtable.errors import BadInputError
from marchtable.files.grids import GRID_FORMAT, MOST_COLUMNS, MOST_ROWS, column_letters, letters

__all__ = ["blank_board", "size_of"]

_SIZE = re.compile(r"(\d{1,4})\s*[xX×*]\s*(\d{1,4})")  # noqa: RUF001 - as a player may type it

_TEXT = """\
# A board by hand. Draw it:     marchtable show {file}
# Use it in a scene:            board = "{file}"
format = "{form}"
name = "{name}"

# One cell a hex. As on the printed map, columns B, D, F ... stand half a hex LOWER than A, C, E ...:
#
#    A1      C1      E1          A2 touches A1, B1, B2 and A3;
#        B1      D1              B1 touches C1, C2, B2, A2 and A1.
#    A2      C2      E2
#        B2      D2
#
# Letters: {letters}
# A number after a letter is the hex's level (w2: woods on level 2); - is no hex.
rows = \"\"\"
{rows}
\"\"\"

# Ways from hex to hex; - at an end leads off the map. "road" is a dirt road.
road = [
#   "- A2 B2 C3 C4",
]

# Hexes with a stone bridge; a road must lead onto it.
bridge = [
#   "C3",
]

# More letters, by the names that `marchtable terrain` lists.
[legend]
#   t = "Stone Building, 1 Level"
#   gw = {{ terrain = "Woods", depression = "Gully" }}

[roads]
#   "Paved Road" = ["A1 B1 C2"]
#   Path = ["A1 A2"]

# What lies along hexsides: two hexes, or a hex and N, NE, SE, S, SW, NW.
[hexsides]
#   Wall = ["B1-C1 B1-C2", "A2-NE"]
#   Hedge = ["A1-B1"]

[bridges]
#   "Wooden Bridge" = ["C3"]

# More of single hexes.
[hexes]
#   C2 = {{ stairway = true, also = [["Brush", 40]] }}
"""


def size_of(text: str) -> tuple[int, int]:
    """Return columns and rows of a size such as ``8x6``; raise BadInputError."""
    match = _SIZE.fullmatch(text.strip())
    columns, rows = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (1 <= columns <= MOST_COLUMNS and 1 <= rows <= MOST_ROWS):
        raise BadInputError(
            f"expected COLUMNSxROWS such as 8x6, at most {MOST_COLUMNS}x{MOST_ROWS}, got {text!r}",
            source="command line", field="SIZE",
        )  # fmt: skip
    return columns, rows


def blank_board(columns: int, rows: int, *, name: str = "by hand", file: str = "board.toml") -> str:
    """Return a commented grid of open ground, as the text of a file."""
    wide = max(len(column_letters(columns - 1)), 2 if columns > 1 else 1)
    lines = ["   " + " ".join(column_letters(n).ljust(wide) for n in range(columns)).rstrip()]
    lines += [
        f"{row:2} " + " ".join(".".ljust(wide) for _ in range(columns)).rstrip()
        for row in range(1, rows + 1)
    ]
    known = ", ".join(f"{letter} {terrain}" for letter, terrain in letters().items())
    return _TEXT.format(
        file=file, form=GRID_FORMAT, name=name, rows="\n".join(lines), letters=_wrapped(known)
    )


def _wrapped(text: str) -> str:
    import textwrap

    return "\n#          ".join(textwrap.wrap(text, 88))
