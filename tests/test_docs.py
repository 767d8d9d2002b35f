"""The documentation matches the code: its code blocks, links and docstring examples."""

from __future__ import annotations

import doctest
import json
import re
import tomllib
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import marchtable
import marchtable_models
from marchtable.answers.answer import answer
from marchtable.board.places import Hexside, Location
from marchtable_models.asl.counterkinds import CROSSED, TRAIL, is_known
from marchtable_models.asl.data import works
from marchtable_models.asl.reporting.names import COUNTERS
from tests import counters_page, terrain_chart
from tests.examples import JSON_PAGE, REQUEST, with_answers
from tests.optional import all_imported

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("solver", "models", "tests", "benchmarks")
QUOTED = re.compile(r"^```(?:python|toml)\n# (?P<file>\S+\.\w+)\n(?P<code>.*?)^```", re.S | re.M)
LINK = re.compile(r"\]\((?P<target>[^)#\s]+)[^)]*\)")
FENCED = re.compile(r"^```.*?^```", re.S | re.M)


def _quotes() -> Iterator[tuple[str, str, str]]:
    for page, text in _pages():
        for found in QUOTED.finditer(text):
            yield page.name, found["file"], found["code"]


def _pages() -> Iterator[tuple[Path, str]]:
    for glob in ("*.md", "docs/**/*.md", "benchmarks/*.md"):
        for page in sorted(ROOT.glob(glob)):
            yield page, page.read_text(encoding="utf-8")


def _squeezed(code: str) -> str:
    """Return code without what a formatter may change: white space and closing commas."""
    return re.sub(r",(?=[)\]}])", "", re.sub(r"\s+", "", code))


def test_quoted_code_is_the_code() -> None:
    """A code block that starts with a file's name is in that file unchanged."""
    quotes = list(_quotes())
    lost = [
        f"{page}: {file}"
        for page, file, code in quotes
        if not (ROOT / file).is_file()
        or _squeezed(code) not in _squeezed((ROOT / file).read_text(encoding="utf-8"))
    ]

    assert quotes
    assert lost == []


def test_links_lead_somewhere() -> None:
    """Every link to a file of the project leads to one."""
    lost = [
        f"{page.relative_to(ROOT)}: {target}"
        for page, text in _pages()
        for target in LINK.findall(FENCED.sub("", text))
        if "://" not in target and not (page.parent / target).exists()
    ]

    assert lost == []


def test_files_named_exist() -> None:
    """Every Python file that a page names in passing exists."""
    sources = [f"/{path.as_posix()}" for top in SOURCES for path in (ROOT / top).rglob("*.py")]
    lost = [
        f"{page.relative_to(ROOT)}: {name}"
        for page, text in _pages()
        for name in re.findall(r"`([\w/]+\.py)`", text)
        if not any(path.endswith(f"/{name}") for path in sources)
    ]

    assert lost == []


def test_the_terrain_chart_is_that_of_the_data() -> None:
    """The Terrain Chart page matches its data; ``python -m tests.terrain_chart`` renews it."""
    assert terrain_chart.PAGE.read_text(encoding="utf-8") == terrain_chart.page()


def test_the_page_of_counters_is_that_of_the_data() -> None:
    """``python -m tests.counters_page`` renews it; every kind known to a clause is on it."""
    assert counters_page.PAGE.read_text(encoding="utf-8") == counters_page.page()
    listed = {kind.removesuffix("*") for kind in COUNTERS}
    for kind in (*works().terrain, *works().other):
        assert kind in listed
    for prefix in (CROSSED, TRAIL, "roadblock-", "breach-"):
        assert prefix in listed
        assert is_known(f"{prefix}NE")


def _with_examples() -> list[str]:
    """Return the modules whose source has an example: searching the others is slow."""
    found = []
    for package in (marchtable, marchtable_models):
        top = Path(package.__path__[0])
        for file in sorted(top.rglob("*.py")):
            if ">>> " in file.read_text(encoding="utf-8"):
                parts = file.relative_to(top.parent).with_suffix("").parts
                found.append(".".join(parts).removesuffix(".__init__"))
    return found


def test_docstring_examples_run() -> None:
    """The examples in docstrings give the shown results."""
    failed, tried = [], 0
    for name, module in all_imported(_with_examples()):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = doctest.testmod(module)
        tried += found.attempted
        failed += [name] if found.failed else []

    assert tried
    assert failed == []


def test_the_page_of_boards_has_every_field() -> None:
    """Every field of a board file is on docs/boards.md."""
    page = (ROOT / "docs" / "boards.md").read_text(encoding="utf-8")
    fields = [*Location.__struct_fields__, *Hexside.__struct_fields__]

    assert [name for name in fields if f"`{name}`" not in page] == []


def test_quick_json_examples_are_real_answers() -> None:
    """Those of docs/json.md that need no planner."""
    examples = REQUEST.finditer(JSON_PAGE.read_text(encoding="utf-8"))
    searches = ("plan", "why", "casualties")
    quick = [one[0] for one in examples if json.loads(one["request"])["verb"] not in searches]
    assert len(quick) > 5
    assert [with_answers(one) for one in quick] == quick


@pytest.mark.slow
def test_json_examples_are_real_answers() -> None:
    """The answers in docs/json.md are the present ones (`just docs` writes them anew)."""
    page = JSON_PAGE.read_text(encoding="utf-8")

    assert with_answers(page) == page


def test_a_crew_stands_at_its_gun_as_the_page_says() -> None:
    """In TOML and JSON alike: they are one scene, in which the crew can push its Gun."""
    page = (ROOT / "docs" / "a-scene-of-your-own.md").read_text(encoding="utf-8")
    section = page.partition("### Guns and their crews")[2].partition("\n### ")[0]
    blocks = dict(re.findall(r"```(toml|json)\n(.*?)```", section, re.DOTALL))
    units = json.loads(blocks["json"])["units"]
    assert tomllib.loads(blocks["toml"])["units"] == units
    scene = {
        "format": "marchtable/scene/2", "rulebook": "asl", "board": "demo", "side": "german",
        "phase": "MPh", "units": units,
    }  # fmt: skip
    found = answer({"verb": "check", "scene": scene, "log": ["push crew gun B3"]})
    assert found["status"] == "LEGAL"
