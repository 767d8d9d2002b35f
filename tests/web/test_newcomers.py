"""What newcomers met on the page: files that fit together, and what the text mode says of the other player."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_sides import SCENE
from tests.web.test_text import ask, opened
from tests.web.test_two_players import server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.web.table import Table
    from tests.web.test_two_players import Server

    Sit = Callable[..., Table]

__all__ = ["server"]

pytestmark = pytest.mark.slow


def saved(table: Table, button: str, folder: Path) -> Path:
    """Save a file of the menu More…, and return it under the name that the page gave it."""
    table.page.click("#more")
    with table.page.expect_download() as waiting:
        table.page.click(button)
    path = folder / str(waiting.value.suggested_filename)
    waiting.value.save_as(path)
    table.page.click("#menu >> text=Close")
    return path


def test_the_scene_and_the_log_fit_together(sit: Sit, tmp_path: Path) -> None:
    """The scene at the start, and then the log from the start, give the position that was saved; with the scene now the page asks first."""
    table = sit()
    table.page.goto(table.address)
    (tmp_path / "game.json").write_text(json.dumps(SCENE))
    table.page.set_input_files("#scene-file", tmp_path / "game.json")
    table.ready()
    table.choose("sq")
    table.aim("M7")
    table.do()
    table.rest()
    files = [
        saved(table, button, tmp_path)
        for button in ("#save-scene-start", "#save-scene-now", "#save-log")
    ]
    start, now, log = files
    assert [one.name.partition("-")[2] for one in files] == [
        "scene-at-the-start.json",
        "scene-now.json",
        "log-from-the-start.json",
    ]
    for scene, fits in ((start, True), (now, False)):
        table.page.goto(table.address)
        table.page.set_input_files("#scene-file", scene)
        table.ready()
        table.page.click("#more")
        table.page.set_input_files("#log-file", log)
        if fits:
            table.page.wait_for_selector('#said:has-text("1 entry played.")')
            assert table.at("sq") == "M7"
        else:
            table.page.wait_for_selector(
                '#menu [role="status"]:has-text("1 of 1 entry is not legal from here")'
            )
            table.page.click("#play-illegal")
            table.page.wait_for_selector('#said:has-text("1 entry played, 1 not legal.")')
    table.page.goto(table.address)
    table.page.set_input_files("#scene-file", log)
    table.page.wait_for_selector('#fault:has-text("is a log: begin a game with its scene")')


def test_the_text_mode_says_what_the_other_player_does(browser: Any, server: Server) -> None:
    """Who is asked to take back sees it in the text, and what was taken back; the answer reaches the other."""
    game = server.ask("/api/games", {"scene": SCENE})["game"]
    german = opened(server.sit(browser, "german", game))
    russian = opened(server.sit(browser, "russian", game))
    said = "(words) => [...document.querySelectorAll('.answer')].some((one) => one.textContent.includes(words))"
    ask(german, "move sq M7!")
    russian.page.wait_for_function(said, arg="Played: sq: Enter M7.")
    assert "is asked to take back" in ask(german, "undo")
    russian.page.wait_for_function(said, arg="german asks to take back: sq: Enter M7.")
    ask(russian, "refuse")
    german.page.wait_for_function(said, arg="russian does not agree: what was played stays.")
    ask(german, "undo")
    russian.page.wait_for_selector("#asked:not([hidden])")
    assert "Taken back: sq: Enter M7." in ask(russian, "undo")
    german.page.wait_for_function(
        said, arg="The other side agreed: what was played last is taken back."
    )


def test_the_text_mode_says_when_no_unit_can_act(sit: Sit, tmp_path: Path) -> None:
    """In a phase in which units can act it says whose."""
    table = sit()
    table.page.goto(table.address)
    (tmp_path / "game.json").write_text(json.dumps(SCENE))
    table.page.set_input_files("#scene-file", tmp_path / "game.json")
    table.ready()
    opened(table)
    assert "Units of german can act." in str(table.page.locator(".answer").first.inner_text())
    ask(table, "end")
    assert "No unit can act in this phase." in ask(table, "yes")
