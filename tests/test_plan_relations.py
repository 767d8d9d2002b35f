"""Planners follow their rules under changes: every clause off, figures and readings varied.

A rule that a planner states a second time, beside the clause, would not follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.planning.loop import plan
from tests.slowly import slow_after
from tests.varied import SPACES, Change, changes, compared, used, varied

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CASES: dict[str, tuple[int, ...]] = {
    "transport": (21, 13), "transport-stops": (9,), "foot": (22, 10), "column": (51, 32, 28),
    "convoy": (19, 11), "convoy-gaps": (13, 4), "platoon": (1033, 1054), "delivery": (9, 18),
    "entering": (2, 4), "marches": (9,), "marches-exits": (6,),
}  # fmt: skip
"""By space, some cases that brute force solves quickly and that involve many clauses."""
UNPROVED = dict.fromkeys(("convoy", "convoy-gaps"), ("E11.2g",)) | dict.fromkeys(
    ("platoon", "column"), ("D14.31a",)
)
"""Clauses without which a space proves nothing, and says so: its plans are measured by one shared sum."""
ENDLESS = {
    "foot": ("A4.11b",),
    "entering": ("A4.11b",),
    "marches": ("V6.3",),
    "marches-exits": ("V6.3",),
}
"""Those without which brute force never ends: walks cost nothing."""

NO_VERB = dict.fromkeys(("entering", "transport-stops"), ("A4.134",))
"""Without its clause a Minimum Move duplicates `enter`, which reach does not try as well."""


LONG = ("marches", "marches-exits", "transport", "transport-stops", "platoon")
"""Spaces with slow cases: with each of their clauses off they are slow tests."""


def differing(
    name: str, seeds: Sequence[int], stated: Iterable[Change]
) -> dict[tuple[str, int], str]:
    """Return where the planner of a space is wrong under other rules, and how."""
    space, wrong = SPACES[name], {}
    without = {one for some in (UNPROVED, ENDLESS, NO_VERB) for one in some.get(name, ())}
    assert without <= {*space.rulebook.clauses}
    for change in stated:
        if change.clause in without:
            continue
        with varied(space, change):
            for seed in seeds:
                if said := compared(space, change, seed):
                    wrong[str(change), seed] = said
    return wrong


@pytest.mark.parametrize("name", slow_after(1, sorted(SPACES, key=LONG.__contains__)))
def test_planner_and_rule_agree_without_joint_clauses(name: str) -> None:
    """With a clause on several units off, plans are the best that `rule` allows."""
    space, seeds = SPACES[name], CASES[name][:1]
    found, consulted, _ = used(space, seeds)
    assert found == [*seeds]
    binding = [one for one in sorted(consulted) if space.rulebook.clauses[one].composes == "joint"]
    assert differing(name, seeds, (Change("off", one) for one in binding)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", SPACES)
def test_planner_and_rule_agree_whatever_the_rules(name: str) -> None:
    """With any clause off, any figure changed by one, any reading changed, plans are the best possible."""
    space, seeds = SPACES[name], CASES[name]
    found, consulted, read = used(space, seeds)
    assert found == [*seeds]
    assert differing(name, seeds, changes(space, consulted, read)) == {}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seeds"), [("convoy", (19, 11, 5)), ("column", (25, 39, 5))])
def test_nothing_is_proved_where_a_line_has_no_one_sum(name: str, seeds: tuple[int, ...]) -> None:
    """If each unit pays for itself, results are FEASIBLE and nothing is IMPOSSIBLE."""
    space: Any = SPACES[name]
    with varied(space, Change("off", *UNPROVED[name])):
        for seed in seeds:
            case = space.drawn(seed)
            found = plan(case.position, case.goal, space=name)
            assert found.status in ("FEASIBLE", "UNKNOWN")
