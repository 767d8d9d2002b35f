"""One scene for each movement class on a real board, with its picture, and random phases there."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marchtable.picture import save
from marchtable.picture.showing import scene_picture
from marchtable.reachability.reach import reach
from marchtable.rules.referee import check
from marchtable.vasl.importer import import_board
from marchtable_models.asl.data import unit_types
from tests.asl.boards import foot, judge, place, total, vehicle
from tests.asl.test_metamorphic import assert_sound, play
from tests.slowly import slow_after

if TYPE_CHECKING:
    from marchtable.board.board import Board

BOARDS = Path(__file__).resolve().parents[3] / "shared" / "boards"

pytestmark = pytest.mark.skipif(
    not (BOARDS / "bd01").exists(), reason=f"needs VASL boards in {BOARDS}"
)

CLASSES = {
    "Infantry": "squad", "Cavalry": "cavalry", "horse-drawn": "wagon", "motorcycle": "motorcycles",
    "armored car": "armored-car", "fully-tracked": "t-26-m33", "halftrack": "spw-251",
    "truck": "opel-blitz",
}  # fmt: skip
START = "B5"  # open, and a paved road leads on to C5
few = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=2)


@cache
def real(file: str) -> Board:
    """Return a real board."""
    if not (BOARDS / file).exists():
        pytest.skip(f"needs the VASL board {file} in {BOARDS}")
    return import_board(BOARDS / file)


def village() -> Board:
    """Return board 1."""
    return real("bd01")


def standing(name: str, kind: str, at: str | None = START, **fields: Any) -> Any:
    """Return a unit of that type, stopped."""
    if unit_types()[kind].is_vehicle:
        return vehicle(name, kind, at=at, **{"moving": False, **fields})
    return foot(name, kind, at=at, **fields)


# -- a scene for each class ------------------------------------------------------------------------


@pytest.mark.parametrize("name", slow_after(1, CLASSES))
def test_a_scene_for_each_class(name: str, tmp_path: Path) -> None:
    """A unit of each class goes as far as reach says by a legal log, and its picture is drawn."""
    position = place(village(), standing("u", CLASSES[name]))
    found = reach(position, ["u"], rolls="avoid")[0]
    places = list(found.best().values())
    far = max(places, key=lambda it: (village().distance(START, it.at), it.left))
    log = found.actions_to(far)
    verdict = check(position, log)

    assert village().distance(START, far.at) >= 3
    assert (verdict.status, verdict.position.unit("u").at) == ("LEGAL", far.at)
    for spot in Random(1).sample(places, min(10, len(places))):
        found.replay(spot)  # the referee allows it, at the same cost
    result: Any = {"log": log} if name == "truck" else {"unit": "u", "rolls": "avoid"}
    save(scene_picture(position, title=name, **result), tmp_path / "scene.png")
    assert (tmp_path / "scene.png").stat().st_size > 10_000


# -- bridges, and roads over the map's edge --------------------------------------------------------


def driven(board: Board, mover: Any, *lines: str, others: tuple[Any, ...] = ()) -> list[float]:
    """Return the cost to a unit of each entry of a legal log."""
    verdict = judge(place(board, mover, *others), *lines)
    assert verdict.status == "LEGAL", verdict.violations
    return [total(ruling) for ruling in verdict.rulings]


@pytest.mark.parametrize(
    ("file", "way", "facing"),
    [
        ("bd23", "G5 H4:bridge I4", "E"),
        ("bd23", "P8 P7:bridge P6", "NNE"),
        ("bd23", "X4 X3:bridge X2", "NNE"),
        ("bd23", "BB6 BB5:bridge BB4", "NNE"),
        ("bd12", "BB7 CC7:bridge DD6", "E"),
        ("bd12", "D8 E9:bridge F9", "E"),
    ],
)
def test_bridges_are_driven_by_road(file: str, way: str, facing: str) -> None:
    """A truck drives over every bridge at the road's cost, and a squad walks over it."""
    start, *on = way.split()
    lines = [f"enter u {at}" for at in on]

    assert driven(real(file), vehicle(kind="opel-blitz", at=start, facing=facing), *lines) == [
        0.5,
        0.5,
    ]
    assert driven(real(file), foot(at=start), *lines) == [1, 1]


