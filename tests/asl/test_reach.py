"""What reach asks of the ASL rulebook: modes, and what stands where."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marchtable.board.board import Board
from marchtable.reachability.reach import reach
from marchtable_models.asl.model import UnitType
from tests.asl.boards import ASL, crossing, field, foot, last, place, vehicle
from tests.asl.test_metamorphic import play
from tests.strategies import VEHICLES, asl_positions, in_play

few = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
WOODS = {"terrain": "Woods"}
BOG = "settle bog:u bogged"


@few
@given(in_play(asl_positions(first=VEHICLES), most=6))
def test_a_unit_in_its_mode_is_in_that_mode(position: Any) -> None:
    """Whatever has happened to a unit, a bogged vehicle's Minimum Move too, its mode is all that is kept of it."""
    for unit in position.units:
        mode = ASL.mode(unit)
        assert ASL.mode(ASL.in_mode(unit, position.board.locations[0].name, mode)) == mode


@pytest.mark.parametrize("outcome", ["bogged", "mobile"])
@pytest.mark.parametrize(("line", "kind", "there", "hexside"), [
    ("enter u C1", "tr-8", WOODS, {}),
    ("enter u C1 half=true", "ft-8", WOODS, {}),
    ("minimum u C1", "ft-8", {**WOODS, "level": 1}, {}),
    ("minimum u C1", "tr-8", {**WOODS, "level": 1}, {}),
    ("minimum u C1", "ht-8", WOODS, {"terrain": "Hedge"}),
    ("enter u C1", "ht-8", {}, {"terrain": "Hedge"}),
    ("minimum u C1", "ht-1", {}, {"terrain": "Hedge"}),
])  # fmt: skip
def test_reach_after_a_bog_check(
    line: str, kind: str, there: dict[str, Any], hexside: dict[str, Any], outcome: str
) -> None:
    """Bogged, a vehicle reaches only its own Location; mobile, it is treated as any other."""
    due = "bog-hexside:u" if hexside else "bog:u"
    position = last(
        place(crossing(there=there, hexside=hexside), vehicle(kind=kind)),
        line,
        f"settle {due} {outcome}",
    ).after
    unit = position.unit("u")
    found = reach(position, ["u"])[0]

    assert unit.at in found.best()
    assert outcome == "mobile" or set(found.best()) == {unit.at}


def test_reach_tells_an_enemy_afv_from_other_armed_enemies() -> None:
    """On one map, an AFV in the way makes a Stop there UNSUPPORTED (D2.6), a gun truck does not."""
    types = tuple(
        UnitType(name=name, class_="vehicle", column="tr", mp=9, armed=True, afv=afv)
        for name, afv in (("gun-truck", False), ("armored-car", True))
    )
    board = field({"B1": {}, "C1": {}, "C2": {}})

    def unsupported(kind: str) -> bool:
        enemy = vehicle("e", kind, "C1", side="russian")
        position = place(board, vehicle(kind="t-26-m33"), enemy, types=types)
        return "D2.6" in reach(position, ["u"])[0].unsupported

    assert [unsupported(kind) for kind in ("gun-truck", "armored-car", "gun-truck")] == [
        False, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize("unit", [
    vehicle("u", at="A1", facing="SSE", spent=4, used=4), vehicle("u", "t-26-m33", "A1", facing="SSE"),
    foot("u", at="A1", spent=1, used=1), foot("u", at="A1"),
])  # fmt: skip
def test_a_unit_that_has_spent_something_may_still_have_to_begin_its_mph(unit: Any) -> None:
    """A unit that paid for loading ends the MPh of one in Motion as it begins its own (D2.4)."""
    board = field({name: {} for name in ("A1", "B1", "C2", "D2")})
    in_motion = vehicle("m", "motorcycles", "D2", mph="moving", spent=1)
    (found,) = reach(place(board, unit, in_motion), ["u"])
    (free,) = reach(place(board, unit), ["u"])

    assert all(found.replay(one) or one.number == 0 for one in found.places)
    assert found.locations == {"A1"} < free.locations


def asked(positions: list[Any], name: str) -> list[Any]:
    """Return the reach of all units in each position, in turn, on a board of that name."""
    found = []
    for one in positions:
        board = Board(name, one.board.locations, one.board.edges, one.board.aliases)
        position = msgspec.structs.replace(one, board=board, pending=())
        ids = [unit.id for unit in position.units]
        for rolls in ("avoid", "pass"):
            every = reach(position, ids, rolls=rolls)
            result = [{(p.at, p.mode): p.spent for p in r.places} for r in every]
            found.append((result, [r.unsupported for r in every]))
    return found


@pytest.mark.slow
@few
@given(asl_positions(largest=4), st.integers(0, 10_000))
def test_what_was_asked_before_changes_nothing(position: Any, seed: int) -> None:
    """A game's positions have the same reach from first to last as from last to first."""
    _, rulings = play(position, Random(seed), 5)
    every = [position, *(r.after for r in rulings if r.after is not None)]
    backwards = asked(every[::-1], "backwards")
    pairs = [backwards[n : n + 2] for n in range(0, len(backwards), 2)]
    assert asked(every, "forwards") == [one for pair in pairs[::-1] for one in pair]
