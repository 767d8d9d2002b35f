"""Delay, Excessive Speed, Motion attempts and the cost of announcing an OVR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.answers.verdicts import check_answer
from marchtable.errors import BadInputError
from marchtable.files.notation import parse_action
from marchtable.play import legal_actions
from marchtable.state.records import replace
from marchtable_models.asl.corners import SPINES
from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    crossing,
    field,
    foot,
    judge,
    last,
    paid,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip

if TYPE_CHECKING:
    from marchtable.state.position import Position


def chances(ruling: Any) -> dict[str, int]:
    """Return the chances of the one roll due."""
    (roll,) = ruling.obligations
    return {odds.outcome: odds.chance for odds in roll.outcomes}


# -- D2.17 -----------------------------------------------------------------------------------------


@pytest.mark.clause("D2.17")
def test_a_stopped_vehicle_delays() -> None:
    """It spends the stated MP, down to its last half MP; a moving one, or a squad, cannot delay."""
    delay = step("tr", "delay u mp=3", moving=False, left=3)
    assert (total(delay), delay.status, delay.after.unit("u").motion.moving) == (3, "LEGAL", False)
    assert bars(step("tr", "delay u mp=3", moving=False, left=2.5)) == {"D2.1b"}
    assert bars(step("tr", "delay u mp=3")) == bars(step("inf", "delay u mp=1")) == {"D2.17"}
    assert step("tr", "delay u mp=0.5", moving=False).status == "LEGAL"
    assert bars(step("tr", "delay u mp=0", moving=False)) == {"D2.17"}
    assert step("tr", "delay u mp=1", moving=False, immobile=True).status == "LEGAL"


@pytest.mark.clause("D2.17")
def test_a_delay_is_spent_like_any_other_mp() -> None:
    """No action that takes the whole allotment can follow, and it begins the vehicle's MPh."""
    woods = crossing(there={"terrain": "Woods"})
    position = place(woods, vehicle(moving=False), foot("v", mph="moving"))
    delayed = last(position, "delay u mp=1").after
    assert (delayed.unit("u").move.mph, delayed.unit("v").move.mph) == ("moving", "done")
    assert bars(judge(delayed, "start u", "enter u C1").rulings[1]) == {"D2.7"}


# -- D2.5 ------------------------------------------------------------------------------------------


@pytest.mark.clause("D2.5a")
@pytest.mark.parametrize(("nationality", "drm"), [
    ("american", 0), ("czech", 0), ("russian", 1), ("chinese", 1), ("british", 2), ("german", 2),
    ("french", 3), ("italian", 3), ("others", 3),
])  # fmt: skip
def test_the_odds_of_excessive_speed(nationality: str, drm: int) -> None:
    """The engine fails at a DR of 12 less 1 for each MP requested and less the nationality's DRM."""
    at_least = {8: 15, 9: 10, 10: 6, 11: 3}
    ruling = step("ft", "esb u mp=1", nationality=nationality)
    failing = at_least[11 - drm]
    assert chances(ruling) == {"mobile": 36 - failing, "immobilized": failing}


@pytest.mark.clause("D2.5a", "D2.5b")
def test_no_excessive_speed() -> None:
    """Infantry cannot ask for it; a tank that has not asked has no more than its MP."""
    assert bars(last(place(crossing(), foot("u")), "esb u")) == {"D2.5a"}
    assert bars(step("ft", kind="ft-11", left=0)) == {"D2.1b"}


@pytest.mark.clause("D2.5a", "D2.5b")
def test_excessive_speed_gives_up_to_a_quarter() -> None:
    """Of 11 MP: 2 can be requested, not 3, none, or a half; halftracks too, but no truck; once."""
    side: dict[str, Any] = {"nationality": "american"}
    asked = step("ft", "esb u mp=2", kind="ft-11", **side)
    assert chances(asked) == {"mobile": 30, "immobilized": 6}
    assert (asked.status, total(asked), asked.after.unit("u").move.mph) == ("LEGAL", 0, "moving")
    for line in ("esb u mp=3", "esb u mp=0", "esb u mp=0.5"):
        assert bars(step("ft", line, kind="ft-11", **side)) == {"D2.5a"}
    assert step("ht", "esb u mp=2", kind="ht-11").status == "LEGAL"
    assert bars(step("tr", "esb u mp=1")) == {"D2.5a"}
    position = place(crossing(), vehicle(kind="ft-11", moving=False, **side))
    after = last(position, "esb u mp=2", "settle esb:u mobile").after
    assert (allotment(position), allotment(after)) == (11, 13)
    assert bars(last(after, "esb u mp=1")) == {"D2.5a"}
    fresh = last(after, "phase RPh side=russian", "phase MPh side=german").after
    assert allotment(fresh) == 11


