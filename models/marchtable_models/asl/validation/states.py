"""States that a unit of some kind can have: others are rejected on reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable.nearest import unknown
from marchtable.state.records import field_of
from marchtable_models.asl.records import OF
from marchtable_models.asl.rules.climbing import on_its_cliff
from marchtable_models.asl.rules.gear import gear_of
from marchtable_models.asl.views.unitkinds import has_men, is_manned, type_of, types_here
from marchtable_models.asl.weapons import BICYCLE, is_gone_upon

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable_models.asl.model import AslPosition, AslUnit, UnitType


def _may_tire(kind: UnitType) -> bool:
    return kind.is_personnel or kind.class_ in ("wagon", "motorcycle")


IS: dict[str, Callable[[UnitType], bool]] = {
    "a vehicle": lambda kind: kind.is_vehicle,
    "a vehicle, no wagon or motorcycle": lambda kind: kind.class_ == "vehicle",
    "a vehicle with a crew or Driver": is_manned,
    "a wagon": lambda kind: kind.class_ == "wagon",
    "an AFV": lambda kind: kind.afv,
    "an AFV without a radio": lambda kind: kind.afv and not kind.radio,
    "a fully-tracked AFV": lambda kind: kind.afv and kind.column == "ft",
    "a vehicle with a turret": lambda kind: bool(kind.turret),
    "Personnel": has_men,
    "a SMC": lambda kind: kind.class_ in ("smc", "cavalry", "motorcycle"),
    "Personnel or a wagon": _may_tire,
    "Infantry": lambda kind: kind.is_infantry,
    "Personnel or a vehicle": lambda kind: kind.class_ != "gun",
    "a half squad, crew or squad": lambda kind: kind.class_ in ("half-squad", "crew", "squad"),
    "a Gun": lambda kind: kind.class_ == "gun",
}
"""How to recognize the units that some fields are for."""


def check_states(position: AslPosition) -> None:
    """Raise BadInputError for a state that such a unit never has, or two that exclude each other."""
    for number, unit in enumerate(position.units):
        kind = type_of(position, unit)
        if kind.class_ == "wreck":
            continue  # it keeps the fields of the vehicle
        for whose, names in OF.items():
            for name in names:
                if field_of(unit, name) and not IS[whose](kind):
                    raise BadInputError(
                        f"{unit.id}: {name} is for {whose}, and its type is {kind.name}; leave {name} out",
                        field=f"units[{number}].{name}",
                    )
        for field, says in _contradictions(position, unit, kind):
            raise BadInputError(f"{unit.id}: {says}", field=f"units[{number}].{field}")


def _contradictions(position: AslPosition, unit: AslUnit, kind: UnitType) -> list[tuple[str, str]]:
    """Return fields that contradict others, and what was expected."""
    found: list[tuple[str, str]] = []
    if unit.motion.moving and (
        still := [x for x in ("immobile", "bogged", "abandoned") if field_of(unit, x)]
    ):
        found.append(
            ("moving", f"a vehicle that is {still[0]} is not moving; leave one of them out")
        )
    if unit.crew.bu and kind.carrier:
        found.append(("bu", "a Carrier is always CE (D6.84a); leave bu out"))
    if unit.points.boarder_spent and not unit.points.lost:
        found.append(("boarder_spent", "boarder_spent needs lost, the MP lost by being boarded"))
    if unit.concealment.dummy and not unit.concealment.concealed:
        found.append(("dummy", "a dummy is concealed; write `concealed = true` too"))
    if unit.cargo.laden and not (unit.cargo.portee and unit.cargo.towing):
        found.append(
            (
                "laden",
                "laden needs portee, the caliber in mm of the Guns it may carry, and its Gun in towing",
            )
        )
    if unit.cargo.trailer and unit.cargo.towing:
        found.append(
            ("trailer", "a vehicle that tows a Gun has no trailer; leave trailer or towing out")
        )
    if unit.status.gear and unit.status.gear not in gear_of(unit):
        found.append(("gear", f"gear = {unit.status.gear!r} needs one among its sw; add it there"))
    if unit.status.gear == BICYCLE and any(not is_gone_upon(unit, one) for one in unit.sw):
        found.append(("gear", "a unit on bicycles has no other SW (D15.82); take them out of sw"))
    if unit.cargo.act:
        found += _act_faults(unit)
    found += _conveyed_faults(unit)
    return found + _faults_about_others(position, unit)


def _act_faults(unit: AslUnit) -> list[tuple[str, str]]:
    aboard, off = unit.cargo.aboard is not None, ("unloads", "alights")
    if not unit.cargo.conveyed and unit.cargo.act not in ("hooks", "unhooks"):
        return [("act", f"act = {unit.cargo.act!r} needs conveyed = true")]
    if unit.cargo.act in off and aboard:
        return [
            (
                "act",
                f"act = {unit.cargo.act!r} is for a unit that has left its vehicle; leave aboard out",
            )
        ]
    struck = unit.status.pinned or unit.status.broken or unit.at is None
    if unit.cargo.act in ("loads", "mans") and not (aboard or struck):
        return [("act", f"act = {unit.cargo.act!r} needs aboard, the vehicle that it boards")]
    if (
        unit.cargo.act == "mans"
        and aboard
        and not (
            unit.crew.inherent and unit.cargo.hitch and unit.cargo.hitch[0] == unit.cargo.aboard
        )
    ):
        return [
            (
                "act",
                "act = 'mans' needs inherent = true, and in hitch the vehicle that it is aboard",
            )
        ]
    if unit.cargo.act in ("hooks", "unhooks") and len(unit.cargo.hitch) != 2:
        return [
            (
                "hitch",
                f"act = {unit.cargo.act!r} needs a hitch of two names: the vehicle, then the Gun",
            )
        ]
    return []


def _conveyed_faults(unit: AslUnit) -> list[tuple[str, str]]:
    aboard, conveyed = unit.cargo.aboard is not None, unit.cargo.conveyed
    found = [
        (
            name,
            f"{name} is for a unit on foot with conveyed = true; write that, or leave {name} out",
        )
        for name in ("cafp", "stays")
        if field_of(unit, name) and (aboard or not conveyed)
    ]
    found += [
        (name, f"a unit that is or was conveyed cannot have {name} ({clause}); leave it out")
        for name, clause in (("assault", "A4.61e"), ("double", "A4.5e"))
        if field_of(unit, name) and (aboard or conveyed)
    ]
    if unit.place.inside and unit.cargo.aboard is not None:
        found.append(
            ("inside", "a unit aboard a vehicle has no inside; leave inside or aboard out")
        )
    return found


def _faults_about_others(position: AslPosition, unit: AslUnit) -> list[tuple[str, str]]:
    """Return its false statements about other units."""
    found = []
    if unit.move.lends and not _is(position, unit.move.lends, helper=unit.id):
        found.append(
            ("lends", f"{unit.move.lends!r} must name it back; write `helper = {unit.id!r}` there")
        )
    if unit.move.helper and not _is(position, unit.move.helper, lends=unit.id):
        found.append(
            ("helper", f"{unit.move.helper!r} must name it back; write `lends = {unit.id!r}` there")
        )
    if unit.move.armored and unit.move.armored not in position.index:
        found.append(("armored", unknown("unit", unit.move.armored, position.index, where=" here")))
    both = "stated to be seen, too (sight runs both ways, A6.5); leave one of them out"
    found += [
        ("not_sees", f"{name!r} is {both}")
        for name in unit.concealment.not_sees
        if name in unit.concealment.sees
        or (name in position.index and unit.id in position.unit(name).concealment.sees)
    ]
    found += [("escorted", says) for says in _escorted_faults(position, unit)]
    if unit.move.clears and unit.move.clears not in position.index:
        found.append(("clears", unknown("wreck", unit.move.clears, position.index, where=" here")))
    for field in ("dash", "thrown", "dared"):
        named = getattr(unit.move, field)
        if named and named not in {one.name for one in position.board.locations}:
            found.append(
                (field, unknown("Location", named, position.board.index, where=" on the map"))
            )
    if unit.place.crest is not None and unit.place.inside not in ("crest", "cliff"):
        found.append(("crest", 'crest needs inside = "crest" or "cliff"'))
    if unit.place.inside == "cliff" and unit.at and not on_its_cliff(position, unit):
        found.append(
            ("crest", "expected the hexside of a cliff that is as high as its floor, or higher")
        )
    if unit.line.wave and not (unit.line.course and unit.line.upon in position.board):
        found.append(("wave", "wave needs course, and in upon a Location of the map"))
    return found + [
        ("leaders", _no_leader(position, name))
        for name in unit.move.leaders
        if name not in position.index or not type_of(position, position.unit(name)).leads
    ]


def _escorted_faults(position: AslPosition, unit: AslUnit) -> list[str]:
    """List the faults of the Infantry that an AFV has moved with."""
    if not unit.move.escorted:
        return []
    if unit.move.armored != unit.id:
        return [f"escorted needs its own name in armored; write `armored = {unit.id!r}`"]
    infantry = [name for name, kind in types_here(position).items() if kind.is_infantry]
    return [
        f"{one.unit} needs a type of Infantry: {unknown('unit type', one.kind, infantry)}"
        for one in unit.move.escorted
        if one.kind not in infantry
    ]


def _no_leader(position: AslPosition, name: str) -> str:
    """Return the message that rejects a name among leaders."""
    there = [one.id for one in position.units if type_of(position, one).leads]
    return unknown("leader", name, there, where=" here")


def _is(position: AslPosition, name: str, **fields: str) -> bool:
    """Return whether there is a unit of that name with these fields."""
    if name not in position.index:
        return False
    other = position.unit(name)
    return all(field_of(other, field) == value for field, value in fields.items())
