"""The reader's view of the stacks of a recorded game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.vasl.saves import Stack
from marchtable_models.asl.saved.scenes import sides_of
from marchtable_models.asl.saved.sight import StackView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.refereeing import GameFile, Viewer
    from marchtable.vasl.logs import Show
    from marchtable.vasl.saves import Piece


def named(stacks: Sequence[Stack], game: GameFile) -> dict[str, str]:
    """Return the side of each nation in some stacks, named as in the game file, by its letters."""
    found = sorted(sides_of(stacks).items())
    return {code: game.sides.get(code, side) for code, side in found}


def sight_of(stacks: Sequence[Stack], game: GameFile, viewer: Viewer) -> StackView:
    """Return a reader's view, by the stacks at the start of the recording."""
    own = None
    if not viewer.reveal:
        plain = named(StackView(()).look(stacks).stacks, game)
        own = {
            code
            for code, side in named(stacks, game).items()
            if viewer.side and viewer.side in (side, plain.get(code))
        }
    return StackView(own)


def show_of(piles: Sequence[Sequence[Piece]], game: GameFile, viewer: Viewer) -> Show:
    """Return a reader's view of any stack, by those at the start of the recording."""
    stacks = [Stack(None, "", tuple(pieces)) for pieces in piles]
    sight = sight_of(stacks, game, viewer)
    sight.look(stacks)

    def show(pieces: Sequence[Piece]) -> Sequence[Piece]:
        look = sight.look([Stack(None, "", tuple(pieces))])
        return look.stacks[0].pieces if look.stacks else ()

    return show
