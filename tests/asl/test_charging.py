"""The charge of berserk units: where to, by which way, with what, and where it ends."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.state.position import Counter
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    field,
    foot,
    last,
    load,
    place,
    total,
    vehicle,
)

PLAIN = field({f"{column}{row}": {} for column in "ABCDE" for row in (1, 2, 3)})
DENSE = field({
    "B1": {}, "C1": {}, "C2": {"terrain": "Brush"}, "D1": {}, "E2": {}, "D2": {"terrain": "Brush"},
    "B2": {}, "E1": {},
})  # fmt: skip
"""From B1 to E2: by C2 and D2 through brush 2 + 2 + 1, by C1 and D1 in the open 1 + 1 + 1 + 1."""


def mad(name: str = "u", at: str = "B1", **fields: Any) -> Any:
    """Return a berserk unit that sees the enemy."""
    return foot(name, at=at, **{"berserk": True, "sees": ("e",), **fields})


def enemy(name: str = "e", at: str = "E2", **fields: Any) -> Any:
    """Return a Known enemy."""
    return foot(name, **{"side": "russian", "at": at, **fields})


def charge(line: str = "enter u C1", *units: Any, board: Any = PLAIN, **fields: Any) -> Any:
    """Return how a step of a charge is ruled."""
    return last(place(board, *(units or (mad(), enemy())), **fields), line)


@pytest.mark.clause("A15.43a")
def test_the_shortest_way_in_mf() -> None:
    """Any hex on a shortest way is legal; not away, nor through brush if the open is shorter in MF."""
    for to, found in (("C1", set()), ("C2", set()), ("B2", {"A15.43a"}), ("A1", {"A15.43a"})):
        assert bars(charge(f"enter u {to}")) == found, to
    assert not bars(charge("enter u C1", board=DENSE))
    assert bars(charge("enter u C2", board=DENSE)) == {"A15.43a"}
    unseen = charge("enter u C1", mad(sees=()), enemy())
    assert (unseen.status, cites(unseen)) == ("UNSUPPORTED", {"A15.43a"})


@pytest.mark.clause("A15.43a")
def test_the_nearest_by_computed_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where sight is computed, a hill hex hides the nearest enemy; a Blaze leaves it open."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")
    hill = field({
        f"{column}{row}": {"level": 1} if f"{column}{row}" == "B2" else {}
        for column in "ABCDE" for row in (1, 2, 3)
    })  # fmt: skip
    units = mad(sees=()), enemy(), enemy("f", at="B3")

    def ruled(board: Any = PLAIN, *, sight: str = "computed", **more: Any) -> Any:
        return charge("enter u C1", *units, board=board, stated={"sight": sight}, **more)

    assert bars(ruled()) == {"A15.43a"}
    assert not bars(ruled(hill))
    assert ruled(hill).status == "LEGAL"
    assert bars(ruled(smoke=["B2"])) == {"A15.43a"}
    for unknown in (
        ruled(counters=(Counter(kind="other blaze", at="B2"),)),
        ruled(hill, sight="given"),
    ):
        assert (unknown.status, cites(unknown)) == ("UNSUPPORTED", {"A15.43a"})
    far = charge(
        "enter u C1",
        mad(sees=()),
        enemy(),
        stated={"sight": "computed"},
        counters=(Counter(kind="other blaze", at="B3"),),
    )
    assert far.status == "LEGAL"
    stated = charge("enter u C1", mad(), *units[1:], stated={"sight": "computed"})
    assert stated.status == "LEGAL"


@pytest.mark.clause("A15.43a")
def test_options_that_depend_on_enemies_anywhere_are_not_cached() -> None:
    """A berserk unit charges the nearest enemy it sees, wherever that is."""
    computed = place(PLAIN, mad(sees=()), enemy(), stated={"sight": "computed"})
    given = place(PLAIN, mad(sees=()), enemy())
    calm = place(PLAIN, foot(), enemy())

    for position in (computed, given):
        assert ASL.distant_facts(position, position.units[0]) is None
    assert ASL.equivalence(computed, computed.units[0]) is None
    assert ASL.distant_facts(calm, calm.units[0]) is not None


@pytest.mark.clause("A15.43a")
def test_the_nearest_that_it_sees() -> None:
    """In hexes; of two equally near either will do; an unseen or concealed enemy does not count."""
    near = enemy("f", at="A3")
    assert bars(charge("enter u C1", mad(sees=("e", "f")), enemy(), near)) == {"A15.43a"}
    assert not bars(charge("enter u B2", mad(sees=("e", "f")), enemy(), near))
    assert not bars(charge("enter u C1", mad(), enemy(), near))
    hidden = enemy("f", at="A3", concealed=True)
    assert not bars(charge("enter u C1", mad(sees=("e", "f")), enemy(), hidden))
    both = (mad(at="C2", sees=("e", "f")), enemy(at="E3"), enemy("f", at="A3"))
    assert not bars(charge("enter u D2", *both))
    assert not bars(charge("enter u B2", *both))


@pytest.mark.clause("A15.43a")
def test_where_bypass_may_be_shorter() -> None:
    """Whether through a house or past it is shorter is UNSUPPORTED, but turning back is not it."""
    house = field(
        {"B1": {}, "C2": {"terrain": "Stone Building"}, "D2": {}, "C1": {}, "D1": {}, "A1": {}}
    )
    scene = (mad(), enemy(at="D2"))
    found = charge("enter u C1", *scene, board=house)
    assert (found.status, cites(found)) == ("UNSUPPORTED", {"A15.43a"})
    assert bars(charge("enter u A1", *scene, board=house)) == {"A15.43a"}


@pytest.mark.clause("A15.43b")
def test_they_go_together() -> None:
    """All berserk units of the Location charge together; a unit not berserk, or wounded, can stay."""
    two = (mad(), mad("v"), enemy())
    assert bars(charge("enter u C1", *two)) == {"A15.43b"}
    assert not bars(charge("enter u,v C1", *two))
    assert not bars(charge("enter u C1", mad(), foot("v"), enemy()))
    hurt = mad("v", kind="leader", wounded=True)
    assert not bars(charge("enter u C1", mad(), hurt, enemy()))


@pytest.mark.clause("A15.431a", "A15.43")
def test_what_it_does_not_do() -> None:
    """A berserk unit uses no Assault Movement, Double Time or Advance; other actions are not judged."""
    for line in ("assault u", "double-time u"):
        assert bars(charge(line)) == {"A15.431a"}
    assert "A15.431a" in bars(charge("advance u C1", phase="APh"))
    for line in ("minimum u C1", "search u", "bypass u C1 vertex=E"):
        assert "A15.43" in cites(charge(line)), line
    assert not bars(charge("assault u", foot()))


@pytest.mark.clause("A15.431b")
def test_its_mf() -> None:
    """It has 8 MF, with or without a leader; a wounded unit 3; PP above its IPC are subtracted."""
    assert allotment(place(PLAIN, mad())) == allotment(place(PLAIN, mad(kind="leader"))) == 8
    assert allotment(place(PLAIN, mad(kind="leader", wounded=True))) == 3
    assert allotment(place(PLAIN, foot())) == 4
    led = place(PLAIN, mad(leaders=("l",)), foot("l", "leader"))
    assert allotment(led) == 8


@pytest.mark.clause("A15.431c")
def test_what_it_carries() -> None:
    """It carries items of 1 PP up to its IPC; a MMG must be dropped first, or a fourth PP."""
    assert not bars(charge("enter u C1", mad(sw=load(1, 1, 1)), enemy()))
    assert bars(charge("enter u C1", mad(sw=load(2)), enemy())) == {"A15.431c"}
    assert bars(charge("enter u C1", mad(sw=load(1, 1, 1, 1)), enemy())) == {"A15.431c"}
    chief = mad(kind="leader", sw=load(1, 1))
    assert bars(charge("enter u C1", chief, enemy())) == {"A15.431c"}
    dropped = last(place(PLAIN, mad(sw=load(2)), enemy()), "drop u SW0", "enter u C1")
    assert dropped.status == "LEGAL"


@pytest.mark.clause("A15.432", "A4.14", "A4.15b")
def test_it_goes_in() -> None:
    """It enters the enemy's Location at the plain cost and ends its MPh there; a SMC costs no more."""
    for kind in ("squad", "leader"):
        found = charge("enter u E2", mad(at="D1"), enemy(kind=kind))
        assert (found.status, total(found)) == ("LEGAL", 1)
        assert found.after.unit("u").move.mph == "done"
    assert charge("enter u D1", mad(at="C1")).after.unit("u").move.mph == "moving"
    assert bars(charge("enter u E2", foot(at="D1"), enemy())) == {"A4.14"}


