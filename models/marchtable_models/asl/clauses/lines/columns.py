"""Columns (E11.5): Infantry, Cavalry and wagons in line, and how they disband."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.clauses.terrain.chart import row_named
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.columns import Disbanding, Follow
from marchtable_models.asl.facts.lines import Formation, Lineup, Link
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.steps import Entry

TIMES = ("E11.531a", "E11.532a", "E11.532b", "E11.532c")


@clause("E11.5a", kind="state", composes="joint")
def column_line(facts: Formation, sheet: Sheet) -> None:
    """A Column is two or more contiguous hexes of Infantry, Cavalry or wagons in line."""
    if facts.kind != "column":
        return
    if facts.misfits:
        sheet.bar("a Column is made of Infantry, Cavalry and wagons")
    if facts.overtaken:
        sheet.bar("a unit of it waits off the map, and one behind it is on it")
    if facts.gapes:
        sheet.bar("there is a Gap in the Column's line")
    if facts.fresh and facts.hexes < count("E11.5", "hexes"):
        sheet.bar("a Column takes up two hexes or more")


@clause("E11.5g", kind="action", composes="joint")
def ahead_only(facts: Follow | Link, sheet: Sheet) -> None:
    """Each unit of a Column but the lead enters only the hex just left by the one ahead."""
    if isinstance(facts, Link):
        if facts.split:
            sheet.bar("units of one stack of the Column would part")
    elif facts.column and not facts.just_left:
        sheet.bar("it may enter only the hex that the unit ahead has just left")


@clause("E11.521a", kind="action")
def no_obstacles(facts: Entry, sheet: Sheet) -> None:
    """No Column unit enters woods or a building but by path or road."""
    if not facts.column or facts.way:
        return
    rows = (facts.ground.there, facts.ground.within)  # woods in a gully are woods
    if any(row_named(name).obstacle for name in rows if name):
        sheet.bar("a Column enters woods and buildings by path or road only")


@clause("E11.52e", kind="cost", composes="joint")
def leader_for_all(facts: Allowance, sheet: Sheet) -> None:
    """One leader's bonus of MF can serve the whole Column."""
    led = facts.column_led == "own" or (
        facts.column_led == "other" and sheet.reading("E11.52e") == "any"
    )
    if led and facts.on_foot and not (facts.led or facts.smc):
        sheet.charge(halves("A4.12", "bonus"), "a leader's bonus, in Column")


@clause("E11.53d", kind="action")
def offboard_stays(facts: Disbanding, sheet: Sheet) -> None:
    """Only a Column at least partly on board disbands."""
    if facts.on_board:
        return
    sheet.exception("no unit of the Column is on board")
    if facts.cause == "declared":
        sheet.bar("no unit of the Column is on board: it does not disband")


@clause("E11.534a", kind="effect")
def harmless_mines(facts: Disbanding, sheet: Sheet) -> None:
    """Mines disband a Column only by what they do to a unit."""
    if facts.mines and facts.harmless:
        sheet.exception("the mines had no effect")


def _disband(sheet: Sheet) -> None:
    if not sheet.excepted("E11.53d", "E11.534a"):
        sheet.force("column", "")
        sheet.force("disbanding", value=False)


@clause("E11.53b", kind="effect")
def disband_when_engaged(facts: Disbanding, sheet: Sheet) -> None:
    """A Column disbands if a unit of it is attacked or sees a Known enemy."""
    if facts.cause == "unsure":
        sheet.unsupported("whether a unit of the Column sees a Known enemy; state it with `sight`")
    elif facts.cause in ("attacked", "seen") and sheet.excepted(*TIMES):
        _disband(sheet)


@clause("E11.531a", kind="effect")
def checked_in_mph(facts: Disbanding, sheet: Sheet) -> None:
    """In the MPh Columns are checked after each expenditure and the fire at it."""
    if facts.cause == "spent":
        sheet.force("disbanding", value=True)
    if facts.phase == "MPh" and facts.cause in ("attacked", "seen"):
        sheet.exception("Columns are checked in the MPh")


@clause("E11.532a", kind="effect")
def checked_after_attack(facts: Disbanding, sheet: Sheet) -> None:
    """In other phases Columns are checked after each attack, CC too."""
    if facts.phase != "MPh" and (facts.cause == "attacked" or facts.after_attack):
        sheet.exception("Columns are checked after an attack")


