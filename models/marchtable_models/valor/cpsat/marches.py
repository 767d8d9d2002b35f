"""The planning space of Valor & Victory: each unit takes one option, hexes stay within their limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.budget import look
from marchtable.cpsat.harness import Status, new_model, solve
from marchtable.planning.reasons import Family, Question, clauses_against
from marchtable.planning.relation import Relation
from marchtable.planning.score import Measure, Stand
from marchtable.rules.plan_model import PlanSpace, Proposal
from marchtable.rules.rolls import settled
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.valor.clauses import movement, rally, transport, works
from marchtable_models.valor.cpsat.options import Options
from marchtable_models.valor.data import works as kinds_of_works
from marchtable_models.valor.extraction import reading
from marchtable_models.valor.extraction.moves import there
from marchtable_models.valor.facts.losses import Stacked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.plan_model import Control, Reason, Rolls, Task, Unsettled
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Criterion, Goal
    from marchtable_models.valor.cpsat.options import Option
    from marchtable_models.valor.extraction.reading import ValorPosition

__all__ = ["Marches"]

ROOM = (transport.stacking.id, works.occupants.id, works.bunkers.id)
CANDIDATES = (
    movement.own_phase.id, rally.pinned_acts_not.id, movement.one_after_another.id, movement.pay.id,
    movement.enemies.id, movement.printed_mp.id, movement.direction.id, movement.steep_way.id,
    "V10.11", "V10.12", "V10.31", works.wire.id, *ROOM, transport.loading_time.id,
    transport.who_boards.id, transport.capacity.id,
)  # fmt: skip
"""Clauses that are blamed first."""
ALL_OF_THEM = ("infantry", "heavies", "guns")
PARTS = {"infantry": ("infantry",), "gun": ("heavies", "guns")}


class _End(NamedTuple):
    """That a unit of a kind ends somewhere on its own if x holds, and whether it was not there before."""

    x: Any
    name: str
    kind: str
    comes: bool


class Marches:
    """The plans of one position and goal."""

    name = "marches"
    unsettled: Unsettled = "others"

    def __init__(self, position: ValorPosition, goal: Goal, rolls: Rolls) -> None:
        self.position, self.goal, self.rolls = position, goal, rolls
        self.book, self.measure = find_rulebook(position.rulebook), Measure(position, goal)
        self.model: Any = None
        self.left_out: tuple[str, ...] = ()

    def _built(self) -> Any:
        """Return the model, made when it is first asked for."""
        if self.model is not None:
            return self.model
        told = Options(self.book, self.position, self.goal, self.rolls, self.measure)
        self.options = list(told.all_of_them())
        self.left_out = tuple(sorted(told.left_out))
        self.model = new_model()
        self.chosen = [self.model.new_bool_var(f"option {n}") for n in range(len(self.options))]
        self._known: dict[tuple[Action, ...], tuple[int, ...]] = {}
        movers = self.measure.movers
        self.others = [u for u in self.position.units if u.id not in movers]
        for name in movers:
            self.model.add_exactly_one(x for one, x in self._pairs() if name in one.stands)
        self._meet_musts()
        self._keep_room()
        return self.model

    def _pairs(self) -> Iterator[tuple[Option, Any]]:
        return zip(self.options, self.chosen, strict=True)

    def _stand(self, unit: Any) -> Stand:
        return Stand(unit.at, carried=unit.aboard is not None)

    def _meet_musts(self) -> None:
        holds = self.measure.holds
        for aim, _ in enumerate(self.goal.aims):
            met: Any = sum(holds(aim, unit.id, self._stand(unit)) for unit in self.others)
            for one, x in self._pairs():
                met += x * sum(holds(aim, name, stand) for name, stand in one.stands.items())
            self.model.add(met >= self.measure.required(aim))

    # -- hexes within their limits, as the clauses on stacking say ---------------------------------

    def _keep_room(self) -> None:
        """State of every hex that somebody comes to what may stand there; as they were, they may stay."""
        edition = self.book.edition(self.position)
        ends: dict[tuple[str, str], list[_End]] = {}
        for one, x in self._pairs():
            for name, stand in one.stands.items():
                if stand.at is None or stand.carried:
                    continue
                unit = self.position.unit(name)
                comes = stand.at != unit.at or unit.aboard is not None
                kind = reading.kind_of(self.position, unit)
                ends.setdefault((unit.side, stand.at), []).append(_End(x, name, kind, comes))
        for (side, at), those in ends.items():
            if any(end.comes for end in those):
                self._limit(edition, side, at, those)

    def _limit(self, edition: Any, side: str, at: str, those: Sequence[_End]) -> None:
        standing = there(self.position, side, at, self.measure.movers)
        totals: dict[str, Any] = {
            "infantry": standing.infantry,
            "heavies": standing.vehicles + standing.guns,
            "guns": standing.guns,
        }
        most = dict(totals)
        for name, kind in sorted({(end.name, end.kind) for end in those}):
            x = sum(end.x for end in those if end.name == name)
            for part in PARTS.get(kind, ("heavies",)):
                totals[part] = totals[part] + x
                most[part] += 1
        kept = tuple(sorted({m for m in standing.markers if m in kinds_of_works()}))
        room = Relation(
            ROOM, lambda n: Stacked(n[0], n[1], ends=True, guns=n[2], works=kept),
            [(i, h, g) for i in range(most["infantry"] + 1) for h in range(most["heavies"] + 1)
             for g in range(min(h, most["guns"]) + 1)],
        )  # fmt: skip
        allowed = sorted(room.allowed(edition))
        if len(allowed) == len(room.scope):
            return
        some = [self.model.new_bool_var(f"{at} {n}") for n in allowed]
        full = self.model.new_bool_var(f"somebody comes to {at}")
        self.model.add(sum(some) == 1).only_enforce_if(full)
        for place, part in enumerate(ALL_OF_THEM):
            told = sum(n[place] * x for n, x in zip(allowed, some, strict=True))
            self.model.add(totals[part] == told).only_enforce_if(full)
        for end in those:
            if end.comes:
                self.model.add_implication(end.x, full)

    # -- what the planner asks of any space --------------------------------------------------------

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches."""
        policy = (
            "Units move one after another, each in one go: alone, as a stack with one leader, or as a "
            "transport with what it carries.",
            "A transport loads those of the hex in which it starts and goes on, or unloads where it starts "
            "or where it ends; who has been unloaded stays there.",
            "Each goes by a way than which none to the same hex is both cheaper and less exposed; nobody "
            "uses Assault Movement or leaves the map.",
            "Who is wanted nowhere moves only from the hex of one who is, or from where one is wanted.",
            "A hex to which somebody comes holds no more than it may as all have moved.",
        )
        return PlanSpace(
            name=self.name, verbs=("enter", "turn", "advance", "load", "unload"), movers=self.measure.movers,
            policy=policy, rolls=self.rolls, left_out=self.left_out,
        )  # fmt: skip

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield staying put."""
        yield ()

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best choice that no cut excludes and that there is an order for."""
        model = self._built().clone()
        for name, bound in task.least.items():
            model.add(self._sum(name) >= bound)
        for name, bound in task.most.items():
            model.add(self._sum(name) <= bound)
        acts = sum(x for one, x in self._pairs() if one.actions)
        wanted = sum(weight * self._sum(name) for name, weight in task.weights.items())
        model.maximize(wanted if task.weights else -acts)
        while True:
            outcome = solve(model, "knapsack", limit=control.left(), stop=control.stop)
            control.spend(outcome.time)
            if outcome.status is Status.IMPOSSIBLE:
                return Proposal("IMPOSSIBLE", None, None)
            if outcome.status is not Status.OPTIMAL:
                return Proposal("UNKNOWN", None, None)
            taken = tuple(n for n, x in enumerate(self.chosen) if outcome.solver.value(x))
            log = self.in_order([self.options[n] for n in taken])
            if log is not None:
                self._known[log] = taken
                return Proposal("OPTIMAL", log, outcome.objective if task.weights else 0)
            self._cut(taken, model, self.model)

    def _sum(self, name: Criterion) -> Any:
        gains = [self.measure.gain(unit.id, self._stand(unit)) for unit in self.others]
        fixed = {"value": sum(g[0] for g in gains), "distance": sum(g[1] for g in gains)}
        return fixed.get(name, 0) + sum(one.adds[name] * x for one, x in self._pairs())

    def _cut(self, taken: Sequence[int], *models: Any) -> None:
        """Leave out this choice from now on; and what nobody can do even if he is the first to act."""
        never = [
            n for n in taken
            if self.options[n].actions and self._played(self.position, self.options[n].actions) is None
        ]  # fmt: skip
        for model in models:
            model.add_bool_or(~self.chosen[n] for n in taken)
            for n in never:
                model.add(self.chosen[n] == 0)

    def in_order(self, taken: Sequence[Option]) -> tuple[Action, ...] | None:
        """Return the log of options in an order in which the referee lets all be done, None if there is none."""
        acting = [one for one in taken if one.actions]
        dead: set[tuple[frozenset[int], Any]] = set()

        def go(position: Any, left: frozenset[int]) -> tuple[Action, ...] | None:
            look()
            if not left:
                return ()
            if (left, position.units) in dead:
                return None
            for number in sorted(left):
                done = self._played(position, acting[number].actions)
                if done is not None:
                    rest = go(done[0], left - {number})
                    if rest is not None:
                        return done[1] + rest
            dead.add((left, position.units))
            return None

        return go(self.position, frozenset(range(len(acting))))

    def _played(
        self, position: Any, actions: Sequence[Action]
    ) -> tuple[Any, tuple[Action, ...]] | None:
        """Return the position after actions, rolls taken as passed, and all that was done; None if not legal."""
        log = settled(position, tuple(actions)) if self.rolls == "pass" else tuple(actions)
        for action in log or ():
            ruling = self.book.rule(position, action)
            if not ruling.is_legal:
                return None
            position = ruling.after
        return None if log is None or position.pending else (position, log)

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:  # noqa: ARG002 - a model's interface
        """Never make this choice again."""
        self.differ(log)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Look only for other choices."""
        self._built()
        self._cut(self._known.get(log, self._staying()), self.model)

    def _staying(self) -> tuple[int, ...]:
        return tuple(n for n, one in enumerate(self.options) if not one.actions)

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the musts."""
        self._built()
        question = Question(
            self.position, self.goal, self.rolls,
            lambda: Marches(self.position, self.goal, self.rolls), control,
        )  # fmt: skip
        found = clauses_against(question, Family(CANDIDATES, bearing=self.left_out))
        return found if found != () else clauses_against(question, Family(bearing=self.left_out))
