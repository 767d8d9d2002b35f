"""Which units can carry which."""

from __future__ import annotations

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause
from marchtable_models.panzer.model import Game, PanzerPosition, PanzerUnit, UnitType
from marchtable_models.panzer.rules.loading import Load
from marchtable_models.panzer.views.units import faction_of, type_of

RIDERS = ("infantry", "engineers")


class Pairing(Facts, frozen=True):
    """A carrier and its load; ``doctrine``: the games in which its faction's armour carries riders."""

    carrier: UnitType
    passenger: UnitType
    doctrine: tuple[Game, ...]


def pairing(position: PanzerPosition, unit: PanzerUnit, passenger: PanzerUnit) -> Pairing:
    """Return the facts of a carrier and its load."""
    return Pairing(
        type_of(position, unit), type_of(position, passenger), faction_of(position, unit).rides
    )


@cases(Load)
def load_facts(position: PanzerPosition, action: Load) -> Case:
    """Return the facts of the two units."""
    unit, passenger = position.unit(action.unit), position.unit(action.passenger)
    return about((unit, passenger), pairing(position, unit, passenger))


@clause("P.elig-b", kind="capacity")
def armed_carriers(facts: Pairing, sheet: Sheet) -> None:
    """Cavalry cannot be carried; C(I) units can carry."""
    if facts.passenger.kind == "cavalry":
        sheet.bar("cavalry cannot be carried")
    if facts.carrier.class_ == "C(I)":
        sheet.exception("a C(I) unit can carry units")


@clause("P.elig-c", kind="capacity")
def riders(facts: Pairing, sheet: Sheet) -> None:
    """By its faction's doctrine an armoured vehicle that is neither C nor C(I) carries only infantry or engineers."""
    carrier = facts.carrier
    if carrier.class_ in ("C", "C(I)") or not carrier.armoured:
        return
    if not facts.doctrine or sheet.reading("P.elig-c-doctrine") not in facts.doctrine:
        sheet.bar("its faction's doctrine does not let armour carry units")
        return
    if carrier.self_propelled and sheet.reading("B12") == "not-artillery":
        sheet.bar("self-propelled artillery cannot carry units")
        return
    sheet.exception("its faction's doctrine lets it carry riders")
    if facts.passenger.kind not in RIDERS:
        sheet.bar("only infantry or engineers ride on armour")


@clause("P.elig-a", kind="capacity")
def by_class(facts: Pairing, sheet: Sheet) -> None:
    """Only non-vehicle units can be carried, and only class C units can carry."""
    if facts.passenger.is_vehicle:
        sheet.bar("a vehicle cannot be carried")
    carrier = facts.carrier
    settled = sheet.excepted("P.elig-b", "P.elig-c") or sheet.barred("P.elig-c")
    if carrier.class_ != "C" and not settled:
        sheet.bar("it cannot carry units", "C", carrier.class_)
