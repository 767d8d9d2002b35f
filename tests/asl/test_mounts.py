"""Cavalry, wagons and motorcycles."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable import reach
from marchtable_models.asl.data import unit_types
from marchtable_models.asl.model import SupportWeapon
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    crossing,
    foot,
    last,
    load,
    paid,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip
from tests.asl.chart_by_hand import low

ROAD = {"road": "Dirt Road"}
WOODS = {"terrain": "Woods"}
CYCLE = {"terrain": "Shellholes"}


def cavalry(name: str = "u", kind: str = "cavalry", **fields: Any) -> Any:
    """Return a Cavalry unit."""
    return foot(name, kind, **fields)


# -- Cavalry ---------------------------------------------------------------------------------------


@pytest.mark.clause("A13.34")
def test_a_horse_has_12_mf() -> None:
    """Cavalry has 12 MF whoever rides, wounded or not, and the road bonus."""
    board = crossing(hexside=ROAD)
    for unit in (
        cavalry(),
        cavalry(kind="cavalry-leader", wounded=True),
        cavalry(inexperienced=True),
    ):
        assert allotment(place(board, unit)) == 12
    assert allotment(place(board, foot())) == 4
    assert last(place(board, cavalry()), "enter u C1").receipts[0].left == 2 * 12


@pytest.mark.clause("A13.33")
def test_cavalry_carries_no_more_than_its_ipc() -> None:
    """3 PP for a MMC, 1 for a SMC, none for a wounded one; its load costs no MF."""
    for kind, most in (("cavalry", 3), ("cavalry-half-squad", 3), ("cavalry-leader", 1)):
        assert step("cav", kind=kind, sw=load(most)).status == "LEGAL"
        assert bars(step("cav", kind=kind, sw=load(most + 1))) == {"A13.33"}
    assert bars(step("cav", kind="cavalry-leader", wounded=True, sw=load(1))) == {"A13.33"}
    assert step("cav", wounded=True, sw=load(3)).status == "LEGAL"
    assert allotment(place(crossing(), cavalry(sw=load(5)))) == 12
    assert bars(step("cav", "end u", sw=load(4))) == set()


@pytest.mark.clause("A13.33b")
def test_what_cavalry_carries_is_dm() -> None:
    """A MMG not dm stops Cavalry, or a unit that would mount; dm, or a LMG, it can be carried."""
    for name, dm, mm, barred in (
        ("MMG", False, 0, True), ("MMG", True, 0, False), ("LMG", False, 0, False),
        ("MTR", False, 81, True), ("MTR", False, 107, True),
        ("MTR", False, 120, False),  # never dm (C10.1)
    ):  # fmt: skip
        sw = (SupportWeapon(name=name, pp=3, dm=dm, mm=mm),)
        assert ("A13.33b" in bars(step("cav", sw=sw))) is barred
        board, horses = crossing(), foot("h", "horses")
        assert ("A13.33b" in bars(last(place(board, foot(sw=sw), horses), "mount u h"))) is barred
        ridden = place(board, foot(sw=sw, aboard="h"), horses)
        assert ("A13.33b" in bars(last(ridden, "enter h C1"))) is barred
        assert "A13.33b" not in bars(last(ridden, "dismount h"))
        assert ("C1" in reach(place(board, cavalry(sw=sw)), ["u"])[0].best()) is not barred
        assert last(place(board, foot(sw=sw)), "enter u C1").is_legal
    assert bars(step("cav", "end u", sw=(SupportWeapon(name="MMG", pp=3),))) == set()


def test_cavalry_has_no_double_time_nor_leader_bonus() -> None:
    """Double Time and lent IPC are Infantry's; a Cavalry leader's bonus is for accompanying Infantry."""
    assert bars(step("cav", "double-time u")) == {"A4.5b"}
    rider = cavalry("ldr", "cavalry-leader", nationality="german")
    board = crossing()
    squad, horse = foot(nationality="german"), cavalry(nationality="german")
    assert last(place(board, rider, squad), "enter ldr,u C1").receipts[1].left == 2 * 5
    assert last(place(board, rider, horse), "enter ldr,u C1").receipts[1].left == 2 * 11
    assert bars(last(place(board, rider, squad), "lend ldr u")) == {"A4.42d"}
    lender = foot("ldr", "leader")
    assert bars(last(place(board, lender, horse), "lend ldr u")) == {"A4.42d"}


@pytest.mark.clause("A4.134")
def test_cavalry_makes_a_minimum_move_without_a_pin() -> None:
    """After a Minimum Move uphill into Marsh, Cavalry is CX and not pinned; Infantry is pinned."""
    ruling = step("cav", "minimum u C1", there={"terrain": "Marsh", "level": 1})
    after = ruling.after.unit("u")
    assert (ruling.status, total(ruling), after.status.cx, after.status.pinned) == (
        "LEGAL",
        24,
        True,
        False,
    )
    assert (
        step(line="minimum u C1", there={"terrain": "Marsh", "level": 1})
        .after.unit("u")
        .status.pinned
    )


@pytest.mark.clause("D12.1c")
def test_a_wagon_stops_as_its_mph_ends() -> None:
    """It has stopped when the phase ends or another unit moves, unless ended in Motion; a truck has not."""
    position = place(crossing(), vehicle("u", "hd-12", moving=False), foot("v", at="A1"))
    going = last(position, "start u", "enter u C1").after
    assert going.unit("u").motion.moving
    for line in ("phase DFPh", "enter v B1"):
        ruling = last(going, line)
        assert (ruling.is_legal, ruling.after.unit("u").motion.moving) == (True, False)
    far = place(crossing(), vehicle("u", "hd-12", moving=False, spent=20, used=20, mph="moving"))
    in_motion = last(far, "start u", "enter u C1", "end u", "phase DFPh").after
    assert in_motion.unit("u").motion.moving
    truck = place(crossing(), vehicle("u", "tr-12", moving=False))
    assert "D2.4" in bars(last(truck, "start u", "enter u C1", "phase DFPh"))


@pytest.mark.clause("A4.14", "A12.15a", "A4.15")
def test_cavalry_and_enemies() -> None:
    """Cavalry, like Infantry, stays out of Known enemies' Locations; an unarmed truck or wagon is none."""
    assert bars(step("cav", others=(foot("e", at="C1", side="russian"),))) == {"A4.14"}
    assert bars(step(others=(cavalry("e", at="C1", side="russian"),))) == {"A4.14"}
    assert bars(step(others=(vehicle("e", "mc-9", at="C1", side="russian"),))) == {"A4.14"}
    for kind in ("opel-blitz", "wagon"):
        assert step("cav", others=(vehicle("e", kind, at="C1", side="russian"),)).status == "LEGAL"
    hidden = foot("e", at="C1", side="russian", concealed=True)
    assert [o.clause for o in step("cav", others=(hidden,)).obligations] == ["A12.15a"]
    hero = foot("e", "hero", at="C1", side="russian")
    assert bars(step("cav", others=(hero,))) == {"A4.14"}  # only Infantry overruns
    for column in ("hd", "mc", "ac"):
        assert step(column, others=(hidden,)).status == "LEGAL"


