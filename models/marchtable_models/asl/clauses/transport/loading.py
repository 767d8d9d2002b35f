"""Boarding a vehicle (D6.4), what is done aboard, and the MF of those who board (A4.11)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.aboard import Haul
from marchtable_models.asl.facts.foot import BOARDED, Detection, Handling
from marchtable_models.asl.facts.manning import Manned
from marchtable_models.asl.facts.mounts import Mounting
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.transport import Boarding, Embark
from marchtable_models.asl.facts.units import Declaration, Standing

SENT_BACK = "sent back"
"""What befalls who rides when concealed enemies send back what he rides."""
ABOARD = (
    "lend",
    "unload",
    "dismount",
    "split",
    "hook",
    "unhook",
    "transfer",
    "recover",
    "end",
    "abandon",
)
"""What a unit that is aboard may have a part in."""


def _kept(allotment: int, left: int, how: str) -> int:
    """Return the half MP that so many half MF left are worth: a quarter of the allotment each."""
    parts = count("D6.4c", "parts") * 2  # half MF in a whole allotment, and worth no more than that
    eighths = min(max(0, left), parts) * allotment
    if how == "half":
        return eighths // parts
    return 2 * (eighths // (2 * parts) if how == "down" else -(-eighths // (2 * parts)))


# -- MF --------------------------------------------------------------------------------------------


@clause("A4.11c", kind="cost", composes="start")
def four_mf(facts: Allowance, sheet: Sheet) -> None:
    """Who boards, rides or leaves a vehicle has 4 MF for this Player Turn, whoever it is."""
    if facts.conveyed and not facts.is_vehicle:
        sheet.charge(halves("D6.5f", "most") - sheet.total(), "is or was conveyed")
        if facts.moved and facts.road and sheet.reading("A4.11c") == "four":
            sheet.charge(-halves("B3.4", "bonus"), "conveyed: no road bonus")


@clause("D6.4h", kind="cost", composes="joint")
def no_bonus(facts: Allowance, sheet: Sheet) -> None:
    """A leader gives no MF to a unit that boards or leaves a vehicle."""
    if facts.conveyed and facts.led and not facts.smc:
        sheet.charge(-halves("A4.12", "bonus"), "boards or leaves a vehicle")


@clause("A4.42f", kind="cost", composes="start")
def felt_on_foot(facts: Allowance, sheet: Sheet) -> None:
    """Who leaves a vehicle has the MF that count as spent, whatever it then carries."""
    if facts.spent and facts.spent > sheet.total():
        sheet.charge(facts.spent - sheet.total(), "spent before it carried them on foot")


@clause("A4.5e", kind="action")
def no_double_time(facts: Declaration | Boarding | Mounting | Manned, sheet: Sheet) -> None:
    """Double Time is not for who boards, rides or leaves a vehicle."""
    if isinstance(facts, Declaration):
        both = facts.conveyed and facts.verb == "double-time"
    else:
        both = facts.double_time
    if both:
        sheet.bar("the unit is or was conveyed this Player Turn")


# -- aboard ----------------------------------------------------------------------------------------


@clause("D6.3b", kind="state")
def carried(facts: Standing | Haul, sheet: Sheet) -> None:
    """Who is carried goes where its vehicle goes, and on foot only once it has left that."""
    if isinstance(facts, Haul):
        if facts.outcome == SENT_BACK:
            sheet.force("at", facts.previous)
            sheet.force("concealed", value=False)
        bogged = facts.outcome == "bogged" and facts.of and facts.previous
        if bogged and (facts.of == "leaving" or sheet.reading("D8.21c") == "left"):
            sheet.force("at", facts.previous)
    elif facts.aboard and facts.verb not in ABOARD:
        sheet.bar("it is aboard a vehicle, or in tow: move that, or unload first")


@clause("D6.31a", kind="action")
def no_recovery(facts: Handling, sheet: Sheet) -> None:
    """PRC do not recover SW that are not in their vehicle."""
    if facts.aboard and facts.verb == "recover" and not facts.passenger:
        sheet.bar(
            "it is aboard a vehicle: its Passengers recover only SW that lie in it, Riders none"
        )


@clause("D6.31b", kind="action")
def hands_on(facts: Handling, sheet: Sheet) -> None:
    """PRC hand SW on to PRC of their vehicle, or while it is not in motion to units on foot."""
    if facts.verb != "transfer" or facts.same_vehicle or not (facts.aboard or facts.to_aboard):
        return
    if facts.to_aboard:
        sheet.bar("SW come aboard only with Infantry that boards, or from PRC of the same vehicle")
    elif facts.in_motion:
        sheet.bar("the vehicle is in motion: SW go to its own PRC alone")


@clause("D6.5n", kind="action")
def recovers_stowed(facts: Handling, sheet: Sheet) -> None:
    """SW on a vehicle's PP are recovered by its own Passengers alone."""
    if facts.in_vehicle and facts.riding and facts.verb == "drop":
        sheet.unsupported("a Rider lays a SW down, on its vehicle or beside it")
    if facts.passenger and facts.phase == "MPh":
        sheet.unsupported("what Recovery in its vehicle takes of a Passenger's MPh")
    elif facts.stowed and not facts.passenger:
        sheet.bar("it lies in a vehicle: only Passengers of that recover it")


