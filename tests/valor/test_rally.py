"""Pins and their end, loading and unloading (V14.7, V14.8, chapter 8)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import marchtable
from marchtable.answers.verdicts import check_answer, effect_text
from marchtable.errors import BadInputError
from marchtable.files.notation import parse_action
from tests.valor.scenes import VALOR, after, bars, foe, judge, last, offered, place, under, unit

RALLY: dict[str, Any] = {"phase": "AfterAction"}


def chance(*units: Any, name: str = "u", **fields: Any) -> int:
    """Return in how many of 36 throws a unit rallies."""
    ruling = last(place(*units, **{**RALLY, **fields}), f"rally {name}")
    assert ruling.is_legal, ruling.violations
    (due,) = ruling.obligations
    return next(odds.chance for odds in due.outcomes if odds.outcome == "rallied")


def heavy(name: str, type_: str, **fields: Any) -> Any:
    """Return a pinned German vehicle, AFV or Gun."""
    return unit(name, type_, facing="N", **{"pinned": True, **fields})


@pytest.mark.clause("V14.7a")
def test_a_pinned_unit_does_nothing() -> None:
    """It cannot fire, alone or in a group, load or unload; options say that it cannot spot."""
    from marchtable.play.options import options

    position = place(unit(pinned=True), unit("v"), foe())
    assert bars(last(position, "fire u C1")) == bars(last(position, "fire u,v C1")) == {"V14.7a"}
    assert last(position, "fire v C1").is_legal
    truck = heavy("t", "3-ton-truck", pinned=False)
    assert "V14.7a" in bars(last(place(unit(pinned=True), truck, phase="Movement"), "load u t"))
    for name, expected in (("u", False), ("v", True)):
        (found,) = options(position, name)["units"]
        entry = next(e for e in found["entitlements"] if e["what"] == "act and spot")
        assert (entry["allowed"], entry["clauses"]) == (expected, ["V14.7a"])


@pytest.mark.clause("V14.7b")
def test_how_long_a_pin_lasts() -> None:
    """Through every phase until the owner's next Command Phase, unless a rally succeeds."""
    position = place(unit(pinned=True), foe("e", pinned=True), **RALLY)
    assert after(position, "phase Command side=american").unit("u").pinned
    assert not after(position, "phase Command side=american").unit("e").pinned
    assert after(position, "phase Command side=american", "phase Fire").unit("u").pinned
    later = judge(position, "phase Command side=american", "phase Command side=german")
    assert not later.position.unit("u").pinned
    assert [(e.clause, e.unit) for e in later.effects] == [("V14.7b", "e"), ("V14.7b", "u")]
    for outcome, pinned in (("rallied", False), ("failed", True)):
        assert after(position, "rally u", f"settle rally:u {outcome}").unit("u").pinned is pinned


@pytest.mark.clause("V14.8a")
def test_rally_numbers() -> None:
    """Squads rally on 6 or less, 15 throws; leaders, elite, vehicles and Guns on 7 or less, 21."""
    for kind in ("squad-464", "half-squad-262"):
        assert chance(unit("u", kind, pinned=True)) == 15
    for kind in ("leader", "us-paratrooper-half-squad"):
        assert chance(unit("u", kind, pinned=True)) == 21
    for kind in ("3-ton-truck", "6-pounder"):
        assert chance(heavy("u", kind)) == 21


@pytest.mark.clause("V14.8d")
def test_a_leader_helps() -> None:
    """An unpinned leader of the hex takes one off the roll; not a pinned, distant or enemy one."""
    squad = unit(pinned=True)
    assert chance(squad, unit("ldr", "leader")) == 21
    assert chance(squad, unit("ldr", "leader"), unit("two", "leader")) == 21
    assert chance(squad, unit("ldr", "leader", pinned=True)) == 15
    assert (
        chance(squad, unit("ldr", "leader", at="C4"))
        == chance(squad, foe("x", "leader", "C3"))
        == 15
    )
    assert chance(heavy("u", "3-ton-truck"), unit("ldr", "leader")) == 26


