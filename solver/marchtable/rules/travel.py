"""
A rulebook's hooks for reach: the modes of a unit, and what its steps depend on.

Whatever a rulebook's ``cases`` read must show in one of these, or in the conditions: reach
compiles one step for each combination and assumes that equal combinations cost the same.
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, final

import msgspec

from marchtable.state.position import C, Position, U
from marchtable.state.records import naming

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from marchtable.board.board import Board
    from marchtable.state.action import Action
    from marchtable.state.position import Unit

__all__ = ["Entrant", "ReachedState", "ReachedStates", "Symmetry", "Travel"]


class Entrant(NamedTuple):
    """Those who meet the contents of Locations alike: a side, and what else of a unit matters there."""

    side: str
    state: Hashable = None


class ReachedState(Protocol):
    """One state of a unit, as far as a rulebook may ask about it."""

    @property
    def at(self) -> str:
        """The Location."""

    @property
    def mode(self) -> Hashable:
        """One of the unit's modes."""

    @property
    def spent(self) -> int:
        """The least half points spent to get there."""


class ReachedStates(Protocol):
    """All places a unit can reach, as far as a rulebook may ask about them."""

    @property
    def unit(self) -> Unit:
        """The unit."""

    @property
    def locations(self) -> frozenset[str]:
        """The Locations reached."""

    @property
    def notes(self) -> dict[str, Any]:
        """A rulebook's own results about it, under keys of its own."""

    def places_at(self, at: str) -> Sequence[ReachedState]:
        """Return the states in a Location, those with the most points left first."""


class Symmetry:
    """
    Rotations of map, mode and action together, by sixths, that change no ruling; by default none.

    A rulebook that has some promises this wherever nothing :meth:`has_sides`, and that
    :meth:`Travel.sight` distinguishes bearings of the map only relative to :meth:`bearing`.
    """

    def bearing(self, mode: Any, ground: Any = None, action: Action | None = None) -> int:
        """
        Return by how many sixths a mode is rotated from the equal mode at bearing 0.

        Given the result of :meth:`Travel.ground`, this is the bearing of a mode that faces that
        ground; given an action, that of a mode that does the action.
        """
        return 0

    def turned(self, it: Any, by: int) -> Any:
        """Return a mode, or an action, rotated by sixths."""
        return it

    def has_sides(self, there: Any) -> bool:
        """
        Return whether the side matters on which something in a Location is.

        ``there`` is what :meth:`Travel.presence` returned. False promises that :meth:`Travel.sight`
        returns all that matters of the map, whatever is there.
        """
        return there is not None


