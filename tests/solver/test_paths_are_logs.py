"""A returned way is a log that the referee accepts, its rolls settled, in all three rulebooks."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest

import marchtable
from marchtable.files.notation import format_action
from marchtable.files.scenes import scene_data
from marchtable.reachability.movement import movement_graph
from marchtable.reachability.reach import reach
from marchtable.rules.referee import check
from marchtable.state.action import Settle
from marchtable.state.position import Counter
from marchtable_models.asl.model import UnitType
from marchtable_models.panzer.model import Registered
from tests.asl.boards import ASL, crossing, field, foot, last, place, vehicle
from tests.asl.test_roads import ROAD, WOODEN
from tests.panzer import scenes as panzer
from tests.slowly import slow_after
from tests.valor import scenes as valor

if TYPE_CHECKING:
    from marchtable.state.position import Position

    Pos = Position[Any, Any]

TERRAIN = ("Open Ground", "Open Ground", "Woods", "Brush", "Marsh", "Grain", "Graveyard")
HEXSIDES: tuple[dict[str, str], ...] = (
    {},
    {},
    {},
    {"terrain": "Hedge"},
    {"terrain": "Wall"},
    {"road": "Dirt Road"},
)
KINDS = ("ft-12", "ht-12", "tr-12", "t-26-m33", "squad", "leader", "cavalry", "motorcycles")
NAMES = [f"{column}{row}" for column in "ABCD" for row in range(1, 5)]


def forged(seed: int) -> Pos:
    """Return mixed units on ground that requires rolls, with some mines, by day or night."""
    draw = Random(f"paths {seed}")
    hexes = {name: {"terrain": draw.choice(TERRAIN)} for name in NAMES}
    sides = {f"{column}{row}-{column}{row + 1}": dict(draw.choice(HEXSIDES))
             for column in "ABCD" for row in range(1, 4)}  # fmt: skip
    dry = [name for name in NAMES if hexes[name]["terrain"] not in ("Marsh", "Graveyard")]
    units = []
    for kind in KINDS:
        at, name = draw.choice(dry), kind.partition("-")[0] + "0"
        if kind in ("squad", "leader", "cavalry"):
            units.append(foot(name, kind, at))
        else:
            facing = draw.choice(("NNE", "E", "SSE", "SSW", "W", "NNW"))
            units.append(vehicle(name, kind, at, facing=facing, moving=draw.random() < 0.5))
    mines = tuple(Counter(kind="minefield", at=at) for at in draw.sample(NAMES, 3))
    given: dict[str, Any] = {"counters": mines, "nvr": draw.choice((None, 3))}
    position = place(field(hexes, sides), *units, **given)
    ASL.check_position(position)
    return position


def held(position: Pos, name: str, most: int = 12) -> set[str]:
    """Check a unit's ways, in Python and JSON, with the referee; return the rolls settled."""
    (found,) = reach(position, [name])
    rolled: set[str] = set()
    for spot in found.places[:: 1 + len(found.places) // most]:
        log = found.actions_to(spot)
        verdict = check(position, log)
        assert verdict.status == "LEGAL", [format_action(one) for one in log]
        assert verdict.position.unit(name).at == spot.at
        assert not verdict.position.pending
        rolled |= {clause for ruling in verdict.rulings for clause in _due(ruling)}
        assert found.steps_to(spot) == tuple(one for one in log if not isinstance(one, Settle))
    assert rolled <= {*found.assumed}
    _held_as_json(position, name, [spot.at for spot in found.places][-1:])
    return rolled


def _due(ruling: Any) -> list[str]:
    return [one.clause for one in ruling.obligations]


def _held_as_json(position: Pos, name: str, to: list[str]) -> None:
    scene = scene_data(position)
    for at in to:
        answer = marchtable.answer({"verb": "reach", "scene": scene, "unit": name, "to": at})
        path = answer["path"]
        log = [one["action"] for one in path]
        verdict = marchtable.answer({"verb": "check", "scene": scene, "log": log})
        assert verdict["status"] == "LEGAL", log
        assert [one["at"] for one in path][-1:] in ([], [at])
        assert {*answer["assumed"]} == {clause for one in path for clause in one["rolls"]}
        assert sum(one["cost"] for one in path) == sum(
            receipt["amount"] for receipt in verdict["receipts"] if receipt["unit"] == name
        )


@pytest.mark.parametrize("seed", slow_after(1, range(4)))
def test_asl(seed: int) -> None:
    """Bog Checks, mines, straying, falls in a gallop: every way is a legal log with no pending roll."""
    position = forged(seed)
    rolled = set().union(*(held(position, unit.id) for unit in position.units))
    assert {"B28.41"} < rolled


def test_valor() -> None:
    """The same through a fire lane."""
    given: Any = {"counters": {"fire-lane": "C3"}, "phase": "Movement"}
    assert held(valor.place(valor.unit(at="C4"), **given), "u", 99) == {"V13.9b"}


def test_panzer() -> None:
    """The same into a hex with registered fire, which is held."""
    there = {"registered": (Registered(side="russian", at=("C2",)),)}
    position = panzer.place(
        panzer.truck(), panzer.foe("eye", at="A1", observed=True), conditions=there
    )
    assert held(position, "t", 99) == {"P.move-d"}


def test_what_is_pending_is_settled_first() -> None:
    """A way that starts with a due Bog Check first settles it; a roll that cannot be passed is rejected."""
    start = place(crossing(there={"terrain": "Woods"}), vehicle(kind="ft-12"))
    waiting = last(start, "enter u C1 half=true").after
    (found,) = reach(waiting, ["u"])
    log = found.actions_to(found.places[-1])
    assert format_action(log[0]) == "settle bog:u mobile"
    assert check(waiting, log).status == "LEGAL"


def test_the_movement_graph_settles_its_rolls() -> None:
    """The actions of successive edges form a legal log."""
    position = place(crossing(there={"terrain": "Woods"}), vehicle(kind="ft-12"))
    graph: Any = movement_graph(position, "u")
    start = graph.graph["start"]
    searched: Any = nx.single_source_dijkstra(graph, start, weight="points")
    lengths, paths = searched
    there = min((node for node in lengths if node[0] == "C1"), key=lambda node: lengths[node])
    log = []
    for a, b in nx.utils.pairwise(paths[there]):
        log += min(graph[a][b].values(), key=lambda one: one["points"])["actions"]
    assert "settle bog:u mobile" in [format_action(one) for one in log]
    assert check(position, log).status == "LEGAL"


def bridged(tons: float) -> Pos:
    """Return a halftrack of this weight before a wooden bridge that once held 12 tons."""
    heavy = UnitType(name="heavy", class_="vehicle", column="ht", mp=20, tons=tons)
    board = crossing(there=WOODEN, hexside=ROAD)
    held = (Counter(kind="weight-limit-12", at="C1"),)
    return place(board, vehicle(kind="heavy"), types=(heavy,), counters=held)


def test_a_roll_that_puts_another_counter_is_passed() -> None:
    """The bridge that holds 20 tons has that limit from then on, and the way is still a log."""
    assert held(bridged(20), "u", 99) == {"B6.42a"}


def test_a_roll_that_cannot_be_passed_leads_nowhere() -> None:
    """Under 90 tons it collapses for certain: no way goes there, and the clause is named."""
    (found,) = reach(bridged(90), ["u"])
    assert "C1" not in found.locations
    assert "B6.42a" in found.unsupported
    scene = scene_data(bridged(90))
    answer = marchtable.answer({"verb": "reach", "scene": scene, "unit": "u", "to": "C1"})
    assert answer["status"] == "UNSUPPORTED"
