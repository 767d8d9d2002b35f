"""Horses (A13.32), motorcycles (D15.44) and wagons (D12.2) that split or combine."""

from __future__ import annotations

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Action, Fellow
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.asl.effects.acting import begun
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.mounting import Ridden, with_another
from marchtable_models.asl.views import lines, movers, reading
from marchtable_models.asl.views.cargo import everybody
from marchtable_models.asl.views.mount_counters import (
    HALF,
    ONE,
    SQUAD,
    mount_type,
    next_name,
    sort_of,
)
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.standing import standing_of


class Split(Action, frozen=True, tag="split"):
    """
    A SMC riding with others on horses or motorcycles takes one for himself.

    Name the SMC; its mount becomes a new counter (``h-2`` if it rode ``h``). Or name one of two
    combined wagons to separate them.
    """

    unit: UnitId


class Combine(Action, frozen=True, tag="combine"):
    """
    Two unridden counters of horses or motorcycles, for a half squad each, combine into the first.

    Two wagons also combine, to tow a heavy Gun together (D12.2).
    """

    unit: UnitId
    to: Fellow


class Splitting(Facts, frozen=True, gc=False):
    """A rider about to leave its counter for a mount of its own."""

    horses: bool  # else motorcycles
    rides: bool
    large: bool  # the counter is for more than SMC
    smc: bool
    becomes: str  # the type of a single mount of its kind, "" if there is none
    line: str = ""  # the Convoy or Column it belongs to


class Combining(Facts, frozen=True, gc=False):
    """Two counters about to combine."""

    horses: bool  # the first; else motorcycles
    mounts: bool  # both are horses or motorcycles of one side
    alike: bool
    together: bool
    ridden: bool  # one of them has riders
    sizes: tuple[int, int]
    becomes: str  # the type of the squad-sized counter, "" if there is none
    accompanied: bool  # unbroken friendly Personnel are with them


class Yoking(Facts, frozen=True, gc=False):
    """Two wagons about to combine (``apart``: two combined wagons about to separate)."""

    apart: bool
    wagons: bool  # two different wagons of one side
    together: bool = True  # in one Location, neither in Bypass
    yoked: bool = False  # one of them is already combined
    tows: bool = False
    loaded: bool = False  # the second has Passengers
    line: bool = False  # one of them is in a line


@cases(Split, Combine)
def counters_facts(position: AslPosition, action: Split | Combine, edition: Edition) -> list[Case]:
    """Return the facts of counters that split or combine."""
    unit = position.unit(action.unit)
    to = position.unit(action.to) if isinstance(action, Combine) else None
    if reading.type_of(position, unit).class_ == "wagon":
        return [about(unit, yoking(position, unit, to))]
    if to is not None:
        return [about(unit, combining(position, unit, to))]
    facts, standing = splitting(position, unit), standing_of(position, unit, "split")
    if not facts.rides or unit.cargo.aboard is None:
        return [about(unit, standing), about(unit, facts)]
    mount = position.unit(unit.cargo.aboard)
    return [
        about(mount, standing_of(position, mount, "split")),
        about(unit, standing.replace(mph=mount.move.mph)),
        about(unit, facts),
        *interrupted(position, [mount, unit], edition),
    ]


def splitting(position: AslPosition, unit: AslUnit) -> Splitting:
    """Return the facts of a rider who takes a mount for himself."""
    smc = reading.type_of(position, unit).class_ == "smc"
    mount = position.unit(unit.cargo.aboard) if unit.cargo.aboard is not None else None
    kind = None if mount is None else reading.type_of(position, mount)
    if mount is None or kind is None or not kind.mounts or mount.at is None:
        return Splitting(horses=True, rides=False, large=False, smc=smc, becomes="")
    return Splitting(
        horses=kind.class_ == "cavalry",
        rides=True,
        large=kind.mounts > ONE,
        smc=smc,
        becomes=mount_type(position, kind, ONE),
        line=lines.kind_of(mount),
    )


def combining(position: AslPosition, unit: AslUnit, other: AslUnit) -> Combining:
    """Return the facts of two counters about to combine."""
    kind, second = reading.type_of(position, unit), reading.type_of(position, other)
    return Combining(
        horses=kind.class_ == "cavalry",
        mounts=kind.mounts > 0 and second.mounts > 0 and unit.side == other.side,
        alike=sort_of(kind) == sort_of(second) and unit.id != other.id,
        together=unit.at is not None
        and unit.at == other.at
        and unit.place.inside == other.place.inside,
        ridden=bool(movers.riders_of(position, unit) or movers.riders_of(position, other)),
        sizes=(kind.mounts, second.mounts),
        becomes=mount_type(position, kind, SQUAD) if kind.mounts else "",
        accompanied=any(
            who.side == unit.side and not who.status.broken and _is_man(position, who)
            for who in position.beside(unit.at)
        ),
    )


def yoking(position: AslPosition, unit: AslUnit, other: AslUnit | None = None) -> Yoking:
    """Return the facts of two wagons about to combine, or of two about to separate."""
    both = (unit,) if other is None else (unit, other)
    return Yoking(
        apart=other is None,
        wagons=all(
            reading.type_of(position, one).class_ == "wagon" and one.side == unit.side
            for one in both
        )
        and (other is None or unit.id != other.id),
        together=unit.at is not None
        and all(one.at == unit.at and one.place.bypass is None for one in both),
        yoked=any(one.cargo.yoked for one in both),
        tows=any(one.cargo.towing is not None for one in both),
        loaded=other is not None and bool(everybody(position, other) or other.sw),
        line=any(lines.kind_of(one) for one in both),
    )


