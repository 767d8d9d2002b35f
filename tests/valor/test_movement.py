"""Movement in Valor & Victory, clause by clause (chapters 5 to 7, 10 and 20)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.play.moves import closed_actions
from marchtable.state.records import replace
from marchtable_models.valor.model import UnitType
from tests.valor.scenes import (
    TYPES,
    VALOR,
    after,
    bars,
    foe,
    grid,
    judge,
    last,
    offered,
    place,
    unit,
)

MOVE: dict[str, Any] = {"phase": "Movement"}
ADVANCE: dict[str, Any] = {"phase": "AdvanceAndAssault"}
TANK: dict[str, Any] = {"type_": "m4a3e8", "facing": "N"}
TRUCK: dict[str, Any] = {"type_": "3-ton-truck", "facing": "N"}
GUN: dict[str, Any] = {"type_": "gun", "facing": "N"}


def ground(stated: dict[str, Any] | None = None, **hexsides: Any) -> Any:
    """Return five columns of five open hexes, except as given; ``C3_C2`` names a hexside."""
    names = [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)]
    sides = {name.replace("_", "-"): fields for name, fields in hexsides.items()}
    return grid({name: (stated or {}).get(name, {}) for name in names}, sides)


def paid(position: Any, *lines: str, of: str = "u") -> float | None:
    """Return the last line's cost to a unit, or None if it is not legal."""
    ruling = last(position, *lines)
    if not ruling.is_legal:
        return None
    return sum(r.amount for r in ruling.receipts if r.unit == of) / 2


def into(
    terrain: str, *, kind: dict[str, Any] | None = None, road: bool = False, **fields: Any
) -> Any:
    """Return the cost from C3 north to C2 of that terrain, or the set of clauses that forbid it."""
    board = ground(
        {"C2": {"terrain": terrain, **fields}}, C3_C2={"road": "Dirt Road"} if road else {}
    )
    ruling = last(place(unit(**(kind or {})), board=board, **MOVE), "enter u C2")
    if ruling.unsupported:
        return {f"? {one.clause}" for one in ruling.unsupported}
    return bars(ruling) or sum(r.amount for r in ruling.receipts) / 2


def left(position: Any, *lines: str, of: str = "u") -> float:
    """Return the MP left after a legal log."""
    then = after(position, *lines)
    one = then.unit(of)
    return (VALOR.allotment(then, one) - VALOR.spent(one)) / 2


# -- terrain ---------------------------------------------------------------------------------------


@pytest.mark.clause("V10.2", "V10.3", "V10.5", "V10.6", "V10.8", "V10.9")
@pytest.mark.parametrize(
    ("terrain", "foot", "truck"),
    [
        ("Open Ground", 1, 1), ("Beach", 1, 1), ("Dirt Road", 1, 1), ("Woods", 2, 2), ("Jungle", 2, 2),
        ("Stream", 2, 3), ("Gully", 2, 3), ("Orchard", 1, 1), ("Palm Trees", 1, 1), ("Grain", 1, 1),
        ("Plowed Field", 1, 1),
    ],
)  # fmt: skip
def test_terrain_costs(terrain: str, foot: int, truck: int) -> None:
    """The table's MP, on foot and on wheels."""
    assert (into(terrain), into(terrain, kind=TRUCK)) == (foot, truck)


@pytest.mark.clause("V10.5")
def test_woods_by_road() -> None:
    """A road through woods costs as a road, or by the other reading as woods."""
    assert into("Woods", road=True) == 1
    board = ground({"C2": {"terrain": "Woods"}}, C3_C2={"road": "Dirt Road"})
    position = place(unit(), board=board, readings={"A26": "terrain"}, **MOVE)
    assert paid(position, "enter u C2") == 2
    assert into("Dirt Road", road=True) == 1


@pytest.mark.clause("V10.3")
def test_a_road_leads_into_a_village() -> None:
    """By road a truck enters a hex with a building; a path is no road."""
    assert into("Stone Building", kind=TRUCK, road=True) == 1
    assert into("Stone Building", kind=TRUCK) == {"V10.4"}
    board = ground({"C2": {"terrain": "Woods"}}, C3_C2={"path": True})
    assert paid(place(unit(), board=board, **MOVE), "enter u C2") == 2