@pytest.mark.clause("A15.432", "A15.43c")
def test_an_enemy_upstairs_is_not_met_below() -> None:
    """Beneath the enemy the charge goes on, which is UNSUPPORTED; on the same level it is over."""
    house = {"terrain": "Stone Building, 1 Level", "clear": (0,) * 6}
    board = field({"D1": house, "E2": house, "C1": {}})
    above = enemy(inside="upstairs", floor=1)
    found = last(place(board, mad(at="D1"), above), "enter u E2")
    assert (found.status, found.after.unit("u").move.mph) == ("LEGAL", "moving")
    assert cites(last(place(board, mad(at="E2"), above), "end u")) == {"A15.43c"}
    upstairs: dict[str, Any] = {"inside": "upstairs", "floor": 1}
    level = last(place(board, mad(at="D1", **upstairs), above), "enter u E2")
    assert (level.status, level.after.unit("u").move.mph) == ("LEGAL", "done")
    assert last(place(board, mad(at="E2", **upstairs), above), "end u").status == "LEGAL"


@pytest.mark.clause("A15.431d")
def test_it_runs_into_others() -> None:
    """Concealed enemies on its way are UNSUPPORTED; other units would be sent back."""
    hidden = enemy("f", at="C1", concealed=True)
    found = charge("enter u C1", mad(), enemy(), hidden)
    assert (found.status, cites(found)) == ("UNSUPPORTED", {"A15.431d"})
    assert charge("enter u C1", foot(), hidden).status == "LEGAL"


