"""Pictures: their contents, that they are reproducible, and what they reject."""

from __future__ import annotations

import subprocess
import sys
from importlib import resources
from math import dist
from typing import TYPE_CHECKING
from unittest.mock import MagicMock
from xml.etree import ElementTree

import msgspec
import pytest

from marchtable.board.board import Board, BoardFile, EdgeRecord, Hexside, Location
from marchtable.board.cropping import crop
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.grids import board_by_hand
from marchtable.picture import Look, Marker, PathOverlay, ReachOverlay, Thing, draw, save
from marchtable.picture.counters import laid_out, paint_front
from marchtable.picture.geometry import centre
from marchtable.picture.ground import covers
from marchtable.picture.overlay import paint_ways, way_round
from marchtable.picture.style import load_styles
from marchtable.picture.view import BoardView, is_ground
from marchtable.state.records import replace
from tests.grids import grid_board
from tests.slowly import slow_after

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEMO = resources.files("marchtable_models.asl") / "data" / "demo" / "board.json"
SVG = "{http://www.w3.org/2000/svg}"

UNITS = (
    Marker("E6", "Tank 1", "Blue", facing=60, style="vehicle", note="moving"),
    Marker("G5", "Truck $2$", "Blue", facing=120, style="vehicle"),
    Marker("G5", "Squad & <crew>", "Blue"),
    Marker("G5", "Leader", "Blue"),
    Marker("K5:bridge", "Wreck", "Red", facing=300, style="wreck"),
    *(Marker("N6", f"Squad {number}", "Red") for number in range(6)),
)


@pytest.fixture(scope="module")
def demo() -> Board:
    """The demo board."""
    return Board.from_file(msgspec.json.decode(DEMO.read_bytes(), type=BoardFile))


@pytest.fixture(scope="module")
def svg(demo: Board, tmp_path_factory: pytest.TempPathFactory) -> ElementTree.Element:
    """The demo board with units on it, as parsed XML."""
    target = tmp_path_factory.mktemp("picture") / "demo.svg"
    save(draw(demo, units=UNITS, title="Demo"), target)
    return ElementTree.parse(target).getroot()


def texts(svg: ElementTree.Element) -> set[str]:
    """Return every text of a picture."""
    return {element.text or "" for element in svg.iter(f"{SVG}text")}


def ids(svg: ElementTree.Element) -> set[str]:
    """Return the ids of a picture's groups."""
    return {element.get("id", "") for element in svg.iter(f"{SVG}g")}


def sides_of(board: Board, location: Location) -> Iterator[Hexside]:
    """Yield what lies along each hexside of a Location."""
    for _, other in board.neighbours(location.name):
        yield board.hexside(location.name, other) or Hexside()
    for _, hexside in location.rim:
        yield hexside


def test_svg_names_every_hex(demo: Board, svg: ElementTree.Element) -> None:
    """Each hex's name is in the SVG as text."""
    names = {location.hex for location in demo.locations}

    assert set() == names - texts(svg)


def test_svg_labels_every_unit(svg: ElementTree.Element) -> None:
    """Each unit's label and note are in the SVG as given, mathematics and all."""
    wanted = {unit.label for unit in UNITS} | {"moving", "Blue", "Red", "Demo"}

    assert set() == wanted - texts(svg)


def test_svg_draws_every_road_path_and_gully(demo: Board, svg: ElementTree.Element) -> None:
    """Each Location with a road or path, or in a gully, has its own line."""
    wanted = set()
    for location in demo.locations:
        sides = list(sides_of(demo, location))
        roads = {side.road.replace(" ", "_") for side in sides if side.road}
        wanted |= {f"road:{location.name}:{road}" for road in roads}
        wanted |= {f"path:{location.name}" for side in sides if side.path}
        wanted |= {f"depression:{location.name}"} if location.depression else set()

    assert "road:K5:bridge:Paved_Road" in wanted
    assert set() == wanted - ids(svg)


def test_svg_draws_every_hexside_once(demo: Board, svg: ElementTree.Element) -> None:
    """Each hexside with a wall or hedge is drawn exactly once."""
    wanted = sum(1 for edge in demo.edges if edge.hexside.terrain)
    drawn = [found for found in ids(svg) if found.startswith("hexside:")]

    assert wanted == len(drawn)


def test_svg_ids_are_unique(svg: ElementTree.Element) -> None:
    """No two elements share an id, and none contains a blank."""
    found = [element.get("id", "") for element in svg.iter() if element.get("id")]

    assert len(set(found)) == len(found)
    assert [] == [name for name in found if " " in name]


