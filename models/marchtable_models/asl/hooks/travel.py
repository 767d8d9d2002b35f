"""The ASL rulebook's interface to reach: verbs, modes, and what a step depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import msgspec

from marchtable.rules.rulebook import Rulebook
from marchtable.rules.travel import Entrant, Symmetry
from marchtable.state.records import field_of, replace
from marchtable_models.asl.counterkinds import AT_DITCH, roadblock_side
from marchtable_models.asl.data import halves
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.model import (
    AslConditions,
    AslUnit,
    Enter,
    LeaveRoad,
    MinimumMove,
    Start,
    Stop,
    Turn,
)
from marchtable_models.asl.rules import (
    armored_assault,
    carried,
    charging,
    climbing,
    columns,
    convoys,
    crest,
    daring,
    dash,
    floors,
    fortifications,
    freeing,
    gear,
    infantry_mf,
    night,
    offboard,
    platoons,
    routing,
    waves,
)  # fmt: skip
from marchtable_models.asl.rules.armored_assault import is_afv_of_a_stack
from marchtable_models.asl.rules.declarations import DoubleTime
from marchtable_models.asl.rules.fortifications import Shift
from marchtable_models.asl.rules.gallop import Gallop
from marchtable_models.asl.rules.routing import Rout
from marchtable_models.asl.rules.straying import SetOut
from marchtable_models.asl.verbs import BYPASSES, Advance, Bypass
from marchtable_models.asl.views import bypass as bypass_facts
from marchtable_models.asl.views import lines, modes, outlook, reading
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.edge import ways
from marchtable_models.asl.views.ground import has_levels, lie
from marchtable_models.asl.views.ground_facts import ENTRENCHED
from marchtable_models.asl.views.guidance import is_unguided, unguided
from marchtable_models.asl.views.lookout import (
    exposed,
    is_computed,
    is_watched,
    look_over,
    sees_enemy,
)
from marchtable_models.asl.views.mph_ends import ended_by, first_due
from marchtable_models.asl.views.overlay import crossing
from marchtable_models.asl.views.precedence import facts_of_others
from marchtable_models.asl.views.spending_facts import Payment
from marchtable_models.asl.views.unitkinds import without_variants

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from marchtable.board.board import Board
    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action
    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.views.entry import There

# reach does not declare Excessive Speed, open hatches, free units or leave the map
BY_DAY: tuple[type[Action], ...] = (
    Start, Stop, Turn, LeaveRoad, Enter, MinimumMove, DoubleTime, Gallop, *BYPASSES,
)  # fmt: skip
BY_IMPULSES = {
    "convoy": convoys.only_by_impulses.id,
    "column": columns.closed_list.id,
    "platoon": convoys.platoon_by_impulses.id,
    "wave": waves.by_impulses.id,
}
"""By kind of line, the clause that forbids its units to move alone."""
DECLARED = {"dash": dash.nothing_else.id, "dared": daring.check.id}
"""The fields for a unit's declared destination, and their clauses."""
MOUNTED = tuple(verb for verb in BY_DAY if verb not in (Start, Stop, Turn, LeaveRoad, DoubleTime))
ON_FOOT = tuple(verb for verb in BY_DAY if verb not in (Start, Stop, Turn, LeaveRoad, Gallop))
IN_NO_STEP = (
    "hatched", "dispensed", "tried_motion", "mired", "rank", "disbanding", "convoyed", "attacked", "course",
    "upon", "strayed", "trodden", "entry_turn", "late",
)  # fmt: skip
"""Fields of a unit that no step of one that is in no line reads."""
DRIVEN = tuple(verb for verb in BY_DAY if verb not in (DoubleTime, Gallop))


_UNSTATED = AslUnit(id="", side="", at=None, type="")
_NOTHING = {name: field_of(_UNSTATED, name) for name in IN_NO_STEP}


def _tied(unit: AslUnit) -> tuple[str | None, ...]:
    """Return a unit and those to which it is tied by carrying, towing or an IPC lent."""
    cargo, move = unit.cargo, unit.move
    others = (*(cargo.aboard, cargo.towed_by, cargo.towing, cargo.guard, move.lends, move.helper),)
    return (unit.id, *others) if any(others) else ()


def _names(unit: AslUnit) -> list[str]:
    """Return the units that no equal one can replace, because a unit's state names them."""
    move = unit.move
    found = (*move.leaders, move.lends, move.helper, move.armored, *_tied(unit))
    return [name for name in found if name is not None]


