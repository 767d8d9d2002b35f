"""Indirect fire registered in advance on hexes, usable against units that enter while observed."""

from __future__ import annotations

from typing import Any

import pytest

import marchtable
from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.files.scenes import scene_data
from marchtable.rules.generator import legal_actions
from marchtable_models.panzer.model import Registered
from tests.panzer.scenes import PANZER, after, bars, foe, last, place, rifles, tank, truck
from tests.solver.test_reach import check_reach

THERE = {"registered": (Registered(side="russian", at=("C2",)),)}
EYE = foe("eye", at="A1", observed=True)


def stand(*units: Any, **fields: Any) -> Any:
    """Return a position in which Russians have registered fire on C2, beside the truck in C3."""
    return place(*units, conditions=THERE, **fields)


@pytest.mark.clause("P.move-d")
def test_a_unit_that_enters_a_registered_hex_waits_for_the_enemy() -> None:
    """The enemy decides, fire or hold, before anything else; the fire's effect is an event."""
    position = stand(truck(), EYE)
    ruling = last(position, "move t C2")
    (owed,) = ruling.obligations
    assert (owed.id, owed.clause, owed.unit) == ("registered:t", "P.move-d", "t")
    assert [one.outcome for one in owed.outcomes] == ["held", "fired"]
    assert not owed.has_odds
    assert bars(position, "move t C2", "move t C1") == {"P.move-d"}
    moved = after(position, "move t C2")
    assert {format_action(c.action) for c in legal_actions(moved)} == {
        "settle registered:t held",
        "settle registered:t fired",
    }
    fired = after(moved, "settle registered:t fired")
    assert after(fired, "hit t D fire=registered drawn=enter").unit("t").dispersed == "D"
    assert bars(moved, "settle registered:t held", "hit t D fire=registered") == {"P.move-d"}
    assert last(fired, "move t C1").is_legal
    assert bars(fired, "move t C1", "hit t D fire=registered") == {"P.move-d"}


@pytest.mark.clause("P.move-d")
def test_where_no_registered_fire_is_owed() -> None:
    """Not without an observer, on the observer's own side, beside the hex, or where none is registered."""
    for units, line in (
        ((truck(), foe("eye", at="A1")), "move t C2"),
        ((truck(), foe("eye", at="A1", observed=True, dispersed="D")), "move t C2"),
        ((truck(), EYE), "move t D3"),
    ):
        assert last(stand(*units), line).obligations == ()
        assert bars(stand(*units), line, "hit t D fire=registered") == {"P.move-d"}
    own = {"registered": (Registered(side="german", at=("C2",)),)}
    assert last(place(truck(), EYE, conditions=own), "move t C2").obligations == ()
    assert bars(place(truck()), "hit t D fire=registered") == {"P.move-d"}


@pytest.mark.clause("P.move-d")
@pytest.mark.parametrize(
    ("there", "beyond", "used"),
    [
        ("fired", "held", True), ("held", "fired", True), ("fired", "fired", True), ("held", "held", False),
    ],
)  # fmt: skip
def test_an_overrun_enters_two_registered_hexes(there: str, beyond: str, used: bool) -> None:
    """The enemy decides for each hex of an overrun; fire used in either one hits the unit."""
    both = {"registered": (Registered(side="russian", at=("C2", "C1")),)}
    position = place(tank(), foe("e", at="C2"), EYE, conditions=both)
    ruling = last(position, "overrun k C2")
    assert [owed.id for owed in ruling.obligations] == ["registered:k", "registered-beyond:k"]
    lines = (
        "overrun k C2", f"settle registered:k {there}", f"settle registered-beyond:k {beyond}",
    )  # fmt: skip
    expected = set() if used else {"P.move-d"}
    assert bars(position, *lines, "hit k D fire=registered") == expected
    assert bars(position, *lines, "phase Assault", "hit k D fire=registered") == {"P.move-d"}


@pytest.mark.clause("P.move-d")
def test_its_observer_observes_first() -> None:
    """The observer declares it, and is judged as any observer."""
    position = stand(truck(), foe("eye", at="A1"))
    assert last(position, "observe eye", "move t C2").obligations
    assert bars(stand(truck(), foe("eye", "russian-truck", "A1")), "observe eye") == {"PB.observe"}


@pytest.mark.clause("P.move-d")
def test_a_passenger_shares_it() -> None:
    """Fire at a transport that has entered so affects its passenger too."""
    position = stand(truck(), rifles(aboard="t"), EYE)
    hit = after(position, "move t C2", "settle registered:t fired", "hit t X fire=registered")
    assert (hit.unit("t").at, hit.unit("r").at) == (None, None)


@pytest.mark.clause("P.move-d")
def test_reach_and_plans() -> None:
    """Reach assumes the fire held, or goes another way; a delivery plan avoids such hexes."""
    position = stand(truck(), rifles("r", "C3"), EYE)
    check_reach(position, "t")
    request = {"verb": "reach", "scene": scene_data(position), "unit": "t"}
    passed, avoided = (
        marchtable.answer({**request, "rolls": rolls}) for rolls in ("pass", "avoid")
    )
    assert passed["assumed"] == ["P.move-d"]
    there = [{found_at["at"] for found_at in found["locations"]} for found in (passed, avoided)]
    assert there[0] - there[1] == {"C2"}
    goal = {"format": "marchtable/goal/1", "aims": [{"units": ["t"], "at": ["C2"]}]}
    answer = marchtable.answer({"verb": "plan", "scene": scene_data(position), "goal": goal})
    assert answer["space"]["left_out"] == ["P.move-d"]
    assert answer["status"] != "IMPOSSIBLE"


def test_what_a_scene_may_register() -> None:
    """Existing hexes, of a side in the game."""
    for entry, field in (
        (Registered(side="russian", at=("Z9",)), "conditions.registered[0].at"),
        (Registered(side="zulu", at=("C2",)), "conditions.registered[0].side"),
    ):
        with pytest.raises(BadInputError) as caught:
            PANZER.check_position(place(truck(), foe(), conditions={"registered": (entry,)}))
        assert caught.value.field == field
