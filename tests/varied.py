"""Planners and brute force under changed rules: a clause off, a figure or a reading changed.

Where a planner states a rule a second time, beside its clause, it does not follow such a change.
``python -m tests.varied SPACE FIRST COUNT`` varies, one by one, every clause involved in some
cases, every figure they use and their readings. It prints the answers that differ from brute force.
"""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.cache import clear_caches
from marchtable.errors import BadInputError
from marchtable.files.scenes import with_readings
from marchtable.planning.loop import plan
from marchtable.rules.clause import without
from marchtable.rules.dependencies import dependencies, tracking
from marchtable_models.asl import data as asl_data
from marchtable_models.asl.cpsat.convoy import steps as convoy_steps
from marchtable_models.panzer import data as panzer_data
from marchtable_models.valor import data as valor_data
from tests.asl import (
    column_cases,
    convoy_cases,
    convoy_gap_cases,
    enter_cases,
    foot_cases,
    platoon_cases,
    stops_cases,
    transport_cases,
)
from tests.asl.boards import ASL
from tests.panzer import test_crowded
from tests.panzer.every_plan import SIGNS, best_by_force
from tests.panzer.scenes import PANZER
from tests.valor import marches_cases
from tests.valor.scenes import VALOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["SPACES", "Change", "changes", "compared", "used", "varied"]

_RULE = re.compile(r"[A-Z][0-9.]+")
FEW, MOST_PLANS = 4, 900
LOOK_UP = ("count", "halves", "figure")
"""The methods by which a rulebook's data give one figure."""


class Change(NamedTuple):
    """A change from the printed rules: a clause off, or a figure or reading set.

    Parameters
    ----------
    kind
        ``off``, ``figure`` or ``reading``.
    clause, name, value
        Which clause or reading, which of its figures, and what is read or set.
    """

    kind: str
    clause: str
    name: str = ""
    value: Any = None

    def __str__(self) -> str:
        found = " ".join(str(part) for part in (self.name, self.value) if part not in ("", None))
        return f"{self.kind} {self.clause} {found}".strip()


class Space(NamedTuple):
    """How cases of a space are drawn and compared, and whose rules apply."""

    drawn: Callable[[int], Any]
    compared: Callable[[Any], str | None]
    rulebook: Any
    data: Any


def _few(seed: int) -> Any:
    """Return a Convoy whose plans brute force lists quickly."""
    case = convoy_cases.drawn(seed)
    line = [unit for unit in case.position.units if unit.line.convoy]
    return case if len(line) * case.impulses <= FEW else None


def _delivered(case: Any) -> str | None:
    """Return the errors in a delivery."""
    position, goal = case
    best = best_by_force(position, goal, MOST_PLANS)
    if best is None:
        return None
    found = plan(position, goal)
    if not best or found.status != "OPTIMAL":
        return "" if not best and found.status == "IMPOSSIBLE" else f"{found.status}, {best}"
    score = found.plans[0].score
    result = tuple(SIGNS[name] * score[name] for name in goal.order)
    return "" if result == best else f"{result}, by force {best}"


def _walked(case: Any) -> str | None:
    """Return the errors in a walk; the number of ends in options is not asked."""
    return foot_cases.compared(case, options_of=False)


SPACES: dict[str, Space] = {
    "transport": Space(
        lambda seed: transport_cases.drawn(seed, most=3, across=3),
        transport_cases.compared, ASL, asl_data,
    ),
    "transport-stops": Space(
        lambda seed: stops_cases.drawn(seed, most=3), stops_cases.compared, ASL, asl_data
    ),
    "foot": Space(
        lambda seed: foot_cases.drawn(seed, across=3, crowded=seed % 2 == 0),
        _walked, ASL, asl_data,
    ),
    "column": Space(
        lambda seed: column_cases.drawn(seed, most=3, across=3),
        lambda case: column_cases.compared(case, impulses=8), ASL, asl_data,
    ),
    "convoy": Space(_few, convoy_cases.compared, ASL, asl_data),
    "convoy-gaps": Space(
        convoy_gap_cases.drawn_apart,
        lambda case: convoy_gap_cases.compared_apart(case)[0], ASL, asl_data,
    ),
    "platoon": Space(platoon_cases.drawn, platoon_cases.compared, ASL, asl_data),
    "delivery": Space(test_crowded.scene, _delivered, PANZER, panzer_data),
    "entering": Space(
        lambda seed: enter_cases.drawn(seed, most=3, across=3, narrow=seed % 2 == 0),
        enter_cases.compared, ASL, asl_data,
    ),
    "marches": Space(marches_cases.drawn, marches_cases.compared, VALOR, valor_data),
    "marches-exits": Space(marches_cases.leaving, marches_cases.compared, VALOR, valor_data),
}  # fmt: skip


