"""Building blocks of reports: tables, hanging texts, headlines."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["amount", "console", "counted", "hanging", "headline", "table_of"]

WIDTH = 100
"""Columns if the output is no terminal and COLUMNS is not set."""
LEAST = 40

RIGHT = {"cost", "left", "spent", "step", "count", "points", "value", "worth", "ways", "strength",
         "firepower", "wasted"}  # fmt: skip
"""Names of columns with amounts."""

_STYLES = {
    "LEGAL": "bold white on green4", "OPTIMAL": "bold white on green4",
    "FEASIBLE": "bold black on yellow3", "ILLEGAL": "bold white on red3",
    "IMPOSSIBLE": "bold white on red3", "UNSUPPORTED": "bold black on yellow3",
    "UNKNOWN": "bold black on yellow3",
}  # fmt: skip


class _Console(Console):
    """A console that leaves a closed output pipe to the command line."""

    def on_broken_pipe(self) -> None:
        """Raise the error on which rich would exit."""
        raise BrokenPipeError


def console() -> Console:
    """Return a console on standard output, as wide as the terminal or COLUMNS, without markup."""
    plain: dict[str, Any] = {"markup": False, "highlight": False, "emoji": False}
    found = _Console(soft_wrap=False, **plain)
    if not found.is_terminal:
        columns = os.environ.get("COLUMNS", "")
        wide = max(LEAST, int(columns)) if columns.isdecimal() and len(columns) < 6 else WIDTH
        found = _Console(width=wide, **plain)
    return found


def table_of(*columns: tuple[str, str]) -> Table:
    """Return an empty table with columns of these names and styles; amounts are right-aligned."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name, style in columns:
        right = name in RIGHT
        table.add_column(name, style=style, justify="right" if right else "left")
    return table


def hanging(out: Console, rows: Iterable[tuple[str | Text, str | Text]], style: str = "") -> None:
    """Print rows of a mark and a text with a hanging indent."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(style=style, no_wrap=True)
    grid.add_column()
    for mark, text in rows:
        grid.add_row(Text(mark) if isinstance(mark, str) else mark,
                     Text(text) if isinstance(text, str) else text)  # fmt: skip
    if grid.row_count:
        out.print(grid)


def headline(out: Console, status: str, text: str) -> None:
    """Print a status and its subject."""
    out.print(Text.assemble((f" {status} ", _STYLES[status]), f"  {text}"))


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, singular or plural."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def amount(value: Any) -> str:
    """Return an amount of points as text."""
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
