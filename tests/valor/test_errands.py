"""Leaving the map, smoke, transferred weapons and stated hits in Valor & Victory."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable_models.valor.rules.leaving import Exit
from tests.valor.scenes import VALOR, after, bars, dice, foe, last, place, unit

MOVE: dict[str, Any] = {"phase": "Movement"}
COMMAND: dict[str, Any] = {"phase": "Command"}
GUN: dict[str, Any] = {"type_": "6-pounder", "facing": "N"}


@pytest.mark.clause("V6.10b")
def test_leaving_the_map() -> None:
    """From an edge hex, as a stack too, with a vehicle's load, and for good; it takes an MP, or none (A29)."""
    pair = place(unit(at="C1"), unit("l", "leader", "C1"), **MOVE)
    out = after(pair, "exit u,l")
    assert [out.unit(name).at for name in "ul"] == [None, None]
    assert bars(last(pair, "exit u,l", "enter u C1")) == {"V6.10a"}
    assert bars(last(place(unit(), **MOVE), "exit u")) == {"V6.10b"}
    assert bars(last(place(unit(at="C1"), phase="AdvanceAndAssault"), "exit u")) == {"V5.33"}
    spent: dict[str, Any] = {"at": "C1", "spent": 8, "moved": True, "moving": True}
    assert bars(last(place(unit(**spent), **MOVE), "exit u")) == {"V6.3"}
    assert bars(last(place(unit(**spent), readings={"A29": "nothing"}, **MOVE), "exit u")) == set()
    truck = place(
        unit("t", "3-ton-truck", "C1", facing="N"), unit("p", at="C1", aboard="t"), **MOVE
    )
    assert after(truck, "exit t").unit("p").at is None
    assert bars(last(truck, "exit p")) == {"V8.3"}
    assert bars(last(truck, "exit t,p")) == {"V8.3"}
    with pytest.raises(BadInputError, match="at least one"):
        VALOR.rule(pair, Exit(()))


@pytest.mark.clause("V7.2")
def test_which_way_a_vehicle_leaves() -> None:
    """Ahead, or in reverse for twice the MP; not sideways."""
    found = [
        last(place(unit("t", "3-ton-truck", "C1", facing=way), **MOVE), "exit t")
        for way in ("N", "S", "SE")
    ]
    assert [sum(r.amount for r in one.receipts) / 2 for one in found[:2]] == [1, 2]
    assert bars(found[2]) == {"V7.2"}


@pytest.mark.clause("V11.1", "V11.2")
def test_infantry_lays_smoke() -> None:
    """In its own or the next hex before it moves, once, where there is none; it thins out after the action."""
    position = place(unit(), foe("e", at="C1"), **MOVE)
    laid = after(position, "smoke u C2")
    assert [(one.kind, one.at) for one in laid.counters] == [("smoke1", "C2")]
    assert bars(last(laid, "enter u C2")) == bars(last(position, "smoke u C3")) == set()
    assert bars(last(position, "smoke u C1")) == {"V11.2"}
    assert bars(last(position, "enter u C2", "smoke u C3")) == {"V11.2"}
    assert bars(last(position, "smoke u C2", "smoke u C3")) == {"V11.2"}
    assert bars(last(position, "smoke e C1")) == {"V11.2"}
    two = place(unit(), unit("v"), counters={"smoke2": "C2"}, **MOVE)
    assert bars(last(two, "smoke u C2")) == {"V11.1"}
    assert bars(last(place(unit(pinned=True), **MOVE), "smoke u C2")) == {"V14.7a"}
    assert bars(last(place(unit(**GUN), **MOVE), "smoke u C2")) == {"V11.2"}
    later = after(laid, "phase DefensiveFire", "phase AdvanceAndAssault", "phase AfterAction")
    assert later.counters == ()


