"""Prisoners: their Guards, moving together, transfers; unarmed units."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable import legal_actions
from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable_models.asl.model import SupportWeapon, UnitType
from tests.asl.boards import ASL, allotment, bars, cites, crossing, foot, last, load, place, vehicle
from tests.solver.test_reach import check_reach

HERE = crossing()


def guard(name: str = "g", kind: str = "half-squad", **fields: Any) -> Any:
    """Return a Guard in B1."""
    return foot(name, kind, **fields)


def prisoner(name: str = "p", by: str | None = "g", kind: str = "squad", **fields: Any) -> Any:
    """Return a prisoner in B1."""
    return foot(name, kind, side="russian", unarmed=True, guard=by, **fields)


def scene(*units: Any, phase: str = "MPh", **fields: Any) -> Any:
    """Return a position with a Guard and a prisoner, or with other units."""
    return place(HERE, *(units or (guard(), prisoner())), phase=phase, **fields)


@pytest.mark.clause("A20.53a")
def test_prisoners_move_with_their_guard() -> None:
    """It goes where its Guard goes, also when sent back or advancing; it does nothing of its own."""
    gone = last(scene(), "enter g C1")
    assert (gone.status, gone.after.unit("p").at) == ("LEGAL", "C1")
    ASL.check_position(gone.after)
    assert last(scene(phase="APh"), "advance g C1").after.unit("p").at == "C1"
    hidden = foot("e", side="russian", at="C1", concealed=True)
    back = last(scene(guard(), prisoner(), hidden), "enter g C1")
    assert {back.after.unit(name).at for name in "gp"} == {"B1"}
    alone = last(scene(side="russian"), "enter p C1")
    assert ("A20.53a" in bars(alone), cites(alone)) == (
        True,
        set(),
    )  # its Guard does not hold it in Melee
    assert bars(last(scene(prisoner(by=None), side="russian"), "enter p C1")) == set()


def refused(*units: Any) -> str:
    """Return why a position is refused, or ``""``."""
    try:
        ASL.check_position(scene(*units))
    except BadInputError as error:
        return str(error)
    return ""


@pytest.mark.clause("A20.51a")
def test_how_many_one_guards() -> None:
    """Ten with a half squad's US# of 2: three squads of 3 and a SMC, and no more; a scene neither."""
    three = [prisoner(name) for name in "pqr"]
    taken = prisoner("s", by=None, kind="leader")
    found = scene(guard(), *three, taken, phase="CCPh")
    assert bars(last(found, "capture s g")) == set()
    two = scene(guard(), *three, prisoner("s", by=None, kind="half-squad"), phase="CCPh")
    assert bars(last(two, "capture s g")) == {"A20.51a"}
    assert not refused(guard(), *three, prisoner("s", kind="leader"))
    assert "A20.51a" in refused(guard(), *three, prisoner("s", kind="half-squad"))
    assert "A20.51a" in refused(guard(kind="leader"), prisoner(), prisoner("q"))
    assert "armed" in refused(guard(unarmed=True), prisoner())
    assert "unarmed" in refused(guard(), foot("p", side="russian", guard="g"))
    assert "Location" in refused(guard(), prisoner(at="C1"))


@pytest.mark.clause("A20.5a")
def test_who_guards() -> None:
    """Armed Personnel, even a broken SMC; no unarmed or berserk unit, and no vehicle."""
    for who, legal in (
        (foot("h", "leader", broken=True), True), (foot("h", "cavalry"), True),
        (foot("h", unarmed=True), False), (foot("h", berserk=True), False),
        (vehicle("h", moving=False), False),
    ):  # fmt: skip
        found = bars(last(scene(guard(), prisoner(), who, phase="RPh"), "hand-over g h p"))
        assert ("A20.5a" not in found) == legal, who
        taken = bars(last(scene(prisoner(by=None), who, phase="CCPh"), "capture p h"))
        assert ("A20.5a" not in taken) == legal, who


