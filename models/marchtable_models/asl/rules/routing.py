"""Rout (A10.5): broken units that leave in the RtPh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec

from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled, resolves, settles
from marchtable.state.action import Action, Adjacent
from marchtable.state.position import Obligation, Odds, UnitId
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import SMOKES
from marchtable_models.asl.data import halves
from marchtable_models.asl.effects.acting import after_action, lost
from marchtable_models.asl.model import AslPosition, AslUnit, Enter, actors
from marchtable_models.asl.occasions import at_phase
from marchtable_models.asl.rules.fortifications import GetBeneath, Shift, shelter
from marchtable_models.asl.rules.half_squads import halved
from marchtable_models.asl.rules.happenings import StatedResult, after_event
from marchtable_models.asl.rules.phases import PhaseBegins
from marchtable_models.asl.rules.stacks import members
from marchtable_models.asl.rules.support_weapons import Handling
from marchtable_models.asl.verbs import Stairs
from marchtable_models.asl.views import reading, spending
from marchtable_models.asl.views.adjacency import HexLevel, spot_of
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.flight import (
    Flight,
    Stated,
    comes_beside,
    has_begun,
    in_range,
    is_armed,
    is_beside,
    is_cover,
    is_exposed,
    is_fit,
    nears,
    routs_aside,
    takes_prisoner,
    whither,
)
from marchtable_models.asl.views.ground_facts import STREAMS
from marchtable_models.asl.views.lookout import has_los, is_computed, may_be_seen
from marchtable_models.asl.views.movers import party
from marchtable_models.asl.views.overlay import crossing, site
from marchtable_models.asl.views.spending_facts import Allowance
from marchtable_models.asl.views.steps import hexes
from marchtable_models.asl.views.unitkinds import halves_of, ipc_of, type_of
from marchtable_models.asl.weapons import SKIS

PINNED, REDUCED, ELIMINATED = "pinned", "reduced", "eliminated"
UNSTATED = "which Known enemies it sees is not known; state it with `sight`, or, if all is stated, by the reading A10.51a = stated"
Within = Literal["", "stairs", "shelter", "wire"]
OfRout = Annotated[bool, msgspec.Meta(extra={"domain": "rout"})]


class Rout(Action, frozen=True, tag="rout"):
    """
    A broken unit routs into an adjacent Location in the RtPh, step by step or by Low Crawl.

    ``leaders`` rout with the unit voluntarily. ``half`` pays for the cover of shellholes, ``off_road`` for that beside the road,
    ``beneath`` for going beneath an entrenchment or pillbox at once; a unit leaving one pays for
    that with the hex. In its own hex a unit routs by ``stairs``, ``shift`` and ``get-beneath``.
    """

    unit: UnitId
    to: Adjacent
    crawl: OfRout = False
    leaders: Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})] = ()
    half: OfRout = False
    beneath: OfRout = False
    off_road: OfRout = False


class Routing(Facts, frozen=True, gc=False):
    """A broken unit about to rout into an adjacent Location, or in its own hex."""

    phase: str
    fit: bool  # broken Infantry on foot, neither pinned nor in Melee, whose rout is not over
    dm: bool  # under DM: stated, or a Known armed enemy is adjacent as it starts
    step: bool  # a step leads to that Location
    pp: int
    ipc: int
    toward: Stated  # whether it approaches a Known armed enemy in LOS; ``unstated`` if sight is not stated
    beside: bool  # it enters a hex adjacent to a Known enemy, other than from that enemy's Location
    goes: Stated  # whether it can still reach its goal, or needs none
    goals: tuple[str, ...]  # the nearest woods and buildings that it cannot bypass
    there: bool  # it has reached its goal, and enters neither woods nor building
    crawl: bool  # by Low Crawl
    moved: bool  # it has already routed in this RtPh
    out: bool  # from an enemy's Location
    row: str  # Chart row of the Location entered
    aboard: Literal["", "moving", "stopped"] = ""  # vehicle of a Passenger that routs in its hex
    watched: bool = False  # an able enemy, possibly in LOS, could Interdict it there
    goes_as_told: bool = True  # it reaches its goal if it sees only the enemies it certainly sees
    disrupted: bool = False
    exposed: bool = False  # in Open Ground, possibly seen by an unbroken Known armed enemy in range
    captors: bool = False  # an adjacent enemy would take it prisoner
    pressed: bool = False  # adjacent armed enemies exist, none of which would
    unsheltered: bool = False  # in Open Ground, in a Blaze, or in water
    smc: bool = False
    whole: bool = False  # a squad
    deserted: tuple[str, ...] = ()  # leaders that have routed with it and would not continue
    alone: bool = True  # it is named alone
    within: Within = ""  # its act in its own hex
    night: bool = False
    gear: str = ""  # the gear it moves on
    by_road: bool = False  # at the road rate, so beside the hex's other terrain
    late: bool = False  # it is the ATTACKER's, and a DEFENDER's unit has already routed
    fled: tuple[str, ...] = ()  # Known armed enemies that see it, or saw it while routing


class Escorting(Facts, frozen=True, gc=False):
    """A leader about to rout with a broken unit."""

    fit: bool  # an unbroken leader on foot, neither berserk, pinned nor in Melee
    together: bool  # he is in the same place as that unit
    joins: bool  # the unit has begun its rout without him


class Interdicted(Facts, frozen=True, gc=False):
    """The result of Interdiction."""

    outcome: str
    leader: bool = False  # it is a leader routing with the Interdicted unit
    halves: tuple[str, ...] = ()  # if it is a squad, the half squads of its nationality


class UnderDm(Facts, frozen=True, gc=False):
    """A unit under DM as a phase begins."""

    phase: str
    night: bool  # it is broken, at night


class Aside(NamedTuple):
    """A routing unit's act in its own hex, and the level it leads to."""

    within: Within
    floor: int | None


