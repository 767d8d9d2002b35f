"""Repairs for an impossible goal, in the game's own terms: more MP, a smaller load."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

from marchtable.planning.goals import movers_of, units_of
from marchtable.rules.plan_hooks import GoalChange
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.records import replace
from marchtable_models.asl.data import count
from marchtable_models.asl.rules import infantry_mf
from marchtable_models.asl.rules.declarations import Lend
from marchtable_models.asl.rules.leaving_convoys import leaving, reason
from marchtable_models.asl.views import reading
from marchtable_models.asl.views.lines import members
from marchtable_models.asl.views.unitkinds import variant_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.asl.model import AslPosition, AslUnit

MOST_MP, MOST_MF = 60, 12  # most that a counter can have
FEW = 4  # with up to this many SW, any two are proposed to be dropped
LEND, DROP, LEAVE, GAP = 0.5, 2, 4, 4
"""Size of a change: to lend, drop a SW, leave a unit, make a Gap; an extra MP counts 1."""


def with_points(position: AslPosition, unit: AslUnit, halves: int) -> AslPosition | None:
    """
    Return the position if a vehicle's printed MP, or Infantry's MF, were larger by these half points.

    Smaller if they are negative; None for a unit without either, and for half a point.
    """
    kind = reading.type_of(position, unit)
    if halves % 2 or not (kind.mp or kind.is_infantry):
        return None
    most = MOST_MP if kind.mp else MOST_MF
    edition = find_rulebook(position.rulebook).edition(position)
    points = kind.mp or infantry_mf.base(position, unit, edition) // 2
    if not 0 < (points := points + halves // 2) <= most:
        return None
    other = variant_of(kind, points)
    types = (*position.conditions.types, other)
    conditions = replace(position.conditions, types=types)
    changed = position.with_units([replace(unit, type=other.name)])
    return replace(changed, conditions=conditions)


def repairs(position: AslPosition, goal: Goal) -> Iterator[GoalChange]:
    """Yield dropping SW of units in the goal, and leaving units that take up room, IPC or a Gap."""
    movers = movers_of(goal, position)
    wanted = {u for aim in goal.aims if aim.must for u in units_of(aim, position)} & {*movers}
    yield from _drops(position, goal, [
        unit for unit in map(position.unit, movers)
        if unit.id in wanted or unit.cargo.aboard is not None or unit.facing is not None
        or any(other.id in wanted for other in members(position, unit))
    ])  # fmt: skip
    named = {name for aim in goal.aims for name in units_of(aim, position)}
    for unit in position.units:
        if unit.id in named:
            continue
        if unit.cargo.aboard is not None and unit.id in movers:
            changed = position.with_units([replace(unit, at=None, aboard=None, riding=False)])
        elif unit.cargo.towed_by in movers:  # it stays in place
            vehicle = position.unit(str(unit.cargo.towed_by))
            free = replace(unit, towed_by=None, at=vehicle.at)
            changed = position.with_units([free, replace(vehicle, towing=None)])
        else:
            continue
        yield GoalChange(f"leave {unit.id} behind", LEAVE, (), changed, goal)
    yield from _lent(
        position, goal, [unit for unit in map(position.unit, movers) if unit.id in wanted]
    )
    yield from _gaps(position, goal, wanted)


def _lent(position: AslPosition, goal: Goal, wanted: Sequence[AslUnit]) -> Iterator[GoalChange]:
    """
    Yield a SMC lending his IPC to a heavily loaded unit: no space includes that verb.

    The plan is sought with a smaller load; it is listed with the declaration first.
    """
    movers = [position.unit(name) for name in movers_of(goal, position)]
    for unit, smc in product(wanted, movers):
        beside = (unit.at, {*unit.offboard.entering}) == (smc.at, {*smc.offboard.entering})
        lends = reading.type_of(position, smc).class_ == "smc" and not (
            smc.move.lends or unit.move.helper
        )
        if not (unit.sw and lends and beside) or smc.id == unit.id:
            continue
        first = max(unit.sw, key=lambda weapon: weapon.pp)
        lighter = replace(first, pp=max(0, first.pp - count("A4.42", "smc")))
        sw = tuple(lighter if weapon is first else weapon for weapon in unit.sw)
        lend = Lend(smc.id, unit.id)

        def translated(log: tuple[Action, ...], lend: Lend = lend) -> tuple[Action, ...] | None:
            whole = (lend, *log)
            return whole if check(position, whole).status == "LEGAL" else None

        words, changed = (
            f"let {smc.id} lend {unit.id} his IPC",
            position.with_units([replace(unit, sw=sw)]),
        )
        yield GoalChange(
            words, LEND, (infantry_mf.lent_ipc.id,), changed, goal, translated=translated
        )


def _drops(position: AslPosition, goal: Goal, units: Sequence[AslUnit]) -> Iterator[GoalChange]:
    """Yield dropping a SW, two if they are few, or some of one unit's: least PP first."""
    weapons = [(unit, number) for unit in units for number in range(len(unit.sw))]
    weapons.sort(key=lambda one: one[0].sw[one[1]].pp)
    sets: list[tuple[tuple[AslUnit, int], ...]] = [(one,) for one in weapons]
    if len(weapons) <= FEW:
        sets += combinations(weapons, 2)
    for unit in units:
        own = [one for one in weapons if one[0] is unit]
        sizes = range(2, len(own) + 1) if len(own) <= FEW else range(len(own), len(own) + 1)
        sets += (one for size in sizes for one in combinations(own, size) if one not in sets)
    for dropped in sets:
        less = [
            replace(unit, sw=tuple(
                weapon for number, weapon in enumerate(unit.sw) if (unit, number) not in dropped
            ))
            for unit in units
        ]  # fmt: skip
        parts = [f"the {unit.sw[number].name} of {unit.id}" for unit, number in dropped]
        done = frozenset(f"{number} {unit.id}" for unit, number in dropped)
        words, cost = f"drop {' and '.join(parts)}", DROP * len(dropped)
        yield GoalChange(words, cost, (), position.with_units(less), goal, done)


def _gaps(position: AslPosition, goal: Goal, wanted: Container[str]) -> Iterator[GoalChange]:
    """Yield a reason for vehicles of a Convoy to leave it, if none has one."""
    edition = find_rulebook(position.rulebook).edition(position)
    for lead in position.units if position.phase == "MPh" else ():
        line = members(position, lead) if lead.line.convoy else ()
        if not line or line[0].id != lead.id or not any(unit.id in wanted for unit in line):
            continue
        if all(edition.judge(leaving(position, unit)).bars for unit in line[1:]):
            changed = position.with_units([replace(unit, attacked=True) for unit in line])
            words = f"allow a Gap in the first Impulse of {lead.id}, as if "

            def named(
                log: tuple[Action, ...], line: Sequence[AslUnit] = line, words: str = words
            ) -> str:
                return words + _attacked(position, line, log)

            text = words + "there had been an attack"
            yield GoalChange(text, GAP, (reason.id,), changed, goal, named=named)


def _attacked(position: AslPosition, line: Sequence[AslUnit], log: tuple[Action, ...]) -> str:
    """Return, in words, which vehicles a plan assumes to have been attacked."""
    hit = [*line]
    for unit in line:
        fewer = [other for other in hit if other is not unit]
        after = position.with_units([replace(other, attacked=True) for other in fewer])
        if check(after, log).status == "LEGAL":
            hit = fewer
    return f"{' and '.join(unit.id for unit in hit or line)} had been attacked"
