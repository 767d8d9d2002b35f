"""Shields and valour, vehicles and Guns, and units aboard (V14.63 to V14.65)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.valor.scenes import after, bars, foe, hurt, judge, last, offered, owed, under

LEADER, HALF = "leader", "half-squad-262"


def truck(name: str = "t", type_: str = "3-ton-truck", **fields: Any) -> Any:
    """Return an American truck, or another vehicle."""
    return foe(name, type_, facing="N", **fields)


def gun(facing: str = "S", type_: str = "6-pounder", **fields: Any) -> Any:
    """Return an American Gun with a shield; the attack comes from the south."""
    return foe("g", type_, facing=facing, **fields)


def legal(points: int, units: tuple[Any, ...], *lines: str, **readings: str) -> bool:
    """Return whether a log of losses is legal under these readings."""
    return judge(under(points, *units, readings=readings), *lines).status == "LEGAL"


# -- the first point -------------------------------------------------------------------------------


@pytest.mark.clause("V14.63a")
def test_who_may_ignore_the_first_point() -> None:
    """A valorous squad, or a stationary Gun whose shield faces the fire; no other unit, and not twice."""

    def ignore(one: Any, points: int = 1) -> set[str]:
        return bars(last(under(points, one), f"ignore {one.id}"))

    assert ignore(foe("a", valorous=True)) == ignore(gun()) == set()
    for other in (foe("a"), gun("N"), gun(type_="gun"), gun(moving=True), truck(valorous=True)):
        assert ignore(other) == {"V14.63a"}
    assert owed(after(under(2, gun()), "ignore g")) == 1
    assert bars(last(under(3, foe("a", valorous=True)), "ignore a", "ignore a")) == {"V14.63a"}
    assert "V14.63a" in bars(last(under(4, foe("a", valorous=True)), "reduce a", "ignore a"))
    assert hurt(after(under(1, gun()), "ignore g")) == {}


@pytest.mark.clause("V14.63a")
def test_shields_only_help_towards_the_attack() -> None:
    """The wedge of the shield is the Gun's FFA: SE and SW still hold C3, NE and NW do not."""
    for facing, protected in (
        ("S", True),
        ("SE", True),
        ("SW", True),
        ("NE", False),
        ("NW", False),
    ):
        assert last(under(1, gun(facing)), "ignore g").is_legal is protected


@pytest.mark.clause("V14.63b")
def test_the_next_point_falls_on_the_same_unit() -> None:
    """After an ignored point that unit is pinned, reduced or eliminated before any other suffers."""
    units = (foe("a", valorous=True), foe("b"))
    position = after(under(3, *units), "ignore a")
    for verb in ("pin", "reduce", "eliminate"):
        assert "V14.63b" in bars(last(position, f"{verb} b"))
        assert last(position, f"{verb} a").is_legal
    assert hurt(after(position, "pin a", "pin b")) == {"a": "pinned", "b": "pinned"}
    assert hurt(after(under(4, *units), "ignore a", "reduce a", "pin b")) == {
        "a": "half",
        "b": "pinned",
    }


def test_readings_of_the_first_point() -> None:
    """A6 free: ignoring is no use; A7: not as the last point after others; A8: all of it; A9: not if pinned."""
    valorous, other = foe("a", valorous=True), foe("b")
    assert not legal(1, (valorous,), "ignore a", A6="free")
    assert legal(2, (valorous, other), "pin b", "ignore a")
    assert not legal(2, (valorous, other), "pin b", "ignore a", A7="barred")
    assert legal(1, (valorous, other), "ignore a", A7="barred")
    assert legal(4, (valorous, other), "ignore a", "reduce a", "pin b")
    assert not legal(4, (valorous, other), "ignore a", "reduce a", "pin b", A8="exhaust")
    assert legal(4, (valorous, other), "ignore a", "reduce a", "pin a", A8="exhaust")
    pinned = foe("a", valorous=True, pinned=True)
    assert legal(2, (pinned,), "ignore a", "eliminate a")
    assert not legal(2, (pinned,), "ignore a", A9="not")


# -- vehicles and Guns -----------------------------------------------------------------------------


