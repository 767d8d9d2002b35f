"""The shapes of requests and responses other than those of ``answer``."""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from marchtable.answers.plan_shapes import PlanShape, WhyShape
from marchtable.answers.requests import REQUESTS, PlanRequest, SceneRequest, SceneTable, WhyRequest
from marchtable.answers.shapeparts import Count, Part, Shape
from marchtable.answers.shapes import ANSWERS, CheckShape, ErrorShape, UnknownShape
from marchtable.state.goal import Criterion

__all__ = [
    "ANSWER_OF",
    "LONG",
    "VERBS",
    "Append",
    "EventShape",
    "Fork",
    "GameShape",
    "GamesShape",
    "JobShape",
    "NewGame",
    "NewJob",
    "PastGameShape",
    "SessionShape",
    "Token",
    "body_of",
]  # fmt: skip

VERBS = {str(kind.__struct_config__.tag): kind for kind in REQUESTS}
"""The requests by verb."""
LONG = tuple(verb for verb, kind in VERBS.items() if kind in (PlanRequest, WhyRequest))
"""Verbs that can be asked as jobs."""
ANSWER_OF: dict[str, Any] = {verb: ANSWERS[verb] | UnknownShape for verb in VERBS}
ANSWER_OF["reach"] |= ANSWERS["reaches"]
"""Possible answers by verb."""

Title = Annotated[str, msgspec.Meta(max_length=60)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60, pattern=r"^[\w .-]+$")]


# -- requests --------------------------------------------------------------------------------------


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a request."""


class NewGame(Body, frozen=True, kw_only=True):
    """
    A game to begin: exactly one of a scene's table, a scene as TOML, and a scene's name here.

    ``name`` is its name if the scene has none.
    """

    scene: SceneTable | None = None
    toml: str | None = None
    named: str | None = None
    name: Title = ""


class Append(Body, frozen=True, kw_only=True):
    """Entries to play; ``anyway`` keeps illegal ones too, as a what-if."""

    log: list[Any]
    anyway: bool = False


class Fork(Body, frozen=True, kw_only=True):
    """A branch to begin: its name, the other branch, and the step (default: present state)."""

    name: Name
    step: Count | None = None
    of: str = "main"


class NewJob(Body, frozen=True, kw_only=True):
    """A long question: a verb, its request, and its game, if any."""

    verb: Literal["plan", "why"]
    request: Annotated[dict[str, Any], msgspec.Meta(extra={"holds": PlanRequest.__struct_fields__})]
    game: str | None = None
    branch: str = "main"
    step: Count | None = None


class Token(Body, frozen=True, kw_only=True):
    """An access token."""

    token: str


@cache
def body_of(verb: str, *, of_game: bool = False) -> type[msgspec.Struct]:
    """Return a verb's request body: its request, without files and, for a game, without a scene."""
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
    """Return a type without text."""
    if get_origin(hint) in (Union, UnionType):
        return Union[tuple(p for p in get_args(hint) if p is not str)]  # noqa: UP007 - of a tuple
    return hint


def is_about_scene(verb: str) -> bool:
    """Return whether a verb is about a scene."""
    return issubclass(VERBS[verb], SceneRequest)


# -- responses -------------------------------------------------------------------------------------


class SeenMoveShape(Part, frozen=True):
    """
    A unit of a ``side`` that is seen to move ``from`` one place ``to`` another (none: off the map).

    The ``unit`` is named once it is known; if it did not move, it was revealed there.
    """

    side: str
    from_: str | None = msgspec.field(name="from")
    to: str | None
    unit: str | None


class EntryShape(Part, frozen=True):
    """
    An entry of a game's log and its verdict; both empty where it is hidden from the viewer.

    It is the viewer's ``own`` if they could play it: with a side's view, only that is taken back.
    For a hidden entry, ``moves`` lists the units seen to move.
    """

    step: Count
    entry: str | None
    status: Literal["LEGAL", "ILLEGAL", "UNSUPPORTED"] | None
    verdict: CheckShape | None
    own: bool
    moves: list[SeenMoveShape]


class PhaseSpan(Part, frozen=True):
    """The turn, side and phase of a game after so many entries of its log, until the next of them."""

    step: Count
    turn: int
    side: str
    phase: str


class GameShape(Shape, frozen=True, tag="marchtable/game/1"):
    """
    A branch of a game in its present state, as ``side`` sees it (none: the referee).

    ``log`` holds all entries; ``step`` of them are played, the others were taken back, and those
    from ``back`` on were played last; ``phases`` says in which phases they were played; ``version``
    counts the branch's changes, for the referee. After entries were sent, ``kept`` says whether
    they were played, ``verdicts`` how each was judged, and ``refused`` why they were not, if the
    verdicts do not say. Both are also given if entries were played only up to something hidden from
    the side.
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
    phases: list[PhaseSpan]
    back: Count
    scene: dict[str, Any]
    kept: bool | None = None
    verdicts: list[CheckShape] | None = None
    refused: str | None = None


class PastGameShape(Shape, frozen=True, tag="marchtable/step/1"):
    """A game as it was after a number of entries."""

    game: str
    branch: str
    step: Count
    key: str
    scene: dict[str, Any]


class ListedShape(Part, frozen=True):
    """
    A game, when it was begun (UTC), and whether the requester ``deletes`` it.

    The referee sees its number of entries, over all branches.
    """

    game: str
    name: str
    rulebook: str
    made: str
    deletes: bool
    entries: int | None = None


class GamesShape(Shape, frozen=True, tag="marchtable/games/1"):
    """The stored games, latest first, and the scenes with which a game can begin."""

    games: list[ListedShape]
    scenes: list[str]


class NewsShape(Part, frozen=True):
    """
    The progress of a question in words; for a search the best plan's worth, the bound, and the gap.

    They are amounts of ``criterion`` (or ``sum``), in the units of the answer, and absent for ``why``. ``what`` is done is item ``number`` out of ``of``; ``time`` is the deterministic time used.
    """

    line: str
    what: str | None = None
    number: int | None = None
    of: int | None = None
    time: float | None = None
    criterion: Criterion | Literal["sum"] | None = None
    best: float | None = None
    bound: float | None = None
    gap: float | None = None


class JobShape(Shape, frozen=True, tag="marchtable/job/1"):
    """A long question: its progress and, once finished, its answer; an error if it has failed."""

    job: str
    verb: Literal["plan", "why"]
    state: Literal["working", "done", "failed"]
    news: NewsShape | None
    answer: PlanShape | WhyShape | UnknownShape | ErrorShape | None


class EventShape(Part, frozen=True):
    """A server-sent event of a job: ``data`` is, as JSON, its progress or, finally, its answer."""

    event: Literal["progress", "answer"]
    data: str


class GameEventShape(Part, frozen=True):
    """
    A server-sent event of a game; ``data`` holds, as JSON, the game's new ``etag``.

    ``present`` has no ``id``; its data say who is ``here``: sides, and ``referee``. If a side
    ``asks`` to take back what was played last, they name it; after that, the side that ``refuses``.

    ``game``: it looks different. ``gap``: the server has restarted since the last event received.
    ``gone``: it was deleted.
    """

    event: Literal["game", "gap", "gone", "present"]
    data: str
    id: str = ""


class SessionShape(Shape, frozen=True, tag="marchtable/session/1"):
    """The requester's session: the side they play, none for the referee."""

    side: str | None
