"""A Valor & Victory scene on the page: units are chosen, moved and turned as in any game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table

    Sit = Callable[..., Table]


@pytest.mark.slow
def test_a_squad_walks_and_a_halftrack_drives(sit: Sit) -> None:
    """A click ahead gives the cost and offers the other way; a farther one plays the way, with the load."""
    table = sit().open("hamlet")
    table.choose("sqA")
    found = table.aim("B4")
    assert "Costs 1 MP" in found
    assert "In another way (1)" in found
    assert "Enter B4, assault" in (table.page.text_content("#proposal") or "")
    table.do()
    assert table.at("sqA") == "B4"
    table.choose("track")
    table.aim("D4")
    table.do()
    assert table.at("track") == table.at("sqD") == "D4"
    assert table.log() == ["enter sqA B4", "enter track B3", "enter track C4", "enter track D4"]
