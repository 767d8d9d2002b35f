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
from marchtable.reach import reach
from marchtable.referee import check
from marchtable.showing import scene_picture
from marchtable.vasl.importer import import_board
from marchtable_models.asl.data import unit_types
from tests.asl.boards import foot, place, vehicle
from tests.asl.test_metamorphic import assert_sound, play

if TYPE_CHECKING:
    from marchtable.board import Board

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
def village() -> Board:
    """Return board 1."""
    return import_board(BOARDS / "bd01")


def standing(name: str, kind: str, at: str = START, **fields: Any) -> Any:
    """Return a unit of that type, stopped."""
    if unit_types()[kind].is_vehicle:
        return vehicle(name, kind, at=at, moving=False, **fields)
    return foot(name, kind, at=at, **fields)


# -- a scene for each class ------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLASSES)
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
    told: Any = {"log": log} if name == "truck" else {"unit": "u", "rolls": "avoid"}
    save(scene_picture(position, title=name, **told), tmp_path / "scene.png")
    assert (tmp_path / "scene.png").stat().st_size > 10_000


# -- random phases ---------------------------------------------------------------------------------


def _all_classes() -> Any:
    """Return a position with a unit of each class near one another, mounts and a truck's load too."""
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


@few
@given(st.integers(0, 10_000))
def test_random_phases(seed: int) -> None:
    """Points add up and are never negative, each unit is in one place, whatever class it is of."""
    position = _all_classes()
    _, rulings = play(position, Random(seed), 10)
    assert_sound(position, rulings)
    for ruling in rulings:
        for unit in ruling.after.units:
            assert unit.spent >= unit.used >= 0
            if unit.aboard is not None:
                assert ruling.after.unit(unit.aboard).at == unit.at
