"""Time plans with several stops beside a plain CP-SAT model: ``python -m benchmarks.stops_peer``."""

from __future__ import annotations

import time
from functools import partial
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import marchtable
from benchmarks.reach import report
from marchtable.cpsat.harness import Status, new_model, solve, weighted
from marchtable.planning.goals import checked_goal
from marchtable.rules.plan_model import Task
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import to_stand
from marchtable_models.asl.cpsat.stops.model import TransportStops
from marchtable_models.asl.cpsat.stops.objective import ObjectiveBound
from marchtable_models.asl.cpsat.stops.simulator import Met, load_of
from marchtable_models.asl.cpsat.stops.upper_bound import UpperBounds
from marchtable_models.asl.rulebook import RULEBOOK
from tests.asl.boards import field, foot, place, vehicle
from tests.asl.stops_cases import TYPES, drawn
from tests.quiet import Quiet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROUNDS, LIMIT = 3, 20.0
STILL = Met()


class Question(NamedTuple):
    """A position, a goal, and its weights."""

    position: Any
    goal: Goal
    task: Task


def questions() -> Iterator[tuple[str, Question]]:
    """Yield random questions like the tests', and some on larger maps."""
    for first, most, across in ((10_000, 2, 2), (20_000, 4, 3), (30_000, 5, 5)):
        for seed in range(first, first + 60):
            case = drawn(seed, most=most, across=across)
            if case is not None:
                task: Any = Task(case.weights, {}, {})  # type: ignore[arg-type]
                yield f"{across} x {across}", Question(case.position, case.goal, task)
    for across, most in ((8, 3), (12, 2)):
        names = [f"{chr(65 + u)}{v}" for u in range(across) for v in range(1, across + 1)]
        board = field({name: {"terrain": "Open Ground"} for name in names})
        for wanted in range(1, most + 1):
            men = [foot(f"u{n}", "half-squad", at="A1", aboard="t0") for n in range(wanted)]
            near = [names[(7 * n + 5) * across % len(names) + n] for n in range(wanted)]
            aims = [Aim(units=(one.id,), near=(at,)) for one, at in zip(men, near, strict=True)]
            position = place(
                board, vehicle("t0", "half", "A1", moving=False), *men, types=TYPES, year=1943
            )
            task = Task({"distance": -100, "points": -1}, {}, {})
            yield f"{across} x {across}", Question(position, Goal(aims=tuple(aims)), task)


