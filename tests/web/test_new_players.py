"""Problems of two players new to the page: a Convoy, hidden Wire, a desktop and a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.files.scenes import load_scene, scene_data
from tests.web.conftest import EXAMPLES
from tests.web.test_four_turns import DESKTOP, PHONE, UNITS
from tests.web.test_two_players import server

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table
    from tests.web.test_two_players import Server

    Sit = Callable[..., Table]

__all__ = ["server"]

pytestmark = pytest.mark.slow

WIRE = {"kind": "wire", "at": "J4", "hidden": "russian"}


def convoy(server: Server, *counters: dict[str, str]) -> str:
    """Begin a game with a Convoy and those who wait for it; return its id."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    given = scene_data(scene.position, name=scene.name)
    units = [*given["units"], *UNITS]
    asked = {"scene": {**given, "units": units, "counters": list(counters)}}
    return str(server.ask("/api/games", asked)["game"])


def test_a_convoy_runs_into_hidden_wire(browser: Any, server: Server) -> None:
    """It is played up to the Wire, which is named; the roll is due, and the other player reads where it came to."""
    game = convoy(server, WIRE)
    german = server.sit(browser, "german", game, **DESKTOP)
    russian = server.sit(browser, "russian", game, **PHONE)
    german.page.click('[data-pick="lead"]')
    german.page.wait_for_selector('.card h2:has-text("lead") .left')
    german.page.mouse.move(*german.middle("L5"))
    german.page.wait_for_selector("#ways polyline.way")  # the way is drawn before it is chosen
    assert "lead and those after it to L5" in german.aim("L5")
    german.page.click("#do-it")
    german.page.wait_for_selector("#roll")
    assert german.said() == "The move stops here. Your side did not see wire in J4."
    assert german.at("lead") == "J4"
    russian.page.wait_for_selector('#said:has-text("Played: lead and those after it to J4.")')
    german.page.locator("#roll .odds button", has_text="mobile").click()
    russian.page.wait_for_selector('#said:has-text("Played: Roll for lead, bog: mobile.")')
    german.rest()
    assert german.log()[-1] == "settle bog:lead mobile"
    assert german.page.inner_text("ol.log .now button") == "Roll for lead, bog: mobile"
    assert german.faults == russian.faults == []


def test_what_a_side_cannot_do_is_not_offered(browser: Any, server: Server) -> None:
    """It has no redo and cannot play on from an earlier step; its game is first on the start page."""
    game = convoy(server)
    german = server.sit(browser, "german", game, **PHONE)
    assert german.page.is_disabled("#undo"), "nothing has been played"
    assert not german.page.is_visible("#redo")
    bar = german.page.locator("header.bar").bounding_box()
    assert bar["height"] < 100, "two rows"
    server.ask(f"/api/games/{game}/log", {"log": ["enter sq E4"]})
    german.page.wait_for_selector('.unit[data-unit="sq"][data-at="E4"]')
    german.rest()
    german.page.tap("#tab-log")
    german.page.tap("#replay")
    german.page.wait_for_selector("#to-game")
    assert german.page.locator("#fork").count() == 0
    german.page.goto(german.address)
    assert german.page.locator("h2").first.inner_text() == "Games"
    assert german.page.locator("#games a").count() == 1
    assert german.faults == []


def test_a_move_is_taken_back_by_consent(browser: Any, server: Server) -> None:
    """One player asks, the other declines or agrees at a button; a move meanwhile cancels the request."""
    game = convoy(server)
    german = server.sit(browser, "german", game, **DESKTOP)
    russian = server.sit(browser, "russian", game, **PHONE)

    def play(at: str) -> None:
        server.ask(f"/api/games/{game}/log", {"log": [f"enter sq {at}"]})
        for one in (german, russian):
            one.page.wait_for_selector(f'.unit[data-unit="sq"][data-at="{at}"]')
            one.rest()

    play("E4")
    german.page.click("#undo")
    german.page.wait_for_selector('#said:has-text("The other side is asked to take back")')
    russian.page.wait_for_selector('#asked:has-text("german asks to take back")')
    assert not german.page.is_visible("#agree")
    german.page.wait_for_selector('#asked:has-text("You ask to take back")')
    assert russian.page.locator("#agree").bounding_box()["height"] >= 44
    russian.page.tap("#refuse")
    for one in (german, russian):
        one.page.wait_for_selector("#asked", state="hidden")
    german.page.wait_for_selector(
        '#said:has-text("russian does not agree: what was played stays.")'
    )
    german.page.click("#undo")
    russian.page.wait_for_selector("#agree")
    german.page.click("#refuse")
    russian.page.wait_for_selector("#asked", state="hidden")
    german.page.click("#undo")
    russian.page.wait_for_selector("#agree")
    play("D3")
    russian.page.wait_for_selector("#asked", state="hidden")
    german.page.keyboard.press("Control+z")
    russian.page.tap("#agree")
    for one in (german, russian):
        one.page.wait_for_selector('.unit[data-unit="sq"][data-at="E4"]')
        one.rest()
    german.page.wait_for_selector(
        '#said:has-text("The other side agreed: what was played last is taken back.")'
    )
    play("D3")
    german.page.click("#undo")
    russian.page.wait_for_selector('#asked:has-text("german asks to take back: sq: Enter D3")')
    russian.page.keyboard.press("[")  # who looks back can agree, too
    russian.page.wait_for_selector("#to-game")
    assert not russian.page.title().startswith("●")
    russian.page.tap("#agree")
    for one in (german, russian):
        one.page.wait_for_selector('.unit[data-unit="sq"][data-at="E4"]')
    russian.page.wait_for_selector("#to-game", state="hidden")
    assert german.faults == russian.faults == []


def test_a_double_click_plays_nothing(sit: Sit) -> None:
    """A second click on the hex plays the proposal; one of a double click does not."""
    table = sit().open("bridge")
    table.choose("sq")
    table.page.evaluate("() => { performance.now = () => 5; }")
    table.aim("N6")
    table.page.mouse.click(*table.middle("N6"))
    table.page.wait_for_timeout(300)
    assert table.page.is_visible("#do-it")
    table.page.evaluate("() => { performance.now = () => 5000; }")
    table.page.mouse.click(*table.middle("N6"))
    table.page.wait_for_selector("#proposal", state="detached")
    table.rest()
    assert table.at("sq") == "N6"


def test_why_a_unit_can_do_nothing(sit: Sit) -> None:
    """A unit without actions says so with the clause, as does a refusal on the map."""
    table = sit().open("bridge")
    table.choose("sq")
    table.act("End its move")
    table.do()
    table.page.wait_for_selector("#idle")
    assert "It can do only what is listed: its MPh is over" in table.page.inner_text("#idle")
    assert table.said() == "sq: Its MPh is over (A4.2a)"
