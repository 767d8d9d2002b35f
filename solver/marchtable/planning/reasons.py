"""Why a goal cannot be met: a minimal set of clauses that together forbid it.

A set of clauses forbids a goal if no plan meets its musts even with every other clause of the
rulebook switched off; it is minimal if without any one of it some plan does. It is found by
switching clauses off for good, in the order of the contents page, wherever that leaves the goal
impossible, until none is left for which it does; so it is verified when it is found. The map
itself (where there is a way at all), the goal's own conditions and clauses that are not modelled
are the background: they are never switched off and never named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.clause import without
from marchtable.planning.model import Reason, Task
from marchtable.referee import check
from marchtable.rulebook import find_rulebook
from marchtable.structs import points

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.action import Action
    from marchtable.planning.model import Control, PlanModel
    from marchtable.position import Position
    from marchtable.ruling import Verdict, Violation

__all__ = ["ANY", "Unproved", "clauses_against"]

ANY = Task({}, {}, {})
"""The task of finding any plan that meets the musts."""


class Unproved(Exception):  # noqa: N818 - no error: a limit
    """A question whether a goal can be met that was not settled within the limit."""


def clauses_against(
    position: Position[Any, Any], model: Callable[[], PlanModel], control: Control
) -> tuple[Reason, ...] | None:
    """
    Return a minimal set of clauses that forbid a goal, in the order of the contents page.

    Parameters
    ----------
    position
        Where plans start.
    model
        Makes the goal's model under the clauses that are on when it is called.
    control
        Its limit is heeded.

    Returns
    -------
    tuple of Reason or None
        None if a limit was reached; no clause at all if it is the map that forbids the goal. Each
        with the units and numbers of a plan that breaks this clause alone of the set.
    """
    every = [c.id for c in find_rulebook(position.rulebook).clauses.values() if c.modelled]
    try:
        return _Deletion(position, model, control, every).reasons()
    except Unproved:
        return None


class _Deletion:
    """One search for a minimal set."""

    def __init__(
        self, position: Position[Any, Any], model: Callable[[], PlanModel], control: Control,
        every: list[str],
    ) -> None:  # fmt: skip
        self._position, self._model, self._control = position, model, control
        self._every = every

    def reasons(self) -> tuple[Reason, ...]:
        """Return the set with what tells of each clause."""
        kept = self._every
        while True:
            fewer = self._pruned(kept, kept)
            if fewer == kept:
                break
            kept = fewer
        return tuple(self._reason(kept, name) for name in kept)

    def _pruned(self, kept: list[str], chunk: Sequence[str]) -> list[str]:
        """Return what is left of the clauses once those of a chunk are off that need not be on."""
        fewer = [name for name in kept if name not in chunk]
        if not chunk or self._plan(fewer) is None:
            return fewer
        if len(chunk) == 1:
            return kept
        middle = len(chunk) // 2
        return self._pruned(self._pruned(kept, chunk[:middle]), chunk[middle:])

    def _plan(self, kept: Sequence[str]) -> tuple[Action, ...] | None:
        """Return a plan that meets the goal under these clauses alone, None if there is none."""
        with without(*(name for name in self._every if name not in kept)):
            proposal = self._model().best(ANY, self._control)
        if proposal.status == "UNKNOWN":
            raise Unproved
        return proposal.log

    def _reason(self, kept: Sequence[str], name: str) -> Reason:
        log = self._plan([other for other in kept if other != name])
        with without(*(other for other in self._every if other not in kept)):
            verdict = check(self._position, log or ())
        joint = find_rulebook(self._position.rulebook).clauses[name].composes == "joint"
        return _told(verdict, name, joint=joint)


def _told(verdict: Verdict, name: str, *, joint: bool) -> Reason:
    """Return how a clause tells against a plan: what it bars, or what it charges those barred."""
    broken = [v for v in verdict.violations if v.clause == name]
    if broken:
        units = tuple(
            dict.fromkeys(u for v in broken for u in (*v.units, *_beside(verdict, v, joint)))
        )
        first = broken[0]
        numbers = tuple(
            (word, points(value) if first.halves and isinstance(value, int) else value)
            for word, value in (("need", first.need), ("have", first.have)) if value is not None
        )  # fmt: skip
        return Reason(clause=name, units=units, numbers=numbers)
    barred = {unit for v in verdict.violations for unit in v.units}
    charged: dict[str, int] = {}
    for receipt in verdict.receipts:
        amount = sum(charge.amount for charge in receipt.charges if charge.clause == name)
        if amount and (receipt.unit in barred or not barred):
            charged[receipt.unit] = charged.get(receipt.unit, 0) + amount
    return Reason(
        clause=name, units=tuple(charged),
        numbers=tuple((f"charges {unit}", points(amount)) for unit, amount in charged.items()),
    )  # fmt: skip


def _beside(verdict: Verdict, broken: Violation, joint: bool) -> list[str]:
    """Return the units that share the place where a joint clause is broken."""
    after = verdict.rulings[broken.step].after
    if not joint or after is None or not broken.hexes:
        return []
    side = {after.unit(name).side for name in broken.units}
    return [unit.id for unit in after.beside(broken.hexes[-1]) if unit.side in side]
