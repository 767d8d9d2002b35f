"""Saved games read without knowing the game: boards, places, pieces; damage in one line."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marchtable.errors import BadInputError
from marchtable.files.boards import find_board
from marchtable.vasl.saves import read_save, read_table
from marchtable.vasl.saves.sequences import nested, tokens
from tests.vasl.forge import Forge
from tests.vasl.saves import (
    ESCAPE,
    Counter,
    Game,
    in_bytes,
    layer,
    marker,
    men,
    nest,
    obfuscated,
    pack,
    pixel,
    question,
    sequence,
    vehicle,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.vasl.saves import Table

SHARED = Path(__file__).resolve().parents[3] / "shared"
SAVES, BOARDS = SHARED / "saves", SHARED / "boards"
needs_saves = pytest.mark.skipif(
    not SAVES.is_dir() or not BOARDS.is_dir(), reason="no saved games and boards in ../shared"
)
TEXT = st.text(alphabet=st.sampled_from("ab\t;\\/'"), max_size=12)


def table(folder: Path, game: Game) -> Table:
    """Write a game, and read it again with the boards of the folder."""
    return read_table(read_save(game.write(folder / "game.vsav")), folder)


def rejection(path: Path, boards: Path | None = None) -> str:
    """Return the message with which a saved game is rejected."""
    with pytest.raises(BadInputError) as caught:
        read_table(read_save(path), boards)
    message = str(caught.value)

    assert len(message.splitlines()) == 1
    return message


@given(members=st.lists(TEXT.filter(lambda text: "\t" not in text), min_size=1, max_size=8))
def test_lists_within_lists_come_back(members: list[str]) -> None:
    """Traits nested as VASSAL nests them are read as they were."""
    assert nested(nest(members)) == members


@given(members=st.lists(TEXT, min_size=1, max_size=6))
def test_lists_come_back(members: list[str]) -> None:
    """Tokens written as VASSAL writes them are read as they were."""
    if any(one.startswith("'") and one.endswith("'") for one in members):
        members = [one.replace("'", "a") for one in members]
    if any("\\;" in f"{one};" for one in members[:-1]):
        members = [one.replace("\\", "b") for one in members]

    assert tokens(sequence(";", *members), ";") == members


def test_a_game_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Module, boards, stacks bottom to top, and each piece's name, nation and facing are read."""
    Forge(5, 4).write(tmp_path / "bd07")
    tank = vehicle("ge", "PzKw IVH", ("turr;ge/geBU;ge/geCE;S;A;r", "5\\;;false"), vca=6)
    squad = men("ge", "4-6-7 1sq", layer("broken +", level=-1, name="BRK"))
    game = Game("0\t0\t07\tVER\t1.0").stack(*pixel(1, 2), squad, tank)
    found = table(tmp_path, game)

    assert (found.save.module, found.save.version, found.save.vassal) == ("VASL", "6.6.9", "3.7.9")
    assert found.boards == ((str(tmp_path / "bd07"),),)
    (stack,) = found.stacks
    assert stack.at == "B2"
    assert [piece.name for piece in stack.pieces] == ["4-6-7 1sq", "PzKw IVH"]
    assert stack.pieces[0].called == "4-6-7 1sq"
    assert stack.pieces[1].called == "PzKw IVH vca6"
    assert stack.pieces[1].turned == ((6, 3),)
    assert stack.pieces[1].turret == (5, False)
    assert {piece.nation for piece in stack.pieces} == {"ge"}


@pytest.mark.parametrize("hide", [bytes, obfuscated, lambda text: obfuscated(text, 0), in_bytes, lambda text: in_bytes(text, 255)])  # fmt: skip
def test_ways_to_hide_it_and_older_map_names(
    tmp_path: Path, hide: Callable[[bytes], bytes]
) -> None:
    """A save is plain text, hex digits, or bytes (VASSAL 3.8); older modules call the map Map0."""
    Forge(5, 4).write(tmp_path / "bd07")
    game = Game("0\t0\t07\tVER\t1.0", where="Map0").alone(men("ru", "4-4-7 1sq"), *pixel(2, 3))
    text = game.text().encode()
    path = pack(tmp_path / "old.vsav", {"savedGame": hide(text)})

    assert [stack.at for stack in read_table(read_save(path), tmp_path).stacks] == ["C3"]


