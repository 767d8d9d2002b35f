"""How a line with a verb is written: its form, its fields, and an example in the position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.answers.known import usage
from marchtable.errors import UnknownNameError
from marchtable.files.notation import field_usage, no_action
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import parameters, verb_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable.state.action import Action, Parameter
    from marchtable.state.position import Position, Unit

__all__ = ["verb_help"]

DOMAINS = {
    "unit": "a unit",
    "companions": "a unit, or several that act together, with commas between",
    "fellow": "another unit in its hex",
    "adjacent": "an adjacent hex",
    "location": "a hex",
    "names": "names, with commas between",
    "count": "a number",
    "moves": "what each member does, in order, with commas between",
}
"""What an argument's value is, by its domain; a rulebook says so of its own domains."""
OPTIONAL = "may be left out"


def verb_help(position: Position[Any, Any], word: str, unit: str = "") -> list[str]:
    """
    Describe how a line with a verb is written.

    Parameters
    ----------
    position
        The position, from which the example takes its names.
    word
        The verb, or another word for it.
    unit
        The unit of the example; by default the first on the map that may have a choice now.

    Returns
    -------
    list of str
        The form and what the action is, one line for each field, and an example. The example is
        written as the form says; it may be illegal.

    Raises
    ------
    UnknownNameError
        If no verb has that name.
    """
    book = find_rulebook(position.rulebook)
    kind = book.called(word.lower())
    if kind is None:
        raise UnknownNameError(no_action(word, book))
    domains = {**DOMAINS, **book.domains}
    fields = [_field(one, kind, domains) for one in parameters(kind)]
    example = _example(position, kind, unit)
    lines = [": ".join(usage(kind)), *filter(None, fields)]
    return [*lines, f"For example: {example}"] if example else lines


def _field(parameter: Parameter, kind: type[Action], domains: Mapping[str, str]) -> str:
    """Return what an argument stands for; "" for one that only the description explains."""
    values = [str(one) for one in parameter.values if one is not None]
    is_switch = parameter.values == (False, True)
    what = "" if is_switch else domains.get(parameter.domain, "")
    if values and not is_switch:
        what = f"{', '.join(values[:-1])} or {values[-1]}" if len(values) > 1 else values[0]
    said = "; ".join(filter(None, (what, "" if parameter.required else OPTIONAL)))
    written = field_usage(parameter, verb_of(kind)).strip("[]")
    name = parameter.name if values and not is_switch else written
    return f"{name}: {said}." if said else ""


def _example(position: Position[Any, Any], kind: type[Action], name: str) -> str:
    """Return a line with a verb in which every required argument is a name of the position; "" if one is not known."""
    book = find_rulebook(position.rulebook)
    placed = (one for one in book.active(position) if one.at is not None)
    unit = position.unit(name) if name in position.index else next(placed, None)
    if unit is None or unit.at is None:
        return ""
    words = [_sample(position, unit, one) for one in parameters(kind) if one.required]
    return " ".join([verb_of(kind), *words]) if all(words) else ""


def _sample(position: Position[Any, Any], unit: Unit, parameter: Parameter) -> str:
    """Return a value of an argument; "" if none is known."""
    here = str(unit.at)
    if parameter.domain in ("unit", "companions"):
        return unit.id
    if parameter.domain in ("adjacent", "location"):
        return next((at for _, at in position.board.neighbours(here)), here)
    if parameter.domain == "fellow":
        return next((one.id for one in position.beside(here) if one.id != unit.id), "")
    return next((str(one) for one in parameter.values if one is not None), "")
