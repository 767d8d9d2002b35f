"""Convoys (E11.1 to E11.4, E11.8): vehicles in line, what they pay and how they can move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import clause, phase_cases
from marchtable.rules.view import fact, read
from marchtable.state.action import Phase
from marchtable_models.asl.counterkinds import MINEFIELD
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_lineup, at_mph_over, at_set_up
from marchtable_models.asl.rules import gaps, roads
from marchtable_models.asl.rules.gaps import Link
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.lines import members, stands_in_line, waits
from marchtable_models.asl.views.reading import Entering
from marchtable_models.asl.views.spending_facts import Allowance
from marchtable_models.asl.views.standing import Standing
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.views.vehicle_facts import StartStop


class ConvoySetUp(Facts, frozen=True, gc=False):
    """A Convoy as a scene states it."""

    members: int
    misfits: int  # unmotorized vehicles, and units other than vehicles
    gapes: bool  # it has a Gap
    overtaken: bool  # a vehicle waits off the map while the next one behind is on it
    ranks: int  # number of places in line stated
    stuck: int  # bogged or immobile vehicles
    most: int  # largest number of vehicles in one Location
    fresh: bool  # no vehicle has moved in this MPh
    moving: int  # vehicles in Motion


class ConvoyLineup(Facts, frozen=True, gc=False):
    """A Convoy about to make an Impulse."""

    recalled: bool  # one of its vehicles is Recalled
    crowded: bool  # two vehicles are in one Location as it ends


def _has_trackless(step: Entering) -> bool:
    """Return whether it snows underfoot and a vehicle of the unit's Convoy has no tracks."""
    unit = step.unit
    line = members(step.position, unit) if step.weather.snow and unit.line.convoy else ()
    return any(type_of(step.position, other).column in ("tr", "ac", "mc") for other in line)


def _goes_back(step: Entering) -> bool:
    """Return whether a line's unit goes straight back into the hex (a bridge's, say) it left."""
    previous = step.unit.move.previous
    if step.stays or step.to == previous or previous is None:
        return not step.stays and step.to == previous
    in_line = bool(step.unit.line.convoy or step.unit.line.column)
    return in_line and step.position.board[step.to].hex == step.position.board[previous].hex


class InConvoy(Entry):
    """An entry by a Convoy vehicle."""

    mixed: bool = read(_has_trackless)
    back: bool = read(_goes_back)

    is_relevant = property(lambda self: self.convoy)

    @fact
    def at_road_rate(self) -> bool:
        """Whether it crosses a road hexside at the road rate."""
        return self.way == "road"


class WithConvoy(Entry):
    """A vehicle entering the Location of a Convoy vehicle."""

    is_relevant = property(lambda self: self.mover.is_vehicle and self.there.convoy)


class InLine(Entry):
    """An entry by a Convoy vehicle or a Column unit."""

    is_relevant = property(lambda self: self.convoy or self.column)


class ConvoyByChance(Facts, frozen=True, gc=False):
    """A vehicle in no line that happens to stand as if in a Convoy, named for an Impulse."""


class LineEnd(Facts, frozen=True, gc=False):
    """A Convoy about to end its MPh."""

    members: int
    moving: int  # vehicles that have not stopped


class OffBoardLine(Facts, frozen=True, gc=False):
    """A unit of a Convoy or Column that is off the board as its side's MPh or APh begins."""


@at_set_up
def set_up_facts(position: AslPosition, line: Sequence[AslUnit]) -> Iterator[Case]:
    """Yield the facts of a Convoy as it stands."""
    if not line[0].line.convoy:
        return
    places = Counter(unit.at for unit in line if unit.at is not None)
    facts = ConvoySetUp(
        members=len(line),
        misfits=sum(not _has_motor(position, unit) for unit in line),
        gapes=any(gaps.link(position, a.at, b).gapes for a, b in pairwise(line)),
        overtaken=any(a.at is None and b.at is not None for a, b in pairwise(line)),
        ranks=len({unit.line.rank for unit in line}),
        stuck=sum(unit.motion.bogged or unit.motion.immobile for unit in line),
        most=max(places.values(), default=0),
        fresh=all(unit.move.mph == "unmoved" for unit in line),
        moving=in_motion(line, between=True),
    )
    yield about(line, facts)


