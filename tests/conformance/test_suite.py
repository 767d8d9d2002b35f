"""The conformance suite: its cases are valid, our engine passes it, and a wrong engine does not."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from marchtable.files.cases import board_of, scene_of_case
from marchtable.files.notation import format_action, parse_action
from marchtable.rules.ledger import read_ledger
from marchtable.rules.rulebook import find_rulebook
from tests.client.test_schema import untyped
from tests.conformance import mutants
from tests.conformance.build import GENERATED, case_id, generated_by, ordered
from tests.conformance.collect import Clauses, Number, Truth, Word
from tests.conformance.drawing import drawn
from tests.conformance.engine import reply
from tests.conformance.required import exceptions, missing, required
from tests.conformance.run import faults, question, read_cases
from tests.slowly import slow_after

HERE = Path(__file__).parent
RULEBOOKS = ("asl", "valor", "panzer")
PARTS = 8
NOTICED = {"asl": 0.98, "valor": 0.97, "panzer": 1.0}
"""The share of clauses whose absence changes a case's answer: it must not shrink."""
MOST_MISSING = {"asl": 5, "valor": 0, "panzer": 0}
"""Clauses whose pages lack a case: their number must not grow."""
REASONS = {"unnamed", "set-up"}
"""Why a clause has no case; see README.md."""


@pytest.fixture(scope="module")
def cases() -> list[dict[str, Any]]:
    """Return all cases."""
    return read_cases()


# -- the cases -------------------------------------------------------------------------------------


