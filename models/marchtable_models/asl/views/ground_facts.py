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
    """What the map says of going from one Location to an adjacent one, or of staying."""

    # here, there: chart rows of the two Locations
    here: str
    there: str
    hexside: str  # chart row of what lies along the hexside, or ``""``
    # road, path: whether such a hexside is crossed
    road: bool
    path: bool
    rise: int  # full levels up (negative: down)
    # from_depression, into_depression: whether the Locations lie in one
    from_depression: bool
    into_depression: bool
    wooden: bool  # whether what is entered is a wooden bridge
    road_here: bool  # whether a road runs through the first Location
    # slope, strange_road: whether it is a Slope hexside, or one crossed by a road of a kind the
    # chart does not know
    slope: bool
    strange_road: bool
    # chart row of other terrain in what is entered, whose cost is added (or would be, on an
    # elevated road), or ``""``
    within: str = ""
    by_marsh: bool = False  # whether what is entered lies low beside a marsh
    gap: bool = False  # whether what lies along the hexside has an obvious gap
    # whether the road crossed is one that runs along another hexside and meets this one's end
    beside_road: bool = False
    # whether what is entered is a factory's hex with a stairwell or a road hexside
    entrance: bool = False
    buried: bool = False  # whether rubble or debris lies on the road that would cross the hexside
    # ``on`` or ``off`` where it is the map's edge that is crossed, to come on or to go off
    edge: str = ""
    lane: bool = False  # whether a bridge that is entered or left is stated to have one lane
    trail: bool = False  # whether a Trail Break opens the hexside into what is entered
    # against, used: whether a vehicle has crossed the hexside the other way in this Player Turn,
    # and whether one has crossed it this way, where that is kept track of
    against: bool = False
    used: bool = False
    trail_out: bool = False  # whether a Trail Break opens the hexside out of what is left
    ford: str = ""  # how deep the map has the stream whose ford is entered
    door: bool = False  # whether a road crosses the hexside and ends there, at a building's door
    ridge: bool = False  # whether higher ground is crossed from one depression into another
    canal: bool = False  # whether the water that is entered is a canal's
    # whether an elevated road is climbed off the road: ``rise`` leaves that level out, the chart's
    # figure has it
    mound: bool = False
    # whether both hexes are, or were before they were rubbled, a factory's
    in_factory: bool = False
    # chart row of the depression that rubble which is entered has fallen into, or ``""``
    filled: str = ""
    house: bool = False  # whether a building there has a ground level alone
    levels: int = 0  # full levels between the Locations, up or down
    # whether the road that crosses the hexside (of staying: the Location's) is paved, or a bridge's
    paved: bool = False
    # floors, stairs: how many upper levels the building of the second Location has, and whether a
    # stairwell leads up there
    floors: int = 0
    stairs: bool = False
    breach: bool = False  # whether there is a Breach in the hexside
    # pontoon, off_pontoon: whether a pontoon bridge is entered, and whether one is left
    pontoon: bool = False
    off_pontoon: bool = False
    # up to which level the hexside lies within one building; None where the board does not say
    joined: int | None = 0
    # chart row of what is entered as it is without the snow, ``""`` where that changes nothing
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
    """A crossing (or a Location) as the map has it: what clauses see of it, and its bearings."""

    ground: Ground  # the facts that clauses look at
    direction: int  # the hexside crossed, 0 to 5; -1 for staying
    roads: tuple[int, ...] = ()  # for staying: the hexsides that the Location's road crosses
    # room to go round the obstacle of the hex that is entered, or of the hex itself
    skirt: Skirt = Skirt()
    # chart row of the terrain beside the first hex's obstacle, ``""`` where none is bypassed
    beside: str = ""