@pytest.mark.clause("V14.8c")
def test_who_tries_to_rally() -> None:
    """Pinned units of the active player, in the After-Action Phase, once each, at the player's choice."""
    position = place(unit(pinned=True), unit("v"), foe("e", pinned=True), **RALLY)
    assert offered(position) == {"rally u"}
    assert bars(last(position, "rally v")) == bars(last(position, "rally e")) == {"V14.8c"}
    assert bars(last(place(unit(pinned=True), phase="Command"), "rally u")) == {"V14.8c"}
    (enemy,) = last(position, "rally e").violations
    assert (enemy.note, enemy.need) == ("only the active player's units can rally", None)
    gone = place(unit(at=None, pinned=True), **RALLY)
    assert bars(last(gone, "rally u")) == {"V14.8c"}
    tried = after(position, "rally u", "settle rally:u failed")
    assert bars(last(tried, "rally u")) == {"V14.8c"}
    assert last(tried, "phase Command side=american").is_legal
    again = place(unit(pinned=True, tried=True), readings={"A22": "any"}, **RALLY)
    assert last(again, "rally u").is_legal


@pytest.mark.clause("V14.8b")
def test_passengers_rally_with_their_vehicle() -> None:
    """A truck that rallies brings its Passengers; they try by themselves only under one reading."""
    units = (heavy("t", "3-ton-truck"), unit("p", aboard="t", pinned=True))
    position = place(*units, **RALLY)
    done = after(position, "rally t", "settle rally:t rallied")
    assert [u.pinned for u in done.units] == [False, False]
    failed = after(position, "rally t", "settle rally:t failed")
    assert [u.pinned for u in failed.units] == [True, True]
    assert bars(last(position, "rally p")) == {"V14.8b"}
    assert last(place(*units, readings={"A23": "alone"}, **RALLY), "rally p").is_legal


# -- loading and unloading ---------------------------------------------------------------------------


MOVE: dict[str, Any] = {"phase": "Movement"}
TRUCK = heavy("t", "3-ton-truck", pinned=False)


@pytest.mark.clause("V8.2")
def test_when_units_load() -> None:
    """In their own Movement Phase, once a turn, and never load and unload in one."""
    position = place(unit(), unit("v"), TRUCK, **MOVE)
    loaded = after(position, "load u t")
    assert loaded.unit("u").aboard == "t"
    assert bars(last(loaded, "unload u")) == {"V8.2"}
    assert bars(last(loaded, "load v t")) == set()  # each of them once: the truck takes both
    mixed = after(place(unit(aboard="t"), unit("v"), TRUCK, **MOVE), "unload u")
    assert bars(last(mixed, "load v t")) == bars(last(mixed, "load u t")) == {"V8.2"}
    assert bars(last(place(unit(), TRUCK), "load u t")) == {"V8.2"}
    assert bars(last(place(unit(), TRUCK, side="american", **MOVE), "load u t")) == {"V8.2"}
    assert after(place(unit(aboard="t"), TRUCK, **MOVE), "unload u").unit("u").aboard is None


@pytest.mark.clause("V8.3")
def test_who_boards_what() -> None:
    """A unit boards an unpinned vehicle of its hex and side once, and can leave only that vehicle."""

    def board(*units: Any, line: str = "load u t") -> set[str]:
        return bars(last(place(*units, **MOVE), line))

    assert board(unit(), TRUCK) == set()
    assert board(unit(at="C4"), TRUCK) == {"V8.3"}
    assert board(unit(), foe("t", "3-ton-truck", "C3", facing="N")) == {"V8.3"}
    assert board(unit(), unit("t")) >= {"V8.3"}
    assert board(unit(), heavy("t", "3-ton-truck")) == {"V8.3"}
    assert board(unit(aboard="t"), TRUCK) >= {"V8.3"}
    assert board(unit(), TRUCK, line="unload u") == {"V8.3"}
    assert board(TRUCK, heavy("u", "m38-jeep", pinned=False)) >= {"V8.3"}


@pytest.mark.clause("V8.1")
def test_what_a_vehicle_carries() -> None:
    """T2: two squads and two leaders; TH: a half squad and a leader; the dash tows a Gun, TH no large one."""

    def board(truck: str, kind: str, *load: str) -> set[str]:
        aboard = [
            unit(f"l{n}", k, aboard="t", facing="N" if "pound" in k else None)
            for n, k in enumerate(load)
        ]
        new = unit("u", kind, facing="N" if kind in ("6-pounder", "large") else None)
        return bars(last(place(new, heavy("t", truck, pinned=False), *aboard, **MOVE), "load u t"))

    squad, half, gun = "squad-464", "half-squad-262", "6-pounder"
    assert board("3-ton-truck", squad, squad) == board("3-ton-truck", half, squad, half) == set()
    assert board("3-ton-truck", half, squad, squad) == {"V8.1"}
    assert board("3-ton-truck", "leader", "leader") == set()
    assert board("3-ton-truck", "leader", "leader", "leader") == {"V8.1"}
    assert board("m38-jeep", half) == board("m38-jeep", "leader", half) == set()
    assert board("m38-jeep", squad) == {"V8.1"}
    assert board("3-ton-truck", gun, squad) == board("m38-jeep", gun) == set()
    assert board("3-ton-truck", gun, gun) == board("m3-halftrack", gun) == {"V8.1"}


