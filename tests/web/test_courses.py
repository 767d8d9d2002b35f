"""A line led along the way of its first unit."""

from __future__ import annotations

import msgspec
import pytest

from marchtable.errors import UnknownNameError
from marchtable.files.logs import log_of
from marchtable.files.scenes import load_scene, scene_data, scene_of
from marchtable.play.options import options
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.records import replace
from marchtable.web.courses import led, reach_alone
from tests.web.conftest import EXAMPLES

LINE = "impulse lead -"


def test_the_others_come_after_the_first_unit() -> None:
    """Through a stop, each Impulse with all members, legal one after another."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    found = led(scene, unit="lead", line=LINE, stops=["J4", "L5"])
    assert found == {
        "log": [
            "impulse lead enter:I5,enter:H4,enter:G5", "impulse lead enter:J4,enter:I5,enter:H4",
            "impulse lead enter:K5:bridge,enter:J4,enter:I5", "impulse lead enter:L5,enter:K5:bridge,enter:J4",
        ],
        "at": "L5", "failed": None,
    }  # fmt: skip
    assert check(scene.position, log_of(found["log"], scene.position)).status == "LEGAL"


def test_a_line_comes_on_one_after_another() -> None:
    """Units off the map wait until the first one's hex is free; it enters, and they after it."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    waiting = [
        replace(unit, at=None, entering=("A5",), facing="E") for unit in scene.position.units
    ]
    off = scene._replace(position=msgspec.structs.replace(scene.position, units=tuple(waiting)))
    found = led(off, unit="lead", line=LINE, stops=["C5"])
    assert [line.removeprefix("impulse lead ") for line in found["log"]] == [
        "enter:A5,stay,stay", "enter:B4,enter:A5,stay", "enter:C5,enter:B4,enter:A5",
    ]  # fmt: skip
    assert found["at"] == "C5"
    assert check(off.position, log_of(found["log"], off.position)).status == "LEGAL"


def test_a_turn_that_calls_for_a_roll_ends_the_way() -> None:
    """A follower that must turn in Wire rolls first: nothing is proposed after that Impulse."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    given = scene_data(scene.position, name=scene.name)
    for unit in given["units"]:
        if unit["id"] == "second":
            unit["facing"] = "SSE"
    wired = scene_of({**given, "counters": [{"kind": "wire", "at": "G5"}]})
    found = led(wired, unit="lead", line=LINE, stops=["I5"])
    assert found == {"log": ["impulse lead stay,turn:E,stay"], "at": "H4", "failed": None}
    after = check(wired.position, log_of(found["log"], wired.position)).position
    assert [one.unit for one in after.pending] == ["second"]


def test_those_behind_do_not_turn_with_the_first_unit() -> None:
    """The first unit turns alone: a follower in Wire that need not turn makes no Bog Check."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    given = scene_data(scene.position, name=scene.name)
    wired = scene_of({**given, "counters": [{"kind": "wire", "at": "G5"}]})
    log = led(wired, unit="lead", line=LINE, stops=["H3"])["log"]
    assert log[0].startswith("impulse lead turn:")
    assert log[0].endswith(",stay,stay")
    assert not check(wired.position, log_of(log[:1], wired.position)).position.pending


def test_a_stopped_line_starts_together() -> None:
    """What the first unit does in its hex, those behind do if they cannot follow without it."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    given = scene_data(scene.position, name=scene.name)
    for unit in given["units"]:
        unit["motion"]["moving"] = False
    assert led(scene_of(given), unit="lead", line=LINE, stops=["I5"])["log"] == [
        "impulse lead start,start,start", "impulse lead enter:I5,enter:H4,enter:G5",
    ]  # fmt: skip


def test_an_impulse_that_is_forbidden_comes_last() -> None:
    """Where the line cannot go on, the referee is asked about the impossible Impulse."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    log = ["impulse lead stop,stop,stop", "end lead"]
    stopped = scene._replace(position=check(scene.position, log_of(log, scene.position)).position)
    found = led(stopped, unit="lead", line=LINE, stops=["J4"])
    assert found["failed"]["barred"]["violations"][0]["clause"]
    assert found["log"] == []
    far = led(scene, unit="lead", line=LINE, stops=["P5"])
    verdict = check(scene.position, log_of(far["log"], scene.position))
    assert all(one.step == len(far["log"]) - 1 for one in verdict.violations)
    halfway = led(scene, unit="lead", line=LINE, stops=["C5"])
    assert halfway["log"][-1] == "impulse lead enter:F5,enter:G5,enter:H4"
    assert halfway["at"] == "C5", "where it was to go, though an Impulse before is forbidden"


