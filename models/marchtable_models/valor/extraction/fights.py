"""Reads the facts of overruns, close assaults, snipers and fire lanes off a position."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from marchtable_models.valor.clauses.combat import APFP
from marchtable_models.valor.data import figure, ground_of
from marchtable_models.valor.extraction import ground, gunnery, lines, reading
from marchtable_models.valor.facts.assaults import (
    Arm,
    Battered,
    Clash,
    Defence,
    Laying,
    Overrunning,
    Sniping,
    StormFell,
    Storming,
    Swept,
)  # fmt: skip
from marchtable_models.valor.facts.attacks import Shot, Volley

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.rules.edition import Edition
    from marchtable_models.valor.extraction.gunnery import Salvo
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import Storm, ValorUnit
    from marchtable_models.valor.orders import Lane

__all__ = [
    "LANE", "arms_of", "battered", "chains", "clash", "crush", "defences", "defenders", "fell", "lanes_at", "laying", "overrunning",
    "salvos_of", "sniping", "storming", "swept", "takers",
]  # fmt: skip

LANE = "fire-lane"
MGS = ("mg360", "mgff")


# -- overruns --------------------------------------------------------------------------------------


def overrunning(position: ValorPosition, unit: ValorUnit, to: str) -> Overrunning:
    """Return the facts of an AFV about to drive through a hex with enemies."""
    row = ground_of(ground.terrain_of(position.board[to]))
    enemies = [u for u in position.occupants.get(to, ()) if u.side != unit.side]
    obstacle = ""
    if row is not None and row.id == "building":
        obstacle = "building"
    elif any("bunker" in kind for kind in position.markers.get(to, ())):
        obstacle = "bunker"
    elif any(reading.kind_of(position, u) == "afv" for u in enemies):
        obstacle = "afv"
    at = str(unit.at)
    return Overrunning(
        reading.kind_of(position, unit),
        any(reading.is_towed(position, u) for u in reading.cargo(position, unit)),
        obstacle,
        gunnery.aim(position, unit.side, at, to).open_to_fire,
        position.board.beyond(at, to) is not None,
        to,
    )


def crush(position: ValorPosition, salvos: Sequence[Salvo], target: str) -> Volley:
    """Return what an overrun adds up to: all that the AFV has, what its Passengers fire, the hex's cover."""
    units = leaders = grenades = valorous = 0
    for found in salvos[1:]:
        kind = reading.type_of(position, found.unit)
        apfp, dice = gunnery.worth(position, found)
        grenades -= dice
        valorous += found.unit.valorous and "own" in found.weapons
        if kind.class_ == "leader":
            leaders += apfp
        else:
            units += apfp
    own, _ = gunnery.worth(position, salvos[0])
    return Volley(
        own + units, own + units, leaders, valorous, cover=lines.cover(position, target),
        grenades=grenades, overrun=own,
    )  # fmt: skip


# -- close assaults --------------------------------------------------------------------------------


def storming(position: ValorPosition, unit: ValorUnit, to: str) -> Storming:
    """Return the facts of a unit that assaults."""
    return Storming(
        reading.kind_of(position, unit), unit.aboard is not None, unit.advanced,
        unit.at is not None and position.board.hexside(unit.at, to) is not None, unit.stormed,
    )  # fmt: skip


def defenders(position: ValorPosition, side: str, at: str, *, pinned: bool) -> list[ValorUnit]:
    """Return a side's enemies in a hex that stand on their own, the pinned or the others."""
    found = position.occupants.get(at, ())
    return [u for u in found if u.side != side and u.aboard is None and u.pinned == pinned]


def arms_of(position: ValorPosition, salvos: Iterable[Salvo]) -> list[tuple[ValorUnit, Arm]]:
    """Return each weapon that units use in an assault."""
    found = []
    for entry in salvos:
        for name in entry.weapons:
            support = reading.weapon_of(position, name) if name in entry.unit.sw else None
            found.append(
                (
                    entry.unit,
                    Arm(support.kind if support else name, support.class_ if support else ""),
                )
            )
    return found


def salvos_of(
    position: ValorPosition,
    units: Sequence[ValorUnit],
    target: str,
    edition: Edition,
    named: dict[str, tuple[str, ...]],
    *,
    storms: bool = False,
) -> list[Salvo]:
    """Return what units use: what is named, else all that they may; ``storms``: in an assault of theirs."""

    def allows(facts: Any) -> bool:
        if (
            storms
            and isinstance(facts, Shot)
            and edition.judge(Arm(facts.weapon, facts.class_)).bars
        ):
            return False
        return not edition.judge(facts).bars

    return [
        gunnery.Salvo(unit, named[unit.id])
        if unit.id in named
        else gunnery.salvo(position, unit, target, allows)
        for unit in units
    ]


def defences(
    position: ValorPosition, units: Sequence[ValorUnit], salvos: Sequence[Salvo]
) -> list[tuple[ValorUnit, Defence]]:
    """Return what each unpinned defender and Passenger counts with."""
    fired = {found.unit.id: gunnery.worth(position, found)[0] for found in salvos}
    found = []
    for unit in units:
        for one in (unit, *reading.cargo(position, unit)):
            kind = reading.type_of(position, one)
            mgs = sum(getattr(kind, name) for name in MGS)
            found.append((one, Defence(
                reading.kind_of(position, one), fired.get(one.id, 0), mgs,
                towed=reading.is_towed(position, one),
            )))  # fmt: skip
    return found


