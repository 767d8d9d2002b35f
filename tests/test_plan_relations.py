"""Planners follow their rules wherever these go: every joint clause off, figures and readings varied.

What a planner states a second time, beside the clause, would not follow.
"""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.planning.loop import plan
from marchtable.rules.dependencies import dependencies, tracking
from tests.varied import SPACES, Change, compared, varied

CASES: dict[str, tuple[int, ...]] = {
    "transport": (21, 13), "transport-stops": (9,), "foot": (22, 10), "column": (25, 32, 28),
    "convoy": (19, 11), "convoy-gaps": (13, 4), "platoon": (1033, 1054), "delivery": (9, 18),
}  # fmt: skip
"""By space, some that brute force soon tells all plans of, and in which many clauses have a say."""
CARRYING = (
    Change("figure", "D6.1c", "squad", 9), Change("figure", "D6.1c", "half_squad", 7),
    Change("figure", "D6.2d", "most", 9), Change("figure", "D6.4c", "parts", 2),
    Change("figure", "D6.4d", "board", 2), Change("figure", "D6.5a", "parts", 2),
    Change("figure", "D6.5b", "leave", 2), Change("figure", "D6.5b", "each", 2),
    Change("figure", "D6.5c", "most", 2), Change("figure", "D6.5f", "most", 3),
    Change("figure", "D2.12", "start", 2), Change("figure", "D2.13", "stop", 2),
    Change("figure", "D2.14", "each", 2), Change("figure", "A4.52", "ipc", 2),
    Change("reading", "D6.4c", value=None), Change("reading", "D6.5b", value=None),
    Change("reading", "D6.5c", value=None), Change("off", "D6.1c"), Change("off", "D6.2d"),
)  # fmt: skip
ON_FOOT = (
    Change("figure", "A4.12", "bonus", 1), Change("figure", "A4.42", "each", 2),
    Change("figure", "A4.42", "mmc", 2), Change("figure", "A5.11", "each", 2),
    Change("figure", "A5.1", "half_squads", 2), Change("figure", "A5.5", "squad", 3),
)  # fmt: skip
IN_LINE = (
    Change("figure", "E11.1", "apart", 2), Change("figure", "E11.2", "each_hex", 2),
    Change("figure", "D2.12", "start", 2), Change("figure", "D2.13", "stop", 2),
    Change("figure", "D2.13", "stop", 0), Change("off", "D2.13"),
    Change("figure", "D2.11", "spine", 2), Change("reading", "E11.1a", value=None),
    Change("reading", "E11.21e", value=None), Change("reading", "E11.254d", value=None),
)  # fmt: skip
FIGURES: dict[str, tuple[Change, ...]] = {
    "transport": CARRYING, "transport-stops": CARRYING[:6], "foot": ON_FOOT,
    "column": (*ON_FOOT, *IN_LINE[:2]), "convoy": IN_LINE, "convoy-gaps": IN_LINE,
    "platoon": (*IN_LINE[2:7], Change("reading", "D14.21b", value=None)),
    "delivery": tuple(Change("reading", name, value=None) for name in (
        "B1", "B2", "B3", "B4", "B5", "B7", "B14", "B15", "P.opt-b-stacking", "P.opt-b-road",
        "B3-relay",
    )),
}  # fmt: skip
UNPROVED = dict.fromkeys(("convoy", "convoy-gaps", "platoon", "column"), ("E11.2g",))
"""Clauses without which a space proves nothing, and says so: one sum for all is its plans' measure."""
ENDLESS = {"foot": ("A4.11b",)}
"""Those without which brute force never ends: walks cost nothing."""


def changes(name: str) -> list[Change]:
    """Return what to vary in a space: of readings every choice but the first."""
    space = SPACES[name]
    choices = {entry.id: entry.choices[1:] for entry in space.data.register()}
    told = [
        one
        for change in FIGURES[name]
        for one in (
            [change._replace(value=value) for value in choices[change.clause]]
            if change.kind == "reading"
            else [change]
        )
    ]
    with (
        tracking(),
        dependencies() as consulted,
        varied(space, Change("off", "")._replace(kind="")),
    ):
        for seed in CASES[name]:
            assert compared(space, Change("", ""), seed) == ""
    joint = {clause.id for clause in space.rulebook.clauses.values() if clause.composes == "joint"}
    return [*told, *(Change("off", one) for one in sorted(consulted & joint))]


@pytest.mark.slow
@pytest.mark.parametrize("name", SPACES)
def test_planner_and_rule_agree_whatever_the_rules(name: str) -> None:
    """With a clause off, a figure or a reading other than printed, plans are the best that `rule` lets pass."""
    space, wrong = SPACES[name], {}
    for change in changes(name):
        if change.clause in (*UNPROVED.get(name, ()), *ENDLESS.get(name, ())):
            continue
        with varied(space, change):
            for seed in CASES[name]:
                if told := compared(space, change, seed):
                    wrong[str(change), seed] = told
    assert wrong == {}


@pytest.mark.parametrize(("name", "seeds"), [("convoy", (19, 11, 5)), ("column", (25, 39, 5))])
def test_nothing_is_proved_where_a_line_has_no_one_sum(name: str, seeds: tuple[int, ...]) -> None:
    """Where each pays for itself, what is found is FEASIBLE and nothing IMPOSSIBLE."""
    space: Any = SPACES[name]
    with varied(space, Change("off", "E11.2g")):
        for seed in seeds:
            case = space.drawn(seed)
            found = plan(case.position, case.goal, space=name)
            assert found.status in ("FEASIBLE", "UNKNOWN")
