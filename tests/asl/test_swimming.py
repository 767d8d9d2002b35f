"""Amphibious vehicles: water, marsh, mudflats, and ashore again (D16)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable_models.asl.catalogue import catalogued
from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    bars,
    cites,
    crossing,
    field,
    judge,
    last,
    paid,
    place,
    step,
    total,
    vehicle,
)
from tests.asl.test_bog import odds
from tests.solver.test_reach import check_reach

if TYPE_CHECKING:
    from marchtable.rules.ruling import Ruling

WATER, MARSH = {"terrain": "River", "level": -1}, {"terrain": "Marsh"}
LOW = {"terrain": "River"}


def type_(water_mp: int = 2, mp: int = 20, **fields: Any) -> UnitType:
    """Return an amphibious truck."""
    return UnitType(
        name="swims",
        class_="vehicle",
        column="tr",
        mp=mp,
        amphibious=True,
        water_mp=water_mp,
        **fields,
    )


def swim(
    line: str = "enter u C1",
    water_mp: int = 2,
    mp: int = 20,
    left: float | None = None,
    **fields: Any,
) -> Ruling:
    """Return the ruling on one step of it, with this many MP left."""
    scene = {"types": (type_(water_mp, mp),), **fields.pop("scene", {})}
    if left is not None:
        fields |= {"spent": round(2 * (mp - left)), "used": round(2 * (mp - left)), "mph": "moving"}
    return step("tr", line, kind="swims", scene=scene, **fields)


@pytest.mark.clause("D16.21")
def test_into_water() -> None:
    """One amphibious MP, which is half of the land MP, or a third; other vehicles cannot swim."""
    found = swim(there=WATER)
    assert (found.status, paid(found, "D16.21"), total(found)) == ("LEGAL", 10, 10)
    assert paid(swim(there=WATER, water_mp=3, mp=27), "D16.21") == 9
    assert paid(swim(there=WATER, water_mp=3, mp=10), "D16.21") == 3  # a remainder is dropped
    assert swim(there=WATER, left=10).is_legal
    assert bars(swim(there=WATER, left=9.5)) == {"D2.1b"}  # half a land MP takes an amphibious one
    assert bars(step("tr", there=WATER)) == {"B21", "B21.4"}
    assert swim(there=WATER, scene={"stated": {"fordable": True}}).is_legal
    river = field({"A1": LOW, "A2": LOW, "B1": LOW, "C1": LOW, "C2": LOW})
    there_and_on = judge(
        place(river, vehicle(kind="swims"), types=(type_(),)), "enter u C1", "turn u NNE", "end u"
    )
    assert [ruling.status for ruling in there_and_on.rulings] == ["LEGAL"] * 3


@pytest.mark.clause("D16.2")
def test_unstated_amphibious_mp() -> None:
    """If the type does not state them, entering, turning and starting afloat are UNSUPPORTED."""
    for found in (
        swim(there=WATER, water_mp=0), swim(there=MARSH, water_mp=0),
        swim("turn u NNE", here=WATER, water_mp=0), swim("start u", here=WATER, water_mp=0, moving=False),
    ):  # fmt: skip
        assert (found.status, "D16.2" in cites(found)) == ("UNSUPPORTED", True)
    assert swim(water_mp=0).is_legal
    assert swim(there=WATER, water_mp=1).is_legal
    assert catalogued()["american DUKW"].amphibious


@pytest.mark.clause("B16.42")
def test_into_marsh() -> None:
    """Two amphibious MP, hexside and rise included, across open ground, water or marsh only."""
    assert paid(swim(there=MARSH), "B16.42") == 20
    assert total(swim(there=MARSH, here=WATER, water_mp=4)) == 10
    assert total(swim(there=MARSH, here=LOW, hexside={"terrain": "Hedge"}, water_mp=4)) == 10
    assert bars(swim(there=MARSH, left=19.5)) == {"D2.1b"}
    assert cites(swim(there=MARSH, here={"terrain": "Brush"})) == {"B16.42"}
    assert "B16" in bars(step("tr", there=MARSH))


@pytest.mark.clause("D16.21b")
def test_what_else_is_paid() -> None:
    """Whether amphibious MP pay for SMOKE or another vehicle is unknown; ashore all is as usual."""
    smoke: dict[str, Any] = {"scene": {"smoke": ("C1",)}}
    assert cites(swim(there=WATER, **smoke)) == {"D16.21b"}
    assert cites(swim(there=WATER, others=(vehicle("v", at="C1"),))) == {"D16.21b"}
    assert not cites(swim(there=WATER))
    assert total(swim(here=LOW, **smoke)) == 5


@pytest.mark.clause("D16.23")
def test_ashore() -> None:
    """Out of water it pays as on land and makes a Bog Check; into water, or by road, none."""
    found = swim(here=WATER)
    assert (total(found), paid(found, "B10.4b"), odds(found)) == (8, 4, 10)
    assert {roll.clause for roll in found.obligations} == {"D16.23"}
    assert odds(swim(there=WATER)) is None
    assert odds(swim(here=LOW, there=LOW)) is None
    assert odds(swim(here=LOW, hexside={"road": "Dirt Road"})) is None
    once = swim(here=LOW, there={"terrain": "Vineyard"})
    assert [roll.clause for roll in once.obligations] == ["D8.21a"]
    stuck = last(
        place(crossing(LOW), vehicle(kind="swims"), types=(type_(),)),
        "enter u C1",
        "settle bog:u bogged",
    )
    assert stuck.after.unit("u").motion.bogged
    assert stuck.after.unit("u").at == "C1"


@pytest.mark.clause("B16.72")
def test_mudflats() -> None:
    """It goes there on land, for double Open Ground and a Bog Check; others cannot."""
    found = swim(there={"terrain": "Mudflats"})
    assert (total(found), odds(found)) == (8, 10)
    assert bars(step("tr", there={"terrain": "Mudflats"})) == {"B16-mudflat"}
    assert bars(swim(there={"terrain": "Mudflats"}, left=7.5)) == {"D2.1b"}


@pytest.mark.clause("D16.2b")
def test_turns_afloat() -> None:
    """A hexspine is an amphibious MP in water or, by another reading, a MP; on land 1 MP."""
    assert total(swim("turn u NNE", here=WATER)) == 10
    assert bars(swim("turn u NNE", here=WATER, left=9.5)) == {"D2.1b"}
    assert total(swim("turn u NNE", here=WATER, scene={"readings": (("D16.2b", "land"),)})) == 1
    assert total(swim("turn u NNE")) == 1


@pytest.mark.clause("D16.2c")
def test_always_in_motion() -> None:
    """In water it cannot stop, and ends in Motion whatever it could afford; on land it can stop."""
    assert bars(swim("stop u", here=WATER)) == {"D16.2c"}
    assert swim("stop u").is_legal
    assert swim("end u", here=WATER).is_legal
    assert "D2.4" in bars(swim("end u"))
    assert "D2.4" in bars(swim("end u", here=MARSH))


@pytest.mark.clause("D16.2d")
def test_starts_afloat() -> None:
    """One that was Stunned starts again for an amphibious MP, on land for 1 MP."""
    assert total(swim("start u", here=WATER, moving=False)) == 10
    assert bars(swim("start u", here=WATER, moving=False, left=9.5)) == {"D2.1b"}
    assert total(swim("start u", moving=False)) == 1


@pytest.mark.clause("B16.42b")
def test_in_marsh() -> None:
    """A Start, Stop or VCA change there is UNSUPPORTED; it can go on to land or water."""
    for line, moving in (("stop u", True), ("start u", False), ("turn u NNE", True)):
        assert cites(swim(line, here=MARSH, moving=moving)) == {"B16.42b"}
    assert total(swim(here=MARSH)) == 4
    assert total(swim(here=MARSH, there=LOW)) == 10


@pytest.mark.slow
@pytest.mark.clause("D16.21", "D16.23", "D16.2c")
def test_reach_afloat() -> None:
    """Reach over water, marsh and shore is a walk by `rule`."""
    board = field({"B1": {}, "C1": WATER, "C2": MARSH, "D1": WATER})
    check_reach(place(board, vehicle(kind="swims", at="B1"), types=(type_(3, 6),)), "u")
