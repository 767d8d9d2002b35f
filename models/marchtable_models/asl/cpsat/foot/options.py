"""Each unit's options on foot in a plan: one row per end, alone or with a leader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from marchtable.planning.dominance import compared, front
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.reached.paths import AMPLE
from marchtable_models.asl.verbs import Exit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from marchtable.planning.searches import Found
    from marchtable.rules.plan_model import Task
    from marchtable.state.action import Action
    from marchtable_models.asl.model import AslUnit

    Flags = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

__all__ = [
    "ALONE",
    "EXPOSURE",
    "POINTS",
    "STAYS",
    "FootOptions",
    "MovingGroup",
    "Walk",
    "groups_of",
    "is_minimum",
    "steps",
    "together",
    "undominated",
]  # fmt: skip

replace = msgspec.structs.replace

STAYS = 0
"""The row of staying in place."""
ALONE = -1
"""In place of a leader's number and row: none."""
POINTS, EXPOSURE = CRITERIA.index("points"), CRITERIA.index("exposure")
LOW = -(2**62)


def is_minimum(mode: Any) -> bool:
    """Return whether a mode results from a Minimum Move."""
    return bool(mode.final == "minimum")


class Walk(NamedTuple):
    """
    A row of a unit's options, for the choice model.

    Parameters
    ----------
    unit, row
        The unit, and the row.
    at
        The number of the end.
    points, exposure, remaining
        Its expenditure in half points and its exposure, if nobody is in its way; and its remainder.
    leader
        The leader it moves with, by place among the movers; ``ALONE`` for none.
    """

    unit: str
    row: int
    at: int
    points: int
    exposure: int
    remaining: int
    leader: int

    @property
    def units(self) -> tuple[str, ...]:
        """All units it decides for."""
        return (self.unit,)

    @property
    def acts(self) -> int:
        """Whether it moves."""
        return int(self.row != STAYS)


@dataclass(frozen=True, eq=False)
class FootOptions:
    """
    All options of a unit; the first row is to stay.

    Parameters
    ----------
    unit, number
        The unit, and its place among the movers as given.
    found
        The result of its own search.
    way
        For each row, the number of its end node among those reached; with a leader, in the leader's
        search.
    at
        The number of the end: a Location, or having left the map (see :mod:`~.reached.ends`).
    score
        Its addition to each criterion, and for each aim with a must whether it is met.
    remaining
        Half points that can remain there.
    leader, led
        The leader it moves with, by place among the movers, and the leader's row; both ``ALONE``
        for a unit by itself.
    """

    unit: AslUnit
    number: int
    found: Found
    way: Ints
    at: Ints
    score: Ints
    remaining: Ints
    leader: Ints
    led: Ints

    def __len__(self) -> int:
        return len(self.at)

    @property
    def home(self) -> int:
        """The number of the Location where the unit starts."""
        return int(self.at[STAYS])

    def is_off(self, row: int) -> bool:
        """Return whether the unit leaves the map by a row."""
        return int(self.at[row]) >= len(self.found.board)

    def walk(self, row: int) -> Walk:
        """Return a row for the choice model."""
        arrays = (
            self.at,
            self.score[:, POINTS],
            self.score[:, EXPOSURE],
            self.remaining,
            self.leader,
        )
        return Walk(self.unit.id, row, *(int(one[row]) for one in arrays))


# -- groups --------------------------------------------------------------------------------------


class MovingGroup(NamedTuple):
    """
    Units that move together.

    Parameters
    ----------
    first
        The options of the single unit, or of the leader.
    row
        Its row.
    others
        The units it leads, as given.
    """

    first: FootOptions
    row: int
    others: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """The unit that acts first."""
        return self.first.unit.id

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (self.unit, *self.others)

    @property
    def home(self) -> str | None:
        """The Location where it starts."""
        return self.first.unit.at

    @property
    def way(self) -> tuple[str, ...]:
        """The Locations it enters."""
        return tuple(self.first.found.entered(int(self.first.way[self.row])))

    def actions(self) -> list[Action]:
        """Return their actions."""
        return steps(self.first, self.row, self.others)


