"""Mounting horses and motorcycles, dismounting, and being thrown."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.state.records import replace
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    crossing,
    field,
    foot,
    judge,
    last,
    load,
    paid,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip

CYCLES = {"moving": False}
LONG = field({name: {} for name in ("A1", "B1", "C2", "D2", "E3", "F3", "G4", "H4", "I5", "J5")})


def horses(kind: str = "horses", name: str = "h", **fields: Any) -> Any:
    """Return a counter of horses."""
    return foot(name, kind, **fields)


def cycles(kind: str = "cycles", name: str = "h", **fields: Any) -> Any:
    """Return a stopped motorcycle counter."""
    return vehicle(name, kind, **{**CYCLES, **fields})


def mounted(kind: str = "horses", rider: str = "squad", **fields: Any) -> Any:
    """Return a position in which u rides h."""
    make = cycles if "cycle" in kind else horses
    return place(crossing(), foot("u", rider, aboard="h", **fields), make(kind))


def mount(*units: Any, onto: Any = None, line: str = "", **scene: Any) -> Any:
    """Return the ruling on these units mounting h."""
    onto = onto or horses()
    names = ",".join(unit.id for unit in units)
    return last(place(crossing(), *units, onto, **scene), line or f"mount {names} h")


# -- mounting --------------------------------------------------------------------------------------


@pytest.mark.clause("A13.31a", "A13.31b", "D15.41a", "D15.41b")
def test_mounting_costs_the_unit_1_mf_and_the_mount_a_quarter() -> None:
    """1 MF of the unit's 4; the horse has 9 MF of 12 left, the motorcycle 21 MP of 28."""
    for onto, clause, left in (
        (horses(), "A13.31a", 9),
        (cycles(), "D15.41a", 21),
    ):
        ruling = mount(foot(), onto=onto)
        assert (ruling.status, paid(ruling, clause), total(ruling)) == ("LEGAL", 1, 1)
        after = ruling.after
        assert allotment(after, "h") - after.unit("h").points.spent / 2 == left
        assert (after.unit("u").cargo.aboard, after.unit("u").move.mph, after.unit("h").move.mph) == (
            "h", "moving", "moving",
        )  # fmt: skip


@pytest.mark.clause("A13.31b", "D15.41b")
def test_what_the_rider_spent_before_counts() -> None:
    """A MF walked costs another quarter; ½ MF an eighth of a horse's MF, a quarter of a motorcycle's MP."""
    for spent, horse, cycle in ((2, 6, 14), (3, 8, 21), (6, 12, 28)):
        rider = foot(spent=spent, used=spent, mph="moving")
        assert total(mount(rider), "h") == horse
        assert total(mount(rider, onto=cycles()), "h") == cycle
    walked = mount(foot(spent=2, used=2, mph="moving"), onto=cycles())
    found = [
        charge.amount
        for receipt in walked.receipts
        for charge in receipt.charges
        if receipt.unit == "h"
    ]
    assert found == [
        14,
        14,
    ]  # the printed example's 7 MP, and 7 for the MF spent on foot
    weary = foot(spent=8, used=8, mph="moving")
    assert "A4.11b" in bars(mount(weary))


@pytest.mark.clause("A13.31a", "D15.41a")
def test_who_mounts_what() -> None:
    """Infantry, on foot, mounts a counter of its side in its Location, not a vehicle or other unit."""
    for onto, clause in ((horses(), "A13.31a"), (cycles(), "D15.41a")):
        assert mount(foot(), onto=onto).is_legal
        far = mount(foot(at="C1"), onto=onto)
        assert bars(far) == {clause}
        lancer = foot("u", "cavalry")
        assert clause in bars(mount(lancer, onto=onto))
        aboard = foot(aboard="t")
        truck = vehicle("t", "opel-blitz", moving=False)
        assert clause in bars(last(place(crossing(), aboard, truck, onto), "mount u h"))
    assert bars(last(place(crossing(), foot(), foot("h")), "mount u h")) == {"D15.41a"}
    assert "D15.41a" in bars(
        last(place(crossing(), foot(), vehicle("h", "opel-blitz", moving=False)), "mount u h")
    )
    foes = horses(side="russian")
    assert "A13.31a" in bars(mount(foot(), onto=foes))
    riderless = cycles()
    assert "D6.4d" in bars(last(place(crossing(), foot(), riderless), "load u h"))


