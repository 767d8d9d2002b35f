"""Gaps in a Convoy, and leaving it (E11.21, E11.25 to E11.255)."""

from __future__ import annotations

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable.state.position import Odds
from marchtable_models.asl.facts.lines import Blow, Leaving, Lineup, Link, Parted, TaskResult, apart
from marchtable_models.asl.facts.units import Standing


def odds_of_nerve(morale: int, drm: int, passed: str, failed: str) -> tuple[Odds, ...]:
    """Return the odds of a task check on two dice: it is passed by no more than the morale, if that is known."""
    if not morale:  # its result is stated all the same
        return (Odds(passed, 1, 1), Odds(failed, 1, 1))
    morale -= drm
    fails, of = two_dice_at_least(morale + 1)
    return (Odds(passed, of - fails, of), Odds(failed, fails, of))


REASONS = ("E11.251b", "E11.251c", "E11.251d", "E11.251e")


@clause("E11.21a", kind="effect", composes="joint")
def gap(facts: Parted, sheet: Sheet) -> None:
    """A Gap makes two Convoys of one, each moving by itself."""
    sheet.force("origin", facts.origin)
    if facts.mate:
        return  # see E11.252a
    sheet.force("convoy", facts.name)
    if not facts.lost and not facts.willing:
        sheet.force("behind", facts.ahead)


@clause("E11.254c", kind="action", composes="joint")
def in_order_at_will(facts: Parted, sheet: Sheet) -> None:
    """After a Gap made at will, too, the Convoy ahead ends its MPh first."""
    if facts.willing and not facts.lost:
        sheet.force("behind", facts.ahead)


@clause("E11.252a", kind="action", composes="joint")
def as_one_platoon(facts: Parted, sheet: Sheet) -> None:
    """AFV without radios that form a platoon leave a Convoy together, and move on as a platoon."""
    if facts.mate:
        sheet.force("convoy", "")
        sheet.force("left", "declared")


@clause("E11.255c", kind="effect")
def not_at_the_convoy(facts: Blow, sheet: Sheet) -> None:
    """What is spent to leave allows no fire at the Convoy that was left."""
    if facts.leaver:
        sheet.bar("the MP now spent are those of a vehicle that has left the Convoy")


def _bar_gap(facts: Link, sheet: Sheet) -> None:
    if facts.kind == "convoy" and facts.gapes and not facts.stopped:
        sheet.bar("the move would leave a Gap in the Convoy", apart(), facts.distance)


@clause("E11.254a", kind="action", composes="joint", denied=_bar_gap)
def gap_at_will(facts: Link, sheet: Sheet) -> None:
    """A vehicle with a reason may leave within an Impulse, by a move that makes a Gap."""
    if facts.kind == "convoy" and facts.gapes and not facts.stopped:
        sheet.exception("a Gap made at will parts the Convoy")


def _bar_stop(facts: Link, sheet: Sheet) -> None:
    if facts.kind == "convoy" and facts.gapes and facts.stopped:
        sheet.bar("the stop would leave a Gap in the Convoy", apart(), facts.distance)


@clause("E11.254b", kind="action", composes="joint", denied=_bar_stop)
def stop_at_will(facts: Link, sheet: Sheet) -> None:
    """It may also leave by stopping while the others go on."""
    if facts.kind == "convoy" and facts.gapes and facts.stopped:
        sheet.exception("a stop made at will parts the Convoy")


@clause("E11.254d", kind="action", composes="joint")
def not_by_waiting(facts: Leaving, sheet: Sheet) -> None:
    """A vehicle that merely waits, turns or starts while those ahead go on does not leave so."""
    if facts.idle and _has_reason(facts, sheet) and sheet.reading("E11.254d") == "move-or-stop":
        sheet.bar("a Gap is made at will by entering a hex or by a Stop, nothing else")


@clause("E11.255b", kind="state", composes="joint")
def lone(facts: Parted, sheet: Sheet) -> None:
    """A lone vehicle that a Gap cuts off is in no Convoy."""
    if facts.alone and not facts.lost:
        sheet.force("convoy", "")


@clause("E11.21e", kind="action", composes="joint")
def gap_before_any_impulse(facts: Parted, sheet: Sheet) -> None:
    """A Gap before any Impulse of the MPh is complete sets no order between the parts."""
    if facts.ahead and not facts.begun and sheet.reading("E11.21e") == "no-order":
        sheet.force("behind", "")


@clause("E11.21b", kind="action", composes="joint")
def front_first(facts: Standing, sheet: Sheet) -> None:
    """The Convoy ahead of a Gap ends its MPh before the one behind goes on."""
    if facts.behind_front and facts.verb != "end":
        sheet.bar("the Convoy ahead of the Gap has not ended its MPh")


@clause("E11.21c", kind="action", composes="joint")
def parted_first(facts: Standing, sheet: Sheet) -> None:
    """No other unit of the side moves until every element of a Convoy that has begun is done."""
    if facts.behind_convoy and facts.verb != "end":
        sheet.bar("elements of a Convoy that has begun its MPh have not ended theirs")


