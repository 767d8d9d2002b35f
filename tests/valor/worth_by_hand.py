"""Unit values, and the best result of an attack for their owner: computed afresh, by hand.

The optimizer is not used: counters are written down here, the rules of losses are the oracle's, and
every order of losses is tried, every roll averaged.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable_models.valor.allocation.stack import Member, Stack
from tests.valor.oracle import Application

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable_models.valor.allocation.course import LossStep
    from marchtable_models.valor.model import ValorUnit

__all__ = ["COUNTERS", "GUNS", "by_hand", "pinned_worth", "worth_of"]

LEADERSHIP, RANGE = 4, Fraction(1, 8)
DIE = 6
WAYS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}


class Counter(NamedTuple):
    """APFP, longest range, Casualty Rating, half squad, modifier, what it rallies on, and its kind."""

    apfp: int
    range: int
    cr: int
    half: str = ""
    modifier: int = 0
    rallies: int = 6
    kind: str = "infantry"
    shield: bool = False


COUNTERS = {
    "squad-464": Counter(4, 6, 4, "half-squad-262"),
    "half-squad-262": Counter(2, 6, 2),
    "german-rifle-squad": Counter(4, 6, 5),
    "us-rifle-squad": Counter(5, 6, 4, "us-rifle-half-squad"),
    "us-rifle-half-squad": Counter(2, 6, 2),
    "us-paratrooper-half-squad": Counter(2, 6, 3, rallies=7),
    "short-squad": Counter(4, 4, 4, "short-half-squad"),
    "short-half-squad": Counter(2, 4, 2),
    "leader": Counter(1, 3, 1, modifier=-1, rallies=7),
    "captain": Counter(1, 3, 1, modifier=-2, rallies=7),
    "6-pounder": Counter(5, 8, 3, rallies=7, kind="gun", shield=True),
    "gun": Counter(5, 8, 3, rallies=7, kind="gun"),
    "armed-truck": Counter(6, 8, 4, rallies=7, kind="vehicle"),
    "m3-halftrack": Counter(4, 8, 0, rallies=7, kind="afv"),
    "3-ton-truck": Counter(0, 0, 4, rallies=7, kind="vehicle"),
}
GUNS = {"mg34": (3, 6), "m1919a6": (3, 6), "bren": (3, 6), "5cm-mortar": (5, 6), "hmg": (6, 8),
        "panzerfaust": (0, 1)}  # fmt: skip


def worth_of(type_: str, weapons: Iterable[str] = ()) -> Fraction:
    """Return a counter's value with its unit's weapons."""
    counter, carried = COUNTERS[type_], [GUNS[name] for name in weapons]
    firepower = counter.apfp + sum(apfp for apfp, _ in carried)
    longest = max([counter.range, *(range_ for _, range_ in carried)]) if firepower else 0
    return firepower - LEADERSHIP * counter.modifier + RANGE * longest


def pinned_worth(counter: Counter, help_: int, *, active: bool) -> Fraction:
    """Return the remaining value of a pinned unit worth 1: alive, and by its chance to act again."""
    chance = Fraction(0)
    if active:
        chance = Fraction(sum(n for roll, n in WAYS.items() if roll - help_ <= counter.rallies), 36)
    return 1 + chance * Fraction(1, 2) + (1 - chance) * Fraction(1, 4)


def by_hand(units: Iterable[ValorUnit], points: int, *, active: bool) -> tuple[Fraction, int]:
    """Return the best value an owner can keep, and in how many ways.

    The ways are final losses, with units kept apart by name; 0 if any unit can roll.
    """
    search = _Search(units, points, active=active)
    best = search.value(search.rules.start())
    assert best is not None
    return best, search.ways(best)


class _Search:
    """Every order of losses, every roll averaged."""

    def __init__(self, units: Iterable[ValorUnit], points: int, *, active: bool) -> None:
        self.units = {unit.id: unit for unit in units}
        self.active = active
        self.stack = Stack(tuple(map(_member, self.units.values())))
        self.rules = Application(self.stack, points)
        self.known: dict[Any, Fraction | None] = {}

    def value(self, state: Any) -> Fraction | None:
        """Return the best value from a state on, or None if points are left over."""
        if state not in self.known:
            over = self.rules.is_over(state)
            self.known[state] = self._kept(state) if over else self._best(state)
        return self.known[state]

    def ways(self, best: Fraction) -> int:
        """Return how many ends have this value."""
        if any(COUNTERS[unit.type].kind != "infantry" for unit in self.units.values()):
            return 0
        ends = (s for s, worth in self.known.items() if worth == best and self.rules.is_over(s))
        return len({self.rules.losses(state) for state in ends})

    def _best(self, state: Any) -> Fraction | None:
        steps = (step for step in self.rules.steps(state) if step.verb != "fail")
        found = [self._after(state, step) for step in steps]
        return max((one for one in found if one is not None), default=None)

    def _after(self, state: Any, step: LossStep) -> Fraction | None:
        held = self.value(self.rules.after(state, step))
        rating = self.stack.by_id[step.unit].cr
        if step.verb != "survive" or rating >= DIE:
            return held
        lost = self.value(self.rules.after(state, step._replace(verb="fail")))
        if held is None or lost is None:
            return None
        return (rating * held + (DIE - rating) * lost) / DIE

    def _kept(self, state: Any) -> Fraction:
        outcomes = {loss.unit: loss.result for loss in self.rules.losses(state)}
        types, pinned = dict[str, str](), set[str]()
        for name, unit in self.units.items():
            outcome = outcomes.get(name, "unharmed")
            if outcome != "eliminated":
                types[name] = COUNTERS[unit.type].half if "reduced" in outcome else unit.type
            if unit.pinned or outcome in ("pinned", "survived", "reduced, pinned"):
                pinned.add(name)
        help_ = max([0, *(-COUNTERS[types[name]].modifier for name in types if name not in pinned)])
        total = Fraction(0)
        for name, type_ in types.items():
            rallies = COUNTERS[self.units[self.units[name].aboard or name].type]
            late = pinned_worth(rallies, help_, active=self.active)
            total += worth_of(type_, self.units[name].sw) * (late if name in pinned else 2)
        return total


def _member(unit: ValorUnit) -> Member:
    """Return a unit as the oracle represents it."""
    counter = COUNTERS[unit.type]
    return Member(
        unit.id, counter.kind, counter.cr, COUNTERS[counter.half].cr if counter.half else None,  # type: ignore[arg-type]
        pinned=unit.pinned, shield=unit.valorous or (counter.shield and unit.aboard is None),
        aboard=unit.aboard, towed=unit.aboard is not None and counter.kind == "gun",
    )  # fmt: skip
