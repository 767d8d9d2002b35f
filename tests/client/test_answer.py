"""``answer``: every verb gives the promised shape, and bad requests return errors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.answers.answer import answer
from marchtable.answers.shapes import ANSWERS
from marchtable.errors import InternalError
from marchtable.files.notation import action_of, parse_action
from marchtable.rules.rulebook import find_rulebook
from tests.client.asking import ask
from tests.client.scenes import DEMO, LOG, broken, log, scene

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_check_legal() -> None:
    """A legal log gets a receipt for each payment, the slack and no violation."""
    found = ask("check", scene=scene(), log=list(LOG))
    assert "LEGAL" == found["status"]
    assert [] == found["violations"]
    assert [1, 1.5, 1, 1] == [receipt["amount"] for receipt in found["receipts"]]
    assert [{"unit": "truck", "points": "MP", "left": 23.5}] == found["slack"]
    assert list(LOG) == found["log"]


def test_check_illegal() -> None:
    """Every violation is reported with its step, its hexes, its numbers and a sentence."""
    found = ask("check", scene=scene(), log=["enter truck C5", "enter sq E5"])
    assert "ILLEGAL" == found["status"]
    first, *_, second = found["violations"]
    assert ("D2.12b", 0, ["B4", "C5"], False) == tuple(
        first[k] for k in ("clause", "step", "hexes", "after")
    )
    assert ("A4.1b", 1, True, 1, 3) == tuple(
        second[k] for k in ("clause", "step", "after", "need", "have")
    )
    for violation in found["violations"]:
        for part in (violation["clause"], *violation["units"], *violation["hexes"]):
            assert part in violation["message"]


def test_check_message_has_numbers_in_points() -> None:
    """A sentence about points has the points needed, the points available and their unit."""
    short = scene()["units"][0] | {
        "moving": True,
        "spent": 27,
        "used": 27,
        "mph": "moving",
        "facing": "NNE",
    }
    found = ask("check", scene=scene(units=[short], counters=[]), log=["enter truck B3"])
    assert (4, 1) == tuple(found["violations"][0][key] for key in ("need", "have"))
    assert "needs 4 MP, has 1 MP" in found["violations"][0]["message"]


def test_check_stops_where_it_cannot_go_on() -> None:
    """After a step that leads nowhere the referee stops and names the step."""
    tank = {
        "id": "tank",
        "side": "german",
        "at": "B4",
        "type": "t-26-m33",
        "facing": "NNE",
        "moving": True,
    }
    found = ask("check", scene=scene(units=[tank], counters=[]),
                log=["enter tank C4 half=true", "stop tank"])  # fmt: skip
    assert 1 == found["stopped"]
    assert ["bog:tank"] == [pending["id"] for pending in found["obligations"]]


def test_check_names_the_entry_that_cannot_be() -> None:
    """An entry that is shown to be nonsense only by the way there is still named."""
    found = ask(
        "check", scene=scene(), log=["start truck", "enter truck C5", "settle bog:truck mobile"]
    )
    assert "log[2]" == found["error"]["field"]


def test_check_with_effects_in_points() -> None:
    """An amount a clause forces is given in points."""
    found = ask("check", scene=scene(units=[scene()["units"][1]]), log=["double-time ldr"])
    assert ("double", 2) == next(
        (e["field"], e["value"]) for e in found["effects"] if e["field"] == "double"
    )


def test_interpretations_switch_a_reading() -> None:
    """A reading chosen in the request overrides the scene's."""
    turn = ["turn truck NNE"]
    assert "LEGAL" == ask("check", scene=scene(), log=turn)["status"]
    other = ask("check", scene=scene(), log=turn, interpretations={"D2.12c": "started"})
    assert ("ILLEGAL", {"D2.12c": "started"}) == (
        other["status"], {k: v for k, v in other["interpretations"].items() if k == "D2.12c"}
    )  # fmt: skip


def test_paths_instead_of_tables() -> None:
    """A scene and a log may be given as files."""
    files = {"scene": str(DEMO / "scene.toml"), "log": str(DEMO / "legal.toml")}
    assert "LEGAL" == ask("check", **files)["status"]


def test_options() -> None:
    """A unit's options come with their cost; every other verb with its reason."""
    found = ask("options", scene=scene(), unit="truck")["units"][0]
    assert {"action": "start truck", "verb": "start", "cost": 1, "left": 27} in found["actions"]
    assert "D2.13" in next(bar["clauses"] for bar in found["barred"] if bar["verb"] == "stop")
    assert ["truck", "ldr", "sq"] == [u["unit"] for u in ask("options", scene=scene())["units"]]
    assert ["gone"] == [u["unit"] for u in ask("options", scene=scene(), side="russian")["units"]]


