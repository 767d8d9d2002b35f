"""Human Waves (A25.23): who declares one, whither it goes, what its units must do, and how it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Literal

import msgspec

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.state.action import Action
from marchtable.state.position import UnitId
from marchtable_models.asl import grains
from marchtable_models.asl.counterkinds import AT_DITCH, WIRE
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.extraction import spending, standings
from marchtable_models.asl.extraction.cargo import captives
from marchtable_models.asl.extraction.lines import kind_of
from marchtable_models.asl.extraction.lookout import has_los
from marchtable_models.asl.extraction.movers import party
from marchtable_models.asl.extraction.reading import entry, has_arrived, there
from marchtable_models.asl.extraction.steps import hexes
from marchtable_models.asl.extraction.unitkinds import nationality_of, type_of
from marchtable_models.asl.facts.ground import ENTRENCHED
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.steps import Entry, There
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.grains import Course
from marchtable_models.asl.levels import level_entered, level_of
from marchtable_models.asl.model import AslPosition, AslUnit, Enter
from marchtable_models.asl.occasions import at_impulse, at_mph_over, at_mph_start
from marchtable_models.asl.rules.impulse_moves import Impulse, Piece
from marchtable_models.asl.rules.stacks import members
from marchtable_models.asl.verbs.traits import Traits
from marchtable_models.asl.views.flight import Told
from marchtable_models.asl.views.mph_ends import first_due

UNTOLD = "which enemy unit one of them sees is stated by `sight`"
OPEN = ("impulse", "end")
NATIONS = ("russian", "chinese", "gmd", "ethiopian")


class Wave(Action, frozen=True, tag="wave"):
    """
    Infantry of a chain of hexes declares a Human Wave upon an enemy unit; its Impulses follow.

    Judged, but never proposed. ``course`` is the Hex Grain through the enemy's hex, as the hexside by
    which it goes on, or two: ``SW-S`` enters that hex by a step SW and leaves it by one S.
    """

    traits: ClassVar[Traits] = ("says",)

    units: Annotated[tuple[UnitId, ...], msgspec.Meta(extra={"domain": "names"})]
    target: Annotated[UnitId, msgspec.Meta(extra={"domain": "mate"})]
    course: Annotated[Course, msgspec.Meta(extra={"domain": "mate"})]


class WaveForming(Facts, frozen=True, gc=False):
    """Units about to declare a Human Wave."""

    nations: tuple[str, ...]  # each once
    hexes: int
    thinnest: int  # MMC in the hex with the fewest
    mmc: int
    leaders: int
    chained: bool  # these hexes form one chain, and no unit is named twice
    target: bool  # they name an enemy unit on the map
    seen: Told  # one of them sees it
    near: bool  # one of those is within eight hexes
    range: int  # how far the course that they choose is from the nearest of those
    least: int  # how far any is


class WaveUnit(Facts, frozen=True, gc=False):
    """A unit about to be in a Human Wave."""

    fit: (
        bool  # Infantry on foot in Good Order, in no line, in no Bypass, neither carried nor pinned
    )
    fresh: bool  # its MPh has not begun
    beside: bool  # an enemy unit is in its hex, or next to it
    pp: int
    ipc: int
    concealed: bool
    name: str  # what the wave is called
    course: str
    upon: str | None  # the Location through which that leads


class Surging(Facts, frozen=True, gc=False):
    """A unit of a Human Wave in an Impulse."""

    act: Literal["goes", "stays", "acts"]  # it enters a Location, stays, or does something else
    arrived: bool = (
        False  # as the Impulse began: a Known enemy is with it, and it in no wave any more
    )
    way: Literal["", "forward", "side"] = ""  # what it enters
    prey: bool = False  # an enemy unit is there
    can: Told = "no"  # of one that stays: there is a Location that it must enter
    again: bool = False  # it has left that, or a Location next to it, in an Impulse before
    strays: bool = False  # it gets farther from the course
    nears: bool = False  # or nearer to it
    strayed: bool = False  # it has got farther before
    owed: tuple[str, ...] = ()  # forward Locations that it can enter, with Known enemies unreached
    unsure: bool = False  # there may be such
    left: tuple[str, ...] = ()  # the Location that it leaves, and those left before
    wounded: bool = False  # a SMC
    shelters: bool = False  # a Fortification lies where it stays, or it is in one


class WaveEnd(Facts, frozen=True, gc=False):
    """A unit of a Human Wave whose MPh ends, or before which another would move."""

    can: Told  # there is a Location that it must enter
    waits: bool = False  # the wave has not begun to move, and another unit would


@cases(Wave)
def of_wave(position: AslPosition, action: Wave, edition: Edition) -> list[Case]:
    """Return the facts of units that declare a Human Wave, and of who is to move before them."""
    units = members(position, action.units)
    where = hexes(*dict.fromkeys(unit.at for unit in units if unit.at))
    found = [Case(action.units, wave_forming(position, units, action), where)]
    for unit in units:
        found.append(about(unit, standings.standing(position, unit, "wave")))
        found.append(about(unit, joining(position, unit, action)))
    return found + first_due(position, units[0], edition)


@at_impulse
def of_surging(
    position: AslPosition,
    line: Sequence[AslUnit],
    pieces: Sequence[Piece],
    edition: Edition,
    impulse: Impulse,
) -> Iterator[Case]:
    """
    Yield the facts of each unit of a wave in an Impulse, for so many of whom a move is named.

    Who has none yet may still enter a Location that another had to.
    """
    if not line or kind_of(line[0]) != "wave":
        return
    taken = {piece.after.at for piece in pieces if isinstance(piece.act, Enter)}
    waiting = tuple(unit.id for unit in line[len(impulse.moves) :])
    for was, piece in zip(line, pieces, strict=True):
        facts = surging(position, was, piece.act, taken, edition)
        others = [name for name in waiting if name != was.id]
        yield Case((was.id, *others), facts, hexes(was.at, piece.after.at))


@at_mph_over
def of_ending(position: AslPosition, units: Sequence[AslUnit], edition: Edition) -> list[Case]:
    """Return the facts of units of a wave whose MPh ends."""
    return [about(one, wave_end(position, one, edition)) for one in units if one.line.wave]


@at_mph_start
def of_waiting(position: AslPosition, unit: AslUnit, edition: Edition) -> list[Case]:
    """Return the facts of units of a wave that is to move before another unit."""
    return [
        about(one, wave_end(position, one, edition, waits=True))
        for one in position.units
        if one.line.wave
        and not (unit.line.wave or unit.status.berserk)
        and (one.side, one.move.mph) == (unit.side, "unmoved")
    ]


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
    found = edition.judge(step.but(asks=()))
    due = edition.judge(spending.payment(position, unit, step, found, edition))
    if found.bars or due.bars:
        return "no"
    return "untold" if found.unsupported else "yes"


@clause("A25.23a", kind="action", composes="joint")
def who_declares(facts: WaveForming, sheet: Sheet) -> None:
    """Russians, Chinese and Ethiopians declare Human Waves in their MPh."""
    if not set(facts.nations) <= set(NATIONS):
        sheet.bar("such troops make no Human Wave", " or ".join(NATIONS), ", ".join(facts.nations))


@not_modelled("G1.5", lifts=("A25.23a", "A25.23b", "A25.23d", "A25.23e"))
def banzai(facts: WaveForming) -> bool:
    """With whom, and upon whom, Japanese declare a Banzai Charge, which moves as a Human Wave does."""
    return facts.nations == ("japanese",)


@clause("A25.23b", kind="action", composes="joint")
def chain(facts: WaveForming, sheet: Sheet) -> None:
    """A Human Wave is a chain of three hexes or more with MMC in each, two a hex on the average, and a leader."""
    if not facts.chained:
        sheet.bar("their hexes form no chain, each next to another")
    if facts.hexes < (least := count("A25.23", "hexes")):
        sheet.bar("too few hexes", least, facts.hexes)
    if not facts.thinnest:
        sheet.bar("there is a hex without a MMC")
    if facts.mmc < (most := count("A25.23", "mmc") * facts.hexes):
        sheet.bar("too few MMC for so many hexes", most, facts.mmc)
    if not facts.leaders:
        sheet.bar("no leader is with them")


@clause("A25.23c", kind="action")
def fit(facts: WaveUnit, sheet: Sheet) -> None:
    """Its units are Infantry on foot in Good Order, no Guards, whose MPh has not begun."""
    if not facts.fit:
        sheet.bar(
            "only Infantry on foot in Good Order that is free to move, is in no line and guards nobody is in one"
        )
    elif not facts.fresh:
        sheet.bar("its MPh has begun")
    else:
        for field in ("course", "upon"):
            sheet.force(field, getattr(facts, field))
        sheet.force("wave", facts.name)


@clause("A25.23e", kind="action")
def not_near(facts: WaveUnit, sheet: Sheet) -> None:
    """None of them begins next to an enemy unit, or with one."""
    if facts.beside:
        sheet.bar("an enemy unit is next to it, or with it")


@clause("A25.23d", kind="action", composes="joint")
def target(facts: WaveForming, sheet: Sheet) -> None:
    """One of them sees an enemy unit, within eight hexes, towards which the wave goes."""
    if not facts.target:
        sheet.bar("that is no enemy unit on the map")
    elif facts.seen == "untold":
        sheet.unsupported(UNTOLD)
    elif facts.seen == "no":
        sheet.bar("none of them sees it")
    elif not facts.near:
        sheet.bar("none of them that sees it is within range", count("A25.23", "range"))


@clause("A25.23f", kind="effect")
def loses_concealment(facts: WaveUnit, sheet: Sheet) -> None:
    """Its units lose their concealment."""
    if facts.concealed:
        sheet.force("concealed", value=False)


@clause("A25.231", kind="action", composes="joint")
def course(facts: WaveForming, sheet: Sheet) -> None:
    """Its course is a row of hexes through that unit's, as near as there is to one who sees it so."""
    if facts.target and facts.near and facts.range > facts.least:
        sheet.bar("another course is nearer to one of them", facts.least, facts.range)


