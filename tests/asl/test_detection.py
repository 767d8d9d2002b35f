"""Concealment and movement."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.reachability.reach import reach
from marchtable.state.action import parameters
from marchtable.state.position import Counter
from marchtable.state.records import replace
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
)  # fmt: skip
from tests.asl.test_bypass import WOODS, patch

FOE: dict[str, Any] = {"side": "russian", "at": "C1", "concealed": True}


@pytest.mark.clause("A12.15a")
def test_a_unit_that_walks_into_a_concealed_enemy_is_sent_back() -> None:
    """It stays where it came from, its MF spent and its MPh over; a vehicle drives on."""
    found = step(others=(foot("e", **FOE),))
    unit = found.after.unit("u")
    assert (found.status, total(found)) == ("LEGAL", 1)
    assert (unit.at, unit.move.mph, unit.points.spent) == ("B1", "done", 2)
    assert [(o.id, o.clause, len(o.outcomes)) for o in found.obligations] == [
        ("detect:u", "A12.15a", 2)
    ]
    assert "concealed" not in {effect.field for effect in found.effects}  # it has none to lose
    assert step(others=(foot("f", at="C1", concealed=True),)).after.unit("u").at == "C1"
    known = step(others=(foot("e", **FOE), foot("k", side="russian", at="C1")))
    assert (bars(known), known.obligations) == ({"A4.14"}, ())
    truck = vehicle("t", "gaz-mm", side="russian", at="C1")
    assert step(others=(truck, foot("e", **FOE))).after.unit("u").at == "B1"
    log = ("enter u C1", "settle detect:u shows", "enter u C2")
    assert bars(last(place(crossing(), foot(), foot("e", **FOE)), *log)) == {"A4.2a"}


@pytest.mark.clause("A12.15e")
@pytest.mark.parametrize("kind", ["tr", "ft"])
def test_a_vehicle_drives_on_and_says_so(kind: str) -> None:
    """Whether they are Dummies makes no difference; without concealed enemies there is no note."""
    noted = [
        [clause for clause, _ in found.exceptions if clause == "A12.15e"]
        for found in (
            step(kind, others=(foot("e", **FOE),)),
            step(kind, others=(foot("e", **FOE, dummy=True),)),
            step(kind),
            step("inf", others=(foot("e", **FOE),)),
        )
    ]
    assert noted == [["A12.15e"], ["A12.15e"], [], []]
    found = step(kind, others=(foot("e", **FOE),))
    assert (found.obligations, found.after.unit("u").at) == ((), "C1")
    truck = vehicle("t", "opel-blitz", at="B1", moving=True)
    for dummy in (False, True):
        found = last(place(crossing(), truck, foot("e", **FOE, dummy=dummy)), "enter t C1")
        assert (found.status, [clause for clause, _ in found.exceptions]) == ("LEGAL", ["A12.15e"])


@pytest.mark.clause("A12.15a")
def test_a_stack_is_sent_back_as_one() -> None:
    """The whole stack goes back, and the DEFENDER is asked once."""
    position = place(crossing(), foot(), foot("l", "leader"), foot("e", **FOE))
    found = last(position, "enter u,l C1")
    assert [found.after.unit(name).at for name in ("u", "l")] == ["B1", "B1"]
    assert [o.id for o in found.obligations] == ["detect:u"]


@pytest.mark.clause("A12.15b", "A12.15c")
@pytest.mark.parametrize("reading", ["revealed", "momentarily"])
def test_a_defender_who_shows_nobody_loses_his_concealment(reading: str) -> None:
    """All the DEFENDER's units there lose it, none elsewhere; by one reading, only a unit shown does."""
    there = foot("e", **FOE), foot("f", "leader", **FOE)
    elsewhere = foot("g", **{**FOE, "at": "C2"})
    units = (foot(), foot("own", concealed=True), *there, elsewhere)
    position = place(crossing(), *units, readings=(("A12.15c", reading),))

    def hidden(outcome: str) -> list[str]:
        after = last(position, "enter u C1", f"settle detect:u {outcome}").after
        return [unit.id for unit in after.units if unit.concealment.concealed]

    f = [] if reading == "revealed" else ["f"]
    assert hidden("shows:f") == ["own", "e", *f, "g"]
    assert hidden("loses") == ["own", "g"]
    alone = place(crossing(), foot(), there[0])
    assert (
        not last(alone, "enter u C1", "settle detect:u shows").after.unit("e").concealment.concealed
    )


