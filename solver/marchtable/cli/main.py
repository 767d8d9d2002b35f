"""The command line: each verb passes its question to ``answer`` and prints the result."""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from marchtable.cli.arguments import (
    AfterArgument,
    BoardsOption,
    Full,
    Interpret,
    Json,
    LogArgument,
    Rolls,
    RulesOption,
    SceneArgument,
    TimeOption,
)
from marchtable.cli.casualties import casualties
from marchtable.cli.guard import (
    guarded,
    in_time,
    is_brief,
    misused,
    print_json,
    reader_gone,
    readings,
    say,
)
from marchtable.cli.los import los
from marchtable.cli.plan import plan, why
from marchtable.cli.play import batch
from marchtable.cli.prompt import play
from marchtable.cli.protocol import engine, mcp
from marchtable.cli.scenes import scene_app
from marchtable.cli.serve import serve
from marchtable.errors import BadInputError
from marchtable.interrupts import INTERRUPTED
from marchtable_start import signals
from marchtable_start.version import version_line

if TYPE_CHECKING:
    from marchtable.answers.known import Listing

__all__ = ["app", "main"]

EXTRA = re.compile("Got unexpected extra argument")
"""Typer's message on more words than a command takes."""

app = typer.Typer(
    name="marchtable",
    help="Judge moves in hex wargames: legality with the rule, reach, options, best plans.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: rich prints "<bool>" after every flag
)
board_app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Import, write and inspect boards."
)
app.add_typer(board_app, name="board")
app.add_typer(scene_app, name="scene")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version_line())
        raise typer.Exit


@app.callback()
def marchtable(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    """Judge moves in hex wargames: legality with the rule, reach, options, best plans."""


# -- verbs -----------------------------------------------------------------------------------------


@app.command()
def check(
    scene: SceneArgument,
    log: LogArgument,
    *,
    then: Annotated[
        bool, typer.Option("--then", help="With --json, add the scene after the log.")
    ] = False,
    limit: TimeOption = None,
    interpret: Interpret = None,
    full: Full = None,
    as_json: Json = False,
) -> None:
    """Judge a log: receipts and broken rules. Exits with 0 if legal, 10 if illegal."""
    from marchtable.report.check import print_check

    chosen = readings(interpret, as_json=as_json)
    request = {
        "verb": "check", "scene": scene, "log": log, "then": then, "limit": limit,
        "interpretations": chosen,
    }  # fmt: skip
    say(request, partial(print_check, brief=is_brief(full)), as_json=as_json)


@app.command()
def referee(
    logs: Annotated[
        list[Path], typer.Argument(metavar="LOG...", help="Logs of one game (.vlog), in any order.")
    ],
    *,
    boards: BoardsOption = None,
    game: Annotated[
        Path | None,
        typer.Option(
            "--game", metavar="FILE", help="Game file: date, weather, sides, agreed steps."
        ),
    ] = None,
    viewer: Annotated[
        str,
        typer.Option("--as", metavar="SIDE", help="Name this side's hidden and concealed units."),
    ] = "",
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Name all hidden and concealed units.")
    ] = False,
    annotate: Annotated[
        Path | None,
        typer.Option(
            "--annotate",
            metavar="FILE",
            help="Write a copy of the log, with a chat line after each move that is not legal.",
        ),
    ] = None,
    limit: TimeOption = None,
    full: Full = None,
    as_json: Json = False,
) -> None:
    """Judge the moves in VASL logs. Exits with 0 if legal, 10 if illegal, 12 if unknown."""
    with in_time(limit, as_json=as_json):
        from marchtable.cli.recorded import judge_logs
        from marchtable.rules.refereeing import Viewer

        brief = is_brief(full)
        reader = Viewer(viewer, reveal=reveal)
        code = judge_logs(logs, boards, game, reader, annotate, brief=brief, as_json=as_json)
    raise typer.Exit(code)