def test_boards_side_by_side_and_turned(tmp_path: Path) -> None:
    """Places on a second row and on a turned board are named by the right board's own hexes."""
    for name in ("bd07", "bd08", "bd09", "bd10"):
        Forge(5, 4).write(tmp_path / name)
    rows = ("0\t0\t07\tVER\t1.0", "1\t0\tr08\tVER\t1.0", "0\t1\t09\tVER\t1.0", "1\t1\t10\tVER\t1.0")
    game = Game(*rows)
    wide, high = 225, 258
    for x, y in ((57, 65), (wide + 57, 65), (57, high + 65), (wide + 57, high + 65), (-200, 10)):
        game.stack(400 + x, 400 + y, men("ge", "4-6-7 1sq"))
    found = table(tmp_path, game)

    assert found.boards == (
        (str(tmp_path / "bd07"), f"{tmp_path / 'bd08'} r"),
        (str(tmp_path / "bd09"), str(tmp_path / "bd10")),
    )
    assert [stack.at for stack in found.stacks] == ["7B1", "8D3", "9B1", "10B1", None]
    assert "left of 7A1" in found.stacks[-1].where


def test_crop_ssr_zoom_overlay_and_version(tmp_path: Path) -> None:
    """A cropped and magnified board's hexes are found; anything unavailable is reported."""
    Forge(9, 4, version="2.0").write(tmp_path / "bd07")
    board = "0\t0\t07\t225\t0\t225\t258\tVER\t1.0\tOVR\to5\tg4\th4\tSSR\tNoRoads\tZOOM\t2.0"
    found = table(tmp_path, Game(board).stack(400 + 112, 400 + 130, men("ge", "4-6-7 1sq")))

    assert found.boards == ((f"{tmp_path / 'bd07'} ssr NoRoads overlays o5:G4:H4 crop E-I",),)
    assert found.stacks[0].at == "F1"
    assert any(
        "overlay o5 laid by G4 and H4 on board 07 is not read" in note for note in found.notes
    )
    assert any("version 1.0, read in version 2.0" in note for note in found.notes)


def test_ssr_of_unknown_effect_are_left_off(tmp_path: Path) -> None:
    """Weather, pictures and unknown SSR are left off and noted; the rest is applied."""
    forge = Forge(5, 4)
    forge.elements = '<overlaySSRule name="NoBarn"/><LOSSSRule name="NoGrain"/>'
    forge.write(tmp_path / "bd07")
    names = "Winter\tNoRoads\tFloodedRivers\tNoBarn\tNoGrain\tZzz\tAllDirt"
    found = table(tmp_path, Game(f"0\t0\t07\tVER\t1\tSSR\t{names}"))

    assert found.boards == ((f"{tmp_path / 'bd07'} ssr NoRoads,AllDirt",),)
    assert [name for _, name in found.unchanged] == [
        "Winter", "FloodedRivers", "NoBarn", "NoGrain", "Zzz",
    ]  # fmt: skip
    assert all(
        any(note.startswith(f"SSR {name} is left off board 07: ") for note in found.notes)
        for _, name in found.unchanged
    )


def test_who_hides_and_masks(tmp_path: Path) -> None:
    """A hidden piece, a masked one and the masking counter name their player."""
    hidden = Counter("x", ("hide;H;HIP;;player:", "her"), image="ru/veh/x")
    found = table(tmp_path, Game().stack(88, 178, hidden, men("ge", "y", by="him"), question("ge")))
    first, second, third = found.stacks[0].pieces

    assert (first.hidden_by, first.masked_by) == ("player 1", "")
    assert (second.hidden_by, second.masked_by) == ("", "player 2")
    assert (third.masks, third.nation) == (True, "ge")
    assert found.stacks[0].at is None


def test_the_steps_of_a_log_are_counted(tmp_path: Path) -> None:
    """For a log the initial position is read, and the number of later steps is noted."""
    drag = "LOG\tM/9/Main Map/2/2/null/Main Map/1/1/null/her"
    several = sequence(ESCAPE, drag, "LOG\tD/9/x", sequence(ESCAPE, "LOG\tnull", "LOG\tCHAT hi"))
    steps = "".join(f"{ESCAPE}{one.replace(ESCAPE, chr(92) + ESCAPE)}" for one in (drag, several))
    text = Game().stack(10, 10, marker("Pin")).text()
    path = pack(tmp_path / "game.vlog", {"savedGame": obfuscated((text + steps).encode())})
    found = read_table(read_save(path), None)

    assert len(found.stacks) == 1
    assert any("the 2 recorded steps after it are not read" in note for note in found.notes)
    assert not read_table(read_save(Game().write(tmp_path / "game.vsav")), None).notes


