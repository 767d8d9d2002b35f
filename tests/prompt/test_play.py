"""A game at the prompt: actions and commands through the session, completion, a pipe, a terminal."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from marchtable.answers.verb_help import verb_help
from marchtable.codec.plain import write
from marchtable.files.blank import blank_board
from marchtable.files.logs import load_log
from marchtable.files.notation import parse_action
from marchtable.files.scenes import Scene, load, load_scene, scene_of
from marchtable.play.scenarios import load_scenario
from marchtable.prompt.replies import print_reply
from marchtable.prompt.session import COMMANDS, Session
from marchtable.prompt.words import Words
from marchtable.report.terminal import console
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
BRIDGE = EXAMPLES / "bridge.toml"
PLAY = [sys.executable, "-m", "marchtable", "play", str(BRIDGE)]


@pytest.fixture
def session() -> Session:
    """Begin a game at the demo's bridge."""
    return Session(load_scene(BRIDGE), random=Random(1))


def at(session: Session, unit: str) -> str | None:
    """Return a unit's place."""
    where: str | None = session.position.unit(unit).at
    return where


# -- the session -----------------------------------------------------------------------------------


def test_actions_one_by_one(session: Session) -> None:
    """A legal action is played and has its receipt; an illegal one is rejected with its clause."""
    started = session.say("start truck")
    entered = session.say("  enter truck i5   # by road")
    rejected = session.say("enter truck L4")

    assert (started.kind, started.done, started.found["receipts"][0]["left"]) == ("check", True, 27)
    assert entered.done
    assert (at(session, "truck"), session.lines) == ("I5", ["start truck", "enter truck I5"])
    assert (rejected.done, rejected.found["violations"][0]["clause"]) == (False, "A4.1b")
    assert session.refused == 1
    assert session.say("# nothing").kind == session.say("").kind == "nothing"


def test_what_is_not_legal_can_be_done_anyway(session: Session) -> None:
    """An action after ! is played whatever it violates, and the log lists that."""
    reply = session.say("!enter truck I5")

    assert (reply.done, reply.found["status"], at(session, "truck")) == (True, "ILLEGAL", "I5")
    assert session.lines == ["enter truck I5  # breaks D2.12b"]


def test_what_is_overspent_is_too_few(capsys: pytest.CaptureFixture[str]) -> None:
    """A squad that walks on without MF lacks some, when it is played and when its options are listed."""
    session = Session(load_scene(EXAMPLES / "own-scene.toml"), random=Random(1))
    for at in ("B3", "C4", "C3", "C2"):
        reply = session.say(f"!enter sq1 {at}")
    print_reply(console(), reply)
    print_reply(console(), session.say("can sq1"))
    found = capsys.readouterr().out
    assert "2 MF, 1 MF too few" in found
    assert "sq1 in C2, 1 MF too few" in found


def test_capitals_do_not_matter(session: Session) -> None:
    """Commands, verbs and units can be in any case."""
    assert session.say("START Truck").done
    assert session.say("CAN TRUCK").found["units"][0]["unit"] == "truck"
    assert "expected one unit, got 'truck,sq'" in session.say("can truck,sq").found


def test_of_what_is_rejected_nothing_is_due(capsys: pytest.CaptureFixture[str]) -> None:
    """A rejected action announces no roll to settle; a played one does once."""
    unit = {"id": "sq", "side": "german", "type": "4-6-7", "at": "A1"}
    scene = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "RPh",
        "board": {"rows": ["..", ".."]}, "units": [unit],
        "counters": [{"kind": "sw 1 LMG", "at": "A1"}],
    }  # fmt: skip
    session = Session(scene_of(scene), random=Random(1))
    print_reply(console(), session.say("recover sq HMG"))
    assert "to settle" not in capsys.readouterr().out
    print_reply(console(), session.say("recover sq LMG"))
    assert capsys.readouterr().out.count("to settle") == 1


