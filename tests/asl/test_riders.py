"""Riders: boarding and leaving, what throws them off, and the effects."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.reachability.reach import reach
from marchtable.state.position import Counter, Odds
from marchtable.state.records import field_of
from marchtable_models.asl.model import AslConditions, SupportWeapon
from tests.asl.boards import (
    ASL,
    bars,
    cites,
    crossing,
    field,
    foot,
    judge,
    last,
    place,
    total,
    vehicle,
)
from tests.asl.test_bypass import patch

MG = SupportWeapon(name="LMG", pp=1)
WOODS = {"terrain": "Woods"}
SIDE = {"side": "russian", "nationality": "russian"}
OUTSIDE: dict[str, Any] = {"kind": "half-squad", "aboard": "t", "riding": True}


def scene(board: Any, *others: Any, tank: Any = None, readings: Any = (), **rider: Any) -> Any:
    """Return a tank at B1 with a half squad riding on it, in Russia's MPh of 1943."""
    tank = tank or vehicle("t", "t-26-m33", **SIDE)
    found = {"kind": "half-squad", "aboard": "t", "riding": True, **SIDE, **rider}
    return place(
        board, tank, foot(**found), *others, side="russian", readings=readings,
        conditions=AslConditions(month=6, year=1943),
    )  # fmt: skip


def bailed(position: Any, line: str = "enter t C1 half=true") -> bool:
    """Return whether a step throws the Rider off."""
    ruling = judge(position, line).rulings[-1]
    return ruling.after.unit("u").cargo.aboard is None


@pytest.mark.clause("D6.21a", "D6.24a")
def test_riders_bail_out_before_woods() -> None:
    """Riders bail out before woods, orchards and buildings; not before brush and Open Ground."""
    for terrain in ("Woods", "Orchard", "Wooden Building, 1 Level"):
        assert bailed(scene(crossing(there={"terrain": terrain})))
    for terrain in ("Brush", "Open Ground", "Grain"):
        assert not bailed(scene(crossing(there={"terrain": terrain})), "enter t C1")
    inside = scene(crossing(there=WOODS), kind="leader", riding=False, aboard="t")
    assert not bailed(inside)


@pytest.mark.clause("D6.21b")
def test_riders_stay_aboard_by_road() -> None:
    """A road through the woods, or woods while in a stream bed, do not matter."""
    road = scene(crossing(there=WOODS, hexside={"road": "Dirt Road"}))
    ruling = judge(road, "enter t C1").rulings[-1]
    assert ruling.after.unit("u").cargo.aboard == "t"
    assert ("D6.21b", "Riders stay aboard by road or in a stream") in ruling.exceptions
    bed = {"terrain": "Woods", "depression": "Gully"}
    for here, stays in ((bed, True), ({}, False)):
        assert bailed(scene(crossing(here=here, there=bed)), "enter t C1") is not stays


@pytest.mark.clause("D6.21c", "D6.24g")
def test_riders_bail_out_in_the_last_hex_before_it() -> None:
    """Also, by ruling, before the AFV leaves such terrain."""
    after = judge(scene(crossing(there=WOODS)), "enter t C1 half=true").rulings[-1].after
    assert (after.unit("u").at, after.unit("t").at) == ("B1", "C1")
    leaving = scene(crossing(here=WOODS))
    assert bailed(leaving, "enter t C1")
    assert judge(leaving, "enter t C1").rulings[-1].after.unit("u").at == "B1"
    text = scene(crossing(here=WOODS), readings=(("D6.21c", "enter"),))
    assert not bailed(text, "enter t C1")
    by_road = scene(crossing(here=WOODS, hexside={"road": "Dirt Road"}))
    assert not bailed(by_road, "enter t C1")


