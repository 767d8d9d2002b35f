"""How the owner of units under fire may take an attack's points: the question, and who answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, Unpack

import msgspec

from marchtable.codec.plain import read, table_of
from marchtable.codec.structs import struct_of
from marchtable.errors import UnknownNameError
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import LocationName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position

__all__ = [
    "CASUALTIES_FORMAT", "WEIGHTS_FORMAT", "Amount", "CasualtiesQuestion", "casualties",
    "casualties_answer", "weights_of",
]  # fmt: skip

CASUALTIES_FORMAT = "marchtable/casualties/1"
WEIGHTS_FORMAT = "marchtable/weights/1"

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
        ``all`` lists the ways, the most valuable first, ``best`` tells the best plan and the next,
        ``pareto`` the plans that none beats in every respect.
    ahead
        An attack that follows, in the rulebook's words or as the chance of each number of points:
        the best plan is then the one that stands best after it.
    weights
        What the owner holds his units to be worth, in the rulebook's terms.
    check
        A proposal to judge: what befalls each unit, or losses in order as lines of a log.
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


class CasualtiesFields(TypedDict, total=False):
    """What may be told of a question: see :class:`CasualtiesQuestion`."""

    at: str | None
    origin: str | None
    opportunity: bool
    show: Sequence[str]
    ahead: str | Mapping[int, Amount] | None
    weights: Mapping[str, Any] | None
    check: Sequence[str] | Mapping[str, str] | None
    limit: int
    fire_from: str | None


def casualties(
    stack: Position[Any, Any], points: int | None = None, **told: Unpack[CasualtiesFields]
) -> dict[str, Any]:
    """
    Tell how an attack's points may be taken, and how best; every way told is replayed by the referee.

    Parameters
    ----------
    stack
        A position with the units under fire.
    points, told
        See :class:`CasualtiesQuestion`.

    Returns
    -------
    dict
        What ``answer`` gives for the verb ``casualties``. The status is ``OPTIMAL`` where the best
        plan was asked for, else ``LEGAL``; that of the proposal if there is one; ``UNSUPPORTED``
        for a game without such choices, ``UNKNOWN`` beyond what is searched (``why`` tells).

    Raises
    ------
    BadInputError
        If the question names what is not there, or does not fit the position.
    """
    fields: dict[str, Any] = {**told, "points": points, "weights": dict(told.get("weights") or {})}
    ahead, check = told.get("ahead"), told.get("check")
    fields["show"] = tuple(told.get("show", ("best",)))
    if ahead is not None:
        fields["ahead"] = ahead if isinstance(ahead, str) else {str(k): v for k, v in ahead.items()}
        fields["ahead"] = _plain(fields["ahead"])
    if check is not None:
        fields["check"] = dict(check) if isinstance(check, Mapping) else list(check)
    return casualties_answer(stack, struct_of(fields, CasualtiesQuestion))


def _plain(ahead: Any) -> Any:
    """Return chances as plain data: fractions as text."""
    if isinstance(ahead, str):
        return ahead
    return {k: v if isinstance(v, int | float | str) else str(v) for k, v in ahead.items()}


def casualties_answer(position: Position[Any, Any], question: CasualtiesQuestion) -> dict[str, Any]:
    """Return what the position's rulebook answers."""
    rulebook = find_rulebook(position.rulebook)
    for field in ("at", "origin", "fire_from"):
        name = getattr(question, field)
        if name is not None:
            try:
                position.board.resolve(name)
            except UnknownNameError as error:
                raise error.located(field=field) from None
    found = rulebook.casualties(position, question)
    if found is None:
        why = f"rulebook {rulebook.name} leaves its players no choice of losses that is modelled"
        found = {"status": "UNSUPPORTED", "why": why}
    return {"format": CASUALTIES_FORMAT, **found}


def weights_of(given: dict[str, Any] | str, position: Position[Any, Any]) -> dict[str, Any]:
    """
    Return weights as a table, from a file if its path is given.

    Raises
    ------
    BadInputError
        Naming the file and the field at fault.
    """
    if isinstance(given, dict):
        return given
    data, source = read(given)
    table = dict(table_of(data, WEIGHTS_FORMAT, source=source))
    del table["format"]
    kind = find_rulebook(position.rulebook).weights_type
    if kind is not None:
        struct_of(table, kind, source=source)
    return table
