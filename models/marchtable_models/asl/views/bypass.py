"""Facts of Bypass, read off a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from marchtable.rules.view import fact
from marchtable.state.records import replace
from marchtable_models.asl.corners import (
    LONGEST,
    OWN,
    begins,
    edges,
    front,
    opposite,
    passes,
    run,
    starts,
    turned,
)
from marchtable_models.asl.counterkinds import roadblock_side
from marchtable_models.asl.model import SPINES, Enter
from marchtable_models.asl.records import Place
from marchtable_models.asl.verbs import Along, Bypass, Into
from marchtable_models.asl.views.bypass_facts import Passing
from marchtable_models.asl.views.edge import ways
from marchtable_models.asl.views.entry import Crowd, Detour, There
from marchtable_models.asl.views.ground_facts import WOODS
from marchtable_models.asl.views.overlay import crossing as crossing_of
from marchtable_models.asl.views.reading import Entering, corner, ground_from, placed, type_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.views.bypass_facts import Skirt
    from marchtable_models.asl.views.entry import Entry, Manner
    from marchtable_models.asl.views.ground_facts import Ground, Lie
    from marchtable_models.asl.views.movers import Party


def _next_edge(unit: AslUnit, action: Bypass | Along, direction: int) -> int | None:
    """Return the hexside that a vehicle goes along next, or the vertex that other units name."""
    if unit.facing is None:
        vertex = action.vertex if isinstance(action, Bypass) else None
        return None if vertex is None else SPINES.index(vertex)
    found = edges(SPINES.index(unit.facing), unit.place.bypass, reverse=unit.motion.reverse)
    return found.get(OWN if isinstance(action, Along) else direction)


def goes_on(unit: AslUnit, to: str | None) -> bool:
    """Return whether a unit on foot that would bypass a hex is already in Bypass there."""
    return to == unit.at and unit.facing is None and unit.place.bypass is not None


def _crossing(position: AslPosition, unit: AslUnit, action: Bypass | Along | Into) -> Lie:
    """Return the crossing; if Bypass continues, the one it came by, less the hexside's."""
    at = unit.at or ""
    to = position.board.resolve(action.to) if isinstance(action, Bypass) else at
    if isinstance(action, Bypass) and goes_on(unit, to) and unit.move.previous is not None:
        came = crossing_of(position, unit.move.previous, at)
        return msgspec.structs.replace(
            came, ground=msgspec.structs.replace(came.ground, hexside="")
        )
    return crossing_of(position, at, to)


def place_after(position: AslPosition, unit: AslUnit, action: Bypass | Along | Into) -> int | None:
    """Return the hexside that a vehicle is on afterwards, or the vertex that other units reach."""
    if isinstance(action, Into):
        return None
    drives = unit.facing is not None and isinstance(action, Bypass)
    direction = _crossing(position, unit, action).direction if drives else OWN
    return _next_edge(unit, action, direction)


def taken(position: AslPosition, at: str, leave_out: Collection[str] = ()) -> tuple[int, ...]:
    """Return the hexsides of a Location that have a vehicle or wreck in Bypass on either side."""
    if not bypassers(position):
        return ()
    beside = [(None, at), *position.board.neighbours(at)]
    found = []
    for way, name in beside:
        for unit in position.occupants.get(name, ()):
            edge = unit.place.bypass
            if edge is None or unit.id in leave_out or type_of(position, unit).is_personnel:
                continue
            if way is None:
                found.append(edge)
            elif edge == opposite(way):
                found.append(way)
    return tuple(sorted(found))


def roadblocks(position: AslPosition, at: str) -> tuple[tuple[int, bool], ...]:
    """Return the hexsides of a Location that meet or hold a roadblock, and whether they hold it."""
    ways = dict.fromkeys((at,), OWN) | {name: way for way, name in position.board.neighbours(at)}
    found: dict[int, bool] = {}
    for counter in position.counters:
        side, way = roadblock_side(counter.kind), ways.get(position.board.resolve(counter.at))
        if side is None or way is None:
            continue
        for vertex in _vertices(side, way):
            for edge in (vertex, (vertex + 1) % 6):
                found.setdefault(edge, False)
        if way == OWN or side == opposite(way):
            found[side if way == OWN else way] = True
    return tuple(sorted(found.items()))


def _blocked_vertices(position: AslPosition, at: str) -> frozenset[int]:
    """Return the vertices of a Location that touch another hexside with a roadblock."""
    ways = {name: way for way, name in position.board.neighbours(at)}
    found: list[int] = []
    for counter in position.counters:
        side, way = roadblock_side(counter.kind), ways.get(position.board.resolve(counter.at))
        if side is not None and way is not None and side != opposite(way):
            found += _vertices(side, way)
    return frozenset(found)


def wires(position: AslPosition, at: str) -> tuple[int, ...]:
    """Return the hexsides of a Location with Wire beyond them."""
    wired = {position.board.resolve(c.at) for c in position.counters if c.kind == "wire"}
    return tuple(way for way, name in position.board.neighbours(at) if name in wired)


