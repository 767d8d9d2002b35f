"""Clauses on firing and observing by transports and passengers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.panzer.facts.steps import Mobile, Observing

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.panzer.facts.steps import Firing

__all__ = ["fires_once", "observer_aboard", "observers", "passenger_silent", "transport_fires"]


@clause(
    "PB.fire",
    "A unit fires once a turn, in its side's turn or at enemies that move, and can then be spotted",
    kind="action",
)
def fires_once(facts: Firing, sheet: Sheet) -> None:
    if not facts.on_map:
        sheet.bar("it is not on the map")
    if not facts.in_turn:
        sheet.bar("its side does not fire in this phase")
    if facts.fired:
        sheet.bar("it has fired this turn")
    sheet.force("exposed", True)


def _busy(facts: Firing, sheet: Sheet) -> None:
    """Keep a transport from firing that loads or unloads."""
    if facts.task:
        sheet.bar("it has loaded or unloaded")


@clause(
    "P.fire-a", "A transport may fire in the phase in which it loads or unloads",
    kind="action", denied=_busy,
)  # fmt: skip
def transport_fires(facts: Firing, sheet: Sheet) -> None:
    if facts.task:
        sheet.exception("it may fire while it loads or unloads")


@clause("P.fire-c", "A carried passenger never fires", kind="action")
def passenger_silent(facts: Firing, sheet: Sheet) -> None:
    if facts.aboard:
        sheet.bar("it is carried")


@clause(
    "PB.observe",
    "Class C units do not spot, nor does one off the map or out of turn",
    kind="action",
)
def observers(facts: Observing, sheet: Sheet) -> None:
    if not facts.on_map:
        sheet.bar("it is not on the map")
    if not facts.in_turn:
        sheet.bar("its side does not fire in this phase")
    if facts.carrier_class:
        sheet.bar("class C units do not spot")


@clause(
    "P.fire-b",
    "A carried observer may observe for indirect fire in a turn in which its transport does not move",
    kind="action",
)
def observer_aboard(facts: Observing | Mobile, sheet: Sheet) -> None:
    if isinstance(facts, Mobile):
        if facts.observed and (facts.loaded or sheet.reading("B13") == "any"):
            sheet.bar("its passenger has observed this turn")
        return
    if not facts.aboard:
        return
    if not facts.observer:
        sheet.bar("of those carried only observers observe")
    elif facts.moved and (facts.carried or sheet.reading("B13") == "any"):
        sheet.bar("its transport has moved this turn")
    else:
        sheet.exception("a carried observer observes")
