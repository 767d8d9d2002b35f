"""Human Waves: the chain that declares one, its course, its Impulses, and its end."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.rules.generator import legal_actions
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl import grains
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    field,
    foot,
    last,
    load,
    place,
    vehicle,
)

NAMES = [f"{column}{row}" for column in "ABCDEFGHI" for row in range(1, 10)]
CHAIN = (("a", "D2"), ("b", "D2"), ("c", "E2"), ("d", "E2"), ("f", "F2"), ("g", "F2"))
ALL = "wave a,b,c,d,f,g,l e S"


def board(**fields: Any) -> Any:
    """Return nine columns of nine open hexes, except as given."""
    return field({name: fields.get(name, {}) for name in NAMES})


def ivan(name: str, at: str, kind: str = "squad", **fields: Any) -> Any:
    """Return a Russian unit."""
    return foot(name, kind, at=at, side="russian", **fields)


def fritz(name: str = "e", at: str = "E6", **fields: Any) -> Any:
    """Return a German unit."""
    return foot(name, **{"side": "german", "at": at, **fields})


def men(**fields: Any) -> list[Any]:
    """Return six squads in three hexes and a leader; one sees the enemy; `stated` are fields by unit."""
    squads = [ivan(name, **{"at": at, **fields.get(name, {})}) for name, at in CHAIN]
    squads[2] = ivan("c", "E2", **{"sees": ("e",), **fields.get("c", {})})
    return [*squads, ivan("l", **{"at": "E2", "kind": "leader", **fields.get("l", {})})]


def scene(*units: Any, where: Any = None, **fields: Any) -> Any:
    """Return a position in the Russian MPh."""
    return place(where or board(), *(units or (*men(), fritz())), **{"side": "russian", **fields})


def declared(line: str = ALL, *units: Any, **fields: Any) -> Any:
    """Return the ruling on a declaration."""
    return last(scene(*units, **fields), line)


def moves(*fields: str) -> str:
    """Return an Impulse of the wave: where a, b, c, d, f, g and l go; `stay` for those that stay."""
    return "impulse a " + " ".join(one if one == "stay" else f"enter:{one}" for one in fields)


FIRST = moves("D3", "D3", "E3", "E3", "F3", "F3", "E3")
SECOND = moves("D4", "D4", "E4", "E4", "F4", "F4", "E4")


def test_courses() -> None:
    """As in the rulebook's example: through P1, P2, O3, O4, with two hexes ahead and two aside."""
    at = {"P2": (15, 4), "O3": (14, 5), "O4": (14, 7), "P1": (15, 2)}
    row = grains.row(at["O3"], "SW-S")
    assert set(at.values()) <= set(row)
    assert (grains.ahead("SW-S"), grains.aside("SW-S")) == ((4, 3), (2, 5))
    assert (grains.ahead("S"), grains.aside("S")) == ((2, 3, 4), ())
    assert grains.distance((15, 4), row) == 0
    assert at["O4"] not in grains.before(at["O3"], "SW-S")
    assert len(set(grains.COURSES)) == 18


@pytest.mark.clause("A25.23a", "G1.5")
def test_who_declares() -> None:
    """Russians, Chinese and Ethiopians; a Banzai Charge, and its chain, is UNSUPPORTED."""
    assert declared().status == "LEGAL"
    for nation in ("chinese", "ethiopian"):
        assert not bars(
            declared(ALL, *men(**{n: {"nationality": nation} for n in "abcdfgl"}), fritz())
        )
    assert bars(declared(ALL, *men(a={"nationality": "finnish"}), fritz())) == {"A25.23a"}
    few = [ivan("a", "D2", nationality="japanese", sees=("e",)), fritz()]
    banzai = declared("wave a e SE-S", *few)
    assert (banzai.status, cites(banzai)) == ("UNSUPPORTED", {"G1.5", "A25.23a", "A25.23b"})
    assert "A3.3" in bars(declared(phase="PFPh"))