def test_try_does_nothing(session: Session) -> None:
    """An action that is only tried is judged, and the game stays as it was."""
    before = session.position
    reply = session.say("try start truck")

    assert (reply.found["status"], reply.done) == ("LEGAL", False)
    assert session.position is before


def test_undo_and_redo(session: Session) -> None:
    """Actions are undone and redone, one or several at a time; a new action clears the undone ones."""
    start = session.position
    for line in ("start truck", "enter truck I5", "enter truck J4"):
        assert session.say(line).done
    end = session.position

    assert session.say("undo").found == ["taken back: enter truck J4"]
    assert session.say("undo 9").done
    assert session.position == start
    assert session.say("redo 3").done
    assert session.position == end
    session.say("undo 2")
    assert session.say("enter truck I5").done
    assert session.say("redo").kind == "error"
    assert [session.say(line).kind for line in ("undo x", "undo -1", "undo 99")] == [
        "error",
        "error",
        "text",
    ]
    assert session.say("undo").kind == "error"


def test_what_can_be_done(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    """The options of a unit, or of the side to move, are listed without leaving the game."""
    one, all_ = session.say("can truck"), session.say("can")

    assert [unit["unit"] for unit in one.found["units"]] == ["truck"]
    assert {unit["unit"] for unit in all_.found["units"]} == {"truck", "sq", "ldr"}
    assert "lorry" in session.say("can lorry").found
    print_reply(console(), session.say("can truck --full"))
    assert "✗ gallop" in capsys.readouterr().out


def test_rolls_are_asked_for() -> None:
    """A due roll is in the prompt with the line that settles it; it is typed or rolled."""
    session = Session(load_scene(EXAMPLES / "own-scene.toml"), random=Random(1))
    assert session.say("esb tank").done
    (due,) = session.position.pending
    (found,) = session.say("due").found
    assert "1 to settle" in session.prompt
    assert f"write: settle {due.id} " in found

    thrown = session.say("roll")
    assert thrown.found["log"][0].startswith(f"settle {due.id} ")
    assert thrown.found["notes"][0].startswith("step 0: rolled: mobile ")
    assert not session.position.pending
    session.say("undo")
    assert session.say(f"settle {due.id} {due.outcomes[0].outcome}").done
    assert session.say("roll").found == "roll: nothing is pending"


def test_a_single_die_is_reported_as_one() -> None:
    """A roll whose outcome is a die's number says so, and which number was rolled."""
    units = [{"id": "sq", "side": "german", "type": "squad", "at": "A2"}]
    wire = [{"kind": "wire", "at": "B2"}]
    data = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "board": {"rows": "...\n...\n..."}, "units": units, "counters": wire,
    }  # fmt: skip
    session = Session(scene_of(data), random=Random(1))
    assert session.say("move sq B2").done
    assert session.say("get-beneath sq").done
    assert "with a die" in session.say("due").found[0]
    assert "N from 1 to 6" in session.say("due").found[0]
    thrown = session.say("roll").found
    number = thrown["log"][0].split()[-1]
    assert thrown["notes"][0].endswith(f"the number thrown with a die is {number}")


def test_a_scene_names_its_board_as_it_did(tmp_path: Path) -> None:
    """A scene written beside the played one names the board's file; elsewhere it contains the board."""
    (tmp_path / "my.toml").write_text(blank_board(4, 4), encoding="utf-8")
    data = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "board": "my.toml", "units": [{"id": "sq", "side": "german", "type": "squad", "at": "A2"}],
    }  # fmt: skip
    write(data, tmp_path / "scene.toml")
    (tmp_path / "far").mkdir()
    session = Session(load_scene(tmp_path / "scene.toml"))
    session.say("enter sq B2")
    for name, board in (("after.toml", "my.toml"), ("far/after.toml", None)):
        session.say(f"scene {tmp_path / name}")
        found = load_scene(tmp_path / name)
        assert found.position.key() == session.position.key()
        assert board is None or found.board == board


