"""Crest status: which units claim it in a Depression, along which side, and its effects."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.answers.verdicts import effect_text
from marchtable.state.position import Counter
from tests.asl.boards import ASL, bars, cites, field, foot, last, place, total, vehicle

GULLY = {"depression": "Gully", "level": -1}
BANKS = field(
    {"B2": GULLY, "C2": {}, "C3": {}, "B1": GULLY, "A2": {}, "A3": {}, "B3": {}},
    {"B2-C3": {"terrain": "Cliff"}},
)
"""A gully from B1 to B2, banks on all other sides of B2, and a cliff to the SE."""
STREAM = field({"B2": GULLY, "B1": {}, "C2": {}})


def crest(side: str = "NE", *units: Any, board: Any = BANKS, **fields: Any) -> Any:
    """Return the ruling on a Crest claim by a unit in B2 along a side."""
    scene = place(board, *(units or (foot(at="B2"),)), **fields)
    return last(scene, f"crest u {side}")


@pytest.mark.clause("B20.91")
def test_who_claims_crest_status() -> None:
    """Good Order Infantry IN a Depression, on its ground, can; not at a ford or bridge."""
    assert crest().status == "LEGAL"
    for unit in (
        foot(at="B2", inside="beneath"), foot(at="B2", disrupted=True), foot(at="C2"),
        vehicle(at="B2", moving=False),
    ):  # fmt: skip
        assert "B20.91" in bars(crest("N" if unit.at == "C2" else "NE", unit))
    ford = field({"B2": {**GULLY, "terrain": "Ford"}, "C2": {}})
    assert bars(crest(board=ford)) == {"B20.91"}
    deck = {"hex": "B2", "terrain": "Single Hex Wooden Bridge"}
    assert bars(crest(board=field({"B2": GULLY, "C2": {}, "D9": deck}))) == {"B20.91"}
    assert not bars(crest(board=field({"B2": GULLY, "C2": {}, "D9": {**deck, "hex": "D9"}})))


@pytest.mark.clause("B20.91b")
def test_along_which_side() -> None:
    """Not where the Depression continues, nor along a cliff; along any other side."""
    found = {side: bars(crest(side)) for side in ("N", "NE", "SE", "S", "SW", "NW")}
    barred = {side for side, said in found.items() if said}
    assert barred == {"N", "SE"}
    assert found["N"] == found["SE"] == {"B20.91b"}


@pytest.mark.clause("B20.91c")
def test_at_the_edge_of_the_map() -> None:
    """Whether the Depression continues there is unknown: UNSUPPORTED."""
    ruling = crest("S", board=STREAM)
    assert ruling.status == "UNSUPPORTED"
    assert "B20.91c" in cites(ruling)
    assert crest("N", board=STREAM).status == "LEGAL"


@pytest.mark.clause("B20.91d")
def test_what_it_costs() -> None:
    """It costs 2 MF, no less; in the APh it is the Advance, for none."""
    assert total(crest()) == 2
    assert bars(crest("NE", foot(at="B2", spent=5, used=5, mph="moving"))) == {"A4.11b"}
    assert not bars(crest("NE", foot(at="B2", spent=4, used=4, mph="moving")))
    advance = crest(phase="APh")
    assert (advance.status, total(advance)) == ("LEGAL", 0)
    twice = last(place(BANKS, foot(at="B1"), phase="APh"), "advance u B2", "crest u NE")
    assert "A4.7c" in bars(twice)
    led = place(BANKS, foot(at="B2"), foot("l", "leader", at="B2"))
    assert total(last(led, "crest u,l NE")) == 2


@pytest.mark.clause("B24.2")
@pytest.mark.parametrize("kind", ["stone-rubble", "wooden-rubble", "debris"])
def test_what_it_costs_among_rubble(kind: str) -> None:
    """It costs 4 MF, all a squad has; debris is no rubble; in the APh it is the Advance, for none."""
    given: dict[str, Any] = {"counters": (Counter(kind=kind, at="B2"),)}
    cost = 2 if kind == "debris" else 4
    ruling = crest(**given)
    assert (ruling.status, total(ruling)) == ("LEGAL", cost)
    spent = 5 - cost
    bare = crest("NE", foot(at="B2", spent=2 * spent, used=2 * spent, mph="moving"), **given)
    assert bars(bare) == {"A4.11b"}
    assert total(crest(phase="APh", **given)) == 0
    stream = field({"B2": {"depression": "Shallow Stream", "level": -1}, "C2": {}})
    assert total(crest(board=stream, **given)) == cost
    elsewhere: dict[str, Any] = {"counters": (Counter(kind=kind, at="C2"),)}
    assert total(crest(**elsewhere)) == 2
    assert total(crest(board=field({"B2": {}, "C2": {}}), **given)) == 2  # not in a Depression


@pytest.mark.clause("B20.91e")
def test_it_is_at_the_crest() -> None:
    """The unit is at that side; anything except moving out of it is UNSUPPORTED."""
    after = crest().after
    assert after is not None
    unit = after.unit("u")
    assert (unit.at, unit.place.inside, unit.place.crest) == ("B2", "crest", 1)
    assert effect_text(ASL, "inside", "crest") == "is at the Crest"
    assert cites(last(after, "exit u")) == {"B20.9"}
    assert not cites(last(after, "assault u"))
    plain = last(place(BANKS, foot(at="B2")), "enter u C2").after
    assert (plain.unit("u").place.inside, plain.unit("u").place.crest) == ("", None)


BENT = field(
    {
        "B2": GULLY, "B1": GULLY, "B3": {**GULLY, "terrain": "Woods"}, "C2": {"terrain": "Woods"},
        "C3": {"level": 1}, "A2": {}, "A3": {**GULLY}, "B4": {},
    },
    {"B2-A3": {"terrain": "Cliff"}},
)  # fmt: skip
"""A gully from N to S; a wood in the NE, a hill in the SE, open ground in the NW, a cliff in the SW."""


def out(line: str, *log: str, side: int | None = 1, **fields: Any) -> Any:
    """Return the ruling on leaving a Crest of that side of B2."""
    scene = {name: fields.pop(name) for name in ("phase",) if name in fields}
    at_it = foot(at="B2", inside="crest", crest=side, **fields)
    return last(place(BENT, at_it, **scene), *log, line)


@pytest.mark.clause("B20.93a", "B20.9")
def test_whither_from_the_crest() -> None:
    """To both hexes on its side; to hexes beyond or in the Depression it goes down first."""
    assert not bars(out("enter u C2"))
    assert not bars(out("enter u C3"))
    for there in ("A2", "B1", "B3"):
        assert bars(out(f"enter u {there}")) == {"B20.93a"}, there
    assert not bars(out("enter u A2", side=5))
    assert bars(out("enter u C2", side=5)) == {"B20.93a"}
    assert not bars(out("enter u B1", "descend u"))
    assert bars(last(place(BENT, foot(at="B2")), "descend u")) == {"B20.93a"}
    unstated = out("enter u C2", side=None)
    assert (unstated.status, cites(unstated)) == ("UNSUPPORTED", {"B20.93a"})
    assert cites(out("push u u C2")) >= {"B20.9"}


@pytest.mark.clause("B20.93b", "B20.93c")
def test_what_leaving_a_crest_costs() -> None:
    """1 MF plus the terrain's cost, at the level above: 3 into woods, twice 1 plus 1 up a hill."""
    assert (total(out("enter u C2")), total(out("enter u C3"))) == (3, 3)
    assert total(out("enter u A2", side=5)) == 2
    after = out("enter u C2").after.unit("u")
    assert (after.place.inside, after.place.crest) == ("", None)
    assert total(out("descend u")) == 2  # as if it came from beside the hex
    down = out("descend u").after.unit("u")
    assert (down.at, down.place.inside, down.place.crest) == ("B2", "", None)
    assert total(out("enter u A2", "descend u")) == 2  # up from the bottom, doubled
    assert bars(out("enter u A2", "descend u", side=1, spent=2, used=2, mph="moving")) == {"A4.11b"}


