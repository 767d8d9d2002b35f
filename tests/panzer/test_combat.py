"""Transports and passengers under fire: one target or two, effects of results, riders on armor."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.state.records import replace
from tests.panzer.scenes import (
    after,
    bars,
    field,
    foe,
    judge,
    last,
    offered,
    place,
    rifles,
    stated,
    tank,
    truck,
    unit,
)  # fmt: skip

PAIR = (truck(), rifles(aboard="t"))
RIDERS = (tank(), rifles(aboard="k"))
FULL = (rifles("x"), rifles("y"))
"""Two more units: with a loaded pair the stacking limit."""
OWN, RIDES = "be a target of its own for direct fire", "be a target of its own for indirect fire"


def state(position: Any, *names: str) -> list[str]:
    """Return the units' outcomes: gone, dispersed how, aboard or not."""
    found = []
    for name in names:
        one = position.unit(name)
        words = [one.dispersed, "aboard" if one.aboard else ""]
        found.append(" ".join(filter(None, words)) if one.at else "gone")
    return found


# -- one unit or two -------------------------------------------------------------------------------


@pytest.mark.clause("P.one-a")
def test_a_loaded_pair_is_one_target() -> None:
    """Of a loaded pair the transport is the target; another unit beside it is a separate one."""
    for way in ("direct", "indirect"):
        assert bars(place(*PAIR), f"hit t D fire={way}") == set()
        assert bars(place(*PAIR), f"hit r D fire={way}") == {"P.one-a"}
        assert bars(place(*PAIR, rifles("s")), f"hit s D fire={way}") == set()
    assert stated(place(*PAIR), "r")[OWN][0] is False
    assert stated(place(*PAIR), "t")[OWN] == (True, 1)


@pytest.mark.clause("P.apart-a")
def test_unloaded_they_are_two() -> None:
    """Unloaded, each is a target, and results on the transport do not affect the other."""
    unloaded = after(place(*PAIR), "unload t r")
    for line in ("hit r D", "hit t D"):
        assert bars(unloaded, line) == set()
    assert state(last(unloaded, "hit t X").after, "t", "r") == ["gone", ""]
    assert state(last(unloaded, "hit t DD").after, "t", "r") == ["DD", ""]
    assert state(last(unloaded, "hit r X").after, "t", "r") == ["", "gone"]


@pytest.mark.clause("P.one-b")
def test_results_are_shared() -> None:
    """D disperses both and leaves the passenger aboard; X removes both; others are spared."""
    position = place(*PAIR, rifles("s"))
    assert state(after(position, "hit t D"), "t", "r", "s") == ["D", "D aboard", ""]
    assert state(after(position, "hit t X"), "t", "r", "s") == ["gone", "gone", ""]
    worse = place(truck(), rifles(aboard="t", dispersed="DD"))
    assert state(after(worse, "hit t D"), "t", "r") == ["D", "DD aboard"]
    armed = place(unit("h", "sdkfz-251"), rifles(aboard="h"))
    assert state(after(armed, "hit h D", "hit h X"), "h", "r") == ["gone", "gone"]


@pytest.mark.clause("P.dd-a")
@pytest.mark.parametrize("kind", ["german-truck", "sdkfz-251", "german-wagon"])
def test_dd_unloads(kind: str) -> None:
    """DD disperses both and puts the passenger down in place, for free, in any phase."""
    for phase, side in (("Movement", "german"), ("Fire", "german"), ("Movement", "russian")):
        position = place(unit("t", kind), rifles(aboard="t"), phase=phase, side=side)
        hit = after(position, "hit t DD")
        assert state(hit, "t", "r") == ["DD", "DD"]
        assert (hit.unit("r").at, hit.unit("t").spent) == ("C3", 0)
    spent = unit("t", kind, entered=True, spent=24)
    assert state(after(place(spent, rifles(aboard="t")), "hit t DD"), "r") == ["DD"]


@pytest.mark.clause("P.dd-b")
def test_owner_removes_one() -> None:
    """If DD puts too many units into a hex, transport or passenger is removed first, and no other."""
    crowded = after(place(*PAIR, *FULL, foe()), "hit t DD")
    assert offered(crowded) == {"remove t", "remove r"}
    assert bars(crowded, "remove x") == {"P.dd-b"}
    assert bars(crowded, "move x C4") == {"P.dd-b"}
    assert "P.dd-b" in bars(crowded, "phase Assault")
    for name in "tr":
        assert judge(crowded, f"remove {name}", "move x C4").status == "LEGAL"
    assert bars(crowded, "remove t", "remove r") == {"P.dd-b"}


