"""Reads off a position what units of one hex are to each other: carriers, stacks, helpful leaders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable_models.valor.clauses.transport import capacity as capacity_clause
from marchtable_models.valor.clauses.transport import portage as portage_clause
from marchtable_models.valor.data import figure, works
from marchtable_models.valor.extraction import reading
from marchtable_models.valor.facts.losses import Boarding, March, Portage, Stacked, Trial

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.rules.clause import Bar
    from marchtable.rules.edition import Edition
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import ValorUnit

__all__ = [
    "boarding", "march", "on_their_own", "over_capacity", "over_limit", "overloaded", "portage", "stack", "stacked", "to_be_left", "trial",
]  # fmt: skip


def boarding(
    position: ValorPosition,
    unit: ValorUnit,
    other: ValorUnit | None,
    load: Sequence[ValorUnit] | None = None,
) -> Boarding:
    """Return the facts of loading a unit on another, beside what that carries, or of unloading it."""
    carrier = reading.carrier_of(position, unit) if other is None else other
    kind = reading.type_of(position, unit)
    common: dict[str, Any] = {
        "verb": "unload" if other is None else "load", "phase": position.phase,
        "own_turn": unit.side == position.side, "pinned": unit.pinned, "aboard": unit.aboard is not None,
        "handled": unit.handled or "", "moved": unit.moved,
    }  # fmt: skip
    if carrier is None:
        return Boarding(**common, carrier_pinned=False, together=False, carrier=False)
    holds = reading.type_of(position, carrier)
    beside = reading.cargo(position, carrier) if load is None else load
    kinds = [reading.type_of(position, u) for u in (*beside, unit)]
    return Boarding(
        **common,
        carrier_pinned=carrier.pinned,
        together=unit.at is not None and unit.at == carrier.at and unit.side == carrier.side,
        carrier=not holds.is_infantry and holds.class_ != "gun" and kind.class_ not in ("vehicle", "afv"),
        carrier_handled=carrier.handled or "",
        half_squads=sum({"squad": figure("V8.1", "squad"), "half-squad": 1}.get(entry.class_, 0) for entry in kinds),
        leaders=sum(entry.class_ == "leader" for entry in kinds),
        weapons=sum(carried.light + carried.heavy for u in (*beside, unit) for carried in (portage(position, u),)),
        guns=sum(entry.class_ == "gun" for entry in kinds),
        carries=holds.carries, tows=holds.tows, is_gun=kind.class_ == "gun", large=kind.mp == 0,
    )  # fmt: skip


def on_their_own(position: ValorPosition, side: str, at: str | None) -> list[ValorUnit]:
    """Return the units of a side that stand in a hex and are aboard nobody."""
    there = position.occupants.get(at or "", ())
    return [u for u in there if u.side == side and u.aboard is None]


def stack(kinds: Sequence[str], markers: Iterable[str], *, ends: bool = False) -> Stacked:
    """Return the facts of units of some kinds that stand on their own in a hex in which markers lie."""
    infantry, guns = kinds.count("infantry"), kinds.count("gun")
    kept = tuple(sorted({kind for kind in markers if kind in works()}))
    return Stacked(infantry, len(kinds) - infantry, ends, guns, kept)


def stacked(position: ValorPosition, unit: ValorUnit, *, ends: bool = False) -> Stacked:
    """Return what stands on its own in a unit's hex, the unit included."""
    there = on_their_own(position, unit.side, unit.at)
    if unit.aboard is not None and unit.at is not None:
        there.append(unit)
    kinds = [reading.kind_of(position, u) for u in there]
    return stack(kinds, position.markers.get(unit.at or "", ()), ends=ends)


def portage(position: ValorPosition, unit: ValorUnit) -> Portage:
    """Return what support weapons a unit carries; expendable ones are nobody's (12.5)."""
    classes = [reading.weapon_of(position, name).class_ for name in unit.sw]
    leader = reading.type_of(position, unit).class_ == "leader"
    return Portage(leader, classes.count("L"), classes.count("H"))


def overloaded(position: ValorPosition, edition: Edition) -> list[str]:
    """Name the units that carry more than they can, with the clauses."""
    found = [
        f"{unit.id} carries more than it may of support weapons ({portage_clause.id})"
        for unit in position.units
        if unit.sw and edition.judge(portage(position, unit)).bars
    ]
    found += [
        f"{carrier.id} carries more than it may ({_cited(bars)})"
        for carrier in position.units
        if (bars := over_capacity(position, carrier, edition))
    ]
    return found


def to_be_left(position: ValorPosition, edition: Edition) -> list[str]:
    """Name the hexes over their limit that units can only pass through, with the clauses."""
    return [
        f"{unit.at} is over its limit: a unit leaves it before the move ends ({_cited(bars)})"
        for unit, bars in over_limit(position, edition)
        if unit.side == position.side
    ]


def _cited(bars: Iterable[Bar]) -> str:
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


def over_capacity(
    position: ValorPosition, carrier: ValorUnit, edition: Edition, *, weapons: bool = True
) -> tuple[Bar, ...]:
    """Return how a vehicle's load exceeds its capacity; ``weapons``: count support weapons, too."""
    load = reading.cargo(position, carrier) if carrier.at is not None else ()
    if not load:
        return ()
    facts = msgspec.structs.replace(boarding(position, load[-1], carrier, load[:-1]), aboard=False)
    if not weapons:
        facts = msgspec.structs.replace(facts, weapons=0)
    return tuple(bar for bar in edition.judge(facts).bars if bar.clause == capacity_clause.id)


def march(position: ValorPosition, unit: ValorUnit, *, told: bool) -> March:
    """Return the facts of a move of a unit, which is named itself."""
    there = stacked(position, unit)
    return March(
        told, unit.aboard is not None, unit.settled, there.infantry,
        there.heavies, reading.kind_of(position, unit) in ("vehicle", "afv"),
    )  # fmt: skip


def trial(position: ValorPosition, unit: ValorUnit) -> Trial:
    """Return the facts of an attempt to rally."""
    kind, carrier = reading.type_of(position, unit), reading.carrier_of(position, unit)
    there = position.occupants.get(unit.at or "", ())
    leaders = [
        reading.type_of(position, u).modifier
        for u in there
        if u.side == unit.side and not u.pinned and reading.type_of(position, u).class_ == "leader"
    ]
    return Trial(
        "leader" if kind.class_ == "leader" else reading.kind_of(position, unit), kind.elite,
        position.phase, unit.side == position.side, unit.at is not None, unit.pinned, unit.tried,
        min([0, *leaders]), with_pinned=carrier is not None and carrier.pinned,
    )  # fmt: skip
