"""Reach judges what its search meets: the result is as if all had been judged before."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from gc import collect
from random import Random
from typing import Any
from weakref import ref

import msgspec
import pytest

from marchtable.budget import Budget, OverLimit, budget_scope
from marchtable.cache import clear_caches, limit_caches
from marchtable.cpsat.harness import Stop
from marchtable.errors import BadInputError
from marchtable.play.game import Game
from marchtable.reachability.compiled import NO_LIMIT, SearchLimits
from marchtable.reachability.reach import reach
from marchtable.reachability.sharing import shared_space
from marchtable.rules.clause import without
from marchtable.rules.dependencies import tracking
from marchtable.state.records import replace
from marchtable_models.asl.data import unit_types
from marchtable_models.asl.model import Enter, MinimumMove
from marchtable_models.asl.views.modes import mode_of
from tests.asl.boards import ASL, field, foot, place, vehicle
from tests.slowly import slow_after
from tests.solver.arcs import arcs_of

KINDS = ("squad", "leader", "cavalry", "wagon", "motorcycles", "armored-car", "t-26-m33", "spw-251",
         "opel-blitz")  # fmt: skip


def board(seed: int, columns: str = "ABCDE") -> Any:
    """Return a small map with woods, buildings, brush and a road."""
    random = Random(seed)
    names = [f"{column}{row}" for column in columns for row in range(1, 5)]
    terrain = ("Woods", "Brush", "Open Ground", "Open Ground", "Stone Building")
    hexes = {name: {"terrain": random.choice(terrain)} for name in names}
    sides = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, 4)}
    return field(hexes, sides)


def unit(name: str, kind: str, at: str, side: str = "german") -> Any:
    """Return a unit of that type, stopped."""
    if unit_types()[kind].is_vehicle:
        return vehicle(name, kind, at=at, moving=False, side=side)
    return foot(name, kind, at=at, side=side)


def crowd(seed: int, columns: str = "ABCDE", **fields: Any) -> Any:
    """Return a position with one unit of each class, some in shared hexes, and enemies nearby."""
    random, map_ = Random(seed), board(seed, columns)
    names = [one.name for one in map_.locations]
    mine = [unit(f"u{n}", kind, random.choice(names[:-3][:12])) for n, kind in enumerate(KINDS)]
    foes = [unit(f"e{n}", "squad", at, "russian") for n, at in enumerate(names[-3:])]
    return place(map_, *mine, *foes, **fields)


def stated(position: Any, names: Any = None) -> list[Any]:
    """Return the full reach of units."""
    return [
        (
            sorted((p.at, repr(p.mode), p.spent, p.left) for p in found.places),
            found.assumed,
            found.unsupported,
        )
        for found in reach(position, names or [one.id for one in position.units])
    ]


@pytest.mark.slow
@pytest.mark.parametrize("dark", slow_after(1, [{"nvr": 2}, {}]), ids=["night", "day"])
@pytest.mark.parametrize("seed", slow_after(1, range(3)))
def test_as_if_all_had_been_ruled_on(seed: int, dark: Any) -> None:
    """For every class, alone and in company, reach on a fully compiled space is the same."""
    position = crowd(seed, "ABC", **dark)
    clear_caches()
    lazily = stated(position)
    clear_caches()
    for one in position.units:
        if not one.id.startswith("u"):
            continue
        space = shared_space(position, one, avoid=False)
        every = [space.state(where.name, mode_of(one)) for where in position.board.locations]
        space.complete([every], [[0] * len(every)], [SearchLimits(ample=NO_LIMIT)])
    fresh = crowd(seed, "ABC", **dark)
    assert stated(fresh) == lazily


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_arcs_do_not_depend_on_what_was_asked_before(seed: int) -> None:
    """The arcs out of a state are the same, whichever question found them."""
    position, names = crowd(seed, "ABC"), [f"u{n}" for n in range(len(KINDS))]
    clear_caches()
    stated(position, names)
    forwards = [arcs_of(shared_space(position, position.unit(n), avoid=False)) for n in names]
    clear_caches()
    stated(crowd(seed, "ABC"), [*names[::-1], *names])
    again = crowd(seed, "ABC")
    for name, before in zip(names, forwards, strict=True):
        after = arcs_of(shared_space(again, again.unit(name), avoid=False))
        assert {where: after[where] for where in before if where in after} == {
            where: before[where] for where in before if where in after
        }


@pytest.mark.slow
def test_a_position_one_step_later_asks_little() -> None:
    """After one unit has moved a hex, only the hexes round it are judged anew."""
    position = crowd(1)
    clear_caches()
    stated(position)
    space = shared_space(position, position.unit("u0"), avoid=False)
    before = len(space.mover.spans)
    moved = position.with_units([unit("u8", "opel-blitz", "A2")])
    stated(moved, ["u0"])
    assert len(space.mover.spans) - before < before


class Soon(Stop):
    """A stop request that comes after this many checks."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.left = count

    @property
    def is_requested(self) -> bool:
        """Whether it has come."""
        self.left -= 1
        return self.left < 0


