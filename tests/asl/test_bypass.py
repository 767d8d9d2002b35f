"""Bypass of woods and buildings, on foot and in vehicles (A4.3, D2.3)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.planning.loop import plan
from marchtable.play import legal_actions
from marchtable.reachability.movement import movement_graph
from marchtable.reachability.reach import reach
from marchtable.state.goal import Aim, Goal
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.corners import SPINES
from marchtable_models.asl.rules.impulse_moves import Impulse
from marchtable_models.asl.verbs import Bypass
from tests.asl.boards import (
    ASL,
    bars,
    cites,
    field,
    foot,
    judge,
    last,
    moved_jointly,
    paid,
    place,
    total,
    vehicle,
)  # fmt: skip
from tests.slowly import slow_after
from tests.solver.oracles import walk as walk_by_force
from tests.solver.test_reach import check_reach

if TYPE_CHECKING:
    from marchtable.board.board import Board
    from marchtable.rules.ruling import Ruling

ROOM = (50,) * 6
WOODS: dict[str, Any] = {"terrain": "Woods", "clear": ROOM}
BUILDING: dict[str, Any] = {"terrain": "Wooden Building", "clear": ROOM}


def woods(*clear: int, **fields: Any) -> dict[str, Any]:
    """Return woods with clearance along these hexsides only."""
    return {**WOODS, "clear": tuple(50 if side in clear else 0 for side in range(6)), **fields}


def patch(obstacle: dict[str, Any] = WOODS, **others: Any) -> Board:
    """Return C1 with all its neighbours; B1 lies across its hexside 4, D1 across 2."""
    hexsides = others.pop("hexsides", {})
    around: dict[str, dict[str, Any]] = {n: {} for n in ("B0", "B1", "C0", "C2", "D0", "D1")}
    return field({**around, "C1": obstacle, **others}, hexsides)


def walk(*lines: str, board: Board | None = None, others: Any = (), **fields: Any) -> Ruling:
    """Return the ruling on a squad's last step from B1."""
    return last(place(board or patch(), foot(**fields), *others), *lines)


def drive(
    *lines: str, board: Board | None = None, others: Any = (), scene: Any = None, **fields: Any
) -> Ruling:
    """Return the ruling on the last step of a vehicle in B1 that faces E, C1 and C2 ahead."""
    return last(place(board or patch(), vehicle(**fields), *others, **(scene or {})), *lines)


# -- on foot ---------------------------------------------------------------------------------------


@pytest.mark.clause("A4.3c")
@pytest.mark.parametrize(
    ("vertex", "cost"), [("NNW", 1), ("NNE", 1), ("E", 1), ("SSE", 1), ("W", None), ("SSW", None)]
)
def test_infantry_goes_round_by_the_shorter_way(vertex: str, cost: float | None) -> None:
    """Two hexsides reach every vertex except those of the entry hexside, at Open Ground cost."""
    ruling = judge(place(patch(), foot()), f"bypass u C1 vertex={vertex}").rulings[0]
    if cost is None:
        assert bars(ruling) == {"A4.3b"}
        return
    assert (total(ruling), ruling.status) == (cost, "LEGAL")
    after = ruling.after.unit("u")
    assert (after.at, after.move.road, after.points.used) == ("C1", False, 2)
    assert after.place.bypass == ("NNE", "E", "SSE", "SSW", "W", "NNW").index(vertex)


@pytest.mark.clause("A4.3b", "A4.3c")
def test_more_than_two_hexsides_cost_double() -> None:
    """With one direction blocked, two hexsides cost 1 MF, three or four 2; five are too many."""
    one_way = patch(woods(0, 1, 2, 3, 4))  # not along hexside 5, the first clockwise
    costs = {v: walk(f"bypass u C1 vertex={v}", board=one_way) for v in ("SSE", "E", "NNE", "NNW")}
    assert {v: total(ruling) for v, ruling in costs.items()} == {
        "SSE": 1, "E": 1, "NNE": 2, "NNW": 2,
    }  # fmt: skip
    assert paid(costs["NNE"], "A4.3c") == 1
    assert bars(walk("bypass u C1 vertex=W", board=one_way)) == {"A4.3b"}
    assert walk("bypass u C1 vertex=NNE", board=one_way, spent=4, used=4, mph="moving").is_legal
    assert bars(
        walk("bypass u C1 vertex=NNE", board=one_way, spent=5, used=5, mph="moving")
    ) == {"A4.11b"}  # fmt: skip


