"""The terrain effects chart, roads, and rows that scenes add or replace."""

from __future__ import annotations

from typing import Any

import pytest

import marchtable
from marchtable.answers.ground import ground_notes
from marchtable_models.panzer.data import hexside_rows, rows, unit_types
from marchtable_models.panzer.model import TerrainRow
from tests.panzer.scenes import (
    bars,
    field,
    foe,
    grid,
    last,
    offered,
    paid,
    place,
    rifles,
    tank,
    truck,
    unit,
)  # fmt: skip

TYPES = {
    "infantry": "german-rifles", "vehicle": "panther", "truck": "german-truck",
    "wagon": "german-wagon", "cavalry": "cavalry",
}  # fmt: skip
GULLY = {"terrain": "Gully", "depression": "Gully", "level": -1}


def mover(column: str, at: str = "A1") -> Any:
    """Return a unit of that column, rested."""
    return unit("u", TYPES[column], at)


def cost(
    column: str, there: dict[str, Any], here: dict[str, Any] | None = None, **side: Any
) -> Any:
    """Return the cost of entry for a unit with ample movement, or the clauses that forbid it."""
    board = grid({"A1": here or {}, "A2": there}, {"A1-A2": side} if side else None)
    kind = unit_types()[TYPES[column]]
    from msgspec.structs import replace

    fast = replace(kind, name="fast", mf=20)
    position = place(unit("u", "fast", "A1"), board=board, conditions={"types": (fast,)})
    found = last(position, "move u A2")
    return {v.clause for v in found.violations} or found.receipts[0].amount / 2


# -- the chart -------------------------------------------------------------------------------------


@pytest.mark.clause("P.move-a")
@pytest.mark.parametrize(
    ("column", "clear", "up", "out", "town"),
    [("infantry", 1, 1, 2, 0.5), ("vehicle", 1, 3, 4, 0.5), ("truck", 2, 4, 6, 0.5),
     ("wagon", 1, 3, 4, 0.5), ("cavalry", 1, 3, 4, 0.5)],
)  # fmt: skip
def test_costs(column: str, clear: float, up: float, out: float, town: float) -> None:
    """Clear terrain, a step up, leaving a gully (the hex beyond included) and towns, by column."""
    assert cost(column, {}) == clear
    assert cost(column, {"level": 1}) == up
    assert cost(column, {}, {"level": 1}) == clear
    assert cost(column, {"level": 2}, {"level": 1}) == up
    assert cost(column, {"level": 1, "terrain": "Slope"}) == up
    assert cost(column, {}, GULLY) == out
    assert cost(column, GULLY) == clear
    assert cost(column, {"terrain": "Stone Building"}) == town


@pytest.mark.clause("P.move-a")
@pytest.mark.parametrize("terrain", ["Woods", "Marsh"])
def test_only_by_road(terrain: str) -> None:
    """Vehicles enter woods and swamp by road only; units on foot enter both, cavalry woods."""
    there = {"terrain": terrain}
    for column in ("vehicle", "truck", "wagon"):
        assert cost(column, there) == {"P.move-a"}
        assert cost(column, there, road="Dirt Road") == 0.5
    assert cost("infantry", there) == 1
    assert cost("cavalry", there) == (1 if terrain == "Woods" else {"P.move-a"})


@pytest.mark.clause("P.move-a")
def test_green_hexsides() -> None:
    """Vehicles cannot cross a green hexside except by road; units on foot and cavalry cross it freely."""
    for column in ("vehicle", "truck", "wagon"):
        assert cost(column, {}, terrain="Green Hexside") == {"P.move-a"}
        assert cost(column, {}, terrain="Green Hexside", road="Dirt Road") == 0.5
    for column in ("infantry", "cavalry"):
        assert cost(column, {}, terrain="Green Hexside") == 1


