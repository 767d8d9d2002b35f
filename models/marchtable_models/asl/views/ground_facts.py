"""Facts of the map: what a hex and a hexside are, as a step meets them."""

from __future__ import annotations

import msgspec

from marchtable_models.asl.views.bypass_facts import Skirt

STREAMS = ("stream-dry", "stream-shallow", "stream-deep")


RUBBLE = ("wooden-rubble", "stone-rubble")
WOODS = ("woods", "pine-woods", "light-woods")
PATHED = (*WOODS, "brush", "vineyard")
"""What a path leads through; it changes nothing elsewhere (B13.6)."""


ENTRENCHED = ("foxhole", "trench", "pillbox")
"""Counters beneath which Infantry goes, and out of which it comes, for MF (B27, B30)."""
BUILT = (
    "wooden-building", "stone-building", "lumberyard", "wooden-rubble", "stone-rubble", "factory",
)  # fmt: skip


WET = (*STREAMS, "stream-flooded", "ford", "water")
"""Rows into which no road leads: the chart knows no cost by road for them."""


AFLOAT = ("water", "marsh")
"""Rows in which an amphibious vehicle goes by its amphibious MP."""


BOTH_WAYS = 6
"""Instead of the direction in which a one-lane bridge has been used: that it has been in both."""


FORDED = {"deep": "stream-shallow", "shallow": "stream-dry", "dry": "stream-dry"}
"""Row of a ford, by the depth of its stream."""


class Ground(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """
    What the map says of going from one Location to an adjacent one, or of staying.

    Parameters
    ----------
    here, there
        Chart rows of the two Locations.
    hexside
        Chart row of what lies along the hexside, or ``""``.
    road, path
        Whether such a hexside is crossed.
    rise
        Full levels up (negative: down).
    from_depression, into_depression
        Whether the Locations lie in one.
    wooden
        Whether what is entered is a wooden bridge.
    road_here
        Whether a road runs through the first Location.
    slope, strange_road
        Whether it is a Slope hexside, or one crossed by a road of a kind the chart does not know.
    within
        Chart row of other terrain in what is entered, whose cost is added (or would be, on
        an elevated road), or ``""``.
    by_marsh
        Whether what is entered lies low beside a marsh.
    gap
        Whether what lies along the hexside has an obvious gap.
    beside_road
        Whether the road crossed is one that runs along another hexside and meets this one's end.
    entrance
        Whether what is entered is a factory's hex with a stairwell or a road hexside.
    buried
        Whether rubble or debris lies on the road that would cross the hexside.
    lane
        Whether a bridge that is entered or left is stated to have one lane.
    trail
        Whether a Trail Break opens the hexside into what is entered.
    against, used
        Whether a vehicle has crossed the hexside the other way in this Player Turn, and whether one has
        crossed it this way, where that is kept track of.
    trail_out
        Whether a Trail Break opens the hexside out of what is left.
    door
        Whether a road crosses the hexside and ends there, at a building's door.
    canal
        Whether the water that is entered is a canal's.
    mound
        Whether an elevated road is climbed off the road: ``rise`` leaves that level out, the chart's figure has it.
    house
        Whether a building there has a ground level alone.
    ridge
        Whether higher ground is crossed from one depression into another.
    in_factory
        Whether both hexes are, or were before they were rubbled, a factory's.
    filled
        Chart row of the depression that rubble which is entered has fallen into, or ``""``.
    ford
        How deep the map has the stream whose ford is entered.
    levels
        Full levels between the Locations, up or down.
    paved
        Whether the road that crosses the hexside (of staying: the Location's) is paved, or a bridge's.
    floors, stairs
        How many upper levels the building of the second Location has, and whether a stairwell leads up there.
    breach
        Whether there is a Breach in the hexside.
    pontoon, off_pontoon
        Whether a pontoon bridge is entered, and whether one is left.
    joined
        Up to which level the hexside lies within one building; None where the board does not say.
    frozen
        Chart row of what is entered as it is without the snow, ``""`` where that changes nothing.
    edge
        ``on`` or ``off`` where it is the map's edge that is crossed, to come on or to go off.
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
        """Whether vehicles have crossed the hexside both ways: a lane is closed then."""
        return self.against and self.used

    @property
    def abrupt(self) -> bool:
        """Whether several levels are entered at once."""
        return abs(self.rise) > 1 or self.ridge

    @property
    def abyss(self) -> bool:
        """Whether a cliff, or water, keeps trenches on either side of the hexside apart."""
        return self.hexside == "cliff" or "water" in (self.here, self.there)

    @property
    def hurdle(self) -> str:
        """Chart row of what is crossed along the hexside; by a road or a gap nothing is but a roadblock."""
        if self.hexside == "roadblock":
            return self.hexside
        return "" if self.road or self.gap else self.hexside

    @property
    def rows(self) -> tuple[str, ...]:
        """Chart rows in whose midst one is in the Location entered: in a stream, that alone."""
        alone = not self.within or self.there.startswith("stream")
        return (self.there,) if alone else (self.there, self.within)


class Lie(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """
    A crossing (or a Location) as the map has it: what clauses see of it, and its bearings.

    Parameters
    ----------
    ground
        The facts that clauses look at.
    direction
        The hexside crossed, 0 to 5; -1 for staying.
    roads
        For staying: the hexsides that the Location's road crosses.
    skirt
        Room to go round the obstacle of the hex that is entered, or of the hex itself.
    beside
        Chart row of the terrain beside the first hex's obstacle, ``""`` where none is bypassed.
    """

    ground: Ground
    direction: int
    roads: tuple[int, ...] = ()
    skirt: Skirt = Skirt()
    beside: str = ""
