"""How the owner fulfils Casualty Points with infantry (V14.61, V14.62)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.play.options import options
from tests.valor.scenes import (
    VALOR,
    after,
    apfp,
    bars,
    foe,
    hurt,
    judge,
    last,
    offered,
    owed,
    place,
    under,
    unit,
)

LEADER, HALF = "leader", "half-squad-262"


def two(**fields: Any) -> tuple[Any, ...]:
    """Return two squads that can be reduced."""
    return (foe("a", **fields), foe("b"))


@pytest.mark.clause("V14.61a")
def test_a_pin_costs_one_and_the_owner_chooses() -> None:
    """A pin of any unit there fulfils one point; attackers and units elsewhere take none."""
    position = under(1, *two(), foe("far", at="D1"))
    for name in "ab":
        assert hurt(after(position, f"pin {name}")) == {name: "pinned"}
    assert after(position, "pin a").conditions.attack is None
    for line in ("pin u", "pin far", "eliminate far"):
        assert "V14.61a" in bars(last(position, line))


@pytest.mark.clause("V14.61a")
@pytest.mark.parametrize("named", ["mate", "u", "a", "b"])
def test_a_friend_of_the_attacker_in_the_hex_takes_nothing(named: str) -> None:
    """Of a hex of both sides only enemies suffer; each unit's options say so as points are owed."""
    position = after(under(3, unit("mate", at="C1"), *two()), "reduce a")
    assert owed(position) == 1
    (found,) = options(position, named, reach=False)["units"]
    offers = {one["action"] for one in found["actions"]}
    assert (f"pin {named}" in offers) == (named in "ab")
    notes = {bar["verb"]: bar["note"] for bar in found["barred"]}
    if named not in "ab":
        assert not offers
        for verb in ("pin", "reduce", "eliminate", "ignore", "absorb"):
            assert notes[verb] == "the unit is not under fire"
            line = f"{verb} {named}" + " 2" * (verb == "absorb")
            assert "V14.61a" in bars(last(position, line))
    assert after(position, "pin b").conditions.attack is None


@pytest.mark.clause("V14.61a")
def test_points_come_before_all_else() -> None:
    """While points are owed no unit fires or rallies and no phase begins; the defender chooses."""
    position = under(1, *two())
    for line in ("fire u C1", "fire a C3", "rally a", "phase Movement", "unload a"):
        assert bars(last(position, line)) == {"V14.61a"}
    assert all(line.split()[1] in "ab" for line in offered(position))
    assert last(after(position, "pin a"), "phase Movement").is_legal


@pytest.mark.clause("V14.61h", "V14.61f")
def test_reduction_costs_the_difference() -> None:
    """A 4-6-4 squad that becomes a 2-6-2 half squad fulfils two points, another squad its own two."""
    position = under(2, *two())
    reduced = after(position, "reduce a")
    assert (hurt(reduced), owed(reduced)) == ({"a": "half"}, 0)
    assert owed(after(under(3, *two()), "reduce a")) == 1
    assert owed(after(under(3, foe("a", "us-rifle-squad"), foe("b")), "reduce a")) == 1
    for kind in (LEADER, HALF, "german-rifle-squad"):
        assert "V14.61h" in bars(last(under(2, foe("a", kind), foe("b")), "reduce a"))


@pytest.mark.clause("V14.61i")
def test_elimination_costs_the_casualty_rating() -> None:
    """Squad 4, half squad 2, leader 1, the German rifle squad 5: each leaves the map."""
    for kind, rating in (("squad-464", 4), (HALF, 2), (LEADER, 1), ("german-rifle-squad", 5)):
        position = under(rating + 1, foe("a", kind), foe("b"))
        gone = after(position, "eliminate a")
        assert (owed(gone), gone.unit("a").at) == (1, None)
        assert owed(after(under(rating, foe("a", kind), foe("b")), "eliminate a")) == 0


@pytest.mark.clause("V12.2")
def test_weapons_go_with_their_carrier() -> None:
    """An eliminated squad's machine gun is lost."""
    position = under(4, foe("a", sw=("bren",)), foe("b"))
    assert after(position, "eliminate a").unit("a").sw == ()


@pytest.mark.clause("V14.61g")
def test_a_half_squad_keeps_its_weapons_and_acts() -> None:
    """The reduced squad keeps its machine gun and fires 2 + 3 in the Defensive Fire Phase."""
    position = after(under(2, foe("a", sw=("bren",)), foe("b")), "reduce a", "phase DefensiveFire")
    assert position.unit("a").sw == ("bren",)
    assert apfp(last(position, "fire a C3")) == 5


@pytest.mark.clause("V14.61b")
def test_a_reduced_squad_may_be_pinned_too() -> None:
    """Three points: one squad reduced for two and pinned for the third."""
    position = after(under(3, *two()), "reduce a", "pin a")
    assert (hurt(position), owed(position)) == ({"a": "pinned half"}, 0)
    assert hurt(after(under(3, *two()), "reduce a", "pin b")) == {"a": "half", "b": "pinned"}


