"""A unit clicked, a step proposed and judged, played, undone, reviewed: the page's workflow."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from matplotlib.image import imread

from tests.slowly import slow_after

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.web.table import Table

    Sit = Callable[..., Table]

SIZES = [(1280, 800, "light"), (390, 780, "dark"), (1280, 800, "dark"), (390, 780, "light")]


@pytest.mark.parametrize(("width", "height", "theme"), slow_after(1, SIZES))
def test_a_unit_shows_its_reach(
    sit: Sit, width: int, height: int, theme: str, tmp_path: Path
) -> None:
    """A click shades the reach and lists actions with costs, at two widths, in both themes, for all."""
    table = sit(width, height, theme).open("bridge")
    assert table.accessible() == []
    table.page.click('#panel button:has-text("sq")')
    table.page.wait_for_selector("#shades .reached")
    left = dict(
        zip(
            table.page.eval_on_selector_all(".reached", "all => all.map(one => one.dataset.at)"),
            table.page.locator(".reached .left").all_text_contents(),
            strict=True,
        )
    )
    assert (left["N7"], left["N6"], left["L5"]) == ("3", "2", "0")
    assert "2 MF left" in table.page.inner_text("#panel")
    assert table.page.locator('button.act:has-text("enter N6") .cost').inner_text() == "1 MF"
    assert table.accessible() == []
    assert table.page.evaluate("document.documentElement.scrollWidth") <= width
    table.page.screenshot(path=tmp_path / "reach.png")


@pytest.mark.slow
def test_the_first_page_is_accessible(sit: Sit) -> None:
    """The first page offers the demonstrations, and axe-core finds no fault with it."""
    table = sit()
    table.page.goto(table.address)
    names = table.page.locator(".tile h3").all_inner_texts()
    assert {"bridge", "Column at the gully"} <= set(names), "scenes by their names, not their files"
    for number in range(3):  # below a list of games they are not loaded until they are in sight
        table.page.locator(".tile img").nth(number).scroll_into_view_if_needed()
    table.page.wait_for_function(
        "() => [...document.querySelectorAll('.tile img')].slice(0, 3).every(one => one.naturalWidth)"
    )
    assert table.accessible() == []


@pytest.mark.parametrize("rulebook", slow_after(0, ["valor", "asl", "panzer"]))
def test_every_demonstration_opens(sit: Sit, rulebook: str) -> None:
    """A demonstration of each rulebook opens and its first unit can be chosen."""
    table = sit().demo(rulebook)
    table.page.locator("#panel .units button").first.click()
    table.page.wait_for_selector(".card h2 .left")
    assert table.accessible() == []


@pytest.mark.slow
@pytest.mark.parametrize("part", ["h3", "img"])
def test_a_click_on_a_name_or_picture_opens(sit: Sit, part: str) -> None:
    """On the first page a scene's name and picture can be clicked, like its button."""
    table = sit()
    table.page.goto(table.address)
    tile = table.page.locator('form[action="/scenes/bridge"]')
    assert tile.get_by_role("button", name="Play bridge").count() == 1
    tile.locator(part).click(force=True)  # at that point, whatever is on top
    table.ready()
    assert "/games/" in table.page.url


@pytest.mark.parametrize(("width", "height", "theme"), slow_after(0, SIZES[1:3]))
def test_marks_are_reported(sit: Sit, width: int, height: int, theme: str) -> None:
    """A unit's marks are in its name, tooltip and panel; a hex's contents in the hex's."""
    table = sit(width, height, theme).open("winter-village")
    unit = table.page.locator('.unit[data-unit="467a"]')
    given = "467a, german, LMG, at A2"
    assert unit.get_attribute("aria-label") == given
    assert unit.locator("title").text_content() == given
    table.page.click("#key summary")
    assert "under DM" in table.page.inner_text("#key")
    assert table.accessible() == []
    table.page.click('#panel button:has-text("pz2")')
    table.page.wait_for_selector(".card .signs")
    assert table.page.inner_text(".card .signs").split() == [
        "BOG",
        "bogged",
        "MIRE",
        "mired",
        "STUN",
        "stunned",
    ]
    assert table.accessible() == []
    assert "lying there: foxhole 2S, wire" in (table.hex("G4").get_attribute("aria-label") or "")
    assert table.hex("E5").locator("title").text_content() == "roadblock NE"
    assert table.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_what_lies_in_a_hex_is_inspected(sit: Sit) -> None:
    """A click on a hex lists its contents."""
    table = sit().open("winter-village")
    table.page.mouse.click(*table.middle("D2"))
    table.page.wait_for_selector("#lying")
    assert table.page.inner_text("#lying") == "In D2: mines"
    table.page.mouse.click(*table.middle("D1"))
    table.page.wait_for_selector("#lying", state="detached")


