"""How the owner of units under fire may take an attack's points: what may be asked."""

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
    What may be asked about an attack's points; a rulebook answers.

    Parameters
    ----------
    points
        How many; by default those of the attack that is open in the scene.
    at
        The Location under fire; by default that of the open attack, or the only one with units.
    origin
        Where the attack comes from, if the scene does not say.
    opportunity
        Whether it is fire at units as they move, which may spare those that stand still.
    show
        ``all`` lists the ways, the most valuable first, ``best`` gives the best plan and the next,
        ``pareto`` the plans that none beats in every respect.
    ahead
        An attack that follows, in the rulebook's words or as the chance of each number of points:
        the best plan is then the one that stands best after it.
    weights
        What the owner holds his units to be worth, in the rulebook's terms.
    check
        A proposal to judge: what happens to each unit, or losses in order as lines of a log.
    limit
        How many ways to list.
    fire_from
        Instead of all that: how units there should divide their fire among the targets they have.
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
