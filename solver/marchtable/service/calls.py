"""What the server puts to its worker processes, and what comes back."""

from __future__ import annotations

from typing import Any

import msgspec

from marchtable.service.settings import Library

__all__ = ["Briefing", "Call", "News", "Reply"]


class Briefing(msgspec.Struct, frozen=True):
    """
    What a worker process is given at its start.

    Parameters
    ----------
    library
        The files that it may read.
    memory
        MB that it may take.
    nice
        By how much others go before it.
    scratch
        Where it may put files for a moment, in a folder named by its id; "" for anywhere.
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
        Which, of :data:`marchtable.service.functions.FUNCTIONS`.
    body
        What the client sent.
    scene
        The game's scene, as JSON; empty where it is about none.
    log
        What was played since.
    side
        Whose eyes it is seen with; None sees all.
    args
        What else the function takes.
    seconds
        After which it ends as UNKNOWN.
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
    What comes back.

    Parameters
    ----------
    status
        That of HTTP.
    body
        JSON for the client.
    extra
        For the server only.
    """

    status: int
    body: bytes
    extra: dict[str, Any] = {}


class News(msgspec.Struct, frozen=True, tag=True):
    """How far a long question is, as JSON; comes before its reply."""

    body: bytes
