"""Logs of a game by mail on the page: judged, and replayed step by step."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.answers.referee import referee_answer
from marchtable.errors import BadInputError
from marchtable.files.recorded import judge_files
from marchtable.rules.refereeing import GameFile
from marchtable.service.positions import Positions
from marchtable.service.settings import Library, library_of
from marchtable.web.refereed import judged
from tests.vasl.forge import Forge
from tests.vasl.logs import Recorder, men, phase_track, question, vehicle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.web.table import Table

    Sit = Callable[..., Table]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log: a tank drives on, a squad walks too far, a concealed one goes; beside it its board."""
    Forge(9, 9).write(tmp_path / "bd01")
    rec = Recorder("0\t0\t01")
    tank, squad, veiled = (
        vehicle("ge", "PzKpfw IVH", vca=4),
        men("ge", "4-6-7 1sq"),
        men("ge", "5-4-8 Esq"),
    )
    rec.place((60, 60), phase_track())
    rec.place("C2", tank)
    rec.place("B2", squad)
    rec.place("F3", veiled, mask := question("ge", "hunter2"))
    rec.place("H8", men("ru", "4-4-7 1sq"))
    rec.begin().drag(tank, to="C3")
    for at in ("B3", "B4", "B5", "B6", "B7"):
        rec.drag(squad, to=at)
    rec.drag(veiled, mask, to="F4")
    return rec.write(tmp_path / "game.vlog")


def upload(path: Path) -> dict[str, Any]:
    """Return a file as uploaded."""
    return {"name": path.name, "data": base64.b64encode(path.read_bytes()).decode()}


def test_logs_are_judged_for_the_page(log: Path) -> None:
    """The page gets the command's answer, and each board that its phases name."""
    here = log.parent
    direct = referee_answer(judge_files([log], here, GameFile()))
    found = judged(Positions(library_of(folder=here)), files=[upload(log)])
    sent = judged(Positions(Library()), files=[upload(log), upload(here / "bd01")])
    assert found == sent
    assert found["answer"] == direct
    assert [one["board"] for one in found["grounds"]] == [one["board"] for one in direct["phases"]]
    assert 'data-at="C3"' in found["grounds"][0]["svg"]
    assert set(found["sides"]) == {"german", "russian"}
    assert "5-4-8" not in json.dumps(found)
    assert "5-4-8" in json.dumps(
        judged(Positions(Library()), files=[upload(log), upload(here / "bd01")], viewer="german")
    )


def test_a_game_file_is_sent_along(log: Path) -> None:
    """The page takes one game file; files without a log are rejected."""
    game = log.parent / "game.toml"
    game.write_text('format = "marchtable/game-file/1"\naccept = [6]\n', "utf-8")
    files = [upload(log), upload(log.parent / "bd01")]
    found = judged(Positions(Library()), files=[*files, upload(game)])
    assert (
        found["answer"]["status"] != judged(Positions(Library()), files=files)["answer"]["status"]
    )
    with pytest.raises(BadInputError, match="expected the logs"):
        judged(Positions(Library()), files=files[1:])


@pytest.mark.slow
def test_a_log_is_replayed(sit: Sit, log: Path) -> None:
    """The page lists the verdicts; a click on one shows its way; the timeline steps through the game."""
    table = sit()
    page = table.page
    page.goto(table.address)
    page.click("text=The referee")
    page.set_input_files("#logs", [log, log.parent / "bd01"])
    page.wait_for_selector("#board")
    assert page.inner_text("#verdict") == "ILLEGAL"
    assert "Step 0 of 7" in page.inner_text("#replay-step")
    assert page.locator('.unit[data-at="C2"]').count() == 1
    page.click("#replay-on")
    page.wait_for_selector('.unit[data-at="C3"]')
    assert "game.vlog step 1" in page.inner_text("#replay-step")
    assert table.accessible() == []
    page.click('button:has-text("ILLEGAL")')
    page.wait_for_selector('.unit[data-at="B7"]')
    assert "A4.11b" in page.inner_text("#report")
    assert page.locator("#ways .route.barred").count() > 0
    page.fill("#replay-line", "7")
    page.wait_for_selector('.unit[data-unit="?"][data-at="F4"]')
    assert "5-4-8" not in page.content()
    page.select_option("#eyes", "german")
    page.wait_for_selector('.unit[aria-label*="5-4-8"]')
