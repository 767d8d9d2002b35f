"""The planning part of the demonstration: a plan with its proof, and an impossible goal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.answers.plan import plans_data
from marchtable.answers.why import why_data
from marchtable.planning.goals import load_goal
from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.report.listing import print_legend
from marchtable.report.plan import print_plan
from marchtable.report.why import print_why

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from marchtable.files.scenes import Scene
    from marchtable.planning.loop import Plans

__all__ = ["demonstrate"]


def demonstrate(out: Console, scene: Scene, files: tuple[str, str, str], folder: Path) -> Plans:
    """
    Plan for one goal, and explain what forbids another.

    Parameters
    ----------
    out
        Where to print.
    scene, files
        The scene; the file names of the scene and of the two goals.
    folder
        The folder of those files.
    """
    name, goal, beyond = files
    position = scene.position
    print_legend(out, f"The best plan: marchtable plan {name} --goal {goal} --picture plan.png")
    found = plan(position, load_goal(folder / goal, position))
    print_plan(out, _shortly(plans_data(position, found)))
    print_legend(out, f"Why a goal is impossible: marchtable why {name} --goal {beyond}")
    answer = why(position, load_goal(folder / beyond, position), most=3)
    print_why(out, _shortly(why_data(position, answer)))
    return found


def _shortly(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without its sentences about the plans that were searched."""
    return answer | {"space": answer["space"] | {"policy": []}}
