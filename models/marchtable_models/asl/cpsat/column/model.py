"""Plans of a Column: its places from the front, the clauses on all of them, and its best plans."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from marchtable.planning.line.cuts import Cuts
from marchtable.planning.line.model import LineModel
from marchtable.planning.line.problem import AnyEnd
from marchtable.planning.line.state_graph import Scope, StateGraph
from marchtable.planning.line.worth import Worth
from marchtable.rules.clause import without
from marchtable.rules.plan_model import PlanSpace
from marchtable.rules.rulebook import Case
from marchtable.state.records import field_of, replace
from marchtable_models.asl.cpsat.column.steps import (
    VERBS,
    ColumnState,
    ColumnSteps,
    state_of,
    templates,
)
from marchtable_models.asl.cpsat.line_relations import (
    UNLIMITED,
    credit,
    line_family,
    lines_for,
    links_of,
    made_before,
    may_move,
)
from marchtable_models.asl.cpsat.ruled import still_has, unmodelled
from marchtable_models.asl.rules import disbanding
from marchtable_models.asl.rules.columns import Follow, ahead_only
from marchtable_models.asl.rules.declarations import DoubleTime
from marchtable_models.asl.rules.disbanding import (
    AboutToDisband,
    disband_when_engaged,
    waiting_to_disband,
)
from marchtable_models.asl.rules.gallop import Gallop
from marchtable_models.asl.rules.gallop import declare as cavalry_gallop
from marchtable_models.asl.rules.gaps import keeps_together
from marchtable_models.asl.rules.impulse_moves import IDLE, Impulse
from marchtable_models.asl.rules.impulses import all_others_can_pay
from marchtable_models.asl.views.cargo import carried_by
from marchtable_models.asl.views.lines import STAY, members
from marchtable_models.asl.views.lookout import any_sees, is_computed, known_enemies
from marchtable_models.asl.views.modes import in_mode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.planning.line.graph import Course
    from marchtable.planning.reasons import Family
    from marchtable.rules.plan_model import Control, Rolls
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.asl.model import AslPosition, AslUnit


__all__ = ["IMPULSES", "NAME", "ColumnLine", "ColumnModel", "column_models", "ranks_in"]

NAME = "column"


def ranks_in(line: Sequence[AslUnit]) -> list[tuple[AslUnit, ...]]:
    """Return the units of each place in a line, from the front."""
    return [tuple(units) for _, units in groupby(line, key=lambda unit: unit.line.rank)]


class ColumnLine:
    """
    One Column, and what the clauses say of all of it.

    Parameters
    ----------
    rulebook, position
        The rules, and its position.
    units
        Its units, front first; those of one place together.
    avoid
        Make no move that needs a roll; otherwise rolls are assumed passed.
    exits
        Check what leaving the map would need.

    Attributes
    ----------
    ranks, steps, starts
        By place: its units, their steps, and their state after declaring Double Time, if they gain
        by it (A4.5, E11.52f).
    links
        What binds each place to the one ahead (E11.5b, E11.5g), and whose hex no other enters.
    may_move
        Whether nothing keeps the whole Column in place.
    credit
        The half points by which D14.31b lets units overspend, :data:`UNLIMITED` if it is off.
    once
        Whether it makes at most one Impulse, having seen an enemy (E11.53e).
    """

    def __init__(
        self, rulebook: Rulebook[Any, Any], position: AslPosition, units: Sequence[AslUnit], *,
        avoid: bool, exits: bool,
    ) -> None:  # fmt: skip
        self.rulebook, self._plain, self._left_out = rulebook, position, set[str]()
        self.position = position = self._doubled(position, units)
        self.units = units = members(position, units[0])
        self.edition = rulebook.edition(position)
        self.ranks = ranks_in(units)
        self.starts = [state_of(rank) for rank in self.ranks]
        ids = {unit.id for unit in units}
        others = tuple(u for u in position.units if u.id not in ids)
        base = replace(position, units=others, pending=())
        made: dict[tuple[AslUnit, ...], ColumnSteps] = {}
        for rank in self.ranks:
            rows = templates(rank)
            if rows not in made:
                made[rows] = ColumnSteps(rulebook, base, rows, avoid=avoid, exits=exits)
        self.steps = [made[templates(rank)] for rank in self.ranks]
        self.may_move, left_out = may_move(rulebook, position, units)
        self._left_out |= left_out
        links = links_of(self.edition, position, [rank[0] for rank in self.ranks])
        follow = self._barring(Follow(just_left=False))
        self.links = links._replace(
            shared=True, follows=bool(follow), clauses={**links.clauses, "follow": follow},
            crowds=tuple(self._crowded(r) for r in range(len(self.ranks))),
        )  # fmt: skip
        self.credit = credit(self.edition, NAME)
        self.once = self._is_seen()
        self.in_view = () if self.once else self._in_view()
        self._means: dict[tuple[int, Any], int] = {}
        self._own: dict[tuple[str, Any], int] = {}
        self._poorest: dict[tuple[int, Any], int] = {}

    @property
    def lead(self) -> str:
        """The unit that names an Impulse in a log."""
        return self.units[0].id

    @property
    def barring(self) -> set[str]:
        """Clauses that have barred a step."""
        return {name for steps in self.steps for name in steps.barring}

    @property
    def left_out(self) -> set[str]:
        """Unmodelled clauses that applied to the whole Column, or to leaving the map."""
        return self._left_out.union(*(steps.left_out for steps in self.steps))

    # -- Double Time ------------------------------------------------------------------------------

    def _doubled(self, position: AslPosition, units: Sequence[AslUnit]) -> AslPosition:
        """Return the position after all units that can and gain by it have declared Double Time."""
        gallops = []
        for unit in units:
            after = self._once(position, DoubleTime(unit.id))
            gains = after is not None and (
                still_has(self.rulebook, after, after.unit(unit.id))
                > still_has(self.rulebook, position, position.unit(unit.id))
            )
            position = after if after is not None and gains else position
            gallops.append(self._once(position, Gallop(unit.id)) is not None)
        if all(gallops):  # plans with Gallop are not sought
            self._left_out.add(cavalry_gallop.id)
        return position

    def _once(self, position: AslPosition, action: DoubleTime | Gallop) -> AslPosition | None:
        """Return the position after a declaration, None if it is not allowed."""
        ruling = self.rulebook.rule(position, action)
        self._left_out |= unmodelled(ruling)
        after: AslPosition | None = ruling.after
        return after if ruling.is_legal and after is not None and not after.pending else None

    def in_need(self, r: int, state: ColumnState, spent: int) -> list[str]:
        """Return the units of a place that need Double Time for that expenditure in a state."""
        return [
            unit.id for unit, mode in zip(self.ranks[r], state.modes, strict=True)
            if self.credit != UNLIMITED and spent > self.credit + self._without(unit.id, mode)
        ]  # fmt: skip

    def _without(self, name: str, mode: Any) -> int:
        """Return a unit's half points in a mode without the Double Time declared here."""
        unit = self._plain.unit(name)
        plain = mode._replace(double=unit.points.double, cx=unit.status.cx or mode.tired)
        if (name, plain) not in self._own:
            there = replace(in_mode(unit, unit.at or "", plain), spent=unit.points.spent)
            position = self._plain.with_units([there])
            self._own[name, plain] = still_has(self.rulebook, position, there)
        return self._own[name, plain]

    # -- costs of company -------------------------------------------------------------------------

    def _crowded(self, r: int) -> frozenset[int]:
        """Return the places in line whose units a place's units join only at a cost (A5.11)."""
        steps, state = self.steps[r], self.starts[r]
        alone = next((step for step in steps.of(state) if step.to.at), None)
        if alone is None:
            return frozenset()
        move = f"{alone.move.partition(':')[0]}:{alone.to.at}"
        act = Impulse(steps.units[0].id, (move,) * len(steps.units))
        return frozenset(
            other for other, rank in enumerate(self.ranks)
            if other != r and self._price(steps, state, act, rank) != alone.cost
        )  # fmt: skip

    def _price(
        self, steps: ColumnSteps, state: ColumnState, act: Impulse, others: Sequence[AslUnit]
    ) -> int | None:
        """Return the cost of a step into the hex of other units, None if it is barred."""
        to = act.moves[0].partition(":")[2]
        there = [
            replace(unit, at=to, column="", rank=0, entering=(), mph="unmoved", spent=0, used=0)
            for unit in others
        ]
        mine = steps.placed(state)
        position = replace(steps.base, units=(*steps.base.units, *there)).with_units(mine)
        with without(all_others_can_pay.id):
            ruling = self.rulebook.rule(position, act)
        if ruling.after is None or not ruling.is_legal:
            return None
        after: AslPosition = ruling.after
        return max(after.unit(unit.id).points.spent for unit in mine)

    def _barring(self, facts: Any) -> str:
        """Return the clause that bars something, "" if none does."""
        return next((bar.clause for bar in self.edition.judge(facts).bars), "")

    def _in_view(self) -> tuple[str, ...]:
        """
        Return the Locations where it would, or by computed sight might, see a Known enemy.

        It disbands there: its options after that are left out.
        """
        enemies = known_enemies(self.position, self.units[0])
        if not is_computed(self.position) or not enemies:
            return ()
        self._left_out.add(disband_when_engaged.id)
        return tuple(
            at
            for at in self.position.board.index
            if any_sees(self.position, [replace(unit, at=at) for unit in self.units], enemies)
            != "no"
        )

    def _is_seen(self) -> bool:
        """Return whether the first MF it spends is its last as a Column, for what it sees."""
        mine = [line for line in disbanding.engaged(self.position) if line[0].id == self.lead]
        paid = [Case((self.lead,), IDLE[NAME])]
        due = [
            forced.value
            for case in disbanding.spending_cases(self.position, mine, paid, self.edition)
            for forced in self.edition.judge(case.facts).forced
            if forced.field == "disbanding"
        ]
        if not any(due):
            return False
        return bool(self._barring(AboutToDisband()))

    @property
    def most(self) -> int:
        """The most that every unit can spend in any case."""
        return min(
            max(self.means(r, each) for each in (state, state.moved))
            for r, state in enumerate(self.starts)
        )

    def means(self, r: int, state: ColumnState) -> int:
        """Return the half points that a place's poorest unit can still spend (D14.31b)."""
        if self.credit == UNLIMITED:
            return UNLIMITED
        key = (r, state.modes)
        found = self._poorest.get(key)
        if found is None:
            found = self._poorest[key] = self.credit + min(
                self._mean(r, n, unit, mode)
                for n, (unit, mode) in enumerate(zip(self.ranks[r], state.modes, strict=True))
            )
        return found

    def _mean(self, r: int, n: int, unit: AslUnit, mode: Any) -> int:
        key = (r, (n, mode))
        found = self._means.get(key)
        if found is None:
            there = replace(in_mode(unit, unit.at or "", mode), spent=unit.points.spent)
            position = self.position.with_units([there])
            found = self._means[key] = still_has(self.rulebook, position, there)
        return found


