"""What the map shows beside the ground and the counters: reach, the last move, a plan."""

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
    """The reach has one colour, an outline and a legend; points left are written on request only."""
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
    assert table.page.inner_text("#reached") == f"sq can reach {count} hexes (darker: more MF left)"
    assert not table.page.is_visible(".reached .left")
    table.page.keyboard.press("c")
    assert table.page.locator(".reached .left").first.is_visible()
    assert table.accessible() == []
    table.page.click("#costs")
    assert not table.page.is_visible(".reached .left")
    table.page.keyboard.press("Escape")
    assert not table.page.is_visible("#legend")


def test_the_last_move_is_marked(sit: Sit) -> None:
    """From where a unit came and where it went is marked, after a reload too, and gone when it is taken back."""
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
    """The ways of a plan are on the map as soon as it is found, and give way to its single steps."""
    table = sit().open("bridge")
    table.choose("sq")
    table.page.click("#tab-plan")
    table.page.mouse.click(*table.middle("L6"))
    table.page.click("#find-plan")
    table.page.wait_for_selector("#plan-found")
    assert table.page.locator("#plans polyline:not(.under)").count() == 1
    assert table.page.locator("#plans text").all_text_contents() == ["sq"]
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
