"""Trail Breaks (B13.421): lanes that fully-tracked AFV make through woods."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from marchtable.board.board import DIRECTIONS
from marchtable.rules.clause import Finding
from marchtable.rules.facts import Bill, Edition, Sheet
from marchtable.rules.subjects import clause, not_modelled, resolves
from marchtable.state.position import Counter, Obligation
from marchtable_models.asl.corners import opposite
from marchtable_models.asl.counterkinds import CROSSED, TRAIL
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.model import AslPosition
from marchtable_models.asl.occasions import at_moved
from marchtable_models.asl.rules.bog import (
    BOGGED,
    CHECKS,
    CLEARS,
    MOBILE,
    BogResult,
    bog_check_turning,
    bog_result,
    is_bog_check,
)  # fmt: skip
from marchtable_models.asl.rules.one_lane import sets_direction
from marchtable_models.asl.views.entry import Entry


def _is_through(facts: Entry | BogResult) -> bool:
    return getattr(facts, "outcome", MOBILE) in (MOBILE, CLEARS)


class OnTrail(Entry):
    """An entry along a Trail Break, or one that makes one."""

    is_relevant = property(
        lambda self: (
            self.ground.trail
            or self.breaks_in
            or self.breaks_out
            or "trail-break" in self.there.counters
        )
    )


@clause("B13.421a", kind="effect")
def opens_ahead(facts: OnTrail | BogResult, sheet: Sheet) -> None:
    """A fully-tracked AFV entering woods off road makes a Trail Break into them."""
    if facts.breaks_in and _is_through(facts):
        sheet.exception("it opens a Trail Break into the woods")


@clause("B13.421b", kind="effect")
def opens_behind(facts: OnTrail | BogResult, sheet: Sheet) -> None:
    """A fully-tracked AFV leaving woods off road makes a Trail Break out of them."""
    if facts.breaks_out and _is_through(facts):
        sheet.exception("it opens a Trail Break out of the woods")


@clause("B13.421e", kind="effect")
def closes_behind(facts: OnTrail | BogResult, sheet: Sheet) -> None:
    """A partial Trail Break is removed once the AFV that made it leaves by it."""
    if facts.breaks_out and facts.dead_end and _is_through(facts):
        sheet.exception("its Trail Break leads nowhere and is gone")


@clause("B13.421c", kind="cost")
def along_the_trail(facts: OnTrail, sheet: Sheet) -> None:
    """Along a clear Trail Break, fully-tracked vehicles enter for half MP, without a Bog Check."""
    if facts.way == "trail" and facts.mover.is_vehicle:
        share = -(-facts.mover.mp // count("B13.421", "share"))
        sheet.charge(share, "along a Trail Break", "cot")
        sheet.exception("along a Trail Break")


@clause("B13.4212", kind="cost")
def on_foot(facts: OnTrail, sheet: Sheet) -> None:
    """Along a Trail Break Infantry enters woods for 1.5 MF, Cavalry for 3."""
    if facts.way == "trail" and not facts.mover.is_vehicle:
        figure = "cavalry" if facts.mover.column == "cav" else "infantry"
        sheet.charge(halves("B13.4212", figure), "along a Trail Break", "cot")


@not_modelled("B24.71", lifts=("A4.11b", "A4.134", "B24-stone", "B24-wood", "D2.1b"))
def through_rubble(facts: OnTrail) -> bool:
    """A Trail Break through rubble, where the terrain beneath it would set the cost."""
    return facts.ground.trail and facts.row in ("wooden-rubble", "stone-rubble")


@not_modelled("B13.421")
def unstated_trail(facts: OnTrail) -> bool:
    """A fully-tracked vehicle off road in woods with a Trail Break of unknown hexsides."""
    return facts.mover.column == "ft" and not facts.beaten and "trail-break" in facts.there.counters


LEAVES_TRACKS = frozenset(
    one.id for one in (opens_ahead, opens_behind, closes_behind, along_the_trail, sets_direction)
)


@at_moved
def after_moves(after: AslPosition, before: AslPosition, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after vehicles moved, with their tracks unless a Bog Check is due."""
    for bill in bills:
        said = _said(bill.finding) if bill.finding.exceptions else ()
        if said and not any(is_bog_check(roll.clause) for roll in bill.finding.rolls):
            name = bill.case.units[0]
            after = _laid(after, before.unit(name).at, after.unit(name).at, said)
    return after


@resolves(*CHECKS)
def after_check(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> AslPosition:
    """Return the position with the tracks of a vehicle after its last Bog Check, if it moved."""
    unit = position.unit(obligation.unit)
    waits = any(due.unit == unit.id and is_bog_check(due.clause) for due in position.pending)
    made, turned = is_bog_check(obligation.clause), obligation.clause == bog_check_turning.id
    if outcome == BOGGED or waits or turned or not made:
        return position
    said = _said(edition.judge(bog_result(position, obligation, outcome)))
    return _laid(position, unit.move.previous, unit.at, said)


def _said(finding: Finding) -> Collection[str]:
    """Return the clauses of a finding that leave tracks."""
    return [name for name, _ in finding.exceptions if name in LEAVES_TRACKS]


def _laid(
    position: AslPosition, a: str | None, b: str | None, said: Collection[str]
) -> AslPosition:
    """Return the position after a vehicle has left such tracks from a to b."""
    if not said or a is None or b is None or position.board.hexside(a, b) is None:
        return position
    side = position.board.direction(a, b)
    found = [Counter(kind=CROSSED + DIRECTIONS[side], at=a, until="turn")]
    if opens_ahead.id in said:
        found.append(Counter(kind=TRAIL + DIRECTIONS[opposite(side)], at=b))
    if opens_behind.id in said:
        found.append(Counter(kind=TRAIL + DIRECTIONS[side], at=a))
    new = [counter for counter in found if counter not in position.counters]
    kept = position.counters
    if closes_behind.id in said:
        kept = tuple(one for one in kept if (one.kind, one.at) != (TRAIL + DIRECTIONS[side], a))
    return msgspec.structs.replace(position, counters=(*kept, *new))
