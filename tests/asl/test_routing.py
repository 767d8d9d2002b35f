"""Rout: which units rout, where to, past which enemies, for how many MF."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.play.offers import offers
from marchtable.rules.generator import legal_actions
from marchtable.state.position import Counter
from marchtable.state.records import replace
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

WOODS, HOUSE = {"terrain": "Woods"}, {"terrain": "Stone Building"}
NAMES = [f"{column}{row}" for column in "ABCDE" for row in range(1, 8)]


def board(**fields: Any) -> Any:
    """Return five columns of seven open hexes, except as given."""
    return field({name: fields.get(name, {}) for name in NAMES})


def fled(*lines: str, at: str = "C2", enemy: str = "C1", where: Any = None, **fields: Any) -> Any:
    """Return the ruling on the last step of a rout; the enemy is seen, unless stated otherwise."""
    scene = {
        name: fields.pop(name)
        for name in ("phase", "counters", "others", "readings")
        if name in fields
    }
    others = scene.pop("others", (foot("e", at=enemy, side="russian"),))
    unit = foot(at=at, **{"broken": True, "dm": True, "sees": ("e",), **fields})
    here = where or board(C5=WOODS)
    return on(place(here, unit, *others, **{"phase": "RtPh", **scene}), *lines)


def on(position: Any, *lines: str, comes_out: str = "none") -> Any:
    """Return the ruling on the last line; Interdiction on the way has this result."""
    for line in lines[:-1]:
        position = last(position, line).after
        for due in position.pending:
            position = last(position, f"settle {due.id} {comes_out}").after
    return last(position, lines[-1])


@pytest.mark.clause("A3.6", "A10.5a")
def test_who_routs() -> None:
    """Broken Infantry on foot in the RtPh of either side, by steps; no whole or pinned unit, or in Melee."""
    assert fled("rout u C3").status == "LEGAL"
    assert bars(fled("rout u C3", phase="MPh")) == {"A3.6"}
    for state in ({"broken": False}, {"pinned": True}, {"mph": "done"}):
        assert "A10.5a" in bars(fled("rout u C3", **state)), state
    assert bars(fled("rout u C3", enemy="C2", melee="held")) >= {"A10.5a"}
    assert bars(fled("rout u C4")) == {"A10.5a"}
    theirs = place(board(), foot(side="russian", at="C2", broken=True, dm=True), phase="RtPh")
    assert last(theirs, "rout u C3").status == "LEGAL"
    assert "rout u C3" in {str(c.action) for c in legal_actions(theirs)}


@pytest.mark.clause("A10.5a")
def test_one_unit_at_a_time() -> None:
    """Once another unit routs the first is done."""
    where = board(C6=WOODS)
    two = (
        foot("v", at="D3", broken=True, dm=True, sees=("e",)),
        foot("e", at="C1", side="russian"),
    )
    assert fled("rout u C3", "rout u C4", where=where, others=two).status == "LEGAL"
    assert "A10.5a" in bars(fled("rout u C3", "rout v D4", "rout u C4", where=where, others=two))


@pytest.mark.clause("A10.62", "A10.62b")
def test_under_dm() -> None:
    """If so stated, broken in this Player Turn, or adjacent to an enemy; it ends with the RPh."""
    in_the_open = fled("rout u C4", dm=False, at="C3")  # it must, if that enemy is in Normal Range
    assert (cites(in_the_open), bars(in_the_open)) == ({"A10.62"}, set())
    wood = board(C3=WOODS, C5=WOODS)
    assert "A10.62" in bars(fled("rout u C4", dm=False, at="C3", where=wood))
    down = (foot("e", at="C1", side="russian", broken=True),)
    assert bars(fled("rout u C4", dm=False, at="C3", others=down)) == {"A10.62"}
    assert not bars(fled("rout u C3", dm=False))
    fresh = place(board(), foot(at="C3"), phase="DFPh")
    after = last(fresh, "result u broken").after
    assert after.unit("u").status.dm
    assert last(after, "phase RtPh", "rout u C4").status == "LEGAL"
    assert not last(after, "phase RPh side=russian", "phase PFPh").after.unit("u").status.dm
    with pytest.raises(BadInputError, match="dm is for Personnel"):
        ASL.check_position(place(board(), vehicle(at="C2", dm=True)))


@pytest.mark.clause("A10.5b")
def test_its_mf() -> None:
    """6, whatever its allotment; a wounded SMC 3; MF spent in the MPh do not count."""

    def has(**fields: Any) -> float:
        return allotment(place(board(), foot(broken=True, **fields), phase="RtPh"))

    assert (has(), has(kind="leader"), has(inexperienced=True)) == (6, 6, 6)
    assert has(kind="leader", wounded=True) == 3
    assert allotment(place(board(), foot(), phase="RtPh")) == 4
    assert has(previous="B1") == 6  # no road bonus
    lent = place(board(), foot(helper="l"), foot("l", "leader", lends="u"), phase="DFPh")
    ASL.check_position(last(lent, "result u broken", "phase RtPh").after)
    spent = place(
        board(), foot(broken=True, dm=True, at="C2", spent=8, used=8, mph="done"), phase="AFPh"
    )
    after = last(spent, "phase RtPh", "rout u C3").after
    assert after.unit("u").points.spent == 2


@pytest.mark.clause("A10.4b")
def test_what_it_carries() -> None:
    """Its IPC: 3 PP, a SMC 1; it first drops any excess."""
    assert not bars(fled("rout u C3", sw=load(3)))
    assert bars(fled("rout u C3", sw=load(4))) == {"A10.4b"}
    assert bars(fled("rout u C3", kind="leader", sw=load(2))) == {"A10.4b"}


@pytest.mark.clause("A10.51a")
def test_away_from_the_enemy() -> None:
    """Not nearer to an enemy it sees; to an unseen one it can be; unstated sight is left open."""
    near = fled("rout u C3", at="C4", where=board())
    assert bars(near) == {"A10.51a"}
    assert not bars(fled("rout u C5", at="C4", where=board()))
    unstated = fled("rout u C3", at="C4", where=board(), sees=())
    assert (unstated.status, cites(unstated)) == ("UNSUPPORTED", {"A10.51a"})
    as_stated = fled(
        "rout u C3", at="C4", where=board(), sees=(), readings=(("A10.51a", "stated"),)
    )
    assert as_stated.status == "LEGAL"
    other = (foot("e", at="C1", side="russian"), foot("f", at="C7", side="russian"))
    assert not bars(fled("rout u C5", at="C4", where=board(), others=other))
    hidden = (foot("e", at="C1", side="russian", concealed=True),)
    assert fled("rout u C3", at="C4", where=board(), others=hidden).status == "LEGAL"


@pytest.mark.clause("A10.51b")
def test_not_next_to_an_enemy() -> None:
    """Nor adjacent to one at all, except out of its own Location."""
    two = (foot("e", at="C1", side="russian"), foot("f", at="C5", side="russian"))
    assert bars(fled("rout u C4", at="C3", where=board(), others=two)) == {"A10.51b"}
    assert bars(fled("rout u B3", where=board(), enemy="B2")) >= {"A10.51b"}
    assert not bars(
        fled("rout u C3", where=board(), enemy="C2", others=(foot("e", at="C2", side="russian"),))
    )


@pytest.mark.clause("A10.51c", "A10.51d")
def test_to_the_nearest_cover() -> None:
    """In MF: it must still be able to reach it from anywhere on the way; inside it can stop."""
    ours = board(C5=WOODS, A2=WOODS)
    assert fled("rout u C3", where=ours).after.unit("u").move.goals == ("A2",)
    assert bars(fled("rout u C3", "rout u C4", where=ours)) == {"A10.51c"}
    assert not bars(fled("rout u B2", where=ours, enemy="D2"))
    far = board(E7=WOODS)
    assert not bars(fled("rout u B2", where=far))  # nothing within 6 MF
    straight = fled("rout u C3", "rout u C4", "rout u C5")
    assert (straight.status, total(straight)) == ("LEGAL", 2)
    assert bars(fled("rout u C3", "rout u C4", "rout u C5", "rout u C6")) == {"A10.51c"}


@pytest.mark.clause("A10.51c")
def test_what_it_may_pass_over() -> None:
    """Its own building, and cover no farther from an enemy than its place: then the next one counts."""
    town = board(C2=HOUSE, C3=HOUSE, B5=WOODS)
    assert fled("rout u C3", where=town).after.unit("u").move.goals == ("B5", "C3")
    assert not bars(fled("rout u B2", where=town))
    level = board(B3=WOODS, C6=WOODS)
    assert fled("rout u C5", where=level, at="C4").after.unit("u").move.goals == ("B3", "C6")
    behind = board(B4=WOODS, C6=WOODS)  # farther from the enemy: not to be passed over
    assert bars(fled("rout u C5", where=behind, at="C4")) == set()
    assert bars(fled("rout u C5", "rout u D5", where=behind, at="C4")) == {"A10.51c"}
    mined = board(C4=WOODS, C5=WOODS)
    lie = (Counter(kind="minefield", at="C4"),)
    assert fled("rout u C3", where=mined, counters=lie).after.unit("u").move.goals == ("C5",)


@pytest.mark.clause("A10.52a", "A10.52b")
def test_low_crawl() -> None:
    """One Location, then its rout is over; not out of an enemy's, into marsh, or after other steps."""
    found = fled("rout u C3 crawl=true")
    assert (found.status, found.after.unit("u").move.mph) == ("LEGAL", "done")
    assert fled("rout u C3").after.unit("u").move.mph == "moving"
    assert bars(fled("rout u C3", "rout u C4 crawl=true")) == {"A10.52a"}
    assert "A10.52a" in bars(fled("rout u C3 crawl=true", where=board(C3={"terrain": "Marsh"})))
    inside = (foot("e", at="C2", side="russian"),)
    assert "A10.52a" in bars(fled("rout u C3 crawl=true", others=inside))