def beyond(position: AslPosition, at: str) -> tuple[tuple[int, ...], ...]:
    """Return counters elsewhere that affect Bypass: wired hexsides, vertices with roadblocks."""
    found = (wires(position, at), tuple(sorted(_blocked_vertices(position, at))))
    return found if any(found) else ()


def _vertices(side: int, way: int) -> list[int]:
    """Return the vertices of a hex that touch hexsides of the next hex that way; see corners."""
    ends = ((side - 1) % 6, side)
    if way == OWN:
        return list(ends)
    here = {(way + 2) % 6: way, (way + 3) % 6: (way - 1) % 6}
    return [here[end] for end in ends if end in here]


def bypassers(position: AslPosition) -> list[AslUnit]:
    """Return the units and wrecks in Bypass."""
    known: list[AslUnit] | None = position.notes.get("bypassers")
    if known is None:
        known = [u for u in position.units if u.place.bypass is not None and u.at is not None]
        position.notes["bypassers"] = known
    return known


def can_be_passed(position: AslPosition, a: str, b: str) -> bool:
    """Return whether a Location entered from another has an obstacle to bypass."""
    return bool(crossing_of(position, a, b).skirt.row)


def has_room(position: AslPosition, at: str) -> bool:
    """Return whether the obstacle of a Location leaves room for Bypass anywhere."""
    return bool(crossing_of(position, at, at).beside)


def passing_on_map(
    unit: AslUnit,
    action: Bypass | Along,
    direction: int,
    skirt: Skirt,
    *,
    wooded: bool,
    going_on: bool = False,
) -> Passing:
    """Return the Bypass by which a unit goes on, without the units and counters there."""
    after = _next_edge(unit, action, direction)
    if unit.facing is None:
        begin = _begin(unit, direction, going_on=going_on)
        count = 0 if after is None else run(skirt.foot, begin, after)
        if going_on and _gone(unit, direction, skirt) + count > LONGEST:
            count = 0
        sides = skirt.foot if skirt.stated else skirt.streets
        return Passing(
            bool(skirt.row),
            skirt.stated,
            int(count > 0) if going_on else count,  # paid again, it is doubled (A4.31)
            street=after is not None and passes(sides, skirt.streets, begin, after),
            wooded=wooded,
        )
    return Passing(
        obstacle=bool(skirt.row),
        stated=skirt.stated,
        hexsides=int(after in skirt.vehicle),
        in_line=after is not None and getattr(action, "vertex", None) is None,
        street=after in skirt.streets,
        wooded=wooded,
        goes_on=isinstance(action, Along),
    )


def _passing(
    position: AslPosition,
    unit: AslUnit,
    action: Bypass | Along,
    crossing: Lie,
    own: Collection[str],
) -> Passing:
    to = position.board.resolve(action.to) if isinstance(action, Bypass) else unit.at or ""
    going_on = goes_on(unit, to)
    found = passing_on_map(
        unit, action, crossing.direction, crossing.skirt,
        wooded=is_wooded(crossing.ground), going_on=going_on,
    )  # fmt: skip
    after = _next_edge(unit, action, crossing.direction)
    if unit.facing is None:
        if not (found.hexsides and position.counters) or after is None:
            return found
        begin = _begin(unit, crossing.direction, going_on=going_on)
        beyond = wires(position, to)
        free = tuple(side for side in crossing.skirt.foot if side not in beyond)
        clear = run(free, begin, after) if beyond else found.hexsides
        sides = free if clear else crossing.skirt.foot
        gone_round = turned(sides, begin, after) | begins(sides, begin, after)
        return msgspec.structs.replace(
            found,
            hexsides=found.hexsides if going_on else clear or found.hexsides,
            wire=not clear,
            roadblock="near" if gone_round & _blocked_vertices(position, to) else "",
        )
    is_taken = after in taken(position, to, own)
    if not (is_taken or position.counters):
        return found
    return msgspec.structs.replace(
        found,
        taken=is_taken,
        roadblock=_roadblock(position, unit, to, after),
        wire=after in wires(position, to),
    )


def _begin(unit: AslUnit, direction: int, *, going_on: bool) -> tuple[tuple[int, int], ...]:
    """Return the vertices and directions from which a unit on foot can start to bypass a hex."""
    if unit.place.bypass is not None and going_on:
        return ((unit.place.bypass, 1), (unit.place.bypass, -1))
    return starts(direction, unit.place.bypass)


def _gone(unit: AslUnit, direction: int, skirt: Skirt) -> int:
    """Return the fewest hexsides that a unit in Bypass has gone along, entering by a hexside."""
    begin = starts(direction, None)
    return 0 if unit.place.bypass is None else run(skirt.foot, begin, unit.place.bypass)


def is_wooded(ground: Ground) -> bool:
    """Return whether a building stands in woods that leave room around the building only."""
    return ground.within in WOODS and ground.there not in WOODS


