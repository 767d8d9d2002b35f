"""The referee: how it processes a log, and its report on each step."""

from __future__ import annotations

import msgspec
import pytest

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.notation import format_position
from marchtable.rules.referee import check, rule
from marchtable.state.action import Phase, Settle
from marchtable.state.records import replace
from tests.toy_scene import scene, walk

THROUGH, STUCK = Settle("mud:w0", "through"), Settle("mud:w0", "stuck")


def test_legal_log() -> None:
    """A legal log gives a receipt for each unit and step, and the resulting position."""
    verdict = check(scene(), [walk("w0", "B1"), walk("w0", "A1"), walk("w0 w1", "A2")])
    assert (verdict.status, verdict.stopped, verdict.violations) == ("LEGAL", None, ())
    paid = [(r.step, r.unit, r.amount, r.left) for r in verdict.receipts]
    assert paid == [(0, "w0", 1, 7), (1, "w0", 1, 6), (2, "w0", 5, 1), (2, "w1", 5, 3)]
    assert [o.id for o in verdict.position.pending] == ["mud:w0", "mud:w1"]


def test_empty_log() -> None:
    """An empty log is legal and changes nothing."""
    verdict = check(scene(), [])
    assert (verdict.status, verdict.position, verdict.rulings) == ("LEGAL", scene(), ())


def test_all_violations_are_reported() -> None:
    """A step that violates three clauses has three violations, each with its numbers."""
    tired = [replace(u, at="A1", spent=7) for u in scene().units]
    (ruling,) = check(scene(units=tuple(tired)), [walk("w0 w1 w2", "A2")]).rulings
    found = {(v.clause, v.units, v.need, v.have) for v in ruling.violations}
    crowded = {("T3", (name,), 2, 3) for name in ("w0", "w1", "w2")}
    poor = {("T5", (name,), 5, 1) for name in ("w0", "w1", "w2")}
    assert found == {("T2", ("w2",), None, None)} | crowded | poor
    assert {v.halves for v in ruling.violations if v.clause == "T5"} == {True}


def test_goes_on_after_an_illegal_step() -> None:
    """The next step is judged where an illegal one led, points overspent, and says so."""
    log = [walk("w0", "B2"), walk("w0", "B1"), walk("w0", "A1"), walk("w0", "A2")]
    verdict = check(scene(side="blue"), [walk("w2", "A1"), *log[1:2]])
    assert [(v.step, v.clause, v.after) for v in verdict.violations] == [
        (0, "T3", False), (1, "T2", True)
    ]  # fmt: skip
    spent = [replace(scene().units[0], spent=7), *scene().units[1:]]
    verdict = check(scene(units=tuple(spent)), [walk("w0", "A2"), THROUGH, walk("w0", "A1")])
    assert [(v.step, v.clause, v.after) for v in verdict.violations] == [
        (0, "T5", False), (2, "T5", True)
    ]  # fmt: skip
    assert verdict.position.unit("w0").spent == 14
    assert [r.left for r in verdict.receipts] == [-4, -6]


def test_stops_where_there_is_no_position() -> None:
    """If a step leads to no position the referee stops and names the step."""
    gone = tuple(msgspec.structs.replace(u, at=None) for u in scene().units[:1])
    position = scene(units=gone)
    verdict = check(position, [Phase("Walk"), walk("w0", "A2"), walk("w0", "A1")])
    assert (verdict.status, verdict.stopped, len(verdict.rulings)) == ("ILLEGAL", 1, 2)
    assert verdict.position == position


def test_goes_on_after_unsupported() -> None:
    """Steps after an UNSUPPORTED one are judged, and say that they come after it."""
    log = [walk("w0", "B1"), walk("w0", "B2"), walk("w0", "B1"), walk("w1", "B2")]
    verdict = check(scene(), log)
    assert (verdict.status, verdict.stopped, len(verdict.rulings)) == ("ILLEGAL", None, 4)
    assert [(v.clause, v.step, v.after) for v in verdict.unsupported] == [
        ("T6", 1, False), ("T6", 3, True)
    ]  # fmt: skip
    assert [(v.clause, v.step, v.after) for v in verdict.violations] == [("T2", 3, True)]
    assert check(scene(), log[:3]).status == "UNSUPPORTED"


