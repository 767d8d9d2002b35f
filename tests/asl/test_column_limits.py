"""Columns at all times: Hazardous Movement, stacking, the APh, Detection, times to check (E11.5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.unittype import SupportWeapon
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    field,
    foot,
    last,
    paid,
    place,
    total,
    vehicle,
)
from tests.asl.test_columns import column, names
from tests.asl.test_convoys import convoy
from tests.asl.test_gaps import after
from tests.asl.test_lines import refusal


def stated(position: Any, name: str, what: str) -> tuple[bool, list[str]] | None:
    """Return whether a unit is entitled to something and by which clauses; None if UNSUPPORTED."""
    found = ASL.entitlements(position, position.unit(name))
    return next(((e["allowed"], e["clauses"]) for e in found if e["what"] == what), None)


@pytest.mark.clause("E11.5d")
def test_no_column_by_chance() -> None:
    """Units in a line are a Column only if so stated."""
    two = place(field({"A1": {}, "A2": {}}), foot("a", at="A1"), foot("b", at="A2"))
    assert "E11.5d" in bars(last(two, "impulse a -"))
    alone = place(field({"A1": {}, "A2": {}}), foot("a", at="A1"))
    assert bars(last(alone, "impulse a -")) == {"E11.2a"}


@pytest.mark.clause("E11.5f")
def test_stacking_limits_hold() -> None:
    """A Column's lead that joins three squads pays for overstacking by one squad."""
    squads = tuple(foot(f"s{n}", at="A3") for n in range(3))
    ruling = last(column(4, 5, others=squads), "impulse u1 enter:A3,enter:A4")
    assert total(ruling, "u1") == 2
    assert paid(ruling, "A5.11a", "u1") == 1


@pytest.mark.clause("E11.51")
@pytest.mark.parametrize(
    ("name", "mm", "dm", "legal"),
    [("w", 81, False, False), ("w", 81, True, True), ("w", 0, False, True), ("w", 76, False, False),
     ("w", 75, False, True), ("w", 107, False, False), ("w", 108, False, True),
     ("HMG", 0, False, False), ("MMG", 0, True, True), ("LMG", 0, False, True)],
)  # fmt: skip
def test_what_can_be_is_dm(*, name: str, mm: int, dm: bool, legal: bool) -> None:
    """Mortars of 76 to 107 mm, MMG and HMG in a Column are carried dm; other SW as they are."""
    weapon = SupportWeapon(name=name, pp=4, mm=mm, dm=dm)
    why = refusal(column(4, 5, sw=(weapon,)))
    assert ("E11.51" in why) is not legal


@pytest.mark.clause("E11.54a")
def test_concealed_set_up() -> None:
    """A Column can be set up concealed."""
    assert refusal(column(4, 5, concealed=True)) == ""


@pytest.mark.clause("E11.54b")
def test_lost_concealment_stays_lost() -> None:
    """A Column unit without '?' cannot gain one, except, by a reading, if it never had one."""
    assert stated(column(4, 5), "u1", "gain of concealment") == (False, ["E11.54b"])
    assert stated(column(4, 5, concealed=True), "u1", "gain of concealment") is None
    scene = {"readings": (("E11.54b", "never"),)}
    assert stated(column(4, 5, scene=scene), "u1", "gain of concealment") is None


@pytest.mark.clause("E11.52b")
@pytest.mark.parametrize(("reading", "pinned"), [("continuous", True), ("A4.62", False)])
def test_always_hazardous(*, reading: str, pinned: bool) -> None:
    """A Column unit is in Hazardous Movement even at rest and, by one reading, while pinned."""
    scene = {"readings": (("E11.52b", reading),)}
    position = column(4, 5, scene=scene)
    assert stated(position, "u1", "Hazardous Movement") == (True, ["E11.52b"])
    assert stated(position, "u1", "FFNAM") is None
    moved = after(position, "impulse u1 enter:A3,enter:A4")
    assert stated(moved, "u1", "FFNAM") == (False, ["A4.6a", "E11.52b"])
    held = column(4, 5, pinned=True, scene=scene)
    assert (stated(held, "u1", "Hazardous Movement") is not None) is pinned
    assert stated(place(field({"A4": {}}), foot("u1", at="A4")), "u1", "Hazardous Movement") is None


