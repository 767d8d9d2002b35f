"""The command ``los``: lines of sight in a scene or over a board, for one pair or a table."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - typer reads it at run time
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from marchtable.cli.arguments import Interpret, Json, RulesOption, TimeOption, taken_as
from marchtable.cli.guard import in_time, print_json, readings, say
from marchtable.codec.plain import STDIN
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.board.board import Board
    from marchtable.state.position import Position

__all__ = ["los"]

COLUMNS = ("from", "from_level", "to", "to_level")
FOUND = ("sight", "hex", "hindrance", "clause")
MOST_PAIRS = 1_000_000
COMMAND = "command line"


@dataclass(frozen=True, kw_only=True)
class LosOptions:
    """The arguments and options of ``los``."""

    scene: Annotated[
        str,
        typer.Argument(metavar="SCENE", help="Scene file, or a board (VASL archive or board file); - reads standard input."),
    ]  # fmt: skip
    origin: Annotated[
        Optional[str],  # noqa: UP045 - typer reads it at run time
        typer.Argument(metavar="[FROM]", help="A unit, or a hex, with @LEVEL if not on its ground (K5@1). Alone: all that this unit sees."),
    ] = None  # fmt: skip
    to: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="[TO]", help="A unit or a hex, written like FROM."),
    ] = None
    pairs: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--pairs", metavar="FILE", help="Table of pairs: tab-separated columns from, from_level, to, to_level; - reads standard input."),
    ] = None  # fmt: skip
    output: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("-o", "--output", metavar="FILE", help="Draw the lines of sight, too: an SVG or PNG."),
    ] = None  # fmt: skip
    rulebook: RulesOption = None
    limit: TimeOption = None
    interpret: Interpret = None
    as_json: Json = False


@taken_as(LosOptions)
def los(given: LosOptions) -> None:
    """Find lines of sight. Each is clear, blocked, close (within a pixel) or unknown."""
    from marchtable.files.boards import is_board

    plain = given.pairs is None and given.output is None and given.origin is not None
    if plain and not is_board(given.scene):
        _on_scene(given)
        return
    with in_time(given.limit, as_json=given.as_json):
        if given.output is not None:
            from marchtable.picture import check_picture

            check_picture(given.output)
        try:
            found = _on_board(given) if is_board(given.scene) else _scene_answer(given)
        except BadInputError as error:
            raise _at_line(given, error) from None
        if given.as_json:
            print_json(found)
        elif given.pairs is not None:
            _print_table(found)
        else:
            _print(None, found)


def _at_line(given: LosOptions, error: BadInputError) -> BadInputError:
    """Return an error about a pair, naming its line in the table."""
    number = re.fullmatch(r"pairs\[(\d+)\]", error.field)
    if given.pairs is None or number is None:
        return error
    source = "standard input" if given.pairs == STDIN else given.pairs
    return type(error)(error.message, source=source, field=f"line {int(number[1]) + 2}")


def _on_scene(given: LosOptions) -> None:
    """Print what a scene's units see."""
    asked = {"unit": given.origin} if given.to is None else {"origin": given.origin, "to": given.to}
    request: dict[str, Any] = {
        "verb": "los", "scene": given.scene, **asked, "limit": given.limit,
        "interpretations": readings(given.interpret, as_json=given.as_json),
    }  # fmt: skip
    say(request, _print, as_json=given.as_json)


def _scene_answer(given: LosOptions) -> dict[str, Any]:
    """Return lines of sight in a scene; draw them too if a picture was requested."""
    from marchtable.answers.los import los_answer
    from marchtable.answers.requests import LosRequest
    from marchtable.files.scenes import load_scene

    asked: dict[str, Any] = {"unit": given.origin}
    if given.pairs is None and given.origin is None:
        raise BadInputError(
            "expected a unit, two places, or --pairs FILE", source=COMMAND, field="FROM"
        )
    if given.pairs is not None:
        asked = {"pairs": _read(given)}
    elif given.to is not None:
        asked = {"origin": given.origin, "to": given.to}
    position = load_scene(given.scene).position
    found = los_answer(position, LosRequest(scene=given.scene, **asked))
    _draw(given, position.board, found, position)
    return found


