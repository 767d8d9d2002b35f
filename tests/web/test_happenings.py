"""Events for a unit, by fire or otherwise: listed, and entered by its own player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.files.scenes import load_scene
from marchtable.state.records import replace
from marchtable.web.views import happenings
from tests.web.conftest import EXAMPLES
from tests.web.test_sides import SCENE
from tests.web.test_two_players import server

if TYPE_CHECKING:
    from tests.web.test_two_players import Server

__all__ = ["server"]


def test_only_what_can_happen_to_the_unit_is_listed() -> None:
    """A squad can be pinned, not immobilized; a truck the reverse; events without effect are left out."""
    scene = load_scene(EXAMPLES / "bridge.toml")
    squad, truck = (happenings(scene, unit=unit) for unit in ("sq", "truck"))
    assert "result sq pinned" in squad
    assert "result sq immobilized" not in squad
    assert "result truck immobilized" in truck
    assert "result truck pinned" not in truck
    assert not {"result sq calm", "result sq rallied"} & set(squad)


def test_a_broken_unit_can_be_rallied() -> None:
    """Rally is listed for a broken unit in the RPh alone."""
    scene = load_scene(EXAMPLES / "bridge.toml")
    broken = replace(scene.position.unit("sq"), broken=True, dm=True)
    moving = scene.position.with_units([broken])
    rallying = msgspec.structs.replace(moving, phase="RPh")
    assert "result sq rallied" in happenings(scene._replace(position=rallying), unit="sq")
    assert "result sq rallied" not in happenings(scene._replace(position=moving), unit="sq")


def test_what_a_unit_sees_is_listed_where_the_scene_leaves_it_open() -> None:
    """One statement for each Known enemy, and one that it sees none; not of concealed ones."""
    scene = load_scene(EXAMPLES / "bridge.toml")
    foes = [
        msgspec.structs.replace(scene.position.unit("sq"), id=name, side="russian")
        for name in ("a", "b")
    ]
    position = scene.position
    mine = [one for one in position.units if one.side != "russian"]
    position = msgspec.structs.replace(position, units=(*mine, *foes))
    listed = happenings(scene._replace(position=position), unit="sq")
    assert [one for one in listed if one.startswith("sight")] == [
        "sight sq of=a", "sight sq of=b", "sight sq not_of=a,b",
    ]  # fmt: skip


@pytest.mark.slow
def test_a_player_enters_it_in_the_others_turn(browser: Any, server: Server) -> None:
    """By buttons and by text; the other player sees it."""
    game = server.ask("/api/games", {"scene": SCENE})["game"]
    german = server.sit(browser, "german", game)
    russian = server.sit(browser, "russian", game, has_touch=True)
    russian.page.click('[data-pick="known"]')
    russian.page.click("#happenings summary")
    russian.page.get_by_role("button", name="Is now pinned").tap()
    russian.proposal()
    russian.do()
    german.page.wait_for_selector('#said:has-text("Played: known is now pinned.")')
    german.page.locator('.unit[data-unit="known"]').focus()
    german.page.keyboard.press("Enter")
    german.page.wait_for_selector('#panel:has-text("known belongs to russian")')
    assert german.page.locator("#happenings").count() == 0, "it is not for the other side to enter"
    russian.page.click("#tab-text")
    russian.page.fill("#command", "happened known")
    russian.page.press("#command", "Enter")
    russian.page.wait_for_selector('#answers:has-text("1. Is now broken.")')
    assert german.faults == russian.faults == []