@clause("E11.532b", kind="effect")
def checked_in_rout(facts: Disbanding, sheet: Sheet) -> None:
    """Columns are checked as a routing unit spends MF."""
    if facts.phase == "RtPh" and facts.cause == "seen":
        sheet.exception("Columns are checked as units rout")


@clause("E11.532c", kind="effect")
def checked_in_advance(facts: Disbanding, sheet: Sheet) -> None:
    """Columns are checked as each unit advances."""
    if facts.phase == "APh" and facts.cause == "seen":
        sheet.exception("Columns are checked as units advance")


@clause("E11.533a", kind="effect")
def near_aircraft(facts: Disbanding, sheet: Sheet) -> None:
    """An aircraft attacking within six hexes disbands a Column."""
    if facts.cause == "aircraft" and facts.distance <= count("E11.533", "hexes"):
        _disband(sheet)


@clause("E11.533b", kind="effect")
def near_he(facts: Disbanding | Formation, sheet: Sheet) -> None:
    """A HE Blast Area within six hexes disbands a Column."""
    most = count("E11.533", "hexes")
    if isinstance(facts, Formation):
        if facts.blast is not None and facts.blast <= most:
            sheet.bar("a Column so near a Blast Area has disbanded", most, facts.blast)
    elif facts.cause == "he" and facts.distance <= most:
        _disband(sheet)


@clause("E11.533c", kind="effect")
def near_wp(facts: Disbanding, sheet: Sheet) -> None:
    """WP placed by OBA within six hexes disbands a Column."""
    if facts.cause == "wp" and facts.distance <= count("E11.533", "hexes"):
        _disband(sheet)


@clause("E11.534b", kind="effect")
def wire_found(facts: Disbanding, sheet: Sheet) -> None:
    """A unit that reveals hidden wire disbands its Column."""
    if facts.cause == "wire":
        _disband(sheet)


@clause("E11.53c", kind="action")
def voluntary(facts: Disbanding, sheet: Sheet) -> None:
    """A Column may disband for one MF, once the fire it allows is over."""
    if facts.cause == "nobody":
        sheet.bar("the unit is not the first of a Column")
    elif facts.cause == "declared" and not sheet.excepted("E11.53d"):
        sheet.charge(halves("E11.53", "declared"), "declares that it disbands", "disband")
        sheet.force("disbanding", value=True)
    elif facts.cause == "over" and facts.declared:
        _disband(sheet)


@clause("E11.53e", kind="action")
def waiting_to_disband(facts: Lineup, sheet: Sheet) -> None:
    """A Column that has declared to disband makes no further Impulse."""
    if facts.disbanding:
        sheet.bar(
            "the Column disbands once this fire is over; settle that first (befall … disbanded)"
        )


@clause("E11.531b", kind="effect")
def mph_ends(facts: Disbanding, sheet: Sheet) -> None:
    """Disbanding in their own MPh ends the MPh of all its units."""
    if sheet.forces("column") and facts.own_turn and facts.phase == "MPh" and not facts.wagon:
        sheet.force("mph", "done")


@clause("E11.535b", kind="effect")
def wagons_mph_ends(facts: Disbanding, sheet: Sheet) -> None:
    """In their own MPh such wagons end it at once, in Motion."""
    if sheet.forces("column") and facts.own_turn and facts.phase == "MPh" and facts.wagon:
        sheet.force("mph", "done")


@clause("E11.7b", kind="effect")
def set_up_again(facts: Disbanding, sheet: Sheet) -> None:
    """Units of a Column that disbands while they are off the board are set up again."""
    if sheet.forces("column") and facts.waits:
        sheet.force("entering", ())


@clause("E11.535a", kind="effect")
def wagons_in_motion(facts: Disbanding, sheet: Sheet) -> None:
    """Wagons of a Column that disbands go into Motion, or stay in it."""
    if sheet.forces("column") and facts.wagon and not facts.stuck:
        sheet.force("moving", value=True)


@clause("E11.536", kind="effect")
def pinned_defenders(facts: Disbanding, sheet: Sheet) -> None:
    """Disbanding pins the units of a DEFENDER Column, but wagons and who is never pinned."""
    immune = facts.wagon or facts.never_pinned
    if sheet.forces("column") and not facts.own_turn and not immune:
        sheet.force("pinned", value=True)


@clause("E11.54c", kind="effect")
def loses_concealment(facts: Disbanding, sheet: Sheet) -> None:
    """Disbanding costs every unit of the Column its concealment."""
    if sheet.forces("column") and facts.concealed:
        sheet.force("concealed", value=False)
