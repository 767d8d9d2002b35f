"""Gaps in a Convoy (E11.21 to E11.255): distances within a line, and how a Convoy parts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any

from marchtable.rules.facts import Case, Facts, Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import count
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_impulse, at_parting
from marchtable_models.asl.views.edge import Spot, beyond, span, ways
from marchtable_models.asl.views.lines import kind_of, members, origin_of


def apart() -> int:
    """Return the largest distance between neighbours of a line without a Gap."""
    return count("E11.1", "apart")


class Link(Facts, frozen=True, gc=False):
    """Two neighbours of a line at the end of an Impulse."""

    kind: str  # ``convoy``, ``column``, ``platoon`` or ``wave``
    distance: (
        int  # hexes between their Locations; off the board a unit is adjacent to its entry hexes
    )
    stopped: bool = False  # the rear one stopped in this Impulse
    early: bool = False  # the rear one enters in an Impulse that began with the front one off board
    split: bool = False  # they were in one Location with one place in line, and no longer are
    overtakes: bool = False  # the rear one leaves the map before the one ahead

    @property
    def gapes(self) -> bool:
        """Whether there is a Gap between them."""
        return self.distance > apart()


class Parted(Facts, frozen=True, gc=False):
    """A vehicle of a Convoy in which a Gap forms."""

    lost: bool  # the Gap is in its place, for it has left or is lost to the Convoy
    alone: bool  # it is the only vehicle of its part of the line
    name: str  # new name of its part
    ahead: str  # name of the part just ahead of the Gap, ``""`` if there is none
    begun: bool  # the Convoy has completed an Impulse in this MPh
    willing: bool = False  # the Gap was made voluntarily
    leads: bool = False  # it leads the part that made the Gap
    tows: bool = False  # it tows a Gun
    mate: bool = False  # it leaves because its platoon does
    origin: str = ""  # the Convoy it belonged to as the MPh began


@at_impulse
def impulse_facts(
    position: AslPosition, line: Sequence[AslUnit], pieces: Sequence[Any]
) -> Iterator[Case]:
    """Yield the distances between members after an Impulse, and the effects of Gaps."""
    after = [piece.after for piece in pieces]
    linked = links_of(position, line, after)
    for (front, rear), facts in linked:
        yield Case((front.id, rear.id), facts)
    if leads := [rear.id for (_, rear), facts in linked if is_gap(facts)]:
        exited = [unit.id for unit in after if unit.offboard.exited]
        yield from parted(position, line, leads=leads, exited=exited, begun=True, willing=True)
    left = [unit for unit in after if not unit.offboard.exited]
    if len(left) == 1 and len(after) > 1 and line[0].line.convoy:  # all others have left the map
        yield Case((left[0].id,), last_of_line(left[0]))


def links_of(
    position: AslPosition, line: Sequence[AslUnit], after: Sequence[AslUnit]
) -> list[tuple[tuple[AslUnit, AslUnit], Link]]:
    """Return the neighbours of a line as an Impulse began, and their relation as it ends."""
    spots = [spot(position, *pair) for pair in zip(line, after, strict=True)]
    return [
        (pair, link(position, front, rear, pair))
        for pair, front, rear in zip(pairwise(line), spots, after[1:], strict=False)
    ]


@at_parting
def parting_facts(position: AslPosition, gone: AslUnit, willing: bool = False) -> list[Case]:
    """Return the facts of the Convoy that a vehicle leaves, or that loses it."""
    if not gone.line.convoy:
        return []
    return parted(position, members(position, gone), lost=(gone.id,), willing=willing)


def spot(position: AslPosition, before: AslUnit, after: AslUnit) -> Spot | None:
    """Return the Location to which a move takes a unit, even off the map; None if it still waits there."""
    if after.offboard.exited and before.at is not None:
        return beyond(position.board, before.at, ways(before))
    return after.at


def link(
    position: AslPosition,
    front: Spot | None,
    rear: AslUnit,
    before: tuple[AslUnit, AslUnit] | None = None,
) -> Link:
    """
    Return the relation of a line's unit, after an Impulse, to the unit ahead.

    `before` holds the two as the Impulse began, if there was one.
    """
    stopped = rear.facing is not None and not rear.motion.moving
    place: Spot | None = rear.at
    kind, early, split = kind_of(rear if before is None else before[1]), False, False
    if before is not None and kind in ("convoy", "column"):
        ahead, behind = before
        if kind == "convoy":
            early = ahead.at is None and behind.at is None and rear.at is not None
        else:
            split = (ahead.at, ahead.line.rank) == (
                behind.at,
                behind.line.rank,
            ) and front != rear.at
        place = spot(position, behind, rear)
    distance = _apart(position, front, rear, place)
    overtakes = rear.offboard.exited and (front is None or isinstance(front, str))
    return Link(kind, distance, stopped, early, split, overtakes)


def is_gap(found: Link) -> bool:
    """Return whether two neighbours of a Convoy part; clauses decide whether the move is legal."""
    return found.kind == "convoy" and found.gapes


def _apart(position: AslPosition, front: Spot | None, rear: AslUnit, place: Spot | None) -> int:
    """Return the distance of two units of a line, 1 if both wait off the board."""
    board = position.board
    if place is None:
        gaps = [span(board, front, board.resolve(to)) for to in rear.offboard.entering if front]
        return 1 + min(gaps, default=0)
    return span(board, front, place) if front is not None else 1


def parted(
    position: AslPosition,
    line: Sequence[AslUnit],
    *,
    lost: Collection[str] = (),
    leads: Collection[str] = (),
    exited: Collection[str] = (),
    willing: bool = False,
    begun: bool | None = None,
) -> list[Case]:
    """
    Return the facts of each vehicle of a Convoy in which Gaps form.

    Parameters
    ----------
    position
        The position.
    line
        Its vehicles, from the front.
    lost
        Vehicles lost to it: each leaves a Gap in its place.
    leads
        Vehicles that lead a part of their own: each has a Gap before it.
    exited
        Vehicles that leave the map as it parts.
    willing
        Whether that is voluntary.
    begun
        Whether an Impulse has been completed in this MPh, if the position does not show it yet.
    """
    if begun is None:
        begun = any(unit.points.spent or unit.move.mph == "done" for unit in line)
    found = [
        Case((unit.id,), _one(unit, lost=True, alone=True, begun=begun, willing=willing))
        for unit in line
        if unit.id in lost
    ]
    names, ahead = _names(position, line), line[0].line.behind
    parts = ([u for u in part if u.id not in exited] for part in _parts(line, lost, leads))
    for part in filter(None, parts):
        name, alone = next(names), len(part) == 1
        at_will = willing and part[0].id in leads
        if alone or name != line[0].line.convoy:
            found += [
                Case((u.id,), _one(u, alone=alone, name=name, ahead=ahead, begun=begun,
                                   willing=at_will, leads=at_will and u is part[0]))
                for u in part
            ]  # fmt: skip
        ahead = name
    return found


def _one(
    unit: AslUnit,
    *,
    alone: bool,
    begun: bool,
    willing: bool,
    lost: bool = False,
    name: str = "",
    ahead: str = "",
    leads: bool = False,
) -> Parted:
    return Parted(
        lost, alone, name, ahead, begun, willing, leads,
        tows=unit.cargo.towing is not None, origin=origin_of(unit),
    )  # fmt: skip


def last_of_line(unit: AslUnit) -> Parted:
    """Return the facts of the last vehicle of a Convoy whose others have left the map."""
    return _one(unit, alone=True, begun=True, willing=False, name=unit.line.convoy)


def _parts(
    line: Sequence[AslUnit], lost: Collection[str], leads: Collection[str]
) -> list[list[AslUnit]]:
    parts: list[list[AslUnit]] = [[]]
    for unit in line:
        if unit.id in lost:
            parts.append([])
        elif unit.id in leads:
            parts.append([unit])
        else:
            parts[-1].append(unit)
    return [part for part in parts if part]


def _names(position: AslPosition, line: Sequence[AslUnit]) -> Iterator[str]:
    """Yield the Convoy's own name for its first part, then unused names."""
    yield line[0].line.convoy
    known = {name for unit in position.units for name in (unit.line.convoy, unit.line.behind)}
    number = 2
    while True:
        if (name := f"{origin_of(line[0])}.{number}") not in known:
            yield name
        number += 1


