"""The command ``marchtable serve``."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - typer reads it at run time
from typing import Annotated, Optional

import typer

from marchtable.cli.arguments import taken_as
from marchtable.cli.guard import guarded
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import unknown

__all__ = ["serve"]

ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class ServeOptions:
    """The arguments and options of `serve`."""

    scene: Annotated[
        Optional[Path],  # noqa: UP045 - typer reads it at run time
        typer.Argument(metavar="[SCENE]", help="A scene to start games from."),
    ] = None
    folder: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--folder",
            metavar="DIR",
            help="Folder whose scenes and boards clients can load by name.",
        ),
    ] = None
    games: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--games", metavar="FILE", help="Keep games in this file (default: in memory)."
        ),
    ] = None
    host: Annotated[
        str,
        typer.Option(
            "--host",
            help="Address to bind. Any address other than localhost requires access tokens.",
        ),
    ] = "127.0.0.1"
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8023
    side: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--side",
            help="Make a token that sees only what this side sees. May be repeated.",
        ),
    ] = None
    shows: Annotated[
        Optional[bool],  # noqa: UP045
        typer.Option(
            "--open/--no-open", help="Open the page in the browser (default: on a terminal)."
        ),
    ] = None
    origins: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--allow-origin",
            metavar="URL",
            help="Let web pages of this site send requests, such as https://example.org. May be repeated.",
        ),
    ] = None
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", min=1, max=3600, help="Seconds of processor time for a short question."
        ),
    ] = 10.0
    workers: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--workers",
            min=1,
            max=256,
            help="Processes that answer short questions (default: as many as processors).",
        ),
    ] = None
    tokens: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--tokens",
            metavar="FILE",
            help="Keep tokens in this file so that they survive a restart.",
        ),
    ] = None


def _check_sides(sides: list[str], known: list[str]) -> None:
    """Reject a side that no scene has, unless no scene is served."""
    for side in sides:
        if known and side not in known:
            where = " in any scene that is served"
            raise UnknownNameError(unknown("side", side, known, where=where), field="--side")


@taken_as(ServeOptions)
def serve(given: ServeOptions) -> None:
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

        for origin in given.origins or []:
            if not ORIGIN.fullmatch(origin):
                raise BadInputError(
                    f"expected scheme, host and port only, such as https://example.org, got {origin!r}",
                    source="--allow-origin",
                )
        for path, kind in ((given.scene, "is_file"), (given.folder, "is_dir")):
            if path is not None and not getattr(path, kind)():
                raise BadInputError("cannot be read: no such file or folder", source=str(path))
        if given.scene is not None:
            load_scene(given.scene)  # report a faulty scene before listening
        if given.games is not None:
            check_database(given.games)
        library = library_of(given.scene, given.folder)
        if given.side and not (given.games is not None and given.games.exists()):
            _check_sides(given.side, library.sides())
        is_here = given.host in LOOPBACK
        held = (
            {}
            if is_here and not given.side and not given.tokens
            else tokens_of(given.side or [], given.tokens)
        )
        settings = Settings(
            library=library,
            first=None if given.scene is None else given.scene.stem,
            database=given.games,
            tokens=held,
            hosts=Settings().hosts if is_here else (),
            origins=tuple(given.origins or ()),
            seconds=given.seconds,
            workers=given.workers or Settings().workers,
            long_seconds=max(given.seconds, Settings().long_seconds),
        )
        shows = sys.stdout.isatty() and not held if given.shows is None else given.shows
        run(settings, given.host, given.port, shows=shows)
