"""What players found wrong with the page, told so that it stays mended."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table

    Sit = Callable[..., Table]


def test_a_hex_out_of_reach_is_named_and_no_other_step_offered(sit: Sit) -> None:
    """A click far off tells that hex and the clause that bars the way, and proposes no step."""
    table = sit().open("bridge")
    table.choose("sq")
    told = table.aim("H8")
    assert told.startswith("H8 cannot be reached")
    assert table.page.locator("#proposal .faults .clause").count() == 1
    assert table.page.locator("#what-if, #do-it").count() == 0
    assert table.said().startswith("H8 cannot be reached: ")
    table.page.click("#not-now")
    table.page.wait_for_selector("#proposal", state="detached")
