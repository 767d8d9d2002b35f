"""A server that requires tokens: the door, and a side's view behind it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.conftest import EXAMPLES, PATIENT, answering
from tests.web.table import Table
from tests.web.test_sides import SCENE

if TYPE_CHECKING:
    from collections.abc import Iterator

SIDE, REFEREE = "german", "referee"

pytestmark = pytest.mark.slow


@pytest.fixture
def guarded() -> Iterator[tuple[str, dict[str, str]]]:
    """Return the address of a server with tokens, and the tokens by holder."""
    pytest.importorskip("litestar", reason="the extra serve is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "marchtable", "serve", "--folder", str(EXAMPLES)]
    command += ["--port", str(port), "--side", SIDE, *PATIENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address = answering(server, f"http://127.0.0.1:{port}")
            lines = [server.stdout.readline() for _ in range(4)]
            found = [
                line.removeprefix("token of ").split(": ") for line in lines if "token" in line
            ]
            yield address, {who: token.strip() for who, token in found}
        finally:
            server.terminate()
            server.wait(30)


def entered(browser: Any, address: str, token: str) -> Table:
    """Log in at the door with a token."""
    table = Table(browser.new_context(), address)
    table.page.goto(address)
    table.page.fill("#token", token)
    table.page.click("#login button")
    return table


def test_a_side_comes_in(browser: Any, guarded: tuple[str, dict[str, str]]) -> None:
    """Without a token there is only a door; with a side's, its view, and a request to undo."""
    address, tokens = guarded
    stranger = entered(browser, address, "no")
    stranger.page.wait_for_selector("#fault:not(:empty)")
    assert stranger.accessible() == []
    assert stranger.page.locator(".tile").count() == 0
    referee = entered(browser, address, tokens[REFEREE])
    referee.page.wait_for_selector(".tile")
    referee.open("bridge")
    player = entered(browser, address, tokens[SIDE])
    player.page.wait_for_selector(".tile")
    player.page.goto(referee.page.url)
    player.ready()
    player.choose("ldr")
    player.aim("N6")
    player.do()
    player.page.click("#undo")
    player.page.wait_for_selector('#said:has-text("The other side is asked to take back")')
    assert player.log() == ["enter ldr N6"]
    assert player.faults == []


def test_pages_tell_a_side_nothing_hidden(guarded: tuple[str, dict[str, str]]) -> None:
    """No route of the page names to a side what the other hides, or shows by an error that it is there."""
    address, tokens = guarded

    def asked(who: str, path: str, body: Any = None) -> str:
        request = urllib.request.Request(
            address + path,
            None if body is None else json.dumps(body).encode(),
            {"Authorization": f"Bearer {tokens[who]}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as found:
                return str(found.read().decode())
        except urllib.error.HTTPError as error:
            return str(error.read().decode())

    game = json.loads(asked(REFEREE, "/api/games", {"scene": SCENE}))["game"]
    paths: list[tuple[str, Any]] = [
        (f"/games/{game}", None),
        (f"/games/{game}/view", None),
        (f"/games/{game}/view?eyes=russian", None),
        (f"/games/{game}/ahead", {"log": ["enter sq N6"]}),
        (f"/games/{game}/ahead", {"log": ["enter secre N6"]}),
        (f"/games/{game}/course", {"unit": "sq", "stops": ["N5", "M5"]}),
        (f"/games/{game}/course", {"unit": "secre", "stops": ["N5"]}),
        (f"/games/{game}/entries", {"text": "enter secre N6"}),
        (f"/games/{game}/hexes/N5", None),
        (f"/games/{game}/hexes/N5/tolls", None),
    ]
    assert "secret" in asked(REFEREE, f"/games/{game}/view")
    assert [path for path, body in paths if "secret" in asked(SIDE, path, body)] == []
