"""Armored Assault: Infantry moves as one stack with the AFV above it at the start of the MPh."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.reachability.reach import reach
from marchtable.rules.generator import legal_actions
from marchtable.state.position import Counter
from marchtable_models.asl.records import Escorted
from marchtable_models.asl.validation.states import check_states
from tests.asl.boards import (
    ASL,
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
    total,
    vehicle,
)
from tests.asl.carried import like
from tests.asl.test_bypass import WOODS, patch
from tests.asl.test_platoons import radioless
from tests.asl.test_swimming import WATER
from tests.solver.test_reach import check_reach

LINE = field(
    {name: {} for name in ("A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E1", "F1", "G1")}
)
START = ("start t",)
TOGETHER = (*START, "enter t,u C1")


def scene(*more: Any, board: Any = LINE, tank: Any = None, **fields: Any) -> Any:
    """Return a squad beneath a stopped tank in B1."""
    afv = tank or vehicle("t", "ft-12", moving=False)
    return place(board, afv, foot(**fields.pop("squad", {})), *more, **fields)


def armored(position: Any) -> dict[str, str | None]:
    """Return the AFV each unit has moved with."""
    return {unit.id: unit.move.armored for unit in position.units}


@pytest.mark.clause("D9.31a", "D9.31c")
def test_each_pays_its_own_and_all_go_together() -> None:
    """The tank starts; then, hex by hex, the tank pays MP and the squad MF."""
    first = last(scene(), *TOGETHER)
    assert (first.status, total(first, "t"), total(first)) == ("LEGAL", 1, 1)
    assert armored(first.after) == {"t": "t", "u": "t"}
    assert [unit.at for unit in first.after.units] == ["C1", "C1"]
    second = last(scene(), *TOGETHER, "turn t SSE", "enter t,u C2", "stop t", "end t")
    assert second.is_legal
    uphill = scene(board=crossing(there={"level": 1}), tank=vehicle("t", "ft-12"))
    ruling = last(uphill, "enter u,t C1")
    assert (ruling.status, total(ruling, "t"), total(ruling)) == ("LEGAL", 5, 2)
    fresh = last(scene(), *TOGETHER, "stop t", "phase DFPh side=russian", "phase MPh side=german")
    assert armored(fresh.after) == {"t": None, "u": None}


@pytest.mark.clause("D9.31a")
def test_a_unit_that_began_elsewhere_does_not_come_along() -> None:
    """A unit that has moved, has just unloaded, or has left the stack is not beneath the AFV."""
    under_way = {"tank": vehicle("t", "ft-12"), "board": LINE}
    for squad, legal in (({"previous": "A1"}, False), ({"conveyed": True}, False), ({}, True)):
        found = last(scene(squad={"mph": "moving", **squad}, **under_way), "enter t,u C1")
        assert bars(found) == (set() if legal else {"D9.31a"})
    driven = vehicle("t", "ft-12", previous="A1", mph="moving", spent=4, used=2)
    assert bars(last(scene(tank=driven), "enter t,u C1")) == {"D9.31a"}
    back = scene(foot("v"), board=LINE)
    left = (*START, "enter t,u,v C1", "enter v C2", "enter v C1")
    assert bars(last(back, *left, "enter t,v D1")) == {"D9.31a"}
    assert last(back, *left[:2], "turn t SSE", "enter t,v C2").is_legal


@pytest.mark.clause("D9.31a", "A4.2b")
def test_only_infantry_and_one_afv() -> None:
    """Neither Cavalry nor Infantry with a truck can use Armored Assault."""
    cavalry = place(LINE, vehicle("t", "ft-12"), foot("u", "cavalry"))
    assert bars(last(cavalry, "enter t,u C1")) == {"D9.31a"}
    truck = place(LINE, vehicle("t"), foot())
    assert "A4.2b" in bars(last(truck, "enter t,u C1"))


@pytest.mark.clause("D9.31b", "D9.31g")
@pytest.mark.parametrize("stopped", ["", "pinned", "broken", "eliminated"])
def test_the_afv_goes_on_as_far_as_the_infantry_could(stopped: str) -> None:
    """After one hex together the squad had 3 MF left, so the AFV can enter three hexes more."""
    log = [*TOGETHER, *([f"result u {stopped}"] if stopped else [])]
    for hex_ in ("D1", "E1", "F1"):
        log.append(f"enter t {hex_}")
        assert last(scene(), *log).is_legal
    ruling = last(scene(), *log, "enter t G1")
    assert (bars(ruling), ruling.violations[0].need, ruling.violations[0].have) == (
        {"D9.31b"},
        2,
        0,
    )
    assert last(scene(), *START, "enter t C1", "enter t D1").is_legal


@pytest.mark.clause("D9.31b", "D9.31g")
def test_the_printed_example() -> None:
    """Two MF spent together, then two on a building: the tank can enter two hexes more by itself.

    If Double Time is declared on entering the building, the tank can enter three more, with a
    leader four.
    """
    building = field({**{f"{c}1": {} for c in "ABCDEFGHI"}, "D2": {"terrain": "Wooden Building"}})
    log = (*START, "enter t,u C1", "enter t,u D1", "enter u D2", "enter t E1", "enter t F1")
    pair = ("enter t G1", "enter t H1")
    two = scene(board=building)
    assert last(two, *log).is_legal
    assert bars(last(two, *log, *pair[:1])) == {"D9.31b"}
    dashed = (*log[:3], "double-time u", *log[3:], *pair[:1])
    assert last(two, *dashed).is_legal
    assert bars(last(two, *dashed, *pair[1:])) == {"D9.31b"}
    led = scene(foot("l", "leader"), board=building)
    with_him = [line.replace("t,u", "t,u,l").replace("enter u D2", "enter u,l D2") for line in log]
    assert last(led, *with_him, *pair).is_legal
    assert bars(last(led, *with_him, *pair, "enter t I1")) == {"D9.31b"}


@pytest.mark.clause("D9.31b", "D9.31g")
def test_double_time_after_the_afv_has_gone_on() -> None:
    """Later Double Time of the Infantry counts; what it spends in place counts until they separate."""
    parted = (*TOGETHER, "enter u C2", "enter t D1", "enter t E1", "enter t F1")
    assert bars(last(scene(), *parted, "enter t G1")) == {"D9.31b"}
    assert last(scene(), *parted, "double-time u", "enter t G1").is_legal
    smoke = (*TOGETHER, "smoke u D1 3", "settle smoke:u failed", "enter t D1", "enter t E1")
    assert bars(last(scene(), *smoke)) == {"D9.31b"}


@pytest.mark.clause("D9.31b")
def test_what_its_hexes_would_cost_the_infantry() -> None:
    """The AFV pays MP for hill and woods; the Infantry's MF for the same hexes are counted."""
    hexes = {
        "B1": {},
        "C1": {},
        "D1": {"level": 1},
        "E1": {"level": 1},
        "F1": {"level": 1},
        "C2": {},
    }
    hill = scene(board=field(hexes), tank=vehicle("t", "ft-20", moving=False))
    log = (*TOGETHER, "enter u C2", "enter t D1", "enter t E1")
    assert last(hill, *log).is_legal
    assert bars(last(hill, *log, "enter t F1")) == {"D9.31b"}
    roads = {f"{a}1-{b}1": {"road": "Dirt Road"} for a, b in pairwise("BCDEFGH")}
    road = field({**{f"{c}1": {} for c in "BCDEFGHI"}, "C2": {}}, roads)
    by_road = (*START, "enter t,u C1", "enter t D1", "enter t E1", "enter t F1", "enter t G1")
    assert last(scene(board=road), *by_road).is_legal
    assert bars(last(scene(board=road), *by_road, "enter t H1")) == {"D9.31b"}
    assert bars(last(scene(board=road), *by_road[:-1], "enter t G1 off_road=true")) == set()


