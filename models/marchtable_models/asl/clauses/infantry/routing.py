"""Rout (A10.5): broken units that flee in the RtPh."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.position import Odds
from marchtable_models.asl.clauses.infantry.prisoners import BY, can_guard
from marchtable_models.asl.clauses.squads import halved
from marchtable_models.asl.clauses.terrain.chart import row_named
from marchtable_models.asl.data import halves
from marchtable_models.asl.facts.foot import Handling
from marchtable_models.asl.facts.ground import STREAMS
from marchtable_models.asl.facts.routing import Escorting, Interdicted, Routing, Surrendering
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.units import PhaseStart
from marchtable_models.asl.weapons import SKIS

PINNED, REDUCED, ELIMINATED = "pinned", "reduced", "eliminated"
NEVER = ("japanese", "partisan")
UNTOLD = "which Known enemies it sees is not known; state it with `sight`, or, if all is stated, by the reading A10.51a = told"


@clause("A3.6", kind="action")
def in_rtph(facts: Routing | Surrendering, sheet: Sheet) -> None:
    """Units rout in the RtPh, those of both sides."""
    if facts.phase != "RtPh":
        sheet.bar("units rout, and surrender, in the RtPh", "RtPh", facts.phase)


@clause("A10.5a", kind="action")
def who_routs(facts: Routing, sheet: Sheet) -> None:
    """Broken Infantry on foot routs, one unit at a time, by steps."""
    if not facts.fit:
        sheet.bar("only broken Infantry on foot routs, neither pinned, in Melee nor done")
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
    """Only who is under DM routs, as who sets out next to a Known armed enemy is."""
    if facts.dm or (facts.night and facts.crawl):  # E1.54
        return
    if facts.exposed:
        sheet.unsupported(
            "in Open Ground in an enemy's LOS and Normal Range it must rout: which is not told; `dm` in the scene lets it"
        )
    else:
        sheet.bar("the unit is not under DM: a scene tells it as dm")


@clause("A19.12a", kind="action")
def disrupted(facts: Routing, sheet: Sheet) -> None:
    """A disrupted unit routs only out of Open Ground, a Blaze or water, or from enemies who take no prisoners; next to others it surrenders."""
    if not facts.disrupted or facts.moved or facts.night:  # E1.54
        return
    if facts.captors:
        sheet.bar("the unit is disrupted, and surrenders to an enemy beside it")
    elif not (facts.unsheltered or facts.pressed):
        sheet.bar("the unit is disrupted, and stays where it is")


@clause("A19.12b", kind="action")
def no_crawl(facts: Routing, sheet: Sheet) -> None:
    """A disrupted unit does not use Low Crawl."""
    if facts.disrupted and facts.crawl and not facts.night:
        sheet.bar("the unit is disrupted")


@not_modelled("D6.1n", lifts=("A10.5a", "A10.62"))
def beneath_a_vehicle(facts: Routing) -> bool:
    """A broken Passenger who routs beneath his vehicle while that is stopped."""
    return facts.phase == "RtPh" and facts.aboard == "stopped"


@clause("A10.5b", kind="cost", composes="start")
def rout_mf(facts: Allowance, sheet: Sheet) -> None:
    """A broken unit has 6 MF to rout, a wounded SMC 3."""
    if facts.routs and facts.on_foot:
        name = "wounded" if facts.smc and facts.wounded else "mf"
        sheet.charge(halves("A10.5", name) - sheet.total(), "to rout")


@clause("A10.4b", kind="capacity")
def load(facts: Routing, sheet: Sheet) -> None:
    """Who routs carries no more than its IPC."""
    if facts.pp > facts.ipc:
        sheet.bar("it carries too much to rout", facts.ipc, facts.pp, points="PP")


@clause("A10.4c", kind="action")
def abandons(facts: Handling, sheet: Sheet) -> None:
    """Before it routs a broken unit drops what is beyond its IPC, and keeps as much within it as it can."""
    if facts.verb != "drop" or not facts.flees:
        return
    if not facts.excess:
        sheet.bar("the unit is broken, and routs with what is within its IPC")
    elif not facts.spare:
        sheet.bar("without it the unit would not carry as much of its IPC as it can")


@clause("A10.51a", kind="action")
def away(facts: Routing, sheet: Sheet) -> None:
    """Nobody routs nearer to a Known armed enemy in whose LOS he is, or has been."""
    if facts.fled:
        sheet.force("fled", facts.fled)
    if facts.toward == "untold" and sheet.reading("A10.51a") == "untold":
        sheet.unsupported(UNTOLD)
    elif facts.toward == "yes":
        sheet.bar("that is nearer to a Known armed enemy")


@clause("A10.51b", kind="action")
def not_beside(facts: Routing, sheet: Sheet) -> None:
    """Nobody routs next to a Known enemy, but out of its own Location."""
    if facts.beside:
        sheet.bar("that is next to a Known enemy")


@clause("A10.51c", kind="action")
def to_cover(facts: Routing, sheet: Sheet) -> None:
    """Who routs gets to the nearest woods or building in MF, but to those that he may pass over."""
    if facts.night:
        sheet.exception("at night it need not rout to cover (E1.54)")
    elif facts.there:
        sheet.bar("it is where it had to rout to, and goes on into woods and buildings alone")
    elif facts.goes == "untold" and sheet.reading("A10.51a") == "untold":
        sheet.unsupported(UNTOLD)
    elif not (facts.goes == "yes" or facts.goes_as_told):
        sheet.bar("from there it does not get to " + ", ".join(facts.goals))


@clause("A10.51d", kind="state")
def keeps_its_goal(facts: Routing, sheet: Sheet) -> None:
    """Where it must get to is settled as it sets out."""
    if not facts.moved:
        sheet.force("goals", facts.goals)


@clause("A10.52a", kind="action")
def crawls(facts: Routing, sheet: Sheet) -> None:
    """Low Crawl is a rout of one Location, not out of an enemy's, nor into marsh, water or a wet stream."""
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
        sheet.bar("nobody crawls there")