@pytest.mark.clause("D2.5a")
def test_the_side_stands_for_an_unstated_nationality() -> None:
    """A German vehicle without a nationality has the German DRM, 2."""
    assert chances(step("ft", "esb u mp=1"))["immobilized"] == 10


@pytest.mark.clause("D2.5a")
@pytest.mark.parametrize(("name", "owner", "chance"), [
    ("PzKpfw 38(t)E", "german", 3), ("Matilda II(b)", "russian", 10), ("SU-76i(g)", "russian", 10),
    ("Sherman III(L)(a)", "british", 3), ("H39(f)", "german", 15), ("Tank(L)", "russian", 6),
    ("L3/35(i)", "german", 15), ("BT-42(r)", "finnish", 6), ("Tank(p)", "german", 15),
])  # fmt: skip
def test_who_made_the_engine(name: str, owner: str, chance: int) -> None:
    """The maker, not the user, affects the roll, where the last such letter says so."""
    types = (UnitType(name=name, class_="vehicle", column="ft", mp=12),)
    position = place(crossing(), vehicle(kind=name, nationality=owner), types=types)
    (due,) = last(position, "esb u mp=1").obligations
    assert {o.outcome: o.chance for o in due.outcomes}["immobilized"] == chance


@pytest.mark.clause("D2.5c")
def test_an_engine_that_fails() -> None:
    """Immobilized it stops at once and moves no more, even in Reverse; if it passes, it goes on."""
    ways: tuple[dict[str, Any], ...] = ({}, {"reverse": True, "facing": "W"})
    for fields in ways:
        position = place(crossing(), vehicle(kind="ft-8", **fields))
        failed = last(position, "esb u mp=1", "settle esb:u immobilized").after
        tank = failed.unit("u")
        assert (tank.motion.immobile, tank.motion.moving, tank.motion.reverse) == (
            True,
            False,
            False,
        )
        assert "D8.1" in bars(last(failed, "enter u C1"))
        passed = last(position, "esb u mp=1", "settle esb:u mobile", "enter u C1")
        assert passed.is_legal


def test_no_wreck_of_that_name() -> None:
    """A wreck to be pushed away must exist."""
    with pytest.raises(BadInputError):
        last(place(crossing(), vehicle(kind="ft-12", moving=False)), "delay u mp=6 wreck=x")


# -- D2.401 ----------------------------------------------------------------------------------------


def tries(line: str = "motion e seen=2", **fields: Any) -> Any:
    """Return the ruling on a Motion attempt of a Russian truck in the German MPh."""
    scene = fields.pop("scene", {})
    enemy = vehicle("e", **{"side": "russian", "moving": False, "mph": "done", **fields})
    return last(place(crossing(), foot(), enemy, **scene), line)


@pytest.mark.clause("D2.401a", "D2.401b")
def test_a_defender_tries_to_get_into_motion() -> None:
    """It needs a dr up to the MP the enemy spent in its LOS, fractions dropped, and at most 6."""
    for seen, chance in ((1, 1), (1.5, 1), (2, 2), (6, 6), (9, 6)):
        ruling = tries(f"motion e seen={seen}")
        assert (ruling.status, chances(ruling)) == (
            "LEGAL",
            {"motion": chance, "stopped": 6 - chance},
        )
    assert bars(tries("motion e seen=0.5")) == {"D2.401a"}
    asked = tries().after
    moving = last(asked, "settle motion:e motion").after.unit("e")
    still = last(asked, "settle motion:e stopped").after.unit("e")
    assert (moving.motion.moving, moving.motion.reverse, still.motion.moving) == (
        True,
        False,
        False,
    )


