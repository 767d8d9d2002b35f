"""OVR (D7.1): announcing one, where, and its cost."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import read
from marchtable_models.asl.data import count
from marchtable_models.asl.views.entry import Entry, There


def _is_target(there: There) -> bool:
    return there.prey or there.concealed


class Overrunning(Entry):
    """An entry by an OVR, or by a vehicle where it could make one."""

    overran: bool = read("unit.status.overran")

    is_relevant = property(lambda self: self.overrun or (self.mover.is_vehicle and self.there.prey))


@clause("D7.1a", kind="cost")
def overrun(facts: Overrunning, sheet: Sheet) -> None:
    """Announcing an OVR costs an extra quarter of the printed MP."""
    if not facts.overrun:
        if not (facts.reverse or (facts.fired and not facts.overran)):
            sheet.exception("enemies are there; to overrun them, write `overrun=true`")
        return
    if not facts.mover.is_vehicle:
        sheet.bar("only a vehicle can OVR")
    elif not _is_target(facts.there):
        sheet.bar("there is no enemy to overrun (a BU AFV does not count, D7.12)")
    share = count("D7.1", "share")
    sheet.charge(-(-facts.mover.mp // 2 // share) * 2, "OVR announced", "overrun")


@clause("D7.13", kind="action")
def overrun_restrictions(facts: Overrunning, sheet: Sheet) -> None:
    """A vehicle cannot OVR in Reverse or if it has fired in this MPh, except in another OVR."""
    if not facts.overrun or not facts.mover.is_vehicle:
        return
    if facts.reverse:
        sheet.bar("a vehicle cannot OVR in Reverse")
    if facts.fired and not facts.overran:
        sheet.bar("the vehicle has fired in this MPh")


@clause("D7.14", kind="effect")
def overruns(facts: Overrunning, sheet: Sheet) -> None:
    """A vehicle that overruns has fired, and can overrun again elsewhere."""
    if facts.overrun and facts.mover.is_vehicle:
        sheet.force("fired", value=True)
        sheet.force("overran", value=True)
        sheet.exception("the attack of the OVR is not judged: state with `result` what it does")


@not_modelled("D7.1b")
def overrun_unseen(facts: Overrunning) -> bool:
    """An OVR of units that are all concealed and can be revealed first, or one by motorcycle."""
    return (
        facts.overrun
        and facts.mover.is_vehicle
        and (facts.mover.column == "mc" or (facts.there.concealed and not facts.there.prey))
    )
