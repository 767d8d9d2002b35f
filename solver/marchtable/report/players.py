"""
Positions and logs in players' notation: plain text for a mail.

A position is a list of hexes with their units, each with its type, its counter's state (``in
Motion``, ``CX``) and its facing. A log is a list of moves: ``B2 to B3`` with the points spent and
the state afterwards. This text cannot be read back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.codec.plain import one_line
from marchtable.codec.structs import points, remaining
from marchtable.report.terminal import amount
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Phase, Settle, format_action
from marchtable.state.records import as_flat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.ruling import Ruling, Verdict
    from marchtable.state.action import Action
    from marchtable.state.position import Position

    AnyPosition = Position[Any, Any]

__all__ = ["players_text"]

OFF_MAP = "off the map"


def players_text(position: AnyPosition, verdict: Verdict | None = None) -> str:
    """
    Return a position as text, followed by a judged log.

    Parameters
    ----------
    position
        The position in which the log begins.
    verdict
        The referee's verdict on the log, if there is one.
    """
    lines = [*_position_lines(position)]
    if verdict is not None:
        lines += ["", *_log_lines(position, verdict)]
    return "\n".join(map(str.rstrip, lines)) + "\n"


# -- a position ----------------------------------------------------------------------------------


def _position_lines(position: AnyPosition) -> Iterator[str]:
    rulebook = find_rulebook(position.rulebook)
    yield f"Turn {position.turn}, {position.side} {position.phase}, board {position.board.name}"
    if words := rulebook.overall(position).headline:
        yield words
    for side in dict.fromkeys(unit.side for unit in position.units):
        yield ""
        yield side
        places = dict.fromkeys(unit.at for unit in position.units if unit.side == side)
        for at in places:
            for number, text in enumerate(_units_in(position, side, at)):
                yield f"  {'' if number else at or OFF_MAP:<8} {text}"
    if position.counters:
        yield ""
        yield "counters"
        for at, kinds in position.markers.items():
            yield f"  {at:<8} {', '.join(_counter(rulebook.lying(kind)) for kind in kinds)}"
    if position.pending:
        yield ""
        yield f"to settle: {', '.join(one.id for one in position.pending)}"


def _units_in(position: AnyPosition, side: str, at: str | None) -> Iterator[str]:
    """Yield the units of a side in a Location, each followed by those it carries."""
    rulebook = find_rulebook(position.rulebook)
    here = [unit for unit in position.beside(at) if unit.side == side]
    carried = {unit.id: rulebook.marker(position, unit).get("carried", "") for unit in here}

    def listed(unit: Any, depth: int) -> Iterator[str]:
        yield f"{'  ' * depth}{_unit(position, unit)}"
        for other in here:
            if carried[other.id] == unit.id and depth < len(here):
                yield from listed(other, depth + 1)

    for unit in here:
        if carried[unit.id] not in carried:
            yield from listed(unit, 0)


def _unit(position: AnyPosition, unit: Any) -> str:
    """Return a unit as ``ID (TYPE), CX, facing SSE``."""
    flat = as_flat(unit)
    facing = flat.get("facing")
    words = [
        f"{unit.id} ({flat['type']})" if flat.get("type") else unit.id,
        *_signs(position, unit),
        *([f"facing {facing}"] if facing else []),
    ]
    return one_line(", ".join(words))


def _signs(position: AnyPosition, unit: Any) -> list[str]:
    """Return a unit's state in words, as its counter shows it: ``CX``, ``in Motion``, ``LMG``."""
    shown = find_rulebook(position.rulebook).marker(position, unit)
    return [mark.said.partition(":")[0] or mark.sign for mark in shown.get("marks", ())]


def _counter(shown: dict[str, Any]) -> str:
    return " ".join(filter(None, (shown.get("text"), shown.get("way"))))


# -- a log ---------------------------------------------------------------------------------------


class _JudgedEntry(NamedTuple):
    """A judged entry: the acting units, what they do, and the positions before and after."""

    units: tuple[str, ...]
    text: str
    ruling: Ruling
    after: AnyPosition | None


def _log_lines(position: AnyPosition, verdict: Verdict) -> Iterator[str]:
    runs = list(_runs(position, verdict))
    for number, (start, run) in enumerate(runs, 1):
        if isinstance(run[0].ruling.action, Phase):
            yield f"{number}. {run[0].text}"
        else:
            later = runs[number][1][-1].after if number < len(runs) else None
            yield from _move(number, start, run, later)
    if verdict.stopped is not None:
        yield f"The referee could not continue after entry {verdict.stopped + 1}."


