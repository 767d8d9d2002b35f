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
        For what depends on it (the leader bonus, ESB); of its side where none is stated.
    facing
        VCA of a vehicle: the hexspine it points along.
    sw
        SW in its possession.
    status, crew, motion, move, points, place, cargo, line, concealment, offboard, night
        What else there is to say of it, by subject: see :mod:`marchtable_models.asl.records`.
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
    What holds for the whole map.

    Parameters
    ----------
    month, year
        The month, 1 to 12, and the year; 0 where no year is stated.
    stream
        Depth of all streams, whatever the map shows; ``""`` for as it shows them.
    fordable
        Whether Water Obstacles may be forded.
    first_side
        Side that moves first in each turn: the turn counter goes up as its Player Turn begins. Where
        this is not stated, it is the side in whose Player Turn the scene begins.
    ground_snow, deep_snow, plowed
        Whether Ground Snow or Deep Snow lies, and whether the roads are plowed then.
    mud, soft_ground, rain
        Whether there is Mud, whether the scene calls the ground soft, and whether it rains, or has.
    rooftops
        Whether rooftops are in play, which a scenario says.
    night, nvr
        Whether it is night, and then the Night Visibility Range.
    sight
        Whether lines of sight that no unit's ``sees`` states are ``computed`` from the board, by the
        clauses that can; ``given``: only what is stated holds.
    types
        Unit types beside the sample ones.
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


AslPosition = Position[AslUnit, AslConditions]


class Start(Action, frozen=True, tag="start"):
    """A vehicle starts, to go forward or in Reverse."""

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

    ``off_road`` declines the road whose hexside is crossed: the unit pays for the hex's other terrain.
    ``half`` chooses the chart's second way in (half the allotment with a harder Bog Check; for
    Infantry the cover of shellholes); ``extra`` is what a vehicle spends beyond the least it must
    (D2.18), or on foot and on horseback the cost of a wall or hedge whose gap is not used (B9.4), judged but never
    proposed, and ``rest`` says that it spends all it has left.
    ``overrun`` announces an OVR there, ``beneath`` that the unit goes beneath Wire, or from a connecting trench into a trench or pillbox, at
    once (into a foxhole it goes by ``shift``, once it is in its hex), ``crest`` that it claims Crest status as it enters a Depression,
    ``breach`` that a vehicle made for it breaches the bocage that it crosses.
    In an Armored Assault each unit pays for itself: ``extra`` and ``rest`` are the AFV's.
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
    A vehicle leaves the road for the woods that it runs through, in its own Location.

    ``half`` chooses the chart's second way in, as for an entry.
    """

    unit: UnitId
    half: bool = False


class MinimumMove(Action, frozen=True, tag="minimum"):
    """A unit, or a stack, enters an adjacent Location that it cannot pay for (Minimum Move)."""

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
    """A unit ends its MPh. The MP that a vehicle has left count as spent there."""

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
