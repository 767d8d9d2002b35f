"""Common parts of line plans: what binds the units, asked of the clauses as tables.

Also which line a goal concerns, whether it can go, and why not.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from marchtable.budget import OverLimit
from marchtable.planning.goals import movers_of, units_of
from marchtable.planning.line.links import Links
from marchtable.planning.reasons import Family
from marchtable.planning.relation import Relation
from marchtable.rules.clause import without
from marchtable.rules.rulebook import Case, find_rulebook
from marchtable.state.action import Event
from marchtable_models.asl.hooks.conflict_candidates import CANDIDATES
from marchtable_models.asl.model import End
from marchtable_models.asl.rules.convoys import straight_back
from marchtable_models.asl.rules.gaps import Link, is_gap, link, lone
from marchtable_models.asl.rules.impulse_moves import Impulse
from marchtable_models.asl.rules.impulses import (
    all_can_pay,
    all_others_can_pay,
    impulse_dues,
    not_the_convoys,
    one_each,
    shared_by_all,
    shared_expenditure,
)
from marchtable_models.asl.rules.leaving_convoys import Leaving, reason
from marchtable_models.asl.rules.uniting import no_start_after_stop
from marchtable_models.asl.rules.vehicle_mp import pay_mp
from marchtable_models.asl.views.cargo import carried_by
from marchtable_models.asl.views.lines import kind_of, members
from marchtable_models.asl.views.spending_facts import Payment

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from marchtable.board.board import Board
    from marchtable.planning.line.links import Shares
    from marchtable.planning.reasons import Explained
    from marchtable.rules.edition import Edition
    from marchtable.rules.plan_model import Control
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling, Verdict, Violation
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.asl.model import AslPosition, AslUnit


__all__ = [
    "CAN_PAY",
    "UNLIMITED",
    "credit",
    "distances",
    "is_leaving_shared",
    "line_family",
    "lines_for",
    "links_of",
    "made_before",
    "may_move",
    "shares_of",
]

UNLIMITED = 2**20
"""More half points than any unit spends."""
CAN_PAY = (all_can_pay.id, all_others_can_pay.id)
"""The clauses by which no unit of a line spends more than every other can."""
NO_REASON: dict[str, Any] = {**dict.fromkeys(Leaving.__struct_fields__, False), "leavers": ""}
LEAVES = Leaving(**NO_REASON)


def links_of(edition: Edition, position: AslPosition, line: Iterable[AslUnit]) -> Links:
    """Return the relations between the units of a line."""
    line, kind = tuple(line), kind_of(next(iter(line)))
    apart = distances(edition, position.board, kind)
    waiting = tuple(_waiting(edition, position, unit, apart) for unit in line)
    turns = Relation((), partial(_turn, kind), ("early", "overtakes"))
    early, overtakes = (turns.barred(edition, how) for how in turns.scope)
    far = Relation((), partial(Link, kind), ()).barred(edition, max(apart, default=0) + 1)
    clauses = {"line": far or reason.id, "turn": early, "order": overtakes, "back": straight_back.id,
               "halt": no_start_after_stop.id,
               "pay": (shared_expenditure if kind == "convoy" else shared_by_all).id,
               "afford": all_can_pay.id, "alone": lone.id, "own": pay_mp.id}  # fmt: skip
    shares = shares_of(edition, kind)
    return Links(
        apart, waiting, (True,) * len(line), shares,
        in_turn=bool(early), in_order=bool(overtakes), clauses=clauses,
    )  # fmt: skip


def _turn(kind: str, how: str) -> Link:
    """Return the facts of neighbours whose rear unit enters, or leaves the map, too early."""
    return Link(kind, 1, **{how: True})


def distances(edition: Edition, board: Board, kind: str = "convoy") -> frozenset[int]:
    """Return the distances to the unit ahead that the clauses do not call a Gap."""
    u, v = ([getattr(place, name) for place in board.locations] for name in "uv")
    most = max(u) - min(u) + max(v) - min(v)
    near = Relation((), partial(Link, kind), range(most + 1)).allowed(edition)
    return frozenset(n for n in near if not is_gap(Link(kind, n)))


def _waiting(
    edition: Edition, position: AslPosition, unit: AslUnit, apart: frozenset[int]
) -> tuple[str, ...]:
    """Return the Locations of the one ahead with which a vehicle can wait off the map."""
    board = position.board
    if unit.at is not None:
        return ()
    begin = [board.resolve(name) for name in unit.offboard.entering]
    near = [n for n in board.index if any(board.distance(n, to) <= max(apart) for to in begin)]
    relation = Relation((), partial(link, position, rear=unit), near)
    together = relation.allowed(edition)
    return tuple(at for at in near if at in together and not is_gap(relation.facts_of(at)))


# -- payments ------------------------------------------------------------------------------------


def _paid(
    edition: Edition, front: int, rear: int, *, kind: str, leaves: bool = False
) -> tuple[int, ...]:
    """Return the payments of two units with such expenditures in an Impulse, the rear one perhaps to leave; half points."""
    costs = (front, rear)
    cases = [Case((name,), LEAVES if leaves and n else None) for n, name in enumerate("fr")]
    same = {"is_vehicle": kind != "column", "line": kind, "allotment": UNLIMITED}
    own = [Payment(cost=n, spent=0, used=0, **same) for n in costs]  # type: ignore[arg-type]
    dues = impulse_dues(cases, own, edition)
    shared = (shared_expenditure.id, shared_by_all.id, not_the_convoys.id)
    more = Relation(shared, dues.__getitem__, (0, 1)).charged(edition)
    return tuple(cost + more[n] for n, cost in enumerate(costs))


def shares_of(edition: Edition, kind: str) -> Shares:
    """Return a function from two units' own expenditures in an Impulse to their payments (E11.2g, D14.31a)."""
    return cache(partial(_paid, edition, kind=kind))


