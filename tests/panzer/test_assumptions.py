"""Assumptions in answers: unverified figures, and where losses are requested."""

from __future__ import annotations

from typing import Any

from marchtable.rules.casualties import CasualtiesQuestion
from marchtable_models.panzer.model import TerrainRow
from tests.panzer.scenes import PANZER, grid, judge, place, truck, unit
from tests.panzer.test_transport import LANE


def assumed(position: Any, *lines: str) -> tuple[str, ...]:
    """Return the unverified figures a log's ruling relies on."""
    return tuple(PANZER.assumptions(position, judge(position, *lines).rulings))


def test_figures_of_counters() -> None:
    """An unverified movement factor is named as soon as the counter moves."""
    position = place(truck(at="A1"), board=LANE)
    assert assumed(position, "move t A2") == (
        "not read in a rulebook: movement factor of german-truck",
    )
    assert assumed(position, "fire t") == ()


def test_figures_of_the_chart() -> None:
    """An unverified chart cell is named where it is charged: not by road."""
    gully = grid({"A1": {}, "A2": {"terrain": "Gully"}, "A3": {}})
    position = place(truck(at="A1"), unit("k", "panther", "A1"), board=gully)
    (_, chart) = assumed(position, "move t A2", "move t A3")
    assert chart == "not read in a rulebook: Gully or stream (truck)"
    assert len(assumed(position, "move k A2", "move k A3")) == 1


def test_figures_that_a_scene_gives() -> None:
    """A scene's own row is not reported."""
    board = grid({"A1": {}, "A2": {"terrain": "Gully"}})
    row = TerrainRow(id="g", title="Ditch", names=("Gully",), truck=3)
    position = place(truck(at="A1"), board=board, conditions={"terrain": (row,)})
    assert len(assumed(position, "move t A2")) == 1


def test_losses_are_stated_elsewhere() -> None:
    """Asked for casualties in points the rulebook names the clause of its one choice of a loss."""
    found = PANZER.casualties(place(truck()), CasualtiesQuestion(points=3))
    assert found is not None
    assert found["status"] == "UNSUPPORTED"
    assert "P.dd-b" in found["why"]
