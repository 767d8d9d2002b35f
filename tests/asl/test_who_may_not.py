"""Prohibitions: wagons and motorcycles in Reverse, Cavalry aboard, Guns in deep streams, and the like."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.files.notation import parse_action
from marchtable.state.position import Obligation, Odds
from marchtable_models.asl.data import unit_types
from tests.asl.boards import ASL, bars, field, foot, last, load, place, step, vehicle


@pytest.mark.clause("D2.2a")
@pytest.mark.parametrize("kind", ["motorcycles", "wagon"])
def test_what_has_no_reverse_does_not_go_backwards(kind: str) -> None:
    """A motorcycle or wagon that a scene puts in Reverse can enter nothing."""
    ruling = step("mc" if kind == "motorcycles" else "hd", "enter u A1", kind=kind, reverse=True)
    assert "D2.2a" in bars(ruling)
    assert "D2.2a" not in bars(step("tr", "enter u A1", reverse=True))


@pytest.mark.clause("A4.61e")
@pytest.mark.parametrize(("log", "barred"), [((), set()), (("assault u",), {"A4.61e"})])
def test_assault_movement_boards_nothing(log: Any, barred: set[str]) -> None:
    """A unit that declared Assault Movement stays Infantry all through the MPh."""
    truck = vehicle("t", "opel-blitz", at="B1", moving=False)
    position = place(field({"B1": {}}), foot(), truck)
    assert bars(last(position, *log, "load u t")) == barred


@pytest.mark.clause("D6.4d")
def test_cavalry_boards_no_truck() -> None:
    """Cavalry cannot board a vehicle; Infantry can."""
    truck = vehicle("t", "opel-blitz", at="B1", moving=False)
    position = place(field({"B1": {}}), foot(kind="cavalry"), truck)
    assert "D6.4d" in bars(last(position, "load u t"))


@pytest.mark.clause("C10.1c")
def test_no_gun_is_towed_into_a_deep_stream() -> None:
    """A vehicle with a Gun in tow cannot enter a deep stream, but a shallow one."""
    for depth, barred in (("Deep", True), ("Shallow", False)):
        there = {"terrain": f"{depth} Stream", "depression": f"{depth} Stream", "level": -1}
        position = place(
            field({"B1": {}, "C1": there}), vehicle("u", "spw-251", towing="g"), _gun("g", "u")
        )
        assert ("C10.1c" in bars(last(position, "enter u C1"))) is barred


GUN = next(kind.name for kind in unit_types().values() if kind.class_ == "gun")


def _gun(name: str, by: str) -> Any:
    return foot(name, GUN, at="B1", towed_by=by)


@pytest.mark.clause("E1.53a")
def test_the_movement_dr_is_the_mphs() -> None:
    """In the APh no Movement DR is due: a unit away from any road can advance at night."""
    position = place(field({"B1": {}, "C1": {}}), foot(), nvr=3, phase="APh")
    assert "E1.53a" not in bars(last(position, "advance u C1"))


@pytest.mark.clause("E1.52b")
def test_a_blind_crew_may_open_up() -> None:
    """With a NVR of 0 a buttoned-up AFV can become CE."""
    position = place(field({"B1": {}}), vehicle("u", "spw-251", bu=True, moving=False), nvr=0)
    assert "E1.52b" not in bars(last(position, "hatch u ce"))
    assert "E1.52b" in bars(last(position, "start u"))


def test_a_pending_roll_that_cannot_be_read() -> None:
    """An invented outcome in a scene is rejected in one line."""
    odd = Obligation("unbog:u", "D8.3a", "u", (Odds("freed-x", 1, 1),))
    position = place(field({"B1": {}}), vehicle(bogged=True), pending=(odd,))
    with pytest.raises(BadInputError, match="freed-4"):
        ASL.rule(position, parse_action("settle unbog:u freed-x", ASL))


@pytest.mark.clause("A4.44b")
def test_cavalry_recovers_nothing() -> None:
    """Cavalry cannot recover a lying SW."""
    position = place(field({"B1": {}}), foot(kind="cavalry", sw=load(1)))
    dropped = last(position, "drop u SW0")
    assert not last(dropped.after, "recover u SW0").is_legal


@pytest.mark.clause("C10.12b")
@pytest.mark.parametrize(
    ("spent", "esb", "barred"), [(16, 0, False), (18, 2, True), (16, 2, False)]
)
def test_excessive_speed_pays_for_no_unhooking(*, spent: int, esb: int, barred: bool) -> None:
    """Half the unhooking MP must remain without those of Excessive Speed."""
    found: Any = {"moving": False, "mph": "moving", "spent": spent, "used": spent, "esb": esb}
    position = place(
        field({"B1": {}}),
        vehicle("u", "spw-251", towing="g", **found),
        _gun("g", "u"),
        foot("k", "crew", aboard="u"),
    )
    assert ("C10.12b" in bars(last(position, "unhook u k"))) is barred


@pytest.mark.parametrize(
    ("line", "clause", "note"),
    [
        pytest.param("hook t u v", "C10.11a", "the unit named as the Gun is not a Gun"),
        pytest.param("hook t away v", "C10.11a", "the Gun is not in the vehicle's Location"),
        pytest.param("hook t theirs v", "C10.11a", "the unit named as the Gun is not of the vehicle's side"),
        pytest.param("hook u g v", "C10.11a", "only a vehicle hooks up or unhooks a Gun: `hook VEHICLE GUN CREW`"),
        pytest.param("portee t u v", "C10.5a", "the unit named as the Gun is not a Gun"),
        pytest.param("load u v", "D6.4d", "the unit to board is not a vehicle (horses and motorcycles are mounted: `mount`)"),
        pytest.param("load u their-truck", "D6.4d", "it boards only a vehicle of its own side"),
        pytest.param("load u far-truck", "D6.4d", "it must be in the vehicle's Location"),
        pytest.param("unload u", "D6.5a", "it is not aboard a vehicle"),
        pytest.param("unload u,v", "D6.5a", "they are not all aboard one vehicle, to leave it as a stack"),
        pytest.param("mount u t", "D15.41a", "the unit to mount is neither horses nor motorcycles (a vehicle is boarded: `load`)"),
        pytest.param("dismount u", "A13.31e", "`dismount` names the horses or motorcycles that are ridden"),
        pytest.param("man u v", "D5.42a", "the unit to man is not a vehicle"),
        pytest.param("man u t", "D5.42a", "only an Abandoned vehicle is manned"),
    ],
)  # fmt: skip
def test_a_wrong_kind_of_object_is_named(line: str, clause: str, note: str) -> None:
    """The message says what is wrong with the unit named: its kind, its side or its place."""

    def truck(name: str, **fields: Any) -> Any:
        return vehicle(name, "opel-blitz", **{"at": "B1", "moving": False, **fields})

    position = place(
        field({"B1": {}, "C1": {}}),
        foot("u"), foot("v"), foot("g", GUN), foot("away", GUN, at="C1"),
        foot("theirs", GUN, side="russian"), truck("t"), truck("their-truck", side="russian"),
        truck("far-truck", at="C1"),
    )  # fmt: skip
    ruling = last(position, line)
    assert note in [violation.note for violation in ruling.violations if violation.clause == clause]