@app.command()
def options(
    scene: SceneArgument,
    log: AfterArgument = None,
    unit: Annotated[
        str | None, typer.Option("--unit", metavar="UNIT", help="List this unit only.")
    ] = None,
    side: Annotated[
        str | None, typer.Option("--side", metavar="SIDE", help="List this side's units.")
    ] = None,
    *,
    no_reach: Annotated[
        bool,
        typer.Option("--no-reach", help="Leave out where units can get to; quicker on a new map."),
    ] = False,
    limit: TimeOption = None,
    interpret: Interpret = None,
    full: Full = None,
    as_json: Json = False,
) -> None:
    """List what units can still do and reach. Also explains why other actions are not allowed."""
    from marchtable.report.check import print_options

    chosen = readings(interpret, as_json=as_json)
    request = {
        "verb": "options",
        "scene": scene,
        "log": log,
        "unit": unit,
        "side": side,
        "reach": not no_reach,
        "limit": limit,
        "interpretations": chosen,
    }
    say(request, partial(print_options, brief=is_brief(full)), as_json=as_json)


@app.command()
def reach(
    scene: SceneArgument,
    log: AfterArgument = None,
    *,
    unit: Annotated[
        list[str],
        typer.Option("--unit", metavar="UNIT", help="The unit that moves. May be repeated."),
    ],
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="HEX", help="Print the cheapest way to HEX, or why there is none."
        ),
    ] = None,
    rolls: Annotated[
        Rolls,
        typer.Option("--rolls", help="Assume that dice rolls on the way succeed, or avoid them."),
    ] = Rolls.PASS,
    modes: Annotated[
        bool,
        typer.Option("--modes", help="With --json, list each Location in every facing and state."),
    ] = False,
    limit: TimeOption = None,
    interpret: Interpret = None,
    full: Full = None,
    as_json: Json = False,
) -> None:
    """Show where units can get to. Each unit moves alone. Exits with 11 if HEX is out of reach."""
    request: dict[str, Any] = {
        "verb": "reach", "scene": scene, "log": log, "to": to, "rolls": rolls.value, "modes": modes,
        "limit": limit, "interpretations": readings(interpret, as_json=as_json),
    }  # fmt: skip
    request["unit" if len(unit) == 1 else "units"] = unit[0] if len(unit) == 1 else unit
    say(request, partial(_print_reach, brief=is_brief(full)), as_json=as_json)


def _print_reach(out: Any, found: dict[str, Any], *, brief: bool) -> None:
    from marchtable.report.listing import print_notes, print_reach, print_reach_summary

    for number, one in enumerate(found.get("answers", [found])):
        if number:
            out.print()
        if brief and "to" not in one:
            print_reach_summary(out, one)
        else:
            print_reach(out, one)
    print_notes(out, found if "answers" in found else {})


app.command()(batch)
app.command()(casualties)
app.command()(los)
app.command()(plan)
app.command()(why)
app.command()(play)
app.command()(engine)
app.command()(mcp)
app.command()(serve)


@app.command()
def perft(
    scene: SceneArgument,
    log: AfterArgument = None,
    *,
    depth: Annotated[
        int,
        typer.Option(
            "--depth", metavar="N", help="Length of the sequences, in actions.", min=0, max=20
        ),
    ],
    divide: Annotated[
        bool, typer.Option("--divide", help="Count separately for each first action.")
    ] = False,
    limit: TimeOption = None,
    as_json: Json = False,
) -> None:
    """Count the legal sequences of actions."""
    from marchtable.report.listing import print_perft

    request = {
        "verb": "perft", "scene": scene, "log": log, "depth": depth, "divide": divide,
        "limit": limit,
    }  # fmt: skip
    say(request, print_perft, as_json=as_json)


