"""The PRC of a destroyed vehicle."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.state.position import Odds
from marchtable.state.records import field_of, replace
from marchtable_models.asl.model import SupportWeapon, UnitType
from tests.asl.boards import ASL, bars, cites, crossing, foot, judge, last, place, vehicle

MG = SupportWeapon(name="LMG", pp=1)
TYPE = UnitType(
    name="t", class_="vehicle", column="ht", mp=9, afv=True, pp=15, role="tank", survival=5
)


def lost(by: str = "fire", **fields: Any) -> Any:
    """Return the ruling on the loss of a halftrack at B1 with a squad of 1 PP aboard."""
    units = (vehicle("v", "t", sw=(MG,)), foot(aboard="v", sw=(MG,), **fields))
    return judge(place(crossing(), *units, types=(TYPE,), year=1943), f"destroy v {by}").rulings[-1]


@pytest.mark.clause("D6.9a")
def test_each_unit_has_a_survival_dr() -> None:
    """CS 5: 10 of 36 throws survive, on foot there; the others are lost, and all if it burns."""
    (due,) = lost().obligations
    assert (due.id, due.outcomes) == (
        "survival:u",
        (Odds("survives", 10, 36), Odds("dies", 26, 36)),
    )
    alive = last(lost().after, "settle survival:u survives").after.unit("u")
    assert (alive.at, alive.cargo.aboard) == ("B1", None)
    dead = last(lost().after, "settle survival:u dies").after.unit("u")
    assert (dead.at, dead.cargo.aboard) == (None, None)
    for by in ("cc", "burning"):
        ruling = lost(by)
        assert ruling.obligations == ()
        assert ruling.after.unit("u").at is None
    assert lost().after.unit("v").type == "wreck"
    ASL.check_position(lost().after)  # they are still aboard, their DR due
    rider = last(lost(riding=True).after, "settle survival:u dies").after
    assert not rider.unit("u").cargo.riding
    ASL.check_position(rider)
    assert bars(judge(alive_position(), "enter u C1").rulings[0]) == set()


def alive_position() -> Any:
    """Return the position after the squad has survived."""
    return last(lost().after, "settle survival:u survives").after


@pytest.mark.clause("D6.9a")
def test_survival_needs_a_number_and_a_cause() -> None:
    """A vehicle without a stated CS number, or lost for an unstated cause, is UNSUPPORTED."""
    units = (vehicle("t", "opel-blitz"), foot(aboard="t"))
    position = place(crossing(), *units)
    for line in ("destroy t fire", "result t eliminated"):
        assert cites(judge(position, line).rulings[-1]) == {"D6.9a"}
    empty = place(crossing(), vehicle("t", "opel-blitz"))
    assert judge(empty, "result t eliminated").rulings[-1].is_legal


@pytest.mark.clause("D6.9b")
def test_a_rider_who_survives_has_not_bailed_out() -> None:
    """A Rider who survives no longer rides and takes no NMC."""
    ruling = last(lost(riding=True).after, "settle survival:u survives")
    assert ruling.obligations == ()
    assert not ruling.after.unit("u").cargo.riding
    assert "D6.9b" in dict(ruling.exceptions)


@pytest.mark.clause("D6.9c")
def test_broken_units_survive_less_often() -> None:
    """The DR is one worse: 6 of 36."""
    (due,) = lost(broken=True).obligations
    assert due.outcomes[0] == Odds("survives", 6, 36)


@pytest.mark.clause("D6.9d")
def test_sw_without_survivors_are_lost() -> None:
    """SW left in the vehicle and those of lost units are lost; survivors keep theirs."""
    ruling = lost()
    assert ruling.after.unit("v").sw == ()
    assert last(ruling.after, "settle survival:u survives").after.unit("u").sw == (MG,)
    assert last(ruling.after, "settle survival:u dies").after.unit("u").sw == ()
    assert lost("cc").after.unit("u").sw == ()


@pytest.mark.clause("C10.1d")
def test_a_towed_gun_is_lost_with_its_vehicle() -> None:
    """A Gun or Passenger that is lost alone leaves its vehicle empty."""
    units = (vehicle("v", "spw-250", towing="g"), foot("g", "gun-75-rcl", towed_by="v"),
             foot("c", "crew", aboard="v"))  # fmt: skip
    position = place(crossing(), *units)
    after = judge(position, "destroy v burning").rulings[-1].after
    assert (after.unit("g").at, after.unit("g").cargo.towed_by, after.unit("v").cargo.towing) == (
        None,
        None,
        None,
    )
    for line in ("result g eliminated", "result c eliminated"):
        ASL.check_position(judge(position, line).rulings[-1].after)


@pytest.mark.clause("D6.4j", "C10.1d", "D5.43b")
def test_a_unit_that_boards_a_vehicle_that_is_destroyed_has_not_boarded_it() -> None:
    """Hit while boarding, hooking up or manning, they are on foot without a Survival DR; later with one."""
    half = foot("u", "half-squad", sw=(MG,))
    truck = vehicle("v", "t", moving=False)
    boarding = place(crossing(), truck, half, types=(TYPE,), year=1943)
    for line in ("destroy v fire", "destroy v burning", "result v eliminated"):
        ruling = last(boarding, "load u v", line)
        unit = ruling.after.unit("u")
        assert (unit.at, unit.cargo.aboard, unit.sw, ruling.obligations) == ("B1", None, (MG,), ())
        ASL.check_position(ruling.after)
    later = last(boarding, "load u v", "start v", "destroy v fire")
    assert [due.id for due in later.obligations] == ["survival:u"]
    left = place(crossing(), truck, replace(half, aboard="v"), types=(TYPE,))
    off = last(left, "unload u", "destroy v fire")
    assert (off.obligations, off.after.unit("u").at) == ((), "B1")
    gone = last(boarding, "load u v", "result u eliminated").after
    assert [counter.kind for counter in gone.counters] == ["sw* 1 LMG"]
    manned = replace(truck, abandoned=True)
    armed = msgspec.structs.replace(TYPE, armed=True)
    crew = place(crossing(), manned, foot("u", "crew"), types=(armed,))
    mans = last(crew, "man u v", "destroy v fire")
    unit = mans.after.unit("u")
    assert (unit.cargo.aboard, unit.crew.inherent, mans.obligations) == (None, False, ())
    ASL.check_position(mans.after)


@pytest.mark.clause("D6.4j", "D6.5j")
def test_fire_at_units_that_board_or_leave() -> None:
    """Pinned or broken while boarding, a unit stays on foot; while leaving, it has left; aboard, it stays."""
    for blow in ("pinned", "broken"):
        for riding in ("false", "true"):
            tank = vehicle("v", "t", moving=False)
            rides = place(crossing(), tank, foot("u", "hero"), types=(TYPE,), year=1943)
            ruling = last(rides, f"load u v riding={riding}", f"result u {blow}")
            unit = ruling.after.unit("u")
            assert (unit.cargo.aboard, unit.cargo.riding, field_of(unit, blow)) == (
                None,
                False,
                True,
            )
            assert ruling.obligations == ()
        aboard = place(crossing(), vehicle("v", "t", moving=False), foot(aboard="v"), types=(TYPE,))
        ruling = last(aboard, "unload u", f"result u {blow}")
        assert ruling.after.unit("u").cargo.aboard is None
        assert "D6.5j" in dict(ruling.exceptions)
        begun = last(
            place(crossing(), vehicle("v", "t", moving=False), foot(), types=(TYPE,)),
            "load u v", "start v", f"result u {blow}",
        )  # fmt: skip
        assert begun.after.unit("u").cargo.aboard == "v"


def moved(*, spent: float = 0, mph: str = "moving", reading: str = "quarters") -> Any:
    """Return the position after a squad survived the loss of a 9 MP vehicle that spent this many."""
    tank = vehicle("v", "t", spent=int(2 * spent), used=int(2 * spent), mph=mph)
    position = place(
        crossing(), tank, foot(aboard="v"), types=(TYPE,), readings=(("D6.9a", reading),)
    )
    return last(position, "destroy v fire", "settle survival:u survives").after


@pytest.mark.clause("D6.9a")
@pytest.mark.parametrize(
    ("spent", "reading", "left"),
    [(2, "quarters", 3), (2.5, "quarters", 2), (8, "quarters", 0), (20, "quarters", 0), (8, "whole", 4)],
)  # fmt: skip
def test_what_a_survivor_has_left(spent: float, reading: str, left: float) -> None:
    """Four MF less those used by its vehicle's MP, by the quarter begun; or all four."""
    after = moved(spent=spent, reading=reading)
    unit = after.unit("u")
    assert ASL.allotment(after, unit) - unit.points.spent == 2 * left
    assert unit.cargo.conveyed
    assert unit.move.mph == "moving"
    assert "A4.5e" in bars(judge(after, "double-time u").rulings[0])


