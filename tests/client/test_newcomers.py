"""Newcomers' mistakes, and the messages that helped."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from marchtable import Game, check, load, load_log, parse_action, reach
from marchtable.answers.answer import answer
from marchtable.answers.known import known_answer
from marchtable.answers.schema import schema
from marchtable.cli import main as cli
from marchtable.cli.guard import misused
from marchtable.cli.main import app
from marchtable.codec.plain import one_line, read
from marchtable.codec.structs import struct_of
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.logs import ONE_PLACE, ONE_UNIT, log_of
from marchtable.picture.showing import ways_of_log
from marchtable.play import perft, points_left
from marchtable.play.scenarios import load_scenario
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import parameters
from marchtable.state.goal import Goal
from tests.client.scenes import broken

ROOT = Path(__file__).resolve().parents[2]
SCENE = str(ROOT / "docs/examples/bridge.toml")
SCENES = {
    "asl": SCENE,
    "valor": str(ROOT / "models/marchtable_models/valor/data/demo/stack.toml"),
    "panzer": str(ROOT / "models/marchtable_models/panzer/data/demo/scene.toml"),
}
START = ["start truck", "enter truck I5"]
RUNNER = CliRunner()
EXAMPLE = ROOT / "docs/examples/own-scene.toml"
EXAMPLE_LOG = ROOT / "docs/examples/own-log.txt"


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("year", "`year`; it belongs in [conditions]"),
        ("facing", "`facing`; it belongs in [[units]]"),
        ("conditions.turn", "`turn`; it belongs at the top, before any [table]"),
    ],
)
def test_a_field_in_the_wrong_table(field: str, said: str) -> None:
    """A field of another table of the same document is reported with that table."""
    found = answer({"verb": "options", "scene": broken(field, 1)})
    assert said in found["error"]["message"]


@pytest.mark.parametrize("name", ["bridge", "hamlet", "gully"])
@pytest.mark.parametrize(
    ("word", "said"), [("hex", "a hex is written in `at`"), ("passengers", '`aboard = "VEHICLE"`')]
)
def test_a_word_that_is_no_field_of_a_unit(name: str, word: str, said: str) -> None:
    """Every rulebook names the field that holds what is meant, also in a counter."""
    data, _ = read(ROOT / f"docs/examples/{name}.toml")
    (unit, *units) = data["units"]
    for changes in ({"units": [{**unit, word: "A1"}, *units]}, {"counters": [{word: "A1"}]}):
        found = answer({"verb": "options", "scene": {**data, **changes}})["error"]["message"]
        assert f"unknown field `{word}`: " in found
        assert said in found


@pytest.mark.parametrize(
    ("name", "phase", "line", "notes"),
    [
        ("bridge", "PFPh", "start truck", ["legal after `phase MPh`"]),
        ("hamlet", "Fire", "enter sqA A5", ["legal after `phase Movement`"]),
        ("hamlet", "AdvanceAndAssault", "enter sqA A5", ["legal in this phase: `advance sqA A5`"]),
        ("hamlet", "Movement", "advance sqA A5",
         ["legal in this phase: `enter sqA A5`", "legal after `phase AdvanceAndAssault`"]),
        ("hamlet", "Movement", "rally sqA", []),  # it is not pinned: legal in no phase
        ("gully", "Fire", "load wagon gun", ["legal after `phase Movement`"]),
        ("gully", "Assault", "load wagon gun", []),
    ],
)  # fmt: skip
def test_an_action_in_the_wrong_phase(name: str, phase: str, line: str, notes: list[str]) -> None:
    """Every rulebook names the phase in which it is legal, and the verb that does the same now."""
    data, _ = read(ROOT / f"docs/examples/{name}.toml")
    found = answer({"verb": "check", "scene": {**data, "phase": phase}, "log": [line, line]})
    assert found["status"] == "ILLEGAL"
    assert found.get("notes", []) == [f"step 0: {one}" for one in notes]


def test_a_unit_in_place_of_a_log() -> None:
    """A unit in place of a log's file is rejected with the option that selects units."""
    found = RUNNER.invoke(app, ["options", SCENE, "truck"])
    assert found.exit_code == 2
    assert "choose a unit with --unit truck" in str(found.exception) + found.output