@pytest.mark.clause("P.dd-b")
def test_nobody_is_removed_without_need() -> None:
    """With room in the hex, or without DD, no unit is removed; nor later."""
    roomy = after(place(*PAIR, FULL[0]), "hit t DD")
    assert bars(roomy, "remove t") == {"P.dd-b"}
    assert bars(place(*PAIR, *FULL), "remove t") == {"P.dd-b"}
    assert offered(roomy, "remove") == set()


def test_advice_on_the_loss() -> None:
    """The unit of lower stated value is advised; with equal values neither."""
    from marchtable_models.panzer.entitlements import cheaper_loss
    from tests.panzer.scenes import PANZER

    def advised(truck_value: int, rifles_value: int) -> str | None:
        units = (truck(value=truck_value), rifles(aboard="t", value=rifles_value), *FULL)
        crowded = after(place(*units), "hit t DD")
        better = {name for name in "tr" if any("lower" in what for what in stated(crowded, name))}
        found = cheaper_loss(crowded, PANZER.edition(crowded))
        assert better == ({found} if found else set())
        return found

    assert advised(2, 5) == "t"
    assert advised(5, 2) == "r"
    assert advised(3, 3) is None
    assert cheaper_loss(place(*PAIR), PANZER.edition(place(*PAIR))) is None


# -- opportunity fire ------------------------------------------------------------------------------


@pytest.mark.clause("P.opp-a")
def test_drawn_by_unloading() -> None:
    """Fire drawn by unloading finds two units: either is a target and suffers alone."""
    unloaded = after(place(*PAIR), "unload t r")
    assert bars(unloaded, "hit r D drawn=unload") == set()
    assert state(after(unloaded, "hit t X drawn=unload"), "t", "r") == ["gone", ""]
    assert state(after(unloaded, "hit t DD drawn=unload"), "t", "r") == ["DD", ""]


@pytest.mark.clause("P.opp-b")
def test_drawn_by_loading() -> None:
    """Fire drawn by loading finds one unit: the passenger is no target and shares the result."""
    loaded = after(place(truck(), rifles()), "load t r")
    assert bars(loaded, "hit r D drawn=load") == {"P.one-a"}
    assert state(after(loaded, "hit t D drawn=load"), "t", "r") == ["D", "D aboard"]
    assert state(after(loaded, "hit t X drawn=load"), "t", "r") == ["gone", "gone"]
    assert state(after(loaded, "hit t DD drawn=load"), "t", "r") == ["DD", "DD"]


@pytest.mark.clause("P.opp-c")
def test_drawn_by_entering() -> None:
    """A unit that entered loaded counts as loaded there after unloading; one that entered empty does not."""
    entered = after(place(*PAIR), "move t C4", "unload t r")
    assert bars(entered, "hit r D drawn=enter") == {"P.one-a"}
    assert bars(entered, "hit r D drawn=unload") == {"P.one-a"}
    assert bars(entered, "hit r D") == {"P.one-a"}
    for drawn in ("", " drawn=enter", " drawn=unload"):
        assert state(after(entered, f"hit t X{drawn}"), "t", "r") == ["gone", "gone"]
    later = after(entered, "phase Assault")
    assert state(after(later, "hit t X"), "t", "r") == ["gone", ""]
    assert bars(after(place(*PAIR), "move t C4"), "hit t D drawn=enter") == set()


@pytest.mark.clause("PB.opportunity")
def test_drawn_by_what_was_done() -> None:
    """Opportunity fire answers actions of this movement phase only."""
    position = place(*PAIR)
    for drawn in ("enter", "load", "unload"):
        assert "PB.opportunity" in bars(position, f"hit t D drawn={drawn}")
    assert bars(position, "move t C4", "hit t D drawn=enter") == set()
    assert "PB.opportunity" in bars(position, "move t C4", "phase Assault", "hit t D drawn=enter")


@pytest.mark.clause("P.move-c")
def test_opportunity_fire_at_once() -> None:
    """A mover draws fire with its first hex, however little of its movement factor it spent."""
    for kind in ("german-truck", "panther", "pz-iv-h"):
        position = place(unit("u", kind))
        assert bars(position, "move u C4", "hit u D drawn=enter") == set()
    far = [f"move u C{n}" for n in (4, 5)]
    assert bars(place(unit("u", "german-truck")), *far, "hit u D drawn=enter") == set()


