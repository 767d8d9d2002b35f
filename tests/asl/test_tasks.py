"""Mopping Up a building, and Clearance: which units can, the effects, and the results."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable import legal_actions
from marchtable.files.notation import format_action
from marchtable.state.position import Counter
from tests.asl.boards import ASL, bars, cites, crossing, field, foot, last, place, vehicle

SHUT: Any = {"terrain": "Stone Building, 1 Level", "clear": (0,) * 6}
HOUSE = field({"A1": SHUT, "A2": SHUT, "A3": SHUT, "A4": SHUT, "B4": {}, "B1": {}})
"""A building of four hexes in a column, and open ground beside it."""
ENEMY: Any = {"side": "russian"}


def mopped(
    *units: Any, line: str = "mop-up u", board: Any = None, phase: str = "PFPh", **fields: Any
) -> Any:
    """Return the ruling on Mopping Up the first three hexes of the building."""
    rubble = (Counter(kind="stone-rubble", at="A4"),)
    fields = {"counters": rubble, **fields} if board is None else fields
    return last(place(board or HOUSE, *units, phase=phase, **fields), line)


@pytest.mark.clause("A12.153a")
def test_who_mops_up() -> None:
    """A fit MMC in its own PFPh, which is then TI and cannot move; no other unit or time."""
    found = mopped(foot(at="A2"))
    assert found.status == "LEGAL"
    assert found.after.unit("u").status.ti
    assert "A4.1c" in bars(last(found.after, "phase MPh", "enter u A1"))
    for who in (
        foot(kind="leader", at="A2"), foot(at="A2", pinned=True), foot(at="A2", broken=True),
        foot(at="A2", unarmed=True), foot(at="A2", prep_fired=True), foot(kind="cavalry", at="A2"),
    ):  # fmt: skip
        assert bars(mopped(who)) == {"A12.153a"}, who
    for result in ({"phase": "MPh"}, {"side": "russian"}):
        assert bars(mopped(foot(at="A2"), **result)) == {"A12.153a"}, result


@pytest.mark.clause("A12.153b")
def test_which_building() -> None:
    """One of several hexes or levels, without unconcealed unbroken enemies, not tried this turn."""
    assert bars(mopped(foot(at="B1"))) == {"A12.153b"}
    single = field({"A1": {"terrain": "Stone Building", "clear": (50,) * 6}, "B1": {}})
    assert bars(mopped(foot(at="A1"), board=single)) == {"A12.153b"}
    for enemy, legal in (
        (foot("e", at="A1", **ENEMY), False), (foot("e", at="A1", concealed=True, **ENEMY), True),
        (foot("e", at="A1", broken=True, **ENEMY), True), (foot("e", at="B1", **ENEMY), True),
        (foot("e", at="A4", **ENEMY), True), (foot("f", at="A3", ti=True), False),
    ):  # fmt: skip
        assert bars(mopped(foot(at="A2"), enemy)) == (set() if legal else {"A12.153b"}), enemy


@pytest.mark.clause("A12.153c")
def test_how_far_it_goes() -> None:
    """A hex three away, or an unstated extent, is UNSUPPORTED; two units near all of it together can."""
    whole: Any = {"board": HOUSE}
    assert "A12.153c" in cites(mopped(foot(at="A1"), **whole))
    assert mopped(foot(at="A2"), **whole).status == "LEGAL"
    assert (
        mopped(foot(at="A1"), foot("v", at="A4"), line="mop-up u others=v", **whole).status
        == "LEGAL"
    )
    unstated = field({"A1": {"terrain": "Stone Building"}, "A2": {"terrain": "Stone Building"}})
    assert "A12.153c" in cites(mopped(foot(at="A1"), board=unstated))


@pytest.mark.clause("A20.2")
def test_who_surrenders_as_a_building_is_secured() -> None:
    """Broken enemies in it to any unit there, if none in it is concealed; not before."""
    broken = foot("e", at="A1", broken=True, **ENEMY)
    found = place(HOUSE, foot(at="A2"), foot("v", "leader", at="A3"), broken, phase="PFPh")
    after = last(found, "mop-up u", "capture e v")
    assert (after.status, after.after.unit("e").at) == ("LEGAL", "A3")
    ASL.check_position(after.after)
    assert bars(last(found, "capture e v")) == {"A20.2"}
    hidden = place(
        HOUSE, foot(at="A2"), broken, foot("x", at="A4", concealed=True, **ENEMY), phase="PFPh"
    )
    assert bars(last(hidden, "mop-up u", "capture e u")) == {"A20.2"}


def clear(
    what: str,
    *units: Any,
    log: tuple[str, ...] = (),
    phase: str = "MPh",
    line: str = "",
    **fields: Any,
) -> Any:
    """Return the ruling on a Clearance attempt in B1, the item lying there."""
    kinds = {
        "rubble": "stone-rubble",
        "mines": "minefield",
        "dc": "set-dc",
        "roadblock": "roadblock-NE",
    }
    here = (Counter(kind=kinds.get(what, what), at="B1"),)
    fields = {"board": crossing(), "counters": here, **fields}
    board = fields.pop("board")
    scene = place(
        board,
        *(units or (foot(inside="beneath" if what == "wire" else ""),)),
        phase=phase,
        **fields,
    )
    return last(scene, *log, line or f"clear u {what}")


ALL = ("rubble", "flame", "wire", "mines", "dc", "roadblock")


@pytest.mark.clause("B24.7a")
def test_who_clears() -> None:
    """Fit Infantry with a MMC, where such an item lies; a leader with it, but not alone."""
    for what in ALL:
        assert clear(what).status == "LEGAL", what
        assert bars(clear(what, counters=())) == {"B24.7a"}, what
    assert not bars(clear("flame", foot(), foot("l", "leader"), line="clear u,l flame"))
    assert bars(clear("flame", foot(kind="leader"))) == {"B24.7a"}
    for who in (foot(disrupted=True), foot(fired=True)):
        assert "B24.7a" in bars(clear("flame", who)), who
    assert "B24.7a" in bars(clear("flame", foot(pinned=True)))
    assert "B24.7a" in bars(clear("flame", vehicle(moving=False)))


@pytest.mark.clause("B24.7b")
def test_when_it_is_declared() -> None:
    """In the unit's own MPh before anything else; in its DFPh too, except for rubble and mines."""
    for what in ALL:
        who = foot(inside="beneath" if what == "wire" else "")
        assert bars(clear(what, who, phase="DFPh")) == {"B24.7b"}, what
        defends = bars(clear(what, who, phase="DFPh", side="russian"))
        assert defends == ({"B24.7b"} if what in ("rubble", "mines") else set()), what
    assert bars(clear("flame", foot(at="A1"), log=("enter u B1",))) == {"B24.7b"}
    assert bars(clear("flame", phase="APh")) == {"B24.7b"}