def test_answers_are_drawn(demo: Board, tmp_path: Path) -> None:
    """Points left, running costs and clause ids are in the picture, with their scale."""
    figure = draw(
        demo,
        reach=ReachOverlay(
            {"J4": (4.5, "4½ left"), "K5:bridge": (4.0, "4 left"), "K5": (1.0, "1 left")}, "MP left"
        ),
        ways=[PathOverlay((("J4", "0"), ("J4", "1"), ("K5:bridge", "1½")))],
        highlights={"L5": "D0.0"},
        around=["J4", "L5"],
    )
    save(figure, tmp_path / "answer.svg")
    svg = ElementTree.parse(tmp_path / "answer.svg").getroot()

    wanted = {"4½ left", "1 left | 4 left", "MP left", "0, 1", "1½", "L5: D0.0"}
    assert set() == wanted - texts(svg)
    assert {"path_arrow", "reach:9,8", "violation:11,10"} <= ids(svg)


def test_ways_have_colours_names_and_room(demo: Board, tmp_path: Path) -> None:
    """Ways that share hexes run in parallel in colors of the legend, their costs apart."""
    steps = (("J4", ""), ("K5:bridge", "1"), ("L5", "2"))
    ways = [PathOverlay(steps, "truck"), PathOverlay((*steps[:2], ("L4", "3½")), "sqA, sqB")]
    figure = draw(demo, ways=ways, around=["K5"])
    save(figure, tmp_path / "ways.svg")
    svg = ElementTree.parse(tmp_path / "ways.svg").getroot()

    assert {"truck: spent", "sqA, sqB: spent", "3½"} <= texts(svg)
    assert {"path_arrow", "path_arrow_1"} <= ids(svg)
    chips = [
        text for axes in figure.axes for text in axes.texts if text.get_text() in ("1", "2", "3½")
    ]
    assert (
        len({(round(x, 3), round(y, 3)) for x, y in (chip.get_position() for chip in chips)}) == 4
    )
    assert len({chip.get_color() for chip in chips}) == 2


def test_an_arrow_over_many_hexes_has_no_larger_head(demo: Board) -> None:
    """An illegal jump has an arrowhead as large as a step's."""
    sizes = []
    for end in ("L5", "C5"):
        sheet = MagicMock(styles=load_styles())
        paint_ways(sheet, BoardView(demo), [PathOverlay((("K5", ""), (end, "1")), "x")])
        (head,), _ = sheet.fill.call_args.args
        sizes.append(max(dist(a, b) for a in head for b in head))
    assert sizes[0] == pytest.approx(sizes[1])


def test_what_lies_in_a_hex_is_written_there(demo: Board, tmp_path: Path) -> None:
    """Fortifications and SW are written in their hex, each kind once with its count; north is marked."""
    lying = [Thing("K5", "wire"), Thing("K5", "foxhole"), Thing("K5", "foxhole")]
    save(draw(demo, things=lying), tmp_path / "things.svg")
    svg = ElementTree.parse(tmp_path / "things.svg").getroot()

    assert {"wire", "2 x foxhole", "north"} <= texts(svg)
    assert not any("a part of board" in text for text in texts(svg))


def test_a_crop_is_reported(demo: Board, tmp_path: Path) -> None:
    """A picture of a part of the board says so, with its first and last hex."""
    save(draw(demo, around=["K5"], look=Look(margin=1)), tmp_path / "part.svg")
    svg = ElementTree.parse(tmp_path / "part.svg").getroot()

    assert f"a part of board {demo.name}: J4 to L5" in texts(svg)


def test_a_unit_that_is_carried_is_small(demo: Board) -> None:
    """Passengers are small at the right of their hex, beside their carrier."""
    units = [
        Marker("K5", "truck", "Blue"),
        Marker("K5", "sq", "Blue", carried="truck"),
        Marker("K5", "ldr", "Blue", carried="truck"),
    ]
    (_, truck, size), (_, one, small), (_, two, _) = laid_out(BoardView(demo), units)

    assert small < 0.7 * size
    assert one[0] == two[0] > truck[0]
    assert one[1] < two[1]


def test_a_unit_that_is_aside_stands_off_the_centre(demo: Board) -> None:
    """A counter aside is off its hex's center; another unit in the hex is on it."""
    units = [Marker("K5", "in", "Blue"), Marker("K5", "round", "Blue", aside=3.0)]
    (_, inside, _), (_, aside, _) = laid_out(BoardView(demo), units)

    assert aside[0] == pytest.approx(inside[0])
    assert aside[1] < inside[1] - 0.5


