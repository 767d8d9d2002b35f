"""Convoys: Impulses, what their vehicles pay, and the line they keep (E11.2, D14.31)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.files.notation import format_action
from marchtable.files.scenes import load
from marchtable.rules.generator import legal_actions
from marchtable.state.records import replace
from marchtable_models.asl import data
from tests.asl.boards import bars, field, last, paid, place, total, vehicle

if TYPE_CHECKING:
    from marchtable.rules.ruling import Ruling
    from marchtable.state.position import Position


def road(*, paved: bool = True) -> Any:
    """Return a board with a road (or none) north to south along column A."""
    hexes: dict[str, Any] = {f"A{row}": {} for row in range(1, 9)} | {
        f"B{row}": {} for row in range(1, 9)
    }
    sides: Any = (
        {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, 8)} if paved else {}
    )
    return field(hexes, sides)


def convoy(*rows: int, paved: bool = True, **scene: Any) -> Position[Any, Any]:
    """Return trucks t1, t2 ... of one Convoy in these rows of column A, front first, facing north."""
    trucks = [
        vehicle(f"t{n}", at=f"A{row}", facing="NNE", convoy="c", rank=n)
        for n, row in enumerate(rows, 1)
    ]
    others = scene.pop("others", ())
    return place(road(paved=paved), *trucks, *others, **scene)


def impulse(position: Position[Any, Any], moves: str) -> Ruling:
    """Return the ruling on an Impulse of the Convoy."""
    return last(position, f"impulse t1 {moves}")


@pytest.mark.clause("E11.2b", "E11.2c")
def test_road_hex_costs_two() -> None:
    """By road a Convoy truck pays half a MP, half a MP for the least rate, and one more."""
    ruling = impulse(convoy(4, 5), "enter:A3,enter:A4")
    assert ruling.is_legal
    assert (paid(ruling, "E11.2b", "t1"), paid(ruling, "E11.2c", "t1")) == (1, 0.5)
    assert total(ruling, "t1") == total(ruling, "t2") == 2


@pytest.mark.clause("E11.2b")
def test_open_ground_costs_one_more() -> None:
    """Off the road there is no least rate: Open Ground costs a Convoy truck five."""
    assert total(impulse(convoy(4, 5, paved=False), "enter:A3,enter:A4"), "t1") == 5


@pytest.mark.clause("E11.23a")
@pytest.mark.parametrize(("paved", "cost"), [(True, 6), (False, 7)])
def test_wreck_ahead(*, paved: bool, cost: float) -> None:
    """A wreck counts twice for a Convoy truck: 2 + 2x2 by road, 5 + 1x2 off it."""
    wreck = vehicle("w", "wreck", at="A3", facing=None, moving=False)
    ruling = impulse(convoy(4, 5, paved=paved, others=(wreck,)), "enter:A3,enter:A4")
    assert total(ruling, "t1") == cost


@pytest.mark.clause("E11.23a", "E11.23c")
def test_convoy_vehicle_ahead() -> None:
    """A Convoy truck entering another Convoy vehicle's Open Ground hex pays 5 + 1x4."""
    other = vehicle("x1", at="A3", convoy="d", rank=1)
    ruling = impulse(convoy(4, 5, paved=False, others=(other,)), "enter:A3,enter:A4")
    assert total(ruling, "t1") == 9


@pytest.mark.clause("E11.23c")
def test_other_vehicles_pay_twice_for_a_convoys() -> None:
    """A vehicle in no Convoy pays double for a Convoy vehicle, once for any other."""
    for name, cost in (("c", 6), ("", 5)):
        other = vehicle("x", at="C1", convoy=name)
        board = field({"B1": {}, "C1": {}})
        assert total(last(place(board, vehicle(), other), "enter u C1")) == cost


@pytest.mark.clause("E11.2g")
def test_all_pay_the_largest() -> None:
    """A vehicle that stays, or pays less, is charged the largest expenditure too."""
    ruling = impulse(convoy(4, 5, 6), "turn:E,enter:A4,stay")
    assert [total(ruling, f"t{n}") for n in (1, 2, 3)] == [10, 10, 10]  # 2, and 2 x 4 for t1 there
    assert [paid(ruling, "E11.2g", f"t{n}") for n in (1, 2, 3)] == [9, 0, 10]


@pytest.mark.clause("E11.2h")
@pytest.mark.parametrize(("spent", "legal"), [(76, True), (77, False)])
def test_poorest_ends_it(*, spent: int, legal: bool) -> None:
    """No vehicle can spend more than any other member can pay, idle or not."""
    position = convoy(4, 5)
    poor = position.unit("t2")
    position = position.with_units([replace(poor, spent=spent, used=spent)])
    ruling = impulse(position, "enter:A3,enter:A4")
    assert ruling.is_legal is legal
    assert bars(ruling) == (set() if legal else {"E11.2h"})


@pytest.mark.clause("E11.2f")
def test_somebody_acts() -> None:
    """An Impulse in which no vehicle spends anything is none."""
    assert bars(impulse(convoy(4, 5), "stay,stay")) == {"E11.2f"}


@pytest.mark.clause("E11.2a")
def test_named_by_its_first_unit() -> None:
    """Only the first unit of a line names its Impulse, and only a line makes one."""
    position = convoy(4, 5)
    assert bars(last(position, "impulse t2 stay,enter:A4")) == {"E11.2a"}
    assert "E11.2a" in bars(last(place(road(), vehicle("t1", at="A4")), "impulse t1 -"))


