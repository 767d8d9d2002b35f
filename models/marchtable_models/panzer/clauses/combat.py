"""Clauses on transports and passengers under fire, and on what results do to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable.state.position import Odds
from marchtable_models.panzer.data import count
from marchtable_models.panzer.facts.fire import Target
from marchtable_models.panzer.facts.steps import Owing, Shelling, Stack, Step

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.panzer.facts.fire import Pair, Recovering, Shared
    from marchtable_models.panzer.facts.steps import Removal

__all__ = [
    "apart", "as_loaded", "as_unloaded", "dd_unloads", "destroys", "drew_fire", "forced_off", "on_moving_units", "on_the_map", "one_target",
    "owner_removes", "recovers", "registered", "rider_direct", "rider_indirect", "rider_results", "shared_results", "spotted",
    "still_loaded",
]  # fmt: skip


# -- loaded or unloaded ----------------------------------------------------------------------------


def _by_cause(pair: Pair | None, drawn: str, sheet: Sheet) -> bool:
    """Return whether a pair's state is told by what drew the fire."""
    return pair is not None and pair.drawn == drawn and sheet.reading("B11") == "as-drawn"


@clause("P.opp-a", "Opportunity fire drawn by unloading finds the two unloaded", kind="state")
def as_unloaded(facts: Target | Shared, sheet: Sheet) -> None:
    if _by_cause(facts.pair, "unload", sheet) and not _came_loaded(facts.pair, sheet):
        sheet.exception("they count as unloaded")


@clause("P.opp-b", "Opportunity fire drawn by loading finds the two loaded", kind="state")
def as_loaded(facts: Target | Shared, sheet: Sheet) -> None:
    if _by_cause(facts.pair, "load", sheet):
        sheet.exception("they count as loaded")


@clause(
    "P.opp-c", "A transport counts as loaded in a hex that it entered so, though it unloads there",
    kind="state",
)  # fmt: skip
def still_loaded(facts: Target | Shared, sheet: Sheet) -> None:
    if _came_loaded(facts.pair, sheet):
        sheet.exception("they count as loaded where they entered so")


def _came_loaded(pair: Pair | None, sheet: Sheet) -> bool:
    """Return whether a pair counts as loaded because it entered its hex so."""
    if pair is None or not pair.came or sheet.reading("B11") == "as-found":
        return False
    return pair.drawn == "enter" or sheet.reading("P.opp-c-fire") == "always"


@clause("P.apart-a", "Unloaded, transport and passenger are attacked separately", kind="state")
def apart(facts: Target | Shared, sheet: Sheet) -> None:
    pair = facts.pair
    if pair is None or sheet.excepted("P.opp-b", "P.opp-c"):
        return
    if pair.drawn == "enter" and not pair.came and sheet.reading("B11") == "as-drawn":
        sheet.exception("attacked separately: it was empty as it entered")
    elif pair.aboard:
        return
    elif pair.drawn in ("", "enter") or sheet.reading("B11") == "as-found":
        sheet.exception("attacked separately")


def _as_one(pair: Pair, sheet: Sheet) -> bool:
    """Return whether a pair counts as loaded; before what drew the fire it was the other way."""
    if sheet.excepted("P.opp-b", "P.opp-c"):
        return True
    if sheet.excepted("P.opp-a", "P.apart-a"):
        return False
    return pair.drawn != "load" or sheet.reading("B11") == "as-found"


# -- targets ---------------------------------------------------------------------------------------


@clause(
    "P.ride-a", "A rider is a target of its own for direct fire, with a defence factor of one",
    kind="state",
)  # fmt: skip
def rider_direct(facts: Target, sheet: Sheet) -> None:
    if _is_rider(facts, sheet) and facts.fire == "direct":
        sheet.exception("a rider is a target of its own")
        sheet.charge(count("P.ride-a", "defence"), "rider", "defence")


