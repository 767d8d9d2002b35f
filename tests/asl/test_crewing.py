"""Crews: CE and BU, Stun, Recall, Abandoned vehicles; freeing a bogged vehicle."""

from __future__ import annotations

from typing import Any

import pytest

from tests.asl.boards import bars, cites, crossing, foot, judge, last, place, step, total, vehicle
from tests.asl.test_driving import chances

ROAD = {"road": "Dirt Road"}


@pytest.mark.clause("D5.33a")
def test_buttoning_up_and_opening() -> None:
    """A crew changes for free at any moment of its MPh, and its road rate too; not to its present state."""
    closed = step("ft", "hatch u bu")
    assert (closed.status, closed.after.unit("u").crew.bu, total(closed)) == ("LEGAL", True, 0)
    opened = place(crossing(hexside=ROAD), vehicle(kind="ft-9", bu=True))
    assert total(last(opened, "hatch u ce", "enter u C1")) == 0.5
    assert total(last(opened, "enter u C1")) == 1
    assert bars(step("ft", "hatch u ce")) == bars(step("ft", "hatch u bu", bu=True)) == {"D5.33a"}
    assert bars(step("tr", "hatch u bu")) == bars(step("inf", "hatch u bu")) == {"D5.33a"}
    states: tuple[dict[str, Any], ...] = (
        {"immobile": True}, {"bogged": True}, {"final": "all", "used": 2},
    )  # fmt: skip
    for fields in states:
        assert step("ft", "hatch u bu", **fields).status == "LEGAL"


@pytest.mark.clause("D5.33c")
def test_hatches_stay_once_somebody_has_fired() -> None:
    """They stay in the MPh after Prep or Bounding First Fire by it or its PRC; in the APh they change."""
    track = vehicle("t", "spw-251", moving=False)
    states: tuple[dict[str, Any], ...] = ({"prep_fired": True}, {"fired": True})
    for fields in states:
        assert bars(step("ft", "hatch u bu", **fields)) == {"D5.33c"}
        assert bars(last(place(crossing(), track, foot(aboard="t", **fields)), "hatch t bu")) == {
            "D5.33c"
        }
        assert step("ft", "hatch u bu", scene={"phase": "APh"}, **fields).is_legal
    assert last(place(crossing(), track, foot(aboard="t")), "hatch t bu").is_legal
    assert last(place(crossing(), track, foot(prep_fired=True)), "hatch t bu").is_legal


@pytest.mark.clause("D5.33a", "D5.41")
def test_passengers_change_though_the_crew_is_gone() -> None:
    """In an Abandoned halftrack they can go CE or BU; with no unit aboard nothing changes."""
    track = vehicle("t", "spw-251", moving=False, abandoned=True, bu=True)
    for phase in ("MPh", "APh"):
        assert last(place(crossing(), track, foot(aboard="t"), phase=phase), "hatch t ce").is_legal
        assert bars(last(place(crossing(), track, phase=phase), "hatch t ce")) == {"D5.33a"}


@pytest.mark.clause("D5.33a", "D5.33b")
def test_not_both_ways_in_a_phase() -> None:
    """Once changed, it stays so until the next phase; in the APh it can change, in others not."""
    position = place(crossing(), vehicle(kind="ft-9", mph="done"))
    assert bars(last(position, "hatch u bu")) == {"A4.2a"}
    moving = place(crossing(), vehicle(kind="ft-9", moving=False))
    assert bars(last(moving, "hatch u bu", "hatch u ce")) == {"D5.33a"}
    later = last(moving, "hatch u bu", "end u", "phase APh").after
    assert last(later, "hatch u ce").is_legal
    assert bars(last(moving, "end u", "phase DFPh", "hatch u bu")) == {"A3.3", "A4.2a"} - {"A4.2a"}
    assert bars(last(place(crossing(), vehicle(kind="ft-9"), side="russian"), "hatch u bu")) == {
        "A3.3"
    }


@pytest.mark.clause("D5.34")
def test_a_stunned_vehicle_does_nothing() -> None:
    """A stunned vehicle can neither move nor open; another can."""
    for line in ("enter u C1", "stop u", "turn u SSE", "hatch u bu", "esb u mp=1"):
        assert bars(step("ft", line, stunned=True)) == {"D5.34"}
        assert step("ft", line).status == "LEGAL"
    assert step("ft", "end u", moving=False, stunned=True).status == "LEGAL"


