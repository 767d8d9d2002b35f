"""SW dropped, recovered and transferred."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.files.scenes import scene_data
from marchtable.play.options import options
from marchtable.state.position import Counter
from marchtable_models.asl.model import SupportWeapon
from marchtable_models.asl.weapons import as_counter, weapon_of
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    cites,
    crossing,
    field,
    foot,
    last,
    load,
    place,
    total,
    vehicle,
)
from tests.asl.walking import LINE, walk, walker

LMG = Counter(kind="sw 1 LMG", at="A1")


def lying(position: Any) -> set[tuple[str, str]]:
    """Return the lying SW by place."""
    return {(counter.kind, counter.at) for counter in position.counters}


def scene(*units: Any, **fields: Any) -> Any:
    """Return a position with a LMG on the ground at A1."""
    return place(LINE, *units, **{"counters": (LMG,), **fields})


# -- dropping --------------------------------------------------------------------------------------


@pytest.mark.clause("A4.43a")
def test_who_drops_a_sw_and_when() -> None:
    """An unbroken unit its own SW, in its own MPh or APh or in any CCPh."""

    def drops(
        line: str = "drop u SW0", *, phase: str = "MPh", side: str = "german", **f: Any
    ) -> Any:
        return bars(last(place(LINE, walker(sw=load(3), **f), phase=phase, side=side), line))

    assert drops() == drops(phase="APh") == drops(phase="CCPh") == drops(pinned=True) == set()
    assert drops(phase="CCPh", side="russian") == set()
    assert drops("drop u SW1") == {"A4.43a"}
    assert drops(broken=True) == drops(phase="RPh") == drops(side="russian") == {"A4.43a"}
    assert bars(last(place(LINE, vehicle(at="A1", sw=load(3))), "drop u SW0")) == {"A4.43a"}
    after = last(place(LINE, walker(sw=load(3, 1))), "drop u SW0").after
    assert (lying(after), [w.name for w in after.unit("u").sw]) == ({("sw 3 SW0", "A1")}, ["SW1"])


@pytest.mark.clause("A4.43b")
def test_what_a_dropped_sw_still_weighs() -> None:
    """Dropped at once it counts for nothing, dropped on the way for the whole MPh."""
    assert walk(walker(sw=load(5)), before=("drop u SW0",)) == 4
    position = place(LINE, walker(sw=load(5)))
    dropped = last(position, "enter u B1", "drop u SW0").after
    assert (allotment(dropped), dropped.unit("u").points.portaged) == (2, 5)
    assert lying(dropped) == {("sw* 5 SW0", "B1")}
    assert bars(last(dropped, "enter u C2", "enter u D2")) == {"A4.11b"}
    still = last(
        scene(walker(sw=load(5))), "recover u LMG", "settle recover:u failed", "drop u SW0"
    )
    assert (
        still.after.unit("u").points.portaged == 5
    )  # a MF was spent with it, even in its own Location
    next_phase = last(dropped, "phase DFPh").after
    assert (next_phase.unit("u").points.portaged, lying(next_phase)) == (0, {("sw 5 SW0", "B1")})
    assert last(position, "drop u SW0").after.unit("u").points.portaged == 0


@pytest.mark.clause("A4.43c")
@pytest.mark.parametrize(("terrain", "stated", "lost"), [
    ("Marsh", "", True), ("Shallow Stream", "", True), ("Deep Stream", "", True),
    ("Dry Stream", "", False), ("Shallow Stream", "dry", False), ("Dry Stream", "deep", True),
    ("Ford", "deep", True), ("Ford", "shallow", False), ("Woods", "deep", False),
])  # fmt: skip
def test_sw_lost_in_marsh_and_water(*, terrain: str, stated: str, lost: bool) -> None:
    """A SW dropped in a marsh or a stream that is not dry is lost; elsewhere it lies there."""
    depression = terrain if terrain.endswith("Stream") else None
    board = field({"A1": {"terrain": terrain, "depression": depression}, "B1": {}})
    ruling = last(place(board, walker(sw=load(3)), stated={"stream": stated}), "drop u SW0")
    assert ruling.is_legal
    assert (lying(ruling.after), ruling.after.unit("u").sw) == (
        set() if lost else {("sw 3 SW0", "A1")}, (),
    )  # fmt: skip


# -- transfer --------------------------------------------------------------------------------------


@pytest.mark.clause("A4.431")
def test_who_hands_on_what_to_whom() -> None:
    """In the RPh, or as the APh begins, between Good Order units of one side and Location."""

    def hands(other: Any, line: str = "transfer u v SW0", phase: str = "RPh", **fields: Any) -> Any:
        position = place(LINE, walker(sw=load(1), **fields), other, walker("w"), phase=phase)
        return last(position, line)

    fellow = walker("v")
    after = hands(fellow).after
    assert ([w.name for w in after.unit("v").sw], after.unit("u").sw) == (["SW0"], ())
    assert hands(fellow, phase="APh").status == "LEGAL"
    assert bars(hands(fellow, phase="MPh")) == bars(hands(fellow, "transfer u v X")) == {"A4.431"}
    assert bars(hands(fellow, "transfer u u SW0")) == {"A4.431"}
    for bad in (
        foot("v"), walker("v", side="russian"), walker("v", broken=True), walker("v", pinned=True),
        vehicle("v", at="A1"), walker("v", tried=("LMG",)),
    ):  # fmt: skip
        assert bars(hands(bad)) == {"A4.431"}
    for state in ({"broken": True}, {"pinned": True}, {"tried": ("LMG",)}):
        assert bars(hands(fellow, **state)) == {"A4.431"}
    begun = place(LINE, walker(sw=load(1)), fellow, walker("w"), phase="APh")
    assert bars(last(begun, "advance w B1", "transfer u v SW0")) == {"A4.431"}
    enemy = place(LINE, walker(sw=load(1)), fellow, phase="APh", side="russian")
    assert bars(last(enemy, "transfer u v SW0")) == {"A4.431"}
    truck = place(LINE, vehicle(at="A1", sw=load(1)), fellow, phase="RPh")
    assert bars(last(truck, "transfer u v SW0")) == {"A4.431"}


@pytest.mark.clause("A4.44d", "A4.44b", "A4.44c", "A4.431")
def test_a_smc_recovers_a_sw_from_a_broken_friend() -> None:
    """By a Recovery dr for no MF in its own RPh or MPh; not by a Transfer, and no other unit."""
    broken, leader = walker(sw=load(1), broken=True), walker("v", "leader")

    def tries(*log: str, owner: Any = broken, by: Any = leader, **scene: Any) -> Any:
        return last(place(LINE, owner, by, **scene), *(log or ("recover v SW0",)))

    for phase in ("MPh", "RPh"):
        found = tries(phase=phase)
        assert (found.status, total(found, "v"), len(found.obligations)) == ("LEGAL", 0, 1)
    got = tries("recover v SW0", "settle recover:v recovered").after
    assert ([w.name for w in got.unit("v").sw], got.unit("u").sw) == (["SW0"], ())
    kept = tries("recover v SW0", "settle recover:v failed").after
    assert [w.name for w in kept.unit("u").sw] == ["SW0"]
    assert bars(last(kept, "recover v SW0")) == {"A4.44a"}
    assert bars(tries(by=walker("v"))) == {"A4.44d"}
    assert bars(tries(phase="RPh", side="russian")) == {"A4.44d"}
    assert bars(tries(by=walker("v", "leader", pinned=True))) >= {"A4.44a"}
    for owner in (walker(sw=load(1)), foot(sw=load(1), broken=True),
                  walker(sw=load(1), broken=True, side="russian")):  # fmt: skip
        assert "A4.44a" in bars(tries(owner=owner))
    for phase in ("RPh", "MPh"):
        assert "A4.431" in bars(tries("transfer u v SW0", phase=phase))
    (found,) = options(place(LINE, broken, leader), "v")["units"]
    assert "recover v SW0" in {entry["action"] for entry in found["actions"]}


@pytest.mark.clause("A4.44e")
def test_guns_are_not_recovered() -> None:
    """The possessor of a Gun is not stated: UNSUPPORTED; a name of no Gun there is bad input."""
    gun = foot("g", "gun-75-rcl", at="A1")
    position = place(LINE, walker(), gun)
    assert cites(last(position, "recover u g")) == {"A4.44e"}
    assert bars(last(position, "recover u h")) == {"A4.44a"}
    far = place(LINE, walker(), msgspec.structs.replace(gun, at="B1"))
    assert bars(last(far, "recover u g")) == {"A4.44a"}


@pytest.mark.clause("A4.431")
@pytest.mark.parametrize(("terrain", "lies"), [("Open Ground", True), ("Marsh", False)])
def test_the_sw_of_a_unit_that_is_lost_lie_there(terrain: str, *, lies: bool) -> None:
    """They lie in its Location (not in a marsh), portaged if it has spent MF, and can be recovered."""
    board = field({"A1": {"terrain": terrain}, "B1": {}, "C2": {}})
    lost = last(place(board, walker(sw=load(3))), "result u eliminated").after
    assert lying(lost) == ({("sw 3 SW0", "A1")} if lies else set())
    assert lost.unit("u").sw == ()
    moved = place(LINE, walker(sw=load(3)), walker("v"), foot("w", at="B1"))
    later = last(moved, "enter u B1", "result u eliminated").after
    assert lying(later) == {("sw* 3 SW0", "B1")}
    assert last(later, "recover w SW0").is_legal


# -- recovering ------------------------------------------------------------------------------------


@pytest.mark.clause("A4.44a")
def test_who_recovers_a_sw_and_when() -> None:
    """A fit unit a SW there, once, in the RPh or its MPh, with no armed enemy present."""

    def tries(*log: str, others: tuple[Any, ...] = (), phase: str = "MPh", **fields: Any) -> Any:
        return last(scene(walker(**fields), *others, phase=phase), *(log or ("recover u LMG",)))

    assert tries().status == tries(phase="RPh").status == "LEGAL"
    for bad in ({"broken": True}, {"pinned": True}, {"tried": ("LMG",)}):
        assert "A4.44a" in bars(tries(**bad))
    assert tries(tried=("HMG",)).status == "LEGAL"
    assert bars(tries(tried=("HMG",), phase="RPh")) == {"A4.44a"}
    assert bars(tries("recover u HMG")) == {"A4.44a"}
    foe = walker("e", side="russian")
    assert bars(tries(others=(foe,))) == {"A4.44a"}
    assert tries(others=(walker("e", side="russian", unarmed=True),)).status == "LEGAL"
    assert bars(tries("recover u LMG", mph="done")) == {"A4.2a"}
    assert bars(last(scene(vehicle(at="A1")), "recover u LMG")) == {"A4.44a"}


@pytest.mark.clause("A4.44f")
def test_when_a_sw_is_recovered() -> None:
    """In any RPh and the unit's own MPh; a SMC's chance at one just lost, in others, is UNSUPPORTED."""
    for phase, side, legal in (
        ("RPh", "german", True), ("RPh", "russian", True), ("MPh", "german", True),
        ("MPh", "russian", False), ("DFPh", "german", False), ("APh", "german", False),
    ):  # fmt: skip
        ruling = last(scene(walker(), phase=phase, side=side), "recover u LMG")
        assert ("A4.44f" not in bars(ruling)) == legal, (phase, side)
    smc = last(scene(walker(kind="leader"), phase="DFPh"), "recover u LMG")
    assert (smc.status, cites(smc)) == ("UNSUPPORTED", {"A4.44f"})


@pytest.mark.clause("A4.44b")
def test_recovery_takes_a_mf() -> None:
    """1 MF in the MPh, and it cannot enter a hex for it then; nothing in the RPh."""
    ruling = last(scene(walker()), "recover u LMG")
    assert (total(ruling), ruling.after.unit("u").move.mph) == (1, "moving")
    log = [
        "recover u LMG",
        "settle recover:u failed",
        *(f"enter u {n}" for n in ("B1", "C2", "D2")),
    ]
    assert last(scene(walker()), *log).status == "LEGAL"
    assert bars(last(scene(walker()), *log, "enter u E3")) == {"A4.11b"}
    rally = last(scene(walker(), phase="RPh"), "recover u LMG")
    assert (rally.receipts, rally.after.unit("u").move.mph) == ((), "unmoved")
    assert bars(last(scene(walker(spent=8, used=8, mph="moving")), "recover u LMG")) == {"A4.11b"}


@pytest.mark.clause("A4.44c")
def test_the_odds_of_recovery() -> None:
    """5 of 6, one less for CX and for night; after a failure it lies there and the unit tries no more."""

    def odds(nvr: int | None = None, **fields: Any) -> tuple[int, ...]:
        (due,) = last(scene(walker(previous="B1", **fields), nvr=nvr), "recover u LMG").obligations
        return tuple(o.chance for o in due.outcomes)

    assert (odds(), odds(cx=True), odds(nvr=3, mph="moving")) == ((5, 1), (4, 2), (4, 2))
    assert odds(nvr=3, mph="moving", cx=True) == (3, 3)
    assert last(scene(walker(sw=load(1))), "drop u SW0").obligations == ()
    got = last(scene(walker()), "recover u LMG", "settle recover:u recovered").after
    assert ([w.name for w in got.unit("u").sw], lying(got)) == (["LMG"], set())
    failed = last(scene(walker()), "recover u LMG", "settle recover:u failed").after
    assert (failed.unit("u").sw, lying(failed)) == ((), {("sw 1 LMG", "A1")})
    assert bars(last(failed, "recover u LMG")) == {"A4.44a"}
    assert (
        last(failed, "phase RPh side=russian", "phase RPh side=german", "recover u LMG").status
        == "LEGAL"
    )


@pytest.mark.clause("A4.4b")
def test_an_item_is_portaged_once_a_phase() -> None:
    """An item one unit brought can be taken up by another, but not carried on in that phase."""
    units = walker(sw=load(1)), foot("v", at="B1")
    log = ("enter u B1", "drop u SW0", "end u", "recover v SW0", "settle recover:v recovered")
    assert bars(last(place(LINE, *units), *log, "enter v C2")) == {"A4.4b"}
    assert last(place(LINE, *units), *log, "phase APh", "advance v C2").status == "LEGAL"
    own = ("enter u B1", "drop u SW0", "recover u SW0", "settle recover:u recovered")
    again = last(place(LINE, *units), *own).after
    assert (again.unit("u").points.portaged, allotment(again)) == (1, 4)
    fresh = place(LINE, walker(sw=load(1)), walker("v"))
    taken = ("drop u SW0", "recover v SW0", "settle recover:v recovered", "enter v B1")
    assert last(fresh, *taken).status == "LEGAL"


@pytest.mark.clause("A4.43b", "A4.4b")
def test_a_sw_taken_and_dropped_with_no_mf_spent_is_not_portaged() -> None:
    """On the way too it weighs nothing, and another carries it on; after a MF it weighs all."""
    taken = ("enter u A1", "recover u HMG", "settle recover:u recovered")
    units = foot(at="B1"), walker("v")
    heavy = place(LINE, *units, counters=(Counter(kind="sw 5 HMG", at="A1"),))
    after = last(heavy, *taken, "drop u HMG").after
    assert (after.unit("u").points.portaged, allotment(after), lying(after)) == (
        0,
        4,
        {("sw 5 HMG", "A1")},
    )
    assert last(after, "enter u B1", "enter u C2").is_legal
    assert last(after, "recover v HMG", "settle recover:v recovered", "enter v B1").is_legal
    light = place(LINE, *units, counters=(Counter(kind="sw 3 LMG", at="A1"),))
    held = last(light, "enter u A1", "recover u LMG", "settle recover:u recovered").after
    found = scene_data(held, board="field")
    assert found["units"][0]["sw"][0]["held"] == 2  # MF
    assert held.unit("u").sw[0].held == held.unit("u").points.spent == 4  # half MF
    carried = last(held, "enter u B1", "drop u LMG").after
    assert (carried.unit("u").points.portaged, lying(carried)) == (3, {("sw* 3 LMG", "B1")})


def test_sw_on_the_ground_do_not_disturb_movement() -> None:
    """A Location with a SW is entered as any other; an unreadable counter is refused."""
    there = place(LINE, walker(), counters=(Counter(kind="sw 5 HMG", at="B1"),))
    assert last(there, "enter u B1").status == "LEGAL"
    ASL.check_position(there)
    odd = msgspec.structs.replace(there, counters=(Counter(kind="sw HMG", at="B1"),))
    with pytest.raises(BadInputError, match="sw PP NAME"):
        ASL.check_position(odd)


def test_options_offer_what_may_be_handled() -> None:
    """A unit is offered to drop its SW and to recover those lying there."""
    (found,) = options(scene(walker(sw=load(2))), "u")["units"]
    offered = {entry["action"] for entry in found["actions"]}
    assert {"drop u SW0", "recover u LMG"} <= offered


@pytest.mark.clause("E11.5c")
def test_a_column_handles_no_sw() -> None:
    """In a Column no SW can be dropped, transferred or recovered."""
    units = walker(sw=load(1), column="C"), walker("v"), foot("w", at="B1", column="C", rank=1)
    for line, phase in (
        ("drop u SW0", "MPh"),
        ("transfer u v SW0", "RPh"),
        ("recover u LMG", "RPh"),
    ):
        assert bars(last(scene(*units, phase=phase), line)) == {"E11.5c"}


@pytest.mark.clause("A4.44a")
def test_why_cavalry_recovers_nothing() -> None:
    """The lying SW is not denied: Cavalry cannot recover."""
    position = place(crossing(), foot(sw=load(1)), foot("v", "cavalry"))
    dropped = last(position, "drop u SW0").after
    said = {v.note for v in last(dropped, "recover v SW0").violations}
    assert said == {"only a unit on foot recovers SW"}
    said = {v.note for v in last(dropped, "recover v other").violations}
    assert said == {"no other lies there"}


@pytest.mark.clause("A4.43a", "D6.1e")
@pytest.mark.parametrize(
    "weapon",
    [
        SupportWeapon(name="MTR", pp=5, mm=81, dm=True),
        SupportWeapon(name="LMG", pp=1, malfunctioned=True, x_number=True),
        SupportWeapon(name="MMG", pp=4, fp=5, portaged=True, kind="other"),
    ],
)
def test_what_is_dropped_is_what_is_recovered(weapon: SupportWeapon) -> None:
    """A mortar keeps its caliber on the ground, a malfunctioned SW stays malfunctioned."""
    assert weapon_of(as_counter(weapon, "A1").kind) == weapon
    position = place(LINE, walker(sw=(weapon,)), walker("v"))
    lies = last(position, f"drop u {weapon.name}").after
    assert weapon_of(lies.counters[0].kind) == weapon


@pytest.mark.parametrize("kind", ["sw", "sw x MG", "sw 1,81 MG", "sw 1,dm", "sw 1,mm MG"])
def test_sw_counters_that_cannot_be_read(kind: str) -> None:
    """The message shows the valid format."""
    with pytest.raises(BadInputError, match="expected 'sw PP NAME'"):
        weapon_of(kind)
