"""The demonstration: logs to check, a unit's options or a stack's losses, and a picture."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from rich.text import Text

from marchtable.answers.casualties import casualties
from marchtable.answers.routes import reach_answers
from marchtable.answers.verdicts import check_answer
from marchtable.errors import BadInputError
from marchtable.files.logs import load_log, save_log
from marchtable.files.scenes import load_scene
from marchtable.play.options import options
from marchtable.report.casualties import print_casualties
from marchtable.report.check import print_check, print_options
from marchtable.report.listing import print_legend, print_reach_summary, print_units
from marchtable.report.terminal import console
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from marchtable.files.scenes import Scene

__all__ = ["run_demo"]

FILES = ("scene.toml", "legal.toml", "illegal.toml")
MIDWAY = "midway.txt"
PICTURE = "reach.png"
PLANNED = ("lift.toml", "bridge.toml", "beyond.toml")
PLAN_PICTURE = "plan.png"
STACK = "stack.toml"
STACK_PICTURE = "stack.png"
POINTS = 5


def run_demo(name: str | None, folder: Path) -> None:
    """
    Run the demonstration of a rulebook.

    Parameters
    ----------
    name
        The rulebook.
    folder
        Where to write the scene, the logs and the picture. Existing files are kept, except the
        picture.

    Raises
    ------
    BadInputError
        If the rulebook has no demonstration, or the folder cannot be written to.
    """
    rulebook = find_rulebook(name)
    if rulebook.demo is None:
        raise BadInputError(f"rulebook {rulebook.name} has no demonstration", field="rulebook")
    source = rulebook.demo
    out = console()
    out.print(Text(f"Writing files to {folder} (use -o FOLDER to change)."))
    if (source / STACK).exists():
        _copy(source, folder, (STACK,))
        _lose(out, folder)
        return
    _copy(source, folder, FILES)
    scene = load_scene(source / FILES[0])
    print_legend(out, f"{scene.name}: {rulebook.name}, board {scene.position.board.name}")
    print_units(out, scene.position)
    _judge(out, scene, source / FILES[1], "A log to check")
    _judge(out, scene, source / FILES[2], "Another, which breaks rules")
    _ask(out, scene, source / FILES[1], folder / MIDWAY)
    _reach(out, scene)
    if (source / PLANNED[0]).exists():
        _copy(source, folder, PLANNED)
        _plan(out, source, folder)
    else:
        unit = _mover(scene)
        title = f"{scene.name}: where {unit} can get to"
        _draw(out, scene, folder / PICTURE, FILES, unit=unit, title=title)
    out.print(Text(f"try: marchtable check {folder / FILES[0]} {folder / FILES[2]}"))


def _copy(source: Path, folder: Path, names: tuple[str, ...]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in names:
            if not (folder / file).exists():
                shutil.copyfile(source / file, folder / file)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadInputError(f"cannot be written to: {reason}", source=str(folder)) from None


def _judge(out: Console, scene: Scene, path: Path, title: str) -> None:
    log = load_log(path, scene.position, name=scene.name)
    print_legend(out, f"{title}: marchtable check {FILES[0]} {path.name}")
    print_check(out, check_answer(scene.position, log))


def _mover(scene: Scene) -> str:
    """Return the first unit of the side whose turn it is."""
    return str(next(u.id for u in scene.position.units if u.side == scene.position.side))


def _ask(out: Console, scene: Scene, path: Path, midway: Path) -> None:
    """Show the first unit's options a few steps into the legal log's last move."""
    log = load_log(path, scene.position, name=scene.name)[:-3]
    if not midway.exists():
        save_log(log, midway)
    position: Any = check(scene.position, log).position
    unit = _mover(scene)
    asked = f"marchtable options {FILES[0]} {MIDWAY} --unit {unit}"
    print_legend(out, f"What can {unit} still do midway? {asked}")
    print_options(out, {"format": "", **options(position, unit)})


def _reach(out: Console, scene: Scene) -> None:
    """Show where the first unit can go, and how to draw its reach."""
    unit = _mover(scene)
    print_legend(out, f"Where can {unit} get to? marchtable reach {FILES[0]} --unit {unit}")
    print_reach_summary(out, reach_answers(scene.position, [unit])[0])
    out.print(Text(f"to draw it: marchtable show {FILES[0]} --unit {unit} -o {PICTURE}"))


def _draw(out: Console, scene: Scene, picture: Path, files: tuple[str, ...], **shown: Any) -> None:
    """Draw a scene, and report the files written."""
    from marchtable.picture import WITHOUT, can_draw, save
    from marchtable.picture.showing import scene_picture

    print_legend(out, f"Drawing {picture.name}")
    if not can_draw():
        out.print(Text(f"not drawn: {WITHOUT}"))
        out.print(Text.assemble("wrote ", (", ".join(files), "bold"), f" in {picture.parent}"))
        return
    save(scene_picture(scene.position, **shown), picture)
    out.print(Text.assemble("wrote ", (str(picture), "bold"), f" and {', '.join(files)} beside it"))


def _plan(out: Console, source: Path, folder: Path) -> None:
    """Plan a small lift, draw it, and explain why another goal is impossible."""
    from marchtable.cli.plan_demo import demonstrate

    scene = load_scene(source / PLANNED[0])
    found = demonstrate(out, scene, PLANNED, source)
    title = f"{scene.name}: the best plan"
    files = (*FILES, *PLANNED)
    _draw(out, scene, folder / PLAN_PICTURE, files, log=found.plans[0].log, title=title)


def _lose(out: Console, folder: Path) -> None:
    """Show how a stack under fire can take its losses, and draw it."""
    from marchtable.picture import WITHOUT, can_draw, draw_stack, save

    scene = load_scene(folder / STACK)
    print_legend(out, f"{scene.name}: {scene.position.rulebook}, board {scene.position.board.name}")
    print_units(out, scene.position)
    at = next(str(u.at) for u in scene.position.units if u.side != scene.position.side)
    print_legend(out, f"Its losses: marchtable casualties {STACK} --points {POINTS} --hex {at}")
    found = casualties(scene.position, POINTS, at=at)
    print_casualties(out, found)
    out.print()
    if not can_draw():
        out.print(Text(f"not drawn: {WITHOUT}"))
        out.print(Text.assemble("wrote ", (str(folder / STACK), "bold")))
        return
    save(draw_stack(found), folder / STACK_PICTURE)
    out.print(
        Text.assemble("wrote ", (str(folder / STACK_PICTURE), "bold"), f" and {STACK} beside it")
    )
