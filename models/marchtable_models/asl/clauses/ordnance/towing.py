"""Towing Guns (C10.1): hooking up, unhooking, and what a vehicle with a Gun may do."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.clauses.terrain.chart import cells, row_named
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.ground import BUILT
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.transport import Boarding, Busy, Hitch, Hold
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.facts.vehicles import StartStop


@clause("C10.1a", kind="capacity")
def towing_number(facts: Hold, sheet: Sheet) -> None:
    """A vehicle tows a Gun whose M# is no less than its T#."""
    if facts.m_number is None or facts.yoked:
        return  # for two wagons see D12.2
    if facts.t_number is None:
        sheet.bar("the vehicle cannot tow")
    elif facts.t_number > facts.m_number:
        sheet.bar("the Gun is too heavy for it", facts.t_number, facts.m_number)


@clause("D12.2", kind="capacity")
def yoked(facts: Hold, sheet: Sheet) -> None:
    """Two wagons that are combined tow a Gun as one wagon whose T# is 2."""
    number = count("D12.2", "t_number")
    if facts.yoked and facts.m_number is not None and facts.m_number < number:
        sheet.bar("the Gun is too heavy for two wagons", number, facts.m_number)


@clause("C10.1b", kind="cost")
def tow_cost(facts: Entry, sheet: Sheet) -> None:
    """Towing a Gun costs 1 MP a hex more, after all else."""
    if facts.mover.towing and (sheet.total("all") or facts.minimum):
        sheet.exception("towing is kept out of an entry for the whole allotment (D2.7, D2.15)")
    elif facts.mover.towing:
        sheet.charge(halves("C10.1", "each"), "tows a Gun", "towing")


@clause("C10.1c", kind="action")
def tow_terrain(facts: Entry, sheet: Sheet) -> None:
    """A Gun is not towed over walls and hedges, nor off the road into buildings, rubble, graveyards (B18.43) or deep streams."""
    ground = facts.ground
    if not facts.mover.towing:
        return
    if ground.hurdle and row_named(ground.hurdle).no_towing:
        sheet.bar("a Gun is not towed across such a hexside")
    entered = () if facts.way else [row for row, _ in cells(facts)]
    barred = any(row.no_towing for row in entered)
    if not barred and any(row.id == "debris" for row in entered):
        barred = sheet.reading("C10.1c") == "rubble"
    if barred:
        sheet.bar("a Gun is not towed into such terrain")


@clause("C10.4", kind="action")
def trailers(facts: Entry | StartStop, sheet: Sheet) -> None:
    """A trailer is towed into no building or rubble, over no wall, hedge or bocage, and not in Reverse; by road as without."""
    if not facts.mover.trailer:
        return
    if facts.reverse:
        sheet.bar("it tows a trailer")
    if isinstance(facts, StartStop):
        return
    if facts.ground.hurdle and row_named(facts.ground.hurdle).no_towing:
        sheet.bar("a trailer is not towed across such a hexside")
    if not facts.way and facts.row in BUILT and facts.passing is None:
        sheet.bar("a trailer is not towed into such terrain")


@clause("C10.11a", kind="action")
def hook_up(facts: Hitch, sheet: Sheet) -> None:
    """A Gun is hooked up where it stands, by a stopped vehicle that tows none."""
    if facts.moving:
        sheet.bar("the vehicle has not stopped")
    if facts.stunned:
        sheet.bar("the vehicle is Stunned")
    if facts.verb == "hook":
        if not facts.gun:
            sheet.bar("there is no Gun of its side in the vehicle's Location")
        if facts.towed or facts.towing:
            sheet.bar("a vehicle tows one Gun, and a Gun is towed by one vehicle")


@clause("C10.12", kind="action")
def unhook(facts: Hitch, sheet: Sheet) -> None:
    """A Gun is unhooked by a stopped vehicle that tows it."""
    if facts.verb == "unhook" and not facts.towing:
        sheet.bar("the vehicle tows no Gun")


@clause("C10.11b", kind="cost")
def hitch_cost(facts: Hitch, sheet: Sheet) -> None:
    """Hooking up or unhooking costs half the MP, two thirds for a circled M#."""
    sheet.charge(_share(facts.mp, circled=facts.circled), "hooking up or unhooking", "towing")