@pytest.mark.clause("A12.15a")
def test_a_rout_into_hidden_enemies() -> None:
    """They send it back, and its rout is over."""
    both = (foot("e", at="C1", side="russian"), foot("h", at="C3", side="russian", concealed=True))
    after = fled("rout u C3", where=board(), others=both).after
    assert (after.unit("u").at, after.unit("u").move.mph) == ("C2", "done")


@pytest.mark.clause("A10.5b", "A10.51c")
def test_how_far_cover_is_looked_for() -> None:
    """As far as the present MF: a leader's 6 to woods five hexes off, not a wounded one's 3."""
    here, enemy = board(C7=WOODS), foot("e", at="C1", side="russian")
    for wounded, goals in ((False, ("C7",)), (True, ())):
        leader = foot("u", "leader", at="C2", broken=True, dm=True, sees=("e",), wounded=wounded)
        ruling = last(place(here, leader, enemy, phase="RtPh"), "rout u C3")
        assert ruling.after is not None
        assert ruling.after.unit("u").move.goals == goals


@pytest.mark.clause("A19.12a", "A19.12b")
def test_who_is_disrupted() -> None:
    """It routs out of Open Ground, or from an adjacent vehicle; next to Infantry it surrenders instead."""
    assert bars(fled("rout u C3", disrupted=True)) == {"A19.12a"}
    assert not bars(fled("rout u C4", disrupted=True, at="C3"))
    wood = board(C2=WOODS, C3=WOODS, C5=WOODS)
    assert bars(fled("rout u C4", disrupted=True, at="C3", where=wood)) == {"A19.12a"}
    tank = (vehicle("e", "t-26-m33", at="C1", side="russian"),)
    assert not bars(fled("rout u C3", disrupted=True, others=tank, where=wood))
    assert bars(fled("rout u C4 crawl=true", disrupted=True, at="C3")) == {"A19.12b"}
    assert not bars(fled("rout u C4 crawl=true", at="C3"))
    assert not bars(fled("rout u C4", "rout u C5", disrupted=True, at="C3"))


