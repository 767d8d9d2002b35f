"""Towers (B34): the ground of their hex is entered; what is not modelled of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.facts.ground import WOODS
from marchtable_models.asl.facts.pushing import Pushing

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.steps import Entry

__all__ = ["among_other_terrain", "into_the_tower", "no_guns", "up_the_tower"]

TOWER = "tower"


def _enters(facts: Entry) -> bool:
    """Return whether a Tower's hex is entered otherwise than by road or in Bypass."""
    return TOWER in (facts.row, facts.beside) and not facts.way and facts.passing is None


@clause("B34.4b", "No Gun enters a Tower's hex, neither pushed nor in tow", kind="action")
def no_guns(facts: Entry | Pushing, sheet: Sheet) -> None:
    if isinstance(facts, Pushing):
        comes = facts.gun and facts.row == TOWER
    else:
        comes = facts.mover.towing and TOWER in (facts.ground.there, facts.ground.within)
    if comes:
        sheet.bar("no Gun enters a Tower's hex")


into_the_tower = unsupported(
    "B34.41",
    "A buttoned-up, fully-tracked AFV that enters a Tower",
    lambda facts: (
        _enters(facts)
        and facts.mover.column == "ft"
        and facts.mover.afv
        and facts.mover.bu
        and not facts.mover.open_topped
    ),
    lifts=("B34.4",),
)

among_other_terrain = unsupported(
    "B34.3",
    "A Tower's hex that is entered among woods, or in snow",
    lambda facts: _enters(facts) and (facts.beside in WOODS or facts.weather.snow != ""),
)

up_the_tower = unsupported(
    "B34.42",
    "A Tower's stairwell and the Location above it",
    lambda facts: bool(facts.stairs) and TOWER in (facts.ground.there, facts.ground.within),
    lifts=("B23.23",),
)
