"""The page's load on the browser: a moving pointer, and two hundred moves in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_whole_moves import begun, wood

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table

    Sit = Callable[..., Table]

__all__ = ["wood"]

pytestmark = pytest.mark.slow

POINTER = 4.0
"""Milliseconds of processor time for each pointer move."""
MOVES = 200
GROWTH = 4_000_000
"""Bytes by which the page's heap can grow meanwhile."""


def spent(network: Any) -> float:
    """Return the processor seconds of the page's main thread for script, style and layout."""
    found = {one["name"]: one["value"] for one in network.send("Performance.getMetrics")["metrics"]}
    return float(found["ScriptDuration"] + found["LayoutDuration"] + found["RecalcStyleDuration"])


def test_the_pointer_costs_little(sit: Sit) -> None:
    """With the reach shaded, a pointer move over the map costs less than 4 ms of processor time."""
    table = sit().open("bridge")
    table.choose("truck")
    page = table.page
    network = page.context.new_cdp_session(page)
    network.send("Performance.enable", {"timeDomain": "threadTicks"})
    box = page.locator("#board").bounding_box()
    before = spent(network)
    for number in range(MOVES):
        x = box["x"] + box["width"] * (0.1 + 0.8 * (number % 50) / 50)
        page.mouse.move(x, box["y"] + box["height"] * (0.2 + 0.15 * (number // 50)))
    each = 1000 * (spent(network) - before) / MOVES
    assert 0 < each < POINTER
    assert table.page.locator("#shades .edge").count() > 0


def test_two_hundred_moves_leave_nothing(sit: Sit, wood: dict[str, Any]) -> None:
    """A step played and undone a hundred times: the heap grows by no more than allowed."""
    table = begun(sit(), wood)
    page = table.page
    page.click('[data-pick="scouts"]')
    page.wait_for_selector('.card h2:has-text("scouts") .left')
    network = page.context.new_cdp_session(page)

    def heap() -> int:
        network.send("HeapProfiler.collectGarbage")
        return int(network.send("Runtime.getHeapUsage")["usedSize"])

    def moved() -> None:
        page.mouse.click(*table.middle("C3"))
        page.click("#do-it")
        page.wait_for_selector('.unit[data-unit="scouts"][data-at="C3"]')
        table.rest()
        page.click("#undo")
        page.wait_for_selector('.unit[data-unit="scouts"][data-at="C4"]')
        table.rest()

    for _ in range(5):
        moved()
    before = heap()
    for _ in range(MOVES // 2):
        moved()
    assert heap() - before < GROWTH
