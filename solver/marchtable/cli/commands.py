"""What the command line does beside asking questions: boards, pictures, mutants."""

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
"""Suspicions of one kind that are listed of a board."""


def _emit(text: str, data: dict[str, Any], *, as_json: bool) -> None:
    sys.stdout.write((json.dumps(data, indent=2, ensure_ascii=False) if as_json else text) + "\n")


def worded(names: Sequence[str], ssr: Sequence[str], crop: str | None) -> list[str]:
    """Return boards as scenes name them, each changed by SSR and cropped to a part."""
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
    Print what is suspicious about each board by itself, and return the exit code.

    That is 0, or that of UNKNOWN if anything is suspicious.

    Parameters
    ----------
    names
        Archives or board files, as for :func:`import_boards`.
    output
        The board file to write besides, if any.
    as_json
        As JSON, not as text.
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
            *(f"  {line}" for line in _of_each_kind(suspicious)),
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
    """Return the suspicions about a board, including those about a VASL archive's picture."""
    from marchtable.vasl import suspicions
    from marchtable.vasl.picture import picture_suspicions

    path = Path(path_in(name))
    about_picture = picture_suspicions(path) if is_archive(path) else ()
    return [*about_picture, *suspicions(board)]


def _of_each_kind(suspicious: Sequence[Suspicion]) -> Iterator[str]:
    """Yield a line for each suspicion, and for a kind with many the number of further ones."""
    listed: Counter[str] = Counter()
    for one in suspicious:
        listed[one.kind] += 1
        if listed[one.kind] <= MOST_OF_A_KIND:
            yield str(one)
    for kind, count in listed.items():
        if count > MOST_OF_A_KIND:
            yield (
                f"{kind}: {count - MOST_OF_A_KIND} more, listed by --json; so many are mostly how the "
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
        Paths, left to right; ``/`` begins a new row, `` r`` after a path turns the board round.
    output
        The board file to write.
    rulebook
        The rulebook that says what it does not cover.
    as_json
        Print what the board holds as JSON, not as text.
    """
    check_target(output, *archives)
    board, rules = _laid_out(archives), _rules(rulebook)
    save_board(board, output)
    _report(board, rules, str(output), as_json=as_json)


def report_boards(boards: Sequence[str], rulebook: str | None, *, as_json: bool) -> None:
    """
    Print what boards hold, and which of it a rulebook does not cover.

    Parameters
    ----------
    boards
        Archives or board files, as for :func:`import_boards`.
    rulebook
        The rulebook.
    as_json
        As JSON, not as text.
    """
    _report(_laid_out(boards), _rules(rulebook), None, as_json=as_json)


def _rules(name: str | None) -> Rulebook[Any, Any] | None:
    """Return the rulebook of that name; without a name one that can be asked, if there is any."""
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
    """Write a blank board of so many columns and rows, to a file that is not there yet."""
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
        The scene file, and the picture to write: by default a PNG of the scene's name.
    unit
        Shade its reach, or with `log` draw its way.
    log
        Draw this log's way and faults.
    rolls
        Whether reach assumes rolls passed (``"pass"``) or avoids them.
    as_json
        Say so as JSON, not as text.
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
    Switch clauses off, run the tests marked with them, and note in the ledger which notice.

    Parameters
    ----------
    name
        The rulebook.
    clause
        Only these clauses, by id; all that are modelled by default.
    tests
        Where the tests are.
    as_json
        Report on standard error, as standard output is for JSON.
    """
    from marchtable.rules.ledger import write_ledger
    from marchtable.rules.mutation import MutationRow, mutate

    def say(row: MutationRow) -> None:
        outcome = f"killed by {row.killed_by[0]}" if row.is_killed else "SURVIVES"
        if row.unfit:
            outcome += f"; fails as things are, and is no witness: {', '.join(row.unfit)}"
        print(f"{row.clause}: {outcome}", file=sys.stderr if as_json else sys.stdout, flush=True)

    rulebook = find_rulebook(name)
    rows = mutate(rulebook, None if clause is None else clause.split(), tests=tests, report=say)
    write_ledger(rulebook, rows)


def print_contents(name: str | None, *, as_json: bool) -> None:
    """Print a rulebook's contents page: for each record of facts the clauses that look at it, in order."""
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