@clause("A25.232a", kind="cost", composes="start")
def wave_mf(facts: Allowance, sheet: Sheet) -> None:
    """Its units have 8 MF, the wounded 3, whatever else might add to them."""
    if facts.wave and facts.on_foot and not (facts.smc and facts.wounded):
        sheet.charge(halves("A25.232", "mf") - sheet.total(), "Human Wave")


class WaveActs(Standing):
    """A unit of a Human Wave that would act."""

    bears = property(lambda self: self.line == "wave")


@clause("A25.232b", kind="action")
def by_impulses(facts: WaveActs, sheet: Sheet) -> None:
    """Its units move by Impulses alone, and do nothing else."""
    if facts.line == "wave" and not facts.by_impulse and facts.verb not in OPEN:
        sheet.bar("the unit is in a Human Wave, which moves by Impulses")


@clause("A25.232c", kind="capacity")
def load(facts: WaveUnit, sheet: Sheet) -> None:
    """Its units carry no more than their IPC."""
    if facts.pp > facts.ipc:
        sheet.bar("it carries too much", facts.ipc, facts.pp, points="PP")


@clause("A25.232d", kind="action", composes="joint")
def moves_on(facts: Surging, sheet: Sheet) -> None:
    """In each Impulse each unit that can goes on to a forward Location, or to one aside with an enemy unit."""
    if facts.arrived:
        return
    if facts.act == "stays":
        if facts.can == "yes":
            sheet.bar("the unit can go on with the wave")
        elif facts.can == "untold":
            sheet.unsupported("whether the unit can go on with the wave")
    elif (
        facts.act == "goes" and facts.way != "forward" and not (facts.way == "side" and facts.prey)
    ):
        sheet.bar("that is no forward Location, nor one aside with an enemy unit")


