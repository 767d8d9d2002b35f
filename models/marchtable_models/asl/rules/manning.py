"""Abandoning a vehicle, manning it again, taking its armament off (D5.4, D6.631, D6.83)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from marchtable.rules.facts import Bill, Case, Edition, Sheet, about
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.state.action import Action, Fellow
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.asl.cases.foot import members
from marchtable_models.asl.cases.mphends import interrupted
from marchtable_models.asl.counterkinds import MINEFIELD
from marchtable_models.asl.effects.acts import begun
from marchtable_models.asl.extraction import purse, reading, standings
from marchtable_models.asl.extraction.manning import is_carrier_crew, taking, with_taken
from marchtable_models.asl.extraction.overlay import counters_at, is_on_wire
from marchtable_models.asl.facts.aboard import Shot
from marchtable_models.asl.facts.manning import Abandonment, CrewLost, Manned, Taking
from marchtable_models.asl.facts.spending import PaidIfFree
from marchtable_models.asl.model import AslPosition, AslUnit, UnitType
from marchtable_models.asl.verbs.carrying import Armament
from marchtable_models.asl.verbs.traits import Traits


class Abandon(Action, frozen=True, tag="abandon"):
    """The inherent crew of a vehicle abandons it, with what it takes off of its armament."""

    traits: ClassVar[Traits] = ("still",)

    unit: UnitId
    take: Armament = ()


class Man(Action, frozen=True, tag="man"):
    """A crew on foot mans an Abandoned vehicle, mounting the armament it brings."""

    traits: ClassVar[Traits] = ("leaves",)

    unit: UnitId
    into: Fellow


class Emptied(PaidIfFree, frozen=True, gc=False):
    """A vehicle being Abandoned."""

    left: int  # half MP


@cases(Man)
def of_manning(position: AslPosition, action: Man, edition: Edition) -> list[Case]:
    """Return the facts of a crew that mans a vehicle."""
    crew, vehicle = position.unit(action.unit), position.unit(action.into)
    kind = reading.type_of(position, vehicle)
    names = [weapon.name for weapon in crew.sw]
    facts = Manned(
        abandoned=kind.class_ == "vehicle" and vehicle.crew.abandoned and vehicle.side == crew.side,
        together=crew.at == vehicle.at and crew.cargo.aboard is None,
        armed=kind.armed,
        just_left=vehicle.move.mph == "done" or (kind.carrier and vehicle.move.mph != "unmoved"),
        recalled=vehicle.crew.recalled,
        temporary=_is_temporary(crew, kind, reading.type_of(position, crew)),
        fresh=crew.move.mph == "unmoved" and not (crew.points.spent or crew.cargo.conveyed),
        left=purse.allotment(position, replace(crew, conveyed=True), edition) - crew.points.spent,
        half_squad=reading.type_of(position, crew).class_ == "half-squad",
        main=kind.main,
        mm=kind.mm,
        tows_ordnance=kind.tows_ordnance,
        taken=bool(vehicle.crew.taken),
        assault=crew.move.assault,
        double_time=crew.points.double > 0,
        wired=is_on_wire(position, crew),
        mounts=tuple(name for name in names if name in vehicle.crew.taken),
        stows=tuple(name for name in names if name not in vehicle.crew.taken),
    )
    found = [about(crew, standings.standing(position, crew, "man")), about(crew, facts)]
    together = members(position, (crew.id, crew.cargo.aboard or crew.id))
    return found + interrupted(position, together, edition)


def _is_temporary(crew: AslUnit, kind: UnitType, man: UnitType) -> bool:
    """Return whether a unit would man a vehicle as a Temporary crew (A21.22)."""
    own = kind.carrier and man.class_ == "half-squad" and crew.crew.carrier_crew
    return kind.armed and man.class_ != "crew" and not own


@cases(Abandon)
def of_abandoning(position: AslPosition, action: Abandon, edition: Edition) -> list[Case]:
    """Return the facts of a crew that abandons its vehicle, and of that."""
    crew = position.unit(action.unit)
    vehicle = position.unit(crew.cargo.aboard) if crew.cargo.aboard is not None else crew
    still = vehicle.move.mph == "unmoved" and vehicle.points.spent == vehicle.points.lost
    facts = Abandonment(
        inherent=crew.crew.inherent and crew.cargo.aboard is not None,
        moving=vehicle.motion.moving,
        fresh=still
        and not (
            vehicle.status.fired or crew.status.fired or crew.status.prep_fired or crew.points.spent
        ),
        left=purse.allotment(position, crew, edition) - crew.points.spent,
        bypass=vehicle.place.bypass is not None,
        counters_here=counters_at(position, vehicle.at or "")
        if vehicle.place.bypass is not None
        else (),
        mined=MINEFIELD in position.markers.get(vehicle.at or "", ()),
        carrier_crew=is_carrier_crew(position, crew, vehicle),
        recalled=vehicle.crew.recalled,
        stuck=vehicle.motion.bogged or vehicle.motion.immobile,
    )
    found = [
        about(crew, standings.standing(position, crew, "abandon")),
        about(crew, facts),
    ]
    if vehicle is crew:
        return found + interrupted(position, (crew,), edition)
    left = purse.allotment(position, vehicle, edition) - vehicle.points.spent
    found += [
        about(vehicle, standings.standing(position, vehicle, "abandon")),
        about(vehicle, Emptied(left)),
    ]
    if action.take:
        off = taking(position, vehicle, action.take, "crew", crew)
        found.append(about((vehicle, crew), off))
    return found + interrupted(position, (crew, vehicle), edition)


@clause("D5.41a", kind="action")
def abandon(facts: Abandonment, sheet: Sheet) -> None:
    """An inherent crew abandons its vehicle with all its MF, if neither has moved or fired."""
    if not facts.inherent:
        sheet.bar("only the inherent crew of a vehicle abandons it, told as a unit aboard it")
    if facts.moving:
        sheet.bar("the vehicle is in Motion")
    if not facts.fresh:
        sheet.bar("the vehicle or its crew has moved or fired this Player Turn")
    sheet.charge(facts.left, "all its MF", "abandoning")
    sheet.force("conveyed", value=True)
    sheet.force("act", "unloads")
    sheet.force("stays", value=True)


@clause("D5.341d", kind="action")
def recalled_crew(facts: Abandonment | Taking | Manned, sheet: Sheet) -> None:
    """A Recalled crew abandons only what is bogged or immobile, and takes nothing off it."""
    if not facts.recalled:
        return
    if isinstance(facts, Manned):
        sheet.unsupported("whether it is the crew that was Recalled, which mans it no more")
    elif isinstance(facts, Taking):
        if facts.by != "passengers":
            sheet.bar("the crew is Recalled")
    elif not facts.stuck:
        sheet.bar("the crew is Recalled, and its vehicle can move")


@clause("D5.41b", kind="cost")
def emptied(facts: Emptied, sheet: Sheet) -> None:
    """A vehicle that is Abandoned spends all its MP, and has no crew."""
    sheet.charge(facts.left, "all its MP", "abandoning")
    sheet.force("abandoned", value=True)
    sheet.force("mph", "done")


@clause("D5.41c", kind="action")
def takes_off(facts: Taking, sheet: Sheet) -> None:
    """Armament comes off Carriers and armored halftracks, as far as their counters tell."""
    if not (facts.halftrack or facts.carrier):
        sheet.bar("armament comes off Carriers and armored halftracks alone")
    take, told = facts.take, facts.told
    if missing := dict.fromkeys(name for name in take if take.count(name) > told.count(name)):
        sheet.bar(f"the vehicle has no {', '.join(missing)} that may be taken off")


@clause("D5.42a", kind="action")
def man(facts: Manned, sheet: Sheet) -> None:
    """Infantry that began the MPh there mans an Abandoned vehicle, stowing no SW as it does."""
    if not facts.abandoned:
        sheet.bar("only an Abandoned vehicle of its side is manned")
    elif not facts.together:
        sheet.bar("it must be in the vehicle's Location")
    elif not facts.armed:
        sheet.bar("it has a Driver, who never leaves it, and no crew")
    if not facts.fresh:
        sheet.bar("it has not begun the MPh there, or has left a vehicle in it")
    if facts.stows:
        sheet.bar(f"it cannot stow {', '.join(facts.stows)} as it enters")


@clause("D5.42c", kind="action")
def just_left(facts: Manned, sheet: Sheet) -> None:
    """Nobody mans a vehicle in the Player Turn in which its crew left it."""
    if facts.abandoned and facts.just_left:
        sheet.bar("its crew has left it this Player Turn")


@not_modelled("A21.22")
def temporary_crew(facts: Manned) -> bool:
    """A Temporary crew: a vehicle that others man than a crew such as it has."""
    return facts.temporary


@clause("D5.42b", kind="cost")
def mans_all_mf(facts: Manned, sheet: Sheet) -> None:
    """Manning a vehicle takes all the crew's MF, and the vehicle's MPh with them."""
    sheet.charge(facts.left, "all its MF", "manning")
    sheet.force("conveyed", value=True)
    sheet.force("act", "mans")


@clause("D5.43b", kind="effect")
def fails_to_man(facts: Shot, sheet: Sheet) -> None:
    """A crew pinned, broken or lost as it mans a vehicle, or with it destroyed, has not manned it."""
    if facts.act != "mans":
        return
    if facts.part == "vehicle":
        sheet.force("abandoned", value=True)
        sheet.force("taken", facts.taken)
    elif facts.part == "unit":
        sheet.force("aboard", None)
        sheet.force("inherent", value=False)
        sheet.force("sw", facts.weapons)
        if facts.destroyed:
            sheet.force("act", "")
            sheet.force("hitch", ())


@clause("D5.311", kind="effect")
def crew_lost(facts: CrewLost, sheet: Sheet) -> None:
    """A crew that breaks leaves its vehicle, which stops; lost or broken it has none."""
    if facts.part == "vehicle":
        for field, value in (("abandoned", True), ("moving", False), ("reverse", False)):
            sheet.force(field, value)
        sheet.force("mph", "done")
    else:
        sheet.force("aboard", None)
        sheet.force("inherent", value=False)
        sheet.force("mph", "done")
        if facts.what == "broken":
            sheet.force("at", facts.at)
            sheet.force("conveyed", value=True)


@effect(Man)
def after_manning(position: AslPosition, action: Man, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a crew has manned a vehicle."""
    unit = position.unit(action.unit)
    spent = unit.points.spent + paid_by_unit(bills).get(unit.id, 0)
    crew = replace(unit, mph="done", spent=spent)
    vehicle = position.unit(action.into)
    names = tuple(w.name for w in crew.sw if w.name in vehicle.crew.taken)
    crew = replace(crew, aboard=vehicle.id, inherent=True, sw=(), hitch=(vehicle.id, *names))
    kept = tuple(name for name in vehicle.crew.taken if name not in names)
    return begun(
        position, [unit], [crew, replace(vehicle, abandoned=False, taken=kept, mph="done")]
    )


@effect(Abandon)
def after_abandoning(position: AslPosition, action: Abandon, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a crew has left its vehicle."""
    paid = paid_by_unit(bills)
    unit = position.unit(action.unit)
    crew = replace(unit, mph="done", spent=unit.points.spent + paid.get(unit.id, 0))
    if crew.cargo.aboard is None:
        return begun(position, [unit], [crew])
    vehicle = position.unit(crew.cargo.aboard)
    amount = paid.get(vehicle.id, 0)
    left = replace(vehicle, spent=vehicle.points.spent + amount, used=vehicle.points.used + amount)
    crew = replace(crew, aboard=None, inherent=False)
    by, crew = with_taken(position, left, crew, action.take)
    sw = tuple(replace(weapon, portaged=True) for weapon in crew.sw)  # it goes nowhere with it
    return begun(position, [vehicle, unit], [by, replace(crew, sw=sw)])
