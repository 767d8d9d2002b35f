"""The tables of docs/panzer.md, made from the rulebook's data: ``python -m tests.panzer_page``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from marchtable_models.panzer import data
from marchtable_models.panzer.rulebook import RULEBOOK

if TYPE_CHECKING:
    from marchtable_models.panzer.model import Column, Costs, TerrainRow

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "panzer.md"
COLUMNS: tuple[Column, ...] = ("infantry", "vehicle", "truck", "wagon", "cavalry")
TABLE = re.compile(r"<!-- (?P<name>\w+) -->\n.*?<!-- end -->", re.S)


def _cell(costs: Costs, column: Column, assumed: tuple[str, ...]) -> str:
    amount = costs.of(column)
    figure = "by road" if amount is None else f"{amount / 2:g}"
    return f"{figure} \\*" if column in assumed else figure


def _terrain() -> list[str]:
    rows: dict[str, TerrainRow] = {}
    for row in (*data.rows().values(), *data.hexside_rows().values()):
        rows[row.id] = row
    found = [f"| terrain | {' | '.join(COLUMNS)} | on maps |", "|" + "---|" * (len(COLUMNS) + 2)]
    for row in rows.values():
        cells = [_cell(row, column, row.assumed) for column in COLUMNS]
        title = f"{row.title} (conceals)" if row.concealing else row.title
        found.append(f"| {title} | {' | '.join(cells)} | {', '.join(row.names)} |")
        if any(row.leave.of(column) for column in COLUMNS):
            left = [_cell(row.leave, column, row.assumed) for column in COLUMNS]
            found.append(f"| {row.title}: leaving, on top | {' | '.join(left)} | |")
    return found


def _units() -> list[str]:
    found = ["| type | class | kind | faction | column | MF | defence |", "|" + "---|" * 7]
    for kind in data.unit_types().values():
        cells = []
        for name, value in (("class", kind.class_), ("mf", kind.mf), ("defence", kind.defence)):
            shown = "" if value is None else str(value)
            cells.append(f"{shown} \\*" if shown and name in kind.assumed else shown)
        armour = ", armoured" if kind.armoured else ""
        guns = ", self-propelled artillery" if kind.self_propelled else ""
        found.append(
            f"| {kind.name} | {cells[0]} | {kind.kind}{armour}{guns} | {kind.faction} "
            f"| {kind.column} | {cells[1]} | {cells[2]} |"
        )
    return found


def _register() -> list[str]:
    found = ["| entry | question | choices, the default first |", "|---|---|---|"]
    found += [
        f"| {entry.id} | {entry.question} | {', '.join(entry.choices)} |"
        for entry in RULEBOOK.register
    ]
    return found


TABLES = {"terrain": _terrain, "units": _units, "register": _register}


def page() -> str:
    """Return the page with its tables rebuilt."""

    def made(match: re.Match[str]) -> str:
        lines = TABLES[match["name"]]()
        return "\n".join([f"<!-- {match['name']} -->", "", *lines, "", "<!-- end -->"])

    return TABLE.sub(made, PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