@pytest.mark.clause("D6.21b")
def test_riders_stay_aboard_out_of_a_building_by_road() -> None:
    """Even if the road ends at its door; not without one, nor out of rubble, where no road remains."""
    house, rubble = {"terrain": "Stone Building"}, {"terrain": "Stone Rubble"}
    road = {"road": "Dirt Road"}
    assert not bailed(scene(crossing(here=house, hexside=road)), "enter t C1")
    assert bailed(scene(crossing(here=house)), "enter t C1")
    assert bailed(scene(crossing(here=rubble, hexside=road)), "enter t C1")


@pytest.mark.clause("D6.23b", "D6.24a", "D6.24g")
def test_a_combat_result_throws_riders_off() -> None:
    """A pinned or broken Rider bails out beneath its AFV; no other unit does."""
    for result in ("pinned", "broken"):
        after = judge(scene(crossing()), f"bail-out u {result}").rulings[-1].after.unit("u")
        assert (after.cargo.aboard, after.cargo.riding, after.at) == (None, False, "B1")
        assert field_of(after, result)
    ruling = judge(scene(crossing(), aboard=None, riding=False), "bail-out u pinned").rulings[-1]
    assert "D6.24a" in bars(ruling)


@pytest.mark.clause("D6.24b")
def test_bailing_out_costs_no_mp() -> None:
    """The AFV pays only for its entry."""
    board = crossing(here=WOODS)
    ruling = judge(scene(board), "enter t C1").rulings[-1]
    assert ruling.receipts[0].amount == 2
    assert ("D6.24b", "bailing out costs the vehicle no MP") in ruling.exceptions


@pytest.mark.clause("D6.24c", "D6.24h")
def test_a_unit_that_has_bailed_out_is_done() -> None:
    """All its MF are spent, it cannot move, and if unbroken it is marked as having fired."""
    ruling = judge(scene(crossing(here=WOODS)), "enter t C1").rulings[-1]
    unit = ruling.after.unit("u")
    assert (unit.points.spent, unit.move.mph, unit.status.prep_fired) == (8, "done", True)
    broken = judge(scene(crossing()), "bail-out u broken").rulings[-1].after.unit("u")
    assert not broken.status.prep_fired
    hers = scene(crossing())
    theirs = judge(hers, "phase MPh side=german", "bail-out u pinned").rulings[-1].after.unit("u")
    assert (theirs.status.prep_fired, theirs.status.fired) == (False, True)


@pytest.mark.clause("D6.24d")
def test_a_unit_that_bails_out_takes_a_nmc() -> None:
    """Morale 7: 15 of 36 throws are below it, 6 equal it and pin, 14 break, one eliminates the half squad."""
    ruling = judge(scene(crossing(here=WOODS)), "enter t C1").rulings[-1]
    (due,) = ruling.obligations
    assert (due.id, due.clause) == ("nmc:u", "D6.24d")
    assert due.outcomes == (
        Odds("passed", 15, 36), Odds("pinned", 6, 36), Odds("broken", 14, 36),
        Odds("eliminated", 1, 36),
    )  # fmt: skip
    for outcome, state in (
        ("passed", (False, False)),
        ("pinned", (True, False)),
        ("broken", (False, True)),
    ):
        after = last(ruling.after, f"settle nmc:u {outcome}").after.unit("u")
        assert (after.status.pinned, after.status.broken) == state
        assert after.status.dm is state[1]


