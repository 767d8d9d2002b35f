"""Starting to move at night (E1.53): the Movement DR, and straying."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, settles
from marchtable.state.action import Action, Companions
from marchtable.state.position import Obligation, Odds
from marchtable.state.records import replace
from marchtable_models.asl.data import count
from marchtable_models.asl.effects.acting import begun
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.night import GUIDES
from marchtable_models.asl.rules.stacks import group, members
from marchtable_models.asl.unittype import UnitType
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import lines
from marchtable_models.asl.views.cargo import prc
from marchtable_models.asl.views.guidance import is_unguided
from marchtable_models.asl.views.lookout import sees_enemy
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.standing import Standing, standing_of, strays_with
from marchtable_models.asl.views.unitkinds import type_of

BY_STEALTH = ("lax", "normal", "stealthy")


class SetOut(Action, frozen=True, tag="set-out"):
    """At night, units that move together make the Movement DR that begins their MPh."""

    traits: ClassVar[Traits] = ("beneath",)

    units: Companions


class SettingOut(Facts, frozen=True, gc=False):
    """A unit, alone or in a stack, about to begin its MPh at night or to go on without a guide."""

    night: bool
    exempt: bool  # its Location, an adjacent one or a visible enemy guides it
    fresh: bool  # it has made no Movement DR yet
    first: str  # the first unit of the stack, which makes the DR
    is_first: bool  # it is that unit
    stealth: str  # that of most units in the stack; if equal, the worse
    line: str = ""  # its kind of line, if it strays only with the lead
    carried: bool = False  # it is aboard one of them, whose DR counts for it too
    unsure: bool = False  # it might see a Known enemy: its LOS is close, or not modelled


class Course(Facts, frozen=True, gc=False):
    """The result of a Movement DR."""

    outcome: str


@cases(SetOut)
def setting_out_facts(position: AslPosition, action: SetOut, edition: Edition) -> list[Case]:
    """Return the facts of units that make their Movement DR."""
    units, found = members(position, action.units), list[Case]()
    if len(units) > 1:
        found.append(Case(action.units, group(position, units, "set-out")))
    for unit in units:
        facts = setting_out(position, unit, units)
        found.append(about(unit, standing_of(position, unit, "set-out")))
        found.append(about(unit, facts))
        carried = replace(facts, carried=True, is_first=False, line="")
        found += [about(one, carried) for one in prc(position, unit)]
    return found + interrupted(position, units, edition)


@settles("stray")
def course_facts(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the facts of a Movement DR's result, for all units that made it together."""
    together = [unit for unit in position.units if unit.night.guide == obligation.unit]
    return [about(unit, Course(outcome)) for unit in together]


def setting_out(position: AslPosition, unit: AslUnit, stack: Sequence[AslUnit]) -> SettingOut:
    """Return the facts of a unit that begins its MPh at night in a stack."""
    kinds = [_stealth(type_of(position, member)) for member in stack]
    alone, sees = is_unguided(position, unit.at), sees_enemy(position, unit)
    return SettingOut(
        night=position.conditions.night,
        exempt=not alone or sees == "yes",
        unsure=alone and sees == "unsure",
        fresh=unit.night.guide is None,
        line=lines.kind_of(unit) if _follows(position, unit) else "",
        first=stack[0].id,
        is_first=unit is stack[0],
        stealth=max(BY_STEALTH, key=kinds.count),  # if equal, the first, which is worse
    )


def _follows(position: AslPosition, unit: AslUnit) -> bool:
    line = lines.members(position, unit)
    return bool(line) and strays_with(unit, line[0], type_of(position, unit))


def _stealth(kind: UnitType) -> str:
    return kind.stealth if kind.is_personnel else BY_STEALTH[0]


@clause("E1.53b", kind="odds")
def movement_dr(facts: SettingOut, sheet: Sheet) -> None:
    """The Movement DR: a unit's chance of straying depends on its stealth."""
    sheet.force("guide", facts.first)
    if facts.carried:
        return
    if not facts.night:
        sheet.bar("a Movement DR is made only at night")
        return
    if not facts.fresh:
        sheet.bar("the Movement DR is made once a MPh")
    if facts.exempt:
        sheet.bar("a road, path, gully, stream or trench near it, or an enemy it sees, guides it")
    if facts.unsure:
        sheet.unsupported(f"{GUIDES}; state it with `sight`")
    if facts.is_first:
        whites = count("E1.53", "die") - count("E1.53", f"white_{facts.stealth}") + 1
        of = count("E1.53", "die") ** 2
        odds = (Odds("keeps", of - whites, of), Odds("strays", whites, of))
        sheet.roll("stray", odds, f"{facts.stealth}: strays on a colored 6 with white enough")


@clause("E1.53c", kind="effect")
def strays(facts: Course, sheet: Sheet) -> None:
    """A unit that fails its Movement DR strays."""
    if facts.outcome == "strays":
        sheet.force("astray", value=True)


# -- lines ---------------------------------------------------------------------------------------


def _strays_as_one(facts: Standing | SettingOut, sheet: Sheet) -> None:
    if isinstance(facts, SettingOut):
        sheet.bar("only the first of its line makes a Movement DR")
    elif facts.due and facts.follows:
        sheet.exception("it follows the first of its line")


@clause("E11.6a", kind="effect")
def lead_strays(facts: Standing | SettingOut, sheet: Sheet) -> None:
    """At night only the lead of a Convoy or Column can stray."""
    if facts.line in ("convoy", "column"):
        _strays_as_one(facts, sheet)


@clause("E1.531", kind="effect")
def platoon_strays(facts: Standing | SettingOut, sheet: Sheet) -> None:
    """In a platoon of radioless AFV the first makes the Movement DR."""
    if facts.line == "platoon":
        _strays_as_one(facts, sheet)


@effect(SetOut)
def after_setting_out(position: AslPosition, action: SetOut) -> AslPosition:
    """Return the position after a Movement DR begins an MPh: other units' MPh is over."""
    units = [position.unit(name) for name in action.units]
    return begun(position, units, units)
