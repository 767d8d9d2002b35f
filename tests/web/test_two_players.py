"""Two players, each at their own screen: one's move is on the other's page at once."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.conftest import PATIENT, answering
from tests.web.table import Table
from tests.web.test_sides import SCENE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow


class Server:
    """A server with tokens that can be stopped and restarted."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.tokens = {name: f"{name}-{'0' * 20}" for name in ("referee", "german", "russian")}
        file = folder / "tokens.toml"
        file.write_text("".join(f'{who} = "{token}"\n' for who, token in self.tokens.items()))
        self.command = [
            sys.executable, "-m", "marchtable", "serve", "--port", str(self.port), "--games",
            str(folder / "games.sqlite"), *PATIENT, "--tokens", str(file), "--side", "german", "--side", "russian",
        ]  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start, and wait until it answers."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        answering(self.process, self.address)

    def end(self) -> None:
        """Stop it, within the time it takes without clients."""
        self.process.terminate()
        self.process.wait(30)

    def ask(self, path: str, body: Any) -> Any:
        """Send the referee's request."""
        headers = {"Authorization": f"Bearer {self.tokens['referee']}", "If-Match": "*"}
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=60) as found:
            return json.load(found)

    def sit(self, browser: Any, side: str, game: str, **more: Any) -> Table:
        """Open a game with a side's token."""
        table = Table(browser.new_context(**more), self.address)
        table.page.goto(self.address)
        table.page.fill("#token", self.tokens[side])
        table.page.click("#login button")
        table.page.wait_for_selector(".tile")
        table.page.goto(f"{self.address}/games/{game}")
        return table.ready()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with a token for each side."""
    pytest.importorskip("litestar", reason="the extra serve is not installed")
    found = Server(tmp_path)
    try:
        yield found
    finally:
        found.end()


def test_the_other_page_follows(browser: Any, server: Server) -> None:
    """After a move, a hidden one, or the end of a phase, the other page updates without a reload."""
    game = server.ask("/api/games", {"scene": SCENE})["game"]
    german = server.sit(browser, "german", game)
    phone = {"width": 390, "height": 780}
    russian = server.sit(browser, "russian", game, viewport=phone, has_touch=True)
    assert german.page.title().startswith("● Your turn · ")
    assert not russian.page.title().startswith("●")
    assert russian.page.inner_text("#eyes") == "russian"
    assert russian.page.inner_text("#present") == "● german"
    german.page.wait_for_selector('#present:has-text("● russian")')
    german.choose("sq")
    german.aim("M7")
    german.do()
    russian.page.wait_for_selector('.unit[data-unit="sq"][data-at="M7"]')
    russian.page.wait_for_selector('#said:has-text("Played: sq: Enter M7.")')
    german.page.wait_for_selector(".trail", state="attached")  # of its own move
    german.rest()
    before, asked = german.page.content(), []
    german.page.on("request", lambda request: asked.append(request.url))
    server.ask(f"/api/games/{game}/log", {"log": ["result secret pinned"]})
    russian.page.wait_for_selector('#said:has-text("secret is now pinned")')
    german.page.wait_for_timeout(500)
    assert (german.page.content(), asked) == (before, [])
    server.ask(f"/api/games/{game}/log", {"log": ["phase RPh side=russian"], "anyway": True})
    russian.page.wait_for_function("() => document.title.startsWith('● Your turn')")
    german.page.wait_for_function("() => !document.title.startsWith('●')")
    russian.page.goto("about:blank")
    german.page.wait_for_selector('#present:has-text("○ russian")')
    assert german.faults == russian.faults == []


def test_a_lost_connection_is_said_and_found_again(browser: Any, server: Server) -> None:
    """While the server is away the header says so; once it is back, the page shows the moves since."""
    game = server.ask("/api/games", {"scene": SCENE})["game"]
    german = server.sit(browser, "german", game)
    assert not german.page.is_visible("#connection")
    german.is_deaf = True  # the browser itself reports each failed try
    server.end()
    german.page.wait_for_selector("#connection:visible")
    assert german.page.inner_text("#connection") == "Disconnected: trying again Try now"
    server.start()
    german.page.evaluate("addEventListener('online', () => { window.tried = true; })")
    german.page.evaluate("document.querySelector('#try-now').click()")
    assert german.page.evaluate("window.tried")
    german.page.wait_for_selector("#connection", state="hidden")
    german.page.wait_for_selector('#said:has-text("The server has restarted")')
    server.ask(f"/api/games/{game}/log", {"log": ["enter sq M7"]})
    german.page.wait_for_selector('.unit[data-unit="sq"][data-at="M7"]')


def test_the_network_goes_as_a_move_is_read(browser: Any, server: Server) -> None:
    """A move the page could not read is there once the network is back, without a reload."""
    game = server.ask("/api/games", {"scene": SCENE})["game"]
    german = server.sit(browser, "german", game)
    german.is_deaf = True
    german.page.context.set_offline(True)
    server.ask(f"/api/games/{game}/log", {"log": ["enter sq M7"]})
    german.page.wait_for_selector("#connection:visible")
    german.page.context.set_offline(False)
    german.page.wait_for_selector('.unit[data-unit="sq"][data-at="M7"]')
    german.page.wait_for_selector('#said:has-text("Played: sq: Enter M7.")')
    german.page.wait_for_selector("#connection", state="hidden")


def test_a_concealed_unit_is_seen_to_move(browser: Any, server: Server) -> None:
    """The other side sees from where to where, and not which unit; once known, which one it is."""
    game = server.ask("/api/games", {"scene": {**SCENE, "side": "russian"}})["game"]
    german = server.sit(browser, "german", game)
    russian = server.sit(browser, "russian", game)
    russian.choose("secret")
    russian.aim("O6")
    russian.do()
    german.page.wait_for_selector(
        '#said:has-text("Played: A concealed russian unit moves from N5 to O6.")'
    )
    german.page.wait_for_selector('.unit[data-at="O6"]')
    german.page.wait_for_selector("#last .trail")
    assert "secret" not in german.page.content()
    server.ask(f"/api/games/{game}/log", {"log": ["result secret revealed"]})
    german.page.wait_for_selector('#said:has-text("secret in O6 is not concealed any more")')
    assert german.faults == russian.faults == []


def test_a_phase_ends(browser: Any, server: Server) -> None:
    """A player who ends a phase with a unit chosen sees whose turn it is, in text mode too."""
    game = server.ask("/api/games", {"scene": SCENE})["game"]
    german, russian = (server.sit(browser, side, game) for side in ("german", "russian"))
    assert "squad" not in german.page.get_attribute('.unit[data-unit="?N5"]', "aria-label")
    german.page.locator('[data-unit="?N5"]').focus()
    german.page.keyboard.press("Enter")
    german.page.wait_for_selector('#panel .card:has-text("unknown")')
    assert "squad" not in german.page.inner_text("#panel .card")
    russian.page.click("#tab-text")
    russian.page.wait_for_selector("#command")
    german.choose("sq")
    german.page.wait_for_selector("#shades .reached")
    german.page.click("#end-phase")
    german.page.get_by_role("button", name="Go on to").click()
    german.page.wait_for_selector('#said:has-text("Now german DFPh")')
    german.rest()
    assert german.page.locator("#said.bad, #shades .reached, .unit.chosen").count() == 0
    russian.page.wait_for_selector('#answers:has-text("Now german DFPh")')
    assert german.faults == russian.faults == []


def test_only_the_side_that_rolls_is_asked(browser: Any, server: Server) -> None:
    """A minefield's owner attacks: the other page opens no dialog, and says whose choice it is."""
    scene = {**SCENE, "counters": [{"kind": "minefield", "at": "M7"}]}
    game = server.ask("/api/games", {"scene": scene})["game"]
    server.ask(f"/api/games/{game}/log", {"log": ["enter sq M7"]})
    russian, german = (server.sit(browser, side, game) for side in ("russian", "german"))
    due = {table: table.page.inner_text("#due") for table in (russian, german)}
    assert "from russian" in due[german], due
    assert "from" not in due[russian], due
    german.page.click("#due")
    german.page.wait_for_selector('#said:has-text("russian decides this for sq.")')
    assert german.page.locator("#roll").count() == 0


def test_a_concealed_enemy_is_walked_into(browser: Any, server: Server) -> None:
    """The way leads next to it and in; its player is asked at once, the mover only sees whose choice it is."""
    game = server.ask("/api/games", {"scene": SCENE})["game"]
    german, russian = (server.sit(browser, side, game) for side in ("german", "russian"))
    german.choose("sq")
    german.page.mouse.click(*german.middle("N5"))
    german.page.click('#panel button:has-text("Send sq to N5 instead")')
    german.page.wait_for_selector('#proposal h2:has-text("sq to N5")')
    german.page.wait_for_selector("#do-it")
    german.page.click("#do-it")
    russian.page.wait_for_selector('#roll h2:has-text("A choice is due for sq")')
    german.page.wait_for_selector('#due:has-text("A choice is due from russian: sq")')
    assert german.page.locator("#roll").count() == 0
    assert "russian decides it." in german.page.inner_text("#panel")
    russian.page.locator("#roll .odds button").first.click()
    german.page.wait_for_selector("#due", state="hidden")
    assert german.faults == russian.faults == []
