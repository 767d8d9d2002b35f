"""Every plan of units that move alone, by brute force, to check the planner.

Written independently: by ``legal_actions``, the referee, and its own sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.board.board import Hexside
from marchtable.rules.generator import legal_actions
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Settle, group_field, verb_of
from marchtable.state.goal import Aim, Goal
from marchtable.state.position import Position
from marchtable_toy import Sky, Walker
from tests.grids import adjacent_pairs, grid_board

if TYPE_CHECKING:
    import random
    from collections.abc import Collection, Iterator, Mapping

__all__ = ["Forced", "every_plan", "in_order", "moves", "random_goal", "random_toy"]


MOST = 60
"""Half points after which no unit walks on: a walk may have no other end."""


class Forced(NamedTuple):
    """A brute-force plan: its result, and each mover's last Location and points."""

    score: dict[str, int]
    projection: tuple[tuple[str, str | None, int], ...]


class _State(NamedTuple):
    position: Position[Any, Any]
    waiting: frozenset[str]
    points: tuple[tuple[str, int], ...]
    exposure: int


def every_plan(position: Position[Any, Any], goal: Goal, rolls: str = "pass") -> list[Forced]:
    """Return every plan that meets the goal's musts, each once."""
    movers = goal.movers or tuple(u.id for u in position.units if u.side == position.side)
    start = _State(position, frozenset(movers), (), 0)
    waiting, seen, found = [start], {_key(start)}, []
    while waiting:
        state = waiting.pop()
        plan = _plan(position, goal, state, movers)
        if plan is not None:
            found.append(plan)
        for unit in sorted(state.waiting):
            for after, points, exposure in moves(state.position, unit, goal, rolls):
                paid = (*state.points, (unit, points))
                left = state.waiting - {unit}
                further = _State(after, left, tuple(sorted(paid)), state.exposure + exposure)
                if _key(further) not in seen:
                    seen.add(_key(further))
                    waiting.append(further)
    return found


def _key(state: _State) -> tuple[object, ...]:
    return (state.position.units, *state[1:])


def moves(
    position: Position[Any, Any], unit: str, goal: Goal, rolls: str
) -> Iterator[tuple[Position[Any, Any], int, int]]:
    """Yield a unit's moves that no other to the same place beats: position, points, exposure."""
    book = find_rulebook(position.rulebook)
    before = position.unit(unit)
    ends: dict[tuple[str | None, ...], list[tuple[int, int, Position[Any, Any]]]] = {}
    exits = {at for aim in goal.aims for at in aim.exit}
    waiting, seen = [(position, 0)], set()
    while waiting:
        here, exposure = waiting.pop()
        for after in _steps(here, unit, rolls, exits):
            at, was = after.unit(unit).at, here.unit(unit).at
            if at != was and at in goal.avoid:
                continue
            more = exposure + (goal.threat.get(at or "", 0) if at != was else 0)
            tired = book.spent(after.unit(unit)) > MOST
            if tired or (after.unit(unit), more) in seen:
                continue
            seen.add((after.unit(unit), more))
            waiting.append((after, more))
            spent = book.spent(after.unit(unit)) - book.spent(before)
            if at != before.at:
                by = was if at is None else None
                ends.setdefault((at, by), []).append((spent, more, after))
    for ways in ends.values():
        yield from ((after, spent, more) for spent, more, after in ways
                    if not any(_beats(one, (spent, more)) for one in ways))  # fmt: skip


def _steps(
    position: Position[Any, Any], unit: str, rolls: str, exits: Collection[str] = ()
) -> Iterator[Position[Any, Any]]:
    """Yield the positions after each action of this unit alone, including exits from some Locations."""
    if position.unit(unit).at is None:
        return
    travel = find_rulebook(position.rulebook).travel
    for choice in legal_actions(position, unit):
        group = group_field(type(choice.action))
        alone = group is None or getattr(choice.action, group) == (unit,)
        after = choice.ruling.after
        leaves = verb_of(choice.action) == "exit" and position.unit(unit).at in exits
        if not choice.closes or not alone or not (leaves or type(choice.action) in travel):
            continue
        if rolls == "pass" or not after.pending:
            yield _passed(after)


def _beats(one: tuple[int, int, Any], other: tuple[int, int]) -> bool:
    return one[:2] != other and one[0] <= other[0] and one[1] <= other[1]


def _passed(position: Position[Any, Any]) -> Position[Any, Any]:
    book = find_rulebook(position.rulebook)
    while position.pending:
        first = position.pending[0]
        position = book.rule(position, Settle(first.id, first.outcomes[0].outcome)).after
    return position


