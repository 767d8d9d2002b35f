"""The MCP server: the engine's methods as tools, with pictures as images."""

from __future__ import annotations

import json
import math
import threading
from base64 import b64encode
from contextlib import suppress
from importlib.metadata import version
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from marchtable.answers.answer import unknown_answer
from marchtable.budget import OverLimit, limited, watched
from marchtable.codec.plain import one_line
from marchtable.cpsat.harness import Stop
from marchtable.protocol.messages import Fault
from marchtable.protocol.methods import Methods
from marchtable.protocol.tools import INSTRUCTIONS, tools

__all__ = ["run", "server"]

PAUSE = 0.2
"""Seconds between two checks of a tool's progress."""
SHOW = "show"
_CHANGES = ("open", "apply", "close")


def run(*, files: bool = False) -> None:
    """Serve one client on standard input and output until it is gone."""
    anyio.run(_serve, files)


async def _serve(files: bool) -> None:
    found = server(files=files)
    async with stdio_server() as (read, write):
        await found.run(read, write, found.create_initialization_options())


def server(*, files: bool = False) -> Server[Any]:
    """
    Return a server with its own positions.

    Parameters
    ----------
    files
        Whether scenes, boards, logs and goals can be named by file path.
    """
    methods = Methods(files=files)
    asking = Asking(methods)
    listed = [
        types.Tool(
            name=tool.name,
            description=tool.description,
            input_schema=tool.arguments,
            annotations=types.ToolAnnotations(
                read_only_hint=tool.name not in _CHANGES, open_world_hint=False
            ),
        )
        for tool in tools(methods)
    ]

    async def list_tools(_: ServerRequestContext[Any], _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed)

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        return await asking.ask(context, params.name, params.arguments or {})

    return Server(
        "marchtable",
        version=version("marchtable"),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


class _Seen:
    """The number of progress reports, and the last one."""

    def __init__(self) -> None:
        self.count, self.line = 0, ""

    def __call__(self, stage: Any) -> None:
        self.count, self.line = self.count + 1, stage.line


class Asking:
    """Runs one call after the other in a thread, so that a client can cancel."""

    def __init__(self, methods: Methods) -> None:
        self._methods, self._lock = methods, threading.Lock()

    async def ask(
        self, context: ServerRequestContext[Any], name: str, arguments: dict[str, Any]
    ) -> types.CallToolResult:
        stop, seen = Stop(), _Seen()
        result: types.CallToolResult | None = None
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_report, context, seen)
                result = await anyio.to_thread.run_sync(
                    self._called, name, arguments, stop, seen, abandon_on_cancel=True
                )
                group.cancel_scope.cancel()
        finally:
            stop.request()  # an abandoned thread ends by itself, and the next one waits for it
        assert result is not None
        return result

    def _called(
        self, name: str, arguments: dict[str, Any], stop: Stop, seen: _Seen
    ) -> types.CallToolResult:
        try:
            with self._lock, limited(math.inf, stop), watched(seen):
                return self._content(name, arguments, stop)
        except OverLimit:
            return _result(unknown_answer("stop"))
        except Fault as fault:
            return _wrong(fault.message, fault.data or {})
        except Exception as fault:
            return _wrong(
                one_line(f"internal error, please report it: {type(fault).__name__}: {fault}"), {}
            )

    def _content(self, name: str, arguments: dict[str, Any], stop: Stop) -> types.CallToolResult:
        if name != SHOW:
            return _result(self._methods.call(name, arguments, stop))
        found = self._methods.call(name, {"media": "png", **arguments}, stop)
        data = found["data"] if found["base64"] else b64encode(found["data"].encode()).decode()
        image = types.ImageContent(data=data, mime_type=found["media"])
        return types.CallToolResult(content=[image])


def _result(found: Any) -> types.CallToolResult:
    text = types.TextContent(text=json.dumps(found, ensure_ascii=False))
    return types.CallToolResult(content=[text], structured_content=found)


def _wrong(message: str, data: dict[str, Any]) -> types.CallToolResult:
    """Return why a tool call was invalid, so that the caller can correct it."""
    where = [str(data[key]) for key in ("source", "field") if data.get(key)]
    text = types.TextContent(text=": ".join([*where, message]))
    return types.CallToolResult(content=[text], is_error=True)


async def _report(context: ServerRequestContext[Any], seen: _Seen) -> None:
    """Report progress to the client if it is new."""
    reported = 0
    while True:
        await anyio.sleep(PAUSE)
        if seen.count > reported:
            reported = seen.count
            with suppress(
                anyio.BrokenResourceError, anyio.ClosedResourceError
            ):  # the client is gone
                await context.session.report_progress(reported, None, seen.line)