@pytest.mark.clause("B20.93b")
def test_leaving_a_crest_in_the_aph() -> None:
    """It can advance from there to its side, or down; not both."""
    for line in ("advance u C2", "descend u"):
        found = out(line, phase="APh")
        assert (found.status, total(found)) == ("LEGAL", 0)
    assert "A4.7c" in bars(out("advance u C2", "descend u", phase="APh"))


def into(line: str = "enter u B2 crest=true", at: str = "C2", **fields: Any) -> Any:
    """Return the ruling on entering a Crest."""
    board = fields.pop("board", BENT)
    return last(place(board, fields.pop("unit", None) or foot(at=at), **fields), line)


@pytest.mark.clause("B20.91f")
def test_who_enters_at_the_crest() -> None:
    """Infantry from beside the Depression can; not along it, past a cliff, on wheels, or at a ford."""
    assert into().status == "LEGAL"
    assert bars(into(at="B1")) == {"B20.91f"}
    assert bars(into(at="A3")) == {"B11", "B20.91f"}
    assert "B20.91f" in bars(into("enter u C2 crest=true", at="C3"))
    assert "B20.91f" in bars(into(unit=foot(kind="cavalry", at="C2")))
    ford = field({"B2": {**GULLY, "terrain": "Ford"}, "C2": {}})
    assert "B20.91f" in bars(into(board=ford))
    two = field({"B2": GULLY, "C2": GULLY, "C3": {}, "D2": {}})
    both = last(place(two, foot(at="C3", inside="crest", crest=0)), "enter u B2 crest=true")
    assert "B20.91f" in bars(both)