@pytest.mark.clause("A4.3c")
def test_smoke_and_a_rise_are_doubled_with_the_terrain() -> None:
    """Uphill costs 2 MF, with SMOKE 4; a wall's MF is not doubled for the longer way."""
    up = patch(woods(0, 1, 2, 3, level=1), hexsides={"B1-C1": {"terrain": "Wall"}})
    assert total(walk("bypass u C1 vertex=E", board=up)) == 1 + 2
    assert total(walk("bypass u C1 vertex=NNE", board=up, kind="leader")) == 1 + 2 * 2
    smoke = place(up, foot(kind="leader"), smoke=("C1",))
    assert total(last(smoke, "bypass u C1 vertex=E")) == 1 + 2 * 2
    brush = patch({**WOODS, "also": (("Open Ground", 40), ("Brush", 30))})
    assert total(walk("bypass u C1 vertex=E", board=brush)) == 2
    stray = patch({**WOODS, "also": (("Open Ground", 40), ("Brush", 10))})
    assert total(walk("bypass u C1 vertex=E", board=stray)) == 1


@pytest.mark.clause("A4.3a")
def test_bypass_goes_round_woods_and_buildings_only() -> None:
    """Open Ground, brush and a gully's woods cannot be bypassed; a factory is a building."""
    for there in (BUILDING, {"terrain": "Stone Factory, 1.5 Level", "clear": ROOM}):
        for mover in ({}, {"kind": "cavalry"}):
            assert walk("bypass u C1 vertex=E", board=patch(there), **mover).is_legal
        assert drive("bypass u C1", board=patch(there)).is_legal
    bare: tuple[dict[str, Any], ...] = (
        {}, {"terrain": "Brush"}, {"depression": "Gully", "level": -1, "terrain": "Woods"},
    )  # fmt: skip
    for hexes in bare:
        assert bars(walk("bypass u C1 vertex=E", board=patch({**hexes, "clear": ROOM}))) == {
            "A4.3a"
        }
        assert "A4.3a" in bars(drive("bypass u C1", board=patch({**hexes, "clear": ROOM})))


@pytest.mark.clause("A4.3b")
def test_the_obstacle_must_not_touch_the_hexside() -> None:
    """On foot a clear width of 1 suffices, 0 does not; a wall or hedge adds its depth."""
    for width, legal in ((1, True), (0, False)):
        clear = (0, 0, 0, width, 0, 0)
        assert (
            walk("bypass u C1 vertex=SSE", board=patch({**WOODS, "clear": clear})).is_legal == legal
        )
    for terrain, width, legal in (
        ("Hedge", 9, True), ("Wall", 9, True), ("Wall", 8, False), ("Cliff", 50, False),
    ):  # fmt: skip
        near = {**WOODS, "clear": (0, 0, 0, width, 0, 0)}
        lined = patch(near, hexsides={"C1-C2": {"terrain": terrain}})
        along = walk("bypass u C1 vertex=SSE", board=lined)
        assert (along.is_legal, bars(along)) == (legal, set() if legal else {"A4.3b"})
    assert bars(walk("bypass u C1")) == {"A4.3b"}


@pytest.mark.clause("x-clear")
def test_where_the_board_does_not_tell() -> None:
    """Without clear widths there is no room, or, under the other reading, it is UNSUPPORTED."""
    board = patch({"terrain": "Woods"})
    found = last(place(board, foot()), "bypass u C1 vertex=E")
    assert (bars(found), cites(found)) == ({"x-clear"}, set())
    position = place(board, foot(), vehicle("t"), readings=(("x-clear", "unknown"),))
    for line in ("bypass u C1 vertex=E", "bypass t C1"):
        ruling = judge(position, line).rulings[0]
        assert (bars(ruling), cites(ruling)) == (set(), {"x-clear"})


@pytest.mark.clause("A4.3d")
def test_from_bypass_it_goes_where_the_vertex_is() -> None:
    """From SSE of C1 it can enter C2 and D1; it can enter the woods from any vertex."""
    for hex_, legal in (("D1", True), ("C2", True), ("D0", False), ("B1", False)):
        ruling = walk("bypass u C1 vertex=SSE", f"enter u {hex_}")
        assert ruling.is_legal == legal
        if not legal:
            assert bars(ruling) == {"A4.3d"}
    inside = walk("bypass u C1 vertex=SSE", "into u")
    assert (total(inside), inside.after.unit("u").place.bypass, inside.after.unit("u").at) == (
        2,
        None,
        "C1",
    )
    assert walk("bypass u C1 vertex=SSE", "enter u D1").after.unit("u").place.bypass is None