def _bar_gap(facts: Link, sheet: Sheet) -> None:
    if facts.kind == "convoy" and facts.gapes and not facts.stopped:
        sheet.bar("the move would leave a Gap in the Convoy", apart(), facts.distance)


@clause("E11.254a", kind="action", composes="joint", denied=_bar_gap)
def gap_at_will(facts: Link, sheet: Sheet) -> None:
    """A vehicle with a reason can leave during an Impulse by a move that makes a Gap."""
    if facts.kind == "convoy" and facts.gapes and not facts.stopped:
        sheet.exception("a voluntary Gap splits the Convoy")


def _bar_stop(facts: Link, sheet: Sheet) -> None:
    if facts.kind == "convoy" and facts.gapes and facts.stopped:
        sheet.bar("the stop would leave a Gap in the Convoy", apart(), facts.distance)


@clause("E11.254b", kind="action", composes="joint", denied=_bar_stop)
def stop_at_will(facts: Link, sheet: Sheet) -> None:
    """A vehicle can also leave by stopping while the others go on."""
    if facts.kind == "convoy" and facts.gapes and facts.stopped:
        sheet.exception("a voluntary stop splits the Convoy")


@clause("E11.5b", kind="action", composes="joint")
def keeps_together(facts: Link, sheet: Sheet) -> None:
    """Adjacent Column units stay adjacent."""
    if facts.kind == "column" and facts.gapes:
        sheet.bar("the move would separate units of the Column", apart(), facts.distance)