@pytest.mark.clause("D6.9a")
def test_a_survivor_goes_on_in_its_vehicles_mph() -> None:
    """Not after that; by the last reading it goes nowhere."""
    assert judge(moved(), "enter u C1").rulings[0].is_legal
    assert "A4.2a" in bars(judge(moved(mph="done"), "enter u C1").rulings[0])
    assert "A4.2a" in bars(judge(moved(reading="none"), "enter u C1").rulings[0])
    tank = vehicle("v", "t", spent=18, used=18, mph="done")
    enemys = place(crossing(), tank, foot(aboard="v"), types=(TYPE,), side="russian")
    unit = last(enemys, "destroy v fire", "settle survival:u survives").after.unit("u")
    assert not unit.cargo.conveyed


@pytest.mark.clause("D6.9c")
@pytest.mark.parametrize("state", ["stunned", "shocked"])
def test_survival_of_a_stunned_crew_is_unsupported(state: str) -> None:
    """Its effect for the inherent crew is not stated; for Passengers there is none."""
    kind = msgspec.structs.replace(TYPE, armed=True)
    shaken: dict[str, Any] = {state: True}
    for inherent in (True, False):
        unit = foot("u", "crew", aboard="v", inherent=inherent)
        position = place(crossing(), vehicle("v", "t", **shaken), unit, types=(kind,))
        found = cites(judge(position, "destroy v fire").rulings[0])
        assert found == ({"D6.9c"} if inherent else set())