@pytest.mark.clause("A20.5c")
def test_when_they_are_handed_on_or_let_go() -> None:
    """In the unit's own RPh and APh, not in Melee, the MPh or the enemy's RPh; only its own, here."""
    other = foot("h")
    for phase, side, legal in (
        ("RPh", "german", True), ("APh", "german", True), ("MPh", "german", False), ("RPh", "russian", False),
    ):  # fmt: skip
        found = scene(guard(), prisoner(), other, phase=phase, side=side)
        for line in ("hand-over g h p", "release g p"):
            assert bars(last(found, line)) == (set() if legal else {"A20.5c"}), (phase, line)
    after = last(scene(guard(), prisoner(), other, phase="RPh"), "hand-over g h p").after
    assert after.unit("p").cargo.guard == "h"
    far = scene(guard(), prisoner(), foot("h", at="C1"), phase="RPh")
    assert bars(last(far, "hand-over g h p")) == {"A20.5c"}
    assert bars(last(far, "hand-over h g p")) == {"A20.5c"}
    held = scene(guard(melee="held"), prisoner(), other, phase="RPh")
    assert bars(last(held, "release g p")) == {"A20.5c"}
    late = place(HERE, guard(), prisoner(), other, foot("a", at="A1"), phase="APh")
    assert bars(last(late, "advance a A2", "hand-over g h p")) == set()
    start = place(
        HERE,
        guard(),
        prisoner(),
        other,
        foot("a", at="A1"),
        phase="APh",
        readings=(("A20.5c", "start"),),
    )
    assert bars(last(start, "advance a A2", "hand-over g h p")) == {"A20.5c"}
    car = vehicle("v", "opel-blitz", moving=False)
    riding = scene(guard(aboard="v"), prisoner(aboard="v"), car, phase="RPh")
    assert last(riding, "release g p").status == "UNSUPPORTED"


@pytest.mark.clause("A20.5f")
def test_a_unit_that_is_let_go_is_free() -> None:
    """It stays where its Guard was, also beneath a foxhole, and its own side moves it."""
    after = last(
        scene(guard(inside="upstairs", floor=1), prisoner(), phase="RPh"), "release g p"
    ).after
    freed = after.unit("p")
    assert (freed.cargo.guard, freed.place.inside, freed.place.floor) == (None, "upstairs", 1)
    free = last(scene(phase="RPh"), "release g p").after
    assert "A20.53a" not in bars(last(free, "phase MPh side=russian", "enter p A1"))


@pytest.mark.clause("A20.5d")
def test_prisoners_whose_guard_is_lost() -> None:
    """Another unit there can guard it at once; with none there it is free; also if the Guard is captured."""
    alone = last(scene(), "result g eliminated").after
    assert (alone.unit("p").cargo.guard, alone.pending) == (None, ())
    found = scene(guard(), prisoner(), foot("h", "leader"), foot("i", berserk=True))
    (due,) = last(found, "result g eliminated").obligations
    assert [each.outcome for each in due.outcomes] == ["by:h", "free"]
    kept = last(found, "result g eliminated", "settle guard:p by:h").after
    assert kept.unit("p").cargo.guard == "h"
    ASL.check_position(kept)
    let = last(found, "result g eliminated", "settle guard:p free").after
    assert let.unit("p").cargo.guard is None
    many = scene(guard(), *(prisoner(name) for name in "pq"), foot("h", "leader"))
    over = last(many, "result g eliminated", "settle guard:p by:h", "settle guard:q by:h")
    assert bars(over) == {"A20.51a"}
    cornered = foot("e", side="russian", at="C1")
    routed = scene(guard(broken=True, dm=True), prisoner(), cornered, phase="RtPh")
    fails = last(routed, "phase APh", "settle failure-to-rout:g eliminated").after
    assert (fails.unit("g").at, fails.unit("p").cargo.guard) == (None, None)
    captor = foot("c", side="russian")
    again = last(scene(guard(), prisoner(), captor, phase="CCPh"), "capture g c").after
    assert again.unit("p").cargo.guard is None


