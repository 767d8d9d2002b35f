"""Which units can act at all, and which move together."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable import board_by_hand
from marchtable.errors import BadInputError
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    crossing,
    field,
    foot,
    last,
    load,
    place,
    step,
    vehicle,
)

DOINGS = ("inf", "enter u C1"), ("inf", "double-time u"), ("tr", "enter u C1"), ("tr", "turn u SSE")
WOODS = {"terrain": "Woods"}


def broken(state: dict[str, Any], scene: dict[str, Any] | None = None) -> list[set[str]]:
    """Return the clauses violated by each kind of action of a unit in that state."""
    return [bars(step(column, line, scene=scene, **state)) for column, line in DOINGS]


@pytest.mark.clause("A3.3")
def test_units_move_in_their_own_mph() -> None:
    """In its own MPh it can; in another phase or the other side's turn it cannot."""
    assert broken({}) == [set()] * 4
    assert broken({}, {"phase": "AFPh"}) == broken({}, {"side": "russian"}) == [{"A3.3"}] * 4
    assert broken({"side": "russian"}, {"side": "russian"}) == [set()] * 4


@pytest.mark.clause("A3.3")
def test_errors_name_the_turn_or_the_phase() -> None:
    """In an enemy MPh the turn is wrong, not the phase; in its own turn the phase."""
    enemys, own = step(scene={"side": "russian"}), step(scene={"phase": "AFPh"})
    assert [(v.need, v.have) for v in enemys.violations] == [(None, None)]
    assert "Player Turn" in enemys.violations[0].note
    assert [(v.need, v.have) for v in own.violations] == [("MPh", "AFPh")]


@pytest.mark.clause("A4.1a", "A2.5")
def test_a_wreck_does_not_move() -> None:
    """A wreck never moves, on the map or off it; a squad beside it can."""
    for at in ("B1", None):
        ruling = last(place(crossing(), foot(kind="wreck", at=at)), "enter u C1")
        assert "A4.1a" in bars(ruling)
        assert "A2.5" not in cites(ruling)
    assert bars(last(place(crossing(), foot(), foot("w", "wreck")), "enter u C1")) == set()


@pytest.mark.clause("A4.1b")
def test_entry_is_to_an_adjacent_location() -> None:
    """An adjacent hex can be entered; one beyond, its own, and one without access cannot."""
    board = field({"A1": {}, "B1": {}, "C1": {}})
    for unit in (foot(at="A1"), vehicle(at="A1", facing="E")):
        assert bars(last(place(board, unit), "enter u B1")) == set()
        assert bars(last(place(board, unit), "enter u C1")) == {"A4.1b"}
        assert bars(last(place(board, unit), "enter u A1")) == {"A4.1b"}
        assert "A4.1b" in bars(last(place(board, unit), "minimum u C1"))
    far = last(place(board, foot(at="A1")), "enter u C1")
    assert [(v.need, v.have) for v in far.violations] == [(1, 2)]


def test_an_adjacent_hex_without_a_way_in_is_reported() -> None:
    """The answer says that a bridge is entered and left by its road; its own hex gets no number."""
    board = field({"A1": {}, "B1": {}})
    (own,) = last(place(board, foot(at="A1")), "enter u A1").violations
    assert (own.note, own.need) == ("there is no way in from here", None)
    gully = board_by_hand(". . .\n. gu .\n. gu .", road=["A2 B2 C3"], bridge=["B2"])
    (off,) = last(place(gully, foot(at="B2:bridge")), "enter u B1").violations
    assert "only along its road (B6.1)" in off.note


@pytest.mark.clause("A4.2a")
def test_another_units_move_ends_ones_mph() -> None:
    """Once b has moved, a's MPh is over, and b's is not; a declaration is not yet a move."""
    truck, parked = vehicle("t", "tr-4"), vehicle("p", moving=False)
    position = place(crossing(), foot("a"), foot("b"), truck, parked, foot("h", "hero"))
    assert bars(last(position, "enter a C1", "enter b C1", "enter a B1")) == {"A4.2a"}
    assert bars(last(position, "enter a C1", "enter b C1", "enter b B1")) == set()
    assert bars(last(position, "turn t SSE", "enter b C1", "turn t E")) == {"A4.2a"}
    assert bars(last(position, "enter a C1", "end a", "enter a B1")) == {"A4.2a"}
    assert (
        bars(last(position, "enter a C1", "double-time b", "lend h b", "end p", "enter a B1"))
        == set()
    )


@pytest.mark.clause("A4.2b")
def test_who_moves_as_a_stack() -> None:
    """Infantry of one Location and side that has moved alike moves as a stack; vehicles never do."""
    a, b = foot("a"), foot("b")

    def stack(*units: Any, line: str = "enter a,b C1", before: tuple[str, ...] = ()) -> set[str]:
        return bars(last(place(crossing(), *units), *before, line))

    assert stack(a, b) == set()
    assert stack(a, foot("b", at="C2")) == {"A4.2b"}
    assert stack(a, vehicle("b")) == stack(vehicle("a"), vehicle("b")) == {"A4.2b"}
    assert stack(a, b, line="enter a,a C1") == {"A4.2b"}
    assert stack(a, foot("b", side="russian")) == {"A4.2b", "A3.3"}
    assert stack(a, foot("b", at="C1"), before=("enter a C1",), line="enter a,b C2") == {"A4.2b"}
    assert stack(a, b, before=("enter a,b C1",), line="enter a,b B1") == set()
    assert stack(a, b, before=("double-time a",)) == set()