def test_python_calls_say_what_they_expect() -> None:
    """Lines, names of files and one unit, where actions, a position and a list are expected."""
    position = load(SCENE)
    anything: Any = [SCENE, ["start truck"], "start truck"]
    scene, lines, line = anything
    for call, says in (
        (lambda: check(position, lines), r"log\[0\]: expected actions, got 'start truck'"),
        (lambda: check(position, line), "marchtable.load_log"),
        (lambda: check(scene, []), "marchtable.load reads a scene"),
        (lambda: Game(scene), "position: expected a position"),
        (lambda: reach(position, "truck"), r"units: expected a list of units' names: \['truck'\]"),
        (lambda: Game(position).push("phase"), "expected `phase NAME"),
    ):
        with pytest.raises(BadInputError, match=says):
            call()
    with pytest.raises(IndexError, match="no action to take back"):
        Game(position).pop()


def test_a_line_is_read_for_a_position_or_a_rulebook() -> None:
    """`parse_action` takes a position as `load_log` does, a rulebook, or its name."""
    position = load(SCENE)
    read = [parse_action("start truck", of) for of in (position, "asl", find_rulebook("asl"))]
    assert len({*read}) == 1
    assert check(position, read[:1]).status == "LEGAL"


def test_a_field_nobody_knows_belongs_nowhere() -> None:
    """For an unknown field no table is suggested."""
    found = answer({"verb": "options", "scene": broken("colour", 1)})
    assert "`colour`" in found["error"]["message"]
    assert "belongs" not in found["error"]["message"]


@pytest.mark.parametrize(
    "request_",
    [
        {"verb": "reach", "unit": "truck", "to": "J4"},
        {"verb": "options", "unit": "truck", "reach": False},
        {"verb": "legal_actions", "unit": "truck"},
        {"verb": "plan", "goal": {"format": "marchtable/goal/1", "aims": [{"units": ["sq"], "at": ["N6"]}]}},
        {"verb": "why", "goal": {"format": "marchtable/goal/1", "aims": [{"units": ["sq"], "at": ["N6"]}]}},
    ],
    ids=lambda request: request["verb"],
)  # fmt: skip
def test_a_question_after_a_log(request_: dict[str, object]) -> None:
    """A question with a log is about the position after it; an illegal log is rejected."""
    log = [*START, "stop truck"] if "goal" in request_ else START
    position = load(SCENE)
    after = answer({"verb": "check", "scene": SCENE, "log": log, "then": True}, files=True)["scene"]
    found = answer({"scene": SCENE, "log": log, **request_}, files=True)
    assert found == answer({"scene": after, **request_}, files=True)
    assert position == load(SCENE)
    rejected = answer({"scene": SCENE, "log": ["enter truck I5"], **request_}, files=True)
    assert rejected["error"]["field"] == "log[0]"
    assert "expected a legal log; step 0: truck" in rejected["error"]["message"]
    assert "breaks D2.12b" in rejected["error"]["message"]


def test_a_log_on_the_command_line(tmp_path: Path) -> None:
    """`options`, `reach` and `plan` take a log behind the scene; a plan is written with its lines."""
    log, goal, out = (str(tmp_path / name) for name in ("log.txt", "goal.toml", "plan.txt"))
    Path(log).write_text("\n".join([*START, "stop truck"]))
    Path(goal).write_text(
        'format = "marchtable/goal/1"\naims = [{ units = ["sq"], at = ["N6"], must = "all" }]\n'
    )
    found = RUNNER.invoke(app, ["options", SCENE, log, "--unit", "truck", "--brief", "--no-reach"])
    assert "truck in I5" in found.output
    assert "I5" in RUNNER.invoke(app, ["reach", SCENE, log, "--unit", "truck"]).output
    assert RUNNER.invoke(app, ["plan", SCENE, log, "--goal", goal, "-o", out]).exit_code == 0
    lines = Path(out).read_text().splitlines()
    assert lines[:3] == [*START, "stop truck"]
    assert len(lines) > 3
    assert RUNNER.invoke(app, ["check", SCENE, out]).exit_code == 0


