"""One-lane bridges (B6.431): one vehicle at a time, one change of direction in a Player Turn."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.reachability.reach import reach
from marchtable.state.position import Counter
from marchtable_models.asl.model import UnitType
from tests.asl.boards import EIGHT, bars, cites, field, foot, last, paid, place, step, vehicle

ROAD = {"road": "Dirt Road"}
BRIDGE = {"terrain": "Stone Bridge"}
# A road from A3 north-east over two bridges, B2 and C2, to D1.
RIVER = field(
    {
        "A1": {},
        "A2": {},
        "A3": {},
        "B2": BRIDGE,
        "C2": BRIDGE,
        "D1": {},
        "D2": {},
        "E1": {},
        "E2": {},
    },
    {"B2-C2": ROAD, "C2-D1": ROAD, "A3-B2": ROAD},
)
READ = {"readings": (("B6.431", "one-lane"),)}
LANES = tuple(Counter(kind="one-lane", at=at) for at in ("B2", "C2"))
TOLD: dict[str, Any] = {"counters": LANES}
WRECK = vehicle("w", "wreck", at="B2", facing=None, moving=False)
SMALL = UnitType(name="small", class_="vehicle", column="ft", mp=12, small=True)


def truck(name: str = "u", at: str = "A3", **fields: Any) -> Any:
    """Return a moving truck facing the bridge from the west."""
    return vehicle(name, at=at, **{"facing": "NNE", **fields})


def scene(*units: Any, **fields: Any) -> Any:
    """Return a position at the river, with one-lane bridges unless stated."""
    return place(RIVER, *(units or (truck(),)), **(fields or TOLD))


@pytest.mark.clause("B6.431")
@pytest.mark.parametrize("one_lane", [TOLD, READ])
def test_no_room_to_pass(one_lane: dict[str, Any]) -> None:
    """A vehicle or wreck on it blocks others, except motorcycles and small vehicles."""
    parked = vehicle("v", at="B2", moving=False)
    for other in (WRECK, parked):
        assert bars(last(scene(truck(), other, **one_lane), "enter u B2")) == {"B6.431"}
        assert last(scene(truck(), other, counters=()), "enter u B2").is_legal
        cycle = truck(kind="mc-20")
        assert last(scene(cycle, other, **one_lane), "enter u B2").is_legal
        on_foot = scene(foot(at="A3"), other, **one_lane)
        assert last(on_foot, "enter u B2").is_legal
        little = scene(truck(kind="small"), other, types=(SMALL,), **one_lane)
        assert last(little, "enter u B2").is_legal
    assert last(scene(truck(), foot("f", at="B2"), **one_lane), "enter u B2").is_legal
    small = vehicle("v", "small", at="B2", moving=False)
    assert last(scene(truck(), small, types=(SMALL,), **one_lane), "enter u B2").is_legal
    beyond = vehicle("v", at="C2", moving=False)
    assert last(scene(truck(), beyond, **one_lane), "enter u B2").is_legal


@pytest.mark.clause("B6.431")
def test_a_tank_that_could_push_the_wreck_off() -> None:
    """Whether a tracked AFV enters to clear a wreck off the bridge is UNSUPPORTED; a truck cannot."""
    tank = truck(kind="ft-20")
    found = last(scene(tank, WRECK), "enter u B2")
    assert (found.status, cites(found)) == ("UNSUPPORTED", {"B6.431"})
    parked = vehicle("v", at="B2", moving=False)
    assert bars(last(scene(tank, parked), "enter u B2")) == {"B6.431"}
    assert bars(last(scene(tank, parked, WRECK), "enter u B2")) == {"B6.431"}


@pytest.mark.clause("B6.431a", "B6.431c")
def test_one_turn_of_direction_in_a_player_turn() -> None:
    """After one from the west one can come from the east; then no vehicle can enter the bridge."""
    still: dict[str, Any] = {"moving": False}
    east = vehicle("v", at="D1", facing="W", **still)
    third = truck("w", **still), vehicle("x", at="D1", facing="W", **still)
    over = ("enter u B2", "enter u C2", "enter u D1", "stop u")
    back = ("start v", "enter v C2", "enter v B2", "enter v A3", "stop v")
    assert last(scene(truck(), east), *over, *back[:2]).is_legal
    follower = scene(truck(), truck("v", **still))
    assert last(follower, *over, "start v", "enter v B2", "enter v C2", "enter v D1").is_legal
    both = scene(truck(), east, *third)
    for line in ("enter w B2", "enter x C2"):
        start = f"start {line.split()[1]}"
        assert bars(last(both, *over, *back, start, line)) == {"B6.431a"}
        assert last(both, *over, start, line).is_legal
        later = ("phase MPh side=russian", "phase MPh side=german", start, line)
        assert last(both, *over, *back, *later).is_legal
        free = scene(truck(), east, *third, counters=())
        assert last(free, *over, *back, start, line).is_legal
    for other in (truck("w", kind="mc-20", **still), foot("w", at="A3")):
        begin = () if other.facing is None else ("start w",)
        assert last(scene(truck(), east, other), *over, *back, *begin, "enter w B2").is_legal


@pytest.mark.clause("B6.431a", "B6.431c")
def test_turning_back() -> None:
    """It can go back over the bridge it has crossed, and then not onto it again."""
    log = ("enter u B2", "enter u C2", "enter u D1", "turn u NNW", "turn u W")
    back = last(scene(truck(kind="ft-20")), *log, "enter u C2")
    assert back.is_legal
    assert back.after.unit("u").move.lane == 6
    twice = place(RIVER, truck(lane=6), **TOLD)
    assert cites(last(twice, "enter u B2")) == {"B6.431a"}
    assert last(place(RIVER, truck(at="B2", lane=6), **TOLD), "enter u C2").is_legal
    assert (
        last(scene(truck(at="D1", facing="W", lane=1)), "enter u C2").after.unit("u").move.lane == 6
    )
    assert last(scene(truck(at="A3", lane=1)), "enter u B2").after.unit("u").move.lane == 1
    come = scene(truck(at="D1", facing="W", lane=1))
    fresh = last(come, "stop u", "phase DFPh side=russian", "phase MPh side=german").after
    assert fresh.unit("u").move.lane is None


@pytest.mark.clause("B6.431d")
@pytest.mark.parametrize("one_lane", [TOLD, READ])
def test_a_gun_on_the_bridge(one_lane: dict[str, Any]) -> None:
    """An AFV would destroy an untowed Gun there: UNSUPPORTED; a truck passes it."""
    tank, gun = truck(kind="ft-20"), foot("g", "gun-75-rcl", at="B2")
    found = last(scene(tank, gun, **one_lane), "enter u B2")
    assert (found.status, cites(found)) == ("UNSUPPORTED", {"B6.431d"})
    assert last(scene(truck(), gun, **one_lane), "enter u B2").is_legal
    assert last(scene(tank, gun, counters=()), "enter u B2").is_legal
    beyond = foot("g", "gun-75-rcl", at="C2")
    assert last(scene(tank, beyond, **one_lane), "enter u B2").is_legal


@pytest.mark.clause("B6.431b")
def test_the_vca_keeps_to_the_road() -> None:
    """On it a VCA change must keep a hex of its road in the VCA; with two lanes it need not."""
    on_it = truck(at="B2", kind="ft-20")
    assert last(scene(on_it), "turn u E").is_legal
    assert bars(last(scene(on_it), "turn u E", "turn u SSE")) == {"B6.431b"}
    assert last(scene(on_it, counters=()), "turn u E", "turn u SSE").is_legal
    assert last(scene(truck(at="B2", kind="mc-20")), "turn u E", "turn u SSE").is_legal
    assert bars(last(scene(on_it, **READ), "turn u E", "turn u SSE")) == {"B6.431b"}
    bank = truck(kind="ft-20")
    assert last(scene(bank), "turn u E", "turn u SSE").is_legal


@pytest.mark.parametrize(("kind", "at", "one_lane"), [
    ("tr-20", "A3", READ), ("tr-20", "B2", TOLD), ("mc-20", "C2", TOLD),
])  # fmt: skip
def test_reach_over_the_bridge(kind: str, at: str, one_lane: dict[str, Any]) -> None:
    """The referee allows all that reach finds, also from a bridge on which no vehicle can turn round."""
    found = reach(scene(truck(kind=kind, at=at), **one_lane), ["u"], rolls="avoid")[0]
    assert "D1" in found.best()
    for spot in found.best().values():
        found.replay(spot)


@pytest.mark.clause("B6.431")
def test_a_counter_beside_the_bridge() -> None:
    """A one-lane counter next to a bridge does not affect it: a wreck there blocks no vehicle."""
    beside = tuple(Counter(kind="one-lane", at=at) for at in ("A3", "C1"))
    assert last(scene(truck(), WRECK, counters=beside), "enter u B2").is_legal
    here = Counter(kind="one-lane", at="B2")
    assert not last(scene(truck(), WRECK, counters=(*beside, here)), "enter u B2").is_legal


PONTOON: dict[str, Any] = {"terrain": "Pontoon Bridge"}
FOOT: dict[str, Any] = {"terrain": "Foot Bridge"}
ALONG: dict[str, Any] = {"road": "Dirt Road"}


@pytest.mark.clause("B6.41", "B6.1", "B6.431")
def test_pontoon_bridges() -> None:
    """Infantry steps on and off anywhere as over Open Ground, vehicles by road, in one lane, at any weight."""
    assert paid(step(there=PONTOON), "B6.41") == 1
    assert step(here=PONTOON).status == "LEGAL"
    assert bars(step(there=PONTOON, left=0.5, road=False)) == {"A4.11b"}
    assert bars(step("tr", there=PONTOON)) == {"B6"}
    assert "B6.1" in bars(step("tr", here=PONTOON))
    assert "B6.1" in bars(step(here={"terrain": "Stone Bridge"}))
    assert bars(step(there={"terrain": "Stone Bridge"})) == {"B6"}
    assert step("tr", there=PONTOON, hexside=ALONG).is_legal
    stone = {
        "terrain": "Stone Bridge"
    }  # beside a pontoon bridge: left and entered only by its road
    assert "B6.1" in bars(step(here=stone, there=PONTOON))
    assert bars(step(here=PONTOON, there=stone)) == {"B6"}
    assert step(here=PONTOON, there=PONTOON).status == "LEGAL"
    wreck = vehicle("w", "wreck", at="C1", facing=None, moving=False)
    assert "B6.431" in bars(step("tr", there=PONTOON, hexside=ALONG, others=(wreck,)))
    assert "B6.431" not in bars(
        step("tr", there={"terrain": "Stone Bridge"}, hexside=ALONG, others=(wreck,))
    )


@pytest.mark.clause("B6.44", "B6.44b", "B6.44c")
def test_foot_bridges() -> None:
    """Only Infantry crosses, by road too, as over Open Ground; each hex holds a squad-equivalent."""
    assert paid(step(there=FOOT), "B6.44") == 1
    assert bars(step(there=FOOT, left=0.5, road=False)) == {"A4.11b"}
    for column in EIGHT[1:]:
        assert "B6.44b" in bars(step(column, there=FOOT))
        assert "B6.44b" in bars(step(column, there=FOOT, hexside=ALONG))
    half, squad = foot("v", "half-squad", "C1"), foot("v", at="C1")
    assert bars(step(there=FOOT, others=(squad,))) == {"B6.44c"}
    assert bars(step(there=FOOT, others=(half,))) == {"B6.44c"}
    assert step(there=FOOT, others=(half,), kind="half-squad").is_legal
    assert step(there=FOOT, others=(foot("v", "leader", "C1"),)).is_legal
    assert bars(step(there=FOOT, others=(squad,), kind="leader")) == set()