def test_a_unit_that_is_carried_goes_aside_with_the_carrier(demo: Board) -> None:
    """A Passenger of a vehicle in Bypass is small beside it, not in the middle of the hex."""
    units = [Marker("K5", "truck", "Blue", aside=3.0), Marker("K5", "sq", "Blue", carried="truck")]
    (_, truck, size), (_, load, small) = laid_out(BoardView(demo), units)
    (_, centred, _), *_ = laid_out(BoardView(demo), [Marker("K5", "in", "Blue")])

    assert small < 0.7 * size
    assert truck[1] < centred[1] - 0.5
    assert abs(load[1] - truck[1]) < size


def test_a_unit_that_is_carried_lies_by_its_carrier(demo: Board) -> None:
    """Each of two vehicles in a hex has its own load beside it, with cargo's load too."""
    units = [
        Marker("K5", "t1", "Blue"), Marker("K5", "t2", "Blue"), Marker("K5", "sq", "Blue", carried="t1"),
        Marker("K5", "gun", "Blue", carried="t2"), Marker("K5", "crew", "Blue", carried="gun"),
    ]  # fmt: skip
    found = [units[number].label for number, _, _ in laid_out(BoardView(demo), units)]

    assert found == ["t1", "sq", "t2", "gun", "crew"]


def test_a_way_round_keeps_off_the_centre() -> None:
    """It goes by the hex's corners, the shorter way, to its target corner."""
    west, north = way_round((0, 0), 1.5, (-1.5, 0.87)), way_round((0, 0), 1.5, None)
    assert [round(dist(at, (0, 0)), 2) for at in west] == [0.8, 0.8, 0.8]
    assert all(y > -0.1 for _, y in west)
    assert north == west[-1:]


def test_a_canal_runs_through_its_hexes(tmp_path: Path) -> None:
    """A chain of water hexes is a band, a pond fills its hexes; the legend names both alike."""
    canal = board_by_hand([". ca .", ". ca .", ". ca ."], name="canal")
    pond = board_by_hand([". ca ca", ". ca ca", ". . ."], name="pond")
    found = []
    for board in (canal, pond):
        save(draw(board), tmp_path / "water.svg")
        svg = ElementTree.parse(tmp_path / "water.svg").getroot()
        assert "Canal" in texts(svg)
        found.append("terrain:Canal_runs" in ids(svg))
    assert found == [True, False]


def test_parts_of_a_building_are_joined(tmp_path: Path) -> None:
    """A building that touches a hexside from both hexes continues; otherwise it ends."""
    touching, apart = (0,) * 6, (20,) * 6
    found = []
    for clear in (touching, apart):
        hexes = [
            Location(name, name, 0, v, terrain="Stone Building", clear=clear)
            for name, v in (("A1", 1), ("A2", 3))
        ]
        board = Board("house", hexes, [EdgeRecord("A1", "A2")])
        save(draw(board), tmp_path / "house.svg")
        svg = ElementTree.parse(tmp_path / "house.svg").getroot()
        found.append(any(name.startswith("joint:") for name in ids(svg)))
    assert found == [True, False]


def test_only_the_surroundings_are_drawn(demo: Board) -> None:
    """A view around one hex holds the hexes within the margin, including its bridge."""
    view = BoardView(demo, around=["K5"], margin=1)

    expected = {"J4", "J5", "K4", "K5", "K5:bridge", "K6", "L4", "L5"}
    assert expected == {location.name for location in view.locations}


@pytest.mark.parametrize("suffix", slow_after(1, [".svg", ".png"]))
def test_same_picture_same_bytes(demo: Board, tmp_path: Path, suffix: str) -> None:
    """Drawing twice gives the same file, byte for byte."""
    written = []
    for name in ("one", "two"):
        target = tmp_path / f"{name}{suffix}"
        save(draw(demo, units=UNITS, around=["K5"], look=Look(margin=4)), target)
        written.append(target.read_bytes())

    assert written[0] == written[1]
    assert len(written[0]) > 1000


def test_unknown_terrain_is_hatched_and_named(tmp_path: Path) -> None:
    """Terrain, hexsides and roads without a pattern appear in the legend by name."""
    side = Hexside(terrain="Force Field", road="Yellow Bricks")
    board = Board(
        "odd",
        [Location("A1", "A1", 0, 1, terrain="Lava"), Location("A2", "A2", 0, 3)],
        [EdgeRecord("A1", "A2", side)],
    )
    save(draw(board), tmp_path / "odd.svg")
    svg = ElementTree.parse(tmp_path / "odd.svg").getroot()

    assert {"Lava (?)", "Force Field", "Yellow Bricks"} <= texts(svg)
    assert "unknown_terrain:Lava" in ids(svg)