def _plan(
    start: Position[Any, Any], goal: Goal, state: _State, movers: tuple[str, ...]
) -> Forced | None:
    board, end = start.board, state.position
    value = distance = 0
    for aim in goal.aims:
        units = aim.units or tuple(u.id for u in start.units if u.side == aim.side)
        places = (None,) if aim.exit else aim.at  # of all exits by one Location
        there = [u for u in units if end.unit(u).at in places]
        value += sum(aim.each.get(u, aim.worth) for u in there)
        must = len(units) if aim.must == "all" else aim.must or 0
        if not aim.near and len(there) < must:
            return None
        if aim.near:
            far = [min(board.distance(a, n) for n in aim.near) for a in board.index]
            for u in units:
                at = end.unit(u).at
                steps = max(far) + 1 if at is None else far[board.index[at]]
                distance += aim.each.get(u, aim.worth) * steps
    paid = dict(state.points)
    return Forced(
        {
            "value": value, "distance": distance, "exposure": state.exposure,
            "points": sum(paid.values()), "moved": len(paid),
        },
        tuple((u, end.unit(u).at, paid.get(u, 0)) for u in (
            unit.id for unit in start.units if unit.id in movers)),
    )  # fmt: skip


def in_order(score: Mapping[Any, int], goal: Goal) -> tuple[int, ...]:
    """Return the value of a score for a goal, the larger the better."""
    signs = {name: score[name] if name == "value" else -score[name] for name in score}
    if goal.weights:
        halves = {name: sign * (1 if name == "points" else 2) for name, sign in signs.items()}
        return (sum(weight * halves[name] for name, weight in goal.weights.items()),)
    return tuple(signs[name] for name in goal.order)


# -- random positions ------------------------------------------------------------------------------


def random_toy(rng: random.Random, *, units: int = 3, largest: int = 6) -> Position[Any, Any]:
    """Return a crowded position of the toy game on a small board."""
    sizes = [(c, r) for c in (1, 2, 3) for r in (1, 2, 3) if 3 <= c * r <= largest]
    columns, rows = rng.choice(sizes)
    terrain = [
        {"terrain": rng.choice(("Meadow", "Meadow", "Swamp"))} for _ in range(columns * rows)
    ]
    sides = [
        None if rng.random() < 0.15 else Hexside(road=rng.choice((None, None, "Track")))
        for _ in adjacent_pairs(columns, rows)
    ]
    board = grid_board(columns, rows, terrain, sides)
    places = list(board.index)[: rng.choice((2, 3, columns * rows))]
    walkers = [
        Walker(
            id=f"w{n}", side="red" if n == 0 or rng.random() < 0.8 else "blue",
            at=rng.choice(places), allowance=rng.choice((2, 4, 6, 8)),
            spent=rng.choice((0, 0, 0, 1)), stuck=rng.random() < 0.1,
        )
        for n in range(rng.randint(1, units))
    ]  # fmt: skip
    walkers = [
        w if rng.random() < 0.6 else msgspec.structs.replace(walkers[0], id=w.id) for w in walkers
    ]
    return Position(rulebook="toy", board=board, units=tuple(walkers), side="red", phase="Walk",
                    conditions=Sky())  # fmt: skip


def random_goal(rng: random.Random, position: Position[Any, Any]) -> Goal:
    """Return a goal for it: a few aims, sometimes musts, threats, Locations to avoid, weights."""
    names = [unit.id for unit in position.units if unit.side == "red"]
    places = list(position.board.index)

    def some(of: list[str]) -> tuple[str, ...]:
        return tuple(sorted(rng.sample(of, rng.randint(1, min(2, len(of))))))

    aims = []
    for _ in range(rng.randint(1, 2)):
        units = {"side": "red"} if rng.random() < 0.4 else {"units": some(names)}
        if rng.random() < 0.3:
            aims.append(Aim(near=some(places), worth=rng.randint(1, 3), **units))
        else:
            must = rng.choice((None, None, 1, "all"))
            aims.append(Aim(at=some(places), must=must, worth=rng.randint(1, 3), **units))  # type: ignore[arg-type]
    order = list(rng.choice((
        ("value", "distance", "exposure", "points", "moved"), ("points", "value"),
        ("exposure", "value", "points"), ("value",), ("distance", "moved"),
    )))  # fmt: skip
    weights = {"value": 3, "points": 1, "exposure": 2, "distance": 2} if rng.random() < 0.3 else {}
    threat = {at: rng.randint(1, 3) for at in places if rng.random() < 0.4}
    return Goal(
        aims=tuple(aims), order=tuple(order), weights=weights,  # type: ignore[arg-type]
        avoid=some(places) if rng.random() < 0.2 else (),
        threat=threat if rng.random() < 0.5 else {},
    )  # fmt: skip
