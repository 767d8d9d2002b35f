"""What the map shows besides ground and counters: reach, the last move, a plan."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table

    Sit = Callable[..., Table]

pytestmark = pytest.mark.slow


def test_reach_is_of_one_hue(sit: Sit) -> None:
    """The reach has one color, an outline and a legend; points left appear only on request."""
    table = sit().open("bridge")
    assert not table.page.is_visible("#legend")
    table.choose("sq")
    fills = table.page.eval_on_selector_all(
        "#shades .reached polygon", "all => all.map(one => getComputedStyle(one).fill)"
    )
    assert len(fills) > 5
    assert len(set(fills)) == 1
    assert table.page.locator("#shades path.edge").count() == 2
    count = len(fills) - 1
    assert (
        table.page.inner_text("#reached")
        == f"sq alone can reach {count} hexes (darker: more MF left)"
    )
    assert not table.page.is_visible(".reached .left")
    table.page.keyboard.press("c")
    assert table.page.locator(".reached .left").first.is_visible()
    assert table.accessible() == []
    table.page.click("#costs")
    assert not table.page.is_visible(".reached .left")
    table.page.keyboard.press("Escape")
    assert not table.page.is_visible("#legend")


def test_the_last_move_is_marked(sit: Sit) -> None:
    """A unit's start and end are marked, after a reload too, and cleared on undo."""
    table = sit().open("bridge")
    assert table.page.locator("#last *").count() == 0
    table.choose("truck")
    table.aim("J4")
    table.do()

    def trail() -> list[str]:
        ends = "all => all.map(one => one.getAttribute('points'))"
        marked = table.page.eval_on_selector_all("#last polygon:not(.under)", ends)
        return [
            str(table.page.locator(f'.hex:has(polygon[points="{one}"])').get_attribute("data-at"))
            for one in marked
        ]

    assert trail() == ["H4", "J4"]
    table.page.reload()
    table.ready()
    assert trail() == ["H4", "J4"]
    table.page.click("#undo")
    table.page.wait_for_selector('.unit[data-unit="truck"][data-at="H4"]')
    table.rest()
    assert trail() == []


def test_a_plan_is_drawn_at_once(sit: Sit) -> None:
    """The ways of a plan are on the map as soon as it is found, then its single steps."""
    table = sit().open("bridge")
    table.choose("sq")
    table.page.click("#tab-plan")
    table.page.mouse.click(*table.middle("L6"))
    table.page.click("#find-plan")
    table.page.wait_for_selector("#plan-found")
    assert table.page.locator("#plans polyline:not(.under)").count() == 1
    assert table.page.locator("#tags text").all_text_contents() == ["sq"], (
        "the goal names it already"
    )
    assert "Goals met: 1. Points spent: 3. Units moved: 1." in table.page.inner_text("#plan-found")
    table.page.click("#plan-found ol.log li:last-child button")
    table.page.wait_for_selector("#ways polyline")
    assert table.page.locator("#plans *").count() == 0
    table.page.click("#tab-log")
    assert table.page.locator("#plans *").count() == 0


def test_what_is_written_can_be_read(sit: Sit) -> None:
    """At every zoom no writing on the map is lower than 11 pixels; a stack's counters are readable in the panel."""
    table = sit(1440, 900).open("own-scene")
    small = """() => [...document.querySelectorAll('.printed text, #units text, #links text')]
      .filter((one) => one.style.display !== 'none')
      .map((one) => Number(one.getAttribute('font-size')) * one.getScreenCTM().a)
      .filter((size) => size < 10.95)"""
    counts = []
    for _ in range(6):
        table.page.wait_for_timeout(60)
        assert table.page.evaluate(small) == []
        counts.append(table.page.locator('#units text:not([style*="none"])').count())
        table.page.click("#zoom-in")
    assert counts[-1] > counts[0]
    table.page.click("#zoom-fit")
    table.page.locator("#panel [data-pick=truck]").click()
    table.page.wait_for_selector(".piece .counter")
    boxes = table.page.locator(".piece .counter").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == 4
    assert min(box["width"] for box in boxes) >= 56
    lefts = sorted(box["left"] for box in boxes)
    assert all(b - a >= 56 for a, b in pairwise(lefts))


def test_the_first_view_fits_the_units(sit: Sit) -> None:
    """All counters are on the screen at once when a game is opened."""
    for width, height in ((1440, 900), (820, 1180)):
        table = sit(width, height).open("bridge")
        frame = table.page.locator("#board").bounding_box()
        for box in [one.bounding_box() for one in table.page.locator(".unit").all()]:
            assert frame["x"] <= box["x"] <= frame["x"] + frame["width"] - box["width"]
            assert frame["y"] <= box["y"] <= frame["y"] + frame["height"] - box["height"]


def test_sight_is_a_thread(sit: Sit) -> None:
    """A thread from the chosen unit to the pointer shows what is seen; the button turns it off for good."""
    table = sit().open("bridge")
    table.choose("sq")
    table.page.mouse.move(*table.middle("N6"))
    table.page.wait_for_selector("#thread line.clear", state="attached")
    assert table.page.inner_text("#sighted") == "sq sees N6."
    table.page.mouse.move(*table.middle("K5"))
    table.page.wait_for_selector("#thread line.blocked", state="attached")
    assert "sq does not see K5: " in table.page.inner_text("#sighted")
    assert "(A6." in table.page.inner_text("#sighted") or "(B" in table.page.inner_text("#sighted")
    table.page.keyboard.press("s")
    assert table.page.locator("#thread *").count() == 0
    table.page.mouse.move(*table.middle("M6"))
    table.page.wait_for_selector("#ways polyline")
    assert table.page.locator("#thread *").count() == 0
    table.page.reload()
    table.ready()
    assert table.page.get_attribute("#sight", "aria-pressed") == "false"