@pytest.mark.clause("A4.3d", "A4.3b")
def test_from_vertex_to_vertex() -> None:
    """It bypasses the next obstacle from the vertex both share, and along the hexside between too."""
    board = patch(woods(3), D1=woods(0, 5))
    ruling = walk(
        "bypass u C1 vertex=SSE", "bypass u D1 vertex=NNW", board=board
    )  # along D1's hexside 5
    assert (ruling.status, total(ruling)) == ("LEGAL", 1)
    assert walk("bypass u C1 vertex=SSE", "bypass u D1 vertex=NNE", board=board).is_legal
    assert bars(walk("bypass u C1 vertex=SSE", "bypass u D1 vertex=E", board=board)) == {"A4.3b"}
    far = patch(woods(3), D0=WOODS)
    assert bars(walk("bypass u C1 vertex=SSE", "bypass u D0 vertex=E", board=far)) == {
        "A4.3d",
        "A4.3b",
    }


@pytest.mark.clause("A4.3e")
def test_infantry_does_not_end_its_mph_in_bypass() -> None:
    """Infantry cannot end its MPh in Bypass by `end`, another unit's move or the phase; pinned it can stay."""
    other = foot("v", at="C2")
    for line in ("end u", "enter v D1", "phase DFPh"):
        assert bars(walk("bypass u C1 vertex=SSE", line, others=(other,))) == {"A4.3e"}
    for held in ("pinned", "broken"):
        stuck = walk("bypass u C1 vertex=SSE").after.unit("u")
        stuck = replace(stuck, **{held: True})
        ended = last(place(patch(), stuck, other), "enter v D1")
        assert (ended.is_legal, ended.after.unit("u").place.bypass) == (True, 2)
    assert walk("bypass u C1 vertex=SSE", "enter u D1", "end u").is_legal
    tank = drive("bypass u C1", "stop u", "end u", kind="ft-20")
    assert tank.is_legal


@pytest.mark.clause("A4.3f")
def test_what_only_a_unit_in_bypass_does() -> None:
    """A unit standing in the open cannot go on along a hexside, or into the obstacle."""
    for line in ("into u", "along u"):
        assert bars(judge(place(patch(), foot()), line).rulings[0]) == {"A4.3f"}
        assert bars(judge(place(patch(), vehicle()), line).rulings[0]) == {"A4.3f"}
    assert "A4.3f" not in bars(walk("bypass u C1 vertex=SSE", "along u"))


@pytest.mark.clause("A4.2b")
def test_a_stack_goes_round_together() -> None:
    """Squad and leader bypass as one and keep the bonus; a unit elsewhere in the hex cannot join."""
    both = (foot(), foot("l", "leader"))
    position = place(patch(), *both)
    ruling = last(position, "bypass u,l C1 vertex=SSE", "enter u,l D1")
    assert ruling.is_legal
    apart = (foot("a", at="C1", bypass=2, mph="moving"), foot("b", at="C1", mph="moving"))
    assert "A4.2b" in bars(judge(place(patch(), *apart), "enter a,b D1").rulings[0])


def test_a_scene_puts_units_in_bypass_only_where_there_is_room() -> None:
    """A hexside without clearance, a hex without obstacle, and a vertex off clear hexsides are bad input."""
    good = (foot(at="C1", bypass=3), foot(at="C1", bypass=2), vehicle(at="C1", bypass=3))
    for unit in good:
        ASL.check_position(place(patch(woods(3)), unit))
    bad = (
        foot(at="C1", bypass=4), vehicle(at="C1", bypass=2), foot(at="B1", bypass=3),
        foot(at=None, bypass=3),
    )  # fmt: skip
    for unit in bad:
        with pytest.raises(BadInputError, match="bypass"):
            ASL.check_position(place(patch(woods(3)), unit))


@pytest.mark.clause("D6.21a")
def test_a_unit_that_is_aboard_in_bypass() -> None:
    """Units aboard go along; Riders stay on beside woods, and bail out when their AFV enters them."""
    tank, rider = vehicle("t", "t-26-m33"), foot(aboard="t", riding=True, kind="half-squad")
    position = place(patch(), tank, rider, year=1943)
    past = last(position, "bypass t C1")
    assert [(u.at, u.cargo.aboard) for u in past.after.units] == [("C1", None), ("C1", "t")]
    on = last(position, "bypass t C1", "enter t C2")
    assert [(u.at, u.cargo.aboard) for u in on.after.units] == [("C2", None), ("C2", "t")]
    entered = last(position, "enter t C1 half=true")
    assert entered.after.unit("u").cargo.aboard is None


# -- other rules that apply ------------------------------------------------------------------------


@pytest.mark.clause("E11.2j")
def test_a_convoy_pays_its_extra_mp_per_hexside() -> None:
    """Each hexside costs a Convoy truck 2 x 4 + 1 MP, including the second of the same hex."""
    line: dict[str, Any] = {"kind": "tr-40", "convoy": "x"}
    position = place(
        patch(), vehicle(rank=0, **line), vehicle("v", at="B0", facing="SSE", rank=1, **line)
    )
    first = last(position, "impulse u bypass:C1,stay")
    assert total(first) == 9
    second = last(
        position, "impulse u bypass:C1,stay", "impulse u turn:NNE,stay", "impulse u along,stay"
    )
    assert (total(second), bars(second)) == (9, set())


