"""Dominance filter: leaves out what something else does at least as well, whoever is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.foot.options import ALONE, worths

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from marchtable.rules.plan_model import Task
    from marchtable_models.asl.cpsat.foot.options import Options

    Flags = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

__all__ = ["undominated"]

RIVALS = 8
"""How many of a leader's best rows for each whom he may lead others are held against."""


def undominated(
    options_of: Mapping[str, Options], told: Mapping[str, Flags], task: Task
) -> dict[str, Flags]:
    """
    Return the rows of each unit's options that a best plan may need.

    A row is left out for another of the same unit that is as good by every number of the task,
    needs no leader and has no part in a cut; a leader's row that others may join, with their joining
    it, for one that they all may join and to which the same applies.

    Parameters
    ----------
    options_of, told
        What each may do, and which rows have a part in a cut.
    """
    import numpy as np

    names = [*options_of]
    rows = {name: _numbers(options, task) for name, options in options_of.items()}
    touched = {}
    for name, options in options_of.items():
        touched[name] = told[name].copy()
        for number in np.unique(options.leader[options.leader != ALONE]).tolist():
            mine = np.flatnonzero(options.leader == number)
            touched[name][mine] |= told[names[number]][options.led[mine]]
    kept = {}
    leaders = {int(n) for o in options_of.values() for n in np.unique(o.leader) if n != ALONE}
    for name, options in options_of.items():
        if options.number not in leaders:
            kept[name] = _uncovered(rows[name], (options.leader == ALONE) & ~touched[name])
    for number in leaders:
        _sift_led(options_of, options_of[names[number]], rows, touched, kept)
    return {name: kept[name] for name in names}


def _numbers(options: Options, task: Task) -> Ints:
    """Return the numbers by which a task compares the rows of a unit's options: of each, the more the better."""
    import numpy as np

    columns = [worths(options, task)]
    for number, name in enumerate(CRITERIA):
        if name in task.least:
            columns.append(options.score[:, number])
        if name in task.most:
            columns.append(-options.score[:, number])
    return np.concatenate([np.stack(columns, axis=1), options.met], axis=1)


def _sift_led(
    options_of: Mapping[str, Options], leader: Options, rows: Mapping[str, Ints],
    touched: Mapping[str, Flags], kept: dict[str, Flags],
) -> None:  # fmt: skip
    """Sift a leader's rows and those of the units that may join him."""
    import numpy as np

    name, count = leader.unit.id, len(leader)
    own, is_joined = rows[name], np.zeros(count, bool)
    free = ~touched[name]
    joining = []
    for other, options in options_of.items():
        mine = np.flatnonzero(options.leader == leader.number)
        if len(mine):
            row = np.full(count, ALONE)
            row[options.led[mine]] = mine
            may, numbers = row != ALONE, rows[other][row]
            wants = may & kept[other][row]
            is_joined |= wants
            free &= ~(may & touched[other][row])
            joining.append((other, row, may, wants, numbers))
    total = sum((np.where(may, n[:, 0], 0) for _, _, may, _, n in joining), own[:, 0])
    ranked = np.argsort(-total, kind="stable")
    rivals = [ranked[free[ranked] & may[ranked]][:RIVALS].tolist() for _, _, may, _, _ in joining]
    for best in dict.fromkeys(row for some in rivals for row in some):
        if is_joined[best]:
            beaten = (own[best] >= own).all(axis=1) & is_joined
            for _, _, may, wants, numbers in joining:
                beaten &= ~wants | (may[best] & (numbers[best] >= numbers).all(axis=1))
            beaten[best] = False
            is_joined &= ~beaten
            for other, row, _, wants, _ in joining:
                kept[other][row[beaten & wants]] = False
    kept[name] = is_joined | _uncovered(own, ~touched[name])


def _uncovered(rows: Ints, free: Flags) -> Flags:
    """Return the rows that no free one covers; of equals the first covers the others."""
    import numpy as np

    kept: Flags = np.ones(len(rows), bool)
    order = np.flatnonzero(free)
    order = order[np.lexsort(tuple(-column for column in rows[order].T[::-1]))]
    while len(order):
        best = int(order[0])
        beaten = (rows[best] >= rows).all(axis=1)
        beaten[best] = False
        kept &= ~beaten
        order = order[1:][kept[order[1:]]]
    return kept
