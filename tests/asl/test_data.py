"""The data files and the code that reads them."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from marchtable_models.asl import data
from marchtable_models.asl.views.clearance import bypass_sides
from tests.asl.boards import ASL, crossing
from tests.asl.test_golden import cases, verdict_on
from tests.conformance.engine import reply
from tests.conformance.run import read_cases

if TYPE_CHECKING:
    import pytest


class Watched(dict[str, float]):
    """Figures that record which of them are read."""

    def __init__(self, clause: str, figures: dict[str, float], read: set[tuple[str, str]]) -> None:
        super().__init__(figures)
        self._clause, self._read = clause, read

    def __getitem__(self, name: str) -> float:
        """Record that the figure is read."""
        self._read.add((self._clause, name))
        return super().__getitem__(name)


def test_every_figure_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The golden cases, the Bypass measures or a case worked by hand read each figure: none is unused."""
    read: set[tuple[str, str]] = set()
    figures: dict[str, Any] = {c: Watched(c, named, read) for c, named in data.figures().items()}
    monkeypatch.setattr(data, "figures", lambda: figures)
    monkeypatch.setattr(ASL, "editions", {})
    data.halves.cache_clear()
    data.count.cache_clear()

    for case in cases():
        position = verdict_on(case.values[0]).position
        for unit in position.units:
            ASL.entitlements(position, unit)
    woods = crossing(there={"terrain": "Woods", "clear": (0,) * 6})
    for vehicle in (False, True):
        bypass_sides(woods, "C1", vehicle=vehicle)

    unread = {(c, name) for c, named in figures.items() for name in named} - read
    for case in read_cases("asl"):
        about = {case["clause"], *case["about"]}
        if case["origin"] == "hand" and any(one.startswith(c) for one in about for c, _ in unread):
            reply(case)
    assert unread <= read


def test_register_entries_are_called_by_the_clause_that_reads_them() -> None:
    """So `rules D2.11a` can show its open question."""
    for entry in ASL.register:
        source = inspect.getsource(ASL.clause(entry.id).function)
        assert f'sheet.reading("{entry.id}")' in source


def test_ids_that_are_ours_do_not_look_like_rule_numbers() -> None:
    """A clause id is a rule's number, or x- and a word."""
    ours = {"x-terrain", "x-hexside", "x-counter", "x-slope", "x-road", "x-clear", "x-turn"}

    assert {name for name in ASL.clauses if not name[:1].isupper()} == ours
    assert all(name[1:2].isdigit() for name in set(ASL.clauses) - ours)
