"""A space that is made of another's arcs is as if it had been made afresh."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from marchtable.compiled import CompiledSpace
from marchtable.sharing import kept_of, shared_space
from marchtable.splicing import spliced
from tests.asl.boards import ASL, field, place, vehicle

if TYPE_CHECKING:
    from marchtable.splicing import Arcs

ARRAYS = ("indptr", "target", "cost", "limit", "end_indptr", "end_target", "end_before")


@pytest.mark.parametrize("seed", range(4))
def test_spliced_as_made_afresh(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever others stand, every arc is where it is if the space is not made of another one."""
    calls = list[int]()

    def counted(*told: Any) -> Arcs:
        calls.append(1)
        return spliced(*told)

    monkeypatch.setattr("marchtable.compiled.spliced", counted)
    random = Random(seed)
    names = [f"{column}{row}" for column in "ABCDEFGHIJKL" for row in range(1, 10)]
    terrain = ("Woods", "Brush", "Open Ground", "Open Ground")
    board = field({name: {"terrain": random.choice(terrain)} for name in names})
    for _ in range(4):
        one, two = random.sample(names, 2)
        others = [vehicle("truck", "tr-40", at=one), vehicle("track", "ht-40", at=two)]
        position = place(board, vehicle("v", at=names[0]), *others)
        unit = position.unit("v")
        made = shared_space(position, unit, avoid=True)
        shelf = kept_of(ASL, position, unit, avoid=True).shelf
        shelf.last = lambda: None
        afresh = CompiledSpace(
            board, made.modes, made.limit[: len(made.modes)].tolist(), made._crossings, made._kinds,
            made.families, shelf,
        )  # fmt: skip
        for name in ARRAYS:
            assert np.array_equal(getattr(made.space, name), getattr(afresh.space, name)), name
        assert np.array_equal(made.arc_way, afresh.arc_way)
        shelf.last = lambda made=made: made  # type: ignore[misc]
    assert len(calls) == 2 * 3
