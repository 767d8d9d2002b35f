"""Counters in a Location that change movement, beside those with a row of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.clause import clause, unsupported
from marchtable_models.asl.overlay import is_known

if TYPE_CHECKING:
    from marchtable.clause import Sheet
    from marchtable_models.asl.facts import Entry

__all__ = [
    "at_crest",
    "beneath",
    "buried_road",
    "counters",
    "going_beneath",
    "ground_snow",
    "off_the_wire",
    "upstairs",
]

counters = unsupported(
    "x-counter",
    "A counter in the Location whose effect on movement is not modelled",
    lambda facts: any(not is_known(kind) for kind in facts.there.counters),
)

off_the_wire = unsupported(
    "B26.4",
    "Leaving a Location with Wire on foot",
    lambda facts: not facts.mover.is_vehicle and "wire" in facts.counters_here,
)

beneath = unsupported(
    "B27.4",
    "Moving from beneath Wire, or out of an entrenchment or pillbox",
    lambda facts: facts.inside == "beneath" and facts.verb != "end",
)

going_beneath = unsupported(
    "B27.1", "Going beneath a Fortification counter", lambda facts: facts.beneath
)

ground_snow = unsupported(
    "E3.72",
    "What Ground Snow costs, but for a Convoy by road",
    lambda facts: facts.snow != "" and not (facts.convoy and facts.way == "road"),
)

upstairs = unsupported(
    "B23.4",
    "Moving about or out of an upper level of a building",
    lambda facts: facts.inside == "upstairs" and facts.verb != "end",
)


at_crest = unsupported(
    "B20.9",
    "Moving out of Crest status",
    lambda facts: facts.inside == "crest" and facts.verb != "end",
)


@clause("B3.43", "There is no road where rubble or debris lies on it", kind="action")
def buried_road(facts: Entry, sheet: Sheet) -> None:
    if facts.ground.buried:
        sheet.exception("rubble or debris lies on the road: it is not there for movement")
