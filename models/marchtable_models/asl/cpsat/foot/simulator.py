"""Simulates groups of a plan, its other units standing where it is told; nothing is asked twice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from marchtable.state.records import replace
from marchtable_models.asl.cpsat.foot.acting import tried
from marchtable_models.asl.cpsat.reached.ends import WAITING
from marchtable_models.asl.cpsat.ruled import charged, is_granted

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from marchtable.rules.ruling import Ruling
    from marchtable_models.asl.cpsat.foot.acting import Group
    from marchtable_models.asl.cpsat.foot.company import Company

__all__ = ["Outcome", "Simulator"]


class Outcome(NamedTuple):
    """
    What becomes of a group.

    Parameters
    ----------
    spent
        By the order of the group's names, the half points that each spends; None if it is refused.
    actors
        The numbers of those for whom it is.
    clauses
        The clauses that are broken, or not modelled.
    left_out
        Those not modelled, if it is for these alone that it is refused.
    charged
        For each, what the clauses charge.
    """

    spent: tuple[int, ...] | None
    actors: tuple[int, ...]
    clauses: tuple[str, ...]
    left_out: tuple[str, ...]
    charged: tuple[Counter[str], ...]


class Simulator:
    """
    Where groups act.

    Parameters
    ----------
    company
        The problem.
    """

    def __init__(self, company: Company) -> None:
        self.company = company
        self._known: dict[Hashable, Outcome] = {}
        self._rulings: dict[Hashable, list[Ruling]] = {}
        self._ways: dict[Hashable, frozenset[str]] = {}

    def play(self, group: Group, others: Mapping[str, str]) -> Outcome:
        """Return what becomes of a group while others stand where it is told; what matters is on its way."""
        company, unit = self.company, group.first.unit
        first = (company.kinds[unit.id], unit.at, group.first.last(group.row))
        about = {n: at for n, at in others.items() if at in self._way(first, group)}
        looks = Counter((company.looks[n], at) for n, at in about.items())
        led = tuple(company.kinds[name] for name in group.others)
        key = (first, led, frozenset(looks.items()))
        if key not in self._known:
            self._known[key] = self._played(group, about)
        return self._known[key]

    def way(self, group: Group) -> frozenset[str]:
        """Return the Locations that a group comes into."""
        unit = group.first.unit
        return self._way((self.company.kinds[unit.id], unit.at, group.first.last(group.row)), group)

    def _way(self, first: Hashable, group: Group) -> frozenset[str]:
        """Return the Locations that a group comes into."""
        if first not in self._ways:
            space, found = group.first.places.space, group.first.places.found
            states = [state for state, _ in found.path(int(group.first.way[group.row]))]
            entered = states if group.first.home == WAITING else states[1:]
            names = space.board.locations
            self._ways[first] = frozenset(names[s // space.width].name for s in entered)
        return self._ways[first]

    def _clean(self, group: Group) -> list[Ruling]:
        """Return the rulings where nobody else of the plan is about."""
        key = (group.names, group.first.last(group.row))
        if key not in self._rulings:
            company = self.company
            here = company.empty.with_units([company.position.unit(name) for name in group.names])
            self._rulings[key] = tried(company.rulebook, here, group.actions())
        return self._rulings[key]

    def _played(self, group: Group, about: Mapping[str, str]) -> Outcome:
        company = self.company
        start = [company.position.unit(name) for name in group.names]
        standing = [
            unit if unit.at == at else replace(unit, at=at, mph="done", entering=())
            for unit, at in ((company.units[name], at) for name, at in about.items())
        ]
        rulings = self._clean(group)
        first = next((n for n, one in enumerate(rulings)
                      if getattr(one.action, "to", None) in about.values()), None)  # fmt: skip
        if first is not None:
            here = rulings[first - 1].after if first else company.empty.with_units(start)
            actions = group.actions()[first:]
            rulings = rulings[:first] + tried(company.rulebook, here.with_units(standing), actions)
        last = rulings[-1]
        paid = tuple(charged(rulings, name) for name in group.names)
        if is_granted(last):
            spent = tuple(sum(counter.values()) for counter in paid)
            return Outcome(spent, (), (), (), paid)
        broken = (*last.violations, *last.unsupported)
        names = [group.names.index(n) for v in broken for n in v.units if n in group.names]
        left_out = () if last.violations else tuple(v.clause for v in last.unsupported)
        clauses = tuple(dict.fromkeys(v.clause for v in broken))
        actors = tuple(dict.fromkeys(names)) or tuple(range(len(group.names)))
        return Outcome(None, actors, clauses, left_out, paid)
