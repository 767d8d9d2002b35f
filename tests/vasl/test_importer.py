"""What the importer reads from pixels, on fabricated boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marchtable.board import Board, Hexside
from marchtable.boardfiles import load_board, save_board
from marchtable.vasl import import_board, report
from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Read = Callable[[Forge], Board]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Write a board and import it again."""
    return lambda forge: import_board(forge.write(tmp_path / "bd07"))


def roads(board: Board) -> set[str]:
    """Return the hexsides that roads cross, as text."""
    return {f"{edge.a}-{edge.b}" for edge in board.edges if edge.hexside.road}


def test_uniform(read: Read) -> None:
    """A board without features is Open Ground at level 0 throughout."""
    board = read(Forge())

    assert board.name == "7"
    assert len(board) == 22
    assert {("Open Ground", 0, ())} == {
        (one.terrain, one.level, one.also) for one in board.locations
    }
    assert {Hexside()} == {edge.hexside for edge in board.edges}
    assert [one.name for one in board.locations[:5]] == ["A1", "A2", "A3", "A4", "B0"]


@pytest.mark.parametrize(
    ("file", "name"),
    [("bd01", "1"), ("bd1a", "1a"), ("bd00", "00"), ("bdRB", "RB"), ("bd10.zip", "10")],
)
def test_name(tmp_path: Path, file: str, name: str) -> None:
    """A board is named after its archive."""
    assert name == import_board(Forge(3, 2).write(tmp_path / file)).name


def test_adjacency(read: Read) -> None:
    """The neighbours of an even and of an odd column are those of VASL's labels."""
    board = read(Forge())

    assert [name for _, name in board.neighbours("C2")] == ["C1", "D1", "D2", "C3", "B2", "B1"]
    assert [name for _, name in board.neighbours("B2")] == ["B1", "C2", "C3", "B3", "A3", "A2"]


def test_road(read: Read) -> None:
    """A road from centre to centre crosses the hexside between, and woods beside it are told."""
    board = read(Forge().disc("C2", 40, "Woods").line("B2", "C2", "D1", what="Dirt Road"))

    assert {"B2-C2", "C2-D1"} == roads(board)
    assert board["C2"].terrain == "Dirt Road"
    assert board["C2"].also[0][0] == "Woods"
    assert 50 < board["C2"].also[0][1] < 100


def test_road_off_centre(read: Read) -> None:
    """A road that crosses near one end of a hexside is found, though it misses the middle."""
    forge = Forge()
    (ax, ay), (bx, by) = forge.corner("C2", 1), forge.corner("C2", 2)
    x, y = ax + 0.28 * (bx - ax), ay + 0.28 * (by - ay)
    board = read(forge.line((x - 20, y + 14), (x + 20, y - 14), what="Paved Road", wide=12))

    assert getattr(board.hexside("C2", "D1"), "road", None) == "Paved Road"


def test_road_along(read: Read) -> None:
    """A road that runs along a hexside does not cross it, nor those it meets at the corners."""
    forge = Forge()
    board = read(forge.line(forge.corner("C2", 3), forge.corner("C2", 4), what="Dirt Road"))

    assert set() == roads(board)
    assert Hexside(along="Dirt Road") == board.hexside("C2", "C3")
    assert len([edge for edge in board.edges if edge.hexside.along]) == 1


def test_road_leaves_the_map(read: Read) -> None:
    """A road that leads off the map is on the rim, where every missing neighbour is listed."""
    board = read(Forge().line("C2", "C1", (112.5, 0.0), what="Dirt Road"))

    assert {"C1-C2"} == roads(board)
    assert ((0, Hexside(road="Dirt Road")),) == board["C1"].rim
    assert [way for way, _ in board["B0"].rim] == [0, 1, 5]


def test_path(read: Read) -> None:
    """Dashes of a path cross the hexsides they touch."""
    board = read(Forge().line("C2", "C3", "D3", what="Path", wide=3))

    assert {("C2", "C3"), ("C3", "D3")} == {(e.a, e.b) for e in board.edges if e.hexside.path}
    assert set() == roads(board)


@pytest.mark.parametrize("gap", [False, True])
def test_hexside_terrain(read: Read, gap: bool) -> None:
    """A wall along a hexside is told of both hexes, even where a road opens its middle."""
    forge = Forge()
    forge.line(forge.corner("C2", 1), forge.corner("C2", 2), what="Wall", wide=4)
    if gap:
        forge.line("C2", "D1", what="Dirt Road", wide=10)
    board = read(forge)

    expected = Hexside("Wall", "Dirt Road" if gap else None, gap=27 if gap else 0)
    assert expected == board.hexside("C2", "D1") == board.hexside("D1", "C2")
    assert len([edge for edge in board.edges if edge.hexside.terrain]) == 1