@pytest.mark.clause("A7.8a")
def test_a_pinned_unit_does_not_move() -> None:
    """Pinned Infantry can only end its MPh; a vehicle is unaffected."""
    assert broken({"pinned": True}) == [{"A7.8a"}, {"A7.8a"}, set(), set()]
    assert bars(step("inf", "end u", pinned=True)) == set()


@pytest.mark.clause("A10.4")
def test_a_broken_unit_does_not_move() -> None:
    """Broken Infantry cannot move; unbroken it can."""
    assert broken({"broken": True})[:2] == [{"A10.4"}] * 2
    assert bars(last(place(crossing(), foot(), foot("v", broken=True)), "enter u,v C1")) == {
        "A10.4"
    }
    assert broken({"broken": False})[:2] == [set()] * 2


@pytest.mark.clause("A4.1c", "D2.1c")
def test_a_unit_that_has_fired_or_is_ti_does_not_move() -> None:
    """Prep Fire and TI stop Infantry (A4.1c) and vehicles (D2.1c) alike; concealment does not."""
    for state in ("prep_fired", "ti"):
        assert broken({state: True}) == [{"A4.1c"}] * 2 + [{"D2.1c"}] * 2
    assert broken({"concealed": True}) == [set()] * 4


@pytest.mark.clause("D8.1")
def test_an_immobile_vehicle_does_not_move() -> None:
    """Immobilized or bogged it can neither start, turn nor enter; BU it can."""
    states: tuple[dict[str, Any], ...] = ({"immobile": True}, {"bogged": True})
    for state in states:
        assert broken(state)[2:] == [{"D8.1"}] * 2
        assert bars(last(place(crossing(), vehicle(moving=False, **state)), "start u")) == {"D8.1"}
    assert broken({"bu": True})[2:] == [set()] * 2


@pytest.mark.clause("A4.42e")
def test_a_smc_carries_no_more_than_2_pp() -> None:
    """A SMC moves with at most 2 PP; a squad moves with 3, and can always stay."""
    assert broken({"kind": "leader", "sw": load(2)})[0] == set()
    assert broken({"kind": "leader", "sw": load(3)})[0] == {"A4.42e"}
    assert broken({"kind": "leader", "sw": load(1, 2)})[0] == {"A4.42e"}
    assert broken({"sw": load(3)})[0] == set()
    assert bars(step("inf", "end u", kind="leader", sw=load(3))) == set()


@pytest.mark.clause("D2.7b")
def test_when_the_allotment_is_used_up() -> None:
    """After an entry for everything only Stop and the end remain, after a Minimum Move only the end."""

    def after(line: str, kind: str, then: str) -> set[str]:
        unit = foot(sw=load(6)) if kind == "inf" else vehicle(kind=kind)
        smoke = ("C1",) if kind != "inf" and line.startswith("minimum") else ()
        position = place(crossing(there=WOODS), unit, smoke=smoke)
        settle = () if kind == "inf" else ("settle bog:u mobile",)
        return bars(last(position, line, *settle, then))

    assert after("enter u C1", "tr-8", "stop u") == after("enter u C1", "tr-8", "end u") == set()
    for then in ("turn u NNE", "enter u C2", "start u"):
        assert "D2.7b" in after("enter u C1", "tr-8", then)
    assert after("minimum u C1", "tr-8", "end u") == after("minimum u C1", "inf", "end u") == set()
    assert "D2.7b" in after("minimum u C1", "tr-8", "stop u")
    assert "D2.7b" in after("minimum u C1", "inf", "enter u B1")


@pytest.mark.clause("A12.11")
def test_what_dummies_do() -> None:
    """Beneath concealment they move like real ones; on wheels, or doing more, they are UNSUPPORTED."""
    sham: dict[str, Any] = {"dummy": True, "concealed": True}
    for line in ("enter u C1", "assault u", "double-time u", "minimum u C1", "exit u"):
        assert "A12.11" not in cites(step(line=line, **sham)), line
    assert cites(step(line="smoke u C1 3", **sham)) == {"A12.11"}
    assert cites(step("tr", **sham)) == {"A12.11"}
    assert not cites(step("tr", concealed=True))
    assert step(line="end u", dummy=True, concealed=True).is_legal
    assert step(concealed=True).is_legal
    with pytest.raises(BadInputError, match="a dummy is concealed"):
        ASL.check_position(place(crossing(), foot(dummy=True)))