@pytest.mark.clause("D2.14")
def test_vehicles_in_the_hex_are_paid_for_once() -> None:
    """A wreck in the woods costs 1 MP when the hex is entered, nothing along its next hexside."""
    wreck = foot("w", "wreck", at="C1")
    assert total(drive("bypass u C1", others=(wreck,), kind="ft-20")) == 3
    assert total(drive("bypass u C1", "turn u NNE", "along u", others=(wreck,), kind="ft-20")) == 2


@pytest.mark.clause("D2.4")
@pytest.mark.parametrize(("clear", "left", "legal"), [
    (ROOM, 8, False), (ROOM, 7.5, True), ((0,) * 6, 8, True),
])  # fmt: skip
def test_motion_before_woods_is_decided(clear: tuple[int, ...], left: float, legal: bool) -> None:
    """A truck that spent MP can end in Motion before woods only if it cannot afford Bypass either."""
    spent = round(2 * (40 - left))
    board = field({"B1": {}, "C1": {**WOODS, "clear": clear}, "C2": {**WOODS, "clear": clear}})
    ruling = last(place(board, vehicle(spent=spent, used=spent, mph="moving")), "end u")
    assert (ruling.is_legal, cites(ruling)) == (legal, set())
    assert legal or bars(ruling) == {"D2.4"}


def test_bypass_reads_and_prints_as_one_line() -> None:
    """The vertex is the name of a hexspine, and is omitted for vehicles."""
    from marchtable.files.notation import format_action, parse_action

    for line in ("bypass u C1 vertex=SSE", "bypass t C1", "along t", "into u,v"):
        assert format_action(parse_action(line, ASL)) == line
    assert parse_action("bypass u C1 vertex=SSE", ASL) == Bypass(("u",), "C1", "SSE")
    with pytest.raises(BadInputError):
        parse_action("bypass u C1 vertex=SE", ASL)


# -- on foot: prohibitions -------------------------------------------------------------------------


@pytest.mark.clause("A4.3h")
def test_wire_bars_infantry() -> None:
    """Infantry cannot bypass woods with Wire; a vehicle pays for the Wire; a trench blocks neither."""
    wire, trench = ((Counter(kind=kind, at="C1"),) for kind in ("wire", "trench"))
    assert "A4.3h" in bars(last(place(patch(), foot(), counters=wire), "bypass u C1 vertex=E"))
    assert "A4.3h" not in bars(last(place(patch(), vehicle(), counters=wire), "bypass u C1"))
    assert last(place(patch(), foot(), counters=trench), "bypass u C1 vertex=E").is_legal


@pytest.mark.clause("B26.44b")
def test_wire_is_paid_for_once_in_a_hex() -> None:
    """The first hexside costs (1 + 2) x 2 and a check, the next 2 and no check, nor does the turn."""
    wire = (Counter(kind="wire", at="C3"),)
    woods = {"terrain": "Woods", "clear": (40,) * 6}
    board = field({"C3": woods, "C4": {}, "B2": {}, "D2": {}, "D3": {}, "C2": {}})
    tank = vehicle("u", "ft-14", at="C4", facing="NNE")
    for counters, first, due in ((wire, 6, 1), ((), 2, 0)):
        round_it = place(board, tank, counters=counters)
        enters = last(round_it, "bypass u C3")
        assert (total(enters), len(enters.obligations)) == (first, due)
        log = ("bypass u C3", *(("settle bog:u mobile",) * due), "turn u NNW")
        turns = last(round_it, *log)
        assert (total(turns), turns.obligations) == (1, ())
        goes_on = last(round_it, *log, "along u")
        assert (total(goes_on), goes_on.obligations) == (2, ())


@pytest.mark.clause("A4.3a")
def test_rubble_is_not_gone_round() -> None:
    """A building that has become rubble cannot be bypassed."""
    rubble = (Counter(kind="wooden-rubble", at="C1"),)
    position = place(patch(BUILDING), foot(), vehicle("t"), counters=rubble)
    for line in ("bypass u C1 vertex=E", "bypass t C1"):
        assert "A4.3a" in bars(judge(position, line).rulings[0])


