"""Plans of Infantry on foot, alone or led: a planner model (see :mod:`marchtable.rules.plan_model`)."""

from __future__ import annotations

from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from marchtable.planning.choice.aims import demands, still
from marchtable.planning.choice.options import ClauseRows, Led, Problem, UnitBudget
from marchtable.planning.choice.presence import Turns
from marchtable.planning.choice.replay import carry_out, in_order
from marchtable.planning.choice.space import ChoiceSpace
from marchtable.planning.reasons import Family
from marchtable.rules.plan_model import PlanSpace
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.foot.company import Acting, Company
from marchtable_models.asl.cpsat.foot.crowds import Crowds
from marchtable_models.asl.cpsat.foot.listing import options_of
from marchtable_models.asl.cpsat.foot.options import ALONE, POINTS, STAYS, groups_of, undominated
from marchtable_models.asl.cpsat.reached.ends import WAITING, end_name, final_place
from marchtable_models.asl.hooks.conflict_candidates import CANDIDATES
from marchtable_models.asl.rules.infantry_mf import leader_bonus, pay_mf

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from marchtable.cpsat.harness import Profile
    from marchtable.planning.choice.model import Chosen
    from marchtable.planning.choice.options import Spot
    from marchtable.planning.choice.replay import Stuck
    from marchtable.rules.plan_model import Control, Task
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.asl.cpsat.foot.options import FootOptions, MovingGroup, Walk
    from marchtable_models.asl.hooks.travel import AslTravel
    from marchtable_models.asl.model import AslPosition

    Plan = Mapping[str, int]
    Played = tuple[Mapping[str, str], tuple[MovingGroup, ...]]
    Counts = dict[Spot, int]

__all__ = ["Foot"]

POLICY = (
    "Infantry that has not begun its MPh moves once, in one go: alone, or in a stack with a leader "
    "that begins in the same Location. The whole stack goes all the way to where the leader ends, with the leader's bonus.",
    "Units that wait off the map come on by one of the Locations stated for them, or stay there. A leader "
    "brings along units with the same stated Locations.",
    "Each unit takes a route of least points without rolls; of several, the least exposed. It is computed "
    "with the other units of the plan off the map, and separately for no Double Time, Double Time declared on the "
    "way or before, only road or not. A stack takes such a route of its leader, of least points for the leader.",
    "Double Time is for the whole stack or none of it, but declared only for units that need it. A Minimum Move "
    "is made alone. No unit ends in Bypass.",
    "Units and stacks go one after another, in any order.",
    "Plans count as one if all units end in the same places by routes that cost the same, whatever the order.",
    "No unit boards a vehicle (the space transport has such plans), drops or hands over what it carries, lends IPC, "
    "or leaves the map except by the "
    "Locations that the goal names for it. Vehicles stay as they are, even if they "
    "would have to stop before the MPh ends.",
)
VERBS = ("enter", "minimum", "double-time", "bypass", "into", "exit")
COUNTED = {"points", "exposure"}
PROFILE: Profile = "cores"