@pytest.mark.clause("E11.52f")
def test_double_time() -> None:
    """A Column can use Double Time."""
    assert last(column(4, 5), "double-time u1").is_legal
    assert "E11.5c" in bars(last(column(4, 5), "lend u1 u2"))


@pytest.mark.clause("E11.52f")
def test_gallop() -> None:
    """A Column's Cavalry and wagons can Gallop: the MF gained serve its Impulses."""
    cart = vehicle("w", "wagon", at="A12", moving=False, facing="NNE", column="k", rank=12)
    position = column(11, kinds=("cavalry",), others=(cart,))
    galloping = after(position, "gallop u1", "gallop w")
    assert (allotment(galloping, "u1"), allotment(galloping, "w")) == (20, 18)
    assert "E11.5c" in bars(last(column(4, 5, kinds=("cavalry",) * 2), "dismount u1"))
    assert "A13.36a" in bars(last(column(4, 5), "gallop u1"))


@pytest.mark.clause("E11.52c")
def test_road_bonus() -> None:
    """A Column that has used only roads has the road bonus."""
    roads = {f"A{n}-A{n + 1}": {"road": "Dirt Road"} for n in range(3, 9)}
    position = column(7, 8, sides=roads)
    moved = after(position, "impulse u1 enter:A6,enter:A7")
    assert allotment(moved, "u1") == allotment(position, "u1") + 1


@pytest.mark.clause("E11.52a")
@pytest.mark.parametrize(("reading", "said"), [("wagons-stay", "A4.7b"), ("wagons-too", "")])
def test_wagons_do_not_advance(reading: str, said: str) -> None:
    """Wagons keep a Column from advancing in the APh, or the cost of their Advance is UNSUPPORTED."""
    cart = vehicle("w", "wagon", at="A6", moving=False, facing="NNE", column="k", rank=6)
    scene = {"phase": "APh", "readings": (("E11.52a", reading),)}
    position = column(4, 5, others=(cart,), scene=scene)
    ruling = last(position, "impulse u1 enter:A3,enter:A4,enter:A5")
    assert said in {*bars(ruling), ""}
    assert cites(ruling) == (set() if said else {"E11.52a"})
    assert "E11.5b" in bars(last(position, "impulse u1 enter:A3,enter:A4"))


@pytest.mark.clause("E11.52e")
@pytest.mark.parametrize(("reading", "mf"), [("nationality", 4), ("any", 6)])
def test_a_foreign_leader(reading: str, mf: float) -> None:
    """A leader of another nationality serves the Column only under one reading."""
    scene = {"readings": (("E11.52e", reading),)}
    position = column(4, 5, kinds=("leader", "squad"), scene=scene)
    foreign = msgspec.structs.replace(position.unit("u1"), nationality="italian")
    assert allotment(position.with_units([foreign]), "u2") == mf
    assert allotment(position, "u2") == 6


@pytest.mark.clause("E11.8")
def test_a_column_has_the_usual_mf() -> None:
    """A Column unit has the same MF as any other."""
    position = column(4, 5, others=(foot("x", at="B9"),))
    assert allotment(position, "u1") == allotment(position, "x")


@pytest.mark.clause("E11.52a")
def test_a_column_advances() -> None:
    """In the APh a Column advances by one Impulse, spends no MF, and does so only once."""
    position = column(4, 5, scene={"phase": "APh"})
    move = "impulse u1 enter:A3,enter:A4"
    ruling = last(position, move)
    assert ruling.is_legal
    assert [ruling.after.unit(name).at for name in ("u1", "u2")] == ["A3", "A4"]
    assert total(ruling, "u1") == 0
    assert bars(last(position, move, "impulse u1 enter:B3,enter:A3")) == {"A4.7c"}
    assert "E11.5c" in bars(last(position, "advance u1 A3"))
    assert bars(last(position, "impulse u1 enter:A3")) == {"E11.5b"}
    assert bars(last(position, "impulse u1 enter:A3,enter:B4")) >= {"E11.5g"}


