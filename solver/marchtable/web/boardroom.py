"""The board room: boards of the library and your own, joined and rotated, as a page shows them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.answers.known import known_answer
from marchtable.board.board import Board, BoardFile
from marchtable.board.joining import join, reverse
from marchtable.codec.structs import builtins_of, struct_of
from marchtable.errors import BadInputError
from marchtable.files.boards import is_board, load_board
from marchtable.files.scenes import Scene, load_scene
from marchtable.rules.rulebook import find_rulebook, rulebook_names
from marchtable.web.drawing import board_picture, palette, pieces_picture, terrain_words
from marchtable.web.hexes import facts, kinds_of, tolls
from marchtable.web.uploads import Upload, written
from marchtable.web.views import demonstration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from marchtable.rules.rulebook import Rulebook
    from marchtable.service.positions import Positions

__all__ = ["PlacedBoard", "kinds", "laid", "offered", "opened", "paid", "set_up", "taken_in"]


class PlacedBoard(msgspec.Struct, forbid_unknown_fields=True):
    """A board in a row: the library's by name, or one given in full; ``turned`` by 180 degrees."""

    named: str | None = None
    board: dict[str, Any] | None = None
    turned: bool = False


def offered(boards: Mapping[str, str]) -> list[str]:
    """
    Return the boards of a library, each by the shortest of its names.

    A file has its own name, with and without suffix, and the names that scenes use.
    """
    named = {boards[name]: name for name in sorted(boards, key=lambda one: (-len(one), one))}
    return sorted(name for path, name in named.items() if is_board(path))


def laid(positions: Positions, *, rows: list[list[Any]]) -> dict[str, Any]:
    """Return joined boards: the picture, a description of each hex, and the name for scenes."""
    boards = [
        [_board(positions, msgspec.convert(one, PlacedBoard)) for one in row] for row in rows if row
    ]
    if not boards:
        raise BadInputError("expected at least one board", field="rows")
    return _shown(boards[0][0] if len(boards) == len(boards[0]) == 1 else join(boards))


def opened(positions: Positions, *, scene: dict[str, Any]) -> dict[str, Any]:
    """Return the board of a scene in the form of `laid`, to change its set-up."""
    return _shown(positions.scene(scene).position.board)


def _shown(whole: Board) -> dict[str, Any]:
    words = _words(whole)
    hexes = {one.name: facts(whole, one.name, words) for one in whole.locations}
    return {
        "name": whole.name,
        "count": len({one.hex for one in whole.locations}),
        "svg": board_picture(whole),
        "colours": palette(),
        "hexes": hexes,
        "board": builtins_of(whole.file()),
        "rulebooks": [name for name in rulebook_names() if demonstration(find_rulebook(name))],
    }


def _words(whole: Board) -> Mapping[str, str]:
    """Return the terrain words of the rulebook that knows most of a board's terrain."""
    terrain = {one.terrain for one in whole.locations}
    return max(map(terrain_words, rulebook_names()), key=lambda words: len(terrain & words.keys()))


def paid(
    positions: Positions,  # noqa: ARG001
    *,
    board: dict[str, Any],
    rulebook: str,
    at: str,
) -> list[dict[str, Any]]:
    """
    Return the cost of entering a hex for each kind of unit in a rulebook's demonstration.

    Each is alone on the board, as in :func:`marchtable.web.hexes.tolls`, with the demonstration's
    facing; the reason why it cannot enter is listed only if it cannot enter from anywhere.
    """
    path = demonstration(find_rulebook(rulebook))
    if path is None:
        raise BadInputError(f"{rulebook} has no demonstration", field="rulebook")
    whole = Board.from_file(struct_of(board, BoardFile, source="board"))
    shown, here = load_scene(path).position, whole.resolve(at)
    found = []
    for unit in kinds_of(shown):
        alone = msgspec.structs.replace(
            shown, board=whole, side=unit.side, counters=(), pending=(),
            units=(msgspec.structs.replace(unit, at=here),),
        )  # fmt: skip
        rows = tolls(Scene(alone, "", ""), at=here)
        found += [one for one in rows if "cost" in one] or rows[:1]
    return found


def _board(positions: Positions, place: PlacedBoard) -> Board:
    if (place.named is None) == (place.board is None):
        raise BadInputError("expected named or board", field="rows")
    if place.named is not None:
        found = positions.board(place.named, None)
    else:
        found = Board.from_file(struct_of(place.board, BoardFile, source="board"))
    return reverse(found) if place.turned else found


def taken_in(positions: Positions, *, name: str, data: str) -> dict[str, Any]:  # noqa: ARG001
    """Return the board in a file, in full: a VASL archive, a board or a grid."""
    with TemporaryDirectory() as folder:
        try:
            found = load_board(written(Upload(name, data), Path(folder)))
        except BadInputError as error:
            raise BadInputError(error.message, source=name, field=error.field) from None
    return {"name": found.name, "board": builtins_of(found.file())}


def kinds(positions: Positions) -> list[dict[str, Any]]:  # noqa: ARG001
    """Return the choices for a set-up under each rulebook: its phases, sides and types of units."""
    return [
        {
            "rulebook": name,
            "phases": list(find_rulebook(name).phases),
            "phase": _phase(find_rulebook(name)),
            "sides": [
                one["name"] for one in known_answer("nationalities", rulebook=name)["entries"]
            ],
            "types": known_answer("types", rulebook=name)["entries"],
            "counters": [one["name"] for one in known_answer("counters", rulebook=name)["entries"]],
            "flags": list(_flags(find_rulebook(name).unit_type)),
        }
        for name in rulebook_names()
    ]


def _flags(kind: type[Any], before: str = "") -> Iterator[str]:
    """Yield the boolean fields of a unit, as set-ups write them: ``status.broken``."""
    for field in msgspec.structs.fields(kind):
        if field.type is bool:
            yield before + field.name
        elif isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from _flags(field.type, f"{before}{field.name}.")


def _phase(book: Rulebook[Any, Any]) -> str:
    """Return the phase of a rulebook's demonstration, in which units move."""
    path = demonstration(book)
    return book.phases[0] if path is None else load_scene(path).position.phase


def set_up(positions: Positions, *, scene: dict[str, Any]) -> dict[str, Any]:
    """Return units set up on a board as a page draws them; raise BadInputError."""
    position = positions.scene(scene).position
    units, links = pieces_picture(position)
    return {"pieces": units, "links": links}
