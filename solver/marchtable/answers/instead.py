"""What a user can write instead of an action in the wrong phase; the rulebook judges each proposal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.arguments import sides_of
from marchtable.files.notation import format_action
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Event, Phase, parameters, verb_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.rules.ruling import Ruling, Verdict
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["phases_to_come", "proposals"]


def proposals(position: Position[Any, Any], verdict: Verdict) -> Iterator[str]:
    """Yield, for each rejected phase and the first action in a wrong phase, what can be written there."""
    hinted = False  # later steps often fail for the same reason
    for step, ruling in enumerate(verdict.rulings):
        if ruling.violations and isinstance(ruling.action, Phase):
            if lines := list(map(format_action, phases_to_come(position))):
                yield f"step {step}: can follow now: {', '.join(lines)}"
        elif ruling.violations and not hinted:
            for text in _in_another_way(position, ruling):
                hinted = True
                yield f"step {step}: {text}"
        position = position if ruling.after is None else ruling.after


def phases_to_come(position: Position[Any, Any]) -> list[Phase]:
    """Return the phases that can begin now: later ones of this Player Turn, the first of another's."""
    book = find_rulebook(position.rulebook)
    others = [side for side in sides_of(position) if side != position.side]
    asked = [Phase(name) for name in book.phases]
    asked += [Phase(book.phases[0], side) for side in others]
    return [phase for phase in asked if book.rule(position, phase).is_legal]


def _in_another_way(position: Position[Any, Any], ruling: Ruling) -> Iterator[str]:
    """Yield, for an action in a wrong phase, those that do the same now, and the phase in which it is legal."""
    book, action = find_rulebook(position.rulebook), ruling.action
    later = next(
        (phase for phase in phases_to_come(position) if _is_legal_after(position, phase, action)),
        None,
    )
    if later is None and all(one.have != position.phase for one in ruling.violations):
        return
    known = " ".join(violation.note for violation in ruling.violations)
    others = (
        _as(verb, action)
        for verb in book.action_types
        if not (verb.unlisted or issubclass(verb, Event) or f"`{verb_of(verb)} " in known)
    )
    now = [format_action(one) for one in others if one and book.rule(position, one).is_legal]
    if now:
        yield f"legal in this phase: {', '.join(f'`{line}`' for line in now)}"
    if later is not None:
        yield f"legal after `{format_action(later)}`"


def _is_legal_after(position: Position[Any, Any], phase: Phase, action: Action) -> bool:
    book = find_rulebook(position.rulebook)
    after = book.rule(position, phase).after
    return after is not None and not after.pending and book.rule(after, action).is_legal


def _as(verb: type[Action], action: Action) -> Action | None:
    """Return an action of another verb by which the same units enter the same hex; None if it needs more."""
    values = {one: getattr(action, one.name) for one in parameters(type(action))}
    given = {one.name: value for one, value in values.items() if value != one.default}
    wanted = {one.name: one.domain for one in parameters(verb) if one.required}
    goes = {one.name for one in values if one.domain == "adjacent"}
    if verb is type(action) or "to" not in goes or wanted.get("to") != "adjacent":
        return None
    if "unit" in wanted and len(given.get("units", ())) == 1:
        given["unit"] = given.pop("units")[0]
    elif "units" in wanted and "unit" in given:
        given["units"] = (given.pop("unit"),)
    return verb(**given) if {*wanted} == {*given} else None