def _has_motor(position: AslPosition, unit: AslUnit) -> bool:
    kind = type_of(position, unit)
    return kind.is_vehicle and kind.class_ != "wagon"


def in_motion(line: Sequence[AslUnit], *, between: bool = False) -> int:
    """
    Return how many Convoy vehicles are in Motion; those off the map do as those on it.

    A Stunned vehicle, stopped by its Stun, counts as in Motion too; `between` the MPhs, one that
    was.
    """
    here = [
        unit.motion.moving
        for unit in line
        if not (waits(unit) or unit.crew.stunned or (between and unit.crew.dazed))
    ]
    return len(line) if all(here) else sum(here)


@at_lineup
def lineup_facts(
    position: AslPosition, unit: AslUnit, line: Sequence[AslUnit], crowded: bool
) -> ConvoyLineup | ConvoyByChance | None:
    """Return the facts of a Convoy about to make an Impulse, or of a vehicle outside any line."""
    if line and line[0].line.convoy:
        return ConvoyLineup(any([u.crew.recalled for u in line]), crowded)  # noqa: C419 - quicker
    by_chance = not line and unit.facing is not None and stands_in_line(position, unit)
    return ConvoyByChance() if by_chance else None


@at_mph_over
def mph_over_facts(
    position: AslPosition, _: object, __: object, ___: object, units: Sequence[AslUnit]
) -> Iterator[Case]:
    """Yield the facts of the Convoys whose MPh ends with these vehicles', on the map or not."""
    for line in dict.fromkeys(members(position, u) for u in units if u.line.convoy):
        yield Case(tuple(u.id for u in line), LineEnd(len(line), in_motion(line)))


@phase_cases
def phase_facts(position: AslPosition, event: Phase) -> Iterator[Case]:
    """Yield the line units that are still off the board as their side's MPh or APh begins."""
    side = event.side or position.side
    for unit in position.units if event.phase in ("MPh", "APh") else ():
        lined = unit.line.convoy or unit.line.column
        if unit.side == side and lined and unit.at is None and not unit.offboard.exited:
            yield about(unit, OffBoardLine())


OPEN = ("impulse", "leave", "join", "set-out", "end", "form", "task-check", "hatch", "esb")
"""Acts that are not moves: a crew buttons up or becomes CE, or uses Excessive Speed, for no MP."""
AT_REST = ("delay", "unload", "load", "hook", "unhook")
"""Other MP expenditures of a line's vehicle in an Impulse (D14.31)."""


@clause("E11.1a", kind="action", composes="joint")
def convoy_line(facts: ConvoySetUp | Link | ConvoyLineup, sheet: Sheet) -> None:
    """A Convoy is two or more motorized vehicles, set up one per hex in a line without a Gap."""
    if isinstance(facts, Link):
        if facts.early:
            sheet.bar("off the map, too, it stays one hex behind the vehicle ahead")
    elif isinstance(facts, ConvoyLineup):
        if facts.crowded and sheet.reading("E11.1a") == "always":
            sheet.bar("two of the Convoy's vehicles would stand in one hex")
    else:
        _stands_in_line(facts, sheet)


