"""The page's routes, in addition to the API's."""

from __future__ import annotations

import asyncio
import base64
import json
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from marchtable.codec.plain import one_line
from marchtable.errors import UnknownNameError
from marchtable.nearest import unknown
from marchtable.rules.rulebook import rulebook_names
from marchtable.service.app import UNPACKED, json_response, service_of, who_asks
from marchtable.service.bodies import decoded
from marchtable.service.games import MAIN
from marchtable.service.pool import Busy
from marchtable.service.who import NOBODY, Rejected
from marchtable.web import artwork, courses, hexes, stacks, views
from marchtable.web.assets import OPEN, Answer, Asked, Name, file, html, icon, preloaded
from marchtable.web.board_routes import HANDLERS as BOARD_ROOM
from marchtable.web.drawing import palette

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["HANDLERS"]


NO_SCENES = {
    True: "None here.",
    False: "Only the referee begins a game with a scene of this server.",
}
NO_GAMES = {
    True: "<li class='dim'>None yet.</li>",
    False: "<li class='dim' id='waiting'>None yet. The referee must begin the game; it is listed here then.</li>",
}
IN_ADDRESS = ("game", "branch", "rulebook", "named")
"""Fields that appear in addresses."""

Branch = FromQuery[str]
Step = FromQuery[int | None]


@get("/", opt=OPEN)
async def start(request: Asked) -> Response[str]:
    """Show what can be opened: demonstrations, scenes by name, stored games."""
    service = service_of(request)
    who = who_asks(request)
    if who.side == NOBODY.side:
        return html("login.html")
    demos = await service.run(views.demos, {})
    tiles = [
        _tile(f"/demos/{one['rulebook']}", one["name"], f"{one['rulebook']} · {one['units']} units")
        for one in demos
    ]
    known = sorted(service.settings.library.scenes) if who.is_referee else []
    readers = asyncio.Semaphore(service.settings.workers)
    said = await asyncio.gather(*(_said(request, readers, name) for name in known))
    scenes = [
        _tile(f"/scenes/{quote(name, safe='')}", *words)
        for name, words in zip(known, said, strict=True)
    ]
    listed = [_listed(one) for one in await service.listed(who)]
    games = f'<h2>Games</h2><ul id="games">{"".join(listed) or NO_GAMES[who.is_referee]}</ul>'
    is_first = bool(listed) or not who.is_referee
    return html(
        "start.html",
        demos="".join(tiles),
        scenes="".join(scenes) or f"<p class='dim'>{NO_SCENES[who.is_referee]}</p>",
        games_first=games if is_first else "",
        games_last="" if is_first else games,
    )


async def _said(request: Asked, readers: asyncio.Semaphore, name: str) -> tuple[str, str]:
    """Return a scene's name and summary; a slow one does not delay the others."""
    try:
        async with readers:
            words: tuple[str, str] = await _drawn(request, views.scene_said, name=name)
            return words
    except (Rejected, Busy):
        return name, "not read in time"


def _listed(one: dict[str, Any]) -> str:
    details = f"{one['rulebook']} · begun {one['made']} UTC"
    if (many := one.get("entries")) is not None:
        details += f" · {many} {'entry' if many == 1 else 'entries'}"
    found = (
        f'<a href="/games/{escape(one["game"])}">{escape(one["name"] or one["game"])}</a>'
        f' <span class="dim">{escape(details)}</span>'
    )
    if one["deletes"]:
        found += (
            f' <button type="button" class="plain" data-delete="{escape(one["game"])}"'
            f' aria-label="Delete {escape(one["name"])}">&times;</button>'
        )
    return f"<li>{found}</li>"


def _tile(action: str, name: str, details: str) -> str:
    return (
        f'<form class="tile" method="post" action="{escape(action)}">'
        f'<img src="{escape(action)}/picture" alt="" loading="lazy"><div><h3>{escape(name)}</h3>'
        f'<p class="dim">{escape(details)}</p>'
        f'<button class="primary" aria-label="Play {escape(name)}">Play</button></div></form>'
    )


@get("/demos/{rulebook:str}/picture")
async def demo_picture(request: Asked, rulebook: Name) -> Answer:
    """Draw a demonstration."""
    _check_known("demonstration", rulebook, rulebook_names())
    return _picture(await _drawn(request, views.demo_picture, rulebook=rulebook))


@get("/scenes/{name:str}/picture")
async def scene_picture(request: Asked, name: Name) -> Answer:
    """Draw a scene of the server's library."""
    _check_scene(request, name)
    return _picture(await _drawn(request, views.scene_picture, name=name))


def _picture(svg: str) -> Answer:
    return Response(svg.encode(), media_type="image/svg+xml")


async def _drawn(request: Asked, function: Callable[..., Any], **args: str) -> Any:
    """Return a drawing, or words, that never change; there are as many as demonstrations and scenes."""
    kept: dict[tuple[Any, ...], Any] = request.app.state.setdefault("pictures", {})
    key = (function, *args.values())
    if key not in kept:
        kept[key] = await service_of(request).run(function, args)
    return kept[key]