@pytest.mark.clause("D9.31b")
def test_assault_movement_goes_one_hex() -> None:
    """Infantry using Assault Movement can enter one hex only, so the AFV can too."""
    log = (*START, "assault u", "enter t,u C1")
    assert last(scene(), *log).is_legal
    assert bars(last(scene(), *log, "enter t D1")) == {"D9.31b"}


@pytest.mark.clause("D9.31b")
def test_what_the_infantry_could_not_enter() -> None:
    """An enemy's Location keeps Infantry out, but not for lack of MF: two readings."""
    foe = foot("e", side="russian", at="D1")
    log = (*TOGETHER, "enter t D1 overrun=true")
    assert "D9.31b" not in bars(last(scene(foe), *log)) | cites(last(scene(foe), *log))
    strict = scene(foe, readings=(("D9.31b", "together"),))
    assert "D9.31b" in bars(last(strict, *log))


@pytest.mark.clause("D9.31b")
def test_what_is_impassable_to_the_infantry() -> None:
    """An amphibious AFV can enter water without Infantry, but not after moving with it."""
    swimmer = like("t-26-m33", amphibious=True, water_mp=6)
    board = field({**{name: {} for name in ("A1", "B1", "C1", "C2")}, "D1": WATER})
    position = scene(board=board, tank=vehicle("t", "like", moving=False), types=(swimmer,))
    alone = last(position, *START, "enter t C1", "enter t D1")
    assert "D9.31b" not in bars(alone)
    for reading in ("mf", "together"):
        strict = msgspec.structs.replace(position, readings=(("D9.31b", reading),))
        assert "D9.31b" in bars(last(strict, *TOGETHER, "enter t D1"))


