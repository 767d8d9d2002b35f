"""An answer cached for one position serves another only if everything relevant is equal."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any, NamedTuple

import pytest

from marchtable.reachability.reach import reach
from marchtable.rules.clause import without
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.paths import searched
from marchtable_models.asl.views.lines import kind_of
from marchtable_models.asl.views.modes import mode_of
from tests.asl.boards import field, foot, load, place, vehicle
from tests.asl.test_platoons import mute
from tests.asl.test_towing import TYPES
from tests.slowly import slow_after

WAY = ("A1", "B1", "C2", "D2", "E3", "F3", "G4", "H4")


class Case(NamedTuple):
    """A position for which a unit's reach is requested, the clauses off, and the kept rolls."""

    position: Any
    unit: str = "u"
    off: tuple[str, ...] = ()
    rolls: str = "avoid"


def road(number: int, hexsides: Any = None, more: Any = None, **fields: Any) -> Any:
    """Return a row of hexes, and more, cached apart from rows with other numbers."""
    hexes = {**dict.fromkeys(WAY, fields), **(more or {})}
    return field({**hexes, **{f"Z{n}": {} for n in range(20, 21 + number)}}, hexsides)


def stated(case: Case) -> Any:
    """Return all that reach, and the planners' questions about a unit, report where no roll is due."""
    position, name, off, rolls = case
    unit = position.unit(name)
    with without(*off):
        found = reach(position, [name], rolls=rolls)[0]
        places = {(place.at, place.mode, place.spent, place.left) for place in found.places}
        if kind_of(unit):  # planners for single units leave units in lines to others
            return places, found.unsupported
        asked = searched(position, [(unit, mode_of(unit), unit.points.spent)], lambda _: True)[0]
    states = asked.found
    names = (states.board.locations[at].name for at in states.at.tolist())
    ways = {
        *zip(names, map(states.mode, range(len(states))), states.remaining.tolist(), strict=True)
    }
    return places, found.unsupported, ways


def waiting(board: Any) -> list[Case]:
    """Return a unit that waits for a separated Convoy, and a free one."""
    walker = foot("u", at="A1", cx=True)
    done = vehicle("x", "opel-blitz", "G4", convoy="c", origin="c", mph="done", rank=1)
    rest = vehicle("y", "opel-blitz", "E3", convoy="d", origin="c", rank=3, moving=False)
    return [Case(place(board, walker, done, rest)), Case(place(board, walker))]


def left(board: Any) -> list[Case]:
    """Return a unit under way when a vehicle left its Convoy, which has or has not ended its MPh."""
    walker = foot("u", at="A1", mph="moving", cx=True, spent=2, used=2)
    gone = vehicle("x", "opel-blitz", "G4", left="declared", origin="c", spent=2, used=2)
    return [Case(place(board, walker, replace(gone, mph=mph))) for mph in ("moving", "done")]


def behind(board: Any) -> list[Case]:
    """Return a unit behind a Gap; the part ahead has or has not ended its MPh."""
    truck = vehicle("u", "opel-blitz", "A1", left="gap", origin="c", behind="c", rank=2)
    front = vehicle("x", "opel-blitz", "G4", convoy="c", origin="c", rank=1, spent=2, used=2)
    return [Case(place(board, truck, replace(front, mph=mph))) for mph in ("moving", "done")]


def shod(board: Any) -> list[Case]:
    """Return a vehicle on a road in Ground Snow, its Convoy with or without a truck."""
    line = [vehicle(f"t{n}", "spw-250", at, convoy="c", rank=n) for n, at in ((1, "B1"), (2, "A1"))]
    kinds = ("spw-250", "opel-blitz")
    last = [vehicle("t3", kind, None, convoy="c", rank=3, entering=("A1",)) for kind in kinds]
    return [
        Case(place(board, *line, one, stated={"ground_snow": True}), "t1", ("E11.2m",))
        for one in last
    ]


def led(board: Any) -> list[Case]:
    """Return a unit walking in a Column, its leader in Good Order or not."""
    walkers = foot("u", at="B1", column="c", rank=1), foot("v", at="B1", column="c", rank=1)
    leader = foot("l", "leader", "A1", column="c", rank=2)
    return [
        Case(place(board, *walkers, replace(leader, pinned=pinned)), "u", ("E11.5c",))
        for pinned in (True, False)
    ]


