"""Hostile requests: too much, too deep, too slow, from another site. They are rejected at once."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from litestar.testing import TestClient

from marchtable.service.app import create_app
from marchtable.web.serving import server_of
from tests.service.conftest import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import uvicorn

BODY = 200_000


@pytest.fixture(scope="module")
def address(server: uvicorn.Server) -> tuple[str, int]:
    """Where the server listens."""
    found: tuple[str, int] = server.servers[0].sockets[0].getsockname()
    return found


@pytest.fixture(scope="module")
def server() -> Iterator[uvicorn.Server]:
    """A server that listens, small and impatient."""
    found = settings(body=BODY, patience=0.6, held=3 * BODY, seconds=5.0, waiting=2, each=8)
    server = server_of(found, "127.0.0.1", 0)
    listening = server.config.bind_socket()
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    while not server.started:
        time.sleep(0.05)
        assert thread.is_alive()
    try:
        yield server
    finally:
        server.should_exit = True
        thread.join()


def connected(address: tuple[str, int]) -> socket.socket:
    """Return a connection."""
    found = socket.create_connection(address, timeout=10)
    found.settimeout(10)
    return found


def received(connection: socket.socket) -> bytes:
    """Return all that comes until the other end closes."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def head(path: str, *lines: str) -> bytes:
    """Return the head of a request."""
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


def test_a_gigabyte_announced(address: tuple[str, int]) -> None:
    """A body declared too large is rejected before it arrives."""
    with connected(address) as connection:
        connection.sendall(head("/api/check", "Content-Length: 1000000000"))
        assert received(connection).startswith(b"HTTP/1.1 413")


def test_a_gigabyte_unannounced(address: tuple[str, int]) -> None:
    """A body of undeclared size is rejected once it is too large."""
    with connected(address) as connection:
        connection.sendall(head("/api/check", "Transfer-Encoding: chunked"))
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        try:
            for _ in range(16_000):
                connection.sendall(chunk)
        except OSError:
            pass
        else:
            pytest.fail("a gigabyte was taken")


def test_what_is_too_large_is_reported(address: tuple[str, int]) -> None:
    """A request that is too large is answered with the limit."""
    with connected(address) as connection:
        connection.sendall(head("/api/check", f"Content-Length: {BODY + 1}"))
        assert b"too large: expected at most 200,000 bytes" in received(connection)


def test_a_slow_head(address: tuple[str, int]) -> None:
    """A client that does not complete a request's head is dropped."""
    for sent in (b"", b"GET /api/games HTTP/1.1\r\n"):
        with connected(address) as connection:
            began = time.monotonic()
            connection.sendall(sent)
            received(connection)
            assert time.monotonic() - began < 8


def test_a_slow_body(address: tuple[str, int]) -> None:
    """A client that does not complete the body is dropped with an answer, even if bytes keep coming."""
    with connected(address) as connection:
        connection.sendall(head("/api/check", "Content-Length: 1000"))
        for _ in range(40):
            try:
                connection.sendall(b" ")
            except OSError:
                break
            time.sleep(0.05)
        assert received(connection).startswith(b"HTTP/1.1 408")


def test_many_half_sent_bodies(address: tuple[str, int]) -> None:
    """Storage for a client's incomplete requests is bounded."""
    held = [connected(address) for _ in range(6)]
    for connection in held:
        connection.sendall(head("/api/check", f"Content-Length: {BODY}") + b" " * (BODY - 1))
    answers = [received(connection)[:12] for connection in held]
    assert set(answers) == {b"HTTP/1.1 429", b"HTTP/1.1 408"}
    assert httpx.get(f"http://127.0.0.1:{address[1]}/api/games").status_code == 200
    for connection in held:
        connection.close()


def test_large_heads(address: tuple[str, int]) -> None:
    """The head of a request is bounded."""
    with connected(address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 200_000)
        assert received(connection).startswith(b"HTTP/1.1 400")


def test_slow_clients_do_no_harm(address: tuple[str, int]) -> None:
    """While many send nothing, others are answered."""
    held = [connected(address) for _ in range(100)]
    for connection in held:
        connection.sendall(b"POST /api/check HTTP/1.1\r\n")
    assert httpx.get(f"http://127.0.0.1:{address[1]}/api/games").status_code == 200
    for connection in held:
        connection.close()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://testserver.local"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
    ],
)
def test_other_sites_pages(client: TestClient[Any], headers: dict[str, str], status: int) -> None:
    """Requests for another host, or from a page of another site, are rejected; those of our own page are not."""
    assert client.post("/api/rules", json={}, headers=headers).status_code == status


def test_headers_are_on_everything(client: TestClient[Any], begun: Callable[[], str]) -> None:
    """Every response, even an error, forbids unwanted browser behavior."""
    for path in ("/api/games", begun(), "/nothing", "/api/check", "/api/games/no"):
        found = client.get(path)
        assert "default-src 'none'" in found.headers["content-security-policy"]
        assert "unsafe" not in found.headers["content-security-policy"]
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["cache-control"] == "no-store"


def test_pages_tell_their_encoding_once(sided: TestClient[Any]) -> None:
    """The page and its files declare their encoding once."""
    style = sided.get("/").text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    for path in ("/", style):
        assert sided.get(path).headers["content-type"].count("charset=utf-8") == 1, path


def test_overload_is_rejected_at_once(address: tuple[str, int], server: uvicorn.Server) -> None:
    """Requests beyond the capacity are rejected at once, the others answered."""
    base = f"http://127.0.0.1:{address[1]}/api/games"
    game = httpx.post(base, json={"named": "bridge"}).headers["location"].rpartition("/")[2]
    app: Any = server.config.app
    (worker,) = app.state.service.quick.pids

    def ask(unit: str) -> tuple[int, str]:
        found = httpx.post(f"{base}/{game}/options", json={"unit": unit}, timeout=30)
        return found.status_code, found.headers.get("retry-after", "")

    with ThreadPoolExecutor(3) as threads:
        os.kill(worker, signal.SIGSTOP)  # busy with one, two wait: there is room for no more
        try:
            asked = [threads.submit(ask, unit) for unit in ("truck", "sq", "ldr")]
            while app.state.service.quick.load != (1, 2):
                time.sleep(0.01)
            assert ask("wreck") == (503, "1")
            held = [connected(address) for _ in range(20)]
            for connection in held:
                connection.sendall(head("/api/check", "Content-Length: 9"))
            time.sleep(0.2)
            assert httpx.get(base).status_code == 200  # half of a request does not count yet
            gate = app.state.gate
            (name,) = gate.under_way
            gate.under_way[name] += 5  # with the three, one client's share
            found = httpx.get(base)
            gate.under_way[name] -= 5
            assert (found.status_code, found.headers["retry-after"]) == (429, "1")
        finally:
            os.kill(worker, signal.SIGCONT)
        assert [one.result() for one in asked] == [(200, "")] * 3
    for connection in held:
        connection.close()


def test_a_fault_of_our_own_is_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error is reported without details."""
    with TestClient(create_app(settings()), raise_server_exceptions=False) as client:
        service = client.app.state.service

        def fail(*_: Any) -> None:
            raise RuntimeError("secret")

        monkeypatch.setattr(service, "listed", fail)
        found = client.get("/api/games")
        assert found.status_code == 500
        assert "secret" not in found.text
        assert json.loads(found.text)["status"] == "ERROR"