def _draw(
    given: LosOptions, board: Board, found: dict[str, Any], position: Position[Any, Any] | None
) -> None:
    """Draw lines of sight to the requested file, if any."""
    if given.output is not None:
        from marchtable.picture import save
        from marchtable.picture.showing import los_picture

        save(los_picture(board, found, position), given.output)


def _on_board(given: LosOptions) -> dict[str, Any]:
    """Return lines of sight over an empty board."""
    from marchtable.answers.los import board_los
    from marchtable.files.boards import find_board
    from marchtable.play.sighting import spot
    from marchtable.rules.rulebook import find_rulebook

    if given.pairs is None and (given.origin is None or given.to is None):
        raise BadInputError(
            "expected two hexes, or --pairs FILE, as a board has no units",
            source=COMMAND,
            field="FROM",
        )
    pairs = _read(given) if given.pairs is not None else None
    board, rulebook = find_board(given.scene), find_rulebook(given.rulebook)
    if pairs is None:
        places = [spot(board, given.origin or "", "FROM"), spot(board, given.to or "", "TO")]
        pairs = [(places[0].at, places[0].height / 2, places[1].at, places[1].height / 2)]
    found = board_los(board, rulebook, pairs)
    _draw(given, board, found, None)
    return found


def _read(given: LosOptions) -> list[tuple[str, float, str, float]]:
    """Read a table of pairs."""
    from marchtable.codec.plain import read_text

    if given.origin is not None or given.to is not None:
        raise BadInputError(
            "expected two places or --pairs, not both", source=COMMAND, field="FROM"
        )
    if given.pairs == given.scene == STDIN:
        raise BadInputError(
            "standard input holds the scene or the pairs, not both", source=COMMAND, field="--pairs"
        )
    text, source = read_text(str(given.pairs))
    return pairs_in(text, source)


def pairs_in(text: str, source: str) -> list[tuple[str, float, str, float]]:
    """
    Read pairs from a table's text.

    Raises
    ------
    BadInputError
        Names the line and what was expected there.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines or tuple(lines[0].split("\t")) != COLUMNS:
        raise BadInputError(
            f"expected a header with the columns {', '.join(COLUMNS)}, in this order and separated by tabs, "
            f"got {repr(lines[0][:80]) if lines else 'an empty file'}",
            source=source,
            field="line 1",
        )
    if len(lines) - 1 > MOST_PAIRS:
        raise BadInputError(f"expected at most {MOST_PAIRS:,} pairs", source=source)
    found = []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            raise BadInputError(
                "a blank line between the rows: remove it", source=source, field=f"line {number}"
            )
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            raise BadInputError(
                f"expected {len(COLUMNS)} columns separated by tabs, got {len(cells)}",
                source=source, field=f"line {number}",
            )  # fmt: skip
        found.append((cells[0], _level(cells[1], source, number), cells[2],
                      _level(cells[3], source, number)))  # fmt: skip
    return found


def _level(cell: str, source: str, number: int) -> float:
    try:
        return float(cell)
    except ValueError:
        raise BadInputError(
            f"expected a level such as 0, -1 or 1.5, got {cell!r}",
            source=source,
            field=f"line {number}",
        ) from None


def _print_table(found: dict[str, Any]) -> None:
    """Print one tab-separated row per pair."""

    def rows() -> Iterable[str]:
        yield "\t".join((*COLUMNS, *FOUND))
        for one in found["sights"]:
            cells = (one[name] for name in (*COLUMNS, *FOUND))
            yield "\t".join("" if cell is None else str(cell) for cell in cells)

    sys.stdout.write("\n".join(rows()) + "\n")


def _print(out: Any, found: dict[str, Any]) -> None:
    from marchtable.report.los import print_los
    from marchtable.report.terminal import console

    print_los(console() if out is None else out, found)
