"""Reach checked by walking a unit in every possible way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from marchtable.board.board import Hexside
from marchtable.errors import UnknownNameError
from marchtable.reachability.reach import reach
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Settle
from marchtable.state.position import Position
from marchtable.state.records import field_of, replace, struct_from_fields
from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon, UnitType
from tests.asl import boards
from tests.audit import conformance_positions, positions_stating
from tests.grids import grid_board
from tests.panzer.strategies import panzer_positions
from tests.slowly import slow_after
from tests.solver.oracles import walk as walk_by_force
from tests.strategies import (
    TYPES,
    VEHICLES,
    asl_positions,
    in_play,
    rulebook,
    toy_positions,
)  # fmt: skip
from tests.toy_scene import scene, walk

if TYPE_CHECKING:
    from marchtable.board.board import Board

FOOT = ("squad", "half-squad", "leader", "hero", "cavalry")
ROLLS = st.sampled_from(("pass", "avoid"))
SMALL = 8  # Locations of a board that is walked through by force in a moment
TINY = 5  # the same of a unit that has much left, or that waits off the map


def check_reach(position: Position[Any, Any], unit: str, rolls: str = "pass") -> None:
    """Check a unit's reach against the oracle, and its paths against the referee."""
    (found,) = reach(position, [unit], rolls=rolls)
    forced = walk_by_force(position, unit, rolls=rolls)

    assert {(place.at, place.mode): place.spent for place in found.places} == forced.spent
    left_out = find_rulebook(position.rulebook).left_out(
        position, position.unit(unit), found.most_left()
    )
    must = {*forced.unsupported, *left_out}
    assert must <= {*found.unsupported} <= must | forced.beyond
    assert found.is_exact == (not found.unsupported)
    rolled = {
        o.clause for place in found.places for r in found.replay(place) for o in r.obligations
    }
    assert rolled == set(found.assumed)
    assert not (rolled and rolls == "avoid")
    for place in found.places[:: 1 + len(found.places) // 8]:
        assert check(position, found.actions_to(place)).status == "LEGAL"


@given(in_play(toy_positions()), ROLLS)
def test_toy(position: Position[Any, Any], rolls: str) -> None:
    """A walker's reach equals an exhaustive search."""
    assume(not position.pending)
    for unit in position.units:
        if unit.at:
            check_reach(position, unit.id, rolls)


@pytest.mark.parametrize("first", slow_after(1, range(11, 480, 47)))
@pytest.mark.parametrize(("book", "every"), [("asl", 480), ("panzer", 40), ("valor", 80)])
def test_cases(book: str, every: int, first: int) -> None:
    """The same for units of the conformance suite, apart from those that reach knows in part."""
    asked = 0
    for position in conformance_positions(book, first % every, every):
        for unit in position.units if len(position.board) < SMALL else ():
            if unit.at is not None and not reach(position, [unit.id])[0].left_out:
                check_reach(position, unit.id)
                asked += 1
    assert asked


@pytest.mark.parametrize("most", slow_after(1, [1, 400]))
@pytest.mark.parametrize("field", ["leaders", "previous", "entering"])
def test_what_the_search_keeps_of_a_unit(field: str, most: int) -> None:
    """The same for units that state what neither the key nor the mode holds: where they came from, who led them."""
    asked = 0
    for position in positions_stating("asl", field):
        for unit in position.units if len(position.board) < TINY and asked < most else ():
            stated = field_of(unit, field)
            if stated and not reach(position, [unit.id])[0].left_out:
                check_reach(position, unit.id)
                asked += 1
    assert asked


@given(asl_positions(first=FOOT, largest=6), ROLLS)
def test_foot(position: Position[Any, Any], rolls: str) -> None:
    """The same for Infantry as its MPh begins."""
    check_reach(position, "u0", rolls)


@given(asl_positions(first=VEHICLES, largest=4), ROLLS)
def test_vehicle(position: Position[Any, Any], rolls: str) -> None:
    """The same for vehicles as their MPh begins."""
    check_reach(position, "u0", rolls)


@pytest.mark.slow
@given(in_play(asl_positions(largest=4)), ROLLS)
def test_in_play(position: Position[Any, Any], rolls: str) -> None:
    """The same for every unit at any moment of a MPh, in any state."""
    assume(not position.pending)
    for unit in position.units:
        check_reach(position, unit.id, rolls)


@given(in_play(asl_positions(first=("leader", "squad"), largest=4, others=2), most=7))
def test_led(position: Position[Any, Any]) -> None:
    """The same for units that moved with a leader, and for the leader."""
    assume(not position.pending)
    for unit in position.units:
        check_reach(position, unit.id)


@given(in_play(panzer_positions(largest=6)))
def test_panzer(position: Position[Any, Any]) -> None:
    """The same for every unit of PanzerBlitz, loaded or not, during a movement phase."""
    for unit in position.units:
        check_reach(position, unit.id)


# -- regressions -----------------------------------------------------------------------------------


def asl(board: Board, *units: AslUnit) -> Position[AslUnit, AslConditions]:
    """Return a German MPh."""
    return Position(
        rulebook="asl", board=board, units=units, side="german", phase="MPh",
        conditions=AslConditions(),
    )  # fmt: skip


def squad(name: str, **fields: Any) -> AslUnit:
    """Return a German squad in A1, modified by `fields`."""
    plain = {"side": "german", "at": "A1", "type": "squad", "nationality": "german"}
    return struct_from_fields(AslUnit, **{"id": name, **plain, **fields})


OPEN = grid_board(1, 3, [{}] * 3)
UPHILL = grid_board(1, 2, [{}, {"level": 1, "terrain": "Brush"}])


def test_spent_more_than_it_has_alone() -> None:
    """A squad that used a leader's bonus stays in place, with nothing left."""
    led = squad("sq", leaders=("ldr",), mph="moving", spent=10, used=10, road=False)
    position = asl(OPEN, squad("ldr", type="leader", mph="moving", used=10, spent=10), led)
    check_reach(position, "sq")
    (place,) = [p for p in reach(position, ["sq"])[0].places if p.mode[1] == 0]
    assert (place.at, place.spent, place.left) == ("A1", 10, 0)


def test_unmodelled_step_out_of_means() -> None:
    """An unmodelled step does not make reach inexact if it could not be paid for."""
    cliff = grid_board(1, 3, [{}, {}, {"level": 1}], [Hexside(), Hexside(slope=True)])
    tired = squad("sq", mph="moving", spent=6, used=6, at="A2", road=False)
    assert reach(asl(cliff, tired), ["sq"])[0].unsupported != ()
    broke = squad("sq", mph="moving", spent=8, used=8, at="A2", road=False, double=2, cx=True)
    assert reach(asl(cliff, broke), ["sq"])[0].is_exact
    for unit in (tired, broke):
        check_reach(asl(cliff, unit), "sq")


def test_unmodelled_step_home() -> None:
    """A unit ignores its own presence in its start hex when it considers a step back."""
    position = scene(units=tuple(msgspec.structs.replace(u, at="B2") for u in scene().units[:2]))
    assert reach(position, ["w0"])[0].unsupported == ("T6",)
    check_reach(position, "w0")


def test_doubled_minimum_move() -> None:
    """A Minimum Move after Double Time spends a CX unit's allotment, loaded or not."""
    loaded = squad("sq", sw=(SupportWeapon(name="HMG", pp=6),))
    check_reach(asl(UPHILL, loaded), "sq")


def test_whole_allotment_gone_on_starting_and_stopping() -> None:
    """A Minimum Move with all MP gone on Start and Stop is still one."""
    little = msgspec.structs.replace(
        asl(UPHILL, squad("v", type="little-tank", nationality="", facing="SSE", moving=True)),
        conditions=AslConditions(types=TYPES),
    )
    check_reach(little, "v")


def test_one_with_nothing_left_goes_nowhere() -> None:
    """A vehicle that has spent all it has enters no terrain that takes all it has (D2.7)."""
    woods = boards.field({"A1": {}, "A2": {"terrain": "Woods"}, "B2": {"terrain": "Woods"}})
    for spent, places in ((0, 3), (24, 1), (26, 1)):
        tank = boards.vehicle("t", "t-26-m33", at="A1", facing="SSE", moving=True, spent=spent)
        here = boards.place(woods, tank)
        check_reach(here, "t")
        assert len(reach(here, ["t"])[0].locations) == places


def test_one_that_has_spent_too_much_cannot_pay_nothing() -> None:
    """A wagon that has spent more MP than it has cannot Start, even for 0 MP (D2.1b, D12.1a)."""
    hd = UnitType(name="hd-4", class_="wagon", column="hd", mp=4)
    wagon = boards.vehicle("w", "hd-4", at="A1", facing="SSE", moving=False, spent=12, used=12)
    check_reach(boards.place(boards.field({"A1": {}, "A2": {}}), wagon, types=(hd,)), "w")


def test_debts_are_not_cached() -> None:
    """A leader without obligation and one who must stay do not share a space."""
    leader = squad("ldr", type="leader", mph="moving", used=2, spent=2, road=False)
    fresh = squad("sq", leaders=("ldr",), mph="moving", spent=2, used=2, road=False)
    owing = replace(fresh, spent=10, used=10)
    for follower, places in ((fresh, 3), (owing, 1), (fresh, 3)):
        found = reach(asl(OPEN, leader, follower), ["ldr"])[0]
        assert len(found.best()) == places


def test_first_step_that_ends_anothers_move() -> None:
    """Reach agrees with the rules if a unit's first step would end the move of a vehicle that cannot end it."""
    running = {"type": "opel-blitz", "nationality": "", "facing": "SSE", "moving": True}
    truck = squad("truck", **running, mph="moving", spent=2)
    position = asl(OPEN, truck, squad("sq"), squad("other", **running))
    for name in ("sq", "other"):  # the truck itself could go on far
        check_reach(position, name)


# -- other promises --------------------------------------------------------------------------------


@given(asl_positions(largest=6))
def test_batch(position: Position[Any, Any]) -> None:
    """Units asked about together get the same as alone."""
    names = [unit.id for unit in position.units]
    together = [found.places for found in reach(position, names)]
    alone = [reach(msgspec.structs.replace(position), [name])[0].places for name in names]
    assert together == alone


@given(toy_positions())
def test_best_and_order(position: Position[Any, Any]) -> None:
    """Places are ordered by cost; the best of a Location has the most left."""
    (found,) = reach(position, ["w0"])
    spent = [place.spent for place in found.places]
    assert spent == sorted(spent)
    assert {p.at for p in found.places} == set(found.best())
    for place in found.places:
        assert place.left <= found.best()[place.at].left


def test_path_is_a_log() -> None:
    """The way to a place is a log that check finds legal, with rolls passed."""
    (found,) = reach(scene(), ["w0"])
    there = found.best()["A2"]
    assert found.steps_to(there) == (walk("w0", "A2"),)
    assert found.actions_to(there) == (walk("w0", "A2"), Settle("mud:w0", "through"))
    assert [r.amount for r in check(scene(), found.actions_to(there)).receipts] == [5]
    assert found.assumed == ("T4",)


def test_rolls_avoided() -> None:
    """Asked to avoid rolls, reach goes where none is due."""
    (found,) = reach(scene(), ["w0"], rolls="avoid")
    assert set(found.best()) == {"A1", "B1"}
    assert found.assumed == ()


def test_pending_roll_is_taken_as_passed() -> None:
    """While a roll is pending, reach assumes it passed."""
    waiting = rulebook(scene()).rule(scene(), walk("w0", "A2")).after
    (found,) = reach(waiting, ["w0"])
    assert found.places == reach(msgspec.structs.replace(waiting, pending=()), ["w0"])[0].places
    for place in found.places:
        log = found.actions_to(place)
        assert (check(waiting, log).status, log[0]) == ("LEGAL", Settle("mud:w0", "through"))


def test_off_the_map() -> None:
    """A unit that has left the map reaches nothing, and that is exact."""
    gone = msgspec.structs.replace(scene().units[0], at=None)
    (found,) = reach(scene(units=(gone,)), ["w0"])
    assert (found.places, found.best(), found.is_exact) == ((), {}, True)


def test_unknown_unit() -> None:
    """An unknown unit is rejected."""
    with pytest.raises(UnknownNameError, match="no unit 'w9'"):
        reach(scene(), ["w9"])


def test_off_the_map_without_an_edge_hex() -> None:
    """A squad with nothing else to declare has A2.5 left out, not an empty reach without a word."""
    check_reach(asl(OPEN, squad("u0", at=None, was_cx=True)), "u0")
    check_reach(asl(OPEN, squad("u0", at=None)), "u0")