def test_a_canal_is_not_forded_beneath_its_bridge() -> None:
    """The water under a bridge stays closed, from the bank and from adjacent water."""
    for start, to in (("P8", "P7"), ("G5", "H4"), ("H3", "H4")):
        verdict = judge(place(real("bd23"), foot(at=start)), f"enter u {to}")
        assert verdict.status == "ILLEGAL"


def test_a_gully_beneath_a_bridge() -> None:
    """Along the gully no unit meets those on the bridge, or climbs; on the road it does."""
    enemy = foot("e", at="CC7:bridge", side="russian")
    mover = foot(at="CC6")

    assert driven(real("bd12"), mover, "enter u CC7", "enter u CC8", others=(enemy,)) == [2, 2]
    met = judge(place(real("bd12"), foot(at="BB7"), enemy), "enter u CC7:bridge")
    assert met.status == "ILLEGAL"
    assert driven(real("bd12"), foot(at="D9"), "enter u E9", "enter u F8") == [2, 2]


@pytest.mark.parametrize(
    ("kind", "each"), [("opel-blitz", 0.5), ("t-26-m33", 0.5), ("armored-car", 0.5), ("squad", 1)]
)
@pytest.mark.parametrize("edge", ["GG5", "GG6"])
def test_by_road_over_the_short_edge(edge: str, kind: str, each: float) -> None:
    """Entering and leaving by the road along the middle of a short edge costs what a road does."""
    west, east = ({}, {}) if kind == "squad" else (
        {"moving": True, "facing": way} for way in ("W", "E")
    )  # fmt: skip
    coming = standing("u", kind, None, entering=(edge,), **west)
    going = standing("u", kind, "EE5", **east)

    assert driven(village(), coming, f"enter u {edge}", "enter u FF5", "enter u EE5") == [each] * 3
    assert driven(village(), going, "enter u FF5", f"enter u {edge}", "exit u") == [each] * 3


def test_beside_the_road_over_the_short_edge() -> None:
    """A hex of Open Ground along the same edge is left at its own cost."""
    assert driven(village(), vehicle(kind="opel-blitz", at="GG8", facing="E"), "exit u") == [4]


def test_shellholes_off_the_centre() -> None:
    """Shellholes off a hex's center cost extra, except by road."""
    assert (
        driven(real("bd03"), vehicle(kind="opel-blitz", at="DD1", facing="NNE"), "enter u EE1")[0]
        > 1
    )
    assert driven(real("bd02"), vehicle(kind="opel-blitz", at="U7", facing="E"), "enter u V7") == [
        0.5
    ]


# -- random phases ---------------------------------------------------------------------------------


def _all_classes() -> Any:
    """Return a position with a unit of each class near each other, mounts and a truck's load too."""
    places = ("B5", "A5", "C5", "D5", "A6", "C8", "D7", "E6")
    units = [
        standing(f"u{number}", kind, at)
        for number, (kind, at) in enumerate(zip(CLASSES.values(), places, strict=True))
    ]
    more = (
        foot("sq", at="B7"), foot("h", "horses", at="B7"),
        foot("ldr", "leader", at="B8"), vehicle("c", "cycle", at="B8", moving=False),
        foot("by", at="C8"),  # beneath the tank
        vehicle("w", "wagon", at="D9", moving=False), foot("p", at="D9", aboard="w"),
    )  # fmt: skip
    return place(village(), *units, *more)


@pytest.mark.slow
@few
@given(st.integers(0, 10_000))
def test_random_phases(seed: int) -> None:
    """Points add up and are never negative, and each unit is in one place, for any class."""
    position = _all_classes()
    _, rulings = play(position, Random(seed), 10)
    assert_sound(position, rulings)
    for ruling in rulings:
        for unit in ruling.after.units:
            assert unit.points.spent >= unit.points.used >= 0
            if unit.cargo.aboard is not None:
                assert ruling.after.unit(unit.cargo.aboard).at == unit.at


@pytest.mark.parametrize(
    ("way", "cost"), [("Z4 Y5", 4), ("Y5 Y6", 2), ("Y5 Y4", 4), ("Y4 Y5", 6), ("Y4 Z4", 2)]
)
def test_gullies_that_touch_but_do_not_join(way: str, cost: float) -> None:
    """The printed example of B19.4: between 12Y4 and 12Y5 the ground rises, elsewhere the gully leads on."""
    here, there = way.split()
    ruling = judge(place(real("bd12"), foot(kind="leader", at=here)), f"enter u {there}").rulings[0]
    assert (ruling.status, total(ruling)) == ("LEGAL", cost)
