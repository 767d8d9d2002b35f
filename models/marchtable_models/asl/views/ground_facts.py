"""Facts of the map: hexes and hexsides as a step meets them."""

from __future__ import annotations

import msgspec

from marchtable_models.asl.views.bypass_facts import Skirt

STREAMS = ("stream-dry", "stream-shallow", "stream-deep")


RUBBLE = ("wooden-rubble", "stone-rubble")
WOODS = ("woods", "pine-woods", "light-woods")
PATHED = (*WOODS, "brush", "vineyard")
"""Terrain a path leads through; elsewhere it changes nothing (B13.6)."""


ENTRENCHED = ("foxhole", "trench", "pillbox")
"""Counters that Infantry goes beneath, or leaves, for MF (B27, B30)."""
BUILT = (
    "wooden-building", "stone-building", "lumberyard", "wooden-rubble", "stone-rubble", "factory",
)  # fmt: skip


WET = (*STREAMS, "stream-flooded", "ford", "water")
"""Rows without a road cost on the chart: no road leads into them."""


AFLOAT = ("water", "marsh")
"""Rows entered by amphibious MP."""


BOTH_WAYS = 6
"""In place of a one-lane bridge's direction: used in both."""


FORDED = {"deep": "stream-shallow", "shallow": "stream-dry", "dry": "stream-dry"}
"""Row of a ford, by the depth of its stream."""


class Ground(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """
    The map's data on going from one Location to an adjacent one, or on staying.

    Parameters
    ----------
    here, there
        Chart rows of the two Locations.
    hexside
        Chart row of the terrain along the hexside, or ``""``.
    road, path
        Whether such a hexside is crossed.
    rise
        Full levels up (negative: down).
    from_depression, into_depression
        Whether the Locations lie in a Depression.
    wooden
        Whether a wooden bridge is entered.
    road_here
        Whether a road runs through the first Location.
    slope, strange_road
        Whether it is a Slope hexside, or crossed by a road that the chart does not cover.
    within
        Chart row of other terrain there whose cost is added (or would be, on an elevated road), or
        ``""``.
    by_marsh
        Whether the Location entered lies low beside a marsh.
    gap
        Whether the terrain along the hexside has an obvious gap.
    beside_road
        Whether the road crossed runs along another hexside and meets the end of this one.
    entrance
        Whether a factory hex with a stairwell or a road hexside is entered.
    buried
        Whether rubble or debris lies on the road that would cross the hexside.
    lane
        Whether a bridge that is entered or left is stated to have one lane.
    trail
        Whether a Trail Break opens the hexside into the Location entered.
    against, used
        Whether a vehicle has crossed the hexside the other way in this Player Turn, and whether one
        has crossed it this way, if that is recorded.
    trail_out
        Whether a Trail Break opens the hexside out of the Location left.
    door
        Whether a road crosses the hexside and ends there at a building's door.
    canal
        Whether a canal's water is entered.
    mound
        Whether an elevated road is climbed off road: ``rise`` excludes that level, which the chart
        cost includes.
    house
        Whether a building there has only a ground level.
    ridge
        Whether higher ground is crossed from one Depression into another.
    in_factory
        Whether both hexes are a factory's, or were before they became rubble.
    filled
        Chart row of the Depression that the rubble entered has fallen into, or ``""``.
    ford
        Depth, on the map, of the stream whose ford is entered.
    levels
        Full levels between the Locations, up or down.
    paved
        Whether the road across the hexside (if staying, the Location's) is paved, or a bridge's.
    floors, stairs
        Upper levels of the second Location's building, and whether a stairwell leads up there.
    breach
        Whether there is a Breach in the hexside.
    pontoon, off_pontoon
        Whether a pontoon bridge is entered, and whether one is left.
    joined
        The level up to which the hexside lies within one building; None if the board does not say.
    frozen
        Chart row of the Location entered without snow, ``""`` if snow changes nothing.
    edge
        ``on`` or ``off`` if the map's edge is crossed, to enter or to leave.
    """

    here: str
    there: str
    hexside: str
    road: bool
    path: bool
    rise: int
    from_depression: bool
    into_depression: bool
    wooden: bool
    road_here: bool
    slope: bool
    strange_road: bool
    within: str = ""
    by_marsh: bool = False
    gap: bool = False
    beside_road: bool = False
    entrance: bool = False
    buried: bool = False
    edge: str = ""
    lane: bool = False
    trail: bool = False
    against: bool = False
    used: bool = False
    trail_out: bool = False
    ford: str = ""
    door: bool = False
    ridge: bool = False
    canal: bool = False
    mound: bool = False
    in_factory: bool = False
    filled: str = ""
    house: bool = False
    levels: int = 0
    paved: bool = False
    floors: int = 0
    stairs: bool = False
    breach: bool = False
    pontoon: bool = False
    off_pontoon: bool = False
    joined: int | None = 0
    frozen: str = ""

    @property
    def shut(self) -> bool:
        """Whether vehicles have crossed the hexside both ways, which closes a single lane."""
        return self.against and self.used

    @property
    def abrupt(self) -> bool:
        """Whether several levels are entered at once."""
        return abs(self.rise) > 1 or self.ridge

    @property
    def abyss(self) -> bool:
        """Whether a cliff or water separates trenches on either side of the hexside."""
        return self.hexside == "cliff" or "water" in (self.here, self.there)

    @property
    def hurdle(self) -> str:
        """Chart row of the hexside terrain crossed; by a road or gap only a roadblock counts."""
        if self.hexside == "roadblock":
            return self.hexside
        return "" if self.road or self.gap else self.hexside

    @property
    def rows(self) -> tuple[str, ...]:
        """Chart rows of the terrain around a unit in the Location; in a stream, only that."""
        alone = not self.within or self.there.startswith("stream")
        return (self.there,) if alone else (self.there, self.within)


class Lie(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """
    A crossing (or a Location) on the map: its facts and its directions.

    Parameters
    ----------
    ground
        The facts that clauses read.
    direction
        The hexside crossed, 0 to 5; -1 for staying.
    roads
        If staying: the hexsides that the Location's road crosses.
    skirt
        Room to bypass the obstacle of the hex entered, or of the hex itself.
    beside
        Chart row of the terrain beside the first hex's obstacle, ``""`` if none is bypassed.
    """

    ground: Ground
    direction: int
    roads: tuple[int, ...] = ()
    skirt: Skirt = Skirt()
    beside: str = ""
