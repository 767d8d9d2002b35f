"""Overruns, close assaults, snipers and fire lanes in Valor & Victory, and their points."""

from __future__ import annotations

from typing import Any

import pytest

import marchtable
from marchtable.errors import BadInputError
from marchtable.state.records import replace
from marchtable_models.valor.model import Sight
from marchtable_models.valor.rules.assaults import ratio
from tests.valor.scenes import (
    after,
    apfp,
    bars,
    field,
    foe,
    judge,
    last,
    offered,
    owed,
    place,
    unit,
)  # fmt: skip

MOVE: dict[str, Any] = {"phase": "Movement"}
ADVANCE: dict[str, Any] = {"phase": "AdvanceAndAssault"}
TANK: dict[str, Any] = {"type_": "m4a3e8", "facing": "N"}
TRUCK: dict[str, Any] = {"type_": "3-ton-truck", "facing": "N"}
WOODS = field(stated={"C2": {"terrain": "Woods"}})
SQUAD = "german-rifle-squad"


def attack_in(position: Any) -> Any:
    """Return the attack being resolved."""
    return position.conditions.attack


def roll(position: Any, line: str) -> str:
    """Return the note of the roll that a line requires."""
    return str(last(position, line).obligations[0].note)


# -- overruns --------------------------------------------------------------------------------------


@pytest.mark.clause("V19.3", "V19.4")
def test_the_published_overrun() -> None:
    """A tank overruns squads in foxholes in woods: 7 MP from two hexes off, 38 APFP, +3, and 6 points at a roll of 2."""
    board = field(stated={"D2": {"terrain": "Woods"}})
    tank = unit("t", "m4a3e8", "D5", facing="N")
    position = place(
        tank,
        foe("a", SQUAD, "D2"),
        foe("b", SQUAD, "D2"),
        board=board,
        counters={"foxhole": "D2"},
        **MOVE,
    )
    over = after(position, "enter t D4", "enter t D3", "overrun t D2")
    assert (over.unit("t").at, over.unit("t").spent / 2) == (
        "D1",
        7,
    )
    assert (attack_in(over).apfp, attack_in(over).modifier) == (38, 3)
    assert owed(after(over, "settle fire:t 2")) == 6
    done = after(over, "settle fire:t 2", "eliminate a", "pin b")
    assert (done.unit("a").at, done.unit("b").pinned, owed(done)) == (None, True, 0)


@pytest.mark.clause("V20.3")
def test_an_overrun_of_works() -> None:
    """By the published count works cost nothing extra in the hex overrun, or do (A28); in the hex beyond they do."""

    def paid(at: str, reading: str = "spared") -> float:
        readings = {"A28": reading}
        position = place(
            unit("t", **TANK), foe("e", at="C2"), counters={"trench": at}, readings=readings, **MOVE
        )
        return float(after(position, "overrun t C2").unit("t").spent / 2)

    assert [paid("C2"), paid("C2", "pays"), paid("C1"), paid("A1")] == [4, 5, 5, 4]


@pytest.mark.clause("V20.7a")
def test_an_overrun_of_mines() -> None:
    """Mines under the enemies come before the attack, and can end it; those beyond come after it."""
    tank, squad = unit("t", **TANK), foe("e", at="C2")
    here = place(tank, squad, counters={"minefield": "C2"}, **MOVE)
    assert [due.id for due in last(here, "overrun t C2").obligations] == ["mines:t", "fire:t"]
    blown = after(here, "overrun t C2", "settle mines:t eliminated")
    assert (blown.unit("t").at, blown.pending, blown.conditions.attack) == (None, (), None)
    beyond = place(tank, squad, counters={"minefield": "C1"}, **MOVE)
    assert [due.id for due in last(beyond, "overrun t C2").obligations] == [
        "fire:t",
        "mines-beyond:t",
    ]
    lost = after(beyond, "overrun t C2", "settle fire:t 4", "settle mines-beyond:t eliminated")
    assert (lost.unit("t").at, owed(lost)) == (None, 7)