@pytest.mark.clause("V14.61c")
def test_no_pin_and_then_more() -> None:
    """After its pin this attack cannot eliminate, reduce or pin the unit again."""
    position = after(under(2, *two()), "pin a")
    for verb in ("eliminate", "reduce", "pin"):
        assert "V14.61c" in bars(last(position, f"{verb} a"))
    assert offered(position) == {"pin b", "reduce b", "eliminate b"}
    strict = under(2, *two(), readings={"A30": "barred"})
    assert offered(after(strict, "pin a")) == {"pin b"}
    assert hurt(after(under(4, *two()), "reduce a", "eliminate a")) == {"a": "gone"}


@pytest.mark.clause("V14.61d")
def test_losses_stop_when_the_points_are_met() -> None:
    """The last loss can exceed them, and then no further one is taken."""
    assert owed(after(under(1, *two()), "eliminate a")) == 0
    for line in ("pin b", "reduce b", "eliminate b", "absorb b 2"):
        assert "V14.61d" in bars(last(under(1, *two()), "pin a", line))
    assert bars(last(place(unit(), foe()), "pin e")) == {"V14.61d"}


@pytest.mark.clause("V14.61d")
def test_surplus_is_lost_when_all_is_gone() -> None:
    """Nine points on a squad and a leader eliminate both; the rest is lost."""
    position = after(under(9, foe("a"), foe("b", LEADER)), "eliminate a", "eliminate b")
    assert (hurt(position), position.conditions.attack) == ({"a": "gone", "b": "gone"}, None)
    assert bars(last(under(9, foe("a"), foe("b", LEADER)), "pin a")) == {"V14.61d", "V14.61e"}


@pytest.mark.clause("V14.61d")
def test_no_loss_that_leaves_points_unfulfilled() -> None:
    """Under the lenient reading pins are free after a reduction, but not if the rest cannot be taken."""
    position = under(6, *two(), readings={"A3": "lenient"})
    reduced = after(position, "reduce a")
    assert last(reduced, "pin a").is_legal  # three left for b, which has four
    assert bars(last(reduced, "pin a", "pin b")) == {"V14.61d"}
    assert bars(last(under(7, *two(), readings={"A3": "lenient"}), "reduce a", "pin a")) == set()
    assert bars(last(under(8, *two(), readings={"A3": "lenient"}), "reduce a", "pin a")) == {
        "V14.61d"
    }


@pytest.mark.clause("V14.61d", "V14.64e")
def test_what_a_rejected_loss_says() -> None:
    """Passengers come before their vehicle; more than a rating is written `eliminate`, if so much is owed."""
    truck, squad = foe("t", "3-ton-truck", facing="N"), foe("p", aboard="t")
    (early,) = last(under(4, truck, squad), "absorb t 2").violations
    assert (early.clause, "V14.65a" in early.note) == ("V14.61d", True)
    for points, hint in ((8, True), (4, False)):
        found = last(under(points, truck, squad, foe("l", LEADER)), "absorb t 5").violations
        notes = [one.note for one in found if one.clause == "V14.64e"]
        assert ["`eliminate`" in note for note in notes] == [hint]


@pytest.mark.clause("V14.61e")
def test_pins_come_last() -> None:
    """Two pins fulfil two points; three take a reduction first; then pins alone, or anything (A30)."""
    assert last(under(2, *two()), "pin a").is_legal
    assert bars(last(under(3, *two()), "pin a")) == {"V14.61e"}
    assert last(under(3, *two()), "reduce a", "pin b").is_legal
    strict = under(2, *two(), readings={"A30": "barred"})
    for line in ("reduce b", "eliminate b"):
        ruling = last(under(2, *two()), "pin a", line)
        assert (bars(ruling), dict(ruling.readings)["A30"]) == (set(), "allowed")
        assert bars(last(strict, "pin a", line)) == {"V14.61e"}
        assert bars(last(under(3, *two()), "reduce a", "pin b", line)) >= {"V14.61d"}
    assert bars(last(under(4, *two(), foe("c", pinned=True)), "reduce a", "pin a")) == set()


@pytest.mark.clause("V14.9b")
def test_points_may_be_spread() -> None:
    """Three points: one squad reduced, another unit pinned (the rule text's second attack)."""
    assert hurt(after(under(3, foe("a"), foe("b", HALF)), "reduce a", "pin b")) == {
        "a": "half", "b": "pinned half",
    }  # fmt: skip


@pytest.mark.clause("V14.62a")
def test_unpinned_units_come_first() -> None:
    """A unit pinned before takes points only when no unpinned one is left."""
    position = under(6, foe("a"), foe("old", pinned=True))
    assert bars(last(position, "eliminate old")) == {"V14.62a"}
    assert bars(last(position, "reduce a", "eliminate old")) == {"V14.62a"}
    assert hurt(after(position, "eliminate a", "eliminate old")) == {"a": "gone", "old": "gone"}
    assert last(under(1, foe("old", pinned=True)), "eliminate old").is_legal
    afv = foe("t", "m4a3e8", facing="N")
    assert last(under(1, foe("old", pinned=True), afv), "eliminate old").is_legal


