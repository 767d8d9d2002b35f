"""The answer to ``reach``: where a unit can go, the way to one hex, and what blocks that way."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from marchtable.answers.ground import unplanned_notes
from marchtable.answers.verdicts import (
    below,
    is_below,
    obligation_data,
    receipt_data,
    violation_data,
)
from marchtable.codec.structs import points
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.notation import format_action
from marchtable.reachability.reach import reach
from marchtable.rules.rolls import without_rolls
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.board.board import Board
    from marchtable.reachability.reach import Place, Reach
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["REACH_FORMAT", "reach_answers"]

REACH_FORMAT = "marchtable/reach/1"


def reach_answers(
    position: Position[Any, Any],
    units: Sequence[str],
    *,
    to: str | None = None,
    rolls: str = "pass",
    modes: bool = False,
) -> list[dict[str, Any]]:
    """
    Return where units can go, each moving alone.

    Parameters
    ----------
    position
        The position. While a roll is pending, no unit can move.
    units
        The units.
    to
        Return the cheapest way there, or what prevents it.
    rolls
        ``"pass"`` assumes that rolls on the way succeed, ``"avoid"`` avoids them.
    modes
        List each Location once for every facing and state in which it is reached, not only for
        the cheapest.

    Returns
    -------
    list of dict
        One for each unit. The status is ``OPTIMAL``, or ``FEASIBLE`` if unmodelled clauses or a
        pending roll leave open whether there is more. For a hex out of reach it is
        ``IMPOSSIBLE`` (for the unit moving alone), ``UNSUPPORTED``, or ``UNKNOWN`` while a roll is
        pending.

    Raises
    ------
    UnknownNameError
        If there is no such unit or Location.
    """
    target = None if to is None else _known(position.board.resolve, to, "to")
    for name in units:
        if "," in name:
            raise BadInputError(
                f"expected one unit, got {name!r}; reach is of each alone (for a stack ask `plan`)",
                field="unit",
            )
        _known(position.unit, name, "unit")
    found = reach(without_rolls(position), units, rolls=rolls)
    return [_answer(position, one, target, rolls=rolls, modes=modes) for one in found]


def _known(look_up: Callable[[str], Any], name: str, field: str) -> Any:
    try:
        return look_up(name)
    except UnknownNameError as error:
        raise error.located(field=field) from None


def _answer(
    position: Position[Any, Any], found: Reach, to: str | None, *, rolls: str, modes: bool
) -> dict[str, Any]:
    rulebook = find_rulebook(position.rulebook)
    unit = found.unit
    places = found.places if modes else _cheapest(found)
    if position.pending:
        places = tuple(place for place in places[:1] if place.at == unit.at)
    is_exact = found.is_exact and not position.pending
    planned = [clause for clause in found.left_out if clause not in rulebook.unplanned]
    instead = ["options", "plan"] if planned else ["options"]
    notes = unplanned_notes(position, found.left_out)
    answer: dict[str, Any] = {
        "format": REACH_FORMAT,
        "status": "OPTIMAL" if is_exact else "FEASIBLE",
        "unit": unit.id,
        "points": rulebook.points(position, unit),
        "budget": points(rulebook.allotment(position, unit)),
        "exact": is_exact,
        "unsupported": list(found.unsupported),
        "instead": instead if found.left_out else [],
        "assumed": list(found.assumed),
        "titles": {
            name: rulebook.clauses[name].title for name in (*found.unsupported, *found.assumed)
        },
        "pending": [obligation_data(entry) for entry in position.pending],
        "locations": [_place_data(position, place) for place in places],
    }
    if to is not None:
        place = next((place for place in places if place.at == to), None)
        answer["to"] = to
        if is_below(position.board, to):
            notes = [below(to), *notes]
        if place is not None:
            answer["path"] = _path(found, place)
            rolled = {clause for step in answer["path"] for clause in step["rolls"]}
            answer["assumed"] = [clause for clause in found.assumed if clause in rolled]
        else:
            answer["assumed"] = []  # out of reach with all rolls passed means out of reach without
            answer["status"] = _out_of_reach(position, found)
            answer["barred"] = _barred(position, found, to, rolls)
    return answer | ({"notes": notes} if notes else {})


def _out_of_reach(position: Position[Any, Any], found: Reach) -> str:
    """Return the status of a hex out of reach; nothing is proved while a roll is pending."""
    if position.pending:
        return "UNKNOWN"
    return "IMPOSSIBLE" if found.is_exact else "UNSUPPORTED"


def _cheapest(found: Reach) -> tuple[Place, ...]:
    """Return one place for each Location: the cheapest and, among equals, the plainest."""
    describe = find_rulebook(found.position.rulebook).describe_mode
    best: dict[str, tuple[tuple[int, int, int], Place]] = {}
    for place in found.places:
        # A place without a special mode (such as Double Time) is preferred.
        rank = (place.spent, len(describe(place.mode)), -place.left)
        if place.at not in best or rank < best[place.at][0]:
            best[place.at] = (rank, place)
    return tuple(place for _, place in sorted(best.values(), key=lambda pair: pair[0][0]))


def _place_data(position: Position[Any, Any], place: Place) -> dict[str, Any]:
    mode = dict(find_rulebook(position.rulebook).describe_mode(place.mode))
    found = {"at": place.at, "facing": mode.pop("facing", None), "moving": mode.pop("moving", None)}
    found |= {"spent": points(place.spent), "left": points(place.left)}
    return found | {"mode": mode} if mode else found


def _path(found: Reach, place: Place) -> list[dict[str, Any]]:
    """Return a cheapest way's steps: action, place, cost, running cost; rolls are settled."""
    steps, left = [], None
    spent = find_rulebook(found.position.rulebook).spent(found.unit)
    for ruling in found.replay(place):
        paid = [receipt for receipt in ruling.receipts if receipt.unit == found.unit.id]
        cost = sum(receipt.amount for receipt in paid)
        spent += cost
        left = points(paid[-1].left) if paid else left
        steps.append(
            {
                "action": format_action(ruling.action),
                "at": ruling.after.unit(found.unit.id).at,
                "cost": points(cost),
                "spent": points(spent),
                "left": left,
                "charges": [entry for r in paid for entry in receipt_data(r)["charges"]],
                "rolls": [pending.clause for pending in ruling.obligations],
            }
        )
    return steps