@pytest.mark.clause("A4.3i")
def test_a_known_enemy_in_the_obstacle_bars_infantry() -> None:
    """A Known squad in the woods forbids it; an unarmed truck there, or a squad in the next hex, does not."""
    enemy: dict[str, Any] = {"side": "russian"}
    assert "A4.3i" in bars(walk("bypass u C1 vertex=E", others=(foot("e", at="C1", **enemy),)))
    truck = vehicle("e", "gaz-mm", "C1", **enemy)
    assert walk("bypass u C1 vertex=E", others=(truck,)).is_legal
    assert walk("bypass u C1 vertex=E", others=(foot("e", at="D1", **enemy),)).is_legal


@pytest.mark.clause("A4.3i")
def test_an_enemy_upstairs_bars_bypass_by_the_obstacle_alone() -> None:
    """An enemy upstairs does not bar entry, so it does not bar Bypass, except under the other readings."""
    house = patch({"terrain": "Wooden Building, 1 Level", "clear": ROOM})
    above = foot("e", at="C1", inside="upstairs", floor=1, side="russian")
    around, by_obstacle = "bypass u C1 vertex=E", (("A4.3i", "obstacle"),)
    for line in (around, "enter u C1"):
        assert walk(line, board=house, others=(above,)).is_legal
    below = foot("f", at="C1", side="russian")
    assert "A4.3i" in bars(walk(around, board=house, others=(above, below)))
    for reading in ("obstacle", "hex"):
        strict = place(house, foot(), above, readings=(("A4.3i", reading),))
        assert bars(last(strict, around)) == {"A4.3i"}
    harmless: tuple[dict[str, Any], ...] = (
        {"side": "russian", "concealed": True},
        {"side": "russian", "disrupted": True, "broken": True},
        {"side": "german"},
    )
    for fields in harmless:
        other = foot("e", at="C1", inside="upstairs", floor=1, **fields)
        assert last(place(house, foot(), other, readings=by_obstacle), around).is_legal
    tired = foot(spent=2, used=2, mph="moving")
    check_reach(place(house, tired, above, readings=by_obstacle), "u")


@pytest.mark.clause("A4.3i")
def test_an_enemy_in_a_pillbox_bars_bypass_by_the_hex_alone() -> None:
    """A pillbox is no part of the obstacle; under the reading `hex` an enemy in it bars Bypass too."""
    pillbox = (Counter(kind="pillbox", at="C1"),)
    enemy = foot("e", at="C1", inside="beneath", side="russian")
    for reading, expected in (("obstacle", set()), ("location", set()), ("hex", {"A4.3i"})):
        position = place(patch(), foot(), enemy, counters=pillbox, readings=(("A4.3i", reading),))
        assert bars(last(position, "bypass u C1 vertex=E")) == expected


@pytest.mark.clause("A4.61c", "A4.61b")
def test_bypass_under_assault_movement() -> None:
    """It can end in the obstacle of that hex with MF to spare; not outside the hex, or for all MF."""
    round_it = ("assault u", "bypass u C1 vertex=E")
    assert walk(*round_it).is_legal
    inside = walk(*round_it, "into u")
    assert (inside.status, total(inside), inside.after.unit("u").place.bypass) == ("LEGAL", 2, None)
    assert bars(walk(*round_it, "enter u D1")) == {"A4.61c"}
    assert bars(walk(*round_it, "end u")) == {"A4.3e"}
    assert bars(walk(*round_it, "into u", inexperienced=True)) == {"A4.61b"}
    assert "A4.61c" in bars(walk(*round_it, "into u", "enter u D1"))


@pytest.mark.clause("A2.6d")
def test_leaving_the_map_out_of_bypass_is_not_modelled() -> None:
    """From a vertex at the map's edge it is UNSUPPORTED; from the woods themselves A2.6 applies."""
    edge = field({"B1": {}, "C1": WOODS})
    assert cites(last(place(edge, foot()), "bypass u C1 vertex=NNE", "exit u")) == {"A2.6d"}
    inside = last(place(edge, foot(kind="leader")), "bypass u C1 vertex=NNE", "into u", "exit u")
    assert cites(inside) == set()


@pytest.mark.clause("A2.5e", "A4.3f")
def test_coming_on_by_bypass_is_not_modelled() -> None:
    """A unit off the map can wait for woods with clearance around them, but not for others."""
    waiting = foot(at=None, entering=("C1",))
    for clear, said in ((ROOM, "UNSUPPORTED"), ((0,) * 6, "LEGAL")):
        board = field({"B1": {}, "C1": {**WOODS, "clear": clear}})
        ruling = judge(place(board, waiting), "bypass u C1 vertex=E").rulings[0]
        assert (cites(ruling) == {"A2.5e"}) == (said == "UNSUPPORTED")
        assert not ruling.is_legal or said == "LEGAL"