def _bound_together(position: AslPosition, unit: AslUnit) -> tuple[AslUnit, ...]:
    """Return the other units that name a unit or are named by it, those that name these, and so on."""
    names = [(one.id, {one.id, *_names(one)}) for one in position.units]
    found: set[str] = set()
    more = {unit.id}
    while more - found:
        found |= more
        more = more.union(
            *(those for name, those in names if not those.isdisjoint(found) and len(those) > 1)
        )
    return tuple([one for one in position.units if one.id in found and one.id != unit.id])


def _is_load(position: AslPosition, unit: AslUnit, carrier: str) -> bool:
    """Return whether a unit is carried or towed by another, or by what that one carries or tows."""
    seen = set[str]()
    while (name := unit.carrier) is not None and name not in seen:
        if name == carrier:
            return True
        seen.add(name)
        unit = position.unit(name)
    return False


def _without_radio(position: AslPosition, unit: AslUnit, edition: Edition) -> list[str]:
    """Return the clauses by which a radioless AFV cannot yet move by itself."""
    if lines.nerve_of(reading.type_of(position, unit), unit) == "due":
        return [platoons.needs_check.id]
    coming = platoons.coming_on(position, unit, edition)
    return [] if coming is None else [bar.clause for bar in edition.judge(coming).bars]


def _short_of_mf(unit: AslUnit, edition: Edition) -> list[str]:
    """Return the clause for a possible Minimum Move after MF spent in place (A4.134)."""
    if unit.facing is not None or unit.move.previous is not None or not unit.points.used:
        return []
    spent = Payment(is_vehicle=False, cost=4, spent=2, used=2, allotment=4, minimum=True)
    bars = [bar.clause for bar in edition.judge(spent).bars]
    return (
        [] if infantry_mf.minimum_move_on_foot.id in bars else [infantry_mf.minimum_move_on_foot.id]
    )


def _apart(position: AslPosition, unit: AslUnit) -> tuple[str, ...]:
    """Return the clause by which a unit moves other than by verbs of travel: aboard, or by rout."""
    if unit.cargo.aboard is not None:
        return (carried.carried.id,)
    routs = position.phase == "RtPh" and unit.status.broken
    return (routing.who_routs.id,) if routs else ()


def _declared(position: AslPosition, unit: AslUnit) -> list[str]:
    """Return the clauses on a unit's place or destination that reach does not know."""
    found = [asked for field, asked in DECLARED.items() if getattr(unit.move, field)]
    if unit.place.inside == "crest":
        found.append(crest.to_its_own_side.id)
    if unit.place.inside == "cliff":
        found.append(climbing.over_the_top.id)
    if unit.status.gear and has_levels(position.board):  # MF gained downhill
        found.append(gear.downhill.id)
    if is_afv_of_a_stack(unit):
        found.append(armored_assault.goes_no_farther.id)
    return [*found, charging.charges.id] if unit.status.berserk else found


def _has_shelters(position: AslPosition) -> bool:
    """Return whether there is an entrenchment or pillbox on the map."""
    return any(counter.kind.startswith((*ENTRENCHED, AT_DITCH)) for counter in position.counters)


def _needs_stairs(position: AslPosition, unit: AslUnit, left: Mapping[str, int] | None) -> bool:
    """
    Return whether a unit is upstairs, or could pass above Known enemies in a building.

    Reach ignores both. `left` is as in `left_out`: a unit goes up only where it can get, and spends
    at least as much on each hex beyond as on a level.
    """
    if unit.place.inside == "upstairs":
        return True
    enemies = [*enemies_in_buildings(position, unit)]
    if left is None or not enemies:
        return bool(enemies)
    board, level = position.board, halves("B23.4", "level")
    return any(
        (1 + board.distance(at, enemy)) * level <= rest
        for at, rest in left.items()
        if rest > level and _has_stairs(position, at)
        for enemy in enemies
    )


def _has_stairs(position: AslPosition, at: str) -> bool:
    """Return whether a unit could go up from the ground of a Location, if only to a rooftop."""
    ground = lie(position.board, at, at).ground
    return bool(ground.stairs or (position.conditions.rooftops and ground.floors))


def enemies_in_buildings(position: AslPosition, unit: AslUnit) -> Iterator[str]:
    """Yield the hexes of Known enemies in multi-level buildings that a unit could pass above."""
    yield from (
        other.at
        for other in position.units
        if other.side != unit.side and other.at is not None
        if not other.concealment.concealed and lie(position.board, other.at, other.at).ground.floors
    )


