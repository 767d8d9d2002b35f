"""Factories (B23.74): on foot, and what is not modelled of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.clauses.terrain.chart import cell
from marchtable_models.asl.data import halves

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.steps import Entry

__all__ = ["factory_entrance", "inside_a_factory", "other_than_infantry"]


@clause("B23.742a", "From hex to hex inside a factory costs Infantry 1 MF", kind="cost")
def inside_a_factory(facts: Entry, sheet: Sheet) -> None:
    if facts.way == "factory":
        if sheet.reading("B23.742a") == "one":
            sheet.charge(halves("B23.742", "inside"), "inside a factory", "cot")
        else:
            sheet.charge(cell("factory", facts.mover).amount, "another factory", "cot")


factory_entrance = unsupported(
    "B23.742b",
    "Entering a factory where it has a Vehicular-Sized Entrance, if one's side controls it",
    lambda facts: facts.ground.entrance and facts.way != "factory" and facts.mover.column == "inf",
)

other_than_infantry = unsupported(
    "B23.742c",
    "Others than Infantry entering or leaving a factory, or moving inside one",
    lambda facts: (
        facts.mover.column != "inf" and "factory" in (facts.ground.here, facts.ground.there)
    ),
)
