"""
Scenarios to play: a scene, whose phase comes when, and what each side is after.

They lie with the rulebooks, as ``scenarios/NAME.toml`` beside the demo, and are called
``RULEBOOK/NAME``. A file of one's own will do as well::

    format = "marchtable/scenario/1"
    title = "Who is first at the house"
    scene = "house.toml"                    # beside this file
    phases = [["MPh", "german"], ["MPh", "russian"]]
    [goals.german]                          # as goal files have it
    aims = [{ side = "german", at = ["E4"] }]
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files import load
from marchtable.nearest import unknown
from marchtable.plain import read
from marchtable.planning.goal import GOAL_FORMAT
from marchtable.planning.goals import goal_of
from marchtable.rulebook import find_rulebook, rulebook_names

if TYPE_CHECKING:
    from marchtable.planning.goal import Goal
    from marchtable.position import Position

__all__ = ["FORMAT", "Scenario", "load_scenario", "scenario_ids"]

FORMAT = "marchtable/scenario/1"
FIELDS = ("format", "title", "scene", "phases", "goals", "actions")
ACTIONS = 400  # of a game, after which it is over


class Scenario(NamedTuple):
    """
    What is played.

    Parameters
    ----------
    id, title
        What it is called.
    position
        Where it starts.
    phases
        Phases and whose they are, in order; the first is the position's own.
    goals
        What each side is after; sides without a goal do nothing.
    actions
        After so many actions the game is over.
    """

    id: str
    title: str
    position: Position[Any, Any]
    phases: tuple[tuple[str, str], ...]
    goals: dict[str, Goal]
    actions: int = ACTIONS


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


def load_scenario(name: str | Path) -> Scenario:
    """
    Return a scenario by its id, or from a file.

    Raises
    ------
    UnknownNameError
        If there is no such scenario.
    BadInputError
        Naming the file, the field and what was expected there.
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
        return _made(str(name), path, data)
    except BadInputError as error:
        raise error.located(source=source) from None


def _made(name: str, path: Path, data: Any) -> Scenario:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadInputError(f"expected {FORMAT!r}", field="format")
    for field in data:
        if field not in FIELDS:
            raise UnknownNameError(unknown("field", field, FIELDS), field=field)
    scene, phases, goals = data.get("scene"), data.get("phases"), data.get("goals")
    if not isinstance(scene, str):
        raise BadInputError("expected the name of a scene file", field="scene")
    position = load(path.parent / scene)
    sides = {unit.side for unit in position.units}
    known = find_rulebook(position.rulebook).phases
    if not isinstance(phases, list) or not phases:
        raise BadInputError("expected pairs of a phase and a side", field="phases")
    for number, pair in enumerate(phases):
        field = f"phases[{number}]"
        if not isinstance(pair, list) or len(pair) != 2:
            raise BadInputError("expected a phase and a side", field=field)
        for kind, one, all_of in (("phase", pair[0], known), ("side", pair[1], sides)):
            if one not in all_of:
                raise UnknownNameError(unknown(kind, str(one), all_of), field=field)
    if tuple(phases[0]) != (position.phase, position.side):
        raise BadInputError(
            f"expected the scene's own, {position.phase} of {position.side}, first",
            field="phases[0]",
        )
    if not isinstance(goals, dict) or not goals:
        raise BadInputError("expected a goal for some side", field="goals")
    wanted = {}
    for side, goal in goals.items():
        if side not in sides:
            raise UnknownNameError(unknown("side", side, sides), field=f"goals.{side}")
        if not isinstance(goal, dict):
            raise BadInputError("expected a goal", field=f"goals.{side}")
        try:
            theirs = msgspec.structs.replace(position, side=side)  # goals are of who is to move
            wanted[side] = goal_of({"format": GOAL_FORMAT, **goal}, theirs)
        except BadInputError as error:
            inside = f"goals.{side}.{error.field}"
            raise type(error)(error.message, field=inside) from None
    most = data.get("actions", ACTIONS)
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        raise BadInputError("expected a whole number, at least 1", field="actions")
    told = tuple((str(phase), str(side)) for phase, side in phases)
    return Scenario(name, str(data.get("title", name)), position, told, wanted, most)