@pytest.mark.slow
def test_hovering_tells_the_way(sit: Sit) -> None:
    """Over a hex the way and its running cost are shown, or the first clause that forbids it."""
    table = sit().open("bridge")
    table.choose("sq")
    table.page.mouse.move(*table.middle("L6"))
    table.page.wait_for_selector("#ways polyline.way")
    assert table.page.locator("#tags text.way").first.text_content() == "3"
    assert table.said().startswith("L6: 3 MF")
    table.page.mouse.move(*table.middle("K7"))
    table.page.wait_for_selector("#ways polyline.barred")
    assert "A4.11b" in table.said()
    assert "needs 1 MF" in table.said()


def test_keys_do_all_that_clicks_do(sit: Sit) -> None:
    """A unit can be chosen, sent to a hex and undone by the keyboard alone."""
    table = sit().open("bridge")
    keys = table.page.keyboard
    table.page.focus('.unit[data-unit="ldr"]')
    keys.press("Enter")
    table.page.wait_for_selector("#shades .reached")
    keys.press("ArrowUp")
    assert table.page.evaluate("document.activeElement.dataset.at") == "N6"
    keys.press("Enter")
    table.proposal()
    table.page.focus("#do-it")
    keys.press("Enter")
    table.page.wait_for_selector('.unit[data-unit="ldr"][data-at="N6"]')
    table.rest()
    keys.press("Control+z")
    table.page.wait_for_selector('.unit[data-unit="ldr"][data-at="N7"]')


def test_a_step_is_proposed_then_played(sit: Sit) -> None:
    """A click ahead proposes a step with its receipt; confirmed it is in the log; undo and redo."""
    table = sit().open("bridge")
    table.choose("sq")
    found = table.aim("N6")
    assert "Costs 1 MF; sq has 1 MF left." in found
    assert "Open Ground" in found
    assert "Afterwards it can no longer: minimum, assault." in found
    table.do()
    assert table.at("sq") == "N6"
    assert table.log() == ["enter sq N6"]
    table.page.click("#undo")
    table.page.wait_for_selector('.unit[data-unit="sq"][data-at="N7"]')
    table.rest()
    table.page.click("#redo")
    table.page.wait_for_selector('.unit[data-unit="sq"][data-at="N6"]')


@pytest.mark.slow
def test_a_unit_is_dragged(sit: Sit) -> None:
    """A dragged counter shows its way and ends in a proposal of all steps, undone and redone as one."""
    table = sit().open("bridge")
    mouse = table.page.mouse
    x, y = table.middle("H4")
    mouse.move(x, y)
    mouse.down()
    mouse.move(*table.middle("I5"), steps=4)
    mouse.move(*table.middle("J4"), steps=4)
    table.page.wait_for_selector("#ways polyline.way")
    mouse.up()
    found = table.proposal()
    assert "Costs 2 MP; truck has 26 MP left." in found
    assert "3 steps" in found
    table.do()
    assert table.log() == ["start truck", "enter truck I5", "enter truck J4"]
    table.page.click("#undo")
    table.page.wait_for_selector('.unit[data-unit="truck"][data-at="H4"]')
    table.rest()
    assert table.page.locator("ol.log .later").count() == 3
    table.page.click("#redo")
    table.page.wait_for_selector('.unit[data-unit="truck"][data-at="J4"]')
    table.rest()
    assert table.page.locator("ol.log .later").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize(("unit", "entry"), [("sq", "enter sq,ldr N6"), ("ldr", "enter ldr,sq N6")])
def test_units_act_together(sit: Sit, unit: str, entry: str) -> None:
    """An action that others can join is opened for them, whichever is first in the scene."""
    table = sit().open("bridge")
    table.page.click(f'[data-pick="{unit}"]')
    table.page.wait_for_selector(f'.card h2:has-text("{unit}") .left')
    table.page.click('button[aria-label^="Enter N6 with"]')
    table.proposal()
    table.do()
    assert table.log() == [entry]


@pytest.mark.slow
def test_an_illegal_step_is_rejected_and_may_be_played_all_the_same(sit: Sit) -> None:
    """An error says clause and reason; what-if goes on and is marked in the log."""
    table = sit().open("bridge")
    table.choose("sq")
    found = table.aim("K7")
    assert "not allowed" in found
    assert "Not enough MF left; needs 1 MF, has 0 MF" in found
    assert table.page.locator("#do-it").count() == 0
    fold = table.page.locator("#proposal .clause").first
    fold.locator("summary").click()
    assert "A unit on foot spends no more than its MF" in fold.inner_text()
    assert "A4.11b" in (table.page.locator("#tags").text_content() or "")
    assert table.accessible() == []
    table.do("#what-if")
    assert table.at("sq") == "K7"
    assert table.log()[-1] == "enter sq K7"
    assert "Not legal, played as a what-if" in table.page.inner_text("#panel")


