"""Turns a plan into a log: who acts when, each step ruled on as it is laid down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.budget import work
from marchtable.rules.ruling import Verdict
from marchtable_models.asl.cpsat.ruled import is_granted, unmodelled
from marchtable_models.asl.cpsat.transport.clock import ranked
from marchtable_models.asl.cpsat.transport.options import Group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.clock import Clock
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.problem import Plan
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Run", "groups_of"]

STEP = 0.0002  # deterministic time that a ruling counts for


def groups_of(clock: Clock, plan: Plan) -> list[Group]:
    """Return a plan's groups in the order in which they act."""
    turns = ranked(clock.order, plan.before)

    def time(group: Group) -> tuple[int, ...]:
        told = clock.of(group)
        return told if group.trip is None else (told[0], turns[group.trip.unit])

    offers = [*plan.offers.values()]
    found = [Group(None, (offer,), boards=True) for offer in offers if offer.board is not None]
    for trip in plan.trips.values():
        off = [o for o in offers if o.trip is trip and not o.carried]
        if trip.way is not None or off:
            found.append(Group(trip, tuple(sorted(off, key=clock.walks))))
    found += [Group(None, (o,)) for o in offers if o.trip is None and o.walk is not None]
    return sorted(found, key=time)


class Run:
    """
    A log in the making; what is refused is not laid down.

    Parameters
    ----------
    instance
        The problem.
    position
        Where the log starts.

    Attributes
    ----------
    is_ruled
        Whether all was ruled on, nothing of it known from before.
    hindered
        The vehicles for which, or for those who left them, others were in the way; and others on foot.
    """

    def __init__(self, instance: Instance, position: AslPosition) -> None:
        self.instance, self.position = instance, position
        self.log: list[Action] = []
        self.rulings: list[Ruling] = []
        self.is_ruled = True
        self.hindered: set[str] = set()

    def tried(self, actions: Sequence[Action], position: AslPosition | None = None) -> list[Ruling]:
        """Return rulings on actions one after another, up to the first that is refused."""
        here, found = position or self.position, []
        for action in actions:
            work(STEP)
            ruling = self.instance.rulebook.rule(here, action)
            found.append(ruling)
            if not is_granted(ruling):
                if position is None:  # as things are in some plan
                    self.instance.tables.left_out |= unmodelled(ruling)
                break
            here = ruling.after
        return found

    def keep(self, rulings: Sequence[Ruling]) -> None:
        """Lay down what has been granted."""
        if rulings:
            self.rulings += rulings
            self.log += [ruling.action for ruling in rulings]
            self.position = rulings[-1].after

    def take(self, actions: Sequence[Action], units: Sequence[AslUnit]) -> None:
        """Lay down what is known already, told what becomes of units."""
        self.log += actions
        self.position = self.position.with_units(units)
        self.is_ruled = False

    @property
    def verdict(self) -> Verdict:
        """The referee's verdict on the log."""
        return Verdict(rulings=tuple(self.rulings), stopped=None, position=self.position)
