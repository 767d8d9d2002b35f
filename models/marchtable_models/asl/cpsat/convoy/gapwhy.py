"""Why a Convoy cannot, though it may part: reasons of plans without a Gap, and which of them hold with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from marchtable.planning.line.logic import checked
from marchtable.planning.line.task import Limits
from marchtable.planning.reasons import ANY, unproved
from marchtable_models.asl.clauses.lines.convoys import convoy_line
from marchtable_models.asl.clauses.vehicles.impulses import all_can_pay
from marchtable_models.asl.cpsat.convoy.ends import Ends
from marchtable_models.asl.cpsat.convoy.gapreach import reached
from marchtable_models.asl.cpsat.convoy.gapside import Side

if TYPE_CHECKING:
    from collections.abc import Collection

    from marchtable.planning.line.task import Row
    from marchtable.rules.plan_model import Control, Reason
    from marchtable_models.asl.cpsat.convoy.gapmodel import GapModel
    from marchtable_models.asl.cpsat.convoy.model import ConvoyModel

__all__ = ["conflict"]

SWEEP = 1e-6
"""Deterministic time that a mask counts for."""


def conflict(model: GapModel, control: Control) -> tuple[Reason, ...] | None:
    """
    Return why the plans without a Gap fail, and whether that is why those with one fail.

    What is needed without a Gap is needed with one, for plans without are among those with. That it
    forbids those, too, is only looked into where it is what vehicles can pay.
    """
    found = model.plain.conflict(control)
    if not found or not model.gaps:
        return found
    payers = {name for reason in found for name in reason.units if reason.clause == all_can_pay.id}
    is_all = not model.line[0].line.halted and all(
        reason.is_needed and reason.clause == all_can_pay.id for reason in found
    )
    try:
        if is_all and _cannot_pay(model.plain, payers, control):
            return found
    except TimeoutError:
        pass
    return unproved([each for each in found if each.clause != convoy_line.id])


def _cannot_pay(plain: ConvoyModel, payers: Collection[str], control: Control) -> bool:
    """Tell whether vehicles, each by itself, fail for what they have left, wherever others end."""
    mine = [unit.id in payers for unit in plain.line]
    most = max(plain.left)
    left = [own if pays else most for own, pays in zip(plain.left, mine, strict=True)]
    for at in range(1, len(plain.line)):
        checked(control)
        side = Side(plain, at, first=True, later=True)
        control.spend(SWEEP * len(side.field.masks))
        edition = plain.rulebook.edition(plain.position)
        ends = Ends(
            edition, side.field, [unit.points.spent for unit in plain.line], (), alike=False
        )
        rows = [_with_the_best(row, mine) for row in Limits(side.worth, ANY).rows]
        if reached(side.field, ends, left, rows) is not None:
            return False
    return True


def _with_the_best(row: Row, mine: Collection[bool]) -> Row:
    """Return a row to which all but some vehicles add the most that they can anywhere."""
    gains = np.array(row.gains)
    for i, pays in enumerate(mine):
        if not pays:
            gains[i] = gains[i].max()
    return row._replace(gains=gains)