def _roadblock(
    position: AslPosition, unit: AslUnit, at: str, edge: int | None
) -> Literal["", "on", "past", "near"]:
    """Return how a roadblock affects the hexside a vehicle goes along."""
    met = dict(roadblocks(position, at)).get(-1 if edge is None else edge)
    if met is None or edge is None:
        return ""
    facing = SPINES.index(unit.facing) if unit.facing else 0
    begins = (edge - 1) % 6 if front(edge, facing, reverse=unit.motion.reverse) == edge else edge
    return "on" if met else "past" if begins in _ends(position, at) else "near"


def _ends(position: AslPosition, at: str) -> frozenset[int]:
    """Return the vertices of a Location that touch a roadblock's hexside, its own included."""
    own = [edge for edge, is_own in roadblocks(position, at) if is_own]
    return _blocked_vertices(position, at).union(*(((edge - 1) % 6, edge) for edge in own))


def is_shut_in(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit in Bypass has come to a vertex that a roadblock reaches."""
    if unit.place.bypass is None or unit.at is None or not position.counters:
        return False
    if unit.facing is None:
        return unit.place.bypass in _blocked_vertices(position, unit.at)
    vertex = front(unit.place.bypass, SPINES.index(unit.facing), reverse=unit.motion.reverse)
    return vertex in _ends(position, unit.at)


def _ground(crossing: Lie, unit: AslUnit, action: Bypass | Along | Into) -> Ground:
    """Return the map facts of a step in Bypass: only the terrain beside the obstacle."""
    here = ground_from(crossing, unit)
    if isinstance(action, Into) or not crossing.skirt.row:
        return here
    return replace(
        here, there=crossing.skirt.row, road=False, path=False, beside_road=False, within=""
    )


class Bypassing(Entering):
    """A unit bypassing an obstacle, or entering the one it has bypassed, read off a position."""

    bypass: Bypass | Along | Into

    crossed = fact(lambda step: _crossing(step.position, step.unit, step.bypass))
    into = fact(lambda step: isinstance(step.bypass, Into))
    stays = fact(lambda step: not isinstance(step.bypass, Bypass) or goes_on(step.unit, step.to))
    ground = fact(lambda step: _ground(step.crossed, step.unit, step.bypass))

    @fact
    def asks(self) -> tuple[str, ...]:
        """The concealed enemies: only a unit that enters meets them (A12.151)."""
        return super().asks if self.into else ()

    @fact
    def there(self) -> There:
        """The occupants of the Location."""
        found: There = super().there
        return _within(found, on_foot=self.unit.facing is None) if self.stays else found

    @fact
    def detour(self) -> Detour | None:
        """Where it returns to: a bypassing unit is not sent back (A12.151)."""
        if not (self.into and self.hidden):
            return None
        return Detour(self.unit.move.previous, self.to, sham=self.there.sham)

    @fact
    def manner(self) -> Manner:
        """How it enters."""
        found: Manner = super().manner
        return msgspec.structs.replace(found, moved=False) if self.stays else found

    @fact
    def ahead(self) -> bool:
        """Whether the hex is in a vehicle's VCA."""
        direction = OWN if self.stays else self.crossed.direction
        return self.unit.facing is None or direction in ways(self.unit)

    @fact
    def corner(self) -> Literal["", "at", "off", "out"]:
        """Whether the hex touches the vertex reached."""
        return "at" if self.stays else corner(self.unit, self.crossed.direction)

    @fact
    def passing(self) -> Passing | None:
        """The Bypass by which it goes."""
        if isinstance(self.bypass, Into):
            return None
        return _passing(self.position, self.unit, self.bypass, self.crossed, self.stack.ids)

    @fact
    def edge(self) -> int | None:
        """The hexside on which a vehicle will be."""
        if self.unit.facing is None:
            return None
        return place_after(self.position, self.unit, self.bypass)


def entry_by_bypass(
    position: AslPosition, unit: AslUnit, stack: Party, action: Bypass | Along | Into
) -> Entry:
    """Return the facts of a unit bypassing an obstacle, or entering the one it has bypassed."""
    to = position.board.resolve(action.to) if isinstance(action, Bypass) else unit.at or ""
    half = isinstance(action, Into) and action.half
    extra = action.extra if isinstance(action, Bypass) else 0
    step = Bypassing(
        position=position, unit=unit, to=to, stack=stack, bypass=action,
        action=Enter(stack.ids, to, half=half, extra=extra),
        place=_place(position, unit, action),
    )  # fmt: skip
    return placed(step).replace(ground=step.ground) if unit.place.inside else step


def _place(position: AslPosition, unit: AslUnit, action: Bypass | Along | Into) -> Place | None:
    """Return the vertex where a unit is seen (vehicle: CAFP); None if it enters its obstacle."""
    if isinstance(action, Into):
        return None
    after = place_after(position, unit, action)
    if after is not None and unit.facing is not None:
        after = front(after, SPINES.index(unit.facing))
    return Place(bypass=after or 0)


def _within(found: There, *, on_foot: bool) -> There:
    """Return the occupants for a unit already in that Location: on foot, enemies still matter."""
    if not on_foot:
        return There(smoke=found.smoke, counters=found.counters)
    return replace(
        found,
        vehicles=0,
        convoy=False,
        crowd=Crowd(),
        tons=0,
        unweighed=False,
        small=0,
    )
