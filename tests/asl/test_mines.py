"""Minefields: which units are attacked, and the effects of harm."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable import answer
from marchtable.state.position import Counter
from marchtable_models.asl.rulebook import RULEBOOK as ASL
from tests.asl.boards import COLUMNS, bars, cites, field, foot, last, place, step, total, vehicle

OPEN = field({"A1": {}, "B1": {}, "C1": {}, "C2": {}})
WOOD = {"terrain": "Woods"}
HALL = {"terrain": "Stone Building, 1 Level", "clear": (0,) * 6}


def mined(*units: Any, at: tuple[str, ...] = ("C1",), board: Any = OPEN, **fields: Any) -> Any:
    """Return a position with minefields."""
    return place(
        board, *units, counters=tuple(Counter(kind="minefield", at=one) for one in at), **fields
    )


def due(ruling: Any) -> list[str]:
    """Return the rolls due."""
    return [one.id for one in ruling.obligations]


def scene(at: str) -> dict[str, Any]:
    """Return the fields of a position with a minefield there."""
    return {"counters": (Counter(kind="minefield", at=at),)}


@pytest.mark.clause("B28.41")
def test_who_is_attacked() -> None:
    """Any unit entering or leaving a minefield, at the terrain's cost; not one passing by."""
    for column in COLUMNS:
        into = step(column, scene=scene("C1"))
        assert (into.status, due(into), total(into)) == ("LEGAL", ["mines:u"], total(step(column)))
        assert due(step(column, scene=scene("B1"))) == ["mines-left:u"]
        assert due(step(column, "enter u C2", scene=scene("C1"))) == []
    both = last(mined(foot(), at=("B1", "C1")), "enter u C1")
    assert due(both) == ["mines-left:u", "mines:u"]
    stack = last(mined(foot(), foot("l", "leader")), "enter u,l C1")
    assert due(stack) == ["mines:u", "mines:l"]
    assert [o.outcome for o in stack.obligations[1].outcomes][3] == "wounded"
    assert due(last(mined(foot(), phase="APh"), "advance u C1")) == ["mines:u"]
    trench = Counter(kind="trench", at="B1"), Counter(kind="trench", at="C1")
    field_ = (Counter(kind="minefield", at="C1"), *trench)
    along = place(OPEN, foot(inside="beneath"), counters=field_)
    assert due(last(along, "enter u C1 beneath=true")) == []


@pytest.mark.clause("B28.412")
def test_whom_mines_stop() -> None:
    """Unharmed it goes on; harmed while leaving it stays, and meets no second minefield."""
    pair = mined(foot(), at=("B1", "C1"))
    free = last(pair, "enter u C1", "settle mines-left:u unharmed", "settle mines:u unharmed")
    assert (free.after.unit("u").at, free.after.unit("u").move.mph) == ("C1", "moving")
    for outcome, state in (("pinned", "pinned"), ("broken", "broken")):
        ruling = last(pair, "enter u C1", f"settle mines-left:u {outcome}")
        unit = ruling.after.unit("u")
        assert (unit.at, unit.move.mph, getattr(unit.status, state)) == ("B1", "done", True)
        assert ruling.after.pending == ()
        entered = last(mined(foot()), "enter u C1", f"settle mines:u {outcome}").after.unit("u")
        assert (entered.at, getattr(entered.status, state)) == ("C1", True)
    tank = mined(vehicle(kind="ft-12"), foot("p", aboard="u"), at=("B1",))
    after = last(tank, "enter u C1", "settle mines-left:u immobilized").after
    assert [(u.at, u.motion.immobile) for u in after.units] == [("B1", True), ("B1", False)]
    wreck = last(tank, "enter u C1", "settle mines-left:u eliminated").after.unit("u")
    assert (wreck.type, wreck.at) == ("wreck", "B1")
    wood = field({"B1": {}, "C1": {**WOOD, "clear": (10,) * 6}, "C2": {}})
    round_it = last(mined(vehicle(kind="ft-12"), at=("B1",), board=wood), "bypass u C1")
    assert round_it.after.unit("u").place.bypass is not None
    fell = last(round_it.after, "settle mines-left:u eliminated").after.unit("u")
    assert (fell.type, fell.at, fell.place.bypass) == ("wreck", "B1", None)


@pytest.mark.clause("B28.411")
def test_casualty_reductions() -> None:
    """The half squad left is named; a second break in rout leaves none; a leader may be wounded."""
    lines = ("enter u C1", "settle mines:u reduced")
    halved = last(mined(foot()), *lines, "settle half-squad:u 2-4-7").after.unit("u")
    assert (halved.type, halved.at, halved.status.broken) == ("german 2-4-7", "C1", False)
    assert cites(last(mined(foot(kind="half-squad")), *lines)) == {"B28.411"}
    leader = last(mined(foot(kind="leader")), "enter u C1", "settle mines:u wounded")
    assert leader.status == "LEGAL"
    assert leader.after.unit("u").status.wounded
    board = field({"A1": {}, "B1": {}, "C1": WOOD})
    flees = mined(foot(broken=True, dm=True), board=board, phase="RtPh")
    for harm in ("pinned", "broken", "reduced"):
        again = last(flees, "rout u C1", f"settle mines:u {harm}")
        assert (again.status, "B28.411" in cites(again)) == ("UNSUPPORTED", True)
    assert last(flees, "rout u C1", "settle mines:u unharmed").status == "LEGAL"