@pytest.mark.clause("A12.11b")
def test_dummies_that_are_seen() -> None:
    """Seen when a real unit would lose its '?' they are removed; in Assault Movement under cover they stay."""
    enemy = foot("e", side="russian", at="A1", sees=("u",))
    woods: dict[str, Any] = {
        "there": {"terrain": "Woods"},
        "others": (enemy,),
        "concealed": True,
        "dummy": True,
    }
    more: dict[str, Any]
    for more, at in (({}, None), ({"assault": True}, "C1"), ({"others": ()}, "C1")):
        after = step(**{**woods, **more}).after
        assert after is not None
        assert after.unit("u").at == at, more
        ASL.check_position(after)
    after = step(**{**woods, "dummy": False}).after
    assert after is not None
    real = after.unit("u")
    assert (real.at, real.concealment.concealed) == ("C1", False)


@pytest.mark.clause("A12.11c")
def test_dummies_that_run_into_others() -> None:
    """Concealed enemies may require them to show a unit first: UNSUPPORTED; a real unit is sent back."""
    hidden = foot("e", side="russian", at="C1", concealed=True)
    ruling = step(others=(hidden,), concealed=True, dummy=True)
    assert (ruling.status, cites(ruling)) == ("UNSUPPORTED", {"A12.11c"})
    assert step(others=(hidden,), concealed=True).is_legal
    assert step(others=(), concealed=True, dummy=True).is_legal


@pytest.mark.clause("A12.11d")
def test_mf_of_dummies() -> None:
    """As a squad they have 6 MF as if led, plus Double Time; as a leader 6; a real squad has 4."""
    sham: dict[str, Any] = {"dummy": True, "concealed": True}
    assert allotment(place(crossing(), foot(**sham))) == 6
    assert allotment(place(crossing(), foot(double=4, **sham))) == 8
    assert allotment(place(crossing(), foot(kind="leader", **sham))) == 6
    assert allotment(place(crossing(), foot(concealed=True))) == 4


@pytest.mark.clause("A4.1g", "A4.1e")
def test_who_is_held_in_melee() -> None:
    """If so stated it stays; if stated free, or once the enemy is gone, it can move; it can end its MPh."""
    foe = foot("e", side="russian", at="B1")
    assert bars(step(melee="held", others=(foe,))) == {"A4.1g"}
    assert bars(step(line="advance u C1", melee="held", others=(foe,), scene={"phase": "APh"})) == {
        "A4.1g"
    }
    assert step(melee="free", others=(foe,)).is_legal
    assert step(melee="held").is_legal
    assert step(line="end u", melee="held", others=(foe,)).is_legal
    with pytest.raises(BadInputError, match="melee is for Personnel"):
        ASL.check_position(place(crossing(), vehicle(melee="held")))


@pytest.mark.clause("A3.3")
def test_what_a_broken_unit_does_instead_is_said() -> None:
    """Whatever it tries in the RPh and RtPh of either side; another unit learns only of the MPh."""
    for phase, says in (("RPh", "can rally"), ("RtPh", "routs"), ("DFPh", "")):
        for side in ("german", "russian"):
            for line in ("enter u C1", "double-time u", "assault u"):
                scene = place(crossing(), foot(broken=True), phase=phase, side=side)
                (note,) = [one.note for one in last(scene, line).violations if one.clause == "A3.3"]
                assert (says in note) if says else (";" not in note)
    whole = last(place(crossing(), foot(), phase="RPh"), "double-time u").violations
    assert "units move in the MPh" in [one.note for one in whole]


@pytest.mark.clause("A11.15")
def test_a_unit_that_was_free_may_be_held_later() -> None:
    """From the next CCPh it is unknown whether it is held; a held unit stays so."""
    for found, then in (("free", ""), ("held", "held")):
        scene = place(crossing(), foot(melee=found), foot("e", side="russian", at="B1"))
        assert last(scene, "phase DFPh").after.unit("u").status.melee == found
        for line in ("phase CCPh", "phase RPh side=russian"):
            assert last(scene, line).after.unit("u").status.melee == then


@pytest.mark.clause("A4.1e", "A4.1g")
def test_melee_is_stated_after_close_combat() -> None:
    """A unit stated in the CCPh to be free moves on in the next Player Turn; one that is held stays."""
    scene = place(
        crossing(), foot(), foot("e", side="russian", at="B1"), phase="CCPh", side="russian"
    )
    turn = ("phase RPh side=german", "phase MPh")
    assert cites(last(scene, *turn, "enter u C1")) == {"A4.1e"}
    assert "result UNIT held" in last(scene, *turn, "enter u C1").unsupported[0].note
    assert last(scene, "result u free", *turn, "enter u C1").is_legal
    assert bars(last(scene, "result u held", *turn, "enter u C1")) == {"A4.1g"}
    assert last(scene, *turn, "result u free", "enter u C1").is_legal


def test_only_infantry_among_enemies_is_in_melee() -> None:
    """Neither alone, nor among concealed enemies; a unit that was held can be stated to be free."""
    for others in ((), (foot("e", side="russian", at="B1", concealed=True),)):
        with pytest.raises(BadInputError, match=r"Known armed enemy .* \(A11.15\)"):
            last(place(crossing(), foot(), *others), "result u held")
    held = place(crossing(), foot(melee="held"))
    assert last(held, "result u free").after.unit("u").status.melee == "free"
