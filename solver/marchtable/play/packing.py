"""Positions as few bytes: the board is named by its hash and sent once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import fields

from marchtable.arguments import public
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import Counter, Obligation, Position

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable.board.board import Board

__all__ = ["pack", "unpack"]

_FIELDS = [name for name in Position.__struct_fields__ if name not in ("rulebook", "board")]


@public
def pack(position: Position[Any, Any]) -> bytes:
    """Return a position as bytes, with the board's digest in its place."""
    packed = [_brief(getattr(position, name)) for name in _FIELDS]
    return msgspec.msgpack.encode([position.rulebook, position.board.digest, *packed])


def _brief(value: Any) -> Any:
    """Return plain data without default values."""
    if isinstance(value, tuple):
        return [_brief(one) for one in value]
    if not isinstance(value, msgspec.Struct):
        return value
    kept = (
        (called, getattr(value, name), default) for name, called, default in _fields(type(value))
    )
    return {called: _brief(own) for called, own, default in kept if own != default}


@cache
def _fields(kind: type[msgspec.Struct]) -> list[tuple[str, str, Any]]:
    """Return the fields of a struct, their names in data, and their defaults."""
    return [(field.name, field.encode_name, field.default) for field in fields(kind)]


@public
def unpack(packed: bytes, boards: Mapping[str, Board]) -> Position[Any, Any]:
    """
    Return a position packed by :func:`pack`.

    Parameters
    ----------
    packed
        Its bytes.
    boards
        Boards by their ``digest``.

    Raises
    ------
    UnknownNameError
        If its board is not among them.
    """
    try:
        rulebook, digest, *packed_fields = msgspec.msgpack.decode(packed)
    except (msgspec.DecodeError, TypeError, ValueError):
        raise BadInputError("expected a packed position", field="packed") from None
    board = boards.get(digest)
    if board is None:
        raise UnknownNameError(f"expected the board with the digest {digest} first", field="boards")
    book = find_rulebook(rulebook)
    types = (
        tuple[book.unit_type, ...], str, str, book.conditions_type, int, tuple[Counter, ...],  # type: ignore[name-defined]
        tuple[tuple[str, str], ...], tuple[Obligation, ...],
    )  # fmt: skip
    made = [msgspec.convert(one, kind) for one, kind in zip(packed_fields, types, strict=True)]
    return Position(rulebook=rulebook, board=board, **dict(zip(_FIELDS, made, strict=True)))
