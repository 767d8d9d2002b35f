"""One scene for each movement class on a real board, with its picture, and random phases there."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marchtable.board import Board
from marchtable.generator import legal_actions
from marchtable.notation import points
from marchtable.picture import save
from marchtable.reach import reach
from marchtable.referee import check
from marchtable.showing import scene_picture
from marchtable.vasl.importer import import_board
from tests.asl.boards import ASL, allotment, foot, place, vehicle

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
few = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=10)


@cache
def village() -> Board:
    """Return board 1."""
    return import_board(BOARDS / "bd01")


def standing(name: str, kind: str, at: str = START, **fields: Any) -> Any:
    """Return a unit of that type, stopped."""
    if ASL_TYPES[kind].is_vehicle:
        return vehicle(name, kind, at=at, moving=False, **fields)
    return foot(name, kind, at=at, **fields)


ASL_TYPES: Any = __import__("marchtable_models.asl.data", fromlist=["data"]).unit_types()


# -- a scene for each class ------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLASSES)
def test_a_scene_for_each_class(name: str, tmp_path: Path) -> None:
    """A unit of each class goes as far as reach says by a legal log, and the picture is drawn."""
    position = place(village(), standing("u", CLASSES[name]))
    found = reach(position, ["u"])[0]
    far = max(found.best().values(), key=lambda it: (village().distance(START, it.at), it.left))
    log = found.actions_to(far)
    verdict = check(position, log)

    assert village().distance(START, far.at) >= 3
    assert verdict.position.unit("u").at == far.at
    assert set(verdict.position.key()) if verdict.status == "LEGAL" else verdict.position.pending
    for file, told in (("reach.png", {"unit": "u"}), ("log.png", {"log": log})):
        save(scene_picture(position, title=name, **told), tmp_path / file)
        assert (tmp_path / file).stat().st_size > 10_000


@pytest.mark.parametrize("name", CLASSES)
def test_reach_and_referee_agree(name: str) -> None:
    """What reach finds on a real board, the referee allows, at the same cost."""
    position = place(village(), standing("u", CLASSES[name]))
    found = reach(position, ["u"])[0]
    places = list(found.best().values())
    for spot in Random(1).sample(places, min(20, len(places))):
        found.replay(spot)


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
        vehicle("w", "wagon", at="D9", moving=False), foot("p", at="D9", aboard="w"),
    )  # fmt: skip
    return place(village(), *units, *more)


def _holds(before: Any, ruling: Any) -> None:
    """Tell what holds after any legal action."""
    after = ruling.after
    names = [unit.id for unit in after.units]
    assert len(names) == len(set(names))
    for unit in after.units:
        assert unit.at is None or unit.at in village().index
        assert unit.spent >= unit.used >= 0
        if unit.aboard is not None:
            assert after.unit(unit.aboard).at == unit.at
        assert unit.spent <= max(2 * allotment(after, unit.id), before.unit(unit.id).spent) or (
            unit.facing is not None  # D2.18
        )
    for receipt in ruling.receipts:
        assert receipt.amount >= 0
        assert receipt.amount == sum(charge.amount for charge in receipt.charges)
        spent = after.unit(receipt.unit).spent - before.unit(receipt.unit).spent
        assert spent == receipt.amount or ruling.obligations or after.unit(receipt.unit).at is None


@few
@given(st.integers(0, 10_000))
def test_random_phases(seed: int) -> None:
    """Points are never negative, each unit is in one place, receipts sum to what was spent."""
    random, position = Random(seed), _all_classes()
    for _ in range(25):
        if position.pending:
            choices = legal_actions(position)
        else:
            unit = random.choice([u for u in position.units if u.at is not None])
            choices = legal_actions(position, unit.id)
        if not choices:
            continue
        action = random.choice(choices)
        ruling = ASL.rule(position, getattr(action, "action", action))
        if ruling.is_legal:
            _holds(position, ruling)
            position = ruling.after
    assert points(0) == 0
