"""One unit's moves alone while the others are out of the way: the options of a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable.planning.choice.aims import held
from marchtable.planning.company import Cost
from marchtable.planning.score import FinalPlace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.planning.choice.aims import Standing
    from marchtable.planning.company import Company
    from marchtable.planning.score import Measure
    from marchtable.planning.ways import End, Way

__all__ = ["Move", "moves_of"]


class Move(NamedTuple):
    """
    A possible move of a unit.

    Parameters
    ----------
    unit, aboard
        The unit, and those that move with it.
    end
        Its end, None if it stays.
    cost
        Its least cost.
    moved
        Its contribution to this criterion.
    stands
        Where it leaves the units.
    needed
        Aim by aim, how many of them reach where an aim with a must wants them.
    heads
        How many of the plan's movers go; each is exposed.
    """

    unit: str
    aboard: tuple[str, ...]
    end: End | None
    cost: Cost
    moved: int
    stands: tuple[Standing, ...]
    needed: int
    heads: int

    @property
    def units(self) -> tuple[str, ...]:
        """All units that it decides for."""
        return (self.unit, *self.aboard)

    @property
    def acts(self) -> int:
        """Whether it moves."""
        return int(self.end is not None)

    @property
    def points(self) -> int:
        """The half points spent."""
        return self.cost.points

    @property
    def exposure(self) -> int:
        """The threat met by all units that go."""
        return self.cost.exposure * self.heads


def moves_of(company: Company, measure: Measure, unit: str) -> Iterator[Move]:
    """Yield a unit's moves, staying first."""
    at, aboard = company.position.unit(unit).at, company.aboard[unit]
    staying = ((unit, FinalPlace(at)), *((name, FinalPlace(at, carried=True)) for name in aboard))
    yield _move(company, measure, staying, None)
    for found in company.alone(unit).values():
        for way in found:
            yield _move(company, measure, company.stands(unit, way), way)


def _move(
    company: Company, measure: Measure, stands: tuple[Standing, ...], way: Way | None
) -> Move:
    """Return the move of a unit along a way, or staying without one."""
    unit = stands[0][0]
    aims = enumerate(measure.goal.aims)
    needed = sum(held(measure, n, stands) for n, aim in aims if aim.must is not None)
    heads = sum(name in measure.movers for name, _ in stands)
    rest = (0 if way is None else heads, stands, needed, heads)
    cost = Cost(0, 0) if way is None else Cost(way.points, way.exposure)
    return Move(unit, company.aboard[unit], None if way is None else way.end, cost, *rest)