def test_descriptions_of_a_bridge_and_of_units_aboard(capsys: pytest.CaptureFixture[str]) -> None:
    """The ground below a bridge is named when entered, and the carrier of each unit aboard."""
    data = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "board": {"rows": ". gu .\n. gu .", "road": ["A2 B1 C2"], "bridge": ["B1"]},
        "units": [
            {"id": "truck", "side": "german", "type": "opel-blitz", "at": "A2", "facing": "E"},
            {"id": "sq", "side": "german", "type": "squad", "at": "A2", "aboard": "truck"},
            {"id": "other", "side": "german", "type": "squad", "at": "C2"},
        ],
    }  # fmt: skip
    session = Session(scene_of(data), random=Random(1))
    assert "sq (german) in A2; aboard truck" in session.say("units").found
    print_reply(console(), session.say("enter other B1"))
    out = capsys.readouterr().out
    assert "note B1 is the ground below the bridge" in " ".join(out.split())


def test_what_is_said_wrongly_is_an_error(session: Session) -> None:
    """Unknown words get the nearest, wrong places and files are named, and nothing changes."""
    before = session.position
    wrong = {
        "strt truck": "nearest: 'start'", "start lorry": "lorry", "enter truck Z99": "Z99",
        "enter truck": "enter", "save": "file to write", "save /nonexistent/x.log": "cannot be written",
        "show x.bmp": ".svg", "try": "expected an action", "undo": "nothing",
        "roll": "pending", "! ": "action",
    }  # fmt: skip
    for line, expected in wrong.items():
        reply = session.say(line)
        assert reply.kind == "error", line
        assert expected in reply.found, (line, reply.found)
        assert "\n" not in reply.found
    assert session.position is before
    assert session.refused == len(wrong)


def test_the_log_is_written_after_each_action(tmp_path: Path) -> None:
    """The log on disk is that of the game at any time, and the referee agrees with it."""
    for name in ("game.log", "game.toml"):
        keep = tmp_path / name
        session = Session(load_scene(BRIDGE), keep)
        session.say("start truck")
        session.say("enter truck I5")
        session.say("enter truck I5")
        session.say("undo")
        session.say("enter truck I5")
        position = load(BRIDGE)
        verdict = check(position, load_log(keep, position, name="bridge"))

        assert (str(verdict.status), verdict.position) == ("LEGAL", session.position)


def test_files_out(tmp_path: Path, session: Session) -> None:
    """Log, position and picture are written to the given file; a colon marks a command."""
    session.say("start truck")
    for line in (
        f"save {tmp_path}/a.log",
        f":save {tmp_path}/a.json",
        f"scene {tmp_path}/a.toml",
        f"show {tmp_path}/a.svg",
    ):
        assert session.say(line).kind == "text", line

    assert (tmp_path / "a.log").read_text() == "start truck\n"
    assert load(tmp_path / "a.toml").key() == session.position.key()
    assert "<svg" in (tmp_path / "a.svg").read_text()


def test_a_log_is_gone_on_from(session: Session) -> None:
    """A log is played to its end, with illegal entries marked, and can be undone."""
    log = load_log(EXAMPLES / "over-the-bridge.toml", session.position, name="bridge")
    session.resume(log)

    assert len(session.lines) == len(log)
    assert session.say(f"undo {len(log)}").done
    assert session.position == load(BRIDGE)


