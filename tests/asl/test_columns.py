"""Columns: who follows whom, prohibitions, and disbanding (E11.5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.state.records import replace
from tests.asl.boards import allotment, bars, field, foot, last, load, paid, place, total, vehicle


def column(*rows: int, kinds: tuple[str, ...] = (), others: Any = (), **fields: Any) -> Any:
    """Return squads u1, u2 ... in Column in these rows of column A, front first."""
    hexes: Any = {f"A{row}": {} for row in range(1, 14)} | {f"B{row}": {} for row in range(1, 14)}
    hexes |= {"A2": {"terrain": "Woods"}}
    scene = fields.pop("scene", {})
    sides = fields.pop("sides", None)
    units = [
        foot(
            f"u{n}",
            (kinds or ("squad",) * len(rows))[n - 1],
            at=f"A{row}",
            column="k",
            rank=row,
            **fields,
        )
        for n, row in enumerate(rows, 1)
    ]
    return place(field(hexes, sides), *units, *others, **scene)


def names(position: Any) -> set[str]:
    """Return the units of a Column."""
    return {unit.id for unit in position.units if unit.line.column}


@pytest.mark.clause("E11.5c")
@pytest.mark.parametrize("verb", ["enter u1 A3", "lend u1 u2"])
def test_nothing_but_the_closed_list(verb: str) -> None:
    """A Column unit makes only the moves and declarations listed."""
    assert "E11.5c" in bars(last(column(4, 5), verb))
    assert last(column(4, 5), "impulse u1 enter:A3,enter:A4").is_legal
    assert last(column(4, 5), "double-time u1").is_legal


@pytest.mark.clause("E11.5c")
def test_nothing_is_done_with_a_column_unit() -> None:
    """No unit can transfer a SW or lend IPC to a Column unit; to others it can."""
    hero, squad = foot("h", "hero", at="A4"), foot("x", at="A4", sw=load(1))
    for line, legal in (("k", False), ("", True)):
        units = [replace(u, column=line) for u in column(4, 5).units]
        lends = last(column(4, 5, others=(hero,)).with_units(units), "lend h u1")
        other = column(4, 5, others=(squad,), scene={"phase": "RPh"}).with_units(units)
        hands = last(other, "transfer x u1 SW0")
        assert bars(lends) == bars(hands) == (set() if legal else {"E11.5c"})


@pytest.mark.clause("E11.52d")
def test_no_minimum_move() -> None:
    """A Column unit cannot make a Minimum Move."""
    assert "E11.52d" in bars(last(column(4, 5), "minimum u1 A3"))


@pytest.mark.clause("E11.5g")
def test_only_the_hex_just_left() -> None:
    """A follower enters only the hex the unit ahead has just left."""
    position = column(4, 5)
    assert bars(last(position, "impulse u1 stay,enter:A4")) == {"E11.5g"}
    assert "E11.5g" in bars(last(position, "impulse u1 enter:A3,enter:B5"))
    assert last(position, "impulse u1 enter:A3,enter:A4").is_legal
    stack = column(4, 5, 5)
    assert last(stack, "impulse u1 enter:A3,enter:A4,enter:A4").is_legal


@pytest.mark.clause("E11.5g")
def test_units_of_one_hex_are_one_stack() -> None:
    """Units of one hex at the start of the MPh move together, whatever their places in line."""
    position = column(4, 4, 5)
    units = [replace(u, rank=n) for n, u in enumerate(position.units, 1)]
    apart = position.with_units(units)
    log = [f"impulse u1 enter:A{n},enter:A{n},enter:A{n + 1}" for n in (3, 4)]
    assert last(apart, log[0]).is_legal
    assert {u.line.rank for u in last(apart, log[0]).after.units} == {1, 3}
    assert "E11.5g" in bars(last(apart, "impulse u1 enter:A3,enter:B4,enter:A4"))
    assert "E11.5g" in bars(last(apart, "impulse u1 enter:A3,stay,enter:A4"))
    turned = "impulse u1 enter:A5,enter:A5,stay"  # back through the hex of the units behind
    back = last(apart, turned).after
    assert {u.at for u in back.units} == {"A5"}
    assert last(back, "impulse u1 enter:A6,enter:A6,stay").is_legal
    assert "E11.5g" in bars(last(back, "impulse u1 enter:A6,enter:A6,enter:A6"))


@pytest.mark.clause("E11.5b", "E11.53a")
def test_no_gap_in_a_column() -> None:
    """The lead cannot leave the rest behind, whatever the reason, and no unit leaves a Column."""
    assert bars(last(column(4, 5), "impulse u1 enter:A3")) == {"E11.5b"}
    assert "E11.53a" in bars(last(column(4, 5), "leave u1"))


@pytest.mark.clause("D14.31a", "D14.31b")
def test_the_slowest_sets_the_rate() -> None:
    """A Column goes as far as its slowest unit: every Impulse costs all of it."""
    position = column(8, 9, kinds=("hero", "squad"))
    log = [f"impulse u1 enter:A{n - 1},enter:A{n}" for n in (8, 7, 6, 5)]
    ruling = last(position, *log)
    assert (total(ruling, "u1"), paid(ruling, "D14.31a", "u1")) == (1, 0)
    assert bars(last(position, *log, "impulse u1 enter:A3,enter:A4")) == {"D14.31b"}


@pytest.mark.clause("E11.521a")
@pytest.mark.parametrize(
    ("way", "legal"), [({}, False), ({"path": True}, True), ({"road": "Dirt Road"}, True)]
)
def test_woods_only_by_path_or_road(*, way: Any, legal: bool) -> None:
    """A Column can enter woods only across a path or road hexside."""
    position = column(3, 4, sides={"A2-A3": way})
    assert (bars(last(position, "impulse u1 enter:A2,enter:A3")) == set()) is legal


@pytest.mark.clause("E11.521a")
def test_woods_in_a_gully_are_woods() -> None:
    """Terrain in a depression counts; brush does not, there or elsewhere; a factory is a building."""
    for terrain, legal in (("Woods", False), ("Brush", True)):
        place_ = {"terrain": terrain, "depression": "Gully"}
        board = field({"A3": place_, "A4": {}, "A5": {}})
        units = column(4, 5).units
        found = last(place(board, *units), "impulse u1 enter:A3,enter:A4")
        assert bars(found) == (set() if legal else {"E11.521a"})
    factory = field({"A3": {"terrain": "Stone Factory, 1.5 Level"}, "A4": {}, "A5": {}})
    assert bars(last(place(factory, *units), "impulse u1 enter:A3,enter:A4")) == {"E11.521a"}


@pytest.mark.clause("E11.52e")
def test_one_leader_serves_all() -> None:
    """A leader gives two MF to every squad of the Column of the same nationality."""
    for kind, mf in (("leader", 6), ("hero", 4)):
        position = column(4, 5, 6, kinds=(kind, "squad", "squad"))
        assert [allotment(position, name) for name in ("u2", "u3")] == [mf, mf]
    broken = position.with_units([replace(position.unit("u1"), type="leader", broken=True)])
    assert allotment(broken, "u2") == 4


@pytest.mark.clause("E11.52e")
@pytest.mark.parametrize(
    ("leaders", "squads"), [("german", ""), ("", "German"), ("German", "german")]
)
def test_a_leader_of_its_own_nationality(leaders: str, squads: str) -> None:
    """It does not matter how nationality is stated, nor whether the side stands for it."""
    position = column(4, 5, kinds=("leader", "squad"))
    found = [
        msgspec.structs.replace(position.unit(name), nationality=nationality)
        for name, nationality in (("u1", leaders), ("u2", squads))
    ]
    assert allotment(position.with_units(found), "u2") == 6


@pytest.mark.clause("E11.53b", "E11.531b")
def test_an_attack_disbands() -> None:
    """An attack on one of its units disbands the Column and ends its MPh."""
    position = last(column(4, 5), "result u2 attacked").after
    assert names(position) == set()
    assert {unit.move.mph for unit in position.units} == {"done"}


@pytest.mark.clause("E11.53b")
def test_sight_of_a_known_enemy_disbands() -> None:
    """A LOS to a Known enemy disbands it too; a concealed enemy is not Known."""
    enemies = (
        foot("e", at="B9", side="russian"),
        foot("h", at="B10", side="russian", concealed=True),
    )
    position = column(4, 5, others=enemies)
    assert names(last(position, "sight u1 of=h").after) == {"u1", "u2"}
    assert names(last(position, "sight u1 of=e").after) == set()


@pytest.mark.clause("A4.1e")
@pytest.mark.parametrize("name", ["u2", "u3"])
def test_a_unit_among_enemies_in_line(name: str) -> None:
    """Of two identical squads, only the one among Known enemies may be held in Melee."""
    position = column(4, 5, 6)
    enemy = foot("e", at=position.unit(name).at, side="russian")
    among = column(4, 5, 6, others=(enemy,))
    moves = "impulse u1 enter:A3,enter:A4,enter:A5"
    assert last(position, moves).is_legal
    held = [found.units for found in last(among, moves).unsupported if found.clause == "A4.1e"]
    assert held == [(name,)]


@pytest.mark.clause("E11.531a")
@pytest.mark.parametrize(("line", "spent"), [("drop w SW0", False), ("enter w B6", True)])
def test_a_column_is_checked_after_an_expenditure(line: str, *, spent: bool) -> None:
    """A Column that sees an enemy must disband when any unit spends MF; a free action does not count."""
    others = (foot("e", at="B9", side="russian"), foot("w", at="B5", sw=load(1)))
    position = column(4, 5, others=others)
    position = position.with_units([replace(position.unit("u1"), sees=("e",))])
    ruling = last(position, line)
    assert ruling.is_legal
    assert ruling.after.unit("u1").line.disbanding is spent


@pytest.mark.clause("E11.53d")
def test_off_board_nothing_disbands() -> None:
    """A Column wholly off board does not disband; one partly on board does."""
    position = column(4, 5)
    off = [msgspec.structs.replace(u, at=None) for u in position.units]
    assert names(last(position.with_units(off), "result u1 attacked").after) == {"u1", "u2"}
    assert names(last(position.with_units(off[1:]), "result u1 attacked").after) == set()


@pytest.mark.clause("E11.53d")
def test_off_board_no_column_disbands_at_will() -> None:
    """Off board it cannot declare disbanding either: it pays nothing and stays a Column."""
    position = column(4, 5)
    off = [replace(u, at=None, entering=("A13",)) for u in position.units]
    ruling = last(position.with_units(off), "disband u1")
    assert "E11.53d" in bars(ruling)
    assert not any(unit.line.disbanding for unit in ruling.after.units)
    assert "E11.53d" not in bars(last(position.with_units(off[1:]), "disband u1"))


@pytest.mark.clause("E11.534a")
@pytest.mark.parametrize(
    ("what", "left"), [("attacked", 2), ("pinned", 0), ("broken", 0), ("eliminated", 0)]
)
def test_mines_must_do_something(what: str, left: int) -> None:
    """Mines disband a Column only if they pin, break or worse."""
    assert len(names(last(column(4, 5), f"result u1 {what} by=mines").after)) == left


@pytest.mark.clause("E11.534a")
def test_mines_and_a_wagon() -> None:
    """Mines that stun a wagon's Driver do not disband it; a Stop does."""
    cart = vehicle("w", "wagon", at="A6", moving=False, column="k", rank=6)
    position = column(4, 5, others=(cart,))
    assert len(names(last(position, "result w stunned by=mines").after)) == 3
    assert names(last(position, "result w immobilized by=mines").after) == set()