class Peer:
    """One vehicle's course as a flow through copies of its movement graph, one for each stop.

    Which units leave at a stop is chosen with its place and the points spent by then. Units do not
    block each other, and none boards.

    Parameters
    ----------
    question
        The question.
    """

    def __init__(self, question: Question) -> None:
        position, goal, task = question
        self.space = TransportStops(RULEBOOK, position, checked_goal(goal, position))
        self.instance = self.space.instance
        self.upper = UpperBounds(self.instance, ObjectiveBound(self.instance, task), {})
        self.price = -task.weights.get("points", 0)
        self.is_apt = self._is_apt()

    def _is_apt(self) -> bool:
        """Return whether the question has only features of this model."""
        instance = self.instance
        if len(instance.vehicles) != 1 or instance.exits is not None or instance.goal.threat:
            return False
        able = (*instance.boarding.boarders.values(), *instance.boarding.riders.values())
        aims = range(len(instance.goal.aims))
        if any(able) or not instance.aboard or any(map(instance.measure.required, aims)):
            return False
        (self.name,) = instance.vehicles
        self.load = load_of(instance.position, self.name)
        carrier = self.load.vehicle
        return not (self.load.rider or carrier.cargo.towing or carrier.motion.moving)

    def prepare(self) -> None:
        """Build the movement graph of the vehicle alone."""
        position = self.instance.position
        gone = [replace(u, at=None, aboard=None) for u in position.units
                if u.id in self.instance.names and u.id != self.name]  # fmt: skip
        graph = marchtable.movement_graph(position.with_units(gone), self.name, rolls="avoid")
        shut = {node for node in graph if node[0] is None or node[0] in self.instance.goal.avoid}
        self.start = graph.graph["start"]
        self.most = max(data["spent"] + data["left"] for _, data in graph.nodes(data=True))
        self.nodes = [node for node in graph if node not in shut]
        self.edges = [(a, b, data["points"]) for a, b, data in graph.edges(data=True)
                      if not {a, b} & shut and not data["rolls"]]  # fmt: skip
        self.cheapest = {node: graph.nodes[node]["spent"] for node in self.nodes}

    def solve(self) -> int | None:
        """Return the most any plan is worth by its account, or None if unproved."""
        self.model = new_model()
        self.terms: list[tuple[Any, int]] = []
        upper, instance = self.upper, self.instance
        seats, board = self.load.seats, instance.position.board
        layers = range(len(seats) + 1)
        stands = [node for node in self.nodes if to_stand(node[1])]
        flows = {
            (k, n): self.model.new_bool_var("") for k in layers for n in range(len(self.edges))
        }
        leaves = {(k, node): self.model.new_bool_var("") for k in layers[:-1] for node in stands}
        ends = {(k, node): self.model.new_bool_var("") for k in layers for node in stands}
        self._conserve(flows, leaves, ends)
        self.model.add_exactly_one(ends.values())
        home = instance.position.unit(self.name)
        spent: Any = home.points.spent
        gone: dict[str, list[Any]] = {seat.unit.id: [] for seat in seats}
        for k in layers:
            spent = spent + weighted([(flows[k, n], e[2]) for n, e in enumerate(self.edges)])
            self.model.add(spent <= self.most)
            if k < len(seats):
                spent = spent + self._stop(k, spent, leaves, gone)
        self.terms.append((spent - home.points.spent, -self.price))
        for at in {node[0] for node in stands}:
            here = self.model.new_bool_var("")
            self.model.add(sum(x for (_, node), x in ends.items() if node[0] == at) == here)
            rows: Any = Rows(board.index[str(at)], home.points.spent)
            self.terms.append((here, int(upper.rows(self.load.vehicle, rows, STILL)[0][0])))
            for seat in seats:
                stays = self.model.new_bool_var("")
                self.model.add(here + 1 - sum(gone[seat.unit.id]) - 1 <= stays)
                self.model.add(2 * stays <= here + 1 - sum(gone[seat.unit.id]))
                found = upper.rows(
                    seat.unit, rows, STILL, carried=True, spent=seat.unit.points.spent
                )
                self.terms.append((stays, int(found[0][0])))
        for left in gone.values():
            self.model.add_at_most_one(left)
        fixed = sum(int(upper.objective.still(name)[0]) for name in instance.idle)
        for name in instance.foot:
            unit = instance.position.unit(name)
            fixed += int(upper.afoot(unit, instance.walks[name], STILL)[0])
        self.model.maximize(sum(x * w for x, w in self.terms))
        outcome = solve(self.model, "knapsack", limit=LIMIT)
        if outcome.status is not Status.OPTIMAL or outcome.objective is None:
            return None
        return outcome.objective + fixed

    def _conserve(self, flows: Any, leaves: Any, ends: Any) -> None:
        out: dict[Any, list[Any]] = {}
        into: dict[Any, list[Any]] = {(0, self.start): [1]}
        for (k, n), x in flows.items():
            out.setdefault((k, self.edges[n][0]), []).append(x)
            into.setdefault((k, self.edges[n][1]), []).append(x)
        for (k, node), x in leaves.items():
            out.setdefault((k, node), []).append(x)
            into.setdefault((k + 1, node), []).append(x)
        for key, x in ends.items():
            out.setdefault(key, []).append(x)
        for key in {*out, *into}:
            self.model.add(sum(out.get(key, ())) == sum(into.get(key, ())))

    def _stop(self, k: int, spent: Any, leaves: Any, gone: dict[str, list[Any]]) -> Any:
        """Let some units leave at a stop; return the cost for the vehicle."""
        by: dict[str, list[Any]] = {}
        for (layer, node), x in leaves.items():
            if layer == k:
                by.setdefault(node[0], []).append((node, x))
        costs = []
        for at, every in by.items():
            here = self.model.new_bool_var("")
            self.model.add(sum(x for _, x in every) == here)
            index = self.instance.position.board.index[at]
            some: list[Any] = []
            for seat in self.load.seats:
                points = range(min(self.cheapest[node] for node, _ in every), self.most + 1)
                for outcome, spans in groupby(points, partial(self._left, seat, at, index)):
                    if outcome is None:
                        continue
                    within, z = list(spans), self.model.new_bool_var("")
                    self.model.add_implication(z, here)
                    self.model.add(spent >= within[0]).only_enforce_if(z)
                    self.model.add(spent <= within[-1]).only_enforce_if(z)
                    gone[seat.unit.id].append(z)
                    some.append(z)
                    costs.append((z, outcome[0]))
                    self.terms.append((z, outcome[1]))
            self.model.add_bool_or([here.negated(), *some])
        paid = self.model.new_int_var(0, self.most, "")
        for z, cost in costs:
            self.model.add(paid >= cost).only_enforce_if(z)
        return paid

    def _left(self, seat: Any, at: str, index: int, spent: int) -> tuple[int, int] | None:
        """Return the vehicle's cost and the value of one unit's leaving, or None if it cannot."""
        left = self.instance.tables.unloaded(
            seat.unit, self.instance.stopped(self.load, spent, at), ""
        )
        if left is None:
            return None
        met = Met(0, at != self.load.vehicle.at)
        return left.spent - spent, int(self.upper.after(left, index, met)[0])


