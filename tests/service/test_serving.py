"""How the server is started."""

from __future__ import annotations

import os
import queue
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from marchtable.cli.main import app
from marchtable.service.settings import Settings
from marchtable.web import serving
from tests.examples import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def test_the_address_is_reported_once_it_listens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The address is printed at once; the browser opens when a connection is accepted, not before."""
    shown: queue.Queue[str] = queue.Queue()
    starting: list[str] = []
    begin = serving.server_of
    monkeypatch.setattr(webbrowser, "open", shown.put)

    def server_of(settings: Settings, host: str, port: int) -> serving.Server:
        server = begin(settings, host, port)
        startup = server.startup

        async def watched(sockets: list[socket.socket] | None = None) -> None:
            starting.append(capsys.readouterr().out)
            await startup(sockets)
            assert sockets is not None
            socket.create_connection(sockets[0].getsockname(), timeout=5).close()
            server.should_exit = True

        monkeypatch.setattr(server, "startup", watched)
        return server

    monkeypatch.setattr(serving, "server_of", server_of)
    serving.run(Settings(workers=1, tokens={"word": "german"}), "127.0.0.1", 0, shows=True)
    said = capsys.readouterr().out.splitlines()
    address = shown.get(timeout=10)
    assert starting == [f"marchtable: starting at {address} (it reads the rulebooks first)\n"]
    assert said[0] == f"marchtable: {address} (Ctrl-C ends it)"
    assert said[1] == "token of german: word"


def rejected(*arguments: str) -> str:
    """Return the one line that the server prints instead of starting."""
    found = CliRunner().invoke(app, ["serve", "--no-open", "--port", "0", *arguments])
    assert (found.exit_code, found.stdout) == (2, "")
    (line,) = found.stderr.splitlines()
    return line


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("bad.toml", "units = [", "bad.toml"),
        ("goal.toml", 'format = "marchtable/goal/1"', "goal"),
        ("board.png", "\0", "a picture"),
    ],
)
def test_what_is_no_scene_is_reported_at_the_start(
    tmp_path: Path, name: str, text: str, says: str
) -> None:
    """A file that is no scene gives one line and exit 2, not a table without it."""
    (tmp_path / name).write_text(text)
    assert says in rejected(str(tmp_path / name))


def test_where_no_games_can_be_kept_is_reported_at_the_start(tmp_path: Path) -> None:
    """A folder, or a file that is no database, gives one line and exit 2."""
    (tmp_path / "notes").write_text("buy bread " * 100)
    for path in (tmp_path, tmp_path / "notes", tmp_path / "none" / "games.db"):
        assert f"{path}: games cannot be kept there" in rejected("--games", str(path))


def test_a_port_in_use_is_reported() -> None:
    """A port in use gives one line and exit 2."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"127.0.0.1:{port}: cannot listen" in rejected("--port", str(port))


@pytest.mark.parametrize("seconds", [0.0, 0.7])
def test_a_signal_while_it_starts(seconds: float, tmp_path: Path) -> None:
    """A server that is ended with its workers, before it listens, prints no traceback."""
    said = tmp_path / "said.txt"
    command = [sys.executable, "-m", "marchtable", "serve", str(ROOT / "docs/examples/bridge.toml")]
    with said.open("w") as out:
        process = subprocess.Popen(
            [*command, "--port", "0", "--no-open"],
            stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        while "starting at" not in said.read_text() and process.poll() is None:
            time.sleep(0.02)
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)
    assert "Traceback" not in said.read_text()
    assert "ERROR" not in said.read_text()
