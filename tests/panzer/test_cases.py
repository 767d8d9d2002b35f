"""Cases found by careful readers, each the smallest that shows the fault."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.files.scenes import position_of, scene_data
from marchtable.picture.showing import counters_of
from marchtable.state.records import replace
from marchtable_models.panzer.rules.stack_order import stack_order
from tests.panzer.scenes import (
    PANZER,
    after,
    bars,
    field,
    foe,
    last,
    place,
    rifles,
    stated,
    tank,
    truck,
    unit,
    wagon,
)  # fmt: skip
from tests.panzer.test_combat import FULL, PAIR, RIDERS, state
from tests.panzer.test_stacking import END, crowd

COMBINED = {"B1": "combine", "B3": "allowed"}


# -- loads of a scene ------------------------------------------------------------------------------

LOADS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("P.elig-b", (truck(), unit("c", "cavalry", aboard="t"))),
    ("P.elig-c", (unit("k", "panther"), unit("g", "german-gun", aboard="k"))),
    ("P.turn-a", (truck(), rifles("r", aboard="t"), rifles("s", aboard="t"))),
    ("P.elig-a", (rifles("s"), rifles("r", aboard="s"))),
    ("P.elig-a", (truck(), tank("k", aboard="t"))),
)


@pytest.mark.clause("P.elig-a", "P.elig-b", "P.elig-c", "P.turn-a")
@pytest.mark.parametrize(("clause", "units"), LOADS, ids=lambda v: v if isinstance(v, str) else "")
def test_scenes_hold_no_load_that_nobody_could_take(clause: str, units: tuple[Any, ...]) -> None:
    """A scene with a passenger that cannot be carried is rejected, with the clause."""
    with pytest.raises(BadInputError) as caught:
        place(*units)
    assert f"({clause})" in caught.value.message
    assert (caught.value.field or "").endswith(".aboard")


def test_two_aboard_where_they_may_be() -> None:
    """A scene with two passengers is valid if the register lets a transport carry any number."""
    units = (truck(), rifles("r", aboard="t"), rifles("s", aboard="t"))
    assert place(*units, readings={"B7": "any"}).unit("s").aboard == "t"


# -- one of three things ---------------------------------------------------------------------------


@pytest.mark.clause("P.turn-d")
def test_no_loading_after_carrying() -> None:
    """A tank whose rider was shot off on the way cannot load another in that phase, unless B1 combines."""
    units = (tank(), rifles(aboard="k"), rifles("x", "C4"))
    lines = ("move k C4", "hit r X", "load k x")
    assert bars(place(*units), *lines) == {"P.turn-d"}
    assert bars(place(*units, readings=COMBINED), *lines) == set()
    empty = place(tank(), rifles("x", "C4"))
    assert bars(empty, "move k C4", "load k x") == set()


@pytest.mark.clause("P.turn-c")
def test_a_unit_that_was_put_off_rests() -> None:
    """A unit put off by a DD neither moves nor fires in that phase, recovered or not; later it can."""
    put_off = after(place(*PAIR), "hit t DD", "recover r")
    assert bars(put_off, "move r C4") == {"P.turn-c"}
    assert bars(put_off, "fire r") == {"P.turn-c"}
    assert bars(put_off, "phase Assault", "fire r") == set()


@pytest.mark.clause("P.fire-b")
def test_an_observer_that_got_off() -> None:
    """Its transport stays for the turn although the observer has got off; not if only loads count."""
    units = (truck(), unit("o", "german-observer", aboard="t"))
    lines = ("observe o", "unload t o", "move t C4")
    assert bars(place(*units), *lines) == {"P.fire-b"}
    assert bars(place(*units, readings={"B13": "loaded"}), *lines) == set()
    assert bars(place(*units), "unload t o", "observe o", "move t C4") == set()


@pytest.mark.clause("P.turn-b")
def test_one_hex_before_unloading() -> None:
    """B4: the one hex before unloading can cost more than half, a second one cannot."""
    board = field("A", 3, {"A2": {"level": 1}, "A3": {"level": 1}})
    units = (wagon(at="A1"), rifles(at="A1", aboard="w"))
    for choice, found in (("no", {"P.turn-b"}), ("yes", set())):
        position = place(*units, board=board, readings={"B4": choice})
        assert bars(position, "move w A2", "unload w r") == found
        assert ("B4", choice) in last(position, "move w A2", "unload w r").readings
    flat = place(*units, board=field("A", 3), readings={"B4": "yes"})
    assert bars(flat, "move w A2", "move w A3", "unload w r") == {"P.turn-b"}


@pytest.mark.clause("P.turn-e")
def test_unloading_again_after_moving() -> None:
    """With two aboard (B7) one cannot unload before moving and the other after it; if B5 sums, it can."""
    units = (truck(), rifles("r", aboard="t"), rifles("s", aboard="t"))
    lines = ("unload t r", "move t C4", "unload t s")
    assert bars(place(*units, readings={"B7": "any"}), *lines) == {"P.turn-e"}
    assert bars(place(*units, readings={"B7": "any", "B5": "sum"}), *lines) == set()
    assert bars(place(*units, readings={"B7": "any"}), "unload t r", "unload t s") == set()


@pytest.mark.clause("P.turn-a")
def test_what_is_wrong_with_a_load() -> None:
    """Each reason against loading a unit is reported as it is."""

    def notes(position: Any, line: str) -> list[str]:
        return [v.note for v in last(position, line).violations if v.clause == "P.turn-a"]

    pair = place(truck(), rifles())
    assert notes(pair, "load t t") == ["a unit cannot load itself"]
    assert notes(place(truck(), rifles(at="C4")), "load t r") == [
        "transport and passenger must share a hex"
    ]
    assert notes(place(truck(), rifles(side="russian")), "load t r") == [
        "transport and passenger must be of the same side"
    ]
    riding = place(truck(), rifles(aboard="t"), rifles("s"))
    assert notes(riding, "load r s") == ["transport or passenger is aboard already"]


# -- fire ------------------------------------------------------------------------------------------


@pytest.mark.clause("P.opp-a", "PB.opportunity")
def test_unloading_drew_fire_wherever_the_transport_is() -> None:
    """Fire drawn by unloading hits the passenger though its transport has left, or is gone."""
    unloaded = after(place(*PAIR), "unload t r")
    assert bars(unloaded, "hit t X drawn=unload", "hit r D drawn=unload") == set()
    assert bars(unloaded, "move t C4", "hit r D drawn=unload") == set()
    assert state(after(unloaded, "move t C4", "hit t X drawn=unload"), "t", "r") == ["gone", ""]
    assert bars(unloaded, "move t C4", "hit r D drawn=enter") == {"PB.opportunity"}


@pytest.mark.clause("P.apart-a")
def test_it_was_empty_as_it_entered() -> None:
    """Fire drawn by entering empty treats later loads as separate; by the state found, as one unit."""
    units = (truck(at="C2"), rifles())
    for choice, found in (("as-drawn", ["gone", "aboard"]), ("as-found", ["gone", "gone"])):
        position = place(*units, readings={"B11": choice})
        loaded = after(position, "move t C3", "load t r")
        hit = after(loaded, "hit t X drawn=enter")
        assert state(hit, "t", "r")[1] == ("" if choice == "as-drawn" else found[1])


@pytest.mark.clause("P.ride-c", "P.move-d")
def test_registered_fire_at_a_rider() -> None:
    """Registered fire at a rider is indirect fire at a separate target, used at its hex."""
    assert bars(place(*RIDERS), "hit r D fire=registered") == {"P.move-d"}
    shelled = place(*(replace(u, shelled=True) for u in RIDERS))
    assert bars(shelled, "hit r D fire=registered") == set()


@pytest.mark.clause("PB.target")
def test_targets_are_on_the_map() -> None:
    """A unit off the map is no target; one on it can be."""
    assert bars(place(truck(at=None)), "hit t D") == {"PB.target"}
    assert bars(place(truck()), "hit t D") == set()


@pytest.mark.clause("PB.recover")
def test_who_recovers() -> None:
    """Only dispersed units on the map recover."""
    assert bars(place(truck(dispersed="D")), "recover t") == set()
    assert bars(place(truck()), "recover t") == {"PB.recover"}
    assert bars(place(truck(at=None, dispersed="D")), "recover t") == {"PB.recover"}


@pytest.mark.clause("PB.dd")
def test_dispersed_again() -> None:
    """DD destroys a dispersed unit; D does not, nor DD a sound one; passengers share the outcome."""
    assert state(after(place(truck(dispersed="D")), "hit t DD"), "t") == ["gone"]
    assert state(after(place(truck(dispersed="D")), "hit t D"), "t") == ["D"]
    assert state(after(place(truck()), "hit t DD"), "t") == ["DD"]
    mixed = (truck(dispersed="D"), rifles(aboard="t"))
    assert state(after(place(*mixed), "hit t DD"), "t", "r") == ["gone", "DD"]
    hurt = (truck(), rifles(aboard="t", dispersed="D"))
    assert state(after(place(*hurt), "hit t DD"), "t", "r") == ["DD", "gone"]
    rider = (tank(), rifles(aboard="k", dispersed="D"))
    assert state(after(place(*rider), "hit r DD"), "k", "r") == ["", "gone"]


@pytest.mark.clause("PB.opportunity")
def test_what_drew_it_is_not_reported() -> None:
    """Fire at a pair in its own movement phase without a stated cause is an assumption."""
    loaded = after(place(truck(), rifles()), "load t r")
    assert [name for name, _ in last(loaded, "hit t D").exceptions] == ["PB.opportunity"]
    assert last(place(*PAIR, phase="Fire"), "hit t D").exceptions == ()
    assert PANZER.clause("PB.opportunity").assumes


def test_exposed_where_it_fired() -> None:
    """A unit that fired can be spotted where it fired, not in the woods it enters afterwards."""
    board = field(stated={"C4": {"terrain": "Woods"}, "C3": {"terrain": "Woods"}})
    position = place(rifles(), board=board)
    assert bars(position, "fire r", "hit r D") == set()
    assert bars(position, "fire r", "move r C4", "hit r D") == {"PB.spotting"}


# -- losses ----------------------------------------------------------------------------------------


@pytest.mark.clause("P.dd-b")
def test_entitled_to_nothing_while_a_loss_is_owed() -> None:
    """While one of a pair must be removed, no unit fires or observes, and the entitlements say so."""
    crowded = after(place(*PAIR, *FULL, foe()), "hit t DD")
    assert bars(crowded, "fire x") == {"P.dd-b"}
    assert stated(crowded, "x")["fire"] == (False, None)
    assert stated(crowded, "x")["observe for indirect fire"] == (False, None)


def test_a_debt_is_reported() -> None:
    """A log that ends with a removal owed says so, with the unit of lower value."""
    from marchtable.answers.verdicts import check_answer
    from marchtable.files.notation import parse_action

    units = (truck(value=3), rifles(aboard="t", value=1), *FULL)
    log = [parse_action("hit t DD", PANZER)]
    (owed,) = check_answer(place(*units), log)["obligations"]
    assert (owed["clause"], owed["unit"], owed["outcomes"]) == ("P.dd-b", "r", [])
    assert owed["note"] == "german must remove t or r; r is worth less"
    assert check_answer(place(*units[:3]), log)["obligations"] == []
    paid_off = [*log, parse_action("remove r", PANZER)]
    assert check_answer(place(*units), paid_off)["obligations"] == []


# -- stacks ----------------------------------------------------------------------------------------


def order(position: Any, at: str = "C3") -> str:
    """Return the units of a hex from the top of its stack down."""
    return "".join(found.id for found in stack_order(position, at))


@pytest.mark.clause("P.rec-a")
def test_stacks_after_dd_and_for_empty_transports() -> None:
    """A transport goes beneath a unit put off by DD, and beneath the units of a hex it enters empty."""
    assert order(after(place(*PAIR), "hit t DD")) == "rt"
    assert order(after(place(truck(height=4), rifles(aboard="t", height=3)), "hit t DD")) == "rt"
    position = place(truck(at="C2"), rifles("x"), rifles("y", height=5))
    assert order(after(position, "move t C3")) == "yxt"
    assert order(after(place(tank(at="C2"), rifles("x")), "move k C3")) == "kx"


def test_heights_have_no_end() -> None:
    """However high a stack's numbers, the position after loading is a scene again."""
    position = place(truck(), rifles(), rifles("x", height=999))
    loaded = after(position, "load t r")
    assert position_of(scene_data(loaded), source="test") == loaded
    assert order(loaded) == "trx"


