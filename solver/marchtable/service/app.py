"""The routes."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Litestar, Request, Response, delete, get, post
from litestar.exceptions import HTTPException

from marchtable.answer import error_answer
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.requests import REQUESTS
from marchtable.service.games import MAIN, Conflict, Game
from marchtable.service.pool import Busy
from marchtable.service.service import REFEREE, Refused, Service, Who

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from litestar.types import ControllerRouterHandler

    from marchtable.service.calls import Reply
    from marchtable.service.settings import Settings

__all__ = ["VERBS", "create_app", "etag", "service_of", "who_asks"]

JSON = "application/json"
VERBS = tuple(str(kind.__struct_config__.tag) for kind in REQUESTS)
GAME = "marchtable/game/1"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Asked = Request[Any, Any, Any]


def service_of(request: Asked) -> Service:
    """Return the service that a request is for."""
    found: Service = request.app.state.service
    return found


def who_asks(request: Asked) -> Who:
    """Return who asks."""
    found: Who = request.scope.get("state", {}).get("who", REFEREE)
    return found


def etag(game: Game, key: str) -> str:
    """Return the ETag of a branch: the position's key, and how often it was changed."""
    return f'"{key}-{game.version}"'


def _json(body: Any, status: int = 200, **headers: str) -> Response[bytes]:
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(content, status_code=status, media_type=JSON, headers=named)


def _told(reply: Reply) -> Response[bytes]:
    if reply.status >= 500:
        raise Refused(500, "internal error")
    return _json(reply.body, reply.status)


def _fault(status: int, message: str, field: str = "", **headers: str) -> Response[bytes]:
    found = error_answer(BadInputError(message, source="request", field=field))
    return _json(found, status, **headers)


# -- questions -------------------------------------------------------------------------------------


@post("/api/{verb:str}")
async def ask(request: Asked, verb: str) -> Response[bytes]:
    """Answer a verb on a scene in the request."""
    _known(verb)
    return _told(await service_of(request).ask(verb, await request.body()))


def _known(verb: str) -> None:
    if verb not in VERBS:
        raise UnknownNameError(f"no verb {verb!r} (verbs: {', '.join(VERBS)})", field="verb")


# -- games -----------------------------------------------------------------------------------------


@get("/api/games")
async def games(request: Asked) -> Response[bytes]:
    """List the games."""
    return _json({"format": "marchtable/games/1", "games": await service_of(request).listed()})


@post("/api/games")
async def begin(request: Asked) -> Response[bytes]:
    """Begin a game with a scene."""
    game = await service_of(request).begin(await request.body())
    return await _shown(request, game, status=201, Location=f"/api/games/{game.id}")


@get("/api/games/{game:str}")
async def read(request: Asked, game: str, branch: str = MAIN) -> Response[bytes]:
    """Tell how a game stands: its scene, log and branches."""
    return await _shown(request, await service_of(request).game(game, branch))


async def _shown(
    request: Asked,
    game: Game,
    *,
    status: int = 200,
    more: dict[str, Any] | None = None,
    **headers: str,
) -> Response[bytes]:
    stands = await service_of(request).stands(who_asks(request), game)
    found = {
        "format": GAME,
        "game": game.id,
        "name": game.start.name,
        "rulebook": game.start.rulebook,
        "branch": game.branch,
        "branches": list(game.branches),
        "step": game.step,
        "version": game.version,
        "key": stands["key"],
        "log": [
            {"step": n, "entry": e.line, "status": e.status, "verdict": msgspec.Raw(e.verdict)}
            for n, e in enumerate(game.log)
        ],
        "scene": stands["scene"],
        **(more or {}),
    }
    return _json(found, status, ETag=etag(game, stands["key"]), **headers)


@get("/api/games/{game:str}/steps/{step:int}")
async def at_step(request: Asked, game: str, step: int, branch: str = MAIN) -> Response[bytes]:
    """Tell how a game stood after so many entries."""
    found = await service_of(request).game(game, branch)
    stands = await service_of(request).stands(who_asks(request), found, found.at(step))
    told = {
        "format": "marchtable/step/1",
        "game": found.id,
        "branch": branch,
        "step": step,
        **stands,
    }
    return _json(told)


