"""Explains infeasibility of transport where only what units cost each other forbids the musts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.cpsat.harness import Status, solve
from marchtable.planning.reasons import ANY
from marchtable.rules.plan_model import Reason
from marchtable_models.asl.cpsat.transport.cuts import SurchargeCut
from marchtable_models.asl.cpsat.transport.program import Program

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from marchtable.rules.plan_model import Control
    from marchtable_models.asl.cpsat.transport.cuts import Cut
    from marchtable_models.asl.cpsat.transport.gather import Instance
    from marchtable_models.asl.cpsat.transport.offers import Columns

__all__ = ["entangled"]

Fault = tuple[str, str]
"""A clause, and the unit for which it is broken or that it charges."""


def entangled(
    instance: Instance, columns: Columns, cuts: Sequence[Cut | SurchargeCut], control: Control
) -> tuple[Reason, ...] | None:
    """
    Return a smallest set of clauses without which the tables would let the musts be met.

    Parameters
    ----------
    instance, columns
        The problem, and all that units may do.
    cuts
        What the referee refused or charged.
    control
        Its limit is heeded.

    Returns
    -------
    tuple of Reason or None
        None for a limit, where the cuts name no clause, or forbid nothing.
    """
    by_fault: dict[Fault, list[Cut | SurchargeCut]] = {}
    for cut in cuts:
        for clause in cut.clauses:
            by_fault.setdefault((clause, _actor(cut)), []).append(cut)

    def is_barred(kept: Collection[Fault]) -> bool | None:
        if control.stop.is_requested or control.left() <= 0:
            return None
        left = [c for c in cuts if any((clause, _actor(c)) in kept for clause in c.clauses)]
        program = Program(instance, columns, ANY, left)
        outcome = solve(
            program.model, "knapsack", limit=control.left(), stop=control.stop, seed=control.seed
        )
        control.spend(outcome.time)
        return None if outcome.status is Status.UNKNOWN else outcome.status is Status.IMPOSSIBLE

    order = {name: number for number, name in enumerate(instance.rulebook.clauses)}
    kept = sorted(by_fault, key=lambda fault: (order.get(fault[0], len(order)), fault[1]))
    if not kept or not is_barred(kept):
        return None
    for fault in [*kept]:
        fewer = [other for other in kept if other != fault]
        barred = is_barred(fewer)
        if barred is None:
            return None
        if barred:
            kept = fewer
    return tuple(Reason(clause=clause, units=(unit,)) for clause, unit in kept)


def _actor(cut: Cut | SurchargeCut) -> str:
    return cut.actor if isinstance(cut, SurchargeCut) else cut.literals[0].unit