@pytest.mark.clause("V8.1")
def test_weapons_aboard() -> None:
    """A support weapon for each squad it can carry; expendable ones do not count."""

    def loads(truck: str, *weapons: str) -> set[str]:
        new = unit("u", "half-squad-262", sw=weapons)
        aboard = unit("l", "leader", aboard="t", sw=("mg34",))
        return bars(last(place(new, heavy("t", truck, pinned=False), aboard, **MOVE), "load u t"))

    assert (
        loads("m38-jeep") == loads("m38-jeep", "grenades") == loads("3-ton-truck", "mg34") == set()
    )
    assert loads("m38-jeep", "mg34") == loads("m3-halftrack", "mg34") == {"V8.1"}


@pytest.mark.clause("V6.9")
def test_unloading_beyond_the_stacking_limit() -> None:
    """If unloading fills the hex beyond one vehicle and two infantry, the unit must move on."""

    def stated(*others: Any) -> bool:
        position = place(unit(aboard="t"), TRUCK, *others, **MOVE)
        return "V6.9" in dict(last(position, "unload u").exceptions)

    assert not stated(unit("a"))
    assert stated(unit("a"), unit("b"))
    assert stated(heavy("s", "m4a3e8", pinned=False))
    assert not stated(foe("x", at="C3"), foe("y", at="C3"))


@pytest.mark.clause("V6.9")
def test_movement_ends_within_the_stacking_limit() -> None:
    """With four infantry, or a vehicle and two, the phase cannot end in a hex with more; before, it can."""

    def ending(*units: Any) -> set[str]:
        return bars(last(place(*units, **MOVE), "phase DefensiveFire"))

    four = [unit(name) for name in "abcd"]
    assert ending(*four) == ending(TRUCK, *four[:2]) == set()
    assert ending(*four, unit("e")) == ending(TRUCK, *four[:3]) == {"V6.9"}
    assert ending(TRUCK, *four[:2], unit("e", aboard="t")) == set()
    passing = place(*four, unit("e", at="C4"), **MOVE)
    assert bars(last(passing, "moved e C3")) == set()


@pytest.mark.clause("V8.3")
def test_moving_and_boarding_in_one_turn() -> None:
    """Passengers neither move before boarding nor after leaving; vehicles before or after, not both."""
    apart = place(unit(at="C4"), replace(TRUCK, at="C4"), unit("v"), **MOVE)
    assert bars(last(after(apart, "moved v C4"), "load v t")) == {"V8.3"}
    came = after(apart, "moved t C3", "load v t")
    assert bars(last(came, "moved t C4")) == {"V8.3"}
    loaded = after(apart, "load u t", "moved t C3")
    assert bars(last(loaded, "moved t C4")) == set()
    assert bars(last(loaded, "moved u C4")) == {"V8.3"}  # it is aboard
    left = after(place(unit(aboard="t"), TRUCK, **MOVE), "unload u")
    assert bars(last(left, "moved u C4")) == {"V8.3"}
    crowd = [unit(name) for name in "ab"]
    full = after(place(unit(aboard="t"), TRUCK, *crowd, **MOVE), "unload u")
    assert bars(last(full, "moved u C4")) == set()  # it must leave a hex over its limit


@pytest.mark.clause("V6")
def test_the_cost_of_a_reported_move_is_not_judged() -> None:
    """A stated move has an assumed cost; an executed move pays it."""
    position = place(unit(), **MOVE)
    assert check_answer(position, [parse_action("moved u C4", VALOR)])["assumed"]
    assert not check_answer(position, [parse_action("enter u C4", VALOR)])["assumed"]
    (found,) = marchtable.reach(position, ["u"])
    assert found.is_exact


def test_losses_owed_are_reported() -> None:
    """A log that ends with points owed says so."""
    found = check_answer(under(2, foe("e")), [])
    assert [(one["id"], one["clause"]) for one in found["obligations"]] == [
        ("casualties", "V14.61d")
    ]


