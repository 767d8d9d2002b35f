"""The page's routes, beside those of the API."""

from __future__ import annotations

import asyncio
import json
import re
from functools import cache
from hashlib import blake2b
from html import escape
from importlib import resources
from string import Template
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Request, Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from marchtable.errors import UnknownNameError
from marchtable.files.boards import is_board
from marchtable.service.answers import decoded
from marchtable.service.app import service_of, who_asks
from marchtable.service.games import MAIN
from marchtable.service.service import NOBODY, Refused
from marchtable.web.boardroom import Place
from marchtable.web.drawing import palette
from marchtable.web.uploads import Upload

__all__ = ["HANDLERS"]

OPEN = {"open": True}  # for everybody, without a token
_IMPORT = re.compile(r'from "\./([a-z]+\.js)"')
VIEWS = "marchtable.web.views:"
KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "html": "text/html"}

Asked = Request[Any, Any, Any]
Answer = Response[bytes]
Name = FromPath[str]
Branch = FromQuery[str]
Step = FromQuery[int | None]


@cache
def _files() -> dict[str, bytes]:
    """Return the page's files by name: nothing else can be asked for."""
    folder = resources.files("marchtable.web").joinpath("static")
    found = {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}
    return {**found, "palette.css": _palette_css().encode()}


@cache
def _preloaded(name: str) -> str:
    """Return what has a browser fetch all modules at once that one needs, each by the others."""
    found, waiting = [name], [name]
    while waiting:
        new = set(_IMPORT.findall(_files()[waiting.pop()].decode())) - set(found)
        found += sorted(new)
        waiting += new
    return "\n".join(
        f'<link rel="modulepreload" href="/static/{_edition()}/{one}">' for one in found
    )


def _palette_css() -> str:
    colours = palette()
    names = {"veil": "veil", "route": "route", "routeLine": "route-line"}
    names |= {name: name for name in ("violation", "dark", "light")}
    rules = " ".join(f"--{css}: {colours[name]};" for name, css in names.items())
    return f":root {{ {rules} }}\n"


def _html(file_name: str, /, **parts: str) -> Response[str]:
    text = Template(_files()[file_name].decode()).substitute(parts, static=f"/static/{_edition()}")
    # Without a referrer a form would not say that it is ours.
    return Response(text, media_type="text/html", headers={"Referrer-Policy": "same-origin"})


@cache
def _edition() -> str:
    """Return what stands in the addresses of the page's files: another as soon as one is another."""
    return blake2b(b"".join(_files()[name] for name in sorted(_files())), digest_size=6).hexdigest()


@get("/static/{edition:str}/{name:str}", opt=OPEN)
async def file(edition: Name, name: Name) -> Answer:
    """Send a file of the page, to be kept by the browser if it is that of its address."""
    if name not in _files():
        raise UnknownNameError(f"no file {name!r}", source="request", field="name")
    kind = KINDS.get(name.rpartition(".")[2], "text/plain")
    kept = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(
        _files()[name],
        media_type=kind,
        headers=kept if edition == _edition() else {},
    )


@get("/favicon.ico", opt=OPEN)
async def icon() -> Answer:
    """Send the page's sign."""
    return Response(_files()["icon.svg"], media_type="image/svg+xml")


@get("/", opt=OPEN)
async def start(request: Asked) -> Response[str]:
    """Show what can be opened: demonstrations, scenes by name, games that are kept."""
    service = service_of(request)
    if who_asks(request).side == NOBODY.side:
        return _html("login.html")
    demos = await service.run(f"{VIEWS}demos", {})
    tiles = [
        _tile(f"/demos/{one['rulebook']}", one["name"], f"{one['rulebook']} · {one['units']} units")
        for one in demos
    ]
    known = service.settings.library.scenes if who_asks(request).side is None else {}
    scenes = [
        _tile(
            f"/scenes/{quote(name, safe='')}", name, await _drawn(request, "scene_said", name=name)
        )
        for name in sorted(known)
    ]
    games = [_listed(one) for one in await service.listed()]
    return _html(
        "start.html",
        demos="".join(tiles),
        scenes="".join(scenes) or "<p class='dim'>None here.</p>",
        games="".join(games) or "<li class='dim'>None yet.</li>",
    )


def _listed(one: dict[str, Any]) -> str:
    many = one["entries"]
    told = f"{one['rulebook']} · begun {one['made']} UTC · {many} {'entry' if many == 1 else 'entries'}"
    return (
        f'<li><a href="/games/{escape(one["game"])}">{escape(one["name"] or one["game"])}</a>'
        f' <span class="dim">{escape(told)}</span> <button type="button" class="plain" '
        f'data-delete="{escape(one["game"])}" aria-label="Delete {escape(one["name"])}">&times;</button></li>'
    )


