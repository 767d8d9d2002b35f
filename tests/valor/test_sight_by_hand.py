"""Lines of sight worked out by hand from the text (V9, V10, V20.5), each in both directions.

A2, C2 and E2 lie in a row: the line A2-C2 runs along the hexside B2-B3, A2-E2 along B2-B3 and D2-D3
with C2 between. A1-F3 passes B2, C2, D2 and E2; it only touches C1 and D3, each at a vertex.
"""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.answers.los import board_los
from marchtable.play.sighting import sees
from tests.valor.scenes import VALOR, grid, place

WOODS, HOUSE, ORCHARD = {"terrain": "Woods"}, {"terrain": "Stone Building"}, {"terrain": "Orchard"}
ONE, TWO, THREE = {"level": 1}, {"level": 2}, {"level": 3}
GULLY = {"terrain": "Open Ground", "depression": "Gully", "level": -1}
HEDGE, WALL, HEDGEROW = "Hedge", "Wall", "Bocage"


def board(hexes: Any, sides: Any) -> Any:
    """Return six columns of six hexes, in the open but for what is given."""
    names = [f"{column}{row}" for column in "ABCDEF" for row in range(1, 7)]
    along = {name: {"terrain": terrain} for name, terrain in sides.items()}
    return grid({name: hexes.get(name, {}) for name in names}, along)


def hexes(names: str, fields: Any) -> Any:
    """Return the same fields for some hexes."""
    return dict.fromkeys(names.split(), fields)


def sides(names: str, terrain: str) -> Any:
    """Return the same terrain for some hexsides."""
    return dict.fromkeys(names.split(), terrain)


CLEAR = ("clear", None, None)


def blocked(at: str, clause: str) -> Any:
    """Return the verdict on a line that is blocked."""
    return ("blocked", at, clause)


