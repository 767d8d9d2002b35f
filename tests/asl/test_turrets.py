"""Effects of Personnel aboard on a vehicle's turret, hatches, Reverse and MPh."""

from __future__ import annotations

from typing import Any

import pytest

from tests.asl.boards import bars, cites, crossing, field, foot, judge, last, place, vehicle

ROW = field({name: {} for name in ("A1", "A2", "B1", "C1", "C2", "D1")})


def ridden(**fields: Any) -> Any:
    """Return a tank of 1943 that carries a Rider."""
    found = {"kind": "t-26-m33", **fields}
    scene = found.pop("scene", {})
    return place(
        scene.pop("board", ROW), vehicle("t", **found), foot("r", "half-squad", aboard="t", riding=True),
        year=1943, **scene,
    )  # fmt: skip


@pytest.mark.clause("D6.21d")
def test_riders_bail_out_as_the_turret_turns() -> None:
    """A TCA change throws them off; a hull turn under it does not, except by one reading."""
    after = last(ridden(spent=1), "tca t SSE").after
    assert (after.unit("r").cargo.aboard, after.unit("t").motion.turret) == (None, 1)
    turned = last(ridden(), "turn t SSE").after
    assert (turned.unit("r").cargo.aboard, turned.unit("t").motion.turret) == ("t", 0)
    read = last(ridden(scene={"readings": (("D6.21d", "absolute"),)}), "turn t SSE").after
    assert read.unit("r").cargo.aboard is None
    inside = place(ROW, vehicle("t", "t-26-m33", spent=1), foot("w"))
    assert last(inside, "tca t SSE").obligations == ()


@pytest.mark.clause("D3.12")
def test_who_turns_a_turret() -> None:
    """A manned one that points elsewhere, in its MPh after spending MP; then in woods it is UNSUPPORTED."""
    assert bars(last(ridden(spent=1), "tca t E")) == {"D3.12"}
    assert bars(last(ridden(turret=1, spent=1), "tca t SSE")) == {"D3.12"}
    assert last(ridden(turret=1, spent=1), "tca t E").after.unit("t").motion.turret == 0
    for state in ("stunned", "shocked", "abandoned"):
        assert bars(last(ridden(spent=1, **{state: True}), "tca t SSE")) == {"D3.12"}
    assert bars(last(ridden(), "tca t SSE")) == {"D3.12"}
    assert last(ridden(scene={"phase": "AFPh"}), "tca t SSE").is_legal
    board = crossing(here={"terrain": "Woods"})
    woods = place(board, vehicle("t", "t-26-m33", spent=1))
    assert cites(last(woods, "tca t SSE")) == {"D3.12"}
    assert cites(last(place(board, vehicle("t", "t-26-m33"), phase="DFPh"), "tca t SSE")) == set()


@pytest.mark.clause("D6.62e")
def test_no_turret_no_tca() -> None:
    """A halftrack has no turret, so it cannot change its TCA (D6.62e)."""
    assert bars(last(place(ROW, vehicle("t", "spw-251")), "tca t SSE")) == {"D6.62e"}


@pytest.mark.clause("D6.62d", "D6.84a")
def test_hatches_of_vehicles_with_passengers() -> None:
    """Passengers go BU with the crew; a Carrier never does."""
    halftrack = vehicle("t", "spw-251", moving=False)
    ruling = last(place(ROW, halftrack, foot(aboard="t")), "hatch t bu")
    assert ("D6.62d", "its Passengers become CE or BU with the crew") in ruling.exceptions
    assert last(place(ROW, halftrack, foot()), "hatch t bu").exceptions == ()
    carrier = place(ROW, vehicle("t", "carrier-a", moving=False))
    assert bars(last(carrier, "hatch t bu")) == {"D6.84a"}


@pytest.mark.clause("D6.5g")
def test_a_unit_that_has_left_goes_on_in_the_vehicles_mph() -> None:
    """Until another unit begins its own: then the MPh of units that unloaded is over."""
    position = place(
        ROW, vehicle("t", "opel-blitz", moving=False), foot(aboard="t"), foot("p", aboard="t"),
        foot("w", at="A1"),
    )  # fmt: skip
    assert judge(position, "unload u", "enter u C1", "unload p", "enter p C1").status == "LEGAL"
    late = judge(position, "unload u", "enter w A2", "enter u C1")
    assert late.status == "ILLEGAL"
    assert late.position.unit("u").move.mph == "done"


@pytest.mark.clause("D6.5q", "D6.5m")
def test_leaving_a_vehicle_that_has_overrun() -> None:
    """A unit that took no part can leave it, one that did cannot."""
    truck = vehicle("t", "opel-blitz", moving=False, fired=True)
    idle = last(place(ROW, truck, foot(aboard="t")), "unload u")
    assert [clause for clause, _ in idle.exceptions] == ["D6.5q"]
    assert bars(last(place(ROW, truck, foot(aboard="t", fired=True)), "unload u")) == {"D6.5m"}
    plain = vehicle("t", "opel-blitz", moving=False)
    assert last(place(ROW, plain, foot(aboard="t")), "unload u").exceptions == ()
