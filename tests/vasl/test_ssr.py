"""Board SSR on forged boards, and their syntax."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from marchtable.board.joining import join
from marchtable.errors import BadInputError
from marchtable.files.boards import find_board, load_board, save_board
from marchtable.vasl import import_board, report
from marchtable.vasl.ssr import changes_by_rule
from marchtable.vasl.terrain import load_terrain
from tests.vasl.forge import CODES, Forge, pack

if TYPE_CHECKING:
    from marchtable.board.board import Board


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Write a board with a road, woods, a wall, a house and a hill."""
    forge = Forge().disc("B3", 25, "Woods").line("A2", "B2", "C2", "D2", "E2", what="Dirt Road")
    forge.line(forge.corner("C3", 1), forge.corner("C3", 2), what="Wall", wide=4)
    forge.disc("D3", 12, "Stone Building")
    xs = np.mgrid[0 : forge.width, 0 : forge.height][0]
    forge.elevation[xs > 200] = 1
    forge.stairways[-6] = 1
    forge.elements = (
        '<overlaySSRules><overlaySSRule name="SSO_7" image="a.gif"/>'
        '<overlaySSRuleSet name="BSO_7"/></overlaySSRules>'
        '<colorSSRules><colorSSR name="NoGrain"/></colorSSRules>'
    )
    return forge.write(tmp_path / "bd07")


def terrain(board: Board) -> set[str]:
    """Return the names of all terrain on a board."""
    names = {one.terrain for one in board.locations}
    names |= {name for one in board.locations for name, _ in one.also}
    return names | {edge.hexside.terrain for edge in board.edges if edge.hexside.terrain}


@pytest.mark.parametrize(
    ("ssr", "gone", "there"),
    [
        ("NoRoads", "Dirt Road", "Open Ground"),
        ("AllPaved", "Dirt Road", "Paved Road"),
        ("WoodsToBrush", "Woods", "Brush"),
        ("WallsToBocage", "Wall", "Bocage"),
        ("AllWood", "Stone Building", "Wooden Building"),
        ("NoWalls", "Wall", "Open Ground"),
    ],
)
def test_terrain(archive: Path, ssr: str, gone: str, there: str) -> None:
    """Terrain changed by an SSR is gone, and the new terrain is there."""
    assert gone in terrain(import_board(archive))
    found = terrain(import_board(archive, ssr=[ssr]))

    assert gone not in found
    assert there in found


def test_no_roads(archive: Path) -> None:
    """Without roads none crosses a hexside."""
    assert report(import_board(archive)).roads == {"Dirt Road": 4}
    assert report(import_board(archive, ssr=["NoRoads"])).roads == {}


def test_levels(archive: Path) -> None:
    """Levels change, and terrain that becomes ground of a level."""
    assert report(import_board(archive)).levels == (0, 1)
    assert report(import_board(archive, ssr=["Level1ToLevel0"])).levels == (0, 0)
    woods = import_board(archive, ssr=["WoodsToLevel1"])

    assert "Woods" not in terrain(woods)
    assert any(one.level == 1 for one in woods.locations if one.u == 1)


def test_stairways(archive: Path) -> None:
    """Stairways go."""
    assert report(import_board(archive)).stairways == 1
    assert report(import_board(archive, ssr=["NoStairwells"])).stairways == 0


def test_in_order(archive: Path) -> None:
    """SSR apply one after the other; the name lists them, the content is another board's."""
    board = import_board(archive, ssr=["WoodsToBrush", "BrushToGrain"])

    assert board.name == "7 ssr WoodsToBrush,BrushToGrain"
    assert "Grain" in terrain(board)
    assert board.digest != import_board(archive).digest
    assert "Brush" in terrain(import_board(archive, ssr=["BrushToGrain", "WoodsToBrush"]))


@pytest.mark.parametrize(
    ("ssr", "says"),
    [
        ("NoRods", "no such SSR; of those that change terrain here the nearest: NoRoads, "),
        ("SSO_7", "a picture to be laid on the board"),
        ("BSO_7", "a picture to be laid on the board"),
        ("NoGrain", "a meaning of its own on this board"),
        ("DenseJungle", "Pacific terrain"),
        ("Winter", "weather"),
        ("", "no such SSR"),
    ],
)
def test_rejected(archive: Path, ssr: str, says: str) -> None:
    """An impossible SSR is rejected by name, an unknown name with the nearest."""
    with pytest.raises(BadInputError) as caught:
        import_board(archive, ssr=[ssr])
    message = str(caught.value)

    assert message.startswith(f"bd07: ssr {ssr}: ")
    assert says in message


