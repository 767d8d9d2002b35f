"""Rout within a hex, from Fortifications and upstairs, at night; what it leaves behind."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.state.position import Counter
from marchtable_models.asl.model import SupportWeapon
from tests.asl.boards import ASL, bars, cites, field, foot, last, load, place, total
from tests.asl.test_routing import WOODS, board, fled, on, pending

TALL = {"terrain": "Stone Building, 2 Level", "stairway": True, "clear": (0,) * 6}
DUG = {"inside": "beneath"}


def lies(*kinds: str, at: str = "C2") -> tuple[Counter, ...]:
    """Return counters in a Location."""
    return tuple(Counter(kind=kind, at=at) for kind in kinds)


def by_night(unit: Any, *others: Any, where: Any = None) -> Any:
    """Return a RtPh at night."""
    return place(where or board(C5=WOODS), unit, *others, phase="RtPh", nvr=3)


def broken(at: str = "C2", **fields: Any) -> Any:
    """Return a broken unit that sees the enemy."""
    return foot(at=at, **{"broken": True, "dm": True, "sees": ("e",), **fields})


def enemy(name: str = "e", at: str = "C1", **fields: Any) -> Any:
    """Return a Known enemy."""
    return foot(name, at=at, side="russian", **fields)


@pytest.mark.clause("A10.5a", "A10.51b", "B23.4")
def test_up_and_down_the_stairs() -> None:
    """Away from an adjacent enemy to a level not ADJACENT to it, and on; not down beside it; one by one."""
    town = board(C2=TALL, C3=TALL)
    up = fled("stairs u up", where=town)
    assert (up.status, total(up), up.after.unit("u").place.floor) == ("LEGAL", 1, 1)
    assert up.after.unit("u").move.mph == "moving"
    assert not bars(on(up.after, "stairs u up"))
    assert not bars(on(up.after, "rout u C3"))
    assert bars(on(up.after, "rout u D2")) >= {"B23.422"}
    assert "A10.51b" in bars(fled("stairs u down", where=town, inside="upstairs", floor=1))
    assert "A10.5a" in bars(fled("stairs u up", where=town, pinned=True))
    both = (enemy(), foot("v", at="C2", broken=True, dm=True, sees=("e",)))
    assert "A10.5a" in bars(fled("stairs u,v up", where=town, others=both))
    assert "A3.3" in bars(fled("stairs u up", where=town, broken=False))


@pytest.mark.clause("A10.5f", "A10.62")
def test_a_unit_that_is_upstairs_is_not_adjacent() -> None:
    """Not to units on the ground next door; to units upstairs next door in the same building it is."""
    town = board(C1=TALL, C2=TALL)

    def due(floor: int, foe: int, where: Any = town, at: str = "C1") -> bool:
        he = enemy(at=at, inside="upstairs" if foe else "", floor=foe)
        unit = foot(at="C2", broken=True, inside="upstairs" if floor else "", floor=floor)
        ended = last(place(where, unit, he, phase="RtPh"), "phase APh")
        return "failure-to-rout:u" in pending(ended)

    assert due(0, 0)
    assert not due(1, 0)
    assert not due(0, 1)
    assert due(1, 1)
    assert due(1, 0, at="C2")
    assert not due(2, 0, at="C2")
    plain = board(C2={**TALL, "stairway": False})
    assert not due(1, 0, where=plain, at="C2")
    apart = field({"C1": {}, "C2": {}}, {"C1-C2": {"terrain": "Cliff"}})
    assert not due(0, 0, where=apart)


@pytest.mark.clause("B27.41", "B27.4b", "B27.44")
def test_out_of_a_foxhole_and_into_one() -> None:
    """With the hex, for 1 MF more each, or separately; in the other phases it comes out first."""
    hole = lies("foxhole")
    out = fled("rout u C3", counters=hole, **DUG)
    assert (out.status, total(out), out.after.unit("u").place.inside) == ("LEGAL", 2, "")
    there = lies("foxhole", at="C3")
    into = fled("rout u C3 beneath=true", counters=there)
    assert (into.status, total(into), into.after.unit("u").place.inside) == (
        "LEGAL",
        2,
        "beneath",
    )
    both = fled("rout u C3 beneath=true", counters=hole + there, **DUG)
    assert total(both) == 3
    assert total(fled("rout u C3", counters=there)) == 1
    above = fled("shift u above", counters=hole, **DUG)
    assert (above.status, total(above)) == ("LEGAL", 1)
    assert bars(fled("rout u C3 beneath=true")) == {"B27.44"}
    along = fled("rout u C3 beneath=true", counters=lies("trench") + lies("trench", at="C3"), **DUG)
    assert total(along) == 1


@pytest.mark.clause("B27.56b")
def test_out_of_an_antitank_ditch_and_into_one() -> None:
    """For 2 MF more each; a unit beside it pays nothing for it."""
    ditch, there = lies("at-ditch"), lies("at-ditch", at="C3")
    assert total(fled("rout u C3", counters=ditch, **DUG)) == 3
    assert total(fled("rout u C3 beneath=true", counters=there)) == 3
    assert total(fled("rout u C3", counters=there)) == 1
    assert total(fled("rout u C3", counters=ditch)) == 1


@pytest.mark.clause("A10.53", "B27.41")
def test_where_a_foxhole_saves_from_interdiction() -> None:
    """A unit that pays for it, or for shellholes, is not in the open; one that comes out alone is."""
    there = lies("foxhole", at="C3")
    assert pending(fled("rout u C3", counters=there))
    assert not pending(fled("rout u C3 beneath=true", counters=there))
    assert pending(fled("shift u above", counters=lies("foxhole"), **DUG))
    holes = lies("shellholes", at="C3")
    assert pending(fled("rout u C3", counters=holes))
    assert not pending(fled("rout u C3 half=true", counters=holes))
    wood = field({"C1": {}, "C2": {}, "C3": WOODS}, {"C2-C3": {"road": "Dirt Road"}})
    assert pending(fled("rout u C3", where=wood))  # at the road rate
    assert not pending(fled("rout u C3 off_road=true", where=wood))


@pytest.mark.clause("A10.51c")
def test_a_foxhole_on_its_way() -> None:
    """Going beneath it must leave a way to cover, and must stay on the shortest way to it."""
    way = board(C7=WOODS)
    hole = lies("foxhole", at="C4")
    lines = ("rout u C3", "rout u C4 beneath=true")
    found = {"where": way, "counters": hole}
    assert not bars(fled(*lines, "rout u C5", **found))
    assert bars(fled(*lines, "rout u D4", **found)) == {"A10.51c"}
    assert bars(fled("rout u C3", "rout u C4", "rout u D4", **found)) == {"A10.51c"}


@pytest.mark.clause("B26.4", "B26.4f", "A10.51d")
def test_off_the_wire() -> None:
    """A routing unit rolls a dr to leave Wire, then routs with its remaining MF to its original goal; a failed dr leaves it no MF."""
    wire = lies("wire")
    assert bars(fled("rout u C3", counters=wire)) == {"B26.4"}
    begun = fled("get-beneath u", counters=wire)
    assert (begun.status, list(pending(begun))) == ("LEGAL", ["wire:u"])
    off = last(begun.after, "settle wire:u 2").after
    assert off.unit("u").move.goals == ("C5",)
    assert last(off, "rout u C3").receipts[0].left == 6
    stuck = last(begun.after, "settle wire:u 6").after
    assert "A4.11b" in bars(last(stuck, "rout u C3"))


@pytest.mark.clause("A10.4c", "A4.43a")
def test_what_it_leaves_behind() -> None:
    """Before it routs, a unit drops PP above its IPC, and no more than it must."""
    heavy = fled("drop u SW0", sw=load(5))
    assert (heavy.status, [lie.at for lie in heavy.after.counters]) == ("LEGAL", ["C2"])
    assert not bars(on(heavy.after, "rout u C3"))
    assert bars(fled("drop u SW0", sw=load(3))) == {"A10.4c"}
    both = load(5, 1)
    assert not bars(fled("drop u SW0", sw=both))
    assert bars(fled("drop u SW1", sw=both)) == {"A10.4c"}
    assert not bars(fled("drop u SW1", sw=load(3, 1)))
    assert bars(fled("drop u SW0", sw=load(3, 1))) == {"A10.4c"}
    assert bars(fled("drop u SW0", sw=load(5), phase="MPh")) >= {"A4.43a"}
    assert "A4.43a" in bars(fled("rout u C3", "drop u SW0", sw=load(1)))


@pytest.mark.clause("E1.54", "E1.54b", "A10.5f", "A10.62b")
def test_at_night() -> None:
    """Only by Low Crawl, under DM or not, anywhere but nearer to an enemy; none fails to, or surrenders."""
    assert bars(last(by_night(broken(), enemy()), "rout u C3")) == {"E1.54"}
    assert not bars(last(by_night(broken(), enemy()), "rout u C3 crawl=true"))
    calm = broken(at="C3", dm=False)
    assert not bars(last(by_night(calm, enemy()), "rout u D3 crawl=true"))
    assert bars(last(by_night(broken(at="C4"), enemy()), "rout u C3 crawl=true")) == {"A10.51a"}
    assert not bars(last(by_night(broken(), enemy(at="C2")), "rout u C3 crawl=true"))
    assert not bars(last(by_night(broken(disrupted=True), enemy()), "rout u C3 crawl=true"))
    assert not pending(last(by_night(broken(), enemy()), "phase APh"))
    assert bars(last(by_night(broken(), enemy()), "surrender u e")) == {"E1.54b"}
    kept = last(by_night(broken(), enemy()), "phase RPh side=russian", "phase PFPh").after
    assert kept.unit("u").status.dm


@pytest.mark.clause("A10.51c", "A10.52a")
def test_low_crawl_is_toward_cover() -> None:
    """By day it must still allow the unit to get to cover with its initial MF."""
    ours = board(C3=WOODS)
    assert not bars(fled("rout u C3 crawl=true", where=ours))
    assert not bars(fled("rout u D2 crawl=true", where=board(D4=WOODS)))
    far = board(E6=WOODS)
    assert bars(fled("rout u A3 crawl=true", where=far, at="B2", enemy="B1")) == {"A10.51c"}


@pytest.mark.clause("E4.33")
def test_nobody_crawls_on_skis() -> None:
    """A Skier takes them off first; on foot it can."""
    skier = broken(gear="skis", sw=(SupportWeapon(name="skis", pp=1, kind="skis"),))
    snow = place(board(C5=WOODS), skier, enemy(), phase="RtPh", stated={"ground_snow": True})
    assert bars(last(snow, "rout u C3 crawl=true")) == {"E4.33"}
    assert not bars(last(snow, "rout u C3"))
    assert not bars(fled("rout u C3 crawl=true"))


@pytest.mark.clause("A20.21c")
def test_a_unit_that_could_go_upstairs_does_not_surrender() -> None:
    """A level above is a way out; without a stairwell there is none."""
    for stairway, found in ((True, {"A20.21c"}), (False, set())):
        house = board(C2={**TALL, "stairway": stairway})
        hemmed = (enemy(), enemy("f", at="C3"))
        assert bars(fled("surrender u e", where=house, others=hemmed)) == found, stairway
    assert not cites(fled("surrender u e", where=board()))


@pytest.mark.clause("A10.5h", "A10.5a")
def test_the_attacker_routs_first() -> None:
    """Once a DEFENDER's unit routs, the ATTACKER's can do no more; nor can an interrupted one go on."""
    mine = broken()
    theirs = foot("v", at="C5", side="russian", broken=True, dm=True, sees=("f",))
    both = (mine, enemy(), theirs, foot("f", at="C6"))
    scene = place(board(), *both, phase="RtPh")
    late = on(scene, "rout v D4", "rout u B2")
    assert bars(late) == {"A10.5h"}
    assert not bars(on(scene, "rout u B2", "rout v D4"))
    assert "A10.5a" in bars(on(scene, "rout u B2", "rout v D4", "rout u B3"))


@pytest.mark.clause("A10.5a")
def test_a_unit_that_breaks_of_its_own_will_routs() -> None:
    """As the RtPh begins, whatever it did in its MPh; a unit broken before stays where it was."""
    moved = foot(at="C2", sees=("e",), mph="done", previous="C3", spent=4, used=4)
    scene = place(board(C5=WOODS), moved, enemy(), phase="RtPh")
    assert last(scene, "result u broken", "rout u C3").status == "LEGAL"
    done = place(board(C5=WOODS), broken(mph="done"), enemy(), phase="RtPh")
    assert "A10.5a" in bars(last(done, "result u broken", "rout u C3"))


def test_what_a_loss_takes_with_it() -> None:
    """A unit that breaks is no longer CX, TI or concealed; one that is wounded not concealed."""
    weary = place(board(), foot(at="C2", cx=True, ti=True, concealed=True), phase="DFPh")
    after = last(weary, "result u broken").after.unit("u")
    assert (after.status.cx, after.status.ti, after.concealment.concealed) == (False, False, False)
    chief = place(board(), foot(kind="leader", at="C2", concealed=True), phase="DFPh")
    assert not last(chief, "result u wounded").after.unit("u").concealment.concealed


def test_a_squad_is_reduced() -> None:
    """It goes on as a half squad of the named type; no other unit is reduced, or needs one."""
    scene = place(board(), foot(at="C2", kind="4-6-7", concealed=True))
    found = last(scene, "enter u C3", "result u reduced into=2-4-7", "enter u C4")
    unit = found.after.unit("u")
    assert (found.status, unit.type, unit.concealment.concealed) == ("LEGAL", "german 2-4-7", False)
    ASL.check_position(found.after)
    for line in (
        "result u reduced",
        "result u reduced into=4-6-7",
        "result u reduced into=9-9-9",
        "result u pinned into=2-4-7",
    ):
        with pytest.raises(BadInputError, match="half squad"):
            last(scene, line)
    with pytest.raises(BadInputError, match="a squad"):
        last(place(board(), foot(kind="leader", at="C2")), "result u reduced into=2-4-7")
