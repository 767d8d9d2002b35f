"""The examples in ``docs/json.md``: each request there, followed by its answer, somewhat cut.

``python -m tests.json_examples`` writes the answers anew; a test tells when they are stale.
"""

from __future__ import annotations

import json
import re
from contextlib import chdir
from pathlib import Path
from typing import Any

from marchtable.answer import answer

__all__ = ["PAGE", "abridged", "with_answers"]

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "json.md"
EXAMPLE = re.compile(r"^```json\n(?P<request>\{\"verb\".*?)^```\n\n```json\n.*?^```", re.S | re.M)
WIDTH = 110
KEPT = 2  # entries of a list that the page shows


def abridged(value: Any, kept: int = KEPT) -> Any:
    """Return plain data with all but the first entries of long lists left out."""
    if isinstance(value, dict):
        return {key: abridged(entry, kept) for key, entry in value.items()}
    if isinstance(value, list):
        more = [f"… {len(value) - kept} more"] if len(value) > kept + 1 else []
        return [abridged(entry, kept) for entry in (value[:kept] if more else value)] + more
    return value


def pretty(value: Any, indent: str = "") -> str:
    """Return JSON in which whatever fits on a line stands on one."""
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
    """Return a page with the answer to each request as it now is."""

    def renewed(found: re.Match[str]) -> str:
        request = found["request"]
        told = pretty(abridged(answer(json.loads(request))))
        return f"```json\n{request}```\n\n```json\n{told}\n```"

    with chdir(ROOT):
        return EXAMPLE.sub(renewed, page)


if __name__ == "__main__":
    PAGE.write_text(with_answers(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
