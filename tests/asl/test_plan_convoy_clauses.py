"""Whether a Convoy has a plan, as clauses decide it that are written and solved without CP-SAT."""

from __future__ import annotations

import itertools
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from marchtable_models.asl.cpsat.convoy import decided, descent
from marchtable_models.asl.cpsat.convoy.conflicts import GIVEN_UP, HOLDS, NEVER, searched, stride
from marchtable_models.asl.cpsat.convoy.dive import CAPPED
from marchtable_models.asl.cpsat.convoy.neighbours import lay_out
from marchtable_models.asl.cpsat.convoy.watches import grouped
from tests.asl import convoy_cases, convoy_exit_cases

if TYPE_CHECKING:
    from collections.abc import Sequence

    Clauses = Sequence[Sequence[int]]


def solved(
    count: int, clauses: Clauses, groups: Clauses, cap: int = 10**6
) -> tuple[int, list[int]]:
    """Return what the search tells of some clauses and groups, and the literals that hold."""
    lits = [literal for clause in clauses for literal in clause] + [0] * 10_000
    ends = itertools.accumulate(map(len, clauses), initial=0)
    start = [*ends] + [0] * 1000
    members = [x for group in groups for x in group]
    group_at = [*itertools.accumulate(map(len, groups), initial=0)]
    of_at, of = [0] * (count + 1), [0] * len(members)
    grouped(count, len(groups), group_at, members, of_at, of)
    value = [0] * (2 * count)
    scratch = [[0] * (count + 2) for _ in range(9)]
    given: list[Any] = [
        count, len(clauses), cap, lits, start, [-1] * (2 * count), [0] * 2 * len(start), of_at, of,
        group_at, members, value, *scratch, [0.0] * count, [0] * count, [0, len(clauses)],
    ]  # fmt: skip
    told = searched(*given)
    return told, [literal for literal in range(2 * count) if value[literal] > 0]


def holds(true: set[int], clauses: Clauses, groups: Clauses) -> bool:
    """Tell whether literals are a solution."""
    return all(not true.isdisjoint(clause) for clause in clauses) and all(
        sum(2 * x in true for x in group) <= 1 for group in groups
    )


def test_clauses_are_solved_as_trying_everything_does() -> None:
    """Of random clauses and groups a solution is found wherever there is one."""
    seen = set()
    for seed in range(300):
        random = Random(seed)
        count = random.randint(3, 8)
        clauses = [
            [
                2 * x + random.randint(0, 1)
                for x in random.sample(range(count), random.randint(1, 3))
            ]
            for _ in range(random.randint(count, 4 * count))
        ]
        groups = [random.sample(range(count), random.randint(2, 3)) for _ in range(2)]
        told, true = solved(count, clauses, groups)
        every = itertools.product((0, 1), repeat=count)
        able = any(
            holds({2 * x + sign for x, sign in enumerate(signs)}, clauses, groups)
            for signs in every
        )
        assert told == (HOLDS if able else NEVER)
        assert not able or holds(set(true), clauses, groups)
        seen.add(told)
    assert seen == {HOLDS, NEVER}


def test_a_search_gives_up_at_its_limit() -> None:
    """Six in five holes are not shown to be too many with little work, but are with more."""
    count, holes = 6, 5
    clauses = [[2 * (i * holes + h) for h in range(holes)] for i in range(count)]
    groups = [[i * holes + h for i in range(count)] for h in range(holes)]
    assert solved(count * holes, clauses, groups, 10)[0] == GIVEN_UP
    assert solved(count * holes, clauses, groups)[0] == NEVER


def test_searches_begin_again_after_luby_strides() -> None:
    """After one stride, one, two, one, one, two, four and so on."""
    assert [stride(turn) for turn in range(9)] == [1, 1, 2, 1, 1, 2, 4, 1, 1]


@pytest.fixture
def by_clauses(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Let clauses alone decide, what pairs of neighbours tell left out; and what they say."""
    told: list[Any] = []
    asked = decided.reasoned

    def kept(*given: Any, **named: Any) -> Any:
        told.append(asked(*given, **named))
        return told[-1]

    monkeypatch.setattr(decided, "is_quick", lambda *_: True)
    monkeypatch.setattr(descent, "dived", lambda *_, **__: CAPPED)
    monkeypatch.setattr(descent, "reasoned", kept)
    monkeypatch.setattr(
        descent, "in_pairs",
        lambda field, _, layers, __: layers._replace(pairs=lay_out(field, layers.active)),
    )  # fmt: skip
    return told


def test_clauses_decide_as_trying_every_plan_does(by_clauses: list[Any]) -> None:
    """Of small Convoys the best plan is found, where clauses rule out what cannot be."""
    for seed in (3, 9, 12, 19, 27, 32):
        assert not convoy_cases.compared(convoy_cases.drawn(seed))
    assert None in by_clauses
    assert any(each is not None for each in by_clauses)


def test_clauses_decide_who_leaves_the_map(by_clauses: list[Any]) -> None:
    """So is that of Convoys that leave the map, which the clauses do not state in full."""
    for seed in range(4):
        assert not convoy_exit_cases.compared(convoy_exit_cases.drawn(seed))
    assert by_clauses
