"""How far casualty choice has got: states, single applications of points, what each does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from marchtable_models.valor.allocating.stack import DEFAULTS, PINNED, Loss

if TYPE_CHECKING:
    from marchtable_models.valor.allocating.stack import Choices, Member, Result, Stack

__all__ = ["DIE", "VERBS", "Course", "Mark", "State", "Step", "Verb"]

Verb = Literal["ignore", "pin", "reduce", "eliminate", "survive", "fail"]
VERBS: tuple[Verb, ...] = ("ignore", "pin", "reduce", "eliminate", "survive", "fail")
DIE = 6


class Step(NamedTuple):
    """One application of points: ``survive`` and ``fail`` are a survival roll and how it falls."""

    unit: str
    verb: Verb
    points: int = 0


class Mark(NamedTuple):
    """What has befallen a unit so far."""

    result: Result = "unharmed"
    points: int = 0


class State(NamedTuple):
    """
    How far an allocation has got.

    ``pending`` is the unit that ignored a point and must take the next; ``harmed`` tells whether
    a unit other than a Passenger was hit, among the unpinned and the pinned; ``pinning`` that only
    pins may follow; ``killed`` that something was reduced or eliminated.
    """

    marks: tuple[Mark, ...]
    owed: int
    pending: str = ""
    harmed: tuple[bool, bool] = (False, False)
    pinning: bool = False
    killed: bool = False


class Course:
    """What applications of points do to a stack; whether they are legal is another matter."""

    def __init__(self, stack: Stack, points: int, choices: Choices = DEFAULTS) -> None:
        self.stack = stack
        self.points = points
        self.choices = choices
        self.ids = tuple(m.id for m in stack.members if not stack.bar(m))
        self._index = {unit: i for i, unit in enumerate(self.ids)}

    def start(self) -> State:
        """Return the state before any point is applied."""
        return State((Mark(),) * len(self.ids), self.points)

    # -- what a unit is --

    def result(self, state: State, unit: str) -> Result:
        """Return what has befallen the unit itself so far."""
        return state.marks[self._index[unit]].result

    def is_open(self, state: State, unit: str) -> bool:
        """Tell whether the unit was not pinned before the attack and still is not."""
        member = self.stack.by_id[unit]
        if self.stack.is_pinned(member):
            return False
        carrier = self.stack.carrier(member)
        shared = () if carrier is None or self.stack.bar(carrier) else (carrier.id,)
        return all(
            self.result(state, name) not in (*PINNED, "eliminated") for name in (unit, *shared)
        )

    def is_gone(self, state: State, unit: str) -> bool:
        """Tell whether the unit is eliminated, by itself or with its carrier."""
        carrier = self.stack.by_id[unit].aboard
        lost = carrier is not None and self.result(state, carrier) == "eliminated"
        return lost or self.result(state, unit) == "eliminated"

    def rating(self, state: State, unit: str) -> int:
        """Return the unit's Casualty Rating as it now stands, Passengers not included."""
        member = self.stack.by_id[unit]
        is_half = self.result(state, unit).startswith("reduced")
        return member.cr_half if is_half and member.cr_half is not None else member.cr

    def lost_with(self, state: State, unit: str) -> int:
        """Return what is credited for everything that dies with a carrier."""
        load = self.stack.cargo.get(unit, ())
        towed = sum(m.cr for m in load if m.towed and self.choices.towed == "counted")
        riders = (m.id for m in load if not m.towed and not self.is_gone(state, m.id))
        return towed + sum(self.rating(state, rider) for rider in riders)

    # -- what a step does --

    def cost(self, state: State, step: Step) -> int:
        """Return the points that the step fulfils, with those of Passengers lost by it."""
        lost = self.lost_with(state, step.unit) if step.verb in ("eliminate", "fail") else 0
        return self._own_cost(state, step) + lost

    def _own_cost(self, state: State, step: Step) -> int:
        """Return the points that the step fulfils by the unit itself."""
        member = self.stack.by_id[step.unit]
        if step.verb in ("ignore", "pin"):
            return 1
        if step.verb == "reduce":
            return member.cr - (member.cr_half or 0)
        if step.verb == "survive":
            return step.points
        if step.verb == "fail" and self.choices.failed_roll == "applied":
            return step.points
        return self.rating(state, step.unit)

    def after(self, state: State, step: Step) -> State:
        """Return the state that a legal step leads to."""
        member = self.stack.by_id[step.unit]
        i = self._index[step.unit]
        points = state.marks[i].points + self._own_cost(state, step)
        mark = Mark(_result_of(step.verb, state.marks[i].result), points)
        was_pinned = self.stack.is_pinned(member)
        harmed = state.harmed
        if member.aboard is None and step.verb != "ignore":
            harmed = (True, harmed[1]) if not was_pinned else (harmed[0], True)
        strict = self.choices.pin_last == "strict"
        pins = step.verb == "pin" or (step.verb == "survive" and self.choices.survival_pin == "yes")
        pending = step.unit if step.verb == "ignore" else ""
        if state.pending and self.choices.same_unit == "exhaust" and step.verb == "reduce":
            pending = step.unit
        return State(
            (*state.marks[:i], mark, *state.marks[i + 1 :]),
            state.owed - self.cost(state, step),
            pending,
            harmed,
            state.pinning or (strict and pins),
            state.killed or step.verb in ("reduce", "eliminate", "fail"),
        )

    def is_over(self, state: State) -> bool:
        """Tell whether the points are fulfilled, or everything eligible is gone."""
        return state.owed <= 0 or all(self.is_gone(state, unit) for unit in self.ids)

    def losses(self, state: State) -> tuple[Loss, ...]:
        """Return what befell each unit, those pinned or lost with their carrier included."""
        losses = []
        for member in self.stack.members:
            mark = state.marks[self._index[member.id]] if member.id in self._index else Mark()
            result, points = self._with_carrier(state, member, mark)
            if result != "unharmed":
                losses.append(Loss(member.id, result, points))
        return tuple(losses)

    def _with_carrier(self, state: State, member: Member, mark: Mark) -> Mark:
        if member.aboard not in self._index:
            return mark
        fate = self.result(state, member.aboard)
        if fate in PINNED and mark.result != "eliminated":
            return Mark("reduced, pinned" if mark.result == "reduced" else "pinned", mark.points)
        if fate != "eliminated" or mark.result == "eliminated":
            return mark
        counts = not member.towed or self.choices.towed == "counted"
        return Mark("eliminated", mark.points + counts * self._rating_of(member, mark))

    def _rating_of(self, member: Member, mark: Mark) -> int:
        return (member.cr_half or 0) if mark.result == "reduced" else member.cr


def _result_of(verb: Verb, before: Result) -> Result:
    if verb == "ignore":
        return "ignored"
    if verb == "pin":
        return "reduced, pinned" if before == "reduced" else "pinned"
    if verb == "reduce":
        return "reduced"
    return "survived" if verb == "survive" else "eliminated"
