"""Routes of the board room, of saved games and of the referee's page: they read files, and keep nothing."""

from __future__ import annotations

import asyncio
from html import escape
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Response, get, post

from marchtable.service.app import json_response, service_of
from marchtable.service.bodies import decoded
from marchtable.web import boardroom, refereed, savedgames
from marchtable.web.assets import Answer, Asked, html, preloaded
from marchtable.web.boardroom import PlacedBoard, offered
from marchtable.web.uploads import Upload

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["HANDLERS"]


async def _posted(
    request: Asked, kind: type[Any], function: Callable[..., Any], *, takes_long: bool = False
) -> Answer:
    """Apply a function to a request's body, decoded as a type."""
    given = msgspec.to_builtins(decoded(await request.body(), kind))
    return json_response(await service_of(request).run(function, given, takes_long=takes_long))


@get("/boards")
async def board_room(request: Asked) -> Response[str]:
    """Show the board room."""
    boards = service_of(request).settings.library.boards
    names = await asyncio.to_thread(offered, boards)
    options = "".join(f"<option>{escape(name)}</option>" for name in names)
    return html("boards.html", boards=options, modules=preloaded("boards.js"))


class _Rows(msgspec.Struct, forbid_unknown_fields=True):
    rows: list[list[PlacedBoard]]


@post("/boards/laid", status_code=200)
async def boards_laid(request: Asked) -> Answer:
    """Return a picture of boards side by side."""
    return await _posted(request, _Rows, boardroom.laid)


@post("/boards/taken-in", status_code=200)
async def board_taken_in(request: Asked) -> Answer:
    """Return the board in a file, in full."""
    return await _posted(request, Upload, boardroom.taken_in)


class _SetUp(msgspec.Struct, forbid_unknown_fields=True):
    scene: dict[str, Any]


@post("/boards/of-scene", status_code=200)
async def boards_of_scene(request: Asked) -> Answer:
    """Return the board of a scene, to change its set-up."""
    return await _posted(request, _SetUp, boardroom.opened)


@get("/boards/kinds")
async def boards_kinds(request: Asked) -> Answer:
    """Return the kinds of units and counters that can be set up on boards."""
    return json_response(await service_of(request).run(boardroom.kinds, {}))


class _Paid(msgspec.Struct, forbid_unknown_fields=True):
    board: dict[str, Any]
    rulebook: str
    at: str


@post("/boards/tolls", status_code=200)
async def boards_tolls(request: Asked) -> Answer:
    """Return the entry cost of a hex of a board for each kind of unit."""
    return await _posted(request, _Paid, boardroom.paid)


@post("/boards/set-up", status_code=200)
async def boards_set_up(request: Asked) -> Answer:
    """Draw units set up on a board."""
    return await _posted(request, _SetUp, boardroom.set_up)


class _Files(msgspec.Struct, forbid_unknown_fields=True):
    files: list[Upload]
    mover: str = ""
    phase: str = ""
    counters: dict[str, str] = {}
    place: dict[str, str] = {}
    values: dict[str, Any] = {}


@post("/saves/taken-in", status_code=200)
async def save_taken_in(request: Asked) -> Answer:
    """Return the scene of a saved game, and the notes of its import."""
    return await _posted(request, _Files, savedgames.taken_in)


@get("/referee")
async def referee_page() -> Response[str]:
    """Show the page on which logs are judged and replayed."""
    return html("referee.html", modules=preloaded("refereed.js"))


class _Recorded(msgspec.Struct, forbid_unknown_fields=True):
    files: list[Upload]
    viewer: str = ""
    reveal: bool = False


@post("/referee/judged", status_code=200)
async def referee_judged(request: Asked) -> Answer:
    """Judge logs, and return the data for their replay."""
    return await _posted(request, _Recorded, refereed.judged, takes_long=True)


class _Chosen(msgspec.Struct, forbid_unknown_fields=True):
    files: list[Upload]


@post("/scenes/taken-in", status_code=200)
async def scene_taken_in(request: Asked) -> Answer:
    """Read a scene and the files of its boards."""
    return await _posted(request, _Chosen, savedgames.scene_taken_in)


HANDLERS = (
    board_room,
    boards_laid,
    board_taken_in,
    boards_of_scene,
    boards_kinds,
    boards_tolls,
    boards_set_up,
    save_taken_in,
    referee_page,
    referee_judged,
    scene_taken_in,
)
