"""Reasons and offers that players read: what is not modelled, what bars the nearest attempt, what to do instead."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.answers.verdicts import check_answer
from marchtable.errors import BadInputError
from marchtable.files.logs import log_of
from marchtable.play.options import options
from marchtable.report.check import odds_text
from marchtable.web.hexes import facts
from marchtable_models.asl.model import UnitType
from tests.asl.boards import bars, crossing, field, foot, judge, last, place, vehicle

ROW = field({name: {} for name in ("A1", "A2", "B1", "C1", "C2", "D1")})
GUN = UnitType(name="gun", class_="gun", mm=75, m_number=11, circled=True, qsu=True)


def offered(position: Any, unit: str) -> dict[str, Any]:
    """Return a unit's options without its reach."""
    found: dict[str, Any] = options(position, unit, reach=False)["units"][0]
    return found


def note(position: Any, unit: str, verb: str) -> str:
    """Return why a unit cannot do something."""
    (found,) = (one for one in offered(position, unit)["barred"] if one["verb"] == verb)
    return str(found["note"])


def actions(position: Any, unit: str) -> list[str]:
    """Return a unit's actions."""
    return [one["action"] for one in offered(position, unit)["actions"]]


def towed(*units: Any, **fields: Any) -> Any:
    """Return a position with a Gun in tow and others beside it."""
    tractor = vehicle("t", "spw-250", **{"moving": False, "towing": "g", **fields})
    return place(ROW, tractor, foot("g", "gun", towed_by="t"), *units, types=(GUN,))


def test_what_is_not_modelled_is_said_in_words() -> None:
    """In the reason, the message and the options: the clause's title, not its id alone."""
    position = place(ROW, foot("g", "gun"), types=(GUN,))
    found = check_answer(position, log_of(["enter g C1"], position))
    (fault,) = found["unsupported"]
    title = "Pushing a Gun by moving it: use `push`, which names the crew"
    assert (fault["clause"], fault["reason"]) == ("C10.3g", f"not modelled: {title}")
    assert fault["message"] == f"g (B1 to C1): C10.3g applies here but is not modelled: {title}."
    assert {one["note"] for one in offered(position, "g")["unsupported"]} == {title}


def test_infantry_beside_a_gun_is_offered_to_push_it() -> None:
    """Not one in tow, and nobody pushes where there is none."""
    position = place(ROW, foot("c", "crew"), foot("g", "gun"), types=(GUN,))
    assert {"push c g A1", "push c g C1"} <= {*actions(position, "c")}
    assert last(position, "push c g C1").is_legal
    assert not [one for one in actions(position, "g") if one.startswith("push")]
    assert not [one for one in actions(towed(foot("c", "crew")), "c") if one.startswith("push")]


def test_the_reason_is_that_of_the_attempt_that_comes_nearest() -> None:
    """The crew that is there has spent too much; a Gun beside it is no crew at all."""
    tired = foot("c", "crew", spent=6, used=6, mph="moving")
    assert note(towed(tired), "t", "unhook") == "the crew has spent too much"
    assert note(towed(), "t", "unhook").startswith("no crew, half squad or squad")
    for unit in ("g", "c"):
        assert note(towed(foot("c", "crew")), unit, "unhook").endswith("`unhook VEHICLE CREW`")
        assert note(towed(foot("c", "crew")), unit, "hook").endswith("`hook VEHICLE GUN CREW`")


@pytest.mark.clause("D6.5a", "D6.5c")
def test_a_vehicle_named_instead_of_its_load() -> None:
    """However much it has spent; a loaded one is asked who gets off."""
    spent: dict[str, Any] = {
        "kind": "opel-blitz",
        "moving": False,
        "spent": 50,
        "used": 50,
        "mph": "moving",
    }
    empty = place(ROW, vehicle("t", **spent))
    assert note(empty, "t", "unload") == "it carries nobody"
    full = place(ROW, vehicle("t", **spent), foot("u", aboard="t"))
    assert note(full, "t", "unload").startswith("a vehicle does not leave itself")
    assert note(full, "u", "unload") == "too much of its MP is spent"


