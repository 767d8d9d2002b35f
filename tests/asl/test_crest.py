"""Crest status: who claims it in a Depression, along which side, and for what."""

from __future__ import annotations

from typing import Any

import pytest

from tests.asl.boards import ASL, bars, cites, field, foot, last, place, total, vehicle

GULLY = {"depression": "Gully", "level": -1}
BANKS = field(
    {"B2": GULLY, "C2": {}, "C3": {}, "B1": GULLY, "A2": {}, "A3": {}, "B3": {}},
    {"B2-C3": {"terrain": "Cliff"}},
)
"""A gully from B1 to B2, banks on all other sides of B2, a cliff to the SE."""
STREAM = field({"B2": GULLY, "B1": {}, "C2": {}})


def crest(side: str = "NE", *units: Any, board: Any = BANKS, **fields: Any) -> Any:
    """Return how it is ruled that a unit in B2 claims Crest status along a side."""
    scene = place(board, *(units or (foot(at="B2"),)), **fields)
    return last(scene, f"crest u {side}")


@pytest.mark.clause("B20.91")
def test_who_claims_crest_status() -> None:
    """Infantry in Good Order IN a Depression, on its ground; nobody where a ford or bridge is."""
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
    """Not where the Depression goes on, nor along a cliff; along any other."""
    found = {side: bars(crest(side)) for side in ("N", "NE", "SE", "S", "SW", "NW")}
    barred = {side for side, said in found.items() if said}
    assert barred == {"N", "SE"}
    assert found["N"] == found["SE"] == {"B20.91b"}


@pytest.mark.clause("B20.91c")
def test_at_the_edge_of_the_map() -> None:
    """Nobody tells whether the Depression goes on there: UNSUPPORTED."""
    ruling = crest("S", board=STREAM)
    assert ruling.status == "UNSUPPORTED"
    assert "B20.91c" in cites(ruling)
    assert crest("N", board=STREAM).status == "LEGAL"


@pytest.mark.clause("B20.91d")
def test_what_it_costs() -> None:
    """2 MF, no less will do; in the APh it is the Advance, for none."""
    assert total(crest()) == 2
    assert bars(crest("NE", foot(at="B2", spent=5, used=5, mph="moving"))) == {"A4.11b"}
    assert not bars(crest("NE", foot(at="B2", spent=4, used=4, mph="moving")))
    advance = crest(phase="APh")
    assert (advance.status, total(advance)) == ("LEGAL", 0)
    twice = last(place(BANKS, foot(at="B1"), phase="APh"), "advance u B2", "crest u NE")
    assert "A4.7c" in bars(twice)
    led = place(BANKS, foot(at="B2"), foot("l", "leader", at="B2"))
    assert total(last(led, "crest u,l NE")) == 2


@pytest.mark.clause("B20.91e")
def test_it_is_at_the_crest() -> None:
    """Along that side; how it is left is not modelled yet."""
    after = crest().after
    assert after is not None
    unit = after.unit("u")
    assert (unit.at, unit.place.inside, unit.place.crest) == ("B2", "crest", 1)
    assert ASL.effect_in_words("inside", "crest") == "is at the Crest"
    assert "B20.9" in cites(last(after, "enter u C2"))
    plain = last(place(BANKS, foot(at="B2")), "enter u C2").after
    assert (plain.unit("u").place.inside, plain.unit("u").place.crest) == ("", None)
