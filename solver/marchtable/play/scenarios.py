"""
Scenarios to play: a scene, the order of phases, and each side's goal.

They are in the rulebooks, as ``scenarios/NAME.toml`` beside the demo, and are named
``RULEBOOK/NAME``. You can also write your own file::

    format = "marchtable/scenario/1"
    title = "Who is first at the house"
    scene = "house.toml"                    # beside this file
    phases = [["MPh", "german"], ["MPh", "russian"]]
    [goals.german]                          # as in goal files
    aims = [{ side = "german", at = ["E4"] }]
    [goals.russian]
    aims = [{ side = "russian", at = ["E4"] }]

Each side with a phase needs a goal. If a side only passes its phases, name it in ``idle`` instead.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from marchtable.arguments import public
from marchtable.codec.plain import checked, read, table_of
from marchtable.codec.structs import struct_of
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.scenes import load
from marchtable.nearest import unknown
from marchtable.planning.goals import goal_of
from marchtable.rules.rulebook import find_rulebook, rulebook_names
from marchtable.state.goal import GOAL_FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["FORMAT", "Scenario", "check_goals", "load_scenario", "scenario_ids"]

FORMAT = "marchtable/scenario/1"
ACTIONS = 400  # actions after which a game is over


class _File(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True,
    tag_field="format", tag=FORMAT,
):  # fmt: skip
    """A scenario as a file."""

    scene: str
    phases: tuple[tuple[str, str], ...]
    goals: dict[str, dict[str, Any]]
    idle: tuple[str, ...] = ()
    title: str = ""
    actions: Annotated[int, msgspec.Meta(ge=1)] = ACTIONS


class Scenario(NamedTuple):
    """
    A scenario.

    Parameters
    ----------
    id, title
        Its id and title.
    position
        The starting position.
    phases
        Phases with their sides, in order; the first is the position's own.
    goals
        Each side's goal.
    actions
        The number of actions after which the game is over.
    idle
        The sides without a goal whose phases are passed; every other side with a phase has a goal.
    """

    id: str
    title: str
    position: Position[Any, Any]
    phases: tuple[tuple[str, str], ...]
    goals: dict[str, Goal]
    actions: int = ACTIONS
    idle: tuple[str, ...] = ()


def check_goals(scenario: Scenario) -> None:
    """Raise BadInputError if a side with a phase has no goal and is not idle, or is both."""
    for side in dict.fromkeys(side for _, side in scenario.phases):
        if side not in scenario.goals and side not in scenario.idle:
            raise BadInputError(
                f"phases name {side}, which has no goal: add [goals.{side}] or, if {side} passes "
                f'all its phases, idle = ["{side}"]',
                field="goals",
            )
    for number, side in enumerate(scenario.idle):
        if side in scenario.goals:
            raise BadInputError(
                f"{side} has a goal: remove it here, or remove [goals.{side}]",
                field=f"idle[{number}]",
            )


def _folder(rulebook: str) -> Path | None:
    demo = find_rulebook(rulebook).demo
    return None if demo is None else demo.parent / "scenarios"


def scenario_ids() -> list[str]:
    """Return the ids of all scenarios that come with the rulebooks."""
    found = []
    for name in rulebook_names():
        folder = _folder(name)
        if folder is not None and folder.is_dir():
            found += [f"{name}/{path.stem}" for path in sorted(folder.glob("*.toml"))]
    return found


@public
def load_scenario(name: str | Path) -> Scenario:
    """
    Return a scenario by its id, or from a file.

    Raises
    ------
    UnknownNameError
        If there is no such scenario.
    BadInputError
        Names the file, the field and what was expected there.
    """
    path = Path(name)
    if path.suffix != ".toml":
        if str(name) not in scenario_ids():
            raise UnknownNameError(unknown("scenario", str(name), scenario_ids()))
        rulebook, _, stem = str(name).partition("/")
        folder = _folder(rulebook)
        assert folder is not None
        path = folder / f"{stem}.toml"
    data, source = read(path)
    try:
        return _made(str(name), path, data, source)
    except BadInputError as error:
        raise error.located(source=source) from None


def _made(name: str, path: Path, data: Any, source: str) -> Scenario:
    file: _File = struct_of(table_of(checked(data, source=source), FORMAT, source=source), _File)
    position = load(path.parent / file.scene)
    sides = dict.fromkeys(unit.side for unit in position.units)
    phases = find_rulebook(position.rulebook).phases
    named: list[tuple[str, str, Iterable[str], str]] = []
    for number, (phase, side) in enumerate(file.phases):
        field = f"phases[{number}]"
        named += [("phase", phase, phases, field), ("side", side, sides, field)]
    named += [("side", one, sides, f"idle[{number}]") for number, one in enumerate(file.idle)]
    for kind, one, known, field in named:
        if one not in known:
            raise UnknownNameError(unknown(kind, one, known), field=field)
    if file.phases[:1] != ((position.phase, position.side),):
        raise BadInputError(
            f"expected the scene's own, {position.phase} of {position.side}, first", field="phases"
        )
    goals = {}
    for side, goal in file.goals.items():
        if side not in sides:
            raise UnknownNameError(unknown("side", side, sides), field=f"goals.{side}")
        theirs = msgspec.structs.replace(position, side=side)  # a goal is for the side to move
        try:
            goals[side] = goal_of({"format": GOAL_FORMAT, **goal}, theirs, source="")
        except BadInputError as error:
            field = f"goals.{side}.{error.field}".rstrip(".")
            raise type(error)(error.message, field=field) from None
    if not goals:
        raise BadInputError("expected a goal for some side", field="goals")
    title = file.title or name
    made = Scenario(name, title, position, file.phases, goals, file.actions, file.idle)
    check_goals(made)
    return made
