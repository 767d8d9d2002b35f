"""Rulings and verdicts: the referee's results, as data."""

from __future__ import annotations

from typing import Any

import msgspec

from marchtable.codec.structs import points, remaining
from marchtable.rules.clause import Charge
from marchtable.state.action import Action
from marchtable.state.position import Obligation

__all__ = ["Effect", "Receipt", "Ruling", "Verdict", "Violation"]


class Violation(msgspec.Struct, frozen=True):
    """
    A clause broken by a step.

    Parameters
    ----------
    clause, note
        The clause, and the fault in a few words.
    units, hexes
        The units and places.
    need, have
        The two numbers (or words) that conflict; half points if ``halves`` is set.
    step
        Number of the log entry, from 0.
    after
        Whether an earlier step of the log was already illegal or UNSUPPORTED.
    points
        The unit of the numbers, if not the points of the first of ``units``.
    """

    clause: str
    note: str
    units: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    need: int | str | None = None
    have: int | str | None = None
    halves: bool = False
    step: int = 0
    after: bool = False
    points: str = ""

    def __str__(self) -> str:
        return f"{self.clause}: {', '.join((self.note, *self.units, *self.hexes))}"


class Receipt(msgspec.Struct, frozen=True):
    """The cost of one step to one unit, in half points, and the rest of its allotment."""

    unit: str
    points: str
    amount: int
    left: int
    charges: tuple[Charge, ...]
    step: int = 0


class Effect(msgspec.Struct, frozen=True):
    """A value that a clause forced on a unit."""

    clause: str
    unit: str
    field: str
    value: Any
    step: int = 0


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """
    What the rules say about one action in one position; ``str`` gives a summary.

    Parameters
    ----------
    action
        The action judged.
    receipts, effects
        Its costs and effects.
    violations
        Every clause it breaks, not only the first.
    unsupported
        Unmodelled clauses that apply to it.
    obligations
        Rolls it requires.
    exceptions, readings
        Exceptions that applied, and register entries used, by clause id.
    after
        The position it leads to (also when illegal), or None if there is none.
    """

    action: Action
    receipts: tuple[Receipt, ...] = ()
    violations: tuple[Violation, ...] = ()
    unsupported: tuple[Violation, ...] = ()
    effects: tuple[Effect, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    exceptions: tuple[tuple[str, str], ...] = ()
    readings: tuple[tuple[str, str], ...] = ()
    after: Any = None

    def __str__(self) -> str:
        lines = [f"{self.status} {self.action}"]
        for paid in self.receipts:
            charges = ", ".join(f"{one.clause} {points(one.amount)}" for one in paid.charges)
            lines.append(
                f"  {paid.unit}: {points(paid.amount)} {paid.points} ({charges}), {remaining(points(paid.left), word='left')}"
            )
        lines += [f"  {one}" for one in (*self.violations, *self.unsupported)]
        lines += [f"  {one.clause}: {one.unit} {one.field} = {one.value}" for one in self.effects]
        lines += [f"  roll due: {one.id} ({one.clause})" for one in self.obligations]
        return "\n".join(lines)

    @property
    def status(self) -> str:
        """``LEGAL``, ``ILLEGAL`` or ``UNSUPPORTED``; broken clauses outweigh unmodelled ones."""
        if self.violations:
            return "ILLEGAL"
        return "UNSUPPORTED" if self.unsupported else "LEGAL"

    @property
    def costs(self) -> list[Receipt]:
        """A receipt for each unit that pays: all that it pays, and what it has left at the end."""
        paid: dict[str, Receipt] = {}
        for receipt in self.receipts:
            before = paid.get(receipt.unit)
            paid[receipt.unit] = (
                receipt
                if before is None
                else msgspec.structs.replace(
                    receipt,
                    amount=before.amount + receipt.amount,
                    charges=before.charges + receipt.charges,
                )
            )
        return list(paid.values())

    @property
    def touched(self) -> set[str]:
        """The units involved."""
        entries = (*self.violations, *self.unsupported)
        named = {unit for entry in entries for unit in entry.units}
        return named | {receipt.unit for receipt in self.receipts} | {e.unit for e in self.effects}

    @property
    def is_legal(self) -> bool:
        """Whether the action is legal, with all clauses that apply modelled."""
        return not self.violations and not self.unsupported


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """
    The rulings on a log; ``str`` gives a summary, step by step.

    Parameters
    ----------
    rulings
        One for each entry judged.
    stopped
        The step at which the referee could not continue, or None.
    position
        The position after the last step judged.
    """

    rulings: tuple[Ruling, ...]
    stopped: int | None
    position: Any

    def __str__(self) -> str:
        end = [] if self.stopped is None else [f"stopped at step {self.stopped}"]
        return "\n".join([*(f"{step}. {one}" for step, one in enumerate(self.rulings)), *end])

    @property
    def log(self) -> tuple[Action, ...]:
        """The entries judged."""
        return tuple(ruling.action for ruling in self.rulings)

    @property
    def violations(self) -> tuple[Violation, ...]:
        """All violations, with their steps; those after a step not known legal are marked."""
        return self._marked("violations")

    @property
    def unsupported(self) -> tuple[Violation, ...]:
        """All unmodelled clauses that apply, with their steps."""
        return self._marked("unsupported")

    def _marked(self, field: str) -> tuple[Violation, ...]:
        found: list[Violation] = []
        broken = False
        for step, ruling in enumerate(self.rulings):
            entries: tuple[Violation, ...] = getattr(ruling, field)
            found += [msgspec.structs.replace(v, step=step, after=broken) for v in entries]
            broken = broken or not ruling.is_legal
        return tuple(found)

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """All receipts, with their steps."""
        return tuple(
            msgspec.structs.replace(receipt, step=step)
            for step, ruling in enumerate(self.rulings)
            for receipt in ruling.receipts
        )

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All forced effects, with their steps."""
        return tuple(
            msgspec.structs.replace(effect, step=step)
            for step, ruling in enumerate(self.rulings)
            for effect in ruling.effects
        )

    @property
    def status(self) -> str:
        """
        ``ILLEGAL`` if any step is, else ``UNSUPPORTED`` if any is, else ``LEGAL``.

        A violation after an UNSUPPORTED step of the same units may depend on that step: it does not
        make the log ILLEGAL.
        """
        found, doubtful = "LEGAL", set[str]()
        for ruling in self.rulings:
            if any(
                not doubtful or doubtful.isdisjoint(v.units or doubtful) for v in ruling.violations
            ):
                return "ILLEGAL"
            if not ruling.is_legal:
                found = "UNSUPPORTED"
                doubtful |= ruling.touched
        return found