@pytest.mark.clause("D6.1n")
def test_beneath_a_vehicle() -> None:
    """A broken Passenger beneath a stopped vehicle is UNSUPPORTED; a moving one forbids it."""
    for moving, found in ((False, set()), (True, {"A10.5a", "A10.62"})):
        truck = vehicle("t", "opel-blitz", at="C4", moving=moving)
        ruling = last(
            place(board(), truck, foot(at="C4", aboard="t", broken=True), phase="RtPh"), "rout u C4"
        )
        assert (bars(ruling), "D6.1n" in cites(ruling)) == (found, not moving)


@pytest.mark.clause("A10.53")
def test_interdiction_is_reported() -> None:
    """A rout in Open Ground near an enemy meets Interdiction, but not by Low Crawl, in woods or in SMOKE.

    An enemy that is broken, pinned or CX, or a wreck, does not interdict.
    """

    def stated(ruling: Any) -> bool:
        return "A10.53" in {due.clause for due in ruling.obligations}

    assert stated(fled("rout u C3"))
    assert not stated(fled("rout u C3 crawl=true"))
    assert not stated(fled("rout u C3", where=board(C3=WOODS)))
    assert not stated(fled("rout u C3", counters=(Counter(kind="smoke", at="C3"),)))
    foe: dict[str, Any] = {"name": "e", "at": "C1", "side": "russian"}
    for enemy in (foot(**foe, broken=True), foot(**foe, pinned=True), foot(**foe, cx=True)):
        assert not stated(fled("rout u C3", others=(enemy,)))
    assert not stated(fled("rout u C3", others=(foot("w", "wreck", at="C1", side="russian"),)))


