"""The examples of the clauses are judged as recorded, and depend on their clause."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.answers.answer import answer
from marchtable.files.examples import example_of, question, read_examples, write_examples
from marchtable.rules.clause import without
from marchtable.rules.ledger import read_ledger
from marchtable.rules.rulebook import find_rulebook
from tests.harvest import Harvest, Shrinking, main, said
from tests.slowly import slow_after

if TYPE_CHECKING:
    from marchtable.files.examples import ClauseExample

LEAST = {"asl": 0.8, "valor": 0.75, "panzer": 0.85}
"""The share of the modelled clauses that have an example: it must not shrink."""


@pytest.mark.parametrize("part", slow_after(1, range(4)))
@pytest.mark.parametrize("name", LEAST)
def test_examples_are_judged_as_written(name: str, part: int) -> None:
    """Status, clauses, points, effects and rolls of every example, a quarter at a time."""
    rulebook = find_rulebook(name)
    for one in read_examples(rulebook)[part::4]:
        ruling = rulebook.rule(*question(rulebook, one))
        now = example_of(one.clause, one.scene, one.action, ruling, contrast=one.contrast)
        assert now == one
        for roll in ruling.obligations:
            name = re.sub(r"^sw\d+$", "swN", roll.id.partition(":")[0])
            for odds in roll.outcomes:
                word = re.split(r"-\d|:", odds.outcome)[0]
                listed = re.split(r"\W+", rulebook.outcomes[name])
                assert word in listed or word[0].isdecimal(), (name, word)


@pytest.mark.parametrize("part", slow_after(1, range(8)))
@pytest.mark.parametrize("name", LEAST)
def test_an_example_turns_on_its_clause(name: str, part: int) -> None:
    """With the clause off the ruling differs; in a contrast, which violates nothing, it does not."""
    rulebook = find_rulebook(name)
    for one in read_examples(rulebook)[part::8]:
        position, action = question(rulebook, one)
        _, meant = said(rulebook, position, action)
        with without(one.clause):
            _, other = said(rulebook, position, action)
        assert (meant == other) == one.contrast, one.clause


@pytest.mark.parametrize("name", LEAST)
def test_most_clauses_have_an_example(name: str) -> None:
    """One of each verdict, not all of them contrasts; few clauses have none."""
    rulebook = find_rulebook(name)
    examples: dict[str, list[ClauseExample]] = {}
    for one in read_examples(rulebook):
        assert one.clause in rulebook.clauses
        examples.setdefault(one.clause, []).append(one)
    for some in examples.values():
        statuses = [one.status for one in some]
        assert len({*statuses}) == len(some)
        assert not all(one.contrast for one in some)
    assert len(examples) >= LEAST[name] * len(read_ledger(rulebook))


def test_the_page_of_a_clause() -> None:
    """It gives the file and line of the code, what it reads, the test that fails without it, and examples."""
    (row,) = answer({"verb": "rules", "clause": "D2.14", "examples": True})["clauses"]
    assert row["location"].startswith("marchtable_models/asl/")
    assert row["tests"]
    assert row["reads"]["records"] == ["Drives"]
    assert "mover.is_vehicle" in row["reads"]["facts"]
    checks = {one["check"]["status"]: one for one in row["examples"]}
    example = checks["LEGAL"]
    check = example["check"]
    assert "D2.14" in str(check["receipts"])
    assert answer({"verb": "check", "scene": example["scene"], "log": check["log"]}) == check


def test_a_chapter_has_no_pages() -> None:
    """Only clauses named by their ids have one."""
    found = answer({"verb": "rules", "clause": "D2", "examples": True})
    assert len(found["clauses"]) > 20
    assert all("examples" not in row for row in found["clauses"])


@pytest.mark.parametrize("name", LEAST)
def test_code_of_clauses_stands_in_their_rulebook(name: str) -> None:
    """Also the code of clauses that are not modelled."""
    for clause in find_rulebook(name).clauses.values():
        assert clause.location.startswith(f"marchtable_models/{name}/"), clause
        file, _, line = clause.location.partition(":")
        assert len(Path("models", file).read_text(encoding="utf-8").splitlines()) >= int(line)


# -- search for examples ---------------------------------------------------------------------------


def test_what_does_not_matter_is_taken_away() -> None:
    """The shrinker keeps of a scene only what the property needs."""
    board: dict[str, Any] = {
        "locations": [{"name": f"A{n}", "hex": f"A{n}", "u": 0, "v": n} for n in range(9)],
        "edges": [
            {"a": f"A{n}", "b": f"A{n + 1}", "hexside": {"road": "Dirt Road"}} for n in range(8)
        ],
    }
    units = [
        {"id": f"u{n}", "side": "s", "at": f"A{n}", "type": "t", "pinned": True} for n in range(5)
    ]
    scene = {"board": board, "units": units, "conditions": {"mud": True}}

    def holds(one: dict[str, Any]) -> bool:
        names = {unit["id"] for unit in one["units"]}
        return "u3" in names and any(edge["a"] == "A4" for edge in one["board"].get("edges", ()))

    left = Shrinking(scene, holds).run()
    assert [unit["id"] for unit in left["units"]] == ["u3"]
    assert "pinned" not in left["units"][0]
    assert [(edge["a"], edge["b"]) for edge in left["board"]["edges"]] == [("A4", "A5")]
    assert [place["name"] for place in left["board"]["locations"]] == ["A4", "A5"]
    assert "conditions" not in left


def test_a_clause_that_is_unknown_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Before any test is run."""
    assert "P.none" in str(main(["panzer", "P.none"]))
    with pytest.raises(SystemExit):
        main([])
    assert "rulebook" in capsys.readouterr().err


def test_examples_are_found_again() -> None:
    """From the question of an example both of its clause's examples can be made."""
    rulebook = find_rulebook("panzer")
    illegal = next(one for one in read_examples(rulebook, "P.dd-b") if one.status == "ILLEGAL")
    found = [*Harvest(rulebook, "P.dd-b").examples([question(rulebook, illegal)])]
    assert found[0] == illegal
    assert [one.status for one in found] == ["ILLEGAL", "LEGAL"]
    assert found[1].contrast


def test_examples_are_written_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the clauses; what is written can be read."""
    rulebook = find_rulebook("panzer")
    known = read_examples(rulebook)
    monkeypatch.setattr("marchtable.files.examples.examples_path", lambda _: tmp_path / "e.jsonl")
    assert read_examples(rulebook) == []
    write_examples(rulebook, known[::-1])
    assert [one.clause for one in read_examples(rulebook)] == [one.clause for one in known]
