"""The distance of a Convoy's neighbors is stated once: planner and referee use the figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.planning.line.graph import OFF
from marchtable.planning.line.links import beside
from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.rules.clause import without
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import struct_from_fields
from marchtable_models.asl import data
from marchtable_models.asl.cpsat.line_relations import links_of
from marchtable_models.asl.model import End
from marchtable_models.asl.rules.impulse_moves import Impulse
from tests.asl.boards import ASL, vehicle
from tests.asl.convoy_cases import compared, drawn, proved
from tests.asl.convoys_by_hand import by_road
from tests.asl.test_plan_convoy import model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Set = Callable[[int], None]


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> Iterator[Set]:
    """Let a test choose how many hexes neighbors in line can be apart."""

    def choose(hexes: int) -> None:
        found = {**data.figures(), "E11.1": {**data.figures()["E11.1"], "apart": hexes}}
        monkeypatch.setattr(data, "figures", lambda: found)
        monkeypatch.setattr(ASL, "editions", {})
        data.count.cache_clear()

    yield choose
    monkeypatch.undo()
    data.count.cache_clear()


GONE = Goal(
    aims=(Aim(units=("t1",), at=("A6",), must="all"), Aim(units=("t2",), at=("A8",), must="all"))
)
"""The lead of :func:`by_road` goes on by a hex and the other stays where it is."""


@pytest.mark.slow
@pytest.mark.clause("E11.251a")
def test_a_line_may_be_drawn_out_as_far_as_the_figure_tells(apart: Set) -> None:
    """With neighbors two hexes apart the lead goes on alone; at one that is a Gap, and why says so."""
    log = (Impulse("t1", ("enter:A6", "stay")), Impulse("t1", ("stop", "stop")), End("t1"))
    apart(2)
    position = by_road(2, 8)
    assert check(position, log).status == "LEGAL"
    assert plan(position, GONE, space="convoy").status == "OPTIMAL"
    apart(1)
    position = by_road(2, 8)
    assert check(position, log).status == "ILLEGAL"
    found = why(position, GONE, space="convoy")
    assert found.status == "IMPOSSIBLE"
    assert [each.clause for each in found.conflict or ()] == ["E11.251a"]


def test_a_unit_that_waits_off_the_map_waits_as_near_to_the_one_ahead(apart: Set) -> None:
    """The one ahead can be where the next enters and, by a figure of two, a hex on from there."""
    for hexes, found in ((1, {"A8"}), (2, {"A7", "A8", "B7", "B8"})):
        apart(hexes)
        position = by_road(2, 8)
        rear = position.unit("t2")
        waits = struct_from_fields(type(rear), id="t2", side=rear.side, type=rear.type, convoy="c", rank=2,
                          facing="NNE", moving=True, at=None, entering=("A8",))  # fmt: skip
        links = links_of(ASL.edition(position), position, (position.unit("t1"), waits))
        assert links.waiting[0] == ()
        assert set(links.waiting[1]) == found


def test_a_unit_that_waits_comes_on_after_the_one_ahead() -> None:
    """Layers know too that none enters before the round in which the one ahead has: E11.1a."""
    line = [
        vehicle(f"t{n}", "tr-28", at=None, facing="NNE", convoy="c", rank=n, entering=("A8",),
                moving=True)
        for n in (1, 2, 3)
    ]  # fmt: skip
    position = by_road(2, 8).with_units([])
    position = msgspec.structs.replace(position, units=tuple(line))
    assert [first_on(position, n) for n in range(3)] == [1, 2, 3]
    with without("E11.1a"):
        assert not links_of(ASL.edition(position), position, line).in_turn
        assert first_on(position, 2) == 1


def first_on(position: Any, i: int) -> int:
    """Return after which round a Convoy's vehicle off the map can be on it."""
    field = model(position, GONE, 4).graph
    masks = field.masks.reshape(field.most + 1, field.count, field.size)[:, i]
    here = [s for s in range(int(field.span[i])) if field.place_of(i, s) != OFF]
    return int(masks[:, here].any(axis=1).argmax())


def test_places_beside_are_those_so_far_off(apart: Set) -> None:
    """Each place lists those at the distances the clauses allow, except its own hex."""
    for hexes in (1, 2, 3):
        apart(hexes)
        position = by_road(2, 8)
        board = position.board
        links = model(position, GONE, 1).links
        assert links.apart == frozenset(range(hexes + 1))
        places = model(position, GONE, 1).graph.places
        found = beside(board, places, links)
        for n, name in enumerate(places.names[1:], 1):
            near = {o for o in board.index if 0 < board.distance(name, o) <= hexes}
            assert {places.names[p] for p in found.sets[n]} == near
            assert [*found.places[found.begins[n] : found.begins[n + 1]]] == sorted(found.sets[n])


@pytest.mark.slow
def test_the_planner_is_as_good_as_brute_force_whatever_the_figure(apart: Set) -> None:
    """Small Convoys do as well as the best plan by `rule`; some do better than at one hex."""
    freed = 0
    for seed in range(12):
        apart(2)
        assert not compared(drawn(seed)), seed
        wide = proved(drawn(seed))
        apart(1)
        freed += wide != proved(drawn(seed))
    assert freed
