"""Bytes sent before the first move is played."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import tomli_w

from tests.web.conftest import PATIENT, answering
from tests.web.table import Table

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

MOST = 400_000
"""Bytes, as sent."""
SQUAD = {"type": "4-6-7", "side": "german"}


def test_the_first_move_costs_little(browser: Any, boards: Path, tmp_path: Path) -> None:
    """On four boards with sixty units, at most 400 kB beside VASL's pictures are sent until the first move is played."""
    rows = [["bd01", "bd04"], ["bd03", "bd02"]]
    for name in (one for row in rows for one in row):
        (tmp_path / name).symlink_to(boards / name)
    letters = "BCDEFGHIJKLMNOPQRSTUVWXYZ"[:20]
    units = [
        {"id": f"u{row}{c}", "at": f"1{c}{row}", **SQUAD} for row in (4, 6, 8) for c in letters
    ]
    scene = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "conditions": {"month": 6}, "board": rows, "units": units,
    }  # fmt: skip
    (tmp_path / "sixty.toml").write_text(tomli_w.dumps(scene))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "marchtable", "serve", "--folder", str(tmp_path), *PATIENT]
    with subprocess.Popen([*command, "--port", port], stdout=subprocess.DEVNULL) as server:
        try:
            address = answering(server, f"http://127.0.0.1:{port}")
            table = Table(browser.new_context(viewport={"width": 1440, "height": 900}), address)
            sizes = weighed(table, "sixty")
        finally:
            server.terminate()
            server.wait(30)
    pictures = sum(size for url, size in sizes.items() if "/artwork/" in url)
    assert 50_000 < sizes.total() - pictures < MOST, sizes.most_common(8)
    assert len(sizes) > 10
    assert table.faults == []


def weighed(table: Table, scene: str) -> Counter[str]:
    """Play the first move of a game, and return the bytes received by address."""
    urls: dict[str, str] = {}
    sizes: Counter[str] = Counter()
    network = table.page.context.new_cdp_session(table.page)
    network.send("Network.enable")
    network.on(
        "Network.requestWillBeSent", lambda e: urls.update({e["requestId"]: e["request"]["url"]})
    )
    network.on(
        "Network.loadingFinished",
        lambda e: sizes.update({urls.get(e["requestId"], ""): int(e["encodedDataLength"])}),
    )
    table.page.set_default_timeout(240_000)  # four boards are read first
    table.open(scene)
    table.page.click('[data-pick="u4D"]')
    table.page.wait_for_selector('.card h2:has-text("u4D") .left')
    table.page.locator("#panel button.act", has_text="Enter").first.click()
    table.page.wait_for_selector("#do-it")
    table.do()
    return sizes
