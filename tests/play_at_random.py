"""Random play by any rulebook, and the invariants of legal steps.

A step is a candidate action of a unit, one of the events that ``Table`` draws, a roll's outcome, or
the next phase. Legal steps are played, so that unexpected positions occur.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.errors import BadInputError
from marchtable.files.notation import format_action, format_position, parse_action, parse_position
from marchtable.files.scenes import position_of, scene_data
from marchtable.rules.candidates import candidates
from marchtable.rules.generator import legal_actions
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Phase, verb_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position, Unit

    Pos = Position[Any, Any]

__all__ = ["Step", "Table", "fault_of", "played"]

PASSING = ("end", "exit")
"""Verbs that end a unit's move, tried less often."""


class Step(NamedTuple):
    """The action in a position, and its ruling."""

    before: Pos
    action: Action
    ruling: Ruling

    def __str__(self) -> str:
        return format_action(self.action)


class Table(NamedTuple):
    """
    How a rulebook is played at random.

    Parameters
    ----------
    scenes
        By name, what lays out a scene.
    phases
        The phase after each, the first of a Player Turn first.
    events
        Draws something that happens to units, or None.
    varied
        An action with arguments that are judged but never proposed.
    taken_back
        Clauses by which a player may drive himself into a corner: he has to take back his last
        moves then, as a game allows of what turns out to be illegal.
    unstated
        Clauses by which it may be UNSUPPORTED whether the phase may end (a charge past Wire, say).
    """

    scenes: Mapping[str, Callable[[Random], Pos]]
    phases: Mapping[str, str]
    events: Callable[[Pos, Random], Action | None]
    varied: Callable[[Action, Random], Action]
    taken_back: frozenset[str] = frozenset()
    unstated: frozenset[str] = frozenset()


def played(
    table: Table, scene: str, seed: int, most: int, laid: Pos | None = None
) -> Iterator[Step]:
    """Yield the legal ones of this many random steps, from a position if given."""
    random = Random(f"{scene} {seed}")
    position = table.scenes[scene](random) if laid is None else laid
    rulebook = find_rulebook(position.rulebook)
    position = rulebook.check_position(position)
    for _ in range(most):
        action = _drawn(table, position, random)
        if action is None:
            continue
        try:
            ruling = rulebook.rule(position, action)
        except BadInputError:  # an event impossible for such a unit, or a misplaced argument
            continue
        if ruling.is_legal:
            yield Step(position, action, ruling)
            assert ruling.after is not None
            position = ruling.after


def _drawn(table: Table, position: Pos, random: Random) -> Action | None:
    """Return a trial: an outcome, the next phase, an event, or an action of some unit."""
    if position.pending:
        return random.choice([c.action for c in legal_actions(position) if c.closes])
    lot = random.random()
    if lot < 0.04:
        return _next_phase(table, position)
    if lot < 0.12:
        return table.events(position, random)
    sides = find_rulebook(position.rulebook).sides(position)
    actors = [unit for unit in position.units if unit.side in sides]
    if not actors:
        return None
    found = slow_choices(position, random.choice(actors), random)
    return found and table.varied(found, random)


def _next_phase(table: Table, position: Pos) -> Phase:
    """Return the next phase; with the first one the other side's Player Turn begins."""
    after = table.phases[position.phase]
    others = [unit.side for unit in position.units if unit.side != position.side]
    return Phase(
        after, others[0] if others and after == next(iter(table.phases.values())) else None
    )


def slow_choices(position: Pos, unit: Unit, random: Random) -> Action | None:
    """Return a legal action of a unit, by one unit or by several, or None if none is found."""
    rulebook = find_rulebook(position.rulebook)
    if random.random() < 0.3:
        return _joint(position, legal_actions(position, unit.id), random)
    shuffled = list(candidates(rulebook, position, unit))
    random.shuffle(shuffled)
    verbs = sorted({verb_of(action) for action in shuffled})
    random.shuffle(verbs)  # otherwise verbs with many arguments would dominate
    if random.random() < 0.8:
        verbs.sort(key=PASSING.__contains__)
    shuffled.sort(key=lambda action: verbs.index(verb_of(action)))
    for action in shuffled:
        if rulebook.rule(position, action).is_legal:
            return action
    return _joint(position, legal_actions(position, unit.id), random)


def _joint(position: Pos, choices: Sequence[Any], random: Random) -> Action | None:
    """Return one of the choices, with units that join it."""
    choice = random.choice(choices) if choices else None
    while choice is not None and not (
        choice.closes and (not choice.joins or random.random() < 0.4)
    ):
        wider = legal_actions(position, opened=choice.action)
        choice = random.choice(wider) if wider else None
    return choice.action if choice else None


def fault_of(table: Table, step: Step) -> str:
    """Return the error in the position after a legal step, or ``""``."""
    after = step.ruling.after
    assert after is not None
    rulebook = find_rulebook(after.rulebook)
    if unspent := _unspent(step):
        return f"what it costs is not spent: {unspent}"
    said = format_action(step.action)
    if parse_action(said, rulebook) != step.action:
        return f"the action is written {said!r}, which is another"
    try:
        again = position_of(scene_data(after), source="scene")
    except BadInputError as error:
        return f"its scene is refused: {error}"
    if (again.units, again.counters, again.conditions, again.pending) != (
        after.units, after.counters, after.conditions, after.pending,
    ):  # fmt: skip
        return "its scene reads back as another"
    if parse_position(format_position(after), after.board) != after:
        return "its notation reads back as another"
    return _stuck(table, after)


def _unspent(step: Step) -> dict[str, tuple[int, int]]:
    """Return what units have paid and what they have spent, if these differ."""
    before, after = step.before, step.ruling.after
    assert after is not None
    spent = find_rulebook(before.rulebook).spent
    paid: Counter[str] = Counter()
    for receipt in step.ruling.receipts:
        paid[receipt.unit] += receipt.amount
    found = {
        name: (amount, spent(after.unit(name)) - spent(before.unit(name)))
        for name, amount in paid.items()
        if name in after.index and after.unit(name).at is not None
    }
    return {name: both for name, both in found.items() if both[0] != both[1]}


def _stuck(table: Table, position: Pos) -> str:
    """Return why play cannot continue, or ``""`` if it can."""
    rulebook = find_rulebook(position.rulebook)
    if position.pending:
        bad = [c for c in legal_actions(position) if not (c.closes and c.ruling.after)]
        return f"an outcome is not legal: {format_action(bad[0].action)}" if bad else ""
    ruling = rulebook.rule(position, _next_phase(table, position))
    if ruling.is_legal or legal_actions(position):
        return ""
    if table.taken_back.intersection(bar.clause for bar in ruling.violations):
        return ""
    if not ruling.violations and table.unstated.intersection(
        bar.clause for bar in ruling.unsupported
    ):
        return ""
    return f"nothing is legal, nor the next phase: {[v.clause for v in ruling.violations]}"
