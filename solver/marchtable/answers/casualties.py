"""The answer to ``casualties``: how units under fire can take an attack's points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from marchtable.arguments import public
from marchtable.codec.plain import read, table_of
from marchtable.codec.structs import struct_of
from marchtable.errors import UnknownNameError
from marchtable.rules.casualties import Amount, CasualtiesQuestion
from marchtable.rules.rulebook import Rulebook, find_rulebook, rulebook_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position

__all__ = ["CASUALTIES_FORMAT", "WEIGHTS_FORMAT", "casualties", "casualties_answer", "weights_of"]

CASUALTIES_FORMAT = "marchtable/casualties/1"
WEIGHTS_FORMAT = "marchtable/weights/1"


class CasualtiesFields(TypedDict, total=False):
    """The arguments of a question; see :class:`CasualtiesQuestion`."""

    at: str | None
    origin: str | None
    opportunity: bool
    show: Sequence[str]
    ahead: str | Mapping[int, Amount] | None
    weights: Mapping[str, Any] | None
    check: Sequence[str] | Mapping[str, str] | None
    limit: int
    fire_from: str | None


@public
def casualties(
    stack: Position[Any, Any], points: int | None = None, **given: Unpack[CasualtiesFields]
) -> dict[str, Any]:
    """
    Return the ways to take an attack's points and the best of them; the referee replays each.

    Parameters
    ----------
    stack
        A position with the units under fire.
    points, given
        See :class:`CasualtiesQuestion`.

    Returns
    -------
    dict
        The result of ``answer`` for the verb ``casualties``. The status is ``OPTIMAL`` if the best
        plan was asked for, else ``LEGAL``; with a proposal, the proposal's status; ``UNSUPPORTED``
        for a game without such choices, ``UNKNOWN`` beyond the search's limits (``why`` says why).

    Raises
    ------
    BadInputError
        If the question names something that does not exist, or does not fit the position.
    """
    fields: dict[str, Any] = {
        **given,
        "points": points,
        "weights": dict(given.get("weights") or {}),
    }
    ahead, check = given.get("ahead"), given.get("check")
    fields["show"] = tuple(given.get("show", ("best",)))
    if ahead is not None:
        fields["ahead"] = ahead if isinstance(ahead, str) else {str(k): v for k, v in ahead.items()}
        fields["ahead"] = _plain(fields["ahead"])
    if check is not None:
        fields["check"] = dict(check) if isinstance(check, Mapping) else list(check)
    return casualties_answer(stack, struct_of(fields, CasualtiesQuestion))


def _plain(ahead: Any) -> Any:
    """Return chances as plain data, with fractions as text."""
    if isinstance(ahead, str):
        return ahead
    return {k: v if isinstance(v, int | float | str) else str(v) for k, v in ahead.items()}


def casualties_answer(position: Position[Any, Any], question: CasualtiesQuestion) -> dict[str, Any]:
    """Return the answer of the position's rulebook."""
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
        able = [
            one
            for one in rulebook_names()
            if type(find_rulebook(one)).casualties is not Rulebook.casualties
        ]
        why = f"rulebook {rulebook.name} models no choice of losses; {', '.join(able)} do"
        found = {"status": "UNSUPPORTED", "why": why}
    return {"format": CASUALTIES_FORMAT, **found}


def weights_of(given: dict[str, Any] | str, position: Position[Any, Any]) -> dict[str, Any]:
    """
    Return weights as a table; read them from a file if a path is given.

    Raises
    ------
    BadInputError
        Names the file and the field at fault.
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