@pytest.mark.clause("V10.31")
def test_bridges() -> None:
    """Vehicles and Guns enter a bridge by its road only, infantry in any direction."""
    assert into("Wooden Bridge") == 1
    assert into("Wooden Bridge", kind=TRUCK) == into("Wooden Bridge", kind=GUN) == {"V10.31"}
    assert into("Wooden Bridge", kind=TRUCK, road=True) == 1


@pytest.mark.clause("V10.4")
def test_buildings() -> None:
    """Two MP on foot; no vehicle or AFV; a small Gun can be pushed in."""
    assert into("Stone Building") == 2
    assert into("Wooden Building, 1 Level", kind=TANK) == {"V10.4"}
    assert into("Stone Building", kind=GUN) == 1  # all it has


@pytest.mark.clause("V10.11", "V10.12")
def test_water() -> None:
    """No unit enters canals, ponds, marsh, rivers or the ocean."""
    for terrain in ("Canal", "Pond", "Marsh"):
        assert into(terrain) == into(terrain, kind=TRUCK) == {"V10.11"}
    for terrain in ("River", "Ocean"):
        assert into(terrain) == into(terrain, kind=TANK) == {"V10.12"}


@pytest.mark.clause("V10.1")
def test_terrain_without_a_row() -> None:
    """Terrain missing from the table is UNSUPPORTED, in a hex or along a hexside."""
    assert into("Graveyard") == {"? V10.1"}
    board = ground({}, C3_C2={"terrain": "Cliff"})
    (objection,) = last(place(unit(), board=board, **MOVE), "enter u C2").unsupported
    assert objection.note == "terrain without a row in the rulebook: Cliff"
    assert (
        into("Gully", depression="Gully", level=-1)
        == into("Open Ground", depression="Gully", level=-1)
        == 2
    )


@pytest.mark.clause("V10.7a")
def test_uphill() -> None:
    """One level up costs one more; down and level nothing; a gully is at its surroundings' level."""
    assert (into("Open Ground", level=1), into("Woods", level=1)) == (2, 3)
    down = ground({"C3": {"level": 1}})
    assert paid(place(unit(), board=down, **MOVE), "enter u C2") == 1
    assert into("Open Ground", kind=TRUCK, level=1) == 2
    assert into("Open Ground", depression="Gully", level=0) == 3  # a gully on a hill


@pytest.mark.clause("V10.7b")
def test_two_levels_at_once() -> None:
    """Only infantry goes from level 0 to 2, as its whole move; not by Assault Movement."""
    board = ground({"C2": {"level": 2}})
    assert paid(place(unit(), board=board, **MOVE), "enter u C2") == 4
    assert paid(place(unit("u", "leader"), board=board, **MOVE), "enter u C2") == 6
    assert bars(last(place(unit(), board=board, **MOVE), "enter u C2 assault=true")) == {"V10.7b"}
    assert (
        into("Open Ground", kind=TRUCK, level=2)
        == into("Open Ground", kind=GUN, level=2)
        == {"V10.7b"}
    )
    later = place(unit(at="C4"), board=board, **MOVE)
    assert bars(last(later, "enter u C3", "enter u C2")) == {"V6.3"}


@pytest.mark.clause("V10.7c")
def test_higher_hills() -> None:
    """The rules have no third level."""
    assert into("Open Ground", level=3) == {"? V10.7c"} | {"? V10.7c"}
    board = ground({"C3": {"level": 2}, "C2": {"level": 2}})
    assert paid(place(unit(), board=board, **MOVE), "enter u C2") == 1


@pytest.mark.clause("V10.10")
def test_walls_and_hedges() -> None:
    """Crossing one costs one MP more; one on another hexside nothing."""
    for side in ("Wall", "Hedge"):
        board = ground({"C2": {"terrain": "Woods"}}, C3_C2={"terrain": side})
        assert paid(place(unit(), board=board, **MOVE), "enter u C2") == 3
        assert paid(place(unit(**TRUCK), board=board, **MOVE), "enter u C2") == 3
        assert paid(place(unit(at="B2"), board=board, **MOVE), "enter u C2") == 2


