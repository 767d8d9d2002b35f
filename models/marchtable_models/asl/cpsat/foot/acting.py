"""Who acts together in a plan, and what the referee says of it, while others stand where they are put."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import work
from marchtable_models.asl.cpsat.foot.options import ALONE, STAYS
from marchtable_models.asl.cpsat.ruled import is_granted, unmodelled
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.options import Options
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.travel import AslTravel

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Acting", "Group", "groups_of", "steps", "together", "tried"]

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
        The units that he leads, as given.
    """

    first: Options
    row: int
    others: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """Who acts first."""
        return self.first.unit.id

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (self.unit, *self.others)

    @property
    def home(self) -> str | None:
        """The Location where it begins."""
        return self.first.unit.at

    @property
    def way(self) -> tuple[str, ...]:
        """The Locations that it comes into."""
        return tuple(self.first.found.entered(int(self.first.way[self.row])))

    def actions(self) -> list[Action]:
        """Return what they do."""
        return steps(self.first, self.row, self.others)


def groups_of(options_of: Mapping[str, Options], plan: Mapping[str, int]) -> list[Group]:
    """Return who moves in a plan, first those who leave the map, then who has least to spare."""
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
    return sorted(found, key=lambda g: (not g.first.is_off(g.row), g.first.left[g.row], g.unit))


def steps(first: Options, row: int, others: Sequence[str] = ()) -> list[Action]:
    """Return the actions of a unit's way, others moving along with it."""
    name = first.unit.id
    found = together(first.found.way(int(first.way[row]), name), name, others)
    return [*found, Exit((name, *others))] if first.is_off(row) else found


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


class Acting:
    """
    Where groups act; nothing is asked twice.

    Parameters
    ----------
    company
        Who takes part.

    Attributes
    ----------
    left_out
        Clauses that are not modelled and alone stood against something that was asked.
    """

    def __init__(self, company: Company) -> None:
        self.company = company
        self.left_out: set[str] = set()
        self._known: dict[Hashable, tuple[int, ...] | None] = {}

    def spent(self, group: Group, others: Mapping[str, str]) -> tuple[int, ...] | None:
        """Return what each of a group spends while others stand in given Locations; None if it is refused."""
        company, way = self.company, group.way
        about = {n: at for n, at in others.items() if at in way}
        looks = Counter((company.sorts[n], at) for n, at in about.items())
        led = tuple(company.kinds[name] for name in group.others)
        who = company.kinds[group.unit], group.first.unit.at, group.row, led
        key = (*who, frozenset(looks.items()))
        if key not in self._known:
            self._known[key] = self._asked(group, about)
        return self._known[key]

    def _asked(self, group: Group, about: Mapping[str, str]) -> tuple[int, ...] | None:
        company = self.company
        start = [company.units[name] for name in group.names]
        others = [company.stood(name, at) for name, at in about.items()]
        here = company.empty.with_units([*start, *others])
        last = tried(company.rulebook, here, group.actions())[-1]
        if not is_granted(last):
            self.left_out |= unmodelled(last)
            return None
        return tuple(last.after.unit(u.id).points.spent - u.points.spent for u in start)