@pytest.mark.parametrize("ssr", ["NoRoads", "NoBridge", "BridgeToFord"])
def test_bridges(tmp_path: Path, ssr: str) -> None:
    """The effect on bridges is unknown: such SSR need boards without any."""
    forge = (
        Forge()
        .line("C1", "C4", what="Gully", level=-1)
        .line("A2", "B2", "C2", "D2", "E2", what="Dirt Road")
    )
    plain = forge.write(tmp_path / "bd07")
    import_board(plain, ssr=[ssr])
    bridged = forge.disc("C2", 12, "Stone Bridge").write(tmp_path / "bd08")

    with pytest.raises(BadInputError, match="what becomes of its bridges"):
        import_board(bridged, ssr=[ssr])


def test_levels_with_depressions(tmp_path: Path) -> None:
    """A level is not changed where a depression lies in it or at it."""
    forge = Forge().line("C1", "C4", what="Gully", level=-1)

    with pytest.raises(BadInputError, match="depressions"):
        import_board(forge.write(tmp_path / "bd07"), ssr=["Level_1ToLevel0"])


def test_table() -> None:
    """Every terrain of the table exists, every level is a number."""
    names = {kind.name for kind in load_terrain().by_code.values()}
    for changes in changes_by_rule().values():
        for change in changes:
            if change.kind == "terrain":
                assert {change.old, change.new} <= names
            elif change.kind == "ground":
                assert change.old in names
                assert -3 < int(change.new) < 7
            elif change.kind == "level":
                assert int(change.old) != int(change.new)
            elif change.kind == "rejected":
                assert change.new
            else:
                assert change.kind in {"stairways", "unbridged", "picture"}


def test_as_scenes_name_it(archive: Path) -> None:
    """A scene changes, crops and reverses a board as Python does."""
    named = find_board("bd07 ssr NoRoads,WallsToOG crop A-C r", folder=archive.parent)
    loaded = load_board(archive, ssr=["NoRoads", "WallsToOG"], crop="A-C")

    assert named.name == loaded.name == "7 ssr NoRoads,WallsToOG crop A-C"
    assert {one.name for one in named.locations} == {one.name for one in loaded.locations}
    assert named.digest != loaded.digest


def test_not_of_board_files(archive: Path) -> None:
    """A board file has no pixels to change."""
    save_board(load_board(archive), archive.with_name("b.json"))

    with pytest.raises(BadInputError, match=r"b\.json: ssr: NoRoads: .* archives only"):
        find_board("b.json ssr NoRoads", folder=archive.parent)


def test_joined(archive: Path) -> None:
    """A changed board's hexes are named after the board alone."""
    other = import_board(Forge().write(archive.with_name("bd08")))
    board = join([[import_board(archive, ssr=["NoRoads"]), other]])

    assert board.name == "7 ssr NoRoads+8"
    assert "7B2" in board
    twice = join([[import_board(archive, ssr=["NoRoads"]), import_board(archive)]])
    assert {"7B2", "7no2B2"} <= set(twice.index)


def test_seven_zip(tmp_path: Path) -> None:
    """A 7z archive is rejected as such, by any route."""
    path = tmp_path / "bd07"
    path.write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(100))

    for reader in (import_board, load_board):
        with pytest.raises(BadInputError, match="bd07: is a 7z archive, which is not read"):
            reader(path)


def test_overlay_archive(tmp_path: Path) -> None:
    """A VASL overlay is no board."""
    path = pack(tmp_path / "ovrO", None, None, data=b"x")

    with pytest.raises(BadInputError, match="ovrO: is a VASL overlay"):
        load_board(path)


def test_codes() -> None:
    """The forge's codes are those of the terrain table."""
    assert {name: load_terrain()[code].name for name, code in CODES.items()} == {
        name: name for name in CODES
    }


def test_documented() -> None:
    """The page on boards names every available SSR."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "boards.md").read_text(encoding="utf-8")
    had = {name for name, changes in changes_by_rule().items() if changes[0].kind != "rejected"}

    assert {name for name in had if f"`{name}`" not in page} == set()
