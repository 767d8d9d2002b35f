"""Two players at one screen: what one side hides is not on the other's page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.web.table import Table

    Sit = Callable[..., Table]

SQUAD = {"type": "squad", "nationality": "russian", "side": "russian"}
SCENE: dict[str, Any] = {
    "format": "marchtable/scene/2", "name": "hidden", "rulebook": "asl", "board": "demo",
    "side": "german", "phase": "MPh", "conditions": {"month": 6},
    "units": [
        {"id": "sq", "side": "german", "at": "N7", "type": "squad", "nationality": "german"},
        {"id": "known", "at": "F8", **SQUAD},
        {"id": "secret", "at": "N5", "concealed": True, **SQUAD},
    ],
}  # fmt: skip

pytestmark = pytest.mark.slow


def begun(sit: Sit, tmp_path: Path, at: str = "N5") -> Table:
    """Open a game in which a squad is concealed."""
    file = tmp_path / "hidden.json"
    *others, secret = SCENE["units"]
    file.write_text(json.dumps({**SCENE, "units": [*others, {**secret, "at": at}]}))
    table = sit()
    table.page.goto(table.address)
    table.page.set_input_files("#scene-file", file)
    return table.ready()


def test_the_screen_is_handed_over(sit: Sit, tmp_path: Path) -> None:
    """Between two players nothing is shown, and each then sees only their side's view."""
    table = begun(sit, tmp_path)
    assert "secret" in table.page.content()
    table.page.click("#tab-plan")
    table.page.mouse.click(*table.middle("M6"))
    table.page.wait_for_selector("#find-plan")
    table.page.click("#more")
    table.page.click('text="Hand over to german"')
    table.page.wait_for_selector("#hand-over")
    assert table.page.locator(".unit").count() == 0
    assert "secret" not in table.page.content()
    assert table.accessible() == []
    table.page.keyboard.press("Control+z")
    table.page.keyboard.press("[")
    assert table.page.locator(".unit").count() == 0, "keys do nothing before the seat is taken"
    table.page.click("#hand-over button")
    table.page.wait_for_selector("#hand-over", state="detached")
    table.rest()
    assert table.page.inner_text("#eyes") == "seen by german"
    assert table.page.locator("#marks *, #frames *, #tags *").count() == 0, (
        "the goals of who sat here before"
    )
    table.page.click("#more")
    table.page.wait_for_selector("#menu")
    offered = table.page.locator("#menu button").all_inner_texts()
    assert [text for text in offered if text.startswith("Hand over")] == [
        "Hand over to russian", "Hand over to the referee",
    ]  # fmt: skip
    assert table.page.locator("#see").count() == 0
    table.page.keyboard.press("Escape")
    assert "secret" not in table.page.content()
    assert table.page.locator('.unit[data-at="N5"]').count() == 1
    table.choose("sq")
    table.aim("M6")
    if not table.page.locator("#do-it").count():  # there are several ways to do it
        table.page.locator("#proposal .act").first.click()
        table.proposal()
    table.do()
    assert "secret" not in table.page.content()
    table.page.click("#end-phase")
    table.page.select_option("#next-phase", "RPh")
    table.page.select_option("#next-side", "russian")
    table.page.locator("#phase").get_by_role("button", name="Go on to").click()
    table.page.wait_for_selector("#hand-over")
    assert table.page.locator(".unit").count() == 0
    table.page.click("#hand-over button")
    table.page.wait_for_selector('.unit[data-unit="secret"]')
    table.rest()
    assert table.page.inner_text("#eyes") == "seen by russian"


def test_a_seat_holds_in_each_tab(sit: Sit, tmp_path: Path) -> None:
    """Another tab of the browser has the same seat, and is curtained with it; a seat excludes the other's."""
    table = begun(sit, tmp_path)
    table.page.click("#more")
    table.page.click('text="Hand over to german"')
    table.page.click("#hand-over button")
    table.page.wait_for_selector("#hand-over", state="detached")
    table.rest()
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.url))
    table.page.keyboard.press("Control+z")
    table.page.keyboard.press("n")
    table.rest()
    assert not [url for url in asked if "/undo" in url]
    chosen = table.page.evaluate("document.activeElement.dataset.unit")
    assert chosen == table.page.get_attribute(".unit.chosen", "data-unit")
    other = table.page.context.new_page()
    other.goto(table.page.url)
    other.wait_for_selector('body[data-ready="yes"]')
    assert other.inner_text("#eyes") == "seen by german"
    table.page.click("#more")
    table.page.click('text="Hand over to russian"')
    other.wait_for_selector("#hand-over")
    assert other.locator(".unit").count() == 0
    other.reload()
    other.wait_for_selector("#hand-over")
    assert other.locator(".unit").count() == 0
    table.page.click("#hand-over button")
    table.page.wait_for_selector("#hand-over", state="detached")
    table.rest()
    assert table.page.is_disabled("#end-phase")
    assert table.page.get_attribute("#end-phase", "title") == (
        "german ends this phase; you play russian."
    )


def test_views_of_each_side_and_the_referees(sit: Sit, tmp_path: Path) -> None:
    """The referee sees all, and can use each side's view."""
    table = begun(sit, tmp_path)
    table.page.click("#more")
    table.page.select_option("#see", "german")
    table.page.wait_for_selector('.unit[data-unit="secret"]', state="detached")
    table.page.reload()
    table.ready()
    assert table.page.locator('.unit[data-unit="secret"]').count() == 0
    table.page.click("#more")
    table.page.select_option("#see", "")
    table.page.wait_for_selector('.unit[data-unit="secret"]')


