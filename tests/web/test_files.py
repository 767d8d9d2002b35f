"""Your own saved games and boards become games; games have names, are judged whole and deleted."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.errors import BadInputError
from marchtable.service.positions import Positions
from marchtable.service.settings import Library, library_of
from marchtable.web.boardroom import offered
from marchtable.web.savedgames import scene_taken_in, taken_in
from tests.vasl.forge import Forge
from tests.vasl.saves import Game, men, pixel, vehicle
from tests.web.conftest import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.web.table import Table

    Sit = Callable[..., Table]

GRID = """
format = "marchtable/grid/1"
name = "ford"
rows = [". w .", ". . s", ". . ."]
"""

SCENE = """
format = "marchtable/scene/2"
rulebook = "asl"
board = "{board}"
side = "german"
phase = "MPh"
units = []
"""


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A saved game of a squad and a truck, and beside it the archive of its board."""
    Forge(5, 4).write(tmp_path / "bd07")
    game = Game("0\t0\t07\tVER\t1.0")
    game.stack(*pixel(1, 2), men("ge", "4-6-7 1sq"))
    game.stack(*pixel(3, 2), vehicle("ge", "Opel 6700"))
    return game.write(tmp_path / "village.vsav")


def upload(path: Path, name: str = "") -> dict[str, Any]:
    """Return a file as uploaded."""
    return {"name": name or path.name, "data": base64.b64encode(path.read_bytes()).decode()}


def rejection(files: list[dict[str, Any]], library: Library | None = None) -> str:
    """Return the message that rejects files."""
    with pytest.raises(BadInputError) as caught:
        taken_in(Positions(library or Library()), files=files)
    return str(caught.value)


def test_a_saved_game_becomes_a_scene(saved: Path) -> None:
    """Its boards are the library's or uploaded; a missing one is requested, without naming an option."""
    library = library_of(folder=saved.parent)
    from_library = taken_in(Positions(library), files=[upload(saved)])
    both = [upload(saved), upload(saved.parent / "bd07")]
    assert taken_in(Positions(Library()), files=both) == from_library
    scene = Positions(Library()).scene(from_library["scene"])
    assert [(unit.id, unit.at) for unit in scene.position.units] == [
        ("ge_467_1", "B2"), ("ge_opel6700bl_1", "D2"),
    ]  # fmt: skip
    assert scene.name == "village"
    assert "--" not in "".join(from_library["lines"])
    called = upload(saved, "Hügel 621 [zwei].vsav")
    assert taken_in(Positions(library), files=[called])["scene"]["name"] == "Hügel 621 [zwei]"
    other = taken_in(Positions(library), files=[upload(saved)], mover="german", phase="APh")
    assert (other["scene"]["side"], other["scene"]["phase"]) == ("german", "APh")


def test_a_scene_and_its_board_come_together(tmp_path: Path) -> None:
    """A scene's board comes from the files chosen with it, and from no other file of this machine."""
    (tmp_path / "ford.toml").write_text(GRID)
    scene = tmp_path / "crossing.toml"
    scene.write_text(SCENE.format(board="ford.toml"))
    both = [upload(scene), upload(tmp_path / "ford.toml")]
    found = scene_taken_in(Positions(Library()), files=both)
    assert found["name"] == "crossing"
    assert found["scene"]["board"]["name"] == "ford"
    assert Positions(Library()).scene(found["scene"]).position.board.name == "ford"
    scene.write_text(SCENE.format(board=tmp_path / "ford.toml"))
    both[0] = upload(scene)
    with pytest.raises(BadInputError, match=r"crossing.toml.*board"):
        scene_taken_in(Positions(Library()), files=both)
    with pytest.raises(BadInputError, match="expected one scene"):
        scene_taken_in(Positions(Library()), files=both[1:])