@pytest.mark.parametrize(
    ("stretches", "gap"),
    [
        ([(0.0, 1.0)], 0),
        ([(0.25, 1.0)], 0),
        ([(0.2, 0.8)], 0),
        ([(0.0, 0.3), (0.7, 1.0)], 29),
        ([(0.0, 0.2), (0.3, 0.5), (0.9, 1.0)], 29),
    ],
)
def test_gap(read: Read, stretches: list[tuple[float, float]], gap: int) -> None:
    """The widest break of a wall is told; that it ends short of a corner is no break."""
    forge = Forge()
    (ax, ay), (bx, by) = forge.corner("C2", 0), forge.corner("C2", 1)
    for ends in stretches:
        (x, y), (z, w) = ((ax + part * (bx - ax), ay + part * (by - ay)) for part in ends)
        forge.line((x, y), (z, w), what="Wall", wide=4)
    found = read(forge).hexside("C1", "C2")

    assert found
    assert found.terrain == "Wall"
    assert found.gap == pytest.approx(gap, abs=4 if gap else 0)


def test_no_gap_without_a_wall(read: Read) -> None:
    """Where walls of other hexsides only touch a hexside's ends there is nothing to break."""
    forge = Forge()
    for corner in (0, 1):
        forge.disc(forge.corner("C2", corner), 5, "Wall")

    assert Hexside() == read(forge).hexside("C1", "C2")


@pytest.mark.parametrize("scale", [1, 2])
def test_clear(read: Read, scale: int) -> None:
    """A building's distance from each hexside is in percent of the hex, whatever its scale."""
    wide, high = 56.25 * scale, 64.5 * scale
    forge = Forge(hex_width=wide, hex_height=high, hexWidth=str(wide), hexHeight=str(high))
    x, y = forge.centre("C2")
    board = read(forge.line((x - 6 * scale, y), (x + 2 * scale, y), what="Stone Building", wide=20))
    clear = {one.name: one.clear for one in board.locations if one.clear}

    assert clear.keys() == {"C2"}
    assert clear["C2"][0] == pytest.approx(clear["C2"][3], abs=2)
    assert clear["C2"][1] == pytest.approx(clear["C2"][2], abs=2)
    assert clear["C2"][4] == pytest.approx(clear["C2"][5], abs=2)
    assert clear["C2"][4] < clear["C2"][1]
    assert clear["C2"][0] == pytest.approx(100 * (32 - 10 / scale) / 64.5, abs=2)


@pytest.mark.parametrize(("away", "clear"), [(0, 0), (1, 1), (2, 3), (3, 4), (6, 9), (10, 15)])
def test_clear_width(read: Read, away: int, clear: int) -> None:
    """What touches the printed line leaves nothing clear; the nearest of the hex counts."""
    forge = Forge()
    x, y = forge.centre("C2")
    top = y - forge.hex_height / 2
    forge.disc((x, y + 8), 6, "Woods")
    board = read(forge.line((x - 8, top + away + 4), (x + 8, top + away + 4), what="Woods", wide=8))

    assert board["C2"].clear[0] == clear
    assert board["C2"].clear[3] > 10


def test_clear_of_the_neighbour(read: Read) -> None:
    """A building that stands on a hexside closes it on both sides, and on no other hexside."""
    forge = Forge()
    x, y = forge.centre("C2")
    board = read(forge.disc((x, y - 32.25), 8, "Stone Building"))

    assert board["C2"].clear[0] == board["C1"].clear[3] == 0
    assert min(board["C2"].clear[1:]) > 10
    assert min(board["C1"].clear[:3] + board["C1"].clear[4:]) > 10


def test_measures_are_kept(read: Read, tmp_path: Path) -> None:
    """What was measured comes back from a board file, and is counted in the report."""
    forge = Forge().disc("B2", 10, "Woods").line((0.0, 129.0), (18.0, 129.0), what="Dirt Road")
    forge.line(forge.corner("C2", 1), forge.corner("C2", 2), what="Wall", wide=4)
    board = read(forge.line("C2", "D1", what="Dirt Road", wide=10))
    save_board(board, tmp_path / "board.json")
    again = load_board(tmp_path / "board.json")
    found = report(again)

    assert again == board
    assert again["B2"].clear == board["B2"].clear != ()
    assert (found.gaps, found.along, found.bypassed) == (1, 1, 6)