@pytest.mark.clause("A10.5g", "A10.53", "A10.62")
def test_normal_range() -> None:
    """It is the middle figure of a squad's name; other weapons may reach farther, up to 16 hexes."""
    where = field({f"C{row}": {} for row in range(1, 21)})

    def lost(far: int, kind: str, **fields: Any) -> list[str]:
        unit = foot(at="C20", broken=True, dm=True, sees=("e",))
        foe = foot("e", kind, at=f"C{20 - far}", side="russian", **fields)
        found = pending(last(place(where, unit, foe, phase="RtPh"), "phase APh"))
        return found.get("failure-to-rout:u", [])

    assert [lost(far, "4-4-7") for far in (4, 5)] == [["eliminated"], []]
    assert [lost(far, "2-2-8") for far in (2, 3)] == [["eliminated"], []]
    assert [lost(far, "4-4-7", sw=load(1)) for far in (5, 16, 17)] == [
        ["none", "eliminated"]
    ] * 2 + [[]]
    assert [lost(far, "8-0") for far in (5, 17)] == [["none", "eliminated"], []]

    def rout(far: int, kind: str, **fields: Any) -> Any:
        unit = foot(at="C19", broken=True, sees=("e",), **{"dm": True, **fields})
        foe = foot("e", kind, at=f"C{20 - far}", side="russian")
        return last(place(where, unit, foe, phase="RtPh"), "rout u C20")

    assert [bool(pending(rout(far, "4-4-7"))) for far in (4, 5)] == [True, False]
    assert bool(pending(rout(5, "leader")))
    assert [rout(far, "4-4-7", dm=False).status for far in (5, 6)] == ["UNSUPPORTED", "ILLEGAL"]


@pytest.mark.clause("A10.5f")
def test_failure_to_rout_is_reported() -> None:
    """As the APh begins, for a broken unit next to a Known unbroken armed enemy, not in Melee or aboard."""

    def stated(*units: Any) -> bool:
        ruling = last(place(board(), *units, phase="RtPh"), "phase APh")
        return "A10.5f" in {due.clause for due in ruling.obligations}

    unit, enemy = foot(at="C2", broken=True), foot("e", at="C1", side="russian")
    assert stated(unit, enemy)
    assert not stated(foot(at="C2"), enemy)
    assert not stated(foot(at="C3", broken=True), enemy)
    assert not stated(foot(at="C1", broken=True, melee="held"), enemy)
    foe: dict[str, Any] = {"name": "e", "at": "C1", "side": "russian"}
    for other in (foot(**foe, broken=True), foot(**foe, unarmed=True), foot(**foe, concealed=True)):
        assert not stated(unit, other)
    truck = vehicle("t", at="C2", moving=False)
    assert not stated(truck, foot(at="C2", broken=True, aboard="t"), enemy)