def test_demo_terrain_is_known(demo: Board) -> None:
    """Everything on the demo board has a style of its own."""
    styles = load_styles()
    names = {location.terrain for location in demo.locations if is_ground(location)}

    assert [] == sorted(name for name in names if styles.area(name) is None)


@pytest.mark.parametrize("name", ["demo.pdf", "demo", "demo.svg.gz"])
def test_unknown_suffix_is_rejected(demo: Board, tmp_path: Path, name: str) -> None:
    """Only SVG and PNG are written; any other suffix is bad input and leaves no file."""
    figure = draw(demo, around=["A1"], look=Look(margin=1))

    with pytest.raises(BadInputError, match=r"\.svg or \.png"):
        save(figure, tmp_path / name)
    assert [] == list(tmp_path.iterdir())


def test_missing_folder_is_bad_input(demo: Board, tmp_path: Path) -> None:
    """A folder that does not exist is bad input, not a traceback."""
    with pytest.raises(BadInputError, match="cannot be written"):
        save(draw(demo, around=["A1"], look=Look(margin=1)), tmp_path / "missing" / "demo.svg")


def test_unknown_location_is_rejected(demo: Board) -> None:
    """A unit, path or reach on no hex of the board is rejected by name."""
    with pytest.raises(UnknownNameError, match="ZZ99"):
        draw(demo, units=[Marker("ZZ99", "Lost", "Blue")])
    with pytest.raises(UnknownNameError, match="ZZ99"):
        draw(demo, ways=[PathOverlay((("ZZ99", "1"),))])
    with pytest.raises(UnknownNameError, match="ZZ99"):
        draw(demo, reach=ReachOverlay({"ZZ99": (1.0, "1")}))
    with pytest.raises(UnknownNameError, match="ZZ99"):
        draw(demo, things=[Thing("ZZ99", "foxhole")])


def test_unknown_counter_style_is_rejected(demo: Board) -> None:
    """An unknown counter style is bad input, with its place in the list."""
    unit = Marker("A1", "Odd", "Blue", style="airship")

    with pytest.raises(
        BadInputError, match=r"units\[0\]\.style.*foot, .*leader, .*, gun, wreck, .*got 'airship'"
    ):
        draw(demo, units=[unit])


@pytest.mark.slow
def test_nothing_is_printed(tmp_path: Path) -> None:
    """Drawing prints nothing, even without a folder for matplotlib's caches; no pyplot."""
    program = (
        "import sys\n"
        "from marchtable.board.board import Board, Location\n"
        "from marchtable.picture import Marker, draw, save\n"
        "assert 'matplotlib' not in sys.modules\n"
        "board = Board('one', [Location('A1', 'A1', 0, 1, terrain='Woods')], [])\n"
        "figure = draw(board, units=[Marker('A1', '\\u6b65 $x', 'Blue', 90.0, 'vehicle')])\n"
        "save(figure, sys.argv[1] + '/one.svg')\n"
        "save(figure, sys.argv[1] + '/one.png')\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env={"MPLCONFIGDIR": "/dev/null/none", "HOME": "/dev/null", "PATH": ""},
    )

    assert ("", "", 0) == (done.stdout, done.stderr, done.returncode)
    assert {"one.svg", "one.png"} == {path.name for path in tmp_path.iterdir()}


def _three(hexside: Hexside, **fields: object) -> Board:
    """Return a hex with a road from the left, and two on its right with that hexside between."""
    locations = [
        Location("A1", "A1", 0, 1),
        Location("B1", "B1", 1, 2),
        Location("C1", "C1", 2, 1),
        replace(Location("C2", "C2", 2, 3), **fields),
    ]
    edges = [
        EdgeRecord("A1", "B1", Hexside(road="Dirt Road")),
        EdgeRecord("B1", "C1", Hexside()),
        EdgeRecord("B1", "C2", Hexside()),
        EdgeRecord("C1", "C2", hexside),
    ]
    return Board("three", locations, edges)


def test_a_road_along_a_hexside_is_drawn(tmp_path: Path) -> None:
    """A road goes on from the hex before it to the corner, and along the hexside."""
    board = _three(Hexside(along="Dirt Road"))
    save(draw(board), tmp_path / "along.svg")
    found = ids(ElementTree.parse(tmp_path / "along.svg").getroot())

    assert {"road:B1:Dirt_Road", "road:C1:3", "road:C2:0"} <= found
    assert BoardView(board).roads(board["B1"]) == {"Dirt Road": {5, 1.5}}
    assert BoardView(board).roads(board["C1"]) == {}


