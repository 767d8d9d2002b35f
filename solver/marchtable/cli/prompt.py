"""``marchtable play``."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads it at run time
from typing import Annotated, Optional

import typer

from marchtable.answers.answer import EXIT_CODES
from marchtable.cli.arguments import SceneArgument  # noqa: TC001 - typer reads it at run time
from marchtable.cli.guard import guarded
from marchtable.errors import BadInputError

__all__ = ["play"]


def play(
    scene: SceneArgument,
    log: Annotated[
        Optional[str],  # noqa: UP045 - typer reads it at run time
        typer.Argument(metavar="[LOG]", help="Continue from this log."),
    ] = None,
    *,
    output: Annotated[
        Optional[Path],  # noqa: UP045 - typer reads it at run time
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the log here after each action (a new file, or LOG itself).",
        ),
    ] = None,
) -> None:
    """Play a scene action by action. Has undo and hints; exits with 10 if a piped line was rejected."""
    import sys

    from marchtable.codec.plain import STDIN, check_target
    from marchtable.files.logs import load_log
    from marchtable.files.scenes import load_scene
    from marchtable.prompt.session import Session
    from marchtable.prompt.terminal import converse

    with guarded(as_json=False):
        if STDIN in (scene, log):
            raise BadInputError("standard input holds what is played", source="command line")
        if output is not None:
            check_target(output)
            if output.exists() and str(output) != log:
                raise BadInputError(
                    "is there already; expected a new file, or the LOG", source=str(output)
                )
        found = load_scene(scene)
        session = Session(found, output)
        if log is not None:
            session.resume(load_log(log, found.position, name=found.name))
        converse(session)
        if output is None and session.lines and sys.stdout.isatty():
            typer.echo("\n".join(["the log (-o FILE keeps it):", *session.lines]))
        if output is not None and session.lines:
            typer.echo(f"wrote {output}")
        if session.refused and not sys.stdin.isatty():
            raise typer.Exit(EXIT_CODES["ILLEGAL"])