SCENES: dict[str, tuple[Any, Any, tuple[str, str], Any, tuple[int, int]]] = {
    # name: hexes, hexsides, ends, verdict with hex and clause, Hindrance there and back
    # the worked examples of the rules
    "14, example: fire over the hedge around A1, and back": (
        hexes("B3", HOUSE), sides("A1-A2 A1-B2", HEDGE), ("A1", "B3"), CLEAR, (0, 1)),
    "9, Unit B: up a slope of one hex": (
        {"A2": ONE, "A3": TWO}, {}, ("A1", "A3"), CLEAR, (0, 0)),
    "9, Unit B: a second slope hex": (
        {"A2": ONE, "A3": ONE, "A4": TWO}, {}, ("A1", "A4"), blocked("A2", "V10.7"), (0, 0)),
    "9, Unit C: two orchards before a building": (
        {**hexes("A2 A3", ORCHARD), "A4": HOUSE}, {}, ("A1", "A4"), CLEAR, (2, 2)),
    "9, Unit D: a higher hill on one side": (
        {**hexes("A2 C2 E2", ONE), "B2": TWO}, {}, ("A2", "E2"), CLEAR, (0, 0)),
    "9.4, first picture": (
        hexes("B2 B3", HOUSE), {}, ("A2", "C2"), blocked("B2", "V9.4"), (0, 0)),
    "9.4, first picture: hexes that are not adjacent": (
        hexes("B2 D3", HOUSE), {}, ("A2", "E2"), blocked("B2", "V9.4"), (0, 0)),
    "9.4, second picture": (
        {"B2": ORCHARD, "B3": HOUSE}, {}, ("A2", "C2"), CLEAR, (1, 1)),
    "9.4, third picture": (
        {"B2": ORCHARD, "B3": HOUSE}, sides("B2-B3", HEDGE), ("A2", "C2"), CLEAR, (2, 2)),
    "9.4, third picture: a hedgerow": (
        {"B2": ORCHARD, "B3": HOUSE}, sides("B2-B3", HEDGEROW), ("A2", "C2"),
        blocked("B2", "V9.4"), (2, 2)),
    # 9.2: what a line passes through
    "9.2: it touches buildings at a vertex": (
        hexes("C1 D3", HOUSE), {}, ("A1", "F3"), CLEAR, (0, 0)),
    "9.2: it passes a corner of a building hex": (
        hexes("C2", HOUSE), {}, ("A1", "F3"), blocked("C2", "V9.2"), (0, 0)),
    "9.2: into and out of blocking terrain": (
        hexes("A1 A2", WOODS), {}, ("A1", "A2"), CLEAR, (0, 0)),
    "10: streams, bridges, water and fields block nothing": (
        {"A2": GULLY, "A3": {"terrain": "Wooden Bridge"}, "A4": {"terrain": "Pond"},
         "A5": {"terrain": "Plowed Field"}}, {}, ("A1", "A6"), CLEAR, (0, 0)),
    "10.9: crops hinder": (
        hexes("A2", {"terrain": "Grain"}), {}, ("A1", "A3"), CLEAR, (1, 1)),
    # 9.4: along hexsides
    "9.4: buildings on one side": (
        hexes("B2 D2", HOUSE), {}, ("A2", "E2"), CLEAR, (0, 0)),
    "9.4: orchards on one side": (
        hexes("B2 D2", ORCHARD), {}, ("A2", "E2"), CLEAR, (0, 0)),
    "9.4: orchards on either side": (
        hexes("B2 D3", ORCHARD), {}, ("A2", "E2"), CLEAR, (1, 1)),
    "9.4: a third orchard": (
        hexes("B2 D2 D3", ORCHARD), {}, ("A2", "E2"), CLEAR, (2, 2)),
    "9.4: and one that it passes through": (
        hexes("B2 C2 D2 D3", ORCHARD), {}, ("A2", "E2"), CLEAR, (3, 3)),
    "9.4: one beside it and one that it passes through": (
        hexes("B2 C2", ORCHARD), {}, ("A2", "E2"), CLEAR, (1, 1)),
    "9.4: hedges along it": (
        {}, sides("B2-B3 D2-D3", HEDGE), ("A2", "E2"), CLEAR, (2, 2)),
    "9.4: a building beside a hedge adds nothing": (
        hexes("B2", HOUSE), sides("B2-B3", WALL), ("A2", "C2"), CLEAR, (1, 1)),
    # 10.10: across hexsides
    "10.10: a hedge on the way": (
        {}, sides("A2-A3", HEDGE), ("A1", "A4"), CLEAR, (1, 1)),
    "10.10: the wall of one end": (
        {}, sides("A1-A2", WALL), ("A1", "A4"), CLEAR, (0, 1)),
    "10.10: walls of both ends": (
        {}, sides("A1-A2 A3-A4", WALL), ("A1", "A4"), CLEAR, (1, 1)),
    "10.10: of the hexsides at a vertex one has a hedge": (
        {}, sides("A1-A2", HEDGE), ("A1", "B3"), CLEAR, (0, 0)),
    "10.10: a hedge that ends at the line": (
        {}, sides("B2-C2", HEDGE), ("A1", "F3"), CLEAR, (0, 0)),
    "10.10: a hedge that the line crosses at its bend": (
        {}, sides("B2-C2 C1-C2", HEDGE), ("A1", "F3"), CLEAR, (1, 1)),
    "10.101: a hedgerow on the way": (
        {}, sides("A2-A3", HEDGEROW), ("A1", "A4"), blocked("A2", "V10.101"), (1, 1)),
    "10.101: the hedgerow of one end": (
        {}, sides("A1-A2", HEDGEROW), ("A1", "A4"), CLEAR, (0, 1)),
    "10.101: the hedgerows of both ends": (
        {}, sides("A1-A2 A3-A4", HEDGEROW), ("A1", "A4"), CLEAR, (1, 1)),
    "10.101: a hedgerow that the line crosses at its bend": (
        {}, sides("B2-C2 C1-C2", HEDGEROW), ("A1", "F3"), blocked("B2", "V10.101"), (1, 1)),
    "10.101: a bend of hedge and hedgerow": (
        {}, {"B2-C2": HEDGEROW, "C1-C2": HEDGE}, ("A1", "F3"), CLEAR, (1, 1)),
    # 10.7: hills
    "10.7: from level 1 up to level 2": (
        {"A1": ONE, "A2": ONE, "A3": TWO}, {}, ("A1", "A3"), CLEAR, (0, 0)),
    "10.7: over level 2 and the slope": (
        {"A1": TWO, "A2": TWO, "A3": ONE}, {}, ("A1", "A4"), blocked("A2", "V10.7"), (0, 0)),
    "10.7: between hills of one height": (
        {"A1": TWO, "A2": ONE, "A4": TWO}, {}, ("A1", "A4"), CLEAR, (0, 0)),
    "10.7: woods between hills of one height": (
        {"A1": TWO, "A3": WOODS, "A4": TWO}, {}, ("A1", "A4"), blocked("A3", "V9.2"), (0, 0)),
    "10.7: hills on either side": (
        hexes("B2 B3", ONE), {}, ("A2", "C2"), blocked("B2", "V9.4"), (0, 0)),
    "10.7: a hill on one side": (
        hexes("B2", ONE), {}, ("A2", "C2"), CLEAR, (0, 0)),
    "10.7: a building faces a hill": (
        {"B2": ONE, "B3": HOUSE}, {}, ("A2", "C2"), blocked("B2", "V9.4"), (0, 0)),
    "10.7: to level 1 between hexes of level 1": (
        hexes("B2 B3 C2", ONE), {}, ("A2", "C2"), blocked("B2", "V9.4"), (0, 0)),
    "10.7: to level 2 between its slope hexes": (
        {**hexes("D2 D3", ONE), "E2": TWO}, {}, ("A2", "E2"), CLEAR, (0, 0)),
    "10.7: to level 2 between hexes that are not its slope": (
        {**hexes("B2 B3", ONE), "E2": TWO}, {}, ("A2", "E2"), blocked("B2", "V9.4"), (0, 0)),
    "10.7: to level 2 between hexes of level 2": (
        hexes("B2 B3 C2", TWO), {}, ("A2", "C2"), blocked("B2", "V9.4"), (0, 0)),
    "10.7: to level 2 over a hill hex before the slope": (
        {**hexes("C2 D2 D3", ONE), "E2": TWO}, {}, ("A2", "E2"), blocked("C2", "V10.7"), (0, 0)),
    "10.7: out of a gully behind a hill": (
        {"A1": GULLY, "A2": ONE}, {}, ("A1", "A3"), blocked("A2", "V10.7"), (0, 0)),
    "10.7: no word on level 3": (
        {"A1": THREE, "A2": ONE}, {}, ("A1", "A3"), ("unknown", None, "V10.7c"), (0, 0)),
    "10.7: woods below level 3": (
        {"A1": THREE, "A2": WOODS}, {}, ("A1", "A3"), blocked("A2", "V9.2"), (0, 0)),
}  # fmt: skip