@pytest.mark.clause("A12.15a")
def test_reach_stops_before_a_concealed_enemy() -> None:
    """That Location is not reached, nothing is assumed about it, and the clause is named."""
    found = reach(place(crossing(), foot(), foot("e", **FOE)), ["u"])[0]
    assert "C1" not in found.best()
    assert (found.assumed, found.unsupported) == ((), ("A12.15a",))
    assert "C2" in found.best()


@pytest.mark.clause("A12.2")
def test_whether_a_concealed_mover_is_seen() -> None:
    """It keeps its concealment, and the answer says so; under the other reading it loses it."""
    for column in ("inf", "tr"):
        kept = step(column, concealed=True)
        assert (kept.after.unit("u").concealment.concealed, dict(kept.readings)) == (
            True,
            {"A12.2": "kept"},
        )
        lost = step(column, concealed=True, scene={"readings": (("A12.2", "seen"),)})
        assert not lost.after.unit("u").concealment.concealed
    assert step().readings == ()


@pytest.mark.clause("A12.2")
@pytest.mark.parametrize(("column", "lines", "there", "keeps"), [
    ("inf", ("enter u C1",), {"terrain": "Woods"}, False),
    ("inf", ("assault u", "enter u C1"), {"terrain": "Woods"}, True),
    ("inf", ("assault u", "enter u C1"), {}, False),
    ("inf", ("assault u", "enter u C1"), {"terrain": "Grain"}, True),
    ("inf", ("phase APh", "advance u C1"), {"terrain": "Woods"}, True),
    ("inf", ("phase APh", "advance u C1"), {}, False),
    ("cav", ("enter u C1",), {"terrain": "Brush"}, False),
])  # fmt: skip
def test_units_stated_to_be_seen(
    column: str, lines: tuple[str, ...], there: dict[str, Any], *, keeps: bool
) -> None:
    """Assault Movement and an Advance out of the open keep concealment; unseen, every move does."""
    kind = "cavalry" if column == "cav" else "squad"
    board = crossing(there=there)
    squad = foot(kind=kind, concealed=True)
    e = foot("e", at="A1", side="russian", sees=("u",))
    assert last(place(board, squad, e), *lines).after.unit("u").concealment.concealed == keeps
    for blind in (
        {"broken": True}, {"disrupted": True, "broken": True}, {"concealed": True}, {"sees": ()},
    ):  # fmt: skip
        watcher = replace(e, **blind)
        assert last(place(board, squad, watcher), *lines).after.unit("u").concealment.concealed
    read = place(board, squad, readings=(("A12.2", "seen"),))
    assert last(read, *lines).after.unit("u").concealment.concealed == keeps


@pytest.mark.clause("A12.2")
def test_how_far_infantry_is_seen() -> None:
    """Within 16 hexes it loses concealment, at 17 it keeps it; a vehicle is seen at 17 too."""
    row = field({f"{chr(65 + n)}{1}": {} for n in range(20)})
    for mover, far, lost in ((foot, "S1", True), (foot, "T1", False), (vehicle, "T1", True)):
        e = foot("e", at=far, side="russian", sees=("u",))
        moved = last(place(row, mover(concealed=True), e), "enter u C1")
        assert moved.after.unit("u").concealment.concealed != lost


# -- Bypass ----------------------------------------------------------------------------------------

ROUND = "bypass u C1 vertex=E"


@pytest.mark.clause("A12.15a")
def test_a_unit_that_goes_round_a_concealed_enemys_woods_is_not_sent_back() -> None:
    """It goes on in Bypass, and the enemy keeps the '?'; a unit that would enter from there is sent back."""
    position = place(patch(), foot(), foot("e", **FOE))
    round_it = last(position, ROUND)
    assert (round_it.status, round_it.obligations) == ("LEGAL", ())
    assert (round_it.after.unit("u").at, round_it.after.unit("u").move.mph) == ("C1", "moving")
    assert round_it.after.unit("e").concealment.concealed
    assert last(position, ROUND, "enter u D1").is_legal
    into = last(position, ROUND, "into u")
    unit = into.after.unit("u")
    assert (into.status, unit.at, unit.place.bypass, unit.move.mph) == ("LEGAL", "B1", None, "done")
    assert [o.id for o in into.obligations] == ["detect:u"]
    ASL.check_position(into.after)
    unstated = place(patch(), foot(at="C1", bypass=1, mph="moving"), foot("e", **FOE))
    assert cites(last(unstated, "into u")) == {"A12.15a"}