@pytest.mark.clause("A20.2")
def test_when_units_are_captured() -> None:
    """In CC in the captor's Location; unarmed ones in the captor's MPh; in the RtPh they surrender."""
    enemy = {"side": "russian"}
    for unit, phase, legal in (
        (foot("p", **enemy), "CCPh", True), (foot("p", at="C1", **enemy), "CCPh", False),
        (foot("p", unarmed=True, **enemy), "MPh", True), (foot("p", **enemy), "MPh", False),
        (foot("p", at="C1", broken=True, **enemy), "RtPh", False),
        (foot("p", broken=True, **enemy), "RtPh", False), (foot("p"), "CCPh", False),
        (prisoner(by="h"), "CCPh", False),
    ):  # fmt: skip
        found = bars(last(scene(guard(), unit, foot("h"), phase=phase), "capture p g"))
        assert found == (set() if legal else {"A20.2"}), (unit, phase)
    car = vehicle("v", "opel-blitz", moving=False)
    aboard = scene(guard(aboard="v"), car, foot("p", **enemy), phase="CCPh")
    assert last(aboard, "capture p g").status == "UNSUPPORTED"


@pytest.mark.clause("A20.5b")
def test_what_capture_leaves() -> None:
    """It is unarmed, in its Guard's Location; its SW lie where it was, and it is no longer broken."""
    who = foot("p", at="C1", side="russian", broken=True, sw=load(3))
    after = last(scene(guard(), who, phase="RtPh"), "surrender p g").after
    taken = after.unit("p")
    assert (taken.at, taken.cargo.guard, taken.status.unarmed) == ("B1", "g", True)
    assert (taken.sw, taken.status.broken) == ((), False)
    assert [counter.at for counter in after.counters] == ["C1"]
    ASL.check_position(after)


@pytest.mark.clause("A20.53b")
def test_cavalry_at_the_foot_rate() -> None:
    """Cavalry's cost with prisoners is UNSUPPORTED; without any it pays as usual."""
    horse = guard(kind="cavalry")
    assert "A20.53b" in cites(last(scene(horse, prisoner()), "enter g C1"))
    assert last(scene(horse, prisoner()), "enter g C1").status == "UNSUPPORTED"
    assert last(scene(horse, prisoner(by=None)), "enter g C1").status == "LEGAL"


@pytest.mark.clause("A20.5e")
def test_what_a_guard_does_else() -> None:
    """Manning a vehicle with prisoners is UNSUPPORTED; boarding one as a Passenger is modelled."""
    car = vehicle("v", "tank", moving=False, abandoned=True)
    kinds = (UnitType(name="tank", class_="vehicle", column="ft", mp=12, afv=True, armed=True),)
    found = scene(guard(kind="crew"), prisoner(), car, types=kinds)
    assert "A20.5e" in cites(last(found, "man g v"))
    assert "A20.5e" not in cites(last(scene(guard(kind="crew"), car, types=kinds), "man g v"))


@pytest.mark.clause("A20.51b", "D6.1c")
def test_prisoners_aboard() -> None:
    """They board with their Guard if there is room for all, ride along, and unload together."""
    truck = UnitType(name="lorry", class_="vehicle", column="tr", mp=30, truck_type=True, pp=10)
    lorry = vehicle("v", "lorry", moving=False)
    found = scene(guard(), prisoner(kind="half-squad"), lorry, types=(truck,))
    aboard = last(found, "load g v")
    assert (aboard.status, aboard.after.unit("p").cargo.aboard) == ("LEGAL", "v")
    ASL.check_position(aboard.after)
    gone = last(aboard.after, "end g", "start v", "enter v C1").after
    assert (gone.unit("p").at, gone.unit("p").cargo.aboard) == ("C1", "v")
    ASL.check_position(gone)
    full = scene(guard(), prisoner(), lorry, types=(truck,))
    assert bars(last(full, "load g v")) == {"D6.1c"}
    off = scene(guard(aboard="v"), prisoner(kind="half-squad", aboard="v"), lorry, types=(truck,))
    assert last(off, "unload g").after.unit("p").cargo.aboard is None
    tank = UnitType(name="tank", class_="vehicle", column="ft", mp=12, afv=True, role="tank")
    outside = scene(
        guard(), prisoner(kind="half-squad"), vehicle("v", "tank", moving=False), types=(tank,), year=1943
    )  # fmt: skip
    assert cites(last(outside, "load g v riding=true")) == {"A20.51b"}