# -- spotting --------------------------------------------------------------------------------------


@pytest.mark.clause("P.move-b", "PB.spotting")
def test_vehicles_that_enter_cover_are_spotted() -> None:
    """A vehicle that entered a town can be hit there by any fire; a stationary one, or rifles, cannot."""
    board = field(stated={"C4": {"terrain": "Stone Building"}})
    position = place(tank(), rifles(), tank("q", "C4"), board=board)
    for way in ("direct", "indirect"):
        assert bars(position, "move k C4", f"hit k D fire={way}") == set()
        assert bars(position, "move r C4", f"hit r D fire={way}") == {"PB.spotting"}
        assert bars(position, f"hit q D fire={way}") == {"PB.spotting"}
    riders = place(*RIDERS, board=board)
    assert bars(riders, "move k C4", "hit r D") == set()
    assert bars(position, "fire q", "hit q D") == set()
    assert bars(position, f"hit k D fire={way}") == set()


@pytest.mark.clause("PB.spotting")
def test_spotted_from_next_to_it() -> None:
    """An adjacent enemy spots, but not a dispersed, class C or more distant one."""
    board = field(stated={"C4": {"terrain": "Woods"}})
    hidden = rifles(at="C4")
    assert bars(place(hidden, foe(at="C3"), board=board), "hit r D") == set()
    for enemy in (
        foe(at="C3", dispersed="D"), foe("e", "russian-truck", "C3"), foe(at="C2"),
        rifles("own", "C3"),
    ):  # fmt: skip
        assert bars(place(hidden, enemy, board=board), "hit r D") == {"PB.spotting"}


@pytest.mark.clause("P.move-d")
def test_registered_fire() -> None:
    """Fire registered in advance is used at who has entered such a hex; other indirect fire at anybody."""
    assert bars(place(*PAIR), "hit t D fire=registered") == {"P.move-d"}
    assert bars(place(*PAIR), "hit t D fire=indirect") == set()
    shelled = place(*(replace(u, shelled=True) for u in PAIR))
    assert bars(shelled, "hit t D fire=registered") == set()


# -- riders on armour ------------------------------------------------------------------------------


@pytest.mark.clause("P.ride-a")
def test_riders_are_targets() -> None:
    """Direct fire can pick a rider, which defends with a factor of one, but not a passenger."""
    assert bars(place(*RIDERS), "hit r D") == set()
    assert bars(place(*RIDERS), "hit k D") == set()
    assert stated(place(*RIDERS), "r")[OWN] == (True, 1)
    assert bars(place(unit("h", "sdkfz-251"), rifles(aboard="h")), "hit r D") == {"P.one-a"}


@pytest.mark.clause("P.ride-c")
def test_riders_defend_on_their_own() -> None:
    """Against indirect fire a rider defends by itself, with a factor of one; a passenger does not."""
    assert bars(place(*RIDERS), "hit r D fire=indirect") == set()
    assert stated(place(*RIDERS), "r")[RIDES] == (True, 1)
    assert bars(place(*PAIR), "hit r D fire=indirect") == {"P.one-a"}
    assert stated(place(*PAIR), "r")[RIDES][0] is False


@pytest.mark.clause("P.ride-b")
def test_results_go_one_way() -> None:
    """Results on the tank affect its rider; results on the rider do not affect the tank."""
    position = place(*RIDERS)
    assert state(after(position, "hit k D"), "k", "r") == ["D", "D aboard"]
    assert state(after(position, "hit k X"), "k", "r") == ["gone", "gone"]
    assert state(after(position, "hit r D"), "k", "r") == ["", "D aboard"]
    assert state(after(position, "hit r X"), "k", "r") == ["", "gone"]


@pytest.mark.clause("P.ride-d")
def test_dd_forces_riders_off() -> None:
    """DD on the tank forces the rider off, and so does DD on the rider alone; D does neither."""
    position = place(*RIDERS)
    assert state(after(position, "hit k DD"), "k", "r") == ["DD", "DD"]
    assert state(after(position, "hit r DD"), "k", "r") == ["", "DD"]
    assert state(after(position, "hit r D"), "r") == ["D aboard"]
    crowded = after(place(*RIDERS, *FULL), "hit r DD")
    assert offered(crowded) == {"remove k", "remove r"}


@pytest.mark.clause("P.dd-a")
def test_dd_on_any_class() -> None:
    """A tank that suffers DD passes it on to its rider, like any transport."""
    assert state(after(place(*RIDERS), "hit k DD"), "r") == ["DD"]
