"""The cases on the pages of the clauses: the suite's, the smallest, and each turns on its clause."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from marchtable.answers.answer import answer
from marchtable.answers.clauses import case_answer
from marchtable.answers.shapes import ANSWERS
from marchtable.errors import BadInputError
from marchtable.files.cases import cases_path, read_cases
from marchtable.rules.rulebook import find_rulebook
from tests.conformance import pages, run
from tests.conformance.pages import RULEBOOKS
from tests.conformance.required import exceptions
from tests.slowly import slow_after

PARTS = 8


@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_pages_show_cases_of_the_suite(name: str) -> None:
    """The rulebook's data holds their questions, word for word and in the suite's order."""
    shown = read_cases(find_rulebook(name))
    suite = {case["id"]: case for case in run.read_cases(name)}
    assert [one.id for one in shown] == [id_ for id_ in suite if id_ in {one.id for one in shown}]
    for one in shown:
        case = suite[one.id]
        assert one == pages.question(case, one.clauses)
        assert {*one.clauses} <= {case["clause"], *case["about"]}


@pytest.mark.parametrize("part", slow_after(1, range(PARTS)))
@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_case_turns_on_its_clause(name: str, part: int) -> None:
    """Without the clause the answer is another one; of two cases, one can be a contrast to the other."""
    suite = {case["id"]: case for case in run.read_cases(name)}
    shown: dict[str, list[dict[str, Any]]] = {}
    for one in read_cases(find_rulebook(name)):
        for clause in one.clauses:
            shown.setdefault(clause, []).append(suite[one.id])
    for clause in [*shown][part::PARTS]:
        turning = [case for case in shown[clause] if pages.part(case, clause) == "decides"]
        if clause in exceptions()[name]:
            continue
        assert turning, clause
        for case in shown[clause]:
            assert case in turning or pages.is_contrast(case, clause, turning[0]), clause


@pytest.mark.slow
@pytest.mark.parametrize("name", RULEBOOKS)
def test_they_are_the_plainest(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Picked anew from the whole suite, they are the same."""
    path = cases_path(find_rulebook(name))
    assert path is not None
    again = tmp_path / "cases.jsonl"
    monkeypatch.setattr(pages, "cases_path", lambda _: again)
    pages.write(name, run.read_cases(name))
    assert again.read_bytes() == path.read_bytes()