def _forget(space: Space) -> None:
    """Clear caches made under other figures, which never change in a game."""
    clear_caches()
    space.rulebook.editions.clear()
    convoy_steps.TABLES.clear()
    for cached in (
        transport_cases.field_for,
        stops_cases.world_of,
        enter_cases.world_of,
        *(getattr(space.data, name) for name in LOOK_UP if hasattr(space.data, name)),
    ):
        cached.cache_clear()


@contextmanager
def varied(space: Space, change: Change) -> Iterator[None]:
    """Apply other rules; readings belong to positions (:func:`compared`)."""
    printed = space.data.figures
    _forget(space)
    try:
        if change.kind == "figure":
            found = {**printed()}
            found[change.clause] = {**found[change.clause], change.name: change.value}
            space.data.figures = lambda: found
        with without(*((change.clause,) if change.kind == "off" else ())):
            yield
    finally:
        space.data.figures = printed
        _forget(space)


def compared(space: Space, change: Change, seed: int) -> str | None:
    """Return the errors in the answer to a case under other rules, or None if it is no case."""
    try:
        case = space.drawn(seed)
    except BadInputError:  # under the present rules there is no such position
        return None
    if case is None:
        return None
    if change.kind == "reading":
        read = {change.clause: change.value}
        position = with_readings(case.position if hasattr(case, "position") else case[0], read)
        case = (
            case._replace(position=position) if hasattr(case, "position") else (position, *case[1:])
        )
    return space.compared(case)


# -- all of them -----------------------------------------------------------------------------------


def used(space: Space, seeds: Iterable[int]) -> tuple[list[int], set[str], set[tuple[str, str]]]:
    """Return the compared cases, the clauses that take part in them, and their figures."""
    printed, read = space.data.figures, set()

    class Figures(dict[str, Any]):
        """Figures that record which are looked up."""

        def __init__(self, of: str, stated: dict[str, float]) -> None:
            super().__init__(stated)
            self.of = of

        def __getitem__(self, name: str) -> Any:
            read.add((self.of, name))
            return super().__getitem__(name)

    result = {clause: Figures(clause, figures) for clause, figures in printed().items()}
    found, consulted = [], set[str]()
    space.data.figures = lambda: result
    try:
        for seed in seeds:
            _forget(space)
            with tracking(), dependencies() as here:
                if compared(space, Change("", ""), seed) is not None:
                    found.append(seed)
                    consulted |= here
    finally:
        space.data.figures = printed
        _forget(space)
    return found, consulted, read


def changes(space: Space, consulted: set[str], read: set[tuple[str, str]]) -> Iterator[Change]:
    """Yield each figure changed by one, each involved reading changed, and each clause off."""
    for clause, name in sorted(read):
        value = space.data.figures()[clause][name]
        yield from (Change("figure", clause, name, n) for n in (value + 1, value - 1) if n >= 0)
    about = {_RULE.match(clause)[0] for clause in consulted if _RULE.match(clause)}  # type: ignore[index]
    for entry in space.rulebook.register:
        rule = _RULE.match(entry.id)
        if space.rulebook is not ASL or rule is None or rule[0] in about:
            yield from (Change("reading", entry.id, value=one) for one in entry.choices[1:])
    yield from (Change("off", clause) for clause in sorted(consulted))


def main() -> None:
    """Vary all there is."""
    space, first, count = SPACES[sys.argv[1]], int(sys.argv[2]), int(sys.argv[3])
    seeds, consulted, read = used(space, range(first, first + count))
    for change in changes(space, consulted, read):
        with varied(space, change):
            for seed in seeds:
                try:
                    found = compared(space, change, seed)
                except (AssertionError, ArithmeticError) as error:
                    found = repr(error)
                if found:
                    sys.stdout.write(f"{change}: {seed} {found}\n")
    sys.stdout.write(f"{len(seeds)} cases\n")


if __name__ == "__main__":
    main()
