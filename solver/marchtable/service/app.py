"""The routes."""

from __future__ import annotations

import logging
import re
from contextlib import asynccontextmanager
from functools import partial
from sqlite3 import SQLITE_FULL, OperationalError
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from litestar import Litestar, Request, Response, delete, get, post
from litestar.config.compression import CompressionConfig
from litestar.config.cors import CORSConfig
from litestar.datastructures import Cookie
from litestar.exceptions import HTTPException, NotFoundException, ValidationException
from litestar.params import FromPath, FromQuery
from litestar.response import Stream
from litestar.routes import HTTPRoute

from marchtable.answers.answer import error_answer
from marchtable.answers.shapes import ErrorShape
from marchtable.codec.plain import one_line
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.service.addresses import nearest_address
from marchtable.service.bodies import decoded, new_job
from marchtable.service.games import MAIN, Conflict, GameBranch, Taken
from marchtable.service.gate import COOKIE, Gate, secured
from marchtable.service.openapi import Doc, document
from marchtable.service.pool import Busy
from marchtable.service.service import Service
from marchtable.service.shapes import (
    ANSWER_OF,
    VERBS,
    Append,
    EventShape,
    Fork,
    GameEventShape,
    GameShape,
    GamesShape,
    JobShape,
    NewGame,
    NewJob,
    PastGameShape,
    SessionShape,
    Token,
    body_of,
    is_about_scene,
)
from marchtable.service.watching import changes
from marchtable.service.who import NOBODY, Rejected, Who

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from litestar.handlers import HTTPRouteHandler
    from litestar.types import ControllerRouterHandler

    from marchtable.service.calls import Reply
    from marchtable.service.jobs import Job
    from marchtable.service.settings import Settings

__all__ = ["UNPACKED", "create_app", "json_response", "service_of", "who_asks"]

JSON = "application/json"
EVENTS = "text/event-stream"
UNKNOWN_THINGS = ("game", "branch")
"""Fields whose unknown names are reported as pages not found."""
UNPACKED = {"unpacked": True}
"""Option of routes whose answers are not compressed: streams, and compressed data."""
AGAIN = 10
"""Retries for a client that changes a game whatever its version, when others are faster."""
_TAG = re.compile(r'(W/)?("[^"]*")')
_STEP = re.compile(r"/api/games/[^/]+/steps/[^/]+")
_LOG = logging.getLogger(__name__)

V = TypeVar("V")
Asked = Request[Any, Any, Any]
InPath = FromPath[str]
Number = FromPath[int]
Branch = FromQuery[str]
Step = FromQuery[int | None]


def service_of(request: Asked) -> Service:
    """Return the service of a request."""
    found: Service = request.app.state.service
    return found


def who_asks(request: Asked) -> Who:
    """Return the requester; the referee can view as a side, for two players at one screen."""
    found: Who = request.scope["state"].get("who", NOBODY)
    eyes = request.query_params.get("eyes")
    return found._replace(side=eyes, is_lent=True) if eyes and found.side is None else found


def _is_named(header: str, tag: str, *, or_weak: bool) -> bool:
    """Return whether a header's ETags contain one, or are ``*`` (RFC 9110, 8.8.3 and 13.1)."""
    found = _TAG.findall(header)
    return header.strip() == "*" or any(t == tag and (or_weak or not weak) for weak, t in found)


def json_response(body: Any, status: int = 200, **headers: str) -> Response[bytes]:
    """Return plain data, or finished JSON, as a response; underscores in headers become hyphens."""
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(content, status_code=status, media_type=JSON, headers=named)


def _response(reply: Reply) -> Response[bytes]:
    if reply.status >= 500:
        _LOG.error("%s", reply.extra.get("fault"))
        raise Rejected(500, "internal error; see the server's log")
    return json_response(reply.body, reply.status)


# -- questions -------------------------------------------------------------------------------------


def _question(verb: str) -> HTTPRouteHandler:
    """Return the route of a verb on a scene in the request."""

    async def ask(request: Asked) -> Response[bytes]:
        return _response(await service_of(request).ask(verb, await request.body()))

    ask.__doc__ = VERBS[verb].__doc__
    doc = Doc({200: ANSWER_OF[verb]}, body_of(verb))
    return post(f"/api/{verb}", name=verb, doc=doc)(ask)


