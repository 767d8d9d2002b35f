"""Fire: which units, at which targets, with whom and with which weapons (V14.1 to V14.4)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.answers.verdicts import check_answer
from marchtable.files.notation import parse_action
from marchtable_models.valor.model import Sight
from tests.valor.scenes import (
    VALOR,
    after,
    apfp,
    bars,
    dice,
    field,
    foe,
    last,
    offered,
    owed,
    place,
    shot,
    under,
    unit,
)  # fmt: skip

DEFENSIVE: dict[str, Any] = {"phase": "DefensiveFire", "side": "american"}
ENEMY_MOVES: dict[str, Any] = {"phase": "Movement", "side": "american"}


def heavy(
    name: str = "u", type_: str = "m4a3e8", at: str = "C3", facing: str = "N", **fields: Any
) -> Any:
    """Return a German vehicle, AFV or Gun."""
    return unit(name, type_, at, facing=facing, **fields)


# -- targets and times -----------------------------------------------------------------------------


@pytest.mark.clause("V14.1")
def test_what_ap_fire_affects() -> None:
    """Infantry, trucks and Guns can be fired at; an AFV, its riders and a towed Gun alone cannot."""

    def fire(*foes: Any) -> set[str]:
        return bars(shot("fire u C1", unit(), *foes))

    tank = foe("t", "m4a3e8", facing="N")
    rider = foe("r", aboard="h")
    halftrack = foe("h", "m3-halftrack", facing="N")
    assert fire(foe()) == fire(foe("t", "3-ton-truck", facing="N")) == set()
    assert fire(foe("g", "6-pounder", facing="N")) == fire(tank, foe()) == set()
    assert fire(tank) == fire(halftrack, rider) == fire() == {"V14.1"}
    assert fire(unit("friend", at="C1")) == {"V14.1"}


@pytest.mark.clause("V14.1")
def test_an_afv_takes_no_loss() -> None:
    """While points are owed, an AFV in the hex cannot be given any."""
    position = under(2, foe(), foe("t", "m4a3e8", facing="N"))
    assert "V14.1" in bars(last(position, "pin t"))
    assert "pin t" not in offered(position)
    assert last(position, "reduce e").is_legal


@pytest.mark.clause("V13.1")
def test_when_units_fire() -> None:
    """In their own Fire Phase or the enemy's Defensive Fire Phase, and once a turn, not off the map."""

    def fire(**fields: Any) -> set[str]:
        mine = {k: fields.pop(k) for k in ("fired", "at") if k in fields}
        return bars(shot("fire u C1", unit(**mine), foe(), **fields))

    assert fire() == fire(**DEFENSIVE) == set()
    assert fire(phase="Movement") == fire(side="american") == fire(phase="AfterAction") == {"V13.1"}
    assert fire(fired=True) == fire(at=None) == {"V13.1"}
    towed = unit("u", "6-pounder", facing="N", aboard="t")
    assert bars(shot("fire u C1", towed, heavy("t", "3-ton-truck"), foe())) == {"V13.1"}


def test_fire_markers_go_in_the_after_action_phase() -> None:
    """A unit that has fired can fire again only after the next After-Action Phase."""
    position = after(place(unit(), foe()), "fire u C1", "settle fire:u 12", "phase DefensiveFire")
    assert position.unit("u").fired
    assert not after(position, "phase AfterAction").unit("u").fired


@pytest.mark.clause("V13.3")
def test_line_of_sight() -> None:
    """A blocked line forbids fire, an unknown one is assumed clear and reported; not at one's own hex."""

    def fire(at: str = "C1", **sight: Any) -> Any:
        lines = [Sight(a="C1", b="C3", **sight)] if sight else []
        return shot(f"fire u {at}", unit(), foe("e", at=at), sights=lines)

    assert bars(fire(blocked=True)) == bars(fire(at="C3")) == {"V13.3"}
    assert fire(blocked=False).exceptions == ()
    assert dict(fire().exceptions).keys() == {"V13.3"}
    assert fire(at="C2").exceptions == ()


@pytest.mark.clause("V14.2c")
def test_opportunity_fire() -> None:
    """A fire group fires in the enemy's Movement Phase only at a unit that has just moved."""
    group = (unit("a"), unit("b"))

    def fire(*foes: Any) -> set[str]:
        return bars(shot("fire a,b C1", *group, *foes, **ENEMY_MOVES))

    assert fire(foe(moving=True)) == fire(foe("t", "3-ton-truck", facing="N", moving=True)) == set()
    assert fire(foe()) == {"V14.2c"}
    assert fire(foe(), foe("f", moving=True)) == set()
    riders = (foe("t", "3-ton-truck", facing="N", moving=True), foe("p", aboard="t"))
    assert fire(*riders) == set()


@pytest.mark.clause("V14.2c")
def test_opportunity_fire_hits_only_movers() -> None:
    """Other units in the hex are immune: two points fall on the squad that moved."""
    position = under(2, foe("still"), foe("mover", moving=True), opportunity=True)
    assert bars(last(position, "reduce still")) == {"V14.2c"}
    assert {"reduce mover", "eliminate mover"} == offered(position)


# -- groups ----------------------------------------------------------------------------------------


