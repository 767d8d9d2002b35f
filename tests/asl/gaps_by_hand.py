"""All plans of a small Convoy in which one Gap is made, by brute force: the generator, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.score import Measure
from marchtable.rules.referee import check, rule
from marchtable_models.asl.model import End
from marchtable_models.asl.rules.impulse_moves import Impulse
from tests.asl.convoys_by_hand import KEYS, Trail, acts, is_in_space, is_whole, line_of, onward

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.generator import Choice
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal

__all__ = ["all_parted"]

Log = tuple["Action", ...]
NOWHERE: frozenset[str] = frozenset()


def all_parted(position: Any, goal: Goal, impulses: int) -> dict[tuple[int, ...], Log]:
    """Return a plan with a Gap for each score that there is."""
    line, measure = line_of(position), Measure(position, goal)
    found: dict[tuple[int, ...], Log] = {}
    layer: dict[tuple[Any, Trail], Log] = {(position, Trail()): ()}
    for made in range(1, impulses + 1):
        after: dict[tuple[Any, Trail], Log] = {}
        for (here, trail), log in layer.items():
            for choice in acts(here, line):
                if is_in_space(here, choice, NOWHERE, line):
                    there = choice.ruling.after
                    longer = (*log, choice.action)
                    if is_whole(there, line):
                        after.setdefault((there, onward(trail, here, there, goal)), longer)
                    elif (at := _parted(there, line)) and _is_shared(choice, at):
                        parts = (line[:at], line[at:])
                        for whole in _finished(there, longer, parts, impulses - made, goal):
                            measured = measure.of(check(position, whole))
                            if measured.is_kept:
                                found[tuple(measured.score[key] for key in KEYS)] = whole
        layer = after
    return found


def _parted(position: Any, line: Sequence[str]) -> int:
    """Return before which vehicle, by number, the one Gap is; 0 if there are more."""
    names = [position.unit(name).line.convoy or name for name in line]
    gaps = [at for at in range(1, len(line)) if names[at] != names[at - 1]]
    return gaps[0] if len(gaps) == 1 else 0


def _is_shared(choice: Choice, at: int) -> bool:
    """Return whether another than who makes the Gap makes an expenditure."""
    assert isinstance(choice.action, Impulse)
    return any(move != "stay" for n, move in enumerate(choice.action.moves) if n != at)


def _finished(
    position: Any, log: Log, parts: Sequence[Sequence[str]], impulses: int, goal: Goal
) -> Iterator[Log]:
    """Yield all ways to go on, part after part, each to the end of its MPh."""
    if not parts:
        yield log
        return
    line, lead = parts[0], parts[0][0]
    layer: dict[tuple[Any, Trail], Log] = {(position, Trail()): log}
    for more in range(impulses + 1):
        after: dict[tuple[Any, Trail], Log] = {}
        for (here, trail), before in layer.items():
            ruling = rule(here, End(lead))
            if ruling.is_legal:
                whole = (*before, End(lead))
                yield from _finished(ruling.after, whole, parts[1:], impulses, goal)
            for choice in acts(here, line) if more < impulses else ():
                there = choice.ruling.after
                if is_in_space(here, choice, NOWHERE, line) and is_whole(there, line):
                    far = onward(trail, here, there, goal)
                    after.setdefault((there, far), (*before, choice.action))
        layer = after
