"""Impossible unit states are refused on reading, and as events."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable_models.asl.model import SupportWeapon, UnitType
from tests.asl.boards import ASL, crossing, foot, judge, load, place, vehicle
from tests.asl.carried import like


def refused(*units: Any, **scene: Any) -> str:
    """Return why a position is refused, or ``""``."""
    try:
        ASL.check_position(place(crossing(), *units, **scene))
    except BadInputError as error:
        return str(error)
    return ""


CREW: dict[str, Any] = {"aboard": "v", "inherent": True}


@pytest.mark.parametrize(
    ("fields", "whose"),
    [
        ({"moving": True}, "a vehicle"), ({"immobile": True}, "a vehicle"),
        ({"abandoned": True}, "a vehicle with a crew or Driver"),
        ({"stunned": True}, "a vehicle with a crew or Driver"),
        ({"lost": 2, "spent": 2}, "a vehicle with a crew or Driver"),
        ({"bu": True}, "an AFV"), ({"armor_leader": True}, "an AFV"),
        ({"turret": 1}, "a vehicle with a turret"), ({"limbered": True}, "a Gun"),
        ({"wounded": True}, "a SMC"), ({"yoked": True}, "a wagon"),
    ],
)  # fmt: skip
def test_states_that_infantry_has_not(fields: dict[str, Any], whose: str) -> None:
    """A squad cannot have the states of a vehicle, a Gun or a SMC."""
    name = next(iter(fields))
    assert refused(foot(**fields)) == (
        f"units[0].{name}: u: {name} is for {whose}, and its type is squad; leave {name} out"
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"broken": True}, {"pinned": True}, {"stays": True}, {"assault": True}, {"cafp": "at"},
        {"act": "loads"}, {"hazardous": "survival"}, {"carrier_crew": True}, {"conveyed": True},
        {"bu": True}, {"turret": 1},
    ],
)  # fmt: skip
def test_states_that_a_truck_has_not(fields: dict[str, Any]) -> None:
    """A truck cannot have the states of Infantry or an AFV; its wreck keeps what was stated."""
    name = next(iter(fields))
    assert f"leave {name} out" in refused(vehicle("v", "opel-blitz", **fields))
    assert refused(vehicle("v", "wreck", **{"facing": None, "moving": False, **fields})) == ""


def test_kinds_of_sw() -> None:
    """A SW's kind, if stated, is a known one."""
    odd = (SupportWeapon(name="x", pp=1, kind="laser"),)
    found = "units[0].sw[0].kind: x: no SW kind 'laser'; nearest: 'other'"
    assert refused(foot(sw=odd)).startswith(found)
    assert refused(foot(sw=odd, column="q", rank=1)).startswith(found)
    kind = UnitType(name="t", class_="vehicle", column="ht", mp=12, armament=odd)
    assert "conditions.types[0].armament[0].kind" in refused(foot(), types=(kind,))
    assert refused(foot(sw=(SupportWeapon(name="x", pp=1, kind="lmg"),))) == ""


def test_who_follows_a_trail_break() -> None:
    """Only a fully tracked AFV can have come along a Trail Break."""
    assert "on_trail is for a fully-tracked AFV" in refused(foot(on_trail=True))


def test_guns_and_carriers() -> None:
    """A Gun carries no SW and is never broken; a Carrier is never BU."""
    assert "units[0].sw" in refused(foot("g", "gun-75-rcl", sw=load(1)))
    assert "units[0].broken" in refused(foot("g", "gun-75-rcl", broken=True))
    carrier = refused(vehicle("v", "carrier-a", bu=True))
    assert carrier == "units[0].bu: v: a Carrier is always CE (D6.84a); leave bu out"
    assert refused(vehicle("v", "spw-251", bu=True, armor_leader=True)) == ""


@pytest.mark.parametrize("state", ["immobile", "bogged", "abandoned"])
def test_what_stands_does_not_move(state: str) -> None:
    """An immobile, bogged or Abandoned vehicle is not in motion."""
    found: dict[str, Any] = {state: True}
    by = vehicle("v", "spw-251", **found)
    said = f"v: a vehicle that is {state} is not moving; leave one of them out"
    assert refused(by) == f"units[0].moving: {said}"
    assert refused(vehicle("v", "spw-251", **found, moving=False)) == ""


@pytest.mark.parametrize(
    ("carrier", "fit", "unfit"),
    [
        ("spw-251", ("crew",), ("squad", "half-squad", "leader")),
        ("carrier-a", ("half-squad", "crew"), ("squad", "leader")),
        ("carrier-mtr-3in", ("crew",), ("half-squad", "squad")),
    ],
)
def test_who_may_be_an_inherent_crew(carrier: str, fit: Any, unfit: Any) -> None:
    """A crew; for Carriers also a half squad, except those with a true crew."""
    by = vehicle("v", carrier)
    for kind in fit:
        assert refused(by, foot(kind=kind, **CREW)) == ""
    for kind in unfit:
        assert "units[1].inherent: u: expected a crew" in refused(by, foot(kind=kind, **CREW))
    assert "neither broken nor riding" in refused(by, foot(kind=fit[0], broken=True, **CREW))


