"""The Bog Check: when it is due, its odds, and what a failure does."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.state.position import Counter, Obligation, Odds
from marchtable_models.asl.model import AslUnit, UnitType
from tests.asl.boards import bars, cites, crossing, last, place, step, vehicle

WOODS = {"terrain": "Woods"}
WOODS_ROAD = {"terrain": "Dirt Road", "also": (("Woods", 60),)}
ROAD = {"road": "Dirt Road"}
GULLY = {"terrain": "Gully", "level": -1, "depression": "Gully"}
HEDGE = {"terrain": "Hedge"}


def odds(ruling: Any) -> int | None:
    """Return in how many of 36 throws the vehicle bogs, or None if no check is due."""
    if not ruling.obligations:
        return None
    (due,) = ruling.obligations
    assert sum(entry.chance for entry in due.outcomes) == 36
    chances: dict[str, int] = {entry.outcome: entry.chance for entry in due.outcomes}
    return chances["bogged"]


@pytest.mark.clause("D8.21a", "D8.21d")
def test_odds_of_bogging_on_entry() -> None:
    """The DRM of column, kind of entry and terrain add up; the vehicle bogs above 12 less their sum."""
    for column, line, fields, chance in (
        ("ft", "enter u C1", {"there": WOODS}, 3),  # +1 ground pressure: 11
        ("ft", "enter u C1 half=true", {"there": WOODS}, 15),  # +3: 8
        ("ft", "minimum u C1", {"there": {**WOODS, "level": 1}}, 6),  # +1 uphill: 10
        ("ht", "enter u C1", {"there": WOODS}, 6),  # +1 not fully tracked: 10
        ("tr", "enter u C1", {"there": WOODS}, 10),  # +1 truck-type: 9
        ("ht", "enter u C1", {"hexside": HEDGE}, 6),
        ("tr", "enter u C1", {"here": GULLY}, 10),
    ):  # fmt: skip
        ruling = step(column, line, **fields)
        assert (ruling.status, odds(ruling)) == ("LEGAL", chance), (column, fields)


def outcomes(ruling: Any) -> dict[str, int]:
    """Return the number of 36 throws for each outcome of the one check due."""
    (due,) = ruling.obligations
    return {entry.outcome: entry.chance for entry in due.outcomes}


@pytest.mark.clause("B23.41b", "D8.21a")
def test_breaking_into_a_building() -> None:
    """A colored 6 means the cellar; a 1 rubbles wood or a ground level alone, a 2 both."""
    for terrain, chances in (
        ("Wooden Building", {"mobile": 9, "bogged": 9, "rubbles": 12, "falls": 6}),  # 8 bogs
        ("Wooden Building, 1 Level", {"mobile": 14, "bogged": 10, "rubbles": 6, "falls": 6}),
        ("Stone Building", {"mobile": 10, "bogged": 14, "rubbles": 6, "falls": 6}),  # 7 bogs
        ("Stone Building, 1 Level", {"mobile": 15, "bogged": 15, "falls": 6}),
    ):
        ruling = step("ft", there={"terrain": terrain}, bu=True)
        assert (ruling.status, outcomes(ruling)) == ("LEGAL", chances), terrain
    assert set(outcomes(step("ft", there=WOODS))) == {"mobile", "bogged"}


@pytest.mark.clause("B23.41b")
@pytest.mark.parametrize("outcome", ["falls", "rubbles"])
def test_what_breaks_is_not_modelled(outcome: str) -> None:
    """A vehicle in a cellar, and rubble's effects, are UNSUPPORTED; passing or bogging is not."""
    inside = place(crossing(there={"terrain": "Wooden Building"}), vehicle(kind="ft-12", bu=True))
    found = last(inside, "enter u C1", f"settle bog:u {outcome}")
    assert (found.status, cites(found)) == ("UNSUPPORTED", {"B23.41b"})
    for result in ("mobile", "bogged"):
        assert last(inside, "enter u C1", f"settle bog:u {result}").is_legal


