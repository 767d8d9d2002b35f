"""The board room, hex inspection, and boards drawn as SVG by the picture painters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from marchtable.board.board import Board, Hexside, Location
from marchtable.files.scenes import load_scene
from marchtable.picture.style import load_styles
from marchtable.web.drawing import board_picture, described, pieces_picture
from marchtable.web.hexes import tolls

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.web.table import Table

    Sit = Callable[..., Table]

GRID = """
format = "marchtable/grid/1"
name = "ford"
rows = [". w .", ". . s"]
"""


@pytest.mark.slow
def test_a_hex_is_inspected(sit: Sit) -> None:
    """A click on a hex with no unit chosen shows its terrain and hexsides, and each unit's cost."""
    table = sit().open("bridge")
    table.page.mouse.click(*table.middle("O7"))
    table.page.wait_for_selector(".hexcard")
    assert "Stone building (2 levels), stairway" in table.page.inner_text(".hexcard")
    table.page.click("#ask-tolls")
    table.page.wait_for_selector("#tolls")
    rows = [
        " ".join(text.split()) for text in table.page.locator("#tolls tbody tr").all_inner_texts()
    ]
    assert len(rows) == 3
    assert "truck" in rows[0]
    assert " no " in rows[0]
    assert "2 MF 2 Stone building B23-stone" in rows[1]
    assert table.accessible() == []


@pytest.mark.slow
def test_boards_are_taken_in_and_turned(sit: Sit, tmp_path: Path) -> None:
    """A board from a file and one of the library are laid down, reversed and inspected."""
    table = sit()
    (tmp_path / "ford.toml").write_text(GRID)
    table.page.goto(f"{table.address}/boards")
    table.page.set_input_files("#board-file", tmp_path / "ford.toml")
    table.page.wait_for_selector("#board")
    assert table.page.inner_text("#laid") == "ford · 6 hexes"
    assert table.accessible() == []
    assert table.hex("B1").get_attribute("aria-label") == "B1, Woods, level 0"
    table.page.mouse.click(*table.middle("B1"))
    assert "Woods" in table.page.inner_text(".hexcard")
    table.page.click('#room-tolls button:has-text("asl")')
    table.page.wait_for_selector("#tolls")
    assert "2 MF 2 Woods" in " ".join(table.page.inner_text("#tolls").split())
    assert table.accessible() == []
    before = table.middle("A1")
    table.page.click("#rows input")
    table.page.wait_for_function(
        "x => document.querySelector('.hex[data-at=\"A1\"]').getBoundingClientRect().x > x + 50",
        arg=before[0],
    )
    table.page.click('button[aria-label="Take ford away"]')
    table.page.wait_for_selector("#board", state="detached")
    table.page.select_option("#known", "own-board")
    table.page.click("#add")
    table.page.wait_for_selector('#laid:has-text("the bridge over the gully · 48 hexes")')


@pytest.mark.slow
def test_answers_come_in_their_order(sit: Sit, tmp_path: Path) -> None:
    """The last layout requested is shown, whichever answer is late; a rejected unit removes none."""
    table = sit()
    (tmp_path / "ford.toml").write_text(GRID)
    table.page.goto(f"{table.address}/boards")
    held: list[Any] = []
    table.page.route(
        "**/boards/laid", lambda route: route.continue_() if held else held.append(route)
    )
    table.page.set_input_files("#board-file", tmp_path / "ford.toml")
    table.page.wait_for_selector("#rows li")
    table.page.wait_for_timeout(100)
    table.page.locator("#rows input[type=checkbox]").check()
    table.page.wait_for_selector("#board")
    turned = table.page.inner_html("#stage")
    held[0].continue_()
    table.page.wait_for_timeout(300)
    assert table.page.inner_html("#stage") == turned
    table.is_deaf = True  # the browser reports the error
    table.page.click("#begin-set-up")
    table.page.fill("#set-type", "squad")
    table.page.fill("#set-more", "nosuch")
    table.page.keyboard.press("Tab")
    table.page.mouse.click(*table.middle("A1"))
    table.page.fill("#set-more", "status.broken")
    table.page.keyboard.press("Tab")
    table.page.mouse.click(*table.middle("B1"))
    table.page.wait_for_selector("#set-units li")
    table.rest()
    assert table.page.locator("#set-units li").count() == 1
    assert table.page.locator("#set-units li input").input_value() == "status.broken"
    table.page.fill("#set-type", "wire")
    table.page.fill("#set-more", "hidden")
    table.page.keyboard.press("Tab")
    table.page.mouse.click(*table.middle("C2"))
    table.page.wait_for_selector("#set-counters li")
    table.rest()
    assert "wire in C2, hidden by german" in table.page.inner_text("#set-counters")
    assert table.page.locator("#links .thing").count() == 1
    table.page.fill("#set-more", "until=nosuch")
    table.page.keyboard.press("Tab")
    table.page.mouse.click(*table.middle("C1"))
    table.page.wait_for_selector("#fault:not(:empty)")
    table.rest()
    assert table.page.locator("#set-counters li, #set-units li").count() == 2
    table.page.click('button[aria-label="Take wire in C2 away"]')
    table.page.wait_for_selector("#set-counters", state="detached")
    table.is_deaf = False
    table.rest()
    table.page.click("#play-set-up")
    table.ready()
    table.page.go_back()
    table.page.wait_for_selector("#set-units li")
    assert table.page.locator("#set-units li input").input_value() == "status.broken"
    assert table.page.locator("#rows li").count() == 1