def test_a_picture_of_reach_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If you ask `reach` for a picture, the message mentions `show`."""
    monkeypatch.setattr(
        "sys.argv", ["marchtable", "reach", SCENE, "--unit", "truck", "-o", "x.png"]
    )
    with pytest.raises(SystemExit):
        cli.main()
    assert "`marchtable show SCENE --unit UNIT -o FILE`" in capsys.readouterr().err


def test_lines_with_numbers_and_semicolons(tmp_path: Path) -> None:
    """Numbers before lines are ignored; `;` separates actions, even where a terminal broke the line."""
    position, path = load(SCENE), tmp_path / "log.txt"
    path.write_text(
        "1. start truck; enter truck\n   I5; enter truck J4;\n4. enter truck K5:bridge\n"
    )
    assert [str(one) for one in load_log(path, position)] == [
        "start truck", "enter truck I5", "enter truck J4", "enter truck K5:bridge",
    ]  # fmt: skip
    path.write_text("start truck; enter truck I5\nentre truck J4\n")
    with pytest.raises(BadInputError, match="line 1"):
        load_log(path, position)
    path.write_text("start truck\ntruck I5\n")
    with pytest.raises(BadInputError, match="line 2: 'truck' is a unit; the verb comes first"):
        load_log(path, position)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("truck: start", "the verb comes first: `start truck`"),
        ("enter truck I5, J4", "write a line for each: `enter truck I5` and `enter truck J4`"),
        ("drive truck I5 J4", "got the hex 'I5'; one hex an action"),
    ],
)
def test_slips_in_lines(line: str, said: str) -> None:
    """Typing slips get a message that says how to fix them."""
    found = answer({"verb": "check", "scene": SCENE, "log": [line]}, files=True)
    assert said in found["error"]["message"]


@pytest.mark.parametrize("name", SCENES)
def test_a_list_where_a_verb_takes_one_name(name: str) -> None:
    """Every verb that takes one unit or one hex rejects a list of them and shows a line for each."""
    position = load(SCENES[name])
    unit, place = next((one.id, one.at) for one in position.units if one.at is not None)
    words = dict.fromkeys(ONE_UNIT, unit) | dict.fromkeys(ONE_PLACE, place)
    words |= {"companions": unit, "count": "1"}
    tried = 0
    for verb, kind in find_rulebook(name).verbs.items():
        required = [parameter for parameter in parameters(kind) if parameter.required]
        written = {
            p.name: words.get(p.domain, str(p.values[0]) if p.values else "x") for p in required
        }
        single = " ".join([verb, *written.values()])
        for parameter in required:
            if parameter.domain not in (*ONE_UNIT, *ONE_PLACE):
                continue
            one = written[parameter.name]
            listed = {**written, parameter.name: f"{one},{one}"}
            with pytest.raises(BadInputError) as caught:
                log_of([" ".join([verb, *listed.values()])], position)
            what = "unit" if parameter.domain in ONE_UNIT else "hex"
            assert f"'{verb}' takes one {what}" in caught.value.message
            assert f"; write a line for each: `{single}` and `{single}`" in caught.value.message
            assert caught.value.field == "log[0]"
            tried += 1
    assert tried > 5


def test_must_is_all_or_a_number() -> None:
    """The valid text values of a field are listed when it has another type."""
    data = {"format": "marchtable/goal/1", "aims": [{"units": ["sq"], "must": True}]}
    with pytest.raises(BadInputError, match=r'expected a whole number or text.*; as text "all"'):
        struct_of(data, Goal)


def test_what_raises_an_allotment_is_reported() -> None:
    """A road bonus and Double Time are listed with the resulting MF."""
    scene = str(ROOT / "docs/examples/own-scene.toml")
    position = load(scene)
    walker = next(unit for unit in position.units if unit.facing is None)
    found = answer(
        {"verb": "check", "scene": scene, "log": [f"double-time {walker.id}"]}, files=True
    )
    (result,) = (one for one in found["details"] if "has then" in one["what"])
    assert result["value"] == sum(part["amount"] for part in result["parts"])
    assert "A4.5a" in [part["clause"] for part in result["parts"]]


def test_each_mover_has_its_own_way(tmp_path: Path) -> None:
    """A unit that pays for its own steps is drawn and named by itself, however short its way."""
    position, path = load(SCENE), tmp_path / "log.txt"
    path.write_text("start truck; enter truck I5; enter truck J4; stop truck; enter sq N6")
    verdict = check(position, load_log(path, position))
    names = [way.name for way in ways_of_log(position, verdict, [one.id for one in position.units])]
    assert names == ["truck", "sq"]


@pytest.mark.parametrize(
    ("words", "first"),
    [("D6", "D6."), ("rider", "D6."), ("RIDERS vehicle", "D"), ("D2.13", "D2.13")],
)
def test_clauses_are_searched(words: str, first: str) -> None:
    """`rules` lists clauses by the start of their ids, or by words of their titles."""
    found = [row["clause"] for row in answer({"verb": "rules", "clause": words})["clauses"]]
    assert any(name.startswith(first) for name in found)
    assert not any(name.startswith("D62") for name in found)
    assert answer({"verb": "rules", "clause": "nothing like this"})["status"] == "ERROR"
    two = answer({"verb": "rules", "clause": "D6.5a D2.13"})["clauses"]
    assert [row["clause"] for row in two] == ["D6.5a", "D2.13"]


def test_each_word_of_rules_is_found_by_itself() -> None:
    """Ids, chapters and readings are listed together; title words narrow a chapter's list."""
    found = answer({"verb": "rules", "clause": "d2.13 B23.99 D6"})
    clauses = [row["clause"] for row in found["clauses"]]
    assert clauses[0] == "D2.13"
    assert any(name.startswith("D6.") for name in clauses)
    assert [entry["word"] for entry in found["missing"]] == ["B23.99"]
    assert all(name.startswith("B23") for name in found["missing"][0]["nearest"])
    riders = answer({"verb": "rules", "clause": "D2.13 D6 D2 rider"})["clauses"]
    assert riders[0]["clause"] == "D2.13"
    assert {row["clause"][:3] for row in riders[1:]} == {"D6."}
    assert all("rider" in row["title"].lower() for row in riders[1:])