def test_what_does_not_exist_is_named() -> None:
    """An unknown unit or Location is named."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    with pytest.raises(UnknownNameError, match="lead"):
        led(scene, unit="leda", line=LINE, stops=["J4"])
    with pytest.raises(UnknownNameError):
        reach_alone(scene, unit="lead", to="Z99")


def test_the_way_of_the_first_unit_alone() -> None:
    """The preview for the pointer: its Locations, and its way to one of them."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    assert "L5" in reach_alone(scene, unit="lead")["locations"]
    way = reach_alone(scene, unit="lead", to="L5")
    assert [one["at"] for one in way["path"]] == ["I5", "J4", "K5:bridge", "L5"]
    assert way["path"][-1]["left"] == reach_alone(scene, unit="lead")["locations"]["L5"]


def test_a_line_is_shown_only_what_its_first_unit_can_pay_for() -> None:
    """The first unit pays what a Convoy pays: MP left at a Location are those that the Impulses leave."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    locations = reach_alone(scene, unit="lead")["locations"]
    for to in ("J4", "L5"):
        log = led(scene, unit="lead", line=LINE, stops=[to])["log"]
        paid = check(scene.position, log_of(log, scene.position)).position.unit("lead").points.used
        used = scene.position.unit("lead").points.used
        assert locations["I5"] > locations[to]
        (left,) = {one["left"] for one in reach_alone(scene, unit="lead", to=to)["path"][-1:]}
        whole = options(scene.position, "lead")["units"][0]["left"]
        assert left == locations[to] == whole - (paid - used) / 2


def test_others_of_its_line_are_away() -> None:
    """Alone in its Convoy, with its Convoy's costs; who is in no line stays with all others."""
    position = load_scene(EXAMPLES / "convoy.toml").position
    book = find_rulebook("asl")
    alone = book.alone(position, position.unit("second"))
    assert [unit.id for unit in alone.units] == ["second"]
    assert alone.units[0] == position.unit("second")
    assert book.alone(alone, alone.unit("second")) == alone


@pytest.mark.parametrize("leader_tows", [True, False])
def test_what_the_others_carry_is_away_too(leader_tows: bool) -> None:
    """Off the map or on it, a Gun that another truck tows and its crew aboard bar no reach."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    given = scene_data(scene.position, name=scene.name)
    tower = "lead" if leader_tows else "third"
    truck = next(one for one in given["units"] if one["id"] == tower)
    truck.setdefault("cargo", {})["towing"] = "gun"
    given["units"] += [
        {"id": "gun", "side": truck["side"], "at": truck["at"], "type": "45L AT PTP obr. 32",
         "cargo": {"towed_by": tower}},
        {"id": "crew", "side": truck["side"], "at": truck["at"], "type": "crew",
         "cargo": {"aboard": tower}},
    ]  # fmt: skip
    towing = scene_of(given)
    book = find_rulebook("asl")
    alone = book.alone(towing.position, towing.position.unit("lead"))
    assert {"gun", "crew"} & set(alone.index) == ({"gun", "crew"} if leader_tows else set())
    assert "J4" in reach_alone(towing, unit="lead")["locations"]
    away = [{**one, "at": None, "entering": ["A5"] if "facing" in one else [], **({"facing": "E"} if "facing" in one else {})} for one in given["units"]]  # fmt: skip
    assert "C5" in reach_alone(scene_of({**given, "units": away}), unit="lead")["locations"]
