"""Rout (A10.5): broken units that flee in the RtPh."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.clauses.terrain.chart import row_named
from marchtable_models.asl.data import halves
from marchtable_models.asl.facts.ground import STREAMS

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.routing import Routing
    from marchtable_models.asl.facts.spending import Allowance
    from marchtable_models.asl.facts.units import PhaseStart

__all__ = [
    "away", "beneath_a_vehicle", "crawls", "disrupted", "dm_ends", "fails_to_rout", "in_rtph", "interdicted", "keeps_its_goal", "load", "low_crawl", "not_beside",
    "rout_mf", "to_cover", "under_dm", "who_routs",
]  # fmt: skip

UNTOLD = "which Known enemies it sees is told by `sight`, or that scene and log tell all by the reading A10.51a = told"


@clause("A3.6", "Units rout in the RtPh, those of both sides", kind="action")
def in_rtph(facts: Routing, sheet: Sheet) -> None:
    if facts.phase != "RtPh":
        sheet.bar("units rout in the RtPh", "RtPh", facts.phase)


@clause("A10.5a", "Broken Infantry on foot routs, one unit at a time, by steps", kind="action")
def who_routs(facts: Routing, sheet: Sheet) -> None:
    if not facts.fit:
        sheet.bar("only broken Infantry on foot routs, neither pinned, in Melee nor done")
    elif not facts.step:
        sheet.bar("that Location is not adjacent")


@clause(
    "A10.62", "Only who is under DM routs, as who sets out next to a Known armed enemy is",
    kind="action",
)  # fmt: skip
def under_dm(facts: Routing, sheet: Sheet) -> None:
    if facts.dm:
        return
    if facts.exposed:
        sheet.unsupported(
            "in Open Ground in an enemy's LOS and Normal Range it must rout: which is not told; `dm` in the scene lets it"
        )
    else:
        sheet.bar("the unit is not under DM: a scene tells it as dm")


disrupted = unsupported(
    "A19.12", "Whether and how a disrupted unit routs", lambda facts: facts.disrupted
)


beneath_a_vehicle = unsupported(
    "D6.1n",
    "A broken Passenger who routs beneath his vehicle while that is stopped",
    lambda facts: facts.phase == "RtPh" and facts.aboard == "stopped",
    lifts=("A10.5a", "A10.62"),
)


@clause("A10.5b", "A broken unit has 6 MF to rout, a wounded SMC 3", kind="cost", composes="start")
def rout_mf(facts: Allowance, sheet: Sheet) -> None:
    if facts.routs and facts.on_foot:
        name = "wounded" if facts.smc and facts.wounded else "mf"
        sheet.charge(halves("A10.5", name) - sheet.total(), "to rout")


@clause("A10.4b", "Who routs carries no more than its IPC", kind="capacity")
def load(facts: Routing, sheet: Sheet) -> None:
    if facts.pp > facts.ipc:
        sheet.bar("it carries too much to rout", facts.ipc, facts.pp, points="PP")


@clause(
    "A10.51a", "Nobody routs nearer to a Known armed enemy in whose LOS he is, or has been",
    kind="action",
)  # fmt: skip
def away(facts: Routing, sheet: Sheet) -> None:
    if facts.toward == "untold" and sheet.reading("A10.51a") == "untold":
        sheet.unsupported(UNTOLD)
    elif facts.toward == "yes":
        sheet.bar("that is nearer to a Known armed enemy")


@clause("A10.51b", "Nobody routs next to a Known enemy, but out of its own Location", kind="action")
def not_beside(facts: Routing, sheet: Sheet) -> None:
    if facts.beside:
        sheet.bar("that is next to a Known enemy")


@clause(
    "A10.51c",
    "Who routs gets to the nearest woods or building in MF, but to those that he may pass over",
    kind="action",
)
def to_cover(facts: Routing, sheet: Sheet) -> None:
    if facts.there:
        sheet.bar("it is where it had to rout to, and goes on into woods and buildings alone")
    elif facts.goes == "untold" and sheet.reading("A10.51a") == "untold":
        sheet.unsupported(UNTOLD)
    elif not (facts.goes == "yes" or facts.goes_as_told or facts.crawl):
        sheet.bar("from there it does not get to " + ", ".join(facts.goals))


@clause("A10.51d", "Where it must get to is settled as it sets out", kind="state")
def keeps_its_goal(facts: Routing, sheet: Sheet) -> None:
    if not facts.moved:
        sheet.force("goals", facts.goals)


@clause(
    "A10.52a",
    "Low Crawl is a rout of one Location, not out of an enemy's, nor into marsh, water or a wet stream",
    kind="action",
)
def crawls(facts: Routing, sheet: Sheet) -> None:
    if not facts.crawl:
        return
    wet = (*STREAMS[1:], "stream-flooded", "ford", "marsh", "water")
    if facts.moved:
        sheet.bar("it has routed in this RtPh")
    elif facts.out:
        sheet.bar("it leaves an enemy's Location")
    elif facts.row in wet:
        sheet.bar("nobody crawls there")


@clause("A10.52b", "Low Crawl ends the unit's rout", kind="effect", composes="end")
def low_crawl(facts: Routing, sheet: Sheet) -> None:
    if facts.crawl:
        sheet.force("mph", "done")


@clause(
    "A10.53",
    "Who routs into Open Ground but by Low Crawl may be Interdicted: what its Morale Check does is told",
    kind="effect",
)
def interdicted(facts: Routing, sheet: Sheet) -> None:
    if facts.watched and facts.step and not facts.crawl and row_named(facts.row).bare:
        sheet.exception(
            "enemies in whose LOS and Normal Range it is may Interdict it: befall tells"
        )


@clause(
    "A10.5f",
    "Who is broken and next to an unbroken Known armed enemy as the RtPh ends surrenders or is eliminated",
    kind="effect",
)
def fails_to_rout(facts: PhaseStart, sheet: Sheet) -> None:
    if facts.cornered:
        sheet.exception("it has failed to rout: captured (A20.21), or eliminated; befall tells")


@clause("A10.62b", "DM ends with the RPh", kind="state")
def dm_ends(facts: PhaseStart, sheet: Sheet) -> None:
    if facts.dm and facts.phase == "PFPh":
        sheet.force("dm", value=False)
