"""The MCP server, tested with the SDK's own client: tools, schemas, pictures, progress, cancelling."""

from __future__ import annotations

import base64
import json
import sys
import time
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("mcp", reason="the MCP SDK is not there: pip install 'marchtable[mcp]'")

import anyio
import mcp_types as types
from mcp import Client, StdioServerParameters

from marchtable.answers.answer import answer
from marchtable.budget import report_progress
from marchtable.files.scenes import scene_data
from marchtable.planning.goals import goal_data
from marchtable.protocol.mcpserver import Asking, server
from marchtable.protocol.methods import VERBS, Methods
from tests.protocol.lines import EXAMPLES, bridge
from tests.solver.planning.test_alone import crowd
from tests.solver.planning.test_why import DRY, dry

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from marchtable.cpsat.harness import Stop

GOAL = {"format": "marchtable/goal/1", "aims": [{"units": ["sq"], "at": ["M7"]}]}


def with_client(talk: Callable[[Client], Awaitable[Any]], *, files: bool = False) -> Any:
    """Return the result of a session with a server in this process."""

    async def run() -> Any:
        async with Client(server(files=files)) as client:
            with anyio.fail_after(120):
                return await talk(client)

    return anyio.run(run)


def text_of(result: types.CallToolResult) -> str:
    """Return a result's text."""
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def test_the_tools_and_their_schemas() -> None:
    """Every verb is a tool with the program's own schema, and a handle in place of the scene."""

    async def talk(client: Client) -> list[types.Tool]:
        return (await client.list_tools()).tools

    found = {tool.name: tool for tool in with_client(talk)}

    assert set(found) >= {*VERBS, "open", "apply", "show", "scene", "close", "schema", "known"}
    for tool in found.values():
        assert tool.input_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        assert tool.description
        text = json.dumps(tool.input_schema)
        names = [part.split('"')[0] for part in text.split('"#/$defs/')[1:]]
        assert set(names) <= set(tool.input_schema.get("$defs", {}))
    check = found["check"].input_schema
    assert {"position", "scene", "log", "then"} <= set(check["properties"])
    assert check["required"] == ["log"]
    assert "verb" not in check["properties"]


def test_questions_by_handle_and_by_scene() -> None:
    """A tool's result is the verb's answer, as text and as data."""

    async def talk(client: Client) -> list[types.CallToolResult]:
        opened = await client.call_tool("open", {"scene": bridge()})
        handle = opened.structured_content["position"]
        asked = {"log": ["start truck", "enter truck I5"]}
        return [
            await client.call_tool("check", {"position": handle, **asked}),
            await client.call_tool("check", {"scene": bridge(), **asked}),
            await client.call_tool("apply", {"position": handle, "actions": asked["log"]}),
            await client.call_tool("los", {"position": handle, "origin": "sq", "to": "truck"}),
        ]

    by_handle, by_scene, applied, seen = with_client(talk)
    expected = answer(
        {"verb": "check", "scene": bridge(), "log": ["start truck", "enter truck I5"]}
    )

    assert (
        json.loads(text_of(by_handle))
        == json.loads(text_of(by_scene))
        == json.loads(json.dumps(expected))
    )
    assert by_handle.structured_content["status"] == "LEGAL"
    assert applied.structured_content["position"] == "p2"
    looked = answer({"verb": "los", "scene": bridge(), "origin": "sq", "to": "truck"})
    assert json.loads(text_of(seen)) == json.loads(json.dumps(looked))


def test_what_to_lift() -> None:
    """For an impossible goal a tool returns what ``answer`` does: the proof, the set to lift, a plan."""
    scene, goal = scene_data(dry(crowd(3))), goal_data(DRY)

    async def talk(client: Client) -> types.CallToolResult:
        return await client.call_tool("why", {"scene": scene, "goal": goal})

    found = with_client(talk).structured_content
    expected = answer({"verb": "why", "scene": scene, "goal": goal})
    fields = ("status", "lift", "no_conflict", "proof", "enough")
    assert {name: found[name] for name in fields} == json.loads(
        json.dumps({name: expected[name] for name in fields})
    )
    assert found["lift"]["log"]