@pytest.mark.slow
@pytest.mark.parametrize("how", slow_after(1, ["thrown", "stated"]))
def test_a_roll_is_asked_for(sit: Sit, how: str) -> None:
    """A due roll opens a dialog, which takes the result or rolls."""
    table = sit().open("lift")
    table.choose("truck")
    table.act("start")
    table.do()
    found = table.act("leave road")
    assert "Then a roll is due" in found
    assert "bogged: 10 in 36" in found
    table.page.click("#do-it")
    dialog = table.page.locator("#roll")
    dialog.wait_for()
    assert table.accessible() == []
    if how == "stated":
        dialog.get_by_role("button", name="bogged").click()
    else:
        dialog.get_by_role("button", name="Roll").click()
        dialog.get_by_role("button", name="Use it").click()
    dialog.wait_for(state="detached")
    table.rest()
    assert table.log()[-1].startswith("settle bog:truck ")
    if how == "stated":
        assert table.log()[-1].endswith("bogged")


@pytest.mark.slow
def test_a_way_is_played_as_far_as_its_roll(sit: Sit) -> None:
    """A way with a roll is legal with the roll assumed passed; played, it stops there for the roll."""
    table = sit().open("own-scene")
    table.choose("tank")
    given = table.aim("C2")
    if "how?" in given:
        table.page.locator("#proposal button.act").first.click()
        table.page.wait_for_selector("#do-it")
        given = table.proposal()
    assert "assumes that rolls on the way succeed" in given
    table.page.click("#do-it")
    table.page.locator("#roll").get_by_role("button", name="Later").click()
    table.rest()
    assert table.log() == [
        "start tank",
        "enter tank B3",
        "enter tank C3",
        "enter tank C2 half=true",
    ]


@pytest.mark.slow
def test_a_roll_may_wait(sit: Sit) -> None:
    """A postponed roll is shown in the header, and nothing else can be done before it."""
    table = sit().open("lift")
    table.choose("truck")
    table.act("start")
    table.do()
    table.act("leave road")
    table.page.click("#do-it")
    table.page.locator("#roll").get_by_role("button", name="Later").click()
    table.rest()
    assert table.page.inner_text("#due") == "A roll is due: truck"
    assert table.page.locator("button.act").count() == 0


@pytest.mark.slow
def test_the_phase_is_not_ended_by_mistake(sit: Sit) -> None:
    """Before the phase ends the page lists units that could still act; only then can it end."""
    table = sit().open("bridge")
    table.page.click("#end-phase")
    dialog = table.page.locator("#phase")
    dialog.get_by_role("button", name="Go on to").wait_for()
    assert "Could still act: truck (28 MP), sq (2 MF), ldr (6 MF)." in dialog.inner_text()
    assert table.accessible() == []
    dialog.get_by_role("button", name="Not yet").click()
    assert table.log() == []
    table.page.click("#end-phase")
    dialog.get_by_role("button", name="Go on to").click()
    table.page.wait_for_selector('#turn:has-text("DFPh")')
    assert table.log() == ["phase DFPh"]


@pytest.mark.slow
def test_units_that_could_still_act_are_listed(sit: Sit) -> None:
    """Units of the other side that could still act are named with their owner; riders have their own."""
    table = sit().demo("panzer")
    assert "russian" in table.page.inner_text('#unit-list li:has-text("enemy")')
    table.page.click("#end-phase")
    table.page.locator("#phase").get_by_role("button", name="Go on to").wait_for()
    assert "enemy (russian" in table.page.inner_text("#phase")
    table.page.locator("#phase").get_by_role("button", name="Not yet").click()
    table.choose("rifles")
    assert table.page.inner_text(".card .aside-note").count("truck") == 1


@pytest.mark.slow
def test_what_forbids_the_end_of_a_phase_is_reported(sit: Sit) -> None:
    """A vehicle in Motion with MP unspent prevents the end of the phase, with its clause."""
    table = sit().open("bridge")
    table.choose("truck")
    table.act("start")
    table.do()
    table.page.click("#end-phase")
    table.page.get_by_role("button", name="End it anyway").wait_for()
    assert "D2.4" in table.page.inner_text("#phase")