@pytest.mark.clause("D9.31b", "D9.31c", "D9.31g")
def test_who_moves_on_with_the_afv() -> None:
    """Part of the stack can move on with the AFV, or leave it; all who moved with it set its pace."""
    two = scene(foot("l", "leader"))
    log = (*START, "enter t,u,l C1")
    assert last(two, *log, "enter t,l D1").is_legal
    assert last(two, *log, "enter t,l D1", "enter t,l E1").is_legal
    slow = scene(foot("l", "leader"), squad={"sw": load(5)})
    on = (*log, "enter t,l D1")
    assert last(slow, *on).is_legal
    assert bars(last(slow, *on, "enter t,l E1", "enter t,l F1", "enter t,l G1")) == {"D9.31b"}
    assert bars(last(two, *log, "enter t,l D1", "enter t,u E1")) >= {"D9.31a"}
    apart = last(scene(), *TOGETHER, "enter u C2")
    assert (apart.status, armored(apart.after)["u"]) == ("LEGAL", "u")
    assert last(scene(), *TOGETHER, "enter u C2", "enter t D1").is_legal
    again = last(scene(), *TOGETHER, "enter u C2", "enter u B1")
    assert armored(again.after)["u"] == "u"
    back = (*TOGETHER, "enter t D1", "turn t SSE", "turn t SSW", "turn t W", "enter t C1")
    assert bars(last(scene(tank=vehicle("t", "ft-20")), *back[1:], "enter t,u B1")) >= {"D9.31a"}


@pytest.mark.clause("D9.31b")
def test_what_a_scene_does_not_say() -> None:
    """It is UNSUPPORTED if a scene states only that the AFV moved so, or if the AFV then uses Bypass."""
    moved = vehicle("t", "ft-12", "C1", previous="B1", mph="moving", armored="t", spent=4, used=2)
    alone = place(LINE, moved)
    assert cites(last(alone, "enter t D1")) == {"D9.31b"}
    beside = foot(at="C1", armored="t", previous="B1", mph="moving", spent=2, used=2)
    given = place(LINE, moved, beside)
    assert last(given, "enter t D1").is_legal
    tank = vehicle("t", "ft-20", previous="A1", mph="moving", armored="t", spent=4, used=2)
    woods = patch({**WOODS, "clear": (90,) * 6})
    round_it = place(woods, tank, foot(armored="t", previous="A1", mph="moving", spent=2, used=2))
    assert "D9.31b" in cites(last(round_it, "bypass t C1"))


@pytest.mark.parametrize(
    ("afv", "squad", "says"),
    [
        ({"armored": "t", "escorted": {"kind": "9-9-9-9"}}, {}, "u needs a type of Infantry"),
        ({"armored": "t", "escorted": {"kind": "ft-12"}}, {}, "u needs a type of Infantry"),
        ({"escorted": {"kind": "squad"}}, {}, "its own name in armored"),
        ({}, {"armored": "u", "escorted": {"kind": "squad"}}, "escorted is for an AFV"),
    ],
)
def test_what_is_refused_in_a_scene(afv: dict[str, Any], squad: dict[str, Any], says: str) -> None:
    """Only an AFV can have Infantry it moved with, and that Infantry must be of an existing type."""

    def given(fields: dict[str, Any]) -> dict[str, Any]:
        if "escorted" not in fields:
            return fields
        one = Escorted(unit="u", left=4, **fields["escorted"])
        return {**fields, "escorted": (one,)}

    position = place(LINE, vehicle("t", "ft-12", **given(afv)), foot(**given(squad)))
    with pytest.raises(BadInputError, match=says):
        check_states(position)