@pytest.mark.clause("A15.43a")
def test_reach_looks_past_it() -> None:
    """Reach says so, and finds no way for it."""
    scene = place(PLAIN, mad(), enemy())
    assert list(ASL.left_out(scene, scene.unit("u"))) == ["A15.43a"]
    assert ASL.travel_in(scene, scene.unit("u")) == ()


@pytest.mark.clause("A15.43c")
def test_it_charges_as_far_as_it_can() -> None:
    """While it can enter a Location on its way, neither its player nor the next phase can end its MPh."""
    for line in ("end u", "phase DFPh", "phase APh"):
        found = charge(line)
        assert (bars(found), found.status) == ({"A15.43c"}, "ILLEGAL"), line
        weary = mad(at="D1", spent=15, used=15, mph="moving")  # half a MF is left, and it takes one
        assert charge(line, weary, enemy()).status == "LEGAL", line
        assert cites(charge(line, mad(sees=()), enemy())) == {"A15.43c"}, line
        assert charge(line, mad(), enemy(concealed=True)).status == "LEGAL", line
    spent = charge("end u", mad(spent=16, used=16, mph="moving"), enemy())
    assert spent.status == "LEGAL"
    held = charge("phase DFPh", mad(at="E2", melee="held"), enemy())
    assert held.status == "LEGAL"
    laden = charge("end u", mad(sw=load(10)), enemy())  # it leaves that first
    assert bars(laden) == {"A15.43c"}
    gone = last(place(PLAIN, mad(at="D1"), enemy()), "enter u E2", "phase DFPh")
    assert gone.status == "LEGAL"


@pytest.mark.clause("A15.43d")
def test_it_charges_first() -> None:
    """Another unit of its side must wait if it can charge at all; under the other reading it need not."""
    both = (mad(), foot("v", at="A1"), enemy())
    assert bars(charge("enter v B1", *both)) == {"A15.43d"}
    assert bars(charge("assault v", *both)) == set()  # a unit that begins no MPh
    anyhow = place(PLAIN, *both, readings=(("A15.43d", "any"),))
    assert not bars(last(anyhow, "enter v B1"))
    assert not bars(charge("enter v B1", mad(melee="held"), *both[1:]))
    assert cites(charge("enter v B1", mad(sees=()), *both[1:])) == {"A15.43d"}
    two = charge("enter u C1", mad(), mad("w", at="A1"), enemy())
    assert not bars(two)
    assert list(ASL.left_out(place(PLAIN, *both), both[1])) == ["A15.43d"]


@pytest.mark.clause("A15.43a")
def test_going_berserk_is_reported() -> None:
    """A unit gone berserk is no longer broken, pinned, CX, TI or concealed; it can calm down again."""
    weary = foot(broken=True, dm=True, pinned=True, cx=True, ti=True)
    after = last(place(PLAIN, weary, enemy()), "result u berserk").after
    state = after.unit("u").status
    assert state.berserk
    assert not any((state.broken, state.dm, state.pinned, state.cx, state.ti))
    assert not last(after, "result u calm").after.unit("u").status.berserk
    weak = last(place(PLAIN, foot(broken=True, dm=True), phase="RPh"), "result u rallied").after
    assert (weak.unit("u").status.broken, weak.unit("u").status.dm) == (False, False)
    with pytest.raises(BadInputError, match="cannot be berserk; expected Infantry"):
        last(place(PLAIN, vehicle()), "result u berserk")


@pytest.mark.clause("A15.43c")
def test_its_mph_is_not_passed_over() -> None:
    """A phase after the MPh, of this Player Turn or the next, cannot begin before the charge."""
    early = place(PLAIN, mad(), enemy(), phase="PFPh")
    for line in ("phase DFPh", "phase APh", "phase RPh side=russian"):
        assert bars(last(early, line)) == {"A15.43c"}, line
    assert last(early, "phase MPh").status == "LEGAL"
    theirs = place(PLAIN, mad(), enemy(), side="russian", phase="CCPh")
    assert last(theirs, "phase RPh side=german").status == "LEGAL"
    assert bars(last(theirs, "phase APh side=german")) == {"A15.43c"}
    blind = place(PLAIN, mad(), enemy(concealed=True), phase="PFPh")
    assert last(blind, "phase APh").status == "LEGAL"


@pytest.mark.clause("A15.43a")
def test_nobody_goes_round_the_house_that_he_charges() -> None:
    """Nor can it bypass one without clearance: the enemy is in it, or the board says so."""
    into = field({"B1": {}, "C1": {}, "D1": {"terrain": "Stone Building"}, "C2": {}, "D2": {}})
    assert charge("enter u C1", mad(), enemy(at="D1"), board=into).status == "LEGAL"
    for clear, found in (((0,) * 6, "LEGAL"), ((30,) * 6, "UNSUPPORTED")):
        wall = field(
            {
                "B1": {},
                "C1": {"terrain": "Stone Building", "clear": clear},
                "D1": {},
                "C2": {"terrain": "Brush"},
            }
        )
        scene = (mad(), enemy(at="D1"))
        assert charge("enter u C1", *scene, board=wall).status == found, clear
