"""Check the names in a game file before judging by them."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import chain
from typing import TYPE_CHECKING

from marchtable.errors import UnknownNameError
from marchtable.nearest import unknown
from marchtable_models.asl.saved.stacks import Names
from marchtable_models.asl.saved.tables import vasl_names

if TYPE_CHECKING:
    from marchtable.rules.refereeing import GameFile

CLOSE = 0.75
"""The similarity to a known side at which a name counts as a typo."""


def check_game(game: GameFile) -> None:
    """
    Reject a game file that names an unknown unit type, nation or side.

    A nation, given by its letters, can be on a side of any name unlike a known one. Players of the
    phase counter can have any name: modules choose them freely.

    Raises
    ------
    UnknownNameError
        Naming the field and the nearest names.
    """
    Names(game.counters)
    nations = vasl_names().nation
    codes = {one.code: one.name for one in nations}
    names = dict.fromkeys(chain.from_iterable((one.name, one.bloc) for one in nations))
    known = {**names, **codes}
    own = {side for name, side in game.sides.items() if name in codes}
    for name, side in game.sides.items():
        code = next((one for one, nation in codes.items() if nation == name.lower()), name)
        if code != name and name not in codes:
            raise UnknownNameError(
                f"expected a nation by its letters, {code!r}, or a player of the phase counter",
                field=f"sides.{name}",
            )
        is_free = not get_close_matches(side, names, cutoff=CLOSE) if name in codes else side in own
        if side not in known and not is_free:
            raise UnknownNameError(unknown("side", side, known), field=f"sides.{name}")
    if game.side and game.side not in {*known, *own}:
        raise UnknownNameError(unknown("side", game.side, known), field="side")
