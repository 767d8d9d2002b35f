"""Every legal attack from a hex, and what several attacks on one hex take together.

Units alike in all but name are one *kind*; a *party* says how many of each kind attack and with
which weapons. Whether a party may attack is asked of :meth:`Rulebook.rule`, attack by attack: an
attack already declared is taken to have had its roll, and its losses where they matter.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.generator import candidates
from marchtable_models.valor import attacks, gunnery, survey
from marchtable_models.valor.allocating.advice import after_losses, best_value
from marchtable_models.valor.allocating.search import Search
from marchtable_models.valor.allocating.stack import PINNED
from marchtable_models.valor.allocating.values import scale_of, valued
from marchtable_models.valor.forecast import Forecast, forecast
from marchtable_models.valor.orders import Fire
from marchtable_models.valor.stacks import stack_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from marchtable.rulebook import Rulebook
    from marchtable.ruling import Ruling
    from marchtable_models.valor.allocating.stack import Choices, Loss, Stack
    from marchtable_models.valor.allocating.values import Values
    from marchtable_models.valor.model import ValorConditions, ValorUnit
    from marchtable_models.valor.survey import ValorPosition

    Book = Rulebook[ValorUnit, ValorConditions]

__all__ = ["Battery", "Party", "Plan", "Range", "Used", "plus", "spent"]

Loadout = tuple[str, ...]
Used = tuple[int, ...]
"""How many units of each kind."""


class Party(NamedTuple):
    """Who attacks a hex: for each kind of units, the weapons of those that take part."""

    target: str
    weapons: tuple[tuple[Loadout, ...], ...]

    @property
    def used(self) -> Used:
        """How many units of each kind take part."""
        return tuple(map(len, self.weapons))


class Plan(NamedTuple):
    """Attacks on one hex, in order, and the loss that they are expected to inflict together."""

    parties: tuple[Party, ...]
    used: Used
    loss: Fraction


def spent(ruling: Ruling) -> ValorPosition:
    """Return the position after an attack, its roll and its losses left out."""
    found: ValorPosition = ruling.after
    conditions = msgspec.structs.replace(found.conditions, attack=None)
    return msgspec.structs.replace(found, conditions=conditions, pending=())


def suffered(position: ValorPosition, losses: tuple[Loss, ...]) -> ValorPosition:
    """Return the position with some losses taken."""
    changed = []
    for loss in losses:
        unit = position.unit(loss.unit)
        half = survey.type_of(position, unit).half
        if loss.result == "eliminated":
            unit = msgspec.structs.replace(unit, at=None, sw=(), aboard=None)
        elif loss.result.startswith("reduced") and half is not None:
            unit = msgspec.structs.replace(unit, type=half)
        pinned = unit.pinned or loss.result in PINNED
        changed.append(msgspec.structs.replace(unit, pinned=pinned))
    return position.with_units(changed)


class Battery:
    """The units of one side in one hex, and the attacks that the rules allow them."""

    def __init__(self, rulebook: Book, position: ValorPosition, at: str, side: str) -> None:
        self.rulebook = rulebook
        self.position = position
        self.unsupported: dict[str, None] = {}
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
        """The hexes that may be tried."""
        tried = (candidates(self.rulebook, self.position, kind[0], (Fire,)) for kind in self.kinds)
        found = (action.target for actions in tried for action in actions)  # type: ignore[attr-defined]
        return tuple(dict.fromkeys(found))

    # -- who and with what --

    def order(self, party: Party, used: Used) -> Fire:
        """Return the attack of a party, made by the first units left when some are used."""
        units, named = [], []
        for kind, weapons, n in zip(self.kinds, party.weapons, used, strict=True):
            for unit, loadout in zip(kind[n:], weapons, strict=False):
                units.append(unit.id)
                if loadout != self._usual(unit, party.target):
                    named += [f"{unit.id}:{weapon}" for weapon in loadout or (gunnery.NOTHING,)]
        return Fire(tuple(units), party.target, tuple(named))

    def _usual(self, unit: ValorUnit, target: str) -> Loadout:
        """Return what a unit fires where nothing is named."""
        if (unit.id, target) not in self._usually:
            edition = self.rulebook.edition(self.position)
            (salvo,) = attacks.salvos_of(self.position, Fire((unit.id,), target), edition)
            self._usually[unit.id, target] = salvo.weapons
        return self._usually[unit.id, target]

    def loadouts(self, target: str) -> list[tuple[Loadout, ...]]:
        """Return what each kind may fire at a hex as part of some group; what is less of it, never."""
        if target not in self._loadouts:
            self._loadouts[target] = [self._of_unit(kind[0], target) for kind in self.kinds]
        return self._loadouts[target]

    def _of_unit(self, unit: ValorUnit, target: str) -> tuple[Loadout, ...]:
        arms = gunnery.arms(self.position, unit)
        every = [c for size in range(len(arms) + 1) for c in combinations(arms, size)]
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
        """Return whether a unit may fire so alone: ``open`` if who joins in may make it legal."""
        named = tuple(f"{unit.id}:{weapon}" for weapon in loadout or (gunnery.NOTHING,))
        ruling = self.rulebook.rule(self.position, Fire((unit.id,), target, named))
        clauses = [self.rulebook.clause(violation.clause) for violation in ruling.violations]
        if any(clause.composes != "joint" for clause in clauses):
            return "barred"
        if ruling.unsupported:
            self.unsupported |= dict.fromkeys(v.clause for v in ruling.unsupported)
            return "barred"
        return "open" if clauses else "legal"

    def _adds_nothing(self, less: Loadout, more: Loadout) -> bool:
        """Tell whether a loadout is part of another whose weapons are no burden to the dice."""
        extra = [name for name in more if name not in less and name != gunnery.OWN]
        return set(less) <= set(more) and not any(
            name not in gunnery.VEHICLE_WEAPONS
            and survey.weapon_of(self.position, name).modifier > 0
            for name in extra
        )

    def parties(self, target: str, used: Used) -> Iterator[Party]:
        """Yield every party that is left when some units are used, legal or not."""
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
        """Return an attack that is legal there, with what it adds up to; None if it is not."""
        action = self.order(party, used)
        ruling = self.rulebook.rule(position, action)
        if ruling.unsupported and not ruling.violations:
            self.unsupported |= dict.fromkeys(v.clause for v in ruling.unsupported)
        if not ruling.is_legal:
            return None
        found = forecast(position, action, self.rulebook.edition(position))
        assert found is not None  # what is legal is rolled for
        return action, ruling, found


class Range:
    """One target hex: what attacks on it take, its owner choosing his losses for the best."""

    def __init__(self, battery: Battery, target: str, values: Values, choices: Choices) -> None:
        self.battery = battery
        self.target = target
        self.values, self.choices = values, choices
        self._kept: dict[Any, Fraction] = {}
        self._stack: tuple[Stack, Fraction] | None = None

    def plans(self) -> list[Plan]:
        """Return all attacks on the hex that are legal together, each set in its best order."""
        found: dict[tuple[Party, ...], Plan] = {}
        waiting: list[tuple[ValorPosition, Used, tuple[Party, ...]]] = [
            (self.battery.position, self.battery.none, ())
        ]
        while waiting:
            position, used, before = waiting.pop(0)
            for party in self.battery.parties(self.target, used):
                ruled = self.battery.ruled(position, party, used)
                if ruled is not None:
                    after = plus(used, party.used)
                    parties = (*before, party)
                    plan = Plan(parties, after, self.loss(parties))
                    which = tuple(sorted(parties))
                    if which not in found or plan.loss > found[which].loss:
                        found[which] = plan
                    waiting.append((spent(ruled[1]), after, parties))
        return list(found.values())

    def loss(self, parties: tuple[Party, ...]) -> Fraction:
        """Return the loss to be expected of some attacks, each made whatever the ones before did."""
        if self._stack is None:
            ruled = self.battery.ruled(self.battery.position, parties[0], self.battery.none)
            assert ruled is not None
            stack = stack_of(ruled[1].after, self.target)
            told = {
                field: {unit: n for unit, n in named.items() if unit in stack.by_id}
                for field, named in (
                    ("worth", self.values.worth),
                    ("worth_half", self.values.worth_half),
                )
            }
            whole, scale = valued(stack, msgspec.structs.replace(self.values, **told))
            self.values = msgspec.structs.replace(self.values, worth={}, worth_half={})
            self._stack = whole, Fraction(scale.one, scale_of(self.values).one)
        stack, ratio = self._stack
        intact = best_value(stack, 0, self.values, self.choices)
        kept = self._expected(stack, self.battery.position, parties, self.battery.none)
        return (intact - kept) / ratio

    def _expected(
        self, stack: Stack, position: ValorPosition, parties: tuple[Party, ...], used: Used
    ) -> Fraction:
        """Return what the units of the hex are worth after the attacks still to come."""
        key = stack, parties, used  # the position is no other where these are the same
        if key not in self._kept:
            self._kept[key] = self._reckon(stack, position, parties, used)
        return self._kept[key]

    def _reckon(
        self, stack: Stack, position: ValorPosition, parties: tuple[Party, ...], used: Used
    ) -> Fraction:
        if not parties:
            return best_value(stack, 0, self.values, self.choices)
        now, *later = parties
        ruled = self.battery.ruled(position, now, used)
        used = plus(used, now.used)
        if ruled is None:  # nobody is left to be fired at
            return self._expected(stack, position, tuple(later), used)
        after = spent(ruled[1])
        ends = (
            chance * self._best(stack, n, after, tuple(later), used)
            for n, chance in ruled[2].distribution.items()
        )
        return sum(ends, Fraction(0))

    def _best(
        self,
        stack: Stack,
        points: int,
        position: ValorPosition,
        later: tuple[Party, ...],
        used: Used,
    ) -> Fraction:
        """Return the best that the owner can make of so many points, with what is to come in mind."""
        if not later:
            return best_value(stack, points, self.values, self.choices)

        def worth(losses: tuple[Loss, ...]) -> Fraction:
            left = after_losses(stack, losses)
            return self._expected(left, suffered(position, losses), later, used)

        search = Search(stack, points, worth, self.choices, rolls_first=self.choices.is_tabled)
        found = search.value(search.application.start())
        assert found is not None  # points can always be fulfilled, or everything is lost
        return found


def plus(a: Used, b: Used) -> Used:
    """Return how many units of each kind two parties use together."""
    return tuple(x + y for x, y in zip(a, b, strict=True))