# -- movers and allotments -------------------------------------------------------------------------


@pytest.mark.clause("V6.31a", "V6.32")
def test_allotments() -> None:
    """Leaders have 6 MP, squads and half squads 4, vehicles and Guns the printed MP."""
    found = {"leader": 6, "squad-464": 4, "half-squad-262": 4}
    for kind, mp in found.items():
        assert left(place(unit("u", kind), **MOVE)) == mp
    assert left(place(unit(**TRUCK), **MOVE)) == 14
    assert left(place(unit(**GUN), **MOVE)) == 1


@pytest.mark.clause("V6.32")
def test_a_large_gun_is_not_pushed() -> None:
    """A Gun without MP cannot move; it can turn."""
    large = UnitType(name="large", class_="gun", gun=9, cr=3)
    position = place(unit("u", "large", facing="N"), **MOVE)
    position = msgspec.structs.replace(
        position, conditions=msgspec.structs.replace(position.conditions, types=(*TYPES, large))
    )
    assert bars(last(position, "enter u C2")) == {"V6.32"}
    assert bars(last(position, "turn u S")) == set()
    assert paid(place(unit(**GUN), **MOVE), "enter u C2") == 1


@pytest.mark.clause("V6.31b")
def test_with_a_leader() -> None:
    """With a leader all the way a squad has 6 MP; if the leader is pinned, its own allotment."""
    pair = place(unit(at="C5"), unit("l", "leader", "C5"), foe(at="A1"), **MOVE)
    assert left(pair, "enter u,l C4", "enter u,l C3") == 4
    assert left(pair, "enter u C4") == 3
    far = after(
        pair, "enter u,l C4", "enter u,l C3", "enter u,l C2", "enter u,l C1", "enter u,l B1"
    )
    assert far.unit("u").spent == 10
    hit = far.with_units([replace(far.unit("l"), pinned=True)])
    assert bars(last(hit, "enter u B2")) == {"V6.3"}
    near = after(pair, "enter u,l C4")
    hit = near.with_units([replace(near.unit("l"), pinned=True)])
    assert left(hit, "enter u C3") == 2


@pytest.mark.clause("V6.31b", "V6.3")
def test_a_led_stack_is_offered_what_its_leader_lets_it_reach() -> None:
    """A squad without MP is offered the next hex, and the map edge, only with its leader."""
    pair = place(unit(at="C5"), unit("l", "leader", "C5"), foe(at="A1"), **MOVE)
    far = after(pair, "enter u,l C4", "enter u,l C3", "enter u,l C2", "enter u,l C1")
    assert far.unit("u").spent == 8

    lines = {format_action(action) for action in closed_actions(far)}
    assert lines == offered(far)
    assert {"enter u,l B1", "exit u,l"} <= lines
    assert not {"enter u B1", "exit u"} & lines
    spent = far.with_units([replace(far.unit(name), spent=12) for name in "ul"])
    assert not {line for line in offered(spent) if line.startswith(("enter", "exit"))}


@pytest.mark.clause("V12.2b")
def test_heavy_weapons() -> None:
    """A heavy support weapon costs an MP, a light one none, also of Assault Movement's half."""
    assert left(place(unit(sw=("5cm-mortar",)), **MOVE)) == 3
    assert left(place(unit(sw=("mg34",)), **MOVE)) == 4
    assert left(place(unit(sw=("5cm-mortar",)), **MOVE), "enter u C2 assault=true") == 0


@pytest.mark.clause("V6.4a")
def test_assault_movement_halves() -> None:
    """A squad has 2 MP then, with a leader 3 (or its own half, by the other reading)."""
    assert left(place(unit(), **MOVE), "enter u C2 assault=true") == 1
    pair = (unit(), unit("l", "leader"))
    assert left(place(*pair, **MOVE), "enter u,l C2 assault=true") == 2
    assert left(place(*pair, readings={"A27": "own"}, **MOVE), "enter u,l C2 assault=true") == 1
    on = after(place(unit(), **MOVE), "enter u C2 assault=true", "enter u C1")
    assert on.unit("u").assault
    assert bars(last(on, "enter u B1")) == {"V6.3"}


