"""How the server is started."""

from __future__ import annotations

import threading
import webbrowser
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from marchtable.web.serving import show_page

if TYPE_CHECKING:
    import pytest


def test_the_page_is_shown_once_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser is sent to the address as soon as the server has started, not before."""
    shown: list[str] = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    server: Any = SimpleNamespace(started=False)
    waiting = threading.Thread(target=show_page, args=(server, "http://here/"))
    waiting.start()
    assert shown == []
    server.started = True
    waiting.join(10)
    assert shown == ["http://here/"]
