"""Facts of a crossing or a Location, read off the map alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from marchtable_models.asl.corners import opposite, starts
from marchtable_models.asl.data import count
from marchtable_models.asl.views.bypass_facts import Skirt
from marchtable_models.asl.views.chart import hexside_of, is_hexside, row_named, row_of
from marchtable_models.asl.views.clearance import bypass_sides, has_wide_gap, streets
from marchtable_models.asl.views.ground_facts import RUBBLE, WOODS, Ground, Lie

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.board.board import Board, Hexside, Location

RUNWAY = "Runway"
ROADS = ("Dirt Road", "Paved Road", "Path", RUNWAY)
PAVED = ("Paved Road", RUNWAY)
PLAIN_ROADS = ("Dirt Road", "Paved Road", "Sunken Road", "Elevated Road")
STREAM = "stream-"
_ROWS: WeakKeyDictionary[Board, frozenset[str]] = WeakKeyDictionary()
_LEVELS: WeakKeyDictionary[Board, bool] = WeakKeyDictionary()


def terrain_row(location: Location) -> str:
    """Return the chart row of a Location: its centre's, or of the terrain its road crosses."""
    if location.terrain in ROADS:
        for name, share in location.also:
            counts = share >= count("x-terrain", "share") and name not in ROADS
            if counts and row_of(name) != "open" and not is_hexside(name):
                return row_of(name)
    return row_of(location.terrain)


def ground_row(location: Location) -> str:
    """Return the chart row of a Location: that of its Depression, if it lies in one."""
    own = row_of(location.terrain)
    if own == "ford":
        return own
    if location.depression is not None and own != "bridge":
        return row_of(location.depression)
    return terrain_row(location)


PONTOON = "Pontoon Bridge"
"""The map's name of a bridge at water level, with one lane (B6.41)."""
MARKET = "market-place"
"""The row of a building open on the ground, with one level above (B23.73)."""


class LocationData(NamedTuple):
    """
    The map's data on one Location, whichever way it is entered.

    ``row``, ``within`` and ``beside`` are chart rows: its own, that of other terrain in it, and
    that beside its obstacle. ``on_foot`` and ``drivable`` are the hexsides for bypassing it;
    ``roads`` are those its road crosses.
    """

    place: Location
    row: str
    within: str
    beside: str
    on_foot: tuple[int, ...] | None
    drivable: tuple[int, ...] | None
    streets: tuple[int, ...]
    roads: tuple[int, ...]
    by_marsh: bool
    entrance: bool
    wooden: bool
    house: bool


class Atlas:
    """Cached readings of one map: crossings, Locations, and roads along hexsides."""

    def __init__(self, board: Board) -> None:
        self.lies: dict[tuple[str, str], Lie] = {}
        self.meetings = frozenset(_meetings(board))
        self.spots: dict[str, LocationData] = {}

    def spot(self, board: Board, name: str) -> LocationData:
        """Return the map's data on a Location."""
        found = self.spots.get(name)
        if found is None:
            found = self.spots[name] = self._spot(board, name)
        return found

    def _spot(self, board: Board, name: str) -> LocationData:
        place = board[name]
        row = ground_row(place)
        roads = tuple(
            way
            for way, other in board.neighbours(name)
            if _is_road(board, name, other) or (name, other) in self.meetings
        )
        return LocationData(
            place,
            row,
            within_row(place),
            beside_row(place),
            bypass_sides(board, name, vehicle=False),
            bypass_sides(board, name, vehicle=True),
            streets(board, name),
            roads,
            _by_marsh(board, place),
            row == "factory" and _is_entrance(board, place),
            "Wooden" in place.terrain and row_of(place.terrain) == "bridge",
            _is_house(place),
        )


_ATLASES: WeakKeyDictionary[Board, Atlas] = WeakKeyDictionary()


def lie(board: Board, a: str, b: str) -> Lie:
    """Return the facts of going from a to b, or of staying (a == b)."""
    atlas = board.notes.get("atlas")  # quicker than _ATLASES, which equal boards share
    if atlas is None:
        if board not in _ATLASES:
            _ATLASES[board] = Atlas(board)
        atlas = board.notes["atlas"] = _ATLASES[board]
    found: Lie | None = atlas.lies.get((a, b))
    if found is None:
        found = atlas.lies[a, b] = _lie(board, atlas, a, b)
    return found