@pytest.mark.clause("E11.534b")
def test_hidden_wire_disbands() -> None:
    """A unit that finds hidden Wire disbands its Column."""
    assert names(last(column(4, 5), "result u1 wire").after) == set()


@pytest.mark.clause("E11.533a", "E11.533b", "E11.533c")
@pytest.mark.parametrize("kind", ["aircraft", "he", "wp"])
@pytest.mark.parametrize(("at", "left"), [("A11", 0), ("A12", 2)])
def test_bombs_within_six_hexes(kind: str, at: str, left: int) -> None:
    """Aircraft, HE and WP disband a Column within six hexes of a unit of it, not at seven."""
    assert len(names(last(column(4, 5), f"strike {kind} {at}").after)) == left


@pytest.mark.clause("E11.53c", "E11.53e")
def test_disbanding_at_will() -> None:
    """A Column declares it for one MF each; until fire is over it can neither move nor disband."""
    position = column(4, 5)
    ruling = last(position, "disband u1")
    assert total(ruling, "u1") == total(ruling, "u2") == 1
    assert names(ruling.after) == {"u1", "u2"}
    assert bars(last(ruling.after, "impulse u1 enter:A3,enter:A4")) == {"E11.53e"}
    assert names(last(ruling.after, "result u1 disbanded").after) == set()
    assert names(last(position, "result u1 disbanded").after) == {"u1", "u2"}
    assert bars(last(position, "disband u2")) == {"E11.53c"}


