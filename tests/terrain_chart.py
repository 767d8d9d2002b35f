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

This page is generated from `models/marchtable_models/asl/data/terrain.toml`. Renew it with `python -m tests.terrain_chart`.

The tables list the cost of entering a Location, or of crossing a hexside. Inf (Infantry), Cav (Cavalry) and HD (horse-drawn) pay MF. MC (motorcycle), AC (armored car), FT (fully-tracked), HT (halftrack) and TR (truck) pay MP.

| In a cell | |
|---|---|
| NA | not allowed |
| ALL, 1/2, 1/3, 1/4 | the whole allotment, or a part of it; a remainder counts as half a point |
| M | by Minimum Move only |
| - | another clause sets the cost |
| +OG | plus the cost of Open Ground |
| +COT | plus the cost of the other terrain in the hex, or of Open Ground if there is none |
| +1 | added, and not doubled uphill |
| B, B+3, BB | Bog Check to enter or to change VCA there; with that DRM; to leave it upwards |
| D | vehicles and wrecks there count double |
| X | Wreck Check to enter |
| @, C, P | not in the APh; no Cavalry charge; can be pushed. None of them changes a cost |
| or | a second way to enter, which the mover can choose (`half=true`) |

- Through a road hexside, a unit pays the cost of the road instead of the Location's row, and nothing for the hexside's row.
- Uphill (B10.4), the cost in MF is doubled, except for a hexside's cost; vehicles pay 4 MP more, by road 2. B10.5 covers several levels at once. This is why hills and valleys (B22) have no row of their own.
"""
COUNTERS = f"""## Counters and wrecks

These costs are added to those of the Location. For each vehicle or wreck there, a vehicle other than a motorcycle pays {points(halves("D2.14", "each"))} more, or {points(halves("D2.14", "by_road"))} if it comes by road at the road rate, and twice that in terrain marked D (D2.14). The other counters are in [counters](counters.md).
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