def _beside_edges(position: AslPosition) -> Iterator[str]:
    """Yield Locations across a hexside from a unit in Bypass, and around Wire and roadblocks."""
    board = position.board
    for unit in bypass_facts.bypassers(position):
        yield from (
            name for way, name in board.neighbours(str(unit.at)) if way == unit.place.bypass
        )
    for counter in position.counters:
        if counter.kind == "wire" or roadblock_side(counter.kind) is not None:
            yield from (name for _, name in board.neighbours(board.resolve(counter.at)))


class _Contents(NamedTuple):
    """What matters to an entry among the contents of a Location, and beside it."""

    found: There  # on its ground
    edges: Hashable = ()  # hexsides with units in Bypass
    blocks: Hashable = ()  # its roadblocks
    beyond: Hashable = ()  # Wire and roadblocks across its hexsides
    lost: bool = False  # by night, without guidance (E1.531)
    above: tuple[tuple[str, There], ...] = ()  # by level
    seen: Hashable = ()  # by enemies, if the unit hides or it is night


NOTHING_THERE = _Contents(reading.NOWHERE)


class AslSymmetry(Symmetry):
    """Rotations by hexspines: of the VCA, a lane, Bypass."""

    def bearing(self, mode: Any, ground: Any = None, action: Action | None = None) -> int:
        """Return the rotation, in hexspines, of a mode, a crossing seen in it, or an action."""
        return outlook.bearing(ground, mode, action)

    def turned(self, it: Any, by: int) -> Any:
        """Return a mode, a VCA change or a vertex rotated by hexspines."""
        if isinstance(it, modes.FootMode | modes.DrivenMode):
            return modes.turned(it, by)
        if isinstance(it, Turn):
            return msgspec.structs.replace(it, facing=modes.spine(it.facing, by))
        if isinstance(it, Bypass) and it.vertex is not None:
            return msgspec.structs.replace(it, vertex=modes.spine(it.vertex, by))
        return it

    def has_sides(self, there: Any) -> bool:
        """Return whether a hexside has Bypass, a roadblock or other counters along it."""
        return there is not None and bool(
            there.edges or there.blocks or there.beyond or there.found.counters
        )


