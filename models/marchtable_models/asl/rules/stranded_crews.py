"""The task check of a crew whose vehicle is immobilized by an attack (D5.5)."""

from __future__ import annotations

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import clause, settles
from marchtable.state.position import Obligation, Odds
from marchtable_models.asl.model import AslPosition
from marchtable_models.asl.occasions import at_blow
from marchtable_models.asl.rules.happenings import StatedResult
from marchtable_models.asl.views import reading
from marchtable_models.asl.views.cargo import conveyance, everybody


class Stranding(Facts, frozen=True, gc=False):
    """An inherent crew whose vehicle an attack immobilizes, with any task check result."""

    part: str  # the ``crew``, its ``vehicle``, or a vehicle with an ``unstated`` crew
    morale: int = 0  # 0 if unknown
    drm: int = 0
    leader: bool = False  # an Armor Leader commands it
    outcome: str = ""  # ``passed``, ``failed`` or not yet known


@at_blow
def stranding_facts(position: AslPosition, event: StatedResult) -> list[Case]:
    """Return the facts of the crew of a vehicle immobilized by an attack."""
    if event.what != "immobilized":
        return []
    vehicle = position.unit(event.unit)
    kind = reading.type_of(position, vehicle)
    if not kind.armed or not vehicle.crew.able or vehicle.motion.immobile:
        return []
    crews = [unit for unit in everybody(position, vehicle) if unit.crew.inherent]
    if not crews:
        return [about(vehicle, Stranding("unstated"))]
    (crew,) = crews
    morale, leader = reading.type_of(position, crew).morale, vehicle.crew.armor_leader
    return [about(crew, Stranding("crew", morale, int(vehicle.crew.dazed), leader))]


@settles("stranded")
def check_facts(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the check's result, for the crew and its vehicle."""
    crew = position.unit(obligation.unit)
    vehicle = conveyance(position, crew)
    return [
        about(one, Stranding(part, outcome=outcome))
        for part, one in (("crew", crew), ("vehicle", vehicle))
    ]


@clause("D5.5", kind="odds")
def immobilization_check(facts: Stranding, sheet: Sheet) -> None:
    """A crew, not Stunned or Shocked, takes a task check as an attack immobilizes its vehicle."""
    if facts.outcome:
        return
    if facts.part == "unstated":
        sheet.exception("its crew is not stated as a unit aboard: it is taken to have passed")
    elif facts.leader or not facts.morale:
        sheet.unsupported(
            "the task check of a crew with an Armor Leader, or whose morale is not known"
        )
    else:
        fails, of = two_dice_at_least(facts.morale - facts.drm + 1)
        odds = (Odds("passed", of - fails, of), Odds("failed", fails, of))
        sheet.roll("stranded", odds, f"morale {facts.morale}")


@clause("D5.5b", kind="effect")
def forced_out(facts: Stranding, sheet: Sheet) -> None:
    """A crew that fails the task check is beneath its immobilized vehicle, now Abandoned, with all its MF spent."""
    if facts.outcome != "failed":
        return
    if facts.part == "vehicle":
        sheet.force("abandoned", value=True)
        return
    for field, value in (
        ("aboard", None), ("inherent", False), ("conveyed", True), ("stays", True), ("mph", "done"),
        ("hazardous", "survival"),
    ):  # fmt: skip
        sheet.force(field, value)