@pytest.mark.clause("E11.521b")
def test_no_cover_of_shellholes() -> None:
    """A Column unit enters shellholes without their cover."""
    hexes = {"A3": {"terrain": "Shellholes"}, "A4": {}, "A5": {}}
    units = [foot(f"u{n}", at=f"A{n + 3}", column="k", rank=n) for n in (1, 2)]
    position = place(field(hexes), *units)
    assert "E11.521b" in bars(last(position, "impulse u1 half:A3,enter:A4"))
    assert last(position, "impulse u1 enter:A3,enter:A4").is_legal


@pytest.mark.clause("E11.522a", "E11.522b")
def test_detection_at_the_impulses_end() -> None:
    """Only units that ran into the concealed enemy go back, on top of those that followed."""
    hidden = foot("h", at="A3", side="russian", concealed=True)
    position = column(4, 5, others=(hidden,))
    ruling = last(position, "impulse u1 enter:A3,enter:A4")
    assert ruling.is_legal
    assert [ruling.after.unit(name).at for name in ("u1", "u2")] == ["A4", "A4"]
    assert [ruling.after.unit(name).move.mph for name in ("u1", "u2")] == ["done", "moving"]
    assert [(o.id, o.clause) for o in ruling.obligations] == [("detect:u1", "E11.522a")]
    for outcome in ("shows", "loses"):
        shown = last(ruling.after, f"settle detect:u1 {outcome}").after
        assert not shown.unit("h").concealment.concealed
        assert names(shown) == {"u1", "u2"}
        seen = last(after(position, "sight u2 of=h"), "impulse u1 enter:A3,enter:A4",
                    f"settle detect:u1 {outcome}").after  # fmt: skip
        assert names(seen) == set()


@pytest.mark.clause("E11.522a")
def test_one_reveals_for_a_stack() -> None:
    """Two Column units that run into one concealed enemy ask its owner once."""
    hidden = foot("h", at="A3", side="russian", concealed=True)
    position = column(4, 4, 5, others=(hidden,))
    ruling = last(position, "impulse u1 enter:A3,enter:A3,enter:A4")
    assert [o.id for o in ruling.obligations] == ["detect:u1"]


@pytest.mark.clause("E11.533b", "C1.5")
def test_a_blast_area_that_lasts() -> None:
    """A Column within six hexes of a Blast Area disbands, in the APh too; none can be set up so near."""
    area = (Counter(kind="blast-area", at="A1"),)
    position = column(9, 10, scene={"counters": area}, concealed=True)
    ASL.check_position(position)
    away = last(position, "impulse u1 enter:B9,enter:A9")
    assert (away.is_legal, names(away.after)) == (True, {"u1", "u2"})
    for scene in ({}, {"phase": "APh"}):
        near = column(8, 9, scene={"counters": area, **scene}, concealed=True)
        found = last(near, "impulse u1 enter:A7,enter:A8")
        assert (found.is_legal, names(found.after)) == (True, set())
        assert [(u.at, u.move.mph, u.concealment.concealed) for u in found.after.units] == [
            ("A7", "done", False), ("A8", "done", False),
        ]  # fmt: skip
    with pytest.raises(BadInputError, match=r"E11\.533b"):
        ASL.check_position(column(7, 8, scene={"counters": area}))
    assert "C1.5" in cites(last(place(field({"A1": {}, "A2": {}}), foot("u", at="A2"),
                                      counters=area), "enter u A1"))  # fmt: skip