@at_phase
def phase_facts(position: AslPosition, unit: AslUnit, begins: PhaseBegins) -> UnderDm | None:
    """Return the facts of a unit under DM."""
    night = unit.status.broken and position.conditions.night
    return UnderDm(begins.phase, night) if unit.status.dm else None


@cases(Rout)
def rout_facts(position: AslPosition, action: Rout, edition: Edition) -> Iterator[Case]:
    """Yield the facts of a unit that routs: those of its rout and those of its entry."""
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    leaders = [position.unit(name) for name in action.leaders]
    left = spending.allotment(position, unit, edition) - unit.points.spent
    facts = routing(position, unit, action, edition, left)
    yield about(unit, facts, to)
    for one in leaders:
        yield Case((one.id, unit.id), escorting(position, unit, one), hexes(unit.at, to))
    if facts.step:
        stack = party(position, (unit, *leaders))
        way = Enter(
            stack.ids, to, half=action.half, beneath=action.beneath, off_road=action.off_road
        )
        for one in stack.units:
            step = reading.entry(position, one, to, stack, way)
            yield Case((one.id,), step, hexes(unit.at, to))


@cases(Shift, GetBeneath, Stairs)
def rout_aside_facts(
    position: AslPosition, action: Shift | GetBeneath | Stairs, edition: Edition
) -> Iterator[Case]:
    """Yield the facts of a broken unit that routs in its own hex."""
    units = [position.unit(name) for name in action.units]
    if not routs_aside(position, units):
        return
    for unit in units:
        left = spending.allotment(position, unit, edition) - unit.points.spent
        rout, aside = Rout(unit.id, str(unit.at)), _aside(unit, action)
        facts = routing(position, unit, rout, edition, left, aside)
        yield about(unit, msgspec.structs.replace(facts, alone=len(units) == 1))
        if isinstance(action, Stairs):
            step = reading.stairs(position, unit, party(position, units), action)
            yield about(unit, step)
        else:
            wire, to = isinstance(action, GetBeneath), getattr(action, "to", "beneath")
            yield about(unit, shelter(position, unit, units, to, wire=wire))


def _aside(unit: AslUnit, action: Shift | GetBeneath | Stairs) -> Aside:
    floor = spot_of(unit).floor
    if not isinstance(action, Stairs):
        return Aside("wire" if isinstance(action, GetBeneath) else "shelter", floor)
    return Aside("stairs", None if floor is None else floor + (1 if action.to == "up" else -1))


