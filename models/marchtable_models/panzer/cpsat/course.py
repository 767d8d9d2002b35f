"""A course: what one unit does in one go, with those whom it carries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.views.units import passengers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.planning.paths import Label
    from marchtable_models.panzer.model import PanzerUnit
    from marchtable_models.panzer.views.units import PanzerPosition

__all__ = ["Course", "End", "Leg", "Stage"]


class Leg(NamedTuple):
    """A stretch of a course: a way, or what is done with a passenger where it ends."""

    way: Label | None = None
    deed: Load | Unload | None = None
    going: tuple[str, ...] = ()


class End(NamedTuple):
    """Where a unit is when a course is over, and aboard which transport."""

    unit: str
    at: str
    aboard: str | None


class Course(NamedTuple):
    """
    What one unit does in one go, with those whom it carries.

    Parameters
    ----------
    unit
        Who acts.
    legs
        What it does, in order; nothing if it stays as it is.
    ends
        Where it and its passengers are afterwards: all whose phase this settles.
    points
        What it spends, in half points, if nobody stands in its way who could be elsewhere.
    exposure
        The threat that its units meet.
    beyond
        If it stands for others too that end elsewhere and cost no less, the hexes where they do
        not: it is *open*. None if it stands for itself.
    """

    unit: str
    legs: tuple[Leg, ...]
    ends: tuple[End, ...]
    points: int
    exposure: int
    beyond: frozenset[str] | None = None

    @property
    def is_open(self) -> bool:
        """Whether it stands for others too."""
        return self.beyond is not None

    @property
    def units(self) -> frozenset[str]:
        """All whose phase it settles."""
        return frozenset(end.unit for end in self.ends)

    @property
    def acts(self) -> int:
        """How much is done."""
        return len(self.legs)

    @property
    def known(self) -> Sequence[End]:
        """The ends that all have in common for which it stands."""
        beyond = self.beyond
        return self.ends if beyond is None else [end for end in self.ends if end.at in beyond]

    @property
    def going(self) -> frozenset[str]:
        """The units that it brings to another hex, if only on the way."""
        return frozenset(name for leg in self.legs for name in leg.going)


class Stage(NamedTuple):
    """
    A moment of a course.

    Parameters
    ----------
    position
        Who stands where, all that could be elsewhere left out.
    legs, deeds
        What was done so far, and what of it with passengers.
    points, exposure
        What it has cost.
    unloaded
        The hex where it has unloaded.
    loads
        The unit that it is still to load.
    is_open
        Whether where it was does not matter.
    """

    position: PanzerPosition
    legs: tuple[Leg, ...] = ()
    deeds: tuple[Load | Unload, ...] = ()
    points: int = 0
    exposure: int = 0
    unloaded: str | None = None
    loads: str | None = None
    is_open: bool = False

    def gone(self, unit: PanzerUnit, way: Label) -> Stage:
        """Return the stage with a way added; the position is as it was."""
        going = (unit.id, *(u.id for u in passengers(self.position, unit)))
        return self._replace(
            legs=(*self.legs, Leg(way=way, going=going)),
            points=self.points + way.spent - unit.spent,
            exposure=self.exposure + way.exposure * len(going),
        )

    def course(
        self, unit: PanzerUnit, way: Label, ends: tuple[End, ...], beyond: frozenset[str] | None
    ) -> Course:
        """Return the course that ends with a way from here."""
        gone = self.gone(unit, way)
        return Course(unit.id, gone.legs, ends, gone.points, gone.exposure, beyond)

    def handled(self, deed: Load | Unload, after: PanzerPosition, at: str | None) -> Stage:
        """Return the stage after a deed in a hex."""
        return self._replace(
            position=after,
            legs=(*self.legs, Leg(deed=deed)),
            deeds=(*self.deeds, deed),
            unloaded=at if isinstance(deed, Unload) else self.unloaded,
            loads=None if isinstance(deed, Load) else self.loads,
        )

    def opened(self) -> Stage:
        """Return the stage as one of many like it."""
        return self._replace(is_open=True)
