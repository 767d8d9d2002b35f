"""An attack on a stack, step by step, as the clauses allow and count it.

Nothing here states a rule: the clauses V14.61 to V14.65 decide from its facts whether a step is
legal, what it fulfils and what a roll can give.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from marchtable.budget import OverLimit, look
from marchtable.rules.edition import Edition, chosen_readings
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.valor.allocation.stack import (
    DEFAULTS,
    FIELDS,
    PINNED,
    Choices,
    Result,
    Stack,
    UnitLoss,
    UnitResult,
)
from marchtable_models.valor.data import figure
from marchtable_models.valor.rules.under_fire import NOBODY, DamageState
from marchtable_models.valor.subjects import SUBJECTS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from marchtable.rules.clause import Finding
    from marchtable_models.valor.rules.casualties import Loss as LossFacts

Verb = Literal["ignore", "pin", "reduce", "eliminate", "survive", "fail"]
VERBS: tuple[Verb, ...] = ("ignore", "pin", "reduce", "eliminate", "survive", "fail")
WORDS: dict[str, str] = {
    "ignore": "ignored", "pin": "pinned", "reduce": "reduced", "eliminate": "eliminated",
    "survive": "absorbed", "fail": "eliminated",
}  # fmt: skip
LEAST_ROLLED = figure("V14.64a", "pins") + 1
"""The fewest points that need a survival roll."""
SHARED = "V14.64f"
"""The clause by which units lost with their carrier count."""


class LossStep(NamedTuple):
    """One step; ``survive`` and ``fail`` are the two results of a survival roll."""

    unit: str
    verb: Verb
    points: int = 0


class Roll(NamedTuple):
    """
    A survival roll: the unit absorbs ``points`` (after ignoring one, if ``ignores``).

    It survives on ``chance`` or less on one die.
    """

    unit: str
    points: int
    ignores: bool
    chance: int

    @property
    def steps(self) -> list[LossStep]:
        """The steps by which a unit rolls and survives."""
        roll = LossStep(self.unit, "survive", self.points)
        return [LossStep(self.unit, "ignore"), roll] if self.ignores else [roll]


class Mark(NamedTuple):
    """The attack's effect on a unit itself so far, and the points fulfilled by it."""

    done: tuple[str, ...] = ()
    points: int = 0

    @property
    def result(self) -> Result:
        """The unit's own result."""
        if "eliminated" in self.done:
            return "eliminated"
        if "absorbed" in self.done:
            return "survived"
        if "pinned" in self.done:
            return "reduced, pinned" if "reduced" in self.done else "pinned"
        return self.done[-1] if self.done else "unharmed"  # type: ignore[return-value] # of these


class State(NamedTuple):
    """The progress of an allocation; ``pending`` is the unit that must take the next point."""

    marks: tuple[Mark, ...]
    owed: int
    pending: str = ""


@lru_cache(maxsize=64)
def edition_of(choices: Choices) -> Edition:
    """Return the ruleset with these readings."""
    chosen = {name: getattr(choices, field) for name, field in FIELDS.items()}
    return Edition(
        SUBJECTS.contents,
        chosen_readings(find_rulebook("valor").register, {**chosen, "A18": "defined"}),
        frozenset(),
    )