def _question_of_game(verb: str) -> HTTPRouteHandler:
    """Return the route of a verb on a game."""

    async def ask_game(
        request: Asked, game: InPath, branch: Branch = MAIN, step: Step = None
    ) -> Response[bytes]:
        service, body = service_of(request), await request.body()
        found = await service.seen(who_asks(request), game, branch)
        return _response(await service.ask_game(who_asks(request), found, verb, body, step=step))

    ask_game.__doc__ = (
        f"{VERBS[verb].__doc__}\nAbout the game's present state, or its state after a step."
    )
    doc = Doc({200: ANSWER_OF[verb]}, body_of(verb, of_game=True))
    return post(f"/api/games/{{game:str}}/{verb}", name=f"game {verb}", doc=doc)(ask_game)


# -- games -----------------------------------------------------------------------------------------


@get("/api/games", doc=Doc({200: GamesShape}))
async def games(request: Asked) -> Response[bytes]:
    """List the games, and the scenes with which a game can begin."""
    service = service_of(request)
    scenes = list(service.settings.library.scenes)
    who = who_asks(request)
    found = {"games": await service.listed(who), "scenes": scenes if who.is_referee else []}
    return json_response({"format": "marchtable/games/1", **found})


@post("/api/games", doc=Doc({201: GameShape}, NewGame))
async def begin(request: Asked) -> Response[bytes]:
    """Begin a game with a scene."""
    game = await service_of(request).begin(await request.body(), who_asks(request))
    return await _shown(request, game, status=201, Location=f"/api/games/{game.id}")


@get("/api/games/{game:str}", doc=Doc({200: GameShape, 304: None}))
async def read(request: Asked, game: InPath, branch: Branch = MAIN) -> Response[bytes]:
    """Return a game's present scene, log and branches; 304 if ``If-None-Match`` matches."""
    found = await service_of(request).seen(who_asks(request), game, branch)
    tag = service_of(request).etag(who_asks(request), found)
    if _is_named(request.headers.get("if-none-match", ""), tag, or_weak=True):
        return Response(b"", status_code=304, headers={"ETag": tag})
    return await _shown(request, found)


@delete("/api/games/{game:str}", doc=Doc({204: None, 403: ErrorShape}), status_code=204)
async def delete_game(request: Asked, game: InPath) -> None:
    """Delete a game with all its branches: the referee any, a side one that it began."""
    await service_of(request).delete(who_asks(request), game)


async def _shown(
    request: Asked,
    game: GameBranch,
    *,
    status: int = 200,
    more: dict[str, Any] | None = None,
    **headers: str,
) -> Response[bytes]:
    who = who_asks(request)
    stands = await service_of(request).stands(who, game)
    found = {
        "format": "marchtable/game/1",
        "game": game.id,
        "name": game.start.name,
        "rulebook": game.start.rulebook,
        "side": who.side,
        "branch": game.branch,
        "branches": list(game.branches),
        "step": game.steps,
        "version": game.version if who.is_referee else None,
        **stands,
        **(more or {}),
    }
    return json_response(found, status, ETag=service_of(request).etag(who, game), **headers)


@get("/api/games/{game:str}/steps/{step:int}", doc=Doc({200: PastGameShape}))
async def at_step(
    request: Asked, game: InPath, step: Number, branch: Branch = MAIN
) -> Response[bytes]:
    """Return a game as it was after a number of entries."""
    found = await service_of(request).seen(who_asks(request), game, branch)
    stands = await service_of(request).stands(who_asks(request), found, step)
    return json_response({
        "format": "marchtable/step/1", "game": found.id, "branch": branch, "step": step,
        "key": stands["key"], "scene": stands["scene"],
    })  # fmt: skip


async def _matched(request: Asked, id: str, branch: str) -> GameBranch:  # noqa: A002 - the field's name
    """Return a branch to change, if it is in the state that the client has seen."""
    game = await service_of(request).seen(who_asks(request), id, branch)
    wanted = request.headers.get("if-match")
    if wanted is None:
        raise Rejected(
            428,
            "missing header: send If-Match with the game's ETag that you read, or *",
            "If-Match",
        )
    if wanted.strip() != "*" and not _TAG.search(wanted):
        raise Rejected(
            412,
            'expected an ETag in its quotation marks, as it was read: "…"; or *',
            "If-Match",
        )
    tag = service_of(request).etag(who_asks(request), game)
    if not _is_named(wanted, tag, or_weak=False):
        raise Conflict(game.version)
    return game