def test_cases_are_valid_by_their_schema(cases: list[dict[str, Any]]) -> None:
    """Every line is a case by case.schema.json."""
    jsonschema = pytest.importorskip("jsonschema", reason="needs pip install jsonschema")
    schema = json.loads((HERE / "case.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    assert [case["id"] for case in cases if not validator.is_valid(case)] == []


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_verb_is_in_a_log(name: str) -> None:
    """Each verb of a rulebook has a case; its line, written again, reads the same."""
    rulebook = find_rulebook(name)
    lines = {line for case in read_cases(name) for line in case["log"]}
    actions = {parse_action(line, rulebook) for line in lines}
    assert {parse_action(format_action(action), rulebook) for action in actions} == actions
    assert {type(action) for action in actions} >= {*rulebook.action_types}


def test_no_part_of_the_schema_is_without_a_type() -> None:
    """Types made from case.schema.json never have ``unknown``."""
    schema = json.loads((HERE / "case.schema.json").read_text(encoding="utf-8"))
    parts = {"case": schema, **schema["$defs"]}
    assert [fault for at, part in parts.items() for fault in untyped(part, at)] == []


def test_ids_and_tags_follow_from_the_questions(cases: list[dict[str, Any]]) -> None:
    """An id is the hash of its question; tags and field order are those that `build` writes."""
    assert [case["id"] for case in cases if case["id"] != case_id(case)] == []
    assert len({case["id"] for case in cases}) == len(cases)
    assert [case["id"] for case in cases if json.dumps(ordered(case)) != json.dumps(case)] == []


def test_there_are_enough_cases_of_each_kind(cases: list[dict[str, Any]]) -> None:
    """1,500 in all, 600 worked out by hand; a quarter ILLEGAL, one in twenty UNSUPPORTED."""
    verdicts = Counter(case["verdict"] for case in cases)
    assert len(cases) >= 1500
    assert sum(case["origin"] == "hand" for case in cases) >= 600
    assert verdicts["ILLEGAL"] >= len(cases) / 4
    assert verdicts["UNSUPPORTED"] >= len(cases) / 20
    assert {case["rulebook"] for case in cases} == {*RULEBOOKS}


def test_clauses_and_readings_exist(cases: list[dict[str, Any]]) -> None:
    """A case names clauses and readings of its rulebook; of a hand-worked one, a part is worked."""
    for case in cases:
        rulebook = find_rulebook(case["rulebook"])
        readings = {entry.id: entry.choices for entry in rulebook.register}
        assert {case["clause"], *case["about"], *case.get("clauses", ())} <= {*rulebook.clauses, ""}
        assert all(choice in readings[name] for name, choice in case.get("reading", {}).items())
        assert bool(case["worked"]) == (case["origin"] == "hand")
        for paid in case.get("cost", ()):
            assert sum(amount for _, amount in paid["sum"]) == paid["amount"], case["id"]


def test_outcomes_of_rolls_are_explained(cases: list[dict[str, Any]]) -> None:
    """Each outcome in the odds of a case is a number, or listed for players under its roll."""
    for case in cases:
        for roll, odds in case.get("odds", {}).items():
            name = re.sub(r"^sw\d+$", "swN", roll.partition(":")[0])
            listed = re.split(r"\W+", find_rulebook(case["rulebook"]).outcomes[name])
            for outcome in odds:
                word = re.split(r"-\d|:", outcome)[0]
                assert word in listed or word[0].isdecimal(), (case["id"], roll, word)


@pytest.mark.parametrize("name", RULEBOOKS)
def test_clauses_have_the_cases_that_they_need(name: str) -> None:
    """Two on each page, with the verdicts of its kind; the list of exceptions names exactly the missing ones."""
    known = exceptions()[name]
    assert missing(name) == {clause: sorted(reasons) for clause, reasons in known.items()}
    assert {why for reasons in known.values() for why in reasons.values()} <= REASONS
    assert len(known) <= MOST_MISSING[name]


def test_what_a_clause_needs() -> None:
    """A clause that forbids needs both verdicts, one that only changes effects a legal case."""
    clauses = find_rulebook("panzer").clauses
    kinds = {str(one.kind): required(one) for one in clauses.values() if one.modelled}
    assert kinds["action"] == {"LEGAL", "ILLEGAL"}
    assert kinds["effect"] == {"LEGAL"}
    assert {required(one) for one in clauses.values() if not one.modelled} == {
        frozenset({"UNSUPPORTED"})
    }


@pytest.mark.parametrize(
    ("clause", "verdicts"),
    [
        ("B4.42a", {"LEGAL", "ILLEGAL"}),  # it forbids
        ("D6.1d", {"LEGAL", "ILLEGAL"}),  # it charges
        ("D14.2a", {"LEGAL"}),  # it only looks at a scene's set-up
        ("D14.22d", {"LEGAL"}),  # it exempts
        ("D6.82b", {"LEGAL"}),  # it grants
        ("D6.64d", {"ILLEGAL"}),  # it denies
        ("E11.54a", {"LEGAL"}),  # it says nothing
        ("E11.2i", {"LEGAL", "UNSUPPORTED"}),  # it only cites what is not modelled
        ("D6.4f", {"LEGAL", "ILLEGAL"}),  # it forbids, and cites
        ("D12.4e", {"LEGAL"}),  # it forces, by a function that receives its sheet
    ],
)
def test_what_a_clause_needs_by_its_code(clause: str, verdicts: set[str]) -> None:
    """A clause whose code does one thing needs only cases for that, whatever its kind."""
    assert required(find_rulebook("asl").clauses[clause]) == verdicts


def test_drawings_are_boards(cases: list[dict[str, Any]]) -> None:
    """A board redrawn gives the same drawing."""
    for case in cases:
        board = case["scene"]["board"]
        assert drawn(board_of(board)) == board, case["id"]


# -- our engine ------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", slow_after(1, range(PARTS)))
def test_our_engine_passes(cases: list[dict[str, Any]], part: int) -> None:
    """Every answer of ours is right."""
    wrong = {
        case["id"]: found
        for case in cases[part::PARTS]
        if (found := faults(case, reply(question(case))))
    }
    assert wrong == {}


def test_our_engine_speaks_the_protocol(cases: list[dict[str, Any]]) -> None:
    """Through the runner, as any other engine."""
    tag = min(
        (tag for tag in cases[0]["needs"]), key=lambda tag: sum(tag in c["needs"] for c in cases)
    )
    command = [sys.executable, "-m", "tests.conformance.engine"]
    done = run("--rulebook", cases[0]["rulebook"], "--need", tag, "--", *command)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"\n{tag:32}" in done.stdout


# -- other engines ---------------------------------------------------------------------------------


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the runner."""
    command = [sys.executable, str(HERE / "run.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_another_engine_passes_a_feature() -> None:
    """A hundred lines of JavaScript know how Infantry enters a hex, and skip the rest."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    done = run("--rulebook", "asl", "--", node, str(HERE / "infantry.mjs"))
    (line,) = [one for one in done.stdout.splitlines() if one.startswith("infantry-entry ")]
    assert done.returncode == 0, done.stdout
    assert line.endswith("passed")
    right = next(one for one in done.stdout.splitlines() if one.startswith("all "))
    assert int(right.split()[1]) >= 40


def test_an_engine_that_allows_everything_fails() -> None:
    """The runner lists its wrong answers and exits with 10."""
    script = 'import sys\nfor line in sys.stdin: print(\'{"verdict": "LEGAL"}\', flush=True)'
    done = run("--rulebook", "panzer", "--", sys.executable, "-c", script)
    assert done.returncode == 10
    assert 'verdict (expected "ILLEGAL", got "LEGAL")' in done.stdout


def test_the_runner_can_be_cut_short() -> None:
    """A reader that leaves, such as ``head``, causes no traceback."""
    with subprocess.Popen(
        [sys.executable, str(HERE / "run.py"), "--tags"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as done:  # fmt: skip
        assert done.stdout is not None
        assert done.stderr is not None
        done.stdout.close()
        assert done.stderr.read() == b""


def test_what_is_compared() -> None:
    """The verdict, one accepted clause, points and rolls; texts are not."""
    case = {"verdict": "ILLEGAL", "clauses": ["A", "B"], "rolls": []}
    assert faults(case, {"verdict": "ILLEGAL", "clauses": ["B", "C"], "message": "no"}) == []
    assert faults(case, {"verdict": "ILLEGAL", "clauses": ["C"]}) == ["clauses"]
    assert faults(case, {"verdict": "LEGAL"}) == ["verdict"]
    assert faults(case, {"verdict": "ILLEGAL", "clauses": ["A"], "rolls": ["bog:u"]}) == ["rolls"]
    paid = {"verdict": "LEGAL", "cost": [{"unit": "u", "amount": 2}]}
    assert faults(paid, {"verdict": "LEGAL", "cost": {"u": 2.0}}) == []
    assert faults(paid, {"verdict": "LEGAL", "cost": {}}) == ["cost"]
    twice = {**paid, "cost": [*paid["cost"], *paid["cost"]]}
    assert faults(twice, {"verdict": "LEGAL", "cost": {"u": 4}}) == []
    more = {
        "verdict": "LEGAL",
        "odds": {"bog:u": {"bogged": [1, 6]}},
        "after": {"units": {}, "counters": ["wreck A1"]},
    }
    assert faults(more, {"verdict": "LEGAL", "odds": {"bog:u": {"bogged": [1, 6]}}}) == []
    assert faults(more, {"verdict": "LEGAL", "odds": {"bog:u": {"bogged": [1, 3]}}}) == ["odds"]
    assert faults(more, {"verdict": "LEGAL", "after": {"counters": []}}) == ["after.counters"]


# -- mutants ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULEBOOKS)
def test_few_clauses_survive(name: str) -> None:
    """Without most clauses the suite alone fails; survivors.json lists the others."""
    alive = json.loads(mutants.SURVIVORS.read_text(encoding="utf-8"))[name]
    ledger = read_ledger(find_rulebook(name))
    assert {*alive} <= {*ledger}
    assert len(alive) <= (1 - NOTICED[name]) * len(ledger)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_list_of_survivors_is_true(name: str) -> None:
    """A clause not on the list is noticed when it is off."""
    alive = {*json.loads(mutants.SURVIVORS.read_text(encoding="utf-8"))[name]}
    killed = [clause for clause in read_ledger(find_rulebook(name)) if clause not in alive]
    assert mutants.survivors(name, killed) == []


# -- what is collected -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "equal", "other"),
    [(Word("LEGAL"), "LEGAL", "ILLEGAL"), (Number(2), 2, 3), (Clauses({"A"}), {"A"}, {"B"}), (Truth(1), True, False)],
)  # fmt: skip
def test_an_answer_notes_what_an_assert_states(answer: Any, equal: Any, other: Any) -> None:
    """With both sides from the engine, or outside an assert, nothing is recorded."""
    noted: list[Any] = []
    answer.note = noted.append
    twin = type(answer)(answer)
    twin.note = noted.append
    assert answer == twin
    found = answer == other
    assert not found
    assert noted == []
    assert answer == equal
    assert (answer, 1) == (equal, 1)
    assert noted == [equal, equal]


def test_a_case_is_asked_as_a_scene_file(cases: list[dict[str, Any]]) -> None:
    """The question contains no answer."""
    case = cases[0]
    assert not {*question(case)} & {"verdict", "clauses", "cost", "effects", "rolls", "worked"}
    assert scene_of_case(case["rulebook"], case["scene"])["format"] == "marchtable/scene/2"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--need", "infantry-entri", "--", "x"), "nearest: infantry-entry (--tags lists all)"),
        (("--need", "infantry-entry", "--", "no-such-engine"), "cannot start 'no-such-engine'"),
        (("--", sys.executable, "-c", "print('hello')"), "expected a line of JSON"),
        (("--", sys.executable, "-c", ""), "without an answer"),
        ((), "expected the engine's command after --"),
    ],
)
def test_an_engine_that_cannot_be_used(arguments: tuple[str, ...], says: str) -> None:
    """The runner ends with 2 and one line, never a traceback."""
    command = [sys.executable, str(Path(__file__).parent / "run.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_the_builder_names_the_word_that_makes_a_test_generated() -> None:
    """A test that asks `reach` is not by hand; a word in its source is the reason."""
    assert (
        generated_by(f"{__file__}::test_the_builder_names_the_word_that_makes_a_test_generated")
        == "reach("
    )
    assert generated_by(f"{__file__}::test_no_part_of_the_schema_is_without_a_type") == ""
    assert GENERATED[-2] == "reach("