@pytest.mark.parametrize(
    "line", ["start truck", "enter truck I5", "can", "help", "units", "log", "due", "nonsense"]
)
def test_replies_are_printed(
    session: Session, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every reply is printed, with its important part."""
    print_reply(console(), session.say(line))
    out = capsys.readouterr().out
    expected: dict[str, Any] = {
        "start truck": "27 MP left", "enter truck I5": "D2.12b", "can": "truck in H4", "help": "undo",
        "units": "truck (german) in H4", "log": "nothing", "due": "No pending rolls", "nonsense": "no action or command",
    }  # fmt: skip

    assert expected[line] in out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("why truck I6", "'why' is no command here: leave with quit, then `marchtable why --help`"),
        ("fire truck", "no action or command 'fire': fire is not judged"),
        ("xyz", "no action or command 'xyz' (help)"),
        ("untis", "no action or command 'untis'; nearest: 'units' (help)"),
        ("status", "nearest: 'units', 'due' (help)"),
        ("move", "expected `move UNITS TO"),
    ],
)
def test_words_that_are_no_command(session: Session, line: str, said: str) -> None:
    """A question of the command line and a term of the game are answered with what to do instead."""
    reply = session.say(line)

    assert reply.kind == "error"
    assert said in reply.found


def test_help_names_the_verbs_of_the_scene_s_rulebook(session: Session) -> None:
    """The command that lists verbs is that of the rulebook played."""
    farm = Session(Scene(load_scenario("valor/the-farm").position, "", ""))

    assert any("(marchtable verbs --rulebook valor)" in line for line in farm.say("help").found)
    assert any("(marchtable verbs)" in line for line in session.say("help").found)


def test_help_says_how_a_verb_is_written(session: Session) -> None:
    """The form, what it is, its fields, and an example that can be read; a word for the verb will do."""
    text, *fields, example = session.say("help smoke").found
    assert text.startswith("smoke UNIT TO 1|2|3|4|5 [wp=true]: A squad")
    assert "`exponent` is the SMOKE exponent on its counter" in text
    assert fields == [
        "UNIT: a unit.", "TO: a hex.", "exponent: 1, 2, 3, 4 or 5.", "wp=true: may be left out.",
    ]  # fmt: skip
    line = example.removeprefix("For example: ")
    assert line.startswith("smoke ")
    assert session.say(f"try {line}").kind == "check"
    named = verb_help(session.position, "smoke", "truck")
    assert named[-1].startswith("For example: smoke truck ")
    assert session.say("help board").found == session.say("help load").found


def test_every_verb_has_help(session: Session) -> None:
    """Each example is read as a line, whatever the referee says of it."""
    book = find_rulebook("asl")
    for verb in book.verbs:
        form, *rest = session.say(f"help {verb}").found
        assert form.split()[0] == verb
        examples = [one for one in rest if one.startswith("For example: ")]
        for one in examples:
            assert parse_action(one.removeprefix("For example: "), book)


# -- completion --------------------------------------------------------------------------------------


def test_words_are_completed_by_what_is_legal(session: Session) -> None:
    """Currently legal verbs, units and places are offered, then commands; and nothing else."""
    words = Words(session)

    assert words.after("sta") == ["start"]
    assert words.after("start ") == ["truck"]
    assert words.after("!st") == ["!start"]
    assert "stop" not in words.after("st")
    assert words.after("try start t") == ["truck"]
    assert set(COMMANDS) <= set(words.after(""))
    assert words.after("can ") == ["truck", "sq", "ldr", "wreck"]
    assert words.after("undo ") == words.after("nonsense ") == []
    session.say("start truck")
    assert "stop" in words.after("st")
    assert "I5" in words.after("enter truck i")


# -- the command -------------------------------------------------------------------------------------


def run(text: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Return the command's output for lines from a pipe."""
    return subprocess.run(
        [*PLAY, *more], input=text, capture_output=True, text=True, timeout=120, check=False
    )


def test_lines_from_a_pipe(tmp_path: Path) -> None:
    """Lines from a pipe are played; the exit code reports an error, and the log is written."""
    keep = tmp_path / "game.log"
    fine = run("start truck\nenter truck I5\n", "-o", str(keep))
    wrong = run("enter truck I5\nquit\nstart truck\n")
    again = run("enter truck J4\n", str(keep), "-o", str(keep))
    rejected = run("", "-o", str(keep))

    assert (fine.returncode, fine.stderr) == (0, "")
    assert "26.5 MP left" in fine.stdout
    assert wrong.returncode == 10
    assert "27 MP left" not in wrong.stdout
    assert (again.returncode, keep.read_text().splitlines()[-1]) == (0, "enter truck J4")
    assert (rejected.returncode, len(rejected.stderr.splitlines())) == (2, 1)


def test_at_a_terminal(tmp_path: Path) -> None:
    """At a terminal lines are edited and completed with Tab, and Ctrl-D leaves."""
    pytest.importorskip("prompt_toolkit", reason="pip install 'marchtable[prompt]'")
    pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")
    keep = tmp_path / "game.log"
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "COLUMNS": "100"}
    child = subprocess.Popen(
        [*PLAY, "-o", str(keep)], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    try:
        hear(ours, rb"german MPh 1>")
        os.write(ours, b"star\t")
        hear(ours, b"start")
        os.write(ours, b" truck\r")
        hear(ours, rb"27 MP left.*german MPh 1>")
        os.write(ours, b"undo\r")
        hear(ours, rb"taken back: start truck.*german MPh 1>")
        os.write(ours, b"redo\r")
        hear(ours, rb"done again: start truck.*german MPh 1>")
        os.write(ours, b"\x04")
        assert child.wait(60) == 0
    finally:
        child.kill()
        child.wait(60)
        os.close(ours)

    assert keep.read_text() == "start truck\n"


def hear(terminal: int, wanted: bytes) -> None:
    """Wait until a terminal has shown this, wherever the cursor went in between."""
    seen, end = b"", time.monotonic() + 60
    while not re.search(wanted, re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", seen), re.DOTALL):
        assert time.monotonic() < end, seen[-2000:]
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 65536)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("save", "expected a file to write: `save FILE` (.log, .txt, .toml, .json)"),
        ("save game.xyz", "game.xyz: expected a name that ends with one of .log, .txt"),
        ("save no/such/folder.log", "no/such/folder.log: cannot be written"),
        ("scene", "expected a file to write: `scene FILE` (.toml, .json)"),
        ("show x.gif", "x.gif: expected a name that ends with one of .svg, .png"),
        ("check", "here each action is judged as you enter it; `try ACTION` judges one"),
        ("reach truck", "here `can UNIT` lists its next actions"),
        ("try", "expected an action to judge: `try ACTION`"),
        ("phase", "expected `phase NAME [side=SIDE]`, got 'phase'; now: phase DFPh"),
        ("phase AFP", "nearest: 'AFPh' (phases: "),
        ("phase MPh german", "; now: phase DFPh"),
        ("help smok", "no action or command 'smok'; nearest: 'smoke'"),
    ],
)
def test_a_hint_for_each_command(line: str, says: str) -> None:
    """A command without its argument, or with a wrong one, shows how it is written."""
    reply = Session(load_scene(BRIDGE)).say(line)
    assert reply.kind == "error"
    assert says in reply.found


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("help smoke", "smoke UNIT TO 1|2|3|4|5 [wp=true]: A squad with a SMOKE exponent"),
        ("help move", "enter UNITS TO [half=true]"),
        ("help can", "can [UNIT] [--full]: what a unit can still do"),
        ("help :undo", "undo [N]: take back"),
        ("? log", "log: list what was played so far"),
    ],
)
def test_help_for_one_word(line: str, first: str) -> None:
    """An action is shown with its arguments, a command as in the list."""
    reply = Session(load_scene(BRIDGE)).say(line)
    assert reply.kind == "text"
    assert reply.found[0].startswith(first)


def test_help_for_phases_lists_those_to_come() -> None:
    """The phases that can begin now follow."""
    found = Session(load_scene(BRIDGE)).say("help phase").found
    assert found[-1].startswith("now: phase DFPh, phase AFPh")