# -- what bars the way -----------------------------------------------------------------------------


def _barred(
    position: Position[Any, Any], found: Reach, to: str, rolls: str
) -> dict[str, Any] | None:
    """Return the step that fails where the unit gets nearest to a Location, and the reason."""
    here = position if position.pending else None
    attempts = [
        (_rank(ruling), number, place, step, ruling)
        for number, (place, step, ruling) in enumerate(_attempts(found, to, here))
        if not ruling.is_legal or (ruling.obligations and rolls == "avoid")
    ]
    if not attempts:
        return None
    *_, place, step, ruling = min(attempts)
    objections = [violation_data(position, v) for v in ruling.violations]
    objections += [violation_data(position, v, modelled=False) for v in ruling.unsupported]
    return {
        "before": [] if here else [format_action(action) for action in found.actions_to(place)],
        "action": format_action(ruling.action),
        "at": step,
        "violations": objections,
        "rolls": [obligation_data(pending) for pending in ruling.obligations],
    }


def _distances(board: Board, to: str) -> dict[str, int]:
    """Return each Location's distance from `to` in steps, ignoring cost."""
    found, waiting = {to: 0}, deque([to])
    while waiting:
        at = waiting.popleft()
        for _, name in board.neighbours(at):
            if name not in found:
                found[name] = found[at] + 1
                waiting.append(name)
    return found


def _attempts(
    found: Reach, to: str, pending: Position[Any, Any] | None
) -> Iterator[tuple[Place, str, Ruling]]:
    """Yield each of the places nearest to `to`, with the next step from it and its ruling."""
    rulebook = find_rulebook(found.position.rulebook)
    board = found.position.board
    distances = _distances(board, to)
    places = [
        place
        for place in found.places
        if place.at in distances and (pending is None or place.at == found.unit.at)
    ]
    nearest = min((distances[place.at] for place in places), default=0)
    for place in places:
        if distances[place.at] > nearest:
            continue
        rulings = found.replay(place)
        position = rulings[-1].after if rulings else found.position
        position = pending or position
        for _, step in board.neighbours(place.at):
            action = _entry(found, found.unit.id, step)
            if action is not None and distances[step] < nearest:
                yield place, step, rulebook.rule(position, action)


def _entry(found: Reach, unit: str, to: str) -> Action | None:
    """Return the simplest action that takes a unit to an adjacent Location."""
    for kind in find_rulebook(found.position.rulebook).travel_in(found.position, found.unit):
        required = [p for p in parameters(kind) if p.required]
        if any(p.domain == "adjacent" for p in required):
            values = {"unit": unit, "companions": (unit,), "adjacent": to}
            return kind(*(values[parameter.domain] for parameter in required))
    return None


def _rank(ruling: Ruling) -> tuple[int, bool, int]:
    """Return how far a ruling is from legal: faults, then the points that are short."""
    faults = ruling.violations + ruling.unsupported
    lacking = [
        v.need - v.have
        for v in faults
        if v.halves and isinstance(v.need, int) and isinstance(v.have, int)
    ]
    return len(faults), not lacking, sum(lacking)