@pytest.mark.clause("V19.1")
def test_what_may_be_overrun() -> None:
    """Only an AFV can, without a towed Gun; not a building, bunker or AFV, and not an empty hex."""

    def run(*units: Any, **fields: Any) -> set[str]:
        return bars(last(place(*units, **MOVE, **fields), "overrun t C2"))

    tank, squad = unit("t", **TANK), foe("e", at="C2")
    assert run(tank, squad) == set()
    assert run(unit("t", "armed-truck", facing="N"), squad) == {"V19.1"}
    assert run(tank, unit("g", "6-pounder", facing="N", aboard="t"), squad) == {"V19.1"}
    assert "V19.1" in run(tank, squad, board=field(stated={"C2": {"terrain": "Stone Building"}}))
    assert run(tank, squad, counters={"wooden-bunker": "C2"}) == {"V19.1"}
    assert run(tank, squad, foe("x", "m4a3e8", "C2", facing="S")) == {"V19.1"}
    assert run(tank) == {"V19.1"}


@pytest.mark.clause("V19.3")
def test_through_and_no_farther() -> None:
    """It needs a hex beyond without enemies, and the MP; then its move is over."""
    tank, squad = unit("t", at="C2", **TANK), foe("e", at="C1")
    assert bars(last(place(tank, squad, **MOVE), "overrun t C1")) == {"V19.3"}
    there = place(unit("t", **TANK), foe("e", at="C2"), foe("x", at="C1"), **MOVE)
    assert bars(last(there, "overrun t C2")) == {"V6.8"}
    assert bars(last(place(unit("t", **TANK), foe("e", at="B3"), **MOVE), "overrun t B3")) >= {
        "V7.2"
    }
    short = place(unit("t", spent=14, moved=True, moving=True, **TANK), foe("e", at="C2"), **MOVE)
    assert bars(last(short, "overrun t C2")) == {"V6.3"}
    done = after(
        place(unit("t", **TANK), foe("e", at="C2"), **MOVE), "overrun t C2", "settle fire:t 12"
    )
    assert bars(last(done, "turn t NE")) == {"V6.1a"}


@pytest.mark.clause("V19.4")
def test_passengers_of_an_overrun() -> None:
    """The tank's APFP counts double, that of its load once."""
    alone = place(unit("t", "m3-halftrack", facing="N"), foe("e", at="C2"), **MOVE)
    assert apfp(last(alone, "overrun t C2")) == 8
    loaded = place(
        unit("t", "m3-halftrack", facing="N"),
        unit("p", aboard="t", sw=("mg34",)),
        foe("e", at="C2"),
        **MOVE,
    )
    assert apfp(last(loaded, "overrun t C2")) == 8 + 4 + 3
    assert apfp(last(loaded, "overrun t C2 weapons=p:own")) == 8 + 4


# -- close assaults --------------------------------------------------------------------------------


def storm(*units: Any, line: str = "assault u C2", **fields: Any) -> Any:
    """Return the position in which an assault's roll is due."""
    return after(place(*units, **ADVANCE, **fields), line)


@pytest.mark.clause("V15.3", "V15.6b", "V15.8a")
def test_the_published_assault() -> None:
    """13 to 11 at a building with leaders on both sides: the Kill Number is 5, a 7 is a 5, and six points are suffered."""
    board = field(stated={"C2": {"terrain": "Stone Building"}})
    ours = [unit(name, SQUAD) for name in "uvw"]
    chief = unit("l", "leader", sw=("grenades",))
    theirs = [
        foe("a", "us-rifle-squad", "C2"),
        foe("b", "us-rifle-squad", "C2"),
        foe("c", "leader", "C2"),
    ]
    owing = storm(*ours, chief, *theirs, line="assault u,v,w,l C2", board=board)
    assert roll(
        place(*ours, chief, *theirs, board=board, **ADVANCE), "assault u,v,w,l C2"
    ).startswith("13 to 11")
    found = owing.conditions.storm
    assert (found.kill, found.modifier, found.suffered) == (5, -2, 6)
    taken = after(owing, "settle assault:u 7")
    assert {taken.unit(n).at for n in "abc"} == {None}
    assert {taken.unit(n).at for n in "uvwl"} == {"C2"}
    assert owed(taken) == 6
    done = after(taken, "eliminate u", "pin v")
    assert owed(done) == 0


