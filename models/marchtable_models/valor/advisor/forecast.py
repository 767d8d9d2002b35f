"""An attack before its roll: totals, modifiers, row, and points by roll."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.rules.clause import Charge
from marchtable.state.action import Settle
from marchtable_models.valor.data import TWO_DICE, table
from marchtable_models.valor.rules.assaults import (
    FOE_APFP,
    KILL,
    LOSSES,
    Assault,
    Clash,
    assault_facts,
)
from marchtable_models.valor.rules.combat import APFP, DICE, Result, row_of, volley
from marchtable_models.valor.rules.fire import Fire, fire_salvos
from marchtable_models.valor.rules.overruns import Overrun, crush, overrun_salvos

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action
    from marchtable_models.valor.model import ValorPosition

__all__ = ["WAYS", "Forecast", "all_details", "details", "forecast"]

WAYS = sum(TWO_DICE.values())
"""The number of two-dice throws."""


class Forecast(msgspec.Struct, frozen=True):
    """
    The data on an attack before its roll.

    Parameters
    ----------
    charges
        The clauses' charges to the APFP total (part ``apfp``) and to the dice (part ``dice``).
    weapons
        The weapons fired, each as ``unit:weapon``.
    points
        Casualty Points by the natural roll of two dice.
    clauses
        The clauses behind the charges, the roll and the points.
    """

    charges: tuple[Charge, ...]
    weapons: tuple[str, ...]
    points: dict[int, int]
    clauses: tuple[str, ...]

    @property
    def apfp(self) -> int:
        """The APFP total."""
        return sum(charge.amount for charge in self.charges if charge.part == APFP)

    @property
    def modifier(self) -> int:
        """The modifier of the dice."""
        return sum(charge.amount for charge in self.charges if charge.part == DICE)

    @property
    def row(self) -> str:
        """The row of the AP Combat Table, such as ``11-18`` or ``41+``."""
        row = table()[row_of(self.apfp)]
        return f"{row.least}+" if row.most is None else f"{row.least}-{row.most}"

    @property
    def distribution(self) -> dict[int, Fraction]:
        """The probability of each number of Casualty Points."""
        found: dict[int, Fraction] = {}
        for roll, points in self.points.items():
            found[points] = found.get(points, Fraction(0)) + Fraction(TWO_DICE[roll], WAYS)
        return found

    @property
    def expected(self) -> Fraction:
        """The expected Casualty Points."""
        return sum((n * chance for n, chance in self.distribution.items()), Fraction(0))


def forecast(position: ValorPosition, action: Fire | Overrun, edition: Edition) -> Forecast | None:
    """
    Return the forecast of fire or an overrun, or None if it has no roll.

    It need not be legal: :meth:`Rulebook.rule` decides that.
    """
    units = action.units if isinstance(action, Fire) else (action.unit,)
    if not units or any(position.unit(name).at is None for name in units):
        return None
    if isinstance(action, Fire):
        salvos = fire_salvos(position, action, edition)
        facts = volley(position, salvos, position.board.resolve(action.target))
    else:
        salvos = overrun_salvos(position, action, edition)
        facts = crush(position, salvos, position.board.resolve(action.to))
    found = edition.judge(facts)
    if not found.rolls:
        return None
    parts = {APFP: 0, DICE: 0}
    for charge in found.charges:
        parts[charge.part] += charge.amount
    rolled = {
        n: edition.judge(Result(parts[APFP], n, parts[DICE], facts.mortar_in_woods))
        for n in TWO_DICE
    }
    cited = [charge.clause for charge in found.charges] + [roll.clause for roll in found.rolls]
    cited += [charge.clause for finding in rolled.values() for charge in finding.charges]
    return Forecast(
        found.charges,
        tuple(f"{salvo.unit.id}:{name}" for salvo in salvos for name in salvo.weapons or ("none",)),
        {n: finding.total for n, finding in rolled.items()},
        tuple(dict.fromkeys(cited)),
    )


# -- for clients ---------------------------------------------------------------------------------


def details(position: ValorPosition, action: Action, edition: Edition) -> list[dict[str, Any]]:
    """Return the details of an attack, or of its roll, as shown to clients."""
    attack = position.conditions.attack
    if isinstance(action, Settle) and action.obligation.startswith("fire:") and attack is not None:
        finding = edition.judge(
            Result(attack.apfp, int(action.outcome), attack.modifier, attack.doubled)
        )
        return [_detail("Casualty Points", finding.total, finding.charges)]
    if isinstance(action, Assault):
        return _assault_details(position, action, edition)
    found = forecast(position, action, edition) if isinstance(action, Fire | Overrun) else None
    return [] if found is None else all_details(found)


def _assault_details(
    position: ValorPosition, action: Assault, edition: Edition
) -> list[dict[str, Any]]:
    """Return both sides' APFP in a close assault, its odds, and its fixed losses."""
    cases = assault_facts(position, action, edition) if action.units else ()
    facts = next((case.facts for case in cases if isinstance(case.facts, Clash)), None)
    if facts is None or not facts.defenders:
        return []
    found = edition.judge(facts)

    def detail(what: str, part: str, base: int = 0) -> dict[str, Any]:
        charges = [c for c in found.charges if c.part == part]
        return _detail(what, base + sum(c.amount for c in charges), charges)

    return [
        detail("APFP", APFP, facts.attack), detail("their APFP", FOE_APFP, facts.defence),
        detail("Kill Number", KILL), detail("modifier", DICE),
        detail("Casualty Points of the assaulters", LOSSES),
    ]  # fmt: skip


def all_details(found: Forecast) -> list[dict[str, Any]]:
    """Return all data on an attack as details."""
    rolls = [
        {"outcome": str(n), "chance": TWO_DICE[n], "of": WAYS, "value": points}
        for n, points in found.points.items()
    ]
    return [
        _detail("weapons", ", ".join(found.weapons)),
        *(
            _detail(what, value, [c for c in found.charges if c.part == part])
            for what, value, part in (
                ("APFP", found.apfp, APFP),
                ("modifier", found.modifier, DICE),
            )
        ),
        _detail("row", found.row),
        {**_detail("Casualty Points", round(float(found.expected), 3)), "outcomes": rolls},
    ]


def _detail(
    what: str, value: Any, charges: tuple[Charge, ...] | list[Charge] = ()
) -> dict[str, Any]:
    parts = [{"clause": c.clause, "amount": c.amount, "note": c.note} for c in charges]
    return {"what": what, "value": value, "parts": parts, "outcomes": []}
