"""The hex and attack that a question about casualties means, and the units there."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.errors import BadInputError, UnknownNameError
from marchtable_models.valor import signs
from marchtable_models.valor.allocation.members import stack_of
from marchtable_models.valor.model import Attack, ValorPosition
from marchtable_models.valor.rules.losses import inflicted
from marchtable_models.valor.views.attack import attack_on, with_attack
from marchtable_models.valor.views.units import type_of

if TYPE_CHECKING:
    from marchtable.rules.casualties import CasualtiesQuestion
    from marchtable_models.valor.allocation.stack import Member, Stack
    from marchtable_models.valor.allocation.values import Values
    from marchtable_models.valor.model import UnitType

__all__ = ["Scene", "plain", "scene_of"]

ATTACKER = "attacker"


class Scene(NamedTuple):
    """
    The subject of a question.

    Parameters
    ----------
    attack
        The attack before its points are inflicted.
    position
        The position with that attack open and its points owed (none if nothing can suffer).
    stack
        Its units, for the advice on allocations.
    values
        What the units are worth to their owner.
    has_origin
        Whether the origin of the attack is known.
    """

    attack: Attack
    points: int
    position: ValorPosition
    stack: Stack
    values: Values
    has_origin: bool

    def worth(self, member: Member, *, is_half: bool = False) -> int | float:
        """Return the worth of a unit, or its half squad, alive."""
        given = self.values.worth_half if is_half else self.values.worth
        if member.id in given:
            return plain(Fraction(str(given[member.id])))
        return plain(member.worth_half if is_half else member.worth)

    def cards(self, position: ValorPosition) -> list[dict[str, Any]]:
        """Return the state of the units under fire in a position derived from this one."""
        units = (unit.id for unit in self.position.units if unit.id in self.stack.by_id)
        return [_card(position, self, unit) for unit in units]


def scene_of(position: ValorPosition, question: CasualtiesQuestion, values: Values) -> Scene:
    """
    Return the subject of a question.

    Raises
    ------
    BadInputError
        If hex or points are not stated, or units of several sides are there.
    """
    open_ = attack_on(position)
    at = _hex(position, question.at, open_)
    if open_ is not None and open_.target != at:
        open_ = None
    points = question.points if question.points is not None else open_.owed if open_ else None
    if points is None:
        raise BadInputError(
            f"nothing is owed in {at}: expected a number of Casualty Points", field="points"
        )
    origin = question.origin and position.board.resolve(question.origin)
    given = origin or (open_.origin if open_ else None)
    attack = Attack(
        side=open_.side if open_ else _attacker(position, at),
        origin=given or at,  # from the hex itself: no shield faces it
        target=at,
        opportunity=question.opportunity or bool(open_ and open_.opportunity),
        only=open_.only if open_ else (),
    )
    before = with_attack(position, attack)
    stack = stack_of(before, at, values)
    after = inflicted(before, points)
    return Scene(attack, points, after, stack, _completed(values, stack), bool(given))


def _completed(values: Values, stack: Stack) -> Values:
    """Return the values, with half squads worth no more than squads whose worth is stated."""
    for name in ("worth", "worth_half"):
        for unit in getattr(values, name):
            if unit not in stack.by_id:
                known = ", ".join(stack.by_id)
                message = f"no unit {unit!r} under fire (units: {known})"
                raise UnknownNameError(message, field=f"weights.{name}")
    halves = dict(values.worth_half)
    for unit, worth in values.worth.items():
        member = stack.by_id[unit]
        if unit not in halves:
            halves[unit] = str(min(Fraction(str(worth)), Fraction(str(member.worth_half))))
    for unit, half in halves.items():
        if Fraction(str(half)) > Fraction(str(values.worth.get(unit, stack.by_id[unit].worth))):
            message = f"expected at most what the whole unit is worth, got {half}"
            raise BadInputError(message, field=f"weights.worth_half.{unit}")
    return msgspec.structs.replace(values, worth_half=halves)


def _hex(position: ValorPosition, asked: str | None, open_: Attack | None) -> str:
    if asked is not None:
        at = position.board.resolve(asked)
        if not position.occupants.get(at):
            raise BadInputError(f"no units in {at}", field="at")
        return at
    if open_ is not None:
        return open_.target
    held = sorted(position.occupants)
    if len(held) != 1:
        named = ", ".join(held) or "none"
        raise BadInputError(f"expected the hex under fire (hexes with units: {named})", field="at")
    return held[0]


def _attacker(position: ValorPosition, at: str) -> str:
    """Return the firing side: an enemy of the units there."""
    own = {unit.side for unit in position.occupants[at]}
    if len(own) > 1:
        raise BadInputError(f"units of several sides in {at}: {', '.join(sorted(own))}", field="at")
    sides = [position.side, *(unit.side for unit in position.units), ATTACKER, ATTACKER + "s"]
    return next(side for side in sides if side not in own)


# -- counters ------------------------------------------------------------------------------------


def _card(position: ValorPosition, scene: Scene, name: str) -> dict[str, Any]:
    unit, member = position.unit(name), scene.stack.by_id[name]
    kind = type_of(position, unit)
    alive = unit.at is not None
    is_half = unit.type != scene.position.unit(name).type
    found = {
        "unit": name,
        "side": unit.side,
        "type": unit.type,
        "kind": kind.class_,
        "figures": _figures(kind),
        "worth": scene.worth(member, is_half=is_half) if alive else 0,
        "pinned": alive and unit.pinned,
        "alive": alive,
        "liable": name in scene.stack.liable,
        "sign": signs.sign(kind),
        "men": signs.MEN.get(kind.class_, 0),
    }
    return found if unit.aboard is None else {**found, "aboard": unit.aboard}


def plain(value: Fraction | float) -> int | float:
    """Return a number for JSON, as an integer if whole."""
    whole = int(value)
    return whole if whole == value else float(value)


def _figures(kind: UnitType) -> str:
    """Return the printed figures of a counter, as players write them."""
    if kind.is_infantry:
        return f"{kind.apfp}-{kind.range}-{kind.cr}"
    rating = "AFV" if kind.cr is None else f"CR {kind.cr}"
    return f"{max(kind.gun, kind.mg360, kind.mgff)} / {rating}" if _armed(kind) else rating


def _armed(kind: UnitType) -> bool:
    return bool(kind.gun or kind.mg360 or kind.mgff)