@not_modelled("A25.232e", lifts=("A25.232d",))
def other_doings(facts: Surging) -> bool:
    """Moves of a Human Wave within a hex: floors, Wire, Fortifications, Bypass, the Crest."""
    return not facts.arrived and (facts.act == "acts" or (facts.act == "stays" and facts.shelters))


@not_modelled("A25.232f", lifts=("D14.31b",))
def wounded_smc(facts: Surging) -> bool:
    """A wounded SMC in a Human Wave, whose fewer MF hold nobody up."""
    return facts.wounded


@clause("A25.2321", kind="action", composes="joint")
def keeps_course(facts: Surging, sheet: Sheet) -> None:
    """Who has got farther from the course gets nearer before it gets farther again."""
    if facts.strays and facts.strayed:
        sheet.bar("the unit has got farther from the course before")
    if facts.strays or (facts.nears and facts.strayed):
        sheet.force("strayed", value=facts.strays)


@clause("A25.2322", kind="action", composes="joint")
def no_return(facts: Surging, sheet: Sheet) -> None:
    """Nobody enters a Location that he has left in an Impulse before, or one next to it."""
    if facts.again:
        sheet.bar("the unit has left that Location, or one next to it, before")
    if facts.left:
        sheet.force("trodden", facts.left)


@clause("A25.233a", kind="action", composes="joint")
def prey_first(facts: Surging, sheet: Sheet) -> None:
    """Who can enter a forward Location with a Known enemy whom nobody has reached enters it, or another with one."""
    if facts.owed:
        sheet.bar("nobody enters " + ", ".join(facts.owed) + ", where a Known enemy is")
    elif facts.unsure:
        sheet.unsupported("whether the unit can enter a Location where a Known enemy is")


class InWave(Entry):
    """An entry in a Human Wave."""

    bears = property(lambda self: self.manner.wave)


@not_modelled("A25.233b")
def hidden_enemies(facts: InWave) -> bool:
    """A Human Wave that runs into concealed enemies."""
    return facts.manner.wave and facts.detour is not None


@clause("A25.234a", kind="effect")
def drops_out(facts: Surging, sheet: Sheet) -> None:
    """Who begins an Impulse with a Known enemy is in the wave no more, and its MPh is over."""
    if not facts.arrived:
        return
    if facts.act != "stays":
        sheet.bar("the unit is among enemies, and stays there")
    sheet.force("wave", "")
    sheet.force("mph", "done")


@clause("A25.234b", kind="action", composes="joint")
def goes_on(facts: WaveEnd, sheet: Sheet) -> None:
    """A Human Wave goes on, before any other unit of its side moves, until none of its units can."""
    if facts.can == "yes":
        sheet.bar("a unit can go on with the Human Wave")
    elif facts.can == "untold":
        sheet.unsupported("whether a unit can go on with the Human Wave")


@clause("A25.234c", kind="effect")
def over(facts: WaveEnd, sheet: Sheet) -> None:
    """With its MPh its units are in the wave no more."""
    if not facts.waits:
        sheet.force("wave", "")


@effect(Wave)
def after_declaring(position: AslPosition) -> AslPosition:
    """Return the position: what the wave is called and its course, a clause forces on its units."""
    return position
