"""The planning space of Valor & Victory: each unit takes one option, hexes stay within their limits."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.choice.options import Order
from marchtable.planning.choice.replay import carry_out, fewest, in_order
from marchtable.planning.choice.space import ChoiceSpace
from marchtable.planning.company import Company
from marchtable.planning.reasons import Family
from marchtable.rules.plan_model import PlanSpace
from marchtable_models.valor.cpsat.options import Options
from marchtable_models.valor.cpsat.room import STACKING, Room
from marchtable_models.valor.rules.facing import direction
from marchtable_models.valor.rules.movement import one_after_another, own_phase
from marchtable_models.valor.rules.paying import pay, printed_mp, steep_way
from marchtable_models.valor.rules.rally import pinned_acts_not
from marchtable_models.valor.rules.terrain import enemies
from marchtable_models.valor.rules.transport import capacity, loading_time, who_boards
from marchtable_models.valor.rules.works import wire

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from marchtable.planning.choice.model import Chosen
    from marchtable.planning.choice.options import Problem
    from marchtable.planning.choice.replay import Stuck
    from marchtable.rules.plan_model import Control, Rolls, Task
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.valor.cpsat.options import JointMove
    from marchtable_models.valor.model import ValorPosition

__all__ = ["Marches"]

CANDIDATES = (
    own_phase.id, pinned_acts_not.id, one_after_another.id, pay.id,
    enemies.id, printed_mp.id, direction.id, steep_way.id,
    "V10.11", "V10.12", "V10.31", wire.id, *STACKING, loading_time.id,
    who_boards.id, capacity.id,
)  # fmt: skip
"""Conflict candidates to try first."""
POLICY = (
    "Units move one after another, each in one go: alone, as a stack with one leader, or as a "
    "transport with what it carries.",
    "A transport loads units in the hex in which it starts, and goes on; or it unloads where it starts "
    "or where it ends. Units that were unloaded stay there.",
    "No other route to the same hex is better in both cost and exposure. No unit uses Assault Movement.",
    "Units leave the map only to meet an aim `exit` about one of them, by a hex of that aim.",
    "A unit that no aim is about moves only from a hex in which a unit with an aim starts, or to which the goal wants one.",
    "After all units have moved, every hex that a unit entered is within its stacking limit.",
)


VERBS = ("enter", "turn", "advance", "load", "unload", "exit")


class _Acted(NamedTuple):
    """The position after a sequence of options, its actions, and the options."""

    position: Any
    log: tuple[Action, ...] = ()
    gone: tuple[JointMove, ...] = ()


class Marches(ChoiceSpace["JointMove"]):
    """The plans of one position and goal."""

    name = "marches"

    def __init__(self, position: ValorPosition, goal: Goal, rolls: Rolls) -> None:
        super().__init__(position, goal, rolls)
        self.company = Company(position, goal, rolls, self.measure.movers)
        self.menu = Options(self.company, goal, rolls)
        self._known: dict[tuple[Action, ...], Sequence[JointMove]] = {}

    # -- choices ----------------------------------------------------------------------------------

    @cached_property
    def options(self) -> list[JointMove]:
        """The units' options, listed on first use."""
        return [*self.menu.all_of_them()]

    @cached_property
    def room(self) -> Room:
        """What there is room for."""
        return Room(self.position, self.company.units, self.options)

    @cached_property
    def problem(self) -> Problem[JointMove]:
        """The choices, including the hexes' choice of their content."""
        crowds, rows = self.room.rows()
        return self.stated(self.options, rows, self.room.turns, crowds)

    # -- planner interface ------------------------------------------------------------------------

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches."""
        return PlanSpace(
            name=self.name, verbs=VERBS, movers=self.measure.movers,
            policy=POLICY, rolls=self.rolls, left_out=tuple(sorted(self.menu.left_out)),
        )  # fmt: skip

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield the plan without moves."""
        yield ()

    def reject(self, log: tuple[Action, ...], verdict: Verdict) -> None:  # noqa: ARG002 - a model's interface
        """Exclude this choice for good."""
        self.differ(log)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Require a different choice."""
        staying = [option for option in self.options if not option.acts]
        self.learned.nogoods.append(frozenset(self._known.get(log, staying)))

    def families(self, control: Control) -> Iterator[Family]:  # noqa: ARG002 - a model's interface
        """Yield conflict candidates, preferred ones first."""
        yield Family(CANDIDATES, bearing=self.space.left_out)
        yield Family(bearing=self.space.left_out)

    # -- from a choice to a log, and learning -----------------------------------------------------

    def log_of(self, found: Chosen[JointMove], task: Task) -> tuple[Action, ...] | None:  # noqa: ARG002 - a model's interface
        """Return a choice's log, or None after learning which options conflict."""
        chosen = [one for one in found.options if one.unit in self.company.units]
        acting = [one for one in chosen if one.acts]
        acting.sort(key=lambda one: not self.position.unit(one.unit).moving)  # continue these first
        acted, stuck = carry_out(in_order(acting, found.pairs), _Acted(self.position), self._after)
        if not stuck:
            self._known[acted.log] = chosen
            return acted.log
        if not any([self._learn(one) for one in stuck]):  # noqa: C419 - from all of them
            self._exclude(stuck[0], chosen)
        return None

    def _after(self, acted: _Acted, option: JointMove) -> _Acted | None:
        """Return the state after an option, None if it is impossible or cannot end so."""
        done = self.company.played(acted.position, option.actions)
        if done is None or self.room.over(done[0], option):
            return None
        return _Acted(done[0], acted.log + done[1], (*acted.gone, option))

    def _learn(self, stuck: Stuck[JointMove]) -> bool:
        """Learn what keeps an option from its end; return whether that is new."""
        option, acted = stuck
        done = self.company.played(acted.position, option.actions)
        at = self.room.over(done[0], option) if done else ""
        cuts = {(cut.actor, cut.given): cut for cut in self.room.cuts(option, at, acted.position)}
        is_new = not cuts.keys() <= self.learned.cuts.keys()
        self.learned.cuts |= cuts
        return is_new

    def _exclude(self, stuck: Stuck[JointMove], chosen: Sequence[JointMove]) -> None:
        """
        Exclude an option impossible even as the first, or after the fewest others that bar it.

        Unless another option could help. Otherwise, exclude the whole choice in this order.
        """
        option, acted = stuck
        helpers = self.room.helpers(option)
        if all(self._is_barred(some, option) for some in ([], *([one] for one in helpers))):
            self.learned.nogoods.append(frozenset((option,)))
            return
        gone = {one.unit: one for one in acted.gone}
        if helpers.isdisjoint(chosen):
            few = fewest([*gone], lambda names: self._is_barred([gone[n] for n in names], option))
            if few or self._is_barred((), option):
                self.learned.orders.append(self._order(few, gone, option, helpers))
                return
        turns = [*gone, option.unit]
        later = [one.unit for one in chosen if one.acts and one.unit not in turns]
        pairs = (*pairwise(turns), *((option.unit, name) for name in later))
        self.learned.orders.append(Order(frozenset(chosen), pairs))

    def _order(
        self, few: Sequence[str], gone: Mapping[str, JointMove], option: JointMove, helpers: Collection[JointMove]
    ) -> Order[JointMove]:  # fmt: skip
        """Return that an option does not follow a few that bar it, unless another helps."""
        able = {one.unit for one in helpers} - {*few}
        idle = [one for one in self.options if one.unit in able and one not in helpers]
        done = [gone[name] for name in few]
        if len(few) == 1:
            own = (one for one in self.options if one.unit in few)
            done = [one for one in own if self._is_barred([one], option)]
        return Order(frozenset((*done, *idle, option)), [*pairwise((*few, option.unit))])

    def _is_barred(self, before: Sequence[JointMove], option: JointMove) -> bool:
        """Return whether an option is always barred after others, whatever else has begun."""
        units = (self.position.unit(name) for one in (*before, option) for name in one.units)
        starts = [self.position]
        if not any(unit.moving for unit in units):
            starts.append(self.menu.ended)  # units already moving may have ended
        return all(self._bars(start, before, option) for start in starts)

    def _bars(self, start: ValorPosition, before: Sequence[JointMove], option: JointMove) -> bool:
        state: _Acted | None = _Acted(start)
        for one in before:
            state = state and self._after(state, one)
        return state is not None and self.company.played(state.position, option.actions) is None
