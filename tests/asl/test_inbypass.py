"""Leaving a vehicle in Bypass: unloading, bailing out, surviving there (D6.5, D2.36)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.rules.generator import legal_actions
from marchtable.state.position import Counter
from marchtable_models.asl.model import UnitType
from tests.asl.boards import ASL, bars, cites, foot, judge, last, place, vehicle
from tests.asl.test_bypass import WOODS, patch

CAFP = "be at the CAFP against Defensive First Fire"
INSIDE = "be in the woods or building that its vehicle went round"
BESIDE: dict[str, Any] = {"bypass": 5, "facing": "E", "moving": False, "at": "C1"}
ARMED = UnitType(
    name="k", class_="vehicle", column="ht", mp=16, afv=True, pp=15, role="tank", survival=6
)


def scene(kind: str, *others: Any, board: Any = None, **fields: Any) -> Any:
    """Return a vehicle in Bypass of woods with a half squad aboard."""
    scene_fields = {key: fields.pop(key) for key in ("phase", "side") if key in fields}
    by = {**BESIDE, **fields.pop("by", {})}
    unit = foot(**{"kind": "half-squad", "at": "C1", "aboard": "t", **fields})
    units = (vehicle("t", kind, **by), unit, *others)
    return place(board or patch(), *units, types=(ARMED,), year=1943, **scene_fields)


def stated(position: Any) -> dict[str, Any]:
    """Return each factor for unit u."""
    return {e["what"]: e["factor"] for e in ASL.entitlements(position, position.unit("u"))}


@pytest.mark.clause("D6.5l", "D6.5o")
def test_a_unit_that_unloads_is_at_the_cafp_until_fire_is_over() -> None:
    """Against First Fire it is beside the woods, in the open; after the next action, in them."""
    ruling = last(scene("opel-blitz"), "unload u")
    unit = ruling.after.unit("u")
    assert (ruling.status, unit.at, unit.cargo.aboard, unit.place.bypass) == (
        "LEGAL",
        "C1",
        None,
        None,
    )
    assert [stated(ruling.after).get(what) for what in (CAFP, INSIDE, "FFMO")] == [1, None, -1]
    shot = judge(ruling.after, "result u pinned").position
    assert stated(shot)[CAFP] == 1
    for line in ("start t", "end u", "enter u C0"):
        after = last(ruling.after, line).after
        assert [stated(after).get(what) for what in (CAFP, INSIDE)] == [None, 1]
    over = judge(ruling.after, "phase DFPh").position
    assert not {CAFP, INSIDE} & set(stated(over))
    plain = last(scene("opel-blitz", by={"bypass": None}), "unload u").after
    assert CAFP not in stated(plain)
    assert stated(plain)["FFMO"] is None


@pytest.mark.clause("D6.5i")
def test_the_cafp_is_as_open_as_what_lies_beside_the_obstacle() -> None:
    """Grain around the woods prevents FFMO; in Open Ground it does not apply to an armored vehicle's units."""
    grain = patch({**WOODS, "also": (("Grain", 40),)})
    assert stated(last(scene("opel-blitz", board=grain), "unload u").after)["FFMO"] is None
    assert stated(last(scene("spw-251"), "unload u").after)["FFMO"] is None


@pytest.mark.clause("D6.5l")
def test_bailing_out_and_surviving_in_bypass() -> None:
    """In its own MPh a Rider that bails out or survives is at the CAFP too; in the enemy's not."""
    for phase, side, cafp in (("MPh", "german", "at"), ("MPh", "russian", ""),
                              ("DFPh", "german", "")):  # fmt: skip
        position = scene("k", riding=True, phase=phase, side=side)
        bailed = judge(position, "bail-out u pinned").rulings[-1].after.unit("u")
        assert (bailed.cargo.aboard, bailed.at, bailed.place.cafp) == (None, "C1", cafp)
        wreck = judge(position, "destroy t fire").rulings[-1].after
        for outcome, found in (("survives", cafp), ("dies", "")):
            assert last(wreck, f"settle survival:u {outcome}").after.unit("u").place.cafp == found
    beside = scene("k", riding=True, by={"bypass": None})
    assert judge(beside, "bail-out u pinned").rulings[-1].after.unit("u").place.cafp == ""


@pytest.mark.clause("D6.5l")
def test_unloading_in_bypass_costs_what_it_does_elsewhere() -> None:
    """A quarter of the MP and one MF, even if none are left to enter the woods on foot."""
    position = scene("opel-blitz", by={"spent": 42, "used": 42, "mph": "moving"})
    after = last(position, "unload u").after
    assert (
        after.unit("u").points.spent,
        after.unit("t").points.spent,
        after.unit("u").place.cafp,
    ) == (8, 56, "at")
    assert bars(judge(scene("opel-blitz", by={"moving": True}), "unload u").rulings[-1]) == {
        "D6.5a"
    }


@pytest.mark.clause("A12.151")
def test_all_concealment_goes_as_units_get_off_in_bypass_among_enemies() -> None:
    """Both sides lose concealment; not if the vehicle is not in Bypass, or without enemies."""
    enemy = foot("e", at="C1", side="russian", concealed=True)
    away = msgspec.structs.replace(enemy, at="D1")
    for line, kind, fields in (
        ("unload u", "opel-blitz", {}), ("bail-out u pinned", "k", {"riding": True}),
    ):  # fmt: skip
        for by, other, kept in (({}, enemy, False), ({"bypass": None}, enemy, True),
                                ({}, away, True)):  # fmt: skip
            position = scene(kind, other, by=by, concealed=True, **fields)
            after = judge(position, line).rulings[-1].after
            assert (
                after.unit("u").concealment.concealed,
                after.unit("e").concealment.concealed,
            ) == (kept, kept)
    position = scene("k", enemy, concealed=True)
    wreck = judge(position, "destroy t fire").rulings[-1].after
    for outcome, kept in (("survives", False), ("dies", True)):
        assert (
            last(wreck, f"settle survival:u {outcome}").after.unit("e").concealment.concealed
            is kept
        )


def test_a_unit_that_is_lost_in_bypass_goes_nowhere() -> None:
    """A unit eliminated, or off the map, while in Bypass can be asked about like any other."""
    lost = foot("e", at=None, bypass=2)
    gone = vehicle("g", "opel-blitz", None, bypass=0, exited=True)
    position = scene("opel-blitz", lost, gone)
    for name in ("e", "g"):
        assert [c.action for c in legal_actions(position, name) if c.closes] == []


@pytest.mark.clause("x-counter")
def test_hex_contents_matter_to_units_that_get_off_in_bypass() -> None:
    """With a counter unknown to the clauses, unloading in Bypass into the obstacle is UNSUPPORTED."""
    strange = (Counter(kind="sangar", at="C1"),)
    for bypass, cited in ((5, {"x-counter"}), (None, set())):
        found: dict[str, Any] = {"moving": False, "at": "C1", "bypass": bypass}
        units = (vehicle("t", "opel-blitz", **found), foot("u", "half-squad", "C1", aboard="t"))
        assert cites(last(place(patch(), *units, counters=strange), "unload u")) == cited
        track = vehicle("t", "spw-251", **found)
        crew = foot("u", "crew", "C1", aboard="t", inherent=True)
        assert cites(last(place(patch(), track, crew, counters=strange), "abandon u")) == cited
    known = (Counter(kind="shellholes", at="C1"),)
    assert last(place(patch(), *units, counters=known), "unload u").is_legal
