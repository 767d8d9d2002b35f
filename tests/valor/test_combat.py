"""The totals of an attack and what the dice make of it (V14.2b, V14.5, V14.6, V14.9)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable_models.valor import data
from marchtable_models.valor.model import Sight
from marchtable_models.valor.rules.combat import points_for
from tests.valor.scenes import (
    after,
    apfp,
    bars,
    dice,
    field,
    foe,
    grid,
    last,
    owed,
    place,
    shot,
    unit,
)

HOUSE = {"terrain": "Stone Building"}


def test_the_table() -> None:
    """Each row of the AP Combat Table falls by one from its column 2, and its ends meet."""
    edges = [(1, 4), (5, 10), (11, 18), (19, 28), (29, 40), (41, 99)]
    for row, (least, most) in enumerate(edges):
        for roll in range(2, 13):
            expected = max(0, 7 + row - roll)
            assert expected == points_for(least, roll) == points_for(most, roll)
    assert [row.least for row in data.table()] == [least for least, _ in edges]
    assert points_for(0, 2) == 0
    assert [points_for(12, roll) for roll in (1, -3, 13, 20)] == [7, 7, 0, 0]
    assert points_for(12, 0, "extended") == 9


@pytest.mark.clause("V14.5a")
def test_the_total() -> None:
    """The APFP of all named is added up before the roll; without a firing unit there is no attack."""
    units = (unit("a"), unit("b", "half-squad-262", sw=("mg34",)), foe())
    ruling = shot("fire a,b C1", *units)
    assert (apfp(ruling), [o.id for o in ruling.obligations]) == (9, ["fire:a"])
    assert bars(shot("fire u C1 weapons=u:none", unit("u", "leader"), foe())) == {"V14.5a"}
    assert ruling.after.unit("a").fired
    assert bars(last(ruling.after, "fire b C1")) == {"V14.5b"}


@pytest.mark.clause("V14.2b")
def test_a_leader_adds_and_modifies() -> None:
    """A leader adds 1 APFP and a -1 modifier; without one neither; of two leaders one modifies."""
    units = (unit("ldr", "leader"), unit("two", "leader"), unit("a"), foe())
    for line, total, modifier in (
        ("a", 4, 0),
        ("ldr,a", 5, -1),
        ("ldr,two,a", 6, -1),
        ("ldr", 1, -1),
    ):
        ruling = shot(f"fire {line} C1", *units)
        assert (apfp(ruling), dice(ruling)) == (total, modifier)


@pytest.mark.clause("V14.2b")
def test_a_leader_out_of_range_modifies_all_the_same() -> None:
    """Beyond range a leader adds no APFP but the modifier, and counts as having fired."""
    board = field("ABC", 8)
    units = (unit("ldr", "leader", "B7"), unit("a", at="B7"), foe("e", at="B2"))
    ruling = shot("fire ldr,a B2", *units, board=board)
    assert (apfp(ruling), dice(ruling), bars(ruling)) == (4, -1, set())
    assert ruling.after.unit("ldr").fired


@pytest.mark.clause("V14.5b")
def test_cover_goes_to_the_dice() -> None:
    """The target hex's cover is added; the roll has eleven outcomes in 36 ways."""
    for terrain, cover in (
        ("Open Ground", 0), ("Woods", 2), ("Stone Building", 3), ("Gully", 1), ("Orchard", 1), ("Grain", 1),
    ):  # fmt: skip
        ruling = shot("fire u C1", unit(), foe(), board=field(stated={"C1": {"terrain": terrain}}))
        assert dice(ruling) == cover
        (due,) = ruling.obligations
        assert [(odds.outcome, odds.chance) for odds in due.outcomes] == [
            (str(roll), 6 - abs(7 - roll)) for roll in range(2, 13)
        ]
    assert dice(shot("fire u C1", unit(), foe(), board=field(stated={"C3": HOUSE}))) == 0