@pytest.mark.clause("D9.31d", "A4.2b")
def test_an_afv_in_bypass_is_where_the_infantry_in_the_obstacle_is() -> None:
    """Both are in one Location, so Armored Assault there is UNSUPPORTED, as always in Bypass."""
    tank = vehicle("t", "ft-12", "C1", bypass=1, facing="SSE")
    position = place(patch({**WOODS, "clear": (90,) * 6}), tank, foot(at="C1"))
    ruling = last(position, "enter t,u D1")
    assert (ruling.status, cites(ruling)) == ("UNSUPPORTED", {"D9.31d"})
    both = place(patch(), foot(at="C1", bypass=1, mph="moving"), foot("v", at="C1", mph="moving"))
    assert "A4.2b" in bars(last(both, "enter u,v D1"))


@pytest.mark.clause("D9.31b", "D2.4")
def test_how_its_mph_ends() -> None:
    """The AFV stops if it can pay for the Stop; otherwise it ends in Motion."""
    assert bars(last(scene(), *TOGETHER, "end t")) == {"D2.4"}
    assert last(scene(), *TOGETHER, "stop t", "end t").is_legal
    nearly = vehicle("t", "ft-12", mph="moving", spent=21, used=21)
    assert last(scene(tank=nearly), "enter t,u C1", "end t").is_legal
    poor = scene(tank=nearly, board=crossing(hexside={"road": "Dirt Road"}))
    assert last(poor, "enter t,u C1", "stop t").is_legal


@pytest.mark.clause("D9.31d")
def test_unusual_ways() -> None:
    """A Minimum Move, Bypass and night are UNSUPPORTED; without an AFV they are not."""
    tank = vehicle("t", "ft-12")
    assert "D9.31d" in cites(last(scene(tank=tank), "minimum t,u C1"))
    assert "D9.31d" in cites(last(scene(tank=tank), "bypass t,u C1"))
    assert cites(last(scene(tank=tank, nvr=3), "enter t,u C1")) == {"D9.31d"}
    squads = place(LINE, foot(), foot("v"), nvr=3)
    assert "D9.31d" not in cites(last(squads, "enter u,v C1"))
    assert "D9.31d" not in cites(last(squads, "minimum u,v C1"))


@pytest.mark.clause("D14.33")
def test_with_a_platoon() -> None:
    """Armored Assault with an AFV of a platoon is UNSUPPORTED."""
    position = radioless(4, 5, platoon="p")
    units = (*position.units, foot("u", at="A4"))
    position = msgspec.structs.replace(position, units=units)
    assert "D14.33" in cites(last(position, "enter t1,u A3"))
    assert "D14.33" not in cites(last(position, "enter t1 A3"))
    assert "D14.33" not in cites(last(scene(tank=vehicle("t", "ft-12")), "enter t,u C1"))


@pytest.mark.clause("D9.31e", "A4.6b")
def test_the_afv_shelters_them() -> None:
    """FFMO does not apply to Infantry moving with an AFV there, except under another reading; FFNAM does."""

    def stated(*log: str, **fields: Any) -> dict[str, bool]:
        after = last(scene(**fields), *log).after
        return {e["what"]: e["allowed"] for e in ASL.entitlements(after, after.unit("u"))}

    assert stated(*TOGETHER) == {"FFNAM": True, "FFMO": False}
    assert stated(*TOGETHER, "enter u C2") == {"FFNAM": True, "FFMO": True}
    assert stated("enter u C1") == {"FFNAM": True, "FFMO": True}
    assert stated(*TOGETHER, readings=(("D9.31e", "open"),))["FFMO"]
    idle = scene(squad={"armored": "t"})
    assert ASL.entitlements(idle, idle.unit("u")) == []


@pytest.mark.clause("A12.15a")
def test_a_concealed_enemy_throws_the_infantry_back() -> None:
    """Only the Infantry is sent back, and the DEFENDER is asked, whichever unit is named first."""
    foe = foot("e", side="russian", at="C1", concealed=True)
    for who in ("t,u", "u,t"):
        found = last(scene(foe), *START, f"enter {who} C1")
        assert [o.id for o in found.obligations] == ["detect:u"]
        assert [found.after.unit(name).at for name in ("t", "u")] == ["C1", "B1"]


def test_what_is_proposed() -> None:
    """The stack is proposed along with each unit alone; once it has moved, as far as the squad could go."""

    def offers(*log: str) -> set[str]:
        verdict = judge(scene(), *log)
        found = legal_actions(verdict.position)
        wide = [
            c for f in found if f.joins for c in legal_actions(verdict.position, opened=f.action)
        ]
        return {format_action(c.action) for c in (*found, *wide) if c.closes}

    assert {"enter t C1", "enter t,u C1"} <= offers(*START)
    later = offers(*TOGETHER)
    assert "enter t,u D1" in later
    assert "enter u D1" in later
    assert "enter t D1" in later
    gone = offers(*TOGETHER, "enter t D1", "enter t E1", "enter t F1")
    assert "enter t G1" not in gone
    assert "stop t" in gone