@pytest.mark.clause("B28.41", "B28.41b", "B28.412")
@pytest.mark.parametrize("column", ["cav", "hd", "mc"])
def test_mines_attack_horses_wagons_and_cycles(column: str) -> None:
    """Unharmed they go on, from one minefield into the next; the effect of harm is UNSUPPORTED."""
    for at, roll in (("C1", "mines"), ("B1", "mines-left")):
        entered = step(column, scene=scene(at))
        assert (entered.status, due(entered)) == ("LEGAL", [f"{roll}:u"])
        assert [o.outcome for o in entered.obligations[0].outcomes] == ["unharmed", "harmed"]
        after = last(entered.after, f"settle {roll}:u unharmed")
        assert (after.status, after.after.unit("u").at) == ("LEGAL", "C1")
        harmed = last(entered.after, f"settle {roll}:u harmed")
        assert (harmed.status, cites(harmed)) == ("UNSUPPORTED", {"B28.41b"})


@pytest.mark.clause("B28.44")
def test_mines_in_a_building() -> None:
    """From hex to hex of one building no unit is attacked; from outside all are."""
    board = field({"B1": HALL, "C1": HALL, "C2": {}})
    inside = last(mined(foot(), board=board), "enter u C1")
    assert due(inside) == []
    assert "B28.44" in dict(inside.exceptions)
    assert due(last(mined(foot(at="C2"), board=board), "enter u C1")) == ["mines:u"]


@pytest.mark.clause("B28.4")
def test_mines_of_which_too_little_is_stated() -> None:
    """Trail Breaks, Dummies, and units not on the ground are UNSUPPORTED."""
    trail = (*scene("C1")["counters"], Counter(kind="trail-break-SW", at="C1"))
    assert "B28.4" in cites(step(there=WOOD, scene={"counters": trail}))
    huts = {"terrain": "Stone Building"}
    assert cites(step(here=huts, there=huts, scene=scene("C1"))) == {"B28.4"}
    assert cites(last(mined(foot(dummy=True, concealed=True)), "enter u C1")) == {"B28.4"}
    hidden = foot("e", at="C1", side="russian", concealed=True)
    assert "B28.4" in cites(last(mined(foot(), hidden), "enter u C1"))
    assert cites(last(mined(foot(), at=("B1",)), "exit u")) == {"B28.4"}
    assert "B28.4" not in cites(last(mined(foot()), "enter u C1"))


@pytest.mark.clause("B28.4")
def test_a_trail_break_beside_the_mines() -> None:
    """It affects only mines of its own hex; an AFV in woods is assumed to have made one."""
    behind = Counter(kind="trail-break-SW", at="B1")
    for mines, met in (("C1", set()), ("B1", {"B28.4"})):
        given = {"counters": (*scene(mines)["counters"], behind)}
        assert cites(step("ft", here=WOOD, hexside={"road": "Dirt Road"}, scene=given)) == met
    for off_road, met in ((False, set()), (True, {"B28.4"})):
        left = step(
            "ft", here=WOOD, hexside={"road": "Dirt Road"}, scene=scene("B1"), off_road=off_road
        )
        assert cites(left) & {"B28.4"} == met


@pytest.mark.clause("B28.43")
def test_getting_off_in_a_minefield() -> None:
    """A unit unloading there is attacked as if entering, which is UNSUPPORTED."""
    truck = (vehicle("u", "opel-blitz", moving=False), foot("p", aboard="u"))
    assert "B28.43" in cites(last(mined(*truck, at=("B1",)), "unload p"))
    assert "B28.43" not in cites(last(mined(*truck), "unload p"))


def test_a_plan_through_mines_tells_no_odds() -> None:
    """A plan can assume that mines do no harm; its answer then gives no probability."""
    result = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "board": {"name": "lane", "rows": [". . ."]},
        "units": [{"id": "u", "side": "german", "type": "4-6-7", "at": "A1"}],
        "counters": [{"kind": "minefield", "at": "B1"}],
    }  # fmt: skip
    goal = {"format": "marchtable/goal/1", "aims": [{"units": ["u"], "at": ["B1"], "must": "all"}]}
    found = answer({"verb": "plan", "scene": result, "goal": goal})
    (one,) = found["assumed"]
    assert (one["outcome"], one["chance"], found["probability"]) == ("unharmed", None, None)
    avoided = answer({"verb": "plan", "scene": result, "goal": goal, "rolls": "avoid"})
    assert avoided["status"] == "IMPOSSIBLE"


def test_odds_are_odds() -> None:
    """A settled decision has none; only known outcomes are accepted."""
    ruling = last(mined(foot()), "enter u C1")
    assert not ruling.obligations[0].has_odds
    assert bars(ruling) == set()


def test_the_other_side_makes_the_attack() -> None:
    """The unit's own side sees no results to choose from: the minefield's owner enters them."""
    after = last(mined(foot()), "enter u C1").after
    (own,) = ASL.seen_by(after, "german").pending
    assert own.outcomes == ()
    assert own.note == "the other side rolls the attack of its minefield, and enters the result"
    assert ASL.seen_by(after, "russian").pending == after.pending
