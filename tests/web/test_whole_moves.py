"""Whole moves by touch or keyboard alone: loading, driving, unloading, Bypass; Convoys; drawn ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.codec.structs import builtins_of
from marchtable.files.boards import load_board

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.web.table import Table

    Sit = Callable[..., Table]

pytestmark = pytest.mark.slow

GRID = """
format = "marchtable/grid/1"
name = "a wood beside the road"
road = ["- A3 B3 C4 D4 E5 F5 G5 H5 -"]
rows = '''
   A  B  C  D  E  F  G  H
 1 .  .  .  .  .  .  .  .
 2 .  .  .  .  w  .  .  .
 3 .  .  .  c  .  .  .  .
 4 .  .  .  .  .  .  .  .
 5 .  .  .  .  .  .  .  .
'''
[legend]
c = { terrain = "Woods", clear = [50, 50, 50, 50, 50, 50] }
"""
SQUAD = {"side": "german", "type": "squad", "nationality": "german"}
UNITS = [
    {"id": "truck", "side": "german", "type": "opel-blitz", "at": "A3", "facing": "E"},
    {"id": "sq", "at": "A3", **SQUAD},
    {"id": "scouts", "at": "C4", **SQUAD},
]
STEPS = [
    "load sq truck", "start truck", "enter truck B3", "stop truck", "unload sq", "bypass scouts D3 vertex=E",
]  # fmt: skip


@pytest.fixture
def wood(tmp_path: Path) -> dict[str, Any]:
    """A scene with a truck, its squad and a wood that can be bypassed."""
    file = tmp_path / "wood.toml"
    file.write_text(GRID)
    board = builtins_of(load_board(file).file())
    return {
        "format": "marchtable/scene/2", "name": "wood", "rulebook": "asl", "board": board,
        "side": "german", "phase": "MPh", "conditions": {"month": 6}, "units": UNITS,
    }  # fmt: skip


def begun(table: Table, scene: dict[str, Any]) -> Table:
    """Open a game with a scene."""
    game = table.page.request.post(f"{table.address}/api/games", data={"scene": scene})
    assert game.ok, game.text()
    table.page.goto(f"{table.address}/games/{game.json()['game']}")
    return table.ready()


def test_a_whole_move_by_touch(sit: Sit, wood: dict[str, Any]) -> None:
    """On a phone, by taps alone: load, drive, unload, go round the wood; every target is large enough."""
    table = begun(sit(390, 844, has_touch=True, is_mobile=True), wood)
    page = table.page

    def choose(unit: str) -> None:
        if page.locator(".units-strip button").count():
            page.locator(".units-strip button").first.tap()
        page.locator(f'[data-pick="{unit}"]').tap()
        page.wait_for_selector(f'.card h2:has-text("{unit}") .left')

    def act(words: str) -> None:
        page.locator("#panel button.act").filter(has_text=words).first.tap()
        table.proposal()

    def do() -> None:
        assert table.page.evaluate(SMALL) == []
        page.locator("#do-it").tap()
        page.wait_for_selector("#proposal", state="detached")
        table.rest()

    choose("sq")
    act("Load truck")
    do()
    choose("truck")
    act("Start")
    do()
    page.touchscreen.tap(*table.middle("B3"))
    table.proposal()
    do()
    act("Stop")
    do()
    choose("sq")
    act("Unload")
    do()
    choose("scouts")
    page.touchscreen.tap(*table.middle("D3"))
    page.locator("#proposal button.act", has_text="vertex E").tap()
    page.wait_for_selector("#do-it")
    do()
    assert table.log() == STEPS


SMALL = """() => [...document.querySelectorAll('button, summary:not(.clause summary), select, input')]
  .filter((one) => one.checkVisibility() && one.type !== 'checkbox')
  .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 43.9 || box.height < 43.9).map(([text]) => text)"""


def test_a_whole_move_by_keyboard(sit: Sit, wood: dict[str, Any]) -> None:
    """The same without a pointer: N finds the unit, G goes between map and panel, Enter acts."""
    table = begun(sit(), wood)
    page, keys = table.page, table.page.keyboard
    focused = "document.activeElement.textContent"

    def choose(unit: str) -> None:
        for _ in UNITS:
            keys.press("n")
            if page.evaluate("document.activeElement.dataset.unit") == unit:
                break
        page.wait_for_selector(f'.card h2:has-text("{unit}") .left')
        table.rest()

    def tab_to(words: str) -> None:
        for _ in range(40):
            keys.press("Tab")
            if words in page.evaluate(focused):
                return
        pytest.fail(f"Tab does not come to {words}")

    def act(words: str) -> None:
        if page.evaluate("document.activeElement.closest('#board') !== null"):
            keys.press("g")
        page.focus("#panel")
        tab_to(words)
        keys.press("Enter")
        do()

    def do() -> None:
        page.wait_for_selector("#do-it")
        table.rest()
        assert page.evaluate("document.activeElement.id") == "do-it"
        keys.press("Enter")
        page.wait_for_selector("#proposal", state="detached")
        table.rest()

    choose("sq")
    act("Load truck")
    choose("truck")
    act("Start")
    keys.press("g")
    keys.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.at") == "B3"
    keys.press("Enter")
    page.wait_for_selector("#do-it")
    table.rest()
    keys.press("Enter")
    page.wait_for_selector("#proposal", state="detached")
    table.rest()
    act("Stop")
    choose("sq")
    act("Unload")
    choose("scouts")
    act("vertex E")
    assert table.log() == STEPS


def test_a_way_is_drawn(sit: Sit, wood: dict[str, Any]) -> None:
    """A counter dragged through hexes takes that way, and the cheapest is offered too; V does it by keys."""
    table = begun(sit(), wood)
    page, mouse = table.page, table.page.mouse
    mouse.move(*table.middle("C4"))
    mouse.down()
    for at in ("C3", "C2", "D2"):
        mouse.move(*table.middle(at), steps=4)
    mouse.up()
    given = table.proposal()
    assert "by which way?" in given
    assert "Along C3, C2, D2" in given
    page.locator("#proposal button.act").first.click()
    page.wait_for_selector("#do-it")
    assert "Costs 3 MF; scouts has 1 MF left." in table.proposal()
    table.do("#not-now")
    page.focus('.hex[data-at="C3"]')
    page.keyboard.press("v")
    assert table.said().startswith("Through C3; ")
    page.focus('.hex[data-at="D5"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("#proposal .act, #do-it")
    assert "Along C3, D5" in table.proposal()


def test_a_hex_out_of_reach_says_why(sit: Sit) -> None:
    """A tap on a hex out of reach names the clause, and nothing moves."""
    table = sit(390, 844, has_touch=True, is_mobile=True).open("bridge")
    table.page.locator('[data-pick="sq"]').tap()
    table.page.wait_for_selector('.card h2:has-text("sq") .left')
    table.page.touchscreen.tap(*table.middle("K8"))
    given = table.proposal()
    assert "cannot be reached" in given or "not allowed" in given
    assert "A4.11b" in given
    assert table.page.locator("#do-it").count() == 0
    assert table.at("sq") == "N7"
    assert table.log() == []


def test_a_convoy_moves_from_the_map(sit: Sit) -> None:
    """A follower names the leader; a hex ahead, one far ahead, one off the way and one drawn."""
    table = sit().open("convoy")
    page = table.page
    page.click('[data-pick="third"]')
    page.click("#follower button")
    page.wait_for_selector('.card h2:has-text("lead") .left')
    assert page.locator("#shades .reached").count() > 3, "where the first could lead the others"
    page.locator("#panel button.act", has_text="Impulse").click()
    table.proposal()
    assert (
        page.locator("#proposal button.act", has_text="Impulse enter I5")
        .inner_text()
        .endswith("2 MP each")
    )
    page.click("#not-now")
    page.mouse.click(*table.middle("J4"))
    page.wait_for_selector("#do-it")
    assert "Costs 4 MP each; each has 24 MP left (lead, second, third)." in table.proposal()
    table.do()
    assert [table.at(unit) for unit in ("lead", "second", "third")] == ["J4", "I5", "H4"]
    page.mouse.click(*table.middle("P5"))
    page.wait_for_selector("#do-it")
    assert "lead and those after it to P5" in table.proposal()
    page.click("#not-now")
    page.mouse.move(*table.middle("J4"))
    page.mouse.down()
    for at in ("K5", "L5"):
        page.mouse.move(*table.middle(at), steps=4)
    page.mouse.up()
    page.wait_for_selector("#do-it")
    table.do()
    assert table.at("lead") == "L5"
    assert table.log()[2:] == [
        "impulse lead enter:K5:bridge,enter:J4,enter:I5", "impulse lead enter:L5,enter:K5:bridge,enter:J4",
    ]  # fmt: skip


def test_the_hex_clicked_last_is_proposed(sit: Sit) -> None:
    """A hex clicked while another way is computed replaces it, however late that answer comes."""
    table = sit().open("convoy")
    page = table.page
    page.click('[data-pick="lead"]')
    page.wait_for_selector('.card h2:has-text("lead") .left')
    table.rest()
    held: list[Any] = []
    page.route("**/led*", lambda route: route.continue_() if held else held.append(route))
    page.mouse.click(*table.middle("K5"))
    page.wait_for_timeout(200)
    assert len(held) == 1
    page.mouse.click(*table.middle("J4"))
    page.wait_for_selector("#do-it")
    held[0].continue_()
    page.wait_for_timeout(300)
    assert "lead and those after it to J4" in table.proposal()


def test_several_units_move_together(sit: Sit, wood: dict[str, Any]) -> None:
    """Of a step that is proposed "with …" lets another unit of the hex join: both pay, and both come along."""
    leader = {"id": "ldr", "side": "german", "type": "leader", "nationality": "german", "at": "C4"}
    table = begun(sit(), {**wood, "units": [*UNITS, leader]})
    table.choose("scouts")
    table.aim("C3")
    table.page.click('#proposal button:has-text("with …")')
    table.page.wait_for_selector('#proposal h2:has-text("with ldr")')
    assert "each has 5 MF left (scouts, ldr)." in table.proposal()
    table.do()
    assert [table.at(unit) for unit in ("scouts", "ldr")] == ["C3", "C3"]
    assert table.log() == ["enter scouts,ldr C3"]