def test_a_unit_that_boards_is_no_mover_any_more() -> None:
    """Opportunity fire at a hex where a mover has boarded finds no mover."""
    position = place(unit(), TRUCK, foe(), **MOVE)
    boarded = after(position, "load u t")
    assert not boarded.unit("u").moving


def test_scenes_over_a_limit_say_so() -> None:
    """A hex or vehicle over its limit is named with the answer; a rider does not move alone."""

    def assumed(*units: Any) -> list[str]:
        position = place(*units, **MOVE)
        return [
            text
            for text in check_answer(position, [])["assumed"]
            if "more than" in text or "limit" in text
        ]

    riders = [unit(name, aboard="t") for name in "abc"]
    assert assumed(TRUCK, *riders[:2]) == []
    assert assumed(TRUCK, *riders) == ["t carries more than it may (V8.1)"]
    assert assumed(TRUCK, unit("a"), unit("b"), unit("c")) == [
        "C3 is over its limit: a unit leaves it before the move ends (V6.9)"
    ]
    with pytest.raises(BadInputError, match="moves with t"):
        VALOR.check_position(place(TRUCK, unit(aboard="t", moving=True)))


@pytest.mark.clause("V6.9")
def test_a_full_hex_is_noted_where_the_log_ends() -> None:
    """The note is about the units' places after the log, not before it or on the way."""
    position = place(unit("e", at="C2"), *(unit(name) for name in "abcd"), **MOVE)
    note = "C3 is over its limit: a unit leaves it before the move ends (V6.9)"

    def noted(position: Any, *lines: str) -> bool:
        log = [parse_action(line, VALOR) for line in lines]
        return note in check_answer(position, log)["assumed"]

    assert noted(position, "enter e C3")
    assert not noted(position, "enter e C3", "enter e C4")
    crowded = after(position, "enter e C3")
    assert noted(crowded)
    assert not noted(crowded, "enter e C4")
    assert not noted(crowded, "phase DefensiveFire")  # now the clause forbids it


@pytest.mark.clause("V12.2c")
def test_what_infantry_carries() -> None:
    """One support weapon each, leaders no heavy one; expendable ones do not count.

    A scene with more says so.
    """

    def assumed(*weapons: str, type_: str = "squad-464") -> list[str]:
        return list(check_answer(place(unit("a", type_, sw=weapons)), [])["assumed"])

    more = ["a carries too many support weapons (V12.2c)"]
    assert assumed("mg34", "grenades") == assumed("hmg") == assumed("mg34", type_="leader") == []
    assert assumed("mg34", "hmg") == assumed("mg34", "mg34", type_="leader") == more
    assert assumed("hmg", type_="leader") == more


def texts(position: Any, *lines: str) -> list[str]:
    """Return what the effects of the last line say to players."""
    found = check_answer(position, [parse_action(line, VALOR) for line in lines])
    last_step = len(lines) - 1
    return [e["text"] for e in found["effects"] if "text" in e and e["step"] == last_step]


def test_effects_are_said_in_words() -> None:
    """No field's name: pins that end, who is removed, and what leaving a vehicle forbids."""
    pinned = place(unit(pinned=True), **RALLY)
    assert texts(pinned, "rally u", "settle rally:u rallied") == ["is no longer pinned"]
    owed_ = under(2, foe("e"))
    assert texts(owed_, "eliminate e") == [
        "is removed from the map", "has no support weapon any more",
    ]  # fmt: skip
    for sw, words in (((), "has no support weapon any more"), (("mg34",), "keeps mg34")):
        assert effect_text(VALOR, "sw", list(sw)) == words
    truck = unit("t", "3-ton-truck", facing="N")
    aboard = place(unit(aboard="t"), truck, phase="Movement")
    assert texts(aboard, "unload u") == [
        "can enter no more hexes this turn, unless its own is overfull"
    ]


@pytest.mark.clause("V14.61a")
def test_points_owed_are_said_with_their_number() -> None:
    """The units that can take them are named with the violation."""
    for points, words in ((1, "1 Casualty Point must"), (2, "2 Casualty Points must")):
        (fault,) = last(under(points, foe("e")), "phase AdvanceAndAssault").violations
        assert fault.note.startswith(words)
        assert (fault.units, fault.need, fault.have) == (("e",), None, None)
