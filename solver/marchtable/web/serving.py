"""``marchtable serve``: the server as a command."""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from marchtable.errors import BadInputError
from marchtable.service.app import create_app
from marchtable.service.tokens import REFEREE
from marchtable.web.routes import HANDLERS

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from marchtable.service.settings import Settings

__all__ = ["PatientProtocol", "run", "server_of"]


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that drops clients whose request head does not arrive within `patience` seconds."""

    patience = 20.0
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start waiting for a request."""
        # asyncio does this only if a socket names its protocol, and uvicorn's does not
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._wait_no_more()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Process received data; stop waiting if it is a request."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before and not (self.cycle and self.cycle.response_complete):
            self._wait_no_more()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._wait()
        super().on_response_complete()

    def _wait(self) -> None:
        self._wait_no_more()
        self._late = self.loop.call_later(self.patience, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()


class Server(uvicorn.Server):
    """A server that reports when it listens."""

    announced: Callable[[], None] | None = None
    ends: Callable[[], None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, and report it."""
        await super().startup(sockets)
        if self.started and self.announced is not None:
            self.announced()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, which would last forever, then everything else."""
        if self.ends is not None:
            self.ends()
        await super().shutdown(sockets)


def server_of(settings: Settings, host: str, port: int) -> Server:
    """Return the server, not yet running."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    protocol = type("Protocol", (PatientProtocol,), {"patience": settings.patience})
    app = create_app(settings, HANDLERS)
    found = Server(uvicorn.Config(
        app, host=host, port=port, http=protocol, ws="none",
        log_level="warning", limit_concurrency=settings.connections, server_header=False,
        timeout_graceful_shutdown=3, h11_max_incomplete_event_size=32_768,
    ))  # fmt: skip

    def end() -> None:
        app.state.service.watch.closing.set()

    found.ends = end
    return found


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address, not listening yet; raise BadInputError."""
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if sys.platform != "win32":  # on Windows it would take the port from others
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise BadInputError(f"cannot listen: {error.strerror}", source=f"{host}:{port}") from None
    return found


def run(settings: Settings, host: str, port: int, *, shows: bool = False) -> None:
    """Serve until Ctrl-C: print the address at once, the tokens once listening; show the page."""
    server = server_of(settings, host, port)
    listening = _bound(host, port)
    port = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/"
    starting = f"marchtable: starting at {address} (it reads the rulebooks first)"
    print(starting, flush=True)  # noqa: T201 - reading takes a while

    def announce() -> None:
        print(f"marchtable: {address} (Ctrl-C ends it)")  # noqa: T201 - the command's answer
        for token, side in settings.tokens.items():
            print(f"token of {side or REFEREE}: {token}")  # noqa: T201
        sys.stdout.flush()
        if shows:  # some browsers return only when they are closed
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    server.announced = announce
    log = logging.getLogger("uvicorn.error")

    def is_wanted(_: logging.LogRecord) -> bool:
        return not server.should_exit  # a signal ends the workers, too, and they complain

    log.addFilter(is_wanted)
    try:
        server.run([listening])
    finally:
        log.removeFilter(is_wanted)
