"""All moves in all orders: which positions count as equal."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from marchtable.planning.all_moves import plan_of_any_order
from marchtable.planning.score import Measure
from marchtable.state.goal import Aim, Goal
from marchtable.state.position import Counter
from marchtable.state.records import replace
from tests.solver.planning.test_alone import crowd
from tests.toy_scene import walk

if TYPE_CHECKING:
    from marchtable.state.action import Action


class Breaking:
    """Two units; the second can move only if the first took the way that leaves a counter."""

    units = ("w0", "w1")
    aboard: ClassVar[dict[str, tuple[str, ...]]] = {"w0": (), "w1": ()}
    searches = 0

    def alone(self, _: str) -> dict[str, str]:
        """Return no ends."""
        return {}

    def only(self, _: object) -> Any:
        """Return both starting places."""
        return crowd(2)

    def ways(self, position: Any, unit: str) -> dict[str, list[Any]]:
        """Return a unit's ways in the present situation."""
        self.searches += 1
        end = SimpleNamespace(at="B1", leaves=False)
        by = ("around", "through") if unit == "w0" else ("through",) * bool(position.counters)
        return {"B1": [SimpleNamespace(actions=(walk(unit, "B1"), how), end=end) for how in by]}

    def played(self, position: Any, actions: Any) -> tuple[Any, tuple[Action, ...]]:
        """Return a way's end: the same for either."""
        go, how = actions
        after = position.with_units([replace(position.unit(go.units[0]), at="B1")])
        if how == "through":
            after = msgspec.structs.replace(after, counters=(Counter(kind="track", at="B1"),))
        return after, (go,)


def test_what_a_move_leaves_on_the_map_counts() -> None:
    """Positions that differ only in a counter are different: only one of them lets another move."""
    both = Goal(aims=(Aim(units=("w0", "w1"), at=("B1",), must="all"),))
    log = plan_of_any_order(Breaking(), Measure(crowd(2), both))  # type: ignore[arg-type]
    assert log == (walk("w0", "B1"), walk("w1", "B1"))