def test_the_plainest_are_picked(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each verdict that turns on the clause; if there is only one, the case most like it that does not."""
    clause = "PB.one-hex"

    def case(id_: str, verdict: str, *log: str, part: str = "decides", units: int = 1, board: int = 2,
             alone: bool = True, type_: str = "truck") -> dict[str, Any]:  # fmt: skip
        scene = {
            "units": [{"id": f"t{n}" if n else "t", "type": type_} for n in range(units)],
            "board": {"hexes": {f"A{n}": {} for n in range(board)}},
        }
        made = {"id": id_, "verdict": verdict, "log": [*log], "scene": scene, "alone": alone}
        return {**made, "rulebook": "panzer", "clause": clause, "about": [], "part": part}

    small, large = case("a", "ILLEGAL", "move t"), case("b", "ILLEGAL", "move t B1")
    near, far = case("c", "LEGAL", "move t", part="none"), case("d", "LEGAL", "load", part="none")
    weak, barred = (
        case("f", "LEGAL", "move t", part="other"),
        case("g", "ILLEGAL", "a", part="none"),
    )
    legal = case("e", "LEGAL", "move t a very long way")
    crowd, wide = case("h", "LEGAL", "move t", units=8), case("i", "LEGAL", "move t", board=81)
    shared, odd = (
        case("0", "ILLEGAL", "move t", alone=False),
        case("1", "ILLEGAL", "move t", type_="wreck"),
    )
    monkeypatch.setattr(pages, "judged", lambda one, _: (one["part"], one["alone"]))
    monkeypatch.setattr(pages, "consulted", lambda _: {clause})
    for cases, picked in (
        ([large, small, legal, near], [legal, small]),
        ([far, large, near, weak, barred], [large, near]),
        ([legal, near, barred], [legal, barred]),
        ([large, small], [small, large]),
        ([far, near], [far]),
        ([small, shared, legal], [legal, small]),  # no other clause is violated
        ([small, odd, large, legal, near], [legal, small]),  # a kind of unit that other cases have
        ([wide, crowd, small], [wide, small]),  # fewer units
        ([wide, legal, small], [legal, small]),  # fewer hexes
        ([crowd, near, small], [small, near]),  # a plain contrast, not a crowd that turns on it
    ):
        assert sorted(one["id"] for one in pages.shown(cases)[clause]) == sorted(
            one["id"] for one in picked
        )


def test_a_plain_page() -> None:
    """The README's own clause: one squad each, and nothing else is violated."""
    (row,) = answer({"verb": "rules", "clause": "A4.11b", "examples": True})["clauses"]
    assert [len(one["scene"]["units"]) for one in row["examples"]] == [1, 1]
    cited = [{fault["clause"] for fault in one["check"]["violations"]} for one in row["examples"]]
    assert {"A4.11b"} in cited
    assert all(one <= {"A4.11b"} for one in cited)


def test_the_page_of_a_clause() -> None:
    """It gives the file and line of the code, what it reads, the test that fails without it, and two cases."""
    (row,) = answer({"verb": "rules", "clause": "D2.14", "examples": True})["clauses"]
    assert row["location"].startswith("marchtable_models/asl/")
    assert row["tests"]
    assert row["reads"]["records"] == ["Drives"]
    assert "mover.is_vehicle" in row["reads"]["facts"]
    legal, illegal = row["examples"]
    assert "D2.14" in str(legal["check"]["receipts"])
    assert [one["check"]["status"] for one in (legal, illegal)] == ["LEGAL", "ILLEGAL"]
    assert (legal["contrast"], illegal["without"]) == (False, "LEGAL")
    assert (
        answer({"verb": "check", "scene": legal["scene"], "log": legal["check"]["log"]})
        == legal["check"]
    )


def test_an_entitlement_on_a_page() -> None:
    """A case can ask whether a unit has a right as it stands."""
    found = answer({"verb": "rules", "clause": "D6.82b", "examples": True})
    assert msgspec.convert(found, ANSWERS["rules"])
    (row,) = found["clauses"]
    one = row["examples"][0]
    assert one["check"]["log"] == []
    assert one["entitlement"]["allowed"]
    assert one["unit"] in {unit["id"] for unit in one["scene"]["units"]}


@pytest.mark.parametrize(
    ("id_", "clause"),
    [("asl-67168d2326", "A13.34"), ("asl-46ccec78cf", "D2.1a"), ("panzer-3426037221", "P.dd-b")],
)
def test_a_case_is_judged_without_any_clause(id_: str, clause: str) -> None:
    """Also without the clause that gives an allotment to those who dismount, or that names what is owed."""
    case = next(case for case in run.read_cases() if case["id"] == id_)
    assert case_answer(find_rulebook(case["rulebook"]), pages.question(case), clause)["without"]


def test_a_chapter_has_no_pages() -> None:
    """Only clauses named by their ids have one."""
    found = answer({"verb": "rules", "clause": "D2", "examples": True})
    assert len(found["clauses"]) > 20
    assert all("examples" not in row for row in found["clauses"])


@pytest.mark.parametrize("name", RULEBOOKS)
def test_code_of_clauses_stands_in_their_rulebook(name: str) -> None:
    """Also the code of clauses that are not modelled."""
    for clause in find_rulebook(name).clauses.values():
        assert clause.location.startswith(f"marchtable_models/{name}/"), clause
        file, _, line = clause.location.partition(":")
        assert len(Path("models", file).read_text(encoding="utf-8").splitlines()) >= int(line)


def test_a_line_that_is_no_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the file; a rulebook without the file has no cases."""
    path = tmp_path / "cases.jsonl"
    monkeypatch.setattr("marchtable.files.cases.cases_path", lambda _: path)
    assert read_cases(find_rulebook("panzer")) == []
    path.write_text('{"id": 1}\n', encoding="utf-8")
    with pytest.raises(BadInputError, match=r"cases.jsonl: not a case: .*`str`, got `int`"):
        read_cases(find_rulebook("panzer"))