def test_inherent_obstacle(read: Read) -> None:
    """Inherent terrain that blocks the way fills its hex, whatever is drawn."""
    board = read(Forge().disc("C2", 6, "Dense Jungle"))

    assert board["C2"].clear == (0,) * 6


def test_factory_wall(read: Read) -> None:
    """The outer wall of a factory belongs to the factory."""
    forge = Forge()
    x, y = forge.centre("C2")
    forge.line((x - 20, y), (x + 20, y), what="Stone Factory, 1.5 Level", wide=30)
    board = read(forge.line((x - 6, y - 20), (x, y), what="Stone Factory Wall, 1.5 Level", wide=3))

    assert board["C2"].terrain == "Stone Factory, 1.5 Level"
    assert board["C2"].also[-1][0] == "Stone Factory Wall, 1.5 Level"


def test_metadata_hexsides(read: Read) -> None:
    """Slopes and railway embankments come from the metadata, whichever hex names them."""
    forge = Forge()
    forge.elements = (
        '<slopes><slope hex="C2" hexsides="03"/><slope hex="ZZ9" hexsides="1"/></slopes>'
        '<rrembankments><rrembankment hex="C2" hexsides="1"/></rrembankments>'
    )
    board = read(forge)

    assert {("C1", "C2"), ("C2", "C3")} == {(e.a, e.b) for e in board.edges if e.hexside.slope}
    assert Hexside(terrain="Rrembankment") == board.hexside("C2", "D1")


def test_stairway(read: Read) -> None:
    """The byte of a hex says whether it has a stairway."""
    forge = Forge()
    forge.stairways[6] = 1
    board = read(forge)

    assert [one.name for one in board.locations if one.stairway] == ["B2"]


def test_inherent_terrain(read: Read) -> None:
    """Inherent terrain nearer the centre than a hexside is the terrain of the hex."""
    forge = Forge()
    x, y = forge.centre("C2")
    board = read(forge.disc((x + 9, y), 4, "Orchard").disc((x + 56, y + 4), 3, "Orchard"))

    assert board["C2"].terrain == "Orchard"
    assert "Open Ground" == board["D1"].terrain == board["D2"].terrain


def test_building_at_hexside(read: Read) -> None:
    """A building that covers a hexside but not the centre is the terrain of the hex."""
    forge = Forge()
    x, y = forge.centre("C2")
    board = read(forge.disc((x, y - 32), 8, "Stone Building"))

    assert "Stone Building" == board["C2"].terrain == board["C1"].terrain


def test_depression(read: Read) -> None:
    """A gully is a level below its surroundings and is named as the depression."""
    board = read(Forge().line("C2", "C3", what="Gully", level=-1))

    assert (
        board["C2"].terrain,
        board["C2"].depression,
        board["C2"].level,
    ) == ("Gully", "Gully", -1)
    assert (board["B2"].depression, board["B2"].level) == (None, 0)


def stream_and_bridge(*, centre_is_bridge: bool, length: int = 1) -> Forge:
    """Return a stream down column C with a bridge in C2 (and D2) on a road from B2 to D1."""
    forge = Forge().line("C1", "C2", "C3", "C4", what="Shallow Stream", wide=30, level=-1)
    forge.line("B2", "C2", "D1", what="Dirt Road", wide=12)
    (bx, by), (cx, cy), (dx, dy) = (forge.centre(name) for name in ("B2", "C2", "D1"))
    deck = 20 / 56.25
    ends = [(cx + deck * (bx - cx), cy + deck * (by - cy)), (cx, cy)]
    ends.append((cx + deck * (dx - cx), cy + deck * (dy - cy)))
    forge.line(*ends, what="Stone Bridge", wide=12)
    if not centre_is_bridge:
        forge.line((cx - 1, cy - 1), (cx + 1, cy + 1), what="Shallow Stream", wide=3, level=-1)
    return forge


@pytest.mark.parametrize("centre_is_bridge", [True, False])
def test_bridge(read: Read, centre_is_bridge: bool) -> None:
    """A bridge is a Location above the stream, and the road leads over it, not below."""
    board = read(stream_and_bridge(centre_is_bridge=centre_is_bridge))
    ground, bridge = board["C2"], board["C2:bridge"]

    assert (
        ground.terrain,
        ground.depression,
        ground.level,
    ) == ("Shallow Stream", "Shallow Stream", -1)
    assert (
        bridge.terrain,
        bridge.hex,
        bridge.level,
        bridge.depression,
    ) == ("Stone Bridge", "C2", 0, None)
    assert list(board.neighbours("C2:bridge")) == [(1, "D1"), (4, "B2")]
    assert {"B2-C2:bridge", "C2:bridge-D1"} == roads(board)
    assert Hexside() == board.hexside("B2", "C2")
    assert report(board).bridges == 1