@pytest.mark.clause("A13.31d")
def test_no_mount_is_mounted_that_was_dismounted_or_has_moved() -> None:
    """A spent mount cannot be mounted; a unit that has left a mount or vehicle can mount a fresh one."""
    for onto in (horses(spent=1), cycles(spent=1)):
        assert "A13.31d" in bars(mount(foot(), onto=onto))
    assert "A13.31d" in bars(last(mounted(), "dismount h", "mount u h"))
    fresh = place(crossing(), foot("u", aboard="h"), horses(), horses(name="k"))
    again = last(fresh, "dismount h", "mount u k")
    assert (again.status, again.receipts[0].left) == ("LEGAL", 2 * 2)
    truck = vehicle("t", "opel-blitz", moving=False)
    off = last(place(crossing(), foot("u", aboard="t"), truck, horses()), "unload u", "mount u h")
    assert (off.is_legal, off.after.unit("u").cargo.act) == (True, "")


@pytest.mark.clause("A4.5e", "A4.61e", "A4.42c", "A3.3")
def test_others_bars_on_mounting() -> None:
    """Not after Double Time or Assault Movement, without the SMC lending its IPC, or in the APh."""
    assert "A4.5e" in bars(last(place(crossing(), foot(), horses()), "double-time u", "mount u h"))
    for onto in (horses(), cycles()):
        assert bars(last(place(crossing(), foot(), onto), "assault u", "mount u h")) == {"A4.61e"}
        assert bars(last(place(crossing(), foot(), onto), "mount u h", "assault u")) >= {"A4.61e"}
    helped = (foot(helper="ldr"), foot("ldr", "leader", lends="u"))
    assert bars(last(place(crossing(), *helped, horses()), "mount u h")) == {"A4.42c"}
    assert last(place(crossing(), *helped, horses()), "mount u,ldr h").is_legal
    assert bars(mount(foot(), phase="APh")) == {"A3.3"}
    assert "A10.4" in bars(mount(foot(broken=True)))
    assert "A7.8a" in bars(mount(foot(pinned=True)))


@pytest.mark.clause("A13.33c")
def test_a_mounted_smc_lends_no_ipc() -> None:
    """On horses it lends no IPC; on foot, and aboard a truck, it does."""

    def lends(other: Any, **fields: Any) -> set[str]:
        men = foot("l", "leader", **fields), foot("u", **fields)
        return bars(last(place(crossing(), *men, other), "lend l u"))

    assert lends(horses(), aboard="h") == {"A13.33c"}
    assert lends(horses()) == set()
    assert lends(vehicle("h", "opel-blitz", moving=False), aboard="h") == set()


@pytest.mark.clause("A13.33", "D15.2")
def test_what_riders_carry() -> None:
    """On horses the IPC; on motorcycles none, in sidecars 3, 2 or 1 PP by size."""
    for kind, most, onto in (
        ("squad", 3, "horses"),
        ("half-squad", 3, "two-horses"),
        ("leader", 1, "horse"),
    ):
        assert mount(foot("u", kind, sw=load(most)), onto=horses(onto)).is_legal
        assert bars(mount(foot("u", kind, sw=load(most + 1)), onto=horses(onto))) == {"A13.33"}
    assert bars(mount(foot(sw=load(1)), onto=cycles())) == {"D15.2"}
    assert mount(foot(sw=load(3)), onto=cycles("sidecar-cycles")).is_legal
    assert bars(mount(foot(sw=load(4)), onto=cycles("sidecar-cycles"))) == {"D15.2"}
    for kind, most in (("half-squad", 2), ("crew", 2), ("leader", 1)):
        side = cycles("sidecar-cycles" if kind == "leader" else "two-sidecar-cycles")
        assert bars(mount(foot("u", kind, sw=load(most)), onto=side)) == set()
        assert bars(mount(foot("u", kind, sw=load(most + 1)), onto=side)) >= {"D15.2"}
    assert mount(foot("u", "leader", sw=load(1)), onto=cycles("sidecar-cycle")).is_legal