@clause(
    "P.ride-c", "A rider defends on its own against indirect fire, with a defence factor of one",
    kind="state",
)  # fmt: skip
def rider_indirect(facts: Target, sheet: Sheet) -> None:
    if _is_rider(facts, sheet) and facts.fire in ("indirect", "registered"):
        sheet.exception("a rider defends on its own")
        sheet.charge(count("P.ride-c", "defence"), "rider", "defence")


def _is_rider(facts: Target, sheet: Sheet) -> bool:
    pair = facts.pair
    return pair is not None and facts.role == "passenger" and pair.rides and _as_one(pair, sheet)


@clause(
    "P.one-a",
    "Transport and passenger are one unit that moves, fires, stacks and is attacked as the transport",
    kind="state",
)
def one_target(facts: Target | Stack, sheet: Sheet) -> None:
    if isinstance(facts, Stack):
        if facts.carried and sheet.reading("B17") == "loaded":
            sheet.charge(-facts.carried, "carried", "stack")
        return
    if facts.pair is None or facts.role != "passenger" or not _as_one(facts.pair, sheet):
        return
    if sheet.excepted("P.ride-a", "P.ride-c"):
        return
    if facts.pair.drawn or sheet.reading("B17") == "loaded":
        sheet.bar("a passenger is no target beside its transport")


@clause("PB.spotting", "In concealing terrain only a spotted unit is fired on", kind="state")
def spotted(facts: Target, sheet: Sheet) -> None:
    if facts.concealed and facts.fire != "mines" and not (facts.exposed or facts.beside_enemy):
        sheet.bar("it is in concealing terrain and not spotted")


@clause("PB.opportunity", "Opportunity fire is drawn by what a unit did this phase", kind="action")
def drew_fire(facts: Target, sheet: Sheet) -> None:
    if not facts.fits:
        sheet.bar("it has done nothing of the kind in this movement phase")
    elif facts.moving and facts.role and not facts.drawn and facts.fire in ("direct", "indirect"):
        sheet.exception("what drew the fire is not told: they are taken as they stand")


@clause("PB.target", "Only units on the map are fired at", kind="action")
def on_the_map(facts: Target, sheet: Sheet) -> None:
    if not facts.on_map:
        sheet.bar("it is not on the map")


@clause("PB.recover", "Only dispersed units recover", kind="action")
def recovers(facts: Recovering, sheet: Sheet) -> None:
    if not facts.on_map:
        sheet.bar("it is not on the map")
    elif not facts.dispersed:
        sheet.bar("it is not dispersed")


def _by_expenditure(facts: Target, sheet: Sheet) -> None:
    """Ask what the published rules asked: that the mover has spent part of its movement factor."""
    if facts.drawn == "enter" and facts.spent * count("P.move-c", "part") < facts.mf:
        sheet.bar("it has not spent enough to draw opportunity fire")


@clause(
    "P.move-c", "Opportunity fire does not wait for a mover to have spent anything",
    kind="state", denied=_by_expenditure,
)  # fmt: skip
def on_moving_units(facts: Target, sheet: Sheet) -> None:
    if facts.drawn == "enter":
        sheet.exception("whatever it has spent")


@clause(
    "P.move-d",
    "Indirect fire registered in advance on a hex can be used at a unit that enters it while observed",
    kind="action",
)
def registered(facts: Target | Step | Shelling, sheet: Sheet) -> None:
    if isinstance(facts, Step):
        if facts.others.registered:
            name = "registered-beyond" if facts.beyond else "registered"
            choices = tuple(Odds(outcome, 1, 1) for outcome in ("held", "fired"))
            sheet.roll(
                name, choices, "the enemy fires, as registered on the hex, or holds its fire"
            )
            sheet.exception("the enemy's observer is taken to see the hex with registered fire")
    elif isinstance(facts, Shelling):
        if facts.outcome == "fired":  # an overrun is settled for two hexes
            sheet.force("shelled", True)
    elif facts.fire == "registered" and not facts.shelled:
        sheet.bar("no fire registered on its hex has been used at it")


