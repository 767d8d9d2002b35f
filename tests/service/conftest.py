"""A server in this process; the tests of its package are skipped where its extra is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("litestar", reason="needs pip install 'marchtable[serve]'")
pytest.importorskip("httpx", reason="needs pip install 'marchtable[dev]'")

from litestar.testing import TestClient

from marchtable.service.app import create_app
from marchtable.service.settings import Library, Settings, library_of
from marchtable.web.routes import HANDLERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXAMPLES = Path("docs/examples")
HOSTS = ("testserver.local", "127.0.0.1", "localhost")
GERMAN, RUSSIAN, REFEREE = (f"{name}-token-{'0' * 20}" for name in ("german", "russian", "referee"))


def settings(**changes: Any) -> Settings:
    """Return the settings of a small server."""
    found: dict[str, Any] = {
        "library": library_of(EXAMPLES / "bridge.toml"), "workers": 1, "hosts": HOSTS, **changes,
    }  # fmt: skip
    return Settings(**found)


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient[Any]]:
    """A client of a server on which every user is the referee."""
    with TestClient(create_app(settings())) as found:
        yield found


@pytest.fixture(scope="session")
def sided() -> Iterator[TestClient[Any]]:
    """A client of a server with tokens for two sides and the referee."""
    tokens = {GERMAN: "german", RUSSIAN: "russian", REFEREE: None}
    with TestClient(create_app(settings(tokens=tokens, library=Library()), HANDLERS)) as found:
        yield found


@pytest.fixture
def begun(client: TestClient[Any]) -> Callable[[], str]:
    """Begin a game and return its address."""

    def begin() -> str:
        answer = client.post("/api/games", json={"named": "bridge"})
        assert answer.status_code == 201
        return str(answer.headers["location"])

    return begin