@pytest.mark.clause("V14.5b")
def test_works_are_cover() -> None:
    """A foxhole adds to the terrain, sandbags replace it, and the better of them counts."""

    def cover(counter: str, terrain: str = "Open Ground") -> int:
        board = field(stated={"C1": {"terrain": terrain}})
        return dice(shot("fire u C1", unit(), foe(), board=board, counters={counter: "C1"}))

    assert [cover(kind) for kind in ("foxhole", "trench", "sandbags", "concrete-bunker")] == [
        1,
        2,
        2,
        4,
    ]
    assert [cover(kind, "Woods") for kind in ("foxhole", "sandbags", "wooden-bunker")] == [3, 2, 3]


@pytest.mark.clause("V14.6")
def test_points_by_roll() -> None:
    """APFP 4 gives five points on a 2, one on a 6 and nothing from 7; a 7 or so closes the attack."""
    position = place(unit(), foe(), foe("f"), foe("g"))
    for roll, points in ((2, 5), (5, 2), (6, 1), (7, 0), (12, 0)):
        assert owed(after(position, "fire u C1", f"settle fire:u {roll}")) == points
    assert after(position, "fire u C1", "settle fire:u 7").conditions.attack is None


def test_terrain_that_is_not_modelled() -> None:
    """A target in terrain without a row answers UNSUPPORTED."""
    ruling = shot("fire u C1", unit(), foe(), board=field(stated={"C1": {"terrain": "Lava"}}))
    assert (ruling.status, ruling.unsupported[0].clause) == ("UNSUPPORTED", "V10.1")


@pytest.mark.clause("V12.64", "V12.64b", "V12.67")
def test_air_bursts() -> None:
    """In woods a mortar's points on infantry count double; with Guns or vehicles there it is UNSUPPORTED."""
    line, woods = "fire u C1 weapons=u:5cm-mortar", field(stated={"C1": {"terrain": "Woods"}})
    mortar, squads = unit(sw=("5cm-mortar",)), [foe(name) for name in "efg"]
    for board, points in ((woods, 4), (field(), 4)):  # woods: +2 to the dice
        assert owed(after(place(mortar, *squads, board=board), line, "settle fire:u 4")) == points
    rifle = place(unit(), *squads, board=woods)
    assert owed(after(rifle, "fire u C1", "settle fire:u 3")) == 2
    gun, truck = foe("g", "6-pounder", facing="N"), foe("t", "3-ton-truck", facing="N")
    for units, clause in (((foe(), gun), "V12.64b"), ((foe(), truck), "V12.67"), ((foe(),), None)):
        ruling = shot(line, mortar, *units, board=woods)
        assert [one.clause for one in ruling.unsupported] == ([clause] if clause else [])
    assert not shot(line, mortar, foe(), gun).unsupported


HEDGE = {"terrain": "Hedge"}
LANE: dict[str, Any] = {"A1": {}, "A2": {}, "A3": {}, "A4": {}, "B2": {}, "B3": {}}


def hedged(line: str, sides: dict[str, Any], **sight: Any) -> int:
    """Return the dice modifier of a shot between A1 and A4 along the column."""
    lines = [Sight(a="A1", b="A4", **sight)] if sight else []
    units = (unit("u", at="A1"), foe("e", at="A4"))
    return dice(shot(line, *units, board=grid(LANE, sides), sights=lines))


@pytest.mark.clause("V14.9c", "V14.9a")
def test_hedges_on_the_line() -> None:
    """Each wall or hedge crossed adds one, except one of the attackers' own hex; the target's counts."""
    line = "fire u A4"
    assert hedged(line, {"A2-A3": HEDGE}, over=("A2-A3",)) == 1
    assert (
        hedged(line, {"A2-A3": HEDGE, "A3-A4": {"terrain": "Wall"}}, over=("A2-A3", "A3-A4")) == 2
    )
    assert hedged(line, {"A1-A2": HEDGE}, over=("A1-A2",)) == 0
    assert hedged(line, {"A1-A2": HEDGE, "A3-A4": HEDGE}, over=("A1-A2", "A3-A4")) == 1
    assert hedged(line, {"A2-A3": HEDGE}) == hedged(line, {}, over=("A2-A3",)) == 0


