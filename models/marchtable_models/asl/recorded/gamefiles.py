"""What a game file names, checked before anything is judged by it."""

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
"""How like a known side another name must be to be taken for a slip of the pen."""


def check_game(game: GameFile) -> None:
    """
    Refuse a game file that names a unit type, a nation or a side that there is not.

    A nation, by its letters, may be on a side of any name that is not like a known one. Players of
    the phase counter have any name: a module may name them as it likes.

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
