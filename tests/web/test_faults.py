"""Faults that players found on the page, stated so that they stay fixed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_sides import SCENE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.web.table import Table

    Sit = Callable[..., Table]


@pytest.mark.slow
def test_a_hex_out_of_reach_is_named_and_no_other_step_offered(sit: Sit) -> None:
    """A click far off names that hex and the clause that blocks the way, and proposes no step."""
    table = sit().open("bridge")
    table.choose("sq")
    found = table.aim("H8")
    assert found.startswith("H8 cannot be reached")
    assert table.page.locator("#proposal .faults .clause").count() == 1
    assert table.page.locator("#what-if, #do-it").count() == 0
    assert table.said().startswith("H8 cannot be reached: ")
    table.page.click("#not-now")
    table.page.wait_for_selector("#proposal", state="detached")


@pytest.mark.slow
def test_the_unit_that_must_finish_first_is_named(sit: Sit) -> None:
    """While a vehicle is in Motion others say so and link to it, with no arrow from its hex."""
    table = sit().open("own-scene")
    table.choose("truck")
    table.aim("C4")
    table.do()
    table.page.click("#panel .units-strip button")
    table.page.locator("#panel .units button").filter(has_text="sq2").click()
    table.page.wait_for_selector("#blocker")
    found = table.page.inner_text("#blocker")
    assert found.startswith("truck must finish first")
    assert "D2.4" in found
    table.page.mouse.move(*table.middle("G3"))
    table.page.wait_for_selector('#said:has-text("G3")')
    assert "truck: It must stop" in table.said()
    assert table.page.locator("#ways polyline").count() == 0
    table.page.click('#blocker button:has-text("Choose truck")')
    table.page.wait_for_selector('.card h2:has-text("truck") .left')
    assert table.page.locator("#blocker").count() == 0


@pytest.mark.slow
def test_points_are_asked_for(sit: Sit) -> None:
    """Casualties without points, if none are owed, ask for them; numbers use terminal type."""
    table = sit().demo("valor")
    table.page.click("#tab-loss")
    table.is_deaf = True  # the browser reports the refusal
    table.page.click("#list-losses")
    table.page.wait_for_selector(
        '[role=alert]:has-text("nothing is owed in C1: expected a number")'
    )
    table.is_deaf = False
    assert table.page.evaluate("document.activeElement.id") == "loss-points"
    table.page.fill("#loss-points", "5")
    table.page.click("#list-losses")
    table.page.wait_for_selector('#panel:has-text("costs 2.02 more")')
    table.page.wait_for_selector("#loss-plan")
    table.page.fill("#loss-points", "-1")
    table.is_deaf = True
    table.page.click("#list-losses")
    table.page.wait_for_selector("#panel .faults")
    table.is_deaf = False
    assert table.page.locator("#loss-plan, #loss-count").count() == 0, "the ways of another number"
    table.page.fill("#loss-points", "0")
    table.page.click("#list-losses")
    table.page.wait_for_selector('#loss-count:has-text("nothing is to be lost")')


@pytest.mark.slow
def test_games_and_scenes_are_distinguished(sit: Sit) -> None:
    """Games show their start time and entries, scenes their rulebook and units; none is a page."""
    table = sit().open("bridge")
    table.choose("sq")
    table.aim("N6")
    table.do()
    table.page.goto(table.address)
    assert "asl · begun 20" in table.page.locator("#games li").first.inner_text()
    assert "1 entry" in table.page.locator("#games li").first.inner_text()
    found = table.page.inner_text('form[action="/scenes/bridge"] p')
    assert found.startswith("asl · ")
    assert found.endswith(" units")
    table.is_deaf = True  # the browser reports the 404
    answer = table.page.goto(f"{table.address}/games/nosuch")
    assert answer.status == 404
    assert table.page.inner_text("h1") == "Not found"
    table.page.wait_for_timeout(50)
    table.is_deaf = False


@pytest.mark.slow
def test_the_chosen_is_drawn_on_top_and_clicks_go_through_the_stack(sit: Sit) -> None:
    """The chosen counter is the last of its hex; clicks on it cycle through all in the hex."""
    table = sit().open("own-scene")
    table.page.locator("#panel .units button").filter(has_text="truck").click()
    table.page.wait_for_selector('.card h2:has-text("truck") .left')
    seen = []
    for _ in range(4):
        last = table.page.locator('.unit[data-at="A3"]').last
        seen.append(last.get_attribute("data-unit"))
        assert "chosen" in last.get_attribute("class")
        table.page.mouse.click(*table.middle("A3"))
        table.rest()
    assert sorted(seen) == ["ldr", "sq1", "sq2", "truck"]
    table.page.keyboard.press("Escape")
    order = table.page.locator('.unit[data-at="A3"]')
    assert [one.get_attribute("data-unit") for one in order.all()] == ["truck", "sq1", "sq2", "ldr"]


@pytest.mark.slow
def test_a_lone_unit_is_seen_with_what_is_round_it(sit: Sit, tmp_path: Path) -> None:
    """With one unit on a large board, several hexes around it are shown, on a phone too."""
    file = tmp_path / "lone.json"
    file.write_text(json.dumps({**SCENE, "units": SCENE["units"][:1]}))
    table = sit(390, 780)
    table.page.goto(table.address)
    table.page.set_input_files("#scene-file", file)
    table.ready()
    table.page.wait_for_timeout(50)
    assert 50 < table.hex("N7").bounding_box()["width"] < 100


@pytest.mark.slow
def test_a_vehicle_in_motion_that_spent_nothing_is_reported(sit: Sit, tmp_path: Path) -> None:
    """Before a phase ends the page names the vehicle that began in Motion and has spent nothing."""
    truck = {"id": "truck", "side": "german", "at": "J4", "type": "opel-blitz", "facing": "NNE"}
    file = tmp_path / "motion.json"
    file.write_text(json.dumps({**SCENE, "units": [{**truck, "motion": {"moving": True}}]}))
    table = sit()
    table.page.goto(table.address)
    table.page.set_input_files("#scene-file", file)
    table.ready()
    table.page.click("#end-phase")
    line = '#phase .faults li:has-text("truck: It has not spent enough in Motion")'
    table.page.wait_for_selector(line)


@pytest.mark.slow
def test_a_change_is_sent_with_the_tag_that_came(sit: Sit) -> None:
    """Any opaque ETag goes back whole as If-Match; an unchanged game says nothing was played."""
    table = sit()
    tag = '"a-b/c,d%7"'

    def tagged(route: Any) -> None:
        found = route.fetch()
        route.fulfill(response=found, headers={**found.headers, "etag": tag})

    table.page.route(lambda url: "/api/games/" in url and url.count("/") == 5, tagged)
    table.open("bridge")
    table.is_deaf = True  # the browser reports the refusal
    with table.page.expect_request("**/log") as sent:
        table.page.click("#more")
        log = {"name": "a.json", "mimeType": "application/json"}
        text = json.dumps({"format": "marchtable/log/1", "log": ["enter sq N6"]})
        table.page.set_input_files("#log-file", {**log, "buffer": text.encode()})
    assert sent.value.headers["if-match"] == tag
    table.page.wait_for_selector('#said:has-text("The game was changed elsewhere")')
    table.rest()
    assert "entries played" not in table.said()
    table.page.wait_for_timeout(50)
    table.is_deaf = False


@pytest.mark.slow
def test_a_dragged_counter_goes_with_the_pointer(sit: Sit) -> None:
    """A dragged counter has a copy at the pointer; on dropping, its move is proposed and the copy is gone."""
    table = sit().open("bridge")
    start, end = table.middle("N7"), table.middle("N6")
    table.page.mouse.move(*start)
    table.page.mouse.down()
    table.page.mouse.move(*end, steps=6)
    box = table.page.locator(".carried").bounding_box()
    assert abs(box["y"] + box["height"] / 2 - end[1]) < box["height"]
    table.page.mouse.up()
    table.proposal()
    assert table.page.locator(".carried").count() == 0


@pytest.mark.slow
def test_units_are_asked_about_ahead(sit: Sit) -> None:
    """While no unit is chosen the others' options are fetched ahead, so that the first click is quick."""
    table = sit()
    with table.page.expect_response(lambda one: one.request.post_data_json == {"unit": "ldr"}):
        table.open("bridge")
    assert table.page.locator("#shades .reached").count() == 0


