"""Why a goal cannot be met: a minimal set of clauses that together forbid it.

A set of clauses forbids a goal if no plan meets its musts even with every other clause of a
*family* switched off, by default of the rulebook; it is minimal if without any one of them some
plan does, replayed by the referee. It is found by switching clauses off for good, wherever that
leaves the goal impossible, until none is left for which it does; so it is verified when it is
found, by the whole model and not by a part of it. The map itself (where there is a way at all),
the goal's own conditions and clauses that are not modelled, but for those that were seen to bear,
are the background: they are never switched off and never named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import OverLimit
from marchtable.clause import eased, without
from marchtable.planning.model import Reason, Task
from marchtable.planning.trials import Judge
from marchtable.referee import check
from marchtable.rulebook import find_rulebook
from marchtable.structs import points

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.action import Action
    from marchtable.planning.goal import Goal
    from marchtable.planning.model import Control, PlanModel, Rolls
    from marchtable.position import Position
    from marchtable.ruling import Verdict, Violation

__all__ = ["ANY", "Family", "Question", "Unproved", "clauses_against", "unproved"]

ANY = Task({}, {}, {})
"""The task of finding any plan that meets the musts."""
CALL = 0.001  # deterministic time that a proposal counts for, so that all ends


class Unproved(Exception):  # noqa: N818 - no error: a limit
    """A question whether a goal can be met that was not settled within the limit."""


class Question(NamedTuple):
    """
    Whether a goal can be met.

    Parameters
    ----------
    position, goal, rolls
        Where plans start, what they must do, and what becomes of rolls; the goal is checked.
    model
        Makes the goal's model under the clauses that are on when it is called.
    control
        Its limit is heeded.
    """

    position: Position[Any, Any]
    goal: Goal
    rolls: Rolls
    model: Callable[[], PlanModel]
    control: Control

    def plan(self, off: Sequence[str]) -> tuple[Action, ...] | None:
        """
        Return a plan that stands with some clauses off, None if it is proved that there is none.

        Raises
        ------
        Unproved
            If that was not settled within the limit.
        """
        with without(*off):
            model, judge = self.model(), Judge(self.position, self.goal, self.rolls)
            while not self.control.stop.is_requested and self.control.left() > 0:
                self.control.spend(CALL)
                proposal = model.best(ANY, self.control)
                if proposal.status == "IMPOSSIBLE":
                    return None
                if proposal.log is None:
                    break
                trial = judge.trial(tuple(proposal.log))
                if trial.stands:
                    return trial.log
                model.refuse(trial.log, trial.verdict)
        raise Unproved


class Family(NamedTuple):
    """
    Which clauses may be blamed.

    Parameters
    ----------
    clauses
        Those that are switched off, in the order of the contents page; None for all that are
        modelled.
    likely
        Some of them that may well be the set; they are tried first.
    bearing
        Clauses that are not modelled and were seen to bear: these may be blamed as well.
    fixed
        Clauses that are off only one at a time, as more than the goal hangs on them.
    """

    clauses: tuple[str, ...] | None = None
    likely: tuple[str, ...] = ()
    bearing: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()


def clauses_against(question: Question, family: Family | None = None) -> tuple[Reason, ...] | None:
    """
    Return a minimal set of clauses that forbid a goal, in the order of the contents page.

    Returns
    -------
    tuple of Reason or None
        None if a limit was reached; no clause at all if it is the map that forbids the goal. Each
        with the units of a plan that breaks this clause alone of the set, and the numbers where
        no plan breaks it by less.
    """
    try:
        return _Deletion(question, family or Family()).reasons()
    except (Unproved, OverLimit):
        return None


def unproved(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Return reasons of which it is not verified that they are a minimal set."""
    return tuple(msgspec.structs.replace(reason, is_needed=False, numbers=()) for reason in reasons)


