"""Entering: what applies to units, alone or stacked, that go from one Location to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from marchtable.rules.facts import Bill, Case, Edition
from marchtable.rules.subjects import cases, effect
from marchtable.state.action import Action, verb_of
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.model import ACTIONS, AslPosition, AslUnit, Enter, MinimumMove, actors
from marchtable_models.asl.occasions import CARRYING, ENTRY
from marchtable_models.asl.rules.armored_assault import escorts_facts
from marchtable_models.asl.rules.leaders import partings
from marchtable_models.asl.rules.stacks import group, members
from marchtable_models.asl.verbs import Advance, Along, Bypass, Descend, Exit, Into, Stairs
from marchtable_models.asl.views import movers, reading, spending
from marchtable_models.asl.views.cargo import carried_by
from marchtable_models.asl.views.chart import has_second_way
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.flight import routs_aside
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.standing import on_trail, standing_of
from marchtable_models.asl.views.steps import WITHIN, facts_of_step, hexes

Entering = Enter | MinimumMove | Exit | Advance | Bypass | Along | Into | Stairs | Descend
ENTRIES = [verb for verb in ACTIONS if "enters" in getattr(verb, "traits", ())]


@cases(*ENTRIES, Stairs)
def entry_facts(position: AslPosition, action: Entering, edition: Edition) -> Iterator[Case]:
    ids = actors(action)
    units = members(position, ids)
    if isinstance(action, Stairs) and routs_aside(position, units):
        return  # another subject
    if type(action) in WITHIN:
        to = units[0].at
    else:
        to = None if type(action) is Exit else position.board.resolve(action.to)  # type: ignore[union-attr]
    stack = movers.party(position, units)
    taken = [tuple(facts_of_step(position, unit, to, stack, action)) for unit in units]
    if len(units) > 1 and isinstance(action, Enter):
        taken = _each_its_own(taken)
    found: Iterable[Case] = _of_each(position, units, taken, action, to, edition)
    if len(units) > 1:
        found = [*found]
        needed = not isinstance(action, MinimumMove) or any(
            isinstance(case.facts, Entry)
            and spending.is_short(position, position.unit(case.units[0]), case.facts, edition)
            for case in found
        )
        yield Case(ids, group(position, units, verb_of(action), needed=needed), hexes(units[0].at))
    yield from found
    yield from interrupted(position, units, edition)
    carry = [u for u in units if u.move.armored == u.id or reading.type_of(position, u).mounts]
    if carry or any([reading.type_of(position, unit).leads for unit in units]):  # noqa: C419 - quicker
        aboard = [u.id for unit in carry for u in carried_by(position, unit)]  # units carried there
        yield from partings(position, (*ids, *aboard), edition)


def _of_each(
    position: AslPosition, units: Sequence[AslUnit], taken: list[tuple[Any, ...]], action: Entering,
    to: str | None, edition: Edition,
) -> Iterator[Case]:  # fmt: skip
    """Yield the facts of each unit's standing and steps, and of who accompanies it."""
    for unit, steps in zip(units, taken, strict=True):
        who, where = (unit.id,), hexes(unit.at, to)
        yield Case(who, on_trail(standing_of(position, unit, verb_of(action)), steps), where)
        for facts in steps:
            yield Case(who, facts, where)
            yield from _of_carried(position, unit, facts, edition)
            yield from edition.subjects.beside(position, unit, facts, edition)
        yield from edition.subjects.ask(ENTRY, [unit], position, unit, action, to, units, edition)
    yield from escorts_facts(position, units, taken, to, action, edition)


def _of_carried(position: AslPosition, unit: AslUnit, facts: Any, edition: Edition) -> list[Case]:
    """Return the facts of the units that a vehicle carries as it makes a step."""
    if unit.facing is None or not isinstance(facts, Entry):
        return []
    found: list[Case] = edition.subjects.ask(CARRYING, [], position, unit, facts, edition)
    return found


def _each_its_own(taken: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return a stack's steps with an AFV: options of one unit are its own (D9.31)."""
    entries = [facts for steps in taken for facts in steps if isinstance(facts, Entry)]
    if not any(facts.mover.is_vehicle for facts in entries):
        return taken
    ways = any(facts.half and has_second_way(facts) for facts in entries)

    def own(facts: Any) -> Any:
        if not isinstance(facts, Entry):
            return facts
        if facts.half and ways and not has_second_way(facts):
            facts = facts.replace(half=False)
        return facts if facts.mover.is_vehicle else facts.replace(extra=0, rest=False)

    return [tuple(map(own, steps)) for steps in taken]


@effect(*ACTIONS)
def after_shared(position: AslPosition, action: Action, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after an action of which several subjects speak."""
    return after_action(position, action, bills)
