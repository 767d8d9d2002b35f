"""Every attack that the rules allow the units of a hex.

Units alike except in name are one *kind*; a *party* states how many of each kind attack and with
which weapons. :meth:`Rulebook.rule` decides, attack by attack, whether a party can attack.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable.rules.generator import candidates
from marchtable_models.valor.advisor.forecast import Forecast, forecast
from marchtable_models.valor.rules.fire import Fire, fire_salvos
from marchtable_models.valor.views.units import weapon_of
from marchtable_models.valor.views.weapons import NOTHING, OWN, VEHICLE_WEAPONS, arms

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable_models.valor.model import ValorConditions, ValorPosition, ValorUnit

    Book = Rulebook[ValorUnit, ValorConditions]

__all__ = ["Battery", "Party", "Used", "plus", "spent"]

Loadout = tuple[str, ...]
Used = tuple[int, ...]
"""The number of units of each kind."""


class Party(NamedTuple):
    """The attackers of a hex: for each kind of units, the weapons of those that take part."""

    target: str
    weapons: tuple[tuple[Loadout, ...], ...]

    @property
    def used(self) -> Used:
        """Units of each kind that take part."""
        return tuple(map(len, self.weapons))


def plus(a: Used, b: Used) -> Used:
    """Return the units of each kind that two parties use together."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def spent(ruling: Ruling) -> ValorPosition:
    """Return the position after an attack, without its roll and losses."""
    found: ValorPosition = ruling.after
    conditions = msgspec.structs.replace(found.conditions, attack=None)
    return msgspec.structs.replace(found, conditions=conditions, pending=())


class Battery:
    """The units of one side in one hex, and the attacks that the rules allow them."""

    def __init__(self, rulebook: Book, position: ValorPosition, at: str, side: str) -> None:
        self.rulebook = rulebook
        self.position = position
        self.unsupported: dict[str, None] = {}
        self.exceptions: dict[tuple[str, str], None] = {}
        self.readings: dict[str, str] = {}
        kinds: dict[Hashable, list[ValorUnit]] = {}
        for unit in position.occupants.get(at, ()):
            if unit.side == side:
                kinds.setdefault(rulebook.alike(position, unit), []).append(unit)
        self.kinds = list(kinds.values())
        self.none: Used = (0,) * len(self.kinds)
        self._usually: dict[tuple[str, str], Loadout] = {}
        self._loadouts: dict[str, list[tuple[Loadout, ...]]] = {}

    @property
    def targets(self) -> tuple[str, ...]:
        """The hexes to try."""
        tried = (candidates(self.rulebook, self.position, kind[0], (Fire,)) for kind in self.kinds)
        found = (action.target for actions in tried for action in actions)  # type: ignore[attr-defined]
        return tuple(dict.fromkeys(found))

    # -- attackers and weapons --------------------------------------------------------------------

    def order(self, party: Party, used: Used) -> Fire:
        """Return the attack of a party, made by the first units left after some are used."""
        units, named = [], []
        for kind, weapons, n in zip(self.kinds, party.weapons, used, strict=True):
            for unit, loadout in zip(kind[n:], weapons, strict=False):
                units.append(unit.id)
                if loadout != self._usual(unit, party.target):
                    named += [f"{unit.id}:{weapon}" for weapon in loadout or (NOTHING,)]
        return Fire(tuple(units), party.target, tuple(named))

    def _usual(self, unit: ValorUnit, target: str) -> Loadout:
        """Return the weapons a unit fires if none are named."""
        if (unit.id, target) not in self._usually:
            edition = self.rulebook.edition(self.position)
            (salvo,) = fire_salvos(self.position, Fire((unit.id,), target), edition)
            self._usually[unit.id, target] = salvo.weapons
        return self._usually[unit.id, target]

    def loadouts(self, target: str) -> list[tuple[Loadout, ...]]:
        """Return the weapons that each kind can fire at a hex in some group; never a part of them."""
        if target not in self._loadouts:
            self._loadouts[target] = [self._unit_loadouts(kind[0], target) for kind in self.kinds]
        return self._loadouts[target]

    def _unit_loadouts(self, unit: ValorUnit, target: str) -> tuple[Loadout, ...]:
        names = arms(self.position, unit)
        every = [c for size in range(len(names) + 1) for c in combinations(names, size)]
        tried = {loadout: self._try(unit, target, loadout) for loadout in every}
        legal = [loadout for loadout, found in tried.items() if found == "legal"]
        kept = [
            loadout
            for loadout, found in tried.items()
            if found == "open" and not any(set(less) < set(loadout) for less in legal)
        ]
        return tuple(
            loadout
            for loadout in (*legal, *kept)
            if not any(self._adds_nothing(loadout, more) for more in legal if more != loadout)
        )

    def _try(self, unit: ValorUnit, target: str, loadout: Loadout) -> str:
        """Return whether a unit can fire so alone: ``open`` if joining units could make it legal."""
        named = tuple(f"{unit.id}:{weapon}" for weapon in loadout or (NOTHING,))
        ruling = self.rulebook.rule(self.position, Fire((unit.id,), target, named))
        clauses = [self.rulebook.clause(violation.clause) for violation in ruling.violations]
        if any(clause.composes != "joint" for clause in clauses):
            return "barred"
        if ruling.unsupported:
            self.unsupported |= dict.fromkeys(v.clause for v in ruling.unsupported)
            return "barred"
        return "open" if clauses else "legal"

    def _adds_nothing(self, less: Loadout, more: Loadout) -> bool:
        """Return whether a loadout is part of another whose weapons do not penalize the dice."""
        extra = [name for name in more if name not in less and name != OWN]
        return set(less) <= set(more) and not any(
            name not in VEHICLE_WEAPONS and weapon_of(self.position, name).modifier > 0
            for name in extra
        )

    def parties(self, target: str, used: Used) -> Iterator[Party]:
        """Yield every party left after some units are used, legal or not."""
        loadouts = self.loadouts(target)
        parts = [
            [
                chosen
                for n in range(len(kind) - taken + 1)
                for chosen in combinations_with_replacement(weapons, n)
            ]
            for kind, taken, weapons in zip(self.kinds, used, loadouts, strict=True)
        ]
        for weapons in product(*parts):
            if any(weapons):
                yield Party(target, weapons)

    def ruled(
        self, position: ValorPosition, party: Party, used: Used
    ) -> tuple[Fire, Ruling, Forecast] | None:
        """Return a legal attack there with its forecast; None if it is not legal."""
        action = self.order(party, used)
        ruling = self.rulebook.rule(position, action)
        if ruling.unsupported and not ruling.violations:
            self.unsupported |= dict.fromkeys(v.clause for v in ruling.unsupported)
        if not ruling.is_legal:
            return None
        self.exceptions |= dict.fromkeys(ruling.exceptions)
        self.readings |= dict(ruling.readings)
        found = forecast(position, action, self.rulebook.edition(position))
        assert found is not None  # a legal attack has a roll
        return action, ruling, found
