"""How the server is started."""

from __future__ import annotations

import queue
import socket
import webbrowser
from typing import TYPE_CHECKING

from marchtable.service.settings import Settings
from marchtable.web import serving

if TYPE_CHECKING:
    import pytest


def test_the_address_is_told_once_it_listens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The address is told, and the browser sent there, when a connection is taken, not before."""
    shown: queue.Queue[str] = queue.Queue()
    begin = serving.server_of
    monkeypatch.setattr(webbrowser, "open", shown.put)

    def server_of(settings: Settings, host: str, port: int) -> serving.Server:
        server = begin(settings, host, port)
        startup = server.startup

        async def watched(sockets: list[socket.socket] | None = None) -> None:
            assert capsys.readouterr().out == ""
            await startup(sockets)
            assert sockets is not None
            socket.create_connection(sockets[0].getsockname(), timeout=5).close()
            server.should_exit = True

        monkeypatch.setattr(server, "startup", watched)
        return server

    monkeypatch.setattr(serving, "server_of", server_of)
    serving.run(Settings(workers=1, tokens={"word": "german"}), "127.0.0.1", 0, shows=True)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"marchtable: {shown.get(timeout=10)} (Ctrl-C ends it)"
    assert said[1] == "token of german: word"