@pytest.mark.clause("B20.91g", "B20.91h")
def test_entering_at_the_crest() -> None:
    """The Crest costs one MF less than the bottom; the unit is at the hexside it entered by. It can advance there."""
    assert (total(into()), total(into("enter u B2"))) == (1, 2)
    unit = into().after.unit("u").place
    assert (unit.inside, unit.crest) == ("crest", 1)
    plain = into("enter u B2").after.unit("u").place
    assert (plain.inside, plain.crest) == ("", None)
    advance = into("advance u B2 crest=true", phase="APh")
    assert (advance.status, advance.after.unit("u").place.crest) == ("LEGAL", 1)


@pytest.mark.clause("B33.12", "B20.91g")
@pytest.mark.parametrize(
    ("grown", "cost", "bottom"),
    [("Woods", 3, 5), ("Brush", 3, 5), ("Orchard", 2, 4), ("Open Ground", 2, 3)],
)
def test_entering_at_the_crest_above_a_stream(grown: str, cost: int, bottom: int) -> None:
    """3 MF in woods or brush, 2 in an orchard, at any depth; a bare stream costs a MF less than usual."""
    for depth, more in (("Shallow Stream", 0), ("Deep Stream", 1)):
        stream = {"terrain": grown, "level": -1, "depression": depth}
        board = field({"B2": stream, "C2": {}})
        bare = more if grown == "Open Ground" else 0
        large = foot(at="C2", double=True) if bottom + more > 4 else foot(at="C2")
        assert total(into("enter u B2", board=board, unit=large)) == bottom + more
        assert total(into(board=board, unit=large)) == cost + bare


@pytest.mark.clause("B20.93a")
def test_reach_looks_past_a_crest() -> None:
    """Reach says so, and finds no way from a Crest."""
    scene = place(BENT, foot(at="B2", inside="crest", crest=1))
    assert list(ASL.left_out(scene, scene.unit("u"))) == ["B20.93a"]
    assert ASL.travel_in(scene, scene.unit("u")) == ()
