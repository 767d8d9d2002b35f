"""Hand-made boards: grids of terrain letters, and what is rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from marchtable import board_by_hand, load, load_board, save_board
from marchtable.board.places import Hexside
from marchtable.cli.main import app
from marchtable.errors import BadInputError
from marchtable.files.blank import blank_board
from marchtable.files.grids import column_letters

if TYPE_CHECKING:
    from pathlib import Path

    from marchtable.board.board import Board

ROWS = """
    A B C  D
 1  . w .  .
 2  . . gu s
 3  . b .  w1
"""


def _refusal(rows: str = ROWS, **fields: Any) -> str:
    with pytest.raises(BadInputError) as caught:
        board_by_hand(rows, **fields)
    return str(caught.value)


def _around(board: Board, name: str) -> set[str]:
    return {other for _, other in board.neighbours(name)}


def test_every_other_column_stands_half_a_hex_lower() -> None:
    """B1 lies between A1 and A2, as on a printed map."""
    board = board_by_hand(ROWS)
    assert _around(board, "A2") == {"A1", "B1", "B2", "A3"}
    assert _around(board, "B1") == {"A1", "A2", "B2", "C1", "C2"}
    assert [board.direction("A2", name) for name in ("A1", "B1", "B2", "A3")] == [0, 1, 2, 3]


def test_letters_levels_and_depressions() -> None:
    """A letter is terrain, a number the level; a depression is one below its surroundings."""
    board = board_by_hand(ROWS, legend={"b": "Brush"})
    assert (board["D3"].terrain, board["D3"].level) == ("Woods", 1)
    gully = board["C2"]
    assert (gully.terrain, gully.depression, gully.level) == ("Gully", "Gully", -1)


def test_a_level_alone_is_open_ground() -> None:
    """A number without a letter is Open Ground of that level."""
    hex_ = board_by_hand([". 2", ". ."])["B1"]
    assert (hex_.terrain, hex_.level) == ("Open Ground", 2)


def test_a_file_of_rows_is_a_board(tmp_path: Path) -> None:
    """A file with rows need not declare itself a grid."""
    path = tmp_path / "my.toml"
    path.write_text('rows = ["..", ".w"]\n')
    assert load_board(path)["B2"].terrain == "Woods"


@pytest.mark.parametrize(
    "rows",
    [
        ["..w", ".s."],
        ". . w\n. s .",
        "A B C\n. . w\n. s .",
        "1 . . w\n2 . s .",
        " A B C\n1 ..w\n2 .s.",
    ],
)
def test_rows_may_be_written_in_several_ways(rows: str | list[str]) -> None:
    """With or without labels and blanks, as text or a list: the same board."""
    assert board_by_hand(rows) == board_by_hand([". . w", ". s ."])


def test_a_row_nought_and_gaps() -> None:
    """Rows can begin at 0 for the half-hexes of lower columns; a dash is no hex."""
    board = board_by_hand(["0 - . -", "1 . . ."])
    assert [one.name for one in board.locations] == ["A1", "B0", "B1", "C1"]
    assert _around(board, "B0") == {"A1", "B1", "C1"}


def test_roads_cross_hexsides_and_leave_the_map() -> None:
    """A road crosses the hexside between each two of its hexes, and the rim at a dash."""
    board = board_by_hand(ROWS, road=["- A2 B2 C3, c2"], roads={"Path": ["D1 C1"]})
    crossed = {(e.a, e.b) for e in board.edges if e.hexside.road == "Dirt Road"}
    assert crossed == {("A2", "B2"), ("B2", "C3"), ("C2", "C3")}
    assert dict(board["A2"].rim)[5].road == "Dirt Road"
    side = board.hexside("C1", "D1")
    assert side is not None
    assert side.path
    assert side.road is None


def test_hexsides_by_hexes_and_by_directions() -> None:
    """A wall is named by its two hexes, or by a hex and a direction; also at the map's edge."""
    board = board_by_hand(ROWS, hexsides={"Wall": ["A1-B1 c2-NE", "A1-N"]})
    assert board.hexside("B1", "A1") == Hexside(terrain="Wall")
    assert board.hexside("C2", "D1") == Hexside(terrain="Wall")
    assert dict(board["A1"].rim)[0].terrain == "Wall"


def test_a_bridge_is_a_location_that_the_road_leads_onto() -> None:
    """The road leads onto the bridge, over the gully; everything else belongs to the ground."""
    board = board_by_hand(ROWS, road=["B2 C2 D2"], bridges={"Wooden Bridge": ["C2"]})
    assert board["C2:bridge"].terrain == "Wooden Bridge"
    assert board["C2:bridge"].level == board["C2"].level + 1
    assert _around(board, "C2:bridge") == {"B2", "D2"}
    assert _around(board, "C2") == {"B1", "B2", "C1", "C3", "D1", "D2"}


