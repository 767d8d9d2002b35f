"""How the owner of units under fire can take an attack's points: the questions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from marchtable.state.position import LocationName

__all__ = ["Amount", "CasualtiesQuestion", "Limit", "Points", "Show"]

Amount = int | float | str
"""A number; a string may hold a fraction such as ``"5/12"``."""
Show = Literal["all", "best", "pareto"]
Points = Annotated[int, msgspec.Meta(ge=0, le=99)]
Limit = Annotated[int, msgspec.Meta(ge=1, le=100_000)]


class CasualtiesQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True
):
    """
    A question about an attack's points; a rulebook answers it.

    Parameters
    ----------
    points
        The number of points; by default those of the open attack.
    at
        The Location under fire; by default that of the open attack, or the only one with units.
    origin
        The attack's origin, if the scene does not state it.
    opportunity
        Whether the fire is at moving units; it can then spare those that stand still.
    show
        ``all`` lists the ways, the most valuable first; ``best`` gives the best plan and the
        runner-up; ``pareto`` the plans that no other equals or beats in every respect.
    ahead
        An attack that follows, in the rulebook's words or as the chance of each number of points.
        The best plan is then the one with the best result after it.
    weights
        The owner's values of units, in the rulebook's terms.
    check
        A proposal to judge: the result for each unit, or losses in order as lines of a log.
    limit
        The number of ways to list.
    fire_from
        Ask instead how the units in this Location should divide their fire among their targets.
    """

    points: Points | None = None
    at: LocationName | None = None
    origin: LocationName | None = None
    opportunity: bool = False
    show: tuple[Show, ...] = ("best",)
    ahead: str | dict[str, Amount] | None = None
    weights: dict[str, Any] = {}
    check: list[str] | dict[str, str] | None = None
    limit: Limit = 1000
    fire_from: LocationName | None = None
