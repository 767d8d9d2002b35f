"""Answers of plan and why for lines that leave the map, wait off it, or have no time."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

import marchtable
from marchtable.report.plan import print_plan
from marchtable.report.why import print_why

ROWS = "\n   A B C D E F\n" + "".join(f" {n} . . . . . .\n" for n in range(1, 6))
BOARD = {"rows": ROWS, "road": ["- A2 B2 C3 D3 E4 F4 -"]}


def truck(number: int, at: str, **more: Any) -> dict[str, Any]:
    """Return a truck of the Convoy, in Motion along the road."""
    found = {"side": "german", "type": "T", "facing": "E", "moving": True, "convoy": "c"}
    return {"id": f"t{number}", "at": at, "rank": number, **found, **more}


def asked(
    verb: str, trucks: list[dict[str, Any]], aim: dict[str, Any], *, mp: int = 9, **more: Any
) -> dict[str, Any]:
    """Return the answer to a question about a Convoy on a road of six hexes."""
    kind = {"name": "T", "class": "vehicle", "column": "tr", "mp": mp, "pp": 21, "truck_type": True}
    scene = {
        "format": "marchtable/scene/2", "rulebook": "asl", "board": BOARD, "side": "german",
        "phase": "MPh", "conditions": {"month": 6, "types": [kind]}, "units": trucks,
    }  # fmt: skip
    goal = {"format": "marchtable/goal/1", "aims": [aim]}
    request = {"verb": verb, "scene": scene, "goal": goal, "limit": 5, **more}
    return dict(marchtable.answer(request))


WAITING = [truck(1, "B2"), truck(2, "A2"), truck(3, "-", entering=["A2"])]


def test_why_of_a_convoy_that_waits_off_the_map() -> None:
    """Without the order of leaving, a waiting vehicle still depends on the one ahead: no error."""
    found = asked("why", WAITING, {"units": ["t1"], "exit": ["F4"], "must": "all"})
    assert found["status"] == "IMPOSSIBLE"
    assert [one["clause"] for one in found["conflict"]] == ["E11.2h"]


def test_the_line_answers_where_nobody_else_moves() -> None:
    """A space in which no unit can move does not win by doing nothing: the Convoy's MPh must end."""
    found = asked("plan", WAITING, {"units": ["t1"], "exit": ["F4"]})
    assert (found["status"], found["space"]["name"]) == ("OPTIMAL", "convoy")


@pytest.mark.parametrize("limit", [0, 1, 4])
def test_no_limit_decides_whether_a_space_fits(limit: float) -> None:
    """A space for a line of AFV rejects a Convoy, `convoy-gaps` does not, however small the limit is."""
    trucks = [truck(1, "D3"), truck(2, "C3")]
    aim = {"units": ["t1"], "exit": ["F4"]}
    found = asked("plan", trucks, aim, space="platoon", limit=limit)
    assert found["status"] == "ERROR"
    assert "AFV platoon" in found["error"]["message"]
    found = asked("plan", trucks, aim, space="convoy-gaps", limit=limit)
    assert found["space"]["name"] in ("convoy", "convoy-gaps")  # the smaller one is searched first


def test_two_in_one_hex_are_left_out_by_the_space() -> None:
    """No clause forbids two vehicles of a Convoy in one hex; the space has no such plan."""
    trucks = [truck(1, "C3"), truck(2, "B2")]
    aim = {"units": ["t1", "t2"], "at": ["F4"], "must": "all"}
    found = asked("why", trucks, aim, mp=28, space="convoy", limit=10)
    assert (found["status"], found["conflict"], found["no_conflict"]) == ("IMPOSSIBLE", [], "space")


def test_what_would_help_is_never_left_without_a_word() -> None:
    """If no change and no lifting was found, the answer says why the search stopped."""
    trucks = [truck(1, "C3"), truck(2, "B2")]
    aim = {"units": ["t1", "t2"], "exit": ["F4"], "must": "all"}
    found = asked("why", trucks, aim, mp=5, limit=4)
    assert found["status"] == "IMPOSSIBLE"
    assert found["repairs"] or found["lift"] or found["unsettled"]


def test_a_space_that_is_left_open_leaves_the_goal_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """If `alone` proves nothing, the headline lists the spaces without a plan and the open one."""
    trucks = [truck(1, "B2"), truck(2, "A2")]
    aim = {"units": ["t1", "t2"], "at": ["F4"], "must": "all"}
    found = asked("plan", trucks, aim)
    assert (found["status"], found["unsettled"]) == ("IMPOSSIBLE", None)
    monkeypatch.setattr("marchtable.planning.all_moves.MOST", 0)
    found = asked("plan", trucks, aim)
    assert (found["status"], found["unsettled"]) == ("UNKNOWN", "others")
    printed = Console(file=StringIO(), width=300)
    print_plan(printed, found)
    assert isinstance(printed.file, StringIO)
    text = printed.file.getvalue()
    assert (
        "no convoy or convoy-gaps plan reaches the goal; other units might help on the way" in text
    )
    assert "(space alone)" in text


def test_why_leaves_open_what_plan_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """`why` then says which space its reasons are about, and which one is open."""
    trucks = [truck(1, "B2"), truck(2, "A2")]
    aim = {"units": ["t1", "t2"], "at": ["F4"], "must": "all"}
    monkeypatch.setattr("marchtable.planning.all_moves.MOST", 0)
    found = asked("why", trucks, aim)
    assert (found["status"], found["space"]["name"], found["open"]) == (
        "UNKNOWN",
        "convoy",
        "alone",
    )
    assert found["conflict"] or found["no_conflict"]
    printed = Console(file=StringIO(), width=300)
    print_why(printed, found)
    assert isinstance(printed.file, StringIO)
    text = printed.file.getvalue()
    assert "no convoy plan reaches the goal; other units might help on the way" in text
    assert "(space alone)" in text
    if found["conflict"]:
        assert "Together these forbid it to convoy plans:" in text


@pytest.mark.parametrize("verb", ["plan", "why"])
def test_a_goal_of_a_convoy_and_a_squad_names_whom_its_space_leaves_in_place(verb: str) -> None:
    """No space holds both: the proof is about plans of other units, and a note says so."""
    squad = {"id": "sq", "side": "german", "type": "4-6-7", "at": "C1"}
    units = [truck(1, "D3"), truck(2, "C3"), squad]
    found = asked(verb, units, {"units": ["t1", "sq"], "at": ["E4", "D1"], "must": "all"})
    assert (found["status"], found["space"]["name"]) == ("IMPOSSIBLE", "alone")
    assert found["notes"] == [
        "t1, t2 can move only with a Convoy, Column or platoon: the space alone leaves them in place, "
        "and no space plans them together with other units"
    ]
    by_line = asked(verb, units[:2], {"units": ["t1"], "at": ["E4"], "must": "all"})
    assert not by_line.get("notes")
