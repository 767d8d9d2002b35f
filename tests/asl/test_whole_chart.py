"""Each cell of the Terrain Chart, checked against the chart written by hand."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.state.position import Counter
from marchtable_models.asl.data import rows, works
from tests.asl.boards import EIGHT, bars, cites, foot, paid, step, total
from tests.asl.chart_by_hand import (
    BUILT,
    COMBINED,
    COUNTERS,
    DOUBLED,
    HEXSIDES,
    LEFT_WITH_BOG,
    LOCATIONS,
    ROADBLOCK,
    SECOND,
    low,
)  # fmt: skip
from tests.every import check_every

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from marchtable.rules.ruling import Ruling
    from tests.asl.chart_by_hand import Line

ROAD = {"road": "Dirt Road"}
HAS: dict[str, float] = {"inf": 6, "cav": 12}
"""Allotments: the Infantry is a leader; vehicles have 40."""


def entered(
    column: str, line: str = "enter u C1", left: float | None = None, **fields: Any
) -> Ruling:
    """Return the ruling on a step with this much left to the mover."""
    found: dict[str, Any] = {"bu": True} if column == "ft" else {}
    if column == "inf":
        found["kind"] = "leader"
    has = HAS.get(column, 40)
    if left is not None and left < has:
        spent = round(2 * (has - left))
        found.update(spent=spent, used=spent, mph="moving", road=False)
    return step(column, line, **{**found, **fields})


def cells(lines: Iterable[Line]) -> list[Any]:
    """Return each line as a parameter marked with its clause."""
    return [
        pytest.param(
            line,
            marks=pytest.mark.clause(line.clause),
            id=f"{line.clause}-{'-'.join((line.fields['terrain'], *(n for n, _ in line.fields.get('also', ()))))}",
        )
        for line in lines
    ]  # fmt: skip


def check_line(check: Callable[[str, str], None], line: Line) -> None:
    """Check each cell of a line against the rulings, by column and cell."""
    check_every(check, zip(EIGHT, line.by_column, strict=True))


def check_cell(
    clause: str, column: str, cell: str, line: str = "enter u C1", **fields: Any
) -> None:
    """Check an entry's rulings against a cell: that much is enough, half a point less is not."""
    first, *marks = cell.split()
    has = HAS.get(column, 40)
    free = entered(column, line, **fields)
    if first == "NA":
        assert clause in bars(free)
        return
    if first == "U":
        assert cites(free)
        return
    if first == "M":
        assert bars(free) == {"A4.134b" if column in HAS else "D2.7"}
        free = entered(column, line.replace("enter", "minimum"), **fields)
        assert (free.status, total(free)) == ("LEGAL", has)
        return
    cost = has if first == "ALL" else Fraction(first)
    if "/" in first:
        cost = Fraction(ceil(has * cost * 2), 2)
    enough = entered(column, line, left=float(cost), **fields)
    assert (enough.status, total(enough)) == ("LEGAL", cost)
    assert [due.id.split(":")[0].split("-")[0] for due in enough.obligations] == [
        {"B": "bog", "X": "wreck"}[mark] for mark in marks
    ]
    assert bars(entered(column, line, left=float(cost) - 0.5, **fields))


@pytest.mark.parametrize("row", cells(LOCATIONS))
def test_location(row: Line) -> None:
    """Entering costs what the cell says."""
    given = {"fordable": row.clause == "B21"}

    def check(column: str, cell: str) -> None:
        check_cell(row.clause, column, cell, there=row.fields, scene={"stated": given})

    check_line(check, row)


@pytest.mark.clause("B13.42")
@pytest.mark.parametrize("row", cells(SECOND))
def test_second_way(row: Line) -> None:
    """The second way costs what the chart says, and exists for no other column."""

    def check(column: str, cell: str) -> None:
        clause = "B13.42" if cell == "NA" else row.clause
        check_cell(clause, column, cell, "enter u C1 half=true", there=row.fields)

    check_line(check, row)


@pytest.mark.parametrize("row", cells(HEXSIDES))
def test_hexside(row: Line) -> None:
    """Crossing into Open Ground costs what the cell says; by a road's gap nothing more."""

    def check(column: str, cell: str) -> None:
        check_cell(row.clause, column, cell, hexside=row.fields)
        gap = step(column, hexside={**row.fields, **ROAD})
        assert (gap.status, paid(gap, row.clause)) == ("LEGAL", 0)

    check_line(check, row)


@pytest.mark.parametrize("row", cells(BUILT))
def test_sunken_and_elevated_roads(row: Line) -> None:
    """Off the road such a road costs what the cell says, climb included."""

    def check(column: str, cell: str) -> None:
        check_cell(row.clause, column, cell, there=row.fields)

    check_line(check, row)


@pytest.mark.parametrize("row", cells((ROADBLOCK,)))
def test_roadblock(row: Line) -> None:
    """A roadblock costs what the cell says, where a road leaves no gap."""

    def check(column: str, cell: str) -> None:
        check_cell(row.clause, column, cell, hexside=row.fields)
        across = step(column, hexside={**row.fields, **ROAD})
        assert across.is_legal is (cell != "NA")

    check_line(check, row)