@pytest.mark.clause("A25.23b")
def test_the_chain() -> None:
    """Three adjacent hexes, a MMC in each, two on average, and a leader."""
    assert bars(declared("wave a,b,c,d,l e S")) == {"A25.23b"}
    assert bars(declared("wave a,b,c,d,f,l e S")) == {"A25.23b"}
    assert not bars(declared("wave a,b,c,d,f,g,h,l e S", *men(), ivan("h", "D2"), fritz()))
    assert not bars(declared(ALL, *men(g={"at": "D2"}), fritz()))  # three, two and one
    assert bars(declared("wave a,b,c,d,f,g e S")) == {"A25.23b"}
    apart = men(f={"at": "G2"}, g={"at": "G2"})
    assert bars(declared(ALL, *apart, fritz())) == {"A25.23b"}
    assert "A25.23b" in bars(declared("wave a,a,c,d,f,g,l e S"))


@pytest.mark.clause("A25.23c", "A25.23e", "A25.232c")
def test_its_units() -> None:
    """Unmoved Good Order Infantry on foot, adjacent to no enemy, with no more than its IPC."""
    for state in ({"broken": True}, {"pinned": True}, {"berserk": True}, {"melee": "held"}):
        assert "A25.23c" in bars(declared(ALL, *men(a=state), fritz())), state
    begun = men(a={"mph": "moving", "spent": 1, "used": 1})
    assert bars(declared(ALL, *begun, fritz())) == {"A25.23c"}
    assert bars(declared(ALL, *men(), fritz(), fritz("f2", "D3"))) == {"A25.23e"}
    hidden = fritz("f2", "D3", concealed=True)
    assert bars(declared(ALL, *men(), fritz(), hidden)) == {"A25.23e"}
    assert not bars(declared(ALL, *men(), fritz(), fritz("f2", "D4")))
    assert not bars(declared(ALL, *men(a={"sw": load(3)}), fritz()))
    assert bars(declared(ALL, *men(a={"sw": load(4)}), fritz())) == {"A25.232c"}
    truck = vehicle("t", at="D2", side="russian", moving=False)
    assert "A25.23c" in bars(declared("wave t,b,a,c,d,f,g,l e S", *men(), truck, fritz()))
    held = fritz("p", "D2", unarmed=True, guard="a")
    guards = declared(ALL, *men(), fritz(), held)
    assert (guards.status, "A25.23c" in bars(guards)) == ("ILLEGAL", True)
    twice = last(scene(), ALL).after
    assert "A25.23c" in bars(last(twice, ALL))


@pytest.mark.clause("A25.23d")
def test_its_target_by_computed_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where sight is computed a hill hex decides, a Blaze leaves it open; stated sight takes precedence."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")
    found = men(c={"sees": ()})

    def ruled(where: Any = None, *units: Any, sight: str = "computed", **more: Any) -> Any:
        fields = {"where": where, "stated": {"sight": sight}, **more}
        return last(scene(*(units or (*found, fritz())), **fields), ALL)

    hill = board(E5={"level": 1})
    assert ruled().status == "LEGAL"
    assert bars(ruled(hill)) == {"A25.23d"}
    assert ruled(hill, *men(), fritz()).status == "LEGAL"
    assert ruled(smoke=["E4"]).status == "LEGAL"
    fire = ruled(counters=(Counter(kind="other blaze", at="E4"),))
    assert (fire.status, cites(fire)) == ("UNSUPPORTED", {"A25.23d"})
    assert bars(ruled(None, *found, fritz(not_sees=tuple(one.id for one in found)))) == {"A25.23d"}
    given = ruled(hill, sight="given")
    assert (given.status, cites(given)) == ("UNSUPPORTED", {"A25.23d"})


