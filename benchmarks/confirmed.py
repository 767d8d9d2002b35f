"""Ask seeded models with presolve and without, and compare CP-SAT's answers.

``python -m benchmarks.confirmed FIRST COUNT [SORT ...]`` asks models FIRST to FIRST + COUNT - 1 of
each sort and prints how many agree, how the claims were confirmed, and how long both solves took (in
deterministic time). It stops at a disagreement, names the seed and the file of the model. Ten thousand
are asked in pieces, such as 20 times 500.

A model is one of the families that planners state: a choice of one option for each unit with sums and
cuts (``choice``, as units that act one after another), clauses that lead from layer to layer
(``layers``, as lines), and sums over exactly one of some (``sums``, as last places).
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

from marchtable.cpsat.confirm import LEAST, Disagreement, confirm
from marchtable.cpsat.harness import Claim, Claims, Profile, Stop, claimed, solve
from marchtable.cpsat.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from ortools.sat.python import cp_model

LIMIT = 5.0
PROFILES: dict[str, tuple[Profile, ...]] = {
    "choice": ("knapsack", "turns", "cores"), "layers": ("logic",), "sums": ("logic", "knapsack"),
}  # fmt: skip


def choice(random: Random) -> cp_model.CpModel:
    """Return a choice: an option for each unit, capacities, cuts that forbid and that make dearer."""
    units, options = random.randint(2, 9), random.randint(2, 8)
    rows = Rows()
    x = [rows.news(options) for _ in range(units)]
    for some in x:
        rows.one_of(some)
    every = [one for some in x for one in some]
    for _ in range(random.randint(1, units)):
        terms = [(one, random.randint(1, 6)) for one in random.sample(every, min(len(every), 9))]
        rows.total(terms, most=random.randint(4, 14))
    sought = [(one, random.randint(0, 12)) for one in every]
    for _ in range(random.randint(0, 3 * units)):
        given = random.sample(every, random.randint(2, 3))
        if random.random() < 0.5:
            rows.any_of([~one for one in given])
        else:
            dearer = rows.new()
            rows.any_of([*(~one for one in given), dearer])
            sought.append((dearer, -random.randint(1, 8)))
    rows.maximize(sought)
    return rows.model()


def layers(random: Random) -> cp_model.CpModel:
    """Return members that go from state to state, no two in one, with required ends for some."""
    members, states, rounds = random.randint(2, 4), random.randint(4, 8), random.randint(2, 6)
    leads = [[to for to in range(states) if random.random() < 0.4] for _ in range(states)]
    rows = Rows()
    at = [[rows.news(states) for _ in range(rounds + 1)] for _ in range(members)]
    for own in at:
        for some in own:
            rows.one_of(some)
        for before, after in pairwise(own):
            for state, there in enumerate(leads):
                rows.any_of([~before[state], *(after[to] for to in there)])
        ends = random.sample(range(states), random.randint(1, max(1, states // 3)))
        rows.any_of([own[-1][state] for state in ends])
        rows.any_of([own[0][random.randrange(states)]])
    for number in range(1, rounds + 1):
        for state in range(states):
            rows.not_two([own[number][state] for own in at])
    return rows.model()


def sums(random: Random) -> cp_model.CpModel:
    """Return whether one of each group can be taken so that some sums are large enough."""
    groups, size = random.randint(3, 9), random.randint(3, 9)
    rows = Rows()
    x = [rows.news(size) for _ in range(groups)]
    for some in x:
        rows.one_of(some)
    for place in range(size):
        if random.random() < 0.7:
            rows.not_two([some[place] for some in x])
    for _ in range(random.randint(2, 4)):
        terms = [(one, random.randint(-4, 9)) for some in x for one in some]
        rows.total(terms, least=random.randint(2, 6) * groups)
    return rows.model()


SORTS: dict[str, Callable[[Random], cp_model.CpModel]] = {
    "choice": choice, "layers": layers, "sums": sums,
}  # fmt: skip


def asked(sort: str, seed: int) -> tuple[Claim | None, str, float]:
    """Return a model's claim, its confirmation, and the time it takes; raises Disagreement."""
    random = Random(f"{sort} {seed}")
    model, profile = SORTS[sort](random), random.choice(PROFILES[sort])
    claims = Claims()
    with claimed(claims):
        solve(model, profile, limit=LIMIT)
    claims.rest()
    if claims.main is None:  # a solution needs no trust in one search: it can be checked
        return None, "solution", 0.0
    proof, time = confirm(claims.main, limit=LIMIT, stop=Stop())
    return claims.main, proof, time


def main() -> None:
    """Ask the models named on the command line."""
    first, count, *sorts = sys.argv[1:]
    for sort in sorts or SORTS:
        found, times = Counter[str](), [0.0, 0.0]
        for seed in range(int(first), int(first) + int(count)):
            try:
                claim, proof, again = asked(sort, seed)
            except Disagreement as error:
                sys.exit(f"{sort} {seed}: the two solves disagree; the model is in {error.file}")
            found[proof] += 1
            if claim is not None:
                assert again <= 2 * max(LEAST, claim.time)
                times = [times[0] + claim.time, times[1] + again]
        counts = ", ".join(f"{number} {proof}" for proof, number in sorted(found.items()))
        print(f"{sort}: {counts}; deterministic time {times[0]:.2f}, again {times[1]:.2f}")


if __name__ == "__main__":
    main()
