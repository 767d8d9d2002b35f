"""Whether an archive's picture matches its data."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from marchtable.cli.commands import MOST_OF_A_KIND, check_boards
from marchtable.vasl.picture import picture_suspicions
from tests.vasl.forge import Forge, pack

if TYPE_CHECKING:
    from pathlib import Path


def gif(forge: Forge, scale: float = 1) -> bytes:
    """Return a picture of a forged board: a colour for each terrain."""
    image = Image.fromarray(np.ascontiguousarray(forge.terrain.T), mode="P")
    image.putpalette([(code * step) % 256 for code in range(256) for step in (7, 11, 13)])
    image = image.resize((round(forge.width * scale), round(forge.height * scale)))
    written = io.BytesIO()
    image.save(written, format="GIF")
    return written.getvalue()


def archive(path: Path, data: Forge, picture: bytes | None, name: str = "07") -> list[str]:
    """Write an archive and return the suspicious features of its picture."""
    data.attributes |= {"name": name, "boardImageFileName": "bd07.gif"}
    entries = {} if picture is None else {"BD07.gif": picture}
    pack(path, data.los_data(), data.metadata(), **entries)
    return [one.text for one in picture_suspicions(path)]


def woods() -> Forge:
    """Return a board with woods and a road."""
    return Forge(7, 5).disc("C2", 40, "Woods").line("A4", "G4", what="Dirt Road")


def test_a_picture_of_its_own_board(tmp_path: Path) -> None:
    """A picture fits its data; a file that is no picture is skipped."""
    assert archive(tmp_path / "bd07", woods(), gif(woods())) == []
    assert archive(tmp_path / "bd07", woods(), b"GIF89a") == []
    assert archive(tmp_path / "bd07", woods(), gif(woods())[:200]) == []
    assert archive(tmp_path / "bd07", Forge(7, 5), gif(Forge(7, 5))) == []


def test_data_of_another_board(tmp_path: Path) -> None:
    """Another board's data are detected by name, picture size and colors."""
    other = Forge(7, 5).disc("F4", 40, "Brush").line("A1", "G1", what="Paved Road")

    assert archive(tmp_path / "bd07", woods(), gif(other)) == [
        "its picture shows something else than its data: 0% of what is drawn agrees"
    ]
    assert archive(tmp_path / "bd07", woods(), gif(woods(), 0.5)) == [
        "its picture has 169 x 161 pixels, its data 338 x 322"
    ]
    assert archive(tmp_path / "bd07z", woods(), gif(woods())) == [
        "its BoardMetadata.xml is that of board 7"
    ]
    assert archive(tmp_path / "bdRB", woods(), gif(woods()), name="Red Barricades") == []
    assert archive(tmp_path / "bd07", woods(), None) == ["its picture bd07.gif is not in it"]


@pytest.mark.slow
def test_check_lists_some_of_each_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The check of a board lists oddities of its picture, with a limit."""
    forge = Forge(21, 21)
    for column in "BDFHJLNPRT":
        for row in (3, 8, 13, 18):
            forge.disc(f"{column}{row}", 14, "Dirt Road")
    archive(tmp_path / "bd07", forge, None)
    check_boards([str(tmp_path / "bd07")], None, as_json=False)
    lines = capsys.readouterr().out.splitlines()

    assert lines[1] == "  picture all: its picture bd07.gif is not in it"
    assert sum(line.startswith("  road ") for line in lines) == MOST_OF_A_KIND
    assert any(line.startswith("  road: 30 more, listed by --json; so many") for line in lines)