@pytest.mark.slow
def test_pictures_are_images() -> None:
    """A position is drawn as a PNG that the client gets as an image."""

    async def talk(client: Client) -> types.CallToolResult:
        await client.call_tool("open", {"scene": bridge()})
        return await client.call_tool("show", {"position": "p1", "unit": "truck"})

    (image,) = with_client(talk).content

    assert isinstance(image, types.ImageContent)
    assert image.mime_type == "image/png"
    assert base64.b64decode(image.data).startswith(b"\x89PNG")


def test_errors_are_reported() -> None:
    """An unknown tool, position, unit or file is an error the assistant can read and fix."""
    asked: list[tuple[str, dict[str, Any]]] = [
        ("march", {}), ("options", {"position": "p7"}), ("options", {"scene": bridge(), "unit": "trck"}),
        ("open", {"scene": str(EXAMPLES / "bridge.toml")}), ("open", {"extra": 1}),
    ]  # fmt: skip

    async def talk(client: Client) -> list[types.CallToolResult]:
        return [await client.call_tool(name, arguments) for name, arguments in asked]

    found = with_client(talk)

    assert all(one.is_error for one in found)
    texts = [text_of(one) for one in found]
    assert "no method 'march'" in texts[0]
    assert "no position 'p7'" in texts[1]
    assert "truck" in texts[2]
    assert "no file names are accepted here" in texts[3]
    assert "extra" in texts[4]


def test_files_if_allowed() -> None:
    """A server started with --files opens scenes by their paths."""

    async def talk(client: Client) -> types.CallToolResult:
        return await client.call_tool("open", {"scene": str(EXAMPLES / "bridge.toml")})

    assert with_client(talk, files=True).structured_content["name"] == "bridge"


def test_progress_and_cancelling() -> None:
    """A long plan reports progress, ends when the client cancels, and others are then answered."""
    lines: list[str] = []

    async def stated(_progress: float, _total: float | None, message: str | None) -> None:
        lines.append(message or "")

    async def talk(client: Client) -> str:
        ask = partial(
            client.call_tool,
            "plan",
            {"scene": bridge(), "goal": GOAL, "limit": 100_000, "best": 1000},
        )
        async with anyio.create_task_group() as group:
            group.start_soon(partial(ask, progress_callback=stated))
            while not lines:
                await anyio.sleep(0.05)
            group.cancel_scope.cancel()
        return text_of(await client.call_tool("rules", {"clause": "D2.12a"}))

    assert json.loads(with_client(talk))["status"] == "LEGAL"
    assert lines[0]


def test_the_command() -> None:
    """``marchtable mcp`` serves the same on standard input and output."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "marchtable", "mcp"])

    async def talk() -> types.CallToolResult:
        async with Client(command) as client:
            with anyio.fail_after(120):
                return await client.call_tool("known", {"kind": "types", "words": "opel"})

    assert json.loads(text_of(anyio.run(talk)))["entries"]


@pytest.mark.parametrize("fault", [anyio.ClosedResourceError, RuntimeError])
def test_progress_that_cannot_be_sent(fault: type[Exception]) -> None:
    """A client that has gone fails no question; any other error in progress reports stops the work."""
    stops: list[Stop] = []

    class Slow(Methods):
        def call(self, _method: str, _params: Any, stop: Stop) -> Any:
            stops.append(stop)
            report_progress("something")
            time.sleep(1)
            return {"status": "LEGAL"}

    class Session:
        async def report_progress(self, *_: Any) -> None:
            raise fault

    context: Any = SimpleNamespace(session=Session())
    asking = Asking(Slow())
    if fault is RuntimeError:
        with pytest.raises(ExceptionGroup):
            anyio.run(asking.ask, context, "check", {})
    else:
        assert not anyio.run(asking.ask, context, "check", {}).is_error
    assert stops[0].is_requested
