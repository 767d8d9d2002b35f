"""Known enemies of a line, and the Convoy that an attack or loss concerns."""

from __future__ import annotations

from typing import Any

import pytest

from tests.asl.boards import bars, cites, foot, last, place, vehicle
from tests.asl.test_columns import column, names
from tests.asl.test_convoys import convoy, road
from tests.asl.test_gaps import after


@pytest.mark.clause("E11.53b")
def test_a_wreck_disbands_no_column() -> None:
    """A Column that sees an enemy wreck does not disband; a truck beside it does disband it."""
    others = (
        foot("w", "wreck", at="B9", side="russian"),
        vehicle("t", at="B9", side="russian", moving=False),
    )
    position = column(4, 5, others=others)
    assert names(after(position, "sight u1 of=w")) == {"u1", "u2"}
    assert names(after(position, "sight u1 of=w,t")) == set()


@pytest.mark.clause("E11.532a")
def test_a_wreck_disbands_no_column_after_an_attack() -> None:
    """Nor does a wreck that it sees when an attack on another unit is over."""
    victim = foot("x", at="B12")
    for kind, left in (("wreck", {"u1", "u2"}), ("squad", set())):
        seen = foot("e", kind, at="B9", side="russian")
        position = column(4, 5, others=(victim, seen), sees=("e",), scene={"phase": "DFPh"})
        assert names(after(position, "result x attacked")) == left


def tanks(*others: Any, **fields: Any) -> Any:
    """Return a Convoy of a radio AFV t1 and a truck t2, and other units near it."""
    line = (
        vehicle("t1", "ft-12", at="A4", facing="NNE", convoy="c", rank=1),
        vehicle("t2", at="A5", facing="NNE", convoy="c", rank=2),
    )
    return place(road(), *line, *others, **fields)


@pytest.mark.clause("E11.251c")
@pytest.mark.parametrize("name", ["", "d"])
def test_a_radio_afv_out_of_the_convoy_tells(name: str) -> None:
    """A radio AFV in no Convoy, or in another, that sees the attacked truck is a reason to leave."""
    fellow = vehicle("o2", "ft-12", at="B5", facing="NNE", convoy=name, rank=2)
    position = tanks(vehicle("o", "ft-12", at="B4", facing="NNE", convoy=name, rank=1), fellow)
    hit = after(position, "result t2 attacked")
    assert cites(last(hit, "leave t1")) == {"E11.251a"}
    assert last(hit, "sight o of=t2", "leave t1").is_legal


@pytest.mark.clause("E11.251c")
def test_what_befalls_another_convoy_is_no_reason() -> None:
    """Attacks on another Convoy, seen by its own radio AFV, concern only that Convoy."""
    line = [vehicle(f"o{n}", "ft-12", at=f"B{n}", facing="NNE", convoy="d", rank=n) for n in (4, 5)]
    position = after(tanks(*line), "result o5 attacked", "sight o4 of=o5")
    assert bars(last(position, "leave t1")) == {"E11.251a"}
    assert last(position, "leave o4").is_legal


@pytest.mark.clause("E11.25b")
def test_a_leaver_holds_up_another_convoy() -> None:
    """A vehicle that left a Convoy moves at once: neither that Convoy nor another goes on before."""
    other = [vehicle(f"a{n}", at=f"B{n}", facing="NNE", convoy="d", rank=n) for n in (7, 8)]
    enemy = foot("e", at="A1", side="russian")
    start = convoy(4, 5, 6, others=(*other, enemy))
    position = after(start, "sight t3 of=e", "leave t3")
    assert bars(last(position, "impulse t1 turn:E")) == {"E11.25b"}
    assert bars(last(position, "impulse a7 turn:E")) == {"E11.25b"}
    assert last(position, "stop t3", "end t3", "impulse t1 turn:E").is_legal


@pytest.mark.clause("E11.255c")
def test_fire_at_another_convoy() -> None:
    """While a vehicle that left spends MP, its Convoy cannot be fired at, but another can."""
    other = [vehicle(f"a{n}", at=f"B{n}", facing="NNE", convoy="d", rank=n) for n in (7, 8)]
    position = after(
        convoy(4, 5, 6, others=tuple(other)), "result t1 attacked", "leave t1", "enter t1 A3"
    )
    assert bars(last(position, "result t2 attacked")) == {"E11.255c"}
    assert last(position, "result a7 attacked").is_legal