@pytest.mark.parametrize("row", cells(COUNTERS))
def test_counters(row: Line) -> None:
    """A counter costs, with its Open Ground, what the cell says."""
    lying = (Counter(kind=row.fields["terrain"], at="C1"),)

    def check(column: str, cell: str) -> None:
        check_cell(row.clause, column, cell, scene={"counters": lying})

    check_line(check, row)


@pytest.mark.parametrize("row", cells(COMBINED))
def test_terrain_at_a_stream(row: Line) -> None:
    """Terrain at a stream is added to it, except for movers along the stream."""

    def check(column: str, cell: str) -> None:
        stream = row.fields["terrain"]
        clause = "B20.4" if cell == "NA" else row.clause
        check_cell(clause, column, cell, there=row.fields)
        along = entered(column, here=low(stream), there=row.fields)
        alone = entered(column, here=low(stream), there=low(stream))
        assert (along.status, total(along)) == (alone.status, total(alone))

    check_line(check, row)


@pytest.mark.clause("B20.4")
def test_the_second_way_into_woods_at_a_stream() -> None:
    """Fully tracked, woods at a stream cost half the allotment and 3 MP."""
    woods = low("Dry Stream", ("Woods", 60))
    assert total(step("ft", "enter u C1 half=true", there=woods, left=23)) == 23
    assert bars(step("ft", "enter u C1 half=true", there=woods, left=22.5)) == {"D2.1b"}


@pytest.mark.clause("D2.14")
@pytest.mark.parametrize("line", LOCATIONS, ids=lambda line: line.clause)
def test_wrecks(line: Line) -> None:
    """A wreck in a hex entered by road costs vehicles 2, in D terrain 4, motorcycles and others none."""
    wreck = (foot("w", "wreck", at="C1"),)
    for column in EIGHT:
        ruling = step(column, there=line.fields, hexside=ROAD, others=wreck)
        by_road = paid(ruling, "B3.4a") + paid(ruling, "B3.4b") > 0
        each = 0 if column in ("inf", "cav", "mc") else 2 if by_road else 1
        if column in DOUBLED.get(line.clause, ()):
            each *= 2

        assert paid(ruling, "D2.14") == each, column


@pytest.mark.clause("D8.21a")
@pytest.mark.parametrize("line", LOCATIONS, ids=lambda line: line.clause)
def test_leaving(line: Line) -> None:
    """Only leaving gullies and streams requires a Bog Check, by road none."""
    beside_marsh = line.clause == "B16"  # the hex entered is then a Bog hex (B16.43)
    for column in EIGHT if not beside_marsh else ():
        bogs = bool(step(column, here=line.fields).obligations)
        assert bogs == (column in LEFT_WITH_BOG.get(line.clause, ())), column
        assert not step(column, here=line.fields, hexside=ROAD).obligations


@pytest.mark.clause("B3.4a", "B3.4b", "B18.41")
@pytest.mark.parametrize("line", LOCATIONS, ids=lambda line: line.clause)
def test_by_road(line: Line) -> None:
    """By road MF are 1 and MP ½ in every row, but roads end at rubble, debris and water."""
    for column in EIGHT:
        ruling = step(column, there=line.fields, hexside=ROAD)
        if line.clause == "B18":
            assert (ruling.status, total(ruling)) == ("LEGAL", 2 if column == "cav" else 1)
        elif line.clause.startswith(("B23.7", "B24", "B37")) and line.clause != "B23.73":
            assert paid(ruling, "B3.4a") == paid(ruling, "B3.4b") == 0
        elif line.clause.startswith(("B20", "B21")):
            plain = step(column, there=line.fields)
            assert (ruling.status, total(ruling)) == (plain.status, total(plain)), column
        else:
            cost = 1 if column in ("inf", "cav", "hd") else 0.5
            assert (ruling.status, total(ruling)) == ("LEGAL", cost)


@pytest.mark.clause("B10.4a", "B10.4b")
@pytest.mark.parametrize("line", LOCATIONS, ids=lambda line: line.clause)
def test_uphill(line: Line) -> None:
    """Uphill doubles figures in MF (not the cover of shellholes), and adds 4 to those in MP."""
    for column, cell in zip(EIGHT, line.by_column, strict=True):
        first = cell.split()[0]
        if "depression" in line.fields or not first[0].isdigit() or "/" in first:
            continue
        cost = float(first)
        doubled = 3 if line.clause == "B2" and cost == 2 else 2 * cost
        up = entered(column, there={**line.fields, "level": 1})
        assert total(up) == (doubled if column in ("inf", "cav", "hd") else cost + 4), column


def test_the_chart_by_hand_leaves_nothing_out() -> None:
    """It has a line for every modelled clause of the chart."""
    written = {line.clause for line in (*LOCATIONS, *HEXSIDES, *BUILT, ROADBLOCK, *COUNTERS)}
    charted = (*rows(), works().counter)

    other = {"B6.44", "B27.56"}  # test_lanes and test_fortifications have these
    assert written == {row.clause for kind in charted for row in kind if row.modelled} - other
