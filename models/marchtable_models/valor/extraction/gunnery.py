"""Reads the facts of an attack off a position: who fires what at which hex, and what it adds up to."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from marchtable.errors import BadInputError, UnknownNameError
from marchtable_models.valor.clauses.transport import is_over
from marchtable_models.valor.data import ground_of
from marchtable_models.valor.extraction import hexmates, lines, reading
from marchtable_models.valor.extraction.ground import terrain_of
from marchtable_models.valor.facts.attacks import Aim, Crew, Firing, Inspired, Loadout, Shot, Volley

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import UnitType, ValorUnit, WeaponType

__all__ = [
    "Salvo",
    "aim",
    "arms",
    "chosen",
    "crew",
    "firing",
    "inspired",
    "loadout",
    "salvo",
    "shot",
    "volley",
    "worth",
]

OWN, NOTHING = "own", "none"
VEHICLE_WEAPONS = ("gun", "mg360", "mgff")
HALF_SQUAD = "half-squad"


class Salvo(NamedTuple):
    """What one unit fires: the names of its weapons."""

    unit: ValorUnit
    weapons: tuple[str, ...]


# -- weapons ---------------------------------------------------------------------------------------


def arms(position: ValorPosition, unit: ValorUnit) -> tuple[str, ...]:
    """Return every weapon that the unit has."""
    kind = reading.type_of(position, unit)
    if kind.is_infantry:
        return (OWN, *dict.fromkeys(unit.sw))
    return tuple(name for name in VEHICLE_WEAPONS if getattr(kind, name))


def _support(position: ValorPosition, unit: ValorUnit, name: str) -> WeaponType | None:
    return reading.weapon_of(position, name) if name in unit.sw else None


def shot(position: ValorPosition, unit: ValorUnit, name: str, target: str) -> Shot:
    """Return the facts of one weapon brought to bear."""
    kind, weapon = reading.type_of(position, unit), _support(position, unit, name)
    at = str(unit.at)
    terrain = ground_of(terrain_of(position.board[at]))
    sheltered = bool(terrain and terrain.id == "building") or any(
        "bunker" in counter for counter in position.markers.get(at, ())
    )
    infantry = kind.is_infantry
    return Shot(
        weapon.kind if weapon else name,
        reading.kind_of(position, unit),
        printed=name in arms(position, unit),
        apfp=weapon.apfp if weapon else _printed(kind, name),
        class_=weapon.class_ if weapon else "",
        turreted=kind.turreted,
        ahead=reading.is_in_arc(position.board, at, unit.facing, target),
        distance=position.board.distance(at, target),
        range=weapon.range if weapon else kind.range,
        least=weapon.least if weapon else 0,
        aboard=infantry and unit.aboard is not None,
        indoors=sheltered,
    )


def _printed(kind: UnitType, name: str) -> int:
    if kind.is_infantry:
        return kind.apfp if name == OWN else 0
    return int(getattr(kind, name)) if name in VEHICLE_WEAPONS else 0


def loadout(position: ValorPosition, found: Salvo) -> Loadout:
    """Return the facts of what one unit fires together."""
    kind = reading.type_of(position, found.unit)
    weapons = [w for name in found.weapons if (w := _support(position, found.unit, name))]
    classes = [weapon.class_ for weapon in weapons]
    return Loadout(
        kind.class_ if kind.is_infantry else "",
        own=OWN in found.weapons,
        light=classes.count("L"),
        heavy=classes.count("H"),
        other=classes.count("X"),
        mortars=sum(weapon.kind == "mortar" for weapon in weapons),
        grenades=sum(weapon.kind == "grenades" for weapon in weapons),
        vehicle_weapons=sum(name in VEHICLE_WEAPONS for name in found.weapons),
        idle=not found.weapons and kind.class_ != "leader",
    )


def inspired(position: ValorPosition, unit: ValorUnit, roll: int) -> Inspired:
    """Return the facts of infantry whose attack has been rolled."""
    leader = reading.type_of(position, unit).class_ == "leader"
    return Inspired(roll, leader, reading.rating(position, unit), unit.valorous)


def chosen(units: Sequence[ValorUnit], named: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the weapons named for some of the units; raises BadInputError for what is no weapon."""
    ids = {unit.id: unit for unit in units}
    found: dict[str, tuple[str, ...]] = {}
    for entry in named:
        owner, _, weapon = entry.partition(":")
        if owner not in ids:
            raise UnknownNameError(
                f"{entry!r}: expected unit:weapon of a unit that fires ({', '.join(ids)})",
                field="weapons",
            )
        known = (OWN, NOTHING, *VEHICLE_WEAPONS, *ids[owner].sw)
        if weapon not in known:
            raise BadInputError(
                f"{owner} has no weapon {weapon!r}; expected one of {', '.join(known)}",
                field="weapons",
            )
        told = found.get(owner, ())
        found[owner] = told if weapon == NOTHING or weapon in told else (*told, weapon)
    return found