@pytest.mark.clause("D8.21a")
@pytest.mark.parametrize(("pressure", "chance"), [("low", 1), ("normal", 3), ("high", 6)])
def test_ground_pressure(pressure: str, chance: int) -> None:
    """Low ground pressure adds nothing, normal 1, high 2."""
    tank = UnitType(
        name="tank",
        class_="vehicle",
        column="ft",
        mp=12,
        afv=True,
        ground_pressure=pressure,  # type: ignore[arg-type]
    )
    position = place(crossing(there=WOODS), vehicle(kind="tank"), types=(tank,))

    assert odds(last(position, "enter u C1")) == chance


@pytest.mark.clause("D8.21a")
def test_when_no_check_is_due_on_entry() -> None:
    """No check by road, over a hedge if fully tracked, from gully to gully, or for Infantry."""
    assert odds(step("tr", there=WOODS, hexside=ROAD)) is None
    assert odds(step("ht", hexside={**HEDGE, **ROAD})) is None
    assert odds(step("ft", hexside=HEDGE)) is None
    assert odds(step("tr", here=GULLY, there=GULLY)) is None
    assert odds(step("tr", there=GULLY)) is None
    assert odds(step("tr", here=GULLY, hexside=ROAD)) is None
    for column in ("ft", "ht"):
        assert odds(step(column, here=GULLY)) is None
    assert odds(step("inf", here=GULLY, there=WOODS, hexside=HEDGE)) is None
    assert odds(step("tr", here=WOODS)) is None
    assert odds(step("tr", here=GULLY)) is not None


@pytest.mark.clause("D8.2", "D8.21a", "D8.21c")
def test_two_checks_out_of_a_stream_into_woods() -> None:
    """The first check is in the stream: a vehicle bogged there makes no second and stays in the stream."""
    low = UnitType(
        name="tank", class_="vehicle", column="ft", mp=12, afv=True, ground_pressure="low"
    )
    stream: dict[str, Any] = {
        "terrain": "Shallow Stream",
        "level": -1,
        "depression": "Shallow Stream",
    }
    position = place(crossing(stream, WOODS), vehicle(kind="tank"), types=(low,))
    enter = "enter u C1 half=true"
    first, second = last(position, enter).obligations
    assert [(due.id, due.outcomes[1].chance) for due in (first, second)] == [
        ("bog-leaving:u", 1), ("bog:u", 15),  # +3 half the MP, +1 uphill into woods
    ]  # fmt: skip
    stuck = last(position, enter, "settle bog-leaving:u bogged").after
    assert (stuck.pending, stuck.unit("u").at, stuck.unit("u").motion.bogged) == ((), "B1", True)
    there = last(position, enter, "settle bog-leaving:u mobile", "settle bog:u bogged").after
    assert (there.unit("u").at, there.unit("u").motion.bogged) == ("C1", True)
    free = last(position, enter, "settle bog-leaving:u mobile", "settle bog:u mobile").after
    assert (free.unit("u").at, free.unit("u").motion.bogged) == ("C1", False)


@pytest.mark.clause("D8.21c")
def test_bogged_in_the_stream_it_is_in_no_bypass() -> None:
    """A truck that was to bypass woods beyond the stream stays in the stream if bogged."""
    stream: dict[str, Any] = {
        "terrain": "Shallow Stream",
        "level": -1,
        "depression": "Shallow Stream",
    }
    board = crossing(stream, {**WOODS, "clear": (50,) * 6})
    log = ("bypass u C1", "settle bog-leaving:u bogged")
    stuck = last(place(board, vehicle()), *log).after.unit("u")
    assert (stuck.at, stuck.place.bypass, stuck.motion.bogged) == ("B1", None, True)


