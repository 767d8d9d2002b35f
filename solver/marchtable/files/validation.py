"""Checks of any position, whatever the rulebook: names exist and are unique."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from marchtable.budget import look
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import did_you_mean, one_of, unknown
from marchtable.state.records import field_of, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import msgspec

    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.position import Obligation, Position

__all__ = ["check_scene", "check_side_name", "check_word"]

LIFETIMES = ("phase", "turn", "game")
MOST_CHANCES = 1_000_000
SLIP = 0.8
_RESERVED = frozenset(",=|")


def check_scene(rulebook: Rulebook[Any, Any], position: Position[Any, Any]) -> Position[Any, Any]:
    """
    Reject a position with dangling references, or one that its rulebook rejects.

    Raises
    ------
    BadInputError
        Names the field and what was expected there.
    """
    check_word(position.side, "side")
    if position.phase not in rulebook.phases:
        raise BadInputError(rulebook.unknown_phase(position.phase), field="phase")
    seen: set[str] = set()
    for number, unit in enumerate(position.units):
        field = f"units[{number}]"
        look()
        check_word(unit.id, f"{field}.id")
        check_word(unit.side, f"{field}.side")
        if unit.id in seen:
            raise BadInputError(f"unit {unit.id!r} is listed twice", field=f"{field}.id")
        seen.add(unit.id)
        _check_references(unit, position, field)
    _check_sides(rulebook, position)
    for number, counter in enumerate(position.counters):
        field = f"counters[{number}]"
        _check_references(counter, position, field)
        if counter.until not in LIFETIMES:
            raise BadInputError(one_of(LIFETIMES, counter.until), field=f"{field}.until")
    for number, pending in enumerate(position.pending):
        _check_pending(pending, position, rulebook, f"pending[{number}]")
    look()
    return rulebook.check_position(position)


def _check_sides(rulebook: Rulebook[Any, Any], position: Position[Any, Any]) -> None:
    """Reject a side to move without units, and sides spelt almost like a nationality."""
    known = [name for name, _ in rulebook.known("nationalities")]
    there = dict.fromkeys(unit.side for unit in position.units)
    if there and position.side not in there and not _may_come(position.side, there, known):
        raise UnknownNameError(unknown("side", position.side, there, where=" here"), field="side")
    for number, counter in enumerate(position.counters):
        if counter.hidden and counter.hidden not in there and counter.hidden not in known:
            raise UnknownNameError(
                unknown("side", counter.hidden, there), field=f"counters[{number}].hidden"
            )
    small: dict[str, str] = {}
    for number, unit in enumerate(position.units):
        if unit.side != (other := small.setdefault(unit.side.lower(), unit.side)):
            raise BadInputError(
                f"side {unit.side!r} and side {other!r} differ in capital letters alone, "
                f"and would be enemies; write {other!r} for both",
                field=f"units[{number}].side",
            )
        check_side_name(unit.side, known, field=f"units[{number}].side")

    meant = small.get(position.side.lower(), position.side)
    if meant != position.side:
        raise BadInputError(
            f"no side {position.side!r} here; write {meant!r}, as units have it", field="side"
        )


def check_side_name(side: str, known: Sequence[str], *, field: str = "") -> None:
    """Raise UnknownNameError for a side spelt almost like one of these nationalities."""
    if side.lower() in known:
        return
    meant = next((name for name in known if _is_slip(side.lower(), name)), None)
    if meant is not None:
        raise UnknownNameError(
            f"no side {side!r}; nearest: {meant!r} (choose a name less like that for a side of your own)",
            field=field,
        )


def _may_come(side: str, there: Iterable[str], known: Sequence[str]) -> bool:
    """Return whether a side without units is plausible: a nationality, or the only side's enemy."""
    named = [*there]
    return side.lower() in known or (
        len(named) == 1 and not any(_is_slip(side.lower(), one.lower()) for one in (*named, *known))
    )


def _is_slip(name: str, known: str) -> bool:
    return SequenceMatcher(None, name, known, autojunk=False).ratio() >= SLIP


def check_word(text: str, field: str) -> None:
    """Raise BadInputError for a name that a log could not write."""
    if not text or text == "-" or any(c.isspace() or c in _RESERVED for c in text):
        raise BadInputError(
            f"expected a name without blanks, commas, bars and =, got {text!r}", field=field
        )


def _check_references(entry: msgspec.Struct, position: Position[Any, Any], field: str) -> None:
    """Reject unknown names of units and Locations."""
    for part in fields_of(type(entry)):
        value = field_of(entry, part.attribute)
        for name in value if isinstance(value, tuple) else (value,):
            if part.domain and name is not None:
                _check_known(part.domain, name, position, f"{field}.{part.name}")


def _check_known(domain: str, name: str, position: Position[Any, Any], field: str) -> None:
    if domain == "location" and name not in position.board.index:
        try:
            position.board.resolve(name)
        except UnknownNameError as error:
            raise error.located(field=field) from None
    elif domain == "unit" and name not in position.index:
        raise UnknownNameError(position.unknown_unit(name), field=field)


def _check_pending(
    pending: Obligation, position: Position[Any, Any], rulebook: Rulebook[Any, Any], field: str
) -> None:
    check_word(pending.id, f"{field}.id")
    if pending.unit not in position.index:
        raise UnknownNameError(position.unknown_unit(pending.unit), field=f"{field}.unit")
    if pending.clause not in rulebook.clauses:
        raise UnknownNameError(
            f"rulebook {rulebook.name} has no clause {pending.clause!r}"
            f"{did_you_mean(pending.clause, rulebook.clauses)}",
            field=f"{field}.clause",
        )
    if not pending.outcomes:
        raise BadInputError(
            'expected at least one outcome, such as { outcome = "passed", chance = 21, of = 36 }',
            field=f"{field}.outcomes",
        )
    for number, odds in enumerate(pending.outcomes):
        place = f"{field}.outcomes[{number}]"
        check_word(odds.outcome, f"{place}.outcome")
        if not 1 <= odds.of <= MOST_CHANCES or not 0 <= odds.chance <= odds.of:
            raise BadInputError(
                f"expected a chance from 0 to {odds.of}, such as chance = 21 with of = 36; got {odds.chance}",
                field=place,
            )