def test_what_is_no_saved_game_is_rejected(saved: Path) -> None:
    """Names that lead elsewhere, damage, no save or two, and unknown boards: one line each."""
    board, save = upload(saved.parent / "bd07"), upload(saved)
    cut = {**save, "data": base64.b64encode(saved.read_bytes()[:-40]).decode()}
    assert "no bd07 among the boards given" in rejection([save])
    assert "expected one saved game" in rejection([board])
    assert "expected one saved game" in rejection([save, upload(saved, "b.vsav"), board])
    assert "village.vsav: expected a saved game: not a ZIP archive" in rejection([cut, board])
    assert "base64" in rejection([{**save, "data": "%"}, board])
    for name in (
        "../x.vsav",
        "/etc/x.vsav",
        ".vsav",
        "a/b.vsav",
        "x\0.vsav",
        "C:x.vsav",
        "a" * 200,
    ):
        assert "expected a plain file name" in rejection([{**save, "name": name}, board])
    library = Library(boards={"bd07": str(saved.parent / "gone")})
    assert str(saved.parent) not in rejection([save], library)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
def test_a_saved_game_is_played(sit: Sit, saved: Path, width: int, theme: str) -> None:
    """A saved game and its board are chosen together, and played as typed, even by a click right after."""
    table = sit(width, 800, theme)
    table.page.goto(table.address)
    table.is_deaf = True  # the browser reports the error
    table.page.set_input_files("#scene-file", saved)
    table.page.wait_for_selector("#fault:not(:empty)")
    table.is_deaf = False
    assert "no bd07 among the boards given" in table.page.inner_text("#fault")
    table.page.set_input_files("#scene-file", [saved, saved.parent / "bd07"])
    table.page.wait_for_selector("#taken-in")
    assert "2 units on the map" in table.page.inner_text("#taken-in")
    table.page.click("#taken-in summary")
    assert "the save does not state whose turn it is" in table.page.inner_text("#taken-in")
    assert table.accessible() == []
    table.page.get_by_label("Phase").fill("APh")
    table.page.click("#play-save")
    table.ready()
    assert table.page.inner_text("h1") == "village"
    assert table.page.inner_text("#turn").startswith("german · APh")
    assert table.at("ge_467_1") == "B2"


@pytest.mark.slow
def test_units_of_the_tray_are_placed(sit: Sit, tmp_path: Path) -> None:
    """A unit beside the boards, and a counter without a type, are set by hand; a wrong hex changes nothing."""
    Forge(5, 4).write(tmp_path / "bd07")
    game = Game("0\t0\t07\tVER\t1.0")
    game.stack(*pixel(1, 2), men("ge", "4-6-7 1sq"), vehicle("ge", "Homebrew Panzer"))
    game.stack(60, 500, vehicle("ge", "Opel 6700"))
    saved = game.write(tmp_path / "village.vsav")
    table = sit()
    page = table.page
    page.goto(table.address)
    page.set_input_files("#scene-file", [saved, tmp_path / "bd07"])
    page.wait_for_selector("#tray")
    table.is_deaf = True  # the browser reports the error
    page.locator("#tray input").fill("Z99")
    page.keyboard.press("Tab")
    page.wait_for_selector("#fault:not(:empty)")
    page.wait_for_timeout(200)
    table.is_deaf = False
    page.locator("#tray input").fill("D2")
    page.keyboard.press("Tab")
    page.wait_for_selector("#tray", state="detached")
    page.locator("#strange input").fill("german PzKpfw IVH")
    page.keyboard.press("Tab")
    page.wait_for_selector("#strange", state="detached")
    page.fill("#set-field", "ge_opel6700bl_1.facing=E")
    page.keyboard.press("Tab")
    page.wait_for_function("() => document.querySelector('#set-field')?.value === ''")
    page.click("#play-save")
    table.ready()
    assert table.at("ge_opel6700bl_1") == "D2"


