"""Dialogs: whatever they say, no control is covered, at any size of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_two_players import server
from tests.web.test_whole_moves import begun, wood

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table

    Sit = Callable[..., Table]

__all__ = ["server", "wood"]

pytestmark = pytest.mark.slow

SIZES = [(1440, 900), (820, 1180), (390, 844), (844, 390)]
COVERED = """() => [...document.querySelectorAll('dialog[open] :is(button, select, input, .button)')].filter((one) => {
  one.scrollIntoView({ block: 'nearest' });
  const box = one.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return box.width && !one.contains(top);
}).map((one) => one.textContent || one.id)"""
"""Controls of the open dialog at whose middle, once it is scrolled to, something else lies."""
HIDDEN = """() => [...document.querySelectorAll('dialog[open] > .row:last-child button')].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.top < 0 || box.bottom > innerHeight;
}).map((one) => one.textContent)"""
"""Buttons at a dialog's end that are out of sight."""
BOG = {
    "id": "stuck",
    "side": "german",
    "type": "opel-blitz",
    "at": "B1",
    "facing": "E",
    "bogged": True,
}


def free(table: Table, name: str) -> None:
    """Check that the open dialog's controls can be pressed at every size, its last buttons without scrolling."""
    for width, height in SIZES:
        table.page.set_viewport_size({"width": width, "height": height})
        table.drawn()
        table.page.evaluate("document.querySelector('dialog[open]').scrollTop = 0")
        assert table.page.evaluate(HIDDEN) == [], (name, width, height)
        assert table.page.evaluate(COVERED) == [], (name, width, height)


def test_no_control_of_a_dialog_is_covered(sit: Sit, wood: dict[str, Any]) -> None:
    """The end of a phase with all that speaks against it, a roll with many results, the menu."""
    many = [{**wood["units"][1], "id": f"squad-number-{n}"} for n in range(40)]
    table = begun(sit(), {**wood, "units": [*wood["units"], BOG, *many]})
    page = table.page
    page.click("#end-phase")
    page.wait_for_selector('#phase p:has-text("squad-number-39")')
    table.rest()
    free(table, "the phase's end")
    page.locator("#phase button", has_text="Not yet").click()
    page.click("#more")
    page.wait_for_selector("#menu")
    free(table, "the menu")
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.click('[data-pick="stuck"]')
    table.act("Unbog")
    table.page.click("#do-it")
    page.wait_for_selector("#roll")
    assert page.locator("#roll #dice select").count() == 2, "of many results the dice are entered"
    assert "The number in a result, as in freed-" in page.inner_text("#roll")
    for _ in range(3):
        page.keyboard.press("Enter")
    assert page.locator("#roll").count() == 1, "an Enter too many decides nothing"
    free(table, "the roll")
    page.select_option("#roll select[aria-label='White die']", "3")
    page.click('#roll button:has-text("I rolled these")')
    assert "Rolled 1 and 3 (the colored die first): freed-" in page.inner_text("#roll .thrown")
    free(table, "what was rolled")
    page.locator("#roll button", has_text="Use it").click()
    page.wait_for_selector("#roll", state="detached")
