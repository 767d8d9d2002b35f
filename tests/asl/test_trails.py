"""Trail Breaks (B13.421): made by fully tracked AFV in woods, and used by others."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.reachability.reach import reach
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    ASL,
    bars,
    cites,
    crossing,
    field,
    foot,
    last,
    place,
    step,
    total,
    vehicle,
)
from tests.asl.test_bog import odds

WOODS = {"terrain": "Woods"}
LIGHT = {"terrain": "Light Woods"}
ROAD = {"road": "Dirt Road"}
INTO = "trail-break-SW"  # of C1, towards B1
WRECK = vehicle("w", "wreck", at="C1", facing=None, moving=False)
TANK = vehicle(kind="ft-12")
DEEP = field({"A1": {}, "B1": {}, "C1": WOODS, "D1": WOODS, "E1": {}})


def trail(*kinds: str, until: str = "game") -> dict[str, Any]:
    """Return the fields of a position with such counters in C1."""
    return {"counters": tuple(Counter(kind=kind, at="C1", until=until) for kind in kinds)}


def tracks(position: Any) -> set[tuple[str, str]]:
    """Return the counters of a position and where they lie."""
    return {(counter.at, counter.kind) for counter in position.counters}


@pytest.mark.clause("B13.421c", "B13.41a")
def test_along_a_trail_break() -> None:
    """By its hexside a fully tracked vehicle pays half its MP without a check; by others as before."""
    along = step("ft", kind="ft-12", there=WOODS, scene=trail(INTO))
    assert (along.status, total(along), odds(along)) == ("LEGAL", 6, None)
    assert along.after.unit("u").place.off_road
    light = step("ft", kind="ft-12", there=LIGHT, scene=trail(INTO))
    assert (total(light), odds(light)) == (6, None)
    checked = step("ft", "enter u C1 half=true", kind="ft-12", there=LIGHT, scene=trail(INTO))
    assert (total(checked), odds(checked) is None) == (4, False)
    other = step("ft", kind="ft-12", there=WOODS, scene=trail("trail-break-N"))
    assert (total(other), odds(other) is None) == (12, False)
    again = step("ft", "enter u C1 half=true", kind="ft-12", there=WOODS, scene=trail(INTO))
    assert (total(again), odds(again) is None) == (6, False)
    uphill = step("ft", kind="ft-12", there={**WOODS, "level": 1}, scene=trail(INTO))
    assert total(uphill) == 10
    short = step("ft", kind="ft-12", there=WOODS, scene=trail(INTO), left=5.5)
    assert bars(short) == {"D2.1b"}
    assert step("ft", kind="ft-12", there=WOODS, scene=trail(INTO), left=6).is_legal
    by_road = step("ft", kind="ft-12", there=WOODS, hexside=ROAD, scene=trail(INTO))
    assert total(by_road) == 0.5
    hedge = {"terrain": "Bocage"}
    assert odds(step("ft", kind="ft-40", there=WOODS, hexside=hedge, scene=trail(INTO))) is not None


@pytest.mark.clause("B13.421c")
def test_who_may_not_follow() -> None:
    """Halftracks and trucks enter as before; so does a tank if the lane is taken."""
    for column in ("ht", "tr"):
        plain, marked = step(column, there=WOODS), step(column, there=WOODS, scene=trail(INTO))
        assert (total(plain), odds(plain)) == (total(marked), odds(marked))
    assert total(step(there=WOODS, scene=trail(INTO))) == 1.5
    for other in (WRECK, vehicle("v", at="C1")):
        assert (
            odds(step("ft", kind="ft-12", there=WOODS, scene=trail(INTO), others=(other,)))
            is not None
        )
    friend = step("ft", kind="ft-12", there=WOODS, others=(foot("f", at="C1"),), scene=trail(INTO))
    assert (total(friend), odds(friend)) == (6, None)
    against = trail(INTO, "crossed-SW")  # the first to come the other way (B13.4212, B6.431)
    assert odds(step("ft", kind="ft-12", there=WOODS, scene=against)) is None
    both = {"counters": (*against["counters"], Counter(kind="crossed-NE", at="B1"))}
    assert odds(step("ft", kind="ft-12", there=WOODS, scene=both)) is not None
    same = trail(INTO, "crossed-N")
    assert odds(step("ft", kind="ft-12", there=WOODS, scene=same)) is None


@pytest.mark.clause("B13.421a")
def test_a_tank_opens_a_trail_break() -> None:
    """After a passed Bog Check its entry hexside is open for good; bogged it opens none."""
    for line in ("enter u C1", "enter u C1 half=true"):
        position = place(crossing(there=WOODS), TANK)
        waits = last(position, line)
        assert tracks(waits.after) == set()
        passed = last(position, line, "settle bog:u mobile")
        assert tracks(passed.after) == {("C1", INTO), ("B1", "crossed-NE")}
        assert tracks(last(position, line, "settle bog:u bogged").after) == set()
    later = last(position, line, "settle bog:u mobile", "stop u", "phase MPh side=russian")
    assert tracks(later.after) == {("C1", INTO)}
    for kind in ("ht-12", "tr-12"):
        found = last(place(crossing(there=WOODS), vehicle(kind=kind)), "enter u C1",
                     "settle bog:u mobile")  # fmt: skip
        assert tracks(found.after) == set()
    by_road = place(crossing(there=WOODS, hexside=ROAD), TANK)
    assert tracks(last(by_road, "enter u C1").after) == set()
    assert tracks(last(place(crossing(), TANK), "enter u C1").after) == set()


@pytest.mark.clause("B13.421b", "B13.421c")
def test_a_tank_opens_its_way_out() -> None:
    """Leaving woods off the road opens that side too; by road, or another vehicle, it does not."""
    out = last(place(crossing(here=WOODS), TANK), "enter u C1")
    assert tracks(out.after) == {("B1", "trail-break-NE"), ("B1", "crossed-NE")}
    assert (
        tracks(last(place(crossing(here=WOODS), vehicle(kind="ht-12")), "enter u C1").after)
        == set()
    )
    by_road = place(crossing(here=WOODS, hexside=ROAD), TANK)
    assert tracks(last(by_road, "enter u C1").after) == set()
    through = place(DEEP, vehicle(kind="ft-24"))
    log = ("enter u C1 half=true", "settle bog:u mobile", "enter u D1 half=true")
    assert tracks(last(through, *log).after) == {("C1", INTO), ("B1", "crossed-NE")}
    done = last(through, *log, "settle bog:u mobile").after
    assert tracks(done) >= {("C1", "trail-break-SE"), ("D1", "trail-break-NW")}
    bogged = last(through, *log, "settle bog:u bogged").after
    assert tracks(bogged) == {("C1", INTO), ("B1", "crossed-NE")}
    gun = vehicle(kind="ft-12", at="B1")
    follower = place(crossing(there=WOODS), gun, **trail(INTO))
    assert ("B1", "crossed-NE") in tracks(last(follower, "enter u C1").after)


@pytest.mark.clause("B13.421")
def test_a_trail_break_of_unknown_hexsides() -> None:
    """For a counter without hexsides a fully tracked vehicle is UNSUPPORTED, others are judged."""
    unstated = trail("trail-break")
    assert "B13.421" in cites(step("ft", there=WOODS, scene=unstated))
    assert step("ft", there=WOODS, hexside=ROAD, scene=unstated).status == "LEGAL"
    for column in ("ht", "tr"):
        assert step(column, there=WOODS, scene=unstated).status == "LEGAL"
    assert step(there=WOODS, scene=unstated).status == "LEGAL"


def test_bad_hexsides_are_rejected() -> None:
    """A Trail Break or a lane without a valid hexside is bad input."""
    for kind in ("trail-break-X", "crossed-"):
        with pytest.raises(BadInputError, match=r"counters\[0\]\.kind"):
            ASL.check_position(place(crossing(), foot(), **trail(kind)))
    ASL.check_position(place(crossing(), foot(), **trail(INTO, "crossed-N", "trail-break")))


@pytest.mark.parametrize(
    ("kind", "stated"), [("Smoke", "smoke"), ("SMOKE", "smoke"), ("Wire", "wire"),
                       ("Trail-Break-n", "trail-break-N"), ("one_lane", "one-lane")],
)  # fmt: skip
def test_a_known_kind_in_other_letters_is_rejected(kind: str, stated: str) -> None:
    """The error gives its place and the spelling of the kind; an unknown kind gets another message."""
    with pytest.raises(BadInputError, match=f"no counter '{kind}'; nearest: '{stated}'") as raised:
        ASL.check_position(place(crossing(), foot(), **trail(kind)))
    assert raised.value.field == "counters[0].kind"
    ASL.check_position(place(crossing(), foot(), **trail(stated, "other fog")))


@pytest.mark.clause("A4.6b")
def test_tracks_give_no_shelter() -> None:
    """Infantry in the open by a lane is still in the open."""
    for kind, allowed in ((INTO, True), ("crossed-N", True), ("foxhole", False)):
        after = last(place(crossing(), foot(), **trail(kind)), "enter u C1").after
        found = {e["what"]: e["allowed"] for e in ASL.entitlements(after, after.unit("u"))}
        assert found["FFMO"] is allowed


def test_reach_uses_them() -> None:
    """Without rolls the woods are within reach by the Trail Break, and the referee agrees."""
    position = place(crossing(there=WOODS), TANK, **trail(INTO))
    found = reach(position, ["u"], rolls="avoid")[0]
    assert {"C1"} <= set(found.best())
    for spot in found.best().values():
        found.replay(spot)
    used = (*trail(INTO, "crossed-SW")["counters"], Counter(kind="crossed-NE", at="B1"))
    closed = place(crossing(there=WOODS), TANK, counters=used)
    assert "C1" not in reach(closed, ["u"], rolls="avoid")[0].best()


@pytest.mark.clause("B13.4212")
def test_a_trail_break_helps_on_foot() -> None:
    """Infantry pays 1.5 MF, Cavalry 3, doubled uphill; not by another hexside, in Bypass, or beside a road."""
    lane = {"counters": (Counter(kind="trail-break-SW", at="C1"),)}
    woods = {"terrain": "Woods", "clear": (50,) * 6}
    assert [total(step(c, there=woods, scene=lane)) for c in ("inf", "cav")] == [1.5, 3]
    assert bars(step(there=woods, scene=lane, left=1)) == {"A4.11b"}
    assert total(step(there={**woods, "level": 1}, scene=lane)) == 3
    other = {"counters": (Counter(kind="trail-break-NE", at="C1"),)}
    assert total(step(there=woods, scene=other)) == 2
    assert total(step(there=woods, scene=lane, hexside={"road": "Dirt Road"})) == 1
    assert total(step(line="bypass u C1 vertex=NNW", there=woods, scene=lane)) == 1
    by_path = [
        total(step(c, there=woods, scene=lane, hexside={"path": True})) for c in ("inf", "cav")
    ]
    assert by_path == [1, 2]
    crowded = vehicle("w", "wreck", "C1", facing=None, moving=False)
    assert total(step(there=woods, scene=lane, others=(crowded,))) == 1.5
    after = step(there=woods, scene=lane).after
    assert after.counters == lane["counters"]


@pytest.mark.clause("B24.71")
def test_what_a_trail_break_through_rubble_saves_is_not_reported() -> None:
    """By its hexside the entry is UNSUPPORTED, even if rubble is too expensive; by another it is rubble."""
    rubble = {"terrain": "Stone Rubble"}
    lane = {"counters": (Counter(kind="trail-break-SW", at="C1"),)}
    for column in ("inf", "tr"):
        entry = step(column, there=rubble, scene=lane, left=1)
        assert (entry.status, "B24.71" in cites(entry)) == ("UNSUPPORTED", True)
    other = {"counters": (Counter(kind="trail-break-NE", at="C1"),)}
    assert total(step(there=rubble, scene=other)) == total(step(there=rubble)) == 3


@pytest.mark.clause("B13.421d")
def test_off_a_trail_break_that_was_followed() -> None:
    """A unit that used one leaves unchecked only by it or by road; its maker by any hexside."""
    tank = vehicle(kind="ft-12", at="C1", facing="E", off_road=True, on_trail=True)
    tracks_here = trail(INTO)
    leaves = last(place(DEEP, tank, **tracks_here), "enter u D1 half=true")
    assert {due.clause for due in leaves.obligations} == {"B13.421d", "D8.21a"}
    stuck = last(leaves.after, "settle bog-leaving:u bogged").after.unit("u")
    assert (stuck.at, stuck.motion.bogged) == ("C1", True)
    out = field({"B1": {}, "C1": WOODS, "D1": {}})
    found = odds(last(place(out, tank, **tracks_here), "enter u D1"))
    assert found == 3
    fat = replace(tank, on_trail=False)
    assert last(place(out, fat, **tracks_here), "enter u D1").obligations == ()
    through = trail(INTO, "trail-break-SE")
    done = last(place(out, tank, **through), "enter u D1")
    assert (done.obligations, done.after.unit("u").place.on_trail) == ((), False)
    by_road = field({"B1": {}, "C1": WOODS, "D1": {}}, {"C1-D1": ROAD})
    assert last(place(by_road, tank, **tracks_here), "enter u D1").obligations == ()
    followed = step("ft", kind="ft-12", there=WOODS, scene=tracks_here).after.unit("u")
    assert (followed.place.on_trail, step("ft", kind="ft-12", there=WOODS).after.unit("u").place.on_trail) == (
        True, False,
    )  # fmt: skip
    spare = UnitType(name="tractor", class_="vehicle", column="ft", mp=12)
    soft = step("ft", kind="tractor", there=WOODS, scene={**tracks_here, "types": (spare,)})
    assert not soft.after.unit("u").place.on_trail
    for kinds, beyond in ((tracks_here, False), (through, True)):
        (way,) = reach(place(out, vehicle(kind="ft-12"), **kinds), ["u"], rolls="avoid")
        assert ("C1" in way.best(), "D1" in way.best()) == (True, beyond)


@pytest.mark.clause("B13.421e")
def test_a_trail_break_that_leads_nowhere() -> None:
    """It is removed when its AFV backs out along it; one that leads on, or another's, stays."""
    board = crossing(there=WOODS)
    log = ("enter u C1", "settle bog:u mobile", "stop u", "start u reverse=true", "enter u B1")
    tank = vehicle(kind="ft-40")
    in_and_out = last(place(board, tank), "enter u C1 half=true", *log[1:])
    assert ("C1", INTO) not in tracks(in_and_out.after)
    tank = vehicle(kind="ft-12", at="C1", off_road=True, moving=True, reverse=True)
    assert ("C1", INTO) not in tracks(last(place(board, tank, **trail(INTO)), "enter u B1").after)
    both = trail(INTO, "trail-break-N")
    assert ("C1", INTO) in tracks(last(place(board, tank, **both), "enter u B1").after)
    follower = replace(tank, on_trail=True)
    assert ("C1", INTO) in tracks(last(place(board, follower, **trail(INTO)), "enter u B1").after)
    hedge = crossing(there=WOODS, hexside={"terrain": "Bocage"})
    waits = last(
        place(hedge, replace(tank, reverse=False, facing="W"), **trail(INTO)),
        "enter u B1",
    )
    assert ("C1", INTO) in tracks(waits.after)
    passed = last(waits.after, "settle bog-hexside:u mobile").after
    assert ("C1", INTO) not in tracks(passed)


@pytest.mark.clause("B13.421e")
def test_a_turn_leaves_no_tracks() -> None:
    """A Bog Check for a later VCA change keeps the Trail Break made on the way in."""
    yard = crossing(here=WOODS, there={"terrain": "Graveyard"})
    tank = vehicle(kind="ft-40", off_road=True)
    came = last(place(yard, tank), "enter u C1", "settle bog:u mobile").after
    assert ("B1", "trail-break-NE") in tracks(came)
    turned = last(came, "turn u NNE", "settle bog:u mobile")
    assert (turned.status, tracks(turned.after)) == ("LEGAL", tracks(came))