@pytest.mark.clause("D6.24d")
def test_casualty_reduction_of_a_unit_that_bails_out() -> None:
    """A squad leaves a broken half squad; a broken unit that fails is reduced; a half squad is lost."""
    squad = {"kind": "squad", "nationality": "russian"}
    ruling = judge(scene(crossing(here=WOODS), **squad), "enter t C1").rulings[-1]
    halved = last(ruling.after, "settle nmc:u reduced")
    (due,) = halved.obligations
    half = last(halved.after, f"settle half-squad:u {due.outcomes[0].outcome}").after.unit("u")
    assert (half.type, half.status.broken) == (f"russian {due.outcomes[0].outcome}", True)
    hit = judge(scene(crossing(), **squad), "result u broken").rulings[-1]
    assert [(one.id, [o.outcome for o in one.outcomes]) for one in hit.obligations] == [
        ("nmc:u", ["passed", "reduced"])
    ]
    passed = last(hit.after, "settle nmc:u passed").after.unit("u")
    assert (passed.cargo.aboard, passed.status.broken, passed.at) == (None, True, "B1")
    for kind, outcome in (("half-squad", "eliminated"), ("leader", "wounded")):
        fell = judge(scene(crossing(), kind=kind), "result u broken").rulings[-1]
        after = last(fell.after, f"settle nmc:u {outcome}").after
        assert after.unit("u").at == (None if outcome == "eliminated" else "B1")
        assert after.unit("u").status.wounded == (outcome == "wounded")


@pytest.mark.clause("D6.24e")
def test_sw_of_a_unit_that_breaks_are_lost() -> None:
    """Whether it breaks before or after bailing out; not if it passes."""
    armed = scene(crossing(here=WOODS), sw=(MG,))
    ruling = judge(armed, "enter t C1").rulings[-1]
    assert last(ruling.after, "settle nmc:u broken").after.unit("u").sw == ()
    assert last(ruling.after, "settle nmc:u passed").after.unit("u").sw == (MG,)
    struck = judge(scene(crossing(), sw=(MG,)), "bail-out u broken").rulings[-1]
    assert struck.after.unit("u").sw == ()


@pytest.mark.clause("D6.24f")
def test_bailing_out_among_enemies() -> None:
    """Enemies there do not forbid it."""
    enemy = foot("e", "squad")
    ruling = judge(scene(crossing(), enemy), "bail-out u pinned").rulings[-1]
    assert ruling.is_legal
    assert ("D6.24f", "units bail out among enemies") in ruling.exceptions
    alone = judge(scene(crossing()), "bail-out u pinned").rulings[-1]
    assert "D6.24f" not in dict(alone.exceptions)


@pytest.mark.clause("D6.24i")
def test_sw_of_an_unbroken_unit_are_checked() -> None:
    """Each works on 1 to 3 of a die; otherwise it malfunctions, or is lost if its number is an X#."""
    light = SupportWeapon(name="FT", pp=1, x_number=True)
    ruling = judge(scene(crossing(here=WOODS), sw=(MG, light)), "enter t C1").rulings[-1]
    position = last(ruling.after, "settle nmc:u pinned").after
    assert [(due.id, due.outcomes[0]) for due in position.pending] == [
        ("sw1:u", Odds("works", 3, 6)), ("sw0:u", Odds("works", 3, 6)),
    ]  # fmt: skip
    assert last(position, "settle sw1:u works", "settle sw0:u works").after.unit("u").sw == (
        MG,
        light,
    )
    after = last(position, "settle sw1:u malfunctions", "settle sw0:u malfunctions").after.unit("u")
    assert [(weapon.name, weapon.malfunctioned) for weapon in after.sw] == [("LMG", True)]


def test_a_tank_with_riders_reaches_what_it_could_without() -> None:
    """Riders cost it nothing; where they would be thrown off, their check is named."""
    board = field({"B1": {}, "C1": {}, "C2": WOODS, "D1": {}})
    (laden,) = reach(scene(board), ["t"])
    (empty,) = reach(scene(board, aboard=None, riding=False, at="D1"), ["t"])
    assert {at: p.spent for at, p in laden.best().items()} == {
        at: p.spent for at, p in empty.best().items()
    }
    assert "D6.24d" in laden.assumed
    assert "D6.24d" not in empty.assumed
    assert all(r.is_legal for r in laden.replay(laden.best()["C2"]))


@pytest.mark.clause("D6.23b")
def test_a_rider_whom_a_pin_befalls_bails_out() -> None:
    """The same as if stated by name; a Passenger stays aboard."""
    after = judge(scene(crossing()), "result u pinned").rulings[-1].after.unit("u")
    assert (after.cargo.aboard, after.status.pinned) == (None, True)
    inside = scene(crossing(), riding=False)
    assert judge(inside, "result u pinned").rulings[-1].after.unit("u").cargo.aboard == "t"