@pytest.mark.clause("V14.64a")
def test_one_point_pins_a_vehicle() -> None:
    """A single point pins a truck or Gun without a roll, and cannot be absorbed."""
    for one in (truck(), gun("N")):
        ruling = last(under(1, one), f"pin {one.id}")
        assert (ruling.obligations, hurt(ruling.after)) == ((), {one.id: "pinned"})
        assert "V14.64a" in bars(last(under(2, one), f"absorb {one.id} 1"))


@pytest.mark.clause("V14.64e")
def test_several_points_call_for_a_survival_roll() -> None:
    """Two to its Casualty Rating: on one die at or under the Rating it is pinned, else eliminated."""
    for one, chances in ((truck(), 4), (truck(type_="m38-jeep"), 3), (gun("N"), 3)):
        position = under(2, one)
        ruling = last(position, f"absorb {one.id} 2")
        (due,) = ruling.obligations
        assert [(o.outcome, o.chance, o.of) for o in due.outcomes] == [
            ("survives", chances, 6), ("eliminated", 6 - chances, 6),
        ]  # fmt: skip
        for outcome, state in (("survives", "pinned"), ("eliminated", "gone")):
            end = after(position, f"absorb {one.id} 2", f"settle {due.id} {outcome}")
            assert (hurt(end), owed(end)) == ({one.id: state}, 0)


@pytest.mark.clause("V14.64e")
def test_what_is_absorbed() -> None:
    """At most the Casualty Rating, by vehicles and Guns only, and all of it counts."""
    units = (truck(), foe("a"))
    position = under(6, *units)
    assert owed(after(position, "absorb t 3", "settle survival:t survives")) == 3
    assert owed(after(position, "absorb t 3", "settle survival:t eliminated")) == 2
    assert last(position, "absorb t 4").is_legal
    assert bars(last(position, "absorb t 5")) == {"V14.64e"}
    assert bars(last(position, "absorb a 2")) >= {"V14.64e"}
    assert bars(last(under(4, truck()), "eliminate t")) == {"V14.64e"}


@pytest.mark.clause("V14.61d")
def test_absorbing_leaves_no_more_than_others_can_take() -> None:
    """A truck alone under three points absorbs all three; more than the points owed cannot be absorbed."""
    position = under(3, truck())
    assert offered(position) == {"absorb t 3"}
    assert bars(last(position, "absorb t 2")) == {"V14.61d"}
    assert bars(last(position, "absorb t 4")) == {"V14.61d"}


@pytest.mark.clause("V14.64b")
def test_more_than_the_rating_eliminates() -> None:
    """Five points on a truck of Rating 4 eliminate it without a roll, for four of them."""
    ruling = last(under(5, truck()), "eliminate t")
    assert (ruling.is_legal, ruling.obligations, hurt(ruling.after)) == (True, (), {"t": "gone"})
    assert owed(after(under(5, truck(), foe("a")), "eliminate t")) == 1
    assert not legal(4, (truck(),), "eliminate t")


@pytest.mark.clause("V14.64d")
def test_a_pinned_vehicle_is_eliminated() -> None:
    """Pinned before, a truck takes points only by elimination at its Rating, with no roll."""
    pinned = truck(pinned=True)
    for points in (1, 4, 6):
        ruling = last(under(points, pinned), "eliminate t")
        assert (ruling.is_legal, ruling.obligations, hurt(ruling.after)) == (
            True,
            (),
            {"t": "gone"},
        )
    assert "V14.64d" in bars(last(under(3, pinned), "absorb t 3"))
    assert owed(after(under(5, pinned, foe("a", pinned=True)), "eliminate t")) == 1


@pytest.mark.clause("V14.64c", "V14.64f")
def test_passengers_share_the_vehicles_fate() -> None:
    """A lost truck takes Passengers and a towed Gun along; Passengers' Ratings count, the Gun's does not."""
    load = (foe("p", HALF, sw=("bren",), aboard="t"), foe("g", "6-pounder", facing="N", aboard="t"))
    position = under(8, truck(), *load, foe("a"))
    gone = after(position, "eliminate t")
    assert (hurt(gone), owed(gone)) == ({"t": "gone", "p": "gone", "g": "gone"}, 2)
    assert gone.unit("p").sw == ()
    failed = after(position, "absorb t 4", "settle survival:t eliminated")
    assert (hurt(failed), owed(failed)) == ({"t": "gone", "p": "gone", "g": "gone"}, 2)
    held = after(position, "absorb t 4", "settle survival:t survives")
    assert (hurt(held), owed(held)) == ({"t": "pinned", "p": "pinned half", "g": "pinned"}, 4)


