"""A side's view of the counters on a table: nothing hidden by others, or under their `?`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable.vasl.saves import Piece
from marchtable_models.asl.saved.kinds import nation_of, weapon_of
from marchtable_models.asl.saved.stacks import covered

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from marchtable.vasl.saves import Stack

__all__ = ["Look", "StackView"]


class Look(NamedTuple):
    """
    Stacks as a viewer sees them, and what they do not see.

    Parameters
    ----------
    stacks
        The stacks. One `?` per nation at the bottom stands for everything concealed; its id is
        empty.
    concealed
        The pieces concealed from them, each with its stack; hidden ones are excluded.
    """

    stacks: list[Stack]
    concealed: list[tuple[Piece, Stack]]


class StackView:
    """
    Shows stacks as a side sees them (A12.1, A12.3).

    Concealed or hidden pieces do not affect what is shown, by number, kind or order.

    Parameters
    ----------
    own
        The letters of the nations whose hidden and concealed units it sees; None for all.
    """

    def __init__(self, own: Collection[str] | None) -> None:
        self._own = own
        self._players: set[str] = set()
        """The owners of hidden or concealed units of these nations."""

    def look(self, stacks: Sequence[Stack]) -> Look:
        """Return stacks as seen, without invisible ones."""
        if self._own is None:
            return Look(list(stacks), [])
        for stack in stacks:
            for piece in stack.pieces:
                if self._is_own(piece):
                    self._players |= {piece.hidden_by, piece.masked_by} - {""}
        concealed: list[tuple[Piece, Stack]] = []
        seen = []
        for stack in stacks:
            pieces, beneath = self._parted(stack.pieces)
            concealed += ((piece, stack) for piece in beneath)
            if pieces:
                seen.append(msgspec.structs.replace(stack, pieces=pieces))
        return Look(seen, concealed)

    def hides(self, piece: Piece) -> bool:
        """Return whether a piece is completely hidden."""
        if not piece.hidden_by or self._own is None or self._is_own(piece):
            return False
        return nation_of(piece) is not None or piece.hidden_by not in self._players

    def _is_own(self, piece: Piece) -> bool:
        nation = nation_of(piece)
        return self._own is None or (nation is not None and nation.code in self._own)

    def _parted(self, pieces: Iterable[Piece]) -> tuple[tuple[Piece, ...], list[Piece]]:
        """
        Return the visible part of a stack, and the concealed part.

        SW and markers belong to the unit beneath them, and are concealed with it.
        """
        there = [piece for piece in pieces if not self.hides(piece)]
        veiled = self._veiled(there)
        seen: list[Piece] = []
        concealed: list[Piece] = []
        is_holder_seen: bool | None = None
        for number, piece in enumerate(there):
            nation = nation_of(piece)
            if piece.parts:
                is_holder_seen = None
            if veiled[number]:
                concealed.append(piece)
                is_holder_seen = False
                continue
            if piece.parts or (nation is None and piece.is_ground) or piece.masks:
                seen.append(piece)
            elif nation is not None and not _is_weapon(piece):
                seen.append(piece)
                is_holder_seen = True
            elif is_holder_seen or (
                is_holder_seen is None and not _is_beneath(number, there, veiled)
            ):
                seen.append(piece)
        concealed = [piece for piece in concealed if not _is_weapon(piece)] or concealed
        codes = sorted(set(map(_code, concealed)))
        return (*(_question(code, there[0]) for code in codes), *seen), concealed

    def _veiled(self, pieces: Sequence[Piece]) -> list[bool]:
        """
        Return which pieces are concealed.

        Pieces beneath a concealed unit of their nation are concealed too: the unit acts as a `?`.
        """
        found: list[bool] = []
        above: set[str] = set()
        for piece, is_masked in zip(reversed(pieces), reversed(covered(pieces)), strict=True):
            code = _code(piece)
            if piece.parts:
                above.clear()
            found.append(not self._is_own(piece) and (piece.masks or is_masked or code in above))
            if found[-1] and code:
                above.add(code)
        return found[::-1]


def _is_beneath(number: int, pieces: Sequence[Piece], veiled: Sequence[bool]) -> bool:
    """Return whether something concealed is above a piece, in the same place."""
    for piece, is_veiled in zip(pieces[number + 1 :], veiled[number + 1 :], strict=True):
        if piece.parts:
            return False
        if is_veiled:
            return True
    return False


def _code(piece: Piece) -> str:
    nation = nation_of(piece)
    return nation.code if nation is not None else ""


def _is_weapon(piece: Piece) -> bool:
    """Return whether a piece is a SW: even if captured, its letters are its maker's."""
    return not piece.masks and weapon_of(piece) is not None


def _question(code: str, like: Piece) -> Piece:
    """Return the `?` that stands for everything concealed of a nation."""
    return Piece(
        id="", name="?", called="?", gpid="", map=like.map, x=like.x, y=like.y,
        images=(f"{code}/",), layers=(), marks={}, nation=code, masks=True,
    )  # fmt: skip