# -- boarding --------------------------------------------------------------------------------------


@clause("C10.11f", kind="cost")
def boards_free(facts: Boarding, sheet: Sheet) -> None:
    """The crew boards for no more MF as part of hooking up."""
    if facts.hooks:
        sheet.charge(-sheet.total("boarding"), "part of hooking up", "boarding")


@clause("A4.61e", kind="action")
def no_assault(facts: Boarding | Mounting | Manned | Declaration, sheet: Sheet) -> None:
    """Who makes an Assault Movement is aboard nothing in that MPh, before or after."""
    if isinstance(facts, Declaration):
        if facts.conveyed and facts.verb == "assault":
            sheet.bar("the unit is or was conveyed this Player Turn")
    elif facts.assault:
        sheet.bar("it has declared Assault Movement and stays Infantry")


@clause("D6.4d", kind="cost")
def board(facts: Boarding, sheet: Sheet) -> None:
    """Boarding costs 1 MF, from the vehicle's own Location."""
    if facts.gun:
        does = "hooks it up" if facts.gun == "hook" else "loads it"
        sheet.bar(f"a Gun does not board: `{facts.gun} VEHICLE GUN CREW` {does}")
    elif not facts.foot or facts.aboard:
        sheet.bar("only a unit on foot boards")
    if not facts.carrier:
        sheet.bar("it boards only a vehicle of its own side (horses and motorcycles are mounted)")
    elif not facts.together:
        sheet.bar("it must be in the vehicle's Location")
    sheet.charge(halves("D6.4d", "board"), "boarding", "boarding")
    sheet.force("conveyed", value=True)
    sheet.force("act", "loads")


@clause("A12.2c", kind="effect")
def shown_together(facts: Boarding | Embark | Detection, sheet: Sheet) -> None:
    """A vehicle, who is aboard and the Gun it tows or hooks up are concealed together, or none is."""
    if facts.outcome == BOARDED if isinstance(facts, Detection) else facts.shown:
        sheet.force("concealed", value=False)


@clause("D6.4a", kind="action")
def stands_to_load(facts: Embark, sheet: Sheet) -> None:
    """A vehicle is boarded only while it is stopped."""
    if facts.moving:
        sheet.bar("the vehicle has not stopped")


@clause("D6.4b", kind="action")
def nothing_spent(facts: Embark, sheet: Sheet) -> None:
    """Before it is boarded a vehicle has spent no MP in this MPh."""
    if facts.spent != facts.lost:
        sheet.bar("the vehicle has spent MP", 0, facts.spent - facts.lost, halves=True)


@clause("D6.4c", kind="cost", composes="joint")
def kept(facts: Embark, sheet: Sheet) -> None:
    """A vehicle keeps a quarter of its MP for each MF left to the boarder who has spent most."""
    spent, left = max((*facts.earlier, *facts.boarders))
    worth = _kept(facts.allotment, left, sheet.reading("D6.4c"))
    sheet.charge(facts.allotment - facts.lost - worth, "boarders' MF spent", "loading")
    sheet.force("boarder_spent", spent)
    sheet.force("boarder_left", left)


@clause("D6.4i", kind="cost", composes="joint")
def counted_boarder(facts: Embark, sheet: Sheet) -> None:
    """Among boarders who have spent as much, the one with fewest MF left counts."""
    all_ = (*facts.earlier, *facts.boarders)
    spent, most = max(all_)
    least = min(left for other, left in all_ if other == spent)
    if least == most or sheet.reading("D6.4i") == "most":
        return
    fewer = _kept(facts.allotment, least, sheet.reading("D6.4c"))
    sheet.charge(facts.allotment - facts.lost - fewer - sheet.total("loading"), "fewest MF left")
    sheet.force("boarder_left", least)


# -- leaving ---------------------------------------------------------------------------------------