def test_long_bridge(read: Read) -> None:
    """The bridge Locations of a bridge two hexes long are next to each other."""
    forge = Forge(columns=7)
    for column in ("C", "D"):
        rows = [f"{column}{row}" for row in range(1, 5)]
        forge.line(*rows, what="Shallow Stream", wide=44, level=-1)
    forge.line("B2", "C2", "D1", "E1", what="Paved Road", wide=12)
    forge.line("C2", "D1", what="Stone Bridge", wide=12)
    board = read(forge)

    assert list(board.neighbours("C2:bridge")) == [(1, "D1:bridge"), (4, "B2")]
    assert getattr(board.hexside("C2:bridge", "D1:bridge"), "road", None) == "Stone Bridge"
    assert Hexside() == board.hexside("C2", "D1")


def test_bridge_over_sunken_road(read: Read) -> None:
    """A sunken road keeps its crossings when another road bridges it."""
    forge = Forge().line("C1", "C2", "C3", what="Sunken Road", wide=20, level=-1)
    forge.line("B2", "C2", "D1", what="Dirt Road", wide=12)
    forge.line((95.0, 101.0), (130.0, 91.0), what="Single Hex Stone Bridge", wide=12)
    board = read(forge)

    assert getattr(board.hexside("C1", "C2"), "road", None) == "Sunken Road"
    assert board.hexside("C1", "C2:bridge") is None


def test_bridge_over_water(read: Read) -> None:
    """A bridge over water stands at the level of its own pixels."""
    forge = Forge().line("C1", "C4", what="River", wide=60)
    board = read(forge.line("B2", "C2", "D1", what="Stone Bridge", wide=12))

    assert (board["C2"].terrain, board["C2"].level) == ("River", 0)
    assert board["C2:bridge"].level == 0


def test_speck_is_no_bridge(read: Read) -> None:
    """A few bridge pixels that spill over a hexside make no bridge."""
    forge = Forge().line("C1", "C3", what="Gully", wide=20, level=-1)
    board = read(forge.disc(forge.corner("C2", 1), 3, "Stone Bridge"))

    assert "C2:bridge" not in board


def test_second_half_of_a_board(read: Read) -> None:
    """A board whose A1 lies off the picture keeps the labels of the whole."""
    forge = Forge(5, 4, hex_width=56.25, A1CenterX="-900", A1CenterY="-612.75")
    board = read(forge)

    assert [board.locations[n].name for n in (0, 3, 4, -1)] == ["Q11", "Q14", "R10", "U14"]


def test_other_sizes(read: Read) -> None:
    """A board with the hexes of a deluxe board reads the same."""
    forge = Forge(5, 3, hex_width=168.75, hex_height=194.2, hexWidth="168.75", hexHeight="194.2")
    forge.line("B1", "C1", what="Dirt Road", wide=42)
    board = read(forge)

    assert {"B1-C1"} == roads(board)
    assert len(board) == 17


def test_alternate_grain(read: Read) -> None:
    """With the alternate grain A0 is the half-hex on top and B1 stands higher than A1."""
    forge = Forge(5, 4, altHexGrain="TRUE", A1CenterY="64.5")
    forge.stairways = [0] * 23
    board = read(forge)

    assert [board.locations[n].name for n in (0, 4, 5, 8)] == ["A0", "A4", "B1", "B4"]
    assert [board.neighbours("B2")[n][1] for n in (0, 1, 2)] == ["B1", "C1", "C2"]


def test_terrain_table(tmp_path: Path) -> None:
    """A terrain table given by the user is read in place of the built-in one."""
    table = tmp_path / "SharedBoardMetadata.xml"
    table.write_text(
        "<sharedBoardMetadata><terrainTypes>"
        '<terrainType name="Salt Flat" typeCode="0" LOSCategory="OPEN" isInherentTerrain="FALSE"/>'
        "</terrainTypes></sharedBoardMetadata>"
    )
    board = import_board(Forge(3, 2).write(tmp_path / "bd07"), table)

    assert report(board).terrain == {"Salt Flat": 7}