@pytest.mark.slow
def test_a_board_by_hand_is_played_on(sit: Sit, tmp_path: Path) -> None:
    """In the board room units are put on a board in any state, except one the rules reject."""
    table = sit()
    (tmp_path / "ford.toml").write_text(GRID)
    table.page.goto(f"{table.address}/boards")
    table.page.set_input_files("#board-file", tmp_path / "ford.toml")
    table.page.wait_for_selector("#board")
    table.page.click("#begin-set-up")
    table.page.fill("#set-type", "4-6-7")
    table.page.mouse.click(*table.middle("A1"))
    table.page.wait_for_selector('.unit[data-unit="4-6-7-1"][data-at="A1"]')
    assert table.accessible() == []
    table.page.fill("#set-type", "Opel 6700")
    table.is_deaf = True  # the browser reports the missing facing, which is then set
    table.page.mouse.click(*table.middle("A2"))
    table.page.wait_for_selector("#set-units li:nth-child(2)")
    table.is_deaf = False
    assert table.page.inner_text("#fault") == ""
    table.page.click("#stop-placing")
    table.page.locator('.unit[data-unit="opel-6700-1"]').click()
    table.page.click("#face-SSW")
    table.rest()
    assert table.page.input_value('input[aria-label^="opel-6700-1:"]') == "facing=SSW"
    assert table.accessible() == []
    table.page.fill("#set-type", "4-6-77")
    table.is_deaf = True
    table.page.mouse.click(*table.middle("A2"))
    table.page.wait_for_selector('#fault:has-text("type")')
    table.is_deaf = False
    found = "4-6-77-1 in A2: no unit type '4-6-77'; nearest: '4-6-7' (type)"
    assert table.page.inner_text("#fault") == found
    table.page.fill('input[aria-label^="4-6-7-1:"]', "pinned")
    table.page.keyboard.press("Tab")
    table.rest()
    table.page.click("#play-set-up")
    table.ready()
    assert table.page.inner_text("h1") == "Board ford"
    table.choose("4-6-7-1")
    card = table.page.inner_text("#panel .card")
    assert "german · 4-6-7 · at A1" in card
    assert "PIN pinned" in card
    table.choose("opel-6700-1")
    table.page.click('summary:has-text("Details")')
    assert "facing SSW" in table.page.inner_text("#state")
    table.act("start")
    table.do()
    assert table.log() == ["start opel-6700-1"]


@pytest.mark.slow
def test_a_scene_without_a_name_has_its_files(sit: Sit, tmp_path: Path) -> None:
    """A game of an unnamed scene has its file's name; it can be deleted after confirmation."""
    scene = tmp_path / "crossing.toml"
    lines = (EXAMPLES / "bridge.toml").read_text().splitlines()
    scene.write_text("\n".join(line for line in lines if not line.startswith("name =")))
    table = sit()
    table.page.goto(table.address)
    table.page.set_input_files("#scene-file", scene)
    table.ready()
    assert table.page.inner_text("h1") == "crossing"
    table.page.goto(table.address)
    games = table.page.locator('#games a:has-text("crossing")')
    assert games.count() == 1
    table.page.once("dialog", lambda asked: asked.dismiss())
    table.page.click('button[aria-label="Delete crossing"]')
    assert games.count() == 1
    table.page.once("dialog", lambda asked: asked.accept())
    table.page.click('button[aria-label="Delete crossing"]')
    games.wait_for(state="detached")
    table.page.reload()
    assert games.count() == 0


@pytest.mark.slow
def test_a_log_is_judged_whole(sit: Sit) -> None:
    """The whole log is legal and leaves slack; with a what-if in it, the first fault is named."""
    table = sit().open("bridge")
    table.choose("ldr")
    table.aim("N6")
    table.do()
    table.page.click("#tab-log")
    table.page.click("#why-log")
    table.page.wait_for_selector("#log-judged")
    assert table.page.inner_text("#log-judged").startswith("Every step is legal")
    table.choose("sq")
    table.aim("K7")
    table.do("#what-if")
    table.page.click("#tab-log")
    assert table.page.locator("#log-judged").count() == 0, "it was of another log"
    table.page.click("#why-log")
    table.page.wait_for_selector("#log-judged.bad")
    found = table.page.inner_text("#log-judged")
    assert "A step is not legal" in found
    assert "The first one: " in found
    assert "sq: Enter K7" in found
    assert "A4.11b" in found
    assert table.accessible() == []


def test_the_board_room_offers_each_board_once(tmp_path: Path) -> None:
    """A board that scenes name by a path, and one with a suffix, are listed by their shortest names."""
    folder = tmp_path / "vasl"
    folder.mkdir()
    Forge(5, 4).write(folder / "bd07")
    (folder / "ford.toml").write_text('format = "marchtable/grid/1"\nname = "f"\nrows = [". ."]\n')
    (folder / "bd08").write_text("no board")
    (folder / "s.toml").write_text(
        'format = "marchtable/scene/2"\nboard = "../vasl/bd07 r"\nunits = []\n'
    )
    boards = library_of(folder=folder).boards

    assert {"bd07", "../vasl/bd07", "ford", "ford.toml"} <= set(boards)
    assert offered(boards) == ["bd07", "ford"]
