"""Scenes that no play leads to are rejected; reachable ones are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import marchtable
from marchtable.answers.verdicts import check_answer
from marchtable.errors import BadInputError
from marchtable.files.scenes import scene_data
from marchtable.files.validation import check_scene
from marchtable.rules.clause import Bar
from marchtable_models.valor.model import PHASES
from marchtable_models.valor.rules import transport
from marchtable_models.valor.rules.transport import overloaded
from tests.valor.scenes import VALOR, after, foe, place, under, unit

if TYPE_CHECKING:
    from tests.valor.scenes import Pos

MOVING = ("Movement", "AdvanceAndAssault")
TRUCK = unit("t", "3-ton-truck", facing="N")
FIVE = tuple(unit(name) for name in "abcde")


def rejection(position: Pos) -> tuple[str, str]:
    """Return the field and text of a scene's error, blank if it is read."""
    try:
        check_scene(VALOR, position)
    except BadInputError as error:
        return error.field, error.message
    return "", ""


@pytest.mark.clause("V6.9")
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(
    "units",
    [
        FIVE,
        (TRUCK, *FIVE[:3]),
        (TRUCK, unit("v", "6-pounder", facing="N"), unit("w", "m4a3e8", facing="N")),
        (TRUCK, unit("v", "6-pounder", facing="N"), FIVE[0]),
    ],
)
def test_a_hex_over_its_limit(units: Any, phase: str) -> None:
    """It is rejected with V6.9 and the field, except for the moving side while it moves."""
    own = rejection(place(*units, phase=phase))
    other = rejection(place(*units, phase=phase, side="american"))
    assert other[0] == f"units[{len(units) - 1}].at"
    assert other[1].startswith(
        "C3 has too many german units; only units still moving can exceed the limit "
        "(V6.9: at most four infantry, "
    )
    assert own == (("", "") if phase in MOVING else other)
    assert rejection(place(*units[:2], phase=phase)) == ("", "")


@pytest.mark.clause("V20.5")
def test_a_bunker_over_its_limit() -> None:
    """A bunker with three squads is rejected, one with two is read."""
    squads = [foe(name) for name in "abc"]
    field, text = rejection(place(*squads, counters={"wooden-bunker": "C1"}))
    assert (field, "V20.5: a bunker holds two infantry or one Gun" in text) == ("units[2].at", True)
    assert rejection(place(*squads[:2], counters={"wooden-bunker": "C1"})) == ("", "")


@pytest.mark.clause("V8.1")
@pytest.mark.parametrize("phase", PHASES)
def test_a_vehicle_that_carries_too_much(phase: str) -> None:
    """It is rejected in every phase with V8.1: half squads, leaders, and Guns it cannot tow."""
    squads = [unit(name, aboard="t") for name in "abc"]
    field, text = rejection(place(TRUCK, *squads, phase=phase))
    assert field == "units[3].aboard"
    assert text == "c aboard t: too many half squads: at most 4, got 6 (V8.1)"
    assert rejection(place(TRUCK, *squads[:2], phase=phase)) == ("", "")
    leaders = [unit(name, "leader", aboard="t") for name in "abc"]
    assert "too many leaders: at most 2, got 3" in rejection(place(TRUCK, *leaders))[1]
    gun = unit("g", "6-pounder", facing="N", aboard="h")
    halftrack = unit("h", "m3-halftrack", facing="N")
    assert "it cannot tow the Gun (V8.1)" in rejection(place(halftrack, gun))[1]


@pytest.mark.clause("V12.4")
def test_weapons_handed_to_those_aboard() -> None:
    """Transfers can bring more weapons aboard than a vehicle loads: the scene is read, and says so."""
    riders = (unit("a", aboard="t", sw=("mg34",)), unit("b", aboard="t", sw=("mg34",)))
    half = unit("d", "leader", aboard="t")
    giver = unit("c", sw=("mg34",))
    handed = after(place(TRUCK, *riders, half, giver, phase="Command"), "give c d mg34")
    assert "t carries more than it may (V8.1)" in check_answer(handed, [])["assumed"]
    assert rejection(handed) == ("", "")


@pytest.mark.clause("V8.1")
def test_an_overloaded_vehicle_cites_the_clause_on_capacity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The text has the clause that forbids the load, whichever it is."""
    position = place(TRUCK, *(unit(name, aboard="t") for name in "abc"))
    monkeypatch.setattr(transport, "over_capacity", lambda *_: (Bar("V0.0", "too much"),))
    assert overloaded(position, VALOR.edition(position))[-1].endswith("(V0.0)")


def test_a_unit_that_must_take_a_point_is_under_fire() -> None:
    """A unit not under attack is rejected by name, with the list of those that are."""
    position = under(2, foe("a"), foe("far", at="D1"))
    attack = position.conditions.attack
    assert attack is not None
    attack = msgspec.structs.replace(attack, focus="far")
    conditions = msgspec.structs.replace(position.conditions, attack=attack)
    field, text = rejection(msgspec.structs.replace(position, conditions=conditions))
    assert field == "conditions.attack.focus"
    assert text == "far is not under fire in C1 (units under fire: a)"


# -- a side alone ----------------------------------------------------------------------------------


def alone(side: str = "german", **fields: Any) -> Pos:
    """Return Americans alone, in the turn of another side."""
    return place(foe("a", sw=("mg34",)), foe("b"), foe("l", "leader"), side=side, **fields)


def test_a_scene_of_one_side_in_the_other_sides_turn() -> None:
    """It is read, and casualties needs no other unit; a misspelled side is rejected."""
    assert rejection(alone()) == ("", "")
    field, text = rejection(alone("americn"))
    assert (field, "nearest: 'american'" in text) == ("side", True)
    third = place(unit(), foe(), side="russian")
    assert rejection(third)[0] == "side"


@pytest.mark.parametrize(
    "verb", ["casualties", "fire", "options", "check", "reach", "legal_actions"]
)
def test_every_verb_takes_such_a_scene(verb: str) -> None:
    """No verb needs units of the side whose turn it is."""
    request: dict[str, Any] = {"scene": scene_data(alone(phase="DefensiveFire")), "verb": verb}
    more: dict[str, dict[str, Any]] = {
        "casualties": {"at": "C1", "points": 2},
        "fire": {"verb": "casualties", "fire_from": "C1"},
        "check": {"log": ["phase AdvanceAndAssault"]},
        "reach": {"unit": "a"},
        "legal_actions": {"unit": "a"},
    }
    request |= more.get(verb, {})
    answer = marchtable.answer(request)
    assert "error" not in answer, answer
    assert answer.get("status", "LEGAL") in ("LEGAL", "OPTIMAL")
