"""The fields clauses read of an entry decide which findings are shared: few are new on real boards."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks import scenes
from marchtable.board.joining import join
from marchtable.cache import clear_caches
from marchtable.reachability.reach import reach
from marchtable.rules.rulebook import find_rulebook
from marchtable.rules.view import Readings
from marchtable.vasl import import_board
from marchtable_models.asl.model import Enter
from marchtable_models.asl.views import reading
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.movers import party
from tests.asl.boards import field, foot, place

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_FINDINGS, MOST_READS = 350, 45


def entry_of(position: Any, to: str) -> Entry:
    """Return the facts of the first unit's entry into a Location."""
    unit = position.units[0]
    stack = party(position, (unit,))
    return reading.entry(position, unit, to, stack, Enter((unit.id,), to))


@pytest.mark.skipif(not scenes.is_real(), reason="needs VASL boards")
@pytest.mark.parametrize("kind", ["opel-blitz", "american 1/4-Ton Jeep", "squad"])
def test_few_findings_are_new(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """The first reach of one unit on two boards judges few entries, and clauses read little of each."""
    reads: list[int] = []
    add = Readings.add

    def counted(readings: Any, read: Mapping[str, Any], answer: Any) -> None:
        if not isinstance(answer, frozenset) and read.keys() <= {*Entry.facts}:
            reads.append(len(read))
        add(readings, read, answer)

    monkeypatch.setattr(Readings, "add", counted)
    board = join([[import_board(scenes.BOARDS / name) for name in ("bd04", "bd33")]], name="two")
    clear_caches()
    assert reach(scenes.asl(board, [scenes.unit("u", kind, scenes.middle(board))]), ["u"])
    assert 0 < len(reads) <= MOST_FINDINGS
    assert mean(reads) <= MOST_READS


def test_entries_that_clauses_cannot_tell_apart_share_a_finding() -> None:
    """Location, and facts no clause read, make no new finding; facts that were read do."""
    board = field({name: {} for name in ("A1", "B1", "C1", "C2")}, {"C1-C2": {"road": "Dirt Road"}})
    edition = find_rulebook("asl").edition(place(board, foot("u", at="A1")))
    clear_caches()
    here, there = (
        entry_of(place(board, foot("u", at=at)), to) for at, to in (("A1", "B1"), ("B1", "C1"))
    )
    found = edition.judge(here)
    assert edition.judge(there) is found
    assert edition.judge(here.replace(minimum=not here.minimum, lane=3)) is not None
    by_road = entry_of(place(board, foot("u", at="C1")), "C2")
    assert edition.judge(by_road) != found


def test_a_part_of_an_entry_that_changes_changes_what_follows_from_it() -> None:
    """Facts computed from others follow a change of these."""
    board = field({"A1": {}, "A2": {}}, {"A1-A2": {"road": "Dirt Road"}})
    step = entry_of(place(board, foot("u", at="A1")), "A2")
    assert step.way == "road"
    assert step.replace(stairs="up").way == "stairs"
    assert step.replace(fired=True).way == "road"
