"""Plans on foot by brute force: every plan of the declared space, judged step by step.

``legal_actions`` alone searches how far each unit gets; the model's ways must be no worse. From the
model only these ways are taken, as actions. Acting them out gives who goes first, where each ends
and what that is worth. A group's result is computed once for all plans with the same other units on
its way.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.score import Measure
from marchtable.state.records import replace
from tests.asl.foot_freely import final_place, home_of, left_by, off
from tests.asl.foot_ways import Group, listed_of, played

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marchtable_models.asl.cpsat.foot.model import Foot
    from tests.asl.foot_ways import Listed

__all__ = ["ByForce"]


class End(NamedTuple):
    """A plan's result: where each unit ends, what it has spent, and what its way alone costs."""

    score: tuple[int, ...]
    projection: tuple[tuple[str, str, int], ...]
    ways: tuple[tuple[str, str, int], ...]


# -- all plans -------------------------------------------------------------------------------------


class ByForce:
    """All plans of a model's space, each acted out.

    Parameters
    ----------
    model
        Whose ways they go; nothing else of it is used.
    """

    def __init__(self, model: Foot) -> None:
        self.model, self.options_of = model, listed_of(model)
        self.measure = Measure(model.position, model.goal)
        self.empty = off(model.position, [*self.options_of])
        self._done: dict[Any, Any] = {}

    def size(self) -> int:
        """Return the largest possible number of plans."""
        found = 1
        for options in self.options_of.values():
            found *= len(options)
        return found

    def ends(self) -> set[End]:
        """Return the results of all legal plans that meet the musts, in any order of moves."""
        rows = [range(len(options)) for options in self.options_of.values()]
        found: set[End] = set()
        for result in product(*rows):
            plan = dict(zip(self.options_of, result, strict=True))
            if self._is_joined(plan):
                for order in self._orders(self._groups(plan)):
                    end = self._end(plan, order)
                    found |= set() if end is None else {end}
        return found

    def best(self, weights: Mapping[str, int], criteria: tuple[str, ...]) -> int | None:
        """Return the largest weighted sum, or None if no plan meets the musts."""
        return max(
            (sum(weights.get(c, 0) * n for c, n in zip(criteria, end.score, strict=True))
             for end in self.ends()),
            default=None,
        )  # fmt: skip

    def _is_joined(self, plan: dict[str, int]) -> bool:
        """Return whether all units led by a leader go where the leader goes."""
        leaders = (self.options_of[name][row].leader for name, row in plan.items())
        return all(leader is None or plan[leader[0]] == leader[1] for leader in leaders)

    def _groups(self, plan: dict[str, int]) -> list[Group]:
        """Return the units that move in a plan, and their companions."""
        found: dict[str, Listed] = {name: self.options_of[name][row] for name, row in plan.items()}
        led: dict[str, list[str]] = {}
        for name, one in found.items():
            if one.leader is not None:
                led.setdefault(one.leader[0], []).append(name)
        return [
            Group(name, plan[name], one, tuple(led.get(name, ())))
            for name, one in found.items()
            if plan[name] and one.leader is None
        ]

    def _orders(self, groups: list[Group]) -> Iterator[Sequence[Group]]:
        """Yield every order that matters: order matters only if a unit goes where another begins or ends."""
        position = self.model.position
        stands = {g.unit: {str(position.unit(g.unit).at), g.does.at} for g in groups}
        meet = any(stands[g.unit] & self._way(o) for g in groups for o in groups if g is not o)
        yield from permutations(groups) if meet else [groups]

    def _end(self, plan: dict[str, int], order: Sequence[Group]) -> End | None:
        at = {unit.id: home_of(unit) for unit in self.model.position.units}
        spent = dict.fromkeys(self.options_of, 0)
        exposure = 0
        for group in order:
            done = self._acted(group, at)
            if done is None:
                return None
            for name, (points, entered) in done.items():
                spent[name] = points
                exposure += sum(self.model.goal.threat.get(place, 0) for place in entered)
                at[name] = entered[-1]
        return self._measured(plan, at, spent, exposure)

    def _acted(self, group: Group, at: dict[str, str]) -> Any:
        """Return what each of a group spends and enters, or None if it is rejected or rolls are due."""
        way = self._way(group)
        others = [n for n in self.options_of if n not in group.names]
        key = (group.names, group.row, tuple((n, at[n]) for n in others if at[n] in way))
        if key not in self._done:
            here = self.model.position.with_units([self._other(n, at[n]) for n in others])
            self._done[key] = played(here, group)
        return self._done[key]

    def _other(self, name: str, at: str) -> Any:
        """Return a unit that others meet, in its place at that time."""
        unit = self.model.position.unit(name)
        if at == home_of(unit):
            return unit
        return replace(unit, at=None if left_by(at) else at, entering=(), mph="done")

    def _way(self, group: Group) -> set[str]:
        key = (group.unit, group.row)
        if key not in self._done:
            self._done[key] = {
                place for action in group.actions() if (place := getattr(action, "to", None))
            } | {str(self.model.position.unit(group.unit).at)}
        way: set[str] = self._done[key]
        return way

    def _measured(
        self, plan: dict[str, int], at: dict[str, str], spent: dict[str, int], exposure: int
    ) -> End | None:
        measure = self.measure
        stands = {u.id: final_place(at[u.id], carried=u.cargo.aboard is not None)
                  for u in self.model.position.units}  # fmt: skip
        for number in range(len(self.model.goal.aims)):
            met = sum(measure.holds(number, name, stand) for name, stand in stands.items())
            if met < measure.required(number):
                return None
        gains = [measure.gain(name, stand) for name, stand in stands.items()]
        moved = sum(row > 0 for row in plan.values())
        score = (sum(v for v, _ in gains), sum(d for _, d in gains), exposure,
                 sum(spent.values()), moved)  # fmt: skip
        alone = {name: self.options_of[name][row].points for name, row in plan.items()}
        return End(
            score,
            tuple((name, at[name], spent[name]) for name in measure.movers),
            tuple((name, at[name], points) for name, points in alone.items()),
        )