def _tile(action: str, name: str, told: str) -> str:
    return (
        f'<form class="tile" method="post" action="{escape(action)}">'
        f'<img src="{escape(action)}/picture" alt="" loading="lazy"><div><h3>{escape(name)}</h3>'
        f'<p class="dim">{escape(told)}</p><button class="primary">Play</button></div></form>'
    )


@get("/demos/{rulebook:str}/picture")
async def demo_picture(request: Asked, rulebook: Name) -> Answer:
    """Draw a demonstration."""
    return _picture(await _drawn(request, "demo_picture", rulebook=rulebook))


@get("/scenes/{name:str}/picture")
async def scene_picture(request: Asked, name: Name) -> Answer:
    """Draw a scene that the server was told of."""
    if who_asks(request).side is not None:
        raise Refused(403, "only the referee sees scenes that are kept here")
    return _picture(await _drawn(request, "scene_picture", name=name))


def _picture(svg: str) -> Answer:
    return Response(svg.encode(), media_type="image/svg+xml")


async def _drawn(request: Asked, function: str, **args: str) -> str:
    """Return what stays the same; there are as many as demonstrations and scenes."""
    kept: dict[tuple[str, ...], str] = request.app.state.setdefault("pictures", {})
    key = (function, *args.values())
    if key not in kept:
        kept[key] = await service_of(request).run(f"{VIEWS}{function}", args)
    return kept[key]


@post("/demos/{rulebook:str}")
async def open_demo(request: Asked, rulebook: Name) -> Redirect:
    """Begin a game with a demonstration."""
    scene = await service_of(request).run(f"{VIEWS}demo", {"rulebook": rulebook})
    game = await service_of(request).begin(json.dumps({"scene": scene}).encode(), who_asks(request))
    return Redirect(f"/games/{game.id}", status_code=303)


@post("/scenes/{name:str}")
async def open_scene(request: Asked, name: Name) -> Redirect:
    """Begin a game with a scene that the server was told of."""
    game = await service_of(request).begin(json.dumps({"named": name}).encode(), who_asks(request))
    return Redirect(f"/games/{game.id}", status_code=303)


@get("/open", opt=OPEN)
async def open_link() -> Response[str]:
    """Show the page that makes a game of the scene in its address."""
    return _html("open.html")


@get("/games/{game:str}")
async def page(request: Asked, game: Name, branch: Branch = MAIN) -> Response[str]:
    """Show a game."""
    service = service_of(request)
    try:
        found = await service.seen(who_asks(request), game, branch)
    except UnknownNameError as error:
        missing = _html("missing.html", what=escape(str(error)))
        missing.status_code = 404
        return missing
    drawn = await service.run(f"{VIEWS}board", {}, who=who_asks(request), game=found, step=0)
    facts = {"game": found.id, "rulebook": drawn["rulebook"], "colours": palette()}
    return _html(
        "game.html",
        name=escape(found.start.name or drawn["name"]),
        rulebook=escape(drawn["rulebook"]),
        board=drawn["svg"],
        modules=_preloaded("game.js"),
        facts=json.dumps(facts).replace("<", "\\u003c"),
    )


@get("/games/{game:str}/view")
async def look(
    request: Asked,
    game: Name,
    branch: Branch = MAIN,
    step: Step = None,
) -> Answer:
    """Tell how a game stands, or stood after a step, for the page to show."""
    service = service_of(request)
    found = await service.seen(who_asks(request), game, branch)
    seen = await service.run(
        f"{VIEWS}view", {}, who=who_asks(request), game=found, step=found.at(step)
    )
    return _json(seen)


