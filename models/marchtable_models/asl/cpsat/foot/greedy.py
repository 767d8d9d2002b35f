"""A plan without a solver: each where it is worth most, leaders where that is worth most to all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.foot.options import ALONE, worths

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from marchtable.rules.plan_model import Task
    from marchtable_models.asl.cpsat.foot.options import Options

__all__ = ["greedy"]


def greedy(
    options_of: Mapping[str, Options], leaders: Collection[str], task: Task
) -> dict[str, int]:
    """Return for each unit a row: leaders choose first, then the others, who may join them."""
    import numpy as np

    worth = {name: worths(options, task) for name, options in options_of.items()}
    alone = {name: int(np.where(options.leader == ALONE, worth[name], worth[name].min() - 1).argmax())
             for name, options in options_of.items()}  # fmt: skip
    plan: dict[str, int] = {}
    for name in leaders:
        total, number = worth[name].astype(float), options_of[name].number
        joins = {
            other: np.flatnonzero(its.leader == number)
            for other, its in options_of.items() if other not in plan
        }  # fmt: skip
        for other, mine in joins.items():
            gain = worth[other][mine] - worth[other][alone[other]]
            total[options_of[other].led[mine]] += np.maximum(gain, 0)
        plan[name] = int(total.argmax())
        for other, mine in joins.items():
            for row in mine[options_of[other].led[mine] == plan[name]].tolist():
                if worth[other][row] > worth[other][alone[other]]:
                    plan[other] = row
    return {name: plan.get(name, alone[name]) for name in options_of}
