"""The shapes of what is sent and of what is answered, beside those of ``answer``."""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from marchtable.answers.plan_shapes import PlanShape, WhyShape
from marchtable.answers.requests import REQUESTS, PlanRequest, SceneRequest, WhyRequest
from marchtable.answers.shapeparts import Count, Part, Shape
from marchtable.answers.shapes import ANSWERS, CheckShape, ErrorShape, UnknownShape

__all__ = [
    "ANSWER_OF", "LONG", "VERBS", "Append", "EventShape", "Fork", "GameShape", "GamesShape", "JobShape", "NewGame",
    "NewJob", "SessionShape", "StepShape", "Token", "body_of",
]  # fmt: skip

VERBS = {str(kind.__struct_config__.tag): kind for kind in REQUESTS}
"""The requests by their verbs."""
LONG = tuple(verb for verb, kind in VERBS.items() if kind in (PlanRequest, WhyRequest))
"""Verbs that may be asked as jobs."""
ANSWER_OF: dict[str, Any] = {verb: ANSWERS[verb] | UnknownShape for verb in VERBS}
ANSWER_OF["reach"] |= ANSWERS["reaches"]
"""What may come back from a verb."""

Title = Annotated[str, msgspec.Meta(max_length=60)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60, pattern=r"^[\w .-]+$")]


