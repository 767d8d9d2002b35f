"""Concealment and movement: units sent back, and units seen (A12.15, A12.2)."""

from __future__ import annotations

from marchtable.rules.facts import Case, Edition, Sheet, about
from marchtable.rules.subjects import clause, not_modelled, settles
from marchtable.rules.view import fact
from marchtable.state.position import Obligation, Odds
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.model import AslPosition
from marchtable_models.asl.occasions import SHOWING
from marchtable_models.asl.views.chart import is_out_of_season, row_named
from marchtable_models.asl.views.entry import Detour, Entry
from marchtable_models.asl.views.foot_facts import LOSES, SHOWS, Detection

ASKED = "the DEFENDER shows a real unit, or all there lose their '?'"


@settles("detect")
def detection_facts(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of units run into by a unit, and of Columns stated to see those revealed."""
    mover = position.unit(obligation.unit)
    at = (
        mover.move.previous if mover.move.mph == "done" else mover.at
    )  # a unit that meets Dummies stays there
    hidden = [
        unit
        for unit in position.occupants.get(at or "", ())
        if unit.side != mover.side and unit.concealment.concealed and not level_of(position, unit)
    ]
    verb, _, name = outcome.partition(":")
    seen = [u.id for u in hidden if verb == SHOWS and name in ("", u.id)]
    found = [
        about(unit, Detection(outcome, unit.id in seen, dummy=unit.concealment.dummy))
        for unit in hidden
    ]
    known = seen if verb == SHOWS else [unit.id for unit in hidden]
    return [*found, *edition.subjects.ask(SHOWING, [], position, known)]


def choice(hidden: tuple[str, ...], *, sham: bool = False) -> tuple[Odds, ...]:
    """Return the DEFENDER's choices, which are no roll: each can be certain; Dummies give one."""
    if sham:
        return (Odds(LOSES, 1, 1),)
    shown = [SHOWS] if len(hidden) == 1 else [f"{SHOWS}:{name}" for name in hidden]
    return tuple(Odds(outcome, 1, 1) for outcome in (*shown, LOSES))


def goes_back(detour: Detour, sheet: Sheet) -> None:
    """Return a unit to where it came from (in Bypass if it was), unconcealed, and end its MPh."""
    if detour.before is None and not detour.entering:
        sheet.unsupported("where it came from before its Bypass is not known")
    for field, value in (
        ("at", detour.before), ("previous", detour.entered), ("mph", "done"),
        ("bypass", detour.bypass),
    ):  # fmt: skip
        sheet.force(field, value)
    if detour.concealed:
        sheet.force("concealed", value=False)
    if detour.entering:
        sheet.force("entering", detour.entering)
    if detour.wired:
        sheet.force("inside", "beneath")


class Meeting(Entry):
    """An entry among concealed enemies, or by a concealed unit."""

    is_relevant = property(
        lambda self: bool(
            self.detour
            or self.asks
            or self.manner.concealed
            or self.manner.dummy
            or (self.mover.mp and self.there.concealed)
        )
    )

    @fact
    def is_infantry_by_night(self) -> bool:
        """Whether E1.31 replaces A12.2."""
        return self.manner.night and self.mover.column == "inf"

    @fact
    def in_the_open(self) -> bool:
        """Whether the hex entered is Open Ground, judging by the hex alone."""
        if self.there.smoke or self.there.vehicles:
            return False
        rows = [row_named(name) for name in (self.row, self.beside) if name]
        return self.way == "road" or all(
            row.bare or is_out_of_season(row, self.month) for row in rows
        )


@clause("A12.15a", kind="effect", composes="end", after=("B27.13b",))
def thrown_back(facts: Meeting, sheet: Sheet) -> None:
    """Infantry that moves into a concealed enemy's Location returns, and its MPh ends."""
    if not facts.detour or facts.there.known or facts.column:
        return  # E11.522 covers a Column
    if not facts.detour.sham:  # else A12.15d applies
        goes_back(facts.detour, sheet)
    if facts.asks:
        sheet.roll("detect", choice(facts.asks, sham=facts.detour.sham), ASKED)


@clause("A12.15e", kind="state")
def drives_on(facts: Meeting, sheet: Sheet) -> None:
    """A vehicle that enters a concealed enemy's Location is not sent back, as Infantry is."""
    if facts.mover.mp and facts.there.concealed and not facts.overrun:
        sheet.exception("concealed enemies are there; they send back Infantry, but not vehicles")


@clause("E11.522b", kind="effect", composes="joint")
def sent_back(facts: Meeting, sheet: Sheet) -> None:
    """In a Column, only the unit that ran into a concealed enemy returns to where it came from."""
    if facts.column and facts.detour and not (facts.there.known or facts.detour.sham):
        goes_back(facts.detour, sheet)


@clause("E11.522a", kind="effect", composes="joint")
def detected(facts: Meeting, sheet: Sheet) -> None:
    """A DEFENDER that a Column runs into is revealed once the Impulse is complete."""
    if facts.column and facts.asks and not facts.there.known:
        sheet.roll("detect", choice(facts.asks, sham=facts.there.sham), ASKED)


@clause("A12.15b", kind="effect")
def found_out(facts: Detection, sheet: Sheet) -> None:
    """A DEFENDER who reveals no unit loses all concealment in that Location."""
    if facts.outcome == LOSES:
        sheet.force("concealed", value=False)


@clause("A12.15d", kind="effect")
def unmasked(facts: Detection, sheet: Sheet) -> None:
    """Dummies that lose their '?' are removed; a unit that met nothing else goes on from there."""
    if facts.dummy and not facts.outcome.startswith(SHOWS):
        sheet.force("dummy", value=False)
        sheet.force("at", None)
        sheet.force("mph", "done")


@clause("A12.15c", kind="effect")
def shown(facts: Detection, sheet: Sheet) -> None:
    """A unit that the DEFENDER reveals loses its concealment."""
    if facts.shown and sheet.reading("A12.15c") == "revealed":
        sheet.force("concealed", value=False)


@clause("A12.2", kind="state")
def concealment_lost(facts: Meeting, sheet: Sheet) -> None:
    """A concealed unit that moves in an enemy's LOS is revealed; Infantry using Assault Movement or Advance, only in Open Ground."""
    manner = facts.manner
    if not manner.concealed or manner.seen == "no" or facts.is_infantry_by_night:
        return
    if manner.seen == "unstated" and sheet.reading("A12.2") != "seen":
        return
    stealthy = facts.mover.column == "inf" and (manner.assault or manner.advancing)
    if stealthy and not facts.in_the_open:
        return
    _shown_there(facts, sheet)


@clause("E1.31", kind="state")
def lost_by_night(facts: Meeting, sheet: Sheet) -> None:
    """At night Infantry loses concealment only by moving into an enemy's Location or, except by Assault Movement or Advance, in LOS in an Illuminated one."""
    manner = facts.manner
    if not (manner.concealed and facts.is_infantry_by_night) or manner.advancing:
        return
    if facts.there.known or facts.there.harmless:
        sheet.force("concealed", value=False)
        return
    if manner.light == "dark" or manner.assault or manner.seen == "no":
        return
    if manner.seen == "unstated" and sheet.reading("A12.2") != "seen":
        return
    if manner.light == "dim":
        sheet.unsupported("whether the Location is Illuminated")
    else:
        _shown_there(facts, sheet)


def _shown_there(facts: Entry, sheet: Sheet) -> None:
    """Remove the concealment of a moving unit that an enemy sees or might see."""
    if facts.manner.seen == "unsure":
        sheet.unsupported("whether an enemy in Good Order sees it there; state it with `sight`")
    else:
        sheet.force("concealed", value=False)


@clause("A12.11b", kind="effect")
def sham_is_gone(facts: Meeting, sheet: Sheet) -> None:
    """A Dummy stack that is seen or sent back is removed."""
    if facts.manner.dummy and sheet.forces("concealed"):
        sheet.force("dummy", value=False)
        sheet.force("at", None)
        sheet.force("mph", "done")


@not_modelled("A12.11c")
def sham_meets_real(facts: Meeting) -> bool:
    """A Dummy stack that runs into concealed enemies, who can require it to reveal a unit first."""
    return facts.manner.dummy and facts.detour is not None
