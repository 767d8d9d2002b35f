"""Effects of the start of a phase on units, counters and the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.answers.verdicts import check_answer
from marchtable.files.notation import parse_action
from marchtable.files.scenes import position_of
from marchtable.state.position import Counter
from marchtable_models.asl.model import AslConditions
from marchtable_models.asl.rules import infantry_mf
from tests.asl.boards import ASL, bars, crossing, foot, last, load, place, vehicle

if TYPE_CHECKING:
    from marchtable.rules.ruling import Ruling
    from marchtable_models.asl.model import AslUnit

WOODS = {"terrain": "Woods"}


def begun(line: str, *units: AslUnit, **scene: Any) -> Ruling:
    """Return the ruling on the start of a phase."""
    return last(place(crossing(there=WOODS), *units, **scene), line)


def changes(ruling: Ruling) -> list[tuple[str, str, str, Any]]:
    """Return the changes made by clauses."""
    return [(e.clause, e.unit, e.field, e.value) for e in ruling.effects]


@pytest.mark.clause("A3")
def test_phases_follow_in_their_order() -> None:
    """Going back to the MPh restores no MF; a later phase, or Player Turn, can begin."""
    for line in ("phase MPh", "phase MPh side=german", "phase PFPh", "phase RPh side=german"):
        assert bars(begun(line, foot())) == {"A3"}
    for line in ("phase DFPh", "phase CCPh", "phase MPh side=russian", "phase RPh side=russian"):
        assert begun(line, foot()).is_legal


@pytest.mark.clause("A3b")
def test_player_turns_are_those_of_two_sides() -> None:
    """Of the scene's two sides; if it states only one, the other can have any name."""
    both = (foot(), foot("e", side="russian", at="C1"))
    for side in ("russian", "german"):
        assert begun(f"phase CCPh side={side}", *both).is_legal
    for result in ({}, {"conditions": AslConditions(first_side="russian")}):
        (found,) = begun(
            "phase RPh side=martian", *(both if not result else both[:1]), **result
        ).violations
        assert (found.clause, found.need, found.have) == ("A3b", "german or russian", "martian")
    position = place(crossing(), foot())
    assert last(position, "phase RPh side=martian").is_legal
    assert bars(last(position, "phase RPh side=martian", "phase MPh side=russian")) == {"A3b"}


@pytest.mark.clause("A4.51")
def test_cx_comes_off_as_the_units_own_mph_begins() -> None:
    """It comes off, and is remembered for that MPh; in other phases and the enemy's MPh it stays."""
    tired = foot(cx=True)
    own = begun("phase MPh", tired, phase="PFPh")
    assert changes(own) == [("A4.51", "u", "cx", False), ("A4.51", "u", "was_cx", True)]
    assert changes(begun("phase MPh", foot(was_cx=True), phase="PFPh")) == [
        ("A4.51", "u", "was_cx", False)
    ]
    for line in ("phase PFPh", "phase AFPh", "phase MPh side=russian"):
        assert begun(line, tired, phase="RPh").after.unit("u").status.cx
    rested = foot(was_cx=True)
    assert begun("phase DFPh", rested).after.unit("u").status.was_cx


@pytest.mark.clause("A7.8b")
def test_a_pin_ends_with_the_ccph() -> None:
    """At the start of the next Player Turn, of either side, the pin is removed; until then it stays."""
    pinned = foot(pinned=True)
    for line, phase in (
        ("phase RPh side=russian", "CCPh"),
        ("phase MPh side=russian", "MPh"),
    ):
        assert changes(begun(line, pinned, phase=phase)) == [("A7.8b", "u", "pinned", False)]
    for line, phase in (
        ("phase DFPh", "MPh"),
        ("phase CCPh", "APh"),
        ("phase CCPh side=german", "MPh"),
    ):
        assert begun(line, pinned, phase=phase).after.unit("u").status.pinned
    assert changes(begun("phase RPh side=russian", foot(), phase="CCPh")) == []


@pytest.mark.clause("A7.8a", "A7.8b", "A4.51")
def test_a_squad_pinned_by_its_minimum_move_moves_again_next_turn() -> None:
    """After the enemy's Player Turn it is neither pinned nor CX and can move."""
    position = place(crossing(there=WOODS), foot(sw=load(6)))
    move, on = "minimum u C1", "enter u B1"
    assert "A7.8a" in bars(last(position, move, on))
    assert last(
        position, move, "phase CCPh", "phase RPh side=russian", "phase MPh side=german", on
    ).is_legal