@pytest.mark.clause("A4.3d")
def test_no_leaving_the_road_out_of_bypass() -> None:
    """A tank in Bypass of woods with a road through them is not on that road."""
    board = patch(WOODS, hexsides={"B0-C1": {"road": "Dirt Road"}, "C1-D1": {"road": "Dirt Road"}})
    assert "A4.3d" in bars(drive("bypass u C1", "leave-road u", board=board, kind="ft-20"))


@pytest.mark.clause("E11.52d")
def test_a_column_makes_no_bypass_move() -> None:
    """A Column's squad cannot bypass anything."""
    column = (foot(column="x"), foot("v", at="B0", column="x", rank=1))
    assert "E11.52d" in bars(judge(place(patch(), *column), "bypass u C1 vertex=E").rulings[0])


@pytest.mark.clause("E11.52d")
def test_nor_do_its_wagons_in_an_impulse() -> None:
    """A Column's wagon cannot bypass in an Impulse either, whether it leads or follows."""
    found: dict[str, Any] = {"kind": "wagon", "column": "x"}
    line = (vehicle("w1", at="B1", **found), vehicle("w2", at="B0", facing="SSE", rank=1, **found))
    position = place(patch(), *line)
    for moves in ("bypass:C1", "stay,bypass:C1", "bypass:C1,enter:B1"):
        assert "E11.52d" in bars(last(position, f"impulse w1 {moves}"))
    assert not [
        m for m in moved_jointly(position, Impulse("w1", ())).moves(line[0].id) if "bypass" in m
    ]
    assert last(position, "impulse w1 enter:C2,enter:B1").is_legal
    alone = replace(line[0], column="")
    assert last(place(patch(), alone), "bypass w1 C1").is_legal


# -- reach -----------------------------------------------------------------------------------------


def test_reach_goes_round_woods_and_tells_the_vertex() -> None:
    """A squad reaches D1 for 2 MF round the woods, 3 through them; the vertex is stated."""
    line = field({"B1": {}, "C1": woods(3), "D1": {}})
    found = reach(place(line, foot()), ["u"])[0]
    assert found.is_exact
    assert found.best()["D1"].spent == 2 * 2
    result = [ASL.describe_mode(p.mode) for p in found.places if p.at == "C1"]
    assert {"bypass": "SSE"} in result
    shut = field({"B1": {}, "C1": {**WOODS, "clear": (0,) * 6}, "D1": {}})
    assert reach(place(shut, foot()), ["u"])[0].best()["D1"].spent == 2 * 3


@pytest.mark.slow
def test_reach_tells_two_hexsides_apart() -> None:
    """A truck can bypass either woods in its VCA, turn and go on, as the referee confirms."""
    wide = {
        name: {"terrain": "Woods", "clear": (50,) * 6} for name in ("C4", "C5", "D3", "D4", "D5")
    }
    every: dict[str, Any] = {f"{column}{row}": {} for column in "ABCDEF" for row in range(1, 8)}
    ring = field({**every, **wide})
    found = reach(place(ring, vehicle(at="C6", facing="NNE")), ["u"], rolls="avoid")[0]
    passing = [p for p in found.places if ASL.describe_mode(p.mode).get("bypass")]
    assert len({p.at for p in passing}) > 1
    for spot in found.places:
        found.replay(spot)


# -- SW and Guns -----------------------------------------------------------------------------------


@pytest.mark.clause("C10.1e")
def test_no_bypass_while_towing() -> None:
    """A halftrack towing a Gun cannot bypass woods; without one, or with a mortar, it can."""
    for gun, bars_it in (("gun-75-rcl", True), (None, False)):
        towed = [foot("g", gun, towed_by="u")] if gun else []
        ruling = drive(
            "bypass u C1", others=towed, kind="spw-250", towing="g" if gun else None
        )  # fmt: skip
        assert ("C10.1e" in bars(ruling)) == bars_it


@pytest.mark.clause("A4.3j")
def test_hands_are_full_in_bypass() -> None:
    """In Bypass a squad cannot recover a SW; in the woods it can."""
    lying = (Counter(kind="sw", at="C1"),)
    for bypass, barred in ((2, True), (None, False)):
        unit = foot(at="C1", bypass=bypass, mph="moving", used=2, spent=2, previous="B1")
        ruling = judge(place(patch(), unit, counters=lying), "recover u MG").rulings[0]
        assert ("A4.3j" in bars(ruling)) == barred
    truck = vehicle("t", at="C1", bypass=3, moving=False)
    gun, crew = foot("g", "gun-75-rcl", at="C1"), foot("c", "crew", at="C1")
    position = place(patch(), truck, gun, crew)
    assert "A4.3j" in bars(judge(position, "hook t g c").rulings[0])