@pytest.mark.clause("E11.2m")
def test_no_move_of_its_own() -> None:
    """A Convoy vehicle moves only by Impulses."""
    assert bars(last(convoy(4, 5), "enter t1 A3")) == {"E11.2m"}


@pytest.mark.clause("E11.2m", "D14.31")
@pytest.mark.parametrize(
    ("line", "bar"), [({"convoy": "c"}, "E11.2m"), ({"platoon": "p"}, "D14.31")]
)
def test_hatches_are_no_move(line: dict[str, str], bar: str) -> None:
    """A crew in line can button up or become CE; its AFV cannot turn by itself."""
    tanks = [
        vehicle(f"t{n}", "ft-40", at=f"A{3 + n}", facing="NNE", rank=n, **line) for n in (1, 2)
    ]
    position = place(road(), *tanks)
    assert last(position, "hatch t1 bu").is_legal
    assert bars(last(position, "turn t1 E")) == {bar}


@pytest.mark.clause("E11.2d")
def test_start_and_stop_in_one_impulse() -> None:
    """A later vehicle cannot start once one of the Convoy has stopped; before that it can."""
    position = convoy(4, 5)
    position = position.with_units([replace(position.unit("t2"), moving=False)])
    assert bars(impulse(position, "stop,start")) == {"E11.2d"}
    assert impulse(position, "stop,start first=t2").is_legal
    ahead = convoy(4, 5).with_units([replace(position.unit("t1"), moving=False)])
    assert impulse(ahead, "start,stop").is_legal
    assert bars(impulse(ahead, "start,stop first=t2")) == {"E11.2d"}


@pytest.mark.clause("E11.251a")
def test_no_gap() -> None:
    """A move that would leave a Gap behind needs a reason to leave."""
    assert bars(impulse(convoy(4, 5), "enter:A3")) == {"E11.251a"}
    assert impulse(convoy(4, 5), "stay,enter:A4").is_legal


@pytest.mark.clause("E11.22b")
def test_a_bridge_is_left_with_its_hex() -> None:
    """From a bridge it cannot turn about into the gully under it either: that is the same hex."""
    like: dict[str, Any] = {"moving": True, "convoy": "c", "mph": "moving", "spent": 10, "used": 10}
    first = vehicle("a", "opel-blitz", "L5", facing="NNW", rank=1, previous="K5:bridge", **like)
    other = vehicle("b", "opel-blitz", "K5:bridge", facing="E", rank=2, previous="J4", **like)
    board = load(data.FOLDER / "demo" / "scene.toml").board
    assert "E11.22b" in bars(last(place(board, first, other), "impulse a enter:K5,enter:L5"))


@pytest.mark.clause("E11.22b")
def test_not_straight_back() -> None:
    """A vehicle cannot return to the hex it just left, but can after a third one."""
    position = convoy(4, 5)
    there = impulse(position, "enter:A3,enter:A4").after
    assert there.unit("t2").move.previous == "A5"
    back = there.with_units([msgspec.structs.replace(there.unit("t2"), facing="SSE")])
    assert bars(impulse(back, "stay,enter:A5")) >= {"E11.22b"}
    by_third = replace(back.unit("t2"), previous="B5")
    assert "E11.22b" not in bars(impulse(back.with_units([by_third]), "stay,enter:A5"))


@pytest.mark.clause("E11.22b")
def test_straight_back_in_the_next_mph() -> None:
    """A hex left in one MPh can be entered again in the next."""
    ended = ("impulse t1 enter:A3,enter:A4", "impulse t1 stop,stop", "end t1", "phase DFPh",
             "phase RPh side=russian", "phase MPh side=german")  # fmt: skip
    there = last(convoy(4, 5), *ended).after
    back = there.with_units([replace(there.unit("t2"), facing="SSE", moving=True)])
    assert "E11.22b" not in bars(impulse(back, "stay,enter:A5"))


@pytest.mark.clause("E11.2f")
def test_moves_are_offered_one_by_one() -> None:
    """The generator opens an Impulse with the lead's moves and offers those that can still be completed."""
    position = convoy(4, 5)
    opened = next(
        c for c in legal_actions(position, "t1") if format_action(c.action) == "impulse t1 -"
    )
    assert not opened.closes
    assert "enter:A3" in opened.joins
    wider = legal_actions(position, opened=opened.action)
    follow = next(c for c in wider if format_action(c.action) == "impulse t1 enter:A3")
    assert follow.joins == ("enter:A4",)


@pytest.mark.clause("D2.4", "E11.24a")
@pytest.mark.parametrize(("spent", "legal"), [(60, False), (71, True)])
def test_the_poorest_lets_all_end_in_motion(spent: int, *, legal: bool) -> None:
    """A Convoy can end in Motion only if its poorest vehicle cannot pay an Impulse, whatever others have left."""
    units = [
        replace(unit, spent=points, used=points, mph="moving")
        for unit, points in zip(convoy(4, 5).units, (40, spent), strict=True)
    ]
    ruling = last(convoy(4, 5).with_units(units), "end t1")
    assert ("D2.4" not in bars(ruling)) is legal
