"""Brief and full output, its width, and how the command line ends."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from marchtable import answer
from marchtable.answers.verdicts import effect_text
from marchtable.cli.main import app
from marchtable.report.check import causes_of, odds_line
from marchtable.rules.rulebook import find_rulebook
from tests.slowly import slow_after

EXAMPLES = Path(__file__).resolve().parents[2] / "docs/examples"
SCENE, FAULTS = str(EXAMPLES / "bridge.toml"), str(EXAMPLES / "two-faults.toml")


def run(*arguments: str, **environment: str) -> str:
    """Return a command's output."""
    return CliRunner().invoke(app, [*arguments], env=environment).stdout


def test_options_in_brief() -> None:
    """One line a verb, costs in brackets; unavailable verbs are counted, and listed in full output."""
    brief = run("options", SCENE, "--unit", "truck", "--brief")
    assert "✓ start (1), reverse=true (1)" in " ".join(brief.split())
    assert "actions unavailable (use --full to see why)" in brief
    assert len(brief.splitlines()) < 8
    full = run("options", SCENE, "--unit", "truck", "--full")
    assert full == run("options", SCENE, "--unit", "truck")  # no terminal
    assert "only Infantry" in full or "✗ gallop" in full


def test_what_is_not_modelled_in_options(tmp_path: Path) -> None:
    """Actions of one reason are one line, with the reason; what a unit can do needs no clause."""
    scene = tmp_path / "scene.toml"
    rows = '[board]\nrows = "..g\\n..g\\n..."\n[[units]]\n'
    head = 'format = "marchtable/scene/2"\nside = "russian"\n'
    gun = 'id = "gun"\nside = "russian"\ntype = "45L AT PTP obr. 32"\nat = "B1"\n'
    scene.write_text(f'{head}rulebook = "asl"\nphase = "MPh"\n{rows}{gun}', encoding="utf-8")
    brief = run("options", str(scene), "--brief", COLUMNS="200")
    assert brief.count("C10.3g") == 1
    assert "? enter, minimum, exit not modelled: Pushing a Gun by moving it: use `push`" in brief

    unit = 'id = "r"\nside = "russian"\ntype = "russian-rifles"\nat = "B1"\n'
    scene.write_text(
        f'{head}rulebook = "panzer"\nphase = "Movement"\n{rows}{unit}', encoding="utf-8"
    )
    full = run("options", str(scene), COLUMNS="200")
    assert "()" not in full
    reason = "terrain missing from the chart: Grain (PB.terrain)"
    assert f"? move r C1, move r C2 not modelled: {reason}" in full


def test_the_most_frequent_bars_are_in_the_summary(tmp_path: Path) -> None:
    """Outside a unit's phase, the summary names the phase as the reason, not only the number of actions."""
    scene = tmp_path / "scene.toml"
    found = Path(SCENE).read_text(encoding="utf-8").replace('phase = "MPh"', 'phase = "RPh"')
    scene.write_text(found, encoding="utf-8")
    brief = run("options", str(scene), "--unit", "truck", "--brief", COLUMNS="200")
    assert (
        "actions unavailable, mostly because units move in the MPh; needs MPh, has RPh (use"
        in brief
    )


def test_a_verdict_in_brief() -> None:
    """The first fault of each unit is given in full; none is said to follow another unit's."""
    brief = run("check", SCENE, FAULTS, "--brief")
    assert brief.count("breaks") == 2
    assert "more of the same" not in brief
    assert "after an illegal step" not in run("check", SCENE, FAULTS)


def test_every_cross_has_its_reason_in_brief(tmp_path: Path) -> None:
    """A later fault of a unit is listed with clause and reason, in the order of the steps."""
    log = tmp_path / "log.txt"
    log.write_text("enter truck I5\nturn truck W\nstop truck\n", encoding="utf-8")
    brief = run("check", SCENE, str(log), "--brief", COLUMNS="200")
    lines = [line for line in brief.splitlines() if line.startswith("✗ step")]
    assert len(lines) == sum("✗" in line for line in brief.splitlines() if line.startswith("   "))
    assert lines[1].split()[:4] == ["✗", "step", "1", "D2.12c:"]
    assert "(" not in lines[1]