def _check_known(what: str, name: str, names: Iterable[str]) -> None:
    """Raise Rejected (404) for an unknown name in an address."""
    if name not in names:
        raise Rejected(404, unknown(what, one_line(name, 60), sorted(names)))


def _check_scene(request: Asked, name: str) -> None:
    if who_asks(request).side is not None:
        raise Rejected(403, "only the referee can see scenes stored here")
    _check_known("scene", name, service_of(request).settings.library.scenes)


@post("/demos/{rulebook:str}")
async def open_demo(request: Asked, rulebook: Name) -> Redirect:
    """Begin a game with a demonstration."""
    _check_known("demonstration", rulebook, rulebook_names())
    scene = await service_of(request).run(views.demo, {"rulebook": rulebook})
    game = await service_of(request).begin(json.dumps({"scene": scene}).encode(), who_asks(request))
    return Redirect(f"/games/{game.id}", status_code=303)


@post("/scenes/{name:str}")
async def open_scene(request: Asked, name: Name) -> Redirect:
    """Begin a game with a scene of the server's library."""
    _check_scene(request, name)
    game = await service_of(request).begin(json.dumps({"named": name}).encode(), who_asks(request))
    return Redirect(f"/games/{game.id}", status_code=303)


@get("/open", opt=OPEN)
async def open_link() -> Response[str]:
    """Show the page that makes a game from the scene in its address."""
    return html("open.html")


@get("/games/{game:str}", opt=OPEN)
async def page(request: Asked, game: Name, branch: Branch = MAIN) -> Response[str]:
    """Show a game, or the sign-in page to visitors without a token."""
    service, who = service_of(request), who_asks(request)
    if who.side == NOBODY.side:
        return html("login.html")
    try:
        found = await service.seen(who, game, branch)
        drawn = await service.run(views.board, {}, who=who, game=found, step=0)
    except (UnknownNameError, Rejected) as error:
        missing = html("missing.html", what=escape(str(error)))
        missing.status_code = error.status if isinstance(error, Rejected) else 404
        return missing
    facts = {"game": found.id, "colours": palette(), **drawn["facts"]}
    return html(
        "game.html",
        name=escape(found.start.name or drawn["name"]),
        rulebook=escape(drawn["facts"]["rulebook"]),
        board=drawn["svg"],
        modules=preloaded("main.js"),
        facts=json.dumps(facts).replace("<", "\\u003c"),
    )


@get("/games/{game:str}/view")
async def look(
    request: Asked,
    game: Name,
    branch: Branch = MAIN,
    step: Step = None,
    since: Step = None,
) -> Answer:
    """
    Return a game, now or after a step, and which units ``moved`` since another.

    Units that entered the map, or came into sight, have no ``from``.
    """
    service, who = service_of(request), who_asks(request)
    found = await service.seen(who, game, branch)
    seen = await service.run(views.view, {}, who=who, game=found, step=step)
    moved = []
    if since is not None:
        before = await service.run(views.places, {}, who=who, game=found, step=since)
        moved = [
            {"unit": unit["unit"], "from": at, "to": unit["at"]}
            for unit in seen["units"]
            if unit["at"] and (at := before.get(unit["unit"])) != unit["at"]
        ]
    return json_response({**seen, "moved": moved})


@get("/games/{game:str}/artwork")
async def artwork_placed(request: Asked, game: Name) -> Answer:
    """Return the place of each board's artwork; empty unless the server has all of it."""
    placed, found = await _artwork(request, game)
    if None in found:
        placed = []
    return json_response([
        {"href": f"/games/{quote(game)}/artwork/{number}", **{name: one[name] for name in one if name != "digest"}}
        for number, one in enumerate(placed)
    ])  # fmt: skip


@get("/games/{game:str}/artwork/{number:int}", opt=UNPACKED)
async def artwork_picture(request: Asked, game: Name, number: FromPath[int]) -> Answer:
    """Send the artwork of a board to a player who may read the game."""
    _, found = await _artwork(request, game)
    path = found[number] if 0 <= number < len(found) else None
    sent = path and await service_of(request).run(artwork.picture, {"path": path})
    if not sent:
        raise Rejected(404, "no artwork", "number")
    kept = {"Cache-Control": "private, max-age=86400"}
    return Response(base64.b64decode(sent["data"]), media_type=sent["kind"], headers=kept)


async def _artwork(request: Asked, game: str) -> tuple[list[dict[str, Any]], list[str | None]]:
    """Return the sheets of a game's board, and the archive of each."""
    service, who = service_of(request), who_asks(request)
    seen = await service.seen(who, game)
    drawn = await service.run(artwork.sheets, {}, who=who, game=seen, step=0)
    asked = {"names": drawn["names"], "digests": [one["digest"] for one in drawn["sheets"]]}
    kept: dict[str, Any] = request.app.state.setdefault("archives", {})
    key = json.dumps(asked)
    if key not in kept:
        kept[key] = await service.run(artwork.archives, asked) if asked["digests"] else []
    return drawn["sheets"], kept[key]


