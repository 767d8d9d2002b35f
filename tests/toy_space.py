"""A planning space of the toy game, the shortest example of one: which unit ends where, two to a hex.

What one walker may do is its movement graph, of which networkx says the cheapest ways; how many
may stand in a hex is asked of clause T3, as a relation; CP-SAT chooses.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
from msgspec.structs import replace

from marchtable.cpsat.harness import Status, new_model, solve
from marchtable.planning.goals import movers_of
from marchtable.planning.reasons import Explained, Family
from marchtable.planning.relation import Relation
from marchtable.planning.score import FinalPlace, Measure
from marchtable.reachability.movement import movement_graph
from marchtable.rules.plan_model import PlanSpace, Proposal
from marchtable.rules.rolls import settled
from marchtable.rules.rulebook import find_rulebook
from marchtable_toy import Step, Walk, crowd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.rules.plan_model import Control, Rolls, Task
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Criterion, Goal
    from marchtable.state.position import Position

__all__ = ["Posts"]


class Option(NamedTuple):
    """What a walker may do: where it ends, by which actions, what that adds to each criterion; CP-SAT's literal."""

    unit: str
    at: str
    actions: tuple[Action, ...]
    adds: dict[str, int]
    x: Any


def _facts(count: int) -> Step:
    """Return the facts of a step after which this many walkers are in a hex."""
    return Step("Meadow", road=False, may_walk=True, crowd=count)


class Posts(Explained):
    """The plans of one position and goal."""

    name = "posts"

    def __init__(self, position: Position[Any, Any], goal: Goal, rolls: Rolls) -> None:
        self.position, self.goal, self.rolls = position, goal, rolls
        self.measure, self.movers = Measure(position, goal), movers_of(goal, position)
        self.others = [u for u in position.units if u.id not in self.movers]
        self.model = new_model()
        self.options = [one for name in self.movers for one in self._options(name)]
        for name in self.movers:
            self.model.add_exactly_one(one.x for one in self.options if one.unit == name)
        self._meet_musts()
        self.keep_room()
        stay = [one for one in self.options if not one.adds["moved"]]
        self._chosen: dict[tuple[Action, ...], list[Option]] = {(): stay}  # as `quick` has it

    # -- what each may do: its movement graph, by networkx -----------------------------------------

    def _options(self, name: str) -> Iterator[Option]:
        gone = [replace(self.position.unit(n), at=None) for n in self.movers if n != name]
        graph = movement_graph(self.position.with_units(gone), name, rolls=self.rolls)
        start = graph.graph["start"]
        shut = [node for node in graph if node[0] in self.goal.avoid and node != start]
        able = nx.restricted_view(graph, shut, [])
        found: Any = nx.single_source_dijkstra(able, start, weight="points")
        lengths, paths = found
        for node, path in paths.items():
            steps = [min(graph[a][b].values(), key=_points) for a, b in pairwise(path)]
            value, distance = self.measure.gain(name, FinalPlace(node[0]))
            met = sum(self.goal.threat.get(at, 0) for at, _ in path[1:])
            adds = {"value": value, "distance": distance, "exposure": met,
                    "points": lengths[node], "moved": int(node != start)}  # fmt: skip
            actions = tuple(action for step in steps for action in step["actions"])
            literal = self.model.new_bool_var(f"{name} {node[0]}")
            yield Option(name, node[0], actions, adds, literal)

    # -- what binds them: relations, by the id of the clause ---------------------------------------

    def keep_room(self) -> None:
        """State T3 for every hex that a walker enters; one that begins in an overfull hex can stay."""
        edition = find_rulebook(self.position.rulebook).edition(self.position)
        room = Relation((crowd.id,), _facts, range(1, len(self.position.units) + 1))
        most = max(room.allowed(edition), default=0)
        for place in self.position.board.locations:
            there = sum(unit.at == place.name for unit in self.others)
            ends = [one for one in self.options if one.at == place.name]
            for comes in (one.x for one in ends if one.adds["moved"]):
                total = sum(one.x for one in ends) + there
                self.model.add(total <= most).with_name(crowd.id).only_enforce_if(comes)

    def _meet_musts(self) -> None:
        for aim, _ in enumerate(self.goal.aims):
            holds = self.measure.holds
            met = sum(holds(aim, unit.id, FinalPlace(unit.at)) for unit in self.others)
            met += sum(one.x for one in self.options if holds(aim, one.unit, FinalPlace(one.at)))
            self.model.add(met >= self.measure.required(aim))

    # -- what the planner asks of any space --------------------------------------------------------

    @property
    def space(self) -> PlanSpace:
        """The plans it searches."""
        policy = (
            "Each walker stays, or goes by a cheapest way as if no other moved, one after another "
            "in the order of the scene; nobody leaves the map.",
        )
        return PlanSpace(
            name=self.name, verbs=("walk",), movers=self.movers, policy=policy, rolls=self.rolls
        )

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield staying put."""
        yield ()

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best choice that no cut excludes."""
        model = self.model.clone()
        for name, bound in task.least.items():
            model.add(self._sum(name) >= bound)
        for name, bound in task.most.items():
            model.add(self._sum(name) <= bound)
        model.maximize(sum(weight * self._sum(name) for name, weight in task.weights.items()))
        outcome = solve(model, "knapsack", limit=control.left(), stop=control.stop)
        control.spend(outcome.time)
        if outcome.status is Status.IMPOSSIBLE:
            return Proposal("IMPOSSIBLE", None, None)
        if outcome.status is not Status.OPTIMAL:
            return Proposal("UNKNOWN", None, None)
        chosen = [one for one in self.options if outcome.solver.value(one.x)]
        log = tuple(action for one in chosen for action in one.actions)
        if self.rolls == "pass":
            log = settled(self.position, log) or log
        self._chosen[log] = chosen
        return Proposal("OPTIMAL", log, outcome.objective if task.weights else 0)

    def _sum(self, name: Criterion) -> Any:
        gains = [self.measure.gain(unit.id, FinalPlace(unit.at)) for unit in self.others]
        fixed = {"value": sum(g[0] for g in gains), "distance": sum(g[1] for g in gains)}
        return fixed.get(name, 0) + sum(one.adds[name] * one.x for one in self.options)

    def reject(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Cut off what failed: the choices of the units that had acted, whatever later ones do."""
        step = next(step for step, one in enumerate(verdict.rulings) if not one.is_legal)
        who = next(one.units[0] for one in reversed(log[: step + 1]) if isinstance(one, Walk))
        acted = self.movers[: self.movers.index(who) + 1]
        self.model.add_bool_or(~one.x for one in self._chosen[log] if one.unit in acted)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Require a different choice."""
        self.model.add_bool_or(~one.x for one in self._chosen[log])

    def families(self, control: Control) -> list[Family]:
        """Return the conflict candidates: all clauses."""
        return [Family()]


def _points(step: dict[str, Any]) -> int:
    points: int = step["points"]
    return points