def test_a_player_acts_with_their_own_units_only(sit: Sit, tmp_path: Path) -> None:
    """A player's own units are listed openly; another's, or one's own out of turn, say why not."""
    table = begun(sit, tmp_path)
    table.page.click("#more")
    table.page.select_option("#see", "german")
    table.page.wait_for_selector('.unit[data-unit="secret"]', state="detached")
    table.rest()
    table.page.focus('.unit[data-unit="known"]')
    table.page.keyboard.press("Enter")
    table.page.wait_for_selector('#panel :text("known belongs to russian; you play german.")')
    table.rest()
    assert table.page.locator("#panel .act").count() == 0
    table.page.click("#more")
    table.page.select_option("#see", "russian")
    table.page.wait_for_selector('.unit[data-unit="secret"]')
    table.rest()
    listed = table.page.locator("#unit-list > .units button")
    assert listed.evaluate_all("all => all.map(one => one.dataset.pick)") == ["known", "secret"]
    assert "russian does not act now" in table.page.inner_text("#panel")


def test_a_shared_screen_plays_with_its_sides_eyes(sit: Sit, tmp_path: Path) -> None:
    """Questions and moves at a shared screen are that side's, and show nothing hidden."""
    table = begun(sit, tmp_path)
    table.page.click("#more")
    table.page.click('text="Hand over to german"')
    table.page.click("#hand-over button")
    table.page.wait_for_selector("#hand-over", state="detached")
    table.rest()
    table.choose("sq")
    table.act("assault")

    def hidden(route: Any) -> None:
        assert "eyes=german" in route.request.url
        found = route.fetch()
        result = {
            **found.json(),
            "kept": False,
            "refused": "only the referee can see what forbids it",
        }
        route.fulfill(response=found, json=result)

    table.page.route("**/log?**", hidden)
    table.page.click("#do-it")
    table.page.wait_for_selector("#said.bad")
    assert table.said().startswith("Something that your side does not see forbids it")
    table.page.unroute("**/log?**")
    table.page.reload()
    table.ready()
    with table.page.expect_request("**/undo?**") as sent:
        table.page.click("#undo")
    assert "eyes=german" in sent.value.url
    table.page.wait_for_selector('#said:has-text("Taken back.")')
    assert "secret" not in table.page.content()


def test_late_answers_come_to_no_other_eyes(sit: Sit, tmp_path: Path) -> None:
    """Answers for the previous view are not shown after the screen was handed over."""
    table = begun(sit, tmp_path)
    held: list[Any] = []
    table.page.route("**/options*", lambda route: held.append(route))  # noqa: PLW0108 - Playwright asks for a function
    table.page.keyboard.press("n")
    table.page.wait_for_timeout(100)
    table.page.click("#more")
    table.page.click('text="Hand over to german"')
    assert held
    for one in held:
        pending = [{"id": "x", "unit": "secret", "clause": "A1", "note": "", "outcomes": []}]
        one.fulfill(
            json={
                "format": "marchtable/options/1",
                "status": "LEGAL",
                "pending": pending,
                "units": [],
            }
        )
    table.page.wait_for_timeout(200)
    assert "secret" not in table.page.content()
    assert table.page.locator("#due:visible").count() == 0
    table.page.unroute("**/options*")


def test_hidden_entries_are_not_listed(sit: Sit, tmp_path: Path) -> None:
    """A log with an entry hidden from a side is listed without it, and replayed, not saved or judged."""
    table = begun(sit, tmp_path)
    address = table.page.url.replace("/games/", "/api/games/")
    lines = ["phase MPh side=russian", "assault secret", "enter secret N4"]
    found = table.page.request.post(
        f"{address}/log", data={"log": lines, "anyway": True}, headers={"If-Match": "*"}
    )
    assert found.json()["kept"], found.text()
    table.page.reload()
    table.ready()
    table.page.click("#more")
    table.page.select_option("#see", "german")
    table.page.wait_for_selector('.unit[data-unit="secret"]', state="detached")
    table.rest()
    said = table.log()
    assert len(said) == 2
    assert "hidden" not in " ".join(said).lower()
    assert table.page.locator("#why-log").count() == 0
    table.page.keyboard.press("[")
    table.page.wait_for_selector('#replay-step:has-text("Step 2 of 3")')
    assert table.page.inner_text("#replay-step") == "Step 2 of 3"
    table.page.click("#more")
    assert table.page.get_by_role("button", name="Save log").count() == 0


def test_a_choice_is_stated_not_rolled(sit: Sit, tmp_path: Path) -> None:
    """Where a player decides the result no dice are offered, and no chances shown."""
    table = begun(sit, tmp_path, at="N6")
    table.choose("sq")
    found = table.act("enter N6")
    assert "Then a choice is due" in found
    assert " in 1" not in found
    table.page.click("#do-it")
    table.page.wait_for_selector("#roll")
    assert table.page.inner_text("#roll-title") == "A choice is due for sq"
    assert table.page.get_by_role("button", name="Roll").count() == 0
    assert table.accessible() == []
    table.page.locator("#roll .odds button").last.click()
    table.page.wait_for_selector("#roll", state="detached")
    table.rest()
    assert table.log() == ["enter sq N6", "settle detect:sq loses"]