@pytest.mark.clause("A4.62c", "D6.5i")
def test_survivors_are_under_hazardous_movement() -> None:
    """Fire at survivors has only the Hazardous Movement DRM; by the other reading, FFNAM."""

    def stated(**fields: Any) -> dict[str, Any]:
        after = last(replace(lost().after, **fields), "settle survival:u survives").after
        return {e["what"]: e["factor"] for e in ASL.entitlements(after, after.unit("u"))}

    ours = stated()
    assert (ours["Hazardous Movement"], ours.get("FFNAM")) == (-2, None)
    plain = stated(readings=(("A4.62c", "none"),))
    assert (plain.get("Hazardous Movement"), plain["FFNAM"]) == (None, -1)
    dead = last(lost().after, "settle survival:u dies").after.unit("u")
    assert dead.move.hazardous == ""
    pinned = last(alive_position(), "result u pinned").after
    found = {e["what"] for e in ASL.entitlements(pinned, pinned.unit("u")) if e["allowed"]}
    assert "Hazardous Movement" not in found
    assert "FFNAM" in found


@pytest.mark.clause("A4.61e", "A4.5e")
@pytest.mark.parametrize("line", ["assault u", "double-time u"])
def test_survivors_declare_nothing(line: str) -> None:
    """A unit aboard in this Player Turn cannot declare Assault Movement or Double Time."""
    clause = {"assault u": "A4.61e", "double-time u": "A4.5e"}[line]
    idle = replace(alive_position().unit("u"), mph="unmoved", spent=0)
    assert clause in bars(judge(alive_position().with_units([idle]), line).rulings[0])
    fresh = replace(idle, conveyed=False)
    assert bars(judge(alive_position().with_units([fresh]), line).rulings[0]) == set()


@pytest.mark.clause("D6.9a")
@pytest.mark.parametrize("who", ["u", "g"])
def test_only_vehicles_are_destroyed(who: str) -> None:
    """A squad or a Gun is eliminated, not destroyed."""
    position = place(crossing(), foot(), foot("g", "gun-75-rcl"))
    with pytest.raises(BadInputError, match=f"{who} cannot be destroyed; expected a vehicle"):
        judge(position, f"destroy {who} fire")


@pytest.mark.clause("D6.9a")
def test_a_vehicle_lost_nobody_says_how_leaves_a_position() -> None:
    """UNSUPPORTED as it is; its PRC are aboard nothing, and its wreck has no removable armament."""
    kind = msgspec.structs.replace(TYPE, armed=True, armament=(MG,))
    units = (
        vehicle("v", "t", taken=("LMG",)), foot(aboard="v"), foot("r", "hero", aboard="v", riding=True),
        foot("c", "crew", aboard="v", inherent=True),
    )  # fmt: skip
    position = place(crossing(), *units, types=(kind,), year=1943)
    for line in ("result v eliminated", "destroy v burning"):
        ASL.check_position(judge(position, line).position)


@pytest.mark.clause("D6.3b")
def test_a_gun_in_tow_goes_nowhere_by_itself() -> None:
    """It cannot be pushed while a vehicle tows it."""
    towed = (vehicle("v", "kfz-1", towing="g", moving=False), foot("g", "gun-75-rcl", towed_by="v"))
    assert bars(judge(place(crossing(), *towed), "enter g C1").rulings[0]) == {"D6.3b"}