@pytest.mark.clause("PB.markers")
def test_markers_count_in_panzer_leader() -> None:
    """With a bridge in the hex Panzer Leader's limit is UNSUPPORTED; PanzerBlitz's ignores it."""
    for game, found in (("panzer-leader", ["PB.markers"]), ("panzerblitz", [])):
        position = place(*crowd(2), counters={"bridge": "C3"}, readings={"P.opt-b-stacking": game})
        assert [v.clause for v in last(position, END).unsupported] == found


# -- maps and phases -------------------------------------------------------------------------------


@pytest.mark.clause("PB.terrain")
def test_no_terrain_at_all() -> None:
    """A hex without named terrain is UNSUPPORTED, not free."""
    for told_of in ({"terrain": ""}, {"depression": "", "level": -1}):
        ruling = last(place(truck(at="A1"), board=field("A", 2, {"A2": told_of})), "move t A2")
        assert ruling.status == "UNSUPPORTED"


@pytest.mark.clause("PB.sequence")
def test_phases_in_order() -> None:
    """No phase twice or backwards, and only turns of sides in the game; the rest follows."""
    position = place(truck(), foe())
    for line in ("phase Movement", "phase Fire", "phase Fire side=zulu"):
        assert bars(position, line) == {"PB.sequence"}
    for line in ("phase Assault", "phase Fire side=russian", "phase Movement side=russian"):
        assert bars(position, line) == set()


def test_a_first_side_that_is_there() -> None:
    """A scene's first side is one of its sides."""
    with pytest.raises(BadInputError) as caught:
        place(truck(), conditions={"first_side": "foo"})
    assert caught.value.field == "conditions.first_side"


def test_pictures_draw_stacks_as_they_lie() -> None:
    """Lower units are drawn first, and a gun as one."""
    position = place(truck(height=3), unit("g", "german-gun", height=2, aboard="t"), rifles("x"))
    drawn = counters_of(position)
    assert [*drawn] == ["x", "g", "t"]
    assert [one.style for one in drawn.values()] == ["foot", "gun", "truck"]
