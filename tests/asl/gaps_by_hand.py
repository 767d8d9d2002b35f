"""All plans of a small Convoy with one Gap, by brute force from the generator alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.goals import places_of
from marchtable.planning.score import Measure
from marchtable.rules.referee import check, rule
from marchtable.state.records import replace
from marchtable_models.asl.model import End
from marchtable_models.asl.rules.impulse_moves import Impulse
from tests.asl.convoys_by_hand import KEYS, Trail, acts, is_in_space, is_whole, line_of, onward

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.generator import JudgedChoice
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal

__all__ = ["all_parted", "has_no_gap"]

Log = tuple["Action", ...]


def all_parted(position: Any, goal: Goal, impulses: int) -> dict[tuple[int, ...], Log]:
    """Return a plan with a Gap for each possible score."""
    measure = Measure(position, goal)
    exits = places_of([name for aim in goal.aims for name in aim.exit], position.board)
    found: dict[tuple[int, ...], Log] = {}
    layer: dict[tuple[Any, Trail], Log] = {(position, Trail()): ()}
    for made in range(1, impulses + 1):
        after: dict[tuple[Any, Trail], Log] = {}
        for (here, trail), log in layer.items():
            line = line_of(here)
            for choice in acts(here, line):
                if is_in_space(here, choice, exits, line):
                    there = choice.ruling.after
                    longer, left = (*log, choice.action), line_of(there)
                    if has_no_gap(here, choice):
                        after.setdefault((there, onward(trail, here, there, goal)), longer)
                    elif (parts := _parts(here, choice, line, left)) is not None:
                        for whole in _finished(there, longer, parts, impulses - made, goal):
                            measured = measure.of(check(position, whole))
                            if measured.is_kept:
                                found[tuple(measured.score[key] for key in KEYS)] = whole
        layer = after
    return found


def has_no_gap(position: Any, choice: JudgedChoice) -> bool:
    """Return whether an act makes no Gap."""
    return not _makers(position, choice)


def _makers(position: Any, choice: JudgedChoice) -> set[str]:
    """Return the units that make a Gap by an act: without a reason they would break E11.251a."""
    bare = [replace(unit, attacked=False, sees=()) for unit in position.units]
    ruling = rule(position.with_units(bare), choice.action)
    return {unit for bar in ruling.violations for unit in bar.units if bar.clause == "E11.251a"}


def _parts(
    position: Any, choice: JudgedChoice, line: Sequence[str], left: Sequence[str]
) -> list[Sequence[str]] | None:
    """Return the parts of a line after the one Gap, or None if there are more."""
    makers = _makers(position, choice)
    if len(makers) > 1 or not all(_is_shared(choice, line.index(one)) for one in makers):
        return None
    at = min((left.index(one) for one in makers if one in left), default=0)
    return [part for part in (left[:at], left[at:]) if part]


def _is_shared(choice: JudgedChoice, at: int) -> bool:
    """Return whether a unit other than those making the Gap makes an expenditure."""
    assert isinstance(choice.action, Impulse)
    return any(move != "stay" for n, move in enumerate(choice.action.moves) if n != at)


def _finished(
    position: Any, log: Log, parts: Sequence[Sequence[str]], impulses: int, goal: Goal
) -> Iterator[Log]:
    """Yield all continuations, part after part, each to the end of its MPh."""
    if not parts:
        yield log
        return
    exits = places_of([name for aim in goal.aims for name in aim.exit], position.board)
    layer: dict[tuple[Any, Trail], Log] = {(position, Trail()): log}
    for more in range(impulses + 1):
        after: dict[tuple[Any, Trail], Log] = {}
        for (here, trail), before in layer.items():
            line = [name for name in parts[0] if not here.unit(name).offboard.exited]
            if not line:
                yield from _finished(here, before, parts[1:], impulses, goal)
                continue
            ruling = rule(here, End(line[0]))
            if ruling.is_legal:
                whole = (*before, End(line[0]))
                yield from _finished(ruling.after, whole, parts[1:], impulses, goal)
            for choice in acts(here, line) if more < impulses else ():
                there = choice.ruling.after
                if not (is_in_space(here, choice, exits, line) and is_whole(there, line)):
                    continue
                if has_no_gap(here, choice):
                    far = onward(trail, here, there, goal)
                    after.setdefault((there, far), (*before, choice.action))
        layer = after