async def _changed(
    request: Asked,
    id: str,  # noqa: A002 - the field's name
    branch: str,
    change: Callable[[GameBranch], Awaitable[V]],
) -> V:
    """Change a branch that the client has seen, even if hidden things change meanwhile."""
    left = AGAIN
    while True:
        game = await _matched(request, id, branch)
        try:
            return await change(game)
        except Conflict:
            if not left:
                raise
            left -= 1


@post("/api/games/{game:str}/log", doc=Doc({200: GameShape, 201: GameShape}, Append, matched=True))
async def append(request: Asked, game: InPath, branch: Branch = MAIN) -> Response[bytes]:
    """
    Judge entries, and play them if all are legal (201); else nothing is played (200).

    A side plays its own units; it learns nothing of what the other side hides, except its effects.
    """
    asked = decoded(await request.body(), Append)
    after, extra = await _changed(
        request,
        game,
        branch,
        lambda found: service_of(request).append(who_asks(request), found, asked),
    )
    return await _shown(request, after, status=201 if extra["kept"] else 200, more=extra)


@post(
    "/api/games/{game:str}/undo",
    doc=Doc({200: GameShape, 409: ErrorShape}, matched=True),
    status_code=200,
)
async def undo(request: Asked, game: InPath, branch: Branch = MAIN) -> Response[bytes]:
    """
    Take back what was played last: all entries that were sent together.

    A side asks the others for it (the game is returned unchanged); it is done once another side
    agrees.
    """
    return await _moved(request, game, branch, -1)


@post("/api/games/{game:str}/refuse", doc=Doc({204: None}), status_code=204)
async def refuse(request: Asked, game: InPath, branch: Branch = MAIN) -> None:
    """Do not agree to take back what was played last, or withdraw that request."""
    service, who = service_of(request), who_asks(request)
    service.refuse(who, await service.seen(who, game, branch))


@post(
    "/api/games/{game:str}/redo",
    doc=Doc({200: GameShape, 409: ErrorShape}, matched=True),
    status_code=200,
)
async def redo(request: Asked, game: InPath, branch: Branch = MAIN) -> Response[bytes]:
    """Play again what was taken back."""
    return await _moved(request, game, branch, 1)


async def _moved(request: Asked, id: str, branch: str, by: int) -> Response[bytes]:  # noqa: A002
    after = await _changed(
        request, id, branch, lambda game: service_of(request).move(who_asks(request), game, by)
    )
    return await _shown(request, after)


@post("/api/games/{game:str}/branches", doc=Doc({201: GameShape, 409: ErrorShape}, Fork))
async def fork(request: Asked, game: InPath) -> Response[bytes]:
    """Begin a branch at a step of another, which does not change."""
    asked = decoded(await request.body(), Fork)
    other = await service_of(request).seen(who_asks(request), game, asked.of)
    found = await service_of(request).fork(who_asks(request), other, asked.name, asked.step)
    return await _shown(request, found, status=201)


@get("/api/games/{game:str}/events", doc=Doc({200: GameEventShape}, media=EVENTS), opt=UNPACKED)
async def follow(request: Asked, game: InPath, branch: Branch = MAIN) -> Stream:
    """
    Stream visible changes of the game as server-sent events: ``game``, ``gap``, ``gone``.

    ``present`` says who is looking at the game, as viewers come and go, who ``asks`` to take back,
    and who ``refuses`` it.

    With ``Last-Event-ID``, events already received are not sent again; ``gap`` says that the server
    has restarted since.
    """
    service, who = service_of(request), who_asks(request)
    await service.seen(who, game, branch)
    last = request.headers.get("last-event-id", "")
    return Stream(_heard(service, who, game, branch, last), media_type=EVENTS)


async def _heard(
    service: Service, who: Who, game: str, branch: str, last: str
) -> AsyncIterator[bytes]:
    """Yield the events of a game, counting the listener among its viewers."""
    watch = service.watch

    def present() -> tuple[dict[str, Any], asyncio.Event]:
        return watch.present(game), watch.next_meeting(game)

    follow = partial(service.follow, who, game, branch)
    with watch.looking(game, who.side or "referee"):
        async for event in changes(follow, present, watch.closing, last):
            yield event


# -- jobs ------------------------------------------------------------------------------------------