def test_perft() -> None:
    """The counts after the first actions add up to the whole."""
    whole = ask("perft", scene=scene(), depth=2)
    parts = ask("perft", scene=scene(), depth=2, divide=True)
    assert whole["count"] == parts["count"] == sum(parts["divide"].values())
    assert 1 == ask("perft", scene=scene(), depth=0, divide=True)["count"]


def test_legal_actions() -> None:
    """Actions are listed as lines, and an incomplete one with the units that can join."""
    fresh = {
        key: v for key, v in scene()["units"][2].items() if key not in ("spent", "used", "mph")
    }
    data = scene(units=[*scene()["units"][:2], fresh])
    found = {a["action"]: a for a in ask("legal_actions", scene=data)["actions"]}
    assert ["sq"] == found["enter ldr B2"]["joins"]
    opened = ask("legal_actions", scene=data, opened="enter ldr B2")["actions"]
    [both] = opened
    assert ("enter ldr,sq B2", True, []) == (both["action"], both["closes"], both["joins"])
    assert [("ldr", 2, 4), ("sq", 2, 2)] == [
        (c["unit"], c["amount"], c["left"]) for c in both["costs"]
    ]


def test_check_then_goes_on_from_the_scene_it_returns() -> None:
    """A log judged in two parts, with the first part's scene passed on, costs the same."""
    whole = ask("check", scene=scene(), log=list(LOG))
    first = ask("check", scene=scene(), log=list(LOG[:2]), then=True)
    second = ask("check", scene=first["scene"], log=list(LOG[2:]))
    assert whole["slack"] == second["slack"]
    assert "scene" not in whole


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("scene", {"scene": "scene.toml"}),
        ("scene.board", {"scene": {**scene(), "board": "map.json"}}),
        ("scene.board", {"scene": {**scene(), "board": [["bd01"]]}}),
        ("log", {"log": "log.toml"}),
    ],
)
def test_no_file_is_opened_where_none_may_be_named(field: str, change: dict[str, Any]) -> None:
    """With files=False a request that names a file is rejected; one given in full is answered."""
    given = {"verb": "check", "scene": scene(), "log": list(LOG)}
    assert "LEGAL" == answer(given, files=False)["status"]
    found = answer({**given, **change}, files=False)
    assert ("ERROR", field) == (found["status"], found["error"]["field"])


def test_rules() -> None:
    """Clauses come with their titles; coverage with the tests that guard them."""
    found = ask("rules")
    assert "Stopping costs 1 MP" == next(
        c["title"] for c in found["clauses"] if c["clause"] == "D2.13"
    )
    assert found["interpretations"]
    one = ask("rules", clause="D2.13", coverage=True)["clauses"]
    assert ["D2.13"] == [row["clause"] for row in one]
    assert one[0]["status"] in ("enforced", "partial", "unsupported")


@pytest.mark.parametrize(
    ("rulebook", "wrong", "near"),
    [
        ("asl", "D2.133", "'D2.13'"),
        ("valor", "V14.61x", "'V14.61a'"),
        ("panzer", "P.stack-z", "'P.stack-a'"),
    ],
)
def test_a_wrong_clause_gets_the_nearest(rulebook: str, wrong: str, near: str) -> None:
    """Also in a rulebook whose clauses are named by words; a word of a title is no id."""
    found = ask("rules", rulebook=rulebook, clause=wrong)
    assert found["error"]["message"].startswith(
        f"rulebook {rulebook} has no clause {wrong!r}; nearest: "
    )
    assert near in found["error"]["message"]
    assert "with 'poem' in its title" in ask("rules", clause="poem")["error"]["message"]


