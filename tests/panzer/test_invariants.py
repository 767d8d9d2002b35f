"""Random phases: invariants after any legal actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from marchtable.files.notation import (
    action_of,
    format_action,
    format_position,
    parse_action,
    parse_position,
)
from marchtable.files.scenes import position_of, scene_data
from marchtable.rules.generator import legal_actions
from marchtable_models.panzer.rules.hits import Hit
from marchtable_models.panzer.rules.removal import thrown_pairs
from marchtable_models.panzer.rules.stack_order import stack_order
from marchtable_models.panzer.views.units import passengers, type_of
from tests.panzer.scenes import PANZER, bars
from tests.panzer.strategies import panzer_positions

if TYPE_CHECKING:
    from marchtable.state.position import Position

WAYS = tuple(
    f"{result} fire={fire}" for result in ("D", "DD", "X") for fire in ("direct", "indirect")
)


def steps(data: st.DataObject, most: int = 8) -> Any:
    """Yield positions along a random log of legal actions and results of fire, with what was done."""
    position: Any = data.draw(panzer_positions(modelled=True))
    for _ in range(data.draw(st.integers(1, most))):
        choices = [choice.action for choice in legal_actions(position)]
        if data.draw(st.integers(0, 4)) == 0:
            unit = data.draw(st.sampled_from(position.units))
            way = data.draw(st.sampled_from(WAYS))
            choices = [parse_action(f"hit {unit.id} {way}", PANZER)]
        if not choices:
            return
        action = data.draw(st.sampled_from(choices))
        ruling = PANZER.rule(position, action)
        if ruling.is_legal:
            yield position, action, ruling.after
            position = ruling.after


@given(st.data())
def test_what_always_holds(data: st.DataObject) -> None:
    """Passengers are with their transport, spending is within bounds, and no unit is aboard a carried one."""
    for before, action, after in steps(data):
        PANZER.check_position(after)
        for unit in after.units:
            mf = type_of(after, unit).mf * 2
            assert 0 <= unit.spent <= mf
            if unit.task == "unload" and not (unit.final or before.unit(unit.id).task == "load"):
                assert unit.spent <= mf // 4 * 2
            cargo = passengers(after, unit)
            many = dict(after.readings).get("B7") == "any"
            assert many or len(cargo) <= max(1, len(passengers(before, unit)))
            for passenger in cargo:
                assert passenger.at == unit.at is not None
            if unit.fired == "now" and before.unit(unit.id).fired != "now":
                assert unit.aboard is None
        moved = [u for u in after.units if u.at != before.unit(u.id).at and u.at is not None]
        if not format_action(action).startswith("move"):
            assert moved == []


@given(st.data())
def test_dispersal_is_shared(data: st.DataObject) -> None:
    """After DD on a transport no unit is aboard; after X neither it nor its passenger is left."""
    for before, action, after in steps(data):
        if isinstance(action, Hit):
            cargo = [after.unit(u.id) for u in passengers(before, before.unit(action.unit))]
            if action.result == "DD":
                assert all(u.aboard is None and u.dispersed == "DD" for u in cargo)
                assert all((before.unit(u.id).at, action.unit) == (u.at, u.thrown) for u in cargo)
            elif action.result == "X":
                assert all(u.at is None and u.aboard is None for u in cargo)


@given(st.data())
def test_debts_come_first(data: st.DataObject) -> None:
    """While one of a pair must go, its owner can only remove one of them."""
    for _, _, after in steps(data):
        if bars(after, "phase Assault") >= {"P.dd-b"}:
            pair = {u.id for pair in thrown_pairs(after) for u in pair}
            offers = [choice.action for choice in legal_actions(after)]
            assert offers
            assert {format_action(a).split()[0] for a in offers} == {"remove"}
            assert {a.unit for a in offers} <= pair  # type: ignore[attr-defined]


@given(st.data())
def test_loaded_pairs_lie_together(data: st.DataObject) -> None:
    """A unit loaded in this phase is directly beneath its transport."""
    for _, action, after in steps(data):
        if format_action(action).startswith("load"):
            order = [u.id for u in stack_order(after, after.unit(action.unit).at)]
            assert order.index(action.unit) + 1 == order.index(action.passenger)


@given(st.data())
def test_there_and_back(data: st.DataObject) -> None:
    """Positions and actions of a phase survive files and one-line notations."""
    for before, action, after in steps(data, 3):
        assert parse_action(format_action(action), PANZER) == action
        assert action_of(format_action(action), PANZER) == action
        for position in (before, after):
            assert position == position_of(scene_data(position), source="test")
            assert position == parse_position(format_position(position), position.board)


def more(position: Position[Any, Any], mf: int) -> Any:
    """Return the position with every vehicle's movement factor raised."""
    from msgspec.structs import replace

    types = tuple(replace(kind, mf=kind.mf + mf) for kind in position.conditions.types)
    return replace(position, conditions=replace(position.conditions, types=types))


@given(panzer_positions(modelled=True), st.integers(1, 4))
def test_more_movement_bars_nothing(position: Position[Any, Any], mf: int) -> None:
    """A higher movement factor makes no legal action illegal."""
    faster = more(position, mf)
    for choice in legal_actions(position):
        assert PANZER.rule(faster, choice.action).is_legal
