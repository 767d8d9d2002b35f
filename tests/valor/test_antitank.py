"""Anti-tank fire in Valor & Victory: firers and targets; fire at an overrun; weapons used up."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.state.records import replace
from marchtable_models.valor.model import Sight
from tests.valor.scenes import after, bars, field, foe, last, place, unit

MOVE: dict[str, Any] = {"phase": "Movement"}
ADVANCE: dict[str, Any] = {"phase": "AdvanceAndAssault"}
TANK: dict[str, Any] = {"type_": "m4a3e8", "facing": "N"}
FAR = field("ABC", 12)
FAUST: dict[str, Any] = {"sw": ("panzerfaust",)}


def hit(*units: Any, line: str = "hit t unharmed by=u", **fields: Any) -> set[str]:
    """Return the clauses that AT fire at a tank violates."""
    return bars(last(place(*units, **fields), line))


@pytest.mark.clause("V18.1")
def test_who_makes_at_fire() -> None:
    """A Gun, an AFV, or infantry on foot with an ATFP weapon; not a machine gun or a Passenger."""
    tank = foe("t", "m4a3e8", "C2", facing="N")
    assert hit(unit(**FAUST), tank) == set()
    assert hit(unit("u", "6-pounder", facing="N"), tank) == set()
    assert hit(unit("u", "vc-firefly", facing="S"), tank) == set()
    assert hit(unit(), tank) == hit(unit(sw=("mg34",)), tank) == {"V18.1"}
    assert hit(unit("u", "m3-halftrack", facing="N"), tank) == {"V18.1"}
    track = unit("k", "m3-halftrack", facing="N")
    assert hit(track, unit(aboard="k", **FAUST), tank) == {"V18.1"}


@pytest.mark.clause("V18.2", "V14.4d", "V13.3")
def test_how_far_at_fire_reaches() -> None:
    """A Panzerfaust the next hex, a mortar two to six, a Gun any distance in its arc, a turret all round."""
    near, far = foe("t", "m4a3e8", "C11", facing="N"), foe("t", "m4a3e8", "C10", facing="N")
    for name, there, broken in (
        ("panzerfaust", near, set()), ("panzerfaust", far, {"V18.2"}),
        ("5cm-mortar", near, {"V18.2"}), ("5cm-mortar", far, set()),
    ):  # fmt: skip
        assert hit(unit(at="C12", sw=(name,)), there, board=FAR) == broken
    six = replace(far, at="C6")
    assert hit(unit(at="C12", sw=("5cm-mortar",)), six, board=FAR) == set()
    assert hit(unit(at="C12", sw=("5cm-mortar",)), replace(far, at="C5"), board=FAR) == {"V18.2"}
    both = unit(at="C12", sw=("panzerfaust", "5cm-mortar"))
    assert hit(both, six, board=FAR) == hit(both, near, board=FAR) == set()
    gun = unit("u", "6-pounder", "C12", facing="N")
    assert hit(gun, replace(far, at="C1"), board=FAR) == set()
    assert hit(replace(gun, facing="S"), far, board=FAR) == {"V14.4d"}
    assert hit(unit("u", "m4a3e8", "C12", facing="S"), far, board=FAR) == set()
    blind = (Sight(a="C12", b="C10", blocked=True),)
    assert hit(gun, far, board=FAR, sights=blind) == {"V13.3"}


@pytest.mark.clause("V20.5b")
def test_no_at_fire_into_bunkers() -> None:
    """A Gun in a bunker is no target; one behind sandbags is."""
    gun = foe("t", "6-pounder", "C2", facing="S")
    for kind, broken in (("concrete-bunker", {"V20.5b"}), ("sandbags", set())):
        assert hit(unit(**FAUST), gun, counters={kind: "C2"}) == broken
    assert hit(unit(**FAUST), gun, counters={"wooden-bunker": "C3"}) == set()


@pytest.mark.clause("V13.1", "V14.2c", "V12.6")
def test_when_at_fire_is_made() -> None:
    """Once a turn, in the fire phases; as Opportunity Fire only at moving units, and not by mortars."""
    tank = foe("t", "m4a3e8", "C1", facing="N")
    spent = place(unit(at="C2", **FAUST), tank)
    assert bars(last(spent, "hit t unharmed by=u", "hit t unharmed by=u")) == {"V13.1", "V18.1"}
    theirs: dict[str, Any] = {"side": "american", **MOVE}
    assert hit(unit(at="C2", **FAUST), tank, **theirs) == {"V14.2c"}
    moving = replace(tank, moved=True, moving=True)
    assert hit(unit(at="C2", **FAUST), moving, **theirs) == set()
    assert hit(unit(sw=("5cm-mortar",)), moving, **theirs) == {"V12.6"}
    assert hit(unit(at="C2", **FAUST), tank, **MOVE) == {"V13.1"}


@pytest.mark.clause("V18.6b")
def test_an_immobile_afv_that_lives_through_fire() -> None:
    """Its crew is tested again, hit or missed; not the unharmed crew of a moving AFV."""
    for immobile, result, due in (
        (True, "unharmed", ["abandon:t"]), (False, "unharmed", []), (True, "eliminated", []),
    ):  # fmt: skip
        tank = foe("t", "m4a3e8", "C2", facing="N", immobile=immobile)
        found = last(place(unit(**FAUST), tank), f"hit t {result} by=u")
        assert [one.id for one in found.obligations] == due


@pytest.mark.clause("V19.2", "V19.3")
def test_fire_at_an_overrun() -> None:
    """As the AFV leaves, units in its way can fire at it though they have fired; then it moves no more."""
    tank = unit("t", at="C4", **TANK)
    stood = foe("e", at="C2", fired=True, sw=("panzerfaust", "panzerfaust"))
    beside = foe("f", at="D2", sw=("panzerfaust",))
    over = after(
        place(tank, stood, beside, **MOVE), "enter t C3", "overrun t C2", "settle fire:t 12"
    )
    assert (over.unit("t").at, over.unit("t").crossed) == ("C1", "C2")
    assert bars(last(over, "hit t eliminated by=e")) == set()
    assert bars(last(over, "hit t unharmed by=f")) == set()
    assert bars(last(over, "fire e C1")) == {"V13.1", "V14.1"}
    tired = place(
        tank, replace(stood, at="C1"), replace(beside, fired=True), foe("g", at="C2"), **MOVE
    )
    assert bars(last(tired, "enter t C3", "hit t unharmed by=f")) == {"V13.1", "V18.2"}
    assert bars(last(over, "turn t S")) == bars(last(over, "turn t NE")) == {"V6.1a"}
    other = after(place(tank, stood, unit("v", at="A4"), **MOVE), "enter t C3", "overrun t C2", "settle fire:t 12", "enter v A3")  # fmt: skip
    assert other.unit("t").crossed is None
    assert bars(last(other, "hit t eliminated by=e")) == {"V13.1", "V14.2c"}


@pytest.mark.clause("V12.5")
def test_weapons_that_are_used_up() -> None:
    """Grenades, satchel charges and Panzerfausts are used up, on both sides of an assault; no others."""
    ours = unit(sw=("mg34", "grenades"))
    fired = after(place(ours, foe(at="C2")), "fire u C2", "settle fire:u 12")
    assert fired.unit("u").sw == ("mg34",)
    kept = after(place(ours, foe(at="C2")), "fire u C2 weapons=u:own,u:mg34", "settle fire:u 12")
    assert kept.unit("u").sw == ("mg34", "grenades")
    theirs = foe("x", at="C2", sw=("grenades",))
    storm = after(place(ours, theirs, **ADVANCE), "assault u C2")
    assert (storm.unit("u").sw, storm.unit("x").sw) == (("mg34",), ())
    spared = after(place(ours, theirs, **ADVANCE), "assault u C2 weapons=u:own,x:own")
    assert (spared.unit("u").sw, spared.unit("x").sw) == (("mg34", "grenades"), ("grenades",))
    tank = foe("t", "m4a3e8", "C2", facing="N")
    shot = after(place(unit(sw=("panzerfaust", "panzerfaust")), tank), "hit t unharmed by=u")
    assert shot.unit("u").sw == ("panzerfaust",)
    pinned = after(place(ours, foe("x", at="C2", pinned=True), **ADVANCE), "assault u C2")
    assert pinned.unit("u").sw == ("mg34", "grenades")