def routing(
    position: AslPosition, unit: AslUnit, action: Rout, edition: Edition, left: int,
    aside: Aside | None = None,
) -> Routing:  # fmt: skip
    """Return the facts of a unit that routs, in its hex or elsewhere; `left` in half MF."""
    kind, state, here = type_of(position, unit), unit.status, str(unit.at)
    to = position.board.resolve(action.to)
    start, night = spot_of(unit), position.conditions.night
    end = HexLevel(to, start.floor if aside is None else aside.floor)
    enemies = [one for one in position.units if unit.at and is_armed(position, unit, one)]
    fit = is_fit(position, unit)
    seen, unclear = _in_sight(position, unit, enemies) if fit else ([], [])
    step = unit.at is not None and (
        aside is not None or position.board.hexside(here, to) is not None
    )
    known = tuple(spot_of(one) for one in enemies)
    off = replace(unit, inside="beneath") if aside and aside.within == "wire" else unit
    sure = Flight(position, off, tuple(str(one.at) for one in seen), known, edition, left)
    wary = sure._replace(fled=tuple(str(one.at) for one in (*seen, *unclear)))
    toward: Stated = "yes" if nears(sure, here, to) else "no"
    if unclear and toward == "no" and nears(wary, here, to):
        toward = "unstated"
    goals, goes = whither(sure, to) if step and fit else ((), "yes")
    goes_as_told = goes == "yes"
    if step and unclear and (is_computed(position) or not goes_as_told):
        cautious = whither(wary, to)
        if is_computed(position):
            goes = goes if cautious == (goals, goes) else "unstated"
            goes_as_told = goes == "yes"
        else:
            goes = "unstated" if cautious[1] == "yes" else "no"
    return Routing(
        phase=position.phase,
        fit=fit and unit.move.mph != "done",
        dm=state.dm or has_begun(unit) or is_beside(wary, start),
        step=step,
        pp=sum(weapon.pp for weapon in unit.sw),
        ipc=ipc_of(position, unit),
        toward=toward,
        beside=end != start and comes_beside(wary, start, end),
        goes=goes,
        goals=goals,
        there=here in unit.move.goals and not is_cover(position, to),
        crawl=action.crawl or (aside is not None and night),
        moved=has_begun(unit),
        out=start in known and end != start,
        row=site(position, to).ground.here,
        aboard=_aboard(position, unit, to),
        goes_as_told=goes_as_told,
        disrupted=state.disrupted,
        watched=_may_be_interdicted(unit, action, aside) and _is_watched(position, unit, to),
        exposed=is_exposed(position, unit, (*seen, *unclear)) != "no",
        fled=tuple(dict.fromkeys((*unit.move.fled, *(one.id for one in seen)))),
        captors=any(takes_prisoner(position, unit, one) for one in position.units),
        pressed=is_beside(wary, start),
        unsheltered=unit.at is not None and _is_unsheltered(position, unit.at),
        smc=kind.class_ == "smc",
        whole=kind.class_ == "squad",
        deserted=tuple(
            name for name in unit.move.leaders if has_begun(unit) and name not in action.leaders
        ),
        within=aside.within if aside else "",
        night=night,
        gear=state.gear,
        late=unit.side == position.side
        and any(
            one.side != unit.side and one.status.broken and has_begun(one) for one in position.units
        ),
        by_road=step and not action.off_road and crossing(position, here, to).ground.road,
    )


def _in_sight(
    position: AslPosition, unit: AslUnit, enemies: Sequence[AslUnit]
) -> tuple[list[AslUnit], list[AslUnit]]:
    """
    Return the enemies that see a unit, or saw it routing; and those that might.

    If sight is stated, and any unit is stated to see it, no other does.
    """
    los = {one.id: has_los(position, unit, one) for one in enemies}
    seen = [one for one in enemies if los[one.id] == "yes" or one.id in unit.move.fled]
    if seen and not is_computed(position):
        return seen, []
    return seen, [
        one for one in enemies if one not in seen and los[one.id] in ("unstated", "unsure")
    ]


def _may_be_interdicted(unit: AslUnit, action: Rout, aside: Aside | None) -> bool:
    """Return whether neither shelter nor paying for shellholes protects it from that (A10.531)."""
    if aside is None:
        return not (action.beneath or action.half)
    return aside.within == "shelter" and unit.place.inside == "beneath"


