"""Which states of a search are judged again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.cache import clear_caches
from marchtable.checking import checked
from marchtable.reachability import recheck
from marchtable.reachability.reach import reach
from tests.asl.boards import field, foot, place

if TYPE_CHECKING:
    import pytest


def test_the_same_states_are_checked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The choice of states does not depend on earlier searches; other searches check others."""
    found: list[int] = []
    known = vars(recheck)["_known"]

    def noted(space: Any, state: int) -> Any:
        found.append(state)
        return known(space, state)

    monkeypatch.setattr(recheck, "_known", noted)
    hexes: Any = {f"{letter}{row}": {} for letter in "ABCDEFG" for row in range(1, 8)}
    board = field(hexes)

    def states(at: str) -> tuple[int, ...]:
        clear_caches()
        found.clear()
        with checked():
            reach(place(board, foot("u", at=at)), ["u"])
        return tuple(found)

    first = states("A1")
    assert first
    assert [states("A1") for _ in range(3)] == [first] * 3
    assert states("G7") != first
    clear_caches()
