"""Ground Snow for a Convoy, Fortifications for a Column, and late entry (E11.2l, .521c, .7c)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.state.records import replace
from marchtable_models.asl.model import UnitType
from tests.asl.boards import bars, cites, field, foot, last, paid, place, step, total, vehicle
from tests.asl.test_columns import column
from tests.asl.test_convoys import road


def snowed(*kinds: str, paved: bool = True, reading: str = "in-all") -> Any:
    """Return a Convoy of these kinds by a road north in Ground Snow."""
    line = [
        vehicle(f"t{n}", kind, at=f"A{3 + n}", facing="NNE", convoy="c", rank=n)
        for n, kind in enumerate(kinds, 1)
    ]
    return place(
        road(paved=paved), *line, stated={"ground_snow": True}, readings=(("E11.2l", reading),)
    )


@pytest.mark.clause("E11.2l")
@pytest.mark.parametrize(
    ("kinds", "reading", "cost"),
    [
        (("ft-40", "ht-40"), "in-all", 2),
        (("ft-40", "tr-40"), "in-all", 3),
        (("ac-40", "ft-40"), "in-all", 3),
        (("ft-40", "tr-40"), "besides", 4),
    ],
)
def test_road_rate_in_snow(kinds: tuple[str, ...], reading: str, cost: float) -> None:
    """One vehicle without tracks makes the least rate by road 3 MP each, with the extra MP or besides."""
    ruling = last(snowed(*kinds, reading=reading), "impulse t1 enter:A3,enter:A4")
    assert ruling.is_legal
    assert (total(ruling, "t1"), total(ruling, "t2")) == (cost, cost)
    assert paid(ruling, "E11.2l", "t1") == cost - 2
    used = dict(ruling.readings)
    assert used.get("E11.2l") == (reading if cost > 2 else None)


@pytest.mark.clause("E3.724b")
def test_snow_off_the_road_for_a_convoy() -> None:
    """Off the road a Convoy's trucks pay 1 MP more in Ground Snow, tracked vehicles do not."""
    ruling = last(snowed("ft-40", "tr-40", paved=False), "impulse t1 enter:A3,enter:A4")
    assert (paid(ruling, "E3.724b", "t1"), paid(ruling, "E3.724b", "t2")) == (0, 1)


@pytest.mark.clause("E11.521c", "B27.44")
def test_no_fortification_for_a_column() -> None:
    """A Column unit cannot go beneath a Fortification counter; no unit can where there is none."""
    position = column(4, 5)
    assert bars(last(position, "impulse u1 beneath:A3,enter:A4")) == {"E11.521c"}
    assert last(position, "impulse u1 enter:A3,enter:A4").is_legal
    alone = last(place(road(), foot("u", at="A4")), "enter u A3 beneath=true")
    assert (bars(alone), cites(alone)) == ({"B27.44"}, set())


def waiting(turn: int, **fields: Any) -> Any:
    """Return a squad due to enter in turn 2, in another turn."""
    found = {"entering": ("A8",), "entry_turn": 2, **fields}
    return place(field({"A7": {}, "A8": {}}), foot("u", at=None, **found), turn=turn)


@pytest.mark.clause("A2.5b")
@pytest.mark.parametrize(("turn", "legal"), [(1, False), (2, True), (3, False)])
def test_too_early_or_late(turn: int, *, legal: bool) -> None:
    """A unit enters in its stated turn, not before or later."""
    assert (bars(last(waiting(turn), "enter u A8")) == set()) is legal
    assert last(waiting(turn, entry_turn=0), "enter u A8").is_legal


@pytest.mark.clause("A2.5b", "E11.7a")
@pytest.mark.parametrize(("turn", "kind", "bar"), [
    (1, "convoy", {"A2.5b"}), (3, "convoy", set()), (3, "platoon", {"A2.5b"}),
])  # fmt: skip
def test_an_early_or_late_line(turn: int, kind: str, bar: set[str]) -> None:
    """A Convoy can enter later than stated, not before; a platoon of AFV neither."""
    found: dict[str, Any] = {"entering": ("A8",), "entry_turn": 2, kind: "c"}
    line = [vehicle(f"t{n}", "ft-12", at=None, facing="NNE", rank=n, **found) for n in (1, 2)]
    position = place(field({"A7": {}, "A8": {}}), *line, turn=turn)
    assert bars(last(position, "impulse t1 enter:A8,stay")) == bar


@pytest.mark.clause("E11.7c", "E11.7a")
def test_late_after_disbanding() -> None:
    """Off-board units of a Column can enter late while it lasts, and after it has disbanded."""
    units = [
        foot(f"u{n}", at=at, entering=() if at else ("A8",), column="k", rank=n, entry_turn=2)
        for n, at in ((1, "A7"), (2, "A8"), (3, None))
    ]
    position = place(field({f"A{n}": {} for n in range(5, 9)}), *units, turn=3)
    assert last(position, "impulse u1 enter:A6,enter:A7,enter:A8").is_legal
    apart = last(position, "result u1 attacked").after
    assert [unit.offboard.late for unit in apart.units] == [False, False, True]
    set_up = replace(apart.unit("u3"), entering=("A8",), mph="unmoved")
    later = msgspec.structs.replace(apart.with_units([set_up]), turn=4)
    assert last(later, "enter u3 A8").is_legal
    never = replace(set_up, late=False)
    assert bars(last(later.with_units([never]), "enter u3 A8")) == {"A2.5b"}


@pytest.mark.clause("D12.5")
def test_sledges() -> None:
    """A sledge pays nothing more in snow; a wagon does."""
    kinds = [
        UnitType(name=name, class_="wagon", column="hd", mp=8, sledge=name == "sledge")
        for name in ("sledge", "cart")
    ]
    for snow, more in (("ground_snow", 1), ("deep_snow", 2)):
        found: dict[str, Any] = {"types": tuple(kinds), "stated": {snow: True}}
        assert total(step("hd", kind="sledge", scene=found)) == 1
        assert total(step("hd", kind="cart", scene=found)) == 1 + more
    dry: dict[str, Any] = {"types": tuple(kinds)}
    assert total(step("hd", kind="sledge", scene=dry)) == 1
