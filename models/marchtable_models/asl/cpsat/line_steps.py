"""What one sort of member of a line may do in an Impulse: asked of the rulebook once for equal facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from marchtable.reachability.crossings import crossings_of
from marchtable_models.asl.cpsat.ruled import passed

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from marchtable.planning.line.graph import Step
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable_models.asl.model import AslPosition, AslUnit

__all__ = ["PROBE", "LineSteps"]

PROBE = "probe"
S = TypeVar("S", bound="Hashable")


class LineSteps(Generic[S]):
    """
    The steps of members of one sort, the others of their line being out of the way.

    Parameters
    ----------
    rulebook, base
        Whose rules; the position with the line taken off.
    units
        The member, as any like it is; place, mode and spending do not matter.
    avoid
        Leave out every step that calls for a roll; else rolls are taken to be passed.
    """

    def __init__(
        self, rulebook: Rulebook[Any, Any], base: AslPosition, units: tuple[AslUnit, ...], *,
        avoid: bool,
    ) -> None:  # fmt: skip
        self.rulebook, self.units, self.avoid = rulebook, units, avoid
        self.base = msgspec.structs.replace(base, units=(*base.units, *units))
        self.crossings = crossings_of(rulebook, base.board)
        self.kind = self.crossings.kind
        self._present = rulebook.presences(base, units[0].side, None)
        self._known: dict[S, tuple[Step, ...]] = {}
        self._asked: dict[Hashable, tuple[tuple[Step, ...], set[str]]] = {}
        self.unmodelled: dict[S, set[str]] = {}
        self._heard: set[str] = set()

    def of(self, state: S) -> tuple[Step, ...]:
        """Return what it may do in a state for itself, nobody of its line in the way."""
        found = self._known.get(state)
        if found is None:
            self._heard = set()
            found = self._known[state] = tuple(self._ways(state))
            if self._heard:
                self.unmodelled[state] = self._heard
        return found

    def _ways(self, state: S) -> Iterable[Step]:
        raise NotImplementedError

    def _once(self, key: Hashable, ask: Callable[[], Iterable[Step]]) -> tuple[Step, ...]:
        """Return steps that are the same wherever a key is, asked for once, and take note of what is not modelled."""
        if key not in self._asked:
            before, self._heard = self._heard, set()
            self._asked[key] = tuple(ask()), self._heard
            self._heard = before
        found, heard = self._asked[key]
        self._heard |= heard
        return found

    def _after(self, ruling: Ruling) -> list[AslUnit] | None:
        """Return the units as a legal move leaves them, rolls taken to be passed; else None."""
        after = passed(self.rulebook, ruling, avoid=self.avoid)
        if after is None:
            return None
        found = [after.unit(unit.id) for unit in self.units]
        return None if any(unit.points.final for unit in found) else found
