"""
Which units see each other: as the scene states or, if sight is computed, by their LOS.

A LOS runs both ways (A6.5), so either unit can state it. If sight is computed, a unit that states
which units it sees does not see others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable.cache import Cache
from marchtable_models.asl.data import count
from marchtable_models.asl.records import Concealment, Place
from marchtable_models.asl.views.eyes import (
    between,
    hides,
    look_at,
    obstructions,
    view_from,
    viewpoint,
)
from marchtable_models.asl.views.ground import lie
from marchtable_models.asl.views.los import Los, best
from marchtable_models.asl.views.nightsight import TRACKED, as_rolling, half_blind, light_on
from marchtable_models.asl.views.unitkinds import is_known_enemy, type_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from marchtable.sight.facts import Verdict, Viewpoint
    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.unittype import UnitType

GROUND = Place()
AT_ONCE = 3
"""Watchers asked about a place together: one of the nearest sees most places."""
LOCATIONS, EACH = 1_000, 300
_EXPOSURES: Cache[dict[str, Hashable]] = Cache(lambda known: EACH * max(LOCATIONS, len(known)))
"""What would be seen in each Location, by all it depends on; filled on demand."""
NOTHING_STATED = Concealment()
_SEEN: dict[str, Los] = {"clear": "yes", "blocked": "no"}


def is_computed(position: AslPosition) -> bool:
    """Return whether unstated lines of sight are computed."""
    return position.conditions.sight == "computed"


def has_los(
    position: AslPosition,
    unit: AslUnit,
    other: AslUnit,
    *,
    bare: bool = False,
    one_way: bool = False,
) -> Los:
    """
    Find whether two units see each other, each in its recorded place.

    If `bare`, SMOKE, wrecks and night are ignored; `one_way` asks whether the first sees the
    second.
    """
    stated = _stated(position, unit, other)
    if stated is not None:
        return stated
    if unit.at is None or other.at is None:
        return "no"
    ends = viewpoint(position, unit), viewpoint(position, other)
    return _SEEN.get(between(position, *ends, bare=bare, one_way=one_way), "unsure")


def _stated(position: AslPosition, unit: AslUnit, other: AslUnit) -> Los | None:
    """
    Return the stated or implied sight between two units; None if it is to be computed.

    A statement by a concealed enemy of the first unit counts only for the enemy's side.
    """
    mine = unit.concealment
    theirs = other.concealment if _is_known_to_state(unit.side, other) else NOTHING_STATED
    if other.id in mine.sees or unit.id in theirs.sees:
        return "yes"
    if other.id in mine.not_sees or unit.id in theirs.not_sees:
        return "no"
    if not is_computed(position):
        return "unstated"
    return "no" if mine.sees or theirs.sees else None


def _is_known_to_state(side: str, unit: AslUnit) -> bool:
    """Return whether verdicts for a side can use a unit's statements: it must see what it is."""
    return unit.side == side or not unit.concealment.concealed


def may_be_seen(position: AslPosition, unit: AslUnit, enemy: AslUnit) -> Los:
    """
    Find whether an enemy sees a unit, as far as the unit's side can know.

    The identity of a unit under a ``?``, and its place in the Location, are ignored: if sight is
    computed, it is ``unsure`` if any place of that Location might see the unit.
    """
    if not enemy.concealment.concealed:
        return has_los(position, unit, enemy)
    stated = _stated(position, unit, enemy)
    if stated is not None:
        return "unsure" if stated == "yes" and is_computed(position) else stated
    if unit.at is None or enemy.at is None:
        return "no"
    eye = viewpoint(position, unit)
    places = (one for one in _places(position, enemy.at) if one.inside != "beneath")
    blocked = all(
        between(position, eye, view_from(position, enemy.at, one)) == "blocked" for one in places
    )
    return "no" if blocked else "unsure"