@pytest.mark.slow
def test_growth_that_is_broken_off_leaves_no_trace() -> None:
    """A search stopped in the middle of judging does not spoil the next one."""
    position = crowd(2)
    clear_caches()
    expected = stated(position)
    clear_caches()
    for count in (3, 30, 200):
        with budget_scope(Budget(stop=Soon(count))), pytest.raises(OverLimit):
            stated(crowd(2))
    assert stated(crowd(2)) == expected


@pytest.mark.slow
def test_what_leads_on_may_be_broken_off() -> None:
    """A stop at any moment of a planner's questions about single states spoils nothing later."""
    position, one = crowd(1), "u8"
    clear_caches()
    expected = stated(position, [one])
    for count in range(1, 40, 6):
        clear_caches()
        space = shared_space(position, position.unit(one), avoid=False)
        start = space.state(str(position.unit(one).at), mode_of(position.unit(one)))
        with budget_scope(Budget(stop=Soon(count))), suppress(OverLimit):
            states = [start]
            for _ in range(5):
                found = space.onward(states)
                states = [to for steps in found.values() for to, _ in steps]
        moved = position.with_units([unit("u0", "squad", "B1")])
        stated(moved, [one])
        assert stated(crowd(1), [one]) == expected


def test_a_fork_goes_on_by_itself() -> None:
    """A copy knows earlier findings, and what either finds later is not the other's."""
    position = crowd(0)
    clear_caches()
    reach(position, ["u0"])
    mover = shared_space(position, position.unit("u0"), avoid=True).mover
    copy = mover.fork(frozenset())
    assert copy is not None
    before = len(copy.numbers), len(copy.target)
    reach(position, ["u0"], rolls="avoid")
    assert (len(copy.numbers), len(copy.target)) == before
    assert copy.sites.keys() <= mover.sites.keys()
    assert copy.plain.max() < len(copy.sites)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", slow_after(1, ["numba", "python"]))