@pytest.mark.clause("V15.7", "V15.8a", "V15.8b")
def test_a_failed_assault() -> None:
    """Three squads fail by two in woods against two: six points on them, three on the defenders first."""
    ours = [unit(name) for name in "uvw"]
    theirs = [foe(name, "half-squad-262", "C2") for name in "ab"]
    owing = storm(*ours, *theirs, line="assault u,v,w C2", board=WOODS)
    kill = owing.conditions.storm.kill
    assert kill == 9  # 12 to 4
    failed = after(owing, "settle assault:u 11")
    attack = attack_in(failed)
    assert (attack.target, attack.owed) == ("C2", 3)
    then = attack_in(after(failed, "eliminate a", "pin b"))
    assert (then.target, then.owed, then.total) == ("C3", 2 + 2 + 2, 6)
    won = after(owing, "settle assault:u 9")
    assert (won.unit("a").at, won.unit("u").at, owed(won)) == (None, "C2", 4)


@pytest.mark.clause("V15.8a")
def test_only_assaulters_suffer() -> None:
    """A unit that stays behind in their hex does not, and `casualties` counts the ways of the others."""
    owing = storm(unit(), unit("s"), foe("e", at="C2"), board=WOODS)
    failed = after(owing, "settle assault:u 7", "pin e")
    assert attack_in(failed).only == ("u",)
    assert bars(last(failed, "pin s")) >= {"V14.2c"}
    answer = marchtable.casualties(failed)
    assert {one["unit"]: one["liable"] for one in answer["units"]} == {"u": True, "s": False}


@pytest.mark.clause("V15.6b")
def test_odds() -> None:
    """Rounded down, no better than 4-1 or 1-4."""
    assert [
        ratio(*pair) for pair in ((14, 6), (6, 14), (13, 11), (11, 13), (30, 2), (2, 30), (4, 0))
    ] == [2, -2, 1, 1, 4, -4, 4]
    assert storm(unit(), foe("e", at="C2")).conditions.storm.kill == 6
    assert (
        storm(unit(), unit("v"), foe("e", at="C2"), line="assault u,v C2").conditions.storm.kill
        == 8
    )
    assert storm(unit("u", "half-squad-262"), foe("e", at="C2")).conditions.storm.kill == 5


@pytest.mark.clause("V15.1")
def test_who_assaults() -> None:
    """Infantry on foot adjacent to enemies that has neither advanced nor assaulted."""

    def tried(*units: Any, line: str = "assault u C2", **fields: Any) -> set[str]:
        return bars(last(place(*units, **{**ADVANCE, **fields}), line))

    e = foe("e", at="C2")
    assert tried(unit(moved=True, fired=True), e) == set()
    assert tried(unit(advanced=True), e) == {"V15.1"}
    assert tried(unit(**TANK), e) >= {"V15.1"}
    assert tried(unit(aboard="t"), unit("t", **TRUCK), e) == {"V15.1"}
    assert tried(unit()) == {"V15.1"}
    assert tried(unit(), foe("e", at="C1"), line="assault u C1") == {"V15.1"}
    assert tried(unit(), e, phase="Movement") == {"V5.33"}
    assert tried(unit(pinned=True), e) == {"V14.7a"}
    assert tried(unit(), unit("v", at="B3"), e, line="assault u,v C2") == {"V15.1"}
    assert tried(unit(), e, line="assault u,u C2") == {"V15.1"}


@pytest.mark.clause("V15.1")
def test_one_assault_from_a_hex() -> None:
    """Units of a hex assault together or not at all; other hexes' units can, and the rest can advance."""
    three = place(
        unit(), unit("v"), unit("w", at="B3"), foe("e", at="C2"), foe("x", at="D3"), **ADVANCE
    )
    failed = after(three, "assault u C2", "settle assault:u 7", "pin e", "eliminate u")
    assert bars(last(failed, "assault v D3")) == bars(last(failed, "assault v C2")) == {"V15.1"}
    assert bars(last(failed, "assault w C2")) == set()
    assert bars(last(failed, "advance v C4")) == set()
    assert not after(failed, "phase AfterAction").unit("v").stormed


@pytest.mark.clause("V16.3")
def test_valour_in_an_assault() -> None:
    """It doubles a unit's own APFP on either side, and no weapon's."""

    def stated(ours: Any, theirs: Any) -> str:
        return roll(place(ours, theirs, **ADVANCE), "assault u C2").partition(",")[0]

    mg: dict[str, Any] = {"sw": ("mg34",)}
    assert stated(unit(**mg), foe("e", at="C2")) == "7 to 4"
    assert stated(unit(valorous=True, **mg), foe("e", at="C2")) == "11 to 4"
    assert stated(unit(), foe("e", at="C2", valorous=True, **mg)) == "4 to 11"


