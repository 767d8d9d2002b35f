"""Abandoning a vehicle, manning it again, taking its armament off (D5.4, D6.631, D6.83)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.facts.aboard import Shot
from marchtable_models.asl.facts.manning import Abandonment, CrewLost, Emptied, Manned, Taking


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