def test_threads_ask_at_once(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that ask about equal and other units get what each gets alone."""
    if kernel == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("MARCHTABLE_KERNEL", kernel)
    positions = [crowd(0), crowd(0).with_units([unit("e0", "squad", "D4", "russian")])]
    names = [one.id for one in positions[0].units][::2]
    asked = [(number, name) for name in names for number in (0, 1)]
    expected = [stated(positions[number], [name])[0] for number, name in asked]
    before = sys.getswitchinterval()
    try:
        sys.setswitchinterval(1e-6)
        clear_caches()
        fresh = [crowd(0), crowd(0).with_units([unit("e0", "squad", "D4", "russian")])]
        with ThreadPoolExecutor(6) as pool:
            found = list(pool.map(stated, [fresh[n] for n, _ in asked], [[m] for _, m in asked]))
        assert [one for (one,) in found] == expected
    finally:
        sys.setswitchinterval(before)


@pytest.mark.parametrize("clause", slow_after(2, ["A4.14", "A4.5b", "B12", "B13", "B3.4a"]))
def test_nobody_goes_on_from_what_is_being_added_to(clause: str) -> None:
    """With other clauses a question is answered correctly, and at once, while another's space grows."""

    def other() -> Any:
        with tracking(), without(clause):
            return stated(crowd(1), ["u0"])

    clear_caches()
    expected = other()
    clear_caches()
    position = crowd(1)
    one = position.unit("u0")
    with tracking(), ThreadPoolExecutor(1) as pool:
        space = shared_space(position, one, avoid=False)
        with space.mover.lock:
            found = pool.submit(other).result(60)
            space.search([(space.state(str(one.at), mode_of(one)),)], [(0,)])
    assert found == expected
    assert other() == expected


def test_a_board_nobody_asks_about_is_let_go() -> None:
    """Once nothing is cached of a board, it is freed with its crossings."""
    position = crowd(1)
    stated(position, ["u0"])
    gone = ref(position.board)
    del position
    clear_caches()
    collect()
    assert gone() is None


def test_work_is_counted_alike_whatever_is_kept() -> None:
    """A question asked twice in one budget counts once, even if all was dropped meanwhile."""
    used = []
    for forgets in (False, True):
        clear_caches()
        with budget_scope(budget := Budget(1e9)):
            for _ in range(3):
                stated(crowd(1), ["u0"])
                if forgets:
                    clear_caches()
        used.append(budget.used)
    assert used[0] == used[1] > 0


def test_rolls_are_passed_or_avoided() -> None:
    """Any other value is rejected."""
    with pytest.raises(BadInputError, match="expected one of pass, avoid, got 'avoidd'"):
        reach(crowd(1), ["u0"], rolls="avoidd")


@pytest.mark.slow
def test_next_to_no_room_for_what_is_kept() -> None:
    """With caches that hold next to nothing all is found anew, and is the same."""
    position = crowd(1)
    expected = stated(position)
    try:
        limit_caches(1)
        assert stated(crowd(1)) == expected
    finally:
        limit_caches(144 * 2**20)


@pytest.mark.parametrize("seed", slow_after(2, range(3)))
def test_a_last_resort_is_illegal_where_what_it_stands_in_for_can_be_paid(seed: int) -> None:
    """Reach skips a Minimum Move where entering is legal: `rule` forbids it there, for every class."""
    position, met = crowd(seed), set[str]()
    for one in position.units[: len(KINDS)]:
        here = position
        if one.facing is not None:
            here = position.with_units([replace(one, moving=True)])
        for to in ASL.next_to(here, here.unit(one.id)):
            if ASL.rule(here, Enter((one.id,), to)).is_legal:
                assert ASL.rule(here, MinimumMove((one.id,), to)).violations
                met.add(one.type)
    assert len(met) > len(KINDS) // 2


@pytest.mark.parametrize("log", ["start u", "enter f B3", "start v", "enter w C2"])
def test_reach_before_an_action_is_asked_after_it(log: str) -> None:
    """Asked of the position after an action first, reach before the action is as with empty caches."""
    squad, waggon = foot("f", at="B2"), vehicle("w", "wagon", at="B2", moving=False)
    trucks = [vehicle(name, "opel-blitz", at="B2", moving=False) for name in ("u", "v")]
    board = field({f"{column}{row}": {} for column in "ABC" for row in (1, 2, 3)})
    before = place(board, *trucks, squad, waggon)
    game = Game(before)
    game.push(log)
    names = [unit.id for unit in before.units]
    clear_caches()
    fresh = [one.locations for one in reach(msgspec.structs.replace(before), names)]
    clear_caches()
    reach(game.position, names)
    assert [one.locations for one in reach(msgspec.structs.replace(before), names)] == fresh


def test_reach_when_a_berserk_unit_has_moved() -> None:
    """While a berserk unit must move first nobody else moves; asked earlier or later, reach says so."""
    board = field({f"{column}{row}": {} for column in "ABCD" for row in (1, 2, 3)})
    berserk, enemy = (
        foot("b", at="C2", berserk=True, sees=("e",)),
        foot("e", side="russian", at="C3"),
    )
    game = Game(place(board, foot("u", at="A1"), berserk, enemy))
    due = game.position
    game.push("enter b C3")
    for one, other in ((due, game.position), (game.position, due)):
        clear_caches()
        found = {}
        for asked in (one, other):
            (found[asked is due],) = reach(msgspec.structs.replace(asked), ["u"])
        assert found[True].locations == {"A1"}
        assert "A15.43d" in found[True].unsupported
        assert found[False].locations > {"A1", "A2"}
        assert not found[False].unsupported
