"""``marchtable serve`` as a command line."""

from __future__ import annotations

import re
import sys
from pathlib import Path  # noqa: TC003 - typer reads it at run time
from typing import Annotated, Optional

import typer

from marchtable.cli.guard import guarded
from marchtable.errors import BadInputError

__all__ = ["serve"]

ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve(
    scene: Annotated[
        Optional[Path],  # noqa: UP045 - typer reads it at run time
        typer.Argument(metavar="[SCENE]", help="A scene to start games from."),
    ] = None,
    *,
    folder: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--folder",
            metavar="DIR",
            help="Folder whose scenes and boards clients can load by name.",
        ),
    ] = None,
    games: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--games", metavar="FILE", help="Keep games in this file (default: in memory)."
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            help="Address to bind. Any address other than localhost requires access tokens.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535)] = 8023,
    side: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--side",
            help="Make a token that sees only what this side sees. May be repeated.",
        ),
    ] = None,
    shows: Annotated[
        Optional[bool],  # noqa: UP045
        typer.Option(
            "--open/--no-open", help="Open the page in the browser (default: on a terminal)."
        ),
    ] = None,
    origins: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--allow-origin",
            metavar="URL",
            help="Let web pages of this site ask, e.g. https://example.org. May be repeated.",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=1, max=3600, help="Time limit of a short question.")
    ] = 10.0,
    tokens: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--tokens",
            metavar="FILE",
            help="Keep tokens in this file so that they survive a restart.",
        ),
    ] = None,
) -> None:
    """Play in the browser; answer over HTTP."""
    with guarded(as_json=False):
        try:
            from marchtable.web.serving import run
        except ModuleNotFoundError as error:
            raise BadInputError(
                f"{error.name} is not installed: pip install 'marchtable[serve]'", source="serve"
            ) from None
        from marchtable.files.scenes import load_scene
        from marchtable.service.games import check_database
        from marchtable.service.settings import Settings, library_of
        from marchtable.service.tokens import tokens_of

        for origin in origins or []:
            if not ORIGIN.fullmatch(origin):
                raise BadInputError(
                    f"expected scheme, host and port only, such as https://example.org, got {origin!r}",
                    source="--allow-origin",
                )
        for path, kind in ((scene, "is_file"), (folder, "is_dir")):
            if path is not None and not getattr(path, kind)():
                raise BadInputError("cannot be read: no such file or folder", source=str(path))
        if scene is not None:
            load_scene(scene)  # what is wrong with it is told before anybody listens
        if games is not None:
            check_database(games)
        is_here = host in LOOPBACK
        held = {} if is_here and not side and not tokens else tokens_of(side or [], tokens)
        settings = Settings(
            library=library_of(scene, folder),
            first=None if scene is None else scene.stem,
            database=games,
            tokens=held,
            hosts=Settings().hosts if is_here else (),
            origins=tuple(origins or ()),
            seconds=seconds,
            long_seconds=max(seconds, Settings().long_seconds),
        )
        run(
            settings, host, port, shows=sys.stdout.isatty() and not held if shows is None else shows
        )
