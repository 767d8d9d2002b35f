"""Artillery, smoke and fighter-bombers in Valor & Victory."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable_models.valor.model import Sight
from tests.valor.scenes import after, apfp, bars, dice, field, foe, last, owed, place, unit

COMMAND: dict[str, Any] = {"phase": "Command"}
TARGET = foe("e", at="C1")


@pytest.mark.clause("V21.4")
def test_missions_are_of_the_command_phase() -> None:
    """They are resolved in it, and in no other phase."""
    assert bars(last(place(unit(), TARGET, **COMMAND), "barrage light C1")) == set()
    for phase in ("Fire", "AfterAction"):
        assert bars(last(place(unit(), TARGET, phase=phase), "barrage air C1")) == {"V21.4"}
    with pytest.raises(BadInputError, match="no unit of german"):
        last(place(TARGET, **COMMAND), "barrage air C1")


@pytest.mark.clause("V21.4b")
def test_artillery_scatters_straight_on() -> None:
    """By one hex or two, not three nor round a corner; a fighter-bomber by none."""
    position = place(unit(), TARGET, **COMMAND)
    for landed, broken in (
        ("C2", set()),
        ("C3", set()),
        ("C4", {"V21.4b"}),
        ("D2", set()),
        ("E2", set()),
        ("D3", {"V21.4b"}),
    ):
        assert bars(last(position, f"barrage heavy C1 landed={landed}")) == broken
    assert bars(last(position, "barrage air C1 landed=C2")) == {"V21.4b"}
    assert bars(last(position, "barrage air C1")) == set()


@pytest.mark.clause("V21.3")
def test_who_spots_for_artillery() -> None:
    """An unpinned unit of its side that sees the target; a fighter-bomber needs none."""
    blind = (Sight(a="C3", b="C1", blocked=True),)
    for ours, sights, broken in (
        ([unit()], (), set()), ([unit(pinned=True)], (), {"V21.3"}), ([unit()], blind, {"V21.3"}),
        ([unit(), unit("v", at="D3")], blind, set()),
    ):  # fmt: skip
        position = place(*ours, TARGET, sights=sights, **COMMAND)
        assert bars(last(position, "barrage light C1")) == broken
        assert bars(last(position, "barrage air C1")) == set()


@pytest.mark.clause("V21.5", "V14.6")
def test_what_missions_inflict() -> None:
    """29, 41 or 19 APFP against the hex's cover only, on all units there, friends too; AFVs suffer none."""
    wood = field(stated={"C1": {"terrain": "Stone Building"}})
    for kind, strength, points in (("light", 29, 4), ("heavy", 41, 5), ("air", 19, 3)):
        found = last(place(unit(), TARGET, board=wood, **COMMAND), f"barrage {kind} C1")
        assert (apfp(found), dice(found)) == (strength, 3)
        hit = after(
            place(unit(), TARGET, board=wood, **COMMAND), f"barrage {kind} C1", "settle fire:e 4"
        )
        assert owed(hit) == points
    own = place(unit(), unit("v", at="C2"), TARGET, **COMMAND)
    friends = after(own, "barrage light C1 landed=C2", "settle fire:v 10", "pin v")
    assert [friends.unit(name).pinned for name in "ve"] == [True, False]
    tank = place(unit(), foe("t", "m4a3e8", "C1", facing="N"), **COMMAND)
    assert after(tank, "barrage heavy C1").conditions.attack is None
    assert after(tank, "barrage heavy C1", "hit t eliminated").unit("t").at is None
    assert after(place(unit(), **COMMAND), "barrage heavy C1").pending == ()


@pytest.mark.clause("V12.64", "V12.64b")
def test_air_bursts_of_artillery() -> None:
    """Infantry in woods suffers double, not from the air; infantry and Guns together there are UNSUPPORTED."""
    woods = field(stated={"C1": {"terrain": "Woods"}})
    position = place(unit(), TARGET, board=woods, **COMMAND)
    assert owed(after(position, "barrage light C1", "settle fire:e 6")) == 2 * 3
    assert owed(after(position, "barrage air C1", "settle fire:e 6")) == 2
    mixed = place(unit(), TARGET, foe("g", "6-pounder", "C1", facing="N"), board=woods, **COMMAND)
    found = last(mixed, "barrage light C1")
    assert {one.clause for one in found.unsupported} == {"V12.64b"}
    assert not last(mixed, "barrage air C1").unsupported


@pytest.mark.clause("V21.7")
def test_smoke_of_artillery() -> None:
    """It lies where the mission came down, once, and attacks nothing; it needs a spotter as any artillery."""
    position = place(unit(), TARGET, **COMMAND)
    laid = after(position, "barrage smoke C1 landed=C2")
    assert ([(one.kind, one.at) for one in laid.counters], laid.pending) == ([("smoke2", "C2")], ())
    assert bars(last(laid, "barrage smoke C2")) == {"V21.7"}
    assert bars(last(laid, "barrage light C2")) == set()
    assert bars(last(place(unit(pinned=True), TARGET, **COMMAND), "barrage smoke C1")) == {"V21.3"}
