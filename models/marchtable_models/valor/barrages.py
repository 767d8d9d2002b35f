"""Which facts bear on artillery and fighter-bombers, and what they do to a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable.rules.rulebook import Case
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.valor import effects
from marchtable_models.valor.clauses.combat import APFP, DICE
from marchtable_models.valor.data import ground_of
from marchtable_models.valor.extraction import lines, reading
from marchtable_models.valor.extraction.ground import terrain_of
from marchtable_models.valor.facts.attacks import Volley
from marchtable_models.valor.facts.barrages import Mission
from marchtable_models.valor.model import Attack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.board.board import Board
    from marchtable.rules.rulebook import Bill
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import ValorUnit
    from marchtable_models.valor.orders import Barrage

__all__ = ["after_barrage", "cases_of"]


def cases_of(position: ValorPosition, action: Barrage) -> list[Case]:
    """Return the facts that bear on a mission, and what it adds up to where it came down."""
    target, landed = _hexes(position, action)
    spotters = [u.id for u in position.units if _sees(position, u, target)]
    there = _exposed(position, landed)
    who = spotters[:1] or [u.id for u in position.units if u.side == position.side][:1]
    if not who:
        raise BadInputError(f"no unit of {position.side} is here", field="kind")
    facts = Mission(
        action.kind, position.phase, len(spotters), position.board.distance(target, landed),
        _is_straight(position.board, target, landed),
        any(kind in ("smoke1", "smoke2") for kind in position.markers.get(landed, ())),
    )  # fmt: skip
    found = [Case(tuple(who), facts, (target, landed))]
    if there and action.kind != "smoke":
        volley = _volley(position, action.kind, landed, there)
        found.append(Case((there[0].id,), volley, (landed,)))
    return found


def _hexes(position: ValorPosition, action: Barrage) -> tuple[str, str]:
    target = position.board.resolve(action.target)
    return target, position.board.resolve(action.landed) if action.landed else target


def _sees(position: ValorPosition, unit: ValorUnit, target: str) -> bool:
    if unit.at is None or unit.side != position.side or unit.pinned:
        return False
    found = reading.sight(position, unit.at, target)
    return not (found and found.blocked)


def _is_straight(board: Board, a: str, b: str) -> bool:
    here, there = board[a], board[b]
    across, down = abs(here.u - there.u), abs(here.v - there.v)
    return across in (0, down)


def _exposed(position: ValorPosition, at: str) -> list[ValorUnit]:
    """Return the units of either side in a hex that AP fire affects."""
    found = []
    for unit in position.occupants.get(at, ()):
        carrier = reading.carrier_of(position, unit)
        kinds = {reading.kind_of(position, one) for one in (unit, carrier) if one is not None}
        if "afv" not in kinds and not reading.is_towed(position, unit):
            found.append(unit)
    return found


def _volley(position: ValorPosition, kind: str, at: str, there: Sequence[ValorUnit]) -> Volley:
    terrain = ground_of(terrain_of(position.board[at]))
    kinds = [reading.kind_of(position, unit) for unit in there]
    bursts = kind != "air" and bool(terrain and terrain.id == "woods") and "infantry" in kinds
    return Volley(
        0, 0, 0, cover=lines.cover(position, at), mortar_in_woods=bursts,
        guns=sum(one in ("gun", "vehicle") for one in kinds), mission=kind,
    )  # fmt: skip


def after_barrage(position: ValorPosition, action: Barrage, bills: Sequence[Bill]) -> ValorPosition:
    """Return the position with the smoke laid, or the attack on who is there declared."""
    _, landed = _hexes(position, action)
    if action.kind == "smoke":
        laid = Counter(kind="smoke2", at=landed)
        return replace(position, counters=(*position.counters, laid))
    there = _exposed(position, landed)
    if not there:
        return position
    parts = effects.fire_parts(bills)
    against = next((u.side for u in position.units if u.side != there[0].side), "")
    attack = Attack(
        side=against, origin=landed, target=landed, apfp=parts[APFP], modifier=parts[DICE],
        doubled=any(isinstance(b.case.facts, Volley) and b.case.facts.mortar_in_woods for b in bills),
    )  # fmt: skip
    return effects.with_attack(position, attack)