@pytest.mark.clause("A25.23d")
def test_its_target() -> None:
    """An enemy unit that one of them sees, within eight hexes."""
    unseen = declared(ALL, *men(c={"sees": ()}), fritz())
    assert (unseen.status, cites(unseen)) == ("UNSUPPORTED", {"A25.23d"})
    assert not bars(declared(ALL, *men(c={"sees": ()}), fritz(sees=("a",))))
    assert bars(declared("wave a,b,c,d,f,g,l a S")) == {"A25.23d"}
    far = field({f"{column}{row}": {} for column in "DEF" for row in range(1, 12)})
    assert not bars(declared(ALL, *men(), fritz(at="E10"), where=far))
    assert bars(declared(ALL, *men(), fritz(at="E11"), where=far)) == {"A25.23d"}


@pytest.mark.clause("A25.23f")
def test_no_concealment() -> None:
    """A concealed unit loses concealment."""
    after = declared(ALL, *men(a={"concealed": True}), fritz()).after
    assert not after.unit("a").concealment.concealed


@pytest.mark.clause("A25.231")
def test_its_course() -> None:
    """It comes as near as any to a unit that sees the target: E2 and E6 are in one column."""
    for course in ("S", "SW-S", "SE-S"):
        found = declared(f"wave a,b,c,d,f,g,l e {course}")
        assert (bars(found) == set()) == (course == "S"), course
    assert bars(declared("wave a,b,c,d,f,g,l e N")) == {"A25.231"}
    askew = men(c={"sees": ()}, b={"sees": ("e",)})  # from D2, one hex off each
    for course, found in (("S", set()), ("SE-S", set()), ("S-SE", set()), ("SW", {"A25.231"})):
        assert bars(declared(f"wave a,b,c,d,f,g,l e {course}", *askew, fritz())) == found, course
    line = declared().after.unit("a").line
    assert (line.wave, line.course, line.upon) == ("a", "S", "E6")


@pytest.mark.clause("A25.232a")
def test_its_mf() -> None:
    """8 each, SMC and Inexperienced too, without leader or road bonus."""
    after = declared(ALL, *men(a={"inexperienced": True}), fritz()).after
    assert {name: allotment(after, name) for name in ("a", "b", "l")} == {"a": 8, "b": 8, "l": 8}
    assert allotment(scene(), "a") == 4
    moved = last(after, FIRST)
    assert {one.unit: one.left for one in moved.receipts} == dict.fromkeys("abcdfgl", 14)


@pytest.mark.clause("A25.232b")
def test_by_impulses_alone() -> None:
    """No Enter, Assault Movement, Double Time, Dash or Search; others of its side can."""
    after = declared().after
    for line in (
        "enter a D3",
        "assault a",
        "double-time a",
        "dash a D4",
        "search a",
        "minimum a D3",
    ):
        assert "A25.232b" in bars(last(after, line)), line
    assert last(after, FIRST).status == "LEGAL"
    assert not bars(last(scene(), "enter a D3"))


@pytest.mark.clause("A25.232d")
def test_it_goes_on() -> None:
    """Each enters one of three forward hexes; a unit that can may not stay, go back or aside."""
    after = declared().after
    assert bars(last(after, moves("stay", "D3", "E3", "E3", "F3", "F3", "E3"))) == {"A25.232d"}
    assert not bars(last(after, moves("C3", "D3", "E3", "E3", "F3", "F3", "E3")))
    assert bars(last(after, moves("D1", "D3", "E3", "E3", "F3", "F3", "E3"))) == {"A25.232d"}
    walled = board(**{key: {"terrain": "Water"} for key in ("C2", "C3", "D3", "E3")})
    stuck = declared(where=walled).after
    assert not bars(last(stuck, moves("stay", "stay", "F2", "F2", "F3", "F3", "F2")))