@pytest.mark.slow
def test_colours_of_the_readers_own(sit: Sit) -> None:
    """With forced colors the map keeps its own, and selections and errors are marked by outlines."""
    table = sit(forced_colors="active").open("bridge")
    style = "(one, name) => getComputedStyle(one)[name]"
    chosen, other = (
        table.page.locator(f'[role="tab"][aria-selected="{found}"]').first
        for found in ("true", "false")
    )
    assert chosen.evaluate(style, "outlineStyle") == "solid"
    assert other.evaluate(style, "outlineStyle") == "none"
    assert table.page.locator("#board").evaluate(style, "forcedColorAdjust") == "none"
    fills = table.page.locator("#board polygon, #board path").evaluate_all(
        "some => some.map(one => getComputedStyle(one).fill)"
    )
    assert len({*fills}) > 4


@pytest.mark.slow
def test_a_replay_and_a_fork(sit: Sit) -> None:
    """Steps are reviewed by keys, timeline, address and autoplay; playing on forks."""
    table = sit().open("bridge")
    table.choose("sq")
    table.aim("N6")
    table.do()
    table.choose("ldr")
    table.aim("M7")
    table.do()
    whole = table.log()
    table.page.click("#replay")
    table.page.click('button[aria-label="Play"]')
    table.page.wait_for_selector('#replay-step:has-text("Step 1 of 2: sq: Enter N6")')
    table.page.dispatch_event('button[aria-label="Pause"]', "click")  # before the next step
    table.rest()
    assert "step=1" in table.page.url
    table.page.click('button[aria-label="Play"]')
    table.page.wait_for_selector("#replaying", state="hidden")
    table.rest()
    assert table.at("ldr") == "M7"
    table.page.keyboard.press("[")
    table.page.wait_for_selector("#replaying:not([hidden])")
    assert "step=1" in table.page.url
    table.rest()
    assert table.at("ldr") == "N7"
    table.page.reload()
    table.ready()
    assert table.at("ldr") == "N7"
    assert table.accessible() == []
    table.page.locator(".timeline").fill("0")
    table.page.wait_for_selector('.unit[data-unit="sq"][data-at="N7"]')
    table.rest()
    table.page.click("#fork")
    table.page.wait_for_selector("#replaying", state="hidden")
    table.rest()
    assert table.log() == []
    table.page.select_option("#branch", "main")
    table.page.wait_for_selector('.unit[data-unit="sq"][data-at="N6"]')
    table.rest()
    assert table.log() == whole
    table.page.go_back()
    table.page.wait_for_selector('.unit[data-unit="sq"][data-at="N7"]')


@pytest.mark.slow
def test_files_in_and_out(sit: Sit, tmp_path: Path) -> None:
    """Scene, log and picture can be saved; scene and log can be read again."""
    table = sit().open("bridge")
    table.choose("sq")
    table.aim("N6")
    table.do()
    saved = {}
    for what in ("scene", "log", "picture (SVG)", "picture (PNG)"):
        table.page.click("#more")
        with table.page.expect_download() as coming:
            table.page.click(f'button:has-text("Save {what}")')
        saved[what] = tmp_path / coming.value.suggested_filename
        coming.value.save_as(saved[what])
        table.page.keyboard.press("Escape")
    assert json.loads(saved["log"].read_text())["log"] == ["enter sq N6"]
    scene = json.loads(saved["scene"].read_text())
    assert {unit["id"]: unit["at"] for unit in scene["units"]}["sq"] == "N6"
    assert 'data-unit="sq"' in saved["picture (SVG)"].read_text()
    assert saved["picture (PNG)"].suffix == ".png"
    drawn = imread(saved["picture (PNG)"])
    assert drawn.shape[0] > 1000
    assert drawn.std() > 0.1, "it is not of one colour"
    table.page.goto(table.address)
    table.page.set_input_files("#scene-file", saved["scene"])
    table.ready()
    assert table.at("sq") == "N6"
    table.open("bridge")
    table.page.click("#more")
    table.page.set_input_files("#log-file", saved["log"])
    table.page.wait_for_selector('.unit[data-unit="sq"][data-at="N6"]')
    assert table.log() == ["enter sq N6"]


@pytest.mark.slow
def test_a_link_brings_a_position_back(sit: Sit) -> None:
    """A link holds the shown position and its name; opened it is another game; a broken one says so."""
    table = sit().open("bridge")
    table.choose("sq")
    table.aim("N6")
    table.do()
    table.page.click("#more")
    assert table.accessible() == []
    table.page.click("#link")
    link = table.page.input_value("#address")
    table.page.goto(link)
    table.ready()
    assert table.at("sq") == "N6"
    assert table.log() == []
    assert table.page.inner_text("h1") == "bridge"
    table.page.goto("about:blank")
    table.page.goto(f"{table.address}/open#garbage")
    table.page.wait_for_selector("#fault:not(:empty)")
    assert table.page.inner_text("#fault").startswith("This link is broken")