@pytest.mark.clause("E11.535a")
def test_wagons_go_into_motion() -> None:
    """Wagons of a Column that disbands are in Motion."""
    cart = vehicle("w", "wagon", at="A6", moving=False, column="k", rank=6)
    after = last(column(4, 5, others=(cart,)), "result u1 attacked").after
    assert after.unit("w").motion.moving
    for blow in ("bogged", "immobilized"):
        stuck = last(column(4, 5, others=(cart,)), f"result w {blow}").after
        assert not stuck.unit("w").motion.moving


@pytest.mark.clause("E11.536")
def test_a_defending_column_is_pinned() -> None:
    """A DEFENDER Column that disbands is pinned, except wagons and heroes; an ATTACKER's is not."""
    cart = vehicle("w", "wagon", at="A6", moving=False, column="k", rank=6)
    position = column(4, 5, others=(cart,))
    assert not last(position, "result u1 attacked").after.unit("u2").status.pinned
    enemys = msgspec.structs.replace(position, side="russian")
    after = last(enemys, "result u1 attacked").after
    assert (after.unit("u2").status.pinned, after.unit("w").status.pinned) == (True, False)
    heroic = column(4, 5, kinds=("squad", "hero"), scene={"side": "russian"})
    after = last(heroic, "result u1 attacked").after
    assert [unit.status.pinned for unit in after.units] == [True, False]