@pytest.mark.clause("V6.4b")
def test_who_uses_assault_movement() -> None:
    """Infantry only, and declared as the move begins."""
    assert bars(last(place(unit(**TRUCK), **MOVE), "enter u C2 assault=true")) == {"V6.4b"}
    assert bars(last(place(unit(), **MOVE), "enter u C2", "enter u C1 assault=true")) >= {"V6.4b"}
    assert last(place(unit(), **MOVE), "enter u C2 assault=true").is_legal


@pytest.mark.clause("V6.6", "V6.3")
def test_one_hex_always() -> None:
    """A unit can always enter a first hex for all its MP; a second only if it can pay."""
    dear = ground({"C2": {"terrain": "Woods", "level": 1}, "C1": {"terrain": "Woods", "level": 1}})
    loaded = place(unit(sw=("5cm-mortar",)), board=dear, **MOVE)
    assert paid(loaded, "enter u C2 assault=true") == 1
    assert paid(loaded, "enter u C2") == 3
    assert bars(last(loaded, "enter u C2", "enter u C1")) == {"V6.3"}
    assert bars(
        last(
            place(unit(sw=("5cm-mortar",), at="D3"), board=dear, **MOVE), "enter u C3", "enter u C2"
        )
    ) == {"V6.3"}


@pytest.mark.clause("V5.33")
def test_when_units_move() -> None:
    """In their own Movement Phase, unless they have attacked."""
    assert bars(last(place(unit()), "enter u C2")) == {"V5.33"}
    assert bars(last(place(unit(), side="american", **MOVE), "enter u C2")) == {"V5.33"}
    assert bars(last(place(unit(fired=True), **MOVE), "enter u C2")) == {"V5.33"}
    assert bars(last(place(unit(), **MOVE), "advance u C2")) == {"V5.33"}
    assert last(place(unit(), **MOVE), "enter u C2").is_legal


@pytest.mark.clause("V14.7a")
def test_pinned_units_do_not_move() -> None:
    """They cannot enter, turn or advance."""
    assert bars(last(place(unit(pinned=True), **MOVE), "enter u C2")) == {"V14.7a"}
    assert bars(last(place(unit(pinned=True, **TANK), **MOVE), "turn u S")) == {"V14.7a"}
    assert bars(last(place(unit(pinned=True), **ADVANCE), "advance u C2")) == {"V14.7a"}


@pytest.mark.clause("V6.10a")
def test_coming_onto_the_map() -> None:
    """The scene's edge hex is the first of the move, at its usual cost; no other unit enters."""
    waiting: dict[str, Any] = {"at": None, "entering": ("A1", "B1")}
    board = ground({"B1": {"terrain": "Woods"}})
    one = place(unit(**waiting), board=board, **MOVE)
    assert [paid(one, "enter u A1"), paid(one, "enter u B1")] == [1, 2]
    assert left(one, "enter u B1", "enter u B2") == 1
    assert bars(last(one, "enter u C1")) == {"V6.10a"}
    assert bars(last(place(unit(at=None), **MOVE), "enter u A1")) == {"V6.10a"}
    assert bars(last(place(unit(**waiting), **ADVANCE), "advance u A1")) == {"V6.10a"}
    assert last(one, "phase DefensiveFire").is_legal
    gone = after(one, "enter u A1").unit("u")
    assert (gone.at, gone.entering) == ("A1", ())
    blocked = place(unit(**waiting), foe("e", at="A1"), **MOVE)
    assert bars(last(blocked, "enter u A1")) == {"V6.8"}


