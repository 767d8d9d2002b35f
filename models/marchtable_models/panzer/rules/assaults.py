"""Close assaults: which units make one, after how much movement. The result is an event, like fire."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, resets
from marchtable.state.action import Action, Adjacent, Companions
from marchtable.state.records import replace
from marchtable_models.panzer.data import count
from marchtable_models.panzer.model import PanzerPosition
from marchtable_models.panzer.views.travel import actors
from marchtable_models.panzer.views.units import type_of

ASSAULTS = ("infantry", "engineers", "cavalry")


class Assault(Action, frozen=True, tag="assault"):
    """
    Infantry, engineers and cavalry close-assault an adjacent hex with enemies.

    Record its result with ``hit`` for each unit there, with ``fire=assault``.
    """

    units: Companions
    to: Adjacent


class Assaulting(Facts, frozen=True):
    """A unit about to close-assault a hex."""

    in_turn: bool  # in its side's Assault phase
    kind: str  # its kind
    # the hex is adjacent, and the number of enemies in it
    adjacent: bool
    targets: int
    # it has attacked in this turn, is carried, was loaded or unloaded in this turn
    fired: bool
    aboard: bool
    handled: bool
    far: bool  # it has entered a second hex in this turn
    twice: bool  # it is named more than once


@cases(Assault)
def assault_facts(position: PanzerPosition, action: Assault) -> Iterator[Case]:
    """Yield the facts of each unit that assaults."""
    to = position.board.resolve(action.to)
    for unit in actors(position, action):
        enemies = [u for u in position.occupants.get(to, ()) if u.side != unit.side]
        facts = Assaulting(
            in_turn=position.phase == "Assault" and unit.side == position.side,
            kind=type_of(position, unit).kind,
            adjacent=unit.at is not None and position.board.hexside(unit.at, to) is not None,
            targets=len(enemies),
            fired=unit.fired != "",
            aboard=unit.aboard is not None,
            handled=unit.handled != "",
            far=unit.onward,
            twice=action.units.count(unit.id) > 1,
        )
        yield about(unit, facts, to)


@clause("PB.assault-a", kind="action")
def who(facts: Assaulting, sheet: Sheet) -> None:
    """In their side's Assault phase infantry, engineers and cavalry that have not attacked in this turn close-assault adjacent enemies."""
    if not facts.in_turn:
        sheet.bar("it is not its side's Assault phase")
    if facts.kind not in ASSAULTS:
        sheet.bar("only infantry, engineers and cavalry close-assault")
    if not facts.adjacent:
        sheet.bar("the hexes are not adjacent")
    if not facts.targets:
        sheet.bar("no enemies are there", 1, 0)
    if facts.fired:
        sheet.bar("it has attacked this turn")
    if facts.twice:
        sheet.bar("a unit is named twice")
    sheet.force("fired", "now")
    sheet.force("exposed", True)


@clause("PB.assault-b", kind="action")
def near(facts: Assaulting, sheet: Sheet) -> None:
    """A unit that has moved more than one hex cannot close-assault."""
    if facts.far:
        most = count("PB.assault-b", "hexes")
        sheet.bar("it has moved too far", most + 1, most)


@clause("PB.assault-c", kind="action")
def rested(facts: Assaulting, sheet: Sheet) -> None:
    """A unit that is carried, or was loaded or unloaded in that turn, cannot close-assault."""
    if facts.aboard:
        sheet.bar("it is carried")
    elif facts.handled:
        sheet.bar("it was loaded or unloaded this turn")


@effect(Assault)
def after_assault(position: PanzerPosition, action: Assault) -> PanzerPosition:
    """Return the position with the enemies in the hex marked as assaulted."""
    to, side = position.board.resolve(action.to), position.unit(action.units[0]).side
    enemies = [u for u in position.occupants.get(to, ()) if u.side != side]
    return position.with_units([replace(u, stormed=True) for u in enemies])


forgotten = resets("new_turn", stormed=False)