def is_leaving_shared(edition: Edition) -> bool:
    """Return whether units ahead of a Gap share the expenditure that makes it (E11.255a)."""
    return _paid(edition, 0, 1, kind="convoy", leaves=True)[0] > 0


def credit(edition: Edition, kind: str) -> int:
    """
    Return the half points a line's unit can overspend: :data:`UNLIMITED` if :data:`CAN_PAY` is off.

    For a single vehicle (kind ``""``) by D2.1b.
    """

    def debt(n: int) -> Payment:
        """Return the facts of a unit with nothing left that has to pay so much, for its line or itself."""
        cost, shared = (0, n) if kind else (n, 0)
        return Payment(
            is_vehicle=kind != "column", cost=cost, spent=0, used=0, allotment=0, shared=shared, line=kind
        )  # fmt: skip

    debts = Relation(CAN_PAY if kind else (pay_mp.id,), debt, sums := range(UNLIMITED + 1))
    return bisect_right(sums, False, key=lambda n: bool(debts.barred(edition, n))) - 1


ROUND = 0.01  # deterministic time of finding out what bars a line, each time


def lines_for(
    position: AslPosition, goal: Goal, is_of: Callable[[AslUnit], object]
) -> Iterator[tuple[AslUnit, ...]]:
    """Yield the lines that can move now, front first, and include all units a goal concerns."""
    if position.phase != "MPh" or position.pending:
        return
    wanted = {name for aim in goal.aims for name in units_of(aim, position)}
    movers = set(movers_of(goal, position))
    for lead in position.units:
        line = members(position, lead) if is_of(lead) and lead.side == position.side else ()
        mine = {load.id for unit in line for load in (unit, *carried_by(position, unit))}
        if line and line[0].id == lead.id and wanted <= mine <= movers:
            yield tuple(line)


def may_move(
    rulebook: Rulebook[Any, Any], position: AslPosition, line: Sequence[AslUnit]
) -> tuple[bool, set[str]]:
    """Return whether nothing keeps a whole line in place, and the unmodelled clauses on that."""
    ruling = _idle(rulebook, position, line)
    if _bars(ruling):
        return False, set()
    left_out = {fault.clause for fault in ruling.unsupported}
    return not left_out, left_out


def line_family(
    model: Explained, control: Control, line: Sequence[AslUnit], likely: Collection[str] = (), *,
    others: Collection[str] = (), bearing: Collection[str] = (),
    barring: Callable[[], Collection[str]] = tuple,
) -> Iterator[Family]:  # fmt: skip
    """
    Yield the clauses that might keep a line from its goal's musts; raise OverLimit at a limit.

    Lifted are clauses that bind units on any map, and those that then bar the line or a step. The
    background is step costs, and clauses never asked about.

    Parameters
    ----------
    model, control, line
        The question, its limit, and the line.
    likely, others, bearing
        Clauses to try first, others to lift, and unmodelled ones that apply.
    barring
        Returns the clauses that bar a step under the present rules.
    """
    among, more = {*likely, *others, *CANDIDATES}, {""}
    rulebook = find_rulebook(model.position.rulebook)
    while not more <= among:
        among |= more - {""}
        if control.stop.is_requested or control.left() <= 0:
            raise OverLimit
        control.spend(ROUND)
        with without(*among):
            bars = _bars(_idle(rulebook, model.position, line))
            more = {bar.clause for bar in bars}.union(barring())
    yield Family(tuple(among), tuple(likely), bearing=tuple(bearing))


def _idle(
    rulebook: Rulebook[Any, Any], position: AslPosition, line: Sequence[AslUnit]
) -> Ruling:  # fmt: skip
    return rulebook.rule(position, Impulse(line[0].id, ("stay",) * len(line)))


def _bars(ruling: Ruling) -> list[Violation]:
    return [bar for bar in ruling.violations if bar.clause != one_each.id]


def made_before(log: Sequence[Action], verdict: Verdict) -> int | None:
    """Return the number of Impulses before the first rejected one; None if none was rejected."""
    broken = [v.step for v in (*verdict.violations, *verdict.unsupported)]
    first = min(broken, default=len(log))
    if first >= len(log) or isinstance(log[first], End):
        return None
    return sum(not isinstance(action, Event) for action in log[: first + 1])