@pytest.mark.parametrize(
    ("verb", "name"), slow_after(1, [("plan", "to-the"), ("why", "gun-to-the")])
)
def test_plans_in_brief(verb: str, name: str) -> None:
    """The searched spaces are named, and listed in full output."""
    goal = str(EXAMPLES / f"{name}-gully.toml")
    brief = run(verb, str(EXAMPLES / "gully.toml"), "--goal", goal, "--brief")
    assert "--full describes them" in " ".join(brief.split())
    assert run(verb, str(EXAMPLES / "gully.toml"), "--goal", goal) == brief  # no terminal
    full = run(verb, str(EXAMPLES / "gully.toml"), "--goal", goal, "--full")
    assert len(full) > len(brief) + 200


def test_the_cause_is_what_no_points_mend() -> None:
    """For a unit's first faulty step one fault is given: one without figures, otherwise the first."""
    dear = {"step": 2, "units": ["a"], "need": 4, "have": 1, "clause": "dear"}
    barred = {**dear, "need": None, "have": None, "clause": "barred"}
    later = {**barred, "step": 3, "clause": "later"}
    assert causes_of([later, dear, barred]) == [barred]
    assert causes_of([later, dear]) == [dear]
    assert causes_of([]) == []


def test_an_empty_log_has_its_own_answer(tmp_path: Path) -> None:
    """A log without entries is reported as empty, not as a verdict."""
    assert "the log is empty: nothing was judged" in stated(tmp_path, "# nothing")
    assert "the log is empty" not in stated(tmp_path, "start truck")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["check", "{log}", "{log}"], "expected a scene, got a log, which comes after its scene"),
        (["options", "{save}"], "marchtable scene import SAVE"),
        (["reach", SCENE, "--unit", "sq,ldr"], "expected one unit, got 'sq,ldr'"),
    ],
)
def test_what_is_given_for_something_else(tmp_path: Path, asked: list[str], said: str) -> None:
    """A log or saved game given as a scene, or a stack as a unit, is identified as what it is."""
    files = {"log": tmp_path / "some.log", "save": tmp_path / "some.vsav"}
    files["log"].write_text("start truck\n", encoding="utf-8")
    files["save"].write_bytes(b"PK\x03\x04\xff")
    found = CliRunner().invoke(app, [word.format(**files) for word in asked])
    assert found.exit_code == 2
    assert said in found.output


@pytest.mark.slow
def test_a_misused_command_names_its_help() -> None:
    """A missing or unknown option is reported with the command that lists the options."""
    for words in (["--to", "H4"], []):
        asked = [sys.executable, "-m", "marchtable", "plan", SCENE, *words]
        found = subprocess.run(asked, capture_output=True, text=True, check=False)
        assert found.returncode == 2
        assert "marchtable plan --help)" in found.stderr


def test_each_unit_has_its_cause() -> None:
    """Another unit's fault is given too, but not the same clause of the same step again."""
    first = {"step": 0, "units": ["a"], "need": None, "have": None, "clause": "one"}
    mate = {**first, "units": ["b"]}
    later = {**first, "step": 4, "units": ["c"], "clause": "two"}
    assert causes_of([first, mate, {**mate, "step": 3}, later, {**later, "step": 5}]) == [
        first,
        later,
    ]


def test_a_fault_is_laid_at_the_door_of_its_unit(tmp_path: Path) -> None:
    """A unit that moves while another is in Motion is not named as the cause."""
    lines = stated(tmp_path, "start truck", "enter truck I5", "enter sq N6", "stop truck")
    assert "caused by truck (D2.4)" in lines
    assert "left over" in lines


def stated(tmp_path: Path, *lines: str) -> str:
    """Return the full output of check for a log in the demo's village."""
    log = tmp_path / "some.log"
    log.write_text("\n".join(lines), encoding="utf-8")
    return " ".join(run("check", SCENE, str(log), "--full", COLUMNS="200").split())


def test_width_follows_columns() -> None:
    """If the output is no terminal COLUMNS gives its width; nonsense is ignored."""
    for found, wide in (("60", 60), ("many", 100)):
        longest = max(map(len, run("options", SCENE, COLUMNS=found).splitlines()))
        assert wide - 30 <= longest <= wide