@pytest.mark.clause("A12.15a", "A12.151")
def test_a_unit_that_is_sent_back_into_bypass() -> None:
    """It is in Bypass again, its MPh over; a concealed enemy in that hex loses concealment."""
    there = foot("e", **{**FOE, "at": "D1"})
    position = place(patch(), foot(), there, foot("f", **FOE))
    ruling = last(position, ROUND, "enter u D1")
    unit = ruling.after.unit("u")
    assert (unit.at, unit.place.bypass, unit.move.mph) == ("C1", 1, "done")
    assert [u.concealment.concealed for u in ruling.after.units] == [False, True, False]
    ASL.check_position(ruling.after)


@pytest.mark.clause("A12.15a")
def test_a_unit_that_is_sent_back_is_concealed_no_more() -> None:
    """Its own '?' is lost; from Wire it is put beneath it; from off the map it is off it."""
    assert (
        not step(concealed=True, others=(foot("e", **FOE),)).after.unit("u").concealment.concealed
    )
    alone = step(concealed=True)
    assert alone.after.unit("u").concealment.concealed
    wired = {"counters": (Counter(kind="wire", at="B1"),)}
    wire = step(scene=wired, inside="beneath", others=(foot("e", **FOE),))
    assert wire.after.unit("u").place.inside == "beneath"
    rim: dict[str, Any] = {"at": None, "entering": ("C1",)}
    off = last(place(field({"C1": {}}), foot(**rim), foot("e", **FOE)), "enter u C1")
    unit = off.after.unit("u")
    assert (off.status, unit.at, unit.offboard.entering, unit.move.mph) == (
        "LEGAL",
        None,
        ("C1",),
        "done",
    )
    ASL.check_position(off.after)
    assert not last(off.after, "settle detect:u loses").after.unit("e").concealment.concealed


@pytest.mark.clause("A4.14")
def test_nobody_goes_into_what_it_bypasses_if_a_known_enemy_is_there() -> None:
    """Once Known, an enemy keeps out a unit in Bypass, which can go on to another hex."""
    foe = foot("e", **FOE)
    position = place(patch(), foot(), foe)
    round_it = last(position, ROUND).after
    shown = round_it.with_units([replace(foe, concealed=False)])
    assert bars(last(shown, "into u")) == {"A4.14"}
    assert last(shown, "enter u D1").is_legal
    lone = place(patch(), foot())
    assert last(lone, ROUND, "into u").is_legal


@pytest.mark.clause("A4.33", "A12.151")
def test_a_unit_that_is_left_in_bypass_is_in_the_obstacle() -> None:
    """It is pinned there, its MPh over, all concealment in the hex lost; in the next phase it is inside."""
    position = place(patch(), foot(), foot("e", **FOE), foot("g", at="D0"))
    pinned = last(position, ROUND, "result u pinned").after
    assert (pinned.unit("u").place.bypass, pinned.unit("e").concealment.concealed) == (1, True)
    for line in ("end u", "phase DFPh", "enter g D1"):
        over = last(pinned, line).after
        assert not over.unit("e").concealment.concealed
    after = last(pinned, "phase DFPh").after
    assert (after.unit("u").at, after.unit("u").place.bypass) == ("C1", None)
    going = last(position, ROUND).after
    assert bars(last(going, "phase DFPh")) == {"A4.3e"}
    tank = vehicle("t", "t-26-m33", at="C1", bypass=1, facing="SSE", moving=False)
    board = patch({**WOODS, "clear": (90,) * 6})
    kept = last(place(board, tank), "end t", "phase DFPh").after
    assert kept.unit("t").place.bypass == 1