@pytest.mark.clause("D8.2")
def test_out_of_a_deep_stream() -> None:
    """A deep stream adds 1, named by map or conditions; by road, or along the stream, no check is due."""

    def chance(name: str, stated: Any = None) -> int | None:
        stream = {"terrain": name, "level": -1, "depression": name}
        return odds(step("ft", here=stream, scene={"stated": stated or {}}))

    assert (chance("Shallow Stream"), chance("Deep Stream")) == (3, 6)
    assert chance("Shallow Stream", {"stream": "deep"}) == 6
    stream = {"terrain": "Deep Stream", "level": -1, "depression": "Deep Stream"}
    assert odds(step("ft", here=stream, hexside=ROAD)) is None
    assert odds(step("ft", here=stream, there=stream)) is None


@pytest.mark.clause("D8.21d", "D8.21a")
@pytest.mark.parametrize(
    ("column", "hexside", "there", "chances"),
    [
        ("ht", "Hedge", WOODS, (6, 6)),
        ("ft", "Bocage", {"terrain": "Graveyard"}, (3, 15)),
        ("ft", "Bocage", {"terrain": "Stone Building"}, (3, 14)),
    ],
)
def test_hexside_and_hex_call_for_a_check_each(
    column: str, hexside: str, there: dict[str, Any], chances: tuple[int, int]
) -> None:
    """First in the hex left, without the entered hex's DRM; then in the hex entered, with it."""
    line = "minimum u C1" if column == "ht" else "enter u C1"
    position = place(
        crossing(there=there, hexside={"terrain": hexside}),
        vehicle(kind=f"{column}-12", bu=column == "ft"),
    )
    ruling = last(position, line)
    assert [(due.id, due.clause) for due in ruling.obligations] == [
        ("bog-hexside:u", "D8.21d"), ("bog:u", "D8.21a"),
    ]  # fmt: skip
    bogs = tuple(
        next(outcome.chance for outcome in due.outcomes if outcome.outcome == "bogged")
        for due in ruling.obligations
    )
    assert bogs == chances
    assert ruling.readings == (("D8.21d", "two"),)


@pytest.mark.clause("D8.21d", "D8.21a", "D8.21c")
def test_where_it_stands_by_which_check_it_fails() -> None:
    """Bogged at the hedge it stays behind and makes no second check; bogged in the woods it is there."""
    position = place(crossing(there=WOODS, hexside=HEDGE), vehicle(kind="ht-10"))
    over = "minimum u C1"
    stuck = last(position, over, "settle bog-hexside:u bogged").after
    assert (stuck.pending, stuck.unit("u").at, stuck.unit("u").motion.bogged) == ((), "B1", True)
    across = (over, "settle bog-hexside:u mobile")
    there = last(position, *across, "settle bog:u bogged").after
    assert (there.pending, there.unit("u").at, there.unit("u").motion.bogged) == ((), "C1", True)
    free = last(position, *across, "settle bog:u mobile").after
    assert (free.pending, free.unit("u").at, free.unit("u").motion.bogged) == ((), "C1", False)


@pytest.mark.clause("D8.21d")
def test_one_check_may_serve_hexside_and_hex() -> None:
    """Under the other reading a halftrack over a hedge into woods makes one check, that of the hexside."""
    one = {"readings": (("D8.21d", "one"),)}
    ruling = step("ht", "minimum u C1", there=WOODS, hexside=HEDGE, scene=one)
    assert [(due.id, due.clause) for due in ruling.obligations] == [("bog-hexside:u", "D8.21d")]
    assert odds(ruling) == 6
    wire = {"counters": (Counter(kind="wire", at="C1"),)}
    for scene, chances in ((wire, [6, 15]), ({**wire, **one}, [15])):
        ruling = step("ht", there={}, hexside=HEDGE, scene=scene)
        assert [due.outcomes[-1].chance for due in ruling.obligations] == chances