@pytest.mark.clause("A5.11a", "A5.11b")
def test_mounted_units_count_for_stacking_as_those_who_ride() -> None:
    """A squad's horses or motorcycles count as a squad, also the mover's own; wagons do not count."""
    two = (foot("a", at="C1"), cavalry("b", at="C1"))
    three = (*two, vehicle("c", "motorcycles", at="C1"))
    for extra, others in ((0, two), (1, three), (0, (*two, vehicle("w", "wagon", at="C1")))):
        assert paid(step("cav", others=others), "A5.11a") == extra
        assert paid(step("inf", others=others), "A5.11a") == extra
        assert paid(step("mc", kind="motorcycles", others=others), "A5.11b") == extra
    assert paid(step("tr", others=three), "A5.11b") == 0
    assert paid(step("cav", kind="cavalry-leader", others=three), "A5.11a") == 0
    assert (
        paid(step("inf", others=(*two, cavalry("d", "cavalry-half-squad", at="C1"))), "A5.11a") == 1
    )


def test_cavalry_and_infantry_stack() -> None:
    """Cavalry moves in stacks, a wagon does not."""
    assert last(place(crossing(), cavalry(), foot("v")), "enter u,v C1").is_legal
    wagon = vehicle("v", "wagon")
    assert "A4.2b" in bars(last(place(crossing(), cavalry(), wagon), "enter u,v C1"))