def _lie(board: Board, atlas: Atlas, a: str, b: str) -> Lie:
    here, there = atlas.spot(board, a), atlas.spot(board, b)
    hexside = board.hexside(a, b)
    across = _is_road(board, a, b)
    beside = not across and (a, b) in atlas.meetings
    rise = _rise(here.place, there.place)
    mound = there.row == "elevated-road" and rise == 1 and not (across or beside)
    if mound:
        rise = 0  # the chart cost of its edge includes the climb
    ridge = bool(hexside and hexside.ridge) and not (across or beside)
    buried = here.row in RUBBLE or there.row in RUBBLE
    pontoon, off_pontoon = there.place.terrain == PONTOON, here.place.terrain == PONTOON
    yard = bool(hexside and hexside.path) and there.row == "graveyard"  # its road (B18.4)
    ground = Ground(
        here=here.row,
        there=there.row,
        hexside=hexside_of(hexside.terrain) if hexside else "",
        road=across or beside or yard,
        path=bool(hexside and hexside.path),
        rise=rise,
        from_depression=here.place.depression is not None and not ridge,
        into_depression=there.place.depression is not None and not ridge,
        wooden=there.wooden,
        road_here=bool(here.roads),
        slope=bool(hexside and hexside.slope),
        strange_road=bool(hexside and hexside.road and not is_plain(hexside.road)),
        within=there.within,
        gap=bool(hexside and has_wide_gap(hexside)),
        beside_road=beside,
        mound=mound,
        in_factory=here.row == there.row == "factory",
        levels=abs(there.place.level - here.place.level),
        floors=floors_of(there.place),
        stairs=_has_stairs(there.place),
        joined=0
        if a == b
        else _joined(here.place, there.place, hexside, board.direction(a, b))
        if hexside
        else 0,
        paved=_is_paved(here, there, hexside, a == b),
        pontoon=pontoon,
        off_pontoon=off_pontoon,
        lane=pontoon or off_pontoon,
        canal=there.row == "water" and "Canal" in there.place.terrain,
        ford=_depth(there.place) if there.row == "ford" else "",
        by_marsh=there.by_marsh,
        entrance=there.entrance,
        house=there.house,
        door=bool(hexside and is_plain(hexside.road or "")) and not across and not buried,
        ridge=ridge and rise <= 0 and None not in (here.place.depression, there.place.depression),
    )
    way = board.direction(a, b) if hexside else -1
    bypassed = here.beside if here.on_foot else ""
    return Lie(ground, way, () if hexside else here.roads, _skirt(there, way), bypassed)


def floors_of(location: Location) -> int:
    """Return how many upper levels a Location's building has."""
    if row_of(location.terrain) == MARKET:
        return 1
    name, _, levels = location.terrain.partition(", ")
    number = levels.partition(" ")[0]
    return int(number) if name.endswith("Building") and number.isdecimal() else 0


def _has_stairs(location: Location) -> bool:
    """Return whether a stairwell is printed there, or inherent in a Two Story House (B23.22)."""
    return location.stairway or floors_of(location) == 1


def _joined(here: Location, there: Location, hexside: Hexside, way: int) -> int | None:
    """Return the level up to which a hexside lies within one building, None if unknown."""
    both = min(floors_of(here), floors_of(there))
    rows = {row_of(here.terrain), row_of(there.terrain)}
    if not both or (len(rows) > 1 and MARKET not in rows) or hexside.terrain is not None:
        return 0
    if MARKET in rows:  # it is wood or stone like the building it belongs to
        return None
    if here.level != there.level or not (here.clear and there.clear):
        return None
    touches = here.clear[way] == there.clear[opposite(way)] == 0
    return both if touches else 0


def _is_paved(
    here: LocationData, there: LocationData, hexside: Hexside | None, stays: bool
) -> bool:
    """Return whether the road across a hexside, or in a Location, is paved; a bridge's is."""
    if "bridge" in (here.row, there.row):
        return True
    road = there.place.terrain if stays else hexside.road if hexside else None
    return road is not None and (road in PAVED or row_of(road) == "bridge")


def _depth(location: Location) -> str:
    """Return the depth of a Location's stream on the map, ``""`` if unstated."""
    row = row_of(location.depression or "")
    return row.removeprefix(STREAM) if row.startswith(STREAM) else ""


def beside_row(location: Location) -> str:
    """Return the chart row of the terrain beside a hex's woods or building, ``""`` if none."""
    if not row_named(ground_row(location)).obstacle:
        return ""
    for name, share in location.also:
        row = row_of(name)
        bare = name in ROADS or is_hexside(name) or row == "open" or row_named(row).obstacle
        if share >= count("x-terrain", "share") and not bare:
            return row
    return "open"


def _skirt(spot: LocationData, way: int) -> Skirt:
    """Return the room to bypass a Location's obstacle, by direction of entry; -1 if there."""
    if not spot.beside:
        return Skirt()
    if spot.on_foot is None or spot.drivable is None:
        return Skirt(spot.beside, stated=False, streets=spot.streets)
    if way < 0:
        return Skirt(spot.beside, vehicle=spot.drivable, streets=spot.streets)
    shared = opposite(way)
    matter = [shared, *_runs(spot.on_foot, way)]
    near = (shared, (shared + 1) % 6, (shared - 1) % 6)
    return Skirt(
        spot.beside,
        foot=tuple(side for side in spot.on_foot if side in matter),
        vehicle=tuple(side for side in spot.drivable if side in near),
        streets=tuple(side for side in spot.streets if side in (*matter, *near)),
    )