@pytest.mark.clause("D2.401a")
def test_what_the_enemy_spent_in_sight_is_named_if_nobody_states_it() -> None:
    """An attempt without that figure assumes one point; the answer says so."""
    enemy = vehicle("e", side="russian", moving=False, mph="done")
    position = place(crossing(), foot(), enemy)

    def assumed(line: str) -> list[str]:
        return [one for one in check_answer(position, (parse_action(line, ASL),))["assumed"]
                if "D2.401a" in one]  # fmt: skip

    assert len(assumed("motion e")) == 1
    assert assumed("motion e seen=3") == []


@pytest.mark.clause("D2.401a")
def test_who_tries_to_get_into_motion() -> None:
    """Only a stopped vehicle able to move, on the map, of the inactive side, in the MPh."""
    for fields in (
        {"bogged": True}, {"immobile": True}, {"stunned": True}, {"shocked": True},
        {"abandoned": True}, {"at": None}, {"side": "german"}, {"scene": {"phase": "APh"}}, {"fired": True},
    ):  # fmt: skip
        assert bars(tries(**fields)) == {"D2.401a"}
    squad = place(crossing(), foot("e", side="russian"), foot())
    assert bars(last(squad, "motion e seen=2")) == {"D2.401a"}


@pytest.mark.clause("D2.401a", "D2.401c")
def test_how_often_it_tries() -> None:
    """It can try once a Player Turn or, by another reading, again; in the next turn it can."""
    failed = last(tries().after, "settle motion:e stopped").after
    assert bars(last(failed, "motion e seen=2")) == {"D2.401a"}
    again = tries(tried_motion=True, scene={"readings": (("D2.401a", "again"),)})
    assert again.status == "LEGAL"
    later = last(failed, "phase RPh side=russian").after
    assert not later.unit("e").motion.tried_motion
    assert last(failed, "phase DFPh").after.unit("e").motion.tried_motion


@pytest.mark.clause("D2.401d")
def test_the_vca_of_a_vehicle_that_has_got_into_motion() -> None:
    """Its VCA can change freely in that MPh; not in Bypass, and in woods a check is due."""
    gone = last(tries().after, "settle motion:e motion").after
    ruling = last(gone, "vca e W")
    assert (ruling.status, ruling.after.unit("e").facing, ruling.after.unit("e").points.spent) == (
        "LEGAL",
        "W",
        0,
    )
    assert bars(last(gone, "vca e E")) == {"D2.401d"}
    failed = last(tries().after, "settle motion:e stopped").after
    for position, line in ((failed, "vca e W"), (last(gone, "phase DFPh").after, "vca e W")):
        assert bars(last(position, line)) == {"D2.401d"}
    assert bars(last(place(crossing(), vehicle(moving=True)), "vca u W")) == {"D2.401d"}
    woods = {"terrain": "Woods", "clear": [50] * 6}
    enemy = vehicle("e", side="russian", tried_motion=True)
    assert cites(last(place(crossing(here=woods), foot(at="C1"), enemy), "vca e W")) == {"D2.401d"}
    going_round = replace(enemy, bypass=1)
    assert bars(last(place(crossing(here=woods), foot(at="C1"), going_round), "vca e W")) == {
        "D2.401d"
    }


@pytest.mark.clause("D2.401a", "D2.401d")
def test_the_defender_s_vehicle_is_listed_in_the_enemy_s_mph() -> None:
    """Its attempt counts what the moving enemy has spent; after a success any other VCA is listed."""
    moved = foot("u", mph="moving", spent=6, used=6)
    scene = place(crossing(), moved, vehicle("e", side="russian"))
    assert ASL.sides(scene) == ("german", "russian")
    waits = replace(moved, mph="unmoved", spent=0, used=0)
    assert ASL.sides(scene.with_units([waits])) == ("german",)  # nobody has moved yet
    assert listed(scene, "e") == {"motion e seen=3"}
    gone = last(scene, "motion e seen=3", "settle motion:e motion").after
    assert {line for line in listed(gone, "e") if line.startswith("vca")} == {
        f"vca e {one}" for one in SPINES if one != gone.unit("e").facing
    }
    assert not listed(replace(scene, phase="DFPh"), "e")


def listed(position: Position[Any, Any], unit: str) -> set[str]:
    """Return the log lines of a unit's list."""
    return {str(choice.action) for choice in legal_actions(position, unit)}


# -- D7.1 ------------------------------------------------------------------------------------------