@pytest.mark.clause("V6.10a")
def test_coming_on_together() -> None:
    """A leader lends MP from the map edge on; a vehicle brings its load, whichever way it faces."""
    waiting: dict[str, Any] = {"at": None, "entering": ("A1",)}
    pair = place(unit(**waiting), unit("l", "leader", **waiting), **MOVE)
    assert left(pair, "enter u,l A1", "enter u,l A2") == 4
    truck = unit("t", "3-ton-truck", facing="S", **waiting)
    laden = place(truck, unit(at=None, aboard="t"), **MOVE)
    there = after(laden, "enter t A1", "enter t A2")
    assert [there.unit(name).at for name in "tu"] == ["A2", "A2"]
    assert bars(last(laden, "enter u A1")) >= {"V6.10a"}
    with pytest.raises(BadInputError, match="edge"):
        VALOR.check_position(place(unit(at=None, entering=("C3",)), **MOVE))
    with pytest.raises(BadInputError, match="off the map"):
        VALOR.check_position(place(unit(at="C3", entering=("A1",)), **MOVE))


@pytest.mark.clause("V6.1")
def test_hex_by_hex() -> None:
    """No unit enters its own hex, or one farther away."""
    assert bars(last(place(unit(), **MOVE), "enter u C1")) == {"V6.1"}
    assert bars(last(place(unit(), **MOVE), "enter u C3")) == {"V6.1"}
    assert last(place(unit(), **MOVE), "enter u D3").is_legal


@pytest.mark.clause("V6.1a")
def test_one_move_after_another() -> None:
    """Once another begins, a unit's move is over."""
    position = place(unit(), unit("v"), **MOVE)
    assert bars(last(position, "enter u C2", "enter v C2", "enter u C1")) == {"V6.1a"}
    assert bars(last(position, "enter u C2", "enter u C1")) == set()
    turned = place(unit(), unit("t", **TANK), **MOVE)
    assert bars(last(turned, "enter u C2", "turn t S", "enter u C1")) == {"V6.1a"}


@pytest.mark.clause("V6.1b")
def test_stacks() -> None:
    """Units of one hex begin together and go on together, except pinned ones."""
    position = place(unit(), unit("v"), unit("w", at="C4"), **MOVE)
    assert bars(last(position, "enter u,v C2")) == set()
    assert bars(last(position, "enter u,v C2", "enter u C1")) == {"V6.1b"}
    assert bars(last(position, "enter u,w C2")) >= {"V6.1b"}
    assert bars(last(position, "enter u,u C2")) == {"V6.1b"}
    assert bars(last(position, "enter w C3", "enter u,w C2")) == {"V6.1b"}
    going = after(position, "enter u,v C2")
    hit = going.with_units([replace(going.unit("v"), pinned=True)])
    assert bars(last(hit, "enter u C1")) == set()
    mixed = place(unit(), foe("e", at="C3"), **MOVE)
    assert "V6.1b" in bars(last(mixed, "enter u,e C2"))


@pytest.mark.clause("V6.8")
def test_enemies_bar_the_way() -> None:
    """No unit enters their hex; it can move adjacent to them."""
    assert bars(last(place(unit(), foe(at="C2"), **MOVE), "enter u C2")) == {"V6.8"}
    assert bars(last(place(unit(**TANK), foe(at="C2", pinned=True), **MOVE), "enter u C2")) == {
        "V6.8"
    }
    assert last(place(unit(), foe(at="C1"), **MOVE), "enter u C2").is_legal


@pytest.mark.clause("V6.9")
def test_a_move_does_not_end_in_a_full_hex() -> None:
    """Units can pass through it; another's move begins only when the last ended within the limit."""
    four = [unit(name, at="C2") for name in "abcd"]
    position = place(unit(), unit("v", at="E5"), *four, **MOVE)
    assert bars(last(position, "enter u C2", "enter u C1", "enter v E4")) == set()
    assert bars(last(position, "enter u C2", "enter v E4")) == {"V6.9"}
    assert bars(last(position, "enter u C2", "phase DefensiveFire")) == {"V6.9"}
    assert (
        bars(last(place(unit(), *four[:3], **MOVE), "enter u C2", "phase DefensiveFire")) == set()
    )


# -- vehicles --------------------------------------------------------------------------------------