@clause("E1.54", kind="action")
def crawls_at_night(facts: Routing, sheet: Sheet) -> None:
    """At night broken units rout by Low Crawl alone."""
    if facts.night and not facts.crawl:
        sheet.bar("it is night, and broken units use Low Crawl")


@clause("E1.54b", kind="action")
def none_at_night(facts: Surrendering, sheet: Sheet) -> None:
    """At night nobody surrenders in the RtPh."""
    if facts.night:
        sheet.bar("it is night: units are captured in CC, or as a building is mopped up")


@clause("E4.33", kind="action")
def not_on_skis(facts: Routing, sheet: Sheet) -> None:
    """On skis nobody crawls, nor goes beneath anything as it routs."""
    if facts.gear == SKIS and (facts.crawl or facts.within in ("shelter", "wire")):
        sheet.bar("it takes its skis off first")


@clause("A10.52b", kind="effect", composes="end")
def low_crawl(facts: Routing, sheet: Sheet) -> None:
    """Low Crawl ends the unit's rout."""
    if facts.crawl:
        sheet.force("mph", "done")


@clause("A10.53", kind="odds")
def interdicted(facts: Routing, sheet: Sheet) -> None:
    """Who routs into Open Ground but by Low Crawl may be Interdicted: whether, and what its Morale Check does, is told."""
    open_ground = row_named(facts.row).bare or facts.row == "shellholes" or facts.by_road
    if not (facts.watched and facts.step and not facts.crawl and open_ground):
        return
    harm = ("wounded",) if facts.smc else (REDUCED,) if facts.whole else ()
    told = ("none", "passed", PINNED, *harm, ELIMINATED)
    note = "which enemies in whose LOS and Normal Range it is Interdict it; then its NMC"
    sheet.roll("interdiction", tuple(Odds(one, 1, 1) for one in told), note)


@clause("A10.53b", kind="odds")
def casualty(facts: Interdicted, sheet: Sheet) -> None:
    """A squad that fails its Morale Check as it is Interdicted is a half squad from then on: of which type, is told."""
    if facts.outcome == REDUCED and not facts.leader:
        halved(facts.halves, sheet)


