"""Following a game by server-sent events: each side gets only what it sees."""

from __future__ import annotations

import asyncio
import json
import queue
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.service import watching
from tests.service.conftest import GERMAN, REFEREE, RUSSIAN
from tests.service.test_sides import ANY, TRUTHS, begun, by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litestar.testing import TestClient

    Hear = Callable[..., list[tuple[str, str]]]


@contextmanager
def following(
    client: TestClient[Any], game: str, token: str, last: str = "", here: Any = None
) -> Iterator[Hear]:
    """Follow a game over ASGI; what is yielded waits for so many events and returns their kinds and ids.

    Watchers are recorded in `here`.
    """
    heard: queue.Queue[bytes] = queue.Queue()
    here = [] if here is None else here
    headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode())]
    headers += [(b"last-event-id", last.encode())] if last else []
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
        "scheme": "http", "path": f"{game}/events", "raw_path": f"{game}/events".encode(),
        "query_string": b"", "root_path": "", "headers": headers, "client": ("127.0.0.1", 1),
        "server": ("localhost", 80), "state": {}, "extensions": {},
    }  # fmt: skip
    sent = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Any:
        return sent.pop() if sent else await asyncio.sleep(3600)

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            assert message["status"] == 200
            assert dict(message["headers"])[b"content-type"].startswith(b"text/event-stream")
        heard.put(message.get("body", b""))

    def hear(count: int, seconds: float = 10.0) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        try:
            while len(found) < count:
                for block in heard.get(timeout=seconds).decode().split("\n\n"):
                    result = dict(line.split(": ", 1) for line in block.splitlines() if line)
                    if result.get("event") == "present":
                        here[:] = [
                            *(data := json.loads(result["data"]))["here"],
                            *data.keys() - {"here"},
                        ]
                    elif "event" in result:
                        assert list(json.loads(result["data"])) == ["etag"]
                        found.append((result["event"], result["id"]))
        except queue.Empty:
            pass
        return found

    with client.portal() as portal:
        task = portal.start_task_soon(client.app, scope, receive, send)
        try:
            yield hear
        finally:
            task.cancel()
            with pytest.raises(CancelledError):
                task.result(10)


def test_a_hidden_move_is_no_news(sided: TestClient[Any]) -> None:
    """Both sides get what both see; only a hidden unit's own side gets its actions, to the byte."""
    game = begun(sided, TRUTHS[2])

    def read() -> tuple[dict[str, str], str]:
        found = sided.get(game, headers=by(GERMAN))
        return {k: v for k, v in found.headers.items() if k != "date"}, found.text

    def play(token: str, line: str) -> None:
        found = sided.post(f"{game}/log", json={"log": [line]}, headers={**by(token), **ANY})
        assert found.status_code == 201, found.text

    with (
        following(sided, game, GERMAN) as german,
        following(sided, game, RUSSIAN) as russian,
        following(sided, game, REFEREE) as referee,
    ):
        assert [kind for hear in (german, russian, referee) for kind, _ in hear(1)] == 3 * ["game"]
        before = read()
        play(RUSSIAN, "result secret3 pinned")
        assert (len(russian(1)), len(referee(1)), german(1, 0.3)) == (1, 1, [])
        assert read() == before, "neither the log, nor a count, nor the ETag"
        matched = {**by(GERMAN), "If-Match": before[0]["etag"]}
        assert sided.post(f"{game}/log", json={"log": ["start truck"]}, headers=matched).status_code == 201  # fmt: skip
        assert (len(german(1)), len(russian(1)), len(referee(1))) == (1, 1, 1)
    seen = sided.get(game, headers=by(GERMAN)).json()
    assert ([one["entry"] for one in seen["log"]], seen["step"]) == (["start truck"], 1)
    assert sided.get(f"{game}/steps/1", headers=by(GERMAN)).json()["key"] == seen["key"]
    assert sided.get(game, headers=by(REFEREE)).json()["step"] == 2


def test_listening_is_resumed(sided: TestClient[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Received events are not sent again; after a restart the gap is reported; at the end the game is gone."""
    game = begun(sided, [])
    with following(sided, game, GERMAN) as hear:
        ((_, last),) = hear(1)
    with following(sided, game, GERMAN, last) as hear:
        assert hear(1, 0.2) == []
        sided.post(f"{game}/log", json={"log": ["start truck"]}, headers={**by(GERMAN), **ANY})
        ((kind, _),) = hear(1)
        assert kind == "game"
    with following(sided, game, GERMAN, last) as hear:  # missed events
        ((kind, last),) = hear(1)
        assert kind == "game"
    monkeypatch.setattr(watching, "EPOCH", "later")
    with following(sided, game, GERMAN, last) as hear:
        assert [kind for kind, _ in hear(1)] == ["gap"]
        assert sided.delete(game, headers=by(REFEREE)).status_code == 204
        assert [kind for kind, _ in hear(1)] == ["gone"]


def test_viewers_are_reported(sided: TestClient[Any]) -> None:
    """A watcher that comes or goes is named to the others, without the game's contents."""
    game = begun(sided, [])
    here: list[str] = []
    with following(sided, game, GERMAN, here=here) as german:
        german(1)
        assert here == ["german"]
        with following(sided, game, RUSSIAN) as russian:
            russian(1)
            assert german(1, 0.3) == []
            assert here == ["german", "russian"]
        assert german(1, 0.3) == []
        assert here == ["german"]
