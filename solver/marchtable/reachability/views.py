"""
What of the map matters in each mode of a unit: what the mode *sees*.

This is no line of sight. :meth:`Travel.sight` leaves out what of the map cannot matter to a mode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from marchtable.reachability.keys import seen_key
from marchtable.reachability.rotation import Rotation
from marchtable.state.action import Action
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from marchtable.reachability.crossings import Crossing
    from marchtable.reachability.transitions import ActionOutcome
    from marchtable.rules.rulebook import Rulebook

__all__ = ["Asker", "CrossingView", "Try", "Views"]


class CrossingView(msgspec.Struct, frozen=True, gc=False):
    """
    The view of a crossing in one mode.

    ``like`` is the base mode, from which this one is rotated ``by`` sixths; ``seen`` is a token of
    all that matters there, as seen from ``like``.
    """

    start: int
    like: int
    by: int
    seen: int


class Try(msgspec.Struct, frozen=True, gc=False):
    """
    An action that is not forbidden in any case.

    It equals ``turned`` (``name`` is its token) rotated by ``by`` sixths; ``seen`` is a token of
    all that it depends on, as ``turned`` sees it.
    """

    action: Action
    by: int
    turned: Action
    name: int
    seen: int


class Views:
    """
    What matters of the map in each of these modes.

    Parameters
    ----------
    rulebook
        Whose :meth:`Travel.sight` is asked.
    modes, number
        The modes of a unit, each with its like at every bearing, and the number of each; both may grow.
    denied
        Whether a clause is switched off: nothing is surely forbidden then, and everything matters.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        modes: Sequence[Hashable],
        number: Mapping[Hashable, int],
        *,
        denied: bool,
    ) -> None:
        self.modes, self.rotation = modes, Rotation(rulebook, modes, number)
        self._rulebook, self._denied = rulebook, denied
        self._sight = (lambda ground, *_: ground) if denied else rulebook.sight
        self._rows: dict[tuple[int, int, bool], CrossingView | None] = {}
        self._tries: dict[tuple[int, int], tuple[Try, ...]] = {}

    @property
    def nbytes(self) -> int:
        """Its approximate size in bytes."""
        return 90 * len(self._rows) + 300 * len(self._tries)

    def copy(self, modes: Sequence[Hashable], number: Mapping[Hashable, int]) -> Views:
        """Return a copy for a mover with these modes."""
        found = Views(self._rulebook, modes, number, denied=self._denied)
        found._rows, found._tries = self._rows.copy(), self._tries.copy()
        return found

    def row(self, crossing: Crossing, start: int, *, whole_map: bool) -> CrossingView | None:
        """
        Return the view of a crossing in a mode, or None if everything is forbidden there.

        With `whole_map`, more matters than is seen, and from all sides: the occupants.
        """
        key = (crossing.kind, start, whole_map)
        if key not in self._rows:
            seen = self._sight(crossing.ground, self.modes[start])
            whole_map = whole_map or self._denied
            self._rows[key] = (
                None
                if seen is None
                else self._crossing_view(crossing, start, seen, whole_map=whole_map)
            )
        return self._rows[key]

    def _crossing_view(
        self, crossing: Crossing, start: int, seen: Hashable, *, whole_map: bool
    ) -> CrossingView:
        """Return a mode's rotation from its base mode there, and a token of the latter's view."""
        ground = crossing.ground
        bearing = self._rulebook.symmetry.bearing(self.modes[start], ground)
        by = 0 if whole_map else bearing
        like = self.rotation.moded(start, -by)
        matters = ground if whole_map else (bearing - by, seen)
        return CrossingView(start, like, by, token_of((like, crossing.stays, whole_map, matters)))

    def tries(
        self,
        row: CrossingView,
        listed: tuple[int, Sequence[Action]],
        ground: Hashable,
        *,
        whole_map: bool,
    ) -> tuple[Try, ...]:
        """
        Return the actions listed for a row's base mode that are not forbidden in any case.

        `listed` is a token of the list and the actions; `ground` are the map's facts there.
        """
        key = (listed[0], row.seen)
        known = self._tries.get(key)
        if known is None:
            whole_map = whole_map or self._denied
            mode = self.modes[row.start]
            found = []
            for action in listed[1]:
                seen = self._sight(ground, mode, self.rotation.turned(action, row.by))
                if seen is not None:
                    like = self.modes[row.like]
                    by = 0 if whole_map else self._rulebook.symmetry.bearing(like, action=action)
                    turned = self.rotation.turned(action, -by)
                    name, token = token_of(turned), seen_key(ground, seen, whole_map=whole_map)
                    found.append(Try(action, by, turned, name, token))
            known = self._tries[key] = tuple(found)
        return known


class Asker(Protocol):
    """
    The compiler's interface to the units whose steps it finds.

    Attributes
    ----------
    rulebook, avoid
        The rulebook, and whether steps that require a roll are left out.
    modes, number, limits
        Their modes, the number of each, and what may be spent in it, in half points.
    views
        What matters of the map in each.
    outcomes
        Known outcomes of actions.
    """

    rulebook: Rulebook[Any, Any]
    avoid: bool
    modes: list[Hashable]
    number: dict[Hashable, int]
    limits: list[int]
    views: Views
    outcomes: dict[tuple[Any, ...], ActionOutcome]

    def numbered(self, mode: Hashable) -> int:
        """Return the number of a mode; add the mode if it is new."""

    def consult(self, names: Iterable[str] | None) -> None:
        """Record clauses that affect the results; None if they are not known."""