@pytest.mark.clause("A4.1d")
def test_a_unit_that_has_fired_may_move_in_the_next_player_turn() -> None:
    """Prep Fire and TI last until another Player Turn begins, not longer."""
    units = foot(prep_fired=True), vehicle("v", ti=True)
    over = begun("phase RPh side=russian", *units, phase="CCPh")
    assert changes(over) == [("A4.1d", "u", "prep_fired", False), ("A4.1d", "v", "ti", False)]
    for line in ("phase MPh", "phase CCPh side=german"):
        later = begun(line, *units, phase="PFPh").after
        assert (later.unit("u").status.prep_fired, later.unit("v").status.ti) == (True, True)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("first", "turns"), [("german", [1, 2]), ("russian", [2, 2]), ("", [1, 2])]
)
def test_the_turn_goes_up_as_the_side_that_moves_first_begins(
    order: int, first: str, turns: list[int]
) -> None:
    """Whichever side is listed first; if none is named, the side in whose Player Turn the scene begins."""
    units = (foot(), foot("e", side="russian", at="A1"))[::order]
    position = place(crossing(), *units, conditions=AslConditions(first_side=first), phase="CCPh")
    log = (
        "phase RPh side=russian",
        "phase MPh",
        "phase DFPh side=russian",
        "phase RPh side=german",
        "phase MPh side=german",
    )

    assert [last(position, *log[:n]).after.turn for n in (3, 5)] == turns


def test_counters_lapse() -> None:
    """A counter for the phase is removed with it, one for the turn with the Player Turn."""
    position = place(crossing(), foot(), phase="APh", counters=tuple(
        Counter(kind="smoke", at=at, until=until)
        for at, until in (("A1", "phase"), ("B1", "turn"), ("C1", "game"))
    ))  # fmt: skip

    def left(*log: str) -> list[str]:
        return [counter.at for counter in last(position, *log).after.counters]

    assert left("phase CCPh") == left("phase CCPh side=german") == ["B1", "C1"]
    assert left("phase CCPh", "phase RPh side=russian") == ["C1"]


# -- scenes that start in the MPh ------------------------------------------------------------------


def opened(**fields: Any) -> Any:
    """Return the squad of a scene that starts in its own MPh, as read."""
    given = {"id": "u", "side": "german", "type": "4-6-7", "at": "A1", "cx": True, **fields}
    scene: dict[str, Any] = {"rulebook": "asl", "side": "german", "phase": "MPh", "units": [given]}
    scene |= {
        "format": "marchtable/scene/2",
        "board": {"name": "b", "rows": "    A  B\n 1  .  .\n"},
    }
    return position_of(scene, source="scene")


@pytest.mark.clause("A4.51")
def test_cx_as_a_scene_starts_in_the_mph() -> None:
    """It is from the turn before: it comes off, forbids Double Time, and the answer says so."""
    position = opened()
    given = position.unit("u").status
    assert (given.cx, given.was_cx) == (False, True)
    assert bars(last(position, "double-time u")) == {"A4.5b"}
    assert last(position, "enter u B1").is_legal
    (line,) = check_answer(position, [parse_action("enter u B1", ASL)])["assumed"]
    assert "u is no longer CX" in line
    assert check_answer(opened(cx=False), [parse_action("enter u B1", ASL)])["assumed"] == []


@pytest.mark.clause("A4.51")
@pytest.mark.parametrize(
    "since", [{"double": 2}, {"mph": "moving"}, {"side": "russian"}, {"mph": "done"}]
)
def test_cx_since_the_mph_began(since: dict[str, Any]) -> None:
    """A unit that declared Double Time or has moved is CX now, and so is one of the inactive side."""
    given = opened(**since).unit("u").status
    assert (given.cx, given.was_cx) == (True, False)


@pytest.mark.clause("B11.434", "A4.51")
def test_cx_of_a_climber_as_a_scene_starts() -> None:
    """A unit on a cliff stays CX whatever the phase; who stands beside it does not."""
    units = foot(cx=True, inside="cliff"), foot("v", cx=True)
    scene = place(crossing(), *units)
    position = infantry_mf.opened(scene, ASL.edition(scene))
    assert [unit.status.cx for unit in position.units] == [True, False]
