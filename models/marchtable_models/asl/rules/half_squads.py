"""Which half squad remains of a reduced squad (A7.302): its owner states it."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import resolves
from marchtable.state.position import Obligation, Odds
from marchtable_models.asl.model import AslPosition
from marchtable_models.asl.rules.happenings import after_reduction


def halved(types: tuple[str, ...], sheet: Sheet) -> None:
    """Ask which type of half squad remains of a squad; UNSUPPORTED if there is none."""
    if types:
        sheet.roll(
            "half-squad",
            tuple(Odds(name, 1, 1) for name in types),
            "which half squad is left of it",
        )
    else:
        sheet.unsupported(
            "which half squad is left: no half-squad type of its nationality is known"
        )


@resolves("half-squad")
def after_halving(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position once a squad's remaining half squad is known."""
    return after_reduction(position, position.unit(obligation.unit), outcome)
