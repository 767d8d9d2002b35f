"""The planning space of Valor & Victory: each unit takes one option, hexes stay within their limits."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.cpsat.harness import Status
from marchtable.planning.choice.aims import demands, gains, still
from marchtable.planning.choice.model import Choice
from marchtable.planning.choice.options import Learned, Problem, Rules
from marchtable.planning.choice.replay import fewest, in_order, through
from marchtable.planning.company import Company
from marchtable.planning.reasons import Family, Question, clauses_against
from marchtable.planning.score import Measure
from marchtable.rules.plan_model import PlanSpace, Proposal
from marchtable_models.valor.clauses import movement, rally, transport, works
from marchtable_models.valor.cpsat.options import Options, stand_of
from marchtable_models.valor.cpsat.room import STACKING, Room

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from marchtable.planning.choice.model import Found
    from marchtable.planning.choice.replay import Stuck
    from marchtable.rules.plan_model import Control, Reason, Rolls, Score, Task, Unsettled
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.valor.cpsat.options import Option
    from marchtable_models.valor.extraction.reading import ValorPosition

__all__ = ["Marches"]

CANDIDATES = (
    movement.own_phase.id, rally.pinned_acts_not.id, movement.one_after_another.id, movement.pay.id,
    movement.enemies.id, movement.printed_mp.id, movement.direction.id, movement.steep_way.id,
    "V10.11", "V10.12", "V10.31", works.wire.id, *STACKING, transport.loading_time.id,
    transport.who_boards.id, transport.capacity.id,
)  # fmt: skip
"""Clauses that are blamed first."""
POLICY = (
    "Units move one after another, each in one go: alone, as a stack with one leader, or as a "
    "transport with what it carries.",
    "A transport loads those of the hex in which it starts and goes on, or unloads where it starts "
    "or where it ends; who has been unloaded stays there.",
    "Each goes by a way than which none to the same hex is both cheaper and less exposed; nobody "
    "uses Assault Movement or leaves the map.",
    "Who is wanted nowhere moves only from the hex of one who is, or from where one is wanted.",
    "A hex to which somebody comes holds no more than it may as all have moved.",
)


class _Acted(NamedTuple):
    """Where options lead that were gone through, all that was done, and which they are."""

    position: Any
    log: tuple[Action, ...] = ()
    gone: tuple[Option, ...] = ()


class Marches:
    """The plans of one position and goal."""

    name = "marches"
    unsettled: Unsettled = "others"

    def __init__(self, position: ValorPosition, goal: Goal, rolls: Rolls) -> None:
        self.position, self.goal, self.rolls = position, goal, rolls
        self.measure = Measure(position, goal)
        self.company = Company(position, goal, rolls, self.measure.movers)
        self.told = Options(self.company, goal, rolls)
        self.learned: Learned[Option] = Learned()
        self._known: dict[tuple[Action, ...], Sequence[Option]] = {}

    # -- what there is to choose from --------------------------------------------------------------

    @cached_property
    def options(self) -> list[Option]:
        """What units may do, listed when it is first asked for."""
        return [*self.told.all_of_them()]

    @cached_property
    def room(self) -> Room:
        """What there is room for."""
        return Room(self.position, self.company.units, self.options)

    @cached_property
    def problem(self) -> Problem[Option]:
        """What there is to choose from; hexes, too, choose what they hold."""
        idle = [(u.id, stand_of(u)) for u in self.position.units if u.id not in self.company.units]
        wanted = demands(self.measure, [one.stands for one in self.options], idle)
        crowds, rows = self.room.rows()
        scores = [*map(self._score, self.options), *({} for _ in crowds)]
        fixed, options = still(self.measure, idle), [*self.options, *crowds]
        rules = Rules(stacking=rows, demands=[*wanted])
        return Problem(options, scores, fixed, rules, self.room.turns)

    def _score(self, option: Option) -> Score:
        """Return what an option adds to each criterion."""
        value, distance = gains(self.measure, option.stands)
        counted: Score = {"exposure": option.exposure, "points": option.points}
        return {"value": value, "distance": distance, "moved": option.heads, **counted}

    # -- what the planner asks of any space --------------------------------------------------------

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches."""
        return PlanSpace(
            name=self.name, verbs=("enter", "turn", "advance", "load", "unload"), movers=self.measure.movers,
            policy=POLICY, rolls=self.rolls, left_out=tuple(sorted(self.told.left_out)),
        )  # fmt: skip

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield staying put."""
        yield ()

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best choice that no cut excludes and that there is an order for."""
        bound: int | None = None
        while not control.stop.is_requested and control.left() > 0:
            found = Choice(self.problem, self.learned).solve(task, control, bound)
            outcome = found.outcome
            if outcome.status is Status.IMPOSSIBLE:
                return Proposal("IMPOSSIBLE", None, None)
            if outcome.bound is not None:
                bound = outcome.bound
                control.bounded(bound)
            if outcome.objective is None:
                break
            log = self._log(found)
            if log is not None:
                is_proved = outcome.status is Status.OPTIMAL
                return Proposal("OPTIMAL" if is_proved else "FEASIBLE", log, bound)
        return Proposal("UNKNOWN", None, bound)

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:  # noqa: ARG002 - a model's interface
        """Never make this choice again."""
        self.differ(log)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Look only for other choices."""
        staying = [option for option in self.options if not option.acts]
        self.learned.nogoods.append(frozenset(self._known.get(log, staying)))

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the musts."""
        question = Question(
            self.position, self.goal, self.rolls,
            lambda: Marches(self.position, self.goal, self.rolls), control,
        )  # fmt: skip
        left_out = self.space.left_out
        found = clauses_against(question, Family(CANDIDATES, bearing=left_out))
        return found if found != () else clauses_against(question, Family(bearing=left_out))

    # -- from a choice to a log, and what is learned -----------------------------------------------

    def _log(self, found: Found[Option]) -> tuple[Action, ...] | None:
        """Return a choice's log, or None after learning who is in whose way."""
        chosen = [one for one in found.options if one.unit in self.company.units]
        acting = [one for one in chosen if one.acts]
        acting.sort(key=lambda one: not self.position.unit(one.unit).moving)  # go on first
        acted, stuck = through(in_order(acting, found.pairs), _Acted(self.position), self._after)
        if not stuck:
            self._known[acted.log] = chosen
            return acted.log
        if not any([self._learn(one) for one in stuck]):  # noqa: C419 - from all of them
            self._exclude(stuck[0], chosen)
        return None

    def _after(self, acted: _Acted, option: Option) -> _Acted | None:
        """Return where an option leads as things stand, None if that cannot be or it may not end so."""
        done = self.company.played(acted.position, option.actions)
        if done is None or self.room.over(done[0], option):
            return None
        return _Acted(done[0], acted.log + done[1], (*acted.gone, option))

    def _learn(self, stuck: Stuck[Option]) -> bool:
        """Learn who keeps an option out of where it ends; tell whether that is news."""
        option, acted = stuck
        done = self.company.played(acted.position, option.actions)
        at = self.room.over(done[0], option) if done else ""
        cuts = {(cut.actor, cut.given): cut for cut in self.room.cuts(option, at, acted.position)}
        is_new = not cuts.keys() <= self.learned.cuts.keys()
        self.learned.cuts |= cuts
        return is_new

    def _exclude(self, stuck: Stuck[Option], chosen: Sequence[Option]) -> None:
        """
        Never choose what cannot be done even by the first to act, or not after the fewest others that bar it.

        Unless somebody does what could help. If it is neither, not all that was chosen in this order.
        """
        option, acted = stuck
        helpers = self.room.helpers(option)
        if all(self._is_barred(some, option) for some in ([], *([one] for one in helpers))):
            self.learned.nogoods.append(frozenset((option,)))
            return
        gone = {one.unit: one for one in acted.gone}
        if helpers.isdisjoint(chosen):
            few = fewest([*gone], lambda names: self._is_barred([gone[n] for n in names], option))
            able = {one.unit for one in helpers} - {*few}
            idle = [one for one in self.options if one.unit in able and one not in helpers]
            if few:
                self.learned.orders.append(self._order(few, gone, option, idle))
                return
            if self._is_barred((), option):
                self.learned.nogoods.append(frozenset((option, *idle)))
                return
        turns = [*gone, option.unit]
        later = [one.unit for one in chosen if one.acts and one.unit not in turns]
        pairs = (*pairwise(turns), *((option.unit, name) for name in later))
        self.learned.orders.append((frozenset(chosen), pairs))

    def _order(
        self, few: Sequence[str], gone: Mapping[str, Option], option: Option, idle: Iterable[Option]
    ) -> tuple[frozenset[Option], Sequence[tuple[str, str]]]:
        """Return that an option does not come after what a few do who bar it, while others do nothing that helps."""
        done = [gone[name] for name in few]
        if len(few) == 1:
            own = (one for one in self.options if one.unit in few)
            done = [one for one in own if self._is_barred([one], option)]
        return frozenset((*done, *idle, option)), (*pairwise((*few, option.unit)),)

    def _is_barred(self, before: Sequence[Option], option: Option) -> bool:
        """Return whether what an option does is barred after others, wherever it ends and whoever has begun before."""
        units = (self.position.unit(name) for one in (*before, option) for name in one.units)
        goes_on = any(unit.moving for unit in units)
        starts = {self.position.units: self.position}
        if not goes_on:  # those under way may have ended
            starts[self.told.ended.units] = self.told.ended
        return all(self._bars(start, before, option) for start in starts.values())

    def _bars(self, start: ValorPosition, before: Sequence[Option], option: Option) -> bool:
        state: _Acted | None = _Acted(start)
        for one in before:
            state = state and self._after(state, one)
        return state is not None and self.company.played(state.position, option.actions) is None
