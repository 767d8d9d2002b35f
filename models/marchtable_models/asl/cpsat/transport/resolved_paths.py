"""Resolves paths as units stand: the cheapest, and who of them matters for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable_models.asl.cpsat.fewest import least
from marchtable_models.asl.cpsat.reached.ends import to_end, to_stand
from marchtable_models.asl.cpsat.ruled import charged, is_granted
from marchtable_models.asl.cpsat.transport.boarding import to_board
from marchtable_models.asl.extraction import modes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.reached.places import Place, Places
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Load, Offer, Trip
    from marchtable_models.asl.cpsat.transport.replay import Run
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]
    Asked = tuple[AslUnit, Any, int]

__all__ = ["PathResolver", "ResolvedPath", "broken", "standing_in", "without"]

replace = msgspec.structs.replace


class ResolvedPath(NamedTuple):
    """
    A way as units stand.

    Parameters
    ----------
    rulings
        On its steps; None if there is no way.
    spent
        Half points spent at its end.
    kept
        The others that make it dearer than it is without them, or bar it.
    """

    rulings: list[Ruling] | None
    spent: int
    kept: tuple[str, ...]


class Fault(NamedTuple):
    """
    A way that others make dearer, or bar.

    Parameters
    ----------
    run, here
        Who rules, and where everybody stands.
    actions
        The way.
    names
        Who makes it dearer.
    """

    run: Run
    here: AslPosition
    actions: tuple[Action, ...]
    names: tuple[str, ...]

    def clauses(self) -> Iterator[str]:
        """Yield the clauses that it breaks, or that charge more for it than where nobody stands about."""
        told = (self.here, without(self.here, self.names))
        return broken(*(self.run.tried(self.actions, one) for one in told))


class PathResolver:
    """
    Finds ways among others.

    Parameters
    ----------
    instance
        The problem.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._faults: tuple[Fault, ...] = ()

    def settled(
        self, run: Run, asked: Asked, told: Place, fits: Callable[[Any], bool],
        load: Load | None = None,
    ) -> ResolvedPath:  # fmt: skip
        """Return the cheapest way to a place as units now stand; `told` is without any of them."""
        name, here = asked[0].id, run.position
        self._faults = ()
        kept: tuple[str, ...] = ()
        place: Place | None = told
        while place is not None:
            actions = place.actions(name)
            rulings = run.tried(actions)
            spent = _spent(rulings, name, place.spent)
            if spent is not None and spent <= place.spent:
                return ResolvedPath(rulings, spent, kept)
            more = self._blamed(run, name, place, kept)
            if not more:  # reach knows of something that others do not make
                return ResolvedPath(None if spent is None else rulings, spent or 0, kept)
            kept += more
            place = self.places_of(here, asked, fits, kept, load).by(told.at)
        return ResolvedPath(None, 0, kept)

    def places_of(
        self, here: AslPosition, asked: Asked, fits: Callable[[Any], bool], kept: Collection[str],
        load: Load | None = None,
    ) -> Places:  # fmt: skip
        """Return the places to which a search leads among those who stand there, others left out."""
        standing = [u for u in here.units if {u.id, u.cargo.aboard, u.cargo.towed_by} & {*kept}]
        empty = self.instance.tables.empty.with_units(standing)
        if load is not None:
            empty = self.instance.with_rider(empty, load)
        found = self.instance.searched(empty, [asked], fits)[0]
        self.instance.among_others.update(found.unsupported)
        return found

    def _blamed(self, run: Run, name: str, place: Place, kept: tuple[str, ...]) -> tuple[str, ...]:
        """Return who, with those kept, makes a way dearer or bars it: as few as will do."""
        here, actions = run.position, place.actions(name)
        others = [n for n in standing_in(self.instance, here) if n not in (name, *kept)]

        def is_bad(some: Collection[str]) -> bool:
            bare = without(here, {n for n in others if n not in some})
            spent = _spent(run.tried(actions, bare), name, place.spent)
            return spent is None or spent > place.spent

        way = {here.unit(name).at, *place.entered()}
        near = [n for n in others if here.unit(n).at in way]
        alike = [n for n in near if name in self.instance.vehicles and n in self.instance.vehicles]
        one = next((n for n in alike if is_bad((n,))), None)
        found = (one,) if one is not None else least(near if is_bad(near) else others, is_bad)
        self._faults += (Fault(run, here, actions, found),)
        return found

    @property
    def clauses(self) -> Callable[[], tuple[str, ...]]:
        """What tells the clauses by which a way that was settled just now is dearer, or barred."""
        faults = self._faults
        return lambda: tuple(dict.fromkeys(c for fault in faults for c in fault.clauses()))

    # -- who sets out ------------------------------------------------------------------------------

    def asked(self, here: AslPosition, offer: Offer) -> Asked:
        """Return a unit as its walk starts: from where it stood, or where it has been left."""
        unit = here.unit(offer.unit)
        return unit, modes.mode_of(unit), unit.points.spent

    def board(self, run: Run, offer: Offer) -> ResolvedPath:
        """Return the way of a unit to the vehicle that it boards."""
        assert offer.board is not None
        return self.settled(run, self.asked(run.position, offer), offer.board, to_board)

    def walk(self, run: Run, offer: Offer) -> ResolvedPath:
        """Return the way of a unit to where it ends."""
        assert offer.walk is not None
        return self.settled(run, self.asked(run.position, offer), offer.walk, to_end)

    def drive(self, run: Run, trip: Trip) -> ResolvedPath:
        """Return the way of a vehicle."""
        assert trip.way is not None
        asked = self.instance.setting_out(trip.load)
        return self.settled(run, asked, trip.way, to_stand, trip.load)


def standing_in(instance: Instance, here: AslPosition) -> list[str]:
    """Return the plan's units that stand on the ground."""
    return [
        unit.id for unit in here.units
        if unit.id in instance.names and unit.at is not None
        and not (unit.cargo.aboard or unit.cargo.towed_by)
    ]  # fmt: skip


def without(here: AslPosition, names: Collection[str]) -> AslPosition:
    """Return the position without some units and what is aboard them."""
    if not names:
        return here
    return here.with_units([
        replace(unit, at=None)
        for unit in here.units
        if unit.id in names or unit.cargo.aboard in names or unit.cargo.towed_by in names
    ])  # fmt: skip


def _spent(rulings: Sequence[Ruling], name: str, before: int) -> int | None:
    """Return what a unit has spent after some steps, None if one was refused."""
    if not rulings:
        return before
    last = rulings[-1]
    return last.after.unit(name).points.spent if is_granted(last) else None


def broken(dear: Sequence[Ruling], plain: Sequence[Ruling]) -> Iterator[str]:
    """Yield the clauses that a way breaks, or that charge more for it than where nobody stands about."""
    yield from (v.clause for v in (*dear[-1].violations, *dear[-1].unsupported))
    paid = [charged(rulings) for rulings in (dear, plain)]
    yield from (clause for clause, amount in paid[0].items() if amount > paid[1][clause])