class AslTravel(Rulebook[AslUnit, AslConditions]):
    """The rulebook's interface to reach and to the sharing of compiled graphs."""

    symmetry: ClassVar[Symmetry] = AslSymmetry()
    last_resorts: ClassVar = {MinimumMove: Enter}

    def travel_in(self, position: AslPosition, unit: AslUnit) -> tuple[type[Action], ...]:
        """Return the phase's verbs for such a unit; by day without Movement DR."""
        if (
            unit.place.inside in ("crest", "cliff")
            or unit.status.berserk
            or is_afv_of_a_stack(unit)
            or self._waited_for(position, unit)
        ):
            return ()  # ignored, see left_out
        if position.phase == "APh":
            inside = unit.place.inside or _has_shelters(position)
            return (Advance, Shift) if inside else (Advance,)
        kind = reading.type_of(position, unit)
        afoot = ON_FOOT if kind.is_infantry else MOUNTED
        verbs = afoot if not kind.is_vehicle else DRIVEN if kind.column != "hd" else BY_DAY
        if not kind.is_vehicle and (unit.place.inside or _has_shelters(position)):
            verbs = (*verbs, Shift)
        return (*verbs, SetOut) if position.conditions.night else verbs

    def mode(self, unit: AslUnit) -> Hashable:
        """Return the unit's present mode."""
        return modes.mode_of(unit)

    def in_mode(self, unit: AslUnit, at: str, mode: Any) -> AslUnit:
        """Return the unit as if it were there in that mode with nothing spent."""
        return modes.in_mode(unit, at, mode)

    def is_final(self, mode: Any) -> bool:
        """Return whether a unit in this mode has used its whole allotment."""
        return mode.final not in ("", "advance")  # advancing takes no MF

    def is_idle(self, position: AslPosition, unit: AslUnit, action: Action) -> bool:
        """Return whether it declines a road to no advantage, past no unit (B3.4e)."""
        if not isinstance(action, Enter | Rout) or not action.off_road or unit.at is None:
            return False
        ground = crossing(position, unit.at, position.board.resolve(action.to)).ground
        rows = [row_named(name) for name in ground.rows]
        if unit.facing is None:
            return all(row.bare for row in rows)
        vehicles = reading.there(position, unit.side, position.board.resolve(action.to)).vehicles
        return not vehicles and not any(row.obstacle for row in rows)

    def is_sent_back(self, after: AslUnit) -> bool:
        """Return whether its MPh is over without leaving the map or advancing (A12.15)."""
        return (
            after.move.mph == "done"
            and not after.offboard.exited
            and after.points.final != "advance"
        )

    def next_to(self, position: AslPosition, unit: AslUnit) -> Sequence[str]:
        """
        Return the Locations ahead of the unit (in Reverse behind); off the map, its entry hexes.

        Infantry in Bypass can go on round the same hex. Where it is not in Bypass yet, one longer
        Bypass reaches as much for no more (A4.3c).
        """
        if unit.at is not None:
            sides, around = ways(unit), unit.place.bypass is not None and unit.facing is None
            ahead = [name for side, name in position.board.neighbours(unit.at) if side in sides]
            return [*ahead, unit.at] if around else ahead
        if unit.offboard.exited:
            return ()
        return tuple(dict.fromkeys(position.board.resolve(name) for name in unit.offboard.entering))

    def describe_mode(self, mode: Any) -> dict[str, Any]:
        """Return a mode in the form shown to clients."""
        return modes.describe(mode)

    def before_its_move(self, unit: AslUnit) -> AslUnit:
        """Return the unit as if its MPh had not begun, if it is under way (A4.2)."""
        return replace(unit, mph="unmoved") if unit.move.mph == "moving" else unit

    def mover(self, position: AslPosition, unit: AslUnit) -> Hashable:
        """
        Return what the unit's steps depend on, beside modes and places.

        Without any of these parts an answer would be wrong: see tests/test_key_audit.py. The unit's
        fields that no step was found to read stay in the key.
        """
        bare = replace(modes.stripped(self.before_its_move(unit)), **_NOTHING)
        aboard = [msgspec.structs.replace(u, id="") for u in self.along(position, unit, bare)]
        return (
            bare,
            *(unit.place.inside, position.side, position.phase),
            tuple(aboard),
            *facts_of_others(position, unit),
            ended_by(position, unit, self.edition(position)),
            tuple(self._waited_for(position, unit)),
        )

    def circumstances(self, position: AslPosition) -> Hashable:
        """Return the conditions without types that their names fully describe."""
        return without_variants(position.conditions)

    def ground(self, board: Board, a: str, b: str) -> Hashable:
        """Return the facts of the map from a to b."""
        return lie(board, a, b)

    def sight(self, ground: Hashable, mode: Hashable, action: Action | None = None) -> Hashable:
        """Return a key of facts on which the continuations of a crossing in a mode, or an action, depend."""
        known = outlook.known(ground, mode, action)  # type: ignore[arg-type]
        if known is not None and self.surely_barred(known):
            return None
        return (known, outlook.sight(ground, mode, action))  # type: ignore[arg-type]

    def entrant(self, position: AslPosition, unit: AslUnit) -> Entrant:
        """Return its side, and whether it matters which enemies see a Location (A12.14; by night, E1.53)."""
        return Entrant(unit.side, unit.concealment.concealed or position.conditions.night)

    def presence(
        self, position: AslPosition, entrant: Entrant, at: str, leave_out: AslUnit | None
    ) -> Hashable:
        """Return the occupants of a Location, without a given unit."""
        side, without = entrant.side, (leave_out.id,) if leave_out else ()
        found = reading.there(position, side, at, without)
        levels = sorted({level_of(position, u) for u in position.occupants.get(at, ())} - {""})
        above = tuple(
            [(level, reading.there(position, side, at, without, level)) for level in levels]
        )
        edges = bypass_facts.taken(position, at, without)
        blocks = bypass_facts.roadblocks(position, at) if position.counters else ()
        beyond = bypass_facts.beyond(position, at) if position.counters else ()
        lost = position.conditions.night and is_unguided(position, at)
        seen = exposed(position, side, at) if entrant.state else ()
        contents = _Contents(found, edges, blocks, beyond, lost, above, seen)
        return None if contents == NOTHING_THERE else contents

    def affected_locations(self, position: AslPosition, entrant: Entrant) -> Sequence[str]:
        """
        Return Locations beside units in Bypass, Wire and roadblocks.

        At night also those without guidance (E1.531), and all where enemies might see a unit, if it
        matters (A12.14, E1.53).
        """
        found = [*_beside_edges(position)]
        if position.conditions.night:
            found += [at for at in unguided(position.board) if is_unguided(position, at)]
        if entrant.state and is_watched(position, entrant.side):
            look_over(position, entrant.side)
            found += [at for at in position.board.index if exposed(position, entrant.side, at)]
        return found

    def along(self, position: AslPosition, unit: AslUnit, moved: AslUnit) -> Sequence[AslUnit]:
        """Return a vehicle's Riders, who might bail out (D6.21)."""
        if unit.facing is None:
            return ()
        mark = "" if moved.id == unit.id else "*"
        return [
            replace(u, id=f"{u.id}{mark}", aboard=moved.id, at=moved.at)
            for u in position.units
            if u.cargo.riding and u.cargo.aboard == unit.id
        ]

    def left_out(
        self, position: AslPosition, unit: AslUnit, left: Mapping[str, int] | None = None
    ) -> Sequence[str]:
        """Return the clauses by which reach ignores a unit: aboard, moving by Impulses, or waiting for a roll."""
        if apart := _apart(position, unit):
            return apart
        if unit.side != position.side or unit.move.mph == "done" or unit.offboard.exited:
            return ()
        found = [*_declared(position, unit), *self._waited_for(position, unit)]
        if (line := lines.kind_of(unit)) and self._moves_now(position, line):
            found.append(BY_IMPULSES[line])
        if position.phase != "MPh":
            return found
        found += _without_radio(position, unit, self.edition(position))
        found += _short_of_mf(unit, self.edition(position))
        if offboard.off_map_state(unit) == "unknown":
            found.append(offboard.from_offboard.id)
        if unit.motion.bogged:
            found.append(freeing.unbog.id)
        if unit.facing is None and _needs_stairs(position, unit, left):
            found.append(floors.stairwell.id)
        wires = (position.board.resolve(c.at) for c in position.counters if c.kind == "wire")
        if unit.facing is None and any(left is None or at in left for at in wires):
            found.append(fortifications.under_the_wire.id)
        stated = position.conditions.night and not is_computed(position)
        if stated and sees_enemy(position, unit) == "yes":
            found.append(night.must_set_out.id)  # whether it still will elsewhere is unstated
        return found

    def _waited_for(self, position: AslPosition, unit: AslUnit) -> list[str]:
        """Return the clauses by which others must move before a unit, wherever it goes."""
        if unit.move.mph != "unmoved" or position.phase != "MPh":
            return []
        edition = self.edition(position)
        found = [edition.judge(case.facts) for case in first_due(position, unit, edition)]
        return list(
            dict.fromkeys(bar.clause for one in found for bar in (*one.bars, *one.unsupported))
        )

    @staticmethod
    def _moves_now(position: AslPosition, line: str) -> bool:
        """Return whether lines of that kind make Impulses in this phase."""
        return position.phase == "MPh" or (position.phase == "APh" and line == "column")

    def bound_units(self, position: AslPosition) -> frozenset[str]:
        """
        Return leaders or AFV others moved with, IPC lenders and borrowers, carriers and loads.

        And concealed units of whom an enemy states whether it sees them (A12.14).
        """
        found = {name for unit in position.units for name in _names(unit)}
        hiding = {unit.id: unit.side for unit in position.units if unit.concealment.concealed}
        for unit in position.units:
            stated = (*unit.concealment.sees, *unit.concealment.not_sees)
            found.update(name for name in stated if hiding.get(name, unit.side) != unit.side)
        return frozenset(found)

    def bound_mover(self, position: AslPosition, unit: AslUnit) -> Hashable:
        """
        Return the units bound to it; None for a unit in a line, whose others matter, too.

        Where its loads are does not matter: they are where it is.
        """
        if lines.kind_of(unit):
            return None
        others = _bound_together(position, unit)
        return tuple(
            [replace(one, at=None) if _is_load(position, one, unit.id) else one for one in others]
        )

    def shares_space(self, position: AslPosition, unit: AslUnit) -> bool:
        """
        Return False also for units in a line, and beneath an entrenchment.

        There an equal newcomer would find no place left (B27.12).
        """
        has_place = unit.place.inside != "beneath" and not lines.kind_of(unit)
        return has_place and super().shares_space(position, unit)
