"""Phases and turns (5.3): their order and effects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from marchtable.rules.facts import Facts, Sheet
from marchtable.rules.subjects import clause, phase_cases
from marchtable.state.action import Phase
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.valor.model import PHASES, ValorPosition, ValorUnit


class Succession(Facts, frozen=True):
    """A phase that begins."""

    # it is in the same Player Segment, and follows the phase that ends
    same_side: bool
    later: bool
    known: bool  # the side it names, if any, is in the game


@phase_cases
def phase_facts(position: ValorPosition, event: Phase) -> Succession:
    """Return the facts of the new phase; with one side on the map, any other side is accepted."""
    sides = {position.side, *(unit.side for unit in position.units)}
    return Succession(
        same_side=(event.side or position.side) == position.side,
        later=PHASES.index(event.phase) > PHASES.index(position.phase),
        known=not event.side or event.side in sides or len(sides) == 1,
    )


def begun(position: ValorPosition, event: Phase) -> tuple[str, ...]:
    """Return the phases skipped, if any, and the new one."""
    here, there = PHASES.index(position.phase), PHASES.index(event.phase)
    if event.side not in (None, position.side):
        return (*PHASES[here + 1 :], *PHASES[: there + 1])
    return PHASES[here + 1 : there + 1] or (event.phase,)


@clause("V5.3", kind="action")
def sequence(facts: Succession, sheet: Sheet) -> None:
    """Phases of a Player Segment follow in order; empty phases can be skipped; then the other side's follow."""
    if not facts.known:
        sheet.bar("no such side is in the game")
    elif facts.same_side and not facts.later:
        note = "this phase is not later than the one that ends; a new turn begins with the other side's phases"
        sheet.bar(note)


class Start(NamedTuple):
    """The start of a phase: whether the turn's attacks and moves are then over."""

    new_turn: bool


def after_start(
    position: ValorPosition, event: Phase, changes: Callable[[ValorUnit, Start], dict[str, Any]]
) -> ValorPosition:
    """
    Return the position as a phase begins; ``changes`` gives the changed fields of a unit.

    Fire markers are removed in the After-Action Phase, even if it is skipped.
    """
    side = event.side or position.side
    first = position.units[0].side if position.units else side
    lapsed = {"phase"} | ({"turn"} if event.side else set())
    phases = begun(position, event)
    start = Start("AfterAction" in phases or side != position.side)
    counters = tuple(c for c in position.counters if c.until not in lapsed)
    return replace(
        position.with_units([replace(unit, **changes(unit, start)) for unit in position.units]),
        phase=event.phase,
        side=side,
        turn=position.turn + (side != position.side and side == first),
        counters=_drifting(counters, phases),
    )


def _drifting(counters: tuple[Counter, ...], begun: Sequence[str]) -> tuple[Counter, ...]:
    """Return the counters, with smoke dispersing in After-Action Phases (5.36)."""
    if "AfterAction" not in begun:
        return counters
    kept = [c for c in counters if c.kind != "smoke1"]
    return tuple(replace(c, kind="smoke1") if c.kind == "smoke2" else c for c in kept)
