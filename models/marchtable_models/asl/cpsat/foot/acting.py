"""Who acts when in a plan, and what the referee says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import work
from marchtable_models.asl.cpsat.foot.options import ALONE, STAYS
from marchtable_models.asl.cpsat.ruled import is_granted
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.foot.options import Options
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.travel import AslTravel

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Group", "groups_of", "steps", "together", "tried"]

replace = msgspec.structs.replace

STEP = 0.0005  # deterministic time that a ruling counts for


class Group(NamedTuple):
    """
    Who moves in one go.

    Parameters
    ----------
    first
        The options of the unit that moves alone, or of the leader.
    row
        What that does.
    others
        The units that he leads, as told.
    """

    first: Options
    row: int
    others: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (self.first.unit.id, *self.others)

    def actions(self) -> list[Action]:
        """Return what they do."""
        return steps(self.first, self.row, self.others)


def groups_of(options_of: Mapping[str, Options], plan: Mapping[str, int]) -> list[Group]:
    """Return who moves in a plan, in the order in which they act."""
    numbers = list(options_of)
    led: dict[str, list[str]] = {}
    for name, row in plan.items():
        leader = int(options_of[name].leader[row])
        if leader != ALONE:
            led.setdefault(numbers[leader], []).append(name)
    found = [
        Group(options_of[name], row, tuple(led.get(name, ())))
        for name, row in plan.items()
        if row != STAYS and options_of[name].leader[row] == ALONE
    ]
    return sorted(found, key=lambda group: int(group.first.turn[group.row]))


def steps(first: Options, row: int, others: Sequence[str] = ()) -> list[Action]:
    """Return the actions of a unit's way, others moving along with it."""
    space, name = first.places.space, first.unit.id
    path = first.places.found.path(int(first.way[row]))
    found: list[Action] = []
    for action in first.places.way_on(path, name):
        found += together([action], name, others)
    for state, arc in path:
        if arc >= 0:
            found += together(space.actions_on(arc, state, name), name, others)
    if first.is_off(row):
        found.append(Exit((name, *others)))
    return found


def together(actions: Iterable[Any], name: str, others: Sequence[str]) -> list[Action]:
    """Return what a stack does where its first unit would do this alone."""
    found: list[Action] = []
    for action in actions:
        if hasattr(action, "units"):
            found.append(replace(action, units=(name, *others)))
        else:
            found += [action, *(replace(action, unit=other) for other in others)]
    return found


def tried(rulebook: AslTravel, here: AslPosition, actions: Sequence[Action]) -> list[Ruling]:
    """Return rulings on actions one after another, up to the first that is refused."""
    found = []
    for action in actions:
        work(STEP)
        ruling = rulebook.rule(here, action)
        found.append(ruling)
        if not is_granted(ruling):
            break
        here = ruling.after
    return found
