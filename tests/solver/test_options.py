"""Options: what can be done, its cost, and why the rest cannot."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchtable.codec.structs import points
from marchtable.errors import UnknownNameError
from marchtable.files.notation import parse_action
from marchtable.play.options import options
from marchtable.rules.referee import rule
from marchtable.state.records import replace
from tests.strategies import asl_positions, in_play, rulebook, toy_positions
from tests.toy_scene import scene, walk

ANY = st.one_of(in_play(toy_positions()), in_play(asl_positions(others=2, largest=6), most=2))


def of(answer: dict[str, Any], unit: str) -> dict[str, Any]:
    """Return the options of a unit."""
    (found,) = (entry for entry in answer["units"] if entry["unit"] == unit)
    return found  # type: ignore[no-any-return]


@given(ANY)
def test_offered_is_legal(position: Any) -> None:
    """A complete option is legal with its stated cost and remainder; an incomplete one has units to join."""
    book = rulebook(position)
    for entry in options(position)["units"]:
        for offer in entry["actions"]:
            ruling = rule(position, parse_action(offer["action"], book))
            assert ruling.is_legal == offer.get("closes", True)
            assert offer.get("closes", True) or offer["joins"]
            for receipt in ruling.receipts:
                if receipt.unit == entry["unit"]:
                    found = (offer["cost"], offer["left"])
                    assert found == (points(receipt.amount), points(receipt.left))


@given(ANY)
def test_barred_is_illegal(position: Any) -> None:
    """A verb that offers nothing lists what its closest attempt violates."""
    book = rulebook(position)
    for entry in options(position)["units"]:
        offered = {offer["verb"] for offer in entry["actions"]}
        for bar in entry["barred"]:
            ruling = rule(position, parse_action(bar["closest"], book))
            assert bar["verb"] not in offered
            assert bar["clauses"] == list(dict.fromkeys(v.clause for v in ruling.violations))
        for entry_ in entry["unsupported"]:
            ruling = rule(position, parse_action(entry_["action"], book))
            assert [v.clause for v in ruling.unsupported] == entry_["clauses"]


def test_toy() -> None:
    """A fresh walker can go by road or into the swamp, alone or with the other; the lake is open."""
    entry = of(options(scene()), "w0")
    assert (entry["left"], entry["points"]) == (4, "WP")
    found = {(a["action"], a.get("cost"), a.get("left")) for a in entry["actions"]}
    assert found == {("walk w0 B1", 0.5, 3.5), ("walk w0 A2", 2.5, 1.5)}
    rolls = {a["action"]: a.get("rolls") for a in entry["actions"]}
    assert rolls == {"walk w0 B1": None, "walk w0 A2": ["T4"]}
    joins = {a["action"]: a.get("joins") for a in entry["actions"]}
    assert joins == {"walk w0 B1": None, "walk w0 A2": ["w1"]}


def test_barred_by_points() -> None:
    """A violation about points gives points, not halves."""
    tired = tuple(replace(u, at="A2", spent=7) for u in scene().units[:1])
    (bar,) = of(options(scene(units=tired)), "w0")["barred"]
    assert (bar["verb"], bar["clauses"], bar["need"], bar["have"]) == ("walk", ["T5"], 1, 0.5)


def test_unsupported() -> None:
    """UNSUPPORTED actions are listed apart, with their clause."""
    swimmer = tuple(msgspec.structs.replace(u, at="B1") for u in scene().units[:1])
    entry = of(options(scene(units=swimmer)), "w0")
    assert entry["unsupported"] == [{"action": "walk w0 B2", "clauses": ["T6"], "note": "Swimming"}]


def test_pending() -> None:
    """While a roll is pending, only its outcomes are offered, with the odds."""
    answer = options(rule(scene(), walk("w0", "A2")).after)
    (roll,) = answer["pending"]
    assert (roll["id"], roll["clause"], len(roll["outcomes"])) == ("mud:w0", "T4", 2)
    offers = [a["action"] for a in of(answer, "w1")["actions"]]
    assert offers == ["settle mud:w0 through", "settle mud:w0 stuck"]
    assert of(answer, "w1")["barred"] == []


def test_whom_it_is_about() -> None:
    """One unit, one side, or by default the side whose turn it is."""
    named = [[e["unit"] for e in options(scene(), *args)["units"]] for args in ((), ("w2",))]
    assert named == [["w0", "w1"], ["w2"]]
    assert [e["unit"] for e in options(scene(), side="blue")["units"]] == ["w2"]
    with pytest.raises(UnknownNameError):
        options(scene(), "w9")
