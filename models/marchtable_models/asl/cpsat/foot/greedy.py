"""A plan without a solver: each where it is worth most, leaders where that is worth most to all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.foot.options import ALONE, worths

if TYPE_CHECKING:
    from marchtable.rules.plan_model import Task
    from marchtable_models.asl.cpsat.foot.company import Company

__all__ = ["greedy"]


def greedy(company: Company, task: Task) -> dict[str, int]:
    """Return for each unit a row: leaders choose first, then the others, who may join them."""
    import numpy as np

    options_of = company.options_of
    worth = {name: worths(options, task) for name, options in options_of.items()}
    alone = {name: int(np.where(options.leader == ALONE, worth[name], worth[name].min() - 1).argmax())
             for name, options in options_of.items()}  # fmt: skip
    plan: dict[str, int] = {}
    for name, options in options_of.items():
        if name not in company.leaders:
            continue
        total = worth[name].astype(float)
        for other, its in options_of.items():
            mine = np.flatnonzero(its.leader == options.number) if other not in plan else ()
            if len(mine):
                gain = worth[other][mine] - worth[other][alone[other]]
                total[its.led[mine]] += np.maximum(gain, 0)
        plan[name] = int(total.argmax())
        for other, its in options_of.items():
            joins = np.flatnonzero((its.leader == options.number) & (its.led == plan[name]))
            if other not in plan and len(joins):
                row = int(joins[0])
                if worth[other][row] > worth[other][alone[other]]:
                    plan[other] = row
    return {name: plan.get(name, alone[name]) for name in options_of}
