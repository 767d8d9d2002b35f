"""The command ``batch``."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads it
from typing import Annotated, Optional

import typer

from marchtable.cli.guard import guarded
from marchtable.errors import BadInputError

__all__ = ["batch"]

EVERY = 20  # answers between two words on how far it is


def batch(
    requests: Annotated[
        Path, typer.Argument(metavar="REQUESTS", help="Requests as JSON, one a line.")
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Answers; those there are kept."),
    ],
    *,
    jobs: Annotated[
        Optional[int],  # noqa: UP045 - typer reads it
        typer.Option("--jobs", help="Processes; as many as cores by default.", min=1, max=1024),
    ] = None,
    dask: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--dask", metavar="ADDRESS", help="The scheduler of a Dask cluster."),
    ] = None,
    ray: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--ray", metavar="ADDRESS", help="A Ray cluster."),
    ] = None,
    as_they_come: Annotated[
        bool, typer.Option("--as-they-come", help="Write answers as they are found, out of order.")
    ] = False,
) -> None:
    """Answer a file of requests, on all cores or on a cluster; broken off, it goes on where it was."""
    with guarded(as_json=False):
        from marchtable.batch.lines import answer_lines
        from marchtable.batch.workers import of_dask, of_ray

        if sum(one is not None for one in (jobs, dask, ray)) > 1:
            raise BadInputError(
                "expected one of --jobs, --dask and --ray", source="command line", field="--jobs"
            )
        hands = of_dask(dask) if dask else of_ray(ray) if ray else None
        shown = sys.stderr.isatty()

        def progress(answered: int) -> None:
            if shown and not answered % EVERY:
                sys.stderr.write(f"\r{answered} answered")

        try:
            found = answer_lines(
                requests,
                output,
                hands=hands,
                jobs=jobs,
                in_order=not as_they_come,
                progress=progress,
            )
        finally:
            for one in hands or ():
                one.close()
        kept = f", {found.kept} were there" if found.kept else ""
        errors = f", {found.errors} of all ERROR" if found.errors else ""
        sys.stdout.write(
            f"{output}: {found.answered} answered{kept}{errors}, {found.seconds:.1f} s\n"
        )