# -- the way taken ---------------------------------------------------------------------------------


@pytest.mark.clause("D6.21a")
def test_riders_stay_aboard_in_bypass() -> None:
    """Bypass of woods throws no Rider off, nor does going on from there; entering from beyond does."""
    position = place(patch(), vehicle("t", "t-26-m33"), foot(**OUTSIDE), year=1943)
    assert last(position, "bypass t C1").after.unit("u").cargo.aboard == "t"
    beside = vehicle("t", "t-26-m33", "C1", bypass=5, facing="E")
    position = place(patch(), beside, foot(at="C1", **OUTSIDE), year=1943)
    assert last(position, "enter t C0").after.unit("u").cargo.aboard == "t"
    position = place(patch(), vehicle("t", "t-26-m33"), foot(**OUTSIDE), year=1943)
    inside = last(position, "enter t C1 half=true").after.unit("u")
    assert (inside.cargo.aboard, inside.at) == (None, "B1")


@pytest.mark.clause("D6.24a")
def test_riders_bail_out_as_the_afv_leaves_the_road_for_the_woods() -> None:
    """On the woods' road they ride; off it, within the same hex, they are thrown off there."""
    road = crossing(here=WOODS, hexside={"road": "Dirt Road"})
    after = judge(scene(road), "leave-road t half=true").rulings[-1].after.unit("u")
    assert (after.cargo.aboard, after.at) == (None, "B1")


@pytest.mark.clause("D6.21a")
def test_rubble_counters_and_woods_in_a_gully_bar_riders() -> None:
    """A Location's counters count, and all terrain that surrounds the unit."""
    rubble = msgspec.structs.replace(
        scene(crossing()), counters=(Counter(kind="stone-rubble", at="C1"),)
    )
    assert bailed(rubble)
    assert bailed(scene(crossing(there={"terrain": "Woods", "depression": "Gully"})), "enter t C1")
    assert not bailed(scene(crossing(there={"depression": "Gully"})), "enter t C1")


@pytest.mark.clause("D6.21a")
def test_bocage_bars_riders_but_at_a_breach() -> None:
    """Across bocage they bail out; at a Breach, on either side of the hexside, they do not."""
    bocage = scene(crossing(hexside={"terrain": "Bocage"}))
    assert bailed(bocage, "enter t C1")
    why = dict(last(bocage, "enter t C1").exceptions)["D6.21a"]
    assert why == "Riders cannot be carried through it: Bocage crossed (B9.54)"
    for kind, at in (("breach-NE", "B1"), ("breach-SW", "C1")):
        breach = msgspec.structs.replace(bocage, counters=(Counter(kind=kind, at=at),))
        assert not bailed(breach, "enter t C1")
        assert last(breach, "enter t C1").receipts[0].amount == 2
    elsewhere = msgspec.structs.replace(bocage, counters=(Counter(kind="breach-NE", at="A1"),))
    assert bailed(elsewhere, "enter t C1")


@pytest.mark.clause("D6.21a")
def test_riders_coming_on_into_woods_are_unsupported() -> None:
    """There is no last map hex to bail out in; into Open Ground they enter as usual."""
    found: dict[str, Any] = {"entering": ("A1",), "facing": "E", **SIDE}
    tank = vehicle("t", "t-26-m33", None, **found)
    woods, bare = crossing(), crossing(there=WOODS)
    for board, cited in (
        (field({"A1": WOODS, "B1": {}}), {"D6.21a"}),
        (woods, set()),
        (bare, set()),
    ):
        position = scene(board, tank=tank, at=None)
        line = "enter t A1 half=true" if cited else "enter t A1"
        assert cites(judge(position, line).rulings[-1]) == cited