def escorting(position: AslPosition, unit: AslUnit, leader: AslUnit) -> Escorting:
    """Return the facts of a leader that routs with a unit."""
    state = leader.status
    return Escorting(
        fit=type_of(position, leader).leads
        and type_of(position, leader).is_infantry
        and state.good_order
        and not state.pinned
        and leader.cargo.aboard is None
        and leader.move.mph != "done",
        together=(leader.side, leader.at, leader.place) == (unit.side, unit.at, unit.place),
        joins=has_begun(unit) and leader.id not in unit.move.leaders,
    )


def _is_unsheltered(position: AslPosition, at: str) -> bool:
    """Return whether a Location is Open Ground, in a Blaze, or water."""
    row = site(position, at).ground.here
    return row_named(row).bare or row == "water" or "blaze" in position.markers.get(at, ())


def _is_watched(position: AslPosition, unit: AslUnit, to: str) -> bool:
    """Return whether an enemy able to Interdict has it in range and LOS, without SMOKE there."""
    if not set(SMOKES).isdisjoint(position.markers.get(to, ())):
        return False
    moved = replace(unit, at=to, inside="" if unit.place.inside != "upstairs" else "upstairs")
    return any(
        one.side != unit.side
        and one.at is not None
        and in_range(position, one, to) != "no"
        and _may_interdict(position, one)
        and may_be_seen(position, moved, one) != "no"
        for one in position.units
    )


def _may_interdict(position: AslPosition, enemy: AslUnit) -> bool:
    """Return whether an enemy can Interdict; assumed if it is concealed."""
    if enemy.concealment.concealed:
        return True
    unfit = enemy.status.broken or enemy.status.pinned or enemy.status.cx
    return not unfit and type_of(position, enemy).class_ not in ("wreck", "gun")


def _aboard(position: AslPosition, unit: AslUnit, to: str) -> Literal["", "moving", "stopped"]:
    """Return whether the vehicle a Passenger routs beneath is moving or stopped."""
    if unit.cargo.aboard is None or unit.cargo.riding or to != unit.at:
        return ""
    return "moving" if position.unit(unit.cargo.aboard).motion.moving else "stopped"


