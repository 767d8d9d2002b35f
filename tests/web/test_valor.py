"""A Valor & Victory scene on the page: units are chosen, moved and turned as in any game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from marchtable.files.scenes import load_scene, scene_data
from marchtable_models import valor
from tests.web.test_text import ask, opened
from tests.web.test_whole_moves import begun

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table

    Sit = Callable[..., Table]

FARM = Path(valor.__file__).parent / "data" / "scenarios" / "scenes" / "farm.toml"


@pytest.mark.slow
def test_a_squad_walks_and_a_halftrack_drives(sit: Sit) -> None:
    """A click ahead gives the cost and offers the other way; a farther one plays the way, with the load."""
    table = sit().open("hamlet")
    table.choose("sqA")
    found = table.aim("B4")
    assert "Costs 1 MP" in found
    assert "In another way (1)" in found
    assert "Enter B4, assault" in (table.page.text_content("#proposal") or "")
    table.do()
    assert table.at("sqA") == "B4"
    table.choose("track")
    table.aim("D4")
    table.do()
    assert table.at("track") == table.at("sqD") == "D4"
    assert table.log() == ["enter sqA B4", "enter track B3", "enter track C4", "enter track D4"]


@pytest.mark.slow
def test_an_attack_and_its_losses(sit: Sit) -> None:
    """Two squads and their leader fire together; the Losses tab plays the casualties, and lists them no more."""
    scene = load_scene(FARM)
    given = scene_data(scene.position, name=scene.name)
    table = begun(sit(), given)
    table.choose("ga")
    assert "Moves to a hex" not in table.page.inner_text("#panel"), "fire is no move"
    table.page.click('#panel li:has-text("Fire C1") button:has-text("with …")')
    table.page.click('#proposal button:has-text("with gb")')
    table.page.wait_for_selector("#do-it")
    table.page.click('#proposal button:has-text("with …")')
    table.page.wait_for_selector('#proposal h2:has-text("with gb, gl")')
    table.page.click("#do-it")
    table.page.locator("#roll .odds button").nth(2).click()  # a 2 would call for a check of valour
    table.page.wait_for_selector("#roll", state="hidden")
    table.rest()
    table.page.wait_for_selector("#debt")
    owes = table.page.inner_text("#due")
    assert re.fullmatch(r"american owes \d Casualty Points on C1", owes)
    table.page.wait_for_selector(f'#said:has-text("A{owes[1:]}: choose losses.")')
    assert table.page.inner_text("#debt h2") == owes
    table.page.click("#due")
    table.page.wait_for_selector("#loss-count:focus")
    assert f"{owes.split()[2]} points on C1: " in table.page.inner_text("#loss-count")
    table.page.click('text="Play it"')
    table.page.wait_for_selector("#loss-plan", state="detached")
    assert table.said().startswith("Played: ")
    assert not table.page.is_visible("#due")
    assert table.log()[0] == "fire ga,gb,gl C1"


@pytest.mark.slow
def test_what_a_roll_does_is_said(sit: Sit) -> None:
    """Fire that inflicts nothing says so; whom an assault eliminates is named; in text mode, too."""
    given = scene_data(load_scene(FARM).position, name="farm")
    table = begun(sit(), given)
    table.choose("gc")
    table.act("Fire B2")
    table.page.click("#do-it")
    table.page.locator("#roll .odds button").last.click()
    table.page.wait_for_selector('#said:has-text("Casualty Points: 0.")')
    units = [{**one, "at": "B3"} if one["id"] == "gc" else one for one in given["units"]]
    table = begun(sit(), {**given, "phase": "AdvanceAndAssault", "units": units})
    opened(table)
    assert "Assault B2: legal." in ask(table, "assault gc B2")
    ask(table, "yes")
    assert "ac is off the map." in ask(table, "roll 2")