def _runs(clear: tuple[int, ...], way: int) -> list[int]:
    """Return the hexsides reached along clear ones from the hexside of entry."""
    found = []
    for vertex, turn in starts(way, None):
        side = (vertex + (turn > 0)) % 6
        while side in clear and side != opposite(way):
            found.append(side)
            side = (side + turn) % 6
    return found


def rows_on(board: Board) -> frozenset[str]:
    """Return every chart row of the map's Locations."""
    found = _ROWS.get(board)
    if found is None:
        places = board.locations
        rows = {ground_row(place) for place in places} | {within_row(place) for place in places}
        found = _ROWS[board] = frozenset(rows - {""})
    return found


def has_levels(board: Board) -> bool:
    """Return whether the map's Locations are at several levels."""
    found = _LEVELS.get(board)
    if found is None:
        found = _LEVELS[board] = len({place.level for place in board.locations}) > 1
    return found


def has_second_way(board: Board, column: str) -> bool:
    """Return whether some terrain of the map has a second way in for a chart column."""
    return any(column in row_named(row).second for row in rows_on(board))


def _by_marsh(board: Board, location: Location) -> bool:
    """Return whether a Location at level 0 or lower is adjacent to a marsh (B16.43)."""
    return location.level <= 0 and any(
        ground_row(board[name]) == "marsh" for _, name in board.neighbours(location.name)
    )


def _is_house(location: Location) -> bool:
    """Return whether a Location has a building whose name states no upper level."""
    names = (location.terrain, *(name for name, _ in location.also))
    buildings = [name for name in names if row_named(row_of(name)).closed]
    return bool(buildings) and not any("Level" in name for name in buildings)


def _is_entrance(board: Board, location: Location) -> bool:
    """Return whether a factory hex can be a Vehicular-Sized Entrance (B23.742)."""
    sides = [board.hexside(location.name, name) for _, name in board.neighbours(location.name)]
    return location.stairway or any(side is not None and side.road is not None for side in sides)


def within_row(location: Location) -> str:
    """Return the chart row of other terrain that adds its cost, ``""`` if none."""
    row = ground_row(location)
    if row == "bridge":
        return ""
    depressed = location.depression is not None or row in ("elevated-road", "tower")
    centre = ((location.terrain, 100),) if depressed and location.terrain not in ROADS else ()
    for name, share in (*centre, *location.also):
        other = row_of(name)
        bare = name in ROADS or other in ("open", "bridge", row) or is_hexside(name)
        bare |= row == "ford" and other.startswith(STREAM)
        large = share >= count("x-terrain", "share")
        if large and not bare and (depressed or _is_building_in_woods(row, other)):
            return other
    return ""


def _is_building_in_woods(row: str, other: str) -> bool:
    """Return whether one of two rows is a building and the other woods."""
    obstacles = row_named(row).obstacle and row_named(other).obstacle
    return obstacles and (row in WOODS) != (other in WOODS)


def is_plain(road: str) -> bool:
    """Return whether the chart covers a road: paved, dirt, sunken, elevated, runway, bridge."""
    return road in (*PLAIN_ROADS, RUNWAY) or row_of(road) == "bridge"


def _is_road(board: Board, a: str, b: str) -> bool:
    """Return whether a road crosses the hexside and goes on, rather than ending at a door."""
    hexside = board.hexside(a, b)
    return bool(hexside and hexside.road and is_plain(hexside.road) and not ends_road(board, a, b))


def ends_road(board: Board, *names: str) -> bool:
    """Return whether a road reaching one of these Locations ends there, at a building's door."""
    return any(row_named(terrain_row(board[name])).ends_road for name in names)


def _meetings(board: Board) -> Iterator[tuple[str, str]]:
    """
    Yield each Location with a road and one whose hexside the road continues along, both ways.

    This includes roads that leave a board at the middle of its short edges: they run between two
    whole hexes once another board adjoins. It excludes a Narrow Street into woods beside it
    (B31.11).
    """
    for edge in board.edges:
        if edge.hexside.along in PLAIN_ROADS:
            for _, end in board.neighbours(edge.a):
                if board.hexside(end, edge.b) is not None and holds_road(board[end]):
                    narrow = board.direction(edge.a, edge.b) in streets(board, edge.a)
                    for name in (edge.a, edge.b):
                        closed = narrow and row_named(terrain_row(board[name])).obstacle
                        if not (closed or ends_road(board, end, name)):
                            yield from ((end, name), (name, end))


def holds_road(location: Location) -> bool:
    """Return whether a road is drawn in a Location."""
    drawn = (location.terrain, *(name for name, _ in location.also))
    return any(name in PLAIN_ROADS for name in drawn)


def _rise(here: Location, there: Location) -> int:
    """Return the Crest Lines crossed upward; entering a Depression alone crosses none."""
    rise = there.level - here.level
    if there.depression and not here.depression and rise == -1:
        return 0
    return rise
