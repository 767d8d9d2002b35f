"""The command ``casualties``: how units under fire can take an attack's points."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - typer reads it at run time
from typing import Annotated, Any, Optional

import typer

from marchtable.cli.arguments import Interpret, Json, taken_as
from marchtable.cli.guard import guarded, readings, say
from marchtable.errors import BadInputError

__all__ = ["casualties"]

StackArgument = Annotated[
    str,
    typer.Argument(metavar="STACK", help="Scene file with the units under fire; - reads standard input."),
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LossesOptions:
    """The arguments and options of ``casualties``."""

    stack: StackArgument
    points: Annotated[
        Optional[int],  # noqa: UP045 - typer reads it at run time
        typer.Option("--points", metavar="N", help="Casualty points to take (default: those of the attack in the scene).", min=0, max=99),
    ] = None  # fmt: skip
    at: Annotated[
        str | None,
        typer.Option(
            "--hex",
            "--at",
            metavar="HEX",
            help="The hex under fire, if the scene has units in several.",
        ),
    ] = None
    origin: Annotated[
        str | None, typer.Option("--from", metavar="HEX", help="The hex the attack comes from.")
    ] = None
    opportunity: Annotated[
        bool, typer.Option("--opportunity", help="Opportunity fire: the units are moving.")
    ] = False
    every: Annotated[bool, typer.Option("--all", help="List every legal choice.")] = False
    best: Annotated[
        bool, typer.Option("--best", help="Show the best choice and the runner-up (default).")
    ] = False
    pareto: Annotated[
        bool,
        typer.Option("--pareto", help="List every choice that no other beats in all respects."),
    ] = False
    ahead: Annotated[
        str | None,
        typer.Option("--ahead", metavar="ATTACK", help="Choose the losses that are best if this attack follows."),
    ] = None  # fmt: skip
    weights: Annotated[
        str | None, typer.Option("--weights", metavar="FILE", help="File with the worth of units.")
    ] = None
    check: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--check", metavar="UNIT=RESULT", help="Judge your own choice, or losses in order (reduce sqA). May be repeated."),
    ] = None  # fmt: skip
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="N", help="How many choices to list with --all.", min=1, max=100_000
        ),
    ] = 1000
    fire_from: Annotated[
        str | None,
        typer.Option("--fire-from", metavar="HEX", help="Show how the units there best divide their fire."),
    ] = None  # fmt: skip
    output: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--output", "-o", metavar="FILE", help="Draw the stack before and after: SVG or PNG."),
    ] = None  # fmt: skip
    time: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option("--time", metavar="SECONDS", help="Time limit in seconds of processor time, file loading included; on timeout prints UNKNOWN and exits with 12.", min=0, max=100_000),
    ] = None  # fmt: skip
    interpret: Interpret = None
    as_json: Json = False  # fmt: skip


@taken_as(LossesOptions)
def casualties(options: LossesOptions) -> None:
    """List ways to take casualties, and the best. Exits with 10 for an illegal choice."""
    chosen = {"all": options.every, "best": options.best, "pareto": options.pareto}
    show = [name for name, is_chosen in chosen.items() if is_chosen]
    if not show or (options.output is not None and "best" not in show):
        show.append("best")
    alike = (
        "points",
        "at",
        "origin",
        "opportunity",
        "ahead",
        "weights",
        "limit",
        "fire_from",
        "time",
    )
    request: dict[str, Any] = {
        "verb": "casualties", "scene": options.stack, "show": show,
        **{name: getattr(options, name) for name in alike},
        "check": _proposal(options.check, as_json=options.as_json),
        "interpretations": readings(options.interpret, as_json=options.as_json),
    }  # fmt: skip

    if options.output is not None:
        with guarded(as_json=options.as_json):
            from marchtable.picture import check_picture

            check_picture(options.output)

    def draw(found: dict[str, Any]) -> None:
        if options.output is not None and "best" in found:
            from marchtable.picture import draw_stack, save

            save(draw_stack(found), options.output)

    say(request, _print, as_json=options.as_json, then=draw)


def _print(out: Any, found: dict[str, Any]) -> None:
    from marchtable.report.casualties import print_casualties

    print_casualties(out, found)


def _proposal(entries: list[str] | None, *, as_json: bool) -> list[str] | dict[str, str] | None:
    """Return a proposal: the result for each unit, or the lines of a log."""
    if not entries:
        return None
    found: dict[str, str] = {}
    with guarded(as_json=as_json):
        is_named = ["=" in entry for entry in entries]
        if not any(is_named):
            return entries
        for entry in entries:
            unit, equals, result = entry.partition("=")
            if not equals or unit in found:
                raise BadInputError(
                    f"expected UNIT=RESULT, each unit once, or only losses in order, got {entry!r}",
                    field="--check",
                )
            found[unit] = result
    return found
