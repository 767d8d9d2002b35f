"""The contents page, derived from the files of the rules and of the clauses."""

from __future__ import annotations

from pathlib import Path

from marchtable_models.asl.contents import SUBJECTS

PAGE = Path(__file__).with_name("contents.txt")
"""A line for each record: the clauses that look at it, in the order in which they speak."""


def test_the_page_is_this() -> None:
    """The page is pinned: where a clause moves to another file, it speaks as it did."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()

    page = dict(line.split(": ", 1) for line in lines if not line.endswith(":"))
    found = {
        record.__name__: " ".join(one.id for one in entries)
        for record, entries in SUBJECTS.contents.items()
    }
    assert found == page | {line[:-1]: "" for line in lines if line.endswith(":")}
