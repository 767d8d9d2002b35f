"""The effects of terrain on lines of sight: a table supplied by a rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Literal

import msgspec

from marchtable.errors import BadInputError

__all__ = [
    "Advantage",
    "Does",
    "Glow",
    "Obstruction",
    "Sight",
    "SightFacts",
    "SightReason",
    "TerrainFact",
    "Verdict",
    "Viewpoint",
    "read_facts",
]  # fmt: skip


Verdict = Literal["clear", "blocked", "close", "unknown"]


class Does(IntEnum):
    """
    The effect of terrain on a line of sight.

    Apart from plain obstacles and hindrances: terrain that hinders on its level and blocks from
    above (``VEIL``), or only ever hinders (``BARE``); a wall and a one-level hedge along hexsides;
    a printed wall between houses (``BAR``); a hall that is open inside (``HALL``); a roof on
    pillars (``CANOPY``); unmodelled terrain (``UNKNOWN``).
    """

    OPEN = 0
    OBSTACLE = 1
    HINDRANCE = 2
    VEIL = 3
    BARE = 4
    DEPRESSION = 5
    WALL = 6
    BOCAGE = 7
    CLIFF = 8
    BAR = 9
    BRIDGE = 10
    HALL = 11
    CANOPY = 12
    UNKNOWN = 13


class SightReason(IntEnum):
    """Why a line of sight is not clear; a rulebook names the clause of each."""

    NONE = 0
    GROUND = 1
    RIDGE = 2
    CREST = 3
    CLIFF = 4
    OBSTACLE = 5
    BLIND = 6
    HALF = 7
    WALL = 8
    BOCAGE = 9
    DEPRESSION = 10
    BUILDING = 11
    BAR = 12
    HINDRANCE = 13
    BRIDGE = 14
    ADVANTAGE = 15
    CLOSE = 16
    TERRAIN = 17
    SLOPE = 18
    BELOW = 19
    ROADBLOCK = 20
    ENTRENCHED = 21
    VERTEX = 22
    UNSTATED = 23
    NIGHT = 24
    LIGHT = 25
    OFF = 26


class Advantage(IntEnum):
    """
    The view past bocage and, when entrenched, past the walls along one's own hex.

    ``CLAIMED``: sees past bocage and is seen past it; ``FORGONE``: only to and from the next hex;
    ``ENTRENCHED``: likewise, and past walls only from above; ``UNKNOWN``: not known.
    """

    UNKNOWN = 0
    CLAIMED = 1
    FORGONE = 2
    ENTRENCHED = 3


Glow = Literal["dark", "dim", "lit"]
"""Whether a place is seen from beyond the range of night: no, perhaps, or yes."""


class TerrainFact(msgspec.Struct, frozen=True):
    """
    The effect of one kind of terrain.

    Parameters
    ----------
    does
        Its effect.
    height
        Its height above the ground, in half levels.
    drm
        What each hex of it adds to the Hindrance.
    whole
        Whether it fills its hex, whatever its picture shows.
    building
        Whether it is (part of) a building.
    clause
        The clause that says so.
    """

    does: Does
    height: int
    drm: int
    whole: bool
    building: bool
    clause: str


class SightFacts(msgspec.Struct, frozen=True):
    """
    A rulebook's facts about lines of sight.

    Parameters
    ----------
    name
        The table's name; different tables have different names.
    terrain
        Facts by the map's name of the terrain. Terrain that is not listed is unknown.
    clauses
        The clause of each :class:`SightReason`.
    blocking
        The Hindrance that blocks a line of sight completely.
    longest
        Hexes to an obstacle for each further blind hex.
    laid
        Terrain that counters may place on a map.
    thickest
        The most that drifting SMOKE in a hex (:attr:`Obstruction.top`) adds there to the Hindrance.
    outward
        What it adds in addition for a viewer in it.
    """

    name: str
    terrain: Mapping[str, TerrainFact]
    clauses: Mapping[SightReason, str]
    blocking: int
    longest: int
    laid: tuple[str, ...] = ()
    thickest: int = 99
    outward: int = 0

    def fact(self, name: str) -> TerrainFact:
        """Return the effect of terrain by name."""
        return self.terrain.get(name, _NOT_LISTED)


_NOT_LISTED = TerrainFact(Does.UNKNOWN, 0, 0, whole=False, building=False, clause="")


class Viewpoint(msgspec.Struct, frozen=True):
    """
    A viewpoint.

    Parameters
    ----------
    at
        The hex.
    height
        In half levels.
    unknown
        The unmodelled clause on which its sight depends, or ``""``.
    why
        The subject of that clause.
    vertex
        Its vertex of the hex, 0 to 5 clockwise from the one between N and NE; None for the centre.
    advantage
        Its view past the bocage and walls of its hex.
    night
        How far it sees at night, in hexes; None by day.
    shows
        At night, the part of the usual range from which it is seen, in halves: 2 is the whole
        range.
    least
        At night, the distance in hexes within which it is always seen.
    glow
        Whether light makes it visible from farther away.
    dazzled
        Whether it sees only what is lit: ``dim`` if that is not known.
    """

    at: str
    height: int
    unknown: str = ""
    why: str = ""
    vertex: int | None = None
    advantage: Advantage = Advantage.UNKNOWN
    night: int | None = None
    shows: int = 2
    least: int = 0
    glow: Glow = "dark"
    dazzled: Glow = "dark"

    def by_day(self) -> Viewpoint:
        """Return the viewpoint without the effects of night."""
        if self.night is None:
            return self
        return Viewpoint(self.at, self.height, self.unknown, self.why, self.vertex, self.advantage)


class Obstruction(msgspec.Struct, frozen=True):
    """
    A temporary obstruction in a hex.

    Parameters
    ----------
    at
        The hex.
    drm
        What it adds to the Hindrance of a line of sight through the hex.
    most, highest
        If that is not stated exactly: the maximum of what it adds, and its highest level, with
        ``drm`` and ``top`` as the minima; else 0 and None.
    top
        How many levels above the hex it hinders like an obstacle, also into and out of the hex.
        None: only along the ground, and only through it.
    terrain
        Terrain that fills the hex, by the map's name.
    side
        The hexside of the hex, 0 to 5 clockwise from N, that it closes like a wall; else None.
    unknown
        The clause on its effect, if that is not modelled.
    why
        The subject of that clause.
    """

    at: str
    drm: int = 0
    most: int = 0
    highest: int | None = None
    top: int | None = None
    terrain: str = ""
    side: int | None = None
    unknown: str = ""
    why: str = ""

    def bounded(self, *, most: bool) -> Obstruction:
        """Return the obstruction with its minimum or maximum effect."""
        if not self.most:
            return self
        drm, top = (self.most, self.highest) if most else (self.drm, self.top)
        return Obstruction(self.at, drm=drm, top=self.top if top is None else top)


class Sight(msgspec.Struct, frozen=True):
    """
    Whether one place can be seen from another.

    Parameters
    ----------
    verdict
        ``clear``, ``blocked``, ``close`` (it changes within a pixel) or ``unknown``.
    hex
        The first hex where it is blocked, or where it changes; None if it is clear.
    hindrance
        The Hindrance on both sides of the thread.
    clause
        The clause that blocks it, or on which it depends; ``""`` if it is clear.
    reason
        The reason in words.
    """

    verdict: Verdict
    hex: str | None
    hindrance: int
    clause: str
    reason: str


def read_facts(rows: str) -> dict[str, TerrainFact]:
    """
    Read a table of terrain facts.

    Parameters
    ----------
    rows
        Tab-separated, with a header: ``terrain``, ``does``, ``height`` (levels), ``drm``, ``marks``
        (``whole``, ``building``), ``clause``.

    Raises
    ------
    BadInputError
        If a row is invalid.
    """
    found = {}
    for number, line in enumerate(rows.splitlines()[1:], 2):
        try:
            name, does, height, drm, marks, clause = line.split("\t")
            found[name] = TerrainFact(
                Does[does.upper()],
                round(2 * float(height or 0)),
                int(drm or 0),
                whole="whole" in marks.split(),
                building="building" in marks.split(),
                clause=clause,
            )
        except (KeyError, ValueError):
            raise BadInputError(f"line {number}: expected a terrain fact", field="sight") from None
    return found
