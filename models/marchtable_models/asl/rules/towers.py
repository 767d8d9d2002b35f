"""Towers (B34): entering the ground of their hex; the rest is declared as not modelled."""

from __future__ import annotations

from marchtable.rules.subjects import not_modelled
from marchtable.rules.view import fact
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.ground_facts import WOODS

TOWER = "tower"


class IntoTower(Entry):
    """An entry into the hex of a Tower."""

    is_relevant = property(
        lambda self: TOWER in (self.row, self.beside, self.ground.there, self.ground.within)
    )

    @fact
    def enters_tower(self) -> bool:
        """Whether a Tower's hex is entered other than by road or in Bypass."""
        return TOWER in (self.row, self.beside) and not self.way and self.passing is None


@not_modelled("B34.41", lifts=("B34.4",))
def into_the_tower(facts: IntoTower) -> bool:
    """A buttoned-up, fully-tracked AFV entering a Tower."""
    return (
        facts.enters_tower
        and facts.mover.column == "ft"
        and facts.mover.afv
        and facts.mover.bu
        and not facts.mover.open_topped
    )


@not_modelled("B34.3")
def among_other_terrain(facts: IntoTower) -> bool:
    """Entering a Tower's hex in woods or snow."""
    return facts.enters_tower and (facts.beside in WOODS or facts.weather.snow != "")


@not_modelled("B34.42", lifts=("B23.23",))
def up_the_tower(facts: IntoTower) -> bool:
    """A Tower's stairwell and the Location above it."""
    return bool(facts.stairs) and TOWER in (facts.ground.there, facts.ground.within)