@pytest.mark.clause("E11.531a", "E11.532a", "E11.532b", "E11.532c")
@pytest.mark.parametrize(
    ("phase", "seen"), [("MPh", True), ("RtPh", True), ("APh", True), ("DFPh", False)]
)
def test_when_columns_are_checked(*, phase: str, seen: bool) -> None:
    """Seeing a Known enemy disbands it at once in the MPh, RtPh and APh, otherwise after the next attack."""
    enemies = (foot("e", at="B9", side="russian"), foot("x", at="B12"))
    position = column(4, 5, others=enemies, scene={"phase": phase})
    sighted = last(position, "sight u1 of=e").after
    assert (names(sighted) == set()) is seen
    assert names(last(position, "result u1 attacked").after) == set()
    assert names(last(sighted, "result x attacked").after) == set()
    assert names(last(position, "result x attacked").after) == {"u1", "u2"}


@pytest.mark.clause("E11.531a", "E11.53e")
def test_columns_are_checked_as_anybody_spends() -> None:
    """A Column that sees a Known enemy disbands as MF or MP are spent, after the fire at them."""
    enemy, other = foot("e", at="B13", side="russian"), foot("x", at="B8")
    sees = {"sees": ("e",)}
    position = column(4, 5, others=(enemy, other), **sees)
    for line in ("enter x B7", "impulse u1 enter:A3,enter:A4"):
        spent = after(position, line)
        assert [(u.line.column, u.line.disbanding) for u in spent.units[:2]] == [("k", True)] * 2
        assert "E11.53e" in bars(last(spent, "impulse u1 enter:B4,enter:A3"))
        assert names(after(spent, "result u1 disbanded")) == set()
        assert names(after(spent, "phase DFPh")) == set()
    assert not after(position, "assault x").unit("u1").line.disbanding
    hidden = replace(enemy, concealed=True)
    unseen = after(position.with_units([hidden]), "enter x B7")
    assert not unseen.unit("u1").line.disbanding


@pytest.mark.clause("E11.532c")
def test_columns_are_checked_as_anybody_advances() -> None:
    """In the APh a Column that sees a Known enemy disbands as a unit advances."""
    enemy, other = foot("e", at="B13", side="russian"), foot("x", at="B8")
    position = column(4, 5, others=(enemy, other), scene={"phase": "APh"}, sees=("e",))
    assert names(after(position, "advance x B7")) == set()
    assert names(after(position, "impulse u1 enter:A3,enter:A4")) == set()


@pytest.mark.clause("E11.535b")
def test_wagons_end_their_mph() -> None:
    """In their own MPh the wagons of a Column that disbands end it in Motion."""
    position = column(4, 5)
    wagon = replace(position.unit("u2"), type="wagon", facing="NNE", moving=False)
    disbanded = last(position.with_units([wagon]), "result u1 attacked").after
    assert [disbanded.unit(name).move.mph for name in ("u1", "u2")] == ["done", "done"]
    assert disbanded.unit("u2").motion.moving


# -- at night, off the board -----------------------------------------------------------------------


@pytest.mark.clause("E11.6a")
def test_only_the_lead_may_stray() -> None:
    """Followers make no Movement DR of their own."""
    dark = column(8, 9, scene={"nvr": 3})
    assert "E11.6a" in bars(last(dark, "set-out u2"))
    assert bars(last(dark, "impulse u1 enter:A7,enter:A8")) == {"E1.53a"}
    cleared = dark.with_units([replace(dark.unit("u1"), guide="u1")])
    assert last(cleared, "impulse u1 enter:A7,enter:A8").is_legal


def by_night(*rows: int) -> Any:
    """Return a Convoy at night, off the road, whose lead has made its Movement DR."""
    position = convoy(*rows, paved=False, nvr=3)
    units = [replace(u, origin=u.line.convoy) for u in position.units]
    units[0] = replace(units[0], guide=units[0].id)
    return position.with_units(units)