@pytest.mark.clause("D8.21d", "D8.2")
def test_one_check_serves_for_what_a_single_hex_calls_for() -> None:
    """Out of a stream over a hedge, a halftrack makes one check in the stream and a second in woods beyond."""
    stream: dict[str, Any] = {
        "terrain": "Shallow Stream",
        "level": -1,
        "depression": "Shallow Stream",
    }
    for there, names in (({}, ["bog-leaving:u"]), (WOODS, ["bog-leaving:u", "bog:u"])):
        ruling = step("ht", "minimum u C1", here=stream, there=there, hexside=HEDGE)
        assert [due.id for due in ruling.obligations] == names


@pytest.mark.clause("D8.21d")
def test_no_second_check_where_the_hex_calls_for_none() -> None:
    """Over a hedge into Open Ground one check is due, and no reading matters."""
    ruling = step("ht", hexside=HEDGE)
    assert ([due.id for due in ruling.obligations], ruling.readings) == (["bog-hexside:u"], ())


@pytest.mark.clause("D8.21b")
def test_turning_in_woods_calls_for_a_check() -> None:
    """Each VCA change in woods or a building requires a check; on the woods' road, or elsewhere, none."""
    for column, chance in (("ft", 3), ("ht", 6), ("tr", 10)):
        assert odds(step(column, "turn u SSE", here=WOODS)) == chance
        assert odds(step(column, "turn u SSE", here=WOODS_ROAD, hexside=ROAD)) is None
        off = step(column, "turn u SSE", here=WOODS_ROAD, hexside=ROAD, off_road=True)
        assert odds(off) == chance
        assert odds(step(column, "turn u SSE", here=GULLY)) is None
        assert odds(step(column, "turn u SSE")) is None
    assert odds(step("ft", "turn u SSE", here={"terrain": "Stone Building"})) == 3


@pytest.mark.clause("D8.21c")
def test_a_vehicle_that_fails_is_bogged() -> None:
    """A bogged vehicle is stopped where it went, its MPh over; a mobile one goes on."""
    position = place(crossing(there=WOODS), vehicle(kind="ft-10"))
    enter = "enter u C1 half=true"
    stuck = last(position, enter, "settle bog:u bogged").after.unit("u")
    assert (stuck.at, stuck.motion.bogged, stuck.motion.moving, stuck.move.mph) == (
        "C1",
        True,
        False,
        "done",
    )
    free = last(position, enter, "settle bog:u mobile").after.unit("u")
    assert (free.at, free.motion.bogged, free.motion.moving, free.move.mph) == (
        "C1",
        False,
        True,
        "moving",
    )
    assert bars(last(position, enter, "settle bog:u bogged", "enter u C2")) >= {"A4.2a", "D8.1"}
    assert last(position, enter, "settle bog:u mobile", "turn u SSE").status == "LEGAL"


@pytest.mark.clause("D8.21c")
@pytest.mark.parametrize(("choice", "at"), [(None, "B1"), ("left", "B1"), ("entered", "C1")])
def test_where_a_vehicle_that_bogs_at_a_hexside_stands(choice: str | None, at: str) -> None:
    """A vehicle bogged at a hexside is in the hex it was leaving, except under another reading."""
    readings = (("D8.21c", choice),) if choice else ()
    position = place(crossing(hexside=HEDGE), vehicle(kind="ht-10"), readings=readings)
    after = last(position, "enter u C1", "settle bog-hexside:u bogged").after.unit("u")

    assert (after.at, after.motion.bogged) == (at, True)
    free = last(position, "enter u C1", "settle bog-hexside:u mobile").after.unit("u")
    assert (free.at, free.motion.bogged) == ("C1", False)


