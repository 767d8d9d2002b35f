"""A server and a browser for the page's tests; without Chromium and Playwright they are skipped."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
LIMIT = 300.0
"""Seconds within which a server must begin to answer."""
PATIENT = ("--seconds", "60")
"""A busy machine takes longer for a question than players wait."""


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Return the address of a server started by its command."""
    pytest.importorskip("litestar", reason="the extra serve is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "marchtable", "serve", "--folder", str(EXAMPLES), *PATIENT]
    with subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL) as server:
        try:
            yield answering(server, f"http://127.0.0.1:{port}")
        finally:
            server.terminate()
            server.wait(30)


def answering(server: subprocess.Popen[Any], address: str) -> str:
    """Wait until a server answers, and return its address."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return address
        except OSError:
            time.sleep(0.1)
    pytest.fail("the server did not begin to answer")


@pytest.fixture(scope="package")  # while it is there, no test of this process can run asyncio
def browser() -> Iterator[Any]:
    """Return a headless Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("NO PAGE TESTS: there is no chromium on this machine")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def sit(browser: Any, address: str) -> Iterator[Callable[..., Table]]:
    """Return a function that opens a page; its console must stay empty."""
    tables: list[Table] = []

    def opened(width: int = 1280, height: int = 800, theme: str = "light", **more: Any) -> Table:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, **more
        )
        tables.append(Table(context, address))
        return tables[-1]

    yield opened
    for table in tables:
        table.page.context.close()
    assert [fault for table in tables for fault in table.faults] == []