def pending(ruling: Any) -> dict[str, list[str]]:
    """Return what is to be settled, with its possible outcomes."""
    return {due.id: [one.outcome for one in due.outcomes] for due in ruling.obligations}


@pytest.mark.clause("A10.53", "A10.53b", "A10.53c")
def test_what_interdiction_comes_to() -> None:
    """None, or the NMC passes, pins, or causes a Casualty Reduction: the remaining half squad is named."""
    found = ["none", "passed", "pinned", "reduced", "eliminated"]
    first = fled("rout u C3")
    assert pending(first) == {"interdiction:u": found}
    assert pending(fled("rout u C3", kind="leader"))["interdiction:u"][3] == "wounded"
    assert "reduced" not in pending(fled("rout u C3", kind="half-squad"))["interdiction:u"]
    assert last(first.after, "rout u C4").status == "ILLEGAL"  # settle that first
    for outcome in ("none", "passed"):
        assert not bars(on(first.after, f"settle interdiction:u {outcome}", "rout u C4"))
    stuck = last(first.after, "settle interdiction:u pinned").after
    assert (stuck.unit("u").status.pinned, stuck.unit("u").move.mph) == (True, "done")
    assert "A10.5a" in bars(last(stuck, "rout u C4"))
    halved = last(first.after, "settle interdiction:u reduced")
    assert "2-4-7" in pending(halved)["half-squad:u"]
    left = last(halved.after, "settle half-squad:u 2-4-7").after
    assert left.unit("u").type == "german 2-4-7"
    assert not bars(last(left, "rout u C4"))
    strange = fled("rout u C3", nationality="finnish")
    none = last(strange.after, "settle interdiction:u reduced")
    assert (none.status, cites(none)) == ("UNSUPPORTED", {"A10.53b"})
    gone = last(fled("rout u C3", sw=load(1)).after, "settle interdiction:u eliminated").after
    assert (gone.unit("u").at, [lie.at for lie in gone.counters]) == (None, ["C3"])


def led(*lines: str, **fields: Any) -> Any:
    """Return the ruling on the last step of a rout with a leader."""
    where = fields.pop("where", board(C6=WOODS))
    leader = foot("l", "leader", **{"at": "C2", **fields})
    return fled(*lines, where=where, others=(foot("e", at="C1", side="russian"), leader))


@pytest.mark.clause("A10.711a")
def test_a_leader_routs_along() -> None:
    """From its first step; the leader is unbroken, unpinned and with it, and spends the steps' MF."""
    found = led("rout u C3 leaders=l", "rout u C4 leaders=l")
    assert (found.status, found.after.unit("l").at) == ("LEGAL", "C4")
    assert {one.unit: one.left for one in found.receipts} == {"u": 8, "l": 8}
    for state in ({"broken": True}, {"pinned": True}, {"berserk": True}, {"at": "C3"}):
        assert "A10.711a" in bars(led("rout u C3 leaders=l", **state)), state
    assert bars(led("rout u C3", "rout u C4 leaders=l")) == {"A10.711a"}
    squad = (foot("e", at="C1", side="russian"), foot("l", at="C2"))
    assert bars(fled("rout u C3 leaders=l", others=squad)) == {"A10.711a"}
    hurt = led(
        "rout u C3 leaders=l",
        "rout u C4 leaders=l",
        "rout u C5 leaders=l",
        "rout u C6 leaders=l",
        wounded=True,
    )
    assert bars(hurt) == {"A4.11b"}


