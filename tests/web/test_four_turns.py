"""Four turns of a Convoy and a waiting squad: two players with tokens, one on a desktop, one on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.files.scenes import load_scene, scene_data
from tests.web.conftest import EXAMPLES
from tests.web.test_sides import SQUAD
from tests.web.test_two_players import server

if TYPE_CHECKING:
    from tests.web.table import Table
    from tests.web.test_two_players import Server

__all__ = ["server"]

pytestmark = pytest.mark.slow

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True,
}  # fmt: skip
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
TURNS = [("L5", "W8"), ("O6", "W7"), ("R5", "W8"), ("U6", "W7")]
"""For each turn: the goals of the Convoy's first unit and of the waiting squad."""
UNITS = [
    {"id": "sq", "side": "german", "at": "F4", "type": "squad", "nationality": "german"},
    {"id": "guard", "at": "X7", **SQUAD},
    {"id": "secret", "at": "Y8", "concealed": True, **SQUAD},
]


class Player:
    """A user of a page who touches or clicks."""

    def __init__(self, table: Table, *, touches: bool) -> None:
        self.table, self.page, self.touches = table, table.page, touches

    def press(self, selector: str, text: str = "") -> None:
        """Press the first match."""
        found = self.page.locator(selector, **({"has_text": text} if text else {})).first
        _ = found.tap() if self.touches else found.click()

    def choose(self, unit: str) -> None:
        """Choose a unit in the list."""
        if self.page.locator(".units-strip button").count():
            self.press(".units-strip button")
        self.press(f'[data-pick="{unit}"]')
        self.page.wait_for_selector(f'.card h2:has-text("{unit}") .left')
        self.table.rest()

    def send(self, at: str) -> None:
        """Send the chosen unit to a hex, the first way if there are several."""
        x, y = self.table.middle(at)
        _ = self.page.touchscreen.tap(x, y) if self.touches else self.page.mouse.click(x, y)
        if "how?" in self.table.proposal():
            self.press("#proposal .act")
        self.do()

    def do(self) -> None:
        """Play the proposal."""
        self.page.wait_for_selector("#do-it")
        self.table.rest()
        self.press("#do-it")
        self.page.wait_for_selector("#proposal", state="detached")
        self.table.rest()

    def on(self, side: str) -> None:
        """Go on to the same phase of the other side."""
        self.press("#end-phase")
        self.press("#phase button", f"On to {side}")
        self.page.wait_for_selector(f'#turn:has-text("{side}")')
        self.table.rest()


def test_four_turns_of_a_convoy(browser: Any, server: Server) -> None:
    """One tap a turn sends the Convoy along the road; each sees the other's moves, and nothing hidden."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    given = scene_data(scene.position, name=scene.name)
    game = server.ask("/api/games", {"scene": {**given, "units": [*given["units"], *UNITS]}})[
        "game"
    ]
    german = Player(server.sit(browser, "german", game, **DESKTOP), touches=False)
    russian = Player(server.sit(browser, "russian", game, **PHONE), touches=True)
    for number, (far, near) in enumerate(TURNS, 1):
        german.page.wait_for_function("() => document.title.startsWith('● Your turn')")
        german.choose("lead")
        german.send(far)
        german.press("#panel button.act", "Impulse")
        german.press("#proposal button.act", "Impulse stop")
        german.do()
        russian.page.wait_for_selector(f'.unit[data-unit="lead"][data-at="{far}"]')
        assert german.page.is_enabled("#undo"), "to ask for it"
        german.on("russian")
        russian.page.wait_for_function("() => document.title.startsWith('● Your turn')")
        assert "It is your turn." in russian.table.said()
        russian.choose("guard")
        russian.send(near)
        german.page.wait_for_selector(f'.unit[data-unit="guard"][data-at="{near}"]')
        assert "secret" not in german.page.content()
        russian.on("german")
        german.page.wait_for_selector(f'#turn:has-text("turn {number + 1}")')
    assert [german.table.at(unit) for unit in ("lead", "second", "third")] == ["U6", "T6", "S6"]
    assert german.table.faults == russian.table.faults == []
