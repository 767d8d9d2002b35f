"""Stacking in one hex (6.9, 20.4, 20.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from marchtable.rules.clause import Bar
from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import clause, phase_cases
from marchtable.state.action import Phase
from marchtable_models.valor.data import figure, works
from marchtable_models.valor.model import ValorPosition, ValorUnit
from marchtable_models.valor.views.units import kind_of, on_their_own

MOVING = ("Movement", "AdvanceAndAssault")
"""Phases in which units move."""


class Stacked(Facts, frozen=True):
    """The units on their own in a hex."""

    # infantry, heavies, guns: infantry; AFVs, vehicles and Guns; and the Guns among them
    infantry: int
    heavies: int
    ends: bool = False  # a move ends
    guns: int = 0
    works: tuple[str, ...] = ()  # kinds of fortifications and entrenchments there


def stack(kinds: Sequence[str], markers: Iterable[str], *, ends: bool = False) -> Stacked:
    """Return the facts of units of some kinds on their own in a hex with markers."""
    infantry, guns = kinds.count("infantry"), kinds.count("gun")
    kept = tuple(sorted({kind for kind in markers if kind in works()}))
    return Stacked(infantry, len(kinds) - infantry, ends, guns, kept)


def stacked(position: ValorPosition, unit: ValorUnit, *, ends: bool = False) -> Stacked:
    """Return the facts of the units on their own in a unit's hex, itself included."""
    there = on_their_own(position, unit.side, unit.at)
    if unit.aboard is not None and unit.at is not None:
        there.append(unit)
    kinds = [kind_of(position, u) for u in there]
    return stack(kinds, position.markers.get(unit.at or "", ()), ends=ends)


@phase_cases
def phase_facts(position: ValorPosition, event: Phase) -> Iterator[Case]:
    """Yield the stacks after a phase of moves."""
    if position.phase in MOVING and event.phase != position.phase:
        own = [u for u in position.units if u.at and u.side == position.side and u.aboard is None]
        for unit in {u.at: u for u in own}.values():
            yield about(unit, stacked(position, unit, ends=True))


def to_be_left(position: ValorPosition, edition: Edition) -> list[str]:
    """List the hexes over their limit that units can only pass through, with the clauses."""
    return [
        f"{unit.at} is over its limit: a unit leaves it before the move ends ({cited(bars)})"
        for unit, bars in over_limit(position, edition)
        if unit.side == position.side
    ]


def cited(bars: Iterable[Bar]) -> str:
    """Return the clauses of some bars, each once."""
    return ", ".join(dict.fromkeys(bar.clause for bar in bars))


def over_limit(
    position: ValorPosition, edition: Edition
) -> Iterator[tuple[ValorUnit, Sequence[Bar]]]:
    """Yield the last unit of a side in each hex over its limit."""
    for _, units in sorted(position.occupants.items()):
        for unit in {u.side: u for u in units if u.aboard is None}.values():
            bars = edition.judge(stacked(position, unit, ends=True)).bars
            if bars:
                yield unit, bars


@clause("V6.9", kind="capacity", composes="joint")
def stacking_limit(facts: Stacked, sheet: Sheet) -> None:
    """At most four infantry, two heavies, or one heavy and two infantry are in a hex as a move ends."""
    if not is_over(facts):
        return
    if facts.ends:
        sheet.bar("the hex would be over its limit as movement ends")
    else:
        sheet.exception("it must leave the hex at once, which is over its limit")


def is_over(facts: Stacked) -> bool:
    """Return whether a hex is over its limit for ending a move."""
    heavies, infantry = figure("V6.9", "heavies"), figure("V6.9", "infantry")
    if facts.heavies:
        infantry = figure("V6.9", "beside_one") if facts.heavies == 1 else 0
    return facts.infantry > infantry or facts.heavies > heavies


@clause("V20.4", kind="capacity")
def occupants(facts: Stacked, sheet: Sheet) -> None:
    """A unit that stops in a hex with a fortification or entrenchment occupies it: Guns only bunkers, sandbags and caves, vehicles and AFVs none."""
    if not facts.ends:
        return
    for kind in facts.works:
        holds = works()[kind].holds
        if facts.heavies > facts.guns or (facts.guns and "gun" not in holds):
            sheet.bar(f"{kind}: it cannot hold the units that stopped there")


@clause("V20.5", kind="capacity", composes="joint")
def bunkers(facts: Stacked, sheet: Sheet) -> None:
    """A bunker holds two infantry or one Gun."""
    if not facts.ends or not any("bunker" in kind for kind in facts.works):
        return
    infantry, guns = figure("V20.5", "infantry"), figure("V20.5", "guns")
    if facts.infantry > infantry or facts.guns > guns or (facts.infantry and facts.guns):
        sheet.bar("the bunker cannot hold that many units")