@pytest.mark.clause("B24.71b")
def test_an_entry_to_clear() -> None:
    """Rubble or mines entered in this MPh are UNSUPPORTED; those where it was are judged."""
    for what in ("rubble", "mines"):
        moved = foot(mph="moving", spent=6, used=6, previous="A1")
        assert "B24.71b" in cites(clear(what, moved))
        assert "B24.71b" not in cites(clear(what))


@pytest.mark.clause("B24.71c")
def test_rubble_of_a_building() -> None:
    """Rubble that fell into the open can be cleared, that of a building hex cannot; a Flame there can."""
    house = crossing({"terrain": "Stone Building"})
    assert bars(clear("rubble", board=house)) == {"B24.71c"}
    assert not bars(clear("flame", board=house))
    assert not bars(clear("rubble"))


@pytest.mark.clause("B24.73")
def test_wire() -> None:
    """Wire only from beneath it; mines by a unit not on Wire, or beneath it."""
    assert bars(clear("wire", foot())) == {"B24.73"}
    both = (Counter(kind="minefield", at="B1"), Counter(kind="wire", at="B1"))
    assert bars(clear("mines", foot(), counters=both)) == {"B24.73"}
    assert not bars(clear("mines", foot(inside="beneath"), counters=both))


@pytest.mark.clause("B24.7c")
def test_what_it_leaves() -> None:
    """It is TI and done; for rubble, Flame and roadblocks by Hazardous Movement."""
    for what in ALL:
        unit = clear(what).after.unit("u")
        assert (unit.status.ti, unit.move.mph, unit.move.task) == (True, "done", what)
        found = "clearance" if what in ("rubble", "flame", "roadblock") else ""
        assert unit.move.hazardous == found, what
    assert "A4.2a" in bars(clear("flame", log=("clear u flame",), line="enter u C1"))


def over(what: str, *units: Any, who: str = "u", more: str = "", phase: str = "CCPh") -> Any:
    """Return the ruling on a Clearance DR declared in the MPh."""
    log = (f"clear {who} {what}", f"phase {phase}") if phase else (f"clear {who} {what}",)
    return clear(what, *units, log=log, line=f"clearance {who} {what} {more}".strip())


@pytest.mark.clause("B24.7d")
def test_when_the_dr_is_made() -> None:
    """In the CCPh, by all that declared it; for rubble and mines two hexsides are stated."""
    assert not bars(over("flame"))
    assert bars(over("flame", phase="APh")) == {"B24.7d"}
    assert bars(clear("flame", log=("phase CCPh",), line="clearance u flame")) == {"B24.7d"}
    two = (foot(), foot("v"))
    apart = clear("flame", *two, log=("clear u,v flame", "phase CCPh"), line="clearance u flame")
    assert bars(apart) == {"B24.7d"}
    for what in ("rubble", "mines"):
        assert bars(over(what)) == {"B24.7d"}
        assert bars(over(what, more="sides=NE,NE")) == {"B24.7d"}
        assert not bars(over(what, more="sides=NE,SW"))
    assert bars(over("flame", more="sides=NE,SW")) == {"B24.7d"}
    for blow in ("broken", "pinned", "eliminated"):  # a unit that no longer can takes no part
        log = ("clear u,v flame", f"result v {blow}", "phase CCPh")
        assert not bars(clear("flame", *two, log=log, line="clearance u flame")), blow
    assert bars(clear("flame", *two, log=log[:1] + log[2:], line="clearance u flame")) == {"B24.7d"}