@pytest.mark.clause("A25.232d")
def test_side_hexes() -> None:
    """By an Alternate Hex Grain two are ahead, and two aside, entered only if an enemy is there."""
    at = {name: {"wave": "a", "course": "SW-S", "upon": "E6"} for name, _ in CHAIN}
    units = [*men(**at)[:6], fritz()]
    free = scene(*units)
    plain = "impulse a enter:D3 enter:D3 enter:E3 enter:E3 enter:F3 enter:F3"
    assert not bars(last(free, plain))
    aside = plain.replace("enter:F3 enter:F3", "enter:F3 enter:G3")
    assert bars(last(free, aside)) == {"A25.232d"}
    assert not bars(last(scene(*units, fritz("f2", "G3")), aside))


@pytest.mark.clause("A25.232e")
def test_within_a_hex() -> None:
    """A unit that goes beneath a counter, or stays where one is, is UNSUPPORTED."""
    wire = last(scene(counters=(Counter(kind="foxhole", at="D2"),)), ALL).after
    ruling = last(wire, moves("stay", "D3", "E3", "E3", "F3", "F3", "E3"))
    assert (bars(ruling), "A25.232e" in cites(ruling)) == (set(), True)
    assert not cites(last(wire, FIRST))
    pit = last(scene(counters=(Counter(kind="foxhole", at="D3"),)), ALL).after
    assert "A25.232e" in cites(last(pit, FIRST.replace("enter:D3", "beneath:D3")))


@pytest.mark.clause("A25.232f")
def test_a_wounded_smc() -> None:
    """Its actions are UNSUPPORTED, even where it cannot pay."""
    after = declared(ALL, *men(l={"wounded": True}), fritz()).after
    assert "A25.232f" in cites(last(after, FIRST))
    assert "A25.232f" not in cites(last(declared().after, FIRST))


@pytest.mark.clause("A25.2321")
def test_the_range_counter() -> None:
    """A unit that moves away from the course must come nearer before moving away again."""
    after = last(declared().after, moves("C3", "D3", "E3", "E3", "F3", "F3", "E3")).after
    assert (after.unit("a").line.strayed, after.unit("b").line.strayed) == (True, False)
    again = moves("B3", "D4", "E4", "E4", "F4", "F4", "E4")
    assert bars(last(after, again)) == {"A25.2321"}
    kept = last(after, again.replace("B3", "C4")).after
    assert kept.unit("a").line.strayed
    back = last(kept, moves("D4", "D5", "E5", "E5", "F5", "F5", "E5"))
    assert (back.status, back.after.unit("a").line.strayed) == ("LEGAL", False)


@pytest.mark.clause("A25.2322")
def test_no_return() -> None:
    """Not to a Location left in an earlier Impulse, nor adjacent to it; the one just left does not matter."""
    after = last(declared().after, FIRST).after
    assert after.unit("a").line.trodden == ("D2",)
    plain = moves("D4", "D4", "E4", "E4", "F4", "F4", "E4")
    assert not bars(last(after, plain))
    trodden = after.with_units([msgspec.structs.replace(
        after.unit("a"), line=msgspec.structs.replace(after.unit("a").line, trodden=("D5",))
    )])  # fmt: skip
    assert bars(last(trodden, plain)) == {"A25.2322"}


def near(*others: Any, **fields: Any) -> Any:
    """Return the wave as it comes to enemies in row 4."""
    return last(scene(*men(**fields), fritz(at="E4"), *others), ALL, FIRST).after


@pytest.mark.clause("A25.233a", "A4.14", "A4.15", "A4.15b")
def test_known_enemies_first() -> None:
    """A unit that can enters the Location of a Known enemy ahead; then others can pass it."""
    past = moves("D4", "D4", "D3", "D3", "F4", "F4", "D3")
    missed = last(near(), past)
    assert "A25.233a" in bars(missed)
    entered = last(near(), moves("D4", "D4", "E4", "D3", "F4", "F4", "D3"))
    assert (entered.status, {one.amount for one in entered.receipts}) == ("LEGAL", {2})
    two = near(fritz("f2", "D4"))
    assert not bars(last(two, moves("D4", "D4", "E4", "D3", "F4", "F4", "D3")))
    down = last(scene(*men(), fritz(at="E4", disrupted=True)), ALL, FIRST).after
    assert "A25.233a" not in bars(last(down, past))
    weak = last(near(fritz("f2", "D4", disrupted=True)), past)  # a Known enemy all the same
    assert [{v.units[0] for v in one.violations} for one in (missed, weak)] == [
        set("abcdfgl"),
        set("cdfgl"),
    ]
    smc = last(scene(*men(), fritz(at="E4", kind="hero")), ALL, FIRST).after
    alone = last(smc, moves("D4", "D4", "E4", "E4", "F4", "F4", "E4"))
    assert (alone.status, {one.amount for one in alone.receipts}) == ("LEGAL", {2})  # not doubled