@pytest.mark.clause("D7.1a")
def test_announcing_an_ovr() -> None:
    """It costs a quarter of the printed MP extra, rounded up."""
    enemy = foot("e", at="C1", side="russian")
    for kind, cost in (("ft-12", 3), ("ft-13", 4)):
        announced = step("ft", "enter u C1 overrun=true", kind=kind, others=(enemy,))
        assert (paid(announced, "D7.1a"), total(announced)) == (cost, cost + 1)
        assert announced.is_legal
        assert step("ft", kind=kind, others=(enemy,)).status == "LEGAL"


@pytest.mark.clause("D7.1a")
def test_who_overruns_whom() -> None:
    """A vehicle can overrun a hex with an enemy, seen or not; a squad cannot, and no empty hex can be."""
    line = "enter u C1 overrun=true"
    for concealed in (False, True):
        there = (foot("e", at="C1", side="russian", concealed=concealed),)
        assert bars(step("ft", line, others=there)) == set()
    truck = (vehicle("e", "gaz-mm", at="C1", side="russian"),)
    assert bars(step("ft", line, others=truck)) == set()
    assert bars(step("ft", line)) == {"D7.1a"}
    assert bars(step("ft", line, others=(foot("f", at="C1"),))) == {"D7.1a"}
    assert "D7.1a" in bars(step("inf", line, others=truck))

    shut = vehicle("e", "ft-12", at="C1", side="russian", bu=True)
    assert bars(step("ft", line, others=(shut,))) == {"D7.1a"}
    open_ = vehicle("e", "ft-12", at="C1", side="russian")
    assert not bars(step("ft", line, others=(open_,)))


@pytest.mark.clause("D7.1a")
def test_a_vehicle_that_enters_among_enemies_could_overrun_them() -> None:
    """The step says so; not in Reverse, of Infantry, nor where nobody is to be overrun."""
    foe = foot("e", at="C1", side="russian")
    said = ("D7.1a", "enemies are there; to overrun them, write `overrun=true`")
    assert said in step("ft", "enter u C1", others=(foe,)).exceptions
    assert said not in step("ft", "enter u C1").exceptions
    assert said not in step("ft", "enter u C1 overrun=true", others=(foe,)).exceptions
    assert said not in step("ft", "enter u C1", others=(foot("f", at="C1"),)).exceptions


def test_an_overrun_without_result_is_shown_to_both_sides() -> None:
    """Beside the phase, until the vehicle goes on or its enemies are harmed."""
    foe = foot("e", at="C1", side="russian")
    after = step("ft", "enter u C1 overrun=true", others=(foe,)).after
    assert ASL.overall(after).headline == "Overrun in C1 (u of e): enter what it does, if anything"
    assert ASL.overall(last(after, "result e broken").after).headline == ""
    assert ASL.overall(last(after, "phase DFPh").after).headline == ""


@pytest.mark.clause("D7.13", "D7.14")
def test_when_no_ovr_is_made() -> None:
    """Not in Reverse or after firing, but one OVR can follow another; no unit can load then."""
    enemies = tuple(foot(f"e{n}", at=at, side="russian") for n, at in enumerate(("B1", "C2")))
    board = field({name: {} for name in ("A1", "B1", "C2", "D2")})
    tank = vehicle(kind="ft-12", at="A1")
    both = last(place(board, tank, *enemies), "enter u B1 overrun=true", "enter u C2 overrun=true")
    assert both.is_legal
    assert both.after is not None
    assert (both.after.unit("u").status.fired, "D7.14" in dict(both.exceptions)) == (True, True)
    start = place(board, tank, *enemies)
    said = ASL.assumptions(start, judge(start, "enter u B1 overrun=true").rulings)
    assert [line for line in said if "D7.14" in line] == [
        "the attack of u in B1 is not judged: state what it does with `result` (D7.14)"
    ]
    assert not any(
        "D7.14" in line for line in ASL.assumptions(start, judge(start, "enter u B1").rulings)
    )
    fired = vehicle(kind="ft-12", at="A1", fired=True)
    assert bars(last(place(board, fired, *enemies), "enter u B1 overrun=true")) == {"D7.13"}
    assert not bars(last(place(board, fired, *enemies), "enter u B1"))
    back = vehicle(kind="ft-12", at="A1", facing="W", reverse=True)
    assert "D7.13" in bars(last(place(board, back, *enemies), "enter u B1 overrun=true"))
    assert "D7.13" not in bars(last(place(board, back, *enemies), "enter u B1"))