class _Text(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    name: str = "log"


@post("/games/{game:str}/entries", status_code=200)
async def entries(request: Asked, game: Name, branch: Branch = MAIN) -> Answer:
    """Return the entries of a log file's text, one line each."""
    given = msgspec.to_builtins(decoded(await request.body(), _Text))
    return await _about(request, views.log_read, given, game, branch, None)


class _Log(msgspec.Struct, forbid_unknown_fields=True):
    log: list[str]


@post("/games/{game:str}/ahead", status_code=200)
async def ahead(request: Asked, game: Name, branch: Branch = MAIN, step: Step = None) -> Answer:
    """Return a game as it would be after entries that are not played."""
    given = decoded(await request.body(), _Log)
    return await _about(request, views.ahead, {"log": given.log}, game, branch, step)


class _Still(_Log, forbid_unknown_fields=True):
    unit: str
    alone: bool


@post("/games/{game:str}/still", status_code=200)
async def still(request: Asked, game: Name, branch: Branch = MAIN, step: Step = None) -> Answer:
    """Return the options of units after entries that are not played."""
    given = msgspec.to_builtins(decoded(await request.body(), _Still))
    return await _about(request, views.still, given, game, branch, step)


class _Led(msgspec.Struct, forbid_unknown_fields=True):
    unit: str
    line: str
    stops: list[str]


@post("/games/{game:str}/led", status_code=200)
async def led(request: Asked, game: Name, branch: Branch = MAIN, step: Step = None) -> Answer:
    """Return the Impulses by which a unit leads its line through hexes."""
    given = msgspec.to_builtins(decoded(await request.body(), _Led))
    return await _about(request, courses.led, given, game, branch, step)


@get("/games/{game:str}/reach-alone/{unit:str}")
async def reach_alone(
    request: Asked,
    game: Name,
    unit: Name,
    to: FromQuery[str | None] = None,
    branch: Branch = MAIN,
    step: Step = None,
) -> Answer:
    """Return the reach alone of a unit that leads a line, or its way ``to`` a Location."""
    given = {"unit": unit, "to": to}
    return await _about(request, courses.reach_alone, given, game, branch, step)


@get("/games/{game:str}/reach-together/{units:str}")
async def reach_together(
    request: Asked,
    game: Name,
    units: Name,
    to: FromQuery[str | None] = None,
    branch: Branch = MAIN,
    step: Step = None,
) -> Answer:
    """Return the reach of units that move together, or their way ``to`` a Location."""
    given = {"units": units.split(","), "to": to}
    return await _about(request, stacks.reach_together, given, game, branch, step)


@get("/games/{game:str}/happenings/{unit:str}")
async def happenings(
    request: Asked, game: Name, unit: Name, branch: Branch = MAIN, step: Step = None
) -> Answer:
    """Return the events that can happen to a unit now."""
    return await _about(request, views.happenings, {"unit": unit}, game, branch, step)


@get("/games/{game:str}/verbs/{verb:str}")
async def how_written(
    request: Asked,
    game: Name,
    verb: Name,
    unit: FromQuery[str] = "",
    branch: Branch = MAIN,
    step: Step = None,
) -> Answer:
    """Return how a line with a verb is written."""
    given = {"verb": verb, "unit": unit}
    return await _about(request, views.how, given, game, branch, step)


@get("/games/{game:str}/hexes/{at:str}")
async def hex_inspected(
    request: Asked, game: Name, at: Name, branch: Branch = MAIN, step: Step = None
) -> Answer:
    """Return the terrain, levels and hexsides of a hex."""
    return await _about(request, hexes.inspected, {"at": at}, game, branch, step)


@get("/games/{game:str}/hexes/{at:str}/tolls")
async def hex_tolls(
    request: Asked, game: Name, at: Name, branch: Branch = MAIN, step: Step = None
) -> Answer:
    """Return the entry cost of a Location for each kind of unit."""
    return await _about(request, hexes.tolls, {"at": at}, game, branch, step)


async def _about(
    request: Asked,
    what: Callable[..., Any],
    given: dict[str, Any],
    game: str,
    branch: str,
    step: int | None,
) -> Answer:
    """Return a function's result for a game, now or after a step."""
    service, who = service_of(request), who_asks(request)
    found = await service.seen(who, game, branch)
    return json_response(await service.run(what, given, who=who, game=found, step=step))


HANDLERS = (
    *BOARD_ROOM,
    file,
    icon,
    start,
    open_demo,
    open_scene,
    open_link,
    page,
    look,
    artwork_placed,
    artwork_picture,
    entries,
    ahead,
    still,
    led,
    reach_alone,
    reach_together,
    happenings,
    how_written,
    hex_inspected,
    hex_tolls,
    demo_picture,
    scene_picture,
)
"""Handlers for :func:`marchtable.service.app.create_app`."""