async def _matched(request: Asked, id: str, branch: str) -> Game:  # noqa: A002
    """Return a branch that is to be changed, if it is the one that the client has seen."""
    game = await service_of(request).game(id, branch)
    wanted = request.headers.get("if-match")
    if wanted is None:
        raise Refused(428, "expected If-Match: the ETag of the game as it was read, or *")
    tags = [tag.strip().strip('"') for tag in wanted.split(",")]
    if "*" not in tags and not any(tag.endswith(f"-{game.version}") for tag in tags):
        raise Conflict(game.version)
    return game


@post("/api/games/{game:str}/log")
async def append(
    request: Asked, game: str, branch: str = MAIN, anyway: bool = False
) -> Response[bytes]:
    """Judge entries and play them if they are legal (or all the same)."""
    found = await _matched(request, game, branch)
    body = await request.body()
    after, told = await service_of(request).append(who_asks(request), found, body, anyway=anyway)
    return await _shown(request, after, status=201 if told["kept"] else 200, more=told)


@post("/api/games/{game:str}/undo")
async def undo(request: Asked, game: str, branch: str = MAIN) -> Response[bytes]:
    """Take back the last entry."""
    return await _moved(request, game, branch, -1)


@post("/api/games/{game:str}/redo")
async def redo(request: Asked, game: str, branch: str = MAIN) -> Response[bytes]:
    """Play again what was taken back."""
    return await _moved(request, game, branch, 1)


async def _moved(request: Asked, id: str, branch: str, by: int) -> Response[bytes]:  # noqa: A002
    game = await _matched(request, id, branch)
    return await _shown(request, await service_of(request).move(game, by))


class Fork(msgspec.Struct, forbid_unknown_fields=True):
    """A branch to be begun: its name, at which step (by default where it stands) of which other."""

    name: str
    step: int | None = None
    of: str = MAIN


@post("/api/games/{game:str}/branches")
async def fork(request: Asked, game: str) -> Response[bytes]:
    """Begin a branch."""
    try:
        asked = msgspec.json.decode(await request.body(), type=Fork)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadInputError(str(error)) from None
    other = await service_of(request).game(game, asked.of)
    found = await service_of(request).fork(other, asked.name, asked.step)
    return await _shown(request, found, status=201)


@post("/api/games/{game:str}/{verb:str}")
async def ask_game(
    request: Asked, game: str, verb: str, branch: str = MAIN, step: int | None = None
) -> Response[bytes]:
    """Answer a verb on a game as it stands, or stood after a step."""
    _known(verb)
    service, body = service_of(request), await request.body()
    found = await service.game(game, branch)
    return _told(await service.ask_game(who_asks(request), found, verb, body or b"{}", step=step))


# -- faults ----------------------------------------------------------------------------------------


def _bad(_: Asked, error: BadInputError) -> Response[bytes]:
    status = (
        404
        if isinstance(error, UnknownNameError) and error.field in ("game", "branch", "verb")
        else 400
    )
    found = error_answer(error if error.source else error.located(source="request"))
    return _json(found, status)


def _refused(_: Asked, error: Refused) -> Response[bytes]:
    return _fault(error.status, str(error), error.field)


def _conflict(_: Asked, error: Conflict) -> Response[bytes]:
    return _fault(412, str(error), "If-Match")


def _busy(_: Asked, error: Busy) -> Response[bytes]:
    return _fault(503, "too many questions at once: try again soon", Retry_After="1")


def _http(_: Asked, error: HTTPException) -> Response[bytes]:
    return _fault(error.status_code, str(error.detail))


def create_app(settings: Settings, handlers: Sequence[ControllerRouterHandler] = ()) -> Litestar:
    """
    Return the server as an ASGI application.

    Parameters
    ----------
    settings
        What it is told.
    handlers
        Routes beside those of the API: the page's. They find the service with
        :func:`service_of` and who asks with :func:`who_asks`.
    """
    service = Service(settings)

    @asynccontextmanager
    async def living(app: Litestar) -> AsyncIterator[None]:
        await service.open()
        app.state.service = service
        try:
            yield
        finally:
            await service.close()

    routes = [ask, games, begin, read, at_step, append, undo, redo, fork, ask_game]
    return Litestar(
        [*routes, *handlers],
        lifespan=[living],
        openapi_config=None,
        request_max_body_size=settings.body,
        response_headers=HEADERS,
        exception_handlers={
            BadInputError: _bad,
            Refused: _refused,
            Conflict: _conflict,
            Busy: _busy,
            HTTPException: _http,
        },
    )
