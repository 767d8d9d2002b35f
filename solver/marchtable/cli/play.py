"""The command ``batch``."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads it
from typing import Annotated, Optional

import typer

from marchtable.answers.answer import EXIT_CODES
from marchtable.cli.guard import guarded
from marchtable.errors import BadInputError

__all__ = ["batch"]

EVERY = 20  # answers between two progress messages


def batch(
    requests: Annotated[
        Path,
        typer.Argument(
            metavar="REQUESTS", help="File of JSON requests, one per line; - reads standard input."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Output file; existing answers are kept."
        ),
    ],
    *,
    jobs: Annotated[
        Optional[int],  # noqa: UP045 - typer reads it
        typer.Option(
            "--jobs",
            metavar="N",
            help="Number of processes (default: one per core).",
            min=1,
            max=1024,
        ),
    ] = None,
    dask: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--dask", metavar="ADDRESS", help="Use the Dask cluster with this scheduler."),
    ] = None,
    ray: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--ray", metavar="ADDRESS", help="Use this Ray cluster."),
    ] = None,
    as_they_come: Annotated[
        bool, typer.Option("--as-they-come", help="Write answers as they arrive, out of order.")
    ] = False,
) -> None:
    """Answer a file of requests on all cores. Resumes if interrupted; exits with 2 if any answer is ERROR."""
    with guarded(as_json=False):
        from marchtable.batch.lines import answer_lines
        from marchtable.batch.workers import dask_workers, ray_workers

        if sum(one is not None for one in (jobs, dask, ray)) > 1:
            raise BadInputError(
                "expected one of --jobs, --dask and --ray", source="command line", field="--jobs"
            )
        hands = dask_workers(dask) if dask else ray_workers(ray) if ray else None
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
        kept = f", {found.kept} already present" if found.kept else ""
        errors = f"; {found.errors} failed (status ERROR)" if found.errors else ""
        first = f"\nfirst error, number {found.first}" if found.first else ""
        sys.stdout.write(
            f"{output}: {found.answered} answered{kept}, {found.seconds:.1f} s{errors}{first}\n"
        )
        if found.errors:
            raise typer.Exit(EXIT_CODES["ERROR"])