@pytest.mark.clause("D7.1b")
def test_an_ovr_of_the_unseen() -> None:
    """A hidden target may be revealed before the OVR is announced: UNSUPPORTED."""
    line = "enter u C1 overrun=true"
    hidden = foot("e", at="C1", side="russian", concealed=True)
    assert cites(step("ft", line, others=(hidden,))) == {"D7.1b"}
    assert not cites(step("ft", line, others=(hidden, foot("f", at="C1", side="russian"))))
    assert cites(step("mc", line, others=(foot("f", at="C1", side="russian"),))) == {"D7.1b"}


@pytest.mark.clause("D2.5a")
@pytest.mark.parametrize(("stated", "chance"), [
    ("US", 3), ("us", 3), ("American", 3), ("Russian", 6), ("russian", 6), ("italian", 15),
    ("zork", 15),
])  # fmt: skip
def test_whose_engine_it_is(stated: str, chance: int) -> None:
    """Case does not matter; an unlisted nationality counts as others, and the answer says so."""
    ruling = last(place(crossing(), vehicle(kind="ft-12", nationality=stated)), "esb u mp=1")
    (due,) = ruling.obligations
    assert {o.outcome: o.chance for o in due.outcomes}["immobilized"] == chance
    assert ("D2.5a" in dict(ruling.exceptions)) is (stated == "zork")


@pytest.mark.clause("D2.51")
def test_mechanical_reliability() -> None:
    """An AFV with red MP breaks down on a 12 as it starts or gets into Motion; others need no roll."""
    kinds = [
        msgspec.convert(
            {"name": name, "class": "vehicle", "column": "ft", "mp": 12, "afv": afv, "red_mp": red},
            UnitType,
        )
        for name, afv, red in (("red", True, True), ("black", True, False), ("soft", False, True))
    ]

    def started(kind: str, *log: str, **fields: Any) -> Any:
        found = {"kind": kind, "moving": False, **fields}
        return last(place(crossing(), vehicle(**found), types=tuple(kinds)), *(log or ("start u",)))

    (due,) = started("red").obligations
    assert (due.id, [(o.outcome, o.chance) for o in due.outcomes]) == (
        "reliability:u", [("mobile", 35), ("immobilized", 1)],
    )  # fmt: skip
    assert not started("black").obligations
    assert not started("soft").obligations
    assert not started("red", "stop u", moving=True).obligations
    goes = started("red", "start u", "settle reliability:u mobile", "enter u C1")
    assert goes.is_legal
    stuck = started("red", "start u", "settle reliability:u immobilized").after.unit("u")
    assert (stuck.motion.immobile, stuck.motion.moving, stuck.at) == (True, False, "B1")
    for how, rolls in (("freed-2", True), ("mired-5", True), ("immobilized-6", False)):
        ruling = started("red", "unbog u", f"settle unbog:u {how}", bogged=True)
        assert ([due.id for due in ruling.obligations] == ["reliability:u"]) is rolls
        assert not started("black", "unbog u", f"settle unbog:u {how}", bogged=True).obligations

    def gets_going(kind: str, outcome: str, **fields: Any) -> Any:
        enemy = vehicle("e", kind, side="russian", moving=False, **fields)
        mate = vehicle("f", kind, side="russian", moving=False, **fields)
        position = place(crossing(), foot(at="C1"), enemy, mate, types=tuple(kinds))
        return last(position, "motion e seen=5", f"settle motion:e {outcome}")

    (due,) = gets_going("red", "motion").obligations
    broken = last(gets_going("red", "motion").after, f"settle {due.id} immobilized").after.unit("e")
    assert (due.id, broken.motion.immobile, broken.motion.moving) == ("reliability:e", True, False)
    assert not gets_going("red", "stopped").obligations
    assert not gets_going("black", "motion").obligations
    mates = gets_going("black", "motion", platoon="p")
    assert (mates.status, mates.obligations) == ("LEGAL", ())
    enemies = (vehicle(name, "red", side="russian", moving=False, platoon="p") for name in "ef")
    position = place(crossing(), foot(at="C1"), *enemies, types=tuple(kinds))
    assert cites(last(position, "motion e seen=4")) == {"D2.51"}