def _stands_in_line(facts: ConvoySetUp, sheet: Sheet) -> None:
    if facts.misfits or facts.members < count("E11.1", "members"):
        sheet.bar("a Convoy is two or more motorized vehicles")
    if facts.gapes:
        sheet.bar("there is a Gap in the Convoy's line")
    if facts.overtaken:
        sheet.bar(
            "one of its vehicles waits off the map, but a vehicle behind that one is on the map"
        )
    if facts.ranks < facts.members:
        sheet.bar("two of its vehicles have the same place (rank) in the Convoy's line")
    if facts.stuck:
        sheet.bar("a bogged or immobile vehicle cannot be in a Convoy: it leaves a Gap")
    if facts.most > 1 and (facts.fresh or sheet.reading("E11.1a") == "always"):
        sheet.bar("a Convoy's vehicles stand one per hex")


@clause("E11.1b", kind="action", composes="joint")
def not_by_chance(_: ConvoyByChance, sheet: Sheet) -> None:
    """Vehicles that happen to stand in line are not a Convoy."""
    sheet.bar("vehicles in a line are not a Convoy unless set up as one")


class LineActs(Standing):
    """A unit of a Convoy or platoon about to act."""

    is_relevant = property(lambda self: self.line in ("convoy", "platoon"))


@clause("E11.2m", kind="action")
def only_by_impulses(facts: LineActs, sheet: Sheet) -> None:
    """A Convoy vehicle does not move by itself."""
    if facts.line == "convoy" and facts.verb in AT_REST:
        sheet.unsupported(
            f"how a Convoy vehicle spends MP on {facts.verb} within an Impulse; one that has "
            "left its Convoy (`leave VEHICLE`) can do so"
        )
    elif facts.line == "convoy" and facts.verb not in OPEN:
        sheet.bar("the unit belongs to a convoy, which moves by Impulses")


@clause("D14.31", kind="action")
def platoon_by_impulses(facts: LineActs, sheet: Sheet) -> None:
    """A platoon AFV does not move by itself."""
    if facts.line != "platoon" or facts.verb == "exit":  # A2.6e covers exits
        return
    if facts.verb in AT_REST:
        sheet.unsupported(f"how an AFV of a platoon spends MP on {facts.verb} within an Impulse")
    elif facts.verb not in OPEN:
        sheet.bar("the unit belongs to a platoon, which moves by Impulses")


@clause("E11.24a", kind="state")
def motion_as_one(facts: LineEnd | ConvoySetUp, sheet: Sheet) -> None:
    """Either all vehicles of a Convoy are in Motion, or none is."""
    if not isinstance(facts, LineEnd):
        if facts.fresh and 0 < facts.moving < facts.members:
            sheet.bar("between MPhs either all of a Convoy's vehicles are in Motion (moving) or none is",
                      facts.members, facts.moving)  # fmt: skip
    elif 0 < facts.moving < facts.members:
        sheet.bar("some but not all of the Convoy's vehicles would end in Motion", facts.members,
                  facts.moving)  # fmt: skip


@clause("E11.253", kind="effect")
def recalled_leaves(facts: ConvoyLineup, sheet: Sheet) -> None:
    """A Recalled vehicle leaves its Convoy before the next Impulse."""
    if facts.recalled:
        sheet.bar("a vehicle of the Convoy is Recalled and must leave first")


@clause("E11.2b", kind="cost")
def extra_mp(facts: InConvoy, sheet: Sheet) -> None:
    """A Convoy vehicle pays 1 extra MP for each hex it enters."""
    if not facts.passing:
        sheet.charge(halves("E11.2", "each_hex"), "Convoy", "tow")  # as if towing


@clause("E11.2j", kind="cost")
def extra_mp_in_bypass(facts: InConvoy, sheet: Sheet) -> None:
    """In Bypass a Convoy vehicle pays that extra MP for each hexside."""
    if facts.passing:
        sheet.charge(halves("E11.2", "each_hex"), "Convoy, a hexside", "tow")


@clause("E11.2c", kind="cost")
def road_rate(facts: InConvoy, sheet: Sheet) -> None:
    """A Convoy vehicle pays at least 1 MP at the road rate."""
    if facts.at_road_rate and not facts.on_soft_road:
        more = max(0, halves("E11.2", "road") - roads.road_rate(facts.mover))
        sheet.charge(more, "road hexside, in Convoy", "convoy")


