"""Which half squad is left of a squad that is reduced (A7.302): its owner says so."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import resolves
from marchtable.state.position import Obligation, Odds
from marchtable_models.asl.model import AslPosition
from marchtable_models.asl.rules.happenings import after_reduction


def halved(types: tuple[str, ...], sheet: Sheet) -> None:
    """Ask which of these types of half squad is left of a squad; UNSUPPORTED where there are none."""
    if types:
        sheet.roll("half-squad", tuple(Odds(name, 1, 1) for name in types), "that of its Class")
    else:
        sheet.unsupported("which half squad is left: no type here is one of its nationality")


@resolves("half-squad")
def after_halving(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position once it is known which half squad is left of a squad."""
    return after_reduction(position, position.unit(obligation.unit), outcome)