@pytest.mark.slow
def test_reach_of_the_afv_alone() -> None:
    """Reach ignores the ways of an AFV that moved with Infantry, and says so; the squad's ways are found."""
    after = last(scene(), *TOGETHER).after
    assert set(reach(after, ["t"])[0].best()) == {"C1"}
    assert "D9.31b" in reach(after, ["t"])[0].unsupported
    check_reach(after, "u")
    found = reach(after, ["u"])[0]
    assert {"C1", "D1", "E1"} <= set(found.best())
    for spot in found.best().values():
        found.replay(spot)
    fresh = msgspec.structs.replace(after, units=scene().units)
    assert "E1" in reach(fresh, ["t"])[0].best()


@pytest.mark.clause("A5.11b")
def test_overstacking_counts_those_who_come_along() -> None:
    """With three squads there, both tank and squad pay for one squad too many."""
    there = [foot(f"s{n}", at="C1") for n in range(3)]
    found = last(scene(*there), *TOGETHER)
    assert (paid(found, "A5.11b", "t"), paid(found, "A5.11a")) == (1, 1)
    smoke = last(scene(counters=(Counter(kind="smoke", at="C1"),)), *TOGETHER)
    assert (total(smoke, "t"), total(smoke)) == (2, 2)


@pytest.mark.clause("D9.31f")
def test_a_bog_check_on_the_way_across_is_not_judged() -> None:
    """Over bocage or out of a stream a failed Bog Check could hold the AFV back; alone it makes its check."""
    bocage = crossing(hexside={"terrain": "Bocage"})
    stream = crossing(
        here={"terrain": "Shallow Stream", "depression": "Shallow Stream", "level": -1}
    )
    for board in (bocage, stream):
        together = scene(board=board, tank=vehicle("t", "ft-20"), squad={"kind": "hero"})
        assert cites(last(together, "enter t,u C1")) == {"D9.31f"}
        assert last(together, "enter t C1").obligations
    assert not cites(
        last(
            scene(board=crossing(hexside={"terrain": "Hedge"}), tank=vehicle("t", "ft-20")),
            "enter t,u C1",
        )
    )


@pytest.mark.clause("D9.31c", "D2.18")
def test_receipts_say_who_pays_for_what() -> None:
    """Each unit has a receipt: the tank's for hedge, road and extra MP, the squad's for its own MF."""
    board = crossing(there={"terrain": "Grain"}, hexside={"terrain": "Hedge"})
    ruling = last(scene(board=board), *START, "enter t,u C1 extra=2")
    by_unit = {r.unit: (r.points, [c.amount for c in r.charges]) for r in ruling.receipts}
    alone = {
        name: [c.amount for c in r.charges]
        for name, line in (("t", "enter t C1 extra=2"), ("u", "enter u C1"))
        for r in last(scene(board=board), *START, line).receipts
        if r.unit == name
    }
    assert by_unit == {"t": ("MP", alone["t"]), "u": ("MF", alone["u"])}
    assert (total(ruling, "t"), total(ruling)) == (4, 2.5)
    assert [r.unit for r in ruling.receipts if "D2.18" in {c.clause for c in r.charges}] == ["t"]


@pytest.mark.clause("D9.31c", "B13.42", "D2.18")
def test_what_is_said_of_the_afv_alone() -> None:
    """The tank pays half its MP for woods and the squad 2 MF; the tank can spend more, the squad cannot."""
    woods = scene(board=crossing(there={"terrain": "Woods"}))
    half = last(woods, *START, "enter t,u C1 half=true")
    assert half.is_legal
    assert [(r.unit, r.amount) for r in half.receipts] == [("t", 12), ("u", 4)]
    more = last(scene(), *START, "enter t,u C1 extra=3")
    assert [(r.unit, r.amount) for r in more.receipts] == [("t", 8), ("u", 2)]
    rest = last(scene(), *START, "enter t,u C1 rest=true")
    assert [(r.unit, r.left) for r in rest.receipts] == [("t", 0), ("u", 6)]
    assert "B13.42" in bars(last(scene(), *START, "enter t,u C1 half=true"))
    alone = place(crossing(there={"terrain": "Woods"}), foot())
    assert bars(last(alone, "enter u C1 half=true")) == {"B13.42"}
    assert bars(last(place(crossing(), foot()), "enter u C1 extra=1")) == {"D2.18"}
