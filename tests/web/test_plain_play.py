"""What is played is named in full, and the page keeps the player where he goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.files.logs import log_of
from marchtable.files.scenes import load_scene, scene_data, scene_of
from marchtable.rules.referee import check
from marchtable.web.views import still, view
from tests.web.conftest import EXAMPLES
from tests.web.test_four_turns import DESKTOP
from tests.web.test_new_players import convoy
from tests.web.test_two_players import server
from tests.web.test_valor import FARM
from tests.web.test_whole_moves import begun, wood

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table
    from tests.web.test_two_players import Server

    Sit = Callable[..., Table]

__all__ = ["server", "wood"]

SIDEWAYS = {"width": 844, "height": 390}


def test_a_line_ends_its_move_as_one() -> None:
    """Of a halted Convoy all others are named whose move ends with that of one, moved or not."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    given = scene_data(scene.position, name="convoy")
    for unit in given["units"]:
        unit["motion"] = {}
    ended = still(scene_of(given), log=["end second"], unit="second", alone=True)["ended"]
    assert [(one["unit"], one["left"]) for one in ended] == [("lead", 28), ("third", 28)]


def test_who_leaves_a_line_ends_nobodys_move() -> None:
    """A vehicle behind the one that leaves waits for it, and moves on afterwards: it is not named."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    struck = check(scene.position, log_of(["result second attacked"], scene.position))
    left = scene._replace(position=struck.position)
    assert still(left, log=["leave second"], unit="second", alone=True)["ended"] == []


def test_who_is_eliminated_has_no_points() -> None:
    """A unit off the map with no place to come on has no points left; one that waits has."""
    given = scene_data(load_scene(FARM).position, name="farm")
    lost, waits = (
        next(one for one in given["units"] if one["id"] == name) for name in ("ga", "gb")
    )
    lost["at"] = waits["at"] = "-"
    waits["entering"] = ["B1"]
    units = {one["unit"]: one for one in view(scene_of({**given, "side": lost["side"]}))["units"]}
    assert "left" not in units["ga"]
    assert "left" in units["gb"]


@pytest.mark.slow
def test_who_of_a_line_does_what(browser: Any, server: Server) -> None:
    """The proposal and the log name who stops and who does not; Enter keeps the focus in the panel."""
    german = server.sit(browser, "german", convoy(server), **DESKTOP)
    page = german.page
    page.click('[data-pick="lead"]')
    page.wait_for_selector('.card h2:has-text("lead") .left')
    page.click('#panel button.act:has-text("Impulse")')
    page.click('#proposal button.act:has-text("Impulse stop")')
    page.wait_for_selector('#proposal h2:has-text("Lead, second, third: stop")')
    page.click('#proposal summary:has-text("In another way")')
    page.click('#proposal button:has-text("second does something else")')
    page.click('#proposal button:has-text("Second: stop")')
    said = "ead, second: stop; third stays as it is"
    page.wait_for_selector(f'#proposal h2:has-text("L{said}")')
    page.focus("#do-it")
    page.keyboard.press("Enter")
    page.wait_for_selector("#proposal", state="detached")
    german.rest()
    assert page.evaluate("document.activeElement.closest('#panel') !== null")
    page.click("#tab-log")
    assert page.inner_text("ol.log .now button") == f"l{said}"
    assert german.faults == []


@pytest.mark.slow
def test_the_header_takes_one_row(browser: Any, server: Server) -> None:
    """On a desktop while it is asked to take back, and on a phone held sideways; no tool lies under a note."""
    game = convoy(server)
    german = server.sit(browser, "german", game, **DESKTOP)
    russian = server.sit(browser, "russian", game, **DESKTOP)
    german.page.click('[data-pick="sq"]')
    german.page.wait_for_selector('.card h2:has-text("sq") .left')
    for size in (DESKTOP["viewport"], SIDEWAYS):
        german.page.set_viewport_size(size)
        german.drawn()
        assert rows(german) == 1
        assert german.page.evaluate(UNDER) == []
    german.page.set_viewport_size(DESKTOP["viewport"])
    german.aim("F3")
    german.do()
    german.page.click("#undo")
    russian.page.wait_for_selector("#asked:not([hidden])")
    german.page.wait_for_selector("#asked:not([hidden])")
    assert rows(german) == rows(russian) == 1
    assert german.faults == russian.faults == []


UNDER = """() => [...document.querySelectorAll('.tools button')].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && !one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}).map((one) => one.id)"""


def rows(table: Table) -> int:
    """Return in how many rows the header's buttons stand."""
    return int(
        table.page.evaluate(
            "new Set([...document.querySelectorAll('header.bar button')].filter((one) => one.offsetParent)"
            ".map((one) => { const box = one.getBoundingClientRect(); return Math.round((box.y + box.height / 2) / 12); })).size"
        )
    )


@pytest.mark.slow
def test_any_set_acts_together(sit: Sit) -> None:
    """Whoever is added first, the others can be added, too."""
    table = begun(sit(), scene_data(load_scene(FARM).position, name="farm"))
    page = table.page
    table.choose("ga")
    page.click('#panel li:has-text("Fire C1") button:has-text("with …")')
    page.click('#proposal button:has-text("with gl")')
    page.wait_for_selector("#do-it")
    page.click('#proposal button:has-text("with …")')
    page.wait_for_selector('#proposal h2:has-text("with gb, gl")')
    page.wait_for_selector("#do-it")
    assert page.locator('#proposal button:has-text("with …")').count() == 0


@pytest.mark.slow
def test_a_move_that_cannot_end_names_one_that_can(sit: Sit, wood: dict[str, Any]) -> None:
    """Where the way ends in Bypass with no MF left, Double Time first is offered in the open."""
    *others, scouts = wood["units"]
    table = begun(sit(), {**wood, "units": [*others, {**scouts, "at": "H3"}]})
    table.choose("scouts")
    assert "it must go on, or into the obstacle" in table.aim("D3")
    table.page.click('#proposal button:has-text("Double time first: the move can end there")')
    table.page.wait_for_selector("#do-it")
    table.do()
    assert table.log()[0] == "double-time scouts"


@pytest.mark.slow
def test_a_branch_is_named(sit: Sit) -> None:
    """The header names the branch that is played on in, and no replay bar lies over the map."""
    table = sit(390, 844, has_touch=True, is_mobile=True).open("bridge")
    page = table.page
    page.tap('[data-pick="ldr"]')
    page.wait_for_selector('.card h2:has-text("ldr") .left')
    page.touchscreen.tap(*table.middle("N6"))
    table.proposal()
    table.do()
    page.tap("#tab-log")
    page.tap("#replay")
    page.wait_for_selector("#fork")
    bar, stage = (page.locator(name).bounding_box() for name in ("#replaying", "#board"))
    assert bar["y"] + bar["height"] <= stage["y"] + 1
    assert page.is_hidden("#on-branch")
    page.tap("#fork")
    page.wait_for_selector('#on-branch:has-text("branch-2")')