@pytest.mark.clause("A20.52")
def test_a_guard_of_many_uses_no_sw() -> None:
    """A squad that guards a squad of prisoners can place its DC; a half squad cannot."""
    charge = (SupportWeapon(name="DC", pp=1),)
    for kind, free in (("squad", True), ("half-squad", False)):
        found = scene(guard(kind=kind, sw=charge), prisoner())
        assert ("A20.52" not in bars(last(found, "place g DC C1"))) == free


@pytest.mark.clause("A20.54")
def test_unarmed_units_keep_out() -> None:
    """It cannot enter a Location with a Known enemy, even in the APh; it can meet a concealed one."""
    for phase, verb in (("MPh", "enter"), ("APh", "advance")):
        who = foot(unarmed=True)
        for enemy, free in (
            (foot("e", side="russian", at="C1"), False),
            (foot("e", side="russian", at="C1", disrupted=True), False),
            (foot("e", side="russian", at="C1", concealed=True), True),
        ):  # fmt: skip
            found = bars(last(scene(who, enemy, phase=phase), f"{verb} u C1"))
            assert ("A20.54" not in found) == free, (phase, enemy)
    held = scene(foot(), foot("g", side="russian", at="C1"), prisoner("q", by="h"), foot("h"))
    assert "A20.54" not in bars(last(held, "enter u C1"))
    mine = [
        foot(unarmed=True),
        foot("g", at="C1"),
        foot("q", at="C1", side="russian", unarmed=True, guard="g"),
    ]
    assert not bars(last(scene(*mine), "enter u C1"))


def test_unarmed_units_have_3_mf() -> None:
    """An unarmed squad is Inexperienced; an unarmed leader has 6 MF; prisoners do not count for stacking."""
    assert allotment(scene(foot(unarmed=True))) == 3
    assert allotment(scene(foot(kind="leader", unarmed=True))) == 6
    full = [foot(name, at="C1", side="russian") for name in "abc"]
    held = [
        foot("h", at="C1"),
        *(foot(n, at="C1", side="russian", unarmed=True, guard="h") for n in "xy"),
    ]
    came = scene(foot("r", side="russian"), *full[:2], *held, phase="APh", side="russian")
    assert "A5.1" not in {one[:4] for one in bars(last(came, "advance r C1"))}


@pytest.mark.slow
def test_reach_and_options_take_prisoners_along() -> None:
    """Reach of a Guard, near prisoners, or of unarmed units equals a walk by rule; options offer transfers."""
    for kind in ("half-squad", "cavalry"):
        check_reach(scene(guard(kind=kind), prisoner(kind="half-squad")), "g")
    check_reach(scene(foot(unarmed=True), foot("e", side="russian", at="C1")), "u")
    found = scene(guard(), prisoner(), foot("h"), phase="RPh")
    offered = {format_action(act.action) for act in legal_actions(found)}
    assert {"hand-over g h p", "release g p"} <= offered
    assert not any(line.split()[1] == "p" for line in offered)


@pytest.mark.clause("A20.2")
def test_the_disrupted_surrender_in_any_phase() -> None:
    """To a Good Order unit with them; to an adjacent one only in the RtPh, as do other broken units."""
    for phase in ("PFPh", "MPh", "APh"):
        for disrupted, result in ((True, False), (False, True)):
            them = foot("p", at="B1", side="russian", broken=True, disrupted=disrupted)
            found = last(place(crossing(), foot(), them, phase=phase), "capture p u")
            assert ("A20.2" in bars(found)) == result, (phase, disrupted)
    them = foot("p", at="B1", side="russian", broken=True, disrupted=True)
    unable: tuple[dict[str, Any], ...] = ({"broken": True}, {"melee": "held"})
    for unfit in unable:
        assert "A20.2" in bars(last(place(crossing(), foot(**unfit), them), "capture p u"))
    aside = foot("p", at="C1", side="russian", broken=True, disrupted=True)
    assert "A20.2" in bars(last(place(crossing(), foot(), aside), "capture p u"))
