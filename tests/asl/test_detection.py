"""Concealment and movement."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.reach import reach
from tests.asl.boards import bars, crossing, foot, last, place, step, total, vehicle

FOE: dict[str, Any] = {"side": "russian", "at": "C1", "concealed": True}


@pytest.mark.clause("A12.15a")
def test_who_walks_into_a_concealed_enemy_is_sent_back() -> None:
    """He stays where he came from, his MF are spent, his MPh is over; a vehicle drives on."""
    found = step(others=(foot("e", **FOE),))
    unit = found.after.unit("u")
    assert (found.status, total(found)) == ("LEGAL", 1)
    assert (unit.at, unit.mph, unit.spent) == ("B1", "done", 2)
    assert [(o.id, o.clause, len(o.outcomes)) for o in found.obligations] == [
        ("detect:u", "A12.15a", 2)
    ]
    assert step("tr", others=(foot("e", **FOE),)).obligations == ()
    assert step(others=(foot("f", at="C1", concealed=True),)).after.unit("u").at == "C1"
    known = step(others=(foot("e", **FOE), foot("k", side="russian", at="C1")))
    assert (bars(known), known.obligations) == ({"A4.14"}, ())
    truck = vehicle("t", "gaz-mm", side="russian", at="C1")
    assert step(others=(truck, foot("e", **FOE))).after.unit("u").at == "B1"
    log = ("enter u C1", "settle detect:u shows", "enter u C2")
    assert bars(last(place(crossing(), foot(), foot("e", **FOE)), *log)) == {"A4.2a"}


@pytest.mark.clause("A12.15a")
def test_a_stack_is_sent_back_as_one() -> None:
    """All of it, and the DEFENDER is asked once."""
    position = place(crossing(), foot(), foot("l", "leader"), foot("e", **FOE))
    found = last(position, "enter u,l C1")
    assert [found.after.unit(name).at for name in ("u", "l")] == ["B1", "B1"]
    assert [o.id for o in found.obligations] == ["detect:u"]


@pytest.mark.clause("A12.15b", "A12.15c")
@pytest.mark.parametrize("reading", ["revealed", "momentarily"])
def test_a_defender_who_shows_nobody_loses_his_concealment(reading: str) -> None:
    """All his units there lose it, and none elsewhere; if he shows one only that one does, if it is read so."""
    there = foot("e", **FOE), foot("f", "leader", **FOE)
    elsewhere = foot("g", **{**FOE, "at": "C2"})
    units = (foot(), foot("own", concealed=True), *there, elsewhere)
    position = place(crossing(), *units, readings=(("A12.15c", reading),))

    def hidden(outcome: str) -> list[str]:
        after = last(position, "enter u C1", f"settle detect:u {outcome}").after
        return [unit.id for unit in after.units if unit.concealed]

    f = [] if reading == "revealed" else ["f"]
    assert hidden("shows:f") == ["own", "e", *f, "g"]
    assert hidden("loses") == ["own", "g"]
    alone = place(crossing(), foot(), there[0])
    assert not last(alone, "enter u C1", "settle detect:u shows").after.unit("e").concealed


@pytest.mark.clause("A12.15a")
def test_reach_stops_before_a_concealed_enemy() -> None:
    """His Location is not reached, and nothing is assumed about it."""
    found = reach(place(crossing(), foot(), foot("e", **FOE)), ["u"])[0]
    assert "C1" not in found.best()
    assert (found.assumed, found.unsupported) == ((), ())
    assert "C2" in found.best()


@pytest.mark.clause("A12.2")
def test_whether_a_concealed_mover_is_seen() -> None:
    """It keeps its concealment, and the answer says so; by the other reading it loses it."""
    for column in ("inf", "tr"):
        kept = step(column, concealed=True)
        assert (kept.after.unit("u").concealed, dict(kept.readings)) == (True, {"A12.2": "kept"})
        lost = step(column, concealed=True, scene={"readings": (("A12.2", "seen"),)})
        assert not lost.after.unit("u").concealed
    assert step().readings == ()