@clause("A10.53c", kind="effect")
def pinned_there(facts: Interdicted, sheet: Sheet) -> None:
    """Who is pinned by Interdiction routs no farther."""
    if facts.outcome == PINNED:
        sheet.force("mph", "done")


@clause("A10.711a", kind="action")
def goes_along(facts: Escorting, sheet: Sheet) -> None:
    """An unbroken leader who stands with a broken unit may rout with it from its first step on."""
    if not facts.fit:
        sheet.bar(
            "only an unbroken leader on foot routs along, neither berserk, pinned, in Melee nor done"
        )
    elif not facts.together:
        sheet.bar("he does not stand with that unit")
    elif facts.joins:
        sheet.bar("the unit has begun its rout without him")


@clause("A10.711b", kind="action")
def stays_with_it(facts: Routing, sheet: Sheet) -> None:
    """A leader who routs with a unit stays with it."""
    if facts.deserted:
        sheet.bar("a leader has set out with it: " + ", ".join(facts.deserted))


@not_modelled("A10.711c")
def falls_with_it(facts: Interdicted) -> bool:
    """A leader whose unit fails its Morale Check as it is Interdicted, which eliminates him: befall tells."""
    return facts.leader and facts.outcome in (REDUCED, "wounded", ELIMINATED)


@clause("A20.21a", kind="action")
def who_surrenders(facts: Surrendering, sheet: Sheet) -> None:
    """Broken Infantry on foot surrenders to Known armed Infantry or Cavalry in Good Order beside it."""
    if not facts.fit:
        sheet.bar("only broken Infantry on foot surrenders, neither pinned nor in Melee")
    elif not facts.captor:
        sheet.bar(
            "that is no Known armed enemy on foot or horseback beside it, in Good Order and out of Melee"
        )


@clause("A20.21b", kind="action")
def never_surrenders(facts: Surrendering, sheet: Sheet) -> None:
    """Japanese, Partisans, and SS whom Russians would take, never surrender so."""
    if _never(facts.nation, facts.enemy):
        sheet.bar("such troops never surrender in the RtPh")


@clause("A20.21c", kind="action")
def surrenders_instead(facts: Surrendering, sheet: Sheet) -> None:
    """Who can rout away with nobody to Interdict it does not surrender, unless disrupted."""
    if facts.disrupted or not facts.fit or not facts.captor:
        return
    if facts.free == "yes":
        sheet.bar("the unit can rout away, with nobody to Interdict it")
    elif facts.free == "untold":
        sheet.unsupported("whether it can rout away: " + UNTOLD)


def _never(nation: str, enemy: str) -> bool:
    return nation in NEVER or (nation, enemy) == ("ss", "russian")


def _lost(facts: PhaseStart, sheet: Sheet) -> None:
    captors = [
        BY + name for name, enemy, us, load in facts.captors
        if can_guard(us, load) and not _never(facts.nation, enemy)
    ]  # fmt: skip
    told = tuple(Odds(one, 1, 1) for one in (ELIMINATED, *captors))
    sheet.roll("failure-to-rout", told, "it is eliminated; who may take it prisoner chooses")


@clause("A10.5f", kind="odds")
def fails_to_rout(facts: PhaseStart, sheet: Sheet) -> None:
    """Who is broken and next to an unbroken Known armed enemy as the RtPh ends is captured or eliminated."""
    if facts.cornered and not facts.night:  # E1.54
        _lost(facts, sheet)


@clause("A10.5g", kind="odds")
def remains_in_the_open(facts: PhaseStart, sheet: Sheet) -> None:
    """So is who has not left Open Ground in the LOS and Normal Range of a Known enemy."""
    if facts.cornered or facts.night:
        return
    if facts.lingers:
        _lost(facts, sheet)
    elif facts.lingers_unsure:
        sheet.unsupported("whether a Known enemy sees it in Open Ground; state it with `sight`")


@clause("A10.62b", kind="state")
def dm_ends(facts: PhaseStart, sheet: Sheet) -> None:
    """DM ends with the RPh, at night as an Original Rally DR says."""
    if facts.dm and facts.phase == "PFPh" and not facts.night:
        sheet.force("dm", value=False)