@pytest.mark.clause("A4.31", "A4.3f", "A4.3b", "A4.3c")
def test_going_on_round_the_same_obstacle_on_foot() -> None:
    """Up to two further hexsides cost the Bypass again with uphill and SMOKE, but no wall; four in all."""
    leader: dict[str, Any] = {"kind": "leader"}
    for first, then, cost in (
        ("E", "SSE", 1),
        ("NNE", "SSE", 1),
        ("NNW", "SSE", 1),
        ("NNE", "SSW", None),
    ):
        further = walk(f"bypass u C1 vertex={first}", f"bypass u C1 vertex={then}", **leader)
        assert bars(further) == ({"A4.3b"} if cost is None else set())
        assert cost is None or total(further) == cost
    on = walk("bypass u C1 vertex=NNE", "bypass u C1 vertex=E", **leader)
    assert (on.after.unit("u").move.previous, on.after.unit("u").place.bypass) == ("B1", 1)
    assert last(on.after, "enter u D1").is_legal
    high = patch(C1={**WOODS, "level": 1}, hexsides={"B1-C1": {"terrain": "Wall"}})
    lines = ("bypass u C1 vertex=NNW", "bypass u C1 vertex=E")
    assert [total(r) for r in judge(place(high, foot(**leader)), *lines).rulings] == [3, 2]
    assert bars(walk("into u")) == {"A4.3f"}
    unstated = replace(on.after.unit("u"), previous=None)
    lost = last(place(patch(), unstated), "bypass u C1 vertex=SSE")
    assert (lost.status, cites(lost)) == ("UNSUPPORTED", {"A4.31"})
    beyond = patch(D1=woods(0, 1, 2, 3, 4, 5))
    assert walk("bypass u C1 vertex=E", "bypass u D1 vertex=E", board=beyond).is_legal


@pytest.mark.parametrize("room", [range(6), (0, 4, 5), (3, 4)])
def test_reach_goes_on_round_the_same_obstacle(room: tuple[int, ...]) -> None:
    """A unit on foot in Bypass reaches what it reaches only by going on from there."""
    board = patch(woods(*room))
    for vertex in ("NNE", "NNW", "W", "SSW"):
        position = place(board, foot(spent=4, used=2))
        begun = last(position, f"bypass u C1 vertex={vertex}")
        if begun.after is not None:
            check_reach(begun.after, "u")


def test_a_way_on_round_the_same_obstacle_is_shown() -> None:
    """Its action is on the way, and the movement graph has the same places."""
    begun = last(place(patch(), foot(kind="leader", spent=6)), "bypass u C1 vertex=NNW")
    (found,) = reach(begun.after, ["u"])
    there = [p for p in found.places if p.at == "C1" and p.mode.bypass == SPINES.index("NNE")]
    for place_ in there:
        assert "bypass u C1 vertex=NNE" in map(format_action, found.actions_to(place_))
    assert there
    assert "D0" in found.locations
    graph = movement_graph(begun.after, "u")
    assert {node[0] for node in graph} == found.locations


@pytest.mark.parametrize("seed", slow_after(2, range(40)))
def test_one_longer_bypass_reaches_what_two_shorter_ones_do(seed: int) -> None:
    """Reach goes on round an obstacle only from the unit's present place: later that gains nothing."""
    drawn = Random(seed)
    rows = (None, "Brush", "Woods", "Woods", "Wooden Building")
    hexes: dict[str, dict[str, Any]] = {}
    for name in ("A1", "A2", "B0", "B1", "B2", "C1", "C2"):
        row, clear = drawn.choice(rows), [drawn.choice((0, 50, 50, 50)) for _ in range(6)]
        level = {"level": 1} if drawn.random() < 0.1 else {}
        bypassed = {"clear": clear} if row not in (None, "Brush") else {}
        hexes[name] = level if row is None else {"terrain": row, **bypassed, **level}
    position = place(field(hexes), foot(at=drawn.choice([*hexes]), mph="moving", spent=2, used=2))
    (found,) = reach(position, ["u"])
    forced = walk_by_force(position, "u", goes_on=True).spent
    searched = {(p.at, p.mode): p.spent for p in found.places if p.mode.bypass is None}
    assert searched == {node: spent for node, spent in forced.items() if node[1].bypass is None}


