"""The verb ``why`` for clients: command, JSON, hostile input."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

import marchtable
from marchtable.answers import why as answers_why
from marchtable.answers.answer import answer
from marchtable.cli import main as cli
from marchtable.cpsat.harness import Stop
from marchtable.files.scenes import scene_data
from marchtable.planning.goals import goal_data
from marchtable.report.why import print_why
from marchtable.state.goal import Aim, Goal
from tests.client.asking import ask
from tests.solver.planning.test_alone import crowd
from tests.solver.planning.test_why import DRY, dry
from tests.toy_scene import scene

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

TOY = scene_data(scene())
CROWD = scene_data(dry(crowd(3)))
GOAL = goal_data(DRY)


def run(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli.app, ["why", *arguments])


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with a scene, a goal and logs."""
    marchtable.save(scene(), tmp_path / "scene.toml", name="toy")
    marchtable.save(dry(crowd(3)), tmp_path / "crowd.toml")
    marchtable.save_goal(DRY, tmp_path / "goal.toml")
    for name, log in (("good", '"walk w0 B1"'), ("bad", '"walk w0 B1", "walk w2 A1"')):
        (tmp_path / f"{name}.toml").write_text(f'format = "marchtable/log/1"\nlog = [{log}]\n')
    return tmp_path


def test_an_illegal_log() -> None:
    """Every violation is reported as by check, with the first faulty step."""
    log = ["walk w0 B1", "walk w2 A1", "walk w2 A2"]
    found = ask("why", scene=TOY, log=log)
    assert (found["status"], found["first"], found["log"]) == ("ILLEGAL", 1, log)
    assert found["violations"] == ask("check", scene=TOY, log=log)["violations"]
    assert (found["conflict"], found["repairs"], found["space"]) == (None, [], None)


def test_a_legal_log_has_room() -> None:
    """For a legal log the slack is reported, in points and units."""
    found = ask("why", scene=TOY, log=["walk w0 B1"])
    assert (found["status"], found["first"]) == ("LEGAL", None)
    assert found["slack"] == [
        {"clause": "T3", "unit": "w0", "at": "B1", "what": "units", "amount": 0,
         "title": "At most two walkers are in a hex"},
        {"clause": "T5", "unit": "w0", "at": None, "what": "WP", "amount": 3.5,
         "title": "A walker spends no more than its allowance"},
    ]  # fmt: skip


def test_an_impossible_goal() -> None:
    """For an impossible goal the reasons come with titles, units and numbers, and what would help."""
    found = ask("why", scene=CROWD, goal=GOAL)
    (reason,) = found["conflict"]
    assert found["status"] == "IMPOSSIBLE"
    assert (reason["clause"], reason["title"]) == ("T3", "At most two walkers are in a hex")
    assert reason["numbers"] == {"need": 2, "have": 3}
    assert found["repairs"][1] == {
        "change": "leave w0 out of B1", "cost": 6, "clauses": ["T3"],
        "log": ["walk w1 B1", "walk w2 B1"],
    }  # fmt: skip
    assert found["space"]["name"] == "alone"
    assert found["lift"] == {
        "clauses": [{"clause": "T3", "title": "At most two walkers are in a hex"}],
        "smallest": True, "log": ["walk w0 B1", "walk w1 B1", "walk w2 B1"],
    }  # fmt: skip
    assert found["no_conflict"] is None


@pytest.mark.parametrize(("repairs", "unsettled"), [(0, None), (0, "limit"), (1, None)])
def test_where_no_change_helps_that_is_reported(repairs: int, unsettled: str | None) -> None:
    """If no tried change makes a goal possible, the text says so, unless a limit was reached."""
    found = ask("why", scene=CROWD, goal=GOAL)
    out = Console(file=StringIO(), width=200)
    print_why(out, {**found, "repairs": found["repairs"][:repairs], "unsettled": unsettled})
    given = out.file.getvalue()  # type: ignore[attr-defined]
    assert ("none of the changes tried makes it possible" in given) == (
        not repairs and unsettled is None
    )


