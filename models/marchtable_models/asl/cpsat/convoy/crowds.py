"""That a Convoy's vehicles stand one per hex, where that alone keeps them from where they must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.cpsat.harness import Status, solve
from marchtable.cpsat.rows import Rows
from marchtable.planning.goals import places_of, units_of
from marchtable.planning.score import Measure
from marchtable.rules.plan_model import Reason
from marchtable_models.asl.clauses.lines.convoys import convoy_line
from marchtable_models.asl.extraction.cargo import carried_by
from marchtable_models.asl.extraction.lines import lineup

if TYPE_CHECKING:
    from marchtable.rules.plan_model import Control
    from marchtable_models.asl.cpsat.convoy.model import ConvoyModel

__all__ = ["crowded"]

Demand = tuple[frozenset[str], frozenset[str], int]
"""The vehicles, the hexes, and how many of the one must be in the other."""


def crowded(model: ConvoyModel, control: Control) -> tuple[Reason, ...]:
    """
    Return E11.1a, as it is read here, if there are too few hexes for all who must be in them.

    That without it they could be there is not shown: no plan of the space has two in one hex.
    """
    position, line = model.position, model.line
    facts = lineup(position, line[0], line, moves=0, active=1, crowded=True)
    bars = model.rulebook.edition(position).judge(facts).bars
    if not any(bar.clause == convoy_line.id for bar in bars):
        return ()
    demands = _demands(model)
    if _have_room(model, demands, control, apart=True) is not False:
        return ()
    if _have_room(model, demands, control, apart=False) is not True:
        return ()
    named = frozenset().union(*(vehicles for vehicles, _, _ in demands))
    units = tuple(unit.id for unit in line if unit.id in named)
    return (Reason(clause=convoy_line.id, units=units, is_needed=False),)


def _demands(model: ConvoyModel) -> list[Demand]:
    position, goal = model.position, model.goal
    measure, board = Measure(position, goal), position.board
    drives = {
        load.id: unit.id for unit in model.line for load in (unit, *carried_by(position, unit))
    }
    found = []
    for number, aim in enumerate(goal.aims):
        if aim.at and (required := measure.required(number)):
            hexes = frozenset(board[name].hex for name in places_of(aim.at, board))
            vehicles = [drives[name] for name in units_of(aim, position)]
            if len(set(vehicles)) == len(vehicles):  # else who is aboard counts beside his vehicle
                found.append((frozenset(vehicles), hexes, required))
    return found


def _have_room(
    model: ConvoyModel, demands: list[Demand], control: Control, *, apart: bool
) -> bool | None:
    """Tell whether all may be where they must, in hexes apart or not; None at a limit."""
    rows = Rows()
    hexes = sorted(frozenset[str]().union(*(there for _, there, _ in demands)))
    stands = {(unit.id, at): rows.new() for unit in model.line for at in hexes}
    for unit in model.line:
        rows.total([(stands[unit.id, at], 1) for at in hexes], most=1)
    for at in hexes if apart else ():
        rows.total([(stands[unit.id, at], 1) for unit in model.line], most=1)
    for vehicles, there, required in demands:
        rows.total([(stands[v, at], 1) for v in vehicles for at in there], least=required)
    outcome = solve(
        rows.model(), "logic", limit=control.left(), stop=control.stop, seed=control.seed
    )
    control.spend(outcome.time)
    return None if outcome.status is Status.UNKNOWN else outcome.status is not Status.IMPOSSIBLE
