"""Units upstairs and in pillboxes: in Locations of their own above and beside the ground's."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.state.position import Counter
from tests.asl.boards import bars, cites, foot, last, load, paid, place, step, total, vehicle
from tests.asl.test_bypass import BUILDING, patch, walk

HOUSE = {"terrain": "Stone Building, 1 Level", "stairway": True}
GULLY = {"depression": "Gully", "level": -1}
FOE: dict[str, Any] = {"side": "russian", "at": "C1"}
PILLBOX = {"counters": (Counter(kind="pillbox", at="C1"),)}
AWAY: tuple[Any, ...] = (("upstairs", HOUSE, {}), ("beneath", {}, PILLBOX))
FOXHOLE = {"counters": (Counter(kind="foxhole", at="C1"),)}
SAME: tuple[Any, ...] = (("", HOUSE, {}), ("beneath", {}, FOXHOLE), ("crest", GULLY, {}))


@pytest.mark.clause("A4.14", "A12.15a")
@pytest.mark.parametrize("column", ["inf", "cav"])
def test_enemies_elsewhere_in_the_hex_keep_nobody_out(column: str) -> None:
    """An enemy upstairs or in a pillbox, Known or not, is in another Location; one in a foxhole is not."""
    for inside, there, scene in AWAY if column == "inf" else AWAY[1:]:
        for concealed in (False, True):
            enemy = foot("e", inside=inside, concealed=concealed, **FOE)
            found = step(column, there=there, others=(enemy,), scene=scene)
            assert (found.status, found.obligations) == ("LEGAL", ())
    for inside, there, scene in SAME:
        held = step(there=there, others=(foot("e", inside=inside, **FOE),), scene=scene)
        assert bars(held) == {"A4.14"}


@pytest.mark.clause("A12.15b", "A12.151")
@pytest.mark.parametrize(("inside", "keeps"), [("upstairs", True), ("", False)])
def test_a_unit_that_is_upstairs_is_not_shown_by_what_happens_below(
    inside: str, *, keeps: bool
) -> None:
    """Running into a concealed enemy below, or being stranded in Bypass, leaves one upstairs concealed."""
    other = foot("f", inside=inside, concealed=True, **FOE)
    below = foot("e", concealed=True, **FOE)
    met = place(patch(C1=HOUSE), foot(), below, other)
    loses = last(met, "enter u C1", "settle detect:u loses").after
    assert (loses.unit("e").concealment.concealed, loses.unit("f").concealment.concealed) == (
        False,
        keeps,
    )
    beside = place(patch(C1={**BUILDING, **HOUSE}), foot(bypass=1, pinned=True, at="C1"), other)
    assert last(beside, "end u").after.unit("f").concealment.concealed == keeps


@pytest.mark.clause("A5.11a", "A5.11b")
def test_friends_elsewhere_in_the_hex_do_not_stack() -> None:
    """Three squads upstairs, or in a pillbox, leave room for three more; in a foxhole they do not."""
    for column, clause in (("inf", "A5.11a"), ("tr", "A5.11b")):
        for inside, there, scene in AWAY if column == "inf" else AWAY[1:]:
            friends = tuple(foot(name, at="C1", inside=inside) for name in "abcd")
            assert paid(step(column, there=there, others=friends, scene=scene), clause) == 0
    friends = tuple(foot(name, at="C1", inside="beneath") for name in "abc")
    assert paid(step(others=friends, scene=FOXHOLE), "A5.11a") == 1


@pytest.mark.clause("B30.1")
def test_beneath_which_of_two_fortifications() -> None:
    """With a trench beside the pillbox, a unit beneath is in either: UNSUPPORTED, not ILLEGAL."""
    both = (*PILLBOX["counters"], Counter(kind="trench", at="C1"))
    enemy = foot("e", inside="beneath", **FOE)
    found = step(others=(enemy,), scene={"counters": both})
    assert (found.status, cites(found)) == ("UNSUPPORTED", {"B30.1"})
    assert step(others=(enemy,), scene=PILLBOX).is_legal
    assert step(scene={"counters": both}).is_legal


@pytest.mark.clause("A4.3i")
def test_an_enemy_upstairs_does_not_bar_bypass() -> None:
    """Bypass on the ground is affected only by enemies on the ground (A4.3i, read by Locations)."""
    board = patch(C1={**BUILDING, **HOUSE})
    up = foot("e", inside="upstairs", **FOE)
    assert walk("bypass u C1 vertex=E", board=board, others=(up,)).is_legal
    down = foot("e", **FOE)
    assert "A4.3i" in bars(walk("bypass u C1 vertex=E", board=board, others=(down,)))


@pytest.mark.clause("A4.1e")
def test_an_enemy_in_a_pillbox_holds_nobody_outside() -> None:
    """There is no Melee across a pillbox (B30.6); within a Location there may be."""
    pillbox = {"counters": (Counter(kind="pillbox", at="B1"),)}
    found = {"side": "russian", "at": "B1"}
    assert step(others=(foot("e", inside="beneath", **found),), scene=pillbox).is_legal
    assert cites(step(others=(foot("e", **found),), scene=pillbox)) == {"A4.1e"}


@pytest.mark.clause("A4.44a", "A4.44c")
def test_recovery_past_an_enemy_upstairs() -> None:
    """On the ground a SW is recovered despite an enemy upstairs, but not from a broken friend up there."""
    board = patch(B1=HOUSE)
    lying = (Counter(kind="sw 1 LMG", at="B1"),)
    up = foot("e", side="russian", inside="upstairs")
    assert last(place(board, foot(), up, counters=lying), "recover u LMG").is_legal
    near = foot("e", side="russian")
    assert "A4.44a" in bars(last(place(board, foot(), near, counters=lying), "recover u LMG"))
    broken = foot("b", broken=True, sw=load(1), inside="upstairs")
    ldr = foot(kind="leader")
    assert not last(place(board, ldr, broken), "recover u SW0").is_legal
    assert last(place(board, ldr, foot("b", broken=True, sw=load(1))), "recover u SW0").is_legal


@pytest.mark.clause("A4.431")
@pytest.mark.parametrize(("inside", "there", "scene", "barred"), [
    ("upstairs", HOUSE, {}, True), ("beneath", {}, PILLBOX, True), ("crest", GULLY, {}, True),
    ("beneath", {}, FOXHOLE, False), ("", HOUSE, {}, False),
])  # fmt: skip
def test_sw_are_handed_on_within_a_location(
    inside: str, there: dict[str, Any], scene: dict[str, Any], *, barred: bool
) -> None:
    """Not upstairs, into a pillbox, or between Crest status and IN; into a foxhole they can be."""
    units = foot(sw=load(1), at="C1"), foot("v", at="C1", inside=inside)
    position = place(patch(C1=there), *units, phase="RPh", **scene)
    assert bars(last(position, "transfer u v SW0")) == ({"A4.431"} if barred else set())


@pytest.mark.clause("A4.42d")
def test_ipc_is_not_lent_upstairs() -> None:
    """A SMC and the unit it helps begin the MPh in one Location."""
    for inside, barred in (("upstairs", {"A4.42d"}), ("", set())):
        ldr = foot("ldr", "leader")
        squad = foot(sw=load(4), inside=inside)
        assert bars(last(place(patch(B1=HOUSE), squad, ldr), "lend ldr u")) == barred


@pytest.mark.clause("A4.7d")
def test_to_another_level_of_the_same_hex() -> None:
    """In a building by its stairs, in a depression by crest; on open ground it is no step."""
    both = {"A4.1b", "A4.7d"}
    for here, result in ((HOUSE, both), (GULLY, both), ({}, {"A4.1b"})):
        for phase, verb in (("MPh", "enter"), ("APh", "advance")):
            found = last(place(patch(B1=here), foot(), phase=phase), f"{verb} u B1")
            assert bars(found) == result
    assert "A4.7d" not in bars(last(place(patch(B1=HOUSE), foot()), "enter u C1"))


@pytest.mark.clause("A4.15b")
def test_an_infantry_overrun_costs_double() -> None:
    """It is UNSUPPORTED, but ILLEGAL if twice the cost exceeds the squad's MF."""
    lone = (foot("e", "leader", **FOE),)
    woods = {"terrain": "Woods"}
    found = step(there=woods, others=lone)
    assert (found.status, paid(found, "A4.15b"), total(found)) == ("UNSUPPORTED", 2, 4)
    assert bars(step(there=woods, others=lone, left=3.5)) == {"A4.11b"}
    assert paid(step(there=woods, others=(vehicle("t", at="C1"),)), "A4.15b") == 0