def helped(board: Any) -> list[Case]:
    """Return a loaded unit helped by a SMC that is CX or not."""
    bearer = foot("u", at="A1", helper="l", sw=load(5))
    return [
        Case(
            place(board, bearer, foot("l", "leader", "A1", cx=double > 0, double=double)),
            off=("A4.42c",),
        )
        for double in (4, 0)
    ]


def seeing(board: Any) -> list[Case]:
    """Return a unit that sees a friend, or an enemy of the same name, at night."""
    walker = foot("u", at="A1", cx=True, sees=("e",))
    sides = ("german", "russian")
    return [Case(place(board, walker, foot("e", at="F3", side=side), nvr=2)) for side in sides]


def towing(board: Any) -> list[Case]:
    """Return a vehicle towing a Gun, or a mortar of the same name."""
    tractor = vehicle("t", "spw-250", at="A1", moving=False, towing="g", spent=8, used=8)
    return [
        Case(place(board, tractor, foot("g", kind, at="A1", towed_by="t"), types=TYPES), "t")
        for kind in ("gun", "mtr")
    ]


def unsteady(board: Any) -> list[Case]:
    """Return a unit that begins its MPh in Motion without a radio, and one that has begun it."""
    tank = vehicle("u", "mute", at="A1")
    units = (replace(tank, mph=mph) for mph in ("unmoved", "moving"))
    return [Case(place(board, unit, types=(mute(8),))) for unit in units]


def aside(board: Any) -> list[Case]:
    """Return a unit off the road in the woods, and one on the road."""
    truck = vehicle("u", "tr-20", at="A1", moving=False)
    gone = replace(truck, moving=True, off_road=True, spent=4, used=2)
    return [Case(place(board, unit)) for unit in (truck, gone)]


def passing(board: Any) -> list[Case]:
    """Return a unit at a vertex, and one that is not."""
    walker = foot("u", at="B1", mph="moving", previous="A1", spent=2, used=2, road=False)
    return [Case(place(board, replace(walker, bypass=vertex))) for vertex in (None, 1)]


def skirting(board: Any) -> list[Case]:
    """Return a vehicle driving along a hexside, and one that is not in Bypass."""
    truck = vehicle("u", "tr-20", at="B1", mph="moving", spent=2, used=2)
    return [Case(place(board, replace(truck, bypass=side))) for side in (None, 1, 2)]


def crossing(board: Any) -> list[Case]:
    """Return a unit that has crossed a one-lane bridge, one way or the other, and one that has not."""
    truck = vehicle("u", "tr-20", at="A1", mph="moving", spent=2, used=2)
    lanes = (Counter(kind="one-lane", at="C2"),)
    return [Case(place(board, replace(truck, lane=n), counters=lanes)) for n in (None, 2, 5)]


def begun(board: Any) -> list[Case]:
    """Return a unit that has spent MF in its Location, and one that has not."""
    walker = foot("u", at="A1", mph="moving")
    return [Case(place(board, replace(walker, used=used))) for used in (0, 2)]


def strayed(board: Any) -> list[Case]:
    """Return a unit that has lost the road bonus in its Location, and one that has not."""
    walker = foot("u", at="A1")
    return [Case(place(board, replace(walker, road=road))) for road in (True, False)]


def finished(board: Any) -> list[Case]:
    """Return a unit that ends in Bypass, and one that goes on, alone or with an enemy ahead."""
    walker = foot("u", at="B1", previous="A1", mph="moving", used=2, bypass=1, road=False)
    done, enemy = replace(walker, final="all"), foot("e", at="C2", side="russian")
    return [Case(place(board, *units)) for units in ((done,), (walker,), (walker, enemy))]


def turns(board: Any) -> list[Case]:
    """Return a unit that can move, in its side's MPh, in its APh, and in the other side's MPh."""
    walker = foot("u", at="A1", cx=True)
    times: tuple[Any, ...] = ({}, {"side": "russian"}, {"phase": "APh"})
    return [Case(place(board, walker, **when)) for when in times]