BAD: list[tuple[Any, str, str]] = [
    (3, "", "expected an object"),
    (None, "", "expected an object"),
    ([], "", "expected an object"),
    ({}, "verb", "check, options"),
    ({"verb": "march"}, "verb", "check, options"),
    ({"verb": ["check"]}, "verb", "check, options"),
    ({"verb": "check"}, "scene", "missing required field"),
    ({"verb": "check", "scene": scene()}, "log", "missing required field"),
    ({"verb": "check", "scene": scene(), "log": 3}, "log", "expected"),
    ({"verb": "check", "scene": "-", "log": "-"}, "", "standard input"),
    ({"verb": "check", "scene": "/nowhere", "log": []}, "", "cannot be read"),
    ({"verb": "check", "scene": scene(), "log": [], "speed": 1}, "", "`speed`"),
    ({"verb": "check", "scene": scene(), "log": [float("nan")]}, "log[0]", "finite"),
    ({"verb": "check", "scene": scene(), "log": [], "interpretations": {"Z": "x"}}, "interpretations", "no register"),
    ({"verb": "options", "scene": scene(), "unit": "x"}, "unit", "no unit 'x'"),
    ({"verb": "options", "scene": scene(), "side": "x"}, "side", "no side 'x'"),
    ({"verb": "options", "scene": scene(), "side": "german", "unit": "sq"}, "side", "not both"),
    ({"verb": "reach", "scene": scene()}, "unit", "either"),
    ({"verb": "reach", "scene": scene(), "unit": "sq", "units": ["sq"]}, "unit", "either"),
    ({"verb": "reach", "scene": scene(), "unit": "x"}, "unit", "no unit 'x'"),
    ({"verb": "reach", "scene": scene(), "unit": "sq", "to": "Z9"}, "to", "no hex 'Z9'"),
    ({"verb": "reach", "scene": scene(), "unit": "sq", "rolls": "hope"}, "rolls", "pass, avoid"),
    ({"verb": "perft", "scene": scene(), "depth": -1}, "depth", ">= 0"),
    ({"verb": "perft", "scene": scene(), "depth": 21}, "depth", "<= 20"),
    ({"verb": "legal_actions", "scene": scene(), "opened": "fly"}, "opened", "no action"),
    ({"verb": "legal_actions", "scene": scene(), "opened": "enter x B2"}, "opened", "no unit 'x'"),
    ({"verb": "rules", "rulebook": "chess"}, "rulebook", "no rulebook"),
    ({"verb": "rules", "clause": "Z9"}, "clause", "no clause"),
    ({"verb": "check", "scene": broken("units.0.at", "Z99"), "log": []}, "units[0].at", "Z99"),
    ({1: 2}, "", "keys"),
    ({"verb": object()}, "verb", "expected text"),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "field", "says"), BAD)
def test_bad_requests(request_: Any, field: str, says: str) -> None:
    """A malformed request is answered by an error that names the field."""
    found = answer(request_, files=True)
    assert ("marchtable/error/1", "ERROR") == (found["format"], found["status"])
    assert msgspec.convert(found, ANSWERS["error"])
    assert field == found["error"]["field"]
    assert says in found["error"]["message"]
    assert json.dumps(found)


def test_internal_errors_carry_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error is raised with the position on one line, to be reported."""

    def disagree(*_: Any, **__: Any) -> Any:
        raise InternalError("they disagree")

    monkeypatch.setattr("marchtable.answers.routes.reach", disagree)
    with pytest.raises(
        InternalError, match=r"they disagree; the position: asl demo#.* german MPh 2"
    ):
        answer({"verb": "reach", "scene": scene(), "unit": "sq"})


def test_a_log_as_a_table() -> None:
    """A log's whole table can be given; it can name the scene."""
    assert "LEGAL" == ask("check", scene=scene(), log=log(scene="yard"))["status"]


ABOUT: dict[str, dict[str, Any]] = {
    "legal_actions": {},
    "options": {},
    "reach": {"unit": "truck", "to": "B6"},
    "check": {"log": list(LOG)},
    "plan": {"goal": {"format": "marchtable/goal/1", "aims": [{"units": ["truck"], "at": ["C5"]}]}},
}


@pytest.mark.parametrize("verb", ABOUT)
def test_actions_as_objects(verb: str) -> None:
    """On request every line of an answer has its object, which a log accepts instead."""
    found = ask(verb, scene=scene(), objects=True, **ABOUT[verb])
    result = list(_with_objects(found))
    rulebook = find_rulebook("asl")

    assert result
    for line, given in result:
        assert action_of(given, rulebook) == parse_action(line, rulebook)


def _with_objects(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each listed action, with its object."""
    if isinstance(value, list):
        for one in value:
            yield from _with_objects(one)
    elif isinstance(value, dict):
        if "action" in value:
            yield value["action"], value["object"]
        if "log" in value:
            yield from zip(value["log"], value["objects"], strict=True)
        for one in value.values():
            yield from _with_objects(one)
