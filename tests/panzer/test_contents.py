"""
The contents page, derived from the files of the rules.

``python -m tests.panzer.test_contents`` renews it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from marchtable.cli.commands import print_contents
from marchtable.play import legal_actions
from marchtable_models.panzer.rulebook import SUBJECTS
from marchtable_models.panzer.rules.hits import Hit
from tests.panzer.random_play import TABLE
from tests.panzer.scenes import PANZER
from tests.play_at_random import played
from tests.subject_checks import astray, beside, judged_alike, page_of, seen_by_clauses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.state.action import Action
    from marchtable_models.panzer.model import PanzerPosition

RULES = Path(str(SUBJECTS.modules[0].__file__)).parent
PAGE = Path(__file__).with_name("contents.txt")
"""A line for each record: the clauses that look at it, in the order in which they speak."""


def test_the_page() -> None:
    """The page matches the files; a change must be intended."""
    assert sorted(page_of(SUBJECTS).splitlines()) == sorted(
        PAGE.read_text(encoding="utf-8").splitlines()
    )


def asked(seed: int) -> Iterator[tuple[PanzerPosition, Action]]:
    """Yield legal actions and hits of all sorts in positions of random play."""
    for crowd in sorted(TABLE.scenes):
        for step in played(TABLE, crowd, seed, 25):
            given = [choice.action for choice in legal_actions(step.before)]
            hits = [
                Hit(unit.id, result, way)
                for unit in step.before.units
                for result in ("D", "DD", "X")
                for way in ("direct", "indirect", "registered", "assault")
            ]
            for action in (*given, *hits):
                if isinstance(action, SUBJECTS.actions):
                    yield step.before, action


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_files_changes_no_finding(seed: int) -> None:
    """With the files shuffled, clauses find the same: ``after`` states every necessary order."""
    assert judged_alike(PANZER, SUBJECTS, asked(seed), seed) > 100


def test_clauses_stand_beside_what_they_read() -> None:
    """At least nine clauses in ten look at a record of their own file, and each record is read there."""
    assert beside(SUBJECTS) >= 0.9
    assert astray(SUBJECTS) == []


def test_clauses_see_facts_alone() -> None:
    """A clause reads its record, the sheet, data and its own helpers: never a position or the map."""
    assert seen_by_clauses(SUBJECTS) == {}


def test_the_page_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """`marchtable rules --contents` prints each record with its clauses and their files."""
    print_contents("panzer", as_json=False)
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("Leaving")
    assert lines[at + 1].split()[0] == "PB.exit"
    file, _, line = lines[at + 1].rpartition("(")[2].rstrip(")").partition(":")
    source = (RULES.parents[2] / file).read_text(encoding="utf-8").splitlines()
    assert '"PB.exit"' in "\n".join(source[int(line) - 1 : int(line) + 2])
    records = [line.partition(":")[0] for line in page_of(SUBJECTS).splitlines()]
    assert [line for line in lines if not line.startswith(" ")] == records


if __name__ == "__main__":
    PAGE.write_text(page_of(SUBJECTS), encoding="utf-8")
