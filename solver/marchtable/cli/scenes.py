"""The commands ``scene import`` and ``scene export``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - typer reads it at run time
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from marchtable.cli.arguments import (
    BoardsOption,
    Json,
    RulesOption,
    SceneArgument,
    TimeOption,
    check_boards,
    taken_as,
)
from marchtable.cli.guard import guarded, in_time
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["scene_app"]

scene_app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Import and export scenes."
)
Pairs = Optional[list[str]]  # noqa: UP045 - typer reads it at run time


@scene_app.callback()
def scene() -> None:
    """Import and export scenes."""


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """The arguments and options of ``scene import``."""

    save: Annotated[
        Path, typer.Argument(metavar="SAVE", help="VASSAL saved game or log (.vsav, .vlog).")
    ]
    boards: BoardsOption = None
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Scene file to write (default: only print a report)."),
    ] = None  # fmt: skip
    side: Annotated[
        str, typer.Option("--side", metavar="SIDE", help="Leave out what this side cannot see.")
    ] = ""
    mover: Annotated[str, typer.Option("--to-move", metavar="SIDE", help="The side to move.")] = ""
    phase: Annotated[
        str, typer.Option("--phase", metavar="PHASE", help="The phase, such as MPh.")
    ] = ""
    place: Annotated[
        Pairs,
        typer.Option("--place", metavar="UNIT=HEX", help="Place a unit of the tray. May be repeated."),
    ] = None  # fmt: skip
    values: Annotated[
        Pairs,
        typer.Option("--set", metavar="UNIT.FIELD=VALUE", help="Set a field of a unit, or conditions.FIELD. May be repeated."),
    ] = None  # fmt: skip
    counters: Annotated[
        Pairs,
        typer.Option("--counter", metavar="NAME=TYPE", help="Give the unit type of a counter that has none. May be repeated."),
    ] = None  # fmt: skip
    rulebook: RulesOption = None
    limit: TimeOption = None
    as_json: Json = False


@scene_app.command("import")
@taken_as(ImportOptions)
def scene_import(given: ImportOptions) -> None:
    """Convert a VASL saved game to a scene. Lists the counters that were left out."""
    with in_time(given.limit, as_json=given.as_json):
        check_boards(given.boards)
        from marchtable.files.saved import import_scene
        from marchtable.importing import Wishes

        wishes = Wishes(
            viewer=given.side,
            mover=given.mover,
            phase=given.phase,
            counters=_pairs(given.counters, "--counter", "NAME=TYPE"),
            place=_pairs(given.place, "--place", "UNIT=HEX"),
            values={
                path: _value(word)
                for path, word in _pairs(given.values, "--set", "UNIT.FIELD=VALUE").items()
            },
        )
        data, text = import_scene(given.save, given.boards, given.output, wishes, given.rulebook)
        typer.echo(json.dumps(data, indent=2, ensure_ascii=False) if given.as_json else text)


def _pairs(entries: Sequence[str] | None, option: str, shape: str) -> dict[str, str]:
    """Return the values of a repeated option, by name."""
    found: dict[str, str] = {}
    for entry in entries or ():
        name, equals, value = (part.strip() for part in entry.partition("="))
        if not equals or not name or not value or name in found:
            raise BadInputError(
                f"expected {shape}, each once, got {entry[:80]!r}",
                source="command line",
                field=option,
            )
        found[name] = value
    return found


def _value(word: str) -> Any:
    """Parse a word as JSON; return it unchanged if it is not JSON."""
    try:
        return json.loads(word)
    except ValueError:
        return word


@scene_app.command("export")
def scene_export(
    scene: SceneArgument,
    log: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="[LOG]", help="Log file to write after the position."),
    ] = None,
    *,
    output: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--output", "-o", metavar="FILE", help="Text file to write (default: print it)."
        ),
    ] = None,
) -> None:
    """Write a position and a log as text for people. Exits with 10 if the log is illegal."""
    with guarded(as_json=False):
        from marchtable.answers.answer import EXIT_CODES
        from marchtable.codec.plain import check_target, write_text
        from marchtable.files.logs import load_log
        from marchtable.files.scenes import load_scene
        from marchtable.report.players import players_text
        from marchtable.rules.referee import check

        if scene == log == "-":
            raise BadInputError(
                "standard input holds the scene or the log, not both",
                source="command line", field="LOG",
            )  # fmt: skip
        if output is not None:
            check_target(output, scene, *([log] if log else ()))
        found = load_scene(scene)
        verdict = None
        if log is not None:
            verdict = check(found.position, load_log(log, found.position, name=found.name))
        text = players_text(found.position, verdict)
        if output is None:
            typer.echo(text, nl=False)
        else:
            write_text(text, output)
            typer.echo(f"wrote {output}")
        raise typer.Exit(EXIT_CODES[verdict.status] if verdict is not None else 0)
