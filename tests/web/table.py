"""A player's actions on the page, in a few words."""

from __future__ import annotations

import re
from typing import Any

import pytest

LIKE = [[".ground"], [".printed"], ["#shades > :nth-child(n + 9)"], [".hex:nth-child(n + 9)"]]
"""Of hundreds of identical hexes axe needs to check only some."""


class Table:
    """
    A page in a browser.

    Parameters
    ----------
    context
        Playwright's browser context.
    address
        Where the server listens.
    """

    def __init__(self, context: Any, address: str) -> None:
        self.address = address
        self.faults: list[str] = []
        self.is_deaf = False
        self.page = context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", self._asked)

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning") and not self.is_deaf:
            self.faults.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.faults.append(f"asked elsewhere: {request.url}")

    def accessible(self) -> list[str]:
        """Return axe-core's findings."""
        axe = pytest.importorskip(
            "axe_playwright_python.sync_playwright", reason="axe is not there"
        )
        self.is_deaf = True  # it adds styles to the page, which the policy forbids and reports
        result = axe.Axe().run(self.page, context={"exclude": LIKE}, options={"preload": False})
        found = result.response["violations"]
        self.page.wait_for_timeout(50)
        self.is_deaf = False
        return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]

    def open(self, scene: str) -> Table:
        """Begin a game with an example, skipping the first page, whose many boards are slow to draw."""
        begun = self.page.request.post(f"{self.address}/api/games", data={"named": scene})
        self.page.goto(f"{self.address}/games/{begun.json()['game']}")
        return self.ready()

    def demo(self, rulebook: str) -> Table:
        """Begin a game with a demonstration."""
        self.page.goto(f"{self.address}/")
        self.page.click(f'form[action="/demos/{rulebook}"] button')
        return self.ready()

    def ready(self) -> Table:
        """Wait until a game is shown, its map at rest."""
        self.page.wait_for_selector("body[data-ready]")
        self.rest()
        self.drawn()
        return self

    def drawn(self) -> None:
        """Wait until the map has its size: it is redrawn once after a panel beside it is filled."""
        self.page.evaluate(
            "() => new Promise(d => requestAnimationFrame(() => requestAnimationFrame(d)))"
        )

    def rest(self) -> None:
        """Wait until no question is pending."""
        self.page.wait_for_selector('body:not([aria-busy="true"])')

    def choose(self, unit: str) -> None:
        """Choose a unit by its counter, and wait for its reach."""
        self.drawn()
        at = self.page.locator(f'.unit[data-unit="{unit}"]').bounding_box()
        self.page.mouse.click(at["x"] + at["width"] * 0.5, at["y"] + at["height"] * 0.1)
        self.page.wait_for_selector(f'.card h2:has-text("{unit}") .left')

    def hex(self, name: str) -> Any:
        """Return a hex's group."""
        return self.page.locator(f'.hex[data-at="{name}"]')

    def middle(self, name: str) -> tuple[float, float]:
        """Return the screen position of a hex's middle; a hex out of view is scrolled in as by a player."""
        self.drawn()
        if not self._in_view(name):
            self.page.click("#zoom-fit")
            self.drawn()
        box = self.hex(name).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _in_view(self, name: str) -> bool:
        """Return whether the middle of a hex is a visible part of the map."""
        box, seen = self.hex(name).bounding_box(), self.page.locator("main.table").bounding_box()
        middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        sizes = {"x": "width", "y": "height"}
        return all(seen[a] < middle[a] < seen[a] + seen[size] for a, size in sizes.items())

    def aim(self, name: str) -> str:
        """Click a hex and return what is proposed."""
        self.page.mouse.click(*self.middle(name))
        return self.proposal()

    def act(self, words: str) -> str:
        """Click one of the offered actions, by its words, and return the proposal."""
        exact = re.compile(rf"^\s*{re.escape(words)}\s*([\d.]+ \w+)?\s*$", re.I)
        self.page.locator("#panel button.act").filter(has_text=exact).first.click()
        return self.proposal()

    def proposal(self) -> str:
        """Return the proposal, once judged."""
        self.page.wait_for_selector("#do-it, #what-if, #not-now, #proposal > .actions")
        self.rest()
        return str(self.page.inner_text("#proposal"))

    def do(self, button: str = "#do-it") -> None:
        """Play the proposal."""
        self.page.click(button)
        self.page.wait_for_selector("#proposal", state="detached")
        self.rest()

    def log(self) -> list[str]:
        """Return the entries of the log that are shown."""
        self.page.click("#tab-log")
        self.page.wait_for_selector("#panel :is(ol.log, p.aside-note)")  # its script is fetched
        entries = self.page.locator("ol.log > li > button")
        found = entries.evaluate_all("all => all.map(one => one.title || one.innerText.trim())")
        return [str(one) for one in found[1:]]

    def said(self) -> str:
        """Return the last message."""
        return str(self.page.inner_text("#said"))

    def at(self, unit: str) -> str:
        """Return the place of a unit's counter."""
        return str(self.page.get_attribute(f'.unit[data-unit="{unit}"]', "data-at"))