def test_what_stops_each_unit_alone_is_searched_within_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After the processor time no unit's way is searched any more, and the answer is kept."""
    asked: list[str] = []
    barred = {"to": "B1", "barred": {"action": "walk w0 B1", "violations": []}}

    def reach_answers(_: Any, units: list[str], **__: Any) -> list[Any]:
        asked.extend(units)
        return [barred]

    monkeypatch.setattr(answers_why, "reach_answers", reach_answers)
    goal = Goal(aims=(Aim(units=("w0", "w1"), at=("B1",), must="all"),))
    found = answers_why.barred_alone(crowd(2), goal, "pass", 60.0, Stop())
    assert ([one["unit"] for one in found], asked) == (["w0", "w1"], ["w0", "w1"])
    assert answers_why.barred_alone(crowd(2), goal, "pass", -0.1, Stop()) == []
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        (
            {"conflict": None, "no_conflict": "limit"},
            "not known: the clauses that forbid it were not",
        ),
        (
            {"conflict": [], "no_conflict": "map"},
            "the map or the kind of plan searched (--full) still",
        ),
        (
            {"conflict": [], "no_conflict": "space"},
            "the kind of plan searched (--full) excludes such",
        ),
        ({"conflict": None, "no_conflict": "unproved"}, "it is not proved that there is no plan"),
        ({"conflict": [], "no_conflict": "avoid"}, "the goal itself forbids it: it says to avoid"),
        (
            {"status": "IMPOSSIBLE", "no_conflict": "avoid", "twice": ["w0"]},
            "the goal itself wants w0 in two places",
        ),
        ({}, "Lifting one clause makes it possible, and nothing less does:"),
        ({"lift": None}, "no set of clauses whose lifting makes it possible was found"),
        ({"enough": False}, "Other clauses forbid it too: lifting these is not enough."),
        (
            {"idle": [{"unit": "w0", "clause": "A4.2a", "reason": "its MPh is over"}]},
            "w0: its MPh is over",
        ),
    ],
    ids=[
        "late",
        "map",
        "policy",
        "unproved",
        "avoided",
        "twice",
        "lift",
        "no lift",
        "more than these",
        "idle",
    ],
)
def test_it_names_a_clause_or_says_why_not(changes: dict[str, Any], shown: str) -> None:
    """Without a clause the text says why none is named; an incomplete set is called so."""
    found = ask("why", scene=CROWD, goal=GOAL)
    for status in ("IMPOSSIBLE", "UNSUPPORTED"):
        out = Console(file=StringIO(), width=200)
        print_why(out, {**found, "status": status, "repairs": [], **changes})
        given = out.file.getvalue()  # type: ignore[attr-defined]
        assert shown in given
        is_bare = changes.get("no_conflict") in ("map", "space")
        clause = "no clause" if status == "IMPOSSIBLE" else "no clause that is modelled"
        assert (f"{clause} forbids it" in given) == is_bare


def test_a_goal_that_demands_nothing_is_rejected() -> None:
    """A goal with wishes only is an error that says what to write instead."""
    goal = {**GOAL, "aims": [{"units": ["w0"], "near": ["B1"]}]}
    found = answer({"verb": "why", "scene": TOY, "goal": goal})
    assert (found["status"], found["error"]["field"]) == ("ERROR", "aims")
    assert "no aim has `must`" in found["error"]["message"]


def test_a_goal_that_can_be_met() -> None:
    """For a possible goal a plan is reported."""
    found = ask(
        "why", scene=TOY, goal={**GOAL, "aims": [{"units": ["w0"], "at": ["B1"], "must": 1}]}
    )
    assert (found["status"], found["log"]) == ("LEGAL", ["walk w0 B1"])


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({}, "log"),
        ({"log": ["walk w9 B1"], "goal": GOAL}, "log[0]"),
        ({"log": ["walk w9 B1"]}, "log[0]"),
        ({"goal": {**GOAL, "aims": []}}, "aims"),
        ({"goal": GOAL, "space": "train"}, "space"),
    ],
)
def test_bad_requests(request_: dict[str, Any], field: str) -> None:
    """A malformed request is an error that names the field."""
    found = answer({"verb": "why", "scene": TOY, **request_})
    assert (found["status"], found["error"]["field"]) == ("ERROR", field)


@pytest.mark.parametrize(
    ("arguments", "code", "stated"),
    [
        (("scene.toml", "good.toml"), 0, "slack"),
        (("scene.toml", "bad.toml"), 10, "the first at step 1"),
        (("crowd.toml", "--goal", "goal.toml"), 11, "leave w0 out of B1"),
        (("crowd.toml", "--goal", "goal.toml", "--limit", "0"), 12, "the limit was reached"),
        (("scene.toml",), 2, ""),
    ],
    ids=["legal", "illegal", "impossible", "unknown", "neither"],
)
def test_the_command(
    arguments: tuple[str, ...], code: int, stated: str, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command prints it in words, with the exit code of the status."""
    monkeypatch.chdir(files)
    done = run(*arguments)
    assert (done.exit_code, stated in done.stdout) == (code, True), done.output