def test_a_broken_unit_is_not_pinned() -> None:
    """An unbroken one can be."""
    broken = place(crossing(), foot(broken=True))
    with pytest.raises(BadInputError, match="expected an unbroken unit"):
        judge(broken, "result u pinned")
    assert judge(place(crossing(), foot()), "result u pinned").status == "LEGAL"


def test_disbanding_is_no_move_of_an_impulse() -> None:
    """The error names the actions that leave a line."""
    units = [vehicle(f"t{n}", "opel-blitz", at=at, convoy="c", rank=n, moving=True)
             for n, at in ((1, "C1"), (2, "B1"))]  # fmt: skip
    position = place(ROW, *units)
    with pytest.raises(BadInputError, match="write `leave VEHICLE` before it"):
        judge(position, "impulse t1 disband stay")


def test_who_wants_to_leave_its_convoy_is_asked_what_it_sees() -> None:
    """The note says what to write, and then the vehicle leaves."""
    units = [vehicle(f"t{n}", "opel-blitz", at=at, convoy="c", rank=n, moving=True)
             for n, at in ((1, "C1"), (2, "B1"))]  # fmt: skip
    position = place(ROW, *units, foot("e", at="D1", side="russian"))
    (open_,) = (
        one for one in offered(position, "t2")["unsupported"] if one["action"] == "leave t2"
    )
    assert open_["clauses"] == ["E11.251a"]
    assert "`sight VEHICLE of=ENEMY,…`" in open_["note"]
    assert last(position, "sight t2 of=e", "leave t2").is_legal
    assert bars(last(position, "sight t2 not_of=e", "leave t2")) == {"E11.251a"}


@pytest.mark.clause("A4.11b")
def test_whoever_leaves_the_road_reads_that_the_bonus_is_lost() -> None:
    """One MF is left after four hexes of road, but not for a hex off it."""
    hexsides = {f"{a}-{b}": {"road": "Dirt Road"} for a, b in (("A1", "B1"), ("B1", "C2"))}
    board = field({name: {} for name in ("A1", "B1", "C1", "C2", "B2")}, hexsides)
    along = foot(at="B1", previous="A1", spent=8, used=8, mph="moving", road=True)
    assert last(place(board, along), "enter u C2").is_legal
    (fault,) = last(place(board, along), "enter u C1").violations
    assert fault.note == "not enough MF left: the road bonus is lost off the road"
    off = foot(at="B1", previous="A1", spent=8, used=8, mph="moving", road=False)
    (fault,) = last(place(board, off), "enter u C1").violations
    assert fault.note == "not enough MF left"


def test_a_hex_is_inspected_as_the_rules_take_it() -> None:
    """What else is painted in it is listed apart, and hexside terrain only at its hexsides."""
    also = (("Open Ground", 69), ("Hedge", 2))
    hexes: dict[str, Any] = {
        "B1": {"terrain": "Wooden Building", "also": also}, "C1": {}, "C2": {},
    }  # fmt: skip
    board = field(hexes, {"B1-C1": {"terrain": "Hedge"}})
    found = facts(board, "B1")
    assert (found["terrain"], found["also"]) == ("Wooden Building", [])
    assert found["drawn"] == ["Open Ground (69 %)"]
    assert [one["words"] for one in found["sides"] if one["to"] == "C1"] == [["Hedge"]]


def test_what_cannot_come_of_a_roll_is_not_listed() -> None:
    """A Gun pushed with much help cannot fail to go on."""
    chances = {"goes": 33, "stops": 3, "fails": 0}
    outcomes = [{"outcome": name, "chance": n, "of": 36} for name, n in chances.items()]
    assert odds_text(outcomes) == "goes 33/36, stops 3/36"
