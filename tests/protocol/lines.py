"""Talking to an engine in this process, line by line."""

from __future__ import annotations

import json
import tomllib
from io import BytesIO
from pathlib import Path
from typing import Any

from marchtable.protocol.engine import serve

__all__ = ["EXAMPLES", "bridge", "call", "said", "stated"]

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


def bridge() -> dict[str, Any]:
    """Return the scene of the demo's bridge."""
    return tomllib.loads((EXAMPLES / "bridge.toml").read_text(encoding="utf-8"))


def call(method: str, number: Any = 1, **params: Any) -> dict[str, Any]:
    """Return a request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def said(*messages: Any, files: bool = False) -> list[Any]:
    """Return an engine's whole output for these messages: plain data, or bytes sent as they are."""
    lines = [
        one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in messages
    ]
    sink = BytesIO()
    serve(BytesIO(b"".join(lines)), sink, files=files)
    out = sink.getvalue()
    assert not out or out.endswith(b"\n")
    return [json.loads(line) for line in out.splitlines()]


def stated(*messages: Any, files: bool = False) -> dict[Any, Any]:
    """Return results and errors by their ids."""
    return {
        one["id"]: one.get("result", one.get("error"))
        for one in said(*messages, files=files)
        if "id" in one
    }
