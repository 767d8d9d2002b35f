"""``marchtable engine`` and ``marchtable mcp``: the client owns standard input and output."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from marchtable.cli.guard import READER_GONE, guarded
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["engine", "mcp"]

Files = Annotated[
    bool,
    typer.Option("--files", help="Let the client load scenes, boards and logs by path."),
]


def engine(*, files: Files = False) -> None:
    """Answer JSON-RPC 2.0 on stdin and stdout. One message per line."""
    from marchtable.protocol.engine import serve

    with guarded(as_json=False), _streams() as (source, sink):
        serve(source, sink, files=files, leave=lambda: os._exit(READER_GONE))


def mcp(*, files: Files = False) -> None:
    """Offer the verbs as tools to an assistant. Speaks the Model Context Protocol on stdin and stdout."""
    with guarded(as_json=False):
        try:
            from marchtable.protocol.mcpserver import run
        except ImportError as error:
            if not (error.name or "").startswith(("mcp", "anyio")):
                raise
            raise BadInputError(
                "expected the MCP SDK: pip install 'marchtable[mcp]'", source="marchtable mcp"
            ) from None
        run(files=files)


@contextmanager
def _streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Yield standard input and output; anything else printed goes to standard error."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with os.fdopen(kept, "wb", closefd=False) as sink:
            yield sys.stdin.buffer, sink
    finally:
        os.dup2(kept, 1)
        os.close(kept)