def test_single_hexes_have_more_detail() -> None:
    """Fields of a hex replace those of its letter and keep the rest."""
    board = board_by_hand(ROWS, hexes={"d3": {"stairway": True, "also": [["Brush", 30]]}})
    found = board["D3"]
    assert (found.terrain, found.level, found.stairway) == ("Woods", 1, True)
    assert found.also == (("Brush", 30),)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"rows": "  . .\n . . ."}, "rows: row 2: expected 2 hexes as in the rows above, got 3"),
        ({"rows": ". ?\n. ."}, "rows: row 1, hex B1: no terrain letter '?'"),
        ({"rows": ". 2w\n. ."}, "; a level stands behind its letter: w2"),
        ({"rows": "1 . .\n3 . ."}, "rows: expected row 2, got row 3"),
        ({"rows": "\n"}, "rows: expected at least one row"),
        ({"rows": "- -"}, "rows: expected at least one hex"),
        ({"rows": ".99"}, "row 1, hex A1: expected a level from -20 to 20, got 99"),
        ({"legend": {"q": "Woodz"}}, "legend.q: no terrain 'Woodz'; nearest: 'Woods'"),
        ({"legend": {"2": "Woods"}}, "legend.2: expected a letter or sign without digits"),
        ({"road": ["A1 C1"]}, "road[0]: A1 and C1 are not adjacent (beside A1 lie B1, A2)"),
        ({"road": ["A1"]}, "road[0]: expected two hexes or more"),
        ({"road": ["- B2 C2"]}, "road[0]: B2 does not lie at the edge of the map"),
        ({"road": ["A1 A9"]}, "road[0]: no hex 'A9' (they run from A1 to D3); nearest: 'A3', 'A2'"),
        ({"roads": {"Pave Road": ["A1 A2"]}}, "roads.Pave Road: no road 'Pave Road'; nearest: 'Paved Road'"),
        ({"hexsides": {"Heg": ["A1-A2"]}}, "hexsides.Heg: no hexside 'Heg'; nearest: 'Hedge'"),
        ({"hexsides": {"Wall": ["A1 A2"]}}, "hexsides.Wall[0]: expected hexsides such as 'C3-C4'"),
        ({"hexsides": {"Wall": ["A1-B1"], "Hedge": ["B1-A1"]}}, "hexside NW of B1 has Wall already"),
        ({"bridge": ["C2"]}, "bridges: no road leads onto the bridge in C2"),
        ({"hexes": {"A1": {"also": [["Bush", 3]]}}}, "hexes.A1: no terrain 'Bush'; nearest: 'Brush'"),
        ({"raods": {}}, "unknown field `raods`"),
    ],
)  # fmt: skip
def test_rejected(stated: dict[str, Any], said: str) -> None:
    """An error gives its row and hex, or its field, and the nearest name."""
    assert said in _refusal(**stated)


def test_in_a_scene_and_in_a_file(tmp_path: Path) -> None:
    """A scene contains a grid without a format, or names its file."""
    head = 'format = "marchtable/scene/2"\nrulebook = "asl"\nside = "german"\nphase = "MPh"\nunits = []\n'
    rows = 'rows = """\n. w\n. .\n"""\n'
    (tmp_path / "inline.toml").write_text(f"{head}[board]\n{rows}")
    (tmp_path / "board.toml").write_text(f'format = "marchtable/grid/1"\n{rows}')
    (tmp_path / "named.toml").write_text(f'board = "board.toml"\n{head}')
    inline, named = load(tmp_path / "inline.toml").board, load(tmp_path / "named.toml").board
    assert inline == named == board_by_hand(". w\n. .")
    save_board(named, tmp_path / "full.json")
    assert load_board(tmp_path / "full.json") == named


def test_a_fault_in_a_scene_names_file_and_field(tmp_path: Path) -> None:
    """A wrong letter in a scene's grid is reported with file, row and hex."""
    path = tmp_path / "scene.toml"
    path.write_text(
        'format = "marchtable/scene/2"\nrulebook = "asl"\nside = "german"\nphase = "MPh"\n'
        'units = []\nboard.rows = ". ?"\n'
    )
    with pytest.raises(BadInputError, match=r"scene\.toml: board\.rows: row 1, hex B1"):
        load(path)


def test_the_blank_board_is_a_board(tmp_path: Path) -> None:
    """The output of `board new` can be read and drawn, and is not overwritten."""
    runner, path = CliRunner(), tmp_path / "my.toml"
    assert runner.invoke(app, ["board", "new", "30x4", "-o", str(path)]).exit_code == 0
    board = load_board(path)
    assert (board.name, len(board)) == ("my", 120)
    assert board.locations[-1].name == f"{column_letters(29)}4" == "DD4"
    before = path.read_text()
    again = runner.invoke(app, ["board", "new", "2x2", "-o", str(path)])
    assert again.exit_code == 2
    assert "is there already" in again.output
    assert path.read_text() == before
    picture = tmp_path / "my.svg"
    assert runner.invoke(app, ["show", str(path), "-o", str(picture)]).exit_code == 0
    assert picture.stat().st_size > 1000


def test_the_blank_boards_comments_are_true(tmp_path: Path) -> None:
    """Every example in the comments can be uncommented."""
    text = blank_board(4, 4).replace("#   ", "")
    head, _, tail = text.partition('rows = """')
    path = tmp_path / "all.toml"
    kept = "\n".join(line for line in head.splitlines() if line.startswith(("format", "name")))
    path.write_text(f'{kept}\nrows = """{tail}')
    board = load_board(path)
    assert board["C3:bridge"].terrain == "Wooden Bridge"
    assert board["C2"].stairway


@pytest.mark.parametrize("size", ["8", "0x4", "axb", "100x4", "53x2", "8x6x2"])
def test_sizes_that_are_none(size: str) -> None:
    """A size is columns by rows, within what can be named."""
    found = CliRunner().invoke(app, ["board", "new", size])
    assert found.exit_code == 2
    assert "expected COLUMNSxROWS such as 8x6" in found.output