class _Text(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    name: str = "log"


@post("/games/{game:str}/entries", status_code=200)
async def entries(request: Asked, game: Name, branch: Branch = MAIN) -> Answer:
    """Read a log file's text: its entries, one line each."""
    given = decoded(await request.body(), _Text)
    service = service_of(request)
    found = await service.seen(who_asks(request), game, branch)
    args = {"text": given.text, "name": given.name}
    return _json(
        {"log": await service.run(f"{VIEWS}log_read", args, who=who_asks(request), game=found)}
    )


class _Log(msgspec.Struct, forbid_unknown_fields=True):
    log: list[str]


@post("/games/{game:str}/ahead", status_code=200)
async def ahead(
    request: Asked,
    game: Name,
    branch: Branch = MAIN,
    step: Step = None,
) -> Answer:
    """Tell how a game would stand after entries that are not played."""
    given = decoded(await request.body(), _Log)
    service = service_of(request)
    found = await service.seen(who_asks(request), game, branch)
    seen = await service.run(
        f"{VIEWS}ahead", {"log": given.log}, who=who_asks(request), game=found, step=found.at(step)
    )
    return _json(seen)


@get("/games/{game:str}/hexes/{at:str}")
async def hex_inspected(
    request: Asked, game: Name, at: Name, branch: Branch = MAIN, step: Step = None
) -> Answer:
    """Tell what the map says of a hex."""
    return await _of_hex(request, "inspected", game, branch, step, at)


@get("/games/{game:str}/hexes/{at:str}/tolls")
async def hex_tolls(
    request: Asked, game: Name, at: Name, branch: Branch = MAIN, step: Step = None
) -> Answer:
    """Tell what each kind of unit pays to enter a Location."""
    return await _of_hex(request, "tolls", game, branch, step, at)


async def _of_hex(
    request: Asked, what: str, game: str, branch: str, step: int | None, at: str
) -> Answer:
    service = service_of(request)
    found = await service.seen(who_asks(request), game, branch)
    told = await service.run(
        f"marchtable.web.hexes:{what}",
        {"at": at},
        who=who_asks(request),
        game=found,
        step=found.at(step),
    )
    return _json(told)


@get("/boards")
async def board_room(request: Asked) -> Response[str]:
    """Show the board room."""
    boards = service_of(request).settings.library.boards
    names = await asyncio.to_thread(
        lambda: [name for name, path in sorted(boards.items()) if is_board(path)]
    )
    options = "".join(f"<option>{escape(name)}</option>" for name in names)
    return _html("boards.html", boards=options, modules=_preloaded("boards.js"))


class _Rows(msgspec.Struct, forbid_unknown_fields=True):
    rows: list[list[Place]]


@post("/boards/laid", status_code=200)
async def boards_laid(request: Asked) -> Answer:
    """Tell how boards look side by side."""
    given = msgspec.to_builtins(decoded(await request.body(), _Rows))
    return _json(await service_of(request).run("marchtable.web.boardroom:laid", given))


@post("/boards/taken-in", status_code=200)
async def board_taken_in(request: Asked) -> Answer:
    """Read a board's file: what it holds, told in full."""
    given = msgspec.to_builtins(decoded(await request.body(), Upload))
    return _json(await service_of(request).run("marchtable.web.boardroom:taken_in", given))


@get("/boards/kinds")
async def boards_kinds(request: Asked) -> Answer:
    """Tell what may be set up on boards."""
    return _json(await service_of(request).run("marchtable.web.boardroom:kinds", {}))


class _Paid(msgspec.Struct, forbid_unknown_fields=True):
    board: dict[str, Any]
    rulebook: str
    at: str


@post("/boards/tolls", status_code=200)
async def boards_tolls(request: Asked) -> Answer:
    """Tell what each kind of unit pays to enter a hex of a board."""
    given = msgspec.to_builtins(decoded(await request.body(), _Paid))
    return _json(await service_of(request).run("marchtable.web.boardroom:paid", given))


class _SetUp(msgspec.Struct, forbid_unknown_fields=True):
    scene: dict[str, Any]


@post("/boards/set-up", status_code=200)
async def boards_set_up(request: Asked) -> Answer:
    """Draw units set up on a board."""
    given = msgspec.to_builtins(decoded(await request.body(), _SetUp))
    return _json(await service_of(request).run("marchtable.web.boardroom:set_up", given))


class _Files(msgspec.Struct, forbid_unknown_fields=True):
    files: list[Upload]
    mover: str = ""
    phase: str = ""


@post("/saves/taken-in", status_code=200)
async def save_taken_in(request: Asked) -> Answer:
    """Read a saved game: the scene that comes of it, and what is told of that."""
    given = msgspec.to_builtins(decoded(await request.body(), _Files))
    return _json(await service_of(request).run("marchtable.web.savedgames:taken_in", given))


def _json(found: Any) -> Answer:
    return Response(msgspec.json.encode(found), media_type="application/json")


HANDLERS = (
    file,
    icon,
    start,
    open_demo,
    open_scene,
    open_link,
    page,
    look,
    entries,
    ahead,
    hex_inspected,
    hex_tolls,
    board_room,
    boards_laid,
    board_taken_in,
    boards_kinds,
    boards_tolls,
    boards_set_up,
    save_taken_in,
    demo_picture,
    scene_picture,
)
"""To be given to :func:`marchtable.service.app.create_app`."""