# -- wagons ----------------------------------------------------------------------------------------


@pytest.mark.clause("D12.1a", "D2.12b", "D2.12c")
def test_a_wagon_starts_and_stops_for_nothing() -> None:
    """A wagon moves off and turns without a Start; Start and Stop are free for it, and cost a truck 1."""
    for line in ("enter u C1", "turn u SSE"):
        assert step("hd", line, moving=False).status == "LEGAL"
        assert step("ac", line, moving=False).violations
    for line, moving in (("start u", False), ("stop u", True)):
        ruling = step("hd", line, moving=moving, left=0)
        assert (ruling.status, total(ruling)) == ("LEGAL", 0)
        assert total(step("mc", line, moving=moving)) == 1


@pytest.mark.clause("D12.1b")
def test_a_wagon_turns_for_1_mf() -> None:
    """A hexspine costs a wagon 1 MF, in woods too, with the Bog Check of the woods."""
    for here in (WOODS, {}, {"terrain": "Brush"}):
        assert total(step("hd", "turn u SSE", here=here, left=1, road=False)) == 1
        assert bars(step("hd", "turn u SSE", here=here, left=0.5, road=False)) == {"D2.1b"}
    assert step("hd", "turn u SSE", here=WOODS).obligations
    assert total(step("ac", "turn u SSE", here=WOODS)) == 2


@pytest.mark.clause("D2.4")
def test_a_wagon_may_end_under_motion() -> None:
    """A wagon with MF left can end its MPh in Motion if it says so; an armored car cannot."""
    for column, legal in (("hd", True), ("ac", False), ("mc", False)):
        ruling = step(column, "end u", left=20, moving=True)
        assert ruling.is_legal is legal
        assert ruling.after.unit("u").motion.moving


@pytest.mark.clause("B3.4a", "B3.4c", "B3.4d", "B10.4a")
def test_a_wagon_pays_mf() -> None:
    """By road 1 MF, uphill double, and 1 MF more where it stays on the road; a path does not help it."""
    road = step("hd", hexside=ROAD)
    assert (total(road), road.receipts[0].left) == (1, 2 * 40)
    off = step("hd")
    assert (total(off), off.receipts[0].left) == (1, 2 * 39)
    assert total(step("hd", there={"level": 1})) == 2
    assert total(step("hd", there={"level": 1}, hexside=ROAD)) == 2
    assert total(step("hd", there={"terrain": "Brush"}, hexside={"path": True})) == 2
    assert bars(step("hd", "double-time u")) == {"A4.5b"}
    assert "D2.11c" in bars(step("hd", facing="W"))
    found = {step(column).receipts[0].points for column in ("inf", "cav", "hd")}
    assert (found, step("mc").receipts[0].points) == ({"MF"}, "MP")


@pytest.mark.clause("D2.7", "D2.15")
def test_a_wagon_in_woods() -> None:
    """Woods take all its MF, uphill a Minimum Move."""
    assert total(step("hd", there=WOODS)) == 40
    assert bars(step("hd", there=WOODS, left=39.5)) == {"D2.7"}
    up = {**WOODS, "level": 1}
    assert bars(step("hd", there=up)) == {"D2.7"}
    assert step("hd", "minimum u C1", there=up).status == "LEGAL"


@pytest.mark.clause("D2.14")
def test_which_vehicles_count() -> None:
    """Wagons count as vehicles and pay for them; motorcycles and Cavalry do neither."""
    wagon, cycle = vehicle("v", "wagon", at="C1"), vehicle("v", "mc-9", at="C1")
    for column in ("hd", "ac", "ft", "ht", "tr"):
        assert paid(step(column, others=(wagon,)), "D2.14") == 1
        assert paid(step(column, others=(cycle,)), "D2.14") == 0
        assert paid(step(column, others=(cavalry("v", at="C1"),)), "D2.14") == 0
    for column in ("inf", "cav", "mc"):
        assert paid(step(column, others=(wagon,)), "D2.14") == 0


