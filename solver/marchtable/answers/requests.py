"""What a client may ask, as structs: one for each verb, distinguished by ``verb``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from marchtable.rules.casualties import Amount, Limit, Points, Show
from marchtable.state.goal import Criterion
from marchtable.state.position import LocationName, UnitId

__all__ = [
    "REQUESTS", "CasualtiesRequest", "CheckRequest", "LegalActionsRequest", "LosRequest", "OptionsRequest",
    "PerftRequest", "PlanRequest", "ReachRequest", "Request", "RulesRequest", "SceneRequest",
    "WhyRequest",
]  # fmt: skip

Seconds = Annotated[float, msgspec.Meta(ge=0, le=100_000)]
Depth = Annotated[int, msgspec.Meta(ge=0, le=20)]
Pairs = Annotated[
    list[tuple[LocationName, float, LocationName, float]], msgspec.Meta(max_length=100_000)
]


class Request(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="verb"
):
    """Something a client asks."""


class SceneRequest(Request, frozen=True, kw_only=True):
    """
    Something asked about a position.

    Parameters
    ----------
    scene
        A scene's table, or the path of a scene file.
    log
        A log that is played first, and must be legal: its entries, its table, or the path of a log
        file. What `check` and `why` judge instead.
    interpretations
        Entries of the interpretation register to be read otherwise than the scene says.
    objects
        Whether actions and logs in the answer are given as objects, too.
    """

    scene: dict[str, Any] | str
    log: list[Any] | dict[str, Any] | str | None = None
    interpretations: dict[str, str] = {}
    objects: bool = False


class TimedRequest(SceneRequest, frozen=True, kw_only=True):
    """
    Something to be answered in time.

    Parameters
    ----------
    limit
        Seconds at work, reading what the request names included; without one there is none.
    """

    limit: Seconds | None = None


class CheckRequest(TimedRequest, frozen=True, kw_only=True, tag="check"):
    """
    Judge a log.

    With ``then`` the answer also holds the scene as it stands after the log.
    """

    log: list[Any] | dict[str, Any] | str
    then: bool = False


class OptionsRequest(TimedRequest, frozen=True, kw_only=True, tag="options"):
    """
    List what a unit can still do, or a side's units (by default of the one to move).

    With ``reach`` false the answer leaves out where they can get to.
    """

    unit: UnitId | None = None
    side: str | None = None
    reach: bool = True


class ReachRequest(TimedRequest, frozen=True, kw_only=True, tag="reach"):
    """
    Find where units can get to.

    Parameters
    ----------
    unit, units
        One unit, or a batch; exactly one of the two.
    to
        Give the way there, or what bars it.
    rolls
        ``pass`` assumes rolls on the way to be passed, ``avoid`` goes round them.
    modes
        List each Location once for every facing and state in which it is reached.
    """

    unit: UnitId | None = None
    units: list[UnitId] | None = None
    to: LocationName | None = None
    rolls: Literal["pass", "avoid"] = "pass"
    modes: bool = False


class PerftRequest(TimedRequest, frozen=True, kw_only=True, tag="perft"):
    """Count sequences of actions; ``divide`` counts behind each first action."""

    depth: Depth
    divide: bool = False


class LegalActionsRequest(TimedRequest, frozen=True, kw_only=True, tag="legal_actions"):
    """List actions, or who joins an action ``opened`` before (in one-line form)."""

    unit: UnitId | None = None
    opened: str | None = None


class CasualtiesRequest(SceneRequest, frozen=True, kw_only=True, tag="casualties"):
    """
    Weigh how the points of an attack may be taken, and how best.

    ``weights`` may be the path of a file; ``time`` is what elsewhere is called ``limit``, which here
    is how many ways to list; the other fields are those of
    :class:`marchtable.rules.casualties.CasualtiesQuestion`.
    """

    points: Points | None = None
    at: LocationName | None = None
    origin: LocationName | None = None
    opportunity: bool = False
    show: tuple[Show, ...] = ("best",)
    ahead: str | dict[str, Amount] | None = None
    weights: dict[str, Any] | str = {}
    check: list[str] | dict[str, str] | None = None
    limit: Limit = 1000
    fire_from: LocationName | None = None
    time: Seconds | None = None


class LosRequest(TimedRequest, frozen=True, kw_only=True, tag="los"):
    """
    Find lines of sight: between two places, from a unit to all others, or of a table of pairs.

    A place is a unit, or a hex with, after ``@``, a level other than that of its ground (``K5@1``).

    Parameters
    ----------
    unit
        Whose lines of sight to all units of other sides are wanted.
    origin, to
        Two places.
    pairs
        Rows of hex, level, hex and level; levels may end in .5 (rooftops).
    """

    unit: UnitId | None = None
    origin: str | None = None
    to: str | None = None
    pairs: Pairs | None = None


class PlanRequest(SceneRequest, frozen=True, kw_only=True, tag="plan"):
    """
    Find the best plans for a goal.

    Parameters
    ----------
    goal
        A goal's table, or the path of a goal file.
    space
        The space to search; by default all that fit.
    rolls
        ``pass`` takes rolls on the way to be passed, ``avoid`` calls for none.
    best
        How many different plans.
    pareto
        Instead: the front of two criteria.
    limit
        Deterministic time, about seconds. What it does not count, such as reading boards, ends
        the search after that many seconds at work, and some.
    seed
        For CP-SAT.
    confirm
        Whether what one CP-SAT search proves is confirmed once more; that takes at most as long again.
    """

    goal: dict[str, Any] | str
    space: str | None = None
    rolls: Literal["pass", "avoid"] = "pass"
    best: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    pareto: tuple[Criterion, Criterion] | None = None
    limit: Seconds = 60.0
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0
    confirm: bool = True


class WhyRequest(SceneRequest, frozen=True, kw_only=True, tag="why"):
    """
    Show what is wrong with a log, or what stands against a goal and what would help.

    With a ``goal`` it is asked for from after the log, if there is one; the other fields are for a
    goal, as those of a plan.
    """

    goal: dict[str, Any] | str | None = None
    space: str | None = None
    rolls: Literal["pass", "avoid"] = "pass"
    limit: Seconds = 60.0
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0
    confirm: bool = True


class RulesRequest(Request, frozen=True, kw_only=True, tag="rules"):
    """
    List a rulebook's clauses and register of readings.

    ``clause`` holds ids, chapters or sections (``D6``) and words of titles, with blanks between.
    What each id, chapter and section finds is listed; words narrow what chapters find.
    ``examples`` adds to each clause named by its id where its code stands, the tests that fail without
    it, and small examples of it, judged now.
    """

    rulebook: str | None = None
    clause: str | None = None
    coverage: bool = False
    examples: bool = False


REQUESTS: tuple[type[Request], ...] = (
    CheckRequest, OptionsRequest, ReachRequest, PerftRequest, LegalActionsRequest,
    CasualtiesRequest, LosRequest, PlanRequest, WhyRequest, RulesRequest,
)  # fmt: skip
