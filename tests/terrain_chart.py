"""The page docs/terrain-chart.md, built from the rows of ``terrain.toml``.

``python -m tests.terrain_chart`` writes it; a test fails when it is stale.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from marchtable.files.notation import points
from marchtable_models.asl.data import halves, rows, works
from marchtable_models.asl.reporting.names import NAMES
from marchtable_models.asl.views.chart import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable_models.asl.data import Row

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "terrain-chart.md"

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
FLAGS = {
    "obstacle": "woods or building",
    "hard_turn": "VCA change 2",
    "closed": "only CT, BU AFV",
    "ends_road": "no road through it",
}
HEAD = """# The Terrain Chart of the asl rulebook

Made from `models/marchtable_models/asl/data/terrain.toml`; write it anew with `python -m tests.terrain_chart`.

What entering a Location costs, or crossing a hexside. Inf = Infantry, Cav = Cavalry, HD = horse-drawn pay MF; MC = motorcycle, AC = armored car, FT = fully-tracked, HT = halftrack, TR = truck pay MP.

| In a cell | |
|---|---|
| NA | prohibited |
| ALL, 1/2, 1/3, 1/4 | the whole allotment, or a part of it, a rest counting as half a point |
| M | by Minimum Move only |
| - | another clause speaks |
| +OG, +COT | the cost of Open Ground on top; that of the other terrain in the hex, else of Open Ground |
| +1 | on top, and not doubled uphill |
| B, B+3, BB | Bog Check to enter or to change VCA there; with that DRM; to leave it upwards |
| D | vehicles and wrecks there count double |
| X | Wreck Check to enter |
| @, C, P | not in the APh; no Cavalry charge; may be pushed. None of them changes a cost |
| or | a second way in, which the mover may choose (`half=true`) |

Through a road hexside the cost of the road holds instead of a Location's row, and a hexside's row is free. Uphill (B10.4) doubles what is paid in MF, a hexside's cost apart, and adds 4 MP, by road 2; several levels at once are B10.5. Hills and valleys (B22) have no row of their own for that reason.
"""
COUNTERS = f"""## Counters and wrecks

On top of what the Location costs. Each vehicle or wreck there costs a vehicle that is no motorcycle {points(halves("D2.14", "each"))} more, {points(halves("D2.14", "by_road"))} where it comes by road at the road rate, and as much again in terrain marked D (D2.14). The other counters are in [counters](counters.md).
"""


def _cell(row: Row, column: str) -> str:
    text: str = getattr(row, column)
    more = [f"or {row.second[column]}"] if column in row.second else []
    more += [f"({row.by_stream[column]} at a stream)"] if column in row.by_stream else []
    return " ".join([text, *more])


def _remarks(row: Row) -> str:
    found = [said for flag, said in FLAGS.items() if getattr(row, flag)]
    if row.months:
        found.append(
            f"{MONTHS[row.months[0] - 1]} to {MONTHS[row.months[-1] - 1]}, else Open Ground"
        )
    return "; ".join(found)


def _table(kind: tuple[Row, ...]) -> Iterator[str]:
    yield f"| Clause | Terrain | {' | '.join(NAMES)} | |"
    yield "|" + "---|" * (len(NAMES) + 3)
    for row in kind:
        if row.modelled:
            cells = " | ".join(_cell(row, column) for column in COLUMNS)
            yield f"| {row.clause} | {row.title} | {cells} | {_remarks(row)} |"


def _terrain(kind: tuple[Row, ...]) -> Iterator[str]:
    yield "| Clause | Names on maps |"
    yield "|---|---|"
    for row in kind:
        if row.names:
            yield f"| {row.clause} | {'; '.join(row.names)} |"


def page() -> str:
    """Return the page by the present data."""
    inside, along = rows()
    kinds = (*rows(), works().counter)
    bare = [f"| {row.clause} | {row.title} |" for kind in kinds for row in kind if not row.modelled]
    lines = [
        HEAD, "## Locations", "", *_table(inside), "", "## Hexsides", "", *_table(along), "",
        COUNTERS, *_table(works().counter), "",
        "## Not modelled: the answer is UNSUPPORTED", "", "| Clause | Terrain |", "|---|---|", *bare,
        "", "## Names", "", *_terrain((*inside, *along)), "",
    ]  # fmt: skip
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