@pytest.mark.clause("A13.32")
def test_how_many_ride_horses() -> None:
    """Three horses: a squad or two half squads exactly, and SMC; two: half, and 4; one: 1 or 2 SMC."""
    squad, half, other = foot(), foot("v", "half-squad"), foot("w", "crew")
    men = [foot(f"l{n}", "leader") for n in range(6)]
    for kind, right, wrong in (
        ("horses", [(squad,), (half, other), (squad, *men)], [(squad, half)]),
        ("two-horses", [(half,), (half, *men[:4])], [(squad,), (half, *men[:5])]),
        ("horse", [(men[0],), (men[0], men[1])], [(half,), tuple(men[:3])]),
    ):  # fmt: skip
        for units in right:
            assert mount(*units, onto=horses(kind)).is_legal
        for units in wrong:
            assert bars(mount(*units, onto=horses(kind))) == {"A13.32"}
    position = place(crossing(), foot("v", aboard="h"), foot(), horses())
    assert "A13.32" in bars(last(position, "mount u h"))


@pytest.mark.clause("A13.32", "D15.1")
def test_counters_that_several_would_split_are_not_judged() -> None:
    """Several units too few for the counter, or a SMC joining others: UNSUPPORTED."""
    two = foot("v", "leader"), foot("w", "leader")
    for kind, clause, make in (("horses", "A13.32", horses), ("cycles", "D15.1", cycles)):
        assert cites(mount(*two, onto=make(kind))) == {clause}
        position = place(crossing(), foot("v", aboard="h"), foot("u", "leader"), make(kind))
        assert cites(last(position, "mount u h")) == {clause}


@pytest.mark.clause("D15.1")
def test_how_many_ride_motorcycles() -> None:
    """Three: a squad and 4 SMC; two: half and 4; one: 2 SMC, 3 with a sidecar."""
    squad, half = foot(), foot("v", "half-squad")
    men = [foot(f"l{n}", "leader") for n in range(5)]
    for kind, right, wrong in (
        ("cycles", [(squad,), (squad, *men[:4])], [(squad, half), (squad, *men)]),
        ("two-cycles", [(half, *men[:4])], [(squad,), (half, *men)]),
        ("cycle", [tuple(men[:2])], [(half,), tuple(men[:3])]),
        ("sidecar-cycle", [tuple(men[:3])], [tuple(men[:4])]),
    ):
        for units in right:
            assert mount(*units, onto=cycles(kind)).is_legal
        for units in wrong:
            assert bars(mount(*units, onto=cycles(kind))) == {"D15.1"}
    position = place(crossing(), foot("v", aboard="h"), foot(), cycles())
    assert "D15.1" in bars(last(position, "mount u h"))


# -- riding ----------------------------------------------------------------------------------------


@pytest.mark.clause("A13.31b")
def test_riders_go_where_the_mount_goes() -> None:
    """Mounted, a squad rides 9 hexes in the turn it mounts; it does not walk meanwhile."""
    position = place(LONG, foot(at="A1"), horses(at="A1"))
    way = [f"enter h {name}" for name in list(LONG.index)[1:]]
    verdict = judge(position, "mount u h", *way)
    assert verdict.status == "LEGAL"
    assert {unit.at for unit in verdict.position.units} == {"J5"}
    assert "D6.3b" in bars(last(mounted(), "enter u C1"))


@pytest.mark.clause("A5.11a", "A5.11b", "A4.14", "A12.15a")
def test_riders_count_and_mounts_do_not() -> None:
    """Riders count for stacking; an unridden mount keeps no unit out."""
    three = [foot(f"s{n}", at="C1") for n in range(3)]
    ruling = last(place(crossing(), foot(aboard="h"), horses(), *three), "enter h C1")
    assert paid(ruling, "A5.11a", "h") == 1
    riding = (foot("s", aboard="x", at="C1"), horses(name="x", at="C1"), *three[:2])
    assert paid(step(others=riding), "A5.11a") == 1
    assert paid(step(others=(horses(name="x", at="C1"), *three[:2])), "A5.11a") == 0
    assert step(others=(horses(name="x", at="C1", side="russian"),)).is_legal
    foes = (
        horses(name="x", at="C1", side="russian"),
        foot("e", at="C1", side="russian", aboard="x"),
    )
    assert bars(step(others=foes)) == {"A4.14"}
    hero = foot("e", "hero", at="C1", side="russian")
    lone = last(
        place(crossing(), foot("u", "leader", aboard="h"), horses("horse"), hero), "enter h C1"
    )
    assert lone.status != "LEGAL"


@pytest.mark.clause("A13.7", "D15.4")
def test_a_mount_that_nobody_rides() -> None:
    """Leading horses is UNSUPPORTED; a motorcycle stays where it is."""
    assert cites(last(place(crossing(), horses()), "enter h C1")) == {"A13.7"}
    assert bars(last(place(crossing(), cycles()), "start h")) == {"D15.4"}
    assert not cites(last(mounted(), "enter h C1"))
    assert last(mounted("cycles"), "start h").is_legal
    assert bars(last(mounted(pinned=True), "enter h C1")) == {"A7.8a"}
    assert bars(last(mounted(prep_fired=True), "enter h C1")) == {"A4.1c"}