@post("/api/jobs", doc=Doc({201: JobShape}, NewJob))
async def begin_job(request: Asked) -> Response[bytes]:
    """
    Begin a long question; it ends when no client has listened to its events for a while.

    The request is that of the verb; for a game, without a scene.
    """
    asked = new_job(await request.body())
    job = await service_of(request).begin_job(who_asks(request), asked)
    return json_response(job.data, 201, Location=f"/api/jobs/{job.id}")


def _job(request: Asked, id: str) -> Job:  # noqa: A002 - the field's name
    found = service_of(request).jobs.of(who_asks(request), id)
    if found is None:
        raise Rejected(404, "no such job", "job")
    return found


@get("/api/jobs/{job:str}", doc=Doc({200: JobShape}))
async def read_job(request: Asked, job: InPath) -> Response[bytes]:
    """Return a long question's progress, and its answer once there is one."""
    return json_response(_job(request, job).data)


@get("/api/jobs/{job:str}/events", doc=Doc({200: EventShape}, media=EVENTS), opt=UNPACKED)
async def events(request: Asked, job: InPath) -> Stream:
    """Stream its progress as server-sent events: ``progress``, and finally ``answer``."""
    return Stream(_job(request, job).events(), media_type=EVENTS)


@delete("/api/jobs/{job:str}", doc=Doc({200: JobShape}), status_code=200)
async def end_job(request: Asked, job: InPath) -> Response[bytes]:
    """End a long question; its answer is what was found so far."""
    found = _job(request, job)
    await found.ended()
    return json_response(found.data)


# -- sessions --------------------------------------------------------------------------------------


@post("/api/session", doc=Doc({200: SessionShape}, Token), opt={"open": True}, status_code=200)
async def enter(request: Asked) -> Response[bytes]:
    """Store a token in the browser, in a cookie that scripts cannot read."""
    shown = decoded(await request.body(), Token).token
    gate: Gate = request.app.state.gate
    who = gate.holder(shown)
    if who is None:
        raise Rejected(401, "no such token", "token")
    found = json_response({"format": "marchtable/session/1", "side": who.side})
    found.cookies.append(_cookie(request, shown))
    return found


@get("/api/session", doc=Doc({200: SessionShape}))
async def session(request: Asked) -> Response[bytes]:
    """Return the requester."""
    return json_response({"format": "marchtable/session/1", "side": who_asks(request).side})


@delete("/api/session", doc=Doc({204: None}), opt={"open": True}, status_code=204)
async def leave(request: Asked) -> Response[None]:
    """Remove the token from the browser."""
    return Response(None, status_code=204, cookies=[_cookie(request, "", max_age=0)])


def _cookie(request: Asked, value: str, max_age: int | None = None) -> Cookie:
    is_secure = request.scope["scheme"] == "https"
    return Cookie(COOKIE, value=value, httponly=True, samesite="strict", secure=is_secure,
                  path="/", max_age=max_age)  # fmt: skip


@get("/api/openapi.json")
async def openapi(request: Asked) -> Response[bytes]:
    """Return the OpenAPI document."""
    return json_response(request.app.state.document)


# -- faults ----------------------------------------------------------------------------------------


def _fault(status: int, message: str, field: str = "", **headers: str) -> Response[bytes]:
    found = error_answer(BadInputError(message, source="request", field=field))
    return json_response(found, status, **headers)


def _bad(_: Asked, error: BadInputError) -> Response[bytes]:
    missing = isinstance(error, UnknownNameError) and error.field in UNKNOWN_THINGS
    return json_response(error_answer(error.located(source="request")), 404 if missing else 400)


def _rejected(_: Asked, error: Rejected) -> Response[bytes]:
    headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
    if error.status in (429, 503):
        headers = {"Retry-After": "1"}
    return _fault(error.status, str(error), error.field, **headers)


def _conflict(_: Asked, error: Conflict) -> Response[bytes]:
    if isinstance(error, Taken):
        return _fault(409, "there is a branch of that name already", "name")
    return _fault(412, str(error), "If-Match")


def _busy(_: Asked, __: Busy) -> Response[bytes]:
    return _fault(503, "too many questions at once: try again soon", Retry_After="1")