def clash(
    position: ValorPosition,
    attack: Sequence[Salvo],
    defence: Sequence[Salvo],
    counted: Iterable[tuple[ValorUnit, Defence]],
    to: str,
    edition: Edition,
) -> Clash:
    """Return the facts of a close assault."""
    units = [found.unit for found in attack]
    side, at = units[0].side, str(units[0].at)
    unpinned = defenders(position, side, to, pinned=False)
    pinned = defenders(position, side, to, pinned=True)
    lie = ground.lie(position.board, at, to)
    crossed = figure("V10", "hindrance") if lie.side else 0
    strength, grenades = (
        sum(part) for part in zip(*(gunnery.worth(position, f) for f in attack), strict=True)
    )
    held = sum(
        charge.amount for _, facts in counted for charge in edition.judge(facts).charges
        if charge.part == APFP
    )  # fmt: skip
    works = position.markers.get(to, ())
    return Clash(
        strength, held, _leader(position, units),
        _leader(position, [u for d in unpinned for u in (d, *reading.cargo(position, d))]),
        -grenades, -sum(gunnery.worth(position, found)[1] for found in defence),
        (lines.cover(position, to) or 0) + crossed, lie.climb, len(unpinned), len(pinned),
        any("bunker" in kind for kind in works) and len(units) > figure("V20.5", "infantry"),
        _valour(position, attack), _valour(position, defence),
    )  # fmt: skip


def fell(storm: Storm, roll: int) -> StormFell:
    """Return the facts of an assault's roll."""
    return StormFell(roll + storm.modifier, storm.kill, storm.suffered, len(storm.units))


def takers(position: ValorPosition, units: Sequence[str], to: str) -> tuple[str, ...]:
    """Return who of the assaulters occupies a hex that they take: of a bunker as many as it holds."""
    bunker = any("bunker" in kind for kind in position.markers.get(to, ()))
    return tuple(units[: figure("V20.5", "infantry")] if bunker else units)


def battered(position: ValorPosition, storm: Storm) -> list[tuple[ValorUnit, Battered]]:
    """Return the AFVs that an assault has failed against, unpinned, and what they suffer, if all is plain."""
    side = position.unit(storm.units[0]).side
    found = defenders(position, side, storm.target, pinned=False)
    afvs = [u for u in found if reading.kind_of(position, u) == "afv"]
    crowded = len(afvs) > 1 or any(
        not reading.is_towed(position, rider) for u in afvs for rider in reading.cargo(position, u)
    )
    return [(u, Battered("", len(storm.units), u.immobile, crowded)) for u in afvs]


def _valour(position: ValorPosition, salvos: Iterable[Salvo]) -> int:
    """Return the inherent APFP that valorous units use."""
    return sum(
        reading.type_of(position, found.unit).apfp
        for found in salvos
        if found.unit.valorous and "own" in found.weapons
    )


def _leader(position: ValorPosition, units: Iterable[ValorUnit]) -> int:
    """Return the best modifier of a leader among units."""
    kinds = [reading.type_of(position, unit) for unit in units]
    return min([0, *(kind.modifier for kind in kinds if kind.class_ == "leader")])


# -- snipers and fire lanes ------------------------------------------------------------------------


def sniping(position: ValorPosition, origin: str, target: str, only: Sequence[str]) -> Sniping:
    """Return the facts of a sniper's attack."""
    found = reading.sight(position, origin, target)
    over, _, along, through, smoke = lines.line(position, origin, target)
    hindered = (over + along + through) * figure("V10", "hindrance") + smoke
    targets = [
        u for u in position.occupants.get(target, ())
        if (not only or u.id in only) and reading.rating(position, u) and not reading.is_towed(position, u)
    ]  # fmt: skip
    return Sniping(
        position.board.distance(origin, target), bool(found and found.blocked),
        (lines.cover(position, origin) or 0) + hindered, (lines.cover(position, target) or 0) + hindered,
        len(targets), sum(not u.pinned for u in targets),
    )  # fmt: skip


def lanes_at(position: ValorPosition, at: str) -> int:
    """Return how many fire lanes lie in a hex."""
    return sum(kind == LANE for kind in position.markers.get(at, ()))


def swept(position: ValorPosition, movers: Sequence[ValorUnit], to: str) -> Swept:
    """Return the facts of units that enter a hex with fire lanes."""
    lanes = lanes_at(position, to)
    exposed = [u for u in movers if reading.kind_of(position, u) != "afv"] if lanes else []
    return Swept(lanes, len(exposed))


def chains(position: ValorPosition, unit: ValorUnit) -> tuple[tuple[str, ...], ...]:
    """Return the ways of hexes, one after another, from beside a unit to what it has fired at."""
    if unit.at is None or unit.fired_at is None:
        return ()
    board, at, target = position.board, unit.at, unit.fired_at
    found: list[tuple[str, ...]] = [()]
    for left in range(board.distance(at, target) - 1, -1, -1):
        found = [
            (*chain, name)
            for chain in found
            for _, name in board.neighbours(chain[-1] if chain else at)
            if board.distance(name, target) == left
        ]
    return tuple(found)


def laying(position: ValorPosition, action: Lane) -> Laying:
    """Return the facts of a fire lane about to be laid."""
    unit = position.unit(action.unit)
    board, names = position.board, [position.board.resolve(name) for name in action.hexes]
    mg = any(reading.weapon_of(position, name).kind == "mg" for name in unit.sw)
    steps = list(pairwise(names))
    chain = (
        bool(names)
        and unit.at is not None
        and names[-1] == unit.fired_at
        and all(board.distance(unit.at, name) == n for n, name in enumerate(names, 1))
        and all(board.distance(a, b) == 1 for a, b in steps)
    )
    opportunity = position.phase == "Movement" and unit.side != position.side
    return Laying(
        reading.kind_of(position, unit), mg, opportunity and unit.fired_at is not None, unit.laid, chain
    )  # fmt: skip
