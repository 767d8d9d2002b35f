"""What a rulebook states for reach: the modes a unit moves about in, and what its steps depend on.

Whatever a rulebook's ``cases`` read must show in one of these, or in the conditions: reach
compiles one step for each combination and takes all alike steps to cost the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol

from marchtable.state.position import C, Position, U

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from marchtable.board.board import Board
    from marchtable.state.action import Action
    from marchtable.state.position import Unit

__all__ = ["Arrival", "Reached", "Travel"]


class Arrival(Protocol):
    """One state in which a unit can be: what a rulebook may ask of it."""

    @property
    def at(self) -> str:
        """The Location."""

    @property
    def mode(self) -> Hashable:
        """One of the unit's modes."""

    @property
    def spent(self) -> int:
        """The least half points spent to be so."""


class Reached(Protocol):
    """Everywhere a unit can get to, as far as a rulebook asks."""

    @property
    def unit(self) -> Unit:
        """Who."""

    @property
    def locations(self) -> frozenset[str]:
        """The Locations reached."""

    @property
    def notes(self) -> dict[str, Any]:
        """What a rulebook has worked out about it, under keys of its own."""

    def places_at(self, at: str) -> Sequence[Arrival]:
        """Return the states in a Location, those with the most points left first."""


class Travel(Generic[U, C]):
    """
    The part of a rulebook that reach asks; one mode and nothing to meet unless overridden.

    What is known of a step serves where other clauses are off that have no say in it. So a rulebook
    that keeps what it judged must judge anew where :func:`~marchtable.rules.dependencies.dependencies_here`
    returns a set: judging notes there which clauses have a say.

    Attributes
    ----------
    travel
        The verbs by which units get about.
    last_resorts
        Verbs that are never legal, no clause being off, where another is that states no more than it must, and its
        cost can be paid.
    sight_rests_on
        Clauses by which :meth:`sight` knows what is barred in any case; while one of them is
        switched off, nothing is. A rulebook that overrides that method names them.
    """

    travel: ClassVar[tuple[type[Action], ...]]
    last_resorts: ClassVar[Mapping[type[Action], type[Action]]] = {}
    sight_rests_on: ClassVar[frozenset[str]] = frozenset()

    def travel_in(self, position: Position[U, C], unit: U) -> tuple[type[Action], ...]:
        """Return those of ``travel`` that may be of use to the unit in this position."""
        return self.travel

    def mode(self, unit: U) -> Hashable:
        """Return the unit's present mode: all of its state, beside its Location, that its moving about changes."""
        return ()

    def in_mode(self, unit: U, at: str, mode: Hashable) -> U:
        """Return the unit as if it stood there in that mode with nothing spent."""
        raise NotImplementedError

    def is_final(self, mode: Hashable) -> bool:
        """Return whether a unit in this mode has used its whole allotment."""
        return False

    def is_sent_back(self, after: U) -> bool:
        """Return whether a unit's travel has ended with a step that did not lead where it goes."""
        return False

    def next_to(self, position: Position[U, C], unit: U) -> Sequence[str]:
        """
        Return the Locations that the unit might enter; off the map, those by which it may come on.

        What is not named is neither proposed nor compiled, so it may leave out only what is never
        legal.
        """
        return () if unit.at is None else [name for _, name in position.board.neighbours(unit.at)]

    def describe_mode(self, mode: Hashable) -> dict[str, Any]:
        """Return what clients show of a mode, such as ``{"facing": "E"}``."""
        return {}

    def mover(self, position: Position[U, C], unit: U) -> Hashable:
        """Return all about the unit that its moving depends on, but for place, mode and spending."""
        raise NotImplementedError

    def ground(self, board: Board, a: str, b: str) -> Hashable:
        """Return all about the map that crossing from a to b (or staying, a == b) depends on."""
        raise NotImplementedError

    def sight(self, ground: Hashable, mode: Hashable, action: Action | None = None) -> Hashable:
        """
        Return that part of what :meth:`ground` returned on which what may be done in one mode depends.

        With an action, that on which it alone depends. The less it is, the fewer rulings are asked
        for; None where all of it (or the action) is barred there in any case, so that nothing is.
        """
        return ground

    def bearing(self, mode: Hashable, ground: Hashable = None, action: Action | None = None) -> int:
        """
        Return by how many sixths a mode is turned from its like at bearing 0.

        Given what :meth:`ground` returned, it is that of the mode where it sees that; with an
        action, that of the mode where it does that. A rulebook that returns bearings promises that
        turning the map, the mode and the action alike changes no ruling where nothing stands that
        :meth:`has_sides`, and that :meth:`sight` distinguishes bearings of the map only from this one.
        """
        return 0

    def has_sides(self, there: Any) -> bool:
        """
        Return whether it matters of what stands in a Location (:meth:`presence`) on which side it is.

        False promises that :meth:`sight` returns all that matters of the map, whatever stands there.
        """
        return there is not None

    def turned(self, it: Any, by: int) -> Any:
        """Return a mode, or an action, turned by sixths."""
        return it

    def presence(
        self, position: Position[U, C], side: str, at: str, leave_out: U | None
    ) -> Hashable:
        """
        Return all about what stands in a Location that an entry by that side depends on.

        None where nothing does; a unit is left out of account if it is given. The value must be
        sortable against the others (a struct with ``order=True``, a tuple).
        """
        return None

    def presences(
        self, position: Position[U, C], side: str, leave_out: U | None
    ) -> Mapping[str, Hashable]:
        """
        Return :meth:`presence` for each Location where there may be something.

        A rulebook in which units are felt beyond their own Location (a zone of control) lists
        those Locations too.
        """
        return {
            at: self.presence(position, side, at, leave_out)
            for at in dict.fromkeys((*position.occupants, *position.markers))
        }

    def felt_in(self, position: Position[U, C], unit: U) -> Sequence[str] | None:
        """Return the Locations of which :meth:`presences` may list a unit; None where it may be others."""
        if type(self).presences is not Travel.presences:
            return None
        return () if unit.at is None else (unit.at,)

    def circumstances(self, position: Position[U, C]) -> Hashable:
        """Return what of the conditions moving depends on beside what :meth:`mover` returns of a unit."""
        return position.conditions

    def bound_units(self, position: Position[U, C]) -> frozenset[str]:
        """Return the units to whose state others' state refers: no equal unit can stand in."""
        return frozenset()

    def is_bound(self, position: Position[U, C], unit: U) -> bool:
        """Return whether the unit is among :meth:`bound_units`."""
        known = position.__dict__.get("bound")
        if known is None:
            known = position.__dict__["bound"] = self.bound_units(position)
        return unit.id in known

    def shares_space(self, position: Position[U, C], unit: U) -> bool:
        """Return whether the unit may do what any equal unit could that comes to the board anew."""
        return not self.is_bound(position, unit)

    def along(self, position: Position[U, C], unit: U, moved: U) -> Sequence[U]:
        """
        Return who goes where a unit goes and bears on what it may do, put where ``moved`` is.

        That is the unit itself elsewhere, or its equal, with whom their equals go. What matters of
        them must show in :meth:`mover`.
        """
        return ()

    def left_out(self, position: Position[U, C], unit: U) -> Sequence[str]:
        """Return ids of clauses by which the unit might get farther than reach looks."""
        return ()
