"""Impulse options of one sort of line member, asked of the rulebook once for equal facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from marchtable.reachability.crossings import crossings_of
from marchtable_models.asl.cpsat.ruled import passed

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from marchtable.planning.line.graph import LaneStep
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable_models.asl.model import AslPosition, AslUnit

__all__ = ["PROBE", "LineSteps"]

PROBE = "probe"
S = TypeVar("S", bound="Hashable")


class LineSteps(Generic[S]):
    """
    The steps of members of one sort, with the rest of their line out of the way.

    Parameters
    ----------
    rulebook, base
        The rules; the position without the line.
    units
        The member in general form, without place, mode and expenditure.
    avoid
        Leave out steps that need a roll; otherwise rolls are assumed passed.
    """

    def __init__(
        self, rulebook: Rulebook[Any, Any], base: AslPosition, units: tuple[AslUnit, ...], *,
        avoid: bool,
    ) -> None:  # fmt: skip
        self.rulebook, self.units, self.avoid = rulebook, units, avoid
        self.base = msgspec.structs.replace(base, units=(*base.units, *units))
        self.crossings = crossings_of(rulebook, base.board)
        self.kind = self.crossings.kind
        shy = next((unit for unit in units if unit.concealment.concealed), units[0])
        self._present = rulebook.presences(base, rulebook.entrant(base, shy), None)
        self._known: dict[S, tuple[LaneStep, ...]] = {}
        self._asked: dict[Hashable, tuple[tuple[LaneStep, ...], set[str]]] = {}
        self.unmodelled: dict[S, set[str]] = {}
        self._heard: set[str] = set()

    def of(self, state: S) -> tuple[LaneStep, ...]:
        """Return its own steps in a state, with none of its line in the way."""
        found = self._known.get(state)
        if found is None:
            self._heard = set()
            found = self._known[state] = tuple(self._ways(state))
            if self._heard:
                self.unmodelled[state] = self._heard
        return found

    def _ways(self, state: S) -> Iterable[LaneStep]:
        raise NotImplementedError

    def _once(self, key: Hashable, ask: Callable[[], Iterable[LaneStep]]) -> tuple[LaneStep, ...]:
        """Return steps equal for equal keys, asked for once, and record what is not modelled."""
        if key not in self._asked:
            before, self._heard = self._heard, set()
            self._asked[key] = tuple(ask()), self._heard
            self._heard = before
        found, heard = self._asked[key]
        self._heard |= heard
        return found

    def _after(self, ruling: Ruling) -> list[AslUnit] | None:
        """Return the units after a legal move, with rolls assumed passed; else None."""
        after = passed(self.rulebook, ruling, avoid=self.avoid)
        if after is None:
            return None
        found = [after.unit(unit.id) for unit in self.units]
        return None if any(unit.points.final for unit in found) else found
