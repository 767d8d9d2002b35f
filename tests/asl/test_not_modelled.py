"""An unmodelled rule makes a step UNSUPPORTED, not ILLEGAL for a prohibition that may not apply."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.state.position import Counter
from tests.asl.boards import bars, cites, crossing, foot, judge, last, place, step, vehicle
from tests.asl.test_mounts import cavalry
from tests.asl.test_platoons import PLAIN, tank

ROOMY: dict[str, Any] = {"terrain": "Woods", "clear": (17,) * 6}


def ruled(position: Any, *log: str) -> Any:
    """Return the ruling on the last line."""
    return judge(position, *log).rulings[-1]


@pytest.mark.clause("C10.3")
def test_a_gun_is_pushed_by_whoever_walked_to_it() -> None:
    """A crew, moved or not, that pushes a Gun is UNSUPPORTED; a squad and a tank are no stack."""
    gun = foot("g", "gun-75-rcl")
    walked = foot("c", "crew", mph="moving", spent=2, used=2, previous="A1")
    for crew in (walked, foot("c", "crew")):
        found = ruled(place(crossing(), crew, gun), "enter c,g C1")
        assert (found.status, bars(found)) == ("UNSUPPORTED", set())
    two = place(crossing(), vehicle("t", "ft-12"), vehicle("v", "ft-12"))
    assert bars(ruled(two, "enter t,v C1")) == {"A4.2b"}


@pytest.mark.clause("D14.33", "D9.31d")
def test_armored_assault_in_odd_ways() -> None:
    """With a platoon, at night or in Bypass it is UNSUPPORTED; by day with one tank LEGAL."""
    squad, alone = foot("s"), vehicle("t", "ft-12")
    platoon = place(PLAIN, tank("t1", "A4"), tank("t2", "A5"), foot("s", at="A4"))
    for position, line in (
        (platoon, "enter t1,s A3"),
        (
            place(crossing(), vehicle("t", "ft-12", guide="t"), foot("s", guide="t"), nvr=3),
            "enter t,s C1",
        ),
        (place(crossing(there=ROOMY), alone, squad), "bypass t,s C1"),
    ):
        assert (ruled(position, line).status, bars(ruled(position, line))) == ("UNSUPPORTED", set())
    assert ruled(place(crossing(), alone, squad), "enter t,s C1").is_legal


@pytest.mark.clause("x-road", "A2.5e", "A2.6d")
def test_what_the_map_or_the_edge_leaves_open() -> None:
    """An unknown road may guide a unit at night; entering or leaving the map in Bypass is UNSUPPORTED."""
    strange = step(hexside={"road": "Alley"}, scene={"nvr": 3})
    assert (strange.status, "x-road" in cites(strange)) == ("UNSUPPORTED", True)
    assert bars(step(scene={"nvr": 3})) == {"E1.53a"}
    comes = place(crossing(there=ROOMY), foot("s", at=None, entering=("C1",)))
    assert ruled(comes, "bypass s C1 vertex=NNE").status == "UNSUPPORTED"
    found: Any = {"at": "C1", "bypass": 0, "previous": "B1", "mph": "moving", "spent": 2, "used": 2}
    tank_ = vehicle("s", "ft-12", facing="NNE", **found)
    assert ruled(place(crossing(there=ROOMY), tank_), "exit s").status == "UNSUPPORTED"


@pytest.mark.clause("B2.4", "B2-among")
def test_shellholes_in_a_gully() -> None:
    """2 MF, plus 1 for their cover, which Cavalry always pays; in woods UNSUPPORTED."""
    gully: Any = {"there": {"terrain": "Gully", "depression": "Gully"}}
    strewn: Any = {"counters": (Counter(kind="shellholes", at="C1"),)}
    found = {
        line: step("inf", line, scene=strewn, **gully).receipts[0].amount / 2
        for line in ("enter u C1", "enter u C1 half=true")
    }
    assert found == {"enter u C1": 2, "enter u C1 half=true": 3}
    assert step("cav", scene=strewn, **gully).receipts[0].amount == 2 * 3
    assert bars(step("inf", "enter u C1 half=true", **gully)) == {"B13.42"}
    woods = step("inf", "enter u C1 half=true", there={"terrain": "Woods"}, scene=strewn)
    assert (woods.status, bars(woods)) == ("UNSUPPORTED", set())


@pytest.mark.clause("A4.61b")
def test_no_assault_into_marsh() -> None:
    """Marsh takes all MF, so Assault Movement cannot enter it; by road, or without it, a squad can."""
    marsh: Any = {"there": {"terrain": "Marsh"}}
    assert bars(step("inf", assault=True, **marsh)) >= {"A4.61b"}
    assert step("inf", **marsh).is_legal
    assert step("inf", assault=True, hexside={"road": "Dirt Road"}, **marsh).is_legal
    assert step("inf", assault=True, there={"terrain": "Woods"}).is_legal


@pytest.mark.clause("A4.71")
def test_an_advance_onto_an_enemy_tank() -> None:
    """It needs a task check, which is UNSUPPORTED; onto an enemy squad, or in the MPh, it is not cited."""
    theirs: Any = {"side": "russian", "at": "C1"}
    tank_, squad = vehicle("e", "ft-12", **theirs), foot("e", **theirs)
    aph: Any = {"scene": {"phase": "APh"}}
    assert cites(step("inf", "advance u C1", others=(tank_,), **aph)) == {"A4.71"}
    assert cites(step("inf", "advance u C1", others=(squad,), **aph)) == set()
    assert "A4.71" not in cites(step("inf", others=(tank_,)))


@pytest.mark.clause("A24.7")
def test_smoke_over_an_abrupt_change() -> None:
    """Up two levels Infantry pays 2 x 1 + 2 + 1 for SMOKE; up one, 2 x (1 + 1)."""
    smoke: Any = {"scene": {"smoke": ("C1",)}}
    two = step("inf", kind="leader", there={"level": 2}, **smoke)
    assert two.receipts[0].amount == 2 * (2 + 2 + 1)
    assert step("inf", kind="leader", there={"level": 1}, **smoke).receipts[0].amount == 2 * 4


@pytest.mark.clause("B19.4a", "B20.4")
def test_debris_in_a_depression() -> None:
    """It adds its own cost to the gully's or stream's; in the open it is the terrain entered."""
    debris: Any = {"counters": (Counter(kind="debris", at="C1"),)}

    def cost(name: str, column: str = "inf", **fields: Any) -> float:
        there = {"terrain": name, "depression": name if name != "Open Ground" else None}
        found = step(column, there=there, scene=debris, **fields)
        return found.receipts[0].amount / 2

    names = ("Gully", "Dry Stream", "Shallow Stream", "Deep Stream", "Open Ground")
    assert [cost(name) for name in names] == [4, 4, 5, 6, 2]
    assert cost("Gully", "ft", kind="ft-12") == 2 + 3


@pytest.mark.clause("A4.71")
def test_which_units_take_no_check_to_advance_onto_a_tank() -> None:
    """A SMC takes none, nor does any unit onto a concealed or abandoned tank."""
    theirs: Any = {"side": "russian", "at": "C1"}
    aph: Any = {"scene": {"phase": "APh"}}

    def cited(tank_: Any, **fields: Any) -> set[str]:
        return cites(step("inf", "advance u C1", others=(tank_,), **aph, **fields))

    assert cited(vehicle("e", "ft-12", **theirs), kind="leader") == set()
    assert cited(vehicle("e", "ft-12", concealed=True, **theirs)) == set()
    assert cited(vehicle("e", "ft-12", abandoned=True, moving=False, **theirs)) == set()
    assert cited(vehicle("e", "tr-12", **theirs)) == set()


@pytest.mark.clause("A13.6")
def test_a_charge_is_not_modelled() -> None:
    """Galloping Cavalry may charge a Known enemy; at a walk, or on foot, it cannot."""
    foe = foot("e", side="russian", at="C1")
    rides = last(place(crossing(), cavalry(), foe), "gallop u", "enter u C1")
    assert (rides.status, cites(rides)) == ("UNSUPPORTED", {"A13.6", "A4.14"})
    walks = last(place(crossing(), cavalry(), foe), "enter u C1")
    assert (bars(walks), cites(walks)) == ({"A4.14"}, set())
    assert last(place(crossing(), cavalry()), "gallop u", "enter u C1").is_legal
    assert bars(step(others=(foe,))) == {"A4.14"}