@app.command()
def rules(
    words: Annotated[
        Optional[list[str]],  # noqa: UP045 - typer reads it at run time
        typer.Argument(
            metavar="[CLAUSE]...", help="Clause ids, chapters such as D6, or words to search for."
        ),
    ] = None,
    *,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="List which tests guard each clause.")
    ] = False,
    contents: Annotated[
        bool,
        typer.Option(
            "--contents", help="Print the clauses in the order in which they are applied."
        ),
    ] = False,
    mutate: Annotated[
        bool, typer.Option("--mutate", help="Switch each clause off and list the tests that fail.")
    ] = False,
    tests: Annotated[
        list[Path] | None,
        typer.Option(
            "--tests",
            metavar="PATH",
            help="Tests to run with --mutate (default: tests). May be repeated.",
        ),
    ] = None,
    rulebook: RulesOption = None,
    as_json: Json = False,
) -> None:
    """
    List rules, readings and their tests.

    For a clause named by its id, print its code, the tests that fail without it, and examples.
    """
    from marchtable.report.listing import print_rules

    clause = " ".join(words) if words else None
    if contents:
        with guarded(as_json=as_json):
            from marchtable.cli.commands import print_contents

            print_contents(rulebook, as_json=as_json)
        return
    if mutate:
        with guarded(as_json=as_json):
            from marchtable.cli.commands import run_mutants

            run_mutants(rulebook, clause, tests or [Path("tests")], as_json=as_json)
        coverage = True
    request = {
        "verb": "rules",
        "rulebook": rulebook,
        "clause": clause,
        "coverage": coverage,
        "examples": True,
    }
    say(request, print_rules, as_json=as_json)


@board_app.command("import")
def import_(
    archives: Annotated[
        list[str],
        typer.Argument(
            metavar="ARCHIVE...",
            help='VASL board archives, left to right; "/" starts a new row, "bd01 r" is rotated by 180 degrees.',
        ),
    ],
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Board file to write.")
    ] = None,
    ssr: Annotated[
        list[str] | None,
        typer.Option(
            "--ssr",
            metavar="SSR",
            help="Apply this SSR to every board (NoRoads, ...). May be repeated.",
        ),
    ] = None,
    crop: Annotated[
        str | None,
        typer.Option("--crop", metavar="PART", help="Crop every board to A-P, or to A1-P10."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="List suspicious hexes instead; exits with 12 if there are any."
        ),
    ] = False,
    rulebook: RulesOption = None,
    limit: TimeOption = None,
    as_json: Json = False,
) -> None:
    """Import VASL board archives. Several are joined."""
    with in_time(limit, as_json=as_json):
        from marchtable.cli.commands import check_boards, import_boards, worded

        names = worded(archives, ssr or [], crop)
        if check:
            raise typer.Exit(check_boards(names, output, as_json=as_json))
        if output is None:
            raise BadInputError(
                "expected a board file to write, or --check", source="command line", field="-o"
            )
        import_boards(names, output, rulebook, as_json=as_json)


@board_app.command("new")
def new(
    size: Annotated[str, typer.Argument(metavar="SIZE", help="Columns x rows, such as 8x6.")],
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File to write (default: print)."),
    ] = None,
) -> None:
    """Write a blank board. Comments in it explain how to fill it in."""
    with guarded(as_json=False):
        from marchtable.cli.commands import new_board

        new_board(size, output)


@board_app.command("report")
def report(
    boards: Annotated[
        list[str],
        typer.Argument(
            metavar="BOARD...", help='Archives or board files, laid out as for "import".'
        ),
    ],
    rulebook: RulesOption = None,
    limit: TimeOption = None,
    as_json: Json = False,
) -> None:
    """Count the terrain on boards. Names the kinds that the rulebook does not cover."""
    with in_time(limit, as_json=as_json):
        from marchtable.cli.commands import report_boards

        report_boards(boards, rulebook, as_json=as_json)