@pytest.mark.clause("D5.34b", "D5.34c")
def test_what_a_stun_does_and_how_long_it_lasts() -> None:
    """It stops for free and is BU (a Carrier stays CE); after the Player Turn it can move again."""
    driving = place(crossing(), vehicle(kind="ft-20", mph="moving", spent=6, used=4))
    stunned = last(driving, "result u stunned").after
    unit = stunned.unit("u")
    assert (unit.crew.stunned, unit.motion.moving, unit.crew.bu, unit.points.spent) == (
        True,
        False,
        True,
        6,
    )
    assert bars(last(stunned, "hatch u ce")) == {"D5.34"}
    assert last(stunned, "end u", "phase APh").after.unit("u").crew.stunned
    over = last(stunned, "end u", "phase RPh side=russian").after
    assert (over.unit("u").crew.stunned, over.unit("u").crew.dazed, over.unit("u").crew.bu) == (
        False,
        True,
        True,
    )
    assert last(over, "phase MPh side=german", "start u").is_legal
    backing = place(crossing(), vehicle(kind="ft-20", reverse=True), side="russian")
    assert not last(backing, "result u stunned").after.unit("u").motion.reverse
    carrier = last(place(crossing(), vehicle(kind="carrier-a")), "result u stunned").after
    assert not carrier.unit("u").crew.bu


@pytest.mark.clause("D5.342", "D5.341b")
def test_a_second_stun_is_a_recall() -> None:
    """A crew Stunned before is Recalled; a Recalled one is Stunned too, and its leader is lost."""
    tank = vehicle(kind="ft-20", dazed=True, armor_leader=True)
    for before, found in (
        (tank, "stunned"),
        (vehicle(kind="ft-20", armor_leader=True), "recalled"),
    ):
        unit = last(place(crossing(), before), f"result u {found}").after.unit("u")
        assert (unit.crew.recalled, unit.crew.stunned, unit.crew.armor_leader) == (
            True,
            True,
            False,
        )
        assert not unit.motion.moving
    once = last(place(crossing(), vehicle(kind="ft-20", armor_leader=True)), "result u stunned")
    assert (once.after.unit("u").crew.recalled, once.after.unit("u").crew.armor_leader) == (
        False,
        True,
    )


@pytest.mark.clause("D5.341c")
def test_a_recalled_vehicle_makes_no_haste() -> None:
    """It cannot use Excessive Speed; another vehicle can."""
    assert bars(step("ft", "esb u mp=1", recalled=True)) == {"D5.341c"}
    assert step("ft", "esb u mp=1").is_legal


@pytest.mark.clause("D5.41")
def test_an_abandoned_vehicle_does_nothing() -> None:
    """It has no driver; its MPh can be ended."""
    for line in ("start u", "delay u mp=1"):
        assert bars(step("ft", line, moving=False, abandoned=True)) == {"D5.41"}
        assert step("ft", line, moving=False).status == "LEGAL"
    assert step("ft", "end u", moving=False, abandoned=True).status == "LEGAL"


@pytest.mark.clause("D5.41")
def test_an_abandoned_vehicle_is_left_but_not_boarded() -> None:
    """Its Passengers unload as usual; no unit can board."""
    by = vehicle("t", "spw-251", moving=False, abandoned=True)
    assert last(place(crossing(), by, foot(aboard="t")), "unload u").is_legal
    assert bars(last(place(crossing(), by, foot()), "load u t")) == {"D5.41"}


@pytest.mark.clause("D5.341")
def test_where_a_recalled_vehicle_goes_is_not_judged() -> None:
    """Its moves are UNSUPPORTED; leaving the map, a Stop and its hatches are not."""
    assert cites(step("ft", "start u", moving=False, recalled=True)) == {"D5.341"}
    for line in ("enter u C1", "minimum u C1", "turn u SSE"):
        assert "D5.341" in cites(step("ft", line, recalled=True))
        assert "D5.341" not in cites(step("ft", line))
    for line in ("stop u", "hatch u bu"):
        assert step("ft", line, recalled=True).status == "LEGAL"
    assert step("ft", "exit u", recalled=True, facing="NNE").status == "LEGAL"


# -- D8.3 ------------------------------------------------------------------------------------------


