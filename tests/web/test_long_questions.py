"""Plans, reasons against them, and casualties: requested, viewed and applied on the page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.web.table import Table

    Sit = Callable[..., Table]


def planned(table: Table, unit: str, *hexes: str) -> None:
    """Pick goals for a unit on the map."""
    table.page.click("#tab-plan")
    table.page.select_option("#plan-unit", unit)
    for name in hexes:
        table.page.mouse.click(*table.middle(name))
    table.page.wait_for_selector("#find-plan")


def alone(sit: Sit, folder: Path, unit: str, kind: str) -> Table:
    """Begin a game with one unit, which no other can help."""
    scene: dict[str, Any] = {
        "format": "marchtable/scene/2", "name": "alone", "rulebook": "asl", "board": "demo",
        "side": "german", "phase": "MPh", "conditions": {"month": 6},
        "units": [{"id": unit, "side": "german", "at": "N7", "type": kind, "nationality": "german"}],
    }  # fmt: skip
    file = folder / "alone.json"
    file.write_text(json.dumps(scene))
    table = sit()
    table.page.goto(table.address)
    table.page.set_input_files("#scene-file", file)
    return table.ready()


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_a_plan_is_stepped_through_and_taken_over(sit: Sit, width: int) -> None:
    """Goals picked on the map give a plan, which is viewed step by step, then played."""
    table = sit(width, 800).open("bridge")
    if width < 500:
        table.page.click("#zoom-fit")
        table.page.wait_for_timeout(100)
    planned(table, "sq", "K7")
    assert table.page.locator("#tags text.goal").all_text_contents() == ["sq"]
    assert table.accessible() == []
    table.page.click("#find-plan")
    table.page.wait_for_selector("#plan-found")
    assert "This is the best plan (proved)." in table.page.inner_text("#plan-found")
    table.page.click("#plan-on")
    table.page.wait_for_selector('.unit[data-unit="sq"][data-at="N6"]')
    assert table.accessible() == []
    table.page.click("#plan-found ol.log li:last-child button")
    table.page.wait_for_selector('.unit[data-unit="sq"][data-at="K7"]')
    table.page.click('#plan-found >> text="Back to the game"')
    table.page.wait_for_selector('.unit[data-unit="sq"][data-at="N7"]')
    table.page.click("#plan-on")
    table.page.click("#take-part")
    table.page.wait_for_selector('#plan-found [role="status"]:has-text("1 played")')
    table.rest()
    assert table.accessible() == []
    assert table.log()[-1] == "enter ldr,sq N6"
    table.page.click("#tab-plan")
    table.page.click("#take-over")
    table.page.wait_for_selector('.unit[data-unit="sq"][data-at="K7"]')
    assert table.log()[-1] == "enter ldr,sq K7"


@pytest.mark.slow
def test_a_plan_is_searched_again_once_the_game_goes_on_in_another_way(sit: Sit) -> None:
    """A plan that the game no longer follows can neither be played nor seen on the map."""
    table = sit().open("bridge")
    planned(table, "sq", "K7")
    table.page.click("#find-plan")
    table.page.wait_for_selector("#plan-found")
    table.page.click("#tab-text")
    table.page.fill("#command", "start truck!")
    table.page.press("#command", "Enter")
    table.page.wait_for_selector('#answers:has-text("Played: truck: Start")')
    table.page.click("#tab-plan")
    table.page.wait_for_selector("#outdated")
    assert table.page.locator("#take-over, #plans *").count() == 0
    assert table.accessible() == []
    table.page.click("#outdated button")
    table.page.wait_for_selector("#plan-found")


@pytest.mark.slow
def test_what_stands_against_a_goal(sit: Sit) -> None:
    """If there is no plan the conflict and repairs are shown, and a repair is tried on the map."""
    table = sit().open("gully")
    planned(table, "eye", "A1")
    table.page.click("#find-plan")
    table.page.wait_for_selector('#plan-found:has-text("There is no such plan (proved).")')
    table.page.click("#plan-found button")
    table.page.wait_for_selector("#why-found")
    given = table.page.inner_text("#why-found")
    assert "P.turn-b" in given
    assert "Stop 1 hex short of A1" in given
    table.page.locator(".try").first.click()
    table.page.wait_for_selector("#why-found .repairs ol.log")
    assert table.accessible() == []


@pytest.mark.slow
def test_a_goal_that_nothing_helps(sit: Sit, tmp_path: Path) -> None:
    """For a lone unit it is proved, and no change helps."""
    table = alone(sit, tmp_path, "sq", "squad")
    table.page.click("#tab-plan")
    table.page.select_option("#plan-kind", "exit")
    planned(table, "sq", "A1")
    table.page.click("#ask-why")
    table.page.wait_for_selector("#no-help")
    found = table.page.inner_text("#why-found")
    assert "There is no such plan (proved)." in found
    assert "No change that was tried makes it possible." in found


@pytest.mark.slow
def test_a_goal_that_others_might_help(sit: Sit) -> None:
    """If other units might help nothing is proved, and the page says so beside the changes tried."""
    table = sit().open("bridge")
    table.page.click("#tab-plan")
    table.page.select_option("#plan-kind", "exit")
    planned(table, "sq", "A1")
    table.page.click("#ask-why")
    table.page.wait_for_selector("#no-help")
    found = table.page.inner_text("#why-found")
    assert "No plan was found. One may exist." in found
    assert "No change that was tried makes it possible." in found
    assert "Other units might help on the way" in found


@pytest.mark.slow
def test_a_goal_that_points_would_help(sit: Sit) -> None:
    """A plan with more points than available is tried as a what-if, though other units might help too."""
    table = sit().open("bridge")
    table.page.click("#tab-plan")
    table.page.select_option("#plan-kind", "exit")
    planned(table, "ldr", "Q1")
    table.page.click("#ask-why")
    table.page.click('.repairs li:has-text("4 more MF for ldr") .try')
    table.page.wait_for_selector('#take-over:has-text("What if?")')
    table.page.wait_for_selector('.unit[data-unit="ldr"]', state="detached")
    table.page.click("#take-over")
    table.page.wait_for_selector('#panel:has-text("Not legal, played as a what-if")')


@pytest.mark.slow
def test_a_search_is_watched_and_stopped(sit: Sit) -> None:
    """A search shows its progress; when stopped, it shows the results so far."""
    table = sit().open("convoy")
    table.page.click("#tab-plan")
    planned(table, table.page.locator("#plan-unit option").first.inner_text(), "K5")
    table.page.fill("#plan-limit", "300")
    table.page.click("#find-plan")
    table.page.wait_for_selector("#news p, #plan-found")
    if table.page.locator("#searching").count():
        table.page.click('text="Stop and use the best so far"')
    table.page.wait_for_selector("#plan-found")


@pytest.mark.slow
def test_casualties_as_cards(sit: Sit) -> None:
    """For a stack under fire the best way, the next, every way and your own proposal are shown."""
    table = sit().demo("valor")
    table.page.click("#tab-loss")
    table.page.fill("#loss-points", "5")
    table.page.click('button:has-text("fired from")')
    table.page.mouse.click(*table.middle("C3"))
    table.page.click("#list-losses")
    table.page.wait_for_selector("#loss-plan")
    assert table.page.inner_text("#loss-count") == "5 points on C1: 38 ways to take them."
    assert "gun rolls for survival, 3 in 6" in table.page.inner_text("#loss-plan")
    assert table.page.locator("#loss-plan .unitcard svg").count() == 6
    assert table.accessible() == []
    table.page.click('summary:has-text("Every way")')
    assert table.page.locator(".ways button").count() == 38
    table.page.click('summary:has-text("A way of your own")')
    table.page.select_option('[data-own="squad"]', "pinned")
    table.page.click("#judge-losses")
    table.page.wait_for_selector("#loss-judged")
    assert "Not legal" in table.page.inner_text("#loss-judged")
    assert "still owed" in table.page.inner_text("#loss-judged")
    assert table.accessible() == []


@pytest.mark.slow
def test_losses_are_not_played_without_an_attack(sit: Sit) -> None:
    """A way that the position does not require is refused with the clause's reason."""
    table = sit().demo("valor")
    table.page.click("#tab-loss")
    table.page.fill("#loss-points", "5")
    table.page.click("#list-losses")
    table.page.wait_for_selector("#loss-plan")
    table.page.click('text="Play it"')
    table.page.wait_for_selector("#said.bad")
    assert table.log() == []
