"""The service page of the docs matches the service."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks.service_fuzz import served
from marchtable.service.settings import Settings, library_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path("docs/service.md").read_text(encoding="utf-8")
THERE = "http://127.0.0.1:8023"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server as the page starts it."""
    with served(
        library=library_of(Path("docs/examples/bridge.toml")), workers=1, long_seconds=120.0
    ) as base:
        yield base


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
def test_the_example_runs(address: str) -> None:
    """The Python of the page does what it says."""
    text = PAGE.replace(THERE, address)
    test = doctest.DocTestParser().get_doctest(text, {}, "service.md", "docs/service.md", 0)
    assert len(test.examples) > 15
    result: list[str] = []
    found = doctest.DocTestRunner().run(test, out=result.append)
    assert found.failed == 0, "".join(result)


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_command_line_runs(address: str) -> None:
    """The page's curl requests are answered as shown, as far as shown."""
    blocks = re.findall(r"```console\n\$ (curl .*)\n(.*)…\n```", PAGE)
    assert blocks
    for line, expected in blocks:
        done = subprocess.run(
            shlex.split(line.replace(THERE, address)), capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith(expected)


def test_the_figures_are_the_settings() -> None:
    """The table of bounds says the defaults."""
    found = Settings()
    for figure in (
        f"{found.body // 10**6} MB, 24, 1,000,000", f"{found.patience:.0f} s",
        f"{found.held // 10**6} MB in all", f"{found.connections:,}", f"{found.each}, then 429",
        f"{found.waiting}, long ones {found.long_waiting}, then 503", f"{found.seconds:.0f}; {found.long_seconds:.0f}",
        f"{found.memory // 1024} GB",
    ):  # fmt: skip
        assert f"| {figure}" in PAGE, figure