@pytest.mark.clause("A12.15a")
def test_reach_by_bypass_past_a_concealed_enemy() -> None:
    """Reach covers the enemy's hex in Bypass, not inside, and the hex beyond."""
    found = reach(place(patch(), foot(), foot("e", **FOE)), ["u"])[0]
    there = [place.mode for place in found.places if place.at == "C1"]
    assert there
    assert all(ASL.describe_mode(mode).get("bypass") for mode in there)
    assert "D1" in found.best()
    inside = reach(place(patch(), foot()), ["u"])[0]
    assert not all(ASL.describe_mode(p.mode).get("bypass") for p in inside.places if p.at == "C1")


@pytest.mark.clause("A12.15a", "D6.3b")
def test_a_unit_that_rides_goes_back_with_its_horse() -> None:
    """Horses and their riders are sent back together, and lose concealment."""
    horses, rider = foot("h", "horses"), foot(aboard="h", concealed=True)
    ruling = last(place(crossing(), horses, rider, foot("e", **FOE)), "enter h C1")
    assert [(u.at, u.concealment.concealed) for u in ruling.after.units[:2]] == [
        ("B1", False),
        ("B1", False),
    ]
    ASL.check_position(ruling.after)


@pytest.mark.clause("A12.15d", "A12.15a")
def test_a_unit_that_runs_into_dummies_goes_on_among_them() -> None:
    """Dummies are removed and it stays where it went; with one real unit among them it is sent back."""
    dummy = foot("e", dummy=True, **FOE)
    position = place(crossing(), foot(), dummy)
    met = last(position, "enter u C1")
    assert [(o.id, [x.outcome for x in o.outcomes]) for o in met.obligations] == [
        ("detect:u", ["loses"])
    ]
    found = last(position, "enter u C1", "settle detect:u loses").after
    assert (found.unit("u").at, found.unit("e").at, found.unit("e").concealment.concealed) == (
        "C1",
        None,
        False,
    )
    assert last(position, "enter u C1", "settle detect:u loses", "enter u C2").is_legal
    real = place(crossing(), foot(), dummy, foot("f", **FOE))
    sent = last(real, "enter u C1", "settle detect:u loses").after
    assert (sent.unit("u").at, sent.unit("e").at, sent.unit("f").at) == ("B1", None, "C1")
    stays = last(place(patch(), foot(), dummy), ROUND, "result u pinned", "end u").after
    assert stays.unit("e").at is None  # A12.151 takes its '?'
    into = last(place(patch(), foot(), dummy), ROUND, "into u", "settle detect:u loses").after
    assert (into.unit("u").at, into.unit("u").place.bypass, into.unit("e").at) == ("C1", None, None)


@pytest.mark.clause("A12.15e")
def test_a_halftrack_passes_concealed_enemies() -> None:
    """It enters their Location, and none of them is revealed; without them there is no note."""
    track = vehicle("h", "spw-251", at="B1", moving=True)
    foes = foot("e", **FOE), foot("k", "half-squad", **FOE)
    found = last(place(crossing(), track, *foes), "enter h C1")
    assert [clause for clause, _ in found.exceptions] == ["A12.15e"]
    assert (found.status, found.after.unit("h").at) == ("LEGAL", "C1")
    assert all(found.after.unit(name).concealment.concealed for name in ("e", "k"))
    alone = last(place(crossing(), track), "enter h C1")
    assert (alone.status, alone.exceptions) == ("LEGAL", ())


def test_who_is_seen_to_move_loses_concealment() -> None:
    """The enemy states it of a concealed counter, unnamed; not before it moves, nor of its own."""
    foe = foot("e", at="A1", side="russian")
    position = place(crossing(), foot(concealed=True), foot("v", concealed=True), foe)
    moved = last(position, "enter u C1").after
    seen = ASL.seen_by(moved, "russian")
    (of,) = [
        parameter for parameter in parameters(ASL.verbs["sight"]) if parameter.name == "of"
    ]  # fmt: skip
    assert ("?C1",) in ASL.values(seen, seen.unit("e"), of)
    assert last(seen, "sight e of=?C1").is_legal
    after = last(moved, "sight e of=?C1").after
    assert [after.unit(name).concealment.concealed for name in "uv"] == [False, True]
    assert after.unit("e").concealment.sees == ("u",)
    for scene, line in (
        (position, "sight e of=?B1"),
        (moved, "sight e of=?B1"),
        (moved, "sight v of=?A1"),
    ):
        with pytest.raises(BadInputError, match="only in the enemy's MPh; expected the Location"):
            last(scene, line)