@pytest.mark.clause("A25.233a", "A25.234a")
def test_enemies_upstairs_are_not_reached_on_the_ground() -> None:
    """No unit need enter beneath a Known enemy, and one beneath it goes on."""
    house = {"terrain": "Stone Building, 1 Level", "clear": (0,) * 6}
    above = fritz(at="E4", inside="upstairs", floor=1)
    there = last(scene(*men(), above, where=board(E4=house)), ALL, FIRST).after
    past = last(there, moves("D4", "D4", "D3", "D3", "F4", "F4", "D3"))
    assert "A25.233a" not in bars(past)
    beneath = last(there, moves("D4", "D4", "E4", "E4", "F4", "F4", "E4"))
    on = last(beneath.after, moves("D5", "D5", "E5", "E5", "F5", "F5", "E5"))
    assert not {"A25.234a", "A25.233a"} & bars(on)


@pytest.mark.clause("A25.233b")
def test_hidden_enemies() -> None:
    """Running into concealed enemies is UNSUPPORTED."""
    hidden = near(fritz("f2", "D4", concealed=True))
    assert "A25.233b" in cites(last(hidden, moves("D4", "C4", "E4", "E4", "F4", "F4", "E4")))
    assert "A25.233b" not in cites(last(near(), moves("D4", "C4", "E4", "E4", "F4", "F4", "E4")))


@pytest.mark.clause("A25.234a")
def test_who_has_come_to_enemies() -> None:
    """As the next Impulse begins it drops out, pays nothing, and moves no more; the others go on."""
    after = last(near(), moves("D4", "D4", "E4", "E4", "F4", "F4", "E4")).after
    assert after.unit("c").line.wave == "a"
    on = last(after, moves("D5", "D5", "stay", "stay", "F5", "F5", "stay"))
    assert (on.status, {one.unit for one in on.receipts}) == ("LEGAL", set("abfg"))
    for name, mph in (("c", "done"), ("a", "moving")):
        assert on.after.unit(name).move.mph == mph
    assert on.after.unit("c").line.wave == ""
    assert "A25.234a" in bars(last(after, moves("D5", "D5", "E5", "stay", "F5", "F5", "stay")))
    cleared = last(after, "result e eliminated").after  # so they are still in the wave
    assert "A25.232d" in bars(last(cleared, moves("D5", "D5", "stay", "stay", "F5", "F5", "stay")))


@pytest.mark.clause("A25.234b", "A25.234c")
def test_how_it_ends() -> None:
    """No unit ends it, moves before it or begins another phase while one of its units can go on."""
    after = declared(ALL, *men(), ivan("z", "A1"), fritz()).after
    for line in ("end a", "enter z A2", "phase DFPh"):
        assert "A25.234b" in bars(last(after, line)), line
        assert "A25.234b" in bars(last(last(after, FIRST).after, line)), line
    tired = after.with_units([
        msgspec.structs.replace(one, points=msgspec.structs.replace(one.points, spent=16, used=16))
        for one in after.units if one.line.wave
    ])  # fmt: skip
    for line in ("end a", "enter z A2", "phase DFPh"):
        assert not bars(last(tired, line)), line
    assert last(tired, "phase DFPh").after.unit("a").line.wave == ""
    assert last(tired, "end a").after.unit("g").line.wave == ""
    assert list(ASL.left_out(after, after.unit("z"))) == ["A25.234b"]
    assert list(ASL.left_out(after, after.unit("a"))) == ["A25.232b"]
    broken = last(after, "result a broken").after
    assert broken.unit("a").line.wave == ""


