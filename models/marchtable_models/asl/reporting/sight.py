"""Lists the lines of sight that an answer assumes because the scene does not state them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.codec.structs import points
from marchtable.state.action import Phase
from marchtable_models.asl.data import count
from marchtable_models.asl.reporting.seen import stands_in
from marchtable_models.asl.rules.detection import concealment_lost, sham_is_gone
from marchtable_models.asl.rules.disbanding import disband_when_engaged
from marchtable_models.asl.rules.driving import MotionAttempt, motion_attempt
from marchtable_models.asl.rules.leaving_convoys import might_have_reason, reason
from marchtable_models.asl.rules.night import must_set_out
from marchtable_models.asl.rules.surrender import has_stayed_in_view, remains_in_the_open
from marchtable_models.asl.views.eyes import los_notes
from marchtable_models.asl.views.lines import origin_of
from marchtable_models.asl.views.lookout import (
    has_los,
    is_computed,
    known_enemies,
    may_be_seen,
    sees_enemy,
    unclear,
)
from marchtable_models.asl.views.standing import is_due
from marchtable_models.asl.views.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable_models.asl.model import AslPosition, AslUnit


def sights_to_state(position: AslPosition, unit: AslUnit) -> list[tuple[str, ...]]:
    """
    Return whom a unit can be stated to see: one more than is stated.

    These are Known enemies, and vehicles of its Convoy that were attacked or lost; also who it is
    stated not to see, so that a statement can be corrected. In the enemy's MPh, they are concealed
    counters, too, which it can have seen move.
    """
    seen, unseen = unit.concealment.sees, unit.concealment.not_sees
    concealed = [
        one.id for one in position.units
        if position.phase == "MPh" and one.side == position.side != unit.side and stands_in(one)
    ] if not is_computed(position) else []  # fmt: skip
    more = dict.fromkeys([*_unstated(position, unit), *unseen, *concealed])
    return [(), *((*seen, name) for name in more)]


def unseen_to_state(position: AslPosition, unit: AslUnit) -> list[tuple[str, ...]]:
    """Return whom a unit can be stated not to see: all that it could be stated to see, or is."""
    seen, unseen = unit.concealment.sees, unit.concealment.not_sees
    return [(), tuple(dict.fromkeys([*unseen, *seen, *_unstated(position, unit)]))]


def _unstated(position: AslPosition, unit: AslUnit) -> list[str]:
    """Return the units of which a unit's player can state whether it sees them."""
    if is_computed(position):
        return [one.id for one in unclear(position, unit)]
    convoy = origin_of(unit)
    mates = [
        one
        for one in position.units
        if convoy and one.id != unit.id and one.side == unit.side and origin_of(one) == convoy
        and (one.line.attacked or one.line.fallen)
    ]  # fmt: skip
    return [
        one.id
        for one in (*known_enemies(position, unit), *mates)
        if has_los(position, unit, one) == "unstated"
    ]


def assumed_of_sight(position: AslPosition, rulings: Sequence[Ruling]) -> list[str]:
    """Return a line for each unstated line of sight that the rulings assume."""
    computed = is_computed(position)
    found = [*computed_notes(position), *_earlier_sight_lines(rulings)] if computed else []
    before = position
    for ruling in rulings:
        if computed:
            found += _hidden_watcher_lines(before, ruling)
        else:
            found += _mover_lines(before, ruling)
            found += _column_lines(before, ruling)
            found += _night_lines(before, ruling)
            found += _leaver_lines(before, ruling)
            found += _broken_unit_lines(before, ruling)
            found += _attempt_lines(ruling)
        before = before if ruling.after is None else ruling.after
    return list(dict.fromkeys(found))


def computed_notes(position: AslPosition) -> list[str]:
    """Return how lines of sight are computed, and their assumptions; nothing without enemies."""
    sides = {unit.side for unit in position.units if unit.at is not None}
    if len(sides) < 2:
        return []
    how = (
        "from the pixels of the board"
        if position.board.sheets
        else "by whole hexes, as the board has no pixels"
    )
    return [f"lines of sight that are not stated are computed {how}", *los_notes(position)]