@pytest.mark.clause("A10.711b", "A10.711c")
def test_the_leader_stays_with_it() -> None:
    """The leader is named in every step; if the Morale Check fails, result names the loss."""
    assert bars(led("rout u C3 leaders=l", "rout u C4")) == {"A10.711b"}
    assert not bars(led("rout u C3", "rout u C4"))
    first = led("rout u C3 leaders=l").after
    assert not cites(last(first, "settle interdiction:u passed"))
    assert cites(last(first, "settle interdiction:u eliminated")) == {"A10.711c"}


def captured(line: str = "surrender u e", **fields: Any) -> Any:
    """Return the ruling on a surrender of a unit in the open adjacent to an enemy."""
    return fled(line, where=fields.pop("where", board()), **fields)


@pytest.mark.clause("A3.6", "A20.21a")
def test_who_surrenders() -> None:
    """A broken unit on foot, to adjacent armed Good Order Infantry, which guards it; its SW lie there."""
    found = captured(sw=load(1))
    taken = found.after.unit("u")
    assert (found.status, taken.at, taken.cargo.guard) == ("LEGAL", "C1", "e")
    assert [lie.at for lie in found.after.counters] == ["C2"]
    assert bars(captured(phase="APh")) == {"A3.6"}
    states: tuple[dict[str, Any], ...] = ({"broken": False}, {"pinned": True})
    for state in states:
        assert bars(captured(**state)) == {"A20.21a"}, state
    foe: dict[str, Any] = {"name": "e", "at": "C1", "side": "russian"}
    unfit: tuple[dict[str, Any], ...] = (
        {"broken": True},
        {"berserk": True},
        {"disrupted": True},
        {"unarmed": True},
        {"concealed": True},
    )
    for state in unfit:
        assert bars(captured(others=(foot(**foe, **state),))) == {"A20.21a"}, state
    assert bars(captured(enemy="C4")) == {"A20.21a"}
    tank = (vehicle("e", "t-26-m33", at="C1", side="russian"),)
    assert bars(captured(others=tank)) == {"A20.21a"}


@pytest.mark.clause("A20.21b")
def test_who_never_surrenders() -> None:
    """Neither Japanese nor Partisans, nor SS to Russians; others do, SS to others too."""
    for nation in ("japanese", "partisan"):
        assert bars(captured(nationality=nation)) == {"A20.21b"}
    assert not bars(captured(nationality="italian"))
    foe = foot("e", at="C1", side="russian", nationality="american")
    for enemy, found in (((), {"A20.21b"}), ((foe,), set())):
        result: dict[str, Any] = {"others": enemy} if enemy else {}
        assert bars(captured(nationality="ss", **result)) == found


@pytest.mark.clause("A20.21c")
def test_a_unit_that_could_rout_does_not_surrender() -> None:
    """Into woods no enemy Interdicts it; in the open it may be; a disrupted unit surrenders anyway."""
    wood = board(C3=WOODS)
    assert bars(captured(where=wood)) == {"A20.21c"}
    assert not bars(captured())
    assert not bars(captured(where=wood, disrupted=True))
    blind = captured(where=board(B1=WOODS, B2=WOODS), sees=())
    assert (blind.status, cites(blind)) != ("LEGAL", set())


def test_the_captors_side_decides() -> None:
    """The unit's own side sees no choice among prisoner and elimination; it takes an only result itself."""
    unit, enemy = foot(at="C2", broken=True, sw=load(1)), foot("e", at="C1", side="russian")
    after = on(place(board(), unit, enemy, phase="RtPh"), "phase APh").after
    (own,) = ASL.seen_by(after, "german").pending
    assert (own.outcomes, own.note) == ((), "the other side decides whether it takes a prisoner")
    assert ASL.seen_by(after, "russian").pending == after.pending
    (late,) = last(after, "phase CCPh").violations
    assert late.note == (
        "failure to rout of u must be settled first: `settle failure-to-rout:u eliminated|by:e`"
    )
    proud = foot(at="C2", broken=True, nationality="japanese")
    after = on(place(board(), proud, enemy, phase="RtPh"), "phase APh").after
    assert ASL.seen_by(after, "german").pending == after.pending


