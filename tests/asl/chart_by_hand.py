"""A second Terrain Chart, written by hand: the total cost of entry from Open Ground.

Columns: inf, cav, hd, mc, ac, ft, ht, tr. A cell is the total, with the Open Ground in the hex, or
NA, ALL, M (Minimum Move only), U (unsupported) or a fraction of the allotment, then B for a Bog
Check and X for a Wreck Check.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = [
    "BUILT", "COMBINED", "COUNTERS", "DOUBLED", "HEXSIDES", "LEFT_WITH_BOG", "LOCATIONS", "ROADBLOCK",
    "SECOND", "Line", "low",
]  # fmt: skip


class Line(NamedTuple):
    """A line of the chart: the clause, the terrain, and the cells."""

    clause: str
    fields: dict[str, Any]
    cells: str

    @property
    def by_column(self) -> list[str]:
        """The cells, in the order of the columns."""
        return [" ".join(cell.split()) for cell in self.cells.split("|")]


def low(terrain: str, *also: tuple[str, int]) -> dict[str, Any]:
    """Return a depression with other terrain in it."""
    return {"terrain": terrain, "level": -1, "depression": terrain, "also": also}


def _line(clause: str, terrain: str, cells: str) -> Line:
    return Line(clause, {"terrain": terrain}, cells)


LOCATIONS = (
    # ...                                   inf| cav|  hd |  mc |  ac |  ft |  ht | tr
    _line("B1", "Open Ground",              "1 |  1 |  1  |  3  |  3  |  1  |  1  |  4"),
    _line("B2", "Shellholes",               "1 |  2 |  2  | 5 X |  5  |  1  |  1  |  8"),
    _line("B7", "Runway",                   "1 |  1 |  1  |  3  |  3  |  1  |  1  |  4"),
    _line("B6", "Stone Bridge",            "NA | NA | NA  | NA  | NA  | NA  | NA  | NA"),
    _line("B12", "Brush",                   "2 |  2 |  2  |  4  |  4  |  2  |  2  |  6"),
    _line("B12.7", "Vineyard",              "2 |  2 |  2  |  4  | 4 B | 2 B | 2 B | 6 B"),
    _line("B13", "Woods",                   "2 |  4 |ALL B| NA  |ALL B|ALL B|ALL B|ALL B"),
    _line("B14", "Orchard",                 "1 |  1 |  1  |  3  |  3  |  1  |  1  |  4"),
    _line("B14-cactus", "Cactus Patch",     "3 |  3 |  3  |  9  |  9  |  3  |  3  | 12"),
    _line("B14-olive", "Olive Grove",       "2 |  2 |  2  |  6  |  6  |  2  |  2  |  8"),
    _line("B15", "Grain",                 "1.5 |1.5 | 1.5 |  4  |  4  |  1  |  1  |  5"),
    _line("B15.6", "Plowed Field",        "1.5 |1.5 | 1.5 |  4  |  4  |  1  |  1  |  5"),
    _line("B34.4", "Tower",                 "2 | NA | NA  | NA  | NA  |  U  | NA  | NA"),
    _line("B16", "Marsh",                 "ALL |ALL | NA  | NA  | NA  | NA  | NA  | NA"),
    _line("B16-mudflat", "Mudflats",        "2 |  2 | NA  | NA  | NA  | NA  | NA  | NA"),
    _line("B17", "Crags",                   "2 |  4 | NA  | NA  | NA  | NA  | NA  | NA"),
    _line("B18", "Graveyard",               "1 |  2 | NA  |  4  | NA  |1/2 B| NA  | NA"),
    Line("B19", low("Gully"),               "2 |  2 | ALL |  7  |  7  |  3  |  4  | 10"),
    Line("B20-dry", low("Dry Stream"),      "2 |  2 | ALL |  7  |  7  |  3  |  4  | 10"),
    Line("B20-shallow", low("Shallow Stream"), "3 | 3 | ALL | 7 X | 7  |  3  |  4  | 10"),
    Line("B20-deep", low("Deep Stream"),    "4 |  4 | ALL | NA  |  7  |  3  |  4  | 10"),
    _line("B21", "River",                 "ALL |ALL | ALL | NA  | NA  | NA  | NA  | NA"),
    _line("B23-wood", "Wooden Building",    "2 | NA | NA  | NA  | NA  |1/2 B| NA  | NA"),
    _line("B23-stone", "Stone Building",    "2 | NA | NA  | NA  | NA  |1/2 B| NA  | NA"),
    _line("B23.73", "Stone Market Place",   "1 |  1 |  1  |  3  |  3  |  1  |  1  |  4"),
    _line("B23.211", "Lumberyard",          "2 | NA | NA  | NA  | NA  | NA  | NA  | NA"),
    _line("B23.74", "Stone Factory, 1.5 Level",
                                            "2 |  U |  U  |  U  |  U  |  U  |  U  |  U"),
    _line("B24-wood", "Wooden Rubble",      "3 | NA | NA  | NA  | NA  |1/2 B| NA  | NA"),
    _line("B24-stone", "Stone Rubble",      "3 | NA | NA  | NA  | NA  |1/2 B| NA  | NA"),
    _line("B32", "Rail Car",                "2 | NA | NA  | NA  | NA  | NA  | NA  | NA"),
    _line("B32-wreck", "Wrecked Rail Car",  "3 | NA | NA  | NA  | NA  |1/2 B| NA  | NA"),
    _line("B13.82", "Pine Woods",         "1.5 |  3 |ALL B| NA  |ALL B|ALL B|ALL B|ALL B"),
    _line("B35", "Light Woods",             "2 |  4 |ALL B| NA  |ALL B|ALL B|ALL B|ALL B"),
    _line("B37", "Debris",                  "2 | NA | NA  | NA  | NA  |1/4 B| NA  | NA"),
)  # fmt: skip
"""One line for each Location row of the chart."""

SECOND = (
    _line("B2", "Shellholes",               "2 | NA | NA  | NA  | NA  | NA  | NA  | NA"),
    _line("B13", "Woods",                  "NA | NA | NA  | NA  | NA  |1/2 B| NA  | NA"),
    _line("B13.82", "Pine Woods",          "NA | NA | NA  | NA  | NA  |1/2 B| NA  | NA"),
    _line("B35", "Light Woods",            "NA | NA | NA  | NA  | NA  |1/3 B|1/3 B| NA"),
)  # fmt: skip
"""The second way to enter; NA where there is none."""

HEXSIDES = (
    _line("B9-wall", "Wall",                "2 |  2 | NA  | NA  | NA  |  2  | NA  | NA"),
    _line("B9-wall", "Hillside Wall",       "2 |  2 | NA  | NA  | NA  |  2  | NA  | NA"),
    _line("B9-hedge", "Hedge",              "2 |  2 | NA  | NA  | 6 B |  2  | 3 B | NA"),
    _line("B9-hedge", "Hillside Hedge",     "2 |  2 | NA  | NA  | 6 B |  2  | 3 B | NA"),
    _line("B9.5", "Bocage",                 "3 | NA | NA  | NA  | NA  |21 B | NA  | NA"),
    _line("B9.7", "Cactus Hedge",           "M | NA | NA  | NA  | 6 B |  2  | 3 B | NA"),
    _line("B23.71", "Rowhouse Wall",        "2 | NA | NA  | NA  | NA  |  U  | NA  | NA"),
    _line("B11", "Cliff",                   "NA | NA | NA  | NA  | NA  | NA  | NA  | NA"),
)  # fmt: skip
"""Crossed into Open Ground, by vehicles of 40 MP."""

BUILT = (
    Line("B4", low("Sunken Road"),          "2 |  2 | NA  | NA  | NA  | NA  | NA  | NA"),
    Line("B5", {"terrain": "Elevated Road", "level": 1},
                                            "2 |  2 | NA  | 6 X | NA  |  5  |  5  | NA"),
)  # fmt: skip
"""Roads that run lower or higher than the adjacent ground, entered from there."""

ROADBLOCK = _line("B29", "Road Block", "2 |  2 | NA  | NA  | NA  | NA  | NA  | NA")
"""Crossed into Open Ground."""

COUNTERS = (
    _line("B25", "blaze",                  "NA | NA | NA  | NA  | NA  | NA  | NA  | NA"),
    _line("B26", "wire",                    "1 | NA | NA  | NA  | 7 B | 3 B | 5 B | 8 B"),
    _line("B27-foxhole", "foxhole",         "1 |  2 |  2  |  5  |  5  |  1  |  1  |  8"),
    _line("B27-trench", "trench",           "1 |  2 | NA  | NA  | NA  | 1 B | NA  | NA"),
    _line("B30", "pillbox",                 "1 |  1 |  1  |  3  |  3  |  1  |  1  |  4"),
)  # fmt: skip
"""One line for each counter with its own row, in Open Ground."""

COMBINED = tuple(
    Line("B20.4", low(f"{depth} Stream", (other, 60)), cells.format(n=n, m=m, x=x))
    for depth, n, m, x in (("Dry", 4, 3, ""), ("Shallow", 5, 4, "X"))
    for other, cells in (
        ("Woods",   "{n} | {n} |  M  | NA  |  M  |  M  |  M  |  M"),
        ("Brush",   "{n} | {n} |  M  |11 {x}| 11  |  5  |  6  | 16"),
        ("Orchard", "{m} | {m} |  M  |10 {x}| 10  |  4  |  5  | 14"),
    )
)  # fmt: skip
"""Streams with other terrain adjacent, entered from the adjacent hex."""

DOUBLED = {
    **dict.fromkeys(("B13", "B13.82", "B35"), ("hd", "ac", "ft", "ht", "tr")),
    "B6": ("ac", "ft", "ht", "tr"),
}
"""Where, and for which units, vehicles and wrecks count double (D)."""

LEFT_WITH_BOG = {
    **dict.fromkeys(("B19", "B20-dry"), ("tr",)),
    **dict.fromkeys(("B20-shallow", "B20-deep"), ("hd", "ac", "ft", "ht", "tr")),
}
"""What requires a Bog Check to leave it upwards (BB), and for which units."""