def bogged(kind: str = "ft-20", **fields: Any) -> Any:
    """Return the position of a bogged vehicle."""
    found = {"kind": kind, "moving": False, "bogged": True, **fields}
    scene = found.pop("scene", {})
    return place(crossing(), vehicle(**found), foot("v", mph="moving"), **scene)


@pytest.mark.clause("D8.3a")
def test_the_odds_of_freeing_a_bogged_vehicle() -> None:
    """Colored times white dr, 2 in 3 free; twice the MP if it is not tracked."""
    tracked, truck = chances(last(bogged(), "unbog u")), chances(last(bogged("tr-20"), "unbog u"))
    assert sum(n for name, n in tracked.items() if name.startswith("freed")) == 24
    assert sum(tracked.values()) == sum(truck.values()) == 36
    assert (tracked["freed-1"], tracked["freed-4"], tracked["freed-12"]) == (1, 3, 3)
    assert (tracked["mired-5"], tracked["mired-30"], tracked["immobilized-36"]) == (1, 1, 1)
    assert sum(n for name, n in tracked.items() if name.startswith("mired")) == 6
    assert (truck["freed-2"], truck["freed-8"], truck["immobilized-72"]) == (1, 3, 1)
    assert chances(last(bogged("ht-20"), "unbog u")) == tracked


@pytest.mark.clause("D8.3a", "D8.1")
def test_who_tries_to_get_free() -> None:
    """Only a bogged vehicle that is not immobilized can; an attempt begins its MPh."""
    assert bars(step("ft", "unbog u", moving=False)) == {"D8.3a"}
    assert bars(last(bogged(immobile=True), "unbog u")) == {"D8.1"}
    assert bars(last(bogged(), "start u")) == {"D8.1"}
    after = last(bogged(), "unbog u").after
    assert (after.unit("u").move.mph, after.unit("v").move.mph) == ("moving", "done")


@pytest.mark.clause("D8.3b")
def test_what_comes_of_a_try() -> None:
    """A freed one is under way, with the MP spent, or in Motion if all are; otherwise it stays bogged."""
    freed = last(bogged(), "unbog u", "settle unbog:u freed-8")
    tank = freed.after.unit("u")
    assert (tank.motion.bogged, tank.motion.moving, tank.motion.reverse, tank.points.spent) == (
        False,
        True,
        False,
        16,
    )
    assert last(freed.after, "enter u C1").is_legal
    dear = last(bogged("ft-6"), "unbog u", "settle unbog:u freed-8").after
    assert (dear.unit("u").points.spent, dear.unit("u").motion.moving) == (12, True)
    assert last(dear, "end u").is_legal
    stuck = last(bogged(), "unbog u reverse=true", "settle unbog:u mired-5").after.unit("u")
    assert (stuck.motion.bogged, stuck.motion.moving, stuck.motion.reverse, stuck.points.spent) == (
        True,
        False,
        False,
        10,
    )
    back = last(bogged(), "unbog u reverse=true", "settle unbog:u freed-1").after.unit("u")
    assert (back.motion.moving, back.motion.reverse) == (True, True)


@pytest.mark.clause("D2.7")
def test_nothing_is_left_to_enter_woods_with() -> None:
    """Freed for all its MP a tank cannot enter woods; freed for 4 it can, for all the others."""
    found: dict[str, Any] = {"kind": "ft-20", "moving": False, "bogged": True}
    position = place(crossing(there={"terrain": "Woods"}), vehicle(**found))
    assert "D2.7" in bars(last(position, "unbog u", "settle unbog:u freed-20", "enter u C1"))
    assert last(position, "unbog u", "settle unbog:u freed-4", "enter u C1").is_legal


@pytest.mark.clause("D8.3a", "D8.31")
def test_mired() -> None:
    """A 5 mires: +1 on the colored dr from then on; a 6 immobilizes; an Armor Leader is UNSUPPORTED."""
    stuck = last(bogged(), "unbog u", "settle unbog:u mired-5").after
    assert (
        stuck.unit("u").motion.bogged,
        stuck.unit("u").motion.mired,
        stuck.unit("u").motion.immobile,
    ) == (
        True,
        True,
        False,
    )
    later = bogged(mired=True)
    odds = chances(last(later, "unbog u"))
    found = {
        how: sum(n for name, n in odds.items() if name.startswith(how))
        for how in ("freed", "mired", "imm")
    }
    assert found == {"freed": 18, "mired": 6, "imm": 12}
    free = last(later, "unbog u", "settle unbog:u freed-1").after.unit("u")
    assert (free.motion.bogged, free.motion.mired, free.motion.moving) == (False, False, True)
    fixed = last(later, "unbog u", "settle unbog:u immobilized-5").after
    assert (fixed.unit("u").motion.immobile, bars(last(fixed, "start u"))) == (True, {"D8.1"})
    assert cites(last(bogged(armor_leader=True), "unbog u")) == {"D8.3a"}