@pytest.mark.clause("V14.9a")
def test_fire_at_the_next_hex_over_the_own_hedge() -> None:
    """Between adjacent hexes the hexside is known: it is the attackers' own and costs them nothing."""
    units = (unit("u", at="A1"), foe("e", at="A2"))
    assert dice(shot("fire u A2", *units, board=grid(LANE, {"A1-A2": HEDGE}))) == 0


@pytest.mark.clause("V10")
def test_the_other_modifiers() -> None:
    """Orchards and smoke on the line, hedges fired along, Assault Movement, wire and grenades count."""
    line = "fire u A4"
    orchard = {**LANE, "A2": {"terrain": "Orchard"}, "A3": {"terrain": "Grain"}}
    units = (unit("u", at="A1"), foe("e", at="A4"))
    sight = Sight(a="A1", b="A4", through=("A2", "A3"))
    assert dice(shot(line, *units, board=grid(orchard), sights=[sight])) == 2
    assert hedged(line, {"A2-B2": HEDGE}, along=("A2-B2",)) == 1
    for kind, where, expected in (
        ("smoke1", "A4", 1), ("smoke2", "A2", 2), ("smoke1", "A1", 1), ("smoke1", "B3", 0), ("wire", "A1", 1),
        ("wire", "A4", 0),
    ):  # fmt: skip
        board, lines = grid(LANE), [sight]
        assert (
            dice(shot(line, *units, board=board, sights=lines, counters={kind: where})) == expected
        )
    assert dice(shot("fire u C1", unit(), foe(assault=True))) == 1
    assert dice(shot("fire u C2", unit(sw=("grenades",)), foe(at="C2"))) == -1
    assert dice(shot("fire u C1", unit(sw=("grenades",)), foe())) == 0


@pytest.mark.clause("V13.8")
def test_opportunity_fire_modifiers() -> None:
    """Without cover -1, in the next hex -2, both together -3; for Assault Movement A24 applies."""

    def fire(
        at: str,
        terrain: str = "Open Ground",
        readings: dict[str, str] | None = None,
        **fields: Any,
    ) -> int:
        board = field(stated={at: {"terrain": terrain}})
        mover = foe("e", at=at, moving=True, **fields)
        return dice(
            shot(
                f"fire u {at}", unit(), mover, board=board, phase="Movement", side="american",
                readings=readings,
            )
        )  # fmt: skip

    assert [fire("C1"), fire("C2"), fire("C1", "Woods"), fire("C2", "Woods")] == [-1, -3, 2, 0]
    assert (fire("C1", assault=True), fire("C1", assault=True, readings={"A24": "no"})) == (1, 0)
    assert fire("C1", "Woods", assault=True) == 3
    assert dice(shot("fire u C2", unit(), foe(at="C2", moving=True))) == 0


@pytest.mark.clause("V16.2")
def test_a_natural_two_may_win_valour() -> None:
    """Each unit of the group rolls two dice at or under its CR, a leader 6; who has valour, and other rolls, do not."""
    group = place(unit("a"), unit("l", "leader"), unit("v", valorous=True), foe("e", at="C2"))
    due = last(group, "fire a,l,v C2", "settle fire:a 2").obligations
    chances = {o.id: [x.chance for x in o.outcomes if x.outcome == "valorous"] for o in due}
    assert chances == {"valour:a": [6], "valour:l": [15]}
    won = after(
        group, "fire a,l,v C2", "settle fire:a 2", "settle valour:a valorous", "settle valour:l no"
    )
    assert [won.unit(name).valorous for name in "alv"] == [True, False, True]
    assert not last(group, "fire a,l,v C2", "settle fire:a 3").obligations
    tank = place(unit("t", "m4a3e8", facing="N"), foe("e", at="C1"))
    assert not last(tank, "fire t C1", "settle fire:t 2").obligations


@pytest.mark.clause("V16.3")
def test_valour_adds_to_the_units_own_apfp() -> None:
    """A valorous squad fires 5, with its machine gun 8; the machine gun alone stays at 3."""
    squad = unit(valorous=True, sw=("mg34",))
    assert apfp(shot("fire u C1", squad, foe())) == 8
    assert apfp(shot("fire u C1 weapons=u:own", squad, foe())) == 5
    assert apfp(shot("fire u C1 weapons=u:mg34", squad, foe())) == 3