@pytest.mark.clause("D6.24c")
def test_a_unit_that_bails_out_laden_has_spent_no_more_than_it_had() -> None:
    """A squad with 5 PP has two MF on foot, and only these are spent; one without PP its four."""
    laden = judge(scene(crossing(), kind="squad", sw=(SupportWeapon(name="MG", pp=5),)),
                  "bail-out u pinned").rulings[-1]  # fmt: skip
    unit = laden.after.unit("u")
    assert unit.points.spent == ASL.allotment(laden.after, unit) == 4
    heavy = judge(scene(crossing(), kind="squad", sw=(SupportWeapon(name="MG", pp=7),)),
                  "bail-out u pinned").rulings[-1]  # fmt: skip
    assert heavy.after.unit("u").points.spent == 2


@pytest.mark.clause("D6.23b", "D6.21d")
@pytest.mark.parametrize("line", ["bail-out r pinned", "result r broken", "tca t NNE"])
def test_riders_struck_off_the_board(line: str) -> None:
    """Bailing out before their AFV has entered the map is UNSUPPORTED."""
    tank = vehicle("t", "t-26-m33", at=None, entering=("A1",), spent=1)
    units = (tank, foot("r", "half-squad", at=None, aboard="t", riding=True))
    ruling = judge(place(crossing(), *units, year=1943), line).rulings[0]
    assert ruling.status == "UNSUPPORTED"
    assert (ruling.after.unit("r").cargo.aboard, ruling.after.unit("r").at) == ("t", None)


@pytest.mark.clause("B13.43")
def test_nobody_mounts_an_afv_in_woods() -> None:
    """Not in woods off the road, even by a Trail Break; on their road, IN a stream or in Bypass it can."""
    road = {"road": "Dirt Road"}
    bed = {"depression": "Shallow Stream", "level": -1}
    lane = (Counter(kind="trail-break-NE", at="B1"),)

    def mounts(here: Any, hexside: Any = None, counters: Any = (), **fields: Any) -> set[str]:
        tank = vehicle("t", "t-26-m33", **{**SIDE, "moving": False, **fields})
        board = crossing(here=here, hexside=hexside)
        drawn = place(board, tank, foot(kind="half-squad", **SIDE), side="russian",
                      counters=counters, conditions=AslConditions(month=6, year=1943))  # fmt: skip
        return bars(last(drawn, "load u t riding=true"))

    for terrain in ("Woods", "Pine Woods", "Light Woods"):
        assert mounts({"terrain": terrain}) == {"B13.43"}
    assert mounts(WOODS, counters=lane) == {"B13.43"}
    wooded = {"terrain": "Dirt Road", "also": (("Woods", 60),)}
    assert mounts(wooded, road) == set()
    assert mounts(wooded, road, off_road=True) == {"B13.43"}
    assert mounts({"terrain": "Woods", **bed}) == set()
    assert mounts({"terrain": "Woods", "clear": (50,) * 6}, bypass=1) == set()
    for terrain in ("Orchard", "Brush", "Wooden Building"):
        assert mounts({"terrain": terrain}) == set()
    with pytest.raises(BadInputError, match=r"B13\.43"):
        ASL.check_position(scene(crossing(here=WOODS), tank=None))
    ASL.check_position(scene(crossing()))


@pytest.mark.clause("D6.21c", "D6.24b")
@pytest.mark.parametrize(("reading", "off"), [("leave", True), ("enter", False)])
def test_a_rider_in_an_orchard(*, reading: str, off: bool) -> None:
    """It bails out before the tank leaves it, except by one reading; the tank pays 1 MP for Open Ground."""
    position = scene(crossing(here={"terrain": "Orchard"}), readings=(("D6.21c", reading),))
    ruling = last(position, "enter t C1")
    assert (ruling.status, total(ruling, "t")) == ("LEGAL", 1)
    assert (ruling.after.unit("u").cargo.aboard is None) is off