@settles("interdiction")
def interdiction_facts(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the result of Interdiction, for the unit and the leaders with it."""
    unit = position.unit(obligation.unit)
    with_it = [position.unit(name) for name in unit.move.leaders]
    return [
        about(unit, Interdicted(outcome, halves=halves_of(position, unit))),
        *(about(one, Interdicted(outcome, leader=True)) for one in with_it),
    ]


@clause("A10.5a", kind="action")
def who_routs(facts: Routing, sheet: Sheet) -> None:
    """Broken Infantry on foot routs, one unit at a time, step by step."""
    if not facts.fit:
        sheet.bar("only broken Infantry on foot that is not pinned, in Melee or done can rout")
    elif not facts.alone:
        sheet.bar("units rout one at a time")
    elif not facts.step:
        sheet.bar("that Location is not adjacent")


@clause("A10.5h", kind="action")
def attacker_first(facts: Routing, sheet: Sheet) -> None:
    """The ATTACKER's units rout before the DEFENDER's."""
    if facts.late:
        sheet.bar("a unit of the DEFENDER has routed")


@clause("A10.62", kind="action")
def under_dm(facts: Routing, sheet: Sheet) -> None:
    """Only a unit under DM routs; it comes under DM by starting next to a Known armed enemy."""
    if facts.dm or (facts.night and facts.crawl):  # E1.54
        return
    if facts.exposed:
        sheet.unsupported(
            "in Open Ground in an enemy's LOS and Normal Range it must rout: whether it is there is unknown; if it is under DM, write `dm = true`"
        )
    else:
        sheet.bar("the unit is not under DM (if it is, write `dm = true` in the scene)")


@clause("A19.12a", kind="action")
def disrupted(facts: Routing, sheet: Sheet) -> None:
    """A disrupted unit routs only from Open Ground, a Blaze, water or enemies who take no prisoners; next to others it surrenders."""
    if not facts.disrupted or facts.moved or facts.night:  # E1.54
        return
    if facts.captors:
        sheet.bar("the unit is disrupted, and surrenders to an enemy beside it")
    elif not (facts.unsheltered or facts.pressed):
        sheet.bar("the unit is disrupted, and stays where it is")


@clause("A19.12b", kind="action")
def no_crawl(facts: Routing, sheet: Sheet) -> None:
    """A disrupted unit cannot use Low Crawl."""
    if facts.disrupted and facts.crawl and not facts.night:
        sheet.bar("the unit is disrupted")


@not_modelled("D6.1n", lifts=("A10.5a", "A10.62"))
def beneath_a_vehicle(facts: Routing) -> bool:
    """A broken Passenger that routs beneath its stopped vehicle."""
    return facts.phase == "RtPh" and facts.aboard == "stopped"


class RoutMF(Allowance):
    """The allowance of a routing unit."""

    is_relevant = property(lambda self: self.routs)


@clause("A10.5b", kind="cost", composes="start")
def rout_mf(facts: RoutMF, sheet: Sheet) -> None:
    """A broken unit has 6 MF to rout, a wounded SMC has 3."""
    if facts.routs and facts.on_foot:
        name = "wounded" if facts.smc and facts.wounded else "mf"
        sheet.charge(halves("A10.5", name) - sheet.total(), "to rout")


@clause("A10.4b", kind="capacity")
def load(facts: Routing, sheet: Sheet) -> None:
    """A routing unit carries no more than its IPC."""
    if facts.pp > facts.ipc:
        sheet.bar("it carries too much to rout", facts.ipc, facts.pp, points="PP")


@clause("A10.4c", kind="action")
def abandons(facts: Handling, sheet: Sheet) -> None:
    """Before it routs a broken unit drops what exceeds its IPC, and keeps as much within it as it can."""
    if facts.verb != "drop" or not facts.flees:
        return
    if not facts.excess:
        sheet.bar("a broken unit can rout only with what is within its IPC")
    elif not facts.spare:
        sheet.bar("without it the unit would not carry as much of its IPC as it can")


@clause("A10.51a", kind="action")
def away(facts: Routing, sheet: Sheet) -> None:
    """A unit cannot rout closer to a Known armed enemy that sees it, or saw it while routing."""
    if facts.fled:
        sheet.force("fled", facts.fled)
    if facts.toward == "unstated" and sheet.reading("A10.51a") == "unstated":
        sheet.unsupported(UNSTATED)
    elif facts.toward == "yes":
        sheet.bar("that Location is nearer to a Known armed enemy")


@clause("A10.51b", kind="action")
def not_beside(facts: Routing, sheet: Sheet) -> None:
    """A unit cannot rout into a hex next to a Known enemy, except from that enemy's Location."""
    if facts.beside:
        sheet.bar("that Location is next to a Known enemy")


@clause("A10.51c", kind="action")
def to_cover(facts: Routing, sheet: Sheet) -> None:
    """A unit routs to the nearest woods or building in MF, except those it can bypass."""
    if facts.night:
        sheet.exception("at night it need not rout to cover (E1.54)")
    elif facts.there:
        sheet.bar("it has reached its goal, and continues only into woods and buildings")
    elif facts.goes == "unstated" and sheet.reading("A10.51a") == "unstated":
        sheet.unsupported(UNSTATED)
    elif not (facts.goes == "yes" or facts.goes_as_told):
        sheet.bar("from there it cannot reach " + ", ".join(facts.goals))


@clause("A10.51d", kind="state")
def keeps_its_goal(facts: Routing, sheet: Sheet) -> None:
    """A unit's rout goal is fixed as it starts."""
    if not facts.moved:
        sheet.force("goals", facts.goals)


@clause("A10.52a", kind="action")
def crawls(facts: Routing, sheet: Sheet) -> None:
    """Low Crawl is a rout of one Location, not from an enemy's, nor into marsh, water or a wet stream."""
    if not facts.crawl:
        return
    wet = (*STREAMS[1:], "stream-flooded", "ford", "marsh", "water")
    if facts.moved:
        sheet.bar("it has routed in this RtPh")
    elif facts.night:
        sheet.exception("at night it may crawl anywhere (E1.54)")
    elif facts.out:
        sheet.bar("it leaves an enemy's Location")
    elif facts.row in wet:
        sheet.bar("units cannot crawl there")


@clause("E1.54", kind="action")
def crawls_at_night(facts: Routing, sheet: Sheet) -> None:
    """At night broken units rout only by Low Crawl."""
    if facts.night and not facts.crawl:
        sheet.bar("at night broken units can rout only by Low Crawl")


@clause("E4.33", kind="action")
def not_on_skis(facts: Routing, sheet: Sheet) -> None:
    """A unit on skis cannot use Low Crawl or rout beneath anything."""
    if facts.gear == SKIS and (facts.crawl or facts.within in ("shelter", "wire")):
        sheet.bar("it must take its skis off first")


@clause("A10.52b", kind="effect", composes="end")
def low_crawl(facts: Routing, sheet: Sheet) -> None:
    """Low Crawl ends the unit's rout."""
    if facts.crawl:
        sheet.force("mph", "done")


@clause("A10.53", kind="odds")
def interdicted(facts: Routing, sheet: Sheet) -> None:
    """A unit routing into Open Ground other than by Low Crawl can be Interdicted, and then takes a Morale Check."""
    open_ground = row_named(facts.row).bare or facts.row == "shellholes" or facts.by_road
    if not (facts.watched and facts.step and not facts.crawl and open_ground):
        return
    harm = ("wounded",) if facts.smc else (REDUCED,) if facts.whole else ()
    outcomes = ("none", "passed", PINNED, *harm, ELIMINATED)
    note = "which enemies in whose LOS and Normal Range it is Interdict it; then its NMC"
    sheet.roll("interdiction", tuple(Odds(one, 1, 1) for one in outcomes), note)


@clause("A10.53b", kind="odds")
def casualty(facts: Interdicted, sheet: Sheet) -> None:
    """A squad that fails its Morale Check when Interdicted becomes a half squad of a type that the log states."""
    if facts.outcome == REDUCED and not facts.leader:
        halved(facts.halves, sheet)


@clause("A10.53c", kind="effect")
def pinned_there(facts: Interdicted, sheet: Sheet) -> None:
    """A unit pinned by Interdiction routs no farther."""
    if facts.outcome == PINNED:
        sheet.force("mph", "done")


@clause("A10.711a", kind="action")
def goes_along(facts: Escorting, sheet: Sheet) -> None:
    """An unbroken leader with a broken unit can rout with it from its first step on."""
    if not facts.fit:
        sheet.bar(
            "only an unbroken leader on foot that is not berserk, pinned, in Melee or done can rout along"
        )
    elif not facts.together:
        sheet.bar("the leader is not with that unit")
    elif facts.joins:
        sheet.bar("the unit has begun its rout without the leader")


@clause("A10.711b", kind="action")
def stays_with_it(facts: Routing, sheet: Sheet) -> None:
    """A leader who routs with a unit stays with it."""
    if facts.deserted:
        sheet.bar("a leader has set out with it: " + ", ".join(facts.deserted))


@not_modelled("A10.711c")
def falls_with_it(facts: Interdicted) -> bool:
    """A leader eliminated because its unit fails an Interdiction Morale Check: use `result`."""
    return facts.leader and facts.outcome in (REDUCED, "wounded", ELIMINATED)


@clause("A10.62b", kind="state")
def dm_ends(facts: UnderDm, sheet: Sheet) -> None:
    """DM ends with the RPh; at night the Original Rally DR decides."""
    if facts.phase == "PFPh" and not facts.night:
        sheet.force("dm", value=False)


@effect(Rout)
def after_rout(position: AslPosition, action: Rout, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a step of a rout, with the leaders."""
    to = position.board.resolve(action.to)
    came = [
        replace(unit, previous=unit.move.previous if to == unit.at else unit.at or to)
        for unit in members(position, actors(action))
    ]
    before = position.with_units(came)
    return after_action(before, action, bills, at=to, bypass=None, entering=())


@resolves("interdiction")
def after_interdiction(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position after a unit has been Interdicted."""
    if outcome == ELIMINATED:
        return lost(position, position.unit(obligation.unit))
    if outcome in (PINNED, "wounded"):
        return after_event(position, StatedResult(obligation.unit, outcome))  # type: ignore[arg-type]
    return position
