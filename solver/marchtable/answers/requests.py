"""The requests of clients as structs: one for each verb, distinguished by ``verb``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from marchtable.rules.casualties import Amount, Limit, Points, Show
from marchtable.state.goal import Criterion, Goal
from marchtable.state.position import LocationName, UnitId

__all__ = [
    "REQUESTS", "CasualtiesRequest", "CheckRequest", "LegalActionsRequest", "LosRequest", "OptionsRequest",
    "PerftRequest", "PlanRequest", "ReachRequest", "Request", "RulesRequest", "SceneRequest",
    "SceneTable", "WhyRequest",
]  # fmt: skip

Seconds = Annotated[float, msgspec.Meta(ge=0, le=100_000)]
Depth = Annotated[int, msgspec.Meta(ge=0, le=20)]
Pairs = Annotated[
    list[tuple[LocationName, float, LocationName, float]], msgspec.Meta(max_length=100_000)
]


SceneTable = Annotated[dict[str, Any], msgspec.Meta(extra={"holds": (
    "format", "rulebook", "board", "units", "phase", "turn", "conditions", "counters", "pending"
)})]  # fmt: skip
"""A scene; a request that has its fields at the top is rejected with their place."""
GoalTable = Annotated[dict[str, Any], msgspec.Meta(extra={"holds": Goal.__struct_fields__})]


class Request(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="verb"
):
    """A client's request."""


class SceneRequest(Request, frozen=True, kw_only=True):
    """
    A request about a position.

    Parameters
    ----------
    scene
        A scene's table, or the path of a scene file.
    log
        A log that is played first, and must be legal: its entries, its table, or the path of a log
        file. `check` and `why` judge it instead.
    interpretations
        Readings of the interpretation register that replace the scene's.
    objects
        Whether the answer also gives actions and logs as objects.
    """

    scene: SceneTable | str
    log: list[Any] | dict[str, Any] | str | None = None
    interpretations: dict[str, str] = {}
    objects: bool = False


class TimedRequest(SceneRequest, frozen=True, kw_only=True):
    """
    A request with a time limit.

    Parameters
    ----------
    limit
        Seconds of work, reading the named files included; without one there is no limit.
    """

    limit: Seconds | None = None


class CheckRequest(TimedRequest, frozen=True, kw_only=True, tag="check"):
    """
    Judge a log.

    With ``then`` the answer also holds the scene after the log.
    """

    log: list[Any] | dict[str, Any] | str
    then: bool = False


class OptionsRequest(TimedRequest, frozen=True, kw_only=True, tag="options"):
    """
    List what a unit, or a side's units, can still do (by default those of the side to move).

    If ``reach`` is false, the answer omits where they can go.
    """

    unit: UnitId | None = None
    side: str | None = None
    reach: bool = True


class ReachRequest(TimedRequest, frozen=True, kw_only=True, tag="reach"):
    """
    Find where units can go.

    Parameters
    ----------
    unit, units
        One unit, or several; exactly one of the two.
    to
        Return the way to this Location, or what prevents it.
    rolls
        ``pass`` assumes that rolls on the way succeed, ``avoid`` avoids them.
    modes
        List each Location once for every facing and state in which it is reached.
    """

    unit: UnitId | None = None
    units: list[UnitId] | None = None
    to: LocationName | None = None
    rolls: Literal["pass", "avoid"] = "pass"
    modes: bool = False


class PerftRequest(TimedRequest, frozen=True, kw_only=True, tag="perft"):
    """Count sequences of actions; ``divide`` counts them for each first action."""

    depth: Depth
    divide: bool = False


class LegalActionsRequest(TimedRequest, frozen=True, kw_only=True, tag="legal_actions"):
    """List actions, or the units that can join an ``opened`` action (in one-line form)."""

    unit: UnitId | None = None
    opened: str | None = None


class CasualtiesRequest(SceneRequest, frozen=True, kw_only=True, tag="casualties"):
    """
    Compare the ways to take the points of an attack, and find the best.

    ``weights`` can be the path of a file; ``time`` is the ``limit`` of other requests, because here
    ``limit`` is the number of ways to list. The other fields are those of
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
    Find lines of sight: between two places, from a unit to all others, or for a table of pairs.

    A place is a unit, or a hex; ``@`` adds a level other than ground level (``K5@1``).

    Parameters
    ----------
    unit
        Find lines of sight from this unit to all units of other sides.
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
        ``pass`` assumes that rolls on the way succeed, ``avoid`` permits no plan with rolls.
    best
        The number of different plans.
    pareto
        Return the front of two criteria instead.
    limit
        Deterministic time, roughly seconds. A wall-clock cut-off, somewhat later, covers what it
        does not count, such as reading boards.
    seed
        For CP-SAT.
    confirm
        Whether to confirm what one CP-SAT search proves; this takes at most as long again.
    """

    goal: GoalTable | str
    space: str | None = None
    rolls: Literal["pass", "avoid"] = "pass"
    best: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    pareto: tuple[Criterion, Criterion] | None = None
    limit: Seconds = 60.0
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0
    confirm: bool = True


class WhyRequest(SceneRequest, frozen=True, kw_only=True, tag="why"):
    """
    Explain what is wrong with a log, or what forbids a goal and what would help.

    A ``goal`` starts from the position after the log, if there is one; the other fields apply to a
    goal, as in a plan.
    """

    goal: GoalTable | str | None = None
    space: str | None = None
    rolls: Literal["pass", "avoid"] = "pass"
    limit: Seconds = 60.0
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0
    confirm: bool = True


class RulesRequest(Request, frozen=True, kw_only=True, tag="rules"):
    """
    List a rulebook's clauses and register of readings.

    ``clause`` holds ids, chapters or sections (``D6``) and title words, separated by blanks.
    Matches of each id, chapter and section are listed; title words narrow the matches of chapters.
    ``examples`` adds to each clause named by id where its code is, the tests that fail without it,
    and small examples, judged now.
    """

    rulebook: str | None = None
    clause: str | None = None
    coverage: bool = False
    examples: bool = False


REQUESTS: tuple[type[Request], ...] = (
    CheckRequest, OptionsRequest, ReachRequest, PerftRequest, LegalActionsRequest,
    CasualtiesRequest, LosRequest, PlanRequest, WhyRequest, RulesRequest,
)  # fmt: skip
