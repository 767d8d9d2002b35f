"""The commands ``plan`` and ``why``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path  # noqa: TC003 - typer reads it at run time
from typing import Annotated, Any, Optional

import typer

from marchtable.cli.arguments import (
    AfterArgument,
    Full,
    Interpret,
    Json,
    Rolls,
    SceneArgument,
    taken_as,
)
from marchtable.cli.guard import guarded, readings, say
from marchtable.errors import BadInputError

__all__ = ["plan", "why"]

PICTURES = frozenset(
    {".svg", ".png", ".gif", ".jpg", ".jpeg", ".bmp", ".pdf", ".tif", ".tiff", ".webp"}
)
"""Suffixes of pictures; any other suffix means a log."""
GOAL = (
    'format = "marchtable/goal/1" and, on its next line, '
    'aims = [{ units = ["sq"], at = ["H4"], must = "all" }]'
)
GoalOption = Annotated[
    str, typer.Option("--goal", metavar="GOAL", help=f"Goal file (TOML or JSON), such as: {GOAL}; - reads standard input."),
]  # fmt: skip
RollsOption = Annotated[
    Rolls, typer.Option("--rolls", help="Assume that dice rolls on the way succeed, or avoid them.")
]
SpaceOption = Annotated[
    str | None, typer.Option("--space", metavar="NAME", help="Search this space only; by default all that fit."),
]  # fmt: skip
LimitOption = Annotated[
    float,
    typer.Option(
        "--limit",
        help="Deterministic time, roughly seconds. Processor time stops it at 1.2 times this, plus 1 s.",
        min=0,
        max=100_000,
    ),
]
SeedOption = Annotated[
    int, typer.Option("--seed", help="Random seed of the CP-SAT solver.", min=0, max=2**31 - 1)
]

ConfirmOption = Annotated[
    bool,
    typer.Option(
        "--confirm/--no-confirm",
        help="Confirm each proof by a second search, which takes at most as long again.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """The arguments and options of ``plan``."""

    scene: SceneArgument
    log: AfterArgument = None
    goal: GoalOption
    space: SpaceOption = None
    rolls: RollsOption = Rolls.PASS
    best: Annotated[
        int,
        typer.Option("--best", metavar="K", help="Return up to K distinct plans.", min=1, max=1000),
    ] = 1
    pareto: Annotated[
        str | None,
        typer.Option("--pareto", metavar="A,B", help="List the plans that no other beats in two criteria, such as value,points."),
    ] = None  # fmt: skip
    limit: LimitOption = 60.0
    seed: SeedOption = 0
    confirm: ConfirmOption = True
    output: Annotated[
        Optional[Path],  # noqa: UP045 - typer reads it at run time
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the best plan as a log, after LOG's lines.",
        ),
    ] = None
    picture: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--picture", metavar="FILE", help="Draw the best plan: SVG or PNG."),
    ] = None
    interpret: Interpret = None
    full: Full = None
    as_json: Json = False  # fmt: skip


@taken_as(PlanOptions)
def plan(options: PlanOptions) -> None:
    """Find the best plan for a goal, with proof. Exits with 11 if there is none, 12 if unknown."""
    request: dict[str, Any] = {
        "verb": "plan", "scene": options.scene, "log": options.log, "goal": options.goal, "space": options.space,
        "rolls": options.rolls.value, "best": options.best,
        "pareto": _pair(options.pareto, as_json=options.as_json), "limit": options.limit, "seed": options.seed,
        "confirm": options.confirm,
        "interpretations": readings(options.interpret, as_json=options.as_json),
    }  # fmt: skip

    with guarded(as_json=options.as_json):
        _check_targets(options)

    def write(found: dict[str, Any]) -> None:
        if found["log"] or (found["plans"] and found["unsettled"] is None):
            _write(options, found)
        elif options.output is not None or options.picture is not None:
            typer.echo("marchtable: nothing written: no unit moves in the plan", err=True)

    say(request, partial(_print, full=options.full is True), as_json=options.as_json, then=write)


@dataclass(frozen=True, kw_only=True)
class WhyOptions:
    """The arguments and options of ``why``."""

    scene: SceneArgument
    log: Annotated[
        str | None,
        typer.Argument(
            metavar="[LOG]",
            help="Log file: one action a line, TOML or JSON; with --goal it is played first.",
        ),
    ] = None
    goal: Annotated[
        str | None,
        typer.Option("--goal", metavar="GOAL", help="Explain this goal instead of a log."),
    ] = None
    space: SpaceOption = None
    rolls: RollsOption = Rolls.PASS
    limit: LimitOption = 60.0
    seed: SeedOption = 0
    confirm: ConfirmOption = True
    interpret: Interpret = None
    full: Full = None
    as_json: Json = False


@taken_as(WhyOptions)
def why(given: WhyOptions) -> None:
    """Explain why a log or a goal fails. Also lists what would help."""
    request: dict[str, Any] = {
        "verb": "why", "scene": given.scene, "log": given.log, "goal": given.goal,
        "space": given.space, "rolls": given.rolls.value, "limit": given.limit, "seed": given.seed,
        "confirm": given.confirm, "interpretations": readings(given.interpret, as_json=given.as_json),
    }  # fmt: skip
    say(request, partial(_print_why, full=given.full is True), as_json=given.as_json)


def _print_why(out: Any, found: dict[str, Any], *, full: bool) -> None:
    from marchtable.report.why import print_why

    print_why(out, found if full else _folded(found))


def _folded(found: dict[str, Any]) -> dict[str, Any]:
    """Return an answer with its space reduced to the space's name."""
    space = found["space"]
    if space is None or not space["policy"]:
        return found
    policy = [f"plans of the space {space['name']}; --full describes them"]
    return {**found, "space": {**space, "policy": policy}}


def _pair(given: str | None, *, as_json: bool) -> list[str] | None:
    if given is None:
        return None
    with guarded(as_json=as_json):
        names = given.split(",")
        if len(names) != 2:
            raise BadInputError(
                f"expected two criteria, such as value,points, got {given!r}", field="--pareto"
            )
    return names


def _print(out: Any, found: dict[str, Any], *, full: bool) -> None:
    from marchtable.report.plan import print_plan

    print_plan(out, found if full else _folded(found))


def _check_targets(options: PlanOptions) -> None:
    """Reject, before the search, output files that could not be written after it."""
    from marchtable.codec.plain import STDIN, check_target

    if options.output is not None:
        if options.output.suffix.lower() in PICTURES:
            raise BadInputError(
                f"expected a log to write, such as plan.toml, got {options.output.name!r}; "
                "a picture is drawn by --picture",
                field="-o",
            )
        check_target(options.output, options.scene)
    if options.picture is not None:
        from marchtable.picture import check_picture

        check_picture(options.picture)
    if STDIN in (options.scene, options.log) and (options.output or options.picture):
        raise BadInputError("expected files where the plan is to be written or drawn")


def _write(options: PlanOptions, found: dict[str, Any]) -> None:
    """Write the best plan as a log and as a picture, if requested."""
    if options.output is None and options.picture is None:
        return
    from marchtable.files.logs import load_log, log_of, save_log
    from marchtable.files.scenes import load_scene

    scene = load_scene(options.scene)
    before = () if options.log is None else load_log(options.log, scene.position, name=scene.name)
    log = (*before, *log_of(found["log"], scene.position))
    if options.output is not None:
        save_log(log, options.output, scene=scene.name)
    if options.picture is not None:
        from marchtable.picture import save
        from marchtable.picture.showing import scene_picture

        save(scene_picture(scene.position, log=log, title=scene.name), options.picture)
