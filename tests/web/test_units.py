"""The list of units: grouped by hex, filtered, with a tray for those off the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from marchtable.files.scenes import load_scene
from marchtable.state.records import replace
from marchtable.web.views import view
from tests.web.conftest import EXAMPLES
from tests.web.test_sides import SCENE, SQUAD
from tests.web.test_whole_moves import begun

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table

    Sit = Callable[..., Table]

pytestmark = pytest.mark.slow


def test_a_unit_is_found_in_the_list(sit: Sit) -> None:
    """Units are listed under their hexes; words filter them; picking one scrolls it into view."""
    table = sit().open("winter-village")
    assert table.page.locator("#unit-list > h2").all_inner_texts() == [
        "A2 3 units", "B1", "D4", "F5",
    ]  # fmt: skip
    picked = '#unit-list [data-pick="pz2"]'
    assert "MP" in table.page.inner_text(picked)
    table.page.fill("#filter", "STUN f5")
    assert table.page.locator("#unit-list [data-pick]").count() == 1
    table.page.press("#filter", "Enter")
    table.page.wait_for_selector('.card h2:has-text("pz2") .left')
    table.page.click('#panel button:has-text("All units")')
    for _ in range(3):
        table.page.keyboard.press("Escape")
    table.page.locator("#board").focus()
    for _ in range(4):
        table.page.click("#zoom-in")
    table.page.mouse.move(300, 300)
    table.page.mouse.down()
    table.page.mouse.move(800, 700, steps=3)
    table.page.mouse.up()
    table.page.click(picked)
    table.page.wait_for_selector('.card h2:has-text("pz2") .left')
    table.page.wait_for_timeout(100)
    box = table.page.locator('.unit[data-unit="pz2"]').bounding_box()
    frame = table.page.locator("#board").bounding_box()
    assert frame["x"] < box["x"] < frame["x"] + frame["width"] - box["width"]
    assert frame["y"] < box["y"] < frame["y"] + frame["height"] - box["height"]
    assert table.accessible() == []


def test_the_unit_of_exactly_that_name_is_found_first(sit: Sit) -> None:
    """Enter chooses it, whatever stands before it in the list; then the field is empty."""
    names = ("gcrew", "gc", *(f"s{number}" for number in range(8)))
    squads = [{**SCENE["units"][0], "id": name} for name in names]
    table = begun(sit(), {**SCENE, "units": squads})
    table.page.fill("#filter", "gc")
    rows = table.page.locator("#unit-list [data-pick]")
    assert [rows.nth(n).get_attribute("data-pick") for n in range(2)] == ["gcrew", "gc"]
    table.page.press("#filter", "Enter")
    table.page.wait_for_selector('.card h2:has-text("gc") .left')
    assert table.page.inner_text("#panel .card h2").startswith("gc\n")
    table.page.click('#panel button:has-text("All units")')
    assert table.page.input_value("#filter") == ""
    assert rows.count() == len(names)


def test_units_off_the_map_are_in_the_tray(sit: Sit) -> None:
    """Units without a hex are in a tray; chosen there, they say how they enter."""
    table = sit()
    waits = {"id": "late", "at": "-", **SQUAD, "side": "german", "nationality": "german"}
    scene = {**SCENE, "units": [*SCENE["units"], waits]}
    begun = table.page.request.post(f"{table.address}/api/games", data={"scene": scene})
    assert begun.ok, begun.text()
    table.page.goto(f"{table.address}/games/{begun.json()['game']}")
    table.ready()
    assert table.page.inner_text("#tray summary") == "Off the map (1)"
    table.page.click("#tray summary")
    table.page.click('#tray [data-pick="late"]')
    table.page.wait_for_selector('.card h2:has-text("late")')
    assert "not on the map" in table.page.inner_text("#panel .card")


def test_a_set_up_is_changed(sit: Sit) -> None:
    """From a game back to its set-up: a unit of the tray is dragged onto the map, another moved, a third added."""
    table = sit()
    waits = {"id": "late", "at": "-", **SQUAD, "side": "german", "nationality": "german"}
    scene = {**SCENE, "units": [*SCENE["units"], waits]}
    begun = table.page.request.post(f"{table.address}/api/games", data={"scene": scene})
    table.page.goto(f"{table.address}/games/{begun.json()['game']}")
    table.ready()
    table.page.click("#more")
    table.page.click("#edit-set-up")
    table.page.wait_for_selector("#set-tray")
    table.rest()

    def drag(box: tuple[float, float], at: str) -> None:
        table.page.mouse.move(*box)
        table.page.mouse.down()
        table.page.mouse.move(*table.middle(at), steps=5)
        table.page.mouse.up()

    tray = table.page.locator('[data-tray="late"]')
    tray.scroll_into_view_if_needed()
    box = tray.bounding_box()
    drag((box["x"] + 20, box["y"] + 10), "M6")
    table.page.wait_for_selector('.unit[data-unit="late"][data-at="M6"]')
    drag(table.middle("N7"), "N8")
    table.page.wait_for_selector('.unit[data-unit="sq"][data-at="N8"]')
    table.page.fill("#set-type", "4-6-7")
    table.page.mouse.click(*table.middle("L6"))
    table.page.wait_for_selector('.unit[data-unit="4-6-7-1"]')
    table.page.click("#stop-placing")
    table.page.locator('.unit[data-unit="late"]').click()
    table.page.select_option("#set-flag", "status.pinned")
    table.page.wait_for_selector('#handles button:has-text("pinned")')
    assert table.accessible() == []
    table.page.click("#play-set-up")
    table.ready()
    assert (table.at("late"), table.at("sq"), table.at("4-6-7-1")) == ("M6", "N8", "L6")
    assert "PIN" in (table.page.locator('.unit[data-unit="late"]').text_content() or "")
    table.page.go_back()
    table.page.wait_for_selector('.unit[data-unit="4-6-7-1"]')
    table.page.wait_for_selector("#play-set-up:enabled")  # the set-up can be changed further


def test_where_a_unit_comes_on_is_shown_beside_its_name() -> None:
    """The edge hexes of a unit off the map are not among its details."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    off = [replace(unit, at=None, entering=("A5",)) for unit in scene.position.units]
    seen = view(scene._replace(position=msgspec.structs.replace(scene.position, units=tuple(off))))
    for one in seen["units"]:
        assert "entering A5" in one["ties"]
        assert "entering A5" not in one["state"]


def test_no_line_of_the_list_runs_out_of_the_panel(sit: Sit) -> None:
    """A long name with its type and its carrier takes a second line."""
    page = sit(1440, 900).open("gully").page
    page.wait_for_selector('[data-pick="engineers"]')
    page.eval_on_selector(
        '[data-pick="engineers"] .cost',
        "one => one.append(' · with others of a long name'.repeat(2))",
    )
    sizes = "all => all.map(one => one.scrollWidth - one.clientWidth)"
    assert max(page.eval_on_selector_all("#panel, #unit-list button", sizes)) <= 0
