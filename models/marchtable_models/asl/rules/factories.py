"""Factories (B23.74) on foot; the rest is declared as not modelled."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.data import halves
from marchtable_models.asl.views.chart import cell
from marchtable_models.asl.views.entry import Entry


class InFactory(Entry):
    """An entry into, out of, or inside a factory."""

    is_relevant = property(
        lambda self: (
            self.ground.entrance or "factory" in (self.way, self.ground.here, self.ground.there)
        )
    )


@clause("B23.742a", kind="cost")
def inside_a_factory(facts: InFactory, sheet: Sheet) -> None:
    """Infantry moving between hexes inside a factory pays 1 MF."""
    if facts.way == "factory":
        if sheet.reading("B23.742a") == "one":
            sheet.charge(halves("B23.742", "inside"), "inside a factory", "cot")
        else:
            sheet.charge(cell("factory", facts.mover).amount, "another factory", "cot")


@not_modelled("B23.742b")
def factory_entrance(facts: InFactory) -> bool:
    """Entering a factory at a Vehicular-Sized Entrance that its side controls."""
    return facts.ground.entrance and facts.way != "factory" and facts.mover.column == "inf"


@not_modelled("B23.742c")
def other_than_infantry(facts: InFactory) -> bool:
    """Units other than Infantry entering, leaving or moving inside a factory."""
    return facts.mover.column != "inf" and "factory" in (facts.ground.here, facts.ground.there)
