"""The actions to try for a unit: every argument that its verbs' domains allow nearby, filtered."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

from marchtable.rules.clause import switched_off
from marchtable.state.action import Action, group_field, moves_field, parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.rules.clause import Finding
    from marchtable.rules.judging import Case
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.position import Position, Unit

__all__ = [
    "candidates",
    "is_worth_ruling",
    "leading_field",
    "leads_its_like",
    "worth_trying",
]


def worth_trying(
    rulebook: Rulebook[Any, Any],
    position: Position[Any, Any],
    unit: Unit,
    types: Sequence[type[Action]] | None = None,
) -> Iterator[Action]:
    """Yield the candidates, of all verbs or some, that nothing forbids whatever follows."""
    verbs = rulebook.choices_of() if types is None else types
    # with a clause off, the shortcut is not safe
    sighted = unit.at is not None and not switched_off()
    travel = rulebook.travel_in(position, unit) if sighted else ()
    for action in candidates(rulebook, position, unit, verbs):
        if rulebook.is_idle(position, unit, action):
            continue
        if type(action) in travel and _is_out_of_sight(rulebook, position, unit, action):
            continue
        if is_worth_ruling(rulebook, position, action):
            yield action


def is_worth_ruling(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], action: Action
) -> bool:
    """Return whether no fact of an action forbids it for every continuation."""
    edition = rulebook.edition(position)
    cases: list[Case] = []
    findings: list[Finding] = []
    for case in rulebook.cases(position, action):
        cases.append(case)
        findings.append(found := edition.judge(case.facts))
        if is_hopeless(rulebook, type(action), found):
            return False
    position.__dict__["cases"] = (action, edition, cases, findings)  # for the ruling that follows
    return True


def _is_out_of_sight(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, action: Action
) -> bool:
    """Return whether the map forbids a unit's action in any case, by reach's own facts."""
    name = leading_field(type(action))
    to = unit.at if name is None else position.board.resolve(getattr(action, name))
    if name is not None and to == unit.at:  # such as Bypass on round the same hex
        return False
    ground = rulebook.ground(position.board, str(unit.at), str(to))
    return rulebook.sight(ground, rulebook.mode(unit), action) is None


@cache
def leading_field(verb: type[Action]) -> str | None:
    """Return the field of a verb that names its destination, if it has one."""
    return next((p.name for p in parameters(verb) if p.domain == "adjacent"), None)


def is_hopeless(rulebook: Rulebook[Any, Any], verb: type[Action], found: Finding) -> bool:
    """Return whether an action with this finding stays illegal whatever is added to it."""
    if found.is_plain:
        return False
    grows = group_field(verb) is not None or moves_field(verb) is not None
    faults = (*found.bars, *found.unsupported)
    return any(not grows or rulebook.clause(b.clause).composes != "joint" for b in faults)


def candidates(
    rulebook: Rulebook[Any, Any],
    position: Position[Any, Any],
    unit: Unit,
    types: Sequence[type[Action]] | None = None,
    *,
    to: str | None = None,
    free: bool = True,
) -> Iterator[Action]:
    """
    Yield the candidates of a unit: each verb with every argument its domains allow nearby.

    With `types`, only these verbs; with `to`, only towards that neighbour; without `free`, only the
    default of arguments whose domain is free.
    """
    for action_type in rulebook.choices_of() if types is None else types:
        domains = [
            (to,)
            if to and parameter.domain == "adjacent"
            else (parameter.default,)
            if not free and parameter.domain == "free"
            else tuple(_domain(rulebook, position, unit, parameter))
            for parameter in parameters(action_type)
        ]
        for arguments in product(*domains):
            yield action_type(*arguments)


def _domain(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, parameter: Any
) -> Iterable[Any]:
    if parameter.domain == "unit":
        return (unit.id,)
    if parameter.domain in ("companions", "moves"):  # opened: by one unit, or without moves
        return ((unit.id,),) if parameter.domain == "companions" else ((),)
    if parameter.domain == "fellow":
        return (
            other.id
            for other in position.beside(unit.at)
            if other is not unit and leads_its_like(rulebook, position, other, (unit.id,))
        )
    if parameter.domain == "adjacent":
        return rulebook.next_to(position, unit)
    if parameter.domain == "location":
        return position.board.index
    return rulebook.values(position, unit, parameter)


def leads_its_like(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, members: tuple[str, ...]
) -> bool:
    """Return whether every interchangeable unit that precedes this one is already a member."""
    key = rulebook.alike(position, unit)
    return all(
        other.id in members or rulebook.alike(position, other) != key
        for other in position.beside(unit.at)
        if position.index[other.id] < position.index[unit.id]
    )