# -- motorcycles -----------------------------------------------------------------------------------


@pytest.mark.clause("D15.46a")
def test_when_a_motorcycle_makes_a_wreck_check() -> None:
    """In shellholes, streams, Abrupt Elevation Changes, and over an elevated road's edge either way."""
    due = step("mc", there=CYCLE).obligations
    assert [(d.id, [(o.outcome, o.chance, o.of) for o in d.outcomes]) for d in due] == [
        ("wreck:u", [("safe", 5, 6), ("wrecked", 1, 6)])
    ]
    abrupt: list[Any] = [{"there": {"level": 2}}, {"here": {"level": 2}}]
    for fields in abrupt:
        assert step("mc", **fields).obligations
        assert step("mc", hexside=ROAD, **fields).obligations
        assert not step("tr", **fields).obligations
    bank = {"terrain": "Elevated Road", "level": 1}
    edge: list[Any] = [{"there": bank}, {"here": bank}]
    for fields in edge:
        assert step("mc", **fields).obligations
        assert not step("mc", hexside=ROAD, **fields).obligations
        assert not step("ft", **fields).obligations
    smooth: list[Any] = [
        {"there": {"level": 1}}, {"there": CYCLE, "hexside": ROAD}, {"here": CYCLE},
    ]  # fmt: skip
    for fields in smooth:
        assert not step("mc", **fields).obligations


@pytest.mark.clause("D15.46b")
def test_what_a_wreck_check_does() -> None:
    """If safe, the motorcycle goes on; the effects of a wreck are UNSUPPORTED."""
    position = place(crossing(there=CYCLE), vehicle(kind="motorcycles"))
    assert last(position, "enter u C1", "settle wreck:u safe", "turn u SSE").is_legal
    wrecked = last(position, "enter u C1", "settle wreck:u wrecked")
    assert cites(wrecked) == {"D15.46b"}


def test_a_motorcycle_never_bogs() -> None:
    """No terrain requires its Bog Check (D15.47)."""
    for terrain in ("Vineyard", "Shellholes", "Graveyard", "Brush"):
        for due in step("mc", there={"terrain": terrain}).obligations:
            assert due.id == "wreck:u"


# -- samples ---------------------------------------------------------------------------------------


def test_samples_of_every_column() -> None:
    """Each column has a sample type that can stand on a map."""
    columns = {kind.column for kind in unit_types().values()}
    assert columns == {"inf", "cav", "hd", "mc", "ac", "ft", "ht", "tr"}
    for name, kind in unit_types().items():
        unit = vehicle(kind=name) if kind.is_vehicle else foot(kind=name)
        ASL.check_position(place(crossing(), unit))
    assert unit_types()["motorcycle"].mp == 28
    assert unit_types()["motorcycle"].assumed == ()


@pytest.mark.clause("A13.3b")
def test_a_unit_that_rides_tires_with_the_horses() -> None:
    """A Minimum Move or a deep stream makes horse and rider CX; a lighter entry neither."""
    horse, rider = foot("h", "horses"), foot("r", aboard="h", riding=True)
    for there, line in (
        ({"terrain": "Marsh", "level": 1}, "minimum h C1"),
        (low("Deep Stream"), "enter h C1"),
    ):
        after = last(place(crossing(there=there), horse, rider), line).after
        assert [(after.unit(n).status.cx, after.unit(n).status.tired) for n in ("h", "r")] == [
            (True, True)
        ] * 2
        was = last(
            place(crossing(there=there), horse, foot("r", aboard="h", riding=True, cx=True)), line
        )
        assert (was.after.unit("r").status.cx, was.after.unit("r").status.tired) == (True, False)
    dry = last(place(crossing(there=low("Shallow Stream")), horse, rider), "enter h C1").after
    assert not dry.unit("h").status.cx
    assert not dry.unit("r").status.cx
