"""The examples in README, docs/json.md, docs/command-line.md and the guides: run, and compared with what the pages show.

``python -m tests.examples`` writes the present output and answers; a test fails when they are
stale.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

from marchtable.answers.answer import answer

__all__ = [
    "COMMANDS",
    "GUIDES",
    "JSON_PAGE",
    "PYTHON",
    "README",
    "abridged",
    "excerpt",
    "run",
    "with_answers",
    "with_demo",
    "with_sessions",
]

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
JSON_PAGE = ROOT / "docs" / "json.md"
COMMANDS = ROOT / "docs" / "command-line.md"
PYTHON = ROOT / "docs" / "python.md"
GUIDES = (
    ROOT / "docs" / "a-scene-of-your-own.md",
    ROOT / "docs" / "how-to-take-casualties.md",
    ROOT / "docs" / "how-to-plan.md",
    ROOT / "docs" / "valor.md",
)
"""Pages with console sessions."""
BOARDS = ROOT.parent / "shared" / "boards"
REQUEST = re.compile(r"^```json\n(?P<request>\{\"verb\".*?)^```\n\n```json\n.*?^```", re.S | re.M)
WIDTH = 110
KEPT = 2  # entries of a list shown on a page
CUT = "…"
ANCHOR = 14  # characters that identify the first line of an excerpt


# -- answers ---------------------------------------------------------------------------------------


def abridged(value: Any, kept: int = KEPT) -> Any:
    """Return plain data with only the first entries of long lists."""
    if isinstance(value, dict):
        return {key: abridged(entry, kept) for key, entry in value.items()}
    if isinstance(value, list):
        more = [f"{CUT} {len(value) - kept} more"] if len(value) > kept + 1 else []
        return [abridged(entry, kept) for entry in (value[:kept] if more else value)] + more
    return value


def pretty(value: Any, indent: str = "") -> str:
    """Return JSON with everything that fits on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDTH or not isinstance(value, dict | list):
        return line
    deeper = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {pretty(entry, deeper)}" for key, entry in value.items()]
        return "{\n" + ",\n".join(deeper + part for part in parts) + f"\n{indent}}}"
    parts = [pretty(entry, deeper) for entry in value]
    return "[\n" + ",\n".join(deeper + part for part in parts) + f"\n{indent}]"


def with_answers(page: str) -> str:
    """Return a page with the present answer to each request."""

    def renewed(found: re.Match[str]) -> str:
        request = found["request"]
        result = pretty(abridged(answer(json.loads(request), files=True)))
        return f"```json\n{request}```\n\n```json\n{result}\n```"

    with chdir(ROOT):
        return REQUEST.sub(renewed, page)


# -- commands --------------------------------------------------------------------------------------


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the README with this interpreter's environment, in a folder."""
    for name, target in [("docs", ROOT / "docs"), *((b.name, b) for b in BOARDS.glob("bd*"))]:
        if not (folder / name).exists():
            (folder / name).symlink_to(target)
    words = shlex.split(command)
    program = Path(sys.executable).with_name(Path(words[0]).name)
    return subprocess.run(
        [program, *words[1:]], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONWARNINGS": "error"},
    )  # fmt: skip


def excerpt(shown: list[str], printed: str) -> list[str]:
    """Return the parts of the present output that a page shows, with `…` for the rest.

    A part begins with the line that begins alike, and has the same length as before.
    """
    lines = [line.rstrip() for line in printed.splitlines()]
    found: list[str] = []
    at, first = 0, True
    for line in shown:
        if line == CUT:
            found.append(CUT)
            first = True
            continue
        if first:
            starts = (n for n in range(at, len(lines)) if lines[n][:ANCHOR] == line[:ANCHOR])
            at, first = next(starts, len(lines)), False
        found += lines[at : at + 1]
        at += 1
    return found


def with_sessions(page: str, folder: Path) -> str:
    """Return a page with the present output of the commands in its console sessions."""

    def printed(found: re.Match[str]) -> str:
        if re.search(r"\bbd\d", found["command"]) and not BOARDS.is_dir():
            return found[0]
        done = run(found["command"], folder)
        shown = excerpt(found["shown"].rstrip("\n").splitlines(), done.stdout)
        gap = "\n" if found["shown"].endswith("\n\n") else ""
        return "\n".join([f"$ {found['command']}", *shown]) + f"\n{gap}"

    session = r"^\$ (?P<command>marchtable .*)\n(?P<shown>(?:(?!\$ |```).*\n)*)"
    return re.sub(session, printed, page, flags=re.M)


def with_demo(page: str) -> str:
    """Return the page of commands with their present output, including the demo's."""
    with tempfile.TemporaryDirectory() as folder:

        def demonstrated(found: re.Match[str]) -> str:
            shown = excerpt(found[1].splitlines(), run("marchtable demo", Path(folder)).stdout)
            return "```text\n" + "\n".join(shown) + "\n```"

        page = re.sub(r"^```text\n(.*?)^```", demonstrated, page, flags=re.S | re.M)
        return with_sessions(page, Path(folder))


if __name__ == "__main__":
    JSON_PAGE.write_text(with_answers(JSON_PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    COMMANDS.write_text(with_demo(COMMANDS.read_text(encoding="utf-8")), encoding="utf-8")
    for guide in (README, *GUIDES):
        with tempfile.TemporaryDirectory() as room:
            stated = with_sessions(guide.read_text(encoding="utf-8"), Path(room))
        guide.write_text(stated, encoding="utf-8")