def test_rules_finds_a_reading_without_a_clause() -> None:
    """A reading of the register is found by its id, also where no clause has that id."""
    found = answer({"verb": "rules", "rulebook": "valor", "clause": "A3"})
    assert [entry["id"] for entry in found["interpretations"]] == ["A3"]
    assert found["clauses"] == []


def test_rules_names_all_that_it_does_not_find() -> None:
    """If nothing is found, each word is named, with the nearest names of its chapter."""
    found = answer({"verb": "rules", "clause": "D2.99 Z9"})["error"]
    assert "no clause 'D2.99'; nearest: 'D2." in found["message"]
    assert "no clause 'Z9'; nearest: " in found["message"]
    found = answer({"verb": "rules", "clause": "D2 gondola"})["error"]
    assert found["message"].endswith("no clause with 'gondola' in its title")
    found = answer({"verb": "rules", "clause": "passangers"})["error"]
    assert found["message"].endswith(
        "no clause with 'passangers' in its title; nearest: 'passengers'"
    )
    printed = RUNNER.invoke(app, ["rules", "D2.13", "D2.99"])
    assert printed.exit_code == 0
    assert "asl has no clause 'D2.99'; nearest: D2." in printed.output


def test_little_words_are_left_out() -> None:
    """For `move sq to N6` the message says which word to leave out."""
    found = answer({"verb": "check", "scene": SCENE, "log": ["move sq to N6"]}, files=True)
    assert "got 'to': leave it out" in found["error"]["message"]


def test_a_side_has_no_weapons_of_its_own() -> None:
    """A word of another list is listed with all names; a misspelled one with similar names."""
    found = known_answer("weapons", "russian")
    assert (found["entries"], found["elsewhere"]) == ([], ["types", "nationalities"])
    assert found["nearest"].startswith("'LMG', 'MMG', 'HMG'")
    assert known_answer("weapons", "LGM")["nearest"] == "'LMG'"
    printed = RUNNER.invoke(app, ["weapons", "russian"]).output
    assert "there are: 'LMG'" in printed


def test_why_draws_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """If you ask why for a picture, the message says what can be drawn."""
    assert misused("No such option: --picture", "marchtable why") == 2
    said = capsys.readouterr().err
    assert "why draws nothing: `marchtable show SCENE --unit UNIT -o FILE`" in said
    assert "`marchtable show SCENE --log LOG -o FILE`" in said


def test_room_is_what_there_might_be_less() -> None:
    """The points why reports for a log are those a counter could lack, not the remainder."""
    done = RUNNER.invoke(app, ["why", str(EXAMPLE), str(EXAMPLE_LOG)])
    assert "18 MP to spare" in done.output
    assert "10 PP for Passengers" in done.output


def test_a_unit_whose_move_bars_another_is_named() -> None:
    """While a truck is under way the message says it has MP to spend, not the unit asked about."""
    log = ["load sq1,ldr truck", "start truck", "enter truck B3"]
    request = {"verb": "options", "scene": str(EXAMPLE), "log": log, "unit": "tank"}
    (unit,) = answer(request, files=True)["units"]
    bars = {bar["verb"]: bar for bar in unit["barred"]}
    assert (bars["start"]["clauses"][0], bars["start"]["of"]) == ("D2.4", ["truck"])
    assert bars["stop"]["of"] == []


