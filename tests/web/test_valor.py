"""A scene of Valor & Victory on the page: units are chosen, sent along and turned as in any game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table

    Sit = Callable[..., Table]


@pytest.mark.slow
def test_a_squad_walks_and_a_halftrack_drives(sit: Sit) -> None:
    """A click along asks how, then tells the cost; a farther one plays the way, with whom it carries."""
    table = sit().open("hamlet")
    table.choose("sqA")
    assert "enter B4 assault" in table.aim("B4")
    table.page.locator("#proposal button").filter(has_text="enter B4").first.click()
    told = table.proposal()
    assert "Costs 1 MP" in told
    table.do()
    assert table.at("sqA") == "B4"
    table.choose("track")
    table.aim("D4")
    table.do()
    assert table.at("track") == table.at("sqD") == "D4"
    assert table.log() == ["enter sqA B4", "enter track B3", "enter track C4", "enter track D4"]
