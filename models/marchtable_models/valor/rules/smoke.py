"""Smoke grenades and smoke rounds (11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, resets
from marchtable.state.action import Action
from marchtable.state.position import Counter, LocationName, UnitId
from marchtable.state.records import replace
from marchtable_models.valor.model import ValorPosition, ValorUnit
from marchtable_models.valor.rules.fire import aim, firing, shot
from marchtable_models.valor.views.units import kind_of, weapon_of
from marchtable_models.valor.views.weapons import Salvo, arms


class Smoke(Action, frozen=True, tag="smoke"):
    """
    A unit puts smoke in a hex: infantry before it moves, a Gun or mortar as a round in its Fire Phase.

    The players count each side's smoke.
    """

    unlisted: ClassVar[str] = "the players count each side's smoke"

    unit: UnitId
    to: LocationName


class Smoking(Facts, frozen=True):
    """A unit about to put smoke in a hex."""

    # its kind, and whether it fires a round, as in every phase other than movement
    kind: str
    round: bool
    # the phase, and whether it is pinned
    own_turn: bool
    phase: str
    pinned: bool
    # it has moved, or laid smoke, in this phase
    moved: bool
    smoked: bool
    armed: bool  # it has a Gun or mortar
    # hexes to the hex, and whether it has smoke
    distance: int
    taken: bool


SMOKES = ("smoke1", "smoke2")


@cases(Smoke)
def smoke_facts(position: ValorPosition, action: Smoke) -> Iterator[Case]:
    """Yield the facts of laying the smoke, and of firing a round."""
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    rounds = [name for name in arms(position, unit) if _smokes(position, unit, name)]
    facts = Smoking(
        kind=kind_of(position, unit),
        round=position.phase != "Movement",
        own_turn=unit.side == position.side,
        phase=position.phase,
        pinned=unit.pinned,
        moved=unit.moved,
        smoked=unit.smoked,
        armed=bool(rounds),
        distance=position.board.distance(unit.at or to, to),
        taken=any(kind in SMOKES for kind in position.markers.get(to, ())),
    )
    yield about(unit, facts, to)
    if facts.round and rounds and unit.at is not None:
        yield about(unit, firing(position, Salvo(unit, (rounds[0],)), to), to)
        yield about(unit, shot(position, unit, rounds[0], to), to)
        yield about(unit, replace(aim(position, unit.side, unit.at, to), open_to_fire=1), to)


def _smokes(position: ValorPosition, unit: ValorUnit, name: str) -> bool:
    if name in unit.sw:
        return weapon_of(position, name).kind == "mortar"
    return name == "gun"


@clause("V11.1", kind="capacity")
def one_smoke(facts: Smoking, sheet: Sheet) -> None:
    """A hex holds one smoke marker."""
    if facts.taken:
        sheet.bar("there is smoke in the hex")


@clause("V11.2", kind="action")
def infantry_smoke(facts: Smoking, sheet: Sheet) -> None:
    """Infantry puts smoke in its own or an adjacent hex, in its Movement Phase before it moves."""
    if facts.round:
        return
    if facts.kind != "infantry":
        sheet.bar("only infantry can lay smoke by hand")
    if not facts.own_turn:
        sheet.bar("it is the other side's turn")
    if facts.moved:
        sheet.bar("it has moved")
    if facts.smoked:
        sheet.bar("it has laid smoke in this phase")
    if facts.distance > 1:
        sheet.bar("the hex is not next to its own", 1, facts.distance)


@clause("V11.3", kind="action")
def smoke_rounds(facts: Smoking, sheet: Sheet) -> None:
    """A Gun, an AFV's Gun or a mortar fires a smoke round in its own Fire Phase, instead of an attack."""
    if not facts.round:
        return
    if not facts.own_turn or facts.phase != "Fire":
        sheet.bar("it is not its side's Fire Phase", "Fire", facts.phase)
    if not facts.armed:
        sheet.bar("it has no Gun or mortar")


@effect(Smoke)
def after_smoke(position: ValorPosition, action: Smoke) -> ValorPosition | None:
    """Return the position with the smoke in the hex, None if the unit is off the map."""
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    if unit.at is None:
        return None
    by_round = position.phase != "Movement"
    laid = Counter(kind=SMOKES[by_round], at=to)
    unit = replace(unit, fired=True, fired_at=to) if by_round else replace(unit, smoked=True)
    return replace(position.with_units([unit]), counters=(*position.counters, laid))


anew = resets(smoked=False)
