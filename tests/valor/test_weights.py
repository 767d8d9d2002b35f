"""Unit values, and later attacks, in requests of the verb ``casualties``."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import marchtable
from marchtable.errors import BadInputError
from marchtable_models.valor.allocation.advice import (
    best_ahead,
    standing_ahead,
)
from marchtable_models.valor.allocation.members import stack_of
from tests.examples import ROOT
from tests.valor.asking import asked
from tests.valor.scenes import foe, place, under

if TYPE_CHECKING:
    from marchtable_models.valor.allocation.advice import Stack
    from tests.valor.scenes import Pos


def seen(position: Pos) -> Stack:
    """Return the stack in C1 before an attack from C3."""
    return stack_of(under(1, *position.occupants["C1"]), "C1")


def test_weights_change_what_is_best() -> None:
    """The owner's values decide, fractions included."""
    position = place(foe("a"), foe("b", "half-squad-262"))

    def lost(**worth: Any) -> list[str]:
        answer = asked(position, 2, weights={"worth": worth, "ready": "1/2"})
        return [loss["unit"] for loss in answer["best"]["plan"]["losses"]]

    assert ["b"] == lost(a=9, b="1/3")
    assert ["a"] == lost(a="0.5", b=40)


@pytest.mark.parametrize(
    ("weights", "field"),
    [
        ({"worth": {"a": "1e999999"}}, "weights.worth.a"),
        ({"worth": {"a": -1}}, "weights.worth.a"),
        ({"worth": {"a": "1/0"}}, "weights.worth.a"),
        ({"worth": {"nobody": 1}}, "weights.worth"),
        ({"worth": {"a": 1}, "worth_half": {"a": 2}}, "weights.worth_half.a"),
        ({"ready": True}, "weights.ready"),
        ({"after": "1/8", "command": "1/4"}, "weights.after"),
        ({"mood": 1}, "weights"),
    ],
)
def test_weights_that_cannot_be(weights: dict[str, Any], field: str) -> None:
    """Weights that are no numbers, or inconsistent, are rejected by name."""
    with pytest.raises(BadInputError) as caught:
        asked(place(foe("a")), 1, weights=weights)
    assert field == caught.value.field


def test_looking_ahead() -> None:
    """The plan that is best after a further attack is the optimizer's, by table or by chances."""
    position = place(foe("a"), foe("b", "half-squad-262"))
    stack, chances = seen(position), dict.fromkeys((0, 2), Fraction(1, 2))

    found = asked(position, 2, ahead=chances)["best"]
    advice = best_ahead(stack, 2, standing_ahead(stack, chances))
    assert Fraction(found["exact"]) == advice.value

    table = {6 - n: Fraction(n, 36) for n in range(1, 6)}  # APFP 4: 5 points on a roll of 2
    table[0] = 1 - sum(table.values(), Fraction(0))
    advice = best_ahead(stack, 2, standing_ahead(stack, table))
    assert Fraction(asked(position, 2, ahead="4")["best"]["exact"]) == advice.value
    assert (
        asked(position, 2, ahead="5-1")["best"]["exact"]
        != asked(position, 2, ahead="5+1")["best"]["exact"]
    )


def test_values_ahead_agree() -> None:
    """Branches, lists and proposals are valued after the attack ahead, like the best plan."""
    truck = foe("truck", "3-ton-truck", facing="S")
    position = place(foe("a"), truck, foe("rider", "half-squad-262", aboard="truck"))

    found = asked(position, 4, ahead="13+2", show=("all", "best"))
    plan, listed = found["best"]["plan"], found["allocations"]
    branches = (plan["survived"], 4), (plan["failed"], 2)
    assert plan["value"] == pytest.approx(sum(one["value"] * n / 6 for one, n in branches))
    assert {one["value"] for one, _ in branches} == {e["value"] for e in listed if e["best"]}

    wanted = {"truck": "survived"}
    check = asked(position, 4, ahead="13+2", check=wanted)["check"]
    assert check["value"] == plan["survived"]["value"]
    assert check["value"] + check["cost"] == pytest.approx(plan["value"])


@pytest.mark.parametrize(
    "ahead", ["soon", "", "12+", "9999", {"x": 1}, {"1": "1/2"}, {"1": -1, "2": 2}]
)
def test_attacks_ahead_that_cannot_be(ahead: Any) -> None:
    """A further attack is APFP and dice, or chances that sum to 1."""
    with pytest.raises(BadInputError) as caught:
        asked(place(foe("a")), 1, ahead=ahead)
    assert caught.value.field.startswith("ahead")


def test_the_weights_of_the_guide_are_for_its_scene() -> None:
    """The guide's weights file fits the scene of its other examples."""
    page = (ROOT / "docs" / "how-to-take-casualties.md").read_text(encoding="utf-8")
    found = tomllib.loads(page.split("```toml\n")[1].split("```")[0])
    assert found.pop("format") == "marchtable/weights/1"
    position = marchtable.load(ROOT / "docs" / "examples" / "stack.toml")
    answer = marchtable.casualties(position, 4, at="C1", origin="C3", weights=found)
    assert {u["unit"]: u["worth"] for u in answer["units"]} == {
        "squad": 8.75,
        "leader": 4,
        "gun": 6,
    }


def test_a_squad_whose_half_is_unknown_says_so() -> None:
    """An unknown half squad of a squad is listed among the assumptions."""
    said = "a: its half squad is not known, so it is not reduced"
    for kind, is_unknown in (("german-rifle-squad", True), (None, False), ("leader", False)):
        unit = foe("a", kind) if kind else foe("a")
        found = asked(place(unit), 3)["assumed"]
        assert (said in found) == is_unknown
