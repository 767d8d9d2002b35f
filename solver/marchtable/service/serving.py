"""``marchtable serve``: the server as a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import uvicorn

from marchtable.service.app import create_app

if TYPE_CHECKING:
    from marchtable.service.settings import Settings

__all__ = ["run"]


def run(settings: Settings, host: str, port: int) -> None:
    """Serve until Ctrl-C."""
    uvicorn.run(
        create_app(settings), host=host, port=port, http="h11", log_level="warning",
        limit_concurrency=settings.connections, server_header=False,
    )  # fmt: skip