def _runs(
    position: AnyPosition, verdict: Verdict
) -> Iterator[tuple[AnyPosition, list[_JudgedEntry]]]:
    """Yield runs of entries of the same units, and each phase, with the position before them."""
    before = start = position
    run: list[_JudgedEntry] = []
    for ruling in verdict.rulings:
        entry, is_phase = _entry(before, ruling), isinstance(ruling.action, Phase)
        is_new = not entry.units or bool(run and run[0].units and entry.units != run[0].units)
        if run and (is_phase or is_new):
            yield start, run
            run, start = [], before
        run.append(entry)
        if ruling.after is None:
            break
        before = ruling.after
        if is_phase:
            yield start, run
            run, start = [], before
    if run:
        yield start, run


def _entry(before: AnyPosition, ruling: Ruling) -> _JudgedEntry:
    action, after = ruling.action, ruling.after
    units = _actors(before, action)
    cost = ", ".join(
        dict.fromkeys(f"{amount(points(one.amount))} {one.points}" for one in ruling.receipts)
    )
    return _JudgedEntry(units, _words(before, after, action, units) + (f" {cost}" if cost else ""), ruling, after)  # fmt: skip


def _actors(before: AnyPosition, action: Action) -> tuple[str, ...]:
    """Return the units that an action names first."""
    if isinstance(action, Settle):
        found = next((one.unit for one in before.pending if one.id == action.obligation), "")
        return (found,) if found else ()
    units = getattr(action, "units", ()) or (getattr(action, "unit", ""),)
    return tuple(filter(None, units))


def _words(
    before: AnyPosition, after: AnyPosition | None, action: Action, units: Sequence[str]
) -> str:
    """Describe an action without its units; a step as ``B2 to B3``."""
    verb, *rest = format_action(action).split()
    rest = [word for word in rest if word != ",".join(units)]
    if isinstance(action, Settle):
        return f"({action.obligation.partition(':')[0]}: {action.outcome})"
    lead = units[0] if units else ""
    if after is not None and lead in before.index and lead in after.index:
        here, there = before.unit(lead).at, after.unit(lead).at
        if here != there:
            way = f"{here or 'off the map'} to {there or 'off the map'}"
            more = [word for word in rest if word != getattr(action, "to", None)]
            return " ".join([*([] if verb == "enter" else [verb]), way, *more])
    return " ".join([verb, *rest])


def _move(
    number: int, start: AnyPosition, run: Sequence[_JudgedEntry], later: AnyPosition | None = None
) -> Iterator[str]:
    """Yield a run of entries of the same units as one move; `later`: after the entries that follow."""
    lead = next((entry.units for entry in run if entry.units), ())
    words = f"{number}. {', '.join(lead)}: {', '.join(entry.text for entry in run)}"
    left = {
        receipt.unit: remaining(points(receipt.left), receipt.points, "left")
        for entry in run
        for receipt in entry.ruling.receipts
    }
    kinds = dict.fromkeys(left.values())
    parts = [*kinds] if len(kinds) == 1 else [f"{unit} {text}" for unit, text in left.items()]
    after = run[-1].after
    if after is not None:
        for name in lead:
            parts += _changes(start, after, later or after, name, several=len(lead) > 1)
    yield one_line("; ".join([words, *parts]))
    for entry in run:
        for fault in entry.ruling.violations:
            yield f"   ILLEGAL ({fault.clause}): {entry.text}: {fault.note}"
        for fault in entry.ruling.unsupported:
            yield f"   UNKNOWN ({fault.clause}): {entry.text}: {fault.note}"


def _changes(
    start: AnyPosition, after: AnyPosition, later: AnyPosition, name: str, *, several: bool
) -> Iterator[str]:
    """Yield the changes of a unit's counter that last until `later`, and its new facing."""
    if name not in start.index or name not in after.index:
        return
    before, now = start.unit(name), after.unit(name)
    known = _signs(start, before)
    signs = _signs(after, now)
    kept = _signs(later, later.unit(name)) if name in later.index else signs
    new = [sign for sign in signs if sign not in known and sign in kept]
    facings = as_flat(before).get("facing"), as_flat(now).get("facing")
    if facings[1] and facings[0] != facings[1]:
        new.append(f"facing {facings[1]}")
    if new:
        yield f"{name} {', '.join(new)}" if several else ", ".join(new)