def test_what_grows_on_the_banks_of_a_gully_is_drawn() -> None:
    """Brush on a fifth of a hex is drawn in a gully, elsewhere on two fifths."""
    styles = load_styles()
    gully = {"level": -1, "terrain": "Gully", "depression": "Gully"}
    for share, fields, drawn in ((25, gully, True), (15, gully, False), (25, {}, False)):
        board = _three(Hexside(), also=(("Brush", share),), **fields)
        assert ("Brush" in dict(covers(styles, board["C2"]))) == drawn


def test_levels_are_reported(tmp_path: Path) -> None:
    """A level that is not 0 is printed beside the hex's name, also under trees."""
    woods, hill = {"terrain": "Woods"}, {"level": 1}
    board = grid_board(2, 2, [{**woods, "level": 2}, woods, hill, {}])
    save(draw(board), tmp_path / "board.svg")
    written = (tmp_path / "board.svg").read_text("utf-8")

    assert (written.count(">+2<"), written.count(">+1<")) == (1, 1)


def test_a_unit_on_a_bridge_is_drawn_above_those_under_it(demo: Board) -> None:
    """Counters of one hex are ordered by their Location's level, then as stated."""
    units = [
        Marker("K5:bridge", "over", "Blue"),
        Marker("K5", "under", "Blue"),
        Marker("K5:bridge", "too", "Blue"),
    ]
    order = [units[number].label for number, _, _ in laid_out(BoardView(demo), units)]
    assert order == ["under", "over", "too"]


@pytest.mark.parametrize("count", range(2, 14))
def test_counters_of_a_hex_hide_none(demo: Board, count: int) -> None:
    """Counters in one hex are side by side, roughly within it, carried ones too."""
    units = [
        Marker("K5", f"u{n}", "Blue", carried="u0" if n % 3 == 2 else "") for n in range(count)
    ]
    placed = laid_out(BoardView(demo), units)
    x0, y0 = centre((demo["K5"].u, demo["K5"].v))

    assert sorted(number for number, _, _ in placed) == list(range(count))
    for at, (_, (x, y), size) in enumerate(placed):
        assert max(abs(x - x0) - 0.6, abs(y - y0) - 0.1) + size / 2 < 0.6
        for _, (a, b), other in placed[:at]:
            assert max(abs(x - a), abs(y - b)) >= (size + other) / 2


def test_a_tip_tells_where_a_unit_faces() -> None:
    """It sticks out of the counter's edge, that way; a unit without facing has none."""
    sheet = MagicMock()
    paint_front(sheet, Marker("A1", "truck", "Blue", facing=90), (5.0, 5.0), 1.0)
    (tip,), _ = sheet.fill.call_args.args
    assert max(x for x, _ in tip) == pytest.approx(5.7)
    assert min(x for x, _ in tip) == pytest.approx(5.5)
    paint_front(sheet, Marker("A1", "sq", "Blue"), (5.0, 5.0), 1.0)
    assert sheet.fill.call_count == 1


@pytest.mark.slow
def test_numbers_are_explained(demo: Board, tmp_path: Path) -> None:
    """The legend explains the numbers before and after a bar, the tip, the red, and the cost."""
    reach = ReachOverlay({"K5": (2.0, "2"), "K5:bridge": (4.0, "4")}, "MP left")
    way = PathOverlay((("J4", "1"), ("K5", "2")), "truck", points="MP")
    unit = Marker("J4", "truck", "Blue", facing=30)
    save(
        draw(demo, units=[unit], reach=reach, ways=[way], highlights={"J4": "D1"}),
        tmp_path / "a.svg",
    )
    written = texts(ElementTree.parse(tmp_path / "a.svg").getroot())
    assert {"2 | 4", "left: beneath | above (bridge)", "faces there", "truck: MP spent"} <= written
    assert "a clause is broken" in written


def test_what_no_map_prints_is_faded(demo: Board) -> None:
    """Boards numbered from row 0 end in half hexes, except where cropped; others do not."""
    left, right = BoardView(demo).beyond[2:]
    assert max(x for x, _ in left) == centre((demo["A1"].u, 0))[0]
    assert min(x for x, _ in right) == centre((demo["Y1"].u, 0))[0]
    assert not BoardView(grid_board(2, 2, [{}] * 4)).beyond
    assert not BoardView(crop(demo, "A-P")).beyond
