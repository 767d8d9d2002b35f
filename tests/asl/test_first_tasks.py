"""First tasks of players: what a message says that is right away of use."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.answers.plan import plan_request
from marchtable.answers.requests import PlanRequest, WhyRequest
from marchtable.answers.routes import reach_answers
from marchtable.answers.verdicts import check_answer
from marchtable.answers.why import why_request
from marchtable.errors import BadInputError
from marchtable.files.logs import log_of
from marchtable.files.scenes import scene_of
from marchtable.rules.referee import check
from marchtable_models.asl.model import UnitType
from tests.asl.boards import field, foot, place, vehicle

ROW = field({name: {} for name in ("A1", "B1", "C1", "C2", "D1")})
GUN = UnitType(name="gun", class_="gun", mm=75, m_number=11, circled=True, qsu=True)
ROUTS = "routs are not searched: `options` lists the legal ones, hex by hex"
BOG = "freeing a bogged vehicle is not searched"


def note(position: Any, line: str, clause: str) -> str:
    """Return what a clause says of a line."""
    found = check_answer(position, log_of([line], position))
    (one,) = (one for one in found["violations"] if one["clause"] == clause)
    return str(one["reason"])


def tank(**fields: Any) -> Any:
    """Return a position of a tank in its MPh."""
    return place(ROW, vehicle("u", "ft-20", at="B1", moving=False, **fields))


@pytest.mark.parametrize(
    ("position", "clause", "says"),
    [
        (place(ROW, foot("u", at="B1", broken=True, dm=True), phase="RtPh"), "A10.5a", ROUTS),
        (tank(bogged=True), "D8.3a", BOG),
    ],
)
def test_what_no_plan_searches_is_said_everywhere(position: Any, clause: str, says: str) -> None:
    """`reach`, `plan` and `why` name `options` for a rout, or the roll to play first, and no false reason."""
    goal = {"format": "marchtable/goal/1", "aims": [{"units": ["u"], "at": ["C1"], "must": "all"}]}
    (reach,) = reach_answers(position, ["u"], to="C1")
    plan = plan_request(PlanRequest(scene="", goal=goal), position, ())
    why = why_request(WhyRequest(scene="", goal=goal), position, ())
    assert reach["instead"] == ["options"]
    for answer in (reach, plan, why):
        assert answer["status"] == "UNSUPPORTED"
        assert any(line.startswith(says) for line in answer["notes"])
    assert [(one["clause"], one["needed"]) for one in why["conflict"]] == [(clause, False)]
    assert why["lift"] is None


def ridden(kind: str, **fields: Any) -> Any:
    """Return a position of a squad mounted on a counter."""
    mount = foot("m", kind, at="B1", **fields)
    return place(ROW, mount, foot("u", at="B1", aboard="m"))


@pytest.mark.parametrize(("kind", "fields"), [("horses", {}), ("cycles", {"facing": "E"})])
def test_a_rider_dismounts(kind: str, fields: Any) -> None:
    """Where a rider unloads or walks off, the message names its mount and the action that is right."""
    position = ridden(kind, **fields)
    for line in ("unload u", "unload m"):
        assert note(position, line, "D6.5a").endswith("dismount: `dismount m`")
    assert note(position, "enter u C1", "D6.3b") == "m carries it: move m, or `dismount m` first"
    assert note(position, "dismount u", "A13.31e").endswith("; write `dismount m`")
    assert check_answer(position, log_of(["dismount m"], position))["status"] == "LEGAL"


def test_what_carries_a_unit_is_named() -> None:
    """Of a Passenger, a crew and a Gun in tow the message names the vehicle, and the verb to leave it by."""
    truck = vehicle("t", "opel-blitz", at="B1", moving=False, towing="g")
    gun = foot("g", "gun", at="B1", towed_by="t")
    position = place(ROW, truck, gun, foot("u", at="B1", aboard="t"), types=(GUN,))
    assert note(position, "enter u C1", "D6.3b") == "t carries it: move t, or `unload` first"
    assert note(position, "enter g C1", "D6.3b") == "t carries it: move t, or `unhook` first"
    assert note(position, "dismount u", "A13.31e").endswith("; write `unload u`")
    assert note(position, "load u t", "D6.3b") == "t carries it already"


def test_who_becomes_ti_is_said() -> None:
    """Hooking up names the vehicle, the Gun and the crew that can move no more; unhooking the Gun and the crew."""
    crew, gun = foot("c", "crew", at="B1"), foot("g", "gun", at="B1", limbered=True)
    tractor = vehicle("t", "spw-250", at="B1", moving=False)
    position = place(ROW, tractor, gun, crew, types=(GUN,))
    said = {}
    for verb, scene, line in (
        ("hook", position, "hook t g c"),
        ("unhook", check(position, log_of(["hook t g c"], position)).position, "unhook t c"),
    ):
        found = check_answer(scene, log_of([line], scene))
        said[verb] = {
            one["unit"] for one in found["effects"] if "can no longer move" in one.get("text", "")
        }
    assert said == {"hook": {"t", "g", "c"}, "unhook": {"g", "c"}}


@pytest.mark.parametrize(
    ("line", "phase", "clause", "says"),
    [
        ("enter u C1", "RtPh", "A3.3", "in the RtPh a broken unit routs: `rout UNIT TO`"),
        ("enter e B1", "RtPh", "A3.3", "in the RtPh a broken unit routs: `rout UNIT TO`"),
        ("enter v C1", "APh", "A3.3", "in the APh Infantry advances: `advance UNITS TO`"),
        ("advance v C1", "MPh", "A4.7a", "in the MPh units move: `enter UNITS TO`"),
        ("advance u C1", "RtPh", "A4.7a", "in the RtPh broken units rout: `rout UNIT TO`"),
    ],
)
def test_the_verb_of_the_phase_is_named(line: str, phase: str, clause: str, says: str) -> None:
    """A step by the verb of another phase is rejected with the one of this phase."""
    broken: dict[str, Any] = {"broken": True, "dm": True}
    enemy = foot("e", at="A1", side="russian", **broken)
    position = place(ROW, foot("u", at="B1", **broken), foot("v", at="B1"), enemy, phase=phase)
    assert says in note(position, line, clause)


@pytest.mark.parametrize("phase", ["RPh", "PFPh", "RtPh"])
def test_no_verb_is_named_where_none_is_right(phase: str) -> None:
    """A unit that is not broken has no way to another hex then."""
    position = place(ROW, foot("v", at="B1"), phase=phase)
    assert "`" not in note(position, "enter v C1", "A3.3")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"mans": "g"}, "unknown field `mans`: a crew at its Gun has no field for it"),
        ({"carried_by": "t"}, '`aboard = "VEHICLE"` in its own entry'),
        ({"tows": "g"}, 'and its vehicle `towing = "GUN"`'),
        ({"rides": "h"}, '`aboard = "MOUNT"`'),
        ({"weapons": ["LMG"]}, 'such as `sw = ["NAME"]`'),
        (
            {"aboard": "g"},
            "'g' is a Gun, which carries nobody; a crew at its Gun has the same `at`",
        ),
        ({"towing": "g"}, "only a vehicle tows; remove towing"),
        (
            {"towed_by": "t"},
            "only a Gun is in tow; a unit that a vehicle carries has `aboard = 't'`",
        ),
    ],
)
def test_which_unit_names_the_other(fields: Any, says: str) -> None:
    """A field of the wrong name, or at the wrong unit of a pair, is answered with the right one and its unit."""
    units = [
        {"id": "c", "side": "german", "type": "crew", "at": "A1", **fields},
        {"id": "g", "side": "german", "type": "37L AT PaK 35/36", "at": "A1"},
        {"id": "t", "side": "german", "type": "opel-blitz", "at": "A1", "facing": "E"},
    ]
    with pytest.raises(BadInputError) as caught:
        scene_of({
            "format": "marchtable/scene/2", "rulebook": "asl", "board": {"rows": "..\n.."},
            "side": "german", "phase": "MPh", "units": units,
        })  # fmt: skip
    assert says in caught.value.message
