"""Which clauses together forbid what a goal demands: a smallest set, found by switching them off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.clause import without
from marchtable.planning.model import Reason, Task
from marchtable.planning.reasons import clauses_against
from marchtable.referee import check
from marchtable_models.panzer import eligibility, fire, movement, stacking, transport

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.action import Action
    from marchtable.planning.model import Control, PlanModel
    from marchtable.ruling import Violation
    from marchtable_models.panzer.survey import PanzerPosition

__all__ = ["CANDIDATES", "STACKING", "blamed"]

CANDIDATES = tuple(
    one.id
    for one in (
        eligibility.riders, eligibility.armed_carriers, eligibility.by_class, fire.observer_aboard,
        transport.dispersed, transport.exclusive, transport.wholly, transport.passenger_rests,
        transport.one_of_three, stacking.unloading, transport.half, movement.pay,
    )
)  # fmt: skip
"""Clauses that are blamed first; the map, its costs and whose phase it is are taken as given."""
STACKING = stacking.game_rules.id
"""It also sets the road rate, so that without it less may be possible: it is never off but alone."""
ANY = Task({}, {}, {})


def blamed(
    position: PanzerPosition, control: Control, model: Callable[[], PlanModel]
) -> tuple[Reason, ...] | None:
    """
    Return clauses that together forbid a goal's demands, so that none of them can be spared.

    Without any one of them, the others kept, the demands can be met: by a log that breaks only
    that one clause, which tells the units and the numbers. Where these clauses forbid nothing, any
    of the rulebook may be blamed. None if a limit was reached.
    """
    found = _blamed(position, control, model)
    return found if found != () else clauses_against(position, model, control)


def _blamed(
    position: PanzerPosition, control: Control, model: Callable[[], PlanModel]
) -> tuple[Reason, ...] | None:
    kept = list(CANDIDATES)
    logs: dict[str, tuple[Action, ...]] = {}
    for name in (*CANDIDATES, STACKING):
        off = [c for c in CANDIDATES if c not in kept or c == name]
        off = [*off, name] if name == STACKING else off
        status, log = _met(off, control, model)
        if log is not None:
            logs[name] = log
        elif status != "IMPOSSIBLE":
            return None
        elif name in kept:
            kept.remove(name)
    spared = [name for name in CANDIDATES if name not in kept]
    return tuple(_reason(position, name, log, spared) for name, log in logs.items())


def _met(
    off: Sequence[str], control: Control, model: Callable[[], PlanModel]
) -> tuple[str, tuple[Action, ...] | None]:
    """Return whether the demands can be met with some clauses switched off, and how."""
    with without(*off):
        found = model().best(ANY, control)
    return found.status, found.log


def _reason(
    position: PanzerPosition, name: str, log: tuple[Action, ...], off: Sequence[str]
) -> Reason:
    with without(*off):
        broken = [v for v in check(position, log).violations if v.clause == name]
    if not broken:
        return Reason(clause=name)
    first = broken[0]
    return Reason(clause=name, units=first.units, numbers=_numbers(first))


def _numbers(violation: Violation) -> tuple[tuple[str, int | float | str], ...]:
    """Return what a violation needs and has, in points where these are points."""
    pairs = (("need", violation.need), ("have", violation.have))
    return tuple(
        (word, number / 2 if violation.halves and isinstance(number, int) else number)
        for word, number in pairs
        if number is not None
    )
