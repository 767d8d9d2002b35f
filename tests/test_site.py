"""The docs site: a page for every clause, and a build without a warning."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.rules.rulebook import find_rulebook
from tests.slowly import slow_after

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def clauses() -> Iterator[Any]:
    """Return the module that makes the clauses' pages."""
    folder = str(ROOT / "docs" / "site")
    sys.path.insert(0, folder)
    yield importlib.import_module("clauses")
    sys.path.remove(folder)


def plain(path: str, line: str) -> str:
    """Return a path as text."""
    return f"`{path}:{line}`"


@pytest.mark.parametrize("name", slow_after(2, ("panzer", "valor", "asl")))
def test_every_clause_has_a_page(clauses: Any, name: str) -> None:
    """With its title, its code, and cases that are judged as in the suite."""
    book = clauses.Pages(name, plain)
    pages = dict(book.pages())
    rulebook = find_rulebook(name)
    assert [*pages] == [*rulebook.clauses]
    for clause, page in pages.items():
        assert page.startswith(f"# {clause}\n\n{rulebook.clauses[clause].title}.")
        assert f"models/marchtable_models/{name}/" in page
    assert all(f"({clause}.md)" in book.index() for clause in pages)


def test_a_page_shows_what_the_rules_say(clauses: Any) -> None:
    """Reading, legal and illegal case, a test that fails without the clause, and relatives."""
    book = clauses.Pages("panzer", plain)
    page = book.page(book.rulebook.clauses["P.turn-b"])
    for part in (
        "### Legal",
        "### Illegal",
        "**ILLEGAL** (P.turn-b)",
        "## Tests that fail",
        "[P.turn-a]",
    ):
        assert part in page


def test_a_case_that_is_no_longer_true_stops_the_build(clauses: Any) -> None:
    """The error names the clause and the case."""
    book = clauses.Pages("panzer", plain)
    case = next(c for c in book.cases["P.turn-b"] if c["verdict"] == "ILLEGAL")
    others = [c for c in book.cases["P.turn-b"] if c["verdict"] != "ILLEGAL"]
    book.cases["P.turn-b"] = [*others, {**case, "clauses": ["PB.pay"]}]
    with pytest.raises(clauses.BuildError, match=rf"P\.turn-b: case {case['id']}"):
        book.page(book.rulebook.clauses["P.turn-b"])


def test_a_missing_case_stops_the_build(clauses: Any) -> None:
    """The error names the clause and the verdict; an exception is shown on the page."""
    book = clauses.Pages("panzer", plain)
    book.cases["P.turn-b"] = [c for c in book.cases["P.turn-b"] if c["verdict"] != "ILLEGAL"]
    clause = book.rulebook.clauses["P.turn-b"]
    with pytest.raises(clauses.BuildError, match=r"P\.turn-b: .* no case that is ILLEGAL"):
        book.page(clause)
    book.exceptions = {"P.turn-b": {"ILLEGAL": "unnamed"}}
    assert "no such case: unnamed" in book.page(clause)


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    """With the extra `docs`; in CI a job of its own builds it."""
    pytest.importorskip("mkdocstrings", reason="needs pip install 'marchtable[docs]'")
    pytest.importorskip("material", reason="needs pip install 'marchtable[docs]'")
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "-q",
        "-f",
        ".mkdocs.yml",
        "-d",
        str(tmp_path),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    for page in (
        "index.html",
        "clauses/asl/D2.14/index.html",
        "reference/cli/index.html",
        "gallery/index.html",
    ):
        assert (tmp_path / page).exists()