@pytest.mark.clause("E11.6a", "E11.6b")
def test_a_gap_and_straying() -> None:
    """A vehicle separated against its will does not stray; one that leaves by choice makes a Movement DR."""
    position = by_night(3, 4, 5, 6, 7)
    cut_off = after(position, "result t3 eliminated")
    assert last(cut_off, "impulse t4 turn:E").is_legal
    early_gap = after(position, "result t3 bogged")
    assert bars(last(early_gap, "set-out t4")) >= {"E11.6a"}
    found = after(position, "result t3 attacked")
    left = after(found, "leave t3")
    assert "E1.53a" in bars(last(left, "enter t3 A4"))
    parted = after(found, "impulse t1 enter:A2,enter:A3,stop", "impulse t1 stop,stop", "end t1")
    assert parted.unit("t3").line.left == "gap"
    assert "E11.6b" in bars(last(parted, "impulse t3 enter:A4,enter:A5,enter:A6"))
    assert last(parted, "impulse t3 stay,turn:E").is_legal  # none enters another hex
    again = last(parted, "set-out t3", "settle stray:t3 keeps", "impulse t3 stay,turn:E")
    assert again.is_legal
    early = msgspec.structs.replace(parted, readings=(("E11.6b", "as-it-begins"),))
    assert last(early, "impulse t3 stay,turn:E").is_legal


@pytest.mark.clause("E11.6c")
def test_all_follow_a_lead_that_strays() -> None:
    """Each enters only the hex the unit ahead has just left; where the lead itself goes is UNSUPPORTED."""

    def astray(line: Any, ids: str) -> Any:
        return line.with_units([replace(line.unit(ids), guide=ids, astray=True)])

    on_foot = astray(column(8, 9, scene={"nvr": 3}), "u1")
    trucks = astray(convoy(4, 5, 6, nvr=3), "t1")
    for position, follows, other in (
        (on_foot, "impulse u1 enter:A7,enter:A8", "impulse u1 enter:A7,enter:B8"),
        (trucks, "impulse t1 enter:A3,enter:A4,enter:A5", "impulse t1 enter:A3,enter:B5,enter:A5"),
    ):
        lead, second = position.units[:2]
        ruling = last(position, follows)
        assert {(v.clause, v.units) for v in ruling.unsupported} == {("E1.53d", (lead.id,))}
        assert bars(ruling) == set()
        aside = last(position, other)
        assert ("E11.6c", (second.id,)) in {(v.clause, v.units) for v in aside.violations}
    first = last(trucks, "impulse t1 enter:A3,enter:A4,enter:A5 first=t3")
    assert "E11.6c" in bars(first)
    straight = convoy(4, 5, 6, nvr=3)
    assert "E11.6c" not in bars(last(straight, "impulse t1 enter:A3,enter:B5,enter:A5"))


@pytest.mark.clause("E11.7a", "E11.7b")
def test_partial_entry() -> None:
    """A Column enters hex by hex, over two MPh if needed; units off board at a disbanding set up again."""
    hexes: Any = {f"A{n}": {} for n in range(1, 9)}
    units = [foot(f"u{n}", at=None, entering=("A8",), column="k", rank=n) for n in (1, 2, 3)]
    position = place(field(hexes), *units)
    assert bars(last(position, "impulse u1 enter:A8,enter:A8")) == {"E11.5g"}
    on = after(position, "impulse u1 enter:A8")
    assert bars(last(on, "impulse u1 enter:A7")) == {"E11.5b"}
    on = after(
        on,
        "impulse u1 enter:A7,enter:A8",
        "end u1",
        "phase DFPh side=russian",
        "phase MPh side=german",
    )
    assert {u.line.column for u in on.units} == {"k"}
    later = last(on, "impulse u1 enter:A6,enter:A7,enter:A8")
    assert later.is_legal
    in_aph = after(on, "end u1", "phase APh")
    assert bars(last(in_aph, "impulse u1 enter:A6,enter:A7,stay")) == {"E11.5b"}
    ruling = last(in_aph, "impulse u1 enter:A6,enter:A7,enter:A8")
    assert ruling.is_legal
    assert [(u.at, u.offboard.entering) for u in ruling.after.units] == [
        ("A6", ()), ("A7", ()), ("A8", ()),
    ]  # fmt: skip
    alone = place(on.board, foot("v", at=None, entering=("A8",)), phase="APh")
    assert last(alone, "advance v A8").is_legal
    apart = last(on, "result u1 attacked").after
    assert apart.unit("u3").offboard.entering == ()
    assert apart.unit("u3").line.column == ""