IMPULSES = 12
OF_THE_LINE = tuple(
    one.id for one in (ahead_only, keeps_together, all_others_can_pay, waiting_to_disband)
)
"""The clauses that bind a Column's plans."""


def _space(
    movers: Sequence[str], impulses: int, rolls: Rolls, left_out: Iterable[str]
) -> PlanSpace:
    return PlanSpace(
        name=NAME,
        verbs=("double-time", "impulse"),
        movers=tuple(movers),
        policy=(
            f"The Column moves by at most {impulses} Impulses, and no other unit moves.",
            f"In an Impulse, from the front, units stay or go to a hex ({', '.join(VERBS)}). Units at one"
            " place in the line do the same, by the cheapest route.",
            "No unit enters a hex in which units of another place in the line stand at that moment, if it"
            " would pay for overstacking (A5.11).",
            "No unit enters a hex for its whole allotment, or one from which it would be sent back.",
            "Only units that need Double Time declare it, before the first Impulse. No unit gallops,"
            " and the Column does not disband voluntarily.",
        ),
        rolls=rolls,
        left_out=tuple(sorted(left_out)),
    )


class ColumnModel(LineModel):
    """
    The plans of one Column of units on foot or mounted.

    Parameters
    ----------
    rulebook, position, goal
        The rules, its start, and the goal.
    line
        The Column's units, front first.
    impulses
        The most Impulses of a plan.
    rolls
        ``pass`` assumes rolls passed, ``avoid`` makes no move that needs one.
    """

    name = NAME
    ways = 12
    may_stay = True

    def __init__(
        self, rulebook: Rulebook[Any, Any], position: AslPosition, goal: Goal,
        line: Sequence[AslUnit], impulses: int = IMPULSES, rolls: Rolls = "avoid",
    ) -> None:  # fmt: skip
        self.rulebook, self.position, self.goal, self.rolls = rulebook, position, goal, rolls
        self.impulses = impulses
        exits = any(aim.exit for aim in goal.aims)
        self.line = ColumnLine(rulebook, position, line, avoid=rolls == "avoid", exits=exits)
        self.graph = self._graph()
        ranks = self.line.ranks
        self.worth = Worth(position, goal, self.graph, ranks, [*map(len, ranks)])
        self.ends = AnyEnd(self.graph)
        self._begin(Cuts(self.graph, [None] * len(ranks)))

    def _graph(self) -> StateGraph:
        """Return its places' possible states; if no unit pays (D14.31b), within the most Impulses allowed."""
        line = self.line
        most = min(self.impulses, 1) if line.once else self.impulses
        avoid = tuple(dict.fromkeys((*self.goal.avoid, *line.in_view)))
        scope = Scope(most if line.may_move else 0, line.most, avoid, caps=line.means)
        parts = (self.position.board, line.steps, line.starts, line.links)
        if line.credit == UNLIMITED:
            free = StateGraph(*parts, scope._replace(budget=most, free=True, caps=None))
            scope = scope._replace(budget=most * free.dearest, caps=None)
        return StateGraph(*parts, scope)

    @property
    def space(self) -> PlanSpace:
        """The plans it searches; it leaves out what applied within what was examined."""
        movers = [unit.id for unit in self.line.units]
        left_out = self.line.left_out | self.graph.left_out
        return _space(movers, self.impulses, self.rolls, left_out)

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield the plan without moves, and the best one found quickly."""
        yield ()
        yield from super().quick()

    def actions_of(self, course: Course) -> tuple[Action, ...]:
        """Return a plan as a log, apart from rolls."""
        impulses = [
            Impulse(self.line.lead, tuple(
                move or STAY for move, rank in zip(moves, self.line.ranks, strict=True) for _ in rank
            ))
            for moves in self.cuts.moves(course)
        ]  # fmt: skip
        return (*map(DoubleTime, self._in_need(course)), *impulses)

    def _in_need(self, course: Course) -> list[str]:
        """Return the units, in line order, that need Double Time for their part of a plan."""
        names = [
            name for states, spent in zip(*course, strict=True) for r, state in enumerate(states)
            for name in self.line.in_need(r, self.graph.state(r, state), spent)
        ]  # fmt: skip
        return [unit.id for unit in self.line.units if unit.id in names]

    def made_before(self, log: tuple[Action, ...], verdict: Verdict) -> int | None:
        """Return the number of Impulses before the first rejected one; None if none was rejected."""
        made = made_before(log, verdict)
        acts = sum(isinstance(action, DoubleTime) for action in log)
        return made - acts if made is not None and made > acts else None

    def reject(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Exclude plans with this beginning; Double Time declarations depend on the rest."""
        super().reject(log, verdict)
        declares = any(isinstance(action, DoubleTime) for action in log)
        self.cuts.is_sure &= verdict.status == "LEGAL" or not declares

    def families(self, control: Control) -> Iterator[Family]:
        """Yield the conflict candidates."""
        yield from line_family(
            self, control, self.line.units, OF_THE_LINE, bearing=self.space.left_out,
            barring=lambda: self.again().line.barring,
        )  # fmt: skip

    def again(self) -> ColumnModel:
        """Return the same question under the clauses now on."""
        question = (self.rulebook, self.position, self.goal, self.line.units)
        return ColumnModel(*question, impulses=self.impulses, rolls=self.rolls)


TIED = ("aboard", "helper", "lends", "armored", "guide", "towing")
"""The bonds between units."""


def column_models(
    rulebook: Rulebook[Any, Any], position: AslPosition, goal: Goal, rolls: Rolls
) -> list[ColumnModel]:
    """Return the model of the Column whose units the goal concerns, if any."""
    return [
        ColumnModel(rulebook, position, goal, line, rolls=rolls)
        for line in lines_for(position, goal, lambda unit: unit.line.column)
        if _is_plain(position, line)
    ]


def _is_plain(position: AslPosition, line: Sequence[AslUnit]) -> bool:
    """Return whether a Column's units have no VCA and move themselves, those of each place together."""
    together = all(
        len({(unit.at, unit.offboard.entering) for unit in rank}) == 1 for rank in ranks_in(line)
    )
    return together and not any(
        unit.facing is not None
        or unit.place.bypass is not None
        or any(field_of(unit, name) is not None for name in TIED)
        or carried_by(position, unit)
        for unit in line
    )