def sight_notes(position: AslPosition, names: Iterable[str] | None) -> list[str]:
    """
    Return one line for all these units, if their options depend on unstated sight.

    Without units, return the assumptions that lines of sight make.
    """
    if names is None:
        return los_notes(position)
    if is_computed(position):
        return [*computed_notes(position), *_hidden_watchers(position, names)]
    found: dict[str, list[str]] = {}
    for unit in map(position.unit, names):
        for clause in _hanging_on_sight(position, unit):
            found.setdefault(unit.id, []).append(clause)
    if not found:
        return []
    clauses = dict.fromkeys(clause for cited in found.values() for clause in cited)
    return [
        f"assumes that {', '.join(found)} neither see nor are seen where the scene states no sight "
        f"({', '.join(clauses)}); state it with `sees` in the scene or `sight` in a log"
    ]


def _hanging_on_sight(position: AslPosition, unit: AslUnit) -> Iterator[str]:
    """Yield the clauses by which a unit's moves depend on unstated sight."""
    if unit.at is None or unit.side != position.side:
        return
    if unit.concealment.concealed and unit.cargo.aboard is None and _enemies(position, unit):
        yield _loses(unit)
    if position.phase != "MPh":
        return
    if unit.line.column and unclear(position, unit):
        yield disband_when_engaged.id
    if unit.line.convoy and might_have_reason(position, unit):
        yield reason.id
    if position.conditions.night and is_due(position, unit) and unclear(position, unit):
        yield must_set_out.id