def _share(allotment: int, *, circled: bool) -> int:
    """Return the share of an allotment that hooking up or unhooking takes, in half points."""
    which = "circled_" if circled else ""
    parts, of = count("C10.11", f"{which}parts"), count("C10.11", f"{which}of")
    return 2 * -(-allotment * parts // (2 * of))


@clause("C10.12c", kind="cost")
def crew_share(facts: Busy, sheet: Sheet) -> None:
    """The crew that unhooks a Gun spends the same share of its MF, or what it has left of them."""
    unhooks = facts.part == "crew" and facts.verb == "unhook"
    if unhooks and sheet.reading("C10.12c") == "share":
        share = _share(facts.mf, circled=facts.circled)
        sheet.charge(max(0, min(share, facts.mf - facts.spent)), "unhooking", "towing")


@clause("C10.12b", kind="cost")
def no_esb(facts: Hitch, sheet: Sheet) -> None:
    """Excessive Speed does not pay for unhooking, nor, so read, for hooking up."""
    need = sheet.total("towing")
    if facts.without_esb is None or need <= facts.without_esb:
        return
    if facts.verb == "unhook" or sheet.reading("C10.12b") == "neither":
        sheet.bar("not enough MP without Excessive Speed", need, facts.without_esb, halves=True)


@clause("C10.21", kind="action")
def limbered(facts: Hitch, sheet: Sheet) -> None:
    """A Gun that is not quick to set up must be limbered before it is hooked up."""
    if facts.verb == "hook" and facts.gun and not facts.ready:
        sheet.bar("the Gun is not limbered")


@clause("C10.111", kind="action")
def gun_crew(facts: Hitch, sheet: Sheet) -> None:
    """It takes a crew, half squad or squad there, in Good Order and not pinned."""
    if facts.inherent:
        sheet.unsupported("an inherent crew that hooks up or unhooks as it mans or abandons (D5.4)")
    elif facts.five:
        sheet.unsupported("five SMC who do it together, as a half squad would")
    elif not facts.crew:
        sheet.bar("no crew, half squad or squad of its side is there for it")
    elif not facts.fit:
        sheet.bar("the crew is not in Good Order, is pinned or TI, or has ended its MPh")
    if facts.verb == "hook" and facts.aboard and not facts.inherent:
        sheet.bar("a crew hooks up on foot")


FIRED = {"gun": "the Gun", "crew": "the crew", "vehicle": "the vehicle", "prc": "one of its PRC"}


@clause("C10.11e", kind="action")
def fires_not(facts: Hitch, sheet: Sheet) -> None:
    """Nobody who has fired takes part in hooking up or unhooking."""
    for part in facts.fired:
        sheet.bar(f"{FIRED[part]} has fired")


@clause("C10.11f", kind="cost")
def boards_free(facts: Boarding, sheet: Sheet) -> None:
    """The crew boards for no more MF as part of hooking up."""
    if facts.hooks:
        sheet.charge(-sheet.total("boarding"), "part of hooking up", "boarding")


@clause("C10.11c", kind="action")
def crew_mf(facts: Hitch, sheet: Sheet) -> None:
    """A crew that has spent more than half its MF hooks up nothing, nor unhooks on foot (C10.12)."""
    if not facts.aboard and 2 * facts.crew_spent > facts.crew_mf:
        sheet.bar("the crew has spent too much", facts.crew_mf // 2, facts.crew_spent,
                  halves=True, points="MF")  # fmt: skip


@clause("C10.11d", kind="effect")
def busy(facts: Busy, sheet: Sheet) -> None:
    """After hooking up all concerned are TI, after unhooking crew and Gun."""
    if facts.verb == "hook" or facts.part in ("gun", "crew"):
        sheet.force("ti", value=True)
    if facts.part == "crew":
        if facts.moves:
            sheet.force("conveyed", value=True)
        sheet.force("act", f"{facts.verb}s")
        sheet.force("hitch", facts.hitch)


@not_modelled("C10.3g", lifts=("A4.2b", "A4.134"))
def push(facts: Standing) -> bool:
    """Pushing a Gun by moving it: `push` tells who does."""
    return facts.kind == "gun" and facts.verb in ("enter", "minimum", "bypass", "into")
