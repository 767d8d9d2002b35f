"""A board's own artwork: found by the pixels the board was read from, and sent only to its readers."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from marchtable.board.joining import join, reverse
from marchtable.files.boards import load_board
from marchtable.files.scenes import Scene
from marchtable.picture.geometry import centre
from marchtable.service.positions import Positions
from marchtable.service.settings import Library
from marchtable.web import artwork
from tests.asl.boards import foot, place
from tests.service.conftest import GERMAN
from tests.service.test_sides import begun, by
from tests.vasl.forge import Forge, pack

if TYPE_CHECKING:
    from pathlib import Path

    from litestar.testing import TestClient

    from marchtable.board.board import Board

GIF = b"GIF89a" + 20 * b"\0"


def forged(folder: Path, name: str, wood: str = "C2") -> Path:
    """Write an archive with a picture."""
    board = Forge(7, 4, boardImageFileName=f"{name}.gif").disc(wood, 40, "Woods")
    return pack(folder / name, board.los_data(), board.metadata(), **{f"{name}.GIF": GIF})


def placed(board: Board, **fields: Any) -> dict[str, Any]:
    """Return the place of a board's artwork in a scene on it."""
    at = board.locations[0].name
    return artwork.sheets(Scene(place(board, foot(at=at), stated=fields), "", ""))


def test_artwork_lies_where_the_hexes_are(tmp_path: Path) -> None:
    """Each sheet's transform puts the pixel of a hex's center on that hex, reversed and joined too."""
    one, two = (
        load_board(forged(tmp_path, name, wood)) for name, wood in (("bd01", "C2"), ("bd02", "E2"))
    )
    for board in (one, reverse(one), join([[one, reverse(two)]])):
        found = placed(board)
        for sheet, result in zip(board.sheets, found["sheets"], strict=True):
            a, _, _, d, e, f = map(float, result["transform"][7:-1].split())
            for u, v in (sheet.part[::2], sheet.part[1::2]):
                x, y = (
                    start + step * n for (start, step), n in ((sheet.across, u), (sheet.down, v))
                )
                there = centre((u, v))
                assert abs(a * x + e - 100 * there[0]) < 0.1
                assert abs(d * y + f + 100 * there[1]) < 0.1
    assert placed(join([[one, two]]))["names"] == ["1", "2"]


def test_artwork_is_that_of_the_board(tmp_path: Path) -> None:
    """An archive with other pixels is not the board's, whatever its name; nor is any under snow."""
    path, other = forged(tmp_path, "bd01"), forged(tmp_path, "bd02", "E2")
    positions = Positions(Library({}, {"bd01": str(path), "bd02": str(other)}))
    found = placed(load_board(path))
    digests = [one["digest"] for one in found["sheets"]]
    assert artwork.archives(positions, names=["1"], digests=digests) == [str(path)]
    assert artwork.archives(positions, names=["2"], digests=digests) == [None]
    assert artwork.picture(positions, path=str(path)) == {
        "kind": "image/gif", "data": base64.b64encode(GIF).decode(),
    }  # fmt: skip
    assert artwork.picture(positions, path=str(tmp_path / "bd03")) is None
    assert placed(load_board(path), deep_snow=True)["sheets"] == []


def test_artwork_is_not_for_strangers(sided: TestClient[Any]) -> None:
    """Without a token there is none; if the server lacks the board's archive, the drawing stays."""
    game = begun(sided, []).removeprefix("/api")
    for path in ("artwork", "artwork/0"):
        assert sided.get(f"{game}/{path}").status_code == 401
    assert sided.get(f"{game}/artwork", headers=by(GERMAN)).json() == []
    assert sided.get(f"{game}/artwork/0", headers=by(GERMAN)).status_code == 404
