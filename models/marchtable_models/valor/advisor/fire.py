"""Fire planning: targets and weapons, the attacker's side of casualty choice.

Each attack that :meth:`Rulebook.rule` allows has an expected loss for its target, whose owner
chooses losses optimally at every roll. A *split* divides the fire of a hex among attacks, each unit
firing once; it is fixed before the first roll. Attacks on different hexes are independent: their
losses add up, and knowing one result would not change the others. With several attacks on one hex,
the owner allows for those still to come.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable.errors import BadInputError, InternalError
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.valor.advisor.battery import Battery, plus, spent
from marchtable_models.valor.advisor.fire_plans import Range
from marchtable_models.valor.advisor.forecast import Forecast
from marchtable_models.valor.allocation.stack import Choices
from marchtable_models.valor.allocation.values import Values
from marchtable_models.valor.rules.fire import Fire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable_models.valor.advisor.battery import Party, Used
    from marchtable_models.valor.advisor.fire_plans import HexAttacks, Power
    from marchtable_models.valor.model import ValorPosition

__all__ = ["FireAdvice", "FireOrder", "Strike", "best_fire"]

USUAL = Values()


class Strike(msgspec.Struct, frozen=True):
    """
    An attack, its forecast, and its expected loss if it is the only one on its target.

    Parameters
    ----------
    action
        The action to declare.
    forecast
        APFP, modifiers, row and points, with their clauses.
    loss
        Its average loss, in the owner's :class:`Values`.
    """

    action: Fire
    forecast: Forecast
    loss: Fraction


class FireOrder(msgspec.Struct, frozen=True):
    """Attacks in the order to declare them, and their total expected loss."""

    strikes: tuple[Strike, ...]
    loss: Fraction


class FireAdvice(msgspec.Struct, frozen=True):
    """
    How to fire from a hex.

    Parameters
    ----------
    at, side
        The firing side.
    strikes
        Every legal attack, equal units once, most harmful first.
    best, runner_up
        The best split and the runner-up, without splits in which a unit adds nothing. None if there
        is no other.
    cost
        How much less the runner-up takes.
    unsupported
        Unmodelled clauses that apply to attacks, which are left out.
    exceptions, readings
        Exceptions applied to an attack, by clause, and the register entries used.
    """

    at: str
    side: str
    strikes: tuple[Strike, ...]
    best: FireOrder
    runner_up: FireOrder | None
    cost: Fraction | None
    unsupported: tuple[str, ...]
    exceptions: tuple[tuple[str, str], ...]
    readings: tuple[tuple[str, str], ...]


def best_fire(
    position: ValorPosition, hex_: str, *, side: str | None = None, values: Values = USUAL
) -> FireAdvice:
    """
    Return the expected loss of each attack from a hex, and the best split of its fire.

    Parameters
    ----------
    hex_
        The hex of the firing units; meant for as many as the stacking limit allows.
    side
        Their side; by default that of the units there, preferring a side that can act now.
    values
        The values of the owner of the units under fire.

    Raises
    ------
    BadInputError
        If there is no such unit, or a valued unit does not exist.
    """
    rulebook = find_rulebook(position.rulebook)
    at = position.board.resolve(hex_)
    owner = side or _side(position, at)
    battery = Battery(rulebook, position, at, owner)
    if not battery.kinds:
        raise BadInputError(f"expected units of {owner or 'a side'} in {at}", field="fire_from")
    for name in (*values.worth, *values.worth_half):
        position.unit(name)
    choices = Choices.of(rulebook.edition(position).settings)
    ranges = {target: Range(battery, target, values, choices) for target in battery.targets}
    plans = {target: found.plans() for target, found in ranges.items()}
    single = [plan.parties for found in plans.values() for plan in found if len(plan.parties) == 1]
    strikes = [_split(battery, ranges, parties).strikes[0] for parties in single]
    sizes = tuple(map(len, battery.kinds))
    splits = [_split(battery, ranges, parties) for parties in _best_two(sizes, plans.values())]
    best, runner_up = (*splits, None)[:2]
    assert best is not None  # the split without fire always exists
    return FireAdvice(
        at, owner, tuple(sorted(strikes, key=_by_loss, reverse=True)), best, runner_up,
        None if runner_up is None else best.loss - runner_up.loss, tuple(battery.unsupported),
        tuple(battery.exceptions), tuple(sorted((battery.readings | dict(position.readings)).items())),
    )  # fmt: skip


def _by_loss(strike: Strike) -> Fraction:
    return strike.loss


def _side(position: ValorPosition, at: str) -> str:
    there = [unit.side for unit in position.occupants.get(at, ())]
    acting = find_rulebook(position.rulebook).sides(position)
    return next((side for side in (*acting, *there) if side in there), "")


# -- dividing the fire ---------------------------------------------------------------------------


class _Sum(NamedTuple):
    """Plans for some of the targets."""

    loss: Fraction
    used: Used
    plans: tuple[HexAttacks, ...]

    @property
    def rank(self) -> tuple[Fraction, int, int]:
        """More loss first, then fewer units and fewer attacks."""
        return -self.loss, sum(self.used), sum(len(plan.parties) for plan in self.plans)


def _best_two(sizes: Used, targets: Iterable[list[HexAttacks]]) -> list[tuple[Party, ...]]:
    """Return the attacks of the best split and of the runner-up."""
    none = (0,) * len(sizes)
    sums = {none: [_Sum(Fraction(0), none, ())]}
    for plans in targets:
        wider: dict[Used, list[_Sum]] = {used: list(found) for used, found in sums.items()}
        for plan, found in product(_lean(plans), [s for kept in sums.values() for s in kept]):
            used = plus(found.used, plan.used)
            if all(n <= size for n, size in zip(used, sizes, strict=True)):
                more = _Sum(found.loss + plan.loss, used, (*found.plans, plan))
                wider.setdefault(used, []).append(more)
        sums = {used: sorted(found, key=_by_rank)[:2] for used, found in wider.items()}
    every = sorted((s for found in sums.values() for s in found), key=_by_rank)
    return [tuple(party for plan in s.plans for party in plan.parties) for s in every[:2]]


def _by_rank(found: _Sum) -> tuple[Fraction, int, int]:
    return found.rank


def _lean(plans: list[HexAttacks]) -> list[HexAttacks]:
    """Return the plans for a target in which every unit matters."""
    return [
        plan
        for plan in plans
        if plan.loss > 0
        and not any(
            other.loss >= plan.loss
            and other.used != plan.used
            and all(n <= most for n, most in zip(other.used, plan.used, strict=True))
            for other in plans
        )
    ]


def _split(battery: Battery, ranges: dict[str, Range], parties: tuple[Party, ...]) -> FireOrder:
    """Return the attacks in full, each judged after those before it."""
    position, used = battery.position, battery.none
    strikes: list[Strike] = []
    together: dict[str, tuple[tuple[Party, ...], tuple[Power, ...]]] = {}
    for party in parties:
        ruled = battery.ruled(position, party, used)
        if ruled is None:
            line = battery.order(party, used)
            raise InternalError(f"not legal after {len(strikes)} others: {line}")
        action, ruling, found = ruled
        power = found.row, found.modifier
        strikes.append(Strike(action, found, ranges[party.target].loss((party,), (power,))))
        before, powers = together.get(party.target, ((), ()))
        together[party.target] = (*before, party), (*powers, power)
        position, used = spent(ruling), plus(used, party.used)
    loss = sum((ranges[at].loss(*found) for at, found in together.items()), Fraction(0))
    return FireOrder(tuple(strikes), loss)