# -- dismounting -----------------------------------------------------------------------------------


@pytest.mark.clause("A13.31c", "D15.41c", "A13.31b", "D15.41b")
def test_dismounting() -> None:
    """Dismounting costs 1 MF, and 1 more for each quarter of the mount's MF that is begun."""
    for kind, quarter in (("horses", 6), ("cycles", 14)):
        position = mounted(kind)
        for used, gone in ((0, 1), (1, 2), (quarter, 2), (quarter + 1, 3), (3 * quarter, 4)):
            before = position.with_units([used_up(position.unit("h"), used)])
            ruling = last(before, "dismount h")
            assert (ruling.status, total(ruling)) == ("LEGAL", gone)
            after = ruling.after
            assert (after.unit("u").cargo.aboard, after.unit("h").move.mph) == (None, "done")
            assert (after.unit("u").move.mph, after.unit("u").move.road) == ("moving", False)
            assert allotment(after, "u") == 4
        spent = position.with_units([used_up(position.unit("h"), 3 * quarter + 1)])
        assert "A4.11b" in bars(last(spent, "dismount h"))
    assert last(mounted(), "dismount h", "enter u C1").is_legal


def used_up(unit: Any, used: int) -> Any:
    """Return a mount that has used this many half points."""
    return replace(unit, spent=used, used=used, mph="moving")


@pytest.mark.clause("A13.31e")
def test_only_riders_dismount() -> None:
    """An unridden counter, or one with printed riders, cannot be dismounted from."""
    assert last(mounted(), "dismount h").is_legal
    assert bars(last(place(crossing(), horses()), "dismount h")) == {"A13.31e"}
    for unit in (foot("h", "cavalry"), vehicle("h", "motorcycles", moving=False)):
        whose = last(place(crossing(), unit), "dismount h")
        assert (whose.status, cites(whose)) == ("UNSUPPORTED", {"A13.31e"})
        assert "`aboard`" in whose.unsupported[0].note
    both = place(crossing(), foot(aboard="h"), foot("l", "leader", aboard="h"), horses())
    assert {u.cargo.aboard for u in last(both, "dismount h").after.units} == {None}


@pytest.mark.clause("D15.43", "D15.41b")
def test_dismounting_from_a_motorcycle() -> None:
    """Only when stopped, and not beside a Known enemy; Cavalry can."""
    foe = foot("e", side="russian")
    for kind, said in (("horses", set()), ("cycles", {"D15.43"})):
        position = mounted(kind)
        beside = place(crossing(), *position.units, foe)
        assert bars(last(beside, "dismount h")) == said
        hidden = place(crossing(), *position.units, foot("e", side="russian", concealed=True))
        assert last(hidden, "dismount h").is_legal
    assert "D15.41b" in bars(last(mounted("cycles"), "start h", "dismount h"))
    assert last(mounted("cycles"), "start h", "stop h", "dismount h").is_legal


# -- thrown ----------------------------------------------------------------------------------------


@pytest.mark.clause("A13.51", "D15.53")
def test_broken_cavalry_bails_out() -> None:
    """The rider stands there broken and the horse is gone; other cases are UNSUPPORTED."""
    ruling = last(mounted(), "result u broken")
    after = ruling.after
    assert (after.unit("u").status.broken, after.unit("u").cargo.aboard, after.unit("h").at) == (
        True,
        None,
        None,
    )
    assert last(mounted(), "result u pinned").is_legal
    both = place(crossing(), foot(aboard="h"), foot("l", "leader", aboard="h"), horses())
    assert "A13.51" in cites(last(both, "result u broken"))
    assert cites(last(mounted("cycles"), "result u broken")) == {"D15.53"}
    assert cites(last(mounted(), "result u eliminated")) == {"D15.53"}
    with pytest.raises(BadInputError, match="the unit that rides it"):
        last(mounted(), "result h broken")
    for kind, clause in (("cavalry", "A13.51"), ("motorcycles", "D15.53")):
        one = foot(kind=kind) if kind == "cavalry" else vehicle(kind=kind)
        assert cites(last(place(crossing(), one), "result u broken")) == {clause}
        assert not cites(last(place(crossing(), one), "result u pinned"))


