"""Which facts bear on a Column: who follows whom, and what happens that may disband it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from marchtable.rules.judging import Case
from marchtable_models.asl.counterkinds import BLAST
from marchtable_models.asl.extraction import lines
from marchtable_models.asl.extraction.lookout import is_computed, of_any, sees_enemy
from marchtable_models.asl.extraction.unitkinds import is_known_enemy, type_of
from marchtable_models.asl.facts.columns import Disbanding, Follow
from marchtable_models.asl.facts.los import best
from marchtable_models.asl.facts.spending import is_paid
from marchtable_models.asl.model import AslConditions, AslUnit, Enter
from marchtable_models.asl.verbs.bypass import Bypass
from marchtable_models.asl.verbs.foot import Advance
from marchtable_models.asl.verbs.happenings import NO_ATTACK, Befall, Sight, Strike

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action, Event
    from marchtable.state.position import Position
    from marchtable_models.asl.facts.los import Los

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "Ahead",
    "distance_to_blast",
    "engaged",
    "following",
    "of_declaring",
    "of_event",
    "of_fire_over",
    "of_following",
    "of_meeting",
    "of_moving",
    "of_shown",
    "of_spending",
    "of_unsure",
    "ranks_ahead",
]

GOES = (Enter, Advance, Bypass)
"""The verbs that take a unit from its hex to another."""
HARMFUL = ("pinned", "broken", "wounded", "eliminated", "immobilized")
"""What mines must do to a unit to disband its Column; a SMC is Reduced by a wound."""
STOPPING = ("bogged", "immobilized", "eliminated")
"""What leaves a wagon unable to move."""


class Ahead(NamedTuple):
    """The first unit of a rank of a Column: its rank, and the Location that it leaves, if any."""

    rank: int
    leaves: str | None


def ranks_ahead(
    seen: tuple[Ahead | None, Ahead | None], unit: AslUnit, act: Action | None
) -> tuple[Ahead | None, Ahead | None]:
    """Return the rank before a unit's own, and its own, those before it being seen."""
    own = seen[1]
    if own is not None and own.rank == unit.line.rank:
        return seen
    return own, Ahead(unit.line.rank, unit.at if isinstance(act, GOES) else None)


def of_following(
    position: AslPosition,
    line: Sequence[AslUnit],
    acts: Sequence[Action | None],
    first: Sequence[str] = (),
) -> list[Case]:
    """
    Return for each unit behind the lead that enters something whether it follows.

    Those who act `first`, before the one ahead, do not.
    """
    found = []
    seen: tuple[Ahead | None, Ahead | None] = (None, None)
    for unit, act in zip(line, acts, strict=True):
        seen = ranks_ahead(seen, unit, act)
        before = seen[0]
        if before is not None and unit.id in first:
            before = before._replace(leaves=None)
        case = following(position, before, unit, act, astray=line[0].night.astray)
        found += [case] if case is not None else []
    return found


def following(
    position: AslPosition,
    before: Ahead | None,
    unit: AslUnit,
    act: Action | None,
    *,
    astray: bool = False,
) -> Case | None:
    """Return the facts of a unit that enters a Location behind another rank; None for the first or one that stays."""
    if before is None or not isinstance(act, GOES):
        return None
    to = position.board.resolve(act.to)
    facts = Follow(before.leaves == to, unit.line.column != "", astray)
    return Case((unit.id,), facts, (to,))


def of_moving(position: AslPosition, after: Sequence[AslUnit]) -> list[Case]:
    """Return the facts of a Column as an Impulse leaves it, if there are Blast Areas on the map."""
    near = distance_to_blast(position, after) if position.counters else None
    return [] if near is None else _of_column(position, after, "he", distance=near)


def distance_to_blast(position: AslPosition, line: Sequence[AslUnit]) -> int | None:
    """Return how far a line's units on the map are from the nearest Blast Area, None without one."""
    areas = [position.board.resolve(c.at) for c in position.counters if c.kind == BLAST]
    on_map = any(unit.at is not None for unit in line)
    return min((_distance(position, line, at) for at in areas), default=None) if on_map else None


def of_declaring(position: AslPosition, unit: AslUnit) -> list[Case]:
    """Return the facts of a Column declaring that it disbands: each unit pays."""
    line = lines.members(position, unit) if unit.line.column else ()
    if not line or line[0].id != unit.id:
        return _of_column(position, (unit,), "nobody")
    return _of_column(position, line, "declared")


def of_fire_over(position: AslPosition, *, phase: bool = False) -> list[Case]:
    """
    Return the facts of Columns that have declared to disband, the fire this allowed over.

    `phase` tells that a phase is over, too: no MPh is left to end.
    """
    known = position.notes.get("disbanding")
    if known is None:
        known = position.notes["disbanding"] = [u for u in position.units if u.line.disbanding]
    if not known:
        return []
    found = [
        case
        for line in _columns(position)
        if line[0].line.disbanding
        for case in _of_column(position, line, "over")
    ]
    if phase:
        return [case._replace(facts=replace(case.facts, phase="")) for case in found]
    return found


