"""Which weapons affect which targets, and which units fire them (V14.4, chapter 12)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError, UnknownNameError
from marchtable_models.valor.model import Sight
from marchtable_models.valor.views.ground import is_in_arc
from tests.valor.scenes import (
    EIGHT,
    FIELD,
    VALOR,
    after,
    apfp,
    bars,
    dice,
    field,
    foe,
    last,
    offered,
    place,
    shot,
    unit,
)  # fmt: skip

ENEMY_MOVES: dict[str, Any] = {"phase": "Movement", "side": "american"}


def heavy(
    name: str = "u", type_: str = "m4a3e8", at: str = "C3", facing: str = "N", **fields: Any
) -> Any:
    """Return a German vehicle, AFV or Gun."""
    return unit(name, type_, at, facing=facing, **fields)


# -- vehicles, AFVs and Guns -------------------------------------------------------------------------


def test_the_forward_firing_arc() -> None:
    """A unit in C3 facing N has the wedge of its two front hexsides in its FFA, edges included."""
    inside = {"C2", "B3", "D3", "C1", "B2", "D2", "A2", "E2", "A1", "E1", "B1", "D1"}
    found = {name for name in FIELD.index if is_in_arc(FIELD, "C3", "N", name)}
    assert inside == found
    turned = {name for name in FIELD.index if is_in_arc(FIELD, "C3", "SE", name)}
    assert {"D3", "D4", "C4", "E3", "E4", "E2", "C5"} <= turned
    assert not turned & {"C2", "B4", "B5", "D2", "A3", "C3"}


@pytest.mark.clause("V14.4b", "V14.4f", "V14.4g", "V14.4d", "V14.4h")
def test_the_worked_example() -> None:
    """The M4A3E8 fires 19 in its FFA to eight hexes, 16 elsewhere to eight, 12 anywhere at any range."""

    def fire(facing: str, target: str, weapons: str = "") -> Any:
        line = f"fire u {target}" + (f" weapons={weapons}" if weapons else "")
        return shot(line, heavy(at="B11", facing=facing), foe("e", at=target), board=EIGHT)

    assert [apfp(fire("N", at)) for at in ("B10", "B3", "B2", "B1")] == [19, 19, 12, 12]
    assert [apfp(fire("S", at)) for at in ("B10", "B3", "B2", "B1")] == [16, 16, 12, 12]
    assert apfp(fire("N", "B3", "u:gun,u:mg360,u:mgff")) == 19
    assert bars(fire("N", "B2", "u:gun,u:mg360")) == {"V14.4b", "V14.4f"}
    assert bars(fire("N", "B2", "u:mgff")) == {"V14.4b", "V14.4g"}
    assert bars(fire("S", "B3", "u:gun,u:mgff")) == {"V14.4g"}
    assert bars(fire("S", "B1", "u:gun")) == bars(fire("S", "B3", "u:gun,u:mg360")) == set()


@pytest.mark.clause("V14.4d")
def test_a_fixed_gun_fires_in_its_ffa() -> None:
    """A Gun without a turret, and a Gun unit, fires ahead at any range and nowhere else."""
    for kind, ahead, elsewhere in (("fixed-tank", 9, None), ("gun", 5, None)):
        for facing, total in (("N", ahead), ("S", elsewhere)):
            shooter = heavy(type_=kind, at="B11", facing=facing)
            ruling = shot("fire u B2 weapons=u:gun", shooter, foe("e", at="B2"), board=EIGHT)
            assert bars(ruling) == (set() if total else {"V14.4d"})
            assert not total or apfp(ruling) == total
    behind = shot("fire u C5", heavy(type_="fixed-tank"), foe("e", at="C5"))
    assert (apfp(behind), bars(behind)) == (4, set())


@pytest.mark.clause("V14.4e")
def test_weapons_are_those_printed() -> None:
    """A Gun has its one rating, a tank without a forward MG none, and a plain truck no weapon."""
    assert bars(shot("fire u C1 weapons=u:gun", heavy(type_="6-pounder"), foe())) == set()
    assert bars(shot("fire u C1 weapons=u:mg360", heavy(type_="6-pounder"), foe())) >= {"V14.4e"}
    assert bars(shot("fire u C1 weapons=u:mgff", heavy(type_="vc-firefly"), foe())) >= {"V14.4e"}
    assert bars(shot("fire u C1", heavy(type_="3-ton-truck"), foe())) >= {"V14.4e"}


@pytest.mark.clause("V14.4c")
def test_one_attack_a_turn() -> None:
    """An AFV that has fired one weapon fires no other this turn, at any target."""
    position = place(heavy(), foe(), foe("f", at="D1"))
    fired = after(position, "fire u C1 weapons=u:mgff", "settle fire:u 12")
    assert apfp(last(position, "fire u C1 weapons=u:mgff")) == 3
    assert bars(last(fired, "fire u D1 weapons=u:gun")) == {"V14.4c"}
    assert "fire u D1" in offered(position)
    assert offered(fired) == set()


# -- infantry's weapons ------------------------------------------------------------------------------


@pytest.mark.clause("V13.3b")
def test_ranges_of_infantry() -> None:
    """A squad reaches six hexes, a leader three; beyond that only a longer-ranged weapon fires."""

    def fire(target: str, type_: str = "squad-464", **fields: Any) -> Any:
        return shot(
            f"fire u {target}", unit("u", type_, "B11", **fields), foe("e", at=target), board=EIGHT
        )

    assert bars(fire("B5")) == bars(fire("B8", "leader")) == set()
    assert bars(fire("B4")) == {"V13.3b"}
    assert bars(fire("B7", "leader")) == {"V14.5a"}  # the leader fires nothing
    assert bars(fire("B7", "us-rifle-half-squad")) == set()
    assert apfp(fire("B5", sw=("hmg",))) == 10
    assert apfp(fire("B3", sw=("hmg",))) == 6
    assert bars(fire("B2", sw=("hmg",))) >= {"V13.3b"}
    assert bars(
        shot("fire u C2 weapons=u:panzerfaust", unit(sw=("panzerfaust",)), foe(at="C2"))
    ) >= {"V13.3b"}
    near = shot("fire u C2 weapons=u:5cm-mortar", unit(sw=("5cm-mortar",)), foe(at="C2"))
    assert bars(near) == {"V13.3b"}


@pytest.mark.clause("V12.3")
def test_one_support_weapon() -> None:
    """A squad fires one weapon beside its own, a half squad a heavy one instead, a leader a light one."""

    def fire(type_: str, sw: tuple[str, ...], weapons: str = "") -> Any:
        line = "fire u C1" + (f" weapons={weapons}" if weapons else "")
        return shot(line, unit("u", type_, sw=sw), foe())

    assert [apfp(fire("squad-464", sw)) for sw in ((), ("mg34",), ("hmg",), ("mg34", "hmg"))] == [
        4,
        7,
        10,
        10,
    ]
    assert [apfp(fire("half-squad-262", sw)) for sw in (("mg34",), ("hmg",))] == [5, 6]
    assert [apfp(fire("leader", sw)) for sw in ((), ("mg34",), ("hmg",))] == [1, 3, 1]
    assert bars(fire("squad-464", ("mg34", "hmg"), "u:own,u:mg34,u:hmg")) == {"V12.3"}
    assert bars(fire("half-squad-262", ("hmg",), "u:own,u:hmg")) == {"V12.3"}
    assert bars(fire("leader", ("mg34",), "u:own,u:mg34")) == {"V12.3"}
    assert bars(fire("squad-464", (), "u:none")) >= {"V12.3"}


@pytest.mark.clause("V12.6")
def test_mortars_fire_by_themselves() -> None:
    """Mortars join no infantry, make no Opportunity Fire and cannot fire from a building."""
    mortar = unit("m", sw=("5cm-mortar",))
    weapons = "weapons=m:5cm-mortar"
    assert apfp(shot(f"fire m C1 {weapons}", mortar, foe())) == 5
    assert bars(shot(f"fire m,u C1 {weapons}", mortar, unit(), foe())) == {"V12.6"}
    assert bars(shot("fire m C1 weapons=m:own,m:5cm-mortar", mortar, foe())) == {"V12.6"}
    moving = foe(moving=True)
    assert bars(shot(f"fire m C1 {weapons}", mortar, moving, **ENEMY_MOVES)) == {"V12.6"}
    indoors = field(stated={"C3": {"terrain": "Stone Building"}})
    assert bars(shot(f"fire m C1 {weapons}", mortar, foe(), board=indoors)) == {"V12.6"}


def test_weapons_that_are_none() -> None:
    """A weapon the unit lacks, or of a unit that does not fire, is bad input."""
    for weapons in ("u:hmg", "x:own", "u"):
        with pytest.raises(BadInputError):
            shot(f"fire u C1 weapons={weapons}", unit(), foe())


@pytest.mark.clause("V12.3", "V12.6", "V12.63")
def test_grenades_and_guides() -> None:
    """Grenades go with another weapon; a leader guides a mortar, which fires past hindrances."""
    armed = unit(sw=("grenades", "mg34"))
    assert bars(shot("fire u C2 weapons=u:mg34,u:grenades", armed, foe(at="C2"))) == set()
    two = unit(sw=("mg34", "5cm-mortar"))
    assert "V12.3" in bars(shot("fire u C1 weapons=u:mg34,u:5cm-mortar", two, foe()))
    mortar, leader = unit("m", sw=("5cm-mortar",)), unit("l", "leader")
    guided = shot("fire m,l C1 weapons=m:5cm-mortar,l:none", mortar, leader, foe())
    assert (bars(guided), dice(guided)) == (set(), -1)
    orchard = field(stated={"C2": {"terrain": "Orchard"}})
    sights = (Sight(a="C3", b="C1", through=("C2",)),)
    past = shot("fire m C1 weapons=m:5cm-mortar", mortar, foe(), board=orchard, sights=sights)
    rifles = shot("fire u C1", unit(), foe(), board=orchard, sights=sights)
    assert (dice(past), dice(rifles)) == (0, 1)


def test_counters_are_known() -> None:
    """A counter of an unknown kind is rejected with the nearest one."""
    with pytest.raises(UnknownNameError, match="foxhole"):
        VALOR.check_position(place(unit(), foe(), counters={"foxhoel": "C3"}))
