"""The reader's view of the stacks of a recorded game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.vasl.saves import Stack
from marchtable_models.asl.saved.scenes import sides_of
from marchtable_models.asl.saved.sight import Sight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.refereeing import Viewer, GameFile
    from marchtable.vasl.logs import Show
    from marchtable.vasl.saves import Piece


def named(stacks: Sequence[Stack], game: GameFile) -> dict[str, str]:
    """Return the side of each nation in some stacks, named as in the game file, by its letters."""
    found = sorted(sides_of(stacks).items())
    return {code: game.sides.get(code, side) for code, side in found}


def sight_of(stacks: Sequence[Stack], game: GameFile, eyes: Viewer) -> Sight:
    """Return a reader's view, by the stacks at the start of the recording."""
    own = None
    if not eyes.reveal:
        plain = named(Sight(()).look(stacks).stacks, game)
        own = {
            code
            for code, side in named(stacks, game).items()
            if eyes.viewer and eyes.viewer in (side, plain.get(code))
        }
    return Sight(own)


def show_of(piles: Sequence[Sequence[Piece]], game: GameFile, eyes: Viewer) -> Show:
    """Return a reader's view of any stack, by those at the start of the recording."""
    stacks = [Stack(None, "", tuple(pieces)) for pieces in piles]
    sight = sight_of(stacks, game, eyes)
    sight.look(stacks)

    def show(pieces: Sequence[Piece]) -> Sequence[Piece]:
        look = sight.look([Stack(None, "", tuple(pieces))])
        return look.stacks[0].pieces if look.stacks else ()

    return show
