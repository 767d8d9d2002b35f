"""Counters whose effect on movement is not modelled."""

from __future__ import annotations

from marchtable.rules.subjects import not_modelled
from marchtable_models.asl.counterkinds import is_known
from marchtable_models.asl.rules.manning import Abandonment
from marchtable_models.asl.rules.unloading import Alight
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.vehicle_facts import Swing


def _all_counters(facts: Entry | Swing | Alight | Abandonment) -> tuple[str, ...]:
    """Return the kinds of counters in a unit's Location and its destination."""
    there: tuple[str, ...] = getattr(getattr(facts, "there", None), "counters", ())
    return (*facts.counters_here, *there)


@not_modelled("x-counter")
def counters(facts: Entry | Swing | Alight | Abandonment) -> bool:
    """A counter in the Location whose effect on movement is not modelled."""
    return not all(map(is_known, _all_counters(facts)))
