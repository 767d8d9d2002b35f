"""The tables of docs/valor.md, made from the rulebook's data: ``python -m tests.valor_page``."""

from __future__ import annotations

import re
from pathlib import Path

from marchtable_models.valor import data
from marchtable_models.valor.rulebook import RULEBOOK

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "valor.md"
TABLE = re.compile(r"<!-- (?P<name>\w+) -->\n.*?<!-- end -->", re.DOTALL)


def _terrain() -> list[str]:
    found = [
        "| terrain | clause | on foot, Guns | vehicles, AFVs | cover | on maps |",
        "|" + "---|" * 6,
    ]
    for row in data.rows().values():
        cells = ["no" if mp is None else str(mp) for mp in (row.infantry, row.vehicle)]
        cells[1] += ", by road only" if row.by_road else ""
        cover = f"+{row.cover}" if row.cover else ""
        names = ", ".join(row.names)
        found.append(f"| {row.title} | {row.clause} | {' | '.join(cells)} | {cover} | {names} |")
    return found


def _units() -> list[str]:
    found = ["| type | class | MP | carries | tows | source |", "|" + "---|" * 6]
    for kind in data.unit_types().values():
        mp = kind.mp or data.figures()["V6.31a"].get(kind.class_, 0)
        squads = f"{kind.carries} half squads" if kind.carries else ""
        tows = "yes" if kind.tows else ""
        found.append(f"| {kind.name} | {kind.class_} | {mp} | {squads} | {tows} | {kind.source} |")
    return found


def _unmodelled() -> list[str]:
    return [f"- {one.id}: {one.title}." for one in RULEBOOK.clauses.values() if not one.modelled]


def _register() -> list[str]:
    found = ["| entry | question | choices, the default first |", "|---|---|---|"]
    found += [
        f"| {entry.id} | {entry.question} | {', '.join(entry.choices)} |"
        for entry in RULEBOOK.register
    ]
    return found


TABLES = {"terrain": _terrain, "units": _units, "unmodelled": _unmodelled, "register": _register}


def page() -> str:
    """Return the page with its tables rebuilt."""

    def made(match: re.Match[str]) -> str:
        lines = TABLES[match["name"]]()
        return "\n".join([f"<!-- {match['name']} -->", "", *lines, "", "<!-- end -->"])

    return TABLE.sub(made, PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