@clause("E11.251b", kind="action")
def sees_attacked(facts: Leaving, sheet: Sheet) -> None:
    """... sees a vehicle of its Convoy attacked as the last Impulse ended."""
    if facts.sees_attacked:
        sheet.exception("it sees a vehicle of its Convoy that was attacked")


@clause("E11.251e", kind="action")
def sees_lost(facts: Leaving, sheet: Sheet) -> None:
    """... sees a vehicle of its Convoy eliminated or immobilized this MPh."""
    if facts.sees_lost:
        sheet.exception("it sees a vehicle of its Convoy that was eliminated or immobilized")


@clause("E11.251c", kind="action")
def by_radio(facts: Leaving, sheet: Sheet) -> None:
    """... is a radio AFV, and another radio AFV has such a LOS."""
    if facts.radio_sees:
        sheet.exception("another AFV with a radio has such a LOS")


@clause("E11.251d", kind="action")
def recalled(facts: Leaving, sheet: Sheet) -> None:
    """... is Recalled."""
    if facts.recalled:
        sheet.exception("it is Recalled")


def _has_reason(facts: Leaving, sheet: Sheet) -> bool:
    return facts.sees_enemy or sheet.excepted(*REASONS, "E11.5e")


@clause("E11.251a", kind="action", composes="joint")
def reason(facts: Leaving, sheet: Sheet) -> None:
    """A vehicle leaves its Convoy only for a reason: it sees a Known enemy ground unit, or ...."""
    if facts.sees_enemy:
        sheet.exception("it sees a Known enemy ground unit")
    elif facts.convoy and not _has_reason(facts, sheet):
        if facts.unstated:
            sheet.unsupported(
                "the scene does not state which enemies or vehicles of its Convoy it sees; state them with `sight`"
            )
            return
        sheet.bar("no reason to leave: no Known enemy, attack or loss that it is stated to see")


@clause("E11.25a", kind="action")
def leave_only_convoy(facts: Leaving, sheet: Sheet) -> None:
    """Only a vehicle of a Convoy leaves one, before an Impulse begins."""
    if facts.declared and facts.convoy:
        sheet.force("left", "declared")
    if not (facts.convoy or facts.column or sheet.excepted("D14.24")):
        sheet.bar("the unit is in no Convoy, nor with a radio in a platoon whose MPh is to begin")


@clause("E11.25b", kind="action", composes="joint")
def leavers_first(facts: Leaving | Lineup | Standing, sheet: Sheet) -> None:
    """Who leaves a Convoy ends his MPh before the next one leaves, or the Convoy's Impulse begins."""
    if isinstance(facts, Standing):
        if facts.behind_leaver and facts.verb != "end":
            sheet.bar("a vehicle that has left its Convoy moves at once: it has not ended its MPh")
    elif facts.leavers:
        sheet.bar("a vehicle that has left the Convoy has not ended its MPh")


@clause("E11.252b", kind="action")
def breaks_off(facts: Leaving | TaskResult, sheet: Sheet) -> None:
    """A radioless AFV that breaks off from its platoon as its MPh begins takes a NTC, else none."""
    if isinstance(facts, TaskResult):
        sheet.force("check", "failed" if facts.outcome == "fails" else "passed")  # see D14.23
        return
    breaks = facts.alone and facts.platoon
    if breaks:
        sheet.force("platoon", "")
    asked = facts.radioless and facts.convoy and facts.declared and not sheet.excepted("D14.22d")
    if not asked or facts.begun or facts.checked:
        return
    if not breaks:
        if sheet.reading("E11.252b") == "none-due":  # whatever D14.23 asks of others
            sheet.force("check", "passed")
        return
    if not facts.morale:
        sheet.unsupported(
            "its crew's morale is not known: state its result with the unit's `check`"
        )
        return
    odds = odds_of_nerve(facts.morale, facts.drm, "passes", "fails")
    sheet.roll("ntc", odds, f"a DR of {facts.morale} or less")


def _as_in_convoy(facts: Standing, sheet: Sheet) -> None:
    if facts.left and facts.verb not in ("set-out", "end"):
        sheet.bar("the vehicle moves as if it were in its Convoy")


@clause("E11.25c", kind="effect", denied=_as_in_convoy)
def moves_freely(facts: Standing, sheet: Sheet) -> None:
    """A vehicle that leaves moves, and is fired at, as any that was in no Convoy."""
    # nothing of E11.2 binds it


@clause("E11.252c", kind="action")
def stays_in_platoon(facts: Leaving, sheet: Sheet) -> None:
    """Once its MPh has begun a radioless AFV does not leave its platoon, Convoy or no Convoy."""
    parts = facts.mates_ahead  # by a Gap before it, those behind come along
    if facts.declared:
        parts = facts.alone or not facts.convoy  # see E11.252a
    if facts.radioless and facts.platoon and facts.begun and parts and not facts.recalled:
        sheet.bar("a radioless AFV in a platoon has begun its MPh")
