"""Messages between the server and its worker processes."""

from __future__ import annotations

from typing import Any

import msgspec

from marchtable.service.settings import Library

__all__ = ["Briefing", "Call", "News", "Reply"]


class Briefing(msgspec.Struct, frozen=True):
    """
    The start-up data of a worker process.

    Parameters
    ----------
    library
        The files that it can read.
    memory
        Its memory limit in MB.
    nice
        Its niceness: how far others take precedence.
    scratch
        A folder for temporary files, which go in a subfolder named by its id; "" for anywhere.
    """

    library: Library
    memory: int
    nice: int = 0
    scratch: str = ""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """
    A question to a worker process.

    Parameters
    ----------
    function
        A name in :data:`marchtable.service.functions.FUNCTIONS`.
    body
        The client's request body.
    scene
        The game's scene, as JSON; empty without a game.
    log
        The entries played since.
    side
        The viewing side; None sees everything.
    args
        The function's other arguments.
    seconds
        The time limit, after which it ends as UNKNOWN.
    """

    function: str
    body: bytes = b""
    scene: bytes = b""
    log: list[str] = []
    side: str | None = None
    args: dict[str, Any] = {}
    seconds: float = 10.0


class Reply(msgspec.Struct, frozen=True, tag=True):
    """
    The reply to a call.

    Parameters
    ----------
    status
        The HTTP status.
    body
        JSON for the client.
    extra
        For the server only.
    """

    status: int
    body: bytes
    extra: dict[str, Any] = {}


class News(msgspec.Struct, frozen=True, tag=True):
    """The progress of a long question, as JSON; sent before its reply."""

    body: bytes
