"""SMOKE grenades: which units place them, where, the cost, and the results."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.rules.generator import legal_actions
from tests.asl.boards import bars, cites, field, foot, last, place, total, vehicle

HILL, HOUSE = {"level": 1}, {"terrain": "Stone Building"}
BOARD = field(
    {"B1": {}, "A1": HILL, "A2": {"level": 2}, "C1": HOUSE, "C2": {"level": 1}, "B2": {}, "B3": {}},
    {"B1-C2": {"terrain": "Cliff"}},
)
"""Around B1: hills of one and two levels, one above a cliff, a house and open ground."""


def thrown(line: str = "smoke u B2 3", *log: str, board: Any = BOARD, **fields: Any) -> Any:
    """Return the ruling on an attempt by a squad in B1, after a previous log."""
    scene = {name: fields.pop(name) for name in ("stated", "phase") if name in fields}
    unit = fields.pop("who", None) or foot(**fields)
    return last(place(board, unit, **scene), *log, line)


@pytest.mark.clause("A24.1a")
def test_who_tries() -> None:
    """A Good Order Infantry squad, once a MPh; no half squad, leader or vehicle."""
    assert thrown().status == "LEGAL"
    for who in (foot(kind="half-squad"), foot(kind="leader"), foot(disrupted=True), vehicle()):
        assert "A24.1a" in bars(thrown(who=who)), who
    again = thrown("smoke u B1 3", "smoke u B2 3", "settle smoke:u failed")
    assert bars(again) == {"A24.1a"}
    assert bars(thrown(pinned=True)) == {"A7.8a"}
    assert "A3.3" in bars(thrown(phase="APh"))
    assert not [c for c in legal_actions(place(BOARD, foot())) if "smoke" in str(c.action)]


@pytest.mark.clause("A24.1b")
def test_where() -> None:
    """In its own hex or an adjacent one only."""
    assert not bars(thrown("smoke u B1 3"))
    assert not bars(thrown("smoke u C1 3"))
    assert bars(thrown("smoke u B3 3")) == {"A24.1b"}


@pytest.mark.clause("A24.1c")
def test_how_high() -> None:
    """One level up, never two; not up a cliff, but down one."""
    assert not bars(thrown("smoke u A1 3"))
    assert bars(thrown("smoke u A2 3")) == {"A24.1c"}
    assert bars(thrown("smoke u C2 3")) == {"A24.1c"}
    assert not bars(thrown("smoke u B1 3", at="C2"))
    assert not bars(thrown("smoke u B1 3", at="A2"))


@pytest.mark.clause("A24.1d")
def test_not_in_water() -> None:
    """Neither in a pond nor in marsh."""
    for wet in ("Marsh", "Water"):
        board = field({"B1": {}, "C1": {"terrain": wet}, "B2": {"terrain": "Woods"}})
        assert bars(thrown("smoke u C1 3", board=board)) == {"A24.1d"}
        assert not bars(thrown("smoke u B2 3", board=board))


@pytest.mark.clause("A24.11", "A24.11b")
def test_in_bad_weather() -> None:
    """Rain, Mud and Deep Snow allow none except in a building; from another building it is UNSUPPORTED."""
    for found in ({"rain": True}, {"mud": True}, {"deep_snow": True}):
        assert bars(thrown(stated=found)) == {"A24.11"}
    assert bars(thrown("smoke u C1 3", stated={"rain": True})) == {"A24.11"}  # from the open
    assert thrown("smoke u C1 3", stated={"rain": True}, at="C1").status == "LEGAL"
    street = field({"C1": HOUSE, "D1": HOUSE})
    into = thrown("smoke u D1 3", stated={"rain": True}, at="C1", board=street)
    assert (into.status, cites(into)) == ("UNSUPPORTED", {"A24.11b"})
    assert thrown("smoke u D1 3", at="C1", board=street).status == "LEGAL"


@pytest.mark.clause("A24.1e")
def test_what_a_try_costs() -> None:
    """1 MF in its own hex, 2 in an adjacent one; with 1 MF left only its own."""
    assert (total(thrown("smoke u B1 3")), total(thrown())) == (1, 2)
    tired: dict[str, Any] = {"spent": 6, "used": 6, "mph": "moving"}
    assert not bars(thrown("smoke u B1 3", **tired))
    assert bars(thrown(**tired)) == {"A4.11b"}


def chances(ruling: Any) -> dict[str, int]:
    """Return the number of 36 results for each outcome."""
    (roll,) = ruling.obligations
    return {odds.outcome: odds.chance for odds in roll.outcomes}


@pytest.mark.clause("A24.1f")
def test_the_odds() -> None:
    """It succeeds on the exponent or less; WP one less; up a level half of them fall short."""
    assert chances(thrown()) == {"placed": 18, "failed": 12, "ends": 6}
    assert chances(thrown("smoke u B2 3 wp=true")) == {"placed": 12, "failed": 18, "ends": 6}
    assert chances(thrown("smoke u A1 2")) == {"placed": 6, "short": 6, "failed": 18, "ends": 6}
    assert chances(thrown("smoke u B1 5")) == {"placed": 30, "ends": 6}
    assert chances(thrown("smoke u B2 1 wp=true")) == {"failed": 30, "ends": 6}


@pytest.mark.clause("A24.1g")
def test_what_comes_of_it() -> None:
    """SMOKE lies in its target, or falls short, until the MPh is over; a 6 ends the unit's MPh."""
    for line, outcome, at in (("smoke u A1 2", "placed", "A1"), ("smoke u A1 2", "short", "B1")):
        after = thrown(f"settle smoke:u {outcome}", line).after
        assert [(c.kind, c.at) for c in after.counters] == [("smoke", at)]
        assert after.unit("u").move.mph == "moving"
        assert not last(after, "phase DFPh").after.counters
    assert thrown("settle smoke:u failed", "smoke u A1 2").after.counters == ()
    assert thrown("settle smoke:u ends", "smoke u A1 2").after.unit("u").move.mph == "done"
    hidden = thrown("enter u B2", "smoke u B2 3", "settle smoke:u placed")
    assert (hidden.status, total(hidden)) == ("LEGAL", 2)


@pytest.mark.clause("A4.63a")
def test_a_dash_behind_smoke() -> None:
    """A unit that has only tried SMOKE can still declare a Dash; one that has moved cannot."""
    woods, road = {"terrain": "Woods"}, {"road": "Dirt Road"}
    street = field(
        {"B1": woods, "C1": {}, "C2": {}, "C3": {}, "D2": woods, "B2": woods},
        {"C1-C2": road, "C2-C3": road},
    )
    log = ("smoke u B1 3", "settle smoke:u failed")
    assert not bars(thrown("dash u D2", *log, board=street))
    dear = thrown("dash u D2", "smoke u C2 3", "settle smoke:u failed", board=street)
    assert bars(dear) == {"A4.63d"}
    assert "A4.63a" in bars(thrown("dash u C3", *log, "enter u B2", board=street))