def test_a_road_leads_through() -> None:
    """A road replaces its hex's terrain; out of a gully by road nothing extra is paid."""
    woods = {"terrain": "Dirt Road", "also": (("Dirt Road", 30), ("Woods", 60))}
    assert cost("truck", woods) == {"P.move-a"}
    assert cost("truck", woods, road="Dirt Road") == 0.5
    assert cost("truck", {"terrain": "Paved Road"}) == 2
    assert cost("truck", {}, GULLY, road="Dirt Road") == 0.5


# -- roads -----------------------------------------------------------------------------------------


@pytest.mark.clause("P.opt-b")
def test_road_rate() -> None:
    """By road half a point; the terrain's cost without a road, or with another unit in the way."""
    assert cost("truck", {}, road="Paved Road") == 0.5
    assert cost("truck", {}, path=True) == 2
    board = grid({"A1": {}, "A2": {}}, {"A1-A2": {"road": "Dirt Road"}})
    assert paid(place(truck(at="A1"), board=board), "move t A2") == 0.5
    assert paid(place(truck(at="A1"), rifles(at="A2"), board=board), "move t A2") == 2
    strange = grid({"A1": {}, "A2": {"terrain": "Graveyard"}}, {"A1-A2": {"road": "Dirt Road"}})
    assert paid(place(truck(at="A1"), board=strange), "move t A2") == 0.5
    assert paid(place(truck(at="A1"), rifles(at="A2"), board=strange), "move t A2") == 2


# -- rows of the scene's own -----------------------------------------------------------------------


@pytest.mark.clause("P.move-e")
def test_added_terrain() -> None:
    """A row added by a scene is charged, forbids columns it omits, and can replace one of the chart's."""
    board = grid({"A1": {}, "A2": {"terrain": "Sand Dunes"}, "B2": {"terrain": "Marsh"}})
    dunes = TerrainRow(
        id="dunes", title="Dunes", names=("Sand Dunes",), infantry=1, vehicle=2.5, cavalry=1
    )
    marsh = TerrainRow(id="marsh", title="Frozen swamp", names=("Marsh",), infantry=1, truck=3)
    units = (truck(at="A1"), unit("k", "panther", "A1"))
    bare = place(*units, board=board)
    assert {v.clause for v in last(bare, "move k A2").unsupported} == {"PB.terrain"}
    position = place(*units, board=board, conditions={"terrain": (dunes, marsh)})
    assert paid(position, "move k A2") == 2.5
    assert bars(position, "move t A2") == {"P.move-e"}
    assert bars(bare, "move t B2") == {"P.move-a"}
    assert paid(position, "move t B2") == 3


@pytest.mark.clause("P.move-e")
def test_added_hexsides() -> None:
    """A scene's own hexside row lets units with a stated cost across."""
    board = grid({"A1": {}, "A2": {}, "B2": {}}, {"A1-A2": {"terrain": "Wall"}})
    wall = TerrainRow(id="wall", title="Wall", names=("Wall",), infantry=0, vehicle=0, cavalry=0)
    units = (truck(at="A1"), unit("k", "panther", "A1"))
    position = place(*units, board=board, conditions={"terrain": (wall,)})
    assert paid(position, "move k A2") == 1
    assert bars(position, "move t A2") == {"P.move-a"}


@pytest.mark.clause("PB.terrain", "PB.markers")
def test_what_is_not_modelled() -> None:
    """Terrain without a row, unknown hexsides and markers are UNSUPPORTED."""

    def clauses(position: Any) -> set[str]:
        return {v.clause for v in last(position, "move t A2").unsupported}

    strange = grid({"A1": {}, "A2": {"terrain": "Graveyard"}})
    (objection,) = last(place(truck(at="A1"), board=strange), "move t A2").unsupported
    assert (objection.clause, objection.note) == (
        "PB.terrain",
        "terrain missing from the chart: Graveyard",
    )
    walled = grid({"A1": {}, "A2": {}}, {"A1-A2": {"terrain": "Wall"}})
    assert clauses(place(truck(at="A1"), board=walled)) == {"PB.terrain"}
    road = grid({"A1": {}, "A2": {}}, {"A1-A2": {"terrain": "Wall", "road": "Dirt Road"}})
    assert clauses(place(truck(at="A1"), board=road)) == set()
    plain = grid({"A1": {}, "A2": {}})
    assert clauses(place(truck(at="A1"), board=plain, counters={"bridge": "A2"})) == {"PB.markers"}


