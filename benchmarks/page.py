"""
From the click on a unit to its shaded reach, in Chromium: ``python -m benchmarks.page``.

The time is the page's own (``performance.measure``): the question, the answer, and the shading.
Of a new board it is the first click after the server has begun; warm, each unit's later ones.
"""

from __future__ import annotations

import socket
import statistics
import subprocess
import sys
from typing import Any

from playwright.sync_api import sync_playwright

from tests.web.conftest import CHROMIUM, FLAGS, answering
from tests.web.table import Table

TIMES = 10
MEASURED = "performance.getEntriesByName('click to reach').map(one => one.duration)"
CLICK = """unit => document.querySelector(`.unit[data-unit="${unit}"]`)
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))"""


def main() -> None:
    """Print the figures of each rulebook's demonstration."""
    if CHROMIUM is None:
        sys.exit("there is no chromium")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for rulebook in ("asl", "panzer"):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            command = [sys.executable, "-m", "marchtable", "serve", "--port", str(port)]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
                try:
                    address = answering(server, f"http://127.0.0.1:{port}")
                    _measure(Table(chromium.new_context(), address).demo(rulebook).page, rulebook)
                finally:
                    server.terminate()


def _measure(page: Any, rulebook: str) -> None:
    units = page.eval_on_selector_all(".unit", "all => all.map(one => one.dataset.unit)")
    first = _clicked(page, units[:1])
    _clicked(page, units)
    warm = [one for _ in range(TIMES) for one in _clicked(page, units)]
    print(
        f"{rulebook}: first {first[0]:.0f} ms; warm, {len(warm)} clicks on {len(units)} units: "
        f"median {statistics.median(warm):.0f}, least {min(warm):.0f}, most {max(warm):.0f} ms"
    )


def _clicked(page: Any, units: list[str]) -> list[float]:
    page.evaluate("performance.clearMeasures()")
    for number, unit in enumerate(units, 1):
        page.keyboard.press("Escape")  # a unit already chosen is not chosen again
        page.evaluate(CLICK, unit)
        page.wait_for_function(f"() => {MEASURED}.length >= {number}")
    found: list[float] = page.evaluate(MEASURED)
    return found


if __name__ == "__main__":
    main()