@clause("E11.2l", kind="cost")
def road_rate_in_snow(facts: InConvoy, sheet: Sheet) -> None:
    """In Ground Snow that minimum rises if a vehicle of the Convoy has no tracks."""
    if facts.at_road_rate and facts.weather.snow == "ground" and facts.mixed:
        more = halves("E11.2l", "road") - halves("E11.2", "road")
        if sheet.reading("E11.2l") == "in-all":
            more -= halves("E11.2", "each_hex")
        sheet.charge(more, "road hexside, in Convoy and Ground Snow", "convoy")


@clause("E11.23a", kind="cost")
def vehicles_twice(facts: InConvoy, sheet: Sheet) -> None:
    """A Convoy vehicle pays double for vehicles and wrecks in the hex."""
    more = count("E11.23", "times") - 1
    sheet.charge(more * sheet.total("vehicles"), "vehicles there, in Convoy", "vehicles")


@clause("E11.23c", kind="cost")
def beside_a_convoy(facts: WithConvoy, sheet: Sheet) -> None:
    """A vehicle entering the Location of a Convoy vehicle pays double for vehicles there."""
    more = count("E11.23", "times") - 1
    sheet.charge(more * sheet.total("vehicles"), "a Convoy vehicle there", "vehicles")


@clause("E11.22b", kind="action")
def straight_back(facts: InConvoy, sheet: Sheet) -> None:
    """A Convoy vehicle does not return straight to the hex it came from."""
    if facts.back:
        sheet.bar("the vehicle has just come from there")


@clause("E11.2e", kind="action")
def no_overrun(facts: InConvoy, sheet: Sheet) -> None:
    """A Convoy vehicle cannot make an OVR."""
    if facts.overrun:
        sheet.bar("a Convoy vehicle cannot make an OVR")


@clause("E11.2i", kind="effect")
def mines_at_once(facts: InLine, sheet: Sheet) -> None:
    """The consequences of an Impulse wait for its end, except those of leaving a minefield."""
    if MINEFIELD in facts.counters_here:
        sheet.unsupported("the attack of a minefield that is left within an Impulse")


@clause("E11.2k", kind="cost")
def one_tow(facts: InConvoy, sheet: Sheet) -> None:
    """A Convoy vehicle towing a Gun pays only 1 extra MP, not two."""
    sheet.charge(-sheet.total("towing"), "Convoy and Gun count once", "towing")


@clause("E11.22a", kind="action")
def no_reverse(facts: InConvoy | StartStop, sheet: Sheet) -> None:
    """A Convoy vehicle does not move in Reverse."""
    if facts.convoy and facts.reverse:
        sheet.bar("a Convoy vehicle cannot move in Reverse")


def _dearer_start(facts: StartStop | Allowance, sheet: Sheet) -> None:
    if isinstance(facts, Allowance):
        if facts.column:
            sheet.charge(-halves("E11.2", "each_hex"), "Column")
    elif facts.convoy:
        sheet.charge(halves("E11.2", "each_hex"), "Convoy", "start")


@clause("E11.8", kind="state", denied=_dearer_start)
def no_other_penalty(facts: StartStop | Allowance, sheet: Sheet) -> None:
    """A Convoy or Column has only the listed benefits and penalties."""
    # a Convoy vehicle pays the usual Start and Stop; a Column has its usual MF


def _loses_status(_: OffBoardLine, sheet: Sheet) -> None:
    sheet.force("convoy", "")
    sheet.force("column", "")


@clause("E11.7a", kind="state", denied=_loses_status)
def keeps_status(_: OffBoardLine, sheet: Sheet) -> None:
    """Units of a line still off board as a phase ends enter in line in the next, the APh too."""
    # A2.5 still applies
