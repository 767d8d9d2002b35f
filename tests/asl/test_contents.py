"""
The contents page, derived from the files of the rules.

``python -m tests.asl.test_contents`` renews it.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from marchtable.rules.candidates import candidates
from marchtable_models.asl.contents import SPEAKING, SUBJECTS
from tests.asl.boards import ASL
from tests.asl.random_play import TABLE
from tests.play_at_random import played
from tests.subject_checks import judged_alike, page_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.state.action import Action
    from tests.asl.boards import Pos

PAGE = Path(__file__).with_name("contents.txt")
"""A line for each record: the clauses that look at it, in the order in which they speak."""
OF_SUMS = ("B9.541", "D12.4c", "D16.21b")
"""Clauses that are no prices, and read what a step has cost so far."""
STEPS, SOME = 4, 20
"""How long each scene is played at random, and how many actions of each unit are judged before each step."""


def test_the_page_is_this() -> None:
    """The contents page equals the recorded one, so a clause that moves to another file keeps its entry."""
    assert sorted(page_of(SUBJECTS).splitlines()) == sorted(
        PAGE.read_text(encoding="utf-8").splitlines()
    )


def asked(seed: int) -> Iterator[tuple[Pos, Action]]:
    """Yield actions of all sorts, legal or not, in positions of random play."""
    random = Random(seed)
    for scene in sorted(TABLE.scenes):
        for step in played(TABLE, scene, seed, STEPS):
            if isinstance(step.action, SUBJECTS.actions):
                yield step.before, step.action
            for unit in step.before.units:
                tried = [*candidates(ASL, step.before, unit)]
                for action in random.sample(tried, min(SOME, len(tried))):
                    yield step.before, action


def prices() -> list[str]:
    """Return the clauses of which SPEAKING alone states the order: those that change, or read, the sum of a step."""
    own = {
        entry.id
        for record, entries in SUBJECTS.contents.items()
        for entry in entries
        if record.__name__ in ("Entry", "Swing", "StartStop") and entry.kind == "cost"
    }
    return [name for name in SPEAKING.split() if name in own or name in OF_SUMS]


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_files_changes_no_finding(seed: int) -> None:
    """With the files shuffled, clauses find the same: beside prices, ``after`` says all that an order must keep."""
    assert judged_alike(ASL, SUBJECTS, asked(seed), seed, prices()) > 1000


if __name__ == "__main__":
    PAGE.write_text(page_of(SUBJECTS), encoding="utf-8")