@pytest.mark.clause("A25.234b", "A15.43d")
def test_who_moves_first() -> None:
    """Berserk units, then one Human Wave, then another: each can go on, in any stated order."""
    mad = ivan("z", "A1", berserk=True, sees=("e",))
    assert bars(declared(ALL, *men(), mad, fritz())) == {"A15.43d"}
    struck = last(scene(*men(), ivan("z", "A1", sees=("e",)), fritz()), ALL, "result z berserk")
    assert bars(last(struck.after, FIRST)) == {"A15.43d"}
    assert not bars(last(struck.after, "enter z B1"))
    others = zip("hijkmn", ("D9", "D9", "E9", "E9", "F9", "F9"), strict=True)
    two = scene(
        *men(), *(ivan(*one) for one in others), ivan("o", "E9", "leader", sees=("e",)), fritz()
    )
    assert bars(last(two, ALL, "wave h,i,j,k,m,n,o e N")) == {"A25.234b"}
    assert not bars(last(two, "wave h,i,j,k,m,n,o e N"))


def test_impulses_are_offered() -> None:
    """After the declaration a wave's Impulses are proposed, member by member; each ends legal."""
    types = [*men()[:1], ivan("l", "D2", "leader", sees=("e",))]
    result = {"wave": "a", "course": "S", "upon": "D6"}
    two = [
        msgspec.structs.replace(one, line=msgspec.structs.replace(one.line, **result))
        for one in types
    ]
    position = scene(*two, fritz(at="D6"))
    waiting, found = legal_actions(position), []
    while waiting:
        choice = waiting.pop()
        found += [str(choice.action)] * choice.closes
        waiting += legal_actions(position, opened=choice.action) if choice.joins else []
    assert len(found) == len(set(found)) == 3 * 3
    assert all(last(position, line).status == "LEGAL" for line in found)


def test_a_scene_tells_its_course() -> None:
    """A wave without a course is refused, and so is one of vehicles."""
    lone = scene(ivan("a", "D2", wave="w"), fritz())
    with pytest.raises(BadInputError, match="wave needs course, and in upon a Location"):
        ASL.check_position(lone)
    ASL.check_position(scene(ivan("a", "D2", wave="w", course="S", upon="E6"), fritz()))
    with pytest.raises(BadInputError, match="wave is for Infantry"):
        ASL.check_position(scene(vehicle("t", at="D2", wave="w", course="S", upon="E6")))


def in_wave(spent: float) -> Any:
    """Return a wave whose units have each spent this many MF."""
    halves = round(2 * spent)
    found = {
        "spent": halves,
        "used": halves,
        "mph": "moving",
        "wave": "a",
        "course": "S",
        "upon": "E6",
    }
    return scene(*[replace(one, **found) for one in men()], fritz())


@pytest.mark.clause("A25.232a")
@pytest.mark.parametrize(("spent", "barred"), [(7, set()), (7.5, {"D14.31b"})])
def test_the_eighth_mf(spent: float, barred: set[str]) -> None:
    """Of 8 MF, 7 can be spent before a hex of Open Ground for 1 MF, not 7.5."""
    moved = last(in_wave(spent), FIRST)
    assert bars(moved) == barred
    assert {one.amount for one in moved.receipts} == {2}


@pytest.mark.clause("A25.234c")
def test_a_wave_without_mf_is_over() -> None:
    """With all 8 MF spent no unit can go on: its MPh is ended, and no unit is in the wave."""
    ended = last(in_wave(8), "end a")
    assert ended.status == "LEGAL"
    assert {one.line.wave for one in ended.after.units} == {""}