def readings(board: Any) -> list[Case]:
    """Return a vehicle that turns before its Start, with the rule read either way."""
    truck = vehicle("u", "tr-20", at="A1", facing="NNE", moving=False)
    found = place(board, truck)
    return [Case(replace(found, readings=(("D2.12c", result),))) for result in ("started", "any")]


def clauses(board: Any) -> list[Case]:
    """Return a unit under one clause or another."""
    walker = place(board, foot("u", at="A1", sw=load(4)), smoke=("B1",))
    return [Case(walker, off=off) for off in ((), ("A4.42a",), ("A24.7",))]


def ahead(board: Any) -> list[Case]:
    """Return a vehicle that enters only hexes it faces, and, with that clause off, any hex."""
    truck = place(board, vehicle("u", "tr-20", at="B1"))
    return [Case(truck, off=off) for off in ((), ("D2.11c",))]


def bogging(board: Any) -> list[Case]:
    """Return a vehicle that makes Bog Checks on its way, and one that makes none."""
    track = place(board, vehicle("u", "ht-20", at="A1"))
    return [Case(track, rolls=rolls) for rolls in ("avoid", "pass")]


def tied(board: Any) -> list[Case]:
    """Return a unit that lends its IPC, and to which unit, with a clause of it off or not."""
    units = foot("u", at="A1", helper="l", sw=load(5)), foot("l", "leader", "A1", lends="u")
    found = place(board, *units)
    return [Case(found, "u"), Case(found, "u", ("A4.42c",)), Case(found, "l")]


def towed(board: Any) -> list[Case]:
    """Return a vehicle that tows a Gun, with or without Bog Checks on its way."""
    tractor = vehicle("t", "spw-250", at="A1", towing="g")
    found = place(board, tractor, foot("g", "gun", at="A1", towed_by="t"), types=TYPES)
    return [Case(found, "t", rolls=rolls) for rolls in ("avoid", "pass")]


def halted(board: Any) -> list[Case]:
    """Return a unit that begins with no unit under way, one that can end, or one that cannot (A4.3e)."""
    walker, other = foot("u", at="F3"), foot("o", at="B1", mph="moving", used=2, previous="A1")
    aside = replace(other, bypass=1, road=False)
    return [Case(place(board, walker, one)) for one in (other, aside)]


PAVED = {f"{a}-{b}": {"road": "Dirt Road"} for a, b in pairwise(WAY)}
WOODS = {"terrain": "Woods"}
THICKET = {"more": {"B1": {**WOODS, "clear": (50,) * 6}, "B2": {}, "C1": {}}}
OBSTACLE = {"more": {"C2": {**WOODS, "clear": (50,) * 6}, "D3": {}, "C1": {}}}
SCENES: dict[Any, Any] = {
    waiting: {}, left: {}, behind: {}, shod: {"hexsides": PAVED}, led: {}, helped: {},
    seeing: {}, towing: {}, unsteady: {}, aside: {"hexsides": PAVED, **WOODS}, passing: THICKET,
    skirting: OBSTACLE, crossing: {"hexsides": PAVED, "more": {"C2": {"terrain": "Stone Bridge"}}},
    begun: {}, strayed: {"hexsides": PAVED, "more": {"A2": {}}}, finished: THICKET, turns: {},
    readings: {}, clauses: {}, ahead: {"more": {"C1": {}}}, bogging: WOODS, tied: {},
    towed: WOODS, halted: THICKET,
}  # fmt: skip
"""The boards for positions that differ in one thing each."""


@pytest.mark.parametrize("scenes", slow_after(12, SCENES), ids=lambda scenes: scenes.__name__)
def test_equal_names_are_not_equal_units(scenes: Any) -> None:
    """Whichever of similar positions is asked first, each gets the same answer."""
    count = len(scenes(road(0, **SCENES[scenes])))
    found = []
    for number, order in enumerate(permutations(range(count), min(count, 3))):
        cases = scenes(road(number, **SCENES[scenes]))
        found.append({n: stated(cases[n]) for n in order})
    answers: dict[int, Any] = {}
    for each in found:
        for n, answer in each.items():
            assert answers.setdefault(n, answer) == answer
    assert all(answers[a] != answers[b] for a, b in permutations(answers, 2))
