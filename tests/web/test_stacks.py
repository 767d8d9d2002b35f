"""The reach of units that move together, and the way that the page proposes for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.budget import OverLimit, limited, watched
from marchtable.codec.structs import builtins_of
from marchtable.cpsat.harness import Stop
from marchtable.errors import UnknownNameError
from marchtable.files.boards import load_board
from marchtable.files.logs import log_of
from marchtable.files.scenes import scene_of
from marchtable.rules.referee import check
from marchtable.web.stacks import reach_together
from tests.web.test_text import ask, opened
from tests.web.test_whole_moves import begun

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from marchtable.files.scenes import Scene

GRID = """
format = "marchtable/grid/1"
name = "a strip of open ground with a wood"
rows = '''
   A  B  C  D  E  F  G  H
 1 .  .  w  .  .  .  .  .
'''
"""
OF_MEN = {"side": "german", "nationality": "german", "at": "A1"}


@pytest.fixture
def strip(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Scenes with units in A1: B1 costs 1 MF, the Woods C1 2 MF, each hex beyond 1 MF."""
    file = tmp_path / "strip.toml"
    file.write_text(GRID)
    board = builtins_of(load_board(file).file())

    def made(**units: Any) -> dict[str, Any]:
        return {
            "format": "marchtable/scene/2", "name": "strip", "rulebook": "asl", "board": board,
            "side": "german", "phase": "MPh", "conditions": {"month": 6},
            "units": [{"id": name, **OF_MEN, **unit} for name, unit in units.items()],
        }  # fmt: skip

    return made


SQUAD = {"type": "squad"}
LEADER = {"type": "leader"}


def reached(scene: Scene, *units: str) -> dict[str, float]:
    """Return what is left in each hex but the first."""
    found = reach_together(scene, units=[*units])["locations"]
    return {at: left for at, left in found.items() if at != "A1"}


def test_a_squad_with_a_leader_has_his_bonus(strip: Any) -> None:
    """Both have 6 MF (A4.12): 1 + 2 MF to the Woods, then three hexes; alone the squad has 4 MF."""
    scene = scene_of(strip(sq=SQUAD, ldr=LEADER))
    assert reached(scene, "sq", "ldr") == {"B1": 5, "C1": 3, "D1": 2, "E1": 1, "F1": 0}
    found = reach_together(scene, units=["sq", "ldr"], to="D1")
    assert [(one["action"], one["cost"], one["spent"], one["left"]) for one in found["path"]] == [
        ("enter sq,ldr B1", 1, 1, 5), ("enter sq,ldr C1", 2, 3, 3), ("enter sq,ldr D1", 1, 4, 2),
    ]  # fmt: skip
    log = [one["action"] for one in found["path"]]
    assert check(scene.position, log_of(log, scene.position)).status == "LEGAL"


def test_two_squads_have_no_bonus(strip: Any) -> None:
    """Without a leader 4 MF each: the hex beyond the Woods is the last."""
    scene = scene_of(strip(sq=SQUAD, other=SQUAD))
    assert reached(scene, "other", "sq") == {"B1": 3, "C1": 1, "D1": 0}
    assert reach_together(scene, units=["sq", "other"], to="E1")["path"] == []


def test_a_wounded_leader_holds_the_stack_up(strip: Any) -> None:
    """He has 3 MF (A17.2), so the squad that stays with him goes no farther than the Woods."""
    scene = scene_of(strip(sq=SQUAD, ldr={**LEADER, "status": {"wounded": True}}))
    assert reached(scene, "sq", "ldr") == {"B1": 2, "C1": 0}


def test_it_reports_progress_and_can_be_stopped(strip: Any) -> None:
    """The watcher hears whose reach is sought; a stop that was requested ends the search."""
    scene = scene_of(strip(sq=SQUAD, ldr=LEADER))
    heard: list[Any] = []
    with watched(heard.append):
        reach_together(scene, units=["sq", "ldr"])
    assert [one.what for one in heard] == ["finding the reach of sq, ldr"]
    stop = Stop()
    stop.request()
    with limited(60, stop), pytest.raises(OverLimit):
        reach_together(scene, units=["sq", "ldr"])


def test_what_does_not_exist_is_named(strip: Any) -> None:
    """An unknown unit or Location is reported."""
    scene = scene_of(strip(sq=SQUAD, ldr=LEADER))
    with pytest.raises(UnknownNameError, match="unit"):
        reach_together(scene, units=["sq", "lead"])
    with pytest.raises(UnknownNameError):
        reach_together(scene, units=["sq"], to="Z9")


@pytest.mark.slow
def test_a_stack_moves_by_one_click(sit: Any, strip: Any) -> None:
    """The units chosen under "Moves with" have a reach together, and go together to a hex two hexes away."""
    table = begun(sit(), strip(sq=SQUAD, ldr=LEADER))
    table.choose("sq")
    page = table.page
    assert "sq alone can reach" in page.inner_text("#reached")
    page.click('#mates button:has-text("ldr")')
    page.wait_for_selector('#reached:has-text("sq, ldr together can reach 5 hexes")')
    assert "H1 cannot be reached" in table.aim("H1")
    table.aim("C1")
    page.wait_for_selector("#do-it")
    assert "sq, ldr to C1" in table.proposal()
    assert "Costs 3 MF each; each has 3 MF left (sq, ldr)." in table.proposal()
    assert page.locator("#behind").count() == 0
    table.do()
    page.wait_for_selector(
        '#mates button[aria-pressed="true"]:has-text("ldr")'
    )  # and go on together
    assert "sq, ldr together can reach" in page.inner_text("#reached")
    assert table.log() == ["enter sq,ldr B1", "enter sq,ldr C1"]
    assert table.faults == []


@pytest.mark.slow
def test_a_stack_moves_by_a_line_of_text(sit: Any, strip: Any) -> None:
    """Names between commas move together; who cannot come along is named."""
    table = begun(sit(), strip(sq=SQUAD, ldr=LEADER, far={**SQUAD, "at": "H1"}))
    opened(table)
    assert "far cannot move with sq now." in ask(table, "move sq,far C1")
    assert "sq and ldr pay 2 MF each" in ask(table, "move sq,ldr C1")
    ask(table, "yes")
    assert table.log() == ["enter sq,ldr B1", "enter sq,ldr C1"]


@pytest.mark.slow
def test_three_units_that_can_go_on_only_together_stay_together(sit: Any, strip: Any) -> None:
    """After squads have used a leader's bonus, all of them are still offered under "Moves with"."""
    table = begun(sit(), strip(sq=SQUAD, two=SQUAD, ldr=LEADER))
    table.choose("sq")
    for name in ("two", "ldr"):
        table.page.click(f'#mates button:has-text("{name}")')
        table.rest()
    table.page.wait_for_selector('#reached:has-text("sq, two, ldr together can reach")')
    table.aim("E1")
    table.do()
    for name in ("two", "ldr"):
        table.page.wait_for_selector(f'#mates button[aria-pressed="true"]:has-text("{name}")')
    assert "sq, two, ldr together can reach" in table.page.inner_text("#reached")
    assert table.faults == []
