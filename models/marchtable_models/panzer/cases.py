"""Which facts bear on which action, and on the end of a phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable.rules.rulebook import Case
from marchtable.state.records import replace
from marchtable_models.panzer.extraction import gunnery, reading, stacks
from marchtable_models.panzer.facts.steps import Leaving, Owing
from marchtable_models.panzer.orders import (
    Assault,
    Exit,
    Fire,
    Hit,
    Load,
    Move,
    Observe,
    Overrun,
    Recover,
    Remove,
    Unload,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action, Phase
    from marchtable_models.panzer.extraction.reading import PanzerPosition
    from marchtable_models.panzer.model import PanzerUnit

__all__ = ["of_action", "of_phase"]


def of_action(position: PanzerPosition, action: Action, edition: Edition) -> Sequence[Case]:
    """Return the facts that bear on an action; a removal that is owed comes before all else."""
    if isinstance(action, Overrun):
        return [*_owing(position, edition), *_of_overrun(position, action)]
    if isinstance(action, Assault):
        return [*_owing(position, edition), *_of_assault(position, action)]
    unit = position.unit(action.unit)  # type: ignore[attr-defined]
    if isinstance(action, Remove):
        facts = gunnery.removal(position, unit, edition)
        return [Case((unit.id,), facts, _hexes(unit))]
    found = _owing(position, edition)
    if isinstance(action, Move):
        found += _of_move(position, unit, action)
    elif isinstance(action, Exit):
        found += _of_exit(position, unit)
    elif isinstance(action, Load | Unload):
        found += _of_pair(position, unit, position.unit(action.passenger), action)
    elif isinstance(action, Fire):
        found.append(Case((unit.id,), gunnery.firing(position, unit), _hexes(unit)))
    elif isinstance(action, Observe):
        found.append(Case((unit.id,), gunnery.observing(position, unit), _hexes(unit)))
    elif isinstance(action, Hit):
        found += _of_hit(position, unit, action, edition)
    else:
        assert isinstance(action, Recover)
        found.append(Case((unit.id,), gunnery.recovering(unit), _hexes(unit)))
    return found


def _of_hit(
    position: PanzerPosition, unit: PanzerUnit, action: Hit, edition: Edition
) -> list[Case]:
    """Return the facts of a unit that is hit, of its partners, and of the stack where these part."""
    found = [Case((unit.id,), gunnery.target(position, unit, action), _hexes(unit))]
    for other, facts in gunnery.shared(position, unit, action):
        found.append(Case((other.id,), facts, _hexes(unit)))
        if any(forced.field == "thrown" for forced in edition.judge(facts).forced):
            carrier = position.unit(facts.transport)
            recorded = stacks.unload_record(position, carrier, other)
            found.append(Case((carrier.id,), recorded, _hexes(carrier)))
    return found


def _hexes(unit: PanzerUnit) -> tuple[str, ...]:
    return (unit.at,) if unit.at is not None else ()


def _owing(position: PanzerPosition, edition: Edition) -> list[Case]:
    pair = gunnery.owed(position, edition)
    return [Case(tuple(u.id for u in pair), Owing(), _hexes(pair[0]))] if pair else []


def _of_move(position: PanzerPosition, unit: PanzerUnit, action: Move) -> list[Case]:
    to = position.board.resolve(action.to)
    hexes = (*_hexes(unit), to)
    found = [
        Case((unit.id,), reading.mobile(position, unit), _hexes(unit)),
        Case((unit.id,), reading.stack(position, unit, "enter", at=to), (to,)),
        Case((unit.id,), reading.step(position, unit, to, concealed=action.concealed), hexes),
    ]
    recorded = stacks.enter_record(position, unit, to)
    return found if recorded is None else [*found, Case((unit.id,), recorded, (to,))]


def _of_exit(position: PanzerPosition, unit: PanzerUnit) -> list[Case]:
    edge = unit.at is not None and position.board.is_at_edge(unit.at)
    facts = (reading.mobile(position, replace(unit, entering=())), Leaving(edge))
    return [Case((unit.id,), one, _hexes(unit)) for one in facts]


def _of_assault(position: PanzerPosition, action: Assault) -> list[Case]:
    """Return the facts of each that assaults; raises BadInputError if nobody does."""
    if not action.units:
        raise BadInputError("expected at least one unit", field="units")
    to = position.board.resolve(action.to)
    return [
        Case((unit.id,), gunnery.assaulting(position, unit, to, action.units), (*_hexes(unit), to))
        for unit in map(position.unit, action.units)
    ]


def _of_overrun(position: PanzerPosition, action: Overrun) -> list[Case]:
    """Return the facts of each that drives through; raises BadInputError if nobody does."""
    if not action.units:
        raise BadInputError("expected at least one unit", field="units")
    found, to = [], position.board.resolve(action.to)
    for unit in map(position.unit, action.units):
        who = (unit.id,)
        waiting = replace(unit, entering=())  # nobody drives through a hex from off the map
        found.append(Case(who, reading.mobile(position, waiting), _hexes(unit)))
        if unit.at is None:
            continue
        hexes, away = (unit.at, to), position.board.beyond(unit.at, to)
        found.append(Case(who, reading.overrunning(position, unit, to, action.units), hexes))
        found.append(Case(who, reading.step(position, unit, to, overruns=True), hexes))
        if away is not None:
            there = position.with_units([replace(unit, at=to, entered=True)])
            onward = reading.step(there, there.unit(unit.id), away, overruns=True, beyond=True)
            found.append(Case(who, onward, (to, away)))
            stack = reading.stack(position, unit, "enter", at=away)
            found.append(Case(who, stack, (away,)))
    return found


def _of_pair(
    position: PanzerPosition, unit: PanzerUnit, passenger: PanzerUnit, action: Load | Unload
) -> list[Case]:
    ids, hexes = (unit.id, passenger.id), _hexes(unit)
    if isinstance(action, Unload):
        return [
            Case(ids, reading.unloading(position, unit, passenger), hexes),
            Case(ids, reading.stack(position, unit, "unload"), hexes),
            Case((unit.id,), stacks.unload_record(position, unit, passenger), hexes),
        ]
    return [
        Case(ids, reading.loading(position, unit, passenger), hexes),
        Case(ids, reading.burden(position, unit, 1), hexes),
        Case(ids, reading.pairing(position, unit, passenger), hexes),
        Case(ids, reading.stack(position, unit, "load"), hexes),
        Case((unit.id,), stacks.load_record(position, unit, "transport", ids), hexes),
        Case((passenger.id,), stacks.load_record(position, unit, "passenger", ids), hexes),
    ]


def of_phase(position: PanzerPosition, event: Phase, edition: Edition) -> Sequence[Case]:
    """Return what is owed, what follows what, and, as units have moved, their side's stacks."""
    found = [*_owing(position, edition), Case((), reading.sequence(position, event))]
    if position.phase != "Movement":
        return found
    for at in position.occupied:
        own = [u for u in position.beside(at) if u.side == position.side]
        if own:
            facts = reading.stack(position, own[0], "end", at=at)
            found.append(Case(tuple(u.id for u in own), facts, (at,)))
    return found