@pytest.mark.slow
def test_a_picture_is_no_scene(sit: Sit, tmp_path: Path) -> None:
    """A picture chosen as a scene is identified as a picture."""
    table = sit()
    table.page.goto(table.address)
    file = tmp_path / "map.png"
    file.write_bytes(b"\x89PNG")
    table.page.set_input_files("#scene-file", file)
    table.page.wait_for_selector('#fault:has-text("map.png: is a picture")')


@pytest.mark.slow
def test_a_click_far_off_names_the_steps_of_a_rout(sit: Sit, tmp_path: Path) -> None:
    """A broken unit routs hex by hex: a click two hexes off names those it can step into, and no wrong phase."""
    squad = {**SCENE["units"][0], "at": "N7", "broken": True, "dm": True}
    enemy = {**SCENE["units"][1], "at": "N9"}
    file = tmp_path / "rout.json"
    file.write_text(json.dumps({**SCENE, "phase": "RtPh", "units": [squad, enemy]}))
    table = sit()
    table.page.goto(table.address)
    table.page.set_input_files("#scene-file", file)
    table.ready()
    table.choose("sq")
    found = table.aim("H8")
    assert found.startswith("No step leads to H8")
    step = found.partition("choose ")[2].split()[0].strip(".,")
    assert table.aim(step).lower().startswith(("rout", f"sq to {step.lower()}"))
