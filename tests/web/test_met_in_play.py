"""What players met in whole games: Overruns at the end of a long way, reloads, the focus, looking back meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_dialogs import BOG
from tests.web.test_new_players import convoy
from tests.web.test_sides import SCENE
from tests.web.test_two_players import server
from tests.web.test_whole_moves import SQUAD, begun, wood

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table
    from tests.web.test_two_players import Server

    Sit = Callable[..., Table]

__all__ = ["server", "wood"]

pytestmark = pytest.mark.slow

TANK = {
    "id": "tank",
    "side": "german",
    "type": "PzKpfw IIA",
    "at": "A3",
    "facing": "E",
    "moving": True,
}
FOE = {**SQUAD, "id": "foe", "side": "russian", "nationality": "russian", "at": "D4"}


def test_an_overrun_at_the_end_of_a_long_way(sit: Sit, wood: dict[str, Any]) -> None:
    """An enemy's hex three hexes off: the way names the Overrun as its last step."""
    table = begun(sit(), {**wood, "units": [TANK, FOE]})
    table.choose("tank")
    table.page.mouse.click(*table.middle("D4"))  # its counter
    table.page.get_by_role("button", name="Send tank to D4 instead").click()
    said = table.proposal()
    table.page.locator("#proposal summary", has_text="In another way").click()
    table.page.locator("#proposal button.act", has_text="overrun").first.click()
    assert "overrun" in table.proposal().lower(), said
    table.do()
    assert "overrun=true" in table.log()[-1]


def test_what_is_due_is_asked_again_after_a_reload(browser: Any, server: Server) -> None:
    """The dialog opens again on the page of who rolls, and on no other."""
    game = convoy(server, {"kind": "wire", "at": "J4"})
    german = server.sit(browser, "german", game)
    german.page.click('[data-pick="lead"]')
    german.page.wait_for_selector('.card h2:has-text("lead") .left')
    german.aim("L5")
    german.page.click("#do-it")
    german.page.wait_for_selector("#roll")
    german.page.reload()
    german.page.wait_for_selector("#roll")
    russian = server.sit(browser, "russian", game)
    russian.rest()
    assert russian.page.locator("#roll").count() == 0
    german.page.locator("#roll .odds button").first.click()  # mobile
    assert "lead and those after it" in german.proposal(), "the rest of the way"
    assert german.faults == russian.faults == []


def test_a_roll_of_the_page_stands(sit: Sit, wood: dict[str, Any]) -> None:
    """Neither Esc nor a reload gives other dice; what was rolled is shown again, and is what is played."""
    table = begun(sit(), {**wood, "units": [*wood["units"], BOG]})
    page = table.page
    page.click('[data-pick="stuck"]')
    table.act("Unbog")
    page.click("#do-it")
    page.click('#roll button:text-is("Roll")')
    rolled = page.inner_text("#roll .thrown")
    page.keyboard.press("Escape")
    page.wait_for_selector("#roll", state="detached")
    page.click("#due")
    page.wait_for_selector("#roll")
    assert page.inner_text("#roll .thrown") == rolled
    page.reload()
    page.wait_for_selector("#roll")
    assert page.inner_text("#roll .thrown") == rolled
    assert page.locator('#roll button:text-is("Roll")').count() == 0
    page.click('#roll button:has-text("Use it")')
    page.wait_for_selector("#roll", state="detached")
    table.rest()
    page.click("#undo")
    table.rest()
    page.click("#due")
    page.wait_for_selector('#roll button:text-is("Roll")')  # taken back, it is rolled anew


def test_the_focus_stays_while_the_panel_asks_again(sit: Sit, wood: dict[str, Any]) -> None:
    """As another plays, what can be done is asked again; the fold that had the focus has it then, too."""
    table = begun(sit(), wood)
    table.choose("sq")
    table.page.locator("#panel summary", has_text="Not possible now").focus()
    game = table.page.url.split("/games/")[1]
    played = table.page.request.post(
        f"{table.address}/api/games/{game}/log",
        data={"log": ["end scouts"]},
        headers={"If-Match": "*"},
    )
    assert played.ok, played.text()
    table.page.wait_for_selector('#said:has-text("scouts: End its move")')
    table.rest()
    assert "Not possible now" in table.page.evaluate("document.activeElement.textContent")


def test_what_is_played_while_one_looks_back(browser: Any, server: Server) -> None:
    """It is said, with the step that is looked at."""
    game = server.ask("/api/games", {"scene": SCENE})["game"]
    server.ask(f"/api/games/{game}/log", {"log": ["enter sq M7"]})
    russian = server.sit(browser, "russian", game)
    russian.page.keyboard.press("[")
    russian.page.wait_for_selector("#replay-line")
    server.ask(f"/api/games/{game}/log", {"log": ["end sq"]})
    russian.page.wait_for_selector('#said:has-text("You look at step 0")')
    assert russian.faults == []