def _is_man(position: AslPosition, unit: AslUnit) -> bool:
    kind = reading.type_of(position, unit)
    return kind.is_personnel and not kind.mounts


def _one_for_himself(facts: Splitting, sheet: Sheet) -> None:
    if not facts.rides:
        sheet.bar("it is not riding horses or motorcycles")
    elif not facts.smc:
        sheet.unsupported("a counter splits in halves as its squad Deploys (A1.31)")
    elif not facts.large:
        sheet.bar("the counter is only for SMC and cannot split")
    elif not facts.becomes:
        sheet.unsupported("there is no unit type for a single one of these")
    elif facts.line:
        sheet.unsupported("what happens to a unit that would leave its line")


@clause("A13.32c", kind="action")
def horse_for_one(facts: Splitting, sheet: Sheet) -> None:
    """A SMC that rides with others can take a horse of its own at any time in its MPh."""
    if facts.horses:
        _one_for_himself(facts, sheet)


@clause("D15.44a", kind="action")
def cycle_for_one(facts: Splitting | Ridden, sheet: Sheet) -> None:
    """A SMC can take a motorcycle of its own from a larger counter at any time in the MPh."""
    if facts.horses:
        return
    if isinstance(facts, Ridden):
        if facts.becomes:
            sheet.force("type", facts.becomes)
    else:
        _one_for_himself(facts, sheet)


def _one_of_two(facts: Combining, sheet: Sheet) -> None:
    if not facts.mounts:
        sheet.bar("only horses, or motorcycles, of one side can combine")
    elif not facts.alike:
        sheet.bar("the two counters are not of one kind")
    elif not facts.together:
        sheet.bar("the two counters are not in one Location")
    elif facts.ridden:
        sheet.unsupported("ridden counters combine as their riders Recombine (A1.32)")
    elif SQUAD in facts.sizes:
        sheet.bar("no counter is larger than a squad's")
    elif facts.sizes != (HALF, HALF):
        sheet.unsupported("the number of single mounts in a larger counter is not stated")
    elif not facts.becomes:
        sheet.unsupported("there is no unit type for a squad's counter of these")
    else:
        sheet.force("type", facts.becomes)


@clause("A13.32d", kind="action")
def combined_horses(facts: Combining, sheet: Sheet) -> None:
    """Two unridden counters of horses for half squads can combine if men are with them."""
    if facts.horses:
        _one_of_two(facts, sheet)
        if facts.mounts and not facts.accompanied:
            sheet.bar("no unbroken unit of their side is with the horses")


@clause("D15.44b", kind="action")
def combined_cycles(facts: Combining, sheet: Sheet) -> None:
    """Two unridden counters of motorcycles for half squads, of one kind, can combine."""
    if not facts.horses:
        _one_of_two(facts, sheet)


@clause("D12.2b", kind="action")
def combined_wagons(facts: Yoking, sheet: Sheet) -> None:
    """Two wagons in one Location combine, or separate, only while they tow nothing."""
    if facts.apart and not facts.yoked:
        sheet.bar("it is one wagon")
    elif not facts.wagons:
        sheet.bar("only two wagons of one side are combined")
    elif not facts.together:
        sheet.bar("the two wagons are not in one Location, out of Bypass")
    elif facts.yoked and not facts.apart:
        sheet.bar("only two wagons can be combined")
    elif facts.tows:
        sheet.bar("a towing wagon can be neither combined nor separated")
    elif facts.line:
        sheet.unsupported("combining or separating wagons of a line")
    elif facts.loaded:
        sheet.unsupported("how the load of the second is carried by both")


@effect(Split)
def after_split(position: AslPosition, action: Split) -> AslPosition | None:
    """
    Return the position with a rider on his own horse or motorcycle, or with wagons separated.

    None if the counter cannot split.
    """
    unit = position.unit(action.unit)
    if unit.cargo.yoked:
        return with_another(position.with_units([replace(unit, yoked=False)]), unit, yoked=False)
    mount = position.unit(unit.cargo.aboard) if unit.cargo.aboard is not None else None
    own = "" if mount is None else mount_type(position, reading.type_of(position, mount), 1)
    if mount is None or not own:
        return None
    new = replace(mount, mph="done" if mount.move.mph == "done" else "moving")
    rider = replace(unit, aboard=next_name(position, mount), mph=new.move.mph)
    return with_another(begun(position, [mount, unit], [rider]), new, type=own)


@effect(Combine)
def after_combining(position: AslPosition, action: Combine) -> AslPosition:
    """Return the position with two counters combined: they have spent the larger amount."""
    unit, other = position.unit(action.unit), position.unit(action.to)
    one, two = sorted((unit, other), key=lambda each: (each.move.mph == "done", each.points.spent))
    cx = one.status.cx or two.status.cx
    whole = replace(two, id=unit.id, type=unit.type, cx=cx)
    if reading.type_of(position, unit).class_ == "wagon":
        whole = replace(unit, yoked=True, cx=cx, mph=two.move.mph, points=two.points)
    return position.with_units([whole, replace(other, at=None, mph="done")])
