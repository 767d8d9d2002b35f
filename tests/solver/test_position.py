"""Positions are values: immutable, hashable, picklable, with a key that never changes."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchtable.errors import UnknownNameError
from marchtable.nearest import unknown_unit
from tests.strategies import asl_positions, in_play, toy_positions
from tests.toy_scene import scene

if TYPE_CHECKING:
    from marchtable.state.position import Position

ROOT = Path(__file__).resolve().parents[2]
ANY = st.one_of(toy_positions(), in_play(asl_positions(), most=2))
PRINT = """
import pickle, sys
values = pickle.loads(sys.stdin.buffer.read())
from tests.toy_scene import scene, walk
ours = (scene(), walk("w0 w1", "A2"))
from marchtable.rules.referee import rule
ours += (rule(*ours),)
sys.stdout.write(f"{ours == values} {ours[0].key()} {hash(ours[2].after) == hash(values[2].after)}")
"""


@given(ANY)
def test_is_a_value(position: Position[Any, Any]) -> None:
    """A position equals, hashes and keys as what its pickle gives back."""
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert hash(again) == hash(position)
    assert again.key() == position.key()


def test_is_immutable() -> None:
    """No field of a position, a unit or a counter can be set."""
    position = scene()
    for value, field in ((position, "phase"), (position.units[0], "at")):
        with pytest.raises(AttributeError):
            setattr(value, field, "B1")


@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_equal_across_processes(seed: str) -> None:
    """Positions, actions and rulings are equal in a process with another hash seed."""
    from marchtable.rules.referee import rule
    from tests.toy_scene import walk

    position, action = scene(), walk("w0 w1", "A2")
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "toy"), *filter(None, sys.path)])
    found = subprocess.run(
        [sys.executable, "-B", "-c", PRINT],
        input=pickle.dumps((position, action, rule(position, action))),
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert found.stdout.decode() == f"True {position.key()} True"


@given(ANY)
def test_key_tells_positions_apart(position: Position[Any, Any]) -> None:
    """Any change, such as the turn or one unit's side, changes the key."""
    later = msgspec.structs.replace(position, turn=position.turn + 1)
    other = msgspec.structs.replace(position.units[0], side="green")
    keys = {position.key(), later.key(), position.with_units([other]).key()}
    assert len(keys) == 3


@given(ANY, st.data())
def test_with_units(position: Position[Any, Any], data: st.DataObject) -> None:
    """A position's caches after a change of units equal those of a fresh one."""
    places = st.sampled_from((*position.board.index, None))
    units = data.draw(st.lists(st.sampled_from(position.units), unique=True))
    _ = position.occupants
    changed = position.with_units([msgspec.structs.replace(u, at=data.draw(places)) for u in units])
    fresh = msgspec.structs.replace(changed)
    assert changed.occupants == fresh.occupants
    assert changed.index == fresh.index
    assert changed.markers == fresh.markers
    assert changed.units == fresh.units


def test_unknown_unit() -> None:
    """An unknown unit is rejected with the valid ids."""
    with pytest.raises(
        UnknownNameError, match=r"no unit 'w9' here; nearest: .w0., .w1., .w2. .units: w0, w1"
    ):
        scene().unit("w9")


def test_unknown_unit_of_a_large_scene() -> None:
    """A unit's type leads to its id; too many ids to list are left to a command that lists them."""
    types = {"ge_opel6700bl_1": "opel-blitz", **{f"ru_447_{n}": "4-4-7" for n in range(20)}}
    said = unknown_unit("opel-blitz", types)
    assert said == (
        "no unit 'opel-blitz' here; nearest: 'ge_opel6700bl_1' (`marchtable options SCENE` lists all)"
    )
    assert unknown_unit("zzz", types) == (
        "no unit 'zzz' here (`marchtable options SCENE` lists all)"
    )
