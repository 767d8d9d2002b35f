"""The contents page, derived from the files of the rules and of the clauses."""

from __future__ import annotations

from pathlib import Path

from marchtable_models.asl.contents import CONTENTS

PAGE = Path(__file__).with_name("contents.txt")
"""One line a record: the clauses that read it, in their order."""


def test_the_page_is_this() -> None:
    """The page is pinned: moving a clause to another file does not change the order."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()

    page = dict(line.split(": ", 1) for line in lines if not line.endswith(":"))
    found = {
        record.__name__: " ".join(one.id for one in entries) for record, entries in CONTENTS.items()
    }
    assert found == page | {line[:-1]: "" for line in lines if line.endswith(":")}
