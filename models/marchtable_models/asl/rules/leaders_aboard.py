"""Leaders aboard vehicles (D6.65, D6.651): the units they direct and affect."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.grants import deny, grant
from marchtable_models.asl.rules.carriers import Carriage
from marchtable_models.asl.rules.passengers import Mounted
from marchtable_models.asl.views.entry import Entry

OUTSIDE, FELLOWS = (
    "direct fire of units outside its vehicle",
    "direct fire of its vehicle's Passengers",
)
MORALE = "affect Rally, MC and TC of"
LOSS = "cause a LLMC or LLTC by its loss to"


def _directs(facts: Mounted) -> bool:
    """Return whether it is a leader inside who is CE or exposed to fire."""
    return facts.leads and facts.exposed


@clause("D6.65a", kind="state")
def directs_fellows(facts: Mounted, sheet: Sheet) -> None:
    """An exposed leader Passenger directs other Passengers of the same vehicle."""
    if facts.leads and facts.inside:
        if facts.exposed:
            grant(sheet, FELLOWS, 1)
        else:
            deny(sheet, FELLOWS)


@clause("D6.65b", kind="state")
def directs_with_others(facts: Mounted, sheet: Sheet) -> None:
    """A leader Passenger directs an OVR or CC only if other Passengers take part, never the vehicle alone."""
    if _directs(facts):
        deny(sheet, "direct an OVR or CC of the vehicle alone")
        what = "direct an OVR or CC with other Passengers"
        if facts.fellows:
            grant(sheet, what, 1)
        else:
            deny(sheet, what)


class WithLeaders(Entry):
    """An entry along with leaders, some of them aboard."""

    is_relevant = property(lambda self: bool(self.along))


@clause("D6.65c", kind="cost", composes="joint")
def gives_bonus(facts: WithLeaders | Mounted, sheet: Sheet) -> None:
    """A CE Passenger leader gives the MF bonus only to Infantry that moves with it throughout."""
    if isinstance(facts, Entry):
        if any(other.exposed and other.leads and other.same_nationality for other in facts.along):
            sheet.exception("a CE Passenger leader moves in one stack with it (D9.31)")
    elif facts.leads and facts.inside and facts.armored_halftrack:
        if facts.exposed and not facts.pinned:
            grant(sheet, "give the MF bonus to Infantry in one stack with it all MPh", 1)
        deny(sheet, "give the MF bonus to other Infantry")


@clause("A13.3", kind="cost", composes="joint")
def rides_along(facts: WithLeaders, sheet: Sheet) -> None:
    """A leader on horseback gives the MF bonus to Infantry that moves with it throughout."""
    if any(other.mounted and other.leads and other.same_nationality for other in facts.along):
        sheet.exception("a Cavalry leader moves in one stack with it")


@clause("D6.65d", kind="state")
def directs_outside(facts: Mounted, sheet: Sheet) -> None:
    """A leader Passenger directs units outside only if the halftrack neither entered a hex nor was in Motion."""
    if facts.leads and facts.inside:
        if facts.exposed and facts.armored_halftrack and not facts.rolled:
            grant(sheet, OUTSIDE, 1)
        else:
            deny(sheet, OUTSIDE)


@clause("D6.65e", kind="state")
def own_los(facts: Mounted, sheet: Sheet) -> None:
    """A leader Passenger directs only at targets in the leader's own LOS."""
    if _directs(facts):
        deny(sheet, "direct fire at what is out of its own LOS")


@clause("D6.65f", kind="state")
def armor_leader_directs(facts: Carriage, sheet: Sheet) -> None:
    """An exposed Armor Leader directs others only in a FG with its vehicle's MG."""
    if not facts.armor_leader:
        return
    deny(sheet, "have its Armor Leader direct others apart from its own fire")
    what = "have its Armor Leader direct others in a FG with its MG"
    if facts.fires_with_others and (facts.carrier or not facts.shocked):
        grant(sheet, what, 1)
    else:
        deny(sheet, what)


@clause("D6.651a", kind="state")
def morale_outside(facts: Mounted, sheet: Sheet) -> None:
    """A Passenger leader affects morale in its vehicle, and outside if CE in a halftrack at rest."""
    if facts.leads and facts.inside:
        grant(sheet, f"{MORALE} its vehicle's Passengers", 1)
        what = f"{MORALE} units outside its vehicle"
        if facts.exposed and facts.armored_halftrack and not facts.rolled:
            grant(sheet, what, 1)
        else:
            deny(sheet, what)


@clause("D6.651b", kind="state")
def armor_leader_morale(facts: Carriage, sheet: Sheet) -> None:
    """An Armor Leader affects MC and TC only of its own inherent crew."""
    if facts.armor_leader:
        grant(sheet, "have its Armor Leader affect MC and TC of its crew", 1)
        deny(sheet, "have its Armor Leader affect MC and TC of others")


@clause("D6.651c", kind="state")
def leaders_outside(facts: Mounted, sheet: Sheet) -> None:
    """A leader outside affects Passengers only in a vehicle that is not moving."""
    if facts.inside:
        what = "be affected by leaders outside its vehicle"
        if facts.rolled:
            deny(sheet, what)
        else:
            grant(sheet, what, 1)


@clause("D6.651d", kind="effect")
def loss_of_leader(facts: Mounted, sheet: Sheet) -> None:
    """The loss of a Passenger leader affects only other Passengers."""
    if facts.leads and facts.inside:
        grant(sheet, f"{LOSS} its vehicle's Passengers", 1)
        deny(sheet, f"{LOSS} others in its Location")


@clause("D6.651e", kind="effect")
def loss_of_armor_leader(facts: Carriage, sheet: Sheet) -> None:
    """The loss of an Armor Leader affects only its own crew."""
    if facts.armor_leader:
        grant(sheet, "cause a LLMC or LLTC to its crew by the loss of its Armor Leader", 1)
        deny(sheet, "cause a LLMC or LLTC to others by the loss of its Armor Leader")
