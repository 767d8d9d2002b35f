"""A worker process: answers one call after another, and can be killed at any time."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import struct
import tempfile
import threading
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.answers.answer import unknown_answer
from marchtable.budget import OverLimit, limited, now_and_then, watched
from marchtable.cpsat.harness import Stop
from marchtable.service.calls import Briefing, Call, News, Reply
from marchtable.service.functions import replied
from marchtable.service.positions import Positions
from marchtable.service.scratch import folder_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["STOP", "framed", "serve", "unknown_reply"]

STOP = b""
"""Sent instead of a call: the one of that number must end with its present results."""
NUMBER = struct.Struct("!Q")
MEGABYTE = 2**20


def framed(number: int, message: bytes) -> bytes:
    """Return the frame of a call, or of :data:`STOP`, with its number."""
    return NUMBER.pack(number) + message


def serve(connection: Connection, briefing: bytes) -> None:
    """Answer the calls from a connection until it ends."""
    settings = msgspec.msgpack.decode(briefing, type=Briefing)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _bounded(settings)
    if settings.scratch:
        tempfile.tempdir = str(folder_of(Path(settings.scratch), os.getpid()))
        Path(tempfile.tempdir).mkdir(mode=0o700)
    positions = Positions(settings.library)
    calls: queue.SimpleQueue[tuple[bytes, Stop] | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, calls), daemon=True).start()
    while (call := calls.get()) is not None:
        reply = _answered(positions, connection, *call)
        connection.send_bytes(msgspec.msgpack.encode(reply))


def _listen(connection: Connection, calls: queue.SimpleQueue[tuple[bytes, Stop] | None]) -> None:
    """Queue calls; a request to stop is received during a call, or ahead of it."""
    stops: dict[int, Stop] = {}
    with contextlib.suppress(EOFError, OSError):
        while True:
            came = connection.recv_bytes()
            (number,), message = NUMBER.unpack_from(came), came[NUMBER.size :]
            stop = stops.setdefault(number, Stop())
            if message == STOP:
                stop.request()
            else:
                stops = {number: stop}  # earlier ones are answered
                calls.put((message, stop))
    os._exit(0)  # the server is gone


def _bounded(briefing: Briefing) -> None:
    """Limit memory; lower the priority if requested."""
    if hasattr(os, "nice"):
        os.nice(briefing.nice)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (briefing.memory * MEGABYTE,) * 2)


def _answered(positions: Positions, connection: Connection, message: bytes, stop: Stop) -> Reply:
    call = msgspec.msgpack.decode(message, type=Call)

    def send(news: dict[str, Any]) -> None:
        connection.send_bytes(msgspec.msgpack.encode(News(msgspec.json.encode(news))))

    watch = now_and_then(send) if call.args.get("reports") else None
    try:
        with limited(call.seconds, stop), watched(watch):
            return replied(positions, call, stop)
    except OverLimit:
        return unknown_reply("stop" if stop.is_requested else "limit")
    except MemoryError:
        return Reply(200, unknown_reply("limit").body, {"cut": True, "spent": True})
    except Exception:  # an internal error, which the server logs
        return Reply(500, b"", {"fault": traceback.format_exc()})


def unknown_reply(unsettled: Any) -> Reply:
    """Return the reply to an interrupted question."""
    return Reply(200, msgspec.json.encode(unknown_answer(unsettled)), {"cut": True})