def test_what_may_hang_on_an_unsupported_step() -> None:
    """A later violation by the same unit leaves the log UNSUPPORTED; an earlier one, or another's, ILLEGAL."""
    doubt, far = walk("w0", "B2"), walk("w0", "A1")
    steps = [walk("w0", "B1"), doubt]
    after = check(scene(), [*steps, far])
    assert [(v.step, v.after) for v in after.violations] == [(2, True)]
    assert after.status == "UNSUPPORTED"
    assert check(scene(), [*steps, walk("w1", "B2")]).status == "ILLEGAL"
    assert check(scene(), [far, *steps]).status == "ILLEGAL"


def test_a_broken_clause_outweighs_an_unmodelled_one() -> None:
    """A step that is illegal whatever the unmodelled clause says is ILLEGAL."""
    stuck = tuple(msgspec.structs.replace(u, stuck=True) for u in scene().units)
    ruling = rule(scene(units=stuck), walk("w0", "B2"))
    assert (ruling.status, ruling.is_legal) == ("ILLEGAL", False)
    assert [v.clause for v in ruling.unsupported] == ["T6"]


def test_pending_rolls_come_first() -> None:
    """While a roll is pending all else is rejected, with its clause, even a change of phase."""
    waiting = rule(scene(), walk("w0", "A2")).after
    for action in (walk("w1", "B1"), walk("w0", "A1"), Phase("Rest")):
        ruling = rule(waiting, action)
        assert [(v.clause, v.units) for v in ruling.violations] == [("T4", ("w0",))]
        assert ruling.after is None
    assert rule(waiting, STUCK).after.unit("w0").stuck
    assert not rule(waiting, THROUGH).after.unit("w0").stuck


def test_several_rolls() -> None:
    """Each pending roll is settled in turn; after the last one play goes on."""
    log = [walk("w0 w1", "A2"), THROUGH, Settle("mud:w1", "stuck"), walk("w1", "A1")]
    verdict = check(scene(), log)
    assert [ruling.status for ruling in verdict.rulings] == ["LEGAL"] * 3 + ["ILLEGAL"]
    assert [v.clause for v in verdict.violations] == ["T2"]
    assert verdict.position.pending == ()


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        (walk("w9", "A2"), UnknownNameError, "no unit 'w9'"),
        (walk("w0", "Z9"), UnknownNameError, "no hex 'Z9'"),
        (walk("", "A2"), BadInputError, "at least one walker"),
        (Phase("Flight"), BadInputError, "no phase 'Flight' .phases: Walk, Rest"),
        (Settle("mud:w0", "through"), UnknownNameError, "'mud:w0' is pending .nothing is"),
    ],
)
def test_unknown_names(action: object, error: type[Exception], message: str) -> None:
    """An unknown name is bad input, not an illegal step."""
    with pytest.raises(error, match=message):
        rule(scene(), action)  # type: ignore[arg-type]


def test_unknown_name_in_a_log() -> None:
    """The error names the entry of the log."""
    with pytest.raises(UnknownNameError) as caught:
        check(scene(), [walk("w0", "B1"), THROUGH])
    assert caught.value.field == "log[1]"


def test_unknown_outcome() -> None:
    """An impossible outcome of a roll is rejected."""
    waiting = rule(scene(), walk("w0", "A2")).after
    with pytest.raises(
        BadInputError, match="cannot come out 'dry'; expected one of through, stuck"
    ):
        rule(waiting, Settle("mud:w0", "dry"))


def test_phase() -> None:
    """A change of phase is an entry of a log; it states whose Player Turn begins."""
    verdict = check(scene(), [walk("w0", "B1"), Phase("Walk", side="blue"), walk("w2", "A2")])
    assert (verdict.status, verdict.position.side) == ("LEGAL", "blue")
    assert verdict.position.unit("w0").spent == 0


def test_in_short() -> None:
    """A position, an action, a ruling and a verdict print as a few lines."""
    tired = [replace(u, at="A1", spent=7) for u in scene().units]
    position = scene(units=tuple(tired))
    verdict = check(position, [walk("w0", "B1"), walk("w0 w1 w2", "A2")])
    legal, illegal = map(str, verdict.rulings)

    assert str(position) == format_position(position)
    assert str(walk("w0", "B1")) == "walk w0 B1"
    assert legal.splitlines()[0] == "LEGAL walk w0 B1"
    assert "  w0: 0.5 " in legal
    assert illegal.splitlines()[0] == "ILLEGAL walk w0,w1,w2 A2"
    assert all(f"  {one.clause}: " in illegal for one in verdict.rulings[1].violations)
    assert str(verdict) == f"0. {legal}\n1. {illegal}"
