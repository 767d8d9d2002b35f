"""The verb ``plan`` for clients: command, JSON, files, pictures, hostile input."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

import marchtable
from marchtable.answers.answer import EXIT_CODES, answer
from marchtable.cli import main as cli
from marchtable.files.logs import load_log
from marchtable.files.scenes import load, scene_data
from marchtable.planning.goals import goal_data
from tests.client.asking import ask
from tests.solver.planning.test_alone import crowd
from tests.toy_scene import scene

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

RED = marchtable.Aim(side="red", at=("B1", "A2"), worth=3)
GOAL = marchtable.Goal(aims=(RED,))
MUST = marchtable.Goal(aims=(marchtable.Aim(side="red", at=("B1",), must="all"),))
TOY = scene_data(scene())


def run(*arguments: str, stdin: str | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli.app, ["plan", *arguments], input=stdin)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with a scene and goals."""
    marchtable.save(scene(), tmp_path / "scene.toml", name="toy")
    marchtable.save(crowd(3), tmp_path / "crowd.toml")
    marchtable.save_goal(GOAL, tmp_path / "goal.toml")
    marchtable.save_goal(MUST, tmp_path / "must.toml")
    return tmp_path


def test_the_answer_tells_all_about_a_plan() -> None:
    """The answer has the score, bound and gap, the log with its receipts, the space, the assumptions."""
    found = ask("plan", scene=TOY, goal=goal_data(GOAL))
    assert (found["status"], found["log"]) == (
        "OPTIMAL", ["walk w0 B1", "walk w1 A2", "settle mud:w1 through"],
    )  # fmt: skip
    assert found["objective"] == {
        "value": 6, "distance": 0, "exposure": 0, "points": 3, "moved": 2,
    }  # fmt: skip
    assert found["bound"] == found["objective"]
    assert set(found["gap"].values()) == {0}
    assert [r["amount"] for r in found["receipts"]] == [0.5, 2.5]
    assert found["ends"][1] == {"unit": "w1", "was": "A1", "at": "A2", "spent": 2.5, "left": 1.5}
    (roll,) = found["assumed"]
    assert (roll["step"], roll["outcome"], roll["chance"], roll["of"]) == (2, "through", 5, 6)
    assert found["probability"] == pytest.approx(5 / 6)
    assert (found["space"]["name"], found["space"]["left_out"]) == ("alone", ["T6"])
    assert found["plans"] == [{key: found[key] for key in found["plans"][0]}]


def test_without_a_plan() -> None:
    """Without a plan the answer has the bound, and says whether that is proved."""
    goal = goal_data(marchtable.Goal(aims=(marchtable.Aim(side="red", at=("B2",), must=1),)))
    found = ask("plan", scene=TOY, goal=goal)
    assert (found["status"], found["plans"], found["objective"]) == ("UNSUPPORTED", [], None)
    found = ask("plan", scene=TOY, goal=goal, limit=0)
    assert (found["status"], found["bound"]["value"]) == ("UNKNOWN", 2)


def test_weights_are_of_whole_points() -> None:
    """A weighted sum counts points, not half points."""
    goal = {**goal_data(GOAL), "weights": {"value": 1, "points": 2}}
    found = ask("plan", scene=TOY, goal=goal)
    assert found["objective"]["sum"] == 3 - 2 * 0.5
    assert (found["bound"], found["gap"]) == ({"sum": 2}, {"sum": 0})


def test_several_plans_and_fronts() -> None:
    """All different plans, or a front, come in order, and the answer says whether there are more."""
    found = ask("plan", scene=TOY, goal=goal_data(GOAL), best=20)
    assert (len(found["plans"]), found["complete"]) == (8, True)
    found = ask("plan", scene=TOY, goal=goal_data(GOAL), best=2)
    assert (len(found["plans"]), found["complete"]) == (2, False)
    found = ask("plan", scene=TOY, goal=goal_data(GOAL), pareto=["value", "points"])
    points = [(p["objective"]["value"], p["objective"]["points"]) for p in found["plans"]]
    assert (points, found["complete"]) == ([(6, 3), (3, 0.5), (0, 0)], True)


def test_a_plan_is_what_check_finds_legal() -> None:
    """The log of every listed plan is legal, with the same receipts."""
    for one in ask("plan", scene=TOY, goal=goal_data(GOAL), best=8)["plans"]:
        verdict = ask("check", scene=TOY, log=one["log"])
        assert (verdict["status"], verdict["receipts"]) == ("LEGAL", one["receipts"])


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({"goal": {"format": "marchtable/goal/1", "aims": []}}, "aims"),
        ({"goal": "nowhere.toml"}, ""),
        ({"goal": goal_data(GOAL), "space": "train"}, "space"),
        ({"goal": goal_data(GOAL), "pareto": ["value", "speed"]}, "pareto[1]"),
        ({"goal": goal_data(GOAL), "best": 0}, "best"),
        ({"goal": goal_data(GOAL), "limit": -1}, "limit"),
        ({}, "goal"),
    ],
)
def test_bad_requests(request_: dict[str, Any], field: str) -> None:
    """What cannot be understood is an error that names the field."""
    found = answer({"verb": "plan", "scene": TOY, **request_}, files=True)
    assert (found["status"], found["error"]["field"]) == ("ERROR", field)


def test_strangers_name_no_files() -> None:
    """A service for strangers reads no goal from a file."""
    found = answer({"verb": "plan", "scene": TOY, "goal": "goal.toml"}, files=False)
    assert found["error"]["field"] == "goal"


def test_the_command(files: Path) -> None:
    """The command prints the steps with their cost, the final places, and the spaces searched."""
    done = run(
        str(files / "scene.toml"), "--goal", str(files / "goal.toml"), "--best", "3", "--full"
    )
    assert done.exit_code == 0
    for text in ("OPTIMAL", "value 6", "walk w1 A2", "2.5 WP", "assumed, 5/6 (T4)", "T6",
                 "Each unit moves at most once", "there may be more"):  # fmt: skip
        assert text in done.stdout
    done = run(str(files / "crowd.toml"), "--goal", str(files / "must.toml"))
    assert done.exit_code == EXIT_CODES["UNSUPPORTED"]
    done = run(str(files / "crowd.toml"), "--goal", str(files / "must.toml"), "--limit", "0")
    assert (done.exit_code, "UNKNOWN" in done.stdout) == (12, True)


def test_the_command_writes_what_is_asked_for(files: Path) -> None:
    """The best plan goes to a log file, which check takes, and into a picture with all ways."""
    done = run(
        str(files / "scene.toml"), "--goal", str(files / "goal.toml"), "--json",
        "-o", str(files / "log.toml"), "--picture", str(files / "plan.svg"),
    )  # fmt: skip
    found = json.loads(done.stdout)
    log = load_log(files / "log.toml", load(files / "scene.toml"), name="toy")
    assert [marchtable.format_action(action) for action in log] == found["log"]
    drawn = (files / "plan.svg").read_text(encoding="utf-8")
    assert 'id="path_arrow"' in drawn
    assert 'id="path_arrow_1"' in drawn
    again = run("-", "--goal", str(files / "goal.toml"), "-o", str(files / "log.toml"),
                stdin=(files / "scene.toml").read_text())  # fmt: skip
    assert again.exit_code == 2


@pytest.mark.parametrize("pair", ["value", "value,speed", "value,value", "value,points,moved"])
def test_the_command_rejects_other_pairs(pair: str, files: Path) -> None:
    """A front is of two different criteria."""
    done = run(str(files / "scene.toml"), "--goal", str(files / "goal.toml"), "--pareto", pair)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