@pytest.mark.clause("V15.2")
def test_what_assaulters_use() -> None:
    """Light machine guns and satchel charges, no heavy ones; defenders use these too."""
    e = foe("e", at="C2")
    assert roll(place(unit(sw=("mg34",)), e, **ADVANCE), "assault u C2").startswith("7 to 4")
    assert roll(place(unit(sw=("hmg",)), e, **ADVANCE), "assault u C2").startswith("4 to 4")
    heavy = place(unit(sw=("hmg",)), e, **ADVANCE)
    assert bars(last(heavy, "assault u C2 weapons=u:own,u:hmg")) == {"V15.2"}
    held = place(unit(), foe("e", at="C2", sw=("hmg",)), **ADVANCE)
    assert roll(held, "assault u C2").startswith("4 to 10")


@pytest.mark.clause("V15.6a", "V15.4", "V15.5")
def test_what_defenders_count_with() -> None:
    """Infantry its APFP, vehicles their machine guns, Guns and unarmed vehicles 2; Passengers too, towed Guns nothing."""

    def held(*foes: Any) -> int:
        note = roll(place(unit(), *foes, **ADVANCE), "assault u C2")
        return int(note.split(",")[0].split()[-1])

    gun = foe("g", "6-pounder", "C2", facing="N")
    truck, armed = foe("t", at="C2", **TRUCK), foe("t", "armed-truck", "C2", facing="N")
    assert [held(foe("e", at="C2")), held(gun), held(truck), held(armed)] == [4, 2, 2, 6]
    assert held(truck, foe("p", at="C2", aboard="t")) == 6
    assert held(truck, replace(gun, aboard="t")) == 2
    assert held(foe("e", at="C2"), foe("x", at="C2")) == 8


@pytest.mark.clause("V15.3")
def test_grenades_in_an_assault() -> None:
    """The assaulters' go to the dice, the defenders' to the Kill Number."""
    ours = storm(unit(sw=("grenades",)), foe("e", at="C2")).conditions.storm
    theirs = storm(unit(), foe("e", at="C2", sw=("grenades",))).conditions.storm
    assert [(one.kill, one.modifier) for one in (ours, theirs)] == [(6, -1), (5, 0)]
    spared = storm(
        unit(), foe("e", at="C2", sw=("grenades",)), line="assault u C2 weapons=e:own"
    ).conditions.storm
    assert spared.kill == 6


@pytest.mark.clause("V15.81")
def test_an_assault_uphill() -> None:
    """A point more for each level up, none down."""
    up, down = ({"C2": {"level": 1}}, {"C3": {"level": 1}})
    assert storm(unit(), foe("e", at="C2"), board=field(stated=up)).conditions.storm.suffered == 2
    assert storm(unit(), foe("e", at="C2"), board=field(stated=down)).conditions.storm.suffered == 1


@pytest.mark.clause("V15.9")
def test_pinned_defenders() -> None:
    """They are eliminated first, and count for nothing; if alone, no roll is needed."""
    both = place(unit(), foe("e", at="C2"), foe("x", at="C2", pinned=True), **ADVANCE)
    found = last(both, "assault u C2")
    assert found.after.unit("x").at is None
    assert found.after.conditions.storm.suffered == 1
    assert ("V15.9", "pinned defenders are eliminated") in found.exceptions
    only = after(place(unit(), foe("x", at="C2", pinned=True), **ADVANCE), "assault u C2")
    assert (only.unit("u").at, only.unit("x").at, only.pending) == ("C2", None, ())


AFV = foe("e", "m4a3e8", "C2", facing="N")


@pytest.mark.clause("V15.10a")
def test_a_failed_assault_on_an_afv() -> None:
    """A die at or under the assaulters immobilizes it, three do without one; then its crew may leave it."""
    owing = after(storm(unit(), AFV), "settle assault:u 12")
    (found,) = owing.pending
    assert (found.id, found.outcomes[1].chance) == ("immobilize:e", 1)
    held = after(owing, "settle immobilize:e unharmed")
    assert (held.unit("e").immobile, held.pending, owed(held)) == (False, (), 12 - 6 + 1)
    stuck = after(owing, "settle immobilize:e immobilized")
    assert (stuck.unit("e").immobile, [one.id for one in stuck.pending]) == (True, ["abandon:e"])
    assert after(stuck, "settle abandon:e abandoned").unit("e").at is None
    ours = [unit(name) for name in "uvw"]
    three = after(storm(*ours, AFV, line="assault u,v,w C2"), "settle assault:u 12")
    assert (three.unit("e").immobile, [one.id for one in three.pending]) == (True, ["abandon:e"])
    two = after(storm(unit(), unit("v"), AFV, line="assault u,v C2"), "settle assault:u 12")
    assert two.pending[0].outcomes[1].chance == 2
    assert after(storm(unit(), AFV), "settle assault:u 2").unit("e").at is None