class Foot(ChoiceSpace["Walk"]):
    """
    The model of Infantry on foot for one position and goal.

    Parameters
    ----------
    rulebook, position, goal
        The problem; the goal is checked.
    """

    name = "foot"

    def __init__(self, rulebook: AslTravel, position: AslPosition, goal: Goal) -> None:
        super().__init__(position, goal, "avoid")
        self.rulebook = rulebook
        self.company = Company(rulebook, position, goal)
        self.acting = Acting(self.company)
        self._proposed: dict[tuple[Action, ...], Plan] = {}

    def again(self) -> Foot:
        """Return a copy of the space, to be used while other clauses are off."""
        return Foot(self.rulebook, self.position, self.goal)

    @property
    def is_fit(self) -> bool:
        """Whether a unit can walk, and aims concern only units that walk or always stay."""
        return self.company.is_fit

    @property
    def space(self) -> PlanSpace:
        """The plans it searches; it leaves out what applied within what was examined."""
        left_out = self.company.unsupported() | self.acting.left_out
        return PlanSpace(
            name=self.name, verbs=VERBS, movers=tuple(self.company.units), policy=POLICY,
            rolls="avoid", left_out=tuple(sorted(left_out)),
        )  # fmt: skip

    # -- choices ----------------------------------------------------------------------------------

    @cached_property
    def options_of(self) -> dict[str, FootOptions]:
        """Each unit's options."""
        return options_of(self.company)

    @cached_property
    def crowds(self) -> Crowds:
        """The finder of units in the way."""
        return Crowds(self.company, self.options_of, self.learned)

    def problem_of(self, task: Task) -> Problem[Walk]:
        """Return the choices for a task, as far as known."""
        wanted = undominated(self.options_of, self.crowds.touched, task)
        rows = [(name, row) for name, some in wanted.items() for row in some.nonzero()[0].tolist()]
        walks = [self.options_of[name].walk(row) for name, row in rows]
        scores = [dict(zip(CRITERIA, self.options_of[name].score[row, : len(CRITERIA)].tolist(), strict=True))
                  for name, row in rows]  # fmt: skip
        measure, idle = self.company.measure, [*self.company.idle.items()]
        board = self.position.board
        stands = [[(walk.unit, final_place(end_name(board, walk.at)))] for walk in walks]
        rules = ClauseRows(
            budgets=[*self._budgets(walks)], led=[*self._led(rows)],
            demands=[*demands(measure, stands, idle)],
        )  # fmt: skip
        fixed = still(measure, idle)
        turns = Turns(walks, self._stands, self._party)
        return Problem(walks, scores, fixed, rules, turns, PROFILE, [*self._alike(rows)])

    def _budgets(self, walks: Sequence[Walk]) -> Iterator[UnitBudget]:
        """Yield each unit's budget by option (A4.11b); a Minimum Move has none."""
        for name, mine in groupby(enumerate(walks), lambda pair: pair[1].unit):
            yield UnitBudget(
                pay_mf.id, name, [(n, walk.points + walk.remaining) for n, walk in mine]
            )

    def _led(self, rows: Sequence[tuple[str, int]]) -> Iterator[Led]:
        """Yield that units joining a leader go where the leader goes (A4.12a)."""
        numbers, names = {pair: number for number, pair in enumerate(rows)}, [*self.options_of]
        for (name, row), number in numbers.items():
            leader = int(self.options_of[name].leader[row])
            if leader != ALONE:
                lead = numbers[names[leader], int(self.options_of[name].led[row])]
                yield Led(leader_bonus.id, number, lead)

    def _alike(
        self, rows: Sequence[tuple[str, int]]
    ) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
        """Yield the options of two equal units, as long as no plan is excluded."""
        company = self.company
        last: dict[Hashable, Sequence[int]] = {}
        if self.learned.nogoods:
            return
        for name, mine in groupby(enumerate(rows), lambda pair: pair[1][0]):
            numbers, own_rows = zip(*((n, row) for n, (_, row) in mine), strict=True)
            own = name if name in company.leaders else ""
            key = (
                company.kinds[name],
                self.options_of[name].home,
                company.merits(name),
                own,
                own_rows,
            )
            if key in last:
                yield last[key], numbers
            last[key] = numbers

    def _stands(self, walk: Walk) -> tuple[Counts, Counts]:
        """Return a unit's place before a walk and after."""
        locations, home = self.position.board.locations, self.options_of[walk.unit].home
        looks = self.company.sorts[walk.unit]

        def there(at: int) -> Counts:
            return {(locations[at].name, looks): 1} if WAITING < at < len(locations) else {}

        return there(home), there(walk.at)

    def _party(self, walk: Walk) -> tuple[str, Mapping[Hashable, int]]:
        """Return a unit's party, and its sort; its leader is asked about with it."""
        if walk.leader == ALONE:
            return walk.unit, {}
        return [*self.options_of][walk.leader], {self.company.sorts[walk.unit]: 1}

    # -- planner interface ------------------------------------------------------------------------

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield the plan without moves."""
        self._proposed[()] = dict.fromkeys(self.company.units, STAYS)
        yield ()

    def reject(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Exclude this plan; if it is legal, also its equals."""
        self._bar(self._proposed[log], alike=verdict.status == "LEGAL")

    def differ(self, log: tuple[Action, ...]) -> Callable[[tuple[Action, ...]], bool] | None:
        """
        Require plans in which some unit ends elsewhere, or by a way of another cost.

        Extra costs of company depend on the order: such plans count as one.
        """
        plan = self._proposed.get(log)
        if plan is None:
            return None
        self._bar(plan, alike=True)
        ends = self._ends(plan)
        return lambda other: other in self._proposed and self._ends(self._proposed[other]) == ends

    def families(self, control: Control) -> Iterator[Family]:  # noqa: ARG002 - a model's interface
        """Yield the conflict candidates."""
        yield Family(CANDIDATES, bearing=self.space.left_out)

    # -- plans ------------------------------------------------------------------------------------

    def log_of(self, found: Chosen[Walk], task: Task) -> tuple[Action, ...] | None:
        """Return a choice's log, or None after learning why it is impossible or costs more."""
        plan = {walk.unit: walk.row for walk in found.options}
        counts = found.spares or bool(COUNTED & {*task.weights, *task.least, *task.most})
        most = None if not counts else {
            w.unit: w.points + found.extra.get(w.unit, (0, 0))[0] for w in found.options
        }  # fmt: skip
        going = in_order(groups_of(self.options_of, plan), found.pairs)
        (_, gone), stuck = self._acted(going, most)
        if not stuck:
            return self._log(plan, gone)
        self.found(self._log(plan, gone))
        news = [self.crowds.learn(one.option, plan, one.state[0]) for one in stuck]
        if not any(news):
            self._bar(plan)
            self.is_unsure = True
        return None

    def _acted(
        self, groups: Sequence[MovingGroup], most: Mapping[str, int] | None
    ) -> tuple[Played, list[Stuck[MovingGroup]]]:
        """Return the units' places and movers after the groups that can go within budget, and the rest."""

        def attempt(state: Played, group: MovingGroup) -> Played | None:
            at, gone = state
            others = {name: where for name, where in at.items() if name not in group.names}
            spent = self.acting.spent(group, others)
            if spent is None or (most and sum(spent) > sum(most[n] for n in group.names)):
                return None
            if not group.first.is_off(group.row):
                end = self.position.board.locations[int(group.first.at[group.row])].name
                others |= dict.fromkeys(group.names, end)
            return others, (*gone, group)

        at = {name: unit.at for name, unit in self.company.units.items() if unit.at is not None}
        return carry_out(groups, (at, ()), attempt)

    def _log(self, plan: Plan, gone: Sequence[MovingGroup]) -> tuple[Action, ...]:
        """Return the log of the movers, and record its plan."""
        went = {name for group in gone for name in group.names}
        log = tuple(action for group in gone for action in group.actions())
        self._proposed[log] = {n: row if n in went else STAYS for n, row in plan.items()}
        return log

    def _ends(self, plan: Plan) -> dict[str, tuple[int, int]]:
        """Return each unit's end, and its way's own cost."""
        walks = (self.options_of[name].walk(row) for name, row in plan.items())
        return {walk.unit: (walk.at, walk.points) for walk in walks}

    def _bar(self, plan: Plan, *, alike: bool = False) -> None:
        """Exclude a plan as a whole, or with all plans of equal ends and way costs."""
        found = []
        for name, row in plan.items():
            options, rows = self.options_of[name], [row]
            if alike:
                paid = options.score[:, POINTS]
                rows = ((options.at == options.at[row]) & (paid == paid[row])).nonzero()[0].tolist()
            self.crowds.touched[name][rows] = True
            found += [options.walk(one) for one in rows]
        self.learned.nogoods.append(frozenset(found))