@pytest.mark.clause("V7.2")
def test_ahead_and_in_reverse() -> None:
    """A vehicle goes where it faces, or straight back at double cost; a Gun in any direction."""
    tank = place(unit(**TANK), **MOVE)
    assert (paid(tank, "enter u C2"), paid(tank, "enter u C4")) == (1, 2)
    assert bars(last(tank, "enter u D3")) == {"V7.2"}
    hill = ground({"C4": {"level": 1}}, C3_C4={"terrain": "Wall"})
    assert paid(place(unit(**TANK), board=hill, **MOVE), "enter u C4") == 6
    assert paid(place(unit(**GUN), **MOVE), "enter u D3") == 1


@pytest.mark.clause("V6.5")
def test_turning_on_the_way() -> None:
    """Once for each hex entered: one hexside for nothing, two for an MP, three for two."""
    tank = place(unit(at="C4", **TANK), **MOVE)
    assert [paid(tank, "enter u C3", f"turn u {to}") for to in ("NE", "SW", "S")] == [0, 1, 2]
    assert bars(last(tank, "enter u C3", "turn u NE", "turn u SE")) == {"V6.5"}
    assert bars(last(tank, "enter u C3", "turn u N")) == {"V6.5"}
    assert bars(last(tank, "enter u C3", "turn u NE", "enter u D3", "turn u N")) == set()
    assert bars(last(place(unit(), **MOVE), "turn u N")) == {"V6.5"}


@pytest.mark.clause("V7.3")
def test_turning_where_it_stands() -> None:
    """It is free, and the unit's only action; by the other reading a vehicle turns and goes."""
    tank = place(unit(**TANK), **MOVE)
    assert paid(tank, "turn u S") == 0
    assert bars(last(tank, "turn u S", "enter u C4")) == {"V6.1a"}
    other = place(unit(**TANK), readings={"A25": "yes"}, **MOVE)
    assert (paid(other, "turn u S"), left(other, "turn u S", "enter u C4")) == (2, 7)
    gun = place(unit(**GUN), **MOVE)
    assert bars(last(gun, "turn u S", "enter u C4")) == {"V6.1a"}
    assert after(gun, "enter u C4", "turn u S").unit("u").facing == "S"


# -- the Advance and Assault Phase -----------------------------------------------------------------


@pytest.mark.clause("V5.35")
def test_advancing() -> None:
    """One hex, whatever it costs, though moved and fired; vehicles turn one hexside after it or instead."""
    woods = ground({"C2": {"terrain": "Woods", "level": 1}})
    tired = place(unit(moved=True, fired=True), board=woods, **ADVANCE)
    assert bars(last(tired, "advance u C2")) == set()
    assert bars(last(tired, "advance u C2", "advance u C1")) == {"V5.35"}
    assert bars(last(tired, "enter u C2")) == {"V5.33"}
    tank = place(unit(**TANK), **ADVANCE)
    assert bars(last(tank, "advance u C2", "turn u NE")) == set()
    assert bars(last(tank, "turn u SE")) == {"V5.35"}
    assert bars(last(tank, "turn u NE", "turn u SE")) == {"V5.35"}
    assert bars(last(tank, "turn u NE", "advance u D3")) == {"V5.35"}
    assert bars(last(tank, "advance u D3")) == {"V7.2"}
    crowd = [unit(name, at="C2") for name in "abcd"]
    assert bars(last(place(unit(), *crowd, **ADVANCE), "advance u C2", "phase AfterAction")) == {
        "V6.9"
    }
    water = ground({"C2": {"terrain": "Pond"}})
    assert bars(last(place(unit(), board=water, **ADVANCE), "advance u C2")) == {"V10.11"}


# -- fortifications and entrenchments --------------------------------------------------------------


@pytest.mark.clause("V20.3")
def test_entering_works() -> None:
    """An MP more into a foxhole or bunker, none into wire or mines."""
    for kind, cost in {
        "foxhole": 2,
        "wooden-bunker": 2,
        "wire": 1,
        "minefield": 1,
        "smoke1": 1,
    }.items():
        assert paid(place(unit(), counters={kind: "C2"}, **MOVE), "enter u C2") == cost


