"""Dominance filter: leaves out what something else does at least as well, whoever is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.dominance import Dims, front
from marchtable_models.asl.cpsat.foot.options import ALONE, POINTS
from marchtable_models.asl.cpsat.reached.ways import AMPLE

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
LOW = -(2**62)


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

    names, matrix = [*options_of], Dims.of(task).matrix
    if not {"points"} & {*task.weights, *task.most}:  # of equals the choice has the fewest
        matrix[:, 0] *= AMPLE
        matrix[POINTS, 0] -= 1
    rows = {n: np.concatenate([o.score @ matrix, o.met], axis=1) for n, o in options_of.items()}
    leaders = {int(n) for o in options_of.values() for n in np.unique(o.leader) if n != ALONE}
    touched, kept = {}, {}
    for name, options in options_of.items():
        touched[name] = told[name].copy()
        for number in leaders:
            mine = np.flatnonzero(options.leader == number)
            touched[name][mine] |= told[names[number]][options.led[mine]]
        kept[name] = np.zeros(len(options), bool)
        kept[name][front(rows[name], touched[name] | (options.leader != ALONE))] = True
    for number in leaders:
        _sift_led(options_of, options_of[names[number]], rows, touched, kept)
    return kept


def _sift_led(
    options_of: Mapping[str, Options], leader: Options, rows: Mapping[str, Ints],
    touched: Mapping[str, Flags], kept: dict[str, Flags],
) -> None:  # fmt: skip
    """Sift a leader's rows and those of the units that may join him."""
    import numpy as np

    name, count = leader.unit.id, len(leader)
    total, free, is_joined = rows[name][:, 0].copy(), ~touched[name], np.zeros(count, bool)
    gives, needs, joining = [rows[name]], [rows[name]], []
    for other, options in options_of.items():
        mine = np.flatnonzero(options.leader == leader.number)
        if len(mine):
            row = np.full(count, ALONE)
            row[options.led[mine]] = mine
            may, numbers = row != ALONE, rows[other][row]
            wants = may & kept[other][row]
            gives.append(np.where(may[:, None], numbers, LOW))
            needs.append(np.where(wants[:, None], numbers, LOW))
            joining.append((other, row, may, wants))
            is_joined |= wants
            free &= ~(may & touched[other][row])
            total += np.where(may, numbers[:, 0], 0)
    give, need = np.concatenate(gives, axis=1), np.concatenate(needs, axis=1)
    ranked = np.argsort(-total, kind="stable")
    rivals = [ranked[free[ranked] & may[ranked]][:RIVALS].tolist() for _, _, may, _ in joining]
    for best in dict.fromkeys(row for some in rivals for row in some):
        if is_joined[best]:
            beaten = (give[best] >= need).all(axis=1)
            beaten[best] = False
            is_joined &= ~beaten
    for other, row, _, wants in joining:
        kept[other][row[wants & ~is_joined]] = False
    kept[name] |= is_joined