@app.command()
def show(
    scene: Annotated[
        str,
        typer.Argument(
            metavar="SCENE", help="Scene, board file or VASL archive; - reads standard input."
        ),
    ],
    log: Annotated[
        str | None,
        typer.Argument(metavar="[LOG]", help="Draw the moves of this log and its illegal steps."),
    ] = None,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="SVG or PNG file to write (default: SCENE's name, as PNG).",
        ),
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option(
            "--unit",
            metavar="UNIT",
            help="Shade this unit's reach; with a log, draw its moves only.",
        ),
    ] = None,
    log_option: Annotated[
        str | None, typer.Option("--log", metavar="LOG", help="Same as the argument LOG.")
    ] = None,
    rolls: Annotated[
        Rolls,
        typer.Option("--rolls", help="Assume that dice rolls on the way succeed, or avoid them."),
    ] = Rolls.PASS,
    limit: TimeOption = None,
    as_json: Json = False,
) -> None:
    """Draw a scene or a board."""
    with in_time(limit, as_json=as_json):
        from marchtable.cli.commands import show_scene

        if log is not None and log_option is not None:
            raise BadInputError("expected one log", source="command line", field="LOG")
        show_scene(scene, output, unit, log or log_option, rolls.value, as_json=as_json)


@app.command()
def schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="scene, log, board, grid, weights, goal, game or request; or an answer: check, options, reach, plan … (an unknown name lists all).",
        ),
    ],
    rulebook: RulesOption = None,
) -> None:
    """Print the JSON Schema of a file, a request or an answer."""
    with guarded(as_json=False):
        from marchtable.answers.schema import schema as schema_of

        print_json(schema_of(name, rulebook))


Word = Annotated[
    list[str] | None,
    typer.Argument(metavar="[WORD]...", help="List only entries with these words."),
]


def _listing(kind: Listing, about: str) -> None:
    """Add a command that lists valid names."""

    def listing(word: Word = None, *, rulebook: RulesOption = None, as_json: Json = False) -> None:
        with guarded(as_json=as_json):
            from marchtable.answers.known import known_answer

            found = known_answer(kind, " ".join(word or ()), rulebook)
            if as_json:
                print_json(found)
            else:
                from marchtable.report.listing import print_known
                from marchtable.report.terminal import console

                print_known(console(), found)
            raise typer.Exit(0 if found["entries"] else 2)

    app.command(kind, help=about)(listing)


_listing("types", "List unit types for scenes.")
_listing("terrain", "List terrain, hexsides, roads and letters.")
_listing("verbs", "List the actions that logs can contain.")
_listing("counters", "List counters for scenes.")
_listing("weapons", "List support weapons for scenes.")
_listing("nationalities", "List nationalities for units and sides.")


@app.command()
def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Folder to write files to.")
    ] = Path("marchtable-demo"),
    rulebook: RulesOption = None,
) -> None:
    """Run a short tour on a small board. Shows check, options, reach, plan and why."""
    with guarded(as_json=False):
        from marchtable.cli.demo import run_demo

        run_demo(rulebook, output)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # a terminal that lacks a character still gets the rest
            stream.reconfigure(errors="replace")
    signals.ready()
    try:
        code = app(standalone_mode=False)
    except typer.Abort:  # a question of typer's own was not answered
        code = INTERRUPTED
    except Exception as error:
        # Its class depends on typer's version, but it can always format itself.
        if not hasattr(error, "format_message"):
            raise
        asked = getattr(error, "ctx", None)
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(asked.get_help() if asked else error.format_message(), err=True)
            code = 2
        else:
            code = misused(
                _usage_fault(error.format_message(), asked), asked.command_path if asked else ""
            )
    code = code if isinstance(code, int) else 0
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = reader_gone()
    sys.exit(code)


def _usage_fault(message: str, asked: Any) -> str:
    """Return a fault of the command's words; what is too much is given by options, which are named."""
    if asked is None or not EXTRA.match(message):
        return message
    found = asked.command.params
    taken = [one.metavar or one.name.upper() for one in found if one.param_type_name == "argument"]
    options = [one.opts[0] for one in found if one.param_type_name == "option" and one.metavar]
    given = f"; other words follow an option ({', '.join(options)})" if options else ""
    return f"{message}; expected {' '.join(taken) or 'no words'}{given}"


if __name__ == "__main__":
    # the module instance that the other commands import
    from marchtable.cli.main import main as run

    run()