LOADS: dict[str, Any] = {"aboard": "v", "conveyed": True}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"act": "unloads"}, "act"),
        ({"act": "unloads", **LOADS}, "act"),
        ({"act": "loads", "conveyed": True}, "act"),
        ({"act": "mans", "hitch": ("v",), **LOADS}, "act"),
        ({"act": "hooks", "hitch": ("v",), "conveyed": True}, "hitch"),
        ({"cafp": "at"}, "cafp"),
        ({"cafp": "past", **LOADS}, "cafp"),
        ({"stays": True}, "stays"),
        ({"stays": True, **LOADS}, "stays"),
        ({"assault": True, "aboard": "v"}, "assault"),
        ({"double": 4, "conveyed": True}, "double"),
        ({"inside": "upstairs", "aboard": "v"}, "inside"),
        ({"lends": "w"}, "lends"),
        ({"helper": "zz"}, "helper"),
        ({"armored": "zz"}, "armored"),
        ({"clears": "zz"}, "clears"),
        ({"dash": "zz"}, "dash"),
        ({"crest": 1}, "crest"),
        ({"leaders": ("w",)}, "leaders"),
        ({"leaders": ("zz",)}, "leaders"),
    ],
)
def test_states_that_contradict_one_another(fields: dict[str, Any], field: str) -> None:
    """What a unit is stated to have just done fits its place, and the units it names."""
    units = (vehicle("v", "opel-blitz"), foot("w", "half-squad"), foot(kind="crew", **fields))
    found = refused(*units)
    assert found.startswith(f"units[2].{field}: u: ")
    assert any(word in found for word in ("leave ", "write ", "needs ", "no "))


def test_states_that_hold_together() -> None:
    """The states after boarding, leaving and lending are accepted."""
    units = (
        vehicle("v", "opel-blitz", moving=False), foot("a", act="loads", **LOADS),
        foot("b", act="alights", conveyed=True, stays=True), foot("c", "leader", lends="d"),
        foot("d", helper="c", leaders=("c",)),
    )  # fmt: skip
    assert refused(*units) == ""
    boarded = vehicle("v", "opel-blitz", moving=False, boarder_spent=2)
    assert "units[0].boarder_spent" in refused(boarded)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("result v broken", "v cannot be broken; expected Personnel"),
        ("result g pinned", "g cannot be pinned; expected Personnel"),
        ("result u immobilized", "u cannot be immobilized; expected a vehicle"),
        ("result u stunned", "u cannot be stunned; expected a vehicle with a crew or Driver"),
        ("result u wounded", "u cannot be wounded; expected a SMC"),
    ],
)
def test_what_befalls_nobody_of_that_sort(line: str, message: str) -> None:
    """Vehicles cannot be broken, Infantry cannot be immobilized."""
    units = (vehicle("v", "opel-blitz"), foot(), foot("g", "gun-75-rcl"))
    with pytest.raises(BadInputError, match=message):
        judge(place(crossing(), *units), line)


@pytest.mark.parametrize("what", ["pinned", "broken", "eliminated"])
@pytest.mark.parametrize("line", ["load u v", "unload p", "hook v g c", "man n m"])
def test_what_strikes_a_unit_in_the_act_leaves_a_position(line: str, what: str) -> None:
    """After an event while boarding, leaving, hooking up or manning, the position can be read back."""
    units = (
        vehicle("v", "opel-blitz", moving=False), foot(), foot("p", "half-squad", aboard="v"),
        foot("c", "crew"), foot("g", "gun-75-rcl", limbered=True), foot("n", "crew"),
        vehicle("m", "spw-251", moving=False, abandoned=True),
    )  # fmt: skip
    who = line.split()[3 if line.startswith("hook") else 1]
    verdict = judge(place(crossing(), *units), line, f"result {who} {what}")
    assert [ruling.status for ruling in verdict.rulings] == ["LEGAL", "LEGAL"]
    ASL.check_position(verdict.position)


def test_a_vehicle_lost_as_it_is_boarded() -> None:
    """A unit that did not get aboard has begun its MPh, and can no longer board."""
    kind = like("spw-251", survival=5)
    units = (vehicle("v", "like", moving=False), foot(kind="half-squad"))
    position = place(crossing(), *units, types=(kind,))
    after = judge(position, "load u v", "destroy v fire").position
    assert (after.unit("u").cargo.act, after.unit("u").move.mph) == ("", "moving")
    ASL.check_position(after)


@pytest.mark.parametrize("name", ["spent", "used"])
def test_more_points_spent_than_anybody_has_are_refused(name: str) -> None:
    """At most twice such a unit's or a horse's allotment: 24 MF on foot, 60 MP with 30."""
    for unit, most in ((foot, 24), (lambda **fields: vehicle(kind="tr-30", **fields), 60)):
        found: dict[str, Any] = {"spent": 2 * most, "used": 2 * most, "mph": "moving"}
        ASL.check_position(place(crossing(), unit(**found)))
        more = {**found, name: found[name] + 1}
        with pytest.raises(BadInputError, match=f"at most {most} {name}") as raised:
            ASL.check_position(place(crossing(), unit(**more)))
        assert raised.value.field == f"units[0].{name}"