def salvo(
    position: ValorPosition, unit: ValorUnit, target: str, allows: Callable[[object], bool]
) -> Salvo:
    """
    Return the most that a unit can bring to bear.

    Parameters
    ----------
    position, unit, target
        Who fires at which hex.
    allows
        Tells whether the clauses allow a shot or a loadout.

    Returns
    -------
    Salvo
        Where nothing bears, a leader fires nothing and any other unit all it has.
    """
    names = arms(position, unit)
    bearing = [name for name in names if allows(shot(position, unit, name, target))]
    best, most = None, (-1, -1)
    for size in range(len(bearing), -1, -1):
        for group in combinations(bearing, size):
            found = Salvo(unit, group)
            value = worth(position, found)
            if value > most and allows(loadout(position, found)):
                best, most = found, value
    return best or Salvo(unit, names)


def worth(position: ValorPosition, found: Salvo) -> tuple[int, int]:
    """Return a salvo's APFP, and what its weapons do for the dice."""
    kind = reading.type_of(position, found.unit)
    weapons = [_support(position, found.unit, name) for name in found.weapons]
    apfp = sum(
        weapon.apfp if weapon else _printed(kind, name)
        for name, weapon in zip(found.weapons, weapons, strict=True)
    )
    return apfp, -sum(weapon.modifier for weapon in weapons if weapon)


# -- who and whither -------------------------------------------------------------------------------


def firing(position: ValorPosition, found: Salvo, target: str) -> Firing:
    """Return the facts of whether a unit may attack at all now."""
    unit = found.unit
    there = position.occupants.get(target, ())
    movers = [u for u in there if u.side != unit.side and reading.is_moving(position, u)]
    opportunity = position.phase == "Movement" and unit.side != position.side
    return Firing(
        reading.kind_of(position, unit),
        position.phase,
        unit.side == position.side,
        unit.at is not None,
        unit.pinned,
        unit.fired,
        reading.is_towed(position, unit),
        len(movers),
        loadout(position, found).mortars > 0,
        crowded=opportunity and bool(movers) and is_over(hexmates.stacked(position, movers[0])),
    )


def _party(unit: ValorUnit) -> str:
    return unit.aboard or unit.id


def crew(position: ValorPosition, salvos: Sequence[Salvo], target: str) -> Crew:
    """Return the facts of who attacks together."""
    units = [found.unit for found in salvos]
    foot = [u for u in units if reading.kind_of(position, u) == "infantry"]
    outside, riders = [u for u in foot if u.aboard is None], [u for u in foot if u.aboard]
    heavies = [u for u in units if u not in foot]
    hexmates = [u for u in position.occupants.get(units[0].at or "", ()) if u.side == units[0].side]
    earlier = [u for u in hexmates if u.fired_at == target and u not in units]
    parties = {_party(u) for u in (*heavies, *riders)}
    return Crew(
        size=len(units),
        distinct=len({u.id for u in units}) == len(units),
        sides=len({u.side for u in units}),
        hexes=len({u.at for u in units}),
        outside=len(outside),
        heavies=len(heavies),
        riders=len(riders),
        carriers=len({u.aboard for u in riders}),
        strange=sum(bool(heavies) and u.aboard not in [h.id for h in heavies] for u in riders),
        fired_outside=any(_on_foot(position, u) for u in earlier),
        fired_aboard=any(u.aboard is not None for u in earlier),
        fired_party=any(_party(u) in parties for u in earlier if not _on_foot(position, u)),
        left_out=sum(
            _on_foot(position, u) and not (u.pinned or u.fired or u in units) for u in hexmates
        ),
        mortars=sum(loadout(position, found).mortars > 0 for found in salvos),
        guides=sum(
            not found.weapons and reading.type_of(position, found.unit).class_ == "leader"
            for found in salvos
        ),
    )