class Course:
    """The possible steps for an attack's points on a stack, and their results."""

    def __init__(self, stack: Stack, points: int, choices: Choices = DEFAULTS) -> None:
        self.stack = stack
        self.points = points
        self.choices = choices
        self.edition = edition_of(choices)
        self._damages: dict[State, DamageState] = {}
        self._bars: dict[tuple[State, LossStep], tuple[str, ...]] = {}
        self._exact: dict[State, bool] = {}

    def start(self) -> State:
        """Return the state before any point is applied."""
        return State((Mark(),) * len(self.stack.members), self.points)

    def damage(self, state: State) -> DamageState:
        """Return the units' present state."""
        found = self._damages.get(state)
        if found is None:
            start = self.start()
            found = self._damages[state] = DamageState(
                self.stack.bodies([mark.done for mark in state.marks]),
                state.owed,
                self.points,
                first_pins=None if state == start else self.damage(start).pins_left,
                focus=self.stack.places[state.pending] if state.pending else NOBODY,
                opportunity=self.stack.opportunity,
            )
        return found

    def mark(self, state: State, unit: str) -> Mark:
        """Return a unit's own results."""
        return state.marks[self.stack.places[unit]]

    # -- what the clauses say --

    def facts(self, state: State, step: LossStep, *, misses: bool = False) -> LossFacts:
        """Return the facts of a step, or of the loss that its roll is for."""
        verb = "absorb" if step.verb in ("survive", "fail") else step.verb
        return self.damage(state).loss(
            self.stack.places[step.unit], verb, step.points, misses=misses
        )

    def finding(self, state: State, step: LossStep) -> Finding:
        """Return the clauses' finding on a step, or on the loss that its roll is for."""
        return self.edition.judge(self.facts(state, step))

    def bars(self, step: LossStep, facts: LossFacts) -> tuple[str, ...]:
        """Return the clauses that forbid a step with these facts."""
        found = self.edition.judge(facts)
        if step.verb == "fail" and not found.bars and not found.rolls[0].outcomes[1].chance:
            return (found.rolls[0].clause,)
        return tuple(bar.clause for bar in found.bars)

    def barred(self, state: State, step: LossStep) -> tuple[str, ...]:
        """Return the clauses that forbid a step, none if it is legal."""
        known = (state, step)
        if known not in self._bars:
            misses = self.choices.exceed == "exact" and self._misses(state, step)
            self._bars[known] = self.bars(step, self.facts(state, step, misses=misses))
        return self._bars[known]

    def chance(self, state: State, step: LossStep) -> int:
        """Return the highest die roll with which the unit survives."""
        return self.finding(state, step).rolls[0].outcomes[0].chance

    def outcome(self, state: State, step: LossStep) -> Finding:
        """Return the clauses' count for a legal step, after its roll."""
        if step.verb not in ("survive", "fail"):
            return self.finding(state, step)
        i, survives = self.stack.places[step.unit], step.verb == "survive"
        return self.edition.judge(self.damage(state).outcome(i, step.points, survives=survives))

    def after(self, state: State, step: LossStep) -> State:
        """Return the state after a legal step."""
        i, found = self.stack.places[step.unit], self.outcome(state, step)
        marks = list(state.marks)
        shared = {charge.note for charge in found.charges if charge.clause == SHARED}
        own = sum(charge.amount for charge in found.charges if charge.clause != SHARED)
        marks[i] = Mark(_words(marks[i].done, step.verb), marks[i].points + own)
        if shared:
            bodies = self.damage(state).bodies
            for j, body in enumerate(bodies):
                if body.aboard == i and not body.gone:
                    counts = "towed Gun" in shared if body.towed else "Passengers" in shared
                    marks[j] = Mark(marks[j].done, marks[j].points + counts * body.cr)
        pending = step.unit if step.verb == "ignore" else ""
        if state.pending and self.choices.same_unit == "exhaust" and step.verb == "reduce":
            pending = step.unit
        return State(tuple(marks), state.owed - found.total, pending)

    def taken(self, state: State, steps: Iterable[LossStep]) -> State | None:
        """Return the state after steps, None if one of them is illegal."""
        for step in steps:
            if self.barred(state, step):
                return None
            state = self.after(state, step)
        return state

    def is_over(self, state: State) -> bool:
        """Return whether the points are fulfilled, or nothing more can suffer."""
        if state.owed <= 0:
            return True
        return not self.damage(state).open(pinned_too=self.choices.newly_pinned == "allowed")

    # -- steps --

    def candidates(self, state: State, among: Container[str] | None = None) -> Iterator[LossStep]:
        """Yield the steps that might be legal, for all units or for these."""
        for i in self.damage(state).liable:
            member = self.stack.members[i]
            if among is not None and member.id not in among:
                continue
            for verb in VERBS[:-2]:
                yield LossStep(member.id, verb)
            if member.kind != "infantry":
                for points in range(LEAST_ROLLED, min(member.cr, state.owed) + 1):
                    yield from (LossStep(member.id, verb, points) for verb in VERBS[-2:])

    def steps(self, state: State) -> list[LossStep]:
        """Return every legal step."""
        return [step for step in self.candidates(state) if not self.barred(state, step)]

    def _misses(self, state: State, step: LossStep) -> bool:
        """Return whether the points could be fulfilled exactly, but not after this step (A1)."""
        steps = [step]
        if step.verb in ("survive", "fail"):  # one decision: either result is enough
            steps = [step._replace(verb=verb) for verb in VERBS[-2:]]
        after = [self.after(state, s) for s in steps if not self.bars(s, self.facts(state, s))]
        return not any(map(self._is_exact, after)) and self._is_exact(state)

    def _is_exact(self, state: State) -> bool:
        """Return whether some sequence, with some dice, fulfils exactly the points owed."""
        if state.owed <= 0:
            return state.owed == 0
        if state not in self._exact:
            steps = (s for s in self.candidates(state) if not self.bars(s, self.facts(state, s)))
            self._exact[state] = any(self._is_exact(self.after(state, step)) for step in steps)
        return self._exact[state]

    # -- results ----------------------------------------------------------------------------------

    def results(self, state: State) -> Iterator[UnitResult]:
        """Yield each unit's result, including those pinned or lost with their carrier."""
        for member, mark in zip(self.stack.members, state.marks, strict=True):
            result, carrier = mark.result, ""
            if member.aboard is not None:
                carrier = self.mark(state, member.aboard).result
            if carrier == "eliminated":
                result = "eliminated"
            elif carrier in PINNED and result != "eliminated":
                result = "reduced, pinned" if result == "reduced" else "pinned"
            yield UnitResult(result, mark.points)

    def losses(self, state: State) -> tuple[UnitLoss, ...]:
        """Return the results of all units that are not unharmed."""
        return self.stack.losses(self.results(state))


