"""Stunned, Shocked and Recalled crews, and vehicles without a crew (C7.4, D5.34, D5.41)."""

from __future__ import annotations

from marchtable.rules.facts import Facts, Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_blow, at_phase
from marchtable_models.asl.rules.happenings import StatedResult
from marchtable_models.asl.rules.phases import PhaseBegins
from marchtable_models.asl.views import reading
from marchtable_models.asl.views.standing import Standing


class Stunning(Facts, frozen=True, gc=False):
    """A vehicle whose crew becomes Stunned or Recalled (``what``)."""

    what: str
    afv: bool
    carrier: bool
    dazed: bool  # it has been Stunned before
    leader: bool  # an Armor Leader commands it


@at_blow
def stun_facts(position: AslPosition, event: StatedResult) -> Stunning | None:
    """Return the facts of a crew that becomes Stunned or Recalled."""
    if event.what not in ("stunned", "recalled"):
        return None
    unit = position.unit(event.unit)
    kind, crew = reading.type_of(position, unit), unit.crew
    return Stunning(event.what, kind.afv, kind.carrier, crew.dazed, crew.armor_leader)


class StunnedCrew(Facts, frozen=True, gc=False):
    """A Stunned vehicle as a phase begins."""

    new_turn: bool


@at_phase
def phase_facts(_: AslPosition, unit: AslUnit, begins: PhaseBegins) -> StunnedCrew | None:
    """Return the facts of a Stunned vehicle."""
    return StunnedCrew(begins.new_turn) if unit.crew.stunned else None


class CrewSuffers(Standing):
    """A vehicle whose crew is impaired."""

    is_relevant = property(lambda self: bool(self.crew))


@clause("D5.34", kind="action")
def stunned(facts: CrewSuffers, sheet: Sheet) -> None:
    """A Stunned vehicle does nothing at all."""
    leaves = facts.verb == "leave" and "recalled" in facts.crew  # E11.253
    idle = facts.verb == "end" or facts.move == "stay"  # other units of its line can act
    if "stunned" in facts.crew and not idle and not leaves:
        sheet.bar("the vehicle is Stunned")


@clause("D5.34b", kind="effect")
def stun(facts: Stunning, sheet: Sheet) -> None:
    """A Stunned vehicle stops at once for no MP, and its crew and Passengers are BU."""
    for field in ("moving", "reverse"):
        sheet.force(field, value=False)
    if facts.afv and not facts.carrier:  # D6.84
        sheet.force("bu", value=True)


@clause("D5.34c", kind="state")
def stun_ends(facts: StunnedCrew, sheet: Sheet) -> None:
    """Stun lasts until the Player Turn ends; the crew then has a +1."""
    if facts.new_turn:
        sheet.force("stunned", value=False)
        sheet.force("dazed", value=True)


@clause("D5.342", kind="effect")
def second_stun(facts: Stunning, sheet: Sheet) -> None:
    """A crew that is Stunned a second time is Recalled."""
    if facts.what == "stunned" and facts.dazed:
        sheet.force("recalled", value=True)


@clause("D5.341b", kind="effect")
def recall(facts: Stunning, sheet: Sheet) -> None:
    """A Recalled vehicle is also Stunned, and its Armor Leader is lost."""
    if facts.what == "recalled" or facts.dazed:
        sheet.force("stunned", value=True)
        if facts.leader:
            sheet.force("armor_leader", value=False)


@clause("D5.341c", kind="action")
def no_speed(facts: CrewSuffers, sheet: Sheet) -> None:
    """A Recalled vehicle cannot attempt Excessive Speed."""
    if "recalled" in facts.crew and facts.verb == "esb":
        sheet.bar("the vehicle is Recalled")


@clause("C7.41", kind="action")
def shocked(facts: CrewSuffers, sheet: Sheet) -> None:
    """A Shocked vehicle does nothing at all."""
    if "shocked" in facts.crew and facts.verb != "end" and facts.move != "stay":
        sheet.bar("the vehicle is Shocked")


@clause("D5.41", kind="action")
def abandoned(facts: CrewSuffers, sheet: Sheet) -> None:
    """An Abandoned vehicle does nothing; it can be left, unhooked from, or have hatches changed."""
    if "abandoned" in facts.crew and facts.verb not in ("end", "unload", "unhook", "hatch"):
        sheet.bar("the vehicle is Abandoned")


RECALLED = (
    "enter", "minimum", "turn", "start", "load", "hook", "bypass", "along", "into", "leave-road",
    "delay",
)  # fmt: skip


@not_modelled("D5.341")
def recalled(facts: CrewSuffers) -> bool:
    """Whether a Recalled vehicle heads off the map as it must."""
    return "recalled" in facts.crew and facts.verb in RECALLED