def test_a_phone_plays_a_move(sit: Sit) -> None:
    """By touch alone a unit is found, sent to a hex and played; targets are large enough."""
    table = sit(390, 844, has_touch=True, is_mobile=True).open("bridge")
    table.page.locator('[data-pick="ldr"]').tap()
    table.page.wait_for_selector('.card h2:has-text("ldr") .left')
    table.page.touchscreen.tap(*table.middle("N6"))
    table.proposal()
    small = """() => [...document.querySelectorAll('button, summary:not(.clause summary), select, input')]
      .filter((one) => one.checkVisibility() && one.type !== 'checkbox')
      .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
      .filter(([, box]) => box.width < 43.9 || box.height < 43.9).map(([text]) => text)"""
    assert table.page.evaluate(small) == []
    table.page.locator("#do-it").tap()
    table.page.wait_for_selector('.unit[data-unit="ldr"][data-at="N6"]')
    table.rest()
    assert table.accessible() == []
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_two_fingers_move_the_map_and_choose_nothing(sit: Sit) -> None:
    """Two fingers dragged over counters pan the board, and neither choose nor send a unit."""
    table = sit(390, 844, has_touch=True, is_mobile=True).open("bridge")
    fingers = table.page.context.new_cdp_session(table.page)
    start = table.middle("N7")

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = start
    touch("touchStart", (x, y))
    touch("touchStart", (x, y), (x - 60, y))
    for step in range(1, 7):
        touch("touchMove", (x - 10 * step, y - 5 * step), (x - 60 - 10 * step, y - 5 * step))
    touch("touchEnd", (x - 120, y - 30))
    touch("touchEnd")
    table.page.wait_for_timeout(200)
    assert table.middle("N7") == pytest.approx((x - 60, y - 30), abs=6)
    assert table.page.locator(".unit.chosen").count() == 0
    assert table.page.locator("#proposal").count() == 0


def test_the_map_keeps_its_scale(sit: Sit) -> None:
    """On a phone, when the header needs another line for due rolls, no hex moves on the screen."""
    table = sit(390, 844, has_touch=True, is_mobile=True).open("bridge")
    table.drawn()
    before = table.hex("N7").bounding_box()
    head = "document.querySelector('header.bar').offsetHeight"
    high = table.page.evaluate(head)
    table.page.evaluate(
        "for (const name of ['#due', '#working', '#connection']) document.querySelector(name).hidden = false"
    )
    table.drawn()
    assert table.page.evaluate(head) > high
    assert table.hex("N7").bounding_box() == pytest.approx(before, abs=1)


def test_a_proposal_hides_the_legend_of_a_phone(sit: Sit) -> None:
    """On a phone the legend of the reach is hidden while a move is proposed, and returns."""
    table = sit(390, 844, has_touch=True, is_mobile=True).open("bridge")
    table.page.locator('[data-pick="ldr"]').tap()
    table.page.wait_for_selector("#legend", state="visible")
    table.page.touchscreen.tap(*table.middle("N6"))
    table.proposal()
    assert not table.page.is_visible("#legend")
    table.page.locator("#not-now").tap()
    table.page.wait_for_selector("#legend", state="visible")


def test_hexes_are_named_on_a_tablet(sit: Sit) -> None:
    """At 820 px the hex names are there, and large enough to read."""
    page = sit(820, 1180).open("bridge").page
    sizes = """() => [...document.querySelectorAll('.printed text')].filter((one) => one.checkVisibility())
      .map((one) => one.getBoundingClientRect().height)"""
    page.wait_for_function(f"() => ({sizes})().length > 20")
    assert min(page.evaluate(sizes)) >= 11


def test_the_whole_board_and_the_units_again(sit: Sit) -> None:
    """The button that shows the whole board shows the units again, as they were, at its second click."""
    table = sit(390, 844).open("bridge")
    shown = [table.hex("N7").bounding_box()]
    for _ in range(2):
        table.page.click("#zoom-fit")
        table.drawn()
        shown.append(table.hex("N7").bounding_box())
    first, whole, again = shown
    assert whole["width"] < first["width"] * 0.9
    assert again == pytest.approx(first, abs=1)


def test_the_header_of_a_tablet_is_one_row(sit: Sit) -> None:
    """At 820 px title, turn and buttons are beside each other."""
    page = sit(820, 1180).open("bridge").page
    middles = """() => [...document.querySelectorAll('header.bar h1, header.bar button, header.bar .chip')]
      .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
      .map(({ top, height }) => top + height / 2)"""
    found = page.evaluate(middles)
    assert len(found) > 4
    assert max(found) - min(found) < 4


def test_a_unit_that_moved_is_not_under_the_notes(sit: Sit) -> None:
    """On a phone the map shows where the chosen unit went, above what is written over the map."""
    table = sit(390, 844, has_touch=True, is_mobile=True).open("bridge")
    page = table.page
    page.locator('[data-pick="ldr"]').tap()
    page.wait_for_selector("#legend", state="visible")
    goal = max(
        page.evaluate(
            "[...document.querySelectorAll('#shades [data-at]')].map(one => one.dataset.at)"
        )
        or ["N6"],
        key=lambda name: table.hex(name).bounding_box()["y"],
    )
    table.middle(goal)
    page.touchscreen.tap(*table.middle(goal))
    table.proposal()
    table.do()
    table.drawn()
    counter = page.locator('.unit[data-unit="ldr"]').bounding_box()
    notes = page.locator(".notes").bounding_box()
    assert counter["y"] + counter["height"] / 2 < notes["y"]