@pytest.mark.clause("A10.5f", "A10.5g")
def test_what_failure_to_rout_comes_to() -> None:
    """It is eliminated, or a prisoner; in the open too if an enemy sees it, unless it crawled."""

    def ends(*units: Any, where: Any = None, lines: tuple[str, ...] = ()) -> Any:
        return on(place(where or board(), *units, phase="RtPh"), *lines, "phase APh")

    unit, enemy = foot(at="C2", broken=True, sw=load(1)), foot("e", at="C1", side="russian")
    found = ends(unit, enemy)
    assert pending(found) == {"failure-to-rout:u": ["eliminated", "by:e"]}
    for outcome, at, guard in (("eliminated", None, None), ("by:e", "C1", "e")):
        after = last(found.after, f"settle failure-to-rout:u {outcome}").after
        lost = after.unit("u")
        assert (lost.at, lost.cargo.guard, [lie.at for lie in after.counters]) == (
            at,
            guard,
            ["C2"],
        )
        ASL.check_position(after)
    warning = "u has not routed: can be eliminated or captured as the RtPh ends"
    assert ("A10.5f", warning) in found.exceptions
    proud = foot(at="C2", broken=True, nationality="japanese")
    assert pending(ends(proud, enemy)) == {"failure-to-rout:u": ["eliminated"]}
    one = foot("e", "leader", at="C1", side="russian")  # who guards five, and a squad has three
    held = foot("p", at="C1", unarmed=True, guard="e")
    assert pending(ends(unit, one)) == {"failure-to-rout:u": ["eliminated", "by:e"]}
    assert pending(ends(unit, one, held)) == {"failure-to-rout:u": ["eliminated"]}
    tank = vehicle("e", "t-26-m33", at="C1", side="russian")
    assert pending(ends(unit, tank)) == {"failure-to-rout:u": ["eliminated"]}
    away = foot(at="C4", broken=True, dm=True, sees=("e",))
    rifles = foot("e", "4-4-7", at="C1", side="russian")
    assert pending(ends(away, rifles)) == {"failure-to-rout:u": ["eliminated"]}
    unclear = ends(away, enemy)
    assert pending(unclear) == {"failure-to-rout:u": ["none", "eliminated"]}
    assert last(unclear.after, "settle failure-to-rout:u none").after.unit("u").at == "C4"
    for spared in (
        ends(away, enemy, where=board(C4=WOODS)),
        ends(foot(at="C4", broken=True, dm=True), enemy),
        ends(away, enemy, lines=("rout u C5 crawl=true",)),
    ):
        assert not pending(spared)


@pytest.mark.clause("A10.5a", "A10.52a", "A10.711a", "A20.21a")
def test_routs_and_surrenders_are_listed() -> None:
    """Every Location that a broken unit can rout to is listed, with leaders and crawling; a captor, too."""
    scene = place(
        board(C5=WOODS), foot(at="C2", broken=True, dm=True, sees=("e",)), foot("l", "leader", at="C2"),
        foot("e", at="C1", side="russian"), phase="RtPh",
    )  # fmt: skip
    found = {str(choice.action) for choice in legal_actions(scene, "u")}
    tried = {
        f"rout u {at}{crawl}{leader}"
        for at in NAMES
        for crawl in ("", " crawl=true")
        for leader in ("", " leaders=l")
    }
    legal = {line for line in tried if last(scene, line).is_legal}
    assert {line for line in found if line.startswith("rout")} == legal
    assert {"rout u C3", "rout u C3 crawl=true", "rout u C3 leaders=l"} <= legal
    shut = scene.with_units([replace(scene.unit("u"), disrupted=True)])
    assert "surrender u e" in {str(choice.action) for choice in legal_actions(shut, "u")}
    (why,) = [
        one
        for one in offers(replace(scene, phase="MPh"), scene.unit("u")).barred
        if one["verb"] == "rout"
    ]
    assert why["clauses"] == ["A3.6"]