@pytest.mark.clause("V14.2a")
def test_one_group_a_target() -> None:
    """Who fires at one target in a turn does so in one group, from one hex and side."""
    units = (unit("a"), unit("b"), unit("c", at="C4"), foe(), foe("f", at="D1"))
    position = place(*units)
    assert apfp(last(position, "fire a,b C1")) == 8
    assert bars(last(position, "fire a,c C1")) == {"V14.2a"}
    assert bars(last(position, "fire a,a C1")) == {"V14.2a"}
    fired = after(position, "fire a C1", "settle fire:a 12")
    assert bars(last(fired, "fire b C1")) == {"V14.2a"}
    assert last(fired, "fire b D1").is_legal
    assert last(fired, "fire c C1").is_legal


@pytest.mark.clause("V14.2d")
def test_smaller_groups() -> None:
    """Two of three squads may fire at one target and the third, alone, at another."""
    position = place(unit("a"), unit("b"), unit("c"), foe(), foe("f", at="D1"))
    split = after(position, "fire a,b C1", "settle fire:a 12", "fire c D1")
    assert apfp(last(position, "fire a,b C1")) == 8
    assert split.unit("c").fired_at == "D1"
    assert {"fire a C1", "fire a,b C1", "fire a,b,c C1", "fire a D1"} <= offered(position, "fire")


@pytest.mark.clause("V14.3a")
def test_weapons_of_passengers() -> None:
    """Passengers fire light machine guns, grenades and satchel charges, no heavy weapon."""

    def fire(weapon: str, at: str = "C1", **fields: Any) -> Any:
        truck = heavy("t", "3-ton-truck")
        squad = unit("u", sw=(weapon,), **{"aboard": "t", **fields})
        return shot(f"fire u {at} weapons=u:own,u:{weapon}", squad, truck, foe("e", at=at))

    assert apfp(fire("mg34")) == 7
    assert dice(fire("grenades", at="C2")) == -1
    assert apfp(fire("satchel", at="C2")) == 12
    assert bars(fire("hmg")) == {"V14.3a"}
    assert bars(fire("hmg", aboard=None)) == set()
    plain = shot("fire u C1", unit("u", sw=("hmg",), aboard="t"), heavy("t", "3-ton-truck"), foe())
    assert (apfp(plain), bars(plain)) == (4, set())


@pytest.mark.clause("V14.3b", "V14.4a")
def test_passengers_group_with_their_vehicle_only() -> None:
    """Passengers fire with each other or their vehicle, not with infantry outside or another vehicle."""
    units = (
        unit("p", aboard="t"), unit("q", aboard="t"), heavy("t", "armed-truck"), unit("out"),
        heavy("s", "armed-truck"), unit("r", aboard="s"), foe(), foe("f", at="D1"),
    )  # fmt: skip
    position = place(*units)
    for line, total in (("p,q", 8), ("p,t", 10), ("p,q,t", 14), ("r,s", 10)):
        assert apfp(last(position, f"fire {line} C1")) == total
    assert bars(last(position, "fire p,out C1")) == {"V14.3b"}
    assert bars(last(position, "fire p,r C1")) == {"V14.3b"}
    assert bars(last(position, "fire p,s C1")) == {"V14.3b"}
    fired = after(position, "fire t C1", "settle fire:t 12")
    assert bars(last(fired, "fire p C1")) == {"V14.3b"}
    assert last(fired, "fire p D1").is_legal
    assert last(fired, "fire r,s C1").is_legal
    assert bars(last(after(position, "fire p C1", "settle fire:p 12"), "fire t C1")) == {"V14.3b"}


@pytest.mark.clause("V14.4a")
def test_heavies_join_no_group() -> None:
    """Neither two vehicles, nor a vehicle or Gun with infantry, make a group."""
    position = place(unit("a"), heavy("t"), heavy("s"), heavy("g", "gun"), foe())
    for line in ("a,t", "t,s", "a,g", "g,t"):
        assert bars(last(position, f"fire {line} C1")) == {"V14.4a"}, line
    for line in ("t", "g"):
        assert last(position, f"fire {line} C1").is_legal
    fired = after(position, "fire t C1", "settle fire:t 12")
    assert last(fired, "fire s C1").is_legal
    assert last(fired, "fire a C1").is_legal


def test_fire_is_offered_by_hex_with_enemies() -> None:
    """Targets are proposed where enemies stand, and every group that is legal there."""
    position = place(unit("a"), unit("b", sw=("mg34",)), foe(), foe("f", at="E3"))
    assert offered(position) == {
        f"fire {group} {at}" for group in ("a", "b", "a,b") for at in ("C1", "E3")
    }
    assert owed(position) == 0
    assert VALOR.sides(position) == ("german",)


def test_a_line_of_sight_not_given_is_assumed() -> None:
    """The verdict lists a line assumed clear once; it is no exception."""
    position = place(unit(), unit("v", at="D3"), foe())
    log = [parse_action(line, VALOR) for line in ("fire u C1", "settle fire:u 12", "fire v C1")]
    found = check_answer(position, log)
    assert found["assumed"] == [
        "the line of sight is neither given nor computed, and taken to be clear (V13.3)"
    ]
    assert found["exceptions"] == []
    seen = place(unit(), foe(), sights=[Sight(a="C1", b="C3")])
    assert check_answer(seen, log[:1])["assumed"] == []


@pytest.mark.clause("V13.3b")
def test_what_does_not_reach_is_named() -> None:
    """A squad and its machine gun, both out of range, are two different errors."""
    far = last(place(unit(sw=("mg34",)), foe(at="C20"), board=field("C", 20)), "fire u C20")
    notes = [v.note for v in far.violations if v.clause == "V13.3b"]
    assert notes == [
        "the target is out of range of its own APFP",
        "the target is out of range of its mg",
    ]