@pytest.mark.clause("V15.10a", "V18.6b")
def test_what_an_afv_leaves_to_others() -> None:
    """It takes three points at most, the rest go to who stands with it; immobilized before, its crew is tried again."""
    ours = [unit(name) for name in "uvwx"]
    both = storm(*ours, AFV, foe("s", at="C2"), line="assault u,v,w,x C2")
    after_it = after(both, "settle assault:u 12", "settle abandon:e stays")
    assert (attack_in(after_it).target, owed(after_it)) == ("C2", 1)
    alone = after(storm(*ours, AFV, line="assault u,v,w,x C2"), "settle assault:u 12")
    assert attack_in(alone).target == "C3"
    again = after(storm(unit(), replace(AFV, immobile=True)), "settle assault:u 12")
    assert [one.id for one in again.pending] == ["abandon:e"]


@pytest.mark.clause("V15.10b", "V14.65b", "V14.65d")
def test_passengers_of_a_battered_afv() -> None:
    """They are reduced or eliminated before it takes the rest, up to three; others of the hex come after."""
    track, rider = foe("e", "m3-halftrack", "C2", facing="N"), foe("p", at="C2", aboard="e")
    ours = [unit(name) for name in "uvwx"]
    owing = storm(*ours, track, rider, foe("s", at="C2"), line="assault u,v,w,x C2")
    failed = after(owing, "settle assault:u 12")
    assert (failed.pending, owed(failed), attack_in(failed).batters) == ((), 4, ("e",))
    assert offered(failed, "absorb") == {"absorb e 3"}
    assert "V15.10b" in bars(last(failed, "pin s"))
    assert bars(last(failed, "eliminate s")) == {"V15.10b"}
    assert bars(last(failed, "pin p")) >= {"V14.65d"}
    assert bars(last(failed, "absorb e 2")) == {"V15.10a"}
    assert bars(last(failed, "phase AfterAction")) == {"V14.61a"}
    three = after(failed, "absorb e 3", "settle abandon:e stays")
    assert (three.unit("e").immobile, owed(three), attack_in(three).batters) == (True, 1, ())
    assert bars(last(three, "eliminate p")) >= {"V14.65b"}
    assert attack_in(after(three, "pin s")).target == "C3"
    cut = after(failed, "reduce p")
    assert (owed(cut), offered(cut, "absorb")) == (2, {"absorb e 2"})
    (due,) = last(cut, "absorb e 2").obligations
    assert (due.id, due.outcomes[1].chance) == ("immobilize:e", 2)
    left = after(cut, "absorb e 2", "settle immobilize:e unharmed")
    assert (left.unit("e").immobile, attack_in(left).target) == (False, "C3")
    assert attack_in(after(failed, "eliminate p")).target == "C3"
    gone = after(failed, "absorb e 3", "settle abandon:e abandoned")
    assert [gone.unit(name).at for name in "ep"] == [None, None]


@pytest.mark.clause("V15.10a", "V15.10b")
def test_two_battered_afvs() -> None:
    """Their owner chooses which takes its points first; one that tows and carries nobody else takes them at once."""
    ours = [unit(name) for name in "uvwx"]
    owing = storm(*ours, AFV, replace(AFV, id="f", facing="S"), line="assault u,v,w,x C2")
    failed = after(owing, "settle assault:u 12")
    assert offered(failed, "absorb") == {"absorb e 3", "absorb f 3"}
    first = after(failed, "absorb f 3", "settle abandon:f stays")
    assert (owed(first), offered(first, "absorb")) == (1, {"absorb e 1"})
    assert bars(last(first, "absorb f 1")) >= {"V14.1"}
    last_one = after(first, "absorb e 1", "settle immobilize:e unharmed")
    assert attack_in(last_one).target == "C3"
    assert after(owing, "settle assault:u 2").unit("f").at is None
    track = foe("e", "m3-halftrack", "C2", facing="N")
    assert [one.id for one in after(storm(unit(), track), "settle assault:u 12").pending] == [
        "immobilize:e"
    ]


