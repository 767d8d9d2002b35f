"""How the vehicles of a Convoy stand to each other, as clauses: in line, one to a hex, stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.convoy.graph import HALTED, HALTS, OFF

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable_models.asl.cpsat.convoy.logic import Logic

__all__ = ["in_line", "no_restart", "one_each", "one_each_of"]


def in_line(logic: Logic, t: int) -> None:
    """State that each vehicle is beside the next."""
    beside = logic.field.is_beside
    for i in range(logic.count - 1):
        front, rear = logic.hexes[i][t], logic.hexes[i + 1][t]
        for p, literal in front.items():
            _one_of(logic, literal, rear, [q for q in rear if beside(i + 1, p, q)])
        for q, literal in rear.items():
            _one_of(logic, literal, front, [p for p in front if beside(i + 1, p, q)])


def _one_of(logic: Logic, literal: int, others: dict[int, int], near: list[int]) -> None:
    if len(near) < len(others):
        logic.any_of((~literal, *(others[place] for place in near)))


def one_each(logic: Logic, t: int) -> None:
    """State that nobody enters where another still stands: those ahead move first."""
    one_each_of(logic, t, range(logic.count))


def one_each_of(logic: Logic, t: int, vehicles: Iterable[int]) -> None:
    """State it of some vehicles."""
    now: dict[int, dict[int, int]] = {}
    was: dict[int, dict[int, int]] = {}
    for i in vehicles:
        for place, literal in logic.hexes[i][t].items():
            now.setdefault(place, {})[i] = literal
        for place, literal in logic.hexes[i][t - 1].items() if t else ():
            was.setdefault(place, {})[i] = literal
    for place, those in now.items():
        if place == OFF:
            continue
        before = was.get(place, {})
        seen = set()
        for k in sorted(those) if before else [logic.count]:
            group = tuple(
                [x for i, x in those.items() if i <= k] + [x for i, x in before.items() if i > k]
            )
            if len(group) > 1 and group not in seen:
                seen.add(group)
                logic.not_two(group)


def no_restart(logic: Logic, *, halted: bool) -> None:
    """State that nobody starts once somebody has stopped, as it may have before."""
    starts, stops = _those(logic, HALTED), _those(logic, HALTS)
    if not starts or not (stops or halted):
        return
    over = logic.news(logic.last + 1)
    if halted:
        logic.any_of((over[0],))
    for t in range(logic.last):
        logic.any_of((~over[t], over[t + 1]))
    for _, t, literal in stops:
        logic.any_of((~literal, over[t]))
    for i, t, literal in starts:
        logic.any_of((~literal, ~over[t - 1]))
        for j, s, other in stops:
            if s == t and j < i:  # those ahead act first
                logic.any_of((~literal, ~other))


def _those(logic: Logic, flag: int) -> list[tuple[int, int, int]]:
    """Return the vehicles, Impulses and literals of moves of a kind."""
    return [
        (i, t, literal)
        for i, vehicle in enumerate(logic.made)
        for t, made in enumerate(vehicle)
        for kind, literal in made.items()
        if kind.flags & flag
    ]