def of_event(position: AslPosition, event: Event) -> list[Case]:
    """Return the facts of what may disband a Column."""
    if isinstance(event, Strike):
        at = position.board.resolve(event.at)
        return [
            case
            for line in _columns(position)
            for case in _of_column(
                position, line, event.kind, distance=_distance(position, line, at)
            )
        ]
    unit = position.unit(event.unit)  # type: ignore[attr-defined]
    seen = [position.unit(name) for name in event.of] if isinstance(event, Sight) else []
    if not unit.line.column:
        return _after_attack(position) if _is_attack(event) else []
    line = lines.members(position, unit)
    if any(is_known_enemy(position, unit, u) for u in seen):
        return _of_column(position, line, "seen")
    if isinstance(event, Befall):
        cause = {"wire": "wire", "disbanded": "over"}.get(event.what, "attacked")
        mines, harmless = event.by == "mines", event.what not in HARMFUL
        found = _of_column(position, line, cause, mines=mines, harmless=harmless)
        if event.what in STOPPING:
            return [_stuck(case) if case.units == (unit.id,) else case for case in found]
        return found
    return []


def of_shown(position: AslPosition, names: Sequence[str]) -> list[Case]:
    """Return the facts of Columns that are told to see one of those who show themselves now."""
    return [
        case
        for line in _columns(position)
        if of_any(position, line, map(position.unit, names)) == "yes"
        for case in _of_column(position, line, "seen")
    ]


def engaged(position: AslPosition) -> list[tuple[AslUnit, ...]]:
    """Return the Columns that see a Known enemy and are not yet to disband."""
    known: list[tuple[AslUnit, ...]] | None = position.notes.get("engaged")
    if known is None:
        lined = any([u.line.column for u in position.units])  # noqa: C419 - quicker
        known = position.notes["engaged"] = [
            line
            for line in (_columns(position) if lined else ())
            if not line[0].line.disbanding and _sees(position, line) == "yes"
        ]
    return known


def _sees(position: AslPosition, line: Sequence[AslUnit]) -> Los:
    """Find whether a unit of a line sees a Known enemy."""
    return best(sees_enemy(position, unit) for unit in line)


def of_meeting(position: AslPosition, after: AslPosition) -> list[Case]:
    """
    Return the facts of Columns that see a Known enemy once MF or MP are spent, or a unit advances or routs.

    That is where sight is computed; what is stated does not change with where units are.
    """
    cause = {"MPh": "spent", "APh": "seen", "RtPh": "seen"}.get(position.phase)
    return (
        []
        if cause is None
        else [case for line in engaged(after) for case in _of_column(after, line, cause)]
    )


def of_unsure(position: AslPosition, unit: AslUnit) -> list[Case]:
    """Return the fact of a Column of which it is not sure whether it sees a Known enemy, and so disbands."""
    if not unit.line.column or not is_computed(position):
        return []
    line = lines.members(position, unit)
    if line[0].line.disbanding or _sees(position, line) != "unsure":
        return []
    return _of_column(position, line, "unsure")[:1]


def of_spending(
    position: AslPosition,
    lines_: Sequence[Sequence[AslUnit]],
    found: Sequence[Case],
    edition: Edition,
) -> list[Case]:
    """Return the facts of Columns that see a Known enemy as MF or MP are spent, or a unit advances."""
    advances = position.phase == "APh"
    if position.phase not in ("MPh", "APh"):
        return []
    if not any(is_paid(case.facts, edition.judge(case.facts)) for case in found):
        return []
    return [
        case
        for line in lines_
        for case in _of_column(position, line, "seen" if advances else "spent")
    ]


def _is_attack(event: Event) -> bool:
    return isinstance(event, Befall) and event.what not in NO_ATTACK


def _after_attack(position: AslPosition) -> list[Case]:
    """Return the facts of Columns that see a Known enemy as an attack on another unit is over."""
    return [
        case
        for line in _columns(position)
        if _sees(position, line) == "yes"
        for case in _of_column(position, line, "seen", after_attack=True)
    ]


def _stuck(case: Case) -> Case:
    return case._replace(facts=replace(case.facts, stuck=True))


def _columns(position: AslPosition) -> list[tuple[AslUnit, ...]]:
    return list(dict.fromkeys(lines.members(position, u) for u in position.units if u.line.column))


def _distance(position: AslPosition, line: Sequence[AslUnit], at: str) -> int:
    return min((position.board.distance(u.at, at) for u in line if u.at is not None), default=999)


def _of_column(
    position: AslPosition,
    line: Sequence[AslUnit],
    cause: str,
    *,
    mines: bool = False,
    harmless: bool = False,
    distance: int = 0,
    after_attack: bool = False,
) -> list[Case]:
    on_board = any(unit.at is not None for unit in line)
    return [
        Case(
            (unit.id,),
            Disbanding(
                cause=cause,
                mines=mines,
                harmless=harmless,
                on_board=on_board,
                declared=unit.line.disbanding,
                distance=distance,
                own_turn=unit.side == position.side,
                phase=position.phase,
                wagon=type_of(position, unit).class_ == "wagon",
                stuck=unit.motion.bogged or unit.motion.immobile,
                concealed=unit.concealment.concealed,
                waits=unit.at is None,
                after_attack=after_attack,
                never_pinned=type_of(position, unit).never_pinned,
            ),
        )
        for unit in line
    ]