@pytest.mark.clause("B26.44")
def test_nobody_goes_along_wire_beyond_a_hexside() -> None:
    """Infantry takes a longer clear way if there is one; the cost for a vehicle is UNSUPPORTED."""
    beyond = (Counter(kind="wire", at="B0"),)
    longer = last(place(patch(), foot(), counters=beyond), "bypass u C1 vertex=NNE")
    assert (longer.status, total(longer)) == ("LEGAL", 2)
    hemmed = patch(C1=woods(0, 1, 4, 5))
    assert bars(last(place(hemmed, foot(), counters=beyond), "bypass u C1 vertex=NNE")) == {
        "B26.44"
    }
    assert last(place(hemmed, foot()), "bypass u C1 vertex=NNE").is_legal
    south = (Counter(kind="wire", at="C2"),)
    assert cites(last(place(patch(), vehicle(), counters=south), "bypass u C1")) == {"B26.44"}
    assert last(place(patch(), vehicle(), counters=beyond), "bypass u C1").is_legal
    smoke = (Counter(kind="smoke", at="C2"),)
    assert last(place(patch(), vehicle(), counters=smoke), "bypass u C1").is_legal


@pytest.mark.clause("A4.31b")
def test_woods_about_a_building_have_an_unstated_cost() -> None:
    """As in 2I9: where neither touches the hexside it is Open Ground; elsewhere it may be woods."""
    both = {"terrain": "Stone Building", "also": (("Woods", 30),), "clear": (0, 0, 0, 50, 50, 0)}
    board = patch(C1=both)
    assert walk("bypass u C1 vertex=SSE", board=board).is_legal
    walled = patch(C1={**both, "clear": (0,) * 6})
    for ruling in (walk("bypass u C1 vertex=NNE", board=board), drive("bypass u C1", board=walled)):
        assert (ruling.status, "A4.31b" in cites(ruling)) == ("UNSUPPORTED", True)
    alone = {**both, "also": ()}
    assert bars(walk("bypass u C1 vertex=NNE", board=patch(C1=alone))) == {"A4.3b"}


@pytest.mark.clause("A2.6d", "A2.6a", "A4.3d")
def test_leaving_the_map_from_a_vertex() -> None:
    """It can leave through the mirror image of the map hex at the vertex, at its cost; elsewhere it cannot."""
    board = field(
        {"B1": {}, "C1": WOODS, "D1": {"terrain": "Brush"}, "C2": {}, "D0": {"terrain": "Woods"}}
    )
    out = last(place(board, foot(at="C2")), "bypass u C1 vertex=W", "exit u")
    gone = out.after.unit("u")
    assert (out.status, total(out)) == ("LEGAL", 1)
    assert (gone.offboard.exited, gone.at, gone.place.bypass) == (
        True,
        None,
        None,
    )  # a scene that reads back
    dear = last(place(board, foot()), "bypass u C1 vertex=NNE", "exit u")
    assert (dear.status, total(dear)) == ("LEGAL", 2)  # woods beyond
    assert bars(last(place(board, foot()), "bypass u C1 vertex=SSE", "exit u")) == {"A4.3d"}


@pytest.mark.clause("A4.61c")
def test_reach_under_assault_movement() -> None:
    """It bypasses into the woods and no farther, as an exhaustive search finds."""
    position = place(patch(), foot(assault=True, kind="leader"))
    check_reach(position, "u")
    assert "C1" in reach(position, ["u"])[0].best()


@pytest.mark.clause("A2.6d")
def test_a_building_at_the_edge_does_not_bar_leaving_beside_it() -> None:
    """If no map hex meets the vertex, leaving there is UNSUPPORTED, on horseback too."""
    board = field({"B1": {}, "C1": BUILDING, "C2": {}})
    out = last(place(board, foot(kind="cavalry")), "bypass u C1 vertex=NNW", "exit u")
    assert (out.status, bars(out), cites(out)) == ("UNSUPPORTED", set(), {"A2.6d"})


@pytest.mark.parametrize("kind", ["squad", "horse"])
def test_bypass_on_round_the_same_hex_is_listed(kind: str) -> None:
    """A unit in Bypass is offered each vertex of its hex to which a clear way leads."""
    board = field({"B1": {}, "B2": WOODS, "C2": {}, "A2": {}, "B3": {}})
    unit = foot(
        "u", at="B2", kind=kind, mph="moving", previous="C2", spent=2, used=2, bypass=4
    )  # fmt: skip
    listed = {format_action(one.action) for one in legal_actions(place(board, unit))}
    assert "bypass u B2 vertex=NNE" in listed
    assert "bypass u B2 vertex=E" not in listed


def test_a_plan_goes_on_round_the_same_obstacle() -> None:
    """A unit on foot in Bypass that must not enter a hex goes on past it, in the fewest steps."""
    begun = last(place(patch(), foot(kind="leader", spent=6)), "bypass u C1 vertex=NNW")
    aim = Aim(units=("u",), at=("D0",), must="all")
    found = plan(begun.after, Goal(aims=(aim,), avoid=("C0",)))
    first, then = map(format_action, found.plans[0].log)
    assert first in ("bypass u C1 vertex=NNE", "bypass u C1 vertex=E")
    assert then == "enter u D0"
    assert not found.space.left_out