@pytest.mark.slow
def test_real_boards_are_joined(sit: Sit, boards: Path) -> None:
    """Two VASL archives from files are laid in two rows; the page stays responsive."""
    table = sit()
    table.page.goto(f"{table.address}/boards")
    table.page.set_input_files("#board-file", [boards / "bd01", boards / "bd03"])
    table.page.wait_for_selector('#laid:has-text("1+3 · 682 hexes")')
    table.page.locator('button[aria-label$="to the next row"]').last.click()
    table.page.wait_for_selector('#laid:has-text("1/3 · 676 hexes")')
    table.page.mouse.click(*table.middle("1J6"))
    assert "Open Ground, Paved Road" in table.page.inner_text(".hexcard")


@pytest.mark.slow
def test_what_is_no_board_is_rejected(sit: Sit, tmp_path: Path) -> None:
    """A file without a board is rejected with its name and what was expected."""
    table = sit()
    (tmp_path / "no.toml").write_text("a = 1")
    table.page.goto(f"{table.address}/boards")
    table.page.set_input_files("#board-file", tmp_path / "no.toml")
    table.page.wait_for_selector("#fault:not(:empty)")
    assert table.page.inner_text("#fault").startswith("no.toml: ")
    assert len(table.faults) == 1
    assert "400" in table.faults.pop()


def test_each_hex_is_a_group() -> None:
    """A board's SVG holds a group for each hex, with its Locations, and layers for the page."""
    root = ET.fromstring(board_picture(load_scene("docs/examples/bridge.toml").position.board))
    hexes = [one for one in root.iter() if one.get("class") == "hex"]
    board = load_scene("docs/examples/bridge.toml").position.board
    assert {name for one in hexes for name in one.attrib["data-all"].split()} == {
        one.name for one in board.locations
    }
    assert all(one.get("aria-label") and one.get("role") == "button" for one in hexes)
    layers = {one.get("id") for one in root.iter()}
    assert {"shades", "ways", "links", "units", "marks"} <= layers


def test_unknown_terrain_is_hatched() -> None:
    """Terrain without a style is hatched in the page's pictures too."""
    board = Board("one", [Location("A1", "A1", 0, 1, terrain="Quicksilver")], [])
    assert "<pattern " in board_picture(board)


def test_counters_have_the_colours_of_pictures() -> None:
    """The first side alphabetically has the first colors of the style file, as in pictures."""
    position = load_scene("docs/examples/bridge.toml").position
    units, _ = pieces_picture(position)
    root = ET.fromstring(f"<g>{units}</g>")
    fills = {
        one.attrib["data-unit"]: {path.get("fill") for path in one.iter("path")} for one in root
    }
    german, russian = load_styles().counters[:2]
    assert german.fill in fills["truck"]
    assert russian.fill in fills["wreck"]
    assert list(fills) == ["truck", "wreck", "sq", "ldr"]  # the small ones of stacks last, above


def test_a_location_in_words() -> None:
    """Hexside terrain is listed with its directions."""
    sides = ((0, Hexside(terrain="Wall")), (2, Hexside(road="Dirt Road")))
    board = Board("one", [Location("A1", "A1", 0, 1, terrain="Woods", rim=sides)], [])
    assert described(board, "A1") == "A1, Woods, level 0, Wall N, Dirt Road SE"


@pytest.mark.slow
def test_tolls_are_the_referees() -> None:
    """A squad's entry costs equal its reach, over a wall more than elsewhere."""
    scene = load_scene("docs/examples/bridge.toml")
    squad = {one["from"]: one for one in tolls(scene, at="M7") if one["unit"] == "sq"}
    assert squad["N7"]["cost"] == 3
    assert squad["L7"]["cost"] == 2
    assert [charge["clause"] for charge in squad["N7"]["charges"]] == ["B23-wood", "B9-wall"]
