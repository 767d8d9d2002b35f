"""Reads off a position the facts of Human Waves (A25.23): the chain, its course, and where its units may go."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

import msgspec

from marchtable_models.asl import grains
from marchtable_models.asl.counterkinds import AT_DITCH, WIRE
from marchtable_models.asl.data import count
from marchtable_models.asl.extraction import purse
from marchtable_models.asl.extraction.cargo import captives
from marchtable_models.asl.extraction.lines import kind_of
from marchtable_models.asl.extraction.lookout import has_los
from marchtable_models.asl.extraction.movers import party
from marchtable_models.asl.extraction.reading import entry, there
from marchtable_models.asl.extraction.unitkinds import nationality_of, type_of
from marchtable_models.asl.facts.ground import ENTRENCHED
from marchtable_models.asl.facts.waves import Surging, WaveEnd, WaveForming, WaveUnit
from marchtable_models.asl.levels import level_entered, level_of
from marchtable_models.asl.model import Enter

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.facts.steps import There
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.waves import Wave

    AslPosition = Position[AslUnit, AslConditions]
    Told = Literal["yes", "no", "untold"]

__all__ = ["has_arrived", "joining", "surging", "wave_end", "wave_forming"]


def wave_forming(position: AslPosition, units: Sequence[AslUnit], action: Wave) -> WaveForming:
    """Return the facts of units that declare a Human Wave."""
    target = position.unit(action.target)
    own = units[0].side
    mmc = Counter(u.at for u in units if type_of(position, u).class_ != "smc")
    places = {str(unit.at): mmc[unit.at] for unit in units}
    import networkx as nx  # late: it takes long to load, and few questions come here

    chain: nx.Graph[str] = nx.Graph()
    chain.add_nodes_from(places)
    board = position.board
    chain.add_edges_from((a, b) for a in places for b in places if board.hexside(a, b) is not None)
    on_map = target.at is not None and all(unit.at is not None for unit in units)
    sight = {unit.id: has_los(position, unit, target) for unit in units}
    seeing = [unit for unit in units if sight[unit.id] == "yes"]
    unclear = "unsure" in sight.values() or ("untold" in sight.values() and not seeing)
    near = [
        unit
        for unit in seeing
        if on_map and board.distance(str(unit.at), str(target.at)) <= count("A25.23", "range")
    ]
    ranges = dict.fromkeys(grains.COURSES, 0)
    if near:
        spots = [_spot(position, str(unit.at)) for unit in near]
        for course in grains.COURSES:
            until = grains.before(_spot(position, str(target.at)), course)
            ranges[course] = min(grains.distance(spot, until) for spot in spots)
    return WaveForming(
        nations=tuple(sorted({nationality_of(unit) for unit in units})),
        hexes=len({board[at].hex for at in places} if on_map else places),
        thinnest=min(places.values()),
        mmc=mmc.total(),
        leaders=sum(type_of(position, unit).leads for unit in units),
        chained=on_map and nx.is_connected(chain) and len({u.id for u in units}) == len(units),
        target=on_map and target.side != own and type_of(position, target).class_ != "wreck",
        seen="untold" if unclear else "yes" if seeing else "no",
        near=bool(near),
        range=ranges[action.course],
        least=min(ranges.values()),
    )


def _spot(position: AslPosition, at: str) -> grains.Hex:
    return position.board[at].u, position.board[at].v


def joining(position: AslPosition, unit: AslUnit, action: Wave) -> WaveUnit:
    """Return the facts of one of the units that declare a Human Wave."""
    kind, state, at = type_of(position, unit), unit.status, unit.at or ""
    unfit = state.broken or state.berserk or state.pinned or state.disrupted or state.unarmed
    unfit = unfit or unit.id in captives(position)
    near = {at, *(name for _, name in position.board.neighbours(at))} if at else set()
    ipc = count("A4.42", "smc" if kind.class_ == "smc" else "mmc")
    return WaveUnit(
        fit=kind.is_infantry
        and not (unfit or unit.cargo.aboard or kind_of(unit) or unit.concealment.dummy)
        and state.melee != "held"
        and unit.place.bypass is None
        and unit.at is not None,
        fresh=unit.move.mph == "unmoved",
        beside=any(
            other.side != unit.side
            and other.at in near
            and not other.concealment.dummy
            and type_of(position, other).class_ != "wreck"
            for other in position.units
        ),
        pp=sum(weapon.pp for weapon in unit.sw),
        ipc=count("A17.2", "ipc") if state.wounded else ipc,
        concealed=unit.concealment.concealed,
        name=_name(position, action),
        course=action.course,
        upon=position.unit(action.target).at,
    )


def _name(position: AslPosition, action: Wave) -> str:
    """Return what a wave is called: by its first unit, with a number if that is taken."""
    known = {unit.line.wave for unit in position.units}
    first, number = action.units[0], 2
    name = first
    while name in known:
        name, number = f"{first}.{number}", number + 1
    return name


def has_arrived(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a Known enemy, neither unarmed nor disrupted, is in a unit's Location."""
    level = level_of(position, unit)
    return unit.at is not None and there(position, unit.side, unit.at, level=level).known


def _awaits(position: AslPosition, unit: AslUnit, to: str) -> There:
    """Return the facts of a Location next to a unit, at the level at which the unit enters it."""
    return there(position, unit.side, to, level=level_entered(level_of(position, unit)))