@pytest.mark.clause("V20.7c")
def test_a_minefield_taken() -> None:
    """Each unit entering is tested before any points are taken; not one that fails or stays behind."""
    mined: dict[str, Any] = {"counters": {"minefield": "C2"}}
    owing = storm(unit(), unit("v"), foe("x", at="C2"), line="assault u,v C2", **mined)
    taken = after(owing, "settle assault:u 2")
    assert [one.id for one in taken.pending] == ["mines:u", "mines:v"]
    one = after(taken, "settle mines:u eliminated", "settle mines:v safe")
    assert ([one.unit(n).at for n in "uv"], owed(one)) == ([None, "C2"], 1)
    none = after(taken, "settle mines:u eliminated", "settle mines:v eliminated")
    assert (owed(none), none.conditions.attack) == (0, None)
    assert not after(owing, "settle assault:u 12").pending
    pinned = place(unit(), foe("x", at="C2", pinned=True), **mined, **ADVANCE)
    assert [one.id for one in after(pinned, "assault u C2").pending] == ["mines:u"]


@pytest.mark.clause("V15.8c")
def test_a_bunker_taken_by_more_than_it_holds() -> None:
    """The first two named go in, the others stay; all suffer its cost, and have advanced."""
    ours = [unit(name) for name in "uvw"]
    bunker = place(*ours, foe("e", at="C2"), counters={"wooden-bunker": "C2"}, **ADVANCE)
    found = last(bunker, "assault v,w,u C2")
    assert ("V15.8c", "those named first take the bunker") in found.exceptions
    taken = after(bunker, "assault v,w,u C2", "settle assault:v 2")
    assert [(taken.unit(name).at, taken.unit(name).advanced) for name in "uvw"] == [
        ("C3", True), ("C2", True), ("C2", True),
    ]  # fmt: skip
    assert owed(taken) == 3 + 1
    paid = after(taken, "eliminate u")
    assert (paid.unit("u").at, owed(paid)) == (None, 0)
    assert after(taken, "reduce u", "pin v", "pin w").unit("u").at == "C3"
    two = last(bunker, "assault u,v C2")
    assert not [one for one in two.exceptions if one[0] == "V15.8c"]
    pinned = place(
        *ours, foe("e", at="C2", pinned=True), counters={"wooden-bunker": "C2"}, **ADVANCE
    )
    assert [after(pinned, "assault u,v,w C2").unit(name).at for name in "uvw"] == ["C2", "C2", "C3"]


# -- snipers ---------------------------------------------------------------------------------------


@pytest.mark.clause("V17.5")
def test_the_published_sniper() -> None:
    """A 5 at units in woods is three points on those that drew it."""
    position = place(
        foe("e", at="C2"),
        foe("x", at="C2"),
        board=field(stated={"C2": {"terrain": "Woods"}, "C4": {"terrain": "Woods"}}),
    )
    shot = after(
        position, "snipe C4 C2 units=e", "settle sniper:e 5", "settle sniper-check:e stays"
    )
    assert (owed(shot), attack_in(shot).only) == (3, ("e",))
    assert bars(last(shot, "pin x")) >= {"V14.2c"}
    assert (
        owed(after(position, "snipe C4 C2", "settle sniper:e 2", "settle sniper-check:e stays"))
        == 0
    )


@pytest.mark.clause("V17.2")
def test_where_a_sniper_fires_from() -> None:
    """From cover, in sight and within six hexes, at a unit."""
    board = field("ABC", 10, {"C9": {"terrain": "Woods"}, "C3": {"terrain": "Woods"}})
    position = place(foe("e", at="C1"), board=board)
    assert bars(last(position, "snipe C3 C1")) == set()
    assert bars(last(position, "snipe C9 C1")) == {"V17.2"}
    assert bars(last(position, "snipe C2 C1")) == {"V17.2"}
    with pytest.raises(BadInputError, match="no unit is in A1"):
        judge(position, "snipe C3 A1")
    blind = place(foe("e", at="C1"), board=board, sights=(Sight(a="C1", b="C3", blocked=True),))
    assert bars(last(blind, "snipe C3 C1")) == {"V17.2"}


