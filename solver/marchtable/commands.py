"""What the command line does beside asking questions: boards, pictures, mutants."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from marchtable.boardfiles import find_board, save_board
from marchtable.errors import BadInputError
from marchtable.files import load_scene
from marchtable.logs import load_log
from marchtable.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["import_boards", "run_mutants", "show_scene"]

NEXT_ROW = "/"


def _tell(text: str, data: dict[str, Any], *, as_json: bool) -> None:
    sys.stdout.write((json.dumps(data, indent=2, ensure_ascii=False) if as_json else text) + "\n")


def import_boards(archives: Sequence[str], output: Path, *, as_json: bool) -> None:
    """
    Write a board file from VASL archives.

    Parameters
    ----------
    archives
        Paths, left to right; ``/`` begins a new row, `` r`` after a path turns the board round.
    output
        The board file to write.
    as_json
        Print what the board holds as JSON, not as text.
    """
    from marchtable.joining import join
    from marchtable.vasl import report

    rows: list[list[str]] = [[]]
    for archive in archives:
        if archive == NEXT_ROW:
            rows.append([])
        else:
            rows[-1].append(archive)
    if not all(rows):
        raise BadInputError('expected at least one archive in each row ("/" begins a new row)',
                            source="command line", field="ARCHIVE")  # fmt: skip
    boards = [[find_board(name) for name in row] for row in rows]
    board = boards[0][0] if len(boards) == len(boards[0]) == 1 else join(boards)
    save_board(board, output)
    found = report(board)
    data = {"format": "marchtable/board-report/1", "status": "LEGAL", "file": str(output)}
    data |= {name: getattr(found, name) for name in found.__struct_fields__}
    levels = "{} to {}".format(*found.levels)
    terrain = ", ".join(f"{count} {name}" for name, count in found.terrain.items())
    _tell(
        f"{output}: board {found.name}, {found.hexes} hexes, levels {levels}, "
        f"{sum(found.roads.values())} road hexsides\n{terrain}",
        data, as_json=as_json,
    )  # fmt: skip


def show_scene(
    scene: str, output: Path, unit: str | None, log: str | None, rolls: str, *, as_json: bool
) -> None:
    """
    Draw a scene.

    Parameters
    ----------
    scene, output
        The scene file, and the picture to write.
    unit
        Shade its reach, or with `log` draw its way.
    log
        Draw this log's way and faults.
    rolls
        Whether reach assumes rolls passed (``"pass"``) or avoids them.
    as_json
        Say so as JSON, not as text.
    """
    from marchtable.picture import save
    from marchtable.showing import scene_picture

    found = load_scene(scene)
    entries = None if log is None else load_log(log, found.position, name=found.name)
    figure = scene_picture(found.position, unit=unit, log=entries, rolls=rolls, title=found.name)
    save(figure, output)
    data = {"format": "marchtable/show/1", "status": "LEGAL", "file": str(output)}
    _tell(f"wrote {output}", data, as_json=as_json)


def run_mutants(name: str | None, clause: str | None, tests: Path, *, as_json: bool) -> None:
    """
    Switch clauses off, run the tests marked with them, and note in the ledger which notice.

    Parameters
    ----------
    name
        The rulebook.
    clause
        Only this clause; all that are modelled by default.
    tests
        Where the tests are.
    as_json
        Report on standard error, as standard output is for JSON.
    """
    from marchtable.ledger import write_ledger
    from marchtable.mutation import MutationRow, mutate

    def say(row: MutationRow) -> None:
        fate = f"killed by {row.killed_by[0]}" if row.is_killed else "SURVIVES"
        print(f"{row.clause}: {fate}", file=sys.stderr if as_json else sys.stdout, flush=True)

    rulebook = find_rulebook(name)
    rows = mutate(rulebook, None if clause is None else [clause], tests=tests, report=say)
    write_ledger(rulebook, rows)