class _Deletion:
    """One search for a minimal set."""

    def __init__(self, question: Question, family: Family) -> None:
        self._question, self._family = question, family
        self._clauses = find_rulebook(question.position.rulebook).clauses
        told = family.clauses
        listed = {name for name, c in self._clauses.items() if c.modelled} if told is None else told
        bearing = [name for name in family.bearing if not self._clauses[name].modelled]
        self._every = [name for name in self._clauses if name in {*listed, *bearing}]
        self._known: dict[tuple[str, ...], tuple[Action, ...] | None] = {}

    def reasons(self) -> tuple[Reason, ...]:
        """Return the set with what tells of each clause."""
        kept = self._start()
        while True:
            fewer = self._pruned(kept, kept)
            if fewer == kept:
                break
            kept = fewer
        fixed = [name for name in self._family.fixed if self._plan(kept, name) is not None]
        return tuple(self._reason(kept, name) for name in self._in_order([*kept, *fixed]))

    def _in_order(self, names: Sequence[str]) -> list[str]:
        return [name for name in self._clauses if name in names]

    def _start(self) -> list[str]:
        """Return a set that forbids the goal: the likely one, or what is left without the unlikely."""
        likely = [name for name in self._every if name in self._family.likely]
        if likely and self._plan(likely) is None:
            return likely
        bearing = [name for name in self._every if not self._clauses[name].modelled]
        kept = self._pruned(self._every, bearing)
        unlikely = [name for name in kept if name not in likely] if likely else []
        return self._pruned(kept, unlikely)

    def _pruned(self, kept: list[str], chunk: Sequence[str]) -> list[str]:
        """Return what is left of the clauses once those of a chunk are off that need not be on."""
        fewer = [name for name in kept if name not in chunk]
        if not chunk or self._plan(fewer) is None:
            return fewer
        if len(chunk) == 1:
            return kept
        middle = len(chunk) // 2
        return self._pruned(self._pruned(kept, chunk[:middle]), chunk[middle:])

    def _off(self, kept: Sequence[str], *more: str) -> tuple[str, ...]:
        return (*(name for name in self._every if name not in kept), *more)

    def _plan(self, kept: Sequence[str], *more: str) -> tuple[Action, ...] | None:
        """Return a plan that meets the goal under these clauses alone, None if there is none."""
        off = self._off(kept, *more)
        if off not in self._known:
            self._known[off] = self._question.plan(off)
        return self._known[off]

    def _reason(self, kept: Sequence[str], name: str) -> Reason:
        """Return what tells of a clause: a plan without it, and how that breaks it."""
        others = [other for other in kept if other != name]
        more = () if name in kept else (name,)
        log = self._plan(others, *more)
        assert log is not None
        reason, breach = self._told(kept, log, name)
        if breach is None or not reason.numbers:
            return reason
        least = self._least(others, more, name, log)
        return msgspec.structs.replace(reason, numbers=()) if least is None else least

    def _least(
        self, others: Sequence[str], more: tuple[str, ...], name: str, log: tuple[Action, ...]
    ) -> Reason | None:
        """
        Return the same of a plan that breaks the clause by the least; None if that is not known.

        The clause's bars count no more up to some breach; as it must be the clause that they are
        about, the goal must be possible with all of the breach allowed.
        """
        kept = [*others, name] if not more else others
        reason, breach = self._told(kept, log, name)
        assert breach is not None
        low, high = 0, breach
        try:
            if high > 1 and self._question.plan(self._off(kept, eased(name, high))) is None:
                return None
            while high - low > 1:
                middle = (low + high) // 2
                found = self._question.plan(self._off(kept, eased(name, middle)))
                if found is None:
                    low = middle
                    continue
                reason, less = self._told(kept, found, name)
                if less is None or less > middle:
                    return None
                high = less
        except (Unproved, OverLimit):
            return None
        return reason

    def _told(
        self, kept: Sequence[str], log: tuple[Action, ...], name: str
    ) -> tuple[Reason, int | None]:
        with without(*self._off(kept)):
            verdict = check(self._question.position, log)
        broken = [v for v in (*verdict.violations, *verdict.unsupported) if v.clause == name]
        if broken:
            return _broken(verdict, broken, joint=self._clauses[name].composes == "joint")
        return _charged(verdict, name), None


def _broken(
    verdict: Verdict, broken: Sequence[Violation], *, joint: bool
) -> tuple[Reason, int | None]:
    """Return how a plan breaks a clause, and by how much if it is by numbers."""
    units = tuple(
        dict.fromkeys(u for v in broken for u in (*v.units, *_beside(verdict, v, joint=joint)))
    )
    breaches = [_breach(one) for one in broken]
    worst = max(range(len(broken)), key=lambda n: breaches[n] or 0)
    told = broken[worst]
    numbers: tuple[tuple[str, int | float | str], ...] = tuple(
        (word, points(value) if told.halves and isinstance(value, int) else value)
        for word, value in (("need", told.need), ("have", told.have)) if value is not None
    )  # fmt: skip
    breach = breaches[worst]
    if breach is not None and isinstance(told.have, int) and told.have < 0:
        numbers = (("lacks", points(breach) if told.halves else breach),)
    return Reason(clause=told.clause, units=units, numbers=numbers), breach


def _breach(violation: Violation) -> int | None:
    """Return by how much what there is falls short of what is needed, or exceeds it."""
    need, have = violation.need, violation.have
    return abs(need - have) if isinstance(need, int) and isinstance(have, int) else None


def _charged(verdict: Verdict, name: str) -> Reason:
    """Return what a clause charges those who are barred."""
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


def _beside(verdict: Verdict, broken: Violation, *, joint: bool) -> list[str]:
    """Return the units that share the place where a joint clause is broken."""
    after = verdict.rulings[broken.step].after
    if not joint or after is None or not broken.hexes:
        return []
    side = {after.unit(name).side for name in broken.units}
    return [unit.id for unit in after.beside(broken.hexes[-1]) if unit.side in side]