@pytest.mark.parametrize("name", SCENES)
def test_by_hand(name: str) -> None:
    """Verdict, hex, clause and Hindrance are what the text says, both ways."""
    there, along, (a, b), verdict, hindrance = SCENES[name]
    found = board_los(board(there, along), VALOR, [(a, 0, b, 0), (b, 0, a, 0)])["sights"]
    assert [(one["sight"], one["hex"], one["clause"]) for one in found] == [verdict, verdict]
    assert tuple(one["hindrance"] for one in found) == hindrance


@pytest.mark.parametrize(
    ("there", "ends", "expected"),
    [
        ({}, ("B1", "B3"), ("blocked", "B2", "V9.2", 0)),
        ({}, ("B1", "B2"), ("clear", None, None, 0)),
        ({}, ("A2", "C2"), ("clear", None, None, 0)),
        ({"B3": HOUSE}, ("A2", "C2"), ("blocked", "B2", "V9.4", 0)),
        ({"B3": ORCHARD}, ("A2", "C2"), ("clear", None, None, 1)),
    ],
)
def test_a_bunker_blocks(there: Any, ends: tuple[str, str], expected: Any) -> None:
    """A bunker in B2 blocks as blocking terrain does, not into or out of its own hex (20.5)."""
    position = place(board=board(there, {}), counters={"wooden-bunker": "B2"})
    found = sees(position, *ends)
    assert (found.verdict, found.hex, found.clause or None, found.hindrance) == expected