@pytest.mark.clause("V14.7c")
def test_a_pinned_vehicle_pins_its_passengers() -> None:
    """One point pins the truck and its load; others in the hex stay as they are."""
    position = under(1, truck(), foe("p", aboard="t"), foe("a"))
    assert hurt(after(position, "pin t")) == {"t": "pinned", "p": "pinned"}


@pytest.mark.clause("V14.65a")
def test_collateral_damage() -> None:
    """A truck's Passengers can be reduced or eliminated first, not once it or another has suffered."""
    units = (truck(), foe("p", aboard="t"), foe("q", LEADER, aboard="t"), foe("a"))
    position = under(7, *units)
    assert hurt(after(position, "reduce p", "eliminate q", "reduce a")) == {
        "p": "half",
        "q": "gone",
        "a": "half",
    }
    assert bars(last(position, "reduce a", "reduce p")) == {"V14.65a"}
    rolled = after(position, "absorb t 4", "settle survival:t survives")
    assert "V14.65a" in bars(last(rolled, "eliminate p"))
    assert last(position, "reduce p", "reduce a").is_legal


@pytest.mark.clause("V14.65b")
def test_passengers_of_an_afv_are_spared() -> None:
    """Riders of a halftrack fulfil nothing, whatever stands beside it."""
    position = under(2, truck(type_="m3-halftrack"), foe("p", aboard="t"), foe("a"))
    assert bars(last(position, "reduce p")) == bars(last(position, "eliminate p")) == {"V14.65b"}
    assert {line.split()[1] for line in offered(position)} == {"a"}


@pytest.mark.clause("V14.65c")
def test_a_towed_gun_is_spared() -> None:
    """A Gun behind its truck fulfils nothing; unhooked it does."""
    towed = foe("g", "6-pounder", facing="N", aboard="t")
    position = under(5, truck(), towed, foe("a"))
    for line in ("absorb g 2", "eliminate g", "pin g"):
        assert "V14.65c" in bars(last(position, line))
    assert last(under(5, truck(), gun("N"), foe("a")), "absorb g 2").is_legal


@pytest.mark.clause("V14.65d")
def test_passengers_are_not_pinned() -> None:
    """A Passenger is never pinned to fulfil a point; it is pinned with its truck."""
    position = under(1, truck(), foe("p", aboard="t"))
    assert bars(last(position, "pin p")) == {"V14.65d"}
    assert {"pin t", "reduce p", "eliminate p"} == offered(position)


def test_readings_for_vehicles() -> None:
    """A10 to A14 and A20: each other reading changes what may be done or what it fulfils."""
    pair = (truck(), foe("a"))
    assert legal(5, pair, "absorb t 2", "settle survival:t survives")
    assert not legal(5, pair, "absorb t 2", A10="whole")
    assert legal(5, pair, "reduce a", "eliminate t", A10="whole")
    assert not legal(5, pair, "reduce a", "eliminate t")
    fall = ("absorb t 2", "settle survival:t eliminated")
    assert owed(after(under(6, *pair), *fall)) == 2
    assert owed(after(under(6, *pair, readings={"A11": "applied"}), *fall)) == 4
    assert legal(2, pair, "eliminate t", A12="yes")
    assert not legal(2, pair, "eliminate t")
    load = (*pair, foe("g", "6-pounder", facing="N", aboard="t"))
    assert owed(after(under(8, *load), "eliminate t")) == 4
    assert owed(after(under(8, *load, readings={"A13": "counted"}), "eliminate t")) == 1
    pinned = (truck(pinned=True), foe("p", aboard="t", pinned=True))
    assert legal(2, pinned, "eliminate p")
    assert not legal(2, pinned, "eliminate p", A14="never")
    rolled = ("absorb t 2", "settle survival:t survives", "eliminate a")
    assert legal(3, pair, *rolled)
    assert not legal(3, pair, *rolled, A20="yes", A30="barred")
    assert legal(3, pair, *rolled, A20="yes")
    assert legal(3, pair, *rolled[:2], "pin a", A20="yes")
    assert not legal(5, pair, "absorb t 2", A20="yes")