def _locked(_: Asked, error: OperationalError) -> Response[bytes]:
    _LOG.error("%s", error)
    if error.sqlite_errorcode == SQLITE_FULL:
        return _fault(507, "the disk limit is reached: delete games that are not needed")
    return _fault(503, "the games cannot be reached: try again soon", Retry_After="1")


def _http(request: Asked, error: HTTPException) -> Response[bytes]:
    headers, message = dict(error.headers or {}), str(error.detail)
    field = ""
    if isinstance(error, NotFoundException) and _STEP.fullmatch(request.url.path):
        return _fault(400, "expected a whole number", "step")
    if error.status_code == 413:
        message = f"too large: expected at most {service_of(request).settings.body:,} bytes"
    elif error.status_code == 405:
        methods = [
            m for m in headers.get("allow", "").split(", ") if m not in ("", "HEAD", "OPTIONS")
        ]
        message = f"{request.method} is not possible here; use {' or '.join(sorted(methods))}"
    elif isinstance(error, NotFoundException):
        message = _not_found(request)
    elif isinstance(
        error, ValidationException
    ):  # clients may see only the fault of a step, not the rest of the message
        field, message = "step", "expected a whole number"
    return _fault(error.status_code, message, field, **headers)


def _not_found(request: Asked) -> str:
    """Return the message for an unknown address, with the nearest address of the API."""
    path = request.url.path
    methods = {
        route.path_format: sorted(route.methods - {"HEAD", "OPTIONS"})
        for route in request.app.routes
        if isinstance(route, HTTPRoute) and route.path.startswith("/api/")
    }
    known, near = nearest_address(path, methods)
    below = sorted(one[len(known) + 1 :] for one in methods if one.startswith(f"{known}/"))
    if known and below and path.startswith(f"{near}/"):
        found = f"; below {one_line(near, 80)!r} there are {', '.join(below)}"
    elif known:
        found = f"; nearest: {one_line(near, 80)!r} ({', '.join(methods[known])})"
    elif path.startswith("/api"):
        found = "; /api/openapi.json lists all addresses"
    else:
        return "not found"
    return f"no address {one_line(path, 80)!r}{found}"


def _failed(_: Asked, error: Exception) -> Response[bytes]:
    _LOG.error("internal error", exc_info=error)
    return _fault(500, "internal error; see the server's log")


def _cors(settings: Settings) -> CORSConfig | None:
    """Return the CORS settings for pages of other sites; they use tokens, not cookies."""
    if not settings.origins:
        return None
    return CORSConfig(
        allow_origins=list(settings.origins),
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=[
            "Authorization",
            "Content-Type",
            "If-Match",
            "If-None-Match",
            "Last-Event-ID",
        ],
        expose_headers=["ETag", "Location", "Retry-After"],
        max_age=600,
    )


def create_app(settings: Settings, handlers: Sequence[ControllerRouterHandler] = ()) -> Litestar:
    """
    Return the server as an ASGI application.

    Parameters
    ----------
    settings
        Its settings.
    handlers
        Routes in addition to the API's: the page's. They get the service from :func:`service_of`
        and the requester from :func:`who_asks`; ``opt={"open": True}`` marks those that need no
        token.
    """
    service, gate = Service(settings), Gate(settings)

    @asynccontextmanager
    async def living(app: Litestar) -> AsyncIterator[None]:
        await service.open()
        app.state.service, app.state.gate, app.state.document = service, gate, document(app)
        try:
            yield
        finally:
            await service.close()

    questions = [_question(verb) for verb in VERBS]
    of_games = [_question_of_game(verb) for verb in VERBS if is_about_scene(verb)]
    routes = [
        *questions, games, begin, read, delete_game, at_step, append, undo, refuse, redo, fork, *of_games,
        follow, begin_job, read_job, events, end_job, enter, session, leave, openapi,
    ]  # fmt: skip
    return Litestar(
        [*routes, *handlers],
        lifespan=[living],
        middleware=[gate],
        cors_config=_cors(settings),
        compression_config=CompressionConfig(
            backend="gzip", gzip_compress_level=6, exclude_opt_key=next(iter(UNPACKED))
        ),
        before_send=[secured],
        openapi_config=None,
        logging_config=None,
        request_max_body_size=settings.body,
        exception_handlers={
            BadInputError: _bad, Rejected: _rejected, Conflict: _conflict, Busy: _busy,
            OperationalError: _locked, HTTPException: _http, Exception: _failed,
        },
    )  # fmt: skip