# -- what is sent ----------------------------------------------------------------------------------


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a request."""


class NewGame(Body, frozen=True, kw_only=True):
    """
    A game to be begun: exactly one of a scene's table, a scene as TOML, and a scene's name here.

    ``name`` is what it is called where the scene has no name itself.
    """

    scene: dict[str, Any] | None = None
    toml: str | None = None
    named: str | None = None
    name: Title = ""


class Append(Body, frozen=True, kw_only=True):
    """Entries to be played; ``anyway`` keeps what is illegal, too, as a what-if."""

    log: list[Any]
    anyway: bool = False


class Fork(Body, frozen=True, kw_only=True):
    """A branch to be begun: its name, at which step (by default where it stands) of which other."""

    name: Name
    step: Count | None = None
    of: str = "main"


class NewJob(Body, frozen=True, kw_only=True):
    """A long question: a verb, its request, and the game that it is about, if any."""

    verb: Literal["plan", "why"]
    request: dict[str, Any]
    game: str | None = None
    branch: str = "main"
    step: Count | None = None


class Token(Body, frozen=True, kw_only=True):
    """What lets one in."""

    token: str


@cache
def body_of(verb: str, *, of_game: bool = False) -> type[msgspec.Struct]:
    """Return what is sent to ask a verb: its request, without files and, of a game, without a scene."""
    kind = VERBS[verb]
    fields: list[Any] = []
    for field in msgspec.structs.fields(kind):
        if field.name == "scene" and of_game:
            continue
        hint = field.type if field.name not in _FILES else _no_path(field.type)
        if field.required:
            fields.append((field.name, hint))
        elif field.default_factory is not msgspec.NODEFAULT:
            default = msgspec.field(default_factory=field.default_factory)
            fields.append((field.name, hint, default))
        else:
            fields.append((field.name, hint, field.default))
    name = verb.title().replace("_", "") + ("OfGame" if of_game else "")
    found = msgspec.defstruct(
        name, fields, kw_only=True, forbid_unknown_fields=True, frozen=True, module=__name__
    )
    found.__doc__ = kind.__doc__
    return found


_FILES = ("scene", "log", "goal", "weights")


def _no_path(hint: Any) -> Any:
    """Return a type that is not text."""
    if get_origin(hint) in (Union, UnionType):
        return Union[tuple(p for p in get_args(hint) if p is not str)]  # noqa: UP007 - of a tuple
    return hint


def of_scene(verb: str) -> bool:
    """Return whether a verb is about a scene."""
    return issubclass(VERBS[verb], SceneRequest)


# -- what is answered ------------------------------------------------------------------------------


class MoveShape(Part, frozen=True):
    """
    A unit of a ``side`` that is seen to go ``from`` somewhere ``to`` somewhere (none: off the map).

    The ``unit`` is named once it is known; if it stayed where it is, it was revealed there.
    """

    side: str
    from_: str | None = msgspec.field(name="from")
    to: str | None
    unit: str | None


class EntryShape(Part, frozen=True):
    """
    An entry of a game's log and how it was judged; none of that where it is hidden from who asks.

    It is their ``own`` if it was for them to play: only that is taken back with a side's eyes. Of a
    hidden entry, ``moves`` says who was seen to move.
    """

    step: Count
    entry: str | None
    status: Literal["LEGAL", "ILLEGAL", "UNSUPPORTED"] | None
    verdict: CheckShape | None
    own: bool
    moves: list[MoveShape]


class GameShape(Shape, frozen=True, tag="marchtable/game/1"):
    """
    A branch of a game as it stands, seen by ``side`` (none: the referee).

    ``log`` holds all entries; ``step`` of them are played, the others were taken back; ``version``
    counts the branch's changes, for the referee. After entries
    were sent, ``kept`` says whether they were played, ``verdicts`` how each was judged, and
    ``refused`` why they were not, if that is not their verdicts. Both say so where they were played
    only up to what a side did not see.
    """

    game: str
    name: str
    rulebook: str
    side: str | None
    branch: str
    branches: list[str]
    step: Count
    version: Count | None
    key: str
    log: list[EntryShape]
    scene: dict[str, Any]
    kept: bool | None = None
    verdicts: list[CheckShape] | None = None
    refused: str | None = None


class StepShape(Shape, frozen=True, tag="marchtable/step/1"):
    """A game as it stood after so many entries."""

    game: str
    branch: str
    step: Count
    key: str
    scene: dict[str, Any]


class ListedShape(Part, frozen=True):
    """
    A game, when it was begun (UTC), and whether who asks ``deletes`` it.

    The referee sees how many entries it holds, those of all branches.
    """

    game: str
    name: str
    rulebook: str
    made: str
    deletes: bool
    entries: int | None = None


class GamesShape(Shape, frozen=True, tag="marchtable/games/1"):
    """The games that are kept, the latest first, and the scenes that one may begin with."""

    games: list[ListedShape]
    scenes: list[str]


class NewsShape(Part, frozen=True):
    """
    How far a question is, in words; of a search the best plan's worth, what none exceeds, and the gap.

    ``what`` is done is the how-manieth (``number``) of how many (``of``); ``time`` is the
    deterministic time used.
    """

    line: str
    what: str | None = None
    number: int | None = None
    of: int | None = None
    time: float | None = None
    best: int | None = None
    bound: int | None = None
    gap: int | None = None


class JobShape(Shape, frozen=True, tag="marchtable/job/1"):
    """A long question: how far it is and, once it is done, its answer; an error if it has failed."""

    job: str
    verb: Literal["plan", "why"]
    state: Literal["working", "done", "failed"]
    news: NewsShape | None
    answer: PlanShape | WhyShape | UnknownShape | ErrorShape | None


class EventShape(Part, frozen=True):
    """A server-sent event of a job: ``data`` is, as JSON, its news or, in the end, its answer."""

    event: Literal["progress", "answer"]
    data: str


class ChangeShape(Part, frozen=True):
    """
    A server-sent event of a game; ``data`` holds, as JSON, the ``etag`` that it then has.

    ``present`` has no ``id``; its data say who is ``here``: sides, and ``referee``. If a side ``asks``
    to take back what was played last, they name it.

    ``game``: it is seen differently. ``gap``: the server has restarted since the last event that was
    heard. ``gone``: it was deleted.
    """

    event: Literal["game", "gap", "gone", "present"]
    data: str
    id: str = ""


class SessionShape(Shape, frozen=True, tag="marchtable/session/1"):
    """Who one is: the side that one plays, none for the referee."""

    side: str | None
