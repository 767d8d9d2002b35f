"""What can be asked of the server, by routes and by the page alike."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from marchtable.errors import BadInputError
from marchtable.service.calls import Briefing, Call, Reply
from marchtable.service.games import MAIN, Game, Games, Start
from marchtable.service.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.service.settings import Settings

__all__ = ["REFEREE", "Refused", "Service", "Who"]

V = TypeVar("V")
LONG = ("plan", "why", "casualties", "perft")
"""Verbs that may take long: processes of their own answer them."""
LEGAL = "LEGAL"


class Who(NamedTuple):
    """Who asks: the side that he plays (None is the referee), and by what he is counted."""

    side: str | None = None
    name: str = ""


REFEREE = Who()


class Refused(Exception):  # noqa: N818 - an answer of HTTP
    """Something that is not to be had: the HTTP status, and why."""

    def __init__(self, status: int, message: str, field: str = "") -> None:
        super().__init__(message)
        self.status, self.field = status, field


class Service:
    """
    The games, and the processes that answer questions.

    Parameters
    ----------
    settings
        What the server was told.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._games: Games | None = None
        self._disk = ThreadPoolExecutor(1, "marchtable-games")
        told = Briefing(settings.library, settings.memory)
        self.quick = Pool(settings.workers, settings.waiting, told)
        self.long = Pool(settings.planners, settings.waiting, msgspec.structs.replace(told, nice=5))

    async def open(self) -> None:
        """Start the processes and open the database."""
        self._games = await self._kept(lambda: Games(self.settings.database))
        await asyncio.gather(self.quick.open(), self.long.open())

    async def close(self) -> None:
        """End the processes and close the database."""
        await asyncio.gather(self.quick.close(), self.long.close())
        await self._kept(lambda: self.games.close())
        self._disk.shutdown()

    @property
    def games(self) -> Games:
        """The database."""
        assert self._games is not None, "the service is not open"
        return self._games

    async def _kept(self, work: Callable[[], V]) -> V:
        """Do something with the database, in its thread."""
        return await asyncio.get_running_loop().run_in_executor(self._disk, work)

    # -- questions -------------------------------------------------------------------------------

    async def ask(
        self, verb: str, body: bytes, *, told: Callable[[bytes], None] | None = None
    ) -> Reply:
        """Answer a verb on a scene in the request."""
        return await self._put(verb, Call(function="verb", body=body), _board_in(body), told)

    async def ask_game(
        self,
        who: Who,
        game: Game,
        verb: str,
        body: bytes,
        *,
        step: int | None = None,
        told: Callable[[bytes], None] | None = None,
    ) -> Reply:
        """Answer a verb on a game as it stands, or stood after a step, and as one sees it."""
        call = msgspec.structs.replace(self._about(who, game, step), function="verb", body=body)
        return await self._put(verb, call, game.id, told)

    async def _put(
        self, verb: str, call: Call, key: str, told: Callable[[bytes], None] | None
    ) -> Reply:
        is_long = verb in LONG
        seconds = self.settings.long_seconds if is_long else self.settings.seconds
        args = {"verb": verb, "tell": told is not None}
        call = msgspec.structs.replace(call, args=args, seconds=seconds)
        return await (self.long if is_long else self.quick).ask(call, key, told=told)

    async def run(
        self,
        function: str,
        args: dict[str, Any],
        *,
        who: Who = REFEREE,
        game: Game | None = None,
        step: int | None = None,
        seconds: float | None = None,
    ) -> Any:
        """
        Call a function of the package in a worker process, and return the plain data it returns.

        Parameters
        ----------
        function
            ``package.module:name``; it takes a :class:`marchtable.files.Scene`, seen with who asks'
            eyes, or without a game the worker's :class:`marchtable.service.positions.Positions`.
            Never let a client choose it.
        args
            Its keyword arguments, plain data.
        who, game, step
            Whose eyes, which game, and after which step (by default as it stands).
        seconds
            After which it is broken off.

        Raises
        ------
        Refused
            If it refuses (400), or takes too long (503).
        """
        call = Call(function="run") if game is None else self._about(who, game, step)
        call = msgspec.structs.replace(
            call,
            function="run",
            args={"function": function, "args": args},
            seconds=seconds or self.settings.seconds,
        )
        found = msgspec.json.decode(
            _sound(await self.quick.ask(call, "" if game is None else game.id)).body
        )
        if isinstance(found, dict) and found.get("format") == "marchtable/unknown/1":
            raise Refused(503, "it took too long")
        return found

    def _about(self, who: Who, game: Game, step: int | None) -> Call:
        """Return a call about a game: its function is yet to be told."""
        log = [entry.line for entry in game.log[: game.at(step)]]
        return Call(
            function="",
            scene=game.start.scene,
            log=log,
            side=who.side,
            seconds=self.settings.seconds,
        )

    # -- games -----------------------------------------------------------------------------------

    async def begin(self, body: bytes) -> Game:
        """Keep a new game."""
        call = Call(function="begun", body=body, seconds=self.settings.seconds)
        told = _sound(await self.quick.ask(call)).extra
        if "scene" not in told:
            raise Refused(503, "the scene could not be read in time")
        start = Start(told["scene"], told["name"], told["rulebook"], told["key"])
        return await self.game(await self._kept(lambda: self.games.begin(start)))

    async def listed(self) -> list[dict[str, Any]]:
        """Return the games, the latest first."""
        return await self._kept(lambda: self.games.listed())

    async def game(self, id: str, branch: str = MAIN) -> Game:  # noqa: A002 - the field's name
        """Return a branch of a game."""
        return await self._kept(lambda: self.games.game(id, branch))

    async def stands(self, who: Who, game: Game, step: int | None = None) -> dict[str, Any]:
        """Return a game's scene as it stands, or stood after a step, with the position's key."""
        call = msgspec.structs.replace(self._about(who, game, step), function="stands")
        reply = _sound(await self.quick.ask(call, game.id))
        found: dict[str, Any] = msgspec.json.decode(reply.body, type=dict[str, msgspec.Raw])
        if set(found) != {"key", "scene"}:
            raise Refused(503, "the position could not be had in time")
        return {"key": msgspec.json.decode(found["key"]), "scene": found["scene"]}

    async def append(
        self, who: Who, game: Game, body: bytes, *, anyway: bool = False
    ) -> tuple[Game, dict[str, Any]]:
        """
        Judge entries and, if all are legal or it is to be done `anyway`, play them.

        Returns
        -------
        tuple
            The game as it then stands; whether they were kept, and the verdict of each.

        Raises
        ------
        Conflict
            If the game was changed meanwhile.
        """
        call = msgspec.structs.replace(
            self._about(who, game, None), function="judged", body=body, side=None
        )
        told = _sound(await self.quick.ask(call, game.id)).extra
        if "verdicts" not in told:
            raise Refused(503, "the entries could not be judged in time")
        verdicts, lines, statuses = told["verdicts"], told["lines"], told["statuses"]
        is_whole = len(lines) == len(verdicts)
        kept = bool(lines) and is_whole and (anyway or set(statuses) <= {LEGAL})
        if kept:
            rows = list(zip(lines, statuses, verdicts, told["keys"], strict=True))
            await self._kept(lambda: self.games.append(game, rows))
            game = await self.game(game.id, game.branch)
        return game, {"kept": kept, "verdicts": [msgspec.Raw(one) for one in verdicts]}

    async def move(self, game: Game, by: int) -> Game:
        """Take back the last entry (-1) or play it again (1)."""
        await self._kept(lambda: self.games.move(game, by))
        return await self.game(game.id, game.branch)

    async def fork(self, game: Game, name: str, step: int | None) -> Game:
        """Begin a branch at a step, by default where the other stands."""
        await self._kept(lambda: self.games.fork(game, name, game.at(step)))
        return await self.game(game.id, name)


def _sound(reply: Reply) -> Reply:
    """Return a reply that is no error."""
    if reply.status < 400:
        return reply
    if reply.status >= 500:
        raise Refused(500, "internal error")
    fault = msgspec.json.decode(reply.body)["error"]
    raise BadInputError(fault["message"], source=fault["source"], field=fault["field"])


class _About(msgspec.Struct):
    scene: msgspec.Raw = msgspec.Raw(b"")


class _On(msgspec.Struct):
    board: msgspec.Raw = msgspec.Raw(b"")


def _board_in(body: bytes) -> str:
    """Return something that is the same for questions on the same board."""
    try:
        scene = msgspec.json.decode(body, type=_About).scene
        return str(hash(bytes(msgspec.json.decode(scene, type=_On).board)))
    except (msgspec.DecodeError, RecursionError, ValueError):
        return ""
