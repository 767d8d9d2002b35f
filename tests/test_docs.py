"""The documentation says what the code says: its code blocks, links and docstring examples."""

from __future__ import annotations

import doctest
import pkgutil
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import marchtable
import marchtable_models
from marchtable.board.places import Hexside, Location
from marchtable_models.asl.counterkinds import CROSSED, TRAIL, is_known
from marchtable_models.asl.data import works
from marchtable_models.asl.reporting.names import COUNTERS
from tests import counters_page, terrain_chart
from tests.examples import JSON_PAGE, with_answers
from tests.optional import imported

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")])
SOURCES = ("solver", "models", "tests", "benchmarks")
QUOTED = re.compile(r"^```(?:python|toml)\n# (?P<file>\S+\.\w+)\n(?P<code>.*?)^```", re.S | re.M)
LINK = re.compile(r"\]\((?P<target>[^)#\s]+)[^)]*\)")
FENCED = re.compile(r"^```.*?^```", re.S | re.M)


def _quotes() -> Iterator[tuple[str, str, str]]:
    for page in PAGES:
        for found in QUOTED.finditer(page.read_text(encoding="utf-8")):
            yield page.name, found["file"], found["code"]


def _squeezed(code: str) -> str:
    """Return code without what a formatter may change: white space and closing commas."""
    return re.sub(r",(?=[)\]}])", "", re.sub(r"\s+", "", code))


@pytest.mark.parametrize(("page", "file", "code"), list(_quotes()))
def test_quoted_code_is_the_code(page: str, file: str, code: str) -> None:
    """A code block that opens with a file's name stands in that file as it is."""
    assert (ROOT / file).is_file(), page
    assert _squeezed(code) in _squeezed((ROOT / file).read_text(encoding="utf-8")), page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file of the project leads to one."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))

    lost = [
        target
        for target in LINK.findall(text)
        if "://" not in target and not (page.parent / target).exists()
    ]

    assert lost == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_named_exist(page: Path) -> None:
    """Every Python file that a page names in passing exists."""
    names = re.findall(r"`([\w/]+\.py)`", page.read_text(encoding="utf-8"))
    sources = [path.as_posix() for top in SOURCES for path in (ROOT / top).rglob("*.py")]

    assert [n for n in names if not any(path.endswith(f"/{n}") for path in sources)] == []


def test_the_terrain_chart_is_that_of_the_data() -> None:
    """The page of the Terrain Chart says what its data say; ``python -m tests.terrain_chart`` renews it."""
    assert terrain_chart.PAGE.read_text(encoding="utf-8") == terrain_chart.page()


def test_the_page_of_counters_is_that_of_the_data() -> None:
    """``python -m tests.counters_page`` renews it; every kind that a clause knows is on it."""
    assert counters_page.PAGE.read_text(encoding="utf-8") == counters_page.page()
    listed = {kind.removesuffix("*") for kind in COUNTERS}
    for kind in (*works().terrain, *works().other):
        assert kind in listed
    for prefix in (CROSSED, TRAIL, "roadblock-", "breach-"):
        assert prefix in listed
        assert is_known(f"{prefix}NE")


def _modules() -> list[str]:
    found = []
    for package in (marchtable, marchtable_models):
        found += [m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return [name for name in found if not name.endswith("__main__")]


@pytest.mark.parametrize("name", _modules())
def test_docstring_examples_run(name: str) -> None:
    """The examples in docstrings give what they say."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        failed, _ = doctest.testmod(imported(name))

    assert failed == 0


def test_the_page_of_boards_has_every_field() -> None:
    """What a board file may hold is on docs/boards.md, field by field."""
    page = (ROOT / "docs" / "boards.md").read_text(encoding="utf-8")
    fields = [*Location.__struct_fields__, *Hexside.__struct_fields__]

    assert [name for name in fields if f"`{name}`" not in page] == []


def test_json_examples_are_real_answers() -> None:
    """The answers in docs/json.md are what is answered now (`just docs` writes them anew)."""
    page = JSON_PAGE.read_text(encoding="utf-8")

    assert with_answers(page) == page
