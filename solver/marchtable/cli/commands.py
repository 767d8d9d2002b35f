"""Commands that are not questions: boards, pictures, mutants."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.answers.answer import EXIT_CODES
from marchtable.board.board import CHANGED
from marchtable.board.cropping import CROPPED
from marchtable.codec.plain import STDIN, check_target, write_text
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.boards import (
    TURNED,
    find_board,
    is_archive,
    is_board,
    path_in,
    save_board,
)
from marchtable.files.logs import load_log
from marchtable.files.names import check_board
from marchtable.files.scenes import load_scene
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marchtable.board.board import Board
    from marchtable.rules.rulebook import Rulebook
    from marchtable.vasl import Suspicion

__all__ = [
    "check_boards", "import_boards", "new_board", "report_boards", "run_mutants", "show_scene", "worded",
]  # fmt: skip

NEXT_ROW = "/"
MOST_OF_A_KIND = 10
"""How many suspicions of one kind are listed for a board."""


def _emit(text: str, data: dict[str, Any], *, as_json: bool) -> None:
    sys.stdout.write((json.dumps(data, indent=2, ensure_ascii=False) if as_json else text) + "\n")


def worded(names: Sequence[str], ssr: Sequence[str], crop: str | None) -> list[str]:
    """Return boards as scenes name them, each with its SSR changes and its crop."""
    for field, values in (("--ssr", ssr), ("--crop", () if crop is None else (crop,))):
        if not all(one.strip() for one in values):
            raise BadInputError("expected a name, got nothing", source="command line", field=field)
    words = (f"{CHANGED}{','.join(ssr)}" if ssr else "") + (f"{CROPPED}{crop}" if crop else "")
    found = []
    for name in names:
        path = name.removesuffix(TURNED)
        found.append(name if name == NEXT_ROW else path + words + name[len(path) :])
    return found


def check_boards(names: Sequence[str], output: Path | None, *, as_json: bool) -> int:
    """
    Print what is suspicious about each board on its own, and return the exit code.

    The code is 0, or that of UNKNOWN if anything is suspicious.

    Parameters
    ----------
    names
        Archives or board files, as for :func:`import_boards`.
    output
        A board file to write as well, if any.
    as_json
        Print JSON instead of text.
    """
    if output is not None:
        save_board(_laid_out(names), output)
    boards = [(name, find_board(name)) for name in names if name != NEXT_ROW]
    found = [(name, board, _suspicions(name, board)) for name, board in boards]
    status = "UNKNOWN" if any(suspicious for *_, suspicious in found) else "LEGAL"
    lines = [
        line
        for name, _, suspicious in found
        for line in (
            f"{name}: {len(suspicious)} suspicious",
            *(f"  {line}" for line in _suspicion_lines(suspicious)),
        )
    ]
    data: dict[str, Any] = {
        "format": "marchtable/board-check/1", "status": status,
        "boards": [
            {"file": name, "name": board.name, "suspicions": msgspec.to_builtins(suspicious)}
            for name, board, suspicious in found
        ],
    }  # fmt: skip
    _emit("\n".join(lines), data, as_json=as_json)
    return EXIT_CODES[status]


def _suspicions(name: str, board: Board) -> list[Suspicion]:
    """Return the suspicions about a board, including those about the picture of a VASL archive."""
    from marchtable.vasl import suspicions
    from marchtable.vasl.picture import picture_suspicions

    path = Path(path_in(name))
    about_picture = picture_suspicions(path) if is_archive(path) else ()
    return [*about_picture, *suspicions(board)]


def _suspicion_lines(suspicious: Sequence[Suspicion]) -> Iterator[str]:
    """Yield a line for each suspicion; if a kind has many, yield how many more there are."""
    listed: Counter[str] = Counter()
    for one in suspicious:
        listed[one.kind] += 1
        if listed[one.kind] <= MOST_OF_A_KIND:
            yield str(one)
    for kind, count in listed.items():
        if count > MOST_OF_A_KIND:
            yield (
                f"{kind}: {count - MOST_OF_A_KIND} more, listed by --json; so many usually come from how the "
                "board is drawn"
            )


def import_boards(
    archives: Sequence[str], output: Path, rulebook: str | None, *, as_json: bool
) -> None:
    """
    Write a board file from VASL archives.

    Parameters
    ----------
    archives
        Paths, left to right; ``/`` begins a new row, `` r`` after a path rotates the board.
    output
        The board file to write.
    rulebook
        The rulebook whose uncovered terrain is reported.
    as_json
        Print the board's contents as JSON instead of text.
    """
    check_target(output, *archives)
    board, rules = _laid_out(archives), _rules(rulebook)
    save_board(board, output)
    _report(board, rules, str(output), as_json=as_json)


def report_boards(boards: Sequence[str], rulebook: str | None, *, as_json: bool) -> None:
    """
    Print what boards contain, and which terrain a rulebook does not cover.

    Parameters
    ----------
    boards
        Archives or board files, as for :func:`import_boards`.
    rulebook
        The rulebook.
    as_json
        Print JSON instead of text.
    """
    _report(_laid_out(boards), _rules(rulebook), None, as_json=as_json)


def _rules(name: str | None) -> Rulebook[Any, Any] | None:
    """Return the named rulebook; without a name, one that can answer, if there is any."""
    try:
        return find_rulebook(name)
    except UnknownNameError:
        if name is not None:
            raise
        return None


def _laid_out(names: Sequence[str]) -> Board:
    rows: list[list[str]] = [[]]
    for name in names:
        if name == NEXT_ROW:
            rows.append([])
        else:
            rows[-1].append(name)
    if not all(rows):
        raise BadInputError('expected at least one board in each row ("/" begins a new row)',
                            source="command line", field="BOARD")  # fmt: skip
    if len(rows) == len(rows[0]) == 1:
        return find_board(rows[0][0])
    return find_board(rows)


def _report(
    board: Board, rulebook: Rulebook[Any, Any] | None, output: str | None, *, as_json: bool
) -> None:
    from marchtable.vasl import report

    found = report(board)
    name, lacking = (rulebook.name, rulebook.uncovered(board)) if rulebook else (None, None)
    data: dict[str, Any] = {
        "format": "marchtable/board-report/1", "status": "LEGAL", "file": output,
        "rulebook": name, "uncovered": lacking,
    }  # fmt: skip
    data |= {field: getattr(found, field) for field in found.__struct_fields__}
    start = "" if output is None else f"{output}: "
    levels = "{} to {}".format(*found.levels)
    lines = [
        f"{start}board {found.name}, {found.hexes} hexes, levels {levels}, "
        f"{sum(found.roads.values())} road hexsides",
        _counted(found.terrain),
    ]
    if found.hexsides:
        lines.append(f"hexsides: {_counted(found.hexsides)}")
    if lacking is not None:
        lines.append(f"{name} does not cover: {_counted(lacking) or 'nothing of it'}")
    _emit("\n".join(lines), data, as_json=as_json)


def _counted(numbers: Mapping[str, int]) -> str:
    return "; ".join(f"{count} {name}" for name, count in numbers.items())


def new_board(size: str, output: Path | None) -> None:
    """Write a blank board of the given columns and rows to a new file."""
    from marchtable.files.blank import blank_board, size_of

    columns, rows = size_of(size)
    if output is None:
        sys.stdout.write(blank_board(columns, rows))
        return
    check_target(output)
    if output.exists():
        raise BadInputError("is there already; expected a new file", source=str(output))
    name = "".join(c for c in output.stem if c.isprintable() and c not in '"\\')
    write_text(blank_board(columns, rows, name=name, file=output.name), output)
    _emit(f"wrote {output}; draw it with: marchtable show {output}", {}, as_json=False)


def show_scene(
    scene: str, output: Path | None, unit: str | None, log: str | None, rolls: str, *, as_json: bool
) -> None:
    """
    Draw a scene, or a board alone.

    Parameters
    ----------
    scene, output
        The scene file, and the picture to write (default: a PNG named after the scene).
    unit
        Shade this unit's reach or, with `log`, draw its path.
    log
        Draw this log's path and faults.
    rolls
        Whether reach assumes that rolls succeed (``"pass"``) or avoids them.
    as_json
        Report as JSON instead of text.
    """
    from marchtable.picture import check_picture, draw, save
    from marchtable.picture.showing import scene_picture

    if scene == log == STDIN:
        raise BadInputError("standard input holds the scene or the log, not both",
                            source="command line", field="LOG")  # fmt: skip
    if output is None:
        output = Path(Path(scene).name).with_suffix(".png") if scene != STDIN else Path("scene.png")
    check_picture(output)
    if unit is None and log is None and is_board(scene):
        board = find_board(scene)
        check_board(board)
        figure = draw(board, title=board.name)
    else:
        found = load_scene(scene)
        entries = None if log is None else load_log(log, found.position, name=found.name)
        figure = scene_picture(
            found.position, unit=unit, log=entries, rolls=rolls, title=found.name
        )
    save(figure, output)
    data = {"format": "marchtable/show/1", "status": "LEGAL", "file": str(output)}
    _emit(f"wrote {output}", data, as_json=as_json)


def run_mutants(
    name: str | None, clause: str | None, tests: Sequence[Path], *, as_json: bool
) -> None:
    """
    Switch clauses off, run their tests, and record in the ledger which of them fail.

    Parameters
    ----------
    name
        The rulebook.
    clause
        Only these clauses, by id (default: all modelled clauses).
    tests
        Where the tests are.
    as_json
        Report progress on standard error, because standard output carries JSON.
    """
    from marchtable.rules.ledger import write_ledger
    from marchtable.rules.mutation import MutationRow, mutate

    def say(row: MutationRow) -> None:
        outcome = f"killed by {row.killed_by[0]}" if row.is_killed else "SURVIVES"
        if row.unfit:
            outcome += f"; also fails or is skipped without mutation: {', '.join(row.unfit)}"
        print(f"{row.clause}: {outcome}", file=sys.stderr if as_json else sys.stdout, flush=True)

    rulebook = find_rulebook(name)
    rows = mutate(rulebook, None if clause is None else clause.split(), tests=tests, report=say)
    write_ledger(rulebook, rows)


def print_contents(name: str | None, *, as_json: bool) -> None:
    """Print a rulebook's contents page: each record of facts with its clauses, in order."""
    pages: list[dict[str, Any]] = []
    for record, entries in find_rulebook(name).contents.items():
        clauses = [{"clause": e.id, "title": e.title, "where": e.location} for e in entries]
        pages.append({"record": record.__name__, "clauses": clauses})
    lines: list[str] = []
    for page in pages:
        lines.append(page["record"])
        lines += [
            f"  {one['clause']:14} {one['title']}  ({one['where']})" for one in page["clauses"]
        ]
    _emit("\n".join(lines), {"format": "marchtable/contents/1", "contents": pages}, as_json=as_json)