def test_a_pending_roll_tells_the_line_that_settles_it() -> None:
    """The line lists the possible outcomes; a roll that requires an action has none."""
    odds = [
        {"outcome": "stuck", "chance": 3, "of": 36},
        {"outcome": "free", "chance": 33, "of": 36},
    ]
    pending = {"id": "bog:t", "clause": "D8.2", "note": "", "outcomes": odds}
    assert odds_line(pending).endswith("write: settle bog:t stuck|free")
    assert "write" not in odds_line({**pending, "outcomes": []})


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("act", "loads", "is boarding: fire can still undo it"), ("act", "", None),
        ("concealed", False, "loses its concealment"), ("at", None, "is off the map"),
        ("at", "B3", "is in B3"), ("sw", [], "loses its SW"), ("sw", [{"name": "MMG"}], "is left with MMG"),
        ("boarder_left", 3, None), ("hatched", True, None), ("road", False, None),
    ],
)  # fmt: skip
def test_effects_in_the_games_terms(field: str, value: Any, said: str | None) -> None:
    """Effects use the players' terms; bookkeeping is not listed."""
    assert effect_text(find_rulebook("asl"), field, value) == said


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("at", None, "is off the map"), ("at", "B2", "is in B2"), ("load", [], "has no load"),
        ("load", ["ammo", "fuel"], "has load ammo, fuel"), ("left_over", 0, "has left over 0"),
        ("pinned", True, "is now pinned"),
    ],
)  # fmt: skip
def test_a_rulebook_without_words_for_effects(field: str, value: Any, said: str) -> None:
    """Nothing is described as nothing, never as None."""
    assert effect_text(find_rulebook("toy"), field, value) == said


def test_a_forced_effect_stands_in_the_headline() -> None:
    """A legal log that forces an effect on a unit says so beside its status."""
    scene = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "board": {"rows": ["...", "..."]},
        "units": [{"id": "sq", "side": "german", "type": "squad", "at": "A1"},
                  {"id": "t", "side": "german", "type": "Opel 6700", "at": "A1", "facing": "E"}],
    }  # fmt: skip
    found = answer({"verb": "check", "scene": scene, "log": ["load sq t"]})
    assert found["status"] == "LEGAL"
    assert {e["text"] for e in found["effects"] if "text" in e} >= {
        "is boarding: fire can still undo it"
    }


@pytest.mark.slow
def test_the_reader_goes_away() -> None:
    """`| head` is quiet, and ends as a shell ends a process on SIGPIPE."""
    code = "from marchtable.cli.main import main; main()"
    command = [sys.executable, "-c", code, "rules", "--rulebook", "asl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_the_version_is_printed_without_the_command_line() -> None:
    """Nothing of the package is imported to print the version."""
    code = (
        "import sys; sys.argv = ['marchtable', '--version']; import marchtable_start;"
        "marchtable_start.main(); print('marchtable' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == ["False"]


def test_version_and_completion() -> None:
    """The version is printed, and a shell completion is available."""
    assert run("--version").startswith("marchtable 1.")
    assert "--show-completion" in run("--help", COLUMNS="200")


def test_the_demo_names_its_folder_first(tmp_path: Path) -> None:
    """The demo's first line is where it writes."""
    folder = tmp_path / "here"
    found = CliRunner().invoke(app, ["demo", "--rulebook", "valor", "-o", str(folder)]).stdout
    assert str(folder) in found.replace("\n", "").split("(-o")[0]
    assert (folder / "stack.png").exists()


@pytest.mark.slow
def test_a_plan_in_brief_names_its_space_only() -> None:
    """One line names the space in which a plan is best; the full text comes on request."""
    asked = ("plan", str(EXAMPLES / "own-scene.toml"), "--goal", str(EXAMPLES / "own-goal.toml"))
    brief, full = (" ".join(run(*asked, how).split()) for how in ("--brief", "--full"))
    assert "among plans of the space transport; --full describes them" in brief
    assert "among First those who board a vehicle" in full


def test_an_overspent_budget_is_not_negative(tmp_path: Path) -> None:
    """A squad that walks on without MF lacks them: in the table, the sum and the reason."""
    log = tmp_path / "log.txt"
    log.write_text("".join(f"enter sq1 {at}\n" for at in ("B3", "C4", "C3", "C2", "B2")))
    scene = str(EXAMPLES / "own-scene.toml")
    for how in ("--brief", "--full"):
        found = " ".join(run("check", scene, str(log), how).split())
        assert "2 MF 3 too few Woods" in found
        assert "left sq1 3 MF too few" in found
        assert "needs 2 MF, already lacks 1 MF" in found
        assert not re.search(r"(?<!\w)-\d", found)
