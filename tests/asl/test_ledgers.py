"""Rule text by sentence: which are modelled, declared, missing, or irrelevant to movement.

*Declared* sentences make an answer UNSUPPORTED; *missing* ones have no effect yet.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from marchtable.rules.ledger import read_ledger
from tests.asl.boards import ASL

FOLDER = Path(__file__).resolve().parents[1] / "clauses"
COLUMNS = ["clause", "kind", "state", "paraphrase"]


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a list."""
    head, *lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    assert head.split("\t") == COLUMNS
    return [dict(zip(COLUMNS, line.split("\t"), strict=True)) for line in lines]


LISTS = (
    "asl-a2.tsv", "asl-a4.tsv", "asl-a12.tsv", "asl-a13.tsv", "asl-b.tsv", "asl-b23.tsv", "asl-c10.tsv",
    "asl-d2.tsv", "asl-d12.tsv", "asl-d16.tsv", "asl-e1.tsv", "asl-e3.tsv",
)  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_what_a_list_says_of_each_sentence_is_so(name: str) -> None:
    """A modelled sentence has that kind and a mutant kills it; a declared one is not modelled."""
    found, mutants = rows(name), read_ledger(ASL)
    assert len({row["clause"] for row in found}) == len(found)
    for row in found:
        one = ASL.clauses.get(row["clause"])
        if row["state"] in ("not movement", "missing"):
            assert (one, row["kind"]) == (None, "-"), row
            continue
        assert one is not None, row
        assert (one.kind, one.modelled) == (row["kind"], row["state"] == "modelled"), row
        assert not one.modelled or mutants[one.id].killed_by, row