FAULTS: dict[str, tuple[bytes | dict[str, bytes], str]] = {
    "no zip": (b"hello", "not a ZIP archive"),
    "no game": ({"other": b""}, "has no entry savedGame"),
    "empty": ({"savedGame": b""}, "does not begin with begin_save"),
    "wrong key": ({"savedGame": b"!VCSK00" + obfuscated(b"begin_save")[7:]}, "savedGame"),
    "odd digits": ({"savedGame": b"!VCSKa7abc"}, "pairs of hex digits"),
    "no digits": ({"savedGame": b"!VCSKzz12"}, "pairs of hex digits"),
    "no key": ({"savedGame": b"VOBS"}, "cut short"),
    "wrong key byte": ({"savedGame": b"VOBS\x01" + in_bytes(b"begin_save")[5:]}, "savedGame"),
    "cut bytes": ({"savedGame": in_bytes(Game().text().encode())[:-20]}, "cut short"),
    "torn bytes": ({"savedGame": in_bytes("begin_save ö".encode())[:-1]}, "does not decode"),
    "cut": ({"savedGame": obfuscated(Game().text().encode())[:-20]}, "cut short"),
    "huge number": ({"savedGame": obfuscated(Game().stack(10**9, 1, marker("Pin")).text().encode())}, "whole number"),
    "bad level": ({"savedGame": obfuscated(Game().stack(1, 1, marker("x", ("emb2;", "1e9"))).text().encode())}, "level"),
    "no basic piece": ({"savedGame": f"begin_save{ESCAPE}+/1/a\tb/c\td{ESCAPE}end_save".encode()}, "basic piece"),
    "short piece": ({"savedGame": f"begin_save{ESCAPE}+/1/a{ESCAPE}end_save".encode()}, "id, type and state"),
    "uneven": ({"savedGame": f"begin_save{ESCAPE}+/1/a\tb\\\tc/d\te{ESCAPE}end_save".encode()}, "3 traits, 2 states"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_damage_is_one_line(tmp_path: Path, fault: str) -> None:
    """Each kind of damage is rejected in one line that names the file and the fault."""
    content, expected = FAULTS[fault]
    path = tmp_path / "game.vsav"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        pack(path, content)

    assert rejection(path).startswith("game.vsav")
    assert expected in rejection(path)


def test_bombs_are_rejected(tmp_path: Path) -> None:
    """A save that unpacks to too much, or has too many traits or pieces, is rejected."""
    bomb = tmp_path / "bomb.vsav"
    with (
        zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("savedGame", "w") as entry,
    ):
        for _ in range(50):
            entry.write(b"0" * 1_000_000)
    assert "larger than" in rejection(bomb)

    deep = "begin_save" + f"{ESCAPE}+/1/{nest(['mark;x'] * 410)}/{nest([''] * 410)}{ESCAPE}end_save"
    assert "traits" in rejection(pack(tmp_path / "deep.vsav", {"savedGame": deep.encode()}))

    wide = "begin_save" + f"{ESCAPE}+/1/stack/M;1;1;" * 6_001 + f"{ESCAPE}end_save"
    assert "pieces" in rejection(pack(tmp_path / "wide.vsav", {"savedGame": wide.encode()}))

    slashes = (
        "begin_save" + "\\" * 3_000_000 + f"{ESCAPE}+/1/" + "\\" * 300_000 + f"/x{ESCAPE}end_save"
    )
    assert "type and state" in rejection(
        pack(tmp_path / "slashes.vsav", {"savedGame": slashes.encode()})
    )

    many = "begin_save" + ESCAPE * 70_000 + f"{ESCAPE}end_save"
    assert "commands" in rejection(pack(tmp_path / "many.vsav", {"savedGame": many.encode()}))


@pytest.mark.parametrize(
    ("boards", "expected"),
    [
        (("0\t0\t99\tVER\t4.2",), "board 99 (version 4.2): no bd99 among the boards given"),
        (("0\t0\t../../etc/passwd\tVER\t1",), "no bd../../etc/passwd among"),
        (("0\t0\t07", "1\t1\t08"), "no board above 08 (column 1, row 1)"),
        (("0\t0\t07", "0\t0\t08"), "in one place"),
        (("0\t0",), "column, row and name"),
        (("0\t0\t07\tVER\t1\tZOOM\t1e99",), "magnification"),
        (("0\t0\t07\t9000\t0\t10\t10\tVER\t1",), "leaves no hex"),
        (tuple(f"{n}\t0\t07" for n in range(99)), "more than 60 boards"),
    ],
)
def test_boards_that_cannot_be_laid(tmp_path: Path, boards: tuple[str, ...], expected: str) -> None:
    """A missing board, and an invalid layout, are reported with the board."""
    for name in ("bd07", "bd08"):
        Forge(5, 4).write(tmp_path / name)

    assert expected in rejection(Game(*boards).write(tmp_path / "game.vsav"), tmp_path)


def test_blank_boards_are_no_boards(tmp_path: Path) -> None:
    """NUL boards take the room of their picture; a missing picture is noted."""
    Forge(5, 4).write(tmp_path / "bd07")
    game = Game("0\t0\tNUL", "0\t1\t07").stack(*pixel(0, 1), marker("x"))
    game.stack(400, 500 + 32, marker("y"))
    unmeasured = table(tmp_path, game)
    pack(tmp_path / "bdNUL", {"bdNUL.gif": b"GIF89a" + bytes([44, 1, 100, 0])})
    measured = table(tmp_path, game)

    assert unmeasured.boards == measured.boards == ((str(tmp_path / "bd07"),),)
    assert unmeasured.stacks[0].at == "A1"
    assert any("how much room NUL takes is not known" in note for note in unmeasured.notes)
    assert [stack.at for stack in measured.stacks] == [None, "A1"]
    assert not measured.notes


def test_boards_that_fill_no_rectangle(tmp_path: Path) -> None:
    """Beside a shorter row there is nothing: a piece there is off the boards, which is noted."""
    for name in ("bd07", "bd08"):
        Forge(5, 4).write(tmp_path / name)
    wide, high = 225, 258
    game = Game("0\t0\t07", "1\t0\t07", "0\t1\t08")
    for x, y in ((57, 65), (wide + 57, 65), (57, high + 65), (wide + 57, high + 65)):
        game.stack(400 + x, 400 + y, marker("x"))
    found = table(tmp_path, game)

    assert found.boards == ((str(tmp_path / "bd07"),) * 2, (str(tmp_path / "bd08"),))
    assert [stack.at for stack in found.stacks] == ["7B1", "7no2B1", "8B1", None]
    assert found.stacks[-1].where == "off the boards, right of 8E2"
    assert any("fill no rectangle" in note for note in found.notes)
    board = find_board([list(row) for row in found.boards])
    assert {"7B1", "7no2B1", "8B1"} <= set(board.index)
    assert board.is_at_edge("8E2")


@settings(max_examples=150)
@given(data=st.data())
def test_any_damage_is_rejected_or_read(data: st.DataObject) -> None:
    """A save with bytes changed, cut out or put in is read or rejected, and nothing else."""
    game = Game().stack(60, 60, men("ge", "4-6-7 1sq", layer("broken +", level=-1)), question("ge"))
    text = bytearray(game.text().encode())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    with TemporaryDirectory() as folder:
        path = pack(Path(folder) / "game.vsav", {"savedGame": obfuscated(bytes(text))})
        with suppress(BadInputError):
            read_table(read_save(path), None)


@needs_saves
@pytest.mark.parametrize(
    ("name", "version", "boards"),
    [("basic", "6.4.4", 0), ("full", "6.5.0", 1), ("hip-concealed", "6.4.3", 0), ("hill-621", "6.5.1", 3)],
)  # fmt: skip
def test_real_saves(name: str, version: str, boards: int) -> None:
    """Real saves are read whole: module, boards, and every piece once."""
    save = read_save(SAVES / f"{name}.vsav")
    found = read_table(save, BOARDS)
    pieces = [piece.id for stack in found.stacks for piece in stack.pieces]
    kinds = [command.split("/")[2] for command in save.commands if command.startswith("+/")]

    assert (save.module, save.version) == ("VASL", version)
    assert sum(map(len, found.boards)) == boards
    assert len(set(pieces)) == len(pieces) == sum(kind != "stack" for kind in kinds)


@needs_saves
def test_a_real_saves_places() -> None:
    """The counters of a real save lie on the hexes that VASL shows."""
    found = read_table(read_save(SAVES / "full.vsav"), BOARDS)
    placed = {stack.at: stack.pieces[0].name for stack in found.stacks if stack.at}

    assert placed == {
        "C2": "6-4-8 Esq", "D2": "LMG", "E2": '81* MTR OML 3.2"', "F2": "Churchill Crocodile",
    }  # fmt: skip
