"""Each entry of the register: the default is the text's letter, and each other choice changes a ruling."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.planning.loop import plan
from marchtable.state.goal import Aim, Goal
from tests.panzer.scenes import (
    FIELD,
    PANZER,
    after,
    bars,
    field,
    foe,
    grid,
    last,
    paid,
    place,
    rifles,
    tank,
    truck,
    unit,
    wagon,
)  # fmt: skip
from tests.panzer.test_combat import FULL, PAIR, RIDERS, state
from tests.panzer.test_stacking import END, crowd
from tests.panzer.test_transport import LANE, along, order

HALFWAY = (truck(at="A1"), rifles(at="A1", aboard="t"))


LEADER = {"P.opt-b-stacking": "panzer-leader", "P.opt-b-road": "panzer-leader"}
"""Roomier than PanzerBlitz: four units to a hex, roads past two of them."""


def differ(
    lines: tuple[str, ...],
    *units: Any,
    of: str,
    also: dict[str, str] | None = None,
    **fields: Any,
) -> list[set[str]]:
    """Return what forbids the last line under each choice of an entry, in order."""
    entry = next(entry for entry in PANZER.register if entry.id == of)
    return [
        bars(place(*units, readings={**(also or {}), of: choice}, **fields), *lines)
        for choice in entry.choices
    ]


def test_every_entry_is_tested_here() -> None:
    """The register holds B1 to B17 and what the restatement leaves to other pages."""
    named = {entry.id for entry in PANZER.register}
    assert named == {
        *(f"B{number}" for number in range(1, 18)),
        "B3-relay", "P.opp-c-fire", "P.opt-b-stacking", "P.opt-b-road", "P.opt-b-mixed",
        "P.elig-c-doctrine", "P.move-a-gully", "P.move-a-woods", "PB.move-fired", "PB.dd-again", "PB.overrun-again",
        "PB.exit-cost", "PB.order-foot",
    }  # fmt: skip
    assert all(len(entry.choices) > 1 and entry.reason for entry in PANZER.register)


def test_b1_load_and_carry() -> None:
    """B1: what has loaded carries nothing away; combined, it does."""
    lines = ("load t r", "move t C4")
    assert differ(lines, truck(), rifles(), of="B1") == [{"P.turn-d"}, set()]


def test_b2_drive_and_load() -> None:
    """B2: an empty drive before loading is free, or within half the factor, or not at all."""
    units = (truck(at="A1"), rifles(at="A13"), rifles("s", at="A14"))
    near, far = (*along(1, 12), "load t r"), (*along(1, 13), "load t s")
    assert differ(near, *units, of="B2", also=LEADER, board=LANE) == [set(), set(), {"P.turn-a"}]
    assert differ(far, *units, of="B2", also=LEADER, board=LANE) == [
        set(),
        {"P.turn-a"},
        {"P.turn-a"},
    ]
    assert differ(("load t r",), truck(), rifles(), of="B2") == [set(), set(), set()]


def test_b3_load_and_unload() -> None:
    """B3: a transport does not load and unload in one phase, in either order; or it may."""
    assert differ(("load t r", "unload t r"), truck(), rifles(), of="B3") == [{"P.turn-d"}, set()]
    lines = ("unload t r", "load t s")
    assert differ(lines, *PAIR, rifles("s"), of="B3") == [{"P.turn-d"}, set()]


def test_b4_one_hex_and_the_half() -> None:
    """B4: a wagon, half 1, that unloads climbs no slope of 3; or enters it as the one hex it may."""
    board = field("A", 2, {"A2": {"level": 1}})
    units = (wagon(at="A1"), rifles(at="A1", aboard="w"))
    later, sooner = ("unload w r", "move w A2"), ("move w A2", "unload w r")
    assert differ(later, *units, of="B4", board=board) == [{"P.turn-b"}, set()]
    steep = field("A", 2, {"A1": {"depression": "Gully", "terrain": "Gully", "level": -1}})
    assert differ(sooner, *units, of="B4", board=steep) == [{"P.turn-b"}, set()]


def test_b5_before_and_after() -> None:
    """B5: no moving on both sides of unloading; or half the factor in all."""
    lines = ("move t A2", "unload t r", "move t A3")
    assert differ(lines, *HALFWAY, of="B5", board=LANE) == [{"P.turn-e"}, set()]
    most = (*along(1, 2), "unload t r", *along(3, 10))
    summed = after(place(*HALFWAY, board=LANE, readings={"B5": "sum"}), *most)
    assert bars(summed, "move t A14") == {"P.turn-b"}


def test_b6_phase_or_turn() -> None:
    """B6: a unit that fired, or was unloaded, in an earlier phase is free again; or not for the whole turn."""
    early = ("fire r", "phase Movement", "load t r")
    assert differ(early, truck(), rifles(), of="B6", phase="Fire") == [set(), {"P.turn-c"}]
    late = ("unload t r", "phase Assault", "fire r")
    assert differ(late, *PAIR, of="B6") == [set(), {"P.turn-c"}]


def test_b7_capacity() -> None:
    """B7: one passenger, or any number, all of which the transport carries."""
    units = (*PAIR, rifles("s"))
    assert differ(("load t s",), *units, of="B7") == [{"P.turn-a"}, set()]
    full = place(truck(), rifles(aboard="t"), rifles("s", aboard="t"), readings={"B7": "any"})
    assert {one.at for one in after(full, "move t C4").units} == {"C4"}
    assert state(after(full, "hit t DD"), "r", "s") == ["DD", "DD"]


def test_b8_d_leaves_aboard() -> None:
    """B8: D leaves the passenger aboard, of a truck and of a tank; or forces it off as well."""
    for units, name in ((PAIR, "t"), (RIDERS, "k")):
        found = [
            state(after(place(*units, readings={"B8": choice}), f"hit {name} D"), "r")
            for choice in ("stays", "unloads")
        ]
        assert found == [["D aboard"], ["D"]]


def test_b9_removal_without_need() -> None:
    """B9: no unit is removed while there is room; or the owner can."""
    assert differ(("hit t DD", "remove r"), *PAIR, of="B9") == [{"P.dd-b"}, set()]
    assert differ(("remove r",), *PAIR, of="B9") == [{"P.dd-b"}, {"P.dd-b"}]


def test_b10_dd_on_the_rider() -> None:
    """B10: DD on the rider alone forces it off; or leaves it on."""
    found = [
        state(after(place(*RIDERS, readings={"B10": choice}), "hit r DD"), "r")
        for choice in ("unloads", "stays")
    ]
    assert found == [["DD"], ["DD aboard"]]


def test_b11_as_drawn_or_as_found() -> None:
    """B11: what drew the fire distinguishes loaded from unloaded; or the state in which the fire finds them."""
    lines = ("move t C4", "unload t r", "hit r D drawn=enter")
    assert differ(lines, *PAIR, of="B11") == [{"P.one-a"}, set()]
    found = {"B11": "as-found"}
    unloaded = after(place(*PAIR, readings=found), "unload t r", "hit t X drawn=unload")
    assert state(unloaded, "r") == [""]
    loaded = after(place(truck(), rifles(), readings=found), "load t r", "hit t X drawn=load")
    assert state(loaded, "r") == ["gone"]


def test_b12_artillery() -> None:
    """B12: self-propelled artillery carries riders as other armour does; or not."""
    units = (unit("k", "su-76"), unit("r", "russian-rifles"))
    assert differ(("load k r",), *units, of="B12") == [set(), {"P.elig-c"}]
    assert differ(("load k r",), unit("k", "t-34c"), units[1], of="B12") == [set(), set()]


def test_b13_which_movement() -> None:
    """B13: any movement of its transport silences the observer; or only movement with a passenger."""
    empty = (truck(at="C2"), unit("o", "german-observer"))
    assert differ(("move t C3", "load t o", "observe o"), *empty, of="B13") == [
        {"P.fire-b"},
        set(),
    ]
    loaded = (truck(), unit("o", "german-observer", aboard="t"))
    assert differ(("move t C4", "observe o"), *loaded, of="B13") == [{"P.fire-b"}, {"P.fire-b"}]


def test_b14_when_stacking_is_checked() -> None:
    """B14: as the unit unloads; or as the phase ends, when another unit may have left."""
    units = (*PAIR, *FULL)
    assert differ(("unload t r",), *units, of="B14") == [{"P.stack-a"}, set()]
    late = place(*units, readings={"B14": "phase-end"})
    assert bars(late, "unload t r", END) == {"P.stack-a", "P.opt-b"}
    assert bars(late, "unload t r", "move x C4", END) == set()
    assert bars(place(truck(), *crowd(3), readings={"B14": "phase-end"}), END) == {"P.opt-b"}


def test_b15_loading_in_a_full_hex() -> None:
    """B15: stacking never forbids loading; or it does with too many units there."""
    units = (truck(at="C2"), rifles(), *FULL)
    assert differ(("move t C3", "load t r"), *units, of="B15") == [set(), {"P.opt-b"}]
    assert differ(("load t r",), truck(), rifles(), FULL[0], of="B15") == [set(), set()]


def test_b16_beneath_whom() -> None:
    """B16: the transport goes beneath the transportable units; or beneath all."""
    units = (
        tank(height=-3), rifles("s"), rifles("r", aboard="t", height=1), truck(height=2)
    )  # fmt: skip
    found = [
        order(after(place(*units, readings={**LEADER, "B16": choice}), "unload t r"))
        for choice in ("transportable", "all")
    ]
    assert found == ["rstk", "rskt"]


def test_b17_when_they_are_one() -> None:
    """B17: one unit whenever loaded; or while moving only, at rest two targets and two in the stack."""
    assert differ(("hit r D",), *PAIR, of="B17", phase="Fire") == [{"P.one-a"}, set()]
    assert differ((END,), *PAIR, *FULL, of="B17") == [set(), {"P.opt-b"}]
    moving = ("move t C4", "hit r D drawn=enter")
    assert differ(moving, *PAIR, of="B17") == [{"P.one-a"}, {"P.one-a"}]


def test_stacking_of_either_game() -> None:
    """PanzerBlitz: 3 German and 2 Russian units as the phase ends; Panzer Leader: 4 at all times."""
    assert differ((END,), *crowd(3), of="P.opt-b-stacking") == [set(), set()]
    assert differ((END,), *crowd(4), of="P.opt-b-stacking") == [{"P.opt-b"}, set()]
    five = differ((END,), *crowd(5), of="P.opt-b-stacking")
    assert five == [{"P.opt-b"}, {"P.opt-b"}]
    full = crowd(4, "C4")
    assert differ(("move t C4",), truck(), *full, of="P.opt-b-stacking") == [set(), {"P.opt-b"}]
    room = crowd(3, "C4")
    assert differ(("move t C4",), truck(), *room, of="P.opt-b-stacking") == [set(), set()]
    pair = (rifles("q", "C4", aboard="v"), truck("v", "C4"))
    both = differ(("move t C4",), truck(), *crowd(2, "C4"), *pair, of="P.opt-b-stacking")
    assert both == [set(), set()]


@pytest.mark.parametrize(
    ("others", "costs"), [(0, [0.5, 0.5, 2]), (1, [2, 0.5, 2]), (2, [2, 0.5, 2]), (3, [2, 2, 2])]
)
def test_road_rate_of_either_game(others: int, costs: list[float]) -> None:
    """PanzerBlitz: not through other units; Panzer Leader: through two at most; or no such rate."""
    board = grid({"A1": {}, "A2": {}}, {"A1-A2": {"road": "Dirt Road"}})
    found = [
        paid(
            place(
                truck(at="A1"), *crowd(others, "A2"), board=board, readings={"P.opt-b-road": choice}
            ),
            "move t A2",
        )
        for choice in ("panzerblitz", "panzer-leader", "none")
    ]
    assert found == costs


def test_doctrine_of_either_game() -> None:
    """PanzerBlitz: German and Russian armour carries riders; Panzer Leader: German only."""
    of = "P.elig-c-doctrine"
    german, russian = (tank(), rifles()), (unit("k", "t-34c"), unit("r", "russian-rifles"))
    assert differ(("load k r",), *german, of=of) == [set(), set()]
    assert differ(("load k r",), *russian, of=of) == [set(), {"P.elig-c"}]


def test_relay() -> None:
    """B3-relay: what one truck has unloaded another loads in the same phase; or not before the next."""
    units = (truck(), rifles(aboard="t"), truck("u"))
    lines = ("unload t r", "load u r")
    assert differ(lines, *units, of="B3-relay") == [{"P.turn-d"}, set()]
    assert differ(("load u s",), truck("u"), rifles("s"), of="B3-relay") == [set(), set()]


def test_how_long_they_count_as_loaded() -> None:
    """P.opp-c-fire: in the hex entered loaded, for all fire of the phase; or for fire drawn by the entry."""
    lines = ("move t C4", "unload t r", "hit r D drawn=unload")
    assert differ(lines, *PAIR, of="P.opp-c-fire") == [{"P.one-a"}, set()]
    drawn = (*lines[:2], "hit r D drawn=enter")
    assert differ(drawn, *PAIR, of="P.opp-c-fire") == [{"P.one-a"}, {"P.one-a"}]


def test_factions_mixed() -> None:
    """P.opt-b-mixed: a Russian truck among Germans brings its limit of two; or theirs of three applies."""
    captured = unit("c", "russian-truck")
    for units in ((captured, truck(), rifles()), (truck(), rifles(), captured)):
        assert differ((END,), *units, of="P.opt-b-mixed") == [{"P.opt-b"}, set()]
    assert differ((END,), captured, truck(), of="P.opt-b-mixed") == [set(), set()]


def test_leaving_a_gully() -> None:
    """P.move-a-gully: leaving is paid on the way out; or for each hex, along the bed too."""
    bed = {"depression": "Gully", "terrain": "Gully", "level": -1}
    board = field("A", 3, {"A1": bed, "A2": bed})
    of = "P.move-a-gully"
    along_it, out = (
        [
            paid(place(tank(at=at), board=board, readings={of: choice}), f"move k {to}")
            for choice in ("out", "every")
        ]
        for at, to in (("A1", "A2"), ("A2", "A3"))
    )
    assert (along_it, out) == ([1, 4], [4, 4])


def test_leaving_woods() -> None:
    """P.move-a-woods: woods are it can be left only by road, as they are entered; or only entering is limited."""
    units, board = (tank(at="A1"),), field("A", 2, {"A1": {"terrain": "Woods"}})
    of = "P.move-a-woods"
    assert differ(("move k A2",), *units, of=of, board=board) == [{"P.move-a"}, set()]
    assert differ(("move r A2",), rifles(at="A1"), of=of, board=board) == [set(), set()]
    road = grid(
        {"A1": {"terrain": "Woods"}, "A2": {}}, {"A1-A2": {"road": "Dirt Road"}}
    )  # fmt: skip
    assert differ(("move k A2",), *units, of=of, board=road) == [set(), set()]


def test_moving_after_firing() -> None:
    """PB.move-fired: a unit that has fired can still move; or no more this turn."""
    assert differ(("fire t", "move t C4"), truck(), of="PB.move-fired") == [set(), {"PB.move"}]
    assert differ(("move t C4",), truck(), of="PB.move-fired") == [set(), set()]


def test_dispersed_twice() -> None:
    """PB.dd-again: DD destroys a dispersed unit; or it stays, and its passenger is put off."""
    hurt = (truck(dispersed="D"), rifles(aboard="t", dispersed="D"))
    found = [
        state(after(place(*hurt, readings={"PB.dd-again": choice}), "hit t DD"), "t", "r")
        for choice in ("destroyed", "stays")
    ]
    assert found == [["gone", "gone"], ["DD", "DD"]]


def test_rulings_tell_the_readings_they_used() -> None:
    """A ruling names the entries it relies on, with the choice."""
    position = place(truck(), rifles(), board=FIELD)
    assert ("B1", "exclusive") in last(position, "load t r", "move t C4").readings


@pytest.mark.clause("PB.overrun-d")
def test_overrun_again() -> None:
    """PB.overrun-again: units are overrun once a turn; or by others again."""
    log = ("overrun k C2", "overrun j C2")
    units = (tank(), tank("j", at="B3"), foe("e", at="C2"))
    assert differ(log, *units, of="PB.overrun-again") == [{"PB.overrun-d"}, set()]


@pytest.mark.clause("PB.exit")
def test_what_leaving_costs() -> None:
    """PB.exit-cost: a hex, as entering does; or nothing."""
    spent = tank(at="A1", spent=2 * 8, entered=True)
    assert differ(("exit k",), spent, of="PB.exit-cost") == [{"PB.pay"}, set()]


@pytest.mark.clause("PB.order")
def test_vehicles_move_before_units_on_foot() -> None:
    """In any order, or vehicles first; loading is no move on foot, cavalry moves with either, and sides move apart."""
    both = (tank(at="A1"), rifles(at="B1"))
    foot_first = ("move r B2", "move k A2")
    assert differ(foot_first, *both, of="PB.order-foot") == [set(), {"PB.order"}]
    assert differ(foot_first[::-1], *both, of="PB.order-foot") == [set(), set()]
    two = (rifles(at="A1"), unit("s", "german-rifles", "B1"))
    assert differ(("move s B2", "move r A2"), *two, of="PB.order-foot") == [set(), set()]
    mounted = (unit("k", "t-34c", "A1", side="russian"), unit("c", "cavalry", "B1", side="russian"))
    for lines in (("move c B2", "move k A2"), ("move k A2", "move c B2")):
        assert differ(lines, *mounted, of="PB.order-foot", side="russian") == [set(), set()]
    carried = (truck(at="A1"), rifles(at="A1", aboard="t"), tank(at="B1"))
    assert differ(("move t A2", "unload t r", "move k B2"), *carried, of="PB.order-foot") == [
        set(),
        set(),
    ]


def test_plans_move_vehicles_first() -> None:
    """If they must, a plan moves them before units on foot."""
    from tests.panzer.test_delivery import lines

    position = place(rifles(at="B1"), tank(at="A1"), readings={"PB.order-foot": "vehicles-first"})
    goal = Goal(aims=(Aim(units=("r",), at=("B2",)), Aim(units=("k",), at=("A3",))))
    found = plan(position, goal)
    assert (found.status, lines(found)[:3]) == ("OPTIMAL", ["move k A2", "move k A3", "move r B2"])