class Rows:
    """One place, as :class:`UpperBounds` has them."""

    def __init__(self, at: int, spent: int) -> None:
        import numpy as np

        self.at, self.spent = np.array([at]), np.array([spent])

    def __len__(self) -> int:
        return 1


def taken(run: Callable[[], Any]) -> tuple[float, Any]:
    """Return a call's processor milliseconds, and its result."""
    before = time.process_time()
    found = run()
    return (time.process_time() - before) * 1e3, found


def main() -> None:
    """Measure, print and write the report."""
    rows = []
    for what, group in groupby(questions(), lambda one: one[0]):
        result: list[tuple[float, float, float, float]] = []
        unproved = 0
        for _, question in group:
            peer = Peer(question)
            if not peer.is_apt:
                continue
            graph, _ = taken(peer.prepare)
            theirs, worth = min((taken(peer.solve) for _ in range(ROUNDS)), key=lambda t: t[0])
            cold, found = taken(partial(search, question))
            warm = min(taken(partial(search, question))[0] for _ in range(ROUNDS))
            assert worth in (None, found), (what, worth, found)
            unproved += worth is None
            result.append((warm, cold, theirs, graph))
            print(what, *map(round, result[-1]), worth, found, flush=True)
        warm, cold, theirs, graph = (median(column) for column in zip(*result, strict=True))
        ratio = f"{median(one[2] / one[0] for one in result):.0f}"
        against = f"{theirs:.0f} ms, and {graph:.0f} for the graph; {unproved} not proved"
        rows.append(
            (
                f"{what}: {len(result)} questions",
                f"{warm:.0f} ms ({cold:.0f} cold)",
                against,
                ratio,
                "",
            )
        )
    notes = [
        "Courses of one vehicle whose passengers leave it at one stop after another, nobody in "
        "anybody's way; medians, processor time on a shared machine, the least of "
        f"{ROUNDS} runs. The model is a flow through copies of the movement graph, one for each "
        f"stop, its making and CP-SAT's run counted; not proved is what took {LIMIT:g} of its "
        "deterministic time. Where it proved anything the answers are equal.",
    ]
    report("plan-stops", "Several stops planned", notes, rows)


def search(question: Question) -> int | None:
    """Return the result of the search."""
    position, goal, task = question
    space = TransportStops(RULEBOOK, position, checked_goal(goal, position))
    return space.best(task, Quiet()).bound


if __name__ == "__main__":
    main()
