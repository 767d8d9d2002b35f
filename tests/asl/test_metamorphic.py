"""What must not change a verdict: turning, mirroring or shifting the map, other names, more MP.

Also invariants of any play: points add up, and no unit overspends.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marchtable.board.board import Board, EdgeRecord
from marchtable.files.notation import format_action
from marchtable.rules.generator import candidates, legal_actions
from marchtable.state.action import Action, Settle
from marchtable_models.asl.model import SPINES, End, Enter, MinimumMove, Turn
from marchtable_models.asl.verbs import Bypass
from tests.asl.boards import ASL, crossing, foot, load, place, vehicle
from tests.slowly import slow_after
from tests.strategies import VEHICLES, asl_positions

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.state.position import Position

    Pos = Position[Any, Any]

few = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)


# -- play ------------------------------------------------------------------------------------------


def play(
    position: Pos, random: Random, steps: int, *, illegal: bool = False
) -> tuple[list[Action], list[Any]]:
    """Return a random log of legal actions (sometimes of any) and its rulings."""
    log: list[Action] = []
    rulings: list[Any] = []
    for _ in range(steps):
        there = [u for u in position.units if u.at is not None]
        if illegal and there and not position.pending and random.random() < 0.5:
            unit = random.choice(there)
            action = random.choice(list(candidates(ASL, position, unit)))
        elif (action := _legal(position, random)) is None:  # type: ignore[assignment]
            break
        ruling = ASL.rule(position, action)
        log.append(action)
        rulings.append(ruling)
        if ruling.is_legal:
            position = ruling.after
    return log, rulings


def _legal(position: Pos, random: Random) -> Action | None:
    choices = legal_actions(position)
    if not choices:
        return None
    going = [c for c in choices if random.random() < 0.9 and _goes_on(position, c.action)]
    choice = random.choice(going or choices)
    while not choice.closes or (choice.joins and random.random() < 0.7):
        choice = random.choice(legal_actions(position, opened=choice.action))
    return choice.action


def _goes_on(position: Pos, action: Action) -> bool:
    """Return whether moving units go on, so that phases do not end too soon."""
    units = getattr(action, "units", None) or (getattr(action, "unit", None),)
    return (
        not isinstance(action, End)
        and not getattr(action, "rest", False)
        and all(
            name in position.index and position.unit(name).move.mph == "moving" for name in units
        )
    )


def replayed(position: Pos, log: list[Action]) -> list[Any]:
    """Return the rulings on a log, skipping illegal steps."""
    rulings = []
    for action in log:
        ruling = ASL.rule(position, action)
        rulings.append(ruling)
        if ruling.is_legal:
            position = ruling.after
    return rulings


def first_spoilt(position: Pos, log: list[Action]) -> Any:
    """Return the first ruling of a log that is not LEGAL, or None."""
    for action in log:
        ruling = ASL.rule(position, action)
        if not ruling.is_legal:
            return ruling
        position = ruling.after
    return None


def essence(ruling: Any) -> tuple[Any, ...]:
    """Return a ruling without its action and position."""
    return (
        ruling.status, ruling.receipts, ruling.violations, ruling.unsupported,
        tuple(e for e in ruling.effects if e.field not in ("facing", "bypass")), ruling.obligations, ruling.exceptions,
        ruling.readings,
    )  # fmt: skip


# -- the map transformed ---------------------------------------------------------------------------


def moved(
    board: Board, to: Callable[[int, int], tuple[int, int]], side: Callable[[int], int]
) -> Board:
    """Return the board with every hex put elsewhere and every hexside turned, names kept."""
    places = []
    for location in board.locations:
        u, v = to(location.u, location.v)
        room = dict(enumerate(location.clear))
        clear = tuple(room[n] for n in sorted(room, key=side))
        places.append(msgspec.structs.replace(location, u=u, v=v, clear=clear))
    return Board(board.name, places, [EdgeRecord(e.b, e.a, e.hexside) for e in board.edges[::-1]])


def rotated(u: int, v: int) -> tuple[int, int]:
    """Turn by 60 degrees clockwise: each step becomes the next one."""
    return (u - v) // 2, (3 * u + v) // 2


TRANSFORMS: dict[str, tuple[Callable[[int, int], tuple[int, int]], Callable[[int], int]]] = {
    "rotate": (rotated, lambda spine: (spine + 1) % 6),
    "mirror": (lambda u, v: (-u, v), lambda spine: 5 - spine),
    "shift": (lambda u, v: (u + 3, v - 5), lambda spine: spine),
}


@few
@given(asl_positions(), st.sampled_from(sorted(TRANSFORMS)), st.integers(0, 10_000))
def test_the_map_may_be_turned_mirrored_and_shifted(position: Pos, name: str, seed: int) -> None:
    """The same log on the map turned, mirrored or shifted gets the same rulings."""
    to, swung = TRANSFORMS[name]

    def side(number: int) -> int:  # hexside i lies between spines i - 1 and i
        return (swung(number) + (name == "mirror")) % len(SPINES)

    def turned(action: Action) -> Action:
        if isinstance(action, Turn):
            return Turn(action.unit, facing(action.facing))
        if isinstance(action, Bypass):
            return msgspec.structs.replace(action, vertex=facing(action.vertex))
        return action

    def facing(spine: Any) -> Any:
        return spine and SPINES[swung(SPINES.index(spine))]

    log, rulings = play(position, Random(seed), 8, illegal=True)
    other = msgspec.structs.replace(
        position, board=moved(position.board, to, side),
        units=tuple(msgspec.structs.replace(u, facing=facing(u.facing)) for u in position.units),
    )  # fmt: skip
    same = [turned(action) for action in log]

    assert [essence(r) for r in rulings] == [essence(r) for r in replayed(other, same)], [
        format_action(a) for a in log
    ]


@few
@given(asl_positions(), st.integers(0, 10_000))
def test_names_do_not_matter(position: Pos, seed: int) -> None:
    """With units and hexes renamed, the log gets the same rulings."""

    def renamed(data: Any) -> Any:
        if isinstance(data, msgspec.Struct):
            return type(data)(**{
                f: getattr(data, f) if f == "clause" else renamed(getattr(data, f))
                for f in data.__struct_fields__
            })  # fmt: skip
        if isinstance(data, tuple | list):
            return type(data)(renamed(entry) for entry in data)
        if isinstance(data, Board):
            return Board(
                data.name,
                [
                    msgspec.structs.replace(x, name=new(x.name), hex=new(x.hex))
                    for x in data.locations
                ],
                [EdgeRecord(new(e.a), new(e.b), e.hexside) for e in data.edges],
            )
        return new(data) if isinstance(data, str) else data

    ids = {u.id for u in position.units} | set(position.board.index)

    def new(text: str) -> str:
        head, colon, tail = text.rpartition(":")
        return f"{head}{colon}zz{tail[::-1]}" if tail in ids else text

    log, rulings = play(position, Random(seed), 8, illegal=True)
    other = msgspec.structs.replace(
        position, board=renamed(position.board), units=renamed(position.units),
        counters=renamed(position.counters),
    )  # fmt: skip

    again = replayed(other, [renamed(a) for a in log])
    assert [renamed(essence(r)[:-2]) for r in rulings] == [essence(r)[:-2] for r in again]


@few
@given(asl_positions(first=VEHICLES), st.integers(1, 9), st.integers(0, 10_000))
def test_more_mp_never_spoil_a_legal_log(position: Pos, more: int, seed: int) -> None:
    """With more printed MP a legal log stays legal until a Minimum Move or an end in Motion (D2.4)."""
    log, _ = play(position, Random(seed), 10)
    log = log[: next((n for n, a in enumerate(log) if isinstance(a, MinimumMove)), len(log))]
    types = [
        msgspec.structs.replace(t, mp=t.mp + more) if t.is_vehicle else t
        for t in position.conditions.types
    ]
    richer = msgspec.structs.replace(
        position, conditions=msgspec.structs.replace(position.conditions, types=tuple(types))
    )

    spoilt = first_spoilt(richer, log)
    said = spoilt.violations + spoilt.unsupported if spoilt else ()
    assert {entry.clause for entry in said} <= {"D2.4"}, [format_action(a) for a in log]


# -- play to the end -------------------------------------------------------------------------------


def assert_sound(position: Pos, rulings: list[Any]) -> None:
    """Assert the invariants of every legal phase: receipts add up to the points spent, of those allotted."""
    spent = {unit.id: unit.points.spent for unit in position.units}
    after = position
    for ruling in rulings:
        assert ruling.is_legal, format_action(ruling.action)
        after = ruling.after
        for receipt in ruling.receipts:
            assert sum(charge.amount for charge in receipt.charges) == receipt.amount >= 0
            assert receipt.left >= 0, format_action(ruling.action)
            spent[receipt.unit] += receipt.amount
        for effect in ruling.effects:
            if effect.field == "spent":  # the dice results of freeing a bogged vehicle
                spent[effect.unit] = effect.value
        there = [u.id for u in after.units if u.id in position.index]
        assert there == [u.id for u in position.units]
        for unit in after.units:
            assert unit.at is None or unit.at in position.board
            if unit.id not in position.index:  # a mount that has split off another
                spent.setdefault(unit.id, unit.points.spent)
            assert unit.points.spent == spent[unit.id]
            took = unit.move.tried or unit.id not in position.index
            took = took or unit.sw != position.unit(unit.id).sw  # it may weigh too much
            took = took or unit.points.final == "minimum"  # the cost of the hex counts as spent
            assert took or unit.points.spent <= max(0, ASL.allotment(after, unit)), unit
        assert bool(after.pending) == bool(ruling.obligations or (
            isinstance(ruling.action, Settle) and after.pending
        ))  # fmt: skip


@few
@given(asl_positions(), st.integers(0, 10_000))
def test_random_phases_on_small_boards(position: Pos, seed: int) -> None:
    """Whatever is played on a small board, points add up and no unit overspends."""
    _, rulings = play(position, Random(seed), 25)

    assert_sound(position, rulings)


@pytest.mark.slow
@pytest.mark.parametrize("seed", slow_after(2, range(6)))
def test_random_phases_on_the_demo_board(demo_board: Board, seed: int) -> None:
    """The same on the demo board, with trucks, halftracks, tanks, loaded squads and their leader."""
    position = place(
        demo_board,
        vehicle("truck", "opel-blitz", "B4", moving=False), vehicle("spw", "spw-251", "F7"),
        vehicle("tank", "t-26-m33", "D4", bu=True), foot("sqA", at="J6"), foot("sqB", at="J6", sw=load(4)),
        foot("ldr", "leader", "J6"), foot("hero", "hero", "U3"), foot("wreck", "wreck", "C5"),
        foot("enemy", "squad", "K3", side="russian"), foot("hidden", "squad", "I7", side="russian", concealed=True),
        smoke=("B3", "L5"),
    )  # fmt: skip
    _, rulings = play(position, Random(seed), 40)

    assert len(rulings) > 20
    assert_sound(position, rulings)


# -- left out by the generator ---------------------------------------------------------------------


@few
@given(asl_positions(others=3, largest=4), st.randoms(use_true_random=False))
def test_what_is_not_proposed_is_illegal(position: Pos, random: Random) -> None:
    """An action the generator skips because a fact forbids it is not legal."""
    offered = {c.action for c in legal_actions(position) if c.closes}
    unit = random.choice(position.units)
    for action in candidates(ASL, position, unit):
        ruling = ASL.rule(position, action)
        if ruling.is_legal and not position.pending:
            plain = action
            if ASL.is_idle(position, unit, action):  # left out for a simpler one, just as good
                _assert_no_better(position, ruling)
                plain = msgspec.structs.replace(action, off_road=False)
            assert plain in offered or unit.side != position.side or _has_like(position, unit)


@pytest.mark.parametrize("kind", ["squad", "cavalry", "hd-12", "tr-20", "ft-12", "ht-16"])
@pytest.mark.parametrize(
    "terrain", ["Open Ground", "Grain", "Brush", "Woods", "Wooden Building", "Marsh"]
)
def test_a_road_is_declined_only_where_that_can_matter(kind: str, terrain: str) -> None:
    """An unproposed move that declines a road is legal, but no better than by the road."""
    board = crossing(there={"terrain": terrain}, hexside={"road": "Dirt Road"})
    unit = foot("u", kind) if kind in ("squad", "cavalry") else vehicle("u", kind)
    position = place(board, unit)
    beside = ASL.rule(position, Enter(("u",), "C1", off_road=True))
    offered = beside.action in {c.action for c in legal_actions(position)}
    if ASL.is_idle(position, unit, beside.action):
        assert not offered
        if beside.is_legal:
            _assert_no_better(position, beside)
    else:
        assert offered is beside.is_legal


def _assert_no_better(position: Pos, declined: Any) -> None:
    """Assert that by road a unit gets as far as by declining it, with no less left."""
    plain = ASL.rule(position, msgspec.structs.replace(declined.action, off_road=False))
    assert plain.is_legal
    for by_road, beside in zip(plain.receipts, declined.receipts, strict=True):
        assert (by_road.unit, by_road.left >= beside.left) == (beside.unit, True)
    assert [u.at for u in plain.after.units] == [u.at for u in declined.after.units]
    assert len(plain.obligations) <= len(declined.obligations)


def _has_like(position: Pos, unit: Any) -> bool:
    """Return whether another unit of its Location is interchangeable with it."""
    others = [u for u in position.beside(unit.at) if u.id != unit.id]
    return any(ASL.alike(position, other) == ASL.alike(position, unit) for other in others)
