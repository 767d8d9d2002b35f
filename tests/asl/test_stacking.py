"""Overstacking, and Locations that hold an enemy."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.state.records import replace
from marchtable_models.asl.model import UnitType
from tests.asl.boards import bars, crossing, foot, last, paid, place, step, total, vehicle


def crowd(
    squads: int = 0, half_squads: int = 0, smc: int = 0, crews: int = 0, **fields: Any
) -> tuple[Any, ...]:
    """Return units that stand in C1."""
    kinds = ["squad"] * squads + ["half-squad"] * half_squads + ["leader"] * smc + ["crew"] * crews
    return tuple(foot(f"x{number}", kind, at="C1", **fields) for number, kind in enumerate(kinds))


@pytest.mark.clause("A5.11a")
def test_each_squad_too_many_costs_infantry_1() -> None:
    """3 squads and 4 SMC, the mover counted, cost nothing extra; each further squad, or part, 1 MF."""
    for there, extra in (
        (crowd(squads=2), 0), (crowd(squads=3), 1), (crowd(squads=4), 2),
        (crowd(squads=1, half_squads=2), 0), (crowd(squads=2, half_squads=1), 1),
        (crowd(squads=1, half_squads=1, crews=1), 0), (crowd(squads=1, half_squads=2, crews=1), 1),
        (crowd(squads=2, smc=4), 0), (crowd(squads=2, smc=5), 1), (crowd(squads=3, smc=5), 2),
        (crowd(squads=3, side="russian", concealed=True), 0),
    ):  # fmt: skip
        assert (paid(step(others=there), "A5.11a"), total(step(others=there))) == (extra, 1 + extra)
    assert step(others=crowd(squads=3), left=2).status == "LEGAL"
    assert bars(step(others=crowd(squads=3), left=1.5)) == {"A4.11b"}
    assert total(step(others=crowd(squads=4), kind="leader")) == 2
    assert total(step(others=(*crowd(squads=3), vehicle("t", at="C1")))) == 2


@pytest.mark.clause("A5.11a")
def test_a_stack_counts_all_its_members() -> None:
    """Two squads that enter where two stand pay 1 MF more each; squads left behind do not count."""
    pair = (foot("u"), foot("v"))
    ruling = last(place(crossing(), *pair, *crowd(squads=2)), "enter u,v C1")
    assert [paid(ruling, "A5.11a", unit) for unit in ("u", "v")] == [1, 1]
    assert paid(last(place(crossing(), *pair, *crowd(squads=1)), "enter u,v C1"), "A5.11a") == 0
    assert paid(last(place(crossing(), *pair, *crowd(squads=2)), "enter u C1"), "A5.11a") == 0


@pytest.mark.clause("A5.11a")
def test_a_crew_with_a_gun_counts_as_a_squad() -> None:
    """A squad and a half, a newcomer and a crew are just enough, with a Gun for it too many."""
    gun = UnitType(name="gun", class_="gun", mm=75, m_number=11)
    found: dict[str, Any] = {"scene": {"types": (gun,)}}
    there = crowd(squads=1, half_squads=1, crews=1)
    assert paid(step(others=(*there, foot("g", "gun", "C1")), **found), "A5.11a") == 1
    assert paid(step(others=there), "A5.11a") == 0
    lone = (*crowd(squads=2), foot("g", "gun", "C1"))
    assert paid(step(others=lone, **found), "A5.11a") == 0


@pytest.mark.clause("A5.11a")
@pytest.mark.parametrize("kind", ["crew", "half-squad"])
def test_a_unit_that_pushes_a_gun_counts_as_a_squad_with_it(kind: str) -> None:
    """A crew or half squad with its Gun makes half a squad too many; without it, none."""
    gun = UnitType(name="gun", class_="gun", mm=75, m_number=12, qsu=True)
    there = (*crowd(squads=2), foot("h", "half-squad", "C1"))
    position = place(crossing(), foot("u", kind), foot("g", "gun"), *there, types=(gun,))
    pushed = last(position, "push u g C1")
    assert (pushed.status, paid(pushed, "A5.11a")) == ("LEGAL", 1)
    assert paid(last(position, "enter u C1"), "A5.11a") == 0


@pytest.mark.clause("A5.11b")
def test_each_squad_too_many_costs_vehicles_1() -> None:
    """3 squads and 4 SMC cost a vehicle nothing, each further squad or part 1 MP; enemies nothing."""
    for there, extra in (
        (crowd(squads=3, smc=4), 0), (crowd(squads=3, half_squads=1), 1), (crowd(squads=4), 1),
        (crowd(squads=5), 2), (crowd(squads=3, smc=5), 1), (crowd(squads=4, side="russian"), 0),
    ):  # fmt: skip
        for column, cost in (("ft", 1), ("ht", 1), ("tr", 4)):
            ruling = step(column, others=there, left=cost + extra)
            assert (paid(ruling, "A5.11b"), total(ruling)) == (extra, cost + extra)
            assert ruling.status == "LEGAL"
            assert bars(step(column, others=there, left=cost + extra - 0.5)) == {"D2.1b"}


def on(*others: Any, unit: Any = None, by: str = "enter u C1", **scene: Any) -> Any:
    """Return the ruling on entry at C1 by a squad, or another unit, where these stand."""
    mover = unit or foot(at=None, entering=("C1",))
    return last(place(crossing(), mover, *others, **scene), by)


@pytest.mark.clause("A5.11a", "A5.11b", "D2.14")
def test_coming_on_where_too_many_stand_costs_more() -> None:
    """From off the map it is as inside it: 1 MF or MP for each squad too many, 1 MP for each vehicle."""
    for there, extra in (
        (crowd(squads=2), 0), (crowd(squads=3), 1), (crowd(squads=4), 2), (crowd(squads=2, smc=5), 1),
        (crowd(squads=3, side="russian", concealed=True), 0),
    ):  # fmt: skip
        ruling = on(*there)
        assert (ruling.is_legal, paid(ruling, "A5.11a"), total(ruling)) == (True, extra, 1 + extra)
    ldr = foot(kind="leader", at=None, entering=("C1",))
    assert paid(on(*crowd(squads=4), unit=ldr), "A5.11a") == 1
    pair = [foot(name, at=None, entering=("C1",)) for name in "uv"]
    both = last(place(crossing(), *pair, *crowd(squads=2)), "enter u,v C1")
    assert [paid(both, "A5.11a", name) for name in "uv"] == [1, 1]
    assert bars(on(*crowd(squads=7))) == {"A4.11b"}
    assert on(*crowd(squads=7), by="minimum u C1").is_legal
    truck = vehicle(facing="SSE", at=None, entering=("C1",))
    for others, cost in (
        ((), 4), (crowd(squads=5), 6), ((vehicle("t", at="C1"),), 5),
        ((vehicle("t", at="C1"), foot("w", "wreck", "C1", side="russian")), 6),
        ((vehicle("t", at="C1"), *crowd(squads=4)), 6),
    ):  # fmt: skip
        ruling = on(*others, unit=truck)
        assert (ruling.status, total(ruling)) == ("LEGAL", cost)


@pytest.mark.clause("A5.11a")
def test_horsemen_and_guns_come_on_where_too_many_stand() -> None:
    """Cavalry pays as a squad; a Gun in tow and its crew aboard do not count for stacking."""
    cavalry = foot(kind="cavalry", at=None, entering=("C1",))
    assert paid(on(*crowd(squads=3), unit=cavalry), "A5.11a") == 1
    gun = UnitType(name="gun", class_="gun", mm=75, m_number=8)
    tows = vehicle(facing="SSE", at=None, entering=("C1",), towing="g")
    aboard = (foot("g", "gun", None, towed_by="u"), foot("k", "crew", None, aboard="u"))
    ruling = on(*crowd(squads=3), *aboard, unit=tows, types=(gun,))
    assert (ruling.status, paid(ruling, "A5.11b")) == ("LEGAL", 0)
    assert paid(on(*crowd(squads=4), *aboard, unit=tows, types=(gun,)), "A5.11b") == 1


@pytest.mark.clause("A5.1")
def test_no_stack_is_set_up_overstacked_off_the_map() -> None:
    """Four squads cannot enter as one stack, three can, or four in turn; so with five SMC and three squads."""
    four = [foot(name, at=None, entering=("C1",)) for name in "uvwx"]
    position = place(crossing(), *four)
    found = last(position, "enter u,v,w,x C1")
    assert (bars(found), found.violations[0].need, found.violations[0].have) == ({"A5.1"}, 3, 4)
    assert last(position, "enter u,v,w C1").is_legal
    assert last(position, "enter u,v,w C1", "enter x C1").is_legal
    moved = place(crossing(), *[replace(one, spent=2, used=2, mph="moving") for one in four])
    assert "A5.1" not in bars(last(moved, "enter u,v,w,x C1"))
    leaders = [foot(name, "leader", None, entering=("C1",)) for name in "abcde"]
    many = place(crossing(), *four[:3], *leaders)
    assert bars(last(many, "enter u,v,w,a,b,c,d,e C1")) == {"A5.1"}
    assert last(many, "enter u,v,w,a,b,c,d C1").is_legal
    inside = place(crossing(), *[foot(name) for name in "uvwx"])
    assert last(inside, "enter u,v,w,x C1").is_legal


@pytest.mark.clause("A4.14")
def test_infantry_does_not_enter_a_known_enemys_location() -> None:
    """A Known enemy bars Infantry; an unarmed truck alone, a wreck, or an enemy behind does not."""

    def enemy(*units: Any, column: str = "inf") -> set[str]:
        return bars(step(column, others=units))

    squad = foot("e", side="russian", at="C1")
    truck = vehicle("t", "gaz-mm", side="russian", at="C1")
    assert enemy(squad) == enemy(squad, truck) == {"A4.14"}
    assert enemy(foot("e", side="russian", at="C1", broken=True)) == {"A4.14"}
    assert enemy(vehicle("e", "t-26-m33", side="russian", at="C1")) == {"A4.14"}
    assert enemy(squad, foot("f", side="russian", at="C1", concealed=True)) == {"A4.14"}
    assert enemy(truck) == enemy(foot("w", "wreck", side="russian", at="C1")) == set()
    assert dict(step(others=(truck,)).exceptions).keys() == {"A4.14"}
    assert enemy(foot("e", side="russian", at="C2")) == enemy(foot("e", at="C1")) == set()
    assert enemy(squad, column="tr") == set()


@pytest.mark.clause("A4.14")
@pytest.mark.parametrize(("reading", "barred"), [("nobody", set()), ("keeps-out", {"A4.14"})])
def test_weapons_without_crew(reading: str, barred: set[str]) -> None:
    """An unmanned Gun or abandoned AFV keeps no unit out, or does; a crew or its AFV always does."""
    found = {"readings": (("A4.14", reading),)}
    enemies = {"at": "C1", "side": "russian"}
    gun = foot("m", "gun-75-rcl", **enemies)
    tank = vehicle("m", "t-26-m33", moving=False, abandoned=True, **enemies)
    for other in (gun, tank):
        assert bars(step(others=(other,), scene=found)) == barred
    manned = (gun, foot("k", "crew", **enemies))
    assert bars(step(others=manned, scene=found)) == {"A4.14"}
    crewed = vehicle("m", "t-26-m33", moving=False, **enemies)
    assert bars(step(others=(crewed,), scene=found)) == {"A4.14"}