@pytest.mark.clause("V17.6")
def test_a_sniper_may_be_eliminated() -> None:
    """By a die over its hex's cover, if an unpinned target is left to roll it."""
    board = field(stated={"C3": {"terrain": "Woods"}})
    position = place(foe("e", at="C1"), board=board, counters={"sniper": "C3"})
    _, check = last(position, "snipe C3 C1").obligations
    assert {o.outcome: o.chance for o in check.outcomes} == {"stays": 2, "eliminated": 4}
    gone = after(position, "snipe C3 C1", "settle sniper:e 1", "settle sniper-check:e eliminated")
    assert gone.counters == ()
    pinned = place(foe("e", at="C1", pinned=True), board=board)
    assert len(last(pinned, "snipe C3 C1").obligations) == 1


# -- fire lanes ------------------------------------------------------------------------------------


def lane(*more: Any, laid: int = 1) -> Any:
    """Return the Germans' Movement Phase, with a fire lane from C1 to C3 by the American squad."""
    gunner = foe("e", at="C1", sw=("m1919a6",))
    start = place(unit(at="C4"), unit("v", at="D4"), gunner, *more, **MOVE)
    return after(start, "enter u C3", "fire e C3", "settle fire:e 12", "lane e C2,C3")


@pytest.mark.clause("V13.9a")
def test_laying_a_fire_lane() -> None:
    """By infantry with a machine gun that has just made Opportunity Fire, to its target, once."""
    fired = after(
        place(unit(at="C4"), foe("e", at="C1", sw=("bren",)), **MOVE),
        "enter u C3",
        "fire e C3",
        "settle fire:e 12",
    )
    assert offered(fired, "lane") == {"lane e C2,C3"}
    laid = lane()
    assert [(c.kind, c.at) for c in laid.counters] == [("fire-lane", "C2"), ("fire-lane", "C3")]
    assert bars(last(laid, "lane e C2,C3")) == {"V13.9a"}
    assert after(laid, "phase DefensiveFire").counters == ()
    start = place(unit(at="C4"), foe("e", at="C1"), foe("m", at="B1", sw=("bren",)), **MOVE)
    fired = after(start, "enter u C3", "fire e C3", "settle fire:e 12")
    assert bars(last(fired, "lane e C2,C3")) == {"V13.9a"}  # no machine gun
    assert bars(last(fired, "lane m B2,C3")) == {"V13.9a"}  # it has not fired
    own = after(
        place(unit(at="C4"), foe("e", at="C1", sw=("bren",)), **MOVE),
        "enter u C3",
        "fire e C3",
        "settle fire:e 12",
    )
    assert bars(last(own, "lane e C3")) == bars(last(own, "lane e B1,C3")) == {"V13.9a"}
    assert bars(last(own, "lane e C2")) == {"V13.9a"}


@pytest.mark.clause("V13.9b", "V13.9c")
def test_crossing_a_fire_lane() -> None:
    """A unit that enters is attacked by the top row without modifiers; not AFVs, or units already there."""
    crossed = last(lane(), "enter v D3", "enter v C3")
    assert [o.id for o in crossed.obligations] == ["lane:v"]
    position = after(lane(), "enter v D3", "enter v C3")
    assert owed(after(position, "settle lane:v 6")) == 1
    assert owed(after(position, "settle lane:v 2")) == 5
    safe = after(position, "settle lane:v 7")
    assert (owed(safe), bars(last(safe, "enter v B3"))) == (0, set())
    hit = after(position, "settle lane:v 6")
    assert bars(last(hit, "pin u")) >= {"V14.2c"}
    tank = lane(unit("t", at="D4", **TANK))
    turned = after(tank, "enter t D3", "turn t NW")
    assert not last(turned, "enter t C3").obligations


@pytest.mark.clause("V13.91")
def test_crossfire() -> None:
    """A second lane takes one off the roll."""
    laid = lane()
    double = replace(laid, counters=(*laid.counters, *laid.counters))
    crossed = after(double, "enter v D3", "enter v C3")
    assert owed(after(crossed, "settle lane:v 7")) == 1
    assert owed(after(after(laid, "enter v D3", "enter v C3"), "settle lane:v 7")) == 0


def test_plans_pass_or_avoid_fire_lanes() -> None:
    """Reach goes through a lane if rolls are assumed passed, and round it if rolls are avoided."""
    position = place(unit(at="C4"), counters={"fire-lane": "C3"}, **MOVE)
    through, round_ = (
        marchtable.reach(position, ["u"], rolls=rolls)[0] for rolls in ("pass", "avoid")
    )
    assert "C3" in through.locations
    assert "C3" not in round_.locations
    assert "V13.9b" in through.assumed
