"""
The actions possible now: candidates from the verbs' own domains, filtered by ``rule``.

A verb that several units perform as one is factored: one unit *opens* it, it grows entry by entry
in a fixed order, and it can be *closed* wherever it is legal as it is. The entries are further
units that *join* (a stack move; identical units are offered once), or the *moves* of units that
take part anyway (an Impulse of a Convoy). An entry is offered only if the action can still be
closed legally.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.rules.candidates import candidates as candidates
from marchtable.rules.candidates import leads_its_like, worth_trying
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Action, Settle, group_field, moves_field, wider

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.joint import Joint
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling, Violation
    from marchtable.state.position import Position, Unit

__all__ = [
    "JudgedChoice",
    "candidates",
    "choice_of",
    "closed_from",
    "judged_candidates",
    "legal_actions",
    "perft",
]


class JudgedChoice(NamedTuple):
    """
    A possible action.

    Parameters
    ----------
    action
        The action, with the members chosen so far.
    closes
        Whether it is legal as it is.
    joins
        Entries that can be added next (units, or the next member's moves), each leading to at
        least one legal action.
    ruling
        The referee's ruling on it as it is: cost and position after.
    """

    action: Action
    closes: bool
    joins: tuple[str, ...]
    ruling: Ruling


def legal_actions(
    position: Position[Any, Any], unit: str | None = None, *, opened: Action | None = None
) -> list[JudgedChoice]:
    """
    List the possible actions, judging each candidate.

    Same interface and result as the faster :func:`marchtable.play.legal_actions`.
    """
    rulebook = find_rulebook(position.rulebook)
    if position.pending:
        events = _settlements(position)
        return [JudgedChoice(e, True, (), rulebook.rule(position, e)) for e in events]
    if opened is not None:
        joins = _joins(rulebook, position, opened, None, first=unit)
        return [choice_of(rulebook, position, wider(opened, entry), unit) for entry in joins]
    actors = [position.unit(unit)] if unit else rulebook.active(position)
    found: list[JudgedChoice] = []
    for actor in actors:
        if unit is None and not leads_its_like(rulebook, position, actor, ()):
            continue
        for action in worth_trying(rulebook, position, actor):
            choice = choice_of(rulebook, position, action, unit)
            if choice.closes or choice.joins:
                found.append(choice)
    return found


def judged_candidates(
    position: Position[Any, Any],
    unit: Unit,
    types: Sequence[type[Action]] | None = None,
    *,
    to: str | None = None,
) -> list[JudgedChoice]:
    """
    Return all candidates of a unit with their rulings; nothing may be pending.

    Those that neither close nor can be joined are forbidden; the others are its legal actions. With
    `types`, only these verbs; with `to`, only towards that neighbour.
    """
    rulebook = find_rulebook(position.rulebook)
    return [
        choice_of(rulebook, position, action, unit.id)
        for action in candidates(rulebook, position, unit, types, to=to)
        if not rulebook.is_idle(position, unit, action)
    ]


def _settlements(position: Position[Any, Any]) -> list[Settle]:
    first = position.pending[0]
    return [Settle(first.id, odds.outcome) for odds in first.outcomes if odds.chance]


def choice_of(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], action: Action, first: str | None
) -> JudgedChoice:
    """Return an action as a choice; `first` leads the joining units, whatever their order."""
    ruling = rulebook.rule(position, action)
    joins = _joins(rulebook, position, action, ruling, first=first)
    return JudgedChoice(action, ruling.is_legal, joins, ruling)


def _joins(
    rulebook: Rulebook[Any, Any],
    position: Position[Any, Any],
    action: Action,
    ruling: Ruling | None,
    *,
    first: str | None,
) -> tuple[str, ...]:
    """Return the entries that can be added to an action so that it can still be closed legally."""
    joint = rulebook.joint(position, action)
    if joint is not None and (known := joint.closing()) is not None:
        return tuple(known)
    if not _is_curable(rulebook, position, ruling or rulebook.rule(position, action)):
        return ()
    return tuple(
        entry
        for entry in _entries(rulebook, position, action, first)
        if _can_close(rulebook, position, wider(action, entry), first)
    )


def _entries(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], action: Action, first: str | None
) -> Sequence[str]:
    """Return the next possible entries: units that might join, or the next member's moves."""
    if (field := group_field(type(action))) is not None:
        return _next_members(rulebook, position, getattr(action, field), first)
    joint = rulebook.joint(position, action)
    waiting = _waiting(joint, action)
    return joint.moves(waiting[0]) if joint is not None and waiting else ()


def _waiting(joint: Joint | None, action: Action) -> Sequence[str]:
    """Return the members of a joint action whose moves are not chosen yet."""
    field = moves_field(type(action))
    return () if joint is None or field is None else joint.members[len(getattr(action, field)) :]


def _is_curable(rulebook: Rulebook[Any, Any], position: Position[Any, Any], ruling: Ruling) -> bool:
    """
    Return whether more entries might make an action legal.

    Only joint clauses look at the other members. Where each member moves, an entry can only repair
    what concerns a member whose move is not chosen yet.
    """
    faults = (*ruling.violations, *ruling.unsupported)
    if any(rulebook.clause(violation.clause).composes != "joint" for violation in faults):
        return False
    if moves_field(type(ruling.action)) is None:
        return group_field(type(ruling.action)) is not None
    waiting = _waiting(rulebook.joint(position, ruling.action), ruling.action)
    return all(any(name in waiting for name in violation.units) for violation in ruling.violations)


def _next_members(
    rulebook: Rulebook[Any, Any],
    position: Position[Any, Any],
    members: tuple[str, ...],
    first: str | None,
) -> list[str]:
    """Return the units that could join next: same side and Location, later, first of its kind."""
    lead = position.unit(members[0])
    last = -1 if members[-1] == first else position.index[members[-1]]
    return [
        unit.id
        for unit in position.beside(lead.at)
        if unit.side == lead.side
        and unit.id not in members
        and position.index[unit.id] > last
        and leads_its_like(rulebook, position, unit, members)
    ]


def _can_close(
    rulebook: Rulebook[Any, Any],
    position: Position[Any, Any],
    action: Action,
    first: str | None,
    before: Ruling | None = None,
) -> bool:
    """Return whether an action is legal, or more entries make it so; ``before`` the last one was added."""
    ruling = rulebook.rule(position, action)
    if ruling.is_legal:
        return True
    is_move = moves_field(type(action)) is not None
    if before is not None and not is_move and not _eases(before, ruling):
        return False
    return _is_curable(rulebook, position, ruling) and any(
        _can_close(rulebook, position, wider(action, entry), first, ruling)
        for entry in _entries(rulebook, position, action, first)
    )


def _eases(before: Ruling, after: Ruling) -> bool:
    """
    Return whether a unit that joins removes a fault, or makes it smaller.

    Otherwise sets of joining units need not be tried: there are exponentially many.
    """
    faults = (*after.violations, *after.unsupported)
    return not all(
        any(_is_as_bad(other, fault) for other in faults)
        for fault in (*before.violations, *before.unsupported)
    )


def _is_as_bad(other: Violation, fault: Violation) -> bool:
    return (
        other.clause == fault.clause
        and set(other.units) >= set(fault.units)
        and _shortfall(other) >= _shortfall(fault)
    )


def _shortfall(fault: Violation) -> int:
    need, have = fault.need, fault.have
    return need - have if isinstance(need, int) and isinstance(have, int) else 0


def perft(
    position: Position[Any, Any], depth: int, *, divide: bool = False
) -> dict[Action, int] | int:
    """Count closed actions like :func:`marchtable.play.perft`, judging each."""
    if not divide:
        return _count(position, depth)
    return {action: _count(after, depth - 1) for action, after in _closed(position)}


def _count(position: Position[Any, Any], depth: int) -> int:
    if depth <= 0:
        return 1
    if depth == 1:
        return _leaves(position)
    return sum(_count(after, depth - 1) for _, after in _closed(position))


def _leaves(position: Position[Any, Any]) -> int:
    """Return the number of closed actions, using the rulebook's own counts where it has them."""
    rulebook = find_rulebook(position.rulebook)
    found = 0
    for choice in legal_actions(position):
        joint = rulebook.joint(position, choice.action) if choice.joins else None
        known = None if joint is None else joint.closings()
        found += sum(1 for _ in closed_from(position, [choice])) if known is None else known
    return found


def _closed(position: Position[Any, Any]) -> Iterator[tuple[Action, Any]]:
    return closed_from(position, legal_actions(position)[::-1])


def closed_from(
    position: Position[Any, Any], waiting: list[JudgedChoice]
) -> Iterator[tuple[Action, Any]]:
    """Yield each closed action that choices lead to, once, with the position after."""
    rulebook = find_rulebook(position.rulebook)
    while waiting:
        choice = waiting.pop()
        joint = rulebook.joint(position, choice.action)
        if choice.closes and not (joint and joint.is_repeated):
            yield choice.action, choice.ruling.after
        if choice.joins:
            waiting += legal_actions(position, opened=choice.action)[::-1]