@pytest.mark.clause("D8.21c")
def test_what_a_failure_does_is_reported_with_its_clause_and_reading() -> None:
    """The ruling lists each change under D8.21c and, at a hexside, the register's reading."""
    woods = place(crossing(there=WOODS), vehicle(kind="ft-10"))
    hedge = place(crossing(hexside=HEDGE), vehicle(kind="ht-10"))
    stuck = last(woods, "enter u C1 half=true", "settle bog:u bogged")
    left = last(hedge, "enter u C1", "settle bog-hexside:u bogged")

    found = [("bogged", True), ("moving", False), ("mph", "done")]
    assert [(e.unit, e.clause, e.field, e.value) for e in stuck.effects] == [
        ("u", "D8.21c", *change) for change in found
    ]
    assert stuck.readings == ()
    assert [(e.field, e.value) for e in left.effects] == [*found, ("at", "B1"), ("off_road", False)]
    assert left.readings == (("D8.21c", "left"),)
    assert last(woods, "enter u C1 half=true", "settle bog:u mobile").effects == ()


@pytest.mark.clause("D8.21c")
def test_a_vehicle_thrown_back_stands_where_it_stood() -> None:
    """Back in woods beside their road the vehicle is off the road; back on open ground it is not."""

    def off_road(here: dict[str, Any], **fields: Any) -> bool:
        position = place(crossing(here, WOODS, HEDGE), vehicle(kind="ht-10", **fields))
        ruling = last(position, "minimum u C1", "settle bog-hexside:u bogged")
        unit: AslUnit = ruling.after.unit("u")
        assert (unit.at, unit.points.final) == ("B1", "minimum")
        return unit.place.off_road

    assert off_road({}) is False
    assert off_road(WOODS_ROAD, off_road=True) is True


@pytest.mark.parametrize("clause", ["D8.21a", "D8.21b", "D8.21d", "A4.11a"])
def test_only_a_bog_check_bogs(clause: str) -> None:
    """The effect of a pending roll depends on the clause that requires it, not on the roll's name."""
    due = Obligation("bog-hexside:u", clause, "u", (Odds("mobile", 30, 36), Odds("bogged", 6, 36)))
    position = place(crossing(), vehicle(previous="A1"), pending=(due,))
    after = last(position, "settle bog-hexside:u bogged").after.unit("u")

    assert after.motion.bogged is clause.startswith("D8.21")
    assert after.at == ("A1" if clause == "D8.21d" else "B1")


@pytest.mark.clause("D8.21a")
def test_nothing_else_happens_while_a_check_is_due() -> None:
    """Until the roll is settled, every other action is rejected with the clause that requires it."""
    position = place(crossing(there=WOODS), vehicle(kind="tr-10"))

    rejected = last(position, "enter u C1", "end u")
    assert (rejected.status, bars(rejected), rejected.after) == ("ILLEGAL", {"D8.21a"}, None)


@pytest.mark.clause("D8.21b")
@pytest.mark.parametrize(("reading", "chance"), [("any", 6), ("entry", 3)])
def test_turning_in_debris(reading: str, chance: int) -> None:
    """Debris' DRM applies to a VCA change too, except when read as a DRM for entry only."""
    found = {"readings": (("D8.21b", reading),)}
    assert odds(step("ft", "turn u SSE", here={"terrain": "Debris"}, scene=found)) == chance
    assert odds(step("ft", "turn u SSE", here=WOODS, scene=found)) == 3


def test_dice_that_a_log_names_are_those_of_the_result() -> None:
    """They are kept in the log; dice with another result, or of another roll, are rejected."""
    due = Obligation("bog:u", "D8.21a", "u", (Odds("mobile", 30, 36), Odds("bogged", 6, 36)))
    position = place(crossing(), vehicle(previous="A1"), pending=(due,))
    bogged = last(position, "settle bog:u bogged dice=6,4")
    assert str(bogged.action) == "settle bog:u bogged dice=6,4"
    assert bogged.after.key() == last(position, "settle bog:u bogged").after.key()
    for line, means in (("mobile dice=6,4", "is bogged"), ("mobile dice=3", "is no throw")):
        with pytest.raises(BadInputError, match=means):
            last(position, f"settle bog:u {line}")