def odds(ruling: Any) -> dict[str, int]:
    """Return the number of 36 throws for each outcome."""
    (roll,) = ruling.obligations
    return {each.outcome.partition(":")[0]: each.chance for each in roll.outcomes}


@pytest.mark.clause("B24.7e")
def test_the_odds() -> None:
    """A half squad needs 2, a squad 3, two squads 5, with a leader of 1 6; mines hurt on 12, or 11."""
    half = foot(kind="half-squad")
    assert odds(over("flame", half))["cleared"] == 1
    assert odds(over("flame"))["cleared"] == 3
    two = (foot(), foot("v"))
    assert odds(over("flame", *two, who="u,v"))["cleared"] == 10
    assert odds(over("flame", *two, who="u,v", more="drm=-1"))["cleared"] == 15
    mines = {"more": "sides=N,S"}
    assert odds(over("mines", **mines)) == {"cleared": 3, "failed": 32, "reduced": 1}
    green = foot(inexperienced=True)
    assert odds(over("mines", green, **mines)) == {"cleared": 3, "failed": 30, "reduced": 3}
    assert odds(over("mines", more="sides=N,S drm=-10"))["cleared"] == 35


@pytest.mark.clause("E3.732")
def test_mines_under_deep_snow() -> None:
    """They are cleared on 1 less, and hurt as often; nothing else is harder to clear there."""
    snow: Any = {"stated": {"deep_snow": True}}
    log = ("clear u {}", "phase CCPh")
    for what, more, good in (("mines", " sides=N,S", 1), ("flame", "", 3)):
        found = tuple(line.format(what) for line in log)
        asked = clear(what, log=found, line=f"clearance u {what}{more}", **snow)
        assert (asked.status, odds(asked)["cleared"]) == ("LEGAL", good)
        assert not asked.receipts
    assert odds(over("mines", more="sides=N,S"))["cleared"] == 3


def test_a_unit_that_was_beneath_wire() -> None:
    """Without the Wire no unit is beneath it; one in a trench there stays in it."""
    where = Counter(kind="wire", at="B1")
    log = ("clear u wire", "phase CCPh", "clearance u wire")
    others = (foot(inside="beneath"), foot("v", inside="beneath"))
    for counters, inside in (((where,), ""), ((where, Counter(kind="trench", at="B1")), "beneath")):
        found = place(crossing(), *others, counters=counters)
        after = last(found, *log, "settle clearance:u cleared").after
        assert {one.place.inside for one in after.units} == {inside}
        failed = last(found, *log, "settle clearance:u failed").after
        assert {one.place.inside for one in failed.units} == {"beneath"}


@pytest.mark.clause("B24.7f")
def test_how_it_comes_out() -> None:
    """A cleared item is gone, mines and rubble have a Trail Break; after a failure there is no second DR."""
    for what in ("flame", "wire", "dc", "roadblock"):
        found = over(what).after
        assert last(found, "settle clearance:u cleared").after.counters == (), what
        failed = last(found, "settle clearance:u failed").after
        assert len(failed.counters) == 1
        assert bars(last(failed, f"clearance u {what}")) == {"B24.7d"}
    found = over("rubble", more="sides=NE,SW").after
    kinds = {one.kind for one in last(found, "settle clearance:u cleared:NE-SW").after.counters}
    assert kinds == {"stone-rubble", "trail-break-NE", "trail-break-SW"}
    sides = ("N", "NE", "SE", "S")
    lying = (
        Counter(kind="stone-rubble", at="B1"),
        *(Counter(kind=f"trail-break-{s}", at="B1") for s in sides),
    )
    log = ("clear u rubble", "phase CCPh", "clearance u rubble sides=SW,NW")
    assert (
        clear(
            "rubble", counters=lying, log=log, line="settle clearance:u cleared:SW-NW"
        ).after.counters
        == ()
    )


@pytest.mark.clause("B24.74")
def test_mines_hurt() -> None:
    """The Casualty Reduction of a DR of 12 is UNSUPPORTED; a failed attempt is modelled."""
    found = over("mines", more="sides=N,S").after
    assert last(found, "settle clearance:u reduced").status == "UNSUPPORTED"
    assert last(found, "settle clearance:u failed").status == "LEGAL"


def test_options_offer_what_lies_there() -> None:
    """A squad beside a Flame can clear only that; with nothing there, nothing."""
    found = place(
        crossing(), foot(), foot("v", at="A1"), counters=(Counter(kind="flame", at="B1"),)
    )
    offered = {format_action(act.action) for act in legal_actions(found)}
    assert {line for line in offered if line.startswith("clear")} == {"clear u flame"}
