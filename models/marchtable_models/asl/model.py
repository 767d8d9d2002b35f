"""ASL's units, conditions and actions."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from marchtable.state.action import Action, Adjacent, Companions
from marchtable.state.position import Conditions, Half, Position, Unit, UnitId
from marchtable_models.asl.corners import CORNERS, SPINES, Spine
from marchtable_models.asl.records import (
    Cargo,
    Concealment,
    Crew,
    Line,
    Motion,
    Move,
    Night,
    OffBoard,
    Place,
    Points,
    Status,
)
from marchtable_models.asl.unittype import SupportWeapon, UnitType
from marchtable_models.asl.verbs import BYPASSES, Advance, Delay, Descend, Exit, Stairs, Traits

__all__ = [
    "ACTIONS", "PHASES", "SPINES", "AslConditions", "AslPosition", "AslUnit", "End",
    "Enter", "LeaveRoad", "MinimumMove", "Spine", "Start", "Stop",
    "SupportWeapon", "Turn", "UnitType", "actors",
]  # fmt: skip

PHASES = ("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh")


class AslUnit(Unit, frozen=True, kw_only=True):
    """
    A unit or wreck.

    Parameters
    ----------
    type
        Name of its unit type.
    nationality
        For rules that depend on it (leader bonus, ESB); its side's if unstated.
    facing
        VCA of a vehicle: the hexspine it points along.
    sw
        SW in its possession.
    status, crew, motion, move, points, place, cargo, line, concealment, offboard, night
        Its other properties, by subject: see :mod:`marchtable_models.asl.records`.
    """

    type: str
    nationality: str = ""
    facing: Annotated[Spine | None, msgspec.Meta(description=CORNERS)] = None
    sw: tuple[SupportWeapon, ...] = ()
    status: Status = Status()
    crew: Crew = Crew()
    motion: Motion = Motion()
    move: Move = Move()
    points: Points = Points()
    place: Place = Place()
    cargo: Cargo = Cargo()
    line: Line = Line()
    concealment: Concealment = Concealment()
    offboard: OffBoard = OffBoard()
    night: Night = Night()

    @property
    def spent(self) -> int:
        """What it has spent of its allotment, in half points."""
        return self.points.spent

    @property
    def carrier(self) -> str | None:
        """The vehicle that carries it, or tows it."""
        return self.cargo.aboard or self.cargo.towed_by


class AslConditions(Conditions, frozen=True, kw_only=True):
    """
    Conditions of the whole map.

    Parameters
    ----------
    month, year
        The month, 1 to 12, and the year; 0 if unstated.
    stream
        Depth of all streams, overriding the map; ``""`` for the map's.
    fordable
        Whether Water Obstacles can be forded.
    first_side
        The side that moves first in each turn: the turn counter goes up as its Player Turn begins.
        If unstated, the side in whose Player Turn the scene begins.
    ground_snow, deep_snow, plowed
        Whether there is Ground Snow or Deep Snow, and whether the roads are then plowed.
    mud, soft_ground, rain
        Whether there is Mud, whether the ground is soft, and whether it rains or has rained.
    rooftops
        Whether rooftops are in play, by the scenario.
    night, nvr
        Whether it is night, and its Night Visibility Range.
    sight
        Whether lines of sight that no unit's ``sees`` states are ``computed`` from the board, by
        the clauses that can; ``given``: only stated ones exist.
    types
        Unit types besides the sample ones.
    """

    month: Annotated[int, msgspec.Meta(ge=1, le=12)] = 6
    stream: Literal["", "dry", "shallow", "deep"] = ""
    fordable: bool = False
    year: Annotated[int, msgspec.Meta(ge=0, le=2100)] = 0
    first_side: str = ""
    ground_snow: bool = False
    deep_snow: bool = False
    plowed: bool = False
    mud: bool = False
    soft_ground: bool = False
    rain: bool = False
    rooftops: bool = False
    night: bool = False
    nvr: Annotated[int, msgspec.Meta(ge=0, le=30)] | None = None
    sight: Literal["given", "computed"] = "given"
    types: tuple[UnitType, ...] = ()

    @property
    def washes_smoke_away(self) -> bool:
        """Whether SMOKE outdoors has no effect (A24.6)."""
        return self.rain or self.mud or self.deep_snow


AslPosition = Position[AslUnit, AslConditions]


class Start(Action, frozen=True, tag="start"):
    """A vehicle starts, forward or in Reverse."""

    traits: ClassVar[Traits] = ("waiting",)

    unit: UnitId
    reverse: bool = False


class Stop(Action, frozen=True, tag="stop"):
    """A vehicle stops."""

    traits: ClassVar[Traits] = ("waiting",)

    unit: UnitId


class Turn(Action, frozen=True, tag="turn"):
    """A vehicle changes its VCA by one hexspine."""

    traits: ClassVar[Traits] = ("waiting",)

    unit: UnitId
    facing: Annotated[Spine, msgspec.Meta(description=CORNERS)]


class Enter(Action, frozen=True, tag="enter"):
    """
    A vehicle, an Infantry unit or a moving stack enters an adjacent Location.

    ``off_road`` declines the road crossing the hexside: the unit pays for the hex's other terrain.
    ``half`` chooses the chart's second way in (half the allotment with a harder Bog Check; for
    Infantry the cover of shellholes). ``extra`` is what a vehicle spends beyond the minimum (D2.18)
    or, on foot or horseback, the cost of a wall or hedge whose gap is not used (B9.4), judged but
    never proposed. ``rest`` spends everything left. ``overrun`` announces an OVR there.
    ``beneath``: the unit goes at once beneath Wire or, from a connecting trench, into a trench or
    pillbox (into a foxhole it goes by ``shift``, once in its hex). ``crest``: it claims Crest
    status as it enters a Depression. ``breach``: a vehicle built for it breaches the bocage it
    crosses. In an Armored Assault each unit pays for itself: ``extra`` and ``rest`` are the AFV's.
    """

    traits: ClassVar[Traits] = (
        "enters",
        "goes",
        "leaves",
        "beneath",
        "upstairs",
        "crest",
        "waiting",
    )

    units: Companions
    to: Adjacent
    half: bool = False
    extra: Half = 0
    rest: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False
    overrun: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False
    beneath: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False
    off_road: bool = False
    breach: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False
    crest: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False


class LeaveRoad(Action, frozen=True, tag="leave-road"):
    """
    A vehicle leaves the road for the woods it runs through, in its own Location.

    ``half`` chooses the chart's second way in, as for an entry.
    """

    unit: UnitId
    half: bool = False


class MinimumMove(Action, frozen=True, tag="minimum"):
    """A unit or stack enters an adjacent Location that it cannot pay for (Minimum Move)."""

    traits: ClassVar[Traits] = (
        "enters",
        "goes",
        "leaves",
        "beneath",
        "upstairs",
        "crest",
        "waiting",
    )

    units: Companions
    to: Adjacent


class End(Action, frozen=True, tag="end"):
    """A unit ends its MPh. A vehicle's remaining MP count as spent there."""

    traits: ClassVar[Traits] = ("still", "beneath", "upstairs", "crest", "cliff", "waiting")

    unit: UnitId


ACTIONS: tuple[type[Action], ...] = (
    Start, Stop, Turn, LeaveRoad, Enter, MinimumMove,
    Delay, Exit, End, Advance, Descend, Stairs, *BYPASSES,
)  # fmt: skip


def actors(action: Action) -> tuple[str, ...]:
    """Return the units that act."""
    several: tuple[str, ...] | None = getattr(action, "units", None)
    if several is not None:
        return several
    return (action.unit, *getattr(action, "leaders", ()))  # type: ignore[attr-defined]