@pytest.mark.slow
def test_the_board_pans_and_zooms(sit: Sit) -> None:
    """The wheel zooms about the pointer, dragging pans, a button shows all again."""
    table = sit().open("bridge")
    before = table.middle("H4")
    table.page.mouse.move(*before)
    table.page.mouse.wheel(0, -400)
    table.page.wait_for_function(
        "() => document.querySelector('.hex').getBoundingClientRect().width > 60"
    )
    assert table.middle("H4") == pytest.approx(before, abs=2)
    table.page.mouse.move(60, 120)
    table.page.mouse.down()
    table.page.mouse.move(110, 170, steps=5)
    table.page.mouse.up()
    assert table.middle("H4") == pytest.approx((before[0] + 50, before[1] + 50), abs=4)
    table.page.click("#zoom-fit")
    table.page.wait_for_function(
        "() => document.querySelector('.hex').getBoundingClientRect().width < 60"
    )


@pytest.mark.slow
def test_two_fingers_zoom(sit: Sit) -> None:
    """On a phone two fingers moved apart enlarge the board, and a tap chooses a unit."""
    table = sit(390, 780, has_touch=True, is_mobile=True).open("bridge")
    fingers = table.page.context.new_cdp_session(table.page)
    wide = table.hex("N7").bounding_box()["width"]

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (180, 250))
    touch("touchStart", (180, 250), (220, 250))
    for step in range(1, 6):
        touch("touchMove", (180 - 10 * step, 250), (220 + 10 * step, 250))
    touch("touchEnd")
    table.page.wait_for_timeout(200)
    assert table.hex("N7").bounding_box()["width"] > 2 * wide
    table.page.click("#zoom-fit")
    table.page.wait_for_timeout(200)
    table.page.touchscreen.tap(*table.middle("H4"))
    table.page.wait_for_selector('.card h2:has-text("truck") .left')


@pytest.mark.slow
def test_another_window_has_played(sit: Sit) -> None:
    """A page unaware of a change plays nothing: it says so and shows the present game."""
    table = sit()
    table.page.route("**/events*", lambda route: None)
    table.open("bridge")
    other = sit()
    other.page.goto(table.page.url)
    other.ready()
    other.choose("ldr")
    other.aim("N6")
    other.do()
    table.choose("sq")
    table.aim("N6")
    table.page.click("#do-it")
    table.page.wait_for_selector('#said:has-text("changed elsewhere")')
    assert table.log() == ["enter ldr N6"]
    assert len(table.faults) == 1
    assert "412" in table.faults.pop()


def test_a_roll_that_was_thrown_is_not_chosen_anew(sit: Sit) -> None:
    """After a roll on the page no other result can be chosen: it is used, or postponed."""
    table = sit().open("bridge")
    table.page.evaluate(
        """async () => {
          const { askRoll } = await import(document.querySelector('script[src$="main.js"]').src.replace("main", "rolls"));
          const outcomes = [{ outcome: "mobile", chance: 21, of: 36 }, { outcome: "bogged", chance: 15, of: 36 }];
          const view = { throws: { "bog:truck": { "6,6": "bogged" } }, unsettled: {} };
          askRoll({ id: "bog:truck", unit: "truck", clause: "D8.21", note: "", outcomes }, { of: () => "Bog" }, view).then((one) => { window.rolled = one; });
        }"""
    )
    table.page.click('#roll button:has-text("Roll")')
    odds = table.page.locator("#roll .odds button")
    assert [odds.nth(at).is_disabled() for at in range(odds.count())] == [True, True]
    thrown = table.page.inner_text("#roll .thrown")
    table.page.click('#roll button:has-text("Use it")')
    assert thrown == "Rolled 6 + 6 = 12: bogged."
    assert table.page.evaluate("window.rolled") == "bogged dice=6,6"


def test_a_unit_that_can_only_end_its_move_is_not_listed(sit: Sit) -> None:
    """Before a phase ends those are listed who could still act, not those who could only end their move."""
    table = sit().open("bridge")
    table.choose("ldr")
    table.act("End its move")
    table.do()
    table.page.click("#end-phase")
    table.page.wait_for_selector('#phase p:has-text("Could still act")')
    listed = table.page.inner_text('#phase p:has-text("Could still act")')
    assert "sq (" in listed
    assert "ldr (" not in listed