@pytest.mark.clause("V20.4")
def test_who_stops_in_works() -> None:
    """Vehicles pass through; Guns stop in bunkers, sandbags and caves, infantry anywhere."""

    def stops(kind: str, **fields: Any) -> bool:
        position = place(unit(**fields), counters={kind: "C2"}, **MOVE)
        return not bars(last(position, "enter u C2", "phase DefensiveFire"))

    assert [stops(kind) for kind in ("foxhole", "trench", "sandbags")] == [True] * 3
    assert [stops(kind, **GUN) for kind in ("foxhole", "sandbags", "cave")] == [False, True, True]
    assert not stops("sandbags", **TRUCK)
    through = place(unit(**TRUCK), counters={"foxhole": "C2"}, **MOVE)
    assert bars(last(through, "enter u C2", "enter u C1", "phase DefensiveFire")) == set()


@pytest.mark.clause("V20.5")
def test_bunkers() -> None:
    """Two infantry, or a Gun alone."""

    def stops(*others: Any) -> bool:
        position = place(unit(), *others, counters={"wooden-bunker": "C2"}, **MOVE)
        return not bars(last(position, "enter u C2", "phase DefensiveFire"))

    assert stops()
    assert stops(unit("a", at="C2"))
    assert not stops(unit("a", at="C2"), unit("b", at="C2"))
    assert not stops(unit("g", at="C2", **GUN))


@pytest.mark.clause("V20.7a", "V20.7b")
def test_minefields() -> None:
    """Each unit that enters rolls: 3 or less eliminates it with its load."""
    position = place(unit(**TRUCK), unit("p", aboard="u"), counters={"minefield": "C2"}, **MOVE)
    ruling = last(position, "enter u C2")
    (roll,) = ruling.obligations
    assert {(o.outcome, o.chance, o.of) for o in roll.outcomes} == {
        ("safe", 3, 6),
        ("eliminated", 3, 6),
    }
    lost = after(position, "enter u C2", "settle mines:u eliminated")
    assert [lost.unit(name).at for name in ("u", "p")] == [None, None]
    assert after(position, "enter u C2", "settle mines:u safe").unit("u").at == "C2"
    two = place(unit(), unit("v"), counters={"minefield": "C2"}, **MOVE)
    assert len(last(two, "enter u,v C2").obligations) == 2


@pytest.mark.clause("V20.8")
def test_barbed_wire() -> None:
    """Infantry stops in it, vehicles stay out, AFVs pass."""
    wire: dict[str, Any] = {"counters": {"wire": "C2"}, **MOVE}
    assert bars(last(place(unit(), **wire), "enter u C2", "enter u C1")) == {"V20.8"}
    assert bars(last(place(unit(at="C2"), **wire), "enter u C1")) == set()
    assert bars(last(place(unit(**TRUCK), **wire), "enter u C2")) == {"V20.8"}
    assert bars(last(place(unit(**TANK), **wire), "enter u C2", "enter u C1")) == set()


# -- transport and fire on the way -----------------------------------------------------------------


@pytest.mark.clause("V8.3")
def test_a_transport_moves_with_what_it_carries() -> None:
    """Its load goes along and pays nothing; it moves before or after unloading, not both."""
    truck = place(unit("t", at="C4", **TRUCK), unit(at="C4", aboard="t"), **MOVE)
    there = after(truck, "enter t C3", "unload u")
    assert (there.unit("u").at, there.unit("u").spent) == ("C3", 0)
    assert bars(last(there, "enter t C2")) == {"V8.3"}
    assert bars(last(there, "enter u C2")) == {"V8.3"}
    assert bars(last(truck, "enter u C3")) == {"V8.3"}
    first = after(truck, "unload u", "enter t C3")
    assert first.unit("u").at == "C4"
    board = place(unit("t", at="C4", **TRUCK), unit(at="C4"), **MOVE)
    assert bars(last(board, "load u t", "enter t C3", "enter t C2")) == set()