class Travel(Generic[U, C]):
    """
    The part of a rulebook that reach uses; one mode and no obstacles unless overridden.

    A cached step is reused when clauses are off that do not affect it. So a rulebook that caches
    its judgements must judge anew while :func:`~marchtable.rules.dependencies.dependencies_here`
    returns a set: judging records there which clauses contribute.

    Attributes
    ----------
    travel
        The verbs by which units move about.
    mode_fields
        The unit's fields that moving about changes, beside its Location and what it has spent; a
        mode is a tuple of their values. A rulebook with modes of another kind overrides
        :meth:`mode` and :meth:`in_mode`.
    symmetry
        Which rotations change nothing, so that reach asks about one bearing only.
    last_resorts
        Verbs that are never legal (with no clause off) where the verb they map to is legal without
        optional arguments and can be paid.
    sight_rests_on
        Clauses by which :meth:`sight` knows what is forbidden in any case; while one of them is
        switched off, nothing is. A rulebook that overrides that method names them, and can ask
        them what they object to (:meth:`Rulebook.surely_barred`).
    """

    travel: ClassVar[tuple[type[Action], ...]]
    mode_fields: ClassVar[tuple[str, ...]] = ()
    symmetry: ClassVar[Symmetry] = Symmetry()
    last_resorts: ClassVar[Mapping[type[Action], type[Action]]] = {}
    sight_rests_on: ClassVar[frozenset[str]] = frozenset()

    def travel_in(self, position: Position[U, C], unit: U) -> tuple[type[Action], ...]:
        """Return the verbs of ``travel`` that may be useful to the unit in this position."""
        return self.travel

    def mode(self, unit: U) -> Hashable:
        """Return the unit's present mode: all of its state, beside its Location, that its moving about changes."""
        return tuple([getattr(unit, name) for name in self.mode_fields])

    def in_mode(self, unit: U, at: str, mode: Any) -> U:
        """Return the unit in a Location and mode, with nothing spent."""
        fields = dict(zip(self.mode_fields, mode, strict=True))
        return msgspec.structs.replace(unit, at=at, spent=0, **fields)

    def is_final(self, mode: Hashable) -> bool:
        """Return whether a unit in this mode has used its whole allotment."""
        return False

    def is_sent_back(self, after: U) -> bool:
        """Return whether a step ended the unit's move short of its destination."""
        return False

    def next_to(self, position: Position[U, C], unit: U) -> Sequence[str]:
        """
        Return the Locations that the unit might enter: adjacent ones or, off the map, its entry hexes.

        Only these are proposed and compiled, so it may omit only Locations that are never legal.
        The unit's own Location is among them if verbs that enter can lead there because of how the
        unit came, which its mode need not hold. Reach asks about these steps only where the unit
        is now, so later in a way they must gain nothing.
        """
        if unit.at is not None:
            return [name for _, name in position.board.neighbours(unit.at)]
        return () if unit.carrier else tuple(map(position.board.resolve, unit.entering))

    def describe_mode(self, mode: Hashable) -> dict[str, Any]:
        """Return a mode in the form that clients show, such as ``{"facing": "E"}``."""
        return {}

    def mover(self, position: Position[U, C], unit: U) -> Hashable:
        """Return a key of everything on which the unit's movement depends, except place, mode and points spent."""
        raise NotImplementedError

    def ground(self, board: Board, a: str, b: str) -> Hashable:
        """Return a key of the map features on which crossing from a to b (or staying, a == b) depends."""
        raise NotImplementedError

    def sight(self, ground: Hashable, mode: Hashable, action: Action | None = None) -> Hashable:
        """
        Return the part of :meth:`ground`'s result that actions in one mode depend on.

        With an action, the part that this action depends on. A smaller part means fewer rulings.
        None if all actions (or this one) are forbidden there in any case, so that no ruling is
        needed.
        """
        return ground

    def entrant(self, position: Position[U, C], unit: U) -> Entrant:
        """Return whose entry is meant if :meth:`presence` is asked for a unit."""
        return Entrant(unit.side)

    def presence(
        self, position: Position[U, C], entrant: Entrant, at: str, leave_out: U | None
    ) -> Hashable:
        """
        Return what an entry depends on among the contents of a Location.

        None if on nothing; `leave_out` is a unit to ignore.
        """
        return None

    def affected_locations(self, position: Position[U, C], entrant: Entrant) -> Sequence[str]:
        """
        Return the Locations without occupants or counters in which :meth:`presence` can find something.

        They are those of units and counters that act beyond their own Location (a zone of control).
        Others may be among them.
        """
        return ()

    @final
    def presences(
        self, position: Position[U, C], entrant: Entrant, leave_out: U | None
    ) -> dict[str, Hashable]:
        """Return :meth:`presence` for each Location that may have one."""
        places = (*position.occupants, *position.markers, *self.affected(position, entrant))
        return {at: self.presence(position, entrant, at, leave_out) for at in dict.fromkeys(places)}

    @final
    def affected(self, position: Position[U, C], entrant: Entrant) -> Sequence[str]:
        """Return :meth:`affected_locations`, computed once for a position and entrant."""
        known: dict[Entrant, Sequence[str]] = position.__dict__.setdefault("affected", {})
        if entrant not in known:
            known[entrant] = self.affected_locations(position, entrant)
        return known[entrant]

    def circumstances(self, position: Position[U, C]) -> Hashable:
        """Return the conditions that movement depends on, apart from :meth:`mover`."""
        return position.conditions

    def bound_units(self, position: Position[U, C]) -> frozenset[str]:
        """
        Return the units to which others' state refers, which no equal unit can replace.

        By default those named by a field that names one unit.
        """
        return frozenset(
            name
            for unit in position.units
            for read in _names_in(type(unit))
            if isinstance(name := read(unit), str)
        )

    @final
    def is_bound(self, position: Position[U, C], unit: U) -> bool:
        """Return whether the unit is among :meth:`bound_units`."""
        known = position.__dict__.get("bound")
        if known is None:
            known = position.__dict__["bound"] = self.bound_units(position)
        return unit.id in known

    def shares_space(self, position: Position[U, C], unit: U) -> bool:
        """Return whether the unit can do whatever an equal unit newly on the board could."""
        return not self.is_bound(position, unit)

    def bound_mover(self, position: Position[U, C], unit: U) -> Hashable:
        """
        Return what, beside :meth:`mover`, the steps of a unit depend on that no equal one can replace.

        None: not known, so its steps are not kept for other positions.
        """
        return ()

    def before_its_move(self, unit: U) -> U:
        """
        Return a unit as its equal meets it: as if it had not begun to move, if the rules end a move as another begins.

        No unit ends its own move by beginning, so steps are the same before and after it has begun.
        """
        return unit

    def along(self, position: Position[U, C], unit: U, moved: U) -> Sequence[U]:
        """
        Return the units that go along with a unit and affect its actions, placed at ``moved``.

        ``moved`` is the unit itself elsewhere, or its equal, accompanied by their equals. All that
        matters about them must show in :meth:`mover`.
        """
        return ()

    def left_out(
        self, position: Position[U, C], unit: U, left: Mapping[str, int] | None = None
    ) -> Sequence[str]:
        """
        Return ids of clauses by which the unit might get farther than reach searches.

        `left` are the most half points left in each Location that reach finds; without it anything
        on the map counts.
        """
        return ()


@cache
def _names_in(kind: type[Unit]) -> tuple[Callable[[Any], Any], ...]:
    """Return functions that each read a field of a unit that names other units."""
    return tuple([attrgetter(path) for path in naming(kind, "unit")])
