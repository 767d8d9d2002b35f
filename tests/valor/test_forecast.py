"""Forecast of an attack for clients: totals, modifiers, the table's row, points for each roll."""

from __future__ import annotations

from io import StringIO
from typing import Any

import msgspec
import pytest
from rich.console import Console

from marchtable.answers.answer import answer
from marchtable.answers.shapes import ANSWERS
from marchtable.files.scenes import scene_data
from marchtable.report.check import print_check, print_options
from marchtable_models.valor.data import TWO_DICE
from tests.valor.scenes import field, foe, place, unit

BOARD = field(stated={"C1": {"terrain": "Stone Building"}})
UNITS = (unit("a", sw=("mg34",)), unit("b"), unit("l", "leader"), foe())


def ask(verb: str, printer: Any = None, position: Any = None, **fields: Any) -> Any:
    """Return an answer of the right shape, or its text if a printer is given."""
    scene = scene_data(position or place(*UNITS, board=BOARD))
    found = answer({"verb": verb, "scene": scene, **fields})
    msgspec.convert(found, ANSWERS[verb])
    if printer is None:
        return found
    out = StringIO()
    printer(Console(file=out, width=400), found)
    return out.getvalue()


def stated(details: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the details by kind."""
    return {entry["what"]: entry for entry in details}


def parts(detail: dict[str, Any]) -> list[tuple[str, int]]:
    """Return the clauses of a detail with their amounts."""
    return [(part["clause"], part["amount"]) for part in detail["parts"]]


@pytest.mark.clause("V14.5a", "V14.2b", "V14.5b", "V14.6")
def test_an_attack_in_a_log() -> None:
    """The check gives APFP and dice by clause, the row, the weapons, and points with their chances."""
    found = ask("check", log=["fire a,b,l C1", "settle fire:a 4"])
    first = stated([entry for entry in found["details"] if entry["step"] == 0])
    assert first["weapons"]["value"] == "a:own, a:mg34, b:own, l:own"
    assert first["APFP"]["value"] == 12
    assert parts(first["APFP"]) == [("V14.5a", 11), ("V14.2b", 1)]
    assert first["modifier"]["value"] == 2
    assert parts(first["modifier"]) == [("V14.2b", -1), ("V14.5b", 3)]
    assert first["row"]["value"] == "11-18"
    assert [
        {"outcome": str(roll), "chance": ways, "of": 36, "value": max(0, 9 - (roll + 2))}
        for roll, ways in TWO_DICE.items()
    ] == first["Casualty Points"]["outcomes"]
    assert first["Casualty Points"]["value"] == round((5 + 8 + 9 + 8 + 5) / 36, 3)
    (second,) = [entry for entry in found["details"] if entry["step"] == 1]
    assert (second["what"], second["value"], parts(second)) == (
        "Casualty Points",
        3,
        [("V14.6", 3)],
    )


def test_what_each_unit_can_still_fire() -> None:
    """Options and the list of legal actions give it for each attack; a unit that has fired has none."""
    position = place(*UNITS, unit("done", fired=True), board=BOARD)
    (one,) = ask("options", position=position, unit="a")["units"]
    (fire,) = one["actions"]
    assert (fire["action"], fire["joins"]) == ("fire a C1", ["b", "l"])
    assert stated(fire["details"])["weapons"]["value"] == "a:own, a:mg34"
    (done,) = ask("options", position=position, unit="done")["units"]
    assert done["actions"] == []
    assert [bar["clauses"] for bar in done["barred"] if bar["verb"] == "fire"] == [["V13.1"]]
    joined = ask("legal_actions", position=position, unit="a", opened="fire a C1")["actions"]
    assert {entry["action"]: stated(entry["details"])["APFP"]["value"] for entry in joined} == {
        "fire a,b C1": 11,
        "fire a,l C1": 8,
    }


def test_what_is_reported_of_attacks_alone() -> None:
    """An attack without a roll, or from off the map, has none; nor does a rally."""
    for one, line in (
        (unit("u", "leader"), "fire u C1 weapons=u:none"),
        (unit("u", at=None), "fire u C1"),
        (unit("u", pinned=True), "rally u"),
    ):
        position = place(one, foe(), phase="Fire" if "fire" in line else "AfterAction")
        assert "details" not in ask("check", position=position, log=[line])


@pytest.mark.clause("V19.1", "V19.4")
def test_an_overrun_is_broken_down_as_fire_is() -> None:
    """Its APFP by clause, the doubled part apart, its modifier, row and points."""
    rider = unit("p", aboard="t", sw=("mg34",))
    position = place(
        unit("t", "m3-halftrack", facing="N"), rider, foe("e", at="C2"), phase="Movement"
    )
    found = stated(ask("check", position=position, log=["overrun t C2"])["details"])
    assert found["weapons"]["value"] == "t:mg360, p:own, p:mg34"
    assert found["APFP"]["value"] == 15
    assert sum(amount for _, amount in parts(found["APFP"])) == 15
    assert ("V19.4", 4) in parts(found["APFP"])
    assert found["row"]["value"] == "11-18"
    assert len(found["Casualty Points"]["outcomes"]) == 11
    (one,) = ask("options", position=position, unit="t")["units"]
    (offered,) = [entry for entry in one["actions"] if entry["verb"] == "overrun"]
    assert stated(offered["details"])["APFP"]["value"] == 15
    away = place(
        unit("t", "m3-halftrack", at=None, facing="N"), foe("e", at="C2"), phase="Movement"
    )
    assert "details" not in ask("check", position=away, log=["overrun t C2"])


@pytest.mark.clause("V15.3", "V15.6b", "V15.8a")
def test_a_close_assault_is_broken_down() -> None:
    """Both sides' APFP, the Kill Number and the modifier with their leaders, and the fixed cost."""
    woods = field(stated={"C2": {"terrain": "Woods"}})
    units = (unit("u"), unit("l", "leader"), foe("e", at="C2"), foe("f", "leader", at="C2"))
    position = place(*units, board=woods, phase="AdvanceAndAssault")
    found = stated(ask("check", position=position, log=["assault u,l C2"])["details"])
    assert (found["APFP"]["value"], found["their APFP"]["value"]) == (5, 5)
    assert parts(found["Kill Number"]) == [("V15.6b", 6), ("V15.3", -1)]
    assert parts(found["modifier"]) == [("V15.3", -1)]
    assert parts(found["Casualty Points of the assaulters"]) == [("V15.8a", 2), ("V15.8a", 2)]
    empty = place(unit("u"), phase="AdvanceAndAssault")
    assert "details" not in ask("check", position=empty, log=["assault u C2"])


def test_the_report_reads_well() -> None:
    """The text of check and options names totals, clauses, row and the points for each roll."""
    text = ask("check", print_check, log=["fire a,b,l C1"])
    assert "APFP 12: APFP of the units +11 (V14.5a), APFP of leaders +1 (V14.2b)" in text
    assert "modifier 2: leader -1 (V14.2b), cover +3 (V14.5b)" in text
    assert "row 11-18" in text
    assert "Casualty Points 0.972 expected: 5 on 2 (1/36), 4 on 3 (2/36), 3 on 4 (3/36)" in text
    listed = ask("options", print_options, unit="a")
    assert "weapons a:own, a:mg34; APFP 7: APFP of the units +7 (V14.5a)" in listed