@pytest.mark.clause("D8.3a")
def test_how_often_it_tries() -> None:
    """It can try once a MPh or, by another reading, again; a Delay before is no attempt."""
    stuck = last(bogged(), "unbog u", "settle unbog:u mired-5").after
    assert bars(last(stuck, "unbog u")) == {"D8.3a"}
    again = bogged(scene={"readings": (("D8.3a", "again"),)})
    assert last(again, "unbog u", "settle unbog:u mired-5", "unbog u").is_legal
    assert last(bogged(), "delay u mp=1", "unbog u").is_legal


@pytest.mark.clause("D5.341")
@pytest.mark.parametrize("verb", ["load u v", "hook v g c"])
def test_nobody_knows_whether_a_recalled_vehicle_is_loaded(verb: str) -> None:
    """It heads off the map once its Passengers are off: boarding and hooking up are UNSUPPORTED."""

    def ruled(**by: Any) -> Any:
        units = (
            vehicle("v", "spw-251", moving=False, **by), foot(kind="half-squad"),
            foot("g", "gun-75-rcl", limbered=True), foot("c", "crew"),
        )  # fmt: skip
        return judge(place(crossing(), *units), verb).rulings[0]

    assert (ruled().status, ruled(recalled=True).status) == ("LEGAL", "UNSUPPORTED")


@pytest.mark.clause("D8.3c")
def test_who_assists_a_bogged_vehicle_of_unknown_weight() -> None:
    """With a possible helper the attempt is UNSUPPORTED; without one it is rolled for."""
    helper = vehicle("h", "ft-20", "B1", moving=False)
    found: Any = {"moving": False, "bogged": True, "others": (helper,)}
    assert cites(step("ft", "unbog u helper=h", **found)) == {"D8.3c"}
    alone = step("ft", "unbog u", **found)
    assert (alone.status, cites(alone), len(alone.obligations)) == ("LEGAL", set(), 1)
    assert bars(step("ft", "unbog u", moving=False, others=(helper,))) == {"D8.3a"}


@pytest.mark.clause("D5.5", "D5.5b")
def test_a_crew_whose_vehicle_is_immobilized() -> None:
    """It takes a task check, +1 once Stunned; on a failure it is at once beneath the Abandoned vehicle."""
    crew = foot("c", "crew", aboard="u", inherent=True)

    def struck(*others: Any, kind: str = "t-26-m33", **fields: Any) -> Any:
        return last(
            place(crossing(), vehicle(kind=kind, **fields), *others), "result u immobilized"
        )

    found: list[dict[str, Any]] = [{}, {"dazed": True}]
    for fields, fails in zip(found, (10, 15), strict=True):
        ruling = struck(crew, **fields)
        (due,) = ruling.obligations
        assert (ruling.status, due.id, due.clause) == ("LEGAL", "stranded:c", "D5.5")
        assert {odds.outcome: odds.chance for odds in due.outcomes} == {
            "passed": 36 - fails,
            "failed": fails,
        }
    passed = last(ruling.after, "settle stranded:c passed").after
    assert (passed.unit("c").cargo.aboard, passed.unit("u").crew.abandoned) == ("u", False)
    failed = last(ruling.after, "settle stranded:c failed").after
    out = failed.unit("c")
    assert (
        out.cargo.aboard,
        out.crew.inherent,
        out.move.mph,
        out.move.hazardous,
        out.cargo.stays,
    ) == (
        None,
        False,
        "done",
        "survival",
        True,
    )
    assert failed.unit("u").crew.abandoned
    for state in ("stunned", "shocked", "immobile"):
        fields = {state: True}
        assert not struck(crew, **fields).obligations
    assert cites(struck(crew, armor_leader=True)) == {"D5.5"}
    assert ("D5.5" in dict(struck().exceptions)) is True
    assert "D5.5" not in dict(struck(kind="opel-blitz").exceptions)