@pytest.mark.clause("D15.46b", "D15.46c")
def test_a_wrecked_motorcycle_throws_its_riders() -> None:
    """They break in place; the motorcycle is removed or, by another reading, stays."""
    position = place(
        crossing(there={"terrain": "Shellholes"}), foot(aboard="h"), cycles(moving=True)
    )
    lines = ("enter h C1", "settle wreck:h wrecked")
    for readings, at in (((), None), ((("D15.46b", "stays"),), "C1")):
        found = msgspec.structs.replace(position, readings=readings)
        after = last(found, *lines).after
        rider, wreck = after.unit("u"), after.unit("h")
        assert (rider.status.broken, rider.status.dm) == (True, True)
        assert (rider.cargo.aboard, rider.at, rider.move.mph) == (
            None,
            "C1",
            "done",
        )
        assert (wreck.at, wreck.motion.moving, wreck.move.mph) == (at, False, "done")
    safe = last(position, "enter h C1", "settle wreck:h safe").after
    assert (safe.unit("u").status.broken, safe.unit("u").cargo.aboard) == (False, "h")


# -- scene statements ------------------------------------------------------------------------------


def test_units_aboard_that_make_no_sense() -> None:
    """No unit is aboard motorcycles with printed riders, and a type has riders or mounts, not both."""
    for kind in ("motorcycles",):
        with pytest.raises(BadInputError, match="'h' has the type 'motorcycles'"):
            ASL.check_position(place(crossing(), foot(aboard="h"), cycles(kind)))
    ASL.check_position(mounted())
    ASL.check_position(mounted("cycles"))


def test_what_is_aboard_leaves_the_map_too() -> None:
    """A vehicle or horse that leaves the map takes the units aboard along."""
    for kind in ("horses", "cycles"):
        unit = mounted(kind).unit("h")
        position = mounted(kind).with_units([
            replace(unit, moving=bool(unit.facing), mph="moving")
        ])  # fmt: skip
        after = last(position, "exit h").after
        assert {(u.at, u.offboard.exited) for u in after.units} == {(None, True)}


@pytest.mark.clause("A13.31c", "A13.36c")
def test_a_horse_mounted_late_that_gallops_and_is_dismounted() -> None:
    """A SMC that walked 1 MF leaves 6 MF, 10 with a late Gallop, of which it can ride 4 and dismount."""
    rider = foot("u", "leader", spent=2, used=2, mph="moving")
    position = place(LONG, msgspec.structs.replace(rider, at="A1"), horses("horse", at="A1"))
    up = last(position, "mount u h", "gallop h")
    assert allotment(up.after, "h") - up.after.unit("h").points.spent / 2 == 10
    assert (up.after.unit("h").status.cx, up.after.unit("u").status.cx) == (True, False)
    four = ("enter h B1", "enter h C2", "enter h D2", "enter h E3")
    off = last(up.after, *four, "dismount h")
    assert (off.status, total(off, "u")) == ("LEGAL", 2)
    assert "A4.11b" in bars(last(up.after, *four, "enter h F3", "dismount h"))


@pytest.mark.parametrize(
    ("kind", "riders", "clause"),
    [
        ("horse", (("leader", 0), ("leader", 0), ("leader", 0)), "A13.32"),
        ("horses", (("squad", 0), ("half-squad", 0)), "A13.32"),
        ("horses", (("squad", 4),), "A13.33"),
        ("cycles", (("squad", 1),), "D15.2"),
        ("cycles", (("squad", 0), ("squad", 0)), "D15.1"),
        ("horses", (("squad", 3),), ""),
        ("horses", (("leader", 1),), ""),
        ("cycles", (("leader", 0),), ""),
    ],
)
def test_a_scene_tells_no_more_riders_than_there_is_room_for(
    kind: str, riders: tuple[tuple[str, int], ...], clause: str
) -> None:
    """Too many riders, or too much carried, is refused with the clause; after losses the rest ride on."""
    make = cycles if "cycle" in kind else horses
    units = [
        foot(f"u{number}", rider, aboard="h", sw=load(pp) if pp else ())
        for number, (rider, pp) in enumerate(riders)
    ]
    position = place(crossing(), *units, make(kind))
    if not clause:
        ASL.check_position(position)
        return
    with pytest.raises(BadInputError, match=clause.replace(".", r"\.")):
        ASL.check_position(position)