def _on_foot(position: ValorPosition, unit: ValorUnit) -> bool:
    return unit.aboard is None and reading.kind_of(position, unit) == "infantry"


def aim(position: ValorPosition, side: str, at: str, target: str) -> Aim:
    """Return the facts of the target hex."""
    enemies = [u for u in position.occupants.get(target, ()) if u.side != side]
    open_to_fire = 0
    for unit in enemies:
        carrier = reading.carrier_of(position, unit)
        armored = "afv" in (
            reading.kind_of(position, unit),
            carrier and reading.kind_of(position, carrier),
        )
        open_to_fire += not armored and not reading.is_towed(position, unit)
    found, distance = reading.sight(position, at, target), position.board.distance(at, target)
    return Aim(
        open_to_fire, len(enemies), distance,
        seen=found is not None or distance <= 1, blocked=bool(found and found.blocked),
    )  # fmt: skip


# -- the sum ---------------------------------------------------------------------------------------


def volley(position: ValorPosition, salvos: Sequence[Salvo], target: str) -> Volley:
    """Return the facts of what an attack adds up to."""
    at, side = str(salvos[0].unit.at), salvos[0].unit.side
    units = units_halved = leaders = valorous = grenades = 0
    best, best_aboard, mortar = 0, False, False
    for found in salvos:
        kind = reading.type_of(position, found.unit)
        apfp, dice = worth(position, found)
        grenades -= dice
        own = OWN in found.weapons and kind.is_infantry
        valorous += own and found.unit.valorous
        mortar = mortar or loadout(position, found).mortars > 0
        if kind.class_ == "leader":
            leaders += apfp
            if kind.modifier < best:
                best, best_aboard = kind.modifier, found.unit.aboard is not None
        else:
            units += apfp
            units_halved += apfp + (_halved(position, kind) - kind.apfp if own else 0)
    targets = [u for u in position.occupants.get(target, ()) if u.side != side]
    moving = [u for u in targets if reading.is_moving(position, u)]
    opportunity = position.phase == "Movement" and side != position.side
    terrain = ground_of(terrain_of(position.board[target]))
    over, own_sides, along, through, smoke = lines.line(position, at, target)
    return Volley(
        units, units_halved, leaders, valorous, best, best_aboard,
        cover=lines.cover(position, target), over=over, own=own_sides, along=along, through=through, smoke=smoke,
        assault=any(u.assault for u in (moving if opportunity else targets)),
        wire="wire" in position.markers.get(at, ()),
        grenades=grenades, opportunity=opportunity, adjacent=position.board.distance(at, target) == 1,
        mortar=mortar, mortar_in_woods=mortar and bool(terrain and terrain.id == "woods")
        and any(reading.kind_of(position, u) == "infantry" for u in targets),
        vehicles=sum(reading.kind_of(position, u) in ("vehicle", "afv") for u in targets),
        guns=sum(reading.kind_of(position, u) == "gun" for u in targets),
    )  # fmt: skip


def _halved(position: ValorPosition, kind: UnitType) -> int:
    """Return what a half squad fires at half of its squad's APFP, rounded up."""
    if kind.class_ != HALF_SQUAD:
        return kind.apfp
    squads = reading.types(position)
    return next((-(-squad.apfp // 2) for squad in squads if squad.half == kind.name), kind.apfp)
