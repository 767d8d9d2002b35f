"""
A smallest set of clauses without which a goal is possible.

Each minimal conflict must lose a clause, so the lifted clauses hit all conflicts. CP-SAT finds a
smallest set that hits the known ones; with it lifted and all else on, the goal is planned for. If
there is a plan, no smaller set would do. If there is none, the clauses still on contain another
minimal conflict, which is added to the known ones (an implicit hitting set search).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable.budget import OverLimit
from marchtable.cpsat.harness import Status, solve
from marchtable.cpsat.rows import Rows
from marchtable.planning.reasons import Deletion, Unproved
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from marchtable.planning.reasons import Family
    from marchtable.state.action import Action

__all__ = ["Lift", "hitting", "smallest_lift"]


class Lift(NamedTuple):
    """
    Clauses without which a goal is possible.

    Parameters
    ----------
    clauses
        In the order of the contents page.
    log
        A plan that is legal with these off and every other clause on.
    is_smallest
        Whether it is proved that no fewer would do.
    """

    clauses: tuple[str, ...]
    log: tuple[Action, ...]
    is_smallest: bool = True


def smallest_lift(
    search: Deletion, conflict: Sequence[str], known: Iterable[tuple[Action, ...]] = ()
) -> Lift | None:
    """
    Return a smallest set of clauses whose lifting makes a goal possible.

    Parameters
    ----------
    search
        A search that found the goal impossible.
    conflict
        The clauses that forbid the goal.
    known
        Plans that may be legal without some clauses, tried before any search.

    Returns
    -------
    Lift or None
        None if lifting clauses does not help, or nothing was found within the limit. If the limit
        was reached, it may be the whole conflict, and is then not known to be smallest.
    """
    known = [*known]
    family = _widened(search, conflict)
    forbidding, other = [tuple(conflict)], _known_lift(search, conflict, known)
    try:
        while True:
            lifted = hitting(
                forbidding, [*find_rulebook(search.question.position.rulebook).clauses]
            )
            if lifted is None:
                break
            without = Deletion(search.question, family, lifted=lifted, known=search.known)
            log = without.possible(known)
            if log is not None:
                return Lift(lifted, log)
            more = without.forbidding()
            if not more:
                return None
            forbidding.append(tuple(more))
    except (Unproved, OverLimit):
        pass
    return other


def _widened(search: Deletion, conflict: Sequence[str]) -> Family:
    """Return the family of a search with all clauses that its rulebook allows to be named."""
    family = search.family
    if family.clauses is None:
        return family
    more = find_rulebook(search.question.position.rulebook).conflict_candidates or ()
    single = {*family.fixed}.difference(conflict)
    names = dict.fromkeys((*family.clauses, *more, *conflict))
    return family._replace(clauses=tuple(name for name in names if name not in single))


def _known_lift(
    search: Deletion, conflict: Sequence[str], known: Iterable[tuple[Action, ...]]
) -> Lift | None:
    """Return the whole conflict, if a known plan is legal without it."""
    logs = [*known, *(log for log in search.known.values() if log is not None)]
    log = search.standing(logs, conflict)
    return None if log is None else Lift(tuple(conflict), log, is_smallest=len(conflict) == 1)


def hitting(sets: Sequence[Collection[str]], order: Sequence[str]) -> tuple[str, ...] | None:
    """
    Return a smallest hitting set.

    Of equally small ones it is the one whose members come first in the order.

    Returns
    -------
    tuple of str or None
        None if one of the sets is empty.
    """
    wanted = {name for each in sets for name in each}
    names = [name for name in order if name in wanted]
    rows = Rows()
    rows.news(len(names))
    for each in sets:
        rows.any_of(names.index(name) for name in sorted(each))
    whole = 1 + len(sets) * len(names)  # one member fewer outweighs any order
    rows.maximize([(x, -(whole + x)) for x in range(len(names))])
    outcome = solve(rows.model(), "knapsack")
    if outcome.status is not Status.OPTIMAL:
        return None
    chosen = outcome.solver.response_proto.solution
    return tuple(name for name, taken in zip(names, chosen, strict=True) if taken)