@pytest.mark.clause("V14.62b")
def test_pinned_units_are_eliminated() -> None:
    """A pinned squad is not reduced or pinned again: it is eliminated for its full Casualty Rating."""
    position = under(2, foe("old", pinned=True), foe("older", pinned=True))
    assert bars(last(position, "reduce old")) == {"V14.62b"}
    assert "V14.62b" in bars(last(position, "pin old"))
    assert offered(position) == {"eliminate old"}  # and an older one, which is identical
    assert owed(after(position, "eliminate old")) == 0
    bigger = under(5, foe("old", pinned=True), foe("older", pinned=True))
    assert owed(after(bigger, "eliminate old")) == 1


# -- the register ----------------------------------------------------------------------------------


def legal(points: int, units: tuple[Any, ...], *lines: str, **readings: str) -> bool:
    """Return whether a log of losses is legal under these readings."""
    return judge(under(points, *units, readings=readings), *lines).status == "LEGAL"


@pytest.mark.clause("V14.61d")
def test_a1_and_a2() -> None:
    """Exact: no loss beyond the points if they can be met exactly; needed: none if pins suffice."""
    assert legal(1, two(), "eliminate a")
    assert not legal(1, two(), "eliminate a", A1="exact")
    assert not legal(1, two(), "eliminate a", A2="needed")
    assert legal(2, two(), "reduce a", A1="exact", A2="needed")
    rifles = (foe("a", "german-rifle-squad"),)
    assert legal(3, rifles, "eliminate a", A1="exact", A2="needed")
    german = (*rifles, foe("b"))
    assert not legal(4, german, "eliminate a", A1="exact")
    assert legal(4, german, "eliminate a", A2="needed")


@pytest.mark.clause("V14.61e")
def test_a3() -> None:
    """Lenient: after one reduction pins are free, and a unit pinned before makes up the rest."""
    units = (foe("a"), foe("old", pinned=True))
    lines = ("reduce a", "pin a", "eliminate old")
    assert not legal(4, units, *lines)
    assert legal(4, units, *lines, A3="lenient")
    assert not legal(4, units, "pin a", A3="lenient")


@pytest.mark.clause("V14.61c")
def test_a4() -> None:
    """Allowed: a unit pinned by this attack is eliminated when no unpinned one is left."""
    truck = foe("t", "3-ton-truck", facing="N")
    lines = ("absorb t 2", "settle survival:t survives", "eliminate b", "eliminate t")
    assert not legal(4, (truck, foe("b", LEADER)), *lines)
    assert legal(4, (truck, foe("b", LEADER)), *lines, A4="allowed")


@pytest.mark.clause("V14.62a")
def test_a5() -> None:
    """Touched: a reduced squad allows losses of those pinned before, an untouched one does not."""
    units = (foe("a"), foe("old", pinned=True))
    assert not legal(6, units, "reduce a", "eliminate old")
    assert legal(6, units, "reduce a", "eliminate old", A5="touched")
    assert not legal(6, units, "eliminate old", A5="touched")


@pytest.mark.clause("V14.61h")
def test_a18() -> None:
    """Available: a squad is reduced only while a counter of its half squad is left."""
    from marchtable_models.valor.model import Spare

    def reduce(left: int) -> set[str]:
        conditions = {"spare": (Spare(type=HALF, left=left),)}
        return bars(
            last(under(2, *two(), readings={"A18": "available"}, conditions=conditions), "reduce a")
        )

    assert (reduce(1), reduce(0)) == (set(), {"V14.61h"})
    assert legal(2, two(), "reduce a")
    assert not legal(2, two(), "reduce a", A18="available")


@pytest.mark.clause("V14.61d")
def test_without_an_attack_only_that_no_points_are_owed_is_a_reason() -> None:
    """For a squad that can be reduced, a shield and valour, the only error is that nothing is owed."""
    position = place(foe("a"), foe("v", valorous=True), foe("g", "6-pounder", facing="N"))
    for line in ("pin a", "reduce a", "eliminate a", "ignore v", "ignore g", "absorb g 2"):
        assert bars(last(position, line)) == {"V14.61d"}, line
    assert bars(last(position, "ignore a")) == {"V14.61d", "V14.63a"}


def test_a_survival_roll_after_an_illegal_step() -> None:
    """Without an open attack a Gun absorbs nothing; if its roll is stated anyway, the referee goes on."""
    position = place(foe("g", "6-pounder", facing="N"))
    verdict = judge(position, "absorb g 3", "settle survival:g survives")

    assert verdict.status == "ILLEGAL"
    assert [violation.step for violation in verdict.violations] == [0]


def test_debts_that_nobody_can_pay() -> None:
    """An illegal step out of the hex leaves points that no unit there can take: that is reported."""
    position = after(place(unit("u", at="C3"), foe("a", at="C1")), "fire u C1", "settle fire:u 5")
    verdict = judge(position, "moved a C2")
    assert verdict.status == "ILLEGAL"
    assert [one.id for one in VALOR.debts(verdict.position)] == []
