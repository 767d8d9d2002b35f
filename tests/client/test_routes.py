"""The answer to ``reach``: places, ways, and what prevents them."""

from __future__ import annotations

import pytest

from tests.client.asking import ask
from tests.client.scenes import PENDING, scene


def test_reach() -> None:
    """Reach lists each Location once, cheapest first; spent and left add up."""
    found = ask("reach", scene=scene(), unit="truck")
    names = [place["at"] for place in found["locations"]]
    assert len(names) == len(set(names)) > 50
    spent = [place["spent"] for place in found["locations"]]
    assert sorted(spent) == spent
    assert {28} == {place["spent"] + place["left"] for place in found["locations"]}
    assert ("MP", 28, "B4") == (found["points"], found["budget"], names[0])


def test_reach_modes() -> None:
    """On request a Location is listed for every facing in which it is reached."""
    found = ask("reach", scene=scene(), unit="truck", modes=True)
    assert len(found["locations"]) > len({place["at"] for place in found["locations"]})


def test_reach_prefers_not_to_double_time() -> None:
    """A Location reached without Double Time is not reported as needing it."""
    found = ask("reach", scene=scene(), unit="ldr")
    assert {} == found["locations"][1].get("mode", {})
    assert any(place.get("mode") for place in found["locations"])


def test_reach_batch() -> None:
    """Several units are answered one by one."""
    found = ask("reach", scene=scene(), units=["truck", "ldr"])
    assert ["truck", "ldr"] == [one["unit"] for one in found["answers"]]
    assert found["answers"][0] == ask("reach", scene=scene(), unit="truck")


def test_path() -> None:
    """The way to a hex is a legal log whose running cost is what check charges."""
    found = ask("reach", scene=scene(counters=[]), unit="truck", to="F5")
    way = [step["action"] for step in found["path"]]
    verdict = ask("check", scene=scene(counters=[]), log=way)
    assert "LEGAL" == verdict["status"]
    assert found["path"][-1]["spent"] == sum(receipt["amount"] for receipt in verdict["receipts"])
    assert "F5" == found["path"][-1]["at"]


def test_no_step_to_where_one_is() -> None:
    """The way to where a unit stands is empty."""
    assert [] == ask("reach", scene=scene(), unit="truck", to="B4")["path"]


@pytest.mark.parametrize(
    ("unit", "to", "clause", "status"),
    [
        ("sq", "B6", "A4.11b", "IMPOSSIBLE"),
        ("sq", "Y5", "A4.11b", "IMPOSSIBLE"),
        ("truck", "K5:bridge", "D2.1b", "IMPOSSIBLE"),
    ],
)
def test_out_of_reach(unit: str, to: str, clause: str, status: str) -> None:
    """For a hex out of reach the first failing step and its clause are reported."""
    spent = scene()["units"][0] | {"spent": 24, "used": 24, "mph": "moving", "moving": True}
    units = [spent, *scene()["units"][1:]]
    found = ask("reach", scene=scene(units=units), unit=unit, to=to)
    assert found["status"] == status
    assert "path" not in found
    assert clause in [violation["clause"] for violation in found["barred"]["violations"]]


def test_the_step_that_fails_comes_after_a_legal_way() -> None:
    """The steps before the failing one are a legal log, on which only that step fails."""
    here = scene()
    found = ask("reach", scene=here, unit="truck", to="D8")["barred"]
    before, last = found["before"], found["action"]
    assert before[0] == "start truck"
    assert ask("check", scene=here, log=before)["status"] == "LEGAL"
    judged = ask("check", scene=here, log=[*before, last])["violations"]
    assert [one["clause"] for one in judged] == [one["clause"] for one in found["violations"]]
    assert {one["step"] for one in judged} == {len(before)}


def test_out_of_reach_when_rolls_are_avoided() -> None:
    """With rolls avoided, a step that needs one fails because of the roll."""
    tank = {"id": "tank", "side": "german", "at": "B4", "type": "t-26-m33", "facing": "NNE"}
    arguments = {"scene": scene(units=[tank], counters=[]), "unit": "tank", "to": "C4"}
    assert "path" in ask("reach", **arguments)
    found = ask("reach", **arguments, rolls="avoid")
    assert "path" not in found
    assert found["barred"]["rolls"] or found["barred"]["violations"]


def test_reach_while_a_roll_is_pending() -> None:
    """While a roll is pending no unit can move, and the roll is the reason."""
    found = ask("reach", scene=scene(pending=[PENDING]), unit="truck", to="C5")
    assert ["B4"] == [place["at"] for place in found["locations"]]
    assert ["D8.21a"] == [violation["clause"] for violation in found["barred"]["violations"]]
    assert found["barred"]["before"] == []
    assert ("UNKNOWN", False) == (found["status"], found["exact"])


def test_reach_while_a_roll_is_pending_is_not_exact() -> None:
    """A truck with nothing left has an exact reach; while a roll is pending it is open."""
    truck = scene()["units"][0] | {
        "spent": 28, "used": 28, "final": "minimum", "mph": "done", "moving": True
    }  # fmt: skip
    for pending, expected in (([PENDING], ("UNKNOWN", False)), ([], ("IMPOSSIBLE", True))):
        found = ask("reach", scene=scene(units=[truck], pending=pending), unit="truck", to="C5")
        assert expected == (found["status"], found["exact"])


def test_reach_off_the_map() -> None:
    """A unit that has left the map reaches nothing."""
    found = ask("reach", scene=scene(), unit="gone", to="B4")
    assert ([], None) == (found["locations"], found["barred"])