@pytest.mark.clause("V8.3")
def test_a_unit_that_was_unloaded_may_advance() -> None:
    """Only the Movement Phase is over for it; it can leave a hex it overfills, its vehicle cannot."""
    truck = place(unit("t", at="C4", **TRUCK), unit(at="C4", aboard="t"), **MOVE)
    later = after(truck, "enter t C3", "unload u", "phase DefensiveFire", "phase AdvanceAndAssault")
    assert bars(last(later, "advance u C2")) == bars(last(later, "advance t C2")) == set()
    crowd = [unit(name) for name in "abcd"]
    full = place(unit("t", at="C4", **TRUCK), unit(at="C4", aboard="t"), *crowd, **MOVE)
    assert bars(last(full, "enter t C3", "unload u", "enter t C2")) == {"V8.3"}
    assert bars(last(full, "enter t C3", "unload u", "enter u C2")) == set()


def test_opportunity_fire_at_a_unit_that_entered() -> None:
    """A unit that enters can be fired at on the spot, and goes on afterwards if not pinned."""
    position = place(unit(at="C4"), foe(at="C1"), **MOVE)
    shot = after(position, "enter u C3", "fire e C3")
    safe = after(shot, "settle fire:e 12")
    assert bars(last(safe, "enter u C2")) == set()
    hit = after(shot, "settle fire:e 7", "pin u")
    assert bars(last(hit, "enter u C2")) == {"V14.7a"}


@pytest.mark.clause("V13.8b")
def test_opportunity_fire_in_a_full_hex() -> None:
    """Whether a unit pinned there is lost is UNSUPPORTED; within the limit it does not matter."""
    crowd = [unit(name, at="C3") for name in "abcd"]
    full = place(unit(at="C4"), foe(at="C1"), *crowd, **MOVE)
    assert {one.clause for one in last(full, "enter u C3", "fire e C3").unsupported} == {"V13.8b"}
    room = place(unit(at="C4"), foe(at="C1"), *crowd[:3], **MOVE)
    assert not last(room, "enter u C3", "fire e C3").unsupported
    still = place(unit(at="C4"), foe(at="C1"), *crowd, unit("x", at="C3"), phase="DefensiveFire")
    assert not last(still, "fire e C3").unsupported


@pytest.mark.clause("V5.3")
def test_phases_in_order() -> None:
    """No phase twice or backwards in one segment, and only turns of the game's sides; some can be skipped."""
    position = place(unit(), foe(), phase="Movement")
    for line in ("phase Movement", "phase Fire", "phase Command", "phase Command side=german"):
        assert bars(last(position, line)) == {"V5.3"}
    assert bars(last(position, "phase Command side=zulu")) == {"V5.3"}
    for line in ("phase DefensiveFire", "phase AfterAction", "phase Command side=american"):
        assert last(position, line).is_legal
    alone = place(unit(), phase="AfterAction")
    assert bars(last(alone, "phase Command")) == {"V5.3"}
    assert after(alone, "phase Command side=enemy", "phase Command side=german").side == "german"


@pytest.mark.clause("V5.3")
def test_nothing_is_done_twice_by_going_back() -> None:
    """A unit that has advanced, fired or tried to rally gets no second such phase in the segment."""
    advanced = ["advance u C2", "phase Movement", "phase AdvanceAndAssault", "advance u C1"]
    verdict = judge(place(unit(), phase="AdvanceAndAssault"), *advanced)
    assert verdict.status == "ILLEGAL"
    assert {v.clause for v in verdict.violations if not v.after} == {"V5.3"}
    fired = place(unit(fired=True, fired_at="C1"), foe(), phase="AfterAction")
    assert bars(last(fired, "phase Fire")) == {"V5.3"}
    tried = place(unit(pinned=True, tried=True), phase="AfterAction")
    assert bars(last(tried, "phase AfterAction")) == {"V5.3"}


@pytest.mark.clause("V14.7b")
def test_phases_passed_over_have_their_effects() -> None:
    """A skipped Command Phase still rallies, and a skipped After-Action Phase still thins out smoke."""
    position = place(unit(), foe(pinned=True), phase="Movement", counters={"smoke1": "C2"})
    there = after(position, "phase Fire side=american")
    assert not there.unit("e").pinned
    assert not there.counters
    assert after(position, "phase DefensiveFire").counters
    assert after(position, "phase DefensiveFire").unit("e").pinned
