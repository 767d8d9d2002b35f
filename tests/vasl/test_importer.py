"""Features the importer reads from pixels, on forged boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marchtable.board.board import Hexside
from marchtable.vasl import import_board, report
from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from pathlib import Path

    from marchtable.board.board import Board
    from tests.vasl.conftest import Read


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
    """A road from center to center crosses the hexside between; woods beside it are recorded."""
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
    """A wall along a hexside is recorded for both hexes, even where a road opens its middle."""
    forge = Forge()
    forge.line(forge.corner("C2", 1), forge.corner("C2", 2), what="Wall", wide=4)
    if gap:
        forge.line("C2", "D1", what="Dirt Road", wide=10)
    board = read(forge)

    expected = Hexside("Wall", "Dirt Road" if gap else None, gap=27 if gap else 0)
    assert expected == board.hexside("C2", "D1") == board.hexside("D1", "C2")
    assert len([edge for edge in board.edges if edge.hexside.terrain]) == 1


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


def test_building_beside_the_centre(read: Read) -> None:
    """A building that misses the centre and every hexside is the terrain of the hex (B.1); a speck is not."""
    forge = Forge()
    (x, y), (a, b) = forge.centre("C2"), forge.centre("D3")
    board = read(
        forge.disc((x + 14, y), 10, "Stone Building").disc((a + 14, b), 4, "Stone Building")
    )

    assert (board["C2"].terrain, board["D3"].terrain) == ("Stone Building", "Open Ground")


def test_grain_printed_as_dots(read: Read) -> None:
    """A pixel of open ground between the dots of a field is no clearing; one ten pixels wide is."""
    forge = Forge()
    for name in ("C2", "D3"):
        forge.disc(name, 20, "Grain")
    board = read(forge.disc("C2", 1, "Open Ground").disc("D3", 10, "Open Ground"))

    assert (board["C2"].terrain, board["D3"].terrain) == ("Grain", "Open Ground")


@pytest.mark.parametrize(("radius", "terrain"), [(24, "Woods"), (18, "Open Ground")])
def test_woods_about_a_clearing(read: Read, radius: int, terrain: str) -> None:
    """Woods that leave the centre free make the hex theirs if they dominate it (B.1)."""
    forge = Forge()
    board = read(forge.disc("C2", radius, "Woods").disc("C2", 6, "Open Ground"))

    assert board["C2"].terrain == terrain


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
    """A terrain table given by the user replaces the built-in one."""
    table = tmp_path / "SharedBoardMetadata.xml"
    table.write_text(
        "<sharedBoardMetadata><terrainTypes>"
        '<terrainType name="Salt Flat" typeCode="0" LOSCategory="OPEN" isInherentTerrain="FALSE"/>'
        "</terrainTypes></sharedBoardMetadata>"
    )
    board = import_board(Forge(3, 2).write(tmp_path / "bd07"), table)

    assert report(board).terrain == {"Salt Flat": 7}