@pytest.mark.clause("P.opt-a")
@pytest.mark.parametrize("rule", ["revealed-movement", "heavy-equipment"])
def test_optional_rules(rule: str) -> None:
    """With an optional rule in play, moving, loading and unloading are UNSUPPORTED, naming it."""
    position = place(
        truck(), rifles(), truck("u"), rifles("s", aboard="u"), conditions={"optional": (rule,)}
    )
    for line in ("move t C4", "load t r", "unload u s"):
        (found,) = last(position, line).unsupported
        assert found.clause == "P.opt-a"
        assert rule in found.note
    assert last(place(truck()), "move t C4").unsupported == ()


@pytest.mark.clause("P.opt-c")
def test_concealed_movement() -> None:
    """If in play: one concealing hex, for a unit's whole allotment, and it is not exposed."""
    town = field(stated={"C2": {"terrain": "Town"}, "D3": {"terrain": "Woods"}})
    play: dict[str, Any] = {"board": town, "conditions": {"optional": ("concealed-movement",)}}
    open_, hidden = "move k C2", "move k C2 concealed=true"
    position = place(tank(), foe(at="A1"), **play)
    assert [paid(position, line) for line in (open_, hidden)] == [0.5, 8]
    assert bars(position, open_, "hit k D drawn=enter") == set()
    assert bars(position, hidden, "hit k D drawn=enter") == {"PB.spotting"}
    assert bars(position, hidden, "move k C1") == {"PB.pay"}
    assert bars(position, "move k C4 concealed=true") == {"P.opt-c"}
    assert bars(position, "move k D3 concealed=true") == {"P.move-a"}
    assert "P.opt-c" in bars(place(tank(at="C4"), **play), "move k C3", hidden)
    assert bars(place(tank(), board=town), hidden) == {"P.opt-c"}
    assert offered(place(tank(), board=town), hidden) == set()
    assert offered(position, hidden) == {hidden}
    assert reach_of(position, "k")["C2"] == 0.5


def reach_of(position: Any, name: str) -> dict[str, float]:
    """Return the cost for a unit to reach each hex."""
    (found,) = marchtable.reach(position, [name])
    return {place.at: place.spent / 2 for place in reversed(found.places)}


# -- the data --------------------------------------------------------------------------------------


def test_figures_tell_where_they_come_from() -> None:
    """Every row and unit type states its source; columns and fields not read in a rulebook are listed."""
    for row in {**rows(), **hexside_rows()}.values():
        assert row.source
        assert set(row.assumed) <= {"infantry", "vehicle", "truck", "wagon", "cavalry"}
    assert "truck" not in rows()["Open Ground"].assumed
    assert "infantry" in rows()["Marsh"].assumed
    for kind in unit_types().values():
        assert kind.source
        assert "mf" in kind.assumed
        assert kind.defence is None or "defence" in kind.assumed


def test_terrain_without_rules_is_named_with_its_hexes() -> None:
    """In a note, unless the scene has a row for it."""
    board = grid({"A1": {}, "A2": {"terrain": "Sand Dunes"}, "B2": {"terrain": "Graveyard"}})
    dunes = TerrainRow(id="dunes", title="Dunes", names=("Sand Dunes",), vehicle=2.5)
    bare = place(truck(at="A1"), board=board)
    assert ground_notes(bare) == [
        "panzer has no rules for Sand Dunes (A2)",
        "panzer has no rules for Graveyard (B2)",
    ]
    stated = place(truck(at="A1"), board=board, conditions={"terrain": (dunes,)})
    assert ground_notes(stated) == ["panzer has no rules for Graveyard (B2)"]
