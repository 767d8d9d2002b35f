"""The generator checked exhaustively, and its own promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marchtable.errors import UnknownNameError
from marchtable.files.notation import format_action
from marchtable.rules.candidates import is_worth_ruling
from marchtable.rules.generator import legal_actions
from marchtable.rules.referee import rule
from marchtable.rules.rulebook import Rulebook, find_rulebook
from marchtable.state.action import Settle
from marchtable.state.position import Position
from marchtable.state.records import struct_from_fields
from marchtable_models.asl.model import AslConditions, AslUnit
from tests.asl.boards import field, foot, load, place
from tests.grids import grid_board
from tests.panzer.strategies import panzer_positions
from tests.solver.oracles import actors, canonical, legal
from tests.strategies import asl_positions, in_play, toy_positions
from tests.toy_scene import scene, walk

if TYPE_CHECKING:
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action

ANY = st.one_of(
    in_play(toy_positions()), asl_positions(), in_play(asl_positions(largest=6)),
    in_play(asl_positions(first=("leader", "squad"), largest=4), most=6),
    in_play(panzer_positions(largest=6)),
)  # fmt: skip


def closed(position: Position[Any, Any], unit: str | None = None) -> list[Action]:
    """Return every action that can be completed, following the joins."""
    waiting, found = legal_actions(position, unit), []
    while waiting:
        choice = waiting.pop()
        if choice.closes:
            found.append(choice.action)
        assert choice.closes or choice.joins
        if choice.joins:
            opened = legal_actions(position, unit, opened=choice.action)
            assert [actors(one.action)[-1] for one in opened] == list(choice.joins)
            waiting += opened
    return found


@settings(max_examples=settings().max_examples // 2)
@given(ANY)
def test_generated_is_what_is_legal(position: Position[Any, Any]) -> None:
    """Every legal action is generated once, identical units not distinguished."""
    by_force = {canonical(position, action) for action in legal(position)}
    generated = [canonical(position, action) for action in closed(position)]
    assert sorted(map(repr, generated)) == sorted(map(repr, by_force))


@settings(max_examples=4)
@given(ANY)
def test_generated_for_a_unit(position: Position[Any, Any]) -> None:
    """For one unit, all it can do or join in is generated, whatever comes before it."""
    by_force = legal(position)
    for unit in position.units:
        own = {
            canonical(position, action) for action in by_force
            if position.pending or unit.id in actors(action)
        }  # fmt: skip
        assert {canonical(position, action) for action in closed(position, unit.id)} == own


def test_pending() -> None:
    """While rolls are pending only the outcomes of the first are generated, for any unit."""
    waiting = rule(scene(), walk("w0 w1", "A2")).after
    settled = [Settle("mud:w0", "through"), Settle("mud:w0", "stuck")]
    assert closed(waiting) == settled[::-1]
    assert [choice.action for choice in legal_actions(waiting, "w2")] == settled


def test_lent_to_one_of_its_like() -> None:
    """A leader who can lend to either of two equal squads is offered it once."""
    plain: dict[str, Any] = {"side": "german", "at": "A1", "nationality": "german"}
    units = (
        struct_from_fields(AslUnit, id="ldr", type="leader", **plain),
        struct_from_fields(AslUnit, id="sqA", type="squad", **plain),
        struct_from_fields(AslUnit, id="sqB", type="squad", **plain),
    )
    position = Position(
        rulebook="asl", board=grid_board(1, 2, [{}, {}]), units=units, side="german", phase="MPh",
        conditions=AslConditions(),
    )  # fmt: skip
    lent = [line for line in map(format_action, closed(position)) if line.startswith("lend")]
    assert lent == ["lend ldr sqA"]


def test_units_that_ease_nothing_are_not_combined(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a stack short of MF without a leader, sets of units are not tried: they are thousands."""
    rulings: list[Action] = []
    judged = Rulebook.rule

    def counted(self: Rulebook[Any, Any], at: Position[Any, Any], action: Action) -> Ruling:
        rulings.append(action)
        return judged(self, at, action)

    kinds = ("squad", "half-squad", "crew")
    units = [
        foot(f"u{n}", kinds[n % 3], "A1", spent=6 + n % 2, mph="moving", sw=load(n % 4))
        for n in range(12)
    ]
    woods = place(field({"A1": {}, "A2": {"terrain": "Woods"}, "B1": {"terrain": "Woods"}}), *units)
    monkeypatch.setattr(Rulebook, "rule", counted)
    legal_actions(woods)
    alone = len(rulings)
    rulings.clear()
    led = woods.with_units([msgspec.structs.replace(units[0], type="leader")])
    assert any("u0" in choice.joins for choice in legal_actions(led, "u1"))
    assert alone < 3000


def test_only_the_side_to_move() -> None:
    """No other side is offered anything, and a unit of the other side has nothing."""
    assert {name for action in closed(scene()) for name in actors(action)} == {"w0", "w1"}
    assert legal_actions(scene(), "w2") == []


def test_order_is_fixed() -> None:
    """The same position gives the same list."""
    again = msgspec.structs.replace(scene())
    assert legal_actions(scene()) == legal_actions(again)


def test_a_ruling_keeps_no_facts() -> None:
    """Facts found for the ruling that follows refer to the position: it lets them go."""
    position, action = scene(), walk("w0 w1", "A2")
    assert is_worth_ruling(find_rulebook(position.rulebook), position, action)
    assert position.__dict__["cases"][0] is action
    assert rule(position, action).is_legal
    assert "cases" not in position.__dict__


def test_unknown_unit() -> None:
    """An unknown unit is rejected."""
    with pytest.raises(UnknownNameError):
        legal_actions(scene(), "w9")