def _words(done: tuple[str, ...], verb: Verb) -> tuple[str, ...]:
    """Return the effects on a unit, as far as they still matter."""
    still_noted = ("pinned", "absorbed") if verb in ("eliminate", "fail") else ("reduced",)
    return (*(word for word in done if word in still_noted), WORDS[verb])


# -- order ---------------------------------------------------------------------------------------

STRAIGHT: dict[str, tuple[Verb, ...]] = {
    "unharmed": (),
    "ignored": ("ignore",),
    "pinned": ("pin",),
    "reduced": ("reduce",),
    "reduced, pinned": ("reduce", "pin"),
    "survived": ("survive",),
    "eliminated": ("eliminate", "fail"),
}
"""The steps to a result; a point can be ignored first, and an eliminated unit be hit before."""


def in_order(
    course: Course,
    state: State,
    losses: tuple[UnitLoss, ...],
    *,
    ends: bool = False,
    most: float = math.inf,
) -> tuple[list[LossStep], State] | None:
    """
    Return legal steps from a state to exactly these losses, and the state after them.

    None if there is no such order, or if it fails to end the attack (``ends``). Losses already in
    ``state`` must be included. The likeliest order is tried first, then all others; of equal units
    with the same loss, the first suffers first. Raises OverLimit if ``most`` states are not enough.
    """
    points = sum(loss.points for loss in losses)
    wanted = {loss.unit: loss for loss in losses}
    futile: set[State] = set()

    def onward(here: State) -> tuple[list[LossStep], State] | None:
        if course.points - here.owed == points:  # no step is free
            is_there = course.losses(here) == losses and (not ends or course.is_over(here))
            return ([], here) if is_there else None
        look()
        if len(futile) >= most:
            raise OverLimit
        futile.add(here)
        for step in _towards(course, here, wanted):
            after = course.after(here, step)
            if after not in futile and _suits(course, after, step, wanted[step.unit]):
                rest = onward(after)
                if rest is not None:
                    return [step, *rest[0]], rest[1]
        return None

    return onward(state)


def _towards(course: Course, state: State, wanted: dict[str, UnitLoss]) -> Iterator[LossStep]:
    """Yield the legal steps that can lead to some losses: pins and detours last, then by cost."""
    found: list[tuple[bool, int, bool, int, int, LossStep]] = []
    stack, tried = course.stack, set()
    for step in course.candidates(state, wanted):
        goal, mark = wanted[step.unit], course.mark(state, step.unit)
        if (goal.result, goal.points) == (mark.result, mark.points):
            continue
        if step.verb not in ("ignore", *STRAIGHT[goal.result]) and goal.result != "eliminated":
            continue
        member = stack.by_id[step.unit]
        if member.aboard is None and step.unit not in stack.cargo:
            alike = member.figures, member.pinned, mark, goal.result, goal.points, step[1:]
            if state.pending != step.unit and alike in tried:
                continue
            tried.add(alike)
        late, cost = step.verb == "pin", goal.points - mark.points
        if step.verb == "ignore":
            late = goal.result in ("pinned", "ignored", "survived")
            cost = cost - 1 or course.points  # with nothing after it, it is the last
        elif goal.result == "eliminated":
            late = step.verb not in ("eliminate", "fail")
        found.append((late, cost, step.verb == "fail", -step.points, len(found), step))
    found.sort()
    for *_, step in found:
        if not course.barred(state, step):
            yield step


def _suits(course: Course, state: State, step: LossStep, goal: UnitLoss) -> bool:
    """Return whether a unit hit by a step can still come to the loss wanted."""
    mark = course.mark(state, step.unit)
    if step.verb in ("ignore", "reduce") or goal.result == "eliminated" != mark.result:
        return mark.points <= goal.points
    return (mark.result, mark.points) == (goal.result, goal.points)