def groups_of(options_of: Mapping[str, FootOptions], plan: Mapping[str, int]) -> list[MovingGroup]:
    """Return the moving groups of a plan: first those that leave the map, then those with least to spare."""
    numbers = list(options_of)
    led: dict[str, list[str]] = {}
    for name, row in plan.items():
        leader = int(options_of[name].leader[row])
        if leader != ALONE:
            led.setdefault(numbers[leader], []).append(name)
    found = [
        MovingGroup(options_of[name], row, tuple(led.get(name, ())))
        for name, row in plan.items()
        if row != STAYS and options_of[name].leader[row] == ALONE
    ]
    return sorted(
        found, key=lambda g: (not g.first.is_off(g.row), g.first.remaining[g.row], g.unit)
    )


def steps(first: FootOptions, row: int, others: Sequence[str] = ()) -> list[Action]:
    """Return the actions of a unit's way, with others moving along."""
    name = first.unit.id
    found = together(first.found.way(int(first.way[row]), name), name, others)
    return [*found, Exit((name, *others))] if first.is_off(row) else found


def together(actions: Iterable[Any], name: str, others: Sequence[str]) -> list[Action]:
    """Return a stack's actions, given its first unit's actions alone."""
    found: list[Action] = []
    for action in actions:
        if hasattr(action, "units"):
            found.append(replace(action, units=(name, *others)))
        else:
            found += [action, *(replace(action, unit=other) for other in others)]
    return found


# -- dominance -----------------------------------------------------------------------------------


def undominated(
    options: Mapping[str, FootOptions], touched: Mapping[str, Flags], task: Task
) -> dict[str, Flags]:
    """
    Return the rows of each unit's options that a best plan might need.

    A row is left out for another of the same unit that is as good by every number of the task,
    needs no leader and has no part in a cut; a leader's row that others can join, with their
    joining it, for one that they all can join and to which the same applies.

    Parameters
    ----------
    options, touched
        Each unit's options, and the rows involved in a cut.
    """
    scores = {name: one.score for name, one in options.items()}
    rows = {name: compared(score, task) for name, score in scores.items()}
    if not {"points"} & {*task.weights, *task.most}:  # of equals the choice has the fewest
        for name, numbers in rows.items():
            numbers[:, 0] = numbers[:, 0] * AMPLE - scores[name][:, POINTS]
    wanted: dict[str, Flags] = {}
    for name, one in options.items():
        wanted[name] = np.zeros(len(one), bool)
        wanted[name][front(rows[name], touched[name] | (one.leader != ALONE))] = True
    names = [*options]
    leaders = {int(n) for one in options.values() for n in np.unique(one.leader) if n != ALONE}
    for leader in (options[names[number]] for number in leaders):
        _sift_led(options, leader, rows, touched, wanted)
    return wanted


def _sift_led(
    options: Mapping[str, FootOptions], leader: FootOptions, rows: Mapping[str, Ints],
    touched: Mapping[str, Flags], wanted: dict[str, Flags],
) -> None:  # fmt: skip
    """Leave out a leader's rows, with those joining them, for rows as good for all that can join."""
    name = leader.unit.id
    numbers, blocked, joined = [rows[name]], touched[name].copy(), np.zeros(len(leader), bool)
    for other, one in options.items():
        mine = np.flatnonzero(one.leader == leader.number)
        rows_joined, wants = one.led[mine], wanted[other][mine]
        theirs = np.full((len(leader), rows[other].shape[1]), LOW)
        theirs[rows_joined[wants]] = rows[other][mine[wants]]
        blocked[rows_joined] |= touched[other][mine]
        joined[rows_joined[wants]] = True
        numbers += [theirs] if len(mine) else []
    some = np.flatnonzero(joined)
    joined[:] = False
    joined[some[front(np.concatenate(numbers, axis=1)[some], blocked[some])]] = True
    for other, one in options.items():
        mine = np.flatnonzero(one.leader == leader.number)
        wanted[other][mine[~joined[one.led[mine]]]] = False
    wanted[name] |= joined