@clause("A2.6f", kind="action", composes="joint")
def in_order(facts: Link, sheet: Sheet) -> None:
    """A Convoy leaves the map by Impulses, in order from the front."""
    if facts.kind == "convoy" and facts.overtakes:
        sheet.bar("the vehicle ahead of it has not left the map")


@clause("E11.21a", kind="effect", composes="joint")
def gap(facts: Parted, sheet: Sheet) -> None:
    """A Gap splits a Convoy into two, each moving by itself."""
    sheet.force("origin", facts.origin)
    if facts.mate:
        return  # E11.252a covers this
    sheet.force("convoy", facts.name)
    if not facts.lost and not facts.willing:
        sheet.force("behind", facts.ahead)


@clause("E11.254c", kind="action", composes="joint")
def in_order_at_will(facts: Parted, sheet: Sheet) -> None:
    """Even after a voluntary Gap, the Convoy ahead ends its MPh first."""
    if facts.willing and not facts.lost:
        sheet.force("behind", facts.ahead)


@clause("E11.252a", kind="action", composes="joint")
def as_one_platoon(facts: Parted, sheet: Sheet) -> None:
    """Radioless AFV that form a platoon leave a Convoy together, and stay a platoon."""
    if facts.mate:
        sheet.force("convoy", "")
        sheet.force("left", "declared")


@clause("E11.255b", kind="state", composes="joint")
def lone(facts: Parted, sheet: Sheet) -> None:
    """A single vehicle that a Gap cuts off is in no Convoy."""
    if facts.alone and not facts.lost:
        sheet.force("convoy", "")


@clause("E11.21e", kind="action", composes="joint")
def gap_before_any_impulse(facts: Parted, sheet: Sheet) -> None:
    """A Gap before any completed Impulse of the MPh sets no order between the parts."""
    if facts.ahead and not facts.begun and sheet.reading("E11.21e") == "no-order":
        sheet.force("behind", "")