@pytest.mark.clause("E11.54c")
def test_concealment_is_lost() -> None:
    """All units of a disbanded Column lose concealment."""
    after = last(column(4, 5, concealed=True), "result u1 attacked").after
    assert not any(unit.concealment.concealed for unit in after.units)


def before_marsh(*kinds: str, **fields: Any) -> Any:
    """Return a Column, one unit a hex, in front of a marsh."""
    hexes: Any = {"A1": {}, "A2": {"terrain": "Marsh"}, "A3": {}, "A4": {}}
    units = [
        foot(f"u{n}", kind=kind, at=f"A{n + 2}", column="k", rank=n, **fields)
        for n, kind in enumerate(kinds, 1)
    ]
    return place(field(hexes), *units)


@pytest.mark.clause("A4.134b", "D14.31a", "D14.31b")
def test_a_column_into_marsh() -> None:
    """Entering marsh spends all MF of every unit of the Column; each must have as many and then stops."""
    ruling = last(before_marsh("squad", "squad"), "impulse u1 enter:A2,enter:A3")
    assert (ruling.status, total(ruling, "u1"), total(ruling, "u2")) == ("LEGAL", 4, 4)
    on = last(
        before_marsh("squad", "squad"),
        "impulse u1 enter:A2,enter:A3",
        "impulse u1 enter:A1,enter:A2",
    )
    assert "D14.31b" in bars(on)
    rich = last(before_marsh("hero", "squad"), "impulse u1 enter:A2,enter:A3")
    assert bars(rich) == {"D14.31b"}
    before = before_marsh("squad", "squad")
    spent = before.with_units([replace(u, mph="moving", spent=2, used=2) for u in before.units])
    assert bars(last(spent, "impulse u1 enter:A2,enter:A3")) == {"A4.134b"}
