"""Wall Advantage: which units claim it, when, and how it is lost."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.state.position import Counter
from tests.asl.boards import bars, cites, field, foot, last, place, vehicle

WOOD = {"terrain": "Woods"}
WALL = {"terrain": "Wall"}
CLAIM = "wall-advantage u claim"


def yard(*units: Any, stated: Any = None, **fields: Any) -> Any:
    """Return a position on a board with a wall between B1 and C1."""
    hexes = {"A1": {}, "B1": {}, "C1": {}, "C2": {}, **(stated or {})}
    return place(field(hexes, {"B1-C1": WALL}), *units, **fields)


def foe(name: str = "e", at: str = "C1", **fields: Any) -> Any:
    """Return an enemy."""
    return foot(name, at=at, side="russian", **fields)


@pytest.mark.clause("B9.32", "B9.322c")
def test_who_claims_it() -> None:
    """An armed unbroken unit on the ground; a broken one with a friend who has it; no vehicle in woods."""
    ruling = last(yard(foot()), CLAIM)
    assert (ruling.status, ruling.after.unit("u").place.wall_advantage) == ("LEGAL", True)
    assert ruling.after.unit("u").move.mph == "unmoved"
    lost = last(yard(foot(wall_advantage=True), stated={"B1": WOOD}), "wall-advantage u forfeit")
    assert not lost.after.unit("u").place.wall_advantage
    for found in ({"broken": True}, {"unarmed": True}, {"wall_advantage": True}, {"column": "c"}):
        assert "B9.32" in bars(last(yard(foot(**found)), CLAIM))
    mate = foot("m", wall_advantage=True)
    assert not bars(last(yard(foot(broken=True), mate), CLAIM))
    assert bars(last(yard(foot(), foe(at="B1")), CLAIM)) == {"B9.32"}
    deep = yard(foot(inside="beneath"), counters=(Counter(kind="foxhole", at="B1"),))
    assert bars(last(deep, CLAIM)) == {"B9.32"}
    on_wire = yard(foot(), counters=(Counter(kind="wire", at="B1"),))
    assert bars(last(on_wire, CLAIM)) == {"B9.32"}
    assert bars(last(yard(foot()), "wall-advantage u forfeit")) == {"B9.32"}
    tank = vehicle(kind="ft-12")
    assert bars(last(yard(tank, stated={"B1": WOOD}), CLAIM)) >= {"B9.32"}


@pytest.mark.clause("B9.32")
def test_an_enemy_upstairs_leaves_wall_advantage() -> None:
    """Only an enemy in the same Location takes it away."""
    house = {"B1": {"terrain": "Wooden Building, 1 Level"}}
    above = foe(at="B1", inside="upstairs", floor=1)
    assert not bars(last(yard(foot(), above, stated=house), CLAIM))
    assert bars(last(yard(foot(), above, foe("f", at="B1"), stated=house), CLAIM)) == {"B9.32"}


@pytest.mark.clause("B9.32b")
def test_where_it_is_claimed() -> None:
    """Along a wall of the unit's level, not in a hex without one, nor from above it."""
    assert bars(last(yard(foot(at="C2")), CLAIM)) == {"B9.32b"}
    assert bars(last(yard(foot(), stated={"B1": {"level": 1}}), CLAIM)) == {"B9.32b"}
    assert not bars(last(yard(foot(at="C1")), CLAIM))


@pytest.mark.clause("B9.32c")
def test_where_it_is_not_stated() -> None:
    """Towards higher ground, on foot in Bypass, and against concealed units it is UNSUPPORTED."""
    assert cites(last(yard(foot(), stated={"C1": {"level": 1}}), CLAIM)) == {"B9.32c"}
    assert cites(last(yard(foot(bypass=1), stated={"B1": WOOD}), CLAIM)) == {"B9.32c"}
    assert cites(last(yard(foot(), foe(concealed=True)), CLAIM)) == {"B9.32c"}
    assert cites(last(yard(foot()), CLAIM)) == set()


@pytest.mark.clause("B9.321")
def test_an_enemy_beyond_the_wall() -> None:
    """An enemy that has or must claim it prevents it; one in woods without it, or a broken one, does not."""
    assert bars(last(yard(foot(), foe(wall_advantage=True), stated={"C1": WOOD}), CLAIM)) == {
        "B9.321"
    }
    assert bars(last(yard(foot(), foe()), CLAIM)) == {"B9.321"}
    as_stated = yard(foot(), foe(), readings=(("B9.321", "stated"),))
    assert not bars(last(as_stated, CLAIM))
    assert not bars(last(yard(foot(), foe(), stated={"C1": WOOD}), CLAIM))
    assert not bars(last(yard(foot(), foe(broken=True)), CLAIM))
    mate = foot("m", wall_advantage=True)  # the enemy cannot have it while a friend does
    assert not bars(last(yard(foot(), mate, foe()), CLAIM))


@pytest.mark.clause("B9.322")
def test_who_is_bound() -> None:
    """A pinned, TI or Immobile unit can neither claim it nor give it up."""
    for unit in (foot(pinned=True), foot(ti=True)):
        assert "B9.322" in bars(last(yard(unit), CLAIM))
    kept = yard(foot(wall_advantage=True, pinned=True), stated={"B1": WOOD})
    assert "B9.322" in bars(last(kept, "wall-advantage u forfeit"))
    stuck = vehicle(kind="ft-12", immobile=True, moving=False)
    assert "B9.322" in bars(last(yard(stuck), CLAIM))


@pytest.mark.clause("B9.322b")
def test_when_it_is_claimed() -> None:
    """In its own MPh, APh or a RPh, not after its MPh; it can be forfeited at any time."""
    for phase in ("RPh", "APh"):
        assert last(yard(foot(), phase=phase), CLAIM).status == "LEGAL"
    assert bars(last(yard(foot(mph="done")), CLAIM)) == {"B9.322b"}
    assert cites(last(yard(foot(), phase="DFPh"), CLAIM)) == {"B9.322b"}
    assert cites(last(yard(foot(side="russian")), CLAIM)) == {"B9.322b"}
    kept = yard(foot(wall_advantage=True), stated={"B1": WOOD}, phase="DFPh")
    assert last(kept, "wall-advantage u forfeit").status == "LEGAL"


@pytest.mark.clause("B9.323")
def test_who_must_keep_it() -> None:
    """A unit without a TEM in its hex cannot give it up; in woods it can."""
    assert bars(last(yard(foot(wall_advantage=True)), "wall-advantage u forfeit")) == {"B9.323"}
    woods = yard(foot(wall_advantage=True), stated={"B1": WOOD})
    assert not bars(last(woods, "wall-advantage u forfeit"))


@pytest.mark.clause("B9.41")
def test_how_it_is_lost() -> None:
    """By entering another Location, or going beneath a foxhole."""
    for unit in (foot(wall_advantage=True), vehicle(kind="ft-12", wall_advantage=True)):
        ruling = last(yard(unit), "enter u C1")
        assert not ruling.after.unit("u").place.wall_advantage
    deep = yard(foot(wall_advantage=True), counters=(Counter(kind="foxhole", at="B1"),))
    assert not last(deep, "shift u beneath").after.unit("u").place.wall_advantage
    turned = last(yard(vehicle(kind="ft-12", wall_advantage=True)), "turn u SSE")
    assert turned.after.unit("u").place.wall_advantage
