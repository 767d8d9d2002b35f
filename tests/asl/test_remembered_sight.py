"""Cached answers with computed sight agree with the referee, wherever enemies go."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from marchtable.cache import clear_caches
from marchtable.checking import checked
from marchtable.play.moves import menus
from marchtable.reachability.reach import reach
from marchtable.state.position import Counter
from marchtable_models.asl.model import Enter
from tests.asl.boards import field, foot, place, vehicle
from tests.checked_play import Round, check_round, traced_round, traces

HEXES = [f"{column}{row}" for column in "ABCD" for row in range(1, 5)]
WIDE = [f"{column}{row}" for column in "ABCDE" for row in range(1, 7)]


def scene(seed: int) -> Any:
    """Return concealed units and Dummies before enemies that see some of the hexes, by day or night."""
    random = Random(seed)
    hexes: dict[str, Any] = {name: {} for name in HEXES}
    for name in random.sample(HEXES, 5):
        hexes[name] = random.choice(({"level": 1}, {"terrain": "Woods"}, {"terrain": "Brush"}))
    spots = iter(random.sample(HEXES, 11))
    units = [foot(name, at=next(spots), concealed=True) for name in "ab"]
    units += [foot(name, at=next(spots), concealed=True, dummy=True) for name in "d"]
    units += [foot("g", at=next(spots), broken=True, dm=True)]
    units += [vehicle("v", "ft-12", at=next(spots), facing="NNE", moving=False, concealed=True)]
    units += [foot(name, at=next(spots), side="russian") for name in "x"]
    enemy: dict[str, Any] = {"facing": "NNE", "moving": False, "mph": "done", "side": "russian"}
    units += [vehicle(name, "ft-12", at=next(spots), **enemy) for name in "o"]
    stated: dict[str, Any] = {"sees": ("a",)} if seed % 3 == 1 else {}
    units += [foot("z", at=next(spots), side="russian", **stated)]
    fields: dict[str, Any] = {"nvr": 3} if seed % 3 == 2 else {}
    return place(field(hexes), *units, stated={"sight": "computed"}, year=1943, **fields)


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trace without numba, whose first compilation is slow."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")


def games(seed: int, steps: int) -> Round:
    """Return a game that begins with such a scene."""
    return Round("asl", seed, (("dark", scene(seed)),), steps)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 6))]
)
def test_lists_reach_and_options_are_what_the_referee_says(seed: int) -> None:
    """Checked against ``rule`` at each step of a random game."""
    assert check_round(games(seed, 2 if seed == 0 else 8), every=2, units=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_equal_keys_have_equal_traces(seed: int) -> None:
    """Clauses read the same for any two questions with equal keys."""
    known = traces()
    found = [*traced_round(games(seed, 8), known, every=1)]
    assert not found, str(found[0])
    assert known.compared


def test_alike_but_for_who_sees_them() -> None:
    """Units in equal places get separate lists: who sees past that Blaze is unknown."""
    hidden = [foot(name, at=at, concealed=True) for name, at in (("a", "B4"), ("b", "D4"))]
    found: dict[str, Any] = {"stated": {"sight": "computed"}, "year": 1943}
    position = place(
        field({name: {} for name in WIDE}), *hidden, foot("x", at="B1", side="russian"),
        counters=(Counter(kind="other blaze", at="B2"),), **found,
    )  # fmt: skip
    clear_caches()
    with checked():
        lists = {
            name: {entry.action.to for _, entries in menus(position, name) for entry in entries
                   if isinstance(entry.action, Enter)}
            for name in "ba"
        }  # fmt: skip
    assert "D3" in lists["b"]
    assert "B3" not in lists["a"]


@pytest.mark.parametrize("states", ["the Dummy", "its enemy"])
def test_a_dummy_that_is_seen_goes_nowhere(states: str) -> None:
    """Whoever states the sight, a Dummy is removed as it moves in view (A12.14), and reach agrees."""
    own, others = (("e",), ()) if states == "the Dummy" else ((), ("u",))
    clear_caches()
    open_ground = field({f"{column}{row}": {} for column in "ABCD" for row in (1, 2, 3)})
    here = place(
        open_ground,
        foot("u", at="A1", concealed=True, dummy=True, sees=own),
        foot("e", side="russian", at="C3", sees=others),
    )
    assert reach(here, ["u"])[0].locations == {"A1"}