def surging(
    position: AslPosition,
    unit: AslUnit,
    act: Action | None,
    taken: Collection[str | None],
    edition: Edition,
) -> Surging:
    """
    Return the facts of a unit of a wave in an Impulse in which it does that, or stays.

    `taken` are the Locations that units of its side enter in it.
    """
    if has_arrived(position, unit):
        return Surging("stays" if act is None else "acts", arrived=True)
    wounded = unit.status.wounded
    if act is None:
        shelters = bool(unit.place.inside) or _is_fortified(position, str(unit.at))
        return Surging(
            "stays", can=_can(position, unit, edition), wounded=wounded, shelters=shelters
        )
    if not isinstance(act, Enter) or act.beneath:
        return Surging("acts", wounded=wounded)
    to = position.board.resolve(act.to)
    found = _awaits(position, unit, to)
    owed = {} if found.known or found.harmless else _prey(position, unit, taken, edition)
    return msgspec.structs.replace(
        _going(position, unit, to),
        owed=tuple(name for name, can in owed.items() if can == "yes"),
        unsure="untold" in owed.values(),
    )


def _going(position: AslPosition, unit: AslUnit, to: str) -> Surging:
    """Return the facts of a unit of a wave that enters a Location, whatever it owes elsewhere."""
    at, found = str(unit.at), _awaits(position, unit, to)
    before, now = _range(position, unit, at), _range(position, unit, to)
    return Surging(
        "goes",
        way=_way(position, unit, to),
        prey=found.known or found.harmless or found.concealed,
        again=_is_trodden(position, unit, to),
        strays=now > before,
        nears=now < before,
        strayed=unit.line.strayed,
        left=(*unit.line.trodden, at),
        wounded=unit.status.wounded,
    )


def _is_fortified(position: AslPosition, at: str) -> bool:
    kinds = position.markers.get(at, ())
    return WIRE in kinds or any(kind.startswith((*ENTRENCHED, AT_DITCH)) for kind in kinds)


def wave_end(
    position: AslPosition, unit: AslUnit, edition: Edition, *, waits: bool = False
) -> WaveEnd:
    """Return the facts of a unit of a wave whose MPh ends, or for which others would not wait."""
    can: Told = "no" if has_arrived(position, unit) else _can(position, unit, edition)
    return WaveEnd(can, waits)


def _range(position: AslPosition, unit: AslUnit, at: str) -> int:
    """Return how far a Location is from the course."""
    fixed = _spot(position, str(unit.line.upon))
    return grains.distance(_spot(position, at), grains.row(fixed, unit.line.course))


def _way(position: AslPosition, unit: AslUnit, to: str) -> Literal["", "forward", "side"]:
    if position.board.hexside(str(unit.at), to) is None:
        return ""
    direction = position.board.direction(str(unit.at), to)
    if direction in grains.ahead(unit.line.course):
        return "forward"
    return "side" if direction in grains.aside(unit.line.course) else ""


def _is_trodden(position: AslPosition, unit: AslUnit, to: str) -> bool:
    """Return whether a unit has left a Location, or one adjacent to it, in an Impulse before."""
    near = {to, *(name for _, name in position.board.neighbours(to))}
    return not near.isdisjoint(unit.line.trodden)


def _can(position: AslPosition, unit: AslUnit, edition: Edition) -> Told:
    """Return whether there is a Location that a unit must enter in an Impulse, if none holds it back."""
    if unit.at is None or unit.status.pinned or unit.status.broken:
        return "no"
    if unit.place.inside:
        return "untold"
    found = set(_ways(position, unit, edition).values())
    return "yes" if "yes" in found else "untold" if "untold" in found else "no"


def _prey(
    position: AslPosition, unit: AslUnit, taken: Collection[str | None], edition: Edition
) -> dict[str, Told]:
    """Return the forward Locations with Known enemies whom nobody has reached, and whether it can enter."""
    return {
        to: can
        for to, can in _ways(position, unit, edition).items()
        if can != "no"
        and to not in taken
        and _way(position, unit, to) == "forward"
        and _awaits(position, unit, to).known
        and not _is_held(position, unit, to)
    }


def _is_held(position: AslPosition, unit: AslUnit, at: str) -> bool:
    """Return whether an armed unit of a unit's side is in the Location that it would enter there."""
    level = level_entered(level_of(position, unit))
    return any(
        other.side == unit.side
        and level_of(position, other) == level
        and not other.status.unarmed
        and type_of(position, other).class_ != "wreck"
        for other in position.occupants.get(at, ())
    )


def _ways(position: AslPosition, unit: AslUnit, edition: Edition) -> Mapping[str, Told]:
    """Return where a unit may go in an Impulse as things stand, and whether it can."""
    known: dict[tuple[str, Edition], dict[str, Told]] = position.notes.setdefault("wave-ways", {})
    key = (unit.id, edition)
    if key not in known:
        known[key] = {
            to: _enters(position, unit, to, edition)
            for _, to in position.board.neighbours(str(unit.at))
            if not edition.judge(_going(position, unit, to)).bars
        }
    return known[key]


def _enters(position: AslPosition, unit: AslUnit, to: str, edition: Edition) -> Told:
    """Return whether a unit can enter a Location, alone and with the MF it has left."""
    stack = party(position, (unit,))
    step = entry(position, unit, to, stack, Enter(stack.ids, to))
    found = edition.judge(msgspec.structs.replace(step, asks=()))
    due = edition.judge(purse.payment(position, unit, step, found, edition))
    if found.bars or due.bars:
        return "no"
    return "untold" if found.unsupported else "yes"