@pytest.mark.clause("V11.3")
def test_smoke_rounds() -> None:
    """A Gun, a tank's Gun or a mortar places Smoke 2 where it could fire, instead of its attack."""
    gun = place(unit(**GUN), foe("e", at="C1"))
    laid = after(gun, "smoke u C2")
    assert [(one.kind, one.at) for one in laid.counters] == [("smoke2", "C2")]
    assert bars(last(laid, "fire u C1")) == {"V14.4c"}
    assert bars(last(place(unit("u", "6-pounder", facing="S")), "smoke u C2")) == {"V14.4d"}
    assert bars(last(place(unit("u", "m4a3e8", facing="S")), "smoke u C2")) == set()
    mortar = unit(sw=("5cm-mortar",))
    assert bars(last(place(mortar), "smoke u C1")) == set()
    assert bars(last(place(mortar), "smoke u C2")) == {"V13.3b"}
    assert bars(last(place(unit()), "smoke u C1")) == {"V11.3"}
    assert bars(last(place(mortar, phase="DefensiveFire"), "smoke u C1")) >= {"V11.3"}
    thin = after(laid, "phase AfterAction")
    assert [one.kind for one in thin.counters] == ["smoke1"]
    assert (
        dice(last(after(place(unit(), foe("e", at="C1"), **MOVE), "smoke u C2"), "fire e C3")) == -1
    )


@pytest.mark.clause("V12.4")
def test_weapons_are_handed_on() -> None:
    """In the Command Phase, within a hex, or exchanged; afterwards no unit carries more than allowed."""
    mg: dict[str, Any] = {"sw": ("mg34",)}
    position = place(unit(**mg), unit("v"), unit("w", at="C2"), foe("e", at="C3"), **COMMAND)
    given = after(position, "give u v mg34")
    assert [given.unit(name).sw for name in "uv"] == [(), ("mg34",)]
    assert bars(last(position, "give u w mg34")) == {"V12.4"}
    assert bars(last(position, "give v u mg34")) == {"V12.4"}
    assert bars(last(position, "give u u mg34")) == {"V12.4"}
    assert bars(last(place(unit(**mg), unit("v"), **MOVE), "give u v mg34")) == {"V12.4"}
    heavy = place(unit(**mg), unit("v", sw=("hmg",)), unit("l", "leader"), **COMMAND)
    assert bars(last(heavy, "give u v mg34")) == {"V12.2c"}
    both = after(heavy, "give u v mg34 back=hmg")
    assert [both.unit(name).sw for name in "uv"] == [("hmg",), ("mg34",)]
    assert bars(last(heavy, "give v l hmg")) == {"V12.2c"}
    truck = place(unit(**mg), unit("t", "3-ton-truck", facing="N"), **COMMAND)
    assert bars(last(truck, "give u t mg34")) == {"V12.4"}


@pytest.mark.clause("V18.4", "V18.6a", "V18.6b")
def test_hits_are_stated() -> None:
    """Anti-tank fire is taken as stated: lost with all aboard, or immobile, if the crew stays; who fired has attacked."""
    tank, rider = foe("t", "m4a3e8", "C1", facing="S"), foe("p", at="C1", aboard="t")
    position = place(unit("g", **GUN), tank, rider, foe("e", at="C1"))
    lost = after(position, "hit t eliminated by=g")
    assert [lost.unit(name).at for name in "tp"] == [None, None]
    assert bars(last(lost, "fire g C1")) == {"V14.4c"}
    assert bars(last(position, "hit e eliminated")) == {"V18.4"}
    assert bars(last(place(foe("k", "3-ton-truck", facing="S")), "hit k immobilized")) == {"V18.4"}
    assert bars(last(lost, "hit t eliminated")) == {"V18.4"}
    spent = place(unit("g", fired=True, **GUN), tank)
    assert bars(last(spent, "hit t eliminated by=g")) == {"V14.4c"}
    (due,) = last(position, "hit t immobilized").obligations
    assert [(one.outcome, one.chance) for one in due.outcomes] == [("stays", 4), ("abandoned", 2)]
    left = after(position, "hit t immobilized", "settle abandon:t abandoned")
    assert [left.unit(name).at for name in "tp"] == [None, None]
    stuck = place(foe("t", "m4a3e8", at="C3", facing="S", immobile=True), side="american", **MOVE)
    assert bars(last(stuck, "enter t C4")) == bars(last(stuck, "turn t SE")) == {"V18.6a"}
    assert after(position, "hit t immobilized", "settle abandon:t stays").unit("t").immobile