def _enemies(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return the enemies on the map with unstated sight; concealed units might be some."""
    return [
        other
        for other in position.units
        if other.side != unit.side
        and other.at is not None
        and has_los(position, unit, other) == "unstated"
        and (other.concealment.concealed or _might_watch(position, other))
    ]


def _might_watch(position: AslPosition, enemy: AslUnit) -> bool:
    """Return whether an unconcealed enemy might see units that no statement names."""
    watches = not enemy.concealment.sees and enemy.cargo.guard is None
    return watches and type_of(position, enemy).class_ != "wreck"


def _hidden_watchers(position: AslPosition, names: Iterable[str]) -> Iterator[str]:
    """Yield a line if concealed enemies might take a moving unit's ``?`` (A12.14)."""
    moving = [one for one in map(position.unit, names) if one.side == position.side]
    moving = [one for one in moving if one.concealment.concealed and one.cargo.aboard is None]
    if any(
        enemy.concealment.concealed and enemy.at is not None
        for enemy in position.units if enemy.side != position.side
    ):  # fmt: skip
        for unit in moving:
            yield (
                f"{unit.id} keeps its '?' in sight of concealed enemies: none reveals itself to take it"
                f" ({_loses(unit)})"
            )


def _hidden_watcher_lines(position: AslPosition, ruling: Ruling) -> Iterator[str]:
    """Yield a line for each unit that keeps its ``?`` though a concealed enemy might see it move."""
    for unit in _hidden_movers(position, ruling):
        if any(_might_reveal_itself(ruling.after, unit, enemy) for enemy in ruling.after.units):
            yield (
                f"{unit.id} keeps its '?' in {unit.at}: no concealed enemy that may see it there reveals"
                f" itself ({_loses(unit)}); write `result ENEMY revealed` before the entry if one does"
            )


def _might_reveal_itself(position: AslPosition, unit: AslUnit, enemy: AslUnit) -> bool:
    """Return whether an enemy is concealed, near enough to take a unit's ``?``, and might see it."""
    return (
        enemy.side != unit.side
        and enemy.concealment.concealed
        and enemy.at is not None
        and (
            not type_of(position, unit).is_infantry
            or position.board.distance(enemy.at, str(unit.at)) <= count("A12.14", "hexes")
        )
        and may_be_seen(position, unit, enemy) != "no"
    )


def _loses(unit: AslUnit) -> str:
    """Return the clause by which a unit loses its ``?``."""
    return sham_is_gone.id if unit.concealment.dummy else concealment_lost.id


def _earlier_sight_lines(rulings: Sequence[Ruling]) -> Iterator[str]:
    """Yield a line for each Motion attempt: a position does not record where the enemy's move began."""
    for ruling in rulings:
        if isinstance(ruling.action, MotionAttempt) and ruling.is_legal:
            yield (
                f"no enemy that {ruling.action.unit} sees move was in its LOS before that move"
                f" ({motion_attempt.id})"
            )


def _attempt_lines(ruling: Ruling) -> Iterator[str]:
    """Yield a line for a Motion attempt that states only the least enemy expenditure in sight."""
    action = ruling.action
    if isinstance(action, MotionAttempt) and action.seen == MotionAttempt(action.unit).seen:
        yield (
            f"an enemy has spent {points(action.seen)} of its points in the LOS of {action.unit}"
            f" ({motion_attempt.id}); write `seen=` to state another number"
        )


def _hidden_movers(position: AslPosition, ruling: Ruling) -> Iterator[AslUnit]:
    """Yield the units, as they are then, that entered a Location and are still concealed."""
    if ruling.after is None:
        return
    for receipt in ruling.receipts:
        if receipt.unit not in position.index or receipt.unit not in ruling.after.index:
            continue
        unit, after = position.unit(receipt.unit), ruling.after.unit(receipt.unit)
        moved = after.at is not None and after.at != unit.at
        if moved and unit.concealment.concealed and after.concealment.concealed:
            yield after


def _mover_lines(position: AslPosition, ruling: Ruling) -> Iterator[str]:
    """Yield a line for each unit that stays concealed on entry: no enemy is stated to see it."""
    for unit in _hidden_movers(position, ruling):
        if _enemies(position, unit):
            yield f"{unit.id} keeps its '?': no enemy is stated to see it move ({_loses(unit)})"


def _column_lines(position: AslPosition, ruling: Ruling) -> Iterator[str]:
    """Yield a line for each Column that does not disband: no unit is stated to see a Known enemy."""
    if not ruling.receipts:
        return
    columns: dict[tuple[str, str], list[AslUnit]] = {}
    for unit in position.units:
        if unit.line.column and unit.at is not None:
            columns.setdefault((unit.side, unit.line.column), []).append(unit)
    for (_, name), units in columns.items():
        if any(sees_enemy(position, unit) == "yes" for unit in units):
            continue
        if any(unclear(position, unit) for unit in units):
            yield (
                f"Column {name} does not disband: none of its units is stated to see a Known enemy"
                f" ({disband_when_engaged.id})"
            )


def _night_lines(position: AslPosition, ruling: Ruling) -> Iterator[str]:
    """Yield a line for each unit that needs a Movement DR: it is not stated to see a Known enemy."""
    for one in ruling.violations:
        if one.clause == must_set_out.id:
            for unit in map(position.unit, one.units):
                if unclear(position, unit):
                    yield f"{unit.id} is not stated to see a Known enemy ({must_set_out.id})"


def _leaver_lines(position: AslPosition, ruling: Ruling) -> Iterator[str]:
    """Yield a line for each vehicle that has no stated reason to leave its Convoy."""
    for one in ruling.violations:
        if one.clause == reason.id:
            for unit in map(position.unit, one.units):
                if might_have_reason(position, unit):
                    yield (
                        f"{unit.id} is not stated to see a Known enemy, or an attacked or lost vehicle of"
                        f" its Convoy ({reason.id})"
                    )


def _broken_unit_lines(position: AslPosition, ruling: Ruling) -> Iterator[str]:
    """Yield a line for each broken unit in the open after the RtPh: no enemy is stated to see it."""
    if not isinstance(ruling.action, Phase) or ruling.action.phase != "APh":
        return
    for unit in position.units:
        if (
            has_stayed_in_view(position, unit) == "no"
            and has_stayed_in_view(position, unit, stated=False) != "no"
        ):
            yield f"{unit.id} need not rout: no enemy is stated to see it ({remains_in_the_open.id})"