def known_enemies(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return a unit's Known enemies on the map, and those off it that it is stated to see."""
    return [
        other
        for other in position.units
        if (other.at is not None or other.id in unit.concealment.sees)
        and is_known_enemy(position, unit, other)
    ]


def sees_enemy(position: AslPosition, unit: AslUnit) -> Los:
    """Find whether a unit sees a Known enemy."""
    return best(has_los(position, unit, one, one_way=True) for one in known_enemies(position, unit))


def unclear(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """
    Return the Known enemies for which sight is neither stated nor computed.

    If sight is stated, and the unit states which units it sees, there are none.
    """
    if unit.concealment.sees:
        return []
    return [
        one
        for one in known_enemies(position, unit)
        if has_los(position, unit, one) in ("unstated", "unsure")
    ]


def provoked(
    position: AslPosition, units: Iterable[AslUnit], *, entering: bool = False
) -> tuple[Los, int]:
    """
    Find whether a moving enemy that has spent MF or MP is in the LOS of any of these units.

    If `entering`, an enemy still in its Location does not count: it was in LOS before.

    Returns the answer, and the most half points spent by an enemy in LOS. The identity and LOS of a
    concealed mover are unknown: it leaves undecided what no other mover decides.
    """
    mine = list(units)
    movers = [
        one for one in position.units
        if one.at is not None and one.move.mph == "moving" and one.points.spent
        and mine and one.side != mine[0].side and one.side == position.side
        and not (entering and one.move.previous is None)
    ]  # fmt: skip
    open_ones = [one for one in movers if not one.concealment.concealed]
    found = [
        (best(has_los(position, me, one, one_way=True) for me in mine), one.points.spent)
        for one in open_ones
    ]
    if len(open_ones) < len(movers):
        found.append(("unsure" if is_computed(position) else "unstated", 0))
    spent = max((points for los, points in found if los == "yes"), default=0)
    return best(los for los, _ in found), spent


# -- units that see a move (A12.14) --------------------------------------------------------------


class Watch(NamedTuple):
    """An enemy in Good Order who might see a unit that moves in a place."""

    enemy: str  # who
    near: bool  # whether it is near enough for Infantry to be seen
    los: Los  # whether it sees Infantry there
    # wheeled, tracked: whether it sees such a vehicle there, which by night shows from farther off
    # (E1.14)
    wheeled: Los
    tracked: Los


def watch(position: AslPosition, side: str, at: str, place: Place) -> tuple[Watch, ...]:
    """
    Return the enemies that might see a move in a place of a Location, as far as it matters.

    They are asked from the nearest on, after those of whom sight is stated. By day, asking stops at
    the first one near enough that sees it: others then change nothing. Where there is no obstacle, Bypass counts
    as on the ground: it is barred anyway (A4.3a).
    """
    if place.bypass is not None and not hides(position.board, at):
        place = GROUND
    known = position.notes.setdefault("watch", {})
    key = (side, at, place)
    if key not in known:
        known[key] = tuple(_watch(position, side, at, place))
    found: tuple[Watch, ...] = known[key]
    return found


def _watch(position: AslPosition, side: str, at: str, place: Place) -> Iterator[Watch]:
    """Yield the results of :func:`watch`."""
    far = [(position.board.distance(str(one.at), at), one) for one in _watchers(position, side)]
    far.sort(key=lambda pair: pair[0])
    stated = _stated_about(position, side)
    apart = [pair for pair in far if pair[1].id in stated]
    others = [pair for pair in far if pair[1].id not in stated]
    yield from _asked(position, apart, at, place)
    for start in range(0, len(others), AT_ONCE):
        for found in _asked(position, others[start : start + AT_ONCE], at, place):
            yield found
            if found.near and found.los == "yes" and not position.conditions.night:
                return


def _asked(
    position: AslPosition, group: Sequence[tuple[int, AslUnit]], at: str, place: Place
) -> Iterator[Watch]:
    """Yield what some enemies, each after its distance, see of a place."""
    if is_computed(position):
        _look_into(position, [enemy for _, enemy in group], at, place)
    for hexes, enemy in group:
        near = hexes <= count("A12.14", "hexes")
        yield Watch(enemy.id, near, *_los_by_kind(position, enemy, at, place))


def _look_into(position: AslPosition, watchers: Sequence[AslUnit], at: str, place: Place) -> None:
    """Trace in one call, for speed, the lines of sight of some watchers."""
    corners = [] if place.bypass is None else [Place(bypass=corner) for corner in range(6)]
    views = [view_from(position, at, one) for one in dict.fromkeys((place, *corners))]
    look_at(position, [(_eye(position, one), view) for one in watchers for view in views])


def _eye(position: AslPosition, unit: AslUnit) -> Viewpoint:
    """Return the viewpoint of a unit of the position, cached because many places need it."""
    known: dict[str, Viewpoint] = position.notes.setdefault("eyes", {})
    if unit.id not in known:
        known[unit.id] = viewpoint(position, unit)
    return known[unit.id]


def _los_by_kind(position: AslPosition, enemy: AslUnit, at: str, place: Place) -> tuple[Los, ...]:
    """Return whether an enemy sees Infantry, a wheeled and a tracked vehicle in a place."""
    on_foot = _los_into(position, enemy, at, place)
    if not (position.conditions.night and is_computed(position)):
        return on_foot, on_foot, on_foot
    return on_foot, *(_los_into(position, enemy, at, place, tracked=one) for one in (False, True))


def _los_into(
    position: AslPosition, enemy: AslUnit, at: str, place: Place, *, tracked: bool | None = None
) -> Los:
    """Find whether an enemy sees into a place; `tracked` not None: a moving vehicle at night."""
    if not is_computed(position):
        return "unstated"
    there = view_from(position, at, place)
    if tracked is not None:
        there = as_rolling(there, tracked=tracked)
    found = _SEEN.get(_sees_into(position, enemy, there), "unsure")
    if place.bypass is None or found == "yes":
        return found
    # it can be seen at any vertex on its way to this one (A4.34)
    others = (view_from(position, at, Place(bypass=corner)) for corner in range(6))
    return (
        "no" if all(_sees_into(position, enemy, one) == "blocked" for one in others) else "unsure"
    )


def _sees_into(position: AslPosition, enemy: AslUnit, there: Viewpoint) -> Verdict:
    return between(position, _eye(position, enemy), there, one_way=True)


def _watchers(position: AslPosition, side: str) -> Sequence[AslUnit]:
    """Return a side's Known Good Order enemies; a concealed unit need not reveal itself."""
    known = position.notes.setdefault("watchers", {})
    if side not in known:
        known[side] = [one for one in position.units if _can_watch(position, side, one)]
    found: Sequence[AslUnit] = known[side]
    return found


def _can_watch(position: AslPosition, side: str, enemy: AslUnit) -> bool:
    if enemy.side == side or enemy.at is None:
        return False
    kind, state = type_of(position, enemy), enemy.status
    fit = state.good_order and not enemy.crew.abandoned
    manned = kind.is_personnel or (kind.class_ == "vehicle" and kind.armed)
    hidden = enemy.concealment.concealed or enemy.cargo.guard is not None
    return manned and fit and not hidden


def place_entered(unit: AslUnit) -> Place:
    """Return a unit's place in an adjacent Location: on its building level, or the ground."""
    if unit.place.inside == "upstairs":
        return Place(inside="upstairs", floor=unit.place.floor)
    return GROUND


def is_seen_moving(position: AslPosition, unit: AslUnit, at: str, place: Place) -> Los:
    """Find whether a Good Order enemy sees a unit move in a Location; Infantry only from nearby."""
    kind = type_of(position, unit)
    stated, on_foot = dict(stated_of(position, unit)), kind.is_infantry
    found = [
        stated.get(one.enemy, _kind_sees(one, kind)) for one in watch(position, unit.side, at, place)
        if one.near or not on_foot
    ]  # fmt: skip
    return best(found) if found or is_computed(position) else "unstated"


def _kind_sees(one: Watch, kind: UnitType) -> Los:
    """Return whether an enemy sees a unit of some kind where it moves."""
    if kind.class_ != "vehicle":
        return one.los
    return one.tracked if kind.column in TRACKED else one.wheeled


def stated_of(position: AslPosition, unit: AslUnit) -> tuple[tuple[str, Los], ...]:
    """Return the enemies whose mutual sight with a unit is stated or implied."""
    if not _is_any_stated(position, unit.side):
        return ()
    enemies = (
        one for one in position.units if one.side != unit.side and not one.concealment.concealed
    )
    stated = [(one.id, _stated(position, unit, one)) for one in enemies]
    return tuple([(name, los) for name, los in stated if los is not None and los != "unstated"])


def _is_any_stated(position: AslPosition, side: str) -> bool:
    """Return whether any unit states its sight in a way that counts for a side."""
    return _stated_about(position, side) != frozenset()


def _stated_about(position: AslPosition, side: str) -> frozenset[str]:
    """
    Return a side's enemies of whom sight to any of its units is stated or implied.

    A unit that states whom it sees does not see the others.
    """
    key = "sight is stated", side
    known: frozenset[str] | None = position.notes.get(key)
    if known is None:
        enemies = {unit.id for unit in position.units if unit.side != side}
        found: set[str] = set()
        for unit in position.units:
            own, sees = unit.side == side, unit.concealment.sees
            if (sees or unit.concealment.not_sees) and _is_known_to_state(side, unit):
                named = {*sees, *unit.concealment.not_sees} & enemies
                found |= (enemies if sees else named) if own else {unit.id}
        known = position.notes[key] = frozenset(found)
    return known


# -- what reach needs to know of a Location ------------------------------------------------------


def is_watched(position: AslPosition, side: str) -> bool:
    """Return whether sight can affect a side's moves: it has concealed units, or sees at night."""
    key = "watched", side
    if key not in position.notes:
        hides = any(unit.side == side and unit.concealment.concealed for unit in position.units)
        hides = hides and bool(_watchers(position, side))
        hides = hides and (is_computed(position) or _is_any_stated(position, side))
        position.notes[key] = hides or bool(_guides(position, side))
    found: bool = position.notes[key]
    return found


def exposed(position: AslPosition, side: str, at: str) -> Hashable:
    """Return the viewers of a side's unit in each place of a Location, if they matter; () if there are none."""
    if not is_watched(position, side):
        return ()
    known = _exposures(position, side)
    if at not in known:
        found = tuple([_exposed(position, side, at, place) for place in _places(position, at)])
        known[at] = found if any(found) else ()
    return known[at]


def _exposures(position: AslPosition, side: str) -> dict[str, Hashable]:
    """
    Return the cached results of :func:`exposed`.

    They stay valid while the watchers, the counters on the map and the conditions do, whichever
    other units have moved. At night they belong to the position alone.
    """
    key = "exposures", side
    found: dict[str, Hashable] | None = position.notes.get(key)
    if found is None:
        found = {}
        if not position.conditions.night:
            stated = _stated_about(position, side)
            eyes = tuple([
                (one.id if one.id in stated else "", one.at, viewpoint(position, one))
                for one in _watchers(position, side)
            ])  # fmt: skip
            scene = (position.board.digest, position.conditions, position.counters)
            shared = (*scene, eyes, obstructions(position))
            found = _EXPOSURES.get(shared) or _EXPOSURES.keep(shared, found)
        position.notes[key] = found
    return found


def _exposed(position: AslPosition, side: str, at: str, place: Place) -> Hashable:
    seen, stated = watch(position, side, at, place), _stated_about(position, side)
    guided = [(one.id, _sees_from(position, one, at, place)) for one in _guides(position, side)]
    light = light_on(position, at) if position.conditions.night else "dark"
    apart = (
        *(one for one in seen if one.enemy in stated),
        *(one for one in guided if one[0] in stated),
    )  # each unit may state another sight of these
    others = [one for one in seen if one.enemy not in stated]
    guiding = [los for name, los in guided if name not in stated]
    bests = (
        best(one.los for one in others if one.near), best(one.los for one in others),
        best(one.wheeled for one in others), best(one.tracked for one in others),
        *(best(los[n] for los in guiding) for n in (0, 1)),
    )  # fmt: skip
    return () if set(bests) == {"no"} and not apart else (*bests, light, *apart)


def _sees_from(position: AslPosition, enemy: AslUnit, at: str, place: Place) -> tuple[Los, Los]:
    """Return whether a unit in a place would see an enemy at night, and a BU AFV would."""
    here, there = view_from(position, at, place), viewpoint(position, enemy)
    whole, half = (
        _SEEN.get(between(position, eye, there, one_way=True), "unsure")
        for eye in (here, half_blind(here))
    )
    return whole, half


def _guides(position: AslPosition, side: str) -> Sequence[AslUnit]:
    """Return a side's Known enemies that might guide it at night (E1.53), if sight is computed."""
    if not (position.conditions.night and is_computed(position)):
        return ()
    key = "guides", side
    if key not in position.notes:
        mine = next((unit for unit in position.units if unit.side == side), None)
        known = [] if mine is None else known_enemies(position, mine)
        position.notes[key] = [one for one in known if one.at is not None]
    found: Sequence[AslUnit] = position.notes[key]
    return found


def _places(position: AslPosition, at: str) -> Iterator[Place]:
    """Yield the places of a Location in which a moving unit can be."""
    yield GROUND
    yield Place(inside="beneath")
    if position.board[at].depression is not None:
        yield Place(inside="crest")
    for floor in range(lie(position.board, at, at).ground.floors):
        yield Place(inside="upstairs", floor=floor + 1)
    if hides(position.board, at):
        for corner in range(6):
            yield Place(bypass=corner)


def look_over(position: AslPosition, side: str) -> None:
    """Trace in one call, for speed, all that :func:`exposed` needs of all Locations."""
    if not is_computed(position) or len(_exposures(position, side)) == len(position.board.index):
        return
    enemies = {one.id: one for one in (*_watchers(position, side), *_guides(position, side))}
    eyes = [viewpoint(position, one) for one in enemies.values()]
    places = [
        view_from(position, at, place)
        for at in position.board.index for place in _places(position, at)
    ]  # fmt: skip
    look_at(position, [(eye, place) for eye in eyes for place in dict.fromkeys(places)])


def any_sees(position: AslPosition, units: Iterable[AslUnit], others: Iterable[AslUnit]) -> Los:
    """Find whether any of some units sees any of others."""
    them = list(others)
    return best(has_los(position, one, other) for one in units for other in them)
