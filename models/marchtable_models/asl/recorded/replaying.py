"""A recorded phase, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.refereeing import UNSEEN, Replay, Shown
from marchtable_models.asl.recorded.views import DUMMY

if TYPE_CHECKING:
    from marchtable_models.asl.recorded.views import Seen, Segment


def replay_of(segment: Segment) -> Replay:
    """Return the places of a phase's units, and the changes of each step."""
    start = {name: _shown(seen) for name, seen in segment.start.items()}
    steps = []
    for event in segment.events:
        both = {name: (_shown(one), _shown(other)) for name, (one, other) in event.changed.items()}
        if changed := {name: pair for name, pair in both.items() if any(pair)}:
            steps.append((event.step, changed))
    return Replay({name: one for name, one in start.items() if one is not None}, steps)


def _shown(seen: Seen | None) -> Shown | None:
    """Return a unit's look, None if it is not on or beside the map, or not seen."""
    if seen is None or seen.gone or seen.veil == UNSEEN:
        return None
    return Shown(
        called="?" if seen.class_ == DUMMY else seen.called,
        side=seen.side,
        at=seen.at,
        facing=seen.facing,
        states=tuple(name for name, value in seen.fields.items() if value is True),
    )