def test_what_lowers_an_allotment_is_reported() -> None:
    """A boarding unit then has four MF, whatever unit it is (A4.11c)."""
    request = {"verb": "check", "scene": str(EXAMPLE), "log": ["load sq1,ldr truck"]}
    found = [
        one
        for one in answer(request, files=True)["details"]
        if one["what"].endswith("ldr has then")
    ]
    assert [(part["clause"], part["amount"]) for part in found[0]["parts"]] == [
        ("A4.11a", 6), ("A4.11c", -2),
    ]  # fmt: skip


def test_a_term_of_the_game_in_place_of_a_field() -> None:
    """A mounted unit's field, and a goal's hex, are reported with what to write."""
    found = answer({"verb": "options", "scene": broken("units.0.mounted", value=True)})
    assert "unknown field `mounted`: a unit on a horse" in found["error"]["message"]
    with pytest.raises(BadInputError, match="unknown field `hex`; nearest: 'at'"):
        struct_of({"aims": [{"hex": "E4"}]}, Goal, source="goal")


def test_a_file_of_another_kind_at_a_command() -> None:
    """A saved game is no board, and a scene no saved game: the message says which command reads it."""
    found = RUNNER.invoke(app, ["scene", "import", SCENE, "-o", "x.toml"])
    assert "expected a saved game: not a ZIP archive" in str(found.exception) + found.output


@pytest.mark.parametrize("depth", [-1, -2])
def test_a_negative_depth(depth: int) -> None:
    """Sequences of fewer than no actions are not counted."""
    with pytest.raises(BadInputError, match="expected a whole number from 0"):
        perft(load(SCENE), depth)


def test_a_scene_needs_no_import(tmp_path: Path) -> None:
    """A scene in place of a saved game is named, with the commands that read it."""
    found = RUNNER.invoke(app, ["scene", "import", SCENE, "-o", str(tmp_path / "x.toml")])
    assert "a scene needs no import: `options` and `check` read it" in found.output


def test_one_value_in_place_of_a_list_and_the_reverse() -> None:
    """The message says to use brackets, or to leave them out."""
    one: Any = load(SCENE)
    with pytest.raises(BadInputError, match="got a position; put it in brackets"):
        points_left(one, ["a"])
    found = answer({"verb": "options", "scene": broken("units.0.id", value=["a"])})
    assert found["error"]["message"].endswith('(one text without brackets: "a")')


def test_the_name_of_a_schema() -> None:
    """An unknown schema is rejected with the nearest."""
    with pytest.raises(UnknownNameError, match="no schema 'scenes'; nearest: 'scene'"):
        schema("scenes")


def test_more_words_than_a_command_takes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names what the command takes, and the options that take the rest."""
    monkeypatch.setattr(sys, "argv", ["marchtable", "casualties", SCENES["valor"], "F4", "4"])
    with pytest.raises(SystemExit):
        cli.main()
    assert (
        "(F4 4); expected STACK; other words follow an option (--points, --hex, "
        in capsys.readouterr().err
    )


def test_a_name_like_none_in_a_list() -> None:
    """Without a nearest name, the command that lists all is named."""
    assert (
        "(`marchtable types --rulebook asl` lists all)"
        in RUNNER.invoke(app, ["types", "qqqq"]).output
    )


def test_a_long_message_is_cut_between_words() -> None:
    """Both ends are whole words; a text without blanks is cut all the same."""
    text = " ".join(f"word{number}" for number in range(200))
    head, tail = one_line(text, 100).split(" … ")
    assert {*head.split(), *tail.split()} <= {*text.split()}
    assert len(one_line("x" * 900, 100)) < 110


@pytest.mark.parametrize(
    ("word", "nearest"), [("commissar", "'leader'"), ("bike", "'motorcycle'"), ("truckk", "Truck'")]
)
def test_a_type_asked_for_by_another_word(word: str, nearest: str) -> None:
    """Types that a player may mean are listed, as a scene's message does."""
    assert nearest in known_answer("types", word)["nearest"]


def test_no_field_is_named_without_its_name(tmp_path: Path) -> None:
    """A slip in a scenario's goal is placed at the goal, without a dot at the end."""
    text = (
        f'format = "marchtable/scenario/1"\nscene = "{EXAMPLE}"\nphases = [["MPh", "german"]]\n'
        '[goals.german]\naim = [{ side = "german", at = ["E4"] }]\n'
    )
    (tmp_path / "s.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError, match="unknown field `aim`; nearest: 'aims'") as caught:
        load_scenario(tmp_path / "s.toml")
    assert caught.value.field == "goals.german"