# -- results ---------------------------------------------------------------------------------------


def _suffer(facts: Shared, sheet: Sheet) -> None:
    """Apply to the one what the other of a pair suffered, but for DD."""
    if facts.result == "X":
        sheet.force("at", None)
        sheet.force("aboard", None)
    elif facts.result == "D" and not facts.worse:
        sheet.force("dispersed", "D")


@clause("P.one-b", "Results on a transport apply to its passenger, at once", kind="effect")
def shared_results(facts: Shared, sheet: Sheet) -> None:
    if facts.struck == "transport" and not facts.pair.rides and _as_one(facts.pair, sheet):
        _suffer(facts, sheet)
        _d_unloads(facts, sheet)


def _d_unloads(facts: Shared, sheet: Sheet) -> None:
    if facts.result == "D" and sheet.reading("B8") == "unloads":
        _throw_off(facts, sheet)


def _rider_spared(facts: Shared, sheet: Sheet) -> None:
    """Have a rider's results hit its carrier, and not the reverse."""
    if facts.struck == "passenger" and facts.pair.rides:
        _suffer(facts, sheet)


@clause(
    "P.ride-b", "Results on such a transport hit its rider; those on the rider never the transport",
    kind="effect", denied=_rider_spared,
)  # fmt: skip
def rider_results(facts: Shared, sheet: Sheet) -> None:
    if facts.struck == "transport" and facts.pair.rides and _as_one(facts.pair, sheet):
        _suffer(facts, sheet)
        _d_unloads(facts, sheet)


def _throw_off(facts: Shared, sheet: Sheet) -> None:
    sheet.force("aboard", None)
    sheet.force("thrown", facts.transport)
    sheet.force("handled", "now")


@clause(
    "P.dd-a", "DD on a transport of any class applies to its passenger and unloads it, at no cost",
    kind="effect",
)  # fmt: skip
def dd_unloads(facts: Shared, sheet: Sheet) -> None:
    if facts.struck == "transport" and facts.result == "DD" and _as_one(facts.pair, sheet):
        sheet.force("dispersed", "DD")
        _throw_off(facts, sheet)


@clause("PB.dd", "DD destroys what is dispersed already", kind="effect")
def destroys(facts: Target | Shared, sheet: Sheet) -> None:
    if facts.result != "DD" or sheet.reading("PB.dd-again") == "stays":
        return
    if isinstance(facts, Target):
        if facts.dispersed:
            sheet.force("at", None)
            sheet.force("aboard", None)
    elif facts.struck == "transport":
        shared = _as_one(facts.pair, sheet)
        if shared and facts.dispersed:
            sheet.force("at", None)
        if facts.fatal or (shared and facts.dispersed):
            sheet.force("aboard", None)


@clause(
    "P.ride-d", "DD on such a transport forces its rider off, and so does DD on the rider alone",
    kind="effect",
)  # fmt: skip
def forced_off(facts: Shared, sheet: Sheet) -> None:
    if facts.result != "DD" or not facts.pair.rides or not _as_one(facts.pair, sheet):
        return
    if facts.struck == "transport" or (
        facts.struck == "self" and sheet.reading("B10") == "unloads"
    ):
        _throw_off(facts, sheet)


@clause(
    "P.dd-b",
    "Where a DD so breaks stacking the owner removes transport or passenger, nothing else",
    kind="effect",
)
def owner_removes(facts: Owing | Removal, sheet: Sheet) -> None:
    if isinstance(facts, Owing):
        sheet.bar("its owner must first remove the transport or its passenger")
    elif not facts.thrown:
        sheet.bar("no DD has just parted it from a transport or passenger")
    elif not facts.crowded and sheet.reading("B9") == "no":
        sheet.bar("stacking is kept")
