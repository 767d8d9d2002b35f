"""The Dash across a road: who declares it, over what, and what follows."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.rules.generator import legal_actions
from tests.asl.boards import ASL, bars, cites, field, foot, last, load, place, total, vehicle

WOODS = {"terrain": "Woods"}
ROAD = {"road": "Dirt Road"}
STREET = field(
    {"B1": WOODS, "C1": {}, "C2": {}, "C3": {}, "D1": WOODS, "D2": WOODS, "B2": WOODS, "B3": {}},
    {"C1-C2": ROAD, "C2-C3": ROAD},
)
"""A road runs down column C between woods on either side."""
ACROSS = ("dash u D2", "enter u C2", "enter u D2")


def walker(name: str = "u", at: str = "B1", **fields: Any) -> Any:
    """Return a unit in the woods beside the street."""
    return foot(name, at=at, **fields)


def scene(*units: Any, board: Any = STREET, **fields: Any) -> Any:
    """Return a position beside the street."""
    return place(board, *units, **fields)


@pytest.mark.clause("A4.63a")
def test_who_dashes() -> None:
    """Infantry can Dash as its MPh begins, not in Assault Movement nor in a vehicle."""
    assert last(scene(walker()), "dash u D2").status == "LEGAL"
    assert not bars(last(scene(walker()), "double-time u", "dash u D2"))
    assert "A4.63a" in bars(last(scene(walker()), "assault u", "dash u D2"))
    assert "A4.63a" in bars(last(scene(walker(mph="moving", spent=1, used=1)), "dash u D2"))
    assert "A4.63a" in bars(last(scene(vehicle(at="B1")), "dash u D2"))
    assert "A4.63a" in bars(last(scene(walker()), "dash u D2", "dash u D2"))


@pytest.mark.clause("A4.63b")
def test_what_a_dash_crosses() -> None:
    """The road lies between both Locations, whichever way it runs on; it can end there."""
    assert bars(last(scene(walker()), "dash u B3")) >= {"A4.63b"}  # both west of the road
    assert bars(last(scene(walker(at="B2")), "dash u B1")) >= {"A4.63b"}
    bare = field({"B1": WOODS, "C1": {}, "C2": {}, "D2": WOODS})
    assert bars(last(scene(walker(), board=bare), "dash u D2")) == {"A4.63b"}
    end = field({"B1": WOODS, "C1": {}, "C2": {}, "D2": WOODS}, {"C1-C2": ROAD})
    assert not bars(last(scene(walker(), board=end), "dash u D2"))
    no = {"readings": (("A4.63b", "none"),)}
    assert bars(last(scene(walker(), board=end, **no), "dash u D2")) == {"A4.63b"}
    assert not bars(last(scene(walker(), **no), "dash u D2"))
    runway, along = {"terrain": "Runway"}, {"road": "Runway"}
    wide = field(
        {"B1": WOODS, "C1": runway, "C2": runway, "C3": runway, "D2": WOODS, "B2": WOODS},
        {"C1-C2": along, "C2-C3": along},
    )
    assert "A4.63b" in bars(last(scene(walker(), board=wide), "dash u D2"))  # B7.4
    astray = last(scene(walker()), "dash u D2", "enter u B2")
    assert "A4.63b" in bars(astray)


@pytest.mark.clause("A4.63c")
def test_open_ground_at_either_end() -> None:
    """Enemy sight of Open Ground is UNSUPPORTED unless stated; without enemies on the map there is none."""
    board = field(
        {"B1": WOODS, "C1": {}, "C2": {}, "C3": {}, "D2": {}, "D1": WOODS},
        {"C1-C2": ROAD, "C2-C3": ROAD},
    )
    foe = foot("e", at="D1", side="russian")
    for unit, to in ((walker(), "D2"), (walker(at="D2"), "B1")):
        ruling = last(scene(unit, foe, board=board), f"dash u {to}")
        assert (ruling.status, "A4.63c" in cites(ruling)) == ("UNSUPPORTED", True)
        assert "dash UNITS TO unseen=true" in ruling.unsupported[0].note
        assert last(scene(unit, foe, board=board), f"dash u {to} unseen=true").is_legal
        assert not bars(last(scene(unit, board=board), f"dash u {to}"))
        found = scene(unit, foe, board=board, readings=(("A4.63c", "unseen"),))
        assert last(found, f"dash u {to}").status != "UNSUPPORTED"
    for line in ("dash u B1", "dash u B1 unseen=true"):
        seen = scene(walker(at="D2", sees=("e",)), foe, board=board)
        assert "A4.63c" in bars(last(seen, line)), "a statement does not undo another"
    assert last(scene(walker(), board=board), "dash u D1").status != "UNSUPPORTED"


@pytest.mark.clause("A4.63d")
def test_what_a_dash_costs() -> None:
    """Road and woods cost 3 MF: a squad has 4, and with 5 PP too few, except with its leader."""
    assert not bars(last(scene(walker(sw=load(4))), "dash u D2"))
    barred = last(scene(walker(sw=load(5))), "dash u D2")
    (said,) = barred.violations
    assert (said.clause, said.need, said.have) == ("A4.63d", 6, 4)
    led = scene(walker(sw=load(5)), walker("l", kind="leader"))
    assert not bars(last(led, "dash u,l D2"))
    assert not bars(last(scene(walker(sw=load(5))), "double-time u", "dash u D2"))


@pytest.mark.clause("A4.63e")
def test_nothing_else_is_done() -> None:
    """A Dashing unit only enters; Double Time, by which it can afford the Dash, is declared before."""
    for line in ("assault u", "minimum u C2", "advance u C2", "double-time u"):
        assert "A4.63e" in bars(last(scene(walker()), "dash u D2", line))
    assert "A4.63e" in bars(last(scene(walker()), *ACROSS[:2], "double-time u"))
    assert not bars(last(scene(walker()), "minimum u C2")) & {"A4.63e"}
    dashing = last(scene(walker()), "dash u D2").after
    assert dashing is not None
    assert "A4.63e" in ASL.left_out(dashing, dashing.unit("u"))
    offered = {str(choice.action).partition(" ")[0] for choice in legal_actions(dashing, "u")}
    assert offered == {"enter"}


@pytest.mark.clause("A4.63f")
def test_it_goes_where_it_has_said() -> None:
    """From the road it can enter only the Location declared, and by no more expensive way."""
    assert last(scene(walker()), *ACROSS).status == "LEGAL"
    assert bars(last(scene(walker()), *ACROSS[:2], "enter u D1")) == {"A4.63f"}
    assert bars(last(scene(walker()), ACROSS[0], "enter u C2 off_road=true")) >= {"A4.63f"}
    assert not bars(last(scene(walker()), "enter u C2", "enter u D1"))


@pytest.mark.clause("A4.63g")
def test_there_its_mph_is_over() -> None:
    """On the far side the unit is done; one that merely walks there can go on."""
    done = last(scene(walker()), *ACROSS)
    assert (total(done), done.after.unit("u").move.mph, done.after.unit("u").move.dash) == (
        2, "done", None,
    )  # fmt: skip
    assert "A4.2a" in bars(last(scene(walker()), *ACROSS, "enter u C2"))
    assert "A4.2a" not in bars(last(scene(walker()), *ACROSS[1:], "enter u C2"))


@pytest.mark.clause("A4.63h")
def test_broken_off() -> None:
    """Ending its MPh in the road, or moving others first, is UNSUPPORTED; a pin ends the Dash."""
    mate = foot("v", at="B3")
    for line in ("end u", "enter v C3", "phase DFPh"):
        ruling = last(scene(walker(), mate), *ACROSS[:2], line)
        assert (ruling.status, "A4.63h" in cites(ruling)) == ("UNSUPPORTED", True), line
    assert last(scene(walker(), mate), *ACROSS, "enter v C3").status == "LEGAL"
    pinned = last(scene(walker(), mate), *ACROSS[:2], "result u pinned", "enter v C3")
    assert pinned.status == "LEGAL"


@pytest.mark.clause("A4.63i")
def test_fire_at_it_in_the_road() -> None:
    """Only in the road is it fired at by Area Fire."""

    def stated(*log: str) -> list[str]:
        after = last(scene(walker()), *log).after
        assert after is not None
        found = ASL.entitlements(after, after.unit("u"))
        return [str(entry["factor"]) for entry in found if "A4.63i" in entry["clauses"]]

    assert (stated(*ACROSS[:1]), stated(*ACROSS[:2]), stated(*ACROSS)) == ([], ["0.5"], [])
    assert stated("enter u C2") == []
